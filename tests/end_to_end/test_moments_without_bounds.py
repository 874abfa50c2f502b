"""Variances, correlations and regressions of values that nobody bounds, as counts of a unit's rows: with a huge epsilon
they are Postgres's own, and of each sum that they are made of a unit's own says how much counts (theorem 22)."""

from __future__ import annotations

import math
from collections.abc import Iterator

import psycopg
import pytest

from tests.end_to_end import clinic
from tests.end_to_end.comparing import Connections, client_and_source
from tests.end_to_end.conftest import StartProxy
from tests.end_to_end.running import RunningProxy
from tests.end_to_end.test_moments import ONE, TWO
from tests.end_to_end.test_session_settings import plan_of

_EACH = "SELECT patient_id, count(*) AS n, sum(cost) AS total, sum(score) AS points FROM visits GROUP BY patient_id"
_ALL = (
    "SELECT p.patient_id, sex, birth_year, n, total, points FROM patients p LEFT JOIN "
    f"({_EACH}) AS each USING (patient_id)"
)


def _all(names: tuple[str, ...], arguments: str, rows: str) -> str:
    return f"SELECT {', '.join(f'{name}({arguments})' for name in names)} FROM ({rows}) AS r"


QUERIES = {
    "counts": _all(ONE, "n", _EACH),
    "sums": _all(ONE, "total", _EACH),
    "sums of doubles": _all(ONE, "points", _EACH),
    "counts and sums": _all(TWO, "total, n", _EACH),
    "sums and counts": _all(TWO, "n, points", _EACH),
    "with bounds and without": _all(TWO, "birth_year, n", _ALL),
    "without bounds and with": _all(TWO, "total, birth_year", _ALL),
    "rows of units without bounds": "SELECT stddev(visit_id), corr(visit_id, minutes) FROM visits",
    "by group": f"SELECT sex, stddev(n), avg(n), count(n), corr(n, total) FROM ({_ALL}) AS r GROUP BY sex ORDER BY sex",
    "with a filter": f"SELECT stddev(n) FILTER (WHERE n > 3), corr(n, total) FILTER (WHERE n < 20) FROM ({_EACH}) AS r",
    "of expressions": f"SELECT variance(2 * n - 7), stddev(coalesce(n, 0)), regr_slope(total / n, n) FROM ({_ALL}) AS r",
    "beside other numbers": f"SELECT avg(n) / stddev(n), stddev(n) / sqrt(count(*)) FROM ({_EACH}) AS r",
    "of no rows": f"SELECT stddev(n), corr(n, total), regr_count(n, total) FROM ({_EACH}) AS r WHERE n < 0",
}


@pytest.fixture(scope="module")
def connections(proxies: StartProxy) -> Iterator[Connections]:
    with client_and_source(proxies(clinic.exact_policy(chooses=True))) as both:
        yield both


@pytest.mark.parametrize("query", QUERIES.values(), ids=QUERIES)
def test_moments_without_bounds_equal_postgres(query: str, connections: Connections) -> None:
    rows, expected = (connection.execute(query.encode()) for connection in connections)
    assert [column.type_code for column in rows.description or ()] == [
        column.type_code for column in expected.description or ()
    ]
    for row, wanted in zip(rows.fetchall(), expected.fetchall(), strict=True):
        for number, exact in zip(row, wanted, strict=True):
            if number is None or isinstance(number, str):
                assert number == exact
            else:
                assert math.isclose(number, exact, rel_tol=1e-6), (number, exact)


@pytest.fixture(scope="module")
def ordinary_proxy(proxies: StartProxy) -> RunningProxy:
    plenty = clinic.PLENTY | {"contribution": {}, "query": {"epsilon": "1", "max_epsilon": "8", "delta": "1e-9"}}
    return proxies(clinic.policy(visits=plenty, patients=plenty))


@pytest.fixture
def ordinary(ordinary_proxy: RunningProxy) -> Iterator[psycopg.Connection]:
    with ordinary_proxy.connect() as client:
        yield client


def test_of_each_sum_a_units_own_says_how_much_counts(ordinary: psycopg.Connection) -> None:
    """Scaled down by the number of rows alone, a unit with one row would add as much as its value is large."""
    plan = plan_of(ordinary, f"SELECT stddev(n), corr(n, total) FROM ({_EACH}) AS r")
    for name in ("stddev(n)", "squares in stddev(n)", "X in corr(n, total)", "products in corr(n, total)"):
        assert f"times the limit of their own {name}" in plan
    # The sums of n and of its square are those of the deviation.
    assert "squares of X in corr(n, total)" in plan


def test_a_correlation_of_units_is_about_the_exact_one(ordinary: psycopg.Connection) -> None:
    ordinary.execute("SET dp.epsilon = 8")
    ((number, deviation),) = ordinary.execute(f"SELECT corr(n, total), stddev(n) FROM ({_EACH}) AS r").fetchall()
    assert 0.8 < number <= 1
    assert 5 < float(deviation) < 11


def test_with_rows_that_the_policy_states_values_of_several_rows_need_bounds(ordinary: psycopg.Connection) -> None:
    ordinary.execute("SET dp.max_rows = 7")
    for call in ("stddev(visit_id)", "corr(visit_id, minutes)", "regr_slope(minutes, visit_id)"):
        with pytest.raises(psycopg.errors.InsufficientPrivilege, match="requires bounds, but visit_id has none"):
            ordinary.execute(f"SELECT {call} FROM visits".encode())


def test_pairs_are_counted_whatever_their_bounds(ordinary: psycopg.Connection) -> None:
    ordinary.execute("SET dp.max_rows = 150")
    ((pairs,),) = ordinary.execute("SELECT regr_count(visit_id, minutes) FROM visits").fetchall()
    assert 8000 < pairs < 14000


def test_a_deviation_warns_unless_hardly_anything_of_the_units_with_most_is_cut(ordinary: psycopg.Connection) -> None:
    """Of 1 029 patients one has 150 visits, whose square is a tenth of the sum of all: a count of units cannot tell."""
    told = []
    ordinary.add_notice_handler(lambda notice: told.append((notice.severity, notice.message_hint)))
    ordinary.execute("SET dp.recall = off")
    for _ in range(3):
        ordinary.execute(f"SELECT stddev(n) FROM ({_EACH}) AS r")
    assert (
        told == [("WARNING", "The price decides how much of a unit counts: SET dp.epsilon to more for more of it.")] * 3
    )
