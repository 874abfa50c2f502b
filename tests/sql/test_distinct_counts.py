"""COUNT(DISTINCT x) in plans and source queries: what is shared, its noise, what is refused (theorem 4)."""

from __future__ import annotations

import pytest

from proxy.dp.mechanisms import GaussianMechanism, LaplaceMechanism
from proxy.errors import UnsupportedError
from proxy.policy.catalog import Catalog
from proxy.settings import QuerySettings
from proxy.sql.explain import explain_block
from proxy.sql.planning.pricing import REFINEMENT
from proxy.sql.planning.statistic import DistinctCount, GridSum, RowCount, Statistic, UnitCount
from proxy.sql.source_queries.exact_sums import sums_sql
from tests.sql.test_chosen_thresholds import planned
from tests.sql.test_planning import catalog, plan

__all__ = ["catalog"]

_HASHED = (
    "('x' || MD5({1} ::varchar))::bit(64)::bigint::DECIMAL(65) *18446744073709551616 + "
    "('x' || SUBSTR(MD5({1} ::varchar),17))::bit(64)::bigint::DECIMAL(65)"
)
BY_KEY = (
    f"SELECT SUM(DISTINCT {{0}} + {_HASHED}) - SUM(DISTINCT {_HASHED}) FROM visits v JOIN patients p USING (patient_id)"
)
"""Looker's symmetric aggregate of a value by a key."""


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("SELECT count(DISTINCT minutes) FROM visits", [DistinctCount]),
        ("SELECT count(DISTINCT minutes), count(DISTINCT (v.minutes)) FROM visits v", [DistinctCount]),
        (
            "SELECT count(DISTINCT minutes), count(DISTINCT minutes) FILTER (WHERE urgent) FROM visits",
            [DistinctCount] * 2,
        ),
        ("SELECT count(DISTINCT (patient_id)), count(DISTINCT patient_id + 0) FROM visits", [UnitCount, DistinctCount]),
        ("SELECT count(DISTINCT patient_id), count(*) FROM patients", [RowCount]),
        (
            "SELECT avg(minutes), count(DISTINCT minutes), count(minutes) FROM visits",
            [RowCount, GridSum, DistinctCount],
        ),
    ],
)
def test_distinct_counts_share_noisy_numbers_with_equal_ones_only(
    text: str, kinds: list[type[Statistic]], catalog: Catalog
) -> None:
    assert [type(statistic) for statistic in plan(text, catalog).statistics] == kinds


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("SELECT count(DISTINCT visit_id) FROM visits", RowCount),
        ("SELECT count(DISTINCT v.visit_id) FROM visits v JOIN patients p USING (patient_id)", RowCount),
        ("SELECT count(DISTINCT visit_id + 0) FROM visits", DistinctCount),
        (
            "SELECT count(DISTINCT v.visit_id) FROM visits v JOIN visits w ON w.patient_id = v.patient_id",
            DistinctCount,
        ),
    ],
)
def test_values_that_no_two_rows_share_are_counted_as_rows(text: str, kind: type[Statistic]) -> None:
    """By a key that the source query's transaction verifies."""
    block = planned(text)
    assert [type(statistic) for statistic in block.statistics] == [kind]
    if kind is RowCount:
        assert ("public.visits", ("visit_id",)) in block.footprint.verified_keys


@pytest.mark.parametrize("keys", ["", " GROUP BY region", " GROUP BY diagnosis"])
def test_sensitivity_is_the_number_of_values_that_a_unit_keeps(keys: str, catalog: Catalog) -> None:
    text = f"SELECT count(DISTINCT minutes) FROM visits{keys}"
    (laplace,) = plan(text, catalog, settings=QuerySettings(mechanism="laplace")).mechanisms
    assert isinstance(laplace, LaplaceMechanism)
    assert laplace.sensitivity == 20 * REFINEMENT
    (gaussian,) = plan(text, catalog, settings=QuerySettings(mechanism="gaussian")).mechanisms
    assert isinstance(gaussian, GaussianMechanism)
    assert gaussian.squared_sensitivity == 20 * 10 * REFINEMENT**2


def test_one_row_for_each_unit_needs_no_cut(catalog: Catalog) -> None:
    block = plan("SELECT region, count(DISTINCT height) FROM patients GROUP BY region", catalog)
    (mechanism,) = block.mechanisms
    assert isinstance(mechanism, GaussianMechanism)
    assert mechanism.squared_sensitivity == 1
    assert sums_sql(block, 1) == sums_sql(block, 2)


def test_the_cut_follows_the_secret_seed(catalog: Catalog) -> None:
    block = plan("SELECT count(DISTINCT minutes) FROM visits", catalog)
    assert sums_sql(block, 987654321) == sums_sql(block, 0).replace(", 0)", ", 987654321)")
    assert sums_sql(block, 987654321) != sums_sql(block, 0)


def test_explain_says_that_values_are_chosen_only_where_they_are(catalog: Catalog) -> None:
    several = "\n".join(explain_block(plan("SELECT count(DISTINCT minutes) FROM visits", catalog)))
    assert "distinct values, chosen at random where a unit has too many; standard deviation" in several
    single = "\n".join(explain_block(plan("SELECT count(DISTINCT height) FROM patients", catalog)))
    assert "distinct values; standard deviation" in single


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("SELECT corr(DISTINCT minutes, cost) FROM visits", "distinct"),
        ("SELECT regr_count(DISTINCT cost, minutes) FILTER (WHERE urgent) FROM visits", "distinct"),
        ("SELECT sum(DISTINCT minutes, cost) FROM visits", "aggregate"),
        ("SELECT region, sum(DISTINCT minutes) FROM visits GROUP BY ROLLUP (region)", "grouping-sets"),
        (BY_KEY.format("p.height", "v.visit_id"), "sum-by-key"),
        (BY_KEY.format("coalesce(p.height, 0)", "v.visit_id"), "sum-by-key"),
        (BY_KEY.format("coalesce(v.minutes, 0)", "v.patient_id"), "sum-by-key"),
        (BY_KEY.format("coalesce(v.minutes, 0) + coalesce(p.height, 0)", "v.visit_id"), "sum-by-key"),
        (BY_KEY.format("v.minutes", "v.visit_id"), "sum-by-key"),
        (BY_KEY.format("coalesce(v.minutes, 0)", "v.visit_id + 1"), "sum-by-key"),
        (BY_KEY.format("coalesce(v.minutes, 0)", "v.visit_id").replace("64", "8"), "cast-type"),
        ("SELECT count(DISTINCT minutes, cost) FROM visits", "aggregate"),
        ("SELECT count(DISTINCT visited_at - seen_at::timestamp) FROM visits", "aggregate-type"),
        ("SELECT count(DISTINCT (minutes, visited_at - seen_at::timestamp)) FROM visits", "key-type"),
        ("SELECT count(DISTINCT *) FROM visits", "parse"),
        ("SELECT region, count(DISTINCT minutes) FROM visits GROUP BY ROLLUP (region)", "grouping-sets"),
        ("SELECT region, count(DISTINCT patient_id) FROM visits GROUP BY ROLLUP (region)", "grouping-sets"),
    ],
)
def test_what_is_no_count_of_single_values_is_refused(text: str, rule: str, catalog: Catalog) -> None:
    with pytest.raises(UnsupportedError) as refusal:
        plan(text, catalog)
    assert refusal.value.rule == rule
