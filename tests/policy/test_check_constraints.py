"""What CHECK constraints say of a column, in the text that PostgreSQL prints of them."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal

import pytest

from proxy.sql.check_constraints import Allowed, allowed_values

D = Decimal


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("((cost >= (0)::numeric) AND (cost < (5000)::numeric))", {"cost": Allowed(D(0), D(5000))}),
        ("(0 <= n)", {"n": Allowed(low=D(0))}),
        ("((n >= '-5'::integer) AND (n <= (- 1)))", {"n": Allowed(D(-5), D(-1))}),
        ("(sex = ANY (ARRAY['f'::text, 'm'::text]))", {"sex": Allowed(values=("f", "m"))}),
        ("((s)::text = ANY ((ARRAY['a'::character varying, 'it''s'::character varying])::text[]))",
         {"s": Allowed(values=("a", "it's"))}),
        ("((k = 'a'::text) OR (k = 'b'::text))", {"k": Allowed(values=("a", "b"))}),
        ("((d >= '2020-01-01'::date) AND (d <= '2030-12-31'::date))",
         {"d": Allowed(dt.date(2020, 1, 1), dt.date(2030, 12, 31))}),
        ("((a >= 1) OR (b >= 2))", {}),
        ("(a > b)", {}),
        ("(NOT (a >= 1))", {}),
        ("(length(s) < 5)", {}),
        ("((k = 'a'::text) OR (other = 'b'::text))", {}),
        ("(k = ANY (ARRAY['a'::text, lower('B'::text)]))", {}),
        ("(" * 3000, {}),
        ("not SQL at all (", {}),
    ],
)  # fmt: skip
def test_what_is_said(expression: str, expected: dict[str, Allowed]) -> None:
    assert allowed_values([expression]) == expected


def test_several_constraints_hold_together() -> None:
    found = allowed_values(
        ["(n >= 0)", "(n >= 3)", "(n <= 9)", "(k = ANY (ARRAY['a'::text, 'b'::text]))", "(k = 'b'::text)"]
    )
    assert found == {"n": Allowed(D(3), D(9)), "k": Allowed(values=("b",))}


def test_a_domain_speaks_of_value() -> None:
    assert allowed_values(["((VALUE >= 1) AND (VALUE <= 5))"], "stars") == {"stars": Allowed(D(1), D(5))}
