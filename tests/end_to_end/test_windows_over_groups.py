"""Window functions over a unit's own groups, in the SELECT that groups, answer as Postgres."""

from __future__ import annotations

from collections.abc import Iterator

import psycopg
import pytest

from tests.end_to_end import clinic
from tests.end_to_end.comparing import Connections, assert_same_answer, client_and_source
from tests.end_to_end.conftest import StartProxy

SAME = {
    "the most frequent value of each unit": "SELECT fav, count(*) FROM (SELECT patient_id, region AS fav, row_number() OVER (PARTITION "
    "BY patient_id ORDER BY count(*) DESC, region) AS r FROM visits GROUP BY patient_id, region) AS v WHERE r = 1 GROUP BY fav",
    "keys by their place, of a join": "SELECT t, count(*) FROM (SELECT v.patient_id, s.title AS t, rank() OVER (PARTITION BY v.patient_id "
    "ORDER BY sum(v.minutes) DESC) AS r FROM visits v JOIN specialties s USING (specialty_id) GROUP BY 1, 2) AS x WHERE r = 1 GROUP BY t",
    "a share of the unit's own sum": "SELECT count(*) FROM (SELECT region, sum(minutes) / sum(sum(minutes)) OVER (PARTITION BY patient_id) "
    "AS share FROM visits GROUP BY patient_id, region) AS v WHERE share > 0.5",
    "a change from month to month": "SELECT count(*) FROM (SELECT patient_id, sum(minutes) - lag(sum(minutes), 1, 0) OVER (PARTITION BY "
    "patient_id ORDER BY date_trunc('month', visited_at)) AS d FROM visits GROUP BY patient_id, date_trunc('month', visited_at) "
    "ORDER BY d) AS v WHERE d > 10",
    "HAVING and FILTER": "SELECT m, count(*) FROM (SELECT patient_id, max(count(*) FILTER (WHERE urgent)) OVER (PARTITION BY patient_id) "
    "AS m FROM visits GROUP BY patient_id, region HAVING count(*) > 1) AS v WHERE m < 9 GROUP BY m",
    "a CTE, a named window and a key under its alias": "WITH v AS (SELECT patient_id, minutes > 30 AS long, count(*) AS n, rank() OVER w AS r "
    "FROM visits GROUP BY patient_id, long WINDOW w AS (PARTITION BY patient_id ORDER BY count(*) DESC)) SELECT long, count(*), sum(n) "
    "FROM v WHERE r = 1 GROUP BY long",
    "DISTINCT": "SELECT count(*) FROM (SELECT DISTINCT patient_id, count(*) OVER (PARTITION BY patient_id) AS regions FROM visits "
    "GROUP BY patient_id, region) AS v WHERE regions = 2",
    "an unqualified key of a qualified column": "SELECT count(*) FROM (SELECT v.patient_id, row_number() OVER (PARTITION BY patient_id "
    "ORDER BY region) AS r FROM visits v GROUP BY patient_id, v.region) AS x WHERE r = 3",
}

REFUSED = {
    "an order of the groups by an aggregate": (
        "SELECT count(*) FROM (SELECT patient_id, row_number() OVER (PARTITION BY patient_id ORDER BY count(*)) AS r FROM visits "
        "GROUP BY patient_id, region ORDER BY count(*)) AS v WHERE r = 1",
        "more than one patient",
    ),
    "units among each other": (
        "SELECT count(*) FROM (SELECT patient_id, rank() OVER (ORDER BY count(*)) AS r FROM visits GROUP BY patient_id) AS v WHERE r < 9",
        "more than one patient",
    ),
    "by another key": (
        "SELECT count(*) FROM (SELECT patient_id, rank() OVER (PARTITION BY region ORDER BY count(*)) AS r FROM visits "
        "GROUP BY patient_id, region) AS v WHERE r < 9",
        "more than one patient",
    ),
}


@pytest.fixture(scope="module")
def connections(proxies: StartProxy) -> Iterator[Connections]:
    """A client of a proxy whose answers are exact, and the clinic itself."""
    with client_and_source(proxies(clinic.exact_policy())) as both:
        yield both


@pytest.mark.parametrize("query", SAME.values(), ids=SAME.keys())
def test_a_window_over_a_units_groups_answers_as_postgres(query: str, connections: Connections) -> None:
    assert_same_answer(query, connections)


@pytest.mark.parametrize(("query", "message"), REFUSED.values(), ids=REFUSED.keys())
def test_a_window_over_groups_of_several_units_is_refused(query: str, message: str, connections: Connections) -> None:
    client, source = connections
    assert source.execute(query.encode()).description
    with pytest.raises(psycopg.errors.FeatureNotSupported, match=message):
        client.execute(query.encode())
