"""Does the noise of an answer go farther than its numbers? Then they alone mislead (post-processing, free)."""

from __future__ import annotations

from fractions import Fraction
from itertools import islice

from proxy.budget.stored_answer import StoredAnswer
from proxy.sql.planning.aggregates.aggregate import OfKnownWidth
from proxy.sql.planning.plan import BlockPlan
from proxy.sql.planning.statistic import GridSum
from proxy.sql.planning.wording import listed, short

_MOST_GROUPS = 1_000
"""Groups that are looked at, which takes a millisecond or two."""


def loud_aggregates(plan: BlockPlan, answer: StoredAnswer) -> dict[str, Fraction]:
    """The aggregates whose noise goes farther than most of their own numbers, with how far 95 % of it goes.

    Only counts and sums have noise that is as wide in all groups; totals of ROLLUP and its like are not looked at.

    Args:
        plan: as it was answered.
        answer: its answer.
    """
    if plan.levels is not None or not answer.values:
        return {}
    found = {}
    for aggregate in plan.aggregates:
        if isinstance(aggregate, OfKnownWidth) and (reach := aggregate.reach(plan)):
            numbers = released_numbers(plan, aggregate, answer)
            if 2 * sum(abs(number) < reach for number in numbers) > len(numbers):
                found[aggregate.label] = reach
    return found


def released_numbers(plan: BlockPlan, aggregate: OfKnownWidth, answer: StoredAnswer) -> list[Fraction]:
    """An aggregate's numbers in the first groups of an answer.

    Args:
        plan: of the answer, once it is known how much of a unit counts; without totals.
        aggregate: whose noise is as wide in all groups.
        answer: with at least one group.
    """
    scales = [statistic.step / plan.cells_per_step(index) for index, statistic in enumerate(plan.statistics)]
    rows = (
        [number * scale for number, scale in zip(row, scales, strict=True)]
        for row in islice(answer.values, _MOST_GROUPS)
    )
    return [number for row in rows if (number := aggregate.number(row)) is not None]


def loud_text(loud: dict[str, Fraction]) -> str:
    """A sentence about these aggregates; empty if there are none."""
    if not loud:
        return ""
    widths = listed([f"{label} (±{short(reach)})" for label, reach in loud.items()])
    return f"Noise goes farther than the numbers themselves, which say little: {widths}."


def what_to_do(plan: BlockPlan) -> str:
    """What makes noise smaller where it is too loud."""
    fewer = "for fewer groups" if plan.keys else "about more rows"
    advice = f"Ask {fewer}, or SET dp.epsilon to more; EXPLAIN shows the price of half the noise"
    sums = [statistic for statistic in plan.statistics if isinstance(statistic, GridSum)]
    if sums:
        advice += ". Sums have less noise between narrow bounds: sum(least(greatest(x, low), high))"
    return f"{advice}."
