"""Cancel requests, clients and stages that vanish, and the server's shutdown."""

from __future__ import annotations

import asyncio
import socket
import threading
import time
from contextlib import suppress
from dataclasses import dataclass, field

import psycopg
import pytest

from proxy.wire import frontend
from proxy.wire.codec import frame
from proxy.wire.connection import Connection
from proxy.wire.frontend import Bind, CancelRequest, Execute, Parse, Query
from proxy.wire.session import Limits
from proxy.wire.stage_connection import StageAddress
from tests.wire.support import RawClient, RunningServer, error, kinds, rows, status

SYNC = frame(frontend.SYNC)
SLOW = b"SELECT id FROM visits /*slow*/"


def cancel(server: RunningServer, key: CancelRequest) -> None:
    with RawClient(server) as client:
        client.send(key.encode())
        assert client.read() == ("", b"")


def wait_until_running(owner: psycopg.Connection, pattern: str) -> None:
    for _ in range(200):
        query = "SELECT count(*) FROM pg_stat_activity WHERE state = 'active' AND usename = 'ana' AND query LIKE %s"
        if owner.execute(query, (pattern,)).fetchone() == (1,):
            return
        time.sleep(0.02)
    pytest.fail("the statement did not start")


def wait_until_gone(owner: psycopg.Connection, application: str) -> None:
    for _ in range(200):
        query = "SELECT count(*) FROM pg_stat_activity WHERE application_name = %s"
        if owner.execute(query, (application,)).fetchone() == (0,):
            return
        time.sleep(0.02)
    pytest.fail("a stage connection was left behind")


def test_cancel_reaches_the_router_in_a_simple_query(server: RunningServer) -> None:
    with RawClient(server) as client:
        key = client.key(client.log_in())
        client.send(Query(b"BEGIN").encode())
        client.until("Z")
        client.send(Query(SLOW).encode())
        assert server.router.started.wait(10)
        cancel(server, key)
        messages = client.until("Z")
        assert (error(messages).sqlstate, status(messages)) == ("57014", "E")
        assert server.router.cancelled.is_set()


def test_cancel_reaches_the_router_in_a_pipeline(server: RunningServer) -> None:
    with RawClient(server) as client:
        key = client.key(client.log_in())
        client.send(Parse(b"", SLOW).encode(), Bind(b"", b"").encode(), Execute(b"").encode(), SYNC)
        assert server.router.started.wait(10)
        cancel(server, key)
        messages = client.until("Z")
        assert (kinds(messages), error(messages).sqlstate) == ("1EZ", "57014")
        client.send(Query(b"SELECT 1").encode())
        assert rows(client.until("Z")) == [(b"1",)]


def test_cancel_reaches_the_stage(server: RunningServer, owner: psycopg.Connection) -> None:
    with RawClient(server) as client:
        key = client.key(client.log_in())
        client.send(Query(b"SELECT pg_sleep(60) AS nap").encode())
        wait_until_running(owner, "%AS nap")
        cancel(server, key)
        assert error(client.until("Z")).sqlstate == "57014"


def test_cancel_with_a_wrong_secret_does_nothing(server: RunningServer) -> None:
    with RawClient(server) as client:
        key = client.key(client.log_in())
        client.send(Query(SLOW).encode())
        assert server.router.started.wait(10)
        cancel(server, CancelRequest(key.process, bytes(4)))
        cancel(server, CancelRequest(key.process ^ 1, key.secret))
        assert not server.router.cancelled.wait(0.2)
        cancel(server, key)
        assert error(client.until("Z")).sqlstate == "57014"


def test_cancel_of_an_idle_session_does_nothing(server: RunningServer) -> None:
    with RawClient(server) as client:
        key = client.key(client.log_in())
        cancel(server, key)
        client.send(Query(b"SELECT count(*) FROM visits").encode())
        assert rows(client.until("Z")) == [(b"3",)]


def test_a_vanished_client_cancels_its_answer(server: RunningServer, owner: psycopg.Connection) -> None:
    client = RawClient(server)
    client.log_in(application_name="vanished")
    client.send(Query(SLOW).encode())
    assert server.router.started.wait(10)
    client.close()
    assert server.router.cancelled.wait(10)
    wait_until_gone(owner, "vanished")


@pytest.mark.parametrize(
    "left_behind",
    [
        b"",
        Query(b"SELECT pg_sleep(60)").encode(),
        Query(b"SELECT repeat('x', 1000) FROM generate_series(1, 1000000)").encode(),
        Query(b"BEGIN").encode(),
        Query(b"SELECT 1").encode()[:-3],
        Parse(b"", b"SELECT id FROM visits").encode() + Bind(b"", b"").encode(),
        frame(frontend.TERMINATE),
    ],
)
def test_a_vanished_client_leaves_no_stage_connection(
    server: RunningServer, owner: psycopg.Connection, left_behind: bytes
) -> None:
    client = RawClient(server)
    client.log_in(application_name="left")
    client.send(left_behind)
    time.sleep(0.05)
    client.close()
    wait_until_gone(owner, "left")


def test_a_killed_stage_connection_ends_the_session_with_its_reason(
    server: RunningServer, owner: psycopg.Connection
) -> None:
    with RawClient(server) as client:
        client.log_in(application_name="doomed")
        owner.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'doomed'")
        messages = client.until("Z")
    assert (kinds(messages), error(messages).sqlstate) == ("E", "57P01")


def test_a_client_that_never_reads_holds_no_more_than_its_buffers(
    server: RunningServer, owner: psycopg.Connection
) -> None:
    with RawClient(server) as client:
        client.log_in(application_name="deaf")
        # In the select list the series is sent as it is counted; in FROM it would be written down whole, first.
        client.send(Query(b"SELECT repeat('x', 1000), generate_series(1, 10000000)").encode())
        wait_until_running(owner, "%10000000%")
        for _ in range(1000):
            query = "SELECT wait_event FROM pg_stat_activity WHERE application_name = 'deaf'"
            if owner.execute(query).fetchone() == ("ClientWrite",):
                break
            time.sleep(0.02)
        else:
            pytest.fail("the stage was never made to wait")
    wait_until_gone(owner, "deaf")


def test_stopping_ends_idle_sessions_and_lets_running_ones_finish(stage_address: StageAddress) -> None:
    with RunningServer(stage_address, Limits()) as server, RawClient(server) as idle, RawClient(server) as busy:
        idle.log_in()
        busy.log_in()
        busy.send(Query(b"SELECT pg_sleep(0.5)").encode())
        time.sleep(0.1)
        stopping = threading.Thread(target=server.stop)
        stopping.start()
        assert error(idle.until("Z")).sqlstate == "57P01"
        assert kinds(busy.until("Z")) == "TDCZ"
        assert error(busy.until("Z")).sqlstate == "57P01"
        stopping.join()
        with pytest.raises(ConnectionRefusedError):
            RawClient(server)


def test_stopping_does_not_wait_for_ever(stage_address: StageAddress, owner: psycopg.Connection) -> None:
    with RunningServer(stage_address, Limits(shutdown=0.2)) as server, RawClient(server) as client:
        client.log_in(application_name="endless")
        client.send(Query(SLOW).encode())
        assert server.router.started.wait(10)
        server.stop()
        assert server.router.cancelled.is_set()
        assert error(client.until("Z")).sqlstate == "57P01"
    wait_until_gone(owner, "endless")


def test_a_statement_that_holds_the_stage_too_long_is_cancelled(stage_address: StageAddress) -> None:
    with RunningServer(stage_address, Limits(statement=0.2)) as server, RawClient(server) as client:
        client.log_in()
        client.send(Query(b"SET statement_timeout = 0; SELECT pg_sleep(60)").encode())
        assert error(client.until("Z")).sqlstate == "57014"


def deaf_client(server: RunningServer) -> RawClient:
    """One whose system keeps little of what it does not read."""
    own = socket.socket()
    own.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    own.settimeout(20)
    own.connect((server.host, server.port))
    return RawClient(server, own)


LONG = Query(b"SELECT repeat('x', 1000) FROM generate_series(1, 100000)").encode()


def test_a_client_that_reads_nothing_is_hung_up_on(stage_address: StageAddress, owner: psycopg.Connection) -> None:
    with RunningServer(stage_address, Limits(statement=0.5)) as server, deaf_client(server) as client:
        client.log_in(application_name="deaf")
        client.send(LONG)
        wait_until_gone(owner, "deaf")
        with RawClient(server) as other:
            other.log_in()


REPLIED = {
    "refused function calls": frame(frontend.FUNCTION_CALL, b"\0" * 10),
    "empty queries": Query(b"").encode(),
}


@pytest.mark.parametrize("message", REPLIED.values(), ids=REPLIED)
def test_replies_that_nobody_reads_do_not_fill_the_memory(
    stage_address: StageAddress, owner: psycopg.Connection, message: bytes
) -> None:
    with RunningServer(stage_address, Limits()) as server:
        client = deaf_client(server)
        client.log_in(application_name="deaf")
        client.socket.setblocking(False)
        with suppress(BlockingIOError):
            for _ in range(200):
                client.socket.sendall(message * 1000)
        deadline = time.monotonic() + 2
        while time.monotonic() < deadline:
            assert server.unsent < 1_000_000
            time.sleep(0.1)
        client.close()
        wait_until_gone(owner, "deaf")


@dataclass(frozen=True)
class SlowToCancel(StageAddress):
    """A stage that takes a session at once and every further connection, a CancelRequest's too, only after a while."""

    logins: list[None] = field(default_factory=list)

    async def open(self) -> Connection:
        if self.logins:
            await asyncio.sleep(1)
        self.logins.append(None)
        return await super().open()


def test_a_server_that_has_stopped_has_no_cancel_request_on_its_way(stage_address: StageAddress) -> None:
    address = SlowToCancel(stage_address.host, stage_address.port, stage_address.database, stage_address.password)
    with RunningServer(address, Limits()) as server:
        client = RawClient(server)
        key = client.key(client.log_in())
        client.send(Query(b"SELECT pg_sleep(0.2)").encode())
        cancel(server, key)
        client.until("Z")
        client.close()


def test_a_flood_of_silent_connections_is_cut_off_and_cancel_still_gets_through(stage_address: StageAddress) -> None:
    limits = Limits(connections=1, unauthenticated=100)
    with RunningServer(stage_address, limits) as server, RawClient(server) as client:
        key = client.key(client.log_in())
        client.send(Query(SLOW).encode())
        assert server.router.started.wait(10)
        flood = [RawClient(server) for _ in range(101)]
        assert flood[0].read() == ("", b"")
        cancel(server, key)
        assert error(client.until("Z")).sqlstate == "57014"
        for silent in flood:
            silent.close()
