"""Threads that build SQL of plans, so that the event loop goes on answering everybody else."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import ParamSpec, TypeVar

Given = ParamSpec("Given")
Result = TypeVar("Result")

_THREADS = 2
"""They share one interpreter: more would finish no sooner, and would make the event loop wait longer."""
_STACK = 16 << 20
"""A thread's stack in octets. The interpreter's recursion limit has to be reached first."""


class _Turns:
    """The turn of one analyst, and how many wait for it."""

    def __init__(self) -> None:
        self.lock = asyncio.Lock()
        self.users = 0


class Desk:
    """Does one task of an analyst at a time, and those of different analysts in turn."""

    def __init__(self) -> None:
        self._threads = ThreadPoolExecutor(_THREADS, "desk")
        self._places = asyncio.Semaphore(_THREADS)
        self._turns: dict[str, _Turns] = {}

    async def do(self, analyst: str, work: Callable[Given, Result], *args: Given.args, **named: Given.kwargs) -> Result:
        """What `work` returns or raises.

        A caller that is cancelled stops waiting, but work that has begun keeps its analyst's turn until it ends, so
        that nobody can fill the threads by asking and leaving.

        Args:
            analyst: whose turn it takes.
            work: a computation that ends, and touches no event loop.
            args: its positional arguments.
            named: its keyword arguments.
        """
        turns = self._turns.setdefault(analyst, _Turns())
        turns.users += 1
        try:
            await turns.lock.acquire()
        except BaseException:
            self._leave(analyst, turns)
            raise
        try:
            await self._places.acquire()
        except BaseException:
            turns.lock.release()
            self._leave(analyst, turns)
            raise
        begun = self._begin(partial(work, *args, **named))

        def ended(future: asyncio.Future[Result]) -> None:
            self._places.release()
            turns.lock.release()
            self._leave(analyst, turns)
            if not future.cancelled():
                future.exception()  # looked at, or asyncio would log what nobody waits for

        begun.add_done_callback(ended)
        return await asyncio.shield(begun)

    def _begin(self, work: Callable[[], Result]) -> asyncio.Future[Result]:
        before = threading.stack_size(_STACK)
        try:
            return asyncio.get_running_loop().run_in_executor(self._threads, work)
        finally:
            threading.stack_size(before)

    def _leave(self, analyst: str, turns: _Turns) -> None:
        turns.users -= 1
        if turns.users == 0:
            del self._turns[analyst]
