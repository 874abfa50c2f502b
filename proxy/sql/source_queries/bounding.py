"""Scaling a unit's contribution down to a fixed bound, as SQL over one row per unit and group (theorem 1).

A unit gets one weight w = min(1, C / norm of its row counts) for the whole block. Inside the bound w is exactly 1 and
everything stays in integers; outside, products are computed in double precision a little below their value and
truncated toward zero, so that no rounding exceeds the bound.

Where totals are measured too, w keeps both norms, L1 within C₁ and the one that the noise needs (`planning.levels`).
For Laplace noise that is the same; for Gaussian noise w = min(1, C₂ / ‖n‖₂, C₁ / ‖n‖₁). A unit with at most C₂ rows is
inside both bounds, as C₂ = √(M·m) <= M = C₁ and ‖n‖₂ <= ‖n‖₁.
"""

from __future__ import annotations

import math
from fractions import Fraction

from proxy.sql.planning.cells import divided_by_step
from proxy.sql.planning.plan import BlockPlan
from proxy.sql.planning.pricing import REFINEMENT
from proxy.sql.planning.statistic import GridSum, Statistic, UnitCount
from proxy.sql.source_queries.fragments import group_by, heavy_units, rows_clause, unit_columns
from proxy.sql.source_queries.key_weights import SLACK, weight_sql
from proxy.sql.source_queries.per_unit import names, order_of_places, per_unit_sql, with_windows
from proxy.sql.source_queries.plain_sums import plain_aggregates, sums_values
from proxy.sql.source_queries.row_columns import RowColumns
from proxy.sql.terms.term import number_sql


def bounded_sql(plan: BlockPlan, seed: int) -> str:
    """Query: keys, each statistic's sum of scaled contributions in cells (v0, v1, …), and the weight of the group, if
    keys are selected.

    Args:
        plan: the block's plan, with fixed bounds; its path is not `unique`.
        seed: secret seed of the hash that chooses which groups a unit with too many of them helps to select.
    """
    counts_units = any(isinstance(statistic, UnitCount) for statistic in plan.statistics)
    if plan.path == "general" and plan.selection is None and not counts_units:
        return _split(plan, seed)
    return _scaled_sums(plan, seed)


def _split(plan: BlockPlan, seed: int) -> str:
    """Units whose rows are together within the bound are aggregated directly; only the few others are split by group
    and scaled down. The norm over groups never exceeds the number of rows."""
    unit = plan.relation.unit_sql
    member = f"EXISTS (SELECT FROM heavy AS h WHERE h.unit = {unit})"
    heavy = heavy_units(plan, most_rows_inside(plan))
    row = RowColumns(plan.relation)
    cells = [f"{row.column(key.term.sql)} AS k{index}" for index, key in enumerate(plan.keys)]
    cells += [f"{_plain_cells(row.statistic(found))} AS v{index}" for index, found in enumerate(plan.statistics)]
    selected = ", ".join(cells)
    totals = names("k", plan.keys) + [f"sum({name}) AS {name}" for name in names("v", plan.statistics)]
    grouped = group_by(len(plan.keys))
    return (
        f"WITH heavy AS MATERIALIZED ({heavy}) SELECT {', '.join(totals)} FROM ("
        f"SELECT {selected} {row.from_clause(rows_clause(plan, f'NOT {member}'), selected)}{grouped} UNION ALL "
        f"{_scaled_sums(plan, seed, member)}) AS parts{grouped}"
    )


def _plain_cells(statistic: Statistic) -> str:
    """A statistic's cells over rows that need no scaling."""
    total, present = plain_aggregates(statistic)
    cells = f"{total}::numeric"
    if isinstance(statistic, GridSum):
        if sums_values(statistic):
            cells = f"round({divided_by_step(cells, statistic.grid)})"
        if present is not None:
            cells = f"({cells} - {number_sql(Fraction(statistic.grid.centre))}::numeric * {present})"
    return f"{cells} * {REFINEMENT}"


def _scaled_sums(plan: BlockPlan, seed: int, *further: str) -> str:
    """As `bounded_sql`, of rows under further conditions, which hold for all rows of a unit or none."""
    numbers, order = _unit_numbers(plan), order_of_places(plan)
    rows = with_windows(per_unit_sql(plan, seed, *further), numbers, order, unit_columns(plan))
    outputs = names("k", plan.keys)
    if plan.statistics:
        rows = f"SELECT *, {_scale(plan)} AS scale FROM ({rows}) AS sized"
        outputs += [f"{_scaled(plan, index)} AS v{index}" for index in range(len(plan.statistics))]
    if plan.selection is not None:
        outputs.append(weight_sql(plan))
    return f"SELECT {', '.join(outputs)} FROM ({rows}) AS scaled{group_by(len(plan.keys))}"


def most_rows_inside(plan: BlockPlan) -> int:
    """A unit with at most this many rows in the whole block is inside the bound, however they are grouped."""
    return math.isqrt(_limit(plan)) if _is_gaussian(plan) else _limit(plan)


def _is_gaussian(plan: BlockPlan) -> bool:
    return plan.noise_name == "gaussian"


def _limit(plan: BlockPlan) -> int:
    """C₂² for Gaussian noise, C₁ for Laplace noise."""
    bounds = plan.contribution
    return bounds.max_rows * bounds.max_rows_per_group if _is_gaussian(plan) else bounds.max_rows


def keeps_both_norms(plan: BlockPlan) -> bool:
    """Is a unit's weight also bounded by its number of rows, because of totals?"""
    return _is_gaussian(plan) and plan.levels is not None and plan.levels.has_totals


def _unit_numbers(plan: BlockPlan) -> list[str]:
    """Of the rows of a unit: their number in all groups (or the sum of its squares, for Gaussian noise) as q, the
    number again as r where both norms are kept, the number of groups, and the place of the group among them."""
    numbers = []
    if plan.statistics:
        rows = "sum(n) OVER w" if plan.path == "general" else "n"
        squares = "sum(n * n) OVER w" if plan.path == "general" else "n * n"
        numbers.append(f"{squares if _is_gaussian(plan) else rows} AS q")
        numbers += [f"{rows} AS r"] if keeps_both_norms(plan) else []
    if plan.selection is not None or any(isinstance(statistic, UnitCount) for statistic in plan.statistics):
        numbers.append("count(*) OVER w AS groups" if plan.path == "general" else "1 AS groups")
    if plan.selection is not None:
        numbers.append("row_number() OVER w AS place" if plan.path == "general" else "1 AS place")
    return numbers


def _scale(plan: BlockPlan) -> str:
    """w in cells, for a unit outside the bound; else NULL."""
    limit, gaussian = _limit(plan), _is_gaussian(plan)
    ratio = f"({limit}::double precision / q::double precision)"
    outside, scale = f"q > {limit}", f"{REFINEMENT} * {SLACK} * {f'sqrt({ratio})' if gaussian else ratio}"
    if keeps_both_norms(plan):
        most = plan.contribution.max_rows
        outside = f"({outside} OR r > {most})"
        scale = f"LEAST({scale}, {REFINEMENT} * {SLACK} * ({most}::double precision / r::double precision))"
    return f"CASE WHEN {outside} THEN {scale} END"


def _scaled(plan: BlockPlan, index: int) -> str:
    """Sum over units of one statistic's scaled contributions, in cells."""
    statistic = plan.statistics[index]
    if isinstance(statistic, UnitCount):
        return f"sum(v{index} * {_unit_share(plan)})"
    carrier = "bigint" if plan.contribution.max_rows * statistic.reach * REFINEMENT < 2**62 else "numeric"
    scaled = f"trunc(v{index}::double precision * scale)::{carrier}"
    return f"sum(CASE WHEN scale IS NOT NULL THEN {scaled} ELSE v{index}::{carrier} * {REFINEMENT} END)"


def _unit_share(plan: BlockPlan) -> str:
    """What a unit counts in each of its K groups, in cells: 1 while K <= k = max(1, M/m), else scaled to the bound."""
    most = plan.contribution.groups
    ratio = f"{most.numerator}::double precision / {most.denominator} / groups"
    share = f"sqrt({ratio})" if _is_gaussian(plan) else f"({ratio})"
    return (
        f"(CASE WHEN groups::numeric * {most.denominator} <= {most.numerator} THEN {REFINEMENT} "
        f"ELSE trunc({REFINEMENT} * {SLACK} * {share})::bigint END)"
    )
