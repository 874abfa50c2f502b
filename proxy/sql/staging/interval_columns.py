"""dp.low, dp.high, dp.stddev and dp.clipped as columns of a block's literal relation (post-processing)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from proxy.sql.planning.aggregates.aggregate import Aggregate, ReleasedColumn, ShownInterval
from proxy.sql.planning.plan import BlockPlan


@dataclass(frozen=True)
class IntervalColumn:
    """A column of the literal relation: numbers to put into it, or an expression over the others.

    Attributes:
        numbers: in decimal notation, in the order of the groups; None if `sql` computes them.
        sql: the column's expression, which calls the numbers by the column's own name.
    """

    numbers: tuple[str, ...] | None
    sql: str


def interval_column(
    position: int,
    plan: BlockPlan,
    aggregate_types: Sequence[str],
    columns: Sequence[ReleasedColumn],
    groupings: Sequence[str] = (),
    lost: Sequence[float | None] = (),
) -> IntervalColumn:
    """The column for the interval at `position` of the plan.

    Args:
        position: index in `plan.intervals`.
        plan: of the block.
        aggregate_types: the types that the stage gives the plan's aggregates.
        columns: the released statistics.
        groupings: with several grouping sets, each row's `GroupingLevel.grouping`. Every level has its own noise;
            numbers that were made consistent have less of it, so their intervals are a little too wide.
        lost: for each norm of the plan's clipping, the share that it left out.
    """
    if plan.intervals[position].function == "clipped":
        share = share_left_out(plan, plan.intervals[position].aggregate, lost)
        return IntervalColumn(None, f"{'NULL' if share is None else repr(share)}::double precision")
    if plan.levels is None:
        return _column(position, plan, aggregate_types, columns)
    expressions, numbers = {}, [""] * len(groupings)
    for level in plan.levels.measured:
        rows = [row for row, grouping in enumerate(groupings) if grouping == level.grouping]
        of_level = replace(plan, mechanisms=level.mechanisms, levels=None)
        shown = _column(position, of_level, aggregate_types, [[column[row] for row in rows] for column in columns])
        expressions[level.grouping] = shown.sql
        for row, number in zip(rows, shown.numbers or (), strict=shown.numbers is not None):
            numbers[row] = number
    cases = " ".join(f"WHEN '{grouping}' THEN {sql}" for grouping, sql in expressions.items())
    return IntervalColumn(tuple(numbers) if all(numbers) else None, f"(CASE r.grouping {cases} END)")


def share_left_out(plan: BlockPlan, aggregate: Aggregate, lost: Sequence[float | None]) -> float | None:
    """About which share of what an aggregate counts or adds up is left out because units were scaled down, in the whole
    block: the greatest one of its numbers. 0 where no unit can be; None where it cannot be told, as where the policy or
    the session states how much counts, which nobody measures, or rows beyond a limit take no part.

    Args:
        plan: of the block.
        aggregate: of the plan.
        lost: for each norm of the plan's clipping, the share that it left out; None where that cannot be told.
    """
    if plan.clipping is None:
        return 0.0 if plan.path == "unique" and not plan.footprint.cuts else None
    # The rows beside a sum only say whether it is NULL; those of a quotient are a part of it.
    counted = aggregate.statistics if aggregate.is_ratio or not aggregate.sums else aggregate.sums
    norms = {plan.clipping.norm_of[statistic] for statistic in counted}
    shares = [lost[norm] for norm in norms] if lost else [None]
    known = [share for share in shares if share is not None]
    is_whole = not plan.footprint.cuts or any(plan.clipping.norms[norm].choice is not None for norm in norms)
    return max(known, default=0.0) if len(known) == len(shares) and is_whole else None


def _column(
    position: int, plan: BlockPlan, aggregate_types: Sequence[str], columns: Sequence[ReleasedColumn]
) -> IntervalColumn:
    interval = plan.intervals[position]
    if interval.function == "clipped":
        raise AssertionError("a share is no interval")
    type_name = aggregate_types[interval.position]
    shown = "double precision" if interval.function == "stddev" or type_name == "real" else type_name
    ends = interval.aggregate.interval(ShownInterval(plan, type_name, interval.function, interval.confidence, columns))
    if isinstance(ends, str):
        return IntervalColumn(None, f"{ends}::{shown}")
    return IntervalColumn(ends, f"r.i{position}::{shown}")
