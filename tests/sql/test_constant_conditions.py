"""Only what literals alone decide is known to be never true, and Postgres agrees (tests/end_to_end/test_zero_rows.py)."""

from __future__ import annotations

import pytest
from sqlglot import exp

from proxy.sql.statement import parse_statement
from proxy.sql.trees.constant_conditions import is_never_true

NEVER = [
    "false",
    "NULL",
    "1 = 0",
    "(0 = 1)",
    "1 <> 1",
    "1 > 2 AND cost > 5",
    "cost > 5 AND (1 = 0 OR NULL)",
    "NOT true",
    "NOT (1 = 1 OR false)",
    "NULL = 1",
    "NOT NULL",
    "1 IS NULL",
    "NULL IS NOT NULL",
    "'a' = 'b'",
    "-1 >= 0.5",
    "true AND NULL",
    "'f'::boolean",
    "'0'::bigint = '1'::bigint",
    "1 = 1 AND (2 < 1)",
    "(NULL OR false)",
    "0 + 1 > 1 * 2",
    "3 - NULL = 3",
    "cost = NULL",
    "NULL <> cost",
    "minutes > NULL::integer AND urgent",
    "region IN (NULL)",
]
PERHAPS = [
    "true",
    "1 = 1",
    "1 = 0 OR cost > 5",
    "NOT (1 = 0)",
    "NULL IS NULL",
    "1 IS NOT NULL",
    "NOT (NULL IS NOT NULL)",
    "NOT (NULL AND false)",
    "cost <> cost",
    "cost IS NULL",
    "'a' < 'B'",
    "'a' > 'B'",
    "'1' = 0",
    "1.0 = 1",
    "now() IS NULL",
    "length('a') = 2",
    "E'a' = 'b'",
    "1 IN (2, 3)",
    "NOT cost > 5",
    "'01'::integer = 1",
    "'x'::boolean",
    "-12345678901234567890123456789012345 <> -12345678901234567890123456789012346",
    "2147483647 + 1 < 0",
    "1.5 + 1 < 2",
    "(0 + 1) >= 1",
    "32768::smallint < 0",
    "9999::smallint * 9999::smallint < 0",
    "3000000000::integer = 1",
    "cost IS NOT DISTINCT FROM NULL",
    "NOT cost = NULL",
    "coalesce(cost, 1) = NULL",
    "region IN (NULL, 'north')",
    "cost = NULL OR urgent",
    "cost = 1",
]


def _condition(text: str) -> exp.Expr:
    statement = parse_statement(f"SELECT count(*) FROM visits WHERE {text}")
    assert statement is not None
    condition = statement.query.args["where"].this
    assert isinstance(condition, exp.Expr)
    return condition


@pytest.mark.parametrize("text", NEVER)
def test_literals_exclude_every_row(text: str) -> None:
    assert is_never_true(_condition(text))


@pytest.mark.parametrize("text", PERHAPS)
def test_anything_else_may_be_true(text: str) -> None:
    assert not is_never_true(_condition(text))
