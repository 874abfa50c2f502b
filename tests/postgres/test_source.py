"""A measurement: exact text, one pinned read-only transaction, stale proofs found, failures that say nothing."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Coroutine
from dataclasses import replace
from typing import Any

import psycopg
import pytest

from proxy.errors import SourceFailedError
from proxy.policy.catalog import Column
from proxy.postgres.source import MeasurementRequest, MeasurementResult, Source, StaleProofError
from tests.conftest import PostgresCluster
from tests.postgres.conftest import make_clinic

PATIENTS = MeasurementRequest(
    ("SELECT count(*) FROM public.patients",),
    {"TimeZone": "UTC", "DateStyle": "ISO, MDY", "IntervalStyle": "postgres"},
    ("public.patients",),
    unique_keys=(("public.patients", ("patient_id",)),),
    not_null=(("public.patients", "birth_year"),),
    columns=(
        ("public.patients", Column("birth_year", "smallint", 21)),
        ("public.patients", Column("mood", "text", 25, cast_to_text=True)),
    ),
)


def with_source(dsn: str, use: Callable[[Source], Coroutine[Any, Any, None]], *, timeout_seconds: float = 10) -> None:
    async def run() -> None:
        source = Source(dsn, statement_timeout_seconds=timeout_seconds, pool_size=2)
        try:
            await use(source)
        finally:
            await source.close()

    asyncio.run(run())


def measure(dsn: str, request: MeasurementRequest, *, timeout_seconds: float = 10) -> list[tuple[str | None, ...]]:
    results: list[MeasurementResult] = []

    async def once(source: Source) -> None:
        results.append(await source.measure(request))

    with_source(dsn, once, timeout_seconds=timeout_seconds)
    return results[0].results[0]


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
def test_a_proof_that_the_source_has_lost_is_stale(postgres_cluster: PostgresCluster, statement: str) -> None:
    dsn = make_clinic(postgres_cluster)
    assert measure(dsn, PATIENTS) == [("300",)]
    change(dsn, statement)
    with pytest.raises(StaleProofError, match=r"public\.patients"):
        measure(dsn, PATIENTS)


def test_a_wider_precision_is_a_stale_proof(postgres_cluster: PostgresCluster) -> None:
    dsn = make_clinic(postgres_cluster)
    change(dsn, "ALTER TABLE patients ADD height numeric(4, 1)")
    height = ("public.patients", Column("height", "numeric", 1700, type_modifier=(4 << 16 | 1) + 4, scale=1))
    request = replace(PATIENTS, columns=(height,))
    assert measure(dsn, request) == [("300",)]
    change(dsn, "ALTER TABLE patients ALTER height TYPE numeric(20, 1)")
    with pytest.raises(StaleProofError, match="another type"):
        measure(dsn, request)


def test_a_stale_proof_wins_over_the_failure_that_follows_from_it(postgres_cluster: PostgresCluster) -> None:
    dsn = make_clinic(postgres_cluster)
    change(dsn, "ALTER TABLE patients RENAME birth_year TO year_of_birth")
    with pytest.raises(StaleProofError):
        measure(dsn, replace(PATIENTS, statements=("SELECT sum(birth_year) FROM public.patients",)))


@pytest.mark.parametrize(
    "query",
    [
        "SELECT 'a private value'::integer",
        "SELECT 1; SELECT 2",
        "DELETE FROM public.patients",
        "SELECT count(*) FROM public.nowhere",
        "COMMIT",
    ],
)
def test_a_failure_has_one_constant_text_and_the_log_no_value(
    clinic: str, query: str, caplog: pytest.LogCaptureFixture
) -> None:
    async def fail_then_work(source: Source) -> None:
        with pytest.raises(SourceFailedError) as failure:
            await source.measure(replace(PATIENTS, statements=(query,)))
        assert failure.value.message == SourceFailedError().message
        assert failure.value.__cause__ is None
        assert (await source.measure(PATIENTS)).results[0] == [("300",)]

    with caplog.at_level(logging.DEBUG):
        with_source(clinic, fail_then_work)
    assert "a measurement failed" in caplog.text
    assert "private value" not in caplog.text


def test_a_measurement_that_takes_too_long_fails_like_any_other(clinic: str) -> None:
    started = time.monotonic()
    with pytest.raises(SourceFailedError):
        measure(clinic, replace(PATIENTS, statements=("SELECT pg_sleep(30)",)), timeout_seconds=0.3)
    assert time.monotonic() - started < 5


def test_a_table_locked_by_its_owner_does_not_block_for_ever(clinic: str) -> None:
    with psycopg.connect(clinic) as owner:
        owner.execute("LOCK TABLE patients IN ACCESS EXCLUSIVE MODE")
        with pytest.raises(SourceFailedError):
            measure(clinic, PATIENTS, timeout_seconds=0.3)


def test_an_unreachable_source_fails_like_any_other() -> None:
    with pytest.raises(SourceFailedError):
        measure("host=127.0.0.1 port=1 connect_timeout=1", PATIENTS, timeout_seconds=0.5)


def test_cancelling_the_task_ends_the_query_on_the_source_and_keeps_the_connection(clinic: str) -> None:
    async def cancel(source: Source) -> None:
        backend = (await source.measure(replace(PATIENTS, statements=("SELECT pg_backend_pid()",)))).results[0]
        task = asyncio.create_task(
            source.measure(replace(PATIENTS, statements=("SELECT pg_sleep(30) AS to_be_cancelled",)))
        )
        async with await psycopg.AsyncConnection.connect(clinic, autocommit=True) as observer:
            async with asyncio.timeout(10):
                while not await running(observer):  # noqa: ASYNC110 (the server tells, not an event)
                    await asyncio.sleep(0.01)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            assert not await running(observer)
        assert (await source.measure(replace(PATIENTS, statements=("SELECT pg_backend_pid()",)))).results[0] == backend

    async def running(observer: psycopg.AsyncConnection[tuple[Any, ...]]) -> bool:
        found = await observer.execute(
            "SELECT 1 FROM pg_stat_activity WHERE query LIKE '%to_be_cancelled%' AND wait_event = 'PgSleep'"
        )
        return await found.fetchone() is not None

    with_source(clinic, cancel)


def test_connections_that_died_in_the_pool_are_replaced(clinic: str) -> None:
    async def survive(source: Source) -> None:
        backend = (await source.measure(replace(PATIENTS, statements=("SELECT pg_backend_pid()",)))).results[0][0][0]
        await asyncio.to_thread(change, clinic, f"SELECT pg_terminate_backend({backend})")
        await asyncio.sleep(0.1)
        assert (await source.measure(PATIENTS)).results[0] == [("300",)]

    with_source(clinic, survive)


def test_measurements_that_start_together_all_answer(clinic: str) -> None:
    async def together(source: Source) -> None:
        results = await asyncio.gather(*(source.measure(PATIENTS) for _ in range(6)))
        assert [result.results[0] for result in results] == [[("300",)]] * 6

    with_source(clinic, together)


@pytest.mark.parametrize("seconds", [0.0, -1.0, float("nan")])
def test_a_timeout_must_be_positive(seconds: float) -> None:
    with pytest.raises(ValueError, match="positive"):
        Source("", statement_timeout_seconds=seconds)
