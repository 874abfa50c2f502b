"""Who gets into the dashboard: throttled as on the wire, and remembered by nothing that can be guessed or kept."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from ipaddress import ip_address, ip_network

import pytest

from proxy.dashboard import logins
from proxy.dashboard.logins import IDLE_SECONDS, LONGEST_SECONDS, Logins, same
from proxy.wire import scram
from proxy.wire.gate import Account
from proxy.wire.throttle import Address

PASSWORD = "correct horse"
SAM = Account(scram.make_verifier(PASSWORD, iterations=10))
HERE = ip_address("192.0.2.1")


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def made(accounts: Mapping[str, Account] | None = None) -> tuple[Logins, Clock]:
    clock = Clock()
    found = Logins(clock)
    found.use_accounts(accounts if accounts is not None else {"sam": SAM})
    return found, clock


def log_in(to: Logins, name: str = "sam", password: str = PASSWORD, address: Address | None = HERE) -> str | None:
    return asyncio.run(to.log_in(name, password, address))


def test_the_password_lets_in_and_nothing_else() -> None:
    found, _ = made()
    cookie = log_in(found)
    assert cookie is not None
    visit = found.visit(cookie)
    assert visit is not None
    assert visit.steward == "sam"
    for name, password in (("sam", "wrong"), ("sam", ""), ("ana", PASSWORD), ("", PASSWORD), ("sam", "x" * 10**6)):
        assert log_in(found, name, password) is None
    for other in ("", "x", cookie[:-1], cookie + "x"):
        assert found.visit(other) is None


def test_a_certificate_stands_for_the_password_of_the_steward_whose_it_is() -> None:
    network = ip_network("192.0.2.0/24")
    ola = Account(None, certificate="Ola", networks=(network,))
    found, _ = made({"sam": SAM, "ola": ola})

    def certified(name: str, certificate: str | None, address: Address = HERE) -> bool:
        return asyncio.run(found.log_in(name, "", address, certificate)) is not None

    assert certified("ola", "Ola")
    assert not certified("ola", "Ola", ip_address("203.0.113.1"))
    for name, certificate in (
        ("ola", None),
        ("ola", "Sam"),
        ("sam", "Ola"),
        ("sam", None),
        ("eve", "Ola"),
        ("ola", ""),
    ):
        assert not certified(name, certificate)


def test_each_login_has_a_cookie_and_a_token_of_its_own() -> None:
    found, _ = made()
    first, second = log_in(found), log_in(found)
    assert first is not None
    assert second is not None
    assert len({first, second}) == 2
    assert min(len(first), len(second)) >= 43
    tokens = {visit.form_token for cookie in (first, second) if (visit := found.visit(cookie)) is not None}
    assert len(tokens) == 2
    found.log_out(first)
    assert found.visit(first) is None
    assert found.visit(second) is not None


def test_a_certificate_alone_lets_nobody_in() -> None:
    found, _ = made({"sam": Account(None, "Sam")})
    assert log_in(found, password="") is None


def test_a_login_comes_from_its_networks() -> None:
    found, _ = made({"sam": Account(SAM.verifier, networks=(ip_network("192.0.2.0/24"),))})
    assert log_in(found) is not None
    assert log_in(found, address=ip_address("198.51.100.1")) is None


def test_who_is_silent_or_long_there_logs_in_again() -> None:
    found, clock = made()
    cookie = log_in(found) or ""
    clock.now += IDLE_SECONDS + 1
    assert found.visit(cookie) is None
    cookie = log_in(found) or ""
    for _ in range(int(LONGEST_SECONDS / 1000)):
        clock.now += 1000
        assert found.visit(cookie) is not None
    clock.now += 1000
    assert found.visit(cookie) is None


def test_who_is_taken_out_of_the_policy_or_gets_another_password_is_out() -> None:
    found, _ = made({"sam": SAM, "eve": SAM})
    sam, eve = log_in(found) or "", log_in(found, "eve") or ""
    found.use_accounts({"sam": SAM})
    assert found.visit(eve) is None
    assert found.visit(sam) is not None
    found.use_accounts({"sam": Account(scram.make_verifier("another", iterations=10))})
    assert found.visit(sam) is None


def test_a_steward_keeps_no_more_than_twenty_visits() -> None:
    found, _ = made()
    cookies = [log_in(found) or "" for _ in range(25)]
    assert [found.visit(cookie) is not None for cookie in cookies] == [False] * 5 + [True] * 20


def test_guesses_are_throttled_before_the_password_is_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    looked = count_hashes(monkeypatch)
    found, clock = made()
    for _ in range(50):
        assert log_in(found, password="wrong") is None
    # The address has twenty; then not even the right one is looked at.
    assert len(looked) == 20
    assert log_in(found) is None
    clock.now += 1
    assert log_in(found) is not None


def test_guesses_at_once_are_throttled_too(monkeypatch: pytest.MonkeyPatch) -> None:
    looked = count_hashes(monkeypatch)
    found, _ = made()

    async def guess() -> list[str | None]:
        return await asyncio.gather(*(found.log_in("sam", f"guess {number}", HERE) for number in range(100)))

    assert set(asyncio.run(guess())) == {None}
    assert len(looked) == 20


def test_a_name_that_nobody_has_costs_as_many_hashes(monkeypatch: pytest.MonkeyPatch) -> None:
    looked = count_hashes(monkeypatch)
    found, _ = made({"sam": SAM, "eve": Account(None, "Eve")})
    for name in ("sam", "eve", "nobody"):
        log_in(found, name, "wrong")
    assert looked == [10, 10, 10]


def count_hashes(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The iterations of each password that is looked at."""
    looked: list[int] = []
    admits = scram.Verifier.admits

    def counted(verifier: scram.Verifier, password: str) -> bool:
        looked.append(verifier.iterations)
        return admits(verifier, password)

    monkeypatch.setattr(scram.Verifier, "admits", counted)
    return looked


def test_tokens_are_the_same_or_not() -> None:
    assert same("a", "a")
    assert not any(same(*pair) for pair in (("", ""), ("a", "b"), ("a", ""), ("", "a"), ("\udcff", "a")))


def test_a_verifier_admits_its_password_alone() -> None:
    verifier = scram.Verifier.parse(scram.make_verifier("pässword", iterations=10))
    assert verifier.admits("pässword")
    # SASLprep: what is composed in another way is the same.
    assert verifier.admits("pa\u0308ssword")
    assert not verifier.admits("passwort")


def test_the_log_has_the_reason(caplog: pytest.LogCaptureFixture) -> None:
    found, _ = made()
    log_in(found, "eve\n", "wrong")
    log_in(found, "sam", "wrong")
    assert [record.getMessage() for record in caplog.records] == [
        "login refused: 'eve\\n' from 192.0.2.1: 'dashboard, unknown-user'",
        "login refused: 'sam' from 192.0.2.1: 'dashboard, wrong-password'",
    ]
    assert logins.logger.name == "dpproxy.dashboard"
