"""Quantiles, minimum and maximum of one histogram per group, by the exponential mechanism (theorem 11).

**One quantile.** For the fraction q the score of a bucket b is minus the distance from the rank q·W to the ranks that b
covers, u(b) = -max(W(x < b) - qW, qW - W(x <= b), 0). A unit of weight c moves W(x < b) - qW, and likewise the
other difference, by (1 - q)c if it lies below and by -qc if not; a maximum of such terms moves no further. So the
sensitivity is C₁·max(q, 1 - q). (The distance to the middle of the ranks, which is often taken, has the same
sensitivity; but beside a bucket of many equal values it prefers an empty one.)

**Minimum and maximum** seek a rank t = 2·C₁·ln(20·n)/ε inside, so that the n positions which no row backs have together
a twentieth of the mass of one good one; in a group with less weight than 2t, half of it. With T = min(t, W/2) instead
of qW, a unit moves W(x < b) - T by at most c, since T moves by at most c/2 in the same direction; so the sensitivity is
C₁.

**Several quantiles** (Kaplan, Schnapp, Stemmer 2022): choose the middle one, then the lower ones from the rows below
it and the upper ones from the rows above it, for m fractions in L = ⌈log₂(m + 1)⌉ levels. Given the same earlier
choices, a unit's rows fall into disjoint parts of a level, with weights Σc_i <= C₁ over the parts of all groups. By the
proof of `ExponentialMechanism` a level with ε/L for each choice is ε/L-DP and (ε/L)²/8-zCDP for that unit, whatever
was chosen before; so all levels together are ε-DP and ε²/(8L)-zCDP.

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
from typing import ClassVar, Literal

from proxy.dp.accounting import Price
from proxy.dp.exact import finite, non_negative, positive, positive_count, probability
from proxy.dp.exponential import ExponentialMechanism, exponential_epsilon, rank_slack
from proxy.dp.histogram import Histogram, SoughtRank, Spread

_FINENESS = 2**16
"""Positions of a bucket, where rows have to be divided between both sides of a cut."""

_OUTSIDE = 1 / 20
"""The odds of a minimum below all rows."""


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

    def __post_init__(self) -> None:
        positive_count("the sensitivity", self.sensitivity)
        positive_count("the number of buckets", self.buckets)
        object.__setattr__(self, "epsilon", positive("epsilon", self.epsilon))
        object.__setattr__(self, "fractions", tuple(_fraction(fraction) for fraction in self.fractions))
        if not self.fractions:
            raise ValueError("no quantile was given")

    @classmethod
    def for_rho(
        cls, fractions: Sequence[Fraction], sensitivity: int, buckets: int, rho: Fraction, lean: int = 0
    ) -> QuantileMechanism:
        """The mechanism with a price of at most `rho`."""
        epsilon = exponential_epsilon(rho, _levels(fractions))
        return cls(tuple(fractions), sensitivity, buckets, epsilon, lean)

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
        """The bucket of each fraction, in the order of `fractions`.

        Raises:
            ValueError: the histogram has another domain.
        """
        if histogram.buckets != self.buckets:
            raise ValueError(f"expected a histogram of {self.buckets} buckets, got {histogram.buckets}")
        ordered = sorted(set(self.fractions))
        positions = self._choose(Spread.of(histogram, self._fineness), ordered, Fraction(0), Fraction(1))
        chosen = dict(zip(ordered, positions, strict=True))
        return [chosen[fraction] // self._fineness for fraction in self.fractions]

    def rank_error(self, confidence: float) -> float:
        """A bound on the distance, in cells, between the sought rank and each single choice, whatever the data.

        Args:
            confidence: in (0, 1), for all choices of a group together.

        Raises:
            ValueError: confidence is outside of that.
        """
        failure = float(1 - probability("the confidence", confidence)) / len(set(self.fractions))
        widest = float(max(max(fraction, 1 - fraction) for fraction in self.fractions))
        return widest * rank_slack(self._positions, failure, self._mechanism(self.sensitivity).rate)

    @property
    def _fineness(self) -> int:
        return 1 if len(set(self.fractions)) == 1 else _FINENESS

    @cached_property
    def _inset(self) -> int:
        """t in cells; any public number is sound."""
        return math.ceil(rank_slack(self._positions, _OUTSIDE, self._mechanism(self.sensitivity).rate))

    @property
    def _positions(self) -> int:
        return self.buckets * self._fineness

    def _mechanism(self, sensitivity: int) -> ExponentialMechanism:
        return ExponentialMechanism(sensitivity, self.epsilon / self.levels)

    def _choose(self, part: Spread, ordered: Sequence[Fraction], low: Fraction, high: Fraction) -> list[int]:
        """Positions for the fractions in `ordered`, which lie between `low` and `high`, the fractions of the ends."""
        if not ordered:
            return []
        if part.low == part.high:  # two neighbouring positions were chosen before, or the last one
            return [min(part.low, self._positions - 1)] * len(ordered)
        index = len(ordered) // 2
        if ordered[index] == 1 and index > 0:
            index -= 1  # the maximum lies inside the rows, so what is cut off there would be missing from the ranks
        middle = ordered[index]
        target, sensitivity = self._target((middle - low) / (high - low), part.total)
        located = part.losses(target)
        position = located.position(*self._mechanism(sensitivity).choose_in_runs(located.runs))
        below = self._choose(part.between(part.low, position), ordered[:index], low, middle)
        above = self._choose(part.between(position + 1, part.high), ordered[index + 1 :], middle, high)
        return [*below, position, *above]

    def _target(self, fraction: Fraction, total: int) -> tuple[SoughtRank, int]:
        """The sought rank among rows of weight `total`, and the sensitivity of its distances."""
        unit = self.sensitivity * self._fineness
        if fraction in (0, 1):
            inset = min(2 * self._inset * self._fineness, total)
            return SoughtRank(2, inset if fraction == 0 else 2 * total - inset), 2 * unit
        above = fraction.denominator - fraction.numerator
        rank = fraction.numerator * total - self.lean * self._fineness * fraction.denominator
        return SoughtRank(fraction.denominator, rank), unit * max(fraction.numerator, above)


def _levels(fractions: Sequence[Fraction]) -> int:
    return len(set(fractions)).bit_length()


def _fraction(value: Fraction) -> Fraction:
    fraction = non_negative("a quantile's fraction", finite("a quantile's fraction", value))
    if fraction > 1:
        raise ValueError(f"a quantile's fraction must be at most one, got {value}")
    return fraction
