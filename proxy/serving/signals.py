"""Signals between a command's first line and the event loop that then takes them."""

from __future__ import annotations

import signal
from dataclasses import dataclass, field
from types import FrameType


@dataclass(frozen=True)
class EarlySignals:
    """The signals that came before there was an event loop to take them.

    Attributes:
        interrupts: SIGINT and SIGTERM. The first raises KeyboardInterrupt, whose cleaning up the others leave alone. It
            is lost where it meets a destructor or the end of an import: who starts a loop looks here first.
        hangups: SIGHUP.
    """

    interrupts: list[int] = field(default_factory=list)
    hangups: list[int] = field(default_factory=list)


def take_early_signals() -> EarlySignals:
    """Let SIGTERM interrupt as Ctrl-C does, so that what was begun is removed, and SIGHUP not end the process."""
    early = EarlySignals()

    def interrupt(number: int, _frame: FrameType | None) -> None:
        early.interrupts.append(number)
        if len(early.interrupts) == 1:
            raise KeyboardInterrupt

    signal.signal(signal.SIGTERM, interrupt)
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:  # not ignored, as for a shell's background jobs
        signal.signal(signal.SIGINT, interrupt)
    signal.signal(signal.SIGHUP, lambda number, _: early.hangups.append(number))
    return early
