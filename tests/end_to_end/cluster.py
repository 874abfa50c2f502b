"""A Citus cluster of three small servers that holds the clinic, spread by the patient.

The nodes reach each other by their Unix sockets, so that no port is open.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import psycopg
import pytest
from psycopg.conninfo import make_conninfo

from proxy.postgres.embedded import EmbeddedPostgres
from tests.conftest import SERVER_SETTINGS
from tests.end_to_end import clinic

DATABASE = "clinic"
SHARDS = 8
READER = "clinic_reader"

_SETTINGS = SERVER_SETTINGS | {
    "shared_preload_libraries": "citus",
    "wal_level": "logical",
    "max_wal_senders": "4",
    "max_prepared_transactions": "50",
    "citus.node_conninfo": "sslmode=disable",
    # Of the cluster's administrator: a source query has to say so itself where it matters.
    "citus.max_adaptive_executor_pool_size": "8",
    "citus.enable_statistics_collection": "off",
}

_DISTRIBUTION = f"""
ALTER TABLE visits DROP CONSTRAINT visits_patient_id_fkey;
ALTER TABLE visits DROP CONSTRAINT visits_pkey, ADD PRIMARY KEY (patient_id, visit_id);
SELECT create_reference_table('regions');
SELECT create_reference_table('specialties');
SELECT create_distributed_table('patients', 'patient_id', shard_count => {SHARDS});
SELECT create_distributed_table('visits', 'patient_id', colocate_with => 'patients');
ALTER TABLE visits ADD FOREIGN KEY (patient_id) REFERENCES patients;
CREATE ROLE {READER} LOGIN;
GRANT SELECT ON regions, specialties, patients, visits TO {READER}
"""


@dataclass(frozen=True)
class Cluster:
    """Running nodes.

    Attributes:
        coordinator: holds no row.
        workers: hold the shards.
    """

    coordinator: EmbeddedPostgres
    workers: tuple[EmbeddedPostgres, ...]

    @property
    def owner(self) -> str:
        """Connection string of the owner of the clinic."""
        return self.coordinator.dsn(DATABASE)

    @property
    def source(self) -> str:
        """Connection string of a role that may read the clinic, and nothing else."""
        return make_conninfo(self.owner, user=READER)

    def create_database(self, name: str) -> str:
        """Create an empty database on all nodes; connection string of its owner."""
        nodes = (self.coordinator, *self.workers)
        for node in nodes:
            with psycopg.connect(node.dsn(), autocommit=True) as connection:
                connection.execute(f"CREATE DATABASE {name}".encode())
            with psycopg.connect(node.dsn(name), autocommit=True) as connection:
                connection.execute("CREATE EXTENSION citus")
        own, *others = [(str(node.socket_directory), node.port) for node in nodes]
        with psycopg.connect(self.coordinator.dsn(name), autocommit=True) as connection:
            connection.execute("SELECT citus_set_coordinator_host(%s, %s)", own)
            for address in others:
                connection.execute("SELECT citus_add_node(%s, %s)", address)
        return self.coordinator.dsn(name)


def binaries() -> Path:
    """The directory of programs of a PostgreSQL with Citus; skips the test where none is named.

    Raises:
        pytest.UsageError: what is named has no Citus.
    """
    named = os.environ.get("DPPROXY_TEST_CITUS")
    if not named:
        pytest.skip("DPPROXY_TEST_CITUS names no PostgreSQL with Citus; tests/README.md says how to build one")
    if not list(Path(named).parent.glob("lib*/**/citus.so")):
        raise pytest.UsageError(f"DPPROXY_TEST_CITUS={named}: there is no citus.so beside it")
    return Path(named)


@contextmanager
def running_cluster() -> Iterator[Cluster]:
    """A coordinator and two workers with the clinic."""
    programs = binaries()
    with ExitStack() as stack:
        # Open to the servers' user, and short, so that sockets are in it and a node has the same address again.
        directory = Path(stack.enter_context(TemporaryDirectory(prefix="citus-")))
        directory.chmod(0o711)
        nodes = [
            stack.enter_context(
                EmbeddedPostgres(directory / name, durable=False, binaries=programs, settings=_SETTINGS)
            )
            for name in ("coordinator", "worker_1", "worker_2")
        ]
        cluster = Cluster(nodes[0], tuple(nodes[1:]))
        cluster.create_database(DATABASE)
        clinic.create(cluster.owner)
        with psycopg.connect(cluster.owner, autocommit=True) as connection:
            for statement in _DISTRIBUTION.split(";\n"):
                connection.execute(statement.encode())
        yield cluster


@contextmanager
def without_worker(cluster: Cluster) -> Iterator[None]:
    """One worker is down meanwhile."""
    worker = cluster.workers[1]
    address = worker.socket_directory
    worker.stop()
    try:
        yield
    finally:
        worker.start()
    assert worker.socket_directory == address, "the coordinator knows the worker by its address"
