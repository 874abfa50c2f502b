"""The replies that the stage owes, and what the client sees of them. Pure: bytes in, bytes out.

Every message to the stage that has a reply is announced with a `StageRequest`. The stage answers in order, so the head
of the queue says whom each reply belongs to. Rows of a relayed request pass through without being inspected or
collected.

After an error in the extended protocol the stage skips everything up to the next Sync, so the requests up to there are
removed; if no Sync was sent yet, `on_skip` is called, and nothing but a Sync may be sent.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple, Self

from proxy.errors import UnsupportedError
from proxy.wire import backend, frontend
from proxy.wire.backend import Report
from proxy.wire.codec import HEADER, c_string, frame
from proxy.wire.encodings import codec_of
from proxy.wire.router import Origin, Remark, StageError

_TERMINATORS = {
    frontend.PARSE: frozenset({backend.PARSE_COMPLETE}),
    frontend.BIND: frozenset({backend.BIND_COMPLETE}),
    frontend.DESCRIBE: frozenset({backend.ROW_DESCRIPTION, backend.NO_DATA}),
    frontend.EXECUTE: frozenset({backend.COMMAND_COMPLETE, backend.EMPTY_QUERY_RESPONSE, backend.PORTAL_SUSPENDED}),
    frontend.CLOSE: frozenset({backend.CLOSE_COMPLETE}),
}
_ENDED_BY_READY = frozenset({frontend.SYNC, frontend.QUERY})
_ROWS = frozenset({backend.DATA_ROW, backend.COPY_DATA})
_OF_QUERY = _ROWS | {backend.ROW_DESCRIPTION, backend.COMMAND_COMPLETE}
"""What passes between a simple query and its ReadyForQuery, and says nothing about the session."""
_UNASKED = frozenset(
    {
        backend.PARAMETER_STATUS,
        backend.NOTIFICATION_RESPONSE,
        backend.NOTICE_RESPONSE,
        backend.ERROR_RESPONSE,
        backend.COPY_IN_RESPONSE,
        backend.COPY_BOTH_RESPONSE,
    }
)
_ACTIVE_TRANSACTION = "25001"


class StageLostError(ConnectionError):
    """The stage hung up or sent something that cannot be interpreted; the session ends."""


@dataclass
class Exchange:
    """The stage's replies to a group of internal requests.

    Attributes:
        messages: type and body of each hidden reply.
        error: the stage's error, if any request of the group failed (or was skipped after an earlier failure).
        began_block: did a BEGIN arrive inside the proxy's own transaction block?
        over: is the last request of the group done?
        on_over: called when it is.
    """

    messages: list[tuple[int, bytes]] = field(default_factory=list)
    error: Report | None = None
    began_block: bool = False
    over: bool = False
    on_over: Callable[[], None] | None = None

    def finish(self) -> None:
        self.over = True
        if self.on_over is not None:
            self.on_over()

    def bodies(self, kind: int) -> list[bytes]:
        return [body for other, body in self.messages if other == kind]

    def checked(self) -> Self:
        """The exchange itself.

        Raises:
            StageError: it failed.
        """
        if self.error is not None:
            raise stage_error(self.error, parsed=bool(self.bodies(backend.PARSE_COMPLETE)))
        return self


class StageRequest(NamedTuple):
    """A message to the stage whose reply is awaited.

    Attributes:
        kind: the message's type byte.
        results: does the client see its replies?
        errors: does the client see its error?
        shift: characters of the client's text in front of this statement, added to the position of its error; None
            where the client never saw the statement's text, so that a position would mislead.
        ready: does the client see its ReadyForQuery?
        in_block: does it run in a transaction block of the proxy, where a client's BEGIN is no mistake?
        exchange: collects what the client does not see.
        origins: what the columns of its RowDescription are taken from in the client's statement.
        tag: what the client is told in its CommandComplete; None for what the stage says.
        remark: what the client is told beside its error; None for nothing.
        last: does the exchange end with this request?
        quiet: it changes no setting of the session.
        on_done: called once, with whether it succeeded; None if the stage skipped it after an earlier failure.
    """

    kind: int
    results: bool = True
    errors: bool = True
    shift: int | None = 0
    ready: bool = True
    in_block: bool = False
    exchange: Exchange | None = None
    origins: tuple[Origin, ...] = ()
    tag: str | None = None
    remark: Remark | None = None
    last: bool = False
    quiet: bool = False
    on_done: Callable[[bool | None], None] | None = None

    def passes(self, kind: int) -> bool:
        """Is this reply for the client as it is, without being looked at?"""
        told_otherwise = self.kind != frontend.QUERY or self.origins or self.tag is not None
        return self.results and (kind in _ROWS or not told_otherwise)


_EXECUTES_NOTHING = frozenset({frontend.PARSE, frontend.DESCRIBE, frontend.CLOSE})

RELAYED = {
    kind: StageRequest(kind, quiet=kind in _EXECUTES_NOTHING)
    for kind in (
        frontend.PARSE,
        frontend.BIND,
        frontend.DESCRIBE,
        frontend.EXECUTE,
        frontend.CLOSE,
        frontend.SYNC,
        frontend.QUERY,
    )
}
"""Requests whose replies the client sees unchanged: shared, since they hold no state of their own."""


class Replies:
    """The stage's side of a session.

    Attributes:
        status: transaction status of the last ReadyForQuery (IDLE, IN_TRANSACTION, FAILED_TRANSACTION).
        ended: has the stage said why it ends the session?
        settings: the reported parameters as they are now.
        unsynced: were messages sent after the last ReadyForQuery that is owed, so that `status` may be out of date?
        completed: how many requests are done, to see whether the stage makes progress.
        errors: how many the stage has reported; each takes back what its transaction had set.
        on_skip: called with the error of an extended-protocol message after which the stage waits for a Sync that is
            not yet sent.
    """

    def __init__(self, settings: dict[str, str], on_skip: Callable[[Report], None]) -> None:
        self.settings = settings
        self.status = backend.IDLE
        self.ended = False
        self.unsynced = False
        self.completed = 0
        self.errors = 0
        self.on_skip = on_skip
        self._queue: deque[StageRequest] = deque()
        self._unfinished = bytearray()
        self._needed = 0
        self._passing = 0

    @property
    def settled(self) -> bool:
        return not self._queue

    @property
    def inside_row(self) -> bool:
        """Has the client received the beginning of a row, but not its end?"""
        return self._passing > 0

    def expect(self, request: StageRequest) -> None:
        """Announce a message that is about to be sent."""
        self.unsynced = request.kind not in _ENDED_BY_READY
        self._queue.append(request)

    def receive(self, data: bytes) -> bytes:
        """Take bytes of the stage and return the bytes for the client.

        Raises:
            StageLostError: a reply to nothing.
            UnsupportedError: COPY FROM STDIN began. No analyst may write anything, and whether a Sync that is already
                on its way still counts depends on when the COPY fails, so the session must end.
        """
        if self._unfinished:
            self._unfinished += data
            if len(self._unfinished) < self._needed:
                return b""
            data = bytes(self._unfinished)
            self._unfinished.clear()
        output: list[bytes] = []
        start = position = min(self._passing, len(data))
        if position:
            output.append(data[:position])
            self._passing -= position
        end = len(data)
        while end - position >= HEADER.size:
            kind, length = HEADER.unpack_from(data, position)
            stop = position + 1 + length
            if kind in _OF_QUERY and self._queue and self._queue[0].passes(kind):
                self._passing = max(0, stop - end)
                position = min(stop, end)
                continue
            if stop > end:
                self._needed = stop - position
                break
            replacement = self._message(kind, data[position + HEADER.size : stop])
            if replacement is not None:
                output += (data[start:position], replacement)
                start = stop
            position = stop
        else:
            self._needed = HEADER.size
        output.append(data[start:position])
        self._unfinished += data[position:]
        return b"".join(output)

    def _message(self, kind: int, body: bytes) -> bytes | None:
        """What the client gets for one complete message; None means the message itself."""
        if kind in _UNASKED:
            return self._unasked(kind, body)
        if not self._queue:
            raise StageLostError("unexpected reply of the stage")
        head = self._queue[0]
        if kind == backend.READY_FOR_QUERY:
            return self._ready(head, body)
        if not head.results and head.exchange is not None:
            head.exchange.messages.append((kind, body))
        if head.kind not in _ENDED_BY_READY and kind in _TERMINATORS[head.kind]:
            self._finish(self._queue.popleft(), succeeded=True)
        if not head.results or (kind == backend.EMPTY_QUERY_RESPONSE and not head.ready):
            return b""
        if kind == backend.ROW_DESCRIPTION and head.origins:
            return frame(kind, backend.with_origins(body, head.origins))
        if kind == backend.COMMAND_COMPLETE and head.tag is not None:
            return frame(kind, c_string(head.tag.encode()))
        return None

    def _unasked(self, kind: int, body: bytes) -> bytes | None:
        """What the client gets for a message that is no request's usual reply."""
        if kind == backend.PARAMETER_STATUS:
            name, value = backend.decode_parameter_status(body)
            self.settings[name] = value
            return None
        if kind == backend.NOTIFICATION_RESPONSE:
            return None
        if kind == backend.NOTICE_RESPONSE:
            return self._notice(body)
        if kind == backend.ERROR_RESPONSE:
            return self._error(Report.decode(body))
        raise UnsupportedError("COPY FROM STDIN is not supported", rule="copy_in")

    def _notice(self, body: bytes) -> bytes | None:
        head = self._queue[0] if self._queue else None
        if head is None:
            return None
        if head.in_block and head.exchange is not None and not head.exchange.began_block:
            head.exchange.began_block = Report.decode(body).sqlstate == _ACTIVE_TRANSACTION
            return b"" if head.exchange.began_block else None
        return None if head.results else b""

    def _error(self, report: Report) -> bytes:
        self.errors += 1
        self.ended = self.ended or report.ends_session
        if not self._queue or report.ends_session:
            return backend.error_response(report)
        head, shown = self._queue[0], report.advised()
        shown = shown.without_position() if head.shift is None else shown.shifted(head.shift)
        if head.remark is not None:
            shown = shown.remarked(head.remark, codec_of(self.settings))
        if head.kind in _ENDED_BY_READY:
            if head.exchange is not None:
                head.exchange.error = report
        else:
            self._skip(report)
        return backend.error_response(shown) if head.errors else b""

    def _skip(self, report: Report) -> None:
        succeeded: bool | None = False
        while self._queue and self._queue[0].kind != frontend.SYNC:
            request = self._queue.popleft()
            if request.exchange is not None:
                request.exchange.error = report
            self._finish(request, succeeded=succeeded)
            succeeded = None
        if not self._queue:
            self.on_skip(report)
        elif (exchange := self._queue[0].exchange) is not None:
            exchange.error = report

    def _ready(self, head: StageRequest, body: bytes) -> bytes | None:
        if head.kind not in _ENDED_BY_READY or len(body) != 1:
            raise StageLostError("unexpected ReadyForQuery of the stage")
        self.status = body[0]
        self._finish(self._queue.popleft(), succeeded=True)
        return None if head.ready else b""

    def _finish(self, request: StageRequest, succeeded: bool | None) -> None:
        self.completed += 1
        if request.on_done is not None:
            request.on_done(succeeded)
        if request.last and request.exchange is not None:
            request.exchange.finish()


def stage_error(report: Report, *, parsed: bool = False) -> StageError:
    return StageError(report.encode(), report.sqlstate, parsed=parsed)
