"""Subqueries among private rows: answered as Postgres does where every row has one unit, refused where it need not."""

from __future__ import annotations

import psycopg
import pytest

from tests.end_to_end.comparing import Connections, assert_same_answer

SAME = {
    "an average of counts per person": "SELECT avg(n), sum(n), count(*) FROM (SELECT patient_id, count(*) AS n FROM visits GROUP BY patient_id) AS each",
    "a histogram of counts per person": "SELECT n, count(*) FROM (SELECT patient_id, count(*) AS n FROM visits GROUP BY 1) AS each GROUP BY n ORDER BY n",
    "renamed by FROM": "SELECT c_count, count(*) AS custdist FROM (SELECT patient_id, count(visit_id) FROM visits GROUP BY patient_id) "
    "AS c_orders (c_custkey, c_count) GROUP BY c_count ORDER BY custdist DESC, c_count DESC",
    "a left join inside": "SELECT n, count(*) FROM (SELECT p.patient_id, count(v.visit_id) FROM patients p LEFT JOIN visits v "
    "ON v.patient_id = p.patient_id AND v.urgent GROUP BY p.patient_id) AS x (id, n) GROUP BY n",
    "having per person": "SELECT count(*), avg(total) FROM (SELECT patient_id, sum(cost) AS total FROM visits GROUP BY patient_id "
    "HAVING count(*) > 5 AND max(cost) > 900) AS x",
    "keys beside the person": "SELECT region, avg(n), count(*) FROM (SELECT patient_id, region, count(*) AS n, min(cost) AS cheapest FROM visits "
    "GROUP BY patient_id, region) x WHERE cheapest < 100 GROUP BY region",
    "expressions of aggregates": "SELECT sum(share), count(*) FROM (SELECT patient_id, count(*) FILTER (WHERE urgent) * 100 / count(*) AS share "
    "FROM visits GROUP BY patient_id) x",
    "minimum and maximum per person": "SELECT count(*) FROM (SELECT patient_id, max(visited_at) - min(visited_at) AS span, bool_or(urgent) AS u "
    "FROM visits GROUP BY patient_id) x WHERE span > interval '500 days' AND u",
    "standard deviations per person": "SELECT round(avg(s), 3), count(s), count(*), round(sum(p), 1) FROM (SELECT patient_id, stddev(minutes) AS s, "
    "stddev_pop(cost) FILTER (WHERE urgent) AS p FROM visits GROUP BY patient_id) x",
    "variances per person": "SELECT round(sum(v), 1), round(sum(d), 1), round(sum(f)::numeric, 1) FROM (SELECT patient_id, variance(minutes) AS v, "
    "var_pop(DISTINCT minutes) AS d, var_samp(score) AS f FROM visits GROUP BY patient_id) x",
    "a median per person": "SELECT sex, avg(m), count(m) FROM patients JOIN (SELECT patient_id, percentile_cont(0.5) WITHIN GROUP (ORDER BY cost) "
    "FILTER (WHERE minutes > 20) AS m FROM visits GROUP BY patient_id) x USING (patient_id) GROUP BY sex",
    "percentiles per person": "SELECT avg(m), d >= '2025-06-01' AS y, count(*) FROM (SELECT percentile_disc(0.25) WITHIN GROUP (ORDER BY minutes DESC) AS m, "
    "percentile_disc(1) WITHIN GROUP (ORDER BY visited_at) AS d FROM visits GROUP BY patient_id) x GROUP BY y",
    "the most frequent value per person": "SELECT m, count(*), avg(n) FROM (SELECT patient_id, mode() WITHIN GROUP (ORDER BY region) AS m, "
    "mode() WITHIN GROUP (ORDER BY minutes DESC) AS n FROM visits GROUP BY patient_id) x WHERE m IN ('east', 'west', 'north', 'south') GROUP BY m",
    "beyond the person's own deviation": "SELECT count(*) FROM visits v WHERE abs(cost - (SELECT avg(w.cost) FROM visits w WHERE w.patient_id = v.patient_id)) "
    "> (SELECT stddev(w.cost) FROM visits w WHERE w.patient_id = v.patient_id)",
    "above the person's median": "SELECT region, count(*) FROM visits v WHERE cost > (SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY w.cost) "
    "FROM visits w WHERE w.patient_id = v.patient_id) GROUP BY region",
    "a moving deviation": "SELECT count(*), round(avg(s), 2) FROM (SELECT cost, stddev(cost) OVER (PARTITION BY patient_id ORDER BY visit_id ROWS 5 PRECEDING) AS s "
    "FROM visits) x WHERE cost > s",
    "ages at a text": "SELECT extract(year FROM age('2024-07-01', registered)) AS y, count(*) FROM patients GROUP BY 1",
    "ages of moments at a text": "SELECT count(*) FILTER (WHERE age('2025-03-31 12:00', visited_at) < interval '3 months 2 days'), "
    "count(*) FILTER (WHERE age(seen_at, '2025-03-31 12:00+02') > interval '5 days') FROM visits",
    "texts as uuids": "SELECT count(md5(diagnosis)::uuid), count(('{' || md5(region) || '}')::uuid), count(DISTINCT md5(patient_id::text)::uuid), "
    "count(CASE WHEN minutes > 9 THEN 'a0eebc999c0b4ef8-bb6d6bb9bd380a11'::uuid END) FROM visits",
    "an aggregate expression as key": "SELECT many, count(*) FROM (SELECT patient_id, count(*) > 6 AS many FROM visits GROUP BY patient_id) x GROUP BY many",
    "distinct with the person": "SELECT region, count(*) FROM (SELECT DISTINCT patient_id, region FROM visits) x GROUP BY region",
    "distinct values per person": "SELECT sum(k), max(1) FROM (SELECT patient_id, count(DISTINCT specialty_id) AS k FROM visits GROUP BY 1) x HAVING true".replace(
        ", max(1)", ""
    ),
    "joined on the person": "SELECT p.sex, avg(x.n), count(*) FROM patients p JOIN (SELECT patient_id, count(*) AS n FROM visits GROUP BY patient_id) x "
    "ON x.patient_id = p.patient_id GROUP BY p.sex",
    "left joined on the person": "SELECT p.smoker, count(*), count(x.n), sum(coalesce(x.n, 0)) FROM patients p LEFT JOIN "
    "(SELECT patient_id, count(*) AS n FROM visits WHERE cost > 950 GROUP BY patient_id) x USING (patient_id) GROUP BY 1",
    "rank within the person": "SELECT region, count(*), sum(cost) FROM (SELECT region, cost, row_number() OVER (PARTITION BY patient_id "
    "ORDER BY visited_at, visit_id) AS n FROM visits) x WHERE n = 1 GROUP BY region",
    "lag within the person": "SELECT count(*), avg(minutes - before) FROM (SELECT minutes, lag(minutes) OVER (PARTITION BY patient_id ORDER BY visit_id) "
    "AS before FROM visits) x WHERE before IS NOT NULL",
    "aggregates over the person": "SELECT count(*) FROM (SELECT cost, avg(cost) OVER (PARTITION BY patient_id) AS usual, "
    "count(*) OVER (PARTITION BY patient_id, region ORDER BY visit_id ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) AS k FROM visits) x WHERE cost > usual AND k = 2",
    "union all of rows": "SELECT region, count(*), sum(x) FROM (SELECT patient_id, region, minutes AS x FROM visits WHERE urgent UNION ALL "
    "SELECT patient_id, region, birth_year FROM patients) u GROUP BY region",
    "union all of three": "WITH u AS (SELECT patient_id, minutes AS m FROM visits WHERE minutes > 100 UNION ALL SELECT patient_id, birth_year FROM patients "
    "UNION ALL SELECT patient_id, 1 FROM visits WHERE urgent) SELECT count(*), sum(m), count(DISTINCT patient_id) FROM u",
    "a cte of per-person rows read twice": "WITH per AS (SELECT patient_id, count(*) AS n FROM visits GROUP BY patient_id) "
    "SELECT (SELECT count(*) FROM per WHERE n > 5), (SELECT avg(n) FROM per)",
    "a cte renamed": "WITH per (id, n) AS (SELECT patient_id, count(*) FROM visits GROUP BY patient_id) SELECT sex, avg(n) FROM per JOIN patients ON patient_id = id GROUP BY sex",
    "in over a group per person": "SELECT count(*) FROM visits WHERE patient_id IN (SELECT patient_id FROM visits GROUP BY patient_id HAVING count(*) > 8)",
    "exists over a group per person": "SELECT count(*) FROM patients p WHERE EXISTS (SELECT 1 FROM (SELECT patient_id AS id, sum(cost) AS s FROM visits "
    "GROUP BY patient_id) x WHERE x.id = p.patient_id AND x.s > 3000)",
    "a scalar subquery within the person": "SELECT count(*) FROM visits v WHERE cost > (SELECT avg(w.cost) FROM visits w WHERE w.patient_id = v.patient_id)",
    "a count within the person": "SELECT count(*), sum(height) FROM patients p WHERE (SELECT count(*) FROM visits v WHERE v.patient_id = p.patient_id AND urgent) = 0",
    "a scalar subquery in a sum": "SELECT sum(CASE WHEN cost > (SELECT avg(w.cost) FROM visits w WHERE w.patient_id = v.patient_id) THEN 1 ELSE 0 END) FROM visits v",
    "above the average of all": "SELECT region, count(*) FROM visits WHERE cost > (SELECT avg(cost) FROM visits) GROUP BY region",
    "above a share of the sum": "SELECT count(*) FROM visits WHERE cost * 5000 > (SELECT 0.5 * sum(cost) FROM visits WHERE urgent)",
    "above the average of the group": "SELECT count(*) FROM visits v WHERE visit_id < 300 AND cost > (SELECT avg(w.cost) FROM visits w WHERE w.region = v.region)",
    "above the average of a public key": "SELECT sum(v.cost) FROM visits v, specialties s WHERE s.specialty_id = v.specialty_id AND s.title LIKE '%logy' AND v.visit_id < 300 "
    "AND v.minutes < (SELECT 0.5 * avg(minutes) FROM visits w WHERE w.specialty_id = s.specialty_id)",
    "a count for a public key without rows": "SELECT title, (SELECT count(*) FROM visits v WHERE v.specialty_id = s.specialty_id) AS n FROM specialties s ORDER BY 1",
    "a correlated subquery in a public query": "SELECT name FROM regions r WHERE population > (SELECT 0.25 * count(*) FROM visits v WHERE v.region = r.name AND v.urgent) ORDER BY 1",
    "joined with a released result": "SELECT count(*) FROM visits v JOIN (SELECT region, avg(cost) AS usual FROM visits GROUP BY region) a ON a.region = v.region WHERE v.cost > a.usual",
    "a released cte read twice": "WITH a AS (SELECT region, avg(cost) AS usual FROM visits GROUP BY region) SELECT count(*), (SELECT max(usual) FROM a) "
    "FROM visits v JOIN a ON a.region = v.region WHERE v.cost > a.usual",
    "in a released result": "SELECT count(*) FROM visits WHERE region IN (SELECT region FROM visits GROUP BY region ORDER BY count(*) DESC LIMIT 2)",
    "not in a public result": "SELECT count(*) FROM visits WHERE region NOT IN (SELECT name FROM regions ORDER BY population DESC LIMIT 2)",
    "a public subquery that groups": "SELECT g.zone, count(*) FROM patients p JOIN (SELECT name, max(zone) AS zone FROM regions GROUP BY name) g ON g.name = p.region GROUP BY g.zone",
    "a public subquery that filters": "SELECT g.zone, count(*) FROM patients p JOIN (SELECT name, zone FROM regions WHERE population > 600) g ON g.name = p.region GROUP BY g.zone",
    "released, then released": "SELECT count(*) FROM visits WHERE cost > (SELECT avg(cost) FROM visits WHERE cost > (SELECT avg(cost) FROM visits))",
    "a public left join counts zeros": "SELECT s.title, count(v.visit_id), count(v.cost) FROM specialties s LEFT JOIN visits v ON v.specialty_id = s.specialty_id GROUP BY s.title",
    "a public left join with a condition": "SELECT r.name, count(v.visit_id) AS n FROM regions r LEFT JOIN visits v ON v.region = r.name AND v.urgent GROUP BY r.name ORDER BY n, 1",
    "a right join": "SELECT r.name, count(v.visit_id) FROM visits v RIGHT JOIN regions r ON v.region = r.name GROUP BY r.name",
    "a right join of the person": "SELECT p.sex, count(*), count(v.cost) FROM visits v RIGHT JOIN patients p ON p.patient_id = v.patient_id AND v.cost > 900 GROUP BY p.sex",
    "a full join of the person": "SELECT count(*), count(v.cost), count(p.height) FROM (SELECT * FROM visits WHERE cost > 500) v FULL JOIN patients p ON p.patient_id = v.patient_id",
    "a public left join that a condition undoes": "SELECT s.title, count(*) FROM specialties s LEFT JOIN visits v ON v.specialty_id = s.specialty_id WHERE v.cost > 10 GROUP BY s.title",
    "common factors of OR": "SELECT count(*) FROM patients p, visits v WHERE (p.patient_id = v.patient_id AND p.sex = 'F' AND v.cost < 100) "
    "OR (p.patient_id = v.patient_id AND p.sex = 'M' AND v.minutes > 60)",
    "a list in WHERE declares keys": "SELECT substring(diagnosis from 1 for 11) AS d, count(*) FROM visits WHERE substring(diagnosis from 1 for 11) IN ('diagnosis 1', 'diagnosis 4') GROUP BY 1",
    "union of a person's rows": "SELECT region, count(*) FROM (SELECT patient_id, region FROM visits UNION SELECT patient_id, region FROM patients) u GROUP BY region",
    "except within the person": "SELECT count(*) FROM (SELECT patient_id, region FROM visits EXCEPT SELECT patient_id, region FROM visits WHERE urgent) u",
    "intersect within the person": "SELECT count(*), count(DISTINCT id) FROM (SELECT region, patient_id AS id FROM visits INTERSECT SELECT region, patient_id FROM patients) u",
    "joins in parentheses": "SELECT g.zone, count(*), count(v.cost) FROM ((patients p JOIN regions g ON g.name = p.region) LEFT JOIN "
    "(visits v JOIN specialties s USING (specialty_id)) ON v.patient_id = p.patient_id AND s.title LIKE 'c%') GROUP BY g.zone".replace(
        "USING (specialty_id)", "ON s.specialty_id = v.specialty_id"
    ),
    "a row-level cte in a join in parentheses": "WITH u AS (SELECT * FROM visits WHERE urgent) SELECT count(*) FROM (u JOIN patients p ON p.patient_id = u.patient_id) WHERE p.smoker",
    "lateral within the person": "SELECT p.region, count(*), avg(x.cost) FROM patients p CROSS JOIN LATERAL (SELECT v.cost FROM visits v "
    "WHERE v.patient_id = p.patient_id AND v.minutes > 60) x GROUP BY p.region",
    "the latest of each person": "SELECT p.sex, count(*), sum(latest.cost), avg(latest.m) FROM patients p, LATERAL (SELECT cost, minutes + 1 AS m FROM visits v "
    "WHERE v.patient_id = p.patient_id ORDER BY v.visited_at DESC, visit_id LIMIT 1) latest GROUP BY p.sex",
    "a lateral count of nothing is none in a subquery too": "SELECT count(*) FROM patients p, LATERAL (SELECT count(*) AS n FROM visits v "
    "WHERE v.patient_id = p.patient_id AND v.cost > 100000) AS x WHERE EXISTS (SELECT FROM visits w WHERE w.patient_id = p.patient_id AND w.minutes > x.n)",
    "a lateral count": "SELECT p.smoker, sum(x.n), avg(x.n), count(x.s), count(*) FROM patients p LEFT JOIN LATERAL (SELECT count(*) AS n, sum(cost) AS s FROM visits v "
    "WHERE v.patient_id = p.patient_id AND v.urgent) x ON true GROUP BY 1",
    "a coalesced scalar without rows": "SELECT count(*), sum(birth_year) FROM patients p WHERE coalesce((SELECT sum(cost) FROM visits v WHERE v.patient_id = p.patient_id AND urgent), 0) < 100 "
    "AND (SELECT coalesce(sum(minutes), -1) FROM visits v WHERE v.patient_id = p.patient_id AND NOT urgent) > 50",
    "any and all": "SELECT count(*) FROM visits v WHERE region = ANY (SELECT name FROM regions WHERE zone = 'cold') AND specialty_id <> ALL (SELECT specialty_id FROM specialties WHERE code IS NULL) "
    "AND patient_id = ANY (SELECT patient_id FROM patients WHERE smoker)",
    "a condition per person as key": "SELECT many, count(*) FROM (SELECT patient_id, count(*) > 6 AND bool_or(urgent) AS many FROM visits GROUP BY patient_id) x GROUP BY many",
    "a rank as key": "SELECT n, count(*) FROM (SELECT row_number() OVER (PARTITION BY patient_id ORDER BY visit_id) AS n FROM visits) x GROUP BY n",
    "buckets": "SELECT width_bucket(cost, 0, 1000, 5) AS b, count(*) FROM visits GROUP BY b",
    "a public left join narrowed by a subquery": "SELECT s.title, count(v.visit_id) FROM specialties s LEFT JOIN visits v ON v.specialty_id = s.specialty_id "
    "WHERE s.specialty_id <> ALL (SELECT specialty_id FROM specialties WHERE code IS NULL) GROUP BY 1",
    "a public left join narrowed by a released number": "SELECT r.name, count(v.visit_id) FROM regions r LEFT JOIN visits v ON v.region = r.name AND v.urgent "
    "WHERE r.population <= (SELECT 0.1 * count(*) FROM visits) GROUP BY 1",
    "a public left join after a public join": "SELECT r.name, s.title, count(v.cost), sum(v.minutes) FROM regions r JOIN specialties s ON s.specialty_id < 3 OR r.zone = 'cold' "
    "LEFT JOIN visits v ON v.region = r.name AND v.specialty_id = s.specialty_id GROUP BY 1, 2",
    "a public left join, then a public join": "SELECT r.name, count(extract(dow FROM v.visited_at)), avg(abs(v.minutes)) FROM regions r LEFT JOIN visits v ON v.region = r.name "
    "JOIN specialties s ON s.code = left(upper(r.name), 1) OR s.specialty_id = 1 GROUP BY 1",
    "a scalar after a comma": "SELECT p.sex, count(*) FROM visits v, patients p WHERE p.patient_id = v.patient_id AND v.visit_id < 500 "
    "AND p.height <= (SELECT 2 * avg(w.minutes) FROM visits w WHERE w.region = v.region) GROUP BY 1",
    "a chain of left joins": "SELECT count(*), count(x.cost) FROM patients p LEFT JOIN (visits v LEFT JOIN visits x ON x.visit_id = v.visit_id AND x.urgent) ON v.patient_id = p.patient_id",
    "decimals as floats": "SELECT sum(cost::float8), avg(cost::float8) FROM visits",
    "totals over nothing": "SELECT region, urgent, count(*), sum(cost) FROM visits WHERE cost < 0 GROUP BY ROLLUP (region, urgent)",
    "a sum over NULLs": "SELECT region, count(*), count(cost), sum(cost) FROM visits WHERE cost IS NULL GROUP BY region",
    "values in one empty set": "SELECT count(DISTINCT diagnosis), count(*) FROM visits GROUP BY ()",
    "any of an array in CASE": "SELECT CASE WHEN minutes > ANY (ARRAY[100, 110]) THEN 'long' END, count(*) FROM visits GROUP BY 1",
    "averages of floats per person": "SELECT count(*), sum(n) FROM (SELECT patient_id, avg(round(score)) AS n FROM visits GROUP BY 1) x",
    "digits of computed constants": "SELECT sum(0 * 1.5), sum((12 - 10)::numeric(12, 1)), sum(minutes * (3 * 0.5)) FROM visits",
    "a constant branch": "SELECT kind, count(*) FROM (SELECT patient_id, 'visit' AS kind FROM visits UNION ALL SELECT patient_id, 'patient' FROM patients) u GROUP BY kind",
    "a date trunc of a subquery's column": "SELECT m, sum(n) FROM (SELECT patient_id, date_trunc('month', visited_at) AS m, count(*) AS n FROM visits GROUP BY 1, 2) x GROUP BY m",
    "months inside": "SELECT m, count(*) FROM (SELECT date_trunc('month', visited_at) AS m, cost FROM visits WHERE region IN ('north', 'west')) x WHERE cost > 3 GROUP BY 1",
    "functions of a key in subqueries": "SELECT v.region, count(*), (SELECT max(r.name) FROM regions r WHERE r.name = lower(v.region)), "
    "(SELECT coalesce(v.region, 'none')) FROM visits v GROUP BY v.region ORDER BY 1",
    "a recursive list": "WITH RECURSIVE r AS (SELECT 1 AS x UNION SELECT x + 1 FROM r WHERE x < 4) "
    "SELECT count(*), sum(cost) FROM visits WHERE specialty_id IN (SELECT x FROM r)",
    "clock constants inside subqueries": "SELECT count(*) FROM (SELECT * FROM visits WHERE visited_at > date '2026-01-01' - interval '400 days') x "
    "WHERE EXISTS (SELECT FROM patients p WHERE p.patient_id = x.patient_id AND p.registered < date '2023-01-01' + 10 * 3)",
}

REFUSED = {
    "a group that is nobody's below": (
        "SELECT count(*) FROM (SELECT patient_id, cost FROM visits GROUP BY patient_id, cost LIMIT 3) x",
        "0A000",
    ),
    "a window over people": (
        "SELECT count(*) FROM (SELECT cost, rank() OVER (ORDER BY cost) AS r FROM visits) x WHERE r < 10",
        "0A000",
    ),
    "a maximum over a group of people": (
        "WITH w AS (SELECT region, max(cost) OVER (PARTITION BY region) AS m FROM visits) SELECT m, count(*) FROM w GROUP BY m",
        "0A000",
    ),
    "a limit below": ("SELECT count(*) FROM (SELECT * FROM visits ORDER BY cost DESC LIMIT 1) x", "0A000"),
    "a union of rows": (
        "SELECT count(*) FROM (SELECT region FROM visits UNION SELECT region FROM patients) x",
        "0A000",
    ),
    "an except of rows": (
        "SELECT count(*) FROM (SELECT cost FROM visits EXCEPT SELECT height FROM patients) x",
        "0A000",
    ),
    "joined across people": (
        "SELECT count(*) FROM (SELECT patient_id, count(*) AS n FROM visits GROUP BY 1) x JOIN patients p ON p.birth_year = x.n",
        "0A000",
    ),
    "correlated by an inequality": (
        "SELECT count(*) FROM visits v WHERE cost > (SELECT avg(w.cost) FROM visits w WHERE w.cost < v.cost)",
        "0A000",
    ),
    "a lateral count for which a right join has NULL": (
        "SELECT z.name, t.n FROM regions r CROSS JOIN LATERAL (SELECT count(*) AS n FROM visits v WHERE v.region = r.name) t "
        "RIGHT JOIN regions z ON z.population < r.population",
        "0A000",
    ),
    "a count that keeps public rows": (
        "SELECT r.name, count(*) FROM regions r LEFT JOIN visits v ON v.region = r.name GROUP BY r.name",
        "0A000",
    ),
    "which public rows nobody meets": (
        "SELECT count(v.cost) FROM regions r LEFT JOIN visits v ON v.region = r.name WHERE v.visit_id IS NULL",
        "0A000",
    ),
    "a full join with public rows": ("SELECT count(*) FROM visits v FULL JOIN regions r ON v.region = r.name", "0A000"),
    "which kept rows a subquery drops by private values": (
        "SELECT r.name, count(v.visit_id) FROM regions r LEFT JOIN visits v ON v.region = r.name "
        "WHERE NOT EXISTS (SELECT FROM specialties s WHERE s.specialty_id = v.specialty_id) GROUP BY 1",
        "0A000",
    ),
    "in without the person": (
        "SELECT count(*) FROM visits WHERE cost IN (SELECT max(cost) FROM visits GROUP BY patient_id)",
        None,
    ),
}


@pytest.mark.parametrize("query", SAME.values(), ids=SAME.keys())
def test_rows_of_one_person_each_equal_postgres(query: str, connections: Connections) -> None:
    assert_same_answer(query, connections)


@pytest.mark.parametrize(("query", "sqlstate"), REFUSED.values(), ids=REFUSED.keys())
def test_rows_of_several_people_are_refused(query: str, sqlstate: str | None, connections: Connections) -> None:
    with pytest.raises(psycopg.Error) as refusal:
        connections[0].execute(query.encode())
    assert refusal.value.sqlstate in ((sqlstate,) if sqlstate else ("0A000", "42501"))


def test_ranks_as_group_keys_begin_at_one_and_counts_at_none(connections: Connections) -> None:
    client, _ = connections
    ranked = "SELECT row_number() OVER (PARTITION BY patient_id ORDER BY visit_id) AS n FROM visits"
    counted = "SELECT patient_id, count(*) FILTER (WHERE urgent) AS n FROM visits GROUP BY patient_id"
    client.execute("SET dp.empty_groups = 'show'")
    try:
        for rows, first in ((ranked, 1), (counted, 0)):
            groups = client.execute(
                f"SELECT n, count(*) FROM ({rows}) AS x WHERE n <= 3 GROUP BY n ORDER BY n".encode()
            )
            assert [n for n, _ in groups] == list(range(first, 4))
    finally:
        client.execute("SET dp.empty_groups = 'hide'")
