"""Noise drawn beforehand has the law of noise drawn when it is needed, and none is used twice."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from numpy.typing import NDArray

from proxy.dp.mechanisms import GaussianMechanism, LaplaceMechanism
from proxy.dp.selection import KeySelection
from proxy.dp.stock import BATCH, Stock
from tests.dp.goodness import accepts, edges, gaussian_distribution, laplace_distribution


class Numbers:
    """0, 1, 2, … in as many calls as it takes."""

    def __init__(self) -> None:
        self.sizes: list[int] = []

    def __call__(self, size: int) -> NDArray[np.int64]:
        first = sum(self.sizes)
        self.sizes.append(size)
        return np.arange(first, first + size)


def test_draws_are_taken_in_order_and_none_twice() -> None:
    numbers = Numbers()
    stock = Stock(numbers, 10)
    assert numbers.sizes == [10]
    taken = [stock.take(count).tolist() for count in (3, 0, 7)]
    assert taken == [[0, 1, 2], [], [3, 4, 5, 6, 7, 8, 9]]
    assert numbers.sizes == [10]


@pytest.mark.parametrize("needed", [11, 10 + BATCH - 1, 10 + BATCH])
def test_what_is_drawn_later_says_nothing_but_the_number_of_batches(needed: int) -> None:
    numbers = Numbers()
    stock = Stock(numbers, 10)
    assert stock.take(needed).tolist() == list(range(needed))
    assert numbers.sizes == [10, BATCH]
    stock.take(10 + BATCH + 1 - needed)
    assert numbers.sizes == [10, BATCH, BATCH]


def test_numbers_with_noise_from_a_stock_have_the_law_of_the_mechanism() -> None:
    laplace, gaussian = LaplaceMechanism(3, Fraction(1, 2)), GaussianMechanism(9, Fraction(1, 2))
    drawn = Stock(laplace.draw, 30_000).take(40_000)
    assert accepts(np.array(laplace.release([0] * 40_000, drawn)), laplace_distribution(laplace.scale), edges(6))
    drawn = Stock(gaussian.draw, 30_000).take(40_000)
    assert accepts(np.array(gaussian.release([0] * 40_000, drawn)), gaussian_distribution(gaussian.variance), edges(3))


def test_noise_that_was_drawn_is_what_is_added() -> None:
    mechanism = LaplaceMechanism(1, Fraction(1))
    assert mechanism.release([10, 20], np.array([-3, 4])) == [7, 24]


@pytest.mark.parametrize(("noise", "groups"), [("gaussian", 4), ("laplace", 4), ("laplace", 1)])
def test_keys_are_selected_by_what_was_drawn(noise: str, groups: int) -> None:
    selection = KeySelection(groups, noise, Fraction(1), Fraction(1, 100))  # type: ignore[arg-type]
    weights = [selection.threshold] * 500
    drawn = selection.draw(500)
    assert selection.select(weights, drawn) == selection.select(weights, drawn)
    assert selection.select(weights, drawn) != selection.select(weights, selection.draw(500))
