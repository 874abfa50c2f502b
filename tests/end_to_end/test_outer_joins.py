"""Outer joins in either direction and inside each other: answered as Postgres does, or refused."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import psycopg
import pytest

from tests.end_to_end import test_private_joins
from tests.end_to_end.comparing import Connections, assert_same_answer, client_and_source
from tests.end_to_end.conftest import StartProxy

SAME = {
    "a right join by USING": "SELECT region, count(*), sum(v.minutes) FROM (SELECT patient_id, minutes FROM visits WHERE cost > 900) v RIGHT JOIN patients p USING (patient_id) GROUP BY region",
    "the merged column of a right join": "SELECT count(patient_id), count(*), count(v.patient_id), count(p.patient_id), count(DISTINCT patient_id) FROM "
    "(SELECT * FROM visits WHERE cost > 900) v RIGHT JOIN patients p USING (patient_id)",
    "the merged column of a right join in a subquery": "SELECT count(patient_id), count(*), count(minutes) FROM (SELECT * FROM (SELECT patient_id, minutes FROM visits WHERE cost > 950) v "
    "RIGHT JOIN (SELECT patient_id, sex FROM patients) p USING (patient_id)) x WHERE sex = 'F'",
    "a right join by NATURAL": "SELECT sex, count(*), count(minutes) FROM (SELECT patient_id, minutes FROM visits WHERE urgent) v NATURAL RIGHT JOIN patients GROUP BY sex",
    "a join after a right join by USING": "SELECT count(*), count(v.cost), count(w.n) FROM (SELECT * FROM visits WHERE cost > 950) v RIGHT JOIN patients p USING (patient_id) "
    "JOIN (SELECT patient_id, count(*) AS n FROM visits GROUP BY 1) w USING (patient_id)",
    "a public right join by USING": "SELECT specialty_id, title, count(v.visit_id) FROM visits v RIGHT JOIN specialties s USING (specialty_id) GROUP BY specialty_id, title",
    "what is NULL of a public row that nobody meets": "SELECT title, count(v.diagnosis ~ '[0-2]'), count(v.cost ^ 2), count(v.visited_at AT TIME ZONE 'UTC') "
    "FROM specialties s LEFT JOIN visits v USING (specialty_id) GROUP BY title",
    "a condition that no such row meets": "SELECT title, count(*) FROM specialties s LEFT JOIN visits v USING (specialty_id) WHERE NOT (v.diagnosis ~ '[0-2]' ) GROUP BY title",
    "a join by USING of what nobody meets": "SELECT title, count(v.visit_id), count(g.zone) FROM specialties s LEFT JOIN visits v USING (specialty_id) "
    "JOIN (SELECT name AS region, zone FROM regions) g USING (region) GROUP BY title",
    "a left join by USING of what nobody meets": "SELECT title, count(v.visit_id), count(g.zone) FROM specialties s LEFT JOIN visits v USING (specialty_id) "
    "LEFT JOIN (SELECT name AS region, zone FROM regions) g USING (region) GROUP BY title",
    "a left join by the unit of what nobody meets": "SELECT r.name, count(v.visit_id), count(p.sex) FROM regions r LEFT JOIN visits v ON v.region = r.name "
    "LEFT JOIN patients p ON p.patient_id = v.patient_id GROUP BY r.name",
    "CASE that is NULL of public rows that nobody meets": "SELECT title, count(v.visit_id), count(CASE WHEN v.cost > 300 THEN 1 END), sum(CASE WHEN v.urgent THEN v.minutes END), "
    "count(DISTINCT CASE WHEN v.urgent THEN v.visit_id END), avg(CASE WHEN v.urgent THEN v.cost END) FROM specialties s LEFT JOIN visits v USING (specialty_id) GROUP BY title",
    "numbers that are 0 of public rows that nobody meets": "SELECT title, sum(CASE WHEN v.urgent THEN 1 ELSE 0 END), sum(coalesce(v.cost, 0.00)), sum(least(greatest(v.minutes, 0), 90)), "
    "sum((v.cost > 300 AND v.visit_id IS NOT NULL)::int), sum(DISTINCT CASE v.urgent WHEN true THEN v.minutes ELSE 0 END) FROM specialties s LEFT JOIN visits v USING (specialty_id) GROUP BY title",
    "a sum of 0 beside a count of no rows": "SELECT title, count(v.visit_id), sum(v.minutes), sum(coalesce(v.minutes, 0)), sum(CASE WHEN v.urgent THEN v.cost ELSE 0.00 END) "
    "FROM specialties s LEFT JOIN visits v USING (specialty_id) GROUP BY title",
    "a FILTER that no such row meets": "SELECT title, count(*) FILTER (WHERE v.urgent), count(*) FILTER (WHERE v.visit_id IS NOT NULL), sum(coalesce(v.cost, 0.00)) FILTER (WHERE v.cost IS NOT NULL), "
    "count(*) FILTER (WHERE v.visit_id IS NOT NULL AND v.cost IS NULL), avg(coalesce(v.cost, 0.00)) FILTER (WHERE v.visit_id IS NOT NULL) "
    "FROM specialties s LEFT JOIN visits v USING (specialty_id) GROUP BY title",
    "conditions that decide nothing of such rows": "SELECT title, bool_or(coalesce(v.urgent, false)), count(v.visit_id) FROM specialties s LEFT JOIN visits v USING (specialty_id) GROUP BY title",
    "WHERE that leaves such rows out": "SELECT title, count(*), sum(coalesce(v.cost, 0.00)), avg(coalesce(v.cost, 0.00)) FROM specialties s LEFT JOIN visits v USING (specialty_id) "
    "WHERE v.visit_id IS NOT NULL GROUP BY title",
    "a sum of 0 over rows that WHERE leaves out": "SELECT count(*), sum(coalesce(v.cost, 0)) FROM specialties s LEFT JOIN visits v USING (specialty_id) WHERE v.visit_id < 0",
    "a subquery that projects": "SELECT title, count(id), sum(CASE WHEN urgent THEN 1 ELSE 0 END) FROM (SELECT s.title, v.visit_id AS id, v.urgent FROM specialties s "
    "LEFT JOIN visits v USING (specialty_id)) t GROUP BY 1 ORDER BY title",
    "a subquery with a condition, an order and computed columns": "SELECT t.title || '!' AS title, count(t.id) AS n, sum(t.long) FROM (SELECT title, v.visit_id AS id, CASE WHEN v.minutes > 60 THEN 1 ELSE 0 END AS long "
    "FROM specialties s LEFT JOIN visits v ON v.specialty_id = s.specialty_id WHERE s.specialty_id > 1 OR s.title = 'x' ORDER BY 1) AS t WHERE t.title <> 'x' OR t.title IS NULL GROUP BY t.title HAVING count(t.id) < 99999",
    "an alias that is also a column inside": "SELECT left(title, 3) AS specialty_id, count(id) FROM (SELECT s.title, v.visit_id AS id FROM specialties s LEFT JOIN visits v USING (specialty_id)) t GROUP BY specialty_id",
    "a CTE with all columns of one side": "WITH q AS (SELECT s.*, v.visit_id, v.cost FROM specialties s LEFT JOIN visits v ON v.specialty_id = s.specialty_id) SELECT title, specialty_id, sum(cost) FILTER (WHERE cost > 100), count(visit_id) FROM q GROUP BY title, specialty_id",
    "subqueries of a data frame": 'SELECT "title", COUNT("visit_id") AS "n" FROM (SELECT * FROM (SELECT "LHS".*, "visit_id", "minutes" FROM "specialties" AS "LHS" LEFT JOIN "visits" AS "RHS" ON ("LHS"."specialty_id" = "RHS"."specialty_id")) AS "q01" '
    'WHERE ("title" <> \'x\')) AS "q02" GROUP BY "title"',
    "a data set of a BI tool": 'SELECT "source"."title" AS "title", avg("source"."Visits__cost") AS "avg", count("source"."Visits__cost") FROM (SELECT "public"."specialties"."title" AS "title", "Visits"."cost" AS "Visits__cost" '
    'FROM "public"."specialties" LEFT JOIN "public"."visits" AS "Visits" ON "public"."specialties"."specialty_id" = "Visits"."specialty_id") AS "source" GROUP BY "source"."title" ORDER BY "source"."title" ASC',
    "a subquery before other items": "SELECT zone, count(t.id), sum(population) FILTER (WHERE t.id IS NOT NULL) FROM (SELECT name AS n, v.visit_id AS id FROM regions LEFT JOIN visits v ON v.region = name WHERE population > 5) t "
    "JOIN (SELECT name, zone FROM regions) z ON z.name = n LEFT JOIN (SELECT name AS population_of, population FROM regions) q ON population_of = t.n WHERE zone <> 'x' GROUP BY zone",
    "a subquery before private rows of the unit": "SELECT sex, count(*), count(DISTINCT title) FROM (SELECT s.title, v.patient_id AS p FROM specialties s LEFT JOIN visits v USING (specialty_id)) t JOIN patients ON patient_id = p GROUP BY sex",
    "a calendar in a subquery": "SELECT d, count(visit_id) FROM (SELECT d, visit_id FROM generate_series(timestamp '2024-01-01', timestamp '2024-01-10', interval '1 day') AS d LEFT JOIN visits ON date_trunc('day', visited_at) = d) t GROUP BY d",
    "totals beside public rows that nobody meets": "SELECT title, count(v.visit_id) FROM specialties s LEFT JOIN "
    "(SELECT * FROM visits WHERE cost > 999999) v USING (specialty_id) GROUP BY ROLLUP (title)",
    "left joins inside a left join": "SELECT p.sex, count(*), count(v.cost), count(w.minutes) FROM patients p LEFT JOIN (visits v LEFT JOIN visits w "
    "ON w.patient_id = v.patient_id AND w.visit_id < 300) ON v.patient_id = p.patient_id AND v.visit_id < 300 GROUP BY p.sex",
    "a chain of foreign keys": "SELECT p.sex, count(*), count(v.cost), count(r.dose), sum(r.dose) FROM patients p LEFT JOIN (visits v LEFT JOIN prescriptions r "
    "ON r.visit_id = v.visit_id) ON v.patient_id = p.patient_id GROUP BY p.sex",
    "a chain of foreign keys, one after another": "SELECT count(*), count(v.cost), sum(r.dose) FROM patients p LEFT JOIN visits v ON v.patient_id = p.patient_id "
    "LEFT JOIN prescriptions r ON r.visit_id = v.visit_id AND r.dose > 80",
    "a chain of right joins": "SELECT p.sex, count(*), sum(r.dose) FROM prescriptions r RIGHT JOIN visits v ON v.visit_id = r.visit_id RIGHT JOIN patients p "
    "ON p.patient_id = v.patient_id GROUP BY 1",
    "a chain and a table beside it": "SELECT count(*), count(r.dose), sum(i.premium) FROM patients p LEFT JOIN (visits v LEFT JOIN prescriptions r "
    "ON r.visit_id = v.visit_id AND r.dose > 85) ON v.patient_id = p.patient_id AND v.cost > 900 LEFT JOIN insurances i ON i.patient_id = p.patient_id",
}

MULTIPLYING = {
    "three lists of the person": "SELECT count(*) FROM patients p LEFT JOIN visits a ON a.patient_id = p.patient_id LEFT JOIN visits b "
    "ON b.patient_id = p.patient_id LEFT JOIN visits c ON c.patient_id = p.patient_id",
    "three lists inside each other": "SELECT count(*) FROM patients p LEFT JOIN (visits a LEFT JOIN (visits b LEFT JOIN visits c "
    "ON c.patient_id = b.patient_id) ON b.patient_id = a.patient_id) ON a.patient_id = p.patient_id",
}


@pytest.fixture(scope="module")
def connections(proxies: StartProxy, copy_clinic: Callable[[], str]) -> Iterator[Connections]:
    """A client of an exact proxy before the clinic with more tables, and one of its source."""
    with client_and_source(test_private_joins.start(proxies, copy_clinic)) as both:
        yield both


@pytest.mark.parametrize("query", SAME.values(), ids=SAME.keys())
def test_outer_join_equals_postgres(query: str, connections: Connections) -> None:
    assert_same_answer(query, connections)


@pytest.mark.parametrize("query", MULTIPLYING.values(), ids=MULTIPLYING.keys())
def test_outer_joins_multiply_one_private_table_at_most(query: str, connections: Connections) -> None:
    with pytest.raises(psycopg.errors.FeatureNotSupported, match="multiply the private rows"):
        connections[0].execute(query.encode())


@pytest.mark.parametrize(
    "query",
    [
        "SELECT r.name, count(*) FROM regions r LEFT JOIN visits v ON v.region = r.name "
        "LEFT JOIN patients p ON p.patient_id = v.patient_id GROUP BY r.name",
        "SELECT r.name, count(*) FROM regions r LEFT JOIN visits v ON v.region = r.name "
        "LEFT JOIN patients USING (patient_id) GROUP BY r.name",
        "SELECT count(*) FROM visits v RIGHT JOIN regions r ON v.region = r.name "
        "LEFT JOIN patients p USING (patient_id) WHERE v.urgent IS NULL",
    ],
)
def test_a_join_that_finds_a_row_for_all_private_ones_loses_no_public_one(query: str, connections: Connections) -> None:
    """As an inner join it would: so rows that nobody meets must not count, as without it."""
    with pytest.raises(psycopg.errors.FeatureNotSupported, match="public rows without a matching private row"):
        connections[0].execute(query.encode())


@pytest.mark.parametrize(
    "query",
    [
        "SELECT patient_id > 1000, count(*) FROM (SELECT patient_id AS p FROM visits) v LEFT JOIN patients ON patient_id = p GROUP BY 1",
        "SELECT patient_id > 1000, count(*) FROM (SELECT a FROM (SELECT patient_id AS a, region FROM visits) q WHERE region <> 'x') v "
        "LEFT JOIN (SELECT * FROM patients) p ON patient_id = a GROUP BY 1",
        "WITH v AS (SELECT DISTINCT patient_id AS p, region FROM visits) SELECT q.i > 1000, count(*) FROM v "
        "LEFT JOIN (SELECT patient_id AS i FROM patients) q ON v.p = q.i GROUP BY 1",
    ],
)
def test_a_left_join_along_a_foreign_key_that_a_subquery_hands_on_adds_no_group_of_null(
    query: str, connections: Connections
) -> None:
    client, source = connections
    client.execute("SET dp.empty_groups = 'show'")
    try:
        found: dict[bool | None, int] = dict(client.execute(query.encode()).fetchall())
    finally:
        client.execute("SET dp.empty_groups = 'hide'")
    assert None not in found
    assert {key: count for key, count in found.items() if count} == dict(source.execute(query.encode()).fetchall())


def test_merged_column_of_two_kinds_of_number_is_refused(connections: Connections) -> None:
    """Postgres gives it a common type: 61 / 2 is 30.5 there, and 30 with the type of one side."""
    with pytest.raises(
        psycopg.errors.FeatureNotSupported, match=r"USING \(h\) over columns of types integer and numeric"
    ):
        connections[0].execute(
            "SELECT sum(h / 2) FROM (SELECT patient_id, minutes AS h FROM visits) v "
            "JOIN (SELECT patient_id, 61.0 AS h FROM patients) p USING (patient_id, h)"
        )
