"""One question is asked once, however many sessions ask it at that moment: the others wait, and recall its answer."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from proxy.budget.in_flight import InFlight


class OneAtATime:
    """Lets one task at a time work on a question, here and in all proxies that share the ledger. Tasks with different
    questions do not meet.

    Args:
        in_flight: what proxies work on.
    """

    def __init__(self, in_flight: InFlight) -> None:
        self._in_flight = in_flight
        self._locks: dict[str, asyncio.Lock] = {}
        self._askers: dict[str, int] = {}

    @asynccontextmanager
    async def turn(self, question: str) -> AsyncIterator[None]:
        """Wait until nobody else works on the question.

        Args:
            question: its hash.

        Raises:
            LedgerUnavailableError: the ledger cannot be asked.
        """
        lock = self._locks.setdefault(question, asyncio.Lock())
        self._askers[question] = self._askers.get(question, 0) + 1
        try:
            async with lock, self._in_flight.turn(question):
                yield
        finally:
            self._askers[question] -= 1
            if not self._askers[question]:
                del self._askers[question], self._locks[question]
