"""What the router does not claim gets the stage's own replies, byte for byte, in any order of messages."""

from __future__ import annotations

import socket

from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from proxy.postgres.embedded import EmbeddedPostgres
from proxy.wire import frontend
from proxy.wire.backend import Report
from proxy.wire.codec import frame
from proxy.wire.frontend import PORTAL, STATEMENT, Bind, Close, Describe, Execute, Parse, Query, Startup
from tests.wire.support import STAGE_PASSWORD, RawClient, RunningServer

SYNC = frame(frontend.SYNC)
MARK = b"marked"
END = SYNC + Query(b"ROLLBACK").encode() + Query(b"SELECT '" + MARK + b"'").encode()

texts = st.sampled_from(
    [
        *(b"SELECT 1", b"SELECT $1", b"SELECT $1::int + 1", b"SELECT nosuch", b"SELECT 1/0", b"SELECT '\xff'", b""),
        *(
            b"BEGIN",
            b"COMMIT",
            b"ROLLBACK",
            b"SAVEPOINT s",
            b"ROLLBACK TO s",
            b"SELECT 1; COMMIT",
            b"BEGIN; SELECT 1/0",
        ),
        *(b"PREPARE a AS SELECT 9", b"EXECUTE a", b"DEALLOCATE ALL", b"DISCARD ALL", b"SELECT generate_series(1, 5)"),
        *(b"DECLARE c CURSOR FOR SELECT generate_series(1, 5)", b"FETCH 2 FROM c", b"COPY regions TO STDOUT"),
    ]
)
names = st.sampled_from([b"", b"a", b"b"])
values = st.lists(st.none() | st.sampled_from([b"1", b"x"]), max_size=1).map(tuple)
formats = st.lists(st.integers(0, 2), max_size=1).map(tuple)
whats = st.sampled_from([STATEMENT, PORTAL])


def run_of(name: bytes, text: bytes, limit: int) -> bytes:
    bind = Bind(b"", name, (), (b"1",) * text.count(b"$1"))
    return Parse(name, text).encode() + bind.encode() + Describe(PORTAL, b"").encode() + Execute(b"", limit).encode()


messages = st.one_of(
    st.builds(Query, texts).map(Query.encode),
    st.builds(run_of, names, texts, st.integers(0, 2)),
    st.builds(Parse, names, texts, st.lists(st.sampled_from([0, 23, 25]), max_size=1).map(tuple)).map(Parse.encode),
    st.builds(Bind, names, names, formats, values).map(Bind.encode),
    st.builds(Describe, whats, names).map(Describe.encode),
    st.builds(Close, whats, names).map(Close.encode),
    st.builds(Execute, names, st.integers(0, 2)).map(Execute.encode),
    st.sampled_from([SYNC, frame(frontend.FLUSH), frame(frontend.COPY_DATA, b"x"), frame(frontend.COPY_DONE)]),
    st.sampled_from([frame(frontend.BIND, bytes(3)), frame(frontend.BIND, b"\0\0\0\1\0\5\0\1\xff\xff\xff\xff\0\0")]),
)


class StageClient(RawClient):
    """Speaks with the stage itself."""

    def __init__(self, postgres: EmbeddedPostgres) -> None:
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(20)
        self.socket.connect(str(postgres.socket_directory / f".s.PGSQL.{postgres.port}"))
        self._stream = self.socket.makefile("rb")

    def enter(self) -> None:
        self.send(Startup(frontend.PROTOCOL_3_0, {"user": "ana", "database": "stage"}).encode())
        self.authenticate(STAGE_PASSWORD)


def replies(client: RawClient, said: bytes) -> list[tuple[str, bytes]]:
    """Everything up to the marked row; of texts that are not UTF-8, which the proxy refuses itself, the SQLSTATE."""
    client.send(said + END)
    heard: list[tuple[str, bytes]] = []
    while True:
        some = client.until("Z")
        assert some, "the session must go on"
        heard += some
        if any(kind == "D" and body.endswith(MARK) for kind, body in some):
            return [_comparable(kind, body) for kind, body in heard]


def _comparable(kind: str, body: bytes) -> tuple[str, bytes]:
    return (kind, b"22021") if kind == "E" and Report.decode(body).sqlstate == "22021" else (kind, body)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(messages, max_size=12).map(b"".join))
@example(run_of(b"", b"BEGIN", 0) + Query(b"SELECT '\xff'").encode() + Describe(PORTAL, b"").encode())
@example(run_of(b"", b"BEGIN", 0) + Query(b"SELECT nosuch").encode() + Describe(PORTAL, b"").encode())
def test_unclaimed_messages_get_the_stages_own_replies(
    server: RunningServer, stage_postgres: EmbeddedPostgres, said: bytes
) -> None:
    with RawClient(server) as client, StageClient(stage_postgres) as direct:
        client.log_in()
        direct.enter()
        assert replies(client, said) == replies(direct, said)
