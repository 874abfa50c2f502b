"""Bounds beside what CHECK constraints say of a column: narrower ones change values, wider ones cost noise."""

from __future__ import annotations

import dataclasses

import pytest

from proxy.policy.findings import Finding
from proxy.starter.limits import check_limits
from tests.policy.policies import MARK, edited, examine, marked_place
from tests.policy.test_lint import CATALOG, VISITS

pytestmark = pytest.mark.unit

COST = "cost: {bounds: [0, 5000], step: 0.01}"
VISITED = "visited_at: {bounds: [2024-01-01, 2026-01-01]}"


def findings_of(text: str, *checks: str, of_domain: str | None = None) -> list[Finding]:
    """With these CHECKs of the table, and that of the domain of its column cost."""
    domains = {"cost": (of_domain,)} if of_domain is not None else {}
    visits = dataclasses.replace(VISITS, checks=checks, domain_checks=domains)
    examination = examine(text)
    assert examination.policy is not None
    catalog = dataclasses.replace(CATALOG, tables={**CATALOG.tables, "public.visits": visits})
    return check_limits(examination.policy, catalog, examination.source_map)


@pytest.mark.parametrize(
    ("bounds", "rule"),
    [
        ("[0, 100]", "DP527"),
        ("[10, 1000]", "DP527"),
        ("[-500, 500]", "DP527"),  # narrower at one end is what changes answers
        ("[2000, 3000]", "DP527"),
        ("[0, 5000]", "DP528"),
        ("[-1000, 1000]", "DP528"),
        ("[0, 1000]", None),
        ("[0, 999.99]", None),
    ],
)
def test_bounds_are_compared_with_the_limits_of_a_check(bounds: str, rule: str | None) -> None:
    text, line, column = marked_place(edited(COST, f"cost: {{bounds: {MARK}{bounds}}}"))
    found = findings_of(text, "((cost >= (0)::numeric) AND (cost <= (1000)::numeric))")
    assert [(finding.rule, finding.line, finding.column) for finding in found] == (
        [(rule, line, column)] if rule else []
    )


@pytest.mark.parametrize(
    ("check", "rules"),
    [("(cost >= 0)", []), ("(cost >= 100)", ["DP528"]), ("(cost <= 100000)", ["DP527"]), ("(cost <> 7)", [])],
)
def test_a_check_may_limit_one_end(check: str, rules: list[str]) -> None:
    assert [finding.rule for finding in findings_of(edited(COST, COST), check)] == rules


def test_a_domain_limits_its_columns() -> None:
    (found,) = findings_of(edited(COST, COST), of_domain="((VALUE >= 0) AND (VALUE <= 100))")
    assert found.rule == "DP528"
    assert found.message == "CHECK says at least 0 and at most 100: noise is made for values that no row can have"


def test_dates_are_compared_by_their_days() -> None:
    within = "((visited_at >= '2020-01-01'::date) AND (visited_at <= '2030-01-01'::date))"
    (found,) = findings_of(edited(VISITED, VISITED), within)
    assert found.rule == "DP527"
    assert found.message.startswith("CHECK says at least 2020-01-01 and at most 2030-01-01: values that it allows")


def test_a_range_loses_the_rows_that_it_does_not_list() -> None:
    ranged = edited(COST, "cost: {bounds: [0, 1000]}\n      minutes: {range: [0, 10]}")
    (found,) = findings_of(ranged, "((minutes >= 0) AND (minutes <= 600))")
    assert "are in no group of answers" in found.message
