"""A source query: exact text, one pinned read-only transaction, stale proofs found, failures that say nothing."""

from __future__ import annotations

import logging
import re
import time
from dataclasses import replace

import psycopg
import pytest
from psycopg.conninfo import make_conninfo

from proxy.errors import (
    DpproxyError,
    SourceCannotRunError,
    SourceFailedError,
    SourceUnavailableError,
    StaleSchemaError,
)
from proxy.policy.catalog import Column
from proxy.postgres import transaction
from proxy.postgres.source import Source
from proxy.postgres.transaction import BrokenPromiseError, SlowTrialError, SourceRequest, SourceResult
from tests.conftest import PostgresCluster
from tests.postgres.conftest import make_clinic
from tests.postgres.measuring import PATIENTS, change, measure, verify, verify_only, with_source


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
        ("quote_all_identifiers", "off"),
        ("statement_timeout", "10s"),
        ("jit", "off"),
    ],
)
def test_the_measurements_transaction_is_pinned(clinic: str, setting: str, value: str) -> None:
    assert measure(clinic, replace(PATIENTS, statements=(f"SELECT current_setting('{setting}')",))) == [(value,)]


def test_what_a_role_says_of_waiting_transactions_does_not_end_one_that_waits_for_the_ledger(clinic: str) -> None:
    impatient = make_conninfo(clinic, options="-c idle_in_transaction_session_timeout=5000")
    query = "SELECT current_setting('idle_in_transaction_session_timeout')"
    assert measure(impatient, replace(PATIENTS, statements=(query,))) == [("0",)]


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
        "ALTER TABLE patients RENAME TO former_patients",
        "ALTER TABLE patients RENAME TO old; CREATE MATERIALIZED VIEW patients AS SELECT * FROM old",
    ],
)
def test_a_proof_that_the_source_has_lost_is_stale(
    postgres_cluster: PostgresCluster, statement: str, caplog: pytest.LogCaptureFixture
) -> None:
    dsn = make_clinic(postgres_cluster)

    async def ask(source: Source) -> None:
        for _ in range(8):  # until the server keeps a plan of what verifies the proof
            assert (await source.run(PATIENTS)).results[0] == [("300",)]
        change(dsn, statement)
        for _ in range(2):
            with pytest.raises(StaleSchemaError):
                await source.run(PATIENTS)

    with_source(dsn, ask)
    assert re.search("changed since dpproxy read it; .*patients", caplog.text)


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


def test_a_trial_that_takes_too_long_is_no_missing_source(clinic: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transaction, "PREPARATION_SECONDS", 1.0)
    with pytest.raises(SlowTrialError) as slow:
        verify(clinic, replace(PATIENTS, trials=("SELECT 1", "SELECT pg_sleep(9)", "SELECT 2")))
    assert slow.value.number == 1
    with pytest.raises(SourceUnavailableError):
        verify(clinic, replace(PATIENTS, promises=("SELECT pg_sleep(9) IS NULL",), trials=("SELECT 1",)))


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


@pytest.mark.parametrize("seconds", [0.0, -1.0, float("nan")])
def test_a_timeout_must_be_positive(seconds: float) -> None:
    with pytest.raises(ValueError, match="positive"):
        Source("", None, statement_timeout_seconds=seconds)
