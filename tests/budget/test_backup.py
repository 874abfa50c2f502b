"""A ledger that is dumped and restored is the same ledger: sums, answers, precisions, windows, grants, and its triggers."""

from __future__ import annotations

import asyncio
import subprocess
from fractions import Fraction
from pathlib import Path

import psycopg
import pytest

from proxy.budget.answers import Answers
from proxy.budget.ledger import Ledger
from proxy.budget.precisions import EVERYBODY, Precisions, Seen
from proxy.budget.stored_answer import StoredAnswer
from proxy.budget.witness import Witness
from proxy.errors import LedgerUnavailableError
from tests.budget.support import TABLE, charge, execute, of_table, open_ledger, promise, pure, with_ledger
from tests.budget.test_precisions import RHO, answer, measured
from tests.budget.test_windows_and_grants import weekly
from tests.conftest import PostgresCluster
from tests.programs import find_program


async def fill(ledger: Ledger) -> None:
    """Something in every table."""
    await charge(ledger, of_table(pure("0.5")))
    await Answers(ledger.database).store("block", "ana", StoredAnswer((("x",),), ((1,),)))
    await measured(ledger, 1)
    await Precisions(ledger.database).keep("family", EVERYBODY, Seen(RHO, 1, None), answer(1))
    await charge(ledger, weekly("0.5"))
    await ledger.grant(TABLE, Fraction(1), Fraction(0), "a reason")


def test_a_restored_backup_goes_on_and_the_one_before_it_is_refused(
    dsn: str, postgres_cluster: PostgresCluster, tmp_path: Path
) -> None:
    stage = postgres_cluster.create_database("stage")
    dumps = [tmp_path / name for name in ("yesterday.dump", "today.dump")]

    async def serve(ledger: Ledger) -> None:
        witness = Witness(ledger.database, stage)
        await witness.start()
        await fill_once(ledger)
        await witness.stop()

    async def fill_once(ledger: Ledger) -> None:
        await (
            charge(ledger, of_table(pure("0.1"), promise("10", "1e-6"))) if await ledger.accounts() else fill(ledger)
        )

    for dump in dumps:
        with_ledger(dsn, serve)
        subprocess.run([find_program("pg_dump"), "-Fc", "-f", dump, dsn], check=True)
    older, newest = (postgres_cluster.create_database("restored") for _ in dumps)
    for dump, restored in zip(dumps, (older, newest), strict=True):
        command = [str(find_program("pg_restore")), "-d", restored, str(dump)]
        done = subprocess.run(command, check=False, capture_output=True, text=True)
        # A newer program sets what an older server does not have; all else must succeed.
        errors = [line for line in done.stderr.splitlines() if "error:" in line]
        assert all('unrecognized configuration parameter "transaction_timeout"' in line for line in errors), done.stderr
        assert done.returncode == (1 if errors else 0), done.stderr

    async def compare() -> None:
        async with open_ledger(dsn) as ledger, open_ledger(newest) as restored:
            assert await restored.states() == await ledger.states()
            assert await restored.exported() == await ledger.exported()
            assert await restored.opened() == await ledger.opened()
            assert await Precisions(restored.database).measurements("family", 9) == [(RHO, answer(1))]
            assert await Answers(restored.database).find("block") == StoredAnswer((("x",),), ((1,),))
            assert await restored.verify() == []

    asyncio.run(compare())
    with pytest.raises(psycopg.errors.ObjectNotInPrerequisiteState, match="append-only"):
        execute(newest, "DELETE FROM dpproxy.charge")
    with pytest.raises(LedgerUnavailableError, match="older copy"):
        with_ledger(older, serve)
    with_ledger(newest, serve)
