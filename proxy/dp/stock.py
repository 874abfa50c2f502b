"""Noise that is drawn before anything is known of the data, and used later.

The duration of a draw depends on its values (Jin et al. 2022, arXiv:2112.05307), so it must not be part of a time that
an observer can compare with the answer. Draws are independent and identically distributed, so taking as many of them as
turn out to be needed, in order, gives the law of drawing exactly so many.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

BATCH = 256
"""The number of draws by which an insufficient stock grows, whatever is missing: where keys are selected, the number of
groups with rows is private, and a few groups more or less cost one batch at most, some tenths of a millisecond."""


class Stock:
    """Independent draws from one law.

    Args:
        draw: draws a number of values.
        size: how many to draw now; public.
    """

    def __init__(self, draw: Callable[[int], NDArray[Any]], size: int) -> None:
        self._draw = draw
        self._held = draw(size)

    def take(self, count: int) -> NDArray[Any]:
        """`count` unused draws; if there are too few, more are drawn in whole batches."""
        missing = count - len(self._held)
        if missing > 0:
            self._held = np.concatenate([self._held, self._draw(-(-missing // BATCH) * BATCH)])
        taken, self._held = self._held[:count], self._held[count:]
        return taken
