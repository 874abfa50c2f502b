"""A logged-in client's session over its two sockets: the asyncio code around a `Conversation`.

Everything happens inside the callbacks of the sockets; only the router's answers and CancelRequests are tasks.
"""

from __future__ import annotations

import asyncio
import datetime as dt
import logging
import time
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

from proxy.errors import CancelledError
from proxy.wire import backend
from proxy.wire.channel import RouterQuestion
from proxy.wire.codec import Inbox
from proxy.wire.connection import Connection
from proxy.wire.conversation import Conversation
from proxy.wire.link import ChannelLink
from proxy.wire.log_context import CONTEXT, LogContext
from proxy.wire.roster import SessionFacts, State
from proxy.wire.router import Router, SessionContext
from proxy.wire.stage_connection import StageConnection

logger = logging.getLogger(__name__)

_STATES: Mapping[int, State] = {
    backend.IDLE: "idle",
    backend.IN_TRANSACTION: "idle in transaction",
    backend.FAILED_TRANSACTION: "idle in transaction (aborted)",
}
_READ_AHEAD = 65_536
"""Bytes of a client that are kept while its earlier messages are handled."""


@dataclass(frozen=True)
class Limits:
    """What one client, or all together, may use.

    Attributes:
        connections: sessions at once.
        connections_per_analyst: sessions of one analyst at once.
        unauthenticated: clients at once that have not logged in.
        login_timeout: seconds from connecting to the password.
        login_delay: seconds that a failed login waits for its error.
        message: bytes of one message of a client.
        text: bytes of one statement's text, or of those of one simple query.
        statement: seconds after which a stage that makes no progress is told to cancel (at the latest after twice as
            many), and a client that reads nothing is hung up on. The stage's own statement_timeout should come first,
            but a client can change that.
        shutdown: seconds that running statements get to finish when the server stops.
    """

    connections: int = 500
    connections_per_analyst: int = 100
    unauthenticated: int = 200
    login_timeout: float = 15.0
    login_delay: float = 1.0
    message: int = 16 << 20
    text: int = 4 << 20
    statement: float = 600.0
    shutdown: float = 5.0


class Session:
    """A logged-in client and its stage connection, from the first message to the last.

    Args:
        analyst: who logged in.
        client: their socket.
        early: what they have already sent.
        stage: their own connection.
        router: answers claimed statements.
        limits: timeouts and sizes.
        number: of the session, for the log.

    Attributes:
        analyst: who logged in.
    """

    def __init__(
        self,
        analyst: str,
        client: Connection,
        early: Inbox,
        stage: StageConnection,
        router: Router,
        limits: Limits,
        number: int = 1,
    ) -> None:
        self._number = number
        self._since = self._heard_at = time.time()
        self._asked = 0
        self.analyst = analyst
        self._client = client
        self._stage = stage
        self._router = router
        self._limits = limits
        self._conversation = Conversation(router, stage.settings, early, limits.message, limits.text)
        self._channel = self._conversation.channel
        self._answering: asyncio.Task[None] | None = None
        self._going_on: asyncio.Handle | None = None
        self._memory: dict[str, object] = {}
        self._cancelling: set[asyncio.Task[None]] = set()
        self._ended: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    async def run(self) -> None:
        """Serve the client until it or the stage leaves; then the stage connection is closed."""
        client, stage = self._client, self._stage.connection
        client.on_lost = self._client_lost
        client.on_slow = stage.pause_reading
        client.on_writable = self._client_caught_up
        stage.on_lost = self._stage_lost
        stage.on_writable = self._proceed
        stage.relay_to(self._from_stage)
        client.relay_to(self._from_client)
        if client.lost or stage.lost:
            self._client_lost()
        self._proceed()
        try:
            await self._watch()
        finally:
            await self._clean_up()

    @property
    def idle(self) -> bool:
        """Is nothing running or waiting to run?"""
        return self._conversation.idle

    def facts(self) -> SessionFacts:
        """The session as it is now."""
        replies = self._channel.replies
        busy = self._answering is not None or not self.idle
        return SessionFacts(
            self._stage.key.process,
            self._number,
            self.analyst,
            None if self._client.peer is None else str(self._client.peer),
            replies.settings.get("application_name", ""),
            dt.datetime.fromtimestamp(self._since, dt.UTC),
            "active" if busy else _STATES[replies.status],
            dt.datetime.fromtimestamp(self._heard_at, dt.UTC),
            self._asked,
        )

    def cancel(self) -> None:
        """Handle a CancelRequest with this session's key."""
        if self._answering is not None:
            self._answering.cancel()
        if not self._channel.replies.settled and not self._conversation.ended:
            self._cancel_stage()

    def terminate(self) -> None:
        """End the session from the server's side."""
        self._conversation.close("57P01", "terminating connection due to administrator command")
        self._deliver()

    async def _watch(self) -> None:
        """Wait for the end, cancel what occupies the stage too long, and hang up on a client that reads nothing."""
        replies = self._channel.replies
        while not self._ended.done():
            owed, completed, unsent = not replies.settled, replies.completed, self._client.unsent
            await asyncio.wait((self._ended,), timeout=self._limits.statement)
            if self._ended.done():
                return
            if unsent and self._client.unsent == unsent:
                logger.warning("session %d ends: its client has read nothing for a long time", self._number)
                self._client.abort()
                self._client_lost()
            elif owed and not replies.settled and replies.completed == completed:
                self._cancel_stage()

    def _cancel_stage(self) -> None:
        task = asyncio.create_task(self._stage.cancel())
        self._cancelling.add(task)
        task.add_done_callback(self._cancelling.discard)

    async def _clean_up(self) -> None:
        """End everything: nothing goes on without the session but what is charged already (`query.paid_work`)."""
        self._conversation.hang_up()
        if self._answering is not None:
            self._answering.cancel()
            await asyncio.wait((self._answering,))
        if not self._channel.replies.settled:
            self._cancel_stage()
        if self._cancelling:
            await asyncio.wait(self._cancelling)
        self._stage.close()
        self._channel.statements.clear()

    def _client_caught_up(self) -> None:
        self._stage.connection.resume_reading()
        self._proceed()

    def _client_lost(self) -> None:
        self._conversation.hang_up()
        self._deliver()

    def _stage_lost(self) -> None:
        self._conversation.lose_stage()
        self._deliver()

    def _from_client(self, data: bytes) -> None:
        self._heard_at = time.time()
        self._conversation.hear(data)
        self._proceed()

    def _from_stage(self, data: bytes) -> None:
        self._conversation.hear_stage(data)
        self._proceed()

    def _proceed(self) -> None:
        """Let the conversation go on, and send what it holds. Neither end gets more while it does not read what it has:
        replies that nobody reads would fill the memory. Where much is left to do, other sessions have their turn."""
        stage, client = self._stage.connection, self._client
        more = stage.slow or client.slow or self._conversation.proceed()
        self._deliver()
        may_go_on = not stage.slow and not client.slow
        if more and may_go_on and self._going_on is None:
            self._going_on = asyncio.get_running_loop().call_soon(self._go_on)
        if self._conversation.listening and may_go_on and not more:
            self._client.resume_reading()
        elif self._conversation.unread > _READ_AHEAD:
            self._client.pause_reading()

    def _go_on(self) -> None:
        self._going_on = None
        self._proceed()

    def _deliver(self) -> None:
        channel = self._channel
        if channel.to_stage:
            self._stage.connection.write(b"".join(channel.to_stage))
            channel.to_stage.clear()
        if channel.to_client:
            self._client.write(b"".join(channel.to_client))
            channel.to_client.clear()
        if self._conversation.ended:
            if not self._ended.done():
                self._ended.set_result(None)
        elif channel.question is not None and self._answering is None:
            self._ask(channel.question)

    def _ask(self, question: RouterQuestion) -> None:
        """Let the router work, in a task that `cancel` can cancel."""
        self._answering = asyncio.create_task(self._answer(question))
        self._answering.add_done_callback(partial(self._answered, question))

    async def _answer(self, question: RouterQuestion) -> None:
        self._asked += 1
        CONTEXT.set(LogContext(self.analyst, self._number, self._asked))
        match question.what:
            case "split":
                question.result = await self._router.split(question.text, self.analyst)
            case "check":
                question.result = await self._router.check(question.text, self.analyst)
            case "answer":
                link = ChannelLink(self._channel, in_pipeline=question.in_pipeline, deliver=self._deliver)
                context = SessionContext(self.analyst, link, self._memory)
                question.result = await self._router.answer(question.text, question.parameters, context)

    def _answered(self, question: RouterQuestion, task: asyncio.Task[None]) -> None:
        self._answering = None
        error = CancelledError("canceling statement due to user request") if task.cancelled() else task.exception()
        if error is None or isinstance(error, Exception):
            question.error = error
            self._conversation.take_answer(question)
            self._proceed()
