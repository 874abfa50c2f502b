-- Joins with public tables, between private ones, with oneself, outer ones.
-- $numbers: count(*)
-- $numbers: sum(v.cost)
-- $numbers: count(DISTINCT v.person)
-- $numbers: avg(v.minutes), max(v.cost)
-- $join: JOIN people p ON p.person = v.person
-- $join: LEFT JOIN people p ON p.person = v.person AND p.sex = 'F'
-- $join: JOIN regions r ON r.name = v.region
-- $join: LEFT JOIN regions r ON r.name = v.region AND r.zone = 'cold'
-- $join: JOIN prescriptions d ON d.visit = v.visit
-- $join: LEFT JOIN prescriptions d ON d.visit = v.visit
-- $join: JOIN insurances i ON i.person = v.person
-- $join: CROSS JOIN (VALUES (1), (2)) AS w(n)
-- $join: JOIN generate_series(1, 3) AS g(n) ON g.n < v.minutes
-- $join: JOIN visits o ON o.person = v.person AND o.cost < v.cost
-- $outer: LEFT JOIN
-- $outer: RIGHT JOIN
-- $outer: FULL JOIN

SELECT $numbers FROM visits v $join;

SELECT v.urgent, count(*) FROM visits v $join GROUP BY v.urgent;

SELECT v.ward, count(*), sum(v.score) FROM visits v $join GROUP BY v.ward;

SELECT r.name, count(v.visit), sum(v.cost) FROM regions r LEFT JOIN visits v ON v.region = r.name GROUP BY r.name;

SELECT r.zone, count(v.visit) FROM visits v RIGHT JOIN regions r ON v.region = r.name GROUP BY r.zone;

SELECT count(*), count(i.person), sum(i.premium) FROM people p $outer insurances i ON i.person = p.person;

SELECT count(*), sum(height) FROM people NATURAL JOIN insurances;

SELECT p.sex, r.zone, count(*), sum(v.cost) FROM people p, visits v, regions r WHERE p.person = v.person AND r.name = p.region GROUP BY 1, 2;

SELECT d.drug, p.sex, count(*), sum(d.dose) FROM prescriptions d JOIN visits v USING (visit) JOIN people p USING (person) GROUP BY 1, 2;

SELECT count(*) FROM insurances a JOIN insurances b ON a.person = b.person AND a.premium < b.premium;

SELECT count(*), sum(a.dose) FROM prescriptions a JOIN prescriptions b ON a.visit = b.visit AND a.dose <= b.dose;

SELECT g.name, d.strength, count(*) FROM prescriptions p JOIN drugs d ON d.name = p.drug JOIN drugs g ON g.strength <= d.strength GROUP BY 1, 2;

SELECT count(*) FROM claims c JOIN claims o ON o.person = c.person AND o.amount = c.amount;

SELECT g.day, count(v.visit) FROM generate_series(timestamp '2024-01-01', '2024-03-01', '1 month') AS g(day) LEFT JOIN visits v ON date_trunc('month', v.at) = g.day GROUP BY 1;
