"""A process that charges as fast as it can until it is killed: `python -m tests.budget.charging_process DSN NAME`.

It prints a charge's id after the ledger has acknowledged it: what was printed must be in the ledger.
"""

from __future__ import annotations

import asyncio
import datetime as dt
import sys
from fractions import Fraction

from proxy.budget.order import AccountCharge, Window
from tests.budget.support import TABLE, charge, open_ledger, promise, pure

MONDAY = dt.datetime(2026, 11, 23, tzinfo=dt.UTC)
WEEK = Window(MONDAY, MONDAY + dt.timedelta(weeks=1), MONDAY)
ACCOUNTS = {
    TABLE: None,
    f"{TABLE}.visited_at@2026-10": None,
    f"{TABLE}.visited_at@2026-11": None,
    "group:bi": WEEK,
}
"""Which pay together, with the windows in which they renew."""


async def charge_for_ever(dsn: str, name: str) -> None:
    """Charge 0.001 of all accounts again and again, by two tasks at once, and grant one of them more meanwhile."""
    paid = [AccountCharge(each, promise("1e6"), pure("0.001"), window=window) for each, window in ACCOUNTS.items()]

    async def spend(task: int) -> None:
        number = 0
        while True:
            number += 1
            receipt = await charge(ledger, paid, block=f"{name} {task} {number}")
            print(receipt.charge_id, flush=True)

    async def grant() -> None:
        while True:
            await ledger.grant(TABLE, Fraction(1), Fraction(0), "a grant while questions are asked")

    async with open_ledger(dsn) as ledger:
        await asyncio.gather(spend(1), spend(2), grant())


if __name__ == "__main__":
    asyncio.run(charge_for_ever(*sys.argv[1:]))
