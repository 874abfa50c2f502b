"""Clipping thresholds that are chosen from the data, privately (theorem 22).

A unit whose contribution has a norm above the threshold τ is scaled down to τ, and noise is made for τ. The thresholds
are public: 1, 3/2, 2, 3, 4, 6, 8, … times the least contribution. The bucket of a unit is the least threshold that its
norm does not exceed. Let n(j) be the number of units in buckets above j, m(j) in buckets below, and N of all units. Two
exponential mechanisms choose:

- First the bucket of the median, by the score -max(n(j) - N/2, m(j) - N/2, 0). A unit that comes adds one to N, and to
  n(j) or m(j) or neither, so scores move by 1/2 at most, in either direction. However far apart the possible thresholds
  are, some hundred units suffice to find the right order of magnitude; where there are fewer, a public penalty decides
  for those that bounds of the values make likely, or without bounds for small thresholds. Of sums, units whose own sums
  are 0 are left out: no threshold changes what they add, and where most are so, the median would tell nothing.
- Then the threshold, by -max(n(j) - θ, 0) for a public θ, with a public penalty for each step away from the first
  choice. A unit raises some n(j) by one and lowers none: the score is monotone with sensitivity 1.

Error is least about where n(j) = θ: there a larger threshold takes as much error away, from the θ units that it would
scale down less, as it adds to the noise of all groups. The penalty keeps the choice from going further than units ask
for: all thresholds above the largest norm have the same score. Four noisy numbers tell what the choice means.

Where the norm is L2 over several groups, what a unit loses of its norm says little of what it loses of its rows: with
one row in each of n groups it has the norm √n, and loses n·(1 - τ/√n) rows. A fifth number tells that. A unit with norm
N, at most f, loses at most √G·(f - τ) of what G groups show, since its contributions there add up to √G·N at most, and
at most f·(f - τ) if they are whole numbers, which add up to N² at most. It adds its loss as a share of that bound. How
far above τ f is, depends on what is released by then: so far that noise leaves the share of all that is lost known. A
unit with a larger norm adds one to a sixth number instead. Where some are surely there, only the least that is lost is
told: nobody knows how far above f they are.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import accumulate
from math import isqrt
from typing import Final

from proxy.dp.accounting import Price
from proxy.dp.exponential import ExponentialMechanism
from proxy.dp.mechanisms import Mechanism
from proxy.dp.noise import IntegerArray

CELLS = 1024
"""Cells of one unit, in scores and in the four numbers."""

_PENALTY = 1.5
"""Nats of each step: a factor of about √2 in the noise."""

_ABOVE, _BELOW, _UNKNOWN = 0.35, 0.2, 0.1
"""Nats of each step by which a median is above or below what is expected, or above the first where nothing is. All
thresholds below the right one together weigh no more than five of them: too high a threshold shows in the noise, and
one that is far too low does not."""

_IMPOSSIBLE = 1.5
"""Nats of each step by which a median is below what bounds leave possible."""

_ALLOWED = 1.6
"""θ for each group, in standard deviations of its noise: twice the mean absolute error of Gaussian noise. That is 1.02
to 1.18 times the median relative error of the best threshold in hindsight, for counts and sums over 30 groups of 50 000
and of 2 000 skewed units, at ρ from 0.0005 to 0.125."""

_WITHIN_BUCKET = 0.85
"""The middle of a bucket, as a share of its upper end."""

_LITTLE = 0.05
"""The share of units that are hardly any."""

_FAR = 4
"""So many thresholds of a unit's norm are told apart; what lies beyond is left out of the share that does not count."""

_FAR_ABOVE = 0.45
"""The mean of what units lose, as a share of the most that is told apart, from which on much may lie beyond: with sizes
above the threshold that fall off exponentially, a sixth of what they lose."""

_KNOWN = 0.1
"""Ends of a share that are no further apart say it well enough."""

_MOST = 0.5
"""To know that no more than this share is lost is to know something."""

_NOTHING = 0.005
"""A share that is lost and that no reader would notice."""

NUMBERS = 4
"""What is told: units up to the threshold and those above it, the sizes of the former, and what does not count of the
latter."""

TOLD_OF_UNIT = 2
"""Of these each unit adds to two, at most 1 to each: the first and the third, or the others. To the fifth number or the
sixth, where they are told, only those add that add to the others."""

FURTHER: Final = 2
"""Numbers about losses in several groups, to one of which a unit adds at most 1."""

_LEAST_FAR, _MOST_FAR = 2, 16
"""So many thresholds of an L2 norm at least, and at most, are told apart in the fifth number."""

_BLURRED = 0.04
"""What two deviations of its noise may be, as a share of what counts."""

_LOSS_CELLS = CELLS - 4
"""Cells of the largest loss in the fifth number, whose parts the source has rounded: a unit adds less than CELLS."""


@cache
def threshold(index: int) -> Fraction:
    """τ of an index: 1, 3/2, 2, 3, 4, 6, …."""
    power = Fraction(2) ** (index // 2)
    return power if index % 2 == 0 else power * 3 / 2


def thresholds_up_to(most: int) -> int:
    """The number of thresholds, the last of which is the least power of two that is not below `most`."""
    return 2 * int(most - 1).bit_length() + 1


def cells_per_step(bits: int, index: int) -> int:
    """The cells of one step of a contribution, if the threshold of this index has 3·2^bits cells: a whole number.

    Args:
        bits: at least those of the last threshold.
        index: of the threshold.

    Raises:
        ValueError: too few bits.
    """
    cells = Fraction(3 << bits) / threshold(index)
    if cells.denominator != 1:
        raise ValueError(f"3·2^{bits} cells are not a whole number of steps at threshold {index}")
    return cells.numerator


@dataclass(frozen=True)
class ThresholdChoice:
    """The private choice of a threshold, and what it tells about the answer.

    Attributes:
        expected: the index of the threshold that public facts make likely; None if there are none.
        median_epsilon: > 0, of the choice of the median.
        epsilon: > 0, of the choice of the threshold.
        told: the noise of the four numbers of units, in cells; a unit adds at most 1 to two of them.
        least: the index of the greatest threshold that a unit's norm cannot be below, unless it is 0; public.
        over_groups: are norms L2 over several groups? Then two further numbers are told, and a unit adds to
            three of all.
    """

    expected: int | None
    median_epsilon: Fraction
    epsilon: Fraction
    told: Mechanism
    least: int = 0
    over_groups: bool = False

    @property
    def price(self) -> Price:
        return self._median.price + self._threshold.price + self.told.price

    @property
    def _median(self) -> ExponentialMechanism:
        return ExponentialMechanism(CELLS // 2, self.median_epsilon)

    @property
    def _threshold(self) -> ExponentialMechanism:
        return ExponentialMechanism(CELLS, self.epsilon, monotone=True)

    def choose(self, units: Sequence[int], noise: float, groups: int) -> int:
        """The index of a threshold.

        Args:
            units: for each threshold the number of units above the one before it and not above it; last those above
                all.
            noise: the standard deviation of a released number, as a share of the threshold; public.
            groups: how many numbers are released; public.
        """
        allowed = round(_ALLOWED * noise * groups * CELLS)
        above = list(accumulate(reversed(units)))[-2::-1]
        median = self._median.choose(self._median_scores([*units[:-2], units[-2] + units[-1]]))
        # At least a cell: with a huge epsilon the largest norm decides, but still nothing beyond it.
        step = max(round(_PENALTY * CELLS / float(self.epsilon)), 1)
        scores = [-max(count * CELLS - allowed, 0) - step * abs(index - median) for index, count in enumerate(above)]
        return self._threshold.choose(scores)

    def _median_scores(self, units: Sequence[int]) -> list[int]:
        """-max(n(j) - N/2, m(j) - N/2, 0) of each bucket, in cells, less the penalty of what is not expected; units
        above all thresholds count as in the last one."""
        up_to = list(accumulate(units))
        everyone = up_to[-1]
        most = [max(everyone - total, total - here) for total, here in zip(up_to, units, strict=True)]
        nats = CELLS / float(self.median_epsilon)
        return [
            -max(2 * count - everyone, 0) * (CELLS // 2) - round(self._unexpected(index) * nats)
            for index, count in enumerate(most)
        ]

    def _unexpected(self, index: int) -> float:
        """Nats. Few units say little: without bounds the choice has to be low then, rather than have noise for what
        nobody has."""
        impossible = _IMPOSSIBLE * max(self.least - index, 0)
        if self.expected is None:
            return _UNKNOWN * index + impossible
        return max(_ABOVE * (index - self.expected), _BELOW * (self.expected - index)) + impossible

    def tell(self, units: Sequence[int], index: int, noise: IntegerArray) -> Told:
        """What the choice means for the answer, apart from the losses in several groups.

        Args:
            units: as of `choose`.
            index: the chosen threshold.
            noise: the first four numbers from `draw`, used nowhere else.
        """
        exact = [0] * NUMBERS
        for bucket, count in enumerate(units):
            for place, weight in enumerate(_weights(bucket, len(units) - 1, index)):
                exact[place] += count * weight
        return Told(tuple(self.told.release(exact, noise)), self.told.standard_deviation)

    def tell_losses(
        self, units: Sequence[int], index: int, far: int, shares: Sequence[Fraction], noise: IntegerArray
    ) -> tuple[int, int]:
        """The fifth and the sixth number.

        Args:
            units: as of `choose`.
            index: the chosen threshold.
            far: `far_bucket`.
            shares: of each bucket what its units lose together, as a share of `largest_loss`.
            noise: the last two numbers from `draw`, used nowhere else.
        """
        beyond = sum(units[max(far, index) + 1 :]) * CELLS
        losses, further = self.told.release([_losses(units, index, far, shares), beyond], noise)
        return losses, further

    def draw(self) -> IntegerArray:
        """Noise for the numbers, in cells."""
        return self.told.draw(NUMBERS + FURTHER * self.over_groups)


def far_bucket(index: int, last: int, groups: int, *, whole: bool, deviation: float, kept: float) -> int:
    """The last bucket whose losses the fifth number tells.

    Args:
        index: of the threshold.
        last: that of the last one.
        groups: how many groups are released.
        whole: are contributions whole numbers?
        deviation: of the number's noise, in cells.
        kept: what counts in all groups, as released, in steps of contributions.
    """
    beyond = [place for place in range(index, last + 1) if threshold(place) <= _MOST_FAR * threshold(index)]
    least = [place for place in beyond if threshold(place) <= _LEAST_FAR * threshold(index)]
    clear = [
        place
        for place in beyond
        if 2 * deviation / CELLS * float(largest_loss(index, place, groups, whole=whole)) <= _BLURRED * kept
    ]
    return max(*least, *clear) if clear else max(least)


def largest_loss(index: int, far: int, groups: int, *, whole: bool) -> Fraction:
    """The most that a unit of a bucket up to `far` loses in some groups, in steps of its contributions; at least 1, so
    that shares of it have a meaning where nothing can be lost.

    Args:
        index: of the threshold.
        far: the bucket.
        groups: how many there are.
        whole: are contributions whole numbers?
    """
    ceiling = Fraction(isqrt(groups - 1) + 1 if groups else 0)
    most = min(ceiling, threshold(far)) if whole else ceiling
    return max(most * (threshold(far) - threshold(index)), Fraction(1))


def _losses(units: Sequence[int], index: int, far: int, shares: Sequence[Fraction]) -> int:
    """The fifth number. That of a bucket is no more than its units can lose, whatever rounding has made of it."""
    lost = [
        min(max(shares[bucket], Fraction(-units[bucket])), Fraction(units[bucket]))
        for bucket in range(index + 1, far + 1)
    ]
    return math.floor(sum(lost, Fraction(0)) * _LOSS_CELLS)


@dataclass(frozen=True)
class GroupLosses:
    """What a fifth number is about.

    Attributes:
        kept: what counts, as released, in steps of contributions.
        largest: `largest_loss`.
    """

    kept: float
    largest: Fraction


@dataclass(frozen=True)
class Told:
    """Noisy numbers about a threshold, in cells.

    Attributes:
        numbers: of units up to the threshold, and of those above; in thresholds the sizes of the former, and what does
            not count of the latter; and what does not count of the latter in several groups, as a share of the largest
            loss of each, and how many lose more than that.
        deviation: of the noise of each.
        losses: what the fifth number is about; None where there is none.
    """

    numbers: tuple[int, ...]
    deviation: float
    losses: GroupLosses | None = None

    @property
    def units(self) -> int:
        """All units."""
        return self.numbers[0] + self.numbers[1]

    @property
    def kept(self) -> int:
        """The size of what counts, in thresholds: of units above them one each."""
        return self.numbers[2] + self.numbers[1]

    @property
    def is_some(self) -> bool:
        """Is more scaled down than noise alone would make it seem?"""
        return self.numbers[1] > 2 * self.deviation and not self.is_none

    @property
    def is_none(self) -> bool:
        """Is no unit scaled down, even if noise hides some of one? As where there are none at all, and little noise."""
        return self._ends(self.numbers[1])[1] < CELLS

    @property
    def is_little(self) -> bool:
        """Is hardly any unit scaled down, even if noise hides some of them?"""
        return self.is_none or self.units_between[1] < _LITTLE

    @property
    def is_nothing(self) -> bool:
        """Is hardly anything lost, even if noise hides some of it? Few units can have much of all."""
        return self.is_none or (self.is_little and self.lost_between[1] < _NOTHING)

    @property
    def units_between(self) -> tuple[float, float]:
        """The ends of the share of units that is scaled down, as far as noise lets it be known."""
        (fewest, most), (low, high) = (self._ends(number) for number in self.numbers[:2])
        return low / max(most + low, 1), high / (fewest + high) if fewest else 1.0

    @property
    def share_of_units(self) -> float:
        """About which share of units is scaled down."""
        return min(max(self.numbers[1], 0) / max(self.units, 1), 1.0)

    @property
    def is_far_above(self) -> bool:
        """Are many of those that are scaled down so far above the threshold that only the least share which is lost is
        known?"""
        if self.losses is not None:
            return self.is_some and self.numbers[NUMBERS + 1] > 2 * self.deviation
        return self.is_some and self.numbers[3] > _FAR_ABOVE * self.numbers[1]

    @property
    def lost_between(self) -> tuple[float, float]:
        """The ends of the share of all contributions that does not count, as far as noise lets it be known; of a unit,
        no more than three thresholds are known, or the largest loss that is told apart."""
        above, below, (low, high) = (self._ends(number) for number in self.numbers[1:NUMBERS])
        if self.losses is not None:
            low, high = self._ends(self._lost_in_groups, math.sqrt(FURTHER))
            most = self._share_of_all(self.losses, min(high, above[1]))
            return self._share_of_all(self.losses, low), 1.0 if self.is_far_above else most
        high = min(high, above[1])
        least, most = (end + other for end, other in zip(above, below, strict=True))
        of_all = (_FAR - 1) * high / max(least + (_FAR - 1) * high, 1)
        return (_FAR - 1) * low / max(most + (_FAR - 1) * low, 1), 1.0 if self.is_far_above else of_all

    @property
    def _lost_in_groups(self) -> int:
        """In cells of the largest loss; who loses more counts as one."""
        return sum(self.numbers[NUMBERS:])

    @property
    def is_known(self) -> bool:
        """Is the share that is lost known well enough?"""
        low, high = self.lost_between
        return high - low <= _KNOWN

    @property
    def is_unknown(self) -> bool:
        """Can so much be lost that a limit would say nothing?"""
        return not self.is_known and self.lost_between[1] > _MOST

    @property
    def share_lost(self) -> float:
        """Which share of all contributions does not count: about, where that is known, else at most."""
        if not self.is_known:
            return self.lost_between[1]
        if self.losses is not None:
            return self._share_of_all(self.losses, max(self._lost_in_groups, 0))
        lost = (_FAR - 1) * max(self.numbers[3], 0)
        return lost / max(max(self.kept, 0) + lost, 1)

    def _share_of_all(self, losses: GroupLosses, cells: float) -> float:
        """Of what counts and what does not, the latter, if it is so many cells of the fifth number."""
        lost = cells / _LOSS_CELLS * float(losses.largest)
        return lost / (max(losses.kept, 0.0) + lost) if lost else 0.0

    def _ends(self, number: int, times: float = 1.0) -> tuple[float, float]:
        """Two deviations to both sides of a number, of which it has so many."""
        reach = 2 * self.deviation * times
        return max(number - reach, 0.0), max(number + reach, 0.0)


def _weights(bucket: int, count: int, index: int) -> tuple[int, ...]:
    """What a unit of a bucket (`count`: above all thresholds) adds to the four numbers: to two of them, at most a unit
    to each."""
    limit = threshold(index)
    size = 1.0 if bucket == 0 else _WITHIN_BUCKET * float(threshold(min(bucket, count)))
    if bucket <= index:
        return CELLS, 0, round(min(size / float(limit), 1.0) * CELLS), 0
    # Nobody knows how far above the last threshold a unit is: as far as is told apart.
    times = math.inf if bucket == count else size / float(limit)
    lost = min(max(times - 1, 0.0), _FAR - 1) / (_FAR - 1)
    return 0, CELLS, 0, round(lost * CELLS)
