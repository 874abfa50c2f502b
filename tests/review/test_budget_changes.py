"""`dpproxy diff` of when budgets are there and whose they are: each change is judged in both directions."""

from __future__ import annotations

import pytest

from proxy.policy.load import examine_text
from proxy.policy.model import (
    Analyst,
    ColumnPolicy,
    ContributionPolicy,
    Group,
    Policy,
    QueryPrice,
    Steward,
    TableBudget,
    TablePolicy,
    Timing,
    Unit,
)
from proxy.review.budget_judges import BUDGET_FIELDS
from proxy.review.changes import placed
from proxy.review.judges import JUDGES
from tests.policy.policies import VERIFIER

BUDGET = "epsilon: 3, delta: 1e-6"
POLICY = f"""
version: 1
analysts:
  ana: {{password: "{VERIFIER}"}}
  bob: {{certificate: Bob}}
groups: GROUPS
units:
  patient: {{}}
tables:
  public.visits:
    unit: {{name: patient, column: patient_id}}
    budget: {{BUDGET}}
    columns:
      patient_id: {{}}
      visited_at: {{bounds: [2024-01-01, 2026-01-01]}}
      admitted_at: {{bounds: [2024-01-01, 2026-01-01]}}
    TABLE
timing: null
"""


def policy(budget: str = BUDGET, groups: str = "{}", table: str = "snap: false") -> str:
    return POLICY.replace("BUDGET", budget).replace("GROUPS", groups).replace("TABLE", table)


def judged(old: str, new: str) -> list[str]:
    examined = [examine_text(text, name, {}) for text, name in ((old, "old.yaml"), (new, "new.yaml"))]
    assert [each.findings for each in examined if each.policy is None] == []
    found = placed(examined[0], examined[1], ())
    return sorted(f"{each.change.rule} {each.place.removeprefix('tables.public.visits.')}" for each in found)


MONTHLY, YEARLY = f"{BUDGET}, renew: {{every: month}}", f"{BUDGET}, renew: {{every: year}}"
PARTS = f"{BUDGET}, unlock: {{over: 30 days, since: 2026-01-01}}"
RATE = f"{BUDGET}, at_most: {{epsilon: 1, per: day}}"
WINDOWS = f"{BUDGET}, per: month, of: visited_at"
TOTAL = f"{WINDOWS}, total: {{epsilon: 9, delta: 1e-5}}"

BUDGETS = [
    (BUDGET, MONTHLY, ["DP801 budget.renew"], ["DP851 budget.renew"]),
    (BUDGET, f"{BUDGET}, renew: never", [], []),
    (
        YEARLY,
        MONTHLY,
        ["DP801 budget.renew.every", "DP807 budget.renew"],
        ["DP851 budget.renew.every"],
    ),
    (
        f"{YEARLY}, new_accounts: true",
        f"{MONTHLY}, new_accounts: true",
        ["DP801 budget.renew.every", "DP807 budget.renew"],
        ["DP807 budget.renew", "DP851 budget.renew.every"],
    ),
    (MONTHLY, f"{BUDGET}, renew: {{every: month, at: 2 00:00}}", ["DP807 budget.renew"], ["DP807 budget.renew"]),
    (
        MONTHLY,
        f"{BUDGET}, renew: {{every: month, zone: Europe/Berlin}}",
        ["DP807 budget.renew"],
        ["DP807 budget.renew"],
    ),
    (PARTS, BUDGET, ["DP801 budget.unlock"], ["DP851 budget.unlock"]),
    (PARTS, PARTS.replace("30 days", "10 days"), ["DP801 budget.unlock"], ["DP851 budget.unlock"]),
    (PARTS, PARTS.replace("2026", "2025"), ["DP801 budget.unlock"], ["DP851 budget.unlock"]),
    (RATE, BUDGET, ["DP802 budget.at_most"], ["DP852 budget.at_most"]),
    (RATE, RATE.replace("epsilon: 1", "epsilon: 2"), ["DP801 budget.at_most"], ["DP851 budget.at_most"]),
    (
        RATE.replace("day", "week"),
        RATE,
        ["DP801 budget.at_most", "DP807 budget.at_most.per"],
        ["DP807 budget.at_most.per", "DP851 budget.at_most"],
    ),
    (BUDGET, WINDOWS, ["DP807 budget.per"], ["DP807 budget.per"]),
    (WINDOWS, WINDOWS.replace("month", "day"), ["DP807 budget.per"], ["DP807 budget.per"]),
    (WINDOWS, WINDOWS.replace("visited", "admitted"), ["DP807 budget.of"], ["DP807 budget.of"]),
    (TOTAL, WINDOWS, ["DP802 budget.total"], ["DP852 budget.total"]),
    (TOTAL, TOTAL.replace("9", "10"), ["DP801 budget.total.epsilon"], ["DP851 budget.total.epsilon"]),
    (
        TOTAL,
        TOTAL.replace("1e-5}", "1e-5, renew: {every: year}}"),
        ["DP801 budget.total.renew"],
        ["DP851 budget.total.renew"],
    ),
    (BUDGET, f"{BUDGET}, new_accounts: true", ["DP807 budget.new_accounts"], ["DP851 budget.new_accounts"]),
]


@pytest.mark.parametrize(("old", "new", "there", "back"), BUDGETS)
def test_when_a_budget_is_there(old: str, new: str, there: list[str], back: list[str]) -> None:
    assert judged(policy(old), policy(new)) == there
    assert judged(policy(new), policy(old)) == back


LIMIT = "budget: {epsilon: 1, delta: 1e-7}"
GROUPS = [
    ("{}", f"{{bi: {{members: [ana], {LIMIT}}}}}", ["DP852 groups.bi.budget"], ["DP802 groups.bi"]),
    ("{}", "{bi: {members: [ana]}}", [], ["DP882 groups.bi"]),
    ("{}", "{bi: {members: [ana, bob]}}", ["DP808 groups.bi.members"], ["DP882 groups.bi"]),
    ("{}", "{bi: {members: [ana], may: [public.visits]}}", ["DP855 groups.bi.may"], ["DP802 groups.bi"]),
    (
        f"{{bi: {{members: [ana], {LIMIT}}}}}",
        f"{{bi: {{members: [ana, bob], {LIMIT}}}}}",
        ["DP808 groups.bi.members"],
        ["DP802 groups.bi.members"],
    ),
    (
        "{bi: {members: [ana]}}",
        "{bi: {members: [ana, bob]}}",
        ["DP808 groups.bi.members"],
        ["DP855 groups.bi.members"],
    ),
    (
        f"{{bi: {{members: [ana], {LIMIT}}}}}",
        f"{{bi: {{members: [ana], {LIMIT.replace('1,', '2,')}}}}}",
        ["DP801 groups.bi.budget.epsilon"],
        ["DP851 groups.bi.budget.epsilon"],
    ),
]


@pytest.mark.parametrize(("old", "new", "there", "back"), GROUPS)
def test_who_pays_together(old: str, new: str, there: list[str], back: list[str]) -> None:
    assert judged(policy(groups=old), policy(groups=new)) == there
    assert judged(policy(groups=new), policy(groups=old)) == back


@pytest.mark.parametrize(
    ("old", "new", "found"),
    [
        ("clock: 1 hour", "clock: 1 day", "DP886 clock"),
        ("clock: 1 hour", "clock: off", "DP886 clock"),
        ("snap: false", "snap: true", "DP886 snap"),
        ("snap: false", "recall: {for: 24 hours}", "DP886 recall"),
        ("recall: {for: 2 days}", "recall: {for: 24 hours}", "DP886 recall"),
        ("snap: false", "data_version: {query: SELECT count(*) FROM public.loads}", "DP882 data_version"),
    ],
)
def test_when_questions_are_the_same_changes_nothing_that_is_protected(old: str, new: str, found: str) -> None:
    loads = "\n  public.loads: {public: true}"
    for before, after in ((old, new), (new, old)):
        assert judged(policy(table=before + loads), policy(table=after + loads)) == [found]


LIMIT = "budget: {epsilon: 2, delta: 1e-6}"
MEMBERS = "{bi: {members: [ana]}}"
OF_GROUP = f"{{bi: {{members: [ana], {LIMIT}}}}}"
SHARE = "per_analyst: {epsilon: 1, delta: 1e-7}"
CAPS = {
    "unit": (policy(), policy().replace("patient: {}", f"patient: {{{LIMIT}}}"), "units.patient.budget"),
    "a new group": (policy(), policy(groups=OF_GROUP), "groups.bi.budget"),
    "group": (policy(groups=MEMBERS), policy(groups=OF_GROUP), "groups.bi.budget"),
    "analyst": (policy(), policy(table=SHARE), "per_analyst"),
    "total": (policy(WINDOWS), policy(TOTAL), "budget.total"),
}


@pytest.mark.parametrize(("without", "limited", "place"), CAPS.values(), ids=CAPS.keys())
def test_a_limit_that_is_added_says_that_it_begins_now(without: str, limited: str, place: str) -> None:
    """And one that is gone, while what it covers stays, that it will not know what is spent meanwhile."""
    old, new = (examine_text(text, "policy.yaml", {}) for text in (without, limited))
    (added,) = [each for each in placed(old, new, ()) if each.change.rule == "DP852"]
    assert added.place.removeprefix("tables.public.visits.") == place
    assert added.change.message.endswith("; from now on: what was spent before does not count")
    (gone,) = [each.change.message for each in placed(new, old, ()) if each.change.rule == "DP802"]
    if "groups: {}" not in without or "groups: {}" in limited:
        assert gone.endswith("what is spent meanwhile will not count in a later one")


def test_a_new_member_is_limited_from_now_on() -> None:
    old, new = (examine_text(policy(groups=OF_GROUP.replace("ana", who)), "policy.yaml", {}) for who in ("", "ana"))
    (joined,) = placed(old, new, ())
    assert joined.change.message == (
        "ana is shown what the group has paid for, and limited by its (ε, δ) = (2, 0.000001) "
        "from now on: what was spent before does not count"
    )


def test_a_view_instead_of_a_table_has_other_units_and_a_table_instead_of_a_view_a_fresh_account() -> None:
    own = policy()
    start, end = own.index("    unit: {"), own.index("timing")
    view = f"{own[:start]}    view: true\n{own[end:]}"
    assert judged(own, view) == ["DP806 view"]
    assert judged(view, own) == ["DP806 view", "DP807 view"]


def test_nothing_in_a_policy_is_without_a_judge() -> None:
    elsewhere = {(Policy, "version")}
    models = (Policy, Analyst, Steward, Group, Unit, TablePolicy, QueryPrice, ContributionPolicy, ColumnPolicy)
    fields = {(model, field) for model in models for field in model.model_fields}
    assert fields - elsewhere == JUDGES.keys()
    assert TableBudget.model_fields.keys() == BUDGET_FIELDS
    assert Timing.model_fields.keys() == {"epsilon", "delta", "work"}
