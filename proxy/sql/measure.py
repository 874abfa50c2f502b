"""From a plan to the measurement: the one SQL text that is sent to the source, and how to read its rows (DESIGN 5).

Every sum is a sum of integers or of exact decimals on the statistic's grid; the text is generated from terms alone, so
equal blocks in different spellings give the same text.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from proxy.sql.aggregates import Grid, Statistic
from proxy.sql.cells import cell_sql, clamped_sql, present_sql
from proxy.sql.plan import REFINEMENT, BlockPlan
from proxy.sql.term import Term, number_sql
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
    conditions = [f"{plan.relation.unit_sql} IS NOT NULL"] if plan.relation.unit_nullable else []
    if plan.where is not None:
        conditions.append(plan.where.sql)
    where = f" WHERE {' AND '.join(conditions)}" if conditions else ""
    return f"FROM {plan.relation.sql}{where}"


def _value(statistic: Statistic) -> tuple[Term, Grid]:
    if statistic.value is None or statistic.grid is None:
        raise AssertionError("a sum has a value and a grid")
    return statistic.value, statistic.grid


def _filtered(call: str, filter_sql: str | None) -> str:
    return f"{call} FILTER (WHERE {filter_sql})" if filter_sql is not None else call


def _group_by(keys: int, before: int = 0) -> str:
    if not keys + before:
        return ""
    return f" GROUP BY {', '.join(str(position) for position in range(1, keys + before + 1))}"


def _unique(plan: BlockPlan) -> str:
    """Every unit has at most one row, so a plain aggregation is bounded as it stands."""
    columns = [f"{key.term.sql} AS k{index}" for index, key in enumerate(plan.keys)]
    for index, statistic in enumerate(plan.statistics):
        if statistic.kind == "sum":
            value, grid = _value(statistic)
            summed = clamped_sql(value, grid) if _sums_values(statistic) else cell_sql(value, grid)
            columns.append(f"{_filtered(f'sum({summed})', statistic.filter_sql)} AS s{index}")
            if grid.centre:
                columns.append(f"{_filtered(f'count({present_sql(value)})', statistic.filter_sql)} AS c{index}")
        else:
            counted = present_sql(statistic.value) if statistic.value is not None else "*"
            columns.append(f"{_filtered(f'count({counted})', statistic.filter_sql)} AS s{index}")
    if plan.selection is not None:
        columns.append("count(*) AS weight")
    return f"SELECT {', '.join(columns)} {_rows_clause(plan)}{_group_by(len(plan.keys))}"


def _sums_values(statistic: Statistic) -> bool:
    """Is the sum taken in the value's own unit? Exact decimals need no conversion for each row."""
    value, grid = _value(statistic)
    return grid.exact and value.kind is not Kind.FLOAT


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
        cells.append(int(total / grid.step if _sums_values(statistic) else total) - grid.centre * count)
    return tuple(cells)


class _RowColumns:
    """What aggregates read from each row: expressions in place, or columns of a subquery that computes each once.

    The subquery costs a pass over the rows, so it pays only where a cell is both summed and counted.
    """

    def __init__(self, plan: BlockPlan) -> None:
        self._names: dict[str, str] | None = {} if any(_summed_and_counted(s) for s in plan.statistics) else None

    def column(self, sql: str) -> str:
        """How an aggregate refers to this expression."""
        return sql if self._names is None else self._names.setdefault(sql, f"x{len(self._names)}")

    def from_clause(self, rows: str) -> str:
        """FROM and WHERE; OFFSET 0 keeps Postgres from moving the expressions back into each aggregate."""
        if self._names is None:
            return rows
        columns = ", ".join(f"{sql} AS {name}" for sql, name in self._names.items())
        return f"FROM (SELECT {columns} {rows} OFFSET 0) AS r"


def _summed_and_counted(statistic: Statistic) -> bool:
    return statistic.grid is not None and statistic.grid.centre != 0


def _per_unit(plan: BlockPlan, hash_seed: int) -> str:
    """One row for each unit and group: its rows, and each statistic's sum of cells."""
    rows = _RowColumns(plan)
    columns = [f"{rows.column(plan.relation.unit_sql)} AS unit"]
    columns += [f"{rows.column(key.term.sql)} AS k{index}" for index, key in enumerate(plan.keys)]
    columns.append("count(*) AS n")
    if plan.selection is not None:
        columns.append(f"{_key_hash([rows.column(key.term.sql) for key in plan.keys], hash_seed)} AS hash")
    cells = {s.value.sql: cell_sql(*_value(s)) for s in plan.statistics if s.kind == "sum" and s.value is not None}
    for index, statistic in enumerate(plan.statistics):
        filter_name = rows.column(statistic.filter_sql) if statistic.filter_sql is not None else None
        if statistic.kind == "sum":
            value, grid = _value(statistic)
            cell = rows.column(cell_sql(value, grid))
            columns.append(f"{_filtered(f'sum({cell})', filter_name)} AS s{index}")
            if grid.centre:
                columns.append(f"{_filtered(f'count({cell})', filter_name)} AS c{index}")
        elif statistic.value is not None:
            counted = rows.column(cells.get(statistic.value.sql) or present_sql(statistic.value))
            columns.append(f"{_filtered(f'count({counted})', filter_name)} AS s{index}")
        elif filter_name is not None:
            columns.append(f"{_filtered('count(*)', filter_name)} AS s{index}")
    return f"SELECT {', '.join(columns)} {rows.from_clause(_rows_clause(plan))}{_group_by(len(plan.keys), before=1)}"


def _bounded(plan: BlockPlan, hash_seed: int) -> str:
    """One row per unit and group first, then each unit scaled down to the bound in the norm that its noise needs."""
    keys = [f"k{index}" for index in range(len(plan.keys))]
    ctes = [f"per_unit AS MATERIALIZED ({_per_unit(plan, hash_seed)})"]
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
    """Sum over units of one statistic's scaled contribution, in cells.

    A unit inside the bound has at most max_rows rows, so its cells fit the carrier type that was chosen for that many.
    A unit outside is computed in numeric, since nothing bounds its rows, and scaled in double precision.
    """
    statistic = plan.statistics[index]
    if statistic.kind == "units":
        return _unit_contribution(plan, index, groups)
    if _is_gaussian(plan):
        limit = _squared_bound(plan)
        weight = f"{REFINEMENT} * {_SLACK} * sqrt({limit}::double precision / ({norm}))"
    else:
        limit = plan.contribution.max_rows
        weight = f"{REFINEMENT} * {_SLACK} * ({limit} / ({norm}))"
    reach = statistic.grid.reach if statistic.grid is not None else 1
    carrier = "bigint" if plan.contribution.max_rows * reach * REFINEMENT < 2**62 else "numeric"
    scaled = f"trunc({_cells(statistic, index, 'numeric')}::double precision * ({weight}))::{carrier}"
    whole = f"{_cells(statistic, index, carrier)} * {REFINEMENT}"
    return f"sum(CASE WHEN ({norm}) > {limit} THEN {scaled} ELSE {whole} END) AS v{index}"


def _cells(statistic: Statistic, index: int, carrier: str) -> str:
    """A unit's cells in one group, from the columns of per_unit."""
    if statistic.grid is not None and statistic.grid.centre:
        return f"(p.s{index}::{carrier} - {number_sql(Fraction(statistic.grid.centre))}::{carrier} * p.c{index})"
    if statistic.grid is not None or statistic.value is not None or statistic.filter_sql is not None:
        return f"p.s{index}::{carrier}"
    return f"p.n::{carrier}"


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


def _key_hash(keys: list[str], seed: int) -> str:
    """A keyed 64-bit hash of a group's keys."""
    sql = str(seed)
    for key in keys:
        sql = f"hashtextextended(coalesce(left(({key})::text, 1000000), ''), {sql})"
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
