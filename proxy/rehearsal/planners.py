"""The process in which a command plans. It imports what plans, which takes a second, while the command reads its policy
and builds the stage."""

from __future__ import annotations

import contextlib
import os
import pickle
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING, Any, Final, Literal

if TYPE_CHECKING:  # slow to import: the process is to begin at once
    from proxy.rehearsal.servers import ServerSoon
    from proxy.rehearsal.stages import BuiltStage

Reading = Literal["check", "record", "text", "json"]
"""What is read from what becomes of statements: see `readings.READINGS`."""

_START: Final = (
    "import gc, sys; gc.disable(); sys.path[:] = {path!r}; from proxy.rehearsal.planning_process import main; main()"
)
"""All that is imported stays: to look for garbage meanwhile would be a twentieth of the time."""


class PlannerLostError(Exception):
    """The process has ended without an answer."""


@dataclass(frozen=True)
class Question:
    """What the process is asked.

    Attributes:
        reading: what is read from what becomes of the statements.
        built: the stage on which they are planned.
        analyst: who asks.
        scripts: by name; each has a session of its own.
    """

    reading: Reading
    built: BuiltStage
    analyst: str
    scripts: Mapping[str, str]


class Planner:
    """The command's end of the process.

    Args:
        process: the process, with pipes.
    """

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self._process = process

    def read(self, question: Question) -> Any:
        """Plan statements, and read what becomes of them: for each script, in order.

        Raises:
            DpproxyError, StageError: the stage does not accept a session, or ends.
            PlannerLostError: the process has ended.
        """
        try:
            pickle.dump(question, _piped(self._process.stdin), pickle.HIGHEST_PROTOCOL)
            _piped(self._process.stdin).flush()
            answer, error = pickle.load(_piped(self._process.stdout))
        except (EOFError, BrokenPipeError, pickle.UnpicklingError):
            raise PlannerLostError from None
        if error is not None:
            raise error
        return answer


def _piped(stream: IO[bytes] | None) -> IO[bytes]:
    assert stream is not None
    return stream


@dataclass(frozen=True)
class Rehearsals:
    """What planning needs, and what has begun to start: the server of the stage, and the process that plans."""

    planner: Planner
    server: ServerSoon


@contextlib.contextmanager
def starting_rehearsals() -> Iterator[Rehearsals]:
    """Begin to start them; both have ended after the `with` block."""
    with _starting_planner() as planner:
        from proxy.rehearsal.servers import starting_server  # slow to import: the process imports meanwhile

        with starting_server() as server:
            yield Rehearsals(planner, server)


@contextlib.contextmanager
def _starting_planner() -> Iterator[Planner]:
    # With the command's own path, and in a session of its own: Ctrl-C is for the command, which then ends it. It also
    # ends with the stage's server, which does not outlive the command.
    command = [sys.executable, "-c", _START.format(path=sys.path)]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True)
    try:
        yield Planner(process)
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)  # with its copy; nobody waits for what they still plan
        with contextlib.suppress(BrokenPipeError):
            process.communicate()
