"""An older copy that takes the place of a ledger in use: nothing more is charged, now and after a restart."""

from __future__ import annotations

import asyncio
import contextlib
import time

import psycopg
import pytest
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from proxy.budget import witness
from proxy.budget.ledger import Ledger
from proxy.budget.witness import Witness
from proxy.errors import LedgerUnavailableError
from tests.budget.support import TABLE, WAIT_SECONDS, charge, execute, of_table, open_ledger, pure
from tests.budget.test_witness import copy_of, serve, stage

__all__ = ["stage"]

SAID = "the ledger was replaced by an older copy while dpproxy runs: charge "


def replace(dsn: str, copy: str) -> None:
    """Let a copy take the place of a database, which is kept under the copy's name with "_newest" behind."""
    server = make_conninfo(dsn, dbname="postgres")
    name, other = (str(conninfo_to_dict(each)["dbname"]) for each in (dsn, copy))
    with psycopg.connect(server, autocommit=True) as connection:
        for old, new in ((name, f"{other}_newest"), (other, name)):
            connection.execute(f"ALTER DATABASE {old} ALLOW_CONNECTIONS false".encode())
            connection.execute(
                f"SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE datname = '{old}'".encode()
            )
            connection.execute(f"ALTER DATABASE {old} RENAME TO {new}".encode())
            connection.execute(f"ALTER DATABASE {new} ALLOW_CONNECTIONS true".encode())


def noted(stage: str) -> object:
    ((charge_id,),) = execute(stage, "SELECT charge_id FROM dpproxy_witness.seen")
    return charge_id


async def refused(ledger: Ledger) -> None:
    with pytest.raises(LedgerUnavailableError, match="has lost charges, so nothing is charged") as refusal:
        await charge(ledger, of_table(pure("0.01")))
    assert refusal.value.rule == "ledger-copy"
    assert "older copy" in (refusal.value.detail or "")
    assert "operator" in (refusal.value.hint or "")


def restored(dsn: str, copy: str) -> None:
    """The newest one is back."""
    server = make_conninfo(dsn, dbname="postgres")
    name, other = (str(conninfo_to_dict(each)["dbname"]) for each in (dsn, copy))
    execute(server, f"ALTER DATABASE {name} RENAME TO {other}")
    execute(server, f"ALTER DATABASE {other}_newest RENAME TO {name}")


def test_the_next_charge_finds_that_the_last_one_is_missing(
    dsn: str, stage: str, caplog: pytest.LogCaptureFixture
) -> None:
    """Nothing is noted yet of what is missing: the next start does not take the copy all the same."""

    async def run() -> None:
        async with open_ledger(dsn) as ledger:
            watching = Witness(ledger.database, stage)
            await watching.start()
            last = await charge(ledger, of_table(pure("0.01")))
            replace(dsn, copy)
            for _ in range(2):
                await refused(ledger)
            with pytest.raises(LedgerUnavailableError, match="has lost charges"):
                await ledger.check(of_table(pure("0.01")))
            await watching.stop()
            assert noted(stage) == last.charge_id
            assert caplog.text.count(f"{SAID}{last.charge_id}") == 1

    asyncio.run(serve(dsn, stage, 1))
    copy = copy_of(dsn, "lagging_replica")
    asyncio.run(run())
    assert execute(dsn, f"SELECT epsilon FROM dpproxy.account WHERE account = '{TABLE}'") == [(pure("0.01").epsilon,)]
    with pytest.raises(LedgerUnavailableError, match="the ledger is an older copy"):
        asyncio.run(serve(dsn, stage))
    restored(dsn, copy)
    asyncio.run(serve(dsn, stage, 1))


def test_a_charge_of_an_earlier_start_that_is_missing_is_found_by_the_first_one(dsn: str, stage: str) -> None:
    asyncio.run(serve(dsn, stage, 1))
    copy = copy_of(dsn, "replica_before_the_start")
    asyncio.run(serve(dsn, stage, 1))

    async def run() -> None:
        async with open_ledger(dsn) as ledger:
            watching = Witness(ledger.database, stage)
            await watching.start()
            replace(dsn, copy)
            await refused(ledger)
            await watching.stop()

    asyncio.run(run())


def test_a_mark_is_not_moved_where_its_charge_is_missing(
    dsn: str, stage: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """What others charge to the older copy does not hide what is missing in it."""

    async def run() -> None:
        async with open_ledger(dsn) as ledger:
            watching = Witness(ledger.database, stage)
            await watching.start()
            last = await charge(ledger, of_table(pure("0.01")))
            deadline = time.monotonic() + WAIT_SECONDS
            while noted(stage) != last.charge_id:
                assert time.monotonic() < deadline
                await asyncio.sleep(0.05)
            async with open_ledger(copy) as others:
                for _ in range(3):
                    await charge(others, of_table(pure("0.01")))
            replace(dsn, copy)
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(ledger.database.lost.wait(), WAIT_SECONDS)
            assert f"{SAID}{last.charge_id}" in caplog.text
            await refused(ledger)
            await watching.stop()
            assert noted(stage) == last.charge_id

    asyncio.run(serve(dsn, stage, 1))
    copy = copy_of(dsn, "replica_that_others_use")
    monkeypatch.setattr(witness, "_NOTED_EVERY", 0.1)
    asyncio.run(run())
    with pytest.raises(LedgerUnavailableError, match="the ledger is an older copy"):
        asyncio.run(serve(dsn, stage))
