"""Startup and passwords."""

from __future__ import annotations

import time
from collections.abc import Mapping
from contextlib import ExitStack

import psycopg
import pytest

from proxy.wire import frontend, scram
from proxy.wire.codec import HEADER, INT32, Fields, frame
from proxy.wire.frontend import SaslInitialResponse, Startup
from proxy.wire.gate import Account, Gate
from proxy.wire.session import Limits
from proxy.wire.stage_connection import StageAddress
from tests.wire.support import ACCOUNTS, PASSWORD, RawClient, RunningServer, error, kinds, status

SSL_REQUEST = INT32.pack(8) + INT32.pack(frontend.SSL_REQUEST)


def test_the_right_password_leads_to_a_ready_session(server: RunningServer) -> None:
    with RawClient(server) as client:
        messages = client.log_in()
    assert kinds(messages).startswith("RRS")
    assert status(messages) == "I"


def test_wrong_password_and_unknown_user_are_told_in_the_same_words(server: RunningServer) -> None:
    texts = []
    for user, password in (("ana", "wrong"), ("nobody", PASSWORD)):
        with RawClient(server) as client:
            report = error(client.log_in(user, password))
        assert (report.sqlstate, report["S"]) == ("28P01", b"FATAL")
        texts.append(report["M"].replace(user.encode(), b"?"))
    assert texts[0] == texts[1]


def test_an_unknown_user_gets_the_same_salt_at_every_try(server: RunningServer) -> None:
    salts = set()
    for _ in range(2):
        with RawClient(server) as client:
            client.send(Startup(frontend.PROTOCOL_3_0, {"user": "nobody"}).encode())
            client.read()
            client.send(frontend.SaslInitialResponse("SCRAM-SHA-256", b"n,,n=,r=abc").encode())
            salts.add(client.read()[1].split(b",")[1])
    assert len(salts) == 1


def test_a_restart_does_not_tell_unknown_users_from_known_ones_by_their_salts() -> None:
    """Those of known users stay."""

    def challenge(accounts: Mapping[str, Account]) -> list[bytes]:
        exchanges = [Gate(accounts, "clinic", lambda: None).exchange(user) for user in ("ana", "nobody")]
        return [exchange.challenge("SCRAM-SHA-256", b"n,,n=,r=abc").split(b",")[1] for exchange in exchanges]

    assert challenge(ACCOUNTS) == challenge(dict(reversed(ACCOUNTS.items())))
    assert challenge(ACCOUNTS)[1] != challenge({"ana": ACCOUNTS["ana"]})[1]
    certificates = {"eve": Account(None, certificate="eve")}
    assert challenge(certificates) != challenge(certificates)


def test_a_failed_login_waits_before_it_is_told(server: RunningServer) -> None:
    started = time.monotonic()
    with RawClient(server) as client:
        client.log_in(password="wrong")
    assert time.monotonic() - started >= 0.1


def test_another_database_does_not_exist(server: RunningServer) -> None:
    with RawClient(server) as client:
        assert error(client.log_in(database="postgres")).sqlstate == "3D000"


def test_another_database_is_not_told_to_strangers(server: RunningServer) -> None:
    with RawClient(server) as client:
        assert error(client.log_in(password="wrong", database="postgres")).sqlstate == "28P01"


def test_a_database_left_to_its_default_is_the_servers(server: RunningServer) -> None:
    with RawClient(server) as client:
        client.send(Startup(frontend.PROTOCOL_3_0, {"user": "ana"}).encode())
        assert status(client.authenticate()) == "I"


def test_startup_parameters_reach_the_stage(server: RunningServer) -> None:
    options = "-c statement_timeout=1234 -c dp.epsilon=0.5"
    with psycopg.connect(server.dsn(), application_name="tool", options=options) as connection:
        settings = [connection.execute(f"SHOW {name}").fetchone() for name in ("statement_timeout", "dp.epsilon")]
        assert settings == [("1234ms",), ("0.5",)]
        assert connection.info.parameter_status("application_name") == "tool"


def test_a_setting_that_the_stage_refuses_is_told_in_its_words(server: RunningServer) -> None:
    with RawClient(server) as client:
        assert error(client.log_in(client_encoding="klingon")).sqlstate == "22023"


def test_plaintext_behind_an_ssl_request_is_refused(server: RunningServer) -> None:
    with RawClient(server) as client:
        client.send(SSL_REQUEST, Startup(frontend.PROTOCOL_3_0, {"user": "ana"}).encode())
        assert error(client.until("Z")).sqlstate == "08P01"


def test_ssl_is_declined_and_the_login_goes_on(server: RunningServer) -> None:
    with RawClient(server) as client:
        client.send(SSL_REQUEST)
        assert client.socket.recv(1) == b"N"
        assert status(client.log_in()) == "I"


@pytest.mark.parametrize(
    ("minor", "options", "answer", "key"),
    [
        (0, {}, None, 4),
        (1, {}, None, 4),
        (2, {}, None, 32),
        (0, {"_pq_.colour": "blue"}, (frontend.PROTOCOL_3_0, 1, b"_pq_.colour"), 4),
        (2, {"_pq_.colour": "blue"}, (frontend.PROTOCOL_3_2, 1, b"_pq_.colour"), 32),
        (9999, {}, (frontend.PROTOCOL_3_2, 0, b""), 32),
    ],
)
def test_versions_are_negotiated_as_by_postgres_18(
    server: RunningServer, minor: int, options: dict[str, str], answer: tuple[int, int, bytes] | None, key: int
) -> None:
    with RawClient(server) as client:
        client.send(Startup(frontend.PROTOCOL_3_0 + minor, {"user": "ana", **options}).encode())
        if answer is not None:
            kind, body = client.read()
            fields = Fields(body, "NegotiateProtocolVersion")
            assert (kind, fields.int32(), fields.int32(), fields.rest().rstrip(b"\0")) == ("v", *answer)
        messages = client.authenticate()
        assert status(messages) == "I"
        assert len(client.key(messages).secret) == key


@pytest.mark.parametrize(
    ("packet", "sqlstate"),
    [
        (INT32.pack(8) + INT32.pack(2 << 16), "0A000"),
        (INT32.pack(100_000), "08P01"),
        (INT32.pack(4), "08P01"),
        (b"\x16\x03\x01\x02\x00\x01\x00\x01", "08P01"),
        (INT32.pack(10) + INT32.pack(frontend.PROTOCOL_3_0) + b"us", "08P01"),
        (Startup(frontend.PROTOCOL_3_0, {"database": "shop"}).encode(), "08P01"),
        (Startup(frontend.PROTOCOL_3_0, {"user": "ana", "replication": "database"}).encode(), "0A000"),
    ],
)
def test_a_malformed_or_foreign_startup_is_refused(server: RunningServer, packet: bytes, sqlstate: str) -> None:
    with RawClient(server) as client:
        client.send(packet)
        report = error(client.until("Z"))
    assert (report.sqlstate, report["S"]) == (sqlstate, b"FATAL")


def test_a_query_instead_of_a_password_is_refused(server: RunningServer) -> None:
    with RawClient(server) as client:
        client.send(Startup(frontend.PROTOCOL_3_0, {"user": "ana"}).encode(), frontend.Query(b"SELECT 1").encode())
        messages = client.until("Z")
    assert error(messages).sqlstate == "08P01"
    assert "D" not in kinds(messages)


def test_a_silent_client_is_cut_off(stage_address: StageAddress) -> None:
    with RunningServer(stage_address, Limits(login_timeout=0.2)) as server, RawClient(server) as client:
        assert client.read() == ("", b"")


def test_connection_limits_hold(stage_address: StageAddress) -> None:
    limits = Limits(connections=2, connections_per_analyst=1)
    with (
        RunningServer(stage_address, limits) as server,
        RawClient(server) as first,
        RawClient(server) as second,
        RawClient(server) as third,
        RawClient(server) as fourth,
    ):
        assert status(first.log_in("ana")) == "I"
        refused = error(second.log_in("ana"))
        assert (refused.sqlstate, refused["M"]) == ("53300", b'too many connections for role "ana"')
        assert status(third.log_in("bob")) == "I"
        refused = error(fourth.log_in("bob"))
        assert (refused.sqlstate, refused["M"]) == ("53300", b"sorry, too many clients already")


def test_silent_clients_keep_nobody_out(stage_address: StageAddress) -> None:
    with RunningServer(stage_address, Limits(unauthenticated=20)) as server, ExitStack() as clients:
        silent = [clients.enter_context(RawClient(server)) for _ in range(60)]
        for _ in range(3):
            client = clients.enter_context(RawClient(server))
            assert status(client.log_in()) == "I"
        assert silent[0].read() == ("", b""), "who came first has gone"
        assert status(silent[-1].log_in("bob")) == "I", "who came last may still log in"


def test_an_unreachable_stage_is_a_clear_error(tmp_path: object) -> None:
    with RunningServer(StageAddress(str(tmp_path), 1, "stage"), Limits()) as server, RawClient(server) as client:
        assert error(client.log_in()).sqlstate == "57P03"


@pytest.mark.parametrize("damage", [("c=biws", "c=bïws"), (",r=", ",r=é"), (",p=", ",p=ÿ"), (",p=", ",p=\U0001f512")])
def test_scram_text_beyond_ascii_is_a_protocol_violation(server: RunningServer, damage: tuple[str, str]) -> None:
    with RawClient(server) as client:
        exchange = scram.ClientExchange(PASSWORD)
        client.send(Startup(frontend.PROTOCOL_3_0, {"user": "ana"}).encode())
        client.read()
        client.send(SaslInitialResponse(scram.MECHANISM, exchange.first()).encode())
        proof = exchange.respond(client.read()[1][INT32.size :]).decode().replace(*damage)
        client.send(frame(frontend.AUTHENTICATION, proof.encode()))
        report = error(client.until("Z"))
    assert (report.sqlstate, report["S"]) == ("08P01", b"FATAL")


def test_a_password_message_over_the_limit_is_refused_in_words(server: RunningServer) -> None:
    with RawClient(server) as client:
        client.send(Startup(frontend.PROTOCOL_3_0, {"user": "ana"}).encode())
        client.read()
        client.send(HEADER.pack(frontend.AUTHENTICATION, 1 << 20))
        assert error(client.until("Z")).sqlstate == "08P01"
