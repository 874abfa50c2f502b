SELECT r.name, count(v.visit_id) FROM regions r LEFT JOIN visits v ON v.region = r.name JOIN prices p ON p.amount > r.people GROUP BY r.name;
--> path: general
--> declared keys: SELECT DISTINCT t0."name" AS k0 FROM "public"."regions" AS t0 INNER JOIN "public"."prices" AS t2 ON (t0."people" < t2."amount") LIMIT 100001
--> Differentially private aggregate of public.visits joined with public.regions, public.prices
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows per group, squared and summed <= 500)
-->   Rows that meet others: at most 200 of a unit in public.visits; further ones take no part
-->   Repeated rows: each row counts up to 100 times, as FROM repeats it, and max_rows = 50 limits them all
-->   Group keys: r.name: declared (rows that the outer join keeps); every key is answered, empty ones as noise around 0
-->   Noisy number 1: rows; standard deviation 223.607, 95 % of the noise within ±438.262
-->   count(v.visit_id): from noisy number 1
-->   95 % of the noise: count(v.visit_id) within ±438 rows
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.prices.amount, public.regions.name, public.regions.people, public.visits.cost, public.visits.day, public.visits.details, public.visits.diagnosis, public.visits.minutes, public.visits.note, public.visits.paid_at, public.visits.patient_id, public.visits.region, public.visits.score, public.visits.tags, public.visits.took, public.visits.urgent, public.visits.visit_id, public.visits.visited_at
--> rests on: public.regions (name)
--> cut: public.visits to 200 rows: SELECT m."patient_id" AS unit FROM "public"."visits" AS m WHERE m."patient_id" IS NOT NULL GROUP BY 1 HAVING count(*) > 200
--> work of a row: 52425 ns
--> source: WITH many_e8fe7e938aead538 AS MATERIALIZED (SELECT m."patient_id" AS unit FROM "public"."visits" AS m WHERE m."patient_id" IS NOT NULL GROUP BY 1 HAVING count(*) > 200) SELECT * FROM (WITH heavy AS MATERIALIZED (SELECT unit FROM (SELECT t1."patient_id" AS unit FROM "public"."regions" AS t0 INNER JOIN ((SELECT m."visit_id", m."patient_id", m."region", m."visited_at", m."paid_at", m."day", m."minutes", m."cost", m."score", m."urgent", m."diagnosis", m."note", m."took", m."details", m."tags" FROM "public"."visits" AS m WHERE NOT EXISTS (SELECT FROM many_e8fe7e938aead538 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"]) OFFSET 0) UNION ALL (SELECT "visit_id", "patient_id", "region", "visited_at", "paid_at", "day", "minutes", "cost", "score", "urgent", "diagnosis", "note", "took", "details", "tags" FROM (SELECT m."visit_id", m."patient_id", m."region", m."visited_at", m."paid_at", m."day", m."minutes", m."cost", m."score", m."urgent", m."diagnosis", m."note", m."took", m."details", m."tags", row_number() OVER (PARTITION BY m."patient_id" ORDER BY m."visit_id") AS place0 FROM "public"."visits" AS m WHERE EXISTS (SELECT FROM many_e8fe7e938aead538 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"])) AS r WHERE r.place0 <= 200 OFFSET 0)) AS t1 ON (((CASE WHEN octet_length(t1."region") > 4000 THEN CASE WHEN pg_column_size(t1."region") <= 1000000 THEN left(t1."region", 2000) ELSE '' END ELSE t1."region" END) COLLATE pg_catalog."default") = t0."name") INNER JOIN "public"."prices" AS t2 ON (t0."people" < t2."amount") ORDER BY 1) AS r GROUP BY unit HAVING count(*) > 22) SELECT k0, sum(v0) AS v0 FROM (SELECT x0 AS k0, count(*)::numeric * 1024 AS v0 FROM (SELECT (t0."name" COLLATE "C") AS x0 FROM "public"."regions" AS t0 INNER JOIN ((SELECT m."visit_id", m."patient_id", m."region", m."visited_at", m."paid_at", m."day", m."minutes", m."cost", m."score", m."urgent", m."diagnosis", m."note", m."took", m."details", m."tags" FROM "public"."visits" AS m WHERE NOT EXISTS (SELECT FROM many_e8fe7e938aead538 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"]) OFFSET 0) UNION ALL (SELECT "visit_id", "patient_id", "region", "visited_at", "paid_at", "day", "minutes", "cost", "score", "urgent", "diagnosis", "note", "took", "details", "tags" FROM (SELECT m."visit_id", m."patient_id", m."region", m."visited_at", m."paid_at", m."day", m."minutes", m."cost", m."score", m."urgent", m."diagnosis", m."note", m."took", m."details", m."tags", row_number() OVER (PARTITION BY m."patient_id" ORDER BY m."visit_id") AS place0 FROM "public"."visits" AS m WHERE EXISTS (SELECT FROM many_e8fe7e938aead538 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"])) AS r WHERE r.place0 <= 200 OFFSET 0)) AS t1 ON (((CASE WHEN octet_length(t1."region") > 4000 THEN CASE WHEN pg_column_size(t1."region") <= 1000000 THEN left(t1."region", 2000) ELSE '' END ELSE t1."region" END) COLLATE pg_catalog."default") = t0."name") INNER JOIN "public"."prices" AS t2 ON (t0."people" < t2."amount") WHERE NOT EXISTS (SELECT FROM heavy AS h WHERE h.unit = t1."patient_id")) AS r GROUP BY 1 UNION ALL SELECT k0, sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, sum(n * n) OVER w AS q FROM (SELECT unit, k0, LEAST(n, 3037000499) AS n, LEAST(n, 3037000499) AS v0 FROM (SELECT x0 AS unit, x1 AS k0, count(*) AS n FROM (SELECT t1."patient_id" AS x0, (t0."name" COLLATE "C") AS x1 FROM "public"."regions" AS t0 INNER JOIN ((SELECT m."visit_id", m."patient_id", m."region", m."visited_at", m."paid_at", m."day", m."minutes", m."cost", m."score", m."urgent", m."diagnosis", m."note", m."took", m."details", m."tags" FROM "public"."visits" AS m WHERE NOT EXISTS (SELECT FROM many_e8fe7e938aead538 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"]) OFFSET 0) UNION ALL (SELECT "visit_id", "patient_id", "region", "visited_at", "paid_at", "day", "minutes", "cost", "score", "urgent", "diagnosis", "note", "took", "details", "tags" FROM (SELECT m."visit_id", m."patient_id", m."region", m."visited_at", m."paid_at", m."day", m."minutes", m."cost", m."score", m."urgent", m."diagnosis", m."note", m."took", m."details", m."tags", row_number() OVER (PARTITION BY m."patient_id" ORDER BY m."visit_id") AS place0 FROM "public"."visits" AS m WHERE EXISTS (SELECT FROM many_e8fe7e938aead538 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"])) AS r WHERE r.place0 <= 200 OFFSET 0)) AS t1 ON (((CASE WHEN octet_length(t1."region") > 4000 THEN CASE WHEN pg_column_size(t1."region") <= 1000000 THEN left(t1."region", 2000) ELSE '' END ELSE t1."region" END) COLLATE pg_catalog."default") = t0."name") INNER JOIN "public"."prices" AS t2 ON (t0."people" < t2."amount") WHERE EXISTS (SELECT FROM heavy AS h WHERE h.unit = t1."patient_id")) AS r GROUP BY 1, 2) AS counted) AS per_unit WINDOW w AS (PARTITION BY unit)) AS sized) AS scaled GROUP BY 1) AS parts GROUP BY 1) AS measured

SELECT r.name, count(v.visit_id) FROM regions r LEFT JOIN visits v ON v.region = r.name LEFT JOIN prices p ON p.code = v.note GROUP BY r.name;
--> path: general
--> declared keys: SELECT DISTINCT t0."name" AS k0 FROM "public"."regions" AS t0 LIMIT 100001
--> Differentially private aggregate of public.visits joined with public.regions, public.prices
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows per group, squared and summed <= 500)
-->   Rows that may take long: at most 2000 of a unit in public.visits; further ones take no part
-->   Group keys: r.name: declared (rows that the outer join keeps); every key is answered, empty ones as noise around 0
-->   Noisy number 1: rows; standard deviation 223.607, 95 % of the noise within ±438.262
-->   count(v.visit_id): from noisy number 1
-->   95 % of the noise: count(v.visit_id) within ±438 rows
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.prices.code, public.regions.name, public.visits.cost, public.visits.day, public.visits.details, public.visits.diagnosis, public.visits.minutes, public.visits.note, public.visits.paid_at, public.visits.patient_id, public.visits.region, public.visits.score, public.visits.tags, public.visits.took, public.visits.urgent, public.visits.visit_id, public.visits.visited_at
--> rests on: public.regions (name)
--> rests on: public.prices (code)
--> rests on: public.visits (visit_id)
--> cut: public.visits to 2000 rows: SELECT m."patient_id" AS unit FROM "public"."visits" AS m WHERE m."patient_id" IS NOT NULL GROUP BY 1 HAVING count(*) > 2000
--> work of a row: 94290 ns
--> source: WITH many_d309dd02df23f5c9 AS MATERIALIZED (SELECT m."patient_id" AS unit FROM "public"."visits" AS m WHERE m."patient_id" IS NOT NULL GROUP BY 1 HAVING count(*) > 2000) SELECT * FROM (WITH heavy AS MATERIALIZED (SELECT unit FROM (SELECT t1."patient_id" AS unit FROM "public"."regions" AS t0 INNER JOIN ((SELECT m."visit_id", m."patient_id", m."region", m."visited_at", m."paid_at", m."day", m."minutes", m."cost", m."score", m."urgent", m."diagnosis", m."note", m."took", m."details", m."tags" FROM "public"."visits" AS m WHERE NOT EXISTS (SELECT FROM many_d309dd02df23f5c9 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"]) OFFSET 0) UNION ALL (SELECT "visit_id", "patient_id", "region", "visited_at", "paid_at", "day", "minutes", "cost", "score", "urgent", "diagnosis", "note", "took", "details", "tags" FROM (SELECT m."visit_id", m."patient_id", m."region", m."visited_at", m."paid_at", m."day", m."minutes", m."cost", m."score", m."urgent", m."diagnosis", m."note", m."took", m."details", m."tags", row_number() OVER (PARTITION BY m."patient_id" ORDER BY m."visit_id") AS place0 FROM "public"."visits" AS m WHERE EXISTS (SELECT FROM many_d309dd02df23f5c9 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"])) AS r WHERE r.place0 <= 2000 OFFSET 0)) AS t1 ON (((CASE WHEN octet_length(t1."region") > 4000 THEN CASE WHEN pg_column_size(t1."region") <= 1000000 THEN left(t1."region", 2000) ELSE '' END ELSE t1."region" END) COLLATE pg_catalog."default") = t0."name") LEFT JOIN "public"."prices" AS t2 ON (((CASE WHEN octet_length(t1."note") > 4000 THEN CASE WHEN pg_column_size(t1."note") <= 1000000 THEN left(t1."note", 2000) ELSE '' END ELSE t1."note" END) COLLATE pg_catalog."default") = t2."code") ORDER BY 1) AS r GROUP BY unit HAVING count(*) > 22) SELECT k0, sum(v0) AS v0 FROM (SELECT x0 AS k0, count(*)::numeric * 1024 AS v0 FROM (SELECT (t0."name" COLLATE "C") AS x0 FROM "public"."regions" AS t0 INNER JOIN ((SELECT m."visit_id", m."patient_id", m."region", m."visited_at", m."paid_at", m."day", m."minutes", m."cost", m."score", m."urgent", m."diagnosis", m."note", m."took", m."details", m."tags" FROM "public"."visits" AS m WHERE NOT EXISTS (SELECT FROM many_d309dd02df23f5c9 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"]) OFFSET 0) UNION ALL (SELECT "visit_id", "patient_id", "region", "visited_at", "paid_at", "day", "minutes", "cost", "score", "urgent", "diagnosis", "note", "took", "details", "tags" FROM (SELECT m."visit_id", m."patient_id", m."region", m."visited_at", m."paid_at", m."day", m."minutes", m."cost", m."score", m."urgent", m."diagnosis", m."note", m."took", m."details", m."tags", row_number() OVER (PARTITION BY m."patient_id" ORDER BY m."visit_id") AS place0 FROM "public"."visits" AS m WHERE EXISTS (SELECT FROM many_d309dd02df23f5c9 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"])) AS r WHERE r.place0 <= 2000 OFFSET 0)) AS t1 ON (((CASE WHEN octet_length(t1."region") > 4000 THEN CASE WHEN pg_column_size(t1."region") <= 1000000 THEN left(t1."region", 2000) ELSE '' END ELSE t1."region" END) COLLATE pg_catalog."default") = t0."name") LEFT JOIN "public"."prices" AS t2 ON (((CASE WHEN octet_length(t1."note") > 4000 THEN CASE WHEN pg_column_size(t1."note") <= 1000000 THEN left(t1."note", 2000) ELSE '' END ELSE t1."note" END) COLLATE pg_catalog."default") = t2."code") WHERE NOT EXISTS (SELECT FROM heavy AS h WHERE h.unit = t1."patient_id")) AS r GROUP BY 1 UNION ALL SELECT k0, sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, sum(n * n) OVER w AS q FROM (SELECT unit, k0, LEAST(n, 3037000499) AS n, LEAST(n, 3037000499) AS v0 FROM (SELECT x0 AS unit, x1 AS k0, count(*) AS n FROM (SELECT t1."patient_id" AS x0, (t0."name" COLLATE "C") AS x1 FROM "public"."regions" AS t0 INNER JOIN ((SELECT m."visit_id", m."patient_id", m."region", m."visited_at", m."paid_at", m."day", m."minutes", m."cost", m."score", m."urgent", m."diagnosis", m."note", m."took", m."details", m."tags" FROM "public"."visits" AS m WHERE NOT EXISTS (SELECT FROM many_d309dd02df23f5c9 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"]) OFFSET 0) UNION ALL (SELECT "visit_id", "patient_id", "region", "visited_at", "paid_at", "day", "minutes", "cost", "score", "urgent", "diagnosis", "note", "took", "details", "tags" FROM (SELECT m."visit_id", m."patient_id", m."region", m."visited_at", m."paid_at", m."day", m."minutes", m."cost", m."score", m."urgent", m."diagnosis", m."note", m."took", m."details", m."tags", row_number() OVER (PARTITION BY m."patient_id" ORDER BY m."visit_id") AS place0 FROM "public"."visits" AS m WHERE EXISTS (SELECT FROM many_d309dd02df23f5c9 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"])) AS r WHERE r.place0 <= 2000 OFFSET 0)) AS t1 ON (((CASE WHEN octet_length(t1."region") > 4000 THEN CASE WHEN pg_column_size(t1."region") <= 1000000 THEN left(t1."region", 2000) ELSE '' END ELSE t1."region" END) COLLATE pg_catalog."default") = t0."name") LEFT JOIN "public"."prices" AS t2 ON (((CASE WHEN octet_length(t1."note") > 4000 THEN CASE WHEN pg_column_size(t1."note") <= 1000000 THEN left(t1."note", 2000) ELSE '' END ELSE t1."note" END) COLLATE pg_catalog."default") = t2."code") WHERE EXISTS (SELECT FROM heavy AS h WHERE h.unit = t1."patient_id")) AS r GROUP BY 1, 2) AS counted) AS per_unit WINDOW w AS (PARTITION BY unit)) AS sized) AS scaled GROUP BY 1) AS parts GROUP BY 1) AS measured

SELECT r.name, count(v.visit_id) FROM regions r LEFT JOIN visits v ON v.region = r.name JOIN prices p ON p.code = v.note GROUP BY r.name;
--> path: general
--> declared keys: SELECT DISTINCT d0.c0 AS k0 FROM (SELECT DISTINCT p."name" AS c0 FROM "public"."regions" AS p) AS d0 LIMIT 100001
--> Differentially private aggregate of public.visits joined with public.regions, public.prices
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows per group, squared and summed <= 500)
-->   Rows that may take long: at most 2000 of a unit in public.visits; further ones take no part
-->   Group keys: r.name: declared (rows of public.regions); every key is answered, empty ones as noise around 0
-->   Noisy number 1: rows; standard deviation 223.607, 95 % of the noise within ±438.262
-->   count(v.visit_id): from noisy number 1
-->   95 % of the noise: count(v.visit_id) within ±438 rows
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.prices.code, public.regions.name, public.visits.cost, public.visits.day, public.visits.details, public.visits.diagnosis, public.visits.minutes, public.visits.note, public.visits.paid_at, public.visits.patient_id, public.visits.region, public.visits.score, public.visits.tags, public.visits.took, public.visits.urgent, public.visits.visit_id, public.visits.visited_at
--> rests on: public.regions (name)
--> rests on: public.prices (code)
--> rests on: public.visits (visit_id)
--> cut: public.visits to 2000 rows: SELECT m."patient_id" AS unit FROM "public"."visits" AS m WHERE m."patient_id" IS NOT NULL GROUP BY 1 HAVING count(*) > 2000
--> work of a row: 94290 ns
--> source: WITH many_d309dd02df23f5c9 AS MATERIALIZED (SELECT m."patient_id" AS unit FROM "public"."visits" AS m WHERE m."patient_id" IS NOT NULL GROUP BY 1 HAVING count(*) > 2000) SELECT * FROM (WITH heavy AS MATERIALIZED (SELECT unit FROM (SELECT t1."patient_id" AS unit FROM "public"."regions" AS t0 INNER JOIN ((SELECT m."visit_id", m."patient_id", m."region", m."visited_at", m."paid_at", m."day", m."minutes", m."cost", m."score", m."urgent", m."diagnosis", m."note", m."took", m."details", m."tags" FROM "public"."visits" AS m WHERE NOT EXISTS (SELECT FROM many_d309dd02df23f5c9 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"]) OFFSET 0) UNION ALL (SELECT "visit_id", "patient_id", "region", "visited_at", "paid_at", "day", "minutes", "cost", "score", "urgent", "diagnosis", "note", "took", "details", "tags" FROM (SELECT m."visit_id", m."patient_id", m."region", m."visited_at", m."paid_at", m."day", m."minutes", m."cost", m."score", m."urgent", m."diagnosis", m."note", m."took", m."details", m."tags", row_number() OVER (PARTITION BY m."patient_id" ORDER BY m."visit_id") AS place0 FROM "public"."visits" AS m WHERE EXISTS (SELECT FROM many_d309dd02df23f5c9 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"])) AS r WHERE r.place0 <= 2000 OFFSET 0)) AS t1 ON (((CASE WHEN octet_length(t1."region") > 4000 THEN CASE WHEN pg_column_size(t1."region") <= 1000000 THEN left(t1."region", 2000) ELSE '' END ELSE t1."region" END) COLLATE pg_catalog."default") = t0."name") INNER JOIN "public"."prices" AS t2 ON (((CASE WHEN octet_length(t1."note") > 4000 THEN CASE WHEN pg_column_size(t1."note") <= 1000000 THEN left(t1."note", 2000) ELSE '' END ELSE t1."note" END) COLLATE pg_catalog."default") = t2."code") ORDER BY 1) AS r GROUP BY unit HAVING count(*) > 22) SELECT k0, sum(v0) AS v0 FROM (SELECT x0 AS k0, count(*)::numeric * 1024 AS v0 FROM (SELECT (t0."name" COLLATE "C") AS x0 FROM "public"."regions" AS t0 INNER JOIN ((SELECT m."visit_id", m."patient_id", m."region", m."visited_at", m."paid_at", m."day", m."minutes", m."cost", m."score", m."urgent", m."diagnosis", m."note", m."took", m."details", m."tags" FROM "public"."visits" AS m WHERE NOT EXISTS (SELECT FROM many_d309dd02df23f5c9 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"]) OFFSET 0) UNION ALL (SELECT "visit_id", "patient_id", "region", "visited_at", "paid_at", "day", "minutes", "cost", "score", "urgent", "diagnosis", "note", "took", "details", "tags" FROM (SELECT m."visit_id", m."patient_id", m."region", m."visited_at", m."paid_at", m."day", m."minutes", m."cost", m."score", m."urgent", m."diagnosis", m."note", m."took", m."details", m."tags", row_number() OVER (PARTITION BY m."patient_id" ORDER BY m."visit_id") AS place0 FROM "public"."visits" AS m WHERE EXISTS (SELECT FROM many_d309dd02df23f5c9 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"])) AS r WHERE r.place0 <= 2000 OFFSET 0)) AS t1 ON (((CASE WHEN octet_length(t1."region") > 4000 THEN CASE WHEN pg_column_size(t1."region") <= 1000000 THEN left(t1."region", 2000) ELSE '' END ELSE t1."region" END) COLLATE pg_catalog."default") = t0."name") INNER JOIN "public"."prices" AS t2 ON (((CASE WHEN octet_length(t1."note") > 4000 THEN CASE WHEN pg_column_size(t1."note") <= 1000000 THEN left(t1."note", 2000) ELSE '' END ELSE t1."note" END) COLLATE pg_catalog."default") = t2."code") WHERE NOT EXISTS (SELECT FROM heavy AS h WHERE h.unit = t1."patient_id")) AS r GROUP BY 1 UNION ALL SELECT k0, sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, sum(n * n) OVER w AS q FROM (SELECT unit, k0, LEAST(n, 3037000499) AS n, LEAST(n, 3037000499) AS v0 FROM (SELECT x0 AS unit, x1 AS k0, count(*) AS n FROM (SELECT t1."patient_id" AS x0, (t0."name" COLLATE "C") AS x1 FROM "public"."regions" AS t0 INNER JOIN ((SELECT m."visit_id", m."patient_id", m."region", m."visited_at", m."paid_at", m."day", m."minutes", m."cost", m."score", m."urgent", m."diagnosis", m."note", m."took", m."details", m."tags" FROM "public"."visits" AS m WHERE NOT EXISTS (SELECT FROM many_d309dd02df23f5c9 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"]) OFFSET 0) UNION ALL (SELECT "visit_id", "patient_id", "region", "visited_at", "paid_at", "day", "minutes", "cost", "score", "urgent", "diagnosis", "note", "took", "details", "tags" FROM (SELECT m."visit_id", m."patient_id", m."region", m."visited_at", m."paid_at", m."day", m."minutes", m."cost", m."score", m."urgent", m."diagnosis", m."note", m."took", m."details", m."tags", row_number() OVER (PARTITION BY m."patient_id" ORDER BY m."visit_id") AS place0 FROM "public"."visits" AS m WHERE EXISTS (SELECT FROM many_d309dd02df23f5c9 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"])) AS r WHERE r.place0 <= 2000 OFFSET 0)) AS t1 ON (((CASE WHEN octet_length(t1."region") > 4000 THEN CASE WHEN pg_column_size(t1."region") <= 1000000 THEN left(t1."region", 2000) ELSE '' END ELSE t1."region" END) COLLATE pg_catalog."default") = t0."name") INNER JOIN "public"."prices" AS t2 ON (((CASE WHEN octet_length(t1."note") > 4000 THEN CASE WHEN pg_column_size(t1."note") <= 1000000 THEN left(t1."note", 2000) ELSE '' END ELSE t1."note" END) COLLATE pg_catalog."default") = t2."code") WHERE EXISTS (SELECT FROM heavy AS h WHERE h.unit = t1."patient_id")) AS r GROUP BY 1, 2) AS counted) AS per_unit WINDOW w AS (PARTITION BY unit)) AS sized) AS scaled GROUP BY 1) AS parts GROUP BY 1) AS measured

SELECT r.name, count(v.visit_id) FROM regions r LEFT JOIN visits v ON v.region = r.name LEFT JOIN prices p ON p.code = coalesce(v.note, 'x') GROUP BY r.name;
--> refused 0A000 join-kind: this join after an outer join is not supported here

SELECT r.name, count(v.visit_id) FROM regions r LEFT JOIN visits v ON v.region = r.name JOIN prices p ON p.code = coalesce(v.note, 'x') GROUP BY r.name;
--> refused 0A000 join-kind: this join after an outer join is not supported here

SELECT r.name, count(v.visit_id) FROM regions r LEFT JOIN visits v ON v.region = r.name JOIN stays s ON s.patient_id = v.patient_id GROUP BY r.name;
--> path: general
--> declared keys: SELECT DISTINCT d0.c0 AS k0 FROM (SELECT DISTINCT p."name" AS c0 FROM "public"."regions" AS p) AS d0 LIMIT 100001
--> Differentially private aggregate of public.visits joined with public.stays, public.regions
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: units are scaled down to a limit that the query chooses from the data for 1/10 of the price, by their rows, per group, squared, summed, and the root taken
-->   Rows that meet others: at most 100 of a unit in public.visits; further ones take no part
-->   Rows that meet others: at most 100 of a unit in public.stays; further ones take no part
-->   Group keys: r.name: declared (rows of public.regions); every key is answered, empty ones as noise around 0
-->   Noisy number 1: rows; standard deviation 10.5409 times the limit of their rows
-->   count(v.visit_id): from noisy number 1
-->   95 % of the noise: as wide as the limit that the query chooses makes it; the answer's notice says it
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.regions.name, public.stays.nights, public.stays.patient_id, public.stays.ward, public.visits.cost, public.visits.day, public.visits.details, public.visits.diagnosis, public.visits.minutes, public.visits.note, public.visits.paid_at, public.visits.patient_id, public.visits.region, public.visits.score, public.visits.tags, public.visits.took, public.visits.urgent, public.visits.visit_id, public.visits.visited_at
--> rests on: public.regions (name)
--> cut: public.visits to 100 rows: SELECT m."patient_id" AS unit FROM "public"."visits" AS m WHERE m."patient_id" IS NOT NULL GROUP BY 1 HAVING count(*) > 100
--> cut: public.stays to 100 rows: SELECT m."patient_id" AS unit FROM "public"."stays" AS m WHERE m."patient_id" IS NOT NULL GROUP BY 1 HAVING count(*) > 100
--> work of a row: 52370 ns
--> source: WITH many_e35608f5360245f6 AS MATERIALIZED (SELECT m."patient_id" AS unit FROM "public"."visits" AS m WHERE m."patient_id" IS NOT NULL GROUP BY 1 HAVING count(*) > 100), many_dcf539f66cba6faf AS MATERIALIZED (SELECT m."patient_id" AS unit FROM "public"."stays" AS m WHERE m."patient_id" IS NOT NULL GROUP BY 1 HAVING count(*) > 100) SELECT * FROM (WITH found AS (SELECT k0, i, b, sum(a0) AS a0, sum(z0) AS z0, count(*) FILTER (WHERE place = 1 AND adds) AS units FROM (SELECT *, b0 AS b, true AS adds, v0 AS a0, t0 AS z0 FROM (SELECT *, 0 AS i FROM (SELECT *, width_bucket(q0, '{1.0000000000000002,2.2500000000000004,4.000000000000001,9.000000000000002,16.000000000000004,36.00000000000001,64.00000000000001,144.00000000000003,256.00000000000006,576.0000000000001,1024.0000000000002,2304.0000000000005,4096.000000000001,9216.000000000002,16384.000000000004,36864.00000000001,65536.00000000001,147456.00000000003,262144.00000000006,589824.0000000001,1048576.0000000002,2359296.0000000005,4194304.000000001,9437184.000000002,16777216.000000004,37748736.00000001,67108864.00000001,150994944.00000003,268435456.00000006,603979776.0000001,1073741824.0000002,2415919104.0000005,4294967296.000001,9663676416.000002,17179869184.000004,38654705664.00001,68719476736.00002,154618822656.00003,274877906944.00006,618475290624.0001,1099511627776.0002,2473901162496.0005,4398046511104.001,9895604649984.002,17592186044416.004,39582418599936.01,70368744177664.02,158329674399744.03,281474976710656.06}'::double precision[]) AS b0, trunc(v0::double precision / NULLIF(sqrt(q0), 0) * 3221225424.0)::bigint AS t0 FROM (SELECT *, CASE WHEN (sum(n * n) OVER w) < 4611686018427387904 THEN (sum(n * n) OVER w)::bigint::double precision ELSE (sum(n * n) OVER w)::double precision END AS q0, row_number() OVER w AS place FROM (SELECT unit, k0, LEAST(n, 3037000499) AS n, LEAST(n, 3037000499) AS v0 FROM (SELECT x0 AS unit, x1 AS k0, count(*) AS n FROM (SELECT t1."patient_id" AS x0, (t0."name" COLLATE "C") AS x1 FROM "public"."regions" AS t0 INNER JOIN ((SELECT m."visit_id", m."patient_id", m."region", m."visited_at", m."paid_at", m."day", m."minutes", m."cost", m."score", m."urgent", m."diagnosis", m."note", m."took", m."details", m."tags" FROM "public"."visits" AS m WHERE NOT EXISTS (SELECT FROM many_e35608f5360245f6 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"]) OFFSET 0) UNION ALL (SELECT "visit_id", "patient_id", "region", "visited_at", "paid_at", "day", "minutes", "cost", "score", "urgent", "diagnosis", "note", "took", "details", "tags" FROM (SELECT m."visit_id", m."patient_id", m."region", m."visited_at", m."paid_at", m."day", m."minutes", m."cost", m."score", m."urgent", m."diagnosis", m."note", m."took", m."details", m."tags", row_number() OVER (PARTITION BY m."patient_id" ORDER BY m."visit_id") AS place0 FROM "public"."visits" AS m WHERE EXISTS (SELECT FROM many_e35608f5360245f6 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"])) AS r WHERE r.place0 <= 100 OFFSET 0)) AS t1 ON (((CASE WHEN octet_length(t1."region") > 4000 THEN CASE WHEN pg_column_size(t1."region") <= 1000000 THEN left(t1."region", 2000) ELSE '' END ELSE t1."region" END) COLLATE pg_catalog."default") = t0."name") INNER JOIN ((SELECT m."patient_id", m."ward", m."nights" FROM "public"."stays" AS m WHERE NOT EXISTS (SELECT FROM many_dcf539f66cba6faf AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"]) OFFSET 0) UNION ALL (SELECT "patient_id", "ward", "nights" FROM (SELECT m."patient_id", m."ward", m."nights", row_number() OVER (PARTITION BY m."patient_id" ORDER BY ROW(m."patient_id", (CASE WHEN octet_length(m."ward") > 4000 THEN CASE WHEN pg_column_size(m."ward") <= 1000000 THEN left(m."ward", 2000) ELSE '' END ELSE m."ward" END), m."nights") USING *<) AS place0 FROM "public"."stays" AS m WHERE EXISTS (SELECT FROM many_dcf539f66cba6faf AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"])) AS r WHERE r.place0 <= 100 OFFSET 0)) AS t2 ON (t1."patient_id" = t2."patient_id") AND hashint8((t2."patient_id")::bigint) = hashint8((t1."patient_id")::bigint)) AS r GROUP BY 1, 2) AS counted) AS per_unit WINDOW w AS (PARTITION BY unit)) AS sized) AS rows) AS numbered) AS r GROUP BY k0, i, b) SELECT k0, i, b, a0, z0, NULL::bigint AS units FROM found UNION ALL SELECT NULL, i, b, NULL, NULL, sum(units)::bigint FROM found WHERE units IS NOT NULL GROUP BY i, b) AS measured

SELECT r.name, count(v.visit_id) FROM regions r LEFT JOIN visits v ON v.region = r.name JOIN stays s ON s.ward = r.name WHERE coalesce(s.patient_id = v.patient_id, true) GROUP BY r.name;
--> refused 0A000 join-kind: this join after an outer join is not supported here

SELECT s.ward, count(v.visit_id) FROM regions r LEFT JOIN visits v ON v.region = r.name JOIN stays s ON s.ward = r.name WHERE s.patient_id = v.patient_id GROUP BY s.ward;
--> refused 0A000 join-kind: this join after an outer join is not supported here

SELECT r.name, count(v.visit_id) FROM regions r LEFT JOIN visits v ON v.region = r.name CROSS JOIN stays s WHERE s.patient_id = v.patient_id GROUP BY r.name;
--> refused 0A000 join-kind: this join after an outer join is not supported here

SELECT r.name, count(v.visit_id) FROM regions r LEFT JOIN visits v ON v.region = r.name LEFT JOIN stays s USING (patient_id) GROUP BY r.name;
--> path: general
--> declared keys: SELECT DISTINCT t0."name" AS k0 FROM "public"."regions" AS t0 LIMIT 100001
--> Differentially private aggregate of public.visits joined with public.stays, public.regions
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: units are scaled down to a limit that the query chooses from the data for 1/10 of the price, by their rows, per group, squared, summed, and the root taken
-->   Rows that meet others: at most 100 of a unit in public.visits; further ones take no part
-->   Rows that meet others: at most 100 of a unit in public.stays; further ones take no part
-->   Group keys: r.name: declared (rows that the outer join keeps); every key is answered, empty ones as noise around 0
-->   Noisy number 1: rows; standard deviation 10.5409 times the limit of their rows
-->   count(v.visit_id): from noisy number 1
-->   95 % of the noise: as wide as the limit that the query chooses makes it; the answer's notice says it
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.regions.name, public.stays.nights, public.stays.patient_id, public.stays.ward, public.visits.cost, public.visits.day, public.visits.details, public.visits.diagnosis, public.visits.minutes, public.visits.note, public.visits.paid_at, public.visits.patient_id, public.visits.region, public.visits.score, public.visits.tags, public.visits.took, public.visits.urgent, public.visits.visit_id, public.visits.visited_at
--> rests on: public.regions (name)
--> cut: public.visits to 100 rows: SELECT m."patient_id" AS unit FROM "public"."visits" AS m WHERE m."patient_id" IS NOT NULL GROUP BY 1 HAVING count(*) > 100
--> cut: public.stays to 100 rows: SELECT m."patient_id" AS unit FROM "public"."stays" AS m WHERE m."patient_id" IS NOT NULL GROUP BY 1 HAVING count(*) > 100
--> work of a row: 52370 ns
--> source: WITH many_e35608f5360245f6 AS MATERIALIZED (SELECT m."patient_id" AS unit FROM "public"."visits" AS m WHERE m."patient_id" IS NOT NULL GROUP BY 1 HAVING count(*) > 100), many_dcf539f66cba6faf AS MATERIALIZED (SELECT m."patient_id" AS unit FROM "public"."stays" AS m WHERE m."patient_id" IS NOT NULL GROUP BY 1 HAVING count(*) > 100) SELECT * FROM (WITH found AS (SELECT k0, i, b, sum(a0) AS a0, sum(z0) AS z0, count(*) FILTER (WHERE place = 1 AND adds) AS units FROM (SELECT *, b0 AS b, true AS adds, v0 AS a0, t0 AS z0 FROM (SELECT *, 0 AS i FROM (SELECT *, width_bucket(q0, '{1.0000000000000002,2.2500000000000004,4.000000000000001,9.000000000000002,16.000000000000004,36.00000000000001,64.00000000000001,144.00000000000003,256.00000000000006,576.0000000000001,1024.0000000000002,2304.0000000000005,4096.000000000001,9216.000000000002,16384.000000000004,36864.00000000001,65536.00000000001,147456.00000000003,262144.00000000006,589824.0000000001,1048576.0000000002,2359296.0000000005,4194304.000000001,9437184.000000002,16777216.000000004,37748736.00000001,67108864.00000001,150994944.00000003,268435456.00000006,603979776.0000001,1073741824.0000002,2415919104.0000005,4294967296.000001,9663676416.000002,17179869184.000004,38654705664.00001,68719476736.00002,154618822656.00003,274877906944.00006,618475290624.0001,1099511627776.0002,2473901162496.0005,4398046511104.001,9895604649984.002,17592186044416.004,39582418599936.01,70368744177664.02,158329674399744.03,281474976710656.06}'::double precision[]) AS b0, trunc(v0::double precision / NULLIF(sqrt(q0), 0) * 3221225424.0)::bigint AS t0 FROM (SELECT *, CASE WHEN (sum(n * n) OVER w) < 4611686018427387904 THEN (sum(n * n) OVER w)::bigint::double precision ELSE (sum(n * n) OVER w)::double precision END AS q0, row_number() OVER w AS place FROM (SELECT unit, k0, LEAST(n, 3037000499) AS n, LEAST(n, 3037000499) AS v0 FROM (SELECT x0 AS unit, x1 AS k0, count(*) AS n FROM (SELECT t1."patient_id" AS x0, (t0."name" COLLATE "C") AS x1 FROM "public"."regions" AS t0 INNER JOIN ((SELECT m."visit_id", m."patient_id", m."region", m."visited_at", m."paid_at", m."day", m."minutes", m."cost", m."score", m."urgent", m."diagnosis", m."note", m."took", m."details", m."tags" FROM "public"."visits" AS m WHERE NOT EXISTS (SELECT FROM many_e35608f5360245f6 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"]) OFFSET 0) UNION ALL (SELECT "visit_id", "patient_id", "region", "visited_at", "paid_at", "day", "minutes", "cost", "score", "urgent", "diagnosis", "note", "took", "details", "tags" FROM (SELECT m."visit_id", m."patient_id", m."region", m."visited_at", m."paid_at", m."day", m."minutes", m."cost", m."score", m."urgent", m."diagnosis", m."note", m."took", m."details", m."tags", row_number() OVER (PARTITION BY m."patient_id" ORDER BY m."visit_id") AS place0 FROM "public"."visits" AS m WHERE EXISTS (SELECT FROM many_e35608f5360245f6 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"])) AS r WHERE r.place0 <= 100 OFFSET 0)) AS t1 ON (((CASE WHEN octet_length(t1."region") > 4000 THEN CASE WHEN pg_column_size(t1."region") <= 1000000 THEN left(t1."region", 2000) ELSE '' END ELSE t1."region" END) COLLATE pg_catalog."default") = t0."name") LEFT JOIN ((SELECT m."patient_id", m."ward", m."nights" FROM "public"."stays" AS m WHERE NOT EXISTS (SELECT FROM many_dcf539f66cba6faf AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"]) OFFSET 0) UNION ALL (SELECT "patient_id", "ward", "nights" FROM (SELECT m."patient_id", m."ward", m."nights", row_number() OVER (PARTITION BY m."patient_id" ORDER BY ROW(m."patient_id", (CASE WHEN octet_length(m."ward") > 4000 THEN CASE WHEN pg_column_size(m."ward") <= 1000000 THEN left(m."ward", 2000) ELSE '' END ELSE m."ward" END), m."nights") USING *<) AS place0 FROM "public"."stays" AS m WHERE EXISTS (SELECT FROM many_dcf539f66cba6faf AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"])) AS r WHERE r.place0 <= 100 OFFSET 0)) AS t2 ON t1."patient_id" = t2."patient_id" AND hashint8((t1."patient_id")::bigint) = hashint8((t2."patient_id")::bigint)) AS r GROUP BY 1, 2) AS counted) AS per_unit WINDOW w AS (PARTITION BY unit)) AS sized) AS rows) AS numbered) AS r GROUP BY k0, i, b) SELECT k0, i, b, a0, z0, NULL::bigint AS units FROM found UNION ALL SELECT NULL, i, b, NULL, NULL, sum(units)::bigint FROM found WHERE units IS NOT NULL GROUP BY i, b) AS measured

SELECT r.name, count(v.visit_id) FROM regions r LEFT JOIN visits v ON v.region = r.name JOIN (SELECT code AS note FROM prices) AS p USING (note) GROUP BY r.name;
--> path: general
--> declared keys: SELECT DISTINCT d0.c0 AS k0 FROM (SELECT DISTINCT p."name" AS c0 FROM "public"."regions" AS p) AS d0 LIMIT 100001
--> Differentially private aggregate of public.visits joined with public.regions, public.prices
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows per group, squared and summed <= 500)
-->   Rows that may take long: at most 2000 of a unit in public.visits; further ones take no part
-->   Group keys: r.name: declared (rows of public.regions); every key is answered, empty ones as noise around 0
-->   Noisy number 1: rows; standard deviation 223.607, 95 % of the noise within ±438.262
-->   count(v.visit_id): from noisy number 1
-->   95 % of the noise: count(v.visit_id) within ±438 rows
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.prices.code, public.regions.name, public.visits.cost, public.visits.day, public.visits.details, public.visits.diagnosis, public.visits.minutes, public.visits.note, public.visits.paid_at, public.visits.patient_id, public.visits.region, public.visits.score, public.visits.tags, public.visits.took, public.visits.urgent, public.visits.visit_id, public.visits.visited_at
--> rests on: public.prices (code)
--> rests on: public.regions (name)
--> rests on: public.visits (visit_id)
--> cut: public.visits to 2000 rows: SELECT m."patient_id" AS unit FROM "public"."visits" AS m WHERE m."patient_id" IS NOT NULL GROUP BY 1 HAVING count(*) > 2000
--> work of a row: 104290 ns
--> source: WITH many_d309dd02df23f5c9 AS MATERIALIZED (SELECT m."patient_id" AS unit FROM "public"."visits" AS m WHERE m."patient_id" IS NOT NULL GROUP BY 1 HAVING count(*) > 2000) SELECT * FROM (WITH heavy AS MATERIALIZED (SELECT unit FROM (SELECT t1."patient_id" AS unit FROM "public"."regions" AS t0 INNER JOIN ((SELECT m."visit_id", m."patient_id", m."region", m."visited_at", m."paid_at", m."day", m."minutes", m."cost", m."score", m."urgent", m."diagnosis", m."note", m."took", m."details", m."tags" FROM "public"."visits" AS m WHERE NOT EXISTS (SELECT FROM many_d309dd02df23f5c9 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"]) OFFSET 0) UNION ALL (SELECT "visit_id", "patient_id", "region", "visited_at", "paid_at", "day", "minutes", "cost", "score", "urgent", "diagnosis", "note", "took", "details", "tags" FROM (SELECT m."visit_id", m."patient_id", m."region", m."visited_at", m."paid_at", m."day", m."minutes", m."cost", m."score", m."urgent", m."diagnosis", m."note", m."took", m."details", m."tags", row_number() OVER (PARTITION BY m."patient_id" ORDER BY m."visit_id") AS place0 FROM "public"."visits" AS m WHERE EXISTS (SELECT FROM many_d309dd02df23f5c9 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"])) AS r WHERE r.place0 <= 2000 OFFSET 0)) AS t1 ON (((CASE WHEN octet_length(t1."region") > 4000 THEN CASE WHEN pg_column_size(t1."region") <= 1000000 THEN left(t1."region", 2000) ELSE '' END ELSE t1."region" END) COLLATE pg_catalog."default") = t0."name") INNER JOIN (SELECT t2t0."code" AS c0 FROM "public"."prices" AS t2t0) AS t2 ON ((CASE WHEN octet_length(t1."note") > 4000 THEN CASE WHEN pg_column_size(t1."note") <= 1000000 THEN left(t1."note", 2000) ELSE '' END ELSE t1."note" END) COLLATE pg_catalog."default") = t2.c0 ORDER BY 1) AS r GROUP BY unit HAVING count(*) > 22) SELECT k0, sum(v0) AS v0 FROM (SELECT x0 AS k0, count(*)::numeric * 1024 AS v0 FROM (SELECT (t0."name" COLLATE "C") AS x0 FROM "public"."regions" AS t0 INNER JOIN ((SELECT m."visit_id", m."patient_id", m."region", m."visited_at", m."paid_at", m."day", m."minutes", m."cost", m."score", m."urgent", m."diagnosis", m."note", m."took", m."details", m."tags" FROM "public"."visits" AS m WHERE NOT EXISTS (SELECT FROM many_d309dd02df23f5c9 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"]) OFFSET 0) UNION ALL (SELECT "visit_id", "patient_id", "region", "visited_at", "paid_at", "day", "minutes", "cost", "score", "urgent", "diagnosis", "note", "took", "details", "tags" FROM (SELECT m."visit_id", m."patient_id", m."region", m."visited_at", m."paid_at", m."day", m."minutes", m."cost", m."score", m."urgent", m."diagnosis", m."note", m."took", m."details", m."tags", row_number() OVER (PARTITION BY m."patient_id" ORDER BY m."visit_id") AS place0 FROM "public"."visits" AS m WHERE EXISTS (SELECT FROM many_d309dd02df23f5c9 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"])) AS r WHERE r.place0 <= 2000 OFFSET 0)) AS t1 ON (((CASE WHEN octet_length(t1."region") > 4000 THEN CASE WHEN pg_column_size(t1."region") <= 1000000 THEN left(t1."region", 2000) ELSE '' END ELSE t1."region" END) COLLATE pg_catalog."default") = t0."name") INNER JOIN (SELECT t2t0."code" AS c0 FROM "public"."prices" AS t2t0) AS t2 ON ((CASE WHEN octet_length(t1."note") > 4000 THEN CASE WHEN pg_column_size(t1."note") <= 1000000 THEN left(t1."note", 2000) ELSE '' END ELSE t1."note" END) COLLATE pg_catalog."default") = t2.c0 WHERE NOT EXISTS (SELECT FROM heavy AS h WHERE h.unit = t1."patient_id")) AS r GROUP BY 1 UNION ALL SELECT k0, sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, sum(n * n) OVER w AS q FROM (SELECT unit, k0, LEAST(n, 3037000499) AS n, LEAST(n, 3037000499) AS v0 FROM (SELECT x0 AS unit, x1 AS k0, count(*) AS n FROM (SELECT t1."patient_id" AS x0, (t0."name" COLLATE "C") AS x1 FROM "public"."regions" AS t0 INNER JOIN ((SELECT m."visit_id", m."patient_id", m."region", m."visited_at", m."paid_at", m."day", m."minutes", m."cost", m."score", m."urgent", m."diagnosis", m."note", m."took", m."details", m."tags" FROM "public"."visits" AS m WHERE NOT EXISTS (SELECT FROM many_d309dd02df23f5c9 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"]) OFFSET 0) UNION ALL (SELECT "visit_id", "patient_id", "region", "visited_at", "paid_at", "day", "minutes", "cost", "score", "urgent", "diagnosis", "note", "took", "details", "tags" FROM (SELECT m."visit_id", m."patient_id", m."region", m."visited_at", m."paid_at", m."day", m."minutes", m."cost", m."score", m."urgent", m."diagnosis", m."note", m."took", m."details", m."tags", row_number() OVER (PARTITION BY m."patient_id" ORDER BY m."visit_id") AS place0 FROM "public"."visits" AS m WHERE EXISTS (SELECT FROM many_d309dd02df23f5c9 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"])) AS r WHERE r.place0 <= 2000 OFFSET 0)) AS t1 ON (((CASE WHEN octet_length(t1."region") > 4000 THEN CASE WHEN pg_column_size(t1."region") <= 1000000 THEN left(t1."region", 2000) ELSE '' END ELSE t1."region" END) COLLATE pg_catalog."default") = t0."name") INNER JOIN (SELECT t2t0."code" AS c0 FROM "public"."prices" AS t2t0) AS t2 ON ((CASE WHEN octet_length(t1."note") > 4000 THEN CASE WHEN pg_column_size(t1."note") <= 1000000 THEN left(t1."note", 2000) ELSE '' END ELSE t1."note" END) COLLATE pg_catalog."default") = t2.c0 WHERE EXISTS (SELECT FROM heavy AS h WHERE h.unit = t1."patient_id")) AS r GROUP BY 1, 2) AS counted) AS per_unit WINDOW w AS (PARTITION BY unit)) AS sized) AS scaled GROUP BY 1) AS parts GROUP BY 1) AS measured

SELECT r.name, count(v.visit_id) FROM regions r LEFT JOIN visits v ON v.region = r.name RIGHT JOIN prices p ON p.code = r.zone GROUP BY r.name;
--> refused 0A000 join-kind: a second outer join of public rows is not supported here

SELECT r.name, count(v.visit_id) FROM prices p, (regions r LEFT JOIN visits v ON v.region = r.name) GROUP BY r.name;
--> refused 0A000 join-kind: a second outer join of public rows is not supported here

SELECT r.name, count(coalesce('x', v.note)) FROM regions r LEFT JOIN visits v ON v.region = r.name GROUP BY r.name;
--> refused 0A000 outer-join-rows: this aggregate would count public rows without a matching private row

SELECT r.name, count(DISTINCT v.note) FROM regions r LEFT JOIN visits v ON v.region = r.name GROUP BY r.name;
--> path: general
--> declared keys: SELECT DISTINCT t0."name" AS k0 FROM "public"."regions" AS t0 LIMIT 100001
--> Differentially private aggregate of public.visits joined with public.regions
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows per group, squared and summed <= 500)
-->   Group keys: r.name: declared (rows that the outer join keeps); every key is answered, empty ones as noise around 0
-->   Noisy number 1: distinct values, chosen at random where a unit has too many; standard deviation 223.607, 95 % of the noise within ±438.262
-->   count(DISTINCT v.note): from noisy number 1
-->   95 % of the noise: count(DISTINCT v.note) within ±438 values
-->   Noise intervals (dp.low, dp.high): cover the noise only, not distinct values that a unit has too many of
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.regions.name, public.visits.note, public.visits.patient_id, public.visits.region
--> rests on: public.regions (name)
--> rests on: public.visits (visit_id)
--> work of a row: 80100 ns
--> source: SELECT k0, sum(v0) AS v0 FROM (SELECT k0, cells FROM (WITH heavy AS MATERIALIZED (SELECT unit FROM (SELECT t1."patient_id" AS unit FROM "public"."regions" AS t0 INNER JOIN "public"."visits" AS t1 ON (((CASE WHEN octet_length(t1."region") > 4000 THEN CASE WHEN pg_column_size(t1."region") <= 1000000 THEN left(t1."region", 2000) ELSE '' END ELSE t1."region" END) COLLATE pg_catalog."default") = t0."name") WHERE (((CASE WHEN octet_length(t1."note") > 4000 THEN CASE WHEN pg_column_size(t1."note") <= 1000000 THEN left(t1."note", 2000) ELSE '' END ELSE t1."note" END))::text COLLATE "C") IS NOT NULL ORDER BY 1) AS r GROUP BY unit HAVING count(*) > 22) SELECT k0, count(*) * 1024 AS cells FROM (SELECT (t0."name" COLLATE "C") AS k0, (((CASE WHEN octet_length(t1."note") > 4000 THEN CASE WHEN pg_column_size(t1."note") <= 1000000 THEN left(t1."note", 2000) ELSE '' END ELSE t1."note" END))::text COLLATE "C") AS x FROM "public"."regions" AS t0 INNER JOIN "public"."visits" AS t1 ON (((CASE WHEN octet_length(t1."region") > 4000 THEN CASE WHEN pg_column_size(t1."region") <= 1000000 THEN left(t1."region", 2000) ELSE '' END ELSE t1."region" END) COLLATE pg_catalog."default") = t0."name") WHERE (((CASE WHEN octet_length(t1."note") > 4000 THEN CASE WHEN pg_column_size(t1."note") <= 1000000 THEN left(t1."note", 2000) ELSE '' END ELSE t1."note" END))::text COLLATE "C") IS NOT NULL AND NOT EXISTS (SELECT FROM heavy AS h WHERE h.unit = t1."patient_id") UNION SELECT k0, x FROM (SELECT unit, k0, x, hash FROM (SELECT unit, k0, x, hash, dense_rank() OVER (PARTITION BY unit ORDER BY hash, CASE WHEN hash IS NOT NULL THEN k0 END, CASE WHEN hash IS NOT NULL THEN x END) AS place FROM (SELECT unit, k0, x, hash FROM (SELECT unit, k0, x, hash, dense_rank() OVER (PARTITION BY unit, k0 ORDER BY hash, CASE WHEN hash IS NOT NULL THEN x END) AS place FROM (SELECT *, hashtextextended(coalesce(left(x::text, 1000000), ''), hashtextextended(coalesce(left(k0::text, 1000000), ''), hashtextextended(unit::text, 0))) AS hash FROM (SELECT DISTINCT t1."patient_id" AS unit, (t0."name" COLLATE "C") AS k0, (((CASE WHEN octet_length(t1."note") > 4000 THEN CASE WHEN pg_column_size(t1."note") <= 1000000 THEN left(t1."note", 2000) ELSE '' END ELSE t1."note" END))::text COLLATE "C") AS x FROM "public"."regions" AS t0 INNER JOIN "public"."visits" AS t1 ON (((CASE WHEN octet_length(t1."region") > 4000 THEN CASE WHEN pg_column_size(t1."region") <= 1000000 THEN left(t1."region", 2000) ELSE '' END ELSE t1."region" END) COLLATE pg_catalog."default") = t0."name") WHERE (((CASE WHEN octet_length(t1."note") > 4000 THEN CASE WHEN pg_column_size(t1."note") <= 1000000 THEN left(t1."note", 2000) ELSE '' END ELSE t1."note" END))::text COLLATE "C") IS NOT NULL AND EXISTS (SELECT FROM heavy AS h WHERE h.unit = t1."patient_id")) AS pairs) AS hashed) AS placed WHERE hash IS NULL OR place <= 10) AS hashed) AS placed WHERE hash IS NULL OR place <= 50) AS kept) AS counted GROUP BY 1) AS counted) AS parts(k0, v0) GROUP BY 1

SELECT r.name, count(v.visit_id) FROM regions r LEFT JOIN visits v ON v.region = r.name WHERE EXISTS (SELECT FROM stays s WHERE s.patient_id = v.patient_id) GROUP BY r.name;
--> refused 0A000 outer-join-rows: this condition could hold for public rows without a matching private row

SELECT count(v.visit_id) FROM patients p LEFT JOIN visits v ON v.patient_id = p.patient_id;
--> path: single group
--> Differentially private aggregate of public.patients joined with public.visits
-->   Privacy unit: patient, by public.patients.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows per group, squared and summed <= 500)
-->   Group keys: none, one row
-->   Noisy number 1: rows where the value is not NULL; standard deviation 223.607, 95 % of the noise within ±438.262
-->   count(v.visit_id): from noisy number 1
-->   95 % of the noise: count(v.visit_id) within ±438 rows
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.patients.patient_id, public.visits.patient_id, public.visits.visit_id
--> rests on: public.patients (patient_id)
--> work of a row: 270 ns
--> source: SELECT sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, n * n AS q FROM (SELECT unit, LEAST(n, 3037000499) AS n, LEAST(s0, 3037000499) AS v0 FROM (SELECT x0 AS unit, count(*) AS n, count(x1) AS s0 FROM (SELECT t0."patient_id" AS x0, t1."visit_id" AS x1 FROM "public"."patients" AS t0 LEFT JOIN "public"."visits" AS t1 ON (t0."patient_id" = t1."patient_id")) AS r GROUP BY 1) AS counted) AS per_unit) AS sized) AS scaled

SELECT count(v.patient_id) FROM patients p LEFT JOIN visits v USING (patient_id);
--> path: single group
--> Differentially private aggregate of public.patients joined with public.visits
-->   Privacy unit: patient, by public.patients.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows per group, squared and summed <= 500)
-->   Group keys: none, one row
-->   Noisy number 1: rows where the value is not NULL; standard deviation 223.607, 95 % of the noise within ±438.262
-->   count(v.patient_id): from noisy number 1
-->   95 % of the noise: count(v.patient_id) within ±438 rows
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.patients.patient_id, public.visits.patient_id
--> rests on: public.patients (patient_id)
--> work of a row: 270 ns
--> source: SELECT sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, n * n AS q FROM (SELECT unit, LEAST(n, 3037000499) AS n, LEAST(s0, 3037000499) AS v0 FROM (SELECT x0 AS unit, count(*) AS n, count(x1) AS s0 FROM (SELECT t0."patient_id" AS x0, t1."patient_id" AS x1 FROM "public"."patients" AS t0 LEFT JOIN "public"."visits" AS t1 ON t0."patient_id" = t1."patient_id") AS r GROUP BY 1) AS counted) AS per_unit) AS sized) AS scaled

SELECT count(v.*) FROM visits v;
--> path: single group
--> Differentially private aggregate of public.visits
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows per group, squared and summed <= 500)
-->   Group keys: none, one row
-->   Noisy number 1: rows; standard deviation 223.607, 95 % of the noise within ±438.262
-->   count(v.*): from noisy number 1
-->   95 % of the noise: count(v.*) within ±438 rows
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.visits.patient_id, public.visits.visit_id
--> rests on: public.visits (visit_id)
--> work of a row: 90 ns
--> source: SELECT sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, n * n AS q FROM (SELECT unit, LEAST(n, 3037000499) AS n, LEAST(n, 3037000499) AS v0 FROM (SELECT x0 AS unit, count(*) AS n FROM (SELECT t0."patient_id" AS x0 FROM "public"."visits" AS t0 ORDER BY 1) AS r GROUP BY 1) AS counted) AS per_unit) AS sized) AS scaled

SELECT avg(n) FROM (SELECT v.patient_id, least(count(*), 5) AS n FROM patients p LEFT JOIN visits v ON v.patient_id = p.patient_id GROUP BY v.patient_id) AS t;
--> refused 0A000 mixed-rows: this GROUP BY would mix rows of more than one privacy unit inside an aggregate

SELECT avg(least(n, 5)) FROM (SELECT w.patient_id, count(*) AS n FROM (SELECT v.patient_id FROM patients p LEFT JOIN visits v ON v.patient_id = p.patient_id) AS w GROUP BY w.patient_id) AS t;
--> refused 0A000 mixed-rows: this GROUP BY would mix rows of more than one privacy unit inside an aggregate

SELECT count(*) FROM (SELECT DISTINCT v.patient_id FROM patients p LEFT JOIN visits v ON v.patient_id = p.patient_id) AS t;
--> refused 0A000 mixed-rows: this DISTINCT would mix rows of more than one privacy unit inside an aggregate

SELECT count(*) FROM drugs;
--> path: single group
--> Differentially private aggregate of public.drugs joined with public.visits
-->   Privacy unit: patient, by visit_id -> public.visits.visit_id
-->   Contribution: units are scaled down to a limit that the query chooses from the data for 1/10 of the price, by their rows
-->   Group keys: none, one row
-->   Noisy number 1: rows; standard deviation 10.5409 times the limit of their rows
-->   count(*): from noisy number 1
-->   95 % of the noise: as wide as the limit that the query chooses makes it; the answer's notice says it
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.drugs.visit_id, public.visits.patient_id, public.visits.visit_id
--> rests on: public.visits (visit_id)
--> rests on: public.drugs (drug_id)
--> work of a row: 0 ns
--> source: SELECT i, b, sum(a0) AS a0, sum(z0) AS z0, count(*) FILTER (WHERE place = 1 AND adds) AS units FROM (SELECT *, b0 AS b, true AS adds, v0 AS a0, t0 AS z0 FROM (SELECT *, 0 AS i FROM (SELECT *, width_bucket(q0, '{1.0000000000000002,1.5000000000000002,2.0000000000000004,3.0000000000000004,4.000000000000001,6.000000000000001,8.000000000000002,12.000000000000002,16.000000000000004,24.000000000000004,32.00000000000001,48.00000000000001,64.00000000000001,96.00000000000001,128.00000000000003,192.00000000000003,256.00000000000006,384.00000000000006,512.0000000000001,768.0000000000001,1024.0000000000002,1536.0000000000002,2048.0000000000005,3072.0000000000005,4096.000000000001,6144.000000000001,8192.000000000002,12288.000000000002,16384.000000000004,24576.000000000004,32768.00000000001,49152.00000000001,65536.00000000001,98304.00000000001,131072.00000000003,196608.00000000003,262144.00000000006,393216.00000000006,524288.0000000001,786432.0000000001,1048576.0000000002,1572864.0000000002,2097152.0000000005,3145728.0000000005,4194304.000000001,6291456.000000001,8388608.000000002,12582912.000000002,16777216.000000004}'::double precision[]) AS b0, trunc(v0::double precision / NULLIF(q0, 0) * 3221225424.0)::bigint AS t0 FROM (SELECT *, n::double precision AS q0, 1 AS place FROM (SELECT unit, LEAST(n, 3037000499) AS n, LEAST(n, 3037000499) AS v0 FROM (SELECT x0 AS unit, count(*) AS n FROM (SELECT t0u0."patient_id" AS x0 FROM "public"."drugs" AS t0 INNER JOIN "public"."visits" AS t0u0 ON t0u0."visit_id" = t0."visit_id") AS r GROUP BY 1) AS counted) AS per_unit) AS sized) AS rows) AS numbered) AS r GROUP BY i, b

SELECT count(*) FROM patients p WHERE patient_id IN (SELECT v.patient_id FROM visits v WHERE v.cost > p.height);
--> refused 0A000 multiplying-joins: this subquery would be executed again for every row

SELECT count(*) FROM patients p WHERE EXISTS (SELECT FROM visits v WHERE v.patient_id = p.patient_id AND v.cost > p.height);
--> path: unique
--> Differentially private aggregate of public.patients joined with public.visits
-->   Privacy unit: patient, by public.patients.patient_id
-->   Contribution: one row per unit, proven by a unique key of the source; no unit is scaled down
-->   Group keys: none, one row
-->   Noisy number 1: rows; standard deviation 10, 95 % of the noise within ±20
-->   count(*): from noisy number 1
-->   95 % of the noise: count(*) within ±20 rows
-->   Noise intervals (dp.low, dp.high): cover everything, nothing is clipped
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.patients.height, public.patients.patient_id, public.visits.cost, public.visits.patient_id
--> rests on: public.visits (visit_id)
--> rests on: public.patients (patient_id)
--> work of a row: 995 ns
--> source: SELECT count(*) AS s0 FROM (SELECT  FROM "public"."patients" AS t0 WHERE EXISTS (SELECT FROM "public"."visits" AS s0t0 WHERE ((s0t0."patient_id" = t0."patient_id") AND (t0."height" < s0t0."cost")))) AS r

SELECT count(*) FROM patients p JOIN stays s ON s.patient_id = p.patient_id WHERE EXISTS (SELECT FROM visits v WHERE v.patient_id = p.patient_id AND v.cost > s.nights);
--> path: single group
--> Differentially private aggregate of public.patients joined with public.stays, public.visits
-->   Privacy unit: patient, by public.patients.patient_id
-->   Contribution: units are scaled down to a limit that the query chooses from the data for 1/10 of the price, by their rows
-->   Rows that meet others: at most 256 of a unit in public.stays; further ones take no part
-->   Rows that meet others: at most 200 of a unit in public.visits; further ones take no part
-->   Group keys: none, one row
-->   Noisy number 1: rows; standard deviation 10.5409 times the limit of their rows
-->   count(*): from noisy number 1
-->   95 % of the noise: as wide as the limit that the query chooses makes it; the answer's notice says it
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.patients.patient_id, public.stays.nights, public.stays.patient_id, public.stays.ward, public.visits.cost, public.visits.day, public.visits.details, public.visits.diagnosis, public.visits.minutes, public.visits.note, public.visits.paid_at, public.visits.patient_id, public.visits.region, public.visits.score, public.visits.tags, public.visits.took, public.visits.urgent, public.visits.visit_id, public.visits.visited_at
--> rests on: public.visits (visit_id)
--> rests on: public.patients (patient_id)
--> cut: public.stays to 256 rows: SELECT m."patient_id" AS unit FROM "public"."stays" AS m WHERE m."patient_id" IS NOT NULL GROUP BY 1 HAVING count(*) > 256
--> cut: public.visits to 200 rows: SELECT m."patient_id" AS unit FROM "public"."visits" AS m WHERE m."patient_id" IS NOT NULL GROUP BY 1 HAVING count(*) > 200
--> work of a row: 1145 ns
--> source: WITH many_78d5fbdb4f6a7395 AS MATERIALIZED (SELECT m."patient_id" AS unit FROM "public"."stays" AS m WHERE m."patient_id" IS NOT NULL GROUP BY 1 HAVING count(*) > 256), many_e8fe7e938aead538 AS MATERIALIZED (SELECT m."patient_id" AS unit FROM "public"."visits" AS m WHERE m."patient_id" IS NOT NULL GROUP BY 1 HAVING count(*) > 200) SELECT * FROM (SELECT i, b, sum(a0) AS a0, sum(z0) AS z0, count(*) FILTER (WHERE place = 1 AND adds) AS units FROM (SELECT *, b0 AS b, true AS adds, v0 AS a0, t0 AS z0 FROM (SELECT *, 0 AS i FROM (SELECT *, width_bucket(q0, '{1.0000000000000002,1.5000000000000002,2.0000000000000004,3.0000000000000004,4.000000000000001,6.000000000000001,8.000000000000002,12.000000000000002,16.000000000000004,24.000000000000004,32.00000000000001,48.00000000000001,64.00000000000001,96.00000000000001,128.00000000000003,192.00000000000003,256.00000000000006,384.00000000000006,512.0000000000001,768.0000000000001,1024.0000000000002,1536.0000000000002,2048.0000000000005,3072.0000000000005,4096.000000000001,6144.000000000001,8192.000000000002,12288.000000000002,16384.000000000004,24576.000000000004,32768.00000000001,49152.00000000001,65536.00000000001,98304.00000000001,131072.00000000003,196608.00000000003,262144.00000000006,393216.00000000006,524288.0000000001,786432.0000000001,1048576.0000000002,1572864.0000000002,2097152.0000000005,3145728.0000000005,4194304.000000001,6291456.000000001,8388608.000000002,12582912.000000002,16777216.000000004}'::double precision[]) AS b0, trunc(v0::double precision / NULLIF(q0, 0) * 3221225424.0)::bigint AS t0 FROM (SELECT *, n::double precision AS q0, 1 AS place FROM (SELECT unit, LEAST(n, 3037000499) AS n, LEAST(n, 3037000499) AS v0 FROM (SELECT x0 AS unit, count(*) AS n FROM (SELECT t0."patient_id" AS x0 FROM "public"."patients" AS t0 INNER JOIN ((SELECT m."patient_id", m."ward", m."nights" FROM "public"."stays" AS m WHERE NOT EXISTS (SELECT FROM many_78d5fbdb4f6a7395 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"])) UNION ALL (SELECT "patient_id", "ward", "nights" FROM (SELECT m."patient_id", m."ward", m."nights", row_number() OVER (PARTITION BY m."patient_id" ORDER BY ROW(m."patient_id", (CASE WHEN octet_length(m."ward") > 4000 THEN CASE WHEN pg_column_size(m."ward") <= 1000000 THEN left(m."ward", 2000) ELSE '' END ELSE m."ward" END), m."nights") USING *<) AS place0 FROM "public"."stays" AS m WHERE EXISTS (SELECT FROM many_78d5fbdb4f6a7395 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"])) AS r WHERE r.place0 <= 256)) AS t1 ON (t0."patient_id" = t1."patient_id") WHERE EXISTS (SELECT FROM ((SELECT m."visit_id", m."patient_id", m."region", m."visited_at", m."paid_at", m."day", m."minutes", m."cost", m."score", m."urgent", m."diagnosis", m."note", m."took", m."details", m."tags" FROM "public"."visits" AS m WHERE NOT EXISTS (SELECT FROM many_e8fe7e938aead538 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"])) UNION ALL (SELECT "visit_id", "patient_id", "region", "visited_at", "paid_at", "day", "minutes", "cost", "score", "urgent", "diagnosis", "note", "took", "details", "tags" FROM (SELECT m."visit_id", m."patient_id", m."region", m."visited_at", m."paid_at", m."day", m."minutes", m."cost", m."score", m."urgent", m."diagnosis", m."note", m."took", m."details", m."tags", row_number() OVER (PARTITION BY m."patient_id" ORDER BY m."visit_id") AS place0 FROM "public"."visits" AS m WHERE EXISTS (SELECT FROM many_e8fe7e938aead538 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"])) AS r WHERE r.place0 <= 200)) AS s0t0 WHERE ((s0t0."patient_id" = t0."patient_id") AND (t1."nights" < s0t0."cost"))) ORDER BY 1) AS r GROUP BY 1) AS counted) AS per_unit) AS sized) AS rows) AS numbered) AS r GROUP BY i, b) AS measured

SELECT count(*) FROM stays s WHERE EXISTS (SELECT FROM visits v WHERE v.patient_id = s.patient_id AND v.cost > s.nights);
--> path: single group
--> Differentially private aggregate of public.stays joined with public.visits
-->   Privacy unit: patient, by public.stays.patient_id
-->   Contribution: units are scaled down to a limit that the query chooses from the data for 1/10 of the price, by their rows
-->   Rows that meet others: at most 256 of a unit in public.stays; further ones take no part
-->   Rows that meet others: at most 200 of a unit in public.visits; further ones take no part
-->   Group keys: none, one row
-->   Noisy number 1: rows; standard deviation 10.5409 times the limit of their rows
-->   count(*): from noisy number 1
-->   95 % of the noise: as wide as the limit that the query chooses makes it; the answer's notice says it
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.stays.nights, public.stays.patient_id, public.stays.ward, public.visits.cost, public.visits.day, public.visits.details, public.visits.diagnosis, public.visits.minutes, public.visits.note, public.visits.paid_at, public.visits.patient_id, public.visits.region, public.visits.score, public.visits.tags, public.visits.took, public.visits.urgent, public.visits.visit_id, public.visits.visited_at
--> rests on: public.visits (visit_id)
--> cut: public.stays to 256 rows: SELECT m."patient_id" AS unit FROM "public"."stays" AS m WHERE m."patient_id" IS NOT NULL GROUP BY 1 HAVING count(*) > 256
--> cut: public.visits to 200 rows: SELECT m."patient_id" AS unit FROM "public"."visits" AS m WHERE m."patient_id" IS NOT NULL GROUP BY 1 HAVING count(*) > 200
--> work of a row: 965 ns
--> source: WITH many_78d5fbdb4f6a7395 AS MATERIALIZED (SELECT m."patient_id" AS unit FROM "public"."stays" AS m WHERE m."patient_id" IS NOT NULL GROUP BY 1 HAVING count(*) > 256), many_e8fe7e938aead538 AS MATERIALIZED (SELECT m."patient_id" AS unit FROM "public"."visits" AS m WHERE m."patient_id" IS NOT NULL GROUP BY 1 HAVING count(*) > 200) SELECT * FROM (SELECT i, b, sum(a0) AS a0, sum(z0) AS z0, count(*) FILTER (WHERE place = 1 AND adds) AS units FROM (SELECT *, b0 AS b, true AS adds, v0 AS a0, t0 AS z0 FROM (SELECT *, 0 AS i FROM (SELECT *, width_bucket(q0, '{1.0000000000000002,1.5000000000000002,2.0000000000000004,3.0000000000000004,4.000000000000001,6.000000000000001,8.000000000000002,12.000000000000002,16.000000000000004,24.000000000000004,32.00000000000001,48.00000000000001,64.00000000000001,96.00000000000001,128.00000000000003,192.00000000000003,256.00000000000006,384.00000000000006,512.0000000000001,768.0000000000001,1024.0000000000002,1536.0000000000002,2048.0000000000005,3072.0000000000005,4096.000000000001,6144.000000000001,8192.000000000002,12288.000000000002,16384.000000000004,24576.000000000004,32768.00000000001,49152.00000000001,65536.00000000001,98304.00000000001,131072.00000000003,196608.00000000003,262144.00000000006,393216.00000000006,524288.0000000001,786432.0000000001,1048576.0000000002,1572864.0000000002,2097152.0000000005,3145728.0000000005,4194304.000000001,6291456.000000001,8388608.000000002,12582912.000000002,16777216.000000004}'::double precision[]) AS b0, trunc(v0::double precision / NULLIF(q0, 0) * 3221225424.0)::bigint AS t0 FROM (SELECT *, n::double precision AS q0, 1 AS place FROM (SELECT unit, LEAST(n, 3037000499) AS n, LEAST(n, 3037000499) AS v0 FROM (SELECT x0 AS unit, count(*) AS n FROM (SELECT t0."patient_id" AS x0 FROM ((SELECT m."patient_id", m."ward", m."nights" FROM "public"."stays" AS m WHERE NOT EXISTS (SELECT FROM many_78d5fbdb4f6a7395 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"])) UNION ALL (SELECT "patient_id", "ward", "nights" FROM (SELECT m."patient_id", m."ward", m."nights", row_number() OVER (PARTITION BY m."patient_id" ORDER BY ROW(m."patient_id", (CASE WHEN octet_length(m."ward") > 4000 THEN CASE WHEN pg_column_size(m."ward") <= 1000000 THEN left(m."ward", 2000) ELSE '' END ELSE m."ward" END), m."nights") USING *<) AS place0 FROM "public"."stays" AS m WHERE EXISTS (SELECT FROM many_78d5fbdb4f6a7395 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"])) AS r WHERE r.place0 <= 256)) AS t0 WHERE EXISTS (SELECT FROM ((SELECT m."visit_id", m."patient_id", m."region", m."visited_at", m."paid_at", m."day", m."minutes", m."cost", m."score", m."urgent", m."diagnosis", m."note", m."took", m."details", m."tags" FROM "public"."visits" AS m WHERE NOT EXISTS (SELECT FROM many_e8fe7e938aead538 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"])) UNION ALL (SELECT "visit_id", "patient_id", "region", "visited_at", "paid_at", "day", "minutes", "cost", "score", "urgent", "diagnosis", "note", "took", "details", "tags" FROM (SELECT m."visit_id", m."patient_id", m."region", m."visited_at", m."paid_at", m."day", m."minutes", m."cost", m."score", m."urgent", m."diagnosis", m."note", m."took", m."details", m."tags", row_number() OVER (PARTITION BY m."patient_id" ORDER BY m."visit_id") AS place0 FROM "public"."visits" AS m WHERE EXISTS (SELECT FROM many_e8fe7e938aead538 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"])) AS r WHERE r.place0 <= 200)) AS s0t0 WHERE ((s0t0."patient_id" = t0."patient_id") AND (t0."nights" < s0t0."cost")) AND hashint8((s0t0."patient_id")::bigint) = hashint8((t0."patient_id")::bigint)) ORDER BY 1) AS r GROUP BY 1) AS counted) AS per_unit) AS sized) AS rows) AS numbered) AS r GROUP BY i, b) AS measured

SELECT count(*) FROM patients p WHERE (p.patient_id, p.height) IN (SELECT patient_id, score FROM visits);
--> path: unique
--> Differentially private aggregate of public.patients joined with public.visits
-->   Privacy unit: patient, by public.patients.patient_id
-->   Contribution: one row per unit, proven by a unique key of the source; no unit is scaled down
-->   Group keys: none, one row
-->   Noisy number 1: rows; standard deviation 10, 95 % of the noise within ±20
-->   count(*): from noisy number 1
-->   95 % of the noise: count(*) within ±20 rows
-->   Noise intervals (dp.low, dp.high): cover everything, nothing is clipped
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.patients.height, public.patients.patient_id, public.visits.patient_id, public.visits.score
--> rests on: public.visits (visit_id)
--> rests on: public.patients (patient_id)
--> work of a row: 1030 ns
--> source: SELECT count(*) AS s0 FROM (SELECT  FROM "public"."patients" AS t0 WHERE EXISTS (SELECT FROM (SELECT DISTINCT s0t0."patient_id" AS k0, s0t0."score" AS k1 FROM "public"."visits" AS s0t0) AS s0d WHERE s0d.k0 = t0."patient_id" AND s0d.k1 = (t0."height"::double precision) AND hashint8((s0d.k0)::bigint) = hashint8((t0."patient_id")::bigint) AND hashfloat8((s0d.k1)::double precision) = hashfloat8(((t0."height"::double precision))::double precision))) AS r

SELECT count(*) FROM patients p WHERE EXISTS (SELECT FROM visits v WHERE v.patient_id = p.patient_id AND v.minutes + p.patient_id = v.visit_id);
--> path: unique
--> Differentially private aggregate of public.patients joined with public.visits
-->   Privacy unit: patient, by public.patients.patient_id
-->   Contribution: one row per unit, proven by a unique key of the source; no unit is scaled down
-->   Group keys: none, one row
-->   Noisy number 1: rows; standard deviation 10, 95 % of the noise within ±20
-->   count(*): from noisy number 1
-->   95 % of the noise: count(*) within ±20 rows
-->   Noise intervals (dp.low, dp.high): cover everything, nothing is clipped
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.patients.patient_id, public.visits.minutes, public.visits.patient_id, public.visits.visit_id
--> rests on: public.visits (visit_id)
--> rests on: public.patients (patient_id)
--> work of a row: 1140 ns
--> source: SELECT count(*) AS s0 FROM (SELECT  FROM "public"."patients" AS t0 WHERE EXISTS (SELECT FROM "public"."visits" AS s0t0 WHERE (((s0t0."minutes"::bigint + t0."patient_id") = s0t0."visit_id") AND (s0t0."patient_id" = t0."patient_id")))) AS r

SELECT count(*) FROM patients p WHERE EXISTS (SELECT FROM visits v WHERE v.patient_id = p.patient_id AND (v.day, v.region) = (p.born, p.region));
--> path: unique
--> Differentially private aggregate of public.patients joined with public.visits
-->   Privacy unit: patient, by public.patients.patient_id
-->   Contribution: one row per unit, proven by a unique key of the source; no unit is scaled down
-->   Group keys: none, one row
-->   Noisy number 1: rows; standard deviation 10, 95 % of the noise within ±20
-->   count(*): from noisy number 1
-->   95 % of the noise: count(*) within ±20 rows
-->   Noise intervals (dp.low, dp.high): cover everything, nothing is clipped
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.patients.born, public.patients.patient_id, public.patients.region, public.visits.day, public.visits.patient_id, public.visits.region
--> rests on: public.visits (visit_id)
--> rests on: public.patients (patient_id)
--> work of a row: 56620 ns
--> source: SELECT count(*) AS s0 FROM (SELECT  FROM "public"."patients" AS t0 WHERE EXISTS (SELECT FROM (SELECT DISTINCT s0t0."patient_id" AS k0, s0t0."day" AS k1, ((CASE WHEN octet_length(s0t0."region") > 4000 THEN CASE WHEN pg_column_size(s0t0."region") <= 1000000 THEN left(s0t0."region", 2000) ELSE '' END ELSE s0t0."region" END) COLLATE pg_catalog."default") AS k2 FROM "public"."visits" AS s0t0) AS s0d WHERE s0d.k0 = t0."patient_id" AND hashint8((s0d.k0)::bigint) = hashint8((t0."patient_id")::bigint) AND s0d.k1 = t0."born" AND ARRAY[s0d.k1] = ARRAY[t0."born"] AND (s0d.k2 COLLATE pg_catalog."default") = (CASE WHEN octet_length(t0."region") > 4000 THEN CASE WHEN pg_column_size(t0."region") <= 1000000 THEN left(t0."region", 2000) ELSE '' END ELSE t0."region" END) AND hashtext(((s0d.k2 COLLATE pg_catalog."default"))::text COLLATE pg_catalog."C") = hashtext(((CASE WHEN octet_length(t0."region") > 4000 THEN CASE WHEN pg_column_size(t0."region") <= 1000000 THEN left(t0."region", 2000) ELSE '' END ELSE t0."region" END))::text COLLATE pg_catalog."C"))) AS r

SELECT count(*) FROM patients p WHERE EXISTS (SELECT FROM visits v WHERE v.patient_id = p.patient_id AND v.day = p.born);
--> path: unique
--> Differentially private aggregate of public.patients joined with public.visits
-->   Privacy unit: patient, by public.patients.patient_id
-->   Contribution: one row per unit, proven by a unique key of the source; no unit is scaled down
-->   Group keys: none, one row
-->   Noisy number 1: rows; standard deviation 10, 95 % of the noise within ±20
-->   count(*): from noisy number 1
-->   95 % of the noise: count(*) within ±20 rows
-->   Noise intervals (dp.low, dp.high): cover everything, nothing is clipped
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.patients.born, public.patients.patient_id, public.visits.day, public.visits.patient_id
--> rests on: public.visits (visit_id)
--> rests on: public.patients (patient_id)
--> work of a row: 620 ns
--> source: SELECT count(*) AS s0 FROM (SELECT  FROM "public"."patients" AS t0 WHERE EXISTS (SELECT FROM (SELECT DISTINCT s0t0."patient_id" AS k0, s0t0."day" AS k1 FROM "public"."visits" AS s0t0) AS s0d WHERE s0d.k0 = t0."patient_id" AND hashint8((s0d.k0)::bigint) = hashint8((t0."patient_id")::bigint) AND s0d.k1 = t0."born" AND ARRAY[s0d.k1] = ARRAY[t0."born"])) AS r

SELECT count(*) FROM patients p FULL JOIN samples s ON s.patient_id = p.patient_id WHERE EXISTS (SELECT FROM visits v WHERE v.patient_id = p.patient_id AND v.cost > s.cost);
--> path: single group
--> Differentially private aggregate of public.patients joined with public.samples, public.visits
-->   Privacy unit: patient, by public.patients.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows per group, squared and summed <= 500)
-->   Rows that meet others: at most 200 of a unit in public.visits; further ones take no part
-->   Group keys: none, one row
-->   Noisy number 1: rows; standard deviation 223.607, 95 % of the noise within ±438.262
-->   count(*): from noisy number 1
-->   95 % of the noise: count(*) within ±438 rows
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.patients.patient_id, public.samples.cost, public.samples.patient_id, public.visits.cost, public.visits.day, public.visits.details, public.visits.diagnosis, public.visits.minutes, public.visits.note, public.visits.paid_at, public.visits.patient_id, public.visits.region, public.visits.score, public.visits.tags, public.visits.took, public.visits.urgent, public.visits.visit_id, public.visits.visited_at
--> rests on: public.visits (visit_id)
--> rests on: public.samples (patient_id)
--> cut: public.visits to 200 rows: SELECT m."patient_id" AS unit FROM "public"."visits" AS m WHERE m."patient_id" IS NOT NULL GROUP BY 1 HAVING count(*) > 200
--> work of a row: 1175 ns
--> source: WITH many_e8fe7e938aead538 AS MATERIALIZED (SELECT m."patient_id" AS unit FROM "public"."visits" AS m WHERE m."patient_id" IS NOT NULL GROUP BY 1 HAVING count(*) > 200) SELECT * FROM (SELECT sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, n * n AS q FROM (SELECT unit, LEAST(n, 3037000499) AS n, LEAST(n, 3037000499) AS v0 FROM (SELECT x0 AS unit, count(*) AS n FROM (SELECT COALESCE(t0."patient_id", t1."patient_id") AS x0 FROM "public"."patients" AS t0 FULL JOIN "public"."samples" AS t1 ON (t0."patient_id" = t1."patient_id") WHERE COALESCE(t0."patient_id", t1."patient_id") IS NOT NULL AND EXISTS (SELECT FROM ((SELECT m."visit_id", m."patient_id", m."region", m."visited_at", m."paid_at", m."day", m."minutes", m."cost", m."score", m."urgent", m."diagnosis", m."note", m."took", m."details", m."tags" FROM "public"."visits" AS m WHERE NOT EXISTS (SELECT FROM many_e8fe7e938aead538 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"])) UNION ALL (SELECT "visit_id", "patient_id", "region", "visited_at", "paid_at", "day", "minutes", "cost", "score", "urgent", "diagnosis", "note", "took", "details", "tags" FROM (SELECT m."visit_id", m."patient_id", m."region", m."visited_at", m."paid_at", m."day", m."minutes", m."cost", m."score", m."urgent", m."diagnosis", m."note", m."took", m."details", m."tags", row_number() OVER (PARTITION BY m."patient_id" ORDER BY m."visit_id") AS place0 FROM "public"."visits" AS m WHERE EXISTS (SELECT FROM many_e8fe7e938aead538 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"])) AS r WHERE r.place0 <= 200)) AS s0t0 WHERE ((s0t0."patient_id" = t0."patient_id") AND (t1."cost" < s0t0."cost"))) ORDER BY 1) AS r GROUP BY 1) AS counted) AS per_unit) AS sized) AS scaled) AS measured

SELECT count(*) FROM visits v, prices p WHERE v.urgent OR EXISTS (SELECT FROM prices q WHERE q.code = v.note);
--> refused 0A000 row-work: this query could take too long for one row

SELECT count(*) FROM visits v, prices p WHERE EXISTS (SELECT FROM prices q WHERE q.since = v.day);
--> path: single group
--> Differentially private aggregate of public.visits joined with public.prices
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows per group, squared and summed <= 500)
-->   Rows that may take long: at most 2000 of a unit in public.visits; further ones take no part
-->   Repeated rows: each row counts up to 100 times, as FROM repeats it, and max_rows = 50 limits them all
-->   Group keys: none, one row
-->   Noisy number 1: rows; standard deviation 223.607, 95 % of the noise within ±438.262
-->   count(*): from noisy number 1
-->   95 % of the noise: count(*) within ±438 rows
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.prices.since, public.visits.cost, public.visits.day, public.visits.details, public.visits.diagnosis, public.visits.minutes, public.visits.note, public.visits.paid_at, public.visits.patient_id, public.visits.region, public.visits.score, public.visits.tags, public.visits.took, public.visits.urgent, public.visits.visit_id, public.visits.visited_at
--> rests on: public.prices (code)
--> cut: public.visits to 2000 rows: SELECT m."patient_id" AS unit FROM "public"."visits" AS m WHERE m."patient_id" IS NOT NULL GROUP BY 1 HAVING count(*) > 2000
--> work of a row: 676 ns
--> source: WITH many_d309dd02df23f5c9 AS MATERIALIZED (SELECT m."patient_id" AS unit FROM "public"."visits" AS m WHERE m."patient_id" IS NOT NULL GROUP BY 1 HAVING count(*) > 2000) SELECT * FROM (SELECT sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, n * n AS q FROM (SELECT unit, LEAST(n, 3037000499) AS n, LEAST(n, 3037000499) AS v0 FROM (SELECT x0 AS unit, count(*) AS n FROM (SELECT t0."patient_id" AS x0 FROM ((SELECT m."visit_id", m."patient_id", m."region", m."visited_at", m."paid_at", m."day", m."minutes", m."cost", m."score", m."urgent", m."diagnosis", m."note", m."took", m."details", m."tags" FROM "public"."visits" AS m WHERE NOT EXISTS (SELECT FROM many_d309dd02df23f5c9 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"]) OFFSET 0) UNION ALL (SELECT "visit_id", "patient_id", "region", "visited_at", "paid_at", "day", "minutes", "cost", "score", "urgent", "diagnosis", "note", "took", "details", "tags" FROM (SELECT m."visit_id", m."patient_id", m."region", m."visited_at", m."paid_at", m."day", m."minutes", m."cost", m."score", m."urgent", m."diagnosis", m."note", m."took", m."details", m."tags", row_number() OVER (PARTITION BY m."patient_id" ORDER BY m."visit_id") AS place0 FROM "public"."visits" AS m WHERE EXISTS (SELECT FROM many_d309dd02df23f5c9 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"])) AS r WHERE r.place0 <= 2000 OFFSET 0)) AS t0 CROSS JOIN "public"."prices" AS t1 WHERE EXISTS (SELECT FROM "public"."prices" AS s0t0 WHERE (s0t0."since" = t0."day")) ORDER BY 1) AS r GROUP BY 1) AS counted) AS per_unit) AS sized) AS scaled) AS measured

SELECT count(*) FROM visits v, prices p WHERE EXISTS (SELECT FROM prices q WHERE q.code = v.note AND q.amount > v.cost);
--> path: single group
--> Differentially private aggregate of public.visits joined with public.prices
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows per group, squared and summed <= 500)
-->   Rows that meet others: at most 200 of a unit in public.visits; further ones take no part
-->   Repeated rows: each row counts up to 100 times, as FROM repeats it, and max_rows = 50 limits them all
-->   Group keys: none, one row
-->   Noisy number 1: rows; standard deviation 223.607, 95 % of the noise within ±438.262
-->   count(*): from noisy number 1
-->   95 % of the noise: count(*) within ±438 rows
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.prices.amount, public.prices.code, public.visits.cost, public.visits.day, public.visits.details, public.visits.diagnosis, public.visits.minutes, public.visits.note, public.visits.paid_at, public.visits.patient_id, public.visits.region, public.visits.score, public.visits.tags, public.visits.took, public.visits.urgent, public.visits.visit_id, public.visits.visited_at
--> rests on: public.prices (code)
--> cut: public.visits to 200 rows: SELECT m."patient_id" AS unit FROM "public"."visits" AS m WHERE m."patient_id" IS NOT NULL GROUP BY 1 HAVING count(*) > 200
--> work of a row: 42885 ns
--> source: WITH many_e8fe7e938aead538 AS MATERIALIZED (SELECT m."patient_id" AS unit FROM "public"."visits" AS m WHERE m."patient_id" IS NOT NULL GROUP BY 1 HAVING count(*) > 200) SELECT * FROM (SELECT sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, n * n AS q FROM (SELECT unit, LEAST(n, 3037000499) AS n, LEAST(n, 3037000499) AS v0 FROM (SELECT x0 AS unit, count(*) AS n FROM (SELECT t0."patient_id" AS x0 FROM ((SELECT m."visit_id", m."patient_id", m."region", m."visited_at", m."paid_at", m."day", m."minutes", m."cost", m."score", m."urgent", m."diagnosis", m."note", m."took", m."details", m."tags" FROM "public"."visits" AS m WHERE NOT EXISTS (SELECT FROM many_e8fe7e938aead538 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"]) OFFSET 0) UNION ALL (SELECT "visit_id", "patient_id", "region", "visited_at", "paid_at", "day", "minutes", "cost", "score", "urgent", "diagnosis", "note", "took", "details", "tags" FROM (SELECT m."visit_id", m."patient_id", m."region", m."visited_at", m."paid_at", m."day", m."minutes", m."cost", m."score", m."urgent", m."diagnosis", m."note", m."took", m."details", m."tags", row_number() OVER (PARTITION BY m."patient_id" ORDER BY m."visit_id") AS place0 FROM "public"."visits" AS m WHERE EXISTS (SELECT FROM many_e8fe7e938aead538 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"])) AS r WHERE r.place0 <= 200 OFFSET 0)) AS t0 CROSS JOIN "public"."prices" AS t1 WHERE EXISTS (SELECT FROM "public"."prices" AS s0t0 WHERE ((((CASE WHEN octet_length(t0."note") > 4000 THEN CASE WHEN pg_column_size(t0."note") <= 1000000 THEN left(t0."note", 2000) ELSE '' END ELSE t0."note" END) COLLATE pg_catalog."default") = s0t0."code") AND (t0."cost" < s0t0."amount"))) ORDER BY 1) AS r GROUP BY 1) AS counted) AS per_unit) AS sized) AS scaled) AS measured

SELECT count(*) FROM visits v, prices p WHERE v.note NOT IN (SELECT q.code FROM prices q WHERE q.since = v.day);
--> refused 0A000 row-work: this query could take too long for one row

SELECT count(*) FROM visits v, prices p WHERE v.note IN (SELECT q.code FROM prices q WHERE q.since = v.day);
--> path: single group
--> Differentially private aggregate of public.visits joined with public.prices
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows per group, squared and summed <= 500)
-->   Rows that meet others: at most 200 of a unit in public.visits; further ones take no part
-->   Repeated rows: each row counts up to 100 times, as FROM repeats it, and max_rows = 50 limits them all
-->   Group keys: none, one row
-->   Noisy number 1: rows; standard deviation 223.607, 95 % of the noise within ±438.262
-->   count(*): from noisy number 1
-->   95 % of the noise: count(*) within ±438 rows
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.prices.code, public.prices.since, public.visits.cost, public.visits.day, public.visits.details, public.visits.diagnosis, public.visits.minutes, public.visits.note, public.visits.paid_at, public.visits.patient_id, public.visits.region, public.visits.score, public.visits.tags, public.visits.took, public.visits.urgent, public.visits.visit_id, public.visits.visited_at
--> rests on: public.prices (code)
--> cut: public.visits to 200 rows: SELECT m."patient_id" AS unit FROM "public"."visits" AS m WHERE m."patient_id" IS NOT NULL GROUP BY 1 HAVING count(*) > 200
--> work of a row: 42616 ns
--> source: WITH many_e8fe7e938aead538 AS MATERIALIZED (SELECT m."patient_id" AS unit FROM "public"."visits" AS m WHERE m."patient_id" IS NOT NULL GROUP BY 1 HAVING count(*) > 200) SELECT * FROM (SELECT sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, n * n AS q FROM (SELECT unit, LEAST(n, 3037000499) AS n, LEAST(n, 3037000499) AS v0 FROM (SELECT x0 AS unit, count(*) AS n FROM (SELECT t0."patient_id" AS x0 FROM ((SELECT m."visit_id", m."patient_id", m."region", m."visited_at", m."paid_at", m."day", m."minutes", m."cost", m."score", m."urgent", m."diagnosis", m."note", m."took", m."details", m."tags" FROM "public"."visits" AS m WHERE NOT EXISTS (SELECT FROM many_e8fe7e938aead538 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"]) OFFSET 0) UNION ALL (SELECT "visit_id", "patient_id", "region", "visited_at", "paid_at", "day", "minutes", "cost", "score", "urgent", "diagnosis", "note", "took", "details", "tags" FROM (SELECT m."visit_id", m."patient_id", m."region", m."visited_at", m."paid_at", m."day", m."minutes", m."cost", m."score", m."urgent", m."diagnosis", m."note", m."took", m."details", m."tags", row_number() OVER (PARTITION BY m."patient_id" ORDER BY m."visit_id") AS place0 FROM "public"."visits" AS m WHERE EXISTS (SELECT FROM many_e8fe7e938aead538 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"])) AS r WHERE r.place0 <= 200 OFFSET 0)) AS t0 CROSS JOIN "public"."prices" AS t1 WHERE EXISTS (SELECT FROM "public"."prices" AS s0t0 WHERE (s0t0."since" = t0."day") AND s0t0."code" = ((CASE WHEN octet_length(t0."note") > 4000 THEN CASE WHEN pg_column_size(t0."note") <= 1000000 THEN left(t0."note", 2000) ELSE '' END ELSE t0."note" END) COLLATE pg_catalog."default")) ORDER BY 1) AS r GROUP BY 1) AS counted) AS per_unit) AS sized) AS scaled) AS measured

SELECT count(*) FROM visits v WHERE EXISTS (SELECT FROM prices q WHERE q.amount > v.cost AND v.note LIKE '%a%b');
--> path: single group
--> Differentially private aggregate of public.visits joined with public.prices
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows per group, squared and summed <= 500)
-->   Rows that meet others: at most 200 of a unit in public.visits; further ones take no part
-->   Group keys: none, one row
-->   Noisy number 1: rows; standard deviation 223.607, 95 % of the noise within ±438.262
-->   count(*): from noisy number 1
-->   95 % of the noise: count(*) within ±438 rows
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.prices.amount, public.visits.cost, public.visits.day, public.visits.details, public.visits.diagnosis, public.visits.minutes, public.visits.note, public.visits.paid_at, public.visits.patient_id, public.visits.region, public.visits.score, public.visits.tags, public.visits.took, public.visits.urgent, public.visits.visit_id, public.visits.visited_at
--> rests on: public.prices (code)
--> rests on: public.visits (visit_id)
--> cut: public.visits to 200 rows: SELECT m."patient_id" AS unit FROM "public"."visits" AS m WHERE m."patient_id" IS NOT NULL GROUP BY 1 HAVING count(*) > 200
--> work of a row: 49785 ns
--> source: WITH many_e8fe7e938aead538 AS MATERIALIZED (SELECT m."patient_id" AS unit FROM "public"."visits" AS m WHERE m."patient_id" IS NOT NULL GROUP BY 1 HAVING count(*) > 200) SELECT * FROM (SELECT sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, n * n AS q FROM (SELECT unit, LEAST(n, 3037000499) AS n, LEAST(n, 3037000499) AS v0 FROM (SELECT x0 AS unit, count(*) AS n FROM (SELECT t0."patient_id" AS x0 FROM ((SELECT m."visit_id", m."patient_id", m."region", m."visited_at", m."paid_at", m."day", m."minutes", m."cost", m."score", m."urgent", m."diagnosis", m."note", m."took", m."details", m."tags" FROM "public"."visits" AS m WHERE NOT EXISTS (SELECT FROM many_e8fe7e938aead538 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"]) OFFSET 0) UNION ALL (SELECT "visit_id", "patient_id", "region", "visited_at", "paid_at", "day", "minutes", "cost", "score", "urgent", "diagnosis", "note", "took", "details", "tags" FROM (SELECT m."visit_id", m."patient_id", m."region", m."visited_at", m."paid_at", m."day", m."minutes", m."cost", m."score", m."urgent", m."diagnosis", m."note", m."took", m."details", m."tags", row_number() OVER (PARTITION BY m."patient_id" ORDER BY m."visit_id") AS place0 FROM "public"."visits" AS m WHERE EXISTS (SELECT FROM many_e8fe7e938aead538 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"])) AS r WHERE r.place0 <= 200 OFFSET 0)) AS t0 WHERE EXISTS (SELECT FROM "public"."prices" AS s0t0 WHERE ((((CASE WHEN octet_length(t0."note") > 4000 THEN CASE WHEN pg_column_size(t0."note") <= 1000000 THEN left(t0."note", 2000) ELSE '' END ELSE t0."note" END) COLLATE pg_catalog."default") LIKE '%a%b') AND (t0."cost" < s0t0."amount"))) ORDER BY 1) AS r GROUP BY 1) AS counted) AS per_unit) AS sized) AS scaled) AS measured

SELECT count(*) FROM regions r WHERE EXISTS (SELECT FROM stays s WHERE s.ward = r.name);
--> path: general
--> declared keys: SELECT DISTINCT d0.c0 AS k0 FROM (SELECT DISTINCT p.c0 AS c0 FROM (SELECT DISTINCT t1t0."name" AS c0 FROM "public"."regions" AS t1t0 WHERE (NOT (t1t0."name" IS NULL))) AS p) AS d0 LIMIT 100001
--> Differentially private aggregate of public.stays joined with public.regions
-->   Privacy unit: patient, by public.stays.patient_id
-->   Contribution: units are scaled down to a limit that the query chooses from the data for 1/10 of the price, by their groups, per group, squared, summed, and the root taken
-->   Group keys: (SELECT …): declared (rows of subquery); every key is answered, empty ones as noise around 0
-->   Noisy number 1: units; standard deviation 10.5409 times the limit of their groups
-->   EXISTS: from noisy number 1; true if that is above what noise alone hardly ever reaches, which the answer's notice tells; false of no rows
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.regions.name, public.stays.patient_id, public.stays.ward
--> rests on: public.regions (name)
--> work of a row: 81640 ns
--> source: WITH found AS (SELECT k0, i, b, sum(a0) AS a0, sum(z0) AS z0, count(*) FILTER (WHERE place = 1 AND adds) AS units FROM (SELECT *, b0 AS b, true AS adds, v0 AS a0, t0 AS z0 FROM (SELECT *, 0 AS i FROM (SELECT *, width_bucket(q0, '{1.0000000000000002,2.2500000000000004,4.000000000000001,9.000000000000002,16.000000000000004,36.00000000000001,64.00000000000001,144.00000000000003,256.00000000000006,576.0000000000001,1024.0000000000002,2304.0000000000005,4096.000000000001,9216.000000000002,16384.000000000004,36864.00000000001,65536.00000000001,147456.00000000003,262144.00000000006,589824.0000000001,1048576.0000000002,2359296.0000000005,4194304.000000001,9437184.000000002,16777216.000000004,37748736.00000001,67108864.00000001,150994944.00000003,268435456.00000006,603979776.0000001,1073741824.0000002,2415919104.0000005,4294967296.000001,9663676416.000002,17179869184.000004,38654705664.00001,68719476736.00002,154618822656.00003,274877906944.00006,618475290624.0001,1099511627776.0002,2473901162496.0005,4398046511104.001,9895604649984.002,17592186044416.004,39582418599936.01,70368744177664.02,158329674399744.03,281474976710656.06}'::double precision[]) AS b0, trunc(v0::double precision / NULLIF(sqrt(q0), 0) * 3221225424.0)::bigint AS t0 FROM (SELECT *, (count(*) OVER w)::double precision AS q0, row_number() OVER w AS place FROM (SELECT unit, k0, LEAST(n, 3037000499) AS n, 1 AS v0 FROM (SELECT x0 AS unit, x1 AS k0, count(*) AS n FROM (SELECT t0."patient_id" AS x0, (t1.c0 COLLATE "C") AS x1 FROM "public"."stays" AS t0 CROSS JOIN (SELECT DISTINCT t1t0."name" AS c0 FROM "public"."regions" AS t1t0 WHERE (NOT (t1t0."name" IS NULL))) AS t1 WHERE (((CASE WHEN octet_length(t0."ward") > 4000 THEN CASE WHEN pg_column_size(t0."ward") <= 1000000 THEN left(t0."ward", 2000) ELSE '' END ELSE t0."ward" END) COLLATE pg_catalog."default") = t1.c0)) AS r GROUP BY 1, 2) AS counted) AS per_unit WINDOW w AS (PARTITION BY unit)) AS sized) AS rows) AS numbered) AS r GROUP BY k0, i, b) SELECT k0, i, b, a0, z0, NULL::bigint AS units FROM found UNION ALL SELECT NULL, i, b, NULL, NULL, sum(units)::bigint FROM found WHERE units IS NOT NULL GROUP BY i, b

SELECT count(*) FROM patients WHERE patient_id + 0 IN (SELECT patient_id FROM visits);
--> refused 0A000 private-join: this join could combine rows of more than one privacy unit, of public.patients and of public.visits

SELECT count(*) FROM patients WHERE patient_id IN (SELECT patient_id + 0 FROM visits);
--> refused 0A000 private-join: this join could combine rows of more than one privacy unit, of public.patients and of a subquery

SELECT count(*) FROM patients p LEFT JOIN visits v ON v.patient_id = p.patient_id WHERE v.patient_id NOT IN (SELECT s.patient_id FROM stays s);
--> refused 0A000 private-join: IN or NOT IN here compares columns that can be NULL

SELECT count(*) FROM patients p WHERE p.patient_id NOT IN (SELECT v.patient_id FROM stays s LEFT JOIN visits v ON v.patient_id = s.patient_id);
--> refused 0A000 private-join: IN or NOT IN here compares columns that can be NULL

SELECT count(*) FROM patients WHERE patient_id IN (SELECT patient_id FROM visits GROUP BY patient_id HAVING count(*) > 3);
--> path: unique
--> Differentially private aggregate of public.patients joined with public.visits
-->   Privacy unit: patient, by public.patients.patient_id
-->   Contribution: one row per unit, proven by a unique key of the source; no unit is scaled down
-->   Group keys: none, one row
-->   Noisy number 1: rows; standard deviation 10, 95 % of the noise within ±20
-->   count(*): from noisy number 1
-->   95 % of the noise: count(*) within ±20 rows
-->   Noise intervals (dp.low, dp.high): cover everything, nothing is clipped
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.patients.patient_id, public.visits.patient_id
--> rests on: public.visits (visit_id)
--> rests on: public.patients (patient_id)
--> work of a row: 12413 ns
--> source: SELECT count(*) AS s0 FROM (SELECT  FROM "public"."patients" AS t0 WHERE EXISTS (SELECT FROM (SELECT DISTINCT s0t0.c0 AS k0 FROM (SELECT s0t0t0."patient_id" AS unit, s0t0t0."patient_id" AS c0 FROM "public"."visits" AS s0t0t0 GROUP BY s0t0t0."patient_id" HAVING (count(*) > 3)) AS s0t0) AS s0d WHERE s0d.k0 = t0."patient_id" AND hashint8((s0d.k0)::bigint) = hashint8((t0."patient_id")::bigint))) AS r

SELECT count(*) FROM patients WHERE patient_id IN (SELECT patient_id FROM visits LIMIT 3);
--> refused 0A000 row-clause: LIMIT is not supported inside an aggregate over private rows

SELECT count(*) FROM patients p WHERE EXISTS (SELECT count(*) FROM visits v WHERE v.patient_id = p.patient_id);
--> refused 0A000 correlation: this correlated subquery is not supported

SELECT count(*) FROM patients p WHERE EXISTS (SELECT max(q.amount) FROM prices q WHERE q.since = p.born);
--> refused 0A000 correlation: this correlated subquery is not supported

SELECT count(*) FROM visits v WHERE v.note IN (SELECT DISTINCT code FROM prices);
--> path: single group
--> Differentially private aggregate of public.visits joined with public.prices
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows per group, squared and summed <= 500)
-->   Group keys: none, one row
-->   Noisy number 1: rows; standard deviation 223.607, 95 % of the noise within ±438.262
-->   count(*): from noisy number 1
-->   95 % of the noise: count(*) within ±438 rows
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.prices.code, public.visits.note, public.visits.patient_id
--> rests on: public.prices (code)
--> rests on: public.visits (visit_id)
--> work of a row: 61940 ns
--> source: SELECT sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, n * n AS q FROM (SELECT unit, LEAST(n, 3037000499) AS n, LEAST(n, 3037000499) AS v0 FROM (SELECT x0 AS unit, count(*) AS n FROM (SELECT t0."patient_id" AS x0 FROM "public"."visits" AS t0 WHERE EXISTS (SELECT FROM (SELECT DISTINCT s0t0t0."code" AS c0 FROM "public"."prices" AS s0t0t0) AS s0t0 WHERE s0t0.c0 = ((CASE WHEN octet_length(t0."note") > 4000 THEN CASE WHEN pg_column_size(t0."note") <= 1000000 THEN left(t0."note", 2000) ELSE '' END ELSE t0."note" END) COLLATE pg_catalog."default")) ORDER BY 1) AS r GROUP BY 1) AS counted) AS per_unit) AS sized) AS scaled

SELECT count(*) FROM visits v JOIN stays s USING (patient_id) CROSS JOIN prices p;
--> refused 0A000 multiplying-joins: these joins multiply the private rows too much

SELECT count(*) FROM visits v JOIN stays s USING (patient_id) CROSS JOIN regions r;
--> path: single group
--> Differentially private aggregate of public.visits joined with public.stays, public.regions
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: units are scaled down to a limit that the query chooses from the data for 1/10 of the price, by their rows
-->   Rows that meet others: at most 200 of a unit in public.visits; further ones take no part
-->   Rows that meet others: at most 256 of a unit in public.stays; further ones take no part
-->   Group keys: none, one row
-->   Noisy number 1: rows; standard deviation 10.5409 times the limit of their rows
-->   count(*): from noisy number 1
-->   95 % of the noise: as wide as the limit that the query chooses makes it; the answer's notice says it
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.stays.nights, public.stays.patient_id, public.stays.ward, public.visits.cost, public.visits.day, public.visits.details, public.visits.diagnosis, public.visits.minutes, public.visits.note, public.visits.paid_at, public.visits.patient_id, public.visits.region, public.visits.score, public.visits.tags, public.visits.took, public.visits.urgent, public.visits.visit_id, public.visits.visited_at
--> cut: public.visits to 200 rows: SELECT m."patient_id" AS unit FROM "public"."visits" AS m WHERE m."patient_id" IS NOT NULL GROUP BY 1 HAVING count(*) > 200
--> cut: public.stays to 256 rows: SELECT m."patient_id" AS unit FROM "public"."stays" AS m WHERE m."patient_id" IS NOT NULL GROUP BY 1 HAVING count(*) > 256
--> work of a row: 180 ns
--> source: WITH many_e8fe7e938aead538 AS MATERIALIZED (SELECT m."patient_id" AS unit FROM "public"."visits" AS m WHERE m."patient_id" IS NOT NULL GROUP BY 1 HAVING count(*) > 200), many_78d5fbdb4f6a7395 AS MATERIALIZED (SELECT m."patient_id" AS unit FROM "public"."stays" AS m WHERE m."patient_id" IS NOT NULL GROUP BY 1 HAVING count(*) > 256) SELECT * FROM (SELECT i, b, sum(a0) AS a0, sum(z0) AS z0, count(*) FILTER (WHERE place = 1 AND adds) AS units FROM (SELECT *, b0 AS b, true AS adds, v0 AS a0, t0 AS z0 FROM (SELECT *, 0 AS i FROM (SELECT *, width_bucket(q0, '{1.0000000000000002,1.5000000000000002,2.0000000000000004,3.0000000000000004,4.000000000000001,6.000000000000001,8.000000000000002,12.000000000000002,16.000000000000004,24.000000000000004,32.00000000000001,48.00000000000001,64.00000000000001,96.00000000000001,128.00000000000003,192.00000000000003,256.00000000000006,384.00000000000006,512.0000000000001,768.0000000000001,1024.0000000000002,1536.0000000000002,2048.0000000000005,3072.0000000000005,4096.000000000001,6144.000000000001,8192.000000000002,12288.000000000002,16384.000000000004,24576.000000000004,32768.00000000001,49152.00000000001,65536.00000000001,98304.00000000001,131072.00000000003,196608.00000000003,262144.00000000006,393216.00000000006,524288.0000000001,786432.0000000001,1048576.0000000002,1572864.0000000002,2097152.0000000005,3145728.0000000005,4194304.000000001,6291456.000000001,8388608.000000002,12582912.000000002,16777216.000000004}'::double precision[]) AS b0, trunc(v0::double precision / NULLIF(q0, 0) * 3221225424.0)::bigint AS t0 FROM (SELECT *, n::double precision AS q0, 1 AS place FROM (SELECT unit, LEAST(n, 3037000499) AS n, LEAST(n, 3037000499) AS v0 FROM (SELECT x0 AS unit, count(*) AS n FROM (SELECT t0."patient_id" AS x0 FROM ((SELECT m."visit_id", m."patient_id", m."region", m."visited_at", m."paid_at", m."day", m."minutes", m."cost", m."score", m."urgent", m."diagnosis", m."note", m."took", m."details", m."tags" FROM "public"."visits" AS m WHERE NOT EXISTS (SELECT FROM many_e8fe7e938aead538 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"])) UNION ALL (SELECT "visit_id", "patient_id", "region", "visited_at", "paid_at", "day", "minutes", "cost", "score", "urgent", "diagnosis", "note", "took", "details", "tags" FROM (SELECT m."visit_id", m."patient_id", m."region", m."visited_at", m."paid_at", m."day", m."minutes", m."cost", m."score", m."urgent", m."diagnosis", m."note", m."took", m."details", m."tags", row_number() OVER (PARTITION BY m."patient_id" ORDER BY m."visit_id") AS place0 FROM "public"."visits" AS m WHERE EXISTS (SELECT FROM many_e8fe7e938aead538 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"])) AS r WHERE r.place0 <= 200)) AS t0 INNER JOIN ((SELECT m."patient_id", m."ward", m."nights" FROM "public"."stays" AS m WHERE NOT EXISTS (SELECT FROM many_78d5fbdb4f6a7395 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"])) UNION ALL (SELECT "patient_id", "ward", "nights" FROM (SELECT m."patient_id", m."ward", m."nights", row_number() OVER (PARTITION BY m."patient_id" ORDER BY ROW(m."patient_id", (CASE WHEN octet_length(m."ward") > 4000 THEN CASE WHEN pg_column_size(m."ward") <= 1000000 THEN left(m."ward", 2000) ELSE '' END ELSE m."ward" END), m."nights") USING *<) AS place0 FROM "public"."stays" AS m WHERE EXISTS (SELECT FROM many_78d5fbdb4f6a7395 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"])) AS r WHERE r.place0 <= 256)) AS t1 ON t0."patient_id" = t1."patient_id" AND hashint8((t0."patient_id")::bigint) = hashint8((t1."patient_id")::bigint) CROSS JOIN "public"."regions" AS t2 ORDER BY 1) AS r GROUP BY 1) AS counted) AS per_unit) AS sized) AS rows) AS numbered) AS r GROUP BY i, b) AS measured

WITH w AS (SELECT patient_id, regexp_replace(note, 'a+', 'b') AS x FROM visits) SELECT count(*) FROM w WHERE x = 'b';
--> path: single group
--> Differentially private aggregate of public.visits
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows per group, squared and summed <= 500)
-->   Rows that may take long: at most 2000 of a unit in public.visits; further ones take no part
-->   Group keys: none, one row
-->   Regular expressions: of longer texts they see the first 250 characters
-->   Noisy number 1: rows; standard deviation 223.607, 95 % of the noise within ±438.262
-->   count(*): from noisy number 1
-->   95 % of the noise: count(*) within ±438 rows
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.visits.cost, public.visits.day, public.visits.details, public.visits.diagnosis, public.visits.minutes, public.visits.note, public.visits.paid_at, public.visits.patient_id, public.visits.region, public.visits.score, public.visits.tags, public.visits.took, public.visits.urgent, public.visits.visit_id, public.visits.visited_at
--> rests on: public.visits (visit_id)
--> cut: public.visits to 2000 rows: SELECT m."patient_id" AS unit FROM "public"."visits" AS m WHERE m."patient_id" IS NOT NULL GROUP BY 1 HAVING count(*) > 2000
--> work of a row: 580655 ns
--> source: WITH many_d309dd02df23f5c9 AS MATERIALIZED (SELECT m."patient_id" AS unit FROM "public"."visits" AS m WHERE m."patient_id" IS NOT NULL GROUP BY 1 HAVING count(*) > 2000) SELECT * FROM (SELECT sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, n * n AS q FROM (SELECT unit, LEAST(n, 3037000499) AS n, LEAST(n, 3037000499) AS v0 FROM (SELECT x0 AS unit, count(*) AS n FROM (SELECT t0.unit AS x0 FROM (SELECT t0t0."patient_id" AS unit, t0t0."patient_id" AS c0, regexp_replace((left((CASE WHEN octet_length(t0t0."note") > 4000 THEN CASE WHEN pg_column_size(t0t0."note") <= 1000000 THEN left(t0t0."note", 2000) ELSE '' END ELSE t0t0."note" END), 250) COLLATE pg_catalog."default"), 'a+', 'b') AS c1 FROM ((SELECT m."visit_id", m."patient_id", m."region", m."visited_at", m."paid_at", m."day", m."minutes", m."cost", m."score", m."urgent", m."diagnosis", m."note", m."took", m."details", m."tags" FROM "public"."visits" AS m WHERE NOT EXISTS (SELECT FROM many_d309dd02df23f5c9 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"]) OFFSET 0) UNION ALL (SELECT "visit_id", "patient_id", "region", "visited_at", "paid_at", "day", "minutes", "cost", "score", "urgent", "diagnosis", "note", "took", "details", "tags" FROM (SELECT m."visit_id", m."patient_id", m."region", m."visited_at", m."paid_at", m."day", m."minutes", m."cost", m."score", m."urgent", m."diagnosis", m."note", m."took", m."details", m."tags", row_number() OVER (PARTITION BY m."patient_id" ORDER BY m."visit_id") AS place0 FROM "public"."visits" AS m WHERE EXISTS (SELECT FROM many_d309dd02df23f5c9 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"])) AS r WHERE r.place0 <= 2000 OFFSET 0)) AS t0t0) AS t0 WHERE (t0.c1 = 'b') ORDER BY 1) AS r GROUP BY 1) AS counted) AS per_unit) AS sized) AS scaled) AS measured

SELECT count(*) FROM (SELECT note FROM visits) AS t WHERE regexp_replace(note, 'a+', 'b') = 'b';
--> path: single group
--> Differentially private aggregate of public.visits
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows per group, squared and summed <= 500)
-->   Rows that may take long: at most 2000 of a unit in public.visits; further ones take no part
-->   Group keys: none, one row
-->   Regular expressions: of longer texts they see the first 250 characters
-->   Noisy number 1: rows; standard deviation 223.607, 95 % of the noise within ±438.262
-->   count(*): from noisy number 1
-->   95 % of the noise: count(*) within ±438 rows
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.visits.cost, public.visits.day, public.visits.details, public.visits.diagnosis, public.visits.minutes, public.visits.note, public.visits.paid_at, public.visits.patient_id, public.visits.region, public.visits.score, public.visits.tags, public.visits.took, public.visits.urgent, public.visits.visit_id, public.visits.visited_at
--> rests on: public.visits (visit_id)
--> cut: public.visits to 2000 rows: SELECT m."patient_id" AS unit FROM "public"."visits" AS m WHERE m."patient_id" IS NOT NULL GROUP BY 1 HAVING count(*) > 2000
--> work of a row: 290363 ns
--> source: WITH many_d309dd02df23f5c9 AS MATERIALIZED (SELECT m."patient_id" AS unit FROM "public"."visits" AS m WHERE m."patient_id" IS NOT NULL GROUP BY 1 HAVING count(*) > 2000) SELECT * FROM (SELECT sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, n * n AS q FROM (SELECT unit, LEAST(n, 3037000499) AS n, LEAST(n, 3037000499) AS v0 FROM (SELECT x0 AS unit, count(*) AS n FROM (SELECT t0."patient_id" AS x0 FROM ((SELECT m."visit_id", m."patient_id", m."region", m."visited_at", m."paid_at", m."day", m."minutes", m."cost", m."score", m."urgent", m."diagnosis", m."note", m."took", m."details", m."tags" FROM "public"."visits" AS m WHERE NOT EXISTS (SELECT FROM many_d309dd02df23f5c9 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"]) OFFSET 0) UNION ALL (SELECT "visit_id", "patient_id", "region", "visited_at", "paid_at", "day", "minutes", "cost", "score", "urgent", "diagnosis", "note", "took", "details", "tags" FROM (SELECT m."visit_id", m."patient_id", m."region", m."visited_at", m."paid_at", m."day", m."minutes", m."cost", m."score", m."urgent", m."diagnosis", m."note", m."took", m."details", m."tags", row_number() OVER (PARTITION BY m."patient_id" ORDER BY m."visit_id") AS place0 FROM "public"."visits" AS m WHERE EXISTS (SELECT FROM many_d309dd02df23f5c9 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"])) AS r WHERE r.place0 <= 2000 OFFSET 0)) AS t0 WHERE (regexp_replace((left((CASE WHEN octet_length(t0."note") > 4000 THEN CASE WHEN pg_column_size(t0."note") <= 1000000 THEN left(t0."note", 2000) ELSE '' END ELSE t0."note" END), 250) COLLATE pg_catalog."default"), 'a+', 'b') = 'b') ORDER BY 1) AS r GROUP BY 1) AS counted) AS per_unit) AS sized) AS scaled) AS measured

SELECT count(*) FROM visits v, (SELECT p.code FROM regions r RIGHT JOIN prices p ON p.code = r.name) AS t;
--> path: single group
--> Differentially private aggregate of public.visits joined with public.regions, public.prices
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows per group, squared and summed <= 500)
-->   Rows that meet others: at most 200 of a unit in public.visits; further ones take no part
-->   Repeated rows: each row counts up to 100 times, as FROM repeats it, and max_rows = 50 limits them all
-->   Group keys: none, one row
-->   Noisy number 1: rows; standard deviation 223.607, 95 % of the noise within ±438.262
-->   count(*): from noisy number 1
-->   95 % of the noise: count(*) within ±438 rows
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.prices.code, public.regions.name, public.visits.cost, public.visits.day, public.visits.details, public.visits.diagnosis, public.visits.minutes, public.visits.note, public.visits.paid_at, public.visits.patient_id, public.visits.region, public.visits.score, public.visits.tags, public.visits.took, public.visits.urgent, public.visits.visit_id, public.visits.visited_at
--> rests on: public.regions (name)
--> rests on: public.prices (code)
--> cut: public.visits to 200 rows: SELECT m."patient_id" AS unit FROM "public"."visits" AS m WHERE m."patient_id" IS NOT NULL GROUP BY 1 HAVING count(*) > 200
--> work of a row: 34100 ns
--> source: WITH many_e8fe7e938aead538 AS MATERIALIZED (SELECT m."patient_id" AS unit FROM "public"."visits" AS m WHERE m."patient_id" IS NOT NULL GROUP BY 1 HAVING count(*) > 200) SELECT * FROM (SELECT sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, n * n AS q FROM (SELECT unit, LEAST(n, 3037000499) AS n, LEAST(n, 3037000499) AS v0 FROM (SELECT x0 AS unit, count(*) AS n FROM (SELECT t0."patient_id" AS x0 FROM ((SELECT m."visit_id", m."patient_id", m."region", m."visited_at", m."paid_at", m."day", m."minutes", m."cost", m."score", m."urgent", m."diagnosis", m."note", m."took", m."details", m."tags" FROM "public"."visits" AS m WHERE NOT EXISTS (SELECT FROM many_e8fe7e938aead538 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"]) OFFSET 0) UNION ALL (SELECT "visit_id", "patient_id", "region", "visited_at", "paid_at", "day", "minutes", "cost", "score", "urgent", "diagnosis", "note", "took", "details", "tags" FROM (SELECT m."visit_id", m."patient_id", m."region", m."visited_at", m."paid_at", m."day", m."minutes", m."cost", m."score", m."urgent", m."diagnosis", m."note", m."took", m."details", m."tags", row_number() OVER (PARTITION BY m."patient_id" ORDER BY m."visit_id") AS place0 FROM "public"."visits" AS m WHERE EXISTS (SELECT FROM many_e8fe7e938aead538 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"])) AS r WHERE r.place0 <= 200 OFFSET 0)) AS t0 CROSS JOIN (SELECT t1t1."code" AS c0 FROM "public"."regions" AS t1t0 RIGHT JOIN "public"."prices" AS t1t1 ON (t1t0."name" = t1t1."code")) AS t1 ORDER BY 1) AS r GROUP BY 1) AS counted) AS per_unit) AS sized) AS scaled) AS measured

SELECT count(*) FROM visits v, (SELECT r.name FROM prices p RIGHT JOIN regions r ON p.code = r.name) AS t;
--> path: single group
--> Differentially private aggregate of public.visits joined with public.prices, public.regions
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows per group, squared and summed <= 500)
-->   Rows that may take long: at most 2000 of a unit in public.visits; further ones take no part
-->   Repeated rows: each row counts up to 5 times, as FROM repeats it, and max_rows = 50 limits them all
-->   Group keys: none, one row
-->   Noisy number 1: rows; standard deviation 223.607, 95 % of the noise within ±438.262
-->   count(*): from noisy number 1
-->   95 % of the noise: count(*) within ±438 rows
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.prices.code, public.regions.name, public.visits.cost, public.visits.day, public.visits.details, public.visits.diagnosis, public.visits.minutes, public.visits.note, public.visits.paid_at, public.visits.patient_id, public.visits.region, public.visits.score, public.visits.tags, public.visits.took, public.visits.urgent, public.visits.visit_id, public.visits.visited_at
--> rests on: public.prices (code)
--> rests on: public.regions (name)
--> cut: public.visits to 2000 rows: SELECT m."patient_id" AS unit FROM "public"."visits" AS m WHERE m."patient_id" IS NOT NULL GROUP BY 1 HAVING count(*) > 2000
--> work of a row: 34100 ns
--> source: WITH many_d309dd02df23f5c9 AS MATERIALIZED (SELECT m."patient_id" AS unit FROM "public"."visits" AS m WHERE m."patient_id" IS NOT NULL GROUP BY 1 HAVING count(*) > 2000) SELECT * FROM (SELECT sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, n * n AS q FROM (SELECT unit, LEAST(n, 3037000499) AS n, LEAST(n, 3037000499) AS v0 FROM (SELECT x0 AS unit, count(*) AS n FROM (SELECT t0."patient_id" AS x0 FROM ((SELECT m."visit_id", m."patient_id", m."region", m."visited_at", m."paid_at", m."day", m."minutes", m."cost", m."score", m."urgent", m."diagnosis", m."note", m."took", m."details", m."tags" FROM "public"."visits" AS m WHERE NOT EXISTS (SELECT FROM many_d309dd02df23f5c9 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"]) OFFSET 0) UNION ALL (SELECT "visit_id", "patient_id", "region", "visited_at", "paid_at", "day", "minutes", "cost", "score", "urgent", "diagnosis", "note", "took", "details", "tags" FROM (SELECT m."visit_id", m."patient_id", m."region", m."visited_at", m."paid_at", m."day", m."minutes", m."cost", m."score", m."urgent", m."diagnosis", m."note", m."took", m."details", m."tags", row_number() OVER (PARTITION BY m."patient_id" ORDER BY m."visit_id") AS place0 FROM "public"."visits" AS m WHERE EXISTS (SELECT FROM many_d309dd02df23f5c9 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"])) AS r WHERE r.place0 <= 2000 OFFSET 0)) AS t0 CROSS JOIN (SELECT t1t1."name" AS c0 FROM "public"."prices" AS t1t0 RIGHT JOIN "public"."regions" AS t1t1 ON (t1t0."code" = t1t1."name")) AS t1 ORDER BY 1) AS r GROUP BY 1) AS counted) AS per_unit) AS sized) AS scaled) AS measured

SELECT count(*) FROM visits v JOIN prices p ON p.code = lower(v.note);
--> path: single group
--> Differentially private aggregate of public.visits joined with public.prices
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows per group, squared and summed <= 500)
-->   Rows that may take long: at most 2000 of a unit in public.visits; further ones take no part
-->   Group keys: none, one row
-->   Noisy number 1: rows; standard deviation 223.607, 95 % of the noise within ±438.262
-->   count(*): from noisy number 1
-->   95 % of the noise: count(*) within ±438 rows
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.prices.code, public.visits.cost, public.visits.day, public.visits.details, public.visits.diagnosis, public.visits.minutes, public.visits.note, public.visits.paid_at, public.visits.patient_id, public.visits.region, public.visits.score, public.visits.tags, public.visits.took, public.visits.urgent, public.visits.visit_id, public.visits.visited_at
--> rests on: public.prices (code)
--> cut: public.visits to 2000 rows: SELECT m."patient_id" AS unit FROM "public"."visits" AS m WHERE m."patient_id" IS NOT NULL GROUP BY 1 HAVING count(*) > 2000
--> work of a row: 155100 ns
--> source: WITH many_d309dd02df23f5c9 AS MATERIALIZED (SELECT m."patient_id" AS unit FROM "public"."visits" AS m WHERE m."patient_id" IS NOT NULL GROUP BY 1 HAVING count(*) > 2000) SELECT * FROM (SELECT sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, n * n AS q FROM (SELECT unit, LEAST(n, 3037000499) AS n, LEAST(n, 3037000499) AS v0 FROM (SELECT x0 AS unit, count(*) AS n FROM (SELECT t0."patient_id" AS x0 FROM ((SELECT m."visit_id", m."patient_id", m."region", m."visited_at", m."paid_at", m."day", m."minutes", m."cost", m."score", m."urgent", m."diagnosis", m."note", m."took", m."details", m."tags" FROM "public"."visits" AS m WHERE NOT EXISTS (SELECT FROM many_d309dd02df23f5c9 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"]) OFFSET 0) UNION ALL (SELECT "visit_id", "patient_id", "region", "visited_at", "paid_at", "day", "minutes", "cost", "score", "urgent", "diagnosis", "note", "took", "details", "tags" FROM (SELECT m."visit_id", m."patient_id", m."region", m."visited_at", m."paid_at", m."day", m."minutes", m."cost", m."score", m."urgent", m."diagnosis", m."note", m."took", m."details", m."tags", row_number() OVER (PARTITION BY m."patient_id" ORDER BY m."visit_id") AS place0 FROM "public"."visits" AS m WHERE EXISTS (SELECT FROM many_d309dd02df23f5c9 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"])) AS r WHERE r.place0 <= 2000 OFFSET 0)) AS t0 INNER JOIN "public"."prices" AS t1 ON ((lower(((CASE WHEN octet_length(t0."note") > 4000 THEN CASE WHEN pg_column_size(t0."note") <= 1000000 THEN left(t0."note", 2000) ELSE '' END ELSE t0."note" END) COLLATE pg_catalog."default")) COLLATE pg_catalog."default") = t1."code") ORDER BY 1) AS r GROUP BY 1) AS counted) AS per_unit) AS sized) AS scaled) AS measured

SELECT count(*) FROM visits a JOIN visits b ON a.patient_id = b.patient_id AND b.visit_id = a.visit_id + 1;
--> path: single group
--> Differentially private aggregate of public.visits
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows per group, squared and summed <= 500)
-->   Rows that meet others: at most 200 of a unit in public.visits; further ones take no part
-->   Group keys: none, one row
-->   Noisy number 1: rows; standard deviation 223.607, 95 % of the noise within ±438.262
-->   count(*): from noisy number 1
-->   95 % of the noise: count(*) within ±438 rows
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.visits.cost, public.visits.day, public.visits.details, public.visits.diagnosis, public.visits.minutes, public.visits.note, public.visits.paid_at, public.visits.patient_id, public.visits.region, public.visits.score, public.visits.tags, public.visits.took, public.visits.urgent, public.visits.visit_id, public.visits.visited_at
--> cut: public.visits to 200 rows: SELECT m."patient_id" AS unit FROM "public"."visits" AS m WHERE m."patient_id" IS NOT NULL GROUP BY 1 HAVING count(*) > 200
--> cut: public.visits to 200 rows: SELECT m."patient_id" AS unit FROM "public"."visits" AS m WHERE m."patient_id" IS NOT NULL GROUP BY 1 HAVING count(*) > 200
--> work of a row: 580 ns
--> source: WITH many_e8fe7e938aead538 AS MATERIALIZED (SELECT m."patient_id" AS unit FROM "public"."visits" AS m WHERE m."patient_id" IS NOT NULL GROUP BY 1 HAVING count(*) > 200) SELECT * FROM (SELECT sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, n * n AS q FROM (SELECT unit, LEAST(n, 3037000499) AS n, LEAST(n, 3037000499) AS v0 FROM (SELECT x0 AS unit, count(*) AS n FROM (SELECT t0."patient_id" AS x0 FROM ((SELECT m."visit_id", m."patient_id", m."region", m."visited_at", m."paid_at", m."day", m."minutes", m."cost", m."score", m."urgent", m."diagnosis", m."note", m."took", m."details", m."tags" FROM "public"."visits" AS m WHERE NOT EXISTS (SELECT FROM many_e8fe7e938aead538 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"])) UNION ALL (SELECT "visit_id", "patient_id", "region", "visited_at", "paid_at", "day", "minutes", "cost", "score", "urgent", "diagnosis", "note", "took", "details", "tags" FROM (SELECT m."visit_id", m."patient_id", m."region", m."visited_at", m."paid_at", m."day", m."minutes", m."cost", m."score", m."urgent", m."diagnosis", m."note", m."took", m."details", m."tags", row_number() OVER (PARTITION BY m."patient_id" ORDER BY m."visit_id") AS place0 FROM "public"."visits" AS m WHERE EXISTS (SELECT FROM many_e8fe7e938aead538 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"])) AS r WHERE r.place0 <= 200)) AS t0 INNER JOIN ((SELECT m."visit_id", m."patient_id", m."region", m."visited_at", m."paid_at", m."day", m."minutes", m."cost", m."score", m."urgent", m."diagnosis", m."note", m."took", m."details", m."tags" FROM "public"."visits" AS m WHERE NOT EXISTS (SELECT FROM many_e8fe7e938aead538 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"])) UNION ALL (SELECT "visit_id", "patient_id", "region", "visited_at", "paid_at", "day", "minutes", "cost", "score", "urgent", "diagnosis", "note", "took", "details", "tags" FROM (SELECT m."visit_id", m."patient_id", m."region", m."visited_at", m."paid_at", m."day", m."minutes", m."cost", m."score", m."urgent", m."diagnosis", m."note", m."took", m."details", m."tags", row_number() OVER (PARTITION BY m."patient_id" ORDER BY m."visit_id") AS place0 FROM "public"."visits" AS m WHERE EXISTS (SELECT FROM many_e8fe7e938aead538 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"])) AS r WHERE r.place0 <= 200)) AS t1 ON (((t0."visit_id"::numeric + 1) = t1."visit_id") AND (t0."patient_id" = t1."patient_id")) AND hashint8((t0."patient_id")::bigint) = hashint8((t1."patient_id")::bigint) ORDER BY 1) AS r GROUP BY 1) AS counted) AS per_unit) AS sized) AS scaled) AS measured

SELECT count(*) FROM visits v, (SELECT amount FROM prices) AS a, (SELECT amount FROM prices) AS b, regions r;
--> refused 0A000 multiplying-joins: these joins multiply the private rows too much

SELECT count(*) FROM visits v JOIN (SELECT DISTINCT zone FROM regions) AS z ON z.zone = v.region;
--> path: single group
--> Differentially private aggregate of public.visits joined with public.regions
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows per group, squared and summed <= 500)
-->   Group keys: none, one row
-->   Noisy number 1: rows; standard deviation 223.607, 95 % of the noise within ±438.262
-->   count(*): from noisy number 1
-->   95 % of the noise: count(*) within ±438 rows
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.regions.zone, public.visits.patient_id, public.visits.region
--> rests on: public.regions (name)
--> rests on: public.visits (visit_id)
--> work of a row: 97600 ns
--> source: SELECT sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, n * n AS q FROM (SELECT unit, LEAST(n, 3037000499) AS n, LEAST(n, 3037000499) AS v0 FROM (SELECT x0 AS unit, count(*) AS n FROM (SELECT t0."patient_id" AS x0 FROM "public"."visits" AS t0 INNER JOIN (SELECT DISTINCT ((CASE WHEN octet_length(t1t0."zone") > 4000 THEN CASE WHEN pg_column_size(t1t0."zone") <= 1000000 THEN left(t1t0."zone", 2000) ELSE '' END ELSE t1t0."zone" END))::text AS c0 FROM "public"."regions" AS t1t0) AS t1 ON (((CASE WHEN octet_length(t0."region") > 4000 THEN CASE WHEN pg_column_size(t0."region") <= 1000000 THEN left(t0."region", 2000) ELSE '' END ELSE t0."region" END) COLLATE pg_catalog."default") = t1.c0) ORDER BY 1) AS r GROUP BY 1) AS counted) AS per_unit) AS sized) AS scaled

SELECT count(*) FROM (SELECT patient_id AS id FROM visits UNION ALL SELECT doctor_id FROM doctors) AS t;
--> refused 0A000 row-set-operation: UNION ALL of private rows requires the same privacy unit and the same number of columns on both sides

SELECT count(*) FROM (SELECT region FROM visits UNION ALL SELECT name FROM regions) AS t;
--> refused 0A000 row-set-operation: UNION of rows of public.visits with other rows is not supported

SELECT count(*) FROM (SELECT name FROM regions UNION ALL SELECT region FROM visits) AS t;
--> refused 0A000 row-set-operation: UNION of rows of public.visits with other rows is not supported

SELECT count(*) FROM (SELECT patient_id FROM visits UNION ALL VALUES (1)) AS t;
--> refused 0A000 row-set-operation: UNION of rows of public.visits with other rows is not supported

SELECT count(x) FROM (SELECT lower(note) AS x FROM visits UNION ALL SELECT ward FROM stays) AS t;
--> path: single group
--> Differentially private aggregate of public.visits joined with public.stays
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: units are scaled down to a limit that the query chooses from the data for 1/10 of the price, by their rows
-->   Rows that may take long: at most 2000 of a unit in public.visits; further ones take no part
-->   Rows that may take long: at most 2000 of a unit in t; further ones take no part
-->   Group keys: none, one row
-->   Noisy number 1: rows where the value is not NULL; standard deviation 10.5409 times the limit of their rows
-->   count(x): from noisy number 1
-->   95 % of the noise: as wide as the limit that the query chooses makes it; the answer's notice says it
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.stays.patient_id, public.stays.ward, public.visits.cost, public.visits.day, public.visits.details, public.visits.diagnosis, public.visits.minutes, public.visits.note, public.visits.paid_at, public.visits.patient_id, public.visits.region, public.visits.score, public.visits.tags, public.visits.took, public.visits.urgent, public.visits.visit_id, public.visits.visited_at
--> rests on: public.visits (visit_id)
--> cut: public.visits to 2000 rows: SELECT m."patient_id" AS unit FROM "public"."visits" AS m WHERE m."patient_id" IS NOT NULL GROUP BY 1 HAVING count(*) > 2000
--> cut: t to 2000 rows: SELECT m.unit AS unit FROM (SELECT s.unit AS unit, (s.c0 COLLATE pg_catalog."default") AS c0 FROM (SELECT t0lt0."patient_id" AS unit, lower(((CASE WHEN octet_length(t0lt0."note") > 4000 THEN CASE WHEN pg_column_size(t0lt0."note") <= 1000000 THEN left(t0lt0."note", 2000) ELSE '' END ELSE t0lt0."note" END) COLLATE pg_catalog."default")) AS c0 FROM ((SELECT m."visit_id", m."patient_id", m."region", m."visited_at", m."paid_at", m."day", m."minutes", m."cost", m."score", m."urgent", m."diagnosis", m."note", m."took", m."details", m."tags" FROM "public"."visits" AS m WHERE NOT EXISTS (SELECT FROM many_d309dd02df23f5c9 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"]) OFFSET 0) UNION ALL (SELECT "visit_id", "patient_id", "region", "visited_at", "paid_at", "day", "minutes", "cost", "score", "urgent", "diagnosis", "note", "took", "details", "tags" FROM (SELECT m."visit_id", m."patient_id", m."region", m."visited_at", m."paid_at", m."day", m."minutes", m."cost", m."score", m."urgent", m."diagnosis", m."note", m."took", m."details", m."tags", row_number() OVER (PARTITION BY m."patient_id" ORDER BY m."visit_id") AS place0 FROM "public"."visits" AS m WHERE EXISTS (SELECT FROM many_d309dd02df23f5c9 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"])) AS r WHERE r.place0 <= 2000 OFFSET 0)) AS t0lt0) AS s UNION ALL SELECT s.unit AS unit, (s.c0 COLLATE pg_catalog."default") AS c0 FROM (SELECT t0rt0."patient_id" AS unit, (CASE WHEN octet_length(t0rt0."ward") > 4000 THEN CASE WHEN pg_column_size(t0rt0."ward") <= 1000000 THEN left(t0rt0."ward", 2000) ELSE '' END ELSE t0rt0."ward" END) AS c0 FROM "public"."stays" AS t0rt0) AS s) AS m WHERE m.unit IS NOT NULL GROUP BY 1 HAVING count(*) > 2000
--> work of a row: 189000 ns
--> source: WITH many_d309dd02df23f5c9 AS MATERIALIZED (SELECT m."patient_id" AS unit FROM "public"."visits" AS m WHERE m."patient_id" IS NOT NULL GROUP BY 1 HAVING count(*) > 2000), many_a41f10ee964e491c AS MATERIALIZED (SELECT m.unit AS unit FROM (SELECT s.unit AS unit, (s.c0 COLLATE pg_catalog."default") AS c0 FROM (SELECT t0lt0."patient_id" AS unit, lower(((CASE WHEN octet_length(t0lt0."note") > 4000 THEN CASE WHEN pg_column_size(t0lt0."note") <= 1000000 THEN left(t0lt0."note", 2000) ELSE '' END ELSE t0lt0."note" END) COLLATE pg_catalog."default")) AS c0 FROM ((SELECT m."visit_id", m."patient_id", m."region", m."visited_at", m."paid_at", m."day", m."minutes", m."cost", m."score", m."urgent", m."diagnosis", m."note", m."took", m."details", m."tags" FROM "public"."visits" AS m WHERE NOT EXISTS (SELECT FROM many_d309dd02df23f5c9 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"]) OFFSET 0) UNION ALL (SELECT "visit_id", "patient_id", "region", "visited_at", "paid_at", "day", "minutes", "cost", "score", "urgent", "diagnosis", "note", "took", "details", "tags" FROM (SELECT m."visit_id", m."patient_id", m."region", m."visited_at", m."paid_at", m."day", m."minutes", m."cost", m."score", m."urgent", m."diagnosis", m."note", m."took", m."details", m."tags", row_number() OVER (PARTITION BY m."patient_id" ORDER BY m."visit_id") AS place0 FROM "public"."visits" AS m WHERE EXISTS (SELECT FROM many_d309dd02df23f5c9 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"])) AS r WHERE r.place0 <= 2000 OFFSET 0)) AS t0lt0) AS s UNION ALL SELECT s.unit AS unit, (s.c0 COLLATE pg_catalog."default") AS c0 FROM (SELECT t0rt0."patient_id" AS unit, (CASE WHEN octet_length(t0rt0."ward") > 4000 THEN CASE WHEN pg_column_size(t0rt0."ward") <= 1000000 THEN left(t0rt0."ward", 2000) ELSE '' END ELSE t0rt0."ward" END) AS c0 FROM "public"."stays" AS t0rt0) AS s) AS m WHERE m.unit IS NOT NULL GROUP BY 1 HAVING count(*) > 2000) SELECT * FROM (SELECT i, b, sum(a0) AS a0, sum(z0) AS z0, count(*) FILTER (WHERE place = 1 AND adds) AS units FROM (SELECT *, b0 AS b, true AS adds, v0 AS a0, t0 AS z0 FROM (SELECT *, 0 AS i FROM (SELECT *, width_bucket(q0, '{1.0000000000000002,1.5000000000000002,2.0000000000000004,3.0000000000000004,4.000000000000001,6.000000000000001,8.000000000000002,12.000000000000002,16.000000000000004,24.000000000000004,32.00000000000001,48.00000000000001,64.00000000000001,96.00000000000001,128.00000000000003,192.00000000000003,256.00000000000006,384.00000000000006,512.0000000000001,768.0000000000001,1024.0000000000002,1536.0000000000002,2048.0000000000005,3072.0000000000005,4096.000000000001,6144.000000000001,8192.000000000002,12288.000000000002,16384.000000000004,24576.000000000004,32768.00000000001,49152.00000000001,65536.00000000001,98304.00000000001,131072.00000000003,196608.00000000003,262144.00000000006,393216.00000000006,524288.0000000001,786432.0000000001,1048576.0000000002,1572864.0000000002,2097152.0000000005,3145728.0000000005,4194304.000000001,6291456.000000001,8388608.000000002,12582912.000000002,16777216.000000004}'::double precision[]) AS b0, trunc(v0::double precision / NULLIF(q0, 0) * 3221225424.0)::bigint AS t0 FROM (SELECT *, n::double precision AS q0, 1 AS place FROM (SELECT unit, LEAST(n, 3037000499) AS n, LEAST(s0, 3037000499) AS v0 FROM (SELECT x0 AS unit, count(*) AS n, count(x1) AS s0 FROM (SELECT t0.unit AS x0, t0.c0 AS x1 FROM ((SELECT m.unit, m.c0 FROM (SELECT s.unit AS unit, (s.c0 COLLATE pg_catalog."default") AS c0 FROM (SELECT t0lt0."patient_id" AS unit, lower(((CASE WHEN octet_length(t0lt0."note") > 4000 THEN CASE WHEN pg_column_size(t0lt0."note") <= 1000000 THEN left(t0lt0."note", 2000) ELSE '' END ELSE t0lt0."note" END) COLLATE pg_catalog."default")) AS c0 FROM ((SELECT m."visit_id", m."patient_id", m."region", m."visited_at", m."paid_at", m."day", m."minutes", m."cost", m."score", m."urgent", m."diagnosis", m."note", m."took", m."details", m."tags" FROM "public"."visits" AS m WHERE NOT EXISTS (SELECT FROM many_d309dd02df23f5c9 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"]) OFFSET 0) UNION ALL (SELECT "visit_id", "patient_id", "region", "visited_at", "paid_at", "day", "minutes", "cost", "score", "urgent", "diagnosis", "note", "took", "details", "tags" FROM (SELECT m."visit_id", m."patient_id", m."region", m."visited_at", m."paid_at", m."day", m."minutes", m."cost", m."score", m."urgent", m."diagnosis", m."note", m."took", m."details", m."tags", row_number() OVER (PARTITION BY m."patient_id" ORDER BY m."visit_id") AS place0 FROM "public"."visits" AS m WHERE EXISTS (SELECT FROM many_d309dd02df23f5c9 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"])) AS r WHERE r.place0 <= 2000 OFFSET 0)) AS t0lt0) AS s UNION ALL SELECT s.unit AS unit, (s.c0 COLLATE pg_catalog."default") AS c0 FROM (SELECT t0rt0."patient_id" AS unit, (CASE WHEN octet_length(t0rt0."ward") > 4000 THEN CASE WHEN pg_column_size(t0rt0."ward") <= 1000000 THEN left(t0rt0."ward", 2000) ELSE '' END ELSE t0rt0."ward" END) AS c0 FROM "public"."stays" AS t0rt0) AS s) AS m WHERE NOT EXISTS (SELECT FROM many_a41f10ee964e491c AS h WHERE h.unit = m.unit AND ARRAY[h.unit] = ARRAY[m.unit]) OFFSET 0) UNION ALL (SELECT unit, c0 FROM (SELECT m.unit, m.c0, row_number() OVER (PARTITION BY m.unit ORDER BY ROW(m.c0) USING *<) AS place0 FROM (SELECT s.unit AS unit, (s.c0 COLLATE pg_catalog."default") AS c0 FROM (SELECT t0lt0."patient_id" AS unit, lower(((CASE WHEN octet_length(t0lt0."note") > 4000 THEN CASE WHEN pg_column_size(t0lt0."note") <= 1000000 THEN left(t0lt0."note", 2000) ELSE '' END ELSE t0lt0."note" END) COLLATE pg_catalog."default")) AS c0 FROM ((SELECT m."visit_id", m."patient_id", m."region", m."visited_at", m."paid_at", m."day", m."minutes", m."cost", m."score", m."urgent", m."diagnosis", m."note", m."took", m."details", m."tags" FROM "public"."visits" AS m WHERE NOT EXISTS (SELECT FROM many_d309dd02df23f5c9 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"]) OFFSET 0) UNION ALL (SELECT "visit_id", "patient_id", "region", "visited_at", "paid_at", "day", "minutes", "cost", "score", "urgent", "diagnosis", "note", "took", "details", "tags" FROM (SELECT m."visit_id", m."patient_id", m."region", m."visited_at", m."paid_at", m."day", m."minutes", m."cost", m."score", m."urgent", m."diagnosis", m."note", m."took", m."details", m."tags", row_number() OVER (PARTITION BY m."patient_id" ORDER BY m."visit_id") AS place0 FROM "public"."visits" AS m WHERE EXISTS (SELECT FROM many_d309dd02df23f5c9 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"])) AS r WHERE r.place0 <= 2000 OFFSET 0)) AS t0lt0) AS s UNION ALL SELECT s.unit AS unit, (s.c0 COLLATE pg_catalog."default") AS c0 FROM (SELECT t0rt0."patient_id" AS unit, (CASE WHEN octet_length(t0rt0."ward") > 4000 THEN CASE WHEN pg_column_size(t0rt0."ward") <= 1000000 THEN left(t0rt0."ward", 2000) ELSE '' END ELSE t0rt0."ward" END) AS c0 FROM "public"."stays" AS t0rt0) AS s) AS m WHERE EXISTS (SELECT FROM many_a41f10ee964e491c AS h WHERE h.unit = m.unit AND ARRAY[h.unit] = ARRAY[m.unit])) AS r WHERE r.place0 <= 2000 OFFSET 0)) AS t0) AS r GROUP BY 1) AS counted) AS per_unit) AS sized) AS rows) AS numbered) AS r GROUP BY i, b) AS measured

SELECT count(x) FROM (SELECT ward AS x FROM stays UNION ALL SELECT lower(note) FROM visits) AS t;
--> path: single group
--> Differentially private aggregate of public.stays joined with public.visits
-->   Privacy unit: patient, by public.stays.patient_id
-->   Contribution: units are scaled down to a limit that the query chooses from the data for 1/10 of the price, by their rows
-->   Rows that may take long: at most 2000 of a unit in public.visits; further ones take no part
-->   Rows that may take long: at most 2000 of a unit in t; further ones take no part
-->   Group keys: none, one row
-->   Noisy number 1: rows where the value is not NULL; standard deviation 10.5409 times the limit of their rows
-->   count(x): from noisy number 1
-->   95 % of the noise: as wide as the limit that the query chooses makes it; the answer's notice says it
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.stays.patient_id, public.stays.ward, public.visits.cost, public.visits.day, public.visits.details, public.visits.diagnosis, public.visits.minutes, public.visits.note, public.visits.paid_at, public.visits.patient_id, public.visits.region, public.visits.score, public.visits.tags, public.visits.took, public.visits.urgent, public.visits.visit_id, public.visits.visited_at
--> rests on: public.visits (visit_id)
--> cut: public.visits to 2000 rows: SELECT m."patient_id" AS unit FROM "public"."visits" AS m WHERE m."patient_id" IS NOT NULL GROUP BY 1 HAVING count(*) > 2000
--> cut: t to 2000 rows: SELECT m.unit AS unit FROM (SELECT s.unit AS unit, (s.c0 COLLATE pg_catalog."default") AS c0 FROM (SELECT t0lt0."patient_id" AS unit, (CASE WHEN octet_length(t0lt0."ward") > 4000 THEN CASE WHEN pg_column_size(t0lt0."ward") <= 1000000 THEN left(t0lt0."ward", 2000) ELSE '' END ELSE t0lt0."ward" END) AS c0 FROM "public"."stays" AS t0lt0) AS s UNION ALL SELECT s.unit AS unit, (s.c0 COLLATE pg_catalog."default") AS c0 FROM (SELECT t0rt0."patient_id" AS unit, lower(((CASE WHEN octet_length(t0rt0."note") > 4000 THEN CASE WHEN pg_column_size(t0rt0."note") <= 1000000 THEN left(t0rt0."note", 2000) ELSE '' END ELSE t0rt0."note" END) COLLATE pg_catalog."default")) AS c0 FROM ((SELECT m."visit_id", m."patient_id", m."region", m."visited_at", m."paid_at", m."day", m."minutes", m."cost", m."score", m."urgent", m."diagnosis", m."note", m."took", m."details", m."tags" FROM "public"."visits" AS m WHERE NOT EXISTS (SELECT FROM many_d309dd02df23f5c9 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"]) OFFSET 0) UNION ALL (SELECT "visit_id", "patient_id", "region", "visited_at", "paid_at", "day", "minutes", "cost", "score", "urgent", "diagnosis", "note", "took", "details", "tags" FROM (SELECT m."visit_id", m."patient_id", m."region", m."visited_at", m."paid_at", m."day", m."minutes", m."cost", m."score", m."urgent", m."diagnosis", m."note", m."took", m."details", m."tags", row_number() OVER (PARTITION BY m."patient_id" ORDER BY m."visit_id") AS place0 FROM "public"."visits" AS m WHERE EXISTS (SELECT FROM many_d309dd02df23f5c9 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"])) AS r WHERE r.place0 <= 2000 OFFSET 0)) AS t0rt0) AS s) AS m WHERE m.unit IS NOT NULL GROUP BY 1 HAVING count(*) > 2000
--> work of a row: 189000 ns
--> source: WITH many_d309dd02df23f5c9 AS MATERIALIZED (SELECT m."patient_id" AS unit FROM "public"."visits" AS m WHERE m."patient_id" IS NOT NULL GROUP BY 1 HAVING count(*) > 2000), many_f33584881148f2f7 AS MATERIALIZED (SELECT m.unit AS unit FROM (SELECT s.unit AS unit, (s.c0 COLLATE pg_catalog."default") AS c0 FROM (SELECT t0lt0."patient_id" AS unit, (CASE WHEN octet_length(t0lt0."ward") > 4000 THEN CASE WHEN pg_column_size(t0lt0."ward") <= 1000000 THEN left(t0lt0."ward", 2000) ELSE '' END ELSE t0lt0."ward" END) AS c0 FROM "public"."stays" AS t0lt0) AS s UNION ALL SELECT s.unit AS unit, (s.c0 COLLATE pg_catalog."default") AS c0 FROM (SELECT t0rt0."patient_id" AS unit, lower(((CASE WHEN octet_length(t0rt0."note") > 4000 THEN CASE WHEN pg_column_size(t0rt0."note") <= 1000000 THEN left(t0rt0."note", 2000) ELSE '' END ELSE t0rt0."note" END) COLLATE pg_catalog."default")) AS c0 FROM ((SELECT m."visit_id", m."patient_id", m."region", m."visited_at", m."paid_at", m."day", m."minutes", m."cost", m."score", m."urgent", m."diagnosis", m."note", m."took", m."details", m."tags" FROM "public"."visits" AS m WHERE NOT EXISTS (SELECT FROM many_d309dd02df23f5c9 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"]) OFFSET 0) UNION ALL (SELECT "visit_id", "patient_id", "region", "visited_at", "paid_at", "day", "minutes", "cost", "score", "urgent", "diagnosis", "note", "took", "details", "tags" FROM (SELECT m."visit_id", m."patient_id", m."region", m."visited_at", m."paid_at", m."day", m."minutes", m."cost", m."score", m."urgent", m."diagnosis", m."note", m."took", m."details", m."tags", row_number() OVER (PARTITION BY m."patient_id" ORDER BY m."visit_id") AS place0 FROM "public"."visits" AS m WHERE EXISTS (SELECT FROM many_d309dd02df23f5c9 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"])) AS r WHERE r.place0 <= 2000 OFFSET 0)) AS t0rt0) AS s) AS m WHERE m.unit IS NOT NULL GROUP BY 1 HAVING count(*) > 2000) SELECT * FROM (SELECT i, b, sum(a0) AS a0, sum(z0) AS z0, count(*) FILTER (WHERE place = 1 AND adds) AS units FROM (SELECT *, b0 AS b, true AS adds, v0 AS a0, t0 AS z0 FROM (SELECT *, 0 AS i FROM (SELECT *, width_bucket(q0, '{1.0000000000000002,1.5000000000000002,2.0000000000000004,3.0000000000000004,4.000000000000001,6.000000000000001,8.000000000000002,12.000000000000002,16.000000000000004,24.000000000000004,32.00000000000001,48.00000000000001,64.00000000000001,96.00000000000001,128.00000000000003,192.00000000000003,256.00000000000006,384.00000000000006,512.0000000000001,768.0000000000001,1024.0000000000002,1536.0000000000002,2048.0000000000005,3072.0000000000005,4096.000000000001,6144.000000000001,8192.000000000002,12288.000000000002,16384.000000000004,24576.000000000004,32768.00000000001,49152.00000000001,65536.00000000001,98304.00000000001,131072.00000000003,196608.00000000003,262144.00000000006,393216.00000000006,524288.0000000001,786432.0000000001,1048576.0000000002,1572864.0000000002,2097152.0000000005,3145728.0000000005,4194304.000000001,6291456.000000001,8388608.000000002,12582912.000000002,16777216.000000004}'::double precision[]) AS b0, trunc(v0::double precision / NULLIF(q0, 0) * 3221225424.0)::bigint AS t0 FROM (SELECT *, n::double precision AS q0, 1 AS place FROM (SELECT unit, LEAST(n, 3037000499) AS n, LEAST(s0, 3037000499) AS v0 FROM (SELECT x0 AS unit, count(*) AS n, count(x1) AS s0 FROM (SELECT t0.unit AS x0, t0.c0 AS x1 FROM ((SELECT m.unit, m.c0 FROM (SELECT s.unit AS unit, (s.c0 COLLATE pg_catalog."default") AS c0 FROM (SELECT t0lt0."patient_id" AS unit, (CASE WHEN octet_length(t0lt0."ward") > 4000 THEN CASE WHEN pg_column_size(t0lt0."ward") <= 1000000 THEN left(t0lt0."ward", 2000) ELSE '' END ELSE t0lt0."ward" END) AS c0 FROM "public"."stays" AS t0lt0) AS s UNION ALL SELECT s.unit AS unit, (s.c0 COLLATE pg_catalog."default") AS c0 FROM (SELECT t0rt0."patient_id" AS unit, lower(((CASE WHEN octet_length(t0rt0."note") > 4000 THEN CASE WHEN pg_column_size(t0rt0."note") <= 1000000 THEN left(t0rt0."note", 2000) ELSE '' END ELSE t0rt0."note" END) COLLATE pg_catalog."default")) AS c0 FROM ((SELECT m."visit_id", m."patient_id", m."region", m."visited_at", m."paid_at", m."day", m."minutes", m."cost", m."score", m."urgent", m."diagnosis", m."note", m."took", m."details", m."tags" FROM "public"."visits" AS m WHERE NOT EXISTS (SELECT FROM many_d309dd02df23f5c9 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"]) OFFSET 0) UNION ALL (SELECT "visit_id", "patient_id", "region", "visited_at", "paid_at", "day", "minutes", "cost", "score", "urgent", "diagnosis", "note", "took", "details", "tags" FROM (SELECT m."visit_id", m."patient_id", m."region", m."visited_at", m."paid_at", m."day", m."minutes", m."cost", m."score", m."urgent", m."diagnosis", m."note", m."took", m."details", m."tags", row_number() OVER (PARTITION BY m."patient_id" ORDER BY m."visit_id") AS place0 FROM "public"."visits" AS m WHERE EXISTS (SELECT FROM many_d309dd02df23f5c9 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"])) AS r WHERE r.place0 <= 2000 OFFSET 0)) AS t0rt0) AS s) AS m WHERE NOT EXISTS (SELECT FROM many_f33584881148f2f7 AS h WHERE h.unit = m.unit AND ARRAY[h.unit] = ARRAY[m.unit]) OFFSET 0) UNION ALL (SELECT unit, c0 FROM (SELECT m.unit, m.c0, row_number() OVER (PARTITION BY m.unit ORDER BY ROW(m.c0) USING *<) AS place0 FROM (SELECT s.unit AS unit, (s.c0 COLLATE pg_catalog."default") AS c0 FROM (SELECT t0lt0."patient_id" AS unit, (CASE WHEN octet_length(t0lt0."ward") > 4000 THEN CASE WHEN pg_column_size(t0lt0."ward") <= 1000000 THEN left(t0lt0."ward", 2000) ELSE '' END ELSE t0lt0."ward" END) AS c0 FROM "public"."stays" AS t0lt0) AS s UNION ALL SELECT s.unit AS unit, (s.c0 COLLATE pg_catalog."default") AS c0 FROM (SELECT t0rt0."patient_id" AS unit, lower(((CASE WHEN octet_length(t0rt0."note") > 4000 THEN CASE WHEN pg_column_size(t0rt0."note") <= 1000000 THEN left(t0rt0."note", 2000) ELSE '' END ELSE t0rt0."note" END) COLLATE pg_catalog."default")) AS c0 FROM ((SELECT m."visit_id", m."patient_id", m."region", m."visited_at", m."paid_at", m."day", m."minutes", m."cost", m."score", m."urgent", m."diagnosis", m."note", m."took", m."details", m."tags" FROM "public"."visits" AS m WHERE NOT EXISTS (SELECT FROM many_d309dd02df23f5c9 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"]) OFFSET 0) UNION ALL (SELECT "visit_id", "patient_id", "region", "visited_at", "paid_at", "day", "minutes", "cost", "score", "urgent", "diagnosis", "note", "took", "details", "tags" FROM (SELECT m."visit_id", m."patient_id", m."region", m."visited_at", m."paid_at", m."day", m."minutes", m."cost", m."score", m."urgent", m."diagnosis", m."note", m."took", m."details", m."tags", row_number() OVER (PARTITION BY m."patient_id" ORDER BY m."visit_id") AS place0 FROM "public"."visits" AS m WHERE EXISTS (SELECT FROM many_d309dd02df23f5c9 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"])) AS r WHERE r.place0 <= 2000 OFFSET 0)) AS t0rt0) AS s) AS m WHERE EXISTS (SELECT FROM many_f33584881148f2f7 AS h WHERE h.unit = m.unit AND ARRAY[h.unit] = ARRAY[m.unit])) AS r WHERE r.place0 <= 2000 OFFSET 0)) AS t0) AS r GROUP BY 1) AS counted) AS per_unit) AS sized) AS rows) AS numbered) AS r GROUP BY i, b) AS measured

SELECT count(*) FROM patients p JOIN stays s ON s.patient_id = p.patient_id FULL JOIN visits v ON v.patient_id = p.patient_id;
--> refused 0A000 join-kind: this FULL JOIN is not supported here

SELECT count(*) FROM patients p NATURAL JOIN (visits v JOIN regions r ON true);
--> refused 0A000 join-kind: USING or NATURAL with a join in parentheses is not supported here

SELECT v.region, count(*) FROM visits v GROUP BY region;
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
--> work of a row: 28000 ns
--> source: WITH heavy AS MATERIALIZED (SELECT unit FROM (SELECT t0."patient_id" AS unit FROM "public"."visits" AS t0 ORDER BY 1) AS r GROUP BY unit HAVING count(*) > 22) SELECT k0, sum(v0) AS v0 FROM (SELECT x0 AS k0, count(*)::numeric * 1024 AS v0 FROM (SELECT (((CASE WHEN octet_length(t0."region") > 4000 THEN CASE WHEN pg_column_size(t0."region") <= 1000000 THEN left(t0."region", 2000) ELSE '' END ELSE t0."region" END))::text COLLATE "C") AS x0 FROM "public"."visits" AS t0 WHERE NOT EXISTS (SELECT FROM heavy AS h WHERE h.unit = t0."patient_id")) AS r GROUP BY 1 UNION ALL SELECT k0, sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, sum(n * n) OVER w AS q FROM (SELECT unit, k0, LEAST(n, 3037000499) AS n, LEAST(n, 3037000499) AS v0 FROM (SELECT x0 AS unit, x1 AS k0, count(*) AS n FROM (SELECT t0."patient_id" AS x0, (((CASE WHEN octet_length(t0."region") > 4000 THEN CASE WHEN pg_column_size(t0."region") <= 1000000 THEN left(t0."region", 2000) ELSE '' END ELSE t0."region" END))::text COLLATE "C") AS x1 FROM "public"."visits" AS t0 WHERE EXISTS (SELECT FROM heavy AS h WHERE h.unit = t0."patient_id")) AS r GROUP BY 1, 2) AS counted) AS per_unit WINDOW w AS (PARTITION BY unit)) AS sized) AS scaled GROUP BY 1) AS parts GROUP BY 1

SELECT v.minutes AS region, count(*) FROM visits v GROUP BY v.region;
--> path: general
--> declared keys: SELECT DISTINCT d0.c0 AS k0 FROM (SELECT DISTINCT "name"::text AS c0 FROM "public"."regions" WHERE "name" IS NOT NULL UNION ALL SELECT NULL) AS d0 LIMIT 100001
--> Differentially private aggregate of public.visits
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows per group, squared and summed <= 500)
-->   Group keys: v.region: declared (public.regions.name); every key is answered, empty ones as noise around 0
-->   Noisy number 1: rows; standard deviation 223.607, 95 % of the noise within ±438.262
-->   count(*): from noisy number 1
-->   95 % of the noise: count(*) within ±438 rows
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.visits.patient_id, public.visits.region
--> rests on: public.visits (visit_id)
--> work of a row: 28000 ns
--> source: WITH heavy AS MATERIALIZED (SELECT unit FROM (SELECT t0."patient_id" AS unit FROM "public"."visits" AS t0 ORDER BY 1) AS r GROUP BY unit HAVING count(*) > 22) SELECT k0, sum(v0) AS v0 FROM (SELECT x0 AS k0, count(*)::numeric * 1024 AS v0 FROM (SELECT (((CASE WHEN octet_length(t0."region") > 4000 THEN CASE WHEN pg_column_size(t0."region") <= 1000000 THEN left(t0."region", 2000) ELSE '' END ELSE t0."region" END))::text COLLATE "C") AS x0 FROM "public"."visits" AS t0 WHERE NOT EXISTS (SELECT FROM heavy AS h WHERE h.unit = t0."patient_id")) AS r GROUP BY 1 UNION ALL SELECT k0, sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, sum(n * n) OVER w AS q FROM (SELECT unit, k0, LEAST(n, 3037000499) AS n, LEAST(n, 3037000499) AS v0 FROM (SELECT x0 AS unit, x1 AS k0, count(*) AS n FROM (SELECT t0."patient_id" AS x0, (((CASE WHEN octet_length(t0."region") > 4000 THEN CASE WHEN pg_column_size(t0."region") <= 1000000 THEN left(t0."region", 2000) ELSE '' END ELSE t0."region" END))::text COLLATE "C") AS x1 FROM "public"."visits" AS t0 WHERE EXISTS (SELECT FROM heavy AS h WHERE h.unit = t0."patient_id")) AS r GROUP BY 1, 2) AS counted) AS per_unit WINDOW w AS (PARTITION BY unit)) AS sized) AS scaled GROUP BY 1) AS parts GROUP BY 1

SELECT v.minutes AS region, count(*) FROM visits v GROUP BY region;
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
--> work of a row: 28000 ns
--> source: WITH heavy AS MATERIALIZED (SELECT unit FROM (SELECT t0."patient_id" AS unit FROM "public"."visits" AS t0 ORDER BY 1) AS r GROUP BY unit HAVING count(*) > 22) SELECT k0, sum(v0) AS v0 FROM (SELECT x0 AS k0, count(*)::numeric * 1024 AS v0 FROM (SELECT (((CASE WHEN octet_length(t0."region") > 4000 THEN CASE WHEN pg_column_size(t0."region") <= 1000000 THEN left(t0."region", 2000) ELSE '' END ELSE t0."region" END))::text COLLATE "C") AS x0 FROM "public"."visits" AS t0 WHERE NOT EXISTS (SELECT FROM heavy AS h WHERE h.unit = t0."patient_id")) AS r GROUP BY 1 UNION ALL SELECT k0, sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, sum(n * n) OVER w AS q FROM (SELECT unit, k0, LEAST(n, 3037000499) AS n, LEAST(n, 3037000499) AS v0 FROM (SELECT x0 AS unit, x1 AS k0, count(*) AS n FROM (SELECT t0."patient_id" AS x0, (((CASE WHEN octet_length(t0."region") > 4000 THEN CASE WHEN pg_column_size(t0."region") <= 1000000 THEN left(t0."region", 2000) ELSE '' END ELSE t0."region" END))::text COLLATE "C") AS x1 FROM "public"."visits" AS t0 WHERE EXISTS (SELECT FROM heavy AS h WHERE h.unit = t0."patient_id")) AS r GROUP BY 1, 2) AS counted) AS per_unit WINDOW w AS (PARTITION BY unit)) AS sized) AS scaled GROUP BY 1) AS parts GROUP BY 1

SELECT count(*) FROM visits v, regions p WHERE v.urgent OR EXISTS (SELECT FROM prices q WHERE q.since = v.day);
--> path: single group
--> Differentially private aggregate of public.visits joined with public.regions, public.prices
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows per group, squared and summed <= 500)
-->   Rows that meet others: at most 200 of a unit in public.visits; further ones take no part
-->   Repeated rows: each row counts up to 5 times, as FROM repeats it, and max_rows = 50 limits them all
-->   Group keys: none, one row
-->   Noisy number 1: rows; standard deviation 223.607, 95 % of the noise within ±438.262
-->   count(*): from noisy number 1
-->   95 % of the noise: count(*) within ±438 rows
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.prices.since, public.visits.cost, public.visits.day, public.visits.details, public.visits.diagnosis, public.visits.minutes, public.visits.note, public.visits.paid_at, public.visits.patient_id, public.visits.region, public.visits.score, public.visits.tags, public.visits.took, public.visits.urgent, public.visits.visit_id, public.visits.visited_at
--> rests on: public.prices (code)
--> cut: public.visits to 200 rows: SELECT m."patient_id" AS unit FROM "public"."visits" AS m WHERE m."patient_id" IS NOT NULL GROUP BY 1 HAVING count(*) > 200
--> work of a row: 726 ns
--> source: WITH many_e8fe7e938aead538 AS MATERIALIZED (SELECT m."patient_id" AS unit FROM "public"."visits" AS m WHERE m."patient_id" IS NOT NULL GROUP BY 1 HAVING count(*) > 200) SELECT * FROM (SELECT sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, n * n AS q FROM (SELECT unit, LEAST(n, 3037000499) AS n, LEAST(n, 3037000499) AS v0 FROM (SELECT x0 AS unit, count(*) AS n FROM (SELECT t0."patient_id" AS x0 FROM ((SELECT m."visit_id", m."patient_id", m."region", m."visited_at", m."paid_at", m."day", m."minutes", m."cost", m."score", m."urgent", m."diagnosis", m."note", m."took", m."details", m."tags" FROM "public"."visits" AS m WHERE NOT EXISTS (SELECT FROM many_e8fe7e938aead538 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"])) UNION ALL (SELECT "visit_id", "patient_id", "region", "visited_at", "paid_at", "day", "minutes", "cost", "score", "urgent", "diagnosis", "note", "took", "details", "tags" FROM (SELECT m."visit_id", m."patient_id", m."region", m."visited_at", m."paid_at", m."day", m."minutes", m."cost", m."score", m."urgent", m."diagnosis", m."note", m."took", m."details", m."tags", row_number() OVER (PARTITION BY m."patient_id" ORDER BY m."visit_id") AS place0 FROM "public"."visits" AS m WHERE EXISTS (SELECT FROM many_e8fe7e938aead538 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"])) AS r WHERE r.place0 <= 200)) AS t0 CROSS JOIN "public"."regions" AS t1 WHERE (EXISTS (SELECT FROM "public"."prices" AS s0t0 WHERE (s0t0."since" = t0."day")) OR t0."urgent") ORDER BY 1) AS r GROUP BY 1) AS counted) AS per_unit) AS sized) AS scaled) AS measured

SELECT count(*) FROM visits v, regions p WHERE EXISTS (SELECT FROM prices q WHERE q.amount > 3);
--> path: single group
--> Differentially private aggregate of public.visits joined with public.regions, public.prices
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows per group, squared and summed <= 500)
-->   Rows that meet others: at most 200 of a unit in public.visits; further ones take no part
-->   Repeated rows: each row counts up to 5 times, as FROM repeats it, and max_rows = 50 limits them all
-->   Group keys: none, one row
-->   Noisy number 1: rows; standard deviation 223.607, 95 % of the noise within ±438.262
-->   count(*): from noisy number 1
-->   95 % of the noise: count(*) within ±438 rows
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.prices.amount, public.visits.cost, public.visits.day, public.visits.details, public.visits.diagnosis, public.visits.minutes, public.visits.note, public.visits.paid_at, public.visits.patient_id, public.visits.region, public.visits.score, public.visits.tags, public.visits.took, public.visits.urgent, public.visits.visit_id, public.visits.visited_at
--> rests on: public.prices (code)
--> cut: public.visits to 200 rows: SELECT m."patient_id" AS unit FROM "public"."visits" AS m WHERE m."patient_id" IS NOT NULL GROUP BY 1 HAVING count(*) > 200
--> work of a row: 705 ns
--> source: WITH many_e8fe7e938aead538 AS MATERIALIZED (SELECT m."patient_id" AS unit FROM "public"."visits" AS m WHERE m."patient_id" IS NOT NULL GROUP BY 1 HAVING count(*) > 200) SELECT * FROM (SELECT sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, n * n AS q FROM (SELECT unit, LEAST(n, 3037000499) AS n, LEAST(n, 3037000499) AS v0 FROM (SELECT x0 AS unit, count(*) AS n FROM (SELECT t0."patient_id" AS x0 FROM ((SELECT m."visit_id", m."patient_id", m."region", m."visited_at", m."paid_at", m."day", m."minutes", m."cost", m."score", m."urgent", m."diagnosis", m."note", m."took", m."details", m."tags" FROM "public"."visits" AS m WHERE NOT EXISTS (SELECT FROM many_e8fe7e938aead538 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"])) UNION ALL (SELECT "visit_id", "patient_id", "region", "visited_at", "paid_at", "day", "minutes", "cost", "score", "urgent", "diagnosis", "note", "took", "details", "tags" FROM (SELECT m."visit_id", m."patient_id", m."region", m."visited_at", m."paid_at", m."day", m."minutes", m."cost", m."score", m."urgent", m."diagnosis", m."note", m."took", m."details", m."tags", row_number() OVER (PARTITION BY m."patient_id" ORDER BY m."visit_id") AS place0 FROM "public"."visits" AS m WHERE EXISTS (SELECT FROM many_e8fe7e938aead538 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"])) AS r WHERE r.place0 <= 200)) AS t0 CROSS JOIN "public"."regions" AS t1 WHERE EXISTS (SELECT FROM "public"."prices" AS s0t0 WHERE (s0t0."amount" > 3)) ORDER BY 1) AS r GROUP BY 1) AS counted) AS per_unit) AS sized) AS scaled) AS measured

SELECT count(*) FROM visits v, regions p WHERE EXISTS (SELECT FROM prices q WHERE q.since = v.day AND q.amount > v.cost);
--> path: single group
--> Differentially private aggregate of public.visits joined with public.regions, public.prices
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows per group, squared and summed <= 500)
-->   Rows that meet others: at most 200 of a unit in public.visits; further ones take no part
-->   Repeated rows: each row counts up to 5 times, as FROM repeats it, and max_rows = 50 limits them all
-->   Group keys: none, one row
-->   Noisy number 1: rows; standard deviation 223.607, 95 % of the noise within ±438.262
-->   count(*): from noisy number 1
-->   95 % of the noise: count(*) within ±438 rows
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.prices.amount, public.prices.since, public.visits.cost, public.visits.day, public.visits.details, public.visits.diagnosis, public.visits.minutes, public.visits.note, public.visits.paid_at, public.visits.patient_id, public.visits.region, public.visits.score, public.visits.tags, public.visits.took, public.visits.urgent, public.visits.visit_id, public.visits.visited_at
--> rests on: public.prices (code)
--> cut: public.visits to 200 rows: SELECT m."patient_id" AS unit FROM "public"."visits" AS m WHERE m."patient_id" IS NOT NULL GROUP BY 1 HAVING count(*) > 200
--> work of a row: 961 ns
--> source: WITH many_e8fe7e938aead538 AS MATERIALIZED (SELECT m."patient_id" AS unit FROM "public"."visits" AS m WHERE m."patient_id" IS NOT NULL GROUP BY 1 HAVING count(*) > 200) SELECT * FROM (SELECT sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, n * n AS q FROM (SELECT unit, LEAST(n, 3037000499) AS n, LEAST(n, 3037000499) AS v0 FROM (SELECT x0 AS unit, count(*) AS n FROM (SELECT t0."patient_id" AS x0 FROM ((SELECT m."visit_id", m."patient_id", m."region", m."visited_at", m."paid_at", m."day", m."minutes", m."cost", m."score", m."urgent", m."diagnosis", m."note", m."took", m."details", m."tags" FROM "public"."visits" AS m WHERE NOT EXISTS (SELECT FROM many_e8fe7e938aead538 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"])) UNION ALL (SELECT "visit_id", "patient_id", "region", "visited_at", "paid_at", "day", "minutes", "cost", "score", "urgent", "diagnosis", "note", "took", "details", "tags" FROM (SELECT m."visit_id", m."patient_id", m."region", m."visited_at", m."paid_at", m."day", m."minutes", m."cost", m."score", m."urgent", m."diagnosis", m."note", m."took", m."details", m."tags", row_number() OVER (PARTITION BY m."patient_id" ORDER BY m."visit_id") AS place0 FROM "public"."visits" AS m WHERE EXISTS (SELECT FROM many_e8fe7e938aead538 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"])) AS r WHERE r.place0 <= 200)) AS t0 CROSS JOIN "public"."regions" AS t1 WHERE EXISTS (SELECT FROM "public"."prices" AS s0t0 WHERE ((s0t0."since" = t0."day") AND (t0."cost" < s0t0."amount"))) ORDER BY 1) AS r GROUP BY 1) AS counted) AS per_unit) AS sized) AS scaled) AS measured

SELECT count(*) FROM visits v, regions p WHERE v.day NOT IN (SELECT q.since FROM prices q WHERE q.amount = v.cost);
--> path: single group
--> Differentially private aggregate of public.visits joined with public.regions, public.prices
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows per group, squared and summed <= 500)
-->   Rows that meet others: at most 200 of a unit in public.visits; further ones take no part
-->   Repeated rows: each row counts up to 5 times, as FROM repeats it, and max_rows = 50 limits them all
-->   Group keys: none, one row
-->   Noisy number 1: rows; standard deviation 223.607, 95 % of the noise within ±438.262
-->   count(*): from noisy number 1
-->   95 % of the noise: count(*) within ±438 rows
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.prices.amount, public.prices.since, public.visits.cost, public.visits.day, public.visits.details, public.visits.diagnosis, public.visits.minutes, public.visits.note, public.visits.paid_at, public.visits.patient_id, public.visits.region, public.visits.score, public.visits.tags, public.visits.took, public.visits.urgent, public.visits.visit_id, public.visits.visited_at
--> rests on: public.prices (code)
--> cut: public.visits to 200 rows: SELECT m."patient_id" AS unit FROM "public"."visits" AS m WHERE m."patient_id" IS NOT NULL GROUP BY 1 HAVING count(*) > 200
--> work of a row: 765 ns
--> source: WITH many_e8fe7e938aead538 AS MATERIALIZED (SELECT m."patient_id" AS unit FROM "public"."visits" AS m WHERE m."patient_id" IS NOT NULL GROUP BY 1 HAVING count(*) > 200) SELECT * FROM (SELECT sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, n * n AS q FROM (SELECT unit, LEAST(n, 3037000499) AS n, LEAST(n, 3037000499) AS v0 FROM (SELECT x0 AS unit, count(*) AS n FROM (SELECT t0."patient_id" AS x0 FROM ((SELECT m."visit_id", m."patient_id", m."region", m."visited_at", m."paid_at", m."day", m."minutes", m."cost", m."score", m."urgent", m."diagnosis", m."note", m."took", m."details", m."tags" FROM "public"."visits" AS m WHERE NOT EXISTS (SELECT FROM many_e8fe7e938aead538 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"])) UNION ALL (SELECT "visit_id", "patient_id", "region", "visited_at", "paid_at", "day", "minutes", "cost", "score", "urgent", "diagnosis", "note", "took", "details", "tags" FROM (SELECT m."visit_id", m."patient_id", m."region", m."visited_at", m."paid_at", m."day", m."minutes", m."cost", m."score", m."urgent", m."diagnosis", m."note", m."took", m."details", m."tags", row_number() OVER (PARTITION BY m."patient_id" ORDER BY m."visit_id") AS place0 FROM "public"."visits" AS m WHERE EXISTS (SELECT FROM many_e8fe7e938aead538 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"])) AS r WHERE r.place0 <= 200)) AS t0 CROSS JOIN "public"."regions" AS t1 WHERE (NOT (t0."day" IN (SELECT s0t0."since" FROM "public"."prices" AS s0t0 WHERE (s0t0."amount" = t0."cost")))) ORDER BY 1) AS r GROUP BY 1) AS counted) AS per_unit) AS sized) AS scaled) AS measured

SELECT count(*) FROM visits v, regions p WHERE v.day IN (SELECT q.since FROM prices q WHERE q.amount = v.cost);
--> path: single group
--> Differentially private aggregate of public.visits joined with public.regions, public.prices
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows per group, squared and summed <= 500)
-->   Repeated rows: each row counts up to 5 times, as FROM repeats it, and max_rows = 50 limits them all
-->   Group keys: none, one row
-->   Noisy number 1: rows; standard deviation 223.607, 95 % of the noise within ±438.262
-->   count(*): from noisy number 1
-->   95 % of the noise: count(*) within ±438 rows
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.prices.amount, public.prices.since, public.visits.cost, public.visits.day, public.visits.patient_id
--> rests on: public.prices (code)
--> work of a row: 745 ns
--> source: SELECT sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, n * n AS q FROM (SELECT unit, LEAST(n, 3037000499) AS n, LEAST(n, 3037000499) AS v0 FROM (SELECT x0 AS unit, count(*) AS n FROM (SELECT t0."patient_id" AS x0 FROM "public"."visits" AS t0 CROSS JOIN "public"."regions" AS t1 WHERE EXISTS (SELECT FROM "public"."prices" AS s0t0 WHERE (s0t0."amount" = t0."cost") AND s0t0."since" = t0."day") ORDER BY 1) AS r GROUP BY 1) AS counted) AS per_unit) AS sized) AS scaled

SELECT count(*) FROM visits v, regions r WHERE regexp_replace(note, 'a+', 'b') = 'b' OR regexp_replace(note, 'b+', 'c') = 'c' OR regexp_replace(note, 'c+', 'd') = 'd' OR regexp_replace(note, 'd+', 'e') = 'e';
--> refused 0A000 row-work: this query could take too long for one row

SELECT count(*) FROM visits v, prices p, prices q WHERE v.cost > p.amount;
--> path: single group
--> Differentially private aggregate of public.visits joined with public.prices
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows per group, squared and summed <= 500)
-->   Rows that meet others: at most 200 of a unit in public.visits; further ones take no part
-->   Repeated rows: each row counts up to 10000 times, as FROM repeats it, and max_rows = 50 limits them all
-->   Group keys: none, one row
-->   Noisy number 1: rows; standard deviation 223.607, 95 % of the noise within ±438.262
-->   count(*): from noisy number 1
-->   95 % of the noise: count(*) within ±438 rows
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.prices.amount, public.visits.cost, public.visits.day, public.visits.details, public.visits.diagnosis, public.visits.minutes, public.visits.note, public.visits.paid_at, public.visits.patient_id, public.visits.region, public.visits.score, public.visits.tags, public.visits.took, public.visits.urgent, public.visits.visit_id, public.visits.visited_at
--> cut: public.visits to 200 rows: SELECT m."patient_id" AS unit FROM "public"."visits" AS m WHERE m."patient_id" IS NOT NULL GROUP BY 1 HAVING count(*) > 200
--> work of a row: 265 ns
--> source: WITH many_e8fe7e938aead538 AS MATERIALIZED (SELECT m."patient_id" AS unit FROM "public"."visits" AS m WHERE m."patient_id" IS NOT NULL GROUP BY 1 HAVING count(*) > 200) SELECT * FROM (SELECT sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, n * n AS q FROM (SELECT unit, LEAST(n, 3037000499) AS n, LEAST(n, 3037000499) AS v0 FROM (SELECT x0 AS unit, count(*) AS n FROM (SELECT t0."patient_id" AS x0 FROM ((SELECT m."visit_id", m."patient_id", m."region", m."visited_at", m."paid_at", m."day", m."minutes", m."cost", m."score", m."urgent", m."diagnosis", m."note", m."took", m."details", m."tags" FROM "public"."visits" AS m WHERE NOT EXISTS (SELECT FROM many_e8fe7e938aead538 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"]) OFFSET 0) UNION ALL (SELECT "visit_id", "patient_id", "region", "visited_at", "paid_at", "day", "minutes", "cost", "score", "urgent", "diagnosis", "note", "took", "details", "tags" FROM (SELECT m."visit_id", m."patient_id", m."region", m."visited_at", m."paid_at", m."day", m."minutes", m."cost", m."score", m."urgent", m."diagnosis", m."note", m."took", m."details", m."tags", row_number() OVER (PARTITION BY m."patient_id" ORDER BY m."visit_id") AS place0 FROM "public"."visits" AS m WHERE EXISTS (SELECT FROM many_e8fe7e938aead538 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"])) AS r WHERE r.place0 <= 200 OFFSET 0)) AS t0 CROSS JOIN "public"."prices" AS t1 CROSS JOIN "public"."prices" AS t2 WHERE (t1."amount" < t0."cost") ORDER BY 1) AS r GROUP BY 1) AS counted) AS per_unit) AS sized) AS scaled) AS measured

SELECT count(*) FROM visits v, prices p, prices q;
--> path: single group
--> Differentially private aggregate of public.visits joined with public.prices
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows per group, squared and summed <= 500)
-->   Rows that meet others: at most 200 of a unit in public.visits; further ones take no part
-->   Repeated rows: each row counts up to 10000 times, as FROM repeats it, and max_rows = 50 limits them all
-->   Group keys: none, one row
-->   Noisy number 1: rows; standard deviation 223.607, 95 % of the noise within ±438.262
-->   count(*): from noisy number 1
-->   95 % of the noise: count(*) within ±438 rows
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.visits.cost, public.visits.day, public.visits.details, public.visits.diagnosis, public.visits.minutes, public.visits.note, public.visits.paid_at, public.visits.patient_id, public.visits.region, public.visits.score, public.visits.tags, public.visits.took, public.visits.urgent, public.visits.visit_id, public.visits.visited_at
--> cut: public.visits to 200 rows: SELECT m."patient_id" AS unit FROM "public"."visits" AS m WHERE m."patient_id" IS NOT NULL GROUP BY 1 HAVING count(*) > 200
--> work of a row: 0 ns
--> source: WITH many_e8fe7e938aead538 AS MATERIALIZED (SELECT m."patient_id" AS unit FROM "public"."visits" AS m WHERE m."patient_id" IS NOT NULL GROUP BY 1 HAVING count(*) > 200) SELECT * FROM (SELECT sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, n * n AS q FROM (SELECT unit, LEAST(n, 3037000499) AS n, LEAST(n, 3037000499) AS v0 FROM (SELECT x0 AS unit, count(*) AS n FROM (SELECT t0."patient_id" AS x0 FROM ((SELECT m."visit_id", m."patient_id", m."region", m."visited_at", m."paid_at", m."day", m."minutes", m."cost", m."score", m."urgent", m."diagnosis", m."note", m."took", m."details", m."tags" FROM "public"."visits" AS m WHERE NOT EXISTS (SELECT FROM many_e8fe7e938aead538 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"]) OFFSET 0) UNION ALL (SELECT "visit_id", "patient_id", "region", "visited_at", "paid_at", "day", "minutes", "cost", "score", "urgent", "diagnosis", "note", "took", "details", "tags" FROM (SELECT m."visit_id", m."patient_id", m."region", m."visited_at", m."paid_at", m."day", m."minutes", m."cost", m."score", m."urgent", m."diagnosis", m."note", m."took", m."details", m."tags", row_number() OVER (PARTITION BY m."patient_id" ORDER BY m."visit_id") AS place0 FROM "public"."visits" AS m WHERE EXISTS (SELECT FROM many_e8fe7e938aead538 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"])) AS r WHERE r.place0 <= 200 OFFSET 0)) AS t0 CROSS JOIN "public"."prices" AS t1 CROSS JOIN "public"."prices" AS t2 ORDER BY 1) AS r GROUP BY 1) AS counted) AS per_unit) AS sized) AS scaled) AS measured

SELECT count(*) FROM visits v, (SELECT p.code FROM prices p) AS a, (SELECT code FROM prices) AS b;
--> refused 0A000 row-work: this query could take too long for one row

SELECT count(*) FROM (SELECT patient_id, region FROM visits UNION ALL SELECT patient_id, zone FROM stays, regions) AS t;
--> path: single group
--> Differentially private aggregate of public.visits joined with public.stays, public.regions
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: units are scaled down to a limit that the query chooses from the data for 1/10 of the price, by their rows
-->   Rows that may take long: at most 2000 of a unit in public.stays; further ones take no part
-->   Rows that may take long: at most 2000 of a unit in t; further ones take no part
-->   Group keys: none, one row
-->   Noisy number 1: rows; standard deviation 10.5409 times the limit of their rows
-->   count(*): from noisy number 1
-->   95 % of the noise: as wide as the limit that the query chooses makes it; the answer's notice says it
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.regions.zone, public.stays.nights, public.stays.patient_id, public.stays.ward, public.visits.patient_id, public.visits.region
--> rests on: public.visits (visit_id)
--> cut: public.stays to 2000 rows: SELECT m."patient_id" AS unit FROM "public"."stays" AS m WHERE m."patient_id" IS NOT NULL GROUP BY 1 HAVING count(*) > 2000
--> cut: t to 2000 rows: SELECT m.unit AS unit FROM (SELECT s.unit AS unit, s.c0 AS c0, (s.c1 COLLATE pg_catalog."default") AS c1 FROM (SELECT t0lt0."patient_id" AS unit, t0lt0."patient_id" AS c0, (CASE WHEN octet_length(t0lt0."region") > 4000 THEN CASE WHEN pg_column_size(t0lt0."region") <= 1000000 THEN left(t0lt0."region", 2000) ELSE '' END ELSE t0lt0."region" END) AS c1 FROM "public"."visits" AS t0lt0) AS s UNION ALL SELECT s.unit AS unit, s.c0 AS c0, (s.c1 COLLATE pg_catalog."default") AS c1 FROM (SELECT t0rt0."patient_id" AS unit, t0rt0."patient_id" AS c0, (CASE WHEN octet_length(t0rt1."zone") > 4000 THEN CASE WHEN pg_column_size(t0rt1."zone") <= 1000000 THEN left(t0rt1."zone", 2000) ELSE '' END ELSE t0rt1."zone" END) AS c1 FROM ((SELECT m."patient_id", m."ward", m."nights" FROM "public"."stays" AS m WHERE NOT EXISTS (SELECT FROM many_c8d97263c30fad27 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"]) OFFSET 0) UNION ALL (SELECT "patient_id", "ward", "nights" FROM (SELECT m."patient_id", m."ward", m."nights", row_number() OVER (PARTITION BY m."patient_id" ORDER BY ROW(m."patient_id", (CASE WHEN octet_length(m."ward") > 4000 THEN CASE WHEN pg_column_size(m."ward") <= 1000000 THEN left(m."ward", 2000) ELSE '' END ELSE m."ward" END), m."nights") USING *<) AS place0 FROM "public"."stays" AS m WHERE EXISTS (SELECT FROM many_c8d97263c30fad27 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"])) AS r WHERE r.place0 <= 2000 OFFSET 0)) AS t0rt0 CROSS JOIN "public"."regions" AS t0rt1) AS s) AS m WHERE m.unit IS NOT NULL GROUP BY 1 HAVING count(*) > 2000
--> work of a row: 44256 ns
--> source: WITH many_c8d97263c30fad27 AS MATERIALIZED (SELECT m."patient_id" AS unit FROM "public"."stays" AS m WHERE m."patient_id" IS NOT NULL GROUP BY 1 HAVING count(*) > 2000), many_3456871dea4bd559 AS MATERIALIZED (SELECT m.unit AS unit FROM (SELECT s.unit AS unit, s.c0 AS c0, (s.c1 COLLATE pg_catalog."default") AS c1 FROM (SELECT t0lt0."patient_id" AS unit, t0lt0."patient_id" AS c0, (CASE WHEN octet_length(t0lt0."region") > 4000 THEN CASE WHEN pg_column_size(t0lt0."region") <= 1000000 THEN left(t0lt0."region", 2000) ELSE '' END ELSE t0lt0."region" END) AS c1 FROM "public"."visits" AS t0lt0) AS s UNION ALL SELECT s.unit AS unit, s.c0 AS c0, (s.c1 COLLATE pg_catalog."default") AS c1 FROM (SELECT t0rt0."patient_id" AS unit, t0rt0."patient_id" AS c0, (CASE WHEN octet_length(t0rt1."zone") > 4000 THEN CASE WHEN pg_column_size(t0rt1."zone") <= 1000000 THEN left(t0rt1."zone", 2000) ELSE '' END ELSE t0rt1."zone" END) AS c1 FROM ((SELECT m."patient_id", m."ward", m."nights" FROM "public"."stays" AS m WHERE NOT EXISTS (SELECT FROM many_c8d97263c30fad27 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"]) OFFSET 0) UNION ALL (SELECT "patient_id", "ward", "nights" FROM (SELECT m."patient_id", m."ward", m."nights", row_number() OVER (PARTITION BY m."patient_id" ORDER BY ROW(m."patient_id", (CASE WHEN octet_length(m."ward") > 4000 THEN CASE WHEN pg_column_size(m."ward") <= 1000000 THEN left(m."ward", 2000) ELSE '' END ELSE m."ward" END), m."nights") USING *<) AS place0 FROM "public"."stays" AS m WHERE EXISTS (SELECT FROM many_c8d97263c30fad27 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"])) AS r WHERE r.place0 <= 2000 OFFSET 0)) AS t0rt0 CROSS JOIN "public"."regions" AS t0rt1) AS s) AS m WHERE m.unit IS NOT NULL GROUP BY 1 HAVING count(*) > 2000) SELECT * FROM (SELECT i, b, sum(a0) AS a0, sum(z0) AS z0, count(*) FILTER (WHERE place = 1 AND adds) AS units FROM (SELECT *, b0 AS b, true AS adds, v0 AS a0, t0 AS z0 FROM (SELECT *, 0 AS i FROM (SELECT *, width_bucket(q0, '{1.0000000000000002,1.5000000000000002,2.0000000000000004,3.0000000000000004,4.000000000000001,6.000000000000001,8.000000000000002,12.000000000000002,16.000000000000004,24.000000000000004,32.00000000000001,48.00000000000001,64.00000000000001,96.00000000000001,128.00000000000003,192.00000000000003,256.00000000000006,384.00000000000006,512.0000000000001,768.0000000000001,1024.0000000000002,1536.0000000000002,2048.0000000000005,3072.0000000000005,4096.000000000001,6144.000000000001,8192.000000000002,12288.000000000002,16384.000000000004,24576.000000000004,32768.00000000001,49152.00000000001,65536.00000000001,98304.00000000001,131072.00000000003,196608.00000000003,262144.00000000006,393216.00000000006,524288.0000000001,786432.0000000001,1048576.0000000002,1572864.0000000002,2097152.0000000005,3145728.0000000005,4194304.000000001,6291456.000000001,8388608.000000002,12582912.000000002,16777216.000000004}'::double precision[]) AS b0, trunc(v0::double precision / NULLIF(q0, 0) * 3221225424.0)::bigint AS t0 FROM (SELECT *, n::double precision AS q0, 1 AS place FROM (SELECT unit, LEAST(n, 3037000499) AS n, LEAST(n, 3037000499) AS v0 FROM (SELECT x0 AS unit, count(*) AS n FROM (SELECT t0.unit AS x0 FROM ((SELECT m.unit, m.c0 FROM (SELECT s.unit AS unit, s.c0 AS c0, (s.c1 COLLATE pg_catalog."default") AS c1 FROM (SELECT t0lt0."patient_id" AS unit, t0lt0."patient_id" AS c0, (CASE WHEN octet_length(t0lt0."region") > 4000 THEN CASE WHEN pg_column_size(t0lt0."region") <= 1000000 THEN left(t0lt0."region", 2000) ELSE '' END ELSE t0lt0."region" END) AS c1 FROM "public"."visits" AS t0lt0) AS s UNION ALL SELECT s.unit AS unit, s.c0 AS c0, (s.c1 COLLATE pg_catalog."default") AS c1 FROM (SELECT t0rt0."patient_id" AS unit, t0rt0."patient_id" AS c0, (CASE WHEN octet_length(t0rt1."zone") > 4000 THEN CASE WHEN pg_column_size(t0rt1."zone") <= 1000000 THEN left(t0rt1."zone", 2000) ELSE '' END ELSE t0rt1."zone" END) AS c1 FROM ((SELECT m."patient_id", m."ward", m."nights" FROM "public"."stays" AS m WHERE NOT EXISTS (SELECT FROM many_c8d97263c30fad27 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"]) OFFSET 0) UNION ALL (SELECT "patient_id", "ward", "nights" FROM (SELECT m."patient_id", m."ward", m."nights", row_number() OVER (PARTITION BY m."patient_id" ORDER BY ROW(m."patient_id", (CASE WHEN octet_length(m."ward") > 4000 THEN CASE WHEN pg_column_size(m."ward") <= 1000000 THEN left(m."ward", 2000) ELSE '' END ELSE m."ward" END), m."nights") USING *<) AS place0 FROM "public"."stays" AS m WHERE EXISTS (SELECT FROM many_c8d97263c30fad27 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"])) AS r WHERE r.place0 <= 2000 OFFSET 0)) AS t0rt0 CROSS JOIN "public"."regions" AS t0rt1) AS s) AS m WHERE NOT EXISTS (SELECT FROM many_3456871dea4bd559 AS h WHERE h.unit = m.unit AND ARRAY[h.unit] = ARRAY[m.unit]) OFFSET 0) UNION ALL (SELECT unit, c0 FROM (SELECT m.unit, m.c0, row_number() OVER (PARTITION BY m.unit ORDER BY ROW(m.c0) USING *<) AS place0 FROM (SELECT s.unit AS unit, s.c0 AS c0, (s.c1 COLLATE pg_catalog."default") AS c1 FROM (SELECT t0lt0."patient_id" AS unit, t0lt0."patient_id" AS c0, (CASE WHEN octet_length(t0lt0."region") > 4000 THEN CASE WHEN pg_column_size(t0lt0."region") <= 1000000 THEN left(t0lt0."region", 2000) ELSE '' END ELSE t0lt0."region" END) AS c1 FROM "public"."visits" AS t0lt0) AS s UNION ALL SELECT s.unit AS unit, s.c0 AS c0, (s.c1 COLLATE pg_catalog."default") AS c1 FROM (SELECT t0rt0."patient_id" AS unit, t0rt0."patient_id" AS c0, (CASE WHEN octet_length(t0rt1."zone") > 4000 THEN CASE WHEN pg_column_size(t0rt1."zone") <= 1000000 THEN left(t0rt1."zone", 2000) ELSE '' END ELSE t0rt1."zone" END) AS c1 FROM ((SELECT m."patient_id", m."ward", m."nights" FROM "public"."stays" AS m WHERE NOT EXISTS (SELECT FROM many_c8d97263c30fad27 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"]) OFFSET 0) UNION ALL (SELECT "patient_id", "ward", "nights" FROM (SELECT m."patient_id", m."ward", m."nights", row_number() OVER (PARTITION BY m."patient_id" ORDER BY ROW(m."patient_id", (CASE WHEN octet_length(m."ward") > 4000 THEN CASE WHEN pg_column_size(m."ward") <= 1000000 THEN left(m."ward", 2000) ELSE '' END ELSE m."ward" END), m."nights") USING *<) AS place0 FROM "public"."stays" AS m WHERE EXISTS (SELECT FROM many_c8d97263c30fad27 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"])) AS r WHERE r.place0 <= 2000 OFFSET 0)) AS t0rt0 CROSS JOIN "public"."regions" AS t0rt1) AS s) AS m WHERE EXISTS (SELECT FROM many_3456871dea4bd559 AS h WHERE h.unit = m.unit AND ARRAY[h.unit] = ARRAY[m.unit])) AS r WHERE r.place0 <= 2000 OFFSET 0)) AS t0 ORDER BY 1) AS r GROUP BY 1) AS counted) AS per_unit) AS sized) AS rows) AS numbered) AS r GROUP BY i, b) AS measured

SELECT count(*) FROM patients NATURAL JOIN (visits v JOIN stays s USING (patient_id));
--> refused 0A000 join-kind: USING or NATURAL with a join in parentheses is not supported here

SELECT r.name, count(p.code) FROM prices p, (regions r LEFT JOIN visits v ON v.region = r.name) GROUP BY r.name;
--> refused 0A000 join-kind: a second outer join of public rows is not supported here

SELECT count(v.patient_id) FROM visits v RIGHT JOIN patients p USING (patient_id);
--> path: single group
--> Differentially private aggregate of public.visits joined with public.patients
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows per group, squared and summed <= 500)
-->   Group keys: none, one row
-->   Noisy number 1: rows where the value is not NULL; standard deviation 223.607, 95 % of the noise within ±438.262
-->   count(v.patient_id): from noisy number 1
-->   95 % of the noise: count(v.patient_id) within ±438 rows
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.patients.patient_id, public.visits.patient_id
--> rests on: public.patients (patient_id)
--> work of a row: 270 ns
--> source: SELECT sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, n * n AS q FROM (SELECT unit, LEAST(n, 3037000499) AS n, LEAST(s0, 3037000499) AS v0 FROM (SELECT x0 AS unit, count(*) AS n, count(x1) AS s0 FROM (SELECT t1."patient_id" AS x0, t0."patient_id" AS x1 FROM "public"."visits" AS t0 RIGHT JOIN "public"."patients" AS t1 ON t0."patient_id" = t1."patient_id") AS r GROUP BY 1) AS counted) AS per_unit) AS sized) AS scaled

SELECT count(*) FROM stays, prices WHERE ward LIKE '%a%b' AND ward LIKE '%c%b';
--> path: single group
--> Differentially private aggregate of public.stays joined with public.prices
-->   Privacy unit: patient, by public.stays.patient_id
-->   Contribution: units are scaled down to a limit that the query chooses from the data for 1/10 of the price, by their rows
-->   Rows that meet others: at most 200 of a unit in public.stays; further ones take no part
-->   Group keys: none, one row
-->   Noisy number 1: rows; standard deviation 10.5409 times the limit of their rows
-->   count(*): from noisy number 1
-->   95 % of the noise: as wide as the limit that the query chooses makes it; the answer's notice says it
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.stays.nights, public.stays.patient_id, public.stays.ward
--> cut: public.stays to 200 rows: SELECT m."patient_id" AS unit FROM "public"."stays" AS m WHERE m."patient_id" IS NOT NULL GROUP BY 1 HAVING count(*) > 200
--> work of a row: 98020 ns
--> source: WITH many_751cec663dcfd672 AS MATERIALIZED (SELECT m."patient_id" AS unit FROM "public"."stays" AS m WHERE m."patient_id" IS NOT NULL GROUP BY 1 HAVING count(*) > 200) SELECT * FROM (SELECT i, b, sum(a0) AS a0, sum(z0) AS z0, count(*) FILTER (WHERE place = 1 AND adds) AS units FROM (SELECT *, b0 AS b, true AS adds, v0 AS a0, t0 AS z0 FROM (SELECT *, 0 AS i FROM (SELECT *, width_bucket(q0, '{1.0000000000000002,1.5000000000000002,2.0000000000000004,3.0000000000000004,4.000000000000001,6.000000000000001,8.000000000000002,12.000000000000002,16.000000000000004,24.000000000000004,32.00000000000001,48.00000000000001,64.00000000000001,96.00000000000001,128.00000000000003,192.00000000000003,256.00000000000006,384.00000000000006,512.0000000000001,768.0000000000001,1024.0000000000002,1536.0000000000002,2048.0000000000005,3072.0000000000005,4096.000000000001,6144.000000000001,8192.000000000002,12288.000000000002,16384.000000000004,24576.000000000004,32768.00000000001,49152.00000000001,65536.00000000001,98304.00000000001,131072.00000000003,196608.00000000003,262144.00000000006,393216.00000000006,524288.0000000001,786432.0000000001,1048576.0000000002,1572864.0000000002,2097152.0000000005,3145728.0000000005,4194304.000000001,6291456.000000001,8388608.000000002,12582912.000000002,16777216.000000004}'::double precision[]) AS b0, trunc(v0::double precision / NULLIF(q0, 0) * 3221225424.0)::bigint AS t0 FROM (SELECT *, n::double precision AS q0, 1 AS place FROM (SELECT unit, LEAST(n, 3037000499) AS n, LEAST(n, 3037000499) AS v0 FROM (SELECT x0 AS unit, count(*) AS n FROM (SELECT t0."patient_id" AS x0 FROM ((SELECT m."patient_id", m."ward", m."nights" FROM "public"."stays" AS m WHERE NOT EXISTS (SELECT FROM many_751cec663dcfd672 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"]) OFFSET 0) UNION ALL (SELECT "patient_id", "ward", "nights" FROM (SELECT m."patient_id", m."ward", m."nights", row_number() OVER (PARTITION BY m."patient_id" ORDER BY ROW(m."patient_id", (CASE WHEN octet_length(m."ward") > 4000 THEN CASE WHEN pg_column_size(m."ward") <= 1000000 THEN left(m."ward", 2000) ELSE '' END ELSE m."ward" END), m."nights") USING *<) AS place0 FROM "public"."stays" AS m WHERE EXISTS (SELECT FROM many_751cec663dcfd672 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"])) AS r WHERE r.place0 <= 200 OFFSET 0)) AS t0 CROSS JOIN "public"."prices" AS t1 WHERE ((((CASE WHEN octet_length(t0."ward") > 4000 THEN CASE WHEN pg_column_size(t0."ward") <= 1000000 THEN left(t0."ward", 2000) ELSE '' END ELSE t0."ward" END) COLLATE pg_catalog."default") LIKE '%a%b') AND (((CASE WHEN octet_length(t0."ward") > 4000 THEN CASE WHEN pg_column_size(t0."ward") <= 1000000 THEN left(t0."ward", 2000) ELSE '' END ELSE t0."ward" END) COLLATE pg_catalog."default") LIKE '%c%b')) ORDER BY 1) AS r GROUP BY 1) AS counted) AS per_unit) AS sized) AS rows) AS numbered) AS r GROUP BY i, b) AS measured

SELECT count(*) FROM stays, prices WHERE ward LIKE '%a%b' AND ward LIKE '%c%b' AND ward LIKE '%d%b';
--> refused 0A000 row-work: this query could take too long for one row

SELECT count(*) FROM (SELECT lower(ward) AS x FROM stays) AS t, regions AS q WHERE x = 'a';
--> path: single group
--> Differentially private aggregate of public.stays joined with public.regions
-->   Privacy unit: patient, by public.stays.patient_id
-->   Contribution: units are scaled down to a limit that the query chooses from the data for 1/10 of the price, by their rows
-->   Rows that may take long: at most 2000 of a unit in public.stays; further ones take no part
-->   Rows that meet others: at most 256 of a unit in t; further ones take no part
-->   Group keys: none, one row
-->   Noisy number 1: rows; standard deviation 10.5409 times the limit of their rows
-->   count(*): from noisy number 1
-->   95 % of the noise: as wide as the limit that the query chooses makes it; the answer's notice says it
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.stays.nights, public.stays.patient_id, public.stays.ward
--> cut: public.stays to 2000 rows: SELECT m."patient_id" AS unit FROM "public"."stays" AS m WHERE m."patient_id" IS NOT NULL GROUP BY 1 HAVING count(*) > 2000
--> cut: t to 256 rows: SELECT m.unit AS unit FROM (SELECT t0t0."patient_id" AS unit, lower(((CASE WHEN octet_length(t0t0."ward") > 4000 THEN CASE WHEN pg_column_size(t0t0."ward") <= 1000000 THEN left(t0t0."ward", 2000) ELSE '' END ELSE t0t0."ward" END) COLLATE pg_catalog."default")) AS c0 FROM ((SELECT m."patient_id", m."ward", m."nights" FROM "public"."stays" AS m WHERE NOT EXISTS (SELECT FROM many_c8d97263c30fad27 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"]) OFFSET 0) UNION ALL (SELECT "patient_id", "ward", "nights" FROM (SELECT m."patient_id", m."ward", m."nights", row_number() OVER (PARTITION BY m."patient_id" ORDER BY ROW(m."patient_id", (CASE WHEN octet_length(m."ward") > 4000 THEN CASE WHEN pg_column_size(m."ward") <= 1000000 THEN left(m."ward", 2000) ELSE '' END ELSE m."ward" END), m."nights") USING *<) AS place0 FROM "public"."stays" AS m WHERE EXISTS (SELECT FROM many_c8d97263c30fad27 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"])) AS r WHERE r.place0 <= 2000 OFFSET 0)) AS t0t0) AS m WHERE m.unit IS NOT NULL GROUP BY 1 HAVING count(*) > 256
--> work of a row: 282101 ns
--> source: WITH many_c8d97263c30fad27 AS MATERIALIZED (SELECT m."patient_id" AS unit FROM "public"."stays" AS m WHERE m."patient_id" IS NOT NULL GROUP BY 1 HAVING count(*) > 2000), many_025be10c0ed512b3 AS MATERIALIZED (SELECT m.unit AS unit FROM (SELECT t0t0."patient_id" AS unit, lower(((CASE WHEN octet_length(t0t0."ward") > 4000 THEN CASE WHEN pg_column_size(t0t0."ward") <= 1000000 THEN left(t0t0."ward", 2000) ELSE '' END ELSE t0t0."ward" END) COLLATE pg_catalog."default")) AS c0 FROM ((SELECT m."patient_id", m."ward", m."nights" FROM "public"."stays" AS m WHERE NOT EXISTS (SELECT FROM many_c8d97263c30fad27 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"]) OFFSET 0) UNION ALL (SELECT "patient_id", "ward", "nights" FROM (SELECT m."patient_id", m."ward", m."nights", row_number() OVER (PARTITION BY m."patient_id" ORDER BY ROW(m."patient_id", (CASE WHEN octet_length(m."ward") > 4000 THEN CASE WHEN pg_column_size(m."ward") <= 1000000 THEN left(m."ward", 2000) ELSE '' END ELSE m."ward" END), m."nights") USING *<) AS place0 FROM "public"."stays" AS m WHERE EXISTS (SELECT FROM many_c8d97263c30fad27 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"])) AS r WHERE r.place0 <= 2000 OFFSET 0)) AS t0t0) AS m WHERE m.unit IS NOT NULL GROUP BY 1 HAVING count(*) > 256) SELECT * FROM (SELECT i, b, sum(a0) AS a0, sum(z0) AS z0, count(*) FILTER (WHERE place = 1 AND adds) AS units FROM (SELECT *, b0 AS b, true AS adds, v0 AS a0, t0 AS z0 FROM (SELECT *, 0 AS i FROM (SELECT *, width_bucket(q0, '{1.0000000000000002,1.5000000000000002,2.0000000000000004,3.0000000000000004,4.000000000000001,6.000000000000001,8.000000000000002,12.000000000000002,16.000000000000004,24.000000000000004,32.00000000000001,48.00000000000001,64.00000000000001,96.00000000000001,128.00000000000003,192.00000000000003,256.00000000000006,384.00000000000006,512.0000000000001,768.0000000000001,1024.0000000000002,1536.0000000000002,2048.0000000000005,3072.0000000000005,4096.000000000001,6144.000000000001,8192.000000000002,12288.000000000002,16384.000000000004,24576.000000000004,32768.00000000001,49152.00000000001,65536.00000000001,98304.00000000001,131072.00000000003,196608.00000000003,262144.00000000006,393216.00000000006,524288.0000000001,786432.0000000001,1048576.0000000002,1572864.0000000002,2097152.0000000005,3145728.0000000005,4194304.000000001,6291456.000000001,8388608.000000002,12582912.000000002,16777216.000000004}'::double precision[]) AS b0, trunc(v0::double precision / NULLIF(q0, 0) * 3221225424.0)::bigint AS t0 FROM (SELECT *, n::double precision AS q0, 1 AS place FROM (SELECT unit, LEAST(n, 3037000499) AS n, LEAST(n, 3037000499) AS v0 FROM (SELECT x0 AS unit, count(*) AS n FROM (SELECT t0.unit AS x0 FROM ((SELECT m.unit, m.c0 FROM (SELECT t0t0."patient_id" AS unit, lower(((CASE WHEN octet_length(t0t0."ward") > 4000 THEN CASE WHEN pg_column_size(t0t0."ward") <= 1000000 THEN left(t0t0."ward", 2000) ELSE '' END ELSE t0t0."ward" END) COLLATE pg_catalog."default")) AS c0 FROM ((SELECT m."patient_id", m."ward", m."nights" FROM "public"."stays" AS m WHERE NOT EXISTS (SELECT FROM many_c8d97263c30fad27 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"]) OFFSET 0) UNION ALL (SELECT "patient_id", "ward", "nights" FROM (SELECT m."patient_id", m."ward", m."nights", row_number() OVER (PARTITION BY m."patient_id" ORDER BY ROW(m."patient_id", (CASE WHEN octet_length(m."ward") > 4000 THEN CASE WHEN pg_column_size(m."ward") <= 1000000 THEN left(m."ward", 2000) ELSE '' END ELSE m."ward" END), m."nights") USING *<) AS place0 FROM "public"."stays" AS m WHERE EXISTS (SELECT FROM many_c8d97263c30fad27 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"])) AS r WHERE r.place0 <= 2000 OFFSET 0)) AS t0t0) AS m WHERE NOT EXISTS (SELECT FROM many_025be10c0ed512b3 AS h WHERE h.unit = m.unit AND ARRAY[h.unit] = ARRAY[m.unit]) OFFSET 0) UNION ALL (SELECT unit, c0 FROM (SELECT m.unit, m.c0, row_number() OVER (PARTITION BY m.unit ORDER BY ROW(m.c0) USING *<) AS place0 FROM (SELECT t0t0."patient_id" AS unit, lower(((CASE WHEN octet_length(t0t0."ward") > 4000 THEN CASE WHEN pg_column_size(t0t0."ward") <= 1000000 THEN left(t0t0."ward", 2000) ELSE '' END ELSE t0t0."ward" END) COLLATE pg_catalog."default")) AS c0 FROM ((SELECT m."patient_id", m."ward", m."nights" FROM "public"."stays" AS m WHERE NOT EXISTS (SELECT FROM many_c8d97263c30fad27 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"]) OFFSET 0) UNION ALL (SELECT "patient_id", "ward", "nights" FROM (SELECT m."patient_id", m."ward", m."nights", row_number() OVER (PARTITION BY m."patient_id" ORDER BY ROW(m."patient_id", (CASE WHEN octet_length(m."ward") > 4000 THEN CASE WHEN pg_column_size(m."ward") <= 1000000 THEN left(m."ward", 2000) ELSE '' END ELSE m."ward" END), m."nights") USING *<) AS place0 FROM "public"."stays" AS m WHERE EXISTS (SELECT FROM many_c8d97263c30fad27 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"])) AS r WHERE r.place0 <= 2000 OFFSET 0)) AS t0t0) AS m WHERE EXISTS (SELECT FROM many_025be10c0ed512b3 AS h WHERE h.unit = m.unit AND ARRAY[h.unit] = ARRAY[m.unit])) AS r WHERE r.place0 <= 256 OFFSET 0)) AS t0 CROSS JOIN "public"."regions" AS t1 WHERE (t0.c0 = 'a') ORDER BY 1) AS r GROUP BY 1) AS counted) AS per_unit) AS sized) AS rows) AS numbered) AS r GROUP BY i, b) AS measured

SELECT count(*) FROM visits v WHERE v.cost > 3 AND EXISTS (SELECT FROM stays s WHERE s.patient_id = v.patient_id AND s.nights > v.cost AND EXISTS (SELECT FROM regions r WHERE r.people > s.nights));
--> path: single group
--> Differentially private aggregate of public.visits joined with public.stays, public.regions
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: units are scaled down to a limit that the query chooses from the data for 1/10 of the price, by their rows
-->   Rows that meet others: at most 200 of a unit in public.visits; further ones take no part
-->   Rows that meet others: at most 256 of a unit in public.stays; further ones take no part
-->   Group keys: none, one row
-->   Noisy number 1: rows; standard deviation 10.5409 times the limit of their rows
-->   count(*): from noisy number 1
-->   95 % of the noise: as wide as the limit that the query chooses makes it; the answer's notice says it
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.regions.people, public.stays.nights, public.stays.patient_id, public.stays.ward, public.visits.cost, public.visits.day, public.visits.details, public.visits.diagnosis, public.visits.minutes, public.visits.note, public.visits.paid_at, public.visits.patient_id, public.visits.region, public.visits.score, public.visits.tags, public.visits.took, public.visits.urgent, public.visits.visit_id, public.visits.visited_at
--> rests on: public.regions (name)
--> rests on: public.visits (visit_id)
--> cut: public.visits to 200 rows: SELECT m."patient_id" AS unit FROM "public"."visits" AS m WHERE m."patient_id" IS NOT NULL GROUP BY 1 HAVING count(*) > 200
--> cut: public.stays to 256 rows: SELECT m."patient_id" AS unit FROM "public"."stays" AS m WHERE m."patient_id" IS NOT NULL GROUP BY 1 HAVING count(*) > 256
--> work of a row: 1950 ns
--> source: WITH many_e8fe7e938aead538 AS MATERIALIZED (SELECT m."patient_id" AS unit FROM "public"."visits" AS m WHERE m."patient_id" IS NOT NULL GROUP BY 1 HAVING count(*) > 200), many_78d5fbdb4f6a7395 AS MATERIALIZED (SELECT m."patient_id" AS unit FROM "public"."stays" AS m WHERE m."patient_id" IS NOT NULL GROUP BY 1 HAVING count(*) > 256) SELECT * FROM (SELECT i, b, sum(a0) AS a0, sum(z0) AS z0, count(*) FILTER (WHERE place = 1 AND adds) AS units FROM (SELECT *, b0 AS b, true AS adds, v0 AS a0, t0 AS z0 FROM (SELECT *, 0 AS i FROM (SELECT *, width_bucket(q0, '{1.0000000000000002,1.5000000000000002,2.0000000000000004,3.0000000000000004,4.000000000000001,6.000000000000001,8.000000000000002,12.000000000000002,16.000000000000004,24.000000000000004,32.00000000000001,48.00000000000001,64.00000000000001,96.00000000000001,128.00000000000003,192.00000000000003,256.00000000000006,384.00000000000006,512.0000000000001,768.0000000000001,1024.0000000000002,1536.0000000000002,2048.0000000000005,3072.0000000000005,4096.000000000001,6144.000000000001,8192.000000000002,12288.000000000002,16384.000000000004,24576.000000000004,32768.00000000001,49152.00000000001,65536.00000000001,98304.00000000001,131072.00000000003,196608.00000000003,262144.00000000006,393216.00000000006,524288.0000000001,786432.0000000001,1048576.0000000002,1572864.0000000002,2097152.0000000005,3145728.0000000005,4194304.000000001,6291456.000000001,8388608.000000002,12582912.000000002,16777216.000000004}'::double precision[]) AS b0, trunc(v0::double precision / NULLIF(q0, 0) * 3221225424.0)::bigint AS t0 FROM (SELECT *, n::double precision AS q0, 1 AS place FROM (SELECT unit, LEAST(n, 3037000499) AS n, LEAST(n, 3037000499) AS v0 FROM (SELECT x0 AS unit, count(*) AS n FROM (SELECT t0."patient_id" AS x0 FROM ((SELECT m."visit_id", m."patient_id", m."region", m."visited_at", m."paid_at", m."day", m."minutes", m."cost", m."score", m."urgent", m."diagnosis", m."note", m."took", m."details", m."tags" FROM "public"."visits" AS m WHERE NOT EXISTS (SELECT FROM many_e8fe7e938aead538 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"]) OFFSET 0) UNION ALL (SELECT "visit_id", "patient_id", "region", "visited_at", "paid_at", "day", "minutes", "cost", "score", "urgent", "diagnosis", "note", "took", "details", "tags" FROM (SELECT m."visit_id", m."patient_id", m."region", m."visited_at", m."paid_at", m."day", m."minutes", m."cost", m."score", m."urgent", m."diagnosis", m."note", m."took", m."details", m."tags", row_number() OVER (PARTITION BY m."patient_id" ORDER BY m."visit_id") AS place0 FROM "public"."visits" AS m WHERE EXISTS (SELECT FROM many_e8fe7e938aead538 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"])) AS r WHERE r.place0 <= 200 OFFSET 0)) AS t0 WHERE ((t0."cost" > 3) AND EXISTS (SELECT FROM ((SELECT m."patient_id", m."ward", m."nights" FROM "public"."stays" AS m WHERE NOT EXISTS (SELECT FROM many_78d5fbdb4f6a7395 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"])) UNION ALL (SELECT "patient_id", "ward", "nights" FROM (SELECT m."patient_id", m."ward", m."nights", row_number() OVER (PARTITION BY m."patient_id" ORDER BY ROW(m."patient_id", (CASE WHEN octet_length(m."ward") > 4000 THEN CASE WHEN pg_column_size(m."ward") <= 1000000 THEN left(m."ward", 2000) ELSE '' END ELSE m."ward" END), m."nights") USING *<) AS place0 FROM "public"."stays" AS m WHERE EXISTS (SELECT FROM many_78d5fbdb4f6a7395 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"])) AS r WHERE r.place0 <= 256)) AS s0t0 WHERE ((s0t0."patient_id" = t0."patient_id") AND (t0."cost" < s0t0."nights") AND EXISTS (SELECT FROM "public"."regions" AS s1t0 WHERE (s0t0."nights" < s1t0."people"))) AND hashint8((s0t0."patient_id")::bigint) = hashint8((t0."patient_id")::bigint))) ORDER BY 1) AS r GROUP BY 1) AS counted) AS per_unit) AS sized) AS rows) AS numbered) AS r GROUP BY i, b) AS measured

SELECT r.name, count(v.visit_id) FROM regions r LEFT JOIN visits v ON v.region = r.name LEFT JOIN (SELECT code AS note FROM prices) AS p USING (note) GROUP BY r.name;
--> path: general
--> declared keys: SELECT DISTINCT t0."name" AS k0 FROM "public"."regions" AS t0 LIMIT 100001
--> Differentially private aggregate of public.visits joined with public.regions, public.prices
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows per group, squared and summed <= 500)
-->   Rows that may take long: at most 2000 of a unit in public.visits; further ones take no part
-->   Group keys: r.name: declared (rows that the outer join keeps); every key is answered, empty ones as noise around 0
-->   Noisy number 1: rows; standard deviation 223.607, 95 % of the noise within ±438.262
-->   count(v.visit_id): from noisy number 1
-->   95 % of the noise: count(v.visit_id) within ±438 rows
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.prices.code, public.regions.name, public.visits.cost, public.visits.day, public.visits.details, public.visits.diagnosis, public.visits.minutes, public.visits.note, public.visits.paid_at, public.visits.patient_id, public.visits.region, public.visits.score, public.visits.tags, public.visits.took, public.visits.urgent, public.visits.visit_id, public.visits.visited_at
--> rests on: public.prices (code)
--> rests on: public.regions (name)
--> rests on: public.visits (visit_id)
--> cut: public.visits to 2000 rows: SELECT m."patient_id" AS unit FROM "public"."visits" AS m WHERE m."patient_id" IS NOT NULL GROUP BY 1 HAVING count(*) > 2000
--> work of a row: 104290 ns
--> source: WITH many_d309dd02df23f5c9 AS MATERIALIZED (SELECT m."patient_id" AS unit FROM "public"."visits" AS m WHERE m."patient_id" IS NOT NULL GROUP BY 1 HAVING count(*) > 2000) SELECT * FROM (WITH heavy AS MATERIALIZED (SELECT unit FROM (SELECT t1."patient_id" AS unit FROM "public"."regions" AS t0 INNER JOIN ((SELECT m."visit_id", m."patient_id", m."region", m."visited_at", m."paid_at", m."day", m."minutes", m."cost", m."score", m."urgent", m."diagnosis", m."note", m."took", m."details", m."tags" FROM "public"."visits" AS m WHERE NOT EXISTS (SELECT FROM many_d309dd02df23f5c9 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"]) OFFSET 0) UNION ALL (SELECT "visit_id", "patient_id", "region", "visited_at", "paid_at", "day", "minutes", "cost", "score", "urgent", "diagnosis", "note", "took", "details", "tags" FROM (SELECT m."visit_id", m."patient_id", m."region", m."visited_at", m."paid_at", m."day", m."minutes", m."cost", m."score", m."urgent", m."diagnosis", m."note", m."took", m."details", m."tags", row_number() OVER (PARTITION BY m."patient_id" ORDER BY m."visit_id") AS place0 FROM "public"."visits" AS m WHERE EXISTS (SELECT FROM many_d309dd02df23f5c9 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"])) AS r WHERE r.place0 <= 2000 OFFSET 0)) AS t1 ON (((CASE WHEN octet_length(t1."region") > 4000 THEN CASE WHEN pg_column_size(t1."region") <= 1000000 THEN left(t1."region", 2000) ELSE '' END ELSE t1."region" END) COLLATE pg_catalog."default") = t0."name") LEFT JOIN (SELECT t2t0."code" AS c0 FROM "public"."prices" AS t2t0) AS t2 ON ((CASE WHEN octet_length(t1."note") > 4000 THEN CASE WHEN pg_column_size(t1."note") <= 1000000 THEN left(t1."note", 2000) ELSE '' END ELSE t1."note" END) COLLATE pg_catalog."default") = t2.c0 ORDER BY 1) AS r GROUP BY unit HAVING count(*) > 22) SELECT k0, sum(v0) AS v0 FROM (SELECT x0 AS k0, count(*)::numeric * 1024 AS v0 FROM (SELECT (t0."name" COLLATE "C") AS x0 FROM "public"."regions" AS t0 INNER JOIN ((SELECT m."visit_id", m."patient_id", m."region", m."visited_at", m."paid_at", m."day", m."minutes", m."cost", m."score", m."urgent", m."diagnosis", m."note", m."took", m."details", m."tags" FROM "public"."visits" AS m WHERE NOT EXISTS (SELECT FROM many_d309dd02df23f5c9 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"]) OFFSET 0) UNION ALL (SELECT "visit_id", "patient_id", "region", "visited_at", "paid_at", "day", "minutes", "cost", "score", "urgent", "diagnosis", "note", "took", "details", "tags" FROM (SELECT m."visit_id", m."patient_id", m."region", m."visited_at", m."paid_at", m."day", m."minutes", m."cost", m."score", m."urgent", m."diagnosis", m."note", m."took", m."details", m."tags", row_number() OVER (PARTITION BY m."patient_id" ORDER BY m."visit_id") AS place0 FROM "public"."visits" AS m WHERE EXISTS (SELECT FROM many_d309dd02df23f5c9 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"])) AS r WHERE r.place0 <= 2000 OFFSET 0)) AS t1 ON (((CASE WHEN octet_length(t1."region") > 4000 THEN CASE WHEN pg_column_size(t1."region") <= 1000000 THEN left(t1."region", 2000) ELSE '' END ELSE t1."region" END) COLLATE pg_catalog."default") = t0."name") LEFT JOIN (SELECT t2t0."code" AS c0 FROM "public"."prices" AS t2t0) AS t2 ON ((CASE WHEN octet_length(t1."note") > 4000 THEN CASE WHEN pg_column_size(t1."note") <= 1000000 THEN left(t1."note", 2000) ELSE '' END ELSE t1."note" END) COLLATE pg_catalog."default") = t2.c0 WHERE NOT EXISTS (SELECT FROM heavy AS h WHERE h.unit = t1."patient_id")) AS r GROUP BY 1 UNION ALL SELECT k0, sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, sum(n * n) OVER w AS q FROM (SELECT unit, k0, LEAST(n, 3037000499) AS n, LEAST(n, 3037000499) AS v0 FROM (SELECT x0 AS unit, x1 AS k0, count(*) AS n FROM (SELECT t1."patient_id" AS x0, (t0."name" COLLATE "C") AS x1 FROM "public"."regions" AS t0 INNER JOIN ((SELECT m."visit_id", m."patient_id", m."region", m."visited_at", m."paid_at", m."day", m."minutes", m."cost", m."score", m."urgent", m."diagnosis", m."note", m."took", m."details", m."tags" FROM "public"."visits" AS m WHERE NOT EXISTS (SELECT FROM many_d309dd02df23f5c9 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"]) OFFSET 0) UNION ALL (SELECT "visit_id", "patient_id", "region", "visited_at", "paid_at", "day", "minutes", "cost", "score", "urgent", "diagnosis", "note", "took", "details", "tags" FROM (SELECT m."visit_id", m."patient_id", m."region", m."visited_at", m."paid_at", m."day", m."minutes", m."cost", m."score", m."urgent", m."diagnosis", m."note", m."took", m."details", m."tags", row_number() OVER (PARTITION BY m."patient_id" ORDER BY m."visit_id") AS place0 FROM "public"."visits" AS m WHERE EXISTS (SELECT FROM many_d309dd02df23f5c9 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"])) AS r WHERE r.place0 <= 2000 OFFSET 0)) AS t1 ON (((CASE WHEN octet_length(t1."region") > 4000 THEN CASE WHEN pg_column_size(t1."region") <= 1000000 THEN left(t1."region", 2000) ELSE '' END ELSE t1."region" END) COLLATE pg_catalog."default") = t0."name") LEFT JOIN (SELECT t2t0."code" AS c0 FROM "public"."prices" AS t2t0) AS t2 ON ((CASE WHEN octet_length(t1."note") > 4000 THEN CASE WHEN pg_column_size(t1."note") <= 1000000 THEN left(t1."note", 2000) ELSE '' END ELSE t1."note" END) COLLATE pg_catalog."default") = t2.c0 WHERE EXISTS (SELECT FROM heavy AS h WHERE h.unit = t1."patient_id")) AS r GROUP BY 1, 2) AS counted) AS per_unit WINDOW w AS (PARTITION BY unit)) AS sized) AS scaled GROUP BY 1) AS parts GROUP BY 1) AS measured

SELECT r.name, count(v.visit_id) FROM regions r LEFT JOIN visits v ON v.region = r.name JOIN (SELECT zone, code FROM prices, regions) AS p USING (zone) GROUP BY r.name;
--> refused 0A000 row-work: this query could take too long for one row

SELECT r.name, count(v.visit_id) FROM regions r LEFT JOIN visits v ON v.region = r.name JOIN (SELECT patient_id, ward AS name FROM stays) AS s USING (name) WHERE s.patient_id = v.patient_id GROUP BY r.name;
--> refused 0A000 join-kind: this join after an outer join is not supported here

SELECT r.name, count(v.visit_id) FROM regions r LEFT JOIN visits v ON v.region = r.name NATURAL JOIN stays s GROUP BY r.name;
--> path: general
--> declared keys: SELECT DISTINCT d0.c0 AS k0 FROM (SELECT DISTINCT p."name" AS c0 FROM "public"."regions" AS p) AS d0 LIMIT 100001
--> Differentially private aggregate of public.visits joined with public.stays, public.regions
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: units are scaled down to a limit that the query chooses from the data for 1/10 of the price, by their rows, per group, squared, summed, and the root taken
-->   Rows that meet others: at most 100 of a unit in public.visits; further ones take no part
-->   Rows that meet others: at most 100 of a unit in public.stays; further ones take no part
-->   Group keys: r.name: declared (rows of public.regions); every key is answered, empty ones as noise around 0
-->   Noisy number 1: rows; standard deviation 10.5409 times the limit of their rows
-->   count(v.visit_id): from noisy number 1
-->   95 % of the noise: as wide as the limit that the query chooses makes it; the answer's notice says it
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.regions.name, public.stays.nights, public.stays.patient_id, public.stays.ward, public.visits.cost, public.visits.day, public.visits.details, public.visits.diagnosis, public.visits.minutes, public.visits.note, public.visits.paid_at, public.visits.patient_id, public.visits.region, public.visits.score, public.visits.tags, public.visits.took, public.visits.urgent, public.visits.visit_id, public.visits.visited_at
--> rests on: public.regions (name)
--> cut: public.visits to 100 rows: SELECT m."patient_id" AS unit FROM "public"."visits" AS m WHERE m."patient_id" IS NOT NULL GROUP BY 1 HAVING count(*) > 100
--> cut: public.stays to 100 rows: SELECT m."patient_id" AS unit FROM "public"."stays" AS m WHERE m."patient_id" IS NOT NULL GROUP BY 1 HAVING count(*) > 100
--> work of a row: 52370 ns
--> source: WITH many_e35608f5360245f6 AS MATERIALIZED (SELECT m."patient_id" AS unit FROM "public"."visits" AS m WHERE m."patient_id" IS NOT NULL GROUP BY 1 HAVING count(*) > 100), many_dcf539f66cba6faf AS MATERIALIZED (SELECT m."patient_id" AS unit FROM "public"."stays" AS m WHERE m."patient_id" IS NOT NULL GROUP BY 1 HAVING count(*) > 100) SELECT * FROM (WITH found AS (SELECT k0, i, b, sum(a0) AS a0, sum(z0) AS z0, count(*) FILTER (WHERE place = 1 AND adds) AS units FROM (SELECT *, b0 AS b, true AS adds, v0 AS a0, t0 AS z0 FROM (SELECT *, 0 AS i FROM (SELECT *, width_bucket(q0, '{1.0000000000000002,2.2500000000000004,4.000000000000001,9.000000000000002,16.000000000000004,36.00000000000001,64.00000000000001,144.00000000000003,256.00000000000006,576.0000000000001,1024.0000000000002,2304.0000000000005,4096.000000000001,9216.000000000002,16384.000000000004,36864.00000000001,65536.00000000001,147456.00000000003,262144.00000000006,589824.0000000001,1048576.0000000002,2359296.0000000005,4194304.000000001,9437184.000000002,16777216.000000004,37748736.00000001,67108864.00000001,150994944.00000003,268435456.00000006,603979776.0000001,1073741824.0000002,2415919104.0000005,4294967296.000001,9663676416.000002,17179869184.000004,38654705664.00001,68719476736.00002,154618822656.00003,274877906944.00006,618475290624.0001,1099511627776.0002,2473901162496.0005,4398046511104.001,9895604649984.002,17592186044416.004,39582418599936.01,70368744177664.02,158329674399744.03,281474976710656.06}'::double precision[]) AS b0, trunc(v0::double precision / NULLIF(sqrt(q0), 0) * 3221225424.0)::bigint AS t0 FROM (SELECT *, CASE WHEN (sum(n * n) OVER w) < 4611686018427387904 THEN (sum(n * n) OVER w)::bigint::double precision ELSE (sum(n * n) OVER w)::double precision END AS q0, row_number() OVER w AS place FROM (SELECT unit, k0, LEAST(n, 3037000499) AS n, LEAST(n, 3037000499) AS v0 FROM (SELECT x0 AS unit, x1 AS k0, count(*) AS n FROM (SELECT t1."patient_id" AS x0, (t0."name" COLLATE "C") AS x1 FROM "public"."regions" AS t0 INNER JOIN ((SELECT m."visit_id", m."patient_id", m."region", m."visited_at", m."paid_at", m."day", m."minutes", m."cost", m."score", m."urgent", m."diagnosis", m."note", m."took", m."details", m."tags" FROM "public"."visits" AS m WHERE NOT EXISTS (SELECT FROM many_e35608f5360245f6 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"]) OFFSET 0) UNION ALL (SELECT "visit_id", "patient_id", "region", "visited_at", "paid_at", "day", "minutes", "cost", "score", "urgent", "diagnosis", "note", "took", "details", "tags" FROM (SELECT m."visit_id", m."patient_id", m."region", m."visited_at", m."paid_at", m."day", m."minutes", m."cost", m."score", m."urgent", m."diagnosis", m."note", m."took", m."details", m."tags", row_number() OVER (PARTITION BY m."patient_id" ORDER BY m."visit_id") AS place0 FROM "public"."visits" AS m WHERE EXISTS (SELECT FROM many_e35608f5360245f6 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"])) AS r WHERE r.place0 <= 100 OFFSET 0)) AS t1 ON (((CASE WHEN octet_length(t1."region") > 4000 THEN CASE WHEN pg_column_size(t1."region") <= 1000000 THEN left(t1."region", 2000) ELSE '' END ELSE t1."region" END) COLLATE pg_catalog."default") = t0."name") INNER JOIN ((SELECT m."patient_id", m."ward", m."nights" FROM "public"."stays" AS m WHERE NOT EXISTS (SELECT FROM many_dcf539f66cba6faf AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"]) OFFSET 0) UNION ALL (SELECT "patient_id", "ward", "nights" FROM (SELECT m."patient_id", m."ward", m."nights", row_number() OVER (PARTITION BY m."patient_id" ORDER BY ROW(m."patient_id", (CASE WHEN octet_length(m."ward") > 4000 THEN CASE WHEN pg_column_size(m."ward") <= 1000000 THEN left(m."ward", 2000) ELSE '' END ELSE m."ward" END), m."nights") USING *<) AS place0 FROM "public"."stays" AS m WHERE EXISTS (SELECT FROM many_dcf539f66cba6faf AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"])) AS r WHERE r.place0 <= 100 OFFSET 0)) AS t2 ON t1."patient_id" = t2."patient_id" AND hashint8((t1."patient_id")::bigint) = hashint8((t2."patient_id")::bigint)) AS r GROUP BY 1, 2) AS counted) AS per_unit WINDOW w AS (PARTITION BY unit)) AS sized) AS rows) AS numbered) AS r GROUP BY k0, i, b) SELECT k0, i, b, a0, z0, NULL::bigint AS units FROM found UNION ALL SELECT NULL, i, b, NULL, NULL, sum(units)::bigint FROM found WHERE units IS NOT NULL GROUP BY i, b) AS measured

SELECT count(*) FROM visits v, prices p, regions r;
--> path: single group
--> Differentially private aggregate of public.visits joined with public.prices, public.regions
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows per group, squared and summed <= 500)
-->   Rows that meet others: at most 200 of a unit in public.visits; further ones take no part
-->   Repeated rows: each row counts up to 500 times, as FROM repeats it, and max_rows = 50 limits them all
-->   Group keys: none, one row
-->   Noisy number 1: rows; standard deviation 223.607, 95 % of the noise within ±438.262
-->   count(*): from noisy number 1
-->   95 % of the noise: count(*) within ±438 rows
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.visits.cost, public.visits.day, public.visits.details, public.visits.diagnosis, public.visits.minutes, public.visits.note, public.visits.paid_at, public.visits.patient_id, public.visits.region, public.visits.score, public.visits.tags, public.visits.took, public.visits.urgent, public.visits.visit_id, public.visits.visited_at
--> cut: public.visits to 200 rows: SELECT m."patient_id" AS unit FROM "public"."visits" AS m WHERE m."patient_id" IS NOT NULL GROUP BY 1 HAVING count(*) > 200
--> work of a row: 0 ns
--> source: WITH many_e8fe7e938aead538 AS MATERIALIZED (SELECT m."patient_id" AS unit FROM "public"."visits" AS m WHERE m."patient_id" IS NOT NULL GROUP BY 1 HAVING count(*) > 200) SELECT * FROM (SELECT sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, n * n AS q FROM (SELECT unit, LEAST(n, 3037000499) AS n, LEAST(n, 3037000499) AS v0 FROM (SELECT x0 AS unit, count(*) AS n FROM (SELECT t0."patient_id" AS x0 FROM ((SELECT m."visit_id", m."patient_id", m."region", m."visited_at", m."paid_at", m."day", m."minutes", m."cost", m."score", m."urgent", m."diagnosis", m."note", m."took", m."details", m."tags" FROM "public"."visits" AS m WHERE NOT EXISTS (SELECT FROM many_e8fe7e938aead538 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"])) UNION ALL (SELECT "visit_id", "patient_id", "region", "visited_at", "paid_at", "day", "minutes", "cost", "score", "urgent", "diagnosis", "note", "took", "details", "tags" FROM (SELECT m."visit_id", m."patient_id", m."region", m."visited_at", m."paid_at", m."day", m."minutes", m."cost", m."score", m."urgent", m."diagnosis", m."note", m."took", m."details", m."tags", row_number() OVER (PARTITION BY m."patient_id" ORDER BY m."visit_id") AS place0 FROM "public"."visits" AS m WHERE EXISTS (SELECT FROM many_e8fe7e938aead538 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"])) AS r WHERE r.place0 <= 200)) AS t0 CROSS JOIN "public"."prices" AS t1 CROSS JOIN "public"."regions" AS t2 ORDER BY 1) AS r GROUP BY 1) AS counted) AS per_unit) AS sized) AS scaled) AS measured

SELECT lower(v.region), count(*) FROM visits v GROUP BY lower(region);
--> path: general
--> declared keys: SELECT DISTINCT lower((d0.c0 COLLATE pg_catalog."default")) AS k0 FROM (SELECT DISTINCT "name"::text AS c0 FROM "public"."regions" WHERE "name" IS NOT NULL UNION ALL SELECT NULL) AS d0 LIMIT 100001
--> Differentially private aggregate of public.visits
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows per group, squared and summed <= 500)
-->   Rows that may take long: at most 2000 of a unit in public.visits; further ones take no part
-->   Group keys: lower(region): declared (public.regions.name); every key is answered, empty ones as noise around 0
-->   Noisy number 1: rows; standard deviation 223.607, 95 % of the noise within ±438.262
-->   count(*): from noisy number 1
-->   95 % of the noise: count(*) within ±438 rows
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.visits.cost, public.visits.day, public.visits.details, public.visits.diagnosis, public.visits.minutes, public.visits.note, public.visits.paid_at, public.visits.patient_id, public.visits.region, public.visits.score, public.visits.tags, public.visits.took, public.visits.urgent, public.visits.visit_id, public.visits.visited_at
--> rests on: public.visits (visit_id)
--> cut: public.visits to 2000 rows: SELECT m."patient_id" AS unit FROM "public"."visits" AS m WHERE m."patient_id" IS NOT NULL GROUP BY 1 HAVING count(*) > 2000
--> work of a row: 141000 ns
--> source: WITH many_d309dd02df23f5c9 AS MATERIALIZED (SELECT m."patient_id" AS unit FROM "public"."visits" AS m WHERE m."patient_id" IS NOT NULL GROUP BY 1 HAVING count(*) > 2000) SELECT * FROM (WITH heavy AS MATERIALIZED (SELECT unit FROM (SELECT t0."patient_id" AS unit FROM ((SELECT m."visit_id", m."patient_id", m."region", m."visited_at", m."paid_at", m."day", m."minutes", m."cost", m."score", m."urgent", m."diagnosis", m."note", m."took", m."details", m."tags" FROM "public"."visits" AS m WHERE NOT EXISTS (SELECT FROM many_d309dd02df23f5c9 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"]) OFFSET 0) UNION ALL (SELECT "visit_id", "patient_id", "region", "visited_at", "paid_at", "day", "minutes", "cost", "score", "urgent", "diagnosis", "note", "took", "details", "tags" FROM (SELECT m."visit_id", m."patient_id", m."region", m."visited_at", m."paid_at", m."day", m."minutes", m."cost", m."score", m."urgent", m."diagnosis", m."note", m."took", m."details", m."tags", row_number() OVER (PARTITION BY m."patient_id" ORDER BY m."visit_id") AS place0 FROM "public"."visits" AS m WHERE EXISTS (SELECT FROM many_d309dd02df23f5c9 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"])) AS r WHERE r.place0 <= 2000 OFFSET 0)) AS t0 ORDER BY 1) AS r GROUP BY unit HAVING count(*) > 22) SELECT k0, sum(v0) AS v0 FROM (SELECT x0 AS k0, count(*)::numeric * 1024 AS v0 FROM (SELECT ((lower(((CASE WHEN octet_length(t0."region") > 4000 THEN CASE WHEN pg_column_size(t0."region") <= 1000000 THEN left(t0."region", 2000) ELSE '' END ELSE t0."region" END) COLLATE pg_catalog."default")))::text COLLATE "C") AS x0 FROM ((SELECT m."visit_id", m."patient_id", m."region", m."visited_at", m."paid_at", m."day", m."minutes", m."cost", m."score", m."urgent", m."diagnosis", m."note", m."took", m."details", m."tags" FROM "public"."visits" AS m WHERE NOT EXISTS (SELECT FROM many_d309dd02df23f5c9 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"]) OFFSET 0) UNION ALL (SELECT "visit_id", "patient_id", "region", "visited_at", "paid_at", "day", "minutes", "cost", "score", "urgent", "diagnosis", "note", "took", "details", "tags" FROM (SELECT m."visit_id", m."patient_id", m."region", m."visited_at", m."paid_at", m."day", m."minutes", m."cost", m."score", m."urgent", m."diagnosis", m."note", m."took", m."details", m."tags", row_number() OVER (PARTITION BY m."patient_id" ORDER BY m."visit_id") AS place0 FROM "public"."visits" AS m WHERE EXISTS (SELECT FROM many_d309dd02df23f5c9 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"])) AS r WHERE r.place0 <= 2000 OFFSET 0)) AS t0 WHERE NOT EXISTS (SELECT FROM heavy AS h WHERE h.unit = t0."patient_id")) AS r GROUP BY 1 UNION ALL SELECT k0, sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, sum(n * n) OVER w AS q FROM (SELECT unit, k0, LEAST(n, 3037000499) AS n, LEAST(n, 3037000499) AS v0 FROM (SELECT x0 AS unit, x1 AS k0, count(*) AS n FROM (SELECT t0."patient_id" AS x0, ((lower(((CASE WHEN octet_length(t0."region") > 4000 THEN CASE WHEN pg_column_size(t0."region") <= 1000000 THEN left(t0."region", 2000) ELSE '' END ELSE t0."region" END) COLLATE pg_catalog."default")))::text COLLATE "C") AS x1 FROM ((SELECT m."visit_id", m."patient_id", m."region", m."visited_at", m."paid_at", m."day", m."minutes", m."cost", m."score", m."urgent", m."diagnosis", m."note", m."took", m."details", m."tags" FROM "public"."visits" AS m WHERE NOT EXISTS (SELECT FROM many_d309dd02df23f5c9 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"]) OFFSET 0) UNION ALL (SELECT "visit_id", "patient_id", "region", "visited_at", "paid_at", "day", "minutes", "cost", "score", "urgent", "diagnosis", "note", "took", "details", "tags" FROM (SELECT m."visit_id", m."patient_id", m."region", m."visited_at", m."paid_at", m."day", m."minutes", m."cost", m."score", m."urgent", m."diagnosis", m."note", m."took", m."details", m."tags", row_number() OVER (PARTITION BY m."patient_id" ORDER BY m."visit_id") AS place0 FROM "public"."visits" AS m WHERE EXISTS (SELECT FROM many_d309dd02df23f5c9 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"])) AS r WHERE r.place0 <= 2000 OFFSET 0)) AS t0 WHERE EXISTS (SELECT FROM heavy AS h WHERE h.unit = t0."patient_id")) AS r GROUP BY 1, 2) AS counted) AS per_unit WINDOW w AS (PARTITION BY unit)) AS sized) AS scaled GROUP BY 1) AS parts GROUP BY 1) AS measured

SELECT rank, count(*) FROM (SELECT rank FROM (SELECT minutes AS rank FROM visits) AS t) AS u GROUP BY rank;
--> path: general
--> declared keys: SELECT DISTINCT d0.c0 AS k0 FROM (SELECT s::integer AS c0 FROM generate_series(0::bigint, 240::bigint) AS s UNION ALL SELECT NULL) AS d0 LIMIT 100001
--> Differentially private aggregate of public.visits
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows per group, squared and summed <= 500)
-->   Group keys: rank: declared (range of minutes); each declared key is answered, empty ones as noise around 0; rows with other values of rank are in no group
-->   Noisy number 1: rows; standard deviation 223.607, 95 % of the noise within ±438.262
-->   count(*): from noisy number 1
-->   95 % of the noise: count(*) within ±438 rows
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.visits.minutes, public.visits.patient_id
--> rests on: public.visits (visit_id)
--> work of a row: 60 ns
--> source: WITH heavy AS MATERIALIZED (SELECT unit FROM (SELECT t0.unit AS unit FROM (SELECT t0t0.unit AS unit, t0t0.c0 AS c0 FROM (SELECT t0t0t0."patient_id" AS unit, t0t0t0."minutes" AS c0 FROM "public"."visits" AS t0t0t0) AS t0t0) AS t0 ORDER BY 1) AS r GROUP BY unit HAVING count(*) > 22) SELECT k0, sum(v0) AS v0 FROM (SELECT x0 AS k0, count(*)::numeric * 1024 AS v0 FROM (SELECT t0.c0 AS x0 FROM (SELECT t0t0.unit AS unit, t0t0.c0 AS c0 FROM (SELECT t0t0t0."patient_id" AS unit, t0t0t0."minutes" AS c0 FROM "public"."visits" AS t0t0t0) AS t0t0) AS t0 WHERE NOT EXISTS (SELECT FROM heavy AS h WHERE h.unit = t0.unit)) AS r GROUP BY 1 UNION ALL SELECT k0, sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, sum(n * n) OVER w AS q FROM (SELECT unit, k0, LEAST(n, 3037000499) AS n, LEAST(n, 3037000499) AS v0 FROM (SELECT x0 AS unit, x1 AS k0, count(*) AS n FROM (SELECT t0.unit AS x0, t0.c0 AS x1 FROM (SELECT t0t0.unit AS unit, t0t0.c0 AS c0 FROM (SELECT t0t0t0."patient_id" AS unit, t0t0t0."minutes" AS c0 FROM "public"."visits" AS t0t0t0) AS t0t0) AS t0 WHERE EXISTS (SELECT FROM heavy AS h WHERE h.unit = t0.unit)) AS r GROUP BY 1, 2) AS counted) AS per_unit WINDOW w AS (PARTITION BY unit)) AS sized) AS scaled GROUP BY 1) AS parts GROUP BY 1

SELECT count(*) FROM visits v, prices p WHERE EXISTS (SELECT FROM regions r WHERE r.people > v.minutes);
--> path: single group
--> Differentially private aggregate of public.visits joined with public.prices, public.regions
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows per group, squared and summed <= 500)
-->   Rows that meet others: at most 200 of a unit in public.visits; further ones take no part
-->   Repeated rows: each row counts up to 100 times, as FROM repeats it, and max_rows = 50 limits them all
-->   Group keys: none, one row
-->   Noisy number 1: rows; standard deviation 223.607, 95 % of the noise within ±438.262
-->   count(*): from noisy number 1
-->   95 % of the noise: count(*) within ±438 rows
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.regions.people, public.visits.cost, public.visits.day, public.visits.details, public.visits.diagnosis, public.visits.minutes, public.visits.note, public.visits.paid_at, public.visits.patient_id, public.visits.region, public.visits.score, public.visits.tags, public.visits.took, public.visits.urgent, public.visits.visit_id, public.visits.visited_at
--> rests on: public.regions (name)
--> cut: public.visits to 200 rows: SELECT m."patient_id" AS unit FROM "public"."visits" AS m WHERE m."patient_id" IS NOT NULL GROUP BY 1 HAVING count(*) > 200
--> work of a row: 760 ns
--> source: WITH many_e8fe7e938aead538 AS MATERIALIZED (SELECT m."patient_id" AS unit FROM "public"."visits" AS m WHERE m."patient_id" IS NOT NULL GROUP BY 1 HAVING count(*) > 200) SELECT * FROM (SELECT sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, n * n AS q FROM (SELECT unit, LEAST(n, 3037000499) AS n, LEAST(n, 3037000499) AS v0 FROM (SELECT x0 AS unit, count(*) AS n FROM (SELECT t0."patient_id" AS x0 FROM ((SELECT m."visit_id", m."patient_id", m."region", m."visited_at", m."paid_at", m."day", m."minutes", m."cost", m."score", m."urgent", m."diagnosis", m."note", m."took", m."details", m."tags" FROM "public"."visits" AS m WHERE NOT EXISTS (SELECT FROM many_e8fe7e938aead538 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"])) UNION ALL (SELECT "visit_id", "patient_id", "region", "visited_at", "paid_at", "day", "minutes", "cost", "score", "urgent", "diagnosis", "note", "took", "details", "tags" FROM (SELECT m."visit_id", m."patient_id", m."region", m."visited_at", m."paid_at", m."day", m."minutes", m."cost", m."score", m."urgent", m."diagnosis", m."note", m."took", m."details", m."tags", row_number() OVER (PARTITION BY m."patient_id" ORDER BY m."visit_id") AS place0 FROM "public"."visits" AS m WHERE EXISTS (SELECT FROM many_e8fe7e938aead538 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"])) AS r WHERE r.place0 <= 200)) AS t0 CROSS JOIN "public"."prices" AS t1 WHERE EXISTS (SELECT FROM "public"."regions" AS s0t0 WHERE (t0."minutes" < s0t0."people")) ORDER BY 1) AS r GROUP BY 1) AS counted) AS per_unit) AS sized) AS scaled) AS measured

SELECT count(*) FROM patients p WHERE EXISTS (SELECT FROM stays s, regions r WHERE s.patient_id = p.patient_id AND lower(s.ward) = lower(r.name));
--> path: unique
--> Differentially private aggregate of public.patients joined with public.stays, public.regions
-->   Privacy unit: patient, by public.patients.patient_id
-->   Contribution: one row per unit, proven by a unique key of the source; no unit is scaled down
-->   Rows that meet others: at most 256 of a unit in public.stays; further ones take no part
-->   Group keys: none, one row
-->   Noisy number 1: rows; standard deviation 10, 95 % of the noise within ±20
-->   count(*): from noisy number 1
-->   95 % of the noise: count(*) within ±20 rows
-->   Noise intervals (dp.low, dp.high): cover everything, nothing is clipped
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.patients.patient_id, public.regions.name, public.stays.nights, public.stays.patient_id, public.stays.ward
--> rests on: public.patients (patient_id)
--> cut: public.stays to 256 rows: SELECT m."patient_id" AS unit FROM "public"."stays" AS m WHERE m."patient_id" IS NOT NULL GROUP BY 1 HAVING count(*) > 256
--> work of a row: 276660 ns
--> source: WITH many_78d5fbdb4f6a7395 AS MATERIALIZED (SELECT m."patient_id" AS unit FROM "public"."stays" AS m WHERE m."patient_id" IS NOT NULL GROUP BY 1 HAVING count(*) > 256) SELECT * FROM (SELECT count(*) AS s0 FROM (SELECT  FROM "public"."patients" AS t0 WHERE EXISTS (SELECT FROM (SELECT DISTINCT s0t0."patient_id" AS k0 FROM ((SELECT m."patient_id", m."ward", m."nights" FROM "public"."stays" AS m WHERE NOT EXISTS (SELECT FROM many_78d5fbdb4f6a7395 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"]) OFFSET 0) UNION ALL (SELECT "patient_id", "ward", "nights" FROM (SELECT m."patient_id", m."ward", m."nights", row_number() OVER (PARTITION BY m."patient_id" ORDER BY ROW(m."patient_id", (CASE WHEN octet_length(m."ward") > 4000 THEN CASE WHEN pg_column_size(m."ward") <= 1000000 THEN left(m."ward", 2000) ELSE '' END ELSE m."ward" END), m."nights") USING *<) AS place0 FROM "public"."stays" AS m WHERE EXISTS (SELECT FROM many_78d5fbdb4f6a7395 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"])) AS r WHERE r.place0 <= 256 OFFSET 0)) AS s0t0 CROSS JOIN "public"."regions" AS s0t1 WHERE ((lower(((CASE WHEN octet_length(s0t0."ward") > 4000 THEN CASE WHEN pg_column_size(s0t0."ward") <= 1000000 THEN left(s0t0."ward", 2000) ELSE '' END ELSE s0t0."ward" END) COLLATE pg_catalog."default")) COLLATE pg_catalog."default") = lower((s0t1."name" COLLATE pg_catalog."default")))) AS s0d WHERE s0d.k0 = t0."patient_id" AND hashint8((s0d.k0)::bigint) = hashint8((t0."patient_id")::bigint))) AS r) AS measured

SELECT count(*) FROM patients WHERE patient_id IN (SELECT patient_id FROM insurances);
--> refused 0A000 private-join: this join could combine rows of more than one privacy unit, of public.patients and of public.insurances

SELECT count(*) FROM patients p JOIN insurances i ON i.patient_id = p.patient_id;
--> refused 0A000 private-join: this join could combine rows of more than one privacy unit, of public.patients and of public.insurances

SELECT count(*) FROM patients p WHERE EXISTS (SELECT FROM insurances i WHERE i.patient_id = p.patient_id);
--> refused 0A000 private-join: this join could combine rows of more than one privacy unit, of public.patients and of public.insurances

SELECT avg(premium) FROM insurances;
--> path: unique
--> Differentially private aggregate of public.insurances
-->   Privacy unit: patient, by public.insurances.patient_id
-->   Contribution: one row per unit, proven by a unique key of the source; no unit is scaled down
-->   Group keys: none, one row
-->   Noisy number 1: rows where the value is not NULL; standard deviation 14.1421, 95 % of the noise within ±28
-->   Noisy number 2: sum around 500 of values clamped to [0, 1000] in steps of 0.01; standard deviation 7071.07, 95 % of the noise within ±13859
-->   avg(premium): from noisy numbers 1 and 2; values outside [0, 1000] count as the nearest bound
-->   95 % of the noise: avg(premium) within ±19699.6 / its rows
-->   Noise intervals (dp.low, dp.high): cover the noise only, not values moved to a bound
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.insurances.patient_id, public.insurances.premium
--> rests on: public.insurances (patient_id)
--> work of a row: 240 ns
--> source: SELECT count(NULLIF(x0, 'NaN')) AS s0, sum((CASE WHEN x0 < 0 THEN 0 WHEN x0 <= 1000 THEN x0 WHEN x0 <> 'NaN' THEN 1000 END)) AS s1, count(NULLIF(x0, 'NaN')) AS c1 FROM (SELECT t0."premium" AS x0 FROM "public"."insurances" AS t0) AS r

SELECT minutes AS m, diagnosis AS d, count(*) FROM visits GROUP BY m, d;
--> path: general
--> declared keys: SELECT g0.k0, g1.k1 FROM (SELECT DISTINCT d0.c0 AS k0 FROM (SELECT s::integer AS c0 FROM generate_series(0::bigint, 240::bigint) AS s UNION ALL SELECT NULL) AS d0) AS g0, (SELECT DISTINCT d1.c0 AS k1 FROM (SELECT v.c0 FROM (VALUES ('flu'::text), ('cold'::text), ('other'::text)) AS v(c0) UNION ALL SELECT NULL) AS d1) AS g1 LIMIT 100001
--> Differentially private aggregate of public.visits
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows per group, squared and summed <= 500)
-->   Group keys: minutes, diagnosis: declared (range of minutes x values of diagnosis); each declared key is answered, empty ones as noise around 0; rows with other values of minutes and diagnosis are in no group
-->   Noisy number 1: rows; standard deviation 223.607, 95 % of the noise within ±438.262
-->   count(*): from noisy number 1
-->   95 % of the noise: count(*) within ±438 rows
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.visits.diagnosis, public.visits.minutes, public.visits.patient_id
--> rests on: public.visits (visit_id)
--> work of a row: 28030 ns
--> source: WITH heavy AS MATERIALIZED (SELECT unit FROM (SELECT t0."patient_id" AS unit FROM "public"."visits" AS t0 ORDER BY 1) AS r GROUP BY unit HAVING count(*) > 22) SELECT k0, k1, sum(v0) AS v0 FROM (SELECT x0 AS k0, x1 AS k1, count(*)::numeric * 1024 AS v0 FROM (SELECT t0."minutes" AS x0, (((CASE WHEN octet_length(t0."diagnosis") > 4000 THEN CASE WHEN pg_column_size(t0."diagnosis") <= 1000000 THEN left(t0."diagnosis", 2000) ELSE '' END ELSE t0."diagnosis" END))::text COLLATE "C") AS x1 FROM "public"."visits" AS t0 WHERE NOT EXISTS (SELECT FROM heavy AS h WHERE h.unit = t0."patient_id")) AS r GROUP BY 1, 2 UNION ALL SELECT k0, k1, sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, sum(n * n) OVER w AS q FROM (SELECT unit, k0, k1, LEAST(n, 3037000499) AS n, LEAST(n, 3037000499) AS v0 FROM (SELECT x0 AS unit, x1 AS k0, x2 AS k1, count(*) AS n FROM (SELECT t0."patient_id" AS x0, t0."minutes" AS x1, (((CASE WHEN octet_length(t0."diagnosis") > 4000 THEN CASE WHEN pg_column_size(t0."diagnosis") <= 1000000 THEN left(t0."diagnosis", 2000) ELSE '' END ELSE t0."diagnosis" END))::text COLLATE "C") AS x2 FROM "public"."visits" AS t0 WHERE EXISTS (SELECT FROM heavy AS h WHERE h.unit = t0."patient_id")) AS r GROUP BY 1, 2, 3) AS counted) AS per_unit WINDOW w AS (PARTITION BY unit)) AS sized) AS scaled GROUP BY 1, 2) AS parts GROUP BY 1, 2

SELECT minutes AS m, count(*) FROM visits v GROUP BY v.m;
--> refused 42501 unknown-column: column v.m cannot be used here

SELECT minutes AS m, count(*) FROM visits GROUP BY 'm';
--> path: general
--> declared keys: SELECT DISTINCT 'm' AS k0 LIMIT 100001
--> Differentially private aggregate of public.visits
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows per group, squared and summed <= 500)
-->   Group keys: 'm': declared (constants); every key is answered, empty ones as noise around 0
-->   Noisy number 1: rows; standard deviation 223.607, 95 % of the noise within ±438.262
-->   count(*): from noisy number 1
-->   95 % of the noise: count(*) within ±438 rows
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.visits.patient_id
--> rests on: public.visits (visit_id)
--> work of a row: 0 ns
--> source: WITH heavy AS MATERIALIZED (SELECT unit FROM (SELECT t0."patient_id" AS unit FROM "public"."visits" AS t0 ORDER BY 1) AS r GROUP BY unit HAVING count(*) > 22) SELECT k0, sum(v0) AS v0 FROM (SELECT x0 AS k0, count(*)::numeric * 1024 AS v0 FROM (SELECT 'm' AS x0 FROM "public"."visits" AS t0 WHERE NOT EXISTS (SELECT FROM heavy AS h WHERE h.unit = t0."patient_id")) AS r GROUP BY 1 UNION ALL SELECT k0, sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, sum(n * n) OVER w AS q FROM (SELECT unit, k0, LEAST(n, 3037000499) AS n, LEAST(n, 3037000499) AS v0 FROM (SELECT x0 AS unit, x1 AS k0, count(*) AS n FROM (SELECT t0."patient_id" AS x0, 'm' AS x1 FROM "public"."visits" AS t0 WHERE EXISTS (SELECT FROM heavy AS h WHERE h.unit = t0."patient_id")) AS r GROUP BY 1, 2) AS counted) AS per_unit WINDOW w AS (PARTITION BY unit)) AS sized) AS scaled GROUP BY 1) AS parts GROUP BY 1

SELECT count(*) FROM stays WHERE diet = 'a';
--> refused 42501 unknown-column: column diet cannot be used here

SELECT count(*) FROM (SELECT patient_id, note AS diet FROM visits) AS v JOIN stays s USING (diet) WHERE v.patient_id = s.patient_id;
--> refused 42501 unknown-column: column diet cannot be used here

SELECT count(*) FROM (SELECT patient_id, note AS diet FROM visits) AS v NATURAL JOIN stays s;
--> path: single group
--> Differentially private aggregate of public.visits joined with public.stays
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: units are scaled down to a limit that the query chooses from the data for 1/10 of the price, by their rows
-->   Rows that meet others: at most 200 of a unit in v; further ones take no part
-->   Rows that meet others: at most 256 of a unit in public.stays; further ones take no part
-->   Group keys: none, one row
-->   Noisy number 1: rows; standard deviation 10.5409 times the limit of their rows
-->   count(*): from noisy number 1
-->   95 % of the noise: as wide as the limit that the query chooses makes it; the answer's notice says it
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.stays.nights, public.stays.patient_id, public.stays.ward, public.visits.note, public.visits.patient_id
--> rests on: public.visits (visit_id)
--> cut: v to 200 rows: SELECT m.unit AS unit FROM (SELECT t0t0."patient_id" AS unit, t0t0."patient_id" AS c0, (CASE WHEN octet_length(t0t0."note") > 4000 THEN CASE WHEN pg_column_size(t0t0."note") <= 1000000 THEN left(t0t0."note", 2000) ELSE '' END ELSE t0t0."note" END) AS c1 FROM "public"."visits" AS t0t0) AS m WHERE m.unit IS NOT NULL GROUP BY 1 HAVING count(*) > 200
--> cut: public.stays to 256 rows: SELECT m."patient_id" AS unit FROM "public"."stays" AS m WHERE m."patient_id" IS NOT NULL GROUP BY 1 HAVING count(*) > 256
--> work of a row: 28210 ns
--> source: WITH many_f5228dd9864f8890 AS MATERIALIZED (SELECT m.unit AS unit FROM (SELECT t0t0."patient_id" AS unit, t0t0."patient_id" AS c0, (CASE WHEN octet_length(t0t0."note") > 4000 THEN CASE WHEN pg_column_size(t0t0."note") <= 1000000 THEN left(t0t0."note", 2000) ELSE '' END ELSE t0t0."note" END) AS c1 FROM "public"."visits" AS t0t0) AS m WHERE m.unit IS NOT NULL GROUP BY 1 HAVING count(*) > 200), many_78d5fbdb4f6a7395 AS MATERIALIZED (SELECT m."patient_id" AS unit FROM "public"."stays" AS m WHERE m."patient_id" IS NOT NULL GROUP BY 1 HAVING count(*) > 256) SELECT * FROM (SELECT i, b, sum(a0) AS a0, sum(z0) AS z0, count(*) FILTER (WHERE place = 1 AND adds) AS units FROM (SELECT *, b0 AS b, true AS adds, v0 AS a0, t0 AS z0 FROM (SELECT *, 0 AS i FROM (SELECT *, width_bucket(q0, '{1.0000000000000002,1.5000000000000002,2.0000000000000004,3.0000000000000004,4.000000000000001,6.000000000000001,8.000000000000002,12.000000000000002,16.000000000000004,24.000000000000004,32.00000000000001,48.00000000000001,64.00000000000001,96.00000000000001,128.00000000000003,192.00000000000003,256.00000000000006,384.00000000000006,512.0000000000001,768.0000000000001,1024.0000000000002,1536.0000000000002,2048.0000000000005,3072.0000000000005,4096.000000000001,6144.000000000001,8192.000000000002,12288.000000000002,16384.000000000004,24576.000000000004,32768.00000000001,49152.00000000001,65536.00000000001,98304.00000000001,131072.00000000003,196608.00000000003,262144.00000000006,393216.00000000006,524288.0000000001,786432.0000000001,1048576.0000000002,1572864.0000000002,2097152.0000000005,3145728.0000000005,4194304.000000001,6291456.000000001,8388608.000000002,12582912.000000002,16777216.000000004}'::double precision[]) AS b0, trunc(v0::double precision / NULLIF(q0, 0) * 3221225424.0)::bigint AS t0 FROM (SELECT *, n::double precision AS q0, 1 AS place FROM (SELECT unit, LEAST(n, 3037000499) AS n, LEAST(n, 3037000499) AS v0 FROM (SELECT x0 AS unit, count(*) AS n FROM (SELECT t0.unit AS x0 FROM ((SELECT m.unit, m.c0, m.c1 FROM (SELECT t0t0."patient_id" AS unit, t0t0."patient_id" AS c0, (CASE WHEN octet_length(t0t0."note") > 4000 THEN CASE WHEN pg_column_size(t0t0."note") <= 1000000 THEN left(t0t0."note", 2000) ELSE '' END ELSE t0t0."note" END) AS c1 FROM "public"."visits" AS t0t0) AS m WHERE NOT EXISTS (SELECT FROM many_f5228dd9864f8890 AS h WHERE h.unit = m.unit AND ARRAY[h.unit] = ARRAY[m.unit]) OFFSET 0) UNION ALL (SELECT unit, c0, c1 FROM (SELECT m.unit, m.c0, m.c1, row_number() OVER (PARTITION BY m.unit ORDER BY ROW(m.c0, m.c1) USING *<) AS place0 FROM (SELECT t0t0."patient_id" AS unit, t0t0."patient_id" AS c0, (CASE WHEN octet_length(t0t0."note") > 4000 THEN CASE WHEN pg_column_size(t0t0."note") <= 1000000 THEN left(t0t0."note", 2000) ELSE '' END ELSE t0t0."note" END) AS c1 FROM "public"."visits" AS t0t0) AS m WHERE EXISTS (SELECT FROM many_f5228dd9864f8890 AS h WHERE h.unit = m.unit AND ARRAY[h.unit] = ARRAY[m.unit])) AS r WHERE r.place0 <= 200 OFFSET 0)) AS t0 INNER JOIN ((SELECT m."patient_id", m."ward", m."nights" FROM "public"."stays" AS m WHERE NOT EXISTS (SELECT FROM many_78d5fbdb4f6a7395 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"]) OFFSET 0) UNION ALL (SELECT "patient_id", "ward", "nights" FROM (SELECT m."patient_id", m."ward", m."nights", row_number() OVER (PARTITION BY m."patient_id" ORDER BY ROW(m."patient_id", (CASE WHEN octet_length(m."ward") > 4000 THEN CASE WHEN pg_column_size(m."ward") <= 1000000 THEN left(m."ward", 2000) ELSE '' END ELSE m."ward" END), m."nights") USING *<) AS place0 FROM "public"."stays" AS m WHERE EXISTS (SELECT FROM many_78d5fbdb4f6a7395 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"])) AS r WHERE r.place0 <= 256 OFFSET 0)) AS t1 ON t0.c0 = t1."patient_id" AND hashint8((t0.c0)::bigint) = hashint8((t1."patient_id")::bigint) ORDER BY 1) AS r GROUP BY 1) AS counted) AS per_unit) AS sized) AS rows) AS numbered) AS r GROUP BY i, b) AS measured

SELECT count(*) FROM (SELECT patient_id, diet FROM (SELECT * FROM stays) AS s) AS t;
--> refused 42501 unknown-column: column diet cannot be used here

SELECT count(*) FROM visits v WHERE (v.patient_id, v.day) IN (SELECT w.patient_id, w.visited_at FROM visits w);
--> path: single group
--> Differentially private aggregate of public.visits
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows per group, squared and summed <= 500)
-->   Rows that meet others: at most 200 of a unit in public.visits; further ones take no part
-->   Group keys: none, one row
-->   Noisy number 1: rows; standard deviation 223.607, 95 % of the noise within ±438.262
-->   count(*): from noisy number 1
-->   95 % of the noise: count(*) within ±438 rows
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.visits.cost, public.visits.day, public.visits.details, public.visits.diagnosis, public.visits.minutes, public.visits.note, public.visits.paid_at, public.visits.patient_id, public.visits.region, public.visits.score, public.visits.tags, public.visits.took, public.visits.urgent, public.visits.visit_id, public.visits.visited_at
--> rests on: public.visits (visit_id)
--> cut: public.visits to 200 rows: SELECT m."patient_id" AS unit FROM "public"."visits" AS m WHERE m."patient_id" IS NOT NULL GROUP BY 1 HAVING count(*) > 200
--> cut: public.visits to 200 rows: SELECT m."patient_id" AS unit FROM "public"."visits" AS m WHERE m."patient_id" IS NOT NULL GROUP BY 1 HAVING count(*) > 200
--> work of a row: 1000 ns
--> source: WITH many_e8fe7e938aead538 AS MATERIALIZED (SELECT m."patient_id" AS unit FROM "public"."visits" AS m WHERE m."patient_id" IS NOT NULL GROUP BY 1 HAVING count(*) > 200) SELECT * FROM (SELECT sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, n * n AS q FROM (SELECT unit, LEAST(n, 3037000499) AS n, LEAST(n, 3037000499) AS v0 FROM (SELECT x0 AS unit, count(*) AS n FROM (SELECT t0."patient_id" AS x0 FROM ((SELECT m."visit_id", m."patient_id", m."region", m."visited_at", m."paid_at", m."day", m."minutes", m."cost", m."score", m."urgent", m."diagnosis", m."note", m."took", m."details", m."tags" FROM "public"."visits" AS m WHERE NOT EXISTS (SELECT FROM many_e8fe7e938aead538 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"])) UNION ALL (SELECT "visit_id", "patient_id", "region", "visited_at", "paid_at", "day", "minutes", "cost", "score", "urgent", "diagnosis", "note", "took", "details", "tags" FROM (SELECT m."visit_id", m."patient_id", m."region", m."visited_at", m."paid_at", m."day", m."minutes", m."cost", m."score", m."urgent", m."diagnosis", m."note", m."took", m."details", m."tags", row_number() OVER (PARTITION BY m."patient_id" ORDER BY m."visit_id") AS place0 FROM "public"."visits" AS m WHERE EXISTS (SELECT FROM many_e8fe7e938aead538 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"])) AS r WHERE r.place0 <= 200)) AS t0 WHERE EXISTS (SELECT FROM ((SELECT m."visit_id", m."patient_id", m."region", m."visited_at", m."paid_at", m."day", m."minutes", m."cost", m."score", m."urgent", m."diagnosis", m."note", m."took", m."details", m."tags" FROM "public"."visits" AS m WHERE NOT EXISTS (SELECT FROM many_e8fe7e938aead538 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"])) UNION ALL (SELECT "visit_id", "patient_id", "region", "visited_at", "paid_at", "day", "minutes", "cost", "score", "urgent", "diagnosis", "note", "took", "details", "tags" FROM (SELECT m."visit_id", m."patient_id", m."region", m."visited_at", m."paid_at", m."day", m."minutes", m."cost", m."score", m."urgent", m."diagnosis", m."note", m."took", m."details", m."tags", row_number() OVER (PARTITION BY m."patient_id" ORDER BY m."visit_id") AS place0 FROM "public"."visits" AS m WHERE EXISTS (SELECT FROM many_e8fe7e938aead538 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"])) AS r WHERE r.place0 <= 200)) AS s0t0 WHERE s0t0."patient_id" = t0."patient_id" AND s0t0."visited_at" = t0."day" AND hashint8((s0t0."patient_id")::bigint) = hashint8((t0."patient_id")::bigint) AND ARRAY[s0t0."visited_at"] = ARRAY[t0."day"]) ORDER BY 1) AS r GROUP BY 1) AS counted) AS per_unit) AS sized) AS scaled) AS measured

SELECT count(*) FROM visits v WHERE (v.patient_id, v.day) IN (SELECT w.patient_id, w.day FROM visits w);
--> path: single group
--> Differentially private aggregate of public.visits
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows per group, squared and summed <= 500)
-->   Group keys: none, one row
-->   Noisy number 1: rows; standard deviation 223.607, 95 % of the noise within ±438.262
-->   count(*): from noisy number 1
-->   95 % of the noise: count(*) within ±438 rows
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.visits.day, public.visits.patient_id
--> rests on: public.visits (visit_id)
--> work of a row: 1000 ns
--> source: SELECT sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, n * n AS q FROM (SELECT unit, LEAST(n, 3037000499) AS n, LEAST(n, 3037000499) AS v0 FROM (SELECT x0 AS unit, count(*) AS n FROM (SELECT t0."patient_id" AS x0 FROM "public"."visits" AS t0 WHERE EXISTS (SELECT FROM (SELECT DISTINCT s0t0."patient_id" AS k0, s0t0."day" AS k1 FROM "public"."visits" AS s0t0) AS s0d WHERE s0d.k0 = t0."patient_id" AND s0d.k1 = t0."day" AND hashint8((s0d.k0)::bigint) = hashint8((t0."patient_id")::bigint) AND ARRAY[s0d.k1] = ARRAY[t0."day"]) ORDER BY 1) AS r GROUP BY 1) AS counted) AS per_unit) AS sized) AS scaled

SELECT count(*) FROM readings r JOIN prices p ON p.code = coalesce(r.code, r.code);
--> path: single group
--> Differentially private aggregate of public.readings joined with public.prices
-->   Privacy unit: patient, by public.readings.patient_id
-->   Contribution: units are scaled down to a limit that the query chooses from the data for 1/10 of the price, by their rows
-->   Group keys: none, one row
-->   Noisy number 1: rows; standard deviation 10.5409 times the limit of their rows
-->   count(*): from noisy number 1
-->   95 % of the noise: as wide as the limit that the query chooses makes it; the answer's notice says it
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.prices.code, public.readings.code, public.readings.patient_id
--> work of a row: 10540 ns
--> source: SELECT i, b, sum(a0) AS a0, sum(z0) AS z0, count(*) FILTER (WHERE place = 1 AND adds) AS units FROM (SELECT *, b0 AS b, true AS adds, v0 AS a0, t0 AS z0 FROM (SELECT *, 0 AS i FROM (SELECT *, width_bucket(q0, '{1.0000000000000002,1.5000000000000002,2.0000000000000004,3.0000000000000004,4.000000000000001,6.000000000000001,8.000000000000002,12.000000000000002,16.000000000000004,24.000000000000004,32.00000000000001,48.00000000000001,64.00000000000001,96.00000000000001,128.00000000000003,192.00000000000003,256.00000000000006,384.00000000000006,512.0000000000001,768.0000000000001,1024.0000000000002,1536.0000000000002,2048.0000000000005,3072.0000000000005,4096.000000000001,6144.000000000001,8192.000000000002,12288.000000000002,16384.000000000004,24576.000000000004,32768.00000000001,49152.00000000001,65536.00000000001,98304.00000000001,131072.00000000003,196608.00000000003,262144.00000000006,393216.00000000006,524288.0000000001,786432.0000000001,1048576.0000000002,1572864.0000000002,2097152.0000000005,3145728.0000000005,4194304.000000001,6291456.000000001,8388608.000000002,12582912.000000002,16777216.000000004}'::double precision[]) AS b0, trunc(v0::double precision / NULLIF(q0, 0) * 3221225424.0)::bigint AS t0 FROM (SELECT *, n::double precision AS q0, 1 AS place FROM (SELECT unit, LEAST(n, 3037000499) AS n, LEAST(n, 3037000499) AS v0 FROM (SELECT x0 AS unit, count(*) AS n FROM (SELECT t0."patient_id" AS x0 FROM "public"."readings" AS t0 INNER JOIN "public"."prices" AS t1 ON ((coalesce((t0."code" COLLATE pg_catalog."default"), (t0."code" COLLATE pg_catalog."default")) COLLATE pg_catalog."default") = t1."code") ORDER BY 1) AS r GROUP BY 1) AS counted) AS per_unit) AS sized) AS rows) AS numbered) AS r GROUP BY i, b

SELECT count(*) FROM readings r JOIN prices p ON p.code = coalesce(r.short, r.short);
--> path: single group
--> Differentially private aggregate of public.readings joined with public.prices
-->   Privacy unit: patient, by public.readings.patient_id
-->   Contribution: units are scaled down to a limit that the query chooses from the data for 1/10 of the price, by their rows
-->   Group keys: none, one row
-->   Noisy number 1: rows; standard deviation 10.5409 times the limit of their rows
-->   count(*): from noisy number 1
-->   95 % of the noise: as wide as the limit that the query chooses makes it; the answer's notice says it
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.prices.code, public.readings.patient_id, public.readings.short
--> rests on: public.prices (code)
--> work of a row: 10600 ns
--> source: SELECT i, b, sum(a0) AS a0, sum(z0) AS z0, count(*) FILTER (WHERE place = 1 AND adds) AS units FROM (SELECT *, b0 AS b, true AS adds, v0 AS a0, t0 AS z0 FROM (SELECT *, 0 AS i FROM (SELECT *, width_bucket(q0, '{1.0000000000000002,1.5000000000000002,2.0000000000000004,3.0000000000000004,4.000000000000001,6.000000000000001,8.000000000000002,12.000000000000002,16.000000000000004,24.000000000000004,32.00000000000001,48.00000000000001,64.00000000000001,96.00000000000001,128.00000000000003,192.00000000000003,256.00000000000006,384.00000000000006,512.0000000000001,768.0000000000001,1024.0000000000002,1536.0000000000002,2048.0000000000005,3072.0000000000005,4096.000000000001,6144.000000000001,8192.000000000002,12288.000000000002,16384.000000000004,24576.000000000004,32768.00000000001,49152.00000000001,65536.00000000001,98304.00000000001,131072.00000000003,196608.00000000003,262144.00000000006,393216.00000000006,524288.0000000001,786432.0000000001,1048576.0000000002,1572864.0000000002,2097152.0000000005,3145728.0000000005,4194304.000000001,6291456.000000001,8388608.000000002,12582912.000000002,16777216.000000004}'::double precision[]) AS b0, trunc(v0::double precision / NULLIF(q0, 0) * 3221225424.0)::bigint AS t0 FROM (SELECT *, n::double precision AS q0, 1 AS place FROM (SELECT unit, LEAST(n, 3037000499) AS n, LEAST(n, 3037000499) AS v0 FROM (SELECT x0 AS unit, count(*) AS n FROM (SELECT t0."patient_id" AS x0 FROM "public"."readings" AS t0 INNER JOIN "public"."prices" AS t1 ON ((coalesce(t0."short", t0."short") COLLATE pg_catalog."default") = t1."code") ORDER BY 1) AS r GROUP BY 1) AS counted) AS per_unit) AS sized) AS rows) AS numbered) AS r GROUP BY i, b

SELECT count(*) FROM visits v JOIN holidays h ON h.day = v.visited_at::date;
--> path: single group
--> Differentially private aggregate of public.visits joined with public.holidays
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows per group, squared and summed <= 500)
-->   Group keys: none, one row
-->   Noisy number 1: rows; standard deviation 223.607, 95 % of the noise within ±438.262
-->   count(*): from noisy number 1
-->   95 % of the noise: count(*) within ±438 rows
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.holidays.day, public.visits.patient_id, public.visits.visited_at
--> rests on: public.holidays (day)
--> work of a row: 1706 ns
--> source: SELECT sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, n * n AS q FROM (SELECT unit, LEAST(n, 3037000499) AS n, LEAST(n, 3037000499) AS v0 FROM (SELECT x0 AS unit, count(*) AS n FROM (SELECT t0."patient_id" AS x0 FROM "public"."visits" AS t0 INNER JOIN "public"."holidays" AS t1 ON ((CASE WHEN t0."visited_at" BETWEEN '0001-01-01' AND '9999-12-31' THEN t0."visited_at" END)::date = t1."day") ORDER BY 1) AS r GROUP BY 1) AS counted) AS per_unit) AS sized) AS scaled

SELECT count(*) FROM visits v JOIN holidays h ON h.day = date_trunc('day', v.visited_at);
--> path: single group
--> Differentially private aggregate of public.visits joined with public.holidays
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows per group, squared and summed <= 500)
-->   Repeated rows: each row counts up to 30 times, as FROM repeats it, and max_rows = 50 limits them all
-->   Group keys: none, one row
-->   Noisy number 1: rows; standard deviation 223.607, 95 % of the noise within ±438.262
-->   count(*): from noisy number 1
-->   95 % of the noise: count(*) within ±438 rows
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.holidays.day, public.visits.patient_id, public.visits.visited_at
--> work of a row: 2206 ns
--> source: SELECT sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, n * n AS q FROM (SELECT unit, LEAST(n, 3037000499) AS n, LEAST(n, 3037000499) AS v0 FROM (SELECT x0 AS unit, count(*) AS n FROM (SELECT t0."patient_id" AS x0 FROM "public"."visits" AS t0 INNER JOIN "public"."holidays" AS t1 ON (date_trunc('day', (CASE WHEN t0."visited_at" >= '0001-01-01' THEN t0."visited_at" END)) = t1."day") ORDER BY 1) AS r GROUP BY 1) AS counted) AS per_unit) AS sized) AS scaled

SELECT count(*) FROM visits v JOIN holidays h ON h.day = v.visited_at;
--> path: single group
--> Differentially private aggregate of public.visits joined with public.holidays
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows per group, squared and summed <= 500)
-->   Repeated rows: each row counts up to 30 times, as FROM repeats it, and max_rows = 50 limits them all
-->   Group keys: none, one row
-->   Noisy number 1: rows; standard deviation 223.607, 95 % of the noise within ±438.262
-->   count(*): from noisy number 1
-->   95 % of the noise: count(*) within ±438 rows
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.holidays.day, public.visits.patient_id, public.visits.visited_at
--> work of a row: 176 ns
--> source: SELECT sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, n * n AS q FROM (SELECT unit, LEAST(n, 3037000499) AS n, LEAST(n, 3037000499) AS v0 FROM (SELECT x0 AS unit, count(*) AS n FROM (SELECT t0."patient_id" AS x0 FROM "public"."visits" AS t0 INNER JOIN "public"."holidays" AS t1 ON (t0."visited_at" = t1."day") ORDER BY 1) AS r GROUP BY 1) AS counted) AS per_unit) AS sized) AS scaled

SELECT count(*) FROM visits v JOIN visits w ON w.patient_id = v.patient_id AND w.visit_id = v.visit_id WHERE EXISTS (SELECT FROM stays s WHERE s.patient_id = w.patient_id AND s.nights < w.minutes);
--> path: single group
--> Differentially private aggregate of public.visits joined with public.stays
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: units are scaled down to a limit that the query chooses from the data for 1/10 of the price, by their rows
-->   Rows that meet others: at most 200 of a unit in public.visits; further ones take no part
-->   Rows that meet others: at most 256 of a unit in public.stays; further ones take no part
-->   Group keys: none, one row
-->   Noisy number 1: rows; standard deviation 10.5409 times the limit of their rows
-->   count(*): from noisy number 1
-->   95 % of the noise: as wide as the limit that the query chooses makes it; the answer's notice says it
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.stays.nights, public.stays.patient_id, public.stays.ward, public.visits.cost, public.visits.day, public.visits.details, public.visits.diagnosis, public.visits.minutes, public.visits.note, public.visits.paid_at, public.visits.patient_id, public.visits.region, public.visits.score, public.visits.tags, public.visits.took, public.visits.urgent, public.visits.visit_id, public.visits.visited_at
--> rests on: public.visits (visit_id)
--> cut: public.visits to 200 rows: SELECT m."patient_id" AS unit FROM "public"."visits" AS m WHERE m."patient_id" IS NOT NULL GROUP BY 1 HAVING count(*) > 200
--> cut: public.stays to 256 rows: SELECT m."patient_id" AS unit FROM "public"."stays" AS m WHERE m."patient_id" IS NOT NULL GROUP BY 1 HAVING count(*) > 256
--> work of a row: 1340 ns
--> source: WITH many_e8fe7e938aead538 AS MATERIALIZED (SELECT m."patient_id" AS unit FROM "public"."visits" AS m WHERE m."patient_id" IS NOT NULL GROUP BY 1 HAVING count(*) > 200), many_78d5fbdb4f6a7395 AS MATERIALIZED (SELECT m."patient_id" AS unit FROM "public"."stays" AS m WHERE m."patient_id" IS NOT NULL GROUP BY 1 HAVING count(*) > 256) SELECT * FROM (SELECT i, b, sum(a0) AS a0, sum(z0) AS z0, count(*) FILTER (WHERE place = 1 AND adds) AS units FROM (SELECT *, b0 AS b, true AS adds, v0 AS a0, t0 AS z0 FROM (SELECT *, 0 AS i FROM (SELECT *, width_bucket(q0, '{1.0000000000000002,1.5000000000000002,2.0000000000000004,3.0000000000000004,4.000000000000001,6.000000000000001,8.000000000000002,12.000000000000002,16.000000000000004,24.000000000000004,32.00000000000001,48.00000000000001,64.00000000000001,96.00000000000001,128.00000000000003,192.00000000000003,256.00000000000006,384.00000000000006,512.0000000000001,768.0000000000001,1024.0000000000002,1536.0000000000002,2048.0000000000005,3072.0000000000005,4096.000000000001,6144.000000000001,8192.000000000002,12288.000000000002,16384.000000000004,24576.000000000004,32768.00000000001,49152.00000000001,65536.00000000001,98304.00000000001,131072.00000000003,196608.00000000003,262144.00000000006,393216.00000000006,524288.0000000001,786432.0000000001,1048576.0000000002,1572864.0000000002,2097152.0000000005,3145728.0000000005,4194304.000000001,6291456.000000001,8388608.000000002,12582912.000000002,16777216.000000004}'::double precision[]) AS b0, trunc(v0::double precision / NULLIF(q0, 0) * 3221225424.0)::bigint AS t0 FROM (SELECT *, n::double precision AS q0, 1 AS place FROM (SELECT unit, LEAST(n, 3037000499) AS n, LEAST(n, 3037000499) AS v0 FROM (SELECT x0 AS unit, count(*) AS n FROM (SELECT t0."patient_id" AS x0 FROM ((SELECT m."visit_id", m."patient_id", m."region", m."visited_at", m."paid_at", m."day", m."minutes", m."cost", m."score", m."urgent", m."diagnosis", m."note", m."took", m."details", m."tags" FROM "public"."visits" AS m WHERE NOT EXISTS (SELECT FROM many_e8fe7e938aead538 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"])) UNION ALL (SELECT "visit_id", "patient_id", "region", "visited_at", "paid_at", "day", "minutes", "cost", "score", "urgent", "diagnosis", "note", "took", "details", "tags" FROM (SELECT m."visit_id", m."patient_id", m."region", m."visited_at", m."paid_at", m."day", m."minutes", m."cost", m."score", m."urgent", m."diagnosis", m."note", m."took", m."details", m."tags", row_number() OVER (PARTITION BY m."patient_id" ORDER BY m."visit_id") AS place0 FROM "public"."visits" AS m WHERE EXISTS (SELECT FROM many_e8fe7e938aead538 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"])) AS r WHERE r.place0 <= 200)) AS t0 INNER JOIN "public"."visits" AS t1 ON ((t0."patient_id" = t1."patient_id") AND (t0."visit_id" = t1."visit_id")) AND hashint8((t1."patient_id")::bigint) = hashint8((t0."patient_id")::bigint) WHERE EXISTS (SELECT FROM ((SELECT m."patient_id", m."ward", m."nights" FROM "public"."stays" AS m WHERE NOT EXISTS (SELECT FROM many_78d5fbdb4f6a7395 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"])) UNION ALL (SELECT "patient_id", "ward", "nights" FROM (SELECT m."patient_id", m."ward", m."nights", row_number() OVER (PARTITION BY m."patient_id" ORDER BY ROW(m."patient_id", (CASE WHEN octet_length(m."ward") > 4000 THEN CASE WHEN pg_column_size(m."ward") <= 1000000 THEN left(m."ward", 2000) ELSE '' END ELSE m."ward" END), m."nights") USING *<) AS place0 FROM "public"."stays" AS m WHERE EXISTS (SELECT FROM many_78d5fbdb4f6a7395 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"])) AS r WHERE r.place0 <= 256)) AS s0t0 WHERE ((s0t0."nights" < t1."minutes") AND (s0t0."patient_id" = t1."patient_id")) AND hashint8((s0t0."patient_id")::bigint) = hashint8((t1."patient_id")::bigint)) ORDER BY 1) AS r GROUP BY 1) AS counted) AS per_unit) AS sized) AS rows) AS numbered) AS r GROUP BY i, b) AS measured

SELECT r.name, count(concat(v.note)) FROM regions r LEFT JOIN visits v ON v.region = r.name GROUP BY r.name;
--> refused 0A000 outer-join-rows: this aggregate would count public rows without a matching private row

SELECT r.name, count(lower(v.note)) FROM regions r LEFT JOIN visits v ON v.region = r.name GROUP BY r.name;
--> path: general
--> declared keys: SELECT DISTINCT t0."name" AS k0 FROM "public"."regions" AS t0 LIMIT 100001
--> Differentially private aggregate of public.visits joined with public.regions
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows per group, squared and summed <= 500)
-->   Rows that may take long: at most 2000 of a unit in public.visits; further ones take no part
-->   Group keys: r.name: declared (rows that the outer join keeps); every key is answered, empty ones as noise around 0
-->   Noisy number 1: rows where the value is not NULL; standard deviation 223.607, 95 % of the noise within ±438.262
-->   count(lower(v.note)): from noisy number 1
-->   95 % of the noise: count(lower(v.note)) within ±438 rows
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.regions.name, public.visits.cost, public.visits.day, public.visits.details, public.visits.diagnosis, public.visits.minutes, public.visits.note, public.visits.paid_at, public.visits.patient_id, public.visits.region, public.visits.score, public.visits.tags, public.visits.took, public.visits.urgent, public.visits.visit_id, public.visits.visited_at
--> rests on: public.regions (name)
--> rests on: public.visits (visit_id)
--> cut: public.visits to 2000 rows: SELECT m."patient_id" AS unit FROM "public"."visits" AS m WHERE m."patient_id" IS NOT NULL GROUP BY 1 HAVING count(*) > 2000
--> work of a row: 194100 ns
--> source: WITH many_d309dd02df23f5c9 AS MATERIALIZED (SELECT m."patient_id" AS unit FROM "public"."visits" AS m WHERE m."patient_id" IS NOT NULL GROUP BY 1 HAVING count(*) > 2000) SELECT * FROM (WITH heavy AS MATERIALIZED (SELECT unit FROM (SELECT t1."patient_id" AS unit FROM "public"."regions" AS t0 INNER JOIN ((SELECT m."visit_id", m."patient_id", m."region", m."visited_at", m."paid_at", m."day", m."minutes", m."cost", m."score", m."urgent", m."diagnosis", m."note", m."took", m."details", m."tags" FROM "public"."visits" AS m WHERE NOT EXISTS (SELECT FROM many_d309dd02df23f5c9 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"]) OFFSET 0) UNION ALL (SELECT "visit_id", "patient_id", "region", "visited_at", "paid_at", "day", "minutes", "cost", "score", "urgent", "diagnosis", "note", "took", "details", "tags" FROM (SELECT m."visit_id", m."patient_id", m."region", m."visited_at", m."paid_at", m."day", m."minutes", m."cost", m."score", m."urgent", m."diagnosis", m."note", m."took", m."details", m."tags", row_number() OVER (PARTITION BY m."patient_id" ORDER BY m."visit_id") AS place0 FROM "public"."visits" AS m WHERE EXISTS (SELECT FROM many_d309dd02df23f5c9 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"])) AS r WHERE r.place0 <= 2000 OFFSET 0)) AS t1 ON (((CASE WHEN octet_length(t1."region") > 4000 THEN CASE WHEN pg_column_size(t1."region") <= 1000000 THEN left(t1."region", 2000) ELSE '' END ELSE t1."region" END) COLLATE pg_catalog."default") = t0."name") ORDER BY 1) AS r GROUP BY unit HAVING count(*) > 22) SELECT k0, sum(v0) AS v0 FROM (SELECT x0 AS k0, count(x1)::numeric * 1024 AS v0 FROM (SELECT (t0."name" COLLATE "C") AS x0, lower(((CASE WHEN octet_length(t1."note") > 4000 THEN CASE WHEN pg_column_size(t1."note") <= 1000000 THEN left(t1."note", 2000) ELSE '' END ELSE t1."note" END) COLLATE pg_catalog."default")) AS x1 FROM "public"."regions" AS t0 INNER JOIN ((SELECT m."visit_id", m."patient_id", m."region", m."visited_at", m."paid_at", m."day", m."minutes", m."cost", m."score", m."urgent", m."diagnosis", m."note", m."took", m."details", m."tags" FROM "public"."visits" AS m WHERE NOT EXISTS (SELECT FROM many_d309dd02df23f5c9 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"]) OFFSET 0) UNION ALL (SELECT "visit_id", "patient_id", "region", "visited_at", "paid_at", "day", "minutes", "cost", "score", "urgent", "diagnosis", "note", "took", "details", "tags" FROM (SELECT m."visit_id", m."patient_id", m."region", m."visited_at", m."paid_at", m."day", m."minutes", m."cost", m."score", m."urgent", m."diagnosis", m."note", m."took", m."details", m."tags", row_number() OVER (PARTITION BY m."patient_id" ORDER BY m."visit_id") AS place0 FROM "public"."visits" AS m WHERE EXISTS (SELECT FROM many_d309dd02df23f5c9 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"])) AS r WHERE r.place0 <= 2000 OFFSET 0)) AS t1 ON (((CASE WHEN octet_length(t1."region") > 4000 THEN CASE WHEN pg_column_size(t1."region") <= 1000000 THEN left(t1."region", 2000) ELSE '' END ELSE t1."region" END) COLLATE pg_catalog."default") = t0."name") WHERE NOT EXISTS (SELECT FROM heavy AS h WHERE h.unit = t1."patient_id")) AS r GROUP BY 1 UNION ALL SELECT k0, sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, sum(n * n) OVER w AS q FROM (SELECT unit, k0, LEAST(n, 3037000499) AS n, LEAST(s0, 3037000499) AS v0 FROM (SELECT x0 AS unit, x1 AS k0, count(*) AS n, count(x2) AS s0 FROM (SELECT t1."patient_id" AS x0, (t0."name" COLLATE "C") AS x1, lower(((CASE WHEN octet_length(t1."note") > 4000 THEN CASE WHEN pg_column_size(t1."note") <= 1000000 THEN left(t1."note", 2000) ELSE '' END ELSE t1."note" END) COLLATE pg_catalog."default")) AS x2 FROM "public"."regions" AS t0 INNER JOIN ((SELECT m."visit_id", m."patient_id", m."region", m."visited_at", m."paid_at", m."day", m."minutes", m."cost", m."score", m."urgent", m."diagnosis", m."note", m."took", m."details", m."tags" FROM "public"."visits" AS m WHERE NOT EXISTS (SELECT FROM many_d309dd02df23f5c9 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"]) OFFSET 0) UNION ALL (SELECT "visit_id", "patient_id", "region", "visited_at", "paid_at", "day", "minutes", "cost", "score", "urgent", "diagnosis", "note", "took", "details", "tags" FROM (SELECT m."visit_id", m."patient_id", m."region", m."visited_at", m."paid_at", m."day", m."minutes", m."cost", m."score", m."urgent", m."diagnosis", m."note", m."took", m."details", m."tags", row_number() OVER (PARTITION BY m."patient_id" ORDER BY m."visit_id") AS place0 FROM "public"."visits" AS m WHERE EXISTS (SELECT FROM many_d309dd02df23f5c9 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"])) AS r WHERE r.place0 <= 2000 OFFSET 0)) AS t1 ON (((CASE WHEN octet_length(t1."region") > 4000 THEN CASE WHEN pg_column_size(t1."region") <= 1000000 THEN left(t1."region", 2000) ELSE '' END ELSE t1."region" END) COLLATE pg_catalog."default") = t0."name") WHERE EXISTS (SELECT FROM heavy AS h WHERE h.unit = t1."patient_id")) AS r GROUP BY 1, 2) AS counted) AS per_unit WINDOW w AS (PARTITION BY unit)) AS sized) AS scaled GROUP BY 1) AS parts GROUP BY 1) AS measured

SELECT rank, count(*) FROM (SELECT rank FROM (SELECT small AS rank FROM readings) AS t) AS u GROUP BY rank;
--> path: unique
--> Differentially private aggregate of public.readings
-->   Privacy unit: patient, by public.readings.patient_id
-->   Contribution: one row per unit, proven by a unique key of the source; no unit is scaled down
-->   Group keys: rank: selected; a group shows if its weighted number of units, with noise, reaches 82.0 (each unit counts in at most 1 groups)
-->   Noisy number 1: rows; standard deviation 14.1421, 95 % of the noise within ±28
-->   count(*): from noisy number 1
-->   95 % of the noise: count(*) within ±28 rows
-->   Noise intervals (dp.low, dp.high): cover everything, nothing is clipped
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005, delta 5e-09
--> reads: public.readings.patient_id, public.readings.small
--> rests on: public.readings (patient_id)
--> work of a row: 60 ns
--> source: SELECT x0 AS k0, count(*) AS s0, count(*) AS weight FROM (SELECT t0.c0 AS x0 FROM (SELECT t0t0.unit AS unit, t0t0.c0 AS c0 FROM (SELECT t0t0t0."patient_id" AS unit, t0t0t0."small" AS c0 FROM "public"."readings" AS t0t0t0) AS t0t0) AS t0) AS r GROUP BY 1

SELECT date_trunc('year', v.visited_at), count(*) FROM drugs d LEFT JOIN visits v USING (visit_id) GROUP BY 1;
--> path: general
--> declared keys: SELECT DISTINCT d0.c0 AS k0 FROM (SELECT DISTINCT s AS c0 FROM generate_series(date_trunc('year', greatest('2024-01-01'::timestamp without time zone)), date_trunc('year', least('2025-12-31 23:59:59.999999'::timestamp without time zone)), '1 year'::interval) AS series(s)) AS d0 LIMIT 100001
--> Differentially private aggregate of public.drugs joined with public.visits
-->   Privacy unit: patient, by visit_id -> public.visits.visit_id
-->   Contribution: units are scaled down to a limit that the query chooses from the data for 1/10 of the price, by their rows, per group, squared, summed, and the root taken
-->   Group keys: date_trunc('year', v.visited_at): declared (years of visited_at); each declared key is answered, empty ones as noise around 0; rows with other values of date_trunc('year', v.visited_at) are in no group
-->   Noisy number 1: rows; standard deviation 10.5409 times the limit of their rows
-->   count(*): from noisy number 1
-->   95 % of the noise: as wide as the limit that the query chooses makes it; the answer's notice says it
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.drugs.visit_id, public.visits.patient_id, public.visits.visit_id, public.visits.visited_at
--> rests on: public.visits (visit_id)
--> rests on: public.drugs (drug_id)
--> work of a row: 2240 ns
--> source: WITH found AS (SELECT k0, i, b, sum(a0) AS a0, sum(z0) AS z0, count(*) FILTER (WHERE place = 1 AND adds) AS units FROM (SELECT *, b0 AS b, true AS adds, v0 AS a0, t0 AS z0 FROM (SELECT *, 0 AS i FROM (SELECT *, width_bucket(q0, '{1.0000000000000002,2.2500000000000004,4.000000000000001,9.000000000000002,16.000000000000004,36.00000000000001,64.00000000000001,144.00000000000003,256.00000000000006,576.0000000000001,1024.0000000000002,2304.0000000000005,4096.000000000001,9216.000000000002,16384.000000000004,36864.00000000001,65536.00000000001,147456.00000000003,262144.00000000006,589824.0000000001,1048576.0000000002,2359296.0000000005,4194304.000000001,9437184.000000002,16777216.000000004,37748736.00000001,67108864.00000001,150994944.00000003,268435456.00000006,603979776.0000001,1073741824.0000002,2415919104.0000005,4294967296.000001,9663676416.000002,17179869184.000004,38654705664.00001,68719476736.00002,154618822656.00003,274877906944.00006,618475290624.0001,1099511627776.0002,2473901162496.0005,4398046511104.001,9895604649984.002,17592186044416.004,39582418599936.01,70368744177664.02,158329674399744.03,281474976710656.06}'::double precision[]) AS b0, trunc(v0::double precision / NULLIF(sqrt(q0), 0) * 3221225424.0)::bigint AS t0 FROM (SELECT *, CASE WHEN (sum(n * n) OVER w) < 4611686018427387904 THEN (sum(n * n) OVER w)::bigint::double precision ELSE (sum(n * n) OVER w)::double precision END AS q0, row_number() OVER w AS place FROM (SELECT unit, k0, LEAST(n, 3037000499) AS n, LEAST(n, 3037000499) AS v0 FROM (SELECT x0 AS unit, x1 AS k0, count(*) AS n FROM (SELECT t1."patient_id" AS x0, date_trunc('year', (CASE WHEN t1."visited_at" >= '0001-01-01' THEN t1."visited_at" END)) AS x1 FROM "public"."drugs" AS t0 INNER JOIN "public"."visits" AS t1 ON t0."visit_id" = t1."visit_id") AS r GROUP BY 1, 2) AS counted) AS per_unit WINDOW w AS (PARTITION BY unit)) AS sized) AS rows) AS numbered) AS r GROUP BY k0, i, b) SELECT k0, i, b, a0, z0, NULL::bigint AS units FROM found UNION ALL SELECT NULL, i, b, NULL, NULL, sum(units)::bigint FROM found WHERE units IS NOT NULL GROUP BY i, b

SELECT date_trunc('year', v.visited_at), count(*) FROM drugs d LEFT JOIN visits v ON v.visit_id = d.visit_id GROUP BY 1;
--> path: general
--> declared keys: SELECT DISTINCT d0.c0 AS k0 FROM (SELECT DISTINCT s AS c0 FROM generate_series(date_trunc('year', greatest('2024-01-01'::timestamp without time zone)), date_trunc('year', least('2025-12-31 23:59:59.999999'::timestamp without time zone)), '1 year'::interval) AS series(s)) AS d0 LIMIT 100001
--> Differentially private aggregate of public.drugs joined with public.visits
-->   Privacy unit: patient, by visit_id -> public.visits.visit_id
-->   Contribution: units are scaled down to a limit that the query chooses from the data for 1/10 of the price, by their rows, per group, squared, summed, and the root taken
-->   Group keys: date_trunc('year', v.visited_at): declared (years of visited_at); each declared key is answered, empty ones as noise around 0; rows with other values of date_trunc('year', v.visited_at) are in no group
-->   Noisy number 1: rows; standard deviation 10.5409 times the limit of their rows
-->   count(*): from noisy number 1
-->   95 % of the noise: as wide as the limit that the query chooses makes it; the answer's notice says it
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.drugs.visit_id, public.visits.patient_id, public.visits.visit_id, public.visits.visited_at
--> rests on: public.visits (visit_id)
--> rests on: public.drugs (drug_id)
--> work of a row: 2240 ns
--> source: WITH found AS (SELECT k0, i, b, sum(a0) AS a0, sum(z0) AS z0, count(*) FILTER (WHERE place = 1 AND adds) AS units FROM (SELECT *, b0 AS b, true AS adds, v0 AS a0, t0 AS z0 FROM (SELECT *, 0 AS i FROM (SELECT *, width_bucket(q0, '{1.0000000000000002,2.2500000000000004,4.000000000000001,9.000000000000002,16.000000000000004,36.00000000000001,64.00000000000001,144.00000000000003,256.00000000000006,576.0000000000001,1024.0000000000002,2304.0000000000005,4096.000000000001,9216.000000000002,16384.000000000004,36864.00000000001,65536.00000000001,147456.00000000003,262144.00000000006,589824.0000000001,1048576.0000000002,2359296.0000000005,4194304.000000001,9437184.000000002,16777216.000000004,37748736.00000001,67108864.00000001,150994944.00000003,268435456.00000006,603979776.0000001,1073741824.0000002,2415919104.0000005,4294967296.000001,9663676416.000002,17179869184.000004,38654705664.00001,68719476736.00002,154618822656.00003,274877906944.00006,618475290624.0001,1099511627776.0002,2473901162496.0005,4398046511104.001,9895604649984.002,17592186044416.004,39582418599936.01,70368744177664.02,158329674399744.03,281474976710656.06}'::double precision[]) AS b0, trunc(v0::double precision / NULLIF(sqrt(q0), 0) * 3221225424.0)::bigint AS t0 FROM (SELECT *, CASE WHEN (sum(n * n) OVER w) < 4611686018427387904 THEN (sum(n * n) OVER w)::bigint::double precision ELSE (sum(n * n) OVER w)::double precision END AS q0, row_number() OVER w AS place FROM (SELECT unit, k0, LEAST(n, 3037000499) AS n, LEAST(n, 3037000499) AS v0 FROM (SELECT x0 AS unit, x1 AS k0, count(*) AS n FROM (SELECT t1."patient_id" AS x0, date_trunc('year', (CASE WHEN t1."visited_at" >= '0001-01-01' THEN t1."visited_at" END)) AS x1 FROM "public"."drugs" AS t0 INNER JOIN "public"."visits" AS t1 ON (t0."visit_id" = t1."visit_id")) AS r GROUP BY 1, 2) AS counted) AS per_unit WINDOW w AS (PARTITION BY unit)) AS sized) AS rows) AS numbered) AS r GROUP BY k0, i, b) SELECT k0, i, b, a0, z0, NULL::bigint AS units FROM found UNION ALL SELECT NULL, i, b, NULL, NULL, sum(units)::bigint FROM found WHERE units IS NOT NULL GROUP BY i, b

SELECT date_trunc('year', v.visited_at), count(*) FROM drugs d LEFT JOIN visits v ON d.visit_id = v.visit_id AND v.urgent GROUP BY 1;
--> path: general
--> declared keys: SELECT DISTINCT d0.c0 AS k0 FROM (SELECT DISTINCT s AS c0 FROM generate_series(date_trunc('year', greatest('2024-01-01'::timestamp without time zone)), date_trunc('year', least('2025-12-31 23:59:59.999999'::timestamp without time zone)), '1 year'::interval) AS series(s) UNION ALL SELECT NULL) AS d0 LIMIT 100001
--> Differentially private aggregate of public.drugs joined with public.visits
-->   Privacy unit: patient, by visit_id -> public.visits.visit_id
-->   Contribution: units are scaled down to a limit that the query chooses from the data for 1/10 of the price, by their rows, per group, squared, summed, and the root taken
-->   Group keys: date_trunc('year', v.visited_at): declared (years of visited_at); each declared key is answered, empty ones as noise around 0; rows with other values of date_trunc('year', v.visited_at) are in no group
-->   Noisy number 1: rows; standard deviation 10.5409 times the limit of their rows
-->   count(*): from noisy number 1
-->   95 % of the noise: as wide as the limit that the query chooses makes it; the answer's notice says it
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.drugs.visit_id, public.visits.patient_id, public.visits.urgent, public.visits.visit_id, public.visits.visited_at
--> rests on: public.visits (visit_id)
--> rests on: public.drugs (drug_id)
--> work of a row: 2290 ns
--> source: WITH found AS (SELECT k0, i, b, sum(a0) AS a0, sum(z0) AS z0, count(*) FILTER (WHERE place = 1 AND adds) AS units FROM (SELECT *, b0 AS b, true AS adds, v0 AS a0, t0 AS z0 FROM (SELECT *, 0 AS i FROM (SELECT *, width_bucket(q0, '{1.0000000000000002,2.2500000000000004,4.000000000000001,9.000000000000002,16.000000000000004,36.00000000000001,64.00000000000001,144.00000000000003,256.00000000000006,576.0000000000001,1024.0000000000002,2304.0000000000005,4096.000000000001,9216.000000000002,16384.000000000004,36864.00000000001,65536.00000000001,147456.00000000003,262144.00000000006,589824.0000000001,1048576.0000000002,2359296.0000000005,4194304.000000001,9437184.000000002,16777216.000000004,37748736.00000001,67108864.00000001,150994944.00000003,268435456.00000006,603979776.0000001,1073741824.0000002,2415919104.0000005,4294967296.000001,9663676416.000002,17179869184.000004,38654705664.00001,68719476736.00002,154618822656.00003,274877906944.00006,618475290624.0001,1099511627776.0002,2473901162496.0005,4398046511104.001,9895604649984.002,17592186044416.004,39582418599936.01,70368744177664.02,158329674399744.03,281474976710656.06}'::double precision[]) AS b0, trunc(v0::double precision / NULLIF(sqrt(q0), 0) * 3221225424.0)::bigint AS t0 FROM (SELECT *, CASE WHEN (sum(n * n) OVER w) < 4611686018427387904 THEN (sum(n * n) OVER w)::bigint::double precision ELSE (sum(n * n) OVER w)::double precision END AS q0, row_number() OVER w AS place FROM (SELECT unit, k0, LEAST(n, 3037000499) AS n, LEAST(n, 3037000499) AS v0 FROM (SELECT x0 AS unit, x1 AS k0, count(*) AS n FROM (SELECT t0u0."patient_id" AS x0, date_trunc('year', (CASE WHEN t1."visited_at" >= '0001-01-01' THEN t1."visited_at" END)) AS x1 FROM "public"."drugs" AS t0 LEFT JOIN "public"."visits" AS t1 ON ((t0."visit_id" = t1."visit_id") AND t1."urgent") INNER JOIN "public"."visits" AS t0u0 ON t0u0."visit_id" = t0."visit_id") AS r GROUP BY 1, 2) AS counted) AS per_unit WINDOW w AS (PARTITION BY unit)) AS sized) AS rows) AS numbered) AS r GROUP BY k0, i, b) SELECT k0, i, b, a0, z0, NULL::bigint AS units FROM found UNION ALL SELECT NULL, i, b, NULL, NULL, sum(units)::bigint FROM found WHERE units IS NOT NULL GROUP BY i, b

SELECT name, count(*) FROM visits LEFT JOIN regions ON region = name GROUP BY 1;
--> path: general
--> declared keys: SELECT DISTINCT d0.c0 AS k0 FROM (SELECT DISTINCT p."name" AS c0 FROM "public"."regions" AS p UNION SELECT NULL) AS d0 LIMIT 100001
--> Differentially private aggregate of public.visits joined with public.regions
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows per group, squared and summed <= 500)
-->   Group keys: name: declared (rows of public.regions); every key is answered, empty ones as noise around 0
-->   Noisy number 1: rows; standard deviation 223.607, 95 % of the noise within ±438.262
-->   count(*): from noisy number 1
-->   95 % of the noise: count(*) within ±438 rows
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.regions.name, public.visits.patient_id, public.visits.region
--> rests on: public.regions (name)
--> rests on: public.visits (visit_id)
--> work of a row: 52100 ns
--> source: WITH heavy AS MATERIALIZED (SELECT unit FROM (SELECT t0."patient_id" AS unit FROM "public"."visits" AS t0 LEFT JOIN "public"."regions" AS t1 ON (((CASE WHEN octet_length(t0."region") > 4000 THEN CASE WHEN pg_column_size(t0."region") <= 1000000 THEN left(t0."region", 2000) ELSE '' END ELSE t0."region" END) COLLATE pg_catalog."default") = t1."name") ORDER BY 1) AS r GROUP BY unit HAVING count(*) > 22) SELECT k0, sum(v0) AS v0 FROM (SELECT x0 AS k0, count(*)::numeric * 1024 AS v0 FROM (SELECT (t1."name" COLLATE "C") AS x0 FROM "public"."visits" AS t0 LEFT JOIN "public"."regions" AS t1 ON (((CASE WHEN octet_length(t0."region") > 4000 THEN CASE WHEN pg_column_size(t0."region") <= 1000000 THEN left(t0."region", 2000) ELSE '' END ELSE t0."region" END) COLLATE pg_catalog."default") = t1."name") WHERE NOT EXISTS (SELECT FROM heavy AS h WHERE h.unit = t0."patient_id")) AS r GROUP BY 1 UNION ALL SELECT k0, sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, sum(n * n) OVER w AS q FROM (SELECT unit, k0, LEAST(n, 3037000499) AS n, LEAST(n, 3037000499) AS v0 FROM (SELECT x0 AS unit, x1 AS k0, count(*) AS n FROM (SELECT t0."patient_id" AS x0, (t1."name" COLLATE "C") AS x1 FROM "public"."visits" AS t0 LEFT JOIN "public"."regions" AS t1 ON (((CASE WHEN octet_length(t0."region") > 4000 THEN CASE WHEN pg_column_size(t0."region") <= 1000000 THEN left(t0."region", 2000) ELSE '' END ELSE t0."region" END) COLLATE pg_catalog."default") = t1."name") WHERE EXISTS (SELECT FROM heavy AS h WHERE h.unit = t0."patient_id")) AS r GROUP BY 1, 2) AS counted) AS per_unit WINDOW w AS (PARTITION BY unit)) AS sized) AS scaled GROUP BY 1) AS parts GROUP BY 1

SELECT count(*) FROM visits v JOIN visits w USING (patient_id, note, diagnosis) WHERE v.note > 'a' AND w.note > 'b' AND w.note || v.note > 'c';
--> path: single group
--> Differentially private aggregate of public.visits
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows per group, squared and summed <= 500)
-->   Rows that meet others: at most 40 of a unit in public.visits; further ones take no part
-->   Group keys: none, one row
-->   Noisy number 1: rows; standard deviation 223.607, 95 % of the noise within ±438.262
-->   count(*): from noisy number 1
-->   95 % of the noise: count(*) within ±438 rows
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.visits.cost, public.visits.day, public.visits.details, public.visits.diagnosis, public.visits.minutes, public.visits.note, public.visits.paid_at, public.visits.patient_id, public.visits.region, public.visits.score, public.visits.tags, public.visits.took, public.visits.urgent, public.visits.visit_id, public.visits.visited_at
--> cut: public.visits to 40 rows: SELECT m."patient_id" AS unit FROM "public"."visits" AS m WHERE m."patient_id" IS NOT NULL GROUP BY 1 HAVING count(*) > 40
--> cut: public.visits to 40 rows: SELECT m."patient_id" AS unit FROM "public"."visits" AS m WHERE m."patient_id" IS NOT NULL GROUP BY 1 HAVING count(*) > 40
--> work of a row: 257215 ns
--> source: WITH many_2846cb94e8becbcc AS MATERIALIZED (SELECT m."patient_id" AS unit FROM "public"."visits" AS m WHERE m."patient_id" IS NOT NULL GROUP BY 1 HAVING count(*) > 40) SELECT * FROM (SELECT sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, n * n AS q FROM (SELECT unit, LEAST(n, 3037000499) AS n, LEAST(n, 3037000499) AS v0 FROM (SELECT x0 AS unit, count(*) AS n FROM (SELECT t0."patient_id" AS x0 FROM ((SELECT m."visit_id", m."patient_id", m."region", m."visited_at", m."paid_at", m."day", m."minutes", m."cost", m."score", m."urgent", m."diagnosis", m."note", m."took", m."details", m."tags" FROM "public"."visits" AS m WHERE NOT EXISTS (SELECT FROM many_2846cb94e8becbcc AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"]) OFFSET 0) UNION ALL (SELECT "visit_id", "patient_id", "region", "visited_at", "paid_at", "day", "minutes", "cost", "score", "urgent", "diagnosis", "note", "took", "details", "tags" FROM (SELECT m."visit_id", m."patient_id", m."region", m."visited_at", m."paid_at", m."day", m."minutes", m."cost", m."score", m."urgent", m."diagnosis", m."note", m."took", m."details", m."tags", row_number() OVER (PARTITION BY m."patient_id" ORDER BY m."visit_id") AS place0 FROM "public"."visits" AS m WHERE EXISTS (SELECT FROM many_2846cb94e8becbcc AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"])) AS r WHERE r.place0 <= 40 OFFSET 0)) AS t0 INNER JOIN ((SELECT m."visit_id", m."patient_id", m."region", m."visited_at", m."paid_at", m."day", m."minutes", m."cost", m."score", m."urgent", m."diagnosis", m."note", m."took", m."details", m."tags" FROM "public"."visits" AS m WHERE NOT EXISTS (SELECT FROM many_2846cb94e8becbcc AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"]) OFFSET 0) UNION ALL (SELECT "visit_id", "patient_id", "region", "visited_at", "paid_at", "day", "minutes", "cost", "score", "urgent", "diagnosis", "note", "took", "details", "tags" FROM (SELECT m."visit_id", m."patient_id", m."region", m."visited_at", m."paid_at", m."day", m."minutes", m."cost", m."score", m."urgent", m."diagnosis", m."note", m."took", m."details", m."tags", row_number() OVER (PARTITION BY m."patient_id" ORDER BY m."visit_id") AS place0 FROM "public"."visits" AS m WHERE EXISTS (SELECT FROM many_2846cb94e8becbcc AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"])) AS r WHERE r.place0 <= 40 OFFSET 0)) AS t1 ON t0."patient_id" = t1."patient_id" AND ((CASE WHEN octet_length(t0."note") > 4000 THEN CASE WHEN pg_column_size(t0."note") <= 1000000 THEN left(t0."note", 2000) ELSE '' END ELSE t0."note" END) COLLATE pg_catalog."default") = (CASE WHEN octet_length(t1."note") > 4000 THEN CASE WHEN pg_column_size(t1."note") <= 1000000 THEN left(t1."note", 2000) ELSE '' END ELSE t1."note" END) AND ((CASE WHEN octet_length(t0."diagnosis") > 4000 THEN CASE WHEN pg_column_size(t0."diagnosis") <= 1000000 THEN left(t0."diagnosis", 2000) ELSE '' END ELSE t0."diagnosis" END) COLLATE pg_catalog."default") = (CASE WHEN octet_length(t1."diagnosis") > 4000 THEN CASE WHEN pg_column_size(t1."diagnosis") <= 1000000 THEN left(t1."diagnosis", 2000) ELSE '' END ELSE t1."diagnosis" END) AND hashint8((t0."patient_id")::bigint) = hashint8((t1."patient_id")::bigint) AND hashtext(((CASE WHEN octet_length(t0."note") > 4000 THEN CASE WHEN pg_column_size(t0."note") <= 1000000 THEN left(t0."note", 2000) ELSE '' END ELSE t0."note" END))::text COLLATE pg_catalog."C") = hashtext(((CASE WHEN octet_length(t1."note") > 4000 THEN CASE WHEN pg_column_size(t1."note") <= 1000000 THEN left(t1."note", 2000) ELSE '' END ELSE t1."note" END))::text COLLATE pg_catalog."C") AND hashtext(((CASE WHEN octet_length(t0."diagnosis") > 4000 THEN CASE WHEN pg_column_size(t0."diagnosis") <= 1000000 THEN left(t0."diagnosis", 2000) ELSE '' END ELSE t0."diagnosis" END))::text COLLATE pg_catalog."C") = hashtext(((CASE WHEN octet_length(t1."diagnosis") > 4000 THEN CASE WHEN pg_column_size(t1."diagnosis") <= 1000000 THEN left(t1."diagnosis", 2000) ELSE '' END ELSE t1."diagnosis" END))::text COLLATE pg_catalog."C") WHERE ((((((CASE WHEN octet_length(t1."note") > 4000 THEN CASE WHEN pg_column_size(t1."note") <= 1000000 THEN left(t1."note", 2000) ELSE '' END ELSE t1."note" END) COLLATE pg_catalog."default") || ((CASE WHEN octet_length(t0."note") > 4000 THEN CASE WHEN pg_column_size(t0."note") <= 1000000 THEN left(t0."note", 2000) ELSE '' END ELSE t0."note" END) COLLATE pg_catalog."default")) COLLATE pg_catalog."C") > 'c') AND (((CASE WHEN octet_length(t0."note") > 4000 THEN CASE WHEN pg_column_size(t0."note") <= 1000000 THEN left(t0."note", 2000) ELSE '' END ELSE t0."note" END) COLLATE pg_catalog."C") > 'a') AND (((CASE WHEN octet_length(t1."note") > 4000 THEN CASE WHEN pg_column_size(t1."note") <= 1000000 THEN left(t1."note", 2000) ELSE '' END ELSE t1."note" END) COLLATE pg_catalog."C") > 'b')) ORDER BY 1) AS r GROUP BY 1) AS counted) AS per_unit) AS sized) AS scaled) AS measured

SELECT count(*) FROM visits v JOIN visits w USING (patient_id, note, diagnosis, region) WHERE v.note > 'a' AND w.note > 'b' AND w.note || v.note > 'c' AND v.region || w.diagnosis < 'd';
--> path: single group
--> Differentially private aggregate of public.visits
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows per group, squared and summed <= 500)
-->   Rows that meet others: at most 25 of a unit in public.visits; further ones take no part
-->   Group keys: none, one row
-->   Noisy number 1: rows; standard deviation 223.607, 95 % of the noise within ±438.262
-->   count(*): from noisy number 1
-->   95 % of the noise: count(*) within ±438 rows
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.visits.cost, public.visits.day, public.visits.details, public.visits.diagnosis, public.visits.minutes, public.visits.note, public.visits.paid_at, public.visits.patient_id, public.visits.region, public.visits.score, public.visits.tags, public.visits.took, public.visits.urgent, public.visits.visit_id, public.visits.visited_at
--> cut: public.visits to 25 rows: SELECT m."patient_id" AS unit FROM "public"."visits" AS m WHERE m."patient_id" IS NOT NULL GROUP BY 1 HAVING count(*) > 25
--> cut: public.visits to 25 rows: SELECT m."patient_id" AS unit FROM "public"."visits" AS m WHERE m."patient_id" IS NOT NULL GROUP BY 1 HAVING count(*) > 25
--> work of a row: 397920 ns
--> source: WITH many_f010005df11df9c1 AS MATERIALIZED (SELECT m."patient_id" AS unit FROM "public"."visits" AS m WHERE m."patient_id" IS NOT NULL GROUP BY 1 HAVING count(*) > 25) SELECT * FROM (SELECT sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, n * n AS q FROM (SELECT unit, LEAST(n, 3037000499) AS n, LEAST(n, 3037000499) AS v0 FROM (SELECT x0 AS unit, count(*) AS n FROM (SELECT t0."patient_id" AS x0 FROM ((SELECT m."visit_id", m."patient_id", m."region", m."visited_at", m."paid_at", m."day", m."minutes", m."cost", m."score", m."urgent", m."diagnosis", m."note", m."took", m."details", m."tags" FROM "public"."visits" AS m WHERE NOT EXISTS (SELECT FROM many_f010005df11df9c1 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"]) OFFSET 0) UNION ALL (SELECT "visit_id", "patient_id", "region", "visited_at", "paid_at", "day", "minutes", "cost", "score", "urgent", "diagnosis", "note", "took", "details", "tags" FROM (SELECT m."visit_id", m."patient_id", m."region", m."visited_at", m."paid_at", m."day", m."minutes", m."cost", m."score", m."urgent", m."diagnosis", m."note", m."took", m."details", m."tags", row_number() OVER (PARTITION BY m."patient_id" ORDER BY m."visit_id") AS place0 FROM "public"."visits" AS m WHERE EXISTS (SELECT FROM many_f010005df11df9c1 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"])) AS r WHERE r.place0 <= 25 OFFSET 0)) AS t0 INNER JOIN ((SELECT m."visit_id", m."patient_id", m."region", m."visited_at", m."paid_at", m."day", m."minutes", m."cost", m."score", m."urgent", m."diagnosis", m."note", m."took", m."details", m."tags" FROM "public"."visits" AS m WHERE NOT EXISTS (SELECT FROM many_f010005df11df9c1 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"]) OFFSET 0) UNION ALL (SELECT "visit_id", "patient_id", "region", "visited_at", "paid_at", "day", "minutes", "cost", "score", "urgent", "diagnosis", "note", "took", "details", "tags" FROM (SELECT m."visit_id", m."patient_id", m."region", m."visited_at", m."paid_at", m."day", m."minutes", m."cost", m."score", m."urgent", m."diagnosis", m."note", m."took", m."details", m."tags", row_number() OVER (PARTITION BY m."patient_id" ORDER BY m."visit_id") AS place0 FROM "public"."visits" AS m WHERE EXISTS (SELECT FROM many_f010005df11df9c1 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"])) AS r WHERE r.place0 <= 25 OFFSET 0)) AS t1 ON t0."patient_id" = t1."patient_id" AND ((CASE WHEN octet_length(t0."note") > 4000 THEN CASE WHEN pg_column_size(t0."note") <= 1000000 THEN left(t0."note", 2000) ELSE '' END ELSE t0."note" END) COLLATE pg_catalog."default") = (CASE WHEN octet_length(t1."note") > 4000 THEN CASE WHEN pg_column_size(t1."note") <= 1000000 THEN left(t1."note", 2000) ELSE '' END ELSE t1."note" END) AND ((CASE WHEN octet_length(t0."diagnosis") > 4000 THEN CASE WHEN pg_column_size(t0."diagnosis") <= 1000000 THEN left(t0."diagnosis", 2000) ELSE '' END ELSE t0."diagnosis" END) COLLATE pg_catalog."default") = (CASE WHEN octet_length(t1."diagnosis") > 4000 THEN CASE WHEN pg_column_size(t1."diagnosis") <= 1000000 THEN left(t1."diagnosis", 2000) ELSE '' END ELSE t1."diagnosis" END) AND ((CASE WHEN octet_length(t0."region") > 4000 THEN CASE WHEN pg_column_size(t0."region") <= 1000000 THEN left(t0."region", 2000) ELSE '' END ELSE t0."region" END) COLLATE pg_catalog."default") = (CASE WHEN octet_length(t1."region") > 4000 THEN CASE WHEN pg_column_size(t1."region") <= 1000000 THEN left(t1."region", 2000) ELSE '' END ELSE t1."region" END) AND hashint8((t0."patient_id")::bigint) = hashint8((t1."patient_id")::bigint) AND hashtext(((CASE WHEN octet_length(t0."note") > 4000 THEN CASE WHEN pg_column_size(t0."note") <= 1000000 THEN left(t0."note", 2000) ELSE '' END ELSE t0."note" END))::text COLLATE pg_catalog."C") = hashtext(((CASE WHEN octet_length(t1."note") > 4000 THEN CASE WHEN pg_column_size(t1."note") <= 1000000 THEN left(t1."note", 2000) ELSE '' END ELSE t1."note" END))::text COLLATE pg_catalog."C") AND hashtext(((CASE WHEN octet_length(t0."diagnosis") > 4000 THEN CASE WHEN pg_column_size(t0."diagnosis") <= 1000000 THEN left(t0."diagnosis", 2000) ELSE '' END ELSE t0."diagnosis" END))::text COLLATE pg_catalog."C") = hashtext(((CASE WHEN octet_length(t1."diagnosis") > 4000 THEN CASE WHEN pg_column_size(t1."diagnosis") <= 1000000 THEN left(t1."diagnosis", 2000) ELSE '' END ELSE t1."diagnosis" END))::text COLLATE pg_catalog."C") AND hashtext(((CASE WHEN octet_length(t0."region") > 4000 THEN CASE WHEN pg_column_size(t0."region") <= 1000000 THEN left(t0."region", 2000) ELSE '' END ELSE t0."region" END))::text COLLATE pg_catalog."C") = hashtext(((CASE WHEN octet_length(t1."region") > 4000 THEN CASE WHEN pg_column_size(t1."region") <= 1000000 THEN left(t1."region", 2000) ELSE '' END ELSE t1."region" END))::text COLLATE pg_catalog."C") WHERE ((((((CASE WHEN octet_length(t0."region") > 4000 THEN CASE WHEN pg_column_size(t0."region") <= 1000000 THEN left(t0."region", 2000) ELSE '' END ELSE t0."region" END) COLLATE pg_catalog."default") || ((CASE WHEN octet_length(t1."diagnosis") > 4000 THEN CASE WHEN pg_column_size(t1."diagnosis") <= 1000000 THEN left(t1."diagnosis", 2000) ELSE '' END ELSE t1."diagnosis" END) COLLATE pg_catalog."default")) COLLATE pg_catalog."C") < 'd') AND (((((CASE WHEN octet_length(t1."note") > 4000 THEN CASE WHEN pg_column_size(t1."note") <= 1000000 THEN left(t1."note", 2000) ELSE '' END ELSE t1."note" END) COLLATE pg_catalog."default") || ((CASE WHEN octet_length(t0."note") > 4000 THEN CASE WHEN pg_column_size(t0."note") <= 1000000 THEN left(t0."note", 2000) ELSE '' END ELSE t0."note" END) COLLATE pg_catalog."default")) COLLATE pg_catalog."C") > 'c') AND (((CASE WHEN octet_length(t0."note") > 4000 THEN CASE WHEN pg_column_size(t0."note") <= 1000000 THEN left(t0."note", 2000) ELSE '' END ELSE t0."note" END) COLLATE pg_catalog."C") > 'a') AND (((CASE WHEN octet_length(t1."note") > 4000 THEN CASE WHEN pg_column_size(t1."note") <= 1000000 THEN left(t1."note", 2000) ELSE '' END ELSE t1."note" END) COLLATE pg_catalog."C") > 'b')) ORDER BY 1) AS r GROUP BY 1) AS counted) AS per_unit) AS sized) AS scaled) AS measured

SELECT count(*) FROM visits v JOIN visits w USING (patient_id, note, diagnosis, region) WHERE v.note > 'a' AND w.note > 'b' AND w.note || v.note > 'c' AND v.region || w.diagnosis < 'd' AND w.region || v.diagnosis < 'd' AND v.note || w.diagnosis < 'e';
--> refused 0A000 row-work: this query could take too long for one row

SELECT r.name, count(v.visit_id), sum(CASE WHEN v.urgent THEN v.cost ELSE 0 END), count(*) FILTER (WHERE v.minutes > 60) FROM regions r LEFT JOIN visits v ON v.region = r.name GROUP BY r.name;
--> path: general
--> declared keys: SELECT DISTINCT t0."name" AS k0 FROM "public"."regions" AS t0 LIMIT 100001
--> Differentially private aggregate of public.visits joined with public.regions
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows per group, squared and summed <= 500)
-->   Group keys: r.name: declared (rows that the outer join keeps); every key is answered, empty ones as noise around 0
-->   Noisy number 1: rows; standard deviation 387.298, 95 % of the noise within ±759.091
-->   Noisy number 2: sum of values clamped to [0, 1000] in steps of 0.01; standard deviation 387298, 95 % of the noise within ±759091
-->   Noisy number 3: rows; standard deviation 387.298, 95 % of the noise within ±759.091
-->   count(v.visit_id): from noisy number 1
-->   sum(CASE WHEN v.urgent THEN v.cost ELSE 0 END): from noisy number 2; values outside [0, 1000] count as the nearest bound
-->   count(*) FILTER(WHERE v.minutes > 60): from noisy number 3
-->   95 % of the noise: count(v.visit_id) and count(*) FILTER(WHERE v.minutes > 60) within ±759 rows, sum(CASE WHEN v.urgent THEN v.cost ELSE 0 END) within ±759091
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down, not values moved to a bound
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.regions.name, public.visits.cost, public.visits.minutes, public.visits.patient_id, public.visits.region, public.visits.urgent, public.visits.visit_id
--> rests on: public.regions (name)
--> rests on: public.visits (visit_id)
--> work of a row: 53926 ns
--> source: WITH heavy AS MATERIALIZED (SELECT unit FROM (SELECT t1."patient_id" AS unit FROM "public"."regions" AS t0 INNER JOIN "public"."visits" AS t1 ON (((CASE WHEN octet_length(t1."region") > 4000 THEN CASE WHEN pg_column_size(t1."region") <= 1000000 THEN left(t1."region", 2000) ELSE '' END ELSE t1."region" END) COLLATE pg_catalog."default") = t0."name") ORDER BY 1) AS r GROUP BY unit HAVING count(*) > 22) SELECT k0, sum(v0) AS v0, sum(v1) AS v1, sum(v2) AS v2 FROM (SELECT x0 AS k0, count(*)::numeric * 1024 AS v0, round((sum((CASE WHEN x1 < 0 THEN 0 WHEN x1 <= 1000 THEN x1 WHEN x1 <> 'NaN' THEN 1000 END))::numeric::numeric * 100)) * 1024 AS v1, count(*) FILTER (WHERE x2)::numeric * 1024 AS v2 FROM (WITH once AS (SELECT) SELECT (t0."name" COLLATE "C") AS x0, (CASE WHEN t1."urgent" THEN t1."cost" ELSE 0 END) AS x1, (t1."minutes" > 60) AS x2 FROM "public"."regions" AS t0 INNER JOIN "public"."visits" AS t1 ON (((CASE WHEN octet_length(t1."region") > 4000 THEN CASE WHEN pg_column_size(t1."region") <= 1000000 THEN left(t1."region", 2000) ELSE '' END ELSE t1."region" END) COLLATE pg_catalog."default") = t0."name") WHERE NOT EXISTS (SELECT FROM heavy AS h WHERE h.unit = t1."patient_id")) AS r GROUP BY 1 UNION ALL SELECT k0, sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0, sum(CASE WHEN scale IS NOT NULL THEN trunc(v1::double precision * scale)::bigint ELSE v1::bigint * 1024 END) AS v1, sum(CASE WHEN scale IS NOT NULL THEN trunc(v2::double precision * scale)::bigint ELSE v2::bigint * 1024 END) AS v2 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, sum(n * n) OVER w AS q FROM (SELECT unit, k0, LEAST(n, 3037000499) AS n, LEAST(n, 3037000499) AS v0, LEAST(GREATEST(round((coalesce(s1, 0)::numeric::numeric * 100)), -303700049900000), 303700049900000)::bigint AS v1, LEAST(s2, 3037000499) AS v2 FROM (SELECT x0 AS unit, x1 AS k0, count(*) AS n, sum((CASE WHEN x2 < 0 THEN 0 WHEN x2 <= 1000 THEN x2 WHEN x2 <> 'NaN' THEN 1000 END)) AS s1, count(*) FILTER (WHERE x3) AS s2 FROM (WITH once AS (SELECT) SELECT t1."patient_id" AS x0, (t0."name" COLLATE "C") AS x1, (CASE WHEN t1."urgent" THEN t1."cost" ELSE 0 END) AS x2, (t1."minutes" > 60) AS x3 FROM "public"."regions" AS t0 INNER JOIN "public"."visits" AS t1 ON (((CASE WHEN octet_length(t1."region") > 4000 THEN CASE WHEN pg_column_size(t1."region") <= 1000000 THEN left(t1."region", 2000) ELSE '' END ELSE t1."region" END) COLLATE pg_catalog."default") = t0."name") WHERE EXISTS (SELECT FROM heavy AS h WHERE h.unit = t1."patient_id")) AS r GROUP BY 1, 2) AS counted) AS per_unit WINDOW w AS (PARTITION BY unit)) AS sized) AS scaled GROUP BY 1) AS parts GROUP BY 1

SELECT r.name, avg(CASE WHEN v.urgent THEN 1 ELSE 0 END) FROM regions r LEFT JOIN visits v ON v.region = r.name GROUP BY r.name;
--> refused 0A000 outer-join-rows: this aggregate would count public rows without a matching private row

SELECT r.name, count(*), avg(coalesce(v.cost, 0)) FROM regions r LEFT JOIN visits v ON v.region = r.name WHERE v.visit_id IS NOT NULL GROUP BY r.name;
--> path: general
--> declared keys: SELECT DISTINCT d0.c0 AS k0 FROM (SELECT DISTINCT p."name" AS c0 FROM "public"."regions" AS p) AS d0 LIMIT 100001
--> Differentially private aggregate of public.visits joined with public.regions
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows per group, squared and summed <= 500)
-->   Group keys: r.name: declared (rows of public.regions); every key is answered, empty ones as noise around 0
-->   Noisy number 1: rows; standard deviation 316.228, 95 % of the noise within ±619.796
-->   Noisy number 2: sum around 500 of values clamped to [0, 1000] in steps of 0.01; standard deviation 158114, 95 % of the noise within ±309898
-->   count(*): from noisy number 1
-->   avg(coalesce(v.cost, 0)): from noisy numbers 1 and 2; values outside [0, 1000] count as the nearest bound
-->   95 % of the noise: count(*) within ±620 rows, avg(coalesce(v.cost, 0)) within ±438334 / its rows
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down, not values moved to a bound
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.regions.name, public.visits.cost, public.visits.patient_id, public.visits.region, public.visits.visit_id
--> rests on: public.regions (name)
--> rests on: public.visits (visit_id)
--> work of a row: 53519 ns
--> source: WITH heavy AS MATERIALIZED (SELECT unit FROM (SELECT t1."patient_id" AS unit FROM "public"."regions" AS t0 INNER JOIN "public"."visits" AS t1 ON (((CASE WHEN octet_length(t1."region") > 4000 THEN CASE WHEN pg_column_size(t1."region") <= 1000000 THEN left(t1."region", 2000) ELSE '' END ELSE t1."region" END) COLLATE pg_catalog."default") = t0."name") WHERE (t1."visit_id" IS NOT NULL) ORDER BY 1) AS r GROUP BY unit HAVING count(*) > 22) SELECT k0, sum(v0) AS v0, sum(v1) AS v1 FROM (SELECT x0 AS k0, count(*)::numeric * 1024 AS v0, (round((sum((CASE WHEN x1 < 0 THEN 0 WHEN x1 <= 1000 THEN x1 WHEN x1 <> 'NaN' THEN 1000 END))::numeric::numeric * 100)) - 50000::numeric * count(NULLIF(x1, 'NaN'))) * 1024 AS v1 FROM (WITH once AS (SELECT) SELECT (t0."name" COLLATE "C") AS x0, coalesce(t1."cost", 0) AS x1 FROM "public"."regions" AS t0 INNER JOIN "public"."visits" AS t1 ON (((CASE WHEN octet_length(t1."region") > 4000 THEN CASE WHEN pg_column_size(t1."region") <= 1000000 THEN left(t1."region", 2000) ELSE '' END ELSE t1."region" END) COLLATE pg_catalog."default") = t0."name") WHERE (t1."visit_id" IS NOT NULL) AND NOT EXISTS (SELECT FROM heavy AS h WHERE h.unit = t1."patient_id")) AS r GROUP BY 1 UNION ALL SELECT k0, sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0, sum(CASE WHEN scale IS NOT NULL THEN trunc(v1::double precision * scale)::bigint ELSE v1::bigint * 1024 END) AS v1 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, sum(n * n) OVER w AS q FROM (SELECT unit, k0, LEAST(n, 3037000499) AS n, LEAST(n, 3037000499) AS v0, LEAST(GREATEST((round((coalesce(s1, 0)::numeric::numeric * 100)) - 50000::numeric * c1), -151850024950000), 151850024950000)::bigint AS v1 FROM (SELECT x0 AS unit, x1 AS k0, count(*) AS n, sum((CASE WHEN x2 < 0 THEN 0 WHEN x2 <= 1000 THEN x2 WHEN x2 <> 'NaN' THEN 1000 END)) AS s1, count(NULLIF(x2, 'NaN')) AS c1 FROM (WITH once AS (SELECT) SELECT t1."patient_id" AS x0, (t0."name" COLLATE "C") AS x1, coalesce(t1."cost", 0) AS x2 FROM "public"."regions" AS t0 INNER JOIN "public"."visits" AS t1 ON (((CASE WHEN octet_length(t1."region") > 4000 THEN CASE WHEN pg_column_size(t1."region") <= 1000000 THEN left(t1."region", 2000) ELSE '' END ELSE t1."region" END) COLLATE pg_catalog."default") = t0."name") WHERE (t1."visit_id" IS NOT NULL) AND EXISTS (SELECT FROM heavy AS h WHERE h.unit = t1."patient_id")) AS r GROUP BY 1, 2) AS counted) AS per_unit WINDOW w AS (PARTITION BY unit)) AS sized) AS scaled GROUP BY 1) AS parts GROUP BY 1

SELECT smoker, count(*) FROM (SELECT patient_id AS p, cost FROM visits) AS v LEFT JOIN patients ON patient_id = p GROUP BY 1;
--> path: general
--> declared keys: SELECT DISTINCT d0.c0 AS k0 FROM (SELECT v.c0 FROM (VALUES (true), (false)) AS v(c0) UNION ALL SELECT NULL) AS d0 LIMIT 100001
--> Differentially private aggregate of public.visits joined with public.patients
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows per group, squared and summed <= 500)
-->   Group keys: smoker: declared (true and false of smoker); every key is answered, empty ones as noise around 0
-->   Noisy number 1: rows; standard deviation 223.607, 95 % of the noise within ±438.262
-->   count(*): from noisy number 1
-->   95 % of the noise: count(*) within ±438 rows
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.patients.patient_id, public.patients.smoker, public.visits.cost, public.visits.patient_id
--> rests on: public.visits (visit_id)
--> rests on: public.patients (patient_id)
--> work of a row: 300 ns
--> source: WITH heavy AS MATERIALIZED (SELECT unit FROM (SELECT t0.unit AS unit FROM (SELECT t0t0."patient_id" AS unit, t0t0."patient_id" AS c0, t0t0."cost" AS c1 FROM "public"."visits" AS t0t0) AS t0 INNER JOIN "public"."patients" AS t1 ON (t0.c0 = t1."patient_id") ORDER BY 1) AS r GROUP BY unit HAVING count(*) > 22) SELECT k0, sum(v0) AS v0 FROM (SELECT x0 AS k0, count(*)::numeric * 1024 AS v0 FROM (SELECT t1."smoker" AS x0 FROM (SELECT t0t0."patient_id" AS unit, t0t0."patient_id" AS c0, t0t0."cost" AS c1 FROM "public"."visits" AS t0t0) AS t0 INNER JOIN "public"."patients" AS t1 ON (t0.c0 = t1."patient_id") WHERE NOT EXISTS (SELECT FROM heavy AS h WHERE h.unit = t0.unit)) AS r GROUP BY 1 UNION ALL SELECT k0, sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, sum(n * n) OVER w AS q FROM (SELECT unit, k0, LEAST(n, 3037000499) AS n, LEAST(n, 3037000499) AS v0 FROM (SELECT x0 AS unit, x1 AS k0, count(*) AS n FROM (SELECT t0.unit AS x0, t1."smoker" AS x1 FROM (SELECT t0t0."patient_id" AS unit, t0t0."patient_id" AS c0, t0t0."cost" AS c1 FROM "public"."visits" AS t0t0) AS t0 INNER JOIN "public"."patients" AS t1 ON (t0.c0 = t1."patient_id") WHERE EXISTS (SELECT FROM heavy AS h WHERE h.unit = t0.unit)) AS r GROUP BY 1, 2) AS counted) AS per_unit WINDOW w AS (PARTITION BY unit)) AS sized) AS scaled GROUP BY 1) AS parts GROUP BY 1

SELECT region, count(S) FROM visits AS s GROUP BY region;
--> path: general
--> declared keys: SELECT DISTINCT d0.c0 AS k0 FROM (SELECT DISTINCT "name"::text AS c0 FROM "public"."regions" WHERE "name" IS NOT NULL UNION ALL SELECT NULL) AS d0 LIMIT 100001
--> Differentially private aggregate of public.visits
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows per group, squared and summed <= 500)
-->   Group keys: region: declared (public.regions.name); every key is answered, empty ones as noise around 0
-->   Noisy number 1: rows; standard deviation 223.607, 95 % of the noise within ±438.262
-->   count(S): from noisy number 1
-->   95 % of the noise: count(S) within ±438 rows
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.visits.patient_id, public.visits.region, public.visits.visit_id
--> rests on: public.visits (visit_id)
--> work of a row: 28090 ns
--> source: WITH heavy AS MATERIALIZED (SELECT unit FROM (SELECT t0."patient_id" AS unit FROM "public"."visits" AS t0 ORDER BY 1) AS r GROUP BY unit HAVING count(*) > 22) SELECT k0, sum(v0) AS v0 FROM (SELECT x0 AS k0, count(*)::numeric * 1024 AS v0 FROM (SELECT (((CASE WHEN octet_length(t0."region") > 4000 THEN CASE WHEN pg_column_size(t0."region") <= 1000000 THEN left(t0."region", 2000) ELSE '' END ELSE t0."region" END))::text COLLATE "C") AS x0 FROM "public"."visits" AS t0 WHERE NOT EXISTS (SELECT FROM heavy AS h WHERE h.unit = t0."patient_id")) AS r GROUP BY 1 UNION ALL SELECT k0, sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, sum(n * n) OVER w AS q FROM (SELECT unit, k0, LEAST(n, 3037000499) AS n, LEAST(n, 3037000499) AS v0 FROM (SELECT x0 AS unit, x1 AS k0, count(*) AS n FROM (SELECT t0."patient_id" AS x0, (((CASE WHEN octet_length(t0."region") > 4000 THEN CASE WHEN pg_column_size(t0."region") <= 1000000 THEN left(t0."region", 2000) ELSE '' END ELSE t0."region" END))::text COLLATE "C") AS x1 FROM "public"."visits" AS t0 WHERE EXISTS (SELECT FROM heavy AS h WHERE h.unit = t0."patient_id")) AS r GROUP BY 1, 2) AS counted) AS per_unit WINDOW w AS (PARTITION BY unit)) AS sized) AS scaled GROUP BY 1) AS parts GROUP BY 1

SELECT p.code, count(v.visit_id) FROM prices p LEFT JOIN regions r ON r.zone = p.code LEFT JOIN visits v ON v.region = r.name GROUP BY p.code;
--> path: general
--> declared keys: SELECT DISTINCT t0."code" AS k0 FROM "public"."prices" AS t0 LEFT JOIN "public"."regions" AS t1 ON (((CASE WHEN octet_length(t1."zone") > 4000 THEN CASE WHEN pg_column_size(t1."zone") <= 1000000 THEN left(t1."zone", 2000) ELSE '' END ELSE t1."zone" END) COLLATE pg_catalog."default") = t0."code") LIMIT 100001
--> Differentially private aggregate of public.visits joined with public.prices, public.regions
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows per group, squared and summed <= 500)
-->   Rows that may take long: at most 2000 of a unit in public.visits; further ones take no part
-->   Group keys: p.code: declared (rows that the outer join keeps); every key is answered, empty ones as noise around 0
-->   Noisy number 1: rows; standard deviation 223.607, 95 % of the noise within ±438.262
-->   count(v.visit_id): from noisy number 1
-->   95 % of the noise: count(v.visit_id) within ±438 rows
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.prices.code, public.regions.name, public.regions.zone, public.visits.cost, public.visits.day, public.visits.details, public.visits.diagnosis, public.visits.minutes, public.visits.note, public.visits.paid_at, public.visits.patient_id, public.visits.region, public.visits.score, public.visits.tags, public.visits.took, public.visits.urgent, public.visits.visit_id, public.visits.visited_at
--> rests on: public.regions (name)
--> rests on: public.prices (code)
--> rests on: public.visits (visit_id)
--> cut: public.visits to 2000 rows: SELECT m."patient_id" AS unit FROM "public"."visits" AS m WHERE m."patient_id" IS NOT NULL GROUP BY 1 HAVING count(*) > 2000
--> work of a row: 94290 ns
--> source: WITH many_d309dd02df23f5c9 AS MATERIALIZED (SELECT m."patient_id" AS unit FROM "public"."visits" AS m WHERE m."patient_id" IS NOT NULL GROUP BY 1 HAVING count(*) > 2000) SELECT * FROM (WITH heavy AS MATERIALIZED (SELECT unit FROM (SELECT t2."patient_id" AS unit FROM "public"."prices" AS t0 LEFT JOIN "public"."regions" AS t1 ON (((CASE WHEN octet_length(t1."zone") > 4000 THEN CASE WHEN pg_column_size(t1."zone") <= 1000000 THEN left(t1."zone", 2000) ELSE '' END ELSE t1."zone" END) COLLATE pg_catalog."default") = t0."code") INNER JOIN ((SELECT m."visit_id", m."patient_id", m."region", m."visited_at", m."paid_at", m."day", m."minutes", m."cost", m."score", m."urgent", m."diagnosis", m."note", m."took", m."details", m."tags" FROM "public"."visits" AS m WHERE NOT EXISTS (SELECT FROM many_d309dd02df23f5c9 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"]) OFFSET 0) UNION ALL (SELECT "visit_id", "patient_id", "region", "visited_at", "paid_at", "day", "minutes", "cost", "score", "urgent", "diagnosis", "note", "took", "details", "tags" FROM (SELECT m."visit_id", m."patient_id", m."region", m."visited_at", m."paid_at", m."day", m."minutes", m."cost", m."score", m."urgent", m."diagnosis", m."note", m."took", m."details", m."tags", row_number() OVER (PARTITION BY m."patient_id" ORDER BY m."visit_id") AS place0 FROM "public"."visits" AS m WHERE EXISTS (SELECT FROM many_d309dd02df23f5c9 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"])) AS r WHERE r.place0 <= 2000 OFFSET 0)) AS t2 ON (((CASE WHEN octet_length(t2."region") > 4000 THEN CASE WHEN pg_column_size(t2."region") <= 1000000 THEN left(t2."region", 2000) ELSE '' END ELSE t2."region" END) COLLATE pg_catalog."default") = t1."name") ORDER BY 1) AS r GROUP BY unit HAVING count(*) > 22) SELECT k0, sum(v0) AS v0 FROM (SELECT x0 AS k0, count(*)::numeric * 1024 AS v0 FROM (SELECT (t0."code" COLLATE "C") AS x0 FROM "public"."prices" AS t0 LEFT JOIN "public"."regions" AS t1 ON (((CASE WHEN octet_length(t1."zone") > 4000 THEN CASE WHEN pg_column_size(t1."zone") <= 1000000 THEN left(t1."zone", 2000) ELSE '' END ELSE t1."zone" END) COLLATE pg_catalog."default") = t0."code") INNER JOIN ((SELECT m."visit_id", m."patient_id", m."region", m."visited_at", m."paid_at", m."day", m."minutes", m."cost", m."score", m."urgent", m."diagnosis", m."note", m."took", m."details", m."tags" FROM "public"."visits" AS m WHERE NOT EXISTS (SELECT FROM many_d309dd02df23f5c9 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"]) OFFSET 0) UNION ALL (SELECT "visit_id", "patient_id", "region", "visited_at", "paid_at", "day", "minutes", "cost", "score", "urgent", "diagnosis", "note", "took", "details", "tags" FROM (SELECT m."visit_id", m."patient_id", m."region", m."visited_at", m."paid_at", m."day", m."minutes", m."cost", m."score", m."urgent", m."diagnosis", m."note", m."took", m."details", m."tags", row_number() OVER (PARTITION BY m."patient_id" ORDER BY m."visit_id") AS place0 FROM "public"."visits" AS m WHERE EXISTS (SELECT FROM many_d309dd02df23f5c9 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"])) AS r WHERE r.place0 <= 2000 OFFSET 0)) AS t2 ON (((CASE WHEN octet_length(t2."region") > 4000 THEN CASE WHEN pg_column_size(t2."region") <= 1000000 THEN left(t2."region", 2000) ELSE '' END ELSE t2."region" END) COLLATE pg_catalog."default") = t1."name") WHERE NOT EXISTS (SELECT FROM heavy AS h WHERE h.unit = t2."patient_id")) AS r GROUP BY 1 UNION ALL SELECT k0, sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, sum(n * n) OVER w AS q FROM (SELECT unit, k0, LEAST(n, 3037000499) AS n, LEAST(n, 3037000499) AS v0 FROM (SELECT x0 AS unit, x1 AS k0, count(*) AS n FROM (SELECT t2."patient_id" AS x0, (t0."code" COLLATE "C") AS x1 FROM "public"."prices" AS t0 LEFT JOIN "public"."regions" AS t1 ON (((CASE WHEN octet_length(t1."zone") > 4000 THEN CASE WHEN pg_column_size(t1."zone") <= 1000000 THEN left(t1."zone", 2000) ELSE '' END ELSE t1."zone" END) COLLATE pg_catalog."default") = t0."code") INNER JOIN ((SELECT m."visit_id", m."patient_id", m."region", m."visited_at", m."paid_at", m."day", m."minutes", m."cost", m."score", m."urgent", m."diagnosis", m."note", m."took", m."details", m."tags" FROM "public"."visits" AS m WHERE NOT EXISTS (SELECT FROM many_d309dd02df23f5c9 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"]) OFFSET 0) UNION ALL (SELECT "visit_id", "patient_id", "region", "visited_at", "paid_at", "day", "minutes", "cost", "score", "urgent", "diagnosis", "note", "took", "details", "tags" FROM (SELECT m."visit_id", m."patient_id", m."region", m."visited_at", m."paid_at", m."day", m."minutes", m."cost", m."score", m."urgent", m."diagnosis", m."note", m."took", m."details", m."tags", row_number() OVER (PARTITION BY m."patient_id" ORDER BY m."visit_id") AS place0 FROM "public"."visits" AS m WHERE EXISTS (SELECT FROM many_d309dd02df23f5c9 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"])) AS r WHERE r.place0 <= 2000 OFFSET 0)) AS t2 ON (((CASE WHEN octet_length(t2."region") > 4000 THEN CASE WHEN pg_column_size(t2."region") <= 1000000 THEN left(t2."region", 2000) ELSE '' END ELSE t2."region" END) COLLATE pg_catalog."default") = t1."name") WHERE EXISTS (SELECT FROM heavy AS h WHERE h.unit = t2."patient_id")) AS r GROUP BY 1, 2) AS counted) AS per_unit WINDOW w AS (PARTITION BY unit)) AS sized) AS scaled GROUP BY 1) AS parts GROUP BY 1) AS measured

SELECT r.zone, count(v.visit_id) FROM prices p LEFT JOIN regions r ON r.zone = p.code JOIN visits v ON v.region = r.name GROUP BY r.zone;
--> path: general
--> declared keys: SELECT DISTINCT d0.c0 AS k0 FROM (SELECT DISTINCT p."zone" AS c0 FROM "public"."regions" AS p UNION SELECT NULL) AS d0 WHERE (d0.c0 IS NOT NULL OR d0.c0 IS NULL) LIMIT 100001
--> Differentially private aggregate of public.visits joined with public.prices, public.regions
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows per group, squared and summed <= 500)
-->   Rows that may take long: at most 2000 of a unit in public.visits; further ones take no part
-->   Group keys: r.zone: declared (rows of public.regions); every key is answered, empty ones as noise around 0
-->   Noisy number 1: rows; standard deviation 223.607, 95 % of the noise within ±438.262
-->   count(v.visit_id): from noisy number 1
-->   95 % of the noise: count(v.visit_id) within ±438 rows
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.prices.code, public.regions.name, public.regions.zone, public.visits.cost, public.visits.day, public.visits.details, public.visits.diagnosis, public.visits.minutes, public.visits.note, public.visits.paid_at, public.visits.patient_id, public.visits.region, public.visits.score, public.visits.tags, public.visits.took, public.visits.urgent, public.visits.visit_id, public.visits.visited_at
--> rests on: public.regions (name)
--> rests on: public.prices (code)
--> rests on: public.visits (visit_id)
--> cut: public.visits to 2000 rows: SELECT m."patient_id" AS unit FROM "public"."visits" AS m WHERE m."patient_id" IS NOT NULL GROUP BY 1 HAVING count(*) > 2000
--> work of a row: 112290 ns
--> source: WITH many_d309dd02df23f5c9 AS MATERIALIZED (SELECT m."patient_id" AS unit FROM "public"."visits" AS m WHERE m."patient_id" IS NOT NULL GROUP BY 1 HAVING count(*) > 2000) SELECT * FROM (WITH heavy AS MATERIALIZED (SELECT unit FROM (SELECT t2."patient_id" AS unit FROM "public"."prices" AS t0 LEFT JOIN "public"."regions" AS t1 ON (((CASE WHEN octet_length(t1."zone") > 4000 THEN CASE WHEN pg_column_size(t1."zone") <= 1000000 THEN left(t1."zone", 2000) ELSE '' END ELSE t1."zone" END) COLLATE pg_catalog."default") = t0."code") INNER JOIN ((SELECT m."visit_id", m."patient_id", m."region", m."visited_at", m."paid_at", m."day", m."minutes", m."cost", m."score", m."urgent", m."diagnosis", m."note", m."took", m."details", m."tags" FROM "public"."visits" AS m WHERE NOT EXISTS (SELECT FROM many_d309dd02df23f5c9 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"]) OFFSET 0) UNION ALL (SELECT "visit_id", "patient_id", "region", "visited_at", "paid_at", "day", "minutes", "cost", "score", "urgent", "diagnosis", "note", "took", "details", "tags" FROM (SELECT m."visit_id", m."patient_id", m."region", m."visited_at", m."paid_at", m."day", m."minutes", m."cost", m."score", m."urgent", m."diagnosis", m."note", m."took", m."details", m."tags", row_number() OVER (PARTITION BY m."patient_id" ORDER BY m."visit_id") AS place0 FROM "public"."visits" AS m WHERE EXISTS (SELECT FROM many_d309dd02df23f5c9 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"])) AS r WHERE r.place0 <= 2000 OFFSET 0)) AS t2 ON (((CASE WHEN octet_length(t2."region") > 4000 THEN CASE WHEN pg_column_size(t2."region") <= 1000000 THEN left(t2."region", 2000) ELSE '' END ELSE t2."region" END) COLLATE pg_catalog."default") = t1."name") ORDER BY 1) AS r GROUP BY unit HAVING count(*) > 22) SELECT k0, sum(v0) AS v0 FROM (SELECT x0 AS k0, count(*)::numeric * 1024 AS v0 FROM (SELECT (((CASE WHEN octet_length(t1."zone") > 4000 THEN CASE WHEN pg_column_size(t1."zone") <= 1000000 THEN left(t1."zone", 2000) ELSE '' END ELSE t1."zone" END))::text COLLATE "C") AS x0 FROM "public"."prices" AS t0 LEFT JOIN "public"."regions" AS t1 ON (((CASE WHEN octet_length(t1."zone") > 4000 THEN CASE WHEN pg_column_size(t1."zone") <= 1000000 THEN left(t1."zone", 2000) ELSE '' END ELSE t1."zone" END) COLLATE pg_catalog."default") = t0."code") INNER JOIN ((SELECT m."visit_id", m."patient_id", m."region", m."visited_at", m."paid_at", m."day", m."minutes", m."cost", m."score", m."urgent", m."diagnosis", m."note", m."took", m."details", m."tags" FROM "public"."visits" AS m WHERE NOT EXISTS (SELECT FROM many_d309dd02df23f5c9 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"]) OFFSET 0) UNION ALL (SELECT "visit_id", "patient_id", "region", "visited_at", "paid_at", "day", "minutes", "cost", "score", "urgent", "diagnosis", "note", "took", "details", "tags" FROM (SELECT m."visit_id", m."patient_id", m."region", m."visited_at", m."paid_at", m."day", m."minutes", m."cost", m."score", m."urgent", m."diagnosis", m."note", m."took", m."details", m."tags", row_number() OVER (PARTITION BY m."patient_id" ORDER BY m."visit_id") AS place0 FROM "public"."visits" AS m WHERE EXISTS (SELECT FROM many_d309dd02df23f5c9 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"])) AS r WHERE r.place0 <= 2000 OFFSET 0)) AS t2 ON (((CASE WHEN octet_length(t2."region") > 4000 THEN CASE WHEN pg_column_size(t2."region") <= 1000000 THEN left(t2."region", 2000) ELSE '' END ELSE t2."region" END) COLLATE pg_catalog."default") = t1."name") WHERE NOT EXISTS (SELECT FROM heavy AS h WHERE h.unit = t2."patient_id")) AS r GROUP BY 1 UNION ALL SELECT k0, sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, sum(n * n) OVER w AS q FROM (SELECT unit, k0, LEAST(n, 3037000499) AS n, LEAST(n, 3037000499) AS v0 FROM (SELECT x0 AS unit, x1 AS k0, count(*) AS n FROM (SELECT t2."patient_id" AS x0, (((CASE WHEN octet_length(t1."zone") > 4000 THEN CASE WHEN pg_column_size(t1."zone") <= 1000000 THEN left(t1."zone", 2000) ELSE '' END ELSE t1."zone" END))::text COLLATE "C") AS x1 FROM "public"."prices" AS t0 LEFT JOIN "public"."regions" AS t1 ON (((CASE WHEN octet_length(t1."zone") > 4000 THEN CASE WHEN pg_column_size(t1."zone") <= 1000000 THEN left(t1."zone", 2000) ELSE '' END ELSE t1."zone" END) COLLATE pg_catalog."default") = t0."code") INNER JOIN ((SELECT m."visit_id", m."patient_id", m."region", m."visited_at", m."paid_at", m."day", m."minutes", m."cost", m."score", m."urgent", m."diagnosis", m."note", m."took", m."details", m."tags" FROM "public"."visits" AS m WHERE NOT EXISTS (SELECT FROM many_d309dd02df23f5c9 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"]) OFFSET 0) UNION ALL (SELECT "visit_id", "patient_id", "region", "visited_at", "paid_at", "day", "minutes", "cost", "score", "urgent", "diagnosis", "note", "took", "details", "tags" FROM (SELECT m."visit_id", m."patient_id", m."region", m."visited_at", m."paid_at", m."day", m."minutes", m."cost", m."score", m."urgent", m."diagnosis", m."note", m."took", m."details", m."tags", row_number() OVER (PARTITION BY m."patient_id" ORDER BY m."visit_id") AS place0 FROM "public"."visits" AS m WHERE EXISTS (SELECT FROM many_d309dd02df23f5c9 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"])) AS r WHERE r.place0 <= 2000 OFFSET 0)) AS t2 ON (((CASE WHEN octet_length(t2."region") > 4000 THEN CASE WHEN pg_column_size(t2."region") <= 1000000 THEN left(t2."region", 2000) ELSE '' END ELSE t2."region" END) COLLATE pg_catalog."default") = t1."name") WHERE EXISTS (SELECT FROM heavy AS h WHERE h.unit = t2."patient_id")) AS r GROUP BY 1, 2) AS counted) AS per_unit WINDOW w AS (PARTITION BY unit)) AS sized) AS scaled GROUP BY 1) AS parts GROUP BY 1) AS measured

SELECT count(*) FROM visits v JOIN prices p ON p.amount > v.cost LEFT JOIN regions r ON r.zone = p.code AND r.name = v.region;
--> path: single group
--> Differentially private aggregate of public.visits joined with public.prices, public.regions
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows per group, squared and summed <= 500)
-->   Rows that meet others: at most 200 of a unit in public.visits; further ones take no part
-->   Repeated rows: each row counts up to 100 times, as FROM repeats it, and max_rows = 50 limits them all
-->   Group keys: none, one row
-->   Noisy number 1: rows; standard deviation 223.607, 95 % of the noise within ±438.262
-->   count(*): from noisy number 1
-->   95 % of the noise: count(*) within ±438 rows
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.prices.amount, public.prices.code, public.regions.name, public.regions.zone, public.visits.cost, public.visits.day, public.visits.details, public.visits.diagnosis, public.visits.minutes, public.visits.note, public.visits.paid_at, public.visits.patient_id, public.visits.region, public.visits.score, public.visits.tags, public.visits.took, public.visits.urgent, public.visits.visit_id, public.visits.visited_at
--> rests on: public.regions (name)
--> cut: public.visits to 200 rows: SELECT m."patient_id" AS unit FROM "public"."visits" AS m WHERE m."patient_id" IS NOT NULL GROUP BY 1 HAVING count(*) > 200
--> work of a row: 84485 ns
--> source: WITH many_e8fe7e938aead538 AS MATERIALIZED (SELECT m."patient_id" AS unit FROM "public"."visits" AS m WHERE m."patient_id" IS NOT NULL GROUP BY 1 HAVING count(*) > 200) SELECT * FROM (SELECT sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, n * n AS q FROM (SELECT unit, LEAST(n, 3037000499) AS n, LEAST(n, 3037000499) AS v0 FROM (SELECT x0 AS unit, count(*) AS n FROM (SELECT t0."patient_id" AS x0 FROM ((SELECT m."visit_id", m."patient_id", m."region", m."visited_at", m."paid_at", m."day", m."minutes", m."cost", m."score", m."urgent", m."diagnosis", m."note", m."took", m."details", m."tags" FROM "public"."visits" AS m WHERE NOT EXISTS (SELECT FROM many_e8fe7e938aead538 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"]) OFFSET 0) UNION ALL (SELECT "visit_id", "patient_id", "region", "visited_at", "paid_at", "day", "minutes", "cost", "score", "urgent", "diagnosis", "note", "took", "details", "tags" FROM (SELECT m."visit_id", m."patient_id", m."region", m."visited_at", m."paid_at", m."day", m."minutes", m."cost", m."score", m."urgent", m."diagnosis", m."note", m."took", m."details", m."tags", row_number() OVER (PARTITION BY m."patient_id" ORDER BY m."visit_id") AS place0 FROM "public"."visits" AS m WHERE EXISTS (SELECT FROM many_e8fe7e938aead538 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"])) AS r WHERE r.place0 <= 200 OFFSET 0)) AS t0 INNER JOIN "public"."prices" AS t1 ON (t0."cost" < t1."amount") LEFT JOIN "public"."regions" AS t2 ON ((((CASE WHEN octet_length(t0."region") > 4000 THEN CASE WHEN pg_column_size(t0."region") <= 1000000 THEN left(t0."region", 2000) ELSE '' END ELSE t0."region" END) COLLATE pg_catalog."default") = t2."name") AND (((CASE WHEN octet_length(t2."zone") > 4000 THEN CASE WHEN pg_column_size(t2."zone") <= 1000000 THEN left(t2."zone", 2000) ELSE '' END ELSE t2."zone" END) COLLATE pg_catalog."default") = t1."code")) ORDER BY 1) AS r GROUP BY 1) AS counted) AS per_unit) AS sized) AS scaled) AS measured
