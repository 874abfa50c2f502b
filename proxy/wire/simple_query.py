"""A simple query with claimed statements, piece by piece.

Postgres runs a text of several statements as one implicit transaction. Here every piece is a query of its own, so the
transaction is made explicit around them, unless the client's own transaction control occurs on the way.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from proxy.wire import backend, frontend
from proxy.wire.channel import Channel, Work
from proxy.wire.encodings import encode_text
from proxy.wire.frontend import Query
from proxy.wire.replies import Exchange, StageRequest
from proxy.wire.router import Answer, StatementText

_RELAYED = Answer(None)


@dataclass(frozen=True)
class _Piece:
    text: str
    claimed: bool
    offset: int


def run_simple_query(channel: Channel, statements: Sequence[StatementText]) -> Work[None]:
    """Run the statements in order up to the first error and send one ReadyForQuery."""
    if not (yield from channel.begin_query()):
        return
    yield from _SimpleQuery(channel, _pieces(statements)).run()
    channel.tell_ready()


def refuse_query(channel: Channel, error: Exception) -> Work[None]:
    """Reply to a simple query or a function call with an error."""
    if not (yield from channel.begin_query()):
        return
    yield from channel.fail_transaction()
    channel.tell(channel.failure(error))
    channel.tell_ready()


def _pieces(statements: Sequence[StatementText]) -> list[_Piece]:
    """The statements with their places in the client's text, in characters; blank ones are left out."""
    pieces = []
    offset = 0
    for statement in statements:
        if statement.claimed or statement.text.strip():
            pieces.append(_Piece(statement.text, statement.claimed, offset))
        offset += len(statement.text)
    return pieces


class _SimpleQuery:
    def __init__(self, channel: Channel, pieces: list[_Piece]) -> None:
        self._channel = channel
        self._pieces = pieces
        self._own_block = False

    @property
    def _status(self) -> int:
        return self._channel.replies.status

    def run(self) -> Work[None]:
        for piece in self._pieces:
            if len(self._pieces) > 1 and self._status == backend.IDLE:
                yield from self._channel.query(b"BEGIN")
                self._own_block = True
            # In a failed transaction only its end runs: the stage says so, or ends it.
            claimed = piece.claimed and self._status != backend.FAILED_TRANSACTION
            if not (yield from self._answer(piece) if claimed else self._relay(piece)):
                yield from self._fail()
                return
            if self._status == backend.IDLE:
                self._own_block = False
        if self._own_block:
            yield from self._commit()

    def _answer(self, piece: _Piece) -> Work[bool]:
        """Let the router answer and the stage execute its SQL; False after an error, which the client has seen."""
        try:
            answer = yield from self._channel.answer(piece.text, (), in_pipeline=False)
            text = encode_text(piece.text if answer.sql is None else answer.sql, self._channel.codec)
        except Exception as error:
            yield from self._channel.settle()
            # As every simple query, it drops the unnamed statement, on the stage too.
            yield from self._channel.query(b"")
            self._channel.tell(self._channel.failure(error, piece.offset))
            return False
        self._channel.notify(answer.notices)
        return (yield from self._execute(text, None, answer))

    def _relay(self, piece: _Piece) -> Work[bool]:
        return (yield from self._execute(encode_text(piece.text, self._channel.codec), shift=piece.offset))

    def _execute(
        self,
        text: bytes,
        shift: int | None,
        answer: Answer = _RELAYED,
    ) -> Work[bool]:
        exchange = Exchange()
        request = StageRequest(
            frontend.QUERY,
            shift=shift,
            ready=False,
            in_block=self._own_block,
            exchange=exchange,
            origins=answer.origins,
            tag=answer.tag,
            remark=answer.remark,
            last=True,
            quiet=answer.quiet,
            on_done=self._channel.statements.querying(),
        )
        self._channel.send(Query(text).encode(), request)
        yield lambda: exchange.over
        if exchange.began_block:
            self._own_block = False
        return exchange.error is None

    def _commit(self) -> Work[None]:
        exchange = yield from self._channel.query(b"COMMIT")
        if exchange.error is not None:
            self._channel.tell(exchange.error)

    def _fail(self) -> Work[None]:
        """Undo the implicit transaction; one of the client's own stays open and failed."""
        if not self._own_block:
            yield from self._channel.fail_transaction()
            return
        while self._status != backend.IDLE:
            # A late CancelRequest can hit the first ROLLBACK.
            yield from self._channel.query(b"ROLLBACK")
