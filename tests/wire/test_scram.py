"""SCRAM against itself, against the RFC's example, and against Postgres."""

from __future__ import annotations

import base64

import psycopg
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from proxy.errors import AuthenticationError, ProtocolViolationError
from proxy.postgres.embedded import EmbeddedPostgres
from proxy.wire.scram import MECHANISM, ClientExchange, ServerExchange, Verifier, make_verifier, prepare_password


def log_in(verifier: str, password: str) -> None:
    client, server = ClientExchange(password), ServerExchange(Verifier.parse(verifier))
    client.check(server.finish(client.respond(server.challenge(MECHANISM, client.first()))))


@settings(max_examples=50, deadline=None)
@given(st.text(max_size=12), st.text(max_size=12))
def test_exactly_the_right_password_logs_in(password: str, other: str) -> None:
    verifier = make_verifier(password, iterations=3)
    log_in(verifier, password)
    if prepare_password(password) != prepare_password(other):
        with pytest.raises(AuthenticationError):
            log_in(verifier, other)


def test_the_verifier_is_the_one_of_rfc_7677() -> None:
    verifier = make_verifier("pencil", 4096, base64.b64decode("W22ZaJ0SNY7soEsUEjb6gQ=="))
    stored, server = "WG5d8oPm3OtcPnkdi4Uo7BkeZkBFzpcXkuLmtbsT4qY=", "wfPLwcE6nTWhTAmQ7tl2KeoiWGPlZqQxSrmfPwDl2dU="
    assert verifier == f"SCRAM-SHA-256$4096:W22ZaJ0SNY7soEsUEjb6gQ==${stored}:{server}"


@pytest.mark.parametrize(
    "password", ["sesame", "ｆｕｌｌ ½", "soft\u00adhyphen", "no\u00a0break", "שלום", "bell\x07", " "]
)
def test_postgres_accepts_the_verifier(
    stage_postgres: EmbeddedPostgres, owner: psycopg.Connection, password: str
) -> None:
    owner.execute(f"CREATE ROLE verified LOGIN PASSWORD '{make_verifier(password)}'")
    try:
        with psycopg.connect(stage_postgres.dsn("stage", "verified"), password=password) as connection:
            assert connection.execute("SELECT current_user").fetchone() == ("verified",)
    finally:
        owner.execute("DROP ROLE verified")


def test_two_verifiers_of_one_password_differ() -> None:
    assert make_verifier("same", 3) != make_verifier("same", 3)


@pytest.mark.parametrize(
    "text", ["", "plain", "md5" + "0" * 32, "SCRAM-SHA-256$0:AAAA$AAAA:AAAA", "SCRAM-SHA-256$1:AA=$A:B"]
)
def test_what_is_no_verifier_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="not a SCRAM-SHA-256 verifier"):
        Verifier.parse(text)


def test_no_password_matches_an_imaginary_verifier_and_its_salt_is_stable() -> None:
    secret = b"of this process"
    imaginary = Verifier.imaginary("eve", secret, 3)
    assert imaginary == Verifier.imaginary("eve", secret, 3)
    assert imaginary.salt != Verifier.imaginary("eve", b"of another process", 3).salt
    with pytest.raises(AuthenticationError):
        log_in(str(imaginary), "")


@pytest.mark.parametrize(
    "message", [b"", b"n,,", b"n,,n=,r=", b"p=tls-unique,,n=,r=x", b"n,,m=x,n=,r=x", b"\xff", b"n,,n=,r=a\x01b"]
)
def test_a_malformed_first_message_is_a_violation(message: bytes) -> None:
    with pytest.raises(ProtocolViolationError):
        ServerExchange(Verifier.parse(make_verifier("x", 3))).challenge(MECHANISM, message)


@pytest.mark.parametrize("damage", [(b"c=biws", b"c=eSws"), (b",r=", b",r=x"), (b",p=", b",p=AAAA"), (b",p=", b",q=")])
def test_a_damaged_final_message_is_a_violation(damage: tuple[bytes, bytes]) -> None:
    client, server = ClientExchange("x"), ServerExchange(Verifier.parse(make_verifier("x", 3)))
    final = client.respond(server.challenge(MECHANISM, client.first()))
    with pytest.raises(ProtocolViolationError):
        server.finish(final.replace(*damage))


def test_the_client_notices_a_server_that_does_not_know_the_password() -> None:
    client, server = ClientExchange("x"), ServerExchange(Verifier.parse(make_verifier("x", 3)))
    client.respond(server.challenge(MECHANISM, client.first()))
    with pytest.raises(ProtocolViolationError):
        client.check(b"v=" + base64.b64encode(bytes(32)))


def test_the_client_refuses_a_nonce_that_is_not_its_own() -> None:
    client = ClientExchange("x")
    with pytest.raises(ProtocolViolationError):
        client.respond(b"r=other,s=AAAA,i=3")
