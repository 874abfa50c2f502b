"""95 % intervals of released numbers, from the plan and the released numbers alone: nothing private enters.

They say how far the noise goes. What clipping takes away (a unit's rows beyond the policy's bounds) is not in them.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from proxy.sql.explain import CONFIDENCE
from proxy.sql.planning.aggregates import Aggregate
from proxy.sql.planning.grids import Grid
from proxy.sql.planning.plan import BlockPlan


@dataclass(frozen=True)
class Interval:
    """A range that holds the number without noise with a probability of 95 %, or about that where `approximate`."""

    low: float
    high: float
    approximate: bool


def intervals(plan: BlockPlan, released: Sequence[float]) -> tuple[Interval | None, ...]:
    """The interval of each released aggregate of one group.

    COUNT and a plain SUM carry one noise, whose quantile is known. A SUM that shares the count of an AVG over the same
    values adds two independent noises, which is again the same law if they are Gaussian. An AVG is their quotient, to
    first order in the noise (the delta method); it gets no interval where its count is not among the released numbers,
    or is too small against its noise for that.

    Args:
        plan: of the block.
        released: one number per aggregate of the plan.
    """
    counts = {
        aggregate.count: value
        for aggregate, value in zip(plan.aggregates, released, strict=True)
        if aggregate.function == "count" and aggregate.count is not None
    }
    return tuple(
        _interval(plan, aggregate, value, counts) for aggregate, value in zip(plan.aggregates, released, strict=True)
    )


def _interval(plan: BlockPlan, aggregate: Aggregate, value: float, counts: dict[int, float]) -> Interval | None:
    if aggregate.moments is not None:
        return None
    if aggregate.sum is None or aggregate.count is None:
        index = aggregate.count if aggregate.sum is None else aggregate.sum
        if index is None:
            raise AssertionError("an aggregate uses at least one statistic")
        width = _half_width(plan, index)
        return Interval(value - width, value + width, approximate=False)
    grid = plan.statistics[aggregate.sum].grid
    if grid is None:
        raise AssertionError("a sum has a grid")
    of_sum, of_count = _half_width(plan, aggregate.sum), _half_width(plan, aggregate.count)
    centre = float(grid.centre * grid.step)
    if aggregate.function == "sum":
        width = math.hypot(of_sum, centre * of_count)
        return Interval(value - width, value + width, approximate=plan.noise_name != "gaussian")
    rows = counts.get(aggregate.count)
    if rows is None or rows < 2 * of_count:
        return None
    return _of_average(value, math.hypot(of_sum, (value - centre) * of_count) / rows, grid)


def _of_average(value: float, width: float, grid: Grid) -> Interval:
    """An average stays inside the declared bounds, and so does its interval."""
    low, high = float(grid.low * grid.step), float(grid.high * grid.step)
    return Interval(max(low, value - width), min(high, value + width), approximate=True)


def _half_width(plan: BlockPlan, index: int) -> float:
    """Of one noisy number, in its own unit."""
    unit = Fraction(1, plan.cells_per_contribution)
    grid = plan.statistics[index].grid
    if grid is not None:
        unit *= grid.step
    return float(plan.mechanisms[index].half_width(CONFIDENCE) * unit)
