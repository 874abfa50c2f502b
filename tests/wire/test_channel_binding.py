"""SCRAM-SHA-256-PLUS: what is bound, and what somebody in the middle can no longer do. The client is scramp's."""

from __future__ import annotations

import hashlib
import ssl
from pathlib import Path

import pytest
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa
from scramp import ScramClient

from proxy.errors import ChannelBindingError, ProtocolViolationError
from proxy.wire.scram import MECHANISM, MECHANISM_PLUS, ServerExchange, Verifier, make_verifier
from proxy.wire.tls import CertificateError, Credentials, TlsFiles
from tests.wire.certificates import Authority, Digest, Key, locked, server_files

BINDING = b"the hash of the certificate"
VERIFIER = Verifier.parse(make_verifier("sesame", 4096))
TYPE = "tls-server-end-point"


def log_in(mechanisms: list[str], seen: bytes, server: ServerExchange) -> None:
    """Log in as a client that sees the mechanisms and the binding."""
    client = ScramClient(mechanisms, "ana", "sesame", channel_binding=(TYPE, seen))
    client.set_server_first(server.challenge(client.mechanism_name, client.get_client_first().encode()).decode())
    client.set_server_final(server.finish(client.get_client_final().encode()).decode())


def test_the_binding_of_both_sides_must_agree() -> None:
    server = ServerExchange(VERIFIER, BINDING)
    assert server.mechanisms == (MECHANISM_PLUS, MECHANISM)
    log_in(list(server.mechanisms), BINDING, server)
    with pytest.raises(ChannelBindingError, match="check failed"):
        log_in(list(server.mechanisms), b"what the man in the middle shows", ServerExchange(VERIFIER, BINDING))


def test_an_offer_that_was_removed_on_its_way_is_noticed() -> None:
    """The client then says `y`: it could have bound the channel."""
    server = ServerExchange(VERIFIER, BINDING)
    with pytest.raises(ChannelBindingError) as refusal:
        server.challenge(MECHANISM, b"y,,n=,r=abc")
    assert (refusal.value.sqlstate, refusal.value.rule) == ("28000", "downgrade")
    assert ServerExchange(VERIFIER, None).challenge(MECHANISM, b"y,,n=,r=abc")


@pytest.mark.parametrize(
    ("mechanism", "message", "offered"),
    [
        (MECHANISM_PLUS, b"n,,n=,r=abc", True),
        (MECHANISM_PLUS, b"y,,n=,r=abc", True),
        (MECHANISM_PLUS, b"p=tls-unique,,n=,r=abc", True),
        (MECHANISM, b"p=tls-server-end-point,,n=,r=abc", True),
        (MECHANISM_PLUS, b"p=tls-server-end-point,,n=,r=abc", False),
        ("SCRAM-SHA-1", b"n,,n=,r=abc", True),
    ],
)
def test_a_mechanism_and_its_message_fit(mechanism: str, message: bytes, offered: bool) -> None:
    with pytest.raises(ProtocolViolationError):
        ServerExchange(VERIFIER, BINDING if offered else None).challenge(mechanism, message)


def test_a_client_that_cannot_bind_may_log_in() -> None:
    assert ServerExchange(VERIFIER, BINDING).challenge(MECHANISM, b"n,,n=,r=abc").startswith(b"r=abc")


# What is bound (RFC 5929, section 4.1)


@pytest.mark.parametrize(
    ("key", "digest", "pss", "expected"),
    [
        (ec.generate_private_key(ec.SECP256R1()), hashes.SHA256(), False, "sha256"),
        (ec.generate_private_key(ec.SECP384R1()), hashes.SHA384(), False, "sha384"),
        (rsa.generate_private_key(65537, 2048), hashes.SHA512(), False, "sha512"),
        (rsa.generate_private_key(65537, 2048), hashes.SHA512(), True, "sha512"),
        (ed25519.Ed25519PrivateKey.generate(), None, False, None),
    ],
)
def test_the_hash_is_that_of_the_certificates_signature(
    tmp_path: Path, key: Key, digest: Digest | None, pss: bool, expected: str | None
) -> None:
    files = server_files(Authority(tmp_path, key=key, digest=digest, pss=pss))
    certificate = ssl.PEM_cert_to_DER_cert(files.certificate.read_text())
    binding = None if expected is None else hashlib.new(expected, certificate).digest()
    assert Credentials.read(files).binding == binding


# Files that cannot be used


def test_files_that_cannot_be_used_are_named_with_the_reason(tmp_path: Path) -> None:
    authority = Authority(tmp_path)
    good, other = server_files(authority, "good"), server_files(authority, "other")
    absent, text = tmp_path / "absent.pem", tmp_path / "text.pem"
    text.write_text("no certificate")
    for certificate, key, client_ca, said in (
        (absent, good.key, None, "absent.pem: No such file"),
        (good.certificate, absent, None, "absent.pem: No such file"),
        (good.certificate, good.key, absent, "absent.pem: No such file"),
        (text, good.key, None, "text.pem"),
        (good.certificate, text, None, "text.pem"),
        (good.certificate, good.key, text, "text.pem"),
        (good.certificate, other.key, None, "key values mismatch"),
        (good.certificate, locked(good, tmp_path / "locked.key"), None, "locked.key"),
    ):
        with pytest.raises(CertificateError) as refusal:
            Credentials.read(TlsFiles(certificate, key, client_ca))
        assert said in str(refusal.value)
        assert "\n" not in str(refusal.value)
