"""Reads the ledger: totals, history, and whether the totals still are the sums of the charges."""

from __future__ import annotations

import uuid
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from proxy.dp.accounting import Price
from proxy.lending import Connection

_TOTALS: Final = """
SELECT account, epsilon, rho, delta FROM dpproxy.account ORDER BY account
"""

_TOTAL_OF_EACH: Final = "SELECT account, epsilon, rho, delta FROM dpproxy.account WHERE account = ANY (%s)"

# Ordered by the sequence, not by time: clocks jump.
_HISTORY: Final = """
SELECT charge_id, recorded_at, analyst, account, block, statement, epsilon, rho, delta, share, report
FROM dpproxy.charge LEFT JOIN dpproxy.clipping USING (block)
WHERE %(analyst)s::text IS NULL OR analyst = %(analyst)s
ORDER BY sequence DESC LIMIT %(limit)s
"""

_TIMES: Final = """
SELECT block, max(recorded_at) FROM dpproxy.charge WHERE analyst = %s AND block = ANY (%s) GROUP BY block
"""

# One statement, hence one snapshot: charges that commit meanwhile are seen in both tables or in neither.
_DISCREPANCIES: Final = """
WITH recomputed AS (
    SELECT account, CASE WHEN bool_and(epsilon IS NOT NULL) THEN sum(epsilon) END AS epsilon,
           sum(rho) AS rho, sum(delta) AS delta
    FROM dpproxy.charge GROUP BY account
)
SELECT format('account %s: the total is epsilon %s, rho %s, delta %s, its charges are %s, %s, %s', account,
              coalesce(total.epsilon::text, 'none'), total.rho, total.delta,
              coalesce(recomputed.epsilon::text, 'none'), recomputed.rho, recomputed.delta)
FROM dpproxy.account AS total FULL JOIN recomputed USING (account)
WHERE (total.epsilon, total.rho, total.delta) IS DISTINCT FROM (recomputed.epsilon, recomputed.rho, recomputed.delta)
UNION ALL
SELECT format('block %s: marked as paid by %s without a charge', block, analyst)
FROM dpproxy.payment
WHERE NOT EXISTS (SELECT FROM dpproxy.charge
                  WHERE (charge.charge_id, charge.block, charge.analyst)
                      = (payment.charge_id, payment.block, payment.analyst))
UNION ALL
SELECT format('family %s: measurement %s has rho %s, for which nobody was charged', family, number, rho)
FROM dpproxy.measurement
WHERE NOT EXISTS (SELECT FROM dpproxy.charge
                  WHERE charge.charge_id = measurement.charge_id AND charge.rho >= measurement.rho)
UNION ALL
SELECT format('family %s: marked as paid by %s up to rho %s without a charge', family, payer, rho)
FROM dpproxy.precision
WHERE NOT EXISTS (SELECT FROM dpproxy.charge WHERE charge.charge_id = precision.charge_id)
ORDER BY 1
"""


@dataclass(frozen=True)
class ChargeRecord:
    """One account's part of one charge.

    Attributes:
        charge_id: shared by all accounts that paid for the same release.
        recorded_at: the database's clock, for display only.
        analyst: who asked.
        account: who paid.
        block: hash of the measured block.
        statement: the beginning of the statement's text.
        price: what was charged, exactly.
        share: about how much clipping left out of the answer; None where that cannot be told, and where units are not
            scaled down to what a query chooses, or there is no answer.
        report: the sentences about that; None where there are none.
    """

    charge_id: uuid.UUID
    recorded_at: datetime
    analyst: str
    account: str
    block: str
    statement: str
    price: Price
    share: float | None
    report: str | None


def totals(rows: Iterable[tuple[Any, ...]]) -> dict[str, Price]:
    """Rows of (account, epsilon, rho, delta) as exact prices by account."""
    return {account: Price.from_decimals(epsilon, rho, delta) for account, epsilon, rho, delta in rows}


async def read_total_of_each(connection: Connection, accounts: list[str]) -> dict[str, Price]:
    """What each of `accounts` has spent; zero for those that do not exist."""
    cursor = await connection.execute(_TOTAL_OF_EACH, (accounts,))
    return dict.fromkeys(accounts, Price.zero()) | totals(await cursor.fetchall())


async def read_totals(connection: Connection) -> dict[str, Price]:
    """What every account has spent, ordered by name."""
    cursor = await connection.execute(_TOTALS)
    return totals(await cursor.fetchall())


async def read_history(connection: Connection, limit: int, analyst: str | None) -> list[ChargeRecord]:
    """The last `limit` records, newest first, of everybody (None) or of one analyst."""
    cursor = await connection.execute(_HISTORY, {"limit": limit, "analyst": analyst})
    return [
        ChargeRecord(charge_id, at, who, account, block, statement, Price.from_decimals(*price), share, report)
        for charge_id, at, who, account, block, statement, *price, share, report in await cursor.fetchall()
    ]


async def read_times(connection: Connection, analyst: str, blocks: list[str]) -> dict[str, datetime]:
    """When an analyst was last charged for each of `blocks`, by the database's clock; those without a charge are left
    out."""
    cursor = await connection.execute(_TIMES, (analyst, blocks))
    return dict(await cursor.fetchall())


async def find_discrepancies(connection: Connection) -> list[str]:
    """Totals that are not the exact sums of their charges, and payments without a charge; one sentence for each."""
    cursor = await connection.execute(_DISCREPANCIES)
    return [sentence for (sentence,) in await cursor.fetchall()]
