"""With a huge epsilon and loose bounds, answers are Postgres's own, row by row (decision 9)."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from decimal import Decimal

import psycopg
import pytest

from tests.end_to_end.running import RunningProxy

QUERIES = {
    "count": "SELECT count(*) FROM visits",
    "count of a nullable column": "SELECT count(minutes), count(cost), count(region) FROM visits",
    "count of units": "SELECT count(DISTINCT patient_id) FROM visits WHERE urgent",
    "sum and average of numeric": "SELECT sum(cost), avg(cost) FROM visits",
    "sum alone": "SELECT sum(cost) FROM visits WHERE region = 'north'",
    "sum and average of integer": "SELECT sum(minutes), avg(minutes), count(minutes) FROM visits",
    "sum and average of floats": "SELECT sum(score), avg(score), sum(ratio), avg(ratio) FROM visits",
    "unique unit": "SELECT count(*), avg(height), sum(height), avg(birth_year) FROM patients",
    "unique unit by region": "SELECT region, count(*), avg(height) FROM patients GROUP BY region",
    "a CTE of joined public tables": "WITH dim AS (SELECT s.specialty_id, s.title, r.zone FROM specialties s JOIN regions r "
    "ON r.population > 1000) SELECT zone, title, count(*) FROM visits v JOIN dim ON dim.specialty_id = v.specialty_id GROUP BY 1, 2",
    "CTEs of public tables": "WITH s AS (SELECT * FROM specialties), dim AS (SELECT s.specialty_id, t.title FROM s LEFT JOIN specialties t "
    "ON t.specialty_id = s.specialty_id) SELECT title, count(*) FROM visits JOIN dim USING (specialty_id) GROUP BY 1",
    "a public value within a public list": "SELECT count(*) FROM visits WHERE region IN (SELECT name FROM regions "
    "WHERE zone = (SELECT r.zone FROM regions r WHERE r.name = 'east'))",
    "group by declared column": "SELECT region, count(*), sum(cost) FROM visits GROUP BY region",
    "group by range": "SELECT birth_year, count(*) FROM patients GROUP BY birth_year",
    "group by values": "SELECT sex, count(*) FROM patients GROUP BY 1",
    "group by boolean": "SELECT smoker, count(*), avg(height) FROM patients GROUP BY smoker",
    "group by dates": "SELECT registered, count(*) FROM patients WHERE birth_year > 1990 GROUP BY registered",
    "group by selected key": "SELECT diagnosis, count(*) FROM visits GROUP BY diagnosis",
    "two keys": "SELECT region, specialty_id, count(*), avg(minutes) FROM visits GROUP BY 1, 2",
    "named window over aggregates": "SELECT region, rank() OVER w, sum(count(*)) OVER (w ROWS UNBOUNDED PRECEDING) FROM visits GROUP BY region WINDOW w AS (ORDER BY count(*) DESC, region)",
    "months": "SELECT date_trunc('month', visited_at) AS month, count(*) FROM visits GROUP BY month",
    "quarters with time zone": "SELECT date_trunc('quarter', seen_at), sum(minutes) FROM visits GROUP BY 1",
    "weeks": "SELECT date_trunc('week', visited_at), count(*) FROM visits GROUP BY 1",
    "fields of dates": "SELECT extract(year FROM visited_at), extract(dow FROM visited_at), count(*) FROM visits GROUP BY 1, 2",
    "date_part as key": "SELECT date_part('month', visited_at), count(*) FROM visits GROUP BY 1",
    "arithmetic on keys": "SELECT birth_year / 10 * 10 AS decade, count(*) FROM patients GROUP BY decade",
    "case as key": "SELECT CASE WHEN cost < 100 THEN 'low' WHEN cost < 500 THEN 'mid' ELSE 'high' END, count(*) FROM visits GROUP BY 1",
    "condition as key": "SELECT cost > 300, count(*) FROM visits GROUP BY 1",
    "text functions in keys": "SELECT upper(region) || '!' AS shout, count(*) FROM visits GROUP BY shout",
    "coalesce in keys": "SELECT coalesce(region, 'unknown'), count(*) FROM patients GROUP BY 1",
    "formatted date as key": "SELECT to_char(date_trunc('month', visited_at), 'YYYY-MM'), count(*) FROM visits GROUP BY 1",
    "having": "SELECT region, count(*) AS n FROM visits GROUP BY region HAVING count(*) > 2900 AND avg(cost) > 1",
    "order and limit": "SELECT specialty_id, sum(minutes) FROM visits GROUP BY 1 ORDER BY sum(minutes) DESC, 1 LIMIT 2",
    "order by alias": "SELECT region, count(*) AS n FROM visits GROUP BY region ORDER BY n DESC, region",
    "arithmetic above": "SELECT region, 100.0 * count(*) FILTER (WHERE urgent) / count(*) AS share FROM visits GROUP BY region",
    "windows above": "SELECT region, count(*), rank() OVER (ORDER BY count(*) DESC), sum(count(*)) OVER () FROM visits GROUP BY region",
    "filter": "SELECT count(*) FILTER (WHERE minutes > 60), sum(cost) FILTER (WHERE urgent AND cost > 10) FROM visits",
    "expressions inside": "SELECT sum(cost * (1 - 0.1)), sum(minutes * 2 + 1), avg(minutes / 7), sum(minutes % 10) FROM visits",
    "case inside": "SELECT sum(CASE WHEN urgent THEN cost ELSE 0 END), sum(CASE WHEN region = 'east' THEN 1 ELSE 0 END) FROM visits",
    "coalesce inside": "SELECT sum(coalesce(minutes, 0)), avg(coalesce(cost, 1.5)) FROM visits",
    "functions inside": "SELECT sum(abs(minutes - 60)), avg(round(cost)), sum(floor(score)), sum(greatest(minutes, 30)) FROM visits",
    "where on everything": "SELECT count(*) FROM visits WHERE cost BETWEEN 10 AND 500 AND region IN ('north', 'east') AND NOT urgent "
    "AND diagnosis LIKE 'diagnosis%' AND visited_at >= '2024-03-01' AND minutes IS NOT NULL",
    "patterns": "SELECT count(*) FROM visits WHERE diagnosis ~ 's [0-3]$' OR diagnosis ILIKE '%IS 5' OR diagnosis IS NULL",
    "dates in where": "SELECT count(*) FROM visits WHERE visited_at::date = date '2024-05-05' OR visited_at + interval '3 days' > "
    "timestamp '2025-12-25' OR extract(hour FROM visited_at) = 7",
    "folded constants": "SELECT count(*) FROM visits WHERE minutes < 10 * 3 AND visited_at > date '2024-12-31' - 30 AND cost < sqrt(10000)::int",
    "casts": "SELECT sum(cost::int), sum(minutes::numeric), sum(urgent::int), sum(cost::numeric(12, 1)) FROM visits",
    "null logic": "SELECT count(*) FROM visits WHERE (minutes > 100) IS NOT TRUE AND coalesce(cost, 0) <> 0 AND NULLIF(minutes, 5) > 1",
    "many alternatives": "SELECT count(*), count(*) FILTER (WHERE NOT (minutes < 5 OR "
    + " OR ".join(f"(region = 'north' AND 'diagnosis {i}' = diagnosis)" for i in range(40))
    + ")) FROM visits WHERE cost < 20 OR "
    + " OR ".join(f"(diagnosis = 'diagnosis {i}')" for i in range(1, 40, 2)),
    "in with null": "SELECT count(*) FROM visits WHERE specialty_id NOT IN (1, 2) OR region = ANY (ARRAY['west'])",
    "join public": "SELECT r.zone, count(*), sum(v.cost) FROM visits v JOIN regions r ON r.name = v.region GROUP BY r.zone",
    "join using": "SELECT title, count(*) FROM visits JOIN specialties USING (specialty_id) GROUP BY title",
    "left join public": "SELECT s.code, count(*) FROM visits v LEFT JOIN specialties s ON s.specialty_id = v.specialty_id AND s.specialty_id < 3 GROUP BY 1",
    "comma join": "SELECT r.name, count(*) FROM regions r, patients p WHERE p.region = r.name AND r.population > 600 GROUP BY r.name",
    "public columns inside": "SELECT count(*), count(zone) FROM patients p JOIN regions r ON r.name = p.region",
    "multiplying join": "SELECT count(*), count(DISTINCT patient_id) FROM patients p CROSS JOIN specialties s",
    "a boolean column as condition and key": "SELECT urgent, count(*) FROM visits WHERE urgent GROUP BY 1",
    "conditions narrow declared keys": "SELECT region, count(*) FROM visits WHERE region LIKE '%th' AND region <> 'north' GROUP BY 1",
    "rollup": "SELECT region, urgent, count(*), sum(cost), avg(minutes), grouping(region, urgent) FROM visits GROUP BY ROLLUP (region, urgent)",
    "cube": "SELECT sex, smoker, count(*), avg(height) FROM patients GROUP BY CUBE (sex, smoker) HAVING count(*) > 300",
    "grouping sets": "SELECT region AS r, specialty_id, count(*) AS n FROM visits GROUP BY GROUPING SETS ((r), (2), ()) ORDER BY n DESC, r, 2",
    "rollup beside a key": "SELECT urgent, extract(year FROM visited_at), sum(minutes) FROM visits GROUP BY 1, ROLLUP (2) ORDER BY grouping(urgent), 1, 2",
    "empty grouping set": "SELECT count(*), avg(cost) FROM visits GROUP BY ()",
    "cube with grouping, having and order": "SELECT region, urgent, grouping(urgent, region) AS g, count(*), sum(cost) FROM visits GROUP BY CUBE (region, urgent) "
    "HAVING grouping(region) = 0 OR count(*) > 4000 ORDER BY g DESC, count(*), region, urgent",
    "cube of a unique unit": "SELECT sex, smoker, region, count(*), sum(height), avg(birth_year) FROM patients GROUP BY CUBE (sex, smoker, region)",
    "equal grouping sets": "SELECT region, count(*), grouping(region) FROM visits GROUP BY GROUPING SETS ((region), (), (region), ())",
    "equal grouping sets of no key": "SELECT count(*), sum(minutes) FROM visits GROUP BY GROUPING SETS ((), ())",
    "grouping sets without a finest one": "SELECT region, urgent, specialty_id, count(*), avg(cost) FROM visits "
    "GROUP BY GROUPING SETS ((region, urgent), (urgent, specialty_id), (specialty_id)) ORDER BY 1, 2, 3",
    "nested grouping sets": "SELECT region, urgent, specialty_id AS s, sum(minutes), grouping(s, region) FROM "
    "(SELECT *, specialty_id AS s FROM visits) v GROUP BY GROUPING SETS (ROLLUP (region, urgent), CUBE (urgent), s, ()), specialty_id",
    "products of grouping sets": "SELECT region, urgent, sex, count(*) FROM visits JOIN patients p USING (patient_id, region) GROUP BY ROLLUP (region), ROLLUP ((urgent, sex))",
    "keys of totals in expressions": "SELECT coalesce(upper(region), 'ALL') || '!', extract(year FROM visited_at) + 1, count(*) FROM visits "
    "GROUP BY ROLLUP (region, extract(year FROM visited_at))",
    "totals of keys alone": "SELECT DISTINCT region, urgent FROM visits GROUP BY ROLLUP (region, urgent) HAVING count(*) > 0",
    "the number of groups": "SELECT region, count(*), count(*) OVER (), 1.0 * count(*) / count(*) OVER (ORDER BY region) FROM visits "
    "GROUP BY region",
    "windows of keys beside aggregates of them": "SELECT specialty_id, sum(specialty_id), sum(specialty_id) OVER w, avg(specialty_id), "
    "avg(specialty_id) FILTER (WHERE specialty_id > 1) OVER (), avg(specialty_id) FILTER (WHERE specialty_id > 1) FROM visits "
    "GROUP BY specialty_id HAVING count(*) > 1 WINDOW w AS (ORDER BY count(*))",
    "windows over totals": "SELECT region, count(*), 100.0 * count(*) / max(count(*)) OVER () FROM visits GROUP BY ROLLUP (region)",
    "totals in a derived table": "SELECT sum(n) FILTER (WHERE g = 0), max(n) FROM (SELECT region, grouping(region) g, count(*) n FROM visits GROUP BY CUBE (region)) x",
    "totals over public rows first": "SELECT r.zone, r.name, count(v.visit_id), sum(v.cost) FROM regions r LEFT JOIN visits v ON v.region = r.name GROUP BY ROLLUP (r.zone, r.name)",
    "totals of no group": "SELECT region, count(*), sum(cost) FROM visits WHERE region = 'north' AND region = 'south' GROUP BY ROLLUP (region)",
    "equal grouping sets once": "SELECT region, count(*), sum(cost) FROM visits GROUP BY DISTINCT ROLLUP (region), ROLLUP (region)",
    "plain keys, ALL": "SELECT region, count(*) FROM visits GROUP BY ALL region",
    "plain keys, DISTINCT": "SELECT region, count(*) FROM visits GROUP BY DISTINCT region",
    "grouping of plain keys": "SELECT region, grouping(region), count(*) FROM visits GROUP BY region",
    "keys in parentheses": "SELECT region, urgent, count(*) FROM visits GROUP BY (region, urgent)",
    "derived table": "SELECT region, count(*), avg(c) FROM (SELECT region, cost * 2 AS c FROM visits WHERE minutes > 5) AS dataset GROUP BY region",
    "derived table with star": "SELECT virtual_table.region, sum(cost) AS total FROM (SELECT * FROM visits) AS virtual_table "
    "WHERE urgent GROUP BY virtual_table.region ORDER BY total DESC",
    "chain of row-level ctes": "WITH a AS (SELECT region AS r, minutes, cost FROM visits WHERE cost > 10), "
    "b AS (SELECT r, minutes + 1 AS m FROM a WHERE cost < 900 ORDER BY 1) SELECT upper(r) AS r, avg(m), count(*) FROM b GROUP BY b.r ORDER BY r",
    "rows of a table counted by its name": "SELECT p.sex, count(v.*), count(p.*) FROM patients p LEFT JOIN visits v ON v.patient_id = p.patient_id AND v.cost > 400 GROUP BY 1",
    "rows of a table without its children": "SELECT region, count(*) FROM ONLY visits v JOIN ONLY public.patients USING (patient_id, region) GROUP BY 1",
    "cohorts by the month of the first visit": "WITH f AS (SELECT patient_id, date_trunc('month', min(visited_at)) AS m FROM visits GROUP BY 1) "
    "SELECT m, count(*), count(*) FILTER (WHERE m < '2025-01-01') FROM f GROUP BY m",
    "quarter of the last visit": "SELECT date_trunc('quarter', last), count(*) FROM "
    "(SELECT patient_id, max(visited_at) AS last FROM visits GROUP BY 1) AS t GROUP BY 1",
    "month of the last dear visit": "SELECT m, count(*) FROM (SELECT patient_id, "
    "date_trunc('month', max(visited_at) FILTER (WHERE cost > 300)) AS m FROM visits GROUP BY 1) AS t GROUP BY m",
    "first region of a patient": "SELECT r, count(*) FROM (SELECT patient_id, upper(min(region)) AS r FROM visits WHERE urgent GROUP BY 1) AS t GROUP BY r",
    "numbers of visits, cut": "SELECT n, count(*) FROM (SELECT patient_id, least(greatest(count(*), 0), 4) AS n FROM visits GROUP BY 1) AS t GROUP BY n",
    "public cte with a computed column": "WITH r AS (SELECT name, upper(zone) AS u FROM regions) "
    "SELECT u, count(*) FROM visits JOIN r ON r.name = region GROUP BY 1 ORDER BY 1",
    "public cte with numbered rows": "WITH a AS (SELECT DISTINCT name, population FROM regions), "
    "r AS (SELECT name, row_number() OVER (ORDER BY population) AS place FROM a) "
    "SELECT place, count(*) FROM visits LEFT JOIN r ON r.name = region GROUP BY 1 ORDER BY 1",
    "public cte as parent of rows": "WITH parent AS (SELECT name AS place FROM regions WHERE name <> 'north') "
    "SELECT count(*) FROM visits LEFT JOIN parent ON place = region WHERE place IS NULL",
    "cte used by two blocks": "WITH v AS (SELECT * FROM visits WHERE urgent) SELECT (SELECT count(*) FROM v), (SELECT sum(minutes) FROM v WHERE cost > 5)",
    "derived table with joins": "SELECT x.zone, count(*), sum(x.cost) FROM (SELECT g.zone, v.cost, v.patient_id FROM visits v "
    "JOIN regions g ON g.name = v.region) x JOIN patients p ON p.patient_id = x.patient_id WHERE p.smoker GROUP BY x.zone",
    "derived table on the right of a left join": "SELECT p.sex, count(*), count(v.cost) FROM patients p "
    "LEFT JOIN (SELECT patient_id, cost FROM visits WHERE cost > 900) v ON v.patient_id = p.patient_id GROUP BY p.sex",
    "subquery above": "SELECT max(n), min(n), avg(n) FROM (SELECT region, count(*) AS n FROM visits GROUP BY region) AS counted",
    "cte used twice": "WITH n AS (SELECT region, count(*) AS c FROM visits GROUP BY region) "
    "SELECT a.region, a.c, b.c FROM n a JOIN n b ON a.region = b.region WHERE a.c >= (SELECT avg(c) FROM n)",
    "two blocks": "SELECT v.region, v.n::float / p.n FROM (SELECT region, count(*) n FROM visits GROUP BY 1) v "
    "JOIN (SELECT region, count(*) n FROM patients GROUP BY 1) p USING (region)",
    "union of blocks": "SELECT 'visits' AS what, count(*) FROM visits UNION ALL SELECT 'patients', count(*) FROM patients",
    "scalar subquery above": "SELECT count(*), (SELECT count(*) FROM patients) AS patients FROM visits",
    "distinct": "SELECT DISTINCT urgent FROM visits",
    "quoted names": 'SELECT "region" AS "The Region", count(*) AS "N" FROM "public"."visits" AS "V" GROUP BY "V"."region"',
    "negative and typed literals": "SELECT count(*) FROM visits WHERE minutes > -1 AND cost >= 1e1 AND score < .5e2 AND region = $$north$$",
}


@pytest.fixture(scope="module", params=["exact_proxy", "choosing_proxy"], ids=["fixed", "chosen"])
def connections(request: pytest.FixtureRequest) -> Iterator[tuple[psycopg.Connection, psycopg.Connection]]:
    """A client of a proxy whose policy states how much of a unit counts, or of one whose queries choose it; and one of
    the source itself."""
    proxy: RunningProxy = request.getfixturevalue(request.param)
    with proxy.connect() as client, psycopg.connect(proxy.options.source_dsn, autocommit=True) as source:
        client.execute("SET dp.empty_groups = 'hide'")
        client.execute("SET TimeZone = 'Europe/Paris'")
        source.execute("SET TimeZone = 'Europe/Paris'")
        yield client, source


@pytest.mark.parametrize("query", QUERIES.values(), ids=QUERIES.keys())
def test_answer_equals_postgres(query: str, connections: tuple[psycopg.Connection, psycopg.Connection]) -> None:
    client, source = connections
    expected, answered = source.execute(query), client.execute(query)
    assert [(c.name, c.type_code) for c in answered.description or ()] == [
        (c.name, c.type_code) for c in expected.description or ()
    ]
    expected_rows, rows = expected.fetchall(), answered.fetchall()
    if "ORDER BY" not in query:
        expected_rows, rows = sorted(expected_rows, key=repr), sorted(rows, key=repr)
    assert len(rows) == len(expected_rows)
    for row, expected_row in zip(rows, expected_rows, strict=True):
        assert_same(row, expected_row)


def assert_same(row: Sequence[object], expected: Sequence[object]) -> None:
    """Equal, with the same digits; only binary floats are compared with a tolerance."""
    assert len(row) == len(expected)
    for value, wanted in zip(row, expected, strict=True):
        if isinstance(wanted, float) and isinstance(value, float):
            assert math.isclose(value, wanted, rel_tol=1e-6), (row, expected)
        elif isinstance(wanted, Decimal):
            assert str(value) == str(wanted), (row, expected)
        else:
            assert value == wanted, (row, expected)
