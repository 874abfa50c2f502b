"""The constructs that say which rows are aggregated: part of `construct_examples`."""

from __future__ import annotations

from typing import Final

from tests.docs.construct import UNSUPPORTED, Answered, Refused

OF_ROWS: Final[dict[str, dict[str, Answered | Refused]]] = {
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
                "SELECT zone, count(*) FROM patients p JOIN visits v JOIN regions r ON r.name = v.region "
                "ON v.patient_id = p.patient_id GROUP BY zone",
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
                "SELECT count(*), sum(n) FROM (SELECT patient_id, count(cost) AS n FROM visits v FULL JOIN patients p "
                "USING (patient_id) GROUP BY patient_id HAVING count(*) > 2) AS each",
                "WITH dear AS (SELECT patient_id, count(*) AS n FROM visits WHERE cost > 300 GROUP BY 1), long AS "
                "(SELECT patient_id, count(*) AS n FROM visits WHERE minutes > 60 GROUP BY 1), merged AS "
                "(SELECT coalesce(d.patient_id, l.patient_id) AS patient_id, d.n AS dear, l.n AS long FROM dear d FULL "
                "JOIN long l ON l.patient_id = d.patient_id) SELECT sex, sum(dear), sum(long) FROM merged JOIN patients "
                "USING (patient_id) GROUP BY sex",
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
        "elements of arrays, texts and documents": Answered(
            "SELECT word, count(*) FROM visits CROSS JOIN LATERAL string_to_table(diagnosis, ' ') AS word GROUP BY word",
            also=(
                "SELECT unnest(string_to_array(diagnosis, 'a')) AS part, count(*) FROM visits GROUP BY part",
                "SELECT count(*) FROM visits WHERE EXISTS (SELECT FROM unnest(string_to_array(diagnosis, ' ')) AS t(w) WHERE w > 'm')",
            ),
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
        "an element of a unit's ordered values": Answered(
            "SELECT first, count(*) FROM (SELECT patient_id, (array_agg(specialty ORDER BY visited_at))[1] AS first FROM visits "
            "GROUP BY patient_id) AS v GROUP BY first"
        ),
        "named windows": Answered(
            "SELECT count(*) FROM (SELECT rank() OVER w AS n FROM visits WINDOW w AS (PARTITION BY patient_id ORDER BY cost)) "
            "AS ranked WHERE n = 2"
        ),
        "variances, percentiles and modes of a unit's rows": Answered(
            "SELECT often, avg(usual), avg(spread) FROM (SELECT patient_id, mode() WITHIN GROUP (ORDER BY region) AS often, "
            "percentile_cont(0.5) WITHIN GROUP (ORDER BY cost) AS usual, stddev(cost) AS spread FROM visits "
            "GROUP BY patient_id) AS v GROUP BY often"
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
}
