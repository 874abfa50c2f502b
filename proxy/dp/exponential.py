"""The exponential mechanism over integer scores: better candidates are more likely to be chosen (theorem 10)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, Literal

import numpy as np

from proxy.dp.accounting import Price
from proxy.dp.exact import positive, positive_count, probability, square_root_below
from proxy.dp.mechanisms import Cells
from proxy.dp.noise import IntegerArray
from proxy.dp.weighted_choice import Runs, draw_offset, draw_run, integers


@dataclass(frozen=True)
class ExponentialMechanism:
    """Chooses r with P[r] ∝ w(r)·exp(rate·u(r)), rate = ε/(2Δ): ε-DP (McSherry and Talwar 2007) and ε²/8-zCDP.

    Let one unit change u(r) by d(r). Then log P[r]/P'[r] = rate·d(r) - c for a c that does not depend on r, and c is
    a weighted mean of rate·d, exponentials averaged; so both the logarithm's size and its range over r are at most
    rate·(max d - min d) <= 2·rate·Δ = ε. A range of ε ("bounded range", Durfee and Rogers 2019) means ε²/8-zCDP
    (Cesar and Rogers 2021).

    If u is monotone, d(r) has the same sign for all r whichever unit comes, as counts have, then
    max d - min d <= Δ, and rate = ε/Δ gives the same guarantees.

    For several choices of which one unit changes the scores by Δ_1, Δ_2, … with ΣΔ_i <= Δ, all are paid by one price:
    their ranges are ε·Δ_i/Δ, whose sum is at most ε, and the sum of whose squares is at most ε².

    Attributes:
        sensitivity: Δ >= 1, the most by which one unit changes the score of any candidate.
        epsilon: > 0.
        monotone: does a unit that comes change no scores in opposite directions?

    Raises:
        ValueError: zero, negative or not finite arguments.
        TypeError: a sensitivity that is not an integer.
    """

    name: ClassVar[Literal["exponential"]] = "exponential"
    sensitivity: int
    epsilon: Fraction
    monotone: bool = False

    def __post_init__(self) -> None:
        positive_count("the sensitivity", self.sensitivity)
        object.__setattr__(self, "epsilon", positive("epsilon", self.epsilon))

    @property
    def rate(self) -> Fraction:
        """The factor of scores in the exponent."""
        return self.epsilon / (self.sensitivity if self.monotone else 2 * self.sensitivity)

    @property
    def price(self) -> Price:
        return Price.exponential(self.epsilon)

    def choose(self, scores: Cells, weights: Cells | None = None) -> int:
        """The index of the chosen candidate.

        Args:
            scores: an integer for each candidate; greater is better.
            weights: how many equal candidates each stands for, public integers >= 0; 1 if None.

        Raises:
            ValueError: no candidate, a negative weight, or not as many weights as scores.
            TypeError: a score or weight that is not an integer.
        """
        losses = -integers(scores)
        counts = np.ones(len(losses), dtype=np.int64) if weights is None else integers(weights)
        return draw_run(Runs(losses, np.zeros(len(losses), dtype=np.int64), counts), self.rate)

    def choose_in_runs(self, runs: Runs) -> tuple[int, int]:
        """The index of a run, and the offset in it of the chosen candidate; losses are negated scores."""
        run = draw_run(runs, self.rate)
        return run, draw_offset(runs.step_of(run), int(runs.count[run]), self.rate)


def exponential_epsilon(rho: Fraction, choices: int = 1) -> Fraction:
    """The ε that ρ buys for a sequence of choices with equal shares, rounded down.

    The better of two valid bounds of the price: choices·(ε/choices)²/8, and that of ε-DP, which is below ε.

    Args:
        rho: > 0, for all choices together.
        choices: >= 1.

    Raises:
        ValueError: arguments outside of that, or not finite.
    """
    rho = positive("rho", rho)
    by_range = square_root_below(8 * positive_count("the number of choices", choices) * rho)
    return max(by_range, rho)


@dataclass(frozen=True)
class ModeMechanism:
    """Chooses the most frequent value of a declared domain, for any number of groups under one price.

    Counts are monotone, and one unit changes all counts of all groups by at most C₁ in total (`ExponentialMechanism`).
    That there is no row with any of them is a candidate whose score is always 0, as no unit changes it.

    Attributes:
        sensitivity: C₁ >= 1, in cells.
        epsilon: > 0.
        odds_of_nothing: how many times as likely as all values together it is, of no rows, that there is none; public.
            0 where the answer is always a value.

    Raises:
        ValueError: zero, negative or not finite arguments.
        TypeError: a sensitivity that is not an integer.
    """

    name: ClassVar[Literal["exponential"]] = "exponential"
    sensitivity: int
    epsilon: Fraction
    odds_of_nothing: int = 0

    def __post_init__(self) -> None:
        object.__setattr__(self, "epsilon", self._choice.epsilon)

    @property
    def _choice(self) -> ExponentialMechanism:
        return ExponentialMechanism(self.sensitivity, self.epsilon, monotone=True)

    @property
    def price(self) -> Price:
        return self._choice.price

    def release(self, counts: IntegerArray) -> int | None:
        """The index of a value for one group; None if there seem to be no rows with any.

        Args:
            counts: weighted number of rows for each value of the domain, in cells.

        Raises:
            ValueError: an empty domain.
            TypeError: a count that is not an integer.
        """
        if not self.odds_of_nothing:
            return self._choice.choose(counts)
        number = len(counts)
        weights = integers([*([1] * number), self.odds_of_nothing * number])
        chosen = self._choice.choose(integers([*counts.tolist(), 0]), weights)
        return chosen if chosen < number else None

    def count_error(self, confidence: float, values: int) -> float:
        """A bound on how many cells less than the most frequent of `values` the chosen value has."""
        return rank_slack(values, float(1 - probability("the confidence", confidence)), self._choice.rate)


def rank_slack(candidates: int, failure: float, rate: Fraction) -> float:
    """How far below the best score a chosen score is at most, except with probability `failure`: ln(n/β)/rate.

    Dwork and Roth 2014, Theorem 3.11: candidates that are worse by s have together at most n·exp(-rate·s) of the mass.
    """
    return (math.log(candidates) - math.log(failure)) / float(rate)
