"""What is parsed and printed here in fewer steps than sqlglot takes comes out as sqlglot's own steps have it."""

from __future__ import annotations

from contextlib import suppress

from sqlglot import exp
from sqlglot.errors import SqlglotError
from sqlglot.generators.postgres import PostgresGenerator
from sqlglot.parsers.postgres import PostgresParser

from proxy.sql import dialect
from proxy.sql.nodes import find_all
from proxy.sql.plain_postgres import PLAIN_POSTGRES, PlainPostgresGenerator, PlainPostgresParser
from tests.plans.cases import FILES, read

STATEMENTS = [case.statement for file in FILES for case in read(file)]
OTHERS = [
    "SELECT",
    "SELECT DISTINCT ON (a) a FROM t FETCH FIRST 3 ROWS ONLY",
    "SELECT a INTO b FROM t FOR UPDATE",
    "SELECT a FROM ONLY s.t AS x (y) TABLESAMPLE system (3), f(1) WITH ORDINALITY AS g",
    "SELECT case, any, 1, interval, (a), f(b, 1) FROM t WINDOW w AS (ORDER BY a) LIMIT ALL",
    "SELECT (SELECT a), (VALUES (a, 1)), ARRAY[a, 1], a := 1",
    # Names, constants and short calls, with all that can be behind them.
    "SELECT a.b.c.d, \"A\".\"b\" x, a y, 'b' 'c', 1 one, f(a) z, f((a), g(1)) FILTER (WHERE a), f(a) OVER w, f(a).b",
    "SELECT a AT TIME ZONE b, a[1], f(a)[1], a::text, f(a)::int, a ISNULL, a NOTNULL, a COLLATE c, 1.5.a, a.*, f(*)",
    "SELECT a IS NULL, a = b, a AND b, NOT a OR b, a IN (b, 1), a BETWEEN 1 AND b, a -> 'b', a || 'b', -a, a % b ^ 2",
    "SELECT CASE a WHEN b THEN c ELSE d END, CASE WHEN a THEN 'b' END, f(a => b, c := 1), f(DISTINCT a, b ORDER BY c)",
    "SELECT date '2024-01-01', interval '1' day, inet '::1', uuid 'x', a OPERATOR(b.=) c, f(a) WITHIN GROUP (ORDER BY b)",
    "SELECT a FROM b WHERE c GROUP BY d, f(e) HAVING g ORDER BY h ASC, i DESC NULLS LAST, f(j) LIMIT 3 OFFSET f(4)",
    "SELECT f(a, b, c, d, e, g, h, i, j, k, l, m), f(f(f(f(f(f(a)))))), f(), f(a) + 1, f(a) f FROM t JOIN u ON a, v",
    "SELECT a FROM t WHERE (a) AND f(a) ORDER BY 1",
    "SELECT a(",
    "SELECT f(a",
    "SELECT a.",
    "SELECT a)",
]


class LongParser(PlainPostgresParser):
    """Goes sqlglot's own ways."""

    _parse_statement = PostgresParser._parse_statement
    _parse_disjunction = PostgresParser._parse_disjunction


def test_statements_are_parsed_as_sqlglot_parses_them() -> None:
    parsed = 0
    for text in (*STATEMENTS, *OTHERS):
        found: list[object] = []
        for parser in (PLAIN_POSTGRES.parser(), LongParser(dialect=PLAIN_POSTGRES)):
            try:
                trees = parser.parse(dialect.tokenize(text), text)
                found.append([(repr(node), node._meta) for tree in trees if tree is not None for node in tree.walk()])
            except SqlglotError as error:
                found.append(str(error))
        assert found[0] == found[1]
        parsed += isinstance(found[0], list)
    assert parsed > 0.9 * len(STATEMENTS)


def test_statements_are_printed_as_sqlglot_prints_them() -> None:
    generator = PlainPostgresGenerator(dialect=PLAIN_POSTGRES, normalize_functions=False, comments=False)
    for text in (*STATEMENTS, *OTHERS):
        with suppress(SqlglotError):  # some are refused
            for tree in PLAIN_POSTGRES.parser().parse(dialect.tokenize(text), text):
                for select in find_all(tree or exp.Select(), exp.Select):
                    assert generator.select_sql(select) == PostgresGenerator.select_sql(generator, select)
                for table in find_all(tree or exp.Select(), exp.Table):
                    assert generator.table_sql(table) == PostgresGenerator.table_sql(generator, table)
                for column in find_all(tree or exp.Select(), exp.Column):
                    assert generator.column_sql(column) == PostgresGenerator.column_sql(generator, column)
                for call in find_all(tree or exp.Select(), exp.Anonymous):
                    assert generator.anonymous_sql(call) == PostgresGenerator.anonymous_sql(generator, call)
                for name in find_all(tree or exp.Select(), exp.Identifier):
                    for _ in range(2):  # the second time it is known
                        assert generator.identifier_sql(name) == PostgresGenerator.identifier_sql(generator, name)
