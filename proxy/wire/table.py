"""Who may say what when: states × messages of a client → action and next state, as data.

    message        STARTUP          SECURED          MECHANISM        PROOF          READY          SKIPPING
    Startup        greet→MECHANISM  greet→MECHANISM  violation        violation      violation      violation
    ClientHello    negotiate→TLS    violation        violation        violation      violation      violation
    SSLRequest     negotiate→TLS    violation        violation        violation      violation      violation
    GSSENCRequest  decline          violation        violation        violation      violation      violation
    CancelRequest  cancel→ENDED     cancel→ENDED     violation        violation      violation      violation
    SASL           violation        violation        challenge→PROOF  prove→OPENING  violation      violation
    Query          violation        violation        violation        violation      query          drop
    Parse          violation        violation        violation        violation      parse          drop
    Bind           violation        violation        violation        violation      bind           drop
    Describe       violation        violation        violation        violation      describe       drop
    Execute        violation        violation        violation        violation      execute        drop
    Close          violation        violation        violation        violation      close          drop
    Flush          violation        violation        violation        violation      forward        drop
    Sync           violation        violation        violation        violation      sync           sync→READY
    FunctionCall   violation        violation        violation        violation      refuse         drop
    CopyData       violation        violation        violation        violation      drop           drop
    CopyDone       violation        violation        violation        violation      drop           drop
    CopyFail       violation        violation        violation        violation      drop           drop
    Terminate      violation        violation        violation        violation      hang up→ENDED  hang up→ENDED
    other          violation        violation        violation        violation      violation      violation

In TLS, OPENING, WORKING, FAILING and ENDED every message is left where it is: it waits, or nobody reads any more. What
happens on the proxy's own side moves the state too:

    happening      means                                                         moves
    declined       the server has no certificate: the client may go on without   TLS→STARTUP
    secured        the TLS handshake is over                                     TLS→SECURED
    certified      the client's certificate stands for its password              MECHANISM→OPENING
    opened         the stage connection is ready                                 OPENING→READY
    claimed        a statement is answered or refused, which takes a while       READY→WORKING
    done           that is over                                                  WORKING→READY, FAILING→SKIPPING
    failed         an extended-protocol message failed, its Sync is not sent     READY→SKIPPING, WORKING→FAILING
    closed         violation, lost client or stage, COPY FROM STDIN, shutdown    any→ENDED

ClientHello is the first byte of direct TLS; it counts only where nothing was said before. Each kind of encryption can
be asked for once, which the handshake remembers.

Two things that look like states are none. COPY FROM STDIN, which no analyst may run, ends the session where the stage
asks for the data (after a stage's refusal the data that the client had already sent is dropped, as Postgres does); COPY
TO STDOUT is rows. A failed transaction is the stage's: it refuses what is relayed. The router is not asked in one: a
simple query's claimed statement is relayed then, and before a Bind of one the stage is asked.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum, StrEnum
from typing import NamedTuple

from proxy.wire import frontend


class State(StrEnum):
    """Where a client's connection stands; the transaction's status is left to the stage."""

    STARTUP = "a startup packet is due"
    TLS = "the client asked for TLS; what it sends now is for the TLS handshake"
    SECURED = "as STARTUP, inside TLS"
    MECHANISM = "the client chooses how to prove its password"
    PROOF = "the client proves its password"
    OPENING = "the client is who it says, the stage connection is not open yet"
    READY = "messages are handled as they come"
    SKIPPING = "an extended-protocol message failed: everything up to the next Sync is dropped"
    WORKING = "a claimed statement is on its way; what the client sends waits"
    FAILING = "as WORKING, and SKIPPING comes next"
    ENDED = "nothing is read or said any more"


class Message(IntEnum):
    """What a client can send: packets before a login by their code, messages by their type byte. What has neither is
    negative."""

    STARTUP = frontend.PROTOCOL_3_0
    CLIENT_HELLO = -2
    SSL_REQUEST = frontend.SSL_REQUEST
    GSSENC_REQUEST = frontend.GSSENC_REQUEST
    CANCEL_REQUEST = frontend.CANCEL_REQUEST
    SASL = frontend.AUTHENTICATION
    QUERY = frontend.QUERY
    PARSE = frontend.PARSE
    BIND = frontend.BIND
    DESCRIBE = frontend.DESCRIBE
    EXECUTE = frontend.EXECUTE
    CLOSE = frontend.CLOSE
    FLUSH = frontend.FLUSH
    SYNC = frontend.SYNC
    FUNCTION_CALL = frontend.FUNCTION_CALL
    COPY_DATA = frontend.COPY_DATA
    COPY_DONE = frontend.COPY_DONE
    COPY_FAIL = frontend.COPY_FAIL
    TERMINATE = frontend.TERMINATE
    OTHER = -1


class Action(StrEnum):
    """What is done with a message."""

    GREET = "greet"
    NEGOTIATE = "negotiate"
    DECLINE = "decline"
    CANCEL = "cancel"
    CHALLENGE = "challenge"
    PROVE = "prove"
    QUERY = "query"
    PARSE = "parse"
    BIND = "bind"
    DESCRIBE = "describe"
    CLOSE = "close"
    EXECUTE = "execute"
    FORWARD = "forward"
    SYNC = "sync"
    REFUSE = "refuse"
    DROP = "drop"
    LEAVE = "leave"
    HANG_UP = "hang up"
    VIOLATION = "violation"


class Happening(StrEnum):
    """What moves the state without a message of the client; explained above."""

    DECLINED = "declined"
    SECURED = "secured"
    CERTIFIED = "certified"
    OPENED = "opened"
    CLAIMED = "claimed"
    DONE = "done"
    FAILED = "failed"
    CLOSED = "closed"


class Step(NamedTuple):
    """What is done with a message, and the state that it leads to (a lasting action leads further)."""

    action: Action
    then: State


def _row(otherwise: Step, steps: Mapping[Message, Step]) -> Mapping[int, Step]:
    return {message: steps.get(message, otherwise) for message in Message}


_VIOLATION = Step(Action.VIOLATION, State.ENDED)
_END = Step(Action.HANG_UP, State.ENDED)
_GREET = Step(Action.GREET, State.MECHANISM)
_NEGOTIATE = Step(Action.NEGOTIATE, State.TLS)
_CANCEL = Step(Action.CANCEL, State.ENDED)
_SYNC = Step(Action.SYNC, State.READY)
_DROP = Step(Action.DROP, State.READY)
_SKIP = Step(Action.DROP, State.SKIPPING)
_BEFORE_LOGIN = (
    Message.STARTUP,
    Message.CLIENT_HELLO,
    Message.SSL_REQUEST,
    Message.GSSENC_REQUEST,
    Message.CANCEL_REQUEST,
)

TABLE: Mapping[State, Mapping[int, Step]] = {
    State.STARTUP: _row(
        _VIOLATION,
        {
            Message.STARTUP: _GREET,
            Message.CLIENT_HELLO: _NEGOTIATE,
            Message.SSL_REQUEST: _NEGOTIATE,
            Message.GSSENC_REQUEST: Step(Action.DECLINE, State.STARTUP),
            Message.CANCEL_REQUEST: _CANCEL,
        },
    ),
    State.SECURED: _row(_VIOLATION, {Message.STARTUP: _GREET, Message.CANCEL_REQUEST: _CANCEL}),
    State.MECHANISM: _row(_VIOLATION, {Message.SASL: Step(Action.CHALLENGE, State.PROOF)}),
    State.PROOF: _row(_VIOLATION, {Message.SASL: Step(Action.PROVE, State.OPENING)}),
    State.READY: _row(
        _VIOLATION,
        {
            Message.QUERY: Step(Action.QUERY, State.READY),
            Message.PARSE: Step(Action.PARSE, State.READY),
            Message.BIND: Step(Action.BIND, State.READY),
            Message.DESCRIBE: Step(Action.DESCRIBE, State.READY),
            Message.EXECUTE: Step(Action.EXECUTE, State.READY),
            Message.CLOSE: Step(Action.CLOSE, State.READY),
            Message.FLUSH: Step(Action.FORWARD, State.READY),
            Message.SYNC: _SYNC,
            Message.FUNCTION_CALL: Step(Action.REFUSE, State.READY),
            Message.COPY_DATA: _DROP,
            Message.COPY_DONE: _DROP,
            Message.COPY_FAIL: _DROP,
            Message.TERMINATE: _END,
        },
    ),
    State.SKIPPING: _row(
        _SKIP,
        {
            **dict.fromkeys((*_BEFORE_LOGIN, Message.SASL, Message.OTHER), _VIOLATION),
            Message.SYNC: _SYNC,
            Message.TERMINATE: _END,
        },
    ),
    **{
        state: _row(Step(Action.LEAVE, state), {})
        for state in (State.TLS, State.OPENING, State.WORKING, State.FAILING, State.ENDED)
    },
}

MOVES: Mapping[tuple[State, Happening], State] = {
    (State.TLS, Happening.DECLINED): State.STARTUP,
    (State.TLS, Happening.SECURED): State.SECURED,
    (State.MECHANISM, Happening.CERTIFIED): State.OPENING,
    (State.OPENING, Happening.OPENED): State.READY,
    (State.READY, Happening.CLAIMED): State.WORKING,
    (State.WORKING, Happening.DONE): State.READY,
    (State.FAILING, Happening.DONE): State.SKIPPING,
    (State.READY, Happening.FAILED): State.SKIPPING,
    (State.WORKING, Happening.FAILED): State.FAILING,
    **{(state, Happening.CLOSED): State.ENDED for state in State},
}


def step(state: State, kind: int) -> Step:
    """What to do in `state` with a message whose type byte, or a packet whose code, is `kind`."""
    row = TABLE[state]
    return row.get(kind) or row[Message.OTHER]
