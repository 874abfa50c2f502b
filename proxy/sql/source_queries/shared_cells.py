"""Sums that need nothing that is not computed for products already.

A variance is made of Σ x and Σ (x - c)². The second needs each value's distance from the centre in cells, and what a
unit contributes to the first is the sum of the same cells, if they are exact. So the value is not clamped in another
way for that, and no row has to be counted for the centre's sake.
"""

from __future__ import annotations

from proxy.sql.planning.grids import Grid
from proxy.sql.planning.plan import BlockPlan
from proxy.sql.planning.statistic import CellSum, GridSum, ProductSum, Statistic
from proxy.sql.replacing import replace


def with_shared_cells(plan: BlockPlan) -> BlockPlan:
    """The plan with the same numbers, of which some are sums of a product's cells."""
    products = [statistic for statistic in plan.statistics if isinstance(statistic, ProductSum)]
    return replace(plan, statistics=tuple(_shared(statistic, products) for statistic in plan.statistics))


def _shared(statistic: Statistic, products: list[ProductSum]) -> Statistic:
    if not isinstance(statistic, GridSum) or isinstance(statistic, ProductSum) or not statistic.grid.exact:
        return statistic
    cells = _around_centre(statistic.grid)
    for product in products:
        for centred, (value, grid) in zip(product.centred, product.factors, strict=True):
            if centred == statistic and grid == cells:
                return CellSum(value, grid, statistic.filter_sql)
    return statistic


def _around_centre(grid: Grid) -> Grid:
    """The cells less their centre: those that a contribution is made of."""
    return replace(grid, low=grid.low - grid.centre, high=grid.high - grid.centre, centre=0)
