"""The δ and the least σ of Gaussian noise on one number, continuous and discrete (theorem 16).

`calibrated` makes vectors of discrete noise from the continuous ones. The exact discrete ones say what is lost by that,
and are what tests measure it against. Results are floats, accurate to about ten digits.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction

import mpmath
import numpy as np

from proxy.dp.exact import positive, positive_count, probability

_MPMATH = mpmath.mp.clone()
"""A context of our own: another thread could lower the precision of the one that mpmath shares."""
_MPMATH.dps = 40

_BISECTIONS = 50

_FAR = 14
"""Deviations beyond which a Gaussian holds less than 1e-43 of its mass at the place where the sum begins."""

_FINE = 2**12
"""Cells of sensitivity from which on discrete noise is taken for continuous."""


def analytic_gaussian_delta(sigma: float, epsilon: float, sensitivity: float) -> float:
    """The exact δ of continuous Gaussian noise (Balle and Wang 2018, Theorem 8). Not valid for discrete noise.

    Args:
        sigma: standard deviation > 0.
        epsilon: > 0.
        sensitivity: Δ₂ > 0, in the unit of sigma.

    Raises:
        ValueError: NaN, infinite, zero or negative arguments.
    """
    width = _MPMATH.mpf(float(positive("sigma", sigma)))
    shift = _MPMATH.mpf(float(positive("the sensitivity", sensitivity))) / (2 * width)
    target = _MPMATH.mpf(float(positive("epsilon", epsilon)))
    offset = target / (2 * shift)
    return float(_MPMATH.ncdf(shift - offset) - _MPMATH.exp(target) * _MPMATH.ncdf(-shift - offset))


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
        ValueError: epsilon is not below 1, where the theorem ends; other arguments not finite or out of range.
    """
    if positive("epsilon", epsilon) >= 1:
        raise ValueError(f"the classic Gaussian mechanism is proven only for 0 < epsilon < 1, got {epsilon}")
    chance = float(probability("delta", delta))
    return math.sqrt(2 * math.log(1.25 / chance)) * float(positive("the sensitivity", sensitivity)) / epsilon


def discrete_gaussian_delta(variance: Fraction, epsilon: Fraction, sensitivity: int) -> float:
    """The exact δ of discrete Gaussian noise on one number (Canonne, Kamath, Steinke 2020, Theorem 7).

    δ = P[X > εσ²/Δ - Δ/2] - e^ε·P[X > εσ²/Δ + Δ/2]. Meant for noise of up to a million cells.

    Args:
        variance: σ² > 0, in cells squared.
        epsilon: > 0.
        sensitivity: Δ >= 1, in cells.

    Raises:
        ValueError: arguments that are not finite or out of range.
        TypeError: a sensitivity that is not an integer.
    """
    variance, epsilon = positive("the variance", variance), positive("epsilon", epsilon)
    positive_count("the sensitivity", sensitivity)
    centre, half = epsilon * variance / sensitivity, Fraction(sensitivity, 2)
    near, far = math.floor(centre - half) + 1, math.floor(centre + half) + 1
    reach = math.ceil(_FAR * math.sqrt(variance))
    total = _sum_of_masses(variance, -reach, reach, 0.0)
    # e^ε goes into the exponent, which stays below zero beyond `far`: (εσ²/Δ + Δ/2)² >= 2εσ².
    above = _sum_of_masses(variance, max(near, -reach), max(near, 0) + reach, 0.0)
    beyond = _sum_of_masses(variance, far, far + reach, float(epsilon))
    return max(0.0, (above - beyond) / total)


def discrete_gaussian_sigma(epsilon: float, delta: float, sensitivity: int) -> float:
    """A σ in cells of discrete Gaussian noise on one number that is (ε, δ)-DP by `discrete_gaussian_delta`.

    For sensitivities of more than 2**12 cells it is that of continuous noise, which is the same to about eight digits.

    Raises:
        ValueError: arguments that are not finite or out of range.
        TypeError: a sensitivity that is not an integer.
    """
    continuous = analytic_gaussian_sigma(epsilon, delta, positive_count("the sensitivity", sensitivity))
    if sensitivity > _FINE:
        return continuous

    def suffices(sigma: float) -> bool:
        return discrete_gaussian_delta(Fraction(sigma) ** 2, Fraction(epsilon), sensitivity) <= delta

    return _least_sigma(suffices, continuous)


def _sum_of_masses(variance: Fraction, low: int, high: int, shift: float) -> float:
    """The sum of exp(shift - x²/2σ²) over low <= x < high."""
    cells = np.arange(low, high, dtype=np.float64)
    with np.errstate(under="ignore"):
        return float(np.sum(np.exp(shift - cells * cells / (2 * float(variance)))))


def _least_sigma(suffices: Callable[[float], bool], start: float) -> float:
    """By bisection; what is returned suffices."""
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
