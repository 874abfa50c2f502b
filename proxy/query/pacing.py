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
"""Drawing noise ends on a time grid of this width; the values drawn change its duration by far less."""


class Pacer:
    """Delays the end of everything whose duration can depend on rows.

    Args:
        clock: a monotonic clock, in seconds.
        sleep: waits for a number of seconds.
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
        """What `draw` returns, at a time that does not tell how long it took: on a grid counted from the call.

        Args:
            delay: None where response times are not protected: the call ends when `draw` does.
            draw: draws noise. Runs in a thread, since many groups would keep everybody waiting.
        """
        began = self._clock()
        result = await asyncio.to_thread(draw)
        if delay is not None:
            steps = math.floor((self._clock() - began) / DRAWING_SECONDS) + 1
            await self._until(began + steps * DRAWING_SECONDS)
        return result

    async def paced(self, delay: ResponseDelay | None, work: Callable[[], Awaitable[Result]]) -> Result:
        """What `work` returns or raises, at the time of release; the caller gets nothing of it before.

        A cancel ends the call at once, and the work ends in the background: a call that waited for it would show
        whether the source query was over.

        Args:
            delay: None where response times are not protected: the result leaves when it is ready.
            work: everything that queries the source or handles exact numbers, and nothing that others can observe.
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
        """Cancel it, and let it end in the background."""
        task.cancel()
        self._ending.add(task)
        task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Future[Any]) -> None:
        self._ending.discard(task)
        if not task.cancelled():
            task.exception()  # looked at, or asyncio would log it
