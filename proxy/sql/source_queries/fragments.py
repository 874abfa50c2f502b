"""Pieces of SQL that all source queries share: the rows of a block, FILTER, GROUP BY."""

from __future__ import annotations

from collections.abc import Sequence

from proxy.sql.planning.plan import BlockPlan
from proxy.sql.terms.types import Kind


def rows_clause(plan: BlockPlan, *further: str) -> str:
    """FROM and WHERE: the rows that belong to a unit and that the block reads, under `further` conditions."""
    conditions = [f"{plan.relation.unit_sql} IS NOT NULL"] if plan.relation.unit_nullable else []
    if plan.where is not None:
        conditions.append(plan.where.sql)
    conditions.extend(further)
    where = f" WHERE {' AND '.join(conditions)}" if conditions else ""
    return f"FROM {plan.relation.sql}{where}"


def unit_columns(plan: BlockPlan) -> dict[str, str]:
    """What tells a unit, each with its name in a subquery: `unit`, and on a cluster the column that spreads the rows if
    it is hidden in the unit's spelling."""
    home = plan.relation.unit_home
    return {"unit": plan.relation.unit_sql} | ({"home": home} if home is not None else {})


def unit_order(plan: BlockPlan) -> str:
    """ORDER BY of rows that consist of their unit alone, before they are grouped by it.

    PostgreSQL sorts single numbers and dates faster than it hashes them, four times where most of a million units have
    one row, but takes sorting for slower.
    """
    tables = plan.relation.private_tables
    short = all(
        table.identity_column is not None
        and not table.lone_units
        and table.term(table.identity_column).kind in (Kind.INTEGER, Kind.DATE)
        for table in tables
    )
    return " ORDER BY 1" if short else ""


def heavy_units(plan: BlockPlan, most: int, *further: str, columns: Sequence[str] = ()) -> str:
    """Query: the units with more than `most` rows under `further` conditions, and aggregates of these rows."""
    unit = unit_columns(plan)
    named = ", ".join(f"{sql} AS {name}" for name, sql in unit.items())
    rows = f"SELECT {named} {rows_clause(plan, *further)}{unit_order(plan)}"
    return (
        f"SELECT {', '.join(['unit', *columns])} FROM ({rows}) AS r GROUP BY {', '.join(unit)} HAVING count(*) > {most}"
    )


def by_unit(plan: BlockPlan, before: int = 0) -> str:
    """GROUP BY of the first `before` outputs and of the unit, which is the next one."""
    home = plan.relation.unit_home
    return group_by(before + 1) + (f", {home}" if home is not None else "")


def key_columns(plan: BlockPlan) -> list[str]:
    """Each key's term, named k0, k1, …."""
    return [f"{key.term.sql} AS k{index}" for index, key in enumerate(plan.keys)]


def filtered(call: str, filter_sql: str | None) -> str:
    """An aggregate call with its FILTER, if any."""
    return f"{call} FILTER (WHERE {filter_sql})" if filter_sql is not None else call


def group_by(columns: int) -> str:
    """GROUP BY of the first `columns` outputs; empty for none."""
    return f" GROUP BY {', '.join(str(position) for position in range(1, columns + 1))}" if columns else ""
