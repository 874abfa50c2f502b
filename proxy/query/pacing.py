"""Lets answers leave when `proxy.dp.timing` says, and not when they are ready."""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

from proxy.dp.timing import ResponseDelay

Result = TypeVar("Result")

DRAWING_SECONDS = 0.01
"""Drawing noise ends on a grid of this width: what is drawn changes its time by far less."""


class Pacer:
    """Delays what can depend on rows by its time.

    Args:
        clock: seconds, never going back.
        sleep: waits for so many seconds.
    """

    def __init__(
        self,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[object]] = asyncio.sleep,
    ) -> None:
        self._clock = clock
        self._sleep = sleep
        self._ending: set[asyncio.Future[Any]] = set()

    async def drawn(self, delay: ResponseDelay | None, draw: Callable[[], Result]) -> Result:
        """What `draw` draws, without its own time: the call ends on a grid of time after it began.

        Args:
            delay: None where response times are not protected: it ends when it is done.
            draw: draws noise; in a thread, since many groups would keep everybody waiting.
        """
        began = self._clock()
        result = await asyncio.to_thread(draw)
        if delay is not None:
            steps = math.floor((self._clock() - began) / DRAWING_SECONDS) + 1
            await self._until(began + steps * DRAWING_SECONDS)
        return result

    async def paced(self, delay: ResponseDelay | None, work: Callable[[], Awaitable[Result]]) -> Result:
        """What `work` returns or raises, at the time of release. The caller keeps nothing of it before.

        A cancel ends the call at once, with the work still ending behind it: if it had to wait for the source, or not,
        that would show whether the source query was over.

        Args:
            delay: None where response times are not protected: it leaves when it is ready.
            work: all that asks the data or handles exact numbers, and nothing that others can see before it ends.
        """
        if delay is None:
            return await work()
        waits = delay.draw()
        began = self._clock()
        task = asyncio.ensure_future(work())
        try:
            # It has begun before anything can end it, so that it always ends what it was given.
            await asyncio.sleep(0)
            await asyncio.wait({task})
            await self._until(began + delay.release_after(self._clock() - began, waits))
        except asyncio.CancelledError:
            self._end(task)
            raise
        return task.result()

    async def _until(self, moment: float) -> None:
        await self._sleep(max(0.0, moment - self._clock()))

    def _end(self, task: asyncio.Future[Any]) -> None:
        """Cancel, and let it end without anybody waiting for it."""
        task.cancel()
        self._ending.add(task)
        task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Future[Any]) -> None:
        self._ending.discard(task)
        if not task.cancelled():
            task.exception()  # looked at, or asyncio would log it
