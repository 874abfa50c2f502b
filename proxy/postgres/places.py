"""Limits how many source queries run at a time, in total and for each asker."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from proxy.errors import SourceBusyError
from proxy.turns import Turns


class Places:
    """Places for source queries. An asker with many questions waits for their own first, so that they hold up nobody
    else's.

    Args:
        total: most source queries at a time.
        each: most of one asker; at most `total`.
        patience_seconds: how long a question waits for its place.

    Attributes:
        turns: who has one, and who waits.
    """

    def __init__(self, total: int, each: int, patience_seconds: float) -> None:
        if not 1 <= each <= total:
            raise ValueError("an asker has at least one place, and not more than there are")
        self._patience = patience_seconds
        self.turns = Turns(total, each)

    @asynccontextmanager
    async def place(self, asker: str) -> AsyncIterator[None]:
        """Hold a place while the body runs.

        Args:
            asker: whose question it is, one of few names.

        Raises:
            SourceBusyError: no place became free in time.
        """
        try:
            async with asyncio.timeout(self._patience):
                await self.turns.take(asker)
        except TimeoutError:
            raise SourceBusyError from None
        try:
            yield
        finally:
            self.turns.give_back(asker)
