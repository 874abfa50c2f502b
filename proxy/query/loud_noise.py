"""Does the noise of an answer go farther than its numbers? Then they alone mislead (post-processing, free)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice

import numpy as np

from proxy.budget.stored_answer import StoredAnswer
from proxy.dp.noise_widths import Numbers
from proxy.sql.planning.aggregates.aggregate import Aggregate, Estimate, OfKnownWidth
from proxy.sql.planning.plan import BlockPlan
from proxy.sql.planning.statistic import GridSum
from proxy.sql.planning.wording import listed, short

MOST_GROUPS = 1_000
"""Groups that are looked at, which takes some milliseconds."""

_MANY = Fraction(1, 4)
"""The share of the shown numbers of an aggregate that is worth a warning where it is made of several noisy ones."""


@dataclass(frozen=True)
class LoudAggregate:
    """An aggregate whose numbers say little.

    Attributes:
        aggregate: of the plan.
        groups: in how many groups it says little.
        shown: of how many that were looked at, where it is not NULL.
        reach: how far its noise goes; None or 0 where that is not one number.
    """

    aggregate: Aggregate
    groups: int
    shown: int
    reach: Fraction | None = None


def loud_aggregates(plan: BlockPlan, answer: StoredAnswer) -> list[LoudAggregate]:
    """The aggregates whose noise goes farther than most of their own numbers: counts and sums; or, of what is made of
    several noisy numbers, than many of them, or over much of what they could be.

    Totals of ROLLUP and its like are not looked at.

    Args:
        plan: as it was answered.
        answer: its answer.
    """
    if plan.levels is not None or not answer.values:
        return []
    columns = _columns(plan, answer)
    found = []
    for aggregate in plan.aggregates:
        if isinstance(aggregate, Estimate):
            with np.errstate(all="ignore"):  # what is too large for a double is not looked at
                flags = [flag for flag in aggregate.drowned(plan, columns) if flag is not None]
            reach = aggregate.reach(plan) if isinstance(aggregate, OfKnownWidth) else None
            loud = LoudAggregate(aggregate, sum(flags), len(flags), reach)
            many = 2 * loud.groups > loud.shown if reach else loud.groups >= _MANY * loud.shown
            if loud.groups and many:
                found.append(loud)
    return found


def released_numbers(plan: BlockPlan, aggregate: OfKnownWidth, answer: StoredAnswer) -> list[Fraction]:
    """An aggregate's numbers in the first groups of an answer.

    Args:
        plan: of the answer, once it is known how much of a unit counts; without totals.
        aggregate: whose noise is as wide in all groups.
        answer: with at least one group.
    """
    groups = first_groups(plan, answer)
    return [number for row in groups if (number := aggregate.number(row)) is not None]


def first_groups(plan: BlockPlan, answer: StoredAnswer) -> list[Sequence[Fraction]]:
    """The statistics of the first groups of an answer."""
    scales = [statistic.step / plan.cells_per_step(index) for index, statistic in enumerate(plan.statistics)]
    return [
        [number * scale for number, scale in zip(row, scales, strict=True)]
        for row in islice(answer.values, MOST_GROUPS)
    ]


def _columns(plan: BlockPlan, answer: StoredAnswer) -> list[Numbers]:
    """The same, as a column for each statistic."""
    scales = [float(statistic.step) / plan.cells_per_step(index) for index, statistic in enumerate(plan.statistics)]
    columns = zip(*islice(answer.values, MOST_GROUPS), strict=True)
    return [np.array(list(map(float, column))) * scale for column, scale in zip(columns, scales, strict=True)]


def loud_text(plan: BlockPlan, loud: Sequence[LoudAggregate]) -> str:
    """A sentence about these aggregates; empty if there are none."""
    if not loud:
        return ""
    all_known = all(each.reach for each in loud)
    or_over = "" if all_known else ", or over much of what they could be"
    said = listed([_loud_text(plan, each) for each in loud])
    return f"Noise goes farther than the numbers themselves{or_over}, which say little: {said}."


def _loud_text(plan: BlockPlan, loud: LoudAggregate) -> str:
    if loud.reach:
        return f"{loud.aggregate.label} (±{short(loud.reach)}{in_groups(plan, loud, ', {}')})"
    return f"{loud.aggregate.label}{in_groups(plan, loud, ' ({})')}"


def in_groups(plan: BlockPlan, loud: LoudAggregate, written: str) -> str:
    """In how many groups an aggregate says little, written where `{}` is; empty of a single row."""
    return written.format(f"in {loud.groups} of {loud.shown} groups") if plan.keys else ""


def what_to_do(plan: BlockPlan) -> str:
    """What makes noise smaller where it is too loud."""
    fewer = "for fewer groups" if plan.keys else "about more rows"
    advice = f"Ask {fewer}, or SET dp.epsilon to more; EXPLAIN shows the price of half the noise"
    sums = [statistic for statistic in plan.statistics if isinstance(statistic, GridSum)]
    if sums:
        advice += ". Sums, and what is made of them, have less noise between narrow bounds: "
        advice += "sum(least(greatest(x, low), high))"
    return f"{advice}."
