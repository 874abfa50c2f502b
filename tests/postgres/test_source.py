"""A source query: exact text, one pinned read-only transaction, stale proofs found, failures that say nothing."""

from __future__ import annotations

import asyncio
import logging
import os
import re
import signal
import time
from collections.abc import Callable, Coroutine
from dataclasses import replace
from pathlib import Path
from typing import Any

import psycopg
import pytest

from proxy.errors import (
    DpproxyError,
    SourceBusyError,
    SourceCannotRunError,
    SourceFailedError,
    SourceQueryFailedError,
    SourceUnavailableError,
    StaleSchemaError,
)
from proxy.policy.catalog import Column
from proxy.policy.traps import Watch
from proxy.postgres.embedded import EmbeddedPostgres
from proxy.postgres.source import Source
from proxy.postgres.transaction import BrokenPromiseError, SourceRequest, SourceResult
from tests.conftest import PostgresCluster
from tests.postgres.conftest import make_clinic

PATIENTS = SourceRequest(
    ("SELECT count(*) FROM public.patients",),
    {"TimeZone": "UTC", "DateStyle": "ISO, MDY", "IntervalStyle": "postgres"},
    ("public.patients",),
    verified_keys=(("public.patients", ("patient_id",)),),
    not_null=(("public.patients", "birth_year"),),
    columns=(
        ("public.patients", Column("birth_year", "smallint", 21)),
        ("public.patients", Column("mood", "text", 25, cast_to_text=True)),
    ),
)


def with_source(
    dsn: str,
    use: Callable[[Source], Coroutine[Any, Any, None]],
    *,
    timeout_seconds: float = 10,
    each: int = 2,
    patience_seconds: float = 30,
    watch: Watch | None = None,
) -> None:
    async def run() -> None:
        source = Source(
            dsn,
            watch,
            statement_timeout_seconds=timeout_seconds,
            pool_size=2,
            each=each,
            patience_seconds=patience_seconds,
        )
        try:
            await use(source)
        finally:
            await source.close()

    asyncio.run(run())


def measure(dsn: str, request: SourceRequest, *, timeout_seconds: float = 10) -> list[tuple[str | None, ...]]:
    results: list[SourceResult] = []

    async def once(source: Source) -> None:
        results.append(await source.run(request))

    with_source(dsn, once, timeout_seconds=timeout_seconds)
    return results[0].results[0]


async def verify_only(source: Source, request: SourceRequest) -> None:
    """The first half of a source query."""
    async with source.transaction(request):
        pass


async def run_as(source: Source, request: SourceRequest, asker: str) -> SourceResult:
    async with source.place(asker), source.transaction(request) as transaction:
        return await transaction.run()


def verify(dsn: str, request: SourceRequest) -> None:
    async def once(source: Source) -> None:
        await verify_only(source, request)

    with_source(dsn, once)


def change(dsn: str, statement: str) -> None:
    with psycopg.connect(dsn, autocommit=True) as connection:
        connection.execute(statement.encode())


def test_rows_come_back_as_postgres_prints_them(clinic: str) -> None:
    query = (
        "SELECT 1.50::numeric, NULL::integer, true, DATE '2024-02-01', 0.1::float8, '\\x00ff'::bytea, 'é', ARRAY[1, 2]"
    )
    rows = measure(clinic, replace(PATIENTS, statements=(query,)))
    assert rows == [("1.50", None, "t", "2024-02-01", "0.1", "\\x00ff", "é", "{1,2}")]


def test_the_sessions_settings_decide_how_times_are_read_and_printed(clinic: str) -> None:
    settings = {"TimeZone": "Asia/Tokyo", "DateStyle": "German", "IntervalStyle": "iso_8601"}
    query = "SELECT TIMESTAMPTZ '2024-01-01 00:00+00', INTERVAL '1 day'"
    assert measure(clinic, replace(PATIENTS, statements=(query,), settings=settings)) == [
        ("01.01.2024 09:00:00 JST", "P1D")
    ]


@pytest.mark.parametrize(
    ("setting", "value"),
    [
        ("search_path", "pg_catalog, pg_temp"),
        ("transaction_isolation", "repeatable read"),
        ("transaction_read_only", "on"),
        ("standard_conforming_strings", "on"),
        ("statement_timeout", "10s"),
        ("jit", "off"),
    ],
)
def test_the_measurements_transaction_is_pinned(clinic: str, setting: str, value: str) -> None:
    assert measure(clinic, replace(PATIENTS, statements=(f"SELECT current_setting('{setting}')",))) == [(value,)]


def test_tables_are_locked_while_they_are_measured(clinic: str) -> None:
    query = "SELECT mode FROM pg_locks WHERE pid = pg_backend_pid() AND relation = 'public.patients'::regclass"
    assert ("AccessShareLock",) in measure(clinic, replace(PATIENTS, statements=(query,)))


def test_a_setting_that_is_not_the_sessions_is_a_programming_error(clinic: str) -> None:
    with pytest.raises(ValueError, match="search_path"):
        measure(clinic, replace(PATIENTS, settings={"search_path": "public"}))


@pytest.mark.parametrize(
    "statement",
    [
        "ALTER TABLE patients DROP CONSTRAINT patients_pkey CASCADE",
        "ALTER TABLE patients ALTER birth_year DROP NOT NULL",
        "ALTER TABLE patients ALTER birth_year TYPE bigint",
        "ALTER TABLE patients RENAME birth_year TO year_of_birth",
        "CREATE TABLE more_patients () INHERITS (patients)",
    ],
)
def test_a_proof_that_the_source_has_lost_is_stale(
    postgres_cluster: PostgresCluster, statement: str, caplog: pytest.LogCaptureFixture
) -> None:
    dsn = make_clinic(postgres_cluster)
    assert measure(dsn, PATIENTS) == [("300",)]
    change(dsn, statement)
    with pytest.raises(StaleSchemaError):
        measure(dsn, PATIENTS)
    assert "public.patients" in caplog.text


def test_a_wider_precision_is_a_stale_proof(
    postgres_cluster: PostgresCluster, caplog: pytest.LogCaptureFixture
) -> None:
    dsn = make_clinic(postgres_cluster)
    change(dsn, "ALTER TABLE patients ADD height numeric(4, 1)")
    height = ("public.patients", Column("height", "numeric", 1700, type_modifier=(4 << 16 | 1) + 4, scale=1))
    request = replace(PATIENTS, columns=(height,))
    assert measure(dsn, request) == [("300",)]
    change(dsn, "ALTER TABLE patients ALTER height TYPE numeric(20, 1)")
    with pytest.raises(StaleSchemaError):
        measure(dsn, request)
    assert "another type" in caplog.text


def test_a_stale_proof_is_found_before_the_failure_that_follows_from_it(postgres_cluster: PostgresCluster) -> None:
    dsn = make_clinic(postgres_cluster)
    change(dsn, "ALTER TABLE patients RENAME birth_year TO year_of_birth")
    with pytest.raises(StaleSchemaError):
        verify(dsn, replace(PATIENTS, statements=("SELECT sum(birth_year) FROM public.patients",)))


def test_trials_have_their_rows(clinic: str) -> None:
    async def ask(source: Source) -> None:
        request = replace(PATIENTS, trials=("SELECT 1, NULL", "SELECT 'a' ~ 'b' UNION ALL SELECT true"))
        async with source.transaction(request) as transaction:
            assert transaction.found == [[("1", None)], [("f",), ("t",)]]

    with_source(clinic, ask)


def test_what_follows_from_a_measurement_is_tried_before_and_sees_the_same_rows(
    postgres_cluster: PostgresCluster,
) -> None:
    dsn = make_clinic(postgres_cluster)
    count = "SELECT count(*) FROM public.patients"

    async def ask(source: Source) -> None:
        def then(first: SourceResult) -> list[str]:
            change(dsn, 'DELETE FROM "Ward 1"."Visits"; DELETE FROM patients')
            return [f"SELECT {first.results[0][0][0]} + 1", count]

        async with source.transaction(replace(PATIENTS, tried=("SELECT 1 + 1", count))) as transaction:
            result = await transaction.run(then)
        assert result.results == [[("300",)], [("301",)], [("300",)]]
        assert (await source.run(PATIENTS)).results == [[("0",)]], "the connection is as it was"
        with pytest.raises(SourceCannotRunError):
            await verify_only(source, replace(PATIENTS, tried=("SELECT no_such_function()",)))

    with_source(dsn, ask)


def test_verifying_runs_no_statement_of_the_measurement(clinic: str) -> None:
    verify(clinic, replace(PATIENTS, statements=("SELECT 1 / 0",)))


@pytest.mark.parametrize(
    ("literal", "holds"),
    [("'2024-01-01 12:00+00', '2024-01-01 13:00+00'", True), ("'2024-01-01 12:00+00', '2024-01-01 13:00+01'", False)],
)
def test_promises_about_released_rows_are_verified_on_their_values(clinic: str, literal: str, holds: bool) -> None:
    promise = f"SELECT count(*) = count(DISTINCT ROW(r.c0)) FROM unnest(ARRAY[{literal}]::timestamptz[]) AS r(c0)"
    request = replace(PATIENTS, promises=("SELECT true", promise))
    if holds:
        verify(clinic, request)
    else:
        with pytest.raises(BrokenPromiseError) as broken:
            verify(clinic, request)
        assert broken.value.number == 1


@pytest.mark.parametrize(
    ("request_", "rule"),
    [
        (replace(PATIENTS, promises=("SELECT 'no number'::integer > 0",)), "source-version"),
        (replace(PATIENTS, statements=("SELECT 'a private value'::integer",)), "source-version"),
        (replace(PATIENTS, trials=("SELECT '' ~ '('",)), "source-version"),
        (replace(PATIENTS, trials=("SELECT timezone('Middle/Earth', now())",)), "source-version"),
        (replace(PATIENTS, statements=("SELECT no_such_function(1)",)), "source-version"),
        (replace(PATIENTS, statements=("SELECT count(*) FROM public.nowhere",)), "source-unavailable"),
        (replace(PATIENTS, statements=("SELECT 1; SELECT 2",)), "source-version"),
        (replace(PATIENTS, statements=("COMMIT",)), "source-version"),
    ],
)
def test_what_the_source_would_not_take_is_found_before_anything_is_measured(
    clinic: str, request_: SourceRequest, rule: str, caplog: pytest.LogCaptureFixture
) -> None:
    async def fail_then_work(source: Source) -> None:
        with pytest.raises(DpproxyError) as refusal:
            await verify_only(source, request_)
        assert refusal.value.rule == rule
        assert (await source.run(PATIENTS)).results[0] == [("300",)]

    with caplog.at_level(logging.DEBUG):
        with_source(clinic, fail_then_work)
    assert "private value" not in caplog.text


@pytest.mark.parametrize(
    "query",
    [
        "SELECT mood::text::integer FROM public.patients",
        "DELETE FROM public.patients",
        "SELECT 1 / (birth_year - birth_year) FROM public.patients",
    ],
)
def test_a_failure_has_one_constant_text_and_the_log_no_value(
    clinic: str, query: str, caplog: pytest.LogCaptureFixture
) -> None:
    async def fail_then_work(source: Source) -> None:
        with pytest.raises(SourceFailedError) as failure:
            await source.run(replace(PATIENTS, statements=(query,)))
        assert failure.value.message == SourceFailedError().message
        assert failure.value.__cause__ is None
        assert (await source.run(PATIENTS)).results[0] == [("300",)]

    with caplog.at_level(logging.DEBUG):
        with_source(clinic, fail_then_work)
    assert "a source query failed" in caplog.text
    assert not re.search("invalid input syntax|division", caplog.text)


def test_a_measurement_that_takes_too_long_fails_like_any_other(clinic: str) -> None:
    started = time.monotonic()
    with pytest.raises(SourceFailedError):
        measure(clinic, replace(PATIENTS, statements=("SELECT pg_sleep(30)",)), timeout_seconds=0.3)
    assert time.monotonic() - started < 5


def test_a_table_locked_by_its_owner_does_not_block_for_ever(clinic: str) -> None:
    with psycopg.connect(clinic) as owner:
        owner.execute("LOCK TABLE patients IN ACCESS EXCLUSIVE MODE")
        started = time.monotonic()
        with pytest.raises(SourceUnavailableError):
            measure(clinic, PATIENTS)
        assert time.monotonic() - started < 10


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
            for _ in range(3):
                group.create_task(run_as(source, heavy, "ana"))
            await asyncio.sleep(0.2)
            started = time.monotonic()
            assert (await run_as(source, PATIENTS, "ben")).results[0] == [("300",)]
            assert time.monotonic() - started < 1

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


@pytest.mark.parametrize("seconds", [0.0, -1.0, float("nan")])
def test_a_timeout_must_be_positive(seconds: float) -> None:
    with pytest.raises(ValueError, match="positive"):
        Source("", None, statement_timeout_seconds=seconds)
