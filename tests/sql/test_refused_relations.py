"""Which rows a query may be about: each way to put tables and subqueries together that has no proof is refused."""

from __future__ import annotations

import pytest

from proxy.errors import RefusedError, UnsupportedError
from proxy.sql.statement import parse_statement
from tests.sql.events import DENIED, UNSUPPORTED, assert_refused

FROM_CLAUSES = {
    "more aliases than columns": ("(SELECT many FROM events) AS e (a, b)", "column-aliases", "there are more column"),
    "equal or both NULL": (
        "events e JOIN events f ON e.person_id IS NOT DISTINCT FROM f.person_id",
        "private-join",
        "this join could combine rows of more than one",
    ),
    "a full join with USING after another join": (
        "people CROSS JOIN towns FULL JOIN events USING (person_id)",
        "join-kind",
        "FULL JOIN with USING",
    ),
    "a natural full join": ("people NATURAL FULL JOIN events", "join-kind", "FULL JOIN with USING"),
    "a full join of a table without the unit": (
        "events FULL JOIN details ON events.event_id = details.event_id AND many > 5",
        "join-kind",
        "this FULL JOIN is not supported",
    ),
    "USING with a join in parentheses": (
        "people JOIN (events JOIN towns ON true) USING (person_id)",
        "join-kind",
        "USING or NATURAL with a join in parentheses",
    ),
    "USING over two types": (
        "events JOIN (SELECT name AS many FROM towns) AS t USING (many)",
        "join-kind",
        "USING (many) over columns of types integer and text",
    ),
    "USING over two kinds of numbers": (
        "events JOIN (SELECT size::numeric AS many FROM towns) AS t USING (many)",
        "join-kind",
        "USING (many) over columns of types integer and numeric",
    ),
    "a limit of a union of two people's tables": (
        "((SELECT person_id FROM events) UNION (SELECT person_id FROM people) LIMIT 1) AS e",
        "subquery",
        "a subquery is not supported",
    ),
    "a union of two and of one column": (
        "(SELECT person_id, many FROM events UNION SELECT person_id FROM people) AS e",
        "row-set-operation",
        "UNION of private rows requires the same privacy unit",
    ),
    "a sample of a CTE": ("e TABLESAMPLE SYSTEM (1)", "from-decoration", "TABLESAMPLE is not supported on a CTE"),
}


@pytest.mark.parametrize(("clause", "rule", "message"), FROM_CLAUSES.values(), ids=FROM_CLAUSES.keys())
def test_tables_are_put_together_in_proven_ways_only(clause: str, rule: str, message: str) -> None:
    start = "WITH e AS (SELECT * FROM events) " if clause.startswith("e ") else ""
    assert_refused(f"{start}SELECT count(*) FROM {clause}", rule, UNSUPPORTED, message)


@pytest.mark.parametrize(
    "query",
    [
        "SELECT count(*) FROM people JOIN events USING (nothing)",
        "SELECT count(*) FROM people JOIN events USING (person_id) JOIN towns ON towns.name = people.name "
        "JOIN towns AS t USING (name)",
        "SELECT count(other.events.many) FROM events",
        "SELECT count(x.public.events.many) FROM events",
        "SELECT count(*) FROM (SELECT events.* AS x FROM events) AS e",
    ],
)
def test_a_name_that_means_no_column_or_two_is_refused(query: str) -> None:
    assert_refused(query, "unknown-column", DENIED, "column ")


PER_UNIT = {
    "a filter that is no condition": ("sum(many) FILTER (WHERE many)", "not-allowed", "sum(many) FILTER"),
    "an ordered list": (
        "array_agg(code ORDER BY at DESC)",
        "per-unit-aggregate",
        "this array_agg() is not supported",
    ),
    "a path": ("string_agg(code, '>' ORDER BY at)", "per-unit-aggregate", "this string_agg() is not supported"),
    "two fractions": (
        "percentile_cont(ARRAY[0.2, 0.8]) WITHIN GROUP (ORDER BY amount)",
        "per-unit-aggregate",
        "this percentile_cont() is not supported",
    ),
    "a fraction of the row": (
        "percentile_disc(max(amount)) WITHIN GROUP (ORDER BY amount)",
        "per-unit-aggregate",
        "this percentile_disc() is not supported",
    ),
    "a fraction above one": (
        "percentile_disc(1.5) WITHIN GROUP (ORDER BY amount)",
        "per-unit-aggregate",
        "this percentile_disc() is not supported",
    ),
    "a percentile of times": (
        "percentile_cont(0.5) WITHIN GROUP (ORDER BY at)",
        "per-unit-aggregate",
        "this percentile_cont() is not supported",
    ),
    "the most frequent json": (
        "mode() WITHIN GROUP (ORDER BY plain)",
        "per-unit-aggregate",
        "this mode() is not supported",
    ),
    "a hypothetical rank": (
        "rank(3) WITHIN GROUP (ORDER BY many)",
        "per-unit-aggregate",
        "this rank() is not supported",
    ),
    "a deviation of a text": ("stddev(code)", "per-unit-aggregate", "this stddev() is not supported"),
    "a sum of two": ("sum(many, many)", "per-unit-aggregate", "this sum() is not supported"),
    "different pairs": ("count(DISTINCT many, amount)", "per-unit-aggregate", "this count() is not supported"),
    "different values of json": ("count(DISTINCT plain)", "per-unit-aggregate", "this count() is not supported"),
    "different points": ("count(DISTINCT place)", "per-unit-aggregate", "this count() is not supported"),
}


@pytest.mark.parametrize(("call", "rule", "message"), PER_UNIT.values(), ids=PER_UNIT.keys())
def test_aggregates_of_one_persons_rows_have_a_form_that_cannot_fail(call: str, rule: str, message: str) -> None:
    query = f"SELECT count(*) FROM (SELECT person_id, {call} AS n FROM events GROUP BY person_id) AS e"
    assert_refused(query, rule, UNSUPPORTED, message)


WINDOWS = {
    "the row before of no type": ("lag('x') OVER (PARTITION BY person_id)", "per-unit-window"),
    "partitions of json": ("rank() OVER (PARTITION BY person_id, plain ORDER BY many)", "comparison"),
    "partitions of points": ("rank() OVER (PARTITION BY person_id, place ORDER BY many)", "comparison"),
    "an order of addresses": ("rank() OVER (PARTITION BY person_id ORDER BY address)", "not-allowed"),
    "a frame that leaves rows out": (
        "sum(many) OVER (PARTITION BY person_id ORDER BY many ROWS UNBOUNDED PRECEDING EXCLUDE CURRENT ROW)",
        "per-unit-window",
    ),
    "a frame of groups": (
        "sum(many) OVER (PARTITION BY person_id ORDER BY many GROUPS 1 PRECEDING)",
        "per-unit-window",
    ),
    "a frame of a row's length": (
        "sum(many) OVER (PARTITION BY person_id ORDER BY many ROWS many PRECEDING)",
        "per-unit-window",
    ),
    "a frame of near values": (
        "sum(many) OVER (PARTITION BY person_id ORDER BY many RANGE 1 PRECEDING)",
        "per-unit-window",
    ),
}


@pytest.mark.parametrize(("call", "rule"), WINDOWS.values(), ids=WINDOWS.keys())
def test_windows_over_one_persons_rows_have_a_form_that_cannot_fail(call: str, rule: str) -> None:
    assert_refused(f"SELECT count(*) FROM (SELECT {call} AS n FROM events) AS e", rule, UNSUPPORTED, "")


@pytest.mark.parametrize("position", ["0", "3", "1.5"])
def test_a_group_position_beyond_the_select_list_is_refused(position: str) -> None:
    query = f"SELECT code, count(*) FROM events GROUP BY {position}"
    assert_refused(query, "group-ordinal", UNSUPPORTED, f"GROUP BY position {position}")


@pytest.mark.parametrize("call", ["max(many)", "bool_or(urgent)", "mode() WITHIN GROUP (ORDER BY code)"])
def test_what_does_not_add_up_has_no_totals(call: str) -> None:
    query = f"SELECT code, {call} FROM events GROUP BY ROLLUP (code)"
    assert_refused(query, "grouping-sets", UNSUPPORTED, "min, max, percentile_…, mode")


CORRELATED = {
    "a limit that is computed": "people p, LATERAL (SELECT many FROM events e WHERE e.person_id = p.person_id LIMIT 1 + 1) x",
    "a limit of groups": "people p, LATERAL (SELECT many, count(*) FROM events e WHERE e.person_id = p.person_id GROUP BY 1 LIMIT 1) x",
    "an equality with a lateral count": "people p, LATERAL (SELECT count(*) AS n FROM events e WHERE e.person_id = p.person_id) x "
    "WHERE 0 < (SELECT count(*) FROM events f WHERE f.person_id = p.person_id AND f.many = x.n)",
    "a lateral subquery over a lateral count": "people p, LATERAL (SELECT count(*) AS n FROM events e WHERE e.person_id = p.person_id) x, "
    "LATERAL (SELECT count(*) AS m FROM events f WHERE f.person_id = p.person_id AND f.many = x.n) y",
    "an aggregate of the outer row": "people p, LATERAL (SELECT count(p.age) AS n FROM events e "
    "WHERE e.person_id = p.person_id) x WHERE n > 1",
    "a column of the outer row beside an aggregate": "people p WHERE 3 < (SELECT max(many) - p.age FROM events e "
    "WHERE e.person_id = p.person_id)",
    "an inequality with a row that has no key": "(SELECT person_id, age + 1 AS age FROM people) p WHERE 3 < "
    "(SELECT count(*) FROM events e WHERE e.person_id = p.person_id AND e.many > p.age)",
    "inequalities with rows of two tables": "people p JOIN events f USING (person_id) WHERE 3 < (SELECT count(*) FROM events e "
    "WHERE e.person_id = p.person_id AND e.many > p.age AND e.many < f.many)",
    "more names than columns": "people p, LATERAL (SELECT count(*) FROM events e WHERE e.person_id = p.person_id) x (a, b)",
    "a row that is not there": "people p WHERE age > (SELECT max(many) FROM events e WHERE e.person_id = q.person_id)",
}


@pytest.mark.parametrize("clause", CORRELATED.values(), ids=CORRELATED.keys())
def test_correlated_subqueries_of_another_form_are_refused(clause: str) -> None:
    assert_refused(f"SELECT count(*) FROM {clause}", "correlation", UNSUPPORTED, "this correlated subquery")


def test_public_rows_kept_by_an_outer_join_are_not_tied_to_people() -> None:
    inner = "SELECT e.person_id FROM towns t LEFT JOIN events e ON e.note = t.name"
    query = f"SELECT count(*) FROM people WHERE person_id IN ({inner})"
    assert_refused(query, "subquery", UNSUPPORTED, "a subquery is not supported here")


@pytest.mark.parametrize("suffix", ["(FORMAT 'a", "(FORMAT $q$a"])
def test_a_copy_whose_options_do_not_end_is_refused(suffix: str) -> None:
    with pytest.raises(UnsupportedError) as refusal:
        parse_statement(f"COPY (SELECT count(*) FROM events) TO STDOUT {suffix}")
    assert (refusal.value.rule, refusal.value.sqlstate) == ("copy", UNSUPPORTED)


@pytest.mark.parametrize(
    "query",
    [
        "SELECT count(*) INTO x FROM events",
        "SELECT count(*) FROM events FOR UPDATE",
        "SELECT count(*) FROM (SELECT many FROM events FOR SHARE) AS e",
        "WITH y AS (SELECT count(*) INTO x FROM events) SELECT * FROM y",
    ],
)
def test_queries_that_write_or_lock_are_refused(query: str) -> None:
    with pytest.raises(RefusedError) as refusal:
        parse_statement(query)
    assert (refusal.value.rule, refusal.value.sqlstate) == ("writes", DENIED)


def test_which_public_rows_a_join_keeps_does_not_depend_on_a_subquery_over_people() -> None:
    joined = "towns LEFT JOIN people p ON p.name = towns.name AND EXISTS (SELECT FROM events e WHERE e.person_id = p.person_id)"
    query = f"SELECT towns.name, count(p.person_id) FROM {joined} GROUP BY 1"
    assert_refused(query, "subquery", UNSUPPORTED, "a subquery is not supported here")
