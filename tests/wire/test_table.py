"""The table is complete, says what its documentation says, and leads everywhere."""

from __future__ import annotations

import pytest

from proxy.wire import frontend, table
from proxy.wire.table import MOVES, TABLE, Action, Happening, Message, State, step

LEAVING = (State.TLS, State.OPENING, State.WORKING, State.FAILING, State.ENDED)
NAMES = {
    Message.STARTUP: "Startup",
    Message.CLIENT_HELLO: "ClientHello",
    Message.SSL_REQUEST: "SSLRequest",
    Message.GSSENC_REQUEST: "GSSENCRequest",
    Message.CANCEL_REQUEST: "CancelRequest",
    Message.SASL: "SASL",
    Message.FUNCTION_CALL: "FunctionCall",
    Message.COPY_DATA: "CopyData",
    Message.COPY_DONE: "CopyDone",
    Message.COPY_FAIL: "CopyFail",
    Message.OTHER: "other",
}


def shown(state: State, message: Message) -> str:
    action, then = TABLE[state][message]
    moves = "" if then is state or action is Action.VIOLATION else f"→{then.name}"
    return f"{action.value}{moves}"


def test_every_state_has_a_step_for_every_message() -> None:
    for state in State:
        assert set(TABLE[state]) == set(Message)
        assert all(step(state, kind) == TABLE[state][Message.OTHER] for kind in range(256) if kind not in set(Message))


def test_the_documentation_shows_the_table() -> None:
    assert table.__doc__ is not None
    documented = [line.split() for line in table.__doc__.splitlines() if line.startswith("    ")]
    columns = (State.STARTUP, State.SECURED, State.MECHANISM, State.PROOF, State.READY, State.SKIPPING)
    assert documented[0] == ["message", *(state.name for state in columns)]
    for line, message in zip(documented[1:], Message, strict=False):
        name = NAMES.get(message, message.name.capitalize())
        assert " ".join(line) == " ".join((name, *(shown(state, message) for state in columns)))


def test_where_messages_are_left_all_are() -> None:
    for state in LEAVING:
        assert {TABLE[state][message] for message in Message} == {(Action.LEAVE, state)}


def test_every_state_can_be_reached_and_left() -> None:
    reached, left = set(), set()
    for state in State:
        steps = {then for _, then in TABLE[state].values()} | {then for (at, _), then in MOVES.items() if at is state}
        reached |= steps - {state}
        left |= {state} if steps - {state} else set()
    assert reached == set(State)
    assert left == set(State) - {State.ENDED}


@pytest.mark.parametrize("state", list(State))
def test_every_session_can_be_closed_and_stays_so(state: State) -> None:
    assert MOVES[state, Happening.CLOSED] is State.ENDED
    assert step(State.ENDED, frontend.SYNC) == (Action.LEAVE, State.ENDED)


def test_what_the_table_knows_has_a_maximum_length() -> None:
    """But for packets of a login, which have their own, and passwords, which no session takes."""
    known = {message for message in Message if 0 <= message < 256} - {Message.SASL}
    assert known == frontend.LARGE | frontend.SMALL
