"""May a percentile, a minimum or a maximum be that of quite other rows? Then it says little (post-processing, free)."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import islice

from proxy.budget.stored_answer import StoredAnswer
from proxy.dp.clipping import CELLS, threshold
from proxy.dp.quantiles import QuantileMechanism
from proxy.query.loud_noise import MOST_GROUPS, LoudAggregate, first_groups, in_groups
from proxy.release.clipping import told_of
from proxy.sql.planning.accuracy import rank_error
from proxy.sql.planning.aggregates.chosen_value import ChosenValue
from proxy.sql.planning.choices import QuantileChoice, counted_rows
from proxy.sql.planning.plan import BlockPlan
from proxy.sql.planning.statistic import UnitCount
from proxy.sql.planning.wording import listed

_FAR = Fraction(1, 4)
"""The share of what is ordered."""

_MANY = Fraction(1, 4)
"""The share of its groups in which a value may be that far off."""


def far_choices(plan: BlockPlan, answer: StoredAnswer) -> list[LoudAggregate]:
    """The aggregates whose values may be farther than a quarter of all rows from the rank that is sought, in many of
    their groups; as far as something tells how many rows there are.

    Args:
        plan: as it was answered.
        answer: its answer.
    """
    found = []
    for aggregate in plan.aggregates:
        if isinstance(aggregate, ChosenValue):
            flags = _are_far(plan, answer, aggregate.choice)
            far = LoudAggregate(aggregate, sum(flags), len(flags))
            if far.groups and far.groups >= _MANY * far.shown:
                found.append(far)
    return found


def far_text(plan: BlockPlan, far: Sequence[LoudAggregate]) -> str:
    """A sentence about these aggregates; empty if there are none."""
    if not far:
        return ""
    said = listed([f"{each.aggregate.label}{in_groups(plan, each, ' ({})')}" for each in far])
    return f"These may be farther from the rank that is sought than a quarter of all rows, and say little: {said}."


def _are_far(plan: BlockPlan, answer: StoredAnswer, index: int) -> list[bool]:
    """In which of the first groups the values of a choice may be that far off; none where nothing tells how many rows
    are ordered."""
    mechanism, choice = plan.choosing[index], plan.choices[index]
    if not isinstance(mechanism, QuantileMechanism) or not isinstance(choice, QuantileChoice):
        return []
    error = rank_error(mechanism)
    counted = counted_rows(choice, plan.statistics)
    if counted is not None:
        # Where it looks like nothing the values are NULL.
        nothing = 2 * plan.mechanisms[counted].standard_deviation / plan.cells_per_step(counted)
        rows = [row[counted] for row in first_groups(plan, answer)]
        return [error > _FAR * number for number in rows if number > nothing]
    units = _counted_units(plan, choice)
    if units is not None:
        return [error > _FAR * row[units] for row in first_groups(plan, answer)]
    everyone = _in_all_groups(plan, answer, index)
    return [] if everyone is None else [error > _FAR * everyone for _ in islice(answer.keys, MOST_GROUPS)]


def _counted_units(plan: BlockPlan, choice: QuantileChoice) -> int | None:
    """The index of a number of units among which there are those that are ordered; None where there is none."""
    counts = (
        index
        for index, found in enumerate(plan.statistics)
        if isinstance(found, UnitCount) and found.filter_sql == choice.filter_sql
    )
    return next(counts, None) if choice.counts_units else None


def _in_all_groups(plan: BlockPlan, answer: StoredAnswer, index: int) -> Fraction | None:
    """About how many rows, or units, are ordered in all groups together, as the choice of the limit tells; None where
    there is none."""
    if plan.limits[index] is None or plan.limited is None:
        return None
    number = sum(limit is not None for limit in plan.limits[:index])
    of_sums = len(plan.norms) - len(plan.limited)
    told = dict(told_of(plan, answer)).get(of_sums + number)
    if told is None:
        return None
    if plan.choices[index].counts_units:
        return Fraction(max(told.units, 0), CELLS)
    return Fraction(max(told.kept, 0), CELLS) * threshold(plan.limited[number])
