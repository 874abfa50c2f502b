"""Aggregates as expressions over released numbers, which the stage computes (post-processing)."""

from __future__ import annotations

import math
from fractions import Fraction

from proxy.sql.planning.aggregates import QUANTIFIERS, Aggregate
from proxy.sql.planning.choices import Chosen
from proxy.sql.planning.moments import moments_sql
from proxy.sql.planning.noise_intervals import CONFIDENCE
from proxy.sql.planning.plan import BlockPlan
from proxy.sql.terms.term import decimal_text, number_sql
from proxy.sql.terms.types import Kind


def aggregate_sql(aggregate: Aggregate, plan: BlockPlan, type_name: str) -> str:
    """An aggregate as an expression over the released statistics s0, s1, … of the literal relation `r`.

    Averages divide by a noisy count of at least 1 and stay inside the declared bounds (theorem 2).
    """
    if aggregate.chosen is not None:
        return chosen_sql(aggregate.chosen, plan, type_name)
    if aggregate.moments is not None:
        value = moments_sql(aggregate.function, aggregate.moments, lambda index: f"r.s{index}")
        return f"({value})::{type_name}"
    if aggregate.sum is None:
        counted = f"r.s{aggregate.count}"
        if aggregate.function in QUANTIFIERS:
            return f"({counted} {'>' if aggregate.function == 'bool_or' else '<='} {decisive_rows(aggregate, plan)})"
        return f"{counted}::{type_name}"
    grid = plan.statistics[aggregate.sum].grid
    if grid is None:
        raise AssertionError("a sum has a grid")
    centre = number_sql(grid.centre * grid.step)
    total, rows = f"r.s{aggregate.sum}", f"r.s{aggregate.count}"
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


def chosen_sql(chosen: Chosen, plan: BlockPlan, type_name: str) -> str:
    """A chosen value, or an array of them, from the text columns c0, c1, … of the literal relation."""
    choice = plan.choices[chosen.choice]
    first = chosen_columns(plan, chosen.choice)
    columns = [f"r.c{first + position}" for position in chosen.positions]
    values = columns if choice.buckets is None else [choice.buckets.value_sql(column) for column in columns]
    return f"ARRAY[{', '.join(values)}]::{type_name}" if chosen.is_array else f"({values[0]})::{type_name}"


def chosen_columns(plan: BlockPlan, choice: int) -> int:
    """The number of the literal relation's first column for a choice; of all columns, for the number of choices."""
    return sum(one.size for one in plan.choices[:choice])


def decisive_rows(aggregate: Aggregate, plan: BlockPlan) -> int:
    """Above this a quantifier is decided: noise makes that of none with probability (1 - CONFIDENCE)/2 at most."""
    if aggregate.count is None:
        raise AssertionError("a quantifier counts rows")
    cells = plan.mechanisms[aggregate.count].half_width(float(CONFIDENCE))
    return math.ceil(Fraction(cells, plan.cells_per_contribution))
