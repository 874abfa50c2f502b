"""Statistics over rows that need no scaling, as aggregates of Postgres."""

from __future__ import annotations

from typing import assert_never

from proxy.sql.planning.cells import cell_sql, clamped_sql, present_sql, without_nan_sql
from proxy.sql.planning.statistic import CellSum, DistinctCount, GridSum, ProductSum, RowCount, Statistic, UnitCount
from proxy.sql.source_queries.fragments import filtered
from proxy.sql.terms.types import Kind


def plain_aggregates(statistic: Statistic) -> tuple[str, str | None]:
    """A statistic over rows that need no scaling: its sum or count, and what a centred sum needs to subtract."""
    match statistic:
        case DistinctCount():
            total = f"count(DISTINCT {without_nan_sql(statistic.value)})"
        case UnitCount():
            total = "count(*)"
        case RowCount():
            total = f"count({present_sql(statistic.present) if statistic.present is not None else '*'})"
        case ProductSum():
            total = f"sum({product_sql(statistic)})"
        case GridSum():
            value, grid = statistic.value, statistic.grid
            total = f"sum({clamped_sql(value, grid) if sums_values(statistic) else cell_sql(value, grid)})"
        case _:
            assert_never(statistic)
    present = _present(statistic)
    return filtered(total, statistic.filter_sql), filtered(present, statistic.filter_sql) if present else None


def _present(statistic: Statistic) -> str | None:
    """What counts the rows around whose centre a sum is taken."""
    centred = isinstance(statistic, GridSum) and statistic.grid.centre
    return f"count({present_sql(statistic.value)})" if isinstance(statistic, GridSum) and centred else None


def product_sql(statistic: ProductSum) -> str:
    """The product of the cells of a row's two values, each at most 2^45, and so the product at most 2^47."""
    first, second = (cell_sql(value, grid) for value, grid in statistic.factors)
    return f"{first}::bigint * {second}"


def sums_values(statistic: GridSum) -> bool:
    """Is the sum taken in the value's own unit? Exact decimals need no conversion per row."""
    in_cells = isinstance(statistic, (ProductSum, CellSum))
    return statistic.grid.exact and statistic.value.kind is not Kind.FLOAT and not in_cells
