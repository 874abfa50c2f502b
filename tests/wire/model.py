"""A server that keeps to the protocol and knows a few statements: small, without I/O, and the same at every run.

It plays two parts. As a stage it stands behind a conversation, so that what Hypothesis finds there can be shrunk (what
Postgres itself does is tested over sockets). With a router of its own it answers claimed statements in their place, one
message after the other: what a client of the proxy must see, in whichever pieces and at whatever time the bytes come.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from proxy.errors import DpproxyError
from proxy.wire import backend, frontend
from proxy.wire.codec import HEADER, INT16, INT32, c_string, encode_values, frame
from proxy.wire.frontend import Bind, Close, Describe, Execute, Parse, Query
from proxy.wire.router import Answer
from tests.wire.support import VisitsRouter

Reply = tuple[str, bytes]
_ENDS = (b"ROLLBACK", b"COMMIT")
_PREPARED = b"pg_prepared_statements"
_COLUMN = INT16.pack(1) + c_string(b"x") + bytes(18)


class ModelError(Exception):
    """An error of the model, by its SQLSTATE."""


@dataclass
class Prepared:
    """A prepared statement or a portal: its text and its values."""

    text: bytes
    values: tuple[bytes | None, ...] = ()


def _analyse(text: bytes) -> None:
    """Fails for a text that never comes to run."""
    if text.strip() and not text.strip().startswith((b"SELECT", b"BEGIN", b"DEALLOCATE", *_ENDS)):
        raise ModelError("42601")
    if b"nosuch" in text:
        raise ModelError("42703")


def _parameters(text: bytes) -> int:
    return max((int(number) for number in re.findall(rb"\$(\d+)", text)), default=0)


class Model:
    """One session.

    Args:
        router: what it says of a claimed text, if this server answers claimed statements itself.
    """

    def __init__(self, router: Callable[[str], Answer | Exception] | None = None) -> None:
        self._router = router
        self._claims = VisitsRouter()
        self._statements: dict[bytes, Prepared] = {}
        self._portals: dict[bytes, Prepared] = {}
        self._status = backend.IDLE
        self._skipping = False
        self._input = bytearray()
        self._held: list[bytes] = []
        self._output: list[bytes] = []

    def hear(self, data: bytes) -> bytes:
        """Take bytes; returns what is sent (what nobody has flushed is kept)."""
        self._input += data
        while len(self._input) >= HEADER.size:
            kind, length = HEADER.unpack_from(self._input)
            if len(self._input) < 1 + length:
                break
            body = bytes(self._input[HEADER.size : 1 + length])
            del self._input[: 1 + length]
            self._handle(kind, body)
        sent = b"".join(self._output)
        self._output.clear()
        return sent

    def _handle(self, kind: int, body: bytes) -> None:
        if kind == frontend.SYNC:
            self._skipping = False
            self._ready()
        elif self._skipping:
            return
        elif kind in (frontend.QUERY, frontend.FUNCTION_CALL):
            self._attempt(lambda: self._query(Query.decode(body).text if kind == frontend.QUERY else None))
            self._ready()
        elif kind == frontend.FLUSH:
            self._flush()
        elif kind in _EXTENDED:
            self._skipping = not self._attempt(lambda: _EXTENDED[kind](self, body))

    def _attempt(self, work: Callable[[], None]) -> bool:
        try:
            work()
        except ModelError as error:
            if self._status == backend.IN_TRANSACTION:
                self._status = backend.FAILED_TRANSACTION
            self._held.append(backend.error_response(backend.report("ERROR", str(error), "no")))
            self._flush()
            return False
        return True

    def _flush(self) -> None:
        self._output += self._held
        self._held.clear()

    def _ready(self) -> None:
        if self._status == backend.IDLE:
            self._portals.clear()
        self._say(backend.READY_FOR_QUERY, bytes((self._status,)))
        self._flush()

    def _say(self, kind: int, body: bytes = b"") -> None:
        self._held.append(frame(kind, body))

    def _require_transaction(self, text: bytes) -> None:
        if self._status == backend.FAILED_TRANSACTION and text.strip() not in _ENDS:
            raise ModelError("25P02")

    def _readable(self, text: bytes) -> str:
        try:
            return text.decode()
        except UnicodeDecodeError:
            raise ModelError("22021") from None

    def _query(self, text: bytes | None) -> None:
        if self._router is None or self._status == backend.IN_TRANSACTION:
            # A refusal that never reaches the stage leaves the unnamed statement, unless a transaction must fail.
            self._statements.pop(b"", None)
        if text is None:
            raise ModelError("0A000")
        self._readable(text)
        self._statements.pop(b"", None)
        pieces = [piece for piece in text.split(b";") if piece.strip()]
        if not pieces:
            self._say(backend.EMPTY_QUERY_RESPONSE)
        for piece in pieces:
            self._require_transaction(piece)
            answer = self._answered(piece)
            _analyse(answer)
            # Only a statement that runs needs the unnamed portal.
            self._portals.pop(b"", None)
            self._run(answer, (), described=True)

    def _answered(self, text: bytes) -> bytes:
        """The text to run in the place of `text`; notices are said."""
        if self._router is None or not self._claims.claims(text.decode()):
            return text
        outcome = self._router(text.decode())
        if isinstance(outcome, Exception):
            raise ModelError(outcome.sqlstate if isinstance(outcome, DpproxyError) else "XX000")
        for notice in outcome.notices:
            self._held.append(backend.notice_response(backend.notice_report(notice)))
        return text if outcome.sql is None else outcome.sql.encode()

    def _run(self, text: bytes, values: tuple[bytes | None, ...], *, described: bool = False) -> None:
        text = text.strip()
        if text == b"BEGIN":
            if self._status == backend.IN_TRANSACTION:
                self._held.append(backend.notice_response(backend.report("WARNING", "25001", "already")))
            self._status = backend.IN_TRANSACTION
        elif text in _ENDS:
            self._status = backend.IDLE
            self._portals.clear()
        elif text.startswith(b"DEALLOCATE "):
            if self._statements.pop(text.split()[1], None) is None:
                raise ModelError("26000")
        elif text.startswith(b"SELECT"):
            self._select(text, values, described=described)
            return
        self._say(backend.COMMAND_COMPLETE if text else backend.EMPTY_QUERY_RESPONSE, b"OK\0" if text else b"")

    def _select(self, text: bytes, values: tuple[bytes | None, ...], *, described: bool) -> None:
        row: tuple[bytes | None, ...] | None = values or (text,)
        if _PREPARED in text:
            known = self._statements.get(values[0] or b"")
            row = None if known is None else (known.text, b"f")
        if described:
            self._say(backend.ROW_DESCRIPTION, _COLUMN)
        if row is not None:
            self._say(backend.DATA_ROW, encode_values(row))
        self._say(backend.COMMAND_COMPLETE, b"SELECT\0")

    def _parse(self, body: bytes) -> None:
        parse = Parse.decode(body)
        if not parse.name:
            self._statements.pop(b"", None)
        text = self._readable(parse.text)
        if self._router is not None and "secrets" in text:
            raise ModelError("0A000")
        self._require_transaction(parse.text)
        _analyse(parse.text)
        if parse.name in self._statements:
            raise ModelError("42P05")
        self._statements[parse.name] = Prepared(parse.text)
        self._say(backend.PARSE_COMPLETE)

    def _bind(self, body: bytes) -> None:
        bind = Bind.decode(body)
        statement = self._statements.get(bind.statement)
        if statement is None:
            raise ModelError("26000")
        if self._claims.claims(statement.text.decode()):
            self._require_transaction(statement.text)
        if len(bind.values) != _parameters(statement.text) or len(bind.formats) not in (0, 1, len(bind.values)):
            raise ModelError("08P01")
        self._require_transaction(statement.text)
        text = self._answered(statement.text)
        _analyse(text)
        if bind.portal in self._portals and bind.portal:
            raise ModelError("42P03")
        self._portals[bind.portal] = Prepared(text, bind.values if text == statement.text else ())
        self._say(backend.BIND_COMPLETE)

    def _describe(self, body: bytes) -> None:
        describe = Describe.decode(body)
        known = (self._statements if describe.what == frontend.STATEMENT else self._portals).get(describe.name)
        if known is None:
            raise ModelError("26000" if describe.what == frontend.STATEMENT else "34000")
        returns_rows = known.text.strip().startswith(b"SELECT")
        if returns_rows:
            self._require_transaction(known.text)
        if describe.what == frontend.STATEMENT:
            number = _parameters(known.text)
            self._say(backend.PARAMETER_DESCRIPTION, INT16.pack(number) + INT32.pack(25) * number)
        if returns_rows:
            self._say(backend.ROW_DESCRIPTION, _COLUMN)
        else:
            self._say(backend.NO_DATA)

    def _execute(self, body: bytes) -> None:
        portal = self._portals.get(Execute.decode(body).portal)
        if portal is None:
            raise ModelError("34000")
        self._require_transaction(portal.text)
        self._run(portal.text, portal.values)

    def _close(self, body: bytes) -> None:
        close = Close.decode(body)
        (self._statements if close.what == frontend.STATEMENT else self._portals).pop(close.name, None)
        self._say(backend.CLOSE_COMPLETE)


_EXTENDED: dict[int, Callable[[Model, bytes], None]] = {
    frontend.PARSE: Model._parse,
    frontend.BIND: Model._bind,
    frontend.DESCRIBE: Model._describe,
    frontend.EXECUTE: Model._execute,
    frontend.CLOSE: Model._close,
}


def replies(data: bytes, *, cut: bool = False) -> list[Reply]:
    """The messages in `data`, each with what matters of it: an error's SQLSTATE, a row, a status.

    Args:
        data: whole messages.
        cut: the last one is not whole, and left out.
    """
    found: list[Reply] = []
    while data:
        kind, length = HEADER.unpack_from(data)
        body = data[HEADER.size : 1 + length]
        if cut and 1 + length > len(data):
            break
        assert len(body) == length - 4, "a message must be whole"
        if kind in (backend.ERROR_RESPONSE, backend.NOTICE_RESPONSE):
            report = backend.Report.decode(body)
            body = report["V"] + b" " + report["C"]
        found.append((chr(kind), body))
        data = data[1 + length :]
    return found
