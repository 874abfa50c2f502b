"""Claimed statements in the extended protocol: checked at Parse, answered at Bind, native from there on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from proxy.wire import backend, frontend
from proxy.wire.channel import INTERNAL, Channel, hidden
from proxy.wire.conversation import Conversation
from proxy.wire.encodings import decode_text, encode_text
from proxy.wire.frontend import Bind, Close, Describe, Execute, Parse
from proxy.wire.replies import RELAYED, Request, StageLostError
from proxy.wire.router import Answer, Parameter
from proxy.wire.statements import UNNAMED, ClaimedStatement

_TEXT = 25
_COLUMNS = 1600
"""Parameters that one SELECT turns into text; Postgres allows 1664 columns."""

_HELD = b"SELECT statement, from_sql FROM pg_catalog.pg_prepared_statements WHERE name OPERATOR(pg_catalog.=) $1"
_ANSWER = b"_dpproxy_answer"


async def refuse_parse(conversation: Conversation, name: bytes, error: Exception) -> None:
    """The router's refusal as the reply to a Parse.

    Raises:
        StageLostError: the stage is gone.
    """
    channel = conversation.channel
    await channel.settle()
    if channel.replies.skipping:
        return
    if name == UNNAMED:
        conversation.statements.forget(name)
    await channel.fail_pipeline(name if name == UNNAMED else INTERNAL)
    conversation.tell(conversation.failure(error))


async def bind_claimed(conversation: Conversation, message: bytes, bind: Bind) -> None:
    """Bind the client's portal to the router's answer.

    Args:
        conversation: the session.
        message: the client's Bind as it came.
        bind: the same, decoded.

    Raises:
        StageLostError: the stage is gone.
    """
    channel = conversation.channel
    await channel.settle()
    if channel.replies.skipping:
        return
    try:
        answer = await _answer(conversation, bind)
        if answer is None or answer.sql is None:
            channel.send(message, RELAYED[frontend.BIND])
            return
        # A router may make do without the stage's reply, but after an error the stage takes no Bind any more.
        channel.require_no_error()
        text = encode_text(answer.sql, channel.codec)
    except StageLostError:
        raise
    except Exception as error:
        await channel.settle()
        await channel.fail_pipeline()
        conversation.tell(conversation.failure(error))
        return
    conversation.notify(answer.notices)
    _bind_answer(channel, text, bind)


async def _answer(conversation: Conversation, bind: Bind) -> Answer | None:
    """None where the stage's own reply to the Bind is the right one: it will be an error."""
    channel = conversation.channel
    statement = conversation.statements.get(bind.statement)
    if statement is None or not await _is_held(channel, bind.statement, statement):
        conversation.statements.forget(bind.statement)
        return None
    types = await _parameter_types(channel, bind.statement, statement)
    if len(types) != len(bind.values) or len(bind.formats) not in (0, 1, len(types)):
        return None
    parameters = await _parameters(channel, bind, types)
    return await conversation.answer(statement.text, parameters, in_pipeline=True)


async def _is_held(channel: Channel, name: bytes, statement: ClaimedStatement) -> bool:
    """Does the stage hold this statement under this name? SQL can have dropped it or prepared another one.

    The unnamed statement is out of SQL's reach and in no catalog.
    """
    if name == UNNAMED:
        return True
    rows = await _select(channel, _HELD, (_TEXT,), Bind(INTERNAL, INTERNAL, (), (name,)))
    if not rows or rows[0][0] is None:
        return False
    return decode_text(rows[0][0], channel.codec) == statement.text and rows[0][1] == b"f"


async def _parameter_types(channel: Channel, name: bytes, statement: ClaimedStatement) -> tuple[int, ...]:
    if statement.parameter_types is None:
        exchange = await channel.ask((Describe(frontend.STATEMENT, name).encode(),), in_pipeline=True)
        described = exchange.bodies(backend.PARAMETER_DESCRIPTION)
        statement.parameter_types = backend.decode_parameter_description(described[0])
    return statement.parameter_types


async def _parameters(channel: Channel, bind: Bind, types: tuple[int, ...]) -> list[Parameter]:
    """The stage turns the values into text with the types' own output functions, so errors in them are native."""
    formats = bind.formats * len(types) if len(bind.formats) == 1 else bind.formats
    parameters: list[Parameter] = []
    for start in range(0, len(types), _COLUMNS):
        part = slice(start, start + _COLUMNS)
        values = Bind(INTERNAL, INTERNAL, formats[part], bind.values[part])
        select = b"SELECT " + b", ".join(b"$%d" % number for number in range(1, len(values.values) + 1))
        rows = await _select(channel, select, types[part], values)
        texts = (None if value is None else decode_text(value, channel.codec) for value in rows[0])
        parameters += (Parameter(type_oid, text) for type_oid, text in zip(types[part], texts, strict=True))
    return parameters


async def _select(channel: Channel, text: bytes, types: Sequence[int], bind: Bind) -> list[tuple[bytes | None, ...]]:
    close = Close(frontend.STATEMENT, INTERNAL).encode()
    close_portal = Close(frontend.PORTAL, INTERNAL).encode()
    parse = Parse(INTERNAL, text, tuple(types)).encode()
    messages = (close, parse, close_portal, bind.encode(), Execute(INTERNAL).encode(), close_portal, close)
    exchange = await channel.ask(messages, in_pipeline=True)
    return [backend.decode_data_row(body) for body in exchange.bodies(backend.DATA_ROW)]


def _bind_answer(channel: Channel, text: bytes, bind: Bind) -> None:
    """The portal keeps its plan when the statement is closed, so one internal name serves every portal."""
    close = Close(frontend.STATEMENT, _ANSWER).encode()
    parse = Parse(_ANSWER, text).encode()
    channel.send(close, hidden(close))
    channel.send(parse, replace(hidden(parse), errors=True, shift=None))
    answer = Bind(bind.portal, _ANSWER, (), (), bind.result_formats).encode()
    channel.send(answer, Request(frontend.BIND, shift=None))
    channel.send(close, hidden(close))
