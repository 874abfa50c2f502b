"""Columns whose equal values are identical stand alone in a source query; others get their one form (theorem 21)."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from proxy.policy.catalog import Catalog, Column, Table
from proxy.policy.model import Policy
from proxy.sql.rows.members import Member
from proxy.sql.rows.ownership import own_unit
from proxy.sql.schema import Schema
from proxy.sql.terms.canonical_values import bare_value, canonical_value
from proxy.sql.terms.term import Term
from proxy.sql.terms.types import BPCHAR

TEXT, VARCHAR, NUMERIC = ("text", 25), ("character varying", 1043, 4 + 40), ("numeric", 1700)
WHOLE = 4 + (20 << 16)


def _schema(column: Column, distributed_by: str | None = None) -> Schema:
    """A table whose unit is the column."""
    key = frozenset({"owner"})
    table = Table("public.things", {"owner": replace(column, name="owner")}, unique_keys=frozenset([key]))
    table = replace(table, distributed_by=distributed_by)
    listed = {"unit": {"name": "person", "column": "owner"}, "budget": {"epsilon": "1"}, "columns": {"owner": {}}}
    policy = Policy.model_validate({"version": 1, "units": {"person": {}}, "tables": {"public.things": listed}})
    return Schema(policy, Catalog({"public.things": table}))


@pytest.mark.parametrize(
    ("column", "unit"),
    [
        (Column("", *TEXT), 't."owner"'),
        (Column("", *VARCHAR), 't."owner"'),
        (Column("", *NUMERIC, WHOLE, scale=0), 't."owner"'),
        (Column("", *TEXT, own_collation=True), '((t."owner")::text COLLATE pg_catalog."default")'),
        (Column("", "bpchar", 1042, 4 + 9), '((t."owner")::bpchar::text COLLATE pg_catalog."default")'),
        (Column("", "name", 19, own_collation=True), '((t."owner")::text COLLATE pg_catalog."default")'),
        (Column("", *NUMERIC, WHOLE + 2, scale=2), 'trim_scale(t."owner")'),
    ],
    ids=["text", "varchar", "whole numeric", "text under another collation", "char", "name", "numeric with decimals"],
)
def test_a_unit_is_spelled_by_its_column_alone_where_equal_values_are_identical(column: Column, unit: str) -> None:
    schema = _schema(column)
    assert own_unit(Member("t", "t", schema.table("public.things")), schema).unit_sql == unit


def _term(column: Column) -> Term:
    return _schema(column).table("public.things").term("owner", "t")


def test_a_whole_number_among_decimals_gets_their_form() -> None:
    whole = _term(Column("", *NUMERIC, WHOLE, scale=0))
    assert canonical_value(whole) == bare_value(whole) == whole
    form = canonical_value(replace(whole, grid=Fraction(1, 100)))
    assert form is not None
    assert form.sql == 'round(t."owner", 2)'


def test_a_text_among_padded_texts_gets_their_form() -> None:
    text = _term(Column("", *VARCHAR))
    assert canonical_value(text) == bare_value(text) == text
    form = canonical_value(replace(text, type=BPCHAR))
    assert form is not None
    assert form.sql == '((t."owner")::bpchar::text)::bpchar'


@pytest.mark.parametrize(
    ("column", "home"),
    [
        (Column("", *TEXT), None),
        (Column("", *NUMERIC), 't."owner"'),
        (Column("", *NUMERIC, WHOLE + 2, scale=2), 't."owner"'),
        (Column("", *TEXT, own_collation=True), 't."owner"'),
        (Column("", "bpchar", 1042, 4 + 9), 't."owner"'),
        (Column("", *TEXT, collation=12345, own_collation=True), None),
        (Column("", *TEXT, cast_to_text=True, own_equality="citext"), None),
        (Column("", "integer", 23), None),
    ],
    ids=["alone", "numeric", "decimals", "collation", "char", "loose collation", "citext", "integer"],
)
def test_the_column_that_spreads_rows_stands_beside_a_spelling_that_parts_no_equal_values(
    column: Column, home: str | None
) -> None:
    for distributed_by, expected in ((None, None), ("other", None), ("owner", home)):
        schema = _schema(column, distributed_by)
        assert own_unit(Member("t", "t", schema.table("public.things")), schema).unit_home == expected
