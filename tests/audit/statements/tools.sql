-- What tools write around plain questions: profiles, numbers of few values, values that the group determines, lists of
-- public rows for which there is somebody, keys of public tables through CTEs, and what fails for empty groups alone.
-- $column: ward
-- $column: code
-- $column: at
-- $column: minutes
-- $column: discount
-- $column: wait

SELECT count(DISTINCT region), count(DISTINCT urgent), count(*) FROM visits;

SELECT count(DISTINCT region) FILTER (WHERE urgent), approx_count_distinct(region) FROM visits WHERE minutes > 50;

SELECT count(DISTINCT sex), count(DISTINCT grade), count(DISTINCT region), count(DISTINCT smoker) FROM people;

SELECT count(DISTINCT p.sex), count(DISTINCT v.region), count(DISTINCT v.urgent) FROM people p LEFT JOIN visits v USING (person);

SELECT count(DISTINCT drug), count(DISTINCT drug) FILTER (WHERE dose > 10), max(dose) FROM prescriptions;

SELECT count(DISTINCT region) + count(DISTINCT urgent) FROM visits HAVING count(DISTINCT region) > 2;

SELECT count(DISTINCT region), dp.low(count(DISTINCT region)) FROM visits;

SELECT count(DISTINCT zone) FROM visits JOIN regions ON name = region;

SELECT count(DISTINCT r) FROM (SELECT person, region AS r FROM visits WHERE urgent) AS v;

SELECT count(DISTINCT u) FROM (SELECT person, bool_or(urgent) AS u FROM visits GROUP BY person) AS each;

SELECT count(DISTINCT n) FROM (SELECT person, least(count(*), 5) AS n FROM visits GROUP BY person) AS each;

SELECT min($column), max($column) FROM visits;

SELECT count(DISTINCT $column) FROM visits;

SELECT count(*) FROM visits WHERE $column IS NULL;

SELECT count(*) - count($column) FROM visits;

SELECT count(*), sum(CASE WHEN $column IS NULL THEN 1 ELSE 0 END) FROM visits;

SELECT name FROM regions WHERE name IN (SELECT region FROM visits WHERE urgent);

SELECT name, population FROM regions WHERE name IN (SELECT region FROM visits WHERE person = 77) ORDER BY 1;

SELECT name FROM regions r WHERE EXISTS (SELECT FROM visits v WHERE v.region = r.name AND minutes > 200);

SELECT name FROM regions WHERE name NOT IN (SELECT region FROM visits WHERE region IS NOT NULL);

SELECT region, n FROM (SELECT region, count(*) AS n FROM visits GROUP BY region) AS g WHERE region IN (SELECT region FROM people WHERE grade > 8);

SELECT region, min(zone), max(population), count(*) FROM visits JOIN regions ON name = region GROUP BY region;

SELECT region, CASE WHEN min(zone) = max(zone) THEN min(zone) ELSE '*' END AS zone, count(*) FROM visits JOIN regions ON name = region GROUP BY region;

SELECT v.region, count(*), min(t.n) FROM visits v JOIN (SELECT region, count(*) AS n FROM people GROUP BY region) AS t ON t.region = v.region GROUP BY v.region;

SELECT v.region, count(*), any_value(t.n) FROM visits v JOIN (SELECT region, count(*) AS n FROM visits GROUP BY region) AS t ON t.region IS NOT DISTINCT FROM v.region GROUP BY v.region;

WITH zones AS (SELECT name, zone FROM regions) SELECT zone, count(*) FROM visits JOIN zones ON name = region GROUP BY zone;

WITH zones AS (SELECT name, zone AS z FROM regions WHERE population > 600) SELECT z, count(*), avg(minutes) FROM visits v LEFT JOIN zones ON name = v.region GROUP BY z;

SELECT extract(year FROM at) AS y, sum(minutes) / count(*) FROM visits GROUP BY 1;

SELECT region, 100 * count(*) FILTER (WHERE urgent) / count(*) FROM visits WHERE person = 77 GROUP BY region;

SELECT 1 / count(*) FROM visits WHERE person = 77;

SELECT avg(n) FROM (SELECT date_trunc('month', at) AS month, count(*) AS n FROM visits GROUP BY 1) AS months;

SET dp.empty_groups = hide;
SELECT region, 100 * count(*) FILTER (WHERE urgent) / count(*) FROM visits WHERE person = 77 GROUP BY region;
SELECT DISTINCT region FROM visits WHERE person = 77;
SELECT avg(n) FROM (SELECT date_trunc('month', at) AS month, count(*) AS n FROM visits WHERE minutes > 200 GROUP BY 1) AS months;

SELECT count(*) FROM visits WHERE 1 IS NOT NULL;

SELECT sum(least(greatest(score, -10), 10)), avg(CASE WHEN score > 0 THEN score ELSE -score END), sum(coalesce(discount, 5)) FROM visits;

SELECT date_trunc('week', at + interval '1 day') - interval '1 day' AS week, count(*) FROM visits GROUP BY 1;

SELECT to_char(at, 'YYYY-MM'), count(DISTINCT person) FROM visits WHERE at >= date_trunc('month', timestamp '2025-03-05') - interval '1 month - 1 day' GROUP BY 1;

SELECT region, count(*) FROM visits WHERE (region, urgent) IN (SELECT region, urgent FROM visits GROUP BY 1, 2 ORDER BY count(*) DESC LIMIT 3) GROUP BY region;

SELECT CASE WHEN region IN (SELECT region FROM visits GROUP BY region ORDER BY count(*) DESC LIMIT 2) THEN region ELSE 'other' END AS r, count(*) FROM visits GROUP BY 1;
