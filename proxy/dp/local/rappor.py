"""Basic RAPPOR: a value of a small known domain as a randomised one-hot vector (Erlingsson, Pihur, Korolova 2014).

The report is the permanent randomised response, with f = 2 / (1 + e^(ε/2)). There is no instantaneous one on top: it
would protect repeated *new* reports of one permanent response, whereas here a permanent response is shown unchanged.

The number of ones at a position is, given the data, a sum of independent draws: with n reports of which t have the
value, (ones - nq) / (1 - 2q) has expectation t and variance n·q(1 - q) / (1 - 2q)², exactly.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from proxy.dp.local.unary import Octets, chunks, contrast, flip_probability, unpacked


def ones_by_position(reports: Octets, positions: int) -> NDArray[np.int64]:
    """The number of reports with a one at each position."""
    ones = np.zeros(positions, dtype=np.int64)
    for chunk in chunks(len(reports), positions):
        ones += unpacked(reports[chunk], positions).sum(axis=0, dtype=np.int64)
    return ones


def estimate(reports: Octets, positions: int, epsilon: Fraction) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Unbiased estimates of the number of reports of each position's value, and their variances.

    Args:
        reports: from `unary.randomise`.
        positions: bits of a report.
        epsilon: ε of one report.
    """
    flipped, scale = flip_probability(epsilon), contrast(epsilon)
    ones = ones_by_position(reports, positions).astype(np.float64)
    counts = (ones - len(reports) * flipped) / scale
    variance = len(reports) * flipped * (1 - flipped) / scale**2
    return counts, np.full(positions, variance, dtype=np.float64)
