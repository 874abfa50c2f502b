"""Planning takes work that grows with the text, not with what the text could be written out as: whoever can ask EXPLAIN
for free could otherwise keep a proxy busy, or fill its memory, with a statement of one kilobyte."""

from __future__ import annotations

import sys
from types import FrameType

import pytest
from sqlglot import exp

from proxy.errors import UnsupportedError
from proxy.policy.catalog import Catalog
from proxy.sql.planning.effort import MOST_WRITTEN_OUT, Effort
from tests.sql.test_planning import catalog, plan

__all__ = ["catalog"]


def nested(select: str, table: str, levels: int) -> str:
    """A table below so many subqueries."""
    for level in range(levels):
        table = f"({select} FROM {table} t{level})"
    return table


def calls(text: str, catalog: Catalog) -> int:
    """How many functions are called to plan a query."""
    found = 0

    def count(_: FrameType, event: str, __: object) -> None:
        nonlocal found
        found += event == "call"

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        plan(text, catalog)
    finally:
        sys.setprofile(before)
    return found


def joined(count: int) -> str:
    outer = "".join(f" LEFT JOIN visits o{i} ON o{i}.visit_id = v.visit_id" for i in range(6))
    inner = "".join(f" JOIN patients p{i} ON p{i}.patient_id = v.patient_id" for i in range(count))
    return f"SELECT count(*) FROM visits v{outer}{inner} JOIN visits w ON w.patient_id = v.patient_id"


def test_twice_as_many_joins_take_no_more_than_six_times_the_work(catalog: Catalog) -> None:
    """Every member is a root to start from, so the work is quadratic at best; it was of the fourth power."""
    assert calls(joined(24), catalog) < 6 * calls(joined(12), catalog)


LISTED = "SELECT visit_id, patient_id, visited_at, region, cost, minutes"

CHAINS = {
    "of listed columns": (LISTED, "visits", "SELECT region, sum(cost) FROM {} x GROUP BY region"),
    "of distinct rows": (
        "SELECT DISTINCT patient_id, region, cost",
        "visits",
        "SELECT region, sum(cost) FROM {} x GROUP BY region",
    ),
    "of one unit's groups": (
        "SELECT patient_id, region, max(cost) AS cost",
        "visits",
        "SELECT region, sum(cost) FROM {} x GROUP BY region",
    ),
    "of public rows": (
        "SELECT name, zone",
        "regions",
        "SELECT r.zone, count(*) FROM visits v JOIN {} r ON r.name = v.region GROUP BY r.zone",
    ),
    "of released rows": (
        "SELECT region, n",
        "(SELECT region, count(*) AS n FROM visits GROUP BY region)",
        "SELECT region, sum(n) FROM {} x GROUP BY region",
    ),
    "where rows exist": (LISTED, "visits", "SELECT count(*) FROM patients p WHERE EXISTS (SELECT 1 FROM {} x WHERE "
                                           "x.patient_id = p.patient_id)"),
}  # fmt: skip


@pytest.mark.parametrize("chain", CHAINS)
def test_twice_as_many_subqueries_take_no_more_than_six_times_the_work(chain: str, catalog: Catalog) -> None:
    """Models of dbt are chains of CTEs that list their columns: each level did the work of all below it several times."""
    select, table, text = CHAINS[chain]
    grouped = " GROUP BY patient_id, region" if "max(" in select else ""

    def chained(levels: int) -> str:
        found = f"{table} t" if table.startswith("(") else table
        for level in range(levels):
            found = f"({select} FROM {found}{grouped}) t{level}"
        return text.format(found.rpartition(" ")[0])

    assert calls(chained(12), catalog) < 6 * calls(chained(6), catalog)


def test_what_is_known_of_products_grows_with_their_factors(catalog: Catalog) -> None:
    """Each CASE may have two values: all products of 20 of them were a million."""

    def product(factors: int) -> str:
        cases = (f"CASE WHEN r.population = 1 THEN {2 * n + 3} ELSE {2 * n + 4} END" for n in range(factors))
        return (
            f"SELECT r.name, sum(minutes * {' * '.join(cases)}) FROM regions r LEFT JOIN visits v ON v.region = r.name "
            "GROUP BY r.name"
        )

    assert calls(product(8), catalog) < 6 * calls(product(4), catalog)


def test_the_limits_of_dates_grow_with_the_number_of_conditions_on_them(catalog: Catalog) -> None:
    def domain(levels: int) -> str:
        table = "visits"
        for level in range(levels):
            table = f"(SELECT * FROM {table} t WHERE visited_at BETWEEN '2024-02-{level + 1:02}' AND '2025-02-{level + 1:02}')"
        found = plan(f"SELECT date_trunc('month', visited_at), count(*) FROM {table} x GROUP BY 1", catalog).domain
        assert found is not None
        return found.sql

    assert len(domain(20)) < 3 * len(domain(10))


def test_a_key_that_doubles_with_every_subquery_is_refused(catalog: Catalog) -> None:
    table = nested("SELECT birth_year * 2 - birth_year AS birth_year", "patients", 10)
    with pytest.raises(UnsupportedError) as refusal:
        plan(f"SELECT birth_year, count(*) FROM {table} x GROUP BY 1", catalog)
    assert (refusal.value.rule, refusal.value.sqlstate) == ("row-work", "0A000")


def test_a_condition_that_doubles_with_every_subquery_is_refused(catalog: Catalog) -> None:
    table = nested("SELECT patient_id, urgent = urgent AS urgent", "visits", 10)
    with pytest.raises(UnsupportedError) as refusal:
        plan(f"SELECT urgent, count(*) FROM {table} x GROUP BY 1", catalog)
    assert (refusal.value.rule, refusal.value.sqlstate) == ("expression-size", "0A000")


def test_a_sum_beyond_floats_is_refused(catalog: Catalog) -> None:
    with pytest.raises(UnsupportedError) as refusal:
        plan(f"SELECT sum(height) FROM {nested('SELECT height * height AS height', 'patients', 7)} x", catalog)
    assert (refusal.value.rule, refusal.value.sqlstate) == ("magnitude", "0A000")


def test_definitions_are_written_out_up_to_a_limit_over_the_whole_block() -> None:
    effort, definition = Effort(), exp.column("a")
    nodes = sum(1 for _ in definition.walk())
    for _ in range(MOST_WRITTEN_OUT // nodes):
        effort.write_out(definition)
    with pytest.raises(UnsupportedError) as refusal:
        effort.write_out(definition)
    assert (refusal.value.rule, refusal.value.sqlstate) == ("expression-size", "0A000")


def test_windows_that_are_written_out_for_each_of_their_calls_are_refused(catalog: Catalog) -> None:
    ranks = ", ".join(f"rank() OVER w AS a{number}" for number in range(100))
    order = ", ".join(f"cost + {number}" for number in range(100))
    rows = f"SELECT {ranks} FROM visits WINDOW w AS (PARTITION BY patient_id ORDER BY {order})"
    with pytest.raises(UnsupportedError) as refusal:
        plan(f"SELECT count(*) FROM ({rows}) AS x", catalog)
    assert (refusal.value.rule, refusal.value.sqlstate) == ("expression-size", "0A000")


def test_windows_that_are_made_of_one_another_are_refused(catalog: Catalog) -> None:
    order = ", ".join(f"cost + {number}" for number in range(50))
    windows = ", ".join(f"w{number} AS (w{number - 1})" for number in range(1, 200))
    rows = (
        f"SELECT rank() OVER w199 AS a FROM visits WINDOW w0 AS (PARTITION BY patient_id ORDER BY {order}), {windows}"
    )
    with pytest.raises(UnsupportedError) as refusal:
        plan(f"SELECT count(*) FROM ({rows}) AS x", catalog)
    assert (refusal.value.rule, refusal.value.sqlstate) == ("expression-size", "0A000")


def test_a_hundred_intervals_of_expressions_are_the_most(catalog: Catalog) -> None:
    def intervals(count: int) -> str:
        return f"SELECT {', '.join(f'dp.low(count(*) + {number})' for number in range(count))} FROM visits"

    assert len(plan(intervals(100), catalog).intervals) == 100
    with pytest.raises(UnsupportedError) as refusal:
        plan(intervals(101), catalog)
    assert (refusal.value.rule, refusal.value.sqlstate) == ("noise-interval-expression", "0A000")


def test_a_hundred_columns_with_draws_are_the_most_of_a_block(catalog: Catalog) -> None:
    def shown(count: int) -> str:
        columns = ", ".join(f"sum(cost + {number}) AS c{number}" for number in range(count))
        total = " + ".join(f"c{number}" for number in range(count))
        return f"SELECT dp.low({total}) FROM (SELECT {columns} FROM visits) AS t"

    assert len(plan(shown(100), catalog).intervals) == 100
    with pytest.raises(UnsupportedError) as refusal:
        plan(shown(101), catalog)
    assert (refusal.value.rule, refusal.value.sqlstate) == ("noise-interval-expression", "0A000")


def test_stars_beside_intervals_stand_for_a_limited_number_of_columns(catalog: Catalog) -> None:
    columns = ", ".join(f"{number} AS c{number}" for number in range(500))
    ctes = ", ".join(f"t{level} AS (SELECT * FROM t{level - 1})" for level in range(1, 30))
    with pytest.raises(UnsupportedError) as refusal:
        plan(f"WITH t0 AS (SELECT count(*) AS n, {columns} FROM visits), {ctes} SELECT dp.low(n) FROM t29", catalog)
    assert (refusal.value.rule, refusal.value.sqlstate) == ("noise-interval", "0A000")


def test_intervals_around_many_queries_are_written_in_time_that_grows_with_them(catalog: Catalog) -> None:
    def nested(levels: int) -> str:
        rows = "SELECT count(*) AS n FROM visits"
        for level in range(levels):
            rows = f"SELECT *, n + {level} AS m{level} FROM ({rows}) AS t{level}"
        return f"SELECT dp.low(n), dp.high(m{levels - 1}) FROM ({rows}) AS t"

    assert calls(nested(40), catalog) < 4 * calls(nested(20), catalog)


def test_a_long_key_is_compiled_in_time_that_grows_with_it(catalog: Catalog) -> None:
    def grouped(additions: int) -> str:
        return f"SELECT floor(cost{' + 1' * additions}), count(*) FROM visits GROUP BY 1"

    assert calls(grouped(120), catalog) < 3 * calls(grouped(40), catalog)
