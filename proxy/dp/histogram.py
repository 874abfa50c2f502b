"""Weighted histograms of a bounded, ordered domain, and the distances of its positions from a rank (theorem 6)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from proxy.dp.exact import positive_count
from proxy.dp.noise import IntegerArray
from proxy.dp.weighted_choice import Runs, integers


@dataclass(frozen=True, eq=False)
class Histogram:
    """The weights of one group's rows by bucket of the column's grid.

    Attributes:
        buckets: size of the domain, >= 1; public.
        occupied: the buckets that hold rows, in increasing order, from 0 to buckets - 1.
        weights: of these buckets, integers >= 0 in cells.

    Raises:
        ValueError: buckets that are outside of the domain or not in order, or negative weights.
        TypeError: numbers that are not integers.
    """

    buckets: int
    occupied: IntegerArray
    weights: IntegerArray

    def __post_init__(self) -> None:
        positive_count("the number of buckets", self.buckets)
        object.__setattr__(self, "occupied", integers(self.occupied))
        object.__setattr__(self, "weights", integers(self.weights))
        if len(self.occupied) != len(self.weights):
            raise ValueError("a histogram needs one weight for each occupied bucket")
        if (self.weights < 0).any():
            raise ValueError("the weights of a histogram must not be negative")
        if len(self.occupied):
            inside = self.occupied[0] >= 0 and self.occupied[-1] < self.buckets
            if not inside or (self.occupied[1:] <= self.occupied[:-1]).any():
                raise ValueError("occupied buckets must be in increasing order and inside the domain")


@dataclass(frozen=True)
class Axis:
    """The positions of a domain: `ties` for each bucket, and after each but the last one those of the values between.

    Attributes:
        buckets: >= 1.
        ties: >= 1.
        parts: in how many steps the value goes from one bucket to the next, >= 1.
    """

    buckets: int
    ties: int
    parts: int = 1

    @property
    def stride(self) -> int:
        return self.ties + self.parts - 1

    @property
    def size(self) -> int:
        return self.buckets * self.stride - self.parts + 1

    def value(self, position: int) -> int:
        """What is shown for it, in parts of a bucket."""
        bucket, place = divmod(position, self.stride)
        return bucket * self.parts + max(0, place - self.ties + 1)

    def first(self, values: IntegerArray) -> IntegerArray:
        """The first position of each value."""
        bucket, part = values // self.parts, values % self.parts
        place: IntegerArray = bucket * self.stride + np.where(part > 0, part + self.ties - 1, 0)
        return place


class SoughtRank(NamedTuple):
    """The rank to find: `scale` times the weight below the answer should be `rank`."""

    scale: int
    rank: int


@dataclass(frozen=True, eq=False)
class Spread:
    """A part of a histogram whose rows lie evenly on the positions of their bucket, of which an axis has `ties`.

    All weights are multiplied by that, so that the weight of a bucket is also that of each of its positions. Spreading
    and cutting are linear in the rows: what one unit adds is multiplied by the number of positions and never grows.

    Attributes:
        low, high: the positions of this part, low <= y < high.
        start, length: of the stretches inside it that hold rows.
        weight: of each position of a stretch.
    """

    low: int
    high: int
    start: IntegerArray
    length: IntegerArray
    weight: IntegerArray

    @classmethod
    def of(cls, histogram: Histogram, axis: Axis) -> Spread:
        """The whole histogram, the rows of each bucket on all of its positions."""
        held = np.flatnonzero(histogram.weights)
        start = wide(histogram.occupied[held], axis.size) * axis.stride
        weight = wide(histogram.weights[held], int(histogram.weights.sum(dtype=object)) * axis.ties)
        return cls(0, axis.size, start, np.full(len(held), axis.ties, dtype=start.dtype), weight)

    def between(self, low: int, high: int) -> Spread:
        """The part from `low` to `high`, without the rows outside."""
        start = np.maximum(self.start, low)
        length = np.minimum(self.start + self.length, high) - start
        kept = np.flatnonzero(length > 0)
        return Spread(low, high, start[kept], length[kept], self.weight[kept])

    @property
    def total(self) -> int:
        """The weight of all rows."""
        return int((self.length * self.weight).sum())

    def losses(self, target: SoughtRank) -> Located:
        """The distance from the sought rank to the ranks that each position covers.

        With v = scale·W(x < y) - rank, the loss of a position y of weight w is max(v, -(v + scale·w), 0). Along a
        stretch v grows by scale·w, so there the losses fall in steps, may be 0 once, and then rise in steps.
        Between the stretches they are constant.
        """
        limit = 2 * (target.scale * self.total + abs(target.rank))
        step = wide(self.weight, limit) * target.scale
        sums = np.concatenate([[0], np.cumsum(step * self.length)]).astype(step.dtype)
        excess = sums - target.rank  # v at the start of each stretch, and at the end of all
        begin = excess[:-1]
        before = np.clip(-begin // step, 0, self.length)  # positions whose ranks all lie below
        until = np.clip(-(begin // step), 0, self.length)  # positions that begin below
        none = np.zeros(len(step), dtype=step.dtype)
        gap = np.concatenate([[self.low], self.start + self.length])
        gap_length = np.concatenate([self.start, [self.high]]) - gap
        runs = Runs(
            first=np.concatenate([-(begin + before * step), none, begin + until * step, np.abs(excess)]),
            step=np.concatenate([step, none, step, np.zeros(len(gap), dtype=step.dtype)]),
            count=np.concatenate([before, until - before, self.length - until, gap_length]),
        )
        origin = np.concatenate([self.start + before - 1, self.start + before, self.start + until, gap])
        return Located(runs, origin, falling=len(step))


@dataclass(frozen=True, eq=False)
class Located:
    """Runs of losses and the positions of their items: run i goes upwards from origin[i], the first `falling` runs
    downwards."""

    runs: Runs
    origin: IntegerArray
    falling: int

    def position(self, run: int, offset: int) -> int:
        """The position of an item."""
        return int(self.origin[run]) + (-offset if run < self.falling else offset)


def wide(values: IntegerArray, limit: int) -> NDArray[Any]:
    """`values` as Python integers if results up to `limit` would not fit int64."""
    return values.astype(object) if limit >= 2**61 else values
