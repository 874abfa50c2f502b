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


@dataclass(frozen=True)
class Chosen:
    """Which chosen values an aggregate shows.

    Attributes:
        choice: index of the choice.
        positions: indexes of its fractions; one for a mode.
        is_array: were the fractions an array?
    """

    choice: int
    positions: tuple[int, ...]
    is_array: bool = False


@dataclass(frozen=True)
class ChoiceRequest:
    """One aggregate's part of a choice: `choice` with its own fractions alone."""

    choice: Choice
    is_array: bool = False


def in_cell(value: Term) -> Term:
    """The value as often as it is computed to be put into a cell."""
    return value.computed(CLAMPED.get(value.kind, MOST_CLAMPED))


def merge(requests: Sequence[ChoiceRequest]) -> tuple[list[Chosen], list[Choice]]:
    """The choices of a block, those over the same values as one, and what each request takes from them."""
    choices: dict[object, Choice] = {}
    for request in requests:
        choice, identity = request.choice, _identity(request.choice)
        known = choices.setdefault(identity, choice)
        if isinstance(known, QuantileChoice) and isinstance(choice, QuantileChoice):
            choices[identity] = replace(known, fractions=tuple(sorted({*known.fractions, *choice.fractions})))
    order = list(choices)
    chosen = []
    for request in requests:
        identity = _identity(request.choice)
        positions = _positions(choices[identity], request.choice)
        chosen.append(Chosen(order.index(identity), positions, request.is_array))
    return chosen, list(choices.values())


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
