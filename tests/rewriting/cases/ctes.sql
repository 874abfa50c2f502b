WITH w AS (SELECT * FROM visits) SELECT count(*) FROM w;
--> query: SELECT count(*) FROM "public".visits AS "w"
--> block 0: SELECT count(*) FROM "public".visits AS "w"

WITH w (a, b) AS (SELECT patient_id, cost FROM visits) SELECT sum(b) FROM w;
--> query: SELECT sum(b) FROM (SELECT patient_id, cost FROM "public".visits) AS "w"("a", "b")
--> block 0: SELECT sum(b) FROM (SELECT patient_id, cost FROM "public".visits) AS "w"("a", "b")

WITH w (a, b) AS (SELECT patient_id, cost FROM visits) SELECT sum(y) FROM w AS v (x, y);
--> query: SELECT sum(y) FROM (SELECT patient_id, cost FROM "public".visits) AS "v"("x", "y")
--> block 0: SELECT sum(y) FROM (SELECT patient_id, cost FROM "public".visits) AS "v"("x", "y")

WITH w AS (SELECT count(*) AS n FROM visits) SELECT n FROM w;
--> query: WITH w AS (SELECT count(*) AS n FROM "public".visits) SELECT n FROM w
--> block 0: SELECT count(*) AS n FROM "public".visits

WITH w AS (SELECT region, count(*) AS n FROM visits GROUP BY region) SELECT count(*) FROM visits v JOIN w ON w.region = v.region;
--> query: WITH w AS (SELECT region, count(*) AS n FROM "public".visits GROUP BY region) SELECT count(*) FROM "public".visits AS v JOIN (WITH w AS (SELECT region, count(*) AS n FROM "public".visits GROUP BY region) SELECT * FROM w) AS "w" ON w.region = v.region
--> block 0: SELECT region, count(*) AS n FROM "public".visits GROUP BY region
--> block 1: WITH w AS (SELECT region, count(*) AS n FROM "public".visits GROUP BY region) SELECT count(*) FROM "public".visits AS v JOIN (WITH w AS (SELECT region, count(*) AS n FROM "public".visits GROUP BY region) SELECT * FROM w) AS "w" ON w.region = v.region
-->   before it: WITH w AS (SELECT region, count(*) AS n FROM "public".visits GROUP BY region) SELECT * FROM w
-->     block 0: SELECT region, count(*) AS n FROM "public".visits GROUP BY region

WITH w AS (SELECT region, count(*) AS n FROM visits GROUP BY region), x AS (SELECT region FROM w WHERE n > 5) SELECT count(*) FROM visits v JOIN x USING (region);
--> query: WITH w AS (SELECT region, count(*) AS n FROM "public".visits GROUP BY region), x AS (SELECT region FROM w WHERE n > 5) SELECT count(*) FROM "public".visits AS v JOIN (WITH w AS (SELECT region, count(*) AS n FROM "public".visits GROUP BY region), x AS (SELECT region FROM w WHERE n > 5) SELECT * FROM x) AS "x" USING (region)
--> block 0: SELECT region, count(*) AS n FROM "public".visits GROUP BY region
--> block 1: WITH w AS (SELECT region, count(*) AS n FROM "public".visits GROUP BY region), x AS (SELECT region FROM w WHERE n > 5) SELECT count(*) FROM "public".visits AS v JOIN (WITH w AS (SELECT region, count(*) AS n FROM "public".visits GROUP BY region), x AS (SELECT region FROM w WHERE n > 5) SELECT * FROM x) AS "x" USING (region)
-->   before it: WITH w AS (SELECT region, count(*) AS n FROM "public".visits GROUP BY region), x AS (SELECT region FROM w WHERE n > 5) SELECT * FROM x
-->     block 0: SELECT region, count(*) AS n FROM "public".visits GROUP BY region

WITH w AS (SELECT 1 AS a), w2 AS (SELECT 2 AS a) SELECT count(*) FROM visits JOIN w2 ON a = minutes;
--> query: WITH w AS (SELECT 1 AS a), w2 AS (SELECT 2 AS a) SELECT count(*) FROM "public".visits JOIN (WITH w2 AS (SELECT 2 AS a) SELECT * FROM w2) AS "w2" ON a = minutes
--> block 0: WITH w AS (SELECT 1 AS a), w2 AS (SELECT 2 AS a) SELECT count(*) FROM "public".visits JOIN (WITH w2 AS (SELECT 2 AS a) SELECT * FROM w2) AS "w2" ON a = minutes
-->   before it: WITH w2 AS (SELECT 2 AS a) SELECT * FROM w2

WITH w AS (SELECT 1 AS a) SELECT count(*) FROM visits JOIN public.w ON a = minutes;
--> query: WITH w AS (SELECT 1 AS a) SELECT count(*) FROM "public".visits JOIN public.w ON a = minutes
--> block 0: WITH w AS (SELECT 1 AS a) SELECT count(*) FROM "public".visits JOIN public.w ON a = minutes

WITH regions AS (SELECT 'x' AS name) SELECT count(*) FROM visits JOIN public.regions ON name = region;
--> query: WITH regions AS (SELECT 'x' AS name) SELECT count(*) FROM "public".visits JOIN public.regions ON name = region
--> block 0: WITH regions AS (SELECT 'x' AS name) SELECT count(*) FROM "public".visits JOIN public.regions ON name = region

WITH regions AS (SELECT 'x' AS name) SELECT count(*) FROM visits JOIN regions ON name = region;
--> query: WITH regions AS (SELECT 'x' AS name) SELECT count(*) FROM "public".visits JOIN (WITH regions AS (SELECT 'x' AS name) SELECT * FROM regions) AS "regions" ON name = region
--> block 0: WITH regions AS (SELECT 'x' AS name) SELECT count(*) FROM "public".visits JOIN (WITH regions AS (SELECT 'x' AS name) SELECT * FROM regions) AS "regions" ON name = region
-->   before it: WITH regions AS (SELECT 'x' AS name) SELECT * FROM regions

WITH regions AS (SELECT 'x' AS name) SELECT count(*) FROM visits JOIN regions AS r ON r.name = region;
--> query: WITH regions AS (SELECT 'x' AS name) SELECT count(*) FROM "public".visits JOIN (WITH regions AS (SELECT 'x' AS name) SELECT * FROM regions) AS r ON r.name = region
--> block 0: WITH regions AS (SELECT 'x' AS name) SELECT count(*) FROM "public".visits JOIN (WITH regions AS (SELECT 'x' AS name) SELECT * FROM regions) AS r ON r.name = region
-->   before it: WITH regions AS (SELECT 'x' AS name) SELECT * FROM regions

WITH w AS (SELECT count(*) AS n FROM stays) SELECT count(*) FROM visits WHERE minutes > (SELECT n FROM w);
--> query: WITH w AS (SELECT count(*) AS n FROM "public".stays) SELECT count(*) FROM "public".visits LEFT JOIN (WITH w AS (SELECT count(*) AS n FROM "public".stays) SELECT (SELECT n FROM w) AS dpscalar_value) AS dpscalar_0 ON TRUE WHERE minutes > (dpscalar_0.dpscalar_value)
--> block 0: SELECT count(*) AS n FROM "public".stays
--> block 1: WITH w AS (SELECT count(*) AS n FROM "public".stays) SELECT count(*) FROM "public".visits LEFT JOIN (WITH w AS (SELECT count(*) AS n FROM "public".stays) SELECT (SELECT n FROM w) AS dpscalar_value) AS dpscalar_0 ON TRUE WHERE minutes > (dpscalar_0.dpscalar_value)
-->   before it: WITH w AS (SELECT count(*) AS n FROM "public".stays) SELECT (SELECT n FROM w) AS dpscalar_value
-->     block 0: SELECT count(*) AS n FROM "public".stays

WITH w AS (SELECT count(*) AS n FROM stays) SELECT count(*) FROM visits WHERE minutes > (SELECT s.n FROM public.stays, w AS s);
--> query: WITH w AS (SELECT count(*) AS n FROM "public".stays) SELECT count(*) FROM "public".visits LEFT JOIN (WITH w AS (SELECT count(*) AS n FROM "public".stays) SELECT (SELECT s.n FROM public.stays, (WITH w AS (SELECT count(*) AS n FROM "public".stays) SELECT * FROM w) AS s) AS dpscalar_value) AS dpscalar_0 ON TRUE WHERE minutes > (dpscalar_0.dpscalar_value)
--> block 0: SELECT count(*) AS n FROM "public".stays
--> block 1: WITH w AS (SELECT count(*) AS n FROM "public".stays) SELECT count(*) FROM "public".visits LEFT JOIN (WITH w AS (SELECT count(*) AS n FROM "public".stays) SELECT (SELECT s.n FROM public.stays, (WITH w AS (SELECT count(*) AS n FROM "public".stays) SELECT * FROM w) AS s) AS dpscalar_value) AS dpscalar_0 ON TRUE WHERE minutes > (dpscalar_0.dpscalar_value)
-->   before it: WITH w AS (SELECT count(*) AS n FROM "public".stays) SELECT (SELECT s.n FROM public.stays, (WITH w AS (SELECT count(*) AS n FROM "public".stays) SELECT * FROM w) AS s) AS dpscalar_value
-->     block 0: SELECT count(*) AS n FROM "public".stays
-->     block 1: SELECT s.n FROM public.stays, (WITH w AS (SELECT count(*) AS n FROM "public".stays) SELECT * FROM w) AS s
-->       before it: WITH w AS (SELECT count(*) AS n FROM "public".stays) SELECT * FROM w
-->         block 0: SELECT count(*) AS n FROM "public".stays

WITH visits AS (SELECT * FROM visits WHERE urgent) SELECT count(*) FROM visits;
--> query: SELECT count(*) FROM "public".visits AS "visits" WHERE ("visits".urgent)
--> block 0: SELECT count(*) FROM "public".visits AS "visits" WHERE ("visits".urgent)

WITH visits AS (SELECT * FROM stays) SELECT count(*) FROM visits;
--> query: SELECT count(*) FROM "public".stays AS "visits"
--> block 0: SELECT count(*) FROM "public".stays AS "visits"

WITH visits AS (SELECT * FROM stays) SELECT count(*) FROM public.visits;
--> query: SELECT count(*) FROM public.visits
--> block 0: SELECT count(*) FROM public.visits

WITH RECURSIVE visits AS (SELECT * FROM visits) SELECT count(*) FROM visits;
--> query: WITH RECURSIVE visits AS (SELECT * FROM visits) SELECT count(*) FROM visits

WITH w AS (SELECT * FROM visits) SELECT count(*) FROM w AS a JOIN w AS b ON a.patient_id = b.patient_id;
--> query: SELECT count(*) FROM "public".visits AS "a" JOIN "public".visits AS "b" ON a.patient_id = b.patient_id
--> block 0: SELECT count(*) FROM "public".visits AS "a" JOIN "public".visits AS "b" ON a.patient_id = b.patient_id

WITH a AS (SELECT 1 AS x), b AS (SELECT v.* FROM visits v JOIN a ON a.x = v.minutes) SELECT count(*) FROM b;
--> query: WITH a AS (SELECT 1 AS x) SELECT count(*) FROM (SELECT v.* FROM "public".visits AS v JOIN (WITH a AS (SELECT 1 AS x) SELECT * FROM a) AS "a" ON a.x = v.minutes) AS "b"
--> block 0: WITH a AS (SELECT 1 AS x) SELECT count(*) FROM (SELECT v.* FROM "public".visits AS v JOIN (WITH a AS (SELECT 1 AS x) SELECT * FROM a) AS "a" ON a.x = v.minutes) AS "b"
-->   before it: WITH a AS (SELECT 1 AS x) SELECT * FROM a

WITH a AS (SELECT 1 AS x), b AS (SELECT v.* FROM visits v JOIN a ON a.x = v.minutes) SELECT n FROM (WITH a AS (SELECT 2 AS x) SELECT count(*) AS n FROM b) AS t;
--> refused 0A000 cte-name: another CTE named "a" hides the relation referenced here

WITH a AS (SELECT 1 AS x), b AS (SELECT v.* FROM visits v JOIN a ON a.x = v.minutes) SELECT n FROM (WITH c AS (SELECT 2 AS x) SELECT count(*) AS n FROM b) AS t;
--> query: WITH a AS (SELECT 1 AS x) SELECT n FROM (WITH c AS (SELECT 2 AS x) SELECT count(*) AS n FROM (SELECT v.* FROM "public".visits AS v JOIN (WITH a AS (SELECT 1 AS x) SELECT * FROM a) AS "a" ON a.x = v.minutes) AS "b") AS t
--> block 0: WITH c AS (SELECT 2 AS x) SELECT count(*) AS n FROM (SELECT v.* FROM "public".visits AS v JOIN (WITH a AS (SELECT 1 AS x) SELECT * FROM a) AS "a" ON a.x = v.minutes) AS "b"
-->   before it: WITH a AS (SELECT 1 AS x) SELECT * FROM a

WITH b AS (SELECT * FROM visits WHERE minutes IN (WITH a AS (SELECT 1 AS x) SELECT x FROM a)) SELECT count(*) FROM b;
--> refused 0A000 cte-name: another CTE named "a" hides the relation referenced here

WITH w AS (SELECT * FROM visits) SELECT count(*) FROM w TABLESAMPLE SYSTEM (10);
--> refused 0A000 from-decoration: TABLESAMPLE is not supported on a CTE

WITH w AS (WITH x AS (SELECT * FROM visits) SELECT * FROM x) SELECT count(*) FROM w;
--> query: SELECT count(*) FROM "public".visits AS "w"
--> block 0: SELECT count(*) FROM "public".visits AS "w"

WITH w AS (SELECT 5 AS a), x AS (SELECT * FROM visits WHERE minutes > (SELECT a FROM w)) SELECT n FROM (WITH w AS (SELECT * FROM stays) SELECT count(*) AS n FROM w) AS t;
--> query: WITH w AS (SELECT 5 AS a) SELECT n FROM (SELECT count(*) AS n FROM "public".stays AS "w") AS t
--> block 0: SELECT count(*) AS n FROM "public".stays AS "w"

SELECT count(*) FROM (WITH w AS (SELECT * FROM visits) SELECT * FROM w) AS t;
--> query: SELECT count(*) FROM "public".visits AS t
--> block 0: SELECT count(*) FROM "public".visits AS t

WITH v AS (SELECT * FROM visits), t AS (SELECT v.cost FROM v, (SELECT 1 AS v) AS u) SELECT sum(cost) FROM t;
--> query: SELECT sum(cost) FROM (SELECT v.cost FROM "public".visits AS "v", (SELECT 1 AS v) AS u) AS "t"
--> block 0: SELECT sum(cost) FROM (SELECT v.cost FROM "public".visits AS "v", (SELECT 1 AS v) AS u) AS "t"
-->   before it: SELECT 1 AS v

WITH stays AS (SELECT count(*) AS n FROM visits) SELECT count(*) FROM visits WHERE minutes > (SELECT avg(nights) FROM public.stays);
--> query: WITH stays AS (SELECT count(*) AS n FROM "public".visits) SELECT count(*) FROM "public".visits LEFT JOIN (SELECT (SELECT avg(nights) FROM public.stays) AS dpscalar_value) AS dpscalar_0 ON TRUE WHERE minutes > (dpscalar_0.dpscalar_value)
--> block 0: SELECT count(*) AS n FROM "public".visits
--> block 1: WITH stays AS (SELECT count(*) AS n FROM "public".visits) SELECT count(*) FROM "public".visits LEFT JOIN (SELECT (SELECT avg(nights) FROM public.stays) AS dpscalar_value) AS dpscalar_0 ON TRUE WHERE minutes > (dpscalar_0.dpscalar_value)
-->   before it: SELECT (SELECT avg(nights) FROM public.stays) AS dpscalar_value
-->     block 0: SELECT avg(nights) FROM public.stays

WITH RECURSIVE r AS (SELECT 1 AS x UNION SELECT x + 1 FROM r WHERE x < 5) SELECT count(*) FROM visits JOIN r ON r.x = minutes;
--> query: WITH RECURSIVE r AS (SELECT 1 AS x UNION SELECT x + 1 FROM r WHERE x < 5) SELECT count(*) FROM "public".visits JOIN (WITH RECURSIVE r AS (SELECT 1 AS x UNION SELECT x + 1 FROM r WHERE x < 5) SELECT * FROM r) AS "r" ON r.x = minutes
--> block 0: WITH RECURSIVE r AS (SELECT 1 AS x UNION SELECT x + 1 FROM r WHERE x < 5) SELECT count(*) FROM "public".visits JOIN (WITH RECURSIVE r AS (SELECT 1 AS x UNION SELECT x + 1 FROM r WHERE x < 5) SELECT * FROM r) AS "r" ON r.x = minutes
-->   before it: WITH RECURSIVE r AS (SELECT 1 AS x UNION SELECT x + 1 FROM r WHERE x < 5) SELECT * FROM r

WITH a AS (SELECT count(*) AS n FROM pg_class), pg_class AS (SELECT * FROM visits) SELECT a.n, x.n FROM a, (SELECT count(*) AS n FROM pg_class) AS x;
--> query: WITH a AS (SELECT count(*) AS n FROM pg_class) SELECT a.n, x.n FROM a, (SELECT count(*) AS n FROM "public".visits AS "pg_class") AS x
--> block 0: SELECT count(*) AS n FROM "public".visits AS "pg_class"

WITH b AS (SELECT v.* FROM visits v, pg_class) SELECT n FROM (WITH pg_class AS (SELECT 1) SELECT count(*) AS n FROM b) AS t;
--> refused 0A000 cte-name: another CTE named "pg_class" hides the relation referenced here

WITH b AS (SELECT v.* FROM visits v, pg_class) SELECT n FROM (WITH other AS (SELECT 1) SELECT count(*) AS n FROM b) AS t;
--> query: SELECT n FROM (WITH other AS (SELECT 1) SELECT count(*) AS n FROM (SELECT v.* FROM "public".visits AS v, pg_class) AS "b") AS t
--> block 0: WITH other AS (SELECT 1) SELECT count(*) AS n FROM (SELECT v.* FROM "public".visits AS v, pg_class) AS "b"

WITH pg_class AS (SELECT 1) SELECT count(*) FROM seen;
--> refused 0A000 cte-name: another CTE named "pg_class" hides the relation referenced here

SELECT count(*) FROM seen;
--> query: SELECT count(*) FROM (SELECT v.patient_id, v.cost FROM public.visits AS v, pg_class) AS "seen"
--> block 0: SELECT count(*) FROM (SELECT v.patient_id, v.cost FROM public.visits AS v, pg_class) AS "seen"

WITH top AS (SELECT 5 AS cost) SELECT count(*) FROM ranked JOIN top USING (cost);
--> query: WITH top AS (SELECT 5 AS cost), "dpcte_1" AS (SELECT max(p.amount) AS cost FROM public.prices AS p) SELECT count(*) FROM (SELECT v.patient_id, v.cost FROM public.visits AS v JOIN (WITH "dpcte_1" AS (SELECT max(p.amount) AS cost FROM public.prices AS p) SELECT * FROM "dpcte_1") AS top ON top.cost > v.cost) AS "ranked" JOIN (WITH top AS (SELECT 5 AS cost) SELECT * FROM top) AS "top" USING (cost)
--> block 0: WITH top AS (SELECT 5 AS cost), "dpcte_1" AS (SELECT max(p.amount) AS cost FROM public.prices AS p) SELECT count(*) FROM (SELECT v.patient_id, v.cost FROM public.visits AS v JOIN (WITH "dpcte_1" AS (SELECT max(p.amount) AS cost FROM public.prices AS p) SELECT * FROM "dpcte_1") AS top ON top.cost > v.cost) AS "ranked" JOIN (WITH top AS (SELECT 5 AS cost) SELECT * FROM top) AS "top" USING (cost)
-->   before it: WITH "dpcte_1" AS (SELECT max(p.amount) AS cost FROM public.prices AS p) SELECT * FROM "dpcte_1"
-->   before it: WITH top AS (SELECT 5 AS cost) SELECT * FROM top

SELECT count(*) FROM ranked;
--> query: WITH "dpcte_0" AS (SELECT max(p.amount) AS cost FROM public.prices AS p) SELECT count(*) FROM (SELECT v.patient_id, v.cost FROM public.visits AS v JOIN (WITH "dpcte_0" AS (SELECT max(p.amount) AS cost FROM public.prices AS p) SELECT * FROM "dpcte_0") AS top ON top.cost > v.cost) AS "ranked"
--> block 0: WITH "dpcte_0" AS (SELECT max(p.amount) AS cost FROM public.prices AS p) SELECT count(*) FROM (SELECT v.patient_id, v.cost FROM public.visits AS v JOIN (WITH "dpcte_0" AS (SELECT max(p.amount) AS cost FROM public.prices AS p) SELECT * FROM "dpcte_0") AS top ON top.cost > v.cost) AS "ranked"
-->   before it: WITH "dpcte_0" AS (SELECT max(p.amount) AS cost FROM public.prices AS p) SELECT * FROM "dpcte_0"

SELECT count(*) FROM (WITH c AS (SELECT 1 AS x) SELECT v.* FROM visits v, c) AS t;
--> query: WITH "dpcte_0" AS (SELECT 1 AS x) SELECT count(*) FROM (SELECT v.* FROM "public".visits AS v, (WITH "dpcte_0" AS (SELECT 1 AS x) SELECT * FROM "dpcte_0") AS c) AS t
--> block 0: WITH "dpcte_0" AS (SELECT 1 AS x) SELECT count(*) FROM (SELECT v.* FROM "public".visits AS v, (WITH "dpcte_0" AS (SELECT 1 AS x) SELECT * FROM "dpcte_0") AS c) AS t
-->   before it: WITH "dpcte_0" AS (SELECT 1 AS x) SELECT * FROM "dpcte_0"

WITH RECURSIVE regions AS (SELECT 1 AS x UNION SELECT x + 1 FROM regions WHERE x < 5) SELECT count(*) FROM visits JOIN regions ON x = minutes;
--> query: WITH RECURSIVE regions AS (SELECT 1 AS x UNION SELECT x + 1 FROM regions WHERE x < 5) SELECT count(*) FROM "public".visits JOIN (WITH RECURSIVE regions AS (SELECT 1 AS x UNION SELECT x + 1 FROM regions WHERE x < 5) SELECT * FROM regions) AS "regions" ON x = minutes
--> block 0: WITH RECURSIVE regions AS (SELECT 1 AS x UNION SELECT x + 1 FROM regions WHERE x < 5) SELECT count(*) FROM "public".visits JOIN (WITH RECURSIVE regions AS (SELECT 1 AS x UNION SELECT x + 1 FROM regions WHERE x < 5) SELECT * FROM regions) AS "regions" ON x = minutes
-->   before it: WITH RECURSIVE regions AS (SELECT 1 AS x UNION SELECT x + 1 FROM regions WHERE x < 5) SELECT * FROM regions

SELECT count(*) FROM visits WHERE minutes IN (WITH RECURSIVE r AS (SELECT 1 AS x UNION SELECT x + 1 FROM r WHERE x < 5) SELECT x FROM r);
--> query: SELECT count(*) FROM "public".visits WHERE minutes IN (WITH RECURSIVE r AS (SELECT 1 AS x UNION SELECT x + 1 FROM r WHERE x < 5) SELECT x FROM r)
--> block 0: SELECT count(*) FROM "public".visits WHERE minutes IN (WITH RECURSIVE r AS (SELECT 1 AS x UNION SELECT x + 1 FROM r WHERE x < 5) SELECT x FROM r)
-->   before it: WITH RECURSIVE r AS (SELECT 1 AS x UNION SELECT x + 1 FROM r WHERE x < 5) SELECT x FROM r

WITH w AS (SELECT 1 AS y) SELECT count(*) FROM visits WHERE minutes IN (WITH RECURSIVE r AS (SELECT 1 AS x UNION SELECT x + 1 FROM r WHERE x < 5) SELECT x FROM r, w);
--> query: WITH w AS (SELECT 1 AS y) SELECT count(*) FROM "public".visits WHERE minutes IN (WITH RECURSIVE w AS (SELECT 1 AS y), r AS (SELECT 1 AS x UNION SELECT x + 1 FROM r WHERE x < 5) SELECT x FROM r, w)
--> block 0: WITH w AS (SELECT 1 AS y) SELECT count(*) FROM "public".visits WHERE minutes IN (WITH RECURSIVE w AS (SELECT 1 AS y), r AS (SELECT 1 AS x UNION SELECT x + 1 FROM r WHERE x < 5) SELECT x FROM r, w)
-->   before it: WITH RECURSIVE w AS (SELECT 1 AS y), r AS (SELECT 1 AS x UNION SELECT x + 1 FROM r WHERE x < 5) SELECT x FROM r, w

WITH parent AS (SELECT name AS place FROM regions WHERE zone = 'coast') SELECT count(*) FROM visits v JOIN parent ON place = v.region;
--> query: SELECT count(*) FROM "public".visits AS v JOIN (SELECT name AS place FROM "public".regions WHERE zone = 'coast') AS "parent" ON place = v.region
--> block 0: SELECT count(*) FROM "public".visits AS v JOIN (SELECT name AS place FROM "public".regions WHERE zone = 'coast') AS "parent" ON place = v.region

WITH parent AS (SELECT upper(name) AS place FROM regions) SELECT count(*) FROM visits v JOIN parent ON place = v.region;
--> query: WITH parent AS (SELECT upper(name) AS place FROM "public".regions) SELECT count(*) FROM "public".visits AS v JOIN (WITH parent AS (SELECT upper(name) AS place FROM "public".regions) SELECT * FROM parent) AS "parent" ON place = v.region
--> block 0: WITH parent AS (SELECT upper(name) AS place FROM "public".regions) SELECT count(*) FROM "public".visits AS v JOIN (WITH parent AS (SELECT upper(name) AS place FROM "public".regions) SELECT * FROM parent) AS "parent" ON place = v.region
-->   before it: WITH parent AS (SELECT upper(name) AS place FROM "public".regions) SELECT * FROM parent

WITH parent AS (SELECT name AS place FROM regions LIMIT 3) SELECT count(*) FROM visits v JOIN parent ON place = v.region;
--> query: WITH parent AS (SELECT name AS place FROM "public".regions LIMIT 3) SELECT count(*) FROM "public".visits AS v JOIN (WITH parent AS (SELECT name AS place FROM "public".regions LIMIT 3) SELECT * FROM parent) AS "parent" ON place = v.region
--> block 0: WITH parent AS (SELECT name AS place FROM "public".regions LIMIT 3) SELECT count(*) FROM "public".visits AS v JOIN (WITH parent AS (SELECT name AS place FROM "public".regions LIMIT 3) SELECT * FROM parent) AS "parent" ON place = v.region
-->   before it: WITH parent AS (SELECT name AS place FROM "public".regions LIMIT 3) SELECT * FROM parent
