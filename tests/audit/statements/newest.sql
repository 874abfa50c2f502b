-- What BI tools ask for beside plain questions: temporary tables, cohorts, series limits, prices and errors of noise.
-- Without recall, as what is told of older answers follows from when they were given; so do the draws around blocks,
-- of which only the plan is compared.
-- $kept: SELECT region, count(*) AS n FROM visits GROUP BY region
-- $kept: SELECT ward AS region, count(*) AS n FROM visits GROUP BY ward
-- $first: min(minutes)
-- $first: date_trunc('month', min(at))
-- $first: least(count(*), 10)
-- $first: max(grade)
-- $list: region IN (SELECT region FROM visits GROUP BY region ORDER BY count(*) DESC LIMIT 2)
-- $list: ward IN (SELECT ward FROM visits GROUP BY ward HAVING count(*) > 20)
-- $number: count(*)
-- $number: avg(cost)
-- $number: sum(minutes)

CREATE TEMP TABLE kept AS $kept;
SELECT count(*) FROM visits WHERE region IN (SELECT region FROM kept);
SELECT k.region, count(v.visit) FROM kept k LEFT JOIN visits v ON v.region = k.region GROUP BY k.region;
DROP TABLE kept;

CREATE TEMP TABLE kept (region text, n bigint);
INSERT INTO kept $kept;
INSERT INTO kept VALUES ('north', 5), ('void', NULL);
INSERT INTO kept SELECT ward, visit FROM visits;
SELECT sum(n), count(*) FROM kept;
DROP TABLE kept;

SELECT region, count(*) AS n INTO TEMP kept FROM visits GROUP BY region;
TABLE kept;
DROP TABLE kept;

SET dp.recall = off;
SELECT k, count(*) FROM (SELECT v.person, $first AS k FROM visits v JOIN people p ON p.person = v.person GROUP BY v.person) AS first GROUP BY k;

SET dp.recall = off;
SELECT k, minutes - k, count(DISTINCT person) FROM (SELECT person, minutes, min(minutes) OVER (PARTITION BY person) AS k FROM visits) AS first WHERE minutes - k < 9 GROUP BY 1, 2;

SET dp.recall = off;
SELECT least(n, 4), count(*) FROM (SELECT person, count(*) AS n FROM visits GROUP BY person) AS each GROUP BY 1;

SET dp.recall = off;
SELECT region, $number FROM visits WHERE $list GROUP BY region;

SET dp.recall = off;
SELECT ward, $number FROM visits WHERE $list GROUP BY ward;

SET dp.recall = off;
SELECT CASE WHEN region NOT IN (SELECT region FROM visits GROUP BY region ORDER BY count(*) DESC LIMIT 2) THEN 'other' ELSE region END, $number FROM visits GROUP BY 1;

SET dp.recall = off;
SET dp.max_error = '20 %';
SELECT region, $number FROM visits GROUP BY region;
SELECT $number, dp.reliable($number, 0.3), dp.clipped($number) FROM visits;

SET dp.recall = off;
SET dp.digits = on;
SELECT region, $number FROM visits GROUP BY region;

SELECT region, count(*), sum(minutes) FROM visits GROUP BY region;
SET dp.error = '5 %';
EXPLAIN SELECT region, count(*), sum(minutes) FROM visits GROUP BY region;
SELECT region, count(*), sum(minutes) FROM visits GROUP BY region;

SET dp.error = 100;
SELECT sex, count(*) FROM people GROUP BY sex;

EXPLAIN SELECT ward, n, dp.low(n), dp.high(n / sum(n) OVER ()) FROM (SELECT ward, count(*) AS n FROM visits GROUP BY ward) AS t;

SET dp.recall = off;
SELECT region, count(*), dp.low(count(*)) FROM visits GROUP BY ROLLUP (region);

SET dp.recall = off;
SELECT DISTINCT ON (urgent) urgent, region, count(*) FROM visits GROUP BY urgent, region ORDER BY urgent, count(*) DESC;

SET dp.recall = off;
SELECT min(sex), max(region) FROM people;

SET dp.recall = off;
SELECT region, (SELECT count(*) FROM people p WHERE p.region = v.region), (SELECT zone FROM regions r WHERE r.name = v.region) FROM visits v GROUP BY v.region;

SET dp.recall = off;
SELECT name FROM regions r WHERE (SELECT count(*) FROM visits v WHERE v.region = r.name) > 30;

SET dp.recall = off;
SELECT count(*) FROM visits WHERE person IN (SELECT i.person FROM insurances i WHERE i.premium > 100);

SET dp.recall = off;
SELECT p.sex, count(*) FROM visits v JOIN people p ON v.person IS NOT DISTINCT FROM p.person GROUP BY p.sex;

SET dp.recall = off;
SELECT j.zone, count(*) FROM (visits v JOIN regions r ON r.name = v.region) AS j GROUP BY j.zone;

SET dp.recall = off;
SELECT day, count(visit) FROM generate_series(date '2024-05-01', date '2024-05-09', interval '1 day') AS day LEFT JOIN visits ON date_trunc('day', at) = day GROUP BY day;

SET dp.recall = off;
SELECT count(*) FROM (SELECT rank() OVER w AS n FROM visits WINDOW w AS (PARTITION BY person ORDER BY cost)) AS ranked WHERE n = 2;

SET dp.recall = off;
SELECT CASE ward WHEN 'ward 1' THEN 'one' WHEN 'ward 2' THEN 'two' ELSE 'other' END, count(*) FROM visits GROUP BY 1;

SELECT * FROM visits WHERE 1 = 0;
SELECT ward, cost FROM visits LIMIT 0;
SELECT 1 FROM visits LIMIT 1;
SELECT EXISTS (SELECT FROM visits WHERE cost > 999);
SELECT ward FROM visits WHERE 1 = 0 OR cost > 5;

SET TimeZone = 'Pacific/Kiritimati';
SELECT date_trunc('month', seen), count(*) FROM visits GROUP BY 1;
SELECT min(seen), max(seen), avg(extract(epoch FROM seen)) FROM visits;

SET dp.recall = off;
SELECT count(*) FROM (SELECT person, region FROM visits EXCEPT SELECT person, region FROM people) AS away;

SET dp.recall = off;
SELECT count(DISTINCT (region, urgent)), width_bucket(cost, (SELECT min(cost) FROM visits), (SELECT max(cost) FROM visits), 5) FROM visits GROUP BY 2;
SELECT width_bucket(cost, low, high, 5), count(*) FROM visits, (SELECT min(cost) AS low, max(cost) AS high FROM visits) AS ends GROUP BY 1;

SET dp.recall = off;
SELECT count(*) FROM visits v WHERE cost > (SELECT avg(w.cost) FROM visits w WHERE w.region = v.region);

SET dp.recall = off;
SELECT count(*) FROM visits v WHERE cost > (SELECT 2 * avg(w.cost) FROM visits w WHERE w.person = v.person);

SET dp.recall = off;
WITH n AS (SELECT region, count(*) AS c FROM visits GROUP BY region) SELECT region, c, rank() OVER (ORDER BY c DESC) FROM n WHERE c > (SELECT avg(c) FROM n);

SET dp.recall = off;
SELECT v.region, v.n / nullif(p.n, 0) FROM (SELECT region, count(*) AS n FROM visits GROUP BY 1) v JOIN (SELECT region, count(*) AS n FROM people GROUP BY 1) p USING (region);

SET dp.recall = off;
WITH a AS (SELECT region, avg(cost) AS usual FROM visits GROUP BY 1) SELECT count(*) FROM visits v JOIN a USING (region) WHERE cost > usual;

SET dp.recall = off;
SELECT EXISTS (SELECT FROM visits v WHERE v.person = p.person AND cost > 400) AS dear, count(*) FROM people p GROUP BY dear;

SET dp.recall = off;
SELECT (SELECT sex FROM people p WHERE p.person = v.person) AS s, count(*), avg((SELECT v.cost / nullif(w.minutes, 0) FROM visits w WHERE w.visit = v.visit)) FROM visits v GROUP BY s;
SELECT count(*) FROM prescriptions p WHERE (SELECT urgent FROM visits v WHERE v.visit = p.visit AND v.cost > 100);

SET dp.recall = off;
SELECT (SELECT zone FROM regions r WHERE r.name = v.region) AS z, cost > (SELECT avg(cost) FROM visits) AS dear, count(*) FROM visits v GROUP BY 1, 2;

SET dp.recall = off;
SELECT count(*) FROM visits WHERE at < current_date AND at > now() - interval '9000 days';

SET dp.recall = off;
SELECT cost > 100, count(*) FROM visits GROUP BY ROLLUP (cost > 100);

SET dp.recall = off;
SELECT level, count(*), avg(total) FROM (SELECT person, sum(cost) AS total, CASE WHEN sum(cost) > 300 THEN 'high' WHEN count(*) > 2 THEN 'many' END AS level FROM visits GROUP BY person) s GROUP BY level;

SET dp.recall = off;
SELECT r.name, r.zone, count(*) FROM visits v JOIN regions r ON r.name = v.region GROUP BY r.name;

SET dp.recall = off;
SELECT count(*) FROM people p WHERE EXISTS ((SELECT 1 FROM visits v WHERE v.person = p.person AND v.cost > 5));

SET dp.recall = off;
SELECT count(ward), count(ward) FILTER (WHERE cost > 5), count(*) FROM visits;

SET dp.recall = off;
SELECT count(*) FROM visits WHERE CASE WHEN person = 5 THEN -2147483648 ELSE NULL::int END < 0.1::float8;

SET dp.recall = off;
SELECT mode() WITHIN GROUP (ORDER BY minutes * 21474836) FROM visits WHERE person = 5;

SET dp.recall = off;
SELECT date_trunc('mons', at), count(*) FROM visits WHERE at + make_interval(days => minutes) > '2024-06-01' GROUP BY 1;

SET dp.recall = off;
SELECT count(*) FROM visits WHERE at + (minutes || ' hrs')::interval > at + '1 mon' OR seen - interval 'P1W' < '2024-03-01';

SET dp.recall = off;
SELECT count(*), sum(extract(epoch FROM gap) / 3600) FROM (SELECT at - lag(at) OVER (PARTITION BY person ORDER BY at, visit) AS gap FROM visits) g WHERE gap > interval '2 days';

SET dp.recall = off;
SELECT count(*) FROM (SELECT person, row_number() OVER (PARTITION BY person ORDER BY kind) AS n, amount FROM claims) c WHERE n = 1 AND amount > 5;

SET dp.recall = off;
SELECT count(*) FROM (SELECT DISTINCT ON (person) * FROM (SELECT person, region, clock, ratio FROM visits) v ORDER BY person, region) f WHERE clock > '10:00+00' OR ratio > 5;

SET dp.recall = off;
SELECT p.region, count(*), count(v.visit), count(q.dose) FROM people p LEFT JOIN visits v ON v.person = p.person LEFT JOIN prescriptions q ON q.visit = v.visit GROUP BY 1;

SET dp.recall = off;
WITH dim AS (SELECT r.name, d.strength FROM regions r JOIN drugs d ON d.strength = 4) SELECT d.strength, count(*) FROM visits v JOIN dim d ON d.name = v.region GROUP BY 1;

SET dp.recall = off;
SELECT count(*) FROM papers WHERE (doc ->> 'n')::int > 2;

SET dp.recall = off;
SELECT count(*) FROM visits WHERE ratio::numeric(5, 2) > 3 AND score::numeric(6, 1) < 900;

SET dp.recall = off;
SET dp.empty_groups = hide;
SELECT region, count(*) FILTER (WHERE urgent), max(minutes) FILTER (WHERE cost > 900) FROM visits GROUP BY region;

SET dp.recall = off;
SELECT sum(minutes * cost), avg(cost / nullif(minutes, 0)), stddev(cost * minutes), corr(score, ratio) FROM visits;

SET dp.recall = off;
SELECT count(*) FROM (SELECT min(cost * 2) OVER (PARTITION BY person ORDER BY at ROWS BETWEEN 3 PRECEDING AND 1 FOLLOWING) AS m FROM visits) w WHERE m > 100;

SET dp.recall = off;
SELECT d.day, (SELECT count(*) FROM visits v WHERE v.at <= d.day) AS n FROM generate_series(timestamp '2024-01-01', timestamp '2024-06-01', interval '1 month') AS d(day);

SET dp.recall = off;
SELECT t.most, x.n, x.spent FROM (VALUES (10), (60), (NULL)) AS t(most) CROSS JOIN LATERAL (SELECT count(*) AS n, sum(cost) AS spent FROM visits v WHERE v.minutes > t.most) AS x;

SET dp.recall = off;
SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY n), max(s), max(coalesce(n, 0)) FROM (SELECT person, count(*) AS n, sum(cost) AS s FROM visits GROUP BY person) v;

SET dp.recall = off;
SELECT max(n) FROM (SELECT row_number() OVER (PARTITION BY person ORDER BY filed) AS n FROM claims) c;

SET dp.recall = off;
SELECT dear, count(*) FROM (SELECT cost > (SELECT avg(cost) FROM visits) AS dear FROM visits) v GROUP BY dear;

SET dp.recall = off;
SELECT count(*) FROM (SELECT person, sum(cost) AS s, (SELECT avg(cost) FROM visits) AS usual FROM visits GROUP BY person HAVING sum(cost) > 2 * (SELECT avg(cost) FROM visits)) v WHERE s > 3 * usual;

SET dp.recall = off;
SELECT sum(d) FROM (SELECT minutes - lag(minutes, 1, 0) OVER (PARTITION BY person ORDER BY at) AS d FROM visits) v;

SET dp.recall = off;
SELECT fav, count(*) FROM (SELECT person, region AS fav, row_number() OVER (PARTITION BY person ORDER BY count(*) DESC, region) AS r FROM visits GROUP BY person, region) v WHERE r = 1 GROUP BY fav;

SET dp.recall = off;
SELECT region, count(*) FROM visits WHERE at >= ((SELECT timestamp '2024-01-15')) AND extract(month FROM at) < 3 GROUP BY region;

SET dp.recall = off;
SELECT count(*), sum(cost) FROM visits v WHERE (SELECT count(*) FROM visits w WHERE w.person = v.person AND w.at < v.at) = 1;

SET dp.recall = off;
SELECT sum((SELECT sum(cost) FROM visits w WHERE w.person = v.person AND w.minutes < v.minutes)) FROM visits v;

SET dp.recall = off;
SELECT (SELECT w.region FROM visits w WHERE w.person = v.person ORDER BY w.at, w.cost LIMIT 1) AS first, count(*) FROM visits v GROUP BY first;

SET dp.recall = off;
SELECT k.region, count(*), sum(v.cost) FROM (SELECT person, region, row_number() OVER (PARTITION BY person ORDER BY at) AS n FROM visits) k JOIN visits v ON v.person = k.person WHERE k.n = 1 GROUP BY k.region;

SET dp.recall = off;
SELECT k.region, count(*) FROM (SELECT DISTINCT ON (person) person, region FROM visits ORDER BY person, at DESC) k JOIN visits v ON v.person = k.person GROUP BY k.region;

SET dp.recall = off;
SELECT region, ln(sum(minutes - 20)), 100 / count(*) FILTER (WHERE cost > 1e6) FROM visits GROUP BY region;

SET dp.recall = off;
SELECT count(*) FROM visits WHERE cost > (SELECT sqrt(sum(minutes - 20)) FROM visits);

SET dp.recall = off;
SELECT region, max(at), min(at) FROM visits WHERE to_char(at, 'YYYY-MM') IN ('2024-01', '2024-02') AND date_trunc('month', at) < '2024-03-01' GROUP BY region;
SELECT r.name, count(CASE WHEN v.urgent THEN 1 END), sum(CASE WHEN v.minutes > 60 THEN v.cost ELSE 0 END), count(*) FILTER (WHERE v.visit IS NOT NULL) FROM regions r LEFT JOIN visits v ON v.region = r.name GROUP BY r.name;

SELECT r.zone, sum(coalesce(v.minutes, 0)), avg(CASE WHEN v.urgent THEN v.cost END), count(DISTINCT CASE WHEN v.urgent THEN v.person END) FROM regions r LEFT JOIN visits v ON v.region = r.name GROUP BY r.zone;

SELECT name, count(id), sum(CASE WHEN cost > 5 THEN 1 ELSE 0 END) FROM (SELECT r.name, v.visit AS id, v.cost FROM regions r LEFT JOIN visits v ON v.region = r.name) AS t GROUP BY name;

WITH t AS (SELECT r.*, v.minutes, CASE WHEN v.urgent THEN v.person END AS who FROM visits v RIGHT JOIN regions r ON v.region = r.name) SELECT zone, sum(minutes), count(DISTINCT who) FROM t WHERE zone <> 'x' GROUP BY zone;

SELECT q.smoker, count(*), sum(v.c) FROM (SELECT person AS p, cost AS c FROM visits) AS v LEFT JOIN (SELECT * FROM people) AS q ON q.person = v.p GROUP BY q.smoker;

SET dp.recall = off;
SELECT count(*), sum(cost) FROM (SELECT * FROM (SELECT person, cost, row_number() OVER (PARTITION BY person, at, cost ORDER BY minutes) AS n FROM visits) v WHERE n = 1) w;

SET dp.recall = off;
SELECT count(*) FROM (SELECT region, person FROM (SELECT person, region, row_number() OVER (PARTITION BY person, region ORDER BY at) FROM visits) AS t(region, person, n) WHERE n = 1) w;

SET dp.recall = off;
SELECT count(*) FILTER (WHERE EXISTS (SELECT FROM visits w WHERE w.person = v.person AND w.at > v.at AND w.cost > 3)), count(*), max(minutes) FROM visits v;

SET dp.recall = off;
SELECT NOT EXISTS (SELECT FROM visits w WHERE w.person = v.person AND w.at < v.at) AS first, count(*), min(cost), percentile_disc(0.5) WITHIN GROUP (ORDER BY minutes) FROM visits v GROUP BY 1;

SET dp.recall = off;
SELECT count(*), sum(n) FROM (SELECT person::text AS k, count(*) AS n FROM visits GROUP BY 1) v;
SELECT md5(person::text), count(*) FROM visits GROUP BY 1;

SET dp.recall = off;
SELECT count(*) FROM (WITH s AS (SELECT 'north' AS r) SELECT v.visit FROM visits v JOIN s ON v.region = s.r) v;

SET dp.recall = off;
SELECT count(*), count(cost) FROM (SELECT v.cost, row_number() OVER (PARTITION BY p.person ORDER BY v.at) AS n FROM people p LEFT JOIN visits v ON v.person = p.person) x WHERE n = 1;

SET dp.recall = off;
SELECT max(r), min(r) FROM (SELECT person, coalesce(sum(cost), 0) AS r FROM visits GROUP BY person) v;

SET dp.recall = off;
SELECT sum(cost::float / 7), avg(greatest(minutes - 100, 0)) FROM visits;

SET dp.recall = off;
SELECT stddev(n), corr(n, s), regr_slope(s, n) FROM (SELECT person, count(*) AS n, sum(cost) AS s FROM visits GROUP BY person) v;

SET dp.recall = off;
SELECT variance(n), regr_count(n, s) FROM (SELECT person, ward, count(*) AS n, sum(score) AS s FROM visits GROUP BY person, ward) v;

SET dp.recall = off;
SELECT w, count(*), avg(c) FROM (SELECT person, (array_agg(ward ORDER BY at DESC, cost))[1] AS w, (array_agg(cost ORDER BY at) FILTER (WHERE urgent))[2] AS c FROM visits GROUP BY person) v GROUP BY w;

SET dp.recall = off;
SELECT count(*) FROM (SELECT nth_value(ward, 2) OVER (PARTITION BY person ORDER BY at ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) AS w FROM visits) v WHERE w = 'a';

SET dp.recall = off;
SELECT min(r.zone), max(r.name), percentile_disc(0.5) WITHIN GROUP (ORDER BY p.region) FROM people p JOIN regions r ON r.name = p.region;

SET dp.recall = off;
SELECT o, count(*), avg(u), sum(s) FROM (SELECT person, mode() WITHIN GROUP (ORDER BY ward) AS o, percentile_cont(0.5) WITHIN GROUP (ORDER BY cost) AS u, stddev(minutes) AS s FROM visits GROUP BY person) v GROUP BY o;

SET dp.recall = off;
SELECT count(*), sum(d) FROM (SELECT person, var_pop(DISTINCT score) AS d FROM visits GROUP BY person HAVING percentile_disc(0.9) WITHIN GROUP (ORDER BY cost DESC) > 50) v;

SET dp.recall = off;
SELECT count(*) FROM visits v WHERE cost > (SELECT stddev(w.cost) FROM visits w WHERE w.person = v.person);

SET dp.recall = off;
SELECT w, count(*), sum(cost), count(DISTINCT person) FROM visits CROSS JOIN LATERAL string_to_table(ward, 'a') AS w GROUP BY w;

SET dp.recall = off;
SELECT n, count(*) FROM (SELECT person, count(DISTINCT w) AS n FROM visits LEFT JOIN LATERAL unnest(string_to_array(code, '1')) AS t(w) ON true GROUP BY person) v GROUP BY n;

SET dp.recall = off;
SELECT unnest(string_to_array(region, 'o')) AS part, count(*) FROM people GROUP BY part;

SET dp.recall = off;
SELECT count(*), sum(minutes) FROM visits v WHERE EXISTS (SELECT FROM unnest(string_to_array(v.ward, 'b')) AS t(w) WHERE t.w > v.code);

SET dp.recall = off;
SELECT count(*) FROM papers p CROSS JOIN LATERAL jsonb_array_elements_text(p.doc -> 'tags') AS t(x) WHERE t.x <> 'z';

SET dp.recall = off;
SELECT CASE WHEN cost < 5 THEN 1 ELSE 2 END AS place, CASE WHEN cost < 5 THEN 'low' ELSE 'high' END AS price, count(*) FROM visits WHERE cost < 40 GROUP BY 1, 2;

SET dp.recall = off;
SELECT CASE ward WHEN 'a' THEN 1 WHEN 'b' THEN 2 END, ward <> 'b', at < '2024-06-01', count(*) FROM visits WHERE ward <> 'c' GROUP BY 1, 2, 3;

SET dp.recall = off;
SELECT count(*) FROM visits v LEFT JOIN people p ON p.person = v.person WHERE p.person IS NULL;

SET dp.recall = off;
SELECT count(wait * 60), count(*) FILTER (WHERE minutes * wait > interval '90 days'), count(at + wait / 0.001) FROM visits;

SET dp.recall = off;
SELECT upper(region), count(*), sum(cost) FROM visits WHERE region NOT IN (SELECT name FROM regions WHERE zone = 'warm') GROUP BY 1;

SET dp.recall = off;
SELECT region::text, ward, count(*), sum(cost) FROM visits GROUP BY GROUPING SETS ((region, ward::text), (region::text), ()) ORDER BY region::text, ward;

SET dp.recall = off;
SELECT count(*) FROM people p WHERE (SELECT count(*) FROM visits v WHERE v.person = p.person) IN (0, 5);

SET dp.recall = off;
SELECT count(*) FROM visits v WHERE 'F' IN (SELECT p.sex FROM people p WHERE p.person = v.person);
