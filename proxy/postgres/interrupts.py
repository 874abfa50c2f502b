"""Interrupts that wait: between making a thing and noting that it is there, one would leave it behind."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Final

_SIGNALS: Final = (signal.SIGINT, signal.SIGTERM)


@contextmanager
def postponed() -> Iterator[None]:
    """Let SIGINT and SIGTERM do what they do at the end of the `with` block. Only the main thread is interrupted, and
    where a signal ends the process at once nothing can be postponed. Not for code that an event loop runs, which takes
    signals itself.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    handlers = {number: signal.getsignal(number) for number in _SIGNALS}
    came: list[int] = []

    def note(number: int, _frame: FrameType | None) -> None:
        came.append(number)

    try:
        for number, handler in handlers.items():
            if callable(handler):
                signal.signal(number, note)
        yield
    finally:
        for number, handler in handlers.items():
            if callable(handler):
                signal.signal(number, handler)
        if came:
            signal.raise_signal(came[0])
