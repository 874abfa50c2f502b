"""Room for counts and sums over a unit's rows that nobody bounds, where an extreme or a percentile is chosen of them.

`SELECT median(n) FROM (SELECT patient_id, count(*) AS n FROM visits GROUP BY 1) AS v` needs an end up to which values
are looked for. A count of rows has no end of its own, but a number that no unit's rows reach in practice costs hardly
more: the error of a choice grows with the logarithm of how many values there are (theorem 11). What is made of such
numbers has the room that they leave it. It is no promise: whoever chooses within it clamps values to it.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Final

from proxy.sql.replacing import replace
from proxy.sql.terms.bounds import Bounds
from proxy.sql.terms.term import Term

_MOST_VALUES: Final = 1_000_000
"""Values that are told apart."""

_MOST_STEPS: Final = 1000 * _MOST_VALUES

_FEWEST_ROWS: Final = 1_000
"""Rows of a unit for which there is room in any case, with wider steps if need be."""


def room_for(total: Term, added: Bounds) -> Bounds:
    """The room of a count or sum of which each row adds a number within these bounds."""
    step: Fraction | None = total.step or total.grid
    rows = _FEWEST_ROWS
    if step is not None and added.magnitude:
        rows = max(rows, int(_MOST_VALUES * step / max(added.magnitude, added.width)))
    return Bounds(min(added.low, rows * added.low), max(added.high, rows * added.high))


def roomy(total: Term, room: Bounds) -> Term:
    """A count or sum that has this room, for what is made of it. It has wider steps than its own where it has too many
    values, as a sum of products of prices has."""
    told_apart = room.width / _MOST_VALUES
    step, grid = (max(step, told_apart) if step is not None else None for step in (total.step, total.grid))
    return replace(total, bounds=room, step=step, grid=grid)


def left_for(made: Term, rooms: Sequence[Bounds]) -> Bounds | None:
    """The room of what is made of numbers that have room (`roomy`). None if it goes farther than these do and has far
    more values than could be told apart, as the square of a count has, but not a rounded sum.

    Args:
        made: of the numbers.
        rooms: theirs.
    """
    step: Fraction | None = made.step or made.grid
    if made.bounds is None:
        return None
    goes_farther = made.bounds.width > sum(room.width + 1 for room in rooms)
    if goes_farther and step is not None and made.bounds.width > _MOST_STEPS * step:
        return None
    return made.bounds


def is_open(term: Term) -> bool:
    """Is it a number without bounds?"""
    return term.type.is_number and term.bounds is None
