"""Intervals around noisy numbers: the width of one noise, of a sum of two, and of a quotient of two.

All widths are half widths h with P[|noise| > h] <= 1 - confidence, in the number's own unit. Everything here is
computed from released numbers and public noise scales: post-processing, free.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from statistics import NormalDist
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from proxy.dp.mechanisms import Mechanism

Numbers = NDArray[np.float64]
Law = Literal["laplace", "gaussian"]

_RATIOS = np.linspace(0, 1, 257)
_STEPS = 64
"""Halvings of an interval: more than a double has digits."""


@dataclass(frozen=True)
class NoisyNumbers:
    """One noisy number per group.

    Attributes:
        released: the numbers with their noise.
        width: half width of the noise, the same in all groups.
    """

    released: Numbers
    width: float


@lru_cache(maxsize=512)
def spread(mechanism: Mechanism, count: int) -> tuple[int, ...]:
    """An odd number of values of a noise, in cells, spread as it is: the quantiles 1/(count + 1), 2/(count + 1), …

    In random order they are draws in which each part of the law has its share (a Latin hypercube, McKay, Beckman and
    Conover 1979), so that few suffice.
    """
    tails = range(1, (count + 1) // 2)
    above = [int(mechanism.half_width(1 - 2 * tail / (count + 1))) for tail in tails]
    return (*(-width for width in above), 0, *reversed(above))


def combined_width(law: Law, confidence: float, first: Any, second: Any) -> Numbers:
    """Half width of the sum of two independent noises of one law, from the half width of each.

    Exact for continuous noise, and so for discrete noise on fine cells: independent Gaussians add their variances. Of
    Laplace noises with scales a > b the sum has P[|X + Y| > t] = (a² e^(-t/a) - b² e^(-t/b)) / (a² - b²), by partial
    fractions of the characteristic function 1 / ((1 + a²u²)(1 + b²u²)).

    Args:
        law: of both noises.
        confidence: in (0, 1), that of both widths and of the result.
        first: half widths, 0 or more.
        second: half widths, 0 or more.
    """
    if law == "gaussian":
        return np.asarray(np.hypot(first, second))
    widest, narrowest = np.maximum(first, second), np.minimum(first, second)
    ratio = np.divide(narrowest, widest, out=np.zeros(np.shape(widest)), where=widest > 0)
    return np.asarray(widest * np.interp(ratio, _RATIOS, _laplace_widening(confidence)))


@lru_cache(maxsize=64)
def _laplace_widening(confidence: float) -> Numbers:
    """For each ratio of two Laplace scales, the half width of the sum of the noises over that of the wider one."""
    outside = 1 - confidence
    alone = -math.log(outside)

    def is_inside(width: Numbers) -> NDArray[np.bool_]:
        return np.asarray([_laplace_tail(t, r) > outside for t, r in zip(width, _RATIOS, strict=True)])

    return _last_inside(np.full(_RATIOS.shape, alone), np.full(_RATIOS.shape, 4 * alone + 4), is_inside) / alone


def _laplace_tail(width: float, ratio: float) -> float:
    """P[|X + Y| > width] for Laplace noises of scales 1 and `ratio` <= 1."""
    if ratio == 0:
        return math.exp(-width)
    if ratio == 1:
        return (1 + width / 2) * math.exp(-width)
    return (math.exp(-width) - ratio**2 * math.exp(-width / ratio)) / (1 - ratio**2)


def is_possible_quotient(
    law: Law, confidence: float, numerator: NoisyNumbers, denominator: NoisyNumbers, quotient: Numbers
) -> NDArray[np.bool_]:
    """In which groups a quotient is no farther from the numbers than noise goes: |numerator - m·denominator| <= q(m) as
    in `quotient_limits`, whose arguments these are."""
    width = combined_width(law, confidence, numerator.width, np.abs(quotient) * denominator.width)
    return np.asarray(np.abs(numerator.released - quotient * denominator.released) <= width)


def quotient_limits(
    law: Law, confidence: float, numerator: NoisyNumbers, denominator: NoisyNumbers, low: float, high: float
) -> tuple[Numbers, Numbers]:
    """The ends of an interval for numerator / denominator of each group, inside [low, high].

    Fieller 1954: if m is the quotient without noise, then numerator - m·denominator is nothing but noise of a known
    width q(m). The interval runs from the least to the greatest m in [low, high] with |numerator - m·denominator| <=
    q(m), which holds for the true m with the given confidence, however small the denominator is; [low, high] always
    holds it. The shown number, which is the quotient over at least 1, clamped to [low, high], is part of the interval
    too. A denominator that may be zero without its noise gives [low, high].

    Args:
        law: of both noises.
        confidence: in (0, 1), that of both widths and of the result.
        numerator: its sums.
        denominator: its counts.
        low: a lower bound of all quotients without noise.
        high: an upper bound of them.
    """
    total, count = numerator.released, denominator.released
    shown = np.clip(total / np.maximum(count, 1), low, high)

    def is_possible(quotient: Numbers) -> NDArray[np.bool_]:
        return is_possible_quotient(law, confidence, numerator, denominator, quotient)

    ends = []
    for bound in (low, high):
        end = np.full(total.shape, float(bound))
        # The width is convex in m: if an m beyond the shown one is impossible, then so is every m from there to an
        # impossible bound.
        everything = (count <= 0) | is_possible(end)
        found = np.where(is_possible(shown), _last_inside(shown, end, is_possible), shown)
        ends.append(np.where(everything, end, found))
    return ends[0], ends[1]


def _last_inside(inside: Numbers, outside: Numbers, is_inside: Callable[[Numbers], NDArray[np.bool_]]) -> Numbers:
    """Where a condition that holds at `inside` and not at `outside` ends, rounded towards `outside`."""
    for _ in range(_STEPS):
        middle = (inside + outside) / 2
        holds = is_inside(middle)
        inside, outside = np.where(holds, middle, inside), np.where(holds, outside, middle)
    return outside


def part_width(mechanism: Mechanism, confidence: float) -> float:
    """Half width of one of several noises, to be combined as the root of the sum of squares.

    That is exact for Gaussian noise. A sum of Laplace noises is between a Laplace and a Gaussian law: the greater of
    both widths bounds each part's share (`test_noise_widths` has the numbers).

    Returns:
        The half width in cells.
    """
    width = float(mechanism.half_width(confidence))
    if mechanism.name == "gaussian":
        return width
    return max(width, mechanism.standard_deviation * NormalDist().inv_cdf((1 + confidence) / 2))
