"""What sqlglot makes of a text is what Postgres's own parser makes of it, or the text is refused (attack 23)."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pglast import keywords
from sqlglot import exp

from proxy.errors import DpproxyError
from proxy.sql import dialect, grammar
from proxy.sql.dialect import PlainPostgres, PlainPostgresParser, render
from proxy.sql.nodes import find
from proxy.sql.normal_form import are_one, normal_form
from proxy.sql.statement import parse_statement
from tests.end_to_end import test_equals_postgres, test_private_joins, test_row_level_merging, test_row_relations
from tests.expressions.cases import ALL, CASES, SYNTAX, Case, name
from tests.expressions.observing import MANY, in_parts
from tests.parsing.meaning import meaning, parenthesised

pytestmark = pytest.mark.texts

HERE = Path(__file__).parent
SPELLED = [case for case in ALL if case.theme == SYNTAX]
STATEMENTS = (HERE / "statements.txt").read_text().splitlines()
ANSWERED = [
    *test_equals_postgres.QUERIES.values(),
    *test_private_joins.QUERIES.values(),
    *test_private_joins.REFUSED.values(),
    *test_row_level_merging.SAME.values(),
    *test_row_relations.SAME.values(),
]


def assert_read_alike(text: str) -> None:
    """The text that the stage gets, and the one that shows how the tree nests, mean what the client's text means."""
    statement = parse_statement(text)
    assert statement is not None
    expected = meaning(statement.query_text)
    assert len(expected) == 1
    assert meaning(render(statement.query)) == expected
    assert meaning(parenthesised(statement.query)) == expected


@pytest.mark.parametrize("query", ANSWERED)
def test_queries_that_are_answered_are_read_as_postgres_reads_them(query: str) -> None:
    assert_read_alike(query)


@pytest.mark.parametrize("statement", STATEMENTS)
def test_clauses_are_read_as_postgres_reads_them(statement: str) -> None:
    assert_read_alike(statement)


@pytest.mark.parametrize("case", [case for case in SPELLED if not case.refused], ids=name)
def test_expressions_are_read_as_postgres_reads_them(case: Case) -> None:
    assert_read_alike(f"SELECT {case.template} FROM visits")


@pytest.mark.parametrize("case", CASES, ids=name)
def test_expressions_that_are_computed_are_read_as_postgres_reads_them(case: Case) -> None:
    for members in in_parts(case.members, MANY):
        assert_read_alike(f"SELECT {', '.join(members)} FROM items")


@pytest.mark.parametrize("case", [case for case in SPELLED if case.refused], ids=name)
def test_what_sqlglot_reads_differently_is_not_parsed(case: Case) -> None:
    text = f"SELECT {case.template} FROM visits"
    assert meaning(text)
    with pytest.raises(DpproxyError) as refusal:
        parse_statement(text)
    assert f"{refusal.value.rule} {refusal.value.sqlstate}" == case.refused


@pytest.mark.parametrize(
    "statement",
    [
        "(SELECT 1 LIMIT 5) OFFSET 3",
        "SELECT count(*) FROM user",
        "SELECT count(*) FROM current_schema AS x",
    ],
)
def test_clauses_that_sqlglot_would_lose_are_not_parsed(statement: str) -> None:
    assert meaning(statement)
    with pytest.raises(DpproxyError) as refusal:
        parse_statement(statement)
    assert refusal.value.rule == "parse"


@pytest.mark.parametrize(
    "text", ["'a' -- it''s\n'b'", "'a'\n-- 'x'\n\n  'b'", "'a' --\r'b'", "E'a' -- x\n 'b'", "'' -- x\n'ab'"]
)
def test_a_comment_between_the_parts_of_a_text_is_read_as_postgres_reads_it(text: str) -> None:
    statement = parse_statement(f"SELECT {text} || '--' FROM t")
    assert statement is not None
    assert meaning(render(statement.query)) == meaning("SELECT 'ab' || '--' FROM t")


@pytest.mark.parametrize(
    ("statement", "hint"),
    [
        ("SELECT a = ANY (c) || d FROM t", "Put operators and their operands in parentheses"),
        ("SELECT * FROM user", "FROM (SELECT user) AS name"),
        ("SELECT * FROM current_date AS d", "FROM (SELECT current_date) AS name"),
        ('SELECT "Count"(x) FROM t', "Write names of functions in small letters and without quotes"),
    ],
)
def test_refusal_tells_what_to_write(statement: str, hint: str) -> None:
    with pytest.raises(DpproxyError) as refusal:
        parse_statement(statement)
    assert (refusal.value.rule, refusal.value.sqlstate) == ("parse", "0A000")
    assert hint in (refusal.value.hint or "")


@pytest.mark.parametrize(
    "statement",
    [
        'SELECT "user", v.user, v."current_role" FROM visits v',
        'SELECT normalize(a, NFC), normalize("nfc", NFKD), normalize(v.nfc) FROM visits v',
        "SELECT a FROM visits WHERE b = U&'d\\00e4'",
        "SELECT a FROM visits WHERE U&'d\\00e4' = 'x' AND c = 'a'",
        "SELECT a FROM visits WHERE b NOT LIKE ANY (c) OR NOT b ILIKE ALL (c)",
        "SELECT $1, $2",
        "SELECT 'a\n-- b\n', \"a'\n--b\n'c\", $$'\n--x\n'$$ FROM t",
    ],
)
def test_names_and_texts_that_look_like_others_are_read_as_postgres_reads_them(statement: str) -> None:
    assert_read_alike(statement)


@pytest.mark.parametrize(
    "statement",
    [
        "SELECT (a = ANY (c)) || d FROM t",
        "SELECT * FROM (SELECT user) AS name",
        'SELECT * FROM "user"',
        "SELECT count(x) FROM t",
    ],
)
def test_what_the_hints_propose_is_parsed(statement: str) -> None:
    assert_read_alike(statement)


def test_refusal_points_at_what_is_read_differently() -> None:
    text = "EXPLAIN SELECT 'ä', count(*) FROM visits WHERE cost > 1 AND region ~ city || 'x'"
    with pytest.raises(DpproxyError) as refusal:
        parse_statement(text)
    assert refusal.value.position == text.index("||") + 1
    assert refusal.value.detail == "PostgreSQL interprets '||' differently."


def test_names_that_postgres_cuts_to_one_are_one() -> None:
    name = "ä" * 31 + "x"
    statement = parse_statement(f"SELECT {name}1, {name}2 FROM visits")
    assert statement is not None
    assert [column.name for column in statement.query.expressions] == [name, name]


def same(first: str, other: str) -> bool:
    return [normal_form(tree) for tree in grammar.statements(first)] == [
        normal_form(tree) for tree in grammar.statements(other)
    ]


@pytest.mark.parametrize(
    ("first", "other"),
    [
        ("SELECT 1_000", "SELECT 1000"),
        ("SELECT 0xFFFFFFFF", "SELECT 4294967295"),
        ("SELECT .50", "SELECT 0.50"),
        ("SELECT a::integer", "SELECT CAST(a AS int4)"),
        ("SELECT a <> b", "SELECT a != b"),
        ("SELECT a NOT IN (1)", "SELECT NOT a IN (1)"),
        ("SELECT a NOT BETWEEN 1 AND 2", "SELECT NOT (a BETWEEN 1 AND 2)"),
        ("SELECT a AND (b AND c)", "SELECT (a AND b) AND c"),
        ("SELECT ALL a FROM b ORDER BY c", "SELECT a FROM b ORDER BY c ASC NULLS LAST"),
        ("SELECT a FROM b LIMIT 1", "SELECT a FROM b FETCH FIRST 1 ROW ONLY"),
        ("SELECT extract(YEAR FROM a)", "SELECT extract('year' FROM a)"),
        ("SELECT a FROM b JOIN c ON d", "SELECT a FROM (b INNER JOIN c ON d)"),
        ("SELECT 1 FROM a AS b", "SELECT 1 FROM a b"),
    ],
)
def test_harmless_differences_have_one_normal_form(first: str, other: str) -> None:
    assert same(first, other)


@pytest.mark.parametrize(
    ("first", "other"),
    [
        ("SELECT 1.0", "SELECT 1.00"),
        ("SELECT 1e2", "SELECT 100"),
        ("SELECT '1'", "SELECT 1"),
        ("SELECT +1", "SELECT 1"),
        ("SELECT a::varchar", "SELECT a::varchar(1)"),
        ("SELECT a::public.int4", "SELECT a::int4"),
        ("SELECT x.count(a)", "SELECT count(a)"),
        ("SELECT pg_catalog.count(a)", "SELECT count(a)"),
        ("SELECT ROW(a, b) IS NOT NULL", "SELECT NOT ROW(a, b) IS NULL"),
        ("SELECT a IS NOT DISTINCT FROM b", "SELECT a IS DISTINCT FROM b"),
        ("SELECT a OPERATOR(x.=) b", "SELECT a = b"),
        ("SELECT a NOT BETWEEN SYMMETRIC 1 AND 2", "SELECT a NOT BETWEEN 1 AND 2"),
        ("SELECT a - (b - c)", "SELECT a - b - c"),
        ("SELECT a FROM b UNION SELECT c FROM d", "SELECT a FROM b UNION ALL SELECT c FROM d"),
        ("SELECT a FROM b ORDER BY a LIMIT 1", "SELECT a FROM b ORDER BY a FETCH FIRST 1 ROW WITH TIES"),
        ("SELECT a FROM (VALUES (1)) AS _values", "VALUES (1)"),
        ("SELECT * FROM (VALUES (1)) AS _values WHERE false", "VALUES (1)"),
        ("SELECT sum(a) OVER (w ROWS 1 PRECEDING) FROM b WINDOW w AS ()", "SELECT sum(a) OVER w FROM b WINDOW w AS ()"),
        (
            "SELECT sum(a) OVER (w ORDER BY c) FROM b WINDOW w AS ()",
            "SELECT sum(a) OVER w FROM b WINDOW w AS ()",
        ),
        ("SELECT sum(a) OVER () FROM b WINDOW w AS ()", "SELECT sum(a) OVER w FROM b WINDOW w AS ()"),
        ("SELECT a !~ ANY (b)", "SELECT NOT a ~ ANY (b)"),
        ("SELECT a NOT LIKE ANY (b)", "SELECT NOT a LIKE ANY (b)"),
        ("SELECT a NOT LIKE ALL (b)", "SELECT NOT a LIKE ALL (b)"),
        ("SELECT !~ a", "SELECT NOT ~ a"),
        ("SELECT * FROM (SELECT 1) AS _values", "SELECT 1"),
        ("SELECT * FROM LATERAL (VALUES (1)) AS _values", "VALUES (1)"),
        ("SELECT * FROM (VALUES (1)) AS _values (a)", "VALUES (1)"),
        ("SELECT * FROM (VALUES (1)) AS _values UNION VALUES (2)", "VALUES (1)"),
        ("SELECT a AT TIME ZONE 'UTC'", "SELECT a AT TIME ZONE 'utc'"),
        ("SELECT dp.substring(a, 1)", "SELECT substring(a, 1)"),
        ("SELECT a AT TIME ZONE b", "SELECT timezone(b, a)"),
        ("SELECT count(1::int)", "SELECT count(1)"),
        ("SELECT count(a) FILTER (WHERE b) FROM c", "SELECT count(a) FROM c"),
        ("SELECT 'A' FROM b", "SELECT 'a' FROM b"),
        ('SELECT "A" FROM b', "SELECT a FROM b"),
    ],
)
def test_other_differences_have_two_normal_forms(first: str, other: str) -> None:
    assert not same(first, other)
    assert not any(map(are_one, grammar.statements(first), grammar.statements(other)))


_NAMES = st.sampled_from(["location", "list_start", "name", "args"])
_VALUES = st.integers(0, 2) | st.sampled_from(["a", "b"])
TREES = st.recursive(_VALUES, lambda parts: st.lists(parts, max_size=3) | st.dictionaries(_NAMES, parts, max_size=4))


def without_places(tree: grammar.Tree) -> grammar.Tree:
    if isinstance(tree, dict):
        return {name: without_places(v) for name, v in tree.items() if name not in ("location", "list_start")}
    return list(map(without_places, tree)) if isinstance(tree, list) else tree


@given(TREES, TREES)
def test_trees_are_one_if_nothing_but_places_differs(first: grammar.Tree, other: grammar.Tree) -> None:
    assert are_one(first, first)
    assert are_one(first, other) == (without_places(first) == without_places(other))
    if are_one(first, other):
        assert normal_form(first) == normal_form(other)


@given(TREES, st.data())
def test_trees_with_one_value_changed_are_two_unless_it_is_a_place(tree: grammar.Tree, data: st.DataObject) -> None:
    other = changed(tree, data)
    assert are_one(tree, other) == (without_places(tree) == without_places(other))


def changed(tree: grammar.Tree, data: st.DataObject) -> grammar.Tree:
    if isinstance(tree, dict) and tree:
        name = data.draw(st.sampled_from(sorted(tree)))
        other = data.draw(_NAMES)
        moved = {key: value for key, value in tree.items() if key != name}
        return tree | {name: changed(tree[name], data)} if data.draw(st.booleans()) else moved | {other: tree[name]}
    if isinstance(tree, list) and tree:
        return [*tree[:-1], changed(tree[-1], data)]
    return data.draw(_VALUES)


_WORDS = {
    word.upper()
    for group in (
        keywords.RESERVED_KEYWORDS,
        keywords.UNRESERVED_KEYWORDS,
        keywords.COL_NAME_KEYWORDS,
        keywords.TYPE_FUNC_NAME_KEYWORDS,
    )
    for word in group
}
_TYPES = set(
    """BIGSERIAL BOOL BPCHAR BYTEA CSTRING DATE DATEMULTIRANGE DATERANGE FLOAT4 FLOAT8 INET INT2 INT4 INT4MULTIRANGE
    INT4RANGE INT8 INT8MULTIRANGE INT8RANGE JSONB MONEY NUMMULTIRANGE NUMRANGE OID POINT REGCLASS REGCOLLATION REGCONFIG
    REGDICTIONARY REGNAMESPACE REGOPER REGOPERATOR REGPROC REGPROCEDURE REGROLE REGTYPE SERIAL SMALLSERIAL TIMESTAMPTZ
    TIMETZ TSMULTIRANGE TSRANGE TSTZMULTIRANGE TSTZRANGE UUID""".split()
)


def test_every_keyword_is_a_word_of_postgres() -> None:
    """A word that only another database knows is a name, in any place."""
    words = {part for word in PlainPostgres.Tokenizer.KEYWORDS if word[0].isalpha() for part in word.split()}
    assert words - _WORDS - _TYPES == {"UNNEST"}


_STANDARD_TYPES = set(
    """BIGINT BIT BOOLEAN CHAR CHARACTER DEC DECIMAL FLOAT INT INTEGER INTERVAL JSON NAME NCHAR NUMERIC REAL SMALLINT TEXT
    TIME TIMESTAMP VARCHAR XML""".split()
) | {"DOUBLE PRECISION", "CHAR VARYING", "CHARACTER VARYING"}


def test_every_type_name_is_a_type_of_postgres() -> None:
    """Not string or double, say: a table of that name is a type of its own."""
    names = {
        word for word, token in PlainPostgres.Tokenizer.KEYWORDS.items() if token in PlainPostgresParser.TYPE_TOKENS
    }
    assert names - _TYPES - _STANDARD_TYPES == {"ARRAY", "NULL", "RANGE", "UNION", "UNKNOWN"}


@pytest.mark.parametrize("word", sorted(keywords.UNRESERVED_KEYWORDS))
def test_words_that_postgres_does_not_reserve_are_names(word: str) -> None:
    for query in (
        "SELECT avg({0}) FROM (SELECT score AS {0} FROM t) AS t",
        "SELECT avg(t.{0}) FROM t",
        "SELECT count(*) FROM t {0} WHERE {0}.score > 5",
        'WITH "{0}" AS (SELECT 1) SELECT count(*) FROM {0}',
        "SELECT a AS {0}, count(*) FROM t GROUP BY {0} ORDER BY {0}",
    ):
        assert dialect.parse(query.format(word)) is not None


@pytest.mark.parametrize("query", ["WITH x AS (INSERT INTO t VALUES (1) RETURNING *) SELECT * FROM x", "DROP TABLE t"])
def test_statements_that_begin_with_such_words_are_read_as_before(query: str) -> None:
    tree = dialect.parse(query)
    assert tree is not None
    assert find(tree, exp.Insert, exp.Drop) is not None
