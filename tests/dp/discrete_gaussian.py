"""The exact δ and the least σ of discrete Gaussian noise on one number: what calibrated noise is measured against."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np

from proxy.dp.calibration import analytic_gaussian_sigma
from proxy.dp.exact import positive, positive_count

_BISECTIONS = 50
_FAR = 14
"""Deviations beyond which a Gaussian holds less than 1e-43 of its mass at the place where the sum begins."""

_FINE = 2**12
"""Cells of sensitivity from which on discrete noise is taken for continuous."""


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

    low, high = 0.0, continuous
    while not suffices(high):
        low, high = high, 2 * high
    for _ in range(_BISECTIONS):
        middle = (low + high) / 2
        low, high = (low, middle) if suffices(middle) else (middle, high)
    return high


def _sum_of_masses(variance: Fraction, low: int, high: int, shift: float) -> float:
    """The sum of exp(shift - x²/2σ²) over low <= x < high."""
    cells = np.arange(low, high, dtype=np.float64)
    with np.errstate(under="ignore"):
        return float(np.sum(np.exp(shift - cells * cells / (2 * float(variance)))))
