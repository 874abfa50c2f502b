"""What the planning process of a command does: it plans one share of the statements, and a copy of it the other."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import os
import pickle
import sys
import traceback
from collections.abc import Sequence
from typing import Any, Final

from proxy.errors import DpproxyError
from proxy.rehearsal.opened import opened
from proxy.rehearsal.planners import Question
from proxy.rehearsal.readings import read
from proxy.rehearsal.rehearsing import Outcome, rehearse
from proxy.rehearsal.shares import Share, shares
from proxy.rehearsal.stages import BuiltStage
from proxy.wire.router import StageError

_PROCESSES: Final = 2
"""A third one would find little to do: most of the time passes before."""

_LOOKED_THROUGH: Final = 20_000
"""New objects after which the interpreter looks for those that nobody needs: a plan has some thousands."""

Outcomes = list[list[Outcome]]
"""Of each script, what becomes of each of its statements."""


def main() -> None:
    """Answer the questions that come on standard input, each with the answer and the error, one of which is None."""
    gc.freeze()
    gc.set_threshold(_LOOKED_THROUGH)
    gc.enable()
    with contextlib.suppress(EOFError, BrokenPipeError):
        while True:
            pickle.dump(_answered(pickle.load(sys.stdin.buffer)), sys.stdout.buffer, pickle.HIGHEST_PROTOCOL)
            sys.stdout.flush()


def _answered(question: Question) -> tuple[list[Any] | None, Exception | None]:
    scripts = list(question.scripts.values())
    try:
        outcomes = planned(question.built, question.analyst, scripts)
        return read(question.reading, question.scripts, outcomes), None
    except (DpproxyError, StageError) as error:
        return None, error


def planned(built: BuiltStage, analyst: str, scripts: Sequence[str]) -> Outcomes:
    """As `rehearse`, in two processes. This one must not have threads, since it is copied.

    Raises:
        DpproxyError, StageError: the stage does not accept a session, or ends.
    """
    ours, *others = [share for share in shares(scripts, _PROCESSES) if share] or [{}]
    copies = [_Copy(built, analyst, scripts, share) for share in others]
    parts = [_rehearsed(built, analyst, scripts, ours), *(copy.outcomes() for copy in copies)]
    return [sorted((each for part in parts for each in part[place]), key=_start) for place in range(len(scripts))]


def _start(outcome: Outcome) -> int:
    return outcome.start


class _Copy:
    """A copy of this process, which plans a share."""

    def __init__(self, built: BuiltStage, analyst: str, scripts: Sequence[str], share: Share) -> None:
        self._read, written = os.pipe()
        self._number = os.fork()
        if self._number == 0:
            try:
                with open(written, "wb") as ends:
                    pickle.dump(_tried(built, analyst, scripts, share), ends, pickle.HIGHEST_PROTOCOL)
            except BaseException:
                traceback.print_exc()  # the caller knows only that it has ended
            os._exit(0)
        os.close(written)

    def outcomes(self) -> Outcomes:
        """Wait for them.

        Raises:
            DpproxyError, StageError: the stage does not accept a session, or ends.
            EOFError: the copy has ended.
        """
        with open(self._read, "rb") as comes:
            found, error = pickle.load(comes)
        os.waitpid(self._number, 0)
        if error is not None:
            raise error
        return found  # type: ignore[no-any-return]


def _tried(
    built: BuiltStage, analyst: str, scripts: Sequence[str], share: Share
) -> tuple[Outcomes | None, Exception | None]:
    try:
        return _rehearsed(built, analyst, scripts, share), None
    except (DpproxyError, StageError) as error:
        return None, error


def _rehearsed(built: BuiltStage, analyst: str, scripts: Sequence[str], share: Share) -> Outcomes:
    outcomes: Outcomes = [[] for _ in scripts]

    async def rehearse_all() -> None:
        place = opened(built)
        try:
            # Not returned: asyncio would spell all plans out, for a message that nobody reads.
            outcomes[:] = await rehearse(place, analyst, scripts, share)
        finally:
            await place.stage.close()

    if share:
        asyncio.run(rehearse_all())
    return outcomes
