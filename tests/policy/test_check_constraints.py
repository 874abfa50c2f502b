"""What CHECK constraints say of a column, in the text that PostgreSQL prints of them."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal
from typing import Any

import pytest

from proxy.policy.catalog import Column, Table
from proxy.policy.check_constraints import Allowed, allowed_by_checks, allowed_values, with_listed_values

D = Decimal


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("((cost >= (0)::numeric) AND (cost < (5000)::numeric))", {"cost": Allowed(D(0), D(5000), below_high=True)}),
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
        ("(n = ANY (ARRAY['-1'::integer, 0, (2)::bigint]))", {"n": Allowed(values=("-1", "0", "2"))}),
        ("(n = ANY ('{1,-2}'::integer[]))", {"n": Allowed(values=("1", "-2"))}),
        ("(k = ANY ('{a,\"b c\"}'::text[]))", {"k": Allowed(values=("a", "b c"))}),
        ("(k = ANY ('{{a},{b}}'::text[]))", {}),
        ("(k = ANY ('{a,NULL}'::text[]))", {}),
        ("((n IS NULL) OR ((n > 0) AND (n < 6)))", {"n": Allowed(D(0), D(6), above_low=True, below_high=True)}),
        ("((k = ANY (ARRAY['a'::text])) OR (k IS NULL))", {"k": Allowed(values=("a",))}),
        ("((n IS NULL) OR (m >= 1))", {}),
        ("((n IS NOT NULL) OR (n >= 1))", {}),
        ("(d < '2024-01-01 02:00:00+02'::timestamp with time zone)",
         {"d": Allowed(high=dt.date(2024, 1, 1), below_high=True)}),
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


def column(type_name: str, **more: Any) -> Column:
    return Column("c", type_name, 0, **more)


@pytest.mark.parametrize(
    ("expression", "of_type", "expected"),
    [
        ("((c > 0) AND (c < 6))", column("integer"), Allowed(D(1), D(5))),
        ("((c > 0.5) AND (c <= 5.5))", column("smallint"), Allowed(D(1), D(5))),
        ("((c > 0) AND (c < 6))", column("numeric"), Allowed(D(0), D(6))),
        ("(c < '2030-01-01'::date)", column("date"), Allowed(high=dt.date(2029, 12, 31))),
        ("(c > '2030-01-01'::date)", column("date"), Allowed(low=dt.date(2030, 1, 2))),
        ("(c > '2030-01-01'::date)", column("timestamp without time zone"), Allowed(low=dt.date(2030, 1, 1))),
        ("(c < '2030-01-01 12:00:00'::timestamp without time zone)", column("timestamp without time zone"),
         Allowed(high=dt.date(2030, 1, 1))),
        ("((c = ANY (ARRAY[20, 10])) AND (c > 5))", column("integer"), Allowed(D(10), D(20), ("20", "10"))),
        ("(c = ANY (ARRAY['a'::citext]))", column("text", cast_to_text=True, own_equality="citext"), None),
        ("(c = 'a'::text)", column("text", collation=12345), None),
    ],
)  # fmt: skip
def test_limits_are_values_of_the_column_s_type(expression: str, of_type: Column, expected: Allowed | None) -> None:
    table = Table("public.t", {"c": of_type}, checks=(expression,))
    assert allowed_by_checks(table) == ({} if expected is None else {"c": expected})
    labels = with_listed_values(table).columns["c"].labels
    assert labels == (expected.values if expected is not None else ())


@pytest.mark.parametrize(
    ("expression", "of_type"),
    [
        ("((c)::character(1) = ANY (ARRAY['a'::bpchar, 'b'::bpchar]))", column("text")),
        ("((c)::bpchar = 'a'::bpchar)", column("text")),
        ("((c)::name = 'a'::name)", column("text")),
        ('((c)::"char" = \'a\'::"char")', column("text")),
        ("((c)::numeric = (1)::numeric)", column("text")),
        ("(((c)::integer >= 1) AND ((c)::integer <= 5))", column("numeric")),
        ("(((c)::numeric >= 0.1) AND ((c)::numeric <= 0.5))", column("double precision")),
        ("((c)::double precision = ANY (ARRAY[(1)::double precision]))", column("bigint")),
        ("((c)::numeric(3,1) <= 1.5)", column("numeric")),
        ("((c)::date <= '2024-12-31'::date)", column("timestamp without time zone")),
        ("((c)::timestamp without time zone < '2025-01-01 00:00:00'::timestamp without time zone)",
         column("timestamp with time zone")),
        ("(c = ('abc'::bpchar)::character(1))", column("bpchar")),
        ("(c = (1.6)::integer)", column("integer")),
        ("(c >= (16777217)::real)", column("real")),
        ("((c)::double precision >= (16777217)::real)", column("integer")),
        ("(c >= ('9007199254740993'::bigint)::double precision)", column("double precision")),
        ("(c = ANY ((ARRAY[1.6, 2.0])::integer[]))", column("integer")),
        ("(c = ANY ((ARRAY['ab'::text])::character(1)[]))", column("bpchar")),
        ("(c > ('2024-05-05 12:00:00'::timestamp without time zone)::date)", column("date")),
    ],
)  # fmt: skip
def test_what_rounds_or_cuts_a_value_says_nothing_of_the_column(expression: str, of_type: Column) -> None:
    """A CHECK of k::char(1) allows every text that begins so, and one of q::integer allows 5.4 where it says 5."""
    table = Table("public.t", {"c": of_type}, checks=(expression,))
    assert allowed_by_checks(table) == {}
    assert with_listed_values(table).columns["c"].labels == ()
    domain = Table("public.t", {"c": of_type}, domain_checks={"c": (expression.replace("(c)", "(VALUE)"),)})
    assert allowed_by_checks(domain).get("c", Allowed()) == Allowed()


@pytest.mark.parametrize(
    ("expression", "of_type", "expected"),
    [
        ("((c)::text = ANY ((ARRAY['a'::character varying])::text[]))", column("character varying"), Allowed(values=("a",))),
        ("((c)::numeric >= 0.5)", column("integer"), Allowed(low=D(1))),
        ("((c)::double precision >= (2)::double precision)", column("smallint"), Allowed(low=D(2))),
        ("((c)::double precision <= 1.5)", column("real"), Allowed(high=D("1.5"))),
        ("(c >= (0.1)::double precision)", column("real"), Allowed(low=D("0.1"))),
        ("(c <= (16777000)::real)", column("real"), Allowed(high=D(16777000))),
        ("((c)::bpchar = 'a'::bpchar)", column("character"), Allowed(values=("a",))),
        ("((c)::timestamp without time zone < '2030-01-01 00:00:00'::timestamp without time zone)", column("date"),
         Allowed(high=dt.date(2029, 12, 31))),
    ],
)  # fmt: skip
def test_casts_that_keep_values_apart_change_nothing(expression: str, of_type: Column, expected: Allowed) -> None:
    assert allowed_by_checks(Table("public.t", {"c": of_type}, checks=(expression,))) == {"c": expected}


def test_the_columns_of_domains_obey_their_own_checks_too() -> None:
    table = Table("public.t", {"c": column("integer")}, checks=("(c < 4)",), domain_checks={"c": ("(VALUE >= 1)",)})
    assert allowed_by_checks(table) == {"c": Allowed(D(1), D(3))}


def test_a_domain_speaks_of_value() -> None:
    assert allowed_values(["((VALUE >= 1) AND (VALUE <= 5))"], "stars") == {"stars": Allowed(D(1), D(5))}
