"""Totals that add up: exact sums, no negative counts, the least squares fit, less error (issue 4)."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy import optimize

from proxy.dp.consistency import Level, _fitted_numbers, consistent
from proxy.dp.noise import IntegerArray, discrete_gaussian

pytestmark = pytest.mark.statistical

Groups = NDArray[np.intp]
VARIANCE = 400.0


def rollup(rows: int, columns: int) -> list[Groups]:
    """Grand total, rows, finest groups."""
    finest = np.arange(rows * columns)
    return [finest * 0, finest // columns, finest]


def cube(rows: int, columns: int, layers: int) -> list[Groups]:
    """Every margin of three dimensions."""
    finest = np.arange(rows * columns * layers)
    row, column, layer = finest // (columns * layers), finest // layers % columns, finest % layers
    pairs = [row * columns + column, row * layers + layer, column * layers + layer]
    return [finest * 0, row, column, layer, *pairs, finest]


def totals_of(finest: IntegerArray, groups: Groups) -> list[int]:
    sums = [0] * (int(groups.max()) + 1)
    for group, number in zip(groups, finest, strict=True):
        sums[group] += int(number)
    return sums


def noisy(truth: IntegerArray, groupings: Sequence[Groups], variance: float = VARIANCE) -> list[Level]:
    levels = []
    for groups in groupings:
        totals = np.array(totals_of(truth, groups))
        levels.append(Level(totals + discrete_gaussian(Fraction(variance), len(totals)), variance, groups))
    return levels


@st.composite
def some_levels(draw: st.DrawFn) -> list[Level]:
    """Any estimates, over a lattice of any coarsenings."""
    count = draw(st.integers(1, 9))
    estimates = st.integers(-(10**6), 10**6) | st.integers(-5, 5)
    levels = []
    for _ in range(draw(st.integers(0, 3))):
        labels = draw(st.lists(st.integers(0, 3), min_size=count, max_size=count))
        groups = np.unique(labels, return_inverse=True)[1]
        size = int(groups.max()) + 1
        numbers = draw(st.lists(estimates, min_size=size, max_size=size))
        levels.append(Level(np.array(numbers), draw(st.floats(1e-3, 1e9)), groups))
    numbers = draw(st.lists(estimates, min_size=count, max_size=count))
    return [*levels, Level(np.array(numbers), draw(st.floats(1e-3, 1e9)), np.arange(count))]


@given(some_levels(), st.sampled_from([1, 7, 1024]), st.booleans())
@settings(deadline=None)
def test_all_numbers_are_sums_of_the_finest_and_multiples_of_the_quantum(
    levels: list[Level], quantum: int, non_negative: bool
) -> None:
    found = consistent(levels, quantum, non_negative=non_negative)
    for level, numbers in zip(levels, found, strict=True):
        assert numbers.tolist() == totals_of(found[-1], level.group_of_finest)
        assert all(number % quantum == 0 for number in numbers.tolist())
        assert not non_negative or numbers.min() >= 0


@given(some_levels(), st.booleans())
@settings(deadline=None)
def test_the_fit_is_the_least_squares_one(levels: list[Level], non_negative: bool) -> None:
    scaled = [Level(level.estimates, 1.0 + level.variance % 50, level.group_of_finest) for level in levels]
    count = len(scaled[-1].estimates)
    rows, targets = [], []
    for level in scaled:
        incidence = np.zeros((len(level.estimates), count))
        incidence[level.group_of_finest, np.arange(count)] = 1
        rows.append(incidence / level.variance**0.5)
        targets.append(level.estimates / level.variance**0.5)
    matrix, target = np.vstack(rows), np.concatenate(targets)
    if non_negative:
        expected, _ = optimize.nnls(matrix, target)
    else:
        expected = np.linalg.lstsq(matrix, target)[0]
    found = np.array([int(number) / 2**16 for number in _fitted_numbers(scaled, non_negative)])
    assert np.max(np.abs(found - expected)) < 1e-3


@pytest.mark.parametrize("groupings", [rollup(12, 20), cube(6, 5, 4)], ids=["rollup", "cube"])
def test_on_average_every_level_is_nearer_to_the_truth_than_its_noise(groupings: list[Groups]) -> None:
    # Over 40 releases of at least 40 numbers in a level's square error; one number alone is not compared.
    generator = np.random.default_rng(3)
    truth = generator.poisson(generator.gamma(0.4, 60, len(groupings[-1])))
    before, after = np.zeros(len(groupings)), np.zeros(len(groupings))
    for _ in range(40):
        levels = noisy(truth, groupings)
        for index, (level, numbers) in enumerate(zip(levels, consistent(levels), strict=True)):
            exact = np.array(totals_of(truth, level.group_of_finest))
            before[index] += np.sum((level.estimates - exact) ** 2.0)
            after[index] += np.sum((numbers - exact) ** 2.0)
    many = [index for index, groups in enumerate(groupings) if groups.max() >= 10]
    assert many
    assert (after[many] < before[many]).all()
    assert after.sum() < 0.6 * before.sum()


def test_rounding_moves_no_number_of_a_rollup_by_a_whole_quantum() -> None:
    generator = np.random.default_rng(4)
    levels = noisy(generator.poisson(30, 60) * 1024, rollup(6, 10), variance=1e7)
    fitted = _fitted_numbers(levels, non_negative=True)
    for level, numbers in zip(levels, consistent(levels, quantum=1024), strict=True):
        exact = totals_of(fitted, level.group_of_finest)
        moved = [abs(int(number) * 2**16 - fitted_number) for number, fitted_number in zip(numbers, exact, strict=True)]
        assert max(moved) < 1024 * 2**16


def test_rounding_each_number_for_itself_would_move_the_total_further() -> None:
    halves = Level(np.full(100, 700), 1.0, np.arange(100))
    total = Level(np.array([70_000]), 1.0, np.zeros(100, dtype=np.intp))
    found = consistent([total, halves], quantum=1000)
    assert found[0].tolist() == [70_000]
    assert sorted(found[1].tolist()) == [0] * 30 + [1000] * 70


@pytest.mark.parametrize("size", [1, 10**30])
def test_numbers_that_add_up_already_are_left_alone_at_every_magnitude(size: int) -> None:
    groupings = cube(3, 2, 2)
    truth = np.array([size * k for k in range(12)], dtype=object)
    levels = [Level(np.array(totals_of(truth, groups)), 1e-9, groups) for groups in groupings]
    for level, numbers in zip(levels, consistent(levels), strict=True):
        assert numbers.tolist() == level.estimates.tolist()


def test_many_empty_groups_do_not_add_up_to_anything() -> None:
    number = 70_000
    finest = Level(np.full(number, -3), 1.0, np.arange(number))
    total = Level(np.array([0]), 1e-6, np.zeros(number, dtype=np.intp))
    found = consistent([total, finest])
    assert (found[0].tolist(), found[1].max()) == ([0], 0)


def test_a_precise_total_is_believed_and_an_imprecise_one_is_not() -> None:
    finest = Level(np.array([100, 300]), 100.0, np.arange(2))
    for variance, total in ((1e-6, 1000), (1e12, 400)):
        found = consistent([Level(np.array([1000]), variance, np.zeros(2, dtype=np.intp)), finest])
        assert found[0].tolist() == [total]
    assert consistent([Level(np.array([1000]), 1e-6, np.zeros(2, dtype=np.intp)), finest])[1].tolist() == [400, 600]


def test_one_level_alone_is_rounded_and_none_is_refused() -> None:
    found = consistent([Level(np.array([-5, 1499, 1500, 0]), 1.0, np.arange(4))], quantum=1000)
    assert found[0].tolist() == [0, 1000, 2000, 0]
    assert consistent([Level(np.zeros(0, dtype=np.int64), 1.0, np.arange(0))])[0].tolist() == []
    with pytest.raises(ValueError, match="no levels"):
        consistent([])


def test_levels_that_do_not_fit_together_are_refused() -> None:
    finest = Level(np.array([1, 2]), 1.0, np.arange(2))
    with pytest.raises(ValueError, match="must be the finest"):
        consistent([finest, Level(np.array([3]), 1.0, np.zeros(2, dtype=np.intp))])
    with pytest.raises(ValueError, match="the same finest groups"):
        consistent([Level(np.array([3]), 1.0, np.zeros(3, dtype=np.intp)), finest])
    with pytest.raises(ValueError, match="every group of a level needs a finest group"):
        Level(np.array([3, 4]), 1.0, np.zeros(2, dtype=np.intp))
    with pytest.raises(TypeError, match="integer"):
        Level(np.array([1.5]), 1.0, np.arange(1))
    for variance in (0.0, -1.0, float("nan"), float("inf")):
        with pytest.raises(ValueError, match="the variance must be"):
            Level(np.array([1]), variance, np.arange(1))
