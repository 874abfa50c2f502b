"""Listing declared keys by parts finds the same combinations as DISTINCT over the product of all sources does."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import psycopg
import pytest
from sqlglot import exp, parse_one

from proxy.sql.planning.atoms import Atoms
from proxy.sql.planning.independent_parts import all_combinations
from proxy.sql.terms.expressions import compile_term
from proxy.sql.terms.term import Term
from proxy.sql.terms.types import DATE, INTEGER, TEXT, SqlType
from tests.conftest import PostgresCluster

_DAYS = {
    "run": "SELECT '2024-01-01'::date + s AS c0 FROM generate_series(0, 40) AS s",
    "run or NULL": "SELECT '2024-02-01'::date + s AS c0 FROM generate_series(0, 20) AS s UNION ALL SELECT NULL",
    "gaps": "SELECT '2024-01-01'::date + s * 25 AS c0 FROM generate_series(0, 4) AS s UNION ALL SELECT NULL",
    "only NULL": "SELECT NULL::date AS c0",
    "none": "SELECT '2024-01-01'::date AS c0 WHERE false",
    "beyond": "SELECT unnest(ARRAY['infinity', '2024-01-01', '0044-03-15 BC']::date[]) AS c0",
}
_NUMBERS = {
    "run": "SELECT s::integer AS c0 FROM generate_series(-5, 30) AS s",
    "gaps": "SELECT (s * s)::integer AS c0 FROM generate_series(0, 6) AS s UNION ALL SELECT NULL",
}
_PAIRS = [
    *((DATE, left, right) for left, right in product(_DAYS.values(), repeat=2)),
    *((INTEGER, left, right) for left, right in product(_NUMBERS.values(), repeat=2)),
]
_LETTERS = "SELECT v.c0 FROM (VALUES ('a'), ('b'), (NULL)) AS v(c0)"


def _tree(text: str) -> exp.Expr:
    return parse_one(text, dialect="postgres")


def _atoms(type_: SqlType, left: str, right: str) -> Atoms:
    atoms = Atoms()
    for name, sql, its in (("left", left, type_), ("right", right, type_), ("letters", _LETTERS, TEXT)):
        atoms.add(name, sql, Term(name, its, magnitude=Fraction(9000), size=9), name)
    return atoms


@pytest.mark.parametrize(("type_", "left", "right"), _PAIRS)
def test_listed_by_parts_they_are_those_of_the_whole_product(
    postgres_cluster: PostgresCluster, type_: SqlType, left: str, right: str
) -> None:
    difference = "(d0.c0 - d1.c0)"
    conditions_of = [
        [],
        [f"{difference} BETWEEN 3 AND 12"],
        ["d0.c0 = d0.c0 AND d2.c0 = 'a'", "d1.c0 IS NOT NULL"],
        [f"d2.c0 = 'a' OR {difference} > 5"],
        ["d0.c0 > d1.c0"],
    ]
    keys_of = [[difference], [f"{difference} / 7", "d2.c0"], ["d2.c0", "d0.c0"], ["d2.c0"], [difference, "d1.c0"]]
    with psycopg.connect(postgres_cluster.dsn("postgres")) as connection:
        for keys, conditions in product(keys_of, conditions_of):
            atoms, trees = _atoms(type_, left, right), [_tree(key) for key in keys]
            filters = [_tree(condition) for condition in conditions]
            found = all_combinations(trees, filters, [], atoms, "k")
            selected = ", ".join(compile_term(tree, atoms).sql for tree in trees)
            where = " AND ".join(["true", *(compile_term(tree, atoms).sql for tree in filters)])
            sources = ", ".join(f"({source.sql}) AS d{place}" for place, source in enumerate(atoms.sources))
            whole = f"SELECT DISTINCT {selected} FROM {sources} WHERE {where}"
            rows = _rows(connection, found.sql)
            assert len(rows) == len(set(rows))
            assert set(rows) == set(_rows(connection, whole)), found.sql
            if found.some is not None:
                assert set(_rows(connection, found.some)) <= set(rows)


def _rows(connection: psycopg.Connection, query: str) -> list[tuple[str]]:
    return connection.execute(f"SELECT r::text FROM ({query}) AS r".encode()).fetchall()
