"""attack 5: numbers just below and above the largest one of a type, which rounding may lift above it, fail for no row."""

from __future__ import annotations

from collections.abc import Iterator
from math import inf, nextafter

import numpy as np
import psycopg
import pytest
from sqlglot import exp

from proxy.policy.model import Policy
from proxy.postgres.catalog_reader import read_catalog
from proxy.sql import dialect
from proxy.sql.rows.compiler import RowCompiler
from proxy.sql.rows.relation import Relation
from proxy.sql.schema import Schema
from proxy.sql.terms.expressions import compile_term
from tests.conftest import PostgresCluster

COLUMNS = {"double": "double precision", "single": "real", "exact": "numeric", "words": "text", "whole": "bigint"}
TYPES = {
    f"numeric({precision},{scale})": (precision, scale) for precision in (1, 3, 5, 7, 15, 16) for scale in (0, 1, 2)
}
INTEGERS = {"smallint": 2**15, "integer": 2**31, "bigint": 2**63}
TABLE = "CREATE TABLE edges (unit integer, double float8, single real, exact numeric, words text, whole bigint)"


def edges() -> set[float]:
    """Numbers around the largest ones of all types and half a step below, some of which have other digits than bits."""
    around = [10.0 ** (precision - scale) for precision, scale in TYPES.values()] + [
        float(n) for n in INTEGERS.values()
    ]
    around += [
        limit - step for limit in around for step in (0.5, 0.05, 0.005, 0.0005, 0.00005, 50.0, 0.00506, 0.0506, 0.506)
    ]
    found: set[float] = set()
    for value in around:
        low, high, single = value, value, np.float32(value)
        for _ in range(4):
            low, high = nextafter(low, -inf), nextafter(high, inf)
            found |= {low, high}
        found |= {
            value,
            float(single),
            float(np.nextafter(single, np.float32(0))),
            float(np.nextafter(single, np.float32(inf))),
        }
    return found | {-value for value in found}


@pytest.fixture(scope="module")
def stored(postgres_cluster: PostgresCluster) -> Iterator[tuple[psycopg.Connection, Relation]]:
    dsn = postgres_cluster.create_database("edges")
    with psycopg.connect(dsn, autocommit=True) as connection:
        connection.execute(TABLE)
        with connection.cursor().copy("COPY edges FROM STDIN") as copy:
            for value in edges():
                whole = int(value) if abs(value) < 2**62 else None
                copy.write_row((1, value, value, value, str(int(value) if value.is_integer() else value), whole))
        connection.execute("SET search_path = pg_catalog")
        table = {
            "unit": {"name": "person", "column": "unit"},
            "budget": {"epsilon": 1},
            "columns": {name: {} for name in ("unit", *COLUMNS)},
        }
        policy = Policy.model_validate({"version": 1, "units": {"person": {}}, "tables": {"public.edges": table}})
        select = dialect.parse("SELECT 1 FROM edges")
        assert isinstance(select, exp.Select)
        schema = Schema(policy, read_catalog(dsn, ["public.edges"]))
        yield connection, RowCompiler(schema, ("public",), lambda _: 1).relation(select)


@pytest.mark.parametrize(
    "column", [*COLUMNS, "double::real", "words::real", "words::float8", "single::float8", "double::numeric"]
)
def test_a_cast_fails_for_no_number_at_a_limit(column: str, stored: tuple[psycopg.Connection, Relation]) -> None:
    connection, relation = stored
    for type_ in [*TYPES, *INTEGERS, "real", "double precision"]:
        select = dialect.parse(f"SELECT ({column})::{type_}")
        assert isinstance(select, exp.Select)
        term = compile_term(select.expressions[0], relation)
        row = connection.execute(f"SELECT count({term.sql}), count(*) FROM {relation.sql}".encode()).fetchone()
        assert row is not None
        assert 0 < row[0] <= row[1], type_
