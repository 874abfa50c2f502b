"""How many statements were answered and refused, and how long that took: for the operator."""

from __future__ import annotations

import logging
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from proxy.errors import DpproxyError

logger = logging.getLogger(__name__)


class Counts:
    """Counts what became of claimed statements.

    Attributes:
        outcomes: `answered`, a refusal's or failure's SQLSTATE, `stage` for the stage's own errors, or `cancelled`.
        seconds: that they took together.
    """

    def __init__(self) -> None:
        self.outcomes: Counter[str] = Counter()
        self.seconds = 0.0

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
            logger.debug("statement over private tables: %s, %.3f s", outcome, seconds)
