"""The ledger as its stewards look at it over time: read only, and by a process of its own."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Final

from proxy.budget import audit
from proxy.budget.audit import ChargeRecord
from proxy.budget.database import LedgerDatabase
from proxy.budget.order import AccountState, Opened
from proxy.dp.accounting import Price
from proxy.lending import Connection

_CONNECTIONS: Final = 2

_SPENT: Final = """
SELECT account, analyst, max(recorded_at) AS at, count(*),
       CASE WHEN bool_and(epsilon IS NOT NULL) THEN sum(epsilon) END, sum(rho), sum(delta)
FROM dpproxy.charge WHERE recorded_at >= %s GROUP BY account, analyst, date_trunc('hour', recorded_at) ORDER BY at
"""

_CLIPPED: Final = """
SELECT max(recorded_at) AS at, min(charge.statement), clipping.share, clipping.report
FROM dpproxy.clipping JOIN dpproxy.charge USING (block)
WHERE recorded_at >= %s GROUP BY block, clipping.share, clipping.report ORDER BY at DESC LIMIT %s
"""

_GRANTED: Final = """
SELECT recorded_at, account, epsilon, delta, reason FROM dpproxy.granted ORDER BY sequence DESC LIMIT 20
"""


@dataclass(frozen=True)
class Spent:
    """What one analyst's questions took from one account in one hour.

    Attributes:
        account: as the ledger names it.
        analyst: who asked.
        at: when the last of it was charged, aware.
        charges: how many.
        price: what they add up to.
    """

    account: str
    analyst: str
    at: dt.datetime
    charges: int
    price: Price


@dataclass(frozen=True)
class Clipped:
    """What an answer told of the units that were scaled down in it.

    Attributes:
        at: when it was last charged for.
        statement: what was asked, in a few words.
        share: about how much does not count, from 0 to 1; None where that cannot be told.
        report: the same in words.
    """

    at: dt.datetime
    statement: str
    share: float | None
    report: str


@dataclass(frozen=True)
class Granted:
    """What an owner gave an account beside what the policy says: when, how much of ε and δ, and why."""

    at: dt.datetime
    account: str
    epsilon: Decimal
    delta: Decimal
    reason: str


@dataclass(frozen=True)
class Overview:
    """The ledger at one time.

    Attributes:
        states: what every account has spent and was granted, by the ledger's names.
        windows: those of each account that renews.
        spent: by account, analyst and hour, oldest first.
        charges: the last ones, newest first.
        clipped: the last answers of questions that chose how much of a unit counts, newest first.
        granted: the last grants, newest first.
    """

    states: dict[str, AccountState]
    windows: dict[str, Opened]
    spent: list[Spent]
    charges: list[ChargeRecord]
    clipped: list[Clipped]
    granted: list[Granted]


class LedgerReader:
    """Reads a ledger that a proxy has opened, and never writes to it.

    Args:
        dsn: connection string of its database.
    """

    def __init__(self, dsn: str) -> None:
        self._database = LedgerDatabase(dsn, size=_CONNECTIONS, read_only=True)

    async def open(self) -> None:
        """Connect.

        Raises:
            LedgerUnavailableError: the database cannot be reached, or is no ledger of this version.
        """
        await self._database.open()

    async def close(self) -> None:
        """Close the connections."""
        await self._database.close()

    async def overview(self, since: dt.datetime, charges: int, clipped: int) -> Overview:
        """The ledger as it is now.

        Args:
            since: the beginning of what is read of `spent` and `clipped`.
            charges: how many at most.
            clipped: how many at most.

        Raises:
            LedgerUnavailableError: the database failed.
        """

        async def read(connection: Connection) -> Overview:
            return Overview(
                await audit.read_states(connection, None),
                await audit.read_opened(connection),
                [_spent(row) async for row in await connection.execute(_SPENT, (since,))],
                await audit.read_history(connection, charges, None),
                [Clipped(*row) async for row in await connection.execute(_CLIPPED, (since, clipped))],
                [Granted(*row) async for row in await connection.execute(_GRANTED)],
            )

        return await self._database.run(read)


def _spent(row: tuple[Any, ...]) -> Spent:
    account, analyst, at, charges, *price = row
    return Spent(account, analyst, at, charges, Price.from_decimals(*price))
