"""Whether private rows exist is decided by a noisy number of units; that a table has rows is public."""

from __future__ import annotations

import re
from collections.abc import Iterator

import psycopg
import pytest

from tests.end_to_end import clinic
from tests.end_to_end.comparing import Connections, assert_same_answer, client_and_source
from tests.end_to_end.conftest import StartProxy
from tests.end_to_end.running import RunningProxy

QUERIES = {
    "exists": "SELECT EXISTS (SELECT 1 FROM visits WHERE cost > 400)",
    "no such row": "SELECT EXISTS (SELECT * FROM visits WHERE minutes > 230 AND minutes < 20)",
    "Django": 'SELECT (1) AS "a" FROM "visits" WHERE "visits"."region" = \'north\' LIMIT 1',
    "Rails": "SELECT 1 AS one FROM visits WHERE region = 'nowhere' LIMIT 1",
    "in order": "SELECT true FROM visits WHERE urgent ORDER BY cost DESC FETCH FIRST ROW ONLY",
    "Great Expectations": "SELECT 1 FROM visits LIMIT 1",
    "the whole table": "SELECT EXISTS (SELECT visit_id FROM visits), NOT EXISTS (SELECT FROM patients)",
    "in CASE": "SELECT CASE WHEN NOT EXISTS (SELECT FROM patients WHERE birth_year < 1800) THEN 'none' ELSE 'some' END",
    "joined": "SELECT EXISTS (SELECT FROM visits v JOIN patients p USING (patient_id) WHERE smoker AND urgent)",
    "IN": "SELECT name FROM regions r WHERE r.name IN (SELECT region FROM visits WHERE minutes > 30)",
    "IN of nothing": "SELECT name FROM regions WHERE name IN (SELECT region FROM visits WHERE minutes > 300)",
    "IN beside other conditions": "SELECT name, zone FROM regions WHERE zone IS NOT NULL AND (name IN (SELECT v.region "
    "FROM visits v JOIN patients p USING (patient_id) WHERE p.smoker) OR population > 3000)",
    "IN over released rows": "SELECT region, n FROM (SELECT region, count(*) AS n FROM patients GROUP BY 1) AS t "
    "WHERE region IN (SELECT region FROM visits WHERE cost > 200)",
    "IN of numbers": "SELECT title FROM specialties WHERE specialty_id IN (SELECT specialty_id FROM visits WHERE urgent)",
    "with DISTINCT": "SELECT EXISTS (SELECT DISTINCT region FROM visits WHERE urgent LIMIT 1)",
    "in WHERE": "SELECT name FROM regions WHERE EXISTS (SELECT FROM visits WHERE minutes > 60)",
    "by key": "SELECT name, EXISTS (SELECT FROM visits v WHERE v.region = r.name AND urgent) FROM regions r",
    "not by key": "SELECT name FROM regions r WHERE NOT EXISTS (SELECT FROM visits v WHERE v.region = r.name)",
    "beside groups": "SELECT region, count(*), EXISTS (SELECT FROM patients WHERE smoker) FROM visits GROUP BY region",
    "in HAVING": "SELECT region, count(*) FROM visits GROUP BY region HAVING NOT EXISTS (SELECT FROM patients WHERE height < 0)",
    "over a condition of groups": "SELECT region, count(*), bool_or(true), bool_or(true) FILTER (WHERE minutes > 9) "
    "FROM visits GROUP BY region",
}


@pytest.fixture(scope="module", params=["exact_proxy", "choosing_proxy"], ids=["fixed", "chosen"])
def exact(request: pytest.FixtureRequest) -> Iterator[Connections]:
    with client_and_source(request.getfixturevalue(request.param)) as both:
        yield both


@pytest.mark.parametrize("query", QUERIES.values(), ids=QUERIES.keys())
def test_answer_equals_postgres(query: str, exact: Connections) -> None:
    assert_same_answer(query, exact)


def _explained(proxy: RunningProxy, query: str) -> str:
    with proxy.connect() as client:
        return "\n".join(row[0] for row in client.execute(f"EXPLAIN {query}".encode()).fetchall())


@pytest.mark.parametrize(
    ("query", "counted"),
    [
        ("SELECT EXISTS (SELECT FROM visits WHERE cost > 400)", "units"),
        ("SELECT 1 FROM visits WHERE cost > 400 LIMIT 1", "units"),
        ("SELECT EXISTS (SELECT FROM patients WHERE smoker)", "rows"),
    ],
)
def test_explain_shows_threshold_and_price(proxy: RunningProxy, query: str, counted: str) -> None:
    text = _explained(proxy, query)
    assert f"Noisy number 1: {counted}; standard deviation" in text
    assert "true if that is above" in text
    assert "Price: " in text


def test_explain_where_the_data_choose_what_counts(choosing_proxy: RunningProxy) -> None:
    """A unit counts once in the whole table, but how many of its rows count is not known yet."""
    limited = _explained(choosing_proxy, "SELECT bool_or(urgent) FROM visits")
    assert "true if that is above what noise alone hardly ever reaches" in limited
    known = _explained(choosing_proxy, "SELECT EXISTS (SELECT FROM visits WHERE urgent)")
    assert re.search(r"true if that is above \d+; false of no rows\n", known)
    assert "Contribution: each unit counts once; no unit is scaled down" in known


@pytest.mark.parametrize(
    "query",
    [
        "SELECT 1 FROM visits LIMIT 1",
        "SELECT EXISTS (SELECT cost FROM visits)",
        "SELECT 1 AS a FROM public.visits v LIMIT 1",
    ],
)
def test_that_a_table_has_rows_is_free(proxy: RunningProxy, query: str) -> None:
    assert _explained(proxy, query) == "Reads no private rows; free"


@pytest.mark.parametrize(
    "query",
    [
        "SELECT 1 FROM visits",
        "SELECT 1 FROM visits LIMIT 2",
        "SELECT 1 FROM visits LIMIT 1 OFFSET 1",
        "SELECT 1, region FROM visits LIMIT 1",
        "SELECT (SELECT region) FROM visits LIMIT 1",
    ],
)
def test_rows_are_refused(proxy: RunningProxy, query: str) -> None:
    with proxy.connect() as client, pytest.raises(psycopg.errors.InsufficientPrivilege, match="would return rows"):
        client.execute(query.encode())


def test_the_rows_of_one_unit_do_not_decide(proxies: StartProxy) -> None:
    """With no row the answer is true in 2.5 % of all cases at most, and one unit moves the noisy number by one."""
    proxy = proxies(clinic.policy(visits={"budget": {"epsilon": "1000", "delta": "0.1"}, "per_analyst": None}))
    with proxy.connect() as client:
        client.execute("SET dp.epsilon = 0.1")
        queries = [f"SELECT EXISTS (SELECT FROM visits WHERE patient_id = {unit})" for unit in range(1, 21)]
        answers = [client.execute(query.encode()).fetchone() for query in queries]
    # At epsilon 0.1 the deviation is at least 10: each is true with a probability of at most 0.04.
    assert answers.count((True,)) <= 6


@pytest.mark.parametrize(
    "query",
    [
        "SELECT EXISTS (SELECT FROM visits TABLESAMPLE SYSTEM (0))",
        "SELECT EXISTS (SELECT generate_series(1, 0) FROM visits)",
    ],
)
def test_what_could_leave_no_row_of_a_whole_table_is_refused(proxy: RunningProxy, query: str) -> None:
    with (
        proxy.connect() as client,
        pytest.raises((psycopg.errors.FeatureNotSupported, psycopg.errors.InsufficientPrivilege)),
    ):
        client.execute(query.encode())


@pytest.mark.parametrize(
    "condition",
    [
        "name NOT IN (SELECT region FROM visits WHERE urgent)",
        "NOT name IN (SELECT region FROM visits WHERE urgent)",
        "(name IN (SELECT region FROM visits WHERE urgent)) IS NOT TRUE",
        "upper(name) IN (SELECT upper(region) FROM visits WHERE urgent)",
        "(name, zone) IN (SELECT region, region FROM visits WHERE urgent)",
        "name IN (SELECT region FROM visits WHERE urgent LIMIT 1)",
        "name IN (SELECT regions.region FROM visits AS regions WHERE urgent)",
    ],
)
def test_other_memberships_are_refused_with_what_to_write(condition: str, proxy: RunningProxy) -> None:
    """Of NOT IN and IS NOT TRUE, NULL is no FALSE; a table of the inner query hides the outer one's name."""
    with proxy.connect() as client, pytest.raises(psycopg.errors.InsufficientPrivilege) as refusal:
        client.execute(f"SELECT name FROM regions WHERE {condition}".encode())
    assert "EXISTS" in str(refusal.value.diag.message_hint)
