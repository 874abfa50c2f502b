"""One client's session after login: its messages are relayed to its stage connection, claimed statements are answered.

Relaying happens inside the callbacks of the two sockets. Only what must wait for something (a claimed statement, the
reply to a refusal) becomes a task; until that is done the client's further messages stay in the buffer.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from dataclasses import dataclass, replace

from proxy.errors import DpproxyError, ProtocolViolationError, UnsupportedError
from proxy.wire import backend, frontend
from proxy.wire.channel import Channel
from proxy.wire.codec import HEADER
from proxy.wire.connection import Connection
from proxy.wire.conversation import Conversation, log_failure
from proxy.wire.encodings import decode_text
from proxy.wire.extended_query import bind_claimed, refuse_parse
from proxy.wire.frontend import Bind, Close, Describe, Execute, Parse, Query
from proxy.wire.replies import RELAYED, StageLostError
from proxy.wire.router import Router
from proxy.wire.simple_query import run_simple_query
from proxy.wire.stage_connection import StageConnection

_READ_AHEAD = 65_536
"""Bytes of a client that are kept while its earlier messages are worked on."""


@dataclass(frozen=True)
class Limits:
    """What one client, or all together, may use.

    Attributes:
        connections: clients at once, logged in or not.
        connections_per_analyst: sessions of one analyst at once.
        login_timeout: seconds from connecting to the password.
        login_delay: seconds that a failed login waits for its error.
        message: bytes of one message of a client.
        statement: seconds after which a stage that does not get on is told to cancel (at the latest after twice as
            many). The stage's own statement_timeout should come first, but a client can change that.
        shutdown: seconds that running statements have to finish when the server stops.
    """

    connections: int = 500
    connections_per_analyst: int = 100
    login_timeout: float = 15.0
    login_delay: float = 1.0
    message: int = 16 << 20
    statement: float = 600.0
    shutdown: float = 5.0


class Session:
    """A logged-in client and its stage connection, from the first message to the last."""

    def __init__(
        self, analyst: str, client: Connection, stage: StageConnection, router: Router, limits: Limits
    ) -> None:
        self._client = client
        self._stage = stage.connection
        self._channel = Channel(stage)
        self._conversation = Conversation(analyst, client, self._channel, router)
        self._limits = limits
        self._inbox = bytearray()
        self._outbox: list[bytes] = []
        self._work: asyncio.Task[None] | None = None
        self._cancelling: set[asyncio.Task[None]] = set()
        self._ended: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    async def run(self) -> None:
        """Serve the client until it or the stage leaves; the stage connection is closed then, and no work goes on."""
        self._client.on_lost = self._end
        self._client.on_slow = self._stage.pause_reading
        self._client.on_writable = self._stage.resume_reading
        self._stage.on_lost = self._stage_lost
        self._stage.on_writable = self._process
        self._stage.relay_to(self._from_stage)
        self._client.relay_to(self._from_client)
        if self._client.lost or self._stage.lost:
            self._end()
        try:
            await self._watch()
        finally:
            await self._clean_up()

    @property
    def idle(self) -> bool:
        """Nothing is running or waiting to run."""
        return self._work is None and not self._inbox and self._channel.replies.settled

    def cancel(self) -> None:
        """A CancelRequest with this session's key has come."""
        self._conversation.cancel()
        if not self._channel.replies.settled and not self._ended.done():
            self._cancel_stage()

    def terminate(self) -> None:
        """End the session from the server's side."""
        self._fatal("57P01", "terminating connection due to administrator command")

    async def _watch(self) -> None:
        """Wait for the end, and meanwhile cancel what holds the stage too long (a client that never reads does too)."""
        replies = self._channel.replies
        while not self._ended.done():
            owed, completed = not replies.settled, replies.completed
            await asyncio.wait((self._ended,), timeout=self._limits.statement)
            if owed and not replies.settled and replies.completed == completed and not self._ended.done():
                self._cancel_stage()

    def _cancel_stage(self) -> None:
        task = asyncio.create_task(self._channel.stage.cancel())
        self._cancelling.add(task)
        task.add_done_callback(self._cancelling.discard)

    async def _clean_up(self) -> None:
        if self._work is not None:
            self._work.cancel()
            await asyncio.wait((self._work,))
        if not self._channel.replies.settled:
            self._cancel_stage()
        if self._cancelling:
            await asyncio.wait(self._cancelling)
        self._channel.stage.close()

    def _end(self) -> None:
        if not self._ended.done():
            self._ended.set_result(None)

    def _fatal(self, sqlstate: str, message: str) -> None:
        if not self._ended.done():
            self._client.write(backend.error_response(backend.report("FATAL", sqlstate, message)))
        self._end()

    def _refuse_session(self, error: DpproxyError) -> None:
        self._fatal(error.sqlstate, error.message)

    def _stage_lost(self) -> None:
        self._channel.lose()
        if self._channel.replies.ended:
            self._end()  # the client has read the stage's reason
        else:
            self._fatal("08006", "the session's database closed the connection")

    def _from_stage(self, data: bytes) -> None:
        if self._ended.done():
            return
        try:
            self._client.write(self._channel.replies.receive(data))
        except StageLostError as error:
            log_failure(error)
            self._fatal("08006", "the session's database could not be followed")
        except DpproxyError as error:
            self._refuse_session(error)

    def _from_client(self, data: bytes) -> None:
        self._inbox += data
        self._process()
        if self._blocked and len(self._inbox) > _READ_AHEAD:
            self._client.pause_reading()

    @property
    def _blocked(self) -> bool:
        return self._work is not None or self._stage.slow or self._ended.done()

    def _process(self) -> None:
        """Handle whole messages until something has to be waited for."""
        if self._blocked:
            return
        try:
            while not self._blocked and (message := self._next_message()) is not None:
                self._dispatch(message[0], message[HEADER.size :], message)
        except DpproxyError as error:
            self._refuse_session(error)
        self._deliver()
        if not self._blocked:
            self._client.resume_reading()

    def _next_message(self) -> bytes | None:
        if len(self._inbox) < HEADER.size:
            return None
        kind, length = HEADER.unpack_from(self._inbox)
        if not 4 <= length <= frontend.maximum_length(kind, self._limits.message):
            raise ProtocolViolationError(f"invalid message length {length}")
        if len(self._inbox) < 1 + length:
            return None
        message = bytes(self._inbox[: 1 + length])
        del self._inbox[: 1 + length]
        return message

    def _deliver(self) -> None:
        if self._outbox:
            self._stage.write(b"".join(self._outbox))
            self._outbox.clear()

    def _relay(self, message: bytes) -> None:
        self._channel.replies.expect(RELAYED[message[0]])
        self._outbox.append(message)

    def _begin(self, work: Coroutine[None, None, None]) -> None:
        self._deliver()
        self._work = asyncio.create_task(self._do(work))

    async def _do(self, work: Coroutine[None, None, None]) -> None:
        try:
            await work
        except StageLostError:
            return  # the stage's own callback ends the session
        except Exception as error:
            log_failure(error)
            self._fatal("XX000", "internal error")
        finally:
            self._work = None
        self._process()

    def _dispatch(self, kind: int, body: bytes, message: bytes) -> None:
        if kind == frontend.TERMINATE:
            self._end()
        elif kind == frontend.SYNC:
            self._relay(message)
        elif self._channel.replies.skipping:
            return
        elif kind == frontend.QUERY:
            self._query(Query.decode(body), message)
        elif kind == frontend.PARSE:
            self._parse(Parse.decode(body), message)
        elif kind == frontend.BIND:
            self._bind(body, message)
        elif kind == frontend.CLOSE:
            self._close(Close.decode(body), message)
        elif kind == frontend.DESCRIBE:
            Describe.decode(body)
            self._relay(message)
        elif kind == frontend.EXECUTE:
            Execute.decode(body)
            self._relay(message)
        elif kind == frontend.FLUSH:
            self._outbox.append(message)
        elif kind == frontend.FUNCTION_CALL:
            error = UnsupportedError("the function call protocol is not supported", rule="function_call")
            self._begin(self._refuse_query(error))
        # What is left are messages of COPY FROM STDIN, which never runs: as Postgres does after a failed COPY, the data
        # that the client had already sent is dropped.

    def _query(self, query: Query, message: bytes) -> None:
        try:
            text = decode_text(query.text, self._channel.codec)
            claimed = self._conversation.router.claims(text)
        except Exception as error:
            self._begin(self._refuse_query(error))
            return
        if claimed:
            self._begin(self._run_query(text, message))
        else:
            self._relay_query(message)

    def _relay_query(self, message: bytes) -> None:
        done = self._conversation.statements.querying()
        self._channel.replies.expect(replace(RELAYED[frontend.QUERY], on_done=done))
        self._outbox.append(message)

    async def _run_query(self, text: str, message: bytes) -> None:
        try:
            pieces = await self._conversation.router.split(text, self._conversation.analyst)
        except Exception as error:
            await self._refuse_query(error)
            return
        if any(piece.claimed for piece in pieces):
            await run_simple_query(self._conversation, pieces)
        elif not self._channel.replies.skipping:
            self._relay_query(message)

    async def _refuse_query(self, error: Exception) -> None:
        await self._channel.settle()
        if self._channel.replies.skipping:
            return
        await self._channel.fail_transaction()
        self._conversation.tell(self._conversation.failure(error))
        self._client.write(backend.ready_for_query(self._channel.replies.status))

    def _parse(self, parse: Parse, message: bytes) -> None:
        try:
            text = decode_text(parse.text, self._channel.codec)
            claimed = self._conversation.router.claims(text)
            if not claimed:
                self._relay_parse(parse, None, message)
        except Exception as error:
            self._begin(refuse_parse(self._conversation, parse.name, error))
            return
        if claimed:
            self._begin(self._check_parse(parse, text, message))

    def _relay_parse(self, parse: Parse, claimed: str | None, message: bytes) -> None:
        done = self._conversation.statements.parsing(parse.name, claimed)
        request = RELAYED[frontend.PARSE]
        self._channel.replies.expect(request if done is None else replace(request, on_done=done))
        self._outbox.append(message)

    async def _check_parse(self, parse: Parse, text: str, message: bytes) -> None:
        try:
            await self._conversation.router.check(text, self._conversation.analyst)
            if not self._channel.replies.skipping:
                self._relay_parse(parse, text, message)
        except Exception as error:
            await refuse_parse(self._conversation, parse.name, error)

    def _bind(self, body: bytes, message: bytes) -> None:
        if self._conversation.statements.may_hold(Bind.statement_of(body)):
            self._begin(bind_claimed(self._conversation, message, Bind.decode(body)))
        else:
            self._relay(message)

    def _close(self, close: Close, message: bytes) -> None:
        done = self._conversation.statements.closing(close.name) if close.what == frontend.STATEMENT else None
        request = RELAYED[frontend.CLOSE]
        self._channel.replies.expect(request if done is None else replace(request, on_done=done))
        self._outbox.append(message)
