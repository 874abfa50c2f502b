"""A column of money can be compared with constants; what else is asked of it is refused with a hint that helps."""

from __future__ import annotations

from dataclasses import replace

import pytest

from proxy.errors import DpproxyError
from proxy.policy.catalog import Catalog, Column
from proxy.policy.model import Policy
from proxy.sql.schema import Schema
from tests.planned import plan_of
from tests.sql import events

HINT = "A money column must be stored as numeric on the source."


def _schema() -> Schema:
    """That of the events, each with a fee."""
    tables = dict(events.CATALOG.tables)
    found = tables["public.events"]
    tables["public.events"] = replace(found, columns={**found.columns, "fee": Column("fee", "money", 790)})
    policy = events.POLICY.model_dump(by_alias=True, exclude_unset=True)
    policy["tables"]["public.events"]["columns"]["fee"] = {}
    return Schema(Policy.model_validate(policy), Catalog(tables))


SCHEMA = _schema()


@pytest.mark.parametrize(
    "condition",
    ["fee > '10'", "fee IN ('5', '7.50')", "fee BETWEEN '1' AND '2'", "least(fee, '5') < '3'", "fee IS NULL"],
)
def test_money_is_compared_with_constants(condition: str) -> None:
    plan_of(f"SELECT count(*) FROM events WHERE {condition}", SCHEMA)


@pytest.mark.parametrize(
    "query",
    [
        "SELECT count(*) FROM events WHERE fee::text = '$1.00'",
        "SELECT count(*) FROM events WHERE fee::varchar(9) = '$1.00'",
        "SELECT count(*) FROM events WHERE fee::numeric > 1",
        "SELECT sum(fee::numeric) FROM events",
        "SELECT count(*) FROM events WHERE fee > 10",
        "SELECT sum(fee) FROM events",
        "SELECT avg(fee * 2) FROM events",
        "SELECT max(fee) FROM events",
        "SELECT count(DISTINCT fee) FROM events",
        "SELECT fee, count(*) FROM events GROUP BY fee",
    ],
)
def test_what_else_is_asked_of_money_is_refused_with_the_hint(query: str) -> None:
    with pytest.raises(DpproxyError) as refusal:
        plan_of(query, SCHEMA)
    assert refusal.value.hint == HINT


@pytest.mark.parametrize(
    ("condition", "instead"),
    [
        ("fee > 10::money", "Write the amount as a text, as in x > '10'."),
        ("fee > '10'::money", "Write the amount as a text, as in x > '10'."),
        ("fee > CAST(amount AS money)", "Cast to a number instead."),
    ],
)
def test_casts_to_money_are_refused_with_the_hint(condition: str, instead: str) -> None:
    with pytest.raises(DpproxyError) as refusal:
        plan_of(f"SELECT count(*) FROM events WHERE {condition}", SCHEMA)
    assert refusal.value.hint == f"{instead} {HINT}"


def test_other_types_have_hints_of_their_own() -> None:
    for query in ("SELECT sum(address) FROM events", "SELECT count(*) FROM events WHERE address > 10"):
        with pytest.raises(DpproxyError) as refusal:
            plan_of(query, SCHEMA)
        assert refusal.value.hint is not None
        assert "money" not in refusal.value.hint
