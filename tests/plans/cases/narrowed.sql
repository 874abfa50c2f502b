SELECT sum(minutes), avg(minutes) FILTER (WHERE minutes > 100) FROM visits WHERE minutes BETWEEN 30 AND 200;
--> path: single group
--> Differentially private aggregate of public.visits
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows per group, squared and summed <= 500)
-->   Group keys: none, one row
-->   Noisy number 1: sum of values clamped to [30, 200] in steps of 1; standard deviation 77459.7, 95 % of the noise within ±151818
-->   Noisy number 2: rows where the value is not NULL; standard deviation 387.298, 95 % of the noise within ±759.091
-->   Noisy number 3: sum around 150 of values clamped to [101, 200] in steps of 1; standard deviation 19364.9, 95 % of the noise within ±37954.5
-->   sum(minutes): from noisy number 1; values outside [30, 200] count as the nearest bound
-->   avg(minutes) FILTER(WHERE minutes > 100): from noisy numbers 2 and 3; values outside [101, 200] count as the nearest bound
-->   95 % of the noise: sum(minutes) within ±151818, avg(minutes) FILTER(WHERE minutes > 100) within ±53676.2 / its rows
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down, not values moved to a bound
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.visits.minutes, public.visits.patient_id
--> rests on: public.visits (visit_id)
--> work of a row: 960 ns
--> source: SELECT sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0, sum(CASE WHEN scale IS NOT NULL THEN trunc(v1::double precision * scale)::bigint ELSE v1::bigint * 1024 END) AS v1, sum(CASE WHEN scale IS NOT NULL THEN trunc(v2::double precision * scale)::bigint ELSE v2::bigint * 1024 END) AS v2 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, n * n AS q FROM (SELECT unit, LEAST(n, 3037000499) AS n, LEAST(GREATEST(round(coalesce(s0, 0)::numeric), -607400099800), 607400099800)::bigint AS v0, LEAST(s1, 3037000499) AS v1, LEAST(GREATEST((round(coalesce(s2, 0)::numeric) - 150::numeric * c2), -151850024950), 151850024950)::bigint AS v2 FROM (SELECT x0 AS unit, count(*) AS n, sum((CASE WHEN x1 < 30 THEN 30 WHEN x1 > 200 THEN 200 ELSE x1 END)) AS s0, count(x1) FILTER (WHERE x2) AS s1, sum((CASE WHEN x1 < 101 THEN 101 WHEN x1 > 200 THEN 200 ELSE x1 END)) FILTER (WHERE x2) AS s2, count(x1) FILTER (WHERE x2) AS c2 FROM (SELECT t0."patient_id" AS x0, t0."minutes" AS x1, (t0."minutes" > 100) AS x2 FROM "public"."visits" AS t0 WHERE ((t0."minutes" <= 200) AND (t0."minutes" >= 30))) AS r GROUP BY 1) AS counted) AS per_unit) AS sized) AS scaled

SELECT region, sum(score), sum(cost * 2) FROM visits WHERE score < 0.5 AND 60 >= cost GROUP BY region;
--> path: general
--> declared keys: SELECT DISTINCT d0.c0 AS k0 FROM (SELECT DISTINCT "name"::text AS c0 FROM "public"."regions" WHERE "name" IS NOT NULL UNION ALL SELECT NULL) AS d0 LIMIT 100001
--> Differentially private aggregate of public.visits
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows per group, squared and summed <= 500)
-->   Group keys: region: declared (public.regions.name); every key is answered, empty ones as noise around 0
-->   Not a number: NaN counts as NULL in sum(score)
-->   Noisy number 1: sum of values clamped to [-1, 0.5] in steps of 0.000000001; standard deviation 316.228, 95 % of the noise within ±619.795
-->   Noisy number 2: sum of values clamped to [0, 120] in steps of 0.01; standard deviation 37947.3, 95 % of the noise within ±74375.4
-->   sum(score): from noisy number 1; values outside [-1, 0.5] count as the nearest bound
-->   sum(cost * 2): from noisy number 2; values outside [0, 120] count as the nearest bound
-->   95 % of the noise: sum(score) within ±619.795, sum(cost * 2) within ±74375.4
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down, not values moved to a bound
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.visits.cost, public.visits.patient_id, public.visits.region, public.visits.score
--> rests on: public.visits (visit_id)
--> work of a row: 29683 ns
--> source: WITH heavy AS MATERIALIZED (SELECT unit FROM (SELECT t0."patient_id" AS unit FROM "public"."visits" AS t0 WHERE ((t0."cost" <= 60) AND (t0."score" < (0.5::double precision))) ORDER BY 1) AS r GROUP BY unit HAVING count(*) > 22) SELECT k0, sum(v0) AS v0, sum(v1) AS v1 FROM (SELECT x0 AS k0, sum((CASE WHEN x1 < (-1) THEN -1000000000::double precision WHEN x1 <= 0.5 THEN round(x1::double precision / 0.000000001::double precision) WHEN x1 <> 'NaN' THEN 500000000::double precision END)::integer)::numeric * 1024 AS v0, round((sum((CASE WHEN x2 < 0 THEN 0 WHEN x2 <= 120 THEN x2 WHEN x2 <> 'NaN' THEN 120 END))::numeric::numeric * 100)) * 1024 AS v1 FROM (SELECT (((CASE WHEN octet_length(t0."region") > 4000 THEN CASE WHEN pg_column_size(t0."region") <= 1000000 THEN left(t0."region", 2000) ELSE '' END ELSE t0."region" END))::text COLLATE "C") AS x0, t0."score" AS x1, (t0."cost" * 2) AS x2 FROM "public"."visits" AS t0 WHERE ((t0."cost" <= 60) AND (t0."score" < (0.5::double precision))) AND NOT EXISTS (SELECT FROM heavy AS h WHERE h.unit = t0."patient_id")) AS r GROUP BY 1 UNION ALL SELECT k0, sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0, sum(CASE WHEN scale IS NOT NULL THEN trunc(v1::double precision * scale)::bigint ELSE v1::bigint * 1024 END) AS v1 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, sum(n * n) OVER w AS q FROM (SELECT unit, k0, LEAST(n, 3037000499) AS n, LEAST(GREATEST(coalesce(s0, 0)::numeric, -3037000499000000000), 3037000499000000000)::bigint AS v0, LEAST(GREATEST(round((coalesce(s1, 0)::numeric::numeric * 100)), -36444005988000), 36444005988000)::bigint AS v1 FROM (SELECT x0 AS unit, x1 AS k0, count(*) AS n, sum((CASE WHEN x2 < (-1) THEN -1000000000::double precision WHEN x2 <= 0.5 THEN round(x2::double precision / 0.000000001::double precision) WHEN x2 <> 'NaN' THEN 500000000::double precision END)::integer) AS s0, sum((CASE WHEN x3 < 0 THEN 0 WHEN x3 <= 120 THEN x3 WHEN x3 <> 'NaN' THEN 120 END)) AS s1 FROM (SELECT t0."patient_id" AS x0, (((CASE WHEN octet_length(t0."region") > 4000 THEN CASE WHEN pg_column_size(t0."region") <= 1000000 THEN left(t0."region", 2000) ELSE '' END ELSE t0."region" END))::text COLLATE "C") AS x1, t0."score" AS x2, (t0."cost" * 2) AS x3 FROM "public"."visits" AS t0 WHERE ((t0."cost" <= 60) AND (t0."score" < (0.5::double precision))) AND EXISTS (SELECT FROM heavy AS h WHERE h.unit = t0."patient_id")) AS r GROUP BY 1, 2) AS counted) AS per_unit WINDOW w AS (PARTITION BY unit)) AS sized) AS scaled GROUP BY 1) AS parts GROUP BY 1

SELECT avg(visit_id) FROM visits WHERE visit_id >= 5 AND visit_id < 100;
--> path: single group
--> Differentially private aggregate of public.visits
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows per group, squared and summed <= 500)
-->   Group keys: none, one row
-->   Noisy number 1: rows; standard deviation 316.228, 95 % of the noise within ±619.796
-->   Noisy number 2: sum around 52 of values clamped to [5, 99] in steps of 1; standard deviation 14862.7, 95 % of the noise within ±29130.4
-->   avg(visit_id): from noisy numbers 1 and 2; values outside [5, 99] count as the nearest bound
-->   95 % of the noise: avg(visit_id) within ±41203.4 / its rows
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down, not values moved to a bound
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.visits.patient_id, public.visits.visit_id
--> rests on: public.visits (visit_id)
--> work of a row: 570 ns
--> source: SELECT sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0, sum(CASE WHEN scale IS NOT NULL THEN trunc(v1::double precision * scale)::bigint ELSE v1::bigint * 1024 END) AS v1 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, n * n AS q FROM (SELECT unit, LEAST(n, 3037000499) AS n, LEAST(n, 3037000499) AS v0, LEAST(GREATEST((round(coalesce(s1, 0)::numeric) - 52::numeric * c1), -142739023453), 142739023453)::bigint AS v1 FROM (SELECT x0 AS unit, count(*) AS n, sum((CASE WHEN x1 < 5 THEN 5 WHEN x1 > 99 THEN 99 ELSE x1 END)) AS s1, count(*) AS c1 FROM (SELECT t0."patient_id" AS x0, t0."visit_id" AS x1 FROM "public"."visits" AS t0 WHERE ((t0."visit_id" < 100) AND (t0."visit_id" >= 5))) AS r GROUP BY 1) AS counted) AS per_unit) AS sized) AS scaled

SELECT avg(visit_id) FROM visits WHERE visit_id < 100;
--> refused 42501 bounds: avg(visit_id) requires bounds, but visit_id has none

SELECT sum(minutes) FROM visits WHERE minutes < 60 OR urgent;
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
--> reads: public.visits.minutes, public.visits.patient_id, public.visits.urgent
--> rests on: public.visits (visit_id)
--> work of a row: 370 ns
--> source: SELECT sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, n * n AS q FROM (SELECT unit, LEAST(n, 3037000499) AS n, LEAST(GREATEST(round(coalesce(s0, 0)::numeric), -728880119760), 728880119760)::bigint AS v0 FROM (SELECT x0 AS unit, count(*) AS n, sum((CASE WHEN x1 < 0 THEN 0 WHEN x1 > 240 THEN 240 ELSE x1 END)) AS s0 FROM (SELECT t0."patient_id" AS x0, t0."minutes" AS x1 FROM "public"."visits" AS t0 WHERE ((t0."minutes" < 60) OR t0."urgent")) AS r GROUP BY 1) AS counted) AS per_unit) AS sized) AS scaled

SELECT max(minutes), percentile_cont(0.5) WITHIN GROUP (ORDER BY minutes) FILTER (WHERE minutes IN (30, 40)) FROM visits WHERE minutes < 60;
--> path: single group
--> Differentially private aggregate of public.visits
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: each unit counts once
-->   Group keys: none, one row
-->   Choice 1: maximum of 60 values in steps of 1; 95 % of the time it is at most 100.269 units, as they count, from the rank that is sought; of fewer than about 201 patients, as they count, it may be any value from 0 to 59
-->   Choice 2: 0.5 quantile of 11 values in steps of 1 and what is between them; 95 % of the time it is at most 2153 rows, as they count, from the rank that is sought; of fewer than about 4304 rows, as they count, it may be any value from 30 to 40
-->   max(minutes): from choice 1
-->   percentile_cont(0.5) WITHIN GROUP (ORDER BY minutes) FILTER(WHERE minutes IN …: from choice 2
-->   Mechanism: exponential; epsilon 0.1 for the block
-->   Price: pure epsilon 0.282843, rho 0.005
--> reads: public.visits.minutes, public.visits.patient_id
--> rests on: public.visits (visit_id)
--> work of a row: 850 ns
--> source: SELECT json_agg(x ORDER BY x) AS candidates, json_agg(weight ORDER BY x) AS weights FROM (SELECT x, sum(CASE WHEN groups * 1 <= 1 THEN 1048576 ELSE trunc(1048576 * (1 - 2.0 ^ -30)::double precision * 1 / 1 / groups)::bigint END) AS weight FROM (SELECT *, count(*) OVER w AS groups FROM (SELECT t0."patient_id" AS unit, max(((CASE WHEN t0."minutes" < 0 THEN 0 WHEN t0."minutes" > 59 THEN 59 ELSE t0."minutes" END)::integer - 0)) AS x FROM "public"."visits" AS t0 WHERE (t0."minutes" < 60) AND ((CASE WHEN t0."minutes" < 0 THEN 0 WHEN t0."minutes" > 59 THEN 59 ELSE t0."minutes" END)::integer - 0) IS NOT NULL GROUP BY 1) AS per_unit WINDOW w AS (PARTITION BY unit)) AS own GROUP BY 1) AS histogram
--> source: SELECT json_agg(x ORDER BY x) AS candidates, json_agg(weight ORDER BY x) AS weights FROM (WITH heavy AS MATERIALIZED (SELECT unit, trunc(1048576 * (1 - 2.0 ^ -30)::double precision * 50 / count(*))::bigint AS weight FROM (SELECT t0."patient_id" AS unit FROM "public"."visits" AS t0 WHERE (t0."minutes" < 60) AND ((CASE WHEN t0."minutes" < 30 THEN 30 WHEN t0."minutes" > 40 THEN 40 ELSE t0."minutes" END)::integer - 30) IS NOT NULL AND (t0."minutes" IN (30, 40)) ORDER BY 1) AS r GROUP BY unit HAVING count(*) > 50) SELECT x, sum(weight) AS weight FROM (SELECT ((CASE WHEN t0."minutes" < 30 THEN 30 WHEN t0."minutes" > 40 THEN 40 ELSE t0."minutes" END)::integer - 30) AS x, count(*) * 1048576 AS weight FROM "public"."visits" AS t0 WHERE (t0."minutes" < 60) AND ((CASE WHEN t0."minutes" < 30 THEN 30 WHEN t0."minutes" > 40 THEN 40 ELSE t0."minutes" END)::integer - 30) IS NOT NULL AND (t0."minutes" IN (30, 40)) AND NOT EXISTS (SELECT FROM heavy AS h WHERE h.unit = t0."patient_id") GROUP BY 1 UNION ALL SELECT p.x, sum(p.n * h.weight) FROM (SELECT ((CASE WHEN t0."minutes" < 30 THEN 30 WHEN t0."minutes" > 40 THEN 40 ELSE t0."minutes" END)::integer - 30) AS x, t0."patient_id" AS unit, count(*) AS n FROM "public"."visits" AS t0 WHERE (t0."minutes" < 60) AND ((CASE WHEN t0."minutes" < 30 THEN 30 WHEN t0."minutes" > 40 THEN 40 ELSE t0."minutes" END)::integer - 30) IS NOT NULL AND (t0."minutes" IN (30, 40)) AND EXISTS (SELECT FROM heavy AS h WHERE h.unit = t0."patient_id") GROUP BY 1, 2) AS p JOIN heavy AS h USING (unit) GROUP BY 1) AS parts GROUP BY 1) AS histogram

SELECT stddev(minutes) FROM visits WHERE minutes = 30;
--> path: single group
--> Differentially private aggregate of public.visits
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows per group, squared and summed <= 500)
-->   Group keys: none, one row
-->   Noisy number 1: rows where the value is not NULL; standard deviation 387.298, 95 % of the noise within ±759.091
-->   Noisy number 2: sum around 30 of values clamped to [30, 30] in steps of 1; standard deviation 387.298, 95 % of the noise within ±759.091
-->   Noisy number 3: sum of values clamped to [0, 1] in steps of 1; standard deviation 387.298, 95 % of the noise within ±759.091
-->   stddev(minutes): from noisy numbers 1, 2 and 3; values outside [30, 30] count as the nearest bound
-->   95 % of the noise: dp.low and dp.high tell it of each group
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down, not values moved to a bound
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.visits.minutes, public.visits.patient_id
--> rests on: public.visits (visit_id)
--> work of a row: 240 ns
--> source: SELECT sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0, sum(CASE WHEN scale IS NOT NULL THEN trunc(v1::double precision * scale)::bigint ELSE v1::bigint * 1024 END) AS v1, sum(CASE WHEN scale IS NOT NULL THEN trunc(v2::double precision * scale)::bigint ELSE v2::bigint * 1024 END) AS v2 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, n * n AS q FROM (SELECT unit, LEAST(n, 3037000499) AS n, LEAST(s0, 3037000499) AS v0, LEAST(GREATEST(coalesce(s1, 0)::numeric, -3037000499), 3037000499)::bigint AS v1, LEAST(GREATEST(coalesce(s2, 0)::numeric, -3037000499), 3037000499)::bigint AS v2 FROM (SELECT x0 AS unit, count(*) AS n, count(x1) AS s0, sum((CASE WHEN x2 < 0 THEN 0 WHEN x2 <= 0 THEN x2 WHEN x2 <> 'NaN' THEN 0 END)::integer) AS s1, sum((CASE WHEN x2 < 0 THEN 0 WHEN x2 <= 0 THEN x2 WHEN x2 <> 'NaN' THEN 0 END)::integer::bigint * (CASE WHEN x2 < 0 THEN 0 WHEN x2 <= 0 THEN x2 WHEN x2 <> 'NaN' THEN 0 END)::integer) AS s2 FROM (SELECT t0."patient_id" AS x0, t0."minutes" AS x1, (t0."minutes" - 30::numeric) AS x2 FROM "public"."visits" AS t0 WHERE (t0."minutes" = 30)) AS r GROUP BY 1) AS counted) AS per_unit) AS sized) AS scaled

SELECT sum(m) FROM (SELECT patient_id, sum(minutes) FILTER (WHERE minutes > 5) AS m FROM visits WHERE minutes < 60 GROUP BY patient_id) AS x;
--> path: unique
--> Differentially private aggregate of public.visits
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: one row per unit, because a subquery groups by the unit; no unit is scaled down
-->   Group keys: none, one row
-->   Noisy number 1: sum of values clamped to [6, 2950] in steps of 1; standard deviation 29500, 95 % of the noise within ±57819
-->   sum(m): from noisy number 1; values outside [6, 2950] count as the nearest bound
-->   95 % of the noise: sum(m) within ±57819
-->   Noise intervals (dp.low, dp.high): cover the noise only, not values moved to a bound
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Limits: values outside 6 to 2950 count as its ends in sum(m), since max_rows is 50 and a unit may have more rows
-->   Price: rho 0.005
--> reads: public.visits.minutes, public.visits.patient_id
--> rests on: public.visits (visit_id)
--> work of a row: 12536 ns
--> source: SELECT sum((CASE WHEN x0 < 6 THEN 6 WHEN x0 > 2950 THEN 2950 ELSE x0 END)) AS s0 FROM (SELECT t0.c1 AS x0 FROM (SELECT t0t0."patient_id" AS unit, t0t0."patient_id" AS c0, sum(t0t0."minutes"::numeric) FILTER (WHERE (t0t0."minutes" > 5)) AS c1 FROM "public"."visits" AS t0t0 WHERE (t0t0."minutes" < 60) GROUP BY t0t0."patient_id") AS t0) AS r

SELECT sum(minutes) FROM patients AS p JOIN visits AS v ON v.patient_id = p.patient_id AND v.minutes < 60;
--> path: single group
--> Differentially private aggregate of public.patients joined with public.visits
-->   Privacy unit: patient, by public.patients.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows per group, squared and summed <= 500)
-->   Group keys: none, one row
-->   Noisy number 1: sum of values clamped to [0, 59] in steps of 1; standard deviation 13192.8, 95 % of the noise within ±25857.4
-->   sum(minutes): from noisy number 1; values outside [0, 59] count as the nearest bound
-->   95 % of the noise: sum(minutes) within ±25857
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down, not values moved to a bound
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.patients.patient_id, public.visits.minutes, public.visits.patient_id
--> rests on: public.patients (patient_id)
--> rests on: public.visits (visit_id)
--> work of a row: 520 ns
--> source: SELECT sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, n * n AS q FROM (SELECT unit, LEAST(n, 3037000499) AS n, LEAST(GREATEST(round(coalesce(s0, 0)::numeric), -179183029441), 179183029441)::bigint AS v0 FROM (SELECT x0 AS unit, count(*) AS n, sum((CASE WHEN x1 < 0 THEN 0 WHEN x1 > 59 THEN 59 ELSE x1 END)) AS s0 FROM (SELECT t0."patient_id" AS x0, t1."minutes" AS x1 FROM "public"."patients" AS t0 INNER JOIN "public"."visits" AS t1 ON ((t0."patient_id" = t1."patient_id") AND (t1."minutes" < 60))) AS r GROUP BY 1) AS counted) AS per_unit) AS sized) AS scaled

SELECT sum(minutes) FROM patients AS p LEFT JOIN visits AS v ON v.patient_id = p.patient_id AND v.minutes < 60;
--> path: single group
--> Differentially private aggregate of public.patients joined with public.visits
-->   Privacy unit: patient, by public.patients.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows per group, squared and summed <= 500)
-->   Group keys: none, one row
-->   Noisy number 1: sum of values clamped to [0, 240] in steps of 1; standard deviation 53665.6, 95 % of the noise within ±105183
-->   sum(minutes): from noisy number 1; values outside [0, 240] count as the nearest bound
-->   95 % of the noise: sum(minutes) within ±105183
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down, not values moved to a bound
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.patients.patient_id, public.visits.minutes, public.visits.patient_id
--> rests on: public.patients (patient_id)
--> work of a row: 520 ns
--> source: SELECT sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, n * n AS q FROM (SELECT unit, LEAST(n, 3037000499) AS n, LEAST(GREATEST(round(coalesce(s0, 0)::numeric), -728880119760), 728880119760)::bigint AS v0 FROM (SELECT x0 AS unit, count(*) AS n, sum((CASE WHEN x1 < 0 THEN 0 WHEN x1 > 240 THEN 240 ELSE x1 END)) AS s0 FROM (SELECT t0."patient_id" AS x0, t1."minutes" AS x1 FROM "public"."patients" AS t0 LEFT JOIN "public"."visits" AS t1 ON ((t0."patient_id" = t1."patient_id") AND (t1."minutes" < 60))) AS r GROUP BY 1) AS counted) AS per_unit) AS sized) AS scaled

SELECT min(day) FILTER (WHERE day >= '2025-01-01') FROM visits;
--> path: single group
--> Differentially private aggregate of public.visits
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: each unit counts once
-->   Group keys: none, one row
-->   Choice 1: minimum of 733 values in steps of 1 day; 95 % of the time it is at most 95.9288 units, as they count, from the rank that is sought; of fewer than about 192 patients, as they count, it may be any value within the bounds
-->   min(day) FILTER(WHERE day >= CAST('2025-01-01' AS DATE)): from choice 1
-->   Mechanism: exponential; epsilon 0.1 for the block
-->   Price: pure epsilon 0.2, rho 0.005
--> reads: public.visits.day, public.visits.patient_id
--> rests on: public.visits (visit_id)
--> work of a row: 390 ns
--> source: SELECT json_agg(x ORDER BY x) AS candidates, json_agg(weight ORDER BY x) AS weights FROM (SELECT x, sum(CASE WHEN groups * 1 <= 1 THEN 1048576 ELSE trunc(1048576 * (1 - 2.0 ^ -30)::double precision * 1 / 1 / groups)::bigint END) AS weight FROM (SELECT *, count(*) OVER w AS groups FROM (SELECT t0."patient_id" AS unit, min((((CASE WHEN t0."day" < greatest('2024-01-01'::date, least(greatest(least(greatest('2025-01-01'::date::date, '4000-01-01 BC'::date), '20000-01-01'::date)::date, '2024-01-01'::date), '2025-12-31'::date)) THEN greatest('2024-01-01'::date, least(greatest(least(greatest('2025-01-01'::date::date, '4000-01-01 BC'::date), '20000-01-01'::date)::date, '2024-01-01'::date), '2025-12-31'::date)) WHEN t0."day" > GREATEST(greatest('2024-01-01'::date, least(greatest(least(greatest('2025-01-01'::date::date, '4000-01-01 BC'::date), '20000-01-01'::date)::date, '2024-01-01'::date), '2025-12-31'::date)), least('2025-12-31'::date)) THEN GREATEST(greatest('2024-01-01'::date, least(greatest(least(greatest('2025-01-01'::date::date, '4000-01-01 BC'::date), '20000-01-01'::date)::date, '2024-01-01'::date), '2025-12-31'::date)), least('2025-12-31'::date)) ELSE t0."day" END) - greatest('2024-01-01'::date, least(greatest(least(greatest('2025-01-01'::date::date, '4000-01-01 BC'::date), '20000-01-01'::date)::date, '2024-01-01'::date), '2025-12-31'::date))) / 1)) AS x FROM "public"."visits" AS t0 WHERE (((CASE WHEN t0."day" < greatest('2024-01-01'::date, least(greatest(least(greatest('2025-01-01'::date::date, '4000-01-01 BC'::date), '20000-01-01'::date)::date, '2024-01-01'::date), '2025-12-31'::date)) THEN greatest('2024-01-01'::date, least(greatest(least(greatest('2025-01-01'::date::date, '4000-01-01 BC'::date), '20000-01-01'::date)::date, '2024-01-01'::date), '2025-12-31'::date)) WHEN t0."day" > GREATEST(greatest('2024-01-01'::date, least(greatest(least(greatest('2025-01-01'::date::date, '4000-01-01 BC'::date), '20000-01-01'::date)::date, '2024-01-01'::date), '2025-12-31'::date)), least('2025-12-31'::date)) THEN GREATEST(greatest('2024-01-01'::date, least(greatest(least(greatest('2025-01-01'::date::date, '4000-01-01 BC'::date), '20000-01-01'::date)::date, '2024-01-01'::date), '2025-12-31'::date)), least('2025-12-31'::date)) ELSE t0."day" END) - greatest('2024-01-01'::date, least(greatest(least(greatest('2025-01-01'::date::date, '4000-01-01 BC'::date), '20000-01-01'::date)::date, '2024-01-01'::date), '2025-12-31'::date))) / 1) IS NOT NULL AND (t0."day" >= '2025-01-01'::date) GROUP BY 1) AS per_unit WINDOW w AS (PARTITION BY unit)) AS own GROUP BY 1) AS histogram

SELECT sum(minutes * amount), max(amount) FROM visits JOIN prices ON code = diagnosis;
--> path: single group
--> Differentially private aggregate of public.visits joined with public.prices
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows per group, squared and summed <= 500)
-->   Group keys: none, one row
-->   Noisy number 1: sum of values clamped to [0, 4800] in steps of 0.01; standard deviation 1.51789e+06, 95 % of the noise within ±2.97502e+06
-->   Choice 1: maximum of 1951 values in steps of 0.01; 95 % of the time it is at most 149.508 units, as they count, from the rank that is sought; of fewer than about 300 patients, as they count, it may be any value from 0.5 to 20
-->   sum(minutes * amount): from noisy number 1; values outside [0, 4800] count as the nearest bound
-->   max(amount): from choice 1
-->   95 % of the noise: sum(minutes * amount) within ±2.97502e+06
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down, not values moved to a bound
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.prices.amount, public.prices.code, public.visits.diagnosis, public.visits.minutes, public.visits.patient_id
--> rests on: public.prices (code)
--> rests on: public.visits (visit_id)
--> work of a row: 43528 ns
--> source: SELECT sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, n * n AS q FROM (SELECT unit, LEAST(n, 3037000499) AS n, LEAST(GREATEST(round((coalesce(s0, 0)::numeric::numeric * 100)), -1457760239520000), 1457760239520000)::bigint AS v0 FROM (SELECT x0 AS unit, count(*) AS n, sum((CASE WHEN x1 < 0 THEN 0 WHEN x1 <= 4800 THEN x1 WHEN x1 <> 'NaN' THEN 4800 END)) AS s0 FROM (SELECT t0."patient_id" AS x0, (t0."minutes" * t1."amount") AS x1 FROM "public"."visits" AS t0 INNER JOIN "public"."prices" AS t1 ON (((CASE WHEN octet_length(t0."diagnosis") > 4000 THEN CASE WHEN pg_column_size(t0."diagnosis") <= 1000000 THEN left(t0."diagnosis", 2000) ELSE '' END ELSE t0."diagnosis" END) COLLATE pg_catalog."default") = t1."code")) AS r GROUP BY 1) AS counted) AS per_unit) AS sized) AS scaled
--> source: SELECT json_agg(x ORDER BY x) AS candidates, json_agg(weight ORDER BY x) AS weights FROM (SELECT x, sum(CASE WHEN groups * 1 <= 1 THEN 1048576 ELSE trunc(1048576 * (1 - 2.0 ^ -30)::double precision * 1 / 1 / groups)::bigint END) AS weight FROM (SELECT *, count(*) OVER w AS groups FROM (SELECT t0."patient_id" AS unit, max((((CASE WHEN t1."amount" < 0.5 THEN 0.5 WHEN t1."amount" <= 20 THEN t1."amount" WHEN t1."amount" <> 'NaN' THEN 20 END)::numeric * 100)::integer - 50)) AS x FROM "public"."visits" AS t0 INNER JOIN "public"."prices" AS t1 ON (((CASE WHEN octet_length(t0."diagnosis") > 4000 THEN CASE WHEN pg_column_size(t0."diagnosis") <= 1000000 THEN left(t0."diagnosis", 2000) ELSE '' END ELSE t0."diagnosis" END) COLLATE pg_catalog."default") = t1."code") WHERE (((CASE WHEN t1."amount" < 0.5 THEN 0.5 WHEN t1."amount" <= 20 THEN t1."amount" WHEN t1."amount" <> 'NaN' THEN 20 END)::numeric * 100)::integer - 50) IS NOT NULL GROUP BY 1) AS per_unit WINDOW w AS (PARTITION BY unit)) AS own GROUP BY 1) AS histogram

SELECT avg(amount) FROM visits JOIN prices ON code = diagnosis AND amount < 10 JOIN regions ON people = minutes;
--> path: single group
--> Differentially private aggregate of public.visits joined with public.prices, public.regions
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows per group, squared and summed <= 500)
-->   Rows that may take long: at most 2000 of a unit in public.visits; further ones take no part
-->   Repeated rows: each row counts up to 5 times, as FROM repeats it, and max_rows = 50 limits them all
-->   Group keys: none, one row
-->   Noisy number 1: rows where the value is not NULL; standard deviation 316.228, 95 % of the noise within ±619.796
-->   Noisy number 2: sum around 5.24 of values clamped to [0.5, 9.99] in steps of 0.01; standard deviation 1502.08, 95 % of the noise within ±2944.03
-->   avg(amount): from noisy numbers 1 and 2; values outside [0.5, 9.99] count as the nearest bound
-->   95 % of the noise: avg(amount) within ±4164.17 / its rows
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down, not values moved to a bound
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.prices.amount, public.prices.code, public.regions.people, public.visits.cost, public.visits.day, public.visits.details, public.visits.diagnosis, public.visits.minutes, public.visits.note, public.visits.paid_at, public.visits.patient_id, public.visits.region, public.visits.score, public.visits.tags, public.visits.took, public.visits.urgent, public.visits.visit_id, public.visits.visited_at
--> rests on: public.prices (code)
--> cut: public.visits to 2000 rows: SELECT m."patient_id" AS unit FROM "public"."visits" AS m WHERE m."patient_id" IS NOT NULL GROUP BY 1 HAVING count(*) > 2000
--> work of a row: 42745 ns
--> source: WITH many_d309dd02df23f5c9 AS MATERIALIZED (SELECT m."patient_id" AS unit FROM "public"."visits" AS m WHERE m."patient_id" IS NOT NULL GROUP BY 1 HAVING count(*) > 2000) SELECT * FROM (SELECT sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0, sum(CASE WHEN scale IS NOT NULL THEN trunc(v1::double precision * scale)::bigint ELSE v1::bigint * 1024 END) AS v1 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, n * n AS q FROM (SELECT unit, LEAST(n, 3037000499) AS n, LEAST(s0, 3037000499) AS v0, LEAST(GREATEST((round((coalesce(s1, 0)::numeric::numeric * 100)) - 524::numeric * c1), -1442575237025), 1442575237025)::bigint AS v1 FROM (SELECT x0 AS unit, count(*) AS n, count(NULLIF(x1, 'NaN')) AS s0, sum((CASE WHEN x1 < 0.5 THEN 0.5 WHEN x1 <= 9.99 THEN x1 WHEN x1 <> 'NaN' THEN 9.99 END)) AS s1, count(NULLIF(x1, 'NaN')) AS c1 FROM (SELECT t0."patient_id" AS x0, t1."amount" AS x1 FROM ((SELECT m."visit_id", m."patient_id", m."region", m."visited_at", m."paid_at", m."day", m."minutes", m."cost", m."score", m."urgent", m."diagnosis", m."note", m."took", m."details", m."tags" FROM "public"."visits" AS m WHERE NOT EXISTS (SELECT FROM many_d309dd02df23f5c9 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"]) OFFSET 0) UNION ALL (SELECT "visit_id", "patient_id", "region", "visited_at", "paid_at", "day", "minutes", "cost", "score", "urgent", "diagnosis", "note", "took", "details", "tags" FROM (SELECT m."visit_id", m."patient_id", m."region", m."visited_at", m."paid_at", m."day", m."minutes", m."cost", m."score", m."urgent", m."diagnosis", m."note", m."took", m."details", m."tags", row_number() OVER (PARTITION BY m."patient_id" ORDER BY m."visit_id") AS place0 FROM "public"."visits" AS m WHERE EXISTS (SELECT FROM many_d309dd02df23f5c9 AS h WHERE h.unit = m."patient_id" AND ARRAY[h.unit] = ARRAY[m."patient_id"])) AS r WHERE r.place0 <= 2000 OFFSET 0)) AS t0 INNER JOIN "public"."prices" AS t1 ON ((((CASE WHEN octet_length(t0."diagnosis") > 4000 THEN CASE WHEN pg_column_size(t0."diagnosis") <= 1000000 THEN left(t0."diagnosis", 2000) ELSE '' END ELSE t0."diagnosis" END) COLLATE pg_catalog."default") = t1."code") AND (t1."amount" < 10)) INNER JOIN "public"."regions" AS t2 ON (t0."minutes" = t2."people")) AS r GROUP BY 1) AS counted) AS per_unit) AS sized) AS scaled) AS measured

SELECT sum(people) FROM visits JOIN regions ON name = region;
--> refused 42501 bounds: sum(people) requires bounds, but people has none

SELECT sum(visited_at::date - date '2024-01-01'), avg(extract(epoch FROM paid_at - visited_at)) FROM visits WHERE visited_at BETWEEN '2024-03-01' AND '2024-03-31' AND paid_at::date < '2024-04-15';
--> path: single group
--> Differentially private aggregate of public.visits
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows per group, squared and summed <= 500)
-->   Group keys: none, one row
-->   Noisy number 1: sum of values clamped to [60, 90] in steps of 1; standard deviation 34856.9, 95 % of the noise within ±68318.2
-->   Noisy number 2: rows where the value is not NULL; standard deviation 387.298, 95 % of the noise within ±759.091
-->   Noisy number 3: sum around -1.9008e+06 of values clamped to [-7.8624e+06, 4.0608e+06] in steps of 0.000001; standard deviation 2.30892e+09, 95 % of the noise within ±4.5254e+09
-->   sum(CAST(visited_at AS DATE) - CAST('2024-01-01' AS DATE)): from noisy number 1; values outside [60, 90] count as the nearest bound
-->   avg(EXTRACT(EPOCH FROM paid_at - visited_at)): from noisy numbers 2 and 3; values outside [-7.8624e+06, 4.0608e+06] count as the nearest bound
-->   95 % of the noise: sum(CAST(visited_at AS DATE) - CAST('2024-01-01' AS DATE)) within ±68318, avg(EXTRACT(EPOCH FROM paid_at - visited_at)) within ±6.39988e+09 / its rows
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down, not values moved to a bound
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.visits.paid_at, public.visits.patient_id, public.visits.visited_at
--> rests on: public.visits (visit_id)
--> work of a row: 9730 ns
--> source: SELECT sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0, sum(CASE WHEN scale IS NOT NULL THEN trunc(v1::double precision * scale)::bigint ELSE v1::bigint * 1024 END) AS v1, sum(CASE WHEN scale IS NOT NULL THEN trunc(v2::double precision * scale)::bigint ELSE v2::bigint * 1024 END) AS v2 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, n * n AS q FROM (SELECT unit, LEAST(n, 3037000499) AS n, LEAST(GREATEST(round(coalesce(s0, 0)::numeric), -273330044910), 273330044910)::bigint AS v0, LEAST(s1, 3037000499) AS v1, LEAST(GREATEST((round((coalesce(s2, 0)::numeric::numeric * 1000000)) - (-1900800000001)::numeric * c2), -4611686018427387904), 4611686018427387904)::bigint AS v2 FROM (SELECT x0 AS unit, count(*) AS n, sum((CASE WHEN x1 < 60 THEN 60 WHEN x1 > 90 THEN 90 ELSE x1 END)) AS s0, count(NULLIF(x2, 'NaN')) AS s1, sum((CASE WHEN x2 < (-7862400) THEN (-7862400) WHEN x2 <= 4060799.999999 THEN x2 WHEN x2 <> 'NaN' THEN 4060799.999999 END)) AS s2, count(NULLIF(x2, 'NaN')) AS c2 FROM (WITH once AS (SELECT) SELECT t0."patient_id" AS x0, ((CASE WHEN (CASE WHEN t0."visited_at" BETWEEN '0001-01-01' AND '9999-12-31' THEN t0."visited_at" END)::date BETWEEN '0001-01-01' AND '9999-12-31' THEN (CASE WHEN t0."visited_at" BETWEEN '0001-01-01' AND '9999-12-31' THEN t0."visited_at" END)::date END) - '2024-01-01'::date) AS x1, extract(epoch from ((CASE WHEN t0."paid_at" BETWEEN '0001-01-01' AND '9999-12-31' THEN t0."paid_at" END) - (CASE WHEN t0."visited_at" BETWEEN '0001-01-01' AND '9999-12-31' THEN t0."visited_at" END))) AS x2 FROM "public"."visits" AS t0 WHERE (((CASE WHEN t0."paid_at" BETWEEN '0001-01-01' AND '9999-12-31' THEN t0."paid_at" END)::date < '2024-04-15') AND (t0."visited_at" <= '2024-03-31') AND (t0."visited_at" >= '2024-03-01'))) AS r GROUP BY 1) AS counted) AS per_unit) AS sized) AS scaled

SELECT sum(CASE WHEN minutes < 60 THEN minutes * 2 WHEN visited_at < '2024-02-01' THEN visited_at::date - date '2024-01-01' END) FROM visits;
--> path: single group
--> Differentially private aggregate of public.visits
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows per group, squared and summed <= 500)
-->   Group keys: none, one row
-->   Noisy number 1: sum of values clamped to [0, 118] in steps of 1; standard deviation 26385.6, 95 % of the noise within ±51714.8
-->   sum(CASE WHEN minutes < 60 THEN minutes * 2 WHEN visited_at < '2024-02-01' …: from noisy number 1; values outside [0, 118] count as the nearest bound
-->   95 % of the noise: sum(CASE WHEN minutes < 60 THEN minutes * 2 WHEN visited_at < '2024-02-01' … within ±51715
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down, not values moved to a bound
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.visits.minutes, public.visits.patient_id, public.visits.visited_at
--> rests on: public.visits (visit_id)
--> work of a row: 5698 ns
--> source: SELECT sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, n * n AS q FROM (SELECT unit, LEAST(n, 3037000499) AS n, LEAST(GREATEST(round(coalesce(s0, 0)::numeric), -358366058882), 358366058882)::bigint AS v0 FROM (SELECT x0 AS unit, count(*) AS n, sum((CASE WHEN x1 < 0 THEN 0 WHEN x1 > 118 THEN 118 ELSE x1 END)) AS s0 FROM (WITH once AS (SELECT) SELECT t0."patient_id" AS x0, (CASE WHEN (t0."minutes" < 60) THEN (t0."minutes"::bigint * 2) WHEN (t0."visited_at" < '2024-02-01') THEN ((CASE WHEN (CASE WHEN t0."visited_at" BETWEEN '0001-01-01' AND '9999-12-31' THEN t0."visited_at" END)::date BETWEEN '0001-01-01' AND '9999-12-31' THEN (CASE WHEN t0."visited_at" BETWEEN '0001-01-01' AND '9999-12-31' THEN t0."visited_at" END)::date END) - '2024-01-01'::date) ELSE NULL END) AS x1 FROM "public"."visits" AS t0) AS r GROUP BY 1) AS counted) AS per_unit) AS sized) AS scaled
