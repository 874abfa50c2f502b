"""The kinds of noise that a vector can get for the same ε, or the same (ε, δ), and the least of them (theorem 16)."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import Literal

from proxy.dp.calibrated import Calibration, calibrated_rho
from proxy.dp.mechanisms import GaussianMechanism, LaplaceMechanism, Mechanism, Preference, gaussian_rho


@dataclass(frozen=True)
class Candidate:
    """One way to add noise.

    Attributes:
        name: law of the noise.
        calibration: how Gaussian noise is calibrated to (ε, δ); None for Laplace noise, or where only ε is stated.
        mechanism: with sensitivity and price of the whole vector; None if it is not possible.
        reason: why it is not possible; empty if it is.
    """

    name: Literal["laplace", "gaussian"]
    calibration: Calibration | None
    mechanism: Mechanism | None
    reason: str = ""

    @cached_property
    def standard_deviation(self) -> float:
        """The standard deviation of each number, in cells; infinite if the mechanism is not possible."""
        return math.inf if self.mechanism is None else self.mechanism.standard_deviation


@lru_cache(maxsize=1_000, typed=True)
def candidates(
    l1: int,
    l2_squared: int,
    epsilon: Fraction,
    delta: Fraction | None,
    cells: int,
    pure_only: bool,
    calibrations: tuple[Calibration, ...],
) -> tuple[Candidate, ...]:
    """Laplace noise, and Gaussian noise: at the ρ that epsilon buys, or calibrated to a stated delta.

    Args:
        l1: Δ₁ >= 1 of the whole vector, in cells.
        l2_squared: Δ₂² >= 1 of the whole vector, in cells squared.
        epsilon: > 0.
        delta: of the noise, in (0, 1); None if only epsilon is stated.
        cells: >= 1, cells of the least sensitivity of one of the numbers.
        pure_only: an account has δ = 0, so that only Laplace noise is possible.
        calibrations: of Gaussian noise where a delta is stated, one at least.

    Raises:
        ValueError: arguments out of range.
        TypeError: sensitivities or cells that are not integers.
    """
    laplace = Candidate("laplace", None, LaplaceMechanism(l1, epsilon))
    if pure_only:
        return laplace, Candidate(
            "gaussian", None, None, "an account that pays has delta 0, and this noise is not pure"
        )
    if delta is None:
        return laplace, Candidate("gaussian", None, GaussianMechanism(l2_squared, gaussian_rho(epsilon)))
    return laplace, *(_calibrated(l2_squared, epsilon, delta, cells, calibration) for calibration in calibrations)


def choose(
    found: Sequence[Candidate],
    preference: Preference = "auto",
    weight: Callable[[Candidate], float] = lambda _: 1.0,
) -> Candidate:
    """Choose one of the candidates.

    `auto` chooses the least standard deviation; if two are equal the pure one, which counts as pure ε too.

    Args:
        found: from `candidates`; if it is a single one, there is no choice.
        preference: what the policy or the session asks for.
        weight: by which `auto` multiplies the standard deviation of a possible candidate.

    Raises:
        ValueError: Gaussian noise, or a calibration of it, is asked for and not possible.
    """
    if len(found) == 1:
        return found[0]
    laplace, *others = found
    gaussian = min(others, key=lambda candidate: candidate.standard_deviation)
    if preference == "laplace":
        return laplace
    if gaussian.mechanism is None and (preference == "gaussian" or gaussian.calibration is not None):
        raise ValueError(gaussian.reason)
    if preference == "gaussian":
        return gaussian
    possible = [candidate for candidate in (laplace, gaussian) if candidate.mechanism is not None]
    return min(possible, key=lambda candidate: candidate.standard_deviation * weight(candidate))


def _calibrated(l2_squared: int, epsilon: Fraction, delta: Fraction, cells: int, calibration: Calibration) -> Candidate:
    try:
        rho = calibrated_rho(calibration, epsilon, delta, cells)
    except ValueError as error:
        return Candidate("gaussian", calibration, None, str(error))
    return Candidate("gaussian", calibration, GaussianMechanism(l2_squared, rho))
