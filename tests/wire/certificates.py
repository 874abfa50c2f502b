"""Certificates for tests, made when they are needed: an authority, and what it signs."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from ipaddress import ip_address
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, padding, rsa
from cryptography.x509.oid import NameOID

from proxy.wire.tls import TlsFiles

Digest = hashes.SHA256 | hashes.SHA384 | hashes.SHA512
Key = rsa.RSAPrivateKey | ec.EllipticCurvePrivateKey | ed25519.Ed25519PrivateKey


def subject(*common_names: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name) for name in common_names])


@dataclass(frozen=True)
class Pair:
    """A certificate and its key, as files in PEM."""

    certificate: Path
    key: Path


class Authority:
    """Signs certificates; its own is `file`.

    Args:
        directory: for the files.
        name: of the files and of the authority.
        key: what it signs with: an elliptic curve unless one is given.
        digest: the hash of its signatures; None for keys that need none.
        pss: sign with RSA-PSS.
    """

    def __init__(
        self,
        directory: Path,
        name: str = "authority",
        key: Key | None = None,
        digest: Digest | None = hashes.SHA256(),  # noqa: B008
        *,
        pss: bool = False,
    ) -> None:
        self._directory = directory
        self._key = key or ec.generate_private_key(ec.SECP256R1())
        self._digest = digest
        self._pss = pss
        self._name = subject(name)
        self.file = directory / f"{name}.pem"
        own = self._builder(self._name, self._key).add_extension(x509.BasicConstraints(ca=True, path_length=0), True)
        self.file.write_bytes(self._signed(own).public_bytes(serialization.Encoding.PEM))

    def sign(self, name: str, *common_names: str) -> Pair:
        """A certificate with the common names (`name` if none is given), for 127.0.0.1 and localhost."""
        key = ec.generate_private_key(ec.SECP256R1())
        hosts = [x509.DNSName("localhost"), x509.IPAddress(ip_address("127.0.0.1"))]
        builder = self._builder(subject(*(common_names or (name,))), key)
        certificate = self._signed(builder.add_extension(x509.SubjectAlternativeName(hosts), critical=False))
        pair = Pair(self._directory / f"{name}.crt", self._directory / f"{name}.key")
        pair.certificate.write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
        pair.key.touch(0o600)
        pair.key.write_bytes(
            key.private_bytes(
                serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
            )
        )
        return pair

    def _builder(self, name: x509.Name, key: Key) -> x509.CertificateBuilder:
        now = dt.datetime.now(dt.UTC)
        builder = x509.CertificateBuilder().subject_name(name).issuer_name(self._name).public_key(key.public_key())
        builder = builder.serial_number(x509.random_serial_number())
        return builder.not_valid_before(now - dt.timedelta(hours=1)).not_valid_after(now + dt.timedelta(days=1))

    def _signed(self, builder: x509.CertificateBuilder) -> x509.Certificate:
        if self._pss:
            scheme = padding.PSS(padding.MGF1(hashes.SHA256()), padding.PSS.DIGEST_LENGTH)
            return builder.sign(self._key, self._digest, rsa_padding=scheme)
        return builder.sign(self._key, self._digest)


def locked(pair: TlsFiles, path: Path) -> Path:
    """The key of `pair` under a passphrase."""
    key = serialization.load_pem_private_key(pair.key.read_bytes(), None)
    encryption = serialization.BestAvailableEncryption(b"sesame")
    path.write_bytes(key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, encryption))
    return path


def server_files(authority: Authority, name: str = "server", client_ca: Path | None = None) -> TlsFiles:
    pair = authority.sign(name)
    return TlsFiles(pair.certificate, pair.key, client_ca)
