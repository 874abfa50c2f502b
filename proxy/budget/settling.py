"""Charges settled together: one transaction, one commit to disk, and a decision for each (decision 6, theorem 15).

Charges that wait for the same account wait for the same disk: settled one by one, they would each keep the others
waiting for it. So those that wait are decided one after the other under the locks of all their accounts, each on what
the earlier ones leave, and are recorded by one statement.
"""

from __future__ import annotations

import asyncio
import datetime as dt
import json
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Final

import psycopg

from proxy.budget import audit
from proxy.budget.database import LedgerDatabase, unavailable
from proxy.budget.order import AccountState, Opened, Order, Receipt
from proxy.dp.accounting import Price, exact_decimal
from proxy.errors import BudgetExhaustedError, LedgerUnavailableError, StaleBudgetError
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
SELECT %(seen)s::uuid IS NULL OR EXISTS (SELECT FROM dpproxy.charge WHERE charge_id = %(seen)s),
       account, epsilon, rho, delta,
       (SELECT array[sum(epsilon), sum(delta)] FROM dpproxy.granted WHERE granted.account = account.account)
FROM dpproxy.account WHERE account = ANY (%(accounts)s) ORDER BY account FOR UPDATE
"""

_OPEN_WINDOWS: Final = """
INSERT INTO dpproxy.opened (account, start, until)
SELECT * FROM unnest(%s::text[], %s::timestamptz[], %s::timestamptz[])
ON CONFLICT (account, start, until) DO NOTHING
"""

_OPENED: Final = """
SELECT name, start, (SELECT max(until) FROM dpproxy.opened WHERE account = name)
FROM unnest(%s::text[]) AS name, LATERAL (SELECT max(start) FROM dpproxy.opened WHERE account = name) AS latest (start)
WHERE start IS NOT NULL
"""

_ONE_OPENS: Final = "SELECT pg_advisory_xact_lock(7234307576302018678)"
"""Held from before an account is charged for the first time until that is recorded, so that of two accounts over the
same rows one sees the other. It is taken before the locks of accounts, and by nobody who has those."""

# Names of one account's kin are its own, and those that go on with "." or "@".
_KIN: Final = """
SELECT account FROM unnest(%s::text[]) AS whole JOIN dpproxy.account
    ON account COLLATE "C" >= whole AND account COLLATE "C" < whole || '/'
    OR account COLLATE "C" >= whole || '@' AND account COLLATE "C" < whole || 'A'
WHERE (epsilon, rho, delta) IS DISTINCT FROM (0, 0, 0)
"""

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


class RolledBackError(Exception):
    """A charge that was seen in the ledger is missing: it is an older copy. Nothing was charged."""


Outcome = Receipt | BudgetExhaustedError | StaleBudgetError


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
            StaleBudgetError: what an account's kin have spent would not count; nothing is charged.
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

        seen = self._database.seen

        async def work(connection: Connection) -> list[Outcome]:
            return await settle_together(connection, orders, seen)

        try:
            outcomes = await self._database.run(work)
        except RolledBackError:
            assert seen is not None
            _fail(batch, self._database.lose(seen))
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
            charged = [outcome.charge_id for outcome in outcomes if isinstance(outcome, Receipt)]
            self._database.seen = (self._database.seen, *charged)[-1]
            for waiting, outcome in zip(batch, outcomes, strict=True):
                if waiting.settled.done():
                    continue
                if isinstance(outcome, Exception):
                    waiting.settled.set_exception(outcome)
                else:
                    waiting.settled.set_result(outcome)


def _fail(batch: Sequence[_Waiting], failure: Exception) -> None:
    for waiting in batch:
        if not waiting.settled.done():
            waiting.settled.set_exception(failure)


async def placed_orders(connection: Connection, orders: Sequence[Order]) -> list[Order]:
    """Orders in the windows where they are charged, each as the ones before it leave them."""
    return _placed(orders, await _opened(connection, orders))


def _placed(orders: Sequence[Order], known: Mapping[str, Opened]) -> list[Order]:
    found = []
    for order in orders:
        found.append(order.opened(known))
        known = found[-1].leaves(known)
    return found


async def _opened(connection: Connection, orders: Sequence[Order]) -> dict[str, Opened]:
    renewing = sorted({account for order in orders for account in order.windows})
    if not renewing:
        return {}
    return {account: Opened(*times) async for account, *times in await connection.execute(_OPENED, (renewing,))}


async def open_windows(connection: Connection, windows: Sequence[tuple[str, dt.datetime, dt.datetime]]) -> None:
    """Record that accounts were charged in windows.

    Args:
        connection: of the ledger.
        windows: the account's own name, the beginning, and the end.
    """
    if windows:
        await connection.execute(_OPEN_WINDOWS, tuple(map(list, zip(*windows, strict=True))))


@dataclass(frozen=True)
class _Begun:
    """A transaction that has locked the accounts of its orders.

    Attributes:
        orders: in the windows where they are charged.
        known: the windows of their accounts.
        states: of their accounts.
    """

    orders: list[Order]
    known: Mapping[str, Opened]
    states: dict[str, AccountState]

    def opens(self) -> bool:
        """Is an account charged for the first time, or under another end of its window?"""
        return any(
            self.states[name].spent == Price.zero() or _is_later(order, account, self.known)
            for order in self.orders
            for account, name in order.names.items()
        )


def _is_later(order: Order, account: str, known: Mapping[str, Opened]) -> bool:
    """Does an order's window begin or end later than those that are known of the account?"""
    if account not in order.windows:
        return False
    own, place, before = order.windows[account], order.places[account], known.get(account)
    return before is None or place.start > before.start or before.until is None or own.end > before.until


async def settle_together(
    connection: Connection, orders: Sequence[Order], seen: uuid.UUID | None = None
) -> list[Outcome]:
    """Decide orders one after the other, and record those that are admitted in one transaction.

    Args:
        connection: of the ledger.
        orders: to be decided.
        seen: a charge that must be on disk; None if none is known.

    Raises:
        RolledBackError: it is not; nothing is charged.
        OutpacedError: a step is paid already; nothing is charged.
        LedgerUnavailableError: the commit failed, or its answer was lost.
        psycopg.Error: the database failed; nothing is charged.
    """
    begun, kin = await _begin(connection, orders, seen, opening=False), None
    if begun.opens():
        await connection.execute("ROLLBACK")
        begun = await _begin(connection, orders, seen, opening=True)
        kin = await _charged_kin(connection, begun.orders)
    states, outcomes, admitted = begun.states, list[Outcome](), list[Order]()
    for order in begun.orders:
        try:
            if kin is not None:
                _check_kin(order, states, kin)
            order.check(states)
        except (BudgetExhaustedError, StaleBudgetError) as refusal:
            outcomes.append(refusal)
            continue
        outcomes.append(order.receipt(states))
        admitted.append(order)
        for account, name in order.names.items():
            states[name] = replace(states[name], spent=states[name].spent + order.prices[account])
    if admitted:
        await _record(connection, admitted, opens=kin is not None)
    else:
        await connection.execute("ROLLBACK")
    return outcomes


async def _begin(connection: Connection, orders: Sequence[Order], seen: uuid.UUID | None, *, opening: bool) -> _Begun:
    """Begin a transaction and lock the accounts; `opening` if some of them are charged for the first time."""
    async with connection.pipeline():
        await connection.execute(_BEGIN)
        if opening:
            await connection.execute(_ONE_OPENS)
        known = await _opened(connection, orders)
        placed = _placed(orders, known)
        names = sorted({name for order in placed for name in order.names.values()})
        await connection.execute(_OPEN_ACCOUNTS, (names,))
        locked = await connection.execute(_LOCK_ACCOUNTS, {"seen": seen, "accounts": names})
    rows = await locked.fetchall()
    if not all(is_there for is_there, *_ in rows):
        raise RolledBackError
    return _Begun(placed, known, audit.states(state for _, *state in rows))


async def _charged_kin(connection: Connection, orders: Sequence[Order]) -> set[str]:
    """The accounts that were charged over the same rows as those of orders."""
    wholes = sorted({kin.whole for order in orders for kin in order.kin.values()})
    return {account async for (account,) in await connection.execute(_KIN, (wholes,))} if wholes else set()


def _check_kin(order: Order, states: Mapping[str, AccountState], charged: set[str]) -> None:
    """Refuse the first charge of an account whose kin have spent something that would not count.

    Args:
        order: as it is placed.
        states: what was spent, also by the orders before it.
        charged: the kin of accounts that were charged before all of them.
    """
    charged = charged | {name for name, state in states.items() if state.spent != Price.zero()}
    for account, kin in order.kin.items():
        if states[order.names[account]].spent == Price.zero():
            other = next(kin.strangers(charged), None)
            if other is not None:
                raise StaleBudgetError(account, other)


def _rows(rows: Sequence[Mapping[str, object]]) -> str:
    """Rows as one JSON text, which takes psycopg a tenth of the time of arrays. Amounts are texts, and so exact."""
    return json.dumps(rows, default=str)


async def _record(connection: Connection, orders: Sequence[Order], *, opens: bool) -> None:
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
            if opens:
                await open_windows(connection, [window for order in orders for window in order.opens()])
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
