"""Aggregates whose answer is chosen: min, max, percentiles and mode (theorem 11), and how many of a few values occur.

They have no sum to add noise to. Their measurement is a histogram per group, and the exponential mechanism chooses from
all buckets of the bounds, or from all declared values, whether there are rows or not; percentile_cont also from values
between the buckets (theorem 26). Percentiles over the same values
share a histogram and a choice. The minimum over all rows is that of the units' own minima, so minimum and maximum count
units instead of rows; a unit counts once in a group. So it does for each value where the number of values is chosen,
which has no groups (theorem 27).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, assert_never

from proxy.dp.interpolated_quantiles import parts_between
from proxy.sql.planning.buckets import Buckets
from proxy.sql.planning.domains import Domain
from proxy.sql.planning.statistic import RowCount, Statistic
from proxy.sql.replacing import replace
from proxy.sql.terms.bounds import Bounds
from proxy.sql.terms.term import Term
from proxy.sql.terms.types import Kind
from proxy.sql.terms.work import WORTH_ONCE

CLAMPED = {Kind.INTEGER: 3, Kind.NUMERIC: 4}
"""How often, at most, a value is computed to find its cell, by kind: the comparisons with the bounds."""
MOST_CLAMPED = 6

CELLS = 2**20
"""The weight of a full row in a histogram, in cells."""


@dataclass(frozen=True)
class QuantileChoice:
    """Quantiles: buckets by their place in the order of all rows.

    Attributes:
        value: the value.
        filter_sql: condition of FILTER, if any.
        buckets: the candidates.
        fractions: of the quantiles.
        descending: do fractions count from the greatest value? It matters where a fraction falls between two rows.
        interpolated: are values between two rows' values chosen, too?
        assumed: where values are clamped though nobody states bounds, as they are counts or sums; None elsewhere.
    """

    candidates: ClassVar[None] = None

    value: Term
    filter_sql: str | None
    buckets: Buckets
    fractions: tuple[Fraction, ...]
    descending: bool = False
    interpolated: bool = False
    assumed: Bounds | None = None

    @property
    def parts(self) -> int:
        """In how many steps its values go from one bucket to the next."""
        return parts_between(self.fractions) if self.interpolated else 1

    @property
    def counts_units(self) -> bool:
        """Is it the minimum or maximum alone, so that each unit's own one is enough?"""
        return len(self.fractions) == 1 and self.fractions[0] in (0, 1)

    @property
    def size(self) -> int:
        """How many values are chosen in each group."""
        return len(self.fractions)


@dataclass(frozen=True)
class _OfDeclared:
    """What is chosen by the declared values that rows have.

    Attributes:
        value: the value, in the form that GROUP BY uses.
        filter_sql: condition of FILTER, if any.
        candidates: its declared values.
    """

    size: ClassVar[int] = 1

    value: Term
    filter_sql: str | None
    candidates: Domain


@dataclass(frozen=True)
class ModeChoice(_OfDeclared):
    """The most frequent value."""

    counts_units: ClassVar[bool] = False


@dataclass(frozen=True)
class ValueCountChoice(_OfDeclared):
    """The number of values, of which there are `most` at most."""

    counts_units: ClassVar[bool] = True

    most: int


DeclaredChoice = ModeChoice | ValueCountChoice
"""Of declared values."""

Choice = QuantileChoice | DeclaredChoice
"""What is chosen in each group, and from what."""


def counted_rows(choice: Choice, statistics: Sequence[Statistic]) -> int | None:
    """The index of a number of rows without any of which there is nothing to choose from; None if there is none, and
    for numbers of values, which are 0 then."""
    if isinstance(choice, ValueCountChoice):
        return None
    counts = {
        found.present.sql if found.present is not None else None: index
        for index, found in enumerate(statistics)
        if isinstance(found, RowCount) and found.filter_sql == choice.filter_sql
    }
    return counts.get(choice.value.sql, counts.get(None))


def in_cell(value: Term) -> Term:
    """The value, computed as often as finding its cell takes."""
    return value.computed(CLAMPED.get(value.kind, MOST_CLAMPED))


def in_cell_once(value: Term) -> Term:
    """The value where source queries compute it once to find its cell, unless it takes next to nothing
    (`source_queries.row_columns`)."""
    return replace(value, work=min(in_cell(value).work, value.work + WORTH_ONCE))


def merge(wanted: Sequence[Choice]) -> tuple[list[tuple[int, tuple[int, ...]]], list[Choice]]:
    """A block's choices, merged where they are over the same values; for each of `wanted`, the index of its merged
    choice and its positions among that one's values."""
    choices: dict[object, Choice] = {}
    for choice in wanted:
        known = choices.setdefault(_identity(choice), choice)
        if isinstance(known, QuantileChoice) and isinstance(choice, QuantileChoice):
            fractions = tuple(sorted({*known.fractions, *choice.fractions}))
            choices[_identity(choice)] = replace(known, fractions=fractions)
    order = list(choices)
    places = [(order.index(_identity(choice)), _positions(choices[_identity(choice)], choice)) for choice in wanted]
    return places, list(choices.values())


def _positions(merged: Choice, own: Choice) -> tuple[int, ...]:
    if isinstance(merged, QuantileChoice) and isinstance(own, QuantileChoice):
        return tuple(merged.fractions.index(fraction) for fraction in own.fractions)
    return (0,)


def _identity(choice: Choice) -> object:
    match choice:
        case QuantileChoice():
            extreme = choice.fractions if choice.counts_units else None
            return choice.value.sql, choice.filter_sql, choice.buckets, choice.descending, extreme, choice.interpolated
        case ModeChoice() | ValueCountChoice():
            return type(choice), choice.value.sql, choice.filter_sql, choice.candidates
        case _:
            assert_never(choice)
