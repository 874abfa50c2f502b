"""Distances of values from a quantile between two rows, as percentile_cont interpolates it (theorem 26).

**The quantile as a mean.** Let S(t) be the value of the row at rank t, a step function in which a row of weight w holds
w ranks. With N rows of weight `row`, percentile_cont(q) is the mean of S over [p, p + row) for p = q·(N - 1)·row: of
such a window, 1 - frac(p) lies on the lower row and frac(p) on the upper one. So with A(p) the mean over [p, p + row),
for rows of any weights, a value y has the ranks r(y) = {p: A(p) = y}, an interval, as A is continuous and grows from
the least value that can be chosen (S of ranks below all rows) to the greatest.

**Sensitivity.** Weight c that is added anywhere moves what lies above it by c ranks: S(t - c) <= S'(t) <= S(t) for the
new S'. So A(p - c) <= A'(p) <= A(p), and both ends of r(y) move by between 0 and c. The sought p moves by q·c. So the
distance of p to r(y) moves by at most c·max(q, 1 - q), as in theorem 11, whatever the weights.

**Ties that are cut.** With several fractions, rows at a chosen value have to go to both sides of it, by shares that
nothing but the choice says. So a bucket's value stands at many positions, over which its rows are spread, and the rows
are cut where the chosen one begins. Its loss is the greater one of the value's, and of the distance from the window's
middle to the ranks within half a position of there (for a part's last position, up to its end). These ranks move by
between 0 and c, too, but for the first position's half, which `slack` has. The distance counts up to half of the
bucket's weight (a minimum of functions of which neither moves farther, since max(q, 1 - q) >= 1/2), so that a bucket
without rows has one loss.

Values between the buckets have losses that are fractions; each run is rounded at one end, as `slack` has.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from proxy.dp.histogram import Axis, SoughtRank, Spread, wide
from proxy.dp.noise import IntegerArray
from proxy.dp.weighted_choice import Runs, draw_offset


@dataclass(frozen=True, eq=False)
class LocatedValues:
    """Runs of losses, and where their items are.

    Attributes:
        runs: the losses.
        axis: of the positions.
        origin, step: of each run: where its first item is, and how far the next one. Those of the first `positions`
            runs are positions; others are values, and stand for each of a value's positions from `low` to `high`.
    """

    runs: Runs
    axis: Axis
    origin: IntegerArray
    step: IntegerArray
    positions: int
    low: int
    high: int

    def position(self, run: int, offset: int) -> int:
        """The position of an item; one of several at random, if they are equally good."""
        place = int(self.origin[run]) + int(self.step[run]) * offset
        if run < self.positions:
            return place
        bucket, part = divmod(place, self.axis.parts)
        first = bucket * self.axis.stride
        if part:
            return first + part + self.axis.ties - 1
        start = max(first, self.low)
        return start + draw_offset(0, min(first + self.axis.ties, self.high) - start, Fraction(1))


class _Pieces(NamedTuple):
    """Runs of one kind: the fields of `Runs`, and those of `LocatedValues`."""

    first: IntegerArray
    step: IntegerArray
    number: IntegerArray
    divisor: IntegerArray
    weight: IntegerArray
    origin: IntegerArray
    move: IntegerArray


@dataclass(frozen=True, eq=False)
class _Rows:
    """The rows of a part, in the order of their values.

    Attributes:
        start: the first position of each bucket with rows.
        values: of these buckets.
        length: how many positions of the bucket are in the part.
        weight: of each position.
        ranks: where each bucket begins, and the end of all.
        lowest, highest: the values of ranks below and above all rows.
        scale, sought: scale·p is sought.
        row: the weight of the window.
    """

    start: IntegerArray
    values: IntegerArray
    length: IntegerArray
    weight: IntegerArray
    ranks: IntegerArray
    lowest: int
    highest: int
    scale: int
    sought: int
    row: int

    @classmethod
    def of(cls, part: Spread, axis: Axis, middle: SoughtRank, row: int) -> _Rows:
        lowest, highest = axis.value(part.low), axis.value(min(part.high, axis.size - 1))
        sought = middle.rank - middle.scale * row // 2
        largest = max(4 * middle.scale * (part.total + row * axis.parts) + abs(sought), 2 * highest * row)
        start, length, weight = (wide(values, largest) for values in (part.start, part.length, part.weight))
        ranks = np.concatenate([[0], np.cumsum(length * weight)]).astype(start.dtype)
        values = start // axis.stride * axis.parts
        return cls(start, values, length, weight, ranks, lowest, highest, middle.scale, sought, row)

    def distance(self, low: IntegerArray, high: IntegerArray) -> IntegerArray:
        """The loss of a value with these ranks."""
        loss: IntegerArray = np.maximum(np.maximum(self.scale * low - self.sought, self.sought - self.scale * high), 0)
        return loss


class _Knots(NamedTuple):
    """Where A bends, and where rows are: `value` is y·row, its ranks go from `low` to `high`, and after it A grows by
    `slope`/row in each rank."""

    value: IntegerArray
    low: IntegerArray
    high: IntegerArray
    slope: IntegerArray


def slack(scale: int, sensitivity: int, groups: int = 1) -> int:
    """By how much more the losses of a choice in each of some groups may differ, in total, for ranks in units of
    1/scale: what rounding does in each group, and half of a position of a unit's weight in cells, if rows are cut."""
    return scale * (sensitivity + groups) + 6 * groups


def interpolated(part: Spread, axis: Axis, middle: SoughtRank, row: int, *, cut: bool) -> LocatedValues:
    """The distance of each position from a quantile, in units of 1/scale, up to `slack`.

    Args:
        part: the rows.
        axis: of the positions.
        middle: the middle of the sought window: p + row/2.
        row: the weight of the window, even.
        cut: are rows spread over the positions of their bucket?
    """
    rows = _Rows.of(part, axis, middle, row)
    knots = _with_rows(_bends(rows), rows)
    at_knots = _at_knots(knots, rows, part, axis)
    tied = []
    if cut:
        place = np.searchsorted(knots.value, rows.values * row)
        tied = _tied(rows, rows.distance(knots.low[place], knots.high[place]), part.high)
        held = np.isin(at_knots.origin, rows.values)
        at_knots = _Pieces(*(field[~held] for field in at_knots))
    pieces = [*tied, at_knots, *_between(knots, rows, axis)]
    joined = _Pieces(*(np.concatenate(fields) for fields in zip(*pieces, strict=True)))
    positions = sum(len(piece.first) for piece in tied)
    return LocatedValues(Runs(*joined[:5]), axis, joined.origin, joined.move, positions, part.low, part.high)


def _bends(rows: _Rows) -> _Knots:
    """The knots of A: where the window's ends are at the ranks between two buckets.

    In int64 the integrals may wrap around, but not their differences, which are what counts.
    """
    ranks, row = rows.ranks, rows.row
    levels = np.concatenate([[rows.lowest], rows.values, [rows.highest]]).astype(ranks.dtype)
    sums = np.concatenate([[0], np.cumsum(rows.values * (ranks[1:] - ranks[:-1]))]).astype(ranks.dtype)
    start = np.sort(np.concatenate([ranks - row, ranks]))
    low, high = (np.searchsorted(ranks, ends, side="right") for ends in (start, start + row))
    integrals = [
        sums[np.maximum(level - 1, 0)] + levels[level] * (ends - ranks[np.maximum(level - 1, 0)])
        for level, ends in ((low, start), (high, start + row))
    ]
    value, slope = integrals[1] - integrals[0], levels[high] - levels[low]
    first = np.flatnonzero(np.concatenate([[True], value[1:] != value[:-1]]))
    last = np.concatenate([first[1:], [len(value)]]) - 1
    least, most = start[first], start[last]
    # Ranks below all rows have the lowest value, and those above them the highest one.
    bound = 2 * (abs(rows.sought) // rows.scale + 1) + 2 * int(ranks[-1]) + 2 * row
    least[0], most[-1] = -bound, bound
    return _Knots(value[first], least, most, slope[last])


def _with_rows(knots: _Knots, rows: _Rows) -> _Knots:
    """The same with a knot at each value that rows have."""
    value = rows.values * rows.row
    missing = value[~np.isin(value, knots.value)]
    place = np.searchsorted(knots.value, missing) - 1
    rank = knots.high[place] + (missing - knots.value[place]) // knots.slope[place]
    added = (missing, rank, rank, knots.slope[place])
    return _Knots(*(np.insert(field, place + 1, new) for field, new in zip(knots, added, strict=True)))


def _at_knots(knots: _Knots, rows: _Rows, part: Spread, axis: Axis) -> _Pieces:
    """A run for each knot that is a value with positions in the part."""
    exact = knots.value % rows.row == 0
    value = knots.value[exact] // rows.row
    first = axis.first(value)
    end = np.minimum(first + np.where(value % axis.parts == 0, axis.ties, 1), part.high)
    weight = np.maximum(end - np.maximum(first, part.low), 0)
    ones = np.ones_like(value)
    return _Pieces(rows.distance(knots.low[exact], knots.high[exact]), ones * 0, ones, ones, weight, value, ones)


def _between(knots: _Knots, rows: _Rows, axis: Axis) -> list[_Pieces]:
    """Runs of the values between two knots: those below the sought rank downwards, and those above it upwards.

    All values once, and those of buckets as often again as makes up all their positions.
    """
    row, scale = rows.row, rows.scale
    low, high, slope = knots.value[:-1], knots.value[1:], knots.slope[:-1]
    least, greatest = low // row + 1, -(-high // row) - 1
    begin, end = scale * knots.high[:-1] - rows.sought, scale * knots.low[1:] - rows.sought
    below, above = greatest.copy(), least.copy()
    falling = -end + scale * (high - greatest * row) // slope
    rising = begin + scale * (least * row - low) // slope
    for i in np.flatnonzero((begin < 0) & (end > 0)):  # one at most
        started, growth, origin = int(begin[i]), int(slope[i]), int(low[i])
        turn = min((scale * origin - growth * started) // (scale * row), int(greatest[i]))
        below[i], above[i] = turn, turn + 1
        falling[i] = -started - -(-scale * (turn * row - origin) // growth)
        rising[i] = started + scale * ((turn + 1) * row - origin) // growth
    below = np.where(begin >= 0, least - 1, below)
    above = np.where((end <= 0) & (begin < 0), greatest + 1, above)
    found = []
    for parts, weight in ((1, 1), (axis.parts, axis.ties - 1)):
        top, bottom = below // parts * parts, -(-least // parts) * parts
        found.append(
            _run(falling + (below - top) * scale * row // slope, top, -parts, top - bottom, weight, rows, slope)
        )
        top, bottom = greatest // parts * parts, -(-above // parts) * parts
        found.append(
            _run(rising + (bottom - above) * scale * row // slope, bottom, parts, top - bottom, weight, rows, slope)
        )
    return found


def _run(
    first: IntegerArray,
    origin: IntegerArray,
    move: int,
    reach: IntegerArray,
    weight: int,
    rows: _Rows,
    slope: IntegerArray,
) -> _Pieces:
    parts = abs(move)
    number = np.maximum(reach // parts + 1, 0)
    held = np.flatnonzero(number)
    ones = np.ones_like(number[held])
    step = ones * (parts * rows.scale * rows.row)
    return _Pieces(first[held], step, number[held], slope[held], ones * weight, origin[held], ones * move)


def _tied(rows: _Rows, loss: IntegerArray, high: int) -> list[_Pieces]:
    """Runs of the positions of the buckets with rows, whose values have these losses, in a part up to `high`."""
    step = rows.weight * rows.scale
    most = step * rows.length // 2
    begin = rows.scale * rows.ranks[:-1] - rows.sought - rows.scale * rows.row // 2  # of the first position
    # Of Python integers, too, these are integers and no truth values, whatever the rows.
    last = np.where(rows.start + rows.length == high, 1, 0).astype(rows.length.dtype)
    length = rows.length - last
    half = step // 2
    below = np.clip(-(begin // step), 0, length)  # positions that begin below the sought rank
    far = np.clip((-begin - half - most) // step + 1, 0, below)
    falls = np.clip(-((begin + half + loss) // step), far, below)
    rises = np.clip((loss + half - begin) // step + 1, below, length)
    ends = np.clip(-((begin - half - most) // step), rises, length)
    ones, none = np.ones_like(step), np.zeros_like(step)
    farthest = np.maximum(most, loss)
    end = begin + rows.length * step
    at_last = np.maximum(loss, np.minimum(np.maximum(np.maximum(end - step - half, -end), 0), most))
    return [
        _Pieces(farthest, none, far, ones, ones, rows.start, ones),
        _Pieces(-(begin + (falls - 1) * step) - half, step, falls - far, ones, ones, rows.start + falls - 1, -ones),
        _Pieces(loss, none, rises - falls, ones, ones, rows.start + falls, ones),
        _Pieces(begin + rises * step - half, step, ends - rises, ones, ones, rows.start + rises, ones),
        _Pieces(farthest, none, length - ends, ones, ones, rows.start + ends, ones),
        _Pieces(at_last, none, last, ones, ones, rows.start + length, ones),
    ]
