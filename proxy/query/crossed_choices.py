"""Is a minimum above a maximum, or a lower percentile above a higher one? Then noise chose them (post-processing)."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, islice

from proxy.budget.stored_answer import StoredAnswer
from proxy.query.loud_noise import MOST_GROUPS
from proxy.sql.planning.aggregates.chosen_value import ChosenValue, columns_of
from proxy.sql.planning.choices import QuantileChoice
from proxy.sql.planning.plan import BlockPlan

_Place = tuple[Fraction, int, int, str]
"""A fraction, the column of what was chosen, the steps of a bucket, and what the aggregate is called."""


def crossed_text(plan: BlockPlan, answer: StoredAnswer) -> str:
    """A sentence about the first two values that stand in the wrong order in a group; empty if there are none.

    Args:
        plan: as it was answered.
        answer: its answer.
    """
    rows = list(islice(answer.chosen, MOST_GROUPS))
    for places in _ordered(plan).values():
        for (low, first, parts, lower), (high, second, _, higher) in combinations(places, 2):
            pairs = [(row[first], row[second]) for row in rows if low < high]
            wrong = [pair for pair in pairs if None not in pair and _is_above(*pair, parts)]
            if wrong:
                where = f" in {len(wrong)} of {len(rows)} groups" if plan.keys else ""
                return f"Noise chose these, since {lower} is above {higher}{where}."
    return ""


def _ordered(plan: BlockPlan) -> dict[tuple[object, ...], list[_Place]]:
    """Of each value that is ordered, what is chosen of it, by its fraction."""
    found: dict[tuple[object, ...], list[_Place]] = {}
    for aggregate in plan.aggregates:
        choice = plan.choices[aggregate.choice] if isinstance(aggregate, ChosenValue) else None
        if not isinstance(aggregate, ChosenValue) or not isinstance(choice, QuantileChoice):
            continue
        before = columns_of(plan.choices[: aggregate.choice])
        places = found.setdefault((choice.value.sql, choice.filter_sql, choice.buckets, choice.parts), [])
        places += [
            (choice.fractions[position], before + position, choice.parts, aggregate.label)
            for position in aggregate.positions
        ]
    return {value: sorted(places) for value, places in found.items()}


def _is_above(first: str | None, second: str | None, parts: int) -> bool:
    """By more than the step in which a value between two rows is told."""
    return first is not None and second is not None and Fraction(first) > Fraction(second) + (parts > 1)
