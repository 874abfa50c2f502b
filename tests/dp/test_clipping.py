"""The private choice of a clipping threshold (theorem 22)."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proxy.dp.accounting import Price
from proxy.dp.clipping import (
    CELLS,
    FURTHER,
    NUMBERS,
    TOLD_OF_UNIT,
    GroupLosses,
    ThresholdChoice,
    Told,
    cells_per_step,
    far_bucket,
    largest_loss,
    threshold,
    thresholds_up_to,
)
from proxy.dp.mechanisms import GaussianMechanism, LaplaceMechanism
from proxy.sql.planning.clipping import threshold_choice

LAST = 20
COUNTS = st.lists(st.integers(0, 1000), min_size=LAST + 2, max_size=LAST + 2)


def choice(epsilon: float, expected: int | None = 0) -> ThresholdChoice:
    each = Fraction(epsilon)
    return ThresholdChoice(expected, each, each, LaplaceMechanism(TOLD_OF_UNIT * CELLS, each))


def test_thresholds_are_powers_of_two_and_one_and_a_half_times_them() -> None:
    assert [threshold(index) for index in range(8)] == [1, Fraction(3, 2), 2, 3, 4, 6, 8, 12]


@given(most=st.integers(1, 2**62))
def test_the_last_threshold_is_the_least_power_of_two_not_below(most: int) -> None:
    last = threshold(thresholds_up_to(most) - 1)
    assert last.denominator == 1
    assert last / 2 < most <= last
    assert last.numerator & (last.numerator - 1) == 0


@given(most=st.integers(1, 2**62))
def test_a_step_has_a_whole_number_of_cells_at_every_threshold(most: int) -> None:
    count = thresholds_up_to(most)
    bits = count // 2
    for index in range(count):
        assert cells_per_step(bits, index) * threshold(index) == 3 << bits


def test_too_few_bits_are_an_error() -> None:
    with pytest.raises(ValueError, match="not a whole number of steps at threshold 8"):
        cells_per_step(3, 8)


def test_with_a_huge_epsilon_the_largest_norm_is_the_threshold() -> None:
    """Nothing is scaled down, and noise is made for nothing more."""
    for largest in range(LAST + 1):
        units = [0] * (LAST + 2)
        units[largest] = 1
        units[0] += 3
        assert choice(1e12).choose(units, 0.0, 1) == largest


def test_units_above_the_last_threshold_get_the_last_one() -> None:
    units = [0] * (LAST + 1) + [5]
    assert choice(1e12).choose(units, 0.0, 1) == LAST


def test_as_many_units_as_the_noise_outweighs_are_scaled_down() -> None:
    """Forty units are above threshold 9, eight above 10; with θ = 1.6 · 10 · 1 = 16 the choice is threshold 10."""
    units = [100] * 9 + [60, 32, 8] + [0] * (LAST - 10)
    assert {choice(1e9).choose(units, 1.0, 10) for _ in range(20)} == {10}
    assert {choice(1e9).choose(units, 10.0, 10) for _ in range(20)} == {8}


def test_the_order_of_magnitude_is_found_however_far_away_it_is() -> None:
    """A hundred units at 2^50: steps of the second penalty from 1 up would cost far more than they could outweigh."""
    most = thresholds_up_to(2**62)
    units = [0] * (most + 1)
    units[100] = 100
    found = [choice(0.5, None).choose(units, 1.0, 1) for _ in range(50)]
    assert sum(abs(index - 100) <= 2 for index in found) >= 40


@pytest.mark.parametrize("epsilon", [1e-6, 0.01, 1.0])
def test_of_nobody_the_threshold_is_low_and_near_what_is_expected(epsilon: float) -> None:
    """Otherwise there would be noise for what nobody has. Odds of a step up are below e^-0.35, so of 40 below 1e-6: one
    of the 600 choices goes so far in a run of 2 000, two of the same hundred in one of 3 million."""
    units = [0] * (thresholds_up_to(2**62) + 1)
    for expected in (0, 30):
        far = [choice(epsilon, expected).choose(units, 1.0, 1) >= expected + 40 for _ in range(100)]
        assert sum(far) <= 1


def of_policy(expected: int | None, least: int = 0) -> ThresholdChoice:
    """As at epsilon 0.25 with Gaussian noise."""
    return threshold_choice(expected, "gaussian", Fraction(1, 32) / 10, least)


@pytest.mark.parametrize(("units", "often"), [(220, 40), (1000, 49)])
def test_a_few_hundred_units_far_below_their_bounds_are_not_lost(units: int, often: int) -> None:
    """A float has some 2^47 steps: all thresholds below the right one together must not outweigh it."""
    buckets = [0] * (thresholds_up_to(2**62) + 1)
    buckets[76] = units
    found = [of_policy(92).choose(buckets, 0.05, 1) for _ in range(50)]
    assert sum(74 <= index <= 94 for index in found) >= often


def test_of_a_few_units_too_high_a_threshold_is_likelier_than_one_that_is_far_too_low() -> None:
    """Noise shows in intervals, and what clipping takes does not."""
    buckets = [0] * (thresholds_up_to(2**62) + 1)
    buckets[90] = 30
    found = [of_policy(92).choose(buckets, 0.1, 1) for _ in range(200)]
    assert sum(index < 70 for index in found) <= 15


def test_no_threshold_is_below_what_bounds_leave_possible() -> None:
    buckets = [0] * (thresholds_up_to(2**62) + 1)
    buckets[92] = 30
    found = [of_policy(92, least=88).choose(buckets, 0.1, 1) for _ in range(200)]
    assert sum(index < 84 for index in found) <= 5


@given(expected=st.none() | st.integers(0, LAST), units=COUNTS)
def test_what_is_expected_is_a_public_weight_of_each_threshold(expected: int | None, units: list[int]) -> None:
    """It shifts the scores by the same amounts whatever the units are."""
    shifted = [score - plain for score, plain in zip(_scores(units, expected), _scores(units, None), strict=True)]
    nobody = [0] * len(units)
    assert shifted == [
        score - plain for score, plain in zip(_scores(nobody, expected), _scores(nobody, None), strict=True)
    ]


def _scores(units: list[int], expected: int | None) -> list[int]:
    return choice(1.0, expected)._median_scores([*units[:-2], units[-2] + units[-1]])


@given(units=COUNTS, bucket=st.integers(0, LAST + 1), index=st.integers(0, LAST))
def test_a_unit_moves_two_of_the_numbers_that_are_told_by_at_most_one(
    units: list[int], bucket: int, index: int
) -> None:
    exact = choice(1e18)
    noise = exact.draw() * 0
    before = exact.tell(units, index, noise).numbers
    units[bucket] += 1
    after = exact.tell(units, index, noise).numbers
    moved = [new - old for old, new in zip(before, after, strict=True)]
    assert len(moved) == NUMBERS
    assert all(0 <= by <= CELLS for by in moved)
    assert sum(by > 0 for by in moved) <= TOLD_OF_UNIT
    laplace = threshold_choice(0, "laplace", Fraction(1)).told
    gaussian = threshold_choice(0, "gaussian", Fraction(1)).told
    assert isinstance(laplace, LaplaceMechanism)
    assert isinstance(gaussian, GaussianMechanism)
    assert sum(moved) <= laplace.sensitivity
    assert sum(by**2 for by in moved) <= gaussian.squared_sensitivity


_STEPS = 3 << 24
"""Of a contribution that is scaled to 1, which the source rounds."""


def _losses(units: list[list[int]], index: int, far: int, *, whole: bool) -> tuple[list[int], list[Fraction]]:
    """Of each bucket the units, and what they lose in all groups as a share of the largest loss."""
    counts, lost = [0] * (LAST + 2), [Fraction(0)] * (LAST + 2)
    for unit in units:
        norm = math.sqrt(sum(value * value for value in unit))
        bucket = next((place for place in range(LAST + 1) if norm <= threshold(place)), LAST + 1)
        counts[bucket] += 1
        for value in unit if bucket > index else ():
            lost[bucket] += value - threshold(index) * Fraction(math.trunc(value / norm * _STEPS), _STEPS)
    largest = largest_loss(index, far, len(units[0]), whole=whole)
    return counts, [each / largest for each in lost]


UNITS = st.integers(1, 6).flatmap(
    lambda groups: st.lists(st.lists(st.integers(-30, 30), min_size=groups, max_size=groups), min_size=1, max_size=8)
)


@given(units=UNITS, index=st.integers(0, LAST), whole=st.booleans(), kept=st.floats(-10, 1e4), blur=st.floats(0, 100))
def test_a_unit_moves_three_numbers_by_at_most_one_where_losses_are_spread_over_groups(
    units: list[list[int]], index: int, whole: bool, kept: float, blur: float
) -> None:
    if whole:
        units = [[abs(value) for value in unit] for unit in units]
    exact = threshold_choice(0, "gaussian", Fraction(10**18), over_groups=True)
    noise = exact.draw() * 0
    assert len(noise) == NUMBERS + FURTHER
    far = far_bucket(index, LAST, len(units[0]), whole=whole, deviation=blur, kept=kept)
    assert far >= index
    told = []
    for each in (units[:-1], units):
        counts, shares = _losses([*each, [0] * len(units[0])], index, far, whole=whole)
        four = exact.tell(counts, index, noise[:NUMBERS]).numbers
        told.append((*four, *exact.tell_losses(counts, index, far, shares, noise[NUMBERS:])))
    moved = [new - old for old, new in zip(*told, strict=True)]
    assert all(abs(by) <= CELLS for by in moved)
    assert sum(by != 0 for by in moved) <= TOLD_OF_UNIT + 1
    assert isinstance(exact.told, GaussianMechanism)
    assert sum(by**2 for by in moved) <= exact.told.squared_sensitivity


@pytest.mark.parametrize(("others", "added", "whole"), [([20, -20], [20, 20], False), ([0, 28], [20, 20], True)])
def test_the_largest_loss_of_a_unit_beside_others_that_lose_less_is_one(
    others: list[int], added: list[int], whole: bool
) -> None:
    """Whatever the others leave of the bucket's own limit."""
    exact, index = threshold_choice(0, "gaussian", Fraction(10**18), over_groups=True), 8
    far = far_bucket(index, LAST, 2, whole=whole, deviation=1e9, kept=0)
    assert [int(threshold(place)) for place in (index, far)] == [16, 32]
    noise = exact.draw()[NUMBERS:] * 0
    (before, none), (after, none_beyond) = (
        exact.tell_losses(*_of(units, index, far, whole=whole), noise)
        for units in ([others] * 5, [others] * 5 + [added])
    )
    assert none == none_beyond == 0
    assert CELLS // 3 < after - before <= CELLS


def _of(units: list[list[int]], index: int, far: int, *, whole: bool) -> tuple[list[int], int, int, list[Fraction]]:
    counts, shares = _losses(units, index, far, whole=whole)
    return counts, index, far, shares


def test_what_is_lost_of_rows_in_many_groups_is_more_than_what_is_lost_of_norms() -> None:
    """Ninety units with a row each, and ten with one in each of 36 groups, so with the norm 6: at 4 these lose 12."""
    exact, index, kept = threshold_choice(0, "gaussian", Fraction(10**18), over_groups=True), 4, 90.0 + 240
    assert threshold(index) == 4
    far = far_bucket(index, LAST, 36, whole=True, deviation=exact.told.standard_deviation, kept=kept)
    counts, shares = _losses([[1, *[0] * 35]] * 90 + [[1] * 36] * 10, index, far, whole=True)
    noise = exact.draw() * 0
    four = exact.tell(counts, index, noise[:NUMBERS]).numbers
    further = exact.tell_losses(counts, index, far, shares, noise[NUMBERS:])
    losses = GroupLosses(kept, largest_loss(index, far, 36, whole=True))
    told = Told((*four, *further), exact.told.standard_deviation, losses)
    assert told.share_lost == pytest.approx(120 / 450, rel=0.01)
    assert not told.is_far_above
    assert Told(four, exact.told.standard_deviation).share_lost < 0.2
    assert Told((0, 0, 0, 0, 0, 0), 1.0, replace(losses, kept=-5.0)).is_unknown


@pytest.mark.parametrize("noise_of_unit", [0.0, 30.0])
def test_of_units_that_lose_more_than_is_told_apart_only_the_least_loss_is_told(noise_of_unit: float) -> None:
    """A hundred units with a row in each of 400 groups have the norm 20, at the threshold 1: they lose 380 rows each."""
    exact, index, kept = threshold_choice(0, "gaussian", Fraction(10**18), over_groups=True), 0, 900.0 + 100 * 20
    deviation = noise_of_unit * CELLS
    far = far_bucket(index, LAST, 400, whole=True, deviation=deviation, kept=kept)
    assert threshold(far) < 20
    counts, shares = _losses([[1, *[0] * 399]] * 900 + [[1] * 400] * 100, index, far, whole=True)
    noise = exact.draw() * 0
    further = exact.tell_losses(counts, index, far, shares, noise[NUMBERS:])
    assert further == (0, 100 * CELLS)
    four = exact.tell(counts, index, noise[:NUMBERS]).numbers
    losses = GroupLosses(kept, largest_loss(index, far, 400, whole=True))
    told = Told((*four, *further), deviation, losses)
    true = 38_000 / (38_000 + kept)
    assert told.is_far_above
    assert told.is_unknown
    assert 0.0 < told.lost_between[0] < true < told.lost_between[1] == 1.0


def test_losses_are_told_as_far_above_the_threshold_as_noise_lets_them_be_seen() -> None:
    def factor(deviation: float, kept: float) -> Fraction:
        far = far_bucket(4, LAST, 100, whole=True, deviation=deviation * CELLS, kept=kept)
        return threshold(far) / threshold(4)

    assert factor(deviation=1, kept=1e6) == 16
    assert factor(deviation=1, kept=1e4) == 6
    assert factor(deviation=100, kept=1e3) == 2


def test_the_shares_say_how_many_units_are_scaled_down_and_how_much_is_lost() -> None:
    """Ninety units of size 1, ten at about 0.85 · 4: at threshold 2 these lose (3.4 - 2) of 3.4 each."""
    units = [90, 0, 0, 0, 10, 0, 0, 0]
    told = choice(1e18).tell(units, 2, choice(1e18).draw() * 0)
    assert told.share_of_units == pytest.approx(0.1)
    assert told.share_lost == pytest.approx(14 / (90 + 34), rel=0.01)
    assert told.is_some


def test_of_units_above_the_last_threshold_the_least_loss_is_told() -> None:
    """How far above it they are is unknown: three thresholds each, and not a tenth of one, are lost at least."""
    told = choice(1e18).tell([90, 0, 0, 10], 2, choice(1e18).draw() * 0)
    assert told.share_of_units == pytest.approx(0.1)
    assert told.is_far_above
    low, high = told.lost_between
    assert low == pytest.approx(30 / (90 / 2 + 10 + 30), rel=0.01)
    assert high == 1.0


def test_a_few_units_that_are_far_above_are_no_reason_to_tell_the_least_loss_alone() -> None:
    """Four of ten scaled down lose more than three thresholds; half of their losses are told apart if all do."""
    exact = choice(1e18)
    assert not exact.tell([90, 0, 0, 0, 8, 0, 0, 0, 0, 2, 0], 2, exact.draw() * 0).is_far_above
    assert exact.tell([90, 0, 0, 0, 4, 0, 0, 0, 0, 6, 0], 2, exact.draw() * 0).is_far_above


@given(st.lists(st.integers(0, 5000), min_size=4, max_size=30), st.integers(0, 25), st.floats(0.01, 2), st.randoms())
def test_the_ends_hold_the_share_that_is_told_without_noise(
    units: list[int], index: int, epsilon: float, random: Random
) -> None:
    """Where no noise goes beyond two of its deviations; and they are close where there is hardly any."""
    index = min(index, len(units) - 2)
    exact = choice(1e18).tell(units, index, choice(1e18).draw() * 0)
    deviation = CELLS / epsilon
    shift = [random.uniform(-2, 2) * deviation for _ in range(NUMBERS)]
    noisy = Told(tuple(round(number + by) for number, by in zip(exact.numbers, shift, strict=True)), deviation)
    slack = 1e-3
    for share, (low, high) in (
        (exact.lost_between[0] if exact.is_far_above else exact.share_lost, noisy.lost_between),
        (exact.share_of_units, noisy.units_between),
    ):
        assert low - slack <= share <= high + slack
    if not exact.is_far_above:
        assert exact.is_known
        assert exact.lost_between[1] - exact.lost_between[0] < slack


def test_little_is_not_nothing_where_noise_could_hide_what_few_units_have() -> None:
    """Eighty of ten thousand units may be hidden, and with them a fifth of all."""
    told = Told((10_000 * CELLS, 0, 1_000 * CELLS, 0), 40.0 * CELLS)
    assert told.is_little
    assert not told.is_nothing
    assert told.lost_between == pytest.approx((0.0, 240 / (920 + 240)))
    assert Told((10_000 * CELLS, 0, 1_000 * CELLS, 0), 0.5 * CELLS).is_nothing


def test_a_share_that_is_not_known_is_told_by_its_upper_end() -> None:
    told = Told((300 * CELLS, 300 * CELLS, 280 * CELLS, -20 * CELLS), 40.0 * CELLS)
    assert told.is_some
    assert not told.is_known
    assert told.share_lost == pytest.approx(180 / (420 + 180))
    assert not told.is_unknown
    assert Told((300 * CELLS, 300 * CELLS, 60 * CELLS, 20 * CELLS), 90.0 * CELLS).is_unknown


def test_noise_alone_says_nothing() -> None:
    told = Told((1000 * CELLS, 3 * CELLS, 900 * CELLS, 0), 2.0 * CELLS)
    assert not told.is_some
    assert told.is_little
    empty = Told((-5, -5, -5, -5), 1.0 * CELLS)
    assert empty.share_of_units == 0.0
    assert not empty.is_some
    assert not empty.is_little


def test_of_less_than_one_unit_nothing_is_lost() -> None:
    """With little noise that is known where there is no unit at all."""
    for told in (Told((-5, -5, -5, -5), 100.0), Told((0, 250, 0, 0), 100.0)):
        assert told.is_none
        assert told.is_little
        assert told.is_nothing
        assert not told.is_some
    assert not Told((0, CELLS, 0, 0), 100.0).is_none
    assert Told((0, CELLS, 0, 0), 100.0).is_some


def test_the_price_is_that_of_its_three_parts() -> None:
    told = GaussianMechanism(TOLD_OF_UNIT * CELLS**2, Fraction(1, 100))
    found = ThresholdChoice(0, Fraction(1, 2), Fraction(1, 4), told)
    assert found.price == Price.exponential(Fraction(1, 2)) + Price.exponential(Fraction(1, 4)) + told.price


@given(units=st.lists(st.integers(0, 3), min_size=7, max_size=7), bucket=st.integers(0, 6))
def test_one_unit_moves_no_score_of_the_median_by_more_than_half_a_unit(units: list[int], bucket: int) -> None:
    more = list(units)
    more[bucket] += 1
    for one, other in zip(median_scores(units), median_scores(more), strict=True):
        assert abs(one - other) <= CELLS // 2


def test_the_bucket_of_the_median_has_the_best_score() -> None:
    assert median_scores([0, 0, 5, 0, 0])[2] == 0
    assert max(range(6), key=median_scores([3, 3, 3, 9, 3, 2, 2]).__getitem__) == 3
    assert median_scores([4, 0, 0, 0])[0] == 0


def median_scores(units: list[int]) -> list[int]:
    """As `ThresholdChoice.choose` gives them to its first mechanism, without a penalty that counts."""
    return choice(1e12)._median_scores(units)
