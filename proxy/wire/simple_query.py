"""A simple query with claimed statements in it, piece by piece.

Postgres runs a text of several statements as one implicit transaction. Here every piece is a query of its own, so the
transaction is made explicit around them, unless the client's own transaction control is met on the way.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from proxy.wire import backend, frontend
from proxy.wire.conversation import Conversation
from proxy.wire.encodings import encode_text
from proxy.wire.frontend import Query
from proxy.wire.replies import Request, StageLostError
from proxy.wire.router import StatementText


@dataclass(frozen=True)
class _Piece:
    text: str
    claimed: bool
    offset: int


async def run_simple_query(conversation: Conversation, statements: Sequence[StatementText]) -> None:
    """Run the statements in order up to the first error and send one ReadyForQuery.

    Raises:
        StageLostError: the stage is gone.
    """
    await conversation.channel.settle()
    if conversation.channel.replies.skipping:
        return
    await _SimpleQuery(conversation, _pieces(statements)).run()
    conversation.client.write(backend.ready_for_query(conversation.channel.replies.status))


def _pieces(statements: Sequence[StatementText]) -> list[_Piece]:
    """With their places in the client's text, counted in characters; blank ones have no reply and are left out."""
    pieces = []
    offset = 0
    for statement in statements:
        if statement.claimed or statement.text.strip():
            pieces.append(_Piece(statement.text, statement.claimed, offset))
        offset += len(statement.text)
    return pieces


class _SimpleQuery:
    def __init__(self, conversation: Conversation, pieces: list[_Piece]) -> None:
        self._conversation = conversation
        self._channel = conversation.channel
        self._pieces = pieces
        self._own_block = False

    async def run(self) -> None:
        for piece in self._pieces:
            if len(self._pieces) > 1 and self._channel.replies.status == backend.IDLE:
                await self._channel.query(b"BEGIN")
                self._own_block = True
            if not await (self._answer(piece) if piece.claimed else self._relay(piece)):
                await self._fail()
                return
            if self._channel.replies.status == backend.IDLE:
                self._own_block = False
        if self._own_block:
            await self._commit()

    async def _answer(self, piece: _Piece) -> bool:
        """Let the router answer and the stage execute its SQL; False after an error, which the client has seen."""
        try:
            answer = await self._conversation.answer(piece.text, (), in_pipeline=False)
            text = encode_text(piece.text if answer.sql is None else answer.sql, self._channel.codec)
        except StageLostError:
            raise
        except Exception as error:
            await self._channel.settle()
            self._conversation.tell(self._conversation.failure(error, piece.offset))
            return False
        self._conversation.notify(answer.notices)
        return await self._execute(text, shift=None)

    async def _relay(self, piece: _Piece) -> bool:
        return await self._execute(encode_text(piece.text, self._channel.codec), shift=piece.offset)

    async def _execute(self, text: bytes, shift: int | None) -> bool:
        exchange, finished = self._channel.open_exchange()
        request = Request(
            frontend.QUERY,
            shift=shift,
            ready=False,
            in_block=self._own_block,
            exchange=exchange,
            last=True,
            on_done=self._conversation.statements.querying(),
        )
        self._channel.send(Query(text).encode(), request)
        await finished
        if exchange.began_block:
            self._own_block = False
        return exchange.error is None

    async def _commit(self) -> None:
        exchange = await self._channel.query(b"COMMIT")
        if exchange.error is not None:
            self._conversation.tell(exchange.error)

    async def _fail(self) -> None:
        """The implicit transaction is undone; one of the client's own stays open and failed."""
        if not self._own_block:
            await self._channel.fail_transaction()
            return
        while self._channel.replies.status != backend.IDLE:
            # A late CancelRequest can hit the first ROLLBACK.
            await self._channel.query(b"ROLLBACK")
