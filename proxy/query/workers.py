"""The proxy's side of its planning processes: who gets one, what it is told, and what becomes of one that fails."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import socket
from collections.abc import Awaitable, Callable
from typing import Any, Final, TypeVar

from proxy.errors import DpproxyError, TooComplexError
from proxy.lending import Tasks
from proxy.query.dialog import (
    HEADER,
    Ask,
    Crashed,
    Done,
    Known,
    Leave,
    Logged,
    Raised,
    Task,
    Told,
    packed,
    unpacked,
)
from proxy.query.memory import MEMORY
from proxy.query.worker import SECONDS
from proxy.sql.schema import Schema
from proxy.turns import Turns
from proxy.wire.router import StageError

logger = logging.getLogger(__name__)
_Result = TypeVar("_Result")

StartWorker = Callable[[socket.socket], None]
"""Lets somebody serve (`worker.serve`) the other end of a connection, which it closes here."""

_KEPT: Final = 4 << 20
"""Bytes in which plans and accounts came that are known when they come again."""

_ASK_SECONDS: Final = 15.0
"""How long the stage may take for what a plan needs of it."""


class Workers:
    """Planning processes, which begin when they are needed.

    Args:
        schema: policy and catalog.
        start: starts one.
        most: how many there may be, at least 2; one analyst gets all but one of them.

    Attributes:
        turns: who uses them.
    """

    def __init__(self, schema: Schema, start: StartWorker, most: int) -> None:
        self._schema = schema
        self._introduction = packed(schema)
        self._known: Known = Known(_KEPT)
        self._start = start
        self.turns = Turns(most, most - 1)
        self._idle: list[_Process] = []
        self._tasks = Tasks()
        self._closed = False

    async def do(self, analyst: str, task: Task, answer: Callable[[Ask], Awaitable[Any]]) -> Any:
        """What a task returns.

        A caller that is cancelled stops waiting, but a task that has begun keeps its analyst's turn until it ends, so
        that nobody can fill the processes by asking and leaving.

        Args:
            analyst: whose turn it takes.
            task: what is to be done.
            answer: finds out what the process asks for.

        Raises:
            DpproxyError: a refusal, such as that of a task that takes too long.
            StageError: the stage's own error.
        """
        await self.turns.take(analyst)
        process = None
        try:
            process = self._idle.pop() if self._idle else await self._started()
            process.say(task)
            outcome = await self._outcome(process, answer)
        except BaseException:
            self._tasks.start(self._let_end(analyst, process))
            raise
        self._give_back(analyst, process)
        return _returned(outcome)

    async def warm_up(self) -> None:
        """Begin a process, so that the first question does not wait until it has imported everything."""
        with contextlib.suppress(OSError):  # the first question will be told
            self._idle.append(await self._started())

    async def close(self) -> None:
        """Hang up. Processes end when they notice, at the latest with what they are doing."""
        self._closed = True
        await self._tasks.close()
        while self._idle:
            await self._idle.pop().close()

    async def _started(self) -> _Process:
        ours, theirs = socket.socketpair()
        try:
            await asyncio.to_thread(self._start, theirs)
            reader, writer = await asyncio.open_unix_connection(sock=ours)
        except BaseException:
            ours.close()
            raise
        writer.write(self._introduction)
        return _Process(reader, writer, self._schema, self._known)

    async def _outcome(self, process: _Process, answer: Callable[[Ask], Awaitable[Any]]) -> Done | Raised | Crashed:
        while True:
            match await process.hear():
                case Ask() as ask:
                    process.say(await _reply(ask, answer))
                case Logged(name, level, text):
                    logging.getLogger(name).log(level, text)
                case outcome:
                    return outcome  # type: ignore[no-any-return]

    async def _let_end(self, analyst: str, process: _Process | None) -> None:
        """Wait for a task that nobody waits for, and free the place."""
        try:
            if process is not None and not process.lost:
                if process.asked:
                    process.say(Leave())
                await self._outcome(process, _leave)
        except (DpproxyError, OSError):
            process = None
        self._give_back(analyst, process)

    def _give_back(self, analyst: str, process: _Process | None) -> None:
        if process is not None and (process.lost or self._closed):
            process.hang_up()
        elif process is not None:
            self._idle.append(process)
        self.turns.give_back(analyst)


class _Process:
    """One process, as the event loop sees it.

    Attributes:
        asked: it waits for our reply.
        lost: it has ended.
    """

    def __init__(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, schema: Schema, known: Known
    ) -> None:
        self.asked = False
        self.lost = False
        self._reader = reader
        self._writer = writer
        self._schema = schema
        self._known = known
        self._length: int | None = None
        self._began = 0.0

    def say(self, message: object) -> None:
        self.asked = False
        self._writer.write(packed(message))

    async def hear(self) -> Any:
        """The next message. A caller that is cancelled loses nothing of it.

        Raises:
            TooComplexError: the process has ended.
        """
        try:
            if self._length is None:
                (self._length,) = HEADER.unpack(await self._reader.readexactly(HEADER.size))
            body = await self._reader.readexactly(self._length)
        except (asyncio.IncompleteReadError, ConnectionError):
            self.hang_up()
            logger.warning("a planning process has ended with its task, which took too much time or memory")
            raise _too_much() from None
        self._length = None
        try:
            message = unpacked(body, self._schema, self._known)
        except BaseException:
            self.hang_up()  # nobody knows what it waits for
            raise
        self.asked = isinstance(message, Ask)
        return message

    def hang_up(self) -> None:
        self.lost = True
        self._writer.close()

    async def close(self) -> None:
        """Hang up, and wait until the socket is closed."""
        self.hang_up()
        with contextlib.suppress(OSError):
            await self._writer.wait_closed()


async def _reply(ask: Ask, answer: Callable[[Ask], Awaitable[Any]]) -> Told | Raised:
    try:
        return Told(await in_time(answer(ask)))
    except StageError as error:
        return Raised(error)


async def in_time(work: Awaitable[_Result]) -> _Result:
    """What comes of work of the stage, which may take only so long for what a plan needs of it.

    Raises:
        TooComplexError: it takes longer.
    """
    try:
        async with asyncio.timeout(_ASK_SECONDS):
            return await work
    except TimeoutError:
        raise TooComplexError(
            "this statement needs too much to be computed before it is planned",
            detail=f"Its constants and what it reads of other answers may take {_ASK_SECONDS:.0f} seconds.",
            hint="Compute constants beforehand.",
            rule="planning-limit",
        ) from None


async def _leave(_: Ask) -> Any:
    raise StageError(b"", "57014")


def _returned(outcome: Done | Raised | Crashed) -> Any:
    match outcome:
        case Done(value):
            return value
        case Raised(error):
            raise error
        case Crashed(kind, frames):
            logger.error("unexpected %s in a planning process\n%s", kind, frames)
            raise DpproxyError("internal error")


def _too_much() -> TooComplexError:
    return TooComplexError(
        "this statement takes too long to plan, or too much memory",
        detail=f"Planning may take {SECONDS} seconds of computing and {MEMORY >> 20} MB. Nothing was charged.",
        hint="Shorten the statement; replace long lists of constants by a join with a public table.",
        rule="planning-limit",
    )
