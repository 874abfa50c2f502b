"""From a plan to the measurement: the one SQL text that is sent to the source, and how to read its rows (DESIGN 5).

Every sum is a sum of integers or of exact decimals on the statistic's grid; the text is generated from terms alone, so
equal blocks in different spellings give the same text.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from proxy.sql.aggregates import Grid, Statistic
from proxy.sql.plan import REFINEMENT, BlockPlan
from proxy.sql.term import Term, decimal_text, number_sql
from proxy.sql.types import Kind

_SLACK = "(1 - 2.0 ^ -30)::double precision"
"""Keeps a scaled contribution below its bound whatever the rounding: sums of up to 2^22 doubles are off by 2^-31."""


@dataclass(frozen=True)
class Measured:
    """Exact results of a measurement, never shown to anyone.

    Attributes:
        keys: text of each group's keys.
        cells: for each group, each statistic's exact sum in cells.
        weights: for each group, its total selection weight in cells (empty where no keys are selected).
    """

    keys: list[tuple[str | None, ...]]
    cells: list[tuple[int, ...]]
    weights: list[int]


def measurement_sql(plan: BlockPlan, hash_seed: int = 0) -> str:
    """The measurement's SQL.

    Args:
        plan: the block's plan.
        hash_seed: secret seed of the hash that chooses which groups a unit with too many of them helps to select.
    """
    if plan.path == "unique":
        return _unique(plan)
    return _bounded(plan, hash_seed)


def read_measurement(plan: BlockPlan, rows: Sequence[tuple[str | None, ...]]) -> Measured:
    """The rows of the measurement as exact integers of cells."""
    width, count = len(plan.keys), len(plan.statistics)
    keys, cells, weights = [], [], []
    for row in rows:
        keys.append(tuple(row[:width]))
        values = row[width:]
        if plan.path == "unique":
            cells.append(_unique_cells(plan, values))
            if plan.selection is not None:
                weights.append(int(values[-1] or 0) * plan.selection.resolution)
        else:
            cells.append(tuple(int(Fraction(value or 0)) for value in values[:count]))
            if plan.selection is not None:
                weights.append(int(Fraction(values[count] or 0)))
    return Measured(keys, cells, weights)


def _rows_clause(plan: BlockPlan) -> str:
    conditions = [f"{plan.relation.unit_sql} IS NOT NULL"]
    if plan.where is not None:
        conditions.append(plan.where.sql)
    return f"FROM {plan.relation.sql} WHERE {' AND '.join(conditions)}"


def _filtered(call: str, statistic: Statistic) -> str:
    return f"{call} FILTER (WHERE {statistic.filter_sql})" if statistic.filter_sql is not None else call


def _count(statistic: Statistic) -> str:
    counted = statistic.value.sql if statistic.kind == "rows" and statistic.value is not None else "*"
    return _filtered(f"count({counted})", statistic)


def clamped_sql(value: Term, grid: Grid) -> str:
    """One row's value, clamped to the grid's bounds; on the grid as a decimal where exact, else as a cell number.

    NULL and NaN stay out of sums. CASE is used because GREATEST and LEAST would turn NULL into a bound (ATTACKS 20).
    """
    low, high = grid.low * grid.step, grid.high * grid.step
    if value.kind is Kind.FLOAT:
        cell = f"trunc({value.sql}::double precision / {decimal_text(grid.step)}::double precision)"
        bounds = (f"{grid.low}::double precision", f"{grid.high}::double precision")
        return (
            f"(CASE WHEN {value.sql} < {number_sql(low)} THEN {bounds[0]} WHEN {value.sql} <= {number_sql(high)} "
            f"THEN {_between(cell, *bounds)} WHEN {value.sql} <> 'NaN' THEN {bounds[1]} END)::bigint"
        )
    if value.kind is Kind.INTEGER:
        if value.magnitude is not None and -value.magnitude >= low and value.magnitude - 1 <= high and grid.exact:
            return value.sql
        clamped = (
            f"CASE WHEN {value.sql} < {number_sql(low)} THEN {number_sql(low)} "
            f"WHEN {value.sql} > {number_sql(high)} THEN {number_sql(high)} ELSE {value.sql} END"
        )
    else:
        clamped = (
            f"CASE WHEN {value.sql} < {number_sql(low)} THEN {number_sql(low)} WHEN {value.sql} <= {number_sql(high)} "
            f"THEN {value.sql} WHEN {value.sql} <> 'NaN' THEN {number_sql(high)} END"
        )
    if grid.exact:
        return f"({clamped})"
    return f"trunc(({clamped}) / {decimal_text(grid.step)}::numeric)"


def _between(value: str, low: str, high: str) -> str:
    return f"CASE WHEN {value} < {low} THEN {low} WHEN {value} > {high} THEN {high} ELSE {value} END"


def _sum(statistic: Statistic) -> str:
    if statistic.value is None or statistic.grid is None:
        raise AssertionError("a sum has a value and a grid")
    return _filtered(f"sum({clamped_sql(statistic.value, statistic.grid)})", statistic)


def _presence(statistic: Statistic) -> str:
    """How many values are in the sum, which is what a centred sum subtracts its centre for: NaN counts as NULL."""
    if statistic.value is None:
        raise AssertionError("a sum has a value")
    value = statistic.value
    counted = value.sql if value.kind is Kind.INTEGER else f"NULLIF({value.sql}, 'NaN')"
    return _filtered(f"count({counted})", statistic)


def _unique(plan: BlockPlan) -> str:
    """Every unit has at most one row, so a plain aggregation is bounded as it stands."""
    columns = [f"{key.term.sql} AS k{index}" for index, key in enumerate(plan.keys)]
    for index, statistic in enumerate(plan.statistics):
        if statistic.kind == "sum":
            columns.append(f"{_sum(statistic)} AS s{index}")
            if statistic.grid is not None and statistic.grid.centre:
                columns.append(f"{_presence(statistic)} AS c{index}")
        else:
            columns.append(f"{_count(statistic)} AS s{index}")
    if plan.selection is not None:
        columns.append("count(*) AS weight")
    return f"SELECT {', '.join(columns)} {_rows_clause(plan)}{_group_by(len(plan.keys))}"


def _unique_cells(plan: BlockPlan, values: Sequence[str | None]) -> tuple[int, ...]:
    cells, position = [], 0
    for statistic in plan.statistics:
        total = Fraction(values[position] or 0)
        position += 1
        grid = statistic.grid
        if grid is None:
            cells.append(int(total))
            continue
        count = 0
        if grid.centre:
            count = int(values[position] or 0)
            position += 1
        cells.append(int(total / grid.step if grid.exact else total) - grid.centre * count)
    return tuple(cells)


def _group_by(keys: int, before: int = 0) -> str:
    if not keys + before:
        return ""
    return f" GROUP BY {', '.join(str(position) for position in range(1, keys + before + 1))}"


def _bounded(plan: BlockPlan, hash_seed: int) -> str:
    """One row per unit and group first, then each unit scaled down to the bound in the norm that its noise needs."""
    keys = [f"k{index}" for index in range(len(plan.keys))]
    columns = [f"{plan.relation.unit_sql} AS unit"]
    columns += [f"{key.term.sql} AS k{index}" for index, key in enumerate(plan.keys)]
    columns.append("count(*) AS n")
    if plan.selection is not None:
        columns.append(f"{_key_hash(plan, hash_seed)} AS hash")
    for index, statistic in enumerate(plan.statistics):
        if statistic.kind == "sum":
            columns.append(f"{_cells_per_unit(statistic)} AS s{index}")
        elif statistic.value is not None or statistic.filter_sql is not None:
            columns.append(f"{_count(statistic)} AS s{index}")
    per_unit = f"SELECT {', '.join(columns)} {_rows_clause(plan)}{_group_by(len(keys), before=1)}"
    ctes = [f"per_unit AS MATERIALIZED ({per_unit})"]
    source = "per_unit AS p"
    norm, groups = _single_group_norm(plan), "1"
    if plan.path == "general":
        ctes.append(f"norms AS ({_norms(plan)})")
        source += " LEFT JOIN norms AS m USING (unit)"
        norm, groups = "m.norm", "m.groups"
        if plan.selection is not None:
            ctes.append(_cutoffs(plan))
            source += " LEFT JOIN cutoffs AS c USING (unit)"
    outputs = [f"p.{key}" for key in keys]
    outputs += [_contribution(plan, index, norm, groups) for index in range(len(plan.statistics))]
    if plan.selection is not None:
        outputs.append(_weight(plan))
    return f"WITH {', '.join(ctes)} SELECT {', '.join(outputs)} FROM {source}{_group_by(len(keys))}"


def _cells_per_unit(statistic: Statistic) -> str:
    grid = statistic.grid
    if grid is None or statistic.value is None:
        raise AssertionError("a sum has a value and a grid")
    total = _sum(statistic)
    if grid.exact and grid.step != 1:
        inverse = 1 / grid.step
        scale = f"* {decimal_text(inverse)}" if inverse.denominator == 1 else f"/ {decimal_text(grid.step)}::numeric"
        total = f"trunc({total} {scale})"
    if grid.centre:
        total = f"({total} - {number_sql(Fraction(grid.centre))} * {_presence(statistic)})"
    return total


def _is_gaussian(plan: BlockPlan) -> bool:
    return plan.noise_name == "gaussian"


def _squared_bound(plan: BlockPlan) -> int:
    return plan.contribution.max_rows * plan.contribution.max_rows_per_group


def _single_group_norm(plan: BlockPlan) -> str:
    return "p.n::double precision * p.n" if _is_gaussian(plan) else "p.n::double precision"


def _norms(plan: BlockPlan) -> str:
    """Each unit's norm over its groups. Units inside the bound are left out where nothing else needs them."""
    norm = "sum(n::double precision * n)" if _is_gaussian(plan) else "sum(n::double precision)"
    sql = f"SELECT unit, {norm} AS norm, count(*) AS groups FROM per_unit GROUP BY unit"
    if plan.selection is None and not any(statistic.kind == "units" for statistic in plan.statistics):
        limit = _squared_bound(plan) if _is_gaussian(plan) else plan.contribution.max_rows
        sql += f" HAVING {norm} > {limit}"
    return sql


def _contribution(plan: BlockPlan, index: int, norm: str, groups: str) -> str:
    """Sum over units of one statistic's scaled contribution, in cells."""
    statistic = plan.statistics[index]
    if statistic.kind == "units":
        return _unit_contribution(plan, index, groups)
    value = f"p.s{index}" if statistic.kind == "sum" or statistic.value or statistic.filter_sql is not None else "p.n"
    if _is_gaussian(plan):
        limit = _squared_bound(plan)
        weight = f"{REFINEMENT} * {_SLACK} * sqrt({limit}::double precision / ({norm}))"
    else:
        limit = plan.contribution.max_rows
        weight = f"{REFINEMENT} * {_SLACK} * ({limit} / ({norm}))"
    scaled = f"trunc({value}::double precision * ({weight}))::numeric"
    return f"sum(CASE WHEN ({norm}) > {limit} THEN {scaled} ELSE {value}::numeric * {REFINEMENT} END) AS v{index}"


def _unit_contribution(plan: BlockPlan, index: int, groups: str) -> str:
    most = plan.contribution.groups
    present = (
        f"CASE WHEN p.s{index} > 0 THEN" if plan.statistics[index].filter_sql is not None else "CASE WHEN true THEN"
    )
    if plan.path == "single group":
        return f"sum({present} {REFINEMENT} END) AS v{index}"
    limit = f"{most.numerator}::double precision / {most.denominator}"
    share = f"sqrt({limit} / {groups})" if _is_gaussian(plan) else f"({limit} / {groups})"
    scaled = f"trunc({REFINEMENT} * {_SLACK} * {share})::bigint"
    within = f"{groups}::numeric * {most.denominator} <= {most.numerator}"
    return f"sum({present} CASE WHEN {within} THEN {REFINEMENT} ELSE {scaled} END END) AS v{index}"


def _key_hash(plan: BlockPlan, seed: int) -> str:
    """A keyed 64-bit hash of a group's keys."""
    sql = str(seed)
    for key in plan.keys:
        sql = f"hashtextextended(coalesce(left(({key.term.sql})::text, 1000000), ''), {sql})"
    return sql


def _cutoffs(plan: BlockPlan) -> str:
    """For each unit in more than max_groups groups, the hash below which its groups keep their selection weight.

    The cutoff is the hash after the max_groups smallest ones, and only smaller hashes count, so that equal hashes can
    only make them fewer.
    """
    most = plan.contribution.max_groups
    return (
        f"cutoffs AS (SELECT p.unit, (array_agg(p.hash ORDER BY p.hash))[{most + 1}] AS cutoff "
        f"FROM per_unit AS p JOIN norms AS m USING (unit) WHERE m.groups > {most} GROUP BY p.unit)"
    )


def _weight(plan: BlockPlan) -> str:
    """Sum over units of 1/√K (Gaussian) or 1/K (Laplace) in cells, for at most max_groups groups of each unit."""
    selection = plan.selection
    if selection is None:
        raise AssertionError("only selected keys have weights")
    most, cells = plan.contribution.max_groups, selection.resolution
    groups = f"LEAST(m.groups, {most})::double precision"
    share = f"sqrt({groups})" if selection.weight_is_inverse_square_root else groups
    return (
        f"sum(CASE WHEN m.groups = 1 THEN {cells} WHEN p.hash >= c.cutoff THEN 0 "
        f"ELSE trunc({cells} * {_SLACK} / {share})::bigint END) AS weight"
    )
