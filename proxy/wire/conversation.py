"""A logged-in client's session without I/O: bytes and answers in, bytes and questions out, driven by the table.

Unclaimed messages are relayed as they arrive. A claimed statement, or a refusal that has to wait for the stage's
earlier replies, becomes work (a generator), and the client's further messages wait until it is done.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from proxy.errors import DpproxyError, ProgramLimitError, ProtocolViolationError, UnsupportedError
from proxy.wire import backend, frontend
from proxy.wire.channel import Channel, RouterQuestion, Work, log_failure
from proxy.wire.codec import HEADER, Inbox
from proxy.wire.encodings import decode_text
from proxy.wire.extended_query import bind_claimed, refuse_parse
from proxy.wire.frontend import Bind, Close, Describe, Execute, Flush, Parse, Query, Sync
from proxy.wire.replies import RELAYED, StageLostError
from proxy.wire.router import Classifier, StatementText
from proxy.wire.simple_query import refuse_query, run_simple_query
from proxy.wire.table import Action, Happening, State, step

_MOST_REPLIES = 500
"""Pieces that wait to be sent to a client before more of its messages are handled."""
_MOST_AT_ONCE = 16
"""Messages that are handled before others get their turn: a client can send 40 000 of them at once."""
_LEAVE, _VIOLATION = Action.LEAVE, Action.VIOLATION  # looked up for every message


class Conversation:
    """What a session says to its client and its stage, and what it asks the router.

    Args:
        router: decides which statements are claimed.
        settings: the stage's reported parameters.
        inbox: what the client has sent already.
        maximum: bytes of one message of the client.
        longest: bytes of a statement's text.

    Attributes:
        channel: what is to be sent and what is awaited, for the owner of the sockets.
    """

    def __init__(self, router: Classifier, settings: dict[str, str], inbox: Inbox, maximum: int, longest: int) -> None:
        self.channel = Channel(settings)
        self._router = router
        self._inbox = inbox
        self._maximum = maximum
        self._longest = longest
        self._work: Work[None] | None = None
        self._resumable: Callable[[], bool] = bool

    @property
    def ended(self) -> bool:
        return self.channel.state is State.ENDED

    @property
    def listening(self) -> bool:
        """Would the client's next message be handled at once?"""
        return self.channel.state in (State.READY, State.SKIPPING)

    @property
    def unread(self) -> int:
        """Bytes of the client that wait."""
        return len(self._inbox)

    @property
    def idle(self) -> bool:
        """Is nothing running or waiting to run?"""
        return self._work is None and not self._inbox and self.channel.replies.settled

    def hear(self, data: bytes) -> None:
        """Take bytes of the client; `proceed` handles them."""
        self._inbox.feed(data)

    def proceed(self) -> bool:
        """Handle the client's complete messages until one has to wait, many replies have to be sent first, or many
        messages were handled.

        Returns:
            Is there more to do once the replies are sent?
        """
        replies, handled = self.channel.to_client, 0
        try:
            while (kind := self._inbox.kind) is not None and self._handle(kind):
                handled += 1
                if len(replies) > _MOST_REPLIES or handled == _MOST_AT_ONCE:
                    return True
        except DpproxyError as error:
            self.close(error.sqlstate, error.message)
        return False

    def hear_stage(self, data: bytes) -> None:
        """Take bytes of the stage."""
        if self.ended:
            return
        try:
            self.channel.to_client.append(self.channel.replies.receive(data))
        except StageLostError as error:
            log_failure(error)
            self.close("08006", "the session's database could not be followed")
        except DpproxyError as error:
            self.close(error.sqlstate, error.message)
        self._resume()

    def lose_stage(self) -> None:
        """Note that the stage has hung up."""
        if self.channel.replies.ended:
            self.hang_up()  # the client has read the stage's reason
        else:
            self.close("08006", "the session's database closed the connection")

    def take_answer(self, question: RouterQuestion) -> None:
        """Note that the router has returned or raised, as the question says."""
        question.answered = True
        self._resume()

    def close(self, sqlstate: str, message: str) -> None:
        """End the session and tell the client why, unless the message would land in the middle of a row."""
        if not self.ended:
            if not self.channel.replies.inside_row:
                self.channel.tell(backend.report("FATAL", sqlstate, message))
            self.hang_up()

    def hang_up(self) -> None:
        """End the session without a message."""
        self.channel.happen(Happening.CLOSED)

    def _handle(self, kind: int) -> bool:
        """Handle the next message; False if it is incomplete or has to wait."""
        action, then = step(self.channel.state, kind)
        if action is _LEAVE:
            return False
        if action is _VIOLATION:
            raise ProtocolViolationError(f"invalid frontend message type {kind}")
        message = self._inbox.message(frontend.maximum_length(kind, self._maximum))
        if message is None:
            return False
        self.channel.state = then
        handler = _HANDLERS.get(action)
        if handler is not None:
            handler(self, message)
        return True

    def _begin(self, work: Work[None]) -> None:
        self.channel.happen(Happening.CLAIMED)
        self._work, self._resumable = work, lambda: True
        self._resume()

    def _resume(self) -> None:
        """Let the work go on as far as possible."""
        try:
            while self._work is not None and not self.ended and self._resumable():
                self._resumable = next(self._work)
        except StopIteration:
            self._work = None
            self.channel.happen(Happening.DONE)
        except Exception as error:
            log_failure(error)
            self.close("XX000", "internal error")

    def _relay(self, message: bytes, on_done: Callable[[bool | None], None] | None = None) -> None:
        request = RELAYED[message[0]]
        self.channel.send(message, request if on_done is None else request._replace(on_done=on_done))

    def _execute(self, message: bytes) -> None:
        self.channel.relay_execute(message, Execute.decode(message[HEADER.size :]).portal)

    def _sync(self, message: bytes) -> None:
        Sync.decode(message[HEADER.size :])
        self.channel.relay_sync(message)

    def _forward(self, message: bytes) -> None:
        Flush.decode(message[HEADER.size :])
        self.channel.to_stage.append(message)

    def _query(self, message: bytes) -> None:
        query = Query.decode(message[HEADER.size :])
        try:
            text = self._decoded(query.text)
            claimed = self._router.claims(text)
        except Exception as error:
            self._begin(refuse_query(self.channel, error))
            return
        if claimed:
            self._begin(self._run_query(text, message))
        else:
            self._relay(message, self.channel.statements.querying())

    def _decoded(self, text: bytes) -> str:
        if len(text) > self._longest:
            raise ProgramLimitError(
                f"a statement has more than {self._longest} bytes",
                hint="Shorten it; pass long values as parameters.",
                rule="text-size",
            )
        return decode_text(text, self.channel.codec)

    def _run_query(self, text: str, message: bytes) -> Work[None]:
        try:
            pieces: Sequence[StatementText] | None = self._router.split_short(text)
            if pieces is None:
                pieces = yield from self.channel.split(text)
        except Exception as error:
            yield from refuse_query(self.channel, error)
            return
        if any(piece.claimed for piece in pieces):
            yield from run_simple_query(self.channel, pieces)
        elif not self.channel.skipping:
            self._relay(message, self.channel.statements.querying())

    def _parse(self, message: bytes) -> None:
        parse = Parse.decode(message[HEADER.size :])
        try:
            text = self._decoded(parse.text)
            if self._router.claims(text):
                self._begin(self._check_parse(parse, text, message))
                return
            done = self.channel.statements.parsing(parse.name, None)
        except Exception as error:
            self._begin(refuse_parse(self.channel, parse.name, error))
            return
        self._relay(message, done)

    def _check_parse(self, parse: Parse, text: str, message: bytes) -> Work[None]:
        try:
            claimed = yield from self.channel.check(text)
            if not self.channel.skipping:
                self._relay(message, self.channel.statements.parsing(parse.name, text if claimed else None))
        except Exception as error:
            yield from refuse_parse(self.channel, parse.name, error)

    def _bind(self, message: bytes) -> None:
        body = message[HEADER.size :]
        statement = Bind.statement_of(body)
        self.channel.statements.bound(body[: body.index(0)])
        if self.channel.statements.may_hold(statement):
            self._begin(bind_claimed(self.channel, message, Bind.decode(body)))
        else:
            self._relay(message)

    def _describe(self, message: bytes) -> None:
        target = Describe.decode(message[HEADER.size :])
        portal = target.what == frontend.PORTAL
        origins = self.channel.statements.origins(target.name) if portal else ()
        request = RELAYED[frontend.DESCRIBE]
        self.channel.send(message, request._replace(origins=origins) if origins else request)

    def _close_target(self, message: bytes) -> None:
        close = Close.decode(message[HEADER.size :])
        self._relay(message, self.channel.statements.closing(close.name) if close.what == frontend.STATEMENT else None)

    def _refuse(self, message: bytes) -> None:  # noqa: ARG002
        error = UnsupportedError("the function call protocol is not supported", rule="function_call")
        self._begin(refuse_query(self.channel, error))


_HANDLERS: Mapping[Action, Callable[[Conversation, bytes], None]] = {
    Action.QUERY: Conversation._query,
    Action.PARSE: Conversation._parse,
    Action.BIND: Conversation._bind,
    Action.DESCRIBE: Conversation._describe,
    Action.CLOSE: Conversation._close_target,
    Action.EXECUTE: Conversation._execute,
    Action.SYNC: Conversation._sync,
    Action.FORWARD: Conversation._forward,
    Action.REFUSE: Conversation._refuse,
}
"""Actions that do something with the message; the table alone covers dropping it and hanging up."""
