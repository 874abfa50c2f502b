"""What clipping can do to an answer on top of the noise, as a plan tells it without looking at data.

Bounds make the noise finite: a unit with too many rows is scaled down, a value outside its bounds counts as the nearest
one. How much of that happens is private, so that no interval can include it.
"""

from __future__ import annotations

from proxy.sql.planning.plan import BlockPlan


def beyond_noise(plan: BlockPlan) -> tuple[str, ...]:
    """What can move the block's answers away from Postgres's own besides noise, in words; empty if nothing can."""
    found = []
    if plan.path != "unique":
        if any(statistic.kind != "distinct" for statistic in plan.statistics):
            found.append("units that are scaled down")
        if any(statistic.kind == "distinct" for statistic in plan.statistics):
            found.append("distinct values that a unit has too many of")
    if any(aggregate.clipped_values(plan) for aggregate in plan.aggregates):
        found.append("values moved to a bound")
    return tuple(found)
