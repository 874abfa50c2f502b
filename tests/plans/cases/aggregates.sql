SELECT count(*) FROM visits;
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
--> reads: public.visits.patient_id
--> rests on: public.visits (visit_id)
--> work of a row: 0 ns
--> source: SELECT sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, n * n AS q FROM (SELECT unit, LEAST(n, 3037000499) AS n, LEAST(n, 3037000499) AS v0 FROM (SELECT x0 AS unit, count(*) AS n FROM (SELECT t0."patient_id" AS x0 FROM "public"."visits" AS t0 ORDER BY 1) AS r GROUP BY 1) AS counted) AS per_unit) AS sized) AS scaled

SELECT count(*) FROM patients;
--> path: unique
--> Differentially private aggregate of public.patients
-->   Privacy unit: patient, by public.patients.patient_id
-->   Contribution: one row per unit, proven by a unique key of the source; no unit is scaled down
-->   Group keys: none, one row
-->   Noisy number 1: rows; standard deviation 10, 95 % of the noise within ±20
-->   count(*): from noisy number 1
-->   95 % of the noise: count(*) within ±20 rows
-->   Noise intervals (dp.low, dp.high): cover everything, nothing is clipped
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.patients.patient_id
--> rests on: public.patients (patient_id)
--> work of a row: 0 ns
--> source: SELECT count(*) AS s0 FROM (SELECT  FROM "public"."patients" AS t0) AS r

SELECT count(cost), count(visit_id), count(note) FROM visits;
--> path: single group
--> Differentially private aggregate of public.visits
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows per group, squared and summed <= 500)
-->   Group keys: none, one row
-->   Noisy number 1: rows where the value is not NULL; standard deviation 387.298, 95 % of the noise within ±759.091
-->   Noisy number 2: rows; standard deviation 387.298, 95 % of the noise within ±759.091
-->   Noisy number 3: rows; standard deviation 387.298, 95 % of the noise within ±759.091
-->   count(cost): from noisy number 1
-->   count(visit_id): from noisy number 2
-->   count(note): from noisy number 3
-->   95 % of the noise: count(cost), count(visit_id) and count(note) within ±759 rows
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.visits.cost, public.visits.note, public.visits.patient_id, public.visits.visit_id
--> rests on: public.visits (visit_id)
--> work of a row: 350 ns
--> source: SELECT sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0, sum(CASE WHEN scale IS NOT NULL THEN trunc(v1::double precision * scale)::bigint ELSE v1::bigint * 1024 END) AS v1, sum(CASE WHEN scale IS NOT NULL THEN trunc(v2::double precision * scale)::bigint ELSE v2::bigint * 1024 END) AS v2 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, n * n AS q FROM (SELECT unit, LEAST(n, 3037000499) AS n, LEAST(s0, 3037000499) AS v0, LEAST(n, 3037000499) AS v1, LEAST(s2, 3037000499) AS v2 FROM (SELECT x0 AS unit, count(*) AS n, count(NULLIF(x1, 'NaN')) AS s0, count(*) FILTER (WHERE x2) AS s2 FROM (SELECT t0."patient_id" AS x0, t0."cost" AS x1, (t0."note" IS NOT NULL) AS x2 FROM "public"."visits" AS t0) AS r GROUP BY 1) AS counted) AS per_unit) AS sized) AS scaled

SELECT count(DISTINCT patient_id) FROM visits;
--> path: single group
--> Differentially private aggregate of public.visits
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows per group, squared and summed <= 500)
-->   Group keys: none, one row
-->   Noisy number 1: units; standard deviation 10, 95 % of the noise within ±19.6006
-->   count(DISTINCT patient_id): from noisy number 1
-->   95 % of the noise: count(DISTINCT patient_id) within ±20 units
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.visits.patient_id
--> rests on: public.visits (visit_id)
--> work of a row: 0 ns
--> source: SELECT sum(v0 * (CASE WHEN groups::numeric * 1 <= 1 THEN 1024 ELSE trunc(1024 * (1 - 2.0 ^ -30)::double precision * sqrt(1::double precision / 1 / groups))::bigint END)) AS v0 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, n * n AS q, 1 AS groups FROM (SELECT unit, LEAST(n, 3037000499) AS n, 1 AS v0 FROM (SELECT x0 AS unit, count(*) AS n FROM (SELECT t0."patient_id" AS x0 FROM "public"."visits" AS t0 ORDER BY 1) AS r GROUP BY 1) AS counted) AS per_unit) AS sized) AS scaled

SELECT count(DISTINCT patient_id) FROM patients;
--> path: unique
--> Differentially private aggregate of public.patients
-->   Privacy unit: patient, by public.patients.patient_id
-->   Contribution: one row per unit, proven by a unique key of the source; no unit is scaled down
-->   Group keys: none, one row
-->   Noisy number 1: rows; standard deviation 10, 95 % of the noise within ±20
-->   count(DISTINCT patient_id): from noisy number 1
-->   95 % of the noise: count(DISTINCT patient_id) within ±20 rows
-->   Noise intervals (dp.low, dp.high): cover everything, nothing is clipped
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.patients.patient_id
--> rests on: public.patients (patient_id)
--> work of a row: 0 ns
--> source: SELECT count(*) AS s0 FROM (SELECT  FROM "public"."patients" AS t0) AS r

SELECT count(DISTINCT note) FROM visits;
--> path: single group
--> Differentially private aggregate of public.visits
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows per group, squared and summed <= 500)
-->   Group keys: none, one row
-->   Noisy number 1: distinct values, chosen at random where a unit has too many; standard deviation 894.427, 95 % of the noise within ±1753.05
-->   count(DISTINCT note): from noisy number 1
-->   95 % of the noise: count(DISTINCT note) within ±1753 values
-->   Noise intervals (dp.low, dp.high): cover the noise only, not distinct values that a unit has too many of
-->   Mechanism: gaussian; epsilon 0.025 for the block
-->   Profile: what only describes columns has a price of its own, and SET dp.epsilon = 0.1 asks as usual
-->   Price: rho 0.0003125
--> reads: public.visits.note, public.visits.patient_id
--> rests on: public.visits (visit_id)
--> work of a row: 28000 ns
--> source: SELECT sum(v0) AS v0 FROM (SELECT cells FROM (WITH heavy AS MATERIALIZED (SELECT unit FROM (SELECT t0."patient_id" AS unit FROM "public"."visits" AS t0 WHERE (((CASE WHEN octet_length(t0."note") > 4000 THEN CASE WHEN pg_column_size(t0."note") <= 1000000 THEN left(t0."note", 2000) ELSE '' END ELSE t0."note" END))::text COLLATE "C") IS NOT NULL ORDER BY 1) AS r GROUP BY unit HAVING count(*) > 22) SELECT count(*) * 1024 AS cells FROM (SELECT (((CASE WHEN octet_length(t0."note") > 4000 THEN CASE WHEN pg_column_size(t0."note") <= 1000000 THEN left(t0."note", 2000) ELSE '' END ELSE t0."note" END))::text COLLATE "C") AS x FROM "public"."visits" AS t0 WHERE (((CASE WHEN octet_length(t0."note") > 4000 THEN CASE WHEN pg_column_size(t0."note") <= 1000000 THEN left(t0."note", 2000) ELSE '' END ELSE t0."note" END))::text COLLATE "C") IS NOT NULL AND NOT EXISTS (SELECT FROM heavy AS h WHERE h.unit = t0."patient_id") UNION SELECT x FROM (SELECT unit, x, hash FROM (SELECT unit, x, hash, dense_rank() OVER (PARTITION BY unit ORDER BY hash, CASE WHEN hash IS NOT NULL THEN x END) AS place FROM (SELECT *, hashtextextended(coalesce(left(x::text, 1000000), ''), hashtextextended(unit::text, 0)) AS hash FROM (SELECT DISTINCT t0."patient_id" AS unit, (((CASE WHEN octet_length(t0."note") > 4000 THEN CASE WHEN pg_column_size(t0."note") <= 1000000 THEN left(t0."note", 2000) ELSE '' END ELSE t0."note" END))::text COLLATE "C") AS x FROM "public"."visits" AS t0 WHERE (((CASE WHEN octet_length(t0."note") > 4000 THEN CASE WHEN pg_column_size(t0."note") <= 1000000 THEN left(t0."note", 2000) ELSE '' END ELSE t0."note" END))::text COLLATE "C") IS NOT NULL AND EXISTS (SELECT FROM heavy AS h WHERE h.unit = t0."patient_id")) AS pairs) AS hashed) AS placed WHERE hash IS NULL OR place <= 22) AS kept) AS counted) AS counted) AS parts(v0)

SELECT count(DISTINCT diagnosis) FROM visits;
--> path: single group
--> Differentially private aggregate of public.visits
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: each unit counts once
-->   Group keys: none, one row
-->   Choice 1: number of values, of the 3 declared ones; 95 % of the time it counts the values of at least 327.548 units, and none without rows
-->   count(DISTINCT diagnosis): from choice 1
-->   Mechanism: exponential; epsilon 0.025 for the block
-->   Profile: what only describes columns has a price of its own, and SET dp.epsilon = 0.1 asks as usual
-->   Unlisted: values that the policy does not list do not count in count(DISTINCT diagnosis)
-->   Price: pure epsilon 0.05, rho 0.0003125
--> reads: public.visits.diagnosis, public.visits.patient_id
--> rests on: public.visits (visit_id)
--> work of a row: 28000 ns
--> source: SELECT left(x::text, 10000) AS candidate, weight FROM (SELECT x, count(*) * 1048576 AS weight FROM (SELECT (((CASE WHEN octet_length(t0."diagnosis") > 4000 THEN CASE WHEN pg_column_size(t0."diagnosis") <= 1000000 THEN left(t0."diagnosis", 2000) ELSE '' END ELSE t0."diagnosis" END))::text COLLATE "C") AS x, t0."patient_id" AS unit FROM "public"."visits" AS t0 WHERE (((CASE WHEN octet_length(t0."diagnosis") > 4000 THEN CASE WHEN pg_column_size(t0."diagnosis") <= 1000000 THEN left(t0."diagnosis", 2000) ELSE '' END ELSE t0."diagnosis" END))::text COLLATE "C") IS NOT NULL GROUP BY 1, 2) AS own GROUP BY 1) AS histogram

SELECT count(DISTINCT cost), count(DISTINCT minutes), count(*) FROM visits;
--> path: single group
--> Differentially private aggregate of public.visits
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows per group, squared and summed <= 500)
-->   Group keys: none, one row
-->   Noisy number 1: distinct values, chosen at random where a unit has too many; standard deviation 1549.19, 95 % of the noise within ±3036.36
-->   Noisy number 2: distinct values, chosen at random where a unit has too many; standard deviation 1549.19, 95 % of the noise within ±3036.36
-->   Noisy number 3: rows; standard deviation 1549.19, 95 % of the noise within ±3036.36
-->   count(DISTINCT cost): from noisy number 1
-->   count(DISTINCT minutes): from noisy number 2
-->   count(*): from noisy number 3
-->   95 % of the noise: count(DISTINCT cost) and count(DISTINCT minutes) within ±3036 values, count(*) within ±3036 rows
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down, not distinct values that a unit has too many of
-->   Mechanism: gaussian; epsilon 0.025 for the block
-->   Profile: what only describes columns has a price of its own, and SET dp.epsilon = 0.1 asks as usual
-->   Price: rho 0.0003125
--> reads: public.visits.cost, public.visits.minutes, public.visits.patient_id
--> rests on: public.visits (visit_id)
--> work of a row: 90 ns
--> source: SELECT sum(v0) AS v0, sum(v1) AS v1, sum(v2) AS v2 FROM (SELECT *, 0::bigint, 0::bigint FROM (SELECT sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, n * n AS q FROM (SELECT unit, LEAST(n, 3037000499) AS n, LEAST(n, 3037000499) AS v0 FROM (SELECT x0 AS unit, count(*) AS n FROM (SELECT t0."patient_id" AS x0 FROM "public"."visits" AS t0 ORDER BY 1) AS r GROUP BY 1) AS counted) AS per_unit) AS sized) AS scaled) AS sums UNION ALL SELECT 0::bigint, cells, 0::bigint FROM (WITH heavy AS MATERIALIZED (SELECT unit FROM (SELECT t0."patient_id" AS unit FROM "public"."visits" AS t0 WHERE NULLIF(round(t0."cost", 2), 'NaN') IS NOT NULL ORDER BY 1) AS r GROUP BY unit HAVING count(*) > 22) SELECT count(*) * 1024 AS cells FROM (SELECT round(t0."cost", 2) AS x FROM "public"."visits" AS t0 WHERE NULLIF(round(t0."cost", 2), 'NaN') IS NOT NULL AND NOT EXISTS (SELECT FROM heavy AS h WHERE h.unit = t0."patient_id") UNION SELECT x FROM (SELECT unit, x, hash FROM (SELECT unit, x, hash, dense_rank() OVER (PARTITION BY unit ORDER BY hash, CASE WHEN hash IS NOT NULL THEN x END) AS place FROM (SELECT *, hashtextextended(coalesce(left(x::text, 1000000), ''), hashtextextended(unit::text, 0)) AS hash FROM (SELECT DISTINCT t0."patient_id" AS unit, round(t0."cost", 2) AS x FROM "public"."visits" AS t0 WHERE NULLIF(round(t0."cost", 2), 'NaN') IS NOT NULL AND EXISTS (SELECT FROM heavy AS h WHERE h.unit = t0."patient_id")) AS pairs) AS hashed) AS placed WHERE hash IS NULL OR place <= 22) AS kept) AS counted) AS counted UNION ALL SELECT 0::bigint, 0::bigint, cells FROM (WITH heavy AS MATERIALIZED (SELECT unit FROM (SELECT t0."patient_id" AS unit FROM "public"."visits" AS t0 WHERE t0."minutes" IS NOT NULL ORDER BY 1) AS r GROUP BY unit HAVING count(*) > 22) SELECT count(*) * 1024 AS cells FROM (SELECT t0."minutes" AS x FROM "public"."visits" AS t0 WHERE t0."minutes" IS NOT NULL AND NOT EXISTS (SELECT FROM heavy AS h WHERE h.unit = t0."patient_id") UNION SELECT x FROM (SELECT unit, x, hash FROM (SELECT unit, x, hash, dense_rank() OVER (PARTITION BY unit ORDER BY hash, CASE WHEN hash IS NOT NULL THEN x END) AS place FROM (SELECT *, hashtextextended(coalesce(left(x::text, 1000000), ''), hashtextextended(unit::text, 0)) AS hash FROM (SELECT DISTINCT t0."patient_id" AS unit, t0."minutes" AS x FROM "public"."visits" AS t0 WHERE t0."minutes" IS NOT NULL AND EXISTS (SELECT FROM heavy AS h WHERE h.unit = t0."patient_id")) AS pairs) AS hashed) AS placed WHERE hash IS NULL OR place <= 22) AS kept) AS counted) AS counted) AS parts(v2, v0, v1)

SELECT region, count(DISTINCT note), sum(cost) FROM visits GROUP BY region;
--> path: general
--> declared keys: SELECT DISTINCT d0.c0 AS k0 FROM (SELECT DISTINCT "name"::text AS c0 FROM "public"."regions" WHERE "name" IS NOT NULL UNION ALL SELECT NULL) AS d0 LIMIT 100001
--> Differentially private aggregate of public.visits
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows per group, squared and summed <= 500)
-->   Group keys: region: declared (public.regions.name); every key is answered, empty ones as noise around 0
-->   Noisy number 1: distinct values, chosen at random where a unit has too many; standard deviation 316.228, 95 % of the noise within ±619.796
-->   Noisy number 2: sum of values clamped to [0, 1000] in steps of 0.01; standard deviation 316228, 95 % of the noise within ±619795
-->   count(DISTINCT note): from noisy number 1
-->   sum(cost): from noisy number 2; values outside [0, 1000] count as the nearest bound
-->   95 % of the noise: count(DISTINCT note) within ±620 values, sum(cost) within ±619795
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down, not distinct values that a unit has too many of, not values moved to a bound
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.visits.cost, public.visits.note, public.visits.patient_id, public.visits.region
--> rests on: public.visits (visit_id)
--> work of a row: 56240 ns
--> source: SELECT k0, sum(v0) AS v0, sum(v1) AS v1 FROM (SELECT *, 0::bigint FROM (WITH heavy AS MATERIALIZED (SELECT unit FROM (SELECT t0."patient_id" AS unit FROM "public"."visits" AS t0 ORDER BY 1) AS r GROUP BY unit HAVING count(*) > 22) SELECT k0, sum(v0) AS v0 FROM (SELECT x0 AS k0, round((sum((CASE WHEN x1 < 0 THEN 0 WHEN x1 <= 1000 THEN x1 WHEN x1 <> 'NaN' THEN 1000 END))::numeric::numeric * 100)) * 1024 AS v0 FROM (SELECT (((CASE WHEN octet_length(t0."region") > 4000 THEN CASE WHEN pg_column_size(t0."region") <= 1000000 THEN left(t0."region", 2000) ELSE '' END ELSE t0."region" END))::text COLLATE "C") AS x0, t0."cost" AS x1 FROM "public"."visits" AS t0 WHERE NOT EXISTS (SELECT FROM heavy AS h WHERE h.unit = t0."patient_id")) AS r GROUP BY 1 UNION ALL SELECT k0, sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, sum(n * n) OVER w AS q FROM (SELECT unit, k0, LEAST(n, 3037000499) AS n, LEAST(GREATEST(round((coalesce(s0, 0)::numeric::numeric * 100)), -303700049900000), 303700049900000)::bigint AS v0 FROM (SELECT x0 AS unit, x1 AS k0, count(*) AS n, sum((CASE WHEN x2 < 0 THEN 0 WHEN x2 <= 1000 THEN x2 WHEN x2 <> 'NaN' THEN 1000 END)) AS s0 FROM (SELECT t0."patient_id" AS x0, (((CASE WHEN octet_length(t0."region") > 4000 THEN CASE WHEN pg_column_size(t0."region") <= 1000000 THEN left(t0."region", 2000) ELSE '' END ELSE t0."region" END))::text COLLATE "C") AS x1, t0."cost" AS x2 FROM "public"."visits" AS t0 WHERE EXISTS (SELECT FROM heavy AS h WHERE h.unit = t0."patient_id")) AS r GROUP BY 1, 2) AS counted) AS per_unit WINDOW w AS (PARTITION BY unit)) AS sized) AS scaled GROUP BY 1) AS parts GROUP BY 1) AS sums UNION ALL SELECT k0, 0::bigint, cells FROM (WITH heavy AS MATERIALIZED (SELECT unit FROM (SELECT t0."patient_id" AS unit FROM "public"."visits" AS t0 WHERE (((CASE WHEN octet_length(t0."note") > 4000 THEN CASE WHEN pg_column_size(t0."note") <= 1000000 THEN left(t0."note", 2000) ELSE '' END ELSE t0."note" END))::text COLLATE "C") IS NOT NULL ORDER BY 1) AS r GROUP BY unit HAVING count(*) > 22) SELECT k0, count(*) * 1024 AS cells FROM (SELECT (((CASE WHEN octet_length(t0."region") > 4000 THEN CASE WHEN pg_column_size(t0."region") <= 1000000 THEN left(t0."region", 2000) ELSE '' END ELSE t0."region" END))::text COLLATE "C") AS k0, (((CASE WHEN octet_length(t0."note") > 4000 THEN CASE WHEN pg_column_size(t0."note") <= 1000000 THEN left(t0."note", 2000) ELSE '' END ELSE t0."note" END))::text COLLATE "C") AS x FROM "public"."visits" AS t0 WHERE (((CASE WHEN octet_length(t0."note") > 4000 THEN CASE WHEN pg_column_size(t0."note") <= 1000000 THEN left(t0."note", 2000) ELSE '' END ELSE t0."note" END))::text COLLATE "C") IS NOT NULL AND NOT EXISTS (SELECT FROM heavy AS h WHERE h.unit = t0."patient_id") UNION SELECT k0, x FROM (SELECT unit, k0, x, hash FROM (SELECT unit, k0, x, hash, dense_rank() OVER (PARTITION BY unit ORDER BY hash, CASE WHEN hash IS NOT NULL THEN k0 END, CASE WHEN hash IS NOT NULL THEN x END) AS place FROM (SELECT unit, k0, x, hash FROM (SELECT unit, k0, x, hash, dense_rank() OVER (PARTITION BY unit, k0 ORDER BY hash, CASE WHEN hash IS NOT NULL THEN x END) AS place FROM (SELECT *, hashtextextended(coalesce(left(x::text, 1000000), ''), hashtextextended(coalesce(left(k0::text, 1000000), ''), hashtextextended(unit::text, 0))) AS hash FROM (SELECT DISTINCT t0."patient_id" AS unit, (((CASE WHEN octet_length(t0."region") > 4000 THEN CASE WHEN pg_column_size(t0."region") <= 1000000 THEN left(t0."region", 2000) ELSE '' END ELSE t0."region" END))::text COLLATE "C") AS k0, (((CASE WHEN octet_length(t0."note") > 4000 THEN CASE WHEN pg_column_size(t0."note") <= 1000000 THEN left(t0."note", 2000) ELSE '' END ELSE t0."note" END))::text COLLATE "C") AS x FROM "public"."visits" AS t0 WHERE (((CASE WHEN octet_length(t0."note") > 4000 THEN CASE WHEN pg_column_size(t0."note") <= 1000000 THEN left(t0."note", 2000) ELSE '' END ELSE t0."note" END))::text COLLATE "C") IS NOT NULL AND EXISTS (SELECT FROM heavy AS h WHERE h.unit = t0."patient_id")) AS pairs) AS hashed) AS placed WHERE hash IS NULL OR place <= 10) AS hashed) AS placed WHERE hash IS NULL OR place <= 50) AS kept) AS counted GROUP BY 1) AS counted) AS parts(k0, v1, v0) GROUP BY 1

SELECT note, count(DISTINCT minutes) FROM visits GROUP BY note;
--> path: general
--> Differentially private aggregate of public.visits
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows per group, squared and summed <= 500)
-->   Group keys: note: selected; a group shows if its weighted number of units, with noise, reaches 87.1 (each unit counts in at most 12 groups)
-->   Noisy number 1: distinct values, chosen at random where a unit has too many; standard deviation 316.228, 95 % of the noise within ±619.796
-->   count(DISTINCT minutes): from noisy number 1
-->   95 % of the noise: count(DISTINCT minutes) within ±620 values
-->   Noise intervals (dp.low, dp.high): cover the noise only, not distinct values that a unit has too many of
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005, delta 5e-09
--> reads: public.visits.minutes, public.visits.note, public.visits.patient_id
--> rests on: public.visits (visit_id)
--> work of a row: 28030 ns
--> source: SELECT k0, sum(v0) AS v0, sum(weight) AS weight FROM (SELECT *, 0::bigint FROM (SELECT k0, sum(CASE WHEN groups = 1 THEN 1048576 WHEN groups <= 12 OR place <= 12 THEN trunc(1048576 * (1 - 2.0 ^ -30)::double precision / sqrt(LEAST(groups, 12)::double precision))::bigint ELSE 0 END) AS weight FROM (SELECT *, count(*) OVER w AS groups, row_number() OVER w AS place FROM (SELECT unit, h, k0, LEAST(n, 3037000499) AS n FROM (SELECT x0 AS unit, hashtextextended(coalesce(x1::text, ''), hashtextextended(x0::text, 0)) AS h, x1 AS k0, count(*) AS n FROM (WITH once AS (SELECT) SELECT t0."patient_id" AS x0, (((CASE WHEN octet_length(t0."note") > 4000 THEN CASE WHEN pg_column_size(t0."note") <= 1000000 THEN left(t0."note", 2000) ELSE '' END ELSE t0."note" END))::text COLLATE "C") AS x1 FROM "public"."visits" AS t0) AS r GROUP BY 1, 2, 3) AS counted) AS per_unit WINDOW w AS (PARTITION BY unit ORDER BY h, k0 ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING)) AS scaled GROUP BY 1) AS sums UNION ALL SELECT k0, 0::bigint, cells FROM (WITH heavy AS MATERIALIZED (SELECT unit FROM (SELECT t0."patient_id" AS unit FROM "public"."visits" AS t0 WHERE t0."minutes" IS NOT NULL ORDER BY 1) AS r GROUP BY unit HAVING count(*) > 22) SELECT k0, count(*) * 1024 AS cells FROM (SELECT (((CASE WHEN octet_length(t0."note") > 4000 THEN CASE WHEN pg_column_size(t0."note") <= 1000000 THEN left(t0."note", 2000) ELSE '' END ELSE t0."note" END))::text COLLATE "C") AS k0, t0."minutes" AS x FROM "public"."visits" AS t0 WHERE t0."minutes" IS NOT NULL AND NOT EXISTS (SELECT FROM heavy AS h WHERE h.unit = t0."patient_id") UNION SELECT k0, x FROM (SELECT unit, k0, x, hash FROM (SELECT unit, k0, x, hash, dense_rank() OVER (PARTITION BY unit ORDER BY hash, CASE WHEN hash IS NOT NULL THEN k0 END, CASE WHEN hash IS NOT NULL THEN x END) AS place FROM (SELECT unit, k0, x, hash FROM (SELECT unit, k0, x, hash, dense_rank() OVER (PARTITION BY unit, k0 ORDER BY hash, CASE WHEN hash IS NOT NULL THEN x END) AS place FROM (SELECT *, hashtextextended(coalesce(left(x::text, 1000000), ''), hashtextextended(coalesce(left(k0::text, 1000000), ''), hashtextextended(unit::text, 0))) AS hash FROM (SELECT DISTINCT t0."patient_id" AS unit, (((CASE WHEN octet_length(t0."note") > 4000 THEN CASE WHEN pg_column_size(t0."note") <= 1000000 THEN left(t0."note", 2000) ELSE '' END ELSE t0."note" END))::text COLLATE "C") AS k0, t0."minutes" AS x FROM "public"."visits" AS t0 WHERE t0."minutes" IS NOT NULL AND EXISTS (SELECT FROM heavy AS h WHERE h.unit = t0."patient_id")) AS pairs) AS hashed) AS placed WHERE hash IS NULL OR place <= 10) AS hashed) AS placed WHERE hash IS NULL OR place <= 50) AS kept) AS counted GROUP BY 1) AS counted) AS parts(k0, weight, v0) GROUP BY 1

SELECT sum(minutes) FROM visits;
--> path: single group
--> Differentially private aggregate of public.visits
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows per group, squared and summed <= 500)
-->   Group keys: none, one row
-->   Noisy number 1: sum of values clamped to [0, 240] in steps of 1; standard deviation 53665.6, 95 % of the noise within ±105183
-->   sum(minutes): from noisy number 1; values outside [0, 240] count as the nearest bound
-->   95 % of the noise: sum(minutes) within ±105183
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down, not values moved to a bound
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.visits.minutes, public.visits.patient_id
--> rests on: public.visits (visit_id)
--> work of a row: 90 ns
--> source: SELECT sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, n * n AS q FROM (SELECT unit, LEAST(n, 3037000499) AS n, LEAST(GREATEST(round(coalesce(s0, 0)::numeric), -728880119760), 728880119760)::bigint AS v0 FROM (SELECT x0 AS unit, count(*) AS n, sum((CASE WHEN x1 < 0 THEN 0 WHEN x1 > 240 THEN 240 ELSE x1 END)) AS s0 FROM (SELECT t0."patient_id" AS x0, t0."minutes" AS x1 FROM "public"."visits" AS t0) AS r GROUP BY 1) AS counted) AS per_unit) AS sized) AS scaled

SELECT sum(cost) FROM visits;
--> path: single group
--> Differentially private aggregate of public.visits
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows per group, squared and summed <= 500)
-->   Group keys: none, one row
-->   Noisy number 1: sum of values clamped to [0, 1000] in steps of 0.01; standard deviation 223607, 95 % of the noise within ±438261
-->   sum(cost): from noisy number 1; values outside [0, 1000] count as the nearest bound
-->   95 % of the noise: sum(cost) within ±438261
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down, not values moved to a bound
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.visits.cost, public.visits.patient_id
--> rests on: public.visits (visit_id)
--> work of a row: 240 ns
--> source: SELECT sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, n * n AS q FROM (SELECT unit, LEAST(n, 3037000499) AS n, LEAST(GREATEST(round((coalesce(s0, 0)::numeric::numeric * 100)), -303700049900000), 303700049900000)::bigint AS v0 FROM (SELECT x0 AS unit, count(*) AS n, sum((CASE WHEN x1 < 0 THEN 0 WHEN x1 <= 1000 THEN x1 WHEN x1 <> 'NaN' THEN 1000 END)) AS s0 FROM (SELECT t0."patient_id" AS x0, t0."cost" AS x1 FROM "public"."visits" AS t0) AS r GROUP BY 1) AS counted) AS per_unit) AS sized) AS scaled

SELECT sum(score) FROM visits;
--> path: single group
--> Differentially private aggregate of public.visits
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows per group, squared and summed <= 500)
-->   Group keys: none, one row
-->   Not a number: NaN counts as NULL in sum(score)
-->   Noisy number 1: sum of values clamped to [-1, 1] in steps of 0.000000001; standard deviation 223.607, 95 % of the noise within ±438.261
-->   sum(score): from noisy number 1; values outside [-1, 1] count as the nearest bound
-->   95 % of the noise: sum(score) within ±438.261
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down, not values moved to a bound
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.visits.patient_id, public.visits.score
--> rests on: public.visits (visit_id)
--> work of a row: 180 ns
--> source: SELECT sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, n * n AS q FROM (SELECT unit, LEAST(n, 3037000499) AS n, LEAST(GREATEST(coalesce(s0, 0)::numeric, -3037000499000000000), 3037000499000000000)::bigint AS v0 FROM (SELECT x0 AS unit, count(*) AS n, sum((CASE WHEN x1 < (-1) THEN -1000000000::double precision WHEN x1 <= 1 THEN round(x1::double precision / 0.000000001::double precision) WHEN x1 <> 'NaN' THEN 1000000000::double precision END)::integer) AS s0 FROM (SELECT t0."patient_id" AS x0, t0."score" AS x1 FROM "public"."visits" AS t0) AS r GROUP BY 1) AS counted) AS per_unit) AS sized) AS scaled

SELECT avg(minutes), sum(minutes), count(minutes) FROM visits;
--> path: single group
--> Differentially private aggregate of public.visits
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows per group, squared and summed <= 500)
-->   Group keys: none, one row
-->   Noisy number 1: rows where the value is not NULL; standard deviation 316.228, 95 % of the noise within ±619.796
-->   Noisy number 2: sum around 120 of values clamped to [0, 240] in steps of 1; standard deviation 37947.3, 95 % of the noise within ±74375.4
-->   avg(minutes): from noisy numbers 1 and 2; values outside [0, 240] count as the nearest bound
-->   sum(minutes): from noisy numbers 1 and 2; values outside [0, 240] count as the nearest bound
-->   count(minutes): from noisy number 1
-->   95 % of the noise: avg(minutes) within ±105200 / its rows, sum(minutes) within ±105200, count(minutes) within ±620 rows
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down, not values moved to a bound
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.visits.minutes, public.visits.patient_id
--> rests on: public.visits (visit_id)
--> work of a row: 90 ns
--> source: SELECT sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0, sum(CASE WHEN scale IS NOT NULL THEN trunc(v1::double precision * scale)::bigint ELSE v1::bigint * 1024 END) AS v1 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, n * n AS q FROM (SELECT unit, LEAST(n, 3037000499) AS n, LEAST(s0, 3037000499) AS v0, LEAST(GREATEST((round(coalesce(s1, 0)::numeric) - 120::numeric * c1), -364440059880), 364440059880)::bigint AS v1 FROM (SELECT x0 AS unit, count(*) AS n, count(x1) AS s0, sum((CASE WHEN x1 < 0 THEN 0 WHEN x1 > 240 THEN 240 ELSE x1 END)) AS s1, count(x1) AS c1 FROM (SELECT t0."patient_id" AS x0, t0."minutes" AS x1 FROM "public"."visits" AS t0) AS r GROUP BY 1) AS counted) AS per_unit) AS sized) AS scaled

SELECT avg(cost) FROM visits;
--> path: single group
--> Differentially private aggregate of public.visits
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows per group, squared and summed <= 500)
-->   Group keys: none, one row
-->   Noisy number 1: rows where the value is not NULL; standard deviation 316.228, 95 % of the noise within ±619.796
-->   Noisy number 2: sum around 500 of values clamped to [0, 1000] in steps of 0.01; standard deviation 158114, 95 % of the noise within ±309898
-->   avg(cost): from noisy numbers 1 and 2; values outside [0, 1000] count as the nearest bound
-->   95 % of the noise: avg(cost) within ±438334 / its rows
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down, not values moved to a bound
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.visits.cost, public.visits.patient_id
--> rests on: public.visits (visit_id)
--> work of a row: 240 ns
--> source: SELECT sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0, sum(CASE WHEN scale IS NOT NULL THEN trunc(v1::double precision * scale)::bigint ELSE v1::bigint * 1024 END) AS v1 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, n * n AS q FROM (SELECT unit, LEAST(n, 3037000499) AS n, LEAST(s0, 3037000499) AS v0, LEAST(GREATEST((round((coalesce(s1, 0)::numeric::numeric * 100)) - 50000::numeric * c1), -151850024950000), 151850024950000)::bigint AS v1 FROM (SELECT x0 AS unit, count(*) AS n, count(NULLIF(x1, 'NaN')) AS s0, sum((CASE WHEN x1 < 0 THEN 0 WHEN x1 <= 1000 THEN x1 WHEN x1 <> 'NaN' THEN 1000 END)) AS s1, count(NULLIF(x1, 'NaN')) AS c1 FROM (SELECT t0."patient_id" AS x0, t0."cost" AS x1 FROM "public"."visits" AS t0) AS r GROUP BY 1) AS counted) AS per_unit) AS sized) AS scaled

SELECT avg(score) FROM visits;
--> path: single group
--> Differentially private aggregate of public.visits
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows per group, squared and summed <= 500)
-->   Group keys: none, one row
-->   Not a number: NaN counts as NULL in avg(score)
-->   Noisy number 1: rows where the value is not NULL; standard deviation 316.228, 95 % of the noise within ±619.796
-->   Noisy number 2: sum of values clamped to [-1, 1] in steps of 0.000000001; standard deviation 316.228, 95 % of the noise within ±619.795
-->   avg(score): from noisy numbers 1 and 2; values outside [-1, 1] count as the nearest bound
-->   95 % of the noise: avg(score) within ±876.667 / its rows
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down, not values moved to a bound
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.visits.patient_id, public.visits.score
--> rests on: public.visits (visit_id)
--> work of a row: 180 ns
--> source: SELECT sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0, sum(CASE WHEN scale IS NOT NULL THEN trunc(v1::double precision * scale)::bigint ELSE v1::bigint * 1024 END) AS v1 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, n * n AS q FROM (SELECT unit, LEAST(n, 3037000499) AS n, LEAST(s0, 3037000499) AS v0, LEAST(GREATEST(coalesce(s1, 0)::numeric, -3037000499000000000), 3037000499000000000)::bigint AS v1 FROM (SELECT x0 AS unit, count(*) AS n, count(NULLIF(x1, 'NaN')) AS s0, sum((CASE WHEN x1 < (-1) THEN -1000000000::double precision WHEN x1 <= 1 THEN round(x1::double precision / 0.000000001::double precision) WHEN x1 <> 'NaN' THEN 1000000000::double precision END)::integer) AS s1 FROM (SELECT t0."patient_id" AS x0, t0."score" AS x1 FROM "public"."visits" AS t0) AS r GROUP BY 1) AS counted) AS per_unit) AS sized) AS scaled

SELECT avg(height) FROM patients;
--> path: unique
--> Differentially private aggregate of public.patients
-->   Privacy unit: patient, by public.patients.patient_id
-->   Contribution: one row per unit, proven by a unique key of the source; no unit is scaled down
-->   Group keys: none, one row
-->   Noisy number 1: rows where the value is not NULL; standard deviation 14.1421, 95 % of the noise within ±28
-->   Noisy number 2: sum around 130 of values clamped to [40, 220] in steps of 0.1; standard deviation 1272.79, 95 % of the noise within ±2494.7
-->   avg(height): from noisy numbers 1 and 2; values outside [40, 220] count as the nearest bound
-->   95 % of the noise: avg(height) within ±3545.97 / its rows
-->   Noise intervals (dp.low, dp.high): cover the noise only, not values moved to a bound
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.patients.height, public.patients.patient_id
--> rests on: public.patients (patient_id)
--> work of a row: 240 ns
--> source: SELECT count(NULLIF(x0, 'NaN')) AS s0, sum(round(((CASE WHEN x0 < 40 THEN 40 WHEN x0 <= 220 THEN x0 WHEN x0 <> 'NaN' THEN 220 END)::numeric * 10))::integer) AS s1, count(NULLIF(x0, 'NaN')) AS c1 FROM (SELECT t0."height" AS x0 FROM "public"."patients" AS t0) AS r

SELECT sum(minutes), sum(minutes) FILTER (WHERE urgent) FROM visits;
--> path: single group
--> Differentially private aggregate of public.visits
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows per group, squared and summed <= 500)
-->   Group keys: none, one row
-->   Noisy number 1: sum of values clamped to [0, 240] in steps of 1; standard deviation 75894.7, 95 % of the noise within ±148751
-->   Noisy number 2: sum of values clamped to [0, 240] in steps of 1; standard deviation 75894.7, 95 % of the noise within ±148751
-->   sum(minutes): from noisy number 1; values outside [0, 240] count as the nearest bound
-->   sum(minutes) FILTER(WHERE urgent): from noisy number 2; values outside [0, 240] count as the nearest bound
-->   95 % of the noise: sum(minutes) and sum(minutes) FILTER(WHERE urgent) within ±148751
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down, not values moved to a bound
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.visits.minutes, public.visits.patient_id, public.visits.urgent
--> rests on: public.visits (visit_id)
--> work of a row: 120 ns
--> source: SELECT sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0, sum(CASE WHEN scale IS NOT NULL THEN trunc(v1::double precision * scale)::bigint ELSE v1::bigint * 1024 END) AS v1 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, n * n AS q FROM (SELECT unit, LEAST(n, 3037000499) AS n, LEAST(GREATEST(round(coalesce(s0, 0)::numeric), -728880119760), 728880119760)::bigint AS v0, LEAST(GREATEST(round(coalesce(s1, 0)::numeric), -728880119760), 728880119760)::bigint AS v1 FROM (SELECT x0 AS unit, count(*) AS n, sum((CASE WHEN x1 < 0 THEN 0 WHEN x1 > 240 THEN 240 ELSE x1 END)) AS s0, sum((CASE WHEN x1 < 0 THEN 0 WHEN x1 > 240 THEN 240 ELSE x1 END)) FILTER (WHERE x2) AS s1 FROM (SELECT t0."patient_id" AS x0, t0."minutes" AS x1, t0."urgent" AS x2 FROM "public"."visits" AS t0) AS r GROUP BY 1) AS counted) AS per_unit) AS sized) AS scaled

SELECT count(*) FILTER (WHERE cost > 100 AND diagnosis = 'flu') FROM visits;
--> path: single group
--> Differentially private aggregate of public.visits
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows per group, squared and summed <= 500)
-->   Group keys: none, one row
-->   Noisy number 1: rows; standard deviation 223.607, 95 % of the noise within ±438.262
-->   count(*) FILTER(WHERE cost > 100 AND diagnosis = 'flu'): from noisy number 1
-->   95 % of the noise: count(*) FILTER(WHERE cost > 100 AND diagnosis = 'flu') within ±438 rows
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.visits.cost, public.visits.diagnosis, public.visits.patient_id
--> rests on: public.visits (visit_id)
--> work of a row: 28328 ns
--> source: SELECT sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, n * n AS q FROM (SELECT unit, LEAST(n, 3037000499) AS n, LEAST(s0, 3037000499) AS v0 FROM (SELECT x0 AS unit, count(*) AS n, count(*) FILTER (WHERE x1) AS s0 FROM (SELECT t0."patient_id" AS x0, (((CASE WHEN octet_length(t0."diagnosis") > 4000 THEN CASE WHEN pg_column_size(t0."diagnosis") <= 1000000 THEN left(t0."diagnosis", 2000) ELSE '' END ELSE t0."diagnosis" END) = 'flu') AND (t0."cost" > 100)) AS x1 FROM "public"."visits" AS t0) AS r GROUP BY 1) AS counted) AS per_unit) AS sized) AS scaled

SELECT variance(cost), stddev(cost), avg(cost) FROM visits;
--> path: single group
--> Differentially private aggregate of public.visits
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows per group, squared and summed <= 500)
-->   Group keys: none, one row
-->   Noisy number 1: rows where the value is not NULL; standard deviation 387.298, 95 % of the noise within ±759.091
-->   Noisy number 2: sum around 500 of values clamped to [0, 1000] in steps of 0.01; standard deviation 193649, 95 % of the noise within ±379545
-->   Noisy number 3: sum of values clamped to [0, 250000] in steps of 0.0001; standard deviation 9.68246e+07, 95 % of the noise within ±1.89773e+08
-->   variance(cost): from noisy numbers 1, 2 and 3; values outside [0, 1000] count as the nearest bound
-->   stddev(cost): from noisy numbers 1, 2 and 3; values outside [0, 1000] count as the nearest bound
-->   avg(cost): from noisy numbers 1 and 2; values outside [0, 1000] count as the nearest bound
-->   95 % of the noise: avg(cost) within ±536758 / its rows; dp.low and dp.high tell that of variance(cost) and stddev(cost)
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down, not values moved to a bound
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.visits.cost, public.visits.patient_id
--> rests on: public.visits (visit_id)
--> work of a row: 240 ns
--> source: SELECT sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0, sum(CASE WHEN scale IS NOT NULL THEN trunc(v1::double precision * scale)::bigint ELSE v1::bigint * 1024 END) AS v1, sum(CASE WHEN scale IS NOT NULL THEN trunc(v2::double precision * scale)::bigint ELSE v2::bigint * 1024 END) AS v2 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, n * n AS q FROM (SELECT unit, LEAST(n, 3037000499) AS n, LEAST(s0, 3037000499) AS v0, LEAST(GREATEST(coalesce(s1, 0)::numeric, -151850024950000), 151850024950000)::bigint AS v1, LEAST(GREATEST(coalesce(s2, 0)::numeric, -4611686018427387904), 4611686018427387904)::bigint AS v2 FROM (SELECT x0 AS unit, count(*) AS n, count(NULLIF(x1, 'NaN')) AS s0, sum(((CASE WHEN x2 < (-500) THEN (-500) WHEN x2 <= 500 THEN x2 WHEN x2 <> 'NaN' THEN 500 END)::numeric * 100)::integer) AS s1, sum(((CASE WHEN x2 < (-500) THEN (-500) WHEN x2 <= 500 THEN x2 WHEN x2 <> 'NaN' THEN 500 END)::numeric * 100)::integer::bigint * ((CASE WHEN x2 < (-500) THEN (-500) WHEN x2 <= 500 THEN x2 WHEN x2 <> 'NaN' THEN 500 END)::numeric * 100)::integer) AS s2 FROM (SELECT t0."patient_id" AS x0, t0."cost" AS x1, (t0."cost" - 500::numeric) AS x2 FROM "public"."visits" AS t0) AS r GROUP BY 1) AS counted) AS per_unit) AS sized) AS scaled

SELECT var_pop(score), stddev_pop(minutes), var_samp(minutes) FROM visits;
--> path: single group
--> Differentially private aggregate of public.visits
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows per group, squared and summed <= 500)
-->   Group keys: none, one row
-->   Not a number: NaN counts as NULL in var_pop(score)
-->   Noisy number 1: rows where the value is not NULL; standard deviation 547.723, 95 % of the noise within ±1073.52
-->   Noisy number 2: sum of values clamped to [-1, 1] in steps of 0.000001; standard deviation 547.723, 95 % of the noise within ±1073.52
-->   Noisy number 3: sum of values clamped to [0, 1] in steps of 1e-12; standard deviation 547.723, 95 % of the noise within ±1073.52
-->   Noisy number 4: rows where the value is not NULL; standard deviation 547.723, 95 % of the noise within ±1073.52
-->   Noisy number 5: sum around 120 of values clamped to [0, 240] in steps of 1; standard deviation 65726.7, 95 % of the noise within ±128822
-->   Noisy number 6: sum of values clamped to [0, 14400] in steps of 1; standard deviation 7.8872e+06, 95 % of the noise within ±1.54586e+07
-->   var_pop(score): from noisy numbers 1, 2 and 3; values outside [-1, 1] count as the nearest bound
-->   stddev_pop(minutes): from noisy numbers 4, 5 and 6; values outside [0, 240] count as the nearest bound
-->   var_samp(minutes): from noisy numbers 4, 5 and 6; values outside [0, 240] count as the nearest bound
-->   95 % of the noise: dp.low and dp.high tell it of each group
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down, not values moved to a bound
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.visits.minutes, public.visits.patient_id, public.visits.score
--> rests on: public.visits (visit_id)
--> work of a row: 270 ns
--> source: SELECT sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0, sum(CASE WHEN scale IS NOT NULL THEN trunc(v1::double precision * scale)::bigint ELSE v1::bigint * 1024 END) AS v1, sum(CASE WHEN scale IS NOT NULL THEN trunc(v2::double precision * scale)::bigint ELSE v2::bigint * 1024 END) AS v2, sum(CASE WHEN scale IS NOT NULL THEN trunc(v3::double precision * scale)::bigint ELSE v3::bigint * 1024 END) AS v3, sum(CASE WHEN scale IS NOT NULL THEN trunc(v4::double precision * scale)::bigint ELSE v4::bigint * 1024 END) AS v4, sum(CASE WHEN scale IS NOT NULL THEN trunc(v5::double precision * scale)::bigint ELSE v5::bigint * 1024 END) AS v5 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, n * n AS q FROM (SELECT unit, LEAST(n, 3037000499) AS n, LEAST(s0, 3037000499) AS v0, LEAST(GREATEST(coalesce(s1, 0)::numeric, -3037000499000000), 3037000499000000)::bigint AS v1, LEAST(GREATEST(coalesce(s2, 0)::numeric, -4611686018427387904), 4611686018427387904)::bigint AS v2, LEAST(s3, 3037000499) AS v3, LEAST(GREATEST(coalesce(s4, 0)::numeric, -364440059880), 364440059880)::bigint AS v4, LEAST(GREATEST(coalesce(s5, 0)::numeric, -43732807185600), 43732807185600)::bigint AS v5 FROM (SELECT x0 AS unit, count(*) AS n, count(NULLIF(x1, 'NaN')) AS s0, sum((CASE WHEN x1 < (-1) THEN -1000000::double precision WHEN x1 <= 1 THEN round(x1::double precision / 0.000001::double precision) WHEN x1 <> 'NaN' THEN 1000000::double precision END)::integer) AS s1, sum((CASE WHEN x1 < (-1) THEN -1000000::double precision WHEN x1 <= 1 THEN round(x1::double precision / 0.000001::double precision) WHEN x1 <> 'NaN' THEN 1000000::double precision END)::integer::bigint * (CASE WHEN x1 < (-1) THEN -1000000::double precision WHEN x1 <= 1 THEN round(x1::double precision / 0.000001::double precision) WHEN x1 <> 'NaN' THEN 1000000::double precision END)::integer) AS s2, count(x2) AS s3, sum((CASE WHEN x3 < (-120) THEN (-120) WHEN x3 <= 120 THEN x3 WHEN x3 <> 'NaN' THEN 120 END)::integer) AS s4, sum((CASE WHEN x3 < (-120) THEN (-120) WHEN x3 <= 120 THEN x3 WHEN x3 <> 'NaN' THEN 120 END)::integer::bigint * (CASE WHEN x3 < (-120) THEN (-120) WHEN x3 <= 120 THEN x3 WHEN x3 <> 'NaN' THEN 120 END)::integer) AS s5 FROM (SELECT t0."patient_id" AS x0, t0."score" AS x1, t0."minutes" AS x2, (t0."minutes" - 120::numeric) AS x3 FROM "public"."visits" AS t0) AS r GROUP BY 1) AS counted) AS per_unit) AS sized) AS scaled

SELECT covar_pop(cost, minutes), covar_samp(cost, minutes) FROM visits;
--> path: single group
--> Differentially private aggregate of public.visits
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows per group, squared and summed <= 500)
-->   Group keys: none, one row
-->   Noisy number 1: rows where the value is not NULL; standard deviation 447.214, 95 % of the noise within ±876.523
-->   Noisy number 2: sum around 120 of values clamped to [0, 240] in steps of 1; standard deviation 53665.6, 95 % of the noise within ±105183
-->   Noisy number 3: sum around 500 of values clamped to [0, 1000] in steps of 0.01; standard deviation 223607, 95 % of the noise within ±438261
-->   Noisy number 4: sum of values clamped to [-60000, 60000] in steps of 0.01; standard deviation 2.68328e+07, 95 % of the noise within ±5.25914e+07
-->   covar_pop(cost, minutes): from noisy numbers 1, 2, 3 and 4; values outside [0, 1000] or [0, 240] count as the nearest bound
-->   covar_samp(cost, minutes): from noisy numbers 1, 2, 3 and 4; values outside [0, 1000] or [0, 240] count as the nearest bound
-->   95 % of the noise: dp.low and dp.high tell it of each group
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down, not values moved to a bound
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.visits.cost, public.visits.minutes, public.visits.patient_id
--> rests on: public.visits (visit_id)
--> work of a row: 330 ns
--> source: SELECT sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0, sum(CASE WHEN scale IS NOT NULL THEN trunc(v1::double precision * scale)::bigint ELSE v1::bigint * 1024 END) AS v1, sum(CASE WHEN scale IS NOT NULL THEN trunc(v2::double precision * scale)::bigint ELSE v2::bigint * 1024 END) AS v2, sum(CASE WHEN scale IS NOT NULL THEN trunc(v3::double precision * scale)::bigint ELSE v3::bigint * 1024 END) AS v3 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, n * n AS q FROM (SELECT unit, LEAST(n, 3037000499) AS n, LEAST(s0, 3037000499) AS v0, LEAST(GREATEST(coalesce(s1, 0)::numeric, -364440059880), 364440059880)::bigint AS v1, LEAST(GREATEST(coalesce(s2, 0)::numeric, -151850024950000), 151850024950000)::bigint AS v2, LEAST(GREATEST(coalesce(s3, 0)::numeric, -18222002994000000), 18222002994000000)::bigint AS v3 FROM (SELECT x0 AS unit, count(*) AS n, count(x1) AS s0, sum((CASE WHEN x2 < (-120) THEN (-120) WHEN x2 <= 120 THEN x2 WHEN x2 <> 'NaN' THEN 120 END)::integer) AS s1, sum(((CASE WHEN x3 < (-500) THEN (-500) WHEN x3 <= 500 THEN x3 WHEN x3 <> 'NaN' THEN 500 END)::numeric * 100)::integer) AS s2, sum((CASE WHEN x2 < (-120) THEN (-120) WHEN x2 <= 120 THEN x2 WHEN x2 <> 'NaN' THEN 120 END)::integer::bigint * ((CASE WHEN x3 < (-500) THEN (-500) WHEN x3 <= 500 THEN x3 WHEN x3 <> 'NaN' THEN 500 END)::numeric * 100)::integer) AS s3 FROM (SELECT t0."patient_id" AS x0, (CASE WHEN NULLIF(t0."cost", 'NaN') IS NOT NULL THEN t0."minutes" END) AS x1, ((CASE WHEN NULLIF(t0."cost", 'NaN') IS NOT NULL THEN t0."minutes" END) - 120::numeric) AS x2, ((CASE WHEN t0."minutes" IS NOT NULL THEN t0."cost" END) - 500::numeric) AS x3 FROM "public"."visits" AS t0) AS r GROUP BY 1) AS counted) AS per_unit) AS sized) AS scaled

SELECT corr(cost, minutes) FROM visits;
--> path: single group
--> Differentially private aggregate of public.visits
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows per group, squared and summed <= 500)
-->   Group keys: none, one row
-->   Noisy number 1: rows where the value is not NULL; standard deviation 547.723, 95 % of the noise within ±1073.52
-->   Noisy number 2: sum around 120 of values clamped to [0, 240] in steps of 1; standard deviation 65726.7, 95 % of the noise within ±128822
-->   Noisy number 3: sum around 500 of values clamped to [0, 1000] in steps of 0.01; standard deviation 273861, 95 % of the noise within ±536758
-->   Noisy number 4: sum of values clamped to [0, 14400] in steps of 1; standard deviation 7.8872e+06, 95 % of the noise within ±1.54586e+07
-->   Noisy number 5: sum of values clamped to [0, 250000] in steps of 0.0001; standard deviation 1.36931e+08, 95 % of the noise within ±2.68379e+08
-->   Noisy number 6: sum of values clamped to [-60000, 60000] in steps of 0.01; standard deviation 3.28634e+07, 95 % of the noise within ±6.4411e+07
-->   corr(cost, minutes): from noisy numbers 1, 2, 3, 4, 5 and 6; values outside [0, 1000] or [0, 240] count as the nearest bound
-->   95 % of the noise: dp.low and dp.high tell it of each group
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down, not values moved to a bound
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.visits.cost, public.visits.minutes, public.visits.patient_id
--> rests on: public.visits (visit_id)
--> work of a row: 330 ns
--> source: SELECT sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0, sum(CASE WHEN scale IS NOT NULL THEN trunc(v1::double precision * scale)::bigint ELSE v1::bigint * 1024 END) AS v1, sum(CASE WHEN scale IS NOT NULL THEN trunc(v2::double precision * scale)::bigint ELSE v2::bigint * 1024 END) AS v2, sum(CASE WHEN scale IS NOT NULL THEN trunc(v3::double precision * scale)::bigint ELSE v3::bigint * 1024 END) AS v3, sum(CASE WHEN scale IS NOT NULL THEN trunc(v4::double precision * scale)::bigint ELSE v4::bigint * 1024 END) AS v4, sum(CASE WHEN scale IS NOT NULL THEN trunc(v5::double precision * scale)::bigint ELSE v5::bigint * 1024 END) AS v5 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, n * n AS q FROM (SELECT unit, LEAST(n, 3037000499) AS n, LEAST(s0, 3037000499) AS v0, LEAST(GREATEST(coalesce(s1, 0)::numeric, -364440059880), 364440059880)::bigint AS v1, LEAST(GREATEST(coalesce(s2, 0)::numeric, -151850024950000), 151850024950000)::bigint AS v2, LEAST(GREATEST(coalesce(s3, 0)::numeric, -43732807185600), 43732807185600)::bigint AS v3, LEAST(GREATEST(coalesce(s4, 0)::numeric, -4611686018427387904), 4611686018427387904)::bigint AS v4, LEAST(GREATEST(coalesce(s5, 0)::numeric, -18222002994000000), 18222002994000000)::bigint AS v5 FROM (SELECT x0 AS unit, count(*) AS n, count(x1) AS s0, sum((CASE WHEN x2 < (-120) THEN (-120) WHEN x2 <= 120 THEN x2 WHEN x2 <> 'NaN' THEN 120 END)::integer) AS s1, sum(((CASE WHEN x3 < (-500) THEN (-500) WHEN x3 <= 500 THEN x3 WHEN x3 <> 'NaN' THEN 500 END)::numeric * 100)::integer) AS s2, sum((CASE WHEN x2 < (-120) THEN (-120) WHEN x2 <= 120 THEN x2 WHEN x2 <> 'NaN' THEN 120 END)::integer::bigint * (CASE WHEN x2 < (-120) THEN (-120) WHEN x2 <= 120 THEN x2 WHEN x2 <> 'NaN' THEN 120 END)::integer) AS s3, sum(((CASE WHEN x3 < (-500) THEN (-500) WHEN x3 <= 500 THEN x3 WHEN x3 <> 'NaN' THEN 500 END)::numeric * 100)::integer::bigint * ((CASE WHEN x3 < (-500) THEN (-500) WHEN x3 <= 500 THEN x3 WHEN x3 <> 'NaN' THEN 500 END)::numeric * 100)::integer) AS s4, sum((CASE WHEN x2 < (-120) THEN (-120) WHEN x2 <= 120 THEN x2 WHEN x2 <> 'NaN' THEN 120 END)::integer::bigint * ((CASE WHEN x3 < (-500) THEN (-500) WHEN x3 <= 500 THEN x3 WHEN x3 <> 'NaN' THEN 500 END)::numeric * 100)::integer) AS s5 FROM (WITH once AS (SELECT) SELECT t0."patient_id" AS x0, (CASE WHEN NULLIF(t0."cost", 'NaN') IS NOT NULL THEN t0."minutes" END) AS x1, ((CASE WHEN NULLIF(t0."cost", 'NaN') IS NOT NULL THEN t0."minutes" END) - 120::numeric) AS x2, ((CASE WHEN t0."minutes" IS NOT NULL THEN t0."cost" END) - 500::numeric) AS x3 FROM "public"."visits" AS t0) AS r GROUP BY 1) AS counted) AS per_unit) AS sized) AS scaled

SELECT regr_slope(cost, minutes), regr_intercept(cost, minutes), regr_r2(cost, minutes) FROM visits;
--> path: single group
--> Differentially private aggregate of public.visits
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows per group, squared and summed <= 500)
-->   Group keys: none, one row
-->   Noisy number 1: rows where the value is not NULL; standard deviation 547.723, 95 % of the noise within ±1073.52
-->   Noisy number 2: sum around 120 of values clamped to [0, 240] in steps of 1; standard deviation 65726.7, 95 % of the noise within ±128822
-->   Noisy number 3: sum around 500 of values clamped to [0, 1000] in steps of 0.01; standard deviation 273861, 95 % of the noise within ±536758
-->   Noisy number 4: sum of values clamped to [0, 14400] in steps of 1; standard deviation 7.8872e+06, 95 % of the noise within ±1.54586e+07
-->   Noisy number 5: sum of values clamped to [-60000, 60000] in steps of 0.01; standard deviation 3.28634e+07, 95 % of the noise within ±6.4411e+07
-->   Noisy number 6: sum of values clamped to [0, 250000] in steps of 0.0001; standard deviation 1.36931e+08, 95 % of the noise within ±2.68379e+08
-->   regr_slope(cost, minutes): from noisy numbers 1, 2, 3, 4 and 5; values outside [0, 1000] or [0, 240] count as the nearest bound
-->   regr_intercept(cost, minutes): from noisy numbers 1, 2, 3, 4 and 5; values outside [0, 1000] or [0, 240] count as the nearest bound
-->   regr_r2(cost, minutes): from noisy numbers 1, 2, 3, 4, 5 and 6; values outside [0, 1000] or [0, 240] count as the nearest bound
-->   95 % of the noise: dp.low and dp.high tell it of each group
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down, not values moved to a bound
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.visits.cost, public.visits.minutes, public.visits.patient_id
--> rests on: public.visits (visit_id)
--> work of a row: 330 ns
--> source: SELECT sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0, sum(CASE WHEN scale IS NOT NULL THEN trunc(v1::double precision * scale)::bigint ELSE v1::bigint * 1024 END) AS v1, sum(CASE WHEN scale IS NOT NULL THEN trunc(v2::double precision * scale)::bigint ELSE v2::bigint * 1024 END) AS v2, sum(CASE WHEN scale IS NOT NULL THEN trunc(v3::double precision * scale)::bigint ELSE v3::bigint * 1024 END) AS v3, sum(CASE WHEN scale IS NOT NULL THEN trunc(v4::double precision * scale)::bigint ELSE v4::bigint * 1024 END) AS v4, sum(CASE WHEN scale IS NOT NULL THEN trunc(v5::double precision * scale)::bigint ELSE v5::bigint * 1024 END) AS v5 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, n * n AS q FROM (SELECT unit, LEAST(n, 3037000499) AS n, LEAST(s0, 3037000499) AS v0, LEAST(GREATEST(coalesce(s1, 0)::numeric, -364440059880), 364440059880)::bigint AS v1, LEAST(GREATEST(coalesce(s2, 0)::numeric, -151850024950000), 151850024950000)::bigint AS v2, LEAST(GREATEST(coalesce(s3, 0)::numeric, -43732807185600), 43732807185600)::bigint AS v3, LEAST(GREATEST(coalesce(s4, 0)::numeric, -18222002994000000), 18222002994000000)::bigint AS v4, LEAST(GREATEST(coalesce(s5, 0)::numeric, -4611686018427387904), 4611686018427387904)::bigint AS v5 FROM (SELECT x0 AS unit, count(*) AS n, count(x1) AS s0, sum((CASE WHEN x2 < (-120) THEN (-120) WHEN x2 <= 120 THEN x2 WHEN x2 <> 'NaN' THEN 120 END)::integer) AS s1, sum(((CASE WHEN x3 < (-500) THEN (-500) WHEN x3 <= 500 THEN x3 WHEN x3 <> 'NaN' THEN 500 END)::numeric * 100)::integer) AS s2, sum((CASE WHEN x2 < (-120) THEN (-120) WHEN x2 <= 120 THEN x2 WHEN x2 <> 'NaN' THEN 120 END)::integer::bigint * (CASE WHEN x2 < (-120) THEN (-120) WHEN x2 <= 120 THEN x2 WHEN x2 <> 'NaN' THEN 120 END)::integer) AS s3, sum((CASE WHEN x2 < (-120) THEN (-120) WHEN x2 <= 120 THEN x2 WHEN x2 <> 'NaN' THEN 120 END)::integer::bigint * ((CASE WHEN x3 < (-500) THEN (-500) WHEN x3 <= 500 THEN x3 WHEN x3 <> 'NaN' THEN 500 END)::numeric * 100)::integer) AS s4, sum(((CASE WHEN x3 < (-500) THEN (-500) WHEN x3 <= 500 THEN x3 WHEN x3 <> 'NaN' THEN 500 END)::numeric * 100)::integer::bigint * ((CASE WHEN x3 < (-500) THEN (-500) WHEN x3 <= 500 THEN x3 WHEN x3 <> 'NaN' THEN 500 END)::numeric * 100)::integer) AS s5 FROM (WITH once AS (SELECT) SELECT t0."patient_id" AS x0, (CASE WHEN NULLIF(t0."cost", 'NaN') IS NOT NULL THEN t0."minutes" END) AS x1, ((CASE WHEN NULLIF(t0."cost", 'NaN') IS NOT NULL THEN t0."minutes" END) - 120::numeric) AS x2, ((CASE WHEN t0."minutes" IS NOT NULL THEN t0."cost" END) - 500::numeric) AS x3 FROM "public"."visits" AS t0) AS r GROUP BY 1) AS counted) AS per_unit) AS sized) AS scaled

SELECT regr_count(cost, minutes), regr_avgx(cost, minutes), regr_avgy(cost, minutes) FROM visits;
--> path: single group
--> Differentially private aggregate of public.visits
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows per group, squared and summed <= 500)
-->   Group keys: none, one row
-->   Noisy number 1: rows where the value is not NULL; standard deviation 387.298, 95 % of the noise within ±759.091
-->   Noisy number 2: sum around 120 of values clamped to [0, 240] in steps of 1; standard deviation 46475.8, 95 % of the noise within ±91090.9
-->   Noisy number 3: sum around 500 of values clamped to [0, 1000] in steps of 0.01; standard deviation 193649, 95 % of the noise within ±379545
-->   regr_count(cost, minutes): from noisy number 1
-->   regr_avgx(cost, minutes): from noisy numbers 1 and 2; values outside [0, 240] count as the nearest bound
-->   regr_avgy(cost, minutes): from noisy numbers 1 and 3; values outside [0, 1000] count as the nearest bound
-->   95 % of the noise: dp.low and dp.high tell it of each group
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down, not values moved to a bound
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.visits.cost, public.visits.minutes, public.visits.patient_id
--> rests on: public.visits (visit_id)
--> work of a row: 330 ns
--> source: SELECT sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0, sum(CASE WHEN scale IS NOT NULL THEN trunc(v1::double precision * scale)::bigint ELSE v1::bigint * 1024 END) AS v1, sum(CASE WHEN scale IS NOT NULL THEN trunc(v2::double precision * scale)::bigint ELSE v2::bigint * 1024 END) AS v2 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, n * n AS q FROM (SELECT unit, LEAST(n, 3037000499) AS n, LEAST(s0, 3037000499) AS v0, LEAST(GREATEST((round(coalesce(s1, 0)::numeric) - 120::numeric * c1), -364440059880), 364440059880)::bigint AS v1, LEAST(GREATEST((round((coalesce(s2, 0)::numeric::numeric * 100)) - 50000::numeric * c2), -151850024950000), 151850024950000)::bigint AS v2 FROM (SELECT x0 AS unit, count(*) AS n, count(x1) AS s0, sum((CASE WHEN x1 < 0 THEN 0 WHEN x1 > 240 THEN 240 ELSE x1 END)) AS s1, count(x1) AS c1, sum((CASE WHEN x2 < 0 THEN 0 WHEN x2 <= 1000 THEN x2 WHEN x2 <> 'NaN' THEN 1000 END)) AS s2, count(NULLIF(x2, 'NaN')) AS c2 FROM (SELECT t0."patient_id" AS x0, (CASE WHEN NULLIF(t0."cost", 'NaN') IS NOT NULL THEN t0."minutes" END) AS x1, (CASE WHEN t0."minutes" IS NOT NULL THEN t0."cost" END) AS x2 FROM "public"."visits" AS t0) AS r GROUP BY 1) AS counted) AS per_unit) AS sized) AS scaled

SELECT regr_sxx(cost, minutes), regr_syy(cost, minutes), regr_sxy(cost, minutes) FROM visits;
--> path: single group
--> Differentially private aggregate of public.visits
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows per group, squared and summed <= 500)
-->   Group keys: none, one row
-->   Noisy number 1: rows where the value is not NULL; standard deviation 547.723, 95 % of the noise within ±1073.52
-->   Noisy number 2: sum around 120 of values clamped to [0, 240] in steps of 1; standard deviation 65726.7, 95 % of the noise within ±128822
-->   Noisy number 3: sum of values clamped to [0, 14400] in steps of 1; standard deviation 7.8872e+06, 95 % of the noise within ±1.54586e+07
-->   Noisy number 4: sum around 500 of values clamped to [0, 1000] in steps of 0.01; standard deviation 273861, 95 % of the noise within ±536758
-->   Noisy number 5: sum of values clamped to [0, 250000] in steps of 0.0001; standard deviation 1.36931e+08, 95 % of the noise within ±2.68379e+08
-->   Noisy number 6: sum of values clamped to [-60000, 60000] in steps of 0.01; standard deviation 3.28634e+07, 95 % of the noise within ±6.4411e+07
-->   regr_sxx(cost, minutes): from noisy numbers 1, 2 and 3; values outside [0, 240] count as the nearest bound
-->   regr_syy(cost, minutes): from noisy numbers 1, 4 and 5; values outside [0, 1000] count as the nearest bound
-->   regr_sxy(cost, minutes): from noisy numbers 1, 2, 4 and 6; values outside [0, 1000] or [0, 240] count as the nearest bound
-->   95 % of the noise: dp.low and dp.high tell it of each group
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down, not values moved to a bound
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.visits.cost, public.visits.minutes, public.visits.patient_id
--> rests on: public.visits (visit_id)
--> work of a row: 330 ns
--> source: SELECT sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0, sum(CASE WHEN scale IS NOT NULL THEN trunc(v1::double precision * scale)::bigint ELSE v1::bigint * 1024 END) AS v1, sum(CASE WHEN scale IS NOT NULL THEN trunc(v2::double precision * scale)::bigint ELSE v2::bigint * 1024 END) AS v2, sum(CASE WHEN scale IS NOT NULL THEN trunc(v3::double precision * scale)::bigint ELSE v3::bigint * 1024 END) AS v3, sum(CASE WHEN scale IS NOT NULL THEN trunc(v4::double precision * scale)::bigint ELSE v4::bigint * 1024 END) AS v4, sum(CASE WHEN scale IS NOT NULL THEN trunc(v5::double precision * scale)::bigint ELSE v5::bigint * 1024 END) AS v5 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, n * n AS q FROM (SELECT unit, LEAST(n, 3037000499) AS n, LEAST(s0, 3037000499) AS v0, LEAST(GREATEST(coalesce(s1, 0)::numeric, -364440059880), 364440059880)::bigint AS v1, LEAST(GREATEST(coalesce(s2, 0)::numeric, -43732807185600), 43732807185600)::bigint AS v2, LEAST(GREATEST(coalesce(s3, 0)::numeric, -151850024950000), 151850024950000)::bigint AS v3, LEAST(GREATEST(coalesce(s4, 0)::numeric, -4611686018427387904), 4611686018427387904)::bigint AS v4, LEAST(GREATEST(coalesce(s5, 0)::numeric, -18222002994000000), 18222002994000000)::bigint AS v5 FROM (SELECT x0 AS unit, count(*) AS n, count(x1) AS s0, sum((CASE WHEN x2 < (-120) THEN (-120) WHEN x2 <= 120 THEN x2 WHEN x2 <> 'NaN' THEN 120 END)::integer) AS s1, sum((CASE WHEN x2 < (-120) THEN (-120) WHEN x2 <= 120 THEN x2 WHEN x2 <> 'NaN' THEN 120 END)::integer::bigint * (CASE WHEN x2 < (-120) THEN (-120) WHEN x2 <= 120 THEN x2 WHEN x2 <> 'NaN' THEN 120 END)::integer) AS s2, sum(((CASE WHEN x3 < (-500) THEN (-500) WHEN x3 <= 500 THEN x3 WHEN x3 <> 'NaN' THEN 500 END)::numeric * 100)::integer) AS s3, sum(((CASE WHEN x3 < (-500) THEN (-500) WHEN x3 <= 500 THEN x3 WHEN x3 <> 'NaN' THEN 500 END)::numeric * 100)::integer::bigint * ((CASE WHEN x3 < (-500) THEN (-500) WHEN x3 <= 500 THEN x3 WHEN x3 <> 'NaN' THEN 500 END)::numeric * 100)::integer) AS s4, sum((CASE WHEN x2 < (-120) THEN (-120) WHEN x2 <= 120 THEN x2 WHEN x2 <> 'NaN' THEN 120 END)::integer::bigint * ((CASE WHEN x3 < (-500) THEN (-500) WHEN x3 <= 500 THEN x3 WHEN x3 <> 'NaN' THEN 500 END)::numeric * 100)::integer) AS s5 FROM (WITH once AS (SELECT) SELECT t0."patient_id" AS x0, (CASE WHEN NULLIF(t0."cost", 'NaN') IS NOT NULL THEN t0."minutes" END) AS x1, ((CASE WHEN NULLIF(t0."cost", 'NaN') IS NOT NULL THEN t0."minutes" END) - 120::numeric) AS x2, ((CASE WHEN t0."minutes" IS NOT NULL THEN t0."cost" END) - 500::numeric) AS x3 FROM "public"."visits" AS t0) AS r GROUP BY 1) AS counted) AS per_unit) AS sized) AS scaled

SELECT min(cost), max(cost) FROM visits;
--> path: single group
--> Differentially private aggregate of public.visits
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: each unit counts once
-->   Group keys: none, one row
-->   Choice 1: minimum of 100001 values in steps of 0.01; 95 % of the time it is at most 820.734 units, as they count, from the rank that is sought; of fewer than about 1642 patients, as they count, it may be any value from 0 to 1000
-->   Choice 2: maximum of 100001 values in steps of 0.01; 95 % of the time it is at most 820.734 units, as they count, from the rank that is sought; of fewer than about 1642 patients, as they count, it may be any value from 0 to 1000
-->   min(cost): from choice 1
-->   max(cost): from choice 2
-->   Mechanism: exponential; epsilon 0.025 for the block
-->   Profile: what only describes columns has a price of its own, and SET dp.epsilon = 0.1 asks as usual
-->   Price: pure epsilon 0.0707107, rho 0.0003125
--> reads: public.visits.cost, public.visits.patient_id
--> rests on: public.visits (visit_id)
--> work of a row: 240 ns
--> source: SELECT json_agg(x ORDER BY x) AS candidates, json_agg(weight ORDER BY x) AS weights FROM (SELECT x, sum(CASE WHEN groups * 1 <= 1 THEN 1048576 ELSE trunc(1048576 * (1 - 2.0 ^ -30)::double precision * 1 / 1 / groups)::bigint END) AS weight FROM (SELECT *, count(*) OVER w AS groups FROM (SELECT t0."patient_id" AS unit, min((((CASE WHEN t0."cost" < 0 THEN 0 WHEN t0."cost" <= 1000 THEN t0."cost" WHEN t0."cost" <> 'NaN' THEN 1000 END)::numeric * 100)::integer - 0)) AS x FROM "public"."visits" AS t0 WHERE (((CASE WHEN t0."cost" < 0 THEN 0 WHEN t0."cost" <= 1000 THEN t0."cost" WHEN t0."cost" <> 'NaN' THEN 1000 END)::numeric * 100)::integer - 0) IS NOT NULL GROUP BY 1) AS per_unit WINDOW w AS (PARTITION BY unit)) AS own GROUP BY 1) AS histogram
--> source: SELECT json_agg(x ORDER BY x) AS candidates, json_agg(weight ORDER BY x) AS weights FROM (SELECT x, sum(CASE WHEN groups * 1 <= 1 THEN 1048576 ELSE trunc(1048576 * (1 - 2.0 ^ -30)::double precision * 1 / 1 / groups)::bigint END) AS weight FROM (SELECT *, count(*) OVER w AS groups FROM (SELECT t0."patient_id" AS unit, max((((CASE WHEN t0."cost" < 0 THEN 0 WHEN t0."cost" <= 1000 THEN t0."cost" WHEN t0."cost" <> 'NaN' THEN 1000 END)::numeric * 100)::integer - 0)) AS x FROM "public"."visits" AS t0 WHERE (((CASE WHEN t0."cost" < 0 THEN 0 WHEN t0."cost" <= 1000 THEN t0."cost" WHEN t0."cost" <> 'NaN' THEN 1000 END)::numeric * 100)::integer - 0) IS NOT NULL GROUP BY 1) AS per_unit WINDOW w AS (PARTITION BY unit)) AS own GROUP BY 1) AS histogram

SELECT min(visited_at), max(day) FROM visits;
--> path: single group
--> Differentially private aggregate of public.visits
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: each unit counts once
-->   Group keys: none, one row
-->   Choice 1: minimum of 210817 values in steps of 0:05:00; 95 % of the time it is at most 862.924 units, as they count, from the rank that is sought; of fewer than about 1726 patients, as they count, it may be any value from 2024-01-01 to 2025-12-31 23:59:59.999999
-->   Choice 2: maximum of 733 values in steps of 1 day; 95 % of the time it is at most 542.655 units, as they count, from the rank that is sought; of fewer than about 1086 patients, as they count, it may be any value from 2024-01-01 to 2025-12-31
-->   min(visited_at): from choice 1
-->   max(day): from choice 2
-->   Mechanism: exponential; epsilon 0.025 for the block
-->   Profile: what only describes columns has a price of its own, and SET dp.epsilon = 0.1 asks as usual
-->   Price: pure epsilon 0.0707107, rho 0.0003125
--> reads: public.visits.day, public.visits.patient_id, public.visits.visited_at
--> rests on: public.visits (visit_id)
--> work of a row: 360 ns
--> source: SELECT json_agg(x ORDER BY x) AS candidates, json_agg(weight ORDER BY x) AS weights FROM (SELECT x, sum(CASE WHEN groups * 1 <= 1 THEN 1048576 ELSE trunc(1048576 * (1 - 2.0 ^ -30)::double precision * 1 / 1 / groups)::bigint END) AS weight FROM (SELECT *, count(*) OVER w AS groups FROM (SELECT t0."patient_id" AS unit, min(((extract(epoch FROM (CASE WHEN t0."visited_at" < greatest('2024-01-01'::timestamp without time zone) THEN greatest('2024-01-01'::timestamp without time zone) WHEN t0."visited_at" > GREATEST(greatest('2024-01-01'::timestamp without time zone), least('2025-12-31 23:59:59.999999'::timestamp without time zone)) THEN GREATEST(greatest('2024-01-01'::timestamp without time zone), least('2025-12-31 23:59:59.999999'::timestamp without time zone)) ELSE t0."visited_at" END) - greatest('2024-01-01'::timestamp without time zone)) * 1000000)::bigint / 300000000)) AS x FROM "public"."visits" AS t0 WHERE ((extract(epoch FROM (CASE WHEN t0."visited_at" < greatest('2024-01-01'::timestamp without time zone) THEN greatest('2024-01-01'::timestamp without time zone) WHEN t0."visited_at" > GREATEST(greatest('2024-01-01'::timestamp without time zone), least('2025-12-31 23:59:59.999999'::timestamp without time zone)) THEN GREATEST(greatest('2024-01-01'::timestamp without time zone), least('2025-12-31 23:59:59.999999'::timestamp without time zone)) ELSE t0."visited_at" END) - greatest('2024-01-01'::timestamp without time zone)) * 1000000)::bigint / 300000000) IS NOT NULL GROUP BY 1) AS per_unit WINDOW w AS (PARTITION BY unit)) AS own GROUP BY 1) AS histogram
--> source: SELECT json_agg(x ORDER BY x) AS candidates, json_agg(weight ORDER BY x) AS weights FROM (SELECT x, sum(CASE WHEN groups * 1 <= 1 THEN 1048576 ELSE trunc(1048576 * (1 - 2.0 ^ -30)::double precision * 1 / 1 / groups)::bigint END) AS weight FROM (SELECT *, count(*) OVER w AS groups FROM (SELECT t0."patient_id" AS unit, max((((CASE WHEN t0."day" < greatest('2024-01-01'::date) THEN greatest('2024-01-01'::date) WHEN t0."day" > GREATEST(greatest('2024-01-01'::date), least('2025-12-31'::date)) THEN GREATEST(greatest('2024-01-01'::date), least('2025-12-31'::date)) ELSE t0."day" END) - greatest('2024-01-01'::date)) / 1)) AS x FROM "public"."visits" AS t0 WHERE (((CASE WHEN t0."day" < greatest('2024-01-01'::date) THEN greatest('2024-01-01'::date) WHEN t0."day" > GREATEST(greatest('2024-01-01'::date), least('2025-12-31'::date)) THEN GREATEST(greatest('2024-01-01'::date), least('2025-12-31'::date)) ELSE t0."day" END) - greatest('2024-01-01'::date)) / 1) IS NOT NULL GROUP BY 1) AS per_unit WINDOW w AS (PARTITION BY unit)) AS own GROUP BY 1) AS histogram

SELECT min(height) FROM patients;
--> path: unique
--> Differentially private aggregate of public.patients
-->   Privacy unit: patient, by public.patients.patient_id
-->   Contribution: one row per unit, proven by a unique key of the source; no unit is scaled down
-->   Group keys: none, one row
-->   Choice 1: minimum of 1801 values in steps of 0.1; 95 % of the time it is at most 419.673 units from the rank that is sought; of fewer than about 840 patients it may be any value from 40 to 220
-->   min(height): from choice 1
-->   Mechanism: exponential; epsilon 0.025 for the block
-->   Profile: what only describes columns has a price of its own, and SET dp.epsilon = 0.1 asks as usual
-->   Price: pure epsilon 0.05, rho 0.0003125
--> reads: public.patients.height, public.patients.patient_id
--> rests on: public.patients (patient_id)
--> work of a row: 240 ns
--> source: SELECT json_agg(x ORDER BY x) AS candidates, json_agg(weight ORDER BY x) AS weights FROM (SELECT (round(((CASE WHEN t0."height" < 40 THEN 40 WHEN t0."height" <= 220 THEN t0."height" WHEN t0."height" <> 'NaN' THEN 220 END)::numeric * 10))::integer - 400) AS x, count(*) * 1048576 AS weight FROM "public"."patients" AS t0 WHERE (round(((CASE WHEN t0."height" < 40 THEN 40 WHEN t0."height" <= 220 THEN t0."height" WHEN t0."height" <> 'NaN' THEN 220 END)::numeric * 10))::integer - 400) IS NOT NULL GROUP BY 1) AS histogram

SELECT region, max(minutes) FROM visits GROUP BY region;
--> path: general
--> declared keys: SELECT DISTINCT d0.c0 AS k0 FROM (SELECT DISTINCT "name"::text AS c0 FROM "public"."regions" WHERE "name" IS NOT NULL UNION ALL SELECT NULL) AS d0 LIMIT 100001
--> Differentially private aggregate of public.visits
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows <= 50)
-->   Group keys: region: declared (public.regions.name); every key is answered, empty ones as noise around 0
-->   Choice 1: maximum of 241 values in steps of 1; 95 % of the time it is at most 424.026 units, as they count, from the rank that is sought; in groups of fewer than about 849 patients, as they count, it may be any value from 0 to 240
-->   max(minutes): from choice 1
-->   Mechanism: exponential; epsilon 0.1 for the block
-->   Price: pure epsilon 0.2, rho 0.005
--> reads: public.visits.minutes, public.visits.patient_id, public.visits.region
--> rests on: public.visits (visit_id)
--> work of a row: 28090 ns
--> source: SELECT k0, json_agg(x ORDER BY x) AS candidates, json_agg(weight ORDER BY x) AS weights FROM (SELECT k0, x, sum(CASE WHEN groups * 1 <= 5 THEN 1048576 ELSE trunc(1048576 * (1 - 2.0 ^ -30)::double precision * 5 / 1 / groups)::bigint END) AS weight FROM (SELECT *, count(*) OVER w AS groups FROM (SELECT (((CASE WHEN octet_length(t0."region") > 4000 THEN CASE WHEN pg_column_size(t0."region") <= 1000000 THEN left(t0."region", 2000) ELSE '' END ELSE t0."region" END))::text COLLATE "C") AS k0, t0."patient_id" AS unit, max(((CASE WHEN t0."minutes" < 0 THEN 0 WHEN t0."minutes" > 240 THEN 240 ELSE t0."minutes" END)::integer - 0)) AS x FROM "public"."visits" AS t0 WHERE ((CASE WHEN t0."minutes" < 0 THEN 0 WHEN t0."minutes" > 240 THEN 240 ELSE t0."minutes" END)::integer - 0) IS NOT NULL GROUP BY 1, 2) AS per_unit WINDOW w AS (PARTITION BY unit)) AS own GROUP BY 1, 2) AS histogram GROUP BY 1

SELECT note, min(score) FROM visits GROUP BY note;
--> path: general
--> Differentially private aggregate of public.visits
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows per group, squared and summed <= 500)
-->   Group keys: note: selected; a group shows if its weighted number of units, with noise, reaches 87.1 (each unit counts in at most 12 groups)
-->   Choice 1: minimum of 1000001 values in steps of 0.000002; 95 % of the time it is at most 1188.73 units, as they count, from the rank that is sought; in groups of fewer than about 2378 patients, as they count, it may be any value from -1 to 1
-->   min(score): from choice 1
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005, delta 5e-09
--> reads: public.visits.note, public.visits.patient_id, public.visits.score
--> rests on: public.visits (visit_id)
--> work of a row: 28180 ns
--> source: SELECT k0, sum(CASE WHEN groups = 1 THEN 1048576 WHEN groups <= 12 OR place <= 12 THEN trunc(1048576 * (1 - 2.0 ^ -30)::double precision / sqrt(LEAST(groups, 12)::double precision))::bigint ELSE 0 END) AS weight FROM (SELECT *, count(*) OVER w AS groups, row_number() OVER w AS place FROM (SELECT unit, h, k0, LEAST(n, 3037000499) AS n FROM (SELECT x0 AS unit, hashtextextended(coalesce(x1::text, ''), hashtextextended(x0::text, 0)) AS h, x1 AS k0, count(*) AS n FROM (WITH once AS (SELECT) SELECT t0."patient_id" AS x0, (((CASE WHEN octet_length(t0."note") > 4000 THEN CASE WHEN pg_column_size(t0."note") <= 1000000 THEN left(t0."note", 2000) ELSE '' END ELSE t0."note" END))::text COLLATE "C") AS x1 FROM "public"."visits" AS t0) AS r GROUP BY 1, 2, 3) AS counted) AS per_unit WINDOW w AS (PARTITION BY unit ORDER BY h, k0 ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING)) AS scaled GROUP BY 1
--> source: SELECT k0, candidates, weights FROM (SELECT *, max(shown) OVER (PARTITION BY k0) AS most FROM (SELECT k0, candidates, weights, NULL AS shown FROM (SELECT k0, json_agg(x ORDER BY x) AS candidates, json_agg(weight ORDER BY x) AS weights FROM (SELECT k0, x, sum(CASE WHEN groups * 1 <= 5 THEN 1048576 ELSE trunc(1048576 * (1 - 2.0 ^ -30)::double precision * 5 / 1 / groups)::bigint END) AS weight FROM (SELECT *, count(*) OVER w AS groups FROM (SELECT (((CASE WHEN octet_length(t0."note") > 4000 THEN CASE WHEN pg_column_size(t0."note") <= 1000000 THEN left(t0."note", 2000) ELSE '' END ELSE t0."note" END))::text COLLATE "C") AS k0, t0."patient_id" AS unit, min(((CASE WHEN t0."score" < (-1) THEN -500000::double precision WHEN t0."score" <= 1 THEN round(t0."score"::double precision / 0.000002::double precision) WHEN t0."score" <> 'NaN' THEN 500000::double precision END)::integer - (-500000))) AS x FROM "public"."visits" AS t0 WHERE ((CASE WHEN t0."score" < (-1) THEN -500000::double precision WHEN t0."score" <= 1 THEN round(t0."score"::double precision / 0.000002::double precision) WHEN t0."score" <> 'NaN' THEN 500000::double precision END)::integer - (-500000)) IS NOT NULL GROUP BY 1, 2) AS per_unit WINDOW w AS (PARTITION BY unit)) AS own GROUP BY 1, 2) AS histogram GROUP BY 1) AS histogram UNION ALL SELECT k0, NULL, NULL, weight FROM (SELECT k0, sum(CASE WHEN groups = 1 THEN 1048576 WHEN groups <= 12 OR place <= 12 THEN trunc(1048576 * (1 - 2.0 ^ -30)::double precision / sqrt(LEAST(groups, 12)::double precision))::bigint ELSE 0 END) AS weight FROM (SELECT *, count(*) OVER w AS groups, row_number() OVER w AS place FROM (SELECT unit, h, k0, LEAST(n, 3037000499) AS n FROM (SELECT x0 AS unit, hashtextextended(coalesce(x1::text, ''), hashtextextended(x0::text, 0)) AS h, x1 AS k0, count(*) AS n FROM (WITH once AS (SELECT) SELECT t0."patient_id" AS x0, (((CASE WHEN octet_length(t0."note") > 4000 THEN CASE WHEN pg_column_size(t0."note") <= 1000000 THEN left(t0."note", 2000) ELSE '' END ELSE t0."note" END))::text COLLATE "C") AS x1 FROM "public"."visits" AS t0) AS r GROUP BY 1, 2, 3) AS counted) AS per_unit WINDOW w AS (PARTITION BY unit ORDER BY h, k0 ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING)) AS scaled GROUP BY 1) AS weights) AS together) AS marked WHERE shown IS NULL AND most > 0

SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY cost) FROM visits;
--> path: single group
--> Differentially private aggregate of public.visits
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows <= 50)
-->   Group keys: none, one row
-->   Choice 1: 0.5 quantile of 100001 values in steps of 0.01 and what is between them; 95 % of the time it is at most 3801.45 rows, as they count, from the rank that is sought; of fewer than about 7601 rows, as they count, it may be any value from 0 to 1000
-->   percentile_cont(0.5) WITHIN GROUP (ORDER BY cost): from choice 1
-->   Mechanism: exponential; epsilon 0.1 for the block
-->   Price: pure epsilon 0.2, rho 0.005
--> reads: public.visits.cost, public.visits.patient_id
--> rests on: public.visits (visit_id)
--> work of a row: 240 ns
--> source: SELECT json_agg(x ORDER BY x) AS candidates, json_agg(weight ORDER BY x) AS weights FROM (WITH heavy AS MATERIALIZED (SELECT unit, trunc(1048576 * (1 - 2.0 ^ -30)::double precision * 50 / count(*))::bigint AS weight FROM (SELECT t0."patient_id" AS unit FROM "public"."visits" AS t0 WHERE (((CASE WHEN t0."cost" < 0 THEN 0 WHEN t0."cost" <= 1000 THEN t0."cost" WHEN t0."cost" <> 'NaN' THEN 1000 END)::numeric * 100)::integer - 0) IS NOT NULL ORDER BY 1) AS r GROUP BY unit HAVING count(*) > 50) SELECT x, sum(weight) AS weight FROM (SELECT (((CASE WHEN t0."cost" < 0 THEN 0 WHEN t0."cost" <= 1000 THEN t0."cost" WHEN t0."cost" <> 'NaN' THEN 1000 END)::numeric * 100)::integer - 0) AS x, count(*) * 1048576 AS weight FROM "public"."visits" AS t0 WHERE (((CASE WHEN t0."cost" < 0 THEN 0 WHEN t0."cost" <= 1000 THEN t0."cost" WHEN t0."cost" <> 'NaN' THEN 1000 END)::numeric * 100)::integer - 0) IS NOT NULL AND NOT EXISTS (SELECT FROM heavy AS h WHERE h.unit = t0."patient_id") GROUP BY 1 UNION ALL SELECT p.x, sum(p.n * h.weight) FROM (SELECT (((CASE WHEN t0."cost" < 0 THEN 0 WHEN t0."cost" <= 1000 THEN t0."cost" WHEN t0."cost" <> 'NaN' THEN 1000 END)::numeric * 100)::integer - 0) AS x, t0."patient_id" AS unit, count(*) AS n FROM "public"."visits" AS t0 WHERE (((CASE WHEN t0."cost" < 0 THEN 0 WHEN t0."cost" <= 1000 THEN t0."cost" WHEN t0."cost" <> 'NaN' THEN 1000 END)::numeric * 100)::integer - 0) IS NOT NULL AND EXISTS (SELECT FROM heavy AS h WHERE h.unit = t0."patient_id") GROUP BY 1, 2) AS p JOIN heavy AS h USING (unit) GROUP BY 1) AS parts GROUP BY 1) AS histogram

SELECT percentile_disc(0.25) WITHIN GROUP (ORDER BY minutes DESC) FROM visits;
--> path: single group
--> Differentially private aggregate of public.visits
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows <= 50)
-->   Group keys: none, one row
-->   Choice 1: 0.75 quantile of 241 values in steps of 1; 95 % of the time it is at most 3180.2 rows, as they count, from the rank that is sought; of fewer than about 12721 rows, as they count, it may be any value up to 240
-->   percentile_disc(0.25) WITHIN GROUP (ORDER BY minutes DESC): from choice 1
-->   Mechanism: exponential; epsilon 0.1 for the block
-->   Price: pure epsilon 0.2, rho 0.005
--> reads: public.visits.minutes, public.visits.patient_id
--> rests on: public.visits (visit_id)
--> work of a row: 90 ns
--> source: SELECT json_agg(x ORDER BY x) AS candidates, json_agg(weight ORDER BY x) AS weights FROM (WITH heavy AS MATERIALIZED (SELECT unit, trunc(1048576 * (1 - 2.0 ^ -30)::double precision * 50 / count(*))::bigint AS weight FROM (SELECT t0."patient_id" AS unit FROM "public"."visits" AS t0 WHERE ((CASE WHEN t0."minutes" < 0 THEN 0 WHEN t0."minutes" > 240 THEN 240 ELSE t0."minutes" END)::integer - 0) IS NOT NULL ORDER BY 1) AS r GROUP BY unit HAVING count(*) > 50) SELECT x, sum(weight) AS weight FROM (SELECT ((CASE WHEN t0."minutes" < 0 THEN 0 WHEN t0."minutes" > 240 THEN 240 ELSE t0."minutes" END)::integer - 0) AS x, count(*) * 1048576 AS weight FROM "public"."visits" AS t0 WHERE ((CASE WHEN t0."minutes" < 0 THEN 0 WHEN t0."minutes" > 240 THEN 240 ELSE t0."minutes" END)::integer - 0) IS NOT NULL AND NOT EXISTS (SELECT FROM heavy AS h WHERE h.unit = t0."patient_id") GROUP BY 1 UNION ALL SELECT p.x, sum(p.n * h.weight) FROM (SELECT ((CASE WHEN t0."minutes" < 0 THEN 0 WHEN t0."minutes" > 240 THEN 240 ELSE t0."minutes" END)::integer - 0) AS x, t0."patient_id" AS unit, count(*) AS n FROM "public"."visits" AS t0 WHERE ((CASE WHEN t0."minutes" < 0 THEN 0 WHEN t0."minutes" > 240 THEN 240 ELSE t0."minutes" END)::integer - 0) IS NOT NULL AND EXISTS (SELECT FROM heavy AS h WHERE h.unit = t0."patient_id") GROUP BY 1, 2) AS p JOIN heavy AS h USING (unit) GROUP BY 1) AS parts GROUP BY 1) AS histogram

SELECT percentile_cont(ARRAY[0.1, 0.5, 0.9]) WITHIN GROUP (ORDER BY score) FROM visits;
--> path: single group
--> Differentially private aggregate of public.visits
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows <= 50)
-->   Group keys: none, one row
-->   Choice 1: 0.1 quantile, 0.5 quantile, 0.9 quantile of 1000001 values in steps of 0.000002 and what is between them; 95 % of the time it is at most 16862.2 rows, as they count, from the rank that is sought; of fewer than about 168612 rows, as they count, some may be any value from -1 to 1
-->   percentile_cont(ARRAY[0.1, 0.5, 0.9]) WITHIN GROUP (ORDER BY score): from choice 1
-->   Mechanism: exponential; epsilon 0.1 for the block
-->   Price: pure epsilon 0.282843, rho 0.005
--> reads: public.visits.patient_id, public.visits.score
--> rests on: public.visits (visit_id)
--> work of a row: 180 ns
--> source: SELECT json_agg(x ORDER BY x) AS candidates, json_agg(weight ORDER BY x) AS weights FROM (WITH heavy AS MATERIALIZED (SELECT unit, trunc(1048576 * (1 - 2.0 ^ -30)::double precision * 50 / count(*))::bigint AS weight FROM (SELECT t0."patient_id" AS unit FROM "public"."visits" AS t0 WHERE ((CASE WHEN t0."score" < (-1) THEN -500000::double precision WHEN t0."score" <= 1 THEN round(t0."score"::double precision / 0.000002::double precision) WHEN t0."score" <> 'NaN' THEN 500000::double precision END)::integer - (-500000)) IS NOT NULL ORDER BY 1) AS r GROUP BY unit HAVING count(*) > 50) SELECT x, sum(weight) AS weight FROM (SELECT ((CASE WHEN t0."score" < (-1) THEN -500000::double precision WHEN t0."score" <= 1 THEN round(t0."score"::double precision / 0.000002::double precision) WHEN t0."score" <> 'NaN' THEN 500000::double precision END)::integer - (-500000)) AS x, count(*) * 1048576 AS weight FROM "public"."visits" AS t0 WHERE ((CASE WHEN t0."score" < (-1) THEN -500000::double precision WHEN t0."score" <= 1 THEN round(t0."score"::double precision / 0.000002::double precision) WHEN t0."score" <> 'NaN' THEN 500000::double precision END)::integer - (-500000)) IS NOT NULL AND NOT EXISTS (SELECT FROM heavy AS h WHERE h.unit = t0."patient_id") GROUP BY 1 UNION ALL SELECT p.x, sum(p.n * h.weight) FROM (SELECT ((CASE WHEN t0."score" < (-1) THEN -500000::double precision WHEN t0."score" <= 1 THEN round(t0."score"::double precision / 0.000002::double precision) WHEN t0."score" <> 'NaN' THEN 500000::double precision END)::integer - (-500000)) AS x, t0."patient_id" AS unit, count(*) AS n FROM "public"."visits" AS t0 WHERE ((CASE WHEN t0."score" < (-1) THEN -500000::double precision WHEN t0."score" <= 1 THEN round(t0."score"::double precision / 0.000002::double precision) WHEN t0."score" <> 'NaN' THEN 500000::double precision END)::integer - (-500000)) IS NOT NULL AND EXISTS (SELECT FROM heavy AS h WHERE h.unit = t0."patient_id") GROUP BY 1, 2) AS p JOIN heavy AS h USING (unit) GROUP BY 1) AS parts GROUP BY 1) AS histogram

SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY visited_at) FROM visits WHERE urgent;
--> path: single group
--> Differentially private aggregate of public.visits
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows <= 50)
-->   Group keys: none, one row
-->   Choice 1: 0.5 quantile of 210817 values in steps of 0:05:00; 95 % of the time it is at most 3813.62 rows, as they count, from the rank that is sought; of fewer than about 7628 rows, as they count, it may be any value from 2024-01-01 to 2025-12-31 23:59:59.999999
-->   percentile_disc(0.5) WITHIN GROUP (ORDER BY visited_at): from choice 1
-->   Mechanism: exponential; epsilon 0.1 for the block
-->   Price: pure epsilon 0.2, rho 0.005
--> reads: public.visits.patient_id, public.visits.urgent, public.visits.visited_at
--> rests on: public.visits (visit_id)
--> work of a row: 210 ns
--> source: SELECT json_agg(x ORDER BY x) AS candidates, json_agg(weight ORDER BY x) AS weights FROM (WITH heavy AS MATERIALIZED (SELECT unit, trunc(1048576 * (1 - 2.0 ^ -30)::double precision * 50 / count(*))::bigint AS weight FROM (SELECT t0."patient_id" AS unit FROM "public"."visits" AS t0 WHERE t0."urgent" AND ((extract(epoch FROM (CASE WHEN t0."visited_at" < greatest('2024-01-01'::timestamp without time zone) THEN greatest('2024-01-01'::timestamp without time zone) WHEN t0."visited_at" > GREATEST(greatest('2024-01-01'::timestamp without time zone), least('2025-12-31 23:59:59.999999'::timestamp without time zone)) THEN GREATEST(greatest('2024-01-01'::timestamp without time zone), least('2025-12-31 23:59:59.999999'::timestamp without time zone)) ELSE t0."visited_at" END) - greatest('2024-01-01'::timestamp without time zone)) * 1000000)::bigint / 300000000) IS NOT NULL ORDER BY 1) AS r GROUP BY unit HAVING count(*) > 50) SELECT x, sum(weight) AS weight FROM (SELECT ((extract(epoch FROM (CASE WHEN t0."visited_at" < greatest('2024-01-01'::timestamp without time zone) THEN greatest('2024-01-01'::timestamp without time zone) WHEN t0."visited_at" > GREATEST(greatest('2024-01-01'::timestamp without time zone), least('2025-12-31 23:59:59.999999'::timestamp without time zone)) THEN GREATEST(greatest('2024-01-01'::timestamp without time zone), least('2025-12-31 23:59:59.999999'::timestamp without time zone)) ELSE t0."visited_at" END) - greatest('2024-01-01'::timestamp without time zone)) * 1000000)::bigint / 300000000) AS x, count(*) * 1048576 AS weight FROM "public"."visits" AS t0 WHERE t0."urgent" AND ((extract(epoch FROM (CASE WHEN t0."visited_at" < greatest('2024-01-01'::timestamp without time zone) THEN greatest('2024-01-01'::timestamp without time zone) WHEN t0."visited_at" > GREATEST(greatest('2024-01-01'::timestamp without time zone), least('2025-12-31 23:59:59.999999'::timestamp without time zone)) THEN GREATEST(greatest('2024-01-01'::timestamp without time zone), least('2025-12-31 23:59:59.999999'::timestamp without time zone)) ELSE t0."visited_at" END) - greatest('2024-01-01'::timestamp without time zone)) * 1000000)::bigint / 300000000) IS NOT NULL AND NOT EXISTS (SELECT FROM heavy AS h WHERE h.unit = t0."patient_id") GROUP BY 1 UNION ALL SELECT p.x, sum(p.n * h.weight) FROM (SELECT ((extract(epoch FROM (CASE WHEN t0."visited_at" < greatest('2024-01-01'::timestamp without time zone) THEN greatest('2024-01-01'::timestamp without time zone) WHEN t0."visited_at" > GREATEST(greatest('2024-01-01'::timestamp without time zone), least('2025-12-31 23:59:59.999999'::timestamp without time zone)) THEN GREATEST(greatest('2024-01-01'::timestamp without time zone), least('2025-12-31 23:59:59.999999'::timestamp without time zone)) ELSE t0."visited_at" END) - greatest('2024-01-01'::timestamp without time zone)) * 1000000)::bigint / 300000000) AS x, t0."patient_id" AS unit, count(*) AS n FROM "public"."visits" AS t0 WHERE t0."urgent" AND ((extract(epoch FROM (CASE WHEN t0."visited_at" < greatest('2024-01-01'::timestamp without time zone) THEN greatest('2024-01-01'::timestamp without time zone) WHEN t0."visited_at" > GREATEST(greatest('2024-01-01'::timestamp without time zone), least('2025-12-31 23:59:59.999999'::timestamp without time zone)) THEN GREATEST(greatest('2024-01-01'::timestamp without time zone), least('2025-12-31 23:59:59.999999'::timestamp without time zone)) ELSE t0."visited_at" END) - greatest('2024-01-01'::timestamp without time zone)) * 1000000)::bigint / 300000000) IS NOT NULL AND EXISTS (SELECT FROM heavy AS h WHERE h.unit = t0."patient_id") GROUP BY 1, 2) AS p JOIN heavy AS h USING (unit) GROUP BY 1) AS parts GROUP BY 1) AS histogram

SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY height) FROM patients;
--> path: unique
--> Differentially private aggregate of public.patients
-->   Privacy unit: patient, by public.patients.patient_id
-->   Contribution: one row per unit, proven by a unique key of the source; no unit is scaled down
-->   Group keys: none, one row
-->   Choice 1: 0.5 quantile of 1801 values in steps of 0.1 and what is between them; 95 % of the time it is at most 56.9249 rows from the rank that is sought; of fewer than about 112 patients it may be any value from 40 to 220
-->   percentile_cont(0.5) WITHIN GROUP (ORDER BY height): from choice 1
-->   Mechanism: exponential; epsilon 0.1 for the block
-->   Price: pure epsilon 0.2, rho 0.005
--> reads: public.patients.height, public.patients.patient_id
--> rests on: public.patients (patient_id)
--> work of a row: 240 ns
--> source: SELECT json_agg(x ORDER BY x) AS candidates, json_agg(weight ORDER BY x) AS weights FROM (SELECT (round(((CASE WHEN t0."height" < 40 THEN 40 WHEN t0."height" <= 220 THEN t0."height" WHEN t0."height" <> 'NaN' THEN 220 END)::numeric * 10))::integer - 400) AS x, count(*) * 1048576 AS weight FROM "public"."patients" AS t0 WHERE (round(((CASE WHEN t0."height" < 40 THEN 40 WHEN t0."height" <= 220 THEN t0."height" WHEN t0."height" <> 'NaN' THEN 220 END)::numeric * 10))::integer - 400) IS NOT NULL GROUP BY 1) AS histogram

SELECT mode() WITHIN GROUP (ORDER BY diagnosis) FROM visits;
--> path: single group
--> Differentially private aggregate of public.visits
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows <= 50)
-->   Group keys: none, one row
-->   Choice 1: one of the declared values; 95 % of the time it has at most 3627.16 rows fewer than the most frequent one
-->   mode() WITHIN GROUP (ORDER BY diagnosis): from choice 1
-->   Mechanism: exponential; epsilon 0.1 for the block
-->   Price: pure epsilon 0.2, rho 0.005
--> reads: public.visits.diagnosis, public.visits.patient_id
--> rests on: public.visits (visit_id)
--> work of a row: 28000 ns
--> source: SELECT left(x::text, 10000) AS candidate, weight FROM (WITH heavy AS MATERIALIZED (SELECT unit, trunc(1048576 * (1 - 2.0 ^ -30)::double precision * 50 / count(*))::bigint AS weight FROM (SELECT t0."patient_id" AS unit FROM "public"."visits" AS t0 WHERE (((CASE WHEN octet_length(t0."diagnosis") > 4000 THEN CASE WHEN pg_column_size(t0."diagnosis") <= 1000000 THEN left(t0."diagnosis", 2000) ELSE '' END ELSE t0."diagnosis" END))::text COLLATE "C") IS NOT NULL ORDER BY 1) AS r GROUP BY unit HAVING count(*) > 50) SELECT x, sum(weight) AS weight FROM (SELECT (((CASE WHEN octet_length(t0."diagnosis") > 4000 THEN CASE WHEN pg_column_size(t0."diagnosis") <= 1000000 THEN left(t0."diagnosis", 2000) ELSE '' END ELSE t0."diagnosis" END))::text COLLATE "C") AS x, count(*) * 1048576 AS weight FROM "public"."visits" AS t0 WHERE (((CASE WHEN octet_length(t0."diagnosis") > 4000 THEN CASE WHEN pg_column_size(t0."diagnosis") <= 1000000 THEN left(t0."diagnosis", 2000) ELSE '' END ELSE t0."diagnosis" END))::text COLLATE "C") IS NOT NULL AND NOT EXISTS (SELECT FROM heavy AS h WHERE h.unit = t0."patient_id") GROUP BY 1 UNION ALL SELECT p.x, sum(p.n * h.weight) FROM (SELECT (((CASE WHEN octet_length(t0."diagnosis") > 4000 THEN CASE WHEN pg_column_size(t0."diagnosis") <= 1000000 THEN left(t0."diagnosis", 2000) ELSE '' END ELSE t0."diagnosis" END))::text COLLATE "C") AS x, t0."patient_id" AS unit, count(*) AS n FROM "public"."visits" AS t0 WHERE (((CASE WHEN octet_length(t0."diagnosis") > 4000 THEN CASE WHEN pg_column_size(t0."diagnosis") <= 1000000 THEN left(t0."diagnosis", 2000) ELSE '' END ELSE t0."diagnosis" END))::text COLLATE "C") IS NOT NULL AND EXISTS (SELECT FROM heavy AS h WHERE h.unit = t0."patient_id") GROUP BY 1, 2) AS p JOIN heavy AS h USING (unit) GROUP BY 1) AS parts GROUP BY 1) AS histogram

SELECT region, mode() WITHIN GROUP (ORDER BY urgent) FROM visits GROUP BY region;
--> path: general
--> declared keys: SELECT DISTINCT d0.c0 AS k0 FROM (SELECT DISTINCT "name"::text AS c0 FROM "public"."regions" WHERE "name" IS NOT NULL UNION ALL SELECT NULL) AS d0 LIMIT 100001
--> Differentially private aggregate of public.visits
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows <= 50)
-->   Group keys: region: declared (public.regions.name); every key is answered, empty ones as noise around 0
-->   Choice 1: one of the declared values; 95 % of the time it has at most 3627.16 rows fewer than the most frequent one
-->   mode() WITHIN GROUP (ORDER BY urgent): from choice 1
-->   Mechanism: exponential; epsilon 0.1 for the block
-->   Price: pure epsilon 0.2, rho 0.005
--> reads: public.visits.patient_id, public.visits.region, public.visits.urgent
--> rests on: public.visits (visit_id)
--> work of a row: 28030 ns
--> source: SELECT k0, format('%s', x) AS candidate, weight FROM (WITH heavy AS MATERIALIZED (SELECT unit, trunc(1048576 * (1 - 2.0 ^ -30)::double precision * 50 / count(*))::bigint AS weight FROM (SELECT t0."patient_id" AS unit FROM "public"."visits" AS t0 WHERE t0."urgent" IS NOT NULL ORDER BY 1) AS r GROUP BY unit HAVING count(*) > 50) SELECT k0, x, sum(weight) AS weight FROM (SELECT (((CASE WHEN octet_length(t0."region") > 4000 THEN CASE WHEN pg_column_size(t0."region") <= 1000000 THEN left(t0."region", 2000) ELSE '' END ELSE t0."region" END))::text COLLATE "C") AS k0, t0."urgent" AS x, count(*) * 1048576 AS weight FROM "public"."visits" AS t0 WHERE t0."urgent" IS NOT NULL AND NOT EXISTS (SELECT FROM heavy AS h WHERE h.unit = t0."patient_id") GROUP BY 1, 2 UNION ALL SELECT p.k0, p.x, sum(p.n * h.weight) FROM (SELECT (((CASE WHEN octet_length(t0."region") > 4000 THEN CASE WHEN pg_column_size(t0."region") <= 1000000 THEN left(t0."region", 2000) ELSE '' END ELSE t0."region" END))::text COLLATE "C") AS k0, t0."urgent" AS x, t0."patient_id" AS unit, count(*) AS n FROM "public"."visits" AS t0 WHERE t0."urgent" IS NOT NULL AND EXISTS (SELECT FROM heavy AS h WHERE h.unit = t0."patient_id") GROUP BY 1, 2, 3) AS p JOIN heavy AS h USING (unit) GROUP BY 1, 2) AS parts GROUP BY 1, 2) AS histogram

SELECT mode() WITHIN GROUP (ORDER BY region) FROM patients;
--> path: unique
--> Differentially private aggregate of public.patients
-->   Privacy unit: patient, by public.patients.patient_id
-->   Contribution: one row per unit, proven by a unique key of the source; no unit is scaled down
-->   Group keys: none, one row
-->   Choice 1: one of the declared values; 95 % of the time it has at most 72.5433 rows fewer than the most frequent one
-->   mode() WITHIN GROUP (ORDER BY region): from choice 1
-->   Mechanism: exponential; epsilon 0.1 for the block
-->   Price: pure epsilon 0.2, rho 0.005
--> reads: public.patients.patient_id, public.patients.region
--> rests on: public.patients (patient_id)
--> work of a row: 28000 ns
--> source: SELECT left(x::text, 10000) AS candidate, weight FROM (SELECT (((CASE WHEN octet_length(t0."region") > 4000 THEN CASE WHEN pg_column_size(t0."region") <= 1000000 THEN left(t0."region", 2000) ELSE '' END ELSE t0."region" END))::text COLLATE "C") AS x, count(*) * 1048576 AS weight FROM "public"."patients" AS t0 WHERE (((CASE WHEN octet_length(t0."region") > 4000 THEN CASE WHEN pg_column_size(t0."region") <= 1000000 THEN left(t0."region", 2000) ELSE '' END ELSE t0."region" END))::text COLLATE "C") IS NOT NULL GROUP BY 1) AS histogram

SELECT bool_and(urgent), bool_or(urgent), every(cost > 0) FROM visits;
--> path: single group
--> Differentially private aggregate of public.visits
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows per group, squared and summed <= 500)
-->   Group keys: none, one row
-->   Noisy number 1: rows; standard deviation 387.298, 95 % of the noise within ±759.091
-->   Noisy number 2: rows; standard deviation 387.298, 95 % of the noise within ±759.091
-->   Noisy number 3: rows; standard deviation 387.298, 95 % of the noise within ±759.091
-->   bool_and(urgent): from noisy number 1; false if that is above 759; true of no rows
-->   bool_or(urgent): from noisy number 2; true if that is above 759; false of no rows
-->   every(cost > 0): from noisy number 3; false if that is above 759; true of no rows
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.visits.cost, public.visits.patient_id, public.visits.urgent
--> rests on: public.visits (visit_id)
--> work of a row: 265 ns
--> source: SELECT sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0, sum(CASE WHEN scale IS NOT NULL THEN trunc(v1::double precision * scale)::bigint ELSE v1::bigint * 1024 END) AS v1, sum(CASE WHEN scale IS NOT NULL THEN trunc(v2::double precision * scale)::bigint ELSE v2::bigint * 1024 END) AS v2 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, n * n AS q FROM (SELECT unit, LEAST(n, 3037000499) AS n, LEAST(s0, 3037000499) AS v0, LEAST(s1, 3037000499) AS v1, LEAST(s2, 3037000499) AS v2 FROM (SELECT x0 AS unit, count(*) AS n, count(*) FILTER (WHERE x1) AS s0, count(*) FILTER (WHERE x2) AS s1, count(*) FILTER (WHERE x3) AS s2 FROM (SELECT t0."patient_id" AS x0, (NOT t0."urgent") AS x1, t0."urgent" AS x2, (NOT (t0."cost" > 0)) AS x3 FROM "public"."visits" AS t0) AS r GROUP BY 1) AS counted) AS per_unit) AS sized) AS scaled

SELECT region, bool_or(smoker) FROM patients GROUP BY region;
--> path: unique
--> declared keys: SELECT DISTINCT d0.c0 AS k0 FROM (SELECT DISTINCT "name"::text AS c0 FROM "public"."regions" WHERE "name" IS NOT NULL UNION ALL SELECT NULL) AS d0 LIMIT 100001
--> Differentially private aggregate of public.patients
-->   Privacy unit: patient, by public.patients.patient_id
-->   Contribution: one row per unit, proven by a unique key of the source; no unit is scaled down
-->   Group keys: region: declared (public.regions.name); each declared key is answered, empty ones as noise around 0; rows with other values of region are in no group
-->   Noisy number 1: rows; standard deviation 10, 95 % of the noise within ±20
-->   bool_or(smoker): from noisy number 1; true if that is above 20; false of no rows
-->   Noise intervals (dp.low, dp.high): cover everything, nothing is clipped
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.patients.patient_id, public.patients.region, public.patients.smoker
--> rests on: public.patients (patient_id)
--> work of a row: 28030 ns
--> source: SELECT x0 AS k0, count(*) FILTER (WHERE x1) AS s0 FROM (SELECT (((CASE WHEN octet_length(t0."region") > 4000 THEN CASE WHEN pg_column_size(t0."region") <= 1000000 THEN left(t0."region", 2000) ELSE '' END ELSE t0."region" END))::text COLLATE "C") AS x0, t0."smoker" AS x1 FROM "public"."patients" AS t0) AS r GROUP BY 1

SELECT region, count(*), min(cost), percentile_disc(0.5) WITHIN GROUP (ORDER BY cost), mode() WITHIN GROUP (ORDER BY urgent) FROM visits GROUP BY region;
--> path: general
--> declared keys: SELECT DISTINCT d0.c0 AS k0 FROM (SELECT DISTINCT "name"::text AS c0 FROM "public"."regions" WHERE "name" IS NOT NULL UNION ALL SELECT NULL) AS d0 LIMIT 100001
--> Differentially private aggregate of public.visits
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows per group, squared and summed <= 500)
-->   Group keys: region: declared (public.regions.name); every key is answered, empty ones as noise around 0
-->   Noisy number 1: rows; standard deviation 447.214, 95 % of the noise within ±876.523
-->   Choice 1: minimum of 100001 values in steps of 0.01; 95 % of the time it is at most 1450.87 units, as they count, from the rank that is sought; in groups of fewer than about 2902 patients, as they count, it may be any value from 0 to 1000
-->   Choice 2: 0.5 quantile of 100001 values in steps of 0.01; 95 % of the time it is at most 7254.33 rows, as they count, from the rank that is sought; in groups of fewer than about 14509 rows, as they count, it may be any value from 0 to 1000
-->   Choice 3: one of the declared values; 95 % of the time it has at most 7254.33 rows fewer than the most frequent one
-->   count(*): from noisy number 1
-->   min(cost): from choice 1
-->   percentile_disc(0.5) WITHIN GROUP (ORDER BY cost): from choice 2
-->   mode() WITHIN GROUP (ORDER BY urgent): from choice 3
-->   95 % of the noise: count(*) within ±877 rows
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.visits.cost, public.visits.patient_id, public.visits.region, public.visits.urgent
--> rests on: public.visits (visit_id)
--> work of a row: 28270 ns
--> source: WITH heavy AS MATERIALIZED (SELECT unit FROM (SELECT t0."patient_id" AS unit FROM "public"."visits" AS t0 ORDER BY 1) AS r GROUP BY unit HAVING count(*) > 22) SELECT k0, sum(v0) AS v0 FROM (SELECT x0 AS k0, count(*)::numeric * 1024 AS v0 FROM (SELECT (((CASE WHEN octet_length(t0."region") > 4000 THEN CASE WHEN pg_column_size(t0."region") <= 1000000 THEN left(t0."region", 2000) ELSE '' END ELSE t0."region" END))::text COLLATE "C") AS x0 FROM "public"."visits" AS t0 WHERE NOT EXISTS (SELECT FROM heavy AS h WHERE h.unit = t0."patient_id")) AS r GROUP BY 1 UNION ALL SELECT k0, sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, sum(n * n) OVER w AS q FROM (SELECT unit, k0, LEAST(n, 3037000499) AS n, LEAST(n, 3037000499) AS v0 FROM (SELECT x0 AS unit, x1 AS k0, count(*) AS n FROM (SELECT t0."patient_id" AS x0, (((CASE WHEN octet_length(t0."region") > 4000 THEN CASE WHEN pg_column_size(t0."region") <= 1000000 THEN left(t0."region", 2000) ELSE '' END ELSE t0."region" END))::text COLLATE "C") AS x1 FROM "public"."visits" AS t0 WHERE EXISTS (SELECT FROM heavy AS h WHERE h.unit = t0."patient_id")) AS r GROUP BY 1, 2) AS counted) AS per_unit WINDOW w AS (PARTITION BY unit)) AS sized) AS scaled GROUP BY 1) AS parts GROUP BY 1
--> source: SELECT k0, json_agg(x ORDER BY x) AS candidates, json_agg(weight ORDER BY x) AS weights FROM (SELECT k0, x, sum(CASE WHEN groups * 1 <= 5 THEN 1048576 ELSE trunc(1048576 * (1 - 2.0 ^ -30)::double precision * 5 / 1 / groups)::bigint END) AS weight FROM (SELECT *, count(*) OVER w AS groups FROM (SELECT (((CASE WHEN octet_length(t0."region") > 4000 THEN CASE WHEN pg_column_size(t0."region") <= 1000000 THEN left(t0."region", 2000) ELSE '' END ELSE t0."region" END))::text COLLATE "C") AS k0, t0."patient_id" AS unit, min((((CASE WHEN t0."cost" < 0 THEN 0 WHEN t0."cost" <= 1000 THEN t0."cost" WHEN t0."cost" <> 'NaN' THEN 1000 END)::numeric * 100)::integer - 0)) AS x FROM "public"."visits" AS t0 WHERE (((CASE WHEN t0."cost" < 0 THEN 0 WHEN t0."cost" <= 1000 THEN t0."cost" WHEN t0."cost" <> 'NaN' THEN 1000 END)::numeric * 100)::integer - 0) IS NOT NULL GROUP BY 1, 2) AS per_unit WINDOW w AS (PARTITION BY unit)) AS own GROUP BY 1, 2) AS histogram GROUP BY 1
--> source: SELECT k0, json_agg(x ORDER BY x) AS candidates, json_agg(weight ORDER BY x) AS weights FROM (WITH heavy AS MATERIALIZED (SELECT unit, trunc(1048576 * (1 - 2.0 ^ -30)::double precision * 50 / count(*))::bigint AS weight FROM (SELECT t0."patient_id" AS unit FROM "public"."visits" AS t0 WHERE (((CASE WHEN t0."cost" < 0 THEN 0 WHEN t0."cost" <= 1000 THEN t0."cost" WHEN t0."cost" <> 'NaN' THEN 1000 END)::numeric * 100)::integer - 0) IS NOT NULL ORDER BY 1) AS r GROUP BY unit HAVING count(*) > 50) SELECT k0, x, sum(weight) AS weight FROM (SELECT (((CASE WHEN octet_length(t0."region") > 4000 THEN CASE WHEN pg_column_size(t0."region") <= 1000000 THEN left(t0."region", 2000) ELSE '' END ELSE t0."region" END))::text COLLATE "C") AS k0, (((CASE WHEN t0."cost" < 0 THEN 0 WHEN t0."cost" <= 1000 THEN t0."cost" WHEN t0."cost" <> 'NaN' THEN 1000 END)::numeric * 100)::integer - 0) AS x, count(*) * 1048576 AS weight FROM "public"."visits" AS t0 WHERE (((CASE WHEN t0."cost" < 0 THEN 0 WHEN t0."cost" <= 1000 THEN t0."cost" WHEN t0."cost" <> 'NaN' THEN 1000 END)::numeric * 100)::integer - 0) IS NOT NULL AND NOT EXISTS (SELECT FROM heavy AS h WHERE h.unit = t0."patient_id") GROUP BY 1, 2 UNION ALL SELECT p.k0, p.x, sum(p.n * h.weight) FROM (SELECT (((CASE WHEN octet_length(t0."region") > 4000 THEN CASE WHEN pg_column_size(t0."region") <= 1000000 THEN left(t0."region", 2000) ELSE '' END ELSE t0."region" END))::text COLLATE "C") AS k0, (((CASE WHEN t0."cost" < 0 THEN 0 WHEN t0."cost" <= 1000 THEN t0."cost" WHEN t0."cost" <> 'NaN' THEN 1000 END)::numeric * 100)::integer - 0) AS x, t0."patient_id" AS unit, count(*) AS n FROM "public"."visits" AS t0 WHERE (((CASE WHEN t0."cost" < 0 THEN 0 WHEN t0."cost" <= 1000 THEN t0."cost" WHEN t0."cost" <> 'NaN' THEN 1000 END)::numeric * 100)::integer - 0) IS NOT NULL AND EXISTS (SELECT FROM heavy AS h WHERE h.unit = t0."patient_id") GROUP BY 1, 2, 3) AS p JOIN heavy AS h USING (unit) GROUP BY 1, 2) AS parts GROUP BY 1, 2) AS histogram GROUP BY 1
--> source: SELECT k0, format('%s', x) AS candidate, weight FROM (WITH heavy AS MATERIALIZED (SELECT unit, trunc(1048576 * (1 - 2.0 ^ -30)::double precision * 50 / count(*))::bigint AS weight FROM (SELECT t0."patient_id" AS unit FROM "public"."visits" AS t0 WHERE t0."urgent" IS NOT NULL ORDER BY 1) AS r GROUP BY unit HAVING count(*) > 50) SELECT k0, x, sum(weight) AS weight FROM (SELECT (((CASE WHEN octet_length(t0."region") > 4000 THEN CASE WHEN pg_column_size(t0."region") <= 1000000 THEN left(t0."region", 2000) ELSE '' END ELSE t0."region" END))::text COLLATE "C") AS k0, t0."urgent" AS x, count(*) * 1048576 AS weight FROM "public"."visits" AS t0 WHERE t0."urgent" IS NOT NULL AND NOT EXISTS (SELECT FROM heavy AS h WHERE h.unit = t0."patient_id") GROUP BY 1, 2 UNION ALL SELECT p.k0, p.x, sum(p.n * h.weight) FROM (SELECT (((CASE WHEN octet_length(t0."region") > 4000 THEN CASE WHEN pg_column_size(t0."region") <= 1000000 THEN left(t0."region", 2000) ELSE '' END ELSE t0."region" END))::text COLLATE "C") AS k0, t0."urgent" AS x, t0."patient_id" AS unit, count(*) AS n FROM "public"."visits" AS t0 WHERE t0."urgent" IS NOT NULL AND EXISTS (SELECT FROM heavy AS h WHERE h.unit = t0."patient_id") GROUP BY 1, 2, 3) AS p JOIN heavy AS h USING (unit) GROUP BY 1, 2) AS parts GROUP BY 1, 2) AS histogram

SELECT avg(cost), dp.low(avg(cost)), dp.high(avg(cost)), dp.stddev(avg(cost)) FROM visits;
--> path: single group
--> Differentially private aggregate of public.visits
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows per group, squared and summed <= 500)
-->   Group keys: none, one row
-->   Noisy number 1: rows where the value is not NULL; standard deviation 316.228, 95 % of the noise within ±619.796
-->   Noisy number 2: sum around 500 of values clamped to [0, 1000] in steps of 0.01; standard deviation 158114, 95 % of the noise within ±309898
-->   avg(cost): from noisy numbers 1 and 2; values outside [0, 1000] count as the nearest bound
-->   95 % of the noise: avg(cost) within ±438334 / its rows
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down, not values moved to a bound
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.visits.cost, public.visits.patient_id
--> rests on: public.visits (visit_id)
--> work of a row: 240 ns
--> source: SELECT sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0, sum(CASE WHEN scale IS NOT NULL THEN trunc(v1::double precision * scale)::bigint ELSE v1::bigint * 1024 END) AS v1 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, n * n AS q FROM (SELECT unit, LEAST(n, 3037000499) AS n, LEAST(s0, 3037000499) AS v0, LEAST(GREATEST((round((coalesce(s1, 0)::numeric::numeric * 100)) - 50000::numeric * c1), -151850024950000), 151850024950000)::bigint AS v1 FROM (SELECT x0 AS unit, count(*) AS n, count(NULLIF(x1, 'NaN')) AS s0, sum((CASE WHEN x1 < 0 THEN 0 WHEN x1 <= 1000 THEN x1 WHEN x1 <> 'NaN' THEN 1000 END)) AS s1, count(NULLIF(x1, 'NaN')) AS c1 FROM (SELECT t0."patient_id" AS x0, t0."cost" AS x1 FROM "public"."visits" AS t0) AS r GROUP BY 1) AS counted) AS per_unit) AS sized) AS scaled

SELECT count(*), dp.low(count(*), 0.9) FROM visits;
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
--> reads: public.visits.patient_id
--> rests on: public.visits (visit_id)
--> work of a row: 0 ns
--> source: SELECT sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, n * n AS q FROM (SELECT unit, LEAST(n, 3037000499) AS n, LEAST(n, 3037000499) AS v0 FROM (SELECT x0 AS unit, count(*) AS n FROM (SELECT t0."patient_id" AS x0 FROM "public"."visits" AS t0 ORDER BY 1) AS r GROUP BY 1) AS counted) AS per_unit) AS sized) AS scaled

SELECT variance(cost), dp.low(variance(cost)), dp.high(variance(cost)) FROM visits;
--> path: single group
--> Differentially private aggregate of public.visits
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows per group, squared and summed <= 500)
-->   Group keys: none, one row
-->   Noisy number 1: rows where the value is not NULL; standard deviation 387.298, 95 % of the noise within ±759.091
-->   Noisy number 2: sum around 500 of values clamped to [0, 1000] in steps of 0.01; standard deviation 193649, 95 % of the noise within ±379545
-->   Noisy number 3: sum of values clamped to [0, 250000] in steps of 0.0001; standard deviation 9.68246e+07, 95 % of the noise within ±1.89773e+08
-->   variance(cost): from noisy numbers 1, 2 and 3; values outside [0, 1000] count as the nearest bound
-->   95 % of the noise: dp.low and dp.high tell it of each group
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down, not values moved to a bound
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.visits.cost, public.visits.patient_id
--> rests on: public.visits (visit_id)
--> work of a row: 240 ns
--> source: SELECT sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0, sum(CASE WHEN scale IS NOT NULL THEN trunc(v1::double precision * scale)::bigint ELSE v1::bigint * 1024 END) AS v1, sum(CASE WHEN scale IS NOT NULL THEN trunc(v2::double precision * scale)::bigint ELSE v2::bigint * 1024 END) AS v2 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, n * n AS q FROM (SELECT unit, LEAST(n, 3037000499) AS n, LEAST(s0, 3037000499) AS v0, LEAST(GREATEST(coalesce(s1, 0)::numeric, -151850024950000), 151850024950000)::bigint AS v1, LEAST(GREATEST(coalesce(s2, 0)::numeric, -4611686018427387904), 4611686018427387904)::bigint AS v2 FROM (SELECT x0 AS unit, count(*) AS n, count(NULLIF(x1, 'NaN')) AS s0, sum(((CASE WHEN x2 < (-500) THEN (-500) WHEN x2 <= 500 THEN x2 WHEN x2 <> 'NaN' THEN 500 END)::numeric * 100)::integer) AS s1, sum(((CASE WHEN x2 < (-500) THEN (-500) WHEN x2 <= 500 THEN x2 WHEN x2 <> 'NaN' THEN 500 END)::numeric * 100)::integer::bigint * ((CASE WHEN x2 < (-500) THEN (-500) WHEN x2 <= 500 THEN x2 WHEN x2 <> 'NaN' THEN 500 END)::numeric * 100)::integer) AS s2 FROM (SELECT t0."patient_id" AS x0, t0."cost" AS x1, (t0."cost" - 500::numeric) AS x2 FROM "public"."visits" AS t0) AS r GROUP BY 1) AS counted) AS per_unit) AS sized) AS scaled

SELECT sum(ceil(cost)), sum(cost * minutes) FROM visits;
--> path: single group
--> Differentially private aggregate of public.visits
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows per group, squared and summed <= 500)
-->   Group keys: none, one row
-->   Noisy number 1: sum of values clamped to [0, 1000] in steps of 1; standard deviation 316228, 95 % of the noise within ±619795
-->   Noisy number 2: sum of values clamped to [0, 240000] in steps of 0.01; standard deviation 7.58947e+07, 95 % of the noise within ±1.48751e+08
-->   sum(ceil(cost)): from noisy number 1; values outside [0, 1000] count as the nearest bound
-->   sum(cost * minutes): from noisy number 2; values outside [0, 240000] count as the nearest bound
-->   95 % of the noise: sum(ceil(cost)) within ±619795, sum(cost * minutes) within ±1.48751e+08
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down, not values moved to a bound
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.visits.cost, public.visits.minutes, public.visits.patient_id
--> rests on: public.visits (visit_id)
--> work of a row: 2244 ns
--> source: SELECT sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0, sum(CASE WHEN scale IS NOT NULL THEN trunc(v1::double precision * scale)::bigint ELSE v1::bigint * 1024 END) AS v1 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, n * n AS q FROM (SELECT unit, LEAST(n, 3037000499) AS n, LEAST(GREATEST(round(coalesce(s0, 0)::numeric), -3037000499000), 3037000499000)::bigint AS v0, LEAST(GREATEST(round((coalesce(s1, 0)::numeric::numeric * 100)), -72888011976000000), 72888011976000000)::bigint AS v1 FROM (SELECT x0 AS unit, count(*) AS n, sum((CASE WHEN x1 < 0 THEN 0 WHEN x1 <= 1000 THEN x1 WHEN x1 <> 'NaN' THEN 1000 END)) AS s0, sum((CASE WHEN x2 < 0 THEN 0 WHEN x2 <= 240000 THEN x2 WHEN x2 <> 'NaN' THEN 240000 END)) AS s1 FROM (WITH once AS (SELECT) SELECT t0."patient_id" AS x0, ceil(t0."cost"::numeric) AS x1, (t0."cost" * t0."minutes") AS x2 FROM "public"."visits" AS t0) AS r GROUP BY 1) AS counted) AS per_unit) AS sized) AS scaled

SELECT sum(least(greatest(dose, 0), 10)) FROM drugs;
--> path: single group
--> Differentially private aggregate of public.drugs joined with public.visits
-->   Privacy unit: patient, by visit_id -> public.visits.visit_id
-->   Contribution: units are scaled down to a limit that the query chooses from the data for 1/10 of the price, by their own sum(least(greatest(dose, 0), 10))
-->   Group keys: none, one row
-->   Noisy number 1: sum of values clamped to [0, 10] in steps of 0.01; standard deviation 10.5409 times the limit of their own sum(least(greatest(dose, 0), 10))
-->   sum(least(greatest(dose, 0), 10)): from noisy number 1; values outside [0, 10] count as the nearest bound
-->   95 % of the noise: as wide as the limit that the query chooses makes it; the answer's notice says it
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down, not values moved to a bound
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.drugs.dose, public.drugs.visit_id, public.visits.patient_id, public.visits.visit_id
--> rests on: public.visits (visit_id)
--> rests on: public.drugs (drug_id)
--> work of a row: 1405 ns
--> source: SELECT i, b, sum(a0) AS a0, sum(z0) AS z0, count(*) FILTER (WHERE place = 1 AND adds) AS units FROM (SELECT *, b0 AS b, q0 > 0 AS adds, v0 AS a0, t0 AS z0 FROM (SELECT *, 0 AS i FROM (SELECT *, width_bucket(q0, '{1.0000000000000002,1.5000000000000002,2.0000000000000004,3.0000000000000004,4.000000000000001,6.000000000000001,8.000000000000002,12.000000000000002,16.000000000000004,24.000000000000004,32.00000000000001,48.00000000000001,64.00000000000001,96.00000000000001,128.00000000000003,192.00000000000003,256.00000000000006,384.00000000000006,512.0000000000001,768.0000000000001,1024.0000000000002,1536.0000000000002,2048.0000000000005,3072.0000000000005,4096.000000000001,6144.000000000001,8192.000000000002,12288.000000000002,16384.000000000004,24576.000000000004,32768.00000000001,49152.00000000001,65536.00000000001,98304.00000000001,131072.00000000003,196608.00000000003,262144.00000000006,393216.00000000006,524288.0000000001,786432.0000000001,1048576.0000000002,1572864.0000000002,2097152.0000000005,3145728.0000000005,4194304.000000001,6291456.000000001,8388608.000000002,12582912.000000002,16777216.000000004,25165824.000000004,33554432.00000001,50331648.00000001,67108864.00000001,100663296.00000001,134217728.00000003,201326592.00000003,268435456.00000006,402653184.00000006,536870912.0000001,805306368.0000001,1073741824.0000002,1610612736.0000002,2147483648.0000005,3221225472.0000005,4294967296.000001,6442450944.000001,8589934592.000002,12884901888.000002,17179869184.000004}'::double precision[]) AS b0, trunc(v0::double precision / NULLIF(q0, 0) * 3221225424.0)::bigint AS t0 FROM (SELECT *, abs(v0)::double precision AS q0, 1 AS place FROM (SELECT unit, LEAST(n, 3037000499) AS n, LEAST(GREATEST(round((coalesce(s0, 0)::numeric::numeric * 100)), -3037000499000), 3037000499000)::bigint AS v0 FROM (SELECT x0 AS unit, count(*) AS n, sum((CASE WHEN x1 < 0 THEN 0 WHEN x1 <= 10 THEN x1 WHEN x1 <> 'NaN' THEN 10 END)) AS s0 FROM (WITH once AS (SELECT) SELECT t0u0."patient_id" AS x0, least(greatest(t0."dose", 0), 10) AS x1 FROM "public"."drugs" AS t0 INNER JOIN "public"."visits" AS t0u0 ON t0u0."visit_id" = t0."visit_id") AS r GROUP BY 1) AS counted) AS per_unit) AS sized) AS rows) AS numbered) AS r GROUP BY i, b

SELECT sum(CASE WHEN urgent THEN cost ELSE 0 END) FROM visits;
--> path: single group
--> Differentially private aggregate of public.visits
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows per group, squared and summed <= 500)
-->   Group keys: none, one row
-->   Noisy number 1: sum of values clamped to [0, 1000] in steps of 0.01; standard deviation 223607, 95 % of the noise within ±438261
-->   sum(CASE WHEN urgent THEN cost ELSE 0 END): from noisy number 1; values outside [0, 1000] count as the nearest bound
-->   95 % of the noise: sum(CASE WHEN urgent THEN cost ELSE 0 END) within ±438261
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down, not values moved to a bound
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.visits.cost, public.visits.patient_id, public.visits.urgent
--> rests on: public.visits (visit_id)
--> work of a row: 1506 ns
--> source: SELECT sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, n * n AS q FROM (SELECT unit, LEAST(n, 3037000499) AS n, LEAST(GREATEST(round((coalesce(s0, 0)::numeric::numeric * 100)), -303700049900000), 303700049900000)::bigint AS v0 FROM (SELECT x0 AS unit, count(*) AS n, sum((CASE WHEN x1 < 0 THEN 0 WHEN x1 <= 1000 THEN x1 WHEN x1 <> 'NaN' THEN 1000 END)) AS s0 FROM (WITH once AS (SELECT) SELECT t0."patient_id" AS x0, (CASE WHEN t0."urgent" THEN t0."cost" ELSE 0 END) AS x1 FROM "public"."visits" AS t0) AS r GROUP BY 1) AS counted) AS per_unit) AS sized) AS scaled

SELECT sum(visit_id) FROM visits;
--> refused 42501 bounds: sum(visit_id) requires bounds, but visit_id has none

SELECT avg(note) FROM visits;
--> refused 0A000 aggregate-type: avg(text) is not supported

SELECT min(note) FROM visits;
--> refused 0A000 aggregate-type: min(note) of text is not supported

SELECT sum(DISTINCT cost) FROM visits;
--> path: single group
--> Differentially private aggregate of public.visits
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows per group, squared and summed <= 500)
-->   Group keys: none, one row
-->   Noisy number 1: sum of distinct values clamped to [0, 1000] in steps of 0.01, chosen at random where a unit has too many; standard deviation 223607, 95 % of the noise within ±438261
-->   sum(DISTINCT cost): from noisy number 1; values outside [0, 1000] count as the nearest bound
-->   95 % of the noise: sum(DISTINCT cost) within ±438261
-->   Noise intervals (dp.low, dp.high): cover the noise only, not distinct values that a unit has too many of, not values moved to a bound
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.visits.cost, public.visits.patient_id
--> rests on: public.visits (visit_id)
--> work of a row: 300 ns
--> source: SELECT sum(v0) AS v0 FROM (SELECT cells FROM (WITH heavy AS MATERIALIZED (SELECT unit FROM (SELECT t0."patient_id" AS unit FROM "public"."visits" AS t0 WHERE NULLIF(round(t0."cost", 2), 'NaN') IS NOT NULL ORDER BY 1) AS r GROUP BY unit HAVING count(*) > 22) SELECT sum(y0) * 1024 AS cells FROM (SELECT round(t0."cost", 2) AS x, (((CASE WHEN t0."cost" < 0 THEN 0 WHEN t0."cost" <= 1000 THEN t0."cost" WHEN t0."cost" <> 'NaN' THEN 1000 END)::numeric * 100)::integer::bigint - 0) AS y0 FROM "public"."visits" AS t0 WHERE NULLIF(round(t0."cost", 2), 'NaN') IS NOT NULL AND NOT EXISTS (SELECT FROM heavy AS h WHERE h.unit = t0."patient_id") UNION SELECT x, y0 FROM (SELECT unit, x, y0, hash FROM (SELECT unit, x, y0, hash, dense_rank() OVER (PARTITION BY unit ORDER BY hash, CASE WHEN hash IS NOT NULL THEN x END, CASE WHEN hash IS NOT NULL THEN y0 END) AS place FROM (SELECT *, hashtextextended(coalesce(left(x::text, 1000000), ''), hashtextextended(unit::text, 0)) AS hash FROM (SELECT DISTINCT t0."patient_id" AS unit, round(t0."cost", 2) AS x, (((CASE WHEN t0."cost" < 0 THEN 0 WHEN t0."cost" <= 1000 THEN t0."cost" WHEN t0."cost" <> 'NaN' THEN 1000 END)::numeric * 100)::integer::bigint - 0) AS y0 FROM "public"."visits" AS t0 WHERE NULLIF(round(t0."cost", 2), 'NaN') IS NOT NULL AND EXISTS (SELECT FROM heavy AS h WHERE h.unit = t0."patient_id")) AS pairs) AS hashed) AS placed WHERE hash IS NULL OR place <= 22) AS kept) AS counted) AS counted) AS parts(v0)

SELECT avg(DISTINCT cost) FROM visits;
--> path: single group
--> Differentially private aggregate of public.visits
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows per group, squared and summed <= 500)
-->   Group keys: none, one row
-->   Noisy number 1: distinct values, chosen at random where a unit has too many; standard deviation 316.228, 95 % of the noise within ±619.796
-->   Noisy number 2: sum around 500 of distinct values clamped to [0, 1000] in steps of 0.01, chosen at random where a unit has too many; standard deviation 158114, 95 % of the noise within ±309898
-->   avg(DISTINCT cost): from noisy numbers 1 and 2; values outside [0, 1000] count as the nearest bound
-->   95 % of the noise: avg(DISTINCT cost) within ±438334 / its values
-->   Noise intervals (dp.low, dp.high): cover the noise only, not distinct values that a unit has too many of, not values moved to a bound
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.visits.cost, public.visits.patient_id
--> rests on: public.visits (visit_id)
--> work of a row: 300 ns
--> source: SELECT sum(v0) AS v0, sum(v1) AS v1 FROM (SELECT cells, cells1 FROM (WITH heavy AS MATERIALIZED (SELECT unit FROM (SELECT t0."patient_id" AS unit FROM "public"."visits" AS t0 WHERE NULLIF(round(t0."cost", 2), 'NaN') IS NOT NULL ORDER BY 1) AS r GROUP BY unit HAVING count(*) > 22) SELECT count(*) * 1024 AS cells, sum(y0) * 1024 AS cells1 FROM (SELECT round(t0."cost", 2) AS x, (((CASE WHEN t0."cost" < 0 THEN 0 WHEN t0."cost" <= 1000 THEN t0."cost" WHEN t0."cost" <> 'NaN' THEN 1000 END)::numeric * 100)::integer::bigint - 50000) AS y0 FROM "public"."visits" AS t0 WHERE NULLIF(round(t0."cost", 2), 'NaN') IS NOT NULL AND NOT EXISTS (SELECT FROM heavy AS h WHERE h.unit = t0."patient_id") UNION SELECT x, y0 FROM (SELECT unit, x, y0, hash FROM (SELECT unit, x, y0, hash, dense_rank() OVER (PARTITION BY unit ORDER BY hash, CASE WHEN hash IS NOT NULL THEN x END, CASE WHEN hash IS NOT NULL THEN y0 END) AS place FROM (SELECT *, hashtextextended(coalesce(left(x::text, 1000000), ''), hashtextextended(unit::text, 0)) AS hash FROM (SELECT DISTINCT t0."patient_id" AS unit, round(t0."cost", 2) AS x, (((CASE WHEN t0."cost" < 0 THEN 0 WHEN t0."cost" <= 1000 THEN t0."cost" WHEN t0."cost" <> 'NaN' THEN 1000 END)::numeric * 100)::integer::bigint - 50000) AS y0 FROM "public"."visits" AS t0 WHERE NULLIF(round(t0."cost", 2), 'NaN') IS NOT NULL AND EXISTS (SELECT FROM heavy AS h WHERE h.unit = t0."patient_id")) AS pairs) AS hashed) AS placed WHERE hash IS NULL OR place <= 22) AS kept) AS counted) AS counted) AS parts(v0, v1)

SELECT count(DISTINCT (cost, minutes)) FROM visits;
--> path: single group
--> Differentially private aggregate of public.visits
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows per group, squared and summed <= 500)
-->   Group keys: none, one row
-->   Noisy number 1: distinct values, chosen at random where a unit has too many; standard deviation 223.607, 95 % of the noise within ±438.262
-->   count(DISTINCT (cost, minutes)): from noisy number 1
-->   95 % of the noise: count(DISTINCT (cost, minutes)) within ±438 values
-->   Noise intervals (dp.low, dp.high): cover the noise only, not distinct values that a unit has too many of
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.visits.cost, public.visits.minutes, public.visits.patient_id
--> rests on: public.visits (visit_id)
--> work of a row: 794 ns
--> source: SELECT sum(v0) AS v0 FROM (SELECT cells FROM (WITH heavy AS MATERIALIZED (SELECT unit FROM (SELECT t0."patient_id" AS unit FROM "public"."visits" AS t0 WHERE (((ROW(round(t0."cost", 2), t0."minutes")::text))::text COLLATE "C") IS NOT NULL ORDER BY 1) AS r GROUP BY unit HAVING count(*) > 22) SELECT count(*) * 1024 AS cells FROM (SELECT (((ROW(round(t0."cost", 2), t0."minutes")::text))::text COLLATE "C") AS x FROM "public"."visits" AS t0 WHERE (((ROW(round(t0."cost", 2), t0."minutes")::text))::text COLLATE "C") IS NOT NULL AND NOT EXISTS (SELECT FROM heavy AS h WHERE h.unit = t0."patient_id") UNION SELECT x FROM (SELECT unit, x, hash FROM (SELECT unit, x, hash, dense_rank() OVER (PARTITION BY unit ORDER BY hash, CASE WHEN hash IS NOT NULL THEN x END) AS place FROM (SELECT *, hashtextextended(coalesce(left(x::text, 1000000), ''), hashtextextended(unit::text, 0)) AS hash FROM (SELECT DISTINCT t0."patient_id" AS unit, (((ROW(round(t0."cost", 2), t0."minutes")::text))::text COLLATE "C") AS x FROM "public"."visits" AS t0 WHERE (((ROW(round(t0."cost", 2), t0."minutes")::text))::text COLLATE "C") IS NOT NULL AND EXISTS (SELECT FROM heavy AS h WHERE h.unit = t0."patient_id")) AS pairs) AS hashed) AS placed WHERE hash IS NULL OR place <= 22) AS kept) AS counted) AS counted) AS parts(v0)

SELECT array_agg(note) FROM visits;
--> refused 42501 listing-aggregate: array_agg() would show individual values

SELECT string_agg(note, ',') FROM visits;
--> refused 42501 listing-aggregate: string_agg() would show individual values

SELECT sum(avg(cost)) FROM visits;
--> refused 42501 nested-aggregate: aggregate avg() is not allowed inside another aggregate, in WHERE or in GROUP BY

SELECT percentile_cont(2) WITHIN GROUP (ORDER BY cost) FROM visits;
--> refused 0A000 percentile-fraction: percentiles require constant fractions between 0 and 1, with at most 15 digits

SELECT mode() WITHIN GROUP (ORDER BY note) FROM visits;
--> refused 42501 undeclared-mode: mode() requires declared values, but this expression has none

SELECT dp.low(region), count(*) FROM visits GROUP BY region;
--> refused 0A000 noise-interval: dp.low() requires an aggregate over private rows of the same SELECT

SELECT min(cost), dp.low(min(cost)) FROM visits;
--> refused 0A000 noise-interval-aggregate: there is no noise interval for min()

SELECT sum(took) FROM visits;
--> refused 0A000 aggregate-type: sum(interval) is not supported

SELECT cost FROM visits;
--> refused 42501 rows: this query would return rows of public.visits; only aggregates are allowed

SELECT * FROM visits;
--> refused 42501 rows: this query would return rows of public.visits; only aggregates are allowed

SELECT region, cost FROM visits GROUP BY region;
--> path: general
--> declared keys: SELECT DISTINCT d0.c0 AS k0 FROM (SELECT DISTINCT "name"::text AS c0 FROM "public"."regions" WHERE "name" IS NOT NULL UNION ALL SELECT NULL) AS d0 LIMIT 100001
--> Differentially private aggregate of public.visits
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows <= 50)
-->   Group keys: region: declared (public.regions.name); every key is answered, empty ones as noise around 0
-->   Price: nothing, no private row is read
--> reads: public.visits.patient_id, public.visits.region
--> rests on: public.visits (visit_id)
--> work of a row: 28000 ns

SELECT count(*) OVER () FROM visits;
--> refused 42501 rows: this query would return rows of public.visits; only aggregates are allowed

SELECT bit_and(minutes) FROM visits;
--> refused 0A000 aggregate: bit_and() is not supported over private rows

SELECT max(DISTINCT cost) FROM visits;
--> path: single group
--> Differentially private aggregate of public.visits
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: each unit counts once
-->   Group keys: none, one row
-->   Choice 1: maximum of 100001 values in steps of 0.01; 95 % of the time it is at most 145.087 units, as they count, from the rank that is sought; of fewer than about 291 patients, as they count, it may be any value from 0 to 1000
-->   max(DISTINCT cost): from choice 1
-->   Mechanism: exponential; epsilon 0.1 for the block
-->   Price: pure epsilon 0.2, rho 0.005
--> reads: public.visits.cost, public.visits.patient_id
--> rests on: public.visits (visit_id)
--> work of a row: 240 ns
--> source: SELECT json_agg(x ORDER BY x) AS candidates, json_agg(weight ORDER BY x) AS weights FROM (SELECT x, sum(CASE WHEN groups * 1 <= 1 THEN 1048576 ELSE trunc(1048576 * (1 - 2.0 ^ -30)::double precision * 1 / 1 / groups)::bigint END) AS weight FROM (SELECT *, count(*) OVER w AS groups FROM (SELECT t0."patient_id" AS unit, max((((CASE WHEN t0."cost" < 0 THEN 0 WHEN t0."cost" <= 1000 THEN t0."cost" WHEN t0."cost" <> 'NaN' THEN 1000 END)::numeric * 100)::integer - 0)) AS x FROM "public"."visits" AS t0 WHERE (((CASE WHEN t0."cost" < 0 THEN 0 WHEN t0."cost" <= 1000 THEN t0."cost" WHEN t0."cost" <> 'NaN' THEN 1000 END)::numeric * 100)::integer - 0) IS NOT NULL GROUP BY 1) AS per_unit WINDOW w AS (PARTITION BY unit)) AS own GROUP BY 1) AS histogram

SELECT count(DISTINCT tags) FROM visits;
--> refused 0A000 aggregate-type: count(DISTINCT text[]) is not supported

SELECT count(DISTINCT details) FROM visits;
--> refused 0A000 aggregate-type: count(DISTINCT jsonb) is not supported

SELECT avg(cost) FILTER (WHERE urgent), count(note) FILTER (WHERE urgent), count(DISTINCT diagnosis) FILTER (WHERE urgent) FROM samples;
--> path: unique
--> Differentially private aggregate of public.samples
-->   Privacy unit: patient, by public.samples.patient_id
-->   Contribution: one row per unit, proven by a unique key of the source; no unit is scaled down
-->   Group keys: none, one row
-->   Noisy number 1: rows where the value is not NULL; standard deviation 20, 95 % of the noise within ±39
-->   Noisy number 2: sum around 500 of values clamped to [0, 1000] in steps of 0.01; standard deviation 10000, 95 % of the noise within ±19599.6
-->   Noisy number 3: rows; standard deviation 20, 95 % of the noise within ±39
-->   Choice 1: number of values, of the 3 declared ones; 95 % of the time it counts the values of at least 163.774 units, and none without rows
-->   avg(cost) FILTER(WHERE urgent): from noisy numbers 1 and 2; values outside [0, 1000] count as the nearest bound
-->   count(note) FILTER(WHERE urgent): from noisy number 3
-->   count(DISTINCT diagnosis) FILTER(WHERE urgent): from choice 1
-->   95 % of the noise: avg(cost) FILTER(WHERE urgent) within ±27647.7 / its rows, count(note) FILTER(WHERE urgent) within ±39 rows
-->   Noise intervals (dp.low, dp.high): cover the noise only, not values moved to a bound
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Unlisted: values that the policy does not list do not count in count(DISTINCT diagnosis) FILTER(WHERE urgent)
-->   Price: rho 0.005
--> reads: public.samples.cost, public.samples.diagnosis, public.samples.note, public.samples.patient_id, public.samples.urgent
--> rests on: public.samples (patient_id)
--> work of a row: 28290 ns
--> source: SELECT count(NULLIF(x1, 'NaN')) FILTER (WHERE x0) AS s0, sum((CASE WHEN x1 < 0 THEN 0 WHEN x1 <= 1000 THEN x1 WHEN x1 <> 'NaN' THEN 1000 END)) FILTER (WHERE x0) AS s1, count(NULLIF(x1, 'NaN')) FILTER (WHERE x0) AS c1, count(*) FILTER (WHERE x2) AS s2 FROM (SELECT t0."urgent" AS x0, t0."cost" AS x1, (t0."urgent") AND (t0."note" IS NOT NULL) AS x2 FROM "public"."samples" AS t0) AS r
--> source: SELECT left(x::text, 10000) AS candidate, weight FROM (SELECT (((CASE WHEN octet_length(t0."diagnosis") > 4000 THEN CASE WHEN pg_column_size(t0."diagnosis") <= 1000000 THEN left(t0."diagnosis", 2000) ELSE '' END ELSE t0."diagnosis" END))::text COLLATE "C") AS x, count(*) * 1048576 AS weight FROM "public"."samples" AS t0 WHERE (((CASE WHEN octet_length(t0."diagnosis") > 4000 THEN CASE WHEN pg_column_size(t0."diagnosis") <= 1000000 THEN left(t0."diagnosis", 2000) ELSE '' END ELSE t0."diagnosis" END))::text COLLATE "C") IS NOT NULL AND t0."urgent" GROUP BY 1) AS histogram

SELECT region, avg(cost) FILTER (WHERE urgent), count(DISTINCT note) FILTER (WHERE urgent) FROM visits GROUP BY region;
--> path: general
--> declared keys: SELECT DISTINCT d0.c0 AS k0 FROM (SELECT DISTINCT "name"::text AS c0 FROM "public"."regions" WHERE "name" IS NOT NULL UNION ALL SELECT NULL) AS d0 LIMIT 100001
--> Differentially private aggregate of public.visits
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows per group, squared and summed <= 500)
-->   Group keys: region: declared (public.regions.name); every key is answered, empty ones as noise around 0
-->   Noisy number 1: rows where the value is not NULL; standard deviation 387.298, 95 % of the noise within ±759.091
-->   Noisy number 2: sum around 500 of values clamped to [0, 1000] in steps of 0.01; standard deviation 193649, 95 % of the noise within ±379545
-->   Noisy number 3: distinct values, chosen at random where a unit has too many; standard deviation 387.298, 95 % of the noise within ±759.091
-->   avg(cost) FILTER(WHERE urgent): from noisy numbers 1 and 2; values outside [0, 1000] count as the nearest bound
-->   count(DISTINCT note) FILTER(WHERE urgent): from noisy number 3
-->   95 % of the noise: avg(cost) FILTER(WHERE urgent) within ±536758 / its rows, count(DISTINCT note) FILTER(WHERE urgent) within ±759 values
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down, not distinct values that a unit has too many of, not values moved to a bound
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.visits.cost, public.visits.note, public.visits.patient_id, public.visits.region, public.visits.urgent
--> rests on: public.visits (visit_id)
--> work of a row: 56270 ns
--> source: SELECT k0, sum(v0) AS v0, sum(v1) AS v1, sum(v2) AS v2 FROM (SELECT *, 0::bigint FROM (WITH heavy AS MATERIALIZED (SELECT unit FROM (SELECT t0."patient_id" AS unit FROM "public"."visits" AS t0 ORDER BY 1) AS r GROUP BY unit HAVING count(*) > 22) SELECT k0, sum(v0) AS v0, sum(v1) AS v1 FROM (SELECT x0 AS k0, count(NULLIF(x2, 'NaN')) FILTER (WHERE x1)::numeric * 1024 AS v0, (round((sum((CASE WHEN x2 < 0 THEN 0 WHEN x2 <= 1000 THEN x2 WHEN x2 <> 'NaN' THEN 1000 END)) FILTER (WHERE x1)::numeric::numeric * 100)) - 50000::numeric * count(NULLIF(x2, 'NaN')) FILTER (WHERE x1)) * 1024 AS v1 FROM (SELECT (((CASE WHEN octet_length(t0."region") > 4000 THEN CASE WHEN pg_column_size(t0."region") <= 1000000 THEN left(t0."region", 2000) ELSE '' END ELSE t0."region" END))::text COLLATE "C") AS x0, t0."urgent" AS x1, t0."cost" AS x2 FROM "public"."visits" AS t0 WHERE NOT EXISTS (SELECT FROM heavy AS h WHERE h.unit = t0."patient_id")) AS r GROUP BY 1 UNION ALL SELECT k0, sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0, sum(CASE WHEN scale IS NOT NULL THEN trunc(v1::double precision * scale)::bigint ELSE v1::bigint * 1024 END) AS v1 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, sum(n * n) OVER w AS q FROM (SELECT unit, k0, LEAST(n, 3037000499) AS n, LEAST(s0, 3037000499) AS v0, LEAST(GREATEST((round((coalesce(s1, 0)::numeric::numeric * 100)) - 50000::numeric * c1), -151850024950000), 151850024950000)::bigint AS v1 FROM (SELECT x0 AS unit, x1 AS k0, count(*) AS n, count(NULLIF(x3, 'NaN')) FILTER (WHERE x2) AS s0, sum((CASE WHEN x3 < 0 THEN 0 WHEN x3 <= 1000 THEN x3 WHEN x3 <> 'NaN' THEN 1000 END)) FILTER (WHERE x2) AS s1, count(NULLIF(x3, 'NaN')) FILTER (WHERE x2) AS c1 FROM (SELECT t0."patient_id" AS x0, (((CASE WHEN octet_length(t0."region") > 4000 THEN CASE WHEN pg_column_size(t0."region") <= 1000000 THEN left(t0."region", 2000) ELSE '' END ELSE t0."region" END))::text COLLATE "C") AS x1, t0."urgent" AS x2, t0."cost" AS x3 FROM "public"."visits" AS t0 WHERE EXISTS (SELECT FROM heavy AS h WHERE h.unit = t0."patient_id")) AS r GROUP BY 1, 2) AS counted) AS per_unit WINDOW w AS (PARTITION BY unit)) AS sized) AS scaled GROUP BY 1) AS parts GROUP BY 1) AS sums UNION ALL SELECT k0, 0::bigint, 0::bigint, cells FROM (WITH heavy AS MATERIALIZED (SELECT unit FROM (SELECT t0."patient_id" AS unit FROM "public"."visits" AS t0 WHERE (((CASE WHEN octet_length(t0."note") > 4000 THEN CASE WHEN pg_column_size(t0."note") <= 1000000 THEN left(t0."note", 2000) ELSE '' END ELSE t0."note" END))::text COLLATE "C") IS NOT NULL AND t0."urgent" ORDER BY 1) AS r GROUP BY unit HAVING count(*) > 22) SELECT k0, count(*) * 1024 AS cells FROM (SELECT (((CASE WHEN octet_length(t0."region") > 4000 THEN CASE WHEN pg_column_size(t0."region") <= 1000000 THEN left(t0."region", 2000) ELSE '' END ELSE t0."region" END))::text COLLATE "C") AS k0, (((CASE WHEN octet_length(t0."note") > 4000 THEN CASE WHEN pg_column_size(t0."note") <= 1000000 THEN left(t0."note", 2000) ELSE '' END ELSE t0."note" END))::text COLLATE "C") AS x FROM "public"."visits" AS t0 WHERE (((CASE WHEN octet_length(t0."note") > 4000 THEN CASE WHEN pg_column_size(t0."note") <= 1000000 THEN left(t0."note", 2000) ELSE '' END ELSE t0."note" END))::text COLLATE "C") IS NOT NULL AND t0."urgent" AND NOT EXISTS (SELECT FROM heavy AS h WHERE h.unit = t0."patient_id") UNION SELECT k0, x FROM (SELECT unit, k0, x, hash FROM (SELECT unit, k0, x, hash, dense_rank() OVER (PARTITION BY unit ORDER BY hash, CASE WHEN hash IS NOT NULL THEN k0 END, CASE WHEN hash IS NOT NULL THEN x END) AS place FROM (SELECT unit, k0, x, hash FROM (SELECT unit, k0, x, hash, dense_rank() OVER (PARTITION BY unit, k0 ORDER BY hash, CASE WHEN hash IS NOT NULL THEN x END) AS place FROM (SELECT *, hashtextextended(coalesce(left(x::text, 1000000), ''), hashtextextended(coalesce(left(k0::text, 1000000), ''), hashtextextended(unit::text, 0))) AS hash FROM (SELECT DISTINCT t0."patient_id" AS unit, (((CASE WHEN octet_length(t0."region") > 4000 THEN CASE WHEN pg_column_size(t0."region") <= 1000000 THEN left(t0."region", 2000) ELSE '' END ELSE t0."region" END))::text COLLATE "C") AS k0, (((CASE WHEN octet_length(t0."note") > 4000 THEN CASE WHEN pg_column_size(t0."note") <= 1000000 THEN left(t0."note", 2000) ELSE '' END ELSE t0."note" END))::text COLLATE "C") AS x FROM "public"."visits" AS t0 WHERE (((CASE WHEN octet_length(t0."note") > 4000 THEN CASE WHEN pg_column_size(t0."note") <= 1000000 THEN left(t0."note", 2000) ELSE '' END ELSE t0."note" END))::text COLLATE "C") IS NOT NULL AND t0."urgent" AND EXISTS (SELECT FROM heavy AS h WHERE h.unit = t0."patient_id")) AS pairs) AS hashed) AS placed WHERE hash IS NULL OR place <= 10) AS hashed) AS placed WHERE hash IS NULL OR place <= 50) AS kept) AS counted GROUP BY 1) AS counted) AS parts(k0, v0, v1, v2) GROUP BY 1

SELECT min(day), max(visited_at), percentile_disc(0.9) WITHIN GROUP (ORDER BY score) FILTER (WHERE urgent) FROM visits;
--> path: single group
--> Differentially private aggregate of public.visits
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: each unit counts once
-->   Group keys: none, one row
-->   Choice 1: minimum of 733 values in steps of 1 day; 95 % of the time it is at most 166.154 units, as they count, from the rank that is sought; of fewer than about 333 patients, as they count, it may be any value from 2024-01-01 to 2025-12-31
-->   Choice 2: maximum of 210817 values in steps of 0:05:00; 95 % of the time it is at most 264.215 units, as they count, from the rank that is sought; of fewer than about 529 patients, as they count, it may be any value from 2024-01-01 to 2025-12-31 23:59:59.999999
-->   Choice 3: 0.9 quantile of 1000001 values in steps of 0.000002; 95 % of the time it is at most 13103.1 rows, as they count, from the rank that is sought; of fewer than about 131031 rows, as they count, it may be any value up to 1
-->   min(day): from choice 1
-->   max(visited_at): from choice 2
-->   percentile_disc(0.9) WITHIN GROUP (ORDER BY score) FILTER(WHERE urgent): from choice 3
-->   Mechanism: exponential; epsilon 0.1 for the block
-->   Price: pure epsilon 0.34641, rho 0.005
--> reads: public.visits.day, public.visits.patient_id, public.visits.score, public.visits.urgent, public.visits.visited_at
--> rests on: public.visits (visit_id)
--> work of a row: 570 ns
--> source: SELECT json_agg(x ORDER BY x) AS candidates, json_agg(weight ORDER BY x) AS weights FROM (SELECT x, sum(CASE WHEN groups * 1 <= 1 THEN 1048576 ELSE trunc(1048576 * (1 - 2.0 ^ -30)::double precision * 1 / 1 / groups)::bigint END) AS weight FROM (SELECT *, count(*) OVER w AS groups FROM (SELECT t0."patient_id" AS unit, min((((CASE WHEN t0."day" < greatest('2024-01-01'::date) THEN greatest('2024-01-01'::date) WHEN t0."day" > GREATEST(greatest('2024-01-01'::date), least('2025-12-31'::date)) THEN GREATEST(greatest('2024-01-01'::date), least('2025-12-31'::date)) ELSE t0."day" END) - greatest('2024-01-01'::date)) / 1)) AS x FROM "public"."visits" AS t0 WHERE (((CASE WHEN t0."day" < greatest('2024-01-01'::date) THEN greatest('2024-01-01'::date) WHEN t0."day" > GREATEST(greatest('2024-01-01'::date), least('2025-12-31'::date)) THEN GREATEST(greatest('2024-01-01'::date), least('2025-12-31'::date)) ELSE t0."day" END) - greatest('2024-01-01'::date)) / 1) IS NOT NULL GROUP BY 1) AS per_unit WINDOW w AS (PARTITION BY unit)) AS own GROUP BY 1) AS histogram
--> source: SELECT json_agg(x ORDER BY x) AS candidates, json_agg(weight ORDER BY x) AS weights FROM (SELECT x, sum(CASE WHEN groups * 1 <= 1 THEN 1048576 ELSE trunc(1048576 * (1 - 2.0 ^ -30)::double precision * 1 / 1 / groups)::bigint END) AS weight FROM (SELECT *, count(*) OVER w AS groups FROM (SELECT t0."patient_id" AS unit, max(((extract(epoch FROM (CASE WHEN t0."visited_at" < greatest('2024-01-01'::timestamp without time zone) THEN greatest('2024-01-01'::timestamp without time zone) WHEN t0."visited_at" > GREATEST(greatest('2024-01-01'::timestamp without time zone), least('2025-12-31 23:59:59.999999'::timestamp without time zone)) THEN GREATEST(greatest('2024-01-01'::timestamp without time zone), least('2025-12-31 23:59:59.999999'::timestamp without time zone)) ELSE t0."visited_at" END) - greatest('2024-01-01'::timestamp without time zone)) * 1000000)::bigint / 300000000)) AS x FROM "public"."visits" AS t0 WHERE ((extract(epoch FROM (CASE WHEN t0."visited_at" < greatest('2024-01-01'::timestamp without time zone) THEN greatest('2024-01-01'::timestamp without time zone) WHEN t0."visited_at" > GREATEST(greatest('2024-01-01'::timestamp without time zone), least('2025-12-31 23:59:59.999999'::timestamp without time zone)) THEN GREATEST(greatest('2024-01-01'::timestamp without time zone), least('2025-12-31 23:59:59.999999'::timestamp without time zone)) ELSE t0."visited_at" END) - greatest('2024-01-01'::timestamp without time zone)) * 1000000)::bigint / 300000000) IS NOT NULL GROUP BY 1) AS per_unit WINDOW w AS (PARTITION BY unit)) AS own GROUP BY 1) AS histogram
--> source: SELECT json_agg(x ORDER BY x) AS candidates, json_agg(weight ORDER BY x) AS weights FROM (WITH heavy AS MATERIALIZED (SELECT unit, trunc(1048576 * (1 - 2.0 ^ -30)::double precision * 50 / count(*))::bigint AS weight FROM (SELECT t0."patient_id" AS unit FROM "public"."visits" AS t0 WHERE ((CASE WHEN t0."score" < (-1) THEN -500000::double precision WHEN t0."score" <= 1 THEN round(t0."score"::double precision / 0.000002::double precision) WHEN t0."score" <> 'NaN' THEN 500000::double precision END)::integer - (-500000)) IS NOT NULL AND t0."urgent" ORDER BY 1) AS r GROUP BY unit HAVING count(*) > 50) SELECT x, sum(weight) AS weight FROM (SELECT ((CASE WHEN t0."score" < (-1) THEN -500000::double precision WHEN t0."score" <= 1 THEN round(t0."score"::double precision / 0.000002::double precision) WHEN t0."score" <> 'NaN' THEN 500000::double precision END)::integer - (-500000)) AS x, count(*) * 1048576 AS weight FROM "public"."visits" AS t0 WHERE ((CASE WHEN t0."score" < (-1) THEN -500000::double precision WHEN t0."score" <= 1 THEN round(t0."score"::double precision / 0.000002::double precision) WHEN t0."score" <> 'NaN' THEN 500000::double precision END)::integer - (-500000)) IS NOT NULL AND t0."urgent" AND NOT EXISTS (SELECT FROM heavy AS h WHERE h.unit = t0."patient_id") GROUP BY 1 UNION ALL SELECT p.x, sum(p.n * h.weight) FROM (SELECT ((CASE WHEN t0."score" < (-1) THEN -500000::double precision WHEN t0."score" <= 1 THEN round(t0."score"::double precision / 0.000002::double precision) WHEN t0."score" <> 'NaN' THEN 500000::double precision END)::integer - (-500000)) AS x, t0."patient_id" AS unit, count(*) AS n FROM "public"."visits" AS t0 WHERE ((CASE WHEN t0."score" < (-1) THEN -500000::double precision WHEN t0."score" <= 1 THEN round(t0."score"::double precision / 0.000002::double precision) WHEN t0."score" <> 'NaN' THEN 500000::double precision END)::integer - (-500000)) IS NOT NULL AND t0."urgent" AND EXISTS (SELECT FROM heavy AS h WHERE h.unit = t0."patient_id") GROUP BY 1, 2) AS p JOIN heavy AS h USING (unit) GROUP BY 1) AS parts GROUP BY 1) AS histogram

SELECT sum(level), avg(ratio) FROM readings;
--> path: unique
--> Differentially private aggregate of public.readings
-->   Privacy unit: patient, by public.readings.patient_id
-->   Contribution: one row per unit, proven by a unique key of the source; no unit is scaled down
-->   Group keys: none, one row
-->   Not a number: NaN counts as NULL in avg(ratio)
-->   Noisy number 1: sum of values clamped to [0, 100] in steps of 0.0000001; standard deviation 1732.05, 95 % of the noise within ±3394.76
-->   Noisy number 2: rows where the value is not NULL; standard deviation 17.3205, 95 % of the noise within ±34
-->   Noisy number 3: sum around 0.5 of values clamped to [0, 1] in steps of 0.000000001; standard deviation 8.66025, 95 % of the noise within ±16.9738
-->   sum(level): from noisy number 1; values outside [0, 100] count as the nearest bound
-->   avg(ratio): from noisy numbers 2 and 3; values outside [0, 1] count as the nearest bound
-->   95 % of the noise: sum(level) within ±3394.76, avg(ratio) within ±24.0231 / its rows
-->   Noise intervals (dp.low, dp.high): cover the noise only, not values moved to a bound
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.readings.level, public.readings.patient_id, public.readings.ratio
--> rests on: public.readings (patient_id)
--> work of a row: 4180 ns
--> source: SELECT sum(round(((CASE WHEN x0 < 0 THEN 0 WHEN x0 <= 100 THEN x0 WHEN x0 <> 'NaN' THEN 100 END)::numeric * 10000000))::integer) AS s0, count(NULLIF(x1, 'NaN')) AS s1, sum((CASE WHEN x1 < 0 THEN 0::double precision WHEN x1 <= 1 THEN round(x1::double precision / 0.000000001::double precision) WHEN x1 <> 'NaN' THEN 1000000000::double precision END)::integer) AS s2, count(NULLIF(x1, 'NaN')) AS c2 FROM (WITH once AS (SELECT) SELECT (CASE WHEN pg_column_size(t0."level") > 64 OR scale(t0."level") > 100 THEN NULL ELSE t0."level" END) AS x0, t0."ratio" AS x1 FROM "public"."readings" AS t0) AS r

SELECT region, mode() WITHIN GROUP (ORDER BY diagnosis) FILTER (WHERE urgent) FROM visits GROUP BY region;
--> path: general
--> declared keys: SELECT DISTINCT d0.c0 AS k0 FROM (SELECT DISTINCT "name"::text AS c0 FROM "public"."regions" WHERE "name" IS NOT NULL UNION ALL SELECT NULL) AS d0 LIMIT 100001
--> Differentially private aggregate of public.visits
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows <= 50)
-->   Group keys: region: declared (public.regions.name); every key is answered, empty ones as noise around 0
-->   Choice 1: one of the declared values; 95 % of the time it has at most 3627.16 rows fewer than the most frequent one
-->   mode() WITHIN GROUP (ORDER BY diagnosis) FILTER(WHERE urgent): from choice 1
-->   Mechanism: exponential; epsilon 0.1 for the block
-->   Price: pure epsilon 0.2, rho 0.005
--> reads: public.visits.diagnosis, public.visits.patient_id, public.visits.region, public.visits.urgent
--> rests on: public.visits (visit_id)
--> work of a row: 56030 ns
--> source: SELECT k0, left(x::text, 10000) AS candidate, weight FROM (WITH heavy AS MATERIALIZED (SELECT unit, trunc(1048576 * (1 - 2.0 ^ -30)::double precision * 50 / count(*))::bigint AS weight FROM (SELECT t0."patient_id" AS unit FROM "public"."visits" AS t0 WHERE (((CASE WHEN octet_length(t0."diagnosis") > 4000 THEN CASE WHEN pg_column_size(t0."diagnosis") <= 1000000 THEN left(t0."diagnosis", 2000) ELSE '' END ELSE t0."diagnosis" END))::text COLLATE "C") IS NOT NULL AND t0."urgent" ORDER BY 1) AS r GROUP BY unit HAVING count(*) > 50) SELECT k0, x, sum(weight) AS weight FROM (SELECT (((CASE WHEN octet_length(t0."region") > 4000 THEN CASE WHEN pg_column_size(t0."region") <= 1000000 THEN left(t0."region", 2000) ELSE '' END ELSE t0."region" END))::text COLLATE "C") AS k0, (((CASE WHEN octet_length(t0."diagnosis") > 4000 THEN CASE WHEN pg_column_size(t0."diagnosis") <= 1000000 THEN left(t0."diagnosis", 2000) ELSE '' END ELSE t0."diagnosis" END))::text COLLATE "C") AS x, count(*) * 1048576 AS weight FROM "public"."visits" AS t0 WHERE (((CASE WHEN octet_length(t0."diagnosis") > 4000 THEN CASE WHEN pg_column_size(t0."diagnosis") <= 1000000 THEN left(t0."diagnosis", 2000) ELSE '' END ELSE t0."diagnosis" END))::text COLLATE "C") IS NOT NULL AND t0."urgent" AND NOT EXISTS (SELECT FROM heavy AS h WHERE h.unit = t0."patient_id") GROUP BY 1, 2 UNION ALL SELECT p.k0, p.x, sum(p.n * h.weight) FROM (SELECT (((CASE WHEN octet_length(t0."region") > 4000 THEN CASE WHEN pg_column_size(t0."region") <= 1000000 THEN left(t0."region", 2000) ELSE '' END ELSE t0."region" END))::text COLLATE "C") AS k0, (((CASE WHEN octet_length(t0."diagnosis") > 4000 THEN CASE WHEN pg_column_size(t0."diagnosis") <= 1000000 THEN left(t0."diagnosis", 2000) ELSE '' END ELSE t0."diagnosis" END))::text COLLATE "C") AS x, t0."patient_id" AS unit, count(*) AS n FROM "public"."visits" AS t0 WHERE (((CASE WHEN octet_length(t0."diagnosis") > 4000 THEN CASE WHEN pg_column_size(t0."diagnosis") <= 1000000 THEN left(t0."diagnosis", 2000) ELSE '' END ELSE t0."diagnosis" END))::text COLLATE "C") IS NOT NULL AND t0."urgent" AND EXISTS (SELECT FROM heavy AS h WHERE h.unit = t0."patient_id") GROUP BY 1, 2, 3) AS p JOIN heavy AS h USING (unit) GROUP BY 1, 2) AS parts GROUP BY 1, 2) AS histogram

SELECT percentile_disc(ARRAY[0, 0.5]) WITHIN GROUP (ORDER BY cost) FROM visits;
--> path: single group
--> Differentially private aggregate of public.visits
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows <= 50)
-->   Group keys: none, one row
-->   Choice 1: minimum, 0.5 quantile of 100001 values in steps of 0.01; 95 % of the time it is at most 18591.4 rows, as they count, from the rank that is sought; of fewer than about 74366 rows, as they count, some may be any value from 0 to 1000
-->   percentile_disc(ARRAY[0, 0.5]) WITHIN GROUP (ORDER BY cost): from choice 1
-->   Mechanism: exponential; epsilon 0.1 for the block
-->   Price: pure epsilon 0.282843, rho 0.005
--> reads: public.visits.cost, public.visits.patient_id
--> rests on: public.visits (visit_id)
--> work of a row: 240 ns
--> source: SELECT json_agg(x ORDER BY x) AS candidates, json_agg(weight ORDER BY x) AS weights FROM (WITH heavy AS MATERIALIZED (SELECT unit, trunc(1048576 * (1 - 2.0 ^ -30)::double precision * 50 / count(*))::bigint AS weight FROM (SELECT t0."patient_id" AS unit FROM "public"."visits" AS t0 WHERE (((CASE WHEN t0."cost" < 0 THEN 0 WHEN t0."cost" <= 1000 THEN t0."cost" WHEN t0."cost" <> 'NaN' THEN 1000 END)::numeric * 100)::integer - 0) IS NOT NULL ORDER BY 1) AS r GROUP BY unit HAVING count(*) > 50) SELECT x, sum(weight) AS weight FROM (SELECT (((CASE WHEN t0."cost" < 0 THEN 0 WHEN t0."cost" <= 1000 THEN t0."cost" WHEN t0."cost" <> 'NaN' THEN 1000 END)::numeric * 100)::integer - 0) AS x, count(*) * 1048576 AS weight FROM "public"."visits" AS t0 WHERE (((CASE WHEN t0."cost" < 0 THEN 0 WHEN t0."cost" <= 1000 THEN t0."cost" WHEN t0."cost" <> 'NaN' THEN 1000 END)::numeric * 100)::integer - 0) IS NOT NULL AND NOT EXISTS (SELECT FROM heavy AS h WHERE h.unit = t0."patient_id") GROUP BY 1 UNION ALL SELECT p.x, sum(p.n * h.weight) FROM (SELECT (((CASE WHEN t0."cost" < 0 THEN 0 WHEN t0."cost" <= 1000 THEN t0."cost" WHEN t0."cost" <> 'NaN' THEN 1000 END)::numeric * 100)::integer - 0) AS x, t0."patient_id" AS unit, count(*) AS n FROM "public"."visits" AS t0 WHERE (((CASE WHEN t0."cost" < 0 THEN 0 WHEN t0."cost" <= 1000 THEN t0."cost" WHEN t0."cost" <> 'NaN' THEN 1000 END)::numeric * 100)::integer - 0) IS NOT NULL AND EXISTS (SELECT FROM heavy AS h WHERE h.unit = t0."patient_id") GROUP BY 1, 2) AS p JOIN heavy AS h USING (unit) GROUP BY 1) AS parts GROUP BY 1) AS histogram

SELECT percentile_disc('x') WITHIN GROUP (ORDER BY cost) FROM samples;
--> refused 0A000 percentile-fraction: percentiles require constant fractions between 0 and 1, with at most 15 digits

SELECT percentile_disc(0.7::integer) WITHIN GROUP (ORDER BY cost) FROM samples;
--> refused 0A000 percentile-fraction: percentiles require constant fractions between 0 and 1, with at most 15 digits

SELECT percentile_disc(0.1234567890123456789) WITHIN GROUP (ORDER BY cost) FROM samples;
--> refused 0A000 percentile-fraction: percentiles require constant fractions between 0 and 1, with at most 15 digits

SELECT min(p.since) FROM visits v JOIN prices p ON p.code = v.note;
--> refused 42501 bounds: min(p.since) requires bounds, but p.since has none

SELECT max(small), min(-small) FROM readings;
--> refused 42501 bounds: max(small) requires bounds, but small has none

SELECT dp.low(count(*), 1e-5) FROM samples;
--> refused 0A000 noise-interval-confidence: the confidence of an interval must be a constant between 0 and 1, with at most nine digits

SELECT dp.low(count(*), .0) FROM samples;
--> refused 0A000 noise-interval-confidence: the confidence of an interval must be a constant between 0 and 1, with at most nine digits

SELECT dp.low(count(*), 1) FROM samples;
--> refused 0A000 noise-interval-confidence: the confidence of an interval must be a constant between 0 and 1, with at most nine digits

SELECT DISTINCT count(*) FROM samples;
--> path: unique
--> Differentially private aggregate of public.samples
-->   Privacy unit: patient, by public.samples.patient_id
-->   Contribution: one row per unit, proven by a unique key of the source; no unit is scaled down
-->   Group keys: none, one row
-->   Noisy number 1: rows; standard deviation 10, 95 % of the noise within ±20
-->   count(*): from noisy number 1
-->   95 % of the noise: count(*) within ±20 rows
-->   Noise intervals (dp.low, dp.high): cover everything, nothing is clipped
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.samples.patient_id
--> rests on: public.samples (patient_id)
--> work of a row: 0 ns
--> source: SELECT count(*) AS s0 FROM (SELECT  FROM "public"."samples" AS t0) AS r

SELECT min(ceil(cost)), max(sind(score)), max(DISTINCT minutes), min(cardinality(tags)) FROM samples;
--> path: unique
--> Differentially private aggregate of public.samples
-->   Privacy unit: patient, by public.samples.patient_id
-->   Contribution: one row per unit, proven by a unique key of the source; no unit is scaled down
-->   Group keys: none, one row
-->   Large values: values of tags that take more than 1000 octets count as NULL
-->   Choice 1: minimum of 1001 values in steps of 1; 95 % of the time it is at most 198.09 units from the rank that is sought; of fewer than about 397 patients it may be any value from 0 to 1000
-->   Choice 2: maximum of 1000001 values in steps of 0.000002; 95 % of the time it is at most 336.225 units from the rank that is sought; of fewer than about 673 patients it may be any value from -1 to 1
-->   Choice 3: maximum of 241 values in steps of 1; 95 % of the time it is at most 169.611 units from the rank that is sought; of fewer than about 340 patients it may be any value from 0 to 240
-->   Choice 4: minimum of 10001 values in steps of 1; 95 % of the time it is at most 244.123 units from the rank that is sought; of fewer than about 489 patients it may be any value from 0 to 10000
-->   min(ceil(cost)): from choice 1
-->   max(sind(score)): from choice 2
-->   max(DISTINCT minutes): from choice 3
-->   min(cardinality(tags)): from choice 4
-->   Mechanism: exponential; epsilon 0.1 for the block
-->   Price: pure epsilon 0.4, rho 0.005
--> reads: public.samples.cost, public.samples.minutes, public.samples.patient_id, public.samples.score, public.samples.tags
--> rests on: public.samples (patient_id)
--> work of a row: 108186 ns
--> source: SELECT json_agg(x ORDER BY x) AS candidates, json_agg(weight ORDER BY x) AS weights FROM (SELECT ((CASE WHEN ceil(t0."cost"::numeric) < 0 THEN 0 WHEN ceil(t0."cost"::numeric) <= 1000 THEN ceil(t0."cost"::numeric) WHEN ceil(t0."cost"::numeric) <> 'NaN' THEN 1000 END)::integer - 0) AS x, count(*) * 1048576 AS weight FROM "public"."samples" AS t0 WHERE ((CASE WHEN ceil(t0."cost"::numeric) < 0 THEN 0 WHEN ceil(t0."cost"::numeric) <= 1000 THEN ceil(t0."cost"::numeric) WHEN ceil(t0."cost"::numeric) <> 'NaN' THEN 1000 END)::integer - 0) IS NOT NULL GROUP BY 1) AS histogram
--> source: SELECT json_agg(x ORDER BY x) AS candidates, json_agg(weight ORDER BY x) AS weights FROM (SELECT ((CASE WHEN sind(((CASE WHEN abs(t0."score") BETWEEN 1e-150 AND 1e150 THEN t0."score" WHEN abs(t0."score") < 1e-150 THEN 0 END)::double precision)) < (-1) THEN -500000::double precision WHEN sind(((CASE WHEN abs(t0."score") BETWEEN 1e-150 AND 1e150 THEN t0."score" WHEN abs(t0."score") < 1e-150 THEN 0 END)::double precision)) <= 1 THEN round(sind(((CASE WHEN abs(t0."score") BETWEEN 1e-150 AND 1e150 THEN t0."score" WHEN abs(t0."score") < 1e-150 THEN 0 END)::double precision))::double precision / 0.000002::double precision) WHEN sind(((CASE WHEN abs(t0."score") BETWEEN 1e-150 AND 1e150 THEN t0."score" WHEN abs(t0."score") < 1e-150 THEN 0 END)::double precision)) <> 'NaN' THEN 500000::double precision END)::integer - (-500000)) AS x, count(*) * 1048576 AS weight FROM "public"."samples" AS t0 WHERE ((CASE WHEN sind(((CASE WHEN abs(t0."score") BETWEEN 1e-150 AND 1e150 THEN t0."score" WHEN abs(t0."score") < 1e-150 THEN 0 END)::double precision)) < (-1) THEN -500000::double precision WHEN sind(((CASE WHEN abs(t0."score") BETWEEN 1e-150 AND 1e150 THEN t0."score" WHEN abs(t0."score") < 1e-150 THEN 0 END)::double precision)) <= 1 THEN round(sind(((CASE WHEN abs(t0."score") BETWEEN 1e-150 AND 1e150 THEN t0."score" WHEN abs(t0."score") < 1e-150 THEN 0 END)::double precision))::double precision / 0.000002::double precision) WHEN sind(((CASE WHEN abs(t0."score") BETWEEN 1e-150 AND 1e150 THEN t0."score" WHEN abs(t0."score") < 1e-150 THEN 0 END)::double precision)) <> 'NaN' THEN 500000::double precision END)::integer - (-500000)) IS NOT NULL GROUP BY 1) AS histogram
--> source: SELECT json_agg(x ORDER BY x) AS candidates, json_agg(weight ORDER BY x) AS weights FROM (SELECT ((CASE WHEN t0."minutes" < 0 THEN 0 WHEN t0."minutes" > 240 THEN 240 ELSE t0."minutes" END)::integer - 0) AS x, count(*) * 1048576 AS weight FROM "public"."samples" AS t0 WHERE ((CASE WHEN t0."minutes" < 0 THEN 0 WHEN t0."minutes" > 240 THEN 240 ELSE t0."minutes" END)::integer - 0) IS NOT NULL GROUP BY 1) AS histogram
--> source: SELECT json_agg(x ORDER BY x) AS candidates, json_agg(weight ORDER BY x) AS weights FROM (SELECT ((CASE WHEN cardinality((CASE WHEN pg_column_size(t0."tags") <= 1000 THEN t0."tags" END)) < 0 THEN 0 WHEN cardinality((CASE WHEN pg_column_size(t0."tags") <= 1000 THEN t0."tags" END)) > 10000 THEN 10000 ELSE cardinality((CASE WHEN pg_column_size(t0."tags") <= 1000 THEN t0."tags" END)) END)::integer - 0) AS x, count(*) * 1048576 AS weight FROM "public"."samples" AS t0 WHERE ((CASE WHEN cardinality((CASE WHEN pg_column_size(t0."tags") <= 1000 THEN t0."tags" END)) < 0 THEN 0 WHEN cardinality((CASE WHEN pg_column_size(t0."tags") <= 1000 THEN t0."tags" END)) > 10000 THEN 10000 ELSE cardinality((CASE WHEN pg_column_size(t0."tags") <= 1000 THEN t0."tags" END)) END)::integer - 0) IS NOT NULL GROUP BY 1) AS histogram

SELECT min(DISTINCT cost, minutes) FROM samples;
--> refused 0A000 not-allowed: DISTINCT cost, minutes is not supported over private rows

SELECT region, rank() OVER (PARTITION BY count(*) ORDER BY region), avg(cost) FROM samples GROUP BY region;
--> path: unique
--> declared keys: SELECT DISTINCT d0.c0 AS k0 FROM (SELECT DISTINCT "name"::text AS c0 FROM "public"."regions" WHERE "name" IS NOT NULL UNION ALL SELECT NULL) AS d0 LIMIT 100001
--> Differentially private aggregate of public.samples
-->   Privacy unit: patient, by public.samples.patient_id
-->   Contribution: one row per unit, proven by a unique key of the source; no unit is scaled down
-->   Group keys: region: declared (public.regions.name); each declared key is answered, empty ones as noise around 0; rows with other values of region are in no group
-->   Noisy number 1: rows; standard deviation 17.3205, 95 % of the noise within ±34
-->   Noisy number 2: rows where the value is not NULL; standard deviation 17.3205, 95 % of the noise within ±34
-->   Noisy number 3: sum around 500 of values clamped to [0, 1000] in steps of 0.01; standard deviation 8660.25, 95 % of the noise within ±16973.8
-->   count(*): from noisy number 1
-->   avg(cost): from noisy numbers 2 and 3; values outside [0, 1000] count as the nearest bound
-->   95 % of the noise: count(*) within ±34 rows, avg(cost) within ±24023.1 / its rows
-->   Noise intervals (dp.low, dp.high): cover the noise only, not values moved to a bound
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.samples.cost, public.samples.patient_id, public.samples.region
--> rests on: public.samples (patient_id)
--> work of a row: 28240 ns
--> source: SELECT x0 AS k0, count(*) AS s0, count(NULLIF(x1, 'NaN')) AS s1, sum((CASE WHEN x1 < 0 THEN 0 WHEN x1 <= 1000 THEN x1 WHEN x1 <> 'NaN' THEN 1000 END)) AS s2, count(NULLIF(x1, 'NaN')) AS c2 FROM (SELECT (((CASE WHEN octet_length(t0."region") > 4000 THEN CASE WHEN pg_column_size(t0."region") <= 1000000 THEN left(t0."region", 2000) ELSE '' END ELSE t0."region" END))::text COLLATE "C") AS x0, t0."cost" AS x1 FROM "public"."samples" AS t0) AS r GROUP BY 1

SELECT dp, dp + sum(minutes) FROM (SELECT minutes, extract(hour FROM visited_at)::integer AS dp FROM visits) AS v GROUP BY dp;
--> path: general
--> declared keys: SELECT DISTINCT (CASE WHEN d0.c0 > -2147483647.5 AND d0.c0 < 2147483647.5 THEN d0.c0 END)::integer AS k0 FROM (SELECT s::numeric AS c0 FROM generate_series(0, 23) AS s) AS d0 LIMIT 100001
--> Differentially private aggregate of public.visits
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows per group, squared and summed <= 500)
-->   Group keys: dp: declared (hour of a date); each declared key is answered, empty ones as noise around 0; rows with other values of dp are in no group
-->   Noisy number 1: sum of values clamped to [0, 240] in steps of 1; standard deviation 53665.6, 95 % of the noise within ±105183
-->   sum(minutes): from noisy number 1; values outside [0, 240] count as the nearest bound
-->   95 % of the noise: sum(minutes) within ±105183
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down, not values moved to a bound
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.visits.minutes, public.visits.patient_id, public.visits.visited_at
--> rests on: public.visits (visit_id)
--> work of a row: 15480 ns
--> source: WITH heavy AS MATERIALIZED (SELECT unit FROM (SELECT t0.unit AS unit FROM (SELECT t0t0."patient_id" AS unit, t0t0."minutes" AS c0, (CASE WHEN extract(hour from (CASE WHEN t0t0."visited_at" BETWEEN '0001-01-01' AND '9999-12-31' THEN t0t0."visited_at" END)) > -2147483647.5 AND extract(hour from (CASE WHEN t0t0."visited_at" BETWEEN '0001-01-01' AND '9999-12-31' THEN t0t0."visited_at" END)) < 2147483647.5 THEN extract(hour from (CASE WHEN t0t0."visited_at" BETWEEN '0001-01-01' AND '9999-12-31' THEN t0t0."visited_at" END)) END)::integer AS c1 FROM "public"."visits" AS t0t0) AS t0 ORDER BY 1) AS r GROUP BY unit HAVING count(*) > 22) SELECT k0, sum(v0) AS v0 FROM (SELECT x0 AS k0, round(sum((CASE WHEN x1 < 0 THEN 0 WHEN x1 > 240 THEN 240 ELSE x1 END))::numeric) * 1024 AS v0 FROM (SELECT t0.c1 AS x0, t0.c0 AS x1 FROM (SELECT t0t0."patient_id" AS unit, t0t0."minutes" AS c0, (CASE WHEN extract(hour from (CASE WHEN t0t0."visited_at" BETWEEN '0001-01-01' AND '9999-12-31' THEN t0t0."visited_at" END)) > -2147483647.5 AND extract(hour from (CASE WHEN t0t0."visited_at" BETWEEN '0001-01-01' AND '9999-12-31' THEN t0t0."visited_at" END)) < 2147483647.5 THEN extract(hour from (CASE WHEN t0t0."visited_at" BETWEEN '0001-01-01' AND '9999-12-31' THEN t0t0."visited_at" END)) END)::integer AS c1 FROM "public"."visits" AS t0t0) AS t0 WHERE NOT EXISTS (SELECT FROM heavy AS h WHERE h.unit = t0.unit)) AS r GROUP BY 1 UNION ALL SELECT k0, sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, sum(n * n) OVER w AS q FROM (SELECT unit, k0, LEAST(n, 3037000499) AS n, LEAST(GREATEST(round(coalesce(s0, 0)::numeric), -728880119760), 728880119760)::bigint AS v0 FROM (SELECT x0 AS unit, x1 AS k0, count(*) AS n, sum((CASE WHEN x2 < 0 THEN 0 WHEN x2 > 240 THEN 240 ELSE x2 END)) AS s0 FROM (SELECT t0.unit AS x0, t0.c1 AS x1, t0.c0 AS x2 FROM (SELECT t0t0."patient_id" AS unit, t0t0."minutes" AS c0, (CASE WHEN extract(hour from (CASE WHEN t0t0."visited_at" BETWEEN '0001-01-01' AND '9999-12-31' THEN t0t0."visited_at" END)) > -2147483647.5 AND extract(hour from (CASE WHEN t0t0."visited_at" BETWEEN '0001-01-01' AND '9999-12-31' THEN t0t0."visited_at" END)) < 2147483647.5 THEN extract(hour from (CASE WHEN t0t0."visited_at" BETWEEN '0001-01-01' AND '9999-12-31' THEN t0t0."visited_at" END)) END)::integer AS c1 FROM "public"."visits" AS t0t0) AS t0 WHERE EXISTS (SELECT FROM heavy AS h WHERE h.unit = t0.unit)) AS r GROUP BY 1, 2) AS counted) AS per_unit WINDOW w AS (PARTITION BY unit)) AS sized) AS scaled GROUP BY 1) AS parts GROUP BY 1

SELECT median(cost), approx_count_distinct(note) FROM visits;
--> path: single group
--> Differentially private aggregate of public.visits
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows per group, squared and summed <= 500)
-->   Group keys: none, one row
-->   Noisy number 1: distinct values, chosen at random where a unit has too many; standard deviation 316.228, 95 % of the noise within ±619.796
-->   Choice 1: 0.5 quantile of 100001 values in steps of 0.01 and what is between them; 95 % of the time it is at most 5375.65 rows, as they count, from the rank that is sought; of fewer than about 10750 rows, as they count, it may be any value from 0 to 1000
-->   median(cost): from choice 1
-->   approx_count_distinct(note): from noisy number 1
-->   95 % of the noise: approx_count_distinct(note) within ±620 values
-->   Noise intervals (dp.low, dp.high): cover the noise only, not distinct values that a unit has too many of
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.visits.cost, public.visits.note, public.visits.patient_id
--> rests on: public.visits (visit_id)
--> work of a row: 28240 ns
--> source: SELECT sum(v0) AS v0 FROM (SELECT cells FROM (WITH heavy AS MATERIALIZED (SELECT unit FROM (SELECT t0."patient_id" AS unit FROM "public"."visits" AS t0 WHERE (((CASE WHEN octet_length(t0."note") > 4000 THEN CASE WHEN pg_column_size(t0."note") <= 1000000 THEN left(t0."note", 2000) ELSE '' END ELSE t0."note" END))::text COLLATE "C") IS NOT NULL ORDER BY 1) AS r GROUP BY unit HAVING count(*) > 22) SELECT count(*) * 1024 AS cells FROM (SELECT (((CASE WHEN octet_length(t0."note") > 4000 THEN CASE WHEN pg_column_size(t0."note") <= 1000000 THEN left(t0."note", 2000) ELSE '' END ELSE t0."note" END))::text COLLATE "C") AS x FROM "public"."visits" AS t0 WHERE (((CASE WHEN octet_length(t0."note") > 4000 THEN CASE WHEN pg_column_size(t0."note") <= 1000000 THEN left(t0."note", 2000) ELSE '' END ELSE t0."note" END))::text COLLATE "C") IS NOT NULL AND NOT EXISTS (SELECT FROM heavy AS h WHERE h.unit = t0."patient_id") UNION SELECT x FROM (SELECT unit, x, hash FROM (SELECT unit, x, hash, dense_rank() OVER (PARTITION BY unit ORDER BY hash, CASE WHEN hash IS NOT NULL THEN x END) AS place FROM (SELECT *, hashtextextended(coalesce(left(x::text, 1000000), ''), hashtextextended(unit::text, 0)) AS hash FROM (SELECT DISTINCT t0."patient_id" AS unit, (((CASE WHEN octet_length(t0."note") > 4000 THEN CASE WHEN pg_column_size(t0."note") <= 1000000 THEN left(t0."note", 2000) ELSE '' END ELSE t0."note" END))::text COLLATE "C") AS x FROM "public"."visits" AS t0 WHERE (((CASE WHEN octet_length(t0."note") > 4000 THEN CASE WHEN pg_column_size(t0."note") <= 1000000 THEN left(t0."note", 2000) ELSE '' END ELSE t0."note" END))::text COLLATE "C") IS NOT NULL AND EXISTS (SELECT FROM heavy AS h WHERE h.unit = t0."patient_id")) AS pairs) AS hashed) AS placed WHERE hash IS NULL OR place <= 22) AS kept) AS counted) AS counted) AS parts(v0)
--> source: SELECT json_agg(x ORDER BY x) AS candidates, json_agg(weight ORDER BY x) AS weights FROM (WITH heavy AS MATERIALIZED (SELECT unit, trunc(1048576 * (1 - 2.0 ^ -30)::double precision * 50 / count(*))::bigint AS weight FROM (SELECT t0."patient_id" AS unit FROM "public"."visits" AS t0 WHERE (((CASE WHEN t0."cost" < 0 THEN 0 WHEN t0."cost" <= 1000 THEN t0."cost" WHEN t0."cost" <> 'NaN' THEN 1000 END)::numeric * 100)::integer - 0) IS NOT NULL ORDER BY 1) AS r GROUP BY unit HAVING count(*) > 50) SELECT x, sum(weight) AS weight FROM (SELECT (((CASE WHEN t0."cost" < 0 THEN 0 WHEN t0."cost" <= 1000 THEN t0."cost" WHEN t0."cost" <> 'NaN' THEN 1000 END)::numeric * 100)::integer - 0) AS x, count(*) * 1048576 AS weight FROM "public"."visits" AS t0 WHERE (((CASE WHEN t0."cost" < 0 THEN 0 WHEN t0."cost" <= 1000 THEN t0."cost" WHEN t0."cost" <> 'NaN' THEN 1000 END)::numeric * 100)::integer - 0) IS NOT NULL AND NOT EXISTS (SELECT FROM heavy AS h WHERE h.unit = t0."patient_id") GROUP BY 1 UNION ALL SELECT p.x, sum(p.n * h.weight) FROM (SELECT (((CASE WHEN t0."cost" < 0 THEN 0 WHEN t0."cost" <= 1000 THEN t0."cost" WHEN t0."cost" <> 'NaN' THEN 1000 END)::numeric * 100)::integer - 0) AS x, t0."patient_id" AS unit, count(*) AS n FROM "public"."visits" AS t0 WHERE (((CASE WHEN t0."cost" < 0 THEN 0 WHEN t0."cost" <= 1000 THEN t0."cost" WHEN t0."cost" <> 'NaN' THEN 1000 END)::numeric * 100)::integer - 0) IS NOT NULL AND EXISTS (SELECT FROM heavy AS h WHERE h.unit = t0."patient_id") GROUP BY 1, 2) AS p JOIN heavy AS h USING (unit) GROUP BY 1) AS parts GROUP BY 1) AS histogram

SELECT median(DISTINCT cost) FROM visits;
--> refused 0A000 not-allowed: DISTINCT cost is not supported over private rows

SELECT min(diagnosis), percentile_disc(0.5) WITHIN GROUP (ORDER BY diagnosis DESC) FROM visits;
--> path: single group
--> Differentially private aggregate of public.visits
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: each unit counts once
-->   Group keys: none, one row
-->   Choice 1: minimum of 3 values in the order of their code points; 95 % of the time it is at most 57.9028 units, as they count, from the rank that is sought; of fewer than about 116 patients, as they count, it may be any of the values
-->   Choice 2: 0.5 quantile of 3 values in the order of their code points; 95 % of the time it is at most 1447.57 rows, as they count, from the rank that is sought; of fewer than about 2896 rows, as they count, it may be any of the values
-->   min(diagnosis): from choice 1
-->   percentile_disc(0.5) WITHIN GROUP (ORDER BY diagnosis DESC): from choice 2
-->   Mechanism: exponential; epsilon 0.1 for the block
-->   Price: pure epsilon 0.282843, rho 0.005
--> reads: public.visits.diagnosis, public.visits.patient_id
--> rests on: public.visits (visit_id)
--> work of a row: 84516 ns
--> source: SELECT json_agg(x ORDER BY x) AS candidates, json_agg(weight ORDER BY x) AS weights FROM (SELECT x, sum(CASE WHEN groups * 1 <= 1 THEN 1048576 ELSE trunc(1048576 * (1 - 2.0 ^ -30)::double precision * 1 / 1 / groups)::bigint END) AS weight FROM (SELECT *, count(*) OVER w AS groups FROM (SELECT t0."patient_id" AS unit, min(((CASE WHEN (CASE (((CASE WHEN octet_length(t0."diagnosis") > 4000 THEN CASE WHEN pg_column_size(t0."diagnosis") <= 1000000 THEN left(t0."diagnosis", 2000) ELSE '' END ELSE t0."diagnosis" END))::text COLLATE "C") WHEN 'cold' THEN 0 WHEN 'flu' THEN 1 WHEN 'other' THEN 2 END) < 0 THEN 0 WHEN (CASE (((CASE WHEN octet_length(t0."diagnosis") > 4000 THEN CASE WHEN pg_column_size(t0."diagnosis") <= 1000000 THEN left(t0."diagnosis", 2000) ELSE '' END ELSE t0."diagnosis" END))::text COLLATE "C") WHEN 'cold' THEN 0 WHEN 'flu' THEN 1 WHEN 'other' THEN 2 END) > 2 THEN 2 ELSE (CASE (((CASE WHEN octet_length(t0."diagnosis") > 4000 THEN CASE WHEN pg_column_size(t0."diagnosis") <= 1000000 THEN left(t0."diagnosis", 2000) ELSE '' END ELSE t0."diagnosis" END))::text COLLATE "C") WHEN 'cold' THEN 0 WHEN 'flu' THEN 1 WHEN 'other' THEN 2 END) END)::integer - 0)) AS x FROM "public"."visits" AS t0 WHERE ((CASE WHEN (CASE (((CASE WHEN octet_length(t0."diagnosis") > 4000 THEN CASE WHEN pg_column_size(t0."diagnosis") <= 1000000 THEN left(t0."diagnosis", 2000) ELSE '' END ELSE t0."diagnosis" END))::text COLLATE "C") WHEN 'cold' THEN 0 WHEN 'flu' THEN 1 WHEN 'other' THEN 2 END) < 0 THEN 0 WHEN (CASE (((CASE WHEN octet_length(t0."diagnosis") > 4000 THEN CASE WHEN pg_column_size(t0."diagnosis") <= 1000000 THEN left(t0."diagnosis", 2000) ELSE '' END ELSE t0."diagnosis" END))::text COLLATE "C") WHEN 'cold' THEN 0 WHEN 'flu' THEN 1 WHEN 'other' THEN 2 END) > 2 THEN 2 ELSE (CASE (((CASE WHEN octet_length(t0."diagnosis") > 4000 THEN CASE WHEN pg_column_size(t0."diagnosis") <= 1000000 THEN left(t0."diagnosis", 2000) ELSE '' END ELSE t0."diagnosis" END))::text COLLATE "C") WHEN 'cold' THEN 0 WHEN 'flu' THEN 1 WHEN 'other' THEN 2 END) END)::integer - 0) IS NOT NULL GROUP BY 1) AS per_unit WINDOW w AS (PARTITION BY unit)) AS own GROUP BY 1) AS histogram
--> source: SELECT json_agg(x ORDER BY x) AS candidates, json_agg(weight ORDER BY x) AS weights FROM (WITH heavy AS MATERIALIZED (SELECT unit, trunc(1048576 * (1 - 2.0 ^ -30)::double precision * 50 / count(*))::bigint AS weight FROM (SELECT t0."patient_id" AS unit FROM "public"."visits" AS t0 WHERE ((CASE WHEN (CASE (((CASE WHEN octet_length(t0."diagnosis") > 4000 THEN CASE WHEN pg_column_size(t0."diagnosis") <= 1000000 THEN left(t0."diagnosis", 2000) ELSE '' END ELSE t0."diagnosis" END))::text COLLATE "C") WHEN 'cold' THEN 0 WHEN 'flu' THEN 1 WHEN 'other' THEN 2 END) < 0 THEN 0 WHEN (CASE (((CASE WHEN octet_length(t0."diagnosis") > 4000 THEN CASE WHEN pg_column_size(t0."diagnosis") <= 1000000 THEN left(t0."diagnosis", 2000) ELSE '' END ELSE t0."diagnosis" END))::text COLLATE "C") WHEN 'cold' THEN 0 WHEN 'flu' THEN 1 WHEN 'other' THEN 2 END) > 2 THEN 2 ELSE (CASE (((CASE WHEN octet_length(t0."diagnosis") > 4000 THEN CASE WHEN pg_column_size(t0."diagnosis") <= 1000000 THEN left(t0."diagnosis", 2000) ELSE '' END ELSE t0."diagnosis" END))::text COLLATE "C") WHEN 'cold' THEN 0 WHEN 'flu' THEN 1 WHEN 'other' THEN 2 END) END)::integer - 0) IS NOT NULL ORDER BY 1) AS r GROUP BY unit HAVING count(*) > 50) SELECT x, sum(weight) AS weight FROM (SELECT ((CASE WHEN (CASE (((CASE WHEN octet_length(t0."diagnosis") > 4000 THEN CASE WHEN pg_column_size(t0."diagnosis") <= 1000000 THEN left(t0."diagnosis", 2000) ELSE '' END ELSE t0."diagnosis" END))::text COLLATE "C") WHEN 'cold' THEN 0 WHEN 'flu' THEN 1 WHEN 'other' THEN 2 END) < 0 THEN 0 WHEN (CASE (((CASE WHEN octet_length(t0."diagnosis") > 4000 THEN CASE WHEN pg_column_size(t0."diagnosis") <= 1000000 THEN left(t0."diagnosis", 2000) ELSE '' END ELSE t0."diagnosis" END))::text COLLATE "C") WHEN 'cold' THEN 0 WHEN 'flu' THEN 1 WHEN 'other' THEN 2 END) > 2 THEN 2 ELSE (CASE (((CASE WHEN octet_length(t0."diagnosis") > 4000 THEN CASE WHEN pg_column_size(t0."diagnosis") <= 1000000 THEN left(t0."diagnosis", 2000) ELSE '' END ELSE t0."diagnosis" END))::text COLLATE "C") WHEN 'cold' THEN 0 WHEN 'flu' THEN 1 WHEN 'other' THEN 2 END) END)::integer - 0) AS x, count(*) * 1048576 AS weight FROM "public"."visits" AS t0 WHERE ((CASE WHEN (CASE (((CASE WHEN octet_length(t0."diagnosis") > 4000 THEN CASE WHEN pg_column_size(t0."diagnosis") <= 1000000 THEN left(t0."diagnosis", 2000) ELSE '' END ELSE t0."diagnosis" END))::text COLLATE "C") WHEN 'cold' THEN 0 WHEN 'flu' THEN 1 WHEN 'other' THEN 2 END) < 0 THEN 0 WHEN (CASE (((CASE WHEN octet_length(t0."diagnosis") > 4000 THEN CASE WHEN pg_column_size(t0."diagnosis") <= 1000000 THEN left(t0."diagnosis", 2000) ELSE '' END ELSE t0."diagnosis" END))::text COLLATE "C") WHEN 'cold' THEN 0 WHEN 'flu' THEN 1 WHEN 'other' THEN 2 END) > 2 THEN 2 ELSE (CASE (((CASE WHEN octet_length(t0."diagnosis") > 4000 THEN CASE WHEN pg_column_size(t0."diagnosis") <= 1000000 THEN left(t0."diagnosis", 2000) ELSE '' END ELSE t0."diagnosis" END))::text COLLATE "C") WHEN 'cold' THEN 0 WHEN 'flu' THEN 1 WHEN 'other' THEN 2 END) END)::integer - 0) IS NOT NULL AND NOT EXISTS (SELECT FROM heavy AS h WHERE h.unit = t0."patient_id") GROUP BY 1 UNION ALL SELECT p.x, sum(p.n * h.weight) FROM (SELECT ((CASE WHEN (CASE (((CASE WHEN octet_length(t0."diagnosis") > 4000 THEN CASE WHEN pg_column_size(t0."diagnosis") <= 1000000 THEN left(t0."diagnosis", 2000) ELSE '' END ELSE t0."diagnosis" END))::text COLLATE "C") WHEN 'cold' THEN 0 WHEN 'flu' THEN 1 WHEN 'other' THEN 2 END) < 0 THEN 0 WHEN (CASE (((CASE WHEN octet_length(t0."diagnosis") > 4000 THEN CASE WHEN pg_column_size(t0."diagnosis") <= 1000000 THEN left(t0."diagnosis", 2000) ELSE '' END ELSE t0."diagnosis" END))::text COLLATE "C") WHEN 'cold' THEN 0 WHEN 'flu' THEN 1 WHEN 'other' THEN 2 END) > 2 THEN 2 ELSE (CASE (((CASE WHEN octet_length(t0."diagnosis") > 4000 THEN CASE WHEN pg_column_size(t0."diagnosis") <= 1000000 THEN left(t0."diagnosis", 2000) ELSE '' END ELSE t0."diagnosis" END))::text COLLATE "C") WHEN 'cold' THEN 0 WHEN 'flu' THEN 1 WHEN 'other' THEN 2 END) END)::integer - 0) AS x, t0."patient_id" AS unit, count(*) AS n FROM "public"."visits" AS t0 WHERE ((CASE WHEN (CASE (((CASE WHEN octet_length(t0."diagnosis") > 4000 THEN CASE WHEN pg_column_size(t0."diagnosis") <= 1000000 THEN left(t0."diagnosis", 2000) ELSE '' END ELSE t0."diagnosis" END))::text COLLATE "C") WHEN 'cold' THEN 0 WHEN 'flu' THEN 1 WHEN 'other' THEN 2 END) < 0 THEN 0 WHEN (CASE (((CASE WHEN octet_length(t0."diagnosis") > 4000 THEN CASE WHEN pg_column_size(t0."diagnosis") <= 1000000 THEN left(t0."diagnosis", 2000) ELSE '' END ELSE t0."diagnosis" END))::text COLLATE "C") WHEN 'cold' THEN 0 WHEN 'flu' THEN 1 WHEN 'other' THEN 2 END) > 2 THEN 2 ELSE (CASE (((CASE WHEN octet_length(t0."diagnosis") > 4000 THEN CASE WHEN pg_column_size(t0."diagnosis") <= 1000000 THEN left(t0."diagnosis", 2000) ELSE '' END ELSE t0."diagnosis" END))::text COLLATE "C") WHEN 'cold' THEN 0 WHEN 'flu' THEN 1 WHEN 'other' THEN 2 END) END)::integer - 0) IS NOT NULL AND EXISTS (SELECT FROM heavy AS h WHERE h.unit = t0."patient_id") GROUP BY 1, 2) AS p JOIN heavy AS h USING (unit) GROUP BY 1) AS parts GROUP BY 1) AS histogram

SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY dose), max(dose) FROM (SELECT v.patient_id, v.region, least(greatest(d.dose, 0), 10) AS dose FROM drugs d JOIN visits v USING (visit_id)) AS doses;
--> path: single group
--> Differentially private aggregate of public.drugs joined with public.visits
-->   Privacy unit: patient, by visit_id -> public.visits.visit_id
-->   Contribution: units are scaled down to a limit that the query chooses from the data for 1/10 of the price, by their rows in percentile_cont(0.5) WITHIN GROUP (ORDER BY dose)
-->   Group keys: none, one row
-->   Choice 1: 0.5 quantile of 1001 values in steps of 0.01 and what is between them; 95 % of the time it is at most 79.9901 times the limit in rows, as they count, from the rank that is sought; of fewer than about 157.98 rows, as they count, times the limit, it may be any value from 0 to 10
-->   Choice 2: maximum of 1001 values in steps of 0.01; 95 % of the time it is at most 140.071 units, as they count, from the rank that is sought; of fewer than about 281 patients, as they count, it may be any value from 0 to 10
-->   percentile_cont(0.5) WITHIN GROUP (ORDER BY dose): from choice 1
-->   max(dose): from choice 2
-->   Mechanism: exponential; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.drugs.dose, public.drugs.visit_id, public.visits.patient_id, public.visits.region, public.visits.visit_id
--> rests on: public.visits (visit_id)
--> rests on: public.drugs (drug_id)
--> work of a row: 30235 ns
--> source: SELECT json_agg(x ORDER BY x, b) AS candidates, json_agg(b ORDER BY x, b) AS sizes, json_agg(a ORDER BY x, b) AS whole, json_agg(z ORDER BY x, b) AS scaled FROM (SELECT x, b, count(*) AS a, sum(z) AS z FROM (SELECT *, width_bucket(n::double precision, '{1.0000000000000002,1.5000000000000002,2.0000000000000004,3.0000000000000004,4.000000000000001,6.000000000000001,8.000000000000002,12.000000000000002,16.000000000000004,24.000000000000004,32.00000000000001,48.00000000000001,64.00000000000001,96.00000000000001,128.00000000000003,192.00000000000003,256.00000000000006,384.00000000000006,512.0000000000001,768.0000000000001,1024.0000000000002,1536.0000000000002,2048.0000000000005,3072.0000000000005,4096.000000000001,6144.000000000001,8192.000000000002,12288.000000000002,16384.000000000004,24576.000000000004,32768.00000000001,49152.00000000001,65536.00000000001,98304.00000000001,131072.00000000003,196608.00000000003,262144.00000000006,393216.00000000006,524288.0000000001,786432.0000000001,1048576.0000000002,1572864.0000000002,2097152.0000000005,3145728.0000000005,4194304.000000001,6291456.000000001,8388608.000000002,12582912.000000002,16777216.000000004}'::double precision[]) AS b, 2 * trunc(524288 * (1 - 2.0 ^ -30)::double precision / n)::bigint AS z FROM (SELECT *, count(*) OVER w AS n FROM (SELECT t0.unit AS unit, (((CASE WHEN t0.c2 < 0 THEN 0 WHEN t0.c2 <= 10 THEN t0.c2 WHEN t0.c2 <> 'NaN' THEN 10 END)::numeric * 100)::integer - 0) AS x FROM (SELECT t0t1."patient_id" AS unit, t0t1."patient_id" AS c0, (CASE WHEN octet_length(t0t1."region") > 4000 THEN CASE WHEN pg_column_size(t0t1."region") <= 1000000 THEN left(t0t1."region", 2000) ELSE '' END ELSE t0t1."region" END) AS c1, least(greatest(t0t0."dose", 0), 10) AS c2 FROM "public"."drugs" AS t0t0 INNER JOIN "public"."visits" AS t0t1 ON t0t0."visit_id" = t0t1."visit_id") AS t0 WHERE (((CASE WHEN t0.c2 < 0 THEN 0 WHEN t0.c2 <= 10 THEN t0.c2 WHEN t0.c2 <> 'NaN' THEN 10 END)::numeric * 100)::integer - 0) IS NOT NULL) AS per_unit WINDOW w AS (PARTITION BY unit)) AS r) AS sized GROUP BY 1, 2) AS histogram
--> source: SELECT json_agg(x ORDER BY x) AS candidates, json_agg(weight ORDER BY x) AS weights FROM (SELECT x, sum(CASE WHEN groups * 1 <= 1 THEN 1048576 ELSE trunc(1048576 * (1 - 2.0 ^ -30)::double precision * 1 / 1 / groups)::bigint END) AS weight FROM (SELECT *, count(*) OVER w AS groups FROM (SELECT t0.unit AS unit, max((((CASE WHEN t0.c2 < 0 THEN 0 WHEN t0.c2 <= 10 THEN t0.c2 WHEN t0.c2 <> 'NaN' THEN 10 END)::numeric * 100)::integer - 0)) AS x FROM (SELECT t0t1."patient_id" AS unit, t0t1."patient_id" AS c0, (CASE WHEN octet_length(t0t1."region") > 4000 THEN CASE WHEN pg_column_size(t0t1."region") <= 1000000 THEN left(t0t1."region", 2000) ELSE '' END ELSE t0t1."region" END) AS c1, least(greatest(t0t0."dose", 0), 10) AS c2 FROM "public"."drugs" AS t0t0 INNER JOIN "public"."visits" AS t0t1 ON t0t0."visit_id" = t0t1."visit_id") AS t0 WHERE (((CASE WHEN t0.c2 < 0 THEN 0 WHEN t0.c2 <= 10 THEN t0.c2 WHEN t0.c2 <> 'NaN' THEN 10 END)::numeric * 100)::integer - 0) IS NOT NULL GROUP BY 1) AS per_unit WINDOW w AS (PARTITION BY unit)) AS own GROUP BY 1) AS histogram
--> source: SELECT b, count(*) AS units FROM (SELECT width_bucket(count(*)::double precision, '{1.0000000000000002,1.5000000000000002,2.0000000000000004,3.0000000000000004,4.000000000000001,6.000000000000001,8.000000000000002,12.000000000000002,16.000000000000004,24.000000000000004,32.00000000000001,48.00000000000001,64.00000000000001,96.00000000000001,128.00000000000003,192.00000000000003,256.00000000000006,384.00000000000006,512.0000000000001,768.0000000000001,1024.0000000000002,1536.0000000000002,2048.0000000000005,3072.0000000000005,4096.000000000001,6144.000000000001,8192.000000000002,12288.000000000002,16384.000000000004,24576.000000000004,32768.00000000001,49152.00000000001,65536.00000000001,98304.00000000001,131072.00000000003,196608.00000000003,262144.00000000006,393216.00000000006,524288.0000000001,786432.0000000001,1048576.0000000002,1572864.0000000002,2097152.0000000005,3145728.0000000005,4194304.000000001,6291456.000000001,8388608.000000002,12582912.000000002,16777216.000000004}'::double precision[]) AS b FROM (SELECT t0.unit AS unit FROM (SELECT t0t1."patient_id" AS unit, t0t1."patient_id" AS c0, (CASE WHEN octet_length(t0t1."region") > 4000 THEN CASE WHEN pg_column_size(t0t1."region") <= 1000000 THEN left(t0t1."region", 2000) ELSE '' END ELSE t0t1."region" END) AS c1, least(greatest(t0t0."dose", 0), 10) AS c2 FROM "public"."drugs" AS t0t0 INNER JOIN "public"."visits" AS t0t1 ON t0t0."visit_id" = t0t1."visit_id") AS t0 WHERE (((CASE WHEN t0.c2 < 0 THEN 0 WHEN t0.c2 <= 10 THEN t0.c2 WHEN t0.c2 <> 'NaN' THEN 10 END)::numeric * 100)::integer - 0) IS NOT NULL) AS r GROUP BY unit) AS sizes GROUP BY b

SELECT v.region, max(least(greatest(d.dose, 0), 10)), mode() WITHIN GROUP (ORDER BY v.region) FROM drugs d JOIN visits v USING (visit_id) GROUP BY v.region;
--> path: general
--> declared keys: SELECT DISTINCT d0.c0 AS k0 FROM (SELECT DISTINCT "name"::text AS c0 FROM "public"."regions" WHERE "name" IS NOT NULL UNION ALL SELECT NULL) AS d0 LIMIT 100001
--> Differentially private aggregate of public.drugs joined with public.visits
-->   Privacy unit: patient, by visit_id -> public.visits.visit_id
-->   Contribution: units are scaled down to a limit that the query chooses from the data for 1/10 of the price, by their groups in max(least(greatest(d.dose, 0), 10)) and their rows in mode() WITHIN GROUP (ORDER BY v.region)
-->   Group keys: v.region: declared (public.regions.name); every key is answered, empty ones as noise around 0
-->   Choice 1: maximum of 1001 values in steps of 0.01; 95 % of the time it is at most 147.647 times the limit in groups, as they count, from the rank that is sought; in groups of fewer than about 295.295 patients, as they count, times the limit, it may be any value from 0 to 10
-->   Choice 2: one of the declared values; 95 % of the time it has at most 108.141 times the limit in rows fewer than the most frequent one
-->   max(least(greatest(d.dose, 0), 10)): from choice 1
-->   mode() WITHIN GROUP (ORDER BY v.region): from choice 2
-->   Mechanism: exponential; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.drugs.dose, public.drugs.visit_id, public.visits.patient_id, public.visits.region, public.visits.visit_id
--> rests on: public.visits (visit_id)
--> rests on: public.drugs (drug_id)
--> work of a row: 29800 ns
--> source: SELECT k0, json_agg(x ORDER BY x, b) AS candidates, json_agg(b ORDER BY x, b) AS sizes, json_agg(a ORDER BY x, b) AS whole, json_agg(z ORDER BY x, b) AS scaled FROM (SELECT k0, x, b, count(*) AS a, sum(z) AS z FROM (SELECT *, width_bucket(n::double precision, '{1.0000000000000002,1.5000000000000002,2.0000000000000004,3.0000000000000004,4.000000000000001,6.000000000000001,8.000000000000002,12.000000000000002,16.000000000000004,24.000000000000004,32.00000000000001,48.00000000000001,64.00000000000001,96.00000000000001,128.00000000000003,192.00000000000003,256.00000000000006,384.00000000000006,512.0000000000001,768.0000000000001,1024.0000000000002,1536.0000000000002,2048.0000000000005,3072.0000000000005,4096.000000000001,6144.000000000001,8192.000000000002,12288.000000000002,16384.000000000004,24576.000000000004,32768.00000000001,49152.00000000001,65536.00000000001,98304.00000000001,131072.00000000003,196608.00000000003,262144.00000000006,393216.00000000006,524288.0000000001,786432.0000000001,1048576.0000000002,1572864.0000000002,2097152.0000000005,3145728.0000000005,4194304.000000001,6291456.000000001,8388608.000000002,12582912.000000002,16777216.000000004}'::double precision[]) AS b, 2 * trunc(524288 * (1 - 2.0 ^ -30)::double precision / n)::bigint AS z FROM (SELECT *, count(*) OVER w AS n FROM (SELECT (((CASE WHEN octet_length(t1."region") > 4000 THEN CASE WHEN pg_column_size(t1."region") <= 1000000 THEN left(t1."region", 2000) ELSE '' END ELSE t1."region" END))::text COLLATE "C") AS k0, t1."patient_id" AS unit, max((((CASE WHEN least(greatest(t0."dose", 0), 10) < 0 THEN 0 WHEN least(greatest(t0."dose", 0), 10) <= 10 THEN least(greatest(t0."dose", 0), 10) WHEN least(greatest(t0."dose", 0), 10) <> 'NaN' THEN 10 END)::numeric * 100)::integer - 0)) AS x FROM "public"."drugs" AS t0 INNER JOIN "public"."visits" AS t1 ON t0."visit_id" = t1."visit_id" WHERE (((CASE WHEN least(greatest(t0."dose", 0), 10) < 0 THEN 0 WHEN least(greatest(t0."dose", 0), 10) <= 10 THEN least(greatest(t0."dose", 0), 10) WHEN least(greatest(t0."dose", 0), 10) <> 'NaN' THEN 10 END)::numeric * 100)::integer - 0) IS NOT NULL GROUP BY 1, 2) AS per_unit WINDOW w AS (PARTITION BY unit)) AS r) AS sized GROUP BY 1, 2, 3) AS histogram GROUP BY 1
--> source: SELECT k0, left(x::text, 10000) AS candidate, b, a, z FROM (SELECT k0, x, b, count(*) AS a, sum(z) AS z FROM (SELECT *, width_bucket(n::double precision, '{1.0000000000000002,1.5000000000000002,2.0000000000000004,3.0000000000000004,4.000000000000001,6.000000000000001,8.000000000000002,12.000000000000002,16.000000000000004,24.000000000000004,32.00000000000001,48.00000000000001,64.00000000000001,96.00000000000001,128.00000000000003,192.00000000000003,256.00000000000006,384.00000000000006,512.0000000000001,768.0000000000001,1024.0000000000002,1536.0000000000002,2048.0000000000005,3072.0000000000005,4096.000000000001,6144.000000000001,8192.000000000002,12288.000000000002,16384.000000000004,24576.000000000004,32768.00000000001,49152.00000000001,65536.00000000001,98304.00000000001,131072.00000000003,196608.00000000003,262144.00000000006,393216.00000000006,524288.0000000001,786432.0000000001,1048576.0000000002,1572864.0000000002,2097152.0000000005,3145728.0000000005,4194304.000000001,6291456.000000001,8388608.000000002,12582912.000000002,16777216.000000004}'::double precision[]) AS b, 2 * trunc(524288 * (1 - 2.0 ^ -30)::double precision / n)::bigint AS z FROM (SELECT *, count(*) OVER w AS n FROM (SELECT (((CASE WHEN octet_length(t1."region") > 4000 THEN CASE WHEN pg_column_size(t1."region") <= 1000000 THEN left(t1."region", 2000) ELSE '' END ELSE t1."region" END))::text COLLATE "C") AS k0, t1."patient_id" AS unit, (((CASE WHEN octet_length(t1."region") > 4000 THEN CASE WHEN pg_column_size(t1."region") <= 1000000 THEN left(t1."region", 2000) ELSE '' END ELSE t1."region" END))::text COLLATE "C") AS x FROM "public"."drugs" AS t0 INNER JOIN "public"."visits" AS t1 ON t0."visit_id" = t1."visit_id" WHERE (((CASE WHEN octet_length(t1."region") > 4000 THEN CASE WHEN pg_column_size(t1."region") <= 1000000 THEN left(t1."region", 2000) ELSE '' END ELSE t1."region" END))::text COLLATE "C") IS NOT NULL) AS per_unit WINDOW w AS (PARTITION BY unit)) AS r) AS sized GROUP BY 1, 2, 3) AS histogram
--> source: SELECT b, count(*) AS units FROM (SELECT width_bucket(count(*)::double precision, '{1.0000000000000002,1.5000000000000002,2.0000000000000004,3.0000000000000004,4.000000000000001,6.000000000000001,8.000000000000002,12.000000000000002,16.000000000000004,24.000000000000004,32.00000000000001,48.00000000000001,64.00000000000001,96.00000000000001,128.00000000000003,192.00000000000003,256.00000000000006,384.00000000000006,512.0000000000001,768.0000000000001,1024.0000000000002,1536.0000000000002,2048.0000000000005,3072.0000000000005,4096.000000000001,6144.000000000001,8192.000000000002,12288.000000000002,16384.000000000004,24576.000000000004,32768.00000000001,49152.00000000001,65536.00000000001,98304.00000000001,131072.00000000003,196608.00000000003,262144.00000000006,393216.00000000006,524288.0000000001,786432.0000000001,1048576.0000000002,1572864.0000000002,2097152.0000000005,3145728.0000000005,4194304.000000001,6291456.000000001,8388608.000000002,12582912.000000002,16777216.000000004}'::double precision[]) AS b FROM (SELECT (((CASE WHEN octet_length(t1."region") > 4000 THEN CASE WHEN pg_column_size(t1."region") <= 1000000 THEN left(t1."region", 2000) ELSE '' END ELSE t1."region" END))::text COLLATE "C") AS k0, t1."patient_id" AS unit, max((((CASE WHEN least(greatest(t0."dose", 0), 10) < 0 THEN 0 WHEN least(greatest(t0."dose", 0), 10) <= 10 THEN least(greatest(t0."dose", 0), 10) WHEN least(greatest(t0."dose", 0), 10) <> 'NaN' THEN 10 END)::numeric * 100)::integer - 0)) AS x FROM "public"."drugs" AS t0 INNER JOIN "public"."visits" AS t1 ON t0."visit_id" = t1."visit_id" WHERE (((CASE WHEN least(greatest(t0."dose", 0), 10) < 0 THEN 0 WHEN least(greatest(t0."dose", 0), 10) <= 10 THEN least(greatest(t0."dose", 0), 10) WHEN least(greatest(t0."dose", 0), 10) <> 'NaN' THEN 10 END)::numeric * 100)::integer - 0) IS NOT NULL GROUP BY 1, 2) AS r GROUP BY unit) AS sizes GROUP BY b
--> source: SELECT b, count(*) AS units FROM (SELECT width_bucket(count(*)::double precision, '{1.0000000000000002,1.5000000000000002,2.0000000000000004,3.0000000000000004,4.000000000000001,6.000000000000001,8.000000000000002,12.000000000000002,16.000000000000004,24.000000000000004,32.00000000000001,48.00000000000001,64.00000000000001,96.00000000000001,128.00000000000003,192.00000000000003,256.00000000000006,384.00000000000006,512.0000000000001,768.0000000000001,1024.0000000000002,1536.0000000000002,2048.0000000000005,3072.0000000000005,4096.000000000001,6144.000000000001,8192.000000000002,12288.000000000002,16384.000000000004,24576.000000000004,32768.00000000001,49152.00000000001,65536.00000000001,98304.00000000001,131072.00000000003,196608.00000000003,262144.00000000006,393216.00000000006,524288.0000000001,786432.0000000001,1048576.0000000002,1572864.0000000002,2097152.0000000005,3145728.0000000005,4194304.000000001,6291456.000000001,8388608.000000002,12582912.000000002,16777216.000000004}'::double precision[]) AS b FROM (SELECT t1."patient_id" AS unit FROM "public"."drugs" AS t0 INNER JOIN "public"."visits" AS t1 ON t0."visit_id" = t1."visit_id" WHERE (((CASE WHEN octet_length(t1."region") > 4000 THEN CASE WHEN pg_column_size(t1."region") <= 1000000 THEN left(t1."region", 2000) ELSE '' END ELSE t1."region" END))::text COLLATE "C") IS NOT NULL) AS r GROUP BY unit) AS sizes GROUP BY b
