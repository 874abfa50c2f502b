"""What sqlglot makes of a text is what Postgres's own parser makes of it, or the text is refused (ATTACKS 23)."""

from __future__ import annotations

from pathlib import Path

import pytest
from pglast import keywords

from proxy.errors import DpproxyError
from proxy.sql.dialect import PlainPostgres, PlainPostgresParser, render
from proxy.sql.statement import parse_statement
from tests.end_to_end import test_equals_postgres, test_private_joins, test_row_level_merging, test_row_relations
from tests.parsing.meaning import meaning, parenthesised

HERE = Path(__file__).parent
EXPRESSIONS = [
    *(HERE / "expressions.txt").read_text().splitlines(),
    "1 +-- c\n 2",
    "a -- 1\n+ 2",
    "a -- x\r+ b",
    "a -- ' OR\n OR b",
]
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


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_expressions_are_read_as_postgres_reads_them(expression: str) -> None:
    assert_read_alike(f"SELECT {expression} FROM visits")


READ_DIFFERENTLY = {
    "adjacent strings are one string": ["'a'\n'b'", "'a' -- c\n'b'", "E'a'\n'\\n'"],
    "operators run together": ["a||-1", "a%-1", "a!=-1", "a**b", "!!5"],
    "operators of other databases": ["a<=>b", "a==b", "a??b", "a//b"],
    "@ is the absolute value, not a parameter": ["@a", "@1", "@-5"],
    "operands are turned around": ["a@@b", "a<->b"],
    "numbers with underscores": ["1_000", "1_0.5", "1e1_0"],
    "numbers of other bases": ["0x1F", "0xFF_FF", "0o7", "0b1"],
    "names in Unicode escapes": ['U&"\\0041"', "u&\"d!0061t\" UESCAPE '!'"],
    "a unary plus makes a text a number": ["+a", "-+1", "+'1'"],
    "char before a literal has any length": ["char 'ab'", "character 'ab'", "bit '101'"],
    "brackets of a type are no subscript": ["a::int[3]"],
    "words and modifiers of a type": ["a::bit varying", "a::interval(3)", "a::int unsigned"],
    "several fields of an interval": ["interval '1' year to month", "interval '1.5' second(2)"],
    "all other operators are of one level": ["a ~ b || c", "a @> b || c", "a && b || c", "a ^@ b || c"],
    "prefix operators bind loosely": ["~a + b", "|/ 4 + 5"],
    "~~ is no LIKE in the grammar": ["a ~~ b || c", "a LIKE b ~~ c"],
    "negations inside comparisons": ["a = b !~ c", "a !~ b = c", "a NOT IN (1) < b", "a NOT BETWEEN 1 AND 2 < b"],
    "the power operator after AT TIME ZONE": ["a AT TIME ZONE 'x' ^ 2"],
    "COLLATE after AT TIME ZONE": ['a AT TIME ZONE b COLLATE "C"'],
    "a space that is a letter": ["a\u00a0+ 1"],
}


@pytest.mark.parametrize("expression", [text for texts in READ_DIFFERENTLY.values() for text in texts], ids=repr)
def test_what_sqlglot_reads_differently_is_not_parsed(expression: str) -> None:
    text = f"SELECT {expression} FROM visits"
    assert meaning(text)
    with pytest.raises(DpproxyError) as refusal:
        parse_statement(text)
    assert refusal.value.rule == "parse"


@pytest.mark.parametrize(
    "statement",
    [
        "(SELECT 1 LIMIT 5) OFFSET 3",
        "((SELECT 1 FROM visits ORDER BY 1)) LIMIT 3",
        "SELECT count(*) FROM visits LIMIT 1_0",
        "SELECT count(*) FROM visits WHERE cost > 1_000",
    ],
)
def test_clauses_that_sqlglot_would_lose_are_not_parsed(statement: str) -> None:
    assert meaning(statement)
    with pytest.raises(DpproxyError) as refusal:
        parse_statement(statement)
    assert refusal.value.rule == "parse"


def test_refusal_points_at_what_is_read_differently() -> None:
    text = "EXPLAIN SELECT count(*) FROM visits WHERE cost > 1_000"
    with pytest.raises(DpproxyError) as refusal:
        parse_statement(text)
    assert refusal.value.position == text.index("1_000") + 1
    assert refusal.value.detail == "Postgres reads '1_000' in another way than dpproxy would."


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
