"""Quantiles that are interpolated between two rows, as by percentile_cont (theorem 26).

They are chosen as in theorem 11, but from the buckets' values and those between them, by the distances of
`interpolation`, whose sensitivity is the same. Of several, each is interpolated among the rows of its part and the
values at its ends, where earlier ones were chosen; so at a huge epsilon it is percentile_cont's own if no other
fraction lies within one row of it.

Where rows are cut between two of them, the rank of the cut is not said by the rows on either side. So each choice that
cuts is followed by one of where between them the cut is, within half a row: the distance of such a rank from the sought
one moves like any rank's. It takes 1/100 of the level's ε: a level's two choices are ε/L-DP, and
((1 - 1/100)² + 1/100²)·(ε/L)²/8 <= (ε/L)²/8.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from proxy.dp.exponential import ExponentialMechanism
from proxy.dp.histogram import Axis, Histogram, SoughtRank, Spread
from proxy.dp.interpolation import interpolated, slack
from proxy.dp.quantiles import End, Losses, QuantileMechanism
from proxy.dp.weighted_choice import Runs, integers

_TIES = 2**12
"""Positions of a bucket, where rows have to be divided between both sides of a cut."""

_MOST_PARTS = 1000
"""Values from one bucket to the next, at most."""

_CUTS = Fraction(1, 100)
"""The share of a level's epsilon that finds out where rows are cut."""


def parts_between(fractions: Sequence[Fraction]) -> int:
    """In how many steps interpolated values go from one bucket to the next: for all that fall between two rows of
    neighbouring buckets, unless that are too many."""
    return min(math.lcm(*(fraction.denominator for fraction in fractions)), _MOST_PARTS)


@dataclass(frozen=True)
class InterpolatedQuantiles(QuantileMechanism):
    """Quantiles of a column, for any number of groups under one price, in steps of 1/`parts_between` of a bucket.

    Attributes:
        row: the weight of a full row in cells, even and positive.
        groups: in how many groups one unit's rows may be, at most: losses are rounded in each of them.

    Raises:
        ValueError: arguments outside of that, or not finite.
        TypeError: a sensitivity or number of buckets that is not an integer.
    """

    row: int = field(kw_only=True)
    groups: int = field(default=1, kw_only=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.row % 2 or self.row <= 0:
            raise ValueError(f"the weight of a row must be even and positive, got {self.row}")

    def release(self, histogram: Histogram) -> list[int]:
        """The value of each fraction, in the order of `fractions`, in steps of 1/`parts_between` of a bucket; none at
        all if there seem to be no rows.

        Raises:
            ValueError: the histogram has another domain.
        """
        return super().release(histogram)

    @property
    def coarseness(self) -> int:
        return self.row

    @property
    def _axis(self) -> Axis:
        parts = parts_between(self.fractions)
        return Axis(self.buckets, parts if self.alone else _TIES, parts)

    @property
    def _candidates(self) -> int:
        """Of one quantile all positions of a bucket are equally good, and at least half of all are some bucket's."""
        return 2 * self.buckets if self.alone else self._axis.size

    @property
    def _apart(self) -> int:
        return 0

    @property
    def _inside(self) -> int:
        return self.row * self._axis.ties // 2

    def _mechanism(self, sensitivity: int) -> ExponentialMechanism:
        share = 1 if self.alone else 1 - _CUTS
        return ExponentialMechanism(sensitivity, share * self.epsilon / self.levels)

    def _located(self, part: Spread, middle: Fraction, low: End, high: End) -> tuple[Losses, int]:
        if middle in (0, 1):
            return super()._located(part, middle, low, high)
        sought, sensitivity = self._middle(part, middle, low, high)
        row = self.row * self._axis.ties
        return interpolated(part, self._axis, sought, row, cut=not self.alone), sensitivity

    def _middle(self, part: Spread, middle: Fraction, low: End, high: End) -> tuple[SoughtRank, int]:
        """The middle of the sought window, and the sensitivity of distances from it."""
        fraction = (middle - low.fraction) / (high.fraction - low.fraction)
        scale = fraction.denominator
        rank = scale * low.inset + fraction.numerator * (part.total - low.inset - high.inset)
        moved = self.sensitivity * self._axis.ties * max(fraction.numerator, scale - fraction.numerator)
        return SoughtRank(scale, rank), moved + slack(scale, 0 if self.alone else self.sensitivity, self.groups)

    def _cut(self, part: Spread, position: int, middle: Fraction, low: End, high: End) -> int:
        if middle in (0, 1):
            return 0
        sought, sensitivity = self._middle(part, middle, low, high)
        below = part.between(part.low, position).total
        half = self._inside  # of a row
        nearest = min(max(sought.rank // sought.scale - below, -half - 1), half)
        origins = [nearest, nearest + 1]
        runs = Runs(
            first=integers([abs(sought.scale * (below + origin) - sought.rank) for origin in origins]),
            step=integers([sought.scale] * 2),
            count=integers([nearest + half + 1, half - nearest]),
        )
        run, offset = ExponentialMechanism(sensitivity, _CUTS * self.epsilon / self.levels).choose_in_runs(runs)
        return origins[run] + (offset if run else -offset)
