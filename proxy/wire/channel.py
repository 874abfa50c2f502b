"""A session between its two ends: its state, what is to be sent to the client and to the stage, and what is awaited.

Without I/O. Work that takes a while is a generator: it yields the condition for going on, and the owner of both sockets
resumes it when the condition is met.
"""

from __future__ import annotations

import logging
import secrets
import traceback
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from typing import Literal, TypeVar

from proxy.errors import DpproxyError
from proxy.wire import backend, frontend
from proxy.wire.backend import Report
from proxy.wire.codec import frame
from proxy.wire.encodings import codec_of
from proxy.wire.frontend import Bind, Close, Describe, Execute, Parse, Query
from proxy.wire.replies import RELAYED, Exchange, Replies, StageLostError, StageRequest, stage_error
from proxy.wire.router import Answer, Notice, Parameter, StageError, StatementText
from proxy.wire.statements import UNNAMED, ClaimedStatements
from proxy.wire.table import MOVES, Happening, State

logger = logging.getLogger(__name__)

_FLUSH = frame(frontend.FLUSH)
_SYNC = frame(frontend.SYNC)
_QUIET_SYNC = StageRequest(frontend.SYNC, quiet=True)
_QUIET_EXECUTE = StageRequest(frontend.EXECUTE, quiet=True)
_REFUSED = b"dpproxy refused a statement of this transaction"
"""Not a statement of any SQL: its syntax error makes the stage's transaction fail as the client's statement did."""

_Result = TypeVar("_Result")
Work = Generator[Callable[[], bool], None, _Result]
"""A piece of work: it yields what must be true before it is resumed."""


@dataclass
class RouterQuestion:
    """A question to the router, which may take a while.

    Attributes:
        what: cut a text, check a claimed statement, or answer it.
        text: the text, or the statement.
        parameters: their values.
        in_pipeline: the client's next Sync is still to come.
        answered: has the router returned or raised?
        result: what it returned.
        error: what it raised.
    """

    what: Literal["split", "check", "answer"]
    text: str
    parameters: Sequence[Parameter] = ()
    in_pipeline: bool = False
    answered: bool = False
    result: Answer | Sequence[StatementText] | bool | None = None
    error: Exception | None = None


class Internal:
    """A session's own name for the statement and the portal of internal requests, and the messages that hold nothing
    else, written once. No client has the same name, since nobody can guess it.

    Attributes:
        name: of both.
        describe, close: the messages about the statement.
        bind, execute, close_portal: those about the portal of a statement without parameters.
    """

    def __init__(self) -> None:
        self.name = b"_dpproxy_%s" % secrets.token_hex(8).encode()
        self.describe = Describe(frontend.STATEMENT, self.name).encode()
        self.close = Close(frontend.STATEMENT, self.name).encode()
        self.bind = Bind(self.name, self.name).encode()
        self.execute = Execute(self.name).encode()
        self.close_portal = Close(frontend.PORTAL, self.name).encode()

    def parse(self, text: bytes, types: Sequence[int] = ()) -> bytes:
        """The message that prepares a text."""
        return Parse(self.name, text, tuple(types)).encode()


class Channel:
    """What a session has sent, received and still awaits.

    Attributes:
        state: its row in the table.
        replies: what the stage owes, and its last words.
        statements: the prepared statements that are claimed.
        to_client: bytes for the client that are not yet sent.
        to_stage: bytes for the stage that are not yet sent.
        question: what the router is being asked.
        internal: the name of internal requests (`freeing`).
    """

    def __init__(self, settings: dict[str, str]) -> None:
        self.state = MOVES[State.OPENING, Happening.OPENED]
        self.replies = Replies(settings, self._failed)
        self.statements = ClaimedStatements()
        self.to_client: list[bytes] = []
        self.to_stage: list[bytes] = []
        self.question: RouterQuestion | None = None
        self.internal = Internal()
        self._sent = 0
        self._synced = 0
        self._freed_at = 0
        self._quiet_portals: set[bytes] = set()
        self._last_error: Report | None = None

    @property
    def codec(self) -> str:
        return codec_of(self.replies.settings)

    @property
    def skipping(self) -> bool:
        """Does the stage accept only a Sync, which the client has not yet sent?"""
        return self.state in (State.SKIPPING, State.FAILING)

    def happen(self, what: Happening) -> None:
        self.state = MOVES[self.state, what]

    def _failed(self, error: Report) -> None:
        self._last_error = error
        self.happen(Happening.FAILED)

    def tell(self, report: Report) -> None:
        self.to_client.append(backend.error_response(report))

    def tell_ready(self) -> None:
        self.to_client.append(backend.ready_for_query(self.replies.status))

    def notify(self, notices: Sequence[Notice]) -> None:
        for notice in notices:
            self.to_client.append(backend.notice_response(backend.notice_report(notice, self.codec)))

    def failure(self, error: Exception, offset: int = 0) -> Report:
        """What the client may know about an error.

        Args:
            error: raised by the router or on the way to it.
            offset: characters of the client's text in front of the statement that failed.
        """
        if isinstance(error, StageError):
            return Report.decode(error.body).advised().shifted(offset)
        if isinstance(error, DpproxyError):
            return backend.error_report(error, codec=self.codec, offset=offset)
        log_failure(error)
        return backend.report("ERROR", "XX000", "internal error")

    @property
    def changes(self) -> int:
        """How often settings of the session, or what it has prepared, may have changed: while this stays the same, so
        do they. It tells nothing while the stage owes replies."""
        return self._sent + self.replies.errors

    def send(self, message: bytes, request: StageRequest) -> None:
        if not request.quiet:
            self._sent += 1
            self._quiet_portals.clear()
        self.replies.expect(request)
        self.to_stage.append(message)

    def relay_sync(self, message: bytes) -> None:
        """Send a client's Sync: it ends what was set for a transaction, if anything was."""
        self.send(message, RELAYED[frontend.SYNC] if self._sent != self._synced else _QUIET_SYNC)
        self._synced = self._sent

    def relay_execute(self, message: bytes, portal: bytes) -> None:
        """Send a client's Execute."""
        request = _QUIET_EXECUTE if portal in self._quiet_portals else RELAYED[frontend.EXECUTE]
        tag, remark = self.statements.tag(portal), self.statements.remark(portal)
        self.send(message, request if tag is None and remark is None else request._replace(tag=tag, remark=remark))

    def bound_quietly(self, portal: bytes) -> None:
        """A portal was bound to a query that changes no setting. SQL that could make another of it is not quiet."""
        self._quiet_portals.add(portal)

    def settle(self) -> Work[None]:
        """Wait until the stage owes nothing (or skips to the next Sync)."""
        if not self.replies.settled:
            self.to_stage.append(_FLUSH)
            yield lambda: self.replies.settled

    def begin_query(self) -> Work[bool]:
        """Wait for a simple query's turn, with an exact status; False if it is skipped.

        Postgres commits what was not synced before together with the query; here it is committed first.
        """
        yield from self.settle()
        if self.skipping:
            return False
        if self.replies.unsynced:
            self.send(_SYNC, hidden(_SYNC))
            yield lambda: self.replies.settled
        return True

    def answer(self, text: str, parameters: Sequence[Parameter], *, in_pipeline: bool) -> Work[Answer]:
        """Let the router answer.

        Raises:
            CancelledError: the client cancelled.
            Exception: whatever the router raises.
        """
        result = yield from self._put(RouterQuestion("answer", text, parameters, in_pipeline))
        if not isinstance(result, Answer):
            raise AssertionError("a statement has an answer")
        return result

    def split(self, text: str) -> Work[Sequence[StatementText]]:
        """Let the router cut a text. Raises what it raises."""
        result = yield from self._put(RouterQuestion("split", text))
        if not isinstance(result, Sequence):
            raise AssertionError("a text has pieces")
        return result

    def check(self, text: str) -> Work[bool]:
        """Let the router refuse what it can by the text alone, or say whether it claims it. Raises what it raises."""
        return bool((yield from self._put(RouterQuestion("check", text))))

    def _put(self, question: RouterQuestion) -> Work[Answer | Sequence[StatementText] | bool | None]:
        self.question = question
        yield lambda: question.answered
        self.question = None
        if question.error is not None:
            raise question.error
        return question.result

    def freeing(self) -> tuple[bytes, ...]:
        """What has to be sent before the internal name is used again: each use ends with closing what it made, but one
        that failed leaves it behind. The stage owes nothing yet."""
        if self._freed_at == self.replies.errors:
            return ()
        self._freed_at = self.replies.errors
        return (self.internal.close, self.internal.close_portal)

    def request(self, messages: Sequence[bytes], *, in_pipeline: bool, quiet: bool = False) -> Exchange:
        """Send internal messages; the client sees none of their replies.

        Args:
            messages: whole messages.
            in_pipeline: the client's next Sync is still to come, so none may be sent.
            quiet: they change no setting of the session.

        Raises:
            StageError: the stage is skipping already.
            StageLostError: the session is over.
        """
        if self.state is State.ENDED:
            raise StageLostError("the session is over")
        if in_pipeline:
            self.require_no_error()
        messages = (*self.freeing(), *messages)
        exchange = self._collect(messages if in_pipeline else (*messages, _SYNC), quiet=quiet)
        if in_pipeline:
            self.to_stage.append(_FLUSH)
        return exchange

    def ask(self, messages: Sequence[bytes]) -> Work[Exchange]:
        """Send internal messages that change no setting in the client's pipeline, and collect their replies.

        Raises:
            StageError: a request failed, or the stage is skipping already.
        """
        exchange = self.request(messages, in_pipeline=True, quiet=True)
        yield lambda: exchange.over
        return exchange.checked()

    def require_no_error(self) -> None:
        """Raise the StageError again if the stage is skipping to the next Sync because of one."""
        if self.skipping and self._last_error is not None:
            raise stage_error(self._last_error)

    def query(self, text: bytes) -> Work[Exchange]:
        """Run an internal simple query; its outcome is the exchange's error and the new `replies.status`."""
        self.statements.forget(UNNAMED)
        exchange = self._collect((Query(text).encode(),))
        yield lambda: exchange.over
        return exchange

    def _collect(self, messages: Sequence[bytes], *, quiet: bool = False) -> Exchange:
        exchange = Exchange()
        for number, message in enumerate(messages, start=1):
            self.send(message, hidden(message, exchange, last=number == len(messages), quiet=quiet))
        return exchange

    def fail_pipeline(self, statement: bytes | None = None) -> Work[None]:
        """Make the stage skip to the next Sync, and its transaction fail, as after an error of its own.

        Args:
            statement: the unnamed statement if the client's failed Parse would have dropped it.
        """
        statement = self.internal.name if statement is None else statement
        if not self.skipping:
            exchange = self.request((Parse(statement, _REFUSED).encode(),), in_pipeline=True)
            yield lambda: exchange.over

    def fail_transaction(self) -> Work[None]:
        """Between simple queries: make an open transaction fail, as after an error of its own."""
        if self.replies.status == backend.IN_TRANSACTION:
            yield from self.query(_REFUSED)


def hidden(
    message: bytes, exchange: Exchange | None = None, *, last: bool = False, quiet: bool = False
) -> StageRequest:
    """The request of an internal message: the client sees neither its results nor its error."""
    return StageRequest(message[0], results=False, errors=False, ready=False, exchange=exchange, last=last, quiet=quiet)


def log_failure(error: Exception) -> None:
    """Log where an unexpected error came from: frames and type, never its text, which can hold SQL or data."""
    frames = "".join(traceback.format_tb(error.__traceback__))
    logger.error("unexpected %s\n%s", type(error).__name__, frames)
