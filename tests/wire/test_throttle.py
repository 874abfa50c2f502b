"""Failed logins: who waits, who does not, how much is remembered, and what is logged."""

from __future__ import annotations

import logging
import time
from ipaddress import ip_address, ip_network

import pytest

from proxy.errors import AuthenticationError
from proxy.wire import frontend, scram
from proxy.wire.codec import HEADER, Fields, frame
from proxy.wire.frontend import SaslInitialResponse, Startup
from proxy.wire.gate import Account, Gate
from proxy.wire.login import Handshake, Login
from proxy.wire.login_log import LoginLog
from proxy.wire.session import Limits
from proxy.wire.stage_connection import StageAddress
from proxy.wire.throttle import Address, Buckets, LoginThrottledError, Throttle, address_of
from tests.wire.support import RawClient, RunningServer, error, status

HERE, THERE = ip_address("192.0.2.1"), ip_address("198.51.100.7")
VERIFIER = scram.make_verifier("sesame", 1)


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def waits(throttle: Throttle, user: str, address: Address | None) -> bool:
    try:
        throttle.check(user, address)
    except LoginThrottledError:
        return True
    return False


def fail(throttle: Throttle, user: str, address: Address, times: int) -> None:
    for _ in range(times):
        assert not waits(throttle, user, address)
        throttle.failed(user, address)


def test_an_address_that_guesses_waits_whoever_it_says_it_is() -> None:
    clock = Clock()
    throttle = Throttle(clock, address=20, seconds=10)
    for number in range(20):
        fail(throttle, f"user{number}", HERE, 1)
    assert waits(throttle, "ana", HERE)
    assert not waits(throttle, "ana", THERE)
    clock.now += 10
    fail(throttle, "ana", HERE, 1)
    assert waits(throttle, "ana", HERE)


def test_an_account_that_many_addresses_guess_waits_except_where_it_has_logged_in() -> None:
    throttle = Throttle(Clock(), account=100)
    throttle.succeeded("ana", HERE)
    for number in range(100):
        fail(throttle, "ana", ip_address(0x0A000000 + number), 1)
    assert waits(throttle, "ana", THERE)
    assert not waits(throttle, "ana", HERE)
    assert not waits(throttle, "bob", THERE)


def test_who_has_logged_in_does_not_wait_for_others_at_the_same_address_but_has_a_limit_too() -> None:
    throttle = Throttle(Clock(), pair=10, address=20)
    throttle.succeeded("ana", HERE)
    fail(throttle, "bob", HERE, 20)
    assert waits(throttle, "bob", HERE)
    fail(throttle, "ana", HERE, 10)
    assert waits(throttle, "ana", HERE)


def test_refused_attempts_do_not_count() -> None:
    clock = Clock()
    throttle = Throttle(clock, address=1, seconds=10)
    fail(throttle, "ana", HERE, 1)
    for _ in range(100):
        assert waits(throttle, "ana", HERE)
    clock.now += 10
    assert not waits(throttle, "ana", HERE)


def test_who_guesses_now_and_then_keeps_nobody_out() -> None:
    clock = Clock()
    throttle = Throttle(clock, address=20, account=100, seconds=10)
    for number in range(500):
        throttle.failed(f"user{number % 3}", HERE)
    assert waits(throttle, "ana", HERE)
    for _ in range(50):
        # Another guess every two seconds, and somebody between them who knows the password.
        clock.now += 1
        assert not waits(throttle, "ana", HERE)
        clock.now += 1
        fail(throttle, "user0", HERE, 1)
        assert waits(throttle, "ana", HERE)
    clock.now += 200
    fail(throttle, "user0", HERE, 20)
    assert waits(throttle, "ana", HERE)


def test_all_addresses_of_a_network_of_ipv6_are_one() -> None:
    throttle = Throttle(Clock(), address=2)
    fail(throttle, "ana", ip_address("2001:db8::1"), 1)
    fail(throttle, "ana", ip_address("2001:db8::ffff:1"), 1)
    assert waits(throttle, "ana", ip_address("2001:db8::2"))
    assert not waits(throttle, "ana", ip_address("2001:db8:0:1::2"))


def test_memory_is_bounded() -> None:
    clock = Clock()
    buckets = Buckets(1, 10, keys=100, clock=clock)
    for number in range(1000):
        buckets.use(number)
    assert [buckets.wait(number) > 0 for number in (0, 899, 900, 999)] == [False, False, True, True]


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("192.0.2.1", "192.0.2.1"),
        ("::ffff:192.0.2.1", "192.0.2.1"),
        ("fe80::1%eth0", "fe80::1"),
        ("/tmp/socket", None),
    ],
)
def test_addresses_are_those_of_networks(text: str, address: str | None) -> None:
    assert address_of(text) == (None if address is None else ip_address(address))


# Through the gate


def attempt(gate: Gate, user: str, password: str, address: Address | None) -> Login | Exception:
    """One login from the first byte to the last."""
    handshake, client = Handshake(gate, address), scram.ClientExchange(password)
    handshake.hear(Startup(frontend.PROTOCOL_3_0, {"user": user, "database": "shop"}).encode())
    handshake.take_output()
    handshake.hear(SaslInitialResponse(scram.MECHANISM, client.first()).encode())
    challenge = Fields(handshake.take_output()[HEADER.size :], "challenge")
    challenge.int32()
    try:
        handshake.hear(frame(frontend.AUTHENTICATION, client.respond(challenge.rest())))
    except AuthenticationError as error:
        return error
    assert isinstance(handshake.outcome, Login)
    return handshake.outcome


def room() -> None:
    """There is always some."""


def gate(throttle: Throttle | None = None) -> Gate:
    inside = (ip_network("192.0.2.0/24"), ip_network("2001:db8::/32"))
    accounts = {"ana": Account(VERIFIER, networks=inside), "bob": Account(VERIFIER)}
    return Gate(accounts, "shop", room, throttle=throttle)


def test_networks_let_in_and_keep_out() -> None:
    for address, expected in (
        (HERE, True),
        (address_of("::ffff:192.0.2.9"), True),
        (ip_address("2001:db8::9"), True),
        (THERE, False),
        (ip_address("2001:db9::9"), False),
        (None, False),
    ):
        assert isinstance(attempt(gate(), "ana", "sesame", address), Login) == expected, address
        assert isinstance(attempt(gate(), "bob", "sesame", address), Login)


def test_a_certificate_opens_from_the_networks_only() -> None:
    accounts = {"ana": Account(None, "Ana", (ip_network("192.0.2.0/24"),))}
    guarded = Gate(accounts, "shop", room)
    assert guarded.certified("ana", HERE, "Ana")
    assert not guarded.certified("ana", THERE, "Ana")
    assert not guarded.certified("ana", HERE, None)
    assert not guarded.certified("bob", HERE, "Ana")


def test_a_wrong_network_looks_as_a_wrong_password() -> None:
    refusals = [
        attempt(gate(), "ana", "sesame", THERE),
        attempt(gate(), "ana", "wrong", HERE),
        attempt(gate(), "ana", "wrong", THERE),
    ]
    assert all(isinstance(refusal, AuthenticationError) for refusal in refusals)
    assert len({str(refusal) for refusal in refusals}) == 1
    assert [getattr(refusal, "rule", None) for refusal in refusals] == ["network", "wrong-password", "wrong-password"]


def test_a_throttled_login_is_not_looked_at_though_the_password_is_right() -> None:
    clock = Clock()
    guarded = gate(Throttle(clock, address=3, seconds=10))
    for _ in range(3):
        assert isinstance(attempt(guarded, "bob", "wrong", HERE), AuthenticationError)
    # No stranger sees that, or learns from it who has logged in from there.
    refusals = [attempt(guarded, "bob", "sesame", HERE), attempt(guarded, "nobody", "x", HERE)]
    assert [getattr(refusal, "rule", None) for refusal in refusals] == ["throttled", "throttled"]
    assert str(refusals[0]) == 'password authentication failed for user "bob"'
    assert isinstance(attempt(guarded, "bob", "sesame", THERE), Login)
    clock.now += 10
    assert isinstance(attempt(guarded, "bob", "sesame", HERE), Login)


def test_right_passwords_in_a_wrong_network_count_as_failures() -> None:
    guarded = gate(Throttle(Clock(), address=3))
    for _ in range(3):
        assert isinstance(attempt(guarded, "ana", "sesame", THERE), AuthenticationError)
    assert getattr(attempt(guarded, "ana", "sesame", THERE), "rule", None) == "throttled"


# The log


def test_refused_logins_are_logged_with_user_address_and_reason(
    stage_address: StageAddress, caplog: pytest.LogCaptureFixture
) -> None:
    logged = caplog.at_level(logging.WARNING, "proxy.wire.login_log")
    with logged, RunningServer(stage_address, Limits(login_delay=0)) as server:
        for user, password in (("ana", "wrong"), ("no\nbody", "x")):
            with RawClient(server) as client:
                assert error(client.log_in(user, password)).sqlstate == "28P01"
        with RawClient(server) as client:
            assert status(client.log_in()) == "I"
    assert [record.getMessage() for record in caplog.records] == [
        "login refused: 'ana' from 127.0.0.1: 'wrong-password'",
        "login refused: 'no\\nbody' from 127.0.0.1: 'unknown-user'",
    ]


def test_the_log_has_not_more_lines_than_somebody_can_read(caplog: pytest.LogCaptureFixture) -> None:
    clock = Clock()
    log = LoginLog(clock)
    with caplog.at_level(logging.WARNING, "proxy.wire.login_log"):
        for _ in range(1000):
            log.refused("ana", HERE, "wrong-password")
        assert len(caplog.records) == 10
        log.refused("bob", THERE, "wrong-password")
        assert caplog.records[-1].getMessage().endswith("(990 more refusals were not logged)")
        for number in range(1000):
            log.refused("ana", ip_address(0x0A000000 + number), "wrong-password")
        assert len(caplog.records) == 100
        clock.now += 60
        log.refused("ana", HERE, "wrong-password")
        assert caplog.records[-1].getMessage().endswith("(911 more refusals were not logged)")


def test_guesses_on_many_connections_at_once_are_counted_all(
    stage_address: StageAddress, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The password of each is looked at only if the ones before have left room, or a second has gone by."""
    looked_at: list[bytes] = []
    finish = scram.ServerExchange.finish

    def noted(exchange: scram.ServerExchange, proof: bytes) -> bytes:
        looked_at.append(proof)
        return finish(exchange, proof)

    monkeypatch.setattr(scram.ServerExchange, "finish", noted)
    started = time.monotonic()
    with RunningServer(stage_address, Limits(login_delay=0.2)) as server:
        clients = [RawClient(server) for _ in range(40)]
        exchanges = [scram.ClientExchange("wrong") for _ in clients]
        for client, exchange in zip(clients, exchanges, strict=True):
            client.send(Startup(frontend.PROTOCOL_3_0, {"user": "ana"}).encode())
            client.read()
            client.send(SaslInitialResponse(scram.MECHANISM, exchange.first()).encode())
        for client, exchange in zip(clients, exchanges, strict=True):
            client.send(frame(frontend.AUTHENTICATION, exchange.respond(client.read()[1][4:])))
        states = [error(client.until("Z")).sqlstate for client in clients]
        for client in clients:
            client.close()
    assert states == ["28P01"] * 40
    assert 20 <= len(looked_at) <= 20 + time.monotonic() - started
