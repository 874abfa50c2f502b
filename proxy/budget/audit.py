"""Reads the ledger: totals, history, and whether the totals still are the sums of the charges."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction
from typing import Any, Final, Literal, LiteralString

from proxy.budget.order import AccountState, Opened
from proxy.dp.accounting import Price
from proxy.lending import Connection

_TOTALS: Final = """
SELECT account, epsilon, rho, delta FROM dpproxy.account ORDER BY account
"""

# A grant may come before the first charge.
_STATES: Final = """
SELECT account, coalesce(spent.epsilon, CASE WHEN spent.rho IS NULL THEN 0 END), coalesce(spent.rho, 0),
       coalesce(spent.delta, 0), array[more.epsilon, more.delta]
FROM dpproxy.account AS spent
FULL JOIN (SELECT account, sum(epsilon) AS epsilon, sum(delta) AS delta FROM dpproxy.granted GROUP BY account) AS more
    USING (account)
WHERE %(accounts)s::text[] IS NULL OR account = ANY (%(accounts)s)
"""

_OPENED: Final = "SELECT account, max(start), max(until) FROM dpproxy.opened GROUP BY account"

# Ordered by the sequence, not by time: clocks jump.
_HISTORY: Final = """
SELECT charge_id, recorded_at, analyst, account, block, charge.statement, query, epsilon, rho, delta, share, report
FROM dpproxy.charge LEFT JOIN dpproxy.clipping USING (block) LEFT JOIN dpproxy.statement USING (charge_id)
WHERE %(analyst)s::text IS NULL OR analyst = %(analyst)s
ORDER BY sequence DESC LIMIT %(limit)s
"""

_TIMES: Final = """
SELECT block, max(recorded_at) FROM dpproxy.charge WHERE analyst = %s AND block = ANY (%s) GROUP BY block
"""

By = Literal["analyst", "table", "day"]

_BY: Final[dict[By, LiteralString]] = {
    "analyst": "analyst",
    "table": "substr(account, 7)",
    "day": "to_char(recorded_at AT TIME ZONE 'UTC', 'YYYY-MM-DD')",
}

# What a charge costs a table is what each of its windows of time pays; what protects units over all of them is beside.
_SPENDING: Final = """
WITH paid AS (
    SELECT charge_id, analyst, min(recorded_at) AS recorded_at, max(rho) AS rho, max(delta) AS delta,
           CASE WHEN bool_and(epsilon IS NOT NULL) THEN max(epsilon) END AS epsilon,
           CASE WHEN {1} THEN account ELSE regexp_replace(account, '@[^@]*$', '') END AS account
    FROM dpproxy.charge AS one WHERE account LIKE 'table:%' AND account !~ ' per (day|week|month)@[^@]*Z$'
        AND ({1} OR NOT EXISTS (SELECT FROM dpproxy.charge AS other WHERE other.charge_id = one.charge_id
                                AND starts_with(other.account, one.account || '.') AND other.account LIKE '%@%'))
    GROUP BY charge_id, analyst, 7
)
SELECT {0}, count(DISTINCT charge_id)::text, CASE WHEN bool_and(epsilon IS NOT NULL) THEN sum(epsilon)::text END,
       sum(rho)::text, sum(delta)::text
FROM paid GROUP BY 1 ORDER BY 1
"""

_EXPORT: Final = """
SELECT line FROM (
    SELECT recorded_at, 1, sequence, json_build_object(
        'at', recorded_at, 'charge', charge_id, 'analyst', analyst, 'account', account, 'epsilon', epsilon::text,
        'rho', rho::text, 'delta', delta::text, 'block', block, 'statement', charge.statement, 'query', query)::text
    FROM dpproxy.charge LEFT JOIN dpproxy.statement USING (charge_id)
    UNION ALL
    SELECT recorded_at, 2, sequence, json_build_object(
        'at', recorded_at, 'grant', sequence, 'account', account, 'epsilon', epsilon::text, 'delta', delta::text,
        'reason', reason)::text
    FROM dpproxy.granted
) AS exported (at, kind, number, line) ORDER BY at, kind, number
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
-- An account that was opened for a charge which was refused has spent nothing.
WHERE (total.epsilon, total.rho, total.delta) IS DISTINCT FROM (recomputed.epsilon, recomputed.rho, recomputed.delta)
  AND (recomputed.rho IS NOT NULL OR (total.epsilon, total.rho, total.delta) IS DISTINCT FROM (0, 0, 0))
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
        statement: what was asked, in a few words.
        query: what was kept of the statement's text.
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
    query: str | None
    price: Price
    share: float | None
    report: str | None


def totals(rows: Iterable[tuple[Any, ...]]) -> dict[str, Price]:
    """Rows of (account, epsilon, rho, delta) as exact prices by account."""
    return {account: Price.from_decimals(epsilon, rho, delta) for account, epsilon, rho, delta in rows}


def states(rows: Iterable[Sequence[Any]]) -> dict[str, AccountState]:
    """Rows of (account, epsilon, rho, delta, [granted epsilon, granted delta]) by account."""
    return {
        account: AccountState(Price.from_decimals(*spent), (Fraction(granted[0] or 0), Fraction(granted[1] or 0)))
        for account, *spent, granted in rows
    }


async def read_states(connection: Connection, accounts: list[str] | None) -> dict[str, AccountState]:
    """What is known of each of `accounts`, nothing spent for those that do not exist; or of all (None)."""
    cursor = await connection.execute(_STATES, {"accounts": accounts})
    return dict.fromkeys(accounts or (), AccountState()) | states(await cursor.fetchall())


async def read_opened(connection: Connection) -> dict[str, Opened]:
    """The windows of each account that renews."""
    return {account: Opened(*times) async for account, *times in await connection.execute(_OPENED)}


async def read_totals(connection: Connection) -> dict[str, Price]:
    """What every account has spent, ordered by name."""
    cursor = await connection.execute(_TOTALS)
    return totals(await cursor.fetchall())


async def read_history(connection: Connection, limit: int, analyst: str | None) -> list[ChargeRecord]:
    """The last `limit` records, newest first, of everybody (None) or of one analyst."""
    cursor = await connection.execute(_HISTORY, {"limit": limit, "analyst": analyst})
    return [
        ChargeRecord(charge_id, at, who, account, block, statement, query, Price.from_decimals(*price), share, report)
        for charge_id, at, who, account, block, statement, query, *price, share, report in await cursor.fetchall()
    ]


async def read_times(connection: Connection, analyst: str, blocks: list[str]) -> dict[str, datetime]:
    """When an analyst was last charged for each of `blocks`, by the database's clock; those without a charge are left
    out."""
    cursor = await connection.execute(_TIMES, (analyst, blocks))
    return dict(await cursor.fetchall())


async def read_spending(connection: Connection, by: By) -> list[tuple[str | None, ...]]:
    """What was spent of the accounts of tables (`Ledger.spending`)."""
    return await (await connection.execute(_SPENDING.format(_BY[by], "true" if by == "table" else "false"))).fetchall()


async def read_export(connection: Connection) -> list[str]:
    """Every charge and every grant, in order, each as a JSON object."""
    return [line for (line,) in await (await connection.execute(_EXPORT)).fetchall()]


async def find_discrepancies(connection: Connection) -> list[str]:
    """Totals that are not the exact sums of their charges, and payments without a charge; one sentence for each."""
    cursor = await connection.execute(_DISCREPANCIES)
    return [sentence for (sentence,) in await cursor.fetchall()]
