"""The ledger: every charge is durable before the private database is asked (decision 6, theorem 15).

A charge is part of one transaction: it locks the totals of its accounts in a fixed order, asks `Account.admits` for
each, appends to `charge`, updates the totals, and commits to disk (`settling`: those that wait go together). So no two
charges are decided on the same remainder, however many proxies share the ledger, and a process killed at any moment
loses no charge that it acted upon. Nothing is ever refunded.

The decision is made here and not in SQL because the amounts of ε and ρ are exact rationals. It depends on earlier
charges, on grants and on the caller's limits, never on private data. The clock decides in which window an account that
renews is charged: each window is an account of its own, and once one has begun no clock leads back to an earlier one.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Final

from proxy.budget import audit
from proxy.budget.audit import ChargeRecord
from proxy.budget.coverage import PaidTogether, read_paid_together
from proxy.budget.database import LedgerDatabase
from proxy.budget.order import AccountCharge, AccountState, Opened, Order, Receipt, order_of
from proxy.budget.precisions import Step
from proxy.budget.settling import Settler, open_windows, placed_orders
from proxy.dp.accounting import Price, exact_decimal
from proxy.lending import Connection

_GRANT: Final = """
INSERT INTO dpproxy.granted (account, epsilon, delta, reason) VALUES (%s, %s, %s, %s)
"""


class Ledger:
    """The accounts of one policy, in a Postgres database that any number of proxies may share.

    Args:
        dsn: connection string of a database that dpproxy may write to; its tables live in the schema `dpproxy`.
        patience_seconds: how long a charge waits for others that charge the same account before it fails.
    """

    def __init__(self, dsn: str, *, patience_seconds: float = 10) -> None:
        self.database = LedgerDatabase(dsn, patience_seconds=patience_seconds)
        self._settler = Settler(self.database)

    async def open(self, *, begins: bool = True) -> None:
        """Connect, and create or migrate the tables.

        Args:
            begins: may a ledger begin where there is none?

        Raises:
            NoLedgerError: there is none, and none may begin.
            LedgerUnavailableError: the database cannot be reached or written, or a newer release has written it.
        """
        await self.database.open(begins=begins)

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
        query: str | None = None,
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
            query: what is kept of the statement's text; None for nothing.

        Raises:
            BudgetExhaustedError: an account's `limit` does not admit the price (`Account.admits`); nothing is charged.
            StaleBudgetError: what an account's kin have spent would not count; nothing is charged.
            OutpacedError: one of the steps is paid already; nothing is charged.
            LedgerUnavailableError: the ledger could not record it, or its answer was lost in the commit.
            ValueError: no charges, or one account with two limits.
        """
        return await self._settler.settle(order_of(analyst, charges, block, statement_label, steps, query))

    async def check(self, charges: Sequence[AccountCharge]) -> None:
        """Could all accounts pay now? Only `charge` decides; this saves the source questions that cannot be paid.

        Raises:
            BudgetExhaustedError: an account's `limit` does not admit the price.
            LedgerUnavailableError: the database failed.
            ValueError: no charges, or one account with two limits.
        """
        prepared = order_of("", charges, "", "")

        async def read(connection: Connection) -> tuple[Order, dict[str, AccountState]]:
            (order,) = await placed_orders(connection, [prepared])
            return order, await audit.read_states(connection, list(order.names.values()))

        order, states = await self.database.run(read)
        order.check(states)

    async def spent(self, account: str) -> Price:
        """The sum of all charges of `account`, as the ledger names it; zero for one that was never charged.

        Raises:
            LedgerUnavailableError: the database failed.
        """
        return (await self.states()).get(account, AccountState()).spent

    async def accounts(self) -> dict[str, Price]:
        """What every account has spent, ordered by name; each window of one that renews has a name of its own.

        Raises:
            LedgerUnavailableError: the database failed.
        """
        return await self.database.run(audit.read_totals)

    async def states(self) -> dict[str, AccountState]:
        """What every account has spent and was granted, by the ledger's names.

        Raises:
            LedgerUnavailableError: the database failed.
        """

        async def read(connection: Connection) -> dict[str, AccountState]:
            return await audit.read_states(connection, None)

        return await self.database.run(read)

    async def opened(self) -> dict[str, Opened]:
        """The windows of each account that renews, by its own name.

        Raises:
            LedgerUnavailableError: the database failed.
        """
        return await self.database.run(audit.read_opened)

    async def note_ends(self, windows: Mapping[str, tuple[dt.datetime, dt.datetime]]) -> None:
        """Record when windows end that an older release has opened, which did not say so.

        Args:
            windows: by the account's own name, the beginning and the end.

        Raises:
            LedgerUnavailableError: the database failed.
        """

        async def write(connection: Connection) -> None:
            rows = [(account, start, end) for account, (start, end) in windows.items()]
            await open_windows(connection, rows)

        await self.database.run(write)

    async def grant(self, account: str, epsilon: Fraction, delta: Fraction, reason: str) -> None:
        """Give an account more than the policy does, for ever on record.

        Args:
            account: as the ledger names it: of an account that renews, one window.
            epsilon: >= 0, at most 30 digits after the point, and so is `delta`.
            delta: >= 0.
            reason: why, in words.

        Raises:
            LedgerUnavailableError: the database failed.
            ValueError: nothing is granted, or amounts are negative.
        """
        if min(epsilon, delta) < 0 or not (epsilon or delta):
            raise ValueError("a grant is more than nothing")
        amounts = (exact_decimal(epsilon), exact_decimal(delta))

        async def write(connection: Connection) -> None:
            await connection.execute(_GRANT, (account, *amounts, reason))

        await self.database.run(write)

    async def history(self, limit: int, analyst: str | None = None) -> list[ChargeRecord]:
        """The last `limit` records, newest first, of everybody or of one analyst.

        Raises:
            LedgerUnavailableError: the database failed.
        """

        async def read(connection: Connection) -> list[ChargeRecord]:
            return await audit.read_history(connection, limit, analyst)

        return await self.database.run(read)

    async def paid_at(self, analyst: str, blocks: list[str]) -> dict[str, dt.datetime]:
        """When `analyst` was last charged for each of `blocks`, for display; those without a charge are left out.

        Raises:
            LedgerUnavailableError: the database failed.
        """

        async def read(connection: Connection) -> dict[str, dt.datetime]:
            return await audit.read_times(connection, analyst, blocks)

        return await self.database.run(read) if blocks else {}

    async def spending(self, by: audit.By) -> list[tuple[str | None, ...]]:
        """What was spent of the accounts of tables: by analyst, by table or by day (in UTC), as texts.

        Returns:
            Rows of that, the number of charges, and the ε (None if one was not pure), ρ and δ that they add up to. A
                charge to several windows of time of a table is one charge, and counts with what each of them paid; only
                by table each window is told by itself, and what protects units over all of them.

        Raises:
            LedgerUnavailableError: the database failed.
        """

        async def read(connection: Connection) -> list[tuple[str | None, ...]]:
            return await audit.read_spending(connection, by)

        return await self.database.run(read)

    async def exported(self) -> list[str]:
        """Every charge and every grant, in order, each as a JSON object.

        Raises:
            LedgerUnavailableError: the database failed.
        """
        return await self.database.run(audit.read_export)

    async def paid_together(self, starts: Sequence[dt.datetime]) -> list[PaidTogether]:
        """All charges by analyst, by the accounts that paid for them together, and by how many of `starts` had begun.

        Raises:
            LedgerUnavailableError: the database failed.
        """

        async def read(connection: Connection) -> list[PaidTogether]:
            return await read_paid_together(connection, starts)

        return await self.database.run(read)

    async def verify(self) -> list[str]:
        """Recompute every total from the charges; one sentence for each discrepancy.

        Raises:
            LedgerUnavailableError: the database failed.
        """
        return await self.database.run(audit.find_discrepancies)
