"""Quantiles, minimum and maximum of one histogram per group, by the exponential mechanism (theorem 11).

**One quantile.** For the fraction q the score of a bucket b is minus the distance from the rank q·W to the ranks that b
covers, u(b) = -max(W(x < b) - qW, qW - W(x <= b), 0). A unit of weight c moves W(x < b) - qW, and likewise the
other difference, by (1 - q)c if it lies below and by -qc if not; a maximum of such terms moves no further. So the
sensitivity is C₁·max(q, 1 - q). (The distance to the middle of the ranks, which is often taken, has the same
sensitivity; but beside a bucket of many equal values it prefers an empty one.)

**Minimum and maximum** seek a rank t inside; in a group with less weight than 2t, half of it. With T = min(t, W/2)
instead of qW, a unit moves W(x < b) - T by at most c, since T moves by at most c/2 in the same direction; so the
sensitivity is C₁, whatever public number t is. With t = 2·C₁·ln(n/β)/ε the n positions which no row backs have together
β of the mass of one good one. It is a tenth more than for β = 1/20, which makes β = (1/20)^1.1·n^-0.1: a 43rd for 100
positions, a 107th for 10⁶. Up to half a row no depth leaves the last one, so that there it is what β = 10⁻⁹ takes.

**Several quantiles** (Kaplan, Schnapp, Stemmer 2022): choose the middle one, then the lower ones from the rows below
it and the upper ones from the rows above it, for m fractions in L = ⌈log₂(m + 1)⌉ levels. Given the same earlier
choices, a unit's rows fall into disjoint parts of a level, with weights Σc_i <= C₁ over the parts of all groups. By the
proof of `ExponentialMechanism` a level with ε/L for each choice is ε/L-DP and (ε/L)²/8-zCDP for that unit, whatever
was chosen before; so all levels together are ε-DP and ε²/(8L)-zCDP.

**Of nothing.** Where there may be no rows, one more candidate says so: with the weight W of all rows its score is
-max(q, 1 - q)·W, which one unit moves by C₁·max(q, 1 - q) at most, as all others; for minimum and maximum -W, by C₁. It
weighs `odds_of_nothing` times as much as all positions together, which without rows have the score 0 as it has. With
rows its odds fall as exp(-ε·W/(2·C₁)), so that it is chosen where so few of them are there that the noise would decide
anyway. It is a candidate of the first choice alone, after which there is nothing left to choose.

Equal rows at the cut would have to go to one side, and the ranks of the rest would be wrong. So with several fractions
each bucket's rows are spread evenly over 2**16 positions, which is linear and so changes no sensitivity, and the cut
goes through the middle of them.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import ClassVar, Literal, NamedTuple, Protocol, Self

from proxy.dp.accounting import Price
from proxy.dp.exact import finite, non_negative, positive, positive_count, probability
from proxy.dp.exponential import ExponentialMechanism, exponential_epsilon, rank_slack
from proxy.dp.histogram import Axis, Histogram, SoughtRank, Spread
from proxy.dp.weighted_choice import Runs

_FINENESS = 2**16
"""Positions of a bucket, where rows have to be divided between both sides of a cut."""

_OUTSIDE = 1 / 20
"""The odds of a minimum below all rows, if it were not sought deeper."""

_DEEPER = 1.1
"""How much deeper that is: many equal values, as counts are, are left five times less often for a tenth of the rank."""

_NEVER_OUTSIDE = 1e-9
"""The odds where that costs no rank."""


class End(NamedTuple):
    """An end of a part: the fraction that it has of all rows, and how many ranks inside the part that is."""

    fraction: Fraction
    inset: int


class Losses(Protocol):
    """Runs of losses and the positions of their items."""

    @property
    def runs(self) -> Runs: ...

    def position(self, run: int, offset: int) -> int:
        """The position of an item."""
        ...


@dataclass(frozen=True)
class QuantileMechanism:
    """Quantiles of a column, for any number of groups under one price.

    Attributes:
        fractions: in [0, 1], at least one; 0 is the minimum and 1 the maximum.
        sensitivity: C₁ >= 1, in cells: the sum of the weights of one unit's rows over all groups.
        buckets: size of the domain, >= 1.
        epsilon: > 0.
        lean: how many cells below q·W the sought rank lies: a public constant, which changes no sensitivity. Where q·W
            falls between two rows, all positions between them are equally good; 1 prefers the lower row, as
            percentile_disc does, and -1 the upper one.
        odds_of_nothing: how many times as likely as all values together it is, of no rows, that there is none; public.
            0 where the answer is always a value.
        row: the weight of a whole row, in cells. Minimum and maximum are sought up to half of it deep, where that makes
            the last one better than all values beyond it.

    Raises:
        ValueError: arguments outside of that, or not finite.
        TypeError: a sensitivity or number of buckets that is not an integer.
    """

    name: ClassVar[Literal["exponential"]] = "exponential"
    fractions: tuple[Fraction, ...]
    sensitivity: int
    buckets: int
    epsilon: Fraction
    lean: int = 0
    row: int = 1
    odds_of_nothing: int = 0

    def __post_init__(self) -> None:
        positive_count("the sensitivity", self.sensitivity)
        positive_count("the number of buckets", self.buckets)
        object.__setattr__(self, "epsilon", positive("epsilon", self.epsilon))
        object.__setattr__(self, "fractions", tuple(_fraction(fraction) for fraction in self.fractions))
        if not self.fractions:
            raise ValueError("no quantile was given")

    @classmethod
    def for_rho(
        cls, fractions: Sequence[Fraction], sensitivity: int, buckets: int, rho: Fraction, **others: int
    ) -> Self:
        """The mechanism with a price of at most `rho`, and these other attributes."""
        epsilon = exponential_epsilon(rho, _levels(fractions))
        return cls(tuple(fractions), sensitivity, buckets, epsilon, **others)

    @property
    def levels(self) -> int:
        """L, the number of choices that one row can take part in."""
        return _levels(self.fractions)

    @property
    def price(self) -> Price:
        """ε, and L·(ε/L)²/8 zCDP, or a pure release's ρ if that is less."""
        pure = Price.exponential(self.epsilon)
        return Price(self.epsilon, min(pure.rho, self.epsilon**2 / (8 * self.levels)), Fraction(0))

    def release(self, histogram: Histogram) -> list[int]:
        """The bucket of each fraction, in the order of `fractions`; none at all if there seem to be no rows.

        Raises:
            ValueError: the histogram has another domain.
        """
        if histogram.buckets != self.buckets:
            raise ValueError(f"expected a histogram of {self.buckets} buckets, got {histogram.buckets}")
        ordered = sorted(set(self.fractions))
        ends = End(Fraction(0), self._inside), End(Fraction(1), self._inside)
        positions = self._choose(Spread.of(histogram, self._axis), ordered, *ends, self.odds_of_nothing)
        if not positions:
            return []
        chosen = dict(zip(ordered, positions, strict=True))
        return [self._axis.value(chosen[fraction]) for fraction in self.fractions]

    def rank_error(self, confidence: float) -> float:
        """A bound on the distance, in cells, between the sought rank and each single choice, beyond the `coarseness`.

        Args:
            confidence: in (0, 1), for all choices of a group together.

        Raises:
            ValueError: confidence is outside of that.
        """
        failure = float(1 - probability("the confidence", confidence)) / len(set(self.fractions))
        widest = float(max(max(fraction, 1 - fraction) for fraction in self.fractions))
        return widest * rank_slack(self._candidates, failure, self._mechanism(self.sensitivity).rate)

    def least_weight(self, confidence: float, fraction: Fraction) -> float:
        """Of how much weight, in cells, all rows have to be, so that the value of one of the fractions is no value
        beyond them.

        Args:
            confidence: in (0, 1), as for `rank_error`.
            fraction: one of `fractions`.

        Raises:
            ValueError: confidence is outside of that.
        """
        inner = [other for other in self.fractions if 0 < other < 1]
        if fraction in (0, 1):
            # At most half as deep as the rows up to the next fraction, from which it is chosen.
            room = min((abs(fraction - other) for other in inner), default=Fraction(1)) / 2
        else:
            room = min(fraction, 1 - fraction)
        return self.rank_error(confidence) / float(room)

    @property
    def coarseness(self) -> int:
        """How far from the sought rank the best choice may be, in cells."""
        return 0

    @property
    def alone(self) -> bool:
        """Is it one quantile, so that no rows need to be cut?"""
        return len(set(self.fractions)) == 1

    @property
    def _axis(self) -> Axis:
        return Axis(self.buckets, 1 if self.alone else _FINENESS)

    @property
    def _apart(self) -> int:
        """1 if a position's rows are on neither side of a cut there, 0 if they are above it."""
        return 1

    @property
    def _inside(self) -> int:
        """How far from the ends of all rows the fractions 0 and 1 are."""
        return 0

    @property
    def _candidates(self) -> int:
        """How many positions there are for one good one."""
        return self._axis.size

    @cached_property
    def _inset(self) -> int:
        """t in cells; any public number is sound."""
        rate = self._mechanism(self.sensitivity).rate
        usual, deeper = (rank_slack(self._candidates, odds, rate) for odds in (_OUTSIDE, _NEVER_OUTSIDE))
        return max(math.ceil(_DEEPER * usual), min(math.ceil(deeper), self.row // 2))

    def _mechanism(self, sensitivity: int) -> ExponentialMechanism:
        return ExponentialMechanism(sensitivity, self.epsilon / self.levels)

    def _choose(
        self, part: Spread, ordered: Sequence[Fraction], low: End, high: End, odds_of_nothing: int = 0
    ) -> list[int]:
        """Positions for the fractions in `ordered`, which lie between those of the ends; none for nothing, if that has
        odds."""
        if not ordered:
            return []
        if part.low == part.high:  # two neighbouring positions were chosen before, or the last one
            return [min(part.low, self._axis.size - 1)] * len(ordered)
        index = len(ordered) // 2
        if ordered[index] == 1 and index > 0:
            index -= 1  # the maximum lies inside the rows, so what is cut off there would be missing from the ranks
        middle = ordered[index]
        located, sensitivity = self._located(part, middle, low, high)
        runs = located.runs
        if odds_of_nothing:
            per_weight = sensitivity // (self.sensitivity * self._axis.ties)
            runs = runs.and_one(per_weight * part.total, odds_of_nothing * self._axis.size)
        run, offset = self._mechanism(sensitivity).choose_in_runs(runs)
        if run == len(located.runs.first):
            return []
        position = located.position(run, offset)
        cut = self._cut(part, position, middle, low, high) if len(ordered) > 1 else 0
        below = self._choose(part.between(part.low, position), ordered[:index], low, End(middle, -cut))
        above = self._choose(
            part.between(position + self._apart, part.high), ordered[index + 1 :], End(middle, cut), high
        )
        return [*below, position, *above]

    def _located(self, part: Spread, middle: Fraction, low: End, high: End) -> tuple[Losses, int]:
        """The losses of all positions, and their sensitivity."""
        target, sensitivity = self._target((middle - low.fraction) / (high.fraction - low.fraction), part.total)
        return part.losses(target), sensitivity

    def _cut(self, part: Spread, position: int, middle: Fraction, low: End, high: End) -> int:  # noqa: ARG002
        """How far above the rows below the position the sought rank is; a public number."""
        return 0

    def _target(self, fraction: Fraction, total: int) -> tuple[SoughtRank, int]:
        """The sought rank among rows of weight `total`, and the sensitivity of its distances."""
        unit = self.sensitivity * self._axis.ties
        if fraction in (0, 1):
            inset = min(2 * self._inset * self._axis.ties, total)
            return SoughtRank(2, inset if fraction == 0 else 2 * total - inset), 2 * unit
        above = fraction.denominator - fraction.numerator
        rank = fraction.numerator * total - self.lean * self._axis.ties * fraction.denominator
        return SoughtRank(fraction.denominator, rank), unit * max(fraction.numerator, above)


def _levels(fractions: Sequence[Fraction]) -> int:
    return len(set(fractions)).bit_length()


def _fraction(value: Fraction) -> Fraction:
    fraction = non_negative("a quantile's fraction", finite("a quantile's fraction", value))
    if fraction > 1:
        raise ValueError(f"a quantile's fraction must be at most one, got {value}")
    return fraction
