"""The processes in which commands plan. They are copies of one that imports what plans, which takes a second, while the
command reads its policy and builds the stage."""

from __future__ import annotations

import signal
from collections.abc import Mapping
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import active_children, forkserver, get_context
from typing import TYPE_CHECKING, Any, Final, Literal

if TYPE_CHECKING:  # slow to import: the process is to begin at once
    from proxy.rehearsal.stages import BuiltStage

Reading = Literal["check", "record", "text", "json"]
"""What is read from what becomes of statements: see `readings.READINGS`."""

_PROCESSES: Final = 2
"""A third one finds little left to do: most of the time passes before."""
_CONTEXT: Final = get_context("forkserver")


def begin() -> None:
    """Let a process import what plans, unless there is one; it ends with this process."""
    _CONTEXT.set_forkserver_preload(["proxy.rehearsal.readings"])
    # Ctrl-C is for the command, which then ends them.
    kept = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        forkserver.ensure_running()
    finally:
        signal.signal(signal.SIGINT, kept)


def read(reading: Reading, built: BuiltStage, analyst: str, scripts: Mapping[str, str]) -> Any:
    """Plan the statements of some scripts, and read what becomes of them.

    Args:
        reading: what is read.
        built: the stage.
        analyst: who asks.
        scripts: by name; each has a session of its own.

    Raises:
        DpproxyError, StageError: the stage does not accept a session, or ends.
        concurrent.futures.process.BrokenProcessPool: a process has ended.
    """
    texts = list(scripts.values())
    with ProcessPoolExecutor(_PROCESSES, mp_context=_CONTEXT) as processes:
        try:
            begun = [processes.submit(_plan, built, analyst, texts, share) for share in range(_PROCESSES)]
            return processes.submit(_read, reading, scripts, [planned.result() for planned in begun]).result()
        except BaseException:
            # Nobody waits for what they still plan.
            for process in active_children():
                process.terminate()
            raise


def _plan(built: BuiltStage, analyst: str, scripts: list[str], share: int) -> bytes:
    from proxy.rehearsal import readings  # imported before this process began

    return readings.plan(built, analyst, scripts, share, _PROCESSES)


def _read(reading: Reading, scripts: Mapping[str, str], planned: list[bytes]) -> Any:
    from proxy.rehearsal import readings

    return readings.read(reading, scripts, planned)
