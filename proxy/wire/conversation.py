"""What the parts of a session share: the client, the stage, the router, and how failures are told."""

from __future__ import annotations

import asyncio
import logging
import traceback
from collections.abc import Sequence

from proxy.errors import CancelledError, DpproxyError
from proxy.wire import backend
from proxy.wire.backend import Report
from proxy.wire.channel import Channel, ChannelLink
from proxy.wire.connection import Connection
from proxy.wire.router import Answer, Notice, Parameter, Router, SessionContext, StageError
from proxy.wire.statements import ClaimedStatements

logger = logging.getLogger(__name__)


class Conversation:
    """A client, its stage and the router between them."""

    def __init__(self, analyst: str, client: Connection, channel: Channel, router: Router) -> None:
        self.analyst = analyst
        self.client = client
        self.channel = channel
        self.router = router
        self.statements = ClaimedStatements()
        self._answering: asyncio.Task[Answer] | None = None

    async def answer(self, text: str, parameters: Sequence[Parameter], *, in_pipeline: bool) -> Answer:
        """Let the router answer, in a task of its own that `cancel` can cancel.

        Raises:
            CancelledError: the client cancelled.
            Exception: whatever the router raises.
        """
        context = SessionContext(self.analyst, ChannelLink(self.channel, in_pipeline=in_pipeline))
        self._answering = asyncio.create_task(self.router.answer(text, parameters, context))
        try:
            await asyncio.wait((self._answering,))
            if self._answering.cancelled():
                raise CancelledError("canceling statement due to user request")
            return self._answering.result()
        except asyncio.CancelledError:
            # The session ends: nothing may go on behind its back, least of all a measurement.
            self._answering.cancel()
            await asyncio.wait((self._answering,))
            raise
        finally:
            self._answering = None

    def cancel(self) -> None:
        """Cancel the router's work, if there is any."""
        if self._answering is not None:
            self._answering.cancel()

    def failure(self, error: Exception, offset: int = 0) -> Report:
        """What the client may know of an error.

        Args:
            error: raised by the router or on the way to it.
            offset: characters of the client's text in front of the statement that failed.
        """
        if isinstance(error, StageError):
            return Report.decode(error.body).shifted(offset)
        if isinstance(error, DpproxyError):
            return backend.error_report(error, codec=self.channel.codec, offset=offset)
        log_failure(error)
        return backend.report("ERROR", "XX000", "internal error")

    def tell(self, report: Report) -> None:
        self.client.write(backend.error_response(report))

    def notify(self, notices: Sequence[Notice]) -> None:
        for notice in notices:
            self.client.write(backend.notice_response(backend.notice_report(notice, self.channel.codec)))


def log_failure(error: Exception) -> None:
    """Where an unexpected error came from: frames and type, never its text, which can hold SQL or data."""
    frames = "".join(traceback.format_tb(error.__traceback__))
    logger.error("unexpected %s\n%s", type(error).__name__, frames)
