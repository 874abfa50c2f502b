SELECT region, count(*) FROM visits GROUP BY region;
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

SELECT diagnosis, count(*) FROM visits GROUP BY 1;
--> path: general
--> declared keys: SELECT DISTINCT d0.c0 AS k0 FROM (SELECT v.c0 FROM (VALUES ('flu'::text), ('cold'::text), ('other'::text)) AS v(c0) UNION ALL SELECT NULL) AS d0 LIMIT 100001
--> Differentially private aggregate of public.visits
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows per group, squared and summed <= 500)
-->   Group keys: diagnosis: declared (values of diagnosis); each declared key is answered, empty ones as noise around 0; rows with other values of diagnosis are in no group
-->   Noisy number 1: rows; standard deviation 223.607, 95 % of the noise within ±438.262
-->   count(*): from noisy number 1
-->   95 % of the noise: count(*) within ±438 rows
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.visits.diagnosis, public.visits.patient_id
--> rests on: public.visits (visit_id)
--> work of a row: 28000 ns
--> source: WITH heavy AS MATERIALIZED (SELECT unit FROM (SELECT t0."patient_id" AS unit FROM "public"."visits" AS t0 ORDER BY 1) AS r GROUP BY unit HAVING count(*) > 22) SELECT k0, sum(v0) AS v0 FROM (SELECT x0 AS k0, count(*)::numeric * 1024 AS v0 FROM (SELECT (((CASE WHEN octet_length(t0."diagnosis") > 4000 THEN CASE WHEN pg_column_size(t0."diagnosis") <= 1000000 THEN left(t0."diagnosis", 2000) ELSE '' END ELSE t0."diagnosis" END))::text COLLATE "C") AS x0 FROM "public"."visits" AS t0 WHERE NOT EXISTS (SELECT FROM heavy AS h WHERE h.unit = t0."patient_id")) AS r GROUP BY 1 UNION ALL SELECT k0, sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, sum(n * n) OVER w AS q FROM (SELECT unit, k0, LEAST(n, 3037000499) AS n, LEAST(n, 3037000499) AS v0 FROM (SELECT x0 AS unit, x1 AS k0, count(*) AS n FROM (SELECT t0."patient_id" AS x0, (((CASE WHEN octet_length(t0."diagnosis") > 4000 THEN CASE WHEN pg_column_size(t0."diagnosis") <= 1000000 THEN left(t0."diagnosis", 2000) ELSE '' END ELSE t0."diagnosis" END))::text COLLATE "C") AS x1 FROM "public"."visits" AS t0 WHERE EXISTS (SELECT FROM heavy AS h WHERE h.unit = t0."patient_id")) AS r GROUP BY 1, 2) AS counted) AS per_unit WINDOW w AS (PARTITION BY unit)) AS sized) AS scaled GROUP BY 1) AS parts GROUP BY 1

SELECT note, count(*) FROM visits GROUP BY note;
--> path: general
--> Differentially private aggregate of public.visits
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows per group, squared and summed <= 500)
-->   Group keys: note: selected; a group shows if its weighted number of units, with noise, reaches 87.1 (each unit counts in at most 12 groups)
-->   Noisy number 1: rows; standard deviation 316.228, 95 % of the noise within ±619.796
-->   count(*): from noisy number 1
-->   95 % of the noise: count(*) within ±620 rows
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005, delta 5e-09
--> reads: public.visits.note, public.visits.patient_id
--> rests on: public.visits (visit_id)
--> work of a row: 28000 ns
--> source: SELECT k0, sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0, sum(CASE WHEN groups = 1 THEN 1048576 WHEN groups <= 12 OR place <= 12 THEN trunc(1048576 * (1 - 2.0 ^ -30)::double precision / sqrt(LEAST(groups, 12)::double precision))::bigint ELSE 0 END) AS weight FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, sum(n * n) OVER w AS q, count(*) OVER w AS groups, row_number() OVER w AS place FROM (SELECT unit, h, k0, LEAST(n, 3037000499) AS n, LEAST(n, 3037000499) AS v0 FROM (SELECT x0 AS unit, hashtextextended(coalesce(x1::text, ''), hashtextextended(x0::text, 0)) AS h, x1 AS k0, count(*) AS n FROM (WITH once AS (SELECT) SELECT t0."patient_id" AS x0, (((CASE WHEN octet_length(t0."note") > 4000 THEN CASE WHEN pg_column_size(t0."note") <= 1000000 THEN left(t0."note", 2000) ELSE '' END ELSE t0."note" END))::text COLLATE "C") AS x1 FROM "public"."visits" AS t0) AS r GROUP BY 1, 2, 3) AS counted) AS per_unit WINDOW w AS (PARTITION BY unit ORDER BY h, k0 ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING)) AS sized) AS scaled GROUP BY 1

SELECT urgent, region, avg(cost) FROM visits GROUP BY 1, 2;
--> path: general
--> declared keys: SELECT g0.k0, g1.k1 FROM (SELECT DISTINCT d0.c0 AS k0 FROM (SELECT v.c0 FROM (VALUES (true), (false)) AS v(c0) UNION ALL SELECT NULL) AS d0) AS g0, (SELECT DISTINCT d1.c0 AS k1 FROM (SELECT DISTINCT "name"::text AS c0 FROM "public"."regions" WHERE "name" IS NOT NULL UNION ALL SELECT NULL) AS d1) AS g1 LIMIT 100001
--> Differentially private aggregate of public.visits
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows per group, squared and summed <= 500)
-->   Group keys: urgent, region: declared (true and false of urgent x public.regions.name); every key is answered, empty ones as noise around 0
-->   Noisy number 1: rows where the value is not NULL; standard deviation 316.228, 95 % of the noise within ±619.796
-->   Noisy number 2: sum around 500 of values clamped to [0, 1000] in steps of 0.01; standard deviation 158114, 95 % of the noise within ±309898
-->   avg(cost): from noisy numbers 1 and 2; values outside [0, 1000] count as the nearest bound
-->   95 % of the noise: avg(cost) within ±438334 / its rows
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down, not values moved to a bound
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.visits.cost, public.visits.patient_id, public.visits.region, public.visits.urgent
--> rests on: public.visits (visit_id)
--> work of a row: 28270 ns
--> source: WITH heavy AS MATERIALIZED (SELECT unit FROM (SELECT t0."patient_id" AS unit FROM "public"."visits" AS t0 ORDER BY 1) AS r GROUP BY unit HAVING count(*) > 22) SELECT k0, k1, sum(v0) AS v0, sum(v1) AS v1 FROM (SELECT x0 AS k0, x1 AS k1, count(NULLIF(x2, 'NaN'))::numeric * 1024 AS v0, (round((sum((CASE WHEN x2 < 0 THEN 0 WHEN x2 <= 1000 THEN x2 WHEN x2 <> 'NaN' THEN 1000 END))::numeric::numeric * 100)) - 50000::numeric * count(NULLIF(x2, 'NaN'))) * 1024 AS v1 FROM (SELECT t0."urgent" AS x0, (((CASE WHEN octet_length(t0."region") > 4000 THEN CASE WHEN pg_column_size(t0."region") <= 1000000 THEN left(t0."region", 2000) ELSE '' END ELSE t0."region" END))::text COLLATE "C") AS x1, t0."cost" AS x2 FROM "public"."visits" AS t0 WHERE NOT EXISTS (SELECT FROM heavy AS h WHERE h.unit = t0."patient_id")) AS r GROUP BY 1, 2 UNION ALL SELECT k0, k1, sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0, sum(CASE WHEN scale IS NOT NULL THEN trunc(v1::double precision * scale)::bigint ELSE v1::bigint * 1024 END) AS v1 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, sum(n * n) OVER w AS q FROM (SELECT unit, k0, k1, LEAST(n, 3037000499) AS n, LEAST(s0, 3037000499) AS v0, LEAST(GREATEST((round((coalesce(s1, 0)::numeric::numeric * 100)) - 50000::numeric * c1), -151850024950000), 151850024950000)::bigint AS v1 FROM (SELECT x0 AS unit, x1 AS k0, x2 AS k1, count(*) AS n, count(NULLIF(x3, 'NaN')) AS s0, sum((CASE WHEN x3 < 0 THEN 0 WHEN x3 <= 1000 THEN x3 WHEN x3 <> 'NaN' THEN 1000 END)) AS s1, count(NULLIF(x3, 'NaN')) AS c1 FROM (SELECT t0."patient_id" AS x0, t0."urgent" AS x1, (((CASE WHEN octet_length(t0."region") > 4000 THEN CASE WHEN pg_column_size(t0."region") <= 1000000 THEN left(t0."region", 2000) ELSE '' END ELSE t0."region" END))::text COLLATE "C") AS x2, t0."cost" AS x3 FROM "public"."visits" AS t0 WHERE EXISTS (SELECT FROM heavy AS h WHERE h.unit = t0."patient_id")) AS r GROUP BY 1, 2, 3) AS counted) AS per_unit WINDOW w AS (PARTITION BY unit)) AS sized) AS scaled GROUP BY 1, 2) AS parts GROUP BY 1, 2

SELECT region FROM visits GROUP BY region;
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

SELECT DISTINCT diagnosis FROM visits;
--> path: general
--> declared keys: SELECT DISTINCT d0.c0 AS k0 FROM (SELECT v.c0 FROM (VALUES ('flu'::text), ('cold'::text), ('other'::text)) AS v(c0) UNION ALL SELECT NULL) AS d0 LIMIT 100001
--> Differentially private aggregate of public.visits
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows <= 50)
-->   Group keys: diagnosis: declared (values of diagnosis); each declared key is answered, empty ones as noise around 0; rows with other values of diagnosis are in no group
-->   Price: nothing, no private row is read
--> reads: public.visits.diagnosis, public.visits.patient_id
--> rests on: public.visits (visit_id)
--> work of a row: 28000 ns

SELECT DISTINCT note FROM visits;
--> path: general
--> Differentially private aggregate of public.visits
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows per group, squared and summed <= 500)
-->   Group keys: note: selected; a group shows if its weighted number of units, with noise, reaches 61.7 (each unit counts in at most 12 groups)
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005, delta 5e-09
--> reads: public.visits.note, public.visits.patient_id
--> rests on: public.visits (visit_id)
--> work of a row: 28000 ns
--> source: SELECT k0, sum(CASE WHEN groups = 1 THEN 1048576 WHEN groups <= 12 OR place <= 12 THEN trunc(1048576 * (1 - 2.0 ^ -30)::double precision / sqrt(LEAST(groups, 12)::double precision))::bigint ELSE 0 END) AS weight FROM (SELECT *, count(*) OVER w AS groups, row_number() OVER w AS place FROM (SELECT unit, h, k0, LEAST(n, 3037000499) AS n FROM (SELECT x0 AS unit, hashtextextended(coalesce(x1::text, ''), hashtextextended(x0::text, 0)) AS h, x1 AS k0, count(*) AS n FROM (WITH once AS (SELECT) SELECT t0."patient_id" AS x0, (((CASE WHEN octet_length(t0."note") > 4000 THEN CASE WHEN pg_column_size(t0."note") <= 1000000 THEN left(t0."note", 2000) ELSE '' END ELSE t0."note" END))::text COLLATE "C") AS x1 FROM "public"."visits" AS t0) AS r GROUP BY 1, 2, 3) AS counted) AS per_unit WINDOW w AS (PARTITION BY unit ORDER BY h, k0 ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING)) AS scaled GROUP BY 1

SELECT note, diagnosis, sum(cost) FROM visits GROUP BY note, diagnosis;
--> path: general
--> Differentially private aggregate of public.visits
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows per group, squared and summed <= 500)
-->   Group keys: note, diagnosis: selected; a group shows if its weighted number of units, with noise, reaches 87.1 (each unit counts in at most 12 groups)
-->   Noisy number 1: sum of values clamped to [0, 1000] in steps of 0.01; standard deviation 316228, 95 % of the noise within ±619795
-->   sum(cost): from noisy number 1; values outside [0, 1000] count as the nearest bound
-->   95 % of the noise: sum(cost) within ±619795
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down, not values moved to a bound
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005, delta 5e-09
--> reads: public.visits.cost, public.visits.diagnosis, public.visits.note, public.visits.patient_id
--> rests on: public.visits (visit_id)
--> work of a row: 56240 ns
--> source: SELECT k0, k1, sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0, sum(CASE WHEN groups = 1 THEN 1048576 WHEN groups <= 12 OR place <= 12 THEN trunc(1048576 * (1 - 2.0 ^ -30)::double precision / sqrt(LEAST(groups, 12)::double precision))::bigint ELSE 0 END) AS weight FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, sum(n * n) OVER w AS q, count(*) OVER w AS groups, row_number() OVER w AS place FROM (SELECT unit, h, k0, k1, LEAST(n, 3037000499) AS n, LEAST(GREATEST(round((coalesce(s0, 0)::numeric::numeric * 100)), -303700049900000), 303700049900000)::bigint AS v0 FROM (SELECT x0 AS unit, hashtextextended(coalesce(x2::text, ''), hashtextextended(coalesce(x1::text, ''), hashtextextended(x0::text, 0))) AS h, x1 AS k0, x2 AS k1, count(*) AS n, sum((CASE WHEN x3 < 0 THEN 0 WHEN x3 <= 1000 THEN x3 WHEN x3 <> 'NaN' THEN 1000 END)) AS s0 FROM (WITH once AS (SELECT) SELECT t0."patient_id" AS x0, (((CASE WHEN octet_length(t0."note") > 4000 THEN CASE WHEN pg_column_size(t0."note") <= 1000000 THEN left(t0."note", 2000) ELSE '' END ELSE t0."note" END))::text COLLATE "C") AS x1, (((CASE WHEN octet_length(t0."diagnosis") > 4000 THEN CASE WHEN pg_column_size(t0."diagnosis") <= 1000000 THEN left(t0."diagnosis", 2000) ELSE '' END ELSE t0."diagnosis" END))::text COLLATE "C") AS x2, t0."cost" AS x3 FROM "public"."visits" AS t0) AS r GROUP BY 1, 2, 3, 4) AS counted) AS per_unit WINDOW w AS (PARTITION BY unit ORDER BY h, k0, k1 ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING)) AS sized) AS scaled GROUP BY 1, 2

SELECT region, count(*) FROM visits WHERE region IN ('north', 'south') GROUP BY region;
--> path: general
--> declared keys: SELECT DISTINCT d0.c0 AS k0 FROM (SELECT v.c0 FROM (VALUES ('north'::text), ('south'::text)) AS v(c0)) AS d0 WHERE (d0.c0 IN ('north', 'south')) LIMIT 100001
--> Differentially private aggregate of public.visits
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows per group, squared and summed <= 500)
-->   Group keys: region: declared (a list in WHERE); every key is answered, empty ones as noise around 0
-->   Noisy number 1: rows; standard deviation 223.607, 95 % of the noise within ±438.262
-->   count(*): from noisy number 1
-->   95 % of the noise: count(*) within ±438 rows
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.visits.patient_id, public.visits.region
--> rests on: public.visits (visit_id)
--> work of a row: 60480 ns
--> source: WITH heavy AS MATERIALIZED (SELECT unit FROM (SELECT t0."patient_id" AS unit FROM "public"."visits" AS t0 WHERE ((CASE WHEN octet_length(t0."region") > 4000 THEN CASE WHEN pg_column_size(t0."region") <= 1000000 THEN left(t0."region", 2000) ELSE '' END ELSE t0."region" END) IN ('north', 'south')) ORDER BY 1) AS r GROUP BY unit HAVING count(*) > 22) SELECT k0, sum(v0) AS v0 FROM (SELECT x0 AS k0, count(*)::numeric * 1024 AS v0 FROM (SELECT (((CASE WHEN octet_length(t0."region") > 4000 THEN CASE WHEN pg_column_size(t0."region") <= 1000000 THEN left(t0."region", 2000) ELSE '' END ELSE t0."region" END))::text COLLATE "C") AS x0 FROM "public"."visits" AS t0 WHERE ((CASE WHEN octet_length(t0."region") > 4000 THEN CASE WHEN pg_column_size(t0."region") <= 1000000 THEN left(t0."region", 2000) ELSE '' END ELSE t0."region" END) IN ('north', 'south')) AND NOT EXISTS (SELECT FROM heavy AS h WHERE h.unit = t0."patient_id")) AS r GROUP BY 1 UNION ALL SELECT k0, sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, sum(n * n) OVER w AS q FROM (SELECT unit, k0, LEAST(n, 3037000499) AS n, LEAST(n, 3037000499) AS v0 FROM (SELECT x0 AS unit, x1 AS k0, count(*) AS n FROM (SELECT t0."patient_id" AS x0, (((CASE WHEN octet_length(t0."region") > 4000 THEN CASE WHEN pg_column_size(t0."region") <= 1000000 THEN left(t0."region", 2000) ELSE '' END ELSE t0."region" END))::text COLLATE "C") AS x1 FROM "public"."visits" AS t0 WHERE ((CASE WHEN octet_length(t0."region") > 4000 THEN CASE WHEN pg_column_size(t0."region") <= 1000000 THEN left(t0."region", 2000) ELSE '' END ELSE t0."region" END) IN ('north', 'south')) AND EXISTS (SELECT FROM heavy AS h WHERE h.unit = t0."patient_id")) AS r GROUP BY 1, 2) AS counted) AS per_unit WINDOW w AS (PARTITION BY unit)) AS sized) AS scaled GROUP BY 1) AS parts GROUP BY 1

SELECT diagnosis, count(*) FROM visits WHERE diagnosis <> 'other' GROUP BY diagnosis;
--> path: general
--> declared keys: SELECT DISTINCT d0.c0 AS k0 FROM (SELECT v.c0 FROM (VALUES ('flu'::text), ('cold'::text), ('other'::text)) AS v(c0) UNION ALL SELECT NULL) AS d0 WHERE (d0.c0 <> 'other') LIMIT 100001
--> Differentially private aggregate of public.visits
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows per group, squared and summed <= 500)
-->   Group keys: diagnosis: declared (values of diagnosis); each declared key is answered, empty ones as noise around 0; rows with other values of diagnosis are in no group
-->   Noisy number 1: rows; standard deviation 223.607, 95 % of the noise within ±438.262
-->   count(*): from noisy number 1
-->   95 % of the noise: count(*) within ±438 rows
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.visits.diagnosis, public.visits.patient_id
--> rests on: public.visits (visit_id)
--> work of a row: 56105 ns
--> source: WITH heavy AS MATERIALIZED (SELECT unit FROM (SELECT t0."patient_id" AS unit FROM "public"."visits" AS t0 WHERE ((CASE WHEN octet_length(t0."diagnosis") > 4000 THEN CASE WHEN pg_column_size(t0."diagnosis") <= 1000000 THEN left(t0."diagnosis", 2000) ELSE '' END ELSE t0."diagnosis" END) <> 'other') ORDER BY 1) AS r GROUP BY unit HAVING count(*) > 22) SELECT k0, sum(v0) AS v0 FROM (SELECT x0 AS k0, count(*)::numeric * 1024 AS v0 FROM (SELECT (((CASE WHEN octet_length(t0."diagnosis") > 4000 THEN CASE WHEN pg_column_size(t0."diagnosis") <= 1000000 THEN left(t0."diagnosis", 2000) ELSE '' END ELSE t0."diagnosis" END))::text COLLATE "C") AS x0 FROM "public"."visits" AS t0 WHERE ((CASE WHEN octet_length(t0."diagnosis") > 4000 THEN CASE WHEN pg_column_size(t0."diagnosis") <= 1000000 THEN left(t0."diagnosis", 2000) ELSE '' END ELSE t0."diagnosis" END) <> 'other') AND NOT EXISTS (SELECT FROM heavy AS h WHERE h.unit = t0."patient_id")) AS r GROUP BY 1 UNION ALL SELECT k0, sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, sum(n * n) OVER w AS q FROM (SELECT unit, k0, LEAST(n, 3037000499) AS n, LEAST(n, 3037000499) AS v0 FROM (SELECT x0 AS unit, x1 AS k0, count(*) AS n FROM (SELECT t0."patient_id" AS x0, (((CASE WHEN octet_length(t0."diagnosis") > 4000 THEN CASE WHEN pg_column_size(t0."diagnosis") <= 1000000 THEN left(t0."diagnosis", 2000) ELSE '' END ELSE t0."diagnosis" END))::text COLLATE "C") AS x1 FROM "public"."visits" AS t0 WHERE ((CASE WHEN octet_length(t0."diagnosis") > 4000 THEN CASE WHEN pg_column_size(t0."diagnosis") <= 1000000 THEN left(t0."diagnosis", 2000) ELSE '' END ELSE t0."diagnosis" END) <> 'other') AND EXISTS (SELECT FROM heavy AS h WHERE h.unit = t0."patient_id")) AS r GROUP BY 1, 2) AS counted) AS per_unit WINDOW w AS (PARTITION BY unit)) AS sized) AS scaled GROUP BY 1) AS parts GROUP BY 1

SELECT minutes, count(*) FROM visits GROUP BY minutes;
--> path: general
--> declared keys: SELECT DISTINCT d0.c0 AS k0 FROM (SELECT s::integer AS c0 FROM generate_series(0::bigint, 240::bigint) AS s UNION ALL SELECT NULL) AS d0 LIMIT 100001
--> Differentially private aggregate of public.visits
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows per group, squared and summed <= 500)
-->   Group keys: minutes: declared (range of minutes); each declared key is answered, empty ones as noise around 0; rows with other values of minutes are in no group
-->   Noisy number 1: rows; standard deviation 223.607, 95 % of the noise within ±438.262
-->   count(*): from noisy number 1
-->   95 % of the noise: count(*) within ±438 rows
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.visits.minutes, public.visits.patient_id
--> rests on: public.visits (visit_id)
--> work of a row: 30 ns
--> source: WITH heavy AS MATERIALIZED (SELECT unit FROM (SELECT t0."patient_id" AS unit FROM "public"."visits" AS t0 ORDER BY 1) AS r GROUP BY unit HAVING count(*) > 22) SELECT k0, sum(v0) AS v0 FROM (SELECT x0 AS k0, count(*)::numeric * 1024 AS v0 FROM (SELECT t0."minutes" AS x0 FROM "public"."visits" AS t0 WHERE NOT EXISTS (SELECT FROM heavy AS h WHERE h.unit = t0."patient_id")) AS r GROUP BY 1 UNION ALL SELECT k0, sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, sum(n * n) OVER w AS q FROM (SELECT unit, k0, LEAST(n, 3037000499) AS n, LEAST(n, 3037000499) AS v0 FROM (SELECT x0 AS unit, x1 AS k0, count(*) AS n FROM (SELECT t0."patient_id" AS x0, t0."minutes" AS x1 FROM "public"."visits" AS t0 WHERE EXISTS (SELECT FROM heavy AS h WHERE h.unit = t0."patient_id")) AS r GROUP BY 1, 2) AS counted) AS per_unit WINDOW w AS (PARTITION BY unit)) AS sized) AS scaled GROUP BY 1) AS parts GROUP BY 1

SELECT minutes, count(*) FROM visits WHERE minutes BETWEEN 10 AND 20 GROUP BY minutes;
--> path: general
--> declared keys: SELECT DISTINCT d0.c0 AS k0 FROM (SELECT s::integer AS c0 FROM generate_series(0::bigint, 240::bigint) AS s UNION ALL SELECT NULL) AS d0 WHERE (d0.c0 BETWEEN 10 AND 20) LIMIT 100001
--> Differentially private aggregate of public.visits
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows per group, squared and summed <= 500)
-->   Group keys: minutes: declared (range of minutes); each declared key is answered, empty ones as noise around 0; rows with other values of minutes are in no group
-->   Noisy number 1: rows; standard deviation 223.607, 95 % of the noise within ±438.262
-->   count(*): from noisy number 1
-->   95 % of the noise: count(*) within ±438 rows
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.visits.minutes, public.visits.patient_id
--> rests on: public.visits (visit_id)
--> work of a row: 670 ns
--> source: WITH heavy AS MATERIALIZED (SELECT unit FROM (SELECT t0."patient_id" AS unit FROM "public"."visits" AS t0 WHERE ((t0."minutes" <= 20) AND (t0."minutes" >= 10)) ORDER BY 1) AS r GROUP BY unit HAVING count(*) > 22) SELECT k0, sum(v0) AS v0 FROM (SELECT x0 AS k0, count(*)::numeric * 1024 AS v0 FROM (SELECT t0."minutes" AS x0 FROM "public"."visits" AS t0 WHERE ((t0."minutes" <= 20) AND (t0."minutes" >= 10)) AND NOT EXISTS (SELECT FROM heavy AS h WHERE h.unit = t0."patient_id")) AS r GROUP BY 1 UNION ALL SELECT k0, sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, sum(n * n) OVER w AS q FROM (SELECT unit, k0, LEAST(n, 3037000499) AS n, LEAST(n, 3037000499) AS v0 FROM (SELECT x0 AS unit, x1 AS k0, count(*) AS n FROM (SELECT t0."patient_id" AS x0, t0."minutes" AS x1 FROM "public"."visits" AS t0 WHERE ((t0."minutes" <= 20) AND (t0."minutes" >= 10)) AND EXISTS (SELECT FROM heavy AS h WHERE h.unit = t0."patient_id")) AS r GROUP BY 1, 2) AS counted) AS per_unit WINDOW w AS (PARTITION BY unit)) AS sized) AS scaled GROUP BY 1) AS parts GROUP BY 1

SELECT minutes / 60, count(*) FROM visits GROUP BY 1;
--> path: general
--> declared keys: SELECT DISTINCT div(d0.c0::numeric, NULLIF(60::numeric, 0)) AS k0 FROM (SELECT s::integer AS c0 FROM generate_series(0::bigint, 240::bigint) AS s UNION ALL SELECT NULL) AS d0 LIMIT 100001
--> Differentially private aggregate of public.visits
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows per group, squared and summed <= 500)
-->   Group keys: minutes / 60: declared (range of minutes); each declared key is answered, empty ones as noise around 0; rows with other values of minutes / 60 are in no group
-->   Noisy number 1: rows; standard deviation 223.607, 95 % of the noise within ±438.262
-->   count(*): from noisy number 1
-->   95 % of the noise: count(*) within ±438 rows
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.visits.minutes, public.visits.patient_id
--> rests on: public.visits (visit_id)
--> work of a row: 230 ns
--> source: WITH heavy AS MATERIALIZED (SELECT unit FROM (SELECT t0."patient_id" AS unit FROM "public"."visits" AS t0 ORDER BY 1) AS r GROUP BY unit HAVING count(*) > 22) SELECT k0, sum(v0) AS v0 FROM (SELECT x0 AS k0, count(*)::numeric * 1024 AS v0 FROM (SELECT trim_scale(div(t0."minutes"::numeric, NULLIF(60::numeric, 0))) AS x0 FROM "public"."visits" AS t0 WHERE NOT EXISTS (SELECT FROM heavy AS h WHERE h.unit = t0."patient_id")) AS r GROUP BY 1 UNION ALL SELECT k0, sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, sum(n * n) OVER w AS q FROM (SELECT unit, k0, LEAST(n, 3037000499) AS n, LEAST(n, 3037000499) AS v0 FROM (SELECT x0 AS unit, x1 AS k0, count(*) AS n FROM (SELECT t0."patient_id" AS x0, trim_scale(div(t0."minutes"::numeric, NULLIF(60::numeric, 0))) AS x1 FROM "public"."visits" AS t0 WHERE EXISTS (SELECT FROM heavy AS h WHERE h.unit = t0."patient_id")) AS r GROUP BY 1, 2) AS counted) AS per_unit WINDOW w AS (PARTITION BY unit)) AS sized) AS scaled GROUP BY 1) AS parts GROUP BY 1

SELECT minutes % 7 AS rest, count(*) FROM visits GROUP BY rest;
--> path: general
--> declared keys: SELECT DISTINCT (d0.c0::bigint % NULLIF(7::bigint, 0)) AS k0 FROM (SELECT s::integer AS c0 FROM generate_series(0::bigint, 240::bigint) AS s UNION ALL SELECT NULL) AS d0 LIMIT 100001
--> Differentially private aggregate of public.visits
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows per group, squared and summed <= 500)
-->   Group keys: minutes % 7: declared (range of minutes); each declared key is answered, empty ones as noise around 0; rows with other values of minutes % 7 are in no group
-->   Noisy number 1: rows; standard deviation 223.607, 95 % of the noise within ±438.262
-->   count(*): from noisy number 1
-->   95 % of the noise: count(*) within ±438 rows
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.visits.minutes, public.visits.patient_id
--> rests on: public.visits (visit_id)
--> work of a row: 230 ns
--> source: WITH heavy AS MATERIALIZED (SELECT unit FROM (SELECT t0."patient_id" AS unit FROM "public"."visits" AS t0 ORDER BY 1) AS r GROUP BY unit HAVING count(*) > 22) SELECT k0, sum(v0) AS v0 FROM (SELECT x0 AS k0, count(*)::numeric * 1024 AS v0 FROM (SELECT (t0."minutes"::bigint % NULLIF(7::bigint, 0)) AS x0 FROM "public"."visits" AS t0 WHERE NOT EXISTS (SELECT FROM heavy AS h WHERE h.unit = t0."patient_id")) AS r GROUP BY 1 UNION ALL SELECT k0, sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, sum(n * n) OVER w AS q FROM (SELECT unit, k0, LEAST(n, 3037000499) AS n, LEAST(n, 3037000499) AS v0 FROM (SELECT x0 AS unit, x1 AS k0, count(*) AS n FROM (SELECT t0."patient_id" AS x0, (t0."minutes"::bigint % NULLIF(7::bigint, 0)) AS x1 FROM "public"."visits" AS t0 WHERE EXISTS (SELECT FROM heavy AS h WHERE h.unit = t0."patient_id")) AS r GROUP BY 1, 2) AS counted) AS per_unit WINDOW w AS (PARTITION BY unit)) AS sized) AS scaled GROUP BY 1) AS parts GROUP BY 1

SELECT date_trunc('month', visited_at), count(*) FROM visits GROUP BY 1;
--> path: general
--> declared keys: SELECT DISTINCT d0.c0 AS k0 FROM (SELECT DISTINCT s AS c0 FROM generate_series(date_trunc('month', greatest('2024-01-01'::timestamp without time zone)), date_trunc('month', least('2025-12-31 23:59:59.999999'::timestamp without time zone)), '1 month'::interval) AS series(s)) AS d0 LIMIT 100001
--> Differentially private aggregate of public.visits
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows per group, squared and summed <= 500)
-->   Group keys: date_trunc('month', visited_at): declared (months of visited_at); each declared key is answered, empty ones as noise around 0; rows with other values of date_trunc('month', visited_at) are in no group
-->   Noisy number 1: rows; standard deviation 223.607, 95 % of the noise within ±438.262
-->   count(*): from noisy number 1
-->   95 % of the noise: count(*) within ±438 rows
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.visits.patient_id, public.visits.visited_at
--> rests on: public.visits (visit_id)
--> work of a row: 2060 ns
--> source: WITH heavy AS MATERIALIZED (SELECT unit FROM (SELECT t0."patient_id" AS unit FROM "public"."visits" AS t0 ORDER BY 1) AS r GROUP BY unit HAVING count(*) > 22) SELECT k0, sum(v0) AS v0 FROM (SELECT x0 AS k0, count(*)::numeric * 1024 AS v0 FROM (SELECT date_trunc('month', (CASE WHEN t0."visited_at" >= '0001-01-01' THEN t0."visited_at" END)) AS x0 FROM "public"."visits" AS t0 WHERE NOT EXISTS (SELECT FROM heavy AS h WHERE h.unit = t0."patient_id")) AS r GROUP BY 1 UNION ALL SELECT k0, sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, sum(n * n) OVER w AS q FROM (SELECT unit, k0, LEAST(n, 3037000499) AS n, LEAST(n, 3037000499) AS v0 FROM (SELECT x0 AS unit, x1 AS k0, count(*) AS n FROM (SELECT t0."patient_id" AS x0, date_trunc('month', (CASE WHEN t0."visited_at" >= '0001-01-01' THEN t0."visited_at" END)) AS x1 FROM "public"."visits" AS t0 WHERE EXISTS (SELECT FROM heavy AS h WHERE h.unit = t0."patient_id")) AS r GROUP BY 1, 2) AS counted) AS per_unit WINDOW w AS (PARTITION BY unit)) AS sized) AS scaled GROUP BY 1) AS parts GROUP BY 1

SELECT date_trunc('week', day), count(*) FROM visits GROUP BY 1;
--> path: general
--> declared keys: SELECT DISTINCT date_trunc('week', (CASE WHEN d0.c0 >= '0001-01-01' AND d0.c0 <= '9999-12-31' THEN d0.c0 END)) AS k0 FROM (SELECT '2024-01-01'::date + s AS c0 FROM generate_series(0, 730) AS s UNION ALL SELECT NULL) AS d0 LIMIT 100001
--> Differentially private aggregate of public.visits
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows per group, squared and summed <= 500)
-->   Group keys: date_trunc('week', day): declared (days of day); each declared key is answered, empty ones as noise around 0; rows with other values of date_trunc('week', day) are in no group
-->   Noisy number 1: rows; standard deviation 223.607, 95 % of the noise within ±438.262
-->   count(*): from noisy number 1
-->   95 % of the noise: count(*) within ±438 rows
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.visits.day, public.visits.patient_id
--> rests on: public.visits (visit_id)
--> work of a row: 2090 ns
--> source: WITH heavy AS MATERIALIZED (SELECT unit FROM (SELECT t0."patient_id" AS unit FROM "public"."visits" AS t0 ORDER BY 1) AS r GROUP BY unit HAVING count(*) > 22) SELECT k0, sum(v0) AS v0 FROM (SELECT x0 AS k0, count(*)::numeric * 1024 AS v0 FROM (SELECT date_trunc('week', (CASE WHEN t0."day" >= '0001-01-01' AND t0."day" <= '9999-12-31' THEN t0."day" END)) AS x0 FROM "public"."visits" AS t0 WHERE NOT EXISTS (SELECT FROM heavy AS h WHERE h.unit = t0."patient_id")) AS r GROUP BY 1 UNION ALL SELECT k0, sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, sum(n * n) OVER w AS q FROM (SELECT unit, k0, LEAST(n, 3037000499) AS n, LEAST(n, 3037000499) AS v0 FROM (SELECT x0 AS unit, x1 AS k0, count(*) AS n FROM (SELECT t0."patient_id" AS x0, date_trunc('week', (CASE WHEN t0."day" >= '0001-01-01' AND t0."day" <= '9999-12-31' THEN t0."day" END)) AS x1 FROM "public"."visits" AS t0 WHERE EXISTS (SELECT FROM heavy AS h WHERE h.unit = t0."patient_id")) AS r GROUP BY 1, 2) AS counted) AS per_unit WINDOW w AS (PARTITION BY unit)) AS sized) AS scaled GROUP BY 1) AS parts GROUP BY 1

SELECT extract(hour FROM visited_at), count(*) FROM visits GROUP BY 1;
--> path: general
--> declared keys: SELECT DISTINCT d0.c0 AS k0 FROM (SELECT s::numeric AS c0 FROM generate_series(0, 23) AS s) AS d0 LIMIT 100001
--> Differentially private aggregate of public.visits
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows per group, squared and summed <= 500)
-->   Group keys: EXTRACT(HOUR FROM visited_at): declared (hour of a date); each declared key is answered, empty ones as noise around 0; rows with other values of EXTRACT(HOUR FROM visited_at) are in no group
-->   Noisy number 1: rows; standard deviation 223.607, 95 % of the noise within ±438.262
-->   count(*): from noisy number 1
-->   95 % of the noise: count(*) within ±438 rows
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.visits.patient_id, public.visits.visited_at
--> rests on: public.visits (visit_id)
--> work of a row: 2060 ns
--> source: WITH heavy AS MATERIALIZED (SELECT unit FROM (SELECT t0."patient_id" AS unit FROM "public"."visits" AS t0 ORDER BY 1) AS r GROUP BY unit HAVING count(*) > 22) SELECT k0, sum(v0) AS v0 FROM (SELECT x0 AS k0, count(*)::numeric * 1024 AS v0 FROM (SELECT round(extract(hour from (CASE WHEN t0."visited_at" BETWEEN '0001-01-01' AND '9999-12-31' THEN t0."visited_at" END)), 0) AS x0 FROM "public"."visits" AS t0 WHERE NOT EXISTS (SELECT FROM heavy AS h WHERE h.unit = t0."patient_id")) AS r GROUP BY 1 UNION ALL SELECT k0, sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, sum(n * n) OVER w AS q FROM (SELECT unit, k0, LEAST(n, 3037000499) AS n, LEAST(n, 3037000499) AS v0 FROM (SELECT x0 AS unit, x1 AS k0, count(*) AS n FROM (SELECT t0."patient_id" AS x0, round(extract(hour from (CASE WHEN t0."visited_at" BETWEEN '0001-01-01' AND '9999-12-31' THEN t0."visited_at" END)), 0) AS x1 FROM "public"."visits" AS t0 WHERE EXISTS (SELECT FROM heavy AS h WHERE h.unit = t0."patient_id")) AS r GROUP BY 1, 2) AS counted) AS per_unit WINDOW w AS (PARTITION BY unit)) AS sized) AS scaled GROUP BY 1) AS parts GROUP BY 1

SELECT extract(year FROM day), extract(month FROM day), count(*) FROM visits GROUP BY 1, 2;
--> path: general
--> declared keys: SELECT DISTINCT extract(year from (CASE WHEN d0.c0 BETWEEN '0001-01-01' AND '9999-12-31' THEN d0.c0 END)) AS k0, extract(month from (CASE WHEN d0.c0 BETWEEN '0001-01-01' AND '9999-12-31' THEN d0.c0 END)) AS k1 FROM (SELECT '2024-01-01'::date + s AS c0 FROM generate_series(0, 730) AS s UNION ALL SELECT NULL) AS d0 LIMIT 100001
--> Differentially private aggregate of public.visits
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows per group, squared and summed <= 500)
-->   Group keys: EXTRACT(YEAR FROM day), EXTRACT(MONTH FROM day): declared (days of day); each declared key is answered, empty ones as noise around 0; rows with other values of EXTRACT(YEAR FROM day) and EXTRACT(MONTH FROM day) are in no group
-->   Noisy number 1: rows; standard deviation 223.607, 95 % of the noise within ±438.262
-->   count(*): from noisy number 1
-->   95 % of the noise: count(*) within ±438 rows
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.visits.day, public.visits.patient_id
--> rests on: public.visits (visit_id)
--> work of a row: 4120 ns
--> source: WITH heavy AS MATERIALIZED (SELECT unit FROM (SELECT t0."patient_id" AS unit FROM "public"."visits" AS t0 ORDER BY 1) AS r GROUP BY unit HAVING count(*) > 22) SELECT k0, k1, sum(v0) AS v0 FROM (SELECT x0 AS k0, x1 AS k1, count(*)::numeric * 1024 AS v0 FROM (SELECT round(extract(year from (CASE WHEN t0."day" BETWEEN '0001-01-01' AND '9999-12-31' THEN t0."day" END)), 0) AS x0, round(extract(month from (CASE WHEN t0."day" BETWEEN '0001-01-01' AND '9999-12-31' THEN t0."day" END)), 0) AS x1 FROM "public"."visits" AS t0 WHERE NOT EXISTS (SELECT FROM heavy AS h WHERE h.unit = t0."patient_id")) AS r GROUP BY 1, 2 UNION ALL SELECT k0, k1, sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, sum(n * n) OVER w AS q FROM (SELECT unit, k0, k1, LEAST(n, 3037000499) AS n, LEAST(n, 3037000499) AS v0 FROM (SELECT x0 AS unit, x1 AS k0, x2 AS k1, count(*) AS n FROM (SELECT t0."patient_id" AS x0, round(extract(year from (CASE WHEN t0."day" BETWEEN '0001-01-01' AND '9999-12-31' THEN t0."day" END)), 0) AS x1, round(extract(month from (CASE WHEN t0."day" BETWEEN '0001-01-01' AND '9999-12-31' THEN t0."day" END)), 0) AS x2 FROM "public"."visits" AS t0 WHERE EXISTS (SELECT FROM heavy AS h WHERE h.unit = t0."patient_id")) AS r GROUP BY 1, 2, 3) AS counted) AS per_unit WINDOW w AS (PARTITION BY unit)) AS sized) AS scaled GROUP BY 1, 2) AS parts GROUP BY 1, 2

SELECT day, count(*) FROM visits GROUP BY day;
--> path: general
--> declared keys: SELECT DISTINCT d0.c0 AS k0 FROM (SELECT '2024-01-01'::date + s AS c0 FROM generate_series(0, 730) AS s UNION ALL SELECT NULL) AS d0 LIMIT 100001
--> Differentially private aggregate of public.visits
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows per group, squared and summed <= 500)
-->   Group keys: day: declared (days of day); each declared key is answered, empty ones as noise around 0; rows with other values of day are in no group
-->   Noisy number 1: rows; standard deviation 223.607, 95 % of the noise within ±438.262
-->   count(*): from noisy number 1
-->   95 % of the noise: count(*) within ±438 rows
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.visits.day, public.visits.patient_id
--> rests on: public.visits (visit_id)
--> work of a row: 30 ns
--> source: WITH heavy AS MATERIALIZED (SELECT unit FROM (SELECT t0."patient_id" AS unit FROM "public"."visits" AS t0 ORDER BY 1) AS r GROUP BY unit HAVING count(*) > 22) SELECT k0, sum(v0) AS v0 FROM (SELECT x0 AS k0, count(*)::numeric * 1024 AS v0 FROM (SELECT t0."day" AS x0 FROM "public"."visits" AS t0 WHERE NOT EXISTS (SELECT FROM heavy AS h WHERE h.unit = t0."patient_id")) AS r GROUP BY 1 UNION ALL SELECT k0, sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, sum(n * n) OVER w AS q FROM (SELECT unit, k0, LEAST(n, 3037000499) AS n, LEAST(n, 3037000499) AS v0 FROM (SELECT x0 AS unit, x1 AS k0, count(*) AS n FROM (SELECT t0."patient_id" AS x0, t0."day" AS x1 FROM "public"."visits" AS t0 WHERE EXISTS (SELECT FROM heavy AS h WHERE h.unit = t0."patient_id")) AS r GROUP BY 1, 2) AS counted) AS per_unit WINDOW w AS (PARTITION BY unit)) AS sized) AS scaled GROUP BY 1) AS parts GROUP BY 1

SELECT day, count(*) FROM visits WHERE day >= date '2024-03-01' AND day < date '2024-04-01' GROUP BY day;
--> path: general
--> declared keys: SELECT DISTINCT d0.c0 AS k0 FROM (SELECT '2024-01-01'::date + s AS c0 FROM generate_series(0, 730) AS s UNION ALL SELECT NULL) AS d0 WHERE (d0.c0 < '2024-04-01'::date) AND (d0.c0 >= '2024-03-01'::date) LIMIT 100001
--> Differentially private aggregate of public.visits
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows per group, squared and summed <= 500)
-->   Group keys: day: declared (days of day); each declared key is answered, empty ones as noise around 0; rows with other values of day are in no group
-->   Noisy number 1: rows; standard deviation 223.607, 95 % of the noise within ±438.262
-->   count(*): from noisy number 1
-->   95 % of the noise: count(*) within ±438 rows
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.visits.day, public.visits.patient_id
--> rests on: public.visits (visit_id)
--> work of a row: 470 ns
--> source: WITH heavy AS MATERIALIZED (SELECT unit FROM (SELECT t0."patient_id" AS unit FROM "public"."visits" AS t0 WHERE ((t0."day" < '2024-04-01'::date) AND (t0."day" >= '2024-03-01'::date)) ORDER BY 1) AS r GROUP BY unit HAVING count(*) > 22) SELECT k0, sum(v0) AS v0 FROM (SELECT x0 AS k0, count(*)::numeric * 1024 AS v0 FROM (SELECT t0."day" AS x0 FROM "public"."visits" AS t0 WHERE ((t0."day" < '2024-04-01'::date) AND (t0."day" >= '2024-03-01'::date)) AND NOT EXISTS (SELECT FROM heavy AS h WHERE h.unit = t0."patient_id")) AS r GROUP BY 1 UNION ALL SELECT k0, sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, sum(n * n) OVER w AS q FROM (SELECT unit, k0, LEAST(n, 3037000499) AS n, LEAST(n, 3037000499) AS v0 FROM (SELECT x0 AS unit, x1 AS k0, count(*) AS n FROM (SELECT t0."patient_id" AS x0, t0."day" AS x1 FROM "public"."visits" AS t0 WHERE ((t0."day" < '2024-04-01'::date) AND (t0."day" >= '2024-03-01'::date)) AND EXISTS (SELECT FROM heavy AS h WHERE h.unit = t0."patient_id")) AS r GROUP BY 1, 2) AS counted) AS per_unit WINDOW w AS (PARTITION BY unit)) AS sized) AS scaled GROUP BY 1) AS parts GROUP BY 1

SELECT visited_at::date, count(*) FROM visits WHERE visited_at >= timestamp '2025-01-01' GROUP BY 1;
--> path: general
--> declared keys: SELECT DISTINCT (CASE WHEN d0.c0 BETWEEN '0001-01-01' AND '9999-12-31' THEN d0.c0 END)::date AS k0 FROM (SELECT DISTINCT s AS c0 FROM generate_series(date_trunc('day', greatest('2024-01-01'::timestamp without time zone, least(greatest(least(greatest('2025-01-01'::timestamp without time zone, '4000-01-01 BC'::timestamp without time zone), '20000-01-01'::timestamp without time zone)::timestamp without time zone, '2024-01-01'::timestamp without time zone), '2025-12-31 23:59:59.999999'::timestamp without time zone))), date_trunc('day', least('2025-12-31 23:59:59.999999'::timestamp without time zone)), '1 day'::interval) AS series(s)) AS d0 LIMIT 100001
--> Differentially private aggregate of public.visits
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows per group, squared and summed <= 500)
-->   Group keys: CAST(visited_at AS DATE): declared (days of visited_at); each declared key is answered, empty ones as noise around 0; rows with other values of CAST(visited_at AS DATE) are in no group
-->   Noisy number 1: rows; standard deviation 223.607, 95 % of the noise within ±438.262
-->   count(*): from noisy number 1
-->   95 % of the noise: count(*) within ±438 rows
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.visits.patient_id, public.visits.visited_at
--> rests on: public.visits (visit_id)
--> work of a row: 1740 ns
--> source: WITH heavy AS MATERIALIZED (SELECT unit FROM (SELECT t0."patient_id" AS unit FROM "public"."visits" AS t0 WHERE (t0."visited_at" >= '2025-01-01') ORDER BY 1) AS r GROUP BY unit HAVING count(*) > 22) SELECT k0, sum(v0) AS v0 FROM (SELECT x0 AS k0, count(*)::numeric * 1024 AS v0 FROM (SELECT (CASE WHEN t0."visited_at" BETWEEN '0001-01-01' AND '9999-12-31' THEN t0."visited_at" END)::date AS x0 FROM "public"."visits" AS t0 WHERE (t0."visited_at" >= '2025-01-01') AND NOT EXISTS (SELECT FROM heavy AS h WHERE h.unit = t0."patient_id")) AS r GROUP BY 1 UNION ALL SELECT k0, sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, sum(n * n) OVER w AS q FROM (SELECT unit, k0, LEAST(n, 3037000499) AS n, LEAST(n, 3037000499) AS v0 FROM (SELECT x0 AS unit, x1 AS k0, count(*) AS n FROM (SELECT t0."patient_id" AS x0, (CASE WHEN t0."visited_at" BETWEEN '0001-01-01' AND '9999-12-31' THEN t0."visited_at" END)::date AS x1 FROM "public"."visits" AS t0 WHERE (t0."visited_at" >= '2025-01-01') AND EXISTS (SELECT FROM heavy AS h WHERE h.unit = t0."patient_id")) AS r GROUP BY 1, 2) AS counted) AS per_unit WINDOW w AS (PARTITION BY unit)) AS sized) AS scaled GROUP BY 1) AS parts GROUP BY 1

SELECT date_trunc('day', paid_at), count(*) FROM visits GROUP BY 1;
--> path: general
--> declared keys: SELECT DISTINCT d0.c0 AS k0 FROM (SELECT DISTINCT date_trunc('day', s) AS c0 FROM generate_series(date_trunc('day', greatest('2024-01-01 00:00+00'::timestamp with time zone)), date_trunc('day', least('2025-12-31 23:59:59.999999+00'::timestamp with time zone)) + '1 day'::interval, '1 day'::interval) AS series(s) WHERE date_trunc('day', s) <= date_trunc('day', least('2025-12-31 23:59:59.999999+00'::timestamp with time zone)) UNION ALL SELECT NULL) AS d0 LIMIT 100001
--> Differentially private aggregate of public.visits
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows per group, squared and summed <= 500)
-->   Group keys: date_trunc('day', paid_at): declared (days of paid_at); each declared key is answered, empty ones as noise around 0; rows with other values of date_trunc('day', paid_at) are in no group
-->   Noisy number 1: rows; standard deviation 223.607, 95 % of the noise within ±438.262
-->   count(*): from noisy number 1
-->   95 % of the noise: count(*) within ±438 rows
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.visits.paid_at, public.visits.patient_id
--> rests on: public.visits (visit_id)
--> work of a row: 2060 ns
--> source: WITH heavy AS MATERIALIZED (SELECT unit FROM (SELECT t0."patient_id" AS unit FROM "public"."visits" AS t0 ORDER BY 1) AS r GROUP BY unit HAVING count(*) > 22) SELECT k0, sum(v0) AS v0 FROM (SELECT x0 AS k0, count(*)::numeric * 1024 AS v0 FROM (SELECT date_trunc('day', (CASE WHEN t0."paid_at" >= '0001-01-01' THEN t0."paid_at" END)) AS x0 FROM "public"."visits" AS t0 WHERE NOT EXISTS (SELECT FROM heavy AS h WHERE h.unit = t0."patient_id")) AS r GROUP BY 1 UNION ALL SELECT k0, sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, sum(n * n) OVER w AS q FROM (SELECT unit, k0, LEAST(n, 3037000499) AS n, LEAST(n, 3037000499) AS v0 FROM (SELECT x0 AS unit, x1 AS k0, count(*) AS n FROM (SELECT t0."patient_id" AS x0, date_trunc('day', (CASE WHEN t0."paid_at" >= '0001-01-01' THEN t0."paid_at" END)) AS x1 FROM "public"."visits" AS t0 WHERE EXISTS (SELECT FROM heavy AS h WHERE h.unit = t0."patient_id")) AS r GROUP BY 1, 2) AS counted) AS per_unit WINDOW w AS (PARTITION BY unit)) AS sized) AS scaled GROUP BY 1) AS parts GROUP BY 1

SELECT to_char(visited_at, 'YYYY-MM'), count(*) FROM visits GROUP BY 1;
--> path: general
--> declared keys: SELECT DISTINCT to_char((CASE WHEN d0.c0 BETWEEN '0001-01-01' AND '9999-12-31' THEN d0.c0 END), 'YYYY-MM') AS k0 FROM (SELECT DISTINCT s AS c0 FROM generate_series(date_trunc('month', greatest('2024-01-01'::timestamp without time zone)), date_trunc('month', least('2025-12-31 23:59:59.999999'::timestamp without time zone)), '1 month'::interval) AS series(s)) AS d0 LIMIT 100001
--> Differentially private aggregate of public.visits
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows per group, squared and summed <= 500)
-->   Group keys: to_char(visited_at, 'YYYY-MM'): declared (months of visited_at); each declared key is answered, empty ones as noise around 0; rows with other values of to_char(visited_at, 'YYYY-MM') are in no group
-->   Noisy number 1: rows; standard deviation 223.607, 95 % of the noise within ±438.262
-->   count(*): from noisy number 1
-->   95 % of the noise: count(*) within ±438 rows
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.visits.patient_id, public.visits.visited_at
--> rests on: public.visits (visit_id)
--> work of a row: 6300 ns
--> source: WITH heavy AS MATERIALIZED (SELECT unit FROM (SELECT t0."patient_id" AS unit FROM "public"."visits" AS t0 ORDER BY 1) AS r GROUP BY unit HAVING count(*) > 22) SELECT k0, sum(v0) AS v0 FROM (SELECT x0 AS k0, count(*)::numeric * 1024 AS v0 FROM (SELECT ((to_char((CASE WHEN t0."visited_at" BETWEEN '0001-01-01' AND '9999-12-31' THEN t0."visited_at" END), 'YYYY-MM'))::text COLLATE "C") AS x0 FROM "public"."visits" AS t0 WHERE NOT EXISTS (SELECT FROM heavy AS h WHERE h.unit = t0."patient_id")) AS r GROUP BY 1 UNION ALL SELECT k0, sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, sum(n * n) OVER w AS q FROM (SELECT unit, k0, LEAST(n, 3037000499) AS n, LEAST(n, 3037000499) AS v0 FROM (SELECT x0 AS unit, x1 AS k0, count(*) AS n FROM (SELECT t0."patient_id" AS x0, ((to_char((CASE WHEN t0."visited_at" BETWEEN '0001-01-01' AND '9999-12-31' THEN t0."visited_at" END), 'YYYY-MM'))::text COLLATE "C") AS x1 FROM "public"."visits" AS t0 WHERE EXISTS (SELECT FROM heavy AS h WHERE h.unit = t0."patient_id")) AS r GROUP BY 1, 2) AS counted) AS per_unit WINDOW w AS (PARTITION BY unit)) AS sized) AS scaled GROUP BY 1) AS parts GROUP BY 1

SELECT CASE WHEN cost < 100 THEN 'low' WHEN cost < 500 THEN 'middle' ELSE 'high' END, count(*) FROM visits GROUP BY 1;
--> path: general
--> declared keys: SELECT DISTINCT (CASE WHEN (d0.c0 < 100) THEN 'low' WHEN (d0.c0 < 500) THEN 'middle' ELSE 'high' END) AS k0 FROM (SELECT DISTINCT v.c0 FROM (VALUES (99.99::numeric), (100::numeric), (100.01::numeric), (499.99::numeric), (500::numeric), (500.01::numeric)) AS v(c0) UNION ALL SELECT NULL) AS d0 LIMIT 100001
--> Differentially private aggregate of public.visits
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows per group, squared and summed <= 500)
-->   Group keys: CASE WHEN cost < 100 THEN 'low' WHEN cost < 500 THEN 'middle' ELSE 'high' END: declared (cost compared with constants); every key is answered, empty ones as noise around 0
-->   Noisy number 1: rows; standard deviation 223.607, 95 % of the noise within ±438.262
-->   count(*): from noisy number 1
-->   95 % of the noise: count(*) within ±438 rows
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.visits.cost, public.visits.patient_id
--> rests on: public.visits (visit_id)
--> work of a row: 1146 ns
--> source: WITH heavy AS MATERIALIZED (SELECT unit FROM (SELECT t0."patient_id" AS unit FROM "public"."visits" AS t0 ORDER BY 1) AS r GROUP BY unit HAVING count(*) > 22) SELECT k0, sum(v0) AS v0 FROM (SELECT x0 AS k0, count(*)::numeric * 1024 AS v0 FROM (SELECT (((CASE WHEN (t0."cost" < 100) THEN 'low' WHEN (t0."cost" < 500) THEN 'middle' ELSE 'high' END))::text COLLATE "C") AS x0 FROM "public"."visits" AS t0 WHERE NOT EXISTS (SELECT FROM heavy AS h WHERE h.unit = t0."patient_id")) AS r GROUP BY 1 UNION ALL SELECT k0, sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, sum(n * n) OVER w AS q FROM (SELECT unit, k0, LEAST(n, 3037000499) AS n, LEAST(n, 3037000499) AS v0 FROM (SELECT x0 AS unit, x1 AS k0, count(*) AS n FROM (SELECT t0."patient_id" AS x0, (((CASE WHEN (t0."cost" < 100) THEN 'low' WHEN (t0."cost" < 500) THEN 'middle' ELSE 'high' END))::text COLLATE "C") AS x1 FROM "public"."visits" AS t0 WHERE EXISTS (SELECT FROM heavy AS h WHERE h.unit = t0."patient_id")) AS r GROUP BY 1, 2) AS counted) AS per_unit WINDOW w AS (PARTITION BY unit)) AS sized) AS scaled GROUP BY 1) AS parts GROUP BY 1

SELECT CASE diagnosis WHEN 'flu' THEN 1 ELSE 2 END, count(*) FROM visits GROUP BY 1;
--> path: general
--> declared keys: SELECT DISTINCT (CASE WHEN d0.c0 = 'flu' THEN 1 ELSE 2 END) AS k0 FROM (SELECT DISTINCT v.c0 FROM (VALUES ('flu'::text), ('xflu'::text)) AS v(c0) UNION ALL SELECT NULL) AS d0 LIMIT 100001
--> Differentially private aggregate of public.visits
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows per group, squared and summed <= 500)
-->   Group keys: CASE diagnosis WHEN 'flu' THEN 1 ELSE 2 END: declared (diagnosis compared with constants); every key is answered, empty ones as noise around 0
-->   Noisy number 1: rows; standard deviation 223.607, 95 % of the noise within ±438.262
-->   count(*): from noisy number 1
-->   95 % of the noise: count(*) within ±438 rows
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.visits.diagnosis, public.visits.patient_id
--> rests on: public.visits (visit_id)
--> work of a row: 32500 ns
--> source: WITH heavy AS MATERIALIZED (SELECT unit FROM (SELECT t0."patient_id" AS unit FROM "public"."visits" AS t0 ORDER BY 1) AS r GROUP BY unit HAVING count(*) > 22) SELECT k0, sum(v0) AS v0 FROM (SELECT x0 AS k0, count(*)::numeric * 1024 AS v0 FROM (SELECT (CASE WHEN (CASE WHEN octet_length(t0."diagnosis") > 4000 THEN CASE WHEN pg_column_size(t0."diagnosis") <= 1000000 THEN left(t0."diagnosis", 2000) ELSE '' END ELSE t0."diagnosis" END) = 'flu' THEN 1 ELSE 2 END) AS x0 FROM "public"."visits" AS t0 WHERE NOT EXISTS (SELECT FROM heavy AS h WHERE h.unit = t0."patient_id")) AS r GROUP BY 1 UNION ALL SELECT k0, sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, sum(n * n) OVER w AS q FROM (SELECT unit, k0, LEAST(n, 3037000499) AS n, LEAST(n, 3037000499) AS v0 FROM (SELECT x0 AS unit, x1 AS k0, count(*) AS n FROM (SELECT t0."patient_id" AS x0, (CASE WHEN (CASE WHEN octet_length(t0."diagnosis") > 4000 THEN CASE WHEN pg_column_size(t0."diagnosis") <= 1000000 THEN left(t0."diagnosis", 2000) ELSE '' END ELSE t0."diagnosis" END) = 'flu' THEN 1 ELSE 2 END) AS x1 FROM "public"."visits" AS t0 WHERE EXISTS (SELECT FROM heavy AS h WHERE h.unit = t0."patient_id")) AS r GROUP BY 1, 2) AS counted) AS per_unit WINDOW w AS (PARTITION BY unit)) AS sized) AS scaled GROUP BY 1) AS parts GROUP BY 1

SELECT cost > 100, count(*) FROM visits GROUP BY 1;
--> path: general
--> declared keys: SELECT DISTINCT (d0.c0 > 100) AS k0 FROM (SELECT DISTINCT v.c0 FROM (VALUES (99.99::numeric), (100::numeric), (100.01::numeric)) AS v(c0) UNION ALL SELECT NULL) AS d0 LIMIT 100001
--> Differentially private aggregate of public.visits
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows per group, squared and summed <= 500)
-->   Group keys: cost > 100: declared (cost compared with constants); every key is answered, empty ones as noise around 0
-->   Noisy number 1: rows; standard deviation 223.607, 95 % of the noise within ±438.262
-->   count(*): from noisy number 1
-->   95 % of the noise: count(*) within ±438 rows
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.visits.cost, public.visits.patient_id
--> rests on: public.visits (visit_id)
--> work of a row: 205 ns
--> source: WITH heavy AS MATERIALIZED (SELECT unit FROM (SELECT t0."patient_id" AS unit FROM "public"."visits" AS t0 ORDER BY 1) AS r GROUP BY unit HAVING count(*) > 22) SELECT k0, sum(v0) AS v0 FROM (SELECT x0 AS k0, count(*)::numeric * 1024 AS v0 FROM (SELECT (t0."cost" > 100) AS x0 FROM "public"."visits" AS t0 WHERE NOT EXISTS (SELECT FROM heavy AS h WHERE h.unit = t0."patient_id")) AS r GROUP BY 1 UNION ALL SELECT k0, sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, sum(n * n) OVER w AS q FROM (SELECT unit, k0, LEAST(n, 3037000499) AS n, LEAST(n, 3037000499) AS v0 FROM (SELECT x0 AS unit, x1 AS k0, count(*) AS n FROM (SELECT t0."patient_id" AS x0, (t0."cost" > 100) AS x1 FROM "public"."visits" AS t0 WHERE EXISTS (SELECT FROM heavy AS h WHERE h.unit = t0."patient_id")) AS r GROUP BY 1, 2) AS counted) AS per_unit WINDOW w AS (PARTITION BY unit)) AS sized) AS scaled GROUP BY 1) AS parts GROUP BY 1

SELECT urgent IS TRUE, count(*) FROM visits GROUP BY 1;
--> path: general
--> declared keys: SELECT DISTINCT (d0.c0 IS TRUE) AS k0 FROM (SELECT v.c0 FROM (VALUES (true), (false)) AS v(c0) UNION ALL SELECT NULL) AS d0 LIMIT 100001
--> Differentially private aggregate of public.visits
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows per group, squared and summed <= 500)
-->   Group keys: urgent IS TRUE: declared (true and false of urgent); every key is answered, empty ones as noise around 0
-->   Noisy number 1: rows; standard deviation 223.607, 95 % of the noise within ±438.262
-->   count(*): from noisy number 1
-->   95 % of the noise: count(*) within ±438 rows
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.visits.patient_id, public.visits.urgent
--> rests on: public.visits (visit_id)
--> work of a row: 50 ns
--> source: WITH heavy AS MATERIALIZED (SELECT unit FROM (SELECT t0."patient_id" AS unit FROM "public"."visits" AS t0 ORDER BY 1) AS r GROUP BY unit HAVING count(*) > 22) SELECT k0, sum(v0) AS v0 FROM (SELECT x0 AS k0, count(*)::numeric * 1024 AS v0 FROM (SELECT (t0."urgent" IS TRUE) AS x0 FROM "public"."visits" AS t0 WHERE NOT EXISTS (SELECT FROM heavy AS h WHERE h.unit = t0."patient_id")) AS r GROUP BY 1 UNION ALL SELECT k0, sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, sum(n * n) OVER w AS q FROM (SELECT unit, k0, LEAST(n, 3037000499) AS n, LEAST(n, 3037000499) AS v0 FROM (SELECT x0 AS unit, x1 AS k0, count(*) AS n FROM (SELECT t0."patient_id" AS x0, (t0."urgent" IS TRUE) AS x1 FROM "public"."visits" AS t0 WHERE EXISTS (SELECT FROM heavy AS h WHERE h.unit = t0."patient_id")) AS r GROUP BY 1, 2) AS counted) AS per_unit WINDOW w AS (PARTITION BY unit)) AS sized) AS scaled GROUP BY 1) AS parts GROUP BY 1

SELECT upper(diagnosis), count(*) FROM visits GROUP BY 1;
--> path: general
--> declared keys: SELECT DISTINCT upper((d0.c0 COLLATE pg_catalog."default")) AS k0 FROM (SELECT v.c0 FROM (VALUES ('flu'::text), ('cold'::text), ('other'::text)) AS v(c0) UNION ALL SELECT NULL) AS d0 LIMIT 100001
--> Differentially private aggregate of public.visits
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows per group, squared and summed <= 500)
-->   Rows that may take long: at most 2000 of a unit in public.visits; further ones take no part
-->   Group keys: upper(diagnosis): declared (values of diagnosis); each declared key is answered, empty ones as noise around 0; rows with other values of upper(diagnosis) are in no group
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
--> source: WITH many_d309dd02df23f5c9 AS MATERIALIZED (SELECT m."patient_id" AS unit FROM "public"."visits" AS m WHERE m."patient_id" IS NOT NULL GROUP BY 1 HAVING count(*) > 2000) SELECT * FROM (WITH heavy AS MATERIALIZED (SELECT unit FROM (SELECT t0."patient_id" AS unit FROM ((SELECT m."visit_id", m."patient_id", m."region", m."visited_at", m."paid_at", m."day", m."minutes", m."cost", m."score", m."urgent", m."diagnosis", m."note", m."took", m."details", m."tags" FROM "public"."visits" AS m WHERE NOT EXISTS (SELECT FROM many_d309dd02df23f5c9 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"]) OFFSET 0) UNION ALL (SELECT "visit_id", "patient_id", "region", "visited_at", "paid_at", "day", "minutes", "cost", "score", "urgent", "diagnosis", "note", "took", "details", "tags" FROM (SELECT m."visit_id", m."patient_id", m."region", m."visited_at", m."paid_at", m."day", m."minutes", m."cost", m."score", m."urgent", m."diagnosis", m."note", m."took", m."details", m."tags", row_number() OVER (PARTITION BY m."patient_id" ORDER BY m."visit_id") AS place0 FROM "public"."visits" AS m WHERE EXISTS (SELECT FROM many_d309dd02df23f5c9 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"])) AS r WHERE r.place0 <= 2000 OFFSET 0)) AS t0 ORDER BY 1) AS r GROUP BY unit HAVING count(*) > 22) SELECT k0, sum(v0) AS v0 FROM (SELECT x0 AS k0, count(*)::numeric * 1024 AS v0 FROM (SELECT ((upper(((CASE WHEN octet_length(t0."diagnosis") > 4000 THEN CASE WHEN pg_column_size(t0."diagnosis") <= 1000000 THEN left(t0."diagnosis", 2000) ELSE '' END ELSE t0."diagnosis" END) COLLATE pg_catalog."default")))::text COLLATE "C") AS x0 FROM ((SELECT m."visit_id", m."patient_id", m."region", m."visited_at", m."paid_at", m."day", m."minutes", m."cost", m."score", m."urgent", m."diagnosis", m."note", m."took", m."details", m."tags" FROM "public"."visits" AS m WHERE NOT EXISTS (SELECT FROM many_d309dd02df23f5c9 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"]) OFFSET 0) UNION ALL (SELECT "visit_id", "patient_id", "region", "visited_at", "paid_at", "day", "minutes", "cost", "score", "urgent", "diagnosis", "note", "took", "details", "tags" FROM (SELECT m."visit_id", m."patient_id", m."region", m."visited_at", m."paid_at", m."day", m."minutes", m."cost", m."score", m."urgent", m."diagnosis", m."note", m."took", m."details", m."tags", row_number() OVER (PARTITION BY m."patient_id" ORDER BY m."visit_id") AS place0 FROM "public"."visits" AS m WHERE EXISTS (SELECT FROM many_d309dd02df23f5c9 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"])) AS r WHERE r.place0 <= 2000 OFFSET 0)) AS t0 WHERE NOT EXISTS (SELECT FROM heavy AS h WHERE h.unit = t0."patient_id")) AS r GROUP BY 1 UNION ALL SELECT k0, sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, sum(n * n) OVER w AS q FROM (SELECT unit, k0, LEAST(n, 3037000499) AS n, LEAST(n, 3037000499) AS v0 FROM (SELECT x0 AS unit, x1 AS k0, count(*) AS n FROM (SELECT t0."patient_id" AS x0, ((upper(((CASE WHEN octet_length(t0."diagnosis") > 4000 THEN CASE WHEN pg_column_size(t0."diagnosis") <= 1000000 THEN left(t0."diagnosis", 2000) ELSE '' END ELSE t0."diagnosis" END) COLLATE pg_catalog."default")))::text COLLATE "C") AS x1 FROM ((SELECT m."visit_id", m."patient_id", m."region", m."visited_at", m."paid_at", m."day", m."minutes", m."cost", m."score", m."urgent", m."diagnosis", m."note", m."took", m."details", m."tags" FROM "public"."visits" AS m WHERE NOT EXISTS (SELECT FROM many_d309dd02df23f5c9 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"]) OFFSET 0) UNION ALL (SELECT "visit_id", "patient_id", "region", "visited_at", "paid_at", "day", "minutes", "cost", "score", "urgent", "diagnosis", "note", "took", "details", "tags" FROM (SELECT m."visit_id", m."patient_id", m."region", m."visited_at", m."paid_at", m."day", m."minutes", m."cost", m."score", m."urgent", m."diagnosis", m."note", m."took", m."details", m."tags", row_number() OVER (PARTITION BY m."patient_id" ORDER BY m."visit_id") AS place0 FROM "public"."visits" AS m WHERE EXISTS (SELECT FROM many_d309dd02df23f5c9 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"])) AS r WHERE r.place0 <= 2000 OFFSET 0)) AS t0 WHERE EXISTS (SELECT FROM heavy AS h WHERE h.unit = t0."patient_id")) AS r GROUP BY 1, 2) AS counted) AS per_unit WINDOW w AS (PARTITION BY unit)) AS sized) AS scaled GROUP BY 1) AS parts GROUP BY 1) AS measured

SELECT lower(region) || '!' , count(*) FROM visits GROUP BY 1;
--> path: general
--> declared keys: SELECT DISTINCT ((left(lower((d0.c0 COLLATE pg_catalog."default")), 10000) COLLATE pg_catalog."default") || '!') AS k0 FROM (SELECT DISTINCT "name"::text AS c0 FROM "public"."regions" WHERE "name" IS NOT NULL UNION ALL SELECT NULL) AS d0 LIMIT 100001
--> Differentially private aggregate of public.visits
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows per group, squared and summed <= 500)
-->   Rows that may take long: at most 2000 of a unit in public.visits; further ones take no part
-->   Group keys: lower(region) || '!': declared (public.regions.name); every key is answered, empty ones as noise around 0
-->   Noisy number 1: rows; standard deviation 223.607, 95 % of the noise within ±438.262
-->   count(*): from noisy number 1
-->   95 % of the noise: count(*) within ±438 rows
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.visits.cost, public.visits.day, public.visits.details, public.visits.diagnosis, public.visits.minutes, public.visits.note, public.visits.paid_at, public.visits.patient_id, public.visits.region, public.visits.score, public.visits.tags, public.visits.took, public.visits.urgent, public.visits.visit_id, public.visits.visited_at
--> rests on: public.visits (visit_id)
--> cut: public.visits to 2000 rows: SELECT m."patient_id" AS unit FROM "public"."visits" AS m WHERE m."patient_id" IS NOT NULL GROUP BY 1 HAVING count(*) > 2000
--> work of a row: 175501 ns
--> source: WITH many_d309dd02df23f5c9 AS MATERIALIZED (SELECT m."patient_id" AS unit FROM "public"."visits" AS m WHERE m."patient_id" IS NOT NULL GROUP BY 1 HAVING count(*) > 2000) SELECT * FROM (WITH heavy AS MATERIALIZED (SELECT unit FROM (SELECT t0."patient_id" AS unit FROM ((SELECT m."visit_id", m."patient_id", m."region", m."visited_at", m."paid_at", m."day", m."minutes", m."cost", m."score", m."urgent", m."diagnosis", m."note", m."took", m."details", m."tags" FROM "public"."visits" AS m WHERE NOT EXISTS (SELECT FROM many_d309dd02df23f5c9 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"]) OFFSET 0) UNION ALL (SELECT "visit_id", "patient_id", "region", "visited_at", "paid_at", "day", "minutes", "cost", "score", "urgent", "diagnosis", "note", "took", "details", "tags" FROM (SELECT m."visit_id", m."patient_id", m."region", m."visited_at", m."paid_at", m."day", m."minutes", m."cost", m."score", m."urgent", m."diagnosis", m."note", m."took", m."details", m."tags", row_number() OVER (PARTITION BY m."patient_id" ORDER BY m."visit_id") AS place0 FROM "public"."visits" AS m WHERE EXISTS (SELECT FROM many_d309dd02df23f5c9 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"])) AS r WHERE r.place0 <= 2000 OFFSET 0)) AS t0 ORDER BY 1) AS r GROUP BY unit HAVING count(*) > 22) SELECT k0, sum(v0) AS v0 FROM (SELECT x0 AS k0, count(*)::numeric * 1024 AS v0 FROM (SELECT ((((left(lower(((CASE WHEN octet_length(t0."region") > 4000 THEN CASE WHEN pg_column_size(t0."region") <= 1000000 THEN left(t0."region", 2000) ELSE '' END ELSE t0."region" END) COLLATE pg_catalog."default")), 10000) COLLATE pg_catalog."default") || '!'))::text COLLATE "C") AS x0 FROM ((SELECT m."visit_id", m."patient_id", m."region", m."visited_at", m."paid_at", m."day", m."minutes", m."cost", m."score", m."urgent", m."diagnosis", m."note", m."took", m."details", m."tags" FROM "public"."visits" AS m WHERE NOT EXISTS (SELECT FROM many_d309dd02df23f5c9 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"]) OFFSET 0) UNION ALL (SELECT "visit_id", "patient_id", "region", "visited_at", "paid_at", "day", "minutes", "cost", "score", "urgent", "diagnosis", "note", "took", "details", "tags" FROM (SELECT m."visit_id", m."patient_id", m."region", m."visited_at", m."paid_at", m."day", m."minutes", m."cost", m."score", m."urgent", m."diagnosis", m."note", m."took", m."details", m."tags", row_number() OVER (PARTITION BY m."patient_id" ORDER BY m."visit_id") AS place0 FROM "public"."visits" AS m WHERE EXISTS (SELECT FROM many_d309dd02df23f5c9 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"])) AS r WHERE r.place0 <= 2000 OFFSET 0)) AS t0 WHERE NOT EXISTS (SELECT FROM heavy AS h WHERE h.unit = t0."patient_id")) AS r GROUP BY 1 UNION ALL SELECT k0, sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, sum(n * n) OVER w AS q FROM (SELECT unit, k0, LEAST(n, 3037000499) AS n, LEAST(n, 3037000499) AS v0 FROM (SELECT x0 AS unit, x1 AS k0, count(*) AS n FROM (SELECT t0."patient_id" AS x0, ((((left(lower(((CASE WHEN octet_length(t0."region") > 4000 THEN CASE WHEN pg_column_size(t0."region") <= 1000000 THEN left(t0."region", 2000) ELSE '' END ELSE t0."region" END) COLLATE pg_catalog."default")), 10000) COLLATE pg_catalog."default") || '!'))::text COLLATE "C") AS x1 FROM ((SELECT m."visit_id", m."patient_id", m."region", m."visited_at", m."paid_at", m."day", m."minutes", m."cost", m."score", m."urgent", m."diagnosis", m."note", m."took", m."details", m."tags" FROM "public"."visits" AS m WHERE NOT EXISTS (SELECT FROM many_d309dd02df23f5c9 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"]) OFFSET 0) UNION ALL (SELECT "visit_id", "patient_id", "region", "visited_at", "paid_at", "day", "minutes", "cost", "score", "urgent", "diagnosis", "note", "took", "details", "tags" FROM (SELECT m."visit_id", m."patient_id", m."region", m."visited_at", m."paid_at", m."day", m."minutes", m."cost", m."score", m."urgent", m."diagnosis", m."note", m."took", m."details", m."tags", row_number() OVER (PARTITION BY m."patient_id" ORDER BY m."visit_id") AS place0 FROM "public"."visits" AS m WHERE EXISTS (SELECT FROM many_d309dd02df23f5c9 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"])) AS r WHERE r.place0 <= 2000 OFFSET 0)) AS t0 WHERE EXISTS (SELECT FROM heavy AS h WHERE h.unit = t0."patient_id")) AS r GROUP BY 1, 2) AS counted) AS per_unit WINDOW w AS (PARTITION BY unit)) AS sized) AS scaled GROUP BY 1) AS parts GROUP BY 1) AS measured

SELECT width_bucket(cost, 0, 1000, 10), count(*) FROM visits GROUP BY 1;
--> path: general
--> declared keys: SELECT DISTINCT d0.c0 AS k0 FROM (SELECT s::integer AS c0 FROM generate_series(0, 11) AS s UNION ALL SELECT NULL) AS d0 LIMIT 100001
--> Differentially private aggregate of public.visits
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows per group, squared and summed <= 500)
-->   Group keys: width_bucket(cost, 0, 1000, 10): declared (buckets); every key is answered, empty ones as noise around 0
-->   Noisy number 1: rows; standard deviation 223.607, 95 % of the noise within ±438.262
-->   count(*): from noisy number 1
-->   95 % of the noise: count(*) within ±438 rows
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.visits.cost, public.visits.patient_id
--> rests on: public.visits (visit_id)
--> work of a row: 2080 ns
--> source: WITH heavy AS MATERIALIZED (SELECT unit FROM (SELECT t0."patient_id" AS unit FROM "public"."visits" AS t0 ORDER BY 1) AS r GROUP BY unit HAVING count(*) > 22) SELECT k0, sum(v0) AS v0 FROM (SELECT x0 AS k0, count(*)::numeric * 1024 AS v0 FROM (SELECT width_bucket(NULLIF(t0."cost", 'NaN')::numeric, 0::numeric, 1000::numeric, 10) AS x0 FROM "public"."visits" AS t0 WHERE NOT EXISTS (SELECT FROM heavy AS h WHERE h.unit = t0."patient_id")) AS r GROUP BY 1 UNION ALL SELECT k0, sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, sum(n * n) OVER w AS q FROM (SELECT unit, k0, LEAST(n, 3037000499) AS n, LEAST(n, 3037000499) AS v0 FROM (SELECT x0 AS unit, x1 AS k0, count(*) AS n FROM (SELECT t0."patient_id" AS x0, width_bucket(NULLIF(t0."cost", 'NaN')::numeric, 0::numeric, 1000::numeric, 10) AS x1 FROM "public"."visits" AS t0 WHERE EXISTS (SELECT FROM heavy AS h WHERE h.unit = t0."patient_id")) AS r GROUP BY 1, 2) AS counted) AS per_unit WINDOW w AS (PARTITION BY unit)) AS sized) AS scaled GROUP BY 1) AS parts GROUP BY 1

SELECT coalesce(diagnosis, 'none'), count(*) FROM visits GROUP BY 1;
--> path: general
--> declared keys: SELECT DISTINCT coalesce(d0.c0, 'none') AS k0 FROM (SELECT v.c0 FROM (VALUES ('flu'::text), ('cold'::text), ('other'::text)) AS v(c0) UNION ALL SELECT NULL) AS d0 LIMIT 100001
--> Differentially private aggregate of public.visits
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows per group, squared and summed <= 500)
-->   Group keys: coalesce(diagnosis, 'none'): declared (values of diagnosis); each declared key is answered, empty ones as noise around 0; rows with other values of coalesce(diagnosis, 'none') are in no group
-->   Noisy number 1: rows; standard deviation 223.607, 95 % of the noise within ±438.262
-->   count(*): from noisy number 1
-->   95 % of the noise: count(*) within ±438 rows
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.visits.diagnosis, public.visits.patient_id
--> rests on: public.visits (visit_id)
--> work of a row: 32300 ns
--> source: WITH heavy AS MATERIALIZED (SELECT unit FROM (SELECT t0."patient_id" AS unit FROM "public"."visits" AS t0 ORDER BY 1) AS r GROUP BY unit HAVING count(*) > 22) SELECT k0, sum(v0) AS v0 FROM (SELECT x0 AS k0, count(*)::numeric * 1024 AS v0 FROM (SELECT ((coalesce((CASE WHEN octet_length(t0."diagnosis") > 4000 THEN CASE WHEN pg_column_size(t0."diagnosis") <= 1000000 THEN left(t0."diagnosis", 2000) ELSE '' END ELSE t0."diagnosis" END), 'none'))::text COLLATE "C") AS x0 FROM "public"."visits" AS t0 WHERE NOT EXISTS (SELECT FROM heavy AS h WHERE h.unit = t0."patient_id")) AS r GROUP BY 1 UNION ALL SELECT k0, sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, sum(n * n) OVER w AS q FROM (SELECT unit, k0, LEAST(n, 3037000499) AS n, LEAST(n, 3037000499) AS v0 FROM (SELECT x0 AS unit, x1 AS k0, count(*) AS n FROM (SELECT t0."patient_id" AS x0, ((coalesce((CASE WHEN octet_length(t0."diagnosis") > 4000 THEN CASE WHEN pg_column_size(t0."diagnosis") <= 1000000 THEN left(t0."diagnosis", 2000) ELSE '' END ELSE t0."diagnosis" END), 'none'))::text COLLATE "C") AS x1 FROM "public"."visits" AS t0 WHERE EXISTS (SELECT FROM heavy AS h WHERE h.unit = t0."patient_id")) AS r GROUP BY 1, 2) AS counted) AS per_unit WINDOW w AS (PARTITION BY unit)) AS sized) AS scaled GROUP BY 1) AS parts GROUP BY 1

SELECT nullif(diagnosis, 'flu'), count(*) FROM visits GROUP BY 1;
--> path: general
--> declared keys: SELECT DISTINCT NULLIF(d0.c0, 'flu') AS k0 FROM (SELECT v.c0 FROM (VALUES ('flu'::text), ('cold'::text), ('other'::text)) AS v(c0) UNION ALL SELECT NULL) AS d0 LIMIT 100001
--> Differentially private aggregate of public.visits
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows per group, squared and summed <= 500)
-->   Group keys: nullif(diagnosis, 'flu'): declared (values of diagnosis); each declared key is answered, empty ones as noise around 0; rows with other values of nullif(diagnosis, 'flu') are in no group
-->   Noisy number 1: rows; standard deviation 223.607, 95 % of the noise within ±438.262
-->   count(*): from noisy number 1
-->   95 % of the noise: count(*) within ±438 rows
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.visits.diagnosis, public.visits.patient_id
--> rests on: public.visits (visit_id)
--> work of a row: 32300 ns
--> source: WITH heavy AS MATERIALIZED (SELECT unit FROM (SELECT t0."patient_id" AS unit FROM "public"."visits" AS t0 ORDER BY 1) AS r GROUP BY unit HAVING count(*) > 22) SELECT k0, sum(v0) AS v0 FROM (SELECT x0 AS k0, count(*)::numeric * 1024 AS v0 FROM (SELECT ((NULLIF((CASE WHEN octet_length(t0."diagnosis") > 4000 THEN CASE WHEN pg_column_size(t0."diagnosis") <= 1000000 THEN left(t0."diagnosis", 2000) ELSE '' END ELSE t0."diagnosis" END), 'flu'))::text COLLATE "C") AS x0 FROM "public"."visits" AS t0 WHERE NOT EXISTS (SELECT FROM heavy AS h WHERE h.unit = t0."patient_id")) AS r GROUP BY 1 UNION ALL SELECT k0, sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, sum(n * n) OVER w AS q FROM (SELECT unit, k0, LEAST(n, 3037000499) AS n, LEAST(n, 3037000499) AS v0 FROM (SELECT x0 AS unit, x1 AS k0, count(*) AS n FROM (SELECT t0."patient_id" AS x0, ((NULLIF((CASE WHEN octet_length(t0."diagnosis") > 4000 THEN CASE WHEN pg_column_size(t0."diagnosis") <= 1000000 THEN left(t0."diagnosis", 2000) ELSE '' END ELSE t0."diagnosis" END), 'flu'))::text COLLATE "C") AS x1 FROM "public"."visits" AS t0 WHERE EXISTS (SELECT FROM heavy AS h WHERE h.unit = t0."patient_id")) AS r GROUP BY 1, 2) AS counted) AS per_unit WINDOW w AS (PARTITION BY unit)) AS sized) AS scaled GROUP BY 1) AS parts GROUP BY 1

SELECT left(note, 3), count(*) FROM visits GROUP BY 1;
--> path: general
--> Differentially private aggregate of public.visits
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows per group, squared and summed <= 500)
-->   Group keys: left(note, 3): selected; a group shows if its weighted number of units, with noise, reaches 87.1 (each unit counts in at most 12 groups)
-->   Noisy number 1: rows; standard deviation 316.228, 95 % of the noise within ±619.796
-->   count(*): from noisy number 1
-->   95 % of the noise: count(*) within ±620 rows
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005, delta 5e-09
--> reads: public.visits.note, public.visits.patient_id
--> rests on: public.visits (visit_id)
--> work of a row: 28524 ns
--> source: SELECT k0, sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0, sum(CASE WHEN groups = 1 THEN 1048576 WHEN groups <= 12 OR place <= 12 THEN trunc(1048576 * (1 - 2.0 ^ -30)::double precision / sqrt(LEAST(groups, 12)::double precision))::bigint ELSE 0 END) AS weight FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, sum(n * n) OVER w AS q, count(*) OVER w AS groups, row_number() OVER w AS place FROM (SELECT unit, h, k0, LEAST(n, 3037000499) AS n, LEAST(n, 3037000499) AS v0 FROM (SELECT x0 AS unit, hashtextextended(coalesce(x1::text, ''), hashtextextended(x0::text, 0)) AS h, x1 AS k0, count(*) AS n FROM (WITH once AS (SELECT) SELECT t0."patient_id" AS x0, ((left(((CASE WHEN octet_length(t0."note") > 4000 THEN CASE WHEN pg_column_size(t0."note") <= 1000000 THEN left(t0."note", 2000) ELSE '' END ELSE t0."note" END) COLLATE pg_catalog."default"), 3))::text COLLATE "C") AS x1 FROM "public"."visits" AS t0) AS r GROUP BY 1, 2, 3) AS counted) AS per_unit WINDOW w AS (PARTITION BY unit ORDER BY h, k0 ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING)) AS sized) AS scaled GROUP BY 1

SELECT cost, count(*) FROM visits GROUP BY cost;
--> refused 42501 group-by-bounded: cost has too many possible values to group by

SELECT round(cost), count(*) FROM visits GROUP BY 1;
--> path: general
--> declared keys: SELECT DISTINCT d0.c0 AS k0 FROM (SELECT g.s::numeric AS c0 FROM (SELECT 0::numeric AS low, 1000::numeric AS high) AS e, generate_series(round(e.low::numeric)::numeric, round(e.high::numeric)::numeric, 1::numeric) AS g(s) UNION ALL SELECT NULL) AS d0 LIMIT 100001
--> Differentially private aggregate of public.visits
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows per group, squared and summed <= 500)
-->   Group keys: round(cost): declared (steps of cost); each declared key is answered, empty ones as noise around 0; rows with other values of round(cost) are in no group
-->   Noisy number 1: rows; standard deviation 223.607, 95 % of the noise within ±438.262
-->   count(*): from noisy number 1
-->   95 % of the noise: count(*) within ±438 rows
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.visits.cost, public.visits.patient_id
--> rests on: public.visits (visit_id)
--> work of a row: 264 ns
--> source: WITH heavy AS MATERIALIZED (SELECT unit FROM (SELECT t0."patient_id" AS unit FROM "public"."visits" AS t0 ORDER BY 1) AS r GROUP BY unit HAVING count(*) > 22) SELECT k0, sum(v0) AS v0 FROM (SELECT x0 AS k0, count(*)::numeric * 1024 AS v0 FROM (SELECT round(round(t0."cost"::numeric), 0) AS x0 FROM "public"."visits" AS t0 WHERE NOT EXISTS (SELECT FROM heavy AS h WHERE h.unit = t0."patient_id")) AS r GROUP BY 1 UNION ALL SELECT k0, sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, sum(n * n) OVER w AS q FROM (SELECT unit, k0, LEAST(n, 3037000499) AS n, LEAST(n, 3037000499) AS v0 FROM (SELECT x0 AS unit, x1 AS k0, count(*) AS n FROM (SELECT t0."patient_id" AS x0, round(round(t0."cost"::numeric), 0) AS x1 FROM "public"."visits" AS t0 WHERE EXISTS (SELECT FROM heavy AS h WHERE h.unit = t0."patient_id")) AS r GROUP BY 1, 2) AS counted) AS per_unit WINDOW w AS (PARTITION BY unit)) AS sized) AS scaled GROUP BY 1) AS parts GROUP BY 1

SELECT patient_id, count(*) FROM visits GROUP BY patient_id;
--> refused 42501 group-by-unit: each group of patient_id would be one privacy unit

SELECT patient_id, region, count(*) FROM visits GROUP BY 1, 2;
--> refused 42501 group-by-unit: each group of patient_id would be one privacy unit

SELECT tags, count(*) FROM visits GROUP BY tags;
--> refused 0A000 key-type: GROUP BY on type text[] is not supported

SELECT details, count(*) FROM visits GROUP BY details;
--> refused 0A000 key-type: GROUP BY on type jsonb is not supported

SELECT details ->> 'kind', count(*) FROM visits GROUP BY 1;
--> path: general
--> Differentially private aggregate of public.visits
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows per group, squared and summed <= 500)
-->   Rows that may take long: at most 2000 of a unit in public.visits; further ones take no part
-->   Group keys: details ->> 'kind': selected; a group shows if its weighted number of units, with noise, reaches 87.1 (each unit counts in at most 12 groups)
-->   Large values: values of details that take more than 2000 octets count as NULL
-->   Noisy number 1: rows; standard deviation 316.228, 95 % of the noise within ±619.796
-->   count(*): from noisy number 1
-->   95 % of the noise: count(*) within ±620 rows
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005, delta 5e-09
--> reads: public.visits.cost, public.visits.day, public.visits.details, public.visits.diagnosis, public.visits.minutes, public.visits.note, public.visits.paid_at, public.visits.patient_id, public.visits.region, public.visits.score, public.visits.tags, public.visits.took, public.visits.urgent, public.visits.visit_id, public.visits.visited_at
--> rests on: public.visits (visit_id)
--> cut: public.visits to 2000 rows: SELECT m."patient_id" AS unit FROM "public"."visits" AS m WHERE m."patient_id" IS NOT NULL GROUP BY 1 HAVING count(*) > 2000
--> work of a row: 203000 ns
--> source: WITH many_d309dd02df23f5c9 AS MATERIALIZED (SELECT m."patient_id" AS unit FROM "public"."visits" AS m WHERE m."patient_id" IS NOT NULL GROUP BY 1 HAVING count(*) > 2000) SELECT * FROM (SELECT k0, sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0, sum(CASE WHEN groups = 1 THEN 1048576 WHEN groups <= 12 OR place <= 12 THEN trunc(1048576 * (1 - 2.0 ^ -30)::double precision / sqrt(LEAST(groups, 12)::double precision))::bigint ELSE 0 END) AS weight FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, sum(n * n) OVER w AS q, count(*) OVER w AS groups, row_number() OVER w AS place FROM (SELECT unit, h, k0, LEAST(n, 3037000499) AS n, LEAST(n, 3037000499) AS v0 FROM (SELECT x0 AS unit, hashtextextended(coalesce(x1::text, ''), hashtextextended(x0::text, 0)) AS h, x1 AS k0, count(*) AS n FROM (WITH once AS (SELECT) SELECT t0."patient_id" AS x0, ((left((SELECT CASE WHEN jsonb_typeof(d.v) = 'string' THEN d.v WHEN pg_column_size(d.v) <= 300 THEN jsonb_path_query_first(d.v, 'strict $ ? (!exists($.** ? (@ > 1e100 || @ < -1e100)))') END FROM (SELECT ((CASE WHEN pg_column_size(t0."details") <= 2000 THEN t0."details" END) -> 'kind'::text) AS v OFFSET 0) AS d) #>> '{}', 10000))::text COLLATE "C") AS x1 FROM ((SELECT m."visit_id", m."patient_id", m."region", m."visited_at", m."paid_at", m."day", m."minutes", m."cost", m."score", m."urgent", m."diagnosis", m."note", m."took", m."details", m."tags" FROM "public"."visits" AS m WHERE NOT EXISTS (SELECT FROM many_d309dd02df23f5c9 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"]) OFFSET 0) UNION ALL (SELECT "visit_id", "patient_id", "region", "visited_at", "paid_at", "day", "minutes", "cost", "score", "urgent", "diagnosis", "note", "took", "details", "tags" FROM (SELECT m."visit_id", m."patient_id", m."region", m."visited_at", m."paid_at", m."day", m."minutes", m."cost", m."score", m."urgent", m."diagnosis", m."note", m."took", m."details", m."tags", row_number() OVER (PARTITION BY m."patient_id" ORDER BY m."visit_id") AS place0 FROM "public"."visits" AS m WHERE EXISTS (SELECT FROM many_d309dd02df23f5c9 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"])) AS r WHERE r.place0 <= 2000 OFFSET 0)) AS t0) AS r GROUP BY 1, 2, 3) AS counted) AS per_unit WINDOW w AS (PARTITION BY unit ORDER BY h, k0 ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING)) AS sized) AS scaled GROUP BY 1) AS measured

SELECT region, count(*) FROM visits GROUP BY region HAVING count(*) > 10;
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

SELECT region, count(*) FROM visits GROUP BY region ORDER BY 2 DESC LIMIT 3;
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

SELECT region, diagnosis, count(*) FROM visits GROUP BY ROLLUP (region, diagnosis);
--> path: general
--> declared keys: SELECT g0.k0, g1.k1 FROM (SELECT DISTINCT d0.c0 AS k0 FROM (SELECT DISTINCT "name"::text AS c0 FROM "public"."regions" WHERE "name" IS NOT NULL UNION ALL SELECT NULL) AS d0) AS g0, (SELECT DISTINCT d1.c0 AS k1 FROM (SELECT v.c0 FROM (VALUES ('flu'::text), ('cold'::text), ('other'::text)) AS v(c0) UNION ALL SELECT NULL) AS d1) AS g1 LIMIT 100001
--> Differentially private aggregate of public.visits
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows per group, squared and summed <= 500, all their rows <= 50)
-->   Group keys: region, diagnosis: declared (public.regions.name x values of diagnosis); each declared key is answered, empty ones as noise around 0; rows with other values of diagnosis are in no group
-->   Grouping sets: 3, each with noise of its own for an equal share of the price
-->   Consistency: totals and parts are made to add up, at no price (dp.consistency = off shows raw noise)
-->   Noisy number 1: rows; standard deviation 387.298, 95 % of the noise within ±759.091
-->     in each total: standard deviation 866.025, 95 % of the noise within ±1697.38
-->   count(*): from noisy number 1
-->   95 % of the noise: count(*) within ±759 rows, in totals count(*) within ±1697 rows
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.visits.diagnosis, public.visits.patient_id, public.visits.region
--> rests on: public.visits (visit_id)
--> work of a row: 56000 ns
--> source: WITH heavy AS MATERIALIZED (SELECT unit FROM (SELECT t0."patient_id" AS unit FROM "public"."visits" AS t0 ORDER BY 1) AS r GROUP BY unit HAVING count(*) > 22) SELECT k0, k1, sum(v0) AS v0 FROM (SELECT x0 AS k0, x1 AS k1, count(*)::numeric * 1024 AS v0 FROM (SELECT (((CASE WHEN octet_length(t0."region") > 4000 THEN CASE WHEN pg_column_size(t0."region") <= 1000000 THEN left(t0."region", 2000) ELSE '' END ELSE t0."region" END))::text COLLATE "C") AS x0, (((CASE WHEN octet_length(t0."diagnosis") > 4000 THEN CASE WHEN pg_column_size(t0."diagnosis") <= 1000000 THEN left(t0."diagnosis", 2000) ELSE '' END ELSE t0."diagnosis" END))::text COLLATE "C") AS x1 FROM "public"."visits" AS t0 WHERE NOT EXISTS (SELECT FROM heavy AS h WHERE h.unit = t0."patient_id")) AS r GROUP BY 1, 2 UNION ALL SELECT k0, k1, sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0 FROM (SELECT *, CASE WHEN (q > 500 OR r > 50) THEN LEAST(1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)), 1024 * (1 - 2.0 ^ -30)::double precision * (50::double precision / r::double precision)) END AS scale FROM (SELECT *, sum(n * n) OVER w AS q, sum(n) OVER w AS r FROM (SELECT unit, k0, k1, LEAST(n, 3037000499) AS n, LEAST(n, 3037000499) AS v0 FROM (SELECT x0 AS unit, x1 AS k0, x2 AS k1, count(*) AS n FROM (SELECT t0."patient_id" AS x0, (((CASE WHEN octet_length(t0."region") > 4000 THEN CASE WHEN pg_column_size(t0."region") <= 1000000 THEN left(t0."region", 2000) ELSE '' END ELSE t0."region" END))::text COLLATE "C") AS x1, (((CASE WHEN octet_length(t0."diagnosis") > 4000 THEN CASE WHEN pg_column_size(t0."diagnosis") <= 1000000 THEN left(t0."diagnosis", 2000) ELSE '' END ELSE t0."diagnosis" END))::text COLLATE "C") AS x2 FROM "public"."visits" AS t0 WHERE EXISTS (SELECT FROM heavy AS h WHERE h.unit = t0."patient_id")) AS r GROUP BY 1, 2, 3) AS counted) AS per_unit WINDOW w AS (PARTITION BY unit)) AS sized) AS scaled GROUP BY 1, 2) AS parts GROUP BY 1, 2

SELECT region, diagnosis, sum(cost) FROM visits GROUP BY CUBE (region, diagnosis);
--> path: general
--> declared keys: SELECT g0.k0, g1.k1 FROM (SELECT DISTINCT d0.c0 AS k0 FROM (SELECT DISTINCT "name"::text AS c0 FROM "public"."regions" WHERE "name" IS NOT NULL UNION ALL SELECT NULL) AS d0) AS g0, (SELECT DISTINCT d1.c0 AS k1 FROM (SELECT v.c0 FROM (VALUES ('flu'::text), ('cold'::text), ('other'::text)) AS v(c0) UNION ALL SELECT NULL) AS d1) AS g1 LIMIT 100001
--> Differentially private aggregate of public.visits
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows per group, squared and summed <= 500, all their rows <= 50)
-->   Group keys: region, diagnosis: declared (public.regions.name x values of diagnosis); each declared key is answered, empty ones as noise around 0; rows with other values of diagnosis are in no group
-->   Grouping sets: 4, each with noise of its own for an equal share of the price
-->   Consistency: totals and parts are made to add up, at no price (dp.consistency = off shows raw noise)
-->   Noisy number 1: sum of values clamped to [0, 1000] in steps of 0.01; standard deviation 447214, 95 % of the noise within ±876523
-->     in each total: standard deviation 1e+06, 95 % of the noise within ±1.95996e+06
-->   sum(cost): from noisy number 1; values outside [0, 1000] count as the nearest bound
-->   95 % of the noise: sum(cost) within ±876523, in totals sum(cost) within ±1.95996e+06
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down, not values moved to a bound
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.visits.cost, public.visits.diagnosis, public.visits.patient_id, public.visits.region
--> rests on: public.visits (visit_id)
--> work of a row: 56240 ns
--> source: WITH heavy AS MATERIALIZED (SELECT unit FROM (SELECT t0."patient_id" AS unit FROM "public"."visits" AS t0 ORDER BY 1) AS r GROUP BY unit HAVING count(*) > 22) SELECT k0, k1, sum(v0) AS v0 FROM (SELECT x0 AS k0, x1 AS k1, round((sum((CASE WHEN x2 < 0 THEN 0 WHEN x2 <= 1000 THEN x2 WHEN x2 <> 'NaN' THEN 1000 END))::numeric::numeric * 100)) * 1024 AS v0 FROM (SELECT (((CASE WHEN octet_length(t0."region") > 4000 THEN CASE WHEN pg_column_size(t0."region") <= 1000000 THEN left(t0."region", 2000) ELSE '' END ELSE t0."region" END))::text COLLATE "C") AS x0, (((CASE WHEN octet_length(t0."diagnosis") > 4000 THEN CASE WHEN pg_column_size(t0."diagnosis") <= 1000000 THEN left(t0."diagnosis", 2000) ELSE '' END ELSE t0."diagnosis" END))::text COLLATE "C") AS x1, t0."cost" AS x2 FROM "public"."visits" AS t0 WHERE NOT EXISTS (SELECT FROM heavy AS h WHERE h.unit = t0."patient_id")) AS r GROUP BY 1, 2 UNION ALL SELECT k0, k1, sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0 FROM (SELECT *, CASE WHEN (q > 500 OR r > 50) THEN LEAST(1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)), 1024 * (1 - 2.0 ^ -30)::double precision * (50::double precision / r::double precision)) END AS scale FROM (SELECT *, sum(n * n) OVER w AS q, sum(n) OVER w AS r FROM (SELECT unit, k0, k1, LEAST(n, 3037000499) AS n, LEAST(GREATEST(round((coalesce(s0, 0)::numeric::numeric * 100)), -303700049900000), 303700049900000)::bigint AS v0 FROM (SELECT x0 AS unit, x1 AS k0, x2 AS k1, count(*) AS n, sum((CASE WHEN x3 < 0 THEN 0 WHEN x3 <= 1000 THEN x3 WHEN x3 <> 'NaN' THEN 1000 END)) AS s0 FROM (SELECT t0."patient_id" AS x0, (((CASE WHEN octet_length(t0."region") > 4000 THEN CASE WHEN pg_column_size(t0."region") <= 1000000 THEN left(t0."region", 2000) ELSE '' END ELSE t0."region" END))::text COLLATE "C") AS x1, (((CASE WHEN octet_length(t0."diagnosis") > 4000 THEN CASE WHEN pg_column_size(t0."diagnosis") <= 1000000 THEN left(t0."diagnosis", 2000) ELSE '' END ELSE t0."diagnosis" END))::text COLLATE "C") AS x2, t0."cost" AS x3 FROM "public"."visits" AS t0 WHERE EXISTS (SELECT FROM heavy AS h WHERE h.unit = t0."patient_id")) AS r GROUP BY 1, 2, 3) AS counted) AS per_unit WINDOW w AS (PARTITION BY unit)) AS sized) AS scaled GROUP BY 1, 2) AS parts GROUP BY 1, 2

SELECT region, urgent, avg(cost) FROM visits GROUP BY GROUPING SETS ((region), (urgent), ());
--> path: general
--> declared keys: SELECT g0.k0, g1.k1 FROM (SELECT DISTINCT d0.c0 AS k0 FROM (SELECT DISTINCT "name"::text AS c0 FROM "public"."regions" WHERE "name" IS NOT NULL UNION ALL SELECT NULL) AS d0) AS g0, (SELECT DISTINCT d1.c0 AS k1 FROM (SELECT v.c0 FROM (VALUES (true), (false)) AS v(c0) UNION ALL SELECT NULL) AS d1) AS g1 LIMIT 100001
--> Differentially private aggregate of public.visits
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows per group, squared and summed <= 500, all their rows <= 50)
-->   Group keys: region, urgent: declared (public.regions.name x true and false of urgent); every key is answered, empty ones as noise around 0
-->   Grouping sets: 3, each with noise of its own for an equal share of the price
-->   Groups by all keys: not shown, measured for 1/16 of the price so that all can add up
-->   Consistency: totals and parts are made to add up, at no price (dp.consistency = off shows raw noise)
-->   Noisy number 1: rows where the value is not NULL; standard deviation 1264.91, 95 % of the noise within ±2479.18
-->     in each total: standard deviation 1264.91, 95 % of the noise within ±2479.18
-->   Noisy number 2: sum around 500 of values clamped to [0, 1000] in steps of 0.01; standard deviation 632456, 95 % of the noise within ±1.23959e+06
-->     in each total: standard deviation 632456, 95 % of the noise within ±1.23959e+06
-->   avg(cost): from noisy numbers 1 and 2; values outside [0, 1000] count as the nearest bound
-->   95 % of the noise: avg(cost) within ±1.75305e+06 / its rows
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down, not values moved to a bound
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.visits.cost, public.visits.patient_id, public.visits.region, public.visits.urgent
--> rests on: public.visits (visit_id)
--> work of a row: 28270 ns
--> source: WITH heavy AS MATERIALIZED (SELECT unit FROM (SELECT t0."patient_id" AS unit FROM "public"."visits" AS t0 ORDER BY 1) AS r GROUP BY unit HAVING count(*) > 22) SELECT k0, k1, sum(v0) AS v0, sum(v1) AS v1 FROM (SELECT x0 AS k0, x1 AS k1, count(NULLIF(x2, 'NaN'))::numeric * 1024 AS v0, (round((sum((CASE WHEN x2 < 0 THEN 0 WHEN x2 <= 1000 THEN x2 WHEN x2 <> 'NaN' THEN 1000 END))::numeric::numeric * 100)) - 50000::numeric * count(NULLIF(x2, 'NaN'))) * 1024 AS v1 FROM (SELECT (((CASE WHEN octet_length(t0."region") > 4000 THEN CASE WHEN pg_column_size(t0."region") <= 1000000 THEN left(t0."region", 2000) ELSE '' END ELSE t0."region" END))::text COLLATE "C") AS x0, t0."urgent" AS x1, t0."cost" AS x2 FROM "public"."visits" AS t0 WHERE NOT EXISTS (SELECT FROM heavy AS h WHERE h.unit = t0."patient_id")) AS r GROUP BY 1, 2 UNION ALL SELECT k0, k1, sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0, sum(CASE WHEN scale IS NOT NULL THEN trunc(v1::double precision * scale)::bigint ELSE v1::bigint * 1024 END) AS v1 FROM (SELECT *, CASE WHEN (q > 500 OR r > 50) THEN LEAST(1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)), 1024 * (1 - 2.0 ^ -30)::double precision * (50::double precision / r::double precision)) END AS scale FROM (SELECT *, sum(n * n) OVER w AS q, sum(n) OVER w AS r FROM (SELECT unit, k0, k1, LEAST(n, 3037000499) AS n, LEAST(s0, 3037000499) AS v0, LEAST(GREATEST((round((coalesce(s1, 0)::numeric::numeric * 100)) - 50000::numeric * c1), -151850024950000), 151850024950000)::bigint AS v1 FROM (SELECT x0 AS unit, x1 AS k0, x2 AS k1, count(*) AS n, count(NULLIF(x3, 'NaN')) AS s0, sum((CASE WHEN x3 < 0 THEN 0 WHEN x3 <= 1000 THEN x3 WHEN x3 <> 'NaN' THEN 1000 END)) AS s1, count(NULLIF(x3, 'NaN')) AS c1 FROM (SELECT t0."patient_id" AS x0, (((CASE WHEN octet_length(t0."region") > 4000 THEN CASE WHEN pg_column_size(t0."region") <= 1000000 THEN left(t0."region", 2000) ELSE '' END ELSE t0."region" END))::text COLLATE "C") AS x1, t0."urgent" AS x2, t0."cost" AS x3 FROM "public"."visits" AS t0 WHERE EXISTS (SELECT FROM heavy AS h WHERE h.unit = t0."patient_id")) AS r GROUP BY 1, 2, 3) AS counted) AS per_unit WINDOW w AS (PARTITION BY unit)) AS sized) AS scaled GROUP BY 1, 2) AS parts GROUP BY 1, 2

SELECT region, grouping(region), count(*) FROM visits GROUP BY ROLLUP (region);
--> path: general
--> declared keys: SELECT DISTINCT d0.c0 AS k0 FROM (SELECT DISTINCT "name"::text AS c0 FROM "public"."regions" WHERE "name" IS NOT NULL UNION ALL SELECT NULL) AS d0 LIMIT 100001
--> Differentially private aggregate of public.visits
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows per group, squared and summed <= 500, all their rows <= 50)
-->   Group keys: region: declared (public.regions.name); every key is answered, empty ones as noise around 0
-->   Grouping sets: 2, each with noise of its own for an equal share of the price
-->   Consistency: totals and parts are made to add up, at no price (dp.consistency = off shows raw noise)
-->   Noisy number 1: rows; standard deviation 316.228, 95 % of the noise within ±619.796
-->     in each total: standard deviation 707.107, 95 % of the noise within ±1385.9
-->   count(*): from noisy number 1
-->   95 % of the noise: count(*) within ±620 rows, in totals count(*) within ±1386 rows
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.visits.patient_id, public.visits.region
--> rests on: public.visits (visit_id)
--> work of a row: 28000 ns
--> source: WITH heavy AS MATERIALIZED (SELECT unit FROM (SELECT t0."patient_id" AS unit FROM "public"."visits" AS t0 ORDER BY 1) AS r GROUP BY unit HAVING count(*) > 22) SELECT k0, sum(v0) AS v0 FROM (SELECT x0 AS k0, count(*)::numeric * 1024 AS v0 FROM (SELECT (((CASE WHEN octet_length(t0."region") > 4000 THEN CASE WHEN pg_column_size(t0."region") <= 1000000 THEN left(t0."region", 2000) ELSE '' END ELSE t0."region" END))::text COLLATE "C") AS x0 FROM "public"."visits" AS t0 WHERE NOT EXISTS (SELECT FROM heavy AS h WHERE h.unit = t0."patient_id")) AS r GROUP BY 1 UNION ALL SELECT k0, sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0 FROM (SELECT *, CASE WHEN (q > 500 OR r > 50) THEN LEAST(1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)), 1024 * (1 - 2.0 ^ -30)::double precision * (50::double precision / r::double precision)) END AS scale FROM (SELECT *, sum(n * n) OVER w AS q, sum(n) OVER w AS r FROM (SELECT unit, k0, LEAST(n, 3037000499) AS n, LEAST(n, 3037000499) AS v0 FROM (SELECT x0 AS unit, x1 AS k0, count(*) AS n FROM (SELECT t0."patient_id" AS x0, (((CASE WHEN octet_length(t0."region") > 4000 THEN CASE WHEN pg_column_size(t0."region") <= 1000000 THEN left(t0."region", 2000) ELSE '' END ELSE t0."region" END))::text COLLATE "C") AS x1 FROM "public"."visits" AS t0 WHERE EXISTS (SELECT FROM heavy AS h WHERE h.unit = t0."patient_id")) AS r GROUP BY 1, 2) AS counted) AS per_unit WINDOW w AS (PARTITION BY unit)) AS sized) AS scaled GROUP BY 1) AS parts GROUP BY 1

SELECT note, count(*) FROM visits GROUP BY ROLLUP (note);
--> refused 0A000 grouping-sets: ROLLUP, CUBE and GROUPING SETS require declared group keys

SELECT region, count(DISTINCT note) FROM visits GROUP BY ROLLUP (region);
--> refused 0A000 grouping-sets: count(DISTINCT …) cannot be combined with ROLLUP, CUBE or GROUPING SETS

SELECT region, min(cost) FROM visits GROUP BY ROLLUP (region);
--> refused 0A000 grouping-sets: min, max, percentile_…, mode, bool_and and bool_or cannot be combined with ROLLUP, CUBE or GROUPING SETS

SELECT DISTINCT ON (region) region, count(*) FROM visits GROUP BY region;
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

SELECT region, smoker, count(*) FROM patients GROUP BY region, smoker;
--> path: unique
--> declared keys: SELECT g0.k0, g1.k1 FROM (SELECT DISTINCT d0.c0 AS k0 FROM (SELECT DISTINCT "name"::text AS c0 FROM "public"."regions" WHERE "name" IS NOT NULL UNION ALL SELECT NULL) AS d0) AS g0, (SELECT DISTINCT d1.c0 AS k1 FROM (SELECT v.c0 FROM (VALUES (true), (false)) AS v(c0) UNION ALL SELECT NULL) AS d1) AS g1 LIMIT 100001
--> Differentially private aggregate of public.patients
-->   Privacy unit: patient, by public.patients.patient_id
-->   Contribution: one row per unit, proven by a unique key of the source; no unit is scaled down
-->   Group keys: region, smoker: declared (public.regions.name x true and false of smoker); each declared key is answered, empty ones as noise around 0; rows with other values of region are in no group
-->   Noisy number 1: rows; standard deviation 10, 95 % of the noise within ±20
-->   count(*): from noisy number 1
-->   95 % of the noise: count(*) within ±20 rows
-->   Noise intervals (dp.low, dp.high): cover everything, nothing is clipped
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.patients.patient_id, public.patients.region, public.patients.smoker
--> rests on: public.patients (patient_id)
--> work of a row: 28030 ns
--> source: SELECT x0 AS k0, x1 AS k1, count(*) AS s0 FROM (SELECT (((CASE WHEN octet_length(t0."region") > 4000 THEN CASE WHEN pg_column_size(t0."region") <= 1000000 THEN left(t0."region", 2000) ELSE '' END ELSE t0."region" END))::text COLLATE "C") AS x0, t0."smoker" AS x1 FROM "public"."patients" AS t0) AS r GROUP BY 1, 2

SELECT zone, count(*) FROM patients p JOIN regions r ON r.name = p.region GROUP BY zone;
--> path: unique
--> declared keys: SELECT DISTINCT d0.c0 AS k0 FROM (SELECT DISTINCT p."zone" AS c0 FROM "public"."regions" AS p) AS d0 LIMIT 100001
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
--> work of a row: 70100 ns
--> source: SELECT x0 AS k0, count(*) AS s0 FROM (SELECT (((CASE WHEN octet_length(t1."zone") > 4000 THEN CASE WHEN pg_column_size(t1."zone") <= 1000000 THEN left(t1."zone", 2000) ELSE '' END ELSE t1."zone" END))::text COLLATE "C") AS x0 FROM "public"."patients" AS t0 INNER JOIN "public"."regions" AS t1 ON (((CASE WHEN octet_length(t0."region") > 4000 THEN CASE WHEN pg_column_size(t0."region") <= 1000000 THEN left(t0."region", 2000) ELSE '' END ELSE t0."region" END) COLLATE pg_catalog."default") = t1."name")) AS r GROUP BY 1

SELECT r.name, count(v.visit_id) FROM regions r LEFT JOIN visits v ON v.region = r.name GROUP BY r.name;
--> path: general
--> declared keys: SELECT DISTINCT t0."name" AS k0 FROM "public"."regions" AS t0 LIMIT 100001
--> Differentially private aggregate of public.visits joined with public.regions
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows per group, squared and summed <= 500)
-->   Group keys: r.name: declared (rows that the outer join keeps); every key is answered, empty ones as noise around 0
-->   Noisy number 1: rows; standard deviation 223.607, 95 % of the noise within ±438.262
-->   count(v.visit_id): from noisy number 1
-->   95 % of the noise: count(v.visit_id) within ±438 rows
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.regions.name, public.visits.patient_id, public.visits.region, public.visits.visit_id
--> rests on: public.regions (name)
--> rests on: public.visits (visit_id)
--> work of a row: 52190 ns
--> source: WITH heavy AS MATERIALIZED (SELECT unit FROM (SELECT t1."patient_id" AS unit FROM "public"."regions" AS t0 INNER JOIN "public"."visits" AS t1 ON (((CASE WHEN octet_length(t1."region") > 4000 THEN CASE WHEN pg_column_size(t1."region") <= 1000000 THEN left(t1."region", 2000) ELSE '' END ELSE t1."region" END) COLLATE pg_catalog."default") = t0."name") ORDER BY 1) AS r GROUP BY unit HAVING count(*) > 22) SELECT k0, sum(v0) AS v0 FROM (SELECT x0 AS k0, count(*)::numeric * 1024 AS v0 FROM (SELECT (t0."name" COLLATE "C") AS x0 FROM "public"."regions" AS t0 INNER JOIN "public"."visits" AS t1 ON (((CASE WHEN octet_length(t1."region") > 4000 THEN CASE WHEN pg_column_size(t1."region") <= 1000000 THEN left(t1."region", 2000) ELSE '' END ELSE t1."region" END) COLLATE pg_catalog."default") = t0."name") WHERE NOT EXISTS (SELECT FROM heavy AS h WHERE h.unit = t1."patient_id")) AS r GROUP BY 1 UNION ALL SELECT k0, sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, sum(n * n) OVER w AS q FROM (SELECT unit, k0, LEAST(n, 3037000499) AS n, LEAST(n, 3037000499) AS v0 FROM (SELECT x0 AS unit, x1 AS k0, count(*) AS n FROM (SELECT t1."patient_id" AS x0, (t0."name" COLLATE "C") AS x1 FROM "public"."regions" AS t0 INNER JOIN "public"."visits" AS t1 ON (((CASE WHEN octet_length(t1."region") > 4000 THEN CASE WHEN pg_column_size(t1."region") <= 1000000 THEN left(t1."region", 2000) ELSE '' END ELSE t1."region" END) COLLATE pg_catalog."default") = t0."name") WHERE EXISTS (SELECT FROM heavy AS h WHERE h.unit = t1."patient_id")) AS r GROUP BY 1, 2) AS counted) AS per_unit WINDOW w AS (PARTITION BY unit)) AS sized) AS scaled GROUP BY 1) AS parts GROUP BY 1

SELECT r.zone, r.name, sum(v.cost) FROM regions r LEFT JOIN visits v ON v.region = r.name GROUP BY r.zone, r.name;
--> path: general
--> declared keys: SELECT DISTINCT (CASE WHEN octet_length(t0."zone") > 4000 THEN CASE WHEN pg_column_size(t0."zone") <= 1000000 THEN left(t0."zone", 2000) ELSE '' END ELSE t0."zone" END) AS k0, t0."name" AS k1 FROM "public"."regions" AS t0 LIMIT 100001
--> Differentially private aggregate of public.visits joined with public.regions
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows per group, squared and summed <= 500)
-->   Group keys: r.zone, r.name: declared (rows that the outer join keeps); every key is answered, empty ones as noise around 0
-->   Noisy number 1: sum of values clamped to [0, 1000] in steps of 0.01; standard deviation 223607, 95 % of the noise within ±438261
-->   sum(v.cost): from noisy number 1; values outside [0, 1000] count as the nearest bound
-->   95 % of the noise: sum(v.cost) within ±438261
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down, not values moved to a bound
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.regions.name, public.regions.zone, public.visits.cost, public.visits.patient_id, public.visits.region
--> rests on: public.regions (name)
--> rests on: public.visits (visit_id)
--> work of a row: 80340 ns
--> source: WITH heavy AS MATERIALIZED (SELECT unit FROM (SELECT t1."patient_id" AS unit FROM "public"."regions" AS t0 INNER JOIN "public"."visits" AS t1 ON (((CASE WHEN octet_length(t1."region") > 4000 THEN CASE WHEN pg_column_size(t1."region") <= 1000000 THEN left(t1."region", 2000) ELSE '' END ELSE t1."region" END) COLLATE pg_catalog."default") = t0."name") ORDER BY 1) AS r GROUP BY unit HAVING count(*) > 22) SELECT k0, k1, sum(v0) AS v0 FROM (SELECT x0 AS k0, x1 AS k1, round((sum((CASE WHEN x2 < 0 THEN 0 WHEN x2 <= 1000 THEN x2 WHEN x2 <> 'NaN' THEN 1000 END))::numeric::numeric * 100)) * 1024 AS v0 FROM (SELECT (((CASE WHEN octet_length(t0."zone") > 4000 THEN CASE WHEN pg_column_size(t0."zone") <= 1000000 THEN left(t0."zone", 2000) ELSE '' END ELSE t0."zone" END))::text COLLATE "C") AS x0, (t0."name" COLLATE "C") AS x1, t1."cost" AS x2 FROM "public"."regions" AS t0 INNER JOIN "public"."visits" AS t1 ON (((CASE WHEN octet_length(t1."region") > 4000 THEN CASE WHEN pg_column_size(t1."region") <= 1000000 THEN left(t1."region", 2000) ELSE '' END ELSE t1."region" END) COLLATE pg_catalog."default") = t0."name") WHERE NOT EXISTS (SELECT FROM heavy AS h WHERE h.unit = t1."patient_id")) AS r GROUP BY 1, 2 UNION ALL SELECT k0, k1, sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, sum(n * n) OVER w AS q FROM (SELECT unit, k0, k1, LEAST(n, 3037000499) AS n, LEAST(GREATEST(round((coalesce(s0, 0)::numeric::numeric * 100)), -303700049900000), 303700049900000)::bigint AS v0 FROM (SELECT x0 AS unit, x1 AS k0, x2 AS k1, count(*) AS n, sum((CASE WHEN x3 < 0 THEN 0 WHEN x3 <= 1000 THEN x3 WHEN x3 <> 'NaN' THEN 1000 END)) AS s0 FROM (SELECT t1."patient_id" AS x0, (((CASE WHEN octet_length(t0."zone") > 4000 THEN CASE WHEN pg_column_size(t0."zone") <= 1000000 THEN left(t0."zone", 2000) ELSE '' END ELSE t0."zone" END))::text COLLATE "C") AS x1, (t0."name" COLLATE "C") AS x2, t1."cost" AS x3 FROM "public"."regions" AS t0 INNER JOIN "public"."visits" AS t1 ON (((CASE WHEN octet_length(t1."region") > 4000 THEN CASE WHEN pg_column_size(t1."region") <= 1000000 THEN left(t1."region", 2000) ELSE '' END ELSE t1."region" END) COLLATE pg_catalog."default") = t0."name") WHERE EXISTS (SELECT FROM heavy AS h WHERE h.unit = t1."patient_id")) AS r GROUP BY 1, 2, 3) AS counted) AS per_unit WINDOW w AS (PARTITION BY unit)) AS sized) AS scaled GROUP BY 1, 2) AS parts GROUP BY 1, 2

SELECT r.name, count(*) FROM regions r LEFT JOIN visits v ON v.region = r.name GROUP BY r.name;
--> refused 0A000 outer-join-rows: this aggregate would count public rows without a matching private row

SELECT level, count(*) FROM readings GROUP BY level;
--> refused 42501 group-by-bounded: level has too many possible values to group by

SELECT code, count(*) FROM readings GROUP BY code;
--> path: unique
--> Differentially private aggregate of public.readings
-->   Privacy unit: patient, by public.readings.patient_id
-->   Contribution: one row per unit, proven by a unique key of the source; no unit is scaled down
-->   Group keys: code: selected; a group shows if its weighted number of units, with noise, reaches 82.0 (each unit counts in at most 1 groups)
-->   Noisy number 1: rows; standard deviation 14.1421, 95 % of the noise within ±28
-->   count(*): from noisy number 1
-->   95 % of the noise: count(*) within ±28 rows
-->   Noise intervals (dp.low, dp.high): cover everything, nothing is clipped
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005, delta 5e-09
--> reads: public.readings.code, public.readings.patient_id
--> rests on: public.readings (patient_id)
--> work of a row: 66 ns
--> source: SELECT x0 AS k0, count(*) AS s0, count(*) AS weight FROM (SELECT ((t0."code")::character(4) COLLATE "C") AS x0 FROM "public"."readings" AS t0) AS r GROUP BY 1

SELECT short, count(*) FROM readings GROUP BY short;
--> path: unique
--> Differentially private aggregate of public.readings
-->   Privacy unit: patient, by public.readings.patient_id
-->   Contribution: one row per unit, proven by a unique key of the source; no unit is scaled down
-->   Group keys: short: selected; a group shows if its weighted number of units, with noise, reaches 82.0 (each unit counts in at most 1 groups)
-->   Noisy number 1: rows; standard deviation 14.1421, 95 % of the noise within ±28
-->   count(*): from noisy number 1
-->   95 % of the noise: count(*) within ±28 rows
-->   Noise intervals (dp.low, dp.high): cover everything, nothing is clipped
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005, delta 5e-09
--> reads: public.readings.patient_id, public.readings.short
--> rests on: public.readings (patient_id)
--> work of a row: 90 ns
--> source: SELECT x0 AS k0, count(*) AS s0, count(*) AS weight FROM (SELECT (t0."short" COLLATE "C") AS x0 FROM "public"."readings" AS t0) AS r GROUP BY 1

SELECT token, count(*) FROM readings GROUP BY token;
--> path: unique
--> Differentially private aggregate of public.readings
-->   Privacy unit: patient, by public.readings.patient_id
-->   Contribution: one row per unit, proven by a unique key of the source; no unit is scaled down
-->   Group keys: token: selected; a group shows if its weighted number of units, with noise, reaches 82.0 (each unit counts in at most 1 groups)
-->   Noisy number 1: rows; standard deviation 14.1421, 95 % of the noise within ±28
-->   count(*): from noisy number 1
-->   95 % of the noise: count(*) within ±28 rows
-->   Noise intervals (dp.low, dp.high): cover everything, nothing is clipped
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005, delta 5e-09
--> reads: public.readings.patient_id, public.readings.token
--> rests on: public.readings (patient_id)
--> work of a row: 30 ns
--> source: SELECT x0 AS k0, count(*) AS s0, count(*) AS weight FROM (SELECT t0."token" AS x0 FROM "public"."readings" AS t0) AS r GROUP BY 1

SELECT at, count(*) FROM readings GROUP BY at;
--> path: unique
--> Differentially private aggregate of public.readings
-->   Privacy unit: patient, by public.readings.patient_id
-->   Contribution: one row per unit, proven by a unique key of the source; no unit is scaled down
-->   Group keys: at: selected; a group shows if its weighted number of units, with noise, reaches 82.0 (each unit counts in at most 1 groups)
-->   Noisy number 1: rows; standard deviation 14.1421, 95 % of the noise within ±28
-->   count(*): from noisy number 1
-->   95 % of the noise: count(*) within ±28 rows
-->   Noise intervals (dp.low, dp.high): cover everything, nothing is clipped
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005, delta 5e-09
--> reads: public.readings.at, public.readings.patient_id
--> rests on: public.readings (patient_id)
--> work of a row: 30 ns
--> source: SELECT x0 AS k0, count(*) AS s0, count(*) AS weight FROM (SELECT t0."at" AS x0 FROM "public"."readings" AS t0) AS r GROUP BY 1

SELECT ratio, count(*) FROM readings GROUP BY ratio;
--> refused 42501 group-by-bounded: ratio has too many possible values to group by

SELECT small, count(*) FROM readings GROUP BY small;
--> path: unique
--> Differentially private aggregate of public.readings
-->   Privacy unit: patient, by public.readings.patient_id
-->   Contribution: one row per unit, proven by a unique key of the source; no unit is scaled down
-->   Group keys: small: selected; a group shows if its weighted number of units, with noise, reaches 82.0 (each unit counts in at most 1 groups)
-->   Noisy number 1: rows; standard deviation 14.1421, 95 % of the noise within ±28
-->   count(*): from noisy number 1
-->   95 % of the noise: count(*) within ±28 rows
-->   Noise intervals (dp.low, dp.high): cover everything, nothing is clipped
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005, delta 5e-09
--> reads: public.readings.patient_id, public.readings.small
--> rests on: public.readings (patient_id)
--> work of a row: 30 ns
--> source: SELECT x0 AS k0, count(*) AS s0, count(*) AS weight FROM (SELECT t0."small" AS x0 FROM "public"."readings" AS t0) AS r GROUP BY 1

SELECT took, count(*) FROM readings GROUP BY took;
--> refused 0A000 key-type: GROUP BY on type interval is not supported

SELECT document ->> 'kind', count(*) FROM readings GROUP BY 1;
--> path: unique
--> Differentially private aggregate of public.readings
-->   Privacy unit: patient, by public.readings.patient_id
-->   Contribution: one row per unit, proven by a unique key of the source; no unit is scaled down
-->   Group keys: document ->> 'kind': selected; a group shows if its weighted number of units, with noise, reaches 82.0 (each unit counts in at most 1 groups)
-->   Large values: values of document that take more than 2000 octets count as NULL
-->   Noisy number 1: rows; standard deviation 14.1421, 95 % of the noise within ±28
-->   count(*): from noisy number 1
-->   95 % of the noise: count(*) within ±28 rows
-->   Noise intervals (dp.low, dp.high): cover everything, nothing is clipped
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005, delta 5e-09
--> reads: public.readings.document, public.readings.patient_id
--> rests on: public.readings (patient_id)
--> work of a row: 456000 ns
--> source: SELECT x0 AS k0, count(*) AS s0, count(*) AS weight FROM (SELECT ((((CASE WHEN octet_length((CASE WHEN pg_column_size(t0."document") <= 2000 THEN t0."document" END)::text) <= LEAST(5000, pg_size_bytes(current_setting('max_stack_depth')) / 200) AND (CASE WHEN pg_column_size(t0."document") <= 2000 THEN t0."document" END)::text !~* E'\\\\u(0000|d[89a-f])' AND (getdatabaseencoding() = 'UTF8' OR strpos((CASE WHEN pg_column_size(t0."document") <= 2000 THEN t0."document" END)::text, E'\\u') = 0) THEN (CASE WHEN pg_column_size(t0."document") <= 2000 THEN t0."document" END) END) ->> 'kind'::text))::text COLLATE "C") AS x0 FROM "public"."readings" AS t0) AS r GROUP BY 1

SELECT region, count(DISTINCT patient_id) FILTER (WHERE urgent) FROM visits GROUP BY region;
--> path: general
--> declared keys: SELECT DISTINCT d0.c0 AS k0 FROM (SELECT DISTINCT "name"::text AS c0 FROM "public"."regions" WHERE "name" IS NOT NULL UNION ALL SELECT NULL) AS d0 LIMIT 100001
--> Differentially private aggregate of public.visits
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows per group, squared and summed <= 500)
-->   Group keys: region: declared (public.regions.name); every key is answered, empty ones as noise around 0
-->   Noisy number 1: units, counted in full in up to 5 groups, as less in more; standard deviation 22.3607, 95 % of the noise within ±43.8262
-->   count(DISTINCT patient_id) FILTER(WHERE urgent): from noisy number 1
-->   95 % of the noise: count(DISTINCT patient_id) FILTER(WHERE urgent) within ±44 units
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.visits.patient_id, public.visits.region, public.visits.urgent
--> rests on: public.visits (visit_id)
--> work of a row: 28030 ns
--> source: SELECT k0, sum(v0 * (CASE WHEN groups::numeric * 1 <= 5 THEN 1024 ELSE trunc(1024 * (1 - 2.0 ^ -30)::double precision * sqrt(5::double precision / 1 / groups))::bigint END)) AS v0 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, sum(n * n) OVER w AS q, count(*) OVER w AS groups FROM (SELECT unit, k0, LEAST(n, 3037000499) AS n, CASE WHEN s0 > 0 THEN 1 ELSE 0 END AS v0 FROM (SELECT x0 AS unit, x1 AS k0, count(*) AS n, count(*) FILTER (WHERE x2) AS s0 FROM (SELECT t0."patient_id" AS x0, (((CASE WHEN octet_length(t0."region") > 4000 THEN CASE WHEN pg_column_size(t0."region") <= 1000000 THEN left(t0."region", 2000) ELSE '' END ELSE t0."region" END))::text COLLATE "C") AS x1, t0."urgent" AS x2 FROM "public"."visits" AS t0) AS r GROUP BY 1, 2) AS counted) AS per_unit WINDOW w AS (PARTITION BY unit)) AS sized) AS scaled GROUP BY 1

SELECT note, count(DISTINCT patient_id) FILTER (WHERE urgent), sum(minutes) FILTER (WHERE cost > 5) FROM visits GROUP BY note;
--> path: general
--> Differentially private aggregate of public.visits
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows per group, squared and summed <= 500)
-->   Group keys: note: selected; a group shows if its weighted number of units, with noise, reaches 106.6 (each unit counts in at most 12 groups)
-->   Noisy number 1: units, counted in full in up to 5 groups, as less in more; standard deviation 38.7298, 95 % of the noise within ±75.9092
-->   Noisy number 2: sum of values clamped to [0, 240] in steps of 1; standard deviation 92951.6, 95 % of the noise within ±182182
-->   count(DISTINCT patient_id) FILTER(WHERE urgent): from noisy number 1
-->   sum(minutes) FILTER(WHERE cost > 5): from noisy number 2; values outside [0, 240] count as the nearest bound
-->   95 % of the noise: count(DISTINCT patient_id) FILTER(WHERE urgent) within ±76 units, sum(minutes) FILTER(WHERE cost > 5) within ±182182
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down, not values moved to a bound
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005, delta 5e-09
--> reads: public.visits.cost, public.visits.minutes, public.visits.note, public.visits.patient_id, public.visits.urgent
--> rests on: public.visits (visit_id)
--> work of a row: 28325 ns
--> source: SELECT k0, sum(v0 * (CASE WHEN groups::numeric * 1 <= 5 THEN 1024 ELSE trunc(1024 * (1 - 2.0 ^ -30)::double precision * sqrt(5::double precision / 1 / groups))::bigint END)) AS v0, sum(CASE WHEN scale IS NOT NULL THEN trunc(v1::double precision * scale)::bigint ELSE v1::bigint * 1024 END) AS v1, sum(CASE WHEN groups = 1 THEN 1048576 WHEN groups <= 12 OR place <= 12 THEN trunc(1048576 * (1 - 2.0 ^ -30)::double precision / sqrt(LEAST(groups, 12)::double precision))::bigint ELSE 0 END) AS weight FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, sum(n * n) OVER w AS q, count(*) OVER w AS groups, row_number() OVER w AS place FROM (SELECT unit, h, k0, LEAST(n, 3037000499) AS n, CASE WHEN s0 > 0 THEN 1 ELSE 0 END AS v0, LEAST(GREATEST(round(coalesce(s1, 0)::numeric), -728880119760), 728880119760)::bigint AS v1 FROM (SELECT x0 AS unit, hashtextextended(coalesce(x1::text, ''), hashtextextended(x0::text, 0)) AS h, x1 AS k0, count(*) AS n, count(*) FILTER (WHERE x2) AS s0, sum((CASE WHEN x4 < 0 THEN 0 WHEN x4 > 240 THEN 240 ELSE x4 END)) FILTER (WHERE x3) AS s1 FROM (WITH once AS (SELECT) SELECT t0."patient_id" AS x0, (((CASE WHEN octet_length(t0."note") > 4000 THEN CASE WHEN pg_column_size(t0."note") <= 1000000 THEN left(t0."note", 2000) ELSE '' END ELSE t0."note" END))::text COLLATE "C") AS x1, t0."urgent" AS x2, (t0."cost" > 5) AS x3, t0."minutes" AS x4 FROM "public"."visits" AS t0) AS r GROUP BY 1, 2, 3) AS counted) AS per_unit WINDOW w AS (PARTITION BY unit ORDER BY h, k0 ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING)) AS sized) AS scaled GROUP BY 1

SELECT visit_id, count(*) FROM drugs GROUP BY 1;
--> refused 42501 group-by-unit: each group of visit_id would be one privacy unit

SELECT note, upper(note), left(note, 3), lower(note), count(*) FROM visits GROUP BY 1, 2, 3, 4;
--> path: general
--> Differentially private aggregate of public.visits
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows per group, squared and summed <= 500)
-->   Rows that may take long: at most 2000 of a unit in public.visits; further ones take no part
-->   Group keys: note, upper(note), left(note, 3), lower(note): selected; a group shows if its weighted number of units, with noise, reaches 87.1 (each unit counts in at most 12 groups)
-->   Noisy number 1: rows; standard deviation 316.228, 95 % of the noise within ±619.796
-->   count(*): from noisy number 1
-->   95 % of the noise: count(*) within ±620 rows
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005, delta 5e-09
--> reads: public.visits.cost, public.visits.day, public.visits.details, public.visits.diagnosis, public.visits.minutes, public.visits.note, public.visits.paid_at, public.visits.patient_id, public.visits.region, public.visits.score, public.visits.tags, public.visits.took, public.visits.urgent, public.visits.visit_id, public.visits.visited_at
--> rests on: public.visits (visit_id)
--> cut: public.visits to 2000 rows: SELECT m."patient_id" AS unit FROM "public"."visits" AS m WHERE m."patient_id" IS NOT NULL GROUP BY 1 HAVING count(*) > 2000
--> work of a row: 338524 ns
--> source: WITH many_d309dd02df23f5c9 AS MATERIALIZED (SELECT m."patient_id" AS unit FROM "public"."visits" AS m WHERE m."patient_id" IS NOT NULL GROUP BY 1 HAVING count(*) > 2000) SELECT * FROM (SELECT k0, k1, k2, k3, sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0, sum(CASE WHEN groups = 1 THEN 1048576 WHEN groups <= 12 OR place <= 12 THEN trunc(1048576 * (1 - 2.0 ^ -30)::double precision / sqrt(LEAST(groups, 12)::double precision))::bigint ELSE 0 END) AS weight FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, sum(n * n) OVER w AS q, count(*) OVER w AS groups, row_number() OVER w AS place FROM (SELECT unit, h, k0, k1, k2, k3, LEAST(n, 3037000499) AS n, LEAST(n, 3037000499) AS v0 FROM (SELECT x0 AS unit, hashtextextended(coalesce(x4::text, ''), hashtextextended(coalesce(x3::text, ''), hashtextextended(coalesce(x2::text, ''), hashtextextended(coalesce(x1::text, ''), hashtextextended(x0::text, 0))))) AS h, x1 AS k0, x2 AS k1, x3 AS k2, x4 AS k3, count(*) AS n FROM (WITH once AS (SELECT) SELECT t0."patient_id" AS x0, (((CASE WHEN octet_length(t0."note") > 4000 THEN CASE WHEN pg_column_size(t0."note") <= 1000000 THEN left(t0."note", 2000) ELSE '' END ELSE t0."note" END))::text COLLATE "C") AS x1, (CASE WHEN octet_length(((upper(((CASE WHEN octet_length(t0."note") > 4000 THEN CASE WHEN pg_column_size(t0."note") <= 1000000 THEN left(t0."note", 2000) ELSE '' END ELSE t0."note" END) COLLATE pg_catalog."default")))::text COLLATE "C")) > 6250 THEN left(((upper(((CASE WHEN octet_length(t0."note") > 4000 THEN CASE WHEN pg_column_size(t0."note") <= 1000000 THEN left(t0."note", 2000) ELSE '' END ELSE t0."note" END) COLLATE pg_catalog."default")))::text COLLATE "C"), 6250)::text ELSE ((upper(((CASE WHEN octet_length(t0."note") > 4000 THEN CASE WHEN pg_column_size(t0."note") <= 1000000 THEN left(t0."note", 2000) ELSE '' END ELSE t0."note" END) COLLATE pg_catalog."default")))::text COLLATE "C") END) AS x2, ((left(((CASE WHEN octet_length(t0."note") > 4000 THEN CASE WHEN pg_column_size(t0."note") <= 1000000 THEN left(t0."note", 2000) ELSE '' END ELSE t0."note" END) COLLATE pg_catalog."default"), 3))::text COLLATE "C") AS x3, (CASE WHEN octet_length(((lower(((CASE WHEN octet_length(t0."note") > 4000 THEN CASE WHEN pg_column_size(t0."note") <= 1000000 THEN left(t0."note", 2000) ELSE '' END ELSE t0."note" END) COLLATE pg_catalog."default")))::text COLLATE "C")) > 6250 THEN left(((lower(((CASE WHEN octet_length(t0."note") > 4000 THEN CASE WHEN pg_column_size(t0."note") <= 1000000 THEN left(t0."note", 2000) ELSE '' END ELSE t0."note" END) COLLATE pg_catalog."default")))::text COLLATE "C"), 6250)::text ELSE ((lower(((CASE WHEN octet_length(t0."note") > 4000 THEN CASE WHEN pg_column_size(t0."note") <= 1000000 THEN left(t0."note", 2000) ELSE '' END ELSE t0."note" END) COLLATE pg_catalog."default")))::text COLLATE "C") END) AS x4 FROM ((SELECT m."visit_id", m."patient_id", m."region", m."visited_at", m."paid_at", m."day", m."minutes", m."cost", m."score", m."urgent", m."diagnosis", m."note", m."took", m."details", m."tags" FROM "public"."visits" AS m WHERE NOT EXISTS (SELECT FROM many_d309dd02df23f5c9 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"]) OFFSET 0) UNION ALL (SELECT "visit_id", "patient_id", "region", "visited_at", "paid_at", "day", "minutes", "cost", "score", "urgent", "diagnosis", "note", "took", "details", "tags" FROM (SELECT m."visit_id", m."patient_id", m."region", m."visited_at", m."paid_at", m."day", m."minutes", m."cost", m."score", m."urgent", m."diagnosis", m."note", m."took", m."details", m."tags", row_number() OVER (PARTITION BY m."patient_id" ORDER BY m."visit_id") AS place0 FROM "public"."visits" AS m WHERE EXISTS (SELECT FROM many_d309dd02df23f5c9 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"])) AS r WHERE r.place0 <= 2000 OFFSET 0)) AS t0) AS r GROUP BY 1, 2, 3, 4, 5, 6) AS counted) AS per_unit WINDOW w AS (PARTITION BY unit ORDER BY h, k0, k1, k2, k3 ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING)) AS sized) AS scaled GROUP BY 1, 2, 3, 4) AS measured

SELECT extract(hour FROM at), count(*) FROM readings GROUP BY 1;
--> path: unique
--> declared keys: SELECT DISTINCT d0.c0 AS k0 FROM (SELECT s::numeric AS c0 FROM generate_series(0, 23) AS s UNION ALL SELECT NULL) AS d0 LIMIT 100001
--> Differentially private aggregate of public.readings
-->   Privacy unit: patient, by public.readings.patient_id
-->   Contribution: one row per unit, proven by a unique key of the source; no unit is scaled down
-->   Group keys: EXTRACT(HOUR FROM at): declared (hour of a time); each declared key is answered, empty ones as noise around 0; rows with other values of EXTRACT(HOUR FROM at) are in no group
-->   Noisy number 1: rows; standard deviation 10, 95 % of the noise within ±20
-->   count(*): from noisy number 1
-->   95 % of the noise: count(*) within ±20 rows
-->   Noise intervals (dp.low, dp.high): cover everything, nothing is clipped
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.readings.at, public.readings.patient_id
--> rests on: public.readings (patient_id)
--> work of a row: 2030 ns
--> source: SELECT x0 AS k0, count(*) AS s0 FROM (SELECT round(extract(hour from t0."at"), 0) AS x0 FROM "public"."readings" AS t0) AS r GROUP BY 1

SELECT date_part('minute', at), count(*) FROM readings GROUP BY 1;
--> path: unique
--> declared keys: SELECT DISTINCT d0.c0 AS k0 FROM (SELECT s::double precision AS c0 FROM generate_series(0, 59) AS s UNION ALL SELECT NULL) AS d0 LIMIT 100001
--> Differentially private aggregate of public.readings
-->   Privacy unit: patient, by public.readings.patient_id
-->   Contribution: one row per unit, proven by a unique key of the source; no unit is scaled down
-->   Group keys: date_part('minute', at): declared (minute of a time); every key is answered, empty ones as noise around 0
-->   Noisy number 1: rows; standard deviation 10, 95 % of the noise within ±20
-->   count(*): from noisy number 1
-->   95 % of the noise: count(*) within ±20 rows
-->   Noise intervals (dp.low, dp.high): cover everything, nothing is clipped
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.readings.at, public.readings.patient_id
--> rests on: public.readings (patient_id)
--> work of a row: 2030 ns
--> source: SELECT x0 AS k0, count(*) AS s0 FROM (SELECT (extract(minute from t0."at")::double precision + 0::double precision) AS x0 FROM "public"."readings" AS t0) AS r GROUP BY 1

SELECT patient_id % 2 = 0 AS even, count(*) FROM visits GROUP BY 1;
--> path: general
--> declared keys: SELECT DISTINCT d0.c0 AS k0 FROM (SELECT v.c0 FROM (VALUES (true), (false)) AS v(c0)) AS d0 LIMIT 100001
--> Differentially private aggregate of public.visits
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows per group, squared and summed <= 500)
-->   Group keys: patient_id % 2 = 0: declared (true and false of a condition); every key is answered, empty ones as noise around 0
-->   Noisy number 1: rows; standard deviation 223.607, 95 % of the noise within ±438.262
-->   count(*): from noisy number 1
-->   95 % of the noise: count(*) within ±438 rows
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.visits.patient_id
--> rests on: public.visits (visit_id)
--> work of a row: 350 ns
--> source: WITH heavy AS MATERIALIZED (SELECT unit FROM (SELECT t0."patient_id" AS unit FROM "public"."visits" AS t0 ORDER BY 1) AS r GROUP BY unit HAVING count(*) > 22) SELECT k0, sum(v0) AS v0 FROM (SELECT x0 AS k0, count(*)::numeric * 1024 AS v0 FROM (SELECT ((t0."patient_id"::bigint % NULLIF(2::bigint, 0)) = 0) AS x0 FROM "public"."visits" AS t0 WHERE NOT EXISTS (SELECT FROM heavy AS h WHERE h.unit = t0."patient_id")) AS r GROUP BY 1 UNION ALL SELECT k0, sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, sum(n * n) OVER w AS q FROM (SELECT unit, k0, LEAST(n, 3037000499) AS n, LEAST(n, 3037000499) AS v0 FROM (SELECT x0 AS unit, x1 AS k0, count(*) AS n FROM (SELECT t0."patient_id" AS x0, ((t0."patient_id"::bigint % NULLIF(2::bigint, 0)) = 0) AS x1 FROM "public"."visits" AS t0 WHERE EXISTS (SELECT FROM heavy AS h WHERE h.unit = t0."patient_id")) AS r GROUP BY 1, 2) AS counted) AS per_unit WINDOW w AS (PARTITION BY unit)) AS sized) AS scaled GROUP BY 1) AS parts GROUP BY 1

SELECT mod(patient_id, -7) IN (0, 1) AS first, count(*) FROM visits GROUP BY 1;
--> path: general
--> declared keys: SELECT DISTINCT d0.c0 AS k0 FROM (SELECT v.c0 FROM (VALUES (true), (false)) AS v(c0)) AS d0 LIMIT 100001
--> Differentially private aggregate of public.visits
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows per group, squared and summed <= 500)
-->   Group keys: mod(patient_id, -7) IN (0, 1): declared (true and false of a condition); every key is answered, empty ones as noise around 0
-->   Noisy number 1: rows; standard deviation 223.607, 95 % of the noise within ±438.262
-->   count(*): from noisy number 1
-->   95 % of the noise: count(*) within ±438 rows
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.visits.patient_id
--> rests on: public.visits (visit_id)
--> work of a row: 730 ns
--> source: WITH heavy AS MATERIALIZED (SELECT unit FROM (SELECT t0."patient_id" AS unit FROM "public"."visits" AS t0 ORDER BY 1) AS r GROUP BY unit HAVING count(*) > 22) SELECT k0, sum(v0) AS v0 FROM (SELECT x0 AS k0, count(*)::numeric * 1024 AS v0 FROM (SELECT ((t0."patient_id"::bigint % NULLIF((- 7)::bigint, 0)) IN (0, 1)) AS x0 FROM "public"."visits" AS t0 WHERE NOT EXISTS (SELECT FROM heavy AS h WHERE h.unit = t0."patient_id")) AS r GROUP BY 1 UNION ALL SELECT k0, sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, sum(n * n) OVER w AS q FROM (SELECT unit, k0, LEAST(n, 3037000499) AS n, LEAST(n, 3037000499) AS v0 FROM (SELECT x0 AS unit, x1 AS k0, count(*) AS n FROM (SELECT t0."patient_id" AS x0, ((t0."patient_id"::bigint % NULLIF((- 7)::bigint, 0)) IN (0, 1)) AS x1 FROM "public"."visits" AS t0 WHERE EXISTS (SELECT FROM heavy AS h WHERE h.unit = t0."patient_id")) AS r GROUP BY 1, 2) AS counted) AS per_unit WINDOW w AS (PARTITION BY unit)) AS sized) AS scaled GROUP BY 1) AS parts GROUP BY 1

SELECT patient_id % 0 = 0 AS even, count(*) FROM visits GROUP BY 1;
--> path: general
--> declared keys: SELECT DISTINCT d0.c0 AS k0 FROM (SELECT v.c0 FROM (VALUES (true), (false), (NULL)) AS v(c0)) AS d0 LIMIT 100001
--> Differentially private aggregate of public.visits
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows per group, squared and summed <= 500)
-->   Group keys: patient_id % 0 = 0: declared (true, false and NULL of a condition); every key is answered, empty ones as noise around 0
-->   Noisy number 1: rows; standard deviation 223.607, 95 % of the noise within ±438.262
-->   count(*): from noisy number 1
-->   95 % of the noise: count(*) within ±438 rows
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.visits.patient_id
--> rests on: public.visits (visit_id)
--> work of a row: 350 ns
--> source: WITH heavy AS MATERIALIZED (SELECT unit FROM (SELECT t0."patient_id" AS unit FROM "public"."visits" AS t0 ORDER BY 1) AS r GROUP BY unit HAVING count(*) > 22) SELECT k0, sum(v0) AS v0 FROM (SELECT x0 AS k0, count(*)::numeric * 1024 AS v0 FROM (SELECT ((t0."patient_id"::bigint % NULLIF(0::bigint, 0)) = 0) AS x0 FROM "public"."visits" AS t0 WHERE NOT EXISTS (SELECT FROM heavy AS h WHERE h.unit = t0."patient_id")) AS r GROUP BY 1 UNION ALL SELECT k0, sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, sum(n * n) OVER w AS q FROM (SELECT unit, k0, LEAST(n, 3037000499) AS n, LEAST(n, 3037000499) AS v0 FROM (SELECT x0 AS unit, x1 AS k0, count(*) AS n FROM (SELECT t0."patient_id" AS x0, ((t0."patient_id"::bigint % NULLIF(0::bigint, 0)) = 0) AS x1 FROM "public"."visits" AS t0 WHERE EXISTS (SELECT FROM heavy AS h WHERE h.unit = t0."patient_id")) AS r GROUP BY 1, 2) AS counted) AS per_unit WINDOW w AS (PARTITION BY unit)) AS sized) AS scaled GROUP BY 1) AS parts GROUP BY 1

SELECT 7 % patient_id = 0 AS divides, count(*) FROM visits GROUP BY 1;
--> path: general
--> declared keys: SELECT DISTINCT d0.c0 AS k0 FROM (SELECT v.c0 FROM (VALUES (true), (false), (NULL)) AS v(c0)) AS d0 LIMIT 100001
--> Differentially private aggregate of public.visits
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows per group, squared and summed <= 500)
-->   Group keys: 7 % patient_id = 0: declared (true, false and NULL of a condition); every key is answered, empty ones as noise around 0
-->   Noisy number 1: rows; standard deviation 223.607, 95 % of the noise within ±438.262
-->   count(*): from noisy number 1
-->   95 % of the noise: count(*) within ±438 rows
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.visits.patient_id
--> rests on: public.visits (visit_id)
--> work of a row: 350 ns
--> source: WITH heavy AS MATERIALIZED (SELECT unit FROM (SELECT t0."patient_id" AS unit FROM "public"."visits" AS t0 ORDER BY 1) AS r GROUP BY unit HAVING count(*) > 22) SELECT k0, sum(v0) AS v0 FROM (SELECT x0 AS k0, count(*)::numeric * 1024 AS v0 FROM (SELECT ((7::bigint % NULLIF(t0."patient_id"::bigint, 0)) = 0) AS x0 FROM "public"."visits" AS t0 WHERE NOT EXISTS (SELECT FROM heavy AS h WHERE h.unit = t0."patient_id")) AS r GROUP BY 1 UNION ALL SELECT k0, sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, sum(n * n) OVER w AS q FROM (SELECT unit, k0, LEAST(n, 3037000499) AS n, LEAST(n, 3037000499) AS v0 FROM (SELECT x0 AS unit, x1 AS k0, count(*) AS n FROM (SELECT t0."patient_id" AS x0, ((7::bigint % NULLIF(t0."patient_id"::bigint, 0)) = 0) AS x1 FROM "public"."visits" AS t0 WHERE EXISTS (SELECT FROM heavy AS h WHERE h.unit = t0."patient_id")) AS r GROUP BY 1, 2) AS counted) AS per_unit WINDOW w AS (PARTITION BY unit)) AS sized) AS scaled GROUP BY 1) AS parts GROUP BY 1

SELECT v.patient_id % 2 = 0 AS even, count(*) FROM patients p LEFT JOIN visits v ON v.patient_id = p.patient_id GROUP BY 1;
--> path: general
--> declared keys: SELECT DISTINCT d0.c0 AS k0 FROM (SELECT v.c0 FROM (VALUES (true), (false), (NULL)) AS v(c0)) AS d0 LIMIT 100001
--> Differentially private aggregate of public.patients joined with public.visits
-->   Privacy unit: patient, by public.patients.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows per group, squared and summed <= 500)
-->   Group keys: v.patient_id % 2 = 0: declared (true, false and NULL of a condition); every key is answered, empty ones as noise around 0
-->   Noisy number 1: rows; standard deviation 223.607, 95 % of the noise within ±438.262
-->   count(*): from noisy number 1
-->   95 % of the noise: count(*) within ±438 rows
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.patients.patient_id, public.visits.patient_id
--> rests on: public.patients (patient_id)
--> work of a row: 530 ns
--> source: WITH heavy AS MATERIALIZED (SELECT unit FROM (SELECT t0."patient_id" AS unit FROM "public"."patients" AS t0 LEFT JOIN "public"."visits" AS t1 ON (t0."patient_id" = t1."patient_id") ORDER BY 1) AS r GROUP BY unit HAVING count(*) > 22) SELECT k0, sum(v0) AS v0 FROM (SELECT x0 AS k0, count(*)::numeric * 1024 AS v0 FROM (SELECT ((t1."patient_id"::bigint % NULLIF(2::bigint, 0)) = 0) AS x0 FROM "public"."patients" AS t0 LEFT JOIN "public"."visits" AS t1 ON (t0."patient_id" = t1."patient_id") WHERE NOT EXISTS (SELECT FROM heavy AS h WHERE h.unit = t0."patient_id")) AS r GROUP BY 1 UNION ALL SELECT k0, sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, sum(n * n) OVER w AS q FROM (SELECT unit, k0, LEAST(n, 3037000499) AS n, LEAST(n, 3037000499) AS v0 FROM (SELECT x0 AS unit, x1 AS k0, count(*) AS n FROM (SELECT t0."patient_id" AS x0, ((t1."patient_id"::bigint % NULLIF(2::bigint, 0)) = 0) AS x1 FROM "public"."patients" AS t0 LEFT JOIN "public"."visits" AS t1 ON (t0."patient_id" = t1."patient_id") WHERE EXISTS (SELECT FROM heavy AS h WHERE h.unit = t0."patient_id")) AS r GROUP BY 1, 2) AS counted) AS per_unit WINDOW w AS (PARTITION BY unit)) AS sized) AS scaled GROUP BY 1) AS parts GROUP BY 1
