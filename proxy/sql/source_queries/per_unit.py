"""What each unit contributes to each group, and what follows from all its rows together, as SQL.

A query reads the rows once: they are added up for each unit and group, and windows over the rows of a unit tell its
norm, the number of its groups and the like. So all that is known of a unit comes from one snapshot of it, on a source
of several servers too: where the unit's column distributes the rows, each server does all of this for its own units.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction

from proxy.sql.planning.cells import divided_by_step, without_nan_sql
from proxy.sql.planning.plan import BlockPlan
from proxy.sql.planning.statistic import Distinct, GridSum, RowCount, Statistic, UnitCount
from proxy.sql.source_queries.fragments import filtered, group_by, rows_clause, unit_columns, unit_order
from proxy.sql.source_queries.hashes import place_hash
from proxy.sql.source_queries.plain_sums import plain_aggregates, sums_values
from proxy.sql.source_queries.row_columns import RowColumns
from proxy.sql.terms.term import number_sql

_MOST_CONTRIBUTED = 2**62
"""A unit's contribution to one number is cut to this many cells, so that it is a bigint: that is its own number."""

_MOST_ADDED = 10**1000
"""Numbers up to this can be added as often as Postgres can count, without exceeding numeric."""

_MOST_ROWS = 3_037_000_499
"""More rows of a unit in one group count as this many, the largest bigint whose square is one."""


def names(letter: str, items: Sequence[object]) -> list[str]:
    """k0, k1, … for some items."""
    return [f"{letter}{index}" for index in range(len(items))]


def per_unit_sql(plan: BlockPlan, seed: int, *further: str) -> str:
    """Query: one row for each unit and group: the unit (`fragments.unit_columns`), keys (k0, k1, …), its rows (n), and
    its contribution to each statistic in steps of its grid (v0, v1, …), a bigint that is never NULL, but to those of
    distinct values; and a hash of selected keys and the unit (h), if a unit can be in several groups.

    Args:
        plan: the block's plan.
        seed: secret seed of the hash.
        further: conditions of its rows, besides its own.
    """
    added = [(index, found) for index, found in enumerate(plan.statistics) if not isinstance(found, Distinct)]
    values = [f"{_contribution(statistic, index)} AS v{index}" for index, statistic in added]
    hashed = ["h"] if has_places(plan) else []
    columns = ", ".join([*unit_columns(plan), *hashed, *names("k", plan.keys), f"LEAST(n, {_MOST_ROWS}) AS n", *values])
    return f"SELECT {columns} FROM ({_totals(plan, seed, *further)}) AS counted"


def has_places(plan: BlockPlan) -> bool:
    """Are a unit's groups in an order, as it may be in more than it helps to select?"""
    return plan.selection is not None and plan.path == "general"


def order_of_places(plan: BlockPlan) -> list[str]:
    """The order of a unit's groups: by their hashes, and equal hashes by the keys, since the server's own order could
    depend on other units."""
    return ["h", *names("k", plan.keys)] if has_places(plan) else []


def with_windows(rows: str, columns: Sequence[str], order: Sequence[str] = (), unit: Iterable[str] = ("unit",)) -> str:
    """Query: the rows of `per_unit_sql` with further columns, windows `OVER w` over all rows of their unit.

    Args:
        rows: the query.
        columns: the further ones.
        order: what determines the order in which a window adds up doubles; rows that agree in it must be alike.
        unit: the columns that tell a unit.
    """
    window = f"PARTITION BY {', '.join(unit)}"
    if order:
        window += f" ORDER BY {', '.join(order)} ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING"
    clause = f" WINDOW w AS ({window})" if any("OVER w" in column for column in columns) else ""
    return f"SELECT {', '.join(['*', *columns])} FROM ({rows}) AS per_unit{clause}"


def _totals(plan: BlockPlan, seed: int, *further: str) -> str:
    """Query: one row for each unit and group, with its rows (n), and of each statistic the total (s0, s1, …) and what a
    centred sum needs to subtract (c0, c1, …)."""
    row = RowColumns(plan.relation)
    told = {name: row.column(sql) for name, sql in unit_columns(plan).items()}
    columns = [f"{column} AS {name}" for name, column in told.items()]
    keys = [row.column(key.term.sql, key.term.work) for key in plan.keys]
    if has_places(plan):
        # Among what is grouped by, so that where rows are sorted for that, their windows need no sort of their own.
        columns.append(f"{place_hash(plan.keys, keys, seed, told['unit'])} AS h")
    columns += [f"{name} AS k{index}" for index, name in enumerate(keys)]
    grouped = group_by(len(columns))
    columns.append("count(*) AS n")
    for index, statistic in enumerate(plan.statistics):
        if statistic in (RowCount(), UnitCount()) or isinstance(statistic, Distinct):
            continue
        named = row.statistic(statistic)
        total, present = plain_aggregates(named)
        columns.append(f"{_unclamped(named) or total} AS s{index}")
        columns += [f"{present} AS c{index}"] if present is not None else []
    selected = ", ".join(columns)
    order = unit_order(plan) if len(row) == 1 else ""
    return f"SELECT {selected} {row.from_clause(rows_clause(plan, *further) + order, selected)}{grouped}"


def _unclamped(statistic: Statistic) -> str | None:
    """The sum of values without bounds as they are, where no sum of them can exceed its type: what is outside the grid
    is cut once for each unit and group instead of in each row."""
    if not isinstance(statistic, GridSum) or not statistic.unbounded or not sums_values(statistic):
        return None
    magnitude = statistic.value.magnitude
    if magnitude is None or magnitude > _MOST_ADDED:
        return None
    return filtered(f"sum({without_nan_sql(statistic.value)})", statistic.filter_sql)


def _contribution(statistic: Statistic, index: int) -> str:
    match statistic:
        case UnitCount():
            return f"CASE WHEN s{index} > 0 THEN 1 ELSE 0 END" if statistic.filter_sql is not None else "1"
        case RowCount():
            return f"LEAST({'n' if statistic == RowCount() else f's{index}'}, {_MOST_ROWS})"
        case GridSum():
            centre = statistic.grid.centre
            total = f"coalesce(s{index}, 0)::numeric"
            if sums_values(statistic):
                total = f"round({divided_by_step(total, statistic.grid)})"
            if centre:
                total = f"({total} - {number_sql(Fraction(centre))}::numeric * c{index})"
            most = min(_MOST_ROWS * statistic.reach, _MOST_CONTRIBUTED)
            return f"LEAST(GREATEST({total}, {-most}), {most})::bigint"
        case _:
            raise AssertionError("distinct values are not added up")
