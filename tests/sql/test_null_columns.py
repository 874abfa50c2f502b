"""What expressions are where columns are NULL: what is known of them, and that Postgres computes nothing else."""

from __future__ import annotations

from decimal import Decimal

import psycopg
import pytest
from sqlglot import exp

from proxy.sql.dialect import parse
from proxy.sql.trees.null_columns import Sort, Value, values_without
from tests.expressions.table import source

__all__ = ["source"]

N, T, F, O = Sort.NULL, Sort.TRUE, Sort.FALSE, Sort.OTHER  # noqa: E741
ZERO = 0

KNOWN: dict[str, set[Value]] = {
    "x": {N},
    "y": {N, O},
    "x + y": {N},
    "-x": {N},
    "(x)": {N},
    "x::numeric": {N},
    "x > y": {N},
    "y > 1": {N, T, F},
    "x = ANY (ARRAY[1, y])": {N, T, F},
    "x > ALL (ARRAY[]::int[])": {N, T, F},
    "NOT x > 1": {N},
    "x IS NULL": {T},
    "x IS NOT NULL": {F},
    "NOT x IS NULL": {F},
    "y IS NULL": {T, F},
    "y IS NOT NULL": {T, F},
    "(x > 1) IS TRUE": {F},
    "(x > 1) IS NOT TRUE": {T},
    "(x > 1) IS UNKNOWN": {T},
    "(y > 1) IS TRUE": {T, F},
    "x > 1 AND y > 1": {N, F},
    "x > 1 OR y > 1": {N, T},
    "x IS NULL OR y > 1": {T},
    "x IS NOT NULL AND y > 1": {F},
    "x BETWEEN y AND 9": {N},
    "y BETWEEN x AND 9": {N, F},
    "y NOT BETWEEN x AND 9": {N, T},
    "y BETWEEN SYMMETRIC 9 AND x": {N, F},
    "x IN (1, 2)": {N},
    "x NOT IN (1, 2)": {N},
    "x IN (SELECT 1 WHERE false)": {N, F},
    "x NOT IN (SELECT 1 WHERE false)": {N, T},
    "y IN (1, x)": {N, T, F},
    "CASE WHEN x > 1 THEN y END": {N},
    "CASE WHEN x > 1 THEN y ELSE 0 END": {ZERO},
    "CASE WHEN x > 1 THEN 1 WHEN y > 1 THEN x ELSE 0 END": {N, ZERO},
    "CASE WHEN x IS NULL THEN 0 ELSE y END": {ZERO},
    "CASE WHEN y > 1 THEN x END": {N},
    "CASE WHEN y > 1 THEN 1 ELSE 0 END": {1, ZERO},
    "CASE x WHEN 1 THEN y ELSE 0 END": {ZERO},
    "CASE y WHEN x THEN 1 END": {N},
    "CASE 1 WHEN 1 THEN 0 ELSE y END": {ZERO},
    "CASE y WHEN 1 THEN 5 ELSE x END": {N, 5},
    "CASE WHEN NOT x > 1 THEN 1 END": {N},
    "coalesce(x, 0)": {ZERO},
    "coalesce(x, 0.00)": {ZERO},
    "coalesce(x, 12.50)": {O},
    "coalesce(x, y)": {N, O},
    "coalesce(y, 0)": {O, ZERO},
    "coalesce(x > 1, false)": {F},
    "coalesce(x, 0) > 17": {F},
    "coalesce(x, 20) >= 17": {T},
    "coalesce(x, 0) = y": {N, T, F},
    "nullif(x, 0)": {N},
    "nullif(coalesce(x, 0), y)": {N, ZERO},
    "greatest(x, 0)": {ZERO},
    "least(greatest(x, 0), 100)": {ZERO},
    "greatest(x, y)": {N, O},
    "least(x, NULL)": {N},
    "greatest(x, 3, 4)": {4},
    "greatest(y, 3)": {O, 3},
    "coalesce(x, 0) * 12": {ZERO},
    "coalesce(x, 0) * y": {N, O},
    "9999 * 9999": {N, O},
    "-9 * 9": {-81},
    "CASE WHEN coalesce(x::real, 0.1) = 0.1 THEN 0 ELSE 1 END": {ZERO, 1},
    "coalesce(x::real, 1) * 100 = 100.0": {T},
    "coalesce(x, 0)::float8 * 2": {ZERO},
    "coalesce(x, 7)::int": {N, O},
    "(x IS NOT NULL)::int": {ZERO},
    "(x IS NULL)::int": {N, O},
    "(x > 1)::int": {N},
    "(x IS NULL)::boolean": {T},
    "0::float8 * 'Infinity'": {N, O},
    "lower(x::text)": {N},
    "concat(x, 'a')": {N, O},
    "'0'": {O},
    "ROW(x, x) IS NULL": {T, F},
}


def _read(text: str) -> exp.Expr:
    query = parse(f"SELECT {text}")
    assert query is not None
    node: exp.Expr = query.expressions[0]
    return node


@pytest.mark.parametrize(("text", "known"), KNOWN.items(), ids=KNOWN.keys())
def test_an_expression_of_null_is_one_of_these_values(text: str, known: set[Value]) -> None:
    assert values_without(_read(text), lambda column: column.name == "x") == known


@pytest.mark.parametrize(("text", "known"), KNOWN.items(), ids=KNOWN.keys())
def test_postgres_computes_no_other_value(text: str, known: set[Value], source: psycopg.Connection) -> None:
    rows = "(VALUES (NULL::int, NULL::int), (NULL, -1), (NULL, 0), (NULL, 1), (NULL, 2), (NULL, 9)) AS t (x, y)"
    for (found,) in source.execute(f"SELECT ({text}) FROM {rows}".encode()).fetchall():
        value = _value(found)
        assert value in known or (O in known and value is not N), found


def _value(found: object) -> Value:
    if found is None or isinstance(found, bool):
        return {None: N, True: T, False: F}[found]
    return int(found) if isinstance(found, (int, float, Decimal)) and found == found // 1 else O
