"""The ledger's database fails in every way: nothing is free, nothing is charged twice (attacks 29, 32)."""

from __future__ import annotations

import asyncio
import random
import tempfile
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from psycopg.conninfo import make_conninfo

from proxy.budget.ledger import Ledger
from proxy.budget.order import Receipt
from proxy.dp.accounting import Price
from proxy.errors import LedgerUnavailableError
from proxy.lending import Connection
from tests.budget.relay import relayed
from tests.budget.support import (
    TABLE,
    charge,
    execute,
    of_table,
    open_ledger,
    promise,
    pure,
    terminate_when,
    with_ledger,
)

PURE = pure("0.5")
COMMIT = b"COMMIT\0"

SLEEP_IN_COMMIT = """
CREATE FUNCTION public.slow() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(10); RETURN NULL; END $$;
CREATE CONSTRAINT TRIGGER slow AFTER INSERT ON dpproxy.charge DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION public.slow()
"""

DISK_FULL = """
CREATE FUNCTION public.full() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = 'disk_full'; END $$;
CREATE {kind} TRIGGER disk_full AFTER INSERT ON dpproxy.charge {timing} FOR EACH ROW EXECUTE FUNCTION public.full()
"""


@pytest.fixture
def socket_directory() -> Iterator[Path]:
    """A directory whose name is short enough for a Unix socket."""
    with tempfile.TemporaryDirectory(prefix="relay") as directory:
        yield Path(directory)


async def assert_unavailable(ledger: Ledger, rule: str) -> LedgerUnavailableError:
    with pytest.raises(LedgerUnavailableError) as failure:
        await charge(ledger, of_table(PURE))
    assert (failure.value.sqlstate, failure.value.rule) == ("57P03", rule)
    return failure.value


def test_the_operator_is_told_of_a_server_that_can_forget_a_charge(dsn: str, caplog: pytest.LogCaptureFixture) -> None:
    async def work(_ledger: Ledger) -> None:
        assert ("fsync = off" in caplog.text) == (execute(dsn, "SHOW fsync") == [("off",)])

    with_ledger(dsn, work)


def test_idle_connections_that_a_restart_has_broken_are_replaced(dsn: str) -> None:
    async def work(ledger: Ledger) -> None:
        await asyncio.gather(*(charge(ledger, of_table(PURE, promise("100"))) for _ in range(16)))
        await terminate_when(dsn, "state = 'idle'")
        receipt = await charge(ledger, of_table(PURE, promise("100")))
        assert (await ledger.spent(TABLE)).epsilon == 17 * (PURE.epsilon or 0)
        assert receipt.charge_id == (await ledger.history(1))[0].charge_id

    with_ledger(dsn, work)


def test_a_connection_lost_while_waiting_for_the_account_is_charged_once(dsn: str) -> None:
    async def work(ledger: Ledger) -> None:
        await charge(ledger, of_table(PURE))
        async with await psycopg.AsyncConnection.connect(dsn) as rival:
            await rival.execute("SELECT FROM dpproxy.account FOR UPDATE")
            waiting = asyncio.ensure_future(charge(ledger, of_table(PURE)))
            await terminate_when(dsn, "wait_event_type = 'Lock'")
        await waiting
        assert await ledger.spent(TABLE) == PURE + PURE
        assert await ledger.verify() == []

    with_ledger(dsn, work)


def test_a_connection_terminated_in_commit_fails_closed(dsn: str) -> None:
    async def work(ledger: Ledger) -> None:
        execute(dsn, SLEEP_IN_COMMIT)
        committing = asyncio.ensure_future(assert_unavailable(ledger, "charge_not_confirmed"))
        await terminate_when(dsn, "wait_event = 'PgSleep'")
        await committing
        assert await ledger.spent(TABLE) == Price.zero()
        assert await ledger.verify() == []

    with_ledger(dsn, work)


def test_a_commit_whose_reply_is_lost_stays_charged_and_is_not_acted_upon(dsn: str, socket_directory: Path) -> None:
    async def work() -> None:
        async with relayed(dsn, socket_directory) as (relay, dsn_of_relay), open_ledger(dsn_of_relay) as ledger:
            await charge(ledger, of_table(PURE))
            relay.cut_reply_to = COMMIT
            failure = await assert_unavailable(ledger, "charge_not_confirmed")
            assert relay.replies_lost == 1
            assert failure.detail is not None
            assert "unknown" in failure.detail
            relay.cut_reply_to = None
            assert await ledger.spent(TABLE) == PURE + PURE
            assert await ledger.verify() == []

    asyncio.run(work())


def test_a_server_that_falls_silent_in_commit_fails_closed(dsn: str, socket_directory: Path) -> None:
    async def work() -> None:
        async with (
            relayed(dsn, socket_directory) as (relay, dsn_of_relay),
            open_ledger(dsn_of_relay, patience_seconds=0.3) as ledger,
        ):
            await charge(ledger, of_table(PURE))
            relay.silent_after = COMMIT
            async with asyncio.timeout(5):
                await assert_unavailable(ledger, "charge_not_confirmed")

    asyncio.run(work())


@pytest.mark.parametrize(("kind", "timing"), [("", ""), ("CONSTRAINT", "DEFERRABLE INITIALLY DEFERRED")])
def test_a_full_disk_charges_nothing_and_answers_nothing(dsn: str, kind: str, timing: str) -> None:
    async def work(ledger: Ledger) -> None:
        await charge(ledger, of_table(PURE))
        execute(dsn, DISK_FULL.format(kind=kind, timing=timing))
        failure = await assert_unavailable(ledger, "charge_not_confirmed")
        assert "No space" not in f"{failure.message}{failure.detail}{failure.hint}"
        assert await ledger.spent(TABLE) == PURE
        execute(dsn, "DROP TRIGGER disk_full ON dpproxy.charge")
        await charge(ledger, of_table(PURE))
        assert await ledger.spent(TABLE) == PURE + PURE

    with_ledger(dsn, work)


def test_a_read_only_ledger_charges_nothing(dsn: str) -> None:
    async def work(ledger: Ledger) -> None:
        await charge(ledger, of_table(PURE))
        (name,) = execute(dsn, "SELECT current_database()")
        execute(dsn, f"ALTER DATABASE {name[0]} SET default_transaction_read_only = on")
        await terminate_when(dsn, "state = 'idle'")
        await assert_unavailable(ledger, "ledger_unavailable")
        assert await ledger.spent(TABLE) == PURE

    with_ledger(dsn, work)


def test_an_account_locked_for_too_long_fails_instead_of_hanging(dsn: str) -> None:
    async def work() -> None:
        async with open_ledger(dsn, patience_seconds=0.2) as ledger:
            await charge(ledger, of_table(PURE))
            async with await psycopg.AsyncConnection.connect(dsn) as rival:
                await rival.execute("SELECT FROM dpproxy.account FOR UPDATE")
                async with asyncio.timeout(5):
                    await assert_unavailable(ledger, "ledger_unavailable")
            assert await ledger.spent(TABLE) == PURE

    asyncio.run(work())


def test_a_connection_is_not_hung_up_on_once_its_work_is_done(dsn: str) -> None:
    """Else whatever it does next would be cut off: a charge in its COMMIT would be paid for nothing."""

    async def backend(connection: Connection) -> int:
        row = await (await connection.execute("SELECT pg_backend_pid()")).fetchone()
        assert row is not None
        return int(row[0])

    async def run() -> None:
        async with open_ledger(dsn, patience_seconds=0.3) as ledger:
            before = await ledger.database.run(backend)
            await asyncio.sleep(1)
            assert await ledger.database.run(backend) == before

    asyncio.run(run())


def test_a_cancelled_charge_leaves_a_ledger_that_works(dsn: str) -> None:
    moments = random.Random(20)

    async def work(ledger: Ledger) -> None:
        acknowledged = 0
        for number in range(100):
            attempt = asyncio.ensure_future(charge(ledger, of_table(PURE, promise("1000")), block=f"block {number}"))
            await asyncio.sleep(moments.uniform(0, 0.002))
            attempt.cancel()
            (outcome,) = await asyncio.gather(attempt, return_exceptions=True)
            assert isinstance(outcome, (Receipt, asyncio.CancelledError))
            acknowledged += isinstance(outcome, Receipt)
        await charge(ledger, of_table(PURE, promise("1000")))
        assert len(await ledger.history(1000)) > acknowledged
        assert await ledger.verify() == []
        of_ledger = "datname = current_database() AND state LIKE 'idle in transaction%'"
        assert execute(dsn, f"SELECT count(*) FROM pg_stat_activity WHERE {of_ledger}") == [(0,)]

    with_ledger(dsn, work)


def test_opening_a_ledger_that_cannot_be_reached_fails(dsn: str) -> None:
    async def work() -> None:
        with pytest.raises(LedgerUnavailableError) as failure:
            await Ledger(make_conninfo(dsn, dbname="absent"), patience_seconds=0.5).open()
        assert failure.value.rule == "ledger_unavailable"

    asyncio.run(work())


def test_a_closed_ledger_charges_nothing(dsn: str) -> None:
    async def work() -> None:
        async with open_ledger(dsn) as ledger:
            await charge(ledger, of_table(PURE))
        await assert_unavailable(ledger, "ledger_unavailable")

    asyncio.run(work())


def test_a_ledger_of_a_newer_release_is_not_opened(dsn: str) -> None:
    with_ledger(dsn, charge_once)
    execute(dsn, "INSERT INTO dpproxy.ledger_version VALUES (1000)")
    with pytest.raises(LedgerUnavailableError, match="version 1000") as failure:
        with_ledger(dsn, charge_once)
    assert failure.value.rule == "ledger_version"


async def charge_once(ledger: Ledger) -> None:
    await charge(ledger, of_table(PURE))
