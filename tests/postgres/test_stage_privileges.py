"""An analyst's role sees nothing that the whole server counts, and cannot fill what all its sessions share."""

from __future__ import annotations

from collections.abc import Iterator

import psycopg
import pytest

from proxy.policy.catalog import Catalog
from proxy.postgres.stage_building import build_stage
from tests.conftest import PostgresCluster
from tests.postgres.conftest import clinic_policy


@pytest.fixture(scope="module")
def analyst(postgres_cluster: PostgresCluster, clinic: str, clinic_catalog: Catalog) -> Iterator[psycopg.Connection]:
    dsn = postgres_cluster.dsn("postgres")
    stage = build_stage(dsn, clinic_policy(), clinic_catalog, clinic, "clinic_privileges")
    with psycopg.connect(stage.dsn("ana"), autocommit=True) as connection:
        yield connection


COUNTERS = [
    "pg_current_wal_lsn()",
    "pg_current_wal_insert_lsn()",
    "pg_current_wal_flush_lsn()",
    "pg_walfile_name('0/1')",
    "pg_walfile_name_offset('0/1')",
    "pg_last_wal_receive_lsn()",
    "pg_last_xact_replay_timestamp()",
    "pg_last_committed_xact()",
    "pg_control_checkpoint()",
    "pg_current_xact_id()",
    "pg_current_xact_id_if_assigned()",
    "pg_current_snapshot()",
    "pg_xact_status('3')",
    "pg_xact_commit_timestamp('3')",
    "txid_current()",
    "txid_current_if_assigned()",
    "txid_current_snapshot()",
    "txid_status(3)",
    "age('3'::xid)",
    "mxid_age('1')",
    "pg_lock_status()",
    "pg_blocking_pids(1)",
    "pg_safe_snapshot_blocking_pids(1)",
    "pg_notification_queue_usage()",
    "pg_tablespace_size('pg_default')",
    "pg_stat_get_db_xact_commit(1)",
    "pg_stat_get_activity(NULL)",
    "pg_stat_get_backend_idset()",
    "pg_stat_get_wal()",
    "pg_stat_get_slru()",
    "pg_stat_get_archiver()",
]
VIEWS = [
    "pg_stat_database",
    "pg_stat_database_conflicts",
    "pg_stat_wal",
    "pg_stat_slru",
    "pg_stat_bgwriter",
    "pg_stat_archiver",
    "pg_stat_replication",
    "pg_stat_replication_slots",
    "pg_stat_wal_receiver",
    "pg_stat_ssl",
    "pg_stat_gssapi",
    "pg_stat_activity",
    "pg_stat_progress_vacuum",
    "pg_stat_progress_create_index",
    "pg_stat_progress_basebackup",
    "pg_locks",
    "pg_prepared_xacts",
    "pg_replication_slots",
]
NEWER_VIEWS = ["pg_stat_io", "pg_stat_checkpointer", "pg_stat_recovery_prefetch", "pg_aios"]
LOCKS = [
    f"pg_{attempt}advisory_{kind}lock{mode}(1)"
    for attempt in ("", "try_")
    for kind in ("", "xact_")
    for mode in ("", "_shared")
]


@pytest.mark.parametrize("query", [f"SELECT {call}" for call in COUNTERS] + [f"SELECT * FROM {view}" for view in VIEWS])
def test_what_the_server_counts_of_everybody_is_not_shown(analyst: psycopg.Connection, query: str) -> None:
    with pytest.raises(psycopg.errors.InsufficientPrivilege) as refusal:
        analyst.execute(query.encode())
    assert refusal.value.sqlstate == "42501"


@pytest.mark.parametrize("view", NEWER_VIEWS)
def test_counters_of_newer_servers_are_not_shown_either(analyst: psycopg.Connection, view: str) -> None:
    with pytest.raises((psycopg.errors.InsufficientPrivilege, psycopg.errors.UndefinedTable)):
        analyst.execute(f"SELECT * FROM {view}".encode())


def test_every_view_of_statistics_is_of_the_stage_alone(analyst: psycopg.Connection) -> None:
    """A later Postgres may have more of them: what is readable has to be known here."""
    readable = analyst.execute(
        "SELECT relname::text FROM pg_class WHERE relnamespace = 'pg_catalog'::regnamespace AND relkind = 'v'"
        " AND relname ~ '^pg_(stat|statio)_' AND has_table_privilege(oid, 'SELECT') ORDER BY 1"
    ).fetchall()
    failing = []
    for (view,) in readable:
        try:
            analyst.execute(f"SELECT * FROM {view}".encode())
        except psycopg.errors.InsufficientPrivilege:
            failing.append(view)
    read = {view for (view,) in readable} - set(failing)
    of_tables = {
        f"pg_{kind}_{whose}_{what}"
        for kind in ("stat", "stat_xact", "statio")
        for whose in ("all", "sys", "user")
        for what in ("tables", "indexes", "sequences")
    }
    assert read <= of_tables
    assert {"pg_stat_user_tables", "pg_stat_user_indexes", "pg_statio_user_tables"} <= read


@pytest.mark.parametrize("call", [*LOCKS, "pg_advisory_lock(1, 2)", "pg_try_advisory_xact_lock_shared(1, 2)"])
def test_analysts_take_no_advisory_locks(analyst: psycopg.Connection, call: str) -> None:
    with pytest.raises(psycopg.errors.InsufficientPrivilege) as refusal:
        analyst.execute(f"SELECT {call}".encode())
    assert refusal.value.sqlstate == "42501"


@pytest.mark.parametrize(
    "statement",
    [
        "SELECT pg_advisory_unlock_all()",
        "DISCARD ALL",
        "UNLISTEN *",
        "SELECT pg_wal_lsn_diff('0/2', '0/1')",
        "SELECT age(now())",
        "SELECT pg_database_size(current_database())",
    ],
)
def test_what_drivers_and_tools_do_works(analyst: psycopg.Connection, statement: str) -> None:
    analyst.execute(statement.encode())
