"""Aggregates whose answer is one of a column's possible values: min, max, percentiles and mode (theorem 11).

They have no sum to add noise to. What is measured is a histogram per group, and the exponential mechanism chooses from
all buckets of the bounds, or from all declared values, whether rows are there or not. Percentiles over the same values
share a histogram and a choice. The least of all rows is the least of all units' least ones, so minimum and maximum
count units instead of rows, of which each counts once in a group.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import ClassVar, assert_never

from proxy.sql.planning.buckets import Buckets
from proxy.sql.planning.domains import Domain
from proxy.sql.terms.term import Term
from proxy.sql.terms.types import Kind

CLAMPED = {Kind.INTEGER: 3, Kind.NUMERIC: 4}
"""How often a value is computed for its cell at most, by its kind, for its comparisons with the bounds."""
MOST_CLAMPED = 6

CELLS = 2**20
"""Cells of a row's weight 1 in a histogram."""


@dataclass(frozen=True)
class QuantileChoice:
    """Buckets at places in the order of all.

    Attributes:
        value: the value.
        filter_sql: condition of FILTER, if any.
        buckets: the candidates.
        fractions: which quantiles of the buckets.
        descending: do fractions count from the greatest value? Where a fraction falls between two rows, that decides.
    """

    candidates: ClassVar[None] = None

    value: Term
    filter_sql: str | None
    buckets: Buckets
    fractions: tuple[Fraction, ...]
    descending: bool = False

    @property
    def counts_units(self) -> bool:
        """Is it the minimum or maximum alone, so that each unit's own one is enough?"""
        return len(self.fractions) == 1 and self.fractions[0] in (0, 1)

    @property
    def size(self) -> int:
        """How many values are chosen in each group."""
        return len(self.fractions)


@dataclass(frozen=True)
class ModeChoice:
    """The most frequent value.

    Attributes:
        value: the value, in the form that GROUP BY uses.
        filter_sql: condition of FILTER, if any.
        candidates: its declared values.
    """

    counts_units: ClassVar[bool] = False
    size: ClassVar[int] = 1

    value: Term
    filter_sql: str | None
    candidates: Domain


Choice = QuantileChoice | ModeChoice
"""What is chosen in each group, and from what."""


def in_cell(value: Term) -> Term:
    """The value as often as it is computed to be put into a cell."""
    return value.computed(CLAMPED.get(value.kind, MOST_CLAMPED))


def merge(wanted: Sequence[Choice]) -> tuple[list[tuple[int, tuple[int, ...]]], list[Choice]]:
    """The choices of a block, those over the same values as one; for each that is wanted the index of that one, and
    which of its values they are."""
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
            return choice.value.sql, choice.filter_sql, choice.buckets, choice.descending, extreme
        case ModeChoice():
            return choice.value.sql, choice.filter_sql, choice.candidates
        case _:
            assert_never(choice)
