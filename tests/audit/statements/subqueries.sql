-- EXISTS, IN, scalar and lateral subqueries, derived tables and windows over one's own rows.
-- $member: EXISTS (SELECT FROM visits v WHERE v.person = p.person AND v.cost > 500)
-- $member: NOT EXISTS (SELECT FROM visits v WHERE v.person = p.person)
-- $member: p.person IN (SELECT v.person FROM visits v WHERE v.urgent)
-- $member: p.person NOT IN (SELECT v.person FROM visits v WHERE v.minutes > 60)
-- $member: p.region IN (SELECT name FROM regions WHERE zone = 'cold')
-- $member: (p.person, p.region) IN (SELECT v.person, v.region FROM visits v)
-- $member: p.grade > (SELECT count(*) FROM visits v WHERE v.person = p.person)
-- $member: p.height > ALL (SELECT v.cost FROM visits v WHERE v.person = p.person)
-- $member: EXISTS (SELECT FROM visits v JOIN prescriptions d USING (visit) WHERE v.person = p.person AND d.dose > 80)
-- $rows: SELECT person, count(*) AS x FROM visits GROUP BY person
-- $rows: SELECT person, sum(cost) AS x FROM visits GROUP BY person
-- $rows: SELECT person, max(minutes) AS x FROM visits GROUP BY person HAVING count(*) > 2
-- $rows: SELECT person, minutes AS x FROM visits WHERE urgent
-- $rows: SELECT DISTINCT person, minutes AS x FROM visits
-- $rows: SELECT person, row_number() OVER (PARTITION BY person ORDER BY at) AS x FROM visits
-- $rows: SELECT person, sum(minutes) OVER (PARTITION BY person ORDER BY at) AS x FROM visits
-- $rows: SELECT person, lag(minutes) OVER (PARTITION BY person ORDER BY at, visit) AS x FROM visits
-- $rows: SELECT person, rank() OVER (PARTITION BY person ORDER BY cost DESC) AS x FROM visits
-- $rows: SELECT person, first_value(minutes) OVER (PARTITION BY person) AS x FROM visits
-- $rows: SELECT person, minutes AS x FROM visits UNION ALL SELECT person, premium FROM insurances
-- $rows: SELECT person, minutes AS x FROM visits UNION SELECT person, premium FROM insurances
-- $rows: SELECT person, minutes AS x FROM visits EXCEPT SELECT person, premium FROM insurances
-- $rows: SELECT person, minutes AS x FROM visits INTERSECT SELECT person, dose FROM prescriptions JOIN visits USING (visit)
-- $rows: SELECT person, percentile_disc(0.5) WITHIN GROUP (ORDER BY minutes) AS x FROM visits GROUP BY person
-- $numbers: count(*), sum(least(greatest(x, 0), 50))
-- $numbers: count(*) FILTER (WHERE x > 3)
-- $numbers: count(DISTINCT person)
-- $lateral: SELECT count(*) AS x FROM visits v WHERE v.person = p.person
-- $lateral: SELECT max(v.minutes) AS x FROM visits v WHERE v.person = p.person AND v.region = p.region
-- $lateral: SELECT v.minutes AS x FROM visits v WHERE v.person = p.person AND v.urgent
-- $lateral: SELECT v.minutes AS x FROM visits v WHERE v.person = p.person ORDER BY v.at LIMIT 1
-- $lateral: SELECT p.grade * 10 + p.height / 100 AS x
-- $lateral: SELECT CASE WHEN p.smoker THEN p.grade END AS x
-- $lateral: SELECT p.grade * 10 AS x UNION ALL SELECT p.height / 100 UNION ALL SELECT 7
-- $lateral: SELECT strength AS x FROM drugs WHERE strength < p.grade

SELECT count(*), sum(height) FROM people p WHERE $member;

SELECT sex, count(*) FILTER (WHERE $member) FROM people p GROUP BY sex;

SELECT $numbers FROM ($rows) AS t;

WITH t AS ($rows) SELECT x > 20, count(*) FROM t GROUP BY 1;

SELECT count(*), sum(least(greatest(t.x, 0), 50)) FROM people p JOIN ($rows) AS t ON t.person = p.person WHERE p.sex = 'F';

SELECT count(*), sum(least(greatest(t.x, 0), 50)) FROM people p CROSS JOIN LATERAL ($lateral) AS t;

SELECT p.sex, count(*), count(t.x) FROM people p LEFT JOIN LATERAL ($lateral) AS t ON true GROUP BY p.sex;

SELECT sum(x) FROM (SELECT (SELECT count(*) FROM visits v WHERE v.person = p.person AND v.urgent) AS x FROM people p) AS t;

SELECT x, count(*) FROM (SELECT person, count(*) AS x FROM visits GROUP BY person) AS t GROUP BY x;

SELECT count(*), count(x) FROM (SELECT person, string_agg(ward, ',') AS x FROM visits GROUP BY person) AS t;
