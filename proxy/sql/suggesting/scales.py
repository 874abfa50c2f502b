"""Candidates for a column's bounds by its type, and how generated SQL writes them.

Numbers are measured in their own unit. Dates and timestamps are measured in years from 1 January 2000, so their bounds
are New Year's days of the years 1 to 3999.
"""

from __future__ import annotations

import datetime as dt
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

from proxy.dp.search import NOT_AT_ZERO, caps, ends
from proxy.policy.model import Place
from proxy.sql.terms.term import Term, decimal_text, number_sql
from proxy.sql.terms.types import Kind

_LEAST_WITHOUT_GRID = Fraction(1, 1000)
"""The smallest cap for numbers whose type has no grid; a column of smaller numbers declares its `step`."""

_FINEST_WITHOUT_GRID = Fraction(1, 10**9)

_MOST_WITHOUT_LIMIT = Fraction(10) ** 18

_EPOCH_YEAR = 2000
_MOST_YEARS = Fraction(1999)

_CARRIERS = {Kind.INTEGER: "numeric", Kind.NUMERIC: "numeric", Kind.FLOAT: "double precision"}


class Scale(ABC):
    """The candidates of one column.

    Attributes:
        not_at_zero: the penalty, in nats, for bounds neither of which is 0.
    """

    not_at_zero: float

    @abstractmethod
    def caps(self) -> tuple[Fraction, ...]:
        """Caps on the distance from 0, increasing."""

    @abstractmethod
    def ends(self, cap: Fraction) -> tuple[Fraction, ...]:
        """Candidates for either bound inside [-cap, cap], increasing."""

    @abstractmethod
    def value_sql(self, extreme: str) -> str:
        """A unit's extreme value in the type of `array_sql`; it cannot fail."""

    @abstractmethod
    def array_sql(self, values: Sequence[Fraction]) -> str:
        """The values as an array of constants."""

    @abstractmethod
    def bound(self, value: Fraction) -> Place:
        """A value as the policy writes it."""


@dataclass(frozen=True)
class NumberScale(Scale):
    """Numbers.

    Attributes:
        kind: INTEGER, NUMERIC or FLOAT.
        least: the smallest cap.
        grid: no candidate is between two multiples of it.
        most: the largest magnitude that is considered.
    """

    kind: Kind
    least: Fraction
    grid: Fraction
    most: Fraction
    not_at_zero = NOT_AT_ZERO

    def caps(self) -> tuple[Fraction, ...]:
        return caps(self.least, self.most)

    def ends(self, cap: Fraction) -> tuple[Fraction, ...]:
        return ends(cap, self.grid)

    def value_sql(self, extreme: str) -> str:
        return f"{extreme}::{_CARRIERS[self.kind]}"

    def array_sql(self, values: Sequence[Fraction]) -> str:
        return f"ARRAY[{', '.join(number_sql(value) for value in values)}]::{_CARRIERS[self.kind]}[]"

    def bound(self, value: Fraction) -> Place:
        return Decimal(decimal_text(value))


@dataclass(frozen=True)
class YearScale(Scale):
    """Dates and timestamps; `type_name` is the column's type."""

    type_name: str
    not_at_zero = 0.0

    def caps(self) -> tuple[Fraction, ...]:
        return caps(Fraction(1), _MOST_YEARS)

    def ends(self, cap: Fraction) -> tuple[Fraction, ...]:
        return ends(cap, Fraction(1))

    def value_sql(self, extreme: str) -> str:
        return extreme

    def array_sql(self, values: Sequence[Fraction]) -> str:
        days = ", ".join(f"'{self.bound(value).isoformat()} 00:00+00'" for value in values)
        return f"ARRAY[{days}]::{self.type_name}[]"

    def bound(self, value: Fraction) -> dt.date:
        return dt.date(_EPOCH_YEAR + int(value), 1, 1)


def scale_of(term: Term) -> Scale | None:
    """The candidates of a column, from its type and the step that the policy declares; None if it takes no bounds."""
    if term.type.is_datetime:
        return YearScale(term.type.name)
    if not term.type.is_number:
        return None
    grid = term.step or term.grid
    if grid is None:
        return NumberScale(term.kind, _LEAST_WITHOUT_GRID, _FINEST_WITHOUT_GRID, _MOST_WITHOUT_LIMIT)
    return NumberScale(term.kind, grid, grid, max(grid, _largest(term, grid)))


def _largest(term: Term, grid: Fraction) -> Fraction:
    """The type's largest magnitude as a multiple of the grid."""
    most = term.magnitude - grid if term.magnitude is not None else _MOST_WITHOUT_LIMIT
    return max(most // grid, 1) * grid
