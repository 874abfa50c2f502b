"""Noise drawn before anything is known of the data, and used up afterwards.

The time that a draw takes depends on what is drawn (Jin et al. 2022, arXiv:2112.05307), so it must not be part of a
time that an observer can compare with the answer. Draws are independent and equally distributed, hence taking as many
of them as turn out to be needed, in order, gives the law of drawing so many.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

BATCH = 256
"""What a stock that is too small grows by, whatever is missing: how many groups rows have is private where keys are
selected, and a few groups more or less cost a batch at most, some tenths of a millisecond."""


class Stock:
    """Independent draws of one law.

    Args:
        draw: makes so many.
        size: how many to draw now; public.
    """

    def __init__(self, draw: Callable[[int], NDArray[Any]], size: int) -> None:
        self._draw = draw
        self._held = draw(size)

    def take(self, count: int) -> NDArray[Any]:
        """`count` draws that nobody has had; more are drawn in whole batches if they are too few."""
        missing = count - len(self._held)
        if missing > 0:
            self._held = np.concatenate([self._held, self._draw(-(-missing // BATCH) * BATCH)])
        taken, self._held = self._held[:count], self._held[count:]
        return taken
