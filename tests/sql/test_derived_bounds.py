"""What the values of a subquery in FROM are bounded by: of one unit's rows, and of constants that the text writes out."""

from __future__ import annotations

from fractions import Fraction

import pytest
from sqlglot import exp

from proxy.policy.catalog import Catalog
from proxy.policy.model import Policy
from proxy.sql.dialect import parse
from proxy.sql.planning.statistic import GridSum
from proxy.sql.rows.constant_rows import promised_numbers
from tests.end_to_end import clinic
from tests.sql.test_planning import catalog, plan

__all__ = ["catalog"]


def _with_minutes(low: str, high: str) -> Policy:
    visits: dict[str, dict[str, object]] = clinic.POLICY["tables"]["public.visits"]  # type: ignore[index]
    return clinic.policy(visits={"columns": visits["columns"] | {"minutes": {"bounds": [low, high]}}})


def _limits(text: str, catalog: Catalog, policy: Policy | None = None) -> tuple[float, float]:
    """The bounds that the only sum of a block is clamped to."""
    (total,) = [one for one in plan(text, catalog, policy).statistics if isinstance(one, GridSum)]
    return float(total.grid.low * total.grid.step), float(total.grid.high * total.grid.step)


@pytest.mark.parametrize(
    ("low", "high", "limits"),
    [("0", "240", (0, 4800)), ("5", "240", (5, 4800)), ("-240", "-5", (-4800, -5)), ("-3", "4", (-60, 80))],
)
def test_a_units_sum_is_between_that_of_one_row_and_that_of_all(
    low: str, high: str, limits: tuple[int, int], catalog: Catalog
) -> None:
    text = "SELECT sum(s) FROM (SELECT patient_id, sum(minutes) AS s FROM visits GROUP BY patient_id) AS x"
    assert _limits(text, catalog, _with_minutes(low, high)) == limits


def test_a_units_average_has_the_bounds_of_its_values(catalog: Catalog) -> None:
    text = "SELECT sum(a) FROM (SELECT patient_id, avg(minutes) AS a FROM visits GROUP BY patient_id) AS x"
    assert _limits(text, catalog, _with_minutes("5", "240")) == (5, 240)


@pytest.mark.parametrize(
    ("aggregate", "limits"),
    [
        ("var_pop(minutes)", (0, 10_000)),
        ("variance(minutes)", (0, 20_000)),
        ("stddev_pop(minutes)", (0, 100)),
        ("stddev(minutes)", (0, 141.422)),
        ("percentile_cont(0.9) WITHIN GROUP (ORDER BY minutes)", (40, 240)),
        ("percentile_disc(0.9) WITHIN GROUP (ORDER BY minutes)", (40, 240)),
        ("mode() WITHIN GROUP (ORDER BY minutes)", (40, 240)),
    ],
)
def test_the_bounds_of_a_units_statistics_follow_from_those_of_its_values(
    aggregate: str, limits: tuple[float, float], catalog: Catalog
) -> None:
    text = f"SELECT sum(a) FROM (SELECT patient_id, {aggregate} AS a FROM visits GROUP BY patient_id) AS x"
    assert _limits(text, catalog, _with_minutes("40", "240")) == pytest.approx(limits, abs=0.01)


def test_a_units_rows_are_numbered_up_to_as_many_as_it_may_have(catalog: Catalog) -> None:
    text = (
        "SELECT sum(n) FROM (SELECT row_number() OVER (PARTITION BY patient_id ORDER BY visited_at) AS n FROM visits) x"
    )
    assert _limits(text, catalog) == (1, 20)


def _query(text: str) -> exp.Query:
    query = parse(text)
    assert isinstance(query, exp.Query)
    return query


@pytest.mark.parametrize(
    ("text", "low", "high", "grid"),
    [
        ("SELECT 3 UNION ALL SELECT 1 UNION ALL SELECT 2", "1", "3", "1"),
        ("SELECT -1.25 UNION ALL SELECT 7.5", "-1.25", "7.5", "0.01"),
        ("SELECT * FROM (VALUES (10), (-4), (6)) AS v", "-4", "10", "1"),
        ("SELECT * FROM generate_series(1, 9) AS g", "1", "9", "1"),
        ("SELECT * FROM generate_series(9, 1, -2) AS g", "1", "9", "1"),
    ],
)
def test_constants_are_bounded_by_the_least_and_the_greatest(text: str, low: str, high: str, grid: str) -> None:
    numbers = promised_numbers(_query(text), 0)
    assert numbers is not None
    assert (numbers.bounds.low, numbers.bounds.high) == (Fraction(low), Fraction(high))
    assert numbers.grid == Fraction(grid)


@pytest.mark.parametrize(
    "text", ["SELECT 3 UNION ALL SELECT 'x'", "SELECT 3 UNION ALL SELECT NULL", "SELECT a FROM (VALUES (1)) AS v (a)"]
)
def test_what_is_not_written_out_as_numbers_has_no_bounds(text: str) -> None:
    assert promised_numbers(_query(text), 0) is None
