"""The integer grids that values are put on before they are summed (theorem 2)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from proxy.sql.replacing import replace
from proxy.sql.terms.bounds import Bounds
from proxy.sql.terms.term import Term
from proxy.sql.terms.types import Kind

_MOST_CELLS = 2**45
"""The farthest cell from 0: sums of some such cells fit bigint, also as thousandths."""
_DEFAULT_CELLS = 2**32
_OWN_CELLS = 2**48
"""The farthest cell from 0 where a unit's own sums limit it: those of 2^14 rows at a bound fit bigint."""
_ENOUGH_CELLS = 2**20
"""The cells between the bounds for which a value without a grid of its own gets cells as small as possible."""
_FACTOR_CELLS = 2**22
"""The farthest cell from 0 of a factor whose own cells are too many."""
_FEWEST_CELLS = 1000
"""The cells between the bounds that are worth a sum: each value moves by less than a thousandth of their distance."""


@dataclass(frozen=True)
class Grid:
    """The integer grid of a summed value: a value v is the cell that is nearest to v / step, clamped to [low, high].

    Attributes:
        step: size of a cell.
        low: lowest cell.
        high: highest cell.
        exact: every value inside the bounds lies on the grid, so nothing is rounded.
        centre: cell that is subtracted before summing (0 for a plain sum).
        shift: what the values are already less by than those that a client knows, for messages.
    """

    step: Fraction
    low: int
    high: int
    exact: bool
    centre: int = 0
    shift: Fraction = Fraction(0)

    @property
    def shown(self) -> tuple[Fraction, Fraction, Fraction]:
        """The lowest and highest value, and the one that is summed around, as a client knows them."""
        low, high, centre = (cell * self.step + self.shift for cell in (self.low, self.high, self.centre))
        return low, high, centre

    @property
    def reach(self) -> int:
        """R, the largest |cell - centre|; at least 1."""
        return max(abs(self.low - self.centre), abs(self.high - self.centre), 1)

    @property
    def least(self) -> int:
        """The least |cell - centre| that a value inside the bounds can have; at least 1."""
        return max(self.low - self.centre, self.centre - self.high, 1)

    @property
    def is_wide(self) -> bool:
        """Has it more cells than a sum that is limited by the number of rows can be taken in?"""
        return max(abs(self.low), abs(self.high)) > _MOST_CELLS + 1


_MOST_UNBOUNDED = 2**60
"""Cells of a value without bounds, on either side of zero."""

_LEAST_STEP = Fraction(1, 10**100)
"""Steps of doubles have to be doubles, and so have sums in such steps."""

_UNBOUNDED_STEP = Fraction(1, 10**6)
"""Size of a cell of a value with neither bounds nor a grid of its own."""


def grid_without_bounds(value: Term) -> Grid:
    """The grid of a value without bounds: so wide that hardly any value is outside. Sums on it are scaled down by the
    norm of a unit's own sums (theorem 22)."""
    step = value.step if value.step is not None and value.step >= _LEAST_STEP else _UNBOUNDED_STEP
    exact = value.grid is not None and (value.grid / step).denominator == 1 and value.kind is not Kind.FLOAT
    return Grid(step, -_MOST_UNBOUNDED, _MOST_UNBOUNDED, exact)


def grid_of(value: Term, *, centred: bool) -> Grid:
    """The grid of a value with bounds: its own if that has not too many cells; `centred` to sum around its middle."""
    bounds = _bounds(value)
    return _grid(value, bounds, _step_of(value, bounds), centred=centred)


def grid_of_own_sums(value: Term) -> Grid:
    """The grid of a value where a unit's own sums say how much of it counts (theorem 22). Noise is as wide as these are
    large, however far the bounds are apart, so cells are as small as the sums of units with many rows allow."""
    if value.bounds is None:
        return grid_without_bounds(value)
    bounds = value.bounds
    if _has_own(value, bounds):
        return grid_of(value, centred=False)
    finest = _power_of_ten(bounds, _OWN_CELLS)
    return _grid(value, bounds, max(value.step or finest, finest))


def grid_near_zero(value: Term) -> Grid:
    """As `grid_of_own_sums`, around 0 or the bound nearest to it: what an average costs is how far values are from
    there."""
    grid = grid_of_own_sums(value)
    return grid if value.bounds is None else replace(grid, centre=min(max(0, grid.low), grid.high))


def factor_grids(values: Sequence[Term], products: Sequence[tuple[int, int]]) -> list[Grid]:
    """The grids of values with bounds whose cells are multiplied: their own if no product has too many cells; otherwise
    powers of ten, so that each has a few million cells.

    Args:
        values: each once.
        products: which of them are multiplied, by their indexes.
    """
    grids = [grid_of(value, centred=False) for value in values]
    few = all(grids[first].reach * grids[second].reach <= _MOST_CELLS for first, second in products)
    if not products or (few and all(map(has_own_cells, values))):
        return grids
    return [_coarser(value, grid) for value, grid in zip(values, grids, strict=True)]


def has_own_cells(value: Term) -> bool:
    """Is a value with bounds summed in its own steps?"""
    return _has_own(value, _bounds(value))


def _coarser(value: Term, grid: Grid) -> Grid:
    bounds = _bounds(value)
    return _grid(value, bounds, max(grid.step, _power_of_ten(bounds, _FACTOR_CELLS)))


def _bounds(value: Term) -> Bounds:
    if value.bounds is None:
        raise AssertionError("bounds were required before")
    return value.bounds


def _grid(value: Term, bounds: Bounds, step: Fraction, *, centred: bool = False) -> Grid:
    low, high = math.trunc(bounds.low / step), math.trunc(bounds.high / step)
    exact = value.grid is not None and (value.grid / step).denominator == 1 and value.kind is not Kind.FLOAT
    return Grid(step, low, high, exact, (low + high) // 2 if centred else 0)


def _step_of(value: Term, bounds: Bounds) -> Fraction:
    """The value's own step, or else a power of ten. Far from 0 cells of the usual size would be larger than the
    differences between values, so they are as small as they can be."""
    if _has_own(value, bounds):
        assert value.step is not None
        return value.step
    usual = _power_of_ten(bounds, _DEFAULT_CELLS)
    return usual if bounds.width == 0 or bounds.width / usual >= _ENOUGH_CELLS else _power_of_ten(bounds, _MOST_CELLS)


def _has_own(value: Term, bounds: Bounds) -> bool:
    return value.step is not None and bounds.magnitude / value.step <= _MOST_CELLS


def _power_of_ten(bounds: Bounds, cells: int) -> Fraction:
    """The least step with which no value is farther than so many cells from 0."""
    magnitude = max(bounds.magnitude, Fraction(1, 10**30))
    return Fraction(10) ** -math.floor(math.log10(cells / float(magnitude)))


def rounding_of(value: Term) -> Fraction | None:
    """The step to which a sum would round values that are too far from 0 for their differences to be seen; None if
    it keeps them apart."""
    bounds = value.bounds
    if bounds is None or bounds.width == 0 or _has_own(value, bounds):
        return None
    step = _step_of(value, bounds)
    return step if bounds.width / step < _FEWEST_CELLS else None
