"""The way in without sockets: whatever a stranger sends, he gets a refusal in Postgres's own terms."""

from __future__ import annotations

import string

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from proxy.errors import AuthenticationError, DpproxyError, ProtocolViolationError, TooManyConnectionsError
from proxy.wire import backend, frontend, scram
from proxy.wire.codec import HEADER, INT32, Fields, frame
from proxy.wire.frontend import CancelRequest, SaslInitialResponse, Startup
from proxy.wire.gate import Account, Gate
from proxy.wire.login import Handshake, Login

PASSWORD = "open sesame"
SSL_REQUEST = INT32.pack(8) + INT32.pack(frontend.SSL_REQUEST)
STARTUP = Startup(frontend.PROTOCOL_3_0, {"user": "ana", "database": "shop", "options": "-c a=b"}).encode()
REFUSALS = ("08P01", "28P01", "0A000", "3D000")


def room() -> None:
    """There is always some."""


VERIFIER = scram.make_verifier(PASSWORD, 1)


def gate() -> Gate:
    """One that no login has failed at: what fails counts at its gate, and then nothing is looked at for a while."""
    return Gate({"ana": Account(VERIFIER)}, "shop", room)


def challenge_of(output: bytes) -> bytes:
    """The data of an AuthenticationSASLContinue."""
    fields = Fields(output[HEADER.size :], "challenge")
    assert fields.int32() == backend.AUTHENTICATION_SASL_CONTINUE
    return fields.rest()


def greeted() -> tuple[Handshake, scram.ClientExchange, bytes]:
    """A handshake that waits for the proof, the client's side of it, and the challenge."""
    handshake, client = Handshake(gate()), scram.ClientExchange(PASSWORD)
    handshake.hear(STARTUP)
    handshake.take_output()
    handshake.hear(SaslInitialResponse(scram.MECHANISM, client.first()).encode())
    return handshake, client, challenge_of(handshake.take_output())


def login_of(handshake: Handshake) -> Login | None:
    return handshake.outcome if isinstance(handshake.outcome, Login) else None


def test_a_password_opens_and_what_is_sent_behind_it_is_kept() -> None:
    handshake, client, challenge = greeted()
    proof = frame(frontend.AUTHENTICATION, client.respond(challenge))
    for byte in proof[:-1]:
        handshake.hear(bytes((byte,)))
    assert login_of(handshake) is None
    handshake.hear(proof[-1:] + b"early")
    login = login_of(handshake)
    assert login is not None
    client.check(login.server_proof)
    assert (login.analyst, dict(login.parameters)) == ("ana", {"options": "-c a=b"})
    assert len(login.early) == len(b"early")


def test_a_cancel_request_needs_no_password_and_no_room() -> None:
    def none() -> None:
        raise TooManyConnectionsError("full")

    full = Gate({}, "shop", none)
    handshake = Handshake(full)
    handshake.hear(CancelRequest(7, b"1234").encode())
    assert handshake.outcome == CancelRequest(7, b"1234")
    with pytest.raises(TooManyConnectionsError):
        Handshake(full).hear(STARTUP)


def test_each_encryption_request_is_declined_once() -> None:
    handshake = Handshake(gate())
    handshake.hear(SSL_REQUEST)
    handshake.hear(INT32.pack(8) + INT32.pack(frontend.GSSENC_REQUEST))
    assert handshake.take_output() == b"NN"
    with pytest.raises(DpproxyError) as refusal:
        handshake.hear(SSL_REQUEST)
    assert refusal.value.sqlstate == "0A000"


@pytest.mark.parametrize(
    "damage",
    [
        (b"c=biws", "c=bïws".encode()),
        (b",r=", ",r=é".encode()),
        (b",p=", ",p=ÿ".encode()),
        (b",p=", b",p=\xff"),
        (b",p=", b",p=="),
        (b",p=", b",p="),
    ],
)
def test_a_proof_that_is_no_scram_text_is_a_violation_or_a_wrong_password(damage: tuple[bytes, bytes]) -> None:
    handshake, client, challenge = greeted()
    proof = client.respond(challenge).replace(*damage)
    if damage[0] == damage[1]:
        proof = proof[:-8] + b"AAAAAAA="
    with pytest.raises((ProtocolViolationError, AuthenticationError)):
        handshake.hear(frame(frontend.AUTHENTICATION, proof))


@pytest.mark.parametrize("first", ["n,,n=ü,r=abc", "y,,n=,r=abc", "n,a=é,n=,r=abc"])
def test_a_name_beyond_ascii_in_scram_is_ignored_as_in_postgres(first: str) -> None:
    handshake = Handshake(gate())
    handshake.hear(STARTUP)
    handshake.hear(SaslInitialResponse(scram.MECHANISM, first.encode()).encode())
    assert b"r=abc" in handshake.take_output()


scram_words = st.text(st.sampled_from("npyarcsmi=,/+AZ09\0é½\U0001f512"), max_size=20).map(str.encode)
garbage = st.binary(max_size=30)
packets = garbage.map(lambda body: INT32.pack(len(body) + 4) + body) | st.sampled_from([STARTUP, SSL_REQUEST])
passwords = st.one_of(
    (scram_words | garbage).map(lambda data: SaslInitialResponse(scram.MECHANISM, data).encode()),
    (scram_words | garbage).map(lambda data: frame(frontend.AUTHENTICATION, data)),
    st.just(SaslInitialResponse(scram.MECHANISM, b"n,,n=,r=abc").encode()),
)


def hear(handshake: Handshake, data: bytes) -> str | None:
    """The SQLSTATE of the refusal, if there is one."""
    try:
        handshake.hear(data)
    except DpproxyError as error:
        return error.sqlstate
    return None


@settings(max_examples=1000, deadline=None)
@given(st.lists(packets, max_size=2), st.lists(passwords | garbage, max_size=3))
def test_any_bytes_are_refused_in_postgres_terms_and_log_nobody_in(before: list[bytes], after: list[bytes]) -> None:
    handshake = Handshake(gate())
    for data in (*before, *after):
        refusal = hear(handshake, data)
        if refusal is not None:
            assert refusal in REFUSALS
            assert hear(handshake, STARTUP) is None
            assert handshake.outcome is None
            return
    assert not isinstance(handshake.outcome, Login)


@settings(max_examples=500, deadline=None)
@given(st.data())
def test_a_changed_proof_is_refused_in_postgres_terms(data: st.DataObject) -> None:
    handshake, client, challenge = greeted()
    proof = client.respond(challenge)
    place = data.draw(st.integers(0, len(proof)))
    changed = (
        proof[:place] + data.draw(scram_words | st.binary(max_size=3)) + proof[place + data.draw(st.integers(0, 3)) :]
    )
    refusal = hear(handshake, frame(frontend.AUTHENTICATION, changed))
    if isinstance(handshake.outcome, Login):
        assert changed == proof
    else:
        assert refusal in ("08P01", "28P01")


def test_a_proof_has_one_spelling() -> None:
    """The last digit of 32 octets in base64 has two bits that no octet needs."""
    digits = string.ascii_uppercase + string.ascii_lowercase + string.digits + "+/"
    for more in (1, 2, 3):
        handshake, client, challenge = greeted()
        proof = client.respond(challenge)
        last = digits[digits.index(chr(proof[-2])) + more]
        assert hear(handshake, frame(frontend.AUTHENTICATION, proof[:-2] + last.encode() + b"=")) == "08P01"
        assert not isinstance(handshake.outcome, Login)


@settings(max_examples=200, deadline=None)
@given(st.lists(packets | passwords, max_size=4).map(b"".join), st.integers(0, 200))
def test_pieces_make_no_difference(data: bytes, cut: int) -> None:
    whole, pieces = Handshake(gate()), Handshake(gate())
    if SSL_REQUEST in data:
        return  # there it makes one: see test_plaintext_behind_an_ssl_request_is_refused
    expected = hear(whole, data)
    assert (hear(pieces, data[:cut]) or hear(pieces, data[cut:])) == expected
