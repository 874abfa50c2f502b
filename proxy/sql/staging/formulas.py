"""Aggregates as expressions over released numbers, which the stage computes (post-processing)."""

from __future__ import annotations

from proxy.sql.planning.aggregates import Aggregate
from proxy.sql.planning.moments import moments_sql
from proxy.sql.planning.plan import BlockPlan
from proxy.sql.terms.term import decimal_text, number_sql
from proxy.sql.terms.types import Kind


def aggregate_sql(aggregate: Aggregate, plan: BlockPlan, type_name: str, before: str = "r.s", after: str = "") -> str:
    """An aggregate as an expression over the released statistics s0, s1, … of the literal relation.

    `before` and `after` surround a statistic's number: "r.s0" is one group's, "sum(x.s0)" a total's.

    Averages divide by a noisy count of at least 1 and stay inside the declared bounds (MATH section 1).
    """
    if aggregate.moments is not None:
        value = moments_sql(aggregate.function, aggregate.moments, lambda index: f"{before}{index}{after}")
        return f"({value})::{type_name}"
    if aggregate.sum is None:
        # A total over no group at all is a count of 0.
        counted = f"{before}{aggregate.count}{after}"
        return f"{f'coalesce({counted}, 0)' if plan.rolled_up else counted}::{type_name}"
    grid = plan.statistics[aggregate.sum].grid
    if grid is None:
        raise AssertionError("a sum has a grid")
    centre = number_sql(grid.centre * grid.step)
    total, rows = f"{before}{aggregate.sum}{after}", f"{before}{aggregate.count}{after}"
    if aggregate.function == "sum":
        return f"({total} + {centre} * {rows})::{type_name}" if grid.centre else f"{total}::{type_name}"
    count = f"greatest({rows}, 1)"
    sum_ = f"({total} + {centre} * {count})"
    summed = plan.statistics[aggregate.sum].value
    if summed is not None and summed.kind is Kind.FLOAT:
        sum_ = f"{sum_}::double precision"
    low, high = (decimal_text(limit * grid.step) for limit in (grid.low, grid.high))
    # greatest() would turn NULL into a bound.
    average = f"least(greatest({sum_} / {count}, {low}), {high})"
    return f"(CASE WHEN {total} IS NOT NULL THEN {average} END)::{type_name}"
