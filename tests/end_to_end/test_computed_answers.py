"""CTEs that compute from an earlier answer before rows meet it: each row meets as many of its rows as of the answer's."""

from __future__ import annotations

from collections.abc import Iterator

import psycopg
import pytest

from tests.end_to_end import clinic
from tests.end_to_end.comparing import Connections, assert_same_answer, client_and_source
from tests.end_to_end.conftest import StartProxy

_BY_REGION = "WITH x AS (SELECT region, avg(minutes) AS a, count(*) AS n FROM visits GROUP BY 1)"

QUERIES = {
    "limits from quartiles": "WITH s AS (SELECT percentile_cont(0.25) WITHIN GROUP (ORDER BY minutes) AS q1, "
    "percentile_cont(0.75) WITHIN GROUP (ORDER BY minutes) AS q3 FROM visits), "
    "l AS (SELECT q1 - 0.5 * (q3 - q1) AS lo, q3 + 0.5 * (q3 - q1) AS hi FROM s) "
    "SELECT count(*) FILTER (WHERE minutes > hi), count(*) FILTER (WHERE minutes < lo) FROM visits, l",
    "limits in two steps": "WITH t AS (SELECT avg(minutes) AS m FROM visits), u AS (SELECT m * 2 AS m FROM t) "
    "SELECT region, count(*) FILTER (WHERE minutes > m) FROM visits CROSS JOIN u GROUP BY region",
    "segments": f"{_BY_REGION}, y AS (SELECT region, CASE WHEN a > 60 THEN 'long' ELSE 'short' END AS k FROM x) "
    "SELECT k, count(*), avg(e.minutes) FROM visits e JOIN y USING (region) GROUP BY k",
    "the first and others": f"{_BY_REGION}, y AS (SELECT region, rank() OVER (ORDER BY n DESC) AS r FROM x) "
    "SELECT CASE WHEN r <= 2 THEN e.region ELSE 'other' END, count(*) FROM visits e JOIN y USING (region) GROUP BY 1",
    "a star with a condition": f"{_BY_REGION}, y AS (SELECT * FROM x WHERE a > 30) "
    "SELECT count(*) FROM visits e JOIN y USING (region)",
    "a star with LIMIT": f"{_BY_REGION}, y AS (SELECT * FROM x ORDER BY a DESC LIMIT 3) "
    "SELECT e.region, count(*) FROM visits e JOIN y ON y.region = e.region GROUP BY 1",
    "a star and more": f"{_BY_REGION}, y AS (SELECT x.*, n > 100 AS many FROM x) "
    "SELECT many, count(*) FROM visits e JOIN y USING (region) GROUP BY 1",
    "names of a public table": "WITH x AS (SELECT specialty_id, avg(minutes) AS a FROM visits GROUP BY 1), "
    "y AS (SELECT d.specialty_id, d.title, x.a FROM specialties d JOIN x ON x.specialty_id = d.specialty_id) "
    "SELECT y.title, count(*), count(*) FILTER (WHERE e.minutes > y.a) FROM visits e JOIN y USING (specialty_id) GROUP BY 1",
    "compared with a total": f"{_BY_REGION}, t AS (SELECT avg(n) AS m FROM x), "
    "y AS (SELECT x.region, x.n > t.m AS big FROM x, t) SELECT big, count(*) FROM visits e JOIN y USING (region) GROUP BY 1",
    "the group before": f"{_BY_REGION}, y AS (SELECT region, lag(n) OVER (ORDER BY region) AS p FROM x) "
    "SELECT count(*) FROM visits e JOIN y ON y.region = e.region WHERE p > 100",
    "the most frequent of each": "WITH x AS (SELECT v.region, sex, count(*) AS n FROM visits v JOIN patients USING (patient_id) "
    "GROUP BY 1, 2), y AS (SELECT DISTINCT ON (region) region, sex FROM x ORDER BY region, n DESC, sex) "
    "SELECT y.sex, count(*) FROM visits e JOIN y USING (region) GROUP BY 1",
    "groups that repeat": f"{_BY_REGION}, y AS (SELECT region, unnest(ARRAY[1, 2]) AS i FROM x GROUP BY region), "
    "z AS (SELECT y.region, r.zone FROM y JOIN regions r ON r.name = y.region) "
    "SELECT count(*) FROM patients WHERE region IN (SELECT region FROM z)",
    "a total that repeats": f"{_BY_REGION}, y AS (SELECT max(region) AS region, generate_series(1, 2) AS i FROM x), "
    "z AS (SELECT *, 1 AS k FROM y) SELECT count(*) FROM patients WHERE region IN (SELECT region FROM z)",
    "distinct rows of groups that repeat": "WITH y AS (SELECT DISTINCT region, generate_series(1, 2) / 3 AS i FROM visits "
    "GROUP BY region) SELECT i, count(*) FROM visits e JOIN y ON y.region = e.region AND y.i = 0 GROUP BY 1",
    "shares": f"{_BY_REGION}, t AS (SELECT sum(n) AS all_of_them FROM x), "
    "y AS (SELECT x.region, x.n / t.all_of_them AS share FROM x CROSS JOIN t) "
    "SELECT v.region, count(*) FROM visits v JOIN y ON y.region = v.region AND y.share > 0.1 GROUP BY 1",
}

REPEATED = {
    "each row twice": f"{_BY_REGION}, y AS (SELECT region, generate_series(1, n) AS i FROM x) "
    "SELECT count(*) FROM visits e JOIN y USING (region)",
    "rows that meet all others": f"{_BY_REGION}, y AS (SELECT x.region FROM x JOIN x AS z ON z.a >= x.a) "
    "SELECT count(*) FROM visits e JOIN y USING (region)",
    "without their key": f"{_BY_REGION}, y AS (SELECT upper(region) AS region FROM x) "
    "SELECT count(*) FROM visits e JOIN y USING (region)",
}


@pytest.fixture(scope="module")
def connections(proxies: StartProxy) -> Iterator[Connections]:
    with client_and_source(proxies(clinic.exact_policy(chooses=True))) as both:
        yield both


@pytest.mark.parametrize("query", QUERIES.values(), ids=QUERIES.keys())
def test_answer_equals_postgres(query: str, connections: Connections) -> None:
    assert_same_answer(query, connections)


@pytest.mark.parametrize("query", REPEATED.values(), ids=REPEATED.keys())
def test_rows_that_may_repeat_have_no_key(query: str, connections: Connections) -> None:
    with pytest.raises(psycopg.errors.FeatureNotSupported, match="these joins multiply the private rows too much"):
        connections[0].execute(query.encode())
