"""The private choice of caps and bounds: its law, its guarantee on neighbours, and where it ends (theorem 17)."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import pairwise

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from proxy.dp.accounting import Price
from proxy.dp.noise import IntegerArray
from proxy.dp.search import PER_DECADE, STRICT, Search, cap_penalties, caps, ends, pair_penalties
from tests.dp.goodness import accepts

pytestmark = pytest.mark.statistical

OUTSIDE = np.array([40, 22, 9, 6, 5, 1, 0, 0])
PENALTIES = np.array([0.0, 0.5, 1.0, 1.7, 2.0, 3.5, 4.0, 9.0])
DRAWS = 20_000
"""With half of them one neighbouring number of units passed for the other in one run of 3 000; so it does less than once in
10^13."""


def law(outside: IntegerArray, penalties: np.ndarray, epsilon: Fraction) -> list[mpmath.mpf]:
    """P[r] ∝ exp(-penalty(r) - ε·n(r)), from the definition."""
    rate = mpmath.mpf(epsilon.numerator) / epsilon.denominator
    masses = [mpmath.exp(-mpmath.mpf(p) - rate * int(n)) for p, n in zip(penalties, outside, strict=True)]
    return [mass / mpmath.fsum(masses) for mass in masses]


def test_choices_have_their_law_and_other_laws_are_rejected() -> None:
    epsilon = Fraction(2, 5)
    found = np.array([Search(epsilon).choose(OUTSIDE, PENALTIES) for _ in range(DRAWS)])

    def fits(outside: IntegerArray, penalties: np.ndarray, epsilon: Fraction) -> bool:
        sums = np.cumsum([float(mass) for mass in law(outside, penalties, epsilon)])
        return accepts(found, lambda index: float(sums[index]), list(range(len(OUTSIDE) - 1)))

    assert fits(OUTSIDE, PENALTIES, epsilon)
    for factor in (Fraction(7, 10), Fraction(13, 10)):
        assert not fits(OUTSIDE, PENALTIES, epsilon * factor)
    assert not fits(OUTSIDE, np.zeros(len(PENALTIES)), epsilon)
    assert not fits(np.roll(OUTSIDE, 1), PENALTIES, epsilon)


def test_units_that_are_allowed_outside_cost_nothing_and_wide_candidates_are_held_off_more() -> None:
    epsilon = Fraction(2, 5)
    found = np.array([Search(epsilon).choose(OUTSIDE, PENALTIES, 6) for _ in range(DRAWS)])

    def fits(allowed: int, strictness: float = STRICT) -> bool:
        masses = law(np.maximum(OUTSIDE - allowed, 0), strictness * PENALTIES, epsilon)
        sums = np.cumsum([float(mass) for mass in masses])
        return accepts(found, lambda index: float(sums[index]), list(range(len(OUTSIDE) - 1)))

    assert fits(6)
    assert not fits(5)
    assert not fits(7)
    assert not fits(6, 1)
    with pytest.raises(ValueError, match="must not be negative"):
        Search(epsilon).choose(OUTSIDE, PENALTIES, -1)


COUNTS = st.lists(st.integers(0, 30), min_size=3, max_size=6)


@given(
    counts=COUNTS,
    penalties=st.lists(st.floats(0, 40), min_size=6, max_size=6),
    exceeded=st.lists(st.booleans(), min_size=6, max_size=6),
    epsilon=st.sampled_from([Fraction(1, 10), Fraction(1), Fraction(3)]),
    allowed=st.integers(0, 20),
)
def test_one_unit_more_changes_the_law_by_no_more_than_the_price(
    counts: list[int], penalties: list[float], exceeded: list[bool], epsilon: Fraction, allowed: int
) -> None:
    """Both as pure ε and as a Rényi divergence of at most α·ρ, for a unit outside of any candidates."""
    outside, used = np.array(counts), np.array(penalties[: len(counts)])
    more = outside + np.array(exceeded[: len(counts)])
    before, other = (law(np.maximum(units - allowed, 0), used, epsilon) for units in (outside, more))
    price = Search(epsilon).price
    assert price == Price.exponential(epsilon)
    for first, second in ((before, other), (other, before)):
        assert max(abs(mpmath.log(a / b)) for a, b in zip(first, second, strict=True)) <= float(epsilon) + 1e-12
        for order in (1.5, 2, 8, 64):
            moment = mpmath.fsum(a**order * b ** (1 - order) for a, b in zip(first, second, strict=True))
            assert mpmath.log(moment) / (order - 1) <= order * float(price.rho) + 1e-12


def test_the_search_ends_where_few_units_are_above_and_seldom_overshoots() -> None:
    """Exactly, for a Pareto tail and a tail that ends, with a quarter of ε = 0.8."""
    epsilon = Fraction(1, 5)
    candidates = caps(Fraction(1), Fraction(10**7))
    values = np.array([float(cap) for cap in candidates])
    units = 50_000
    for above in (np.floor(units * values**-1.5), np.where(values < 40, units, 0)):
        chances = np.array([float(mass) for mass in law(above.astype(int), cap_penalties(candidates), epsilon)])
        tightest = values[np.argmax(above <= 5 / float(epsilon))]
        assert float(chances[above > 12 / float(epsilon)].sum()) < 0.01
        assert float(chances[values > 10 * tightest].sum()) < 0.001
        # A search that takes all caps above the data for equally good ends anywhere.
        flat = np.array([float(mass) for mass in law(above.astype(int), np.zeros(len(values)), epsilon)])
        assert float(flat[values > 10 * tightest].sum()) > 0.5


@pytest.mark.parametrize("least", ["1", "0.01", "0.5", "25", "0.000001"])
def test_caps_are_increasing_multiples_without_wide_gaps(least: str) -> None:
    grid, most = Fraction(least), Fraction(least) * 12_345_678
    found = caps(grid, most)
    assert (found[0], found[-1]) == (grid, most)
    for low, high in pairwise(found):
        assert low < high
        assert high / grid == high // grid
        assert high / low <= Fraction(5, 4) or high - low <= 2 * grid
    assert math.isclose(cap_penalties(found)[-1], math.log10(12_345_678) * PER_DECADE)


@pytest.mark.parametrize("cap", ["1", "7", "9", "55", "120", "2200", "32767", "0.55", "1e18"])
@pytest.mark.parametrize("least", ["1", "0.01", "1e-9"])
def test_ends_lie_evenly_within_the_cap_with_zero_among_them(cap: str, least: str) -> None:
    grid = Fraction(least)
    most = math.ceil(Fraction(cap) / grid) * grid
    found = ends(most, grid)
    assert found[0] == -most
    assert found[-1] == most
    assert 0 in found
    assert len(found) <= 103
    widest = max(high - low for low, high in pairwise(found))
    assert widest <= max(most / 20, grid)
    assert all((value / grid).denominator == 1 for value in found)


def test_zero_is_a_bound_unless_units_are_beyond_it_or_the_values_are_far_from_it() -> None:
    candidates = ends(Fraction(100), Fraction(1))
    values = np.array([int(value) for value in candidates])
    lows, highs = np.meshgrid(values, values, indexing="ij")
    penalties = pair_penalties(candidates)
    kept = np.isfinite(penalties)

    def chance(least: int, greatest: int, wanted: np.ndarray, units: int = 5_000) -> float:
        """Of the law above, where all units have the values `least` and `greatest`."""
        outside = np.where((lows > least) | (highs < greatest), units, 0)
        masses = np.exp(-penalties[kept] - 0.1 * outside[kept])
        return float(masses[wanted[kept]].sum() / masses.sum())

    assert chance(1, 90, lows == 0) > 0.95
    assert chance(1, 90, (lows == 0) & (highs <= 94)) > 0.5
    assert chance(-70, 90, (lows <= -70) & (highs >= 90)) > 0.999
    assert chance(80, 90, (lows >= 60) & (lows <= 80) & (highs >= 90)) > 0.9
    assert chance(80, 90, lows == 0) < 0.01


@pytest.mark.parametrize("epsilon", [0, -1, math.nan, math.inf])
def test_impossible_epsilon_is_refused(epsilon: float) -> None:
    with pytest.raises(ValueError, match="epsilon"):
        Search(epsilon)  # type: ignore[arg-type]


def test_penalties_must_be_finite_and_one_for_each_candidate() -> None:
    search = Search(Fraction(1))
    for penalties in (np.array([0.0]), np.array([0.0, np.inf]), np.array([0.0, np.nan])):
        with pytest.raises(ValueError, match="one finite penalty"):
            search.choose(np.array([1, 0]), penalties)
    with pytest.raises(ValueError, match="nothing to choose"):
        search.choose(np.array([], dtype=np.int64), np.array([]))


def test_penalties_of_bounds_do_not_depend_on_the_unit_of_the_values() -> None:
    candidates = ends(Fraction(100), Fraction(1))
    smaller = [candidate / 10**6 for candidate in candidates]
    assert pair_penalties(smaller) == pytest.approx(pair_penalties(candidates))
