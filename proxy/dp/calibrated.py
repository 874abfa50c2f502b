"""The discrete Gaussian noise with which the release of a whole vector is (ε, δ)-DP (theorem 16).

The result is a ρ: noise of σ² = Δ²/(2ρ_j) on each part, with Σ ρ_j = ρ. `zcdp` converts it by Canonne, Kamath and
Steinke 2020, which holds for discrete noise. The other two calibrations are theorems on continuous noise, and the exact
curve of discrete noise (their Theorem 7) is for a single number. A vector gets the continuous noise and a little more,
by the following argument.

**Discrete noise from continuous noise.** Let Y = x + N(0, s²) for an integer x. Send Y to the integer z with chance
exp(-(z - Y)²/2r²)/Θ(Y), where Θ(y) = Σ_z exp(-(z - y)²/2r²). By Poisson summation Θ(y) is r√(2π) times
1 + 2 Σ_{k>=1} exp(-2π²r²k²)·cos(2πky), which is within 1 ± η for η = 2 Σ_{k>=1} exp(-2π²r²k²). The convolution of two
Gaussians is the Gaussian of their variances' sum σ² = s² + r², so z has the probability

    ∫ φ_s(y - x)·exp(-(z - y)²/2r²)/Θ(y) dy,  within a factor of [1/(1 + η), 1/(1 - η)] of  φ_σ(z - x).

The discrete Gaussian of variance σ² around x is φ_σ(z - x)/(1 + η'), 0 < η' <= η. So it is within a factor of
[(1 - η)/(1 + η), 1 + η] of a randomised function of continuous noise, one that does not depend on x. (Lattice
cryptography samples in this way: Peikert 2010.)

**The vector.** Numbers that one unit does not change have the same law with and without it. There are fewer than 2**64
others: a vector has to fit into a memory. If continuous noise of variance σ² - r² makes them (ε', δ')-DP, then discrete
noise of variance σ² makes them (ε' + 4·2**64·η, δ'·exp(2**64·η))-DP, because post-processing costs nothing and the
factors multiply. With r² = 8 cells², η < 1e-68, and both are far inside the slack below.

**The price.** Part j has a sensitivity Δ_j of at least `cells` cells, and continuous noise for a sensitivity of 1
needs a variance of s². Then σ_j² = Δ_j²·(ρ/ρ_j)·(s² + r²/cells²) is at least Δ_j²·(ρ/ρ_j)·s² after r² is subtracted, as
ρ >= ρ_j. So ρ = 1/(2(s² + r²/cells²)): with 1024 cells, r² adds a millionth to σ at ε = 1, δ = 1e-5.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from typing import Final, Literal, get_args

from proxy.dp.calibration import analytic_gaussian_sigma, classic_gaussian_sigma
from proxy.dp.conversion import QUANTUM, largest_rho
from proxy.dp.exact import floor_to, positive, positive_count, probability
from proxy.dp.mechanisms import gaussian_rho

Calibration = Literal["zcdp", "analytic", "classic"]
CALIBRATIONS: Final[tuple[Calibration, ...]] = get_args(Calibration)

_ROUNDING: Final = 8
"""r², in cells²: the variance that turns continuous noise into discrete noise."""

_SLACK: Final = Fraction(1, 10**12)
"""Relative slack of ε and δ, for the factors of the proof and the rounding of floats, which are all below 1e-14."""

_LEAST: Final = Fraction(1, 10**30)
_LEAST_DELTA: Final = Fraction(1, 10**250)
"""Smaller ones would leave the range in which the slack and floats suffice."""


@lru_cache(maxsize=1024)
def calibrated_rho(calibration: Calibration, epsilon: Fraction, delta: Fraction, cells: int) -> Fraction:
    """The ρ of a vector of discrete Gaussian noise whose release is (ε, δ)-DP; a multiple of `QUANTUM`.

    Never more than `gaussian_rho`, so that a limit on epsilon limits the price whatever delta is stated.

    Args:
        calibration: `zcdp`; `analytic` (Balle and Wang 2018, Theorem 8); `classic` (Dwork and Roth 2014, Theorem A.1).
        epsilon: > 0; below 1 for `classic`.
        delta: in (0, 1).
        cells: >= 1, cells of the least sensitivity of a part of the vector.

    Raises:
        ValueError: arguments outside of that, not finite, or so small that there is no such ρ.
        TypeError: a number of cells that is not an integer.
    """
    epsilon, delta = positive("epsilon", epsilon), probability("delta", delta)
    positive_count("the number of cells", cells)
    converted = largest_rho(epsilon, delta)
    if calibration == "zcdp":
        rho = converted
    else:
        variance = _continuous_variance(calibration, epsilon, delta) + Fraction(_ROUNDING, cells**2)
        rho = floor_to(1 / (2 * variance), QUANTUM)
    if calibration == "analytic":
        # Noise of a few cells at a large epsilon is less by the other proof, which holds as well.
        rho = max(rho, converted)
    if rho == 0:
        raise ValueError(f"no noise is wide enough for epsilon = {float(epsilon):g} and delta = {float(delta):g}")
    return min(rho, gaussian_rho(epsilon))


def _continuous_variance(calibration: Calibration, epsilon: Fraction, delta: Fraction) -> Fraction:
    """s² of continuous noise for sensitivity 1, rounded up."""
    if epsilon < _LEAST or delta < _LEAST_DELTA:
        raise ValueError(f"epsilon = {float(epsilon):g} or delta = {float(delta):g} is too small to calibrate noise to")
    if calibration == "classic" and epsilon >= 1:
        raise ValueError(f"the classic calibration is proven only for epsilon below 1, got {float(epsilon):g}")
    sigma = classic_gaussian_sigma if calibration == "classic" else analytic_gaussian_sigma
    return Fraction(sigma(float(epsilon * (1 - _SLACK)), float(delta * (1 - _SLACK)), 1.0)) ** 2
