"""Which accounts paid together for what was charged, added up over charges that are alike.

Whoever knows which accounts should have paid for a charge finds here which of them did.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from proxy.dp.accounting import Price
from proxy.lending import Connection

# One pass over all charges: there are few combinations of accounts, however many charges.
_TOGETHER: Final = """
WITH one AS (
    SELECT analyst, array_agg(account ORDER BY account) AS accounts, min(recorded_at) AS at, max(rho) AS rho,
           max(delta) AS delta, CASE WHEN bool_and(epsilon IS NOT NULL) THEN max(epsilon) END AS epsilon
    FROM dpproxy.charge GROUP BY charge_id, analyst
)
SELECT analyst, accounts, begun, count(*), min(at), max(at),
       CASE WHEN bool_and(epsilon IS NOT NULL) THEN sum(epsilon) END, sum(rho), sum(delta)
FROM one CROSS JOIN LATERAL (SELECT count(*) FROM unnest(%s::timestamptz[]) AS start WHERE start <= at) AS since (begun)
GROUP BY analyst, accounts, begun
"""


@dataclass(frozen=True)
class PaidTogether:
    """Charges of one analyst that the same accounts paid for.

    Attributes:
        analyst: who asked.
        accounts: who paid, as the ledger names them.
        begun: how many of the times that were asked for had begun then.
        charges: how many.
        first: when the first was recorded, by the database's clock.
        last: when the last was.
        price: what they add up to, of each charge what the account paid that paid most.
    """

    analyst: str
    accounts: tuple[str, ...]
    begun: int
    charges: int
    first: dt.datetime
    last: dt.datetime
    price: Price


async def read_paid_together(connection: Connection, starts: Sequence[dt.datetime]) -> list[PaidTogether]:
    """All charges, told apart by analyst, accounts, and how many of `starts` had begun."""
    rows = await (await connection.execute(_TOGETHER, (list(starts),))).fetchall()
    return [
        PaidTogether(analyst, tuple(accounts), begun, charges, first, last, Price.from_decimals(*price))
        for analyst, accounts, begun, charges, first, last, *price in rows
    ]
