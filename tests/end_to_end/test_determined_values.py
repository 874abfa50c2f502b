"""min, max and any_value of what the group keys determine: the values of Postgres, under its names."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from tests.end_to_end import clinic
from tests.end_to_end.comparing import Connections, assert_same_answer, client_and_source
from tests.end_to_end.conftest import StartProxy

TOTALS = "(SELECT region, sum(cost) AS total, min(visited_at) AS first FROM visits GROUP BY region)"
QUERIES = {
    "a key": "SELECT region, min(region), max(region), count(*) FROM patients GROUP BY region",
    "a key that is compared": (
        "SELECT CASE WHEN min(region) = max(region) THEN min(region) ELSE '*' END, count(*) FROM visits GROUP BY region"
    ),
    "a key by place": "SELECT region AS r, max(region), count(*) FROM visits GROUP BY 1",
    "a key by alias": "SELECT upper(region) AS r, min(upper(region)) || '!' AS shouted, count(*) FROM visits GROUP BY r",
    "the row of a primary key": "SELECT r.name, r.zone, count(*) FROM visits v JOIN regions r ON r.name = v.region GROUP BY r.name",
    "what is computed of that row": "SELECT r.zone || '/' || r.name AS x, sum(cost) FROM visits v JOIN regions r ON r.name = v.region "
    "GROUP BY r.name HAVING r.zone <> 'south' ORDER BY r.zone, x",
    "that row without its key": "SELECT zone, max(minutes) FROM visits JOIN regions r ON name = region GROUP BY r.name",
    "all columns of that row": "SELECT r.*, count(*) FROM visits v JOIN regions r ON r.name = v.region GROUP BY r.name",
    "all columns of that row, by position": "SELECT r.*, sex, count(*) FROM patients p JOIN regions r ON r.name = p.region GROUP BY 1, 2, 3, 4",
    "that row beside other keys": "SELECT sex, r.zone, count(*) FROM patients p JOIN regions r ON r.name = p.region GROUP BY sex, r.name",
    "an expression of keys": "SELECT max(upper(region) || sex), count(*) FROM patients GROUP BY region, sex",
    "a key that nobody declares": "SELECT min(diagnosis), count(*) FROM visits GROUP BY diagnosis",
    "a public column": (
        "SELECT p.region, min(r.zone), max(r.population), count(*) FROM patients p JOIN regions r ON r.name = p.region "
        "GROUP BY p.region"
    ),
    "a left join": (
        "SELECT p.region, min(r.zone), count(*) FROM patients p LEFT JOIN regions r ON r.name = p.region GROUP BY 1"
    ),
    "USING": (
        "SELECT specialty_id, min(title), max(code), count(*) FROM visits LEFT JOIN specialties USING (specialty_id) "
        "GROUP BY specialty_id"
    ),
    "WHERE": "SELECT max(zone), count(*) FROM patients p, regions r WHERE r.name = p.region AND height > 160 GROUP BY region",
    "the public key": (
        "SELECT r.name, min(zone), count(*) FROM visits v JOIN regions r ON r.name = v.region GROUP BY r.name"
    ),
    "public rows first": (
        "SELECT r.name, min(zone), count(v.visit_id) FROM regions r LEFT JOIN visits v ON v.region = r.name GROUP BY 1"
    ),
    "one public row after another": (
        "SELECT p.region, max(q.population), count(*) FROM patients p JOIN regions r ON r.name = p.region "
        "LEFT JOIN regions q ON q.name = r.name GROUP BY p.region"
    ),
    "a subquery of public rows": (
        "SELECT p.region, min(r.z), count(*) FROM (SELECT region FROM patients WHERE smoker) p "
        "JOIN (SELECT name AS n, zone AS z FROM regions WHERE population > 600) r ON r.n = p.region GROUP BY p.region"
    ),
    "a lookup": (
        "SELECT v.region, min((SELECT zone FROM regions r WHERE r.name = v.region)), count(*) FROM visits v GROUP BY 1"
    ),
    "a released number": (
        f"SELECT v.region, min(t.total), count(*) FROM visits v JOIN {TOTALS} t ON t.region = v.region GROUP BY v.region"
    ),
    "a released number among others": (
        "SELECT v.region, sum(v.cost) / max(t.total) AS share, min(t.total), count(*) "
        f"FROM visits v LEFT JOIN {TOTALS} t ON t.region = v.region GROUP BY v.region HAVING max(t.total) > 0"
    ),
    "IS NOT DISTINCT FROM a public key": (
        "SELECT p.region, min(zone), count(*) FROM patients p JOIN regions r ON r.name IS NOT DISTINCT FROM p.region "
        "GROUP BY p.region"
    ),
    "IS NOT DISTINCT FROM a released key": (
        "SELECT v.urgent, min(t.n), count(*) FROM visits v "
        "JOIN (SELECT urgent, count(*) AS n FROM visits GROUP BY 1) t ON t.urgent IS NOT DISTINCT FROM v.urgent "
        "GROUP BY v.urgent"
    ),
    "subqueries on both sides": (
        'SELECT "t0"."urgent" AS "urgent", MIN("t1"."x") AS "low", COUNT(1) FROM '
        '(SELECT urgent, cost FROM visits) "t0" '
        'INNER JOIN (SELECT urgent, SUM(cost) AS "x" FROM visits GROUP BY 1) "t1" '
        'ON ("t0"."urgent" IS NOT DISTINCT FROM "t1"."urgent") GROUP BY 1'
    ),
    "a released total": (
        "SELECT v.region, sum(cost) / min(t.total), count(*) FROM visits v "
        "CROSS JOIN (SELECT sum(cost) AS total FROM visits) t GROUP BY v.region"
    ),
    "a released CTE": (
        "WITH t AS (SELECT region, sum(cost) AS total FROM visits GROUP BY region) "
        "SELECT v.region, min(t.total), count(*) FROM visits v JOIN t ON t.region = v.region GROUP BY v.region"
    ),
    "two released numbers": (
        "SELECT v.region, v.urgent, min(t.n), max(u.n), count(*) FROM visits v "
        "JOIN (SELECT region, count(*) AS n FROM visits GROUP BY 1) t ON t.region = v.region "
        "LEFT JOIN (SELECT region, urgent, count(*) AS n FROM visits GROUP BY 1, 2) u "
        "ON u.urgent = v.urgent AND u.region = v.region GROUP BY 1, 2"
    ),
    "what a list allows": (
        f"SELECT v.region, min(t.total), count(*) FROM visits v LEFT JOIN {TOTALS} t ON t.region = v.region "
        "WHERE v.region IN ('north', 'south') GROUP BY v.region"
    ),
    "public rows after those of a public key": (
        "SELECT r.name, max(q.population), count(*) FROM patients p JOIN regions r ON r.name = p.region "
        "LEFT JOIN regions q ON q.name = r.name GROUP BY r.name"
    ),
    "ORDER BY": (
        "SELECT count(*) AS region, min(v.region) FROM visits v GROUP BY v.region ORDER BY min(region) DESC LIMIT 2"
    ),
}


@pytest.fixture(scope="module")
def connections(proxies: StartProxy) -> Iterator[Connections]:
    with client_and_source(proxies(clinic.exact_policy())) as both:
        yield both


@pytest.mark.parametrize("query", QUERIES.values(), ids=QUERIES.keys())
def test_the_value_of_a_group_is_that_of_postgres(query: str, connections: Connections) -> None:
    assert_same_answer(query, connections)
    shown, expected = (
        [(c.name, c.type_code) for c in both.execute(query.encode()).description or ()] for both in connections
    )
    assert shown == expected


NAMED = {
    name: query
    for name, query in QUERIES.items()
    if re.match(r"(WITH .*)?SELECT (.\.)?(region|name|specialty_id), m", query)
}


@pytest.mark.parametrize("query", NAMED.values(), ids=NAMED.keys())
def test_a_group_without_rows_shows_once(query: str, connections: Connections) -> None:
    client, _ = connections
    client.execute("SET dp.empty_groups = 'show'")
    rows = client.execute(query.encode()).fetchall()
    client.execute("SET dp.empty_groups = 'hide'")
    assert len({row[0] for row in rows}) == len(rows)
