"""Aggregates of noisy numbers, where noise has made these impossible: counts below one, variances below zero (decision 2).

What is shown stays possible, NULL is what Postgres makes NULL, and nothing is divided by zero.
"""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction

import numpy as np
import psycopg
import pytest

from proxy.dp.noise_widths import combined_width
from proxy.sql.planning.aggregates import statistic_noise
from proxy.sql.planning.aggregates.aggregate import End, Estimate, Shown, ShownInterval
from proxy.sql.planning.aggregates.regressions import Regression
from proxy.sql.planning.aggregates.statistic_noise import half_width, part_width
from proxy.sql.planning.aggregates.variances import Variance
from proxy.sql.planning.plan import BlockPlan
from tests.conftest import PostgresCluster
from tests.planned import plan_of
from tests.plans.schema import SCHEMA

pytestmark = pytest.mark.postgres

Number = Decimal | float | int | None


@pytest.fixture(scope="module")
def connection(postgres_cluster: PostgresCluster) -> Iterator[psycopg.Connection]:
    with psycopg.connect(postgres_cluster.create_database("formulas"), autocommit=True) as connected:
        yield connected


def _plan(call: str) -> BlockPlan:
    return plan_of(f"SELECT {call} FROM visits", SCHEMA)


def _evaluated(connection: psycopg.Connection, sql: str, released: tuple[str | None, ...] = ()) -> Number:
    columns = ", ".join(f"{value or 'NULL'}::numeric AS s{index}" for index, value in enumerate(released))
    source = f" FROM (SELECT {columns}) AS r" if released else ""
    row = connection.execute(f"SELECT {sql}{source}".encode()).fetchone()
    assert row is not None
    found: Number = row[0]
    return found


@pytest.mark.parametrize(
    ("call", "released", "shown"),
    [
        # Around the centre of [0, 1000]. Two standard deviations of the noisy number of rows are 632.5.
        ("avg(cost)", ("1000", "-100000"), 400),
        ("avg(cost)", ("633", "63300"), 600),
        ("avg(cost)", ("1000", "9000000"), 1000),
        ("avg(cost)", ("1000", "-9000000"), 0),
        ("avg(score)", ("1000", "9000000"), 1),
        ("avg(score)", ("1000", "-9000000"), -1),
        ("avg(cost)", ("632", "63200"), None),
        ("avg(cost)", ("-700", "100"), None),
        ("avg(cost)", ("1000", None), None),
        ("regr_count(cost, minutes)", ("-4",), 0),
        ("regr_count(cost, minutes)", ("4",), 4),
        # Rows, the sum, and the sum of squares around the centre; a variance is at most a quarter of 1000 squared. Two
        # standard deviations are 774.6 rows.
        ("var_pop(cost)", ("1000", "0", "25000"), 25),
        ("var_pop(cost)", ("775", "0", "77500"), 100),
        ("var_pop(cost)", ("774", "0", "77400"), None),
        ("var_pop(cost)", ("-5", "0", "100"), None),
        ("var_pop(cost)", ("1000", None, "100"), None),
        ("var_pop(cost)", ("1000", "0", "-100"), 0),
        ("var_pop(cost)", ("1000", "0", "9000000000"), 250_000),
        ("var_samp(cost)", ("1000", "0", "99900"), 100),
        ("var_samp(cost)", ("774", "0", "77300"), None),
        ("var_samp(cost)", ("1000", "0", "9000000000"), 500_000),
        ("stddev_pop(cost)", ("1000", "0", "-100"), 0),
        ("stddev(cost)", ("2", "0", "-100"), None),
    ],
)
def test_a_noisy_number_is_shown_as_something_that_is_possible(
    call: str, released: tuple[str | None, ...], shown: Number, connection: psycopg.Connection
) -> None:
    plan = _plan(call)
    (aggregate,) = plan.aggregates
    assert isinstance(aggregate, Estimate)
    assert len(plan.statistics) == len(released)
    assert _evaluated(connection, aggregate.sql(Shown(plan, "double precision")), released) == shown


@pytest.mark.parametrize(
    ("call", "released", "number"),
    [
        ("var_pop(cost)", ("1", "0", "100"), 100),
        ("var_pop(cost)", ("0", "0", "100"), None),
        ("var_samp(cost)", ("2", "0", "100"), 100),
        ("var_samp(cost)", ("1", "0", "100"), None),
    ],
)
def test_a_variance_of_few_rows_divides_by_nothing_that_is_zero(
    call: str, released: tuple[str, ...], number: Number, connection: psycopg.Connection
) -> None:
    """With hardly any noise few rows are enough."""
    (aggregate,) = _plan(call).aggregates
    assert isinstance(aggregate, Variance)
    formula = aggregate.formula(aggregate.function, lambda index: f"r.s{index}", bounded=True)
    assert _evaluated(connection, formula, released) == number


@pytest.mark.parametrize(
    "call",
    ["stddev(cost)", "var_pop(cost)", "avg(cost)", *(f"{name}(cost, minutes)" for name in Regression.names)],
)
def test_no_noise_is_told_of_where_rows_are_too_few_to_be_shown(call: str) -> None:
    plan = _plan(call)
    (aggregate,) = plan.aggregates
    assert isinstance(aggregate, Estimate)
    columns = [np.array([600.0, 100_000.0]), *(np.array([1.0, 1.0]) for _ in plan.statistics[1:])]
    few, enough = aggregate.drowned(plan, columns)
    assert few is None
    assert enough is not None


@pytest.mark.parametrize(
    ("call", "released", "shown"),
    [
        ("count(*)", "1e19", 2**63 - 1),
        ("count(*)", "-1e19", -(2**63)),
        ("count(*)", "-7", -7),
        ("sum(minutes)", "1e30", 2**63 - 1),
        ("sum(minutes)", None, None),
        ("regr_count(cost, minutes)", "1e19", 2**63 - 1),
    ],
)
def test_noise_beyond_a_bigint_is_its_end_and_no_error_after_the_charge(
    call: str, released: str | None, shown: Number, connection: psycopg.Connection
) -> None:
    plan = _plan(call)
    (aggregate,) = plan.aggregates
    assert _evaluated(connection, aggregate.sql(Shown(plan, "bigint")), (released,)) == shown


@pytest.mark.parametrize(
    ("function", "moments", "shown"),
    [
        # Sums of x, y, x², y² and xy around the centres.
        ("corr", "2 0 0 2 2 1", 0.5),
        ("corr", "2 0 0 2 2 9", 1),
        ("corr", "2 0 0 2 2 -9", -1),
        ("corr", "2 0 0 -2 2 1", None),
        ("corr", "2 0 0 2 0 1", None),
        ("regr_r2", "2 0 0 2 2 1", 0.25),
        ("regr_r2", "2 0 0 2 2 9", 1),
        ("regr_r2", "2 0 0 2 2 -9", 1),
        ("regr_r2", "2 0 0 2 0 1", 1),
        ("regr_r2", "2 0 0 0 2 1", None),
        ("regr_r2", "2 0 0 -2 -2 1", None),
        ("regr_r2", "0 0 0 2 2 1", None),
        ("covar_samp", "2 0 0 2 2 6", 6),
        ("covar_samp", "1 0 0 2 2 6", None),
        ("covar_pop", "1 0 0 2 2 6", 6),
        ("regr_slope", "2 0 0 -2 2 6", None),
        ("regr_sxx", "2 0 0 -2 2 6", 0),
        ("regr_syy", "2 0 0 2 -2 6", 0),
    ],
)
def test_a_regression_of_noisy_numbers_is_possible_too(
    function: str, moments: str, shown: Number, connection: psycopg.Connection
) -> None:
    plan = _plan(f"{function}(cost, minutes)")
    (aggregate,) = plan.aggregates
    assert isinstance(aggregate, Regression)
    formula = aggregate.formula(function, lambda index: f"r.s{index}", bounded=True)
    assert _evaluated(connection, f"({formula})", _released(plan, aggregate, moments)) == pytest.approx(shown)


def _released(plan: BlockPlan, aggregate: Regression, moments: str) -> tuple[str, ...]:
    """The numbers of a regression's statistics: of rows, and the sums around the centres."""
    values = dict(zip("n x y xx yy xy".split(), moments.split(), strict=True))
    by_index = {aggregate.statistics[0]: values["n"]}
    by_index |= {index: values[name] for name, index in aggregate._indexes.items()}
    return tuple(by_index[index] for index in range(len(plan.statistics)))


@pytest.mark.parametrize("function", Regression.names)
def test_a_regression_is_null_where_an_average_of_its_rows_is(function: str, connection: psycopg.Connection) -> None:
    plan = _plan(f"{function}(cost, minutes)")
    (aggregate,) = plan.aggregates
    assert isinstance(aggregate, Regression)
    few = int(statistic_noise.few(plan, aggregate.statistics[0]))
    assert few > 600
    sql = aggregate.sql(Shown(plan, "double precision"))
    shown = [
        _evaluated(connection, sql, _released(plan, aggregate, f"{rows} 5 5 1e7 1e7 1e6")) for rows in (few, few + 1)
    ]
    assert shown[0] is None
    assert shown[1] is not None


@pytest.mark.parametrize(
    ("low", "high", "ends"),
    [
        ("-0.5", "0.2", (0, 0.25)),
        ("-0.2", "0.5", (0, 0.25)),
        ("0.2", "0.5", (0.04, 0.25)),
        ("-0.5", "-0.2", (0.04, 0.25)),
    ],
)
def test_the_ends_of_a_square_are_those_of_every_number_between_the_ends(
    low: str, high: str, ends: tuple[float, float], connection: psycopg.Connection
) -> None:
    (aggregate,) = _plan("regr_r2(cost, minutes)").aggregates
    assert isinstance(aggregate, Regression)
    correlation = [f"({end})::double precision" for end in (low, high)]
    found = [_evaluated(connection, aggregate.end_from_base(end, *correlation)) for end in ("low", "high")]
    assert found == pytest.approx(ends)


@pytest.mark.parametrize(
    ("call", "released", "end", "limit"),
    [
        ("var_pop(cost)", ("100000", "0", "25000000000"), "high", 250_000),
        ("var_pop(cost)", ("100000", "0", "0"), "low", 0),
        ("var_pop(cost)", ("1", "0", "0"), "high", 250_000),
        ("var_pop(cost)", ("1", "0", "0"), "low", 0),
    ],
)
def test_the_ends_of_an_interval_are_possible(
    call: str, released: tuple[str, ...], end: End, limit: int, connection: psycopg.Connection
) -> None:
    plan = _plan(call)
    (aggregate,) = plan.aggregates
    assert isinstance(aggregate, Estimate)
    sql = aggregate.interval(ShownInterval(plan, "double precision", end, Fraction(95, 100), []))
    assert isinstance(sql, str)
    assert _evaluated(connection, sql, released) == limit


@pytest.mark.parametrize(
    ("calls", "type_name", "centre"),
    [("count(*)", "bigint", 0), ("sum(cost)", "numeric", 0), ("sum(minutes), avg(minutes)", "bigint", 120)],
)
def test_the_ends_of_a_count_or_sum_are_its_noise_away_and_rounded_outward(
    calls: str, type_name: str, centre: int
) -> None:
    plan = _plan(calls)
    aggregate = plan.aggregates[0]
    assert isinstance(aggregate, Estimate)
    columns = [[Fraction(1001 + index), None] for index in range(len(plan.statistics))]
    main = aggregate.statistics[0] if calls == "count(*)" else aggregate.sums[0]
    number, step = Fraction(1001 + main), plan.statistics[main].step
    width = Fraction(int(half_width(plan, main, Fraction(95, 100)) + Fraction(1, 2))) * step
    if centre:
        assert aggregate.rows is not None
        number += centre * Fraction(1001 + aggregate.rows)
        parts = [part_width(plan, index, Fraction(95, 100)) for index in (main, aggregate.rows)]
        width = Fraction(float(combined_width("gaussian", 0.95, parts[0], parts[1] * centre)))

    def ends(end: End) -> list[str]:
        return list(aggregate.interval(ShownInterval(plan, type_name, end, Fraction(95, 100), columns)))

    (low, missing), (high, _) = ends("low"), ends("high")
    assert missing == "NULL"
    assert number - width - step < Fraction(low) <= number - width
    assert number + width <= Fraction(high) < number + width + step


def _deviation_of_average(rows: int, total: int) -> float:
    plan = _plan("avg(cost)")
    (aggregate,) = plan.aggregates
    assert isinstance(aggregate, Estimate)
    columns = [[Fraction(rows)], [Fraction(total)]]
    return float(aggregate.interval(ShownInterval(plan, "numeric", "stddev", Fraction(95, 100), columns))[0])


def test_the_deviation_of_an_average_is_that_of_one_inside_its_bounds() -> None:
    """The noise's own deviations are 316.228 rows, and 158,114 around the centre of [0, 1000]."""
    assert _deviation_of_average(100_000, 0) == pytest.approx(1.58114, rel=1e-3)
    for beyond in (10**9, -(10**9)):
        assert _deviation_of_average(100_000, beyond) == pytest.approx(1.58114 * 2**0.5, rel=1e-3)
    for rows in (-3, 0, 1):
        assert _deviation_of_average(rows, 0) == 500


def test_one_of_two_noises_is_as_wide_as_it_is_and_as_it_is_shown() -> None:
    plan = _plan("avg(cost)")
    for percent in range(50, 100):
        confidence = Fraction(percent, 100)
        exact = half_width(plan, 0, confidence)
        assert part_width(plan, 0, confidence) == float(max(exact, Fraction(int(exact + Fraction(1, 2)))))


def test_a_sum_finds_the_count_of_its_rows_before_it_and_after_it() -> None:
    for calls in ("sum(minutes), count(minutes)", "count(minutes), sum(minutes)"):
        plan = _plan(calls)
        (total,) = [aggregate for aggregate in plan.aggregates if aggregate.function == "sum"]
        (counted,) = [aggregate for aggregate in plan.aggregates if aggregate.function == "count"]
        assert total.rows is not None
        assert total.rows == counted.rows
    (alone,) = _plan("sum(minutes)").aggregates
    assert alone.rows is None
