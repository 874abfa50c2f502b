"""The integer grids that values are put on before they are summed (theorem 2)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

from proxy.sql.terms.term import Term
from proxy.sql.terms.types import Kind

_MOST_CELLS = 2**45
_DEFAULT_CELLS = 2**32


@dataclass(frozen=True)
class Grid:
    """The integer grid of a summed value: a value v is the cell trunc(v / step), clamped to [low, high].

    Attributes:
        step: size of a cell.
        low: lowest cell.
        high: highest cell.
        exact: every value inside the bounds lies on the grid, so nothing is truncated.
        centre: cell that is subtracted before summing (0 for a plain sum).
    """

    step: Fraction
    low: int
    high: int
    exact: bool
    centre: int = 0

    @property
    def reach(self) -> int:
        """R, the largest |cell - centre|; at least 1."""
        return max(abs(self.low - self.centre), abs(self.high - self.centre), 1)


_MOST_UNBOUNDED = 2**60
"""Cells of a value without bounds, on either side of zero."""

_UNBOUNDED_STEP = Fraction(1, 10**6)
"""Size of a cell of a value with neither bounds nor a grid of its own."""


def grid_without_bounds(value: Term) -> Grid:
    """The grid of a value without bounds: so wide that hardly any value is outside. Sums on it are scaled down by the
    norm of a unit's own sums (theorem 22)."""
    step = value.step or _UNBOUNDED_STEP
    exact = value.grid is not None and (value.grid / step).denominator == 1 and value.kind is not Kind.FLOAT
    return Grid(step, -_MOST_UNBOUNDED, _MOST_UNBOUNDED, exact)


def grid_of(value: Term, *, centred: bool) -> Grid:
    """The grid of a value with bounds: its own if that has not too many cells; `centred` to sum around its middle."""
    bounds = value.bounds
    if bounds is None:
        raise AssertionError("bounds were required before")
    step = value.step
    if step is None or bounds.magnitude / step > _MOST_CELLS:
        width = max(bounds.magnitude, Fraction(1, 10**30))
        step = Fraction(10) ** -math.floor(math.log10(_DEFAULT_CELLS / float(width)))
    low, high = math.trunc(bounds.low / step), math.trunc(bounds.high / step)
    exact = value.grid is not None and (value.grid / step).denominator == 1 and value.kind is not Kind.FLOAT
    if value.kind is Kind.FLOAT:
        # A product of floats may be rounded across one cell border.
        low, high = low - 1, high + 1
    return Grid(step, low, high, exact, (low + high) // 2 if centred else 0)
