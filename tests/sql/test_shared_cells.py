"""A sum around the centre is taken from the cells that a product has, where they are the same cells."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import psycopg
import pytest

from proxy.sql.planning.grids import Grid
from proxy.sql.planning.plan import BlockPlan
from proxy.sql.planning.statistic import CellSum, GridSum, ProductSum
from proxy.sql.source_queries.plain_sums import plain_aggregates
from proxy.sql.source_queries.shared_cells import with_shared_cells
from tests.conftest import PostgresCluster
from tests.sql.test_chosen_thresholds import planned

VALUES = "(NULL), (-3.1), (0), (0.01), (4.99), (5), (412.37), (499.99), (500), (1e5), ('NaN')"


def sums(plan: BlockPlan) -> list[GridSum]:
    return [
        statistic
        for statistic in plan.statistics
        if isinstance(statistic, GridSum) and not isinstance(statistic, ProductSum)
    ]


def test_the_sum_of_a_products_cells_is_the_sum_around_the_centre(postgres_cluster: PostgresCluster) -> None:
    """Of missing values, too, of NaN, and of values outside the bounds."""
    plan = planned("SELECT stddev(cost) FROM visits")
    (alone,), (shared,) = sums(plan), sums(with_shared_cells(plan))
    assert isinstance(shared, CellSum)
    assert (alone.grid.centre, shared.grid.centre) == (50_000, 0)
    assert (shared.reach, shared.step) == (alone.reach, alone.step)
    (own, present), (cells, nothing) = plain_aggregates(alone), plain_aggregates(shared)
    assert nothing is None
    rows = f"FROM (VALUES {VALUES}) AS v(x), LATERAL (SELECT x::numeric(8, 2)) AS t0(cost)"
    with psycopg.connect(postgres_cluster.dsn("postgres")) as connection:
        found = connection.execute(f"SELECT {own}, {present}, {cells} {rows}".encode()).fetchone()
    assert found is not None
    total, count, in_cells = found
    assert Fraction(total) / alone.step - alone.grid.centre * count == in_cells != 0


@pytest.mark.parametrize(
    ("text", "shares"),
    [
        ("SELECT stddev(cost) FROM visits", True),
        ("SELECT stddev(cost), avg(cost) FROM visits", True),
        ("SELECT corr(cost, minutes) FROM visits", True),
        ("SELECT stddev(cost) FILTER (WHERE urgent), avg(cost) FROM visits", False),
        ("SELECT avg(cost), avg(minutes) FROM visits", False),
        ("SELECT stddev(score) FROM visits", False),
    ],
)
def test_only_exact_cells_of_the_same_rows_are_shared(text: str, shares: bool) -> None:
    """Doubles are rounded to cells, before and after the centre is subtracted in different ways."""
    plan = planned(text)
    assert all(isinstance(statistic, CellSum) for statistic in sums(with_shared_cells(plan))) == shares


def test_cells_of_another_size_are_not_shared() -> None:
    """As they are where the product of the values' own would be too large."""
    plan = planned("SELECT stddev(cost) FROM visits")

    def coarser(product: ProductSum) -> ProductSum:
        grids = [Grid(10 * grid.step, grid.low // 10, grid.high // 10, True) for _, grid in product.factors]
        factors = tuple((value, grid) for (value, _), grid in zip(product.factors, grids, strict=True))
        return replace(product, factors=factors)

    statistics = tuple(coarser(of) if isinstance(of, ProductSum) else of for of in plan.statistics)
    assert with_shared_cells(replace(plan, statistics=statistics)).statistics == statistics
