"""Noise for a vector at a stated (ε, δ): the discrete noise keeps what the calibration promises (theorem 16)."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import mpmath
import numpy as np
import pytest
from dp_accounting.pld import privacy_loss_distribution as pld

from proxy.dp.calibrated import _ROUNDING, CALIBRATIONS, Calibration, calibrated_rho
from proxy.dp.calibration import analytic_gaussian_delta, analytic_gaussian_sigma
from proxy.dp.conversion import largest_rho
from proxy.dp.mechanisms import GaussianMechanism, gaussian_rho
from tests.dp.discrete_gaussian import discrete_gaussian_delta

pytestmark = pytest.mark.statistical

DELTA = Fraction(1, 10**5)
CELLS = 1024


def vector_delta(shifts: list[int], variance: float, epsilon: float) -> float:
    """Σ over the whole lattice of max(0, P[y] - e^ε·P[y - shift]), by the definition."""
    reach = math.ceil(9 * math.sqrt(variance)) + max(shifts)
    axis = np.arange(-reach, reach + 1, dtype=np.float64)
    mass = np.exp(-(axis**2) / (2 * variance))
    mass /= mass.sum()
    joint, loss = np.array(1.0), np.array(0.0)
    for shift in shifts:
        joint = np.multiply.outer(joint, mass)
        loss = np.add.outer(loss, (shift**2 - 2 * shift * axis) / (2 * variance))
    return float((joint * np.maximum(0, -np.expm1(epsilon - loss))).sum())


@pytest.mark.parametrize("calibration", CALIBRATIONS)
@pytest.mark.parametrize(("epsilon", "delta"), [("0.9", "1e-5"), ("0.5", "0.01"), ("0.99", "0.2")])
@pytest.mark.parametrize("shifts", [[1], [2], [3], [1, 1], [2, 1], [1, 1, 1]], ids=str)
def test_a_vector_with_few_cells_keeps_the_stated_delta(
    calibration: Calibration, epsilon: str, delta: str, shifts: list[int]
) -> None:
    """The noise is made for sensitivities of one cell or more, where discrete and continuous noise differ the most."""
    squared = sum(shift**2 for shift in shifts)
    rho = calibrated_rho(calibration, Fraction(epsilon), Fraction(delta), 1)
    variance = float(GaussianMechanism(squared, rho).variance)
    assert vector_delta(shifts, variance, float(epsilon)) <= float(delta)


def test_the_continuous_curve_itself_is_not_valid_for_a_vector_of_few_cells() -> None:
    """Without r² the noise would break the promise: the margin is needed."""
    for shifts in ([1], [1, 1], [2, 1]):
        continuous = analytic_gaussian_sigma(3, 1e-3, math.hypot(*shifts)) ** 2
        assert vector_delta(shifts, continuous, 3.0) > 1.01e-3
        assert vector_delta(shifts, continuous + _ROUNDING, 3.0) < 1e-3


@pytest.mark.parametrize("cells", [1, 3, 64, CELLS])
@pytest.mark.parametrize("epsilon", [Fraction(1, 10), Fraction(1), Fraction(3)], ids=float)
def test_one_number_keeps_the_stated_delta_by_the_exact_sum(epsilon: Fraction, cells: int) -> None:
    """Canonne, Kamath and Steinke 2020, Theorem 7, of the noise that is added; and with a fine grid it is tight."""
    mechanism = GaussianMechanism(cells**2, calibrated_rho("analytic", epsilon, DELTA, cells))
    exact = discrete_gaussian_delta(mechanism.variance, epsilon, cells)
    assert exact <= 1e-5
    if cells == CELLS:
        assert exact >= 0.999e-5


def test_one_number_keeps_the_stated_delta_by_dp_accounting() -> None:
    sigma = math.sqrt(GaussianMechanism(64, calibrated_rho("analytic", Fraction(1), DELTA, 8)).variance)
    other = pld.from_discrete_gaussian_mechanism(sigma, sensitivity=8, value_discretization_interval=1e-5)
    assert other.get_delta_for_epsilon(1.0) <= 1e-5


@pytest.mark.parametrize(
    ("epsilon", "statistics", "sigma"),
    [
        (Fraction(1), 1, 3.73063),
        (Fraction(1), 50, 26.3795),
        (Fraction(math.log(3)), 1, 3.42466),
        (Fraction(math.log(3)), 50, 24.2160),
    ],
)
def test_analytic_noise_on_a_fine_grid_is_that_of_the_reference_table(
    epsilon: Fraction, statistics: int, sigma: float
) -> None:
    mechanism = GaussianMechanism(statistics * CELLS**2, calibrated_rho("analytic", epsilon, DELTA, CELLS))
    assert mechanism.standard_deviation / CELLS == pytest.approx(sigma, rel=3e-6)


def test_classic_noise_is_that_of_the_reference_table_and_ends_at_one() -> None:
    almost = 1 - Fraction(1, 10**9)
    mechanism = GaussianMechanism(CELLS**2, calibrated_rho("classic", almost, DELTA, CELLS))
    assert mechanism.standard_deviation / CELLS == pytest.approx(4.8448, abs=5e-5)
    with pytest.raises(ValueError, match="proven only for epsilon below 1, got 1"):
        calibrated_rho("classic", Fraction(1), DELTA, CELLS)


def test_zcdp_is_the_conversion_whatever_the_grid() -> None:
    for cells in (1, CELLS):
        assert calibrated_rho("zcdp", Fraction(1), DELTA, cells) == largest_rho(Fraction(1), DELTA)


@pytest.mark.parametrize("delta", ["1e-9", "1e-5", "0.1", "0.4", "0.9"])
@pytest.mark.parametrize("epsilon", ["0.001", "0.1", "0.5", "0.999"])
def test_classic_noise_is_never_less_than_one_release_needs(epsilon: str, delta: str) -> None:
    rho = calibrated_rho("classic", Fraction(epsilon), Fraction(delta), CELLS)
    assert analytic_gaussian_delta(math.sqrt(1 / (2 * rho)), float(epsilon), 1.0) <= float(delta)


def test_no_calibration_costs_more_than_epsilon_alone_buys() -> None:
    """Else a large delta would lift the limit that a policy sets for epsilon."""
    for calibration, epsilon in itertools.product(CALIBRATIONS, (Fraction(1, 1000), Fraction(1, 10), Fraction(9, 10))):
        assert calibrated_rho(calibration, epsilon, Fraction(99, 100), CELLS) == gaussian_rho(epsilon)


def test_a_huge_epsilon_is_as_cheap_in_noise_as_by_conversion() -> None:
    huge = Fraction(10**9)
    assert calibrated_rho("analytic", huge, DELTA, CELLS) == largest_rho(huge, DELTA)


@pytest.mark.parametrize("calibration", ["zcdp", "analytic"])
@pytest.mark.parametrize("epsilon", [0, -1, float("nan"), float("inf")])
def test_calibrations_refuse_an_epsilon_that_is_not_positive(calibration: Calibration, epsilon: float) -> None:
    with pytest.raises(ValueError, match="epsilon must be"):
        calibrated_rho(calibration, epsilon, DELTA, CELLS)


@pytest.mark.parametrize("delta", [Fraction(0), Fraction(1), Fraction(-1)])
def test_calibrations_refuse_a_delta_that_is_no_probability(delta: Fraction) -> None:
    with pytest.raises(ValueError, match="delta must be"):
        calibrated_rho("analytic", Fraction(1), delta, CELLS)


def test_calibrations_refuse_what_no_noise_is_wide_enough_for() -> None:
    with pytest.raises(ValueError, match="no noise is wide enough"):
        calibrated_rho("zcdp", Fraction(1, 10**30), Fraction(1, 10**300), CELLS)
    for epsilon, delta in ((Fraction(1, 10**31), DELTA), (Fraction(1), Fraction(1, 10**251))):
        with pytest.raises(ValueError, match="too small to calibrate noise to"):
            calibrated_rho("analytic", epsilon, delta, CELLS)


@pytest.mark.parametrize("delta", [Fraction(1, 10**200), Fraction(1, 10**9), Fraction(1, 3)], ids=float)
@pytest.mark.parametrize("epsilon", [Fraction(1, 90), Fraction(1, 7), Fraction(999, 1000)], ids=float)
def test_the_rounding_of_floats_is_far_inside_the_slack(epsilon: Fraction, delta: Fraction) -> None:
    """Half of the slack is left, computed with 60 digits; the floats' errors are below a part in 1e14."""
    rho = calibrated_rho("classic", epsilon, delta, CELLS)
    kept = 1 - mpmath.mpf(10) ** -12 / 2
    with mpmath.workdps(60):
        stated, chance = (mpmath.mpf(part.numerator) / part.denominator * kept for part in (epsilon, delta))
        needed = 2 * mpmath.log(mpmath.mpf("1.25") / chance) / stated**2
        continuous = 1 / (2 * rho) - Fraction(_ROUNDING, CELLS**2)
        assert mpmath.mpf(continuous.numerator) / continuous.denominator >= needed
