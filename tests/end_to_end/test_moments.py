"""Variances, covariances, correlations and regressions: with a huge epsilon, Postgres's own."""

from __future__ import annotations

import math
from collections.abc import Iterator
from decimal import Decimal

import psycopg
import pytest

from proxy.sql.planning.aggregates.regressions import PairCount, Regression
from proxy.sql.planning.aggregates.variances import Variance
from tests.end_to_end.running import RunningProxy

ONE = Variance.names
TWO = Regression.names + PairCount.names


def _all(names: tuple[str, ...], arguments: str, rest: str = "") -> str:
    return f"SELECT {', '.join(f'{name}({arguments})' for name in names)} FROM visits {rest}"


QUERIES = {
    "of a numeric": _all(ONE, "cost"),
    "of an integer": _all(ONE, "minutes"),
    "of a float": _all(ONE, "score"),
    "of a real": _all(ONE, "ratio"),
    "by group": "SELECT region, stddev(cost), avg(cost), sum(cost), count(cost) FROM visits GROUP BY region",
    "unique unit": "SELECT sex, stddev_pop(height), var_samp(birth_year) FROM patients GROUP BY sex",
    "with a filter": "SELECT stddev(cost) FILTER (WHERE urgent), var_pop(cost * 2 + 1), stddev(minutes % 7) FROM visits",
    "of expressions": "SELECT variance(CASE WHEN urgent THEN cost ELSE 0 END), stddev(coalesce(minutes, 0)) FROM visits",
    "two integers": _all(TWO, "minutes, minutes % 7"),
    "numeric and integer": _all(TWO, "cost, minutes"),
    "float and numeric": _all(TWO, "score, cost", "WHERE urgent"),
    "two values by group": "SELECT specialty_id, corr(cost, minutes), regr_count(cost, minutes) FROM visits GROUP BY 1",
    "totals": "SELECT region, urgent, stddev_samp(cost), regr_slope(cost, minutes) FROM visits GROUP BY ROLLUP (region, urgent)",
    "of what is constant": "SELECT corr(cost, d), regr_r2(d, minutes), regr_slope(minutes, d) FROM (SELECT *, 1 AS d FROM visits) x",
    "of no rows": "SELECT stddev(cost), corr(cost, minutes), regr_count(cost, minutes) FROM visits WHERE cost < 0",
    "of one row": "SELECT var_pop(cost), var_samp(cost), covar_samp(cost, minutes) FROM visits WHERE visit_id = 37",
    "having": "SELECT region FROM visits GROUP BY region HAVING stddev(cost) > 1 ORDER BY variance(minutes)",
    "per person": "SELECT stddev(n), corr(n, total) FROM (SELECT patient_id, count(*) AS n, sum(minutes) AS total FROM visits GROUP BY 1) x",
}


@pytest.fixture(scope="module")
def connections(exact_proxy: RunningProxy) -> Iterator[tuple[psycopg.Connection, psycopg.Connection]]:
    """A client of the proxy, and one of the source itself."""
    with exact_proxy.connect() as client, psycopg.connect(exact_proxy.options.source_dsn, autocommit=True) as source:
        client.execute("SET dp.empty_groups = 'hide'")
        yield client, source


@pytest.mark.parametrize("query", QUERIES.values(), ids=QUERIES.keys())
def test_moments_equal_postgres(query: str, connections: tuple[psycopg.Connection, psycopg.Connection]) -> None:
    client, source = connections
    expected, answered = source.execute(query.encode()), client.execute(query.encode())
    assert [(c.name, c.type_code) for c in answered.description or ()] == [
        (c.name, c.type_code) for c in expected.description or ()
    ]
    rows, wanted = (cursor.fetchall() for cursor in (answered, expected))
    if "ORDER BY" not in query:
        rows, wanted = sorted(rows, key=repr), sorted(wanted, key=repr)
    assert len(rows) == len(wanted)
    for row, other in zip(rows, wanted, strict=True):
        for value, known in zip(row, other, strict=True):
            if isinstance(known, (float, Decimal)):
                # Binary floats and square roots round in their own ways.
                assert value is not None, (row, other)
                assert math.isclose(value, known, rel_tol=1e-6, abs_tol=1e-9), (row, other)
            else:
                assert value == known, (row, other)


def test_aggregates_of_one_column_share_their_noisy_numbers(exact_proxy: RunningProxy) -> None:
    question = "EXPLAIN SELECT stddev(cost), variance(cost), avg(cost), count(cost), sum(cost) FROM visits"
    with exact_proxy.connect() as client:
        plan = [row[0] for row in client.execute(question.encode())]
    assert len([line for line in plan if line.strip().startswith("Noisy number")]) == 3


def test_moment_without_bounds_is_refused(exact_proxy: RunningProxy) -> None:
    with exact_proxy.connect() as client, pytest.raises(psycopg.errors.InsufficientPrivilege, match="requires bounds"):
        client.execute("SELECT corr(cost, visit_id) FROM visits")
