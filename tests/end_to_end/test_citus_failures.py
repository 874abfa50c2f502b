"""A Citus cluster that cannot do what is asked, or not now: nothing is charged, and rows are seen at one moment."""

from __future__ import annotations

from collections.abc import Iterator

import psycopg
import pytest

from proxy.policy.lint import check_against_catalog
from proxy.policy.model import Policy
from proxy.postgres.catalog_reader import catalog_for
from proxy.postgres.cluster import setting_statements
from tests.end_to_end import clinic
from tests.end_to_end.cluster import READER, Cluster, without_worker
from tests.end_to_end.conftest import StartProxy

NOTES = f"""
CREATE TABLE notes (note_id bigint PRIMARY KEY, patient_id integer NOT NULL);
SELECT create_distributed_table('notes', 'note_id');
INSERT INTO notes SELECT i, 1 + i % 2000 FROM generate_series(1, 3000) AS i;
GRANT SELECT ON notes TO {READER};
"""
NOTED = {
    "unit": {"name": "patient", "column": "patient_id"},
    "budget": {"epsilon": "10", "delta": "1e-6"},
    "columns": {"note_id": {}, "patient_id": {}},
}


@pytest.fixture(scope="module")
def policy(cluster: Cluster) -> Policy:
    """With a table that is not spread by the unit."""
    with psycopg.connect(cluster.owner, autocommit=True) as connection:
        for statement in NOTES.strip().split("\n"):
            connection.execute(statement.encode())
    tables = clinic.POLICY["tables"]
    assert isinstance(tables, dict)
    return Policy.model_validate(clinic.POLICY | {"tables": tables | {"public.notes": NOTED}})


@pytest.fixture
def client(policy: Policy, cluster: Cluster, proxies: StartProxy) -> Iterator[psycopg.Connection]:
    """Of a proxy with a ledger of its own."""
    with proxies(policy, source=cluster.source).connect() as connection:
        yield connection


def spent(client: psycopg.Connection) -> list[tuple[object, ...]]:
    return client.execute("SELECT account, epsilon_spent, rho_spent FROM dp.budget ORDER BY account").fetchall()


def test_what_the_cluster_cannot_join_is_refused_before_the_charge(client: psycopg.Connection) -> None:
    before = spent(client)
    # More often than failures are let through.
    for year in range(1990, 1995):
        with pytest.raises(psycopg.errors.FeatureNotSupported) as refusal:
            client.execute(
                f"SELECT count(*) FROM patients JOIN notes USING (patient_id) WHERE birth_year > {year}".encode()
            )
        assert "the cluster cannot join these tables" in (refusal.value.diag.message_detail or "")
    assert spent(client) == before
    assert client.execute("SELECT count(*) FROM notes").fetchone() is not None


def test_a_table_that_is_spread_otherwise_is_a_warning(policy: Policy, cluster: Cluster) -> None:
    catalog = catalog_for(cluster.source, policy)
    assert catalog.on_cluster
    assert catalog.tables["public.visits"].distributed_by == "patient_id"
    assert catalog.tables["public.regions"].distributed_by is None
    (finding,) = (found for found in check_against_catalog(policy, catalog) if "cluster" in found.message)
    assert (finding.path, finding.severity) == ("tables.public.notes.unit.column", "warning")
    assert finding.hint == "SELECT alter_distributed_table('public.notes', distribution_column => 'patient_id')"


def test_a_worker_that_is_down_costs_nothing(client: psycopg.Connection, cluster: Cluster) -> None:
    client.execute("SELECT count(*) FROM visits")
    before = spent(client)
    with without_worker(cluster):
        for minutes in range(5):
            with pytest.raises(psycopg.errors.CannotConnectNow, match="private database"):
                client.execute(f"SELECT count(*) FROM visits WHERE minutes > {minutes}".encode())
        assert spent(client) == before
    assert client.execute("SELECT count(*) FROM visits WHERE minutes > 10").fetchone() is not None


def test_connections_to_a_worker_that_has_been_restarted_are_not_noticed(
    client: psycopg.Connection, cluster: Cluster
) -> None:
    client.execute("SELECT count(*) FROM visits")
    with psycopg.connect(cluster.workers[0].dsn("clinic"), autocommit=True) as worker:
        worker.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = %s", (READER,))
    assert client.execute("SELECT count(*) FROM visits WHERE urgent").fetchone() is not None


TWICE = 'SELECT count(*) FROM "public"."visits" JOIN (SELECT 1 FROM "public"."visits" LIMIT 1) AS v ON true'


@pytest.mark.parametrize(("statement", "same"), [(TWICE, True), ("SELECT 1", False)], ids=["twice", "once"])
def test_what_is_read_twice_is_read_at_one_moment(statement: str, same: bool, cluster: Cluster) -> None:
    with (
        psycopg.connect(cluster.owner, autocommit=True) as reader,
        psycopg.connect(cluster.owner, autocommit=True) as writer,
    ):
        reader.execute("SET citus.force_max_query_parallelization = on")
        reader.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
        for setting in setting_statements({}, [statement], ["public.visits"]):
            reader.execute(setting)
        # One shard of a worker is read, and all later, first alone, then with a public table, by its first connection.
        some = "SELECT count(*) FROM visits {} WHERE patient_id = {}"
        for patient in (1, 5):
            reader.execute(some.format("", patient).encode())
        move = "UPDATE visits SET region = NULL WHERE region = 'north'"
        writer.execute("BEGIN")
        moved = writer.execute(move.encode()).rowcount
        writer.execute("COMMIT")
        alone = reader.execute("SELECT count(*) FROM visits WHERE region = 'north'").fetchone()
        for patient in (1, 5):
            reader.execute(some.format("JOIN regions ON name = region", patient).encode())
        beside = reader.execute(
            "SELECT count(*) FROM visits JOIN regions ON name = region WHERE name = 'north'"
        ).fetchone()
        reader.execute("ROLLBACK")
        assert moved == 3000
        writer.execute("UPDATE visits SET region = 'north' WHERE region IS NULL")
        assert (alone == beside) is same
