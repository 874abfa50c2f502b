"""What a row can take at most is bounded for every expression, or the query is refused before anything is charged."""

from __future__ import annotations

from dataclasses import replace

import pytest
from sqlglot import exp

from proxy.errors import UnsupportedError
from proxy.policy.catalog import Catalog
from proxy.sql.explain import explain_block
from proxy.sql.rows.limits import row_work
from proxy.sql.terms import costs, regular_expressions
from proxy.sql.terms.term import Term
from proxy.sql.terms.types import INTEGER, NUMERIC, TEXT
from proxy.sql.terms.work import MOST_ROW_WORK, accounted
from tests.plans.schema import CATALOG, POLICY
from tests.sql import events
from tests.sql.test_planning import catalog, plan

__all__ = ["catalog"]

MANY_TEXTS = ", ".join(f"repeat(lpad(diagnosis, 10000, '😀'), {20 + i % 5}) AS c{i}" for i in range(290))
MANY_COLUMNS = ", ".join(f"lpad(left(diagnosis, {1 + i}), 9000, '😀') AS c{i}" for i in range(100))

TOO_LONG = {
    "counting matches that start anew": "SELECT count(*) FROM visits WHERE regexp_count(lpad(region, 10000, 'a'), 'a.*?b|a[ab]{30}c') > 5",
    "the same below many public rows": "SELECT count(*) FROM visits, regions, specialties, regions AS other, specialties AS more WHERE regexp_count(diagnosis || regions.name, 'a.*?b|a') > 5",
    "many calls for one row": "SELECT count(*) FROM visits WHERE "
    + " OR ".join(f"regexp_count(lpad(region, 10000, 'a'), 'a.*?b|{letter}') > 5" for letter in "abcdefgh"),
    "in FILTER": "SELECT " + ", ".join(f"count(*) FILTER (WHERE regexp_count(diagnosis, 'a.*?b|{letter}') > 1)" for letter in "abcdefgh") + " FROM visits",
    "in sums": "SELECT " + ", ".join(f"sum(regexp_count(diagnosis, 'a.*?b|{letter}'))" for letter in "abcdefgh") + " FROM visits",
    "in ON": "SELECT count(*) FROM visits v JOIN regions r ON regexp_count(v.diagnosis, 'a') = length(r.name) CROSS JOIN specialties, regions AS other, specialties AS more",
    "in a derived table": "SELECT count(*) FROM (SELECT "
    + ", ".join(f"regexp_count(diagnosis, 'a.*?b|{letter}') AS {letter}" for letter in "abcdefgh")
    + " FROM visits) x WHERE a + h > 3",
    "in EXISTS": "SELECT count(*) FROM patients p WHERE EXISTS (SELECT FROM visits v WHERE v.patient_id = p.patient_id AND "
    + " AND ".join(f"regexp_count(v.diagnosis, 'a.*?b|{letter}') > 1" for letter in "abcdefgh")
    + ")",
    "guards within guards": "SELECT count(*) FROM visits WHERE " + "upper(" * 30 + "diagnosis" + ")" * 30 + " = 'A'",
    "a pattern of many states": "SELECT count(*) FROM visits WHERE diagnosis ~ 'a[ab]{50}[ab]{50}[ab]{50}c|b.{50}.{50}.{50}d'",
    "a list to translate": f"SELECT count(*) FROM visits WHERE translate(lpad(diagnosis, 10000), '{'abcdefghij' * 19}', 'x') = 'x'",
    "a long piece of LIKE": f"SELECT count(*) FROM visits WHERE lpad(diagnosis, 10000) LIKE '%{'a' * 150}b%'",
}  # fmt: skip

TOO_LARGE = {
    "a tuple of many texts": f"SELECT count(*) FROM (SELECT DISTINCT patient_id, {MANY_TEXTS} FROM visits) x",
    "a tuple of many columns": f"SELECT count(*) FROM (SELECT {MANY_COLUMNS} FROM visits OFFSET 0) x",
    "one text": "SELECT count(*) FROM visits WHERE repeat(lpad(diagnosis, 10000, '😀'), 100) = 'x'",
    "what replaces": f"SELECT count(*) FROM visits WHERE replace(lpad(diagnosis, 10000), 'a', '{'b' * 200}') = 'x'",
    "concatenations": "SELECT count(*) FROM visits WHERE concat("
    + ", ".join(["lpad(diagnosis, 10000)"] * 40)
    + ") = 'x'",
}


def refusal_of(text: str, catalog: Catalog) -> UnsupportedError:
    with pytest.raises(UnsupportedError) as refusal:
        plan(text, catalog)
    return refusal.value


@pytest.mark.parametrize("text", TOO_LONG.values(), ids=TOO_LONG.keys())
def test_more_than_a_millisecond_for_one_row_is_refused(text: str, catalog: Catalog) -> None:
    refusal = refusal_of(text, catalog)
    assert (refusal.rule, refusal.sqlstate) == ("row-work", "0A000")


@pytest.mark.parametrize("text", TOO_LARGE.values(), ids=TOO_LARGE.keys())
def test_a_row_that_could_fill_the_memory_is_refused(text: str, catalog: Catalog) -> None:
    refusal = refusal_of(text.replace(" OFFSET 0", ""), catalog)
    assert (refusal.rule, refusal.sqlstate) == ("row-size", "0A000")


def test_what_guards_repeat_counts_each_time(catalog: Catalog) -> None:
    once = row_work(plan("SELECT count(*) FROM visits WHERE sqrt(minutes) > 1", catalog).relation)
    nested = row_work(plan("SELECT count(*) FROM visits WHERE sqrt(sqrt(minutes)) > 1", catalog).relation)
    assert nested > 2 * once


_MEMBER = "least(greatest((document ->> 'n')::int, 0), 100)"


@pytest.mark.parametrize(
    "question",
    [
        f"avg({_MEMBER})",
        f"sum({_MEMBER}) FILTER (WHERE document ->> 'kind' = 'buy')",
        f"document ->> 'kind' AS k, count({_MEMBER}), avg({_MEMBER})",
    ],
)
def test_what_a_sum_reads_several_times_counts_once_as_it_is_computed(question: str) -> None:
    grouped = " GROUP BY 1" if " AS k" in question else ""
    assert row_work(events.plan(f"SELECT {question} FROM events{grouped}").relation) <= MOST_ROW_WORK


LOOKED_UP = {
    "CASE of a text": "CASE diagnosis " + " ".join(f"WHEN 'd{i}' THEN 'g{i % 9}'" for i in range(1000)),
    "CASE of equalities": "CASE " + " ".join(f"WHEN diagnosis = 'd{i}' THEN 'g{i % 9}'" for i in range(1000)),
    "CASE of lists": "CASE " + " ".join(f"WHEN diagnosis IN ('d{i}', 'e{i}') THEN 'g{i % 9}'" for i in range(500)),
}


@pytest.mark.parametrize("case", LOOKED_UP.values(), ids=LOOKED_UP.keys())
def test_a_text_that_is_looked_up_is_read_once(case: str, catalog: Catalog) -> None:
    planned = plan(f"SELECT {case} ELSE 'other' END AS k, count(*) FROM visits GROUP BY k", catalog)
    assert row_work(planned.relation) <= MOST_ROW_WORK
    (key,) = [key.term.sql for key in planned.keys]
    assert key.count("diagnosis") == plan("SELECT diagnosis, count(*) FROM visits GROUP BY 1", catalog).keys[
        0
    ].term.sql.count("diagnosis")


ALTERNATIVES = {
    "texts": " OR ".join(f"'d{i}' = diagnosis" for i in range(200)),
    "pairs of texts": " OR ".join(f"(region = 'r{i % 7}' AND diagnosis = 'd{i}')" for i in range(200)),
    "beside others": "minutes > 5 OR " + " OR ".join(f"(diagnosis = 'd{i}')" for i in range(200)) + " OR cost > 9",
}


@pytest.mark.parametrize("condition", ALTERNATIVES.values(), ids=ALTERNATIVES.keys())
def test_a_text_with_many_alternatives_is_read_once(condition: str, catalog: Catalog) -> None:
    assert row_work(plan(f"SELECT count(*) FROM visits WHERE {condition}", catalog).relation) <= MOST_ROW_WORK


@pytest.mark.parametrize("word", ["<", "<>", "LIKE"])
def test_other_conditions_of_a_text_are_read_and_counted_one_by_one(word: str, catalog: Catalog) -> None:
    case = " ".join(f"WHEN diagnosis {word} 'd{i}' THEN 'g{i % 9}'" for i in range(100))
    assert refusal_of(f"SELECT CASE {case} END AS k, count(*) FROM visits GROUP BY k", catalog).rule == "row-work"


@pytest.mark.parametrize(
    ("text", "most"),
    [
        ("SELECT count(*) FROM visits", 0),
        ("SELECT region, count(*), avg(cost) FROM visits WHERE minutes > 30 GROUP BY region", 100_000),
        (r"SELECT regexp_replace(diagnosis, '^https?://(?:www\.)?([^/]+)/.*$', '\1'), count(*) FROM visits GROUP BY 1", 500_000),
        ("SELECT count(*) FROM visits WHERE diagnosis LIKE '%google%' AND diagnosis NOT ILIKE '%.google.%'", 900_000),
    ],
)  # fmt: skip
def test_ordinary_questions_stay_below_the_limit(text: str, most: int, catalog: Catalog) -> None:
    assert row_work(plan(text, catalog).relation) <= most <= MOST_ROW_WORK


@pytest.mark.parametrize(("table", "column"), [("public.prices", "code"), ("public.visits", "diagnosis")])
def test_a_text_equals_one_key_of_a_table_under_every_collation(table: str, column: str) -> None:
    """Where different texts are equal in the database, they are not in a source query."""
    query = "SELECT count(*) FROM visits v JOIN prices p ON p.code = upper(v.diagnosis)"
    found = CATALOG.tables[table]
    loose = replace(found.columns[column], collation=12345)
    tables = {**CATALOG.tables, table: replace(found, columns={**found.columns, column: loose})}
    relation = plan(query, Catalog(tables), policy=POLICY).relation
    assert row_work(relation) < MOST_ROW_WORK
    assert relation.multiplicity == plan(query, CATALOG, policy=POLICY).relation.multiplicity


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("SELECT count(*) FROM visits WHERE regexp_count(diagnosis, 'a') > 3", True),
        ("SELECT count(*) FROM (SELECT regexp_count(diagnosis, 'a') AS n FROM visits) x WHERE n > 3", True),
        ("SELECT count(*) FROM visits WHERE regexp_count(left(diagnosis, 250), 'a') > 3", False),
        ("SELECT count(*) FROM visits WHERE diagnosis ~ 'a'", False),
    ],
)
def test_explain_tells_of_texts_that_are_not_seen_to_their_end(text: str, told: bool, catalog: Catalog) -> None:
    lines = explain_block(plan(text, catalog))
    assert ("  Regular expressions: of longer texts they see the first 250 characters" in lines) == told


@pytest.mark.parametrize(
    ("pattern", "deterministic"),
    [
        ("flu|cold|asthma", True),
        ("^[a-z]+$", True),
        (r"^https?://(?:www\.)?([^/]+)/.*$", True),
        ("[0-9]{4}-[0-9]{2}-[0-9]{2}", True),
        ("a.*?b|a", True),
        ("a[ab]{10}c", False),
        ("[[:alpha:]]+a[[:alnum:]]{50}c", False),
        ("(a|b)*a(a|b)(a|b)(a|b)(a|b)(a|b)(a|b)(a|b)", False),
        (r"\yword", False),
        ("a[a-b]{10}c", False),
        ("b[a-b]{10}c", False),
        ("a[ab]{4}c{14}", False),
        ("a[ab]{3}cdefghij", False),
    ],
)
def test_patterns_whose_states_grow_with_the_text_are_known(pattern: str, deterministic: bool) -> None:
    assert regular_expressions.shape(pattern).deterministic == deterministic


@pytest.mark.parametrize(
    ("pattern", "positions"),
    [
        ("a*b", 2),
        ("[ab]{4}c", 5),
        ("[ab]{0,30}c", 31),
        ("[ab]{30,}c", 31),
        ("[]a]b", 2),
        ("[^]a]b", 2),
        ("[+-]a", 2),
    ],
)
def test_a_pattern_has_a_position_for_each_character_and_class_that_it_matches(pattern: str, positions: int) -> None:
    assert regular_expressions.shape(pattern).positions == positions


@pytest.mark.parametrize("pattern", ["[[xalpha:]]", "[[:cntrl:]]", "[!-[x]", "[b-a]", "a**", "a{x}", "(a", "*a"])
def test_a_pattern_that_is_not_understood_is_taken_for_the_worst(pattern: str) -> None:
    shape = regular_expressions.shape(pattern)
    assert (shape.deterministic, shape.anchored) == (False, False)
    assert shape.positions >= len(pattern)


@pytest.mark.parametrize(
    ("pattern", "escape", "deterministic"),
    [("a%b_", None, True), ("a.b", None, False), (r"a\%", None, False), ("a^b", None, False), ("a#%", "#", False)],
)
def test_similar_to_is_read_only_where_its_characters_mean_what_they_seem(
    pattern: str, escape: str | None, deterministic: bool
) -> None:
    read = regular_expressions.of_similar_to(pattern, escape)
    assert regular_expressions.shape(read).deterministic == deterministic


@pytest.mark.parametrize("sizes", [(5, 4000), (4000, 5)])
def test_the_longest_operand_counts(sizes: tuple[int, int]) -> None:
    operands = [Term(f"x{size}", TEXT, size=size) for size in sizes]
    for cost in (costs.choice, costs.membership):
        assert cost(exp.Null(), operands, operands[0]) > 4000


def test_a_number_keeps_the_digits_that_are_known_of_it() -> None:
    term = Term("x", NUMERIC, size=5000)
    assert accounted(exp.Null(), term, [Term("1", INTEGER)], costs.flat(0)).size == 5000


@pytest.mark.parametrize(
    ("clauses", "advice"),
    [
        (
            ", ".join(f"avg(least((document ->> '{key}')::int, 9))" for key in "abcdefg") + " FROM events",
            "Read fewer members of documents in one query",
        ),
        ('count(*) FROM events WHERE document @> \'[{"kind": "buy"}]\'', "as in x ->> 'kind' = 'buy' of a document"),
    ],
)
def test_what_takes_long_in_a_document_has_a_hint_of_its_own(clauses: str, advice: str) -> None:
    with pytest.raises(UnsupportedError) as refusal:
        events.plan(f"SELECT {clauses}")
    assert refusal.value.rule == "row-work"
    assert advice in (refusal.value.hint or "")


@pytest.mark.parametrize(
    "condition",
    [
        """document @> '[{"kind": 1}]'""",
        """document @> '{"tags": ["a", "b"]}'""",
        """document <@ '{"kind": 1}'""",
        f"document ?| ARRAY{[str(number) for number in range(30)]}",
    ],
)
def test_elements_of_long_documents_are_not_looked_through_often(condition: str) -> None:
    with pytest.raises(UnsupportedError) as refusal:
        events.plan(f"SELECT count(*) FROM events WHERE {condition}")
    assert refusal.value.rule == "row-work"


@pytest.mark.parametrize(
    "joined", ["USING (patient_id, diagnosis, region)", "ON w.patient_id = v.patient_id AND w.diagnosis = v.diagnosis"]
)
def test_the_texts_without_a_length_that_take_longest_are_named(joined: str, catalog: Catalog) -> None:
    longest = " AND ".join(f"regexp_count(v.region, 'a.*?b|{letter}') > 1" for letter in "ab")
    error = refusal_of(f"SELECT count(*) FROM visits v JOIN visits w {joined} WHERE {longest}", catalog)
    assert error.rule == "row-work"
    assert "Texts without a length take longest (visits.diagnosis, " in (error.hint or "")
