"""Accounts of the ledger that an edited policy would no longer count: found for budgets of tables, analysts, groups and
units alike."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Mapping
from pathlib import Path

import pytest

from proxy.commands.serve import unfitting_text
from proxy.policy.findings import PolicyError, SourceMap
from proxy.policy.model import Policy
from proxy.policy.window_rules import check_earlier_accounts, check_open_windows
from tests.policy.policies import VALID, examine

PLACES = {
    "table": ("    budget: {epsilon: 3, delta: 1e-6", "table:public.visits", "tables.public.visits.budget"),
    "analyst": (
        "    per_analyst: {epsilon: 1, delta: 1e-7",
        "analyst:ana:public.visits",
        "tables.public.visits.per_analyst",
    ),
    "group": ("  bi: {members: [ana], budget: {epsilon: 2, delta: 1e-7", "group:bi", "groups.bi.budget"),
    "unit": ("  patient: {budget: {epsilon: 5, delta: 1e-5", "unit:patient", "units.patient.budget"),
}
"""The text before which a budget ends, its account, and its place."""
ALL = VALID.replace("  patient: {}", "  patient: {budget: {epsilon: 5, delta: 1e-5}}").replace(
    "units:", "groups:\n  bi: {members: [ana], budget: {epsilon: 2, delta: 1e-7}}\nunits:"
)
WEEKLY, DAILY, NEW = ", renew: {every: week}", ", renew: {every: day}", ", new_accounts: true"
MONDAY = dt.datetime(2026, 11, 23, tzinfo=dt.UTC)
BEGUN = "@2026-11-23T00:00Z"


def policy(place: str, added: str) -> Policy:
    begin = PLACES[place][0]
    assert ALL.count(begin) == 1
    examined = examine(ALL.replace(begin, begin + added))
    assert examined.policy is not None, examined.findings
    return examined.policy


def uncounted(policy: Policy, charged: list[str]) -> list[str]:
    return [found.path for found in check_earlier_accounts(policy, charged, SourceMap("policy"))]


def cut_short(policy: Policy, account: str, now: dt.datetime) -> list[str]:
    opened: Mapping[str, tuple[dt.datetime, dt.datetime]] = {account: (MONDAY, MONDAY + dt.timedelta(days=7))}
    return [found.path for found in check_open_windows(policy, opened, now, SourceMap("policy"))]


@pytest.mark.parametrize("place", PLACES)
def test_what_was_spent_counts_after_an_edit_or_it_is_refused(place: str) -> None:
    _, account, path = PLACES[place]
    once, weekly = [account], [account + BEGUN]
    assert uncounted(policy(place, ""), once) == uncounted(policy(place, WEEKLY), weekly) == []
    assert uncounted(policy(place, WEEKLY), once) == uncounted(policy(place, ""), weekly) == [path]
    assert uncounted(policy(place, WEEKLY + NEW), once) == uncounted(policy(place, NEW), weekly) == []
    rates = [f"{account} per day{BEGUN}"]
    assert uncounted(policy(place, ""), rates) == uncounted(policy(place, WEEKLY), rates) == []


@pytest.mark.parametrize("place", PLACES)
def test_no_window_that_was_spent_from_ends_early(place: str) -> None:
    _, account, path = PLACES[place]
    tuesday, after = MONDAY + dt.timedelta(days=1), MONDAY + dt.timedelta(days=7)
    assert cut_short(policy(place, DAILY), account, tuesday) == [f"{path}.renew"]
    assert cut_short(policy(place, WEEKLY), account, tuesday) == []
    assert (
        cut_short(policy(place, DAILY), account, after) == cut_short(policy(place, DAILY + NEW), account, tuesday) == []
    )


def test_serve_says_that_it_is_the_ledger_which_the_policy_does_not_fit() -> None:
    found = check_earlier_accounts(policy("group", WEEKLY), ["group:bi"], SourceMap("policy"))
    text = unfitting_text(Path("clinic.yaml"), PolicyError(found))
    assert re.fullmatch(r"the policy does not fit the ledger:\n  groups\.bi\.budget: what was spent .*", text)


def test_accounts_of_others_with_similar_names_are_theirs() -> None:
    others = ["group:bi.x", "group:bix", "unit:patients", "analyst:ana:public.visits_2", "table:public.visits2"]
    assert uncounted(policy("group", WEEKLY), others) == []


@pytest.mark.parametrize(("place", "name"), [("table", "public.visits"), ("group", "bi"), ("unit", "patient")])
def test_names_like_those_of_rates_hide_nothing(place: str, name: str) -> None:
    """They are an error; a ledger may have them all the same, and then what was spent under them counts."""
    key, like = f"{place}s", f"{name} per week"
    for added, charged in (("", like + BEGUN), (WEEKLY, like)):
        plain = policy(place, added)
        renamed = plain.model_copy(update={key: {like: getattr(plain, key)[name]}})
        assert len(uncounted(renamed, [f"{place}:{charged}"])) == 1
        assert uncounted(plain, [f"{place}:{like}{BEGUN}"]) == []
    findings = examine(ALL.replace(f"  {name}:", f'  "{like}":')).findings
    assert "DP351" in {found.rule for found in findings if found.severity == "error"}


def test_rates_of_other_windows_of_time_are_no_rates_of_the_policy() -> None:
    account = PLACES["table"][1]
    assert uncounted(policy("table", ""), [f"{account}.visited_at@2025-03 per day{BEGUN}"]) == [
        "tables.public.visits.budget"
    ]


def test_windows_of_time_and_their_total_have_budgets_that_renew_by_themselves() -> None:
    """The total's week is none of the windows' days."""
    total = ", total: {epsilon: 3, delta: 1e-6, renew: {every: week}}"
    windows = policy("table", f", per: month, of: visited_at, renew: {{every: day}}{total}")
    account = PLACES["table"][1]
    assert cut_short(windows, account, MONDAY) == []
    assert cut_short(windows, f"{account}.visited_at@2025-03", MONDAY) == ["tables.public.visits.budget.renew"]
    charged = [account + BEGUN, f"{account}.visited_at@2025-03{BEGUN}", "analyst:ana:public.visits.visited_at@2025-03"]
    assert uncounted(windows, charged) == []
    assert uncounted(windows, ["analyst:ana:public.visits"]) == ["tables.public.visits.per_analyst"]
    assert uncounted(windows, [account]) == ["tables.public.visits.budget"]
