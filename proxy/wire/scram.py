"""SCRAM-SHA-256 (RFC 5802, RFC 7677): the server's side with a stored verifier, the client's side with a password.

The verifier is the string that Postgres itself stores in pg_authid, so that one string serves both. The server's side
knows the channel binding tls-server-end-point (RFC 5929, section 4): the proof then covers the hash of the certificate
that the client was shown, so that nobody in the middle can pass it on.
"""

from __future__ import annotations

import base64
import binascii
import functools
import hashlib
import hmac
import re
import secrets
import stringprep
import unicodedata
from dataclasses import dataclass

from proxy.errors import AuthenticationError, ChannelBindingError, ProtocolViolationError

MECHANISM = "SCRAM-SHA-256"
MECHANISM_PLUS = "SCRAM-SHA-256-PLUS"
_BINDING_TYPE = "p=tls-server-end-point"
ITERATIONS = 4096
"""As in Postgres. Each login costs a client as many hashes; the server's side needs none."""

_VERIFIER = re.compile(r"SCRAM-SHA-256\$([0-9]{1,9}):([A-Za-z0-9+/=]+)\$([A-Za-z0-9+/=]+):([A-Za-z0-9+/=]+)")
_CLIENT_FIRST = re.compile(
    r"([ny]|p=[A-Za-z0-9.-]+),(a=[^,]*)?,((?:m=[^,]*,)?n=[^,]*,r=([!-+\--~]+)(?:,.*)?)", re.DOTALL
)
_CLIENT_FINAL = re.compile(r"(c=([A-Za-z0-9+/=]+),r=([!-+\--~]+)(?:,.*)?),p=([A-Za-z0-9+/=]+)", re.DOTALL)
_SERVER_FIRST = re.compile(r"r=([!-+\--~]+),s=([A-Za-z0-9+/=]+),i=([0-9]{1,9})(?:,.*)?", re.DOTALL)


@dataclass(frozen=True)
class Verifier:
    """What a server stores instead of a password (RFC 5802, section 3: StoredKey and ServerKey)."""

    iterations: int
    salt: bytes
    stored_key: bytes
    server_key: bytes

    @classmethod
    def parse(cls, text: str) -> Verifier:
        """Read `SCRAM-SHA-256$iterations:salt$stored:server`.

        Raises:
            ValueError: it is not such a string.
        """
        match = _VERIFIER.fullmatch(text)
        if match is None:
            raise ValueError("not a SCRAM-SHA-256 verifier")
        try:
            salt, stored_key, server_key = (base64.b64decode(part, validate=True) for part in match.groups()[1:])
        except binascii.Error:
            raise ValueError("not a SCRAM-SHA-256 verifier") from None
        if len(stored_key) != 32 or len(server_key) != 32 or int(match[1]) == 0:
            raise ValueError("not a SCRAM-SHA-256 verifier")
        return cls(int(match[1]), salt, stored_key, server_key)

    def admits(self, password: str) -> bool:
        """Is this the password? For those who are told it; each call costs `iterations` hashes."""
        salted = hashlib.pbkdf2_hmac("sha256", prepare_password(password), self.salt, self.iterations)
        stored_key = hashlib.sha256(_hmac(salted, b"Client Key")).digest()
        return hmac.compare_digest(stored_key, self.stored_key)

    def __str__(self) -> str:
        salt, stored_key, server_key = map(_base64, (self.salt, self.stored_key, self.server_key))
        return f"{MECHANISM}${self.iterations}:{salt}${stored_key}:{server_key}"

    @classmethod
    def imaginary(cls, user: str, secret: bytes, iterations: int) -> Verifier:
        """A verifier for a user who does not exist: the same at every try, matched by no password.

        Args:
            user: the requested name.
            secret: random bytes of this process, so that nobody else can distinguish the salt from a stored one.
            iterations: as many as the real verifiers have.
        """
        salt = _hmac(secret, b"salt" + user.encode())[:16]
        return cls(iterations, salt, _hmac(secret, b"stored" + user.encode()), _hmac(secret, b"server" + user.encode()))


def make_verifier(password: str, iterations: int = ITERATIONS, salt: bytes | None = None) -> str:
    """The verifier of a password, with a fresh random salt of 16 bytes unless one is given."""
    salt = secrets.token_bytes(16) if salt is None else salt
    salted = _salted_password(prepare_password(password), salt, iterations)
    stored_key = hashlib.sha256(_hmac(salted, b"Client Key")).digest()
    return str(Verifier(iterations, salt, stored_key, _hmac(salted, b"Server Key")))


class ServerExchange:
    """One login at the server: first message in, challenge out; final message in, proof of the server out.

    Args:
        verifier: of the password.
        binding: the hash of the certificate that the client was shown; None without TLS.
    """

    def __init__(self, verifier: Verifier, binding: bytes | None = None) -> None:
        self._verifier = verifier
        self._binding = binding
        self._client_first = self._server_first = self._nonce = ""
        self._bound = b""

    @property
    def mechanisms(self) -> tuple[str, ...]:
        """What the client may choose from, the better one first."""
        return (MECHANISM,) if self._binding is None else (MECHANISM_PLUS, MECHANISM)

    def challenge(self, mechanism: str, client_first: bytes) -> bytes:
        """Answer the client's first message.

        Raises:
            ProtocolViolationError: it is malformed, or does not fit the mechanism, or that was not offered.
            ChannelBindingError: the client believes that channel binding was not offered, which it was.
        """
        if mechanism not in self.mechanisms:
            raise ProtocolViolationError("client selected an invalid SASL authentication mechanism")
        match = _CLIENT_FIRST.fullmatch(_text(client_first))
        if match is None or match[3].startswith("m="):
            raise ProtocolViolationError("malformed SCRAM message")
        self._check_flag(mechanism, match[1])
        self._bound = f"{match[1]},{match[2] or ''},".encode()
        if mechanism == MECHANISM_PLUS:
            self._bound += self._binding or b""
        self._client_first = match[3]
        self._nonce = match[4] + _base64(secrets.token_bytes(18))
        self._server_first = f"r={self._nonce},s={_base64(self._verifier.salt)},i={self._verifier.iterations}"
        return self._server_first.encode()

    def _check_flag(self, mechanism: str, flag: str) -> None:
        """RFC 5802, section 6. A `y` where binding was offered means that somebody removed the offer on its way."""
        if mechanism == MECHANISM_PLUS and not flag.startswith("p="):
            raise ProtocolViolationError(f"client selected {mechanism}, but sent no channel binding")
        if mechanism == MECHANISM and flag.startswith("p="):
            raise ProtocolViolationError(f"client selected {mechanism}, but sent a channel binding")
        if flag.startswith("p=") and flag != _BINDING_TYPE:
            raise ProtocolViolationError(f'unsupported SCRAM channel-binding type "{flag[2:]}"')
        if flag == "y" and self._binding is not None:
            raise ChannelBindingError(
                "SCRAM channel binding negotiation error",
                detail="The client supports channel binding and believes that the server does not, which it does.",
                rule="downgrade",
            )

    def finish(self, client_final: bytes) -> bytes:
        """Check the client's proof and return the server's.

        Raises:
            AuthenticationError: the proof does not fit the verifier (the caller gives it the public text).
            ChannelBindingError: the client was shown another certificate.
            ProtocolViolationError: the message is malformed or belongs to another exchange.
        """
        match = _CLIENT_FINAL.fullmatch(_text(client_final))
        if match is None or match[3] != self._nonce:
            raise ProtocolViolationError("malformed SCRAM message")
        if _decode(match[2]) != self._bound:
            if self._bound.startswith(b"p="):
                raise ChannelBindingError("SCRAM channel binding check failed", rule="channel-binding")
            raise ProtocolViolationError("malformed SCRAM message")
        transcript = f"{self._client_first},{self._server_first},{match[1]}".encode()
        proof = _decode(match[4])
        if len(proof) != 32:
            raise ProtocolViolationError("malformed SCRAM message")
        client_key = _xor(proof, _hmac(self._verifier.stored_key, transcript))
        if not hmac.compare_digest(hashlib.sha256(client_key).digest(), self._verifier.stored_key):
            raise AuthenticationError("password authentication failed")
        return b"v=" + _base64(_hmac(self._verifier.server_key, transcript)).encode()


class ClientExchange:
    """One login at a stage: the counterpart of `ServerExchange`. The user's name is in the startup message."""

    def __init__(self, password: str) -> None:
        self._password = prepare_password(password)
        self._nonce = _base64(secrets.token_bytes(18))
        self._server_signature = b""

    def first(self) -> bytes:
        return f"n,,n=,r={self._nonce}".encode()

    def respond(self, server_first: bytes) -> bytes:
        """Prove the password.

        Raises:
            ProtocolViolationError: the server's challenge is malformed or belongs to another exchange.
        """
        challenge = _text(server_first)
        match = _SERVER_FIRST.fullmatch(challenge)
        if match is None or not match[1].startswith(self._nonce) or int(match[3]) == 0:
            raise ProtocolViolationError("malformed SCRAM challenge")
        salted = _salted_password(self._password, _decode(match[2]), int(match[3]))
        client_key = _hmac(salted, b"Client Key")
        without_proof = f"c=biws,r={match[1]}"
        transcript = f"n=,r={self._nonce},{challenge},{without_proof}".encode()
        signature = _hmac(hashlib.sha256(client_key).digest(), transcript)
        self._server_signature = _hmac(_hmac(salted, b"Server Key"), transcript)
        return f"{without_proof},p={_base64(_xor(client_key, signature))}".encode()

    def check(self, server_final: bytes) -> None:
        """Does the server know the verifier too?

        Raises:
            ProtocolViolationError: it does not.
        """
        if not hmac.compare_digest(server_final, b"v=" + _base64(self._server_signature).encode()):
            raise ProtocolViolationError("the server did not prove that it knows the password")


def prepare_password(password: str) -> bytes:
    """SASLprep (RFC 4013); as in Postgres, a password that it forbids is used unchanged."""
    mapped = "".join(
        " " if stringprep.in_table_c12(character) else character
        for character in password
        if not stringprep.in_table_b1(character)
    )
    prepared = unicodedata.ucd_3_2_0.normalize("NFKC", mapped)
    if not prepared or _is_forbidden(prepared):
        return password.encode()
    return prepared.encode()


_FORBIDDEN_TABLES = (
    stringprep.in_table_a1,
    stringprep.in_table_c12,
    stringprep.in_table_c21_c22,
    stringprep.in_table_c3,
    stringprep.in_table_c4,
    stringprep.in_table_c5,
    stringprep.in_table_c6,
    stringprep.in_table_c7,
    stringprep.in_table_c8,
    stringprep.in_table_c9,
)


def _is_forbidden(text: str) -> bool:
    """RFC 4013, sections 2.3 to 2.5: prohibited or unassigned characters, or mixed writing directions."""
    if any(in_table(character) for character in text for in_table in _FORBIDDEN_TABLES):
        return True
    right_to_left = [stringprep.in_table_d1(character) for character in text]
    if not any(right_to_left):
        return False
    return any(map(stringprep.in_table_d2, text)) or not (right_to_left[0] and right_to_left[-1])


@functools.lru_cache(maxsize=256)
def _salted_password(password: bytes, salt: bytes, iterations: int) -> bytes:
    """The salted password. Cached: all sessions of an analyst log in at the stage with the same password and salt."""
    return hashlib.pbkdf2_hmac("sha256", password, salt, iterations)


def _hmac(key: bytes, message: bytes) -> bytes:
    return hmac.digest(key, message, "sha256")


def _xor(left: bytes, right: bytes) -> bytes:
    return bytes(a ^ b for a, b in zip(left, right, strict=True))


def _base64(value: bytes) -> str:
    return base64.b64encode(value).decode()


def _decode(text: str) -> bytes:
    """The octets of a base64 text. Of several texts that Python takes for the same octets only one is an encoding."""
    try:
        value = base64.b64decode(text, validate=True)
    except binascii.Error:
        raise ProtocolViolationError("malformed SCRAM message") from None
    if _base64(value) != text:
        raise ProtocolViolationError("malformed SCRAM message")
    return value


def _text(message: bytes) -> str:
    try:
        return message.decode("utf-8")
    except UnicodeDecodeError:
        raise ProtocolViolationError("malformed SCRAM message") from None
