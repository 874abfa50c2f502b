"""What a table's columns identify, and which can be missing: the proofs behind ties and outer joins (decision 3)."""

from __future__ import annotations

from proxy.policy.catalog import Catalog, Column, ForeignKey, Table
from proxy.policy.model import Policy
from proxy.sql.schema import Schema

_INTEGER, _JSON = ("integer", 23), ("jsonb", 3802)


def _table(name: str, refers_to: str | None) -> Table:
    columns = {
        "id": Column("id", *_INTEGER, nullable=False),
        "belongs": Column("belongs", *_INTEGER, nullable=False),
        "document": Column("document", *_JSON, nullable=False),
        "remark": Column("remark", *_INTEGER, nullable=True),
    }
    keys = (ForeignKey(("belongs",), f"public.{refers_to}", ("id",)),) if refers_to is not None else ()
    return Table(f"public.{name}", columns, ("id",), frozenset([frozenset(["id"])]), foreign_keys=keys)


def _schema() -> Schema:
    """People, their orders and the orders' lines, each of which has `id` for a key."""
    catalog = Catalog(
        {
            "public.people": _table("people", None),
            "public.orders": _table("orders", "people"),
            "public.lines": _table("lines", "orders"),
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
