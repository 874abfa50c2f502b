"""The constructs of SQL that the table of the analysts' page lists: what each is called, examples over the demo, what they get.

test_constructs.py sends every example to the demo, so that what stands here is what the proxy does.
"""

from __future__ import annotations

from typing import Final

from tests.docs.construct import DENIED, UNSUPPORTED, Answered, Refused
from tests.docs.constructs_around_blocks import AROUND_BLOCKS

CONSTRUCTS: Final[dict[str, dict[str, Answered | Refused]]] = {
    "Joins": {
        "private with public": Answered(
            "SELECT zone, count(*) FROM visits JOIN regions ON name = region GROUP BY zone",
            also=(
                "SELECT zone, count(*) FROM visits LEFT JOIN regions ON name = region GROUP BY zone",
                "WITH r AS (SELECT name, upper(zone) AS z FROM regions) "
                "SELECT z, count(*) FROM visits JOIN r ON name = region GROUP BY z",
            ),
        ),
        "private with private, on the unit": Answered(
            "SELECT sex, avg(cost) FROM visits JOIN patients USING (patient_id) GROUP BY sex",
            also=(
                "SELECT count(*) FROM patients p, visits v WHERE (v.patient_id = p.patient_id AND sex = 'F' AND cost < 50) "
                "OR (v.patient_id = p.patient_id AND sex = 'M' AND cost < 90)",
            ),
        ),
        "a unit's rows with each other": Answered(
            "SELECT count(*) FROM visits a JOIN visits b ON b.patient_id = a.patient_id AND b.cost > a.cost"
        ),
        "IS NOT DISTINCT FROM where one side is never NULL": Answered(
            "SELECT sex, count(*) FROM visits v JOIN patients p ON v.patient_id IS NOT DISTINCT FROM p.patient_id GROUP BY sex"
        ),
        "a join with a name": Answered(
            "SELECT j.zone, count(*) FROM (visits v JOIN regions r ON r.name = v.region) AS j GROUP BY j.zone"
        ),
        "names with this database": Answered(
            "SELECT count(*) FROM clinic.public.visits WHERE clinic.public.visits.cost > 9"
        ),
        "FULL JOIN along a foreign key": Answered(
            "SELECT r.name, count(v.cost) FROM regions r FULL JOIN visits v ON v.region = r.name GROUP BY r.name"
        ),
        "LEFT, RIGHT, FULL JOIN on the unit": Answered(
            "SELECT sex, count(*), count(cost) FROM patients p LEFT JOIN visits v ON v.patient_id = p.patient_id "
            "AND cost > 400 GROUP BY sex",
            also=(
                "SELECT sex, count(cost) FROM visits v RIGHT JOIN patients p ON p.patient_id = v.patient_id GROUP BY sex",
                "SELECT count(*), count(cost) FROM visits v FULL JOIN patients p ON p.patient_id = v.patient_id",
                "SELECT sex, count(cost) FROM visits RIGHT JOIN patients USING (patient_id) GROUP BY sex",
            ),
        ),
        "public LEFT JOIN private": Answered(
            "SELECT r.name, count(v.visit_id) FROM regions r LEFT JOIN visits v ON v.region = r.name AND minutes > 110 "
            "GROUP BY r.name",
            also=(
                "SELECT name, sum(cost) FROM visits RIGHT JOIN regions ON name = region GROUP BY name",
                "SELECT s.name, avg(cost) FROM specialties s LEFT JOIN visits ON specialty = s.name GROUP BY s.name",
            ),
        ),
        "public LEFT JOIN private, by conditions": Answered(
            "SELECT r.name, sum(CASE WHEN minutes > 60 THEN cost ELSE 0 END), count(*) FILTER (WHERE cost > 400) "
            "FROM regions r LEFT JOIN visits v ON v.region = r.name GROUP BY r.name",
            also=(
                "SELECT r.name, count(CASE WHEN minutes > 60 THEN 1 END), sum(coalesce(cost, 0)), "
                "avg(CASE WHEN minutes > 60 THEN cost END) FROM regions r LEFT JOIN visits v ON v.region = r.name "
                "GROUP BY r.name",
            ),
        ),
        "public LEFT JOIN private in a subquery": Answered(
            "SELECT name, count(id) FROM (SELECT r.name, v.visit_id AS id FROM regions r LEFT JOIN visits v "
            "ON v.region = r.name) AS t GROUP BY name",
            also=(
                "WITH t AS (SELECT r.*, v.cost FROM regions r LEFT JOIN visits v ON v.region = r.name) "
                "SELECT zone, sum(CASE WHEN cost > 100 THEN 1 ELSE 0 END) FROM t WHERE zone <> 'x' GROUP BY zone",
            ),
        ),
        "VALUES, generate_series, unnest of constants": Answered(
            "SELECT sum(cost * weight) FROM visits JOIN (VALUES ('north', 0.8), ('south', 1.2)) AS w(code, weight) "
            "ON code = region",
            also=(
                "SELECT low, count(*) FROM visits JOIN generate_series(0, 100, 20) AS low ON minutes >= low "
                "AND minutes < low + 20 GROUP BY low",
                "SELECT count(*) FROM visits JOIN unnest(ARRAY['north', 'south']) AS wanted ON wanted = region",
            ),
        ),
        "a calendar LEFT JOIN private": Answered(
            "SELECT day, count(visit_id) FROM generate_series(date '2025-12-20', date '2026-01-05', interval '1 day') AS day "
            "LEFT JOIN visits ON date_trunc('day', visited_at) = day GROUP BY day",
        ),
        "EXISTS, IN, ANY, ALL over the unit's rows": Answered(
            "SELECT count(*) FROM patients p WHERE NOT EXISTS (SELECT FROM visits v WHERE v.patient_id = p.patient_id)",
            also=(
                "SELECT count(*) FROM patients p WHERE EXISTS (SELECT FROM visits v WHERE v.patient_id = p.patient_id)",
                "SELECT count(*) FROM patients WHERE patient_id IN (SELECT patient_id FROM visits WHERE cost > 400)",
                "SELECT count(*) FROM patients WHERE patient_id = ANY (SELECT patient_id FROM visits WHERE cost > 450)",
                "SELECT count(*) FROM patients WHERE (patient_id, region) IN (SELECT patient_id, region FROM visits)",
            ),
        ),
        "EXISTS, IN, ANY, ALL over public rows": Answered(
            "SELECT count(*) FROM visits WHERE region IN (SELECT name FROM regions WHERE zone = 'coast')",
            also=(
                "SELECT count(*) FROM visits WHERE EXISTS (SELECT FROM regions WHERE name = region AND zone = 'inland')",
                "SELECT count(*) FROM visits WHERE region = ANY (SELECT name FROM regions WHERE zone <> 'coast')",
                "SELECT count(*) FROM visits WHERE minutes > ALL (SELECT 4 * length(name) FROM regions)",
            ),
        ),
        "a function of each row": Refused(
            "SELECT count(*) FROM visits, generate_series(1, minutes) AS minute",
            UNSUPPORTED,
            "VALUES and functions in FROM cannot read the private rows beside them",
        ),
        "private with private, on anything else": Refused(
            "SELECT count(*) FROM visits v JOIN patients p ON p.region = v.region",
            UNSUPPORTED,
            "this join could combine rows of more than one patient, of public.visits and of public.patients",
        ),
        "EXISTS over anybody's rows": Refused(
            "SELECT count(*) FROM patients p WHERE EXISTS (SELECT FROM visits v WHERE v.region = p.region)",
            UNSUPPORTED,
            "this join could combine rows of more than one patient, of public.patients and of public.visits",
        ),
        "public LEFT JOIN private, counting its rows": Refused(
            "SELECT r.name, count(*) FROM regions r LEFT JOIN visits v ON v.region = r.name GROUP BY r.name",
            UNSUPPORTED,
            "this aggregate would count public rows without a matching private row",
        ),
        "joins that multiply rows without a limit": Refused(
            "SELECT count(*) FROM visits a JOIN visits b USING (patient_id) JOIN visits c USING (patient_id)",
            UNSUPPORTED,
            "these joins multiply the private rows too much",
        ),
    },
    "Subqueries among the rows": {
        "derived tables and CTEs that select, filter, join": Answered(
            "WITH long AS (SELECT region, cost / minutes AS rate FROM visits WHERE minutes > 60) "
            "SELECT region, count(rate) FROM long GROUP BY region",
            also=(
                "SELECT sex, avg(cost) FROM (SELECT sex, cost FROM visits JOIN patients USING (patient_id)) AS both_tables "
                "GROUP BY sex",
            ),
        ),
        "GROUP BY with the unit, HAVING": Answered(
            "SELECT avg(n) FROM (SELECT patient_id, count(*) AS n FROM visits GROUP BY patient_id "
            "HAVING max(cost) > 200) AS each"
        ),
        "DISTINCT with the unit": Answered(
            "SELECT region, count(*) FROM (SELECT DISTINCT patient_id, region FROM visits) AS been GROUP BY region"
        ),
        "window functions within the unit": Answered(
            "SELECT specialty, count(*) FROM (SELECT specialty, row_number() OVER (PARTITION BY patient_id "
            "ORDER BY visited_at) AS n FROM visits) AS numbered WHERE n = 1 GROUP BY specialty",
            also=(
                "SELECT count(*), avg(extract(epoch FROM gap) / 3600) FROM (SELECT visited_at - lag(visited_at) OVER "
                "(PARTITION BY patient_id ORDER BY visited_at) AS gap FROM visits) AS gaps WHERE gap > interval '1 day'",
            ),
        ),
        "DISTINCT ON the unit": Answered(
            "SELECT specialty, count(*) FROM (SELECT DISTINCT ON (patient_id) * FROM visits "
            "ORDER BY patient_id, visited_at DESC) AS latest GROUP BY specialty"
        ),
        "named windows": Answered(
            "SELECT count(*) FROM (SELECT rank() OVER w AS n FROM visits WINDOW w AS (PARTITION BY patient_id ORDER BY cost)) "
            "AS ranked WHERE n = 2"
        ),
        "window functions over the unit's groups": Answered(
            "SELECT favourite, count(*) FROM (SELECT patient_id, region AS favourite, row_number() OVER (PARTITION BY patient_id "
            "ORDER BY count(*) DESC, region) AS n FROM visits GROUP BY patient_id, region) AS v WHERE n = 1 GROUP BY favourite"
        ),
        "UNION ALL; UNION, INTERSECT, EXCEPT with the unit": Answered(
            "SELECT count(*) FROM (SELECT patient_id, region FROM visits EXCEPT "
            "SELECT patient_id, region FROM patients) AS away",
            also=(
                "SELECT count(*) FROM (SELECT region FROM visits UNION ALL SELECT region FROM patients) AS seen",
                "SELECT count(*) FROM (SELECT patient_id, region FROM visits UNION "
                "SELECT patient_id, region FROM patients) AS seen",
                "SELECT count(*) FROM (SELECT patient_id, region FROM visits INTERSECT "
                "SELECT patient_id, region FROM patients) AS home",
            ),
        ),
        "LATERAL within the unit": Answered(
            "SELECT sex, avg(latest.cost) FROM patients p, LATERAL (SELECT cost FROM visits v "
            "WHERE v.patient_id = p.patient_id ORDER BY visited_at DESC LIMIT 1) AS latest GROUP BY sex"
        ),
        "LATERAL that computes columns": Answered(
            "SELECT d.band, sum(d.net) FROM visits v CROSS JOIN LATERAL (SELECT v.cost * 0.8 AS net, "
            "CASE WHEN minutes < 30 THEN 'short' ELSE 'long' END AS band) AS d WHERE d.net > 10 GROUP BY d.band",
            also=(
                "SELECT count(*) FROM visits v, LATERAL (VALUES (v.cost * 2, v.minutes)) AS d(twice, m) "
                "WHERE twice > 500 AND d.m < 60",
                "SELECT e.hours, count(*) FROM visits v LEFT JOIN LATERAL (SELECT minutes / 60 AS whole) AS d ON true, "
                "LATERAL (SELECT d.whole + 1 AS hours) AS e WHERE d.whole IS NOT NULL GROUP BY e.hours",
            ),
        ),
        "LATERAL that turns columns into rows": Answered(
            "SELECT x.kind, count(x.v), avg(x.v) FROM visits v CROSS JOIN LATERAL (VALUES ('time', v.minutes), "
            "('twice', 2 * v.minutes)) AS x(kind, v) GROUP BY x.kind",
            also=(
                "SELECT place, count(*) FROM visits v, LATERAL (SELECT v.region AS place UNION ALL "
                "SELECT lower(v.region)) AS x GROUP BY place",
                "SELECT kind, count(v) FROM visits t, unnest(ARRAY['time', 'twice'], ARRAY[t.minutes, 2 * t.minutes]) "
                "AS x(kind, v) GROUP BY kind",
            ),
        ),
        "scalar subqueries over the unit's rows": Answered(
            "SELECT count(*) FROM visits v WHERE cost > (SELECT 2 * avg(w.cost) FROM visits w "
            "WHERE w.patient_id = v.patient_id)",
            also=(
                "SELECT count(*) FROM visits v WHERE visited_at = (SELECT w.visited_at FROM visits w "
                "WHERE w.patient_id = v.patient_id AND w.visited_at IS NOT NULL ORDER BY w.visited_at DESC LIMIT 1)",
                "SELECT count(*) FROM visits v WHERE cost > ALL (SELECT w.cost FROM visits w "
                "WHERE w.patient_id = v.patient_id AND w.visited_at < date '2025-01-01')",
            ),
        ),
        "scalar subqueries that compare with the unit's row": Answered(
            "SELECT region, count(*) FROM visits v WHERE (SELECT count(*) FROM visits w WHERE w.patient_id = v.patient_id "
            "AND w.visited_at < v.visited_at) = 1 GROUP BY region",
            also=(
                "SELECT count(*) FROM patients p WHERE (SELECT sum(cost) FROM visits v WHERE v.patient_id = p.patient_id "
                "AND v.minutes > (2024 - p.birth_year) / 2 GROUP BY v.patient_id) > 100",
            ),
        ),
        "a unit's first row as a value": Answered(
            "SELECT (SELECT v.region FROM visits v WHERE v.patient_id = p.patient_id ORDER BY visited_at, visit_id LIMIT 1) "
            "AS first, count(*) FROM patients p GROUP BY first"
        ),
        "GROUP BY without the unit, below EXISTS": Refused(
            "SELECT count(*) FROM patients WHERE EXISTS (SELECT 1 FROM visits GROUP BY region)",
            UNSUPPORTED,
            "this GROUP BY would mix rows of more than one patient inside an aggregate",
        ),
        "window functions over several people": Refused(
            "SELECT count(*) FROM (SELECT rank() OVER (ORDER BY cost) AS r FROM visits) AS ranked WHERE r < 9",
            UNSUPPORTED,
            "this window function would read rows of more than one patient",
        ),
        "UNION without the unit": Refused(
            "SELECT count(*) FROM (SELECT region FROM visits UNION SELECT region FROM patients) AS seen",
            UNSUPPORTED,
            "UNION would compare rows of more than one patient",
        ),
        "LIMIT below an aggregate": Refused(
            "SELECT avg(cost) FROM (SELECT cost FROM visits ORDER BY cost DESC LIMIT 10) AS dearest",
            UNSUPPORTED,
            "LIMIT is not supported inside an aggregate over private rows",
        ),
    },
    "Aggregates": {
        "count(*), count(x), sum, avg": Answered("SELECT count(*), count(minutes), sum(cost), avg(cost) FROM visits"),
        "count(DISTINCT …) of people or values": Answered(
            "SELECT region, count(DISTINCT patient_id), count(DISTINCT diagnosis) FROM visits GROUP BY region"
        ),
        "variance, deviation, covariance, correlation, regression": Answered(
            "SELECT stddev(cost), corr(cost, minutes), regr_slope(cost, minutes) FROM visits",
            also=("SELECT region, var_pop(minutes), covar_samp(cost, minutes) FROM visits GROUP BY region",),
        ),
        "distinct combinations": Answered("SELECT count(DISTINCT (region, specialty)) FROM visits"),
        "FILTER, CASE, arithmetic": Answered(
            "SELECT avg(cost) FILTER (WHERE minutes > 60), sum(CASE WHEN minutes > 60 THEN cost * 1.5 ELSE 0 END) "
            "FROM visits"
        ),
        "DISTINCT in sum, avg, variance and stddev": Answered(
            "SELECT sum(DISTINCT minutes), avg(DISTINCT minutes), stddev(DISTINCT minutes) FROM visits"
        ),
        "DISTINCT of pairs": Refused(
            "SELECT corr(DISTINCT cost, minutes) FROM visits",
            UNSUPPORTED,
            "corr(DISTINCT …) of two values is not supported",
        ),
        "a sum without bounds, where the policy states `max_rows`": Refused(
            "SELECT sum(visit_id) FROM visits", DENIED, "sum(visit_id) requires bounds, but visit_id has none"
        ),
        "min, max, percentiles": Answered(
            "SELECT max(cost), percentile_cont(0.5) WITHIN GROUP (ORDER BY cost) FROM visits",
            also=(
                "SELECT region, min(visited_at), percentile_disc(ARRAY[0.25, 0.75]) WITHIN GROUP (ORDER BY minutes) "
                "FROM visits GROUP BY region",
            ),
        ),
        "extremes and percentiles of a unit's counts and sums": Answered(
            "SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY n), max(s) FROM (SELECT patient_id, count(*) AS n, "
            "sum(cost) AS s FROM visits GROUP BY patient_id) AS v"
        ),
        "sums, averages, extremes and percentiles of intervals": Answered(
            "SELECT avg(visited_at - timestamp '2024-01-01'), max(visited_at - timestamp '2024-01-01') FROM visits",
        ),
        "intervals that may have months": Refused(
            "SELECT avg(age(visited_at, timestamp '2024-01-01')) FROM visits",
            UNSUPPORTED,
            "avg(interval) is not supported",
        ),
        "extremes of texts that the policy lists": Answered(
            "SELECT min(sex), max(sex) FROM patients",
            also=(
                "SELECT region, min(region), max(zone), count(*) FROM visits JOIN regions ON name = region GROUP BY region",
                "SELECT specialty, CASE WHEN min(specialty) = max(specialty) THEN min(specialty) ELSE '*' END AS each, "
                "count(*) FROM visits GROUP BY specialty",
            ),
        ),
        "the names that tools write": Answered(
            "SELECT region, median(cost), approx_count_distinct(diagnosis) FROM visits GROUP BY region",
            also=("SELECT median(n) FROM (SELECT region, count(*) AS n FROM visits GROUP BY region) AS each",),
        ),
        "the most frequent of declared values": Answered(
            "SELECT region, mode() WITHIN GROUP (ORDER BY specialty) FROM visits GROUP BY region"
        ),
        "bool_and, bool_or, every": Answered(
            "SELECT specialty, bool_or(cost > 400) FROM visits GROUP BY specialty",
            also=("SELECT bool_and(minutes < 300), every(cost > 1) FILTER (WHERE minutes > 15) FROM visits",),
        ),
        "an extreme without bounds": Refused(
            "SELECT max(visit_id) FROM visits", DENIED, "max(visit_id) requires bounds, but visit_id has none"
        ),
        "lists of values": Refused(
            "SELECT string_agg(diagnosis, ', ') FROM visits", DENIED, "string_agg() would show individual values"
        ),
    },
    "Group keys": {
        "columns with declared values": Answered(
            "SELECT region, specialty, count(*) FROM visits GROUP BY 1, 2",
            also=("SELECT birth_year / 10 * 10 AS decade, count(*) FROM patients GROUP BY decade",),
        ),
        "dates cut to months, fields of dates": Answered(
            "SELECT date_trunc('month', visited_at) AS month, count(*) FROM visits GROUP BY month",
            also=(
                "SELECT extract(year FROM visited_at), to_char(visited_at, 'YYYY'), count(*) FROM visits GROUP BY 1, 2",
            ),
        ),
        "steps of dates and numbers": Answered(
            "SELECT date_bin('7 days', visited_at, '2024-01-07') AS week, floor(cost / 100) * 100 AS cost, count(*) "
            "FROM visits GROUP BY 1, 2",
            also=(
                "SELECT to_timestamp(floor(extract(epoch FROM visited_at) / 86400) * 86400), count(*) FROM visits GROUP BY 1",
                "SELECT (date_trunc('week', visited_at + interval '1 day') - interval '1 day')::date, count(*) "
                "FROM visits GROUP BY 1",
                "SELECT round(cost, -2), trunc(cost / 50), count(*) FROM visits GROUP BY 1, 2",
                "SELECT date(visited_at), to_char(visited_at, 'YYYY-MM'), count(*) FROM visits GROUP BY 1, 2",
            ),
        ),
        "conditions, CASE with constant results, width_bucket": Answered(
            "SELECT CASE WHEN cost < 50 THEN 'low' ELSE 'high' END AS price, minutes > 60, count(*) FROM visits "
            "GROUP BY 1, 2",
            also=("SELECT width_bucket(cost, 0, 500, 5), count(*) FROM visits GROUP BY 1",),
        ),
        "a list in WHERE": Answered(
            "SELECT diagnosis, count(*) FROM visits WHERE diagnosis IN ('asthma', 'migraine') GROUP BY diagnosis"
        ),
        "a bounded column with very many values": Refused(
            "SELECT cost, count(*) FROM visits GROUP BY cost",
            "42501",
            "cost has too many possible values to group by",
        ),
        "counts per unit": Answered(
            "SELECT n, count(*) FROM (SELECT patient_id, count(*) AS n FROM visits GROUP BY patient_id) AS each GROUP BY n"
        ),
        "undeclared keys, at the price of some δ": Answered(
            "SELECT diagnosis, count(*) FROM visits GROUP BY diagnosis"
        ),
        "a released list in CASE": Answered(
            "SELECT CASE WHEN region IN (SELECT region FROM visits GROUP BY 1 ORDER BY count(*) DESC LIMIT 3) THEN region "
            "ELSE 'other' END AS r, count(*) FROM visits GROUP BY r",
            blocks=2,
        ),
        "released numbers in keys": Answered(
            "SELECT width_bucket(cost, (SELECT min(cost) FROM visits), (SELECT max(cost) FROM visits), 5) AS bucket, count(*) "
            "FROM visits GROUP BY bucket",
            blocks=3,
        ),
        "released numbers in keys, from a subquery in FROM": Answered(
            "WITH ends AS (SELECT min(cost) AS low, max(cost) AS high FROM visits) "
            "SELECT width_bucket(cost, low, high, 5) AS bucket, count(*) FROM visits, ends GROUP BY bucket",
            blocks=2,
        ),
        "a released number in a condition": Answered(
            "SELECT cost > (SELECT avg(cost) FROM visits) AS dear, count(*) FROM visits GROUP BY dear", blocks=2
        ),
        "EXISTS and IN over the unit's rows in keys": Answered(
            "SELECT EXISTS (SELECT FROM visits v WHERE v.patient_id = p.patient_id AND cost > 400) AS dear, count(*) "
            "FROM patients p GROUP BY dear",
        ),
        "lookups in public tables": Answered(
            "SELECT (SELECT zone FROM regions r WHERE r.name = v.region) AS z, count(*) FROM visits v GROUP BY z"
        ),
        "ROLLUP of expressions": Answered("SELECT cost > 100, count(*) FROM visits GROUP BY ROLLUP (cost > 100)"),
        "ROLLUP, CUBE, GROUPING SETS of declared keys": Answered(
            "SELECT region, specialty, count(*), grouping(region) FROM visits GROUP BY CUBE (region, specialty)",
            also=(
                "SELECT region, specialty, count(*) FROM visits GROUP BY ROLLUP (region, specialty)",
                "SELECT region, specialty, count(*) FROM visits GROUP BY GROUPING SETS ((region), (specialty), ())",
            ),
        ),
        "totals of distinct values": Refused(
            "SELECT region, count(DISTINCT diagnosis) FROM visits GROUP BY ROLLUP (region)",
            UNSUPPORTED,
            "count(DISTINCT …) cannot be combined with ROLLUP, CUBE or GROUPING SETS",
        ),
        "DISTINCT of declared keys": Answered("SELECT DISTINCT region FROM visits", blocks=0),
        "ROLLUP of undeclared keys": Refused(
            "SELECT diagnosis, count(*) FROM visits GROUP BY ROLLUP (diagnosis)",
            UNSUPPORTED,
            "ROLLUP, CUBE and GROUPING SETS require declared group keys",
        ),
        "the unit": Refused(
            "SELECT patient_id, count(*) FROM visits GROUP BY patient_id",
            DENIED,
            "each group of patient_id would be one patient",
        ),
    },
    **AROUND_BLOCKS,
    "Expressions": {
        "arithmetic and mathematics": Answered(
            "SELECT count(*) FROM visits WHERE cost / (minutes - 30) > 2",
            also=("SELECT count(*) FROM visits WHERE ln(cost - 10) > sqrt(minutes - 5) OR power(minutes, 2) > 900",),
        ),
        "CASE, COALESCE, NULLIF, GREATEST, LEAST": Answered(
            "SELECT avg(greatest(coalesce(minutes, 0), 15)) FROM visits",
            also=("SELECT sum(least(nullif(cost, 0), CASE WHEN minutes > 60 THEN 200 ELSE 100 END)) FROM visits",),
        ),
        "text functions, LIKE, regular expressions": Answered(
            "SELECT count(*) FROM visits WHERE upper(left(diagnosis, 1)) = 'M' OR diagnosis ILIKE '%a%'",
            also=("SELECT count(*) FROM visits WHERE diagnosis ~ '^[a-m]' AND diagnosis NOT SIMILAR TO '%(x|y)'",),
        ),
        "today and yesterday": Answered(
            "SELECT count(*) FROM visits WHERE visited_at < current_date AND visited_at < date 'yesterday'"
        ),
        "today and yesterday without a type": Refused(
            "SELECT count(*) FROM visits WHERE visited_at < 'today'",
            UNSUPPORTED,
            "'today' without a type is not supported over private rows",
        ),
        "dates, intervals, time zones": Answered(
            "SELECT count(*) FROM visits WHERE visited_at AT TIME ZONE 'UTC' > now() - interval '900 days' "
            "AND extract(dow FROM visited_at) IN (0, 6)",
            also=(
                "SELECT date_trunc('mon', visited_at), count(*) FROM visits WHERE visited_at + interval 'P7D' > '2025-01-01' "
                "GROUP BY 1",
                "SELECT count(*) FROM visits WHERE visited_at + make_interval(days => minutes) > visited_at + '1 mon'",
                "SELECT count(*) FROM visits WHERE visited_at + (minutes || ' days')::interval > date '2025-12-01'",
            ),
        ),
        "casts, arrays of constants": Answered(
            "SELECT count(*) FROM visits WHERE diagnosis::numeric > 5 OR minutes::text = ANY (ARRAY['15', '30'])"
        ),
        "a cast that is on no list": Refused(
            "SELECT count(*) FROM visits WHERE diagnosis::interval > '3 days'",
            UNSUPPORTED,
            "a cast from text to interval is not supported over private rows",
        ),
        "a pattern that is no constant": Refused(
            "SELECT count(*) FROM visits WHERE diagnosis LIKE region", UNSUPPORTED, "LIKE requires a constant pattern"
        ),
        "a function that is on no list": Refused(
            "SELECT count(*) FROM visits WHERE pg_sleep(cost) IS NULL",
            UNSUPPORTED,
            "the function pg_sleep() is not supported over private rows",
        ),
    },
    "Refused on principle": {
        "rows": Refused(
            "SELECT * FROM visits LIMIT 10",
            DENIED,
            "this query would return rows of public.visits; only aggregates are allowed",
        ),
        "system columns": Refused(
            "SELECT count(*) FROM visits WHERE ctid = '(0,1)'", DENIED, "column ctid cannot be used here"
        ),
        "writing": Refused("DELETE FROM visits", DENIED, "DELETE is not allowed through dpproxy"),
    },
}
"""Constructs by name, in the groups of the table."""
