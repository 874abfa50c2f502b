"""The ledger: every charge is durable before the private database is asked (decision 6, theorem 15).

A charge is one transaction: it locks the totals of its accounts in a fixed order, asks `Account.admits` for each,
appends to `charge`, updates the totals, and commits to disk. So no two charges are decided on the same remainder,
however many proxies share the ledger, and a process killed at any moment loses no charge that it acted upon. Nothing is
ever refunded.

The decision is made here and not in SQL because the amounts of ε and ρ are exact rationals. It depends on earlier
charges and on the caller's limits: never on a clock, never on private data.
"""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction
from typing import Final

import psycopg

from proxy.budget import audit
from proxy.budget.audit import ChargeRecord
from proxy.budget.database import LedgerDatabase, unavailable
from proxy.budget.exhausted import budget_exhausted
from proxy.budget.precisions import Step
from proxy.dp.accounting import Account, Price, Remaining, exact_decimal
from proxy.lending import Connection

STATEMENT_CHARACTERS: Final = 1000
"""The most characters of a statement's text that the ledger keeps, so that people can recognise it."""

# Not repeatable read: the totals must be read as they are when we hold the locks.
_BEGIN: Final = "BEGIN ISOLATION LEVEL READ COMMITTED"

_OPEN_ACCOUNTS: Final = """
INSERT INTO dpproxy.account (account) SELECT name FROM unnest(%s::text[]) AS name ORDER BY name
ON CONFLICT (account) DO NOTHING
"""

# In a fixed order, so that charges never wait for each other in a circle.
_LOCK_ACCOUNTS: Final = """
SELECT account, epsilon, rho, delta FROM dpproxy.account WHERE account = ANY (%s) ORDER BY account FOR UPDATE
"""

_RECORD: Final = """
WITH price AS (
    SELECT * FROM unnest(%(accounts)s::text[], %(epsilons)s::numeric[], %(rhos)s::numeric[], %(deltas)s::numeric[])
                  AS price (account, epsilon, rho, delta)
), recorded AS (
    INSERT INTO dpproxy.charge (charge_id, account, analyst, epsilon, rho, delta, block, statement)
    SELECT %(charge_id)s, account, %(analyst)s, epsilon, rho, delta, %(block)s, %(statement)s FROM price
), totals AS (
    UPDATE dpproxy.account
    SET epsilon = account.epsilon + price.epsilon, rho = account.rho + price.rho, delta = account.delta + price.delta
    FROM price WHERE account.account = price.account
)
INSERT INTO dpproxy.payment (block, analyst, charge_id) VALUES (%(block)s, %(analyst)s, %(charge_id)s)
ON CONFLICT (block, analyst) DO NOTHING
"""

_STEP: Final = """
INSERT INTO dpproxy.precision (family, payer, number, charge_id, rho)
SELECT family, payer, number, %s, rho
FROM unnest(%s::text[], %s::text[], %s::integer[], %s::numeric[]) AS step (family, payer, number, rho)
"""


class OutpacedError(Exception):
    """Another session has paid for a step that this charge is for. Nothing was charged: decide anew."""


@dataclass(frozen=True)
class AccountCharge:
    """One account that pays.

    Attributes:
        account: its permanent name, such as "table:public.visits", "analyst:ana:public.visits" or "unit:patient".
        limit: what the policy lets it spend in total, as the policy is now.
        price: of this release.
        stated: the epsilon that the price is for, and the least one that could be stated instead; None if the price
            does not follow from an epsilon alone.
    """

    account: str
    limit: Account
    price: Price
    stated: tuple[Fraction, Fraction] | None = None


@dataclass(frozen=True)
class Receipt:
    """A charge that is on disk.

    Attributes:
        charge_id: of its rows in the ledger.
        remaining: what each account has left, by name.
    """

    charge_id: uuid.UUID
    remaining: Mapping[str, Remaining]


@dataclass(frozen=True)
class _Order:
    """A charge as it will be recorded, with one price for each account; prepared before any lock is taken."""

    charge_id: uuid.UUID
    analyst: str
    block: str
    statement: str
    limits: Mapping[str, Account]
    prices: Mapping[str, Price]
    stated: tuple[Fraction, Fraction] | None
    steps: Sequence[Step]

    def check(self, spent: Mapping[str, Price]) -> None:
        """Raise BudgetExhaustedError for the first account, by name, that cannot pay."""
        for name, price in sorted(self.prices.items()):
            if not self.limits[name].admits(spent[name], price):
                raise budget_exhausted(name, price, self.limits[name].remaining(spent[name]), self._payable(spent))

    def _payable(self, spent: Mapping[str, Price]) -> Fraction | None:
        """The largest epsilon that all accounts could pay for; None if there is none, or it cannot be told."""
        if self.stated is None:
            return None
        epsilon, least = self.stated
        most = epsilon * min(self.limits[name].payable_share(spent[name], price) for name, price in self.prices.items())
        return most if most >= least else None

    def receipt(self, spent: Mapping[str, Price]) -> Receipt:
        """What is left once this order is added to `spent`."""
        return Receipt(
            self.charge_id,
            {name: self.limits[name].remaining(spent[name] + price) for name, price in self.prices.items()},
        )

    def parameters(self) -> dict[str, object]:
        """The arguments of `_RECORD`."""
        amounts = [price.as_decimals() for price in self.prices.values()]
        return {
            "charge_id": self.charge_id,
            "analyst": self.analyst,
            "block": self.block,
            "statement": self.statement,
            "accounts": list(self.prices),
            "epsilons": [epsilon for epsilon, _, _ in amounts],
            "rhos": [rho for _, rho, _ in amounts],
            "deltas": [delta for _, _, delta in amounts],
        }

    def paid_steps(self) -> tuple[object, ...]:
        """The arguments of `_STEP`."""
        columns = [[step.family, step.payer, step.number, exact_decimal(step.rho)] for step in self.steps]
        return (self.charge_id, *map(list, zip(*columns, strict=True)))


class Ledger:
    """The accounts of one policy, in a Postgres database that any number of proxies may share.

    Args:
        dsn: connection string of a database that dpproxy may write to; its tables live in the schema `dpproxy`.
        patience_seconds: how long a charge waits for others that charge the same account before it fails.
    """

    def __init__(self, dsn: str, *, patience_seconds: float = 10) -> None:
        self.database = LedgerDatabase(dsn, patience_seconds=patience_seconds)

    async def open(self) -> None:
        """Connect, and create or migrate the tables.

        Raises:
            LedgerUnavailableError: the database cannot be reached or written, or a newer release has written it.
        """
        await self.database.open()

    async def close(self) -> None:
        """Close the connections."""
        await self.database.close()

    async def charge(
        self,
        analyst: str,
        charges: Sequence[AccountCharge],
        block: str,
        statement_label: str,
        steps: Sequence[Step] = (),
    ) -> Receipt:
        """Charge all accounts or none, durably, and record that `analyst` has paid for `block`.

        Two calls are two charges, even for the same block. If the task is cancelled or the connection breaks while the
        transaction commits, the charge may be recorded: it must not be acted on, and it is not refunded.

        Args:
            analyst: who asks.
            charges: who pays what, at least one; several prices for one account are added up.
            block: hash of the canonical block to be measured.
            statement_label: the statement's text, for `history`; the first `STATEMENT_CHARACTERS` are kept.
            steps: up to which precision payers have paid with this charge (`precisions`).

        Raises:
            BudgetExhaustedError: an account's `limit` does not admit the price (`Account.admits`); nothing is charged.
            OutpacedError: one of the steps is paid already; nothing is charged.
            LedgerUnavailableError: the ledger could not record it, or its answer was lost in the commit.
            ValueError: no charges, or one account with two limits.
        """
        order = _order(analyst, charges, block, statement_label, steps)

        async def settle(connection: Connection) -> Receipt:
            spent = await _lock_accounts(connection, sorted(order.prices))
            order.check(spent)
            await _record(connection, order)
            return order.receipt(spent)

        return await self.database.run(settle)

    async def check(self, charges: Sequence[AccountCharge]) -> None:
        """Could all accounts pay now? Only `charge` decides; this saves the source questions that cannot be paid.

        Raises:
            BudgetExhaustedError: an account's `limit` does not admit the price.
            LedgerUnavailableError: the database failed.
            ValueError: no charges, or one account with two limits.
        """
        order = _order("", charges, "", "")

        async def read(connection: Connection) -> dict[str, Price]:
            return await audit.read_total_of_each(connection, list(order.prices))

        order.check(await self.database.run(read))

    async def spent(self, account: str) -> Price:
        """The sum of all charges of `account`; zero for one that was never charged.

        Raises:
            LedgerUnavailableError: the database failed.
        """

        async def read(connection: Connection) -> Price:
            return (await audit.read_total_of_each(connection, [account]))[account]

        return await self.database.run(read)

    async def accounts(self) -> dict[str, Price]:
        """What every account has spent, ordered by name.

        Raises:
            LedgerUnavailableError: the database failed.
        """
        return await self.database.run(audit.read_totals)

    async def history(self, limit: int, analyst: str | None = None) -> list[ChargeRecord]:
        """The last `limit` records, newest first, of everybody or of one analyst.

        Raises:
            LedgerUnavailableError: the database failed.
        """

        async def read(connection: Connection) -> list[ChargeRecord]:
            return await audit.read_history(connection, limit, analyst)

        return await self.database.run(read)

    async def paid_at(self, analyst: str, blocks: list[str]) -> dict[str, datetime]:
        """When `analyst` was last charged for each of `blocks`, for display; those without a charge are left out.

        Raises:
            LedgerUnavailableError: the database failed.
        """

        async def read(connection: Connection) -> dict[str, datetime]:
            return await audit.read_times(connection, analyst, blocks)

        return await self.database.run(read) if blocks else {}

    async def verify(self) -> list[str]:
        """Recompute every total from the charges; one sentence for each discrepancy.

        Raises:
            LedgerUnavailableError: the database failed.
        """
        return await self.database.run(audit.find_discrepancies)


def _order(
    analyst: str, charges: Sequence[AccountCharge], block: str, statement_label: str, steps: Sequence[Step] = ()
) -> _Order:
    """Add up the prices of each account and give the charge its identity."""
    if not charges:
        raise ValueError("a charge needs an account that pays")
    limits: dict[str, Account] = {}
    prices: dict[str, Price] = {}
    for charge in charges:
        if limits.setdefault(charge.account, charge.limit) != charge.limit:
            raise ValueError(f"account {charge.account!r} has two limits")
        prices[charge.account] = prices.get(charge.account, Price.zero()) + charge.price
    (stated, *others) = {charge.stated for charge in charges}
    label = statement_label[:STATEMENT_CHARACTERS]
    return _Order(uuid.uuid4(), analyst, block, label, limits, prices, None if others else stated, steps)


async def _lock_accounts(connection: Connection, names: list[str]) -> dict[str, Price]:
    """Begin the transaction and lock the accounts, in one round trip; returns what each has spent."""
    async with connection.pipeline():
        await connection.execute(_BEGIN)
        await connection.execute(_OPEN_ACCOUNTS, (names,))
        locked = await connection.execute(_LOCK_ACCOUNTS, (names,))
    return audit.totals(await locked.fetchall())


async def _record(connection: Connection, order: _Order) -> None:
    """Write and commit in one round trip. From here on a failure may hide a recorded charge, so nothing is repeated."""
    try:
        async with connection.pipeline():
            await connection.execute(_RECORD, order.parameters())
            if order.steps:
                await connection.execute(_STEP, order.paid_steps())
            committed = await connection.execute("COMMIT")
    except psycopg.errors.UniqueViolation as failure:
        raise OutpacedError from failure
    except psycopg.Error as failure:
        detail = "Whether the charge was recorded is unknown; if it was, it stays." if connection.broken else None
        raise unavailable(failure, rule="charge_not_confirmed", detail=detail) from failure
    if committed.statusmessage != "COMMIT":  # Postgres answers ROLLBACK, and no error, for a failed transaction
        raise unavailable(None, rule="charge_not_confirmed")
