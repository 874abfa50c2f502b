"""The δ and the least σ of continuous Gaussian noise on one number (theorem 16), from which `calibrated` derives
discrete noise for vectors. Results are floats, accurate to about ten digits.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any

from proxy.dp.exact import positive, probability

_BISECTIONS = 50


def analytic_gaussian_delta(sigma: float, epsilon: float, sensitivity: float) -> float:
    """The exact δ of continuous Gaussian noise (Balle and Wang 2018, Theorem 8). Not valid for discrete noise.

    Args:
        sigma: standard deviation > 0.
        epsilon: > 0.
        sensitivity: Δ₂ > 0, in the unit of sigma.

    Raises:
        ValueError: NaN, infinite, zero or negative arguments.
    """
    exact = _mpmath()
    width = exact.mpf(float(positive("sigma", sigma)))
    shift = exact.mpf(float(positive("the sensitivity", sensitivity))) / (2 * width)
    target = exact.mpf(float(positive("epsilon", epsilon)))
    offset = target / (2 * shift)
    return float(exact.ncdf(shift - offset) - exact.exp(target) * exact.ncdf(-shift - offset))


def analytic_gaussian_sigma(epsilon: float, delta: float, sensitivity: float) -> float:
    """The least σ of continuous Gaussian noise that is (ε, δ)-DP, by bisection of `analytic_gaussian_delta`.

    Raises:
        ValueError: arguments that are not finite or out of range.
    """
    target = float(probability("delta", delta))
    high = float(positive("the sensitivity", sensitivity))
    return _least_sigma(lambda sigma: analytic_gaussian_delta(sigma, epsilon, sensitivity) <= target, high)


def classic_gaussian_sigma(epsilon: float, delta: float, sensitivity: float) -> float:
    """σ = √(2 ln(1.25/δ))·Δ₂/ε (Dwork and Roth 2014, Theorem A.1).

    Raises:
        ValueError: epsilon is not below 1, as the theorem requires; other arguments not finite or out of range.
    """
    if positive("epsilon", epsilon) >= 1:
        raise ValueError(f"the classic Gaussian mechanism is proven only for 0 < epsilon < 1, got {epsilon}")
    chance = float(probability("delta", delta))
    return math.sqrt(2 * math.log(1.25 / chance)) * float(positive("the sensitivity", sensitivity)) / epsilon


@functools.cache
def _mpmath() -> Any:
    """A context of our own, since another thread could lower the precision of mpmath's shared one. Few policies need
    mpmath, which is slow to import."""
    import mpmath

    context = mpmath.mp.clone()
    context.dps = 40
    return context


def _least_sigma(suffices: Callable[[float], bool], start: float) -> float:
    """The least σ that suffices, by bisection, rounded up."""
    high = start
    while not suffices(high):
        high *= 2
    low = high
    while suffices(low):
        low /= 2
    for _ in range(_BISECTIONS):
        middle = (low + high) / 2
        if suffices(middle):
            high = middle
        else:
            low = middle
    return high
