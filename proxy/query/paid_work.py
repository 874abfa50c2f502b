"""Work on questions that goes on once it is charged, whether or not its asker still waits for the answer.

Clients cancel, lose their connection, and are ended by timers of their own. What they have paid for is measured and
kept all the same, so that it is theirs for nothing when they ask again; and what the measurement holds, a place among
the source queries and a connection, is given back when its answer may be seen, not when a client says so
(`proxy.dp.timing`).
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

from proxy.budget.in_flight import InFlight
from proxy.query.one_at_a_time import OneAtATime

Result = TypeVar("Result")
Charging = Callable[[], None]
"""Told that the charge begins: from then on the work is finished."""


class PaidWork:
    """All such work of a proxy, whichever policy was in force when it began.

    Args:
        in_flight: what proxies work on.

    Attributes:
        turns: who works on which question.
        unkept: store answers that were charged when the ledger could not be written. They are few: nothing else is
            charged before they are kept.
    """

    def __init__(self, in_flight: InFlight) -> None:
        self.turns = OneAtATime(in_flight)
        self.unkept: list[Callable[[], Awaitable[object]]] = []
        self._running: set[asyncio.Future[Any]] = set()

    async def finished(self, work: Callable[[Charging], Awaitable[Result]]) -> Result:
        """What `work` returns or raises. A cancel ends the call at once, and the work only before it charges."""
        charged = False

        def charging() -> None:
            nonlocal charged
            charged = True

        task = asyncio.ensure_future(work(charging))
        self._running.add(task)
        task.add_done_callback(self._ended)
        try:
            return await asyncio.shield(task)
        except asyncio.CancelledError:
            if not charged:
                task.cancel()
            raise

    async def close(self, seconds: float) -> None:
        """Let what still runs end within so many seconds, and end the rest: the source is about to be closed."""
        if self._running:
            await asyncio.wait(self._running, timeout=seconds)
        for task in self._running:
            task.cancel()
        if self._running:
            await asyncio.wait(self._running)

    def _ended(self, task: asyncio.Future[Any]) -> None:
        self._running.discard(task)
        if not task.cancelled():
            task.exception()  # looked at, or asyncio would log it
