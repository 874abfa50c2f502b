"""A caller that is cancelled again and again: the ledger's connections come back all the same."""

from __future__ import annotations

import asyncio

from proxy.budget.ledger import Ledger
from tests.budget.support import charge, of_table, promise, pure, with_ledger


def test_no_number_of_cancels_loses_a_connection_of_the_ledger(dsn: str) -> None:
    async def cancel(ledger: Ledger) -> None:
        async def cancelled_often(seconds: float) -> None:
            task = asyncio.create_task(charge(ledger, of_table(pure("0.001"), promise("10"))))
            await asyncio.sleep(seconds)
            while not task.done():
                task.cancel()
                await asyncio.sleep(0)

        for turn in range(40):
            await asyncio.gather(*(cancelled_often(turn * 0.0003) for _ in range(8)))
        async with asyncio.timeout(5):  # less than the patience with which each would wait for a connection
            await asyncio.gather(*(charge(ledger, of_table(pure("0.001"), promise("10"))) for _ in range(8)))
        assert await ledger.verify() == []

    with_ledger(dsn, cancel)
