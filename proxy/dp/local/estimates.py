"""From estimates about reports to estimates about rows, with intervals.

A file's records are the chosen rows plus fillers, less what was left out (`slots`). So two things are added to the
variance of randomised response: the unknown number of fillers or of rows left out, and the choice of records if only a
part of the file was kept. There is no clipping. Estimates are sums of many independent terms, so that intervals are
those of the normal distribution.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Estimate:
    """The estimated number of chosen rows with a value.

    Attributes:
        count: unbiased, so it may be negative.
        standard_deviation: of the count.
    """

    count: float
    standard_deviation: float

    def interval(self, confidence: float) -> tuple[float, float]:
        """Low and high ends around the count; `confidence` is in (0, 1)."""
        half = NormalDist().inv_cdf((1 + confidence) / 2) * self.standard_deviation
        return self.count - half, self.count + half


@dataclass(frozen=True)
class RecordNumbers:
    """The numbers of records.

    Attributes:
        kept: in the file.
        total: noisy number of chosen rows.
        noise_scale: scale of the discrete Laplace noise on it.
    """

    kept: int
    total: int
    noise_scale: float

    def about_rows(self, reports: float, variance: float, *, filler: bool = False) -> Estimate:
        """Turn an estimate about reports into one about rows.

        Args:
            reports: estimated number of the file's reports of a value.
            variance: of `reports`.
            filler: is it the value that fillers report?
        """
        if not self.kept:
            return Estimate(0.0, math.sqrt(self._noise_variance))
        scale = self.total / self.kept
        share = min(max(reports / self.kept, 0.0), 1.0)
        choice = self.total**2 * (1 - 1 / scale) * share * (1 - share) / self.kept
        # Half of the time the noise is positive and adds fillers; otherwise it removes rows of each value in
        # proportion.
        hidden = self._noise_variance / 2 * (share**2 + filler)
        return Estimate(scale * reports, math.sqrt(scale**2 * variance + choice + hidden))

    @property
    def _noise_variance(self) -> float:
        """2x / (1 - x)² with x = e^(-1/scale)."""
        rate = 1 / self.noise_scale
        return 2 * math.exp(-rate) / math.expm1(-rate) ** 2


def non_negative(counts: NDArray[np.float64], total: float) -> NDArray[np.float64]:
    """The nearest counts, in least squares, that are not negative and add up to `total` (Euclidean projection onto a
    simplex: the same number is subtracted from all of them, and negative results become zero)."""
    if total <= 0:
        return np.zeros(len(counts))
    falling = np.sort(counts)[::-1]
    excess = (np.cumsum(falling) - total) / np.arange(1, len(counts) + 1)
    kept = int(np.flatnonzero(falling > excess)[-1])
    result: NDArray[np.float64] = np.maximum(counts - excess[kept], 0.0)
    return result
