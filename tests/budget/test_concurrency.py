"""Several tasks, sessions and proxies on one ledger (attack 29)."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from fractions import Fraction

import psycopg
import pytest

from proxy.budget.database import LedgerDatabase
from proxy.budget.ledger import Ledger
from proxy.budget.order import AccountCharge, Receipt
from proxy.budget.precisions import Step
from proxy.dp.accounting import Account, Price
from proxy.errors import BudgetExhaustedError
from proxy.lending import Connection
from tests.budget.support import TABLE, charge, execute, of_table, open_ledger, promise, pure, with_ledger


async def outcomes(*attempts: asyncio.Future[Receipt]) -> tuple[int, int]:
    """How many were charged and how many refused for lack of budget; any other outcome is raised."""
    results = await asyncio.gather(*attempts, return_exceptions=True)
    for result in results:
        if isinstance(result, BaseException) and not isinstance(result, BudgetExhaustedError):
            raise result
    charged = sum(isinstance(result, Receipt) for result in results)
    return charged, len(results) - charged


def test_of_two_that_race_for_the_last_of_a_budget_exactly_one_wins(dsn: str) -> None:
    async def race() -> None:
        async with open_ledger(dsn) as first, open_ledger(dsn) as other:
            for attempt in range(50):
                account = f"table:{attempt}"
                await charge(first, [AccountCharge(account, promise("1"), pure("0.4"))])
                last = [AccountCharge(account, promise("1"), pure("0.6"))]
                rivals = [asyncio.ensure_future(charge(ledger, last)) for ledger in (first, other)]
                assert await outcomes(*rivals) == (1, 1)
            assert set((await first.accounts()).values()) == {pure("0.4") + pure("0.6")}
            assert await other.verify() == []

    asyncio.run(race())


def test_many_proxies_together_spend_a_budget_to_the_last_and_not_further(dsn: str) -> None:
    async def spend() -> None:
        async with AsyncExitStack() as stack:
            proxies = [await stack.enter_async_context(open_ledger(dsn)) for _ in range(4)]
            attempts = [
                asyncio.ensure_future(charge(proxies[number % 4], of_table(pure("0.1"), promise("5"))))
                for number in range(80)
            ]
            assert await outcomes(*attempts) == (50, 30)
            assert (await proxies[0].spent(TABLE)).epsilon == 5
            assert await proxies[0].verify() == []

    asyncio.run(spend())


def test_a_long_queue_is_no_failure(dsn: str) -> None:
    """Each waits for its turn, longer than for a server that is not there."""

    async def work(connection: Connection) -> None:
        await connection.execute("SELECT pg_sleep(0.1)")

    async def queue() -> None:
        database = LedgerDatabase(dsn, size=2, patience_seconds=0.5)
        await database.open()
        try:
            await asyncio.gather(*(database.run(work) for _ in range(24)))
        finally:
            await database.close()

    asyncio.run(queue())


def test_charges_that_name_their_accounts_in_opposite_orders_do_not_deadlock(dsn: str) -> None:
    async def work(ledger: Ledger) -> None:
        forwards = [AccountCharge(f"table:{letter}", promise("100"), pure("0.1")) for letter in "abcdef"]
        attempts = [
            asyncio.ensure_future(charge(ledger, forwards if number % 2 else forwards[::-1])) for number in range(60)
        ]
        assert await outcomes(*attempts) == (60, 0)
        assert {spent.epsilon for spent in (await ledger.accounts()).values()} == {6}

    with_ledger(dsn, work)


def test_a_new_account_that_two_open_at_once_is_one_account(dsn: str) -> None:
    async def work(ledger: Ledger) -> None:
        for attempt in range(20):
            charges = [AccountCharge(f"table:{attempt}", promise("1"), pure("0.5"))]
            await asyncio.gather(charge(ledger, charges), charge(ledger, charges))
        assert set((await ledger.accounts()).values()) == {pure("0.5") + pure("0.5")}

    with_ledger(dsn, work)


def test_proxies_that_start_together_create_one_ledger(dsn: str) -> None:
    async def start() -> None:
        ledgers = [Ledger(dsn) for _ in range(6)]
        try:
            await asyncio.gather(*(ledger.open() for ledger in ledgers))
            await asyncio.gather(*(charge(ledger, of_table(pure("0.1"))) for ledger in ledgers))
            assert (await ledgers[0].spent(TABLE)).epsilon == Fraction("0.6")
        finally:
            await asyncio.gather(*(ledger.close() for ledger in ledgers))

    asyncio.run(start())


def test_charges_that_wait_are_settled_together_and_each_is_decided_on_what_the_earlier_ones_leave(dsn: str) -> None:
    """Sixty at once, of which thirty fit: few commits, and refusals next to receipts."""

    async def work(ledger: Ledger) -> None:
        await charge(ledger, of_table(pure("0.1"), promise("3.1")))
        before = transactions(dsn)
        attempts = [
            asyncio.ensure_future(charge(ledger, of_table(pure("0.1"), promise("3.1")), block=f"block {number}"))
            for number in range(60)
        ]
        assert await outcomes(*attempts) == (30, 30)
        assert transactions(dsn) - before < 20
        assert (await ledger.spent(TABLE)).epsilon == Fraction("3.1")
        assert len(await ledger.history(100)) == 31
        assert await ledger.verify() == []

    with_ledger(dsn, work)


def transactions(dsn: str) -> int:
    """How many transactions have charged something."""
    ((count,),) = execute(dsn, "SELECT count(DISTINCT xmin::text) FROM dpproxy.charge")
    return int(count)


def test_one_charge_that_was_outpaced_takes_no_other_with_it(dsn: str) -> None:
    async def work(ledger: Ledger) -> None:
        step = Step("family", "analyst:ana", 1, Fraction(1))
        await ledger.charge("ana", of_table(pure("0.1")), "block", "label", [step])
        results = await asyncio.gather(
            charge(ledger, of_table(pure("0.1")), block="before"),
            ledger.charge("ana", of_table(pure("0.1")), "again", "label", [step]),
            charge(ledger, of_table(pure("0.1")), block="after"),
            return_exceptions=True,
        )
        assert [type(result).__name__ for result in results] == ["Receipt", "OutpacedError", "Receipt"]
        assert (await ledger.spent(TABLE)).epsilon == Fraction("0.3")

    with_ledger(dsn, work)


def test_an_account_that_somebody_holds_does_not_keep_others_from_charging(dsn: str) -> None:
    async def work() -> None:
        async with open_ledger(dsn, patience_seconds=1) as ledger:
            await charge(ledger, of_table(pure("0.1")))
            with psycopg.connect(dsn) as holder:
                holder.execute("SELECT FROM dpproxy.account WHERE account = %s FOR UPDATE", (TABLE,))
                results = await asyncio.gather(
                    charge(ledger, [AccountCharge("table:free", promise("1"), pure("0.1"))]),
                    charge(ledger, of_table(pure("0.1"))),
                    charge(ledger, [AccountCharge("table:other", promise("1"), pure("0.1"))]),
                    return_exceptions=True,
                )
            assert [type(result).__name__ for result in results] == ["Receipt", "LedgerUnavailableError", "Receipt"]
            assert await ledger.verify() == []

    asyncio.run(work())


BUDGET, PURE = promise("3", "2e-6"), promise("3")
"""(3, 1e-6) and as much for keys; and 3 alone, for which ε just adds up."""
EQUAL = {
    "Laplace 0.1": (Price.laplace(Fraction("0.1")), BUDGET, 37),
    "Laplace 0.1, no delta": (Price.laplace(Fraction("0.1")), PURE, 30),
    "Laplace 0.5, pure": (Price.laplace(Fraction("0.5")), BUDGET, 6),
    "Gaussian of 50.21 sensitivities": (Price.gaussian(1 / (2 * Fraction("50.21") ** 2)), BUDGET, 933),
    "Gaussian, no delta": (Price.gaussian(1 / (2 * Fraction("50.21") ** 2)), PURE, 0),
    "exponential 0.1": (Price.exponential(Fraction("0.1")), BUDGET, 148),
}


@pytest.mark.parametrize(("price", "budget", "admitted"), EQUAL.values(), ids=EQUAL)
def test_a_budget_pays_for_as_many_equal_questions_as_the_theorems_say(
    price: Price, budget: Account, admitted: int, dsn: str
) -> None:
    """By many who ask at once (theorem 15)."""

    async def work(ledger: Ledger) -> None:
        attempts = [
            asyncio.ensure_future(charge(ledger, of_table(price, budget), block=f"block {number}"))
            for number in range(admitted + 20)
        ]
        assert await outcomes(*attempts) == (admitted, 20)
        assert len(await ledger.history(2000)) == admitted
        assert await ledger.verify() == []

    with_ledger(dsn, work)
