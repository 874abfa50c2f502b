"""dp.low, dp.high and dp.stddev as columns of a block's literal relation.

Computed from released numbers and public noise scales alone: post-processing, free. An interval holds the aggregate
without noise, but clipped and with rows scaled down as the plan says: it covers noise and nothing else.

- One noisy number (count, sum): exact half widths. What is shown is rounded to whole rows or steps of the grid; noise
  is rounded away just as often as it is rounded up, so the width is rounded in the same way.
- A sum that shares the centred sum of an average over the same values, S + c·n: the width of two noises added.
- An average: Fieller's interval of a quotient (`proxy.dp.noise_intervals`).
- Variances, covariances, correlations, regressions: `moment_intervals`, on the stage.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np

from proxy.dp.noise_intervals import Law, NoisyNumbers, combined_width, quotient_limits
from proxy.sql.planning.aggregates import Aggregate
from proxy.sql.planning.noise_intervals import NoiseInterval
from proxy.sql.planning.plan import BlockPlan
from proxy.sql.staging.moment_intervals import moment_interval_sql
from proxy.sql.terms.term import decimal_places, decimal_text

ReleasedColumn = Sequence[Fraction | None]
"""One statistic of every group, in its own unit; None where it is shown as NULL."""


@dataclass(frozen=True)
class IntervalColumn:
    """A column of the literal relation: numbers to put into it, or an expression over the others.

    Attributes:
        numbers: their texts, in the order of the groups; None if `sql` computes them.
        sql: the column's expression, in which the numbers are called by its own name.
    """

    numbers: tuple[str, ...] | None
    sql: str


def interval_column(
    position: int,
    plan: BlockPlan,
    aggregate_types: Sequence[str],
    columns: Sequence[ReleasedColumn],
    groupings: Sequence[str] = (),
) -> IntervalColumn:
    """The column for the interval at `position` of the plan.

    Args:
        position: index in `plan.intervals`.
        plan: of the block.
        aggregate_types: what the stage says of the plan's aggregates.
        columns: the released statistics.
        groupings: with several grouping sets, each row's `GroupingLevel.grouping`. Every level has its own noise;
            numbers that were made consistent have less of it, so for them the interval is a little too wide.
    """
    if plan.levels is None:
        return _column(position, plan, aggregate_types, columns)
    expressions, numbers = {}, [""] * len(groupings)
    for level in plan.levels.measured:
        rows = [row for row, grouping in enumerate(groupings) if grouping == level.grouping]
        of_level = replace(plan, mechanisms=level.mechanisms, levels=None)
        one = _column(position, of_level, aggregate_types, [[column[row] for row in rows] for column in columns])
        expressions[level.grouping] = one.sql
        for row, number in zip(rows, one.numbers or (), strict=one.numbers is not None):
            numbers[row] = number
    cases = " ".join(f"WHEN '{grouping}' THEN {sql}" for grouping, sql in expressions.items())
    return IntervalColumn(tuple(numbers) if all(numbers) else None, f"(CASE r.grouping {cases} END)")


def _column(
    position: int, plan: BlockPlan, aggregate_types: Sequence[str], columns: Sequence[ReleasedColumn]
) -> IntervalColumn:
    interval = plan.intervals[position]
    aggregate = plan.aggregates[interval.aggregate]
    type_name = aggregate_types[interval.aggregate]
    shown = "double precision" if interval.function == "stddev" or type_name == "real" else type_name
    if aggregate.moments is not None and aggregate.function != "regr_count":
        return IntervalColumn(None, f"{moment_interval_sql(aggregate, interval, plan)}::{shown}")
    if aggregate.function == "avg":
        numbers = _of_average(aggregate, interval, plan, columns)
    else:
        numbers = _of_sum(aggregate, interval, plan, type_name, columns)
    return IntervalColumn(tuple(numbers), f"r.i{position}::{shown}")


def _unit(plan: BlockPlan, index: int) -> Fraction:
    """What one contribution of a statistic is in its own unit: a row, or a step of the grid."""
    grid = plan.statistics[index].grid
    return grid.step if grid is not None else Fraction(1)


def _whole_width(plan: BlockPlan, index: int, confidence: Fraction) -> Fraction:
    """Half width of a number that is shown in whole units: the least k with P[|round(noise)| > k] <= 1 - confidence.

    Where nothing is clipped the number without noise is whole, and the coverage exact.
    """
    cells = Fraction(plan.mechanisms[index].half_width(float(confidence)), plan.cells_per_contribution)
    return math.floor(cells + Fraction(1, 2)) * _unit(plan, index)


def _part_width(plan: BlockPlan, index: int, confidence: Fraction) -> float:
    """Half width of one of two noises that are added: without rounding down, since their sum is shown more finely."""
    cells = Fraction(plan.mechanisms[index].half_width(float(confidence)), plan.cells_per_contribution)
    return float(max(cells * _unit(plan, index), _whole_width(plan, index, confidence)))


def _deviation(plan: BlockPlan, index: int) -> float:
    return plan.mechanisms[index].standard_deviation / plan.cells_per_contribution * float(_unit(plan, index))


def _law(plan: BlockPlan) -> Law:
    return plan.mechanisms[0].name


def _of_sum(
    aggregate: Aggregate, interval: NoiseInterval, plan: BlockPlan, type_name: str, columns: Sequence[ReleasedColumn]
) -> list[str]:
    """Of a count, a sum, or a sum S + c·n around a centre c."""
    parts = _parts(aggregate, plan)
    main = parts[0][0]
    if interval.function == "stddev":
        deviation = math.hypot(*(_deviation(plan, index) * float(factor) for index, factor in parts))
        return [_float_text(deviation) if value is not None else "NULL" for value in columns[main]]
    if len(parts) == 1:
        width = _whole_width(plan, main, interval.confidence)
    else:
        widths = [_part_width(plan, index, interval.confidence) * abs(float(factor)) for index, factor in parts]
        width = Fraction(float(combined_width(_law(plan), float(interval.confidence), *widths)))
    unit = max(_unit(plan, main), Fraction(1)) if type_name == "bigint" else _unit(plan, main)
    ends = []
    for values in zip(*(columns[index] for index, _ in parts), strict=True):
        number = _total(values, [factor for _, factor in parts])
        ends.append("NULL" if number is None else _end_text(number, width, unit, interval))
    return ends


def _parts(aggregate: Aggregate, plan: BlockPlan) -> list[tuple[int, Fraction]]:
    """The noisy numbers that a count or sum adds up, each with its factor; the one that gives it its unit first."""
    rows = aggregate.moments.rows if aggregate.moments is not None else aggregate.count
    if aggregate.sum is not None:
        grid = plan.statistics[aggregate.sum].grid
        around = grid.centre * grid.step if grid is not None else Fraction(0)
        return [(aggregate.sum, Fraction(1)), *([(rows, around)] if around and rows is not None else [])]
    if rows is None:
        raise AssertionError("an aggregate uses at least one statistic")
    return [(rows, Fraction(1))]


def _total(values: Sequence[Fraction | None], factors: Sequence[Fraction]) -> Fraction | None:
    known = [value for value in values if value is not None]
    if len(known) < len(values):
        return None
    return sum((value * factor for value, factor in zip(known, factors, strict=True)), Fraction(0))


def _end_text(number: Fraction, width: Fraction, unit: Fraction, interval: NoiseInterval) -> str:
    """An end of the interval in whole units, rounded outward."""
    end = (number - width) / unit if interval.function == "low" else (number + width) / unit
    whole = math.floor(end) if interval.function == "low" else math.ceil(end)
    return decimal_text(whole * unit, decimal_places(unit))


def _of_average(
    aggregate: Aggregate, interval: NoiseInterval, plan: BlockPlan, columns: Sequence[ReleasedColumn]
) -> list[str]:
    if aggregate.sum is None or aggregate.count is None:
        raise AssertionError("an average is made of a sum and a count")
    grid = plan.statistics[aggregate.sum].grid
    if grid is None:
        raise AssertionError("a sum has a grid")
    known = [value is not None for value in columns[aggregate.sum]]
    total, rows = (
        np.array([float(value) if value is not None else 0.0 for value in columns[index]])
        for index in (aggregate.sum, aggregate.count)
    )
    centre, step = grid.centre * grid.step, grid.step
    low, high = float(grid.low * step - centre), float(grid.high * step - centre)
    if interval.function == "stddev":
        # To first order in the noise; what is inside [low, high] deviates by at most half of its width.
        count = np.maximum(rows, 1)
        shown = np.clip(total / count, low, high)
        deviations = np.hypot(_deviation(plan, aggregate.sum), shown * _deviation(plan, aggregate.count)) / count
        numbers = np.minimum(deviations, (high - low) / 2)
    else:
        lows, highs = quotient_limits(
            _law(plan),
            float(interval.confidence),
            NoisyNumbers(total, _part_width(plan, aggregate.sum, interval.confidence)),
            NoisyNumbers(rows, _part_width(plan, aggregate.count, interval.confidence)),
            low,
            high,
        )
        numbers = float(centre) + (lows if interval.function == "low" else highs)
    return [_float_text(number) if shown else "NULL" for number, shown in zip(numbers.tolist(), known, strict=True)]


def _float_text(number: float) -> str:
    """Fifteen digits: what a double holds of a decimal, so that a declared bound looks like itself."""
    return f"{number:.15g}"
