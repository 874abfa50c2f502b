"""A client's messages: one class each, with `decode` (of a body) and `encode` (to a whole message).

Names and texts stay bytes: they are in the session's client_encoding, and most of them are only relayed.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Self

from proxy.errors import ProtocolViolationError
from proxy.wire.codec import INT32, Fields, c_string, count, encode_values, frame

QUERY, PARSE, BIND, DESCRIBE, EXECUTE, CLOSE = b"QPBDEC"
FLUSH, SYNC, TERMINATE, FUNCTION_CALL, AUTHENTICATION = b"HSXFp"
COPY_DATA, COPY_DONE, COPY_FAIL = b"dcf"

STATEMENT, PORTAL = b"SP"

PROTOCOL_3_0 = 3 << 16
PROTOCOL_3_2 = 3 << 16 | 2
"""Since PostgreSQL 18: as 3.0, with longer keys of cancel requests."""

SSL_REQUEST = 1234 << 16 | 5679
GSSENC_REQUEST = 1234 << 16 | 5680
CANCEL_REQUEST = 1234 << 16 | 5678

SMALL_MESSAGE = 10_000
"""The most bytes of a message without a statement or values (as in Postgres: PQ_SMALL_MESSAGE_LIMIT)."""

STARTUP_MESSAGE = 10_000
"""The most bytes of the first message of a connection (as in Postgres: MAX_STARTUP_PACKET_LENGTH)."""

LARGE = frozenset({QUERY, PARSE, BIND, FUNCTION_CALL, COPY_DATA})
SMALL = frozenset({DESCRIBE, EXECUTE, CLOSE, FLUSH, SYNC, TERMINATE, COPY_DONE, COPY_FAIL})


def maximum_length(kind: int, largest: int) -> int:
    """The most bytes of a message in an authenticated session, including its length field.

    Args:
        kind: the type byte.
        largest: the limit for messages that carry a statement or values.

    Raises:
        ProtocolViolationError: no such message exists at this point.
    """
    if kind in LARGE:
        return largest
    if kind in SMALL:
        return SMALL_MESSAGE
    raise ProtocolViolationError(f"invalid frontend message type {kind}")


@dataclass(frozen=True)
class Startup:
    """The first message of a session: protocol version and parameters (`user`, `database`, settings)."""

    version: int
    parameters: Mapping[str, str]

    @classmethod
    def decode(cls, body: bytes) -> Startup:
        fields = Fields(body, "the startup packet")
        version = fields.int32()
        parameters: dict[str, str] = {}
        while name := _text(fields.string()):
            parameters[name] = _text(fields.string())
        fields.end()
        return cls(version, parameters)

    def encode(self) -> bytes:
        pairs = (c_string(word.encode()) for pair in self.parameters.items() for word in pair)
        body = INT32.pack(self.version) + b"".join(pairs) + b"\0"
        return INT32.pack(len(body) + 4) + body


@dataclass(frozen=True)
class CancelRequest:
    """Sent on a connection of its own: cancel what the session with this key is doing."""

    process: int
    secret: bytes

    @classmethod
    def decode(cls, body: bytes) -> CancelRequest:
        fields = Fields(body, "CancelRequest")
        fields.int32()
        return cls(fields.int32(), fields.rest())

    def encode(self) -> bytes:
        body = INT32.pack(CANCEL_REQUEST) + INT32.pack(self.process) + self.secret
        return INT32.pack(len(body) + 4) + body


@dataclass(frozen=True)
class SaslInitialResponse:
    """The client's choice of a SASL mechanism and its first message."""

    mechanism: str
    data: bytes

    @classmethod
    def decode(cls, body: bytes) -> SaslInitialResponse:
        fields = Fields(body, "SASLInitialResponse")
        mechanism = _text(fields.string())
        data = fields.take(fields.int32())
        fields.end()
        return cls(mechanism, data)

    def encode(self) -> bytes:
        return frame(AUTHENTICATION, c_string(self.mechanism.encode()) + INT32.pack(len(self.data)) + self.data)


@dataclass(frozen=True)
class Query:
    """A simple query: any number of statements in one text."""

    text: bytes

    @classmethod
    def decode(cls, body: bytes) -> Query:
        if not body or body.find(b"\0") != len(body) - 1:
            raise ProtocolViolationError("invalid message format in Query")
        return cls(body[:-1])

    def encode(self) -> bytes:
        return frame(QUERY, c_string(self.text))


@dataclass(frozen=True)
class Parse:
    """Prepare `text` under `name` (empty: the unnamed statement); type 0 leaves a parameter's type to the server."""

    name: bytes
    text: bytes
    parameter_types: tuple[int, ...] = ()

    @classmethod
    def decode(cls, body: bytes) -> Parse:
        fields = Fields(body, "Parse")
        message = cls(fields.string(), fields.string(), fields.int32s())
        fields.end()
        return message

    def encode(self) -> bytes:
        types = count(len(self.parameter_types)) + struct.pack(f"!{len(self.parameter_types)}I", *self.parameter_types)
        return frame(PARSE, c_string(self.name) + c_string(self.text) + types)


@dataclass(frozen=True)
class Bind:
    """Make a portal of a prepared statement. Formats: none (all text), one for all, or one each; 0 text, 1 binary."""

    portal: bytes
    statement: bytes
    formats: tuple[int, ...] = ()
    values: tuple[bytes | None, ...] = ()
    result_formats: tuple[int, ...] = ()

    @classmethod
    def decode(cls, body: bytes) -> Bind:
        fields = Fields(body, "Bind")
        message = cls(fields.string(), fields.string(), fields.int16s(), fields.values(), fields.int16s())
        fields.end()
        return message

    @staticmethod
    def statement_of(body: bytes) -> bytes:
        """Only the statement's name, which is all that relaying a Bind needs, however many values follow."""
        fields = Fields(body, "Bind")
        fields.string()
        return fields.string()

    def encode(self) -> bytes:
        return frame(
            BIND,
            c_string(self.portal)
            + c_string(self.statement)
            + _formats(self.formats)
            + encode_values(self.values)
            + _formats(self.result_formats),
        )


@dataclass(frozen=True)
class Target:
    """Base of Describe and Close: `what` is STATEMENT or PORTAL."""

    kind: ClassVar[int]
    what: int
    name: bytes

    @classmethod
    def decode(cls, body: bytes) -> Self:
        fields = Fields(body, cls.__name__)
        what = fields.byte()
        if what not in (STATEMENT, PORTAL):
            raise ProtocolViolationError(f"invalid {cls.__name__} message subtype {what}")
        name = fields.string()
        fields.end()
        return cls(what, name)

    def encode(self) -> bytes:
        return frame(self.kind, bytes((self.what,)) + c_string(self.name))


class Describe(Target):
    """Ask for the types of a statement or the columns of a portal."""

    kind = DESCRIBE


class Close(Target):
    """Drop a statement or a portal; one that does not exist is no error."""

    kind = CLOSE


@dataclass(frozen=True)
class Execute:
    """Run a portal for at most `rows` rows (0: all)."""

    portal: bytes
    rows: int = 0

    @classmethod
    def decode(cls, body: bytes) -> Execute:
        fields = Fields(body, "Execute")
        message = cls(fields.string(), fields.int32())
        fields.end()
        return message

    def encode(self) -> bytes:
        return frame(EXECUTE, c_string(self.portal) + INT32.pack(self.rows))


class Bare:
    """Base of messages without a body."""

    kind: ClassVar[int]

    @classmethod
    def decode(cls, body: bytes) -> Self:
        Fields(body, cls.__name__).end()
        return cls()

    def encode(self) -> bytes:
        return frame(self.kind)


class Flush(Bare):
    """Ask for the replies so far."""

    kind = FLUSH


class Sync(Bare):
    """End a group of extended-protocol messages; after an error the server listens again from here on."""

    kind = SYNC


def _formats(formats: tuple[int, ...]) -> bytes:
    return count(len(formats)) + struct.pack(f"!{len(formats)}H", *formats)


def _text(value: bytes) -> str:
    try:
        return value.decode()
    except UnicodeDecodeError:
        raise ProtocolViolationError("a name or setting of the startup packet is not UTF-8") from None
