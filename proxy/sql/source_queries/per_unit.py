"""The rows of a block added up for each unit and group, as SQL: what every way of bounding starts from."""

from __future__ import annotations

from proxy.sql.planning.cells import cell_sql, present_sql
from proxy.sql.planning.plan import BlockPlan
from proxy.sql.planning.statistic import GridSum, RowCount, Statistic
from proxy.sql.source_queries.fragments import filtered, group_by, rows_clause


def per_unit_sql(plan: BlockPlan, *further: str) -> str:
    """Query: one row for each unit and group, with its rows (n), and each statistic's sum of cells (s0, s1, …) and what
    a centred sum needs to subtract (c0, c1, …).

    Args:
        plan: the block's plan.
        further: conditions of its rows, besides its own.
    """
    rows = _RowColumns(plan)
    columns = [f"{rows.column(plan.relation.unit_sql)} AS unit"]
    columns += [f"{rows.column(key.term.sql)} AS k{index}" for index, key in enumerate(plan.keys)]
    columns.append("count(*) AS n")
    sums = [statistic for statistic in plan.statistics if isinstance(statistic, GridSum)]
    cells = {total.value.sql: cell_sql(total.value, total.grid) for total in sums}
    for index, statistic in enumerate(plan.statistics):
        filter_name = rows.column(statistic.filter_sql) if statistic.filter_sql is not None else None
        if isinstance(statistic, GridSum):
            cell = rows.column(cell_sql(statistic.value, statistic.grid))
            columns.append(f"{filtered(f'sum({cell})', filter_name)} AS s{index}")
            if statistic.grid.centre:
                columns.append(f"{filtered(f'count({cell})', filter_name)} AS c{index}")
        elif isinstance(statistic, RowCount) and statistic.present is not None:
            counted = rows.column(cells.get(statistic.present.sql) or present_sql(statistic.present))
            columns.append(f"{filtered(f'count({counted})', filter_name)} AS s{index}")
        elif filter_name is not None:
            columns.append(f"{filtered('count(*)', filter_name)} AS s{index}")
    from_rows = rows.from_clause(rows_clause(plan, *further))
    return f"SELECT {', '.join(columns)} {from_rows}{group_by(1 + len(plan.keys))}"


class _RowColumns:
    """What aggregates read from each row: expressions in place, or columns of a subquery that computes each once.

    The subquery costs a pass over the rows, so it pays only where a cell is both summed and counted.
    """

    def __init__(self, plan: BlockPlan) -> None:
        self._names: dict[str, str] | None = {} if any(_summed_and_counted(s) for s in plan.statistics) else None

    def column(self, sql: str) -> str:
        """The SQL by which an aggregate refers to this expression."""
        return sql if self._names is None else self._names.setdefault(sql, f"x{len(self._names)}")

    def from_clause(self, rows: str) -> str:
        """FROM and WHERE; OFFSET 0 keeps Postgres from moving the expressions back into each aggregate."""
        if self._names is None:
            return rows
        columns = ", ".join(f"{sql} AS {name}" for sql, name in self._names.items())
        return f"FROM (SELECT {columns} {rows} OFFSET 0) AS r"


def _summed_and_counted(statistic: Statistic) -> bool:
    return isinstance(statistic, GridSum) and statistic.grid.centre != 0
