"""Bits that are flipped with exactly the probability 1 / (1 + e^x): randomised response on many bits at once.

The ratio of the probabilities that a bit is kept and flipped is exactly e^x: random words are compared with the leading
bits of the probability, and a tie computes more of them (`lazy_probability`).
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from proxy.dp.exact import positive
from proxy.dp.lazy_probability import LazyProbability
from proxy.dp.randomness import uniform_words

_WORD_BITS = 16


class BitFlips:
    """Independent Bernoulli draws with P[1] = 1 / (1 + exp(exponent)).

    Args:
        exponent: > 0, exact.

    Raises:
        ValueError: NaN, infinite, zero or negative.
    """

    def __init__(self, exponent: Fraction) -> None:
        self._chance = LazyProbability.logistic(positive("the exponent", exponent))
        self._threshold = self._chance.leading_bits(_WORD_BITS)

    def draw(self, rows: int, columns: int) -> NDArray[np.bool_]:
        """A matrix of draws."""
        words = uniform_words(rows * columns)
        draws: NDArray[np.bool_] = words < self._threshold
        for index in np.flatnonzero(words == self._threshold):
            draws[index] = self._chance.exceeds(int(words[index]), _WORD_BITS)
        return draws.reshape(rows, columns)
