"""People and their events, with a column of every type that has rules of its own: planned without any server."""

from __future__ import annotations

from typing import Any

import pytest

from proxy.errors import DpproxyError
from proxy.policy.catalog import Catalog, Column, ForeignKey, Table
from proxy.policy.model import Policy
from proxy.sql.planning.plan import BlockPlan
from proxy.sql.schema import Schema
from tests.planned import plan_of

DENIED, UNSUPPORTED = "42501", "0A000"

EVENTS = {
    "event_id": ("bigint", 20),
    "person_id": ("integer", 23),
    "amount": ("numeric", 1700),
    "score": ("double precision", 701),
    "many": ("integer", 23),
    "note": ("text", 25),
    "code": ("text", 25),
    "at": ("timestamp without time zone", 1114),
    "seen": ("timestamp with time zone", 1184),
    "day": ("date", 1082),
    "took": ("interval", 1186),
    "urgent": ("boolean", 16),
    "document": ("jsonb", 3802),
    "plain": ("json", 114),
    "tags": ("text[]", 1009),
    "numbers": ("integer[]", 1007),
    "address": ("inet", 869),
    "place": ("point", 600),
}
DETAILS = {"detail_id": ("integer", 23), "event_id": ("bigint", 20), "kind": ("text", 25)}
PEOPLE = {"person_id": ("integer", 23), "age": ("integer", 23), "name": ("text", 25)}
TOWNS = {"name": ("text", 25), "size": ("integer", 23)}


def _table(name: str, columns: dict[str, tuple[str, int]], key: str, **more: Any) -> Table:
    found = {column: Column(column, *type_, nullable=column != key) for column, type_ in columns.items()}
    return Table(f"public.{name}", found, (key,), frozenset([frozenset([key])]), **more)


CATALOG = Catalog(
    {
        "public.people": _table("people", PEOPLE, "person_id"),
        "public.events": _table("events", EVENTS, "event_id"),
        "public.details": _table(
            "details",
            DETAILS,
            "detail_id",
            foreign_keys=(ForeignKey(("event_id",), "public.events", ("event_id",)),),
        ),
        "public.towns": _table("towns", TOWNS, "name", row_count=5),
    }
)

_BUDGET = {"budget": {"epsilon": "10", "delta": "1e-6"}}
_OF_PERSON = {"unit": {"name": "person", "column": "person_id"}} | _BUDGET
_BOUNDED = {name: {"bounds": [0, 100]} for name in ("amount", "score", "many")}

POLICY = Policy.model_validate(
    {
        "version": 1,
        "units": {"person": {}},
        "tables": {
            "public.people": _OF_PERSON | {"columns": {name: {} for name in PEOPLE} | {"age": {"bounds": [0, 120]}}},
            "public.events": _OF_PERSON
            | {"columns": {name: {} for name in EVENTS} | _BOUNDED | {"code": {"values": ["a", "b"]}}},
            "public.details": {"unit": {"name": "person", "via": "event_id -> public.events.event_id"}}
            | _BUDGET
            | {"columns": {name: {} for name in DETAILS}},
            "public.towns": {"public": True},
        },
    }
)

SCHEMA = Schema(POLICY, CATALOG)


def plan(text: str) -> BlockPlan:
    """The plan of the only block of a query whose constants need no stage."""
    return plan_of(text, SCHEMA)


def assert_refused(text: str, rule: str, sqlstate: str, message: str) -> None:
    """A query is refused by this rule, with a text that begins so."""
    with pytest.raises(DpproxyError) as refusal:
        plan(text)
    assert (refusal.value.rule, refusal.value.sqlstate) == (rule, sqlstate), str(refusal.value)
    assert str(refusal.value).startswith(message), str(refusal.value)
