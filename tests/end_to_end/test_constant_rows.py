"""Rows that a query writes out itself beside private ones: answered as Postgres does, or refused."""

from __future__ import annotations

import pytest

from tests.end_to_end.comparing import Connections, assert_same_answer

SAME = {
    "values with a weight": "SELECT sum(v.cost * w.weight), avg(w.weight), count(*) FROM visits v "
    "JOIN (VALUES ('north', 1.5), ('south', -2), ('nobody', 7)) AS w(code, weight) ON w.code = v.region",
    "a value of the list as key": "SELECT w.label, count(*) FROM visits v JOIN (VALUES ('north', 'up'), ('south', 'down'), "
    "('west', 'up')) AS w(code, label) ON w.code = v.region GROUP BY w.label",
    "values of two columns each": "SELECT w.label, count(*), sum(p.height) FROM patients p JOIN (VALUES ('north', 'F', 1), "
    "('north', 'M', 2), ('south', 'M', 3)) AS w(region, sex, label) ON w.region = p.region AND w.sex = p.sex GROUP BY 1",
    "values met twice": "SELECT w.label, count(*), sum(v.cost) FROM visits v JOIN (VALUES ('north', 1), ('north', 2), "
    "('south', 2)) AS w(code, label) ON w.code = v.region GROUP BY w.label",
    "values without names": "SELECT column2, count(*) FROM patients JOIN (VALUES ('north', 1), ('south', NULL)) AS w ON column1 = region GROUP BY 1",
    "values after a comma": "SELECT w.b, count(*) FROM visits v, (VALUES (1, 'one'), (2, 'two')) AS w(a, b) WHERE v.specialty_id = w.a GROUP BY w.b",
    "values that a left join misses": "SELECT w.label, count(*), sum(v.minutes) FROM visits v LEFT JOIN (VALUES ('north', 'up')) AS w(code, label) "
    "ON w.code = v.region GROUP BY 1",
    "values as USING": "SELECT region, sum(weight), count(*) FROM visits JOIN (VALUES ('north', 3), ('south', 4)) AS w(region, weight) USING (region) GROUP BY region",
    "a cte of values": "WITH w(code, weight) AS (VALUES ('north', 1), ('south', 2)) SELECT count(*), sum(weight * minutes) FROM visits v JOIN w ON w.code = v.region",
    "a union of constants": "SELECT w.label, count(*) FROM visits v JOIN (SELECT 'north' AS code, 1 AS label UNION ALL SELECT 'south', 2) w ON w.code = v.region GROUP BY 1",
    "a series": "SELECT g.n, count(*) FROM visits v JOIN generate_series(1, 3) AS g(n) ON g.n = v.specialty_id GROUP BY g.n",
    "a series as buckets": "SELECT g.low, count(*), sum(v.cost) FROM generate_series(0, 900, 100) AS g(low) JOIN visits v "
    "ON v.cost >= g.low AND v.cost < g.low + 100 GROUP BY 1 ORDER BY 1",
    "a series by its own name": "SELECT generate_series, count(*) FROM visits, generate_series(1, 3) WHERE specialty_id = generate_series GROUP BY 1",
    "a series by its alias": "SELECT n, count(*) FROM visits JOIN generate_series(1, 3) AS n ON n = specialty_id GROUP BY n",
    "a series in pg_catalog": "SELECT sum(n), count(*) FROM visits v CROSS JOIN pg_catalog.generate_series(2, 4) AS g(n)",
    "an array": "SELECT u.x, count(*) FROM visits v JOIN unnest(ARRAY['north', 'east']) AS u(x) ON u.x = v.region GROUP BY u.x",
    "an array with places": "SELECT u.place, count(*) FROM visits v JOIN unnest(ARRAY['north', 'east']) WITH ORDINALITY AS u(x, place) ON u.x = v.region GROUP BY 1",
    "an array as text": "SELECT u.x, count(*) FROM visits v JOIN unnest('{north,east}'::text[]) AS u(x) ON u.x = v.region GROUP BY u.x",
    "a document": 'SELECT r.label, count(*) FROM visits v JOIN jsonb_to_recordset(\'[{"code": "north", "label": 5}]\') AS r(code text, label int) '
    "ON r.code = v.region GROUP BY 1",
    "lateral without need": "SELECT u.x, count(*) FROM visits v CROSS JOIN LATERAL unnest(ARRAY[1, 2]) AS u(x) WHERE u.x = v.specialty_id GROUP BY 1",
    "functions side by side": "SELECT r.a, r.b, count(*) FROM visits v JOIN ROWS FROM (generate_series(1, 2), unnest(ARRAY['x', 'y'])) AS r(a, b) "
    "ON r.a = v.specialty_id GROUP BY 1, 2",
    "in parentheses": "SELECT count(*), sum(g.n) FROM (generate_series(1, 3) AS g(n) JOIN visits v ON v.specialty_id = g.n) JOIN patients p "
    "ON p.patient_id = v.patient_id WHERE p.smoker",
    "in a subquery of rows": "SELECT label, count(*) FROM (SELECT v.patient_id, w.label FROM visits v JOIN (VALUES ('north', 1)) AS w(code, label) "
    "ON w.code = v.region WHERE v.urgent) x GROUP BY label",
    "in a subquery with the person": "SELECT avg(n) FROM (SELECT v.patient_id, count(*) AS n FROM visits v JOIN (VALUES (1), (2)) AS w(id) "
    "ON w.id = v.specialty_id GROUP BY v.patient_id) x",
    "inside exists": "SELECT count(*) FROM patients p WHERE EXISTS (SELECT FROM visits v JOIN (VALUES ('north'), ('east')) AS w(code) ON w.code = v.region "
    "WHERE v.patient_id = p.patient_id AND v.urgent)",
    "a released number among values": "SELECT count(*) FROM visits v JOIN (VALUES ((SELECT avg(cost) FROM visits))) AS w(usual) ON v.cost > w.usual",
    "a correlated public subquery beside": "SELECT count(*) FROM visits v JOIN (VALUES ('north')) AS w(code) ON w.code = v.region "
    "WHERE EXISTS (SELECT FROM regions r WHERE r.name = code AND r.population > 1000)",
    "a function that names its columns itself": "SELECT count(*) FROM visits WHERE specialty_id IN (SELECT value::int FROM json_array_elements_text('[1, 2]'))",
    "a scalar of the person beside values": "SELECT count(*) FROM visits v JOIN (VALUES ('north')) AS w(code) ON code = region WHERE cost > (SELECT avg(x.cost) FROM visits x "
    "WHERE x.patient_id = v.patient_id)",
    "days without visits": "SELECT g.day, count(v.visit_id), sum(v.minutes) FROM generate_series(date '2025-12-01', date '2026-01-31', interval '1 day') AS g(day) "
    "LEFT JOIN visits v ON date_trunc('day', v.visited_at) = g.day GROUP BY g.day ORDER BY 1",
    "days of a range without visits": "SELECT g.day::date, count(v.visit_id) FROM generate_series('2025-12-01'::timestamp, '2026-01-31', '1 day') AS g(day) "
    "LEFT JOIN visits v ON v.visited_at >= g.day AND v.visited_at < g.day + interval '1 day' GROUP BY 1",
    "a calendar as a cte": "WITH days AS (SELECT generate_series(date '2025-12-01', date '2026-01-31', '1 day')::date AS day) "
    "SELECT d.day, count(v.cost) FROM days d LEFT JOIN visits v ON v.visited_at::date = d.day AND v.urgent GROUP BY d.day",
    "months of a calendar": "WITH months AS (SELECT m::date AS month FROM generate_series(timestamp '2024-01-01', timestamp '2026-03-01', interval '1 month') AS m) "
    "SELECT month, count(v.visit_id) FROM months LEFT JOIN visits v ON date_trunc('month', v.visited_at)::date = month GROUP BY month",
    "values without visits": "SELECT w.label, count(v.visit_id) FROM (VALUES ('north', 'up'), ('nobody', 'down')) AS w(code, label) LEFT JOIN visits v "
    "ON v.region = w.code GROUP BY w.label",
    "days and what came before": "SELECT g.day, count(v.visit_id) FROM generate_series(date '2024-01-01', date '2024-12-01', '1 month') AS g(day) "
    "LEFT JOIN visits v ON v.visited_at < g.day GROUP BY g.day",
    "months as a subquery computes them": "SELECT d.day, count(v.visit_id), sum(v.cost) FROM (SELECT date '2024-01-01' + n * interval '1 month' AS day "
    "FROM generate_series(0, 11) AS n) d LEFT JOIN visits v ON v.visited_at < d.day GROUP BY d.day",
    "a calendar as dbt writes it": "WITH digits AS (SELECT 0 AS n UNION ALL SELECT 1), numbers AS (SELECT a.n + 2 * b.n + 4 * c.n + 8 * d.n + 1 AS n FROM digits a "
    "CROSS JOIN digits b CROSS JOIN digits c CROSS JOIN digits d), periods AS (SELECT date '2024-01-01' + (row_number() OVER (ORDER BY n) - 1) * interval '1 month' "
    "AS day FROM numbers WHERE n <= 12), filtered AS (SELECT * FROM periods WHERE day <= date '2024-12-01') "
    "SELECT f.day, count(v.visit_id) FROM filtered f LEFT JOIN visits v ON v.visited_at < f.day GROUP BY f.day",
    "a calendar by recursion": "WITH RECURSIVE days(day) AS (SELECT timestamp '2024-01-01' UNION ALL SELECT day + interval '1 month' FROM days WHERE day < '2024-12-01') "
    "SELECT d.day, count(v.visit_id) FROM days d LEFT JOIN visits v ON v.visited_at < d.day GROUP BY d.day",
    "days until now": "SELECT d.day - current_date AS days, count(v.visit_id) FROM (SELECT generate_series(current_date - 3, now(), '1 day')::date AS day) d "
    "LEFT JOIN visits v ON v.visited_at < d.day GROUP BY 1",
    "groups of public rows": "SELECT t.n, count(v.visit_id) FROM (SELECT length(name) AS n, count(*) FROM regions GROUP BY 1) t LEFT JOIN visits v ON v.minutes < 10 * t.n GROUP BY 1",
    "hours by right join": "SELECT h, count(v.cost) FROM visits v RIGHT JOIN generate_series(0, 30) AS h ON extract(hour FROM v.visited_at) = h GROUP BY h",
}


@pytest.mark.parametrize("query", SAME.values(), ids=SAME.keys())
def test_constant_rows_beside_private_ones_equal_postgres(query: str, connections: Connections) -> None:
    assert_same_answer(query, connections)


@pytest.mark.parametrize("rows", [100, 101])
def test_more_than_a_hundred_rows_of_a_series_of_days_limit_those_of_a_unit(
    rows: int, connections: Connections
) -> None:
    days = f"generate_series(date '2024-01-01', date '2024-01-01' + {rows - 1}, '1 day') AS d(day)"
    query = f"EXPLAIN SELECT d.day, count(v.visit_id) FROM {days} LEFT JOIN visits v ON v.visited_at < d.day GROUP BY 1"
    client, _ = connections
    told = "\n".join(str(line) for (line,) in client.execute(query.encode()).fetchall())
    assert ("meet others" in told) is (rows > 100)
