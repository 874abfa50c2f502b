"""Which session and which of its statements a line of the log is about."""

from __future__ import annotations

from contextvars import ContextVar
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True)
class LogContext:
    """Whose work is being done.

    Attributes:
        analyst: who logged in.
        session: its number in this process, from 1. It is not the client's process number, which is half of a secret.
        statement: the number of its question to the router, from 1.
    """

    analyst: str
    session: int
    statement: int


CONTEXT: Final[ContextVar[LogContext | None]] = ContextVar("log_context", default=None)
"""That of the running task, if it works for a session."""
