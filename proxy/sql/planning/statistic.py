"""The noisy numbers behind aggregates, one per group and each of one of four kinds (theorems 1 and 4)."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from proxy.sql.planning.grids import Grid
from proxy.sql.terms.term import Term


@dataclass(frozen=True)
class ListedValues:
    """What is known of distinct values without data.

    Attributes:
        number: how many values the policy lists, or can take from a public table; NULL is none of them.
        complete: does the source guarantee that there are no others?
    """

    number: int
    complete: bool


@dataclass(frozen=True)
class _Count:
    """A number of things, each of which counts 1."""

    step: ClassVar[Fraction] = Fraction(1)
    """What one of its units is worth, in the aggregate's own."""

    reach: ClassVar[int] = 1
    """The most units that one row adds."""


@dataclass(frozen=True)
class RowCount(_Count):
    """The number of matching rows.

    Attributes:
        present: the value that must not be NULL in a row that counts; None if every row does.
        filter_sql: condition of FILTER, if any.
    """

    adds_up: ClassVar[bool] = True
    """Is a total the sum over its groups?"""

    present: Term | None = None
    filter_sql: str | None = None

    @property
    def counts_all(self) -> bool:
        """Does every row count?"""
        return self.present is None and self.filter_sql is None


@dataclass(frozen=True)
class UnitCount(_Count):
    """The number of distinct privacy units, each of which can be in several groups but counts once in a total.

    Attributes:
        filter_sql: condition of FILTER, if any.
    """

    adds_up: ClassVar[bool] = False

    filter_sql: str | None = None

    @property
    def counts_all(self) -> bool:
        """Does every row count?"""
        return self.filter_sql is None


@dataclass(frozen=True)
class DistinctCount(_Count):
    """The number of distinct values, each of which can be in several groups but counts once in a total.

    Attributes:
        value: of what, in the form that GROUP BY uses.
        filter_sql: condition of FILTER, if any.
        listed: the values, if they are listed: in a group a unit has so many at most.
    """

    adds_up: ClassVar[bool] = False

    value: Term
    filter_sql: str | None = None
    listed: ListedValues | None = None

    @property
    def distinct(self) -> Term:
        """As of a sum over distinct values."""
        return self.value


@dataclass(frozen=True)
class GridSum:
    """A sum of grid cells.

    Attributes:
        value: what is summed.
        grid: the cells that its values are put into.
        filter_sql: condition of FILTER, if any.
    """

    adds_up: ClassVar[bool] = True

    value: Term
    grid: Grid
    filter_sql: str | None = None

    @property
    def unbounded(self) -> bool:
        """Do only the unit's own sums say how much of it counts?"""
        return self.value.bounds is None

    @property
    def needs_own_norm(self) -> bool:
        """Can only the unit's own sums limit it, since bounds say nothing, or next to nothing?"""
        return self.unbounded or self.grid.is_wide

    @property
    def step(self) -> Fraction:
        """As of a count: the size of a cell."""
        return self.grid.step

    @property
    def reach(self) -> int:
        """As of a count: the most cells that one row adds."""
        return self.grid.reach


@dataclass(frozen=True)
class ProductSum(GridSum):
    """A sum of products of two values' cells, which are whole numbers: nothing has to be kept from failing.

    Attributes:
        factors: the two, each less its centre and with its grid; they may be the same.
        centred: for each factor, the sum around that centre of the value itself.
    """

    factors: tuple[tuple[Term, Grid], ...] = ()
    centred: tuple[GridSum, ...] = ()


@dataclass(frozen=True)
class CellSum(GridSum):
    """A sum that is taken in cells even where it could be taken in the value's own unit, as the cells are there."""


@dataclass(frozen=True, kw_only=True)
class DistinctSum(GridSum):
    """A sum over distinct values, each of which counts once however many rows have it.

    Attributes:
        distinct: which of them are distinct, in the form that GROUP BY uses.
        summed: what is summed of each, a function of it; its value, grid and condition are this sum's own.
        of_units: are the units themselves the distinct values, of which a unit has one?
        listed: as of a count of them.
    """

    adds_up: ClassVar[bool] = False

    distinct: Term
    summed: GridSum
    of_units: bool = False
    listed: ListedValues | None = None


Distinct = DistinctCount | DistinctSum
"""What is measured over distinct values."""

Statistic = RowCount | UnitCount | DistinctCount | GridSum
"""One measured number per group."""
