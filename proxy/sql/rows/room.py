"""Room for counts and sums over a unit's rows that nobody bounds, where an extreme or a percentile is chosen of them.

`SELECT median(n) FROM (SELECT patient_id, count(*) AS n FROM visits GROUP BY 1) AS v` needs an end up to which values
are looked for. A count of rows has no end of its own, but a number that no unit's rows reach in practice costs hardly
more: the error of a choice grows with the logarithm of how many values there are (theorem 11). What is made of such
numbers has the room that they leave it. It is no promise: whoever chooses within it clamps values to it.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Final

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


def left_for(made: Term) -> Bounds | None:
    """The room of what is made of numbers that have room; None if it has far more values than could be told apart, as
    the square of a count has."""
    step = made.step or made.grid
    if made.bounds is None or (step is not None and made.bounds.width > _MOST_STEPS * step):
        return None
    return made.bounds


def is_open(term: Term) -> bool:
    """Is it a number without bounds?"""
    return term.type.is_number and term.bounds is None
