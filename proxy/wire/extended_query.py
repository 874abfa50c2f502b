"""Claimed statements in the extended protocol: checked at Parse, answered at Bind, then left to the stage."""

from __future__ import annotations

from collections.abc import Sequence

from proxy.errors import InvalidSettingError, ProtocolViolationError
from proxy.wire import backend, frontend
from proxy.wire.channel import Channel, Work, hidden
from proxy.wire.codec import INT16
from proxy.wire.encodings import decode_text, encode_text
from proxy.wire.frontend import Bind, Describe
from proxy.wire.replies import RELAYED, StageRequest
from proxy.wire.router import Answer, Parameter
from proxy.wire.statements import UNNAMED, ClaimedStatement

_TEXT = 25
_FORMATS = (0, 1)
"""Codes of text and binary."""
_COLUMNS = 1600
"""The most parameters that one SELECT converts to text; Postgres allows 1664 columns."""

_HELD = b"SELECT statement, from_sql FROM pg_catalog.pg_prepared_statements WHERE name OPERATOR(pg_catalog.=) $1"


def refuse_parse(channel: Channel, name: bytes, error: Exception) -> Work[None]:
    """Reply to a Parse with the router's refusal."""
    yield from channel.settle()
    if channel.skipping:
        return
    if name == UNNAMED:
        channel.statements.forget(name)
    yield from channel.fail_pipeline(name if name == UNNAMED else None)
    channel.tell(channel.failure(error))


def bind_claimed(channel: Channel, message: bytes, bind: Bind) -> Work[None]:
    """Bind the client's portal to the router's answer.

    Args:
        channel: the session's.
        message: the client's Bind as it came.
        bind: the same, decoded.
    """
    yield from channel.settle()
    if channel.skipping:
        return
    try:
        answer = yield from _answer(channel, bind)
        # A router may not need the stage's reply, but after an error the stage accepts no Bind any more.
        channel.require_no_error()
        if answer is None or answer.sql is None:
            channel.send(message, RELAYED[frontend.BIND])
            return
        text = encode_text(answer.sql, channel.codec)
    except Exception as error:
        yield from channel.settle()
        yield from channel.fail_pipeline()
        channel.tell(channel.failure(error))
        return
    channel.notify(answer.notices)
    _bind_answer(channel, text, bind, answer)
    channel.statements.bound(bind.portal, answer.origins, answer.tag, answer.remark)


def _answer(channel: Channel, bind: Bind) -> Work[Answer | None]:
    """The router's answer; None where the stage's own reply to the Bind is right, because it will be an error."""
    if channel.replies.status == backend.FAILED_TRANSACTION:
        # The router is not asked in a failed transaction; only the stage knows whether the pipeline has ended it.
        yield from _select(channel, b"SELECT", (), channel.internal.bind)
    statement = channel.statements.get(bind.statement)
    if statement is None or not (yield from _is_held(channel, bind.statement, statement)):
        channel.statements.forget(bind.statement)
        return None
    types = yield from _parameter_types(channel, bind.statement, statement)
    if len(types) != len(bind.values) or len(bind.formats) not in (0, 1, len(types)):
        return None
    _check_result_formats(bind.result_formats, statement.columns)
    parameters = yield from _parameters(channel, bind, types)
    return (yield from channel.answer(statement.text, parameters, in_pipeline=True))


def _check_result_formats(formats: tuple[int, ...], columns: int) -> None:
    """Raise what the stage would say of formats only with the answer, which would be paid for by then."""
    if len(formats) not in (0, 1, columns):
        raise ProtocolViolationError(f"bind message has {len(formats)} result formats but query has {columns} columns")
    unknown = next((code for code in formats if code not in _FORMATS), None)
    if unknown is not None:
        raise InvalidSettingError(f"unsupported format code: {unknown}", rule="format_code")


def _is_held(channel: Channel, name: bytes, statement: ClaimedStatement) -> Work[bool]:
    """Does the stage hold this statement under this name? SQL can have dropped it or prepared another one.

    SQL cannot reach the unnamed statement, and no catalog lists it.
    """
    if name == UNNAMED or statement.held_at == channel.changes:
        return True
    internal = channel.internal.name
    rows = yield from _select(channel, _HELD, (_TEXT,), Bind(internal, internal, (), (name,)).encode())
    if not rows or rows[0][0] is None:
        return False
    held = decode_text(rows[0][0], channel.codec) == statement.text and rows[0][1] == b"f"
    statement.held_at = channel.changes if held else None
    return held


def _parameter_types(channel: Channel, name: bytes, statement: ClaimedStatement) -> Work[tuple[int, ...]]:
    if statement.parameter_types is None:
        exchange = yield from channel.ask((Describe(frontend.STATEMENT, name).encode(),))
        described = exchange.bodies(backend.PARAMETER_DESCRIPTION)
        statement.parameter_types = backend.decode_parameter_description(described[0])
        statement.columns = sum(INT16.unpack_from(body)[0] for body in exchange.bodies(backend.ROW_DESCRIPTION))
    return statement.parameter_types


def _parameters(channel: Channel, bind: Bind, types: tuple[int, ...]) -> Work[list[Parameter]]:
    """The stage converts the values to text with the types' own output functions, so errors in them are native."""
    formats = bind.formats * len(types) if len(bind.formats) == 1 else bind.formats
    parameters: list[Parameter] = []
    for start in range(0, len(types), _COLUMNS):
        part = slice(start, start + _COLUMNS)
        values = Bind(channel.internal.name, channel.internal.name, formats[part], bind.values[part])
        select = b"SELECT " + b", ".join(b"$%d" % number for number in range(1, len(values.values) + 1))
        rows = yield from _select(channel, select, types[part], values.encode())
        texts = (None if value is None else decode_text(value, channel.codec) for value in rows[0])
        parameters += (Parameter(type_oid, text) for type_oid, text in zip(types[part], texts, strict=True))
    return parameters


def _select(channel: Channel, text: bytes, types: Sequence[int], bind: bytes) -> Work[list[tuple[bytes | None, ...]]]:
    internal = channel.internal
    messages = (internal.parse(text, types), bind, internal.execute, internal.close_portal, internal.close)
    exchange = yield from channel.ask(messages)
    return [backend.decode_data_row(body) for body in exchange.bodies(backend.DATA_ROW)]


def _bind_answer(channel: Channel, text: bytes, bind: Bind, answer: Answer) -> None:
    """The portal keeps its plan when the statement is closed, so one internal name serves every portal."""
    close, parse = channel.internal.close, channel.internal.parse(text)
    for message in channel.freeing():
        channel.send(message, hidden(message, quiet=True))
    channel.send(parse, hidden(parse, quiet=True)._replace(errors=True, shift=None))
    bound = Bind(bind.portal, channel.internal.name, (), (), bind.result_formats).encode()
    channel.send(bound, StageRequest(frontend.BIND, shift=None, remark=answer.remark, quiet=answer.quiet))
    channel.send(close, hidden(close, quiet=True))
    if answer.quiet:
        channel.bound_quietly(bind.portal)
