"""Charges settled together: one transaction, one commit to disk, and a decision for each (decision 6, theorem 15).

Charges that wait for the same account wait for the same disk: settled one by one, they would each keep the others
waiting for it. So those that wait are decided one after the other under the locks of all their accounts, each on what
the earlier ones leave, and are recorded by one statement.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Final

import psycopg

from proxy.budget import audit
from proxy.budget.database import LedgerDatabase, unavailable
from proxy.budget.order import AccountState, Order, Receipt
from proxy.dp.accounting import exact_decimal
from proxy.errors import BudgetExhaustedError, LedgerUnavailableError
from proxy.lending import Connection

MOST_TOGETHER: Final = 64
"""Charges in one transaction."""
_AT_A_TIME: Final = 2
"""Transactions of one process: while one goes to disk the next one is prepared."""

# Not repeatable read: the totals must be read as they are when we hold the locks.
_BEGIN: Final = "BEGIN ISOLATION LEVEL READ COMMITTED"

_OPEN_ACCOUNTS: Final = """
INSERT INTO dpproxy.account (account) SELECT name FROM unnest(%s::text[]) AS name ORDER BY name
ON CONFLICT (account) DO NOTHING
"""

# In a fixed order, so that charges never wait for each other in a circle.
_LOCK_ACCOUNTS: Final = """
SELECT account, epsilon, rho, delta,
       (SELECT array[sum(epsilon), sum(delta)] FROM dpproxy.granted WHERE granted.account = account.account)
FROM dpproxy.account WHERE account = ANY (%s) ORDER BY account FOR UPDATE
"""

_OPEN_WINDOWS: Final = """
INSERT INTO dpproxy.opened (account, start, until)
SELECT * FROM unnest(%s::text[], %s::timestamptz[], %s::timestamptz[])
ON CONFLICT (account, start) DO NOTHING
"""

_LATEST_WINDOWS: Final = "SELECT account, max(start) FROM dpproxy.opened WHERE account = ANY (%s) GROUP BY account"

_RECORD: Final = """
WITH price AS (
    SELECT * FROM json_to_recordset(%s) AS price (charge_id uuid, account text, analyst text, epsilon numeric,
                                                  rho numeric, delta numeric, block text, statement text, place bigint)
), recorded AS (
    INSERT INTO dpproxy.charge (charge_id, account, analyst, epsilon, rho, delta, block, statement)
    SELECT charge_id, account, analyst, epsilon, rho, delta, block, statement FROM price ORDER BY place
), totals AS (
    UPDATE dpproxy.account
    SET epsilon = account.epsilon + added.epsilon, rho = account.rho + added.rho, delta = account.delta + added.delta
    FROM (SELECT account, CASE WHEN bool_and(epsilon IS NOT NULL) THEN sum(epsilon) END AS epsilon, sum(rho) AS rho,
                 sum(delta) AS delta
          FROM price GROUP BY account) AS added
    WHERE account.account = added.account
)
INSERT INTO dpproxy.payment (block, analyst, charge_id)
SELECT DISTINCT ON (block, analyst) block, analyst, charge_id FROM price ORDER BY block, analyst, place
ON CONFLICT (block, analyst) DO NOTHING
"""

_STEP: Final = """
INSERT INTO dpproxy.precision (charge_id, family, payer, number, rho)
SELECT * FROM json_to_recordset(%s) AS step (charge_id uuid, family text, payer text, number integer, rho numeric)
"""


_KEEP_TEXTS: Final = """
INSERT INTO dpproxy.statement (charge_id, query)
SELECT * FROM json_to_recordset(%s) AS kept (charge_id uuid, query text)
"""


class OutpacedError(Exception):
    """Another session has paid for a step that this charge is for. Nothing was charged: decide anew."""


Outcome = Receipt | BudgetExhaustedError


@dataclass(frozen=True, eq=False)
class _Waiting:
    order: Order
    settled: asyncio.Future[Receipt]


class Settler:
    """Settles the charges of one process, those that wait for each other together.

    Args:
        database: of the ledger.
    """

    def __init__(self, database: LedgerDatabase) -> None:
        self._database = database
        self._waiting: list[_Waiting] = []
        self._working: set[asyncio.Task[None]] = set()

    async def settle(self, order: Order) -> Receipt:
        """Record a charge, durably, or refuse it.

        Raises:
            BudgetExhaustedError: an account cannot pay; nothing is charged.
            OutpacedError: one of its steps is paid already; nothing is charged.
            LedgerUnavailableError: the ledger could not record it, or its answer was lost in the commit.
        """
        waiting = _Waiting(order, asyncio.get_running_loop().create_future())
        self._waiting.append(waiting)
        if len(self._working) < _AT_A_TIME:
            task = asyncio.create_task(self._work())
            self._working.add(task)
            task.add_done_callback(self._working.discard)
        return await waiting.settled

    async def _work(self) -> None:
        while self._waiting:
            batch, self._waiting = self._waiting[:MOST_TOGETHER], self._waiting[MOST_TOGETHER:]
            batch = [waiting for waiting in batch if not waiting.settled.done()]
            if batch:
                await self._settle_batch(batch)

    async def _settle_batch(self, batch: Sequence[_Waiting]) -> None:
        """Settle charges together; if that fails before anything is recorded, each on its own."""
        orders = [waiting.order for waiting in batch]

        async def work(connection: Connection) -> list[Outcome]:
            return await settle_together(connection, orders)

        try:
            outcomes = await self._database.run(work)
        except (OutpacedError, LedgerUnavailableError) as failure:
            confirmed = isinstance(failure, OutpacedError) or failure.rule != "charge_not_confirmed"
            if confirmed and len(batch) > 1:
                await asyncio.gather(*(self._settle_batch([waiting]) for waiting in batch))
                return
            _fail(batch, failure)
        except BaseException as failure:
            _fail(batch, unavailable(None))
            if not isinstance(failure, Exception):
                raise
        else:
            for waiting, outcome in zip(batch, outcomes, strict=True):
                if waiting.settled.done():
                    continue
                if isinstance(outcome, BudgetExhaustedError):
                    waiting.settled.set_exception(outcome)
                else:
                    waiting.settled.set_result(outcome)


def _fail(batch: Sequence[_Waiting], failure: Exception) -> None:
    for waiting in batch:
        if not waiting.settled.done():
            waiting.settled.set_exception(failure)


async def in_open_windows(connection: Connection, orders: Sequence[Order], *, opens: bool) -> list[Order]:
    """Orders in the windows that are open; `opens` records those that the callers' clock says."""
    windows = {
        account: max(
            (order.windows[account] for order in orders if account in order.windows), key=lambda each: each.start
        )
        for account in {account for order in orders for account in order.windows}
    }
    if not windows:
        return list(orders)
    starts = {account: window.start for account, window in windows.items()}
    async with connection.pipeline():
        if opens:
            ends = [window.end for window in windows.values()]
            await connection.execute(_OPEN_WINDOWS, (list(starts), list(starts.values()), ends))
        latest = await connection.execute(_LATEST_WINDOWS, (list(starts),))
    for account, start in await latest.fetchall():
        starts[account] = max(starts[account], start)
    return [order.opened(starts) for order in orders]


async def settle_together(connection: Connection, orders: Sequence[Order]) -> list[Outcome]:
    """Decide orders one after the other, and record those that are admitted in one transaction.

    Raises:
        OutpacedError: a step is paid already; nothing is charged.
        LedgerUnavailableError: the commit failed, or its answer was lost.
        psycopg.Error: the database failed; nothing is charged.
    """
    placed = await in_open_windows(connection, orders, opens=True)
    states = await _lock_accounts(connection, sorted({name for order in placed for name in order.names.values()}))
    outcomes: list[Outcome] = []
    admitted = []
    for order in placed:
        try:
            order.check(states)
        except BudgetExhaustedError as refusal:
            outcomes.append(refusal)
            continue
        outcomes.append(order.receipt(states))
        admitted.append(order)
        for account, name in order.names.items():
            states[name] = replace(states[name], spent=states[name].spent + order.prices[account])
    if admitted:
        await _record(connection, admitted)
    else:
        await connection.execute("ROLLBACK")
    return outcomes


async def _lock_accounts(connection: Connection, names: list[str]) -> dict[str, AccountState]:
    """Begin the transaction and lock the accounts, in one round trip; returns what is known of each."""
    async with connection.pipeline():
        await connection.execute(_BEGIN)
        await connection.execute(_OPEN_ACCOUNTS, (names,))
        locked = await connection.execute(_LOCK_ACCOUNTS, (names,))
    return audit.states(await locked.fetchall())


def _rows(rows: Sequence[Mapping[str, object]]) -> str:
    """Rows as one JSON text, which takes psycopg a tenth of the time of arrays. Amounts are texts, and so exact."""
    return json.dumps(rows, default=str)


async def _record(connection: Connection, orders: Sequence[Order]) -> None:
    """Write and commit in one round trip. From here on a failure may hide a recorded charge, so nothing is repeated."""
    charges = [row for order in orders for row in order.rows()]
    steps = [
        asdict(step) | {"charge_id": order.charge_id, "rho": exact_decimal(step.rho)}
        for order in orders
        for step in order.steps
    ]
    texts = [{"charge_id": order.charge_id, "query": order.query} for order in orders if order.query is not None]
    try:
        async with connection.pipeline():
            await connection.execute(_RECORD, (_rows([row | {"place": n} for n, row in enumerate(charges)]),))
            if steps:
                await connection.execute(_STEP, (_rows(steps),))
            if texts:
                await connection.execute(_KEEP_TEXTS, (_rows(texts),))
            committed = await connection.execute("COMMIT")
    except psycopg.errors.UniqueViolation as failure:
        raise OutpacedError from failure
    except psycopg.Error as failure:
        detail = "Whether the charge was recorded is unknown; if it was, it stays." if connection.broken else None
        raise unavailable(failure, rule="charge_not_confirmed", detail=detail) from failure
    if committed.statusmessage != "COMMIT":  # Postgres answers ROLLBACK, and no error, for a failed transaction
        raise unavailable(None, rule="charge_not_confirmed")
