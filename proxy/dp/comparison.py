"""Which noise is the least at the same (ε, δ), for a person who contributes to k statistics (MATH section 3)."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Final, Literal

from proxy.dp.accounting import Price
from proxy.dp.calibration import analytic_gaussian_sigma, classic_gaussian_sigma, zcdp_gaussian_sigma
from proxy.dp.exact import non_negative, positive, positive_count, probability

Calibration = Literal["zcdp", "analytic", "classic"]

_SIGMAS: Final[dict[Calibration, Callable[[float, float, float], float]]] = {
    "zcdp": zcdp_gaussian_sigma,
    "analytic": analytic_gaussian_sigma,
    "classic": classic_gaussian_sigma,
}


@dataclass(frozen=True)
class Candidate:
    """One way to answer.

    Attributes:
        mechanism: law of the noise.
        calibration: how Gaussian noise was made to fit (ε, δ); None for Laplace noise.
        standard_deviation: of each statistic, in units of its own sensitivity; infinite if the noise is not possible.
        price: what an account is charged; None if the noise is not possible.
        reason: why it is not possible; empty if it is.
    """

    mechanism: Literal["laplace", "gaussian"]
    calibration: Calibration | None
    standard_deviation: float
    price: Price | None
    reason: str = ""


@dataclass(frozen=True)
class Comparison:
    """All candidates, the one with the least noise first."""

    candidates: tuple[Candidate, ...]

    @property
    def best(self) -> Candidate:
        """The least standard deviation; of two equal ones Laplace's, which fits on both rails."""
        return self.candidates[0]


def best_for(
    epsilon: Fraction, delta: Fraction, statistics: int, calibrations: tuple[Calibration, ...] = ("zcdp", "analytic")
) -> Comparison:
    """Compare Laplace and Gaussian noise for k statistics, all of which one unit can change by 1.

    The k numbers have Δ₁ = k and Δ₂ = √k. Continuous formulas, for display: what is charged is the noise's own ρ.

    Args:
        epsilon: > 0, of all statistics together.
        delta: in [0, 1), of all statistics together; with 0 only Laplace noise is possible.
        statistics: k >= 1.
        calibrations: of Gaussian noise.

    Raises:
        ValueError: arguments outside of that, or not finite.
        TypeError: a number of statistics that is not an integer.
    """
    epsilon, delta = positive("epsilon", epsilon), non_negative("delta", delta)
    if delta > 0:
        probability("delta", delta)
    positive_count("the number of statistics", statistics)
    laplace = Candidate("laplace", None, math.sqrt(2) * statistics / float(epsilon), Price.laplace(epsilon))
    gaussians = (_gaussian(epsilon, delta, statistics, calibration) for calibration in calibrations)
    return Comparison(tuple(sorted((laplace, *gaussians), key=lambda candidate: candidate.standard_deviation)))


def _gaussian(epsilon: Fraction, delta: Fraction, statistics: int, calibration: Calibration) -> Candidate:
    if delta == 0:
        return Candidate("gaussian", calibration, math.inf, None, "Gaussian noise is not pure: it needs delta > 0")
    try:
        sigma = _SIGMAS[calibration](float(epsilon), float(delta), math.sqrt(statistics))
    except ValueError as error:
        return Candidate("gaussian", calibration, math.inf, None, str(error))
    return Candidate("gaussian", calibration, sigma, Price.gaussian(statistics / (2 * Fraction(sigma) ** 2)))
