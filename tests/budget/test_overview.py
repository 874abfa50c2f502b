"""The ledger as the dashboard reads it: over time, with what was kept of texts, and without a way to write."""

from __future__ import annotations

import asyncio
import datetime as dt
from decimal import Decimal
from fractions import Fraction

import pytest

from proxy.budget.answers import Answers
from proxy.budget.ledger import Ledger
from proxy.budget.overview import Clipped, LedgerReader, Overview
from proxy.errors import LedgerUnavailableError
from proxy.lending import Connection
from tests.budget.support import TABLE, charge, execute, of_table, pure, with_ledger
from tests.budget.test_clipping_records import ANSWER, TOLD

HOUR = dt.timedelta(hours=1)


def overview(dsn: str, since: dt.timedelta = HOUR) -> Overview:
    async def read() -> Overview:
        reader = LedgerReader(dsn)
        await reader.open()
        try:
            return await reader.overview(dt.datetime.now(dt.UTC) - since, 10, 10)
        finally:
            await reader.close()

    return asyncio.run(read())


async def _two_charges(ledger: Ledger) -> None:
    await charge(ledger, of_table(pure("0.5")), block="block")
    await ledger.charge("bob", of_table(pure("0.25")), "other", "label", query="SELECT ?")
    await Answers(ledger.database).store("block", "ana", ANSWER, TOLD)
    await ledger.grant(TABLE, Fraction(1, 2), Fraction(0), "a revision")


def test_what_was_spent_is_told_by_account_analyst_and_hour(dsn: str) -> None:
    with_ledger(dsn, _two_charges)
    found = overview(dsn)
    assert sorted((part.account, part.analyst, part.charges, part.price) for part in found.spent) == [
        (TABLE, "ana", 1, pure("0.5")),
        (TABLE, "bob", 1, pure("0.25")),
    ]
    assert found.states[TABLE].spent == pure("0.5") + pure("0.25")
    assert [(record.analyst, record.query) for record in found.charges] == [("bob", "SELECT ?"), ("ana", None)]
    (clipped,) = found.clipped
    assert clipped == Clipped(clipped.at, "SELECT count(*) FROM visits", TOLD.share, TOLD.text)
    assert [(grant.account, grant.epsilon, grant.delta, grant.reason) for grant in found.granted] == [
        (TABLE, Decimal("0.5"), Decimal(0), "a revision")
    ]
    assert overview(dsn, -HOUR).spent == []


def test_who_reads_for_the_dashboard_cannot_write(dsn: str) -> None:
    with_ledger(dsn, _two_charges)

    async def spoil() -> None:
        reader = LedgerReader(dsn)
        await reader.open()

        async def write(connection: Connection) -> None:
            await connection.execute("UPDATE dpproxy.account SET rho = 0")

        try:
            with pytest.raises(LedgerUnavailableError):
                await reader._database.run(write)
        finally:
            await reader.close()

    asyncio.run(spoil())
    assert execute(dsn, "SELECT rho > 0 FROM dpproxy.account") == [(True,)]


def test_texts_may_be_deleted_and_nothing_else_changes(dsn: str) -> None:
    with_ledger(dsn, _two_charges)
    execute(dsn, "DELETE FROM dpproxy.statement")
    assert [record.query for record in overview(dsn).charges] == [None, None]
    assert with_ledger(dsn, lambda ledger: ledger.verify()) == []


def test_what_is_no_ledger_yet_is_not_made_one(dsn: str) -> None:
    with pytest.raises(LedgerUnavailableError):
        overview(dsn)
    assert execute(dsn, "SELECT count(*) FROM pg_namespace WHERE nspname = 'dpproxy'") == [(0,)]
