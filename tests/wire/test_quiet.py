"""What is sent to the stage without changing a setting of the session is counted apart: while nothing else was sent,
nobody has to ask for the settings again."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from proxy.wire import backend, frontend
from proxy.wire.channel import Channel
from proxy.wire.frontend import Bind, Close, Describe, Execute, Parse, Query, Sync
from proxy.wire.replies import RELAYED, StageRequest


@pytest.fixture
def channel() -> Channel:
    """Of a session whose portal p shows a quiet answer."""
    channel = Channel({})
    channel.bound_quietly(b"p")
    return channel


def relay(message: bytes) -> Callable[[Channel], None]:
    return lambda channel: channel.send(message, RELAYED[message[0]])


def execute(portal: bytes) -> Callable[[Channel], None]:
    return lambda channel: channel.relay_execute(Execute(portal).encode(), portal)


def sync(channel: Channel) -> None:
    channel.relay_sync(Sync().encode())


def answer(channel: Channel) -> None:
    channel.send(Query(b"SELECT 1").encode(), StageRequest(frontend.QUERY, quiet=True))


def ask(*, quiet: bool) -> Callable[[Channel], None]:
    def asked(channel: Channel) -> None:
        channel.request([Parse(b"", b"SELECT 1").encode()], in_pipeline=True, quiet=quiet)

    return asked


def fail(channel: Channel) -> None:
    channel.replies.receive(backend.error_response(backend.report("ERROR", "22012", "division by zero")))


QUIET = {
    "what is only prepared": [relay(Parse(b"s", b"SET a.b = 1").encode())],
    "what is described and closed": [
        relay(Describe(frontend.STATEMENT, b"s").encode()),
        relay(Close(frontend.STATEMENT, b"s").encode()),
    ],
    "a quiet answer's portal": [execute(b"p"), execute(b"p")],
    "Sync after nothing": [sync, execute(b"p"), sync],
    "a quiet answer": [answer],
    "the proxy's own question": [ask(quiet=True)],
}
LOUD = {
    "a simple query": [relay(Query(b"SELECT 1").encode())],
    "Bind": [relay(Bind(b"", b"s").encode())],
    "another portal": [execute(b"q")],
    "a question with the client's text": [ask(quiet=False)],
    "an error": [answer, fail],
}


@pytest.mark.parametrize("steps", QUIET.values(), ids=QUIET)
def test_these_change_no_setting(channel: Channel, steps: list[Callable[[Channel], None]]) -> None:
    before = channel.changes
    for step in steps:
        step(channel)
    assert channel.changes == before


@pytest.mark.parametrize("steps", LOUD.values(), ids=LOUD)
def test_these_may_change_settings(channel: Channel, steps: list[Callable[[Channel], None]]) -> None:
    before = channel.changes
    for step in steps:
        step(channel)
    assert channel.changes > before


@pytest.mark.parametrize("steps", LOUD.values(), ids=LOUD)
def test_sync_ends_what_was_set_for_its_transaction(channel: Channel, steps: list[Callable[[Channel], None]]) -> None:
    for step in steps:
        step(channel)
    before = channel.changes
    sync(channel)
    after = channel.changes
    assert (after > before) == (fail not in steps), "what has failed is over already"
    sync(channel)
    assert channel.changes == after


def test_sql_can_make_another_portal_of_the_same_name(channel: Channel) -> None:
    relay(Query(b"CLOSE p; DECLARE p CURSOR FOR SELECT set_config('a.b', '1', false)").encode())(channel)
    before = channel.changes
    execute(b"p")(channel)
    assert channel.changes > before
