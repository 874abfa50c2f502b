"""A real stage: one table that analysts may reference but not read, one that is public."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator

import psycopg
import pytest
import uvloop

from proxy.postgres.binaries import find_binaries
from proxy.postgres.embedded import EmbeddedPostgres
from proxy.wire.gate import Account
from proxy.wire.session import Limits
from proxy.wire.stage_connection import StageAddress
from proxy.wire.tls import Credentials, TlsFiles
from tests.wire.certificates import Authority, server_files
from tests.wire.support import ACCOUNTS, STAGE_PASSWORD, RawClient, RunningServer
from tests.wire.tls_clients import LIMITS

_SCHEMA = f"""
CREATE ROLE ana LOGIN PASSWORD '{STAGE_PASSWORD}';
CREATE ROLE bob LOGIN PASSWORD '{STAGE_PASSWORD}';
CREATE TABLE visits (id integer, cost numeric, region text);
CREATE TABLE regions (name text, population integer);
INSERT INTO regions VALUES ('north', 100), ('south', 200);
GRANT REFERENCES ON visits TO ana, bob;
GRANT SELECT ON regions TO ana, bob;
"""

LOOPS = {"asyncio": asyncio.new_event_loop, "uvloop": uvloop.new_event_loop}
"""What serves clients: the second one where the extra `fast` is installed."""


@pytest.fixture(scope="session")
def stage_postgres(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EmbeddedPostgres]:
    # A server of our own even where the other tests use Docker's: its rules for logins are part of what is tested.
    wanted = os.environ.get("DPPROXY_TEST_POSTGRES")
    binaries = find_binaries(system=wanted != "embedded", wheel=wanted != "system")
    with EmbeddedPostgres(tmp_path_factory.mktemp("stage"), durable=False, binaries=binaries) as postgres:
        with psycopg.connect(postgres.dsn(), autocommit=True) as connection:
            connection.execute("CREATE DATABASE stage")
        with psycopg.connect(postgres.dsn("stage"), autocommit=True) as connection:
            connection.execute(_SCHEMA)
            rules = "local all postgres trust\nlocal all all scram-sha-256\n"
            (postgres.data_directory / "pg_hba.conf").write_text(rules)
            connection.execute("SELECT pg_reload_conf()")
        yield postgres


@pytest.fixture(scope="session")
def stage_address(stage_postgres: EmbeddedPostgres) -> StageAddress:
    directory = str(stage_postgres.socket_directory)
    return StageAddress(directory, stage_postgres.port, "stage", lambda _: STAGE_PASSWORD)


@pytest.fixture(scope="session")
def owner(stage_postgres: EmbeddedPostgres) -> Iterator[psycopg.Connection]:
    """The stage's superuser, to look at what the sessions do there."""
    with psycopg.connect(stage_postgres.dsn("stage"), autocommit=True) as connection:
        yield connection


@pytest.fixture(scope="session", params=[*LOOPS.values()], ids=[*LOOPS])
def shared_server(stage_address: StageAddress, request: pytest.FixtureRequest) -> Iterator[RunningServer]:
    with RunningServer(stage_address, Limits(login_delay=0.1), new_loop=request.param) as server:
        yield server


@pytest.fixture
def server(shared_server: RunningServer) -> RunningServer:
    shared_server.router.answered.clear()
    shared_server.router.started.clear()
    shared_server.router.cancelled.clear()
    return shared_server


@pytest.fixture
def client(server: RunningServer) -> Iterator[RawClient]:
    """A raw client that is logged in."""
    with RawClient(server) as raw:
        raw.log_in()
        yield raw


@pytest.fixture(scope="session")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    return Authority(tmp_path_factory.mktemp("certificates"))


@pytest.fixture(scope="session")
def client_authority(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    return Authority(tmp_path_factory.mktemp("clients"), "clients")


@pytest.fixture(scope="session")
def tls_files(authority: Authority, client_authority: Authority) -> TlsFiles:
    return server_files(authority, client_ca=client_authority.file)


@pytest.fixture(scope="session", params=[*LOOPS.values()], ids=[*LOOPS])
def tls_server(
    stage_address: StageAddress, tls_files: TlsFiles, request: pytest.FixtureRequest
) -> Iterator[RunningServer]:
    """Requires TLS; bob may log in by a certificate too, and has no password."""
    accounts = {"ana": ACCOUNTS["ana"], "bob": Account(None, "Bob of the clinic")}
    credentials = Credentials.read(tls_files)
    with RunningServer(
        stage_address, LIMITS, accounts, credentials, require_tls=True, new_loop=request.param
    ) as running:
        yield running
