"""What a table's columns identify, and which can be missing: the proofs behind ties and outer joins (decision 3)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from proxy.policy.catalog import Catalog, Column, ForeignKey, Table
from proxy.policy.model import Policy
from proxy.sql.rows.members import Member
from proxy.sql.rows.ownership import own_unit
from proxy.sql.schema import Schema

_INTEGER, _TEXT, _JSON = ("integer", 23), ("text", 25), ("jsonb", 3802)
_KEY = Column("", *_INTEGER, nullable=False)


def _table(name: str, refers_to: str | None, key: Column) -> Table:
    columns = {
        "id": replace(key, name="id"),
        "belongs": replace(key, name="belongs"),
        "document": Column("document", *_JSON, nullable=False),
        "remark": Column("remark", *_INTEGER, nullable=True),
    }
    keys = (ForeignKey(("belongs",), f"public.{refers_to}", ("id",)),) if refers_to is not None else ()
    return Table(f"public.{name}", columns, ("id",), frozenset([frozenset(["id"])]), foreign_keys=keys)


def _schema(key: Column = _KEY) -> Schema:
    """People, their orders and the orders' lines, each of which has `id` for a key, of the type of `key`."""
    catalog = Catalog(
        {
            "public.people": _table("people", None, key),
            "public.orders": _table("orders", "people", key),
            "public.lines": _table("lines", "orders", key),
        }
    )
    budget = {"budget": {"epsilon": "10", "delta": "1e-6"}}
    policy = {
        "version": 1,
        "analysts": {},
        "units": {"person": {}},
        "tables": {
            "public.people": {"unit": {"name": "person", "column": "id"}, **budget},
            "public.orders": {"unit": {"name": "person", "via": "belongs -> public.people.id"}, **budget},
            "public.lines": {"unit": {"name": "person", "via": "belongs -> public.orders.id"}, **budget},
        },
    }
    return Schema(Policy.model_validate(policy), catalog)


def test_the_key_of_another_table_is_not_the_unit_although_it_has_the_name_of_the_units() -> None:
    schema = _schema()
    found = {name: schema.table(f"public.{name}").identity_column for name in ("people", "orders", "lines")}
    assert found == {"people": "id", "orders": "belongs", "lines": None}


def test_a_column_identifies_what_it_refers_to_and_no_other_does() -> None:
    lines = _schema().table("public.lines")
    identified = {
        column: {(identity.table, identity.column) for identity in lines.identities(column)}
        for column in ("id", "belongs", "document", "remark")
    }
    assert identified == {
        "id": {("public.lines", "id")},
        "belongs": {("public.orders", "id")},
        "document": set(),
        "remark": set(),
    }


def test_a_value_that_can_be_too_large_can_be_missing_although_its_column_is_not_null() -> None:
    lines = _schema().table("public.lines")
    assert [lines.nullable(column) for column in ("id", "document", "remark")] == [False, True, True]


@pytest.mark.parametrize(
    ("key", "condition"),
    [
        (_KEY, 't0u0."id" = t0."belongs"'),
        (Column("", *_TEXT), 't0u0."id" = t0."belongs"'),
        (
            Column("", *_TEXT, own_collation=True),
            '(t0u0."id" COLLATE pg_catalog."default") = (t0."belongs" COLLATE pg_catalog."default")',
        ),
        (Column("", *_TEXT, cast_to_text=True), 't0u0."id" = t0."belongs"'),
        (Column("", *_TEXT, collation=12345), 't0u0."id" = t0."belongs"'),
    ],
    ids=[
        "numbers",
        "texts",
        "texts under another collation",
        "texts of an extension's type",
        "texts under a collation that equates some",
    ],
)
def test_a_hop_to_the_unit_joins_the_rows_that_the_foreign_key_joins(key: Column, condition: str) -> None:
    """Spelled as texts, 'Bob' would not be found among the keys of citext or of such a collation that has 'bob'."""
    schema = _schema(key)
    ((_, found),) = own_unit(Member("t0", "t0", schema.table("public.lines")), schema).hops
    assert found == condition
