SELECT region, count(*) FROM visits WHERE cost > 5 AND cost < 4 GROUP BY region;
--> path: general
--> declared keys: SELECT DISTINCT d0.c0 AS k0 FROM (SELECT DISTINCT "name"::text AS c0 FROM "public"."regions" WHERE "name" IS NOT NULL UNION ALL SELECT NULL) AS d0 LIMIT 100001
--> Differentially private aggregate of public.visits
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows per group, squared and summed <= 500)
-->   Group keys: region: declared (public.regions.name); every key is answered, empty ones as noise around 0
-->   Noisy number 1: rows; standard deviation 223.607, 95 % of the noise within ±438.262
-->   count(*): from noisy number 1
-->   95 % of the noise: count(*) within ±438 rows
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.visits.cost, public.visits.patient_id, public.visits.region
--> rests on: public.visits (visit_id)
--> work of a row: 28430 ns
--> source: WITH heavy AS MATERIALIZED (SELECT unit FROM (SELECT t0."patient_id" AS unit FROM "public"."visits" AS t0 WHERE ((t0."cost" < 4) AND (t0."cost" > 5)) ORDER BY 1) AS r GROUP BY unit HAVING count(*) > 22) SELECT k0, sum(v0) AS v0 FROM (SELECT x0 AS k0, count(*)::numeric * 1024 AS v0 FROM (SELECT (((CASE WHEN octet_length(t0."region") > 4000 THEN CASE WHEN pg_column_size(t0."region") <= 1000000 THEN left(t0."region", 2000) ELSE '' END ELSE t0."region" END))::text COLLATE "C") AS x0 FROM "public"."visits" AS t0 WHERE ((t0."cost" < 4) AND (t0."cost" > 5)) AND NOT EXISTS (SELECT FROM heavy AS h WHERE h.unit = t0."patient_id")) AS r GROUP BY 1 UNION ALL SELECT k0, sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, sum(n * n) OVER w AS q FROM (SELECT unit, k0, LEAST(n, 3037000499) AS n, LEAST(n, 3037000499) AS v0 FROM (SELECT x0 AS unit, x1 AS k0, count(*) AS n FROM (SELECT t0."patient_id" AS x0, (((CASE WHEN octet_length(t0."region") > 4000 THEN CASE WHEN pg_column_size(t0."region") <= 1000000 THEN left(t0."region", 2000) ELSE '' END ELSE t0."region" END))::text COLLATE "C") AS x1 FROM "public"."visits" AS t0 WHERE ((t0."cost" < 4) AND (t0."cost" > 5)) AND EXISTS (SELECT FROM heavy AS h WHERE h.unit = t0."patient_id")) AS r GROUP BY 1, 2) AS counted) AS per_unit WINDOW w AS (PARTITION BY unit)) AS sized) AS scaled GROUP BY 1) AS parts GROUP BY 1

SELECT region, count(*) FROM visits WHERE diagnosis NOT IN ('flu', 'cold', 'other') GROUP BY region;
--> path: general
--> declared keys: SELECT DISTINCT d0.c0 AS k0 FROM (SELECT DISTINCT "name"::text AS c0 FROM "public"."regions" WHERE "name" IS NOT NULL UNION ALL SELECT NULL) AS d0 LIMIT 100001
--> Differentially private aggregate of public.visits
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows per group, squared and summed <= 500)
-->   Group keys: region: declared (public.regions.name); every key is answered, empty ones as noise around 0
-->   Noisy number 1: rows; standard deviation 223.607, 95 % of the noise within ±438.262
-->   count(*): from noisy number 1
-->   95 % of the noise: count(*) within ±438 rows
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.visits.diagnosis, public.visits.patient_id, public.visits.region
--> rests on: public.visits (visit_id)
--> work of a row: 60520 ns
--> source: WITH heavy AS MATERIALIZED (SELECT unit FROM (SELECT t0."patient_id" AS unit FROM "public"."visits" AS t0 WHERE (NOT ((CASE WHEN octet_length(t0."diagnosis") > 4000 THEN CASE WHEN pg_column_size(t0."diagnosis") <= 1000000 THEN left(t0."diagnosis", 2000) ELSE '' END ELSE t0."diagnosis" END) IN ('cold', 'flu', 'other'))) ORDER BY 1) AS r GROUP BY unit HAVING count(*) > 22) SELECT k0, sum(v0) AS v0 FROM (SELECT x0 AS k0, count(*)::numeric * 1024 AS v0 FROM (SELECT (((CASE WHEN octet_length(t0."region") > 4000 THEN CASE WHEN pg_column_size(t0."region") <= 1000000 THEN left(t0."region", 2000) ELSE '' END ELSE t0."region" END))::text COLLATE "C") AS x0 FROM "public"."visits" AS t0 WHERE (NOT ((CASE WHEN octet_length(t0."diagnosis") > 4000 THEN CASE WHEN pg_column_size(t0."diagnosis") <= 1000000 THEN left(t0."diagnosis", 2000) ELSE '' END ELSE t0."diagnosis" END) IN ('cold', 'flu', 'other'))) AND NOT EXISTS (SELECT FROM heavy AS h WHERE h.unit = t0."patient_id")) AS r GROUP BY 1 UNION ALL SELECT k0, sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, sum(n * n) OVER w AS q FROM (SELECT unit, k0, LEAST(n, 3037000499) AS n, LEAST(n, 3037000499) AS v0 FROM (SELECT x0 AS unit, x1 AS k0, count(*) AS n FROM (SELECT t0."patient_id" AS x0, (((CASE WHEN octet_length(t0."region") > 4000 THEN CASE WHEN pg_column_size(t0."region") <= 1000000 THEN left(t0."region", 2000) ELSE '' END ELSE t0."region" END))::text COLLATE "C") AS x1 FROM "public"."visits" AS t0 WHERE (NOT ((CASE WHEN octet_length(t0."diagnosis") > 4000 THEN CASE WHEN pg_column_size(t0."diagnosis") <= 1000000 THEN left(t0."diagnosis", 2000) ELSE '' END ELSE t0."diagnosis" END) IN ('cold', 'flu', 'other'))) AND EXISTS (SELECT FROM heavy AS h WHERE h.unit = t0."patient_id")) AS r GROUP BY 1, 2) AS counted) AS per_unit WINDOW w AS (PARTITION BY unit)) AS sized) AS scaled GROUP BY 1) AS parts GROUP BY 1

SELECT region, count(*) FROM (SELECT patient_id, region, count(*) AS n FROM visits GROUP BY 1, 2) AS t WHERE n > 3 GROUP BY region;
--> path: general
--> declared keys: SELECT DISTINCT d0.c0 AS k0 FROM (SELECT DISTINCT "name"::text AS c0 FROM "public"."regions" WHERE "name" IS NOT NULL UNION ALL SELECT NULL) AS d0 LIMIT 100001
--> Differentially private aggregate of public.visits
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows per group, squared and summed <= 500)
-->   Group keys: region: declared (public.regions.name); every key is answered, empty ones as noise around 0
-->   Noisy number 1: rows; standard deviation 223.607, 95 % of the noise within ±438.262
-->   count(*): from noisy number 1
-->   95 % of the noise: count(*) within ±438 rows
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.visits.patient_id, public.visits.region
--> rests on: public.visits (visit_id)
--> work of a row: 75756 ns
--> source: WITH heavy AS MATERIALIZED (SELECT unit FROM (SELECT t0.unit AS unit FROM (SELECT t0t0."patient_id" AS unit, t0t0."patient_id" AS c0, ((CASE WHEN octet_length(t0t0."region") > 4000 THEN CASE WHEN pg_column_size(t0t0."region") <= 1000000 THEN left(t0t0."region", 2000) ELSE '' END ELSE t0t0."region" END))::text AS c1, count(*) AS c2 FROM "public"."visits" AS t0t0 GROUP BY t0t0."patient_id", ((CASE WHEN octet_length(t0t0."region") > 4000 THEN CASE WHEN pg_column_size(t0t0."region") <= 1000000 THEN left(t0t0."region", 2000) ELSE '' END ELSE t0t0."region" END))::text) AS t0 WHERE (t0.c2 > 3) ORDER BY 1) AS r GROUP BY unit HAVING count(*) > 22) SELECT k0, sum(v0) AS v0 FROM (SELECT x0 AS k0, count(*)::numeric * 1024 AS v0 FROM (SELECT ((t0.c1)::text COLLATE "C") AS x0 FROM (SELECT t0t0."patient_id" AS unit, t0t0."patient_id" AS c0, ((CASE WHEN octet_length(t0t0."region") > 4000 THEN CASE WHEN pg_column_size(t0t0."region") <= 1000000 THEN left(t0t0."region", 2000) ELSE '' END ELSE t0t0."region" END))::text AS c1, count(*) AS c2 FROM "public"."visits" AS t0t0 GROUP BY t0t0."patient_id", ((CASE WHEN octet_length(t0t0."region") > 4000 THEN CASE WHEN pg_column_size(t0t0."region") <= 1000000 THEN left(t0t0."region", 2000) ELSE '' END ELSE t0t0."region" END))::text) AS t0 WHERE (t0.c2 > 3) AND NOT EXISTS (SELECT FROM heavy AS h WHERE h.unit = t0.unit)) AS r GROUP BY 1 UNION ALL SELECT k0, sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, sum(n * n) OVER w AS q FROM (SELECT unit, k0, LEAST(n, 3037000499) AS n, LEAST(n, 3037000499) AS v0 FROM (SELECT x0 AS unit, x1 AS k0, count(*) AS n FROM (SELECT t0.unit AS x0, ((t0.c1)::text COLLATE "C") AS x1 FROM (SELECT t0t0."patient_id" AS unit, t0t0."patient_id" AS c0, ((CASE WHEN octet_length(t0t0."region") > 4000 THEN CASE WHEN pg_column_size(t0t0."region") <= 1000000 THEN left(t0t0."region", 2000) ELSE '' END ELSE t0t0."region" END))::text AS c1, count(*) AS c2 FROM "public"."visits" AS t0t0 GROUP BY t0t0."patient_id", ((CASE WHEN octet_length(t0t0."region") > 4000 THEN CASE WHEN pg_column_size(t0t0."region") <= 1000000 THEN left(t0t0."region", 2000) ELSE '' END ELSE t0t0."region" END))::text) AS t0 WHERE (t0.c2 > 3) AND EXISTS (SELECT FROM heavy AS h WHERE h.unit = t0.unit)) AS r GROUP BY 1, 2) AS counted) AS per_unit WINDOW w AS (PARTITION BY unit)) AS sized) AS scaled GROUP BY 1) AS parts GROUP BY 1

SELECT zone, count(*) FROM patients p JOIN regions r ON r.name = p.region WHERE r.zone <> 'hill' GROUP BY zone;
--> path: unique
--> declared keys: SELECT DISTINCT d0.c0 AS k0 FROM (SELECT DISTINCT p."zone" AS c0 FROM "public"."regions" AS p) AS d0 WHERE (d0.c0 <> 'hill') LIMIT 100001
--> Differentially private aggregate of public.patients joined with public.regions
-->   Privacy unit: patient, by public.patients.patient_id
-->   Contribution: one row per unit, proven by a unique key of the source; no unit is scaled down
-->   Group keys: zone: declared (rows of public.regions); every key is answered, empty ones as noise around 0
-->   Noisy number 1: rows; standard deviation 10, 95 % of the noise within ±20
-->   count(*): from noisy number 1
-->   95 % of the noise: count(*) within ±20 rows
-->   Noise intervals (dp.low, dp.high): cover everything, nothing is clipped
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.patients.patient_id, public.patients.region, public.regions.name, public.regions.zone
--> rests on: public.regions (name)
--> rests on: public.patients (patient_id)
--> work of a row: 98204 ns
--> source: SELECT x0 AS k0, count(*) AS s0 FROM (SELECT (((CASE WHEN octet_length(t1."zone") > 4000 THEN CASE WHEN pg_column_size(t1."zone") <= 1000000 THEN left(t1."zone", 2000) ELSE '' END ELSE t1."zone" END))::text COLLATE "C") AS x0 FROM "public"."patients" AS t0 INNER JOIN "public"."regions" AS t1 ON (((CASE WHEN octet_length(t0."region") > 4000 THEN CASE WHEN pg_column_size(t0."region") <= 1000000 THEN left(t0."region", 2000) ELSE '' END ELSE t0."region" END) COLLATE pg_catalog."default") = t1."name") WHERE ((CASE WHEN octet_length(t1."zone") > 4000 THEN CASE WHEN pg_column_size(t1."zone") <= 1000000 THEN left(t1."zone", 2000) ELSE '' END ELSE t1."zone" END) <> 'hill')) AS r GROUP BY 1

SELECT region, count(*) FROM visits WHERE region IN (SELECT name FROM regions WHERE zone = 'hill') GROUP BY region;
--> path: general
--> declared keys: SELECT DISTINCT d0.c0 AS k0 FROM (SELECT DISTINCT "name"::text AS c0 FROM "public"."regions" WHERE "name" IS NOT NULL UNION ALL SELECT NULL) AS d0 WHERE EXISTS (SELECT FROM "public"."regions" AS s0t0 WHERE ((CASE WHEN octet_length(s0t0."zone") > 4000 THEN CASE WHEN pg_column_size(s0t0."zone") <= 1000000 THEN left(s0t0."zone", 2000) ELSE '' END ELSE s0t0."zone" END) = 'hill') AND s0t0."name" = (d0.c0 COLLATE pg_catalog."default")) LIMIT 100001
--> Differentially private aggregate of public.visits joined with public.regions
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows per group, squared and summed <= 500)
-->   Rows that may take long: at most 2000 of a unit in public.visits; further ones take no part
-->   Group keys: region: declared (public.regions.name); every key is answered, empty ones as noise around 0
-->   Noisy number 1: rows; standard deviation 223.607, 95 % of the noise within ±438.262
-->   count(*): from noisy number 1
-->   95 % of the noise: count(*) within ±438 rows
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.regions.name, public.regions.zone, public.visits.cost, public.visits.day, public.visits.details, public.visits.diagnosis, public.visits.minutes, public.visits.note, public.visits.paid_at, public.visits.patient_id, public.visits.region, public.visits.score, public.visits.tags, public.visits.took, public.visits.urgent, public.visits.visit_id, public.visits.visited_at
--> rests on: public.regions (name)
--> rests on: public.visits (visit_id)
--> cut: public.visits to 2000 rows: SELECT m."patient_id" AS unit FROM "public"."visits" AS m WHERE m."patient_id" IS NOT NULL GROUP BY 1 HAVING count(*) > 2000
--> work of a row: 98544 ns
--> source: WITH many_d309dd02df23f5c9 AS MATERIALIZED (SELECT m."patient_id" AS unit FROM "public"."visits" AS m WHERE m."patient_id" IS NOT NULL GROUP BY 1 HAVING count(*) > 2000) SELECT * FROM (WITH heavy AS MATERIALIZED (SELECT unit FROM (SELECT t0."patient_id" AS unit FROM ((SELECT m."visit_id", m."patient_id", m."region", m."visited_at", m."paid_at", m."day", m."minutes", m."cost", m."score", m."urgent", m."diagnosis", m."note", m."took", m."details", m."tags" FROM "public"."visits" AS m WHERE NOT EXISTS (SELECT FROM many_d309dd02df23f5c9 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"]) OFFSET 0) UNION ALL (SELECT "visit_id", "patient_id", "region", "visited_at", "paid_at", "day", "minutes", "cost", "score", "urgent", "diagnosis", "note", "took", "details", "tags" FROM (SELECT m."visit_id", m."patient_id", m."region", m."visited_at", m."paid_at", m."day", m."minutes", m."cost", m."score", m."urgent", m."diagnosis", m."note", m."took", m."details", m."tags", row_number() OVER (PARTITION BY m."patient_id" ORDER BY m."visit_id") AS place0 FROM "public"."visits" AS m WHERE EXISTS (SELECT FROM many_d309dd02df23f5c9 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"])) AS r WHERE r.place0 <= 2000 OFFSET 0)) AS t0 WHERE EXISTS (SELECT FROM "public"."regions" AS s0t0 WHERE ((CASE WHEN octet_length(s0t0."zone") > 4000 THEN CASE WHEN pg_column_size(s0t0."zone") <= 1000000 THEN left(s0t0."zone", 2000) ELSE '' END ELSE s0t0."zone" END) = 'hill') AND s0t0."name" = ((CASE WHEN octet_length(t0."region") > 4000 THEN CASE WHEN pg_column_size(t0."region") <= 1000000 THEN left(t0."region", 2000) ELSE '' END ELSE t0."region" END) COLLATE pg_catalog."default")) ORDER BY 1) AS r GROUP BY unit HAVING count(*) > 22) SELECT k0, sum(v0) AS v0 FROM (SELECT x0 AS k0, count(*)::numeric * 1024 AS v0 FROM (SELECT (((CASE WHEN octet_length(t0."region") > 4000 THEN CASE WHEN pg_column_size(t0."region") <= 1000000 THEN left(t0."region", 2000) ELSE '' END ELSE t0."region" END))::text COLLATE "C") AS x0 FROM ((SELECT m."visit_id", m."patient_id", m."region", m."visited_at", m."paid_at", m."day", m."minutes", m."cost", m."score", m."urgent", m."diagnosis", m."note", m."took", m."details", m."tags" FROM "public"."visits" AS m WHERE NOT EXISTS (SELECT FROM many_d309dd02df23f5c9 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"]) OFFSET 0) UNION ALL (SELECT "visit_id", "patient_id", "region", "visited_at", "paid_at", "day", "minutes", "cost", "score", "urgent", "diagnosis", "note", "took", "details", "tags" FROM (SELECT m."visit_id", m."patient_id", m."region", m."visited_at", m."paid_at", m."day", m."minutes", m."cost", m."score", m."urgent", m."diagnosis", m."note", m."took", m."details", m."tags", row_number() OVER (PARTITION BY m."patient_id" ORDER BY m."visit_id") AS place0 FROM "public"."visits" AS m WHERE EXISTS (SELECT FROM many_d309dd02df23f5c9 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"])) AS r WHERE r.place0 <= 2000 OFFSET 0)) AS t0 WHERE EXISTS (SELECT FROM "public"."regions" AS s0t0 WHERE ((CASE WHEN octet_length(s0t0."zone") > 4000 THEN CASE WHEN pg_column_size(s0t0."zone") <= 1000000 THEN left(s0t0."zone", 2000) ELSE '' END ELSE s0t0."zone" END) = 'hill') AND s0t0."name" = ((CASE WHEN octet_length(t0."region") > 4000 THEN CASE WHEN pg_column_size(t0."region") <= 1000000 THEN left(t0."region", 2000) ELSE '' END ELSE t0."region" END) COLLATE pg_catalog."default")) AND NOT EXISTS (SELECT FROM heavy AS h WHERE h.unit = t0."patient_id")) AS r GROUP BY 1 UNION ALL SELECT k0, sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, sum(n * n) OVER w AS q FROM (SELECT unit, k0, LEAST(n, 3037000499) AS n, LEAST(n, 3037000499) AS v0 FROM (SELECT x0 AS unit, x1 AS k0, count(*) AS n FROM (SELECT t0."patient_id" AS x0, (((CASE WHEN octet_length(t0."region") > 4000 THEN CASE WHEN pg_column_size(t0."region") <= 1000000 THEN left(t0."region", 2000) ELSE '' END ELSE t0."region" END))::text COLLATE "C") AS x1 FROM ((SELECT m."visit_id", m."patient_id", m."region", m."visited_at", m."paid_at", m."day", m."minutes", m."cost", m."score", m."urgent", m."diagnosis", m."note", m."took", m."details", m."tags" FROM "public"."visits" AS m WHERE NOT EXISTS (SELECT FROM many_d309dd02df23f5c9 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"]) OFFSET 0) UNION ALL (SELECT "visit_id", "patient_id", "region", "visited_at", "paid_at", "day", "minutes", "cost", "score", "urgent", "diagnosis", "note", "took", "details", "tags" FROM (SELECT m."visit_id", m."patient_id", m."region", m."visited_at", m."paid_at", m."day", m."minutes", m."cost", m."score", m."urgent", m."diagnosis", m."note", m."took", m."details", m."tags", row_number() OVER (PARTITION BY m."patient_id" ORDER BY m."visit_id") AS place0 FROM "public"."visits" AS m WHERE EXISTS (SELECT FROM many_d309dd02df23f5c9 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"])) AS r WHERE r.place0 <= 2000 OFFSET 0)) AS t0 WHERE EXISTS (SELECT FROM "public"."regions" AS s0t0 WHERE ((CASE WHEN octet_length(s0t0."zone") > 4000 THEN CASE WHEN pg_column_size(s0t0."zone") <= 1000000 THEN left(s0t0."zone", 2000) ELSE '' END ELSE s0t0."zone" END) = 'hill') AND s0t0."name" = ((CASE WHEN octet_length(t0."region") > 4000 THEN CASE WHEN pg_column_size(t0."region") <= 1000000 THEN left(t0."region", 2000) ELSE '' END ELSE t0."region" END) COLLATE pg_catalog."default")) AND EXISTS (SELECT FROM heavy AS h WHERE h.unit = t0."patient_id")) AS r GROUP BY 1, 2) AS counted) AS per_unit WINDOW w AS (PARTITION BY unit)) AS sized) AS scaled GROUP BY 1) AS parts GROUP BY 1) AS measured

SELECT known, count(*) FROM (SELECT patient_id, diagnosis IN ('flu', 'cold', 'other') AS known FROM visits) AS t GROUP BY known;
--> path: general
--> declared keys: SELECT DISTINCT (d0.c0 IN ('cold', 'flu', 'other')) AS k0 FROM (SELECT DISTINCT v.c0 FROM (VALUES ('cold'::text), ('flu'::text), ('other'::text), ('xother'::text)) AS v(c0) UNION ALL SELECT NULL) AS d0 LIMIT 100001
--> Differentially private aggregate of public.visits
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows per group, squared and summed <= 500)
-->   Group keys: known: declared (diagnosis compared with constants); every key is answered, empty ones as noise around 0
-->   Noisy number 1: rows; standard deviation 223.607, 95 % of the noise within ±438.262
-->   count(*): from noisy number 1
-->   95 % of the noise: count(*) within ±438 rows
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.visits.diagnosis, public.visits.patient_id
--> rests on: public.visits (visit_id)
--> work of a row: 65030 ns
--> source: WITH heavy AS MATERIALIZED (SELECT unit FROM (SELECT t0.unit AS unit FROM (SELECT t0t0."patient_id" AS unit, t0t0."patient_id" AS c0, ((CASE WHEN octet_length(t0t0."diagnosis") > 4000 THEN CASE WHEN pg_column_size(t0t0."diagnosis") <= 1000000 THEN left(t0t0."diagnosis", 2000) ELSE '' END ELSE t0t0."diagnosis" END) IN ('cold', 'flu', 'other')) AS c1 FROM "public"."visits" AS t0t0) AS t0 ORDER BY 1) AS r GROUP BY unit HAVING count(*) > 22) SELECT k0, sum(v0) AS v0 FROM (SELECT x0 AS k0, count(*)::numeric * 1024 AS v0 FROM (SELECT t0.c1 AS x0 FROM (SELECT t0t0."patient_id" AS unit, t0t0."patient_id" AS c0, ((CASE WHEN octet_length(t0t0."diagnosis") > 4000 THEN CASE WHEN pg_column_size(t0t0."diagnosis") <= 1000000 THEN left(t0t0."diagnosis", 2000) ELSE '' END ELSE t0t0."diagnosis" END) IN ('cold', 'flu', 'other')) AS c1 FROM "public"."visits" AS t0t0) AS t0 WHERE NOT EXISTS (SELECT FROM heavy AS h WHERE h.unit = t0.unit)) AS r GROUP BY 1 UNION ALL SELECT k0, sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, sum(n * n) OVER w AS q FROM (SELECT unit, k0, LEAST(n, 3037000499) AS n, LEAST(n, 3037000499) AS v0 FROM (SELECT x0 AS unit, x1 AS k0, count(*) AS n FROM (SELECT t0.unit AS x0, t0.c1 AS x1 FROM (SELECT t0t0."patient_id" AS unit, t0t0."patient_id" AS c0, ((CASE WHEN octet_length(t0t0."diagnosis") > 4000 THEN CASE WHEN pg_column_size(t0t0."diagnosis") <= 1000000 THEN left(t0t0."diagnosis", 2000) ELSE '' END ELSE t0t0."diagnosis" END) IN ('cold', 'flu', 'other')) AS c1 FROM "public"."visits" AS t0t0) AS t0 WHERE EXISTS (SELECT FROM heavy AS h WHERE h.unit = t0.unit)) AS r GROUP BY 1, 2) AS counted) AS per_unit WINDOW w AS (PARTITION BY unit)) AS sized) AS scaled GROUP BY 1) AS parts GROUP BY 1

SELECT k, count(*) FROM (SELECT patient_id, region AS k FROM visits UNION ALL SELECT patient_id, ward FROM stays) AS t GROUP BY k;
--> path: general
--> Differentially private aggregate of public.visits joined with public.stays
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: units are scaled down to a limit that the query chooses from the data for 1/10 of the price, by their rows, per group, squared, summed, and the root taken
-->   Rows that may take long: at most 2000 of a unit in t; further ones take no part
-->   Group keys: k: selected; a group shows if its weighted number of units, with noise, reaches 90.6 (each unit counts in at most 64 groups)
-->   Noisy number 1: rows; standard deviation 14.9071 times the limit of their rows
-->   count(*): from noisy number 1
-->   95 % of the noise: as wide as the limit that the query chooses makes it; the answer's notice says it
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005, delta 5e-09
--> reads: public.stays.patient_id, public.stays.ward, public.visits.patient_id, public.visits.region
--> rests on: public.visits (visit_id)
--> cut: t to 2000 rows: SELECT m.unit AS unit FROM (SELECT s.unit AS unit, s.c0 AS c0, (s.c1 COLLATE pg_catalog."default") AS c1 FROM (SELECT t0lt0."patient_id" AS unit, t0lt0."patient_id" AS c0, (CASE WHEN octet_length(t0lt0."region") > 4000 THEN CASE WHEN pg_column_size(t0lt0."region") <= 1000000 THEN left(t0lt0."region", 2000) ELSE '' END ELSE t0lt0."region" END) AS c1 FROM "public"."visits" AS t0lt0) AS s UNION ALL SELECT s.unit AS unit, s.c0 AS c0, (s.c1 COLLATE pg_catalog."default") AS c1 FROM (SELECT t0rt0."patient_id" AS unit, t0rt0."patient_id" AS c0, (CASE WHEN octet_length(t0rt0."ward") > 4000 THEN CASE WHEN pg_column_size(t0rt0."ward") <= 1000000 THEN left(t0rt0."ward", 2000) ELSE '' END ELSE t0rt0."ward" END) AS c1 FROM "public"."stays" AS t0rt0) AS s) AS m WHERE m.unit IS NOT NULL GROUP BY 1 HAVING count(*) > 2000
--> work of a row: 44056 ns
--> source: WITH many_ad6807d610a90951 AS MATERIALIZED (SELECT m.unit AS unit FROM (SELECT s.unit AS unit, s.c0 AS c0, (s.c1 COLLATE pg_catalog."default") AS c1 FROM (SELECT t0lt0."patient_id" AS unit, t0lt0."patient_id" AS c0, (CASE WHEN octet_length(t0lt0."region") > 4000 THEN CASE WHEN pg_column_size(t0lt0."region") <= 1000000 THEN left(t0lt0."region", 2000) ELSE '' END ELSE t0lt0."region" END) AS c1 FROM "public"."visits" AS t0lt0) AS s UNION ALL SELECT s.unit AS unit, s.c0 AS c0, (s.c1 COLLATE pg_catalog."default") AS c1 FROM (SELECT t0rt0."patient_id" AS unit, t0rt0."patient_id" AS c0, (CASE WHEN octet_length(t0rt0."ward") > 4000 THEN CASE WHEN pg_column_size(t0rt0."ward") <= 1000000 THEN left(t0rt0."ward", 2000) ELSE '' END ELSE t0rt0."ward" END) AS c1 FROM "public"."stays" AS t0rt0) AS s) AS m WHERE m.unit IS NOT NULL GROUP BY 1 HAVING count(*) > 2000) SELECT * FROM (WITH found AS (SELECT k0, i, b, sum(a0) AS a0, sum(z0) AS z0, sum(CASE WHEN groups = 1 THEN 1048576 WHEN groups <= 64 OR place <= 64 THEN trunc(1048576 * (1 - 2.0 ^ -30)::double precision / sqrt(LEAST(groups, 64)::double precision))::bigint ELSE 0 END) AS weight, count(*) FILTER (WHERE place = 1 AND adds) AS units FROM (SELECT *, b0 AS b, true AS adds, v0 AS a0, t0 AS z0 FROM (SELECT *, 0 AS i FROM (SELECT *, width_bucket(q0, '{1.0000000000000002,2.2500000000000004,4.000000000000001,9.000000000000002,16.000000000000004,36.00000000000001,64.00000000000001,144.00000000000003,256.00000000000006,576.0000000000001,1024.0000000000002,2304.0000000000005,4096.000000000001,9216.000000000002,16384.000000000004,36864.00000000001,65536.00000000001,147456.00000000003,262144.00000000006,589824.0000000001,1048576.0000000002,2359296.0000000005,4194304.000000001,9437184.000000002,16777216.000000004,37748736.00000001,67108864.00000001,150994944.00000003,268435456.00000006,603979776.0000001,1073741824.0000002,2415919104.0000005,4294967296.000001,9663676416.000002,17179869184.000004,38654705664.00001,68719476736.00002,154618822656.00003,274877906944.00006,618475290624.0001,1099511627776.0002,2473901162496.0005,4398046511104.001,9895604649984.002,17592186044416.004,39582418599936.01,70368744177664.02,158329674399744.03,281474976710656.06}'::double precision[]) AS b0, trunc(v0::double precision / NULLIF(sqrt(q0), 0) * 3221225424.0)::bigint AS t0 FROM (SELECT *, CASE WHEN (sum(n * n) OVER w) < 4611686018427387904 THEN (sum(n * n) OVER w)::bigint::double precision ELSE (sum(n * n) OVER w)::double precision END AS q0, row_number() OVER w AS place, count(*) OVER w AS groups FROM (SELECT unit, h, k0, LEAST(n, 3037000499) AS n, LEAST(n, 3037000499) AS v0 FROM (SELECT x0 AS unit, hashtextextended(coalesce(x1::text, ''), hashtextextended(x0::text, 0)) AS h, x1 AS k0, count(*) AS n FROM (SELECT t0.unit AS x0, ((t0.c1)::text COLLATE "C") AS x1 FROM ((SELECT m.unit, m.c1 FROM (SELECT s.unit AS unit, s.c0 AS c0, (s.c1 COLLATE pg_catalog."default") AS c1 FROM (SELECT t0lt0."patient_id" AS unit, t0lt0."patient_id" AS c0, (CASE WHEN octet_length(t0lt0."region") > 4000 THEN CASE WHEN pg_column_size(t0lt0."region") <= 1000000 THEN left(t0lt0."region", 2000) ELSE '' END ELSE t0lt0."region" END) AS c1 FROM "public"."visits" AS t0lt0) AS s UNION ALL SELECT s.unit AS unit, s.c0 AS c0, (s.c1 COLLATE pg_catalog."default") AS c1 FROM (SELECT t0rt0."patient_id" AS unit, t0rt0."patient_id" AS c0, (CASE WHEN octet_length(t0rt0."ward") > 4000 THEN CASE WHEN pg_column_size(t0rt0."ward") <= 1000000 THEN left(t0rt0."ward", 2000) ELSE '' END ELSE t0rt0."ward" END) AS c1 FROM "public"."stays" AS t0rt0) AS s) AS m WHERE NOT EXISTS (SELECT FROM many_ad6807d610a90951 AS h WHERE h.unit = m.unit AND ARRAY[h.unit] = ARRAY[m.unit]) OFFSET 0) UNION ALL (SELECT unit, c1 FROM (SELECT m.unit, m.c1, row_number() OVER (PARTITION BY m.unit ORDER BY ROW(m.c1) USING *<) AS place0 FROM (SELECT s.unit AS unit, s.c0 AS c0, (s.c1 COLLATE pg_catalog."default") AS c1 FROM (SELECT t0lt0."patient_id" AS unit, t0lt0."patient_id" AS c0, (CASE WHEN octet_length(t0lt0."region") > 4000 THEN CASE WHEN pg_column_size(t0lt0."region") <= 1000000 THEN left(t0lt0."region", 2000) ELSE '' END ELSE t0lt0."region" END) AS c1 FROM "public"."visits" AS t0lt0) AS s UNION ALL SELECT s.unit AS unit, s.c0 AS c0, (s.c1 COLLATE pg_catalog."default") AS c1 FROM (SELECT t0rt0."patient_id" AS unit, t0rt0."patient_id" AS c0, (CASE WHEN octet_length(t0rt0."ward") > 4000 THEN CASE WHEN pg_column_size(t0rt0."ward") <= 1000000 THEN left(t0rt0."ward", 2000) ELSE '' END ELSE t0rt0."ward" END) AS c1 FROM "public"."stays" AS t0rt0) AS s) AS m WHERE EXISTS (SELECT FROM many_ad6807d610a90951 AS h WHERE h.unit = m.unit AND ARRAY[h.unit] = ARRAY[m.unit])) AS r WHERE r.place0 <= 2000 OFFSET 0)) AS t0) AS r GROUP BY 1, 2, 3) AS counted) AS per_unit WINDOW w AS (PARTITION BY unit ORDER BY h, k0 ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING)) AS sized) AS rows) AS numbered) AS r GROUP BY k0, i, b) SELECT k0, i, b, a0, z0, sum(CASE WHEN i = 0 THEN weight END) OVER (PARTITION BY k0) AS weight, NULL::bigint AS units FROM found UNION ALL SELECT NULL, i, b, NULL, NULL, NULL, sum(units)::bigint FROM found WHERE units IS NOT NULL GROUP BY i, b) AS measured

SELECT k, count(*) FROM (SELECT patient_id, region AS k FROM visits UNION ALL SELECT patient_id, region FROM patients) AS t GROUP BY k;
--> path: general
--> declared keys: SELECT DISTINCT d0.c0 AS k0 FROM (SELECT DISTINCT d0.c0 AS c0 FROM (SELECT DISTINCT "name"::text AS c0 FROM "public"."regions" WHERE "name" IS NOT NULL UNION ALL SELECT NULL) AS d0 UNION SELECT DISTINCT d0.c0 AS c0 FROM (SELECT DISTINCT "name"::text AS c0 FROM "public"."regions" WHERE "name" IS NOT NULL UNION ALL SELECT NULL) AS d0) AS d0 LIMIT 100001
--> Differentially private aggregate of public.visits joined with public.patients
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows per group, squared and summed <= 500)
-->   Rows that may take long: at most 2000 of a unit in t; further ones take no part
-->   Group keys: k: declared (values of k); each declared key is answered, empty ones as noise around 0; rows with other values of k are in no group
-->   Noisy number 1: rows; standard deviation 223.607, 95 % of the noise within ±438.262
-->   count(*): from noisy number 1
-->   95 % of the noise: count(*) within ±438 rows
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.patients.patient_id, public.patients.region, public.visits.patient_id, public.visits.region
--> rests on: public.visits (visit_id)
--> rests on: public.patients (patient_id)
--> cut: t to 2000 rows: SELECT m.unit AS unit FROM (SELECT s.unit AS unit, s.c0 AS c0, (s.c1 COLLATE pg_catalog."default") AS c1 FROM (SELECT t0lt0."patient_id" AS unit, t0lt0."patient_id" AS c0, (CASE WHEN octet_length(t0lt0."region") > 4000 THEN CASE WHEN pg_column_size(t0lt0."region") <= 1000000 THEN left(t0lt0."region", 2000) ELSE '' END ELSE t0lt0."region" END) AS c1 FROM "public"."visits" AS t0lt0) AS s UNION ALL SELECT s.unit AS unit, s.c0 AS c0, (s.c1 COLLATE pg_catalog."default") AS c1 FROM (SELECT t0rt0."patient_id" AS unit, t0rt0."patient_id" AS c0, (CASE WHEN octet_length(t0rt0."region") > 4000 THEN CASE WHEN pg_column_size(t0rt0."region") <= 1000000 THEN left(t0rt0."region", 2000) ELSE '' END ELSE t0rt0."region" END) AS c1 FROM "public"."patients" AS t0rt0) AS s) AS m WHERE m.unit IS NOT NULL GROUP BY 1 HAVING count(*) > 2000
--> work of a row: 44056 ns
--> source: WITH many_b23279ddb6c2cdf1 AS MATERIALIZED (SELECT m.unit AS unit FROM (SELECT s.unit AS unit, s.c0 AS c0, (s.c1 COLLATE pg_catalog."default") AS c1 FROM (SELECT t0lt0."patient_id" AS unit, t0lt0."patient_id" AS c0, (CASE WHEN octet_length(t0lt0."region") > 4000 THEN CASE WHEN pg_column_size(t0lt0."region") <= 1000000 THEN left(t0lt0."region", 2000) ELSE '' END ELSE t0lt0."region" END) AS c1 FROM "public"."visits" AS t0lt0) AS s UNION ALL SELECT s.unit AS unit, s.c0 AS c0, (s.c1 COLLATE pg_catalog."default") AS c1 FROM (SELECT t0rt0."patient_id" AS unit, t0rt0."patient_id" AS c0, (CASE WHEN octet_length(t0rt0."region") > 4000 THEN CASE WHEN pg_column_size(t0rt0."region") <= 1000000 THEN left(t0rt0."region", 2000) ELSE '' END ELSE t0rt0."region" END) AS c1 FROM "public"."patients" AS t0rt0) AS s) AS m WHERE m.unit IS NOT NULL GROUP BY 1 HAVING count(*) > 2000) SELECT * FROM (WITH heavy AS MATERIALIZED (SELECT unit FROM (SELECT t0.unit AS unit FROM ((SELECT m.unit, m.c1 FROM (SELECT s.unit AS unit, s.c0 AS c0, (s.c1 COLLATE pg_catalog."default") AS c1 FROM (SELECT t0lt0."patient_id" AS unit, t0lt0."patient_id" AS c0, (CASE WHEN octet_length(t0lt0."region") > 4000 THEN CASE WHEN pg_column_size(t0lt0."region") <= 1000000 THEN left(t0lt0."region", 2000) ELSE '' END ELSE t0lt0."region" END) AS c1 FROM "public"."visits" AS t0lt0) AS s UNION ALL SELECT s.unit AS unit, s.c0 AS c0, (s.c1 COLLATE pg_catalog."default") AS c1 FROM (SELECT t0rt0."patient_id" AS unit, t0rt0."patient_id" AS c0, (CASE WHEN octet_length(t0rt0."region") > 4000 THEN CASE WHEN pg_column_size(t0rt0."region") <= 1000000 THEN left(t0rt0."region", 2000) ELSE '' END ELSE t0rt0."region" END) AS c1 FROM "public"."patients" AS t0rt0) AS s) AS m WHERE NOT EXISTS (SELECT FROM many_b23279ddb6c2cdf1 AS h WHERE h.unit = m.unit AND ARRAY[h.unit] = ARRAY[m.unit]) OFFSET 0) UNION ALL (SELECT unit, c1 FROM (SELECT m.unit, m.c1, row_number() OVER (PARTITION BY m.unit ORDER BY ROW(m.c1) USING *<) AS place0 FROM (SELECT s.unit AS unit, s.c0 AS c0, (s.c1 COLLATE pg_catalog."default") AS c1 FROM (SELECT t0lt0."patient_id" AS unit, t0lt0."patient_id" AS c0, (CASE WHEN octet_length(t0lt0."region") > 4000 THEN CASE WHEN pg_column_size(t0lt0."region") <= 1000000 THEN left(t0lt0."region", 2000) ELSE '' END ELSE t0lt0."region" END) AS c1 FROM "public"."visits" AS t0lt0) AS s UNION ALL SELECT s.unit AS unit, s.c0 AS c0, (s.c1 COLLATE pg_catalog."default") AS c1 FROM (SELECT t0rt0."patient_id" AS unit, t0rt0."patient_id" AS c0, (CASE WHEN octet_length(t0rt0."region") > 4000 THEN CASE WHEN pg_column_size(t0rt0."region") <= 1000000 THEN left(t0rt0."region", 2000) ELSE '' END ELSE t0rt0."region" END) AS c1 FROM "public"."patients" AS t0rt0) AS s) AS m WHERE EXISTS (SELECT FROM many_b23279ddb6c2cdf1 AS h WHERE h.unit = m.unit AND ARRAY[h.unit] = ARRAY[m.unit])) AS r WHERE r.place0 <= 2000 OFFSET 0)) AS t0 ORDER BY 1) AS r GROUP BY unit HAVING count(*) > 22) SELECT k0, sum(v0) AS v0 FROM (SELECT x0 AS k0, count(*)::numeric * 1024 AS v0 FROM (SELECT ((t0.c1)::text COLLATE "C") AS x0 FROM ((SELECT m.unit, m.c1 FROM (SELECT s.unit AS unit, s.c0 AS c0, (s.c1 COLLATE pg_catalog."default") AS c1 FROM (SELECT t0lt0."patient_id" AS unit, t0lt0."patient_id" AS c0, (CASE WHEN octet_length(t0lt0."region") > 4000 THEN CASE WHEN pg_column_size(t0lt0."region") <= 1000000 THEN left(t0lt0."region", 2000) ELSE '' END ELSE t0lt0."region" END) AS c1 FROM "public"."visits" AS t0lt0) AS s UNION ALL SELECT s.unit AS unit, s.c0 AS c0, (s.c1 COLLATE pg_catalog."default") AS c1 FROM (SELECT t0rt0."patient_id" AS unit, t0rt0."patient_id" AS c0, (CASE WHEN octet_length(t0rt0."region") > 4000 THEN CASE WHEN pg_column_size(t0rt0."region") <= 1000000 THEN left(t0rt0."region", 2000) ELSE '' END ELSE t0rt0."region" END) AS c1 FROM "public"."patients" AS t0rt0) AS s) AS m WHERE NOT EXISTS (SELECT FROM many_b23279ddb6c2cdf1 AS h WHERE h.unit = m.unit AND ARRAY[h.unit] = ARRAY[m.unit]) OFFSET 0) UNION ALL (SELECT unit, c1 FROM (SELECT m.unit, m.c1, row_number() OVER (PARTITION BY m.unit ORDER BY ROW(m.c1) USING *<) AS place0 FROM (SELECT s.unit AS unit, s.c0 AS c0, (s.c1 COLLATE pg_catalog."default") AS c1 FROM (SELECT t0lt0."patient_id" AS unit, t0lt0."patient_id" AS c0, (CASE WHEN octet_length(t0lt0."region") > 4000 THEN CASE WHEN pg_column_size(t0lt0."region") <= 1000000 THEN left(t0lt0."region", 2000) ELSE '' END ELSE t0lt0."region" END) AS c1 FROM "public"."visits" AS t0lt0) AS s UNION ALL SELECT s.unit AS unit, s.c0 AS c0, (s.c1 COLLATE pg_catalog."default") AS c1 FROM (SELECT t0rt0."patient_id" AS unit, t0rt0."patient_id" AS c0, (CASE WHEN octet_length(t0rt0."region") > 4000 THEN CASE WHEN pg_column_size(t0rt0."region") <= 1000000 THEN left(t0rt0."region", 2000) ELSE '' END ELSE t0rt0."region" END) AS c1 FROM "public"."patients" AS t0rt0) AS s) AS m WHERE EXISTS (SELECT FROM many_b23279ddb6c2cdf1 AS h WHERE h.unit = m.unit AND ARRAY[h.unit] = ARRAY[m.unit])) AS r WHERE r.place0 <= 2000 OFFSET 0)) AS t0 WHERE NOT EXISTS (SELECT FROM heavy AS h WHERE h.unit = t0.unit)) AS r GROUP BY 1 UNION ALL SELECT k0, sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, sum(n * n) OVER w AS q FROM (SELECT unit, k0, LEAST(n, 3037000499) AS n, LEAST(n, 3037000499) AS v0 FROM (SELECT x0 AS unit, x1 AS k0, count(*) AS n FROM (SELECT t0.unit AS x0, ((t0.c1)::text COLLATE "C") AS x1 FROM ((SELECT m.unit, m.c1 FROM (SELECT s.unit AS unit, s.c0 AS c0, (s.c1 COLLATE pg_catalog."default") AS c1 FROM (SELECT t0lt0."patient_id" AS unit, t0lt0."patient_id" AS c0, (CASE WHEN octet_length(t0lt0."region") > 4000 THEN CASE WHEN pg_column_size(t0lt0."region") <= 1000000 THEN left(t0lt0."region", 2000) ELSE '' END ELSE t0lt0."region" END) AS c1 FROM "public"."visits" AS t0lt0) AS s UNION ALL SELECT s.unit AS unit, s.c0 AS c0, (s.c1 COLLATE pg_catalog."default") AS c1 FROM (SELECT t0rt0."patient_id" AS unit, t0rt0."patient_id" AS c0, (CASE WHEN octet_length(t0rt0."region") > 4000 THEN CASE WHEN pg_column_size(t0rt0."region") <= 1000000 THEN left(t0rt0."region", 2000) ELSE '' END ELSE t0rt0."region" END) AS c1 FROM "public"."patients" AS t0rt0) AS s) AS m WHERE NOT EXISTS (SELECT FROM many_b23279ddb6c2cdf1 AS h WHERE h.unit = m.unit AND ARRAY[h.unit] = ARRAY[m.unit]) OFFSET 0) UNION ALL (SELECT unit, c1 FROM (SELECT m.unit, m.c1, row_number() OVER (PARTITION BY m.unit ORDER BY ROW(m.c1) USING *<) AS place0 FROM (SELECT s.unit AS unit, s.c0 AS c0, (s.c1 COLLATE pg_catalog."default") AS c1 FROM (SELECT t0lt0."patient_id" AS unit, t0lt0."patient_id" AS c0, (CASE WHEN octet_length(t0lt0."region") > 4000 THEN CASE WHEN pg_column_size(t0lt0."region") <= 1000000 THEN left(t0lt0."region", 2000) ELSE '' END ELSE t0lt0."region" END) AS c1 FROM "public"."visits" AS t0lt0) AS s UNION ALL SELECT s.unit AS unit, s.c0 AS c0, (s.c1 COLLATE pg_catalog."default") AS c1 FROM (SELECT t0rt0."patient_id" AS unit, t0rt0."patient_id" AS c0, (CASE WHEN octet_length(t0rt0."region") > 4000 THEN CASE WHEN pg_column_size(t0rt0."region") <= 1000000 THEN left(t0rt0."region", 2000) ELSE '' END ELSE t0rt0."region" END) AS c1 FROM "public"."patients" AS t0rt0) AS s) AS m WHERE EXISTS (SELECT FROM many_b23279ddb6c2cdf1 AS h WHERE h.unit = m.unit AND ARRAY[h.unit] = ARRAY[m.unit])) AS r WHERE r.place0 <= 2000 OFFSET 0)) AS t0 WHERE EXISTS (SELECT FROM heavy AS h WHERE h.unit = t0.unit)) AS r GROUP BY 1, 2) AS counted) AS per_unit WINDOW w AS (PARTITION BY unit)) AS sized) AS scaled GROUP BY 1) AS parts GROUP BY 1) AS measured

SELECT token, count(*) FROM readings WHERE token IN ('11111111-1111-1111-1111-111111111111') GROUP BY token;
--> path: unique
--> declared keys: SELECT DISTINCT d0.c0 AS k0 FROM (SELECT v.c0 FROM (VALUES ('11111111-1111-1111-1111-111111111111'::uuid)) AS v(c0)) AS d0 WHERE (d0.c0 = '11111111-1111-1111-1111-111111111111') LIMIT 100001
--> Differentially private aggregate of public.readings
-->   Privacy unit: patient, by public.readings.patient_id
-->   Contribution: one row per unit, proven by a unique key of the source; no unit is scaled down
-->   Group keys: token: declared (a list in WHERE); every key is answered, empty ones as noise around 0
-->   Noisy number 1: rows; standard deviation 10, 95 % of the noise within ±20
-->   count(*): from noisy number 1
-->   95 % of the noise: count(*) within ±20 rows
-->   Noise intervals (dp.low, dp.high): cover everything, nothing is clipped
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.readings.patient_id, public.readings.token
--> rests on: public.readings (patient_id)
--> work of a row: 536 ns
--> source: SELECT x0 AS k0, count(*) AS s0 FROM (SELECT t0."token" AS x0 FROM "public"."readings" AS t0 WHERE (t0."token" = '11111111-1111-1111-1111-111111111111')) AS r GROUP BY 1

SELECT upper(note), count(*) FROM samples WHERE note IN ('a', 'b') GROUP BY 1;
--> path: unique
--> declared keys: SELECT DISTINCT upper((d0.c0 COLLATE pg_catalog."default")) AS k0 FROM (SELECT v.c0 FROM (VALUES ('a'::text), ('b'::text)) AS v(c0)) AS d0 WHERE (d0.c0 IN ('a', 'b')) LIMIT 100001
--> Differentially private aggregate of public.samples
-->   Privacy unit: patient, by public.samples.patient_id
-->   Contribution: one row per unit, proven by a unique key of the source; no unit is scaled down
-->   Group keys: upper(note): declared (a list in WHERE); every key is answered, empty ones as noise around 0
-->   Noisy number 1: rows; standard deviation 10, 95 % of the noise within ±20
-->   count(*): from noisy number 1
-->   95 % of the noise: count(*) within ±20 rows
-->   Noise intervals (dp.low, dp.high): cover everything, nothing is clipped
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.samples.note, public.samples.patient_id
--> rests on: public.samples (patient_id)
--> work of a row: 173480 ns
--> source: SELECT x0 AS k0, count(*) AS s0 FROM (SELECT ((upper(((CASE WHEN octet_length(t0."note") > 4000 THEN CASE WHEN pg_column_size(t0."note") <= 1000000 THEN left(t0."note", 2000) ELSE '' END ELSE t0."note" END) COLLATE pg_catalog."default")))::text COLLATE "C") AS x0 FROM "public"."samples" AS t0 WHERE ((CASE WHEN octet_length(t0."note") > 4000 THEN CASE WHEN pg_column_size(t0."note") <= 1000000 THEN left(t0."note", 2000) ELSE '' END ELSE t0."note" END) IN ('a', 'b'))) AS r GROUP BY 1

SELECT visited_at::text, count(*) FROM samples GROUP BY 1;
--> path: unique
--> Differentially private aggregate of public.samples
-->   Privacy unit: patient, by public.samples.patient_id
-->   Contribution: one row per unit, proven by a unique key of the source; no unit is scaled down
-->   Group keys: CAST(visited_at AS TEXT): selected; a group shows if its weighted number of units, with noise, reaches 82.0 (each unit counts in at most 1 groups)
-->   Noisy number 1: rows; standard deviation 14.1421, 95 % of the noise within ±28
-->   count(*): from noisy number 1
-->   95 % of the noise: count(*) within ±28 rows
-->   Noise intervals (dp.low, dp.high): cover everything, nothing is clipped
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005, delta 5e-09
--> reads: public.samples.patient_id, public.samples.visited_at
--> rests on: public.samples (patient_id)
--> work of a row: 2490 ns
--> source: SELECT x0 AS k0, count(*) AS s0, count(*) AS weight FROM (SELECT (((t0."visited_at"::text COLLATE pg_catalog."default")::text)::text COLLATE "C") AS x0 FROM "public"."samples" AS t0) AS r GROUP BY 1

SELECT date_part('hour', visited_at + took), count(*) FROM samples GROUP BY 1;
--> path: unique
--> declared keys: SELECT DISTINCT d0.c0 AS k0 FROM (SELECT s::double precision AS c0 FROM generate_series(0, 23) AS s UNION ALL SELECT NULL) AS d0 LIMIT 100001
--> Differentially private aggregate of public.samples
-->   Privacy unit: patient, by public.samples.patient_id
-->   Contribution: one row per unit, proven by a unique key of the source; no unit is scaled down
-->   Group keys: date_part('hour', visited_at + took): declared (hour of a date); every key is answered, empty ones as noise around 0
-->   Noisy number 1: rows; standard deviation 10, 95 % of the noise within ±20
-->   count(*): from noisy number 1
-->   95 % of the noise: count(*) within ±20 rows
-->   Noise intervals (dp.low, dp.high): cover everything, nothing is clipped
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.samples.patient_id, public.samples.took, public.samples.visited_at
--> rests on: public.samples (patient_id)
--> work of a row: 2760 ns
--> source: SELECT x0 AS k0, count(*) AS s0 FROM (SELECT (extract(hour from (CASE WHEN ((CASE WHEN t0."visited_at" BETWEEN '0001-01-01' AND '9999-12-31' THEN t0."visited_at" END) + (CASE WHEN abs(extract(year from t0."took")) <= 900 AND abs(extract(day from t0."took")) <= 330000 AND abs(extract(hour from t0."took")) <= 7900000 THEN t0."took" END)) BETWEEN '0001-01-01' AND '9999-12-31' THEN ((CASE WHEN t0."visited_at" BETWEEN '0001-01-01' AND '9999-12-31' THEN t0."visited_at" END) + (CASE WHEN abs(extract(year from t0."took")) <= 900 AND abs(extract(day from t0."took")) <= 330000 AND abs(extract(hour from t0."took")) <= 7900000 THEN t0."took" END)) END))::double precision + 0::double precision) AS x0 FROM "public"."samples" AS t0) AS r GROUP BY 1

SELECT extract(hour FROM paid_at), count(*) FROM samples GROUP BY 1;
--> path: unique
--> declared keys: SELECT DISTINCT d0.c0 AS k0 FROM (SELECT s::numeric AS c0 FROM generate_series(0, 23) AS s UNION ALL SELECT NULL) AS d0 LIMIT 100001
--> Differentially private aggregate of public.samples
-->   Privacy unit: patient, by public.samples.patient_id
-->   Contribution: one row per unit, proven by a unique key of the source; no unit is scaled down
-->   Group keys: EXTRACT(HOUR FROM paid_at): declared (hour of a date); every key is answered, empty ones as noise around 0
-->   Noisy number 1: rows; standard deviation 10, 95 % of the noise within ±20
-->   count(*): from noisy number 1
-->   95 % of the noise: count(*) within ±20 rows
-->   Noise intervals (dp.low, dp.high): cover everything, nothing is clipped
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.samples.paid_at, public.samples.patient_id
--> rests on: public.samples (patient_id)
--> work of a row: 2060 ns
--> source: SELECT x0 AS k0, count(*) AS s0 FROM (SELECT round(extract(hour from (CASE WHEN t0."paid_at" BETWEEN '0001-01-01' AND '9999-12-31' THEN t0."paid_at" END)), 0) AS x0 FROM "public"."samples" AS t0) AS r GROUP BY 1

SELECT note, count(*) FROM samples WHERE region = 'north' GROUP BY note;
--> path: unique
--> Differentially private aggregate of public.samples
-->   Privacy unit: patient, by public.samples.patient_id
-->   Contribution: one row per unit, proven by a unique key of the source; no unit is scaled down
-->   Group keys: note: selected; a group shows if its weighted number of units, with noise, reaches 82.0 (each unit counts in at most 1 groups)
-->   Noisy number 1: rows; standard deviation 14.1421, 95 % of the noise within ±28
-->   count(*): from noisy number 1
-->   95 % of the noise: count(*) within ±28 rows
-->   Noise intervals (dp.low, dp.high): cover everything, nothing is clipped
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005, delta 5e-09
--> reads: public.samples.note, public.samples.patient_id, public.samples.region
--> rests on: public.samples (patient_id)
--> work of a row: 56105 ns
--> source: SELECT x0 AS k0, count(*) AS s0, count(*) AS weight FROM (SELECT (((CASE WHEN octet_length(t0."note") > 4000 THEN CASE WHEN pg_column_size(t0."note") <= 1000000 THEN left(t0."note", 2000) ELSE '' END ELSE t0."note" END))::text COLLATE "C") AS x0 FROM "public"."samples" AS t0 WHERE ((CASE WHEN octet_length(t0."region") > 4000 THEN CASE WHEN pg_column_size(t0."region") <= 1000000 THEN left(t0."region", 2000) ELSE '' END ELSE t0."region" END) = 'north')) AS r GROUP BY 1

SELECT day, count(*) FROM samples WHERE day IN (timestamp '2024-02-29 12:00') GROUP BY day;
--> path: unique
--> declared keys: SELECT DISTINCT d0.c0 AS k0 FROM (SELECT '2024-01-01'::date + s AS c0 FROM generate_series(0, 730) AS s UNION ALL SELECT NULL) AS d0 WHERE ((CASE WHEN d0.c0 BETWEEN '0001-01-01' AND '9999-12-31' THEN d0.c0 END)::timestamp without time zone = '2024-02-29 12:00'::timestamp without time zone) LIMIT 100001
--> Differentially private aggregate of public.samples
-->   Privacy unit: patient, by public.samples.patient_id
-->   Contribution: one row per unit, proven by a unique key of the source; no unit is scaled down
-->   Group keys: day: declared (days of day); each declared key is answered, empty ones as noise around 0; rows with other values of day are in no group
-->   Noisy number 1: rows; standard deviation 10, 95 % of the noise within ±20
-->   count(*): from noisy number 1
-->   95 % of the noise: count(*) within ±20 rows
-->   Noise intervals (dp.low, dp.high): cover everything, nothing is clipped
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.samples.day, public.samples.patient_id
--> rests on: public.samples (patient_id)
--> work of a row: 566 ns
--> source: SELECT x0 AS k0, count(*) AS s0 FROM (SELECT t0."day" AS x0 FROM "public"."samples" AS t0 WHERE ((CASE WHEN t0."day" BETWEEN '0001-01-01' AND '9999-12-31' THEN t0."day" END)::timestamp without time zone = '2024-02-29 12:00'::timestamp without time zone)) AS r GROUP BY 1

SELECT note, count(*) FROM samples WHERE note IN (upper(diagnosis), 'b') GROUP BY note;
--> path: unique
--> Differentially private aggregate of public.samples
-->   Privacy unit: patient, by public.samples.patient_id
-->   Contribution: one row per unit, proven by a unique key of the source; no unit is scaled down
-->   Group keys: note: selected; a group shows if its weighted number of units, with noise, reaches 82.0 (each unit counts in at most 1 groups)
-->   Noisy number 1: rows; standard deviation 14.1421, 95 % of the noise within ±28
-->   count(*): from noisy number 1
-->   95 % of the noise: count(*) within ±28 rows
-->   Noise intervals (dp.low, dp.high): cover everything, nothing is clipped
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005, delta 5e-09
--> reads: public.samples.diagnosis, public.samples.note, public.samples.patient_id
--> rests on: public.samples (patient_id)
--> work of a row: 209580 ns
--> source: SELECT x0 AS k0, count(*) AS s0, count(*) AS weight FROM (SELECT (((CASE WHEN octet_length(t0."note") > 4000 THEN CASE WHEN pg_column_size(t0."note") <= 1000000 THEN left(t0."note", 2000) ELSE '' END ELSE t0."note" END))::text COLLATE "C") AS x0 FROM "public"."samples" AS t0 WHERE (((CASE WHEN octet_length(t0."note") > 4000 THEN CASE WHEN pg_column_size(t0."note") <= 1000000 THEN left(t0."note", 2000) ELSE '' END ELSE t0."note" END) COLLATE pg_catalog."default") IN ('b', upper(((CASE WHEN octet_length(t0."diagnosis") > 4000 THEN CASE WHEN pg_column_size(t0."diagnosis") <= 1000000 THEN left(t0."diagnosis", 2000) ELSE '' END ELSE t0."diagnosis" END) COLLATE pg_catalog."default"))))) AS r GROUP BY 1

SELECT note, count(*) FROM samples WHERE starts_with(note, 'ab') GROUP BY note;
--> path: unique
--> Differentially private aggregate of public.samples
-->   Privacy unit: patient, by public.samples.patient_id
-->   Contribution: one row per unit, proven by a unique key of the source; no unit is scaled down
-->   Group keys: note: selected; a group shows if its weighted number of units, with noise, reaches 82.0 (each unit counts in at most 1 groups)
-->   Noisy number 1: rows; standard deviation 14.1421, 95 % of the noise within ±28
-->   count(*): from noisy number 1
-->   95 % of the noise: count(*) within ±28 rows
-->   Noise intervals (dp.low, dp.high): cover everything, nothing is clipped
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005, delta 5e-09
--> reads: public.samples.note, public.samples.patient_id
--> rests on: public.samples (patient_id)
--> work of a row: 57000 ns
--> source: SELECT x0 AS k0, count(*) AS s0, count(*) AS weight FROM (SELECT (((CASE WHEN octet_length(t0."note") > 4000 THEN CASE WHEN pg_column_size(t0."note") <= 1000000 THEN left(t0."note", 2000) ELSE '' END ELSE t0."note" END))::text COLLATE "C") AS x0 FROM "public"."samples" AS t0 WHERE starts_with(((CASE WHEN octet_length(t0."note") > 4000 THEN CASE WHEN pg_column_size(t0."note") <= 1000000 THEN left(t0."note", 2000) ELSE '' END ELSE t0."note" END) COLLATE pg_catalog."default"), 'ab')) AS r GROUP BY 1

SELECT cost, count(*) FROM samples WHERE cost IN (1, 2.5) GROUP BY cost;
--> path: unique
--> declared keys: SELECT DISTINCT d0.c0 AS k0 FROM (SELECT v.c0 FROM (VALUES (1::numeric), (2.5::numeric)) AS v(c0)) AS d0 WHERE (d0.c0 IN (1, 2.5)) LIMIT 100001
--> Differentially private aggregate of public.samples
-->   Privacy unit: patient, by public.samples.patient_id
-->   Contribution: one row per unit, proven by a unique key of the source; no unit is scaled down
-->   Group keys: cost: declared (a list in WHERE); every key is answered, empty ones as noise around 0
-->   Noisy number 1: rows; standard deviation 10, 95 % of the noise within ±20
-->   count(*): from noisy number 1
-->   95 % of the noise: count(*) within ±20 rows
-->   Noise intervals (dp.low, dp.high): cover everything, nothing is clipped
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.samples.cost, public.samples.patient_id
--> rests on: public.samples (patient_id)
--> work of a row: 609 ns
--> source: SELECT x0 AS k0, count(*) AS s0 FROM (SELECT round(t0."cost", 2) AS x0 FROM "public"."samples" AS t0 WHERE (t0."cost" IN (1, 2.5))) AS r GROUP BY 1

SELECT score, count(*) FROM samples WHERE score IN ('0', '0.5') GROUP BY score;
--> path: unique
--> Differentially private aggregate of public.samples
-->   Privacy unit: patient, by public.samples.patient_id
-->   Contribution: one row per unit, proven by a unique key of the source; no unit is scaled down
-->   Group keys: score: selected; a group shows if its weighted number of units, with noise, reaches 82.0 (each unit counts in at most 1 groups)
-->   Noisy number 1: rows; standard deviation 14.1421, 95 % of the noise within ±28
-->   count(*): from noisy number 1
-->   95 % of the noise: count(*) within ±28 rows
-->   Noise intervals (dp.low, dp.high): cover everything, nothing is clipped
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005, delta 5e-09
--> reads: public.samples.patient_id, public.samples.score
--> rests on: public.samples (patient_id)
--> work of a row: 556 ns
--> source: SELECT x0 AS k0, count(*) AS s0, count(*) AS weight FROM (SELECT (t0."score" + 0::double precision) AS x0 FROM "public"."samples" AS t0 WHERE (t0."score" IN ((0.5::double precision), (0::double precision)))) AS r GROUP BY 1

SELECT minutes, count(*) FROM samples WHERE minutes IN (1, 2.5, 10000000000) GROUP BY minutes;
--> path: unique
--> declared keys: SELECT DISTINCT d0.c0 AS k0 FROM (SELECT v.c0 FROM (VALUES (1::integer)) AS v(c0)) AS d0 WHERE (d0.c0 IN (1, 10000000000, 2.5)) LIMIT 100001
--> Differentially private aggregate of public.samples
-->   Privacy unit: patient, by public.samples.patient_id
-->   Contribution: one row per unit, proven by a unique key of the source; no unit is scaled down
-->   Group keys: minutes: declared (a list in WHERE); every key is answered, empty ones as noise around 0
-->   Noisy number 1: rows; standard deviation 10, 95 % of the noise within ±20
-->   count(*): from noisy number 1
-->   95 % of the noise: count(*) within ±20 rows
-->   Noise intervals (dp.low, dp.high): cover everything, nothing is clipped
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.samples.minutes, public.samples.patient_id
--> rests on: public.samples (patient_id)
--> work of a row: 580 ns
--> source: SELECT x0 AS k0, count(*) AS s0 FROM (SELECT t0."minutes" AS x0 FROM "public"."samples" AS t0 WHERE (t0."minutes" IN (1, 10000000000, 2.5))) AS r GROUP BY 1

SELECT code, count(*) FROM readings WHERE code IN ('ab', 'abcde') GROUP BY code;
--> path: unique
--> declared keys: SELECT DISTINCT d0.c0 AS k0 FROM (SELECT v.c0 FROM (VALUES ('ab'::character(4))) AS v(c0)) AS d0 WHERE (d0.c0 IN ('ab', 'abcde')) LIMIT 100001
--> Differentially private aggregate of public.readings
-->   Privacy unit: patient, by public.readings.patient_id
-->   Contribution: one row per unit, proven by a unique key of the source; no unit is scaled down
-->   Group keys: code: declared (a list in WHERE); every key is answered, empty ones as noise around 0
-->   Noisy number 1: rows; standard deviation 10, 95 % of the noise within ±20
-->   count(*): from noisy number 1
-->   95 % of the noise: count(*) within ±20 rows
-->   Noise intervals (dp.low, dp.high): cover everything, nothing is clipped
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.readings.code, public.readings.patient_id
--> rests on: public.readings (patient_id)
--> work of a row: 616 ns
--> source: SELECT x0 AS k0, count(*) AS s0 FROM (SELECT ((t0."code")::character(4) COLLATE "C") AS x0 FROM "public"."readings" AS t0 WHERE (t0."code" IN ('ab', 'abcde'))) AS r GROUP BY 1

SELECT CASE WHEN zone = 'x' THEN 1 ELSE 2 END AS a, count(*) FROM visits v JOIN regions r ON r.name = v.region GROUP BY 1;
--> path: general
--> declared keys: SELECT DISTINCT (CASE WHEN (d0.c0 = 'x') THEN 1 ELSE 2 END) AS k0 FROM (SELECT DISTINCT p."zone" AS c0 FROM "public"."regions" AS p) AS d0 LIMIT 100001
--> Differentially private aggregate of public.visits joined with public.regions
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows per group, squared and summed <= 500)
-->   Group keys: CASE WHEN zone = 'x' THEN 1 ELSE 2 END: declared (rows of public.regions); every key is answered, empty ones as noise around 0
-->   Noisy number 1: rows; standard deviation 223.607, 95 % of the noise within ±438.262
-->   count(*): from noisy number 1
-->   95 % of the noise: count(*) within ±438 rows
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.regions.name, public.regions.zone, public.visits.patient_id, public.visits.region
--> rests on: public.regions (name)
--> rests on: public.visits (visit_id)
--> work of a row: 70617 ns
--> source: WITH heavy AS MATERIALIZED (SELECT unit FROM (SELECT t0."patient_id" AS unit FROM "public"."visits" AS t0 INNER JOIN "public"."regions" AS t1 ON (((CASE WHEN octet_length(t0."region") > 4000 THEN CASE WHEN pg_column_size(t0."region") <= 1000000 THEN left(t0."region", 2000) ELSE '' END ELSE t0."region" END) COLLATE pg_catalog."default") = t1."name") ORDER BY 1) AS r GROUP BY unit HAVING count(*) > 22) SELECT k0, sum(v0) AS v0 FROM (SELECT x0 AS k0, count(*)::numeric * 1024 AS v0 FROM (SELECT (CASE WHEN ((CASE WHEN octet_length(t1."zone") > 4000 THEN CASE WHEN pg_column_size(t1."zone") <= 1000000 THEN left(t1."zone", 2000) ELSE '' END ELSE t1."zone" END) = 'x') THEN 1 ELSE 2 END) AS x0 FROM "public"."visits" AS t0 INNER JOIN "public"."regions" AS t1 ON (((CASE WHEN octet_length(t0."region") > 4000 THEN CASE WHEN pg_column_size(t0."region") <= 1000000 THEN left(t0."region", 2000) ELSE '' END ELSE t0."region" END) COLLATE pg_catalog."default") = t1."name") WHERE NOT EXISTS (SELECT FROM heavy AS h WHERE h.unit = t0."patient_id")) AS r GROUP BY 1 UNION ALL SELECT k0, sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, sum(n * n) OVER w AS q FROM (SELECT unit, k0, LEAST(n, 3037000499) AS n, LEAST(n, 3037000499) AS v0 FROM (SELECT x0 AS unit, x1 AS k0, count(*) AS n FROM (SELECT t0."patient_id" AS x0, (CASE WHEN ((CASE WHEN octet_length(t1."zone") > 4000 THEN CASE WHEN pg_column_size(t1."zone") <= 1000000 THEN left(t1."zone", 2000) ELSE '' END ELSE t1."zone" END) = 'x') THEN 1 ELSE 2 END) AS x1 FROM "public"."visits" AS t0 INNER JOIN "public"."regions" AS t1 ON (((CASE WHEN octet_length(t0."region") > 4000 THEN CASE WHEN pg_column_size(t0."region") <= 1000000 THEN left(t0."region", 2000) ELSE '' END ELSE t0."region" END) COLLATE pg_catalog."default") = t1."name") WHERE EXISTS (SELECT FROM heavy AS h WHERE h.unit = t0."patient_id")) AS r GROUP BY 1, 2) AS counted) AS per_unit WINDOW w AS (PARTITION BY unit)) AS sized) AS scaled GROUP BY 1) AS parts GROUP BY 1

SELECT CASE WHEN diagnosis = 'x' THEN 1 ELSE 2 END AS a, count(*) FROM visits WHERE diagnosis IN ('flu', 'x') GROUP BY 1;
--> path: general
--> declared keys: SELECT DISTINCT (CASE WHEN (d0.c0 = 'x') THEN 1 ELSE 2 END) AS k0 FROM (SELECT v.c0 FROM (VALUES ('flu'::text), ('x'::text)) AS v(c0)) AS d0 WHERE (d0.c0 IN ('flu', 'x')) LIMIT 100001
--> Differentially private aggregate of public.visits
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows per group, squared and summed <= 500)
-->   Group keys: CASE WHEN diagnosis = 'x' THEN 1 ELSE 2 END: declared (a list in WHERE); every key is answered, empty ones as noise around 0
-->   Noisy number 1: rows; standard deviation 223.607, 95 % of the noise within ±438.262
-->   count(*): from noisy number 1
-->   95 % of the noise: count(*) within ±438 rows
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.visits.diagnosis, public.visits.patient_id
--> rests on: public.visits (visit_id)
--> work of a row: 60997 ns
--> source: WITH heavy AS MATERIALIZED (SELECT unit FROM (SELECT t0."patient_id" AS unit FROM "public"."visits" AS t0 WHERE ((CASE WHEN octet_length(t0."diagnosis") > 4000 THEN CASE WHEN pg_column_size(t0."diagnosis") <= 1000000 THEN left(t0."diagnosis", 2000) ELSE '' END ELSE t0."diagnosis" END) IN ('flu', 'x')) ORDER BY 1) AS r GROUP BY unit HAVING count(*) > 22) SELECT k0, sum(v0) AS v0 FROM (SELECT x0 AS k0, count(*)::numeric * 1024 AS v0 FROM (SELECT (CASE WHEN ((CASE WHEN octet_length(t0."diagnosis") > 4000 THEN CASE WHEN pg_column_size(t0."diagnosis") <= 1000000 THEN left(t0."diagnosis", 2000) ELSE '' END ELSE t0."diagnosis" END) = 'x') THEN 1 ELSE 2 END) AS x0 FROM "public"."visits" AS t0 WHERE ((CASE WHEN octet_length(t0."diagnosis") > 4000 THEN CASE WHEN pg_column_size(t0."diagnosis") <= 1000000 THEN left(t0."diagnosis", 2000) ELSE '' END ELSE t0."diagnosis" END) IN ('flu', 'x')) AND NOT EXISTS (SELECT FROM heavy AS h WHERE h.unit = t0."patient_id")) AS r GROUP BY 1 UNION ALL SELECT k0, sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, sum(n * n) OVER w AS q FROM (SELECT unit, k0, LEAST(n, 3037000499) AS n, LEAST(n, 3037000499) AS v0 FROM (SELECT x0 AS unit, x1 AS k0, count(*) AS n FROM (SELECT t0."patient_id" AS x0, (CASE WHEN ((CASE WHEN octet_length(t0."diagnosis") > 4000 THEN CASE WHEN pg_column_size(t0."diagnosis") <= 1000000 THEN left(t0."diagnosis", 2000) ELSE '' END ELSE t0."diagnosis" END) = 'x') THEN 1 ELSE 2 END) AS x1 FROM "public"."visits" AS t0 WHERE ((CASE WHEN octet_length(t0."diagnosis") > 4000 THEN CASE WHEN pg_column_size(t0."diagnosis") <= 1000000 THEN left(t0."diagnosis", 2000) ELSE '' END ELSE t0."diagnosis" END) IN ('flu', 'x')) AND EXISTS (SELECT FROM heavy AS h WHERE h.unit = t0."patient_id")) AS r GROUP BY 1, 2) AS counted) AS per_unit WINDOW w AS (PARTITION BY unit)) AS sized) AS scaled GROUP BY 1) AS parts GROUP BY 1

SELECT CASE WHEN region = 'x' THEN 1 ELSE 2 END AS a, count(*) FROM visits GROUP BY 1;
--> path: general
--> declared keys: SELECT DISTINCT (CASE WHEN (d0.c0 = 'x') THEN 1 ELSE 2 END) AS k0 FROM (SELECT DISTINCT "name"::text AS c0 FROM "public"."regions" WHERE "name" IS NOT NULL UNION ALL SELECT NULL) AS d0 LIMIT 100001
--> Differentially private aggregate of public.visits
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows per group, squared and summed <= 500)
-->   Group keys: CASE WHEN region = 'x' THEN 1 ELSE 2 END: declared (public.regions.name); every key is answered, empty ones as noise around 0
-->   Noisy number 1: rows; standard deviation 223.607, 95 % of the noise within ±438.262
-->   count(*): from noisy number 1
-->   95 % of the noise: count(*) within ±438 rows
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.visits.patient_id, public.visits.region
--> rests on: public.visits (visit_id)
--> work of a row: 28517 ns
--> source: WITH heavy AS MATERIALIZED (SELECT unit FROM (SELECT t0."patient_id" AS unit FROM "public"."visits" AS t0 ORDER BY 1) AS r GROUP BY unit HAVING count(*) > 22) SELECT k0, sum(v0) AS v0 FROM (SELECT x0 AS k0, count(*)::numeric * 1024 AS v0 FROM (SELECT (CASE WHEN ((CASE WHEN octet_length(t0."region") > 4000 THEN CASE WHEN pg_column_size(t0."region") <= 1000000 THEN left(t0."region", 2000) ELSE '' END ELSE t0."region" END) = 'x') THEN 1 ELSE 2 END) AS x0 FROM "public"."visits" AS t0 WHERE NOT EXISTS (SELECT FROM heavy AS h WHERE h.unit = t0."patient_id")) AS r GROUP BY 1 UNION ALL SELECT k0, sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, sum(n * n) OVER w AS q FROM (SELECT unit, k0, LEAST(n, 3037000499) AS n, LEAST(n, 3037000499) AS v0 FROM (SELECT x0 AS unit, x1 AS k0, count(*) AS n FROM (SELECT t0."patient_id" AS x0, (CASE WHEN ((CASE WHEN octet_length(t0."region") > 4000 THEN CASE WHEN pg_column_size(t0."region") <= 1000000 THEN left(t0."region", 2000) ELSE '' END ELSE t0."region" END) = 'x') THEN 1 ELSE 2 END) AS x1 FROM "public"."visits" AS t0 WHERE EXISTS (SELECT FROM heavy AS h WHERE h.unit = t0."patient_id")) AS r GROUP BY 1, 2) AS counted) AS per_unit WINDOW w AS (PARTITION BY unit)) AS sized) AS scaled GROUP BY 1) AS parts GROUP BY 1

SELECT diagnosis IN ('flu', 'cold', 'other', 'x') AS a, diagnosis AS b, count(*) FROM visits GROUP BY 1, 2;
--> path: general
--> declared keys: SELECT DISTINCT (d0.c0 IN ('cold', 'flu', 'other', 'x')) AS k0, d0.c0 AS k1 FROM (SELECT v.c0 FROM (VALUES ('flu'::text), ('cold'::text), ('other'::text)) AS v(c0) UNION ALL SELECT NULL) AS d0 LIMIT 100001
--> Differentially private aggregate of public.visits
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows per group, squared and summed <= 500)
-->   Group keys: diagnosis IN ('flu', 'cold', 'other', 'x'), diagnosis: declared (values of diagnosis); each declared key is answered, empty ones as noise around 0; rows with other values of diagnosis IN ('flu', 'cold', 'other', 'x') and diagnosis are in no group
-->   Noisy number 1: rows; standard deviation 223.607, 95 % of the noise within ±438.262
-->   count(*): from noisy number 1
-->   95 % of the noise: count(*) within ±438 rows
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.visits.diagnosis, public.visits.patient_id
--> rests on: public.visits (visit_id)
--> work of a row: 60520 ns
--> source: WITH heavy AS MATERIALIZED (SELECT unit FROM (SELECT t0."patient_id" AS unit FROM "public"."visits" AS t0 ORDER BY 1) AS r GROUP BY unit HAVING count(*) > 22) SELECT k0, k1, sum(v0) AS v0 FROM (SELECT x0 AS k0, x1 AS k1, count(*)::numeric * 1024 AS v0 FROM (SELECT ((CASE WHEN octet_length(t0."diagnosis") > 4000 THEN CASE WHEN pg_column_size(t0."diagnosis") <= 1000000 THEN left(t0."diagnosis", 2000) ELSE '' END ELSE t0."diagnosis" END) IN ('cold', 'flu', 'other', 'x')) AS x0, (((CASE WHEN octet_length(t0."diagnosis") > 4000 THEN CASE WHEN pg_column_size(t0."diagnosis") <= 1000000 THEN left(t0."diagnosis", 2000) ELSE '' END ELSE t0."diagnosis" END))::text COLLATE "C") AS x1 FROM "public"."visits" AS t0 WHERE NOT EXISTS (SELECT FROM heavy AS h WHERE h.unit = t0."patient_id")) AS r GROUP BY 1, 2 UNION ALL SELECT k0, k1, sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, sum(n * n) OVER w AS q FROM (SELECT unit, k0, k1, LEAST(n, 3037000499) AS n, LEAST(n, 3037000499) AS v0 FROM (SELECT x0 AS unit, x1 AS k0, x2 AS k1, count(*) AS n FROM (SELECT t0."patient_id" AS x0, ((CASE WHEN octet_length(t0."diagnosis") > 4000 THEN CASE WHEN pg_column_size(t0."diagnosis") <= 1000000 THEN left(t0."diagnosis", 2000) ELSE '' END ELSE t0."diagnosis" END) IN ('cold', 'flu', 'other', 'x')) AS x1, (((CASE WHEN octet_length(t0."diagnosis") > 4000 THEN CASE WHEN pg_column_size(t0."diagnosis") <= 1000000 THEN left(t0."diagnosis", 2000) ELSE '' END ELSE t0."diagnosis" END))::text COLLATE "C") AS x2 FROM "public"."visits" AS t0 WHERE EXISTS (SELECT FROM heavy AS h WHERE h.unit = t0."patient_id")) AS r GROUP BY 1, 2, 3) AS counted) AS per_unit WINDOW w AS (PARTITION BY unit)) AS sized) AS scaled GROUP BY 1, 2) AS parts GROUP BY 1, 2

SELECT date_trunc('month', visited_at), count(*) FROM samples WHERE day >= date '2025-01-01' GROUP BY 1;
--> path: unique
--> declared keys: SELECT DISTINCT d0.c0 AS k0 FROM (SELECT DISTINCT s AS c0 FROM generate_series(date_trunc('month', greatest('2024-01-01'::timestamp without time zone)), date_trunc('month', least('2025-12-31 23:59:59.999999'::timestamp without time zone)), '1 month'::interval) AS series(s) UNION ALL SELECT NULL) AS d0 LIMIT 100001
--> Differentially private aggregate of public.samples
-->   Privacy unit: patient, by public.samples.patient_id
-->   Contribution: one row per unit, proven by a unique key of the source; no unit is scaled down
-->   Group keys: date_trunc('month', visited_at): declared (months of visited_at); each declared key is answered, empty ones as noise around 0; rows with other values of date_trunc('month', visited_at) are in no group
-->   Noisy number 1: rows; standard deviation 10, 95 % of the noise within ±20
-->   count(*): from noisy number 1
-->   95 % of the noise: count(*) within ±20 rows
-->   Noise intervals (dp.low, dp.high): cover everything, nothing is clipped
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.samples.day, public.samples.patient_id, public.samples.visited_at
--> rests on: public.samples (patient_id)
--> work of a row: 2270 ns
--> source: SELECT x0 AS k0, count(*) AS s0 FROM (SELECT date_trunc('month', (CASE WHEN t0."visited_at" >= '0001-01-01' THEN t0."visited_at" END)) AS x0 FROM "public"."samples" AS t0 WHERE (t0."day" >= '2025-01-01'::date)) AS r GROUP BY 1

SELECT date_trunc('month', visited_at), count(*) FROM samples WHERE visited_at > paid_at GROUP BY 1;
--> path: unique
--> declared keys: SELECT DISTINCT d0.c0 AS k0 FROM (SELECT DISTINCT s AS c0 FROM generate_series(date_trunc('month', greatest('2024-01-01'::timestamp without time zone)), date_trunc('month', least('2025-12-31 23:59:59.999999'::timestamp without time zone)), '1 month'::interval) AS series(s)) AS d0 LIMIT 100001
--> Differentially private aggregate of public.samples
-->   Privacy unit: patient, by public.samples.patient_id
-->   Contribution: one row per unit, proven by a unique key of the source; no unit is scaled down
-->   Group keys: date_trunc('month', visited_at): declared (months of visited_at); each declared key is answered, empty ones as noise around 0; rows with other values of date_trunc('month', visited_at) are in no group
-->   Noisy number 1: rows; standard deviation 10, 95 % of the noise within ±20
-->   count(*): from noisy number 1
-->   95 % of the noise: count(*) within ±20 rows
-->   Noise intervals (dp.low, dp.high): cover everything, nothing is clipped
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.samples.paid_at, public.samples.patient_id, public.samples.visited_at
--> rests on: public.samples (patient_id)
--> work of a row: 2300 ns
--> source: SELECT x0 AS k0, count(*) AS s0 FROM (SELECT date_trunc('month', (CASE WHEN t0."visited_at" >= '0001-01-01' THEN t0."visited_at" END)) AS x0 FROM "public"."samples" AS t0 WHERE (t0."paid_at" < t0."visited_at")) AS r GROUP BY 1

SELECT date_trunc('month', visited_at), count(*) FROM samples WHERE visited_at > '2025-01-01' GROUP BY 1;
--> path: unique
--> declared keys: SELECT DISTINCT d0.c0 AS k0 FROM (SELECT DISTINCT s AS c0 FROM generate_series(date_trunc('month', greatest('2024-01-01'::timestamp without time zone, least(greatest(least(greatest('2025-01-01'::timestamp without time zone, '4000-01-01 BC'::timestamp without time zone), '20000-01-01'::timestamp without time zone)::timestamp without time zone, '2024-01-01'::timestamp without time zone), '2025-12-31 23:59:59.999999'::timestamp without time zone))), date_trunc('month', least('2025-12-31 23:59:59.999999'::timestamp without time zone)), '1 month'::interval) AS series(s)) AS d0 LIMIT 100001
--> Differentially private aggregate of public.samples
-->   Privacy unit: patient, by public.samples.patient_id
-->   Contribution: one row per unit, proven by a unique key of the source; no unit is scaled down
-->   Group keys: date_trunc('month', visited_at): declared (months of visited_at); each declared key is answered, empty ones as noise around 0; rows with other values of date_trunc('month', visited_at) are in no group
-->   Noisy number 1: rows; standard deviation 10, 95 % of the noise within ±20
-->   count(*): from noisy number 1
-->   95 % of the noise: count(*) within ±20 rows
-->   Noise intervals (dp.low, dp.high): cover everything, nothing is clipped
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.samples.patient_id, public.samples.visited_at
--> rests on: public.samples (patient_id)
--> work of a row: 2240 ns
--> source: SELECT x0 AS k0, count(*) AS s0 FROM (SELECT date_trunc('month', (CASE WHEN t0."visited_at" >= '0001-01-01' THEN t0."visited_at" END)) AS x0 FROM "public"."samples" AS t0 WHERE (t0."visited_at" > '2025-01-01')) AS r GROUP BY 1

SELECT date_trunc('month', visited_at), count(*) FROM samples WHERE visited_at BETWEEN SYMMETRIC '2025-03-01' AND '2025-01-01' GROUP BY 1;
--> path: unique
--> declared keys: SELECT DISTINCT d0.c0 AS k0 FROM (SELECT DISTINCT s AS c0 FROM generate_series(date_trunc('month', greatest('2024-01-01'::timestamp without time zone)), date_trunc('month', least('2025-12-31 23:59:59.999999'::timestamp without time zone)), '1 month'::interval) AS series(s)) AS d0 LIMIT 100001
--> Differentially private aggregate of public.samples
-->   Privacy unit: patient, by public.samples.patient_id
-->   Contribution: one row per unit, proven by a unique key of the source; no unit is scaled down
-->   Group keys: date_trunc('month', visited_at): declared (months of visited_at); each declared key is answered, empty ones as noise around 0; rows with other values of date_trunc('month', visited_at) are in no group
-->   Noisy number 1: rows; standard deviation 10, 95 % of the noise within ±20
-->   count(*): from noisy number 1
-->   95 % of the noise: count(*) within ±20 rows
-->   Noise intervals (dp.low, dp.high): cover everything, nothing is clipped
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.samples.patient_id, public.samples.visited_at
--> rests on: public.samples (patient_id)
--> work of a row: 2320 ns
--> source: SELECT x0 AS k0, count(*) AS s0 FROM (SELECT date_trunc('month', (CASE WHEN t0."visited_at" >= '0001-01-01' THEN t0."visited_at" END)) AS x0 FROM "public"."samples" AS t0 WHERE (t0."visited_at" BETWEEN SYMMETRIC '2025-03-01' AND '2025-01-01')) AS r GROUP BY 1

SELECT date_trunc('day', paid_at), count(*) FROM samples WHERE paid_at >= timestamptz '2025-01-01 00:00+01' GROUP BY 1;
--> path: unique
--> declared keys: SELECT DISTINCT d0.c0 AS k0 FROM (SELECT DISTINCT date_trunc('day', s) AS c0 FROM generate_series(date_trunc('day', greatest('2024-01-01 00:00+00'::timestamp with time zone, least(greatest(least(greatest('2024-12-31 23:00:00+00'::timestamp with time zone, '4000-01-01 BC'::timestamp with time zone), '20000-01-01'::timestamp with time zone)::timestamp with time zone, '2024-01-01 00:00+00'::timestamp with time zone), '2025-12-31 23:59:59.999999+00'::timestamp with time zone))), date_trunc('day', least('2025-12-31 23:59:59.999999+00'::timestamp with time zone)) + '1 day'::interval, '1 day'::interval) AS series(s) WHERE date_trunc('day', s) <= date_trunc('day', least('2025-12-31 23:59:59.999999+00'::timestamp with time zone))) AS d0 LIMIT 100001
--> Differentially private aggregate of public.samples
-->   Privacy unit: patient, by public.samples.patient_id
-->   Contribution: one row per unit, proven by a unique key of the source; no unit is scaled down
-->   Group keys: date_trunc('day', paid_at): declared (days of paid_at); each declared key is answered, empty ones as noise around 0; rows with other values of date_trunc('day', paid_at) are in no group
-->   Noisy number 1: rows; standard deviation 10, 95 % of the noise within ±20
-->   count(*): from noisy number 1
-->   95 % of the noise: count(*) within ±20 rows
-->   Noise intervals (dp.low, dp.high): cover everything, nothing is clipped
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.samples.paid_at, public.samples.patient_id
--> rests on: public.samples (patient_id)
--> work of a row: 2270 ns
--> source: SELECT x0 AS k0, count(*) AS s0 FROM (SELECT date_trunc('day', (CASE WHEN t0."paid_at" >= '0001-01-01' THEN t0."paid_at" END)) AS x0 FROM "public"."samples" AS t0 WHERE (t0."paid_at" >= '2024-12-31 23:00:00+00')) AS r GROUP BY 1

SELECT t.r, count(*) FROM patients p LEFT JOIN (SELECT patient_id, coalesce(region, 'none') AS r FROM patients) AS t ON t.patient_id = p.patient_id GROUP BY t.r;
--> path: unique
--> declared keys: SELECT DISTINCT d0.c0 AS k0 FROM (SELECT DISTINCT coalesce(d0.c0, 'none') AS c0 FROM (SELECT DISTINCT "name"::text AS c0 FROM "public"."regions" WHERE "name" IS NOT NULL UNION ALL SELECT NULL) AS d0 UNION SELECT NULL) AS d0 LIMIT 100001
--> Differentially private aggregate of public.patients
-->   Privacy unit: patient, by public.patients.patient_id
-->   Contribution: one row per unit, proven by a unique key of the source; no unit is scaled down
-->   Group keys: t.r: declared (values of r); each declared key is answered, empty ones as noise around 0; rows with other values of t.r are in no group
-->   Noisy number 1: rows; standard deviation 10, 95 % of the noise within ±20
-->   count(*): from noisy number 1
-->   95 % of the noise: count(*) within ±20 rows
-->   Noise intervals (dp.low, dp.high): cover everything, nothing is clipped
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.patients.patient_id, public.patients.region
--> rests on: public.patients (patient_id)
--> work of a row: 64810 ns
--> source: SELECT x0 AS k0, count(*) AS s0 FROM (SELECT ((t1.c1)::text COLLATE "C") AS x0 FROM "public"."patients" AS t0 LEFT JOIN (SELECT t1t0."patient_id" AS unit, t1t0."patient_id" AS c0, coalesce((CASE WHEN octet_length(t1t0."region") > 4000 THEN CASE WHEN pg_column_size(t1t0."region") <= 1000000 THEN left(t1t0."region", 2000) ELSE '' END ELSE t1t0."region" END), 'none') AS c1 FROM "public"."patients" AS t1t0) AS t1 ON (t0."patient_id" = t1.c0)) AS r GROUP BY 1

SELECT r, count(*) FROM (SELECT patient_id, row_number() OVER (PARTITION BY patient_id ORDER BY day) AS r FROM visits) AS v GROUP BY r;
--> path: general
--> declared keys: SELECT DISTINCT d0.c0 AS k0 FROM (SELECT s AS c0 FROM generate_series(1::bigint, 50) AS s) AS d0 LIMIT 100001
--> Differentially private aggregate of public.visits
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows per group, squared and summed <= 500)
-->   Group keys: r: declared (1 to 50 of r, greater ones are not shown); each declared key is answered, empty ones as noise around 0; rows with other values of r are in no group
-->   Noisy number 1: rows; standard deviation 223.607, 95 % of the noise within ±438.262
-->   count(*): from noisy number 1
-->   95 % of the noise: count(*) within ±438 rows
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.visits.day, public.visits.patient_id, public.visits.visit_id
--> rests on: public.visits (visit_id)
--> work of a row: 10630 ns
--> source: WITH heavy AS MATERIALIZED (SELECT unit FROM (SELECT t0.unit AS unit FROM (SELECT t0t0."patient_id" AS unit, t0t0."patient_id" AS c0, (row_number() OVER (PARTITION BY t0t0."patient_id", t0t0."patient_id" ORDER BY t0t0."day" ASC NULLS LAST, t0t0."visit_id")) AS c1 FROM "public"."visits" AS t0t0) AS t0 ORDER BY 1) AS r GROUP BY unit HAVING count(*) > 22) SELECT k0, sum(v0) AS v0 FROM (SELECT x0 AS k0, count(*)::numeric * 1024 AS v0 FROM (SELECT t0.c1 AS x0 FROM (SELECT t0t0."patient_id" AS unit, t0t0."patient_id" AS c0, (row_number() OVER (PARTITION BY t0t0."patient_id", t0t0."patient_id" ORDER BY t0t0."day" ASC NULLS LAST, t0t0."visit_id")) AS c1 FROM "public"."visits" AS t0t0) AS t0 WHERE NOT EXISTS (SELECT FROM heavy AS h WHERE h.unit = t0.unit)) AS r GROUP BY 1 UNION ALL SELECT k0, sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, sum(n * n) OVER w AS q FROM (SELECT unit, k0, LEAST(n, 3037000499) AS n, LEAST(n, 3037000499) AS v0 FROM (SELECT x0 AS unit, x1 AS k0, count(*) AS n FROM (SELECT t0.unit AS x0, t0.c1 AS x1 FROM (SELECT t0t0."patient_id" AS unit, t0t0."patient_id" AS c0, (row_number() OVER (PARTITION BY t0t0."patient_id", t0t0."patient_id" ORDER BY t0t0."day" ASC NULLS LAST, t0t0."visit_id")) AS c1 FROM "public"."visits" AS t0t0) AS t0 WHERE EXISTS (SELECT FROM heavy AS h WHERE h.unit = t0.unit)) AS r GROUP BY 1, 2) AS counted) AS per_unit WINDOW w AS (PARTITION BY unit)) AS sized) AS scaled GROUP BY 1) AS parts GROUP BY 1

SELECT n, count(*) FROM (SELECT patient_id, count(minutes) AS n FROM visits GROUP BY patient_id) AS v GROUP BY n;
--> path: unique
--> declared keys: SELECT DISTINCT d0.c0 AS k0 FROM (SELECT s AS c0 FROM generate_series(0::bigint, 50) AS s) AS d0 LIMIT 100001
--> Differentially private aggregate of public.visits
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: one row per unit, because a subquery groups by the unit; no unit is scaled down
-->   Group keys: n: declared (0 to 50 of n, greater ones are not shown); each declared key is answered, empty ones as noise around 0; rows with other values of n are in no group
-->   Noisy number 1: rows; standard deviation 10, 95 % of the noise within ±20
-->   count(*): from noisy number 1
-->   95 % of the noise: count(*) within ±20 rows
-->   Noise intervals (dp.low, dp.high): cover everything, nothing is clipped
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.visits.minutes, public.visits.patient_id
--> rests on: public.visits (visit_id)
--> work of a row: 11836 ns
--> source: SELECT x0 AS k0, count(*) AS s0 FROM (SELECT t0.c1 AS x0 FROM (SELECT t0t0."patient_id" AS unit, t0t0."patient_id" AS c0, count(t0t0."minutes") AS c1 FROM "public"."visits" AS t0t0 GROUP BY t0t0."patient_id") AS t0) AS r GROUP BY 1

SELECT small, count(*) FROM readings WHERE small IN (5, 32767, 32768) GROUP BY small;
--> path: unique
--> declared keys: SELECT DISTINCT d0.c0 AS k0 FROM (SELECT v.c0 FROM (VALUES (32767::smallint), (5::smallint)) AS v(c0)) AS d0 WHERE (d0.c0 IN (32767, 32768, 5)) LIMIT 100001
--> Differentially private aggregate of public.readings
-->   Privacy unit: patient, by public.readings.patient_id
-->   Contribution: one row per unit, proven by a unique key of the source; no unit is scaled down
-->   Group keys: small: declared (a list in WHERE); every key is answered, empty ones as noise around 0
-->   Noisy number 1: rows; standard deviation 10, 95 % of the noise within ±20
-->   count(*): from noisy number 1
-->   95 % of the noise: count(*) within ±20 rows
-->   Noise intervals (dp.low, dp.high): cover everything, nothing is clipped
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.readings.patient_id, public.readings.small
--> rests on: public.readings (patient_id)
--> work of a row: 580 ns
--> source: SELECT x0 AS k0, count(*) AS s0 FROM (SELECT t0."small" AS x0 FROM "public"."readings" AS t0 WHERE (t0."small" IN (32767, 32768, 5))) AS r GROUP BY 1

SELECT code, count(*) FROM readings WHERE code IN ('abcd', 'abcde') GROUP BY code;
--> path: unique
--> declared keys: SELECT DISTINCT d0.c0 AS k0 FROM (SELECT v.c0 FROM (VALUES ('abcd'::character(4))) AS v(c0)) AS d0 WHERE (d0.c0 IN ('abcd', 'abcde')) LIMIT 100001
--> Differentially private aggregate of public.readings
-->   Privacy unit: patient, by public.readings.patient_id
-->   Contribution: one row per unit, proven by a unique key of the source; no unit is scaled down
-->   Group keys: code: declared (a list in WHERE); every key is answered, empty ones as noise around 0
-->   Noisy number 1: rows; standard deviation 10, 95 % of the noise within ±20
-->   count(*): from noisy number 1
-->   95 % of the noise: count(*) within ±20 rows
-->   Noise intervals (dp.low, dp.high): cover everything, nothing is clipped
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.readings.code, public.readings.patient_id
--> rests on: public.readings (patient_id)
--> work of a row: 616 ns
--> source: SELECT x0 AS k0, count(*) AS s0 FROM (SELECT ((t0."code")::character(4) COLLATE "C") AS x0 FROM "public"."readings" AS t0 WHERE (t0."code" IN ('abcd', 'abcde'))) AS r GROUP BY 1
