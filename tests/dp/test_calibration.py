"""The reference table of MATH section 3, and noise for a given (ε, δ) against that of other libraries."""

from __future__ import annotations

import math
from fractions import Fraction

import mpmath
import pytest
from dp_accounting.pld import privacy_loss_distribution as pld

from proxy.dp.accounting import Price
from proxy.dp.calibration import (
    analytic_gaussian_delta,
    analytic_gaussian_sigma,
    classic_gaussian_sigma,
    discrete_gaussian_delta,
    discrete_gaussian_sigma,
    zcdp_gaussian_sigma,
)
from proxy.dp.comparison import best_for
from proxy.dp.conversion import conversion_delta, largest_rho

DELTA = Fraction(1, 10**5)


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
    with pytest.raises(ValueError, match="proven for 0 < epsilon < 1 only"):
        classic_gaussian_sigma(1.0, 1e-5, 1)
    with pytest.raises(ValueError, match="epsilon must be"):
        classic_gaussian_sigma(0.0, 1e-5, 1)


def test_discrete_gaussian_needs_more_noise_than_the_continuous_formula_says() -> None:
    assert discrete_gaussian_delta(Fraction("3.7306") ** 2, Fraction(1), 1) == pytest.approx(1.0346e-5, rel=1e-4)
    assert discrete_gaussian_delta(Fraction("3.74048") ** 2, Fraction(1), 1) == pytest.approx(1e-5, rel=2e-5)
    assert discrete_gaussian_sigma(1, 1e-5, 1) == pytest.approx(3.74048, abs=5e-6)


@pytest.mark.parametrize(("epsilon", "statistics"), [(Fraction(1), 7), (Fraction(math.log(3)), 8)], ids=["1", "ln 3"])
def test_gaussian_beats_laplace_from_the_reference_number_of_statistics(epsilon: Fraction, statistics: int) -> None:
    assert best_for(epsilon, DELTA, statistics).best.mechanism == "gaussian"
    assert best_for(epsilon, DELTA, statistics).best.calibration == "analytic"
    assert best_for(epsilon, DELTA, statistics - 1).best.mechanism == "laplace"


def advanced_composition(count: int, epsilon: float, delta: float) -> float:
    """MATH's formula as it stands there (Dwork and Roth 2014, Theorem 3.20)."""
    return math.sqrt(2 * count * math.log(1 / delta)) * epsilon + count * epsilon * math.expm1(epsilon)


def test_ten_thousand_small_queries_compose_as_in_the_reference_table() -> None:
    assert advanced_composition(10_000, 0.01, 1e-6) == pytest.approx(6.2615, abs=5e-5)
    rho = 10_000 * Fraction(1, 100) ** 2 / 2
    assert float(conversion_delta(rho, Fraction("5.22155"))) <= 1e-6
    assert float(conversion_delta(rho, Fraction("5.22145"))) > 1e-6
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
        return float(mpmath.fsum(one for one in excess if one > 0) / total)


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


def test_zcdp_noise_is_wider_than_one_release_needs() -> None:
    sigma = zcdp_gaussian_sigma(1, 1e-5, 3)
    assert sigma == pytest.approx(3 / math.sqrt(2 * largest_rho(Fraction(1), DELTA)))
    assert analytic_gaussian_sigma(1, 1e-5, 3) < sigma < classic_gaussian_sigma(1 - 1e-12, 1e-5, 3)
    with pytest.raises(ValueError, match="no noise is wide enough"):
        zcdp_gaussian_sigma(1e-30, 1e-300, 1)


def test_a_comparison_names_every_candidate_with_its_number_and_price() -> None:
    found = best_for(Fraction(1), DELTA, 50, ("zcdp", "analytic", "classic"))
    analytic, zcdp, laplace, classic = found.candidates
    assert found.best is analytic
    assert analytic.standard_deviation == pytest.approx(26.3795, rel=1e-5)
    assert analytic.price is not None
    assert analytic.price.epsilon is None
    assert float(analytic.price.rho) == pytest.approx(50 / (2 * 26.3795**2), rel=1e-5)
    assert zcdp.standard_deviation == pytest.approx(math.sqrt(50) * 4.0451, rel=1e-4)
    assert laplace.standard_deviation == pytest.approx(math.sqrt(2) * 50)
    assert laplace.price == Price.laplace(Fraction(1))
    assert (classic.standard_deviation, classic.price) == (math.inf, None)
    assert "proven for 0 < epsilon < 1 only" in classic.reason


def test_without_delta_only_laplace_noise_is_possible() -> None:
    found = best_for(Fraction(1), Fraction(0), 50)
    assert found.best.mechanism == "laplace"
    assert all("not pure" in candidate.reason for candidate in found.candidates[1:])


@pytest.mark.parametrize(("epsilon", "delta", "statistics"), [(0, DELTA, 1), (1, Fraction(1), 1), (1, DELTA, 0)])
def test_comparisons_refuse_what_is_out_of_range(epsilon: int, delta: Fraction, statistics: int) -> None:
    with pytest.raises(ValueError, match=r"epsilon must be|delta must be|number of statistics must be"):
        best_for(Fraction(epsilon), delta, statistics)
