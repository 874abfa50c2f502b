"""What analysts and tools write about a clinic: cohorts, funnels, calendars, shares, medians, and what of it is refused."""

from __future__ import annotations

import psycopg
import pytest

from tests.end_to_end.comparing import Connections, assert_same_answer

ANSWERED = {
    "a year before, by lag": "WITH m AS (SELECT date_trunc('quarter', visited_at) AS q, sum(cost) AS s FROM visits GROUP BY 1) SELECT q, s, lag(s, 4) OVER (ORDER BY q) AS prev, round(100.0 * (s - lag(s, 4) OVER (ORDER BY q)) / nullif(lag(s, 4) OVER (ORDER BY q), 0), 2) AS pct FROM m ORDER BY q",
    "a moving average": "SELECT mon, n, avg(n) OVER (ORDER BY mon ROWS BETWEEN 2 PRECEDING AND CURRENT ROW) FROM (SELECT date_trunc('month', visited_at)::date AS mon, count(*) AS n FROM visits GROUP BY 1) t ORDER BY mon",
    "ABC analysis": "WITH s AS (SELECT region, sum(cost) AS r FROM visits WHERE region IS NOT NULL GROUP BY 1), c AS (SELECT region, r, sum(r) OVER (ORDER BY r DESC) / sum(r) OVER () AS share FROM s) SELECT region, CASE WHEN share <= 0.5 THEN 'A' WHEN share <= 0.8 THEN 'B' ELSE 'C' END AS class FROM c ORDER BY region",
    "days with a calendar": "SELECT d::date, coalesce(n, 0) FROM generate_series(timestamp '2024-01-01', '2024-01-20', '1 day') AS d LEFT JOIN (SELECT visited_at::date AS day, count(*) AS n FROM visits GROUP BY 1) v ON v.day = d::date ORDER BY 1",
    "a calendar in WITH": "WITH days AS (SELECT generate_series(date '2024-02-01', date '2024-02-10', interval '1 day')::date AS day) SELECT days.day, count(v.visit_id), sum(v.cost) FROM days LEFT JOIN visits v ON v.visited_at::date = days.day GROUP BY 1 ORDER BY 1",
    "union all": "SELECT 'visits' AS what, count(*) AS n, sum(cost) AS s FROM visits UNION ALL SELECT 'urgent', count(*), sum(cost) FROM visits WHERE urgent UNION ALL SELECT 'patients', count(*), NULL FROM patients",
    "rollup": "SELECT coalesce(region, 'all') AS region, grouping(region) AS g, count(*), sum(minutes) FROM visits WHERE region IN ('north','south') GROUP BY ROLLUP (region) ORDER BY 2, 1",
    "cube": "SELECT region, urgent, count(*), grouping(region, urgent) FROM visits WHERE region IN ('north','south') GROUP BY CUBE (region, urgent) ORDER BY 4, 1, 2",
    "grouping sets": "SELECT region, urgent, sum(cost) FROM visits WHERE region IN ('north','west') GROUP BY GROUPING SETS ((region), (urgent), ()) ORDER BY 1, 2",
    "funnel": "WITH s AS (SELECT patient_id, bool_or(specialty_id = 1) AS a, bool_or(specialty_id = 2) AS b, bool_or(specialty_id = 3 AND urgent) AS c FROM visits GROUP BY patient_id) SELECT count(*) FILTER (WHERE a) AS a, count(*) FILTER (WHERE a AND b) AS ab, count(*) FILTER (WHERE a AND b AND c) AS abc FROM s",
    "a funnel by dates": "WITH one AS (SELECT patient_id, min(visited_at) AS t FROM visits WHERE specialty_id = 1 GROUP BY 1), two AS (SELECT v.patient_id, min(v.visited_at) AS t FROM visits v JOIN one o ON o.patient_id = v.patient_id AND v.visited_at > o.t WHERE v.specialty_id = 2 GROUP BY 1) SELECT (SELECT count(*) FROM one), (SELECT count(*) FROM two)",
    "gaps of each unit": "WITH s AS (SELECT patient_id, visited_at, CASE WHEN visited_at - lag(visited_at) OVER (PARTITION BY patient_id ORDER BY visited_at) > interval '30 days' THEN 1 ELSE 0 END AS fresh FROM visits) SELECT count(*) + 0, sum(fresh) FROM s",
    "medians": "SELECT region, percentile_cont(0.5) WITHIN GROUP (ORDER BY minutes), count(*) FROM visits WHERE minutes IS NOT NULL GROUP BY region HAVING count(*) > 0 ORDER BY 1",
    "a histogram": "SELECT width_bucket(cost, 0, 1000, 10) AS b, count(*) FROM visits WHERE cost IS NOT NULL GROUP BY b ORDER BY b",
    "a labelled histogram": "SELECT b, concat((b - 1) * 100, '-', b * 100) AS label, n FROM (SELECT width_bucket(cost, 0, 1000, 10) AS b, count(*) AS n FROM visits WHERE cost < 500 GROUP BY 1) t WHERE n > 0 ORDER BY b",
    "top n per group": "SELECT * FROM (SELECT region, specialty_id, count(*) AS n, row_number() OVER (PARTITION BY region ORDER BY count(*) DESC, specialty_id) AS rn FROM visits WHERE region <> 'nowhere' GROUP BY 1, 2) t WHERE rn <= 2 ORDER BY 1, rn",
    "filter subquery": "SELECT region, count(*) FILTER (WHERE cost > (SELECT avg(cost) FROM visits)) FROM visits WHERE region <> 'nowhere' GROUP BY 1 ORDER BY 1",
    "filter in": "SELECT count(*) FILTER (WHERE region IN (SELECT name FROM regions WHERE zone = 'cold')), count(*) FROM visits",
    "date arith": "SELECT extract(isodow FROM visited_at + interval '2 days')::int AS d, count(*) FROM visits GROUP BY 1 ORDER BY 1",
    "age years": "SELECT avg(extract(year FROM visited_at) - birth_year) FROM visits JOIN patients USING (patient_id)",
    "letters as keys": "SELECT upper(substr(region, 1, 1)) AS k, count(*) FROM visits WHERE region <> 'nowhere' GROUP BY 1 ORDER BY 1",
    "parts of a text as ibis writes them": "SELECT SUBSTRING(diagnosis FROM CASE WHEN (0 + 1) >= 1 THEN 0 + 1 ELSE 0 + 1 + LENGTH(diagnosis) END FOR 11), "
    "(STRING_TO_ARRAY(diagnosis, ' '))[CASE WHEN 0 < 0 THEN CARDINALITY(STRING_TO_ARRAY(diagnosis, ' ')) + (0 + 1) ELSE 0 + 1 END], count(*) "
    "FROM visits WHERE diagnosis IN ('diagnosis 1', 'diagnosis 2') GROUP BY 1, 2",
    "parts of a text as keys": "SELECT split_part(diagnosis, ' ', 2) AS k, count(*) FROM visits WHERE diagnosis IN ('diagnosis 1', 'diagnosis 2') GROUP BY 1 ORDER BY 1",
    "dplyr": 'SELECT "region", AVG("cost") AS "m", COUNT(*) AS "n" FROM (SELECT "visits".*, "minutes" / 60.0 AS "hours" FROM "visits") AS "q01" WHERE ("hours" > 0.5) GROUP BY "region" HAVING (COUNT(*) > 1.0) ORDER BY "region" ',
    "dplyr with a join": 'SELECT "region", SUM(CASE WHEN ("urgent") THEN 1.0 WHEN NOT ("urgent") THEN 0.0 END) AS "u" FROM (SELECT "LHS".*, "zone" FROM "visits" AS "LHS" LEFT JOIN "regions" AS "RHS" ON ("LHS"."region" = "RHS"."name")) AS "q01" WHERE (NOT(("zone" IS NULL))) GROUP BY "region" ORDER BY "region" ',
    "SQLAlchemy": "SELECT anon_1.region, anon_1.n FROM (SELECT visits.region AS region, count(visits.visit_id) AS n FROM visits GROUP BY visits.region) AS anon_1 WHERE anon_1.n > 10 ORDER BY anon_1.n DESC, 1",
    "ntile": "SELECT region, ntile(2) OVER (ORDER BY sum(cost)) FROM visits WHERE region <> 'nowhere' GROUP BY region ORDER BY 1",
    "first_value": "SELECT region, count(*) - first_value(count(*)) OVER (ORDER BY region) AS diff FROM visits WHERE region <> 'nowhere' GROUP BY region ORDER BY 1",
    "corr": "SELECT round(corr(cost, minutes)::numeric, 3), round(regr_slope(cost, minutes)::numeric, 3) FROM visits WHERE minutes > 3",
    "weighted": "SELECT sum(cost * minutes) / nullif(sum(minutes), 0) FROM visits WHERE cost IS NOT NULL AND minutes IS NOT NULL",
    "null share": "SELECT avg((cost IS NULL)::int), count(*) - count(cost), 1 - count(seen_at)::numeric / count(*) FROM visits",
    "two facts": "SELECT r.name, coalesce(v.n, 0) AS visits, coalesce(p.n, 0) AS patients FROM regions r LEFT JOIN (SELECT region, count(*) AS n FROM visits GROUP BY 1) v ON v.region = r.name LEFT JOIN (SELECT region, count(*) AS n FROM patients GROUP BY 1) p ON p.region = r.name ORDER BY 1",
    "per unit": "SELECT least(n, 10) AS visits, count(*) FROM (SELECT patient_id, count(*) AS n FROM visits GROUP BY 1) t GROUP BY 1 ORDER BY 1",
    "recency": "SELECT width_bucket(d, 0, 730, 4) AS b, count(*) FROM (SELECT patient_id, date '2026-01-01' - max(visited_at)::date AS d FROM visits GROUP BY 1) t GROUP BY 1 ORDER BY 1",
    "array any": "SELECT count(*) FROM visits WHERE region = ANY ('{north,east}'::text[]) AND NOT (minutes = ANY (ARRAY[10, 20]))",
    "json out": "SELECT json_build_object('region', region, 'n', count(*)) FROM visits WHERE region <> 'nowhere' GROUP BY region ORDER BY region",
    "json agg": "SELECT json_agg(t ORDER BY region) FROM (SELECT region, count(*) AS n FROM visits WHERE region <> 'nowhere' GROUP BY region) t",
    "array agg": "SELECT array_agg(region ORDER BY n DESC, region) FROM (SELECT region, count(*) AS n FROM visits WHERE region <> 'nowhere' GROUP BY region) t",
    "string_agg": "SELECT string_agg(region || ':' || n, ', ' ORDER BY region) FROM (SELECT region, count(*) AS n FROM visits WHERE region <> 'nowhere' GROUP BY region) t",
    "pivot": "SELECT specialty_id, sum(CASE region WHEN 'north' THEN 1 ELSE 0 END) AS north, sum(CASE region WHEN 'south' THEN cost END) AS south FROM visits WHERE specialty_id < 4 GROUP BY 1 ORDER BY 1",
    "halves of years": "SELECT extract(year FROM visited_at)::int AS y, count(*) FILTER (WHERE extract(month FROM visited_at) <= 6) AS h1, count(*) FILTER (WHERE extract(month FROM visited_at) > 6) AS h2 FROM visits GROUP BY 1 ORDER BY 1",
    "running": "SELECT m, sum(n) OVER (PARTITION BY extract(year FROM m) ORDER BY m) FROM (SELECT date_trunc('month', visited_at) AS m, count(*) AS n FROM visits GROUP BY 1) t ORDER BY m",
    "segments by what a unit has": "SELECT segment, count(*), avg(total) FROM (SELECT patient_id, sum(cost) AS total, CASE WHEN "
    "sum(cost) > 900 THEN 'high' WHEN max(minutes) > 60 THEN 'long' END AS segment FROM visits GROUP BY patient_id) s GROUP BY segment",
    "segments in segments": "WITH s AS (SELECT patient_id, CASE WHEN count(*) > 5 THEN 2 ELSE CASE WHEN sum(cost) > 500 THEN 1.5 ELSE 0 "
    "END END AS level FROM visits GROUP BY 1), t AS (SELECT level, patient_id FROM s) SELECT level, sex, count(*) FROM t JOIN patients "
    "USING (patient_id) GROUP BY ROLLUP (level, sex)",
    "segments by a window": "SELECT first, count(*) FROM (SELECT CASE WHEN lag(cost) OVER (PARTITION BY patient_id ORDER BY visited_at) "
    "IS NULL THEN 'first' ELSE 'later' END AS first FROM visits) v GROUP BY first",
    "hours of weekdays": "SELECT extract(dow FROM visited_at)::int AS d, extract(hour FROM visited_at)::int AS h, count(*) FROM visits GROUP BY 1, 2 HAVING count(*) > 0 ORDER BY 1, 2",
    "the interquartile range": "SELECT percentile_cont(0.75) WITHIN GROUP (ORDER BY cost) - percentile_cont(0.25) WITHIN GROUP (ORDER BY cost), count(*) FROM visits",
    "outliers": "SELECT count(*) FROM visits WHERE cost > (SELECT avg(cost) + 1 * stddev(cost) FROM visits)",
    "a semijoin": "SELECT count(*) FROM patients WHERE patient_id IN (SELECT patient_id FROM visits WHERE urgent GROUP BY patient_id HAVING count(*) >= 3)",
    "an antijoin": "SELECT sex, count(*) FROM patients p WHERE NOT EXISTS (SELECT 1 FROM visits v WHERE v.patient_id = p.patient_id AND v.cost > 900) AND sex IS NOT NULL GROUP BY 1 ORDER BY 1",
    "lateral": "SELECT r.name, x.specialty_id, x.n FROM regions r CROSS JOIN LATERAL (SELECT specialty_id, count(*) AS n FROM visits v WHERE v.region = r.name GROUP BY 1 ORDER BY n DESC, 1 LIMIT 1) x WHERE r.name <> 'nowhere' ORDER BY 1",
    "except": "SELECT region FROM visits WHERE region <> 'nowhere' GROUP BY region HAVING count(*) > 100 EXCEPT SELECT name FROM regions WHERE zone = 'warm' ORDER BY 1",
    "min max date": "SELECT min(visited_at::date), max(visited_at::date), max(visited_at::date) - min(visited_at::date) FROM visits",
    "to_char": "SELECT to_char(visited_at, 'YYYY-\"Q\"Q') AS q, count(*) FROM visits GROUP BY 1 ORDER BY 1",
    "case band": "SELECT CASE WHEN birth_year < 1950 THEN '1: old' WHEN birth_year < 1990 THEN '2: mid' ELSE '3: young' END AS band, count(*), round(avg(height), 2) FROM patients GROUP BY 1 ORDER BY 1",
    "distinct on": "SELECT DISTINCT ON (region) region, specialty_id, count(*) AS n FROM visits WHERE region <> 'nowhere' GROUP BY 1, 2 ORDER BY 1, 3 DESC, 2",
    "first visit": "SELECT date_trunc('year', t) AS y, count(*) FROM (SELECT DISTINCT ON (patient_id) patient_id, visited_at AS t FROM visits ORDER BY patient_id, visited_at) f GROUP BY 1 ORDER BY 1",
    "repeat rate": "SELECT avg((n > 1)::int)::numeric(6, 4) FROM (SELECT patient_id, count(*) AS n FROM visits GROUP BY patient_id) t",
    "values join": "SELECT b.label, count(*) FROM visits v JOIN (VALUES ('low', 0, 99.99), ('mid', 100, 499.99), ('high', 500, 1000)) AS b (label, lo, hi) ON v.cost BETWEEN b.lo AND b.hi GROUP BY 1 ORDER BY 1",
    "recursive": "WITH RECURSIVE d(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM d WHERE n < 3) SELECT d.n, t.c FROM d, (SELECT count(*) AS c FROM visits) t ORDER BY 1",
    "variance": "SELECT region, round(stddev_samp(cost), 4), round(var_pop(minutes), 4) FROM visits WHERE region IN ('north', 'east') GROUP BY 1 ORDER BY 1",
    "having in": "SELECT specialty_id FROM visits GROUP BY specialty_id HAVING avg(cost) > 100 AND specialty_id IN (SELECT specialty_id FROM specialties WHERE title LIKE '%ology') ORDER BY 1",
    "sums of intervals": "SELECT region, sum(visited_at - timestamp '2024-03-01'), max(minutes * interval '1 minute'), percentile_disc(0.25) WITHIN GROUP (ORDER BY minutes * interval '1 minute') FROM visits WHERE region IN ('north', 'south') GROUP BY region",
    "averages of intervals": "SELECT urgent, round(extract(epoch FROM avg(visited_at - timestamp '2024-03-01')), 3), percentile_cont(0.5) WITHIN GROUP (ORDER BY minutes * interval '1 minute'), avg(minutes * interval '1 minute') IS NULL FROM visits GROUP BY urgent",
    "totals of intervals": "SELECT urgent, sum(minutes * interval '1 minute') FROM visits GROUP BY ROLLUP (urgent)",
    "an average of gaps": "SELECT round(extract(epoch FROM avg(last - first))) FROM (SELECT patient_id, max(visited_at) AS last, min(visited_at) AS first FROM visits GROUP BY patient_id) t",
    "aggregates with their schema": "SELECT urgent, pg_catalog.count(*), pg_catalog.sum(minutes) FILTER (WHERE cost > 9), pg_catalog.percentile_cont(0.5) WITHIN GROUP (ORDER BY minutes) FROM visits GROUP BY urgent ORDER BY 1",
    "percent of total": "SELECT region, count(*) AS n, round(100.0 * count(*) / sum(count(*)) OVER (), 3) AS pct FROM visits WHERE region <> 'nowhere' GROUP BY region",
    "cohort sizes": "WITH f AS (SELECT patient_id, min(date_trunc('quarter', visited_at)) AS c FROM visits GROUP BY 1) SELECT f.c, date_trunc('quarter', v.visited_at) AS q, count(*) FROM f JOIN visits v USING (patient_id) GROUP BY 1, 2",
}

REFUSED = {
    "sessionize": (
        "WITH s AS (SELECT visited_at - lag(visited_at) OVER (ORDER BY visited_at) AS gap FROM visits) SELECT count(*) FROM s WHERE gap > interval '1 day'",
        "0A000",
        "this window function would read rows of more than one patient",
    ),
    "rank rows": (
        "SELECT patient_id, rank() OVER (ORDER BY cost DESC) FROM visits LIMIT 10",
        "42501",
        "this query would return rows of public.visits; only aggregates are allowed",
    ),
    "array_agg rows": (
        "SELECT region, array_agg(cost) FROM visits GROUP BY region",
        "42501",
        "array_agg() would show individual values",
    ),
    "sample": (
        "SELECT * FROM visits TABLESAMPLE SYSTEM (1)",
        "0A000",
        "TABLESAMPLE is not supported in a FROM clause with private tables",
    ),
    "random": (
        "SELECT * FROM visits ORDER BY random() LIMIT 5",
        "42501",
        "this query would return rows of public.visits; only aggregates are allowed",
    ),
    "cross": (
        "SELECT count(*) FROM visits a, visits b WHERE a.cost < b.cost",
        "0A000",
        "this join could combine rows of more than one patient, of public.visits and of public.visits",
    ),
    "for update": (
        "SELECT count(*) FROM visits FOR UPDATE",
        "42501",
        "FOR UPDATE or FOR SHARE inside a query is not allowed through dpproxy",
    ),
    "corr subq": (
        "SELECT patient_id, (SELECT count(*) FROM visits v WHERE v.patient_id = p.patient_id) FROM patients p",
        "42501",
        "this query would return rows of public.patients; only aggregates are allowed",
    ),
    "first_value rows": (
        "SELECT DISTINCT first_value(cost) OVER (PARTITION BY region ORDER BY cost) FROM visits",
        "0A000",
        "first_value(cost) OVER (PARTITION BY region ORDER BY cost) is not supported over private rows",
    ),
    "string key": (
        "SELECT string_agg(DISTINCT region, ',') FROM visits",
        "42501",
        "string_agg() would show individual values",
    ),
    "fetch": (
        "SELECT region, cost FROM visits ORDER BY cost DESC FETCH FIRST 3 ROWS ONLY",
        "42501",
        "this query would return rows of public.visits; only aggregates are allowed",
    ),
    "jsonrow": (
        "SELECT row_to_json(v) FROM visits v LIMIT 1",
        "42501",
        "this query would return rows of public.visits; only aggregates are allowed",
    ),
    "hash": (
        "SELECT md5(string_agg(visit_id::text, '')) FROM visits",
        "42501",
        "string_agg() would show individual values",
    ),
    "percent_rank": (
        "SELECT percent_rank(100) WITHIN GROUP (ORDER BY cost) FROM visits",
        "0A000",
        "percent_rank() is not supported over private rows",
    ),
    "cume": (
        "SELECT avg(c) FROM (SELECT cume_dist() OVER (ORDER BY cost) AS c FROM visits) t",
        "0A000",
        "this window function would read rows of more than one patient",
    ),
    "date pct": (
        "SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY registered) FROM patients",
        "42883",
        "function percentile_cont(numeric, date) does not exist",
    ),
    "averages of ages": (
        "SELECT avg(age(visited_at, registered)) FROM visits JOIN patients USING (patient_id)",
        "0A000",
        "avg(interval) is not supported",
    ),
    "several percentiles of intervals": (
        "SELECT percentile_cont(ARRAY[0.5, 0.9]) WITHIN GROUP (ORDER BY visited_at - registered::timestamp) FROM visits JOIN patients USING (patient_id)",
        "0A000",
        "of interval is not supported",
    ),
}


@pytest.mark.parametrize("query", ANSWERED.values(), ids=ANSWERED.keys())
def test_answer_equals_postgres(query: str, connections: Connections) -> None:
    assert_same_answer(query, connections)


@pytest.mark.parametrize(("query", "sqlstate", "message"), REFUSED.values(), ids=REFUSED.keys())
def test_rows_of_units_are_refused_in_words(query: str, sqlstate: str, message: str, connections: Connections) -> None:
    with pytest.raises(psycopg.Error) as refused:
        connections[0].execute(query.encode())
    said = refused.value.diag
    assert (said.sqlstate, message in (said.message_primary or "")) == (sqlstate, True)
