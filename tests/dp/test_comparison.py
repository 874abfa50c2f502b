"""Which noise is the least for the same ε or (ε, δ): the crossovers of theorem 16."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest

from proxy.dp.accounting import Price
from proxy.dp.calibrated import CALIBRATIONS, Calibration
from proxy.dp.comparison import Candidate, candidates, choose
from proxy.dp.mechanisms import GaussianMechanism, LaplaceMechanism

CELLS = 1024
DELTA = Fraction(1, 10**5)
TENTH = Fraction(1, 10)


def equal_statistics(
    count: int, epsilon: Fraction, delta: Fraction | None, *calibrations: Calibration
) -> tuple[Candidate, ...]:
    """For `count` numbers that one unit can change by 1 each."""
    return candidates(count * CELLS, count * CELLS**2, epsilon, delta, CELLS, False, calibrations)


@pytest.mark.parametrize(
    ("epsilon", "calibration", "first"),
    [
        (Fraction(1), "analytic", 7),
        (Fraction(math.log(3)), "analytic", 8),
        (Fraction(1), "zcdp", 9),
        (Fraction(math.log(3)), "zcdp", 9),
    ],
)
def test_gaussian_beats_laplace_from_the_reference_number_of_statistics(
    epsilon: Fraction, calibration: Calibration, first: int
) -> None:
    for count in range(1, 12):
        chosen = choose(equal_statistics(count, epsilon, DELTA, calibration))
        assert chosen.name == ("gaussian" if count >= first else "laplace"), count


def test_a_comparison_names_every_candidate_with_its_number_and_price() -> None:
    laplace, zcdp, analytic, classic = equal_statistics(50, Fraction(1), DELTA, *CALIBRATIONS)
    assert [candidate.calibration for candidate in (laplace, zcdp, analytic, classic)] == [None, *CALIBRATIONS]
    assert laplace.mechanism is not None
    assert laplace.mechanism.price == Price.laplace(Fraction(1))
    assert laplace.standard_deviation / CELLS == pytest.approx(math.sqrt(2) * 50)
    assert zcdp.standard_deviation / CELLS == pytest.approx(math.sqrt(50) * 4.04513, rel=1e-5)
    assert analytic.standard_deviation / CELLS == pytest.approx(26.3795, rel=1e-5)
    assert analytic.mechanism is not None
    assert float(analytic.mechanism.price.rho) == pytest.approx(50 / (2 * 26.3795**2), rel=1e-5)
    assert (classic.standard_deviation, classic.mechanism) == (math.inf, None)
    assert "proven only for epsilon below 1" in classic.reason


def test_without_a_delta_auto_takes_the_least_deviation_and_of_equal_ones_the_pure_one() -> None:
    def chosen(l1: int, l2_squared: int, epsilon: Fraction) -> str:
        return choose(candidates(l1, l2_squared, epsilon, None, CELLS, False, ("zcdp",))).name

    assert chosen(1, 1, TENTH) == "gaussian"
    assert chosen(10, 1000, TENTH) == "laplace"
    assert chosen(1, 1, Fraction(10**6)) == "laplace"


def test_of_several_calibrations_the_one_with_the_least_noise_is_taken_and_those_that_are_not_possible_are_not() -> (
    None
):
    for epsilon in (Fraction(1, 2), Fraction(1)):
        found = equal_statistics(50, epsilon, DELTA, *CALIBRATIONS)
        assert choose(found).calibration == choose(found, "gaussian").calibration == "analytic"


def test_a_preference_decides() -> None:
    found = candidates(10, 1000, TENTH, None, CELLS, False, ("zcdp",))
    assert choose(found, "laplace").mechanism == LaplaceMechanism(10, TENTH)
    assert choose(found, "gaussian").mechanism == GaussianMechanism(1000, Fraction(1, 200))


def test_a_pure_account_has_laplace_noise_only() -> None:
    found = candidates(1, 1, TENTH, None, CELLS, True, ("zcdp",))
    assert choose(found).name == "laplace"
    with pytest.raises(ValueError, match="delta 0"):
        choose(found, "gaussian")


@pytest.mark.parametrize("preference", ["auto", "gaussian"])
def test_a_calibration_that_is_not_possible_is_refused_rather_than_replaced(preference: str) -> None:
    found = equal_statistics(50, Fraction(1), DELTA, "classic")
    with pytest.raises(ValueError, match="proven only for epsilon below 1"):
        choose(found, preference)  # type: ignore[arg-type]
    assert choose(found, "laplace").name == "laplace"
