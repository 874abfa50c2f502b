"""Whatever a client sends: a clear error and the end of the session, never a traceback, never a stuck server."""

from __future__ import annotations

import socket

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from proxy.wire import frontend
from proxy.wire.codec import HEADER, INT32, frame
from proxy.wire.frontend import PORTAL, STATEMENT, Bind, Close, Describe, Execute, Parse, Query
from proxy.wire.session import Limits
from proxy.wire.stage_connection import StageAddress
from tests.wire.support import RawClient, RunningServer, error, errors, kinds, rows

SYNC = frame(frontend.SYNC)


@pytest.mark.parametrize(
    "junk",
    [
        b"z\0\0\0\x04",
        frame(frontend.AUTHENTICATION, b"late"),
        b"Q\0\0\0\x03",
        b"Q\xff\xff\xff\xff",
        b"S\0\x01\0\0",
        frame(frontend.QUERY, b"SELECT 1"),
        frame(frontend.QUERY, b"SELECT 1\0SELECT 2\0"),
        frame(frontend.PARSE, b"\0SELECT 1\0\xff\xff"),
        frame(frontend.PARSE, b"\0SELECT 1\0"),
        frame(frontend.BIND, b"\0"),
        frame(frontend.DESCRIBE, b"X\0"),
        frame(frontend.CLOSE, b"S"),
        frame(frontend.EXECUTE, b"\0\0"),
        frame(frontend.FLUSH, b"x"),
        frame(frontend.SYNC, b"x"),
    ],
)
def test_a_malformed_message_ends_the_session(client: RawClient, junk: bytes) -> None:
    client.send(junk)
    report = error(client.until("Z"))
    assert (report.sqlstate, report["S"]) == ("08P01", b"FATAL")
    assert client.read() == ("", b"")


@pytest.mark.parametrize(
    "counts", [b"\xff\xff", b"\0\0\xff\xff", b"\0\0\0\x01\x7f\xff\xff\xff", b"\0\0\0\x01\xff\xff\xff\0"]
)
def test_a_bind_of_a_claimed_statement_with_false_counts_ends_the_session(client: RawClient, counts: bytes) -> None:
    client.send(Parse(b"s", b"SELECT id FROM visits").encode(), frame(frontend.BIND, b"\0s\0" + counts))
    assert error(client.until("Z")).sqlstate == "08P01"


def test_a_message_over_the_limit_is_refused_before_it_is_read(stage_address: StageAddress) -> None:
    with RunningServer(stage_address, Limits(message=1000)) as server, RawClient(server) as client:
        client.log_in()
        client.send(Query(b"SELECT '" + b"x" * 900 + b"'").encode())
        assert kinds(client.until("Z")) == "TDCZ"
        client.send(HEADER.pack(frontend.QUERY, 1001))
        assert error(client.until("Z")).sqlstate == "08P01"


def test_a_small_message_may_not_be_large(client: RawClient) -> None:
    client.send(HEADER.pack(frontend.EXECUTE, 10_001))
    assert error(client.until("Z")).sqlstate == "08P01"


def test_messages_may_come_byte_by_byte(client: RawClient) -> None:
    client.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    for byte in Query(b"SELECT count(*) FROM visits").encode():
        client.send(bytes((byte,)))
    assert rows(client.until("Z")) == [(b"3",)]


texts = st.sampled_from([b"SELECT 1", b"SELECT id FROM visits", b"SELECT secrets", b"SELECT nosuch", b"", b"BEGIN"]) | (
    st.binary(max_size=8).map(lambda raw: raw.replace(b"\0", b" "))
)
names = st.sampled_from([b"", b"a", b"_dpproxy_internal", b"_dpproxy_answer"])
values = st.lists(st.none() | st.binary(max_size=4), max_size=2).map(tuple)
formats = st.lists(st.integers(0, 2), max_size=2).map(tuple)
whats = st.sampled_from([STATEMENT, PORTAL])
wellformed = st.one_of(
    st.builds(Query, texts).map(Query.encode),
    st.builds(Parse, names, texts, st.lists(st.sampled_from([0, 23, 25]), max_size=2).map(tuple)).map(Parse.encode),
    st.builds(Bind, names, names, formats, values, formats).map(Bind.encode),
    st.builds(Describe, whats, names).map(Describe.encode),
    st.builds(Close, whats, names).map(Close.encode),
    st.builds(Execute, names, st.integers(0, 2)).map(Execute.encode),
    st.sampled_from([SYNC, frame(frontend.FLUSH), frame(frontend.COPY_DATA, b"x"), frame(frontend.COPY_DONE)]),
)
anything = st.lists(wellformed | st.binary(max_size=12), max_size=12).map(b"".join)
bounded = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


def still_serves(server: RunningServer) -> bool:
    with RawClient(server) as client:
        client.log_in()
        client.send(Query(b"SELECT count(*) FROM visits").encode())
        return rows(client.until("Z")) == [(b"3",)]


@bounded
@given(st.lists(wellformed, max_size=14))
def test_any_order_of_wellformed_messages_stays_in_step(server: RunningServer, messages: list[bytes]) -> None:
    """After any sequence a Sync and a marked query get their replies, in order: nothing was lost or invented."""
    with RawClient(server) as client:
        client.log_in()
        client.send(*messages, SYNC, Query(b"ROLLBACK").encode(), Query(b"SELECT 'marked'").encode())
        queries = sum(message[0] == frontend.QUERY for message in messages)
        for _ in range(queries + sum(message == SYNC for message in messages) + 3):
            replies = client.until("Z")
            assert not any(report["V"] == b"FATAL" for report in errors(replies))
            if rows(replies) == [(b"marked",)]:
                return
        pytest.fail("the marked query was not answered")


@bounded
@given(anything)
def test_junk_after_login_hurts_only_its_session(server: RunningServer, junk: bytes) -> None:
    with RawClient(server) as client:
        client.log_in()
        client.send(junk)
        client.socket.shutdown(socket.SHUT_WR)
        assert not any(report.sqlstate == "XX000" for report in errors(client.until("")))
    assert still_serves(server)


@bounded
@given(st.binary(max_size=40) | st.binary(max_size=40).map(lambda body: INT32.pack(len(body) + 4) + body))
def test_junk_before_login_hurts_nobody(server: RunningServer, junk: bytes) -> None:
    with RawClient(server) as client:
        client.send(junk)
        client.socket.shutdown(socket.SHUT_WR)
        assert not any(report.sqlstate == "XX000" for report in errors(client.until("")))
    assert still_serves(server)
