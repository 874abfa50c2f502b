"""Subqueries in group keys, aggregates and beside groups are answered as Postgres does."""

from __future__ import annotations

import psycopg
import pytest

from tests.end_to_end.comparing import Connections, assert_same_answer
from tests.end_to_end.running import RunningProxy

TOP = "(SELECT region FROM visits GROUP BY region ORDER BY count(*) DESC, region LIMIT 2)"
ZONE = "(SELECT zone FROM regions r WHERE r.name = v.region)"
PATIENTS = "(SELECT count(*) FROM patients p WHERE p.region = v.region)"
BUCKETS = "width_bucket(minutes, (SELECT min(minutes) FROM visits), (SELECT max(minutes) FROM visits), 4)"
ENDS = "SELECT min(minutes) AS low, max(minutes) AS high FROM visits"
ENDS_OF_REGIONS = "SELECT region, min(minutes) AS low, max(minutes) AS high FROM visits GROUP BY region"
OWN = "FROM visits w WHERE w.patient_id = p.patient_id AND"

MEAN = "WITH z AS (SELECT avg(cost) AS n FROM visits)"
ABOVE = "SELECT region, avg(cost) - (SELECT n FROM z) AS m FROM visits GROUP BY region"

QUERIES = {
    "a CTE beside groups in UNION ALL": f"{MEAN} {ABOVE} UNION ALL SELECT 'all', n FROM z",
    "a CTE beside groups in a CTE": f"{MEAN}, q AS ({ABOVE}) SELECT max(m), count(*) FROM q",
    "a CTE beside groups in FROM": f"{MEAN} SELECT * FROM ({ABOVE}) AS q WHERE m > 0",
    "a CTE of a CTE beside groups in FROM": f"{MEAN}, y AS (SELECT n / 2 AS n FROM z) "
    f"SELECT * FROM ({ABOVE.replace('FROM z', 'FROM y')}) AS q",
    "a recursive CTE beside groups in FROM": "WITH RECURSIVE z AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM z WHERE n < 5) "
    "SELECT sum(c) FROM (SELECT count(*) + (SELECT max(n) FROM z) AS c FROM visits GROUP BY region) AS q",
    "a CTE that hides another one": f"{MEAN} SELECT n, s FROM z, (WITH z AS (SELECT 3 AS n) "
    "SELECT sum(minutes) * (SELECT n FROM z) AS s FROM visits) AS q",
    "a released list in a key": f"SELECT CASE WHEN region IN {TOP} THEN region ELSE 'other' END AS r, count(*) FROM visits GROUP BY 1",
    "a released list in a repeated key": f"SELECT CASE WHEN region IN {TOP} THEN region ELSE 'other' END, count(*) FROM visits "
    f"GROUP BY CASE WHEN region IN {TOP} THEN region ELSE 'other' END",
    "a released list in an aggregate": f"SELECT sum(CASE WHEN region IN {TOP} THEN cost ELSE 0 END) FROM visits",
    "a released list in FILTER": f"SELECT urgent, count(*) FILTER (WHERE region IN {TOP}) FROM visits GROUP BY urgent",
    "a released list in a rollup": f"SELECT urgent, CASE WHEN region IN {TOP} THEN 1 ELSE 0 END AS top, count(*) FROM visits "
    "GROUP BY ROLLUP (urgent, 2)",
    "a public list in a key": "SELECT CASE WHEN region IN (SELECT name FROM regions WHERE zone = 'cold') THEN 1 ELSE 0 END, "
    "count(*) FROM visits GROUP BY 1",
    "EXISTS over the unit's rows in a key": f"SELECT CASE WHEN EXISTS (SELECT {OWN} cost > 900) THEN 'dear' ELSE 'cheap' END, "
    "count(*) FROM patients p GROUP BY 1",
    "EXISTS over the unit's rows as a key": f"SELECT EXISTS (SELECT {OWN} w.urgent) AS e, count(*) FROM patients p GROUP BY e",
    "IN over the unit's rows in a key": "SELECT CASE WHEN p.patient_id IN (SELECT w.patient_id FROM visits w WHERE cost > 900) "
    "THEN 1 ELSE 0 END AS i, count(*) FROM patients p GROUP BY i",
    "IN over the unit's rows as a key": "SELECT p.patient_id IN (SELECT w.patient_id FROM visits w WHERE cost > 900) AS i, "
    "count(*) FROM patients p GROUP BY i",
    "EXISTS over all rows in a key": "SELECT CASE WHEN EXISTS (SELECT FROM patients WHERE birth_year < 1940) THEN region END, "
    "count(*) FROM visits GROUP BY 1",
    "a released number in a key": "SELECT minutes > (SELECT avg(minutes) FROM visits) AS long, count(*) FROM visits "
    "WHERE minutes IS NOT NULL GROUP BY long",
    "a released number of each key": "SELECT minutes > (SELECT avg(w.minutes) FROM visits w WHERE w.region = v.region), "
    "count(*) FROM visits v WHERE minutes IS NOT NULL GROUP BY 1",
    "a released number in a key and beside it": "SELECT minutes > (SELECT avg(minutes) FROM visits) AS long, "
    "(SELECT avg(minutes) FROM visits), count(*) FROM visits WHERE minutes IS NOT NULL GROUP BY long",
    "a released number in FILTER and beside it": "SELECT count(*) FILTER (WHERE cost > (SELECT avg(cost) FROM visits)), "
    "(SELECT avg(cost) FROM visits) FROM visits",
    "released bounds of buckets": f"SELECT {BUCKETS} AS bucket, count(*) FROM visits WHERE minutes > 0 GROUP BY 1",
    "released bounds of repeated buckets": f"SELECT {BUCKETS}, count(*) FROM visits WHERE minutes > 0 GROUP BY {BUCKETS}",
    "released bounds of buckets, the other way round": "SELECT width_bucket(minutes, (SELECT avg(minutes) FROM visits), "
    "(SELECT min(minutes) FROM visits), 3) AS bucket, count(*) FROM visits WHERE minutes IS NOT NULL GROUP BY 1",
    "released bounds of buckets in FROM": f"WITH ends AS ({ENDS}) SELECT width_bucket(minutes, low, high, 4) AS bucket, "
    "count(*), avg(cost) FROM visits, ends WHERE minutes IS NOT NULL GROUP BY bucket ORDER BY bucket",
    "released bounds of buckets in each region": "SELECT e.region, width_bucket(v.minutes, e.low, e.high, 3), count(*) "
    f"FROM visits v JOIN ({ENDS_OF_REGIONS}) AS e ON e.region = v.region WHERE v.minutes > 0 GROUP BY 1, 2",
    "a unit's number of rows as a key": f"SELECT least((SELECT count(*) {OWN} urgent), 12) AS n, count(*) FROM patients p GROUP BY 1",
    "a lookup as a key": f"SELECT {ZONE} AS z, count(*) FROM visits v GROUP BY z",
    "a repeated lookup as a key": f"SELECT {ZONE}, count(*) FROM visits v GROUP BY {ZONE}",
    "a lookup in WHERE": f"SELECT count(*) FROM visits v WHERE {ZONE} = 'cold'",
    "a lookup in an aggregate": "SELECT sum((SELECT population FROM regions r WHERE r.name = v.region)) FROM visits v",
    "a lookup that finds nothing": "SELECT (SELECT zone FROM regions r WHERE r.name = p.region AND population > 1000) AS z, "
    "count(*) FROM patients p GROUP BY 1",
    "a number of other rows beside each group": f"SELECT v.region, count(*), {PATIENTS} FROM visits v GROUP BY v.region",
    "a number of rows for each row of a function": "SELECT n, (SELECT count(*) FROM visits WHERE specialty_id = n) "
    "FROM generate_series(1, 3) AS g(n)",
    "a number of rows for each row of a CTE": "WITH m AS (SELECT region AS k, count(*) AS c FROM visits GROUP BY 1) "
    "SELECT k, (SELECT count(*) FROM patients WHERE region = k AND smoker) FROM m",
    "a number for each row of a function beside private rows": "SELECT count(*) FROM visits v, generate_series(1, 3) AS g(n) "
    "WHERE v.minutes > (SELECT max(population) FROM regions WHERE population / 1000 = n)",
    "EXISTS for each row of a CTE": "WITH v(n) AS (VALUES (1), (99999)) SELECT n FROM v "
    "WHERE EXISTS (SELECT FROM visits WHERE specialty_id = n)",
    "a quotient beside each group": f"SELECT v.region, count(*)::float / nullif({PATIENTS}, 0) FROM visits v GROUP BY v.region",
    "EXISTS beside each group": "SELECT v.region, count(*), EXISTS (SELECT FROM patients p WHERE p.region = v.region AND smoker) "
    "FROM visits v GROUP BY v.region",
    "nothing beside some groups": "SELECT v.region, count(*), (SELECT count(*) FROM patients p WHERE p.region = v.region "
    "AND p.region <> 'north') FROM visits v WHERE v.region = 'north' GROUP BY v.region",
    "a number of other rows in HAVING": f"SELECT v.region, count(*) FROM visits v GROUP BY v.region HAVING {PATIENTS} > 5 "
    f"ORDER BY {PATIENTS}, v.region",
    "the best groups of each public row": "SELECT r.name, q.specialty_id, q.n FROM regions r, LATERAL (SELECT specialty_id, "
    "count(*) AS n FROM visits v WHERE v.region = r.name GROUP BY specialty_id ORDER BY n DESC, specialty_id LIMIT 2) AS q",
    "the best groups of each public row, if any": "SELECT r.name, q.s FROM regions r LEFT JOIN LATERAL (SELECT specialty_id AS s, "
    "count(*) FROM visits v WHERE v.region = r.name AND urgent GROUP BY 1 ORDER BY 2, 1 DESC LIMIT 1) AS q ON true",
}


@pytest.mark.parametrize("query", QUERIES.values(), ids=QUERIES.keys())
def test_answer_equals_postgres(query: str, connections: Connections) -> None:
    assert_same_answer(query, connections)


@pytest.mark.parametrize(
    ("buckets", "from_", "where", "has_null"),
    [
        (BUCKETS, "visits", "minutes > 0", False),
        ("width_bucket(minutes, low, high, 4)", f"visits, ({ENDS}) AS ends", "minutes > 0", False),
        # The proof ends where a value can be NULL, where the ends are equal, and where a row may have none.
        (BUCKETS, "visits", "true", True),
        (BUCKETS.replace("max(", "min("), "visits", "minutes > 0", True),
        ("width_bucket(minutes, low, high, 4)", f"visits LEFT JOIN ({ENDS}) AS ends ON low > 1e6", "minutes > 0", True),
        (
            "width_bucket(minutes, 0, dpscalar_value, 4)",
            "visits LEFT JOIN (SELECT max(minutes) AS dpscalar_value FROM visits) AS ends ON region = 'north'",
            "minutes > 0",
            True,
        ),
        ("width_bucket(minutes, low, high, 4)", f"visits LEFT JOIN ({ENDS}) AS ends ON true", "minutes > 0", False),
        (
            "width_bucket(minutes, low, high, 4)",
            f"regions LEFT JOIN ({ENDS}) AS ends ON true RIGHT JOIN visits ON region = name AND name = 'north'",
            "minutes > 0",
            True,
        ),
        (
            "width_bucket(minutes, low, high, 4)",
            f"visits CROSS JOIN ({ENDS} HAVING count(*) > 1e6) AS ends",
            "minutes > 0",
            True,
        ),
    ],
)
def test_there_is_no_bucket_of_nobody(
    buckets: str, from_: str, where: str, has_null: bool, connections: Connections
) -> None:
    client, _ = connections
    query = f"SELECT {buckets} AS bucket, count(*) FROM {from_} WHERE {where} GROUP BY bucket"
    with client.transaction():
        client.execute("SET LOCAL dp.empty_groups = 'show'")
        shown = client.execute(query.encode()).fetchall()
    assert {bucket for bucket, _ in shown} == {0, 1, 2, 3, 4, 5} | ({None} if has_null else set())


@pytest.mark.parametrize(
    ("query", "message"),
    [
        (
            "SELECT (SELECT max(cost) FROM visits w WHERE w.region = p.region AND w.minutes < p.height), count(*) "
            "FROM patients p GROUP BY 1",
            "this correlated subquery is not supported",
        ),
        (
            "SELECT (SELECT title FROM specialties s WHERE s.code = v.diagnosis), count(*) FROM visits v GROUP BY 1",
            "a correlated subquery that is no aggregate is not supported here",
        ),
        (
            "SELECT CASE WHEN specialty_id NOT IN (SELECT specialty_id FROM specialties WHERE code IS NULL) THEN 1 END, count(*) "
            "FROM visits GROUP BY 1",
            "a subquery is not supported here",
        ),
        (
            "SELECT v.region, count(*), (SELECT count(*) FROM patients p WHERE p.region > v.region) FROM visits v GROUP BY 1",
            "this correlated subquery is not supported",
        ),
    ],
)
def test_what_no_equality_ties_is_refused(proxy: RunningProxy, query: str, message: str) -> None:
    with proxy.connect() as client, pytest.raises(psycopg.errors.FeatureNotSupported) as refusal:
        client.execute(query.encode())
    assert refusal.value.diag.message_primary == message
