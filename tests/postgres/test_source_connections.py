"""A source's connections: waited for, lost, cancelled, and never more than there are."""

from __future__ import annotations

import asyncio
import os
import signal
import time
from collections.abc import Coroutine
from dataclasses import replace
from pathlib import Path
from typing import Any

import psycopg
import pytest

from proxy.errors import (
    SourceBusyError,
    SourceFailedError,
    SourceQueryFailedError,
    SourceUnavailableError,
)
from proxy.postgres.embedded import EmbeddedPostgres
from proxy.postgres.source import Source
from proxy.postgres.transaction import SourceRequest
from tests.conftest import PostgresCluster
from tests.postgres.conftest import make_clinic
from tests.postgres.measuring import PATIENTS, change, measure, run_as, verify_only, with_source


def test_an_unreachable_source_is_known_at_once() -> None:
    async def ask(source: Source) -> None:
        for _ in range(3):
            started = time.monotonic()
            with pytest.raises(SourceUnavailableError):
                await verify_only(source, PATIENTS)
            assert time.monotonic() - started < 2

    with_source("host=127.0.0.1 port=1 connect_timeout=1", ask)


def test_a_source_that_was_down_is_asked_again_when_it_is_up(postgres_cluster: PostgresCluster) -> None:
    dsn = make_clinic(postgres_cluster)
    name = psycopg.conninfo.conninfo_to_dict(dsn)["dbname"]
    server = psycopg.conninfo.make_conninfo(dsn, dbname="postgres")

    async def ask(source: Source) -> None:
        await asyncio.to_thread(change, server, f"ALTER DATABASE {name} ALLOW_CONNECTIONS false")
        with pytest.raises(SourceUnavailableError):
            await verify_only(source, PATIENTS)
        await asyncio.to_thread(change, server, f"ALTER DATABASE {name} ALLOW_CONNECTIONS true")
        async with asyncio.timeout(20):
            while True:
                try:
                    assert (await source.run(PATIENTS)).results[0] == [("300",)]
                except SourceUnavailableError:
                    await asyncio.sleep(0.1)
                else:
                    return

    with_source(dsn, ask)


def test_one_askers_heavy_measurements_leave_room_for_others(clinic: str) -> None:
    heavy = replace(PATIENTS, statements=("SELECT pg_sleep(2)",))

    async def together(source: Source) -> None:
        async with asyncio.TaskGroup() as group:
            others = [group.create_task(run_as(source, heavy, "ana")) for _ in range(3)]
            await asyncio.sleep(0.2)
            assert (await run_as(source, PATIENTS, "ben")).results[0] == [("300",)]
            assert not any(task.done() for task in others)

    with_source(clinic, together, each=1)


def test_a_question_does_not_wait_for_its_place_for_ever(clinic: str) -> None:
    async def together(source: Source) -> None:
        async with source.place("ana"):
            with pytest.raises(SourceBusyError):
                async with source.place("ana"):
                    raise AssertionError("two places at a time")
        async with source.place("ana"):
            pass

    with_source(clinic, together, each=1, patience_seconds=0.2)


@pytest.mark.parametrize(
    ("statement", "sqlstate_class"),
    [
        ("SELECT 1 / (birth_year - birth_year) FROM public.patients", "22"),
        ("SELECT pg_sleep(30)", "57"),
        ("SELECT pg_terminate_backend(pg_backend_pid())", None),
    ],
)
def test_a_failure_knows_whether_it_was_the_statements(clinic: str, statement: str, sqlstate_class: str | None) -> None:
    with pytest.raises(SourceFailedError) as failed:
        measure(clinic, replace(PATIENTS, statements=(statement,)), timeout_seconds=1)
    assert getattr(failed.value, "sqlstate_class", None) == sqlstate_class


@pytest.mark.parametrize("killed", [0, 1], ids=["its own", "another"])
def test_a_connection_lost_to_a_crash_is_a_failure_that_may_depend_on_a_row(tmp_path: Path, killed: int) -> None:
    """A server process that dies takes the others with it. The server tells these if it can (57P02), also where what
    died was one that helped with the source query, so that it is no excuse."""
    with EmbeddedPostgres(tmp_path, durable=False) as cluster:

        async def crash(source: Source) -> None:
            asked, processes = [], list[int]()
            for _ in range(2):
                asked.append(asyncio.create_task(source.run(SourceRequest(("SELECT pg_sleep(30)",)))))
                processes += await asyncio.to_thread(one_more_sleeper, cluster.dsn(), processes)
            os.kill(processes[killed], signal.SIGKILL)
            for failed in await asyncio.gather(*asked, return_exceptions=True):
                assert isinstance(failed, SourceQueryFailedError)
                assert failed.sqlstate_class in ("08", "57")

        with_source(cluster.dsn(), crash, timeout_seconds=60)


def one_more_sleeper(dsn: str, known: list[int]) -> list[int]:
    """The process of a source query that sleeps, once it does."""
    query = "SELECT pid FROM pg_stat_activity WHERE wait_event = 'PgSleep' AND pid <> ALL (%s)"
    with psycopg.connect(dsn, autocommit=True) as connection:
        for _ in range(100):
            found = connection.execute(query, (known,)).fetchall()
            if found:
                return [int(pid) for (pid,) in found]
            time.sleep(0.1)
    raise AssertionError("the source query did not start")


def test_cancelling_the_task_ends_the_query_on_the_source_and_keeps_the_connection(clinic: str) -> None:
    async def cancel(source: Source) -> None:
        backend = (await source.run(replace(PATIENTS, statements=("SELECT pg_backend_pid()",)))).results[0]
        task = asyncio.create_task(source.run(replace(PATIENTS, statements=("SELECT pg_sleep(30)",))))
        async with await psycopg.AsyncConnection.connect(clinic, autocommit=True) as observer:
            async with asyncio.timeout(10):
                while not await running(observer):  # noqa: ASYNC110 (the server tells, not an event)
                    await asyncio.sleep(0.01)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            assert not await running(observer)
        assert (await source.run(replace(PATIENTS, statements=("SELECT pg_backend_pid()",)))).results[0] == backend

    async def running(observer: psycopg.AsyncConnection[tuple[Any, ...]]) -> bool:
        found = await observer.execute(
            "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'PgSleep'"
        )
        return await found.fetchone() is not None

    with_source(clinic, cancel)


async def cancelled_often(work: Coroutine[Any, Any, object], seconds: float) -> None:
    """Begin `work`, and after a while cancel it at each turn of the loop until it is over."""
    task = asyncio.create_task(work)
    await asyncio.sleep(seconds)
    while not task.done():
        task.cancel()
        await asyncio.sleep(0)


def test_no_number_of_cancels_loses_a_connection(clinic: str) -> None:
    heavy = replace(PATIENTS, statements=("SELECT pg_sleep(0.02)",))

    async def cancel(source: Source) -> None:
        await source.run(PATIENTS)
        for turn in range(60):
            askers = [run_as(source, heavy, str(turn % 2)) for _ in range(2)]
            await asyncio.gather(*(cancelled_often(asker, turn * 0.0005) for asker in askers))
        await source.lender.tasks.close()
        async with asyncio.timeout(4):  # less than it takes to give up waiting for a connection
            await asyncio.gather(*(source.run(PATIENTS) for _ in range(6)))
        assert source.pool.get_stats()["pool_size"] <= 2
        async with source.lender.connection(), source.lender.connection() as connection:
            assert connection.pgconn.transaction_status == psycopg.pq.TransactionStatus.IDLE

    with_source(clinic, cancel)


def test_connections_that_died_in_the_pool_are_replaced(clinic: str) -> None:
    async def survive(source: Source) -> None:
        backend = (await source.run(replace(PATIENTS, statements=("SELECT pg_backend_pid()",)))).results[0][0][0]
        await asyncio.to_thread(change, clinic, f"SELECT pg_terminate_backend({backend})")
        await asyncio.sleep(0.1)
        assert (await source.run(PATIENTS)).results[0] == [("300",)]

    with_source(clinic, survive)


def test_measurements_that_start_together_all_answer(clinic: str) -> None:
    async def together(source: Source) -> None:
        results = await asyncio.gather(*(source.run(PATIENTS) for _ in range(6)))
        assert [result.results[0] for result in results] == [[("300",)]] * 6

    with_source(clinic, together)


def test_no_check_is_prepared_for_later(clinic: str) -> None:
    """It would keep the moments of its texts as they were read under the TimeZone of that time."""
    trial = "SELECT '2024-01-01 00:00'::timestamptz"

    async def ask(source: Source) -> None:
        for _ in range(30):
            await source.run(replace(PATIENTS, promises=("SELECT true",), trials=(trial,)))
        async with source.pool.connection() as connection:
            kept = await (await connection.execute("SELECT statement FROM pg_prepared_statements")).fetchall()
            assert {text.split()[0] for (text,) in kept} == {"WITH"}, "the catalog's queries alone"
            assert not any("2024" in text for (text,) in kept)

    with_source(clinic, ask)
