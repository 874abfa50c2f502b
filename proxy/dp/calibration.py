"""Noise for one release at a given (ε, δ): for reference and for display (MATH section 3).

The product charges ρ and never calibrates to (ε, δ); these say what a familiar (ε, δ) would mean. Results are floats,
accurate to about ten digits, and no guarantee rests on them.
"""

from __future__ import annotations

import math
from fractions import Fraction

import mpmath

from proxy.dp.exact import positive, positive_count, probability

_DIGITS = 40


def analytic_gaussian_delta(sigma: float, epsilon: float, sensitivity: float) -> float:
    """The exact δ of continuous Gaussian noise (Balle and Wang 2018, Theorem 8). Not valid for discrete noise.

    Args:
        sigma: standard deviation > 0.
        epsilon: > 0.
        sensitivity: Δ₂ > 0, in the unit of sigma.

    Raises:
        ValueError: NaN, infinite, zero or negative arguments.
    """
    with mpmath.workdps(_DIGITS):
        width = mpmath.mpf(float(positive("sigma", sigma)))
        shift = mpmath.mpf(float(positive("the sensitivity", sensitivity))) / (2 * width)
        target = mpmath.mpf(float(positive("epsilon", epsilon)))
        offset = target / (2 * shift)
        return float(mpmath.ncdf(shift - offset) - mpmath.exp(target) * mpmath.ncdf(-shift - offset))


def analytic_gaussian_sigma(epsilon: float, delta: float, sensitivity: float) -> float:
    """The least σ of continuous Gaussian noise that is (ε, δ)-DP, by bisection of `analytic_gaussian_delta`.

    Raises:
        ValueError: arguments that are not finite or out of range.
    """
    target = float(probability("delta", delta))
    high = float(positive("the sensitivity", sensitivity))
    while analytic_gaussian_delta(high, epsilon, sensitivity) > target:
        high *= 2
    low = high
    while analytic_gaussian_delta(low, epsilon, sensitivity) <= target:
        low /= 2
    for _ in range(50):
        middle = (low + high) / 2
        if analytic_gaussian_delta(middle, epsilon, sensitivity) > target:
            low = middle
        else:
            high = middle
    return high


def classic_gaussian_sigma(epsilon: float, delta: float, sensitivity: float) -> float:
    """σ = √(2 ln(1.25/δ))·Δ₂/ε (Dwork and Roth 2014, Theorem A.1).

    Raises:
        ValueError: epsilon is not below 1, where the theorem ends; other arguments not finite or out of range.
    """
    if positive("epsilon", epsilon) >= 1:
        raise ValueError(f"the classic Gaussian mechanism is proven for 0 < epsilon < 1 only, not for {epsilon}")
    chance = float(probability("delta", delta))
    return math.sqrt(2 * math.log(1.25 / chance)) * float(positive("the sensitivity", sensitivity)) / epsilon


def discrete_gaussian_delta(variance: Fraction, epsilon: Fraction, sensitivity: int) -> float:
    """The exact δ of discrete Gaussian noise on one number (Canonne, Kamath, Steinke 2020, Theorem 7).

    δ = P[X > εσ²/Δ - Δ/2] - e^ε·P[X > εσ²/Δ + Δ/2]. Meant for noise of up to some thousand cells.

    Args:
        variance: σ² > 0, in cells squared.
        epsilon: > 0.
        sensitivity: Δ >= 1, in cells.

    Raises:
        ValueError: arguments that are not finite or out of range.
    """
    variance, epsilon = positive("the variance", variance), positive("epsilon", epsilon)
    positive_count("the sensitivity", sensitivity)
    centre, half = epsilon * variance / sensitivity, Fraction(sensitivity, 2)
    near, far = math.floor(centre - half) + 1, math.floor(centre + half) + 1
    with mpmath.workdps(_DIGITS):
        doubled = mpmath.mpf((2 * variance).numerator) / (2 * variance).denominator
        end = max(abs(near), abs(far)) + int(mpmath.sqrt(doubled * 100)) + 2  # the rest is below e^-100
        mass = [mpmath.exp(-mpmath.mpf(x * x) / doubled) for x in range(end)]
        total = 2 * mpmath.fsum(mass) - 1
        growth = mpmath.exp(mpmath.mpf(epsilon.numerator) / epsilon.denominator)
        upper = mpmath.fsum(mass[abs(x)] for x in range(near, far))
        return float((upper + (1 - growth) * mpmath.fsum(mass[abs(x)] for x in range(far, end))) / total)
