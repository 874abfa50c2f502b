"""TLS with real clients: libpq 15 and 18, asyncpg, pg8000, Python's ssl; certificates for passwords, and new ones."""

from __future__ import annotations

import asyncio
import contextlib
import ssl
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import asyncpg
import pg8000.native
import psycopg
import pytest

from proxy.wire import frontend
from proxy.wire.codec import INT32
from proxy.wire.frontend import CancelRequest, Startup
from proxy.wire.session import Limits
from proxy.wire.stage_connection import StageAddress
from proxy.wire.tls import Credentials, TlsFiles
from tests.wire.certificates import Authority, server_files
from tests.wire.support import PASSWORD, RawClient, RunningServer, error, rows, status
from tests.wire.tls_clients import LIMITS, SSL_REQUEST, negotiated, psql, raw, tls, unverified

GSSENC_REQUEST = INT32.pack(8) + INT32.pack(frontend.GSSENC_REQUEST)


@pytest.fixture
def server(tls_server: RunningServer) -> RunningServer:
    return tls_server


@pytest.mark.parametrize("mode", ["require", "verify-ca", "verify-full"])
@pytest.mark.parametrize("binding", ["prefer", "require", "disable"])
def test_libpq_connects_in_every_mode(server: RunningServer, authority: Authority, mode: str, binding: str) -> None:
    """The system's psql, and the libpq of psycopg."""
    parameters = (f"sslmode={mode}", f"sslrootcert={authority.file}", f"channel_binding={binding}")
    done = psql(server, *parameters)
    assert (done.returncode, done.stdout) == (0, "3\n"), done.stderr
    with psycopg.connect(" ".join((server.dsn(), *parameters))) as connection:
        assert connection.execute("SELECT count(*) FROM visits").fetchone() == (3,)
        assert connection.pgconn.used_password


def test_psql_sees_the_version_of_tls(server: RunningServer) -> None:
    done = psql(server, "sslmode=require", command="\\conninfo")
    assert "TLSv1.3" in done.stdout


def test_another_authority_is_not_trusted(server: RunningServer, client_authority: Authority) -> None:
    done = psql(server, "sslmode=verify-ca", f"sslrootcert={client_authority.file}")
    assert done.returncode == 2
    assert "certificate verify failed" in done.stderr


def test_tls_11_is_refused(server: RunningServer) -> None:
    context = unverified()
    context.minimum_version = ssl.TLSVersion.MINIMUM_SUPPORTED
    with pytest.warns(DeprecationWarning, match="deprecated"):
        context.maximum_version = ssl.TLSVersion.TLSv1_1
    context.set_ciphers("ALL:@SECLEVEL=0")
    with raw(server) as plain, pytest.raises(ssl.SSLError):
        context.wrap_socket(negotiated(plain))


def test_without_tls_nobody_logs_in(server: RunningServer) -> None:
    done = psql(server, "sslmode=disable")
    assert done.returncode == 2
    assert "FATAL:  this server accepts no connections without TLS" in done.stderr
    with RawClient(server) as client:
        report = error(client.log_in())
    assert (report.sqlstate, report["S"]) == ("28000", b"FATAL")
    with RawClient(server) as client:
        assert error(client.log_in(user="nobody"))["M"] == report["M"]


def test_without_tls_somebody_may_still_cancel(server: RunningServer) -> None:
    """libpq before version 17 cancels without TLS, whatever the session has."""
    with tls(server) as client, raw(server) as plain:
        key = client.key(client.log_in())
        server.router.started.clear()
        client.send(frontend.Query(b"SELECT id FROM visits /*slow*/").encode())
        assert server.router.started.wait(10)
        plain.sendall(key.encode())
        assert error(client.until("Z")).sqlstate == "57014"


@contextlib.contextmanager
def cancelled(server: RunningServer, connection: psycopg.Connection) -> Iterator[None]:
    """Run something slow, which the block cancels."""
    server.router.started.clear()
    server.router.cancelled.clear()

    def work() -> None:
        with pytest.raises(psycopg.errors.QueryCanceled):
            connection.execute("SELECT id FROM visits /*slow*/")

    with ThreadPoolExecutor(1) as pool:
        working = pool.submit(work)
        assert server.router.started.wait(10)
        yield
        working.result(10)
    assert server.router.cancelled.is_set()


def test_a_server_that_does_not_require_tls_serves_both(stage_address: StageAddress, tls_files: TlsFiles) -> None:
    with RunningServer(stage_address, LIMITS, credentials=Credentials.read(tls_files)) as both:
        for mode in ("disable", "allow", "prefer", "require"):
            done = psql(both, f"sslmode={mode}", command="\\conninfo")
            assert done.returncode == 0, done.stderr
            assert ("TLSv1.3" in done.stdout) == (mode in ("prefer", "require"))


newest_libpq = pytest.mark.skipif(
    psycopg.pq.version() < 180000, reason="libpq 18 is needed: pip install psycopg[binary]"
)


@newest_libpq
def test_direct_tls_of_libpq(server: RunningServer, authority: Authority) -> None:
    parameters = f" sslmode=verify-full sslrootcert={authority.file} sslnegotiation=direct channel_binding=require"
    with psycopg.connect(server.dsn() + parameters) as connection:
        assert connection.execute("SELECT count(*) FROM visits").fetchone() == (3,)


@newest_libpq
@pytest.mark.parametrize("version", ["3.0", "3.2"])
def test_libpq_cancels_with_keys_of_every_length(server: RunningServer, version: str) -> None:
    parameters = f" sslmode=require min_protocol_version={version} max_protocol_version={version}"
    with psycopg.connect(server.dsn() + parameters) as connection, cancelled(server, connection):
        connection.cancel_safe()


def test_asyncpg_connects_both_ways(server: RunningServer, authority: Authority) -> None:
    async def use() -> None:
        for direct in (False, True):
            context = ssl.create_default_context(cafile=str(authority.file))
            context.set_alpn_protocols(["postgresql"])
            connection = await asyncpg.connect(
                host="localhost",
                port=server.port,
                user="ana",
                password=PASSWORD,
                database="shop",
                ssl=context,
                direct_tls=direct,
            )
            assert await connection.fetchval("SELECT count(*) FROM visits") == 3
            with pytest.raises(asyncio.TimeoutError):
                await connection.fetch("SELECT id FROM visits /*slow*/", timeout=0.3)
            assert await connection.fetchval("SELECT count(*) FROM visits") == 3
            await connection.close()

    asyncio.run(use())


def test_pg8000_binds_the_channel(server: RunningServer, authority: Authority) -> None:
    context = ssl.create_default_context(cafile=str(authority.file))
    connection = pg8000.native.Connection(
        "ana", host="localhost", port=server.port, password=PASSWORD, database="shop", ssl_context=context
    )
    assert connection.run("SELECT count(*) FROM visits") == [[3]]
    connection.close()


def test_large_answers_and_statements_pass_through(server: RunningServer) -> None:
    with psycopg.connect(server.dsn() + " sslmode=require") as connection:
        text = "x" * 3_000_000
        assert connection.execute("SELECT %s::text || %s::text", (text, text)).fetchone() == (text + text,)
        with connection.cursor().copy(
            "COPY (SELECT repeat('y', 1000) FROM generate_series(1, 20000)) TO STDOUT"
        ) as out:
            assert sum(len(block) for block in out) == 20_000 * 1001


# What stands between the two


def test_what_is_sent_before_the_answer_to_an_ssl_request_is_refused(server: RunningServer) -> None:
    """CVE-2021-23214: somebody in the middle puts a message in front of what the client then encrypts."""
    startup = Startup(frontend.PROTOCOL_3_0, {"user": "ana"}).encode()
    with RawClient(server) as client:
        client.send(SSL_REQUEST, startup)
        report = error(client.until("Z"))
    assert (report.sqlstate, report["M"]) == ("08P01", b"received unencrypted data after SSL request")


def test_what_is_sent_plainly_after_the_answer_is_never_a_message(server: RunningServer) -> None:
    with raw(server) as plain:
        negotiated(plain).sendall(CancelRequest(1, b"1234").encode())
        assert plain.recv(1)[:1] in (b"\x15", b"")  # an alert of TLS


def test_gss_encryption_is_declined_and_tls_is_still_possible(server: RunningServer) -> None:
    with raw(server) as plain:
        plain.sendall(GSSENC_REQUEST)
        assert plain.recv(1) == b"N"
        with unverified().wrap_socket(negotiated(plain)) as inside, RawClient(server, inside) as client:
            assert status(client.log_in()) == "I"


@pytest.mark.parametrize("request_", [SSL_REQUEST, GSSENC_REQUEST])
def test_inside_tls_nobody_asks_for_encryption(server: RunningServer, request_: bytes) -> None:
    with tls(server) as client:
        client.send(request_)
        assert error(client.until("Z")).sqlstate == "0A000"


@pytest.mark.parametrize("protocols", [(), ("h2",), ("http/1.1", "imap")])
def test_direct_tls_without_alpn_is_no_client(server: RunningServer, protocols: tuple[str, ...]) -> None:
    with (
        raw(server) as plain,
        unverified(*protocols).wrap_socket(plain) as inside,
        RawClient(server, inside) as client,
    ):
        client.send(Startup(frontend.PROTOCOL_3_0, {"user": "ana"}).encode())
        assert error(client.until("Z")).sqlstate == "08P01"


def test_direct_tls_of_python_logs_in_and_messages_right_behind_the_handshake_count(server: RunningServer) -> None:
    with (
        raw(server) as plain,
        unverified("postgresql").wrap_socket(plain) as inside,
        RawClient(server, inside) as client,
    ):
        assert status(client.log_in()) == "I"
        client.send(frontend.Query(b"SELECT count(*) FROM visits").encode())
        assert rows(client.until("Z")) == [(b"3",)]


def test_direct_tls_is_only_at_the_beginning(server: RunningServer) -> None:
    with raw(server) as plain:
        plain.sendall(GSSENC_REQUEST)
        assert plain.recv(1) == b"N"
        with pytest.raises(ssl.SSLError):
            unverified("postgresql").wrap_socket(plain)


def test_without_a_certificate_direct_tls_is_refused_in_words(stage_address: StageAddress) -> None:
    with RunningServer(stage_address, LIMITS) as bare, RawClient(bare) as client:
        client.send(b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03")
        assert error(client.until("Z")).sqlstate == "08P01"


def test_tls_12_is_enough(server: RunningServer, authority: Authority) -> None:
    parameters = ("sslmode=verify-full", f"sslrootcert={authority.file}", "channel_binding=require")
    done = psql(server, *parameters, "ssl_max_protocol_version=TLSv1.2", command="\\conninfo")
    assert (done.returncode, "TLSv1.2" in done.stdout) == (0, True), done.stderr


def test_what_is_not_encrypted_by_the_client_ends_its_session(server: RunningServer) -> None:
    with raw(server) as plain:
        incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
        session = unverified().wrap_bio(incoming, outgoing)
        negotiated(plain)
        while True:
            try:
                session.do_handshake()
                break
            except ssl.SSLWantReadError:
                plain.sendall(outgoing.read())
                incoming.write(plain.recv(65536))
        plain.sendall(outgoing.read())
        session.write(Startup(frontend.PROTOCOL_3_0, {"user": "ana"}).encode())
        record = bytearray(outgoing.read())
        record[-1] ^= 1
        plain.sendall(record)
        while plain.recv(65536):
            continue


def test_half_a_handshake_holds_nobody_and_is_cut_off(stage_address: StageAddress, tls_files: TlsFiles) -> None:
    limits = Limits(login_timeout=3.0)
    with RunningServer(stage_address, limits, credentials=Credentials.read(tls_files)) as slow:
        waiting = [raw(slow) for _ in range(20)]
        for number, plain in enumerate(waiting):
            plain.sendall(SSL_REQUEST if number % 2 else b"\x16\x03\x01\x02\x00\x01")
        started = time.monotonic()
        assert psql(slow, "sslmode=require").returncode == 0
        assert time.monotonic() - started < 3.0
        for plain in waiting:
            plain.settimeout(10)
            while plain.recv(100):
                continue
            plain.close()
        assert time.monotonic() - started < 8.0


# New certificates


def test_new_clients_see_the_new_certificate_and_old_sessions_go_on(
    stage_address: StageAddress, authority: Authority, tmp_path: Path
) -> None:
    newer = Authority(tmp_path, "newer")
    with (
        RunningServer(stage_address, LIMITS, credentials=Credentials.read(server_files(authority, "first"))) as running,
        psycopg.connect(running.dsn() + f" sslmode=verify-full sslrootcert={authority.file}") as old,
    ):
        running.use_credentials(Credentials.read(server_files(newer, "second")))
        assert psql(running, "sslmode=verify-full", f"sslrootcert={authority.file}").returncode == 2
        done = psql(running, "sslmode=verify-full", f"sslrootcert={newer.file}", "channel_binding=require")
        assert done.returncode == 0, done.stderr
        assert old.execute("SELECT count(*) FROM visits").fetchone() == (3,)
