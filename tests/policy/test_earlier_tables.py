"""Rows that were asked about under another table's name: found by the ledger's accounts and the catalog."""

from __future__ import annotations

import dataclasses

import pytest

from proxy.policy.earlier_tables import check_earlier_tables, earlier_tables
from proxy.policy.findings import SourceMap
from proxy.policy.model import Policy
from tests.policy.policies import VALID, examine
from tests.policy.test_traps import PART, WITH_PART, How, source

STATED = PART.replace("1e-6}", "1e-6, new_accounts: true}")


def policy(text: str = WITH_PART) -> Policy:
    found = examine(text).policy
    assert found is not None
    return found


def uncounted(dependencies: list[tuple[str, How, str]], views: list[str], text: str = WITH_PART) -> list[str]:
    """Places of what is refused where `public.half` was asked before."""
    read, catalog = policy(text), source(*dependencies, views=views)
    half = dataclasses.replace(catalog.tables["public.patients"], name="public.half")
    catalog = dataclasses.replace(catalog, tables=catalog.tables | {"public.half": half})
    earlier = earlier_tables(read, ["table:public.half", "table:public.visits", "unit:patient"])
    return [found.path for found in check_earlier_tables(read, catalog, earlier, SourceMap("policy"))]


SHARED: dict[str, tuple[list[tuple[str, How, str]], list[str]]] = {
    "a partition of it": ([("half", "inherits", "part")], []),
    "a partition of its partition": ([("half", "inherits", "other"), ("other", "inherits", "part")], []),
    "its parent": ([("part", "inherits", "half")], []),
    "one child of both": ([("part", "inherits", "child"), ("half", "inherits", "child")], []),
    "a view of it": ([("part", "query", "half")], ["part"]),
    "a view of a partition of it": ([("half", "inherits", "child"), ("part", "query", "child")], ["part"]),
    "a view of a view of it": ([("part", "query", "near"), ("near", "query", "half")], ["part"]),
}


@pytest.mark.parametrize(("dependencies", "views"), SHARED.values(), ids=SHARED.keys())
def test_rows_that_were_asked_about_by_another_name_are_refused(
    dependencies: list[tuple[str, How, str]], views: list[str]
) -> None:
    assert uncounted(dependencies, views) == ["tables.public.part.budget"]
    assert uncounted(dependencies, views, WITH_PART.replace(PART, STATED)) == []


def test_other_rows_are_not() -> None:
    siblings: list[tuple[str, How, str]] = [("parent", "inherits", "part"), ("parent", "inherits", "half")]
    assert uncounted(siblings, []) == uncounted([], []) == []
    assert uncounted([("part", "query", "regions"), ("regions", "query", "names")], ["part"]) == []


NAMES = {
    "table:public.half": {"public.half"},
    "table:public.half@2026-11-23T05:00Z": {"public.half"},
    "table:public.half per week@2026-11-23T00:00Z": {"public.half"},
    "table:public.half.at@2026-11@2026-11-23T05:00Z": {"public.half"},
    "table:public.half.at@2026-Q4 per day@2026-11-23T00:00Z": {"public.half"},
    "table:A b.half per day": {"A b.half", "A b.half per day"},
    "table:public.ha.lf": {"public.ha.lf"},
    "table:public.visits": set(),
    "table:public.visits.visited_at@2025-03": set(),
    "unit:public.half": set(),
}


@pytest.mark.parametrize(("account", "names"), NAMES.items(), ids=NAMES.keys())
def test_an_account_tells_the_table_under_every_name_that_it_had(account: str, names: set[str]) -> None:
    found = earlier_tables(policy(VALID), [account])
    assert names <= found.keys()
    assert all(accounts == [account] for accounts in found.values())


def test_a_table_that_is_only_a_view_now_had_its_own_account() -> None:
    """Its rows are those of what it reads, and have the budget of that now."""
    as_view = WITH_PART.replace(PART, "  public.part: {view: true}\n")
    read = policy(as_view)
    catalog = source(("part", "query", "visits"), views=["part"])
    found = check_earlier_tables(read, catalog, earlier_tables(read, ["table:public.part"]), SourceMap("policy"))
    assert [(finding.rule, finding.path) for finding in found] == [("DP640", "tables.public.visits.budget")]
