"""A server's messages, as far as the proxy writes or reads them; everything else is relayed without being parsed."""

from __future__ import annotations

import struct
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from proxy.wire.codec import INT16, INT32, Fields, c_string, frame
from proxy.wire.router import Notice, Origin, Remark, ResultColumn

AUTHENTICATION, PARAMETER_STATUS, BACKEND_KEY_DATA, READY_FOR_QUERY, NEGOTIATE_PROTOCOL_VERSION = b"RSKZv"
ERROR_RESPONSE, NOTICE_RESPONSE, NOTIFICATION_RESPONSE = b"ENA"
PARSE_COMPLETE, BIND_COMPLETE, CLOSE_COMPLETE, NO_DATA, PORTAL_SUSPENDED = b"123ns"
PARAMETER_DESCRIPTION, ROW_DESCRIPTION, DATA_ROW, COMMAND_COMPLETE, EMPTY_QUERY_RESPONSE = b"tTDCI"
COPY_IN_RESPONSE, COPY_BOTH_RESPONSE, COPY_DATA = b"GWd"

IDLE, IN_TRANSACTION, FAILED_TRANSACTION = b"ITE"

AUTHENTICATION_OK = 0
AUTHENTICATION_CLEARTEXT = 3
AUTHENTICATION_SASL = 10
AUTHENTICATION_SASL_CONTINUE = 11
AUTHENTICATION_SASL_FINAL = 12

_INSUFFICIENT_PRIVILEGE = "42501"
_ROW_SECURITY = b"query would be affected by row-level security policy"

_COLUMN = struct.Struct("!IHIHiH")
"""Of a RowDescription, behind the column's name: table, attribute, type, its length and modifier, format."""


class Reportable(Protocol):
    """The public fields of an error; every `DpproxyError` has them."""

    @property
    def sqlstate(self) -> str: ...
    @property
    def message(self) -> str: ...
    @property
    def detail(self) -> str | None: ...
    @property
    def hint(self) -> str | None: ...
    @property
    def position(self) -> int | None: ...


@dataclass(frozen=True)
class Report:
    """The body of an ErrorResponse or NoticeResponse: fields by their one-letter codes, in order."""

    fields: tuple[tuple[str, bytes], ...]

    @classmethod
    def decode(cls, body: bytes) -> Report:
        reader = Fields(body, "ErrorResponse")
        fields = []
        while code := reader.byte():
            fields.append((chr(code), reader.string()))
        reader.end()
        return cls(tuple(fields))

    def encode(self) -> bytes:
        """The body alone: it serves both message types."""
        return b"".join(code.encode("latin-1") + c_string(value) for code, value in self.fields) + b"\0"

    def __getitem__(self, code: str) -> bytes:
        """The field's value, empty if it is absent."""
        return next((value for name, value in self.fields if name == code), b"")

    @property
    def sqlstate(self) -> str:
        return self["C"].decode("ascii", "replace")

    @property
    def ends_session(self) -> bool:
        return self["V"] in (b"FATAL", b"PANIC")

    def shifted(self, characters: int) -> Report:
        """The same report with its position counted in a text with `characters` more in front."""

        def shift(code: str, value: bytes) -> bytes:
            return b"%d" % (int(value) + characters) if code == "P" and value.isdigit() else value

        return Report(tuple((code, shift(code, value)) for code, value in self.fields))

    def without_position(self) -> Report:
        """The same report without a position and a context, for statements whose text the client never saw."""
        return Report(tuple(field for field in self.fields if field[0] not in "PW"))

    def advised(self) -> Report:
        """The same report with a hint where `row_security = off`, which tools set, is why Postgres refuses."""
        if self.sqlstate != _INSUFFICIENT_PRIVILEGE or not self["M"].startswith(_ROW_SECURITY) or self["H"]:
            return self
        return Report((*self.fields, ("H", b"SET row_security = on;")))

    def remarked(self, remark: Remark, codec: str = "utf-8") -> Report:
        """The same report with a remark, for a client_encoding."""
        detail = b" ".join(filter(None, (self["D"], remark.detail.encode(codec, "replace"))))
        hint = self["H"] or remark.hints.get(self.sqlstate, "").encode(codec, "replace")
        others = [field for field in self.fields if field[0] not in "DH"]
        return Report((*others, ("D", detail), *([("H", hint)] if hint else [])))


def report(severity: str, sqlstate: str, message: str, codec: str = "utf-8", **optional: str | None) -> Report:
    """A report of the proxy's own.

    Args:
        severity: ERROR, FATAL, NOTICE …
        sqlstate: five characters.
        message: the primary text.
        codec: Python's name of the session's client_encoding; characters that it lacks become question marks.
        optional: further fields by code (D detail, H hint, P position); None leaves one out.
    """
    texts = {"S": severity, "V": severity, "C": sqlstate, "M": message, **optional}
    encoded = ((code, text.replace("\0", "").encode(codec, "replace")) for code, text in texts.items() if text)
    return Report(tuple(encoded))


def error_report(error: Reportable, severity: str = "ERROR", codec: str = "utf-8", offset: int = 0) -> Report:
    """An error with its public fields; `offset` characters of the client's text precede the error's statement."""
    position = None if error.position is None else str(error.position + offset)
    return report(severity, error.sqlstate, error.message, codec, D=error.detail, H=error.hint, P=position)


def notice_report(notice: Notice, codec: str = "utf-8") -> Report:
    """A notice with its fields."""
    severity, sqlstate = ("WARNING", "01000") if notice.warning else ("NOTICE", "00000")
    return report(severity, sqlstate, notice.message, codec, D=notice.detail, H=notice.hint)


def error_response(body: Report) -> bytes:
    return frame(ERROR_RESPONSE, body.encode())


def notice_response(body: Report) -> bytes:
    return frame(NOTICE_RESPONSE, body.encode())


def ready_for_query(status: int) -> bytes:
    return frame(READY_FOR_QUERY, bytes((status,)))


def parameter_status(name: str, value: str) -> bytes:
    return frame(PARAMETER_STATUS, c_string(name.encode()) + c_string(value.encode()))


def decode_parameter_status(body: bytes) -> tuple[str, str]:
    fields = Fields(body, "ParameterStatus")
    pair = fields.string().decode("utf-8", "replace"), fields.string().decode("utf-8", "replace")
    fields.end()
    return pair


def backend_key_data(process: int, secret: bytes) -> bytes:
    return frame(BACKEND_KEY_DATA, INT32.pack(process) + secret)


def authentication(code: int, data: bytes = b"") -> bytes:
    return frame(AUTHENTICATION, INT32.pack(code) + data)


def sasl_mechanisms(*names: str) -> bytes:
    return authentication(AUTHENTICATION_SASL, b"".join(c_string(name.encode()) for name in names) + b"\0")


def negotiate_protocol_version(version: int, unknown_options: Iterable[str]) -> bytes:
    """The version that the session falls back to, and the `_pq_.` options that the server does not know."""
    names = [c_string(name.encode()) for name in unknown_options]
    return frame(NEGOTIATE_PROTOCOL_VERSION, INT32.pack(version) + INT32.pack(len(names)) + b"".join(names))


def decode_parameter_description(body: bytes) -> tuple[int, ...]:
    fields = Fields(body, "ParameterDescription")
    types = fields.int32s()
    fields.end()
    return types


def decode_row_description(body: bytes, codec: str) -> tuple[ResultColumn, ...]:
    fields = Fields(body, "RowDescription")
    columns = []
    for _ in range(fields.int16()):
        name = fields.string().decode(codec)
        table, attribute, type_oid, _, modifier, _ = fields.numbers(_COLUMN)
        columns.append(ResultColumn(name, type_oid, modifier, (table, attribute)))
    fields.end()
    return tuple(columns)


def with_origins(body: bytes, origins: Sequence[Origin]) -> bytes:
    """The body of a RowDescription with other origins of its columns; as it is if it has another number of columns."""
    fields = Fields(body, "RowDescription")
    if fields.int16() != len(origins):
        return body
    parts = [body[:2]]
    for table, attribute in origins:
        parts += (c_string(fields.string()), INT32.pack(table), INT16.pack(attribute))
        fields.take(6)
        parts.append(fields.take(12))  # type, its length and modifier, format
    fields.end()
    return b"".join(parts)


def decode_data_row(body: bytes) -> tuple[bytes | None, ...]:
    fields = Fields(body, "DataRow")
    values = fields.values()
    fields.end()
    return values
