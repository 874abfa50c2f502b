"""What was spent in one window is counted until that ends, and what was spent under one policy counts under another:
decided with each charge, so that it holds for proxies that know different versions of a policy."""

from __future__ import annotations

import asyncio
import datetime as dt
from collections.abc import Mapping
from typing import Any

import pytest

from proxy.budget.ledger import Ledger
from proxy.budget.order import AccountCharge, Opened, Receipt, name_in_window, order_of
from proxy.budget.settling import settle_together
from proxy.errors import BudgetExhaustedError, StaleBudgetError
from proxy.policy.findings import PolicyError
from proxy.policy.model import Policy
from proxy.query import limits
from proxy.serving.requirements import require_known_accounts
from proxy.sql.planning.accounts import accounts_of_table
from tests.budget.support import TABLE, charge, execute, older_ledger, open_ledger, pure, with_ledger
from tests.conftest import PostgresCluster
from tests.policy.policies import VALID, examine

OCTOBER, NOVEMBER = (dt.datetime(2026, month, 1, tzinfo=dt.UTC) for month in (10, 11))
IN_OCTOBER, IN_NOVEMBER, NEXT_YEAR = (
    OCTOBER + dt.timedelta(9),
    NOVEMBER + dt.timedelta(4),
    dt.datetime(2027, 1, 1, tzinfo=dt.UTC),
)
ONCE, MONTHLY, QUARTERLY, DAILY, YEARLY = (
    "",
    *(f", renew: {{every: {each}}}" for each in ("month", "quarter", "day", "year")),
)
OF_MONTHS = ", per: month, of: visited_at"
NEW = ", new_accounts: true"


def policy(budget: str) -> Policy:
    """With this at the end of the table's budget, which is epsilon 3; analysts have none of their own."""
    text = VALID.replace("    budget: {epsilon: 3, delta: 1e-6", "    budget: {epsilon: 3, delta: 1e-6" + budget)
    examined = examine(text.replace("    per_analyst: {epsilon: 1, delta: 1e-7}\n", ""))
    assert examined.policy is not None, examined.findings
    return examined.policy


def priced(budget: str, now: dt.datetime, monkeypatch: pytest.MonkeyPatch, epsilon: str = "1") -> list[AccountCharge]:
    """A charge of the table's account, the first window of time of it, by a proxy with this budget and clock."""
    monkeypatch.setattr(limits, "now", lambda: now)
    first, *_ = accounts_of_table(policy(budget), "public.visits", "ana")
    return [limits.account_charge(first, pure(epsilon))]


async def spent(ledger: Ledger) -> dict[str, Any]:
    return {name: price.epsilon for name, price in (await ledger.accounts()).items() if price.epsilon}


def test_a_window_that_another_policy_has_made_longer_ends_with_that(dsn: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A month that was charged as the beginning of a quarter, too, is that quarter."""

    async def work(ledger: Ledger) -> None:
        await charge(ledger, priced(MONTHLY, IN_OCTOBER, monkeypatch))
        await charge(ledger, priced(QUARTERLY, IN_OCTOBER, monkeypatch))
        assert await ledger.opened() == {TABLE: Opened(OCTOBER, NEXT_YEAR)}
        await charge(ledger, priced(MONTHLY, IN_NOVEMBER, monkeypatch))
        for refused in (ledger.check, lambda charges: charge(ledger, charges)):
            with pytest.raises(BudgetExhaustedError) as refusal:
                await refused(priced(DAILY, IN_NOVEMBER, monkeypatch))
            assert "begins anew on 2027-01-01" in (refusal.value.hint or "")
        assert await spent(ledger) == {name_in_window(TABLE, OCTOBER): 3}
        await charge(ledger, priced(DAILY, NEXT_YEAR, monkeypatch, "3"))
        assert await spent(ledger) == {name_in_window(TABLE, OCTOBER): 3, name_in_window(TABLE, NEXT_YEAR): 3}

    with_ledger(dsn, work)


def test_no_later_window_hides_an_earlier_one_that_has_not_ended(dsn: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Days that were charged beside a year, as it was stated that both add up, do not end the year."""

    async def work(ledger: Ledger) -> None:
        await charge(ledger, priced(YEARLY, IN_OCTOBER, monkeypatch))
        await charge(ledger, priced(DAILY + NEW, IN_NOVEMBER, monkeypatch, "2"))
        tomorrow = IN_NOVEMBER + dt.timedelta(1)
        with pytest.raises(BudgetExhaustedError):
            await charge(ledger, priced(DAILY, tomorrow, monkeypatch, "2"))
        monkeypatch.setattr(limits, "now", lambda: tomorrow)
        with pytest.raises(PolicyError, match="would not count until 2027-01-01"):
            await require_known_accounts(policy(DAILY), ledger)
        await charge(ledger, priced(DAILY + NEW, tomorrow, monkeypatch, "2"))

    with_ledger(dsn, work)


OTHERS: Mapping[str, tuple[str, str]] = {
    "no renewal, and one": (ONCE, MONTHLY),
    "a renewal, and none": (MONTHLY, ONCE),
    "windows of time, and none": (OF_MONTHS, ONCE),
    "no windows of time, and some": (ONCE, OF_MONTHS),
    "other windows of time": (OF_MONTHS, ", per: year, of: visited_at"),
    "windows of time that renew, and do not": (OF_MONTHS + MONTHLY, OF_MONTHS),
}


@pytest.mark.parametrize(("first", "second"), OTHERS.values(), ids=OTHERS)
def test_what_would_not_count_any_more_is_not_charged_beside(
    dsn: str, monkeypatch: pytest.MonkeyPatch, first: str, second: str
) -> None:
    async def work(ledger: Ledger) -> None:
        await charge(ledger, priced(first, IN_NOVEMBER, monkeypatch))
        before = await spent(ledger)
        with pytest.raises(StaleBudgetError, match="nothing was charged") as refusal:
            await charge(ledger, priced(second, IN_NOVEMBER, monkeypatch))
        assert f'charges of "{next(iter(before))}"' in (refusal.value.detail or "")
        await charge(ledger, priced(first, IN_NOVEMBER, monkeypatch, "2"))
        assert {name: epsilon - 2 for name, epsilon in (await spent(ledger)).items()} == before
        await charge(ledger, priced(second + NEW, IN_NOVEMBER, monkeypatch, "3"))
        assert sorted((await spent(ledger)).values()) == [3, 3]

    with_ledger(dsn, work)


@pytest.mark.parametrize(("first", "second"), [(ONCE, MONTHLY), (OF_MONTHS, ONCE), (YEARLY, MONTHLY)])
def test_of_two_policies_that_charge_at_once_one_is_refused(
    dsn: str, monkeypatch: pytest.MonkeyPatch, first: str, second: str
) -> None:
    """Neither has charged before: one of them finds what the other has spent."""

    async def race() -> None:
        async with open_ledger(dsn) as one, open_ledger(dsn) as other:
            charges = [priced(each, IN_NOVEMBER, monkeypatch, "2") for each in (first, second)]
            asked = [charge(ledger, each) for ledger, each in zip((one, other), charges, strict=True) for _ in range(5)]
            found = await asyncio.gather(*asked, return_exceptions=True)
            refused = [each for each in found if isinstance(each, BaseException)]
            assert {type(each) for each in refused} <= {StaleBudgetError, BudgetExhaustedError}
            assert len(refused) == 9
            assert list((await spent(one)).values()) == [2]

    asyncio.run(race())


def test_orders_of_one_transaction_see_one_another(
    dsn: str, postgres_cluster: PostgresCluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Questions that were asked before an edit of the policy, and those after it."""

    async def settled(ledger: Ledger, *budgets: str) -> list[type]:
        orders = [order_of("ana", priced(each, IN_NOVEMBER, monkeypatch, "2"), each, "") for each in budgets]
        found = await ledger.database.run(lambda connection: settle_together(connection, orders))
        return [type(each) for each in found]

    async def work(ledger: Ledger) -> None:
        stale = [StaleBudgetError, StaleBudgetError, BudgetExhaustedError]
        assert await settled(ledger, ONCE, MONTHLY, OF_MONTHS, ONCE) == [Receipt, *stale]
        assert await spent(ledger) == {TABLE: 2}

    async def in_windows(ledger: Ledger) -> None:
        assert await settled(ledger, YEARLY, MONTHLY, DAILY) == [Receipt, BudgetExhaustedError, BudgetExhaustedError]
        assert await ledger.opened() == {TABLE: Opened(dt.datetime(2026, 1, 1, tzinfo=dt.UTC), NEXT_YEAR)}

    with_ledger(dsn, work)
    with_ledger(postgres_cluster.create_database("ledger"), in_windows)


def test_what_was_refused_opens_no_window(dsn: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async def work(ledger: Ledger) -> None:
        for each in (YEARLY, ONCE, OF_MONTHS):
            with pytest.raises(BudgetExhaustedError):
                await charge(ledger, priced(each, IN_OCTOBER, monkeypatch, "4"))
        assert await ledger.opened() == {}
        await charge(ledger, priced(MONTHLY, IN_OCTOBER, monkeypatch))

    with_ledger(dsn, work)


def test_a_window_of_an_older_release_ends_where_the_policy_says_that_is_first_in_force(
    dsn: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    older_ledger(dsn, 8, "old")
    execute(dsn, f"INSERT INTO dpproxy.opened (account, start) VALUES ('{TABLE}', '2026-01-01 00:00+00')")

    async def work(ledger: Ledger) -> None:
        monkeypatch.setattr(limits, "now", lambda: IN_OCTOBER)
        yearly = Opened(dt.datetime(2026, 1, 1, tzinfo=dt.UTC), NEXT_YEAR)
        await require_known_accounts(policy(YEARLY + NEW), ledger)
        assert await ledger.opened() == {TABLE: yearly}
        with pytest.raises(PolicyError, match="would not count"):
            await require_known_accounts(policy(DAILY), ledger)
        assert await ledger.opened() == {TABLE: yearly}

    with_ledger(dsn, work)
