"""A process that charges as fast as it can until it is killed: `python -m tests.budget.charging_process DSN NAME`.

It prints a charge's id after the ledger has acknowledged it: what was printed must be in the ledger.
"""

from __future__ import annotations

import asyncio
import sys

from tests.budget.support import charge, of_table, open_ledger, promise, pure


async def charge_for_ever(dsn: str, name: str) -> None:
    """Charge 0.001 again and again, by two tasks at once."""

    async def spend(task: int) -> None:
        number = 0
        while True:
            number += 1
            receipt = await charge(ledger, of_table(pure("0.001"), promise("1e6")), block=f"{name} {task} {number}")
            print(receipt.charge_id, flush=True)

    async with open_ledger(dsn) as ledger:
        await asyncio.gather(spend(1), spend(2))


if __name__ == "__main__":
    asyncio.run(charge_for_ever(*sys.argv[1:]))
