"""Accounts that do not count all that was charged of what they cover, by the accounts that paid together."""

from __future__ import annotations

import datetime as dt
from fractions import Fraction

import pytest

from proxy.budget.coverage import PaidTogether
from proxy.dp.accounting import Price
from proxy.policy.model import Policy
from proxy.query.uncounted import covering_starts, uncounted_accounts
from tests.budget.support import pure
from tests.policy.policies import VALID, examine

NOW = dt.datetime(2026, 11, 25, 12, tzinfo=dt.UTC)
MONDAY = dt.datetime(2026, 11, 23, tzinfo=dt.UTC)
TABLE, SHARE, UNIT, GROUP = "table:public.visits", "analyst:ana:public.visits", "unit:patient", "group:bi"
CAP = "{epsilon: 5, delta: 1e-5}"
CAPPED = VALID.replace("  patient: {}", f"  patient: {{budget: {CAP}}}")
GROUPED = VALID.replace("units:", f"groups:\n  bi: {{members: [ana], budget: {CAP}}}\nunits:", 1)
WINDOWS = VALID.replace("{epsilon: 3, delta: 1e-6}", "{epsilon: 3, delta: 1e-6, per: month, of: visited_at}")
TOTAL = WINDOWS.replace("of: visited_at}", f"of: visited_at, total: {CAP}}}")


def policy(text: str) -> Policy:
    examined = examine(text)
    assert examined.policy is not None, examined.findings
    return examined.policy


def paid(
    *accounts: str, analyst: str = "ana", charges: int = 1, begun: int = 0, price: Price | None = None
) -> PaidTogether:
    return PaidTogether(analyst, accounts, begun, charges, MONDAY, NOW, price or pure("0.5"))


def lacking(text: str, *found: PaidTogether) -> dict[str, int]:
    return {each.account: each.charges for each in uncounted_accounts(policy(text), found, NOW)}


MARCH = f"{TABLE}.visited_at@2025-03"
LACKING = {
    "a unit's cap": (CAPPED, (TABLE, SHARE), UNIT),
    "a unit's cap, by another table": (CAPPED, ("table:public.patients",), UNIT),
    "an analyst's share": (VALID, (TABLE,), SHARE),
    "an analyst's share of windows": (WINDOWS, (MARCH,), f"{SHARE}.visited_at"),
    "a group's": (GROUPED, (TABLE, SHARE), GROUP),
    "a group's, seen in another one": (GROUPED, ("group:other",), GROUP),
    "a total": (TOTAL, (MARCH, f"{SHARE}.visited_at@2025-03"), TABLE),
    "what new_accounts states": (
        VALID.replace("delta: 1e-7}", "delta: 1e-7, renew: {every: week}, new_accounts: true}"),
        (TABLE, SHARE),
        SHARE,
    ),
    "windows in the place of the whole": (WINDOWS, (TABLE, f"{SHARE}.visited_at@2025-03"), f"{TABLE}.visited_at"),
    "windows in the place of others": (
        WINDOWS,
        (f"{TABLE}.visited_at@2025-03-07", f"{SHARE}.visited_at@2025-03"),
        f"{TABLE}.visited_at",
    ),
}


@pytest.mark.parametrize(("text", "accounts", "account"), LACKING.values(), ids=LACKING.keys())
def test_an_account_that_did_not_pay_for_what_it_covers_is_told(
    text: str, accounts: tuple[str, ...], account: str
) -> None:
    begun = len(covering_starts(policy(text), NOW))
    own = account.removesuffix(".visited_at") + (".visited_at@2025-03" if account.endswith("_at") else "")
    own += "@2026-11-23T00:00Z" if "renew" in text else ""
    complete = paid(*accounts, own, begun=begun)
    assert lacking(text, complete) == {}
    assert lacking(text, complete, paid(*accounts, charges=4, begun=begun)) == {account: 4}


def test_what_an_account_does_not_cover_is_not_told() -> None:
    assert lacking(CAPPED, paid("table:public.elsewhere")) == {}
    assert lacking(GROUPED, paid(TABLE, analyst="bob")) == {}
    assert lacking(VALID, paid(TABLE, analyst="dpproxy suggest-bounds")) == {}
    # Its group has paid for this before: it is no more than the analyst's own payment for it.
    assert lacking(GROUPED, paid(SHARE)) == {}
    assert lacking(VALID, paid(TABLE, SHARE, f"{TABLE} per day@2026-11-23T00:00Z")) == {}


def test_names_that_begin_alike_are_other_accounts() -> None:
    assert lacking(CAPPED, paid(TABLE, SHARE, "unit:patients")) == {UNIT: 1}
    assert lacking(CAPPED, paid(TABLE, SHARE, "unit:patient per day@2026-11-23T00:00Z")) == {UNIT: 1}


def test_a_cap_that_renews_covers_its_present_window() -> None:
    weekly = CAPPED.replace("1e-5}", "1e-5, renew: {every: week}}")
    assert covering_starts(policy(weekly), NOW) == [MONDAY]
    assert lacking(weekly, paid(TABLE, SHARE, begun=0)) == {}
    assert lacking(weekly, paid(TABLE, SHARE, begun=1)) == {UNIT: 1}
    assert lacking(weekly, paid(TABLE, SHARE, UNIT, begun=1)) == {UNIT: 1}
    assert lacking(weekly, paid(TABLE, SHARE, f"{UNIT}@2026-11-23T00:00Z", begun=1)) == {}


def test_the_sentence_has_since_when_it_counts_and_what_is_not_in_it() -> None:
    lost = paid(TABLE, SHARE, charges=3, price=Price.gaussian(Fraction("0.045")))
    (found,) = uncounted_accounts(policy(CAPPED), [lost, paid(TABLE, SHARE, UNIT)], NOW)
    assert found.sentence == (
        "unit:patient counts since 2026-11-23 00:00 UTC: 3 charges from 2026-11-23 00:00 UTC to 2026-11-25 12:00 UTC "
        "of what it covers, ρ 0.045, δ 0, are not in it"
    )
    (found,) = uncounted_accounts(policy(CAPPED), [paid(TABLE, SHARE)], NOW)
    assert found.sentence == (
        "unit:patient has counted nothing yet: 1 charge of 2026-11-23 00:00 UTC of what it covers, "
        "ε 0.5, ρ 0.1225, δ 0, is not in it"
    )
