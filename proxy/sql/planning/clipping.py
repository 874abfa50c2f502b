"""What clipping can do to an answer on top of the noise, as a plan tells it without looking at data.

Bounds make the noise finite: a unit with too many rows is scaled down, a value outside its bounds counts as the nearest
one. How much of that happens is private, so that no interval can include it.
"""

from __future__ import annotations

from fractions import Fraction

from proxy.sql.planning.aggregates import Aggregate
from proxy.sql.planning.cells import cannot_be_outside
from proxy.sql.planning.plan import BlockPlan


def clipped_values(aggregate: Aggregate, plan: BlockPlan) -> tuple[tuple[Fraction, Fraction], ...]:
    """The bounds that the aggregate's values are moved to where they are outside of them, each once.

    Squares and products of a variance or regression are not listed: their bounds follow from those of the values.
    """
    if aggregate.moments is not None:
        indexes = [index for index in (aggregate.moments.y, aggregate.moments.x) if index is not None]
    else:
        indexes = [aggregate.sum] if aggregate.sum is not None else []
    found: dict[tuple[Fraction, Fraction], None] = {}
    for index in indexes:
        statistic = plan.statistics[index]
        grid = statistic.grid
        if grid is not None and statistic.value is not None and not cannot_be_outside(statistic.value, grid):
            found[grid.low * grid.step, grid.high * grid.step] = None
    return tuple(found)


def beyond_noise(plan: BlockPlan) -> tuple[str, ...]:
    """What can move the block's answers away from Postgres's own besides noise, in words; empty if nothing can."""
    found = []
    if plan.path != "unique":
        if any(statistic.kind != "distinct" for statistic in plan.statistics):
            found.append("units that are scaled down")
        if any(statistic.kind == "distinct" for statistic in plan.statistics):
            found.append("distinct values that a unit has too many of")
    if any(clipped_values(aggregate, plan) for aggregate in plan.aggregates):
        found.append("values moved to a bound")
    return tuple(found)
