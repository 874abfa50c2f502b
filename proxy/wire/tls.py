"""TLS without I/O: a certificate as read from its files, and the server's side of one encrypted connection."""

from __future__ import annotations

import contextlib
import datetime as dt
import hashlib
import ssl
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # slow to import: what uses it at run time imports it there
    from cryptography import x509

ALPN = "postgresql"
"""The name of Postgres's protocol, which a client of direct TLS must ask for."""

CLIENT_HELLO = 0x16
"""The first byte of a TLS record with a handshake message. No startup packet begins with it: it would be too long."""

_PIECE = 1 << 16


class CertificateError(Exception):
    """Files that cannot be used for TLS; the text is one line that names the file and says why."""


@dataclass(frozen=True)
class TlsFiles:
    """Where the files are, in PEM.

    Attributes:
        certificate: the server's certificate, followed by its intermediate ones.
        key: its private key, without a passphrase.
        client_ca: certificates of those who sign clients' certificates; None if clients are not asked for one.
    """

    certificate: Path
    key: Path
    client_ca: Path | None = None

    @property
    def exposed(self) -> bool:
        """May others than the key's owner read it? A key of root's may be for a group, as engines mount secrets."""
        found = self.key.stat()
        return bool(found.st_mode & (0o037 if found.st_uid == 0 else 0o077))


@dataclass(frozen=True)
class Credentials:
    """What the files hold; connections keep theirs when the files are read again.

    Attributes:
        context: for the handshakes.
        binding: the certificate's hash for the channel binding tls-server-end-point (RFC 5929, section 4); None if
            it is not defined for this certificate, as for those signed with Ed25519.
        expires: the moment after which clients take the certificate for invalid.
    """

    context: ssl.SSLContext
    binding: bytes | None
    expires: dt.datetime

    @classmethod
    def read(cls, files: TlsFiles) -> Credentials:
        """Read the files.

        Raises:
            CertificateError: one of them is missing or malformed, or they do not belong together.
        """
        from cryptography.x509 import load_pem_x509_certificates

        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.minimum_version = ssl.TLSVersion.TLSv1_2
        # As in Postgres: no resumption, so that each connection shows its certificate, and no renegotiation.
        context.options |= ssl.OP_NO_TICKET | ssl.OP_NO_RENEGOTIATION | ssl.OP_NO_COMPRESSION
        context.num_tickets = 0
        context.set_alpn_protocols([ALPN])
        pem = _contents(files.certificate)
        _contents(files.key)
        try:
            # Without a passphrase here OpenSSL would ask the terminal for one.
            context.load_cert_chain(files.certificate, files.key, password="none")
        except (ssl.SSLError, ValueError) as error:
            raise CertificateError(f"{files.certificate} and {files.key}: {_reason(error)}") from None
        if files.client_ca is not None:
            _contents(files.client_ca)
            try:
                context.load_verify_locations(files.client_ca)
            except (ssl.SSLError, ValueError) as error:
                raise CertificateError(f"{files.client_ca}: {_reason(error)}") from None
            context.verify_mode = ssl.CERT_OPTIONAL
        try:
            certificate = load_pem_x509_certificates(pem)[0]
        except ValueError:
            raise CertificateError(f"{files.certificate}: not a certificate in PEM") from None
        return cls(context, _binding(certificate), certificate.not_valid_after_utc)


def _contents(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise CertificateError(f"{path}: {error.strerror}") from None


def _reason(error: Exception) -> str:
    """OpenSSL's words, without the number and the line in its source."""
    if isinstance(error, ssl.SSLCertVerificationError):
        return error.verify_message
    reason = getattr(error, "reason", None)
    return str(reason).lower().replace("_", " ") if reason else "not usable as PEM"


def _binding(certificate: x509.Certificate) -> bytes | None:
    from cryptography.exceptions import UnsupportedAlgorithm
    from cryptography.hazmat.primitives import hashes, serialization

    try:
        algorithm = certificate.signature_hash_algorithm
    except UnsupportedAlgorithm:
        return None
    if algorithm is None:
        return None
    name = "sha256" if isinstance(algorithm, hashes.MD5 | hashes.SHA1) else algorithm.name
    return hashlib.new(name, certificate.public_bytes(serialization.Encoding.DER)).digest()


class TlsFailedError(ConnectionError):
    """A handshake or a record that is not as TLS wants it; the text is OpenSSL's, for the log."""


class Tunnel:
    """The server's side of TLS on one connection: first the handshake, then bytes in and out.

    Attributes:
        binding: of the certificate that this connection was shown.
        ended: has the client said goodbye?
    """

    def __init__(self, credentials: Credentials) -> None:
        self.binding = credentials.binding
        self._incoming, self._outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
        self._session = credentials.context.wrap_bio(self._incoming, self._outgoing, server_side=True)
        self.ended = False

    def shake_hands(self, data: bytes) -> bool:
        """Take bytes of the client; returns whether the handshake is over.

        Raises:
            TlsFailedError: it failed. `take_output` has the alert for the client.
        """
        self._incoming.write(data)
        try:
            self._session.do_handshake()
        except ssl.SSLWantReadError:
            return False
        except ssl.SSLError as error:
            raise TlsFailedError(_reason(error)) from None
        return True

    def decrypt(self, data: bytes) -> bytes:
        """What the client's bytes say, as far as they are complete; sets `ended` when the client says goodbye.

        Raises:
            TlsFailedError: they were not encrypted by the client.
        """
        self._incoming.write(data)
        pieces = []
        try:
            while piece := self._session.read(_PIECE):
                pieces.append(piece)
                if not self._incoming.pending and not self._session.pending():
                    return b"".join(pieces)
            self.ended = True
        except ssl.SSLWantReadError:
            pass
        except ssl.SSLZeroReturnError:
            self.ended = True
        except ssl.SSLError as error:
            raise TlsFailedError(_reason(error)) from None
        return b"".join(pieces)

    def encrypt(self, data: bytes) -> bytes:
        """The records that say `data`, behind those that are due anyway."""
        if data:
            self._session.write(data)
        return self.take_output()

    def close(self) -> bytes:
        """Say goodbye (close_notify), without waiting for the client's."""
        # Errors say that the client's goodbye is not there, or that the handshake was not over.
        with contextlib.suppress(ssl.SSLError, ValueError):
            self._session.unwrap()
        return self.take_output()

    def take_output(self) -> bytes:
        """What is to be sent to the client as it is."""
        return self._outgoing.read()

    @property
    def speaks_postgres(self) -> bool:
        """Have both sides agreed, by ALPN, that Postgres's protocol is spoken inside?"""
        return self._session.selected_alpn_protocol() == ALPN

    @property
    def client_name(self) -> str | None:
        """The `common_name` of the client's certificate, which was verified."""
        return common_name(self._session.getpeercert(binary_form=True))


def common_name(certificate: bytes | None) -> str | None:
    """The common name of a certificate in DER; None without one, or with several names, or if it is written in a way
    that only OpenSSL reads."""
    from cryptography.x509 import load_der_x509_certificate
    from cryptography.x509.oid import NameOID

    if certificate is None:
        return None
    try:
        names = load_der_x509_certificate(certificate).subject.get_attributes_for_oid(NameOID.COMMON_NAME)
    except ValueError:
        return None
    return str(names[0].value) if len(names) == 1 else None
