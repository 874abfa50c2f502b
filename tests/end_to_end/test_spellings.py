"""What BI tools write in other words than analysts is answered as Postgres does."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import psycopg
import pytest

from tests.end_to_end import clinic
from tests.end_to_end.comparing import Connections, assert_same_answer, client_and_source
from tests.end_to_end.conftest import StartProxy
from tests.end_to_end.running import RunningProxy

LATEST = "SELECT DISTINCT ON (patient_id) * FROM visits ORDER BY patient_id, visited_at DESC, visit_id"

QUERIES = {
    "three parts": 'SELECT count(*) FROM "{database}"."public"."visits"',
    "four parts": "SELECT {database}.public.visits.region, count(*) FROM {database}.public.visits "
    "GROUP BY {database}.public.visits.region",
    "three parts of a public table": "SELECT zone, count(*) FROM {database}.public.visits v JOIN {database}.public.regions r "
    "ON r.name = v.region GROUP BY 1",
    "a join with a name": "SELECT j.zone, count(*), sum(j.cost) FROM (visits v JOIN regions r ON r.name = v.region) AS j "
    "GROUP BY 1",
    "a join with names for its columns": "SELECT count(b), count(DISTINCT a) FROM (patients p JOIN visits v USING (patient_id)) "
    "AS j (a, b)",
    "unary plus": "SELECT sum(+minutes), count(*) FROM visits WHERE cost > +5",
    "rollup of a condition": "SELECT cost > 100, count(*) FROM visits GROUP BY ROLLUP (cost > 100)",
    "cube of conditions": "SELECT urgent OR minutes > 60 AS long, region, count(*) FROM visits "
    "GROUP BY CUBE (urgent OR minutes > 60, region)",
    "grouping sets of conditions": "SELECT cost > 100, urgent, count(*) FROM visits "
    "GROUP BY GROUPING SETS ((cost > 100, urgent), (cost > 100), ())",
    "named windows within the unit": "SELECT count(*), sum(earlier) FROM (SELECT row_number() OVER w AS n, "
    "sum(minutes) OVER (w ROWS UNBOUNDED PRECEDING) AS earlier FROM visits WHERE minutes > 0 "
    "WINDOW v AS (PARTITION BY patient_id), w AS (v ORDER BY visited_at, visit_id)) AS q WHERE n < 4",
    "named windows over groups": "SELECT region, rank() OVER w, count(*) FROM visits GROUP BY region WINDOW w AS (ORDER BY count(*))",
    "COLLATE": 'SELECT region COLLATE "C", count(*) FROM visits WHERE diagnosis COLLATE pg_catalog."C" > \'diagnosis 5\' GROUP BY 1',
    "IS NOT DISTINCT FROM along the unit": "SELECT count(*), count(DISTINCT v.patient_id) FROM visits v "
    "JOIN patients p ON v.patient_id IS NOT DISTINCT FROM p.patient_id",
    "LEFT JOIN by IS NOT DISTINCT FROM": "SELECT count(*), count(v.cost) FROM patients p "
    "LEFT JOIN visits v ON (p.patient_id IS NOT DISTINCT FROM v.patient_id) AND v.urgent",
    "IS NOT DISTINCT FROM of a public table": "SELECT zone, count(*) FROM visits v "
    "JOIN regions r ON v.region IS NOT DISTINCT FROM r.name GROUP BY zone",
    "DISTINCT ON the unit": f"SELECT avg(cost), count(*) FROM ({LATEST}) AS latest",
    "DISTINCT ON in a CTE": f"WITH latest AS ({LATEST}) SELECT region, count(*) FROM latest WHERE urgent GROUP BY region",
    "DISTINCT ON the unit, of its groups": "SELECT region, count(*), sum(n) FROM (SELECT DISTINCT ON (v.patient_id) v.patient_id, region, "
    "count(*) AS n FROM visits v GROUP BY v.patient_id, region ORDER BY v.patient_id, count(*) DESC, region) AS usual GROUP BY region",
    "FULL JOIN by USING of groups": "SELECT count(*), sum(n), sum(p) FROM (SELECT patient_id, count(*) AS n FROM visits WHERE cost > 200 GROUP BY 1) v "
    "FULL JOIN (SELECT patient_id, count(*) AS p FROM visits WHERE minutes > 40 GROUP BY patient_id) s USING (patient_id) WHERE patient_id > 9",
    "DISTINCT ON the unit and more": "SELECT count(*), sum(m) FROM (SELECT DISTINCT ON (1, region) patient_id, "
    "region, minutes AS m FROM visits WHERE minutes > 0 ORDER BY 1, region, m DESC NULLS LAST) AS q",
    "DISTINCT ON of groups": "SELECT DISTINCT ON (zone) zone, region, count(*) AS n FROM visits JOIN regions ON name = region "
    "GROUP BY zone, region ORDER BY zone, n DESC, region",
    "DISTINCT ON of groups by place": "SELECT DISTINCT ON (1) zone AS z, region, count(*) FROM visits "
    "JOIN regions ON name = region GROUP BY zone, region ORDER BY z, 3, region",
    "DISTINCT ON of released rows": "SELECT DISTINCT ON (zone) * FROM (SELECT zone, region, count(*) AS n FROM visits "
    "JOIN regions ON name = region GROUP BY zone, region) AS q ORDER BY zone, n DESC, region",
    "rows as keys": "SELECT region, urgent, count(*) FROM visits GROUP BY (region, urgent)",
    "distinct rows": "SELECT count(DISTINCT (region, urgent)), count(DISTINCT (minutes, cost)) FROM visits",
    "distinct rows with the unit": "SELECT urgent, count(DISTINCT (patient_id, region)) FROM visits GROUP BY urgent",
    "FULL JOIN along the unit": "SELECT count(*) FROM patients p FULL JOIN visits v ON v.patient_id = p.patient_id",
    "WITH RECURSIVE over released rows": "WITH RECURSIVE n AS (SELECT region, count(*) AS c FROM visits GROUP BY region), "
    "walk AS (SELECT region, c, 1 AS step FROM n UNION ALL SELECT region, c / 2, step + 1 FROM walk WHERE step < 3) "
    "SELECT * FROM walk",
    "row-level CTE beside a recursive one": "WITH RECURSIVE long AS (SELECT * FROM visits WHERE minutes > 60), "
    "t(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM t WHERE i < 3) SELECT i, n FROM t, (SELECT count(*) AS n FROM long) AS q",
    "a column without a name": 'SELECT sum("?column?") FROM (SELECT minutes * 2 FROM visits) AS q',
    "constants without names": 'SELECT count("?column?") FROM (SELECT 1 FROM visits WHERE urgent) AS q',
}


@pytest.mark.parametrize("query", QUERIES.values(), ids=QUERIES.keys())
def test_answer_equals_postgres(query: str, connections: Connections) -> None:
    database = connections[0].info.dbname
    assert_same_answer(query.replace("{database}", database), connections)


@pytest.fixture(scope="module")
def along_key(proxies: StartProxy, copy_clinic: Callable[[], str]) -> Iterator[Connections]:
    """A proxy and a source whose visits refer to a region each."""
    source = copy_clinic()
    with psycopg.connect(source, autocommit=True) as owner:
        owner.execute("ALTER TABLE visits ALTER region SET NOT NULL, ADD FOREIGN KEY (region) REFERENCES regions")
    with client_and_source(proxies(clinic.exact_policy(), source=source)) as both:
        yield both


@pytest.mark.parametrize(
    "query",
    [
        "SELECT name, count(cost), sum(minutes) FROM regions r FULL JOIN visits v ON v.region = r.name GROUP BY name",
        "SELECT name, count(cost), sum(minutes) FROM visits v FULL JOIN regions r ON v.region = r.name GROUP BY name",
    ],
)
def test_full_join_along_a_foreign_key_equals_postgres(query: str, along_key: Connections) -> None:
    assert_same_answer(query, along_key)


def test_another_database_is_refused_as_in_postgres(proxy: RunningProxy) -> None:
    with proxy.connect() as client, pytest.raises(psycopg.errors.FeatureNotSupported) as refusal:
        client.execute("SELECT count(*) FROM elsewhere.public.visits")
    assert refusal.value.diag.message_primary == (
        'cross-database references are not implemented: "elsewhere.public.visits"'
    )


@pytest.mark.parametrize(
    ("query", "message"),
    [
        (
            "SELECT avg(cost) FROM (SELECT DISTINCT ON (region) * FROM visits ORDER BY region, cost) AS q",
            "DISTINCT ON is not supported over private rows",
        ),
        (
            "SELECT count(*) FROM visits v JOIN visits w ON v.diagnosis IS NOT DISTINCT FROM w.diagnosis",
            "this join could combine rows of more than one patient",
        ),
        (
            "SELECT name, count(height) FROM patients p FULL JOIN regions r ON p.region = r.name GROUP BY name",
            "this FULL JOIN is not supported here",
        ),
        (
            "SELECT count(*) FROM (SELECT rank() OVER w AS n FROM visits WINDOW w AS (ORDER BY cost)) AS q",
            "this window function would read rows of more than one patient",
        ),
    ],
)
def test_refused(proxy: RunningProxy, query: str, message: str) -> None:
    with proxy.connect() as client, pytest.raises(psycopg.errors.FeatureNotSupported) as refusal:
        client.execute(query.encode())
    assert (refusal.value.diag.message_primary or "").startswith(message)
