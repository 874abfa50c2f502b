"""How many statements were answered and refused, and how long that took: for the operator."""

from __future__ import annotations

import logging
import time
from collections import Counter, deque
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final, NamedTuple

from proxy.errors import DpproxyError

logger = logging.getLogger(__name__)


_KEPT: Final = 2000


class Taken(NamedTuple):
    """A statement: when it ended (seconds since 1970), what became of it, and how long it took in seconds."""

    at: float
    outcome: str
    seconds: float


class Counts:
    """Counts what became of claimed statements.

    Attributes:
        outcomes: `answered`, a refusal's or failure's SQLSTATE, `stage` for the stage's own errors, or `cancelled`.
        seconds: that they took together.
        recent: the last ones, oldest first.
    """

    def __init__(self) -> None:
        self.outcomes: Counter[str] = Counter()
        self.seconds = 0.0
        self.recent: deque[Taken] = deque(maxlen=_KEPT)

    @contextmanager
    def statement(self) -> Iterator[None]:
        """Count the statement that the body answers."""
        began, outcome = time.monotonic(), "cancelled"
        try:
            yield
            outcome = "answered"
        except DpproxyError as error:
            outcome = error.sqlstate
            raise
        except Exception:
            outcome = "stage"
            raise
        finally:
            seconds = time.monotonic() - began
            self.outcomes[outcome] += 1
            self.seconds += seconds
            self.recent.append(Taken(time.time(), outcome, seconds))
            logger.debug("statement over private tables: %s, %.3f s", outcome, seconds)
