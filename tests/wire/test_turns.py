"""A client that sends, or is sent, as much as it can takes turns with others: nobody waits until it is done."""

from __future__ import annotations

import asyncio
import socket
from collections import Counter
from collections.abc import Callable

import pytest

from proxy.wire import frontend
from proxy.wire.codec import Inbox, frame
from proxy.wire.connection import Connection
from proxy.wire.conversation import Conversation
from tests.wire.conftest import LOOPS
from tests.wire.support import RawClient, VisitsRouter, kinds

SYNC = frame(frontend.SYNC)


def test_many_messages_at_once_are_handled_in_turns() -> None:
    conversation = Conversation(VisitsRouter(), {"client_encoding": "UTF8"}, Inbox(), 1000, 1000)
    conversation.hear(SYNC * 100)
    turns, relayed = 0, 0
    while conversation.proceed():
        turns += 1
        handled = b"".join(conversation.channel.to_stage).count(SYNC) - relayed
        relayed += handled
        assert 0 < handled <= 20
    assert turns >= 5
    assert b"".join(conversation.channel.to_stage) == SYNC * 100


def test_many_messages_at_once_are_all_answered(client: RawClient) -> None:
    client.send(SYNC * 5_000)
    for _ in range(5_000):
        assert kinds(client.until("Z")) == "Z"


@pytest.mark.parametrize("new_loop", LOOPS.values(), ids=LOOPS.keys())
def test_others_have_their_turn_while_much_arrives(new_loop: Callable[[], asyncio.AbstractEventLoop]) -> None:
    arrived, turns = [], 0

    async def receive() -> None:
        nonlocal turns
        ours, theirs = socket.socketpair()
        with theirs:
            theirs.setblocking(False)
            theirs.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4 << 20)
            loop = asyncio.get_running_loop()
            sent = theirs.send(bytes(4 << 20))
            _, connection = await loop.create_connection(Connection, sock=ours)
            connection.relay_to(lambda data: arrived.append((turns, len(data))))
            while sum(length for _, length in arrived) < sent:
                await asyncio.sleep(0)
                turns += 1
            connection.abort()

    with asyncio.Runner(loop_factory=new_loop) as runner:
        runner.run(receive())
    assert len(arrived) > 10
    assert max(Counter(turn for turn, _ in arrived).values()) <= 2
