"""The number of values that occur: a unit with all of them moves no score by more than its weight in one (theorem 27)."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proxy.dp.exponential import exponential_epsilon
from proxy.dp.value_counts import ValueCountMechanism

WEIGHT = 8


def probabilities(mechanism: ValueCountMechanism, weights: list[int]) -> list[float]:
    """Of each number, from the definition of the exponential mechanism."""
    rate = float(mechanism.epsilon) / (2 * mechanism.sensitivity)
    masses = [math.exp(rate * score) for score in mechanism.scores(weights)]
    return [mass / sum(masses) for mass in masses]


WEIGHTS = st.lists(st.integers(0, 400), min_size=1, max_size=7)
EPSILONS = st.fractions(Fraction(1, 10), Fraction(3), max_denominator=50)


@given(weights=WEIGHTS, epsilon=EPSILONS, data=st.data())
def test_a_unit_in_any_of_the_values_changes_probabilities_by_epsilon_at_most(
    weights: list[int], epsilon: Fraction, data: st.DataObject
) -> None:
    mechanism = ValueCountMechanism(WEIGHT, len(weights), epsilon)
    own = data.draw(st.lists(st.sampled_from([0, WEIGHT]), min_size=len(weights), max_size=len(weights)))
    with_unit = [weight + more for weight, more in zip(weights, own, strict=True)]
    scores = zip(mechanism.scores(weights), mechanism.scores(with_unit), strict=True)
    assert max(abs(after - before) for before, after in scores) <= WEIGHT
    pairs = zip(probabilities(mechanism, weights), probabilities(mechanism, with_unit), strict=True)
    assert all(abs(math.log(after / before)) <= float(epsilon) + 1e-9 for before, after in pairs)


def test_a_unit_in_all_of_many_values_moves_a_score_no_further() -> None:
    mechanism = ValueCountMechanism(WEIGHT, 20, Fraction(1))
    for many in range(21):
        before, after = ([weight] * many + [0] * (20 - many) for weight in (500, 500 + WEIGHT))
        scores = zip(mechanism.scores(before), mechanism.scores(after), strict=True)
        assert max(abs(new - old) for old, new in scores) <= WEIGHT


@given(occur=st.integers(0, 12), others=st.integers(0, 8), epsilon=EPSILONS, sensitivity=st.sampled_from([1, 8, 2**20]))
def test_values_of_twice_the_threshold_count_and_those_of_nothing_do_not(
    occur: int, others: int, epsilon: Fraction, sensitivity: int
) -> None:
    mechanism = ValueCountMechanism(sensitivity, max(occur + others, 1), epsilon)
    weights = [2 * mechanism.threshold] * occur + [0] * others
    assert probabilities(mechanism, weights)[occur] >= 0.95


def test_the_threshold_is_no_larger_than_that_takes() -> None:
    mechanism = ValueCountMechanism(2**20, 9, exponential_epsilon(Fraction("0.005")))
    # 2·ln(9 / 0.05) / 0.2
    assert mechanism.threshold / 2**20 == pytest.approx(51.93, abs=0.01)
    weights = [2 * mechanism.threshold] * 4 + [0] * 5
    assert 0.95 <= probabilities(mechanism, weights)[4] <= 0.96


def test_the_number_is_drawn_from_the_scores() -> None:
    mechanism = ValueCountMechanism(WEIGHT, 3, Fraction(1))
    weights = [200, mechanism.threshold + 4, 0]
    expected, draws = probabilities(mechanism, weights), [mechanism.release(weights) for _ in range(4000)]
    for number, probability in enumerate(expected):
        assert draws.count(number) / 4000 == pytest.approx(probability, abs=0.04)


@pytest.mark.parametrize(("weights", "number"), [([0, 0, 0], 0), ([1, 0, 0], 1), ([1, 2**20, 0], 2), ([1, 1, 1], 3)])
def test_a_huge_epsilon_counts_every_value_that_one_unit_has(weights: list[int], number: int) -> None:
    mechanism = ValueCountMechanism(2**20, 3, Fraction(10**6))
    assert mechanism.release([units * 2**20 for units in weights]) == number


def test_its_price_is_that_of_one_choice() -> None:
    assert ValueCountMechanism(WEIGHT, 3, Fraction(1, 5)).price.rho == Fraction(1, 5) ** 2 / 8


@pytest.mark.parametrize("arguments", [(0, 3, 1), (8, 0, 1), (8, 3, 0), (8, 3, -1)])
def test_arguments_have_to_be_positive(arguments: tuple[int, int, int]) -> None:
    sensitivity, values, epsilon = arguments
    with pytest.raises(ValueError, match="must be"):
        ValueCountMechanism(sensitivity, values, Fraction(epsilon))
