SELECT count(*) FROM patients p, LATERAL (SELECT cost FROM visits v WHERE v.patient_id = p.patient_id) AS t;
--> query: SELECT count(*) FROM "public".patients AS p JOIN (SELECT cost, v.patient_id AS dplateral_0 FROM "public".visits AS v) AS "t" ON ("t".dplateral_0 = p.patient_id)
--> block 0: SELECT count(*) FROM "public".patients AS p JOIN (SELECT cost, v.patient_id AS dplateral_0 FROM "public".visits AS v) AS "t" ON ("t".dplateral_0 = p.patient_id)

SELECT sum(n) FROM patients p, LATERAL (SELECT count(*) AS n, sum(cost) AS c FROM visits v WHERE v.patient_id = p.patient_id) AS t WHERE c > 5 AND n < 5;
--> query: SELECT sum((coalesce("t".dpvalue0_0, 0))) FROM "public".patients AS p LEFT JOIN (SELECT count(*) AS dpvalue0_0, sum(cost) AS c, v.patient_id AS dplateral_0 FROM "public".visits AS v GROUP BY v.patient_id) AS "t" ON ("t".dplateral_0 = p.patient_id) WHERE c > 5 AND (coalesce("t".dpvalue0_0, 0)) < 5
--> block 0: SELECT sum((coalesce("t".dpvalue0_0, 0))) FROM "public".patients AS p LEFT JOIN (SELECT count(*) AS dpvalue0_0, sum(cost) AS c, v.patient_id AS dplateral_0 FROM "public".visits AS v GROUP BY v.patient_id) AS "t" ON ("t".dplateral_0 = p.patient_id) WHERE c > 5 AND (coalesce("t".dpvalue0_0, 0)) < 5

SELECT sum(t.n) FROM patients p LEFT JOIN LATERAL (SELECT count(*) AS n FROM visits v WHERE v.patient_id = p.patient_id) AS t ON true;
--> query: SELECT sum((coalesce("t".dpvalue0_0, 0))) FROM "public".patients AS p LEFT JOIN (SELECT count(*) AS dpvalue0_0, v.patient_id AS dplateral_0 FROM "public".visits AS v GROUP BY v.patient_id) AS "t" ON ("t".dplateral_0 = p.patient_id)
--> block 0: SELECT sum((coalesce("t".dpvalue0_0, 0))) FROM "public".patients AS p LEFT JOIN (SELECT count(*) AS dpvalue0_0, v.patient_id AS dplateral_0 FROM "public".visits AS v GROUP BY v.patient_id) AS "t" ON ("t".dplateral_0 = p.patient_id)

SELECT sum(t.n) FROM patients p LEFT JOIN LATERAL (SELECT count(*) AS n FROM visits v WHERE v.patient_id = p.patient_id) AS t ON false;
--> refused 0A000 correlation: this correlated subquery is not supported

SELECT sum(t.n) FROM patients p LEFT JOIN LATERAL (SELECT count(*) AS n FROM visits v WHERE v.patient_id = p.patient_id) AS t ON p.smoker;
--> refused 0A000 correlation: this correlated subquery is not supported

SELECT sum(t.n) FROM patients p JOIN LATERAL (SELECT count(*) AS n FROM visits v WHERE v.patient_id = p.patient_id) AS t ON t.n > 3 WHERE p.smoker;
--> query: SELECT sum((coalesce("t".dpvalue0_0, 0))) FROM "public".patients AS p LEFT JOIN (SELECT count(*) AS dpvalue0_0, v.patient_id AS dplateral_0 FROM "public".visits AS v GROUP BY v.patient_id) AS "t" ON ("t".dplateral_0 = p.patient_id) WHERE ((coalesce("t".dpvalue0_0, 0)) > 3) AND (p.smoker)
--> block 0: SELECT sum((coalesce("t".dpvalue0_0, 0))) FROM "public".patients AS p LEFT JOIN (SELECT count(*) AS dpvalue0_0, v.patient_id AS dplateral_0 FROM "public".visits AS v GROUP BY v.patient_id) AS "t" ON ("t".dplateral_0 = p.patient_id) WHERE ((coalesce("t".dpvalue0_0, 0)) > 3) AND (p.smoker)

SELECT sum(t.n) FROM patients p JOIN LATERAL (SELECT count(*) AS n FROM visits v WHERE v.patient_id = p.patient_id) AS t ON t.n > 3;
--> query: SELECT sum((coalesce("t".dpvalue0_0, 0))) FROM "public".patients AS p LEFT JOIN (SELECT count(*) AS dpvalue0_0, v.patient_id AS dplateral_0 FROM "public".visits AS v GROUP BY v.patient_id) AS "t" ON ("t".dplateral_0 = p.patient_id) WHERE ((coalesce("t".dpvalue0_0, 0)) > 3)
--> block 0: SELECT sum((coalesce("t".dpvalue0_0, 0))) FROM "public".patients AS p LEFT JOIN (SELECT count(*) AS dpvalue0_0, v.patient_id AS dplateral_0 FROM "public".visits AS v GROUP BY v.patient_id) AS "t" ON ("t".dplateral_0 = p.patient_id) WHERE ((coalesce("t".dpvalue0_0, 0)) > 3)

SELECT count(*) FROM patients p JOIN LATERAL (SELECT cost AS n FROM visits v WHERE v.patient_id = p.patient_id) AS t ON t.n > 3;
--> query: SELECT count(*) FROM "public".patients AS p JOIN (SELECT cost AS n, v.patient_id AS dplateral_0 FROM "public".visits AS v) AS "t" ON ("t".dplateral_0 = p.patient_id) AND (t.n > 3)
--> block 0: SELECT count(*) FROM "public".patients AS p JOIN (SELECT cost AS n, v.patient_id AS dplateral_0 FROM "public".visits AS v) AS "t" ON ("t".dplateral_0 = p.patient_id) AND (t.n > 3)

SELECT count(*) FROM patients p LEFT JOIN LATERAL (SELECT cost AS n FROM visits v WHERE v.patient_id = p.patient_id) AS t ON t.n > 3;
--> query: SELECT count(*) FROM "public".patients AS p LEFT JOIN (SELECT cost AS n, v.patient_id AS dplateral_0 FROM "public".visits AS v) AS "t" ON ("t".dplateral_0 = p.patient_id) AND (t.n > 3)
--> block 0: SELECT count(*) FROM "public".patients AS p LEFT JOIN (SELECT cost AS n, v.patient_id AS dplateral_0 FROM "public".visits AS v) AS "t" ON ("t".dplateral_0 = p.patient_id) AND (t.n > 3)

SELECT count(*) FROM patients p LEFT JOIN LATERAL (SELECT cost AS n FROM visits v WHERE v.patient_id = p.patient_id) AS t ON 5 > 3;
--> query: SELECT count(*) FROM "public".patients AS p LEFT JOIN (SELECT cost AS n, v.patient_id AS dplateral_0 FROM "public".visits AS v) AS "t" ON ("t".dplateral_0 = p.patient_id) AND (5 > 3)
--> block 0: SELECT count(*) FROM "public".patients AS p LEFT JOIN (SELECT cost AS n, v.patient_id AS dplateral_0 FROM "public".visits AS v) AS "t" ON ("t".dplateral_0 = p.patient_id) AND (5 > 3)

SELECT count(*) FROM patients p LEFT JOIN LATERAL (SELECT region, count(*) AS n FROM visits v WHERE v.patient_id = p.patient_id GROUP BY region) AS t ON n > 3;
--> query: SELECT count(*) FROM "public".patients AS p LEFT JOIN (SELECT region, count(*) AS n, v.patient_id AS dplateral_0 FROM "public".visits AS v GROUP BY region, v.patient_id) AS "t" ON ("t".dplateral_0 = p.patient_id) AND (n > 3)
--> block 0: SELECT count(*) FROM "public".patients AS p LEFT JOIN (SELECT region, count(*) AS n, v.patient_id AS dplateral_0 FROM "public".visits AS v GROUP BY region, v.patient_id) AS "t" ON ("t".dplateral_0 = p.patient_id) AND (n > 3)

SELECT count(*) FROM patients p, LATERAL (SELECT cost FROM visits) AS t;
--> query: SELECT count(*) FROM "public".patients AS p, (SELECT cost FROM "public".visits) AS t
--> block 0: SELECT count(*) FROM "public".patients AS p, (SELECT cost FROM "public".visits) AS t

SELECT count(*) FROM patients p JOIN LATERAL (SELECT patient_id, cost FROM visits v WHERE v.patient_id = p.patient_id) AS t USING (patient_id);
--> refused 0A000 join-kind: USING or NATURAL with LATERAL is not supported over private rows

SELECT count(*) FROM patients p NATURAL JOIN LATERAL (SELECT patient_id, cost FROM visits v WHERE v.patient_id = p.patient_id) AS t;
--> refused 0A000 join-kind: USING or NATURAL with LATERAL is not supported over private rows

SELECT count(*) FROM patients p, LATERAL (SELECT DISTINCT cost FROM visits v WHERE v.patient_id = p.patient_id) AS t;
--> refused 0A000 correlation: this correlated subquery is not supported

SELECT count(*) FROM patients p, LATERAL (SELECT cost FROM visits v WHERE v.patient_id = p.patient_id OFFSET 1) AS t;
--> refused 0A000 correlation: this correlated subquery is not supported

SELECT count(*) FROM patients p, LATERAL (SELECT cost FROM visits v WHERE v.patient_id > p.patient_id) AS t;
--> refused 0A000 correlation: this correlated subquery is not supported

SELECT sum(cost) FROM patients p, LATERAL (SELECT cost FROM visits v WHERE v.patient_id = p.patient_id ORDER BY visited_at DESC LIMIT 1) AS t;
--> query: SELECT sum(cost) FROM "public".patients AS p JOIN (SELECT * FROM (SELECT cost, v.patient_id AS dplateral_0, row_number() OVER (PARTITION BY v.patient_id ORDER BY visited_at DESC) AS dprank FROM "public".visits AS v) AS dpranked WHERE dpranked.dprank <= 1) AS "t" ON ("t".dplateral_0 = p.patient_id)
--> block 0: SELECT sum(cost) FROM "public".patients AS p JOIN (SELECT * FROM (SELECT cost, v.patient_id AS dplateral_0, row_number() OVER (PARTITION BY v.patient_id ORDER BY visited_at DESC) AS dprank FROM "public".visits AS v) AS dpranked WHERE dpranked.dprank <= 1) AS "t" ON ("t".dplateral_0 = p.patient_id)

SELECT sum(c) FROM patients p, LATERAL (SELECT cost AS c, minutes FROM visits v WHERE v.patient_id = p.patient_id ORDER BY 2, c, v.c, day, 'x', 3 LIMIT 2) AS t;
--> query: SELECT sum(c) FROM "public".patients AS p JOIN (SELECT * FROM (SELECT cost AS c, minutes, v.patient_id AS dplateral_0, row_number() OVER (PARTITION BY v.patient_id ORDER BY minutes, cost, v.c, day, 'x', 3) AS dprank FROM "public".visits AS v) AS dpranked WHERE dpranked.dprank <= 2) AS "t" ON ("t".dplateral_0 = p.patient_id)
--> block 0: SELECT sum(c) FROM "public".patients AS p JOIN (SELECT * FROM (SELECT cost AS c, minutes, v.patient_id AS dplateral_0, row_number() OVER (PARTITION BY v.patient_id ORDER BY minutes, cost, v.c, day, 'x', 3) AS dprank FROM "public".visits AS v) AS dpranked WHERE dpranked.dprank <= 2) AS "t" ON ("t".dplateral_0 = p.patient_id)

SELECT sum(c) FROM patients p, LATERAL (SELECT cost AS c, minutes FROM visits v WHERE v.patient_id = p.patient_id ORDER BY '2', 0, minutes + 1 LIMIT 2) AS t;
--> query: SELECT sum(c) FROM "public".patients AS p JOIN (SELECT * FROM (SELECT cost AS c, minutes, v.patient_id AS dplateral_0, row_number() OVER (PARTITION BY v.patient_id ORDER BY minutes, 0, minutes + 1) AS dprank FROM "public".visits AS v) AS dpranked WHERE dpranked.dprank <= 2) AS "t" ON ("t".dplateral_0 = p.patient_id)
--> block 0: SELECT sum(c) FROM "public".patients AS p JOIN (SELECT * FROM (SELECT cost AS c, minutes, v.patient_id AS dplateral_0, row_number() OVER (PARTITION BY v.patient_id ORDER BY minutes, 0, minutes + 1) AS dprank FROM "public".visits AS v) AS dpranked WHERE dpranked.dprank <= 2) AS "t" ON ("t".dplateral_0 = p.patient_id)

SELECT sum(cost) FROM patients p, LATERAL (SELECT cost FROM visits v WHERE v.patient_id = p.patient_id LIMIT 1) AS t;
--> query: SELECT sum(cost) FROM "public".patients AS p JOIN (SELECT * FROM (SELECT cost, v.patient_id AS dplateral_0, row_number() OVER (PARTITION BY v.patient_id) AS dprank FROM "public".visits AS v) AS dpranked WHERE dpranked.dprank <= 1) AS "t" ON ("t".dplateral_0 = p.patient_id)
--> block 0: SELECT sum(cost) FROM "public".patients AS p JOIN (SELECT * FROM (SELECT cost, v.patient_id AS dplateral_0, row_number() OVER (PARTITION BY v.patient_id) AS dprank FROM "public".visits AS v) AS dpranked WHERE dpranked.dprank <= 1) AS "t" ON ("t".dplateral_0 = p.patient_id)

SELECT sum(cost) FROM patients p, LATERAL (SELECT cost FROM visits v WHERE v.patient_id = p.patient_id LIMIT 1 + 1) AS t;
--> refused 0A000 correlation: this correlated subquery is not supported

SELECT sum(cost) FROM patients p, LATERAL (SELECT cost FROM visits v WHERE v.patient_id = p.patient_id LIMIT 1.5) AS t;
--> refused 0A000 correlation: this correlated subquery is not supported

SELECT sum(cost) FROM patients p, LATERAL (SELECT cost FROM visits v WHERE v.patient_id = p.patient_id LIMIT NULL) AS t;
--> query: SELECT sum(cost) FROM "public".patients AS p JOIN (SELECT cost, v.patient_id AS dplateral_0 FROM "public".visits AS v) AS "t" ON ("t".dplateral_0 = p.patient_id)
--> block 0: SELECT sum(cost) FROM "public".patients AS p JOIN (SELECT cost, v.patient_id AS dplateral_0 FROM "public".visits AS v) AS "t" ON ("t".dplateral_0 = p.patient_id)

SELECT sum(cost) FROM patients p, LATERAL (SELECT cost FROM visits v WHERE v.patient_id = p.patient_id FETCH FIRST 2 ROWS ONLY) AS t;
--> query: SELECT sum(cost) FROM "public".patients AS p JOIN (SELECT * FROM (SELECT cost, v.patient_id AS dplateral_0, row_number() OVER (PARTITION BY v.patient_id) AS dprank FROM "public".visits AS v) AS dpranked WHERE dpranked.dprank <= 2) AS "t" ON ("t".dplateral_0 = p.patient_id)
--> block 0: SELECT sum(cost) FROM "public".patients AS p JOIN (SELECT * FROM (SELECT cost, v.patient_id AS dplateral_0, row_number() OVER (PARTITION BY v.patient_id) AS dprank FROM "public".visits AS v) AS dpranked WHERE dpranked.dprank <= 2) AS "t" ON ("t".dplateral_0 = p.patient_id)

SELECT sum(cost) FROM patients p, LATERAL (SELECT cost FROM visits v WHERE v.patient_id = p.patient_id ORDER BY cost FETCH FIRST 2 ROWS WITH TIES) AS t;
--> refused 0A000 correlation: this correlated subquery is not supported

SELECT sum(n) FROM patients p, LATERAL (SELECT region, count(*) AS n FROM visits v WHERE v.patient_id = p.patient_id GROUP BY region LIMIT 1) AS t;
--> refused 0A000 correlation: this correlated subquery is not supported

SELECT sum(c) FROM patients p, LATERAL (SELECT cost FROM visits v WHERE v.patient_id = p.patient_id) AS t (c);
--> refused 0A000 correlation: this correlated subquery is not supported

SELECT count(*) FROM (SELECT p.region, t.* FROM patients p, LATERAL (SELECT cost AS c, count(*) AS n FROM visits v WHERE v.patient_id = p.patient_id GROUP BY cost) AS t) AS s;
--> query: SELECT count(*) FROM (SELECT p.region, "t"."c", "t"."n" FROM "public".patients AS p JOIN (SELECT cost AS c, count(*) AS n, v.patient_id AS dplateral_0 FROM "public".visits AS v GROUP BY cost, v.patient_id) AS "t" ON ("t".dplateral_0 = p.patient_id)) AS s
--> block 0: SELECT count(*) FROM (SELECT p.region, "t"."c", "t"."n" FROM "public".patients AS p JOIN (SELECT cost AS c, count(*) AS n, v.patient_id AS dplateral_0 FROM "public".visits AS v GROUP BY cost, v.patient_id) AS "t" ON ("t".dplateral_0 = p.patient_id)) AS s

SELECT count(*) FROM (SELECT * FROM patients p, LATERAL (SELECT cost AS c, minutes FROM visits v WHERE v.patient_id = p.patient_id) AS t) AS s;
--> query: SELECT count(*) FROM (SELECT "p".*, "t"."c", "t"."minutes" FROM "public".patients AS p JOIN (SELECT cost AS c, minutes, v.patient_id AS dplateral_0 FROM "public".visits AS v) AS "t" ON ("t".dplateral_0 = p.patient_id)) AS s
--> block 0: SELECT count(*) FROM (SELECT "p".*, "t"."c", "t"."minutes" FROM "public".patients AS p JOIN (SELECT cost AS c, minutes, v.patient_id AS dplateral_0 FROM "public".visits AS v) AS "t" ON ("t".dplateral_0 = p.patient_id)) AS s

SELECT count(*) FROM (SELECT p.*, t.c FROM patients p, LATERAL (SELECT cost AS c, minutes FROM visits v WHERE v.patient_id = p.patient_id) AS t) AS s;
--> query: SELECT count(*) FROM (SELECT p.*, t.c FROM "public".patients AS p JOIN (SELECT cost AS c, minutes, v.patient_id AS dplateral_0 FROM "public".visits AS v) AS "t" ON ("t".dplateral_0 = p.patient_id)) AS s
--> block 0: SELECT count(*) FROM (SELECT p.*, t.c FROM "public".patients AS p JOIN (SELECT cost AS c, minutes, v.patient_id AS dplateral_0 FROM "public".visits AS v) AS "t" ON ("t".dplateral_0 = p.patient_id)) AS s

SELECT count(*) FROM (SELECT t.* FROM patients p, LATERAL (SELECT cost AS c, minutes AS c FROM visits v WHERE v.patient_id = p.patient_id) AS t) AS s;
--> refused 0A000 correlation: this correlated subquery is not supported

SELECT count(*) FROM (SELECT t.* FROM patients p, LATERAL (SELECT cost + 1 FROM visits v WHERE v.patient_id = p.patient_id) AS t) AS s;
--> query: SELECT count(*) FROM (SELECT "t"."?column?" FROM "public".patients AS p JOIN (SELECT cost + 1, v.patient_id AS dplateral_0 FROM "public".visits AS v) AS "t" ON ("t".dplateral_0 = p.patient_id)) AS s
--> block 0: SELECT count(*) FROM (SELECT "t"."?column?" FROM "public".patients AS p JOIN (SELECT cost + 1, v.patient_id AS dplateral_0 FROM "public".visits AS v) AS "t" ON ("t".dplateral_0 = p.patient_id)) AS s

SELECT count(*) FROM (SELECT t.* FROM patients p, LATERAL (SELECT * FROM visits v WHERE v.patient_id = p.patient_id) AS t) AS s;
--> refused 0A000 correlation: this correlated subquery is not supported

SELECT count(*) FROM (SELECT * FROM patients p JOIN stays USING (patient_id), LATERAL (SELECT cost AS c FROM visits v WHERE v.patient_id = p.patient_id) AS t) AS s;
--> refused 0A000 correlation: this correlated subquery is not supported

SELECT count(*) FROM (SELECT * FROM patients p NATURAL JOIN stays, LATERAL (SELECT cost AS c FROM visits v WHERE v.patient_id = p.patient_id) AS t) AS s;
--> refused 0A000 correlation: this correlated subquery is not supported

SELECT count(*) FROM (SELECT * FROM patients p, (VALUES (1), (2)), LATERAL (SELECT cost AS c FROM visits v WHERE v.patient_id = p.patient_id) AS t) AS s;
--> refused 0A000 parse: dpproxy could not parse this query

SELECT count(*) FROM patients p, stays s LEFT JOIN readings r ON r.patient_id = s.patient_id, LATERAL (SELECT cost AS c FROM visits v WHERE v.patient_id = p.patient_id) AS t;
--> query: SELECT count(*) FROM "public".patients AS p CROSS JOIN "public".stays AS s LEFT JOIN "public".readings AS r ON r.patient_id = s.patient_id JOIN (SELECT cost AS c, v.patient_id AS dplateral_0 FROM "public".visits AS v) AS "t" ON ("t".dplateral_0 = p.patient_id)
--> block 0: SELECT count(*) FROM "public".patients AS p CROSS JOIN "public".stays AS s LEFT JOIN "public".readings AS r ON r.patient_id = s.patient_id JOIN (SELECT cost AS c, v.patient_id AS dplateral_0 FROM "public".visits AS v) AS "t" ON ("t".dplateral_0 = p.patient_id)

SELECT count(*) FROM patients p, stays s RIGHT JOIN readings r ON r.patient_id = s.patient_id, LATERAL (SELECT cost AS c FROM visits v WHERE v.patient_id = p.patient_id) AS t;
--> refused 0A000 correlation: this correlated subquery is not supported

SELECT count(*) FROM patients p, stays s FULL JOIN readings r ON r.patient_id = s.patient_id, LATERAL (SELECT cost AS c FROM visits v WHERE v.patient_id = p.patient_id) AS t;
--> refused 0A000 correlation: this correlated subquery is not supported

SELECT count(*) FROM stays s RIGHT JOIN readings r ON r.patient_id = s.patient_id JOIN LATERAL (SELECT cost AS c FROM visits v WHERE v.patient_id = r.patient_id) AS t ON true;
--> query: SELECT count(*) FROM "public".stays AS s RIGHT JOIN "public".readings AS r ON r.patient_id = s.patient_id JOIN (SELECT cost AS c, v.patient_id AS dplateral_0 FROM "public".visits AS v) AS "t" ON ("t".dplateral_0 = r.patient_id)
--> block 0: SELECT count(*) FROM "public".stays AS s RIGHT JOIN "public".readings AS r ON r.patient_id = s.patient_id JOIN (SELECT cost AS c, v.patient_id AS dplateral_0 FROM "public".visits AS v) AS "t" ON ("t".dplateral_0 = r.patient_id)

SELECT count(*) FROM patients p, stays s JOIN readings r USING (patient_id), LATERAL (SELECT cost AS c FROM visits v WHERE v.patient_id = p.patient_id) AS t;
--> refused 0A000 correlation: this correlated subquery is not supported

SELECT count(*) FROM patients p, stays s NATURAL JOIN readings r, LATERAL (SELECT cost AS c FROM visits v WHERE v.patient_id = p.patient_id) AS t;
--> refused 0A000 correlation: this correlated subquery is not supported

SELECT count(*) FROM stays s JOIN readings r USING (patient_id), LATERAL (SELECT cost AS c FROM visits v WHERE v.patient_id = s.patient_id) AS t;
--> query: SELECT count(*) FROM "public".stays AS s JOIN "public".readings AS r USING (patient_id) JOIN (SELECT cost AS c, v.patient_id AS dplateral_0 FROM "public".visits AS v) AS "t" ON ("t".dplateral_0 = s.patient_id)
--> block 0: SELECT count(*) FROM "public".stays AS s JOIN "public".readings AS r USING (patient_id) JOIN (SELECT cost AS c, v.patient_id AS dplateral_0 FROM "public".visits AS v) AS "t" ON ("t".dplateral_0 = s.patient_id)

SELECT name, n FROM regions r, LATERAL (SELECT count(*) AS n FROM visits v WHERE v.region = r.name) AS t;
--> query: SELECT name, (coalesce("t".dpvalue0_0, 0)) AS n FROM "public".regions AS r LEFT JOIN (SELECT count(*) AS dpvalue0_0, v.region AS dplateral_0 FROM "public".visits AS v GROUP BY v.region) AS "t" ON ("t".dplateral_0 = r.name)
--> block 0: SELECT count(*) AS dpvalue0_0, v.region AS dplateral_0 FROM "public".visits AS v GROUP BY v.region

SELECT name, n FROM regions r LEFT JOIN LATERAL (SELECT count(*) AS n FROM visits v WHERE v.region = r.name) AS t ON true ORDER BY n;
--> query: SELECT name, (coalesce("t".dpvalue0_0, 0)) AS n FROM "public".regions AS r LEFT JOIN (SELECT count(*) AS dpvalue0_0, v.region AS dplateral_0 FROM "public".visits AS v GROUP BY v.region) AS "t" ON ("t".dplateral_0 = r.name) ORDER BY (coalesce("t".dpvalue0_0, 0))
--> block 0: SELECT count(*) AS dpvalue0_0, v.region AS dplateral_0 FROM "public".visits AS v GROUP BY v.region

SELECT name, (SELECT t.n) FROM regions r, LATERAL (SELECT count(*) AS n FROM visits v WHERE v.region = r.name) AS t;
--> query: SELECT name, (SELECT (coalesce("t".dpvalue0_0, 0)) AS n) FROM "public".regions AS r LEFT JOIN (SELECT count(*) AS dpvalue0_0, v.region AS dplateral_0 FROM "public".visits AS v GROUP BY v.region) AS "t" ON ("t".dplateral_0 = r.name)
--> block 0: SELECT count(*) AS dpvalue0_0, v.region AS dplateral_0 FROM "public".visits AS v GROUP BY v.region

SELECT name, (SELECT max(zone) FROM regions z WHERE z.people > t.n) FROM regions r, LATERAL (SELECT count(*) AS n FROM visits v WHERE v.region = r.name) AS t;
--> query: SELECT name, (SELECT max(zone) FROM "public".regions AS z WHERE z.people > (coalesce("t".dpvalue0_0, 0))) FROM "public".regions AS r LEFT JOIN (SELECT count(*) AS dpvalue0_0, v.region AS dplateral_0 FROM "public".visits AS v GROUP BY v.region) AS "t" ON ("t".dplateral_0 = r.name)
--> block 0: SELECT count(*) AS dpvalue0_0, v.region AS dplateral_0 FROM "public".visits AS v GROUP BY v.region

SELECT t.n, s.n FROM regions r, LATERAL (SELECT count(*) AS n FROM visits v WHERE v.region = r.name) AS t, (SELECT 5 AS n) AS s;
--> query: SELECT (coalesce("t".dpvalue0_0, 0)) AS n, s.n FROM "public".regions AS r LEFT JOIN (SELECT count(*) AS dpvalue0_0, v.region AS dplateral_0 FROM "public".visits AS v GROUP BY v.region) AS "t" ON ("t".dplateral_0 = r.name) CROSS JOIN (SELECT 5 AS n) AS s
--> block 0: SELECT count(*) AS dpvalue0_0, v.region AS dplateral_0 FROM "public".visits AS v GROUP BY v.region

SELECT count(*) FROM visits v, LATERAL (SELECT people FROM regions r WHERE r.name = v.region) AS t;
--> query: SELECT count(*) FROM "public".visits AS v JOIN (SELECT people, r.name AS dplateral_0 FROM "public".regions AS r) AS "t" ON ("t".dplateral_0 = v.region)
--> block 0: SELECT count(*) FROM "public".visits AS v JOIN (SELECT people, r.name AS dplateral_0 FROM "public".regions AS r) AS "t" ON ("t".dplateral_0 = v.region)

SELECT name, a FROM regions r, LATERAL (SELECT amount AS a FROM prices p WHERE p.code = r.zone) AS t, (SELECT count(*) FROM visits) AS s;
--> query: SELECT name, a FROM "public".regions AS r, LATERAL (SELECT amount AS a FROM "public".prices AS p WHERE p.code = r.zone) AS t, (SELECT count(*) FROM "public".visits) AS s
--> block 0: SELECT count(*) FROM "public".visits

SELECT count(*) FROM LATERAL (SELECT cost FROM visits) AS t;
--> query: SELECT count(*) FROM (SELECT cost FROM "public".visits) AS t
--> block 0: SELECT count(*) FROM (SELECT cost FROM "public".visits) AS t

SELECT n FROM (SELECT count(*) AS n FROM patients p, LATERAL (SELECT cost FROM visits v WHERE v.patient_id = p.patient_id) AS t) AS s;
--> query: SELECT n FROM (SELECT count(*) AS n FROM "public".patients AS p JOIN (SELECT cost, v.patient_id AS dplateral_0 FROM "public".visits AS v) AS "t" ON ("t".dplateral_0 = p.patient_id)) AS s
--> block 0: SELECT count(*) AS n FROM "public".patients AS p JOIN (SELECT cost, v.patient_id AS dplateral_0 FROM "public".visits AS v) AS "t" ON ("t".dplateral_0 = p.patient_id)

SELECT count(*) FROM patients p, LATERAL (SELECT cost FROM visits v WHERE v.patient_id = p.patient_id UNION ALL SELECT nights FROM stays s WHERE s.patient_id = p.patient_id) AS t;
--> query: SELECT count(*) FROM "public".patients AS p, LATERAL (SELECT cost FROM "public".visits AS v WHERE v.patient_id = p.patient_id UNION ALL SELECT nights FROM "public".stays AS s WHERE s.patient_id = p.patient_id) AS t
--> block 0: SELECT count(*) FROM "public".patients AS p, LATERAL (SELECT cost FROM "public".visits AS v WHERE v.patient_id = p.patient_id UNION ALL SELECT nights FROM "public".stays AS s WHERE s.patient_id = p.patient_id) AS t

SELECT z.zone, t.n FROM regions r CROSS JOIN LATERAL (SELECT count(*) AS n FROM visits v WHERE v.region = r.name) AS t RIGHT JOIN regions z ON z.people = r.people;
--> refused 0A000 correlation: this correlated subquery is not supported

SELECT z.zone, t.n FROM regions r CROSS JOIN LATERAL (SELECT count(*) AS n FROM visits v WHERE v.region = r.name) AS t FULL JOIN regions z ON z.people = r.people;
--> refused 0A000 correlation: this correlated subquery is not supported

SELECT z.zone, t.n FROM regions r CROSS JOIN LATERAL (SELECT count(*) AS n FROM visits v WHERE v.region = r.name) AS t LEFT JOIN regions z ON t.n > 5;
--> query: SELECT z.zone, (coalesce("t".dpvalue0_0, 0)) AS n FROM "public".regions AS r LEFT JOIN (SELECT count(*) AS dpvalue0_0, v.region AS dplateral_0 FROM "public".visits AS v GROUP BY v.region) AS "t" ON ("t".dplateral_0 = r.name) LEFT JOIN "public".regions AS z ON (coalesce("t".dpvalue0_0, 0)) > 5
--> block 0: SELECT count(*) AS dpvalue0_0, v.region AS dplateral_0 FROM "public".visits AS v GROUP BY v.region

SELECT name, t.n FROM regions z RIGHT JOIN regions r ON z.people > r.people CROSS JOIN LATERAL (SELECT count(*) AS n FROM visits v WHERE v.region = r.name) AS t;
--> query: SELECT name, (coalesce("t".dpvalue0_0, 0)) AS n FROM "public".regions AS z RIGHT JOIN "public".regions AS r ON z.people > r.people LEFT JOIN (SELECT count(*) AS dpvalue0_0, v.region AS dplateral_0 FROM "public".visits AS v GROUP BY v.region) AS "t" ON ("t".dplateral_0 = r.name)
--> block 0: SELECT count(*) AS dpvalue0_0, v.region AS dplateral_0 FROM "public".visits AS v GROUP BY v.region

SELECT code, t.n FROM prices LEFT JOIN (regions r CROSS JOIN LATERAL (SELECT count(*) AS n FROM visits v WHERE v.region = r.name) AS t) ON amount = people;
--> refused 0A000 correlation: this correlated subquery is not supported

SELECT code, t.n FROM prices JOIN (regions r CROSS JOIN LATERAL (SELECT count(*) AS n FROM visits v WHERE v.region = r.name) AS t) ON amount = people;
--> query: SELECT code, (coalesce("t".dpvalue0_0, 0)) AS n FROM "public".prices JOIN ("public".regions AS r LEFT JOIN (SELECT count(*) AS dpvalue0_0, v.region AS dplateral_0 FROM "public".visits AS v GROUP BY v.region) AS "t" ON ("t".dplateral_0 = r.name)) ON amount = people
--> block 0: SELECT count(*) AS dpvalue0_0, v.region AS dplateral_0 FROM "public".visits AS v GROUP BY v.region

SELECT code, t.n FROM prices LEFT JOIN (regions r CROSS JOIN LATERAL (SELECT v.cost AS n FROM visits v WHERE v.region = r.name) AS t) ON amount = people;
--> query: SELECT code, t.n FROM "public".prices LEFT JOIN ("public".regions AS r JOIN (SELECT v.cost AS n, v.region AS dplateral_0 FROM "public".visits AS v) AS "t" ON ("t".dplateral_0 = r.name)) ON amount = people
--> block 0: SELECT code, t.n FROM "public".prices LEFT JOIN ("public".regions AS r JOIN (SELECT v.cost AS n, v.region AS dplateral_0 FROM "public".visits AS v) AS "t" ON ("t".dplateral_0 = r.name)) ON amount = people

SELECT name FROM regions r CROSS JOIN LATERAL (SELECT count(*) AS n FROM visits v WHERE v.region = r.name) AS t JOIN (SELECT 0 AS n) AS z USING (n);
--> refused 0A000 correlation: this correlated subquery is not supported

SELECT name FROM regions r CROSS JOIN LATERAL (SELECT count(*) AS n FROM visits v WHERE v.region = r.name) AS t JOIN (SELECT 0 AS people) AS z USING (people);
--> query: SELECT name FROM "public".regions AS r LEFT JOIN (SELECT count(*) AS dpvalue0_0, v.region AS dplateral_0 FROM "public".visits AS v GROUP BY v.region) AS "t" ON ("t".dplateral_0 = r.name) JOIN (SELECT 0 AS people) AS z USING (people)
--> block 0: SELECT count(*) AS dpvalue0_0, v.region AS dplateral_0 FROM "public".visits AS v GROUP BY v.region

SELECT name FROM regions r CROSS JOIN LATERAL (SELECT count(*) AS n FROM visits v WHERE v.region = r.name) AS t NATURAL JOIN (SELECT 0 AS n) AS z;
--> refused 0A000 correlation: this correlated subquery is not supported

SELECT name, row_to_json(t) FROM regions r, LATERAL (SELECT count(*) AS n FROM visits v WHERE v.region = r.name) AS t;
--> refused 0A000 correlation: this correlated subquery is not supported

SELECT name, (SELECT t) FROM regions r, LATERAL (SELECT count(*) AS n FROM visits v WHERE v.region = r.name) AS t;
--> refused 0A000 correlation: this correlated subquery is not supported

SELECT name, people AS people FROM regions r, LATERAL (SELECT count(people) AS n FROM visits v WHERE v.region = r.name) AS people ORDER BY people;
--> refused 0A000 correlation: this correlated subquery is not supported

SELECT name, 5 AS t FROM regions r, LATERAL (SELECT count(note) AS n FROM visits v WHERE v.region = r.name) AS t ORDER BY t;
--> query: SELECT name, 5 AS t FROM "public".regions AS r LEFT JOIN (SELECT count(note) AS dpvalue0_0, v.region AS dplateral_0 FROM "public".visits AS v GROUP BY v.region) AS "t" ON ("t".dplateral_0 = r.name) ORDER BY t
--> block 0: SELECT count(note) AS dpvalue0_0, v.region AS dplateral_0 FROM "public".visits AS v GROUP BY v.region

SELECT name, cost.n FROM regions r, LATERAL (SELECT count(cost) AS n FROM visits v WHERE v.region = r.name) AS cost;
--> query: SELECT name, (coalesce("cost".dpvalue0_0, 0)) AS n FROM "public".regions AS r LEFT JOIN (SELECT count(cost) AS dpvalue0_0, v.region AS dplateral_0 FROM "public".visits AS v GROUP BY v.region) AS "cost" ON ("cost".dplateral_0 = r.name)
--> block 0: SELECT count(cost) AS dpvalue0_0, v.region AS dplateral_0 FROM "public".visits AS v GROUP BY v.region

SELECT sum((t.n)) FROM patients p JOIN LATERAL (SELECT (count(*)) AS n FROM visits v WHERE v.patient_id = p.patient_id) AS t ON NOT false;
--> query: SELECT sum((((coalesce("t".dpvalue0_0, 0))))) FROM "public".patients AS p LEFT JOIN (SELECT count(*) AS dpvalue0_0, v.patient_id AS dplateral_0 FROM "public".visits AS v GROUP BY v.patient_id) AS "t" ON ("t".dplateral_0 = p.patient_id) WHERE (NOT FALSE)
--> block 0: SELECT sum((((coalesce("t".dpvalue0_0, 0))))) FROM "public".patients AS p LEFT JOIN (SELECT count(*) AS dpvalue0_0, v.patient_id AS dplateral_0 FROM "public".visits AS v GROUP BY v.patient_id) AS "t" ON ("t".dplateral_0 = p.patient_id) WHERE (NOT FALSE)

SELECT count(*) FROM patients p WHERE EXISTS (SELECT FROM LATERAL (SELECT cost FROM visits v WHERE v.patient_id = p.patient_id) AS t);
--> refused 0A000 correlation: this correlated subquery is not supported

SELECT sum(cost) FROM patients p, LATERAL (SELECT cost, day FROM (SELECT patient_id, cost, day, minutes AS "2" FROM visits) AS v WHERE v.patient_id = p.patient_id ORDER BY "2" LIMIT 1) AS t;
--> query: SELECT sum(cost) FROM "public".patients AS p JOIN (SELECT * FROM (SELECT cost, day, v.patient_id AS dplateral_0, row_number() OVER (PARTITION BY v.patient_id ORDER BY "2") AS dprank FROM (SELECT patient_id, cost, day, minutes AS "2" FROM "public".visits) AS v) AS dpranked WHERE dpranked.dprank <= 1) AS "t" ON ("t".dplateral_0 = p.patient_id)
--> block 0: SELECT sum(cost) FROM "public".patients AS p JOIN (SELECT * FROM (SELECT cost, day, v.patient_id AS dplateral_0, row_number() OVER (PARTITION BY v.patient_id ORDER BY "2") AS dprank FROM (SELECT patient_id, cost, day, minutes AS "2" FROM "public".visits) AS v) AS dpranked WHERE dpranked.dprank <= 1) AS "t" ON ("t".dplateral_0 = p.patient_id)

SELECT *, t.n FROM regions r, generate_series(1, 3), LATERAL (SELECT count(*) AS n FROM visits v WHERE v.region = r.name) AS t;
--> refused 0A000 correlation: this correlated subquery is not supported

SELECT r.*, t.n FROM regions r, json_to_record('{}') AS (a int), LATERAL (SELECT count(*) AS n FROM visits v WHERE v.region = r.name) AS t;
--> refused 0A000 parse: dpproxy could not parse this query

SELECT r.name, t.ward, t.n FROM regions r, LATERAL (SELECT ward, count(*) AS n FROM stays s WHERE s.ward = r.name GROUP BY ward ORDER BY n DESC LIMIT 2) AS t;
--> query: SELECT r.name, t.ward, t.n FROM "public".regions AS r JOIN (SELECT * FROM (SELECT ward, count(*) AS n, s.ward AS dplateral_0, row_number() OVER (PARTITION BY s.ward ORDER BY count(*) DESC) AS dprank FROM "public".stays AS s GROUP BY ward, s.ward) AS dpranked WHERE dpranked.dprank <= 2) AS "t" ON ("t".dplateral_0 = r.name)
--> block 0: SELECT ward, count(*) AS n, s.ward AS dplateral_0, row_number() OVER (PARTITION BY s.ward ORDER BY count(*) DESC) AS dprank FROM "public".stays AS s GROUP BY ward, s.ward

SELECT d.net, count(*) AS n FROM visits v CROSS JOIN LATERAL (SELECT cost * 2 AS net, v.day) AS d WHERE d.net > 5 AND d.day IS NOT NULL GROUP BY d.net ORDER BY n;
--> query: SELECT (v.cost * 2) AS "net", count(*) AS n FROM "public".visits AS v WHERE (v.cost * 2) > 5 AND v.day IS NOT NULL GROUP BY (v.cost * 2) ORDER BY n
--> block 0: SELECT (v.cost * 2) AS "net", count(*) AS n FROM "public".visits AS v WHERE (v.cost * 2) > 5 AND v.day IS NOT NULL GROUP BY (v.cost * 2) ORDER BY n

SELECT count(*) FROM visits v, LATERAL (VALUES (v.cost * 2, v.minutes)) AS d(a) WHERE a > 5 AND column2 < 9;
--> query: SELECT count(*) AS "count" FROM "public".visits AS v WHERE (v.cost * 2) > 5 AND v.minutes < 9
--> block 0: SELECT count(*) AS "count" FROM "public".visits AS v WHERE (v.cost * 2) > 5 AND v.minutes < 9

SELECT sum(e.b) FROM visits v, LATERAL (SELECT v.minutes / 60 AS a) AS d, LATERAL (SELECT d.a + 1 AS b) AS e;
--> query: SELECT sum((v.minutes / 60) + 1) AS "sum" FROM "public".visits AS v
--> block 0: SELECT sum((v.minutes / 60) + 1) AS "sum" FROM "public".visits AS v

SELECT count(*) AS twice FROM visits v, LATERAL (SELECT v.cost * 2 AS twice) AS d WHERE twice > 5 ORDER BY twice;
--> query: SELECT count(*) AS twice FROM "public".visits AS v WHERE (v.cost * 2) > 5 ORDER BY twice
--> block 0: SELECT count(*) AS twice FROM "public".visits AS v WHERE (v.cost * 2) > 5 ORDER BY twice

SELECT sum(twice) FROM (SELECT * FROM visits v, LATERAL (SELECT v.cost * 2 AS twice) AS d) AS t;
--> query: SELECT sum(twice) FROM (SELECT "v".*, (v.cost * 2) AS "twice" FROM "public".visits AS v) AS t
--> block 0: SELECT sum(twice) FROM (SELECT "v".*, (v.cost * 2) AS "twice" FROM "public".visits AS v) AS t

SELECT count(*) FROM visits v, LATERAL (SELECT v.cost * 2 AS twice) AS d WHERE EXISTS (SELECT FROM patients p WHERE p.patient_id = v.patient_id AND p.smoker AND twice > 5);
--> refused 0A000 correlation: this correlated subquery is not supported

SELECT count(d) FROM visits v, LATERAL (SELECT v.cost * 2 AS twice) AS d;
--> refused 0A000 counted-rows: count(d) is not supported here

SELECT sum(odd) FROM patients p JOIN visits v USING (patient_id), LATERAL (SELECT patient_id % 2 AS odd) AS d;
--> refused 0A000 correlation: this correlated subquery is not supported

SELECT count(twice) FROM visits v CROSS JOIN LATERAL (SELECT v.cost * 2 AS twice) AS d RIGHT JOIN patients p ON p.patient_id = v.patient_id;
--> refused 0A000 correlation: this correlated subquery is not supported

SELECT twice, count(*) FROM visits v, LATERAL (SELECT v.cost * 2, 'x' AS twice) AS d GROUP BY twice;
--> refused 0A000 correlation: this correlated subquery is not supported

SELECT sum(d12.x) FROM visits v, LATERAL (SELECT v.cost AS x) AS d1, LATERAL (SELECT d1.x + d1.x AS x) AS d2, LATERAL (SELECT d2.x + d2.x AS x) AS d3, LATERAL (SELECT d3.x + d3.x AS x) AS d4, LATERAL (SELECT d4.x + d4.x AS x) AS d5, LATERAL (SELECT d5.x + d5.x AS x) AS d6, LATERAL (SELECT d6.x + d6.x AS x) AS d7, LATERAL (SELECT d7.x + d7.x AS x) AS d8, LATERAL (SELECT d8.x + d8.x AS x) AS d9, LATERAL (SELECT d9.x + d9.x AS x) AS d10, LATERAL (SELECT d10.x + d10.x AS x) AS d11, LATERAL (SELECT d11.x + d11.x AS x) AS d12;
--> refused 0A000 expression-size: the LATERAL items of this query are too large

SELECT count(*) FROM visits v, LATERAL (SELECT generate_series(1, v.minutes) AS g) AS d;
--> refused 0A000 correlation: this correlated subquery is not supported

SELECT region AS twice, count(*) FROM visits v, LATERAL (SELECT v.cost * 2 AS twice) AS d GROUP BY region, d.twice ORDER BY (twice), d.twice + 1;
--> query: SELECT region AS twice, count(*) AS "count" FROM "public".visits AS v GROUP BY region, (v.cost * 2) ORDER BY twice, (v.cost * 2) + 1
--> block 0: SELECT region AS twice, count(*) AS "count" FROM "public".visits AS v GROUP BY region, (v.cost * 2) ORDER BY twice, (v.cost * 2) + 1

SELECT DISTINCT ON (twice) region AS twice, count(*) FROM visits v, LATERAL (SELECT v.cost * 2 AS twice) AS d GROUP BY region, d.twice;
--> query: SELECT DISTINCT ON (twice) region AS twice, count(*) AS "count" FROM "public".visits AS v GROUP BY region, (v.cost * 2)
--> block 0: SELECT DISTINCT ON (twice) region AS twice, count(*) AS "count" FROM "public".visits AS v GROUP BY region, (v.cost * 2)

SELECT sum(twice) FROM (SELECT d.twice::int, v.minutes FROM visits v, LATERAL (SELECT v.cost * 2 AS twice) AS d) AS t;
--> query: SELECT sum(twice) FROM (SELECT CAST((v.cost * 2) AS INT) AS "twice", v.minutes AS "minutes" FROM "public".visits AS v) AS t
--> block 0: SELECT sum(twice) FROM (SELECT CAST((v.cost * 2) AS INT) AS "twice", v.minutes AS "minutes" FROM "public".visits AS v) AS t

SELECT count(*) FROM (SELECT row_number() OVER (PARTITION BY v.patient_id ORDER BY twice) AS r, minutes AS twice FROM visits v, LATERAL (SELECT v.cost * 2 AS twice) AS d) AS t WHERE r = 1;
--> query: SELECT count(*) FROM (SELECT row_number() OVER (PARTITION BY v.patient_id ORDER BY (v.cost * 2)) AS r, minutes AS twice FROM "public".visits AS v) AS t WHERE r = 1
--> block 0: SELECT count(*) FROM (SELECT row_number() OVER (PARTITION BY v.patient_id ORDER BY (v.cost * 2)) AS r, minutes AS twice FROM "public".visits AS v) AS t WHERE r = 1

SELECT sum(d.r) FROM visits v, LATERAL (SELECT row_number() OVER (ORDER BY v.cost) AS r) AS d;
--> refused 0A000 correlation: this correlated subquery is not supported

SELECT count(*) FROM visits v, LATERAL (SELECT count(*) + v.minutes AS n) AS d WHERE d.n > 9;
--> refused 0A000 correlation: this correlated subquery is not supported

SELECT count(*) FROM visits v, LATERAL (SELECT v.cost + (SELECT count(*) FROM visits w WHERE w.patient_id = v.patient_id) AS p) AS d WHERE d.p > 9;
--> refused 0A000 correlation: this correlated subquery is not supported

SELECT count(*) FROM visits v, LATERAL (SELECT v.patient_id AS patient_id) AS d JOIN patients p USING (patient_id);
--> refused 0A000 correlation: this correlated subquery is not supported

SELECT count(*) FROM patients p WHERE EXISTS (SELECT FROM visits w CROSS JOIN LATERAL (SELECT smoker AND w.urgent AS b) AS d JOIN patients q ON q.patient_id = w.patient_id WHERE w.patient_id = p.patient_id AND d.b);
--> refused 0A000 correlation: this correlated subquery is not supported

SELECT count(*) FROM visits v, LATERAL (SELECT v.cost AS x) AS d WHERE d IS NOT NULL;
--> refused 0A000 correlation: this correlated subquery is not supported

SELECT count(*) FROM visits v, LATERAL (SELECT v.cost AS x) AS d WHERE ROW(d.*) IS NOT NULL;
--> refused 0A000 correlation: this correlated subquery is not supported

SELECT sum(d.x) FROM visits v, LATERAL (VALUES (v.cost), (v.minutes)) AS d(x);
--> query: SELECT sum(CASE d.place WHEN 2 THEN v.minutes ELSE v.cost END) AS "sum" FROM "public".visits AS v CROSS JOIN (SELECT * FROM (VALUES (1), (2)) AS d(place)) AS d
--> block 0: SELECT sum(CASE d.place WHEN 2 THEN v.minutes ELSE v.cost END) AS "sum" FROM "public".visits AS v CROSS JOIN (SELECT * FROM (VALUES (1), (2)) AS d(place)) AS d
-->   before it: SELECT * FROM (VALUES (1), (2)) AS d(place)

SELECT q.region, d.x FROM (SELECT region, count(*) AS n FROM visits GROUP BY region) AS q, LATERAL (SELECT q.n * 2 AS x) AS d;
--> query: SELECT q.region, d.x FROM (SELECT region, count(*) AS n FROM "public".visits GROUP BY region) AS q, LATERAL (SELECT q.n * 2 AS x) AS d
--> block 0: SELECT region, count(*) AS n FROM "public".visits GROUP BY region

SELECT count(*) FROM visits v, LATERAL (SELECT string_agg('a', ',') || v.region AS s) AS d WHERE d.s > 'b';
--> refused 0A000 correlation: this correlated subquery is not supported

SELECT count(*) FROM visits v, LATERAL (SELECT v.cost AS x) AS d0, LATERAL (SELECT v.cost AS x) AS d1, LATERAL (SELECT v.cost AS x) AS d2, LATERAL (SELECT v.cost AS x) AS d3, LATERAL (SELECT v.cost AS x) AS d4, LATERAL (SELECT v.cost AS x) AS d5, LATERAL (SELECT v.cost AS x) AS d6, LATERAL (SELECT v.cost AS x) AS d7, LATERAL (SELECT v.cost AS x) AS d8, LATERAL (SELECT v.cost AS x) AS d9, LATERAL (SELECT v.cost AS x) AS d10, LATERAL (SELECT v.cost AS x) AS d11, LATERAL (SELECT v.cost AS x) AS d12, LATERAL (SELECT v.cost AS x) AS d13, LATERAL (SELECT v.cost AS x) AS d14, LATERAL (SELECT v.cost AS x) AS d15, LATERAL (SELECT v.cost AS x) AS d16, LATERAL (SELECT v.cost AS x) AS d17, LATERAL (SELECT v.cost AS x) AS d18, LATERAL (SELECT v.cost AS x) AS d19, LATERAL (SELECT v.cost AS x) AS d20, LATERAL (SELECT v.cost AS x) AS d21, LATERAL (SELECT v.cost AS x) AS d22, LATERAL (SELECT v.cost AS x) AS d23, LATERAL (SELECT v.cost AS x) AS d24, LATERAL (SELECT v.cost AS x) AS d25, LATERAL (SELECT v.cost AS x) AS d26, LATERAL (SELECT v.cost AS x) AS d27, LATERAL (SELECT v.cost AS x) AS d28, LATERAL (SELECT v.cost AS x) AS d29, LATERAL (SELECT v.cost AS x) AS d30, LATERAL (SELECT v.cost AS x) AS d31, LATERAL (SELECT v.cost AS x) AS d32, LATERAL (SELECT v.cost AS x) AS d33, LATERAL (SELECT v.cost AS x) AS d34, LATERAL (SELECT v.cost AS x) AS d35, LATERAL (SELECT v.cost AS x) AS d36, LATERAL (SELECT v.cost AS x) AS d37, LATERAL (SELECT v.cost AS x) AS d38, LATERAL (SELECT v.cost AS x) AS d39, LATERAL (SELECT v.cost AS x) AS d40, LATERAL (SELECT v.cost AS x) AS d41, LATERAL (SELECT v.cost AS x) AS d42, LATERAL (SELECT v.cost AS x) AS d43, LATERAL (SELECT v.cost AS x) AS d44, LATERAL (SELECT v.cost AS x) AS d45, LATERAL (SELECT v.cost AS x) AS d46, LATERAL (SELECT v.cost AS x) AS d47, LATERAL (SELECT v.cost AS x) AS d48, LATERAL (SELECT v.cost AS x) AS d49, LATERAL (SELECT v.cost AS x) AS d50, LATERAL (SELECT v.cost AS x) AS d51, LATERAL (SELECT v.cost AS x) AS d52, LATERAL (SELECT v.cost AS x) AS d53, LATERAL (SELECT v.cost AS x) AS d54, LATERAL (SELECT v.cost AS x) AS d55, LATERAL (SELECT v.cost AS x) AS d56, LATERAL (SELECT v.cost AS x) AS d57, LATERAL (SELECT v.cost AS x) AS d58, LATERAL (SELECT v.cost AS x) AS d59, LATERAL (SELECT v.cost AS x) AS d60, LATERAL (SELECT v.cost AS x) AS d61, LATERAL (SELECT v.cost AS x) AS d62, LATERAL (SELECT v.cost AS x) AS d63, LATERAL (SELECT v.cost AS x) AS d64, LATERAL (SELECT v.cost AS x) AS d65, LATERAL (SELECT v.cost AS x) AS d66, LATERAL (SELECT v.cost AS x) AS d67, LATERAL (SELECT v.cost AS x) AS d68, LATERAL (SELECT v.cost AS x) AS d69, LATERAL (SELECT v.cost AS x) AS d70, LATERAL (SELECT v.cost AS x) AS d71, LATERAL (SELECT v.cost AS x) AS d72, LATERAL (SELECT v.cost AS x) AS d73, LATERAL (SELECT v.cost AS x) AS d74, LATERAL (SELECT v.cost AS x) AS d75, LATERAL (SELECT v.cost AS x) AS d76, LATERAL (SELECT v.cost AS x) AS d77, LATERAL (SELECT v.cost AS x) AS d78, LATERAL (SELECT v.cost AS x) AS d79, LATERAL (SELECT v.cost AS x) AS d80, LATERAL (SELECT v.cost AS x) AS d81, LATERAL (SELECT v.cost AS x) AS d82, LATERAL (SELECT v.cost AS x) AS d83, LATERAL (SELECT v.cost AS x) AS d84, LATERAL (SELECT v.cost AS x) AS d85, LATERAL (SELECT v.cost AS x) AS d86, LATERAL (SELECT v.cost AS x) AS d87, LATERAL (SELECT v.cost AS x) AS d88, LATERAL (SELECT v.cost AS x) AS d89, LATERAL (SELECT v.cost AS x) AS d90, LATERAL (SELECT v.cost AS x) AS d91, LATERAL (SELECT v.cost AS x) AS d92, LATERAL (SELECT v.cost AS x) AS d93, LATERAL (SELECT v.cost AS x) AS d94, LATERAL (SELECT v.cost AS x) AS d95, LATERAL (SELECT v.cost AS x) AS d96, LATERAL (SELECT v.cost AS x) AS d97, LATERAL (SELECT v.cost AS x) AS d98, LATERAL (SELECT v.cost AS x) AS d99, LATERAL (SELECT v.cost AS x) AS d100;
--> refused 0A000 expression-size: this query has more than 100 LATERAL items

SELECT count(*) FROM patients p JOIN visits v ON smoker AND v.patient_id = p.patient_id, LATERAL (SELECT v.cost > 5 AS smoker) AS d WHERE d.smoker;
--> query: SELECT count(*) AS "count" FROM "public".patients AS p JOIN "public".visits AS v ON smoker AND v.patient_id = p.patient_id WHERE (v.cost > 5)
--> block 0: SELECT count(*) AS "count" FROM "public".patients AS p JOIN "public".visits AS v ON smoker AND v.patient_id = p.patient_id WHERE (v.cost > 5)

SELECT sum(d.cost) FROM visits v, LATERAL (SELECT v.cost * 2 AS cost) AS d WHERE d.cost > 500 AND v.cost < 400;
--> query: SELECT sum(v.cost * 2) AS "sum" FROM "public".visits AS v WHERE (v.cost * 2) > 500 AND v.cost < 400
--> block 0: SELECT sum(v.cost * 2) AS "sum" FROM "public".visits AS v WHERE (v.cost * 2) > 500 AND v.cost < 400

SELECT count(*) FROM visits v JOIN LATERAL (SELECT v.minutes AS m) AS d ON d.m > 30;
--> refused 0A000 correlation: a condition of a LATERAL item without FROM is not supported over private rows

SELECT count(d.m) FROM visits v LEFT JOIN LATERAL (SELECT v.minutes AS m WHERE v.urgent) AS d ON true;
--> refused 0A000 correlation: a condition of a LATERAL item without FROM is not supported over private rows

SELECT x.kind, sum(v) FROM visits t CROSS JOIN LATERAL (VALUES ('cost', t.cost), ('time', minutes)) AS x(kind, v) WHERE v > 5 GROUP BY 1;
--> query: SELECT x."kind" AS "kind", sum(CASE x.place WHEN 2 THEN t.minutes ELSE t.cost END) AS "sum" FROM "public".visits AS t CROSS JOIN (SELECT * FROM (VALUES (1, 'cost'), (2, 'time')) AS x(place, "kind")) AS x WHERE (CASE x.place WHEN 2 THEN t.minutes ELSE t.cost END) > 5 GROUP BY 1
--> block 0: SELECT x."kind" AS "kind", sum(CASE x.place WHEN 2 THEN t.minutes ELSE t.cost END) AS "sum" FROM "public".visits AS t CROSS JOIN (SELECT * FROM (VALUES (1, 'cost'), (2, 'time')) AS x(place, "kind")) AS x WHERE (CASE x.place WHEN 2 THEN t.minutes ELSE t.cost END) > 5 GROUP BY 1
-->   before it: SELECT * FROM (VALUES (1, 'cost'), (2, 'time')) AS x(place, "kind")

SELECT x.* FROM visits place LEFT JOIN LATERAL (SELECT 1 AS k, place.cost AS c UNION ALL SELECT 2, place.minutes * 2 UNION ALL SELECT 3, NULL) AS x ON true;
--> query: SELECT x."k" AS "k", (CASE x.place1 WHEN 2 THEN place.minutes * 2 WHEN 3 THEN NULL ELSE place.cost END) AS "c" FROM "public".visits AS place CROSS JOIN (SELECT * FROM (VALUES (1, 1), (2, 2), (3, 3)) AS x(place1, "k")) AS x
--> block 0: SELECT x."k" AS "k", (CASE x.place1 WHEN 2 THEN place.minutes * 2 WHEN 3 THEN NULL ELSE place.cost END) AS "c" FROM "public".visits AS place CROSS JOIN (SELECT * FROM (VALUES (1, 1), (2, 2), (3, 3)) AS x(place1, "k")) AS x
-->   before it: SELECT * FROM (VALUES (1, 1), (2, 2), (3, 3)) AS x(place1, "k")

SELECT count(*) FROM visits v, LATERAL (VALUES (v.cost), (v.minutes)) AS x(a), LATERAL (VALUES (x.a + 1), (x.a * 2)) AS y(b) WHERE y.b > 5;
--> query: SELECT count(*) AS "count" FROM "public".visits AS v CROSS JOIN (SELECT * FROM (VALUES (1), (2)) AS x(place1)) AS x CROSS JOIN (SELECT * FROM (VALUES (1), (2)) AS y(place)) AS y WHERE (CASE y.place WHEN 2 THEN (CASE x.place1 WHEN 2 THEN v.minutes ELSE v.cost END) * 2 ELSE (CASE x.place1 WHEN 2 THEN v.minutes ELSE v.cost END) + 1 END) > 5
--> block 0: SELECT count(*) AS "count" FROM "public".visits AS v CROSS JOIN (SELECT * FROM (VALUES (1), (2)) AS x(place1)) AS x CROSS JOIN (SELECT * FROM (VALUES (1), (2)) AS y(place)) AS y WHERE (CASE y.place WHEN 2 THEN (CASE x.place1 WHEN 2 THEN v.minutes ELSE v.cost END) * 2 ELSE (CASE x.place1 WHEN 2 THEN v.minutes ELSE v.cost END) + 1 END) > 5
-->   before it: SELECT * FROM (VALUES (1), (2)) AS x(place1)
-->   before it: SELECT * FROM (VALUES (1), (2)) AS y(place)

SELECT count(*) FROM visits v JOIN LATERAL (VALUES (v.cost), (v.minutes)) AS x(a) ON a > 5;
--> refused 0A000 correlation: a condition of a LATERAL item without FROM is not supported over private rows

SELECT count(*) FROM visits v, LATERAL (SELECT v.cost AS a UNION ALL SELECT v.minutes WHERE v.urgent) AS x;
--> refused 0A000 correlation: a condition of a LATERAL item without FROM is not supported over private rows

SELECT count(x) FROM visits v, LATERAL (VALUES (v.cost), (v.minutes)) AS x(a);
--> query: SELECT count(x) FROM "public".visits AS v, LATERAL (VALUES (v.cost), (v.minutes)) AS x(a)
--> block 0: SELECT count(x) FROM "public".visits AS v, LATERAL (VALUES (v.cost), (v.minutes)) AS x(a)

SELECT count(*) FROM visits v, LATERAL (VALUES (v.cost), (random())) AS x(a);
--> query: SELECT count(*) FROM "public".visits AS v, LATERAL (VALUES (v.cost), (random())) AS x(a)
--> block 0: SELECT count(*) FROM "public".visits AS v, LATERAL (VALUES (v.cost), (random())) AS x(a)

SELECT count(*) FROM visits v, LATERAL (SELECT v.cost AS a UNION SELECT v.minutes) AS x;
--> refused 0A000 correlation: this correlated subquery is not supported

SELECT count(*) FROM visits v, LATERAL (VALUES (v.cost, 1), (v.minutes)) AS x(a);
--> query: SELECT count(*) FROM "public".visits AS v, LATERAL (VALUES (v.cost, 1), (v.minutes)) AS x(a)
--> block 0: SELECT count(*) FROM "public".visits AS v, LATERAL (VALUES (v.cost, 1), (v.minutes)) AS x(a)

SELECT x.* FROM visits v, LATERAL (SELECT v.cost, v.cost UNION ALL SELECT v.minutes, 1) AS x;
--> refused 0A000 correlation: this correlated subquery is not supported

SELECT k, sum(v) FROM visits t, unnest(ARRAY['cost', 'time'], ARRAY[t.cost, minutes]) AS x(k, v) GROUP BY k;
--> query: SELECT x."k" AS "k", sum(CASE x.place WHEN 2 THEN t.minutes ELSE t.cost END) AS "sum" FROM "public".visits AS t CROSS JOIN (SELECT * FROM (VALUES (1, 'cost'), (2, 'time')) AS x(place, "k")) AS x GROUP BY x."k"
--> block 0: SELECT x."k" AS "k", sum(CASE x.place WHEN 2 THEN t.minutes ELSE t.cost END) AS "sum" FROM "public".visits AS t CROSS JOIN (SELECT * FROM (VALUES (1, 'cost'), (2, 'time')) AS x(place, "k")) AS x GROUP BY x."k"
-->   before it: SELECT * FROM (VALUES (1, 'cost'), (2, 'time')) AS x(place, "k")

SELECT n, sum(v) FROM visits t CROSS JOIN LATERAL unnest(ARRAY[t.cost, 1]::numeric[]) WITH ORDINALITY AS x(v, n) GROUP BY n;
--> query: SELECT x."n" AS "n", sum(CASE x.place WHEN 2 THEN CAST(1 AS DECIMAL) ELSE CAST(t.cost AS DECIMAL) END) AS "sum" FROM "public".visits AS t CROSS JOIN (SELECT * FROM (VALUES (1, 1), (2, 2)) AS x(place, "n")) AS x GROUP BY x."n"
--> block 0: SELECT x."n" AS "n", sum(CASE x.place WHEN 2 THEN CAST(1 AS DECIMAL) ELSE CAST(t.cost AS DECIMAL) END) AS "sum" FROM "public".visits AS t CROSS JOIN (SELECT * FROM (VALUES (1, 1), (2, 2)) AS x(place, "n")) AS x GROUP BY x."n"
-->   before it: SELECT * FROM (VALUES (1, 1), (2, 2)) AS x(place, "n")

SELECT sum(v), max(ordinality) FROM visits t, unnest(ARRAY[t.cost]) WITH ORDINALITY AS v;
--> query: SELECT sum(v), max(ordinality) FROM "public".visits AS t, UNNEST(ARRAY[t.cost]) WITH ORDINALITY AS v
--> block 0: SELECT sum(v), max(ordinality) FROM "public".visits AS t, UNNEST(ARRAY[t.cost]) WITH ORDINALITY AS v

SELECT count(*) FROM visits t, unnest(ARRAY[t.cost, 1], ARRAY[2]) AS x(a, b);
--> query: SELECT count(*) FROM "public".visits AS t, UNNEST(ARRAY[t.cost, 1], ARRAY[2]) AS x(a, b)
--> block 0: SELECT count(*) FROM "public".visits AS t, UNNEST(ARRAY[t.cost, 1], ARRAY[2]) AS x(a, b)

SELECT count(*) FROM visits t, unnest(ARRAY[t.cost, 1], ARRAY[2, 3]) AS x;
--> query: SELECT count(*) FROM "public".visits AS t, UNNEST(ARRAY[t.cost, 1], ARRAY[2, 3]) AS x
--> block 0: SELECT count(*) FROM "public".visits AS t, UNNEST(ARRAY[t.cost, 1], ARRAY[2, 3]) AS x

SELECT max(a) FROM visits t, unnest(ARRAY['(1,2)'::pair, '(3,4)'::pair], ARRAY[t.cost, 1]) AS x(a, b);
--> query: SELECT max(a) FROM "public".visits AS t, UNNEST(ARRAY[CAST('(1,2)' AS pair), CAST('(3,4)' AS pair)], ARRAY[t.cost, 1]) AS x(a, b)
--> block 0: SELECT max(a) FROM "public".visits AS t, UNNEST(ARRAY[CAST('(1,2)' AS pair), CAST('(3,4)' AS pair)], ARRAY[t.cost, 1]) AS x(a, b)

SELECT count(*) FROM visits v, LATERAL (SELECT v.minutes AS m) AS x, LATERAL (SELECT count(*) AS n FROM visits w WHERE w.patient_id = v.patient_id AND w.minutes = x.m) AS l WHERE l.n > 1;
--> refused 0A000 correlation: this correlated subquery is not supported

SELECT count(*) FROM visits v CROSS JOIN LATERAL (SELECT v.minutes AS m) AS x CROSS JOIN (regions r CROSS JOIN LATERAL (SELECT count(*) AS n FROM visits w WHERE w.minutes = x.m) AS l) WHERE l.n > 1;
--> refused 0A000 correlation: this correlated subquery is not supported

SELECT sum(cost) FROM patients p, LATERAL (SELECT cost FROM visits v WHERE v.patient_id = p.patient_id ORDER BY cost LIMIT 2::integer) AS t;
--> query: SELECT sum(cost) FROM "public".patients AS p JOIN (SELECT * FROM (SELECT cost, v.patient_id AS dplateral_0, row_number() OVER (PARTITION BY v.patient_id ORDER BY cost) AS dprank FROM "public".visits AS v) AS dpranked WHERE dpranked.dprank <= 2) AS "t" ON ("t".dplateral_0 = p.patient_id)
--> block 0: SELECT sum(cost) FROM "public".patients AS p JOIN (SELECT * FROM (SELECT cost, v.patient_id AS dplateral_0, row_number() OVER (PARTITION BY v.patient_id ORDER BY cost) AS dprank FROM "public".visits AS v) AS dpranked WHERE dpranked.dprank <= 2) AS "t" ON ("t".dplateral_0 = p.patient_id)

SELECT sum(cost) FROM patients p, LATERAL (SELECT cost FROM visits v WHERE v.patient_id = p.patient_id ORDER BY cost LIMIT ('2'::bigint)::integer OFFSET '0') AS t;
--> query: SELECT sum(cost) FROM "public".patients AS p JOIN (SELECT * FROM (SELECT cost, v.patient_id AS dplateral_0, row_number() OVER (PARTITION BY v.patient_id ORDER BY cost) AS dprank FROM "public".visits AS v) AS dpranked WHERE dpranked.dprank <= 2) AS "t" ON ("t".dplateral_0 = p.patient_id)
--> block 0: SELECT sum(cost) FROM "public".patients AS p JOIN (SELECT * FROM (SELECT cost, v.patient_id AS dplateral_0, row_number() OVER (PARTITION BY v.patient_id ORDER BY cost) AS dprank FROM "public".visits AS v) AS dpranked WHERE dpranked.dprank <= 2) AS "t" ON ("t".dplateral_0 = p.patient_id)

SELECT count(*) FROM patients p WHERE (SELECT cost FROM visits v WHERE v.patient_id = p.patient_id ORDER BY visited_at FETCH FIRST ROW ONLY) > 5;
--> query: SELECT count(*) FROM "public".patients AS p LEFT JOIN (SELECT * FROM (SELECT cost AS dpscalar_value, v.patient_id AS dplateral_0, row_number() OVER (PARTITION BY v.patient_id ORDER BY visited_at) AS dprank FROM "public".visits AS v) AS dpranked WHERE dpranked.dprank <= 1) AS dpscalar_0 ON dpscalar_0.dplateral_0 = p.patient_id WHERE (dpscalar_0.dpscalar_value) > 5
--> block 0: SELECT count(*) FROM "public".patients AS p LEFT JOIN (SELECT * FROM (SELECT cost AS dpscalar_value, v.patient_id AS dplateral_0, row_number() OVER (PARTITION BY v.patient_id ORDER BY visited_at) AS dprank FROM "public".visits AS v) AS dpranked WHERE dpranked.dprank <= 1) AS dpscalar_0 ON dpscalar_0.dplateral_0 = p.patient_id WHERE (dpscalar_0.dpscalar_value) > 5

SELECT sum(t.a), sum(t.b) FROM patients p CROSS JOIN LATERAL (SELECT coalesce(max(cost) - min(cost), 0) / count(*) AS a, max(cost) - min(cost) AS b FROM visits v WHERE v.patient_id = p.patient_id) t WHERE t.a > 5;
--> query: SELECT sum(((coalesce("t".dpvalue0_0 - "t".dpvalue0_1, 0) / coalesce("t".dpvalue0_2, 0)))), sum(t.b) FROM "public".patients AS p LEFT JOIN (SELECT max(cost) AS dpvalue0_0, min(cost) AS dpvalue0_1, count(*) AS dpvalue0_2, max(cost) - min(cost) AS b, v.patient_id AS dplateral_0 FROM "public".visits AS v GROUP BY v.patient_id) AS "t" ON ("t".dplateral_0 = p.patient_id) WHERE ((coalesce("t".dpvalue0_0 - "t".dpvalue0_1, 0) / coalesce("t".dpvalue0_2, 0))) > 5
--> block 0: SELECT sum(((coalesce("t".dpvalue0_0 - "t".dpvalue0_1, 0) / coalesce("t".dpvalue0_2, 0)))), sum(t.b) FROM "public".patients AS p LEFT JOIN (SELECT max(cost) AS dpvalue0_0, min(cost) AS dpvalue0_1, count(*) AS dpvalue0_2, max(cost) - min(cost) AS b, v.patient_id AS dplateral_0 FROM "public".visits AS v GROUP BY v.patient_id) AS "t" ON ("t".dplateral_0 = p.patient_id) WHERE ((coalesce("t".dpvalue0_0 - "t".dpvalue0_1, 0) / coalesce("t".dpvalue0_2, 0))) > 5

SELECT name, t.a FROM regions r CROSS JOIN LATERAL (SELECT coalesce(dp.high(count(*)), 0) AS a FROM visits v WHERE v.region = r.name) t;
--> query: SELECT name, (CASE WHEN "t".dplateral_0 IS NULL THEN (coalesce(NULL, 0)) ELSE "t".dpvalue0_0 END) AS a FROM "public".regions AS r LEFT JOIN (SELECT coalesce(dp.high(count(*)), 0) AS dpvalue0_0, v.region AS dplateral_0 FROM "public".visits AS v GROUP BY v.region) AS "t" ON ("t".dplateral_0 = r.name)
--> block 0: SELECT coalesce(dp.high(count(*)), 0) AS dpvalue0_0, v.region AS dplateral_0 FROM "public".visits AS v GROUP BY v.region
