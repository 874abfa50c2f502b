"""Exact tests of a sampler against its law, with a false-alarm rate that holds without approximation.

The integers are cut into cells. The number of draws in a cell is binomial, and the law is rejected if any count is less
likely than `FALSE_ALARM` shared among both tails of all cells.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from typing import Any

import mpmath
import numpy as np
from numpy.typing import NDArray
from scipy import stats

FALSE_ALARM = 1e-7
"""Of one `accepts`. About a hundred run in the suite: it fails by chance less than once in 1e5 runs."""

Distribution = Callable[[int], float]
"""x -> P[X <= x]."""


def laplace_distribution(scale: Fraction) -> Distribution:
    """The discrete Laplace, from the sum of its geometric tails."""

    def below(x: int) -> float:
        with mpmath.workdps(60 + len(str(int(scale)))):
            tail = mpmath.exp(-mpmath.mpf(abs(x) if x < 0 else x + 1) * scale.denominator / scale.numerator)
            tail /= 1 + mpmath.exp(-mpmath.mpf(scale.denominator) / scale.numerator)
            return float(tail if x < 0 else 1 - tail)

    return below


@lru_cache
def gaussian_distribution(variance: Fraction) -> Distribution:
    """The discrete Gaussian, summed term by term up to σ = 1000; beyond, the continuous one (they differ by 1 / σ)."""
    if variance > 10**6:
        deviation = mpmath.sqrt(mpmath.mpf(variance.numerator) / variance.denominator)
        return lambda x: float(mpmath.ncdf((x + mpmath.mpf(0.5)) / deviation))
    end = int(12 * float(variance) ** 0.5) + 2
    mass = [mpmath.exp(-mpmath.mpf(x * x * variance.denominator) / (2 * variance.numerator)) for x in range(-end, end)]
    sums = np.cumsum([float(term) for term in mass])
    return lambda x: float(sums[min(max(x + end, 0), len(sums) - 1)] / sums[-1])


def edges(spread: int, count: int = 12) -> list[int]:
    """Cell boundaries within three spreads: every integer if there are few."""
    if spread <= count // 3:
        return list(range(-3 * spread, 3 * spread + 1))
    return [3 * spread * k // count for k in range(-count, count + 1)]


def accepts(draws: NDArray[Any], distribution: Distribution, boundaries: list[int]) -> bool:
    """Are the counts between the boundaries those of the distribution? Cell k is (boundary[k - 1], boundary[k]]."""
    cumulated = [0.0, *(distribution(boundary) for boundary in boundaries), 1.0]
    below = [0, *(int(np.count_nonzero(draws <= boundary)) for boundary in boundaries), len(draws)]
    level = FALSE_ALARM / (2 * (len(boundaries) + 1))
    for (low, high), (before, after) in zip(pairwise(cumulated), pairwise(below), strict=True):
        count, chance = after - before, high - low
        if min(stats.binom.cdf(count, len(draws), chance), stats.binom.sf(count - 1, len(draws), chance)) < level:
            return False
    return True
