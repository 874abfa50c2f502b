"""Mechanisms: prices, widths and releases (theorems 7 and 8)."""

from __future__ import annotations

import math
from fractions import Fraction

import mpmath
import numpy as np
import pytest

from proxy.dp.accounting import Price
from proxy.dp.mechanisms import GaussianMechanism, LaplaceMechanism, Mechanism, gaussian_rho
from proxy.dp.tails import continuous_reach, gaussian_reach, laplace_reach
from tests.dp.goodness import accepts, edges, gaussian_distribution, laplace_distribution

pytestmark = pytest.mark.statistical

MECHANISMS: list[Mechanism] = [
    LaplaceMechanism(1, Fraction(3)),
    LaplaceMechanism(20, Fraction(1, 2)),
    GaussianMechanism(1, Fraction(2)),
    GaussianMechanism(100, Fraction(1, 8)),
]


def above(mechanism: Mechanism, reach: int) -> float:
    """P[noise >= reach]."""
    if isinstance(mechanism, LaplaceMechanism):
        return 1 - laplace_distribution(mechanism.scale)(reach - 1)
    return 1 - gaussian_distribution(mechanism.variance)(reach - 1)


@pytest.mark.parametrize("mechanism", MECHANISMS, ids=str)
@pytest.mark.parametrize("confidence", [0.5, 0.95, 0.999999])
def test_half_width_is_the_least_one(mechanism: Mechanism, confidence: float) -> None:
    width = mechanism.half_width(confidence)
    assert 2 * above(mechanism, width + 1) <= 1 - confidence
    assert width == 0 or 2 * above(mechanism, width) > 1 - confidence


@pytest.mark.parametrize("mechanism", MECHANISMS, ids=str)
def test_standard_deviation_is_that_of_the_discrete_law(mechanism: Mechanism) -> None:
    law = [above(mechanism, x) - above(mechanism, x + 1) for x in range(1500)]
    variance = 2 * sum(x * x * chance for x, chance in enumerate(law))
    assert mechanism.standard_deviation == pytest.approx(math.sqrt(variance), rel=1e-6)


def test_wide_and_vanishing_noise_have_finite_deviations_and_widths() -> None:
    assert LaplaceMechanism(10**30, Fraction(1)).standard_deviation == pytest.approx(math.sqrt(2) * 1e30)
    assert GaussianMechanism(10**60, Fraction(1, 2)).standard_deviation == pytest.approx(1e30)
    assert GaussianMechanism(10**60, Fraction(1, 2)).half_width(0.95) == pytest.approx(1.959964e30, rel=1e-6)
    assert LaplaceMechanism(10**30, Fraction(1)).half_width(0.95) == pytest.approx(math.log(20) * 1e30, rel=1e-6)
    for exact in (LaplaceMechanism(1, Fraction(10**12)), GaussianMechanism(1, Fraction(10**12))):
        assert exact.standard_deviation == 0
        assert exact.half_width(0.999999) == 0
        assert exact.release([3, -4]) == [3, -4]


@pytest.mark.parametrize("variance", [Fraction(1, 9), Fraction(50), Fraction(2**14), Fraction(10**6)], ids=float)
@pytest.mark.parametrize("chance", [Fraction(1, 2), Fraction(1, 50), Fraction(1, 10**9)], ids=float)
def test_gaussian_reach_is_sound_and_within_two_cells(variance: Fraction, chance: Fraction) -> None:
    distribution = gaussian_distribution(variance)
    reach = gaussian_reach(variance, chance)
    slack = 0 if variance <= 2**14 else 2
    assert distribution(-reach) <= float(chance) * (1 + 1e-6)
    assert reach <= slack or distribution(-(reach - slack - 1)) > float(chance)


@pytest.mark.parametrize("variance", [Fraction(1, 100), Fraction(1, 3), Fraction(4), Fraction(1000)], ids=float)
def test_the_continuous_bound_is_never_below_the_exact_reach(variance: Fraction) -> None:
    for exponent in range(1, 250, 7):
        chance = Fraction(1, 2**exponent)
        exact, bound = gaussian_reach(variance, chance), continuous_reach(variance, chance)
        assert exact <= bound <= exact + 2


def test_reaches_of_tiny_probabilities_are_finite_and_grow() -> None:
    for reach in (laplace_reach, gaussian_reach):
        widths = [reach(Fraction(10**6), Fraction(1, 10**power)) for power in (10, 100, 279, 281, 300, 400)]
        assert widths == sorted(set(widths))
        assert reach(Fraction(1, 10**400), Fraction(1, 10**6)) == 1


def test_a_release_is_the_exact_sum_plus_the_mechanisms_noise() -> None:
    laplace, gaussian = LaplaceMechanism(20, Fraction(1, 2)), GaussianMechanism(100, Fraction(1, 8))
    exact = np.arange(20_000)
    noise = np.array(laplace.release(exact)) - exact
    assert accepts(noise, laplace_distribution(Fraction(40)), edges(40))
    assert not accepts(noise, laplace_distribution(Fraction(52)), edges(40))
    noise = np.array(gaussian.release([10**40] * 20_000)) - 10**40
    assert accepts(noise, gaussian_distribution(Fraction(400)), edges(20))
    assert not accepts(noise, gaussian_distribution(Fraction(26**2)), edges(20))


def test_releases_are_python_integers_and_floats_are_refused() -> None:
    mechanism = LaplaceMechanism(1, Fraction(1))
    assert [type(number) for number in mechanism.release(np.array([1, 2]))] == [int, int]
    assert mechanism.release([]) == []
    with pytest.raises(TypeError, match="cannot be interpreted as an integer"):
        mechanism.release([1.0])  # type: ignore[list-item]


def test_prices_are_those_of_the_noise_that_is_added() -> None:
    assert LaplaceMechanism(7, Fraction(1, 10)).price == Price.laplace(Fraction(1, 10))
    mechanism = GaussianMechanism(9, Fraction(1, 50))
    assert mechanism.price == Price.gaussian(Fraction(1, 50))
    assert mechanism.variance == Fraction(9 * 50, 2)


@pytest.mark.parametrize("bad", [0, -1, float("nan"), float("inf")])
def test_mechanisms_refuse_a_price_that_is_not_positive_and_finite(bad: object) -> None:
    with pytest.raises(ValueError, match="epsilon must be"):
        LaplaceMechanism(1, bad)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="rho must be"):
        GaussianMechanism(1, bad)  # type: ignore[arg-type]


@pytest.mark.parametrize(("bad", "error"), [(0, ValueError), (-1, ValueError), (0.5, TypeError), (True, TypeError)])
def test_mechanisms_refuse_a_sensitivity_that_is_not_a_positive_integer(bad: int, error: type[Exception]) -> None:
    with pytest.raises(error, match="the L1 sensitivity must be"):
        LaplaceMechanism(bad, Fraction(1))
    with pytest.raises(error, match="the squared L2 sensitivity must be"):
        GaussianMechanism(bad, Fraction(1))


@pytest.mark.parametrize("confidence", [0.0, 1.0, -0.5, float("nan")])
def test_half_width_refuses_a_confidence_outside_zero_to_one(confidence: float) -> None:
    with pytest.raises(ValueError, match="the confidence must be"):
        LaplaceMechanism(1, Fraction(1)).half_width(confidence)


def test_a_querys_epsilon_buys_half_its_square_and_never_more_than_itself() -> None:
    assert gaussian_rho(Fraction(1, 10)) == Fraction(1, 200)
    assert gaussian_rho(Fraction(2)) == 2
    assert gaussian_rho(Fraction(10**6)) == 10**6


@pytest.mark.parametrize("power", [281, 300, 330, 400])
@pytest.mark.parametrize("variance", [Fraction(1, 3), Fraction(1), Fraction(50), Fraction(10**7, 3)], ids=float)
def test_gaussian_reach_is_sound_below_every_float(power: int, variance: Fraction) -> None:
    # P[X >= m] <= exp(-m²/2σ²) has to be at most 10**-power, and the next lower m is too low for that or nearly so.
    reach = gaussian_reach(variance, Fraction(1, 10**power))
    assert reach**2 / (2 * variance) >= power * Fraction(math.log(10)) * (1 - Fraction(1, 10**12))
    assert (reach - 1) ** 2 / (2 * variance) < Fraction(105, 100) * power * Fraction(math.log(10))


@pytest.mark.parametrize("scale", [Fraction(1, 2), Fraction(1), Fraction(7, 2), Fraction(60)], ids=float)
def test_laplace_reach_is_the_least_by_the_closed_tail(scale: Fraction) -> None:
    for exponent in range(1, 120):
        chance, reach = Fraction(1, 2**exponent), laplace_reach(scale, Fraction(1, 2**exponent))
        with mpmath.workdps(60):
            ratio = mpmath.exp(-1 / (mpmath.mpf(scale.numerator) / scale.denominator))
            tails = [ratio**m / (1 + ratio) * chance.denominator for m in (reach - 1, reach)]
        assert tails[0] > 1 >= tails[1]
