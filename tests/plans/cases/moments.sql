SELECT count(visited_at::date) FROM samples;
--> path: unique
--> Differentially private aggregate of public.samples
-->   Privacy unit: patient, by public.samples.patient_id
-->   Contribution: one row per unit, proven by a unique key of the source; no unit is scaled down
-->   Group keys: none, one row
-->   Noisy number 1: rows where the value is not NULL; standard deviation 10, 95 % of the noise within ±20
-->   count(CAST(visited_at AS DATE)): from noisy number 1
-->   95 % of the noise: count(CAST(visited_at AS DATE)) within ±20 rows
-->   Noise intervals (dp.low, dp.high): cover everything, nothing is clipped
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.samples.patient_id, public.samples.visited_at
--> rests on: public.samples (patient_id)
--> work of a row: 2560 ns
--> source: SELECT count(x0) AS s0 FROM (SELECT (CASE WHEN t0."visited_at" BETWEEN '0001-01-01' AND '9999-12-31' THEN t0."visited_at" END)::date AS x0 FROM "public"."samples" AS t0) AS r

SELECT count(day + 7) FROM samples;
--> path: unique
--> Differentially private aggregate of public.samples
-->   Privacy unit: patient, by public.samples.patient_id
-->   Contribution: one row per unit, proven by a unique key of the source; no unit is scaled down
-->   Group keys: none, one row
-->   Noisy number 1: rows where the value is not NULL; standard deviation 10, 95 % of the noise within ±20
-->   count(day + 7): from noisy number 1
-->   95 % of the noise: count(day + 7) within ±20 rows
-->   Noise intervals (dp.low, dp.high): cover everything, nothing is clipped
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.samples.day, public.samples.patient_id
--> rests on: public.samples (patient_id)
--> work of a row: 1260 ns
--> source: SELECT count(x0) AS s0 FROM (SELECT ((CASE WHEN t0."day" BETWEEN '0001-01-01' AND '9999-12-31' THEN t0."day" END) + 7) AS x0 FROM "public"."samples" AS t0) AS r

SELECT count(day - 7) FROM samples;
--> path: unique
--> Differentially private aggregate of public.samples
-->   Privacy unit: patient, by public.samples.patient_id
-->   Contribution: one row per unit, proven by a unique key of the source; no unit is scaled down
-->   Group keys: none, one row
-->   Noisy number 1: rows where the value is not NULL; standard deviation 10, 95 % of the noise within ±20
-->   count(day - 7): from noisy number 1
-->   95 % of the noise: count(day - 7) within ±20 rows
-->   Noise intervals (dp.low, dp.high): cover everything, nothing is clipped
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.samples.day, public.samples.patient_id
--> rests on: public.samples (patient_id)
--> work of a row: 1260 ns
--> source: SELECT count(x0) AS s0 FROM (SELECT ((CASE WHEN t0."day" BETWEEN '0001-01-01' AND '9999-12-31' THEN t0."day" END) - 7) AS x0 FROM "public"."samples" AS t0) AS r

SELECT count(day + interval '1 month') FROM samples;
--> path: unique
--> Differentially private aggregate of public.samples
-->   Privacy unit: patient, by public.samples.patient_id
-->   Contribution: one row per unit, proven by a unique key of the source; no unit is scaled down
-->   Group keys: none, one row
-->   Noisy number 1: rows where the value is not NULL; standard deviation 10, 95 % of the noise within ±20
-->   count(day + INTERVAL '1 month'): from noisy number 1
-->   95 % of the noise: count(day + INTERVAL '1 month') within ±20 rows
-->   Noise intervals (dp.low, dp.high): cover everything, nothing is clipped
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.samples.day, public.samples.patient_id
--> rests on: public.samples (patient_id)
--> work of a row: 1260 ns
--> source: SELECT count(x0) AS s0 FROM (SELECT ((CASE WHEN t0."day" BETWEEN '0001-01-01' AND '9999-12-31' THEN t0."day" END) + '1 month'::interval) AS x0 FROM "public"."samples" AS t0) AS r

SELECT count(visited_at + interval '1 day 2 hours') FROM samples;
--> path: unique
--> Differentially private aggregate of public.samples
-->   Privacy unit: patient, by public.samples.patient_id
-->   Contribution: one row per unit, proven by a unique key of the source; no unit is scaled down
-->   Group keys: none, one row
-->   Noisy number 1: rows where the value is not NULL; standard deviation 10, 95 % of the noise within ±20
-->   count(visited_at + INTERVAL '1 day 2 hours'): from noisy number 1
-->   95 % of the noise: count(visited_at + INTERVAL '1 day 2 hours') within ±20 rows
-->   Noise intervals (dp.low, dp.high): cover everything, nothing is clipped
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.samples.patient_id, public.samples.visited_at
--> rests on: public.samples (patient_id)
--> work of a row: 1260 ns
--> source: SELECT count(x0) AS s0 FROM (SELECT ((CASE WHEN t0."visited_at" BETWEEN '0001-01-01' AND '9999-12-31' THEN t0."visited_at" END) + '1 day 2 hours'::interval) AS x0 FROM "public"."samples" AS t0) AS r

SELECT count(visited_at - interval '30 minutes') FROM samples;
--> path: unique
--> Differentially private aggregate of public.samples
-->   Privacy unit: patient, by public.samples.patient_id
-->   Contribution: one row per unit, proven by a unique key of the source; no unit is scaled down
-->   Group keys: none, one row
-->   Noisy number 1: rows where the value is not NULL; standard deviation 10, 95 % of the noise within ±20
-->   count(visited_at - INTERVAL '30 minutes'): from noisy number 1
-->   95 % of the noise: count(visited_at - INTERVAL '30 minutes') within ±20 rows
-->   Noise intervals (dp.low, dp.high): cover everything, nothing is clipped
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.samples.patient_id, public.samples.visited_at
--> rests on: public.samples (patient_id)
--> work of a row: 1260 ns
--> source: SELECT count(x0) AS s0 FROM (SELECT ((CASE WHEN t0."visited_at" BETWEEN '0001-01-01' AND '9999-12-31' THEN t0."visited_at" END) - '30 minutes'::interval) AS x0 FROM "public"."samples" AS t0) AS r

SELECT count(visited_at - timestamp '2024-01-01') FROM samples;
--> path: unique
--> Differentially private aggregate of public.samples
-->   Privacy unit: patient, by public.samples.patient_id
-->   Contribution: one row per unit, proven by a unique key of the source; no unit is scaled down
-->   Group keys: none, one row
-->   Noisy number 1: rows where the value is not NULL; standard deviation 10, 95 % of the noise within ±20
-->   count(visited_at - CAST('2024-01-01' AS TIMESTAMP)): from noisy number 1
-->   95 % of the noise: count(visited_at - CAST('2024-01-01' AS TIMESTAMP)) within ±20 rows
-->   Noise intervals (dp.low, dp.high): cover everything, nothing is clipped
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.samples.patient_id, public.samples.visited_at
--> rests on: public.samples (patient_id)
--> work of a row: 1260 ns
--> source: SELECT count(x0) AS s0 FROM (SELECT ((CASE WHEN t0."visited_at" BETWEEN '0001-01-01' AND '9999-12-31' THEN t0."visited_at" END) - '2024-01-01'::timestamp without time zone) AS x0 FROM "public"."samples" AS t0) AS r

SELECT count(date_trunc('quarter', visited_at)) FROM samples;
--> path: unique
--> Differentially private aggregate of public.samples
-->   Privacy unit: patient, by public.samples.patient_id
-->   Contribution: one row per unit, proven by a unique key of the source; no unit is scaled down
-->   Group keys: none, one row
-->   Noisy number 1: rows where the value is not NULL; standard deviation 10, 95 % of the noise within ±20
-->   count(date_trunc('quarter', visited_at)): from noisy number 1
-->   95 % of the noise: count(date_trunc('quarter', visited_at)) within ±20 rows
-->   Noise intervals (dp.low, dp.high): cover everything, nothing is clipped
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.samples.patient_id, public.samples.visited_at
--> rests on: public.samples (patient_id)
--> work of a row: 3060 ns
--> source: SELECT count(x0) AS s0 FROM (SELECT date_trunc('quarter', (CASE WHEN t0."visited_at" >= '0001-01-01' THEN t0."visited_at" END)) AS x0 FROM "public"."samples" AS t0) AS r

SELECT count(date_trunc('month', day)) FROM samples;
--> path: unique
--> Differentially private aggregate of public.samples
-->   Privacy unit: patient, by public.samples.patient_id
-->   Contribution: one row per unit, proven by a unique key of the source; no unit is scaled down
-->   Group keys: none, one row
-->   Noisy number 1: rows where the value is not NULL; standard deviation 10, 95 % of the noise within ±20
-->   count(date_trunc('month', day)): from noisy number 1
-->   95 % of the noise: count(date_trunc('month', day)) within ±20 rows
-->   Noise intervals (dp.low, dp.high): cover everything, nothing is clipped
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.samples.day, public.samples.patient_id
--> rests on: public.samples (patient_id)
--> work of a row: 3090 ns
--> source: SELECT count(x0) AS s0 FROM (SELECT date_trunc('month', (CASE WHEN t0."day" >= '0001-01-01' AND t0."day" <= '9999-12-31' THEN t0."day" END)) AS x0 FROM "public"."samples" AS t0) AS r

SELECT count(date_bin('15 minutes', visited_at, timestamp '2000-01-01')) FROM samples;
--> path: unique
--> Differentially private aggregate of public.samples
-->   Privacy unit: patient, by public.samples.patient_id
-->   Contribution: one row per unit, proven by a unique key of the source; no unit is scaled down
-->   Group keys: none, one row
-->   Noisy number 1: rows where the value is not NULL; standard deviation 10, 95 % of the noise within ±20
-->   count(date_bin('15 minutes', visited_at, CAST('2000-01-01' AS TIMESTAMP))): from noisy number 1
-->   95 % of the noise: count(date_bin('15 minutes', visited_at, CAST('2000-01-01' AS TIMESTAMP))) within ±20 rows
-->   Noise intervals (dp.low, dp.high): cover everything, nothing is clipped
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.samples.patient_id, public.samples.visited_at
--> rests on: public.samples (patient_id)
--> work of a row: 3060 ns
--> source: SELECT count(x0) AS s0 FROM (SELECT date_bin('15 minutes'::interval, (CASE WHEN t0."visited_at" BETWEEN '0001-01-01' AND '9999-12-31' THEN t0."visited_at" END), '2000-01-01'::timestamp without time zone::timestamp without time zone) AS x0 FROM "public"."samples" AS t0) AS r

SELECT count(paid_at AT TIME ZONE 'UTC') FROM samples;
--> path: unique
--> Differentially private aggregate of public.samples
-->   Privacy unit: patient, by public.samples.patient_id
-->   Contribution: one row per unit, proven by a unique key of the source; no unit is scaled down
-->   Group keys: none, one row
-->   Noisy number 1: rows where the value is not NULL; standard deviation 10, 95 % of the noise within ±20
-->   count(paid_at AT TIME ZONE 'UTC'): from noisy number 1
-->   95 % of the noise: count(paid_at AT TIME ZONE 'UTC') within ±20 rows
-->   Noise intervals (dp.low, dp.high): cover everything, nothing is clipped
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.samples.paid_at, public.samples.patient_id
--> rests on: public.samples (patient_id)
--> work of a row: 3060 ns
--> source: SELECT count(x0) AS s0 FROM (SELECT (CASE WHEN timezone('UTC', timestamp '2000-01-01') IS NOT NULL THEN timezone('UTC', (CASE WHEN t0."paid_at" BETWEEN '0001-01-01' AND '9999-12-31' THEN t0."paid_at" END)) END) AS x0 FROM "public"."samples" AS t0) AS r

SELECT count(visited_at AT TIME ZONE 'Europe/Berlin') FROM samples;
--> path: unique
--> Differentially private aggregate of public.samples
-->   Privacy unit: patient, by public.samples.patient_id
-->   Contribution: one row per unit, proven by a unique key of the source; no unit is scaled down
-->   Group keys: none, one row
-->   Noisy number 1: rows where the value is not NULL; standard deviation 10, 95 % of the noise within ±20
-->   count(visited_at AT TIME ZONE 'Europe/Berlin'): from noisy number 1
-->   95 % of the noise: count(visited_at AT TIME ZONE 'Europe/Berlin') within ±20 rows
-->   Noise intervals (dp.low, dp.high): cover everything, nothing is clipped
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.samples.patient_id, public.samples.visited_at
--> rests on: public.samples (patient_id)
--> work of a row: 3060 ns
--> source: SELECT count(x0) AS s0 FROM (SELECT (CASE WHEN timezone('Europe/Berlin', timestamp '2000-01-01') IS NOT NULL THEN timezone('Europe/Berlin', (CASE WHEN t0."visited_at" BETWEEN '0001-01-01' AND '9999-12-31' THEN t0."visited_at" END)) END) AS x0 FROM "public"."samples" AS t0) AS r

SELECT count(age(visited_at, timestamp '2024-01-01')) FROM samples;
--> path: unique
--> Differentially private aggregate of public.samples
-->   Privacy unit: patient, by public.samples.patient_id
-->   Contribution: one row per unit, proven by a unique key of the source; no unit is scaled down
-->   Group keys: none, one row
-->   Noisy number 1: rows where the value is not NULL; standard deviation 10, 95 % of the noise within ±20
-->   count(age(visited_at, CAST('2024-01-01' AS TIMESTAMP))): from noisy number 1
-->   95 % of the noise: count(age(visited_at, CAST('2024-01-01' AS TIMESTAMP))) within ±20 rows
-->   Noise intervals (dp.low, dp.high): cover everything, nothing is clipped
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.samples.patient_id, public.samples.visited_at
--> rests on: public.samples (patient_id)
--> work of a row: 3060 ns
--> source: SELECT count(x0) AS s0 FROM (SELECT age((CASE WHEN t0."visited_at" BETWEEN '0001-01-01' AND '9999-12-31' THEN t0."visited_at" END), '2024-01-01'::timestamp without time zone) AS x0 FROM "public"."samples" AS t0) AS r

SELECT count(justify_days(took)) FROM samples;
--> path: unique
--> Differentially private aggregate of public.samples
-->   Privacy unit: patient, by public.samples.patient_id
-->   Contribution: one row per unit, proven by a unique key of the source; no unit is scaled down
-->   Group keys: none, one row
-->   Noisy number 1: rows where the value is not NULL; standard deviation 10, 95 % of the noise within ±20
-->   count(justify_days(took)): from noisy number 1
-->   95 % of the noise: count(justify_days(took)) within ±20 rows
-->   Noise intervals (dp.low, dp.high): cover everything, nothing is clipped
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.samples.patient_id, public.samples.took
--> rests on: public.samples (patient_id)
--> work of a row: 3120 ns
--> source: SELECT count(x0) AS s0 FROM (SELECT justify_days((CASE WHEN abs(extract(year from t0."took")) <= 900 AND abs(extract(day from t0."took")) <= 330000 AND abs(extract(hour from t0."took")) <= 7900000 THEN t0."took" END)) AS x0 FROM "public"."samples" AS t0) AS r

SELECT count(took * 2) FROM samples;
--> path: unique
--> Differentially private aggregate of public.samples
-->   Privacy unit: patient, by public.samples.patient_id
-->   Contribution: one row per unit, proven by a unique key of the source; no unit is scaled down
-->   Group keys: none, one row
-->   Noisy number 1: rows where the value is not NULL; standard deviation 10, 95 % of the noise within ±20
-->   count(took * 2): from noisy number 1
-->   95 % of the noise: count(took * 2) within ±20 rows
-->   Noise intervals (dp.low, dp.high): cover everything, nothing is clipped
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.samples.patient_id, public.samples.took
--> rests on: public.samples (patient_id)
--> work of a row: 1320 ns
--> source: SELECT count(x0) AS s0 FROM (SELECT ((2::double precision) * (CASE WHEN abs(extract(year from t0."took")) <= 900 AND abs(extract(day from t0."took")) <= 330000 AND abs(extract(hour from t0."took")) <= 7900000 THEN t0."took" END)) AS x0 FROM "public"."samples" AS t0) AS r

SELECT count(took + interval '1 day') FROM samples;
--> path: unique
--> Differentially private aggregate of public.samples
-->   Privacy unit: patient, by public.samples.patient_id
-->   Contribution: one row per unit, proven by a unique key of the source; no unit is scaled down
-->   Group keys: none, one row
-->   Noisy number 1: rows where the value is not NULL; standard deviation 10, 95 % of the noise within ±20
-->   count(took + INTERVAL '1 day'): from noisy number 1
-->   95 % of the noise: count(took + INTERVAL '1 day') within ±20 rows
-->   Noise intervals (dp.low, dp.high): cover everything, nothing is clipped
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.samples.patient_id, public.samples.took
--> rests on: public.samples (patient_id)
--> work of a row: 1320 ns
--> source: SELECT count(x0) AS s0 FROM (SELECT ((CASE WHEN abs(extract(year from t0."took")) <= 900 AND abs(extract(day from t0."took")) <= 330000 AND abs(extract(hour from t0."took")) <= 7900000 THEN t0."took" END) + '1 day'::interval) AS x0 FROM "public"."samples" AS t0) AS r

SELECT count(-took) FROM samples;
--> path: unique
--> Differentially private aggregate of public.samples
-->   Privacy unit: patient, by public.samples.patient_id
-->   Contribution: one row per unit, proven by a unique key of the source; no unit is scaled down
-->   Group keys: none, one row
-->   Noisy number 1: rows where the value is not NULL; standard deviation 10, 95 % of the noise within ±20
-->   count(-took): from noisy number 1
-->   95 % of the noise: count(-took) within ±20 rows
-->   Noise intervals (dp.low, dp.high): cover everything, nothing is clipped
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.samples.patient_id, public.samples.took
--> rests on: public.samples (patient_id)
--> work of a row: 1320 ns
--> source: SELECT count(x0) AS s0 FROM (SELECT (- (CASE WHEN abs(extract(year from t0."took")) <= 900 AND abs(extract(day from t0."took")) <= 330000 AND abs(extract(hour from t0."took")) <= 7900000 THEN t0."took" END)) AS x0 FROM "public"."samples" AS t0) AS r

SELECT count(to_timestamp(minutes)) FROM samples;
--> path: unique
--> Differentially private aggregate of public.samples
-->   Privacy unit: patient, by public.samples.patient_id
-->   Contribution: one row per unit, proven by a unique key of the source; no unit is scaled down
-->   Group keys: none, one row
-->   Noisy number 1: rows where the value is not NULL; standard deviation 10, 95 % of the noise within ±20
-->   count(to_timestamp(minutes)): from noisy number 1
-->   95 % of the noise: count(to_timestamp(minutes)) within ±20 rows
-->   Noise intervals (dp.low, dp.high): cover everything, nothing is clipped
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.samples.minutes, public.samples.patient_id
--> rests on: public.samples (patient_id)
--> work of a row: 3060 ns
--> source: SELECT count(x0) AS s0 FROM (SELECT (CASE WHEN (t0."minutes"::double precision) BETWEEN -62135596800 AND 253402214400 THEN to_timestamp((t0."minutes"::double precision)) END) AS x0 FROM "public"."samples" AS t0) AS r

SELECT count(visited_at::time) FROM samples;
--> path: unique
--> Differentially private aggregate of public.samples
-->   Privacy unit: patient, by public.samples.patient_id
-->   Contribution: one row per unit, proven by a unique key of the source; no unit is scaled down
-->   Group keys: none, one row
-->   Noisy number 1: rows where the value is not NULL; standard deviation 10, 95 % of the noise within ±20
-->   count(CAST(visited_at AS TIME)): from noisy number 1
-->   95 % of the noise: count(CAST(visited_at AS TIME)) within ±20 rows
-->   Noise intervals (dp.low, dp.high): cover everything, nothing is clipped
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.samples.patient_id, public.samples.visited_at
--> rests on: public.samples (patient_id)
--> work of a row: 2530 ns
--> source: SELECT count(x0) AS s0 FROM (SELECT t0."visited_at"::time without time zone AS x0 FROM "public"."samples" AS t0) AS r

SELECT count(visited_at::timestamptz) FROM samples;
--> path: unique
--> Differentially private aggregate of public.samples
-->   Privacy unit: patient, by public.samples.patient_id
-->   Contribution: one row per unit, proven by a unique key of the source; no unit is scaled down
-->   Group keys: none, one row
-->   Noisy number 1: rows where the value is not NULL; standard deviation 10, 95 % of the noise within ±20
-->   count(CAST(visited_at AS TIMESTAMPTZ)): from noisy number 1
-->   95 % of the noise: count(CAST(visited_at AS TIMESTAMPTZ)) within ±20 rows
-->   Noise intervals (dp.low, dp.high): cover everything, nothing is clipped
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.samples.patient_id, public.samples.visited_at
--> rests on: public.samples (patient_id)
--> work of a row: 2560 ns
--> source: SELECT count(x0) AS s0 FROM (SELECT (CASE WHEN t0."visited_at" BETWEEN '0001-01-01' AND '9999-12-31' THEN t0."visited_at" END)::timestamp with time zone AS x0 FROM "public"."samples" AS t0) AS r

SELECT count(greatest(day, date '2024-06-01')) FROM samples;
--> path: unique
--> Differentially private aggregate of public.samples
-->   Privacy unit: patient, by public.samples.patient_id
-->   Contribution: one row per unit, proven by a unique key of the source; no unit is scaled down
-->   Group keys: none, one row
-->   Noisy number 1: rows; standard deviation 10, 95 % of the noise within ±20
-->   count(greatest(day, CAST('2024-06-01' AS DATE))): from noisy number 1
-->   95 % of the noise: count(greatest(day, CAST('2024-06-01' AS DATE))) within ±20 rows
-->   Noise intervals (dp.low, dp.high): cover everything, nothing is clipped
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.samples.day, public.samples.patient_id
--> rests on: public.samples (patient_id)
--> work of a row: 1210 ns
--> source: SELECT count(*) AS s0 FROM (SELECT  FROM "public"."samples" AS t0) AS r

SELECT count(coalesce(paid_at, timestamptz '2024-01-01 00:00+00')) FROM samples;
--> path: unique
--> Differentially private aggregate of public.samples
-->   Privacy unit: patient, by public.samples.patient_id
-->   Contribution: one row per unit, proven by a unique key of the source; no unit is scaled down
-->   Group keys: none, one row
-->   Noisy number 1: rows; standard deviation 10, 95 % of the noise within ±20
-->   count(coalesce(paid_at, CAST('2024-01-01 00:00+00' AS TIMESTAMPTZ))): from noisy number 1
-->   95 % of the noise: count(coalesce(paid_at, CAST('2024-01-01 00:00+00' AS TIMESTAMPTZ))) within ±20 rows
-->   Noise intervals (dp.low, dp.high): cover everything, nothing is clipped
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.samples.paid_at, public.samples.patient_id
--> rests on: public.samples (patient_id)
--> work of a row: 1346 ns
--> source: SELECT count(*) AS s0 FROM (SELECT  FROM "public"."samples" AS t0) AS r

SELECT count(make_date(2024, minutes, 1)) FROM samples;
--> path: unique
--> Differentially private aggregate of public.samples
-->   Privacy unit: patient, by public.samples.patient_id
-->   Contribution: one row per unit, proven by a unique key of the source; no unit is scaled down
-->   Group keys: none, one row
-->   Noisy number 1: rows where the value is not NULL; standard deviation 10, 95 % of the noise within ±20
-->   count(make_date(2024, minutes, 1)): from noisy number 1
-->   95 % of the noise: count(make_date(2024, minutes, 1)) within ±20 rows
-->   Noise intervals (dp.low, dp.high): cover everything, nothing is clipped
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.samples.minutes, public.samples.patient_id
--> rests on: public.samples (patient_id)
--> work of a row: 7120 ns
--> source: SELECT count(x0) AS s0 FROM (SELECT (CASE WHEN 2024 BETWEEN 1 AND 9999 AND t0."minutes" BETWEEN 1 AND 12 AND 1 BETWEEN 1 AND 31 THEN CASE WHEN 1 <= 28 OR extract(month FROM (make_date(2024::integer, t0."minutes"::integer, 1) + (1::integer - 1))) = t0."minutes" THEN (make_date(2024::integer, t0."minutes"::integer, 1) + (1::integer - 1)) END END) AS x0 FROM "public"."samples" AS t0) AS r

SELECT count(day::text) FROM samples;
--> path: unique
--> Differentially private aggregate of public.samples
-->   Privacy unit: patient, by public.samples.patient_id
-->   Contribution: one row per unit, proven by a unique key of the source; no unit is scaled down
-->   Group keys: none, one row
-->   Noisy number 1: rows where the value is not NULL; standard deviation 10, 95 % of the noise within ±20
-->   count(CAST(day AS TEXT)): from noisy number 1
-->   95 % of the noise: count(CAST(day AS TEXT)) within ±20 rows
-->   Noise intervals (dp.low, dp.high): cover everything, nothing is clipped
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.samples.day, public.samples.patient_id
--> rests on: public.samples (patient_id)
--> work of a row: 3490 ns
--> source: SELECT count(x0) AS s0 FROM (SELECT (t0."day"::text COLLATE pg_catalog."default")::text AS x0 FROM "public"."samples" AS t0) AS r

SELECT count(note::date) FROM samples;
--> path: unique
--> Differentially private aggregate of public.samples
-->   Privacy unit: patient, by public.samples.patient_id
-->   Contribution: one row per unit, proven by a unique key of the source; no unit is scaled down
-->   Group keys: none, one row
-->   Noisy number 1: rows where the value is not NULL; standard deviation 10, 95 % of the noise within ±20
-->   count(CAST(note AS DATE)): from noisy number 1
-->   95 % of the noise: count(CAST(note AS DATE)) within ±20 rows
-->   Noise intervals (dp.low, dp.high): cover everything, nothing is clipped
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.samples.note, public.samples.patient_id
--> rests on: public.samples (patient_id)
--> work of a row: 78500 ns
--> source: SELECT count(x0) AS s0 FROM (SELECT ((CASE WHEN (left((CASE WHEN octet_length(t0."note") > 4000 THEN CASE WHEN pg_column_size(t0."note") <= 1000000 THEN left(t0."note", 2000) ELSE '' END ELSE t0."note" END), 250) COLLATE pg_catalog."default") ~ E'^[ \\t\\n\\r\\f\\v]*((([1-9][0-9]{3}|0[1-9][0-9]{2}|00[1-9][0-9]|000[1-9])-((0?[13578]|1[02])-(0?[1-9]|[12][0-9]|3[01])|(0?[469]|11)-(0?[1-9]|[12][0-9]|30)|0?2-(0?[1-9]|1[0-9]|2[0-8]))|([0-9]{2}(0[48]|[2468][048]|[13579][26])|(0[48]|[2468][048]|[13579][26])00)-0?2-29|([1-9][0-9]{3}|0[1-9][0-9]{2}|00[1-9][0-9]|000[1-9])/((0?[13578]|1[02])/(0?[1-9]|[12][0-9]|3[01])|(0?[469]|11)/(0?[1-9]|[12][0-9]|30)|0?2/(0?[1-9]|1[0-9]|2[0-8]))|([0-9]{2}(0[48]|[2468][048]|[13579][26])|(0[48]|[2468][048]|[13579][26])00)/0?2/29|([1-9][0-9]{3}|0[1-9][0-9]{2}|00[1-9][0-9]|000[1-9])((0[13578]|1[02])(0[1-9]|[12][0-9]|3[01])|(0[469]|11)(0[1-9]|[12][0-9]|30)|02(0[1-9]|1[0-9]|2[0-8]))|([0-9]{2}(0[48]|[2468][048]|[13579][26])|(0[48]|[2468][048]|[13579][26])00)0229)([ T]([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9](\\.[0-9]{1,6})?)?(Z|[+-](0[0-9]|1[0-4])(:?[0-5][0-9])?)?)?)[ \\t\\n\\r\\f\\v]*$' THEN (left((CASE WHEN octet_length(t0."note") > 4000 THEN CASE WHEN pg_column_size(t0."note") <= 1000000 THEN left(t0."note", 2000) ELSE '' END ELSE t0."note" END), 250) COLLATE pg_catalog."default") END)::date)::date AS x0 FROM "public"."samples" AS t0) AS r

SELECT count(timezone('UTC', paid_at)) FROM samples;
--> path: unique
--> Differentially private aggregate of public.samples
-->   Privacy unit: patient, by public.samples.patient_id
-->   Contribution: one row per unit, proven by a unique key of the source; no unit is scaled down
-->   Group keys: none, one row
-->   Noisy number 1: rows where the value is not NULL; standard deviation 10, 95 % of the noise within ±20
-->   count(timezone('UTC', paid_at)): from noisy number 1
-->   95 % of the noise: count(timezone('UTC', paid_at)) within ±20 rows
-->   Noise intervals (dp.low, dp.high): cover everything, nothing is clipped
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.samples.paid_at, public.samples.patient_id
--> rests on: public.samples (patient_id)
--> work of a row: 3060 ns
--> source: SELECT count(x0) AS s0 FROM (SELECT (CASE WHEN timezone('UTC', timestamp '2000-01-01') IS NOT NULL THEN timezone('UTC', (CASE WHEN t0."paid_at" BETWEEN '0001-01-01' AND '9999-12-31' THEN t0."paid_at" END)) END) AS x0 FROM "public"."samples" AS t0) AS r

SELECT count(date_trunc('day', paid_at, 'UTC')) FROM samples;
--> path: unique
--> Differentially private aggregate of public.samples
-->   Privacy unit: patient, by public.samples.patient_id
-->   Contribution: one row per unit, proven by a unique key of the source; no unit is scaled down
-->   Group keys: none, one row
-->   Noisy number 1: rows where the value is not NULL; standard deviation 10, 95 % of the noise within ±20
-->   count(date_trunc('day', paid_at, 'UTC')): from noisy number 1
-->   95 % of the noise: count(date_trunc('day', paid_at, 'UTC')) within ±20 rows
-->   Noise intervals (dp.low, dp.high): cover everything, nothing is clipped
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.samples.paid_at, public.samples.patient_id
--> rests on: public.samples (patient_id)
--> work of a row: 3060 ns
--> source: SELECT count(x0) AS s0 FROM (SELECT (CASE WHEN timezone('UTC', timestamp '2000-01-01') IS NOT NULL THEN date_trunc('day', (CASE WHEN t0."paid_at" BETWEEN '0001-01-01' AND '9999-12-31' THEN t0."paid_at" END), 'UTC') END) AS x0 FROM "public"."samples" AS t0) AS r

SELECT count(extract(century FROM day)) FROM samples;
--> path: unique
--> Differentially private aggregate of public.samples
-->   Privacy unit: patient, by public.samples.patient_id
-->   Contribution: one row per unit, proven by a unique key of the source; no unit is scaled down
-->   Group keys: none, one row
-->   Noisy number 1: rows where the value is not NULL; standard deviation 10, 95 % of the noise within ±20
-->   count(EXTRACT(CENTURY FROM day)): from noisy number 1
-->   95 % of the noise: count(EXTRACT(CENTURY FROM day)) within ±20 rows
-->   Noise intervals (dp.low, dp.high): cover everything, nothing is clipped
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.samples.day, public.samples.patient_id
--> rests on: public.samples (patient_id)
--> work of a row: 3060 ns
--> source: SELECT count(NULLIF(x0, 'NaN')) AS s0 FROM (SELECT extract(century from (CASE WHEN t0."day" BETWEEN '0001-01-01' AND '9999-12-31' THEN t0."day" END)) AS x0 FROM "public"."samples" AS t0) AS r

SELECT variance(cost) FILTER (WHERE urgent), corr(cost, minutes) FILTER (WHERE urgent), regr_count(cost, minutes) FILTER (WHERE urgent) FROM samples;
--> path: unique
--> Differentially private aggregate of public.samples
-->   Privacy unit: patient, by public.samples.patient_id
-->   Contribution: one row per unit, proven by a unique key of the source; no unit is scaled down
-->   Group keys: none, one row
-->   Noisy number 1: rows where the value is not NULL; standard deviation 30, 95 % of the noise within ±59
-->   Noisy number 2: sum around 500 of values clamped to [0, 1000] in steps of 0.01; standard deviation 15000, 95 % of the noise within ±29399.5
-->   Noisy number 3: sum of values clamped to [0, 250000] in steps of 0.0001; standard deviation 7.5e+06, 95 % of the noise within ±1.46997e+07
-->   Noisy number 4: rows where the value is not NULL; standard deviation 30, 95 % of the noise within ±59
-->   Noisy number 5: sum around 120 of values clamped to [0, 240] in steps of 1; standard deviation 3600, 95 % of the noise within ±7056
-->   Noisy number 6: sum around 500 of values clamped to [0, 1000] in steps of 0.01; standard deviation 15000, 95 % of the noise within ±29399.5
-->   Noisy number 7: sum of values clamped to [0, 14400] in steps of 1; standard deviation 432000, 95 % of the noise within ±846705
-->   Noisy number 8: sum of values clamped to [0, 250000] in steps of 0.0001; standard deviation 7.5e+06, 95 % of the noise within ±1.46997e+07
-->   Noisy number 9: sum of values clamped to [-60000, 60000] in steps of 0.01; standard deviation 1.8e+06, 95 % of the noise within ±3.52794e+06
-->   variance(cost) FILTER(WHERE urgent): from noisy numbers 1, 2 and 3; values outside [0, 1000] count as the nearest bound
-->   corr(cost, minutes) FILTER(WHERE urgent): from noisy numbers 4, 5, 6, 7, 8 and 9; values outside [0, 1000] or [0, 240] count as the nearest bound
-->   regr_count(cost, minutes) FILTER(WHERE urgent): from noisy number 4
-->   95 % of the noise: dp.low and dp.high tell it of each group
-->   Noise intervals (dp.low, dp.high): cover the noise only, not values moved to a bound
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.samples.cost, public.samples.minutes, public.samples.patient_id, public.samples.urgent
--> rests on: public.samples (patient_id)
--> work of a row: 360 ns
--> source: SELECT count(NULLIF(x1, 'NaN')) FILTER (WHERE x0) AS s0, sum(((CASE WHEN x2 < (-500) THEN (-500) WHEN x2 <= 500 THEN x2 WHEN x2 <> 'NaN' THEN 500 END)::numeric * 100)::integer) FILTER (WHERE x0) AS s1, sum(((CASE WHEN x2 < (-500) THEN (-500) WHEN x2 <= 500 THEN x2 WHEN x2 <> 'NaN' THEN 500 END)::numeric * 100)::integer::bigint * ((CASE WHEN x2 < (-500) THEN (-500) WHEN x2 <= 500 THEN x2 WHEN x2 <> 'NaN' THEN 500 END)::numeric * 100)::integer) FILTER (WHERE x0) AS s2, count(x3) FILTER (WHERE x0) AS s3, sum((CASE WHEN x4 < (-120) THEN (-120) WHEN x4 <= 120 THEN x4 WHEN x4 <> 'NaN' THEN 120 END)::integer) FILTER (WHERE x0) AS s4, sum(((CASE WHEN x5 < (-500) THEN (-500) WHEN x5 <= 500 THEN x5 WHEN x5 <> 'NaN' THEN 500 END)::numeric * 100)::integer) FILTER (WHERE x0) AS s5, sum((CASE WHEN x4 < (-120) THEN (-120) WHEN x4 <= 120 THEN x4 WHEN x4 <> 'NaN' THEN 120 END)::integer::bigint * (CASE WHEN x4 < (-120) THEN (-120) WHEN x4 <= 120 THEN x4 WHEN x4 <> 'NaN' THEN 120 END)::integer) FILTER (WHERE x0) AS s6, sum(((CASE WHEN x5 < (-500) THEN (-500) WHEN x5 <= 500 THEN x5 WHEN x5 <> 'NaN' THEN 500 END)::numeric * 100)::integer::bigint * ((CASE WHEN x5 < (-500) THEN (-500) WHEN x5 <= 500 THEN x5 WHEN x5 <> 'NaN' THEN 500 END)::numeric * 100)::integer) FILTER (WHERE x0) AS s7, sum((CASE WHEN x4 < (-120) THEN (-120) WHEN x4 <= 120 THEN x4 WHEN x4 <> 'NaN' THEN 120 END)::integer::bigint * ((CASE WHEN x5 < (-500) THEN (-500) WHEN x5 <= 500 THEN x5 WHEN x5 <> 'NaN' THEN 500 END)::numeric * 100)::integer) FILTER (WHERE x0) AS s8 FROM (WITH once AS (SELECT) SELECT t0."urgent" AS x0, t0."cost" AS x1, (t0."cost" - 500::numeric) AS x2, (CASE WHEN NULLIF(t0."cost", 'NaN') IS NOT NULL THEN t0."minutes" END) AS x3, ((CASE WHEN NULLIF(t0."cost", 'NaN') IS NOT NULL THEN t0."minutes" END) - 120::numeric) AS x4, ((CASE WHEN t0."minutes" IS NOT NULL THEN t0."cost" END) - 500::numeric) AS x5 FROM "public"."samples" AS t0) AS r

SELECT var_pop(ratio) FROM readings;
--> path: unique
--> Differentially private aggregate of public.readings
-->   Privacy unit: patient, by public.readings.patient_id
-->   Contribution: one row per unit, proven by a unique key of the source; no unit is scaled down
-->   Group keys: none, one row
-->   Not a number: NaN counts as NULL in var_pop(ratio)
-->   Noisy number 1: rows where the value is not NULL; standard deviation 17.3205, 95 % of the noise within ±34
-->   Noisy number 2: sum around 0.5 of values clamped to [0, 1] in steps of 0.000001; standard deviation 8.66025, 95 % of the noise within ±16.9738
-->   Noisy number 3: sum of values clamped to [0, 0.25] in steps of 1e-12; standard deviation 4.33013, 95 % of the noise within ±8.48689
-->   var_pop(ratio): from noisy numbers 1, 2 and 3; values outside [0, 1] count as the nearest bound
-->   95 % of the noise: dp.low and dp.high tell it of each group
-->   Noise intervals (dp.low, dp.high): cover the noise only, not values moved to a bound
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.readings.patient_id, public.readings.ratio
--> rests on: public.readings (patient_id)
--> work of a row: 180 ns
--> source: SELECT count(NULLIF(x0, 'NaN')) AS s0, sum((CASE WHEN x1 < (-0.5) THEN -500000::double precision WHEN x1 <= 0.5 THEN round(x1::double precision / 0.000001::double precision) WHEN x1 <> 'NaN' THEN 500000::double precision END)::integer) AS s1, sum((CASE WHEN x1 < (-0.5) THEN -500000::double precision WHEN x1 <= 0.5 THEN round(x1::double precision / 0.000001::double precision) WHEN x1 <> 'NaN' THEN 500000::double precision END)::integer::bigint * (CASE WHEN x1 < (-0.5) THEN -500000::double precision WHEN x1 <= 0.5 THEN round(x1::double precision / 0.000001::double precision) WHEN x1 <> 'NaN' THEN 500000::double precision END)::integer) AS s2 FROM (SELECT t0."ratio" AS x0, (((CASE WHEN abs(t0."ratio") BETWEEN 1e-150 AND 1e150 THEN t0."ratio" WHEN abs(t0."ratio") < 1e-150 THEN 0 END)::double precision) - (0.5::numeric::double precision)) AS x1 FROM "public"."readings" AS t0) AS r
