"""Aggregates whose answer is one of a column's possible values: min, max, percentiles and mode (theorem 11).

They have no sum to add noise to. What is measured is a histogram per group, and the exponential mechanism chooses from
all buckets of the bounds, or from all declared values, whether rows are there or not. Percentiles over the same values
share a histogram and a choice. The least of all rows is the least of all units' least ones, so minimum and maximum
count units instead of rows, of which each counts once in a group.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

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
class Choice:
    """What is chosen in each group, and from what.

    Attributes:
        value: the value, in the form that GROUP BY uses for a mode.
        filter_sql: condition of FILTER, if any.
        buckets: the candidates of minimum, maximum and percentiles.
        candidates: the candidates of a mode.
        fractions: which quantiles of the buckets; empty for a mode.
        descending: do fractions count from the greatest value? Where a fraction falls between two rows, that decides.
    """

    value: Term
    filter_sql: str | None
    buckets: Buckets | None = None
    candidates: Domain | None = None
    fractions: tuple[Fraction, ...] = ()
    descending: bool = False

    @property
    def counts_units(self) -> bool:
        """Is it the minimum or maximum alone, so that each unit's own one is enough?"""
        return len(self.fractions) == 1 and self.fractions[0] in (0, 1)

    @property
    def size(self) -> int:
        """How many values are chosen in each group."""
        return max(len(self.fractions), 1)


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
        known = choices.get(_identity(request.choice), request.choice)
        fractions = tuple(sorted({*known.fractions, *request.choice.fractions}))
        choices[_identity(known)] = Choice(
            known.value, known.filter_sql, known.buckets, known.candidates, fractions, known.descending
        )
    order = list(choices)
    chosen = []
    for request in requests:
        identity = _identity(request.choice)
        fractions = choices[identity].fractions
        positions = tuple(fractions.index(fraction) for fraction in request.choice.fractions) or (0,)
        chosen.append(Chosen(order.index(identity), positions, request.is_array))
    return chosen, list(choices.values())


def _identity(choice: Choice) -> object:
    extreme = choice.fractions if choice.counts_units else None
    return choice.value.sql, choice.filter_sql, choice.buckets, choice.candidates, choice.descending, extreme
