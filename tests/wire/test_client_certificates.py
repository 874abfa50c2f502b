"""Certificates of clients in place of passwords, with the system's psql."""

from __future__ import annotations

import pytest

from proxy.wire.gate import Account
from proxy.wire.stage_connection import StageAddress
from proxy.wire.tls import Credentials
from tests.wire.certificates import Authority, Pair, server_files
from tests.wire.support import PASSWORD, RunningServer
from tests.wire.tls_clients import LIMITS, psql


@pytest.fixture
def server(tls_server: RunningServer) -> RunningServer:
    return tls_server


@pytest.fixture(scope="session")
def bob(client_authority: Authority) -> Pair:
    return client_authority.sign("bob", "Bob of the clinic")


def certified(pair: Pair) -> tuple[str, ...]:
    return (f"sslcert={pair.certificate}", f"sslkey={pair.key}", "sslmode=require")


def test_a_certificate_stands_for_a_password(server: RunningServer, bob: Pair) -> None:
    done = psql(server, "user=bob", *certified(bob))
    assert (done.returncode, done.stdout) == (0, "3\n"), done.stderr


@pytest.mark.parametrize("names", [("Somebody",), ("Bob of the clinic", "Somebody"), ("bob of the clinic",)])
def test_another_certificate_does_not(
    server: RunningServer, client_authority: Authority, names: tuple[str, ...]
) -> None:
    other = client_authority.sign("other", *names)
    done = psql(server, "user=bob password=wrong", *certified(other))
    assert done.returncode == 2
    assert 'password authentication failed for user "bob"' in done.stderr


def test_no_certificate_looks_as_for_an_unknown_user(server: RunningServer) -> None:
    texts = {
        psql(server, f"user={user} password=x sslmode=require").stderr.replace(user, "?") for user in ("bob", "eve")
    }
    (text,) = texts
    assert "password authentication failed" in text


def test_a_certificate_is_its_owners_only(server: RunningServer, bob: Pair) -> None:
    done = psql(server, "user=ana password=wrong", *certified(bob))
    assert 'password authentication failed for user "ana"' in done.stderr
    done = psql(server, f"user=ana password='{PASSWORD}'", *certified(bob))
    assert done.returncode == 0, done.stderr


def test_another_authoritys_certificate_is_refused(server: RunningServer, authority: Authority) -> None:
    imposter = authority.sign("imposter", "Bob of the clinic")
    done = psql(server, "user=bob", *certified(imposter))
    assert done.returncode == 2
    assert "unknown ca" in done.stderr.lower() or "alert" in done.stderr


def test_a_certificate_without_an_authority_to_ask_is_nobodys(
    stage_address: StageAddress, authority: Authority, bob: Pair
) -> None:
    credentials = Credentials.read(server_files(authority, "lonely"))
    accounts = {"bob": Account(None, "Bob of the clinic")}
    with RunningServer(stage_address, LIMITS, accounts, credentials) as lonely:
        done = psql(lonely, "user=bob password=x", *certified(bob))
    assert 'password authentication failed for user "bob"' in done.stderr
