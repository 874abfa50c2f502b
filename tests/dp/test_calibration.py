"""Reference values of theorem 16, and noise for a given (ε, δ) against that of other libraries."""

from __future__ import annotations

import math
from fractions import Fraction

import mpmath
import pytest
from dp_accounting.pld import privacy_loss_distribution as pld

from proxy.dp.calibration import (
    analytic_gaussian_delta,
    analytic_gaussian_sigma,
    classic_gaussian_sigma,
)
from tests.dp.conversion import conversion_delta
from tests.dp.discrete_gaussian import discrete_gaussian_delta, discrete_gaussian_sigma

pytestmark = pytest.mark.statistical


@pytest.mark.parametrize(
    ("epsilon", "sensitivity", "sigma"),
    [(1, 1, 3.73063), (1, math.sqrt(50), 26.3795), (math.log(3), 1, 3.42466), (math.log(3), math.sqrt(50), 24.2160)],
)
def test_analytic_gaussian_matches_the_reference_table(epsilon: float, sensitivity: float, sigma: float) -> None:
    found = analytic_gaussian_sigma(epsilon, 1e-5, sensitivity)
    assert found == pytest.approx(sigma, rel=3e-6)
    assert analytic_gaussian_delta(found, epsilon, sensitivity) == pytest.approx(1e-5, rel=1e-9)


def test_the_classic_gaussian_is_refused_where_it_is_not_proven() -> None:
    assert classic_gaussian_sigma(1 - 1e-12, 1e-5, 1) == pytest.approx(4.8448, abs=5e-5)
    with pytest.raises(ValueError, match="proven only for 0 < epsilon < 1"):
        classic_gaussian_sigma(1.0, 1e-5, 1)
    with pytest.raises(ValueError, match="epsilon must be"):
        classic_gaussian_sigma(0.0, 1e-5, 1)


def test_discrete_gaussian_needs_more_noise_than_the_continuous_formula_says() -> None:
    assert discrete_gaussian_delta(Fraction("3.7306") ** 2, Fraction(1), 1) == pytest.approx(1.0346e-5, rel=1e-4)
    assert discrete_gaussian_delta(Fraction("3.74048") ** 2, Fraction(1), 1) == pytest.approx(1e-5, rel=2e-5)
    assert discrete_gaussian_sigma(1, 1e-5, 1) == pytest.approx(3.74048, abs=5e-6)


def advanced_composition(count: int, epsilon: float, delta: float) -> float:
    """The formula as it is published (Dwork and Roth 2014, Theorem 3.20)."""
    return math.sqrt(2 * count * math.log(1 / delta)) * epsilon + count * epsilon * math.expm1(epsilon)


def test_ten_thousand_small_queries_compose_as_in_the_reference_table() -> None:
    assert advanced_composition(10_000, 0.01, 1e-6) == pytest.approx(6.2615, abs=5e-5)
    rho = 10_000 * Fraction(1, 100) ** 2 / 2
    assert conversion_delta(rho, Fraction("5.22155")) <= 1e-6
    assert conversion_delta(rho, Fraction("5.22145")) > 1e-6
    laplace = pld.from_laplace_mechanism(100, sensitivity=1, value_discretization_interval=1e-4)
    assert laplace.self_compose(10_000).get_epsilon_for_delta(1e-6) == pytest.approx(4.876, abs=1e-3)


def exact_discrete_delta(variance: Fraction, epsilon: Fraction, sensitivity: int) -> float:
    """Σ max(0, P[X = x] - e^ε·P[X + Δ = x]), the definition, in 40 digits."""
    with mpmath.workdps(40):
        reach = int(15 * math.sqrt(variance)) + sensitivity + 2
        doubled = 2 * mpmath.mpf(variance.numerator) / variance.denominator
        mass = {x: mpmath.exp(-x * x / doubled) for x in range(-reach - sensitivity, reach + 1)}
        total = mpmath.fsum(mass.values())
        growth = mpmath.exp(mpmath.mpf(epsilon.numerator) / epsilon.denominator)
        excess = (mass[x] - growth * mass[x - sensitivity] for x in range(-reach, reach + 1))
        return float(mpmath.fsum(mass for mass in excess if mass > 0) / total)


@pytest.mark.parametrize("variance", [Fraction(1, 3), Fraction(14), Fraction(900)], ids=float)
@pytest.mark.parametrize("epsilon", [Fraction(1, 10), Fraction(1), Fraction(8)], ids=float)
@pytest.mark.parametrize("sensitivity", [1, 7])
def test_discrete_delta_is_that_of_the_definition(variance: Fraction, epsilon: Fraction, sensitivity: int) -> None:
    expected = exact_discrete_delta(variance, epsilon, sensitivity)
    assert discrete_gaussian_delta(variance, epsilon, sensitivity) == pytest.approx(expected, rel=1e-9, abs=1e-15)


@pytest.mark.parametrize("sensitivity", [1, 3, 10])
def test_discrete_delta_is_that_of_dp_accounting(sensitivity: int) -> None:
    sigma = 4 * sensitivity
    other = pld.from_discrete_gaussian_mechanism(sigma, sensitivity=sensitivity, value_discretization_interval=1e-5)
    found = discrete_gaussian_delta(Fraction(sigma) ** 2, Fraction(1), sensitivity)
    assert found == pytest.approx(other.get_delta_for_epsilon(1.0), rel=1e-3)
    assert found <= other.get_delta_for_epsilon(1.0)  # it rounds losses up


@pytest.mark.parametrize("sensitivity", [1, 4, 200, 10_000])
@pytest.mark.parametrize("epsilon", [0.1, 1.0, 10.0])
def test_discrete_sigma_suffices_and_is_tight(epsilon: float, sensitivity: int) -> None:
    sigma = discrete_gaussian_sigma(epsilon, 1e-6, sensitivity)
    assert discrete_gaussian_delta(Fraction(sigma) ** 2, Fraction(epsilon), sensitivity) <= 1e-6 * (1 + 1e-6)
    smaller = Fraction(sigma) ** 2 * Fraction(99, 100)
    assert discrete_gaussian_delta(smaller, Fraction(epsilon), sensitivity) > 1e-6
