"""How far integer noise reaches: the least m with P[noise >= m] <= p, exact or rigorously rounded up.

Thresholds of key selection and confidence intervals are built from these. Probabilities are exact rationals, so that a
tail of 1e-300 does not vanish.
"""

from __future__ import annotations

import math
from fractions import Fraction
from statistics import NormalDist

import numpy as np

from proxy.dp.exact import positive, precise, square_root_above, to_decimal

_NARROW_VARIANCE = 2**14
"""Discrete Gaussians up to this variance are summed; wider ones have a continuous bound, at the cost of two cells."""

_LEAST_SUMMED = Fraction(1, 10**280)
"""Smaller probabilities would leave the range of floats; they have the subgaussian bound."""

_LEAST_VARIANCE = 1e-300
"""Narrower noise is treated as this wide: it is zero with the same certainty, and floats do not underflow."""

_FLOAT_SLACK = 1e-9
"""Far more than the relative error of a float sum of some thousand positive terms or of a normal quantile."""


def laplace_reach(scale: Fraction, probability: Fraction) -> int:
    """The least m >= 0 with P[X >= m] <= p for discrete Laplace noise, from P[X >= m] = e^(-m/t) / (1 + e^(-1/t)).

    Args:
        scale: t > 0, in cells.
        probability: p in (0, 1/2].

    Raises:
        ValueError: arguments outside of that, or not finite.
    """
    scale, probability = positive("the scale", scale), _at_most_half(probability)
    with precise():
        mass = to_decimal(probability) * (1 + (-1 / to_decimal(scale)).exp())
        reach = -Fraction(mass.ln()) * scale
    return max(0, math.ceil(reach * (1 + Fraction(1, 10**40))))


def gaussian_reach(variance: Fraction, probability: Fraction) -> int:
    """An m >= 0 with P[X >= m] <= p for discrete Gaussian noise.

    It is the least one for variances up to 2**14; for wider noise at most two cells, or a part in 1e8, more; for p
    below 1e-280 a few per cent more.

    Args:
        variance: σ² > 0, in cells squared.
        probability: p in (0, 1/2].

    Raises:
        ValueError: arguments outside of that, or not finite.
    """
    variance, probability = positive("the variance", variance), _at_most_half(probability)
    if probability < _LEAST_SUMMED:
        return _subgaussian_reach(variance, probability)
    if variance > _NARROW_VARIANCE:
        return continuous_reach(variance, probability)
    return _summed_reach(max(float(variance), _LEAST_VARIANCE), float(probability))


def continuous_reach(variance: Fraction, probability: Fraction) -> int:
    """An m >= 1 with P[X >= m] <= p for discrete Gaussian noise of any width: 1 + ⌈σ·Φ⁻¹(1 - p)⌉.

    Canonne, Kamath, Steinke 2020: P[X >= m] <= P[N(0, σ²) >= m - 1], since Σ_{x>=m} exp(-x²/2σ²) is at
    most the integral from m - 1, and Σ_x exp(-x²/2σ²) is at least √(2πσ²) by Poisson summation.

    Args:
        variance: σ² > 0, in cells squared.
        probability: p in (0, 1/2].
    """
    return 1 + math.ceil(square_root_above(variance) * normal_reach(probability))


def normal_reach(probability: Fraction) -> Fraction:
    """A z, rounded up, with P[N(0, 1) >= z] <= p.

    Args:
        probability: p in (0, 1/2]; below 1e-280 the bound P <= exp(-z²/2) is used instead of the quantile.
    """
    if probability < _LEAST_SUMMED:
        quantile = math.sqrt(2 * _log_inverse(probability))
    else:
        quantile = -NormalDist().inv_cdf(float(probability))
    return Fraction(quantile * (1 + _FLOAT_SLACK) + _FLOAT_SLACK)


def _summed_reach(variance: float, probability: float) -> int:
    """The least m, up to a part in 1e9 of p, by summing the law from its far end, small terms first."""
    # Beyond this the law has less than a part in e^40 of p, which the slack covers.
    end = math.ceil(math.sqrt(2 * variance * (40 - math.log(probability)))) + 2
    with np.errstate(under="ignore"):
        mass = np.exp(-(np.arange(end, dtype=np.float64) ** 2) / (2 * variance))
    tails = np.cumsum(mass[::-1])[::-1]  # tails[m] ∝ P[X >= m]
    total = 2 * tails[0] - 1
    enough = np.flatnonzero(tails * (1 + _FLOAT_SLACK) <= probability * total)
    return int(enough[0])


def _subgaussian_reach(variance: Fraction, probability: Fraction) -> int:
    """⌈σ·√(2 ln(1/p))⌉: P[X >= m] <= exp(-m²/2σ²) (Canonne, Kamath, Steinke 2020)."""
    return math.ceil(square_root_above(variance) * normal_reach(probability))


def _log_inverse(probability: Fraction) -> float:
    return math.log(probability.denominator) - math.log(probability.numerator)


def _at_most_half(probability: Fraction) -> Fraction:
    probability = positive("the probability", probability)
    if probability > Fraction(1, 2):
        raise ValueError(f"the probability must be at most one half, got {probability}")
    return probability
