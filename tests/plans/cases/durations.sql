SELECT avg(date '2026-11-22' - born) FROM patients
--> path: unique
--> Differentially private aggregate of public.patients
-->   Privacy unit: patient, by public.patients.patient_id
-->   Contribution: one row per unit, proven by a unique key of the source; no unit is scaled down
-->   Group keys: none, one row
-->   Noisy number 1: rows where the value is not NULL; standard deviation 14.1421, 95 % of the noise within ±28
-->   Noisy number 2: sum around 19684 of values clamped to [326, 39042] in steps of 1; standard deviation 273763, 95 % of the noise within ±536567
-->   avg(CAST('2026-11-22' AS DATE) - born): from noisy numbers 1 and 2; values outside [326, 39042] count as the nearest bound
-->   95 % of the noise: avg(CAST('2026-11-22' AS DATE) - born) within ±762689 / its rows
-->   Noise intervals (dp.low, dp.high): cover the noise only, not values moved to a bound
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.patients.born, public.patients.patient_id
--> rests on: public.patients (patient_id)
--> work of a row: 780 ns
--> source: SELECT count(x0) AS s0, sum((CASE WHEN x0 < 326 THEN 326 WHEN x0 > 39042 THEN 39042 ELSE x0 END)) AS s1, count(x0) AS c1 FROM (WITH once AS (SELECT) SELECT ('2026-11-22'::date - (CASE WHEN t0."born" BETWEEN '0001-01-01' AND '9999-12-31' THEN t0."born" END)) AS x0 FROM "public"."patients" AS t0) AS r

SELECT avg(extract(year FROM age(date '2026-11-22', born))) FROM patients
--> path: unique
--> Differentially private aggregate of public.patients
-->   Privacy unit: patient, by public.patients.patient_id
-->   Contribution: one row per unit, proven by a unique key of the source; no unit is scaled down
-->   Group keys: none, one row
-->   Noisy number 1: rows where the value is not NULL; standard deviation 14.1421, 95 % of the noise within ±28
-->   Noisy number 2: sum around 53 of values clamped to [0, 106] in steps of 1; standard deviation 749.533, 95 % of the noise within ±1470
-->   avg(EXTRACT(YEAR FROM age(CAST('2026-11-22' AS DATE), born))): from noisy numbers 1 and 2; values outside [0, 106] count as the nearest bound
-->   95 % of the noise: avg(EXTRACT(YEAR FROM age(CAST('2026-11-22' AS DATE), born))) within ±2088.82 / its rows
-->   Noise intervals (dp.low, dp.high): cover the noise only, not values moved to a bound
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.patients.born, public.patients.patient_id
--> rests on: public.patients (patient_id)
--> work of a row: 5060 ns
--> source: SELECT count(NULLIF(x0, 'NaN')) AS s0, sum((CASE WHEN x0 < 0 THEN 0 WHEN x0 <= 106 THEN x0 WHEN x0 <> 'NaN' THEN 106 END)) AS s1, count(NULLIF(x0, 'NaN')) AS c1 FROM (WITH once AS (SELECT) SELECT extract(year from age('2026-11-22'::date, (CASE WHEN t0."born" BETWEEN '0001-01-01' AND '9999-12-31' THEN t0."born" END))) AS x0 FROM "public"."patients" AS t0) AS r

SELECT avg(extract(epoch FROM visited_at - timestamp '2024-01-01') / 86400) FROM visits
--> path: single group
--> Differentially private aggregate of public.visits
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows per group, squared and summed <= 500)
-->   Group keys: none, one row
-->   Noisy number 1: rows where the value is not NULL; standard deviation 316.228, 95 % of the noise within ±619.796
-->   Noisy number 2: sum around 365.5 of values clamped to [0, 731] in steps of 0.000001; standard deviation 115581, 95 % of the noise within ±226535
-->   avg(EXTRACT(EPOCH FROM visited_at - CAST('2024-01-01' AS TIMESTAMP)) / 86400): from noisy numbers 1 and 2; values outside [0, 731] count as the nearest bound
-->   95 % of the noise: avg(EXTRACT(EPOCH FROM visited_at - CAST('2024-01-01' AS TIMESTAMP)) / 86400) within ±320422 / its rows
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down, not values moved to a bound
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.visits.patient_id, public.visits.visited_at
--> rests on: public.visits (visit_id)
--> work of a row: 4210 ns
--> source: SELECT sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0, sum(CASE WHEN scale IS NOT NULL THEN trunc(v1::double precision * scale)::bigint ELSE v1::bigint * 1024 END) AS v1 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, n * n AS q FROM (SELECT unit, LEAST(n, 3037000499) AS n, LEAST(s0, 3037000499) AS v0, LEAST(GREATEST((coalesce(s1, 0)::numeric - 365499999::numeric * c1), -1110023682384500000), 1110023682384500000)::bigint AS v1 FROM (SELECT x0 AS unit, count(*) AS n, count(NULLIF(x1, 'NaN')) AS s0, sum(round(((CASE WHEN x1 < 0 THEN 0 WHEN x1 <= 730.999999 THEN x1 WHEN x1 <> 'NaN' THEN 730.999999 END)::numeric * 1000000))::integer) AS s1, count(NULLIF(x1, 'NaN')) AS c1 FROM (WITH once AS (SELECT) SELECT t0."patient_id" AS x0, (extract(epoch from ((CASE WHEN t0."visited_at" BETWEEN '0001-01-01' AND '9999-12-31' THEN t0."visited_at" END) - '2024-01-01'::timestamp without time zone)) / NULLIF(86400, 0)) AS x1 FROM "public"."visits" AS t0) AS r GROUP BY 1) AS counted) AS per_unit) AS sized) AS scaled

SELECT avg(extract(epoch FROM paid_at - visited_at)) FROM visits
--> path: single group
--> Differentially private aggregate of public.visits
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows per group, squared and summed <= 500)
-->   Group keys: none, one row
-->   Noisy number 1: rows where the value is not NULL; standard deviation 316.228, 95 % of the noise within ±619.796
-->   Noisy number 2: sum of values clamped to [-6.32448e+07, 6.32448e+07] in steps of 0.1; standard deviation 1.99998e+10, 95 % of the noise within ±3.91988e+10
-->   avg(EXTRACT(EPOCH FROM paid_at - visited_at)): from noisy numbers 1 and 2; values outside [-6.32448e+07, 6.32448e+07] count as the nearest bound
-->   95 % of the noise: avg(EXTRACT(EPOCH FROM paid_at - visited_at)) within ±5.54447e+10 / its rows
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down, not values moved to a bound
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.visits.paid_at, public.visits.patient_id, public.visits.visited_at
--> rests on: public.visits (visit_id)
--> work of a row: 3320 ns
--> source: SELECT sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0, sum(CASE WHEN scale IS NOT NULL THEN trunc(v1::double precision * scale)::bigint ELSE v1::bigint * 1024 END) AS v1 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, n * n AS q FROM (SELECT unit, LEAST(n, 3037000499) AS n, LEAST(s0, 3037000499) AS v0, LEAST(GREATEST(coalesce(s1, 0)::numeric, -1920744888554551501), 1920744888554551501)::bigint AS v1 FROM (SELECT x0 AS unit, count(*) AS n, count(NULLIF(x1, 'NaN')) AS s0, sum(round(((CASE WHEN x1 < (-63244799.9) THEN (-63244799.9) WHEN x1 <= 63244799.9 THEN x1 WHEN x1 <> 'NaN' THEN 63244799.9 END)::numeric * 10))::integer) AS s1 FROM (WITH once AS (SELECT) SELECT t0."patient_id" AS x0, extract(epoch from ((CASE WHEN t0."paid_at" BETWEEN '0001-01-01' AND '9999-12-31' THEN t0."paid_at" END) - (CASE WHEN t0."visited_at" BETWEEN '0001-01-01' AND '9999-12-31' THEN t0."visited_at" END))) AS x1 FROM "public"."visits" AS t0) AS r GROUP BY 1) AS counted) AS per_unit) AS sized) AS scaled

SELECT avg(extract(day FROM visited_at - timestamp '2024-01-01')), avg(extract(hour FROM visited_at - timestamp '2024-01-01')) FROM visits
--> path: single group
--> Differentially private aggregate of public.visits
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows per group, squared and summed <= 500)
-->   Group keys: none, one row
-->   Noisy number 1: rows where the value is not NULL; standard deviation 447.214, 95 % of the noise within ±876.523
-->   Noisy number 2: sum around 365 of values clamped to [0, 730] in steps of 1; standard deviation 163233, 95 % of the noise within ±319931
-->   Noisy number 3: rows where the value is not NULL; standard deviation 447.214, 95 % of the noise within ±876.523
-->   Noisy number 4: sum around 11 of values clamped to [0, 23] in steps of 1; standard deviation 5366.56, 95 % of the noise within ±10518.3
-->   avg(EXTRACT(DAY FROM visited_at - CAST('2024-01-01' AS TIMESTAMP))): from noisy numbers 1 and 2; values outside [0, 730] count as the nearest bound
-->   avg(EXTRACT(HOUR FROM visited_at - CAST('2024-01-01' AS TIMESTAMP))): from noisy numbers 3 and 4; values outside [0, 23] count as the nearest bound
-->   95 % of the noise: avg(EXTRACT(DAY FROM visited_at - CAST('2024-01-01' AS TIMESTAMP))) within ±452574 / its rows, avg(EXTRACT(HOUR FROM visited_at - CAST('2024-01-01' AS TIMESTAMP))) within ±14879.1 / its rows
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down, not values moved to a bound
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.visits.patient_id, public.visits.visited_at
--> rests on: public.visits (visit_id)
--> work of a row: 6520 ns
--> source: SELECT sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0, sum(CASE WHEN scale IS NOT NULL THEN trunc(v1::double precision * scale)::bigint ELSE v1::bigint * 1024 END) AS v1, sum(CASE WHEN scale IS NOT NULL THEN trunc(v2::double precision * scale)::bigint ELSE v2::bigint * 1024 END) AS v2, sum(CASE WHEN scale IS NOT NULL THEN trunc(v3::double precision * scale)::bigint ELSE v3::bigint * 1024 END) AS v3 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, n * n AS q FROM (SELECT unit, LEAST(n, 3037000499) AS n, LEAST(s0, 3037000499) AS v0, LEAST(GREATEST((round(coalesce(s1, 0)::numeric) - 365::numeric * c1), -1108505182135), 1108505182135)::bigint AS v1, LEAST(s2, 3037000499) AS v2, LEAST(GREATEST((round(coalesce(s3, 0)::numeric) - 11::numeric * c3), -36444005988), 36444005988)::bigint AS v3 FROM (SELECT x0 AS unit, count(*) AS n, count(NULLIF(x1, 'NaN')) AS s0, sum((CASE WHEN x1 < 0 THEN 0 WHEN x1 <= 730 THEN x1 WHEN x1 <> 'NaN' THEN 730 END)) AS s1, count(NULLIF(x1, 'NaN')) AS c1, count(NULLIF(x2, 'NaN')) AS s2, sum((CASE WHEN x2 < 0 THEN 0 WHEN x2 <= 23 THEN x2 WHEN x2 <> 'NaN' THEN 23 END)) AS s3, count(NULLIF(x2, 'NaN')) AS c3 FROM (WITH once AS (SELECT) SELECT t0."patient_id" AS x0, extract(day from ((CASE WHEN t0."visited_at" BETWEEN '0001-01-01' AND '9999-12-31' THEN t0."visited_at" END) - '2024-01-01'::timestamp without time zone)) AS x1, extract(hour from ((CASE WHEN t0."visited_at" BETWEEN '0001-01-01' AND '9999-12-31' THEN t0."visited_at" END) - '2024-01-01'::timestamp without time zone)) AS x2 FROM "public"."visits" AS t0) AS r GROUP BY 1) AS counted) AS per_unit) AS sized) AS scaled

SELECT avg(visited_at::date - born), avg(extract(year FROM visited_at) - extract(year FROM born)) FROM visits JOIN patients USING (patient_id)
--> path: single group
--> Differentially private aggregate of public.visits joined with public.patients
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows per group, squared and summed <= 500)
-->   Group keys: none, one row
-->   Noisy number 1: rows where the value is not NULL; standard deviation 447.214, 95 % of the noise within ±876.523
-->   Noisy number 2: sum around 18993 of values clamped to [-730, 38716] in steps of 1; standard deviation 8.82039e+06, 95 % of the noise within ±1.72877e+07
-->   Noisy number 3: rows where the value is not NULL; standard deviation 447.214, 95 % of the noise within ±876.523
-->   Noisy number 4: sum around 52 of values clamped to [-1, 105] in steps of 1; standard deviation 23702.3, 95 % of the noise within ±46455.7
-->   avg(CAST(visited_at AS DATE) - born): from noisy numbers 1 and 2; values outside [-730, 38716] count as the nearest bound
-->   avg(EXTRACT(YEAR FROM visited_at) - EXTRACT(YEAR FROM born)): from noisy numbers 3 and 4; values outside [-1, 105] count as the nearest bound
-->   95 % of the noise: avg(CAST(visited_at AS DATE) - born) within ±2.44551e+07 / its rows, avg(EXTRACT(YEAR FROM visited_at) - EXTRACT(YEAR FROM born)) within ±65716.4 / its rows
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down, not values moved to a bound
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.patients.born, public.patients.patient_id, public.visits.patient_id, public.visits.visited_at
--> rests on: public.patients (patient_id)
--> rests on: public.visits (visit_id)
--> work of a row: 9940 ns
--> source: SELECT sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0, sum(CASE WHEN scale IS NOT NULL THEN trunc(v1::double precision * scale)::bigint ELSE v1::bigint * 1024 END) AS v1, sum(CASE WHEN scale IS NOT NULL THEN trunc(v2::double precision * scale)::bigint ELSE v2::bigint * 1024 END) AS v2, sum(CASE WHEN scale IS NOT NULL THEN trunc(v3::double precision * scale)::bigint ELSE v3::bigint * 1024 END) AS v3 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, n * n AS q FROM (SELECT unit, LEAST(n, 3037000499) AS n, LEAST(s0, 3037000499) AS v0, LEAST(GREATEST((round(coalesce(s1, 0)::numeric) - 18993::numeric * c1), -59898760841777), 59898760841777)::bigint AS v1, LEAST(s2, 3037000499) AS v2, LEAST(GREATEST((round(coalesce(s3, 0)::numeric) - 52::numeric * c3), -160961026447), 160961026447)::bigint AS v3 FROM (SELECT x0 AS unit, count(*) AS n, count(x1) AS s0, sum((CASE WHEN x1 < (-730) THEN (-730) WHEN x1 > 38716 THEN 38716 ELSE x1 END)) AS s1, count(x1) AS c1, count(NULLIF(x2, 'NaN')) AS s2, sum((CASE WHEN x2 < (-1) THEN (-1) WHEN x2 <= 105 THEN x2 WHEN x2 <> 'NaN' THEN 105 END)) AS s3, count(NULLIF(x2, 'NaN')) AS c3 FROM (WITH once AS (SELECT) SELECT t0."patient_id" AS x0, ((CASE WHEN (CASE WHEN t0."visited_at" BETWEEN '0001-01-01' AND '9999-12-31' THEN t0."visited_at" END)::date BETWEEN '0001-01-01' AND '9999-12-31' THEN (CASE WHEN t0."visited_at" BETWEEN '0001-01-01' AND '9999-12-31' THEN t0."visited_at" END)::date END) - (CASE WHEN t1."born" BETWEEN '0001-01-01' AND '9999-12-31' THEN t1."born" END)) AS x1, (extract(year from (CASE WHEN t0."visited_at" BETWEEN '0001-01-01' AND '9999-12-31' THEN t0."visited_at" END)) - extract(year from (CASE WHEN t1."born" BETWEEN '0001-01-01' AND '9999-12-31' THEN t1."born" END))) AS x2 FROM "public"."visits" AS t0 INNER JOIN "public"."patients" AS t1 ON t0."patient_id" = t1."patient_id") AS r GROUP BY 1) AS counted) AS per_unit) AS sized) AS scaled

SELECT max(extract(year FROM age(visited_at, born))), percentile_disc(0.5) WITHIN GROUP (ORDER BY visited_at::date - born) FROM visits JOIN patients USING (patient_id)
--> path: single group
--> Differentially private aggregate of public.visits joined with public.patients
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: each unit counts once
-->   Group keys: none, one row
-->   Choice 1: maximum of 109 values in steps of 1; 95 % of the time it is at most 108.712 units, as they count, from the rank that is sought; of fewer than about 218 patients, as they count, it may be any value from -2 to 106
-->   Choice 2: 0.5 quantile of 39447 values in steps of 1; 95 % of the time it is at most 4800.71 rows, as they count, from the rank that is sought; of fewer than about 9602 rows, as they count, it may be any value from -730 to 38716
-->   max(EXTRACT(YEAR FROM age(visited_at, born))): from choice 1
-->   percentile_disc(0.5) WITHIN GROUP (ORDER BY CAST(visited_at AS DATE) - born): from choice 2
-->   Mechanism: exponential; epsilon 0.1 for the block
-->   Price: pure epsilon 0.282843, rho 0.005
--> reads: public.patients.born, public.patients.patient_id, public.visits.patient_id, public.visits.visited_at
--> rests on: public.patients (patient_id)
--> rests on: public.visits (visit_id)
--> work of a row: 26800 ns
--> source: SELECT json_agg(x ORDER BY x) AS candidates, json_agg(weight ORDER BY x) AS weights FROM (SELECT x, sum(CASE WHEN groups * 1 <= 1 THEN 1048576 ELSE trunc(1048576 * (1 - 2.0 ^ -30)::double precision * 1 / 1 / groups)::bigint END) AS weight FROM (SELECT *, count(*) OVER w AS groups FROM (SELECT t0."patient_id" AS unit, max(((CASE WHEN extract(year from age((CASE WHEN t0."visited_at" BETWEEN '0001-01-01' AND '9999-12-31' THEN t0."visited_at" END), (CASE WHEN t1."born" BETWEEN '0001-01-01' AND '9999-12-31' THEN t1."born" END))) < (-2) THEN (-2) WHEN extract(year from age((CASE WHEN t0."visited_at" BETWEEN '0001-01-01' AND '9999-12-31' THEN t0."visited_at" END), (CASE WHEN t1."born" BETWEEN '0001-01-01' AND '9999-12-31' THEN t1."born" END))) <= 106 THEN extract(year from age((CASE WHEN t0."visited_at" BETWEEN '0001-01-01' AND '9999-12-31' THEN t0."visited_at" END), (CASE WHEN t1."born" BETWEEN '0001-01-01' AND '9999-12-31' THEN t1."born" END))) WHEN extract(year from age((CASE WHEN t0."visited_at" BETWEEN '0001-01-01' AND '9999-12-31' THEN t0."visited_at" END), (CASE WHEN t1."born" BETWEEN '0001-01-01' AND '9999-12-31' THEN t1."born" END))) <> 'NaN' THEN 106 END)::integer - (-2))) AS x FROM "public"."visits" AS t0 INNER JOIN "public"."patients" AS t1 ON t0."patient_id" = t1."patient_id" WHERE ((CASE WHEN extract(year from age((CASE WHEN t0."visited_at" BETWEEN '0001-01-01' AND '9999-12-31' THEN t0."visited_at" END), (CASE WHEN t1."born" BETWEEN '0001-01-01' AND '9999-12-31' THEN t1."born" END))) < (-2) THEN (-2) WHEN extract(year from age((CASE WHEN t0."visited_at" BETWEEN '0001-01-01' AND '9999-12-31' THEN t0."visited_at" END), (CASE WHEN t1."born" BETWEEN '0001-01-01' AND '9999-12-31' THEN t1."born" END))) <= 106 THEN extract(year from age((CASE WHEN t0."visited_at" BETWEEN '0001-01-01' AND '9999-12-31' THEN t0."visited_at" END), (CASE WHEN t1."born" BETWEEN '0001-01-01' AND '9999-12-31' THEN t1."born" END))) WHEN extract(year from age((CASE WHEN t0."visited_at" BETWEEN '0001-01-01' AND '9999-12-31' THEN t0."visited_at" END), (CASE WHEN t1."born" BETWEEN '0001-01-01' AND '9999-12-31' THEN t1."born" END))) <> 'NaN' THEN 106 END)::integer - (-2)) IS NOT NULL GROUP BY 1) AS per_unit WINDOW w AS (PARTITION BY unit)) AS own GROUP BY 1) AS histogram
--> source: SELECT json_agg(x ORDER BY x) AS candidates, json_agg(weight ORDER BY x) AS weights FROM (WITH heavy AS MATERIALIZED (SELECT unit, trunc(1048576 * (1 - 2.0 ^ -30)::double precision * 50 / count(*))::bigint AS weight FROM (SELECT t0."patient_id" AS unit FROM "public"."visits" AS t0 INNER JOIN "public"."patients" AS t1 ON t0."patient_id" = t1."patient_id" WHERE ((CASE WHEN ((CASE WHEN (CASE WHEN t0."visited_at" BETWEEN '0001-01-01' AND '9999-12-31' THEN t0."visited_at" END)::date BETWEEN '0001-01-01' AND '9999-12-31' THEN (CASE WHEN t0."visited_at" BETWEEN '0001-01-01' AND '9999-12-31' THEN t0."visited_at" END)::date END) - (CASE WHEN t1."born" BETWEEN '0001-01-01' AND '9999-12-31' THEN t1."born" END)) < (-730) THEN (-730) WHEN ((CASE WHEN (CASE WHEN t0."visited_at" BETWEEN '0001-01-01' AND '9999-12-31' THEN t0."visited_at" END)::date BETWEEN '0001-01-01' AND '9999-12-31' THEN (CASE WHEN t0."visited_at" BETWEEN '0001-01-01' AND '9999-12-31' THEN t0."visited_at" END)::date END) - (CASE WHEN t1."born" BETWEEN '0001-01-01' AND '9999-12-31' THEN t1."born" END)) > 38716 THEN 38716 ELSE ((CASE WHEN (CASE WHEN t0."visited_at" BETWEEN '0001-01-01' AND '9999-12-31' THEN t0."visited_at" END)::date BETWEEN '0001-01-01' AND '9999-12-31' THEN (CASE WHEN t0."visited_at" BETWEEN '0001-01-01' AND '9999-12-31' THEN t0."visited_at" END)::date END) - (CASE WHEN t1."born" BETWEEN '0001-01-01' AND '9999-12-31' THEN t1."born" END)) END)::integer - (-730)) IS NOT NULL ORDER BY 1) AS r GROUP BY unit HAVING count(*) > 50) SELECT x, sum(weight) AS weight FROM (SELECT ((CASE WHEN ((CASE WHEN (CASE WHEN t0."visited_at" BETWEEN '0001-01-01' AND '9999-12-31' THEN t0."visited_at" END)::date BETWEEN '0001-01-01' AND '9999-12-31' THEN (CASE WHEN t0."visited_at" BETWEEN '0001-01-01' AND '9999-12-31' THEN t0."visited_at" END)::date END) - (CASE WHEN t1."born" BETWEEN '0001-01-01' AND '9999-12-31' THEN t1."born" END)) < (-730) THEN (-730) WHEN ((CASE WHEN (CASE WHEN t0."visited_at" BETWEEN '0001-01-01' AND '9999-12-31' THEN t0."visited_at" END)::date BETWEEN '0001-01-01' AND '9999-12-31' THEN (CASE WHEN t0."visited_at" BETWEEN '0001-01-01' AND '9999-12-31' THEN t0."visited_at" END)::date END) - (CASE WHEN t1."born" BETWEEN '0001-01-01' AND '9999-12-31' THEN t1."born" END)) > 38716 THEN 38716 ELSE ((CASE WHEN (CASE WHEN t0."visited_at" BETWEEN '0001-01-01' AND '9999-12-31' THEN t0."visited_at" END)::date BETWEEN '0001-01-01' AND '9999-12-31' THEN (CASE WHEN t0."visited_at" BETWEEN '0001-01-01' AND '9999-12-31' THEN t0."visited_at" END)::date END) - (CASE WHEN t1."born" BETWEEN '0001-01-01' AND '9999-12-31' THEN t1."born" END)) END)::integer - (-730)) AS x, count(*) * 1048576 AS weight FROM "public"."visits" AS t0 INNER JOIN "public"."patients" AS t1 ON t0."patient_id" = t1."patient_id" WHERE ((CASE WHEN ((CASE WHEN (CASE WHEN t0."visited_at" BETWEEN '0001-01-01' AND '9999-12-31' THEN t0."visited_at" END)::date BETWEEN '0001-01-01' AND '9999-12-31' THEN (CASE WHEN t0."visited_at" BETWEEN '0001-01-01' AND '9999-12-31' THEN t0."visited_at" END)::date END) - (CASE WHEN t1."born" BETWEEN '0001-01-01' AND '9999-12-31' THEN t1."born" END)) < (-730) THEN (-730) WHEN ((CASE WHEN (CASE WHEN t0."visited_at" BETWEEN '0001-01-01' AND '9999-12-31' THEN t0."visited_at" END)::date BETWEEN '0001-01-01' AND '9999-12-31' THEN (CASE WHEN t0."visited_at" BETWEEN '0001-01-01' AND '9999-12-31' THEN t0."visited_at" END)::date END) - (CASE WHEN t1."born" BETWEEN '0001-01-01' AND '9999-12-31' THEN t1."born" END)) > 38716 THEN 38716 ELSE ((CASE WHEN (CASE WHEN t0."visited_at" BETWEEN '0001-01-01' AND '9999-12-31' THEN t0."visited_at" END)::date BETWEEN '0001-01-01' AND '9999-12-31' THEN (CASE WHEN t0."visited_at" BETWEEN '0001-01-01' AND '9999-12-31' THEN t0."visited_at" END)::date END) - (CASE WHEN t1."born" BETWEEN '0001-01-01' AND '9999-12-31' THEN t1."born" END)) END)::integer - (-730)) IS NOT NULL AND NOT EXISTS (SELECT FROM heavy AS h WHERE h.unit = t0."patient_id") GROUP BY 1 UNION ALL SELECT p.x, sum(p.n * h.weight) FROM (SELECT ((CASE WHEN ((CASE WHEN (CASE WHEN t0."visited_at" BETWEEN '0001-01-01' AND '9999-12-31' THEN t0."visited_at" END)::date BETWEEN '0001-01-01' AND '9999-12-31' THEN (CASE WHEN t0."visited_at" BETWEEN '0001-01-01' AND '9999-12-31' THEN t0."visited_at" END)::date END) - (CASE WHEN t1."born" BETWEEN '0001-01-01' AND '9999-12-31' THEN t1."born" END)) < (-730) THEN (-730) WHEN ((CASE WHEN (CASE WHEN t0."visited_at" BETWEEN '0001-01-01' AND '9999-12-31' THEN t0."visited_at" END)::date BETWEEN '0001-01-01' AND '9999-12-31' THEN (CASE WHEN t0."visited_at" BETWEEN '0001-01-01' AND '9999-12-31' THEN t0."visited_at" END)::date END) - (CASE WHEN t1."born" BETWEEN '0001-01-01' AND '9999-12-31' THEN t1."born" END)) > 38716 THEN 38716 ELSE ((CASE WHEN (CASE WHEN t0."visited_at" BETWEEN '0001-01-01' AND '9999-12-31' THEN t0."visited_at" END)::date BETWEEN '0001-01-01' AND '9999-12-31' THEN (CASE WHEN t0."visited_at" BETWEEN '0001-01-01' AND '9999-12-31' THEN t0."visited_at" END)::date END) - (CASE WHEN t1."born" BETWEEN '0001-01-01' AND '9999-12-31' THEN t1."born" END)) END)::integer - (-730)) AS x, t0."patient_id" AS unit, count(*) AS n FROM "public"."visits" AS t0 INNER JOIN "public"."patients" AS t1 ON t0."patient_id" = t1."patient_id" WHERE ((CASE WHEN ((CASE WHEN (CASE WHEN t0."visited_at" BETWEEN '0001-01-01' AND '9999-12-31' THEN t0."visited_at" END)::date BETWEEN '0001-01-01' AND '9999-12-31' THEN (CASE WHEN t0."visited_at" BETWEEN '0001-01-01' AND '9999-12-31' THEN t0."visited_at" END)::date END) - (CASE WHEN t1."born" BETWEEN '0001-01-01' AND '9999-12-31' THEN t1."born" END)) < (-730) THEN (-730) WHEN ((CASE WHEN (CASE WHEN t0."visited_at" BETWEEN '0001-01-01' AND '9999-12-31' THEN t0."visited_at" END)::date BETWEEN '0001-01-01' AND '9999-12-31' THEN (CASE WHEN t0."visited_at" BETWEEN '0001-01-01' AND '9999-12-31' THEN t0."visited_at" END)::date END) - (CASE WHEN t1."born" BETWEEN '0001-01-01' AND '9999-12-31' THEN t1."born" END)) > 38716 THEN 38716 ELSE ((CASE WHEN (CASE WHEN t0."visited_at" BETWEEN '0001-01-01' AND '9999-12-31' THEN t0."visited_at" END)::date BETWEEN '0001-01-01' AND '9999-12-31' THEN (CASE WHEN t0."visited_at" BETWEEN '0001-01-01' AND '9999-12-31' THEN t0."visited_at" END)::date END) - (CASE WHEN t1."born" BETWEEN '0001-01-01' AND '9999-12-31' THEN t1."born" END)) END)::integer - (-730)) IS NOT NULL AND EXISTS (SELECT FROM heavy AS h WHERE h.unit = t0."patient_id") GROUP BY 1, 2) AS p JOIN heavy AS h USING (unit) GROUP BY 1) AS parts GROUP BY 1) AS histogram

SELECT avg(s) FROM (SELECT patient_id, extract(epoch FROM max(visited_at) - min(visited_at)) AS s FROM visits GROUP BY patient_id) x
--> path: unique
--> Differentially private aggregate of public.visits
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: one row per unit, because a subquery groups by the unit; no unit is scaled down
-->   Group keys: none, one row
-->   Noisy number 1: rows where the value is not NULL; standard deviation 14.1421, 95 % of the noise within ±28
-->   Noisy number 2: sum of values clamped to [-6.31584e+07, 6.31584e+07] in steps of 0.1; standard deviation 8.93195e+08, 95 % of the noise within ±1.75063e+09
-->   avg(s): from noisy numbers 1 and 2; values outside [-6.31584e+07, 6.31584e+07] count as the nearest bound
-->   95 % of the noise: avg(s) within ±2.48839e+09 / its rows
-->   Noise intervals (dp.low, dp.high): cover the noise only, not values moved to a bound
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.visits.patient_id, public.visits.visited_at
--> rests on: public.visits (visit_id)
--> work of a row: 27446 ns
--> source: SELECT count(NULLIF(x0, 'NaN')) AS s0, sum(round(((CASE WHEN x0 < (-63158399.9) THEN (-63158399.9) WHEN x0 <= 63158399.9 THEN x0 WHEN x0 <> 'NaN' THEN 63158399.9 END)::numeric * 10))::integer) AS s1 FROM (WITH once AS (SELECT) SELECT t0.c1 AS x0 FROM (SELECT t0t0."patient_id" AS unit, t0t0."patient_id" AS c0, extract(epoch from ((CASE WHEN max(t0t0."visited_at") BETWEEN '0001-01-01' AND '9999-12-31' THEN max(t0t0."visited_at") END) - (CASE WHEN min(t0t0."visited_at") BETWEEN '0001-01-01' AND '9999-12-31' THEN min(t0t0."visited_at") END))) AS c1 FROM "public"."visits" AS t0t0 GROUP BY t0t0."patient_id") AS t0) AS r

SELECT sum(day - day) FROM (SELECT day FROM visits UNION ALL SELECT born FROM patients) x
--> path: single group
--> Differentially private aggregate of public.visits joined with public.patients
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows per group, squared and summed <= 500)
-->   Group keys: none, one row
-->   Noisy number 1: sum of values clamped to [-38716, 38716] in steps of 1; standard deviation 8.65716e+06, 95 % of the noise within ±1.69677e+07
-->   sum(day - day): from noisy number 1; values outside [-38716, 38716] count as the nearest bound
-->   95 % of the noise: sum(day - day) within ±1.69677e+07
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down, not values moved to a bound
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.patients.born, public.patients.patient_id, public.visits.day, public.visits.patient_id
--> rests on: public.visits (visit_id)
--> rests on: public.patients (patient_id)
--> work of a row: 646 ns
--> source: SELECT sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, n * n AS q FROM (SELECT unit, LEAST(n, 3037000499) AS n, LEAST(GREATEST(round(coalesce(s0, 0)::numeric), -117580511319284), 117580511319284)::bigint AS v0 FROM (SELECT x0 AS unit, count(*) AS n, sum((CASE WHEN x1 < (-38716) THEN (-38716) WHEN x1 > 38716 THEN 38716 ELSE x1 END)) AS s0 FROM (SELECT t0.unit AS x0, ((CASE WHEN t0.c0 BETWEEN '0001-01-01' AND '9999-12-31' THEN t0.c0 END) - (CASE WHEN t0.c0 BETWEEN '0001-01-01' AND '9999-12-31' THEN t0.c0 END)) AS x1 FROM (SELECT s.unit AS unit, s.c0 AS c0 FROM (SELECT t0lt0."patient_id" AS unit, t0lt0."day" AS c0 FROM "public"."visits" AS t0lt0) AS s UNION ALL SELECT s.unit AS unit, s.c0 AS c0 FROM (SELECT t0rt0."patient_id" AS unit, t0rt0."born" AS c0 FROM "public"."patients" AS t0rt0) AS s) AS t0) AS r GROUP BY 1) AS counted) AS per_unit) AS sized) AS scaled

SELECT avg(extract(epoch FROM CASE WHEN urgent THEN paid_at - timestamptz '2024-01-01 00:00+00' END)) FROM visits
--> path: single group
--> Differentially private aggregate of public.visits
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows per group, squared and summed <= 500)
-->   Group keys: none, one row
-->   Noisy number 1: rows where the value is not NULL; standard deviation 316.228, 95 % of the noise within ±619.796
-->   Noisy number 2: sum around 3.15792e+07 of values clamped to [0, 6.31584e+07] in steps of 0.1; standard deviation 9.98622e+09, 95 % of the noise within ±1.95726e+10
-->   avg(EXTRACT(EPOCH FROM CASE WHEN urgent THEN paid_at - CAST('2024-01-01 …: from noisy numbers 1 and 2; values outside [0, 6.31584e+07] count as the nearest bound
-->   95 % of the noise: avg(EXTRACT(EPOCH FROM CASE WHEN urgent THEN paid_at - CAST('2024-01-01 … within ±2.76845e+10 / its rows
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down, not values moved to a bound
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.visits.paid_at, public.visits.patient_id, public.visits.urgent
--> rests on: public.visits (visit_id)
--> work of a row: 3606 ns
--> source: SELECT sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0, sum(CASE WHEN scale IS NOT NULL THEN trunc(v1::double precision * scale)::bigint ELSE v1::bigint * 1024 END) AS v1 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, n * n AS q FROM (SELECT unit, LEAST(n, 3037000499) AS n, LEAST(s0, 3037000499) AS v0, LEAST(GREATEST((coalesce(s1, 0)::numeric - 315791999::numeric * c1), -959060461580208000), 959060461580208000)::bigint AS v1 FROM (SELECT x0 AS unit, count(*) AS n, count(NULLIF(x1, 'NaN')) AS s0, sum(round(((CASE WHEN x1 < 0 THEN 0 WHEN x1 <= 63158399.9 THEN x1 WHEN x1 <> 'NaN' THEN 63158399.9 END)::numeric * 10))::integer) AS s1, count(NULLIF(x1, 'NaN')) AS c1 FROM (WITH once AS (SELECT) SELECT t0."patient_id" AS x0, extract(epoch from (CASE WHEN t0."urgent" THEN ((CASE WHEN t0."paid_at" BETWEEN '0001-01-01' AND '9999-12-31' THEN t0."paid_at" END) - '2024-01-01 00:00+00'::timestamp with time zone) ELSE NULL END)) AS x1 FROM "public"."visits" AS t0) AS r GROUP BY 1) AS counted) AS per_unit) AS sized) AS scaled

SELECT avg(coalesce(day, date '2026-11-22') - born) FROM visits JOIN patients USING (patient_id)
--> path: single group
--> Differentially private aggregate of public.visits joined with public.patients
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows per group, squared and summed <= 500)
-->   Group keys: none, one row
-->   Noisy number 1: rows where the value is not NULL; standard deviation 316.228, 95 % of the noise within ±619.796
-->   Noisy number 2: sum around 19156 of values clamped to [-730, 39042] in steps of 1; standard deviation 6.28851e+06, 95 % of the noise within ±1.23252e+07
-->   avg(coalesce(day, CAST('2026-11-22' AS DATE)) - born): from noisy numbers 1 and 2; values outside [-730, 39042] count as the nearest bound
-->   95 % of the noise: avg(coalesce(day, CAST('2026-11-22' AS DATE)) - born) within ±1.74334e+07 / its rows
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down, not values moved to a bound
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.patients.born, public.patients.patient_id, public.visits.day, public.visits.patient_id
--> rests on: public.patients (patient_id)
--> rests on: public.visits (visit_id)
--> work of a row: 2132 ns
--> source: SELECT sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0, sum(CASE WHEN scale IS NOT NULL THEN trunc(v1::double precision * scale)::bigint ELSE v1::bigint * 1024 END) AS v1 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, n * n AS q FROM (SELECT unit, LEAST(n, 3037000499) AS n, LEAST(s0, 3037000499) AS v0, LEAST(GREATEST((round(coalesce(s1, 0)::numeric) - 19156::numeric * c1), -60393791923114), 60393791923114)::bigint AS v1 FROM (SELECT x0 AS unit, count(*) AS n, count(x1) AS s0, sum((CASE WHEN x1 < (-730) THEN (-730) WHEN x1 > 39042 THEN 39042 ELSE x1 END)) AS s1, count(x1) AS c1 FROM (WITH once AS (SELECT) SELECT t0."patient_id" AS x0, ((CASE WHEN coalesce(t0."day", '2026-11-22'::date) BETWEEN '0001-01-01' AND '9999-12-31' THEN coalesce(t0."day", '2026-11-22'::date) END) - (CASE WHEN t1."born" BETWEEN '0001-01-01' AND '9999-12-31' THEN t1."born" END)) AS x1 FROM "public"."visits" AS t0 INNER JOIN "public"."patients" AS t1 ON t0."patient_id" = t1."patient_id") AS r GROUP BY 1) AS counted) AS per_unit) AS sized) AS scaled

SELECT avg(born + 365 * minutes - date '2000-01-01') FROM visits JOIN patients USING (patient_id)
--> path: single group
--> Differentially private aggregate of public.visits joined with public.patients
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows per group, squared and summed <= 500)
-->   Group keys: none, one row
-->   Noisy number 1: rows where the value is not NULL; standard deviation 316.228, 95 % of the noise within ±619.796
-->   Noisy number 2: sum around 33938 of values clamped to [-29220, 97096] in steps of 1; standard deviation 1.99723e+07, 95 % of the noise within ±3.9145e+07
-->   avg(born + 365 * minutes - CAST('2000-01-01' AS DATE)): from noisy numbers 1 and 2; values outside [-29220, 97096] count as the nearest bound
-->   95 % of the noise: avg(born + 365 * minutes - CAST('2000-01-01' AS DATE)) within ±5.53686e+07 / its rows
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down, not values moved to a bound
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.patients.born, public.patients.patient_id, public.visits.minutes, public.visits.patient_id
--> rests on: public.patients (patient_id)
--> rests on: public.visits (visit_id)
--> work of a row: 2852 ns
--> source: SELECT sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0, sum(CASE WHEN scale IS NOT NULL THEN trunc(v1::double precision * scale)::bigint ELSE v1::bigint * 1024 END) AS v1 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, n * n AS q FROM (SELECT unit, LEAST(n, 3037000499) AS n, LEAST(s0, 3037000499) AS v0, LEAST(GREATEST((round(coalesce(s1, 0)::numeric) - 33938::numeric * c1), -191810877515842), 191810877515842)::bigint AS v1 FROM (SELECT x0 AS unit, count(*) AS n, count(x1) AS s0, sum((CASE WHEN x1 < (-29220) THEN (-29220) WHEN x1 > 97096 THEN 97096 ELSE x1 END)) AS s1, count(x1) AS c1 FROM (WITH once AS (SELECT) SELECT t0."patient_id" AS x0, ((CASE WHEN ((CASE WHEN t1."born" BETWEEN '0001-01-01' AND '9999-12-31' THEN t1."born" END) + (CASE WHEN abs((365::bigint * t0."minutes")::numeric) <= 1000000 THEN (365::bigint * t0."minutes") END)::integer) BETWEEN '0001-01-01' AND '9999-12-31' THEN ((CASE WHEN t1."born" BETWEEN '0001-01-01' AND '9999-12-31' THEN t1."born" END) + (CASE WHEN abs((365::bigint * t0."minutes")::numeric) <= 1000000 THEN (365::bigint * t0."minutes") END)::integer) END) - '2000-01-01'::date) AS x1 FROM "public"."visits" AS t0 INNER JOIN "public"."patients" AS t1 ON t0."patient_id" = t1."patient_id") AS r GROUP BY 1) AS counted) AS per_unit) AS sized) AS scaled

SELECT avg(extract(epoch FROM took)) FROM visits
--> refused 42501 bounds: avg(EXTRACT(EPOCH FROM took)) requires bounds, but took has none

SELECT avg(least(greatest(since, date '2020-01-01'), date '2025-12-31') - day) FROM visits, prices WHERE code = diagnosis
--> path: single group
--> Differentially private aggregate of public.visits joined with public.prices
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows per group, squared and summed <= 500)
-->   Group keys: none, one row
-->   Noisy number 1: rows where the value is not NULL; standard deviation 316.228, 95 % of the noise within ±619.796
-->   Noisy number 2: sum around -731 of values clamped to [-2191, 730] in steps of 1; standard deviation 462009, 95 % of the noise within ±905521
-->   avg(least(greatest(since, CAST('2020-01-01' AS DATE)), CAST('2025-12-31' AS …: from noisy numbers 1 and 2; values outside [-2191, 730] count as the nearest bound
-->   95 % of the noise: avg(least(greatest(since, CAST('2020-01-01' AS DATE)), CAST('2025-12-31' AS … within ±1.28081e+06 / its rows
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down, not values moved to a bound
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.prices.code, public.prices.since, public.visits.day, public.visits.diagnosis, public.visits.patient_id
--> rests on: public.prices (code)
--> rests on: public.visits (visit_id)
--> work of a row: 44140 ns
--> source: SELECT sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0, sum(CASE WHEN scale IS NOT NULL THEN trunc(v1::double precision * scale)::bigint ELSE v1::bigint * 1024 END) AS v1 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, n * n AS q FROM (SELECT unit, LEAST(n, 3037000499) AS n, LEAST(s0, 3037000499) AS v0, LEAST(GREATEST((round(coalesce(s1, 0)::numeric) - (-731)::numeric * c1), -4437057729039), 4437057729039)::bigint AS v1 FROM (SELECT x0 AS unit, count(*) AS n, count(x1) AS s0, sum((CASE WHEN x1 < (-2191) THEN (-2191) WHEN x1 > 730 THEN 730 ELSE x1 END)) AS s1, count(x1) AS c1 FROM (WITH once AS (SELECT) SELECT t0."patient_id" AS x0, ((CASE WHEN least(greatest(t1."since", '2020-01-01'::date), '2025-12-31'::date) BETWEEN '0001-01-01' AND '9999-12-31' THEN least(greatest(t1."since", '2020-01-01'::date), '2025-12-31'::date) END) - (CASE WHEN t0."day" BETWEEN '0001-01-01' AND '9999-12-31' THEN t0."day" END)) AS x1 FROM "public"."visits" AS t0 CROSS JOIN "public"."prices" AS t1 WHERE (((CASE WHEN octet_length(t0."diagnosis") > 4000 THEN CASE WHEN pg_column_size(t0."diagnosis") <= 1000000 THEN left(t0."diagnosis", 2000) ELSE '' END ELSE t0."diagnosis" END) COLLATE pg_catalog."default") = t1."code")) AS r GROUP BY 1) AS counted) AS per_unit) AS sized) AS scaled

SELECT avg(since - day) FROM visits, prices WHERE code = diagnosis
--> path: single group
--> Differentially private aggregate of public.visits joined with public.prices
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows per group, squared and summed <= 500)
-->   Group keys: none, one row
-->   Noisy number 1: rows where the value is not NULL; standard deviation 316.228, 95 % of the noise within ±619.796
-->   Noisy number 2: sum of values clamped to [-4e+06, 4e+06] in steps of 1; standard deviation 1.26491e+09, 95 % of the noise within ±2.47918e+09
-->   avg(since - day): from noisy numbers 1 and 2
-->   95 % of the noise: avg(since - day) within ±3.50667e+09 / its rows
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.prices.code, public.prices.since, public.visits.day, public.visits.diagnosis, public.visits.patient_id
--> rests on: public.prices (code)
--> rests on: public.visits (visit_id)
--> work of a row: 43060 ns
--> source: SELECT sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0, sum(CASE WHEN scale IS NOT NULL THEN trunc(v1::double precision * scale)::bigint ELSE v1::bigint * 1024 END) AS v1 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, n * n AS q FROM (SELECT unit, LEAST(n, 3037000499) AS n, LEAST(s0, 3037000499) AS v0, LEAST(GREATEST(round(coalesce(s1, 0)::numeric), -12148001996000000), 12148001996000000)::bigint AS v1 FROM (SELECT x0 AS unit, count(*) AS n, count(x1) AS s0, sum(x1) AS s1 FROM (SELECT t0."patient_id" AS x0, ((CASE WHEN t1."since" BETWEEN '0001-01-01' AND '9999-12-31' THEN t1."since" END) - (CASE WHEN t0."day" BETWEEN '0001-01-01' AND '9999-12-31' THEN t0."day" END)) AS x1 FROM "public"."visits" AS t0 CROSS JOIN "public"."prices" AS t1 WHERE (((CASE WHEN octet_length(t0."diagnosis") > 4000 THEN CASE WHEN pg_column_size(t0."diagnosis") <= 1000000 THEN left(t0."diagnosis", 2000) ELSE '' END ELSE t0."diagnosis" END) COLLATE pg_catalog."default") = t1."code")) AS r GROUP BY 1) AS counted) AS per_unit) AS sized) AS scaled

SELECT avg(cost / nullif(minutes, 0)), avg(minutes / nullif(cost, 0)) FROM visits
--> path: single group
--> Differentially private aggregate of public.visits
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows per group, squared and summed <= 500)
-->   Group keys: none, one row
-->   Noisy number 1: rows where the value is not NULL; standard deviation 447.214, 95 % of the noise within ±876.523
-->   Noisy number 2: sum around 500 of values clamped to [0, 1000] in steps of 0.000001; standard deviation 223607, 95 % of the noise within ±438261
-->   Noisy number 3: rows where the value is not NULL; standard deviation 447.214, 95 % of the noise within ±876.523
-->   Noisy number 4: sum around 12000 of values clamped to [0, 24000] in steps of 0.00001; standard deviation 5.36656e+06, 95 % of the noise within ±1.05183e+07
-->   avg(cost / nullif(minutes, 0)): from noisy numbers 1 and 2; values outside [0, 1000] count as the nearest bound
-->   avg(minutes / nullif(cost, 0)): from noisy numbers 3 and 4; values outside [0, 24000] count as the nearest bound
-->   95 % of the noise: avg(cost / nullif(minutes, 0)) within ±619964 / its rows, avg(minutes / nullif(cost, 0)) within ±1.48791e+07 / its rows
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down, not values moved to a bound
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.visits.cost, public.visits.minutes, public.visits.patient_id
--> rests on: public.visits (visit_id)
--> work of a row: 3249 ns
--> source: SELECT sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0, sum(CASE WHEN scale IS NOT NULL THEN trunc(v1::double precision * scale)::bigint ELSE v1::bigint * 1024 END) AS v1, sum(CASE WHEN scale IS NOT NULL THEN trunc(v2::double precision * scale)::bigint ELSE v2::bigint * 1024 END) AS v2, sum(CASE WHEN scale IS NOT NULL THEN trunc(v3::double precision * scale)::bigint ELSE v3::bigint * 1024 END) AS v3 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, n * n AS q FROM (SELECT unit, LEAST(n, 3037000499) AS n, LEAST(s0, 3037000499) AS v0, LEAST(GREATEST((coalesce(s1, 0)::numeric - 500000000::numeric * c1), -1518500249500000000), 1518500249500000000)::bigint AS v1, LEAST(s2, 3037000499) AS v2, LEAST(GREATEST((coalesce(s3, 0)::numeric - 1200000000::numeric * c3), -3644400598800000000), 3644400598800000000)::bigint AS v3 FROM (SELECT x0 AS unit, count(*) AS n, count(NULLIF(x1, 'NaN')) AS s0, sum(round(((CASE WHEN x1 < 0 THEN 0 WHEN x1 <= 1000 THEN x1 WHEN x1 <> 'NaN' THEN 1000 END)::numeric * 1000000))::integer) AS s1, count(NULLIF(x1, 'NaN')) AS c1, count(NULLIF(x2, 'NaN')) AS s2, sum(round(((CASE WHEN x2 < 0 THEN 0 WHEN x2 <= 24000 THEN x2 WHEN x2 <> 'NaN' THEN 24000 END)::numeric * 100000))::bigint) AS s3, count(NULLIF(x2, 'NaN')) AS c3 FROM (WITH once AS (SELECT) SELECT t0."patient_id" AS x0, (t0."cost" / NULLIF(NULLIF(t0."minutes", 0), 0)) AS x1, (t0."minutes" / NULLIF(NULLIF(t0."cost", 0), 0)) AS x2 FROM "public"."visits" AS t0) AS r GROUP BY 1) AS counted) AS per_unit) AS sized) AS scaled

SELECT avg(minutes / score) FROM visits
--> refused 42501 bounds: avg(minutes / score) requires bounds, but minutes / score has none

SELECT sum(minutes / 60) FROM visits
--> path: single group
--> Differentially private aggregate of public.visits
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows per group, squared and summed <= 500)
-->   Group keys: none, one row
-->   Noisy number 1: sum of values clamped to [0, 4] in steps of 1; standard deviation 894.427, 95 % of the noise within ±1753.05
-->   sum(minutes / 60): from noisy number 1; values outside [0, 4] count as the nearest bound
-->   95 % of the noise: sum(minutes / 60) within ±1753
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down, not values moved to a bound
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.visits.minutes, public.visits.patient_id
--> rests on: public.visits (visit_id)
--> work of a row: 690 ns
--> source: SELECT sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, n * n AS q FROM (SELECT unit, LEAST(n, 3037000499) AS n, LEAST(GREATEST(round(coalesce(s0, 0)::numeric), -12148001996), 12148001996)::bigint AS v0 FROM (SELECT x0 AS unit, count(*) AS n, sum((CASE WHEN x1 < 0 THEN 0 WHEN x1 > 4 THEN 4 ELSE x1 END)) AS s0 FROM (SELECT t0."patient_id" AS x0, div(t0."minutes"::numeric, NULLIF(60::numeric, 0)) AS x1 FROM "public"."visits" AS t0) AS r GROUP BY 1) AS counted) AS per_unit) AS sized) AS scaled

SELECT min(day - date '2024-01-01') FROM visits
--> path: single group
--> Differentially private aggregate of public.visits
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: each unit counts once
-->   Group keys: none, one row
-->   Choice 1: minimum of 731 values in steps of 1; 95 % of the time it is at most 95.9015 units, as they count, from the rank that is sought; of fewer than about 192 patients, as they count, it may be any value from 0 to 730
-->   min(day - CAST('2024-01-01' AS DATE)): from choice 1
-->   Mechanism: exponential; epsilon 0.1 for the block
-->   Price: pure epsilon 0.2, rho 0.005
--> reads: public.visits.day, public.visits.patient_id
--> rests on: public.visits (visit_id)
--> work of a row: 780 ns
--> source: SELECT json_agg(x ORDER BY x) AS candidates, json_agg(weight ORDER BY x) AS weights FROM (SELECT x, sum(CASE WHEN groups * 1 <= 1 THEN 1048576 ELSE trunc(1048576 * (1 - 2.0 ^ -30)::double precision * 1 / 1 / groups)::bigint END) AS weight FROM (SELECT *, count(*) OVER w AS groups FROM (SELECT t0."patient_id" AS unit, min(((CASE WHEN ((CASE WHEN t0."day" BETWEEN '0001-01-01' AND '9999-12-31' THEN t0."day" END) - '2024-01-01'::date) < 0 THEN 0 WHEN ((CASE WHEN t0."day" BETWEEN '0001-01-01' AND '9999-12-31' THEN t0."day" END) - '2024-01-01'::date) > 730 THEN 730 ELSE ((CASE WHEN t0."day" BETWEEN '0001-01-01' AND '9999-12-31' THEN t0."day" END) - '2024-01-01'::date) END)::integer - 0)) AS x FROM "public"."visits" AS t0 WHERE ((CASE WHEN ((CASE WHEN t0."day" BETWEEN '0001-01-01' AND '9999-12-31' THEN t0."day" END) - '2024-01-01'::date) < 0 THEN 0 WHEN ((CASE WHEN t0."day" BETWEEN '0001-01-01' AND '9999-12-31' THEN t0."day" END) - '2024-01-01'::date) > 730 THEN 730 ELSE ((CASE WHEN t0."day" BETWEEN '0001-01-01' AND '9999-12-31' THEN t0."day" END) - '2024-01-01'::date) END)::integer - 0) IS NOT NULL GROUP BY 1) AS per_unit WINDOW w AS (PARTITION BY unit)) AS own GROUP BY 1) AS histogram
