"""The two additive mechanisms: checked parameters, a price, the scale of the noise, and a release (theorems 7 and 8).

Everything is in grid cells: exact answers are sums of integers, and so are released ones. Sensitivities are those of
the whole vector that is released under one price. They are positive: a vector of sensitivity zero is constant, and
needs no mechanism.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from proxy.dp.accounting import Price
from proxy.dp.exact import finite, positive, positive_count
from proxy.dp.noise import IntegerArray, discrete_gaussian, discrete_laplace
from proxy.dp.tails import gaussian_reach, laplace_reach

Preference = Literal["auto", "laplace", "gaussian"]
Cells = Sequence[int] | NDArray[Any]

_INDISTINGUISHABLE_VARIANCE = 16
"""From here on σ² and the discrete Gaussian's variance differ by less than a part in e^300 (Poisson summation)."""


@dataclass(frozen=True)
class LaplaceMechanism:
    """Discrete Laplace noise of scale Δ₁/ε: ε-DP (geometric mechanism; Ghosh, Roughgarden, Sundararajan 2009).

    Attributes:
        sensitivity: Δ₁ >= 1, the L1 sensitivity of the released vector, in cells.
        epsilon: > 0, the price of the whole vector.

    Raises:
        ValueError: zero, negative or not finite arguments.
        TypeError: a sensitivity that is not an integer.
    """

    name: ClassVar[Literal["laplace"]] = "laplace"
    sensitivity: int
    epsilon: Fraction

    def __post_init__(self) -> None:
        positive_count("the L1 sensitivity", self.sensitivity)
        object.__setattr__(self, "epsilon", positive("epsilon", self.epsilon))

    @property
    def scale(self) -> Fraction:
        """Δ₁/ε, in cells."""
        return self.sensitivity / self.epsilon

    @property
    def price(self) -> Price:
        return Price.laplace(self.epsilon)

    @property
    def standard_deviation(self) -> float:
        """The standard deviation of each released number, in cells."""
        ratio_log = float(1 / self.scale)
        return math.sqrt(2) * math.exp(-ratio_log / 2) / -math.expm1(-ratio_log)

    def half_width(self, confidence: float) -> int:
        """The least h with P[|noise| > h] <= 1 - confidence, in cells.

        Raises:
            ValueError: confidence is not strictly between 0 and 1.
        """
        return _laplace_width(self.scale, confidence)

    def draw(self, size: int) -> IntegerArray:
        """Noise for `size` numbers, in cells."""
        return discrete_laplace(self.scale, size)

    def release(self, exact: Cells, noise: IntegerArray | None = None) -> list[int]:
        """The exact sums plus independent noise, in cells.

        Args:
            exact: the sums.
            noise: as many numbers from `draw`, used nowhere else; drawn now if None, so that the duration depends on
                them.

        Raises:
            TypeError: a sum is not an integer.
        """
        return _add(exact, self.draw(len(exact)) if noise is None else noise)


@dataclass(frozen=True)
class GaussianMechanism:
    """Discrete Gaussian noise of σ² = Δ₂²/(2ρ): ρ-zCDP for every σ (Canonne, Kamath, Steinke 2020).

    Attributes:
        squared_sensitivity: Δ₂² >= 1, the squared L2 sensitivity of the released vector, in cells squared.
        rho: > 0, the price of the whole vector.

    Raises:
        ValueError: zero, negative or not finite arguments.
        TypeError: a sensitivity that is not an integer.
    """

    name: ClassVar[Literal["gaussian"]] = "gaussian"
    squared_sensitivity: int
    rho: Fraction

    def __post_init__(self) -> None:
        positive_count("the squared L2 sensitivity", self.squared_sensitivity)
        object.__setattr__(self, "rho", positive("rho", self.rho))

    @property
    def variance(self) -> Fraction:
        """The parameter σ², in cells squared."""
        return self.squared_sensitivity / (2 * self.rho)

    @property
    def price(self) -> Price:
        return Price.gaussian(self.rho)

    @property
    def standard_deviation(self) -> float:
        """The standard deviation of each released number, in cells."""
        return _gaussian_deviation(self.squared_sensitivity, self.rho)

    def half_width(self, confidence: float) -> int:
        """An h with P[|noise| > h] <= 1 - confidence, in cells: the least one, or slightly more for wide noise.

        Raises:
            ValueError: confidence is not strictly between 0 and 1.
        """
        return _gaussian_width(self.squared_sensitivity, self.rho, confidence)

    def draw(self, size: int) -> IntegerArray:
        """Noise for `size` numbers, in cells."""
        return discrete_gaussian(self.variance, size)

    def release(self, exact: Cells, noise: IntegerArray | None = None) -> list[int]:
        """The exact sums plus independent noise, in cells.

        Args:
            exact: the sums.
            noise: as many numbers from `draw`, used nowhere else; drawn now if None, so that the duration depends on
                them.

        Raises:
            TypeError: a sum is not an integer.
        """
        return _add(exact, self.draw(len(exact)) if noise is None else noise)


Mechanism = LaplaceMechanism | GaussianMechanism


@lru_cache(maxsize=1_000)
def gaussian_rho(epsilon: Fraction) -> Fraction:
    """The ρ that a query's epsilon buys from the Gaussian mechanism: ε²/2, but at most ε (for ε > 2).

    Both bound the ρ of a pure ε-DP release (ε·tanh(ε/2)), so the two mechanisms are compared at about the same price.
    With the first alone, an epsilon of 1e6 would cost ρ = 5e11 with one mechanism and 1e6 with the other.

    Raises:
        ValueError: epsilon is NaN, infinite, zero or negative.
    """
    epsilon = positive("epsilon", epsilon)
    return min(epsilon**2 / 2, epsilon)


# Every answer tells how far its noise goes, and most have noise of a few widths.
@lru_cache(maxsize=512)
def _laplace_width(scale: Fraction, confidence: float) -> int:
    return max(0, laplace_reach(scale, _one_sided(confidence)) - 1)


@lru_cache(maxsize=512)
def _gaussian_width(squared_sensitivity: int, rho: Fraction, confidence: float) -> int:
    return max(0, gaussian_reach(squared_sensitivity / (2 * rho), _one_sided(confidence)) - 1)


@lru_cache(maxsize=512)
def _gaussian_deviation(squared_sensitivity: int, rho: Fraction) -> float:
    variance = squared_sensitivity / (2 * rho)
    if variance >= _INDISTINGUISHABLE_VARIANCE:
        return math.sqrt(variance)
    squares = np.arange(1, 160, dtype=np.float64) ** 2  # 40 σ at the widest: the rest is below the least float
    with np.errstate(under="ignore", over="ignore", divide="ignore"):
        mass = np.exp(-squares / (2 * np.float64(variance)))
    return math.sqrt(2 * float(np.sum(squares * mass)) / (1 + 2 * float(np.sum(mass))))


def _one_sided(confidence: float) -> Fraction:
    level = finite("the confidence", confidence)
    if not 0 < level < 1:
        raise ValueError(f"the confidence must be strictly between 0 and 1, got {confidence}")
    return (1 - level) / 2


def _add(exact: Cells, noise: NDArray[Any]) -> list[int]:
    return [operator.index(number) + drawn for number, drawn in zip(exact, noise.tolist(), strict=True)]
