"""Subqueries that compare private rows with the public row around them, other than by an equality, answer as Postgres."""

from __future__ import annotations

from collections.abc import Iterator

import psycopg
import pytest

from tests.end_to_end import clinic
from tests.end_to_end.comparing import Connections, assert_same_answer, client_and_source
from tests.end_to_end.conftest import StartProxy

_DAYS = "generate_series(date '2024-01-01', date '2024-03-01', interval '10 days')"

SAME = {
    "a rolling sum": f"SELECT d.day, (SELECT sum(v.cost) FROM visits v WHERE v.visited_at >= d.day "
    f"- interval '6 days' AND v.visited_at < d.day + interval '1 day') FROM {_DAYS} AS d(day)",
    "a column without its table": f"WITH days AS (SELECT {_DAYS}::date AS day) SELECT day, (SELECT count(*) FROM visits "
    "WHERE visited_at::date BETWEEN day - 6 AND day) AS seen FROM days",
    "a CTE that names its columns": f"WITH days(day) AS (SELECT * FROM {_DAYS}) SELECT day, (SELECT count(*) FROM visits "
    "WHERE visited_at <= day) AS seen FROM days",
    "LATERAL": f"SELECT d.day, x.n, x.spent FROM {_DAYS} AS d(day) CROSS JOIN LATERAL (SELECT count(*) AS n, sum(cost) AS spent "
    "FROM visits v WHERE v.visited_at < d.day) AS x",
    "constants, one of them twice": "SELECT t.most, (SELECT count(*) FROM visits v WHERE v.minutes > t.most) "
    "FROM (VALUES (10), (30), (30), (60)) AS t(most)",
    "a constant that is NULL": "SELECT t.most, (SELECT count(*) FROM visits v WHERE v.minutes > t.most OR v.cost > t.most) "
    "FROM (VALUES (10), (NULL), (60)) AS t(most)",
    "two columns of constants": "SELECT t.name, (SELECT avg(v.cost) FROM visits v WHERE v.minutes BETWEEN t.low AND t.high) "
    "FROM (VALUES ('short', 0, 20), ('long', 21, 120), ('none', NULL, 5)) AS t(name, low, high)",
    "a public table's column": "SELECT r.name, (SELECT count(*) FROM visits v WHERE v.region <> r.name) FROM regions r",
    "a public table under conditions": "SELECT s.title, (SELECT count(*) FROM visits v WHERE v.specialty_id < s.specialty_id) "
    "FROM specialties s WHERE s.specialty_id < 4",
    "an equality beside": "SELECT r.name, t.most, (SELECT count(*) FROM visits v WHERE v.region = r.name AND v.minutes > t.most) "
    "FROM regions r CROSS JOIN (VALUES (10), (60)) AS t(most)",
    "public rows that a subquery reads": "SELECT t.n, (SELECT count(*) FROM visits v WHERE v.minutes > t.n) FROM (SELECT DISTINCT 10 * "
    "q.specialty_id AS n FROM specialties q) AS t WHERE t.n < 40",
    "a subquery inside a subquery": "SELECT t.most, (SELECT count(*) FROM visits v WHERE v.minutes > t.most AND v.patient_id IN "
    "(SELECT p.patient_id FROM patients p WHERE p.birth_year > 1950)) FROM (VALUES (10), (60)) AS t(most)",
    "existence": "SELECT t.most FROM (VALUES (10), (60), (100000)) AS t(most) "
    "WHERE EXISTS (SELECT FROM visits v WHERE v.minutes > t.most)",
    "a choice of public rows by a count": "SELECT t.most FROM (VALUES (10), (60), (100000)) AS t(most) "
    "WHERE (SELECT count(*) FROM visits v WHERE v.minutes > t.most) > 100",
    "a condition that is open on one side": f"SELECT d.day, (SELECT count(*) FROM visits v WHERE v.visited_at < d.day "
    f"AND (v.minutes IS NULL OR v.visited_at + interval '1 day' > d.day)) FROM {_DAYS} AS d(day)",
}

REFUSED = {
    "what holds for a public row without a value": "SELECT t.most, (SELECT count(*) FROM visits v WHERE v.minutes > t.most "
    "OR t.most IS NULL) FROM (VALUES (10), (NULL)) AS t(most)",
    "one of two columns that may lack a value": "SELECT t.low, (SELECT count(*) FROM visits v WHERE v.minutes > t.low "
    "OR v.minutes > t.high) FROM (VALUES (10, NULL), (NULL, 20)) AS t(low, high)",
    "texts of equal values": "SELECT t.most, (SELECT count(*) FROM visits v WHERE v.region <= t.most::text) "
    "FROM (VALUES (1.0), (1.00)) AS t(most)",
    "a function of equal values": "SELECT t.most, (SELECT count(*) FROM visits v WHERE v.minutes > scale(t.most)) "
    "FROM (VALUES (1.0), (1.00)) AS t(most)",
    "rows that depend on others": "SELECT r.title, g.n, (SELECT count(*) FROM visits v WHERE v.minutes > g.n) "
    "FROM specialties r, generate_series(1, r.specialty_id) AS g(n)",
    "LATERAL rows that depend on others": "SELECT r.title, g.n, (SELECT count(*) FROM visits v WHERE v.minutes > g.n) "
    "FROM specialties r, LATERAL (SELECT q.specialty_id AS n FROM specialties q WHERE q.specialty_id < r.specialty_id) AS g",
    "rows of units around": "SELECT count(*) FROM visits w WHERE w.cost > (SELECT avg(v.cost) FROM visits v WHERE v.minutes < w.minutes)",
    "columns of two public items": "SELECT t.most, (SELECT count(*) FROM visits v WHERE v.minutes BETWEEN s.least AND t.most) "
    "FROM (VALUES (10), (60)) AS t(most) CROSS JOIN (VALUES (1), (5)) AS s(least)",
    "the name of the public item is taken": "SELECT v.most, (SELECT count(*) FROM visits v WHERE v.minutes > most) "
    "FROM (VALUES (10), (60)) AS v(most)",
    "an argument of the aggregate": "SELECT t.most, (SELECT sum(v.minutes + t.most) FROM visits v WHERE v.minutes > t.most) "
    "FROM (VALUES (10), (60)) AS t(most)",
}


@pytest.fixture(scope="module")
def connections(proxies: StartProxy) -> Iterator[Connections]:
    """A client of a proxy whose answers are exact, and the clinic itself."""
    with client_and_source(proxies(clinic.exact_policy())) as both:
        yield both


@pytest.mark.parametrize("query", SAME.values(), ids=SAME.keys())
def test_a_comparison_with_public_rows_answers_as_postgres(query: str, connections: Connections) -> None:
    assert_same_answer(query, connections)


@pytest.mark.parametrize("query", REFUSED.values(), ids=REFUSED.keys())
def test_a_comparison_whose_rows_would_not_be_postgres_s_is_refused(query: str, connections: Connections) -> None:
    client, source = connections
    assert source.execute(query.encode()).description
    with pytest.raises(psycopg.errors.FeatureNotSupported, match="correlated subquery is not supported"):
        client.execute(query.encode())


def test_explain_names_the_key_as_the_client_did(connections: Connections) -> None:
    client, _ = connections
    lines = [line for (line,) in client.execute(("EXPLAIN " + SAME["constants, one of them twice"]).encode())]
    assert any(line.strip().startswith('Group keys: "most": declared') for line in lines)
