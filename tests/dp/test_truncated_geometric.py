"""The truncated geometric mechanism is the optimal one: its recursion, its privacy, its law (theorem 13)."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from itertools import pairwise

import mpmath
import numpy as np
import pytest

from proxy.dp.accounting import Price
from proxy.dp.truncated_geometric import TruncatedGeometricSelection
from tests.dp.goodness import accepts

pytestmark = pytest.mark.statistical

SELECTIONS = [
    TruncatedGeometricSelection(Fraction(1), Fraction(1, 10**5)),
    TruncatedGeometricSelection(Fraction(1, 50), Fraction(1, 4)),
    TruncatedGeometricSelection(Fraction(1, 3), Fraction(1, 10**9)),
    TruncatedGeometricSelection(Fraction(20), Fraction(1, 10**6)),
    TruncatedGeometricSelection(Fraction(300), Fraction(1, 8)),
    TruncatedGeometricSelection(Fraction(1, 2), Fraction(1, 10**150)),
    TruncatedGeometricSelection(Fraction(2), Fraction(1, 10**340)),  # no float is as small
]
DIGITS = 400


@lru_cache
def recursion(selection: TruncatedGeometricSelection, units: int) -> list[mpmath.mpf]:
    """π(0) to π(units), from the definition."""
    with mpmath.workdps(DIGITS):
        growth = mpmath.exp(mpmath.mpf(selection.epsilon.numerator) / selection.epsilon.denominator)
        delta = mpmath.mpf(selection.delta.numerator) / selection.delta.denominator
        chances = [mpmath.mpf(0)]
        for _ in range(units):
            last = chances[-1]
            chances.append(min(growth * last + delta, 1 - (1 - last - delta) / growth, mpmath.mpf(1)))
    return chances


def chances_to_show(selection: TruncatedGeometricSelection, units: int) -> list[float]:
    return [float(chance) for chance in recursion(selection, units)]


def end_of(selection: TruncatedGeometricSelection) -> int:
    """A number of units beyond which groups are always shown."""
    return 2 * selection.turn + 10


@pytest.mark.parametrize("selection", SELECTIONS, ids=str)
def test_closed_forms_are_the_recursion_in_all_their_bits(selection: TruncatedGeometricSelection) -> None:
    chances = recursion(selection, end_of(selection))
    with mpmath.workdps(DIGITS):
        for units in range(1, len(chances)):
            if units <= selection.turn:
                found, expected = selection.shown(units).leading_bits(100), chances[units]
            else:
                found, expected = selection.hidden(units).leading_bits(100), 1 - chances[units]
            assert found == int(mpmath.floor(expected * 2**100))


@pytest.mark.parametrize("selection", SELECTIONS, ids=str)
def test_floats_are_far_nearer_to_the_chances_than_the_margin(selection: TruncatedGeometricSelection) -> None:
    chances = recursion(selection, end_of(selection))
    found = selection._float_chances(np.arange(len(chances)))
    if found is None:
        assert selection.epsilon >= 200 or selection.delta <= Fraction(1, 10**100)
        return
    rarer = [chance if units <= selection.turn else 1 - chance for units, chance in enumerate(chances)]
    assert max(abs(float(chance) - share) for chance, share in zip(rarer, found.tolist(), strict=True)) < 2**-40


@pytest.mark.parametrize("selection", SELECTIONS, ids=str)
def test_one_unit_more_or_less_is_within_epsilon_and_delta_and_no_chance_can_be_raised(
    selection: TruncatedGeometricSelection,
) -> None:
    chances = recursion(selection, end_of(selection))
    with mpmath.workdps(DIGITS):
        growth = mpmath.exp(mpmath.mpf(selection.epsilon.numerator) / selection.epsilon.denominator)
        delta = mpmath.mpf(selection.delta.numerator) / selection.delta.denominator
        slack = mpmath.mpf(10) ** -(DIGITS // 2)
        for fewer, more in pairwise(chances):
            room = min(growth * fewer + delta - more, growth * (1 - more) + delta - (1 - fewer))
            assert room >= -slack
            assert room <= slack or more == 1
            assert more <= growth * fewer + delta + slack
            assert fewer <= growth * more + delta
            assert 1 - more <= growth * (1 - fewer) + delta


@pytest.mark.parametrize("margin", [2.0**-20, 1.0], ids=["floats", "exact"])
@pytest.mark.parametrize("units", [4, 7, 8, 10])
def test_groups_are_shown_with_their_chance_and_an_off_by_one_is_rejected(units: int, margin: float) -> None:
    # An off-by-one escapes with probability below 1e-10.
    selection = TruncatedGeometricSelection(Fraction(1, 2), Fraction(1, 100), margin)
    shown = np.array(selection.select([units] * 5_000), dtype=np.int64)
    chances = chances_to_show(TruncatedGeometricSelection(Fraction(1, 2), Fraction(1, 100)), units + 1)
    assert accepts(shown, lambda _: 1 - chances[units], [0])
    assert not accepts(shown, lambda _: 1 - chances[units + 1], [0])
    assert not accepts(shown, lambda _: 1 - chances[units - 1], [0])


def test_empty_groups_are_never_shown_and_large_ones_always() -> None:
    for selection in SELECTIONS:
        assert selection.select([0, -1, 10**6, 10**30] * 100) == [False, False, True, True] * 100
    assert TruncatedGeometricSelection(Fraction(10**6), Fraction(1, 4)).select([0, 2] * 100) == [False, True] * 100


@pytest.mark.parametrize("selection", SELECTIONS, ids=str)
def test_likely_is_where_the_chance_reaches_one_half(selection: TruncatedGeometricSelection) -> None:
    chances = chances_to_show(selection, selection.likely)
    assert chances[selection.likely] >= 0.5
    assert chances[selection.likely - 1] < 0.5


def test_it_shows_smaller_groups_than_a_laplace_threshold_of_the_same_price() -> None:
    selection = SELECTIONS[0]
    assert selection.likely == 12  # against 18.2 with Gaussian noise calibrated to the same ε = 1 and δ
    assert selection.price == Price.laplace(Fraction(1)) + Price.key_selection(Fraction(1, 10**5))


@pytest.mark.parametrize("bad", [0, -1, Fraction(26, 100), float("nan")])
def test_a_delta_outside_the_proof_is_refused(bad: Fraction) -> None:
    with pytest.raises(ValueError, match="delta must be"):
        TruncatedGeometricSelection(Fraction(1), bad)


def test_numbers_of_units_that_are_not_integers_are_refused() -> None:
    with pytest.raises(TypeError, match="integer"):
        SELECTIONS[0].select([1.5])  # type: ignore[list-item]


@pytest.mark.parametrize(("epsilon", "delta"), [("0.3", "1/1000000"), ("2", "1/7"), ("40", "1/10000000000")])
def test_the_bounds_of_a_probability_hold_it_between_them_at_every_precision(epsilon: str, delta: str) -> None:
    """The bounds of more bits lie inside of those of fewer, and are strict: no probability here is a binary fraction."""
    selection = TruncatedGeometricSelection(Fraction(epsilon), Fraction(delta))
    shown = [(selection._shown_bounds, units) for units in range(1, selection.turn + 1)]
    hidden = [(selection._hidden_bounds, selection.turn + more) for more in (1, 2)]
    for bounds, units in [*shown[:3], *shown[-2:], *hidden]:
        for precision in (3, 20, 64):
            low, high = bounds(units, precision)
            finer = bounds(units, precision + 200)
            assert low << 200 <= finer[0] <= finer[1] <= high << 200
            assert low < high or finer[1] == 0
