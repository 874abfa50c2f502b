SELECT name, count(visit_id) FROM (SELECT r.name, v.visit_id FROM regions r LEFT JOIN visits v ON v.region = r.name) AS t GROUP BY 1;
--> query: SELECT r.name AS "name", count(v.visit_id) AS "count" FROM "public".regions AS r LEFT JOIN "public".visits AS v ON v.region = r.name GROUP BY 1
--> block 0: SELECT r.name AS "name", count(v.visit_id) AS "count" FROM "public".regions AS r LEFT JOIN "public".visits AS v ON v.region = r.name GROUP BY 1

SELECT t.name, count(t.visit_id) AS n FROM (SELECT r.name, visit_id FROM visits v RIGHT JOIN regions r ON v.region = r.name ORDER BY 1) AS t WHERE t.name <> 'x' OR t.name IS NULL GROUP BY t.name HAVING count(t.visit_id) > 3 ORDER BY t.name;
--> query: SELECT r.name AS "name", count(v.visit_id) AS n FROM "public".visits AS v RIGHT JOIN "public".regions AS r ON v.region = r.name WHERE (r.name <> 'x' OR r.name IS NULL) GROUP BY r.name HAVING count(v.visit_id) > 3 ORDER BY r.name
--> block 0: SELECT r.name AS "name", count(v.visit_id) AS n FROM "public".visits AS v RIGHT JOIN "public".regions AS r ON v.region = r.name WHERE (r.name <> 'x' OR r.name IS NULL) GROUP BY r.name HAVING count(v.visit_id) > 3 ORDER BY r.name

WITH t AS (SELECT r.name, v.cost, v.minutes FROM regions r LEFT JOIN visits v ON v.region = r.name WHERE r.people > 5 OR r.people < 2) SELECT name, sum(CASE WHEN minutes > 60 THEN cost ELSE 0 END) FROM t GROUP BY name;
--> query: SELECT r.name AS "name", sum(CASE WHEN v.minutes > 60 THEN v.cost ELSE 0 END) AS "sum" FROM "public".regions AS r LEFT JOIN "public".visits AS v ON v.region = r.name WHERE (r.people > 5 OR r.people < 2) GROUP BY r.name
--> block 0: SELECT r.name AS "name", sum(CASE WHEN v.minutes > 60 THEN v.cost ELSE 0 END) AS "sum" FROM "public".regions AS r LEFT JOIN "public".visits AS v ON v.region = r.name WHERE (r.people > 5 OR r.people < 2) GROUP BY r.name

SELECT "source"."name", sum("source"."Visits__cost") FROM (SELECT "public"."regions"."name" AS "name", "Visits"."cost" AS "Visits__cost" FROM "public"."regions" LEFT JOIN "public"."visits" AS "Visits" ON "Visits"."region" = "public"."regions"."name") AS "source" GROUP BY "source"."name" ORDER BY "source"."name" ASC;
--> query: SELECT "regions"."name" AS "name", sum("Visits"."cost") AS "sum" FROM "public"."regions" LEFT JOIN "public"."visits" AS "Visits" ON "Visits"."region" = "regions"."name" GROUP BY "regions"."name" ORDER BY "regions"."name" ASC
--> block 0: SELECT "regions"."name" AS "name", sum("Visits"."cost") AS "sum" FROM "public"."regions" LEFT JOIN "public"."visits" AS "Visits" ON "Visits"."region" = "regions"."name" GROUP BY "regions"."name" ORDER BY "regions"."name" ASC

SELECT "name", COUNT("visit_id") AS "n" FROM (SELECT * FROM (SELECT "LHS".*, "visit_id", "minutes" FROM "regions" AS "LHS" LEFT JOIN "visits" AS "RHS" ON ("LHS"."name" = "RHS"."region")) AS "q01" WHERE ("people" > 5)) AS "q02" GROUP BY "name";
--> query: SELECT "LHS"."name" AS "name", COUNT("RHS"."visit_id") AS "n" FROM "public"."regions" AS "LHS" LEFT JOIN "public"."visits" AS "RHS" ON ("LHS"."name" = "RHS"."region") WHERE ((("LHS"."people" > 5))) GROUP BY "LHS"."name"
--> block 0: SELECT "LHS"."name" AS "name", COUNT("RHS"."visit_id") AS "n" FROM "public"."regions" AS "LHS" LEFT JOIN "public"."visits" AS "RHS" ON ("LHS"."name" = "RHS"."region") WHERE ((("LHS"."people" > 5))) GROUP BY "LHS"."name"

SELECT name, count(*) FILTER (WHERE long) AS n FROM (SELECT r.name, CASE WHEN v.minutes > 60 THEN true END AS long FROM regions r LEFT JOIN visits v ON v.region = r.name) AS t GROUP BY name;
--> query: SELECT r.name AS "name", count(*) FILTER(WHERE (CASE WHEN v.minutes > 60 THEN TRUE END)) AS n FROM "public".regions AS r LEFT JOIN "public".visits AS v ON v.region = r.name GROUP BY r.name
--> block 0: SELECT r.name AS "name", count(*) FILTER(WHERE (CASE WHEN v.minutes > 60 THEN TRUE END)) AS n FROM "public".regions AS r LEFT JOIN "public".visits AS v ON v.region = r.name GROUP BY r.name

SELECT half, count(id) FROM (SELECT r.people / 2 AS half, v.visit_id AS id FROM regions r LEFT JOIN visits v ON v.region = r.name) AS t GROUP BY half ORDER BY half, t.half * 2;
--> query: SELECT (r.people / 2) AS "half", count(v.visit_id) AS "count" FROM "public".regions AS r LEFT JOIN "public".visits AS v ON v.region = r.name GROUP BY (r.people / 2) ORDER BY half, (r.people / 2) * 2
--> block 0: SELECT (r.people / 2) AS "half", count(v.visit_id) AS "count" FROM "public".regions AS r LEFT JOIN "public".visits AS v ON v.region = r.name GROUP BY (r.people / 2) ORDER BY half, (r.people / 2) * 2

SELECT upper(name) AS zone, count(id) FROM (SELECT r.name, v.visit_id AS id FROM regions r LEFT JOIN visits v ON v.region = r.name) AS t GROUP BY zone ORDER BY zone;
--> query: SELECT upper(r.name) AS zone, count(v.visit_id) AS "count" FROM "public".regions AS r LEFT JOIN "public".visits AS v ON v.region = r.name GROUP BY 1 ORDER BY zone
--> block 0: SELECT upper(r.name) AS zone, count(v.visit_id) AS "count" FROM "public".regions AS r LEFT JOIN "public".visits AS v ON v.region = r.name GROUP BY 1 ORDER BY zone

SELECT a, count(b) FROM (SELECT name, visit_id FROM regions LEFT JOIN visits ON region = name) AS t (a, b) GROUP BY a;
--> query: SELECT regions.name AS "a", count(visits.visit_id) AS "count" FROM "public".regions LEFT JOIN "public".visits ON region = name GROUP BY regions.name
--> block 0: SELECT regions.name AS "a", count(visits.visit_id) AS "count" FROM "public".regions LEFT JOIN "public".visits ON region = name GROUP BY regions.name

SELECT region, count(visit_id) FROM (SELECT region, visit_id FROM (SELECT name AS region FROM regions) AS r LEFT JOIN visits USING (region)) AS t GROUP BY region;
--> query: SELECT r.region AS "region", count(visits.visit_id) AS "count" FROM (SELECT name AS region FROM "public".regions) AS r LEFT JOIN "public".visits USING (region) GROUP BY r.region
--> block 0: SELECT r.region AS "region", count(visits.visit_id) AS "count" FROM (SELECT name AS region FROM "public".regions) AS r LEFT JOIN "public".visits USING (region) GROUP BY r.region

SELECT j.name, count(j.visit_id) FROM (regions r LEFT JOIN visits v ON v.region = r.name) AS j GROUP BY j.name;
--> query: SELECT r."name" AS "name", count(v."visit_id") AS "count" FROM "public".regions AS r LEFT JOIN "public".visits AS v ON v.region = r.name GROUP BY r."name"
--> block 0: SELECT r."name" AS "name", count(v."visit_id") AS "count" FROM "public".regions AS r LEFT JOIN "public".visits AS v ON v.region = r.name GROUP BY r."name"

SELECT DISTINCT name FROM (SELECT r.name, v.visit_id FROM regions r LEFT JOIN visits v ON v.region = r.name) AS t;
--> query: SELECT DISTINCT r.name AS "name" FROM "public".regions AS r LEFT JOIN "public".visits AS v ON v.region = r.name
--> block 0: SELECT DISTINCT r.name AS "name" FROM "public".regions AS r LEFT JOIN "public".visits AS v ON v.region = r.name

SELECT name, count(visit_id) FROM (SELECT r.name, v.visit_id FROM regions r LEFT JOIN visits v ON v.region = r.name) AS t WHERE name IN (SELECT zone FROM regions) GROUP BY name;
--> query: SELECT r.name AS "name", count(v.visit_id) AS "count" FROM "public".regions AS r LEFT JOIN "public".visits AS v ON v.region = r.name WHERE (r.name IN (SELECT zone FROM "public".regions)) GROUP BY r.name
--> block 0: SELECT r.name AS "name", count(v.visit_id) AS "count" FROM "public".regions AS r LEFT JOIN "public".visits AS v ON v.region = r.name WHERE (r.name IN (SELECT zone FROM "public".regions)) GROUP BY r.name

SELECT name, count(visit_id) FROM (SELECT r.name, v.visit_id FROM regions r LEFT JOIN visits v ON v.region = r.name) AS t WHERE name IN (SELECT zone FROM regions q WHERE q.people > length(t.name)) GROUP BY name;
--> query: SELECT name, count(visit_id) FROM (SELECT r.name, v.visit_id FROM "public".regions AS r LEFT JOIN "public".visits AS v ON v.region = r.name) AS t WHERE name IN (SELECT zone FROM "public".regions AS q WHERE q.people > length(t.name)) GROUP BY name
--> block 0: SELECT name, count(visit_id) FROM (SELECT r.name, v.visit_id FROM "public".regions AS r LEFT JOIN "public".visits AS v ON v.region = r.name) AS t WHERE name IN (SELECT zone FROM "public".regions AS q WHERE q.people > length(t.name)) GROUP BY name

SELECT name, count(visit_id) FROM (SELECT r.name, v.visit_id, v.cost FROM regions r LEFT JOIN visits v ON v.region = r.name) AS t WHERE EXISTS (SELECT FROM prices WHERE amount = cost) GROUP BY name;
--> query: SELECT name, count(visit_id) FROM (SELECT r.name, v.visit_id, v.cost FROM "public".regions AS r LEFT JOIN "public".visits AS v ON v.region = r.name) AS t WHERE EXISTS(SELECT FROM "public".prices WHERE amount = cost) GROUP BY name
--> block 0: SELECT name, count(visit_id) FROM (SELECT r.name, v.visit_id, v.cost FROM "public".regions AS r LEFT JOIN "public".visits AS v ON v.region = r.name) AS t WHERE EXISTS(SELECT FROM "public".prices WHERE amount = cost) GROUP BY name

SELECT name, count(visit_id) FROM (SELECT 1 AS k, r.name, v.visit_id FROM regions r LEFT JOIN visits v ON v.region = r.name) AS t GROUP BY name;
--> query: SELECT r.name AS "name", count(v.visit_id) AS "count" FROM "public".regions AS r LEFT JOIN "public".visits AS v ON v.region = r.name GROUP BY r.name
--> block 0: SELECT r.name AS "name", count(v.visit_id) AS "count" FROM "public".regions AS r LEFT JOIN "public".visits AS v ON v.region = r.name GROUP BY r.name

SELECT k, count(visit_id) FROM (SELECT 1 AS k, r.name, v.visit_id FROM regions r LEFT JOIN visits v ON v.region = r.name) AS t GROUP BY k;
--> query: SELECT k, count(visit_id) FROM (SELECT 1 AS k, r.name, v.visit_id FROM "public".regions AS r LEFT JOIN "public".visits AS v ON v.region = r.name) AS t GROUP BY k
--> block 0: SELECT k, count(visit_id) FROM (SELECT 1 AS k, r.name, v.visit_id FROM "public".regions AS r LEFT JOIN "public".visits AS v ON v.region = r.name) AS t GROUP BY k

SELECT name, count(visit_id) FROM (SELECT DISTINCT r.name, v.visit_id FROM regions r LEFT JOIN visits v ON v.region = r.name) AS t GROUP BY name;
--> query: SELECT name, count(visit_id) FROM (SELECT DISTINCT r.name, v.visit_id FROM "public".regions AS r LEFT JOIN "public".visits AS v ON v.region = r.name) AS t GROUP BY name
--> block 0: SELECT name, count(visit_id) FROM (SELECT DISTINCT r.name, v.visit_id FROM "public".regions AS r LEFT JOIN "public".visits AS v ON v.region = r.name) AS t GROUP BY name

SELECT name, count(visit_id) FROM (SELECT r.name, v.visit_id, unnest(v.tags) FROM regions r LEFT JOIN visits v ON v.region = r.name) AS t GROUP BY name;
--> query: SELECT r.name AS "name", count(v.visit_id) AS "count" FROM "public".regions AS r LEFT JOIN "public".visits AS v ON v.region = r.name CROSS JOIN LATERAL UNNEST(v.tags) AS dplisted2(element) GROUP BY r.name
--> block 0: SELECT r.name AS "name", count(v.visit_id) AS "count" FROM "public".regions AS r LEFT JOIN "public".visits AS v ON v.region = r.name CROSS JOIN LATERAL UNNEST(v.tags) AS dplisted2(element) GROUP BY r.name

SELECT name, count(visit_id) FROM (SELECT r.name, v.visit_id, row_number() OVER () FROM regions r LEFT JOIN visits v ON v.region = r.name) AS t GROUP BY name;
--> query: SELECT name, count(visit_id) FROM (SELECT r.name, v.visit_id, row_number() OVER () FROM "public".regions AS r LEFT JOIN "public".visits AS v ON v.region = r.name) AS t GROUP BY name
--> block 0: SELECT name, count(visit_id) FROM (SELECT r.name, v.visit_id, row_number() OVER () FROM "public".regions AS r LEFT JOIN "public".visits AS v ON v.region = r.name) AS t GROUP BY name

SELECT count(*) FROM (SELECT count(v.visit_id) FROM regions r LEFT JOIN visits v ON v.region = r.name) AS t;
--> query: SELECT count(*) FROM (SELECT count(v.visit_id) FROM "public".regions AS r LEFT JOIN "public".visits AS v ON v.region = r.name) AS t
--> block 0: SELECT count(v.visit_id) FROM "public".regions AS r LEFT JOIN "public".visits AS v ON v.region = r.name

SELECT name, count(visit_id) FROM (SELECT r.name, v.visit_id FROM regions r LEFT JOIN visits v ON v.region = r.name LIMIT 5) AS t GROUP BY name;
--> query: SELECT name, count(visit_id) FROM (SELECT r.name, v.visit_id FROM "public".regions AS r LEFT JOIN "public".visits AS v ON v.region = r.name LIMIT 5) AS t GROUP BY name
--> block 0: SELECT name, count(visit_id) FROM (SELECT r.name, v.visit_id FROM "public".regions AS r LEFT JOIN "public".visits AS v ON v.region = r.name LIMIT 5) AS t GROUP BY name

SELECT name, count(visit_id) FROM (SELECT r.name, v.visit_id, v.region AS name FROM regions r LEFT JOIN visits v ON v.region = r.name) AS t GROUP BY name;
--> query: SELECT name, count(visit_id) FROM (SELECT r.name, v.visit_id, v.region AS name FROM "public".regions AS r LEFT JOIN "public".visits AS v ON v.region = r.name) AS t GROUP BY name
--> block 0: SELECT name, count(visit_id) FROM (SELECT r.name, v.visit_id, v.region AS name FROM "public".regions AS r LEFT JOIN "public".visits AS v ON v.region = r.name) AS t GROUP BY name

SELECT b, count(c) FROM (SELECT * FROM (SELECT r.name, r.people + 1, v.visit_id FROM regions r LEFT JOIN visits v ON v.region = r.name) AS q) AS t (a, b, c) GROUP BY b;
--> query: SELECT ((r.people + 1)) AS "b", count(v.visit_id) AS "count" FROM "public".regions AS r LEFT JOIN "public".visits AS v ON v.region = r.name GROUP BY ((r.people + 1))
--> block 0: SELECT ((r.people + 1)) AS "b", count(v.visit_id) AS "count" FROM "public".regions AS r LEFT JOIN "public".visits AS v ON v.region = r.name GROUP BY ((r.people + 1))

SELECT name, count(t) FROM (SELECT r.name, v.visit_id FROM regions r LEFT JOIN visits v ON v.region = r.name) AS t GROUP BY name;
--> refused 0A000 counted-rows: count(t) is not supported here

SELECT count(*) FROM patients p WHERE EXISTS (SELECT FROM (SELECT r.name, v.patient_id FROM regions r LEFT JOIN visits v ON v.region = r.name) AS t WHERE t.patient_id = p.patient_id);
--> query: SELECT count(*) FROM "public".patients AS p WHERE EXISTS(SELECT FROM (SELECT r.name, v.patient_id FROM "public".regions AS r LEFT JOIN "public".visits AS v ON v.region = r.name) AS t WHERE t.patient_id = p.patient_id)
--> block 0: SELECT count(*) FROM "public".patients AS p WHERE EXISTS(SELECT FROM (SELECT r.name, v.patient_id FROM "public".regions AS r LEFT JOIN "public".visits AS v ON v.region = r.name) AS t WHERE t.patient_id = p.patient_id)

SELECT zone, count(t.visit_id) FROM (SELECT r.name, v.visit_id FROM regions r LEFT JOIN visits v ON v.region = r.name) AS t JOIN regions USING (name) GROUP BY zone;
--> query: SELECT zone, count(t.visit_id) FROM (SELECT r.name, v.visit_id FROM "public".regions AS r LEFT JOIN "public".visits AS v ON v.region = r.name) AS t JOIN "public".regions USING (name) GROUP BY zone
--> block 0: SELECT zone, count(t.visit_id) FROM (SELECT r.name, v.visit_id FROM "public".regions AS r LEFT JOIN "public".visits AS v ON v.region = r.name) AS t JOIN "public".regions USING (name) GROUP BY zone

SELECT region, count(id) FROM (SELECT region, visit_id AS id FROM visits RIGHT JOIN (SELECT name AS region FROM regions) AS r USING (region)) AS t GROUP BY region;
--> query: SELECT region, count(id) FROM (SELECT region, visit_id AS id FROM "public".visits RIGHT JOIN (SELECT name AS region FROM "public".regions) AS r USING (region)) AS t GROUP BY region
--> block 0: SELECT region, count(id) FROM (SELECT region, visit_id AS id FROM "public".visits RIGHT JOIN (SELECT name AS region FROM "public".regions) AS r USING (region)) AS t GROUP BY region

SELECT t.name, count(visit_id) FROM (SELECT r.name, v.visit_id FROM regions r LEFT JOIN visits v ON v.region = r.name) AS t CROSS JOIN prices GROUP BY t.name;
--> query: SELECT r.name AS "name", count(v.visit_id) AS "count" FROM "public".regions AS r LEFT JOIN "public".visits AS v ON v.region = r.name CROSS JOIN "public".prices GROUP BY r.name
--> block 0: SELECT r.name AS "name", count(v.visit_id) AS "count" FROM "public".regions AS r LEFT JOIN "public".visits AS v ON v.region = r.name CROSS JOIN "public".prices GROUP BY r.name

SELECT zone, count(t.visit_id), sum(amount) FROM (SELECT name AS n, visit_id FROM regions r LEFT JOIN visits v ON v.region = r.name WHERE people > 5) AS t JOIN (SELECT name, zone FROM regions) AS z ON z.name = n LEFT JOIN prices ON amount = 5 WHERE zone <> 'x' GROUP BY zone;
--> query: SELECT z.zone AS "zone", count(v.visit_id) AS "count", sum(prices.amount) AS "sum" FROM "public".regions AS r LEFT JOIN "public".visits AS v ON v.region = r.name JOIN (SELECT name, zone FROM "public".regions) AS z ON z.name = r.name LEFT JOIN "public".prices ON prices.amount = 5 WHERE (r.people > 5) AND (z.zone <> 'x') GROUP BY z.zone
--> block 0: SELECT z.zone AS "zone", count(v.visit_id) AS "count", sum(prices.amount) AS "sum" FROM "public".regions AS r LEFT JOIN "public".visits AS v ON v.region = r.name JOIN (SELECT name, zone FROM "public".regions) AS z ON z.name = r.name LEFT JOIN "public".prices ON prices.amount = 5 WHERE (r.people > 5) AND (z.zone <> 'x') GROUP BY z.zone

SELECT smoker, count(*) FROM (SELECT r.name, v.patient_id AS p FROM regions r LEFT JOIN visits v ON v.region = r.name) AS t JOIN patients ON patient_id = p GROUP BY smoker;
--> query: SELECT patients.smoker AS "smoker", count(*) AS "count" FROM "public".regions AS r LEFT JOIN "public".visits AS v ON v.region = r.name JOIN "public".patients ON patients.patient_id = v.patient_id GROUP BY patients.smoker
--> block 0: SELECT patients.smoker AS "smoker", count(*) AS "count" FROM "public".regions AS r LEFT JOIN "public".visits AS v ON v.region = r.name JOIN "public".patients ON patients.patient_id = v.patient_id GROUP BY patients.smoker

SELECT zone, count(visit_id) FROM (SELECT r.name, v.visit_id FROM regions r LEFT JOIN visits v ON v.region = r.name) AS t JOIN regions r ON r.name = t.name GROUP BY zone;
--> query: SELECT zone, count(visit_id) FROM (SELECT r.name, v.visit_id FROM "public".regions AS r LEFT JOIN "public".visits AS v ON v.region = r.name) AS t JOIN "public".regions AS r ON r.name = t.name GROUP BY zone
--> block 0: SELECT zone, count(visit_id) FROM (SELECT r.name, v.visit_id FROM "public".regions AS r LEFT JOIN "public".visits AS v ON v.region = r.name) AS t JOIN "public".regions AS r ON r.name = t.name GROUP BY zone

SELECT name, count(visit_id) FROM (SELECT r.name, v.visit_id FROM regions r LEFT JOIN visits v ON v.region = r.name) AS t JOIN regions q ON q.name = t.name GROUP BY name;
--> query: SELECT name, count(visit_id) FROM (SELECT r.name, v.visit_id FROM "public".regions AS r LEFT JOIN "public".visits AS v ON v.region = r.name) AS t JOIN "public".regions AS q ON q.name = t.name GROUP BY name
--> block 0: SELECT name, count(visit_id) FROM (SELECT r.name, v.visit_id FROM "public".regions AS r LEFT JOIN "public".visits AS v ON v.region = r.name) AS t JOIN "public".regions AS q ON q.name = t.name GROUP BY name

SELECT amount, count(visit_id) FROM (SELECT r.name, v.visit_id FROM regions r LEFT JOIN visits v ON v.region = r.name) AS t RIGHT JOIN prices ON code = name GROUP BY amount;
--> query: SELECT amount, count(visit_id) FROM (SELECT r.name, v.visit_id FROM "public".regions AS r LEFT JOIN "public".visits AS v ON v.region = r.name) AS t RIGHT JOIN "public".prices ON code = name GROUP BY amount
--> block 0: SELECT amount, count(visit_id) FROM (SELECT r.name, v.visit_id FROM "public".regions AS r LEFT JOIN "public".visits AS v ON v.region = r.name) AS t RIGHT JOIN "public".prices ON code = name GROUP BY amount

SELECT amount, count(visit_id) FROM (SELECT r.name, v.visit_id FROM regions r LEFT JOIN visits v ON v.region = r.name, regions q) AS t JOIN prices ON code = name GROUP BY amount;
--> query: SELECT amount, count(visit_id) FROM (SELECT r.name, v.visit_id FROM "public".regions AS r LEFT JOIN "public".visits AS v ON v.region = r.name, "public".regions AS q) AS t JOIN "public".prices ON code = name GROUP BY amount
--> block 0: SELECT amount, count(visit_id) FROM (SELECT r.name, v.visit_id FROM "public".regions AS r LEFT JOIN "public".visits AS v ON v.region = r.name, "public".regions AS q) AS t JOIN "public".prices ON code = name GROUP BY amount

SELECT amount, count(visit_id) FROM (SELECT r.name, v.visit_id FROM regions r LEFT JOIN visits v ON v.region = r.name WHERE EXISTS (SELECT FROM prices)) AS t JOIN prices ON code = name GROUP BY amount;
--> query: SELECT amount, count(visit_id) FROM (SELECT r.name, v.visit_id FROM "public".regions AS r LEFT JOIN "public".visits AS v ON v.region = r.name WHERE EXISTS(SELECT FROM "public".prices)) AS t JOIN "public".prices ON code = name GROUP BY amount
--> block 0: SELECT amount, count(visit_id) FROM (SELECT r.name, v.visit_id FROM "public".regions AS r LEFT JOIN "public".visits AS v ON v.region = r.name WHERE EXISTS(SELECT FROM "public".prices)) AS t JOIN "public".prices ON code = name GROUP BY amount

SELECT code, count(visit_id) FROM (SELECT r.name, v.visit_id FROM regions r LEFT JOIN visits v ON v.region = r.name) AS t JOIN prices ON code = name JOIN prices AS p USING (code) GROUP BY code;
--> query: SELECT code, count(visit_id) FROM (SELECT r.name, v.visit_id FROM "public".regions AS r LEFT JOIN "public".visits AS v ON v.region = r.name) AS t JOIN "public".prices ON code = name JOIN "public".prices AS p USING (code) GROUP BY code
--> block 0: SELECT code, count(visit_id) FROM (SELECT r.name, v.visit_id FROM "public".regions AS r LEFT JOIN "public".visits AS v ON v.region = r.name) AS t JOIN "public".prices ON code = name JOIN "public".prices AS p USING (code) GROUP BY code

SELECT count(visit_id) FROM prices JOIN (SELECT r.name, v.visit_id FROM regions r LEFT JOIN visits v ON v.region = r.name) AS t ON code = name;
--> query: SELECT count(visit_id) FROM "public".prices JOIN (SELECT r.name, v.visit_id FROM "public".regions AS r LEFT JOIN "public".visits AS v ON v.region = r.name) AS t ON code = name
--> block 0: SELECT count(visit_id) FROM "public".prices JOIN (SELECT r.name, v.visit_id FROM "public".regions AS r LEFT JOIN "public".visits AS v ON v.region = r.name) AS t ON code = name
