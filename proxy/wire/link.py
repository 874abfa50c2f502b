"""The stage as the router uses it while it answers: awaitable requests in a session's channel."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

from proxy.wire import backend
from proxy.wire.backend import Report
from proxy.wire.channel import Channel
from proxy.wire.encodings import decode_text, encode_text
from proxy.wire.replies import Exchange, stage_error
from proxy.wire.router import Description, StageError


class ChannelLink:
    """`StageLink` over a session's channel.

    Args:
        channel: the session's.
        in_pipeline: is the client's next Sync still to come?
        deliver: sends what the channel holds for the stage.
    """

    def __init__(self, channel: Channel, *, in_pipeline: bool, deliver: Callable[[], None]) -> None:
        self._channel = channel
        self._in_pipeline = in_pipeline
        self._deliver = deliver

    @property
    def changes(self) -> int:
        return self._channel.changes

    async def describe(self, sql: str, parameter_types: Sequence[int] = (), *, written: bool = True) -> Description:
        internal = self._channel.internal
        parse = internal.parse(encode_text(sql, self._channel.codec), parameter_types)
        exchange = await self._ask(parse, internal.describe, written=written, quiet=True)
        types = backend.decode_parameter_description(exchange.bodies(backend.PARAMETER_DESCRIPTION)[0])
        rows = exchange.bodies(backend.ROW_DESCRIPTION)
        return Description(types, backend.decode_row_description(rows[0], self._channel.codec) if rows else None)

    async def rows(self, sql: str, *, quiet: bool = False) -> list[tuple[str | None, ...]]:
        codec, internal = self._channel.codec, self._channel.internal
        exchange = await self._ask(
            internal.parse(encode_text(sql, codec)),
            internal.bind,
            internal.execute,
            internal.close_portal,
            written=False,
            quiet=quiet,
        )
        rows = map(backend.decode_data_row, exchange.bodies(backend.DATA_ROW))
        return [tuple(None if value is None else decode_text(value, codec) for value in row) for row in rows]

    async def _ask(self, *messages: bytes, written: bool, quiet: bool) -> Exchange:
        messages = (*messages, self._channel.internal.close)
        exchange = self._channel.request(messages, in_pipeline=self._in_pipeline, quiet=quiet)
        over = asyncio.get_running_loop().create_future()
        exchange.on_over = lambda: None if over.done() else over.set_result(None)
        self._deliver()
        await over
        try:
            return exchange.checked()
        except StageError as error:
            if written:
                raise
            raise stage_error(Report.decode(error.body).without_position(), parsed=error.parsed) from None
