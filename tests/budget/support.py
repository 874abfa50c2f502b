"""Short names for what every ledger test needs: accounts, prices, an open ledger, and another session beside it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from fractions import Fraction
from typing import Any, TypeVar

import psycopg
import pytest

from proxy.budget import ledger_tables
from proxy.budget.ledger import Ledger
from proxy.budget.order import AccountCharge, Receipt
from proxy.dp.accounting import Account, Price

Result = TypeVar("Result")

TABLE = "table:public.visits"
WAIT_SECONDS = 20


def promise(epsilon: str, delta: str = "0") -> Account:
    """The limit of an account, from decimal text."""
    return Account(Fraction(epsilon), Fraction(delta))


def pure(epsilon: str) -> Price:
    """The price of a Laplace release."""
    return Price.laplace(Fraction(epsilon))


def of_table(price: Price, limit: Account | None = None) -> list[AccountCharge]:
    """A charge of one account, with a limit of epsilon 10 unless told."""
    return [AccountCharge(TABLE, limit or promise("10"), price)]


async def charge(ledger: Ledger, charges: list[AccountCharge], block: str = "block", analyst: str = "ana") -> Receipt:
    """Charge with a statement label that no test looks at."""
    return await ledger.charge(analyst, charges, block, "SELECT count(*) FROM visits")


@asynccontextmanager
async def open_ledger(dsn: str, *, patience_seconds: float = 10) -> AsyncIterator[Ledger]:
    """A ledger between `open` and `close`."""
    ledger = Ledger(dsn, patience_seconds=patience_seconds)
    await ledger.open()
    try:
        yield ledger
    finally:
        await ledger.close()


def with_ledger(dsn: str, work: Callable[[Ledger], Coroutine[Any, Any, Result]]) -> Result:
    """Run `work` on an open ledger in an event loop of its own."""

    async def run() -> Result:
        async with open_ledger(dsn) as ledger:
            return await work(ledger)

    return asyncio.run(run())


def execute(dsn: str, statement: str) -> list[tuple[Any, ...]]:
    """Run one statement as the owner of the database; its rows, if it has any."""
    with psycopg.connect(dsn, autocommit=True) as connection:
        cursor = connection.execute(statement.encode())
        return cursor.fetchall() if cursor.description else []


def older_ledger(dsn: str, version: int, block: str) -> None:
    """Make a ledger as the release that wrote `version` left it, in which ana has paid epsilon 0.5 for `block`."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ledger_tables, "_MIGRATIONS", ledger_tables._MIGRATIONS[:version])
        patch.setattr(ledger_tables, "VERSION", version)
        with_ledger(dsn, Ledger.accounts)
    epsilon, rho, delta = pure("0.5").as_decimals()
    amounts = f"{epsilon}, {rho}, {delta}"
    execute(dsn, f"INSERT INTO dpproxy.account VALUES ('{TABLE}', {amounts})")
    execute(
        dsn,
        f"""
        WITH made AS (INSERT INTO dpproxy.charge (charge_id, account, analyst, epsilon, rho, delta, block, statement)
                      VALUES (gen_random_uuid(), '{TABLE}', 'ana', {amounts}, '{block}', '') RETURNING charge_id)
        INSERT INTO dpproxy.payment SELECT '{block}', 'ana', charge_id FROM made
        """,
    )


async def terminate_when(dsn: str, condition: str) -> None:
    """Wait until a ledger session of this database is in a state, and terminate it.

    Args:
        dsn: of the database.
        condition: over `pg_stat_activity`.
    """
    await asyncio.to_thread(_terminate_when, dsn, condition)


def _terminate_when(dsn: str, condition: str) -> None:
    terminate = f"""
        SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE application_name = 'dpproxy ledger' AND datname = current_database() AND {condition}
    """
    deadline = time.monotonic() + WAIT_SECONDS
    while not execute(dsn, terminate):
        assert time.monotonic() < deadline, f"no ledger session with {condition}"
        time.sleep(0.005)
