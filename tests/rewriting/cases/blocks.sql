SELECT count(*) FROM visits;
--> query: SELECT count(*) FROM "public".visits
--> block 0: SELECT count(*) FROM "public".visits

SELECT count(*) FROM visits UNION ALL SELECT count(*) FROM stays;
--> query: SELECT count(*) FROM "public".visits UNION ALL SELECT count(*) FROM "public".stays
--> block 0: SELECT count(*) FROM "public".visits
--> block 1: SELECT count(*) FROM "public".stays

SELECT a.n, b.n FROM (SELECT count(*) AS n FROM visits) AS a, (SELECT count(*) AS n FROM stays) AS b;
--> query: SELECT a.n, b.n FROM (SELECT count(*) AS n FROM "public".visits) AS a, (SELECT count(*) AS n FROM "public".stays) AS b
--> block 0: SELECT count(*) AS n FROM "public".visits
--> block 1: SELECT count(*) AS n FROM "public".stays

SELECT count(*), (SELECT count(*) FROM stays) FROM visits;
--> query: SELECT count(*), (SELECT count(*) FROM "public".stays) FROM "public".visits
--> block 0: SELECT count(*), (SELECT count(*) FROM "public".stays) FROM "public".visits
--> block 1: SELECT count(*) FROM "public".stays

SELECT count(*) FROM visits HAVING count(*) > (SELECT count(*) FROM stays);
--> query: SELECT count(*) FROM "public".visits HAVING count(*) > (SELECT count(*) FROM "public".stays)
--> block 0: SELECT count(*) FROM "public".visits HAVING count(*) > (SELECT count(*) FROM "public".stays)
--> block 1: SELECT count(*) FROM "public".stays

SELECT count(*) FROM visits ORDER BY (SELECT count(*) FROM stays);
--> query: SELECT count(*) FROM "public".visits ORDER BY (SELECT count(*) FROM "public".stays)
--> block 0: SELECT count(*) FROM "public".visits ORDER BY (SELECT count(*) FROM "public".stays)
--> block 1: SELECT count(*) FROM "public".stays

SELECT count(*) FILTER (WHERE cost > (SELECT avg(nights) FROM stays)) FROM visits;
--> query: SELECT count(*) FILTER(WHERE cost > (dpscalar_0.dpscalar_value)) FROM "public".visits LEFT JOIN (SELECT (SELECT avg(nights) FROM "public".stays) AS dpscalar_value) AS dpscalar_0 ON TRUE
--> block 0: SELECT count(*) FILTER(WHERE cost > (dpscalar_0.dpscalar_value)) FROM "public".visits LEFT JOIN (SELECT (SELECT avg(nights) FROM "public".stays) AS dpscalar_value) AS dpscalar_0 ON TRUE
-->   before it: SELECT (SELECT avg(nights) FROM "public".stays) AS dpscalar_value
-->     block 0: SELECT avg(nights) FROM "public".stays

SELECT sum(cost + (SELECT avg(nights) FROM stays)) FROM visits;
--> query: SELECT sum(cost + (dpscalar_0.dpscalar_value)) FROM "public".visits LEFT JOIN (SELECT (SELECT avg(nights) FROM "public".stays) AS dpscalar_value) AS dpscalar_0 ON TRUE
--> block 0: SELECT sum(cost + (dpscalar_0.dpscalar_value)) FROM "public".visits LEFT JOIN (SELECT (SELECT avg(nights) FROM "public".stays) AS dpscalar_value) AS dpscalar_0 ON TRUE
-->   before it: SELECT (SELECT avg(nights) FROM "public".stays) AS dpscalar_value
-->     block 0: SELECT avg(nights) FROM "public".stays

SELECT sum(cost) + (SELECT avg(nights) FROM stays) FROM visits;
--> query: SELECT sum(cost) + (SELECT avg(nights) FROM "public".stays) FROM "public".visits
--> block 0: SELECT sum(cost) + (SELECT avg(nights) FROM "public".stays) FROM "public".visits
--> block 1: SELECT avg(nights) FROM "public".stays

SELECT upper(region || (SELECT min(zone) FROM regions)), count(*) FROM visits GROUP BY region;
--> query: SELECT upper(region || (SELECT min(zone) FROM "public".regions)), count(*) FROM "public".visits GROUP BY region
--> block 0: SELECT upper(region || (SELECT min(zone) FROM "public".regions)), count(*) FROM "public".visits GROUP BY region

SELECT count(*) FROM visits WHERE cost > (SELECT avg(nights) FROM stays);
--> query: SELECT count(*) FROM "public".visits LEFT JOIN (SELECT (SELECT avg(nights) FROM "public".stays) AS dpscalar_value) AS dpscalar_0 ON TRUE WHERE cost > (dpscalar_0.dpscalar_value)
--> block 0: SELECT count(*) FROM "public".visits LEFT JOIN (SELECT (SELECT avg(nights) FROM "public".stays) AS dpscalar_value) AS dpscalar_0 ON TRUE WHERE cost > (dpscalar_0.dpscalar_value)
-->   before it: SELECT (SELECT avg(nights) FROM "public".stays) AS dpscalar_value
-->     block 0: SELECT avg(nights) FROM "public".stays

SELECT count(*) FROM visits WHERE region IN (SELECT name FROM regions WHERE people > 5);
--> query: SELECT count(*) FROM "public".visits WHERE region IN (SELECT name FROM "public".regions WHERE people > 5)
--> block 0: SELECT count(*) FROM "public".visits WHERE region IN (SELECT name FROM "public".regions WHERE people > 5)

SELECT count(*) FROM visits WHERE region IN (SELECT zone FROM regions GROUP BY zone);
--> query: SELECT count(*) FROM "public".visits WHERE region IN (SELECT zone FROM "public".regions GROUP BY zone)
--> block 0: SELECT count(*) FROM "public".visits WHERE region IN (SELECT zone FROM "public".regions GROUP BY zone)
-->   before it: SELECT zone FROM "public".regions GROUP BY zone

SELECT count(*) FROM visits WHERE region IN (SELECT zone FROM regions WHERE people > (SELECT avg(nights) FROM stays));
--> query: SELECT count(*) FROM "public".visits WHERE region IN (SELECT zone FROM "public".regions WHERE people > (SELECT avg(nights) FROM "public".stays))
--> block 0: SELECT count(*) FROM "public".visits WHERE region IN (SELECT zone FROM "public".regions WHERE people > (SELECT avg(nights) FROM "public".stays))
-->   before it: SELECT zone FROM "public".regions WHERE people > (SELECT avg(nights) FROM "public".stays)
-->     block 0: SELECT avg(nights) FROM "public".stays

SELECT count(*) FROM visits WHERE region IN (SELECT zone FROM regions LIMIT 3);
--> query: SELECT count(*) FROM "public".visits WHERE region IN (SELECT zone FROM "public".regions LIMIT 3)
--> block 0: SELECT count(*) FROM "public".visits WHERE region IN (SELECT zone FROM "public".regions LIMIT 3)
-->   before it: SELECT zone FROM "public".regions LIMIT 3

SELECT count(*) FROM visits WHERE region IN (SELECT max(zone) FROM regions);
--> query: SELECT count(*) FROM "public".visits WHERE region IN (SELECT max(zone) FROM "public".regions)
--> block 0: SELECT count(*) FROM "public".visits WHERE region IN (SELECT max(zone) FROM "public".regions)
-->   before it: SELECT max(zone) FROM "public".regions

SELECT count(*) FROM visits WHERE region IN (SELECT max(zone) OVER () FROM regions);
--> query: SELECT count(*) FROM "public".visits WHERE region IN (SELECT max(zone) OVER () FROM "public".regions)
--> block 0: SELECT count(*) FROM "public".visits WHERE region IN (SELECT max(zone) OVER () FROM "public".regions)
-->   before it: SELECT max(zone) OVER () FROM "public".regions

SELECT count(*) FROM visits WHERE region IN (SELECT zone FROM regions, visits);
--> query: SELECT count(*) FROM "public".visits WHERE region IN (SELECT zone FROM "public".regions, "public".visits)
--> block 0: SELECT count(*) FROM "public".visits WHERE region IN (SELECT zone FROM "public".regions, "public".visits)

SELECT count(*) FROM visits WHERE region IN (SELECT zone FROM regions, pg_class);
--> query: SELECT count(*) FROM "public".visits WHERE region IN (SELECT zone FROM "public".regions, pg_class)
--> block 0: SELECT count(*) FROM "public".visits WHERE region IN (SELECT zone FROM "public".regions, pg_class)
-->   before it: SELECT zone FROM "public".regions, pg_class

SELECT count(*) FROM visits WHERE region IN (SELECT r.zone FROM (SELECT * FROM regions) AS r);
--> query: SELECT count(*) FROM "public".visits WHERE region IN (SELECT r.zone FROM (SELECT * FROM "public".regions) AS r)
--> block 0: SELECT count(*) FROM "public".visits WHERE region IN (SELECT r.zone FROM (SELECT * FROM "public".regions) AS r)

SELECT count(*) FROM visits WHERE region IN (SELECT r.zone FROM (SELECT * FROM regions LIMIT 3) AS r);
--> query: SELECT count(*) FROM "public".visits WHERE region IN (SELECT r.zone FROM (SELECT * FROM "public".regions LIMIT 3) AS r)
--> block 0: SELECT count(*) FROM "public".visits WHERE region IN (SELECT r.zone FROM (SELECT * FROM "public".regions LIMIT 3) AS r)
-->   before it: SELECT r.zone FROM (SELECT * FROM "public".regions LIMIT 3) AS r

SELECT count(*) FROM visits WHERE region IN (SELECT 'x');
--> query: SELECT count(*) FROM "public".visits WHERE region IN (SELECT 'x')
--> block 0: SELECT count(*) FROM "public".visits WHERE region IN (SELECT 'x')
-->   before it: SELECT 'x'

SELECT count(*) FROM visits WHERE region IN (SELECT ward FROM stays UNION SELECT name FROM regions);
--> query: SELECT count(*) FROM "public".visits WHERE region IN (SELECT ward FROM "public".stays UNION SELECT name FROM "public".regions)
--> block 0: SELECT count(*) FROM "public".visits WHERE region IN (SELECT ward FROM "public".stays UNION SELECT name FROM "public".regions)
-->   before it: SELECT ward FROM "public".stays UNION SELECT name FROM "public".regions
-->     block 0: SELECT ward FROM "public".stays

SELECT count(*) FROM visits WHERE patient_id IN (SELECT patient_id FROM stays);
--> query: SELECT count(*) FROM "public".visits WHERE patient_id IN (SELECT patient_id FROM "public".stays)
--> block 0: SELECT count(*) FROM "public".visits WHERE patient_id IN (SELECT patient_id FROM "public".stays)

SELECT count(*) FROM visits WHERE patient_id IN (SELECT patient_id FROM stays UNION SELECT patient_id FROM readings);
--> query: SELECT count(*) FROM "public".visits WHERE patient_id IN (SELECT patient_id FROM "public".stays UNION SELECT patient_id FROM "public".readings)
--> block 0: SELECT count(*) FROM "public".visits WHERE patient_id IN (SELECT patient_id FROM "public".stays UNION SELECT patient_id FROM "public".readings)

SELECT count(*) FROM visits v WHERE EXISTS (SELECT count(*) FROM stays s WHERE s.patient_id = v.patient_id);
--> query: SELECT count(*) FROM "public".visits AS v WHERE EXISTS(SELECT count(*) FROM "public".stays AS s WHERE s.patient_id = v.patient_id)
--> block 0: SELECT count(*) FROM "public".visits AS v WHERE EXISTS(SELECT count(*) FROM "public".stays AS s WHERE s.patient_id = v.patient_id)

SELECT count(*) FROM visits v WHERE EXISTS (SELECT FROM stays s WHERE s.patient_id = v.patient_id AND s.nights > (SELECT avg(nights) FROM stays));
--> query: SELECT count(*) FROM "public".visits AS v WHERE EXISTS(SELECT FROM "public".stays AS s LEFT JOIN (SELECT (SELECT avg(nights) FROM "public".stays) AS dpscalar_value) AS dpscalar_0 ON TRUE WHERE s.patient_id = v.patient_id AND s.nights > (dpscalar_0.dpscalar_value))
--> block 0: SELECT count(*) FROM "public".visits AS v WHERE EXISTS(SELECT FROM "public".stays AS s LEFT JOIN (SELECT (SELECT avg(nights) FROM "public".stays) AS dpscalar_value) AS dpscalar_0 ON TRUE WHERE s.patient_id = v.patient_id AND s.nights > (dpscalar_0.dpscalar_value))
-->   before it: SELECT (SELECT avg(nights) FROM "public".stays) AS dpscalar_value
-->     block 0: SELECT avg(nights) FROM "public".stays

SELECT count(*) FROM visits v WHERE EXISTS (SELECT FROM regions);
--> query: SELECT count(*) FROM "public".visits AS v WHERE EXISTS(SELECT FROM "public".regions)
--> block 0: SELECT count(*) FROM "public".visits AS v WHERE EXISTS(SELECT FROM "public".regions)

SELECT count(*) FROM visits v WHERE EXISTS (SELECT FROM regions LIMIT 1);
--> query: SELECT count(*) FROM "public".visits AS v WHERE EXISTS(SELECT FROM "public".regions LIMIT 1)
--> block 0: SELECT count(*) FROM "public".visits AS v WHERE EXISTS(SELECT FROM "public".regions LIMIT 1)
-->   before it: SELECT FROM "public".regions LIMIT 1

SELECT count(*) FROM visits JOIN (SELECT zone, count(*) AS n FROM regions GROUP BY zone) AS z ON z.zone = region;
--> query: SELECT count(*) FROM "public".visits JOIN (SELECT zone, count(*) AS n FROM "public".regions GROUP BY zone) AS z ON z.zone = region
--> block 0: SELECT count(*) FROM "public".visits JOIN (SELECT zone, count(*) AS n FROM "public".regions GROUP BY zone) AS z ON z.zone = region
-->   before it: SELECT zone, count(*) AS n FROM "public".regions GROUP BY zone

SELECT count(*) FROM visits JOIN (SELECT ward, count(*) AS n FROM stays GROUP BY ward) AS z ON z.ward = region;
--> query: SELECT count(*) FROM "public".visits JOIN (SELECT ward, count(*) AS n FROM "public".stays GROUP BY ward) AS z ON z.ward = region
--> block 0: SELECT count(*) FROM "public".visits JOIN (SELECT ward, count(*) AS n FROM "public".stays GROUP BY ward) AS z ON z.ward = region
-->   before it: SELECT ward, count(*) AS n FROM "public".stays GROUP BY ward
-->     block 0: SELECT ward, count(*) AS n FROM "public".stays GROUP BY ward

SELECT count(*) FROM visits JOIN (SELECT patient_id, count(*) AS n FROM stays GROUP BY patient_id) AS z USING (patient_id);
--> query: SELECT count(*) FROM "public".visits JOIN (SELECT patient_id, count(*) AS n FROM "public".stays GROUP BY patient_id) AS z USING (patient_id)
--> block 0: SELECT count(*) FROM "public".visits JOIN (SELECT patient_id, count(*) AS n FROM "public".stays GROUP BY patient_id) AS z USING (patient_id)

SELECT count(*) FROM visits v JOIN stays s ON s.patient_id = v.patient_id AND s.nights > (SELECT avg(nights) FROM stays);
--> query: SELECT count(*) FROM "public".visits AS v JOIN "public".stays AS s ON s.patient_id = v.patient_id AND s.nights > (SELECT avg(nights) FROM "public".stays)
--> block 0: SELECT count(*) FROM "public".visits AS v JOIN "public".stays AS s ON s.patient_id = v.patient_id AND s.nights > (SELECT avg(nights) FROM "public".stays)
-->   before it: SELECT avg(nights) FROM "public".stays
-->     block 0: SELECT avg(nights) FROM "public".stays

SELECT count(*) FROM visits v JOIN stays s ON s.patient_id = v.patient_id AND s.ward IN (SELECT zone FROM regions GROUP BY zone);
--> query: SELECT count(*) FROM "public".visits AS v JOIN "public".stays AS s ON s.patient_id = v.patient_id AND s.ward IN (SELECT zone FROM "public".regions GROUP BY zone)
--> block 0: SELECT count(*) FROM "public".visits AS v JOIN "public".stays AS s ON s.patient_id = v.patient_id AND s.ward IN (SELECT zone FROM "public".regions GROUP BY zone)
-->   before it: SELECT zone FROM "public".regions GROUP BY zone

SELECT count(*) FROM (SELECT * FROM visits WHERE cost > (SELECT avg(nights) FROM stays)) AS t;
--> query: SELECT count(*) FROM (SELECT "visits".* FROM "public".visits LEFT JOIN (SELECT (SELECT avg(nights) FROM "public".stays) AS dpscalar_value) AS dpscalar_0 ON TRUE WHERE cost > (dpscalar_0.dpscalar_value)) AS t
--> block 0: SELECT count(*) FROM (SELECT "visits".* FROM "public".visits LEFT JOIN (SELECT (SELECT avg(nights) FROM "public".stays) AS dpscalar_value) AS dpscalar_0 ON TRUE WHERE cost > (dpscalar_0.dpscalar_value)) AS t
-->   before it: SELECT (SELECT avg(nights) FROM "public".stays) AS dpscalar_value
-->     block 0: SELECT avg(nights) FROM "public".stays

SELECT count(*) FROM (SELECT patient_id FROM visits WHERE cost > (SELECT avg(nights) FROM stays) UNION ALL SELECT patient_id FROM stays WHERE nights > (SELECT avg(cost) FROM visits)) AS t;
--> query: SELECT count(*) FROM (SELECT patient_id FROM "public".visits LEFT JOIN (SELECT (SELECT avg(nights) FROM "public".stays) AS dpscalar_value) AS dpscalar_0 ON TRUE WHERE cost > (dpscalar_0.dpscalar_value) UNION ALL SELECT patient_id FROM "public".stays LEFT JOIN (SELECT (SELECT avg(cost) FROM "public".visits) AS dpscalar_value) AS dpscalar_1 ON TRUE WHERE nights > (dpscalar_1.dpscalar_value)) AS t
--> block 0: SELECT count(*) FROM (SELECT patient_id FROM "public".visits LEFT JOIN (SELECT (SELECT avg(nights) FROM "public".stays) AS dpscalar_value) AS dpscalar_0 ON TRUE WHERE cost > (dpscalar_0.dpscalar_value) UNION ALL SELECT patient_id FROM "public".stays LEFT JOIN (SELECT (SELECT avg(cost) FROM "public".visits) AS dpscalar_value) AS dpscalar_1 ON TRUE WHERE nights > (dpscalar_1.dpscalar_value)) AS t
-->   before it: SELECT (SELECT avg(nights) FROM "public".stays) AS dpscalar_value
-->     block 0: SELECT avg(nights) FROM "public".stays
-->   before it: SELECT (SELECT avg(cost) FROM "public".visits) AS dpscalar_value
-->     block 0: SELECT avg(cost) FROM "public".visits

SELECT count(*) FROM (SELECT name FROM regions WHERE people > (SELECT avg(nights) FROM stays)) AS r JOIN visits ON region = name;
--> query: SELECT count(*) FROM (SELECT name FROM "public".regions WHERE people > (SELECT avg(nights) FROM "public".stays)) AS r JOIN "public".visits ON region = name
--> block 0: SELECT count(*) FROM (SELECT name FROM "public".regions WHERE people > (SELECT avg(nights) FROM "public".stays)) AS r JOIN "public".visits ON region = name
-->   before it: SELECT name FROM "public".regions WHERE people > (SELECT avg(nights) FROM "public".stays)
-->     block 0: SELECT avg(nights) FROM "public".stays

SELECT count(*) FROM (SELECT DISTINCT patient_id FROM visits) AS t;
--> query: SELECT count(*) FROM (SELECT DISTINCT patient_id FROM "public".visits) AS t
--> block 0: SELECT count(*) FROM (SELECT DISTINCT patient_id FROM "public".visits) AS t

SELECT count(*) FROM (SELECT DISTINCT * FROM visits) AS t;
--> query: SELECT count(*) FROM (SELECT DISTINCT * FROM "public".visits) AS t
--> block 0: SELECT count(*) FROM (SELECT DISTINCT * FROM "public".visits) AS t

SELECT count(*) FROM (SELECT DISTINCT v.* FROM visits v) AS t;
--> query: SELECT count(*) FROM (SELECT DISTINCT v.* FROM "public".visits AS v) AS t
--> block 0: SELECT count(*) FROM (SELECT DISTINCT v.* FROM "public".visits AS v) AS t

SELECT count(*) FROM (SELECT DISTINCT region FROM visits) AS t;
--> query: SELECT count(*) FROM (SELECT DISTINCT region FROM "public".visits) AS t
--> block 0: SELECT DISTINCT region FROM "public".visits

SELECT count(*) FROM (SELECT DISTINCT patient_id + 1 FROM visits) AS t;
--> query: SELECT count(*) FROM (SELECT DISTINCT patient_id + 1 FROM "public".visits) AS t
--> block 0: SELECT count(*) FROM (SELECT DISTINCT patient_id + 1 FROM "public".visits) AS t

SELECT count(*) FROM (SELECT region AS patient_id FROM visits GROUP BY patient_id) AS t;
--> query: SELECT count(*) FROM (SELECT region AS patient_id FROM "public".visits GROUP BY patient_id) AS t
--> block 0: SELECT count(*) FROM (SELECT region AS patient_id FROM "public".visits GROUP BY patient_id) AS t

SELECT count(*) FROM (SELECT patient_id AS p, count(*) FROM visits GROUP BY p) AS t;
--> query: SELECT count(*) FROM (SELECT patient_id AS p, count(*) FROM "public".visits GROUP BY p) AS t
--> block 0: SELECT count(*) FROM (SELECT patient_id AS p, count(*) FROM "public".visits GROUP BY p) AS t

SELECT count(*) FROM (SELECT p AS q, region AS p FROM (SELECT patient_id AS p, region FROM visits) AS s GROUP BY q, p, region) AS t;
--> query: SELECT count(*) FROM (SELECT p AS q, region AS p FROM (SELECT patient_id AS p, region FROM "public".visits) AS s GROUP BY q, p, region) AS t
--> block 0: SELECT count(*) FROM (SELECT p AS q, region AS p FROM (SELECT patient_id AS p, region FROM "public".visits) AS s GROUP BY q, p, region) AS t

SELECT count(*) FROM (SELECT region AS p, count(*) FROM visits GROUP BY p) AS t;
--> query: SELECT count(*) FROM (SELECT region AS p, count(*) FROM "public".visits GROUP BY p) AS t
--> block 0: SELECT region AS p, count(*) FROM "public".visits GROUP BY p

SELECT count(*) FROM (SELECT x AS x, count(*) FROM visits GROUP BY x) AS t;
--> query: SELECT count(*) FROM (SELECT x AS x, count(*) FROM "public".visits GROUP BY x) AS t
--> block 0: SELECT x AS x, count(*) FROM "public".visits GROUP BY x

SELECT count(*) FROM (SELECT region, patient_id, count(*) FROM visits GROUP BY 2, 1) AS t;
--> query: SELECT count(*) FROM (SELECT region, patient_id, count(*) FROM "public".visits GROUP BY 2, 1) AS t
--> block 0: SELECT count(*) FROM (SELECT region, patient_id, count(*) FROM "public".visits GROUP BY 2, 1) AS t

SELECT count(*) FROM (SELECT region, patient_id, count(*) FROM visits GROUP BY 1, '2') AS t;
--> query: SELECT count(*) FROM (SELECT region, patient_id, count(*) FROM "public".visits GROUP BY 1, '2') AS t
--> block 0: SELECT count(*) FROM (SELECT region, patient_id, count(*) FROM "public".visits GROUP BY 1, '2') AS t

SELECT count(*) FROM (SELECT region, patient_id FROM visits GROUP BY 1, 2, 3) AS t;
--> query: SELECT count(*) FROM (SELECT region, patient_id FROM "public".visits GROUP BY 1, 2, 3) AS t
--> block 0: SELECT count(*) FROM (SELECT region, patient_id FROM "public".visits GROUP BY 1, 2, 3) AS t

SELECT count(*) FROM (SELECT lower(region), count(*) FROM visits GROUP BY lower(region)) AS t;
--> query: SELECT count(*) FROM (SELECT lower(region), count(*) FROM "public".visits GROUP BY lower(region)) AS t
--> block 0: SELECT lower(region), count(*) FROM "public".visits GROUP BY lower(region)

SELECT count(*) FROM (SELECT region FROM visits GROUP BY v.*) AS t;
--> query: SELECT count(*) FROM (SELECT region FROM "public".visits GROUP BY v.*) AS t
--> block 0: SELECT region FROM "public".visits GROUP BY v.*

SELECT count(*) FROM (SELECT 1 FROM visits HAVING true) AS t;
--> query: SELECT count(*) FROM (SELECT 1 FROM "public".visits HAVING TRUE) AS t
--> block 0: SELECT 1 FROM "public".visits HAVING TRUE

SELECT count(*) FROM (SELECT 1 FROM visits HAVING count(*) > 5) AS t;
--> query: SELECT count(*) FROM (SELECT 1 FROM "public".visits HAVING count(*) > 5) AS t
--> block 0: SELECT 1 FROM "public".visits HAVING count(*) > 5

SELECT count(*) FROM (SELECT max(cost) OVER (PARTITION BY patient_id) FROM visits) AS t;
--> query: SELECT count(*) FROM (SELECT max(cost) OVER (PARTITION BY patient_id) FROM "public".visits) AS t
--> block 0: SELECT count(*) FROM (SELECT max(cost) OVER (PARTITION BY patient_id) FROM "public".visits) AS t

SELECT count(*) FROM (SELECT string_agg(region, ',') FROM visits) AS t;
--> query: SELECT count(*) FROM (SELECT STRING_AGG(region, ',') FROM "public".visits) AS t
--> block 0: SELECT STRING_AGG(region, ',') FROM "public".visits

SELECT count(*) FROM (SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY cost) FROM visits) AS t;
--> query: SELECT count(*) FROM (SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY cost) FROM "public".visits) AS t
--> block 0: SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY cost) FROM "public".visits

SELECT count(*) FROM (SELECT (percentile_cont(0.5) WITHIN GROUP (ORDER BY cost)) FILTER (WHERE urgent) FROM visits) AS t;
--> refused 0A000 parse: dpproxy could not parse this query

SELECT region, rank() OVER (PARTITION BY count(*) ORDER BY region) FROM visits GROUP BY region;
--> query: SELECT region, rank() OVER (PARTITION BY count(*) ORDER BY region) FROM "public".visits GROUP BY region
--> block 0: SELECT region, rank() OVER (PARTITION BY count(*) ORDER BY region) FROM "public".visits GROUP BY region

SELECT dp.low(count(*)), dp.stddev(count(*)) FROM visits;
--> query: SELECT dp.low(count(*)), dp.stddev(count(*)) FROM "public".visits
--> block 0: SELECT dp.low(count(*)), dp.stddev(count(*)) FROM "public".visits

SELECT dp.low(count(*)) FROM (SELECT count(*) FROM visits) AS t;
--> refused 0A000 noise-interval: dp.low() requires a number with noise

SELECT low(5) FROM visits;
--> refused 0A000 noise-interval: dp.low() requires an aggregate over private rows of the same SELECT

SELECT public.low(count(*)) FROM visits;
--> query: SELECT public.low(count(*)) FROM "public".visits
--> block 0: SELECT public.low(count(*)) FROM "public".visits

SELECT count(*) FROM (SELECT public.stddev(cost) FROM visits) AS t;
--> query: SELECT count(*) FROM (SELECT public.stddev(cost) FROM "public".visits) AS t
--> block 0: SELECT public.stddev(cost) FROM "public".visits

SELECT count(*) FROM (SELECT dp.stddev(cost) FROM visits) AS t;
--> refused 0A000 noise-interval: dp.stddev() requires an aggregate over private rows of the same SELECT

SELECT count(*) FROM visits v, (visits w JOIN (SELECT avg(nights) AS n FROM stays) AS s ON true);
--> query: SELECT count(*) FROM "public".visits AS v, ("public".visits AS w JOIN (SELECT avg(nights) AS n FROM "public".stays) AS s ON TRUE)
--> block 0: SELECT count(*) FROM "public".visits AS v, ("public".visits AS w JOIN (SELECT avg(nights) AS n FROM "public".stays) AS s ON TRUE)
-->   before it: SELECT avg(nights) AS n FROM "public".stays
-->     block 0: SELECT avg(nights) AS n FROM "public".stays

SELECT count(*) FROM (VALUES (1), (2)) AS x (a);
--> query: SELECT count(*) FROM (VALUES (1), (2)) AS x(a)

SELECT count(*) FROM visits, (VALUES (1), (2)) AS x (a);
--> query: SELECT count(*) FROM "public".visits, (SELECT * FROM (VALUES (1), (2)) AS x(a)) AS x
--> block 0: SELECT count(*) FROM "public".visits, (SELECT * FROM (VALUES (1), (2)) AS x(a)) AS x
-->   before it: SELECT * FROM (VALUES (1), (2)) AS x(a)

SELECT count(*) FROM visits, generate_series(1, 3) AS g;
--> query: SELECT count(*) FROM "public".visits, (SELECT * FROM generate_series(1, 3) AS g) AS g
--> block 0: SELECT count(*) FROM "public".visits, (SELECT * FROM generate_series(1, 3) AS g) AS g
-->   before it: SELECT * FROM generate_series(1, 3) AS g

SELECT count(*) FROM visits, generate_series(1, 3);
--> query: SELECT count(*) FROM "public".visits, (SELECT * FROM generate_series(1, 3)) AS generate_series
--> block 0: SELECT count(*) FROM "public".visits, (SELECT * FROM generate_series(1, 3)) AS generate_series
-->   before it: SELECT * FROM generate_series(1, 3)

SELECT count(*) FROM visits, generate_series(1, minutes) AS g;
--> query: SELECT count(*) FROM "public".visits, generate_series(1, minutes) AS g
--> block 0: SELECT count(*) FROM "public".visits, generate_series(1, minutes) AS g

SELECT count(*) FROM visits, unnest(ARRAY[1, 2]);
--> query: SELECT count(*) FROM "public".visits, (SELECT * FROM UNNEST(ARRAY[1, 2])) AS unnest
--> block 0: SELECT count(*) FROM "public".visits, (SELECT * FROM UNNEST(ARRAY[1, 2])) AS unnest
-->   before it: SELECT * FROM UNNEST(ARRAY[1, 2])

SELECT count(*) FROM visits, ROWS FROM (generate_series(1, 3), generate_series(1, 2)) AS g (a, b);
--> query: SELECT count(*) FROM "public".visits, (SELECT * FROM ROWS FROM (generate_series(1, 3), generate_series(1, 2)) AS g(a, b)) AS g
--> block 0: SELECT count(*) FROM "public".visits, (SELECT * FROM ROWS FROM (generate_series(1, 3), generate_series(1, 2)) AS g(a, b)) AS g
-->   before it: SELECT * FROM ROWS FROM (generate_series(1, 3), generate_series(1, 2)) AS g(a, b)

SELECT count(*) FROM visits, LATERAL generate_series(1, 3) AS g;
--> query: SELECT count(*) FROM "public".visits, (SELECT * FROM LATERAL generate_series(1, 3) AS g) AS g
--> block 0: SELECT count(*) FROM "public".visits, (SELECT * FROM LATERAL generate_series(1, 3) AS g) AS g
-->   before it: SELECT * FROM LATERAL generate_series(1, 3) AS g

SELECT count(*) FROM regions, generate_series(1, 3) AS g;
--> query: SELECT count(*) FROM "public".regions, generate_series(1, 3) AS g

SELECT n FROM (SELECT count(*) AS n FROM visits, (VALUES (1), (2)) AS x (a) WHERE minutes > a) AS t;
--> query: SELECT n FROM (SELECT count(*) AS n FROM "public".visits, (SELECT * FROM (VALUES (1), (2)) AS x(a)) AS x WHERE minutes > a) AS t
--> block 0: SELECT count(*) AS n FROM "public".visits, (SELECT * FROM (VALUES (1), (2)) AS x(a)) AS x WHERE minutes > a
-->   before it: SELECT * FROM (VALUES (1), (2)) AS x(a)

SELECT count(*) FROM (SELECT 1 FROM stays UNION ALL SELECT count(*) FROM visits) AS t;
--> query: SELECT count(*) FROM (SELECT 1 FROM "public".stays UNION ALL SELECT count(*) FROM "public".visits) AS t
--> block 0: SELECT 1 FROM "public".stays
--> block 1: SELECT count(*) FROM "public".visits

SELECT max((SELECT count(*) + (SELECT count(*) FROM stays) FROM visits)) FROM regions;
--> query: SELECT max((SELECT count(*) + (SELECT count(*) FROM "public".stays) FROM "public".visits)) FROM "public".regions
--> block 0: SELECT count(*) + (SELECT count(*) FROM "public".stays) FROM "public".visits
--> block 1: SELECT count(*) FROM "public".stays

SELECT count(*) FILTER (WHERE region IN (SELECT zone FROM regions LIMIT 3)) FROM visits;
--> query: SELECT count(*) FILTER(WHERE region IN (SELECT zone FROM "public".regions LIMIT 3)) FROM "public".visits
--> block 0: SELECT count(*) FILTER(WHERE region IN (SELECT zone FROM "public".regions LIMIT 3)) FROM "public".visits
-->   before it: SELECT zone FROM "public".regions LIMIT 3

SELECT sum(CASE WHEN region IN (SELECT zone FROM regions LIMIT 3) THEN 1 ELSE 0 END) FROM visits;
--> query: SELECT sum(CASE WHEN region IN (SELECT zone FROM "public".regions LIMIT 3) THEN 1 ELSE 0 END) FROM "public".visits
--> block 0: SELECT sum(CASE WHEN region IN (SELECT zone FROM "public".regions LIMIT 3) THEN 1 ELSE 0 END) FROM "public".visits
-->   before it: SELECT zone FROM "public".regions LIMIT 3

SELECT count(*) FROM visits WHERE region IN (SELECT DISTINCT ward FROM stays);
--> query: SELECT count(*) FROM "public".visits WHERE region IN (SELECT DISTINCT ward FROM "public".stays)
--> block 0: SELECT count(*) FROM "public".visits WHERE region IN (SELECT DISTINCT ward FROM "public".stays)
-->   before it: SELECT DISTINCT ward FROM "public".stays
-->     block 0: SELECT DISTINCT ward FROM "public".stays

SELECT count(*) FROM visits JOIN (SELECT DISTINCT ward FROM stays) AS s ON ward = region;
--> query: SELECT count(*) FROM "public".visits JOIN (SELECT DISTINCT ward FROM "public".stays) AS s ON ward = region
--> block 0: SELECT count(*) FROM "public".visits JOIN (SELECT DISTINCT ward FROM "public".stays) AS s ON ward = region
-->   before it: SELECT DISTINCT ward FROM "public".stays
-->     block 0: SELECT DISTINCT ward FROM "public".stays

SELECT count(*) FROM (SELECT region FROM visits GROUP BY 'x') AS t;
--> query: SELECT count(*) FROM (SELECT region FROM "public".visits GROUP BY 'x') AS t
--> block 0: SELECT region FROM "public".visits GROUP BY 'x'

SELECT count(*) FROM (SELECT region FROM visits GROUP BY 5) AS t;
--> query: SELECT count(*) FROM (SELECT region FROM "public".visits GROUP BY 5) AS t
--> block 0: SELECT region FROM "public".visits GROUP BY 5

SELECT count(*) FROM (SELECT region AS "2", patient_id FROM visits GROUP BY "2") AS t;
--> query: SELECT count(*) FROM (SELECT region AS "2", patient_id FROM "public".visits GROUP BY "2") AS t
--> block 0: SELECT region AS "2", patient_id FROM "public".visits GROUP BY "2"

SELECT count(*) FROM visits JOIN (SELECT zone FROM regions r WHERE EXISTS (SELECT FROM prices p WHERE p.code = r.zone) LIMIT 3) AS z ON z.zone = region;
--> query: SELECT count(*) FROM "public".visits JOIN (SELECT zone FROM "public".regions AS r WHERE EXISTS(SELECT FROM "public".prices AS p WHERE p.code = r.zone) LIMIT 3) AS z ON z.zone = region
--> block 0: SELECT count(*) FROM "public".visits JOIN (SELECT zone FROM "public".regions AS r WHERE EXISTS(SELECT FROM "public".prices AS p WHERE p.code = r.zone) LIMIT 3) AS z ON z.zone = region
-->   before it: SELECT zone FROM "public".regions AS r WHERE EXISTS(SELECT FROM "public".prices AS p WHERE p.code = r.zone) LIMIT 3

SELECT count(*) FROM visits JOIN (SELECT r.zone FROM regions r JOIN prices p ON EXISTS (SELECT FROM regions q WHERE q.name = p.code) LIMIT 3) AS z ON z.zone = region;
--> query: SELECT count(*) FROM "public".visits JOIN (SELECT r.zone FROM "public".regions AS r JOIN "public".prices AS p ON EXISTS(SELECT FROM "public".regions AS q WHERE q.name = p.code) LIMIT 3) AS z ON z.zone = region
--> block 0: SELECT count(*) FROM "public".visits JOIN (SELECT r.zone FROM "public".regions AS r JOIN "public".prices AS p ON EXISTS(SELECT FROM "public".regions AS q WHERE q.name = p.code) LIMIT 3) AS z ON z.zone = region
-->   before it: SELECT r.zone FROM "public".regions AS r JOIN "public".prices AS p ON EXISTS(SELECT FROM "public".regions AS q WHERE q.name = p.code) LIMIT 3

SELECT count(*) FROM visits v WHERE minutes IN (WITH c AS (SELECT max(people) AS m FROM regions r WHERE r.name = v.region) SELECT m FROM c AS v);
--> refused 0A000 correlation: this correlated subquery is not supported

SELECT count(*) FROM visits v WHERE minutes IN (SELECT s.people FROM prices v, (SELECT people FROM regions r WHERE r.name = v.region LIMIT 1) AS s LIMIT 5);
--> refused 0A000 correlation: this correlated subquery is not supported

SELECT count(*) FROM visits v WHERE minutes IN (SELECT s.people FROM prices v, LATERAL (SELECT people FROM regions r WHERE r.name = v.code LIMIT 1) AS s LIMIT 5);
--> query: SELECT count(*) FROM "public".visits AS v WHERE minutes IN (SELECT s.people FROM "public".prices AS v, LATERAL (SELECT people FROM "public".regions AS r WHERE r.name = v.code LIMIT 1) AS s LIMIT 5)
--> block 0: SELECT count(*) FROM "public".visits AS v WHERE minutes IN (SELECT s.people FROM "public".prices AS v, LATERAL (SELECT people FROM "public".regions AS r WHERE r.name = v.code LIMIT 1) AS s LIMIT 5)
-->   before it: SELECT s.people FROM "public".prices AS v, LATERAL (SELECT people FROM "public".regions AS r WHERE r.name = v.code LIMIT 1) AS s LIMIT 5

SELECT count(*) FROM visits, json_to_record('{}') AS (a int);
--> refused 0A000 parse: dpproxy could not parse this query

SELECT count(*) FROM (SELECT patient_id, max FROM (SELECT patient_id, cost AS max FROM visits) AS s) AS t;
--> query: SELECT count(*) FROM (SELECT patient_id, max FROM (SELECT patient_id, cost AS max FROM "public".visits) AS s) AS t
--> block 0: SELECT count(*) FROM (SELECT patient_id, max FROM (SELECT patient_id, cost AS max FROM "public".visits) AS s) AS t

SELECT count(*) FROM visits WHERE region IN (SELECT max FROM (SELECT zone AS max FROM regions) AS s);
--> query: SELECT count(*) FROM "public".visits WHERE region IN (SELECT max FROM (SELECT zone AS max FROM "public".regions) AS s)
--> block 0: SELECT count(*) FROM "public".visits WHERE region IN (SELECT max FROM (SELECT zone AS max FROM "public".regions) AS s)
