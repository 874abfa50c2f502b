"""Limits how many source queries run at a time, in total and for each asker."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from proxy.errors import SourceBusyError


class Places:
    """Places for source queries. Questions are served in turn, but an asker with many questions waits for their own
    first, so that they hold up nobody else's.

    Args:
        total: most source queries at a time.
        each: most of one asker; at most `total`.
        patience_seconds: how long a question waits for its place.
    """

    def __init__(self, total: int, each: int, patience_seconds: float) -> None:
        if not 1 <= each <= total:
            raise ValueError("an asker has at least one place, and not more than there are")
        self._patience = patience_seconds
        self._all = asyncio.Semaphore(total)
        self._own: defaultdict[str, asyncio.Semaphore] = defaultdict(lambda: asyncio.Semaphore(each))

    @asynccontextmanager
    async def place(self, asker: str) -> AsyncIterator[None]:
        """Hold a place while the body runs.

        Args:
            asker: whose question it is, one of few names.

        Raises:
            SourceBusyError: no place became free in time.
        """
        own = self._own[asker]
        try:
            async with asyncio.timeout(self._patience):
                await own.acquire()
                try:
                    await self._all.acquire()
                except BaseException:
                    own.release()
                    raise
        except TimeoutError:
            raise SourceBusyError from None
        try:
            yield
        finally:
            self._all.release()
            own.release()
