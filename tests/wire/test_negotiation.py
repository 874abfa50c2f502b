"""Every order of requests for encryption, handshakes, startup packets and noise, against a model; without sockets."""

from __future__ import annotations

import ssl
from collections.abc import Iterator, Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from proxy.errors import DpproxyError
from proxy.wire import backend, frontend
from proxy.wire.codec import HEADER, INT32, Fields
from proxy.wire.frontend import CancelRequest, Startup
from proxy.wire.gate import Account, Gate
from proxy.wire.login import Handshake, Login
from proxy.wire.scram import MECHANISM, MECHANISM_PLUS, make_verifier
from proxy.wire.tls import Credentials, TlsFailedError, Tunnel
from tests.wire.certificates import Authority, server_files

PACKETS = {
    "SSL": INT32.pack(8) + INT32.pack(frontend.SSL_REQUEST),
    "GSS": INT32.pack(8) + INT32.pack(frontend.GSSENC_REQUEST),
    "startup": Startup(frontend.PROTOCOL_3_0, {"user": "ana", "database": "shop"}).encode(),
    "cancel": CancelRequest(7, b"1234").encode(),
    "query": frontend.Query(b"SELECT 1").encode(),
    "protocol 2": INT32.pack(8) + INT32.pack(2 << 16),
    "protocol 0.22": INT32.pack(8) + INT32.pack(0x16),
}
MOVES = (*PACKETS, "TLS", "TLS for the web")
CONTINUING = ("N", "S", "inside")
ENDED = "ended"


@pytest.fixture(scope="module")
def credentials(tmp_path_factory: pytest.TempPathFactory) -> Credentials:
    return Credentials.read(server_files(Authority(tmp_path_factory.mktemp("certificates"))))


def room() -> None:
    """There is always some."""


class Client:
    """Says one thing after the other, in TLS once there is some, and tells what it was answered."""

    def __init__(self, gate: Gate) -> None:
        self.handshake = Handshake(gate)
        self._incoming, self._outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
        self._session: ssl.SSLObject | None = None
        self._inside = False

    def say(self, move: str) -> str:
        try:
            if not move.startswith("TLS"):
                return self._hear(PACKETS[move])
            return self._shake(["h2"] if "web" in move else ["postgresql"])
        except TlsFailedError:
            return ENDED
        except DpproxyError as error:
            return error.sqlstate

    def _hear(self, data: bytes) -> str:
        tunnel = self.handshake.tunnel
        if self.handshake.shakes_hands:
            assert tunnel is not None
            tunnel.shake_hands(data)
            return ""
        if self._inside:
            assert tunnel is not None
            assert self._session is not None
            self._session.write(data)
            data = tunnel.decrypt(self._outgoing.read())
        self.handshake.hear(data)
        output = self.handshake.take_output()
        if isinstance(self.handshake.outcome, CancelRequest):
            return "cancelled"
        if output[:1] != b"R":
            return output.decode()
        fields = Fields(output[HEADER.size :], "Authentication")
        assert fields.int32() == backend.AUTHENTICATION_SASL
        return fields.rest().rstrip(b"\0").replace(b"\0", b" ").decode()

    def _shake(self, protocols: list[str]) -> str:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        context.set_alpn_protocols(protocols)
        session = context.wrap_bio(self._incoming, self._outgoing)
        with pytest.raises(ssl.SSLWantReadError):
            session.do_handshake()
        records = self._outgoing.read()
        if self._inside or not self.handshake.shakes_hands:
            if self._inside:
                assert self._session is not None
                self._session.write(records)
                assert self.handshake.tunnel is not None
                records = self.handshake.tunnel.decrypt(self._outgoing.read())
            self.handshake.hear(records)
            records = self.handshake.take_records()
        self._finish(session, self.handshake.tunnel, records)
        self._session, self._inside = session, True
        self.handshake.secure()
        return "inside"

    def _finish(self, session: ssl.SSLObject, tunnel: Tunnel | None, records: bytes) -> None:
        assert tunnel is not None
        finished = tunnel.shake_hands(records)
        while not finished:
            self._incoming.write(tunnel.take_output())
            session.do_handshake()
            finished = tunnel.shake_hands(self._outgoing.read())


def expected(moves: Sequence[str], *, certificate: bool, required: bool) -> list[str]:
    """What Postgres 18 would say (28000 where its pg_hba.conf had only `hostssl` lines)."""
    answers: list[str] = []
    asked: set[str] = set()
    where = "start"
    for move in moves:
        answer, where = _answer(move, where, asked, certificate=certificate, required=required)
        answers.append(answer)
        if answer not in CONTINUING:
            break
    return answers


def _answer(move: str, where: str, asked: set[str], *, certificate: bool, required: bool) -> tuple[str, str]:
    if where == "TLS":
        if not move.startswith("TLS"):
            return ENDED, where
        return "inside", "inside"
    match move:
        case "SSL" | "GSS" if where == "start" and move not in asked:
            asked.add(move)
            return ("S", "TLS") if certificate and move == "SSL" else ("N", where)
        case "startup":
            if where == "start" and required:
                return "28000", where
            return (f"{MECHANISM_PLUS} {MECHANISM}" if where == "inside" else MECHANISM), where
        case "cancel":
            return "cancelled", where
        case "TLS" | "TLS for the web" if where == "start" and not asked and certificate:
            return ("inside" if move == "TLS" else "08P01"), "inside"
        case "query" | "TLS" | "TLS for the web":
            return "08P01", where
    return "0A000", where


def orders(*, certificate: bool, required: bool) -> Iterator[tuple[tuple[str, ...], list[str]]]:
    """Every order of moves up to the one that ends it, and the answers."""
    begun: list[tuple[str, ...]] = [()]
    while begun:
        before = begun.pop()
        for move in MOVES:
            moves = (*before, move)
            answers = expected(moves, certificate=certificate, required=required)
            yield moves, answers
            if answers[-1] in CONTINUING:
                begun.append(moves)


@pytest.mark.parametrize("certificate", [False, True])
@pytest.mark.parametrize("required", [False, True])
def test_requests_in_every_order_are_answered_as_by_the_model(
    credentials: Credentials, certificate: bool, required: bool
) -> None:
    accounts = {"ana": Account(make_verifier("sesame", 1))}
    shown = credentials if certificate else None
    tried = 0
    for moves, answers in orders(certificate=certificate, required=required):
        client = Client(Gate(accounts, "shop", room, credentials=shown, require_tls=required))
        assert [client.say(move) for move in moves] == answers, moves
        assert not isinstance(client.handshake.outcome, Login)
        tried += 1
    assert tried >= 45


@settings(max_examples=300, deadline=None)
@given(before=st.lists(st.sampled_from(["SSL", "GSS"]), max_size=2), noise=st.binary(min_size=1, max_size=600))
def test_noise_is_refused_and_logs_nobody_in(credentials: Credentials, before: list[str], noise: bytes) -> None:
    client = Client(Gate({}, "shop", room, credentials=credentials))
    for move in before:
        client.say(move)
    handshake, refusal = client.handshake, None
    try:
        if handshake.shakes_hands and handshake.tunnel is not None:
            assert not handshake.tunnel.shake_hands(noise)
        else:
            handshake.hear(noise)
    except TlsFailedError:
        return
    except DpproxyError as error:
        refusal = error.sqlstate
    assert refusal in (None, "08P01", "0A000")
    assert not isinstance(handshake.outcome, Login)
