SELECT COUNT(*) FROM Visits V WHERE v.COST > 5 AND "v".urgent;
--> query: SELECT COUNT(*) FROM "public".Visits AS V WHERE v.COST > 5 AND "v".urgent
--> block 0: SELECT COUNT(*) FROM "public".Visits AS V WHERE v.COST > 5 AND "v".urgent

SELECT count(*) FROM "Visits";
--> query: SELECT count(*) FROM "Visits"

SELECT count(public.visits.cost) FROM visits;
--> query: SELECT count(visits.cost) FROM "public".visits
--> block 0: SELECT count(visits.cost) FROM "public".visits

SELECT count(old.visits.cost) FROM visits;
--> query: SELECT count(old.visits.cost) FROM "public".visits
--> block 0: SELECT count(old.visits.cost) FROM "public".visits

SELECT count(old.visits.cost) FROM old.visits;
--> query: SELECT count(visits.cost) FROM old.visits
--> block 0: SELECT count(visits.cost) FROM old.visits

SELECT count(public.visits.cost) FROM old.visits;
--> query: SELECT count(public.visits.cost) FROM old.visits
--> block 0: SELECT count(public.visits.cost) FROM old.visits

SELECT count(public.visits.cost) FROM visits AS visits;
--> query: SELECT count(public.visits.cost) FROM "public".visits AS visits
--> block 0: SELECT count(public.visits.cost) FROM "public".visits AS visits

SELECT count(public.visits.cost) FROM visits, old.visits;
--> query: SELECT count(public.visits.cost) FROM "public".visits, old.visits
--> block 0: SELECT count(public.visits.cost) FROM "public".visits, old.visits

SELECT count(public.visits.cost) FROM (SELECT * FROM old.visits) AS visits;
--> query: SELECT count(public.visits.cost) FROM (SELECT * FROM old.visits) AS visits
--> block 0: SELECT count(public.visits.cost) FROM (SELECT * FROM old.visits) AS visits

SELECT count(x.public.visits.cost) FROM visits;
--> query: SELECT count(x.public.visits.cost) FROM "public".visits
--> block 0: SELECT count(x.public.visits.cost) FROM "public".visits

WITH visits AS (SELECT * FROM old.visits) SELECT count(public.visits.cost) FROM visits;
--> query: SELECT count(public.visits.cost) FROM (SELECT * FROM old.visits) AS "visits"
--> block 0: SELECT count(public.visits.cost) FROM (SELECT * FROM old.visits) AS "visits"

WITH visits AS (SELECT * FROM stays) SELECT count(public.visits.cost) FROM public.visits;
--> query: SELECT count(visits.cost) FROM public.visits
--> block 0: SELECT count(visits.cost) FROM public.visits

WITH other AS (SELECT 1) SELECT count(public.visits.cost) FROM visits;
--> query: WITH other AS (SELECT 1) SELECT count(visits.cost) FROM "public".visits
--> block 0: WITH other AS (SELECT 1) SELECT count(visits.cost) FROM "public".visits

SELECT count(*) FROM visits WHERE EXISTS (SELECT FROM regions WHERE public.regions.name = public.visits.region);
--> query: SELECT count(*) FROM "public".visits WHERE EXISTS(SELECT FROM "public".regions WHERE regions.name = visits.region)
--> block 0: SELECT count(*) FROM "public".visits WHERE EXISTS(SELECT FROM "public".regions WHERE regions.name = visits.region)

SELECT count(*) FROM patients, areas;
--> query: SELECT count(*) FROM "public".patients, "old".areas
--> block 0: SELECT count(*) FROM "public".patients, "old".areas

SELECT count(*) FROM missing;
--> query: SELECT count(*) FROM missing

SELECT count(*), sum(cost) FROM rushed;
--> query: SELECT count(*), sum(cost) FROM public.visits AS "rushed" WHERE ("rushed".urgent)
--> block 0: SELECT count(*), sum(cost) FROM public.visits AS "rushed" WHERE ("rushed".urgent)

SELECT sum(r.a) FROM rushed AS r (p, a) JOIN patients ON p = patient_id;
--> query: SELECT sum(r.a) FROM (SELECT v.patient_id, v.cost FROM public.visits AS v WHERE v.urgent) AS "r"("p", "a") JOIN "public".patients ON p = patient_id
--> block 0: SELECT sum(r.a) FROM (SELECT v.patient_id, v.cost FROM public.visits AS v WHERE v.urgent) AS "r"("p", "a") JOIN "public".patients ON p = patient_id

WITH visits AS (SELECT 1 AS one) SELECT sum(cost), (SELECT one FROM visits) FROM rushed;
--> query: WITH visits AS (SELECT 1 AS one) SELECT sum(cost), (SELECT one FROM visits) FROM public.visits AS "rushed" WHERE ("rushed".urgent)
--> block 0: WITH visits AS (SELECT 1 AS one) SELECT sum(cost), (SELECT one FROM visits) FROM public.visits AS "rushed" WHERE ("rushed".urgent)

SELECT count(*) FROM ONLY rushed;
--> query: SELECT count(*) FROM public.visits AS "rushed" WHERE ("rushed".urgent)
--> block 0: SELECT count(*) FROM public.visits AS "rushed" WHERE ("rushed".urgent)

SELECT (SELECT epsilon_spent FROM dp.budget), count(*) FROM visits;
--> query: SELECT (SELECT epsilon_spent FROM dp.budget), count(*) FROM "public".visits
--> block 0: SELECT (SELECT epsilon_spent FROM dp.budget), count(*) FROM "public".visits
--> own relation: budget

SELECT count(*) FROM visits WHERE cost > (SELECT max(epsilon_spent) FROM dp.budget);
--> query: SELECT count(*) FROM "public".visits LEFT JOIN (SELECT (SELECT max(epsilon_spent) FROM dp.budget) AS dpscalar_value) AS dpscalar_0 ON TRUE WHERE cost > (dpscalar_0.dpscalar_value)
--> block 0: SELECT count(*) FROM "public".visits LEFT JOIN (SELECT (SELECT max(epsilon_spent) FROM dp.budget) AS dpscalar_value) AS dpscalar_0 ON TRUE WHERE cost > (dpscalar_0.dpscalar_value)
-->   before it: SELECT (SELECT max(epsilon_spent) FROM dp.budget) AS dpscalar_value
--> own relation: budget

SELECT region, public.median(cost), pg_catalog.count(*) FILTER (WHERE urgent), postgres.public.approx_count_distinct(note), old.median(cost) FROM visits GROUP BY region;
--> query: SELECT region, median(cost), count(*) FILTER(WHERE urgent), approx_count_distinct(note), old.median(cost) FROM "public".visits GROUP BY region
--> block 0: SELECT region, median(cost), count(*) FILTER(WHERE urgent), approx_count_distinct(note), old.median(cost) FROM "public".visits GROUP BY region

SELECT public.median(n) FROM (SELECT region, pg_catalog.count(*) AS n FROM visits GROUP BY region) AS t;
--> query: SELECT public.median(n) FROM (SELECT region, count(*) AS n FROM "public".visits GROUP BY region) AS t
--> block 0: SELECT region, count(*) AS n FROM "public".visits GROUP BY region
