"""Subqueries with a released number, or of a unit's own rows, in the SELECT list of rows that are aggregated further."""

from __future__ import annotations

from collections.abc import Iterator

import psycopg
import pytest

from tests.end_to_end import clinic
from tests.end_to_end.comparing import Connections, assert_same_answer, client_and_source
from tests.end_to_end.conftest import StartProxy

_AVERAGE = "(SELECT avg(cost) FROM visits)"

SAME = {
    "a difference": f"SELECT count(*), count(d) FROM (SELECT cost - {_AVERAGE} AS d FROM visits) AS v WHERE d BETWEEN -10 AND 100",
    "a score": "SELECT count(*) FROM (SELECT (cost - (SELECT avg(cost) FROM visits)) / (SELECT stddev(cost) FROM visits) AS z "
    "FROM visits) AS v WHERE z > 1",
    "a band": f"SELECT band, count(*) FROM (SELECT CASE WHEN cost > {_AVERAGE} THEN 'high' ELSE 'low' END AS band FROM visits) AS v "
    "GROUP BY band",
    "a CTE beside a star": f"WITH marked AS (SELECT v.*, cost > {_AVERAGE} AS high FROM visits v) SELECT region, count(*) FILTER "
    "(WHERE high) FROM marked GROUP BY region",
    "the name that Postgres gives": "SELECT count(*) FROM (SELECT minutes, (SELECT avg(minutes) FROM visits) FROM visits) AS v "
    "WHERE minutes > avg",
    "the name of a cast": "SELECT count(*) FROM (SELECT minutes, (SELECT avg(minutes) FROM visits)::integer FROM visits) AS v "
    "WHERE minutes > avg",
    "the average of the row's group": "SELECT count(*) FROM (SELECT cost > (SELECT avg(w.cost) FROM visits w WHERE w.region = "
    "v.region) AS high FROM visits v) AS x WHERE high",
    "a unit's own rows": "SELECT avg(n) FROM (SELECT patient_id, (SELECT count(*) FROM visits v WHERE v.patient_id = p.patient_id) "
    "AS n FROM patients p) AS x",
    "existence of a unit's own rows": "SELECT urgent, count(*) FROM (SELECT EXISTS (SELECT 1 FROM visits v WHERE v.patient_id = "
    "p.patient_id AND v.urgent) AS urgent FROM patients p) AS x WHERE urgent IS NOT NULL GROUP BY urgent",
    "a public row": "SELECT zone, count(*) FROM (SELECT (SELECT r.zone FROM regions r WHERE r.name = v.region) AS zone FROM visits v) "
    "AS x WHERE zone IS NOT NULL GROUP BY zone",
    "HAVING of a unit's groups": f"SELECT count(*) FROM (SELECT patient_id FROM visits GROUP BY patient_id HAVING sum(cost) > 5 * "
    f"{_AVERAGE}) AS v",
    "beside a unit's sums": f"SELECT count(*) FROM (SELECT patient_id, sum(cost) AS s, {_AVERAGE} AS usual FROM visits "
    "GROUP BY patient_id) AS v WHERE s > 10 * usual",
    "a list in HAVING of a unit's groups": "SELECT count(*) FROM (SELECT patient_id, region FROM visits GROUP BY patient_id, region HAVING "
    "region NOT IN (SELECT name FROM regions WHERE population > 600)) AS v",
    "a list beside a unit's groups": "SELECT a, sum(n) FROM (SELECT patient_id, region, region IN (SELECT name FROM regions WHERE population > "
    "600) AS a, count(*) AS n FROM visits GROUP BY patient_id, region) AS v WHERE a IS NOT NULL GROUP BY a",
    "double parentheses in HAVING": f"SELECT count(*) FROM (SELECT patient_id FROM visits GROUP BY patient_id HAVING sum(cost) > "
    f"({_AVERAGE})) AS v",
    "DISTINCT": f"SELECT count(*) FROM (SELECT DISTINCT patient_id, cost > {_AVERAGE} AS high FROM visits) AS v WHERE high",
    "beside a window": f"SELECT count(*) FROM (SELECT cost, {_AVERAGE} AS usual, row_number() OVER (PARTITION BY patient_id "
    "ORDER BY visited_at, visit_id) AS r FROM visits) AS v WHERE r = 1 AND cost > usual",
    "lag with a default": "SELECT sum(d) FROM (SELECT minutes - lag(minutes, 1, 0) OVER (PARTITION BY patient_id ORDER BY "
    "visited_at, visit_id) AS d FROM visits) AS v",
    "lead with a default of another type": "SELECT next, count(*) FROM (SELECT lead(region, 2, 'none') OVER (PARTITION BY patient_id "
    "ORDER BY visited_at, visit_id) AS next FROM visits) AS v GROUP BY next",
    "a default that is a column": "SELECT sum(d) FROM (SELECT lag(minutes, 1, minutes) OVER (PARTITION BY patient_id ORDER BY "
    "visited_at DESC, visit_id) AS d FROM visits) AS v",
    "the last value of all": "SELECT last, count(*) FROM (SELECT last_value(region) OVER (PARTITION BY patient_id ORDER BY "
    "visited_at, visit_id RANGE BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) AS last FROM visits) AS v GROUP BY last",
}

REFUSED = {
    "rows": f"SELECT cost - {_AVERAGE} FROM visits",
    "a condition of a unit's groups": "SELECT count(*) FROM (SELECT patient_id, (SELECT bool_or(urgent) FROM visits) AS u FROM visits "
    "GROUP BY patient_id) AS v WHERE u",
    "the last value of an open frame": "SELECT count(l) FROM (SELECT last_value(region) OVER (PARTITION BY patient_id ORDER BY "
    "visited_at) AS l FROM visits) AS v",
}


@pytest.fixture(scope="module")
def connections(proxies: StartProxy) -> Iterator[Connections]:
    """A client of a proxy whose answers are exact, and the clinic itself."""
    with client_and_source(proxies(clinic.exact_policy())) as both:
        yield both


@pytest.mark.parametrize("query", SAME.values(), ids=SAME.keys())
def test_such_a_subquery_answers_as_postgres(query: str, connections: Connections) -> None:
    assert_same_answer(query, connections)


@pytest.mark.parametrize("query", REFUSED.values(), ids=REFUSED.keys())
def test_what_is_not_proven_private_or_postgres_s_own_is_refused(query: str, connections: Connections) -> None:
    client, source = connections
    assert source.execute(query.encode()).description
    with pytest.raises((psycopg.errors.FeatureNotSupported, psycopg.errors.InsufficientPrivilege)):
        client.execute(query.encode())


@pytest.mark.parametrize(
    ("window", "advice"),
    [
        ("percent_rank() OVER (ORDER BY cost)", "Compare with a released percentile"),
        ("avg(cost) OVER (PARTITION BY region)", "compare with a released number, as in x - (SELECT avg(x) FROM …)"),
        ("lag(cost) OVER (ORDER BY visited_at)", "apply the window function to the released result"),
    ],
)
def test_a_window_over_many_units_has_a_hint_that_can_be_followed(
    window: str, advice: str, connections: Connections
) -> None:
    client, _ = connections
    with pytest.raises(psycopg.errors.FeatureNotSupported, match="more than one patient") as refusal:
        client.execute(f"SELECT count(w) FROM (SELECT {window} AS w FROM visits) AS v".encode())
    assert advice in (refusal.value.diag.message_hint or "")
