-- Units with more rows than take part where rows meet rows: joins and subqueries without a key, of all tables.
-- $one: visits
-- $one: insurances
-- $one: papers
-- $other: visits
-- $other: insurances
-- $other: papers
-- $most: SET dp.max_rows = 1;
-- $most: SET dp.max_rows = 60;
-- $most: SET dp.max_rows = 10000;
-- $compared: o.cost < v.cost
-- $compared: o.cost <= v.cost AND o.ward = v.ward
-- $compared: o.minutes IS DISTINCT FROM v.minutes
-- $compared: (o.urgent OR v.urgent)
-- $member: EXISTS (SELECT FROM insurances c WHERE c.person = v.person AND c.premium < v.cost)
-- $member: NOT EXISTS (SELECT FROM insurances i WHERE i.person = v.person AND i.premium <> v.minutes)
-- $member: v.person IN (SELECT i.person FROM insurances i WHERE i.premium < v.minutes)
-- $member: v.cost > ALL (SELECT c.premium FROM insurances c WHERE c.person = v.person)
-- $member: v.minutes = ANY (SELECT i.premium FROM insurances i WHERE i.person = v.person)
-- $member: EXISTS (SELECT FROM papers p WHERE p.person = v.person AND p.body < v.ward)

SELECT count(*) FROM $one a JOIN $other b ON b.person = a.person;

SELECT count(*) FROM $one a WHERE EXISTS (SELECT FROM $other b WHERE b.person = a.person AND b.person <> 5);

SELECT count(*), count(DISTINCT a.person) FROM $one a LEFT JOIN $other b ON b.person = a.person;

$most
SELECT count(*), sum(o.cost) FROM visits v JOIN visits o ON o.person = v.person AND $compared;

$most
SELECT count(*) FROM visits v WHERE $member;

SELECT v.urgent, count(*) FROM visits v WHERE $member GROUP BY v.urgent;

$most
SELECT count(*), sum(c.amount) FROM claims c JOIN claims o ON o.person = c.person AND o.amount < c.amount;

SELECT kind, count(*) FROM claims c WHERE EXISTS (SELECT FROM claims o WHERE o.person = c.person AND o.amount > c.amount) GROUP BY kind;

SELECT count(*) FROM papers a WHERE NOT EXISTS (SELECT FROM papers b WHERE b.person = a.person AND b.body < a.body);

SELECT count(*) FROM visits v JOIN visits o USING (person) CROSS JOIN generate_series(1, 9) AS g WHERE g < v.minutes;

SELECT count(*) FROM visits v CROSS JOIN generate_series(1, 9999) AS g WHERE g < v.minutes;

SELECT count(*) FROM visits v JOIN visits o USING (person) JOIN insurances i USING (person);

SELECT count(*) FROM visits v FULL JOIN insurances i ON i.person = v.person;

SELECT count(*) FROM (SELECT person, cost AS x FROM visits UNION ALL SELECT person, premium FROM insurances) AS a JOIN insurances b ON b.person = a.person AND b.premium < a.x;

SELECT count(*) FROM prescriptions p JOIN visits v ON v.visit = p.visit JOIN visits o ON o.person = v.person AND o.at <= v.at;

SELECT count(*), sum(n) FROM (SELECT a.person, count(*) AS n FROM visits a JOIN insurances b ON b.person = a.person AND b.premium > a.minutes GROUP BY a.person) AS t;

SELECT count(*) FROM people p CROSS JOIN LATERAL (SELECT count(*) AS n FROM visits v JOIN insurances c ON c.person = v.person AND c.premium < v.cost WHERE v.person = p.person) AS t WHERE n > 100;
