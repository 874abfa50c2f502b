"""An older copy of a ledger is recognised: a restored backup, and a copy that went its own way."""

from __future__ import annotations

import asyncio
from fractions import Fraction

import psycopg
import pytest
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from proxy.budget.witness import Witness
from proxy.errors import LedgerUnavailableError
from tests.budget.support import TABLE, charge, execute, of_table, open_ledger, pure
from tests.conftest import PostgresCluster, copy_database


@pytest.fixture
def stage(postgres_cluster: PostgresCluster) -> str:
    """Connection string of a database beside the ledger."""
    return postgres_cluster.create_database("stage")


def copy_of(dsn: str, name: str) -> str:
    """A backup of a ledger, under another name."""
    return copy_database(make_conninfo(dsn, dbname="postgres"), str(conninfo_to_dict(dsn)["dbname"]), name)


async def serve(dsn: str, stage: str, charges: int = 0) -> None:
    """What a proxy does with a ledger between its start and its stop."""
    async with open_ledger(dsn) as ledger:
        witness = Witness(ledger.database, stage)
        await witness.start()
        for _ in range(charges):
            await charge(ledger, of_table(pure("0.01")))
        await witness.stop()


def test_a_ledger_that_goes_on_is_taken_again_and_again(dsn: str, stage: str) -> None:
    for charges in (0, 3, 0, 2):
        asyncio.run(serve(dsn, stage, charges))
    assert execute(dsn, f"SELECT epsilon FROM dpproxy.account WHERE account = '{TABLE}'") == [(Fraction("0.05"),)]


def test_a_backup_that_was_restored_is_refused_and_the_newest_one_is_not(dsn: str, stage: str) -> None:
    asyncio.run(serve(dsn, stage, 2))
    older = copy_of(dsn, "older_ledger")
    asyncio.run(serve(dsn, stage, 1))
    newest = copy_of(dsn, "newest_ledger")
    with pytest.raises(LedgerUnavailableError) as refusal:
        asyncio.run(serve(older, stage))
    assert refusal.value.rule == "ledger-copy"
    assert "is missing" in refusal.value.message
    assert "It ends with charge 2" in (refusal.value.detail or "")
    asyncio.run(serve(newest, stage, 1))


def test_a_copy_that_went_its_own_way_is_refused(dsn: str, stage: str) -> None:
    asyncio.run(serve(dsn, stage, 1))
    forked = copy_of(dsn, "forked_ledger")
    asyncio.run(serve(dsn, stage, 1))

    async def charge_elsewhere() -> None:
        async with open_ledger(forked) as ledger:
            for _ in range(5):
                await charge(ledger, of_table(pure("0.01")))

    asyncio.run(charge_elsewhere())
    with pytest.raises(LedgerUnavailableError, match="older copy"):
        asyncio.run(serve(forked, stage))


def test_another_ledger_is_none_of_its_business(dsn: str, stage: str, postgres_cluster: PostgresCluster) -> None:
    asyncio.run(serve(dsn, stage, 1))
    asyncio.run(serve(postgres_cluster.create_database("another"), stage, 1))
    asyncio.run(serve(dsn, stage))


def test_an_empty_ledger_in_the_place_of_one_that_was_seen_is_to_be_meant(
    dsn: str, stage: str, postgres_cluster: PostgresCluster
) -> None:
    async def start(ledger_dsn: str) -> None:
        async with open_ledger(ledger_dsn) as ledger:
            watching = Witness(ledger.database, stage)
            await watching.start(may_begin=False)
            await watching.stop()

    asyncio.run(start(dsn))
    asyncio.run(serve(dsn, stage, 1))
    asyncio.run(start(dsn))
    with pytest.raises(LedgerUnavailableError, match="the ledger is empty, and another one was used with this stage"):
        asyncio.run(start(postgres_cluster.create_database("emptied")))


def test_the_owner_can_take_an_older_copy_all_the_same(dsn: str, stage: str) -> None:
    older = None
    for charges in (1, 1):
        asyncio.run(serve(dsn, stage, charges))
        older = older or copy_of(dsn, "accepted_ledger")
    assert older is not None
    execute(stage, "DROP SCHEMA dpproxy_witness CASCADE")
    asyncio.run(serve(older, stage, 1))


def test_a_stage_that_is_gone_meanwhile_stops_nothing(dsn: str, stage: str, caplog: pytest.LogCaptureFixture) -> None:
    async def run() -> None:
        async with open_ledger(dsn) as ledger:
            witness = Witness(ledger.database, stage)
            await witness.start()
            await charge(ledger, of_table(pure("0.01")))
            execute(stage, "DROP SCHEMA dpproxy_witness CASCADE")
            await witness.stop()

    asyncio.run(run())
    assert "the ledger's last charge cannot be noted: UndefinedTable" in caplog.text


def test_a_ledger_s_identity_stays(dsn: str, stage: str) -> None:
    asyncio.run(serve(dsn, stage))
    for statement in ("UPDATE dpproxy.identity SET ledger = gen_random_uuid()", "DELETE FROM dpproxy.identity"):
        with pytest.raises(psycopg.errors.ObjectNotInPrerequisiteState):
            execute(dsn, statement)
