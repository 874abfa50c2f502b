"""Framing and fields of the wire protocol, version 3, without I/O (PostgreSQL documentation, "Message Formats").

Every message but the first of a connection is a type byte, a 32-bit length that counts itself, and a body.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator

from proxy.errors import ProtocolViolationError

HEADER = struct.Struct("!BI")
INT16 = struct.Struct("!H")
INT32 = struct.Struct("!I")
SIGNED32 = struct.Struct("!i")


def frame(kind: int, body: bytes = b"") -> bytes:
    """Type byte, length and body as one message."""
    return HEADER.pack(kind, len(body) + 4) + body


def c_string(value: bytes) -> bytes:
    """`value` with its terminating zero byte.

    Raises:
        ProtocolViolationError: `value` holds a zero byte itself, which would end it early.
    """
    if b"\0" in value:
        raise ProtocolViolationError("a string of the protocol cannot hold a zero byte")
    return value + b"\0"


def count(number: int) -> bytes:
    """A 16-bit count.

    Raises:
        ProtocolViolationError: more than the protocol can count (65535).
    """
    if not 0 <= number <= 0xFFFF:
        raise ProtocolViolationError(f"the protocol counts to 65535, not to {number}")
    return INT16.pack(number)


class Fields:
    """Reads the fields of one message body; everything short, long or malformed is a protocol violation."""

    def __init__(self, body: bytes, message: str) -> None:
        self._body = body
        self._position = 0
        self._message = message

    def _violation(self) -> ProtocolViolationError:
        return ProtocolViolationError(f"invalid message format in {self._message}")

    def take(self, length: int) -> bytes:
        end = self._position + length
        if length < 0 or end > len(self._body):
            raise self._violation()
        value = self._body[self._position : end]
        self._position = end
        return value

    def rest(self) -> bytes:
        return self.take(len(self._body) - self._position)

    def byte(self) -> int:
        return self.take(1)[0]

    def numbers(self, layout: struct.Struct) -> tuple[int, ...]:
        """Numbers that stand one behind the other."""
        return layout.unpack(self.take(layout.size))

    def int16(self) -> int:
        return self.numbers(INT16)[0]

    def int32(self) -> int:
        return self.numbers(INT32)[0]

    def string(self) -> bytes:
        end = self._body.find(b"\0", self._position)
        if end < 0:
            raise self._violation()
        value = self._body[self._position : end]
        self._position = end + 1
        return value

    def int16s(self) -> tuple[int, ...]:
        """A 16-bit count and as many 16-bit numbers; the bytes must be there before anything is allocated."""
        number = self.int16()
        return struct.unpack(f"!{number}H", self.take(2 * number))

    def int32s(self) -> tuple[int, ...]:
        """A 16-bit count and as many 32-bit numbers."""
        number = self.int16()
        return struct.unpack(f"!{number}I", self.take(4 * number))

    def values(self) -> tuple[bytes | None, ...]:
        """A 16-bit count and as many values, each a signed length (-1 is NULL) and its bytes."""
        number = self.int16()
        if 4 * number > len(self._body) - self._position:
            raise self._violation()
        return tuple(self._values(number))

    def _values(self, number: int) -> Iterator[bytes | None]:
        for _ in range(number):
            (length,) = self.numbers(SIGNED32)
            yield None if length == -1 else self.take(length)

    def end(self) -> None:
        """Check that the body was read completely."""
        if self._position != len(self._body):
            raise self._violation()


class Inbox:
    """A client's bytes that are not yet handled, cut into packets (before its login) and messages (after)."""

    def __init__(self) -> None:
        self._bytes = bytearray()

    def __len__(self) -> int:
        return len(self._bytes)

    def feed(self, data: bytes) -> None:
        self._bytes += data

    def take_all(self) -> bytes:
        """The bytes as they came, which are no messages after all."""
        taken = bytes(self._bytes)
        self._bytes.clear()
        return taken

    @property
    def kind(self) -> int | None:
        """The type byte of the next message, once it has arrived."""
        return self._bytes[0] if self._bytes else None

    def packet(self, maximum: int) -> bytes | None:
        """The body of the next packet without a type byte (at least a code of four bytes), once it is complete.

        Raises:
            ProtocolViolationError: it is not between 8 and `maximum` bytes long, its length field included.
        """
        if len(self._bytes) < INT32.size:
            return None
        length = INT32.unpack_from(self._bytes)[0]
        if not 8 <= length <= maximum:
            raise ProtocolViolationError("invalid length of startup packet")
        packet = self._take(length)
        return None if packet is None else packet[INT32.size :]

    def message(self, maximum: int) -> bytes | None:
        """The next message with its header, once it is complete.

        Raises:
            ProtocolViolationError: it is shorter than its length field or longer than `maximum` bytes.
        """
        waiting = self._bytes
        if len(waiting) < HEADER.size:
            return None
        length = HEADER.unpack_from(waiting)[1]
        if not 4 <= length <= maximum:
            raise ProtocolViolationError(f"invalid message length {length}")
        return self._take(1 + length)

    def _take(self, length: int) -> bytes | None:
        waiting = len(self._bytes)
        if waiting == length:
            return self.take_all()
        if waiting < length:
            return None
        taken = bytes(self._bytes[:length])
        del self._bytes[:length]
        return taken


def encode_values(values: tuple[bytes | None, ...]) -> bytes:
    """The inverse of `Fields.values`."""
    parts = [count(len(values))]
    for value in values:
        parts.append(b"\xff\xff\xff\xff" if value is None else INT32.pack(len(value)) + value)
    return b"".join(parts)
