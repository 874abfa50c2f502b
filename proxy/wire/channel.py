"""A session's stage connection as the session's own work uses it: internal requests that can be awaited."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from types import MappingProxyType

from proxy.wire import backend, frontend
from proxy.wire.backend import Report
from proxy.wire.codec import frame
from proxy.wire.encodings import codec_of, decode_text, encode_text
from proxy.wire.frontend import Bind, Close, Describe, Execute, Parse, Query
from proxy.wire.replies import Exchange, Replies, Request, StageLostError
from proxy.wire.router import Description, Parameter, StageError
from proxy.wire.stage_connection import StageConnection

INTERNAL = b"_dpproxy_internal"
"""Statement and portal of internal requests, closed before use too: a failed request leaves them behind."""

_FLUSH = frame(frontend.FLUSH)
_SYNC = frame(frontend.SYNC)
_REFUSED = b"dpproxy refused a statement of this transaction"
"""No statement of any SQL: its syntax error makes the stage's transaction fail as the client's statement did."""


class Channel:
    """Requests to the stage, relayed ones and internal ones, in one order."""

    def __init__(self, stage: StageConnection) -> None:
        self.stage = stage
        self.replies = Replies(stage.settings, self._wake)
        self._settled = asyncio.Event()
        self._waiting: set[asyncio.Future[None]] = set()
        self._lost = False

    @property
    def codec(self) -> str:
        return codec_of(self.replies.settings)

    def send(self, message: bytes, request: Request) -> None:
        self.replies.expect(request)
        self.stage.connection.write(message)

    def lose(self) -> None:
        """The stage is gone: whoever waits for it gets a StageLostError."""
        self._lost = True
        self._wake()
        for waiter in self._waiting:
            if not waiter.done():
                waiter.set_exception(StageLostError("the stage connection was lost"))

    def _wake(self) -> None:
        self._settled.set()

    async def settle(self) -> None:
        """Wait until the stage owes nothing (or skips to the next Sync).

        Raises:
            StageLostError: the stage is gone.
        """
        if not self.replies.settled:
            self.stage.connection.write(_FLUSH)
        while not self.replies.settled:
            if self._lost:
                raise StageLostError("the stage connection was lost")
            self._settled.clear()
            await self._settled.wait()

    async def ask(self, messages: Sequence[bytes], *, in_pipeline: bool) -> Exchange:
        """Send internal messages and collect their replies.

        Args:
            messages: whole messages; the client sees none of their replies.
            in_pipeline: the client's next Sync is still to come, so none may be sent.

        Raises:
            StageError: a request failed, or the stage is skipping already.
            StageLostError: the stage is gone.
        """
        if in_pipeline:
            self.require_no_error()
        exchange = await self._collect(messages if in_pipeline else (*messages, _SYNC), _FLUSH if in_pipeline else b"")
        if exchange.error is not None:
            raise stage_error(exchange.error)
        return exchange

    def require_no_error(self) -> None:
        """Raises StageError again if the stage skips to the next Sync because of one."""
        if self.replies.skipping and self.replies.last_error is not None:
            raise stage_error(self.replies.last_error)

    async def query(self, text: bytes) -> Exchange:
        """Run an internal simple query; its outcome is the exchange's error and the new `replies.status`."""
        return await self._collect((Query(text).encode(),), b"")

    async def _collect(self, messages: Sequence[bytes], ending: bytes) -> Exchange:
        exchange, finished = self.open_exchange()
        for number, message in enumerate(messages, start=1):
            self.replies.expect(hidden(message, exchange, last=number == len(messages)))
        self.stage.connection.write(b"".join(messages) + ending)
        await finished
        return exchange

    def open_exchange(self) -> tuple[Exchange, asyncio.Future[None]]:
        """An exchange and the future that is done when its last request is."""
        finished = asyncio.get_running_loop().create_future()
        if self._lost:
            finished.set_exception(StageLostError("the stage connection was lost"))
        self._waiting.add(finished)
        finished.add_done_callback(self._waiting.discard)
        return Exchange(lambda: None if finished.done() else finished.set_result(None)), finished

    async def fail_pipeline(self, statement: bytes = INTERNAL) -> None:
        """Make the stage skip to the next Sync, and its transaction fail, as after an error of its own.

        Args:
            statement: the unnamed statement where the client's failed Parse would have dropped it.
        """
        if not self.replies.skipping:
            await self._collect((Parse(statement, _REFUSED).encode(),), _FLUSH)

    async def fail_transaction(self) -> None:
        """Between simple queries: make an open transaction fail, as after an error of its own."""
        if self.replies.status == backend.IN_TRANSACTION:
            await self.query(_REFUSED)


class ChannelLink:
    """`StageLink` over a session's channel."""

    def __init__(self, channel: Channel, *, in_pipeline: bool) -> None:
        self._channel = channel
        self._in_pipeline = in_pipeline

    @property
    def settings(self) -> Mapping[str, str]:
        return MappingProxyType(self._channel.replies.settings)

    async def describe(self, sql: str, parameter_types: Sequence[int] = (), *, written: bool = True) -> Description:
        parse = Parse(INTERNAL, encode_text(sql, self._channel.codec), tuple(parameter_types))
        exchange = await self._ask(parse, Describe(frontend.STATEMENT, INTERNAL).encode(), written=written)
        types = backend.decode_parameter_description(exchange.bodies(backend.PARAMETER_DESCRIPTION)[0])
        rows = exchange.bodies(backend.ROW_DESCRIPTION)
        return Description(types, backend.decode_row_description(rows[0], self._channel.codec) if rows else None)

    async def rows(self, sql: str, parameters: Sequence[Parameter] = ()) -> list[tuple[str | None, ...]]:
        codec = self._channel.codec
        types = tuple(parameter.type_oid for parameter in parameters)
        values = tuple(None if item.text is None else encode_text(item.text, codec) for item in parameters)
        exchange = await self._ask(
            Parse(INTERNAL, encode_text(sql, codec), types),
            Close(frontend.PORTAL, INTERNAL).encode(),
            Bind(INTERNAL, INTERNAL, (), values).encode(),
            Execute(INTERNAL).encode(),
            Close(frontend.PORTAL, INTERNAL).encode(),
            written=False,
        )
        rows = map(backend.decode_data_row, exchange.bodies(backend.DATA_ROW))
        return [tuple(None if value is None else decode_text(value, codec) for value in row) for row in rows]

    async def _ask(self, parse: Parse, *messages: bytes, written: bool) -> Exchange:
        close = Close(frontend.STATEMENT, INTERNAL).encode()
        try:
            return await self._channel.ask((close, parse.encode(), *messages, close), in_pipeline=self._in_pipeline)
        except StageError as error:
            if written:
                raise
            raise stage_error(Report.decode(error.body).without_position()) from None


def hidden(message: bytes, exchange: Exchange | None = None, *, last: bool = False) -> Request:
    """The request of an internal message: the client sees neither its results nor its error."""
    return Request(message[0], results=False, errors=False, ready=False, exchange=exchange, last=last)


def stage_error(report: Report) -> StageError:
    return StageError(report.encode(), report.sqlstate)
