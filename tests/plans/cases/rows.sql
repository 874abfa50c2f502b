SELECT count(*) FROM visits WHERE cost > 100 AND (diagnosis = 'flu' OR urgent);
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
--> reads: public.visits.cost, public.visits.diagnosis, public.visits.patient_id, public.visits.urgent
--> rests on: public.visits (visit_id)
--> work of a row: 28378 ns
--> source: SELECT sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, n * n AS q FROM (SELECT unit, LEAST(n, 3037000499) AS n, LEAST(n, 3037000499) AS v0 FROM (SELECT x0 AS unit, count(*) AS n FROM (SELECT t0."patient_id" AS x0 FROM "public"."visits" AS t0 WHERE ((((CASE WHEN octet_length(t0."diagnosis") > 4000 THEN CASE WHEN pg_column_size(t0."diagnosis") <= 1000000 THEN left(t0."diagnosis", 2000) ELSE '' END ELSE t0."diagnosis" END) = 'flu') OR t0."urgent") AND (t0."cost" > 100)) ORDER BY 1) AS r GROUP BY 1) AS counted) AS per_unit) AS sized) AS scaled

SELECT count(*) FROM visits WHERE patient_id = 42;
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
--> work of a row: 150 ns
--> source: SELECT sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, n * n AS q FROM (SELECT unit, LEAST(n, 3037000499) AS n, LEAST(n, 3037000499) AS v0 FROM (SELECT x0 AS unit, count(*) AS n FROM (SELECT t0."patient_id" AS x0 FROM "public"."visits" AS t0 WHERE (t0."patient_id" = 42) ORDER BY 1) AS r GROUP BY 1) AS counted) AS per_unit) AS sized) AS scaled

SELECT count(*) FROM visits WHERE note LIKE 'a%' AND NOT urgent;
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
--> reads: public.visits.note, public.visits.patient_id, public.visits.urgent
--> rests on: public.visits (visit_id)
--> work of a row: 49070 ns
--> source: SELECT sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, n * n AS q FROM (SELECT unit, LEAST(n, 3037000499) AS n, LEAST(n, 3037000499) AS v0 FROM (SELECT x0 AS unit, count(*) AS n FROM (SELECT t0."patient_id" AS x0 FROM "public"."visits" AS t0 WHERE ((((CASE WHEN octet_length(t0."note") > 4000 THEN CASE WHEN pg_column_size(t0."note") <= 1000000 THEN left(t0."note", 2000) ELSE '' END ELSE t0."note" END) COLLATE pg_catalog."default") LIKE 'a%') AND (NOT t0."urgent")) ORDER BY 1) AS r GROUP BY 1) AS counted) AS per_unit) AS sized) AS scaled

SELECT count(*) FROM patients p JOIN visits v ON v.patient_id = p.patient_id;
--> path: single group
--> Differentially private aggregate of public.patients joined with public.visits
-->   Privacy unit: patient, by public.patients.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows per group, squared and summed <= 500)
-->   Group keys: none, one row
-->   Noisy number 1: rows; standard deviation 223.607, 95 % of the noise within ±438.262
-->   count(*): from noisy number 1
-->   95 % of the noise: count(*) within ±438 rows
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.patients.patient_id, public.visits.patient_id
--> rests on: public.patients (patient_id)
--> rests on: public.visits (visit_id)
--> work of a row: 180 ns
--> source: SELECT sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, n * n AS q FROM (SELECT unit, LEAST(n, 3037000499) AS n, LEAST(n, 3037000499) AS v0 FROM (SELECT x0 AS unit, count(*) AS n FROM (SELECT t0."patient_id" AS x0 FROM "public"."patients" AS t0 INNER JOIN "public"."visits" AS t1 ON (t0."patient_id" = t1."patient_id") ORDER BY 1) AS r GROUP BY 1) AS counted) AS per_unit) AS sized) AS scaled

SELECT p.region, avg(v.cost) FROM patients p JOIN visits v USING (patient_id) GROUP BY p.region;
--> path: general
--> declared keys: SELECT DISTINCT d0.c0 AS k0 FROM (SELECT DISTINCT "name"::text AS c0 FROM "public"."regions" WHERE "name" IS NOT NULL UNION ALL SELECT NULL) AS d0 LIMIT 100001
--> Differentially private aggregate of public.patients joined with public.visits
-->   Privacy unit: patient, by public.patients.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows per group, squared and summed <= 500)
-->   Group keys: p.region: declared (public.regions.name); each declared key is answered, empty ones as noise around 0; rows with other values of p.region are in no group
-->   Noisy number 1: rows where the value is not NULL; standard deviation 316.228, 95 % of the noise within ±619.796
-->   Noisy number 2: sum around 500 of values clamped to [0, 1000] in steps of 0.01; standard deviation 158114, 95 % of the noise within ±309898
-->   avg(v.cost): from noisy numbers 1 and 2; values outside [0, 1000] count as the nearest bound
-->   95 % of the noise: avg(v.cost) within ±438334 / its rows
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down, not values moved to a bound
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.patients.patient_id, public.patients.region, public.visits.cost, public.visits.patient_id
--> rests on: public.patients (patient_id)
--> rests on: public.visits (visit_id)
--> work of a row: 28420 ns
--> source: WITH heavy AS MATERIALIZED (SELECT unit FROM (SELECT t0."patient_id" AS unit FROM "public"."patients" AS t0 INNER JOIN "public"."visits" AS t1 ON t0."patient_id" = t1."patient_id" ORDER BY 1) AS r GROUP BY unit HAVING count(*) > 22) SELECT k0, sum(v0) AS v0, sum(v1) AS v1 FROM (SELECT x0 AS k0, count(NULLIF(x1, 'NaN'))::numeric * 1024 AS v0, (round((sum((CASE WHEN x1 < 0 THEN 0 WHEN x1 <= 1000 THEN x1 WHEN x1 <> 'NaN' THEN 1000 END))::numeric::numeric * 100)) - 50000::numeric * count(NULLIF(x1, 'NaN'))) * 1024 AS v1 FROM (SELECT (((CASE WHEN octet_length(t0."region") > 4000 THEN CASE WHEN pg_column_size(t0."region") <= 1000000 THEN left(t0."region", 2000) ELSE '' END ELSE t0."region" END))::text COLLATE "C") AS x0, t1."cost" AS x1 FROM "public"."patients" AS t0 INNER JOIN "public"."visits" AS t1 ON t0."patient_id" = t1."patient_id" WHERE NOT EXISTS (SELECT FROM heavy AS h WHERE h.unit = t0."patient_id")) AS r GROUP BY 1 UNION ALL SELECT k0, sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0, sum(CASE WHEN scale IS NOT NULL THEN trunc(v1::double precision * scale)::bigint ELSE v1::bigint * 1024 END) AS v1 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, sum(n * n) OVER w AS q FROM (SELECT unit, k0, LEAST(n, 3037000499) AS n, LEAST(s0, 3037000499) AS v0, LEAST(GREATEST((round((coalesce(s1, 0)::numeric::numeric * 100)) - 50000::numeric * c1), -151850024950000), 151850024950000)::bigint AS v1 FROM (SELECT x0 AS unit, x1 AS k0, count(*) AS n, count(NULLIF(x2, 'NaN')) AS s0, sum((CASE WHEN x2 < 0 THEN 0 WHEN x2 <= 1000 THEN x2 WHEN x2 <> 'NaN' THEN 1000 END)) AS s1, count(NULLIF(x2, 'NaN')) AS c1 FROM (SELECT t0."patient_id" AS x0, (((CASE WHEN octet_length(t0."region") > 4000 THEN CASE WHEN pg_column_size(t0."region") <= 1000000 THEN left(t0."region", 2000) ELSE '' END ELSE t0."region" END))::text COLLATE "C") AS x1, t1."cost" AS x2 FROM "public"."patients" AS t0 INNER JOIN "public"."visits" AS t1 ON t0."patient_id" = t1."patient_id" WHERE EXISTS (SELECT FROM heavy AS h WHERE h.unit = t0."patient_id")) AS r GROUP BY 1, 2) AS counted) AS per_unit WINDOW w AS (PARTITION BY unit)) AS sized) AS scaled GROUP BY 1) AS parts GROUP BY 1

SELECT count(*) FROM patients p LEFT JOIN visits v ON v.patient_id = p.patient_id;
--> path: single group
--> Differentially private aggregate of public.patients joined with public.visits
-->   Privacy unit: patient, by public.patients.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows per group, squared and summed <= 500)
-->   Group keys: none, one row
-->   Noisy number 1: rows; standard deviation 223.607, 95 % of the noise within ±438.262
-->   count(*): from noisy number 1
-->   95 % of the noise: count(*) within ±438 rows
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.patients.patient_id, public.visits.patient_id
--> rests on: public.patients (patient_id)
--> work of a row: 180 ns
--> source: SELECT sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, n * n AS q FROM (SELECT unit, LEAST(n, 3037000499) AS n, LEAST(n, 3037000499) AS v0 FROM (SELECT x0 AS unit, count(*) AS n FROM (SELECT t0."patient_id" AS x0 FROM "public"."patients" AS t0 LEFT JOIN "public"."visits" AS t1 ON (t0."patient_id" = t1."patient_id") ORDER BY 1) AS r GROUP BY 1) AS counted) AS per_unit) AS sized) AS scaled

SELECT count(*) FROM patients NATURAL JOIN stays;
--> path: single group
--> Differentially private aggregate of public.patients joined with public.stays
-->   Privacy unit: patient, by public.patients.patient_id
-->   Contribution: units are scaled down to a limit that the query chooses from the data for 1/10 of the price, by their rows
-->   Group keys: none, one row
-->   Noisy number 1: rows; standard deviation 10.5409 times the limit of their rows
-->   count(*): from noisy number 1
-->   95 % of the noise: as wide as the limit that the query chooses makes it; the answer's notice says it
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.patients.patient_id, public.stays.patient_id
--> rests on: public.patients (patient_id)
--> work of a row: 180 ns
--> source: SELECT i, b, sum(a0) AS a0, sum(z0) AS z0, count(*) FILTER (WHERE place = 1 AND adds) AS units FROM (SELECT *, b0 AS b, true AS adds, v0 AS a0, t0 AS z0 FROM (SELECT *, 0 AS i FROM (SELECT *, width_bucket(q0, '{1.0000000000000002,1.5000000000000002,2.0000000000000004,3.0000000000000004,4.000000000000001,6.000000000000001,8.000000000000002,12.000000000000002,16.000000000000004,24.000000000000004,32.00000000000001,48.00000000000001,64.00000000000001,96.00000000000001,128.00000000000003,192.00000000000003,256.00000000000006,384.00000000000006,512.0000000000001,768.0000000000001,1024.0000000000002,1536.0000000000002,2048.0000000000005,3072.0000000000005,4096.000000000001,6144.000000000001,8192.000000000002,12288.000000000002,16384.000000000004,24576.000000000004,32768.00000000001,49152.00000000001,65536.00000000001,98304.00000000001,131072.00000000003,196608.00000000003,262144.00000000006,393216.00000000006,524288.0000000001,786432.0000000001,1048576.0000000002,1572864.0000000002,2097152.0000000005,3145728.0000000005,4194304.000000001,6291456.000000001,8388608.000000002,12582912.000000002,16777216.000000004}'::double precision[]) AS b0, trunc(v0::double precision / NULLIF(q0, 0) * 3221225424.0)::bigint AS t0 FROM (SELECT *, n::double precision AS q0, 1 AS place FROM (SELECT unit, LEAST(n, 3037000499) AS n, LEAST(n, 3037000499) AS v0 FROM (SELECT x0 AS unit, count(*) AS n FROM (SELECT t0."patient_id" AS x0 FROM "public"."patients" AS t0 INNER JOIN "public"."stays" AS t1 ON t0."patient_id" = t1."patient_id" ORDER BY 1) AS r GROUP BY 1) AS counted) AS per_unit) AS sized) AS rows) AS numbered) AS r GROUP BY i, b

SELECT sum(d.dose) FROM drugs d JOIN visits v ON v.visit_id = d.visit_id;
--> path: single group
--> Differentially private aggregate of public.drugs joined with public.visits
-->   Privacy unit: patient, by visit_id -> public.visits.visit_id
-->   Contribution: units are scaled down to a limit that the query chooses from the data for 1/10 of the price, by their own sum(d.dose)
-->   Group keys: none, one row
-->   Noisy number 1: sum of values clamped to [0, 50] in steps of 0.01; standard deviation 10.5409 times the limit of their own sum(d.dose)
-->   sum(d.dose): from noisy number 1; values outside [0, 50] count as the nearest bound
-->   95 % of the noise: as wide as the limit that the query chooses makes it; the answer's notice says it
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down, not values moved to a bound
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.drugs.dose, public.drugs.visit_id, public.visits.patient_id, public.visits.visit_id
--> rests on: public.visits (visit_id)
--> rests on: public.drugs (drug_id)
--> work of a row: 420 ns
--> source: SELECT i, b, sum(a0) AS a0, sum(z0) AS z0, count(*) FILTER (WHERE place = 1 AND adds) AS units FROM (SELECT *, b0 AS b, q0 > 0 AS adds, v0 AS a0, t0 AS z0 FROM (SELECT *, 0 AS i FROM (SELECT *, width_bucket(q0, '{1.0000000000000002,1.5000000000000002,2.0000000000000004,3.0000000000000004,4.000000000000001,6.000000000000001,8.000000000000002,12.000000000000002,16.000000000000004,24.000000000000004,32.00000000000001,48.00000000000001,64.00000000000001,96.00000000000001,128.00000000000003,192.00000000000003,256.00000000000006,384.00000000000006,512.0000000000001,768.0000000000001,1024.0000000000002,1536.0000000000002,2048.0000000000005,3072.0000000000005,4096.000000000001,6144.000000000001,8192.000000000002,12288.000000000002,16384.000000000004,24576.000000000004,32768.00000000001,49152.00000000001,65536.00000000001,98304.00000000001,131072.00000000003,196608.00000000003,262144.00000000006,393216.00000000006,524288.0000000001,786432.0000000001,1048576.0000000002,1572864.0000000002,2097152.0000000005,3145728.0000000005,4194304.000000001,6291456.000000001,8388608.000000002,12582912.000000002,16777216.000000004,25165824.000000004,33554432.00000001,50331648.00000001,67108864.00000001,100663296.00000001,134217728.00000003,201326592.00000003,268435456.00000006,402653184.00000006,536870912.0000001,805306368.0000001,1073741824.0000002,1610612736.0000002,2147483648.0000005,3221225472.0000005,4294967296.000001,6442450944.000001,8589934592.000002,12884901888.000002,17179869184.000004,25769803776.000004,34359738368.00001,51539607552.00001,68719476736.00002,103079215104.00002,137438953472.00003}'::double precision[]) AS b0, trunc(v0::double precision / NULLIF(q0, 0) * 3221225424.0)::bigint AS t0 FROM (SELECT *, abs(v0)::double precision AS q0, 1 AS place FROM (SELECT unit, LEAST(n, 3037000499) AS n, LEAST(GREATEST(round((coalesce(s0, 0)::numeric::numeric * 100)), -15185002495000), 15185002495000)::bigint AS v0 FROM (SELECT x0 AS unit, count(*) AS n, sum((CASE WHEN x1 < 0 THEN 0 WHEN x1 <= 50 THEN x1 WHEN x1 <> 'NaN' THEN 50 END)) AS s0 FROM (SELECT t1."patient_id" AS x0, t0."dose" AS x1 FROM "public"."drugs" AS t0 INNER JOIN "public"."visits" AS t1 ON (t0."visit_id" = t1."visit_id")) AS r GROUP BY 1) AS counted) AS per_unit) AS sized) AS rows) AS numbered) AS r GROUP BY i, b

SELECT d.name, count(*) FROM drugs d JOIN visits v USING (visit_id) JOIN patients p USING (patient_id) GROUP BY d.name;
--> path: general
--> Differentially private aggregate of public.drugs joined with public.visits, public.patients
-->   Privacy unit: patient, by visit_id -> public.visits.visit_id
-->   Contribution: units are scaled down to a limit that the query chooses from the data for 1/10 of the price, by their rows, per group, squared, summed, and the root taken
-->   Group keys: d.name: selected; a group shows if its weighted number of units, with noise, reaches 95.5 (each unit counts in at most 64 groups)
-->   Noisy number 1: rows; standard deviation 14.9071 times the limit of their rows
-->   count(*): from noisy number 1
-->   95 % of the noise: as wide as the limit that the query chooses makes it; the answer's notice says it
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005, delta 5e-10
--> reads: public.drugs.name, public.drugs.visit_id, public.patients.patient_id, public.visits.patient_id, public.visits.visit_id
--> rests on: public.visits (visit_id)
--> rests on: public.patients (patient_id)
--> rests on: public.drugs (drug_id)
--> work of a row: 28360 ns
--> source: WITH found AS (SELECT k0, i, b, sum(a0) AS a0, sum(z0) AS z0, sum(CASE WHEN groups = 1 THEN 1048576 WHEN groups <= 64 OR place <= 64 THEN trunc(1048576 * (1 - 2.0 ^ -30)::double precision / sqrt(LEAST(groups, 64)::double precision))::bigint ELSE 0 END) AS weight, count(*) FILTER (WHERE place = 1 AND adds) AS units FROM (SELECT *, b0 AS b, true AS adds, v0 AS a0, t0 AS z0 FROM (SELECT *, 0 AS i FROM (SELECT *, width_bucket(q0, '{1.0000000000000002,2.2500000000000004,4.000000000000001,9.000000000000002,16.000000000000004,36.00000000000001,64.00000000000001,144.00000000000003,256.00000000000006,576.0000000000001,1024.0000000000002,2304.0000000000005,4096.000000000001,9216.000000000002,16384.000000000004,36864.00000000001,65536.00000000001,147456.00000000003,262144.00000000006,589824.0000000001,1048576.0000000002,2359296.0000000005,4194304.000000001,9437184.000000002,16777216.000000004,37748736.00000001,67108864.00000001,150994944.00000003,268435456.00000006,603979776.0000001,1073741824.0000002,2415919104.0000005,4294967296.000001,9663676416.000002,17179869184.000004,38654705664.00001,68719476736.00002,154618822656.00003,274877906944.00006,618475290624.0001,1099511627776.0002,2473901162496.0005,4398046511104.001,9895604649984.002,17592186044416.004,39582418599936.01,70368744177664.02,158329674399744.03,281474976710656.06}'::double precision[]) AS b0, trunc(v0::double precision / NULLIF(sqrt(q0), 0) * 3221225424.0)::bigint AS t0 FROM (SELECT *, CASE WHEN (sum(n * n) OVER w) < 4611686018427387904 THEN (sum(n * n) OVER w)::bigint::double precision ELSE (sum(n * n) OVER w)::double precision END AS q0, row_number() OVER w AS place, count(*) OVER w AS groups FROM (SELECT unit, h, k0, LEAST(n, 3037000499) AS n, LEAST(n, 3037000499) AS v0 FROM (SELECT x0 AS unit, hashtextextended(coalesce(x1::text, ''), hashtextextended(x0::text, 0)) AS h, x1 AS k0, count(*) AS n FROM (WITH once AS (SELECT) SELECT t1."patient_id" AS x0, (((CASE WHEN octet_length(t0."name") > 4000 THEN CASE WHEN pg_column_size(t0."name") <= 1000000 THEN left(t0."name", 2000) ELSE '' END ELSE t0."name" END))::text COLLATE "C") AS x1 FROM "public"."drugs" AS t0 INNER JOIN "public"."visits" AS t1 ON t0."visit_id" = t1."visit_id" INNER JOIN "public"."patients" AS t2 ON t1."patient_id" = t2."patient_id") AS r GROUP BY 1, 2, 3) AS counted) AS per_unit WINDOW w AS (PARTITION BY unit ORDER BY h, k0 ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING)) AS sized) AS rows) AS numbered) AS r GROUP BY k0, i, b) SELECT k0, i, b, a0, z0, sum(CASE WHEN i = 0 THEN weight END) OVER (PARTITION BY k0) AS weight, NULL::bigint AS units FROM found UNION ALL SELECT NULL, i, b, NULL, NULL, NULL, sum(units)::bigint FROM found WHERE units IS NOT NULL GROUP BY i, b

SELECT count(*) FROM visits a JOIN visits b ON a.patient_id = b.patient_id;
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
--> work of a row: 180 ns
--> source: WITH many_e8fe7e938aead538 AS MATERIALIZED (SELECT m."patient_id" AS unit FROM "public"."visits" AS m WHERE m."patient_id" IS NOT NULL GROUP BY 1 HAVING count(*) > 200) SELECT * FROM (SELECT sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, n * n AS q FROM (SELECT unit, LEAST(n, 3037000499) AS n, LEAST(n, 3037000499) AS v0 FROM (SELECT x0 AS unit, count(*) AS n FROM (SELECT t0."patient_id" AS x0 FROM ((SELECT m."visit_id", m."patient_id", m."region", m."visited_at", m."paid_at", m."day", m."minutes", m."cost", m."score", m."urgent", m."diagnosis", m."note", m."took", m."details", m."tags" FROM "public"."visits" AS m WHERE NOT EXISTS (SELECT FROM many_e8fe7e938aead538 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"])) UNION ALL (SELECT "visit_id", "patient_id", "region", "visited_at", "paid_at", "day", "minutes", "cost", "score", "urgent", "diagnosis", "note", "took", "details", "tags" FROM (SELECT m."visit_id", m."patient_id", m."region", m."visited_at", m."paid_at", m."day", m."minutes", m."cost", m."score", m."urgent", m."diagnosis", m."note", m."took", m."details", m."tags", row_number() OVER (PARTITION BY m."patient_id" ORDER BY m."visit_id") AS place0 FROM "public"."visits" AS m WHERE EXISTS (SELECT FROM many_e8fe7e938aead538 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"])) AS r WHERE r.place0 <= 200)) AS t0 INNER JOIN ((SELECT m."visit_id", m."patient_id", m."region", m."visited_at", m."paid_at", m."day", m."minutes", m."cost", m."score", m."urgent", m."diagnosis", m."note", m."took", m."details", m."tags" FROM "public"."visits" AS m WHERE NOT EXISTS (SELECT FROM many_e8fe7e938aead538 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"])) UNION ALL (SELECT "visit_id", "patient_id", "region", "visited_at", "paid_at", "day", "minutes", "cost", "score", "urgent", "diagnosis", "note", "took", "details", "tags" FROM (SELECT m."visit_id", m."patient_id", m."region", m."visited_at", m."paid_at", m."day", m."minutes", m."cost", m."score", m."urgent", m."diagnosis", m."note", m."took", m."details", m."tags", row_number() OVER (PARTITION BY m."patient_id" ORDER BY m."visit_id") AS place0 FROM "public"."visits" AS m WHERE EXISTS (SELECT FROM many_e8fe7e938aead538 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"])) AS r WHERE r.place0 <= 200)) AS t1 ON (t0."patient_id" = t1."patient_id") AND hashint8((t0."patient_id")::bigint) = hashint8((t1."patient_id")::bigint) ORDER BY 1) AS r GROUP BY 1) AS counted) AS per_unit) AS sized) AS scaled) AS measured

SELECT count(*) FROM visits a JOIN visits b ON a.patient_id = b.patient_id AND a.day < b.day;
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
--> work of a row: 440 ns
--> source: WITH many_e8fe7e938aead538 AS MATERIALIZED (SELECT m."patient_id" AS unit FROM "public"."visits" AS m WHERE m."patient_id" IS NOT NULL GROUP BY 1 HAVING count(*) > 200) SELECT * FROM (SELECT sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, n * n AS q FROM (SELECT unit, LEAST(n, 3037000499) AS n, LEAST(n, 3037000499) AS v0 FROM (SELECT x0 AS unit, count(*) AS n FROM (SELECT t0."patient_id" AS x0 FROM ((SELECT m."visit_id", m."patient_id", m."region", m."visited_at", m."paid_at", m."day", m."minutes", m."cost", m."score", m."urgent", m."diagnosis", m."note", m."took", m."details", m."tags" FROM "public"."visits" AS m WHERE NOT EXISTS (SELECT FROM many_e8fe7e938aead538 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"])) UNION ALL (SELECT "visit_id", "patient_id", "region", "visited_at", "paid_at", "day", "minutes", "cost", "score", "urgent", "diagnosis", "note", "took", "details", "tags" FROM (SELECT m."visit_id", m."patient_id", m."region", m."visited_at", m."paid_at", m."day", m."minutes", m."cost", m."score", m."urgent", m."diagnosis", m."note", m."took", m."details", m."tags", row_number() OVER (PARTITION BY m."patient_id" ORDER BY m."visit_id") AS place0 FROM "public"."visits" AS m WHERE EXISTS (SELECT FROM many_e8fe7e938aead538 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"])) AS r WHERE r.place0 <= 200)) AS t0 INNER JOIN ((SELECT m."visit_id", m."patient_id", m."region", m."visited_at", m."paid_at", m."day", m."minutes", m."cost", m."score", m."urgent", m."diagnosis", m."note", m."took", m."details", m."tags" FROM "public"."visits" AS m WHERE NOT EXISTS (SELECT FROM many_e8fe7e938aead538 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"])) UNION ALL (SELECT "visit_id", "patient_id", "region", "visited_at", "paid_at", "day", "minutes", "cost", "score", "urgent", "diagnosis", "note", "took", "details", "tags" FROM (SELECT m."visit_id", m."patient_id", m."region", m."visited_at", m."paid_at", m."day", m."minutes", m."cost", m."score", m."urgent", m."diagnosis", m."note", m."took", m."details", m."tags", row_number() OVER (PARTITION BY m."patient_id" ORDER BY m."visit_id") AS place0 FROM "public"."visits" AS m WHERE EXISTS (SELECT FROM many_e8fe7e938aead538 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"])) AS r WHERE r.place0 <= 200)) AS t1 ON ((t0."day" < t1."day") AND (t0."patient_id" = t1."patient_id")) AND hashint8((t0."patient_id")::bigint) = hashint8((t1."patient_id")::bigint) ORDER BY 1) AS r GROUP BY 1) AS counted) AS per_unit) AS sized) AS scaled) AS measured

SELECT count(*) FROM visits a, visits b WHERE a.patient_id = b.patient_id AND a.visit_id = b.visit_id;
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
--> reads: public.visits.patient_id, public.visits.visit_id
--> rests on: public.visits (visit_id)
--> work of a row: 380 ns
--> source: SELECT sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, n * n AS q FROM (SELECT unit, LEAST(n, 3037000499) AS n, LEAST(n, 3037000499) AS v0 FROM (SELECT x0 AS unit, count(*) AS n FROM (SELECT t0."patient_id" AS x0 FROM "public"."visits" AS t0 CROSS JOIN "public"."visits" AS t1 INNER JOIN (SELECT) AS tie ON hashint8((t0."patient_id")::bigint) = hashint8((t1."patient_id")::bigint) WHERE ((t0."patient_id" = t1."patient_id") AND (t0."visit_id" = t1."visit_id")) ORDER BY 1) AS r GROUP BY 1) AS counted) AS per_unit) AS sized) AS scaled

SELECT count(*) FROM visits JOIN stays USING (patient_id);
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
--> cut: public.visits to 200 rows: SELECT m."patient_id" AS unit FROM "public"."visits" AS m WHERE m."patient_id" IS NOT NULL GROUP BY 1 HAVING count(*) > 200
--> cut: public.stays to 256 rows: SELECT m."patient_id" AS unit FROM "public"."stays" AS m WHERE m."patient_id" IS NOT NULL GROUP BY 1 HAVING count(*) > 256
--> work of a row: 180 ns
--> source: WITH many_e8fe7e938aead538 AS MATERIALIZED (SELECT m."patient_id" AS unit FROM "public"."visits" AS m WHERE m."patient_id" IS NOT NULL GROUP BY 1 HAVING count(*) > 200), many_78d5fbdb4f6a7395 AS MATERIALIZED (SELECT m."patient_id" AS unit FROM "public"."stays" AS m WHERE m."patient_id" IS NOT NULL GROUP BY 1 HAVING count(*) > 256) SELECT * FROM (SELECT i, b, sum(a0) AS a0, sum(z0) AS z0, count(*) FILTER (WHERE place = 1 AND adds) AS units FROM (SELECT *, b0 AS b, true AS adds, v0 AS a0, t0 AS z0 FROM (SELECT *, 0 AS i FROM (SELECT *, width_bucket(q0, '{1.0000000000000002,1.5000000000000002,2.0000000000000004,3.0000000000000004,4.000000000000001,6.000000000000001,8.000000000000002,12.000000000000002,16.000000000000004,24.000000000000004,32.00000000000001,48.00000000000001,64.00000000000001,96.00000000000001,128.00000000000003,192.00000000000003,256.00000000000006,384.00000000000006,512.0000000000001,768.0000000000001,1024.0000000000002,1536.0000000000002,2048.0000000000005,3072.0000000000005,4096.000000000001,6144.000000000001,8192.000000000002,12288.000000000002,16384.000000000004,24576.000000000004,32768.00000000001,49152.00000000001,65536.00000000001,98304.00000000001,131072.00000000003,196608.00000000003,262144.00000000006,393216.00000000006,524288.0000000001,786432.0000000001,1048576.0000000002,1572864.0000000002,2097152.0000000005,3145728.0000000005,4194304.000000001,6291456.000000001,8388608.000000002,12582912.000000002,16777216.000000004}'::double precision[]) AS b0, trunc(v0::double precision / NULLIF(q0, 0) * 3221225424.0)::bigint AS t0 FROM (SELECT *, n::double precision AS q0, 1 AS place FROM (SELECT unit, LEAST(n, 3037000499) AS n, LEAST(n, 3037000499) AS v0 FROM (SELECT x0 AS unit, count(*) AS n FROM (SELECT t0."patient_id" AS x0 FROM ((SELECT m."visit_id", m."patient_id", m."region", m."visited_at", m."paid_at", m."day", m."minutes", m."cost", m."score", m."urgent", m."diagnosis", m."note", m."took", m."details", m."tags" FROM "public"."visits" AS m WHERE NOT EXISTS (SELECT FROM many_e8fe7e938aead538 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"])) UNION ALL (SELECT "visit_id", "patient_id", "region", "visited_at", "paid_at", "day", "minutes", "cost", "score", "urgent", "diagnosis", "note", "took", "details", "tags" FROM (SELECT m."visit_id", m."patient_id", m."region", m."visited_at", m."paid_at", m."day", m."minutes", m."cost", m."score", m."urgent", m."diagnosis", m."note", m."took", m."details", m."tags", row_number() OVER (PARTITION BY m."patient_id" ORDER BY m."visit_id") AS place0 FROM "public"."visits" AS m WHERE EXISTS (SELECT FROM many_e8fe7e938aead538 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"])) AS r WHERE r.place0 <= 200)) AS t0 INNER JOIN ((SELECT m."patient_id", m."ward", m."nights" FROM "public"."stays" AS m WHERE NOT EXISTS (SELECT FROM many_78d5fbdb4f6a7395 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"])) UNION ALL (SELECT "patient_id", "ward", "nights" FROM (SELECT m."patient_id", m."ward", m."nights", row_number() OVER (PARTITION BY m."patient_id" ORDER BY ROW(m."patient_id", (CASE WHEN octet_length(m."ward") > 4000 THEN CASE WHEN pg_column_size(m."ward") <= 1000000 THEN left(m."ward", 2000) ELSE '' END ELSE m."ward" END), m."nights") USING *<) AS place0 FROM "public"."stays" AS m WHERE EXISTS (SELECT FROM many_78d5fbdb4f6a7395 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"])) AS r WHERE r.place0 <= 256)) AS t1 ON t0."patient_id" = t1."patient_id" AND hashint8((t0."patient_id")::bigint) = hashint8((t1."patient_id")::bigint) ORDER BY 1) AS r GROUP BY 1) AS counted) AS per_unit) AS sized) AS rows) AS numbered) AS r GROUP BY i, b) AS measured

SELECT count(*) FROM visits v JOIN regions r ON r.name = v.region;
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
--> reads: public.regions.name, public.visits.patient_id, public.visits.region
--> rests on: public.regions (name)
--> rests on: public.visits (visit_id)
--> work of a row: 42100 ns
--> source: SELECT sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, n * n AS q FROM (SELECT unit, LEAST(n, 3037000499) AS n, LEAST(n, 3037000499) AS v0 FROM (SELECT x0 AS unit, count(*) AS n FROM (SELECT t0."patient_id" AS x0 FROM "public"."visits" AS t0 INNER JOIN "public"."regions" AS t1 ON (((CASE WHEN octet_length(t0."region") > 4000 THEN CASE WHEN pg_column_size(t0."region") <= 1000000 THEN left(t0."region", 2000) ELSE '' END ELSE t0."region" END) COLLATE pg_catalog."default") = t1."name") ORDER BY 1) AS r GROUP BY 1) AS counted) AS per_unit) AS sized) AS scaled

SELECT count(*) FROM visits v JOIN regions r ON r.zone = v.region;
--> path: single group
--> Differentially private aggregate of public.visits joined with public.regions
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
--> reads: public.regions.zone, public.visits.cost, public.visits.day, public.visits.details, public.visits.diagnosis, public.visits.minutes, public.visits.note, public.visits.paid_at, public.visits.patient_id, public.visits.region, public.visits.score, public.visits.tags, public.visits.took, public.visits.urgent, public.visits.visit_id, public.visits.visited_at
--> cut: public.visits to 2000 rows: SELECT m."patient_id" AS unit FROM "public"."visits" AS m WHERE m."patient_id" IS NOT NULL GROUP BY 1 HAVING count(*) > 2000
--> work of a row: 60100 ns
--> source: WITH many_d309dd02df23f5c9 AS MATERIALIZED (SELECT m."patient_id" AS unit FROM "public"."visits" AS m WHERE m."patient_id" IS NOT NULL GROUP BY 1 HAVING count(*) > 2000) SELECT * FROM (SELECT sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, n * n AS q FROM (SELECT unit, LEAST(n, 3037000499) AS n, LEAST(n, 3037000499) AS v0 FROM (SELECT x0 AS unit, count(*) AS n FROM (SELECT t0."patient_id" AS x0 FROM ((SELECT m."visit_id", m."patient_id", m."region", m."visited_at", m."paid_at", m."day", m."minutes", m."cost", m."score", m."urgent", m."diagnosis", m."note", m."took", m."details", m."tags" FROM "public"."visits" AS m WHERE NOT EXISTS (SELECT FROM many_d309dd02df23f5c9 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"]) OFFSET 0) UNION ALL (SELECT "visit_id", "patient_id", "region", "visited_at", "paid_at", "day", "minutes", "cost", "score", "urgent", "diagnosis", "note", "took", "details", "tags" FROM (SELECT m."visit_id", m."patient_id", m."region", m."visited_at", m."paid_at", m."day", m."minutes", m."cost", m."score", m."urgent", m."diagnosis", m."note", m."took", m."details", m."tags", row_number() OVER (PARTITION BY m."patient_id" ORDER BY m."visit_id") AS place0 FROM "public"."visits" AS m WHERE EXISTS (SELECT FROM many_d309dd02df23f5c9 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"])) AS r WHERE r.place0 <= 2000 OFFSET 0)) AS t0 INNER JOIN "public"."regions" AS t1 ON (((CASE WHEN octet_length(t0."region") > 4000 THEN CASE WHEN pg_column_size(t0."region") <= 1000000 THEN left(t0."region", 2000) ELSE '' END ELSE t0."region" END) COLLATE pg_catalog."default") = (CASE WHEN octet_length(t1."zone") > 4000 THEN CASE WHEN pg_column_size(t1."zone") <= 1000000 THEN left(t1."zone", 2000) ELSE '' END ELSE t1."zone" END)) ORDER BY 1) AS r GROUP BY 1) AS counted) AS per_unit) AS sized) AS scaled) AS measured

SELECT count(*) FROM visits v, regions r;
--> path: single group
--> Differentially private aggregate of public.visits joined with public.regions
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
--> reads: public.visits.patient_id
--> work of a row: 0 ns
--> source: SELECT sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, n * n AS q FROM (SELECT unit, LEAST(n, 3037000499) AS n, LEAST(n, 3037000499) AS v0 FROM (SELECT x0 AS unit, count(*) AS n FROM (SELECT t0."patient_id" AS x0 FROM "public"."visits" AS t0 CROSS JOIN "public"."regions" AS t1 ORDER BY 1) AS r GROUP BY 1) AS counted) AS per_unit) AS sized) AS scaled

SELECT count(*) FROM visits v LEFT JOIN prices p ON p.code = v.note;
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
--> work of a row: 42100 ns
--> source: SELECT sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, n * n AS q FROM (SELECT unit, LEAST(n, 3037000499) AS n, LEAST(n, 3037000499) AS v0 FROM (SELECT x0 AS unit, count(*) AS n FROM (SELECT t0."patient_id" AS x0 FROM "public"."visits" AS t0 LEFT JOIN "public"."prices" AS t1 ON (((CASE WHEN octet_length(t0."note") > 4000 THEN CASE WHEN pg_column_size(t0."note") <= 1000000 THEN left(t0."note", 2000) ELSE '' END ELSE t0."note" END) COLLATE pg_catalog."default") = t1."code") ORDER BY 1) AS r GROUP BY 1) AS counted) AS per_unit) AS sized) AS scaled

SELECT sum(p.amount) FROM visits v JOIN prices p ON p.code = v.note;
--> path: single group
--> Differentially private aggregate of public.visits joined with public.prices
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows per group, squared and summed <= 500)
-->   Group keys: none, one row
-->   Noisy number 1: sum of values clamped to [0.5, 20] in steps of 0.01; standard deviation 4472.14, 95 % of the noise within ±8765.23
-->   sum(p.amount): from noisy number 1; values outside [0.5, 20] count as the nearest bound
-->   95 % of the noise: sum(p.amount) within ±8765.23
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down, not values moved to a bound
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.prices.amount, public.prices.code, public.visits.note, public.visits.patient_id
--> rests on: public.prices (code)
--> rests on: public.visits (visit_id)
--> work of a row: 42340 ns
--> source: SELECT sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, n * n AS q FROM (SELECT unit, LEAST(n, 3037000499) AS n, LEAST(GREATEST(round((coalesce(s0, 0)::numeric::numeric * 100)), -6074000998000), 6074000998000)::bigint AS v0 FROM (SELECT x0 AS unit, count(*) AS n, sum((CASE WHEN x1 < 0.5 THEN 0.5 WHEN x1 <= 20 THEN x1 WHEN x1 <> 'NaN' THEN 20 END)) AS s0 FROM (SELECT t0."patient_id" AS x0, t1."amount" AS x1 FROM "public"."visits" AS t0 INNER JOIN "public"."prices" AS t1 ON (((CASE WHEN octet_length(t0."note") > 4000 THEN CASE WHEN pg_column_size(t0."note") <= 1000000 THEN left(t0."note", 2000) ELSE '' END ELSE t0."note" END) COLLATE pg_catalog."default") = t1."code")) AS r GROUP BY 1) AS counted) AS per_unit) AS sized) AS scaled

SELECT sum(least(greatest(p.amount, 0), 50)) FROM visits v JOIN prices p ON p.code = v.note;
--> path: single group
--> Differentially private aggregate of public.visits joined with public.prices
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows per group, squared and summed <= 500)
-->   Group keys: none, one row
-->   Noisy number 1: sum of values clamped to [0, 20] in steps of 0.01; standard deviation 4472.14, 95 % of the noise within ±8765.23
-->   sum(least(greatest(p.amount, 0), 50)): from noisy number 1; values outside [0, 20] count as the nearest bound
-->   95 % of the noise: sum(least(greatest(p.amount, 0), 50)) within ±8765.23
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down, not values moved to a bound
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.prices.amount, public.prices.code, public.visits.note, public.visits.patient_id
--> rests on: public.prices (code)
--> rests on: public.visits (visit_id)
--> work of a row: 43505 ns
--> source: SELECT sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, n * n AS q FROM (SELECT unit, LEAST(n, 3037000499) AS n, LEAST(GREATEST(round((coalesce(s0, 0)::numeric::numeric * 100)), -6074000998000), 6074000998000)::bigint AS v0 FROM (SELECT x0 AS unit, count(*) AS n, sum((CASE WHEN x1 < 0 THEN 0 WHEN x1 <= 20 THEN x1 WHEN x1 <> 'NaN' THEN 20 END)) AS s0 FROM (WITH once AS (SELECT) SELECT t0."patient_id" AS x0, least(greatest(t1."amount", 0), 50) AS x1 FROM "public"."visits" AS t0 INNER JOIN "public"."prices" AS t1 ON (((CASE WHEN octet_length(t0."note") > 4000 THEN CASE WHEN pg_column_size(t0."note") <= 1000000 THEN left(t0."note", 2000) ELSE '' END ELSE t0."note" END) COLLATE pg_catalog."default") = t1."code")) AS r GROUP BY 1) AS counted) AS per_unit) AS sized) AS scaled

SELECT count(*) FROM patients p FULL JOIN visits v ON v.patient_id = p.patient_id;
--> path: single group
--> Differentially private aggregate of public.patients joined with public.visits
-->   Privacy unit: patient, by public.patients.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows per group, squared and summed <= 500)
-->   Group keys: none, one row
-->   Noisy number 1: rows; standard deviation 223.607, 95 % of the noise within ±438.262
-->   count(*): from noisy number 1
-->   95 % of the noise: count(*) within ±438 rows
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.patients.patient_id, public.visits.patient_id
--> rests on: public.patients (patient_id)
--> work of a row: 180 ns
--> source: SELECT sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, n * n AS q FROM (SELECT unit, LEAST(n, 3037000499) AS n, LEAST(n, 3037000499) AS v0 FROM (SELECT x0 AS unit, count(*) AS n FROM (SELECT COALESCE(t0."patient_id", t1."patient_id") AS x0 FROM "public"."patients" AS t0 FULL JOIN "public"."visits" AS t1 ON (t0."patient_id" = t1."patient_id") WHERE COALESCE(t0."patient_id", t1."patient_id") IS NOT NULL ORDER BY 1) AS r GROUP BY 1) AS counted) AS per_unit) AS sized) AS scaled

SELECT count(*) FROM visits v RIGHT JOIN patients p ON v.patient_id = p.patient_id;
--> path: single group
--> Differentially private aggregate of public.visits joined with public.patients
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows per group, squared and summed <= 500)
-->   Group keys: none, one row
-->   Noisy number 1: rows; standard deviation 223.607, 95 % of the noise within ±438.262
-->   count(*): from noisy number 1
-->   95 % of the noise: count(*) within ±438 rows
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.patients.patient_id, public.visits.patient_id
--> rests on: public.patients (patient_id)
--> work of a row: 180 ns
--> source: SELECT sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, n * n AS q FROM (SELECT unit, LEAST(n, 3037000499) AS n, LEAST(n, 3037000499) AS v0 FROM (SELECT x0 AS unit, count(*) AS n FROM (SELECT t1."patient_id" AS x0 FROM "public"."visits" AS t0 RIGHT JOIN "public"."patients" AS t1 ON (t0."patient_id" = t1."patient_id") ORDER BY 1) AS r GROUP BY 1) AS counted) AS per_unit) AS sized) AS scaled

SELECT count(*) FROM visits v JOIN doctors d ON d.doctor_id = v.patient_id;
--> refused 0A000 private-join: this join could combine rows of more than one privacy unit, of public.visits and of public.doctors

SELECT count(*) FROM visits a JOIN visits b ON a.region = b.region;
--> refused 0A000 private-join: this join could combine rows of more than one privacy unit, of public.visits and of public.visits

SELECT count(*) FROM patients m JOIN patients c ON c.mother_id = m.patient_id;
--> refused 0A000 private-join: this join could combine rows of more than one privacy unit, of public.patients and of public.patients

SELECT avg(total) FROM (SELECT patient_id, least(sum(cost), 1000) AS total FROM visits GROUP BY patient_id) AS t;
--> path: unique
--> Differentially private aggregate of public.visits
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: one row per unit, because a subquery groups by the unit; no unit is scaled down
-->   Group keys: none, one row
-->   Noisy number 1: rows; standard deviation 14.1421, 95 % of the noise within ±28
-->   Noisy number 2: sum around 500 of values clamped to [0, 1000] in steps of 0.01; standard deviation 7071.07, 95 % of the noise within ±13859
-->   avg(total): from noisy numbers 1 and 2; values outside [0, 1000] count as the nearest bound
-->   95 % of the noise: avg(total) within ±19699.6 / its rows
-->   Noise intervals (dp.low, dp.high): cover the noise only, not values moved to a bound
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.visits.cost, public.visits.patient_id
--> rests on: public.visits (visit_id)
--> work of a row: 12763 ns
--> source: SELECT count(*) AS s0, sum((CASE WHEN x0 < 0 THEN 0 WHEN x0 <= 1000 THEN x0 WHEN x0 <> 'NaN' THEN 1000 END)) AS s1, count(NULLIF(x0, 'NaN')) AS c1 FROM (SELECT t0.c1 AS x0 FROM (SELECT t0t0."patient_id" AS unit, t0t0."patient_id" AS c0, least(sum(t0t0."cost"::numeric), 1000) AS c1 FROM "public"."visits" AS t0t0 GROUP BY t0t0."patient_id") AS t0) AS r

SELECT avg(n) FROM (SELECT patient_id, least(count(*), 20) AS n FROM visits GROUP BY patient_id) AS t;
--> path: unique
--> Differentially private aggregate of public.visits
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: one row per unit, because a subquery groups by the unit; no unit is scaled down
-->   Group keys: none, one row
-->   Noisy number 1: rows; standard deviation 14.1421, 95 % of the noise within ±28
-->   Noisy number 2: sum around 10 of values clamped to [1, 20] in steps of 1; standard deviation 141.421, 95 % of the noise within ±278
-->   avg(n): from noisy numbers 1 and 2; values outside [1, 20] count as the nearest bound
-->   95 % of the noise: avg(n) within ±394.568 / its rows
-->   Noise intervals (dp.low, dp.high): cover the noise only, not values moved to a bound
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.visits.patient_id
--> rests on: public.visits (visit_id)
--> work of a row: 12356 ns
--> source: SELECT count(*) AS s0, sum((CASE WHEN x0 < 1 THEN 1 WHEN x0 > 20 THEN 20 ELSE x0 END)) AS s1, count(*) AS c1 FROM (SELECT t0.c1 AS x0 FROM (SELECT t0t0."patient_id" AS unit, t0t0."patient_id" AS c0, least(count(*), 20) AS c1 FROM "public"."visits" AS t0t0 GROUP BY t0t0."patient_id") AS t0) AS r

SELECT n, count(*) FROM (SELECT patient_id, least(count(*), 5) AS n FROM visits GROUP BY patient_id) AS t GROUP BY n;
--> path: unique
--> declared keys: SELECT DISTINCT d0.c0 AS k0 FROM (SELECT s::bigint AS c0 FROM generate_series(1::bigint, 5::bigint) AS s) AS d0 LIMIT 100001
--> Differentially private aggregate of public.visits
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: one row per unit, because a subquery groups by the unit; no unit is scaled down
-->   Group keys: n: declared (1 to 5 of n, others are not shown); each declared key is answered, empty ones as noise around 0; rows with other values of n are in no group
-->   Noisy number 1: rows; standard deviation 10, 95 % of the noise within ±20
-->   count(*): from noisy number 1
-->   95 % of the noise: count(*) within ±20 rows
-->   Noise intervals (dp.low, dp.high): cover everything, nothing is clipped
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.visits.patient_id
--> rests on: public.visits (visit_id)
--> work of a row: 11956 ns
--> source: SELECT x0 AS k0, count(*) AS s0 FROM (SELECT t0.c1 AS x0 FROM (SELECT t0t0."patient_id" AS unit, t0t0."patient_id" AS c0, least(count(*), 5) AS c1 FROM "public"."visits" AS t0t0 GROUP BY t0t0."patient_id") AS t0) AS r GROUP BY 1

SELECT count(*) FROM (SELECT patient_id FROM visits GROUP BY patient_id HAVING count(*) > 3) AS t;
--> path: unique
--> Differentially private aggregate of public.visits
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: one row per unit, because a subquery groups by the unit; no unit is scaled down
-->   Group keys: none, one row
-->   Noisy number 1: rows; standard deviation 10, 95 % of the noise within ±20
-->   count(*): from noisy number 1
-->   95 % of the noise: count(*) within ±20 rows
-->   Noise intervals (dp.low, dp.high): cover everything, nothing is clipped
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.visits.patient_id
--> rests on: public.visits (visit_id)
--> work of a row: 11743 ns
--> source: SELECT count(*) AS s0 FROM (SELECT  FROM (SELECT t0t0."patient_id" AS unit, t0t0."patient_id" AS c0 FROM "public"."visits" AS t0t0 GROUP BY t0t0."patient_id" HAVING (count(*) > 3)) AS t0) AS r

SELECT count(*) FROM (SELECT DISTINCT patient_id, region FROM visits) AS t;
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
--> reads: public.visits.patient_id, public.visits.region
--> rests on: public.visits (visit_id)
--> work of a row: 37543 ns
--> source: SELECT sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, n * n AS q FROM (SELECT unit, LEAST(n, 3037000499) AS n, LEAST(n, 3037000499) AS v0 FROM (SELECT x0 AS unit, count(*) AS n FROM (SELECT t0.unit AS x0 FROM (SELECT DISTINCT t0t0."patient_id" AS unit, t0t0."patient_id" AS c0, ((CASE WHEN octet_length(t0t0."region") > 4000 THEN CASE WHEN pg_column_size(t0t0."region") <= 1000000 THEN left(t0t0."region", 2000) ELSE '' END ELSE t0t0."region" END))::text AS c1 FROM "public"."visits" AS t0t0) AS t0 ORDER BY 1) AS r GROUP BY 1) AS counted) AS per_unit) AS sized) AS scaled

SELECT region, count(*) FROM (SELECT DISTINCT patient_id, region FROM visits) AS t GROUP BY region;
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
--> work of a row: 65543 ns
--> source: WITH heavy AS MATERIALIZED (SELECT unit FROM (SELECT t0.unit AS unit FROM (SELECT DISTINCT t0t0."patient_id" AS unit, t0t0."patient_id" AS c0, ((CASE WHEN octet_length(t0t0."region") > 4000 THEN CASE WHEN pg_column_size(t0t0."region") <= 1000000 THEN left(t0t0."region", 2000) ELSE '' END ELSE t0t0."region" END))::text AS c1 FROM "public"."visits" AS t0t0) AS t0 ORDER BY 1) AS r GROUP BY unit HAVING count(*) > 22) SELECT k0, sum(v0) AS v0 FROM (SELECT x0 AS k0, count(*)::numeric * 1024 AS v0 FROM (SELECT ((t0.c1)::text COLLATE "C") AS x0 FROM (SELECT DISTINCT t0t0."patient_id" AS unit, t0t0."patient_id" AS c0, ((CASE WHEN octet_length(t0t0."region") > 4000 THEN CASE WHEN pg_column_size(t0t0."region") <= 1000000 THEN left(t0t0."region", 2000) ELSE '' END ELSE t0t0."region" END))::text AS c1 FROM "public"."visits" AS t0t0) AS t0 WHERE NOT EXISTS (SELECT FROM heavy AS h WHERE h.unit = t0.unit)) AS r GROUP BY 1 UNION ALL SELECT k0, sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, sum(n * n) OVER w AS q FROM (SELECT unit, k0, LEAST(n, 3037000499) AS n, LEAST(n, 3037000499) AS v0 FROM (SELECT x0 AS unit, x1 AS k0, count(*) AS n FROM (SELECT t0.unit AS x0, ((t0.c1)::text COLLATE "C") AS x1 FROM (SELECT DISTINCT t0t0."patient_id" AS unit, t0t0."patient_id" AS c0, ((CASE WHEN octet_length(t0t0."region") > 4000 THEN CASE WHEN pg_column_size(t0t0."region") <= 1000000 THEN left(t0t0."region", 2000) ELSE '' END ELSE t0t0."region" END))::text AS c1 FROM "public"."visits" AS t0t0) AS t0 WHERE EXISTS (SELECT FROM heavy AS h WHERE h.unit = t0.unit)) AS r GROUP BY 1, 2) AS counted) AS per_unit WINDOW w AS (PARTITION BY unit)) AS sized) AS scaled GROUP BY 1) AS parts GROUP BY 1

SELECT count(*) FROM (SELECT region, count(*) FROM visits GROUP BY region, patient_id) AS t;
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
--> reads: public.visits.patient_id, public.visits.region
--> rests on: public.visits (visit_id)
--> work of a row: 47556 ns
--> source: SELECT sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, n * n AS q FROM (SELECT unit, LEAST(n, 3037000499) AS n, LEAST(n, 3037000499) AS v0 FROM (SELECT x0 AS unit, count(*) AS n FROM (SELECT t0.unit AS x0 FROM (SELECT t0t0."patient_id" AS unit, ((CASE WHEN octet_length(t0t0."region") > 4000 THEN CASE WHEN pg_column_size(t0t0."region") <= 1000000 THEN left(t0t0."region", 2000) ELSE '' END ELSE t0t0."region" END))::text AS c0, count(*) AS c1 FROM "public"."visits" AS t0t0 GROUP BY t0t0."patient_id", ((CASE WHEN octet_length(t0t0."region") > 4000 THEN CASE WHEN pg_column_size(t0t0."region") <= 1000000 THEN left(t0t0."region", 2000) ELSE '' END ELSE t0t0."region" END))::text) AS t0 ORDER BY 1) AS r GROUP BY 1) AS counted) AS per_unit) AS sized) AS scaled

SELECT max(top) FROM (SELECT patient_id, max(cost) AS top, min(day) AS first FROM visits GROUP BY patient_id) AS t;
--> path: unique
--> Differentially private aggregate of public.visits
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: one row per unit, because a subquery groups by the unit; no unit is scaled down
-->   Group keys: none, one row
-->   Choice 1: maximum of 100001 values in steps of 0.01; 95 % of the time it is at most 145.087 units from the rank that is sought; of fewer than about 291 patients it may be any value from 0 to 1000
-->   max(top): from choice 1
-->   Mechanism: exponential; epsilon 0.1 for the block
-->   Price: pure epsilon 0.2, rho 0.005
--> reads: public.visits.cost, public.visits.day, public.visits.patient_id
--> rests on: public.visits (visit_id)
--> work of a row: 22001 ns
--> source: SELECT json_agg(x ORDER BY x) AS candidates, json_agg(weight ORDER BY x) AS weights FROM (SELECT (((CASE WHEN t0.c1 < 0 THEN 0 WHEN t0.c1 <= 1000 THEN t0.c1 WHEN t0.c1 <> 'NaN' THEN 1000 END)::numeric * 100)::integer - 0) AS x, count(*) * 1048576 AS weight FROM (SELECT t0t0."patient_id" AS unit, t0t0."patient_id" AS c0, max(round(t0t0."cost", 2)) AS c1, min(t0t0."day") AS c2 FROM "public"."visits" AS t0t0 GROUP BY t0t0."patient_id") AS t0 WHERE (((CASE WHEN t0.c1 < 0 THEN 0 WHEN t0.c1 <= 1000 THEN t0.c1 WHEN t0.c1 <> 'NaN' THEN 1000 END)::numeric * 100)::integer - 0) IS NOT NULL GROUP BY 1) AS histogram

SELECT count(*) FILTER (WHERE any_urgent) FROM (SELECT patient_id, bool_or(urgent) AS any_urgent FROM visits GROUP BY 1) AS t;
--> path: unique
--> Differentially private aggregate of public.visits
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: one row per unit, because a subquery groups by the unit; no unit is scaled down
-->   Group keys: none, one row
-->   Noisy number 1: rows; standard deviation 10, 95 % of the noise within ±20
-->   count(*) FILTER(WHERE any_urgent): from noisy number 1
-->   95 % of the noise: count(*) FILTER(WHERE any_urgent) within ±20 rows
-->   Noise intervals (dp.low, dp.high): cover everything, nothing is clipped
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.visits.patient_id, public.visits.urgent
--> rests on: public.visits (visit_id)
--> work of a row: 11791 ns
--> source: SELECT count(*) FILTER (WHERE x0) AS s0 FROM (SELECT t0.c1 AS x0 FROM (SELECT t0t0."patient_id" AS unit, t0t0."patient_id" AS c0, bool_or(t0t0."urgent") AS c1 FROM "public"."visits" AS t0t0 GROUP BY t0t0."patient_id") AS t0) AS r

SELECT avg(cost) FROM (SELECT cost, row_number() OVER (PARTITION BY patient_id ORDER BY visited_at) AS n FROM visits) AS t WHERE n = 1;
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
--> reads: public.visits.cost, public.visits.patient_id, public.visits.visit_id, public.visits.visited_at
--> rests on: public.visits (visit_id)
--> work of a row: 11020 ns
--> source: SELECT sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0, sum(CASE WHEN scale IS NOT NULL THEN trunc(v1::double precision * scale)::bigint ELSE v1::bigint * 1024 END) AS v1 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, n * n AS q FROM (SELECT unit, LEAST(n, 3037000499) AS n, LEAST(s0, 3037000499) AS v0, LEAST(GREATEST((round((coalesce(s1, 0)::numeric::numeric * 100)) - 50000::numeric * c1), -151850024950000), 151850024950000)::bigint AS v1 FROM (SELECT x0 AS unit, count(*) AS n, count(NULLIF(x1, 'NaN')) AS s0, sum((CASE WHEN x1 < 0 THEN 0 WHEN x1 <= 1000 THEN x1 WHEN x1 <> 'NaN' THEN 1000 END)) AS s1, count(NULLIF(x1, 'NaN')) AS c1 FROM (SELECT t0.unit AS x0, t0.c0 AS x1 FROM (SELECT t0t0."patient_id" AS unit, t0t0."cost" AS c0, (row_number() OVER (PARTITION BY t0t0."patient_id", t0t0."patient_id" ORDER BY t0t0."visited_at" ASC NULLS LAST, t0t0."visit_id")) AS c1 FROM "public"."visits" AS t0t0) AS t0 WHERE (t0.c1 = 1)) AS r GROUP BY 1) AS counted) AS per_unit) AS sized) AS scaled

SELECT sum(gap) FROM (SELECT least(greatest(minutes - lag(minutes) OVER (PARTITION BY patient_id ORDER BY day), 0), 60) AS gap FROM visits) AS t;
--> path: single group
--> Differentially private aggregate of public.visits
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows per group, squared and summed <= 500)
-->   Group keys: none, one row
-->   Noisy number 1: sum of values clamped to [0, 60] in steps of 1; standard deviation 13416.4, 95 % of the noise within ±26295.7
-->   sum(gap): from noisy number 1; values outside [0, 60] count as the nearest bound
-->   95 % of the noise: sum(gap) within ±26296
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down, not values moved to a bound
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.visits.day, public.visits.minutes, public.visits.patient_id, public.visits.visit_id
--> rests on: public.visits (visit_id)
--> work of a row: 11630 ns
--> source: SELECT sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, n * n AS q FROM (SELECT unit, LEAST(n, 3037000499) AS n, LEAST(GREATEST(round(coalesce(s0, 0)::numeric), -182220029940), 182220029940)::bigint AS v0 FROM (SELECT x0 AS unit, count(*) AS n, sum((CASE WHEN x1 < 0 THEN 0 WHEN x1 > 60 THEN 60 ELSE x1 END)) AS s0 FROM (SELECT t0.unit AS x0, t0.c0 AS x1 FROM (SELECT t0t0."patient_id" AS unit, least(greatest((t0t0."minutes"::bigint - (lag(t0t0."minutes", 1) OVER (PARTITION BY t0t0."patient_id", t0t0."patient_id" ORDER BY t0t0."day" ASC NULLS LAST, t0t0."visit_id"))), 0), 60) AS c0 FROM "public"."visits" AS t0t0) AS t0) AS r GROUP BY 1) AS counted) AS per_unit) AS sized) AS scaled

SELECT count(*) FROM (SELECT rank() OVER (PARTITION BY patient_id ORDER BY cost DESC) AS r FROM visits) AS t WHERE r <= 3;
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
--> reads: public.visits.cost, public.visits.patient_id
--> rests on: public.visits (visit_id)
--> work of a row: 10710 ns
--> source: SELECT sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, n * n AS q FROM (SELECT unit, LEAST(n, 3037000499) AS n, LEAST(n, 3037000499) AS v0 FROM (SELECT x0 AS unit, count(*) AS n FROM (SELECT t0.unit AS x0 FROM (SELECT t0t0."patient_id" AS unit, (rank() OVER (PARTITION BY t0t0."patient_id", t0t0."patient_id" ORDER BY t0t0."cost" DESC NULLS FIRST)) AS c0 FROM "public"."visits" AS t0t0) AS t0 WHERE (t0.c0 <= 3) ORDER BY 1) AS r GROUP BY 1) AS counted) AS per_unit) AS sized) AS scaled

SELECT count(*) FROM (SELECT rank() OVER (ORDER BY cost DESC) AS r FROM visits) AS t WHERE r <= 3;
--> refused 0A000 window-over-units: this window function would read rows of more than one privacy unit

SELECT count(*) FROM (SELECT patient_id FROM visits UNION SELECT patient_id FROM stays) AS t;
--> path: single group
--> Differentially private aggregate of public.visits joined with public.stays
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: units are scaled down to a limit that the query chooses from the data for 1/10 of the price, by their rows
-->   Group keys: none, one row
-->   Noisy number 1: rows; standard deviation 10.5409 times the limit of their rows
-->   count(*): from noisy number 1
-->   95 % of the noise: as wide as the limit that the query chooses makes it; the answer's notice says it
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.stays.patient_id, public.visits.patient_id
--> rests on: public.visits (visit_id)
--> work of a row: 56 ns
--> source: SELECT i, b, sum(a0) AS a0, sum(z0) AS z0, count(*) FILTER (WHERE place = 1 AND adds) AS units FROM (SELECT *, b0 AS b, true AS adds, v0 AS a0, t0 AS z0 FROM (SELECT *, 0 AS i FROM (SELECT *, width_bucket(q0, '{1.0000000000000002,1.5000000000000002,2.0000000000000004,3.0000000000000004,4.000000000000001,6.000000000000001,8.000000000000002,12.000000000000002,16.000000000000004,24.000000000000004,32.00000000000001,48.00000000000001,64.00000000000001,96.00000000000001,128.00000000000003,192.00000000000003,256.00000000000006,384.00000000000006,512.0000000000001,768.0000000000001,1024.0000000000002,1536.0000000000002,2048.0000000000005,3072.0000000000005,4096.000000000001,6144.000000000001,8192.000000000002,12288.000000000002,16384.000000000004,24576.000000000004,32768.00000000001,49152.00000000001,65536.00000000001,98304.00000000001,131072.00000000003,196608.00000000003,262144.00000000006,393216.00000000006,524288.0000000001,786432.0000000001,1048576.0000000002,1572864.0000000002,2097152.0000000005,3145728.0000000005,4194304.000000001,6291456.000000001,8388608.000000002,12582912.000000002,16777216.000000004}'::double precision[]) AS b0, trunc(v0::double precision / NULLIF(q0, 0) * 3221225424.0)::bigint AS t0 FROM (SELECT *, n::double precision AS q0, 1 AS place FROM (SELECT unit, LEAST(n, 3037000499) AS n, LEAST(n, 3037000499) AS v0 FROM (SELECT x0 AS unit, count(*) AS n FROM (SELECT t0.unit AS x0 FROM (SELECT s.unit AS unit, s.c0 AS c0 FROM (SELECT t0lt0."patient_id" AS unit, t0lt0."patient_id" AS c0 FROM "public"."visits" AS t0lt0) AS s UNION SELECT s.unit AS unit, s.c0 AS c0 FROM (SELECT t0rt0."patient_id" AS unit, t0rt0."patient_id" AS c0 FROM "public"."stays" AS t0rt0) AS s) AS t0 ORDER BY 1) AS r GROUP BY 1) AS counted) AS per_unit) AS sized) AS rows) AS numbered) AS r GROUP BY i, b

SELECT count(*) FROM (SELECT patient_id, region FROM visits UNION ALL SELECT patient_id, ward FROM stays) AS t;
--> path: single group
--> Differentially private aggregate of public.visits joined with public.stays
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: units are scaled down to a limit that the query chooses from the data for 1/10 of the price, by their rows
-->   Group keys: none, one row
-->   Noisy number 1: rows; standard deviation 10.5409 times the limit of their rows
-->   count(*): from noisy number 1
-->   95 % of the noise: as wide as the limit that the query chooses makes it; the answer's notice says it
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.stays.patient_id, public.stays.ward, public.visits.patient_id, public.visits.region
--> rests on: public.visits (visit_id)
--> work of a row: 44056 ns
--> source: SELECT i, b, sum(a0) AS a0, sum(z0) AS z0, count(*) FILTER (WHERE place = 1 AND adds) AS units FROM (SELECT *, b0 AS b, true AS adds, v0 AS a0, t0 AS z0 FROM (SELECT *, 0 AS i FROM (SELECT *, width_bucket(q0, '{1.0000000000000002,1.5000000000000002,2.0000000000000004,3.0000000000000004,4.000000000000001,6.000000000000001,8.000000000000002,12.000000000000002,16.000000000000004,24.000000000000004,32.00000000000001,48.00000000000001,64.00000000000001,96.00000000000001,128.00000000000003,192.00000000000003,256.00000000000006,384.00000000000006,512.0000000000001,768.0000000000001,1024.0000000000002,1536.0000000000002,2048.0000000000005,3072.0000000000005,4096.000000000001,6144.000000000001,8192.000000000002,12288.000000000002,16384.000000000004,24576.000000000004,32768.00000000001,49152.00000000001,65536.00000000001,98304.00000000001,131072.00000000003,196608.00000000003,262144.00000000006,393216.00000000006,524288.0000000001,786432.0000000001,1048576.0000000002,1572864.0000000002,2097152.0000000005,3145728.0000000005,4194304.000000001,6291456.000000001,8388608.000000002,12582912.000000002,16777216.000000004}'::double precision[]) AS b0, trunc(v0::double precision / NULLIF(q0, 0) * 3221225424.0)::bigint AS t0 FROM (SELECT *, n::double precision AS q0, 1 AS place FROM (SELECT unit, LEAST(n, 3037000499) AS n, LEAST(n, 3037000499) AS v0 FROM (SELECT x0 AS unit, count(*) AS n FROM (SELECT t0.unit AS x0 FROM (SELECT s.unit AS unit, s.c0 AS c0, (s.c1 COLLATE pg_catalog."default") AS c1 FROM (SELECT t0lt0."patient_id" AS unit, t0lt0."patient_id" AS c0, (CASE WHEN octet_length(t0lt0."region") > 4000 THEN CASE WHEN pg_column_size(t0lt0."region") <= 1000000 THEN left(t0lt0."region", 2000) ELSE '' END ELSE t0lt0."region" END) AS c1 FROM "public"."visits" AS t0lt0) AS s UNION ALL SELECT s.unit AS unit, s.c0 AS c0, (s.c1 COLLATE pg_catalog."default") AS c1 FROM (SELECT t0rt0."patient_id" AS unit, t0rt0."patient_id" AS c0, (CASE WHEN octet_length(t0rt0."ward") > 4000 THEN CASE WHEN pg_column_size(t0rt0."ward") <= 1000000 THEN left(t0rt0."ward", 2000) ELSE '' END ELSE t0rt0."ward" END) AS c1 FROM "public"."stays" AS t0rt0) AS s) AS t0 ORDER BY 1) AS r GROUP BY 1) AS counted) AS per_unit) AS sized) AS rows) AS numbered) AS r GROUP BY i, b

SELECT count(*) FROM (SELECT patient_id FROM visits EXCEPT SELECT patient_id FROM stays) AS t;
--> path: single group
--> Differentially private aggregate of public.visits joined with public.stays
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: units are scaled down to a limit that the query chooses from the data for 1/10 of the price, by their rows
-->   Group keys: none, one row
-->   Noisy number 1: rows; standard deviation 10.5409 times the limit of their rows
-->   count(*): from noisy number 1
-->   95 % of the noise: as wide as the limit that the query chooses makes it; the answer's notice says it
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.stays.patient_id, public.visits.patient_id
--> rests on: public.visits (visit_id)
--> work of a row: 56 ns
--> source: SELECT i, b, sum(a0) AS a0, sum(z0) AS z0, count(*) FILTER (WHERE place = 1 AND adds) AS units FROM (SELECT *, b0 AS b, true AS adds, v0 AS a0, t0 AS z0 FROM (SELECT *, 0 AS i FROM (SELECT *, width_bucket(q0, '{1.0000000000000002,1.5000000000000002,2.0000000000000004,3.0000000000000004,4.000000000000001,6.000000000000001,8.000000000000002,12.000000000000002,16.000000000000004,24.000000000000004,32.00000000000001,48.00000000000001,64.00000000000001,96.00000000000001,128.00000000000003,192.00000000000003,256.00000000000006,384.00000000000006,512.0000000000001,768.0000000000001,1024.0000000000002,1536.0000000000002,2048.0000000000005,3072.0000000000005,4096.000000000001,6144.000000000001,8192.000000000002,12288.000000000002,16384.000000000004,24576.000000000004,32768.00000000001,49152.00000000001,65536.00000000001,98304.00000000001,131072.00000000003,196608.00000000003,262144.00000000006,393216.00000000006,524288.0000000001,786432.0000000001,1048576.0000000002,1572864.0000000002,2097152.0000000005,3145728.0000000005,4194304.000000001,6291456.000000001,8388608.000000002,12582912.000000002,16777216.000000004}'::double precision[]) AS b0, trunc(v0::double precision / NULLIF(q0, 0) * 3221225424.0)::bigint AS t0 FROM (SELECT *, n::double precision AS q0, 1 AS place FROM (SELECT unit, LEAST(n, 3037000499) AS n, LEAST(n, 3037000499) AS v0 FROM (SELECT x0 AS unit, count(*) AS n FROM (SELECT t0.unit AS x0 FROM (SELECT s.unit AS unit, s.c0 AS c0 FROM (SELECT t0lt0."patient_id" AS unit, t0lt0."patient_id" AS c0 FROM "public"."visits" AS t0lt0) AS s EXCEPT SELECT s.unit AS unit, s.c0 AS c0 FROM (SELECT t0rt0."patient_id" AS unit, t0rt0."patient_id" AS c0 FROM "public"."stays" AS t0rt0) AS s) AS t0 ORDER BY 1) AS r GROUP BY 1) AS counted) AS per_unit) AS sized) AS rows) AS numbered) AS r GROUP BY i, b

SELECT count(*) FROM (SELECT patient_id FROM visits INTERSECT ALL SELECT patient_id FROM stays) AS t;
--> path: single group
--> Differentially private aggregate of public.visits joined with public.stays
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: units are scaled down to a limit that the query chooses from the data for 1/10 of the price, by their rows
-->   Group keys: none, one row
-->   Noisy number 1: rows; standard deviation 10.5409 times the limit of their rows
-->   count(*): from noisy number 1
-->   95 % of the noise: as wide as the limit that the query chooses makes it; the answer's notice says it
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.stays.patient_id, public.visits.patient_id
--> rests on: public.visits (visit_id)
--> work of a row: 56 ns
--> source: SELECT i, b, sum(a0) AS a0, sum(z0) AS z0, count(*) FILTER (WHERE place = 1 AND adds) AS units FROM (SELECT *, b0 AS b, true AS adds, v0 AS a0, t0 AS z0 FROM (SELECT *, 0 AS i FROM (SELECT *, width_bucket(q0, '{1.0000000000000002,1.5000000000000002,2.0000000000000004,3.0000000000000004,4.000000000000001,6.000000000000001,8.000000000000002,12.000000000000002,16.000000000000004,24.000000000000004,32.00000000000001,48.00000000000001,64.00000000000001,96.00000000000001,128.00000000000003,192.00000000000003,256.00000000000006,384.00000000000006,512.0000000000001,768.0000000000001,1024.0000000000002,1536.0000000000002,2048.0000000000005,3072.0000000000005,4096.000000000001,6144.000000000001,8192.000000000002,12288.000000000002,16384.000000000004,24576.000000000004,32768.00000000001,49152.00000000001,65536.00000000001,98304.00000000001,131072.00000000003,196608.00000000003,262144.00000000006,393216.00000000006,524288.0000000001,786432.0000000001,1048576.0000000002,1572864.0000000002,2097152.0000000005,3145728.0000000005,4194304.000000001,6291456.000000001,8388608.000000002,12582912.000000002,16777216.000000004}'::double precision[]) AS b0, trunc(v0::double precision / NULLIF(q0, 0) * 3221225424.0)::bigint AS t0 FROM (SELECT *, n::double precision AS q0, 1 AS place FROM (SELECT unit, LEAST(n, 3037000499) AS n, LEAST(n, 3037000499) AS v0 FROM (SELECT x0 AS unit, count(*) AS n FROM (SELECT t0.unit AS x0 FROM (SELECT s.unit AS unit, s.c0 AS c0 FROM (SELECT t0lt0."patient_id" AS unit, t0lt0."patient_id" AS c0 FROM "public"."visits" AS t0lt0) AS s INTERSECT ALL SELECT s.unit AS unit, s.c0 AS c0 FROM (SELECT t0rt0."patient_id" AS unit, t0rt0."patient_id" AS c0 FROM "public"."stays" AS t0rt0) AS s) AS t0 ORDER BY 1) AS r GROUP BY 1) AS counted) AS per_unit) AS sized) AS rows) AS numbered) AS r GROUP BY i, b

SELECT count(*) FROM (SELECT region FROM visits UNION SELECT ward FROM stays) AS t;
--> refused 0A000 row-set-operation: UNION would compare rows of more than one privacy unit

SELECT count(*) FROM (SELECT * FROM visits ORDER BY cost LIMIT 10) AS t;
--> refused 0A000 row-clause: LIMIT is not supported inside an aggregate over private rows

SELECT count(*) FROM patients p WHERE EXISTS (SELECT FROM visits v WHERE v.patient_id = p.patient_id);
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
--> work of a row: 560 ns
--> source: SELECT count(*) AS s0 FROM (SELECT  FROM "public"."patients" AS t0 WHERE EXISTS (SELECT FROM (SELECT DISTINCT s0t0."patient_id" AS k0 FROM "public"."visits" AS s0t0) AS s0d WHERE s0d.k0 = t0."patient_id" AND hashint8((s0d.k0)::bigint) = hashint8((t0."patient_id")::bigint))) AS r

SELECT count(*) FROM patients p WHERE EXISTS (SELECT FROM visits v WHERE v.patient_id = p.patient_id AND v.cost > 100);
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
--> reads: public.patients.patient_id, public.visits.cost, public.visits.patient_id
--> rests on: public.visits (visit_id)
--> rests on: public.patients (patient_id)
--> work of a row: 765 ns
--> source: SELECT count(*) AS s0 FROM (SELECT  FROM "public"."patients" AS t0 WHERE EXISTS (SELECT FROM (SELECT DISTINCT s0t0."patient_id" AS k0 FROM "public"."visits" AS s0t0 WHERE (s0t0."cost" > 100)) AS s0d WHERE s0d.k0 = t0."patient_id" AND hashint8((s0d.k0)::bigint) = hashint8((t0."patient_id")::bigint))) AS r

SELECT count(*) FROM patients p WHERE NOT EXISTS (SELECT FROM visits v WHERE v.patient_id = p.patient_id);
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
--> work of a row: 580 ns
--> source: SELECT count(*) AS s0 FROM (SELECT  FROM "public"."patients" AS t0 WHERE (NOT EXISTS (SELECT FROM (SELECT DISTINCT s0t0."patient_id" AS k0 FROM "public"."visits" AS s0t0) AS s0d WHERE s0d.k0 = t0."patient_id" AND hashint8((s0d.k0)::bigint) = hashint8((t0."patient_id")::bigint)))) AS r

SELECT count(*) FROM patients WHERE patient_id IN (SELECT patient_id FROM visits WHERE urgent);
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
--> reads: public.patients.patient_id, public.visits.patient_id, public.visits.urgent
--> rests on: public.visits (visit_id)
--> rests on: public.patients (patient_id)
--> work of a row: 640 ns
--> source: SELECT count(*) AS s0 FROM (SELECT  FROM "public"."patients" AS t0 WHERE EXISTS (SELECT FROM (SELECT DISTINCT s0t0."patient_id" AS k0 FROM "public"."visits" AS s0t0 WHERE s0t0."urgent") AS s0d WHERE s0d.k0 = t0."patient_id" AND hashint8((s0d.k0)::bigint) = hashint8((t0."patient_id")::bigint))) AS r

SELECT count(*) FROM patients WHERE patient_id NOT IN (SELECT patient_id FROM visits WHERE urgent);
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
--> reads: public.patients.patient_id, public.visits.patient_id, public.visits.urgent
--> rests on: public.visits (visit_id)
--> rests on: public.patients (patient_id)
--> work of a row: 660 ns
--> source: SELECT count(*) AS s0 FROM (SELECT  FROM "public"."patients" AS t0 WHERE (NOT EXISTS (SELECT FROM (SELECT DISTINCT s0t0."patient_id" AS k0 FROM "public"."visits" AS s0t0 WHERE s0t0."urgent") AS s0d WHERE s0d.k0 = t0."patient_id" AND hashint8((s0d.k0)::bigint) = hashint8((t0."patient_id")::bigint)))) AS r

SELECT count(*) FROM visits WHERE region IN (SELECT name FROM regions WHERE zone = 'hill');
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
--> reads: public.regions.name, public.regions.zone, public.visits.patient_id, public.visits.region
--> rests on: public.regions (name)
--> rests on: public.visits (visit_id)
--> work of a row: 70544 ns
--> source: SELECT sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, n * n AS q FROM (SELECT unit, LEAST(n, 3037000499) AS n, LEAST(n, 3037000499) AS v0 FROM (SELECT x0 AS unit, count(*) AS n FROM (SELECT t0."patient_id" AS x0 FROM "public"."visits" AS t0 WHERE EXISTS (SELECT FROM "public"."regions" AS s0t0 WHERE ((CASE WHEN octet_length(s0t0."zone") > 4000 THEN CASE WHEN pg_column_size(s0t0."zone") <= 1000000 THEN left(s0t0."zone", 2000) ELSE '' END ELSE s0t0."zone" END) = 'hill') AND s0t0."name" = ((CASE WHEN octet_length(t0."region") > 4000 THEN CASE WHEN pg_column_size(t0."region") <= 1000000 THEN left(t0."region", 2000) ELSE '' END ELSE t0."region" END) COLLATE pg_catalog."default")) ORDER BY 1) AS r GROUP BY 1) AS counted) AS per_unit) AS sized) AS scaled

SELECT count(*) FROM visits v WHERE EXISTS (SELECT FROM regions r WHERE r.name = v.region AND r.people > 100);
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
--> reads: public.regions.name, public.regions.people, public.visits.patient_id, public.visits.region
--> rests on: public.regions (name)
--> rests on: public.visits (visit_id)
--> work of a row: 42850 ns
--> source: SELECT sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, n * n AS q FROM (SELECT unit, LEAST(n, 3037000499) AS n, LEAST(n, 3037000499) AS v0 FROM (SELECT x0 AS unit, count(*) AS n FROM (SELECT t0."patient_id" AS x0 FROM "public"."visits" AS t0 WHERE EXISTS (SELECT FROM "public"."regions" AS s0t0 WHERE ((((CASE WHEN octet_length(t0."region") > 4000 THEN CASE WHEN pg_column_size(t0."region") <= 1000000 THEN left(t0."region", 2000) ELSE '' END ELSE t0."region" END) COLLATE pg_catalog."default") = s0t0."name") AND (s0t0."people" > 100))) ORDER BY 1) AS r GROUP BY 1) AS counted) AS per_unit) AS sized) AS scaled

SELECT count(*) FROM patients p WHERE EXISTS (SELECT FROM visits v WHERE v.region = p.region);
--> refused 0A000 private-join: this join could combine rows of more than one privacy unit, of public.patients and of public.visits

SELECT count(*) FROM patients p WHERE (SELECT count(*) FROM visits v WHERE v.patient_id = p.patient_id) > 2;
--> path: unique
--> Differentially private aggregate of public.patients joined with public.visits
-->   Privacy unit: patient, by public.patients.patient_id
-->   Contribution: one row per unit, because a subquery groups by the unit; no unit is scaled down
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
--> work of a row: 12256 ns
--> source: SELECT count(*) AS s0 FROM (SELECT  FROM "public"."patients" AS t0 LEFT JOIN (SELECT t1t0."patient_id" AS unit, t1t0."patient_id" AS c0, count(*) AS c1 FROM "public"."visits" AS t1t0 GROUP BY t1t0."patient_id") AS t1 ON (t0."patient_id" = t1.c0) WHERE (coalesce(t1.c1, 0) > 2)) AS r

SELECT sum(CASE WHEN EXISTS (SELECT FROM visits v WHERE v.patient_id = p.patient_id) THEN 1 ELSE 0 END) FROM patients p;
--> path: unique
--> Differentially private aggregate of public.patients joined with public.visits
-->   Privacy unit: patient, by public.patients.patient_id
-->   Contribution: one row per unit, because a subquery groups by the unit; no unit is scaled down
-->   Group keys: none, one row
-->   Noisy number 1: sum of values clamped to [0, 1] in steps of 1; standard deviation 10, 95 % of the noise within ±20
-->   sum(CASE WHEN ((coalesce((SELECT …), 0)) > 0) THEN 1 ELSE 0 END): from noisy number 1; values outside [0, 1] count as the nearest bound
-->   95 % of the noise: sum(CASE WHEN ((coalesce((SELECT …), 0)) > 0) THEN 1 ELSE 0 END) within ±20
-->   Noise intervals (dp.low, dp.high): cover the noise only, not values moved to a bound
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.patients.patient_id, public.visits.patient_id
--> rests on: public.visits (visit_id)
--> rests on: public.patients (patient_id)
--> work of a row: 13996 ns
--> source: SELECT sum((CASE WHEN x0 < 0 THEN 0 WHEN x0 > 1 THEN 1 ELSE x0 END)) AS s0 FROM (WITH once AS (SELECT) SELECT (CASE WHEN (coalesce(t1.c1, 0) > 0) THEN 1 ELSE 0 END) AS x0 FROM "public"."patients" AS t0 LEFT JOIN (SELECT t1t0."patient_id" AS unit, t1t0."patient_id" AS c0, count(*) AS c1 FROM "public"."visits" AS t1t0 GROUP BY t1t0."patient_id") AS t1 ON (t0."patient_id" = t1.c0)) AS r

SELECT count(*) FROM visits v WHERE cost > (SELECT avg(cost) FROM visits w WHERE w.patient_id = v.patient_id);
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
--> reads: public.visits.cost, public.visits.patient_id
--> rests on: public.visits (visit_id)
--> work of a row: 12148 ns
--> source: SELECT sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, n * n AS q FROM (SELECT unit, LEAST(n, 3037000499) AS n, LEAST(n, 3037000499) AS v0 FROM (SELECT x0 AS unit, count(*) AS n FROM (SELECT t0."patient_id" AS x0 FROM "public"."visits" AS t0 LEFT JOIN (SELECT t1t0."patient_id" AS unit, t1t0."patient_id" AS c0, avg(t1t0."cost"::numeric) AS c1 FROM "public"."visits" AS t1t0 GROUP BY t1t0."patient_id") AS t1 ON (t0."patient_id" = t1.c0) AND hashint8((t1.c0)::bigint) = hashint8((t0."patient_id")::bigint) WHERE (t1.c1 < t0."cost") ORDER BY 1) AS r GROUP BY 1) AS counted) AS per_unit) AS sized) AS scaled

SELECT count(*) FROM patients p, LATERAL (SELECT max(cost) AS top FROM visits v WHERE v.patient_id = p.patient_id) AS t WHERE top > 10;
--> path: unique
--> Differentially private aggregate of public.patients joined with public.visits
-->   Privacy unit: patient, by public.patients.patient_id
-->   Contribution: one row per unit, because a subquery groups by the unit; no unit is scaled down
-->   Group keys: none, one row
-->   Noisy number 1: rows; standard deviation 10, 95 % of the noise within ±20
-->   count(*): from noisy number 1
-->   95 % of the noise: count(*) within ±20 rows
-->   Noise intervals (dp.low, dp.high): cover everything, nothing is clipped
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.patients.patient_id, public.visits.cost, public.visits.patient_id
--> rests on: public.visits (visit_id)
--> rests on: public.patients (patient_id)
--> work of a row: 12078 ns
--> source: SELECT count(*) AS s0 FROM (SELECT  FROM "public"."patients" AS t0 LEFT JOIN (SELECT t1t0."patient_id" AS unit, max(round(t1t0."cost", 2)) AS c0, t1t0."patient_id" AS c1 FROM "public"."visits" AS t1t0 GROUP BY t1t0."patient_id") AS t1 ON (t0."patient_id" = t1.c1) WHERE (t1.c0 > 10)) AS r

SELECT count(*) FROM patients p LEFT JOIN LATERAL (SELECT count(*) AS n FROM visits v WHERE v.patient_id = p.patient_id) AS t ON true;
--> path: unique
--> Differentially private aggregate of public.patients joined with public.visits
-->   Privacy unit: patient, by public.patients.patient_id
-->   Contribution: one row per unit, because a subquery groups by the unit; no unit is scaled down
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
--> work of a row: 11736 ns
--> source: SELECT count(*) AS s0 FROM (SELECT  FROM "public"."patients" AS t0 LEFT JOIN (SELECT t1t0."patient_id" AS unit, count(*) AS c0, t1t0."patient_id" AS c1 FROM "public"."visits" AS t1t0 GROUP BY t1t0."patient_id") AS t1 ON (t0."patient_id" = t1.c1)) AS r

WITH w AS (SELECT patient_id, cost FROM visits WHERE urgent) SELECT count(*), sum(cost) FROM w;
--> path: single group
--> Differentially private aggregate of public.visits
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows per group, squared and summed <= 500)
-->   Group keys: none, one row
-->   Noisy number 1: rows; standard deviation 316.228, 95 % of the noise within ±619.796
-->   Noisy number 2: sum of values clamped to [0, 1000] in steps of 0.01; standard deviation 316228, 95 % of the noise within ±619795
-->   count(*): from noisy number 1
-->   sum(cost): from noisy number 2; values outside [0, 1000] count as the nearest bound
-->   95 % of the noise: count(*) within ±620 rows, sum(cost) within ±619795
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down, not values moved to a bound
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.visits.cost, public.visits.patient_id, public.visits.urgent
--> rests on: public.visits (visit_id)
--> work of a row: 270 ns
--> source: SELECT sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0, sum(CASE WHEN scale IS NOT NULL THEN trunc(v1::double precision * scale)::bigint ELSE v1::bigint * 1024 END) AS v1 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, n * n AS q FROM (SELECT unit, LEAST(n, 3037000499) AS n, LEAST(n, 3037000499) AS v0, LEAST(GREATEST(round((coalesce(s1, 0)::numeric::numeric * 100)), -303700049900000), 303700049900000)::bigint AS v1 FROM (SELECT x0 AS unit, count(*) AS n, sum((CASE WHEN x1 < 0 THEN 0 WHEN x1 <= 1000 THEN x1 WHEN x1 <> 'NaN' THEN 1000 END)) AS s1 FROM (SELECT t0."patient_id" AS x0, t0."cost" AS x1 FROM "public"."visits" AS t0 WHERE t0."urgent") AS r GROUP BY 1) AS counted) AS per_unit) AS sized) AS scaled

WITH w AS (SELECT patient_id, count(*) AS n FROM visits GROUP BY 1), x AS (SELECT n FROM w WHERE n > 2) SELECT count(*) FROM x;
--> path: unique
--> Differentially private aggregate of public.visits
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: one row per unit, because a subquery groups by the unit; no unit is scaled down
-->   Group keys: none, one row
-->   Noisy number 1: rows; standard deviation 10, 95 % of the noise within ±20
-->   count(*): from noisy number 1
-->   95 % of the noise: count(*) within ±20 rows
-->   Noise intervals (dp.low, dp.high): cover everything, nothing is clipped
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.visits.patient_id
--> rests on: public.visits (visit_id)
--> work of a row: 11756 ns
--> source: SELECT count(*) AS s0 FROM (SELECT  FROM (SELECT t0t0.unit AS unit, t0t0.c1 AS c0 FROM (SELECT t0t0t0."patient_id" AS unit, t0t0t0."patient_id" AS c0, count(*) AS c1 FROM "public"."visits" AS t0t0t0 GROUP BY t0t0t0."patient_id") AS t0t0 WHERE (t0t0.c1 > 2)) AS t0) AS r

SELECT a.n, b.n FROM (SELECT count(*) AS n FROM visits) AS a, (SELECT count(*) AS n FROM stays) AS b;
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
--> path: single group
--> Differentially private aggregate of public.stays
-->   Privacy unit: patient, by public.stays.patient_id
-->   Contribution: units are scaled down to a limit that the query chooses from the data for 1/10 of the price, by their rows
-->   Group keys: none, one row
-->   Noisy number 1: rows; standard deviation 10.5409 times the limit of their rows
-->   count(*): from noisy number 1
-->   95 % of the noise: as wide as the limit that the query chooses makes it; the answer's notice says it
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.stays.patient_id
--> work of a row: 0 ns
--> source: SELECT i, b, sum(a0) AS a0, sum(z0) AS z0, count(*) FILTER (WHERE place = 1 AND adds) AS units FROM (SELECT *, b0 AS b, true AS adds, v0 AS a0, t0 AS z0 FROM (SELECT *, 0 AS i FROM (SELECT *, width_bucket(q0, '{1.0000000000000002,1.5000000000000002,2.0000000000000004,3.0000000000000004,4.000000000000001,6.000000000000001,8.000000000000002,12.000000000000002,16.000000000000004,24.000000000000004,32.00000000000001,48.00000000000001,64.00000000000001,96.00000000000001,128.00000000000003,192.00000000000003,256.00000000000006,384.00000000000006,512.0000000000001,768.0000000000001,1024.0000000000002,1536.0000000000002,2048.0000000000005,3072.0000000000005,4096.000000000001,6144.000000000001,8192.000000000002,12288.000000000002,16384.000000000004,24576.000000000004,32768.00000000001,49152.00000000001,65536.00000000001,98304.00000000001,131072.00000000003,196608.00000000003,262144.00000000006,393216.00000000006,524288.0000000001,786432.0000000001,1048576.0000000002,1572864.0000000002,2097152.0000000005,3145728.0000000005,4194304.000000001,6291456.000000001,8388608.000000002,12582912.000000002,16777216.000000004}'::double precision[]) AS b0, trunc(v0::double precision / NULLIF(q0, 0) * 3221225424.0)::bigint AS t0 FROM (SELECT *, n::double precision AS q0, 1 AS place FROM (SELECT unit, LEAST(n, 3037000499) AS n, LEAST(n, 3037000499) AS v0 FROM (SELECT x0 AS unit, count(*) AS n FROM (SELECT t0."patient_id" AS x0 FROM "public"."stays" AS t0 ORDER BY 1) AS r GROUP BY 1) AS counted) AS per_unit) AS sized) AS rows) AS numbered) AS r GROUP BY i, b

SELECT region, n FROM (SELECT region, count(*) AS n FROM visits GROUP BY region) AS t WHERE n > 10 ORDER BY n DESC;
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

SELECT count(*) FROM visits UNION ALL SELECT count(*) FROM stays;
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
--> path: single group
--> Differentially private aggregate of public.stays
-->   Privacy unit: patient, by public.stays.patient_id
-->   Contribution: units are scaled down to a limit that the query chooses from the data for 1/10 of the price, by their rows
-->   Group keys: none, one row
-->   Noisy number 1: rows; standard deviation 10.5409 times the limit of their rows
-->   count(*): from noisy number 1
-->   95 % of the noise: as wide as the limit that the query chooses makes it; the answer's notice says it
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.stays.patient_id
--> work of a row: 0 ns
--> source: SELECT i, b, sum(a0) AS a0, sum(z0) AS z0, count(*) FILTER (WHERE place = 1 AND adds) AS units FROM (SELECT *, b0 AS b, true AS adds, v0 AS a0, t0 AS z0 FROM (SELECT *, 0 AS i FROM (SELECT *, width_bucket(q0, '{1.0000000000000002,1.5000000000000002,2.0000000000000004,3.0000000000000004,4.000000000000001,6.000000000000001,8.000000000000002,12.000000000000002,16.000000000000004,24.000000000000004,32.00000000000001,48.00000000000001,64.00000000000001,96.00000000000001,128.00000000000003,192.00000000000003,256.00000000000006,384.00000000000006,512.0000000000001,768.0000000000001,1024.0000000000002,1536.0000000000002,2048.0000000000005,3072.0000000000005,4096.000000000001,6144.000000000001,8192.000000000002,12288.000000000002,16384.000000000004,24576.000000000004,32768.00000000001,49152.00000000001,65536.00000000001,98304.00000000001,131072.00000000003,196608.00000000003,262144.00000000006,393216.00000000006,524288.0000000001,786432.0000000001,1048576.0000000002,1572864.0000000002,2097152.0000000005,3145728.0000000005,4194304.000000001,6291456.000000001,8388608.000000002,12582912.000000002,16777216.000000004}'::double precision[]) AS b0, trunc(v0::double precision / NULLIF(q0, 0) * 3221225424.0)::bigint AS t0 FROM (SELECT *, n::double precision AS q0, 1 AS place FROM (SELECT unit, LEAST(n, 3037000499) AS n, LEAST(n, 3037000499) AS v0 FROM (SELECT x0 AS unit, count(*) AS n FROM (SELECT t0."patient_id" AS x0 FROM "public"."stays" AS t0 ORDER BY 1) AS r GROUP BY 1) AS counted) AS per_unit) AS sized) AS rows) AS numbered) AS r GROUP BY i, b

SELECT sum(n) OVER (ORDER BY region), region FROM (SELECT region, count(*) AS n FROM visits GROUP BY region) AS t;
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

SELECT count(*) FROM visits FOR UPDATE;
--> refused 42501 writes: FOR UPDATE or FOR SHARE inside a query is not allowed through dpproxy

SELECT count(*) FROM visits TABLESAMPLE SYSTEM (10);
--> refused 0A000 from-decoration: TABLESAMPLE is not supported in a FROM clause with private tables

SELECT count(*) FROM ONLY visits;
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

SELECT count(*) FROM visits, LATERAL unnest(tags) AS tag;
--> path: single group
--> Differentially private aggregate of public.visits
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows per group, squared and summed <= 500)
-->   Elements of arrays and texts in FROM: the first 50 of each, 500 characters of an element
-->   Repeated rows: each row counts up to 50 times, as FROM repeats it, and max_rows = 50 limits them all
-->   Group keys: none, one row
-->   Large values: values of tags that take more than 1000 octets count as NULL
-->   Noisy number 1: rows; standard deviation 223.607, 95 % of the noise within ±438.262
-->   count(*): from noisy number 1
-->   95 % of the noise: count(*) within ±438 rows
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.visits.patient_id, public.visits.tags
--> work of a row: 920 ns
--> source: SELECT sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, n * n AS q FROM (SELECT unit, LEAST(n, 3037000499) AS n, LEAST(n, 3037000499) AS v0 FROM (SELECT x0 AS unit, count(*) AS n FROM (SELECT t0."patient_id" AS x0 FROM "public"."visits" AS t0 CROSS JOIN LATERAL (SELECT left(e, 500) AS c0 FROM (SELECT unnest((CASE WHEN pg_column_size(t0."tags") <= 1000 THEN t0."tags" END)) AS e LIMIT 50) AS listed) AS t1 ORDER BY 1) AS r GROUP BY 1) AS counted) AS per_unit) AS sized) AS scaled

SELECT count(*) FROM visits WHERE secret = 1;
--> refused 42501 unknown-column: column secret cannot be used here

SELECT count(*) FROM visits JOIN pg_class ON true;
--> refused 0A000 from-relation: pg_class cannot be joined with a private table

SELECT count(*) FROM patients p JOIN visits v ON v.patient_id > p.patient_id;
--> refused 0A000 private-join: this join could combine rows of more than one privacy unit, of public.patients and of public.visits

SELECT count(*) FROM visits v JOIN visits w USING (patient_id) JOIN visits x USING (patient_id);
--> refused 0A000 multiplying-joins: these joins multiply the private rows too much

SELECT count(v.visit_id) FROM regions r LEFT JOIN visits v ON v.region = r.name;
--> path: single group
--> Differentially private aggregate of public.visits joined with public.regions
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows per group, squared and summed <= 500)
-->   Group keys: none, one row
-->   Noisy number 1: rows; standard deviation 223.607, 95 % of the noise within ±438.262
-->   count(v.visit_id): from noisy number 1
-->   95 % of the noise: count(v.visit_id) within ±438 rows
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.regions.name, public.visits.patient_id, public.visits.region, public.visits.visit_id
--> rests on: public.regions (name)
--> rests on: public.visits (visit_id)
--> work of a row: 42190 ns
--> source: SELECT sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, n * n AS q FROM (SELECT unit, LEAST(n, 3037000499) AS n, LEAST(n, 3037000499) AS v0 FROM (SELECT x0 AS unit, count(*) AS n FROM (SELECT t1."patient_id" AS x0 FROM "public"."regions" AS t0 INNER JOIN "public"."visits" AS t1 ON (((CASE WHEN octet_length(t1."region") > 4000 THEN CASE WHEN pg_column_size(t1."region") <= 1000000 THEN left(t1."region", 2000) ELSE '' END ELSE t1."region" END) COLLATE pg_catalog."default") = t0."name") ORDER BY 1) AS r GROUP BY 1) AS counted) AS per_unit) AS sized) AS scaled

SELECT count(*) FROM regions r LEFT JOIN visits v ON v.region = r.name WHERE v.minutes = ALL (ARRAY[5, 6]);
--> refused 0A000 outer-join-rows: this condition could hold for public rows without a matching private row

SELECT count(*) FROM regions r LEFT JOIN visits v ON v.region = r.name WHERE v.minutes > 5;
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
--> reads: public.regions.name, public.visits.minutes, public.visits.patient_id, public.visits.region
--> rests on: public.regions (name)
--> rests on: public.visits (visit_id)
--> work of a row: 42330 ns
--> source: SELECT sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, n * n AS q FROM (SELECT unit, LEAST(n, 3037000499) AS n, LEAST(n, 3037000499) AS v0 FROM (SELECT x0 AS unit, count(*) AS n FROM (SELECT t1."patient_id" AS x0 FROM "public"."regions" AS t0 INNER JOIN "public"."visits" AS t1 ON (((CASE WHEN octet_length(t1."region") > 4000 THEN CASE WHEN pg_column_size(t1."region") <= 1000000 THEN left(t1."region", 2000) ELSE '' END ELSE t1."region" END) COLLATE pg_catalog."default") = t0."name") WHERE (t1."minutes" > 5) ORDER BY 1) AS r GROUP BY 1) AS counted) AS per_unit) AS sized) AS scaled

SELECT count(*) FROM regions r LEFT JOIN visits v ON v.region = r.name WHERE v.note LIKE ALL (ARRAY['a%', '%b']);
--> refused 0A000 outer-join-rows: this condition could hold for public rows without a matching private row

SELECT count(*) FROM (SELECT patient_id, max FROM (SELECT patient_id, minutes AS max FROM visits) AS v GROUP BY patient_id, max) AS w WHERE max > 3;
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
--> reads: public.visits.minutes, public.visits.patient_id
--> rests on: public.visits (visit_id)
--> work of a row: 1876 ns
--> source: SELECT sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, n * n AS q FROM (SELECT unit, LEAST(n, 3037000499) AS n, LEAST(n, 3037000499) AS v0 FROM (SELECT x0 AS unit, count(*) AS n FROM (SELECT t0.unit AS x0 FROM (SELECT t0t0.unit AS unit, t0t0.c0 AS c0, t0t0.c1 AS c1 FROM (SELECT t0t0t0."patient_id" AS unit, t0t0t0."patient_id" AS c0, t0t0t0."minutes" AS c1 FROM "public"."visits" AS t0t0t0) AS t0t0 GROUP BY t0t0.unit, t0t0.c0, t0t0.c1) AS t0 WHERE (t0.c1 > 3) ORDER BY 1) AS r GROUP BY 1) AS counted) AS per_unit) AS sized) AS scaled

SELECT count(*) FROM (SELECT DISTINCT patient_id, max AS most FROM (SELECT patient_id, minutes AS max FROM visits) AS v) AS w WHERE most > 3;
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
--> reads: public.visits.minutes, public.visits.patient_id
--> rests on: public.visits (visit_id)
--> work of a row: 1816 ns
--> source: SELECT sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, n * n AS q FROM (SELECT unit, LEAST(n, 3037000499) AS n, LEAST(n, 3037000499) AS v0 FROM (SELECT x0 AS unit, count(*) AS n FROM (SELECT t0.unit AS x0 FROM (SELECT DISTINCT t0t0.unit AS unit, t0t0.c0 AS c0, t0t0.c1 AS c1 FROM (SELECT t0t0t0."patient_id" AS unit, t0t0t0."patient_id" AS c0, t0t0t0."minutes" AS c1 FROM "public"."visits" AS t0t0t0) AS t0t0) AS t0 WHERE (t0.c1 > 3) ORDER BY 1) AS r GROUP BY 1) AS counted) AS per_unit) AS sized) AS scaled

SELECT count(*) FROM visits v, unnest(ARRAY[v.tags, v.tags]) AS x(tag);
--> refused 0A000 not-allowed: ARRAY[v.tags, v.tags] is not supported over private rows

SELECT n > m, count(*) FROM (SELECT patient_id, count(*) AS n FROM visits GROUP BY 1) v FULL JOIN (SELECT patient_id, sum(nights) AS m FROM stays GROUP BY patient_id) s USING (patient_id) WHERE patient_id > 3 GROUP BY 1;
--> path: general
--> declared keys: SELECT DISTINCT d0.c0 AS k0 FROM (SELECT v.c0 FROM (VALUES (true), (false), (NULL)) AS v(c0)) AS d0 LIMIT 100001
--> Differentially private aggregate of public.visits joined with public.stays
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: units are scaled down to a limit that the query chooses from the data for 1/10 of the price, by their rows, per group, squared, summed, and the root taken
-->   Group keys: n > m: declared (true, false and NULL of a condition); every key is answered, empty ones as noise around 0
-->   Noisy number 1: rows; standard deviation 10.5409 times the limit of their rows
-->   count(*): from noisy number 1
-->   95 % of the noise: as wide as the limit that the query chooses makes it; the answer's notice says it
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.stays.nights, public.stays.patient_id, public.visits.patient_id
--> rests on: public.visits (visit_id)
--> work of a row: 24352 ns
--> source: WITH found AS (SELECT k0, i, b, sum(a0) AS a0, sum(z0) AS z0, count(*) FILTER (WHERE place = 1 AND adds) AS units FROM (SELECT *, b0 AS b, true AS adds, v0 AS a0, t0 AS z0 FROM (SELECT *, 0 AS i FROM (SELECT *, width_bucket(q0, '{1.0000000000000002,2.2500000000000004,4.000000000000001,9.000000000000002,16.000000000000004,36.00000000000001,64.00000000000001,144.00000000000003,256.00000000000006,576.0000000000001,1024.0000000000002,2304.0000000000005,4096.000000000001,9216.000000000002,16384.000000000004,36864.00000000001,65536.00000000001,147456.00000000003,262144.00000000006,589824.0000000001,1048576.0000000002,2359296.0000000005,4194304.000000001,9437184.000000002,16777216.000000004,37748736.00000001,67108864.00000001,150994944.00000003,268435456.00000006,603979776.0000001,1073741824.0000002,2415919104.0000005,4294967296.000001,9663676416.000002,17179869184.000004,38654705664.00001,68719476736.00002,154618822656.00003,274877906944.00006,618475290624.0001,1099511627776.0002,2473901162496.0005,4398046511104.001,9895604649984.002,17592186044416.004,39582418599936.01,70368744177664.02,158329674399744.03,281474976710656.06}'::double precision[]) AS b0, trunc(v0::double precision / NULLIF(sqrt(q0), 0) * 3221225424.0)::bigint AS t0 FROM (SELECT *, CASE WHEN (sum(n * n) OVER w) < 4611686018427387904 THEN (sum(n * n) OVER w)::bigint::double precision ELSE (sum(n * n) OVER w)::double precision END AS q0, row_number() OVER w AS place FROM (SELECT unit, k0, LEAST(n, 3037000499) AS n, LEAST(n, 3037000499) AS v0 FROM (SELECT x0 AS unit, x1 AS k0, count(*) AS n FROM (SELECT COALESCE(t0.unit, t1.unit) AS x0, (t1.c1 < t0.c1) AS x1 FROM (SELECT t0t0."patient_id" AS unit, t0t0."patient_id" AS c0, count(*) AS c1 FROM "public"."visits" AS t0t0 GROUP BY t0t0."patient_id") AS t0 FULL JOIN (SELECT t1t0."patient_id" AS unit, t1t0."patient_id" AS c0, sum(t1t0."nights"::numeric) AS c1 FROM "public"."stays" AS t1t0 GROUP BY t1t0."patient_id") AS t1 ON (t0.c0 = t1.c0) AND hashint8((t0.c0)::bigint) = hashint8((t1.c0)::bigint) WHERE COALESCE(t0.unit, t1.unit) IS NOT NULL AND (coalesce(t0.c0, t1.c0) > 3)) AS r GROUP BY 1, 2) AS counted) AS per_unit WINDOW w AS (PARTITION BY unit)) AS sized) AS rows) AS numbered) AS r GROUP BY k0, i, b) SELECT k0, i, b, a0, z0, NULL::bigint AS units FROM found UNION ALL SELECT NULL, i, b, NULL, NULL, sum(units)::bigint FROM found WHERE units IS NOT NULL GROUP BY i, b

SELECT region, count(*) FROM (SELECT DISTINCT ON (v.patient_id) v.patient_id, region FROM visits v GROUP BY v.patient_id, region ORDER BY v.patient_id, count(*) DESC) AS q GROUP BY region;
--> path: unique
--> declared keys: SELECT DISTINCT d0.c0 AS k0 FROM (SELECT DISTINCT "name"::text AS c0 FROM "public"."regions" WHERE "name" IS NOT NULL UNION ALL SELECT NULL) AS d0 LIMIT 100001
--> Differentially private aggregate of public.visits
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: one row per unit, because a subquery groups by the unit; no unit is scaled down
-->   Rows that may take long: at most 2000 of a unit in public.visits; further ones take no part
-->   Group keys: region: declared (public.regions.name); every key is answered, empty ones as noise around 0
-->   Noisy number 1: rows; standard deviation 10, 95 % of the noise within ±20
-->   count(*): from noisy number 1
-->   95 % of the noise: count(*) within ±20 rows
-->   Noise intervals (dp.low, dp.high): cover everything, nothing is clipped
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.visits.patient_id, public.visits.region
--> rests on: public.visits (visit_id)
--> cut: public.visits to 2000 rows: SELECT m.unit AS unit FROM (SELECT t0t0t0t0."patient_id" AS unit, t0t0t0t0."patient_id" AS c0, ((CASE WHEN octet_length(t0t0t0t0."region") > 4000 THEN CASE WHEN pg_column_size(t0t0t0t0."region") <= 1000000 THEN left(t0t0t0t0."region", 2000) ELSE '' END ELSE t0t0t0t0."region" END))::text AS c1, t0t0t0t0."patient_id" AS c2, t0t0t0t0."patient_id" AS c3, count(*) AS c4 FROM "public"."visits" AS t0t0t0t0 GROUP BY t0t0t0t0."patient_id", ((CASE WHEN octet_length(t0t0t0t0."region") > 4000 THEN CASE WHEN pg_column_size(t0t0t0t0."region") <= 1000000 THEN left(t0t0t0t0."region", 2000) ELSE '' END ELSE t0t0t0t0."region" END))::text) AS m WHERE m.unit IS NOT NULL GROUP BY 1 HAVING count(*) > 2000
--> work of a row: 137716 ns
--> source: WITH many_ab67304ad42ad523 AS MATERIALIZED (SELECT m.unit AS unit FROM (SELECT t0t0t0t0."patient_id" AS unit, t0t0t0t0."patient_id" AS c0, ((CASE WHEN octet_length(t0t0t0t0."region") > 4000 THEN CASE WHEN pg_column_size(t0t0t0t0."region") <= 1000000 THEN left(t0t0t0t0."region", 2000) ELSE '' END ELSE t0t0t0t0."region" END))::text AS c1, t0t0t0t0."patient_id" AS c2, t0t0t0t0."patient_id" AS c3, count(*) AS c4 FROM "public"."visits" AS t0t0t0t0 GROUP BY t0t0t0t0."patient_id", ((CASE WHEN octet_length(t0t0t0t0."region") > 4000 THEN CASE WHEN pg_column_size(t0t0t0t0."region") <= 1000000 THEN left(t0t0t0t0."region", 2000) ELSE '' END ELSE t0t0t0t0."region" END))::text) AS m WHERE m.unit IS NOT NULL GROUP BY 1 HAVING count(*) > 2000) SELECT * FROM (SELECT x0 AS k0, count(*) AS s0 FROM (SELECT ((t0.c1)::text COLLATE "C") AS x0 FROM (SELECT t0t0.unit AS unit, t0t0.c0 AS c0, t0t0.c1 AS c1 FROM (SELECT t0t0t0.unit AS unit, t0t0t0.c0 AS c0, t0t0t0.c1 AS c1, (row_number() OVER (PARTITION BY t0t0t0.unit, t0t0t0.c2 ORDER BY t0t0t0.c3 ASC NULLS LAST, t0t0t0.c4 DESC NULLS FIRST, t0t0t0.c1, (CASE WHEN t0t0t0.c1 IS NULL THEN ROW(t0t0t0.c0, t0t0t0.c1, t0t0t0.c2, t0t0t0.c3, t0t0t0.c4) END) USING *<)) AS c2 FROM ((SELECT m.unit, m.c0, m.c1, m.c2, m.c3, m.c4 FROM (SELECT t0t0t0t0."patient_id" AS unit, t0t0t0t0."patient_id" AS c0, ((CASE WHEN octet_length(t0t0t0t0."region") > 4000 THEN CASE WHEN pg_column_size(t0t0t0t0."region") <= 1000000 THEN left(t0t0t0t0."region", 2000) ELSE '' END ELSE t0t0t0t0."region" END))::text AS c1, t0t0t0t0."patient_id" AS c2, t0t0t0t0."patient_id" AS c3, count(*) AS c4 FROM "public"."visits" AS t0t0t0t0 GROUP BY t0t0t0t0."patient_id", ((CASE WHEN octet_length(t0t0t0t0."region") > 4000 THEN CASE WHEN pg_column_size(t0t0t0t0."region") <= 1000000 THEN left(t0t0t0t0."region", 2000) ELSE '' END ELSE t0t0t0t0."region" END))::text) AS m WHERE NOT EXISTS (SELECT FROM many_ab67304ad42ad523 AS h WHERE h.unit = m.unit AND ARRAY[h.unit] = ARRAY[m.unit]) OFFSET 0) UNION ALL (SELECT unit, c0, c1, c2, c3, c4 FROM (SELECT m.unit, m.c0, m.c1, m.c2, m.c3, m.c4, row_number() OVER (PARTITION BY m.unit ORDER BY m.c0, m.c1, (CASE WHEN m.c0 IS NULL OR m.c1 IS NULL THEN ROW(m.c0, m.c1, m.c2, m.c3, m.c4) END) USING *<) AS place0 FROM (SELECT t0t0t0t0."patient_id" AS unit, t0t0t0t0."patient_id" AS c0, ((CASE WHEN octet_length(t0t0t0t0."region") > 4000 THEN CASE WHEN pg_column_size(t0t0t0t0."region") <= 1000000 THEN left(t0t0t0t0."region", 2000) ELSE '' END ELSE t0t0t0t0."region" END))::text AS c1, t0t0t0t0."patient_id" AS c2, t0t0t0t0."patient_id" AS c3, count(*) AS c4 FROM "public"."visits" AS t0t0t0t0 GROUP BY t0t0t0t0."patient_id", ((CASE WHEN octet_length(t0t0t0t0."region") > 4000 THEN CASE WHEN pg_column_size(t0t0t0t0."region") <= 1000000 THEN left(t0t0t0t0."region", 2000) ELSE '' END ELSE t0t0t0t0."region" END))::text) AS m WHERE EXISTS (SELECT FROM many_ab67304ad42ad523 AS h WHERE h.unit = m.unit AND ARRAY[h.unit] = ARRAY[m.unit])) AS r WHERE r.place0 <= 2000 OFFSET 0)) AS t0t0t0) AS t0t0 WHERE (t0t0.c2 = 1)) AS t0) AS r GROUP BY 1) AS measured

SELECT count(*) FROM (SELECT DISTINCT ON (region) region, patient_id, count(*) FROM visits GROUP BY region, patient_id ORDER BY region, count(*) DESC) AS q;
--> refused 0A000 window-over-units: this window function would read rows of more than one privacy unit
