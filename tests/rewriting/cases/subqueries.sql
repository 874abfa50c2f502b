SELECT count(*) FROM patients p WHERE (SELECT count(*) FROM visits v WHERE v.patient_id = p.patient_id) > 2;
--> query: SELECT count(*) FROM "public".patients AS p LEFT JOIN (SELECT v.patient_id AS dpscalar_key0, count(*) AS dpscalar_value FROM "public".visits AS v GROUP BY v.patient_id) AS dpscalar_0 ON dpscalar_0.dpscalar_key0 = p.patient_id WHERE (coalesce(dpscalar_0.dpscalar_value, 0)) > 2
--> block 0: SELECT count(*) FROM "public".patients AS p LEFT JOIN (SELECT v.patient_id AS dpscalar_key0, count(*) AS dpscalar_value FROM "public".visits AS v GROUP BY v.patient_id) AS dpscalar_0 ON dpscalar_0.dpscalar_key0 = p.patient_id WHERE (coalesce(dpscalar_0.dpscalar_value, 0)) > 2

SELECT count(*) FROM patients p WHERE (SELECT sum(cost) FROM visits v WHERE v.patient_id = p.patient_id AND v.urgent) > 2;
--> query: SELECT count(*) FROM "public".patients AS p LEFT JOIN (SELECT v.patient_id AS dpscalar_key0, sum(cost) AS dpscalar_value FROM "public".visits AS v WHERE (v.urgent) GROUP BY v.patient_id) AS dpscalar_0 ON dpscalar_0.dpscalar_key0 = p.patient_id WHERE (dpscalar_0.dpscalar_value) > 2
--> block 0: SELECT count(*) FROM "public".patients AS p LEFT JOIN (SELECT v.patient_id AS dpscalar_key0, sum(cost) AS dpscalar_value FROM "public".visits AS v WHERE (v.urgent) GROUP BY v.patient_id) AS dpscalar_0 ON dpscalar_0.dpscalar_key0 = p.patient_id WHERE (dpscalar_0.dpscalar_value) > 2

SELECT count(*) FROM patients p WHERE (SELECT sum(cost) + count(*) FROM visits v WHERE v.patient_id = p.patient_id) > 2;
--> query: SELECT count(*) FROM "public".patients AS p LEFT JOIN (SELECT v.patient_id AS dpscalar_key0, sum(cost) + count(*) AS dpscalar_value FROM "public".visits AS v GROUP BY v.patient_id) AS dpscalar_0 ON dpscalar_0.dpscalar_key0 = p.patient_id WHERE (dpscalar_0.dpscalar_value) > 2
--> block 0: SELECT count(*) FROM "public".patients AS p LEFT JOIN (SELECT v.patient_id AS dpscalar_key0, sum(cost) + count(*) AS dpscalar_value FROM "public".visits AS v GROUP BY v.patient_id) AS dpscalar_0 ON dpscalar_0.dpscalar_key0 = p.patient_id WHERE (dpscalar_0.dpscalar_value) > 2

SELECT count(*) FROM patients p WHERE (SELECT count(*) + sum(cost) FROM visits v WHERE v.patient_id = p.patient_id) > 2;
--> query: SELECT count(*) FROM "public".patients AS p LEFT JOIN (SELECT v.patient_id AS dpscalar_key0, count(*) + sum(cost) AS dpscalar_value FROM "public".visits AS v GROUP BY v.patient_id) AS dpscalar_0 ON dpscalar_0.dpscalar_key0 = p.patient_id WHERE (dpscalar_0.dpscalar_value) > 2
--> block 0: SELECT count(*) FROM "public".patients AS p LEFT JOIN (SELECT v.patient_id AS dpscalar_key0, count(*) + sum(cost) AS dpscalar_value FROM "public".visits AS v GROUP BY v.patient_id) AS dpscalar_0 ON dpscalar_0.dpscalar_key0 = p.patient_id WHERE (dpscalar_0.dpscalar_value) > 2

SELECT count(*) FROM patients p WHERE (SELECT count(*) * 2 FROM visits v WHERE v.patient_id = p.patient_id) > 2;
--> query: SELECT count(*) FROM "public".patients AS p LEFT JOIN (SELECT v.patient_id AS dpscalar_key0, count(*) AS dpscalar_value FROM "public".visits AS v GROUP BY v.patient_id) AS dpscalar_0 ON dpscalar_0.dpscalar_key0 = p.patient_id WHERE ((coalesce(dpscalar_0.dpscalar_value, 0) * 2)) > 2
--> block 0: SELECT count(*) FROM "public".patients AS p LEFT JOIN (SELECT v.patient_id AS dpscalar_key0, count(*) AS dpscalar_value FROM "public".visits AS v GROUP BY v.patient_id) AS dpscalar_0 ON dpscalar_0.dpscalar_key0 = p.patient_id WHERE ((coalesce(dpscalar_0.dpscalar_value, 0) * 2)) > 2

SELECT count(*) FROM patients p WHERE (SELECT coalesce(sum(cost), 0) FROM visits v WHERE v.patient_id = p.patient_id) > 2;
--> query: SELECT count(*) FROM "public".patients AS p LEFT JOIN (SELECT v.patient_id AS dpscalar_key0, sum(cost) AS dpscalar_value FROM "public".visits AS v GROUP BY v.patient_id) AS dpscalar_0 ON dpscalar_0.dpscalar_key0 = p.patient_id WHERE (coalesce(dpscalar_0.dpscalar_value, 0)) > 2
--> block 0: SELECT count(*) FROM "public".patients AS p LEFT JOIN (SELECT v.patient_id AS dpscalar_key0, sum(cost) AS dpscalar_value FROM "public".visits AS v GROUP BY v.patient_id) AS dpscalar_0 ON dpscalar_0.dpscalar_key0 = p.patient_id WHERE (coalesce(dpscalar_0.dpscalar_value, 0)) > 2

SELECT count(*) FROM patients p WHERE (SELECT count(*) FILTER (WHERE urgent) FROM visits v WHERE p.patient_id = v.patient_id) > 2;
--> query: SELECT count(*) FROM "public".patients AS p LEFT JOIN (SELECT v.patient_id AS dpscalar_key0, count(*) FILTER(WHERE urgent) AS dpscalar_value FROM "public".visits AS v GROUP BY v.patient_id) AS dpscalar_0 ON dpscalar_0.dpscalar_key0 = p.patient_id WHERE (coalesce(dpscalar_0.dpscalar_value, 0)) > 2
--> block 0: SELECT count(*) FROM "public".patients AS p LEFT JOIN (SELECT v.patient_id AS dpscalar_key0, count(*) FILTER(WHERE urgent) AS dpscalar_value FROM "public".visits AS v GROUP BY v.patient_id) AS dpscalar_0 ON dpscalar_0.dpscalar_key0 = p.patient_id WHERE (coalesce(dpscalar_0.dpscalar_value, 0)) > 2

SELECT count(*) FROM patients p WHERE (SELECT -(max(cost))::int FROM visits v WHERE p.patient_id = v.patient_id) > 2;
--> query: SELECT count(*) FROM "public".patients AS p LEFT JOIN (SELECT v.patient_id AS dpscalar_key0, -CAST((max(cost)) AS INT) AS dpscalar_value FROM "public".visits AS v GROUP BY v.patient_id) AS dpscalar_0 ON dpscalar_0.dpscalar_key0 = p.patient_id WHERE (dpscalar_0.dpscalar_value) > 2
--> block 0: SELECT count(*) FROM "public".patients AS p LEFT JOIN (SELECT v.patient_id AS dpscalar_key0, -CAST((max(cost)) AS INT) AS dpscalar_value FROM "public".visits AS v GROUP BY v.patient_id) AS dpscalar_0 ON dpscalar_0.dpscalar_key0 = p.patient_id WHERE (dpscalar_0.dpscalar_value) > 2

SELECT count(*) FROM patients p WHERE (SELECT count(*) FROM visits v WHERE v.patient_id > p.patient_id) > 2;
--> refused 0A000 correlation: this correlated subquery is not supported

SELECT count(*) FROM patients p WHERE (SELECT count(*) FROM visits v WHERE v.patient_id = p.patient_id AND v.cost > p.height) > 2;
--> query: SELECT count(*) FROM "public".patients AS p LEFT JOIN (SELECT v.patient_id AS dpscalar_key0, "dpown"."dpown_patient_id" AS dpscalar_key1, count(*) AS dpscalar_value FROM "public".visits AS v CROSS JOIN (SELECT "p"."height" AS "dpown_height", "p"."patient_id" AS "dpown_patient_id" FROM "public".patients AS p) AS dpown WHERE (v.patient_id = "dpown"."dpown_patient_id") AND (v.cost > "dpown"."dpown_height") GROUP BY v.patient_id, "dpown"."dpown_patient_id") AS dpscalar_0 ON dpscalar_0.dpscalar_key0 = p.patient_id AND dpscalar_0.dpscalar_key1 = "p"."patient_id" WHERE (coalesce(dpscalar_0.dpscalar_value, 0)) > 2
--> block 0: SELECT count(*) FROM "public".patients AS p LEFT JOIN (SELECT v.patient_id AS dpscalar_key0, "dpown"."dpown_patient_id" AS dpscalar_key1, count(*) AS dpscalar_value FROM "public".visits AS v CROSS JOIN (SELECT "p"."height" AS "dpown_height", "p"."patient_id" AS "dpown_patient_id" FROM "public".patients AS p) AS dpown WHERE (v.patient_id = "dpown"."dpown_patient_id") AND (v.cost > "dpown"."dpown_height") GROUP BY v.patient_id, "dpown"."dpown_patient_id") AS dpscalar_0 ON dpscalar_0.dpscalar_key0 = p.patient_id AND dpscalar_0.dpscalar_key1 = "p"."patient_id" WHERE (coalesce(dpscalar_0.dpscalar_value, 0)) > 2

SELECT count(*) FROM patients p WHERE (SELECT count(*) FROM visits v WHERE v.patient_id = p.patient_id + 1) > 2;
--> refused 0A000 correlation: this correlated subquery is not supported

SELECT count(*) FROM patients p WHERE (SELECT count(*) FROM visits v WHERE v.minutes + p.mother_id = p.patient_id) > 2;
--> refused 0A000 correlation: this correlated subquery is not supported

SELECT count(*) FROM patients p WHERE (SELECT count(*) FROM visits v WHERE v.patient_id = p.patient_id AND v.minutes + 1 = p.mother_id) > 2;
--> query: SELECT count(*) FROM "public".patients AS p LEFT JOIN (SELECT v.patient_id AS dpscalar_key0, v.minutes + 1 AS dpscalar_key1, count(*) AS dpscalar_value FROM "public".visits AS v GROUP BY v.patient_id, v.minutes + 1) AS dpscalar_0 ON dpscalar_0.dpscalar_key0 = p.patient_id AND dpscalar_0.dpscalar_key1 = p.mother_id WHERE (coalesce(dpscalar_0.dpscalar_value, 0)) > 2
--> block 0: SELECT count(*) FROM "public".patients AS p LEFT JOIN (SELECT v.patient_id AS dpscalar_key0, v.minutes + 1 AS dpscalar_key1, count(*) AS dpscalar_value FROM "public".visits AS v GROUP BY v.patient_id, v.minutes + 1) AS dpscalar_0 ON dpscalar_0.dpscalar_key0 = p.patient_id AND dpscalar_0.dpscalar_key1 = p.mother_id WHERE (coalesce(dpscalar_0.dpscalar_value, 0)) > 2

SELECT count(*) FROM patients p WHERE (SELECT count(p.height) FROM visits v WHERE v.patient_id = p.patient_id) > 2;
--> refused 0A000 correlation: this correlated subquery is not supported

SELECT count(*) FROM patients p WHERE (SELECT cost FROM visits v WHERE v.patient_id = p.patient_id) > 2;
--> refused 0A000 subquery: a correlated subquery that is no aggregate is not supported here

SELECT count(*) FROM patients p WHERE (SELECT count(*) FROM visits v WHERE v.patient_id = p.patient_id GROUP BY v.region) > 2;
--> refused 0A000 subquery: a correlated subquery that is no aggregate is not supported here

SELECT count(*) FROM patients p WHERE (SELECT count(*) FROM visits v WHERE v.patient_id = p.patient_id LIMIT 0) > 2;
--> refused 0A000 subquery: a correlated subquery that is no aggregate is not supported here

SELECT count(*) FROM patients p WHERE (SELECT count(*) FROM visits v WHERE v.patient_id = p.patient_id HAVING count(*) > 1) > 2;
--> refused 0A000 subquery: a correlated subquery that is no aggregate is not supported here

SELECT count(*) FROM patients p WHERE (SELECT count(*) FROM visits v WHERE v.patient_id = p.patient_id UNION SELECT 1) > 2;
--> refused 0A000 subquery: a correlated subquery that is no aggregate is not supported here

SELECT count(*) FROM patients p WHERE (SELECT count(*), 1 FROM visits v WHERE v.patient_id = p.patient_id) > 2;
--> refused 0A000 subquery: a correlated subquery that is no aggregate is not supported here

SELECT count(*) FROM patients p WHERE (SELECT (SELECT count(*) FROM visits v WHERE v.patient_id = p.patient_id) FROM regions LIMIT 1) > 2;
--> refused 0A000 correlation: this correlated subquery is not supported

SELECT count(*) FROM visits v WHERE cost > (SELECT avg(amount) FROM prices p WHERE p.code = v.note);
--> query: SELECT count(*) FROM "public".visits AS v LEFT JOIN (SELECT p.code AS dpscalar_key0, avg(amount) AS dpscalar_value FROM "public".prices AS p GROUP BY p.code) AS dpscalar_0 ON dpscalar_0.dpscalar_key0 = v.note WHERE cost > (dpscalar_0.dpscalar_value)
--> block 0: SELECT count(*) FROM "public".visits AS v LEFT JOIN (SELECT p.code AS dpscalar_key0, avg(amount) AS dpscalar_value FROM "public".prices AS p GROUP BY p.code) AS dpscalar_0 ON dpscalar_0.dpscalar_key0 = v.note WHERE cost > (dpscalar_0.dpscalar_value)
-->   before it: SELECT p.code AS dpscalar_key0, avg(amount) AS dpscalar_value FROM "public".prices AS p GROUP BY p.code

SELECT count(*) FROM visits v WHERE cost > (SELECT avg(amount) FROM prices);
--> query: SELECT count(*) FROM "public".visits AS v LEFT JOIN (SELECT (SELECT avg(amount) FROM "public".prices) AS dpscalar_value) AS dpscalar_0 ON TRUE WHERE cost > (dpscalar_0.dpscalar_value)
--> block 0: SELECT count(*) FROM "public".visits AS v LEFT JOIN (SELECT (SELECT avg(amount) FROM "public".prices) AS dpscalar_value) AS dpscalar_0 ON TRUE WHERE cost > (dpscalar_0.dpscalar_value)
-->   before it: SELECT (SELECT avg(amount) FROM "public".prices) AS dpscalar_value

SELECT sum((SELECT avg(amount) FROM prices)) FROM visits v;
--> query: SELECT sum((dpscalar_0.dpscalar_value)) FROM "public".visits AS v LEFT JOIN (SELECT (SELECT avg(amount) FROM "public".prices) AS dpscalar_value) AS dpscalar_0 ON TRUE
--> block 0: SELECT sum((dpscalar_0.dpscalar_value)) FROM "public".visits AS v LEFT JOIN (SELECT (SELECT avg(amount) FROM "public".prices) AS dpscalar_value) AS dpscalar_0 ON TRUE
-->   before it: SELECT (SELECT avg(amount) FROM "public".prices) AS dpscalar_value

SELECT region, (SELECT avg(amount) FROM prices) FROM visits GROUP BY region;
--> query: SELECT region, (SELECT avg(amount) FROM "public".prices) FROM "public".visits GROUP BY region
--> block 0: SELECT region, (SELECT avg(amount) FROM "public".prices) FROM "public".visits GROUP BY region

SELECT *, (SELECT avg(amount) FROM prices) FROM visits;
--> query: SELECT *, (SELECT avg(amount) FROM "public".prices) FROM "public".visits
--> block 0: SELECT *, (SELECT avg(amount) FROM "public".prices) FROM "public".visits

SELECT name, (SELECT count(*) FROM visits v WHERE v.region = r.name) FROM regions r;
--> query: SELECT name, (coalesce(dpscalar_0.dpscalar_value, 0)) AS "count" FROM "public".regions AS r LEFT JOIN (SELECT dpkeys.dpscalar_key0 AS dpscalar_key0, count(*) AS dpscalar_value FROM "public".visits AS v CROSS JOIN (SELECT DISTINCT "r".name AS "dpscalar_key0" FROM "public".regions AS r WHERE (NOT "r".name IS NULL)) AS dpkeys WHERE (v.region = dpkeys.dpscalar_key0) GROUP BY dpkeys.dpscalar_key0) AS dpscalar_0 ON dpscalar_0.dpscalar_key0 = r.name
--> block 0: SELECT dpkeys.dpscalar_key0 AS dpscalar_key0, count(*) AS dpscalar_value FROM "public".visits AS v CROSS JOIN (SELECT DISTINCT "r".name AS "dpscalar_key0" FROM "public".regions AS r WHERE (NOT "r".name IS NULL)) AS dpkeys WHERE (v.region = dpkeys.dpscalar_key0) GROUP BY dpkeys.dpscalar_key0

SELECT name, (SELECT avg(cost) FROM visits v WHERE v.region = r.name) FROM regions r WHERE people > 5 AND zone IN (SELECT code FROM prices) AND 1 = 1;
--> query: SELECT name, (dpscalar_0.dpscalar_value) AS "avg" FROM "public".regions AS r LEFT JOIN (SELECT dpkeys.dpscalar_key0 AS dpscalar_key0, avg(cost) AS dpscalar_value FROM "public".visits AS v CROSS JOIN (SELECT DISTINCT "r".name AS "dpscalar_key0" FROM "public".regions AS r WHERE (NOT "r".name IS NULL) AND (people > 5) AND (zone IN (SELECT code FROM "public".prices))) AS dpkeys WHERE (v.region = dpkeys.dpscalar_key0) GROUP BY dpkeys.dpscalar_key0) AS dpscalar_0 ON dpscalar_0.dpscalar_key0 = r.name WHERE people > 5 AND zone IN (SELECT code FROM "public".prices)
--> block 0: SELECT dpkeys.dpscalar_key0 AS dpscalar_key0, avg(cost) AS dpscalar_value FROM "public".visits AS v CROSS JOIN (SELECT DISTINCT "r".name AS "dpscalar_key0" FROM "public".regions AS r WHERE (NOT "r".name IS NULL) AND (people > 5) AND (zone IN (SELECT code FROM "public".prices))) AS dpkeys WHERE (v.region = dpkeys.dpscalar_key0) GROUP BY dpkeys.dpscalar_key0

SELECT name, (SELECT avg(cost) FROM visits v WHERE v.region = r.name) FROM regions r, prices p WHERE people > amount AND people > 7;
--> query: SELECT name, (dpscalar_0.dpscalar_value) AS "avg" FROM "public".regions AS r CROSS JOIN "public".prices AS p LEFT JOIN (SELECT dpkeys.dpscalar_key0 AS dpscalar_key0, avg(cost) AS dpscalar_value FROM "public".visits AS v CROSS JOIN (SELECT DISTINCT "r".name AS "dpscalar_key0" FROM "public".regions AS r WHERE (NOT "r".name IS NULL) AND (people > 7)) AS dpkeys WHERE (v.region = dpkeys.dpscalar_key0) GROUP BY dpkeys.dpscalar_key0) AS dpscalar_0 ON dpscalar_0.dpscalar_key0 = r.name WHERE people > amount AND people > 7
--> block 0: SELECT dpkeys.dpscalar_key0 AS dpscalar_key0, avg(cost) AS dpscalar_value FROM "public".visits AS v CROSS JOIN (SELECT DISTINCT "r".name AS "dpscalar_key0" FROM "public".regions AS r WHERE (NOT "r".name IS NULL) AND (people > 7)) AS dpkeys WHERE (v.region = dpkeys.dpscalar_key0) GROUP BY dpkeys.dpscalar_key0

SELECT name, (SELECT avg(cost) FROM visits v WHERE v.region = r.name) FROM regions r WHERE people > (SELECT avg(amount) FROM prices) AND EXISTS (SELECT FROM prices p WHERE p.code = r.zone) AND zone IN (SELECT code FROM prices LIMIT 3);
--> query: SELECT name, (dpscalar_0.dpscalar_value) AS "avg" FROM "public".regions AS r LEFT JOIN (SELECT dpkeys.dpscalar_key0 AS dpscalar_key0, avg(cost) AS dpscalar_value FROM "public".visits AS v CROSS JOIN (SELECT DISTINCT "r".name AS "dpscalar_key0" FROM "public".regions AS r WHERE (NOT "r".name IS NULL)) AS dpkeys WHERE (v.region = dpkeys.dpscalar_key0) GROUP BY dpkeys.dpscalar_key0) AS dpscalar_0 ON dpscalar_0.dpscalar_key0 = r.name WHERE people > (SELECT avg(amount) FROM "public".prices) AND EXISTS(SELECT FROM "public".prices AS p WHERE p.code = r.zone) AND zone IN (SELECT code FROM "public".prices LIMIT 3)
--> block 0: SELECT dpkeys.dpscalar_key0 AS dpscalar_key0, avg(cost) AS dpscalar_value FROM "public".visits AS v CROSS JOIN (SELECT DISTINCT "r".name AS "dpscalar_key0" FROM "public".regions AS r WHERE (NOT "r".name IS NULL)) AS dpkeys WHERE (v.region = dpkeys.dpscalar_key0) GROUP BY dpkeys.dpscalar_key0

SELECT name, (SELECT avg(cost) FROM visits v WHERE v.region = r.name AND v.note = p.code) FROM regions r, prices p;
--> query: SELECT name, (dpscalar_0.dpscalar_value) AS "avg" FROM "public".regions AS r CROSS JOIN "public".prices AS p LEFT JOIN (SELECT v.region AS dpscalar_key0, v.note AS dpscalar_key1, avg(cost) AS dpscalar_value FROM "public".visits AS v GROUP BY v.region, v.note) AS dpscalar_0 ON dpscalar_0.dpscalar_key0 = r.name AND dpscalar_0.dpscalar_key1 = p.code
--> block 0: SELECT v.region AS dpscalar_key0, v.note AS dpscalar_key1, avg(cost) AS dpscalar_value FROM "public".visits AS v GROUP BY v.region, v.note

SELECT name, (SELECT avg(cost) FROM visits v WHERE v.region = r.name AND v.note = r.zone) FROM regions r;
--> query: SELECT name, (dpscalar_0.dpscalar_value) AS "avg" FROM "public".regions AS r LEFT JOIN (SELECT dpkeys.dpscalar_key0 AS dpscalar_key0, dpkeys.dpscalar_key1 AS dpscalar_key1, avg(cost) AS dpscalar_value FROM "public".visits AS v CROSS JOIN (SELECT DISTINCT "r".name AS "dpscalar_key0", "r".zone AS "dpscalar_key1" FROM "public".regions AS r WHERE (NOT "r".name IS NULL) AND (NOT "r".zone IS NULL)) AS dpkeys WHERE (v.region = dpkeys.dpscalar_key0) AND (v.note = dpkeys.dpscalar_key1) GROUP BY dpkeys.dpscalar_key0, dpkeys.dpscalar_key1) AS dpscalar_0 ON dpscalar_0.dpscalar_key0 = r.name AND dpscalar_0.dpscalar_key1 = r.zone
--> block 0: SELECT dpkeys.dpscalar_key0 AS dpscalar_key0, dpkeys.dpscalar_key1 AS dpscalar_key1, avg(cost) AS dpscalar_value FROM "public".visits AS v CROSS JOIN (SELECT DISTINCT "r".name AS "dpscalar_key0", "r".zone AS "dpscalar_key1" FROM "public".regions AS r WHERE (NOT "r".name IS NULL) AND (NOT "r".zone IS NULL)) AS dpkeys WHERE (v.region = dpkeys.dpscalar_key0) AND (v.note = dpkeys.dpscalar_key1) GROUP BY dpkeys.dpscalar_key0, dpkeys.dpscalar_key1

SELECT r.name, (SELECT avg(cost) FROM visits v WHERE v.region = r.name) FROM (SELECT * FROM regions) AS r;
--> query: SELECT r.name, (dpscalar_0.dpscalar_value) AS "avg" FROM (SELECT * FROM "public".regions) AS r LEFT JOIN (SELECT v.region AS dpscalar_key0, avg(cost) AS dpscalar_value FROM "public".visits AS v GROUP BY v.region) AS dpscalar_0 ON dpscalar_0.dpscalar_key0 = r.name
--> block 0: SELECT v.region AS dpscalar_key0, avg(cost) AS dpscalar_value FROM "public".visits AS v GROUP BY v.region

SELECT people, (SELECT avg(cost) FROM visits v WHERE v.patient_id = r.people) FROM regions r;
--> query: SELECT people, (dpscalar_0.dpscalar_value) AS "avg" FROM "public".regions AS r LEFT JOIN (SELECT v.patient_id AS dpscalar_key0, avg(cost) AS dpscalar_value FROM "public".visits AS v GROUP BY v.patient_id) AS dpscalar_0 ON dpscalar_0.dpscalar_key0 = r.people
--> block 0: SELECT people, (dpscalar_0.dpscalar_value) AS "avg" FROM "public".regions AS r LEFT JOIN (SELECT v.patient_id AS dpscalar_key0, avg(cost) AS dpscalar_value FROM "public".visits AS v GROUP BY v.patient_id) AS dpscalar_0 ON dpscalar_0.dpscalar_key0 = r.people

SELECT people, (SELECT avg(cost) FROM visits v WHERE v.patient_id + 1 = r.people) FROM regions r;
--> query: SELECT people, (dpscalar_0.dpscalar_value) AS "avg" FROM "public".regions AS r LEFT JOIN (SELECT dpkeys.dpscalar_key0 AS dpscalar_key0, avg(cost) AS dpscalar_value FROM "public".visits AS v CROSS JOIN (SELECT DISTINCT "r".people AS "dpscalar_key0" FROM "public".regions AS r WHERE (NOT "r".people IS NULL)) AS dpkeys WHERE (v.patient_id + 1 = dpkeys.dpscalar_key0) GROUP BY dpkeys.dpscalar_key0) AS dpscalar_0 ON dpscalar_0.dpscalar_key0 = r.people
--> block 0: SELECT dpkeys.dpscalar_key0 AS dpscalar_key0, avg(cost) AS dpscalar_value FROM "public".visits AS v CROSS JOIN (SELECT DISTINCT "r".people AS "dpscalar_key0" FROM "public".regions AS r WHERE (NOT "r".people IS NULL)) AS dpkeys WHERE (v.patient_id + 1 = dpkeys.dpscalar_key0) GROUP BY dpkeys.dpscalar_key0

SELECT name, (SELECT avg(cost) FROM visits v JOIN stays s USING (patient_id) WHERE v.region = r.name) FROM regions r;
--> query: SELECT name, (dpscalar_0.dpscalar_value) AS "avg" FROM "public".regions AS r LEFT JOIN (SELECT dpkeys.dpscalar_key0 AS dpscalar_key0, avg(cost) AS dpscalar_value FROM "public".visits AS v JOIN "public".stays AS s USING (patient_id) CROSS JOIN (SELECT DISTINCT "r".name AS "dpscalar_key0" FROM "public".regions AS r WHERE (NOT "r".name IS NULL)) AS dpkeys WHERE (v.region = dpkeys.dpscalar_key0) GROUP BY dpkeys.dpscalar_key0) AS dpscalar_0 ON dpscalar_0.dpscalar_key0 = r.name
--> block 0: SELECT dpkeys.dpscalar_key0 AS dpscalar_key0, avg(cost) AS dpscalar_value FROM "public".visits AS v JOIN "public".stays AS s USING (patient_id) CROSS JOIN (SELECT DISTINCT "r".name AS "dpscalar_key0" FROM "public".regions AS r WHERE (NOT "r".name IS NULL)) AS dpkeys WHERE (v.region = dpkeys.dpscalar_key0) GROUP BY dpkeys.dpscalar_key0

SELECT name, (SELECT avg(cost) FROM visits v, stays s RIGHT JOIN readings USING (patient_id) WHERE v.region = r.name) FROM regions r;
--> refused 0A000 correlation: this correlated subquery is not supported

SELECT count(*), max((SELECT avg(cost) FROM visits v WHERE v.region = r.name)) FROM regions r;
--> query: SELECT count(*), max((dpscalar_0.dpscalar_value)) FROM "public".regions AS r LEFT JOIN (SELECT dpkeys.dpscalar_key0 AS dpscalar_key0, avg(cost) AS dpscalar_value FROM "public".visits AS v CROSS JOIN (SELECT DISTINCT "r".name AS "dpscalar_key0" FROM "public".regions AS r WHERE (NOT "r".name IS NULL)) AS dpkeys WHERE (v.region = dpkeys.dpscalar_key0) GROUP BY dpkeys.dpscalar_key0) AS dpscalar_0 ON dpscalar_0.dpscalar_key0 = r.name
--> block 0: SELECT dpkeys.dpscalar_key0 AS dpscalar_key0, avg(cost) AS dpscalar_value FROM "public".visits AS v CROSS JOIN (SELECT DISTINCT "r".name AS "dpscalar_key0" FROM "public".regions AS r WHERE (NOT "r".name IS NULL)) AS dpkeys WHERE (v.region = dpkeys.dpscalar_key0) GROUP BY dpkeys.dpscalar_key0

SELECT zone, count(*) FROM regions r WHERE people > (SELECT count(*) FROM visits v WHERE v.region = r.name) GROUP BY zone;
--> query: SELECT zone, count(*) FROM "public".regions AS r LEFT JOIN (SELECT dpkeys.dpscalar_key0 AS dpscalar_key0, count(*) AS dpscalar_value FROM "public".visits AS v CROSS JOIN (SELECT DISTINCT "r".name AS "dpscalar_key0" FROM "public".regions AS r WHERE (NOT "r".name IS NULL)) AS dpkeys WHERE (v.region = dpkeys.dpscalar_key0) GROUP BY dpkeys.dpscalar_key0) AS dpscalar_0 ON dpscalar_0.dpscalar_key0 = r.name WHERE people > (coalesce(dpscalar_0.dpscalar_value, 0)) GROUP BY zone
--> block 0: SELECT dpkeys.dpscalar_key0 AS dpscalar_key0, count(*) AS dpscalar_value FROM "public".visits AS v CROSS JOIN (SELECT DISTINCT "r".name AS "dpscalar_key0" FROM "public".regions AS r WHERE (NOT "r".name IS NULL)) AS dpkeys WHERE (v.region = dpkeys.dpscalar_key0) GROUP BY dpkeys.dpscalar_key0

SELECT zone, (SELECT count(*) FROM visits v WHERE v.region = r.zone) FROM regions r GROUP BY zone;
--> query: SELECT zone, (SELECT coalesce(dpscalar_0.dpscalar_value, 0) FROM (SELECT 1) AS dpone LEFT JOIN (SELECT dpkeys.dpscalar_key0 AS dpscalar_key0, count(*) AS dpscalar_value FROM "public".visits AS v CROSS JOIN (SELECT DISTINCT "r".zone AS "dpscalar_key0" FROM "public".regions AS r WHERE (NOT "r".zone IS NULL)) AS dpkeys WHERE (v.region = dpkeys.dpscalar_key0) GROUP BY dpkeys.dpscalar_key0) AS dpscalar_0 ON dpscalar_0.dpscalar_key0 = r.zone) FROM "public".regions AS r GROUP BY zone
--> block 0: SELECT dpkeys.dpscalar_key0 AS dpscalar_key0, count(*) AS dpscalar_value FROM "public".visits AS v CROSS JOIN (SELECT DISTINCT "r".zone AS "dpscalar_key0" FROM "public".regions AS r WHERE (NOT "r".zone IS NULL)) AS dpkeys WHERE (v.region = dpkeys.dpscalar_key0) GROUP BY dpkeys.dpscalar_key0

SELECT (SELECT count(*) FROM visits), name FROM regions;
--> query: SELECT (SELECT count(*) FROM "public".visits), name FROM "public".regions
--> block 0: SELECT count(*) FROM "public".visits

SELECT name FROM regions WHERE people > (SELECT count(*) FROM visits);
--> query: SELECT name FROM "public".regions WHERE people > (SELECT count(*) FROM "public".visits)
--> block 0: SELECT count(*) FROM "public".visits

SELECT (SELECT count(*) FROM visits);
--> query: SELECT (SELECT count(*) FROM "public".visits)
--> block 0: SELECT count(*) FROM "public".visits

SELECT name, (SELECT max(amount) FROM prices p WHERE p.code = r.zone) FROM regions r, (SELECT count(*) FROM visits) AS t;
--> query: SELECT name, (SELECT max(amount) FROM "public".prices AS p WHERE p.code = r.zone) FROM "public".regions AS r, (SELECT count(*) FROM "public".visits) AS t
--> block 0: SELECT count(*) FROM "public".visits

SELECT n FROM (SELECT count(*) AS n FROM patients p WHERE (SELECT count(*) FROM visits v WHERE v.patient_id = p.patient_id) > 2) AS t;
--> query: SELECT n FROM (SELECT count(*) AS n FROM "public".patients AS p LEFT JOIN (SELECT v.patient_id AS dpscalar_key0, count(*) AS dpscalar_value FROM "public".visits AS v GROUP BY v.patient_id) AS dpscalar_0 ON dpscalar_0.dpscalar_key0 = p.patient_id WHERE (coalesce(dpscalar_0.dpscalar_value, 0)) > 2) AS t
--> block 0: SELECT count(*) AS n FROM "public".patients AS p LEFT JOIN (SELECT v.patient_id AS dpscalar_key0, count(*) AS dpscalar_value FROM "public".visits AS v GROUP BY v.patient_id) AS dpscalar_0 ON dpscalar_0.dpscalar_key0 = p.patient_id WHERE (coalesce(dpscalar_0.dpscalar_value, 0)) > 2

VALUES ((SELECT count(*) FROM visits));
--> refused 0A000 only-select: only SELECT can read private tables

SELECT (SELECT count(*) FROM visits) UNION SELECT (SELECT count(*) FROM stays);
--> query: SELECT (SELECT count(*) FROM "public".visits) UNION SELECT (SELECT count(*) FROM "public".stays)
--> block 0: SELECT count(*) FROM "public".visits
--> block 1: SELECT count(*) FROM "public".stays

SELECT count(*) FROM patients p WHERE EXISTS (SELECT FROM visits v WHERE v.patient_id = p.patient_id);
--> query: SELECT count(*) FROM "public".patients AS p WHERE EXISTS(SELECT FROM "public".visits AS v WHERE v.patient_id = p.patient_id)
--> block 0: SELECT count(*) FROM "public".patients AS p WHERE EXISTS(SELECT FROM "public".visits AS v WHERE v.patient_id = p.patient_id)

SELECT count(*) FROM patients p WHERE smoker OR EXISTS (SELECT FROM visits v WHERE v.patient_id = p.patient_id);
--> query: SELECT count(*) FROM "public".patients AS p LEFT JOIN (SELECT v.patient_id AS dpscalar_key0, count(*) AS dpscalar_value FROM "public".visits AS v GROUP BY v.patient_id) AS dpscalar_0 ON dpscalar_0.dpscalar_key0 = p.patient_id WHERE smoker OR ((coalesce(dpscalar_0.dpscalar_value, 0)) > 0)
--> block 0: SELECT count(*) FROM "public".patients AS p LEFT JOIN (SELECT v.patient_id AS dpscalar_key0, count(*) AS dpscalar_value FROM "public".visits AS v GROUP BY v.patient_id) AS dpscalar_0 ON dpscalar_0.dpscalar_key0 = p.patient_id WHERE smoker OR ((coalesce(dpscalar_0.dpscalar_value, 0)) > 0)

SELECT count(*) FROM patients p WHERE smoker OR NOT EXISTS (SELECT FROM visits v WHERE v.patient_id = p.patient_id AND urgent);
--> query: SELECT count(*) FROM "public".patients AS p LEFT JOIN (SELECT v.patient_id AS dpscalar_key0, count(*) AS dpscalar_value FROM "public".visits AS v WHERE (urgent) GROUP BY v.patient_id) AS dpscalar_0 ON dpscalar_0.dpscalar_key0 = p.patient_id WHERE smoker OR NOT ((coalesce(dpscalar_0.dpscalar_value, 0)) > 0)
--> block 0: SELECT count(*) FROM "public".patients AS p LEFT JOIN (SELECT v.patient_id AS dpscalar_key0, count(*) AS dpscalar_value FROM "public".visits AS v WHERE (urgent) GROUP BY v.patient_id) AS dpscalar_0 ON dpscalar_0.dpscalar_key0 = p.patient_id WHERE smoker OR NOT ((coalesce(dpscalar_0.dpscalar_value, 0)) > 0)

SELECT count(*) FROM patients p WHERE smoker OR EXISTS (SELECT FROM visits v);
--> query: SELECT count(*) FROM "public".patients AS p WHERE smoker OR EXISTS(SELECT FROM "public".visits AS v)
--> block 0: SELECT count(*) FROM "public".patients AS p WHERE smoker OR EXISTS(SELECT FROM "public".visits AS v)

SELECT count(*) FROM patients p WHERE smoker OR EXISTS (SELECT FROM regions r WHERE r.name = p.region);
--> query: SELECT count(*) FROM "public".patients AS p WHERE smoker OR EXISTS(SELECT FROM "public".regions AS r WHERE r.name = p.region)
--> block 0: SELECT count(*) FROM "public".patients AS p WHERE smoker OR EXISTS(SELECT FROM "public".regions AS r WHERE r.name = p.region)

SELECT count(*) FROM patients p WHERE smoker OR EXISTS (SELECT FROM visits v WHERE v.patient_id = p.patient_id LIMIT 1);
--> query: SELECT count(*) FROM "public".patients AS p LEFT JOIN (SELECT v.patient_id AS dpscalar_key0, count(*) AS dpscalar_value FROM "public".visits AS v GROUP BY v.patient_id) AS dpscalar_0 ON dpscalar_0.dpscalar_key0 = p.patient_id WHERE smoker OR ((coalesce(dpscalar_0.dpscalar_value, 0)) > 0)
--> block 0: SELECT count(*) FROM "public".patients AS p LEFT JOIN (SELECT v.patient_id AS dpscalar_key0, count(*) AS dpscalar_value FROM "public".visits AS v GROUP BY v.patient_id) AS dpscalar_0 ON dpscalar_0.dpscalar_key0 = p.patient_id WHERE smoker OR ((coalesce(dpscalar_0.dpscalar_value, 0)) > 0)

SELECT count(*) FROM patients p WHERE smoker OR EXISTS (SELECT FROM visits v WHERE v.patient_id = p.patient_id UNION SELECT FROM stays);
--> query: SELECT count(*) FROM "public".patients AS p WHERE smoker OR EXISTS(SELECT FROM "public".visits AS v WHERE v.patient_id = p.patient_id UNION SELECT FROM "public".stays)
--> block 0: SELECT count(*) FROM "public".patients AS p WHERE smoker OR EXISTS(SELECT FROM "public".visits AS v WHERE v.patient_id = p.patient_id UNION SELECT FROM "public".stays)

SELECT count(*) FROM patients p WHERE smoker OR EXISTS (SELECT FROM visits v WHERE v.cost > p.height);
--> query: SELECT count(*) FROM "public".patients AS p WHERE smoker OR EXISTS(SELECT FROM "public".visits AS v WHERE v.cost > p.height)
--> block 0: SELECT count(*) FROM "public".patients AS p WHERE smoker OR EXISTS(SELECT FROM "public".visits AS v WHERE v.cost > p.height)

SELECT count(*) FROM patients p WHERE smoker OR patient_id IN (SELECT patient_id FROM visits);
--> query: SELECT count(*) FROM "public".patients AS p LEFT JOIN (SELECT patient_id AS dpscalar_key0, count(*) AS dpscalar_value FROM "public".visits GROUP BY patient_id) AS dpscalar_0 ON dpscalar_0.dpscalar_key0 = "p".patient_id WHERE smoker OR ((coalesce(dpscalar_0.dpscalar_value, 0)) > 0)
--> block 0: SELECT count(*) FROM "public".patients AS p LEFT JOIN (SELECT patient_id AS dpscalar_key0, count(*) AS dpscalar_value FROM "public".visits GROUP BY patient_id) AS dpscalar_0 ON dpscalar_0.dpscalar_key0 = "p".patient_id WHERE smoker OR ((coalesce(dpscalar_0.dpscalar_value, 0)) > 0)

SELECT count(*) FROM patients p WHERE smoker OR p.patient_id IN (SELECT v.patient_id FROM visits v WHERE urgent);
--> query: SELECT count(*) FROM "public".patients AS p LEFT JOIN (SELECT v.patient_id AS dpscalar_key0, count(*) AS dpscalar_value FROM "public".visits AS v WHERE (urgent) GROUP BY v.patient_id) AS dpscalar_0 ON dpscalar_0.dpscalar_key0 = "p".patient_id WHERE smoker OR ((coalesce(dpscalar_0.dpscalar_value, 0)) > 0)
--> block 0: SELECT count(*) FROM "public".patients AS p LEFT JOIN (SELECT v.patient_id AS dpscalar_key0, count(*) AS dpscalar_value FROM "public".visits AS v WHERE (urgent) GROUP BY v.patient_id) AS dpscalar_0 ON dpscalar_0.dpscalar_key0 = "p".patient_id WHERE smoker OR ((coalesce(dpscalar_0.dpscalar_value, 0)) > 0)

SELECT count(*) FROM patients p WHERE smoker OR p.patient_id NOT IN (SELECT v.mother_id FROM patients v);
--> query: SELECT count(*) FROM "public".patients AS p WHERE smoker OR NOT p.patient_id IN (SELECT v.mother_id FROM "public".patients AS v)
--> block 0: SELECT count(*) FROM "public".patients AS p WHERE smoker OR NOT p.patient_id IN (SELECT v.mother_id FROM "public".patients AS v)

SELECT count(*) FROM patients p WHERE smoker OR (p.patient_id IN (SELECT v.mother_id FROM patients v)) IS NULL;
--> query: SELECT count(*) FROM "public".patients AS p WHERE smoker OR (p.patient_id IN (SELECT v.mother_id FROM "public".patients AS v)) IS NULL
--> block 0: SELECT count(*) FROM "public".patients AS p WHERE smoker OR (p.patient_id IN (SELECT v.mother_id FROM "public".patients AS v)) IS NULL

SELECT count(*) FROM patients p WHERE smoker OR p.patient_id IN (SELECT p.patient_id FROM visits p);
--> query: SELECT count(*) FROM "public".patients AS p WHERE smoker OR p.patient_id IN (SELECT p.patient_id FROM "public".visits AS p)
--> block 0: SELECT count(*) FROM "public".patients AS p WHERE smoker OR p.patient_id IN (SELECT p.patient_id FROM "public".visits AS p)

SELECT count(*) FROM patients p WHERE smoker OR p.patient_id IN (SELECT v.patient_id + 1 FROM visits v);
--> query: SELECT count(*) FROM "public".patients AS p WHERE smoker OR p.patient_id IN (SELECT v.patient_id + 1 FROM "public".visits AS v)
--> block 0: SELECT count(*) FROM "public".patients AS p WHERE smoker OR p.patient_id IN (SELECT v.patient_id + 1 FROM "public".visits AS v)

SELECT count(*) FROM patients p WHERE smoker OR p.patient_id IN (SELECT v.patient_id, v.cost FROM visits v);
--> query: SELECT count(*) FROM "public".patients AS p WHERE smoker OR p.patient_id IN (SELECT v.patient_id, v.cost FROM "public".visits AS v)
--> block 0: SELECT count(*) FROM "public".patients AS p WHERE smoker OR p.patient_id IN (SELECT v.patient_id, v.cost FROM "public".visits AS v)

SELECT count(*) FROM patients p WHERE smoker OR p.patient_id + 1 IN (SELECT v.patient_id FROM visits v);
--> query: SELECT count(*) FROM "public".patients AS p WHERE smoker OR p.patient_id + 1 IN (SELECT v.patient_id FROM "public".visits AS v)
--> block 0: SELECT count(*) FROM "public".patients AS p WHERE smoker OR p.patient_id + 1 IN (SELECT v.patient_id FROM "public".visits AS v)

SELECT count(*) FROM patients p WHERE smoker OR p.region IN (SELECT r.name FROM regions r);
--> query: SELECT count(*) FROM "public".patients AS p WHERE smoker OR p.region IN (SELECT r.name FROM "public".regions AS r)
--> block 0: SELECT count(*) FROM "public".patients AS p WHERE smoker OR p.region IN (SELECT r.name FROM "public".regions AS r)

SELECT count(*) FROM patients p WHERE smoker OR p.patient_id IN (1, 2);
--> query: SELECT count(*) FROM "public".patients AS p WHERE smoker OR p.patient_id IN (1, 2)
--> block 0: SELECT count(*) FROM "public".patients AS p WHERE smoker OR p.patient_id IN (1, 2)

SELECT sum(CASE WHEN p.patient_id IN (SELECT v.patient_id FROM visits v) THEN 1 ELSE 0 END) FROM patients p;
--> query: SELECT sum(CASE WHEN ((coalesce(dpscalar_0.dpscalar_value, 0)) > 0) THEN 1 ELSE 0 END) FROM "public".patients AS p LEFT JOIN (SELECT v.patient_id AS dpscalar_key0, count(*) AS dpscalar_value FROM "public".visits AS v GROUP BY v.patient_id) AS dpscalar_0 ON dpscalar_0.dpscalar_key0 = "p".patient_id
--> block 0: SELECT sum(CASE WHEN ((coalesce(dpscalar_0.dpscalar_value, 0)) > 0) THEN 1 ELSE 0 END) FROM "public".patients AS p LEFT JOIN (SELECT v.patient_id AS dpscalar_key0, count(*) AS dpscalar_value FROM "public".visits AS v GROUP BY v.patient_id) AS dpscalar_0 ON dpscalar_0.dpscalar_key0 = "p".patient_id

SELECT sum(CASE WHEN smoker THEN p.patient_id IN (SELECT v.patient_id FROM visits v) END::int) FROM patients p;
--> query: SELECT sum(CAST(CASE WHEN smoker THEN ((coalesce(dpscalar_0.dpscalar_value, 0)) > 0) END AS INT)) FROM "public".patients AS p LEFT JOIN (SELECT v.patient_id AS dpscalar_key0, count(*) AS dpscalar_value FROM "public".visits AS v GROUP BY v.patient_id) AS dpscalar_0 ON dpscalar_0.dpscalar_key0 = "p".patient_id
--> block 0: SELECT sum(CAST(CASE WHEN smoker THEN ((coalesce(dpscalar_0.dpscalar_value, 0)) > 0) END AS INT)) FROM "public".patients AS p LEFT JOIN (SELECT v.patient_id AS dpscalar_key0, count(*) AS dpscalar_value FROM "public".visits AS v GROUP BY v.patient_id) AS dpscalar_0 ON dpscalar_0.dpscalar_key0 = "p".patient_id

SELECT sum(CASE WHEN smoker THEN 1 ELSE (p.patient_id IN (SELECT v.patient_id FROM visits v))::int END) FROM patients p;
--> query: SELECT sum(CASE WHEN smoker THEN 1 ELSE CAST((((coalesce(dpscalar_0.dpscalar_value, 0)) > 0)) AS INT) END) FROM "public".patients AS p LEFT JOIN (SELECT v.patient_id AS dpscalar_key0, count(*) AS dpscalar_value FROM "public".visits AS v GROUP BY v.patient_id) AS dpscalar_0 ON dpscalar_0.dpscalar_key0 = "p".patient_id
--> block 0: SELECT sum(CASE WHEN smoker THEN 1 ELSE CAST((((coalesce(dpscalar_0.dpscalar_value, 0)) > 0)) AS INT) END) FROM "public".patients AS p LEFT JOIN (SELECT v.patient_id AS dpscalar_key0, count(*) AS dpscalar_value FROM "public".visits AS v GROUP BY v.patient_id) AS dpscalar_0 ON dpscalar_0.dpscalar_key0 = "p".patient_id

SELECT sum(CASE p.patient_id IN (SELECT v.patient_id FROM visits v) WHEN true THEN 1 ELSE 0 END) FROM patients p;
--> query: SELECT sum(CASE ((coalesce(dpscalar_0.dpscalar_value, 0)) > 0) WHEN TRUE THEN 1 ELSE 0 END) FROM "public".patients AS p LEFT JOIN (SELECT v.patient_id AS dpscalar_key0, count(*) AS dpscalar_value FROM "public".visits AS v GROUP BY v.patient_id) AS dpscalar_0 ON dpscalar_0.dpscalar_key0 = "p".patient_id
--> block 0: SELECT sum(CASE ((coalesce(dpscalar_0.dpscalar_value, 0)) > 0) WHEN TRUE THEN 1 ELSE 0 END) FROM "public".patients AS p LEFT JOIN (SELECT v.patient_id AS dpscalar_key0, count(*) AS dpscalar_value FROM "public".visits AS v GROUP BY v.patient_id) AS dpscalar_0 ON dpscalar_0.dpscalar_key0 = "p".patient_id

SELECT count(*) FILTER (WHERE p.patient_id IN (SELECT v.patient_id FROM visits v)) FROM patients p;
--> query: SELECT count(*) FILTER(WHERE ((coalesce(dpscalar_0.dpscalar_value, 0)) > 0)) FROM "public".patients AS p LEFT JOIN (SELECT v.patient_id AS dpscalar_key0, count(*) AS dpscalar_value FROM "public".visits AS v GROUP BY v.patient_id) AS dpscalar_0 ON dpscalar_0.dpscalar_key0 = "p".patient_id
--> block 0: SELECT count(*) FILTER(WHERE ((coalesce(dpscalar_0.dpscalar_value, 0)) > 0)) FROM "public".patients AS p LEFT JOIN (SELECT v.patient_id AS dpscalar_key0, count(*) AS dpscalar_value FROM "public".visits AS v GROUP BY v.patient_id) AS dpscalar_0 ON dpscalar_0.dpscalar_key0 = "p".patient_id

SELECT count(*) FILTER (WHERE EXISTS (SELECT FROM visits v WHERE v.patient_id = p.patient_id)) FROM patients p;
--> query: SELECT count(*) FILTER(WHERE ((coalesce(dpscalar_0.dpscalar_value, 0)) > 0)) FROM "public".patients AS p LEFT JOIN (SELECT v.patient_id AS dpscalar_key0, count(*) AS dpscalar_value FROM "public".visits AS v GROUP BY v.patient_id) AS dpscalar_0 ON dpscalar_0.dpscalar_key0 = p.patient_id
--> block 0: SELECT count(*) FILTER(WHERE ((coalesce(dpscalar_0.dpscalar_value, 0)) > 0)) FROM "public".patients AS p LEFT JOIN (SELECT v.patient_id AS dpscalar_key0, count(*) AS dpscalar_value FROM "public".visits AS v GROUP BY v.patient_id) AS dpscalar_0 ON dpscalar_0.dpscalar_key0 = p.patient_id

SELECT p.patient_id IN (SELECT v.patient_id FROM visits v), count(*) FROM patients p GROUP BY 1;
--> query: SELECT ((coalesce(dpscalar_0.dpscalar_value, 0)) > 0), count(*) FROM "public".patients AS p LEFT JOIN (SELECT v.patient_id AS dpscalar_key0, count(*) AS dpscalar_value FROM "public".visits AS v GROUP BY v.patient_id) AS dpscalar_0 ON dpscalar_0.dpscalar_key0 = "p".patient_id GROUP BY 1
--> block 0: SELECT ((coalesce(dpscalar_0.dpscalar_value, 0)) > 0), count(*) FROM "public".patients AS p LEFT JOIN (SELECT v.patient_id AS dpscalar_key0, count(*) AS dpscalar_value FROM "public".visits AS v GROUP BY v.patient_id) AS dpscalar_0 ON dpscalar_0.dpscalar_key0 = "p".patient_id GROUP BY 1

SELECT n FROM (SELECT count(*) AS n FROM patients p WHERE smoker OR EXISTS (SELECT FROM visits v WHERE v.patient_id = p.patient_id)) AS t;
--> query: SELECT n FROM (SELECT count(*) AS n FROM "public".patients AS p LEFT JOIN (SELECT v.patient_id AS dpscalar_key0, count(*) AS dpscalar_value FROM "public".visits AS v GROUP BY v.patient_id) AS dpscalar_0 ON dpscalar_0.dpscalar_key0 = p.patient_id WHERE smoker OR ((coalesce(dpscalar_0.dpscalar_value, 0)) > 0)) AS t
--> block 0: SELECT count(*) AS n FROM "public".patients AS p LEFT JOIN (SELECT v.patient_id AS dpscalar_key0, count(*) AS dpscalar_value FROM "public".visits AS v GROUP BY v.patient_id) AS dpscalar_0 ON dpscalar_0.dpscalar_key0 = p.patient_id WHERE smoker OR ((coalesce(dpscalar_0.dpscalar_value, 0)) > 0)

SELECT name FROM regions r WHERE people > 5 OR EXISTS (SELECT FROM visits v WHERE v.region = r.name);
--> query: SELECT name FROM "public".regions AS r LEFT JOIN (SELECT dpkeys.dpscalar_key0 AS dpscalar_key0, bool_or(TRUE) AS dpscalar_value FROM "public".visits AS v CROSS JOIN (SELECT DISTINCT "r".name AS "dpscalar_key0" FROM "public".regions AS r WHERE (NOT "r".name IS NULL)) AS dpkeys WHERE (v.region = dpkeys.dpscalar_key0) GROUP BY dpkeys.dpscalar_key0) AS dpscalar_0 ON dpscalar_0.dpscalar_key0 = r.name WHERE people > 5 OR coalesce((dpscalar_0.dpscalar_value), FALSE)
--> block 0: SELECT dpkeys.dpscalar_key0 AS dpscalar_key0, bool_or(TRUE) AS dpscalar_value FROM "public".visits AS v CROSS JOIN (SELECT DISTINCT "r".name AS "dpscalar_key0" FROM "public".regions AS r WHERE (NOT "r".name IS NULL)) AS dpkeys WHERE (v.region = dpkeys.dpscalar_key0) GROUP BY dpkeys.dpscalar_key0

SELECT count(*) FROM patients p WHERE patient_id = ANY (SELECT patient_id FROM visits);
--> query: SELECT count(*) FROM "public".patients AS p WHERE patient_id IN (SELECT patient_id FROM "public".visits)
--> block 0: SELECT count(*) FROM "public".patients AS p WHERE patient_id IN (SELECT patient_id FROM "public".visits)

SELECT count(*) FROM patients p WHERE patient_id <> ALL (SELECT patient_id FROM visits);
--> query: SELECT count(*) FROM "public".patients AS p WHERE NOT patient_id IN (SELECT patient_id FROM "public".visits)
--> block 0: SELECT count(*) FROM "public".patients AS p WHERE NOT patient_id IN (SELECT patient_id FROM "public".visits)

SELECT count(*) FROM patients p WHERE patient_id = ANY (ARRAY[1, 2]);
--> query: SELECT count(*) FROM "public".patients AS p WHERE patient_id = ANY(ARRAY[1, 2])
--> block 0: SELECT count(*) FROM "public".patients AS p WHERE patient_id = ANY(ARRAY[1, 2])

SELECT count(*) FROM patients p WHERE patient_id > ANY (SELECT patient_id FROM visits);
--> query: SELECT count(*) FROM "public".patients AS p WHERE EXISTS(SELECT 1 FROM "public".visits WHERE ("p".patient_id) > (patient_id))
--> block 0: SELECT count(*) FROM "public".patients AS p WHERE EXISTS(SELECT 1 FROM "public".visits WHERE ("p".patient_id) > (patient_id))

SELECT count(*) FROM patients p WHERE (patient_id, region) = (5, 'x');
--> query: SELECT count(*) FROM "public".patients AS p WHERE (patient_id = 5 AND region = 'x')
--> block 0: SELECT count(*) FROM "public".patients AS p WHERE (patient_id = 5 AND region = 'x')

SELECT count(*) FROM patients p WHERE (patient_id, region) = (5, 'x', 3);
--> query: SELECT count(*) FROM "public".patients AS p WHERE (patient_id, region) = (5, 'x', 3)
--> block 0: SELECT count(*) FROM "public".patients AS p WHERE (patient_id, region) = (5, 'x', 3)

SELECT count(*) FROM patients p WHERE (patient_id, region) = ROW(5, 'x');
--> query: SELECT count(*) FROM "public".patients AS p WHERE (patient_id = 5 AND region = 'x')
--> block 0: SELECT count(*) FROM "public".patients AS p WHERE (patient_id = 5 AND region = 'x')

SELECT count(*) FROM patients p WHERE (patient_id, region) = (SELECT patient_id, region FROM stays);
--> refused 0A000 subquery: a correlated subquery that is no aggregate is not supported here

SELECT count(*) FROM patients p WHERE ROW() = ROW();
--> query: SELECT count(*) FROM "public".patients AS p WHERE ROW() = ROW()
--> block 0: SELECT count(*) FROM "public".patients AS p WHERE ROW() = ROW()

SELECT count(*) FROM patients p WHERE EXISTS (SELECT FROM stays s WHERE s.patient_id = p.patient_id AND (nights > 3 OR region IN (SELECT v.diagnosis FROM visits v WHERE v.patient_id = s.patient_id)));
--> query: SELECT count(*) FROM "public".patients AS p WHERE EXISTS(SELECT FROM "public".stays AS s WHERE s.patient_id = p.patient_id AND (nights > 3 OR region IN (SELECT v.diagnosis FROM "public".visits AS v WHERE v.patient_id = s.patient_id)))
--> block 0: SELECT count(*) FROM "public".patients AS p WHERE EXISTS(SELECT FROM "public".stays AS s WHERE s.patient_id = p.patient_id AND (nights > 3 OR region IN (SELECT v.diagnosis FROM "public".visits AS v WHERE v.patient_id = s.patient_id)))

SELECT count(*) FROM patients p JOIN stays q ON q.patient_id = p.patient_id WHERE smoker OR p.mother_id IN (SELECT p.minutes FROM visits p WHERE p.patient_id = q.patient_id);
--> query: SELECT count(*) FROM "public".patients AS p JOIN "public".stays AS q ON q.patient_id = p.patient_id WHERE smoker OR p.mother_id IN (SELECT p.minutes FROM "public".visits AS p WHERE p.patient_id = q.patient_id)
--> block 0: SELECT count(*) FROM "public".patients AS p JOIN "public".stays AS q ON q.patient_id = p.patient_id WHERE smoker OR p.mother_id IN (SELECT p.minutes FROM "public".visits AS p WHERE p.patient_id = q.patient_id)

SELECT name, (SELECT avg(cost) FROM visits v WHERE v.region = r.name) FROM regions r, prices q WHERE zone IN (SELECT code FROM prices p WHERE p.amount = q.amount);
--> query: SELECT name, (dpscalar_0.dpscalar_value) AS "avg" FROM "public".regions AS r CROSS JOIN "public".prices AS q LEFT JOIN (SELECT dpkeys.dpscalar_key0 AS dpscalar_key0, avg(cost) AS dpscalar_value FROM "public".visits AS v CROSS JOIN (SELECT DISTINCT "r".name AS "dpscalar_key0" FROM "public".regions AS r WHERE (NOT "r".name IS NULL)) AS dpkeys WHERE (v.region = dpkeys.dpscalar_key0) GROUP BY dpkeys.dpscalar_key0) AS dpscalar_0 ON dpscalar_0.dpscalar_key0 = r.name WHERE zone IN (SELECT code FROM "public".prices AS p WHERE p.amount = q.amount)
--> block 0: SELECT dpkeys.dpscalar_key0 AS dpscalar_key0, avg(cost) AS dpscalar_value FROM "public".visits AS v CROSS JOIN (SELECT DISTINCT "r".name AS "dpscalar_key0" FROM "public".regions AS r WHERE (NOT "r".name IS NULL)) AS dpkeys WHERE (v.region = dpkeys.dpscalar_key0) GROUP BY dpkeys.dpscalar_key0

SELECT count(*) FROM patients p WHERE region = ROW(5, 'x');
--> query: SELECT count(*) FROM "public".patients AS p WHERE region = ROW(5, 'x')
--> block 0: SELECT count(*) FROM "public".patients AS p WHERE region = ROW(5, 'x')

SELECT region IN (SELECT region FROM visits GROUP BY region ORDER BY count(*) DESC LIMIT 3), count(*) FROM visits GROUP BY 1;
--> query: SELECT region IN (SELECT region FROM "public".visits GROUP BY region ORDER BY count(*) DESC LIMIT 3), count(*) FROM "public".visits GROUP BY 1
--> block 0: SELECT region IN (SELECT region FROM "public".visits GROUP BY region ORDER BY count(*) DESC LIMIT 3), count(*) FROM "public".visits GROUP BY 1
--> block 1: SELECT region FROM "public".visits GROUP BY region ORDER BY count(*) DESC LIMIT 3

SELECT CASE WHEN region IN (SELECT region FROM visits GROUP BY region ORDER BY count(*) DESC LIMIT 3) THEN region ELSE 'other' END AS r, count(*) FROM visits GROUP BY r;
--> query: SELECT CASE WHEN (NOT dpscalar_0.dpscalar_key0 IS NULL) THEN region ELSE 'other' END AS r, count(*) FROM "public".visits LEFT JOIN (SELECT DISTINCT dplist.dpscalar_value AS dpscalar_key0 FROM (SELECT region FROM "public".visits GROUP BY region ORDER BY count(*) DESC LIMIT 3) AS dplist(dpscalar_value)) AS dpscalar_0 ON dpscalar_0.dpscalar_key0 = (region) GROUP BY r
--> block 0: SELECT CASE WHEN (NOT dpscalar_0.dpscalar_key0 IS NULL) THEN region ELSE 'other' END AS r, count(*) FROM "public".visits LEFT JOIN (SELECT DISTINCT dplist.dpscalar_value AS dpscalar_key0 FROM (SELECT region FROM "public".visits GROUP BY region ORDER BY count(*) DESC LIMIT 3) AS dplist(dpscalar_value)) AS dpscalar_0 ON dpscalar_0.dpscalar_key0 = (region) GROUP BY r
-->   before it: SELECT DISTINCT dplist.dpscalar_value AS dpscalar_key0 FROM (SELECT region FROM "public".visits GROUP BY region ORDER BY count(*) DESC LIMIT 3) AS dplist(dpscalar_value)
-->     block 0: SELECT region FROM "public".visits GROUP BY region ORDER BY count(*) DESC LIMIT 3

SELECT (SELECT zone FROM regions r WHERE r.name = v.region), count(*) FROM visits v GROUP BY (SELECT zone FROM regions r WHERE r.name = v.region);
--> query: SELECT (dpscalar_0.dpscalar_value) AS "zone", count(*) FROM "public".visits AS v LEFT JOIN (SELECT r.name AS dpscalar_key0, zone AS dpscalar_value FROM "public".regions AS r) AS dpscalar_0 ON dpscalar_0.dpscalar_key0 = v.region GROUP BY 1
--> block 0: SELECT (dpscalar_0.dpscalar_value) AS "zone", count(*) FROM "public".visits AS v LEFT JOIN (SELECT r.name AS dpscalar_key0, zone AS dpscalar_value FROM "public".regions AS r) AS dpscalar_0 ON dpscalar_0.dpscalar_key0 = v.region GROUP BY 1

SELECT (SELECT name FROM regions r WHERE r.zone = v.region), count(*) FROM visits v GROUP BY 1;
--> refused 0A000 subquery: a correlated subquery that is no aggregate is not supported here

SELECT cost > (SELECT avg(cost) FROM visits) AS dear, (SELECT avg(cost) FROM visits), count(*) FROM visits GROUP BY dear;
--> query: SELECT cost > (dpscalar_0.dpscalar_value) AS dear, (SELECT avg(cost) FROM "public".visits), count(*) FROM "public".visits LEFT JOIN (SELECT (SELECT avg(cost) FROM "public".visits) AS dpscalar_value) AS dpscalar_0 ON TRUE GROUP BY dear
--> block 0: SELECT cost > (dpscalar_0.dpscalar_value) AS dear, (SELECT avg(cost) FROM "public".visits), count(*) FROM "public".visits LEFT JOIN (SELECT (SELECT avg(cost) FROM "public".visits) AS dpscalar_value) AS dpscalar_0 ON TRUE GROUP BY dear
-->   before it: SELECT (SELECT avg(cost) FROM "public".visits) AS dpscalar_value
-->     block 0: SELECT avg(cost) FROM "public".visits
--> block 1: SELECT avg(cost) FROM "public".visits

SELECT width_bucket(cost, (SELECT min(cost) FROM visits), 9, 2), count(*) FROM visits GROUP BY 1;
--> query: SELECT CASE WHEN (cost) IS NULL OR ((9) - ((dpscalar_0.dpscalar_value))) IS NULL OR ((9) - ((dpscalar_0.dpscalar_value))) = 0 THEN NULL WHEN ((cost) - ((dpscalar_0.dpscalar_value))) * sign(((9) - ((dpscalar_0.dpscalar_value)))) * 2 < 0 THEN 0 WHEN ((cost) - ((dpscalar_0.dpscalar_value))) * sign(((9) - ((dpscalar_0.dpscalar_value)))) * 2 < abs(((9) - ((dpscalar_0.dpscalar_value)))) * 1 THEN 1 WHEN ((cost) - ((dpscalar_0.dpscalar_value))) * sign(((9) - ((dpscalar_0.dpscalar_value)))) * 2 < abs(((9) - ((dpscalar_0.dpscalar_value)))) * 2 THEN 2 ELSE 3 END, count(*) FROM "public".visits LEFT JOIN (SELECT (SELECT min(cost) FROM "public".visits) AS dpscalar_value) AS dpscalar_0 ON TRUE GROUP BY 1
--> block 0: SELECT CASE WHEN (cost) IS NULL OR ((9) - ((dpscalar_0.dpscalar_value))) IS NULL OR ((9) - ((dpscalar_0.dpscalar_value))) = 0 THEN NULL WHEN ((cost) - ((dpscalar_0.dpscalar_value))) * sign(((9) - ((dpscalar_0.dpscalar_value)))) * 2 < 0 THEN 0 WHEN ((cost) - ((dpscalar_0.dpscalar_value))) * sign(((9) - ((dpscalar_0.dpscalar_value)))) * 2 < abs(((9) - ((dpscalar_0.dpscalar_value)))) * 1 THEN 1 WHEN ((cost) - ((dpscalar_0.dpscalar_value))) * sign(((9) - ((dpscalar_0.dpscalar_value)))) * 2 < abs(((9) - ((dpscalar_0.dpscalar_value)))) * 2 THEN 2 ELSE 3 END, count(*) FROM "public".visits LEFT JOIN (SELECT (SELECT min(cost) FROM "public".visits) AS dpscalar_value) AS dpscalar_0 ON TRUE GROUP BY 1
-->   before it: SELECT (SELECT min(cost) FROM "public".visits) AS dpscalar_value
-->     block 0: SELECT min(cost) FROM "public".visits

SELECT width_bucket(cost, 0, 9, 2), count(*) FROM visits GROUP BY 1;
--> query: SELECT width_bucket(cost, 0, 9, 2), count(*) FROM "public".visits GROUP BY 1
--> block 0: SELECT width_bucket(cost, 0, 9, 2), count(*) FROM "public".visits GROUP BY 1

SELECT v.region, count(*), (SELECT count(*) FROM stays s WHERE s.ward = v.region) FROM visits v GROUP BY v.region;
--> query: SELECT v.region, count(*), (SELECT coalesce(dpscalar_0.dpscalar_value, 0) FROM (SELECT 1) AS dpone LEFT JOIN (SELECT s.ward AS dpscalar_key0, count(*) AS dpscalar_value FROM "public".stays AS s GROUP BY s.ward) AS dpscalar_0 ON dpscalar_0.dpscalar_key0 = v.region) FROM "public".visits AS v GROUP BY v.region
--> block 0: SELECT v.region, count(*), (SELECT coalesce(dpscalar_0.dpscalar_value, 0) FROM (SELECT 1) AS dpone LEFT JOIN (SELECT s.ward AS dpscalar_key0, count(*) AS dpscalar_value FROM "public".stays AS s GROUP BY s.ward) AS dpscalar_0 ON dpscalar_0.dpscalar_key0 = v.region) FROM "public".visits AS v GROUP BY v.region
--> block 1: SELECT s.ward AS dpscalar_key0, count(*) AS dpscalar_value FROM "public".stays AS s GROUP BY s.ward

SELECT v.region, EXISTS (SELECT FROM stays s WHERE s.ward = v.region) FROM visits v GROUP BY v.region;
--> query: SELECT v.region, coalesce((SELECT dpscalar_0.dpscalar_value FROM (SELECT s.ward AS dpscalar_key0, bool_or(TRUE) AS dpscalar_value FROM "public".stays AS s GROUP BY s.ward) AS dpscalar_0 WHERE dpscalar_0.dpscalar_key0 = v.region), FALSE) FROM "public".visits AS v GROUP BY v.region
--> block 0: SELECT v.region, coalesce((SELECT dpscalar_0.dpscalar_value FROM (SELECT s.ward AS dpscalar_key0, bool_or(TRUE) AS dpscalar_value FROM "public".stays AS s GROUP BY s.ward) AS dpscalar_0 WHERE dpscalar_0.dpscalar_key0 = v.region), FALSE) FROM "public".visits AS v GROUP BY v.region
--> block 1: SELECT s.ward AS dpscalar_key0, bool_or(TRUE) AS dpscalar_value FROM "public".stays AS s GROUP BY s.ward

SELECT sum(CASE WHEN EXISTS (SELECT FROM stays s WHERE s.patient_id = v.patient_id) THEN 1 END) FROM visits v;
--> query: SELECT sum(CASE WHEN ((coalesce(dpscalar_0.dpscalar_value, 0)) > 0) THEN 1 END) FROM "public".visits AS v LEFT JOIN (SELECT s.patient_id AS dpscalar_key0, count(*) AS dpscalar_value FROM "public".stays AS s GROUP BY s.patient_id) AS dpscalar_0 ON dpscalar_0.dpscalar_key0 = v.patient_id
--> block 0: SELECT sum(CASE WHEN ((coalesce(dpscalar_0.dpscalar_value, 0)) > 0) THEN 1 END) FROM "public".visits AS v LEFT JOIN (SELECT s.patient_id AS dpscalar_key0, count(*) AS dpscalar_value FROM "public".stays AS s GROUP BY s.patient_id) AS dpscalar_0 ON dpscalar_0.dpscalar_key0 = v.patient_id

SELECT count(*) FROM visits WHERE minutes IN (VALUES (1), (2));
--> query: SELECT count(*) FROM "public".visits WHERE (minutes = ANY(ARRAY[1, 2]))
--> block 0: SELECT count(*) FROM "public".visits WHERE (minutes = ANY(ARRAY[1, 2]))

SELECT t.most, (SELECT count(*) FROM visits v WHERE v.minutes > t.most) FROM (VALUES (10), (30)) AS t(most);
--> query: SELECT t.most, (coalesce(dpscalar_0.dpscalar_value, 0)) AS "count" FROM (VALUES (10), (30)) AS t(most) LEFT JOIN (SELECT "dpouter"."dpouter_most" AS dpscalar_key0, count(*) AS dpscalar_value FROM "public".visits AS v CROSS JOIN (SELECT DISTINCT "t"."most" AS "dpouter_most" FROM (VALUES (10), (30)) AS t(most) WHERE (NOT "t"."most" IS NULL)) AS dpouter WHERE (v.minutes > "dpouter"."dpouter_most") GROUP BY "dpouter"."dpouter_most") AS dpscalar_0 ON dpscalar_0.dpscalar_key0 = "t"."most"
--> block 0: SELECT "dpouter"."dpouter_most" AS dpscalar_key0, count(*) AS dpscalar_value FROM "public".visits AS v CROSS JOIN (SELECT DISTINCT "t"."most" AS "dpouter_most" FROM (VALUES (10), (30)) AS t(most) WHERE (NOT "t"."most" IS NULL)) AS dpouter WHERE (v.minutes > "dpouter"."dpouter_most") GROUP BY "dpouter"."dpouter_most"
-->   before it: SELECT DISTINCT "t"."most" AS "dpouter_most" FROM (VALUES (10), (30)) AS t(most) WHERE (NOT "t"."most" IS NULL)

SELECT r.name, x.n FROM regions r CROSS JOIN LATERAL (SELECT count(*) AS n FROM visits v WHERE v.region < r.name) AS x WHERE r.name <> 'north';
--> query: SELECT r.name, (coalesce("x".dpvalue0_0, 0)) AS n FROM "public".regions AS r LEFT JOIN (SELECT count(*) AS dpvalue0_0, "dpouter"."dpouter_name" AS dplateral_0 FROM "public".visits AS v CROSS JOIN (SELECT DISTINCT "r"."name" AS "dpouter_name" FROM "public".regions AS r WHERE (NOT "r"."name" IS NULL) AND (r.name <> 'north')) AS dpouter WHERE (v.region < "dpouter"."dpouter_name") GROUP BY "dpouter"."dpouter_name") AS "x" ON ("x".dplateral_0 = "r"."name") WHERE r.name <> 'north'
--> block 0: SELECT count(*) AS dpvalue0_0, "dpouter"."dpouter_name" AS dplateral_0 FROM "public".visits AS v CROSS JOIN (SELECT DISTINCT "r"."name" AS "dpouter_name" FROM "public".regions AS r WHERE (NOT "r"."name" IS NULL) AND (r.name <> 'north')) AS dpouter WHERE (v.region < "dpouter"."dpouter_name") GROUP BY "dpouter"."dpouter_name"

SELECT count(*) FROM visits WHERE visited_at >= ((SELECT timestamp '2024-05-01')) AND visited_at < (SELECT timestamp '2024-05-01' + (31 || ' day')::interval) AND region = (SELECT 'north');
--> query: SELECT count(*) FROM "public".visits LEFT JOIN (SELECT (SELECT 'north') AS dpscalar_value) AS dpscalar_0 ON TRUE WHERE visited_at >= '2024-05-01' AND visited_at < (CAST('2024-05-01' AS TIMESTAMP) + CAST((31 || ' day') AS INTERVAL)) AND region = (dpscalar_0.dpscalar_value)
--> block 0: SELECT count(*) FROM "public".visits LEFT JOIN (SELECT (SELECT 'north') AS dpscalar_value) AS dpscalar_0 ON TRUE WHERE visited_at >= '2024-05-01' AND visited_at < (CAST('2024-05-01' AS TIMESTAMP) + CAST((31 || ' day') AS INTERVAL)) AND region = (dpscalar_0.dpscalar_value)
-->   before it: SELECT (SELECT 'north') AS dpscalar_value
--> constant: CAST('2024-05-01' AS TIMESTAMP) + CAST((31 || ' day') AS INTERVAL)

SELECT r, count(*) FROM (SELECT v.patient_id, (array_agg(v.region ORDER BY v.visited_at))[1] AS r, ((array_agg(cost) FILTER (WHERE urgent))[2])::int FROM visits v WHERE cost > 1 GROUP BY 1) x GROUP BY 1;
--> query: SELECT r, count(*) FROM (SELECT v.patient_id, max(v.region) FILTER(WHERE "v".dpplace0 = 1) AS r, CAST((max(cost) FILTER(WHERE (urgent) AND "v".dpplace1 = 2)) AS INT) AS "array_agg" FROM (SELECT "v".*, row_number() OVER (PARTITION BY v.patient_id ORDER BY v.visited_at) AS dpplace0, row_number() OVER (PARTITION BY v.patient_id, (urgent) IS TRUE) AS dpplace1 FROM "public".visits AS v WHERE cost > 1) AS "v" GROUP BY 1) AS x GROUP BY 1
--> block 0: SELECT r, count(*) FROM (SELECT v.patient_id, max(v.region) FILTER(WHERE "v".dpplace0 = 1) AS r, CAST((max(cost) FILTER(WHERE (urgent) AND "v".dpplace1 = 2)) AS INT) AS "array_agg" FROM (SELECT "v".*, row_number() OVER (PARTITION BY v.patient_id ORDER BY v.visited_at) AS dpplace0, row_number() OVER (PARTITION BY v.patient_id, (urgent) IS TRUE) AS dpplace1 FROM "public".visits AS v WHERE cost > 1) AS "v" GROUP BY 1) AS x GROUP BY 1

SELECT count(*) FROM patients p WHERE (SELECT extract(epoch FROM max(day) - min(day)) FROM visits v WHERE v.patient_id = p.patient_id) > 5;
--> query: SELECT count(*) FROM "public".patients AS p LEFT JOIN (SELECT v.patient_id AS dpscalar_key0, EXTRACT(EPOCH FROM max(day) - min(day)) AS dpscalar_value FROM "public".visits AS v GROUP BY v.patient_id) AS dpscalar_0 ON dpscalar_0.dpscalar_key0 = p.patient_id WHERE (dpscalar_0.dpscalar_value) > 5
--> block 0: SELECT count(*) FROM "public".patients AS p LEFT JOIN (SELECT v.patient_id AS dpscalar_key0, EXTRACT(EPOCH FROM max(day) - min(day)) AS dpscalar_value FROM "public".visits AS v GROUP BY v.patient_id) AS dpscalar_0 ON dpscalar_0.dpscalar_key0 = p.patient_id WHERE (dpscalar_0.dpscalar_value) > 5

SELECT count(*) FROM patients p WHERE (SELECT coalesce(max(cost) - min(cost), 0) / count(*) + max(cost) FILTER (WHERE urgent) FROM visits v WHERE v.patient_id = p.patient_id) IS NULL;
--> query: SELECT count(*) FROM "public".patients AS p LEFT JOIN (SELECT v.patient_id AS dpscalar_key0, coalesce(max(cost) - min(cost), 0) / count(*) + max(cost) FILTER(WHERE urgent) AS dpscalar_value FROM "public".visits AS v GROUP BY v.patient_id) AS dpscalar_0 ON dpscalar_0.dpscalar_key0 = p.patient_id WHERE (dpscalar_0.dpscalar_value) IS NULL
--> block 0: SELECT count(*) FROM "public".patients AS p LEFT JOIN (SELECT v.patient_id AS dpscalar_key0, coalesce(max(cost) - min(cost), 0) / count(*) + max(cost) FILTER(WHERE urgent) AS dpscalar_value FROM "public".visits AS v GROUP BY v.patient_id) AS dpscalar_0 ON dpscalar_0.dpscalar_key0 = p.patient_id WHERE (dpscalar_0.dpscalar_value) IS NULL

SELECT count(*) FROM patients p WHERE (SELECT coalesce(max(cost) - min(cost), 0) / count(*) FROM visits v WHERE v.patient_id = p.patient_id) > 5;
--> query: SELECT count(*) FROM "public".patients AS p LEFT JOIN (SELECT v.patient_id AS dpscalar_key0, max(cost) AS dpscalar_value, min(cost) AS dpscalar_value1, count(*) AS dpscalar_value2 FROM "public".visits AS v GROUP BY v.patient_id) AS dpscalar_0 ON dpscalar_0.dpscalar_key0 = p.patient_id WHERE ((coalesce(dpscalar_0.dpscalar_value - dpscalar_0.dpscalar_value1, 0) / coalesce(dpscalar_0.dpscalar_value2, 0))) > 5
--> block 0: SELECT count(*) FROM "public".patients AS p LEFT JOIN (SELECT v.patient_id AS dpscalar_key0, max(cost) AS dpscalar_value, min(cost) AS dpscalar_value1, count(*) AS dpscalar_value2 FROM "public".visits AS v GROUP BY v.patient_id) AS dpscalar_0 ON dpscalar_0.dpscalar_key0 = p.patient_id WHERE ((coalesce(dpscalar_0.dpscalar_value - dpscalar_0.dpscalar_value1, 0) / coalesce(dpscalar_0.dpscalar_value2, 0))) > 5

SELECT count(*) FROM patients p WHERE (SELECT count(*) + (SELECT max(people) FROM regions) FROM visits v WHERE v.patient_id = p.patient_id) > 5;
--> query: SELECT count(*) FROM "public".patients AS p LEFT JOIN (SELECT v.patient_id AS dpscalar_key0, count(*) + (SELECT max(people) FROM "public".regions) AS dpscalar_value FROM "public".visits AS v GROUP BY v.patient_id) AS dpscalar_0 ON dpscalar_0.dpscalar_key0 = p.patient_id WHERE (CASE WHEN dpscalar_0.dpscalar_key0 IS NULL THEN (0 + (SELECT max(people) FROM "public".regions)) ELSE dpscalar_0.dpscalar_value END) > 5
--> block 0: SELECT count(*) FROM "public".patients AS p LEFT JOIN (SELECT v.patient_id AS dpscalar_key0, count(*) + (SELECT max(people) FROM "public".regions) AS dpscalar_value FROM "public".visits AS v GROUP BY v.patient_id) AS dpscalar_0 ON dpscalar_0.dpscalar_key0 = p.patient_id WHERE (CASE WHEN dpscalar_0.dpscalar_key0 IS NULL THEN (0 + (SELECT max(people) FROM "public".regions)) ELSE dpscalar_0.dpscalar_value END) > 5
-->   before it: SELECT max(people) FROM "public".regions

SELECT name, (SELECT coalesce(sum(cost), 7) / 2 FROM visits v WHERE v.region = r.name), (SELECT max(cost) FROM visits v WHERE v.region = r.name) FROM regions r;
--> query: SELECT name, ((coalesce(dpscalar_0.dpscalar_value, 7) / 2)), (dpscalar_1.dpscalar_value) AS "max" FROM "public".regions AS r LEFT JOIN (SELECT dpkeys.dpscalar_key0 AS dpscalar_key0, sum(cost) AS dpscalar_value FROM "public".visits AS v CROSS JOIN (SELECT DISTINCT "r".name AS "dpscalar_key0" FROM "public".regions AS r WHERE (NOT "r".name IS NULL)) AS dpkeys WHERE (v.region = dpkeys.dpscalar_key0) GROUP BY dpkeys.dpscalar_key0) AS dpscalar_0 ON dpscalar_0.dpscalar_key0 = r.name LEFT JOIN (SELECT dpkeys.dpscalar_key0 AS dpscalar_key0, max(cost) AS dpscalar_value FROM "public".visits AS v CROSS JOIN (SELECT DISTINCT "r".name AS "dpscalar_key0" FROM "public".regions AS r WHERE (NOT "r".name IS NULL)) AS dpkeys WHERE (v.region = dpkeys.dpscalar_key0) GROUP BY dpkeys.dpscalar_key0) AS dpscalar_1 ON dpscalar_1.dpscalar_key0 = r.name
--> block 0: SELECT dpkeys.dpscalar_key0 AS dpscalar_key0, sum(cost) AS dpscalar_value FROM "public".visits AS v CROSS JOIN (SELECT DISTINCT "r".name AS "dpscalar_key0" FROM "public".regions AS r WHERE (NOT "r".name IS NULL)) AS dpkeys WHERE (v.region = dpkeys.dpscalar_key0) GROUP BY dpkeys.dpscalar_key0
--> block 1: SELECT dpkeys.dpscalar_key0 AS dpscalar_key0, max(cost) AS dpscalar_value FROM "public".visits AS v CROSS JOIN (SELECT DISTINCT "r".name AS "dpscalar_key0" FROM "public".regions AS r WHERE (NOT "r".name IS NULL)) AS dpkeys WHERE (v.region = dpkeys.dpscalar_key0) GROUP BY dpkeys.dpscalar_key0

SELECT v.region, count(*), (SELECT coalesce(sum(height), 7) / 2 FROM patients p WHERE p.smoker = v.urgent), (SELECT count(*) FROM patients p WHERE p.smoker = v.urgent) FROM visits v GROUP BY v.region, v.urgent;
--> query: SELECT v.region, count(*), (SELECT (coalesce(dpscalar_0.dpscalar_value, 7) / 2) FROM (SELECT 1) AS dpone LEFT JOIN (SELECT p.smoker AS dpscalar_key0, sum(height) AS dpscalar_value FROM "public".patients AS p GROUP BY p.smoker) AS dpscalar_0 ON dpscalar_0.dpscalar_key0 = v.urgent), (SELECT coalesce(dpscalar_1.dpscalar_value, 0) FROM (SELECT 1) AS dpone LEFT JOIN (SELECT p.smoker AS dpscalar_key0, count(*) AS dpscalar_value FROM "public".patients AS p GROUP BY p.smoker) AS dpscalar_1 ON dpscalar_1.dpscalar_key0 = v.urgent) FROM "public".visits AS v GROUP BY v.region, v.urgent
--> block 0: SELECT v.region, count(*), (SELECT (coalesce(dpscalar_0.dpscalar_value, 7) / 2) FROM (SELECT 1) AS dpone LEFT JOIN (SELECT p.smoker AS dpscalar_key0, sum(height) AS dpscalar_value FROM "public".patients AS p GROUP BY p.smoker) AS dpscalar_0 ON dpscalar_0.dpscalar_key0 = v.urgent), (SELECT coalesce(dpscalar_1.dpscalar_value, 0) FROM (SELECT 1) AS dpone LEFT JOIN (SELECT p.smoker AS dpscalar_key0, count(*) AS dpscalar_value FROM "public".patients AS p GROUP BY p.smoker) AS dpscalar_1 ON dpscalar_1.dpscalar_key0 = v.urgent) FROM "public".visits AS v GROUP BY v.region, v.urgent
--> block 1: SELECT p.smoker AS dpscalar_key0, sum(height) AS dpscalar_value FROM "public".patients AS p GROUP BY p.smoker
--> block 2: SELECT p.smoker AS dpscalar_key0, count(*) AS dpscalar_value FROM "public".patients AS p GROUP BY p.smoker

SELECT g.n, (SELECT count(*) FROM visits WHERE minutes = n) FROM generate_series(1, 5) AS g(n);
--> query: SELECT g.n, (coalesce(dpscalar_0.dpscalar_value, 0)) AS "count" FROM generate_series(1, 5) AS g(n) LEFT JOIN (SELECT minutes AS dpscalar_key0, count(*) AS dpscalar_value FROM "public".visits GROUP BY minutes) AS dpscalar_0 ON dpscalar_0.dpscalar_key0 = n
--> block 0: SELECT minutes AS dpscalar_key0, count(*) AS dpscalar_value FROM "public".visits GROUP BY minutes

SELECT n, (SELECT count(*) FROM visits WHERE minutes = n) FROM unnest(ARRAY[1, 2]) n;
--> query: SELECT n, (coalesce(dpscalar_0.dpscalar_value, 0)) AS "count" FROM UNNEST(ARRAY[1, 2]) AS n LEFT JOIN (SELECT minutes AS dpscalar_key0, count(*) AS dpscalar_value FROM "public".visits GROUP BY minutes) AS dpscalar_0 ON dpscalar_0.dpscalar_key0 = n
--> block 0: SELECT minutes AS dpscalar_key0, count(*) AS dpscalar_value FROM "public".visits GROUP BY minutes

SELECT n, m, (SELECT count(*) FROM visits WHERE minutes = m) FROM generate_series(1, 5) AS g(n), generate_series(1, 5) AS h(m);
--> query: SELECT n, m, (coalesce(dpscalar_0.dpscalar_value, 0)) AS "count" FROM generate_series(1, 5) AS g(n) CROSS JOIN generate_series(1, 5) AS h(m) LEFT JOIN (SELECT minutes AS dpscalar_key0, count(*) AS dpscalar_value FROM "public".visits GROUP BY minutes) AS dpscalar_0 ON dpscalar_0.dpscalar_key0 = m
--> block 0: SELECT minutes AS dpscalar_key0, count(*) AS dpscalar_value FROM "public".visits GROUP BY minutes

WITH v(n) AS (VALUES (1), (2)) SELECT n, (SELECT count(*) FROM visits WHERE minutes = n) FROM v;
--> query: WITH v(n) AS (SELECT * FROM (VALUES (1), (2)) AS _values) SELECT n, (coalesce(dpscalar_0.dpscalar_value, 0)) AS "count" FROM v LEFT JOIN (SELECT minutes AS dpscalar_key0, count(*) AS dpscalar_value FROM "public".visits GROUP BY minutes) AS dpscalar_0 ON dpscalar_0.dpscalar_key0 = n
--> block 0: SELECT minutes AS dpscalar_key0, count(*) AS dpscalar_value FROM "public".visits GROUP BY minutes

WITH m AS (SELECT region AS k, count(*) AS c FROM visits GROUP BY 1) SELECT k, (SELECT count(*) FROM visits WHERE region = k AND minutes > 10) FROM m;
--> query: WITH m AS (SELECT region AS k, count(*) AS c FROM "public".visits GROUP BY 1) SELECT k, (coalesce(dpscalar_0.dpscalar_value, 0)) AS "count" FROM m LEFT JOIN (SELECT region AS dpscalar_key0, count(*) AS dpscalar_value FROM "public".visits WHERE (minutes > 10) GROUP BY region) AS dpscalar_0 ON dpscalar_0.dpscalar_key0 = k
--> block 0: SELECT region AS k, count(*) AS c FROM "public".visits GROUP BY 1
--> block 1: SELECT region AS dpscalar_key0, count(*) AS dpscalar_value FROM "public".visits WHERE (minutes > 10) GROUP BY region

SELECT n FROM generate_series(1, 5) AS g(n) WHERE EXISTS (SELECT 1 FROM visits WHERE minutes = n);
--> query: SELECT n FROM generate_series(1, 5) AS g(n) LEFT JOIN (SELECT minutes AS dpscalar_key0, bool_or(TRUE) AS dpscalar_value FROM "public".visits GROUP BY minutes) AS dpscalar_0 ON dpscalar_0.dpscalar_key0 = n WHERE coalesce((dpscalar_0.dpscalar_value), FALSE)
--> block 0: SELECT minutes AS dpscalar_key0, bool_or(TRUE) AS dpscalar_value FROM "public".visits GROUP BY minutes

SELECT minutes, (SELECT count(*) FROM visits WHERE region = 'north' AND minutes = cost) FROM generate_series(1, 5) AS g(minutes);
--> query: SELECT minutes, (SELECT count(*) FROM "public".visits WHERE region = 'north' AND minutes = cost) FROM generate_series(1, 5) AS g(minutes)
--> block 0: SELECT count(*) FROM "public".visits WHERE region = 'north' AND minutes = cost

SELECT date, (SELECT count(*) FROM (SELECT day, (visited_at + interval '1 day')::date FROM visits) AS s WHERE s.day = date) FROM (VALUES (DATE '2024-01-01', 1)) AS d(date);
--> refused 0A000 correlation: this correlated subquery is not supported

SELECT n, (SELECT count(*) FROM visits, generate_series(1, 3) AS h(k) WHERE minutes = n) FROM generate_series(1, 5) AS g(n);
--> query: SELECT n, (SELECT count(*) FROM "public".visits, (SELECT * FROM generate_series(1, 3) AS h(k)) AS h WHERE minutes = n) FROM generate_series(1, 5) AS g(n)
--> block 0: SELECT count(*) FROM "public".visits, (SELECT * FROM generate_series(1, 3) AS h(k)) AS h WHERE minutes = n
-->   before it: SELECT * FROM generate_series(1, 3) AS h(k)
