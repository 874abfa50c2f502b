"""Clients of TLS: the system's psql, and sockets that say one thing after the other."""

from __future__ import annotations

import contextlib
import functools
import os
import socket
import ssl
import subprocess
from collections.abc import Iterator

import psycopg
import pytest

from proxy.wire import frontend
from proxy.wire.codec import INT32
from proxy.wire.session import Limits
from tests.programs import find_program
from tests.wire.support import PASSWORD, RawClient, RunningServer

SSL_REQUEST = INT32.pack(8) + INT32.pack(frontend.SSL_REQUEST)
LIMITS = Limits(login_delay=0.1, login_timeout=5)


def psql(
    server: RunningServer, *parameters: str, command: str = "SELECT count(*) FROM visits"
) -> subprocess.CompletedProcess[str]:
    dsn = " ".join((f"host={server.host} port={server.port} dbname=shop", *parameters))
    dsn = dsn if "user=" in dsn else f"{dsn} user=ana password='{PASSWORD}'"
    if not _psql_has_tls():
        return _libpq(dsn, command)
    environment = {**os.environ, "HOME": "/nonexistent"}
    return subprocess.run(
        [find_program("psql"), "-XAtq", "-d", dsn, "-c", command],
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


@functools.cache
def _psql_has_tls() -> bool:
    """The wheel's psql is built without."""
    tried = [find_program("psql"), "-X", "-d", "host=/nonexistent sslmode=require", "-c", ""]
    done = subprocess.run(tried, capture_output=True, text=True, timeout=60, check=False)
    return "SSL support is not compiled in" not in done.stderr


def _libpq(dsn: str, command: str) -> subprocess.CompletedProcess[str]:
    """As psql would, by the libpq of psycopg, which has TLS everywhere."""
    if command.startswith("\\"):
        pytest.skip("this psql is built without TLS: install PostgreSQL's own client")
    try:
        with psycopg.connect(dsn) as connection:
            rows = connection.execute(command.encode()).fetchall()
    except psycopg.OperationalError as error:
        return subprocess.CompletedProcess([dsn], 2, "", str(error))
    return subprocess.CompletedProcess([dsn], 0, "".join("|".join(map(str, row)) + "\n" for row in rows), "")


def raw(server: RunningServer) -> socket.socket:
    return socket.create_connection((server.host, server.port), timeout=20)


def negotiated(plain: socket.socket) -> socket.socket:
    plain.sendall(SSL_REQUEST)
    assert plain.recv(1) == b"S"
    return plain


@contextlib.contextmanager
def tls(server: RunningServer) -> Iterator[RawClient]:
    """A raw client inside TLS, which was negotiated and is not verified."""
    with (
        raw(server) as plain,
        unverified().wrap_socket(negotiated(plain)) as inside,
        RawClient(server, inside) as client,
    ):
        yield client


def unverified(*protocols: str) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    if protocols:
        context.set_alpn_protocols(list(protocols))
    return context
