"""One row's value on its statistic's integer grid, as SQL that cannot fail (theorem 2).

NULL and NaN stay out of sums and counts. CASE is used because GREATEST and LEAST would turn NULL into a bound
(attack 20).
"""

from __future__ import annotations

from proxy.sql.planning.grids import Grid
from proxy.sql.terms.term import Term, decimal_places, decimal_text, number_sql
from proxy.sql.terms.types import Kind


def clamped_sql(value: Term, grid: Grid) -> str:
    """A number clamped to the grid's bounds, as an integer or numeric in its own unit. Not for floats."""
    low, high = number_sql(grid.low * grid.step), number_sql(grid.high * grid.step)
    if value.kind is Kind.INTEGER:
        if grid.exact and cannot_be_outside(value, grid):
            return value.sql
        return f"(CASE WHEN {value.sql} < {low} THEN {low} WHEN {value.sql} > {high} THEN {high} ELSE {value.sql} END)"
    return (
        f"(CASE WHEN {value.sql} < {low} THEN {low} WHEN {value.sql} <= {high} THEN {value.sql} "
        f"WHEN {value.sql} <> 'NaN' THEN {high} END)"
    )


def cannot_be_outside(value: Term, grid: Grid) -> bool:
    """Does every value that the type and form allow lie inside the grid's bounds, whatever the rows hold?"""
    return (
        value.kind is Kind.INTEGER
        and value.magnitude is not None
        and -value.magnitude >= grid.low * grid.step
        and value.magnitude - 1 <= grid.high * grid.step
    )


def cell_sql(value: Term, grid: Grid) -> str:
    """The number of the value's cell, round(value / step) inside [grid.low, grid.high], as integer or bigint."""
    carrier = "integer" if max(abs(grid.low), abs(grid.high)) < 2**31 else "bigint"
    if value.kind is Kind.FLOAT:
        return f"{_float_cell(value, grid)}::{carrier}"
    clamped = divided_by_step(clamped_sql(value, grid), grid)
    return f"{clamped}::{carrier}" if grid.exact else f"round({clamped})::{carrier}"


def divided_by_step(value: str, grid: Grid) -> str:
    """A value in its own unit as a number of cells; exact where 1/step is a finite decimal."""
    if grid.step == 1:
        return value
    try:
        decimal_places(1 / grid.step)
    except ValueError:
        return f"({value} / {decimal_text(grid.step)}::numeric)"
    # Without the cast an integer column with a step below 1 would be multiplied in its own type, and overflow.
    return f"({value}::numeric * {decimal_text(1 / grid.step)})"


def _float_cell(value: Term, grid: Grid) -> str:
    low, high = grid.low * grid.step, grid.high * grid.step
    # Rounded, since a float like 1.23 can lie a little below its decimal. Clamped afterwards.
    cell = f"round({value.sql}::double precision / {decimal_text(grid.step)}::double precision)"
    if grid.step > 1:
        # The smallest floats divided by a step above 1 would underflow, which is an error.
        cell = f"CASE WHEN abs({value.sql}) < {decimal_text(grid.step)} THEN 0 ELSE {cell} END"
    first, last = f"{grid.low}::double precision", f"{grid.high}::double precision"
    inside = cell
    if not _stays_inside(grid):
        inside = f"CASE WHEN {cell} < {first} THEN {first} WHEN {cell} > {last} THEN {last} ELSE {cell} END"
    return (
        f"(CASE WHEN {value.sql} < {number_sql(low)} THEN {first} WHEN {value.sql} <= {number_sql(high)} "
        f"THEN {inside} WHEN {value.sql} <> 'NaN' THEN {last} END)"
    )


def _stays_inside(grid: Grid) -> bool:
    """Are the cells of the bounds themselves inside, so that those of all values between are, too? Divisions and
    roundings of doubles are monotone, and Postgres computes them as Python does."""
    step = float(grid.step)
    lowest, highest = (round(float(end * grid.step) / step) for end in (grid.low, grid.high))
    return grid.low <= lowest and highest <= grid.high


def present_sql(value: Term) -> str:
    """The SQL to count for rows whose value has a cell: NaN counts as NULL.

    Integers that are never NULL need no check per row; the source query verifies that they still are never NULL.
    """
    return "*" if value.kind is Kind.INTEGER and not value.nullable else without_nan_sql(value)


def without_nan_sql(value: Term) -> str:
    """The value, with NaN as NULL."""
    return f"NULLIF({value.sql}, 'NaN')" if value.kind in (Kind.NUMERIC, Kind.FLOAT) else value.sql
