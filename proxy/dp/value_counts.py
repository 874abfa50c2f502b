"""How many of a few listed values occur: chosen, not counted with noise (theorem 27)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, Literal

import numpy as np

from proxy.dp.accounting import Price
from proxy.dp.exact import positive_count
from proxy.dp.exponential import ExponentialMechanism, rank_slack

_FAILURE = 0.05
"""Of the sentence that says how the number can be off."""


@dataclass(frozen=True)
class ValueCountMechanism:
    """Chooses a number n from 0 to k, about how many of k listed values weigh something.

    Noise on the number itself would have to hide a unit that has all of the values. But let c_1 >= … >= c_k be the
    weights of the values in order, c_0 = ∞ and c_(k+1) = -∞, and let n score -max(θ - c_n, c_(n+1) - θ, 0), which is 0
    for the number of values of weight θ or more. A unit of weight w adds between 0 and w to the weight of each value,
    and so to each c_i. So no score moves by more than w, however many values the unit has, and theorem 10 holds with
    Δ = w.

    θ is a public constant: so large that for values that weigh nothing, or 2θ and more, a wrong number is chosen with
    probability 5 % at most, since each of the k wrong numbers scores -θ at best. It is half of w at least, so that at a
    large ε a single unit is seen.

    Attributes:
        sensitivity: w >= 1, the most that one unit weighs in each value, in cells.
        values: k >= 1, at least as many as there are.
        epsilon: > 0.

    Raises:
        ValueError: zero, negative or not finite arguments.
        TypeError: a sensitivity or number that is not an integer.
    """

    name: ClassVar[Literal["exponential"]] = "exponential"
    sensitivity: int
    values: int
    epsilon: Fraction

    def __post_init__(self) -> None:
        positive_count("the number of values", self.values)
        object.__setattr__(self, "epsilon", self._choice.epsilon)

    @property
    def _choice(self) -> ExponentialMechanism:
        return ExponentialMechanism(self.sensitivity, self.epsilon)

    @property
    def price(self) -> Price:
        return self._choice.price

    @property
    def threshold(self) -> int:
        """θ, in cells."""
        of_half_a_unit = (self.sensitivity + 1) // 2
        return max(of_half_a_unit, math.ceil(rank_slack(self.values, _FAILURE, self._choice.rate)))

    def scores(self, weights: Sequence[int]) -> list[int]:
        """The score of each number from 0 on.

        Args:
            weights: of each listed value, in cells, >= 0.
        """
        threshold, ordered = self.threshold, sorted(weights, reverse=True)
        too_many = [0, *(threshold - weight for weight in ordered)]
        too_few = [*(weight - threshold for weight in ordered), 0]
        return [-max(many, few, 0) for many, few in zip(too_many, too_few, strict=True)]

    def release(self, weights: Sequence[int]) -> int:
        """The number. Arguments as `scores`."""
        return self._choice.choose(np.array(self.scores(weights), dtype=object))
