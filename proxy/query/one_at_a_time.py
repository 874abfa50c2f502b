"""One question is asked once, however many sessions ask it at that moment: the others wait, and recall its answer."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager


class OneAtATime:
    """Lets one task at a time work on a question, in this process. Tasks with different questions do not meet."""

    def __init__(self) -> None:
        self._locks: dict[str, asyncio.Lock] = {}
        self._askers: dict[str, int] = {}

    @asynccontextmanager
    async def turn(self, question: str) -> AsyncIterator[None]:
        """Wait until nobody else works on the question.

        Args:
            question: its hash.
        """
        lock = self._locks.setdefault(question, asyncio.Lock())
        self._askers[question] = self._askers.get(question, 0) + 1
        try:
            async with lock:
                yield
        finally:
            self._askers[question] -= 1
            if not self._askers[question]:
                del self._askers[question], self._locks[question]
