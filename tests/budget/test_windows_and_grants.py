"""Accounts that renew, and grants: each window is an account, no clock leads back, and what was granted is on record."""

from __future__ import annotations

import asyncio
import datetime as dt
import json
from fractions import Fraction

import psycopg
import pytest

from proxy.budget.ledger import Ledger
from proxy.budget.order import AccountCharge, Opened, Window, name_in_window
from proxy.dp.accounting import Account
from proxy.errors import BudgetExhaustedError
from tests.budget.support import TABLE, charge, execute, of_table, open_ledger, promise, pure, with_ledger
from tests.budget.test_concurrency import outcomes

MONDAY = dt.datetime(2026, 11, 23, 5, tzinfo=dt.UTC)
WEEK = dt.timedelta(days=7)


def weekly(price: str, start: dt.datetime = MONDAY, limit: Account | None = None) -> list[AccountCharge]:
    """A charge of an account of epsilon 1 that renews."""
    return [AccountCharge(TABLE, limit or promise("1"), pure(price), window=Window(start, start + WEEK, start))]


def in_week(number: int) -> str:
    return name_in_window(TABLE, MONDAY + number * WEEK)


def test_each_window_has_the_whole_budget_and_the_ledger_keeps_them_all(dsn: str) -> None:
    async def work(ledger: Ledger) -> None:
        for number in range(3):
            await charge(ledger, weekly("1", MONDAY + number * WEEK))
            with pytest.raises(BudgetExhaustedError) as refusal:
                await charge(ledger, weekly("0.1", MONDAY + number * WEEK))
            assert TABLE in refusal.value.message
            begins = MONDAY + (number + 1) * WEEK
            assert f"begins anew on {begins:%Y-%m-%d} 05:00 UTC" in (refusal.value.hint or "")
        assert await ledger.accounts() == {in_week(number): pure("1") for number in range(3)}
        assert await ledger.opened() == {TABLE: Opened(MONDAY + 2 * WEEK, MONDAY + 3 * WEEK)}
        assert await ledger.verify() == []

    assert in_week(0) == "table:public.visits@2026-11-23T05:00Z"
    with_ledger(dsn, work)


def test_a_clock_that_is_set_back_neither_renews_nor_gives_back(dsn: str) -> None:
    async def work(ledger: Ledger) -> None:
        await charge(ledger, weekly("0.25"))
        await charge(ledger, weekly("1", MONDAY + WEEK))
        for start in (MONDAY, MONDAY - WEEK, MONDAY + WEEK):
            with pytest.raises(BudgetExhaustedError):
                await ledger.check(weekly("0.1", start))
            with pytest.raises(BudgetExhaustedError):
                await charge(ledger, weekly("0.1", start))
        await charge(ledger, weekly("0.5", MONDAY + 2 * WEEK))
        spent = {name: price.epsilon for name, price in (await ledger.accounts()).items()}
        assert spent == {in_week(0): Fraction("0.25"), in_week(1): 1, in_week(2): Fraction("0.5")}

    with_ledger(dsn, work)


def test_proxies_whose_clocks_differ_charge_the_same_window(dsn: str) -> None:
    async def race() -> None:
        async with open_ledger(dsn) as fast, open_ledger(dsn) as slow:
            await charge(fast, weekly("0.1", MONDAY + WEEK))
            attempts = [
                asyncio.ensure_future(charge(ledger, weekly("0.1", start)))
                for _ in range(10)
                for ledger, start in ((fast, MONDAY + WEEK), (slow, MONDAY))
            ]
            assert await outcomes(*attempts) == (9, 11)
            assert await slow.accounts() == {in_week(1): (await fast.accounts())[in_week(1)]}
            assert (await slow.accounts())[in_week(1)].epsilon == 1

    asyncio.run(race())


def test_what_is_not_unlocked_yet_cannot_be_spent(dsn: str) -> None:
    async def work(ledger: Ledger) -> None:
        third = Account(Fraction(3), Fraction(0), Fraction(1, 3))
        await charge(ledger, of_table(pure("1"), third))
        with pytest.raises(BudgetExhaustedError, match=TABLE) as refusal:
            await charge(ledger, of_table(pure("0.1"), third))
        assert "has pure epsilon 0" in (refusal.value.detail or "")
        await charge(ledger, of_table(pure("1"), Account(Fraction(3), Fraction(0), Fraction(2, 3))))

    with_ledger(dsn, work)


def test_a_grant_raises_the_limit_for_ever_and_stays_on_record(dsn: str) -> None:
    async def work(ledger: Ledger) -> None:
        await ledger.grant(TABLE, Fraction("0.5"), Fraction(0), "the paper's revision")
        await charge(ledger, of_table(pure("1.25"), promise("1")))
        with pytest.raises(BudgetExhaustedError):
            await charge(ledger, of_table(pure("0.5"), promise("1")))
        await ledger.grant(TABLE, Fraction("0.25"), Fraction("1e-7"), "again")
        receipt = await charge(ledger, of_table(pure("0.5"), promise("1")))
        assert receipt.limits[TABLE] == promise("1.75", "1e-7")
        assert receipt.remaining[TABLE].epsilon == 0
        lines = [json.loads(line) for line in await ledger.exported()]
        assert [line.get("reason", line.get("epsilon")) for line in lines] == [
            "the paper's revision", "1.25", "again", "0.5"
        ]  # fmt: skip
        assert await ledger.verify() == []

    with_ledger(dsn, work)
    for table in ("granted", "opened"):
        with pytest.raises(psycopg.errors.ObjectNotInPrerequisiteState, match="append-only"):
            execute(dsn, f"DELETE FROM dpproxy.{table}")


def test_a_grant_of_a_window_ends_with_it(dsn: str) -> None:
    async def work(ledger: Ledger) -> None:
        await ledger.grant(in_week(0), Fraction(1), Fraction(0), "a busy week")
        await charge(ledger, weekly("2"))
        with pytest.raises(BudgetExhaustedError):
            await charge(ledger, weekly("2", MONDAY + WEEK))

    with_ledger(dsn, work)


@pytest.mark.parametrize(("epsilon", "delta"), [("0", "0"), ("-1", "0"), ("1", "-1e-9")])
def test_a_grant_is_more_than_nothing(dsn: str, epsilon: str, delta: str) -> None:
    async def work(ledger: Ledger) -> None:
        with pytest.raises(ValueError, match="more than nothing"):
            await ledger.grant(TABLE, Fraction(epsilon), Fraction(delta), "none")

    with_ledger(dsn, work)


def test_spending_is_told_by_analyst_table_and_day(dsn: str) -> None:
    async def work(ledger: Ledger) -> None:
        other = AccountCharge("table:public.people per person", promise("10"), pure("0.25"))
        rate = AccountCharge(
            f"{TABLE} per day", promise("10"), pure("0.5"), window=Window(MONDAY, MONDAY + WEEK, MONDAY)
        )
        own = AccountCharge("analyst:bob:public.visits", promise("10"), pure("0.5"))
        await charge(ledger, [*of_table(pure("0.5")), own, rate], analyst="bob")
        await charge(ledger, [*of_table(pure("0.5")), other], analyst="ana")
        assert [row[:3] for row in await ledger.spending("analyst")] == [("ana", "1", "0.75"), ("bob", "1", "0.5")]
        by_table = [row[:3] for row in await ledger.spending("table")]
        assert by_table == [("public.people per person", "1", "0.25"), ("public.visits", "2", "1.0")]
        ((day, *rest),) = await ledger.spending("day")
        assert dt.date.fromisoformat(day or "") <= dt.datetime.now(dt.UTC).date()
        assert rest[:2] == ["2", "1.25"]

    with_ledger(dsn, work)


def test_a_charge_to_several_windows_of_time_is_told_once(dsn: str) -> None:
    """Two months of visits, and three times as much by the account of units; the other table has no windows."""

    async def work(ledger: Ledger) -> None:
        months = [f"{TABLE}.visited_at@2025-0{month}" for month in (1, 2)]
        paid = [AccountCharge(name, promise("10"), pure("0.5")) for name in months]
        total = AccountCharge(TABLE, promise("10"), pure("1.5"))
        await charge(ledger, [*paid, total, AccountCharge("table:public.visitors", promise("10"), pure("0.25"))])
        assert [row[:3] for row in await ledger.spending("analyst")] == [("ana", "1", "0.75")]
        assert [row[1:3] for row in await ledger.spending("day")] == [("1", "0.75")]
        by_table = {row[0]: row[1:3] for row in await ledger.spending("table")}
        assert by_table["public.visits.visited_at@2025-01"] == ("1", "0.5")
        assert by_table["public.visits"] == ("1", "1.5")

    with_ledger(dsn, work)
