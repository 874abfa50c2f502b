-- Shapes of tools: existence, first rows, steps and zones as keys, subqueries in keys, the best groups, joined keys.
-- $some: EXISTS (SELECT FROM visits WHERE ward = 'ward 7')
-- $some: EXISTS (SELECT FROM visits v JOIN people p USING (person) WHERE p.town = 'town 9' AND v.cost > 900)
-- $some: NOT EXISTS (SELECT FROM people WHERE grade > 9)
-- $step: floor(cost / 50) * 50
-- $step: round(minutes, -1)
-- $step: to_char(at, 'YYYY-MM')
-- $step: date_trunc('month', seen AT TIME ZONE 'Europe/Berlin')
-- $step: date_trunc('week', seen, 'America/New_York')
-- $step: floor(extract(epoch FROM at) / 604800)
-- $step: date_bin('7 days', at, '2024-01-07')
-- $part: CASE WHEN region IN (SELECT region FROM visits GROUP BY region ORDER BY count(*) DESC LIMIT 2) THEN region ELSE 'other' END
-- $part: cost > (SELECT avg(cost) FROM visits)
-- $part: width_bucket(cost, 0, (SELECT max(cost) FROM visits), 5)
-- $part: (SELECT zone FROM regions r WHERE r.name = region)
-- $part: EXISTS (SELECT FROM prescriptions d WHERE d.visit = visits.visit)
-- $first: person
-- $first: person, region
-- $first: urgent, person

SELECT $some;

SELECT 1 FROM visits WHERE ward = 'ward 7' LIMIT 1;

SELECT name FROM regions r WHERE EXISTS (SELECT FROM visits v WHERE v.region = r.name AND v.cost > 500);

SELECT $step AS k, count(*), avg(minutes) FROM visits GROUP BY 1;

SELECT $part AS k, count(*), sum(minutes) FROM visits GROUP BY 1;

SELECT region, count(*), sum(minutes) FROM (SELECT DISTINCT ON ($first) * FROM visits ORDER BY $first, visit DESC) v GROUP BY region;

SELECT count(*), count(p.grade), sum(v.minutes) FROM visits v FULL JOIN people p ON p.person = v.person;

SELECT r.name, q.urgent, q.n FROM regions r, LATERAL (SELECT urgent, count(*) AS n FROM visits v WHERE v.region = r.name GROUP BY urgent ORDER BY n DESC LIMIT 1) AS q;

SELECT region, count(*), (SELECT count(*) FROM people p WHERE p.region = v.region) FROM visits v GROUP BY region;

SELECT v.region, r.zone, count(*) FROM visits v LEFT JOIN regions r ON r.name = v.region GROUP BY 1, 2;

SELECT v.region, r.zone, sum(minutes) FROM visits v JOIN regions r ON r.name = v.region WHERE r.population > 600 GROUP BY 1, 2;

SELECT v.region, p.region, count(*) FROM visits v JOIN people p ON p.person = v.person AND p.region = v.region GROUP BY 1, 2;

SELECT median(minutes), approx_count_distinct(ward) FROM visits;

SELECT urgent, median(cost), count(*) FROM visits GROUP BY urgent;

SELECT urgent, avg(minutes * interval '1 minute'), max(minutes * interval '1 minute'), sum(minutes * interval '1 minute') FROM visits GROUP BY urgent;

SELECT count(*), dp.low(count(*) * 4604000000000000), dp.high(100.0 * sum(minutes) / nullif(count(*), 0)) FROM visits;

SELECT sum(DISTINCT coalesce(p.grade, 0) + ('x' || md5(p.person::varchar))::bit(64)::bigint::decimal(65) * 18446744073709551616 + ('x' || substr(md5(p.person::varchar), 17))::bit(64)::bigint::decimal(65)) - sum(DISTINCT ('x' || md5(p.person::varchar))::bit(64)::bigint::decimal(65) * 18446744073709551616 + ('x' || substr(md5(p.person::varchar), 17))::bit(64)::bigint::decimal(65)) FROM visits v JOIN people p USING (person);
