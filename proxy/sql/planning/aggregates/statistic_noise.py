"""The noise of counts and sums, each in its own unit (dp.low, dp.high, dp.stddev).

Computed from released numbers and public noise scales alone: post-processing, free. An interval holds the aggregate
without noise, but clipped and with rows scaled down as the plan says: it covers noise and nothing else. Shown numbers
are rounded to whole rows or steps of the grid; rounding takes noise away as often as it adds some, so the width is
rounded in the same way.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from proxy.dp.noise_widths import Law, Numbers, combined_width
from proxy.sql.planning.aggregates.aggregate import End, Planned, Shown, ShownInterval
from proxy.sql.terms.term import decimal_places, decimal_text
from proxy.sql.trees.interval_calls import CONFIDENCE


def unit(plan: Planned, index: int) -> Fraction:
    """The size of one contribution to a statistic: a row, or a step of the grid."""
    return plan.statistics[index].step


def half_width(plan: Planned, index: int, confidence: Fraction) -> Fraction:
    """Half width of a statistic's noise, in contributions."""
    return Fraction(plan.mechanisms[index].half_width(float(confidence)), plan.cells_per_step(index))


def _whole_width(plan: Planned, index: int, confidence: Fraction) -> Fraction:
    """Half width of a number that is shown in whole units: the least k with P[|round(noise)| > k] <= 1 - confidence.

    Where nothing is clipped the number without noise is whole, and the coverage exact.
    """
    return whole_contributions(plan, index, confidence) * unit(plan, index)


def whole_contributions(plan: Planned, index: int, confidence: Fraction) -> int:
    """The same, in contributions."""
    return _whole(plan.mechanisms[index].half_width(float(confidence)), plan.cells_per_step(index))


def _whole(width: int, cells: int) -> int:
    """A width in cells as one in contributions, rounded to the nearest whole number; halves are rounded up."""
    return (2 * width + cells) // (2 * cells)


def part_width(plan: Planned, index: int, confidence: Fraction) -> float:
    """Half width of one of two noises that are added; not rounded down, since their sum is shown in finer steps."""
    width, cells = plan.mechanisms[index].half_width(float(confidence)), plan.cells_per_step(index)
    return float(max(width, _whole(width, cells) * cells) * unit(plan, index) / cells)


def deviation(plan: Planned, index: int) -> float:
    """Standard deviation of a statistic's noise, in its own unit."""
    return plan.mechanisms[index].standard_deviation / plan.cells_per_step(index) * float(unit(plan, index))


def few(plan: Planned, counted: int) -> float:
    """A noisy number of rows that may well be of none: two standard deviations above zero."""
    return 2 * deviation(plan, counted)


def law(plan: Planned) -> Law:
    """The law of all noise in the block."""
    return plan.mechanisms[0].name


def in_type(number: str, shown: Shown) -> str:
    """A released number as SQL of its type. Noise may take it beyond a bigint, which a cast would fail on after the
    charge: then it is the greatest or least one that is shown."""
    if shown.type_name != "bigint":
        return f"{number}::{shown.type_name}"
    low, high = -shown.farthest - 1, shown.farthest
    return f"(CASE WHEN {number} < {low} THEN {low} WHEN {number} > {high} THEN {high} ELSE {number} END)::bigint"


def ends_of_sum(
    indexes: Sequence[int], shown: ShownInterval, factors: Sequence[Fraction] = (Fraction(1),)
) -> tuple[str, ...]:
    """`Estimate.interval` of one noisy number, with its exact half width, or of a sum of two.

    Args:
        indexes: of one or two statistics; first the one that gives the sum its unit.
        shown: the requested end.
        factors: of each statistic.
    """
    plan, end, columns, main = shown.plan, shown.end, shown.columns, indexes[0]
    if end == "stddev":
        width = math.hypot(
            *(deviation(plan, index) * float(factor) for index, factor in zip(indexes, factors, strict=True))
        )
        return tuple(float_text(width) if value is not None else "NULL" for value in columns[main])
    half = width_of_sum(plan, indexes, shown.confidence, factors)
    step = max(unit(plan, main), Fraction(1)) if shown.type_name == "bigint" else unit(plan, main)
    ends = []
    for values in zip(*(columns[index] for index in indexes), strict=True):
        number = _total(values, factors)
        ends.append("NULL" if number is None else _end_text(number, half, step, end, shown.type_name))
    return tuple(ends)


def width_of_sum(
    plan: Planned, indexes: Sequence[int], confidence: Fraction, factors: Sequence[Fraction] = (Fraction(1),)
) -> Fraction:
    """Half width of the noise of one number, or of a sum of two; the arguments are those of `ends_of_sum`."""
    if len(indexes) == 1:
        return _whole_width(plan, indexes[0], confidence)
    widths = [
        part_width(plan, index, confidence) * abs(float(factor)) for index, factor in zip(indexes, factors, strict=True)
    ]
    return Fraction(float(combined_width(law(plan), float(confidence), *widths)))


def are_within(
    plan: Planned, columns: Sequence[Numbers], indexes: Sequence[int], factors: Sequence[Fraction] = (Fraction(1),)
) -> list[bool | None]:
    """`Estimate.drowned` of one number, or of a sum of two; the other arguments are those of `ends_of_sum`."""
    half = float(width_of_sum(plan, indexes, CONFIDENCE, factors))
    total = sum(columns[index] * float(factor) for index, factor in zip(indexes, factors, strict=True))
    return [bool(is_within) for is_within in np.abs(total) < half]


def _total(values: Sequence[Fraction | None], factors: Sequence[Fraction]) -> Fraction | None:
    known = [value for value in values if value is not None]
    if len(known) < len(values):
        return None
    return sum((value * factor for value, factor in zip(known, factors, strict=True)), Fraction(0))


def _end_text(number: Fraction, width: Fraction, step: Fraction, end: End, type_name: str) -> str:
    """An end of the interval in whole units, rounded outward."""
    exact = (number - width) / step if end == "low" else (number + width) / step
    whole = math.floor(exact) if end == "low" else math.ceil(exact)
    if type_name == "bigint":
        whole = min(max(whole, -(2**63)), 2**63 - 1)
    return decimal_text(whole * step, decimal_places(step))


def float_text(number: float) -> str:
    """With fifteen digits, which a double keeps of any decimal, so that a declared bound is printed as declared."""
    return f"{number:.15g}"
