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
]


class LongParser(PlainPostgresParser):
    """Goes sqlglot's own ways."""

    _parse_statement = PostgresParser._parse_statement


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


def test_selects_and_tables_are_printed_as_sqlglot_prints_them() -> None:
    generator = PlainPostgresGenerator(dialect=PLAIN_POSTGRES, normalize_functions=False, comments=False)
    for text in (*STATEMENTS, *OTHERS):
        with suppress(SqlglotError):  # some are refused
            for tree in PLAIN_POSTGRES.parser().parse(dialect.tokenize(text), text):
                for select in find_all(tree or exp.Select(), exp.Select):
                    assert generator.select_sql(select) == PostgresGenerator.select_sql(generator, select)
                for table in find_all(tree or exp.Select(), exp.Table):
                    assert generator.table_sql(table) == PostgresGenerator.table_sql(generator, table)
