SELECT sum(minutes + 1) FROM samples;
--> path: unique
--> Differentially private aggregate of public.samples
-->   Privacy unit: patient, by public.samples.patient_id
-->   Contribution: one row per unit, proven by a unique key of the source; no unit is scaled down
-->   Group keys: none, one row
-->   Noisy number 1: sum of values clamped to [1, 241] in steps of 1; standard deviation 2410, 95 % of the noise within ±4724
-->   sum(minutes + 1): from noisy number 1; values outside [1, 241] count as the nearest bound
-->   95 % of the noise: sum(minutes + 1) within ±4724
-->   Noise intervals (dp.low, dp.high): cover the noise only, not values moved to a bound
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.samples.minutes, public.samples.patient_id
--> rests on: public.samples (patient_id)
--> work of a row: 690 ns
--> source: SELECT sum((CASE WHEN x0 < 1 THEN 1 WHEN x0 > 241 THEN 241 ELSE x0 END)) AS s0 FROM (SELECT (t0."minutes"::bigint + 1) AS x0 FROM "public"."samples" AS t0) AS r

SELECT sum(minutes - cost) FROM samples;
--> path: unique
--> Differentially private aggregate of public.samples
-->   Privacy unit: patient, by public.samples.patient_id
-->   Contribution: one row per unit, proven by a unique key of the source; no unit is scaled down
-->   Group keys: none, one row
-->   Noisy number 1: sum of values clamped to [-1000, 240] in steps of 0.01; standard deviation 10000, 95 % of the noise within ±19599.6
-->   sum(minutes - cost): from noisy number 1; values outside [-1000, 240] count as the nearest bound
-->   95 % of the noise: sum(minutes - cost) within ±19599.6
-->   Noise intervals (dp.low, dp.high): cover the noise only, not values moved to a bound
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.samples.cost, public.samples.minutes, public.samples.patient_id
--> rests on: public.samples (patient_id)
--> work of a row: 1176 ns
--> source: SELECT sum((CASE WHEN x0 < (-1000) THEN (-1000) WHEN x0 <= 240 THEN x0 WHEN x0 <> 'NaN' THEN 240 END)) AS s0 FROM (SELECT (t0."minutes" - t0."cost") AS x0 FROM "public"."samples" AS t0) AS r

SELECT sum(minutes * cost) FROM samples;
--> path: unique
--> Differentially private aggregate of public.samples
-->   Privacy unit: patient, by public.samples.patient_id
-->   Contribution: one row per unit, proven by a unique key of the source; no unit is scaled down
-->   Group keys: none, one row
-->   Noisy number 1: sum of values clamped to [0, 240000] in steps of 0.01; standard deviation 2.4e+06, 95 % of the noise within ±4.70391e+06
-->   sum(minutes * cost): from noisy number 1; values outside [0, 240000] count as the nearest bound
-->   95 % of the noise: sum(minutes * cost) within ±4.70391e+06
-->   Noise intervals (dp.low, dp.high): cover the noise only, not values moved to a bound
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.samples.cost, public.samples.minutes, public.samples.patient_id
--> rests on: public.samples (patient_id)
--> work of a row: 1188 ns
--> source: SELECT sum((CASE WHEN x0 < 0 THEN 0 WHEN x0 <= 240000 THEN x0 WHEN x0 <> 'NaN' THEN 240000 END)) AS s0 FROM (SELECT (t0."minutes" * t0."cost") AS x0 FROM "public"."samples" AS t0) AS r

SELECT sum(cost / 3) FROM samples;
--> path: unique
--> Differentially private aggregate of public.samples
-->   Privacy unit: patient, by public.samples.patient_id
-->   Contribution: one row per unit, proven by a unique key of the source; no unit is scaled down
-->   Group keys: none, one row
-->   Noisy number 1: sum of values clamped to [0, 333.333] in steps of 0.0000001; standard deviation 3333.33, 95 % of the noise within ±6533.21
-->   sum(cost / 3): from noisy number 1; values outside [0, 333.333] count as the nearest bound
-->   95 % of the noise: sum(cost / 3) within ±6533.21
-->   Noise intervals (dp.low, dp.high): cover the noise only, not values moved to a bound
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.samples.cost, public.samples.patient_id
--> rests on: public.samples (patient_id)
--> work of a row: 1120 ns
--> source: SELECT sum(round(((CASE WHEN x0 < 0 THEN 0 WHEN x0 <= 333.3333333 THEN x0 WHEN x0 <> 'NaN' THEN 333.3333333 END)::numeric * 10000000))::bigint) AS s0 FROM (SELECT (t0."cost" / NULLIF(3, 0)) AS x0 FROM "public"."samples" AS t0) AS r

SELECT sum(minutes / 7) FROM samples;
--> path: unique
--> Differentially private aggregate of public.samples
-->   Privacy unit: patient, by public.samples.patient_id
-->   Contribution: one row per unit, proven by a unique key of the source; no unit is scaled down
-->   Group keys: none, one row
-->   Noisy number 1: sum of values clamped to [0, 34] in steps of 1; standard deviation 340, 95 % of the noise within ±667
-->   sum(minutes / 7): from noisy number 1; values outside [0, 34] count as the nearest bound
-->   95 % of the noise: sum(minutes / 7) within ±667
-->   Noise intervals (dp.low, dp.high): cover the noise only, not values moved to a bound
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.samples.minutes, public.samples.patient_id
--> rests on: public.samples (patient_id)
--> work of a row: 690 ns
--> source: SELECT sum((CASE WHEN x0 < 0 THEN 0 WHEN x0 > 34 THEN 34 ELSE x0 END)) AS s0 FROM (SELECT div(t0."minutes"::numeric, NULLIF(7::numeric, 0)) AS x0 FROM "public"."samples" AS t0) AS r

SELECT sum(minutes % 5) FROM samples;
--> path: unique
--> Differentially private aggregate of public.samples
-->   Privacy unit: patient, by public.samples.patient_id
-->   Contribution: one row per unit, proven by a unique key of the source; no unit is scaled down
-->   Group keys: none, one row
-->   Noisy number 1: sum of values clamped to [0, 5] in steps of 1; standard deviation 50, 95 % of the noise within ±98
-->   sum(minutes % 5): from noisy number 1; values outside [0, 5] count as the nearest bound
-->   95 % of the noise: sum(minutes % 5) within ±98
-->   Noise intervals (dp.low, dp.high): cover the noise only, not values moved to a bound
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.samples.minutes, public.samples.patient_id
--> rests on: public.samples (patient_id)
--> work of a row: 690 ns
--> source: SELECT sum((CASE WHEN x0 < 0 THEN 0 WHEN x0 > 5 THEN 5 ELSE x0 END)) AS s0 FROM (SELECT (t0."minutes"::bigint % NULLIF(5::bigint, 0)) AS x0 FROM "public"."samples" AS t0) AS r

SELECT sum(minutes / nullif(minutes - 3, 0)) FROM samples;
--> path: unique
--> Differentially private aggregate of public.samples
-->   Privacy unit: patient, by public.samples.patient_id
-->   Contribution: one row per unit, proven by a unique key of the source; no unit is scaled down
-->   Group keys: none, one row
-->   Noisy number 1: sum of values clamped to [-240, 240] in steps of 1; standard deviation 2400, 95 % of the noise within ±4704
-->   sum(minutes / nullif(minutes - 3, 0)): from noisy number 1; values outside [-240, 240] count as the nearest bound
-->   95 % of the noise: sum(minutes / nullif(minutes - 3, 0)) within ±4704
-->   Noise intervals (dp.low, dp.high): cover the noise only, not values moved to a bound
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.samples.minutes, public.samples.patient_id
--> rests on: public.samples (patient_id)
--> work of a row: 1810 ns
--> source: SELECT sum((CASE WHEN x0 < (-240) THEN (-240) WHEN x0 > 240 THEN 240 ELSE x0 END)) AS s0 FROM (WITH once AS (SELECT) SELECT div(t0."minutes"::numeric, NULLIF(NULLIF((t0."minutes"::bigint - 3), 0)::numeric, 0)) AS x0 FROM "public"."samples" AS t0) AS r

SELECT sum(-cost) FROM samples;
--> path: unique
--> Differentially private aggregate of public.samples
-->   Privacy unit: patient, by public.samples.patient_id
-->   Contribution: one row per unit, proven by a unique key of the source; no unit is scaled down
-->   Group keys: none, one row
-->   Noisy number 1: sum of values clamped to [-1000, 0] in steps of 0.01; standard deviation 10000, 95 % of the noise within ±19599.6
-->   sum(-cost): from noisy number 1; values outside [-1000, 0] count as the nearest bound
-->   95 % of the noise: sum(-cost) within ±19599.6
-->   Noise intervals (dp.low, dp.high): cover the noise only, not values moved to a bound
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.samples.cost, public.samples.patient_id
--> rests on: public.samples (patient_id)
--> work of a row: 1056 ns
--> source: SELECT sum((CASE WHEN x0 < (-1000) THEN (-1000) WHEN x0 <= 0 THEN x0 WHEN x0 <> 'NaN' THEN 0 END)) AS s0 FROM (SELECT (- t0."cost") AS x0 FROM "public"."samples" AS t0) AS r

SELECT sum(+minutes) FROM samples;
--> path: unique
--> Differentially private aggregate of public.samples
-->   Privacy unit: patient, by public.samples.patient_id
-->   Contribution: one row per unit, proven by a unique key of the source; no unit is scaled down
-->   Group keys: none, one row
-->   Noisy number 1: sum of values clamped to [0, 240] in steps of 1; standard deviation 2400, 95 % of the noise within ±4704
-->   sum(+ minutes): from noisy number 1; values outside [0, 240] count as the nearest bound
-->   95 % of the noise: sum(+ minutes) within ±4704
-->   Noise intervals (dp.low, dp.high): cover the noise only, not values moved to a bound
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.samples.minutes, public.samples.patient_id
--> rests on: public.samples (patient_id)
--> work of a row: 690 ns
--> source: SELECT sum((CASE WHEN x0 < 0 THEN 0 WHEN x0 > 240 THEN 240 ELSE x0 END)) AS s0 FROM (SELECT t0."minutes" AS x0 FROM "public"."samples" AS t0) AS r

SELECT sum(abs(minutes - 100)) FROM samples;
--> path: unique
--> Differentially private aggregate of public.samples
-->   Privacy unit: patient, by public.samples.patient_id
-->   Contribution: one row per unit, proven by a unique key of the source; no unit is scaled down
-->   Group keys: none, one row
-->   Noisy number 1: sum of values clamped to [0, 140] in steps of 1; standard deviation 1400, 95 % of the noise within ±2744
-->   sum(abs(minutes - 100)): from noisy number 1; values outside [0, 140] count as the nearest bound
-->   95 % of the noise: sum(abs(minutes - 100)) within ±2744
-->   Noise intervals (dp.low, dp.high): cover the noise only, not values moved to a bound
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.samples.minutes, public.samples.patient_id
--> rests on: public.samples (patient_id)
--> work of a row: 1290 ns
--> source: SELECT sum((CASE WHEN x0 < 0 THEN 0 WHEN x0 > 140 THEN 140 ELSE x0 END)) AS s0 FROM (SELECT abs((t0."minutes"::bigint - 100)::bigint) AS x0 FROM "public"."samples" AS t0) AS r

SELECT sum(round(cost)) FROM samples;
--> path: unique
--> Differentially private aggregate of public.samples
-->   Privacy unit: patient, by public.samples.patient_id
-->   Contribution: one row per unit, proven by a unique key of the source; no unit is scaled down
-->   Group keys: none, one row
-->   Noisy number 1: sum of values clamped to [0, 1000] in steps of 1; standard deviation 10000, 95 % of the noise within ±19600
-->   sum(round(cost)): from noisy number 1; values outside [0, 1000] count as the nearest bound
-->   95 % of the noise: sum(round(cost)) within ±19600
-->   Noise intervals (dp.low, dp.high): cover the noise only, not values moved to a bound
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.samples.cost, public.samples.patient_id
--> rests on: public.samples (patient_id)
--> work of a row: 1056 ns
--> source: SELECT sum((CASE WHEN x0 < 0 THEN 0 WHEN x0 <= 1000 THEN x0 WHEN x0 <> 'NaN' THEN 1000 END)) AS s0 FROM (SELECT round(t0."cost"::numeric) AS x0 FROM "public"."samples" AS t0) AS r

SELECT sum(round(cost, 1)) FROM samples;
--> path: unique
--> Differentially private aggregate of public.samples
-->   Privacy unit: patient, by public.samples.patient_id
-->   Contribution: one row per unit, proven by a unique key of the source; no unit is scaled down
-->   Group keys: none, one row
-->   Noisy number 1: sum of values clamped to [0, 1000] in steps of 0.1; standard deviation 10000, 95 % of the noise within ±19599.7
-->   sum(round(cost, 1)): from noisy number 1; values outside [0, 1000] count as the nearest bound
-->   95 % of the noise: sum(round(cost, 1)) within ±19599.7
-->   Noise intervals (dp.low, dp.high): cover the noise only, not values moved to a bound
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.samples.cost, public.samples.patient_id
--> rests on: public.samples (patient_id)
--> work of a row: 1056 ns
--> source: SELECT sum((CASE WHEN x0 < 0 THEN 0 WHEN x0 <= 1000 THEN x0 WHEN x0 <> 'NaN' THEN 1000 END)) AS s0 FROM (SELECT round(t0."cost"::numeric, 1) AS x0 FROM "public"."samples" AS t0) AS r

SELECT sum(round(cost, -1)) FROM samples;
--> path: unique
--> Differentially private aggregate of public.samples
-->   Privacy unit: patient, by public.samples.patient_id
-->   Contribution: one row per unit, proven by a unique key of the source; no unit is scaled down
-->   Group keys: none, one row
-->   Noisy number 1: sum of values clamped to [0, 1000] in steps of 10; standard deviation 10000, 95 % of the noise within ±19600
-->   sum(round(cost, -1)): from noisy number 1; values outside [0, 1000] count as the nearest bound
-->   95 % of the noise: sum(round(cost, -1)) within ±19600
-->   Noise intervals (dp.low, dp.high): cover the noise only, not values moved to a bound
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.samples.cost, public.samples.patient_id
--> rests on: public.samples (patient_id)
--> work of a row: 1056 ns
--> source: SELECT sum((CASE WHEN x0 < 0 THEN 0 WHEN x0 <= 1000 THEN x0 WHEN x0 <> 'NaN' THEN 1000 END)) AS s0 FROM (SELECT round(t0."cost"::numeric, -1) AS x0 FROM "public"."samples" AS t0) AS r

SELECT sum(trunc(cost)) FROM samples;
--> path: unique
--> Differentially private aggregate of public.samples
-->   Privacy unit: patient, by public.samples.patient_id
-->   Contribution: one row per unit, proven by a unique key of the source; no unit is scaled down
-->   Group keys: none, one row
-->   Noisy number 1: sum of values clamped to [0, 1000] in steps of 1; standard deviation 10000, 95 % of the noise within ±19600
-->   sum(trunc(cost)): from noisy number 1; values outside [0, 1000] count as the nearest bound
-->   95 % of the noise: sum(trunc(cost)) within ±19600
-->   Noise intervals (dp.low, dp.high): cover the noise only, not values moved to a bound
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.samples.cost, public.samples.patient_id
--> rests on: public.samples (patient_id)
--> work of a row: 1056 ns
--> source: SELECT sum((CASE WHEN x0 < 0 THEN 0 WHEN x0 <= 1000 THEN x0 WHEN x0 <> 'NaN' THEN 1000 END)) AS s0 FROM (SELECT trunc(t0."cost"::numeric) AS x0 FROM "public"."samples" AS t0) AS r

SELECT sum(ceil(cost)) FROM samples;
--> path: unique
--> Differentially private aggregate of public.samples
-->   Privacy unit: patient, by public.samples.patient_id
-->   Contribution: one row per unit, proven by a unique key of the source; no unit is scaled down
-->   Group keys: none, one row
-->   Noisy number 1: sum of values clamped to [0, 1000] in steps of 1; standard deviation 10000, 95 % of the noise within ±19600
-->   sum(ceil(cost)): from noisy number 1; values outside [0, 1000] count as the nearest bound
-->   95 % of the noise: sum(ceil(cost)) within ±19600
-->   Noise intervals (dp.low, dp.high): cover the noise only, not values moved to a bound
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.samples.cost, public.samples.patient_id
--> rests on: public.samples (patient_id)
--> work of a row: 1056 ns
--> source: SELECT sum((CASE WHEN x0 < 0 THEN 0 WHEN x0 <= 1000 THEN x0 WHEN x0 <> 'NaN' THEN 1000 END)) AS s0 FROM (SELECT ceil(t0."cost"::numeric) AS x0 FROM "public"."samples" AS t0) AS r

SELECT sum(floor(score)) FROM samples;
--> path: unique
--> Differentially private aggregate of public.samples
-->   Privacy unit: patient, by public.samples.patient_id
-->   Contribution: one row per unit, proven by a unique key of the source; no unit is scaled down
-->   Group keys: none, one row
-->   Not a number: NaN counts as NULL in sum(floor(score))
-->   Noisy number 1: sum of values clamped to [-1, 1] in steps of 1; standard deviation 10, 95 % of the noise within ±20
-->   sum(floor(score)): from noisy number 1; values outside [-1, 1] count as the nearest bound
-->   95 % of the noise: sum(floor(score)) within ±20
-->   Noise intervals (dp.low, dp.high): cover the noise only, not values moved to a bound
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.samples.patient_id, public.samples.score
--> rests on: public.samples (patient_id)
--> work of a row: 1290 ns
--> source: SELECT sum((CASE WHEN x0 < (-1) THEN -1::double precision WHEN x0 <= 1 THEN round(x0::double precision / 1::double precision) WHEN x0 <> 'NaN' THEN 1::double precision END)::integer) AS s0 FROM (SELECT floor(((CASE WHEN abs(t0."score") BETWEEN 1e-150 AND 1e150 THEN t0."score" WHEN abs(t0."score") < 1e-150 THEN 0 END)::double precision)) AS x0 FROM "public"."samples" AS t0) AS r

SELECT sum(sign(score)) FROM samples;
--> path: unique
--> Differentially private aggregate of public.samples
-->   Privacy unit: patient, by public.samples.patient_id
-->   Contribution: one row per unit, proven by a unique key of the source; no unit is scaled down
-->   Group keys: none, one row
-->   Not a number: NaN counts as NULL in sum(sign(score))
-->   Noisy number 1: sum of values clamped to [-1, 1] in steps of 1; standard deviation 10, 95 % of the noise within ±20
-->   sum(sign(score)): from noisy number 1; values outside [-1, 1] count as the nearest bound
-->   95 % of the noise: sum(sign(score)) within ±20
-->   Noise intervals (dp.low, dp.high): cover the noise only, not values moved to a bound
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.samples.patient_id, public.samples.score
--> rests on: public.samples (patient_id)
--> work of a row: 1320 ns
--> source: SELECT sum((CASE WHEN x0 < (-1) THEN -1::double precision WHEN x0 <= 1 THEN round(x0::double precision / 1::double precision) WHEN x0 <> 'NaN' THEN 1::double precision END)::integer) AS s0 FROM (SELECT ((CASE WHEN t0."score" = 'NaN' THEN 0 WHEN t0."score" > 0 THEN 1 WHEN t0."score" < 0 THEN -1 WHEN t0."score" = 0 THEN 0 END)::double precision) AS x0 FROM "public"."samples" AS t0) AS r

SELECT sum(mod(minutes, 7)) FROM samples;
--> path: unique
--> Differentially private aggregate of public.samples
-->   Privacy unit: patient, by public.samples.patient_id
-->   Contribution: one row per unit, proven by a unique key of the source; no unit is scaled down
-->   Group keys: none, one row
-->   Noisy number 1: sum of values clamped to [0, 7] in steps of 1; standard deviation 70, 95 % of the noise within ±137
-->   sum(mod(minutes, 7)): from noisy number 1; values outside [0, 7] count as the nearest bound
-->   95 % of the noise: sum(mod(minutes, 7)) within ±137
-->   Noise intervals (dp.low, dp.high): cover the noise only, not values moved to a bound
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.samples.minutes, public.samples.patient_id
--> rests on: public.samples (patient_id)
--> work of a row: 690 ns
--> source: SELECT sum((CASE WHEN x0 < 0 THEN 0 WHEN x0 > 7 THEN 7 ELSE x0 END)) AS s0 FROM (SELECT (t0."minutes"::bigint % NULLIF(7::bigint, 0)) AS x0 FROM "public"."samples" AS t0) AS r

SELECT sum(div(cost, 3)) FROM samples;
--> path: unique
--> Differentially private aggregate of public.samples
-->   Privacy unit: patient, by public.samples.patient_id
-->   Contribution: one row per unit, proven by a unique key of the source; no unit is scaled down
-->   Group keys: none, one row
-->   Noisy number 1: sum of values clamped to [0, 333] in steps of 1; standard deviation 3330, 95 % of the noise within ±6527
-->   sum(div(cost, 3)): from noisy number 1; values outside [0, 333] count as the nearest bound
-->   95 % of the noise: sum(div(cost, 3)) within ±6527
-->   Noise intervals (dp.low, dp.high): cover the noise only, not values moved to a bound
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.samples.cost, public.samples.patient_id
--> rests on: public.samples (patient_id)
--> work of a row: 1120 ns
--> source: SELECT sum((CASE WHEN x0 < 0 THEN 0 WHEN x0 <= 333 THEN x0 WHEN x0 <> 'NaN' THEN 333 END)) AS s0 FROM (SELECT div(t0."cost"::numeric, NULLIF(3::numeric, 0)) AS x0 FROM "public"."samples" AS t0) AS r

SELECT sum(gcd(minutes, 12)) FROM samples;
--> path: unique
--> Differentially private aggregate of public.samples
-->   Privacy unit: patient, by public.samples.patient_id
-->   Contribution: one row per unit, proven by a unique key of the source; no unit is scaled down
-->   Group keys: none, one row
-->   Noisy number 1: sum of values clamped to [0, 240] in steps of 1; standard deviation 2400, 95 % of the noise within ±4704
-->   sum(gcd(minutes, 12)): from noisy number 1; values outside [0, 240] count as the nearest bound
-->   95 % of the noise: sum(gcd(minutes, 12)) within ±4704
-->   Noise intervals (dp.low, dp.high): cover the noise only, not values moved to a bound
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.samples.minutes, public.samples.patient_id
--> rests on: public.samples (patient_id)
--> work of a row: 6030 ns
--> source: SELECT sum((CASE WHEN x0 < 0 THEN 0 WHEN x0 > 240 THEN 240 ELSE x0 END)) AS s0 FROM (WITH once AS (SELECT) SELECT gcd(t0."minutes"::numeric, 12::numeric) AS x0 FROM "public"."samples" AS t0) AS r

SELECT sum(power(cost, 2)) FROM samples;
--> path: unique
--> Differentially private aggregate of public.samples
-->   Privacy unit: patient, by public.samples.patient_id
-->   Contribution: one row per unit, proven by a unique key of the source; no unit is scaled down
-->   Group keys: none, one row
-->   Noisy number 1: sum of values clamped to [0, 1e+06] in steps of 0.0001; standard deviation 1e+07, 95 % of the noise within ±1.95996e+07
-->   sum(power(cost, 2)): from noisy number 1; values outside [0, 1e+06] count as the nearest bound
-->   95 % of the noise: sum(power(cost, 2)) within ±1.95996e+07
-->   Noise intervals (dp.low, dp.high): cover the noise only, not values moved to a bound
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.samples.cost, public.samples.patient_id
--> rests on: public.samples (patient_id)
--> work of a row: 22620 ns
--> source: SELECT sum(round(((CASE WHEN x0 < 0 THEN 0 WHEN x0 <= 1000000 THEN x0 WHEN x0 <> 'NaN' THEN 1000000 END)::numeric * 10000))::bigint) AS s0 FROM (WITH once AS (SELECT) SELECT power(t0."cost"::numeric, 2::numeric) AS x0 FROM "public"."samples" AS t0) AS r

SELECT sum(cost ^ 2) FROM samples;
--> path: unique
--> Differentially private aggregate of public.samples
-->   Privacy unit: patient, by public.samples.patient_id
-->   Contribution: one row per unit, proven by a unique key of the source; no unit is scaled down
-->   Group keys: none, one row
-->   Noisy number 1: sum of values clamped to [0, 1e+06] in steps of 0.0001; standard deviation 1e+07, 95 % of the noise within ±1.95996e+07
-->   sum(cost ^ 2): from noisy number 1; values outside [0, 1e+06] count as the nearest bound
-->   95 % of the noise: sum(cost ^ 2) within ±1.95996e+07
-->   Noise intervals (dp.low, dp.high): cover the noise only, not values moved to a bound
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.samples.cost, public.samples.patient_id
--> rests on: public.samples (patient_id)
--> work of a row: 22620 ns
--> source: SELECT sum(round(((CASE WHEN x0 < 0 THEN 0 WHEN x0 <= 1000000 THEN x0 WHEN x0 <> 'NaN' THEN 1000000 END)::numeric * 10000))::bigint) AS s0 FROM (WITH once AS (SELECT) SELECT power(t0."cost"::numeric, 2::numeric) AS x0 FROM "public"."samples" AS t0) AS r

SELECT sum(sqrt(cost)) FROM samples;
--> path: unique
--> Differentially private aggregate of public.samples
-->   Privacy unit: patient, by public.samples.patient_id
-->   Contribution: one row per unit, proven by a unique key of the source; no unit is scaled down
-->   Group keys: none, one row
-->   Noisy number 1: sum of values clamped to [0, 31.6228] in steps of 0.00000001; standard deviation 316.228, 95 % of the noise within ±619.795
-->   sum(sqrt(cost)): from noisy number 1; values outside [0, 31.6228] count as the nearest bound
-->   95 % of the noise: sum(sqrt(cost)) within ±619.795
-->   Noise intervals (dp.low, dp.high): cover the noise only, not values moved to a bound
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.samples.cost, public.samples.patient_id
--> rests on: public.samples (patient_id)
--> work of a row: 20046 ns
--> source: SELECT sum(round(((CASE WHEN x0 < 0 THEN 0 WHEN x0 <= 31.6227766 THEN x0 WHEN x0 <> 'NaN' THEN 31.6227766 END)::numeric * 100000000))::bigint) AS s0 FROM (WITH once AS (SELECT) SELECT (CASE WHEN t0."cost" BETWEEN 0 AND 1e300 THEN sqrt(t0."cost") END) AS x0 FROM "public"."samples" AS t0) AS r

SELECT sum(cbrt(cost)) FROM samples;
--> path: unique
--> Differentially private aggregate of public.samples
-->   Privacy unit: patient, by public.samples.patient_id
-->   Contribution: one row per unit, proven by a unique key of the source; no unit is scaled down
-->   Group keys: none, one row
-->   Noisy number 1: sum of values clamped to [0, 10] in steps of 0.00000001; standard deviation 100, 95 % of the noise within ±195.996
-->   sum(cbrt(cost)): from noisy number 1; values outside [0, 10] count as the nearest bound
-->   95 % of the noise: sum(cbrt(cost)) within ±195.996
-->   Noise intervals (dp.low, dp.high): cover the noise only, not values moved to a bound
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.samples.cost, public.samples.patient_id
--> rests on: public.samples (patient_id)
--> work of a row: 2560 ns
--> source: SELECT sum((CASE WHEN x0 < 0 THEN 0::double precision WHEN x0 <= 10 THEN round(x0::double precision / 0.00000001::double precision) WHEN x0 <> 'NaN' THEN 1000000000::double precision END)::integer) AS s0 FROM (WITH once AS (SELECT) SELECT cbrt((t0."cost"::double precision)) AS x0 FROM "public"."samples" AS t0) AS r

SELECT sum(exp(score)) FROM samples;
--> path: unique
--> Differentially private aggregate of public.samples
-->   Privacy unit: patient, by public.samples.patient_id
-->   Contribution: one row per unit, proven by a unique key of the source; no unit is scaled down
-->   Group keys: none, one row
-->   Not a number: NaN counts as NULL in sum(exp(score))
-->   Noisy number 1: sum of values clamped to [0.367879, 2.71828] in steps of 0.000000001; standard deviation 27.1828, 95 % of the noise within ±53.2773
-->   sum(exp(score)): from noisy number 1; values outside [0.367879, 2.71828] count as the nearest bound
-->   95 % of the noise: sum(exp(score)) within ±53.2773
-->   Noise intervals (dp.low, dp.high): cover the noise only, not values moved to a bound
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.samples.patient_id, public.samples.score
--> rests on: public.samples (patient_id)
--> work of a row: 2770 ns
--> source: SELECT sum((CASE WHEN x0 < 0.367879441 THEN 367879441::double precision WHEN x0 <= 2.718281828 THEN round(x0::double precision / 0.000000001::double precision) WHEN x0 <> 'NaN' THEN 2718281828::double precision END)::bigint) AS s0 FROM (WITH once AS (SELECT) SELECT (CASE WHEN ((CASE WHEN abs(t0."score") BETWEEN 1e-150 AND 1e150 THEN t0."score" WHEN abs(t0."score") < 1e-150 THEN 0 END)::double precision) BETWEEN -345 AND 345 THEN exp(((CASE WHEN abs(t0."score") BETWEEN 1e-150 AND 1e150 THEN t0."score" WHEN abs(t0."score") < 1e-150 THEN 0 END)::double precision)) WHEN ((CASE WHEN abs(t0."score") BETWEEN 1e-150 AND 1e150 THEN t0."score" WHEN abs(t0."score") < 1e-150 THEN 0 END)::double precision) < -345 THEN 0 END) AS x0 FROM "public"."samples" AS t0) AS r

SELECT sum(ln(cost + 1)) FROM samples;
--> path: unique
--> Differentially private aggregate of public.samples
-->   Privacy unit: patient, by public.samples.patient_id
-->   Contribution: one row per unit, proven by a unique key of the source; no unit is scaled down
-->   Group keys: none, one row
-->   Noisy number 1: sum of values clamped to [0, 6.90875] in steps of 0.00000001; standard deviation 69.0875, 95 % of the noise within ±135.409
-->   sum(ln(cost + 1)): from noisy number 1; values outside [0, 6.90875] count as the nearest bound
-->   95 % of the noise: sum(ln(cost + 1)) within ±135.409
-->   Noise intervals (dp.low, dp.high): cover the noise only, not values moved to a bound
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.samples.cost, public.samples.patient_id
--> rests on: public.samples (patient_id)
--> work of a row: 37968 ns
--> source: SELECT sum(round(((CASE WHEN x0 < 0 THEN 0 WHEN x0 <= 6.90875477 THEN x0 WHEN x0 <> 'NaN' THEN 6.90875477 END)::numeric * 100000000))::integer) AS s0 FROM (WITH once AS (SELECT) SELECT (CASE WHEN (t0."cost" + 1) BETWEEN 1e-150 AND 1e150 THEN ln((t0."cost" + 1)) END) AS x0 FROM "public"."samples" AS t0) AS r

SELECT sum(log(cost + 1)) FROM samples;
--> path: unique
--> Differentially private aggregate of public.samples
-->   Privacy unit: patient, by public.samples.patient_id
-->   Contribution: one row per unit, proven by a unique key of the source; no unit is scaled down
-->   Group keys: none, one row
-->   Noisy number 1: sum of values clamped to [0, 3.00043] in steps of 0.000000001; standard deviation 30.0043, 95 % of the noise within ±58.8074
-->   sum(log(cost + 1)): from noisy number 1; values outside [0, 3.00043] count as the nearest bound
-->   95 % of the noise: sum(log(cost + 1)) within ±58.8074
-->   Noise intervals (dp.low, dp.high): cover the noise only, not values moved to a bound
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.samples.cost, public.samples.patient_id
--> rests on: public.samples (patient_id)
--> work of a row: 37968 ns
--> source: SELECT sum(round(((CASE WHEN x0 < 0 THEN 0 WHEN x0 <= 3.000434077 THEN x0 WHEN x0 <> 'NaN' THEN 3.000434077 END)::numeric * 1000000000))::bigint) AS s0 FROM (WITH once AS (SELECT) SELECT (CASE WHEN (t0."cost" + 1) BETWEEN 1e-150 AND 1e150 THEN log((t0."cost" + 1)) END) AS x0 FROM "public"."samples" AS t0) AS r

SELECT sum(log(2, cost + 1)) FROM samples;
--> path: unique
--> Differentially private aggregate of public.samples
-->   Privacy unit: patient, by public.samples.patient_id
-->   Contribution: one row per unit, proven by a unique key of the source; no unit is scaled down
-->   Group keys: none, one row
-->   Noisy number 1: sum of values clamped to [0, 9.96723] in steps of 0.00000001; standard deviation 99.6723, 95 % of the noise within ±195.354
-->   sum(log(2, cost + 1)): from noisy number 1; values outside [0, 9.96723] count as the nearest bound
-->   95 % of the noise: sum(log(2, cost + 1)) within ±195.354
-->   Noise intervals (dp.low, dp.high): cover the noise only, not values moved to a bound
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.samples.cost, public.samples.patient_id
--> rests on: public.samples (patient_id)
--> work of a row: 37968 ns
--> source: SELECT sum(round(((CASE WHEN x0 < 0 THEN 0 WHEN x0 <= 9.96722625 THEN x0 WHEN x0 <> 'NaN' THEN 9.96722625 END)::numeric * 100000000))::integer) AS s0 FROM (WITH once AS (SELECT) SELECT (CASE WHEN 2::numeric BETWEEN 1e-150 AND 1e150 AND abs(2::numeric - 1) > 1e-10 AND (t0."cost" + 1)::numeric BETWEEN 1e-150 AND 1e150 THEN log(2::numeric, (t0."cost" + 1)::numeric) END) AS x0 FROM "public"."samples" AS t0) AS r

SELECT sum(sin(score)) FROM samples;
--> path: unique
--> Differentially private aggregate of public.samples
-->   Privacy unit: patient, by public.samples.patient_id
-->   Contribution: one row per unit, proven by a unique key of the source; no unit is scaled down
-->   Group keys: none, one row
-->   Not a number: NaN counts as NULL in sum(sin(score))
-->   Noisy number 1: sum of values clamped to [-1, 1] in steps of 0.000000001; standard deviation 10, 95 % of the noise within ±19.5996
-->   sum(sin(score)): from noisy number 1; values outside [-1, 1] count as the nearest bound
-->   95 % of the noise: sum(sin(score)) within ±19.5996
-->   Noise intervals (dp.low, dp.high): cover the noise only, not values moved to a bound
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.samples.patient_id, public.samples.score
--> rests on: public.samples (patient_id)
--> work of a row: 3090 ns
--> source: SELECT sum((CASE WHEN x0 < (-1) THEN -1000000000::double precision WHEN x0 <= 1 THEN round(x0::double precision / 0.000000001::double precision) WHEN x0 <> 'NaN' THEN 1000000000::double precision END)::integer) AS s0 FROM (WITH once AS (SELECT) SELECT sin(((CASE WHEN abs(t0."score") BETWEEN 1e-150 AND 1e150 THEN t0."score" WHEN abs(t0."score") < 1e-150 THEN 0 END)::double precision)) AS x0 FROM "public"."samples" AS t0) AS r

SELECT sum(atan2(score, 2)) FROM samples;
--> path: unique
--> Differentially private aggregate of public.samples
-->   Privacy unit: patient, by public.samples.patient_id
-->   Contribution: one row per unit, proven by a unique key of the source; no unit is scaled down
-->   Group keys: none, one row
-->   Not a number: NaN counts as NULL in sum(atan2(score, 2))
-->   Noisy number 1: sum of values clamped to [-3.1416, 3.1416] in steps of 0.000000001; standard deviation 31.416, 95 % of the noise within ±61.5742
-->   sum(atan2(score, 2)): from noisy number 1; values outside [-3.1416, 3.1416] count as the nearest bound
-->   95 % of the noise: sum(atan2(score, 2)) within ±61.5742
-->   Noise intervals (dp.low, dp.high): cover the noise only, not values moved to a bound
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.samples.patient_id, public.samples.score
--> rests on: public.samples (patient_id)
--> work of a row: 3090 ns
--> source: SELECT sum((CASE WHEN x0 < (-3.1416) THEN -3141600000::double precision WHEN x0 <= 3.1416 THEN round(x0::double precision / 0.000000001::double precision) WHEN x0 <> 'NaN' THEN 3141600000::double precision END)::bigint) AS s0 FROM (WITH once AS (SELECT) SELECT atan2(((CASE WHEN abs(t0."score") BETWEEN 1e-150 AND 1e150 THEN t0."score" WHEN abs(t0."score") < 1e-150 THEN 0 END)::double precision), (2::double precision)) AS x0 FROM "public"."samples" AS t0) AS r

SELECT sum(degrees(score)) FROM samples;
--> path: unique
--> Differentially private aggregate of public.samples
-->   Privacy unit: patient, by public.samples.patient_id
-->   Contribution: one row per unit, proven by a unique key of the source; no unit is scaled down
-->   Group keys: none, one row
-->   Not a number: NaN counts as NULL in sum(degrees(score))
-->   Noisy number 1: sum of values clamped to [-57.2958, 57.2958] in steps of 0.0000001; standard deviation 572.958, 95 % of the noise within ±1122.98
-->   sum(degrees(score)): from noisy number 1; values outside [-57.2958, 57.2958] count as the nearest bound
-->   95 % of the noise: sum(degrees(score)) within ±1122.98
-->   Noise intervals (dp.low, dp.high): cover the noise only, not values moved to a bound
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.samples.patient_id, public.samples.score
--> rests on: public.samples (patient_id)
--> work of a row: 3090 ns
--> source: SELECT sum((CASE WHEN x0 < (-57.2957795) THEN -572957795::double precision WHEN x0 <= 57.2957795 THEN round(x0::double precision / 0.0000001::double precision) WHEN x0 <> 'NaN' THEN 572957795::double precision END)::integer) AS s0 FROM (WITH once AS (SELECT) SELECT degrees(((CASE WHEN abs(t0."score") BETWEEN 1e-150 AND 1e150 THEN t0."score" WHEN abs(t0."score") < 1e-150 THEN 0 END)::double precision)) AS x0 FROM "public"."samples" AS t0) AS r

SELECT sum(least(cost, 10)) FROM samples;
--> path: unique
--> Differentially private aggregate of public.samples
-->   Privacy unit: patient, by public.samples.patient_id
-->   Contribution: one row per unit, proven by a unique key of the source; no unit is scaled down
-->   Group keys: none, one row
-->   Noisy number 1: sum of values clamped to [0, 10] in steps of 0.01; standard deviation 100, 95 % of the noise within ±196
-->   sum(least(cost, 10)): from noisy number 1; values outside [0, 10] count as the nearest bound
-->   95 % of the noise: sum(least(cost, 10)) within ±196
-->   Noise intervals (dp.low, dp.high): cover the noise only, not values moved to a bound
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.samples.cost, public.samples.patient_id
--> rests on: public.samples (patient_id)
--> work of a row: 820 ns
--> source: SELECT sum((CASE WHEN x0 < 0 THEN 0 WHEN x0 <= 10 THEN x0 WHEN x0 <> 'NaN' THEN 10 END)) AS s0 FROM (SELECT least(t0."cost", 10) AS x0 FROM "public"."samples" AS t0) AS r

SELECT sum(greatest(cost, minutes)) FROM samples;
--> path: unique
--> Differentially private aggregate of public.samples
-->   Privacy unit: patient, by public.samples.patient_id
-->   Contribution: one row per unit, proven by a unique key of the source; no unit is scaled down
-->   Group keys: none, one row
-->   Noisy number 1: sum of values clamped to [0, 1000] in steps of 0.01; standard deviation 10000, 95 % of the noise within ±19599.6
-->   sum(greatest(cost, minutes)): from noisy number 1; values outside [0, 1000] count as the nearest bound
-->   95 % of the noise: sum(greatest(cost, minutes)) within ±19599.6
-->   Noise intervals (dp.low, dp.high): cover the noise only, not values moved to a bound
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.samples.cost, public.samples.minutes, public.samples.patient_id
--> rests on: public.samples (patient_id)
--> work of a row: 940 ns
--> source: SELECT sum((CASE WHEN x0 < 0 THEN 0 WHEN x0 <= 1000 THEN x0 WHEN x0 <> 'NaN' THEN 1000 END)) AS s0 FROM (SELECT greatest(t0."cost", t0."minutes") AS x0 FROM "public"."samples" AS t0) AS r

SELECT sum(coalesce(cost, 0)) FROM samples;
--> path: unique
--> Differentially private aggregate of public.samples
-->   Privacy unit: patient, by public.samples.patient_id
-->   Contribution: one row per unit, proven by a unique key of the source; no unit is scaled down
-->   Group keys: none, one row
-->   Noisy number 1: sum of values clamped to [0, 1000] in steps of 0.01; standard deviation 10000, 95 % of the noise within ±19599.6
-->   sum(coalesce(cost, 0)): from noisy number 1; values outside [0, 1000] count as the nearest bound
-->   95 % of the noise: sum(coalesce(cost, 0)) within ±19599.6
-->   Noise intervals (dp.low, dp.high): cover the noise only, not values moved to a bound
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.samples.cost, public.samples.patient_id
--> rests on: public.samples (patient_id)
--> work of a row: 1369 ns
--> source: SELECT sum((CASE WHEN x0 < 0 THEN 0 WHEN x0 <= 1000 THEN x0 WHEN x0 <> 'NaN' THEN 1000 END)) AS s0 FROM (WITH once AS (SELECT) SELECT coalesce(t0."cost", 0) AS x0 FROM "public"."samples" AS t0) AS r

SELECT sum(nullif(cost, 5)) FROM samples;
--> path: unique
--> Differentially private aggregate of public.samples
-->   Privacy unit: patient, by public.samples.patient_id
-->   Contribution: one row per unit, proven by a unique key of the source; no unit is scaled down
-->   Group keys: none, one row
-->   Noisy number 1: sum of values clamped to [0, 1000] in steps of 0.01; standard deviation 10000, 95 % of the noise within ±19599.6
-->   sum(nullif(cost, 5)): from noisy number 1; values outside [0, 1000] count as the nearest bound
-->   95 % of the noise: sum(nullif(cost, 5)) within ±19599.6
-->   Noise intervals (dp.low, dp.high): cover the noise only, not values moved to a bound
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.samples.cost, public.samples.patient_id
--> rests on: public.samples (patient_id)
--> work of a row: 1369 ns
--> source: SELECT sum((CASE WHEN x0 < 0 THEN 0 WHEN x0 <= 1000 THEN x0 WHEN x0 <> 'NaN' THEN 1000 END)) AS s0 FROM (WITH once AS (SELECT) SELECT NULLIF(t0."cost", 5) AS x0 FROM "public"."samples" AS t0) AS r

SELECT sum(CASE WHEN urgent THEN cost ELSE minutes END) FROM samples;
--> path: unique
--> Differentially private aggregate of public.samples
-->   Privacy unit: patient, by public.samples.patient_id
-->   Contribution: one row per unit, proven by a unique key of the source; no unit is scaled down
-->   Group keys: none, one row
-->   Noisy number 1: sum of values clamped to [0, 1000] in steps of 0.01; standard deviation 10000, 95 % of the noise within ±19599.6
-->   sum(CASE WHEN urgent THEN cost ELSE minutes END): from noisy number 1; values outside [0, 1000] count as the nearest bound
-->   95 % of the noise: sum(CASE WHEN urgent THEN cost ELSE minutes END) within ±19599.6
-->   Noise intervals (dp.low, dp.high): cover the noise only, not values moved to a bound
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.samples.cost, public.samples.minutes, public.samples.patient_id, public.samples.urgent
--> rests on: public.samples (patient_id)
--> work of a row: 1540 ns
--> source: SELECT sum((CASE WHEN x0 < 0 THEN 0 WHEN x0 <= 1000 THEN x0 WHEN x0 <> 'NaN' THEN 1000 END)) AS s0 FROM (WITH once AS (SELECT) SELECT (CASE WHEN t0."urgent" THEN t0."cost" ELSE t0."minutes" END) AS x0 FROM "public"."samples" AS t0) AS r

SELECT sum(width_bucket(cost, 0, 100, 5)) FROM samples;
--> path: unique
--> Differentially private aggregate of public.samples
-->   Privacy unit: patient, by public.samples.patient_id
-->   Contribution: one row per unit, proven by a unique key of the source; no unit is scaled down
-->   Group keys: none, one row
-->   Noisy number 1: sum of values clamped to [0, 6] in steps of 1; standard deviation 60, 95 % of the noise within ±118
-->   sum(width_bucket(cost, 0, 100, 5)): from noisy number 1; values outside [0, 6] count as the nearest bound
-->   95 % of the noise: sum(width_bucket(cost, 0, 100, 5)) within ±118
-->   Noise intervals (dp.low, dp.high): cover the noise only, not values moved to a bound
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.samples.cost, public.samples.patient_id
--> rests on: public.samples (patient_id)
--> work of a row: 3080 ns
--> source: SELECT sum((CASE WHEN x0 < 0 THEN 0 WHEN x0 > 6 THEN 6 ELSE x0 END)) AS s0 FROM (WITH once AS (SELECT) SELECT width_bucket(NULLIF(t0."cost", 'NaN')::numeric, 0::numeric, 100::numeric, 5) AS x0 FROM "public"."samples" AS t0) AS r

SELECT sum(length(note)) FROM samples;
--> path: unique
--> Differentially private aggregate of public.samples
-->   Privacy unit: patient, by public.samples.patient_id
-->   Contribution: one row per unit, proven by a unique key of the source; no unit is scaled down
-->   Group keys: none, one row
-->   Noisy number 1: sum of values clamped to [0, 4000] in steps of 1; standard deviation 40000, 95 % of the noise within ±78399
-->   sum(length(note)): from noisy number 1; values outside [0, 4000] count as the nearest bound
-->   95 % of the noise: sum(length(note)) within ±78399
-->   Noise intervals (dp.low, dp.high): cover the noise only, not values moved to a bound
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.samples.note, public.samples.patient_id
--> rests on: public.samples (patient_id)
--> work of a row: 53500 ns
--> source: SELECT sum((CASE WHEN x0 < 0 THEN 0 WHEN x0 > 4000 THEN 4000 ELSE x0 END)) AS s0 FROM (WITH once AS (SELECT) SELECT length(((CASE WHEN octet_length(t0."note") > 4000 THEN CASE WHEN pg_column_size(t0."note") <= 1000000 THEN left(t0."note", 2000) ELSE '' END ELSE t0."note" END) COLLATE pg_catalog."default")) AS x0 FROM "public"."samples" AS t0) AS r

SELECT sum(char_length(left(note, 9))) FROM samples;
--> path: unique
--> Differentially private aggregate of public.samples
-->   Privacy unit: patient, by public.samples.patient_id
-->   Contribution: one row per unit, proven by a unique key of the source; no unit is scaled down
-->   Group keys: none, one row
-->   Noisy number 1: sum of values clamped to [0, 9] in steps of 1; standard deviation 90, 95 % of the noise within ±176
-->   sum(char_length(left(note, 9))): from noisy number 1; values outside [0, 9] count as the nearest bound
-->   95 % of the noise: sum(char_length(left(note, 9))) within ±176
-->   Noise intervals (dp.low, dp.high): cover the noise only, not values moved to a bound
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.samples.note, public.samples.patient_id
--> rests on: public.samples (patient_id)
--> work of a row: 30126 ns
--> source: SELECT sum((CASE WHEN x0 < 0 THEN 0 WHEN x0 > 9 THEN 9 ELSE x0 END)) AS s0 FROM (WITH once AS (SELECT) SELECT char_length((left(((CASE WHEN octet_length(t0."note") > 4000 THEN CASE WHEN pg_column_size(t0."note") <= 1000000 THEN left(t0."note", 2000) ELSE '' END ELSE t0."note" END) COLLATE pg_catalog."default"), 9) COLLATE pg_catalog."default")) AS x0 FROM "public"."samples" AS t0) AS r

SELECT sum(octet_length(left(note, 9))) FROM samples;
--> path: unique
--> Differentially private aggregate of public.samples
-->   Privacy unit: patient, by public.samples.patient_id
-->   Contribution: one row per unit, proven by a unique key of the source; no unit is scaled down
-->   Group keys: none, one row
-->   Noisy number 1: sum of values clamped to [0, 36] in steps of 1; standard deviation 360, 95 % of the noise within ±706
-->   sum(octet_length(left(note, 9))): from noisy number 1; values outside [0, 36] count as the nearest bound
-->   95 % of the noise: sum(octet_length(left(note, 9))) within ±706
-->   Noise intervals (dp.low, dp.high): cover the noise only, not values moved to a bound
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.samples.note, public.samples.patient_id
--> rests on: public.samples (patient_id)
--> work of a row: 30126 ns
--> source: SELECT sum((CASE WHEN x0 < 0 THEN 0 WHEN x0 > 36 THEN 36 ELSE x0 END)) AS s0 FROM (WITH once AS (SELECT) SELECT octet_length((left(((CASE WHEN octet_length(t0."note") > 4000 THEN CASE WHEN pg_column_size(t0."note") <= 1000000 THEN left(t0."note", 2000) ELSE '' END ELSE t0."note" END) COLLATE pg_catalog."default"), 9) COLLATE pg_catalog."default")) AS x0 FROM "public"."samples" AS t0) AS r

SELECT sum(cost::int) FROM samples;
--> path: unique
--> Differentially private aggregate of public.samples
-->   Privacy unit: patient, by public.samples.patient_id
-->   Contribution: one row per unit, proven by a unique key of the source; no unit is scaled down
-->   Group keys: none, one row
-->   Noisy number 1: sum of values clamped to [0, 1000] in steps of 1; standard deviation 10000, 95 % of the noise within ±19600
-->   sum(CAST(cost AS INT)): from noisy number 1; values outside [0, 1000] count as the nearest bound
-->   95 % of the noise: sum(CAST(cost AS INT)) within ±19600
-->   Noise intervals (dp.low, dp.high): cover the noise only, not values moved to a bound
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.samples.cost, public.samples.patient_id
--> rests on: public.samples (patient_id)
--> work of a row: 2680 ns
--> source: SELECT sum((CASE WHEN x0 < 0 THEN 0 WHEN x0 > 1000 THEN 1000 ELSE x0 END)) AS s0 FROM (WITH once AS (SELECT) SELECT (CASE WHEN t0."cost" > -2147483647.5 AND t0."cost" < 2147483647.5 THEN t0."cost" END)::integer AS x0 FROM "public"."samples" AS t0) AS r

SELECT sum(cost::numeric(6, 1)) FROM samples;
--> path: unique
--> Differentially private aggregate of public.samples
-->   Privacy unit: patient, by public.samples.patient_id
-->   Contribution: one row per unit, proven by a unique key of the source; no unit is scaled down
-->   Group keys: none, one row
-->   Noisy number 1: sum of values clamped to [0, 1000] in steps of 0.1; standard deviation 10000, 95 % of the noise within ±19599.7
-->   sum(CAST(cost AS DECIMAL(6, 1))): from noisy number 1; values outside [0, 1000] count as the nearest bound
-->   95 % of the noise: sum(CAST(cost AS DECIMAL(6, 1))) within ±19599.7
-->   Noise intervals (dp.low, dp.high): cover the noise only, not values moved to a bound
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.samples.cost, public.samples.patient_id
--> rests on: public.samples (patient_id)
--> work of a row: 2680 ns
--> source: SELECT sum((CASE WHEN x0 < 0 THEN 0 WHEN x0 <= 1000 THEN x0 WHEN x0 <> 'NaN' THEN 1000 END)) AS s0 FROM (WITH once AS (SELECT) SELECT (CASE WHEN t0."cost" > -99999.95 AND t0."cost" < 99999.95 THEN t0."cost" END)::numeric(6,1) AS x0 FROM "public"."samples" AS t0) AS r

SELECT sum(cost::float8) FROM samples;
--> path: unique
--> Differentially private aggregate of public.samples
-->   Privacy unit: patient, by public.samples.patient_id
-->   Contribution: one row per unit, proven by a unique key of the source; no unit is scaled down
-->   Group keys: none, one row
-->   Noisy number 1: sum of values clamped to [0, 1000] in steps of 0.01; standard deviation 10000, 95 % of the noise within ±19599.6
-->   sum(CAST(cost AS DOUBLE PRECISION)): from noisy number 1; values outside [0, 1000] count as the nearest bound
-->   95 % of the noise: sum(CAST(cost AS DOUBLE PRECISION)) within ±19599.6
-->   Noise intervals (dp.low, dp.high): cover the noise only, not values moved to a bound
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.samples.cost, public.samples.patient_id
--> rests on: public.samples (patient_id)
--> work of a row: 2560 ns
--> source: SELECT sum((CASE WHEN x0 < 0 THEN 0::double precision WHEN x0 <= 1000 THEN round(x0::double precision / 0.01::double precision) WHEN x0 <> 'NaN' THEN 100000::double precision END)::integer) AS s0 FROM (WITH once AS (SELECT) SELECT (t0."cost"::double precision) AS x0 FROM "public"."samples" AS t0) AS r

SELECT sum(score::numeric(6, 3)) FROM samples;
--> path: unique
--> Differentially private aggregate of public.samples
-->   Privacy unit: patient, by public.samples.patient_id
-->   Contribution: one row per unit, proven by a unique key of the source; no unit is scaled down
-->   Group keys: none, one row
-->   Noisy number 1: sum of values clamped to [-1, 1] in steps of 0.001; standard deviation 10, 95 % of the noise within ±19.6
-->   sum(CAST(score AS DECIMAL(6, 3))): from noisy number 1; values outside [-1, 1] count as the nearest bound
-->   95 % of the noise: sum(CAST(score AS DECIMAL(6, 3))) within ±19.6
-->   Noise intervals (dp.low, dp.high): cover the noise only, not values moved to a bound
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.samples.patient_id, public.samples.score
--> rests on: public.samples (patient_id)
--> work of a row: 2770 ns
--> source: SELECT sum((CASE WHEN x0 < (-1) THEN (-1) WHEN x0 <= 1 THEN x0 WHEN x0 <> 'NaN' THEN 1 END)) AS s0 FROM (WITH once AS (SELECT) SELECT (CASE WHEN ((CASE WHEN abs(t0."score") BETWEEN 1e-150 AND 1e150 THEN t0."score" WHEN abs(t0."score") < 1e-150 THEN 0 END)::double precision)::numeric > -999.9995 AND ((CASE WHEN abs(t0."score") BETWEEN 1e-150 AND 1e150 THEN t0."score" WHEN abs(t0."score") < 1e-150 THEN 0 END)::double precision)::numeric < 999.9995 THEN ((CASE WHEN abs(t0."score") BETWEEN 1e-150 AND 1e150 THEN t0."score" WHEN abs(t0."score") < 1e-150 THEN 0 END)::double precision)::numeric END)::numeric(6,3) AS x0 FROM "public"."samples" AS t0) AS r

SELECT sum(minutes::bigint) FROM samples;
--> path: unique
--> Differentially private aggregate of public.samples
-->   Privacy unit: patient, by public.samples.patient_id
-->   Contribution: one row per unit, proven by a unique key of the source; no unit is scaled down
-->   Group keys: none, one row
-->   Noisy number 1: sum of values clamped to [0, 240] in steps of 1; standard deviation 2400, 95 % of the noise within ±4704
-->   sum(CAST(minutes AS BIGINT)): from noisy number 1; values outside [0, 240] count as the nearest bound
-->   95 % of the noise: sum(CAST(minutes AS BIGINT)) within ±4704
-->   Noise intervals (dp.low, dp.high): cover the noise only, not values moved to a bound
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.samples.minutes, public.samples.patient_id
--> rests on: public.samples (patient_id)
--> work of a row: 2530 ns
--> source: SELECT sum((CASE WHEN x0 < 0 THEN 0 WHEN x0 > 240 THEN 240 ELSE x0 END)) AS s0 FROM (WITH once AS (SELECT) SELECT t0."minutes"::bigint AS x0 FROM "public"."samples" AS t0) AS r

SELECT sum(minutes::smallint) FROM samples;
--> path: unique
--> Differentially private aggregate of public.samples
-->   Privacy unit: patient, by public.samples.patient_id
-->   Contribution: one row per unit, proven by a unique key of the source; no unit is scaled down
-->   Group keys: none, one row
-->   Noisy number 1: sum of values clamped to [0, 240] in steps of 1; standard deviation 2400, 95 % of the noise within ±4704
-->   sum(CAST(minutes AS SMALLINT)): from noisy number 1; values outside [0, 240] count as the nearest bound
-->   95 % of the noise: sum(CAST(minutes AS SMALLINT)) within ±4704
-->   Noise intervals (dp.low, dp.high): cover the noise only, not values moved to a bound
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.samples.minutes, public.samples.patient_id
--> rests on: public.samples (patient_id)
--> work of a row: 2590 ns
--> source: SELECT sum((CASE WHEN x0 < 0 THEN 0 WHEN x0 > 240 THEN 240 ELSE x0 END)) AS s0 FROM (WITH once AS (SELECT) SELECT (CASE WHEN t0."minutes" > -32767.5 AND t0."minutes" < 32767.5 THEN t0."minutes" END)::smallint AS x0 FROM "public"."samples" AS t0) AS r

SELECT sum(urgent::int) FROM samples;
--> path: unique
--> Differentially private aggregate of public.samples
-->   Privacy unit: patient, by public.samples.patient_id
-->   Contribution: one row per unit, proven by a unique key of the source; no unit is scaled down
-->   Group keys: none, one row
-->   Noisy number 1: sum of values clamped to [0, 1] in steps of 1; standard deviation 10, 95 % of the noise within ±20
-->   sum(CAST(urgent AS INT)): from noisy number 1; values outside [0, 1] count as the nearest bound
-->   95 % of the noise: sum(CAST(urgent AS INT)) within ±20
-->   Noise intervals (dp.low, dp.high): cover the noise only, not values moved to a bound
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.samples.patient_id, public.samples.urgent
--> rests on: public.samples (patient_id)
--> work of a row: 2530 ns
--> source: SELECT sum((CASE WHEN x0 < 0 THEN 0 WHEN x0 > 1 THEN 1 ELSE x0 END)) AS s0 FROM (WITH once AS (SELECT) SELECT t0."urgent"::integer AS x0 FROM "public"."samples" AS t0) AS r

SELECT sum(extract(year FROM visited_at)) FROM samples;
--> path: unique
--> Differentially private aggregate of public.samples
-->   Privacy unit: patient, by public.samples.patient_id
-->   Contribution: one row per unit, proven by a unique key of the source; no unit is scaled down
-->   Group keys: none, one row
-->   Noisy number 1: sum of values clamped to [2024, 2025] in steps of 1; standard deviation 20250, 95 % of the noise within ±39690
-->   sum(EXTRACT(YEAR FROM visited_at)): from noisy number 1; values outside [2024, 2025] count as the nearest bound
-->   95 % of the noise: sum(EXTRACT(YEAR FROM visited_at)) within ±39690
-->   Noise intervals (dp.low, dp.high): cover the noise only, not values moved to a bound
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.samples.patient_id, public.samples.visited_at
--> rests on: public.samples (patient_id)
--> work of a row: 3060 ns
--> source: SELECT sum((CASE WHEN x0 < 2024 THEN 2024 WHEN x0 <= 2025 THEN x0 WHEN x0 <> 'NaN' THEN 2025 END)) AS s0 FROM (WITH once AS (SELECT) SELECT extract(year from (CASE WHEN t0."visited_at" BETWEEN '0001-01-01' AND '9999-12-31' THEN t0."visited_at" END)) AS x0 FROM "public"."samples" AS t0) AS r

SELECT sum(extract(epoch FROM took)) FROM samples;
--> path: unique
--> Differentially private aggregate of public.samples
-->   Privacy unit: patient, by public.samples.patient_id
-->   Contribution: one row per unit, proven by a unique key of the source; units are scaled down to a limit that the query chooses from the data for 1/10 of the price, by their own sum(EXTRACT(EPOCH FROM took))
-->   Group keys: none, one row
-->   Noisy number 1: sum of values in steps of 0.000001, cut at ±1.15292e+12; standard deviation 10.5409 times the limit of their own sum(EXTRACT(EPOCH FROM took))
-->   sum(EXTRACT(EPOCH FROM took)): from noisy number 1
-->   95 % of the noise: as wide as the limit that the query chooses makes it; the answer's notice says it
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.samples.patient_id, public.samples.took
--> rests on: public.samples (patient_id)
--> work of a row: 3120 ns
--> source: SELECT i, b, sum(a0) AS a0, sum(z0) AS z0, count(*) FILTER (WHERE place = 1 AND adds) AS units FROM (SELECT *, b0 AS b, q0 > 0 AS adds, v0 AS a0, t0 AS z0 FROM (SELECT *, 0 AS i FROM (SELECT *, width_bucket(q0, '{1.0000000000000002,1.5000000000000002,2.0000000000000004,3.0000000000000004,4.000000000000001,6.000000000000001,8.000000000000002,12.000000000000002,16.000000000000004,24.000000000000004,32.00000000000001,48.00000000000001,64.00000000000001,96.00000000000001,128.00000000000003,192.00000000000003,256.00000000000006,384.00000000000006,512.0000000000001,768.0000000000001,1024.0000000000002,1536.0000000000002,2048.0000000000005,3072.0000000000005,4096.000000000001,6144.000000000001,8192.000000000002,12288.000000000002,16384.000000000004,24576.000000000004,32768.00000000001,49152.00000000001,65536.00000000001,98304.00000000001,131072.00000000003,196608.00000000003,262144.00000000006,393216.00000000006,524288.0000000001,786432.0000000001,1048576.0000000002,1572864.0000000002,2097152.0000000005,3145728.0000000005,4194304.000000001,6291456.000000001,8388608.000000002,12582912.000000002,16777216.000000004,25165824.000000004,33554432.00000001,50331648.00000001,67108864.00000001,100663296.00000001,134217728.00000003,201326592.00000003,268435456.00000006,402653184.00000006,536870912.0000001,805306368.0000001,1073741824.0000002,1610612736.0000002,2147483648.0000005,3221225472.0000005,4294967296.000001,6442450944.000001,8589934592.000002,12884901888.000002,17179869184.000004,25769803776.000004,34359738368.00001,51539607552.00001,68719476736.00002,103079215104.00002,137438953472.00003,206158430208.00003,274877906944.00006,412316860416.00006,549755813888.0001,824633720832.0001,1099511627776.0002,1649267441664.0002,2199023255552.0005,3298534883328.0005,4398046511104.001,6597069766656.001,8796093022208.002,13194139533312.002,17592186044416.004,26388279066624.004,35184372088832.01,52776558133248.01,70368744177664.02,105553116266496.02,140737488355328.03,211106232532992.03,281474976710656.06,422212465065984.06,562949953421312.1,844424930131968.1,1125899906842624.2,1688849860263936.2,2251799813685248.5,3377699720527872.5,4503599627370497.0,6755399441055745.0,9007199120523264.0,1.3510798680784896e+16,1.8014398241046528e+16,2.702159736156979e+16,3.6028796482093056e+16,5.404319472313958e+16,7.205759296418611e+16,1.0808638944627917e+17,1.4411518592837222e+17,2.1617277889255834e+17,2.8823037185674445e+17,4.323455577851167e+17,5.764607437134889e+17,8.646911155702333e+17,1.1529214874269778e+18,1.7293822311404667e+18,2.3058429748539556e+18,3.4587644622809334e+18,4.611685949707911e+18}'::double precision[]) AS b0, trunc(v0::double precision / NULLIF(q0, 0) * 3221225424.0)::bigint AS t0 FROM (SELECT *, abs(v0)::double precision AS q0, 1 AS place FROM (SELECT unit, LEAST(n, 3037000499) AS n, LEAST(GREATEST(round((coalesce(s0, 0)::numeric::numeric * 1000000)), -4611686018427387904), 4611686018427387904)::bigint AS v0 FROM (SELECT x0 AS unit, count(*) AS n, sum(NULLIF(x1, 'NaN')) AS s0 FROM (SELECT t0."patient_id" AS x0, extract(epoch from (CASE WHEN abs(extract(year from t0."took")) <= 900 AND abs(extract(day from t0."took")) <= 330000 AND abs(extract(hour from t0."took")) <= 7900000 THEN t0."took" END)) AS x1 FROM "public"."samples" AS t0) AS r GROUP BY 1) AS counted) AS per_unit) AS sized) AS rows) AS numbered) AS r GROUP BY i, b

SELECT sum(extract(day FROM day)) FROM samples;
--> path: unique
--> Differentially private aggregate of public.samples
-->   Privacy unit: patient, by public.samples.patient_id
-->   Contribution: one row per unit, proven by a unique key of the source; no unit is scaled down
-->   Group keys: none, one row
-->   Noisy number 1: sum of values clamped to [1, 31] in steps of 1; standard deviation 310, 95 % of the noise within ±608
-->   sum(EXTRACT(DAY FROM day)): from noisy number 1; values outside [1, 31] count as the nearest bound
-->   95 % of the noise: sum(EXTRACT(DAY FROM day)) within ±608
-->   Noise intervals (dp.low, dp.high): cover the noise only, not values moved to a bound
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.samples.day, public.samples.patient_id
--> rests on: public.samples (patient_id)
--> work of a row: 3060 ns
--> source: SELECT sum((CASE WHEN x0 < 1 THEN 1 WHEN x0 <= 31 THEN x0 WHEN x0 <> 'NaN' THEN 31 END)) AS s0 FROM (WITH once AS (SELECT) SELECT extract(day from (CASE WHEN t0."day" BETWEEN '0001-01-01' AND '9999-12-31' THEN t0."day" END)) AS x0 FROM "public"."samples" AS t0) AS r

SELECT sum(date_part('hour', paid_at)) FROM samples;
--> path: unique
--> Differentially private aggregate of public.samples
-->   Privacy unit: patient, by public.samples.patient_id
-->   Contribution: one row per unit, proven by a unique key of the source; no unit is scaled down
-->   Group keys: none, one row
-->   Noisy number 1: sum of values clamped to [0, 23] in steps of 1; standard deviation 230, 95 % of the noise within ±451
-->   sum(date_part('hour', paid_at)): from noisy number 1; values outside [0, 23] count as the nearest bound
-->   95 % of the noise: sum(date_part('hour', paid_at)) within ±451
-->   Noise intervals (dp.low, dp.high): cover the noise only, not values moved to a bound
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.samples.paid_at, public.samples.patient_id
--> rests on: public.samples (patient_id)
--> work of a row: 3060 ns
--> source: SELECT sum((CASE WHEN x0 < 0 THEN 0::double precision WHEN x0 <= 23 THEN round(x0::double precision / 1::double precision) WHEN x0 <> 'NaN' THEN 23::double precision END)::integer) AS s0 FROM (WITH once AS (SELECT) SELECT extract(hour from (CASE WHEN t0."paid_at" BETWEEN '0001-01-01' AND '9999-12-31' THEN t0."paid_at" END))::double precision AS x0 FROM "public"."samples" AS t0) AS r

SELECT sum(day - date '2024-01-01') FROM samples;
--> path: unique
--> Differentially private aggregate of public.samples
-->   Privacy unit: patient, by public.samples.patient_id
-->   Contribution: one row per unit, proven by a unique key of the source; no unit is scaled down
-->   Group keys: none, one row
-->   Noisy number 1: sum of values clamped to [0, 730] in steps of 1; standard deviation 7300, 95 % of the noise within ±14308
-->   sum(day - CAST('2024-01-01' AS DATE)): from noisy number 1; values outside [0, 730] count as the nearest bound
-->   95 % of the noise: sum(day - CAST('2024-01-01' AS DATE)) within ±14308
-->   Noise intervals (dp.low, dp.high): cover the noise only, not values moved to a bound
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.samples.day, public.samples.patient_id
--> rests on: public.samples (patient_id)
--> work of a row: 780 ns
--> source: SELECT sum((CASE WHEN x0 < 0 THEN 0 WHEN x0 > 730 THEN 730 ELSE x0 END)) AS s0 FROM (SELECT ((CASE WHEN t0."day" BETWEEN '0001-01-01' AND '9999-12-31' THEN t0."day" END) - '2024-01-01'::date) AS x0 FROM "public"."samples" AS t0) AS r

SELECT sum(extract(epoch FROM visited_at - timestamp '2024-01-01')) FROM samples;
--> path: unique
--> Differentially private aggregate of public.samples
-->   Privacy unit: patient, by public.samples.patient_id
-->   Contribution: one row per unit, proven by a unique key of the source; no unit is scaled down
-->   Group keys: none, one row
-->   Noisy number 1: sum of values clamped to [0, 6.31584e+07] in steps of 0.1; standard deviation 6.31584e+08, 95 % of the noise within ±1.23788e+09
-->   sum(EXTRACT(EPOCH FROM visited_at - CAST('2024-01-01' AS TIMESTAMP))): from noisy number 1; values outside [0, 6.31584e+07] count as the nearest bound
-->   95 % of the noise: sum(EXTRACT(EPOCH FROM visited_at - CAST('2024-01-01' AS TIMESTAMP))) within ±1.23788e+09
-->   Noise intervals (dp.low, dp.high): cover the noise only, not values moved to a bound
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.samples.patient_id, public.samples.visited_at
--> rests on: public.samples (patient_id)
--> work of a row: 3260 ns
--> source: SELECT sum(round(((CASE WHEN x0 < 0 THEN 0 WHEN x0 <= 63158399.9 THEN x0 WHEN x0 <> 'NaN' THEN 63158399.9 END)::numeric * 10))::integer) AS s0 FROM (WITH once AS (SELECT) SELECT extract(epoch from ((CASE WHEN t0."visited_at" BETWEEN '0001-01-01' AND '9999-12-31' THEN t0."visited_at" END) - '2024-01-01'::timestamp without time zone)) AS x0 FROM "public"."samples" AS t0) AS r

SELECT sum(regexp_count(note, 'a')) FROM samples;
--> path: unique
--> Differentially private aggregate of public.samples
-->   Privacy unit: patient, by public.samples.patient_id
-->   Contribution: one row per unit, proven by a unique key of the source; no unit is scaled down
-->   Group keys: none, one row
-->   Regular expressions: of longer texts they see the first 250 characters
-->   Noisy number 1: sum of values clamped to [0, 10001] in steps of 1; standard deviation 100010, 95 % of the noise within ±196016
-->   sum(regexp_count(note, 'a')): from noisy number 1; values outside [0, 10001] count as the nearest bound
-->   95 % of the noise: sum(regexp_count(note, 'a')) within ±196016
-->   Noise intervals (dp.low, dp.high): cover the noise only, not values moved to a bound
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.samples.note, public.samples.patient_id
--> rests on: public.samples (patient_id)
--> work of a row: 291250 ns
--> source: SELECT sum((CASE WHEN x0 < 0 THEN 0 WHEN x0 > 10001 THEN 10001 ELSE x0 END)) AS s0 FROM (WITH once AS (SELECT) SELECT regexp_count((left((CASE WHEN octet_length(t0."note") > 4000 THEN CASE WHEN pg_column_size(t0."note") <= 1000000 THEN left(t0."note", 2000) ELSE '' END ELSE t0."note" END), 250) COLLATE pg_catalog."default"), 'a') AS x0 FROM "public"."samples" AS t0) AS r

SELECT sum(cardinality(tags)) FROM samples;
--> path: unique
--> Differentially private aggregate of public.samples
-->   Privacy unit: patient, by public.samples.patient_id
-->   Contribution: one row per unit, proven by a unique key of the source; no unit is scaled down
-->   Group keys: none, one row
-->   Large values: values of tags that take more than 1000 octets count as NULL
-->   Noisy number 1: sum of values clamped to [0, 10000] in steps of 1; standard deviation 100000, 95 % of the noise within ±195997
-->   sum(cardinality(tags)): from noisy number 1; values outside [0, 10000] count as the nearest bound
-->   95 % of the noise: sum(cardinality(tags)) within ±195997
-->   Noise intervals (dp.low, dp.high): cover the noise only, not values moved to a bound
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.samples.patient_id, public.samples.tags
--> rests on: public.samples (patient_id)
--> work of a row: 32500 ns
--> source: SELECT sum((CASE WHEN x0 < 0 THEN 0 WHEN x0 > 10000 THEN 10000 ELSE x0 END)) AS s0 FROM (WITH once AS (SELECT) SELECT cardinality((CASE WHEN pg_column_size(t0."tags") <= 1000 THEN t0."tags" END)) AS x0 FROM "public"."samples" AS t0) AS r

SELECT sum(array_length(tags, 1)) FROM samples;
--> path: unique
--> Differentially private aggregate of public.samples
-->   Privacy unit: patient, by public.samples.patient_id
-->   Contribution: one row per unit, proven by a unique key of the source; no unit is scaled down
-->   Group keys: none, one row
-->   Large values: values of tags that take more than 1000 octets count as NULL
-->   Noisy number 1: sum of values clamped to [0, 10000] in steps of 1; standard deviation 100000, 95 % of the noise within ±195997
-->   sum(array_length(tags, 1)): from noisy number 1; values outside [0, 10000] count as the nearest bound
-->   95 % of the noise: sum(array_length(tags, 1)) within ±195997
-->   Noise intervals (dp.low, dp.high): cover the noise only, not values moved to a bound
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.samples.patient_id, public.samples.tags
--> rests on: public.samples (patient_id)
--> work of a row: 32500 ns
--> source: SELECT sum((CASE WHEN x0 < 0 THEN 0 WHEN x0 > 10000 THEN 10000 ELSE x0 END)) AS s0 FROM (WITH once AS (SELECT) SELECT array_length((CASE WHEN pg_column_size(t0."tags") <= 1000 THEN t0."tags" END), 1) AS x0 FROM "public"."samples" AS t0) AS r

SELECT sum(jsonb_array_length(details)) FROM samples;
--> path: unique
--> Differentially private aggregate of public.samples
-->   Privacy unit: patient, by public.samples.patient_id
-->   Contribution: one row per unit, proven by a unique key of the source; no unit is scaled down
-->   Group keys: none, one row
-->   Large values: values of details that take more than 2000 octets count as NULL
-->   Noisy number 1: sum of values clamped to [0, 10000] in steps of 1; standard deviation 100000, 95 % of the noise within ±195997
-->   sum(jsonb_array_length(details)): from noisy number 1; values outside [0, 10000] count as the nearest bound
-->   95 % of the noise: sum(jsonb_array_length(details)) within ±195997
-->   Noise intervals (dp.low, dp.high): cover the noise only, not values moved to a bound
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.samples.details, public.samples.patient_id
--> rests on: public.samples (patient_id)
--> work of a row: 145000 ns
--> source: SELECT sum((CASE WHEN x0 < 0 THEN 0 WHEN x0 > 10000 THEN 10000 ELSE x0 END)) AS s0 FROM (WITH once AS (SELECT) SELECT (CASE WHEN jsonb_typeof((CASE WHEN pg_column_size(t0."details") <= 2000 THEN t0."details" END)) = 'array' THEN jsonb_array_length((CASE WHEN pg_column_size(t0."details") <= 2000 THEN t0."details" END)) END) AS x0 FROM "public"."samples" AS t0) AS r

SELECT sum((details ->> 'n')::numeric) FROM samples;
--> path: unique
--> Differentially private aggregate of public.samples
-->   Privacy unit: patient, by public.samples.patient_id
-->   Contribution: one row per unit, proven by a unique key of the source; units are scaled down to a limit that the query chooses from the data for 1/10 of the price, by their own sum(CAST((details ->> 'n') AS DECIMAL))
-->   Group keys: none, one row
-->   Large values: values of details that take more than 2000 octets count as NULL
-->   Noisy number 1: sum of values in steps of 0.000001, cut at ±1.15292e+12; standard deviation 10.5409 times the limit of their own sum(CAST((details ->> 'n') AS DECIMAL))
-->   sum(CAST((details ->> 'n') AS DECIMAL)): from noisy number 1
-->   95 % of the noise: as wide as the limit that the query chooses makes it; the answer's notice says it
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.samples.details, public.samples.patient_id
--> rests on: public.samples (patient_id)
--> work of a row: 188500 ns
--> source: SELECT i, b, sum(a0) AS a0, sum(z0) AS z0, count(*) FILTER (WHERE place = 1 AND adds) AS units FROM (SELECT *, b0 AS b, q0 > 0 AS adds, v0 AS a0, t0 AS z0 FROM (SELECT *, 0 AS i FROM (SELECT *, width_bucket(q0, '{1.0000000000000002,1.5000000000000002,2.0000000000000004,3.0000000000000004,4.000000000000001,6.000000000000001,8.000000000000002,12.000000000000002,16.000000000000004,24.000000000000004,32.00000000000001,48.00000000000001,64.00000000000001,96.00000000000001,128.00000000000003,192.00000000000003,256.00000000000006,384.00000000000006,512.0000000000001,768.0000000000001,1024.0000000000002,1536.0000000000002,2048.0000000000005,3072.0000000000005,4096.000000000001,6144.000000000001,8192.000000000002,12288.000000000002,16384.000000000004,24576.000000000004,32768.00000000001,49152.00000000001,65536.00000000001,98304.00000000001,131072.00000000003,196608.00000000003,262144.00000000006,393216.00000000006,524288.0000000001,786432.0000000001,1048576.0000000002,1572864.0000000002,2097152.0000000005,3145728.0000000005,4194304.000000001,6291456.000000001,8388608.000000002,12582912.000000002,16777216.000000004,25165824.000000004,33554432.00000001,50331648.00000001,67108864.00000001,100663296.00000001,134217728.00000003,201326592.00000003,268435456.00000006,402653184.00000006,536870912.0000001,805306368.0000001,1073741824.0000002,1610612736.0000002,2147483648.0000005,3221225472.0000005,4294967296.000001,6442450944.000001,8589934592.000002,12884901888.000002,17179869184.000004,25769803776.000004,34359738368.00001,51539607552.00001,68719476736.00002,103079215104.00002,137438953472.00003,206158430208.00003,274877906944.00006,412316860416.00006,549755813888.0001,824633720832.0001,1099511627776.0002,1649267441664.0002,2199023255552.0005,3298534883328.0005,4398046511104.001,6597069766656.001,8796093022208.002,13194139533312.002,17592186044416.004,26388279066624.004,35184372088832.01,52776558133248.01,70368744177664.02,105553116266496.02,140737488355328.03,211106232532992.03,281474976710656.06,422212465065984.06,562949953421312.1,844424930131968.1,1125899906842624.2,1688849860263936.2,2251799813685248.5,3377699720527872.5,4503599627370497.0,6755399441055745.0,9007199120523264.0,1.3510798680784896e+16,1.8014398241046528e+16,2.702159736156979e+16,3.6028796482093056e+16,5.404319472313958e+16,7.205759296418611e+16,1.0808638944627917e+17,1.4411518592837222e+17,2.1617277889255834e+17,2.8823037185674445e+17,4.323455577851167e+17,5.764607437134889e+17,8.646911155702333e+17,1.1529214874269778e+18,1.7293822311404667e+18,2.3058429748539556e+18,3.4587644622809334e+18,4.611685949707911e+18}'::double precision[]) AS b0, trunc(v0::double precision / NULLIF(q0, 0) * 3221225424.0)::bigint AS t0 FROM (SELECT *, abs(v0)::double precision AS q0, 1 AS place FROM (SELECT unit, LEAST(n, 3037000499) AS n, LEAST(GREATEST(coalesce(s0, 0)::numeric, -4611686018427387904), 4611686018427387904)::bigint AS v0 FROM (SELECT x0 AS unit, count(*) AS n, sum(round(((CASE WHEN x1 < (-1152921504606.846976) THEN (-1152921504606.846976) WHEN x1 <= 1152921504606.846976 THEN x1 WHEN x1 <> 'NaN' THEN 1152921504606.846976 END)::numeric * 1000000))::bigint) AS s0 FROM (WITH once AS (SELECT) SELECT t0."patient_id" AS x0, ((CASE WHEN (left(((SELECT CASE WHEN pg_column_size(d.v) <= 300 THEN jsonb_path_query_first(d.v, 'strict $ ? (!exists($.** ? (@ > 1e100 || @ < -1e100)))') END FROM (SELECT ((CASE WHEN pg_column_size(t0."details") <= 2000 THEN t0."details" END) -> 'n'::text) AS v OFFSET 0) AS d) #>> '{}'), 250) COLLATE pg_catalog."default") ~ E'^[ \\t\\n\\r\\f\\v]*([+-]?([0-9]{1,40}(\\.[0-9]{0,40})?|\\.[0-9]{1,40})([eE][+-]?[0-9]{1,2})?)[ \\t\\n\\r\\f\\v]*$' THEN (left(((SELECT CASE WHEN pg_column_size(d.v) <= 300 THEN jsonb_path_query_first(d.v, 'strict $ ? (!exists($.** ? (@ > 1e100 || @ < -1e100)))') END FROM (SELECT ((CASE WHEN pg_column_size(t0."details") <= 2000 THEN t0."details" END) -> 'n'::text) AS v OFFSET 0) AS d) #>> '{}'), 250) COLLATE pg_catalog."default") END)::numeric)::numeric AS x1 FROM "public"."samples" AS t0) AS r GROUP BY 1) AS counted) AS per_unit) AS sized) AS rows) AS numbered) AS r GROUP BY i, b

SELECT sum(note::int) FROM samples;
--> path: unique
--> Differentially private aggregate of public.samples
-->   Privacy unit: patient, by public.samples.patient_id
-->   Contribution: one row per unit, proven by a unique key of the source; units are scaled down to a limit that the query chooses from the data for 1/10 of the price, by their own sum(CAST(note AS INT))
-->   Group keys: none, one row
-->   Noisy number 1: sum of values in steps of 1, cut at ±1.15292e+18; standard deviation 10.5409 times the limit of their own sum(CAST(note AS INT))
-->   sum(CAST(note AS INT)): from noisy number 1
-->   95 % of the noise: as wide as the limit that the query chooses makes it; the answer's notice says it
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.samples.note, public.samples.patient_id
--> rests on: public.samples (patient_id)
--> work of a row: 78500 ns
--> source: SELECT i, b, sum(a0) AS a0, sum(z0) AS z0, count(*) FILTER (WHERE place = 1 AND adds) AS units FROM (SELECT *, b0 AS b, q0 > 0 AS adds, v0 AS a0, t0 AS z0 FROM (SELECT *, 0 AS i FROM (SELECT *, width_bucket(q0, '{1.0000000000000002,1.5000000000000002,2.0000000000000004,3.0000000000000004,4.000000000000001,6.000000000000001,8.000000000000002,12.000000000000002,16.000000000000004,24.000000000000004,32.00000000000001,48.00000000000001,64.00000000000001,96.00000000000001,128.00000000000003,192.00000000000003,256.00000000000006,384.00000000000006,512.0000000000001,768.0000000000001,1024.0000000000002,1536.0000000000002,2048.0000000000005,3072.0000000000005,4096.000000000001,6144.000000000001,8192.000000000002,12288.000000000002,16384.000000000004,24576.000000000004,32768.00000000001,49152.00000000001,65536.00000000001,98304.00000000001,131072.00000000003,196608.00000000003,262144.00000000006,393216.00000000006,524288.0000000001,786432.0000000001,1048576.0000000002,1572864.0000000002,2097152.0000000005,3145728.0000000005,4194304.000000001,6291456.000000001,8388608.000000002,12582912.000000002,16777216.000000004,25165824.000000004,33554432.00000001,50331648.00000001,67108864.00000001,100663296.00000001,134217728.00000003,201326592.00000003,268435456.00000006,402653184.00000006,536870912.0000001,805306368.0000001,1073741824.0000002,1610612736.0000002,2147483648.0000005,3221225472.0000005,4294967296.000001,6442450944.000001,8589934592.000002,12884901888.000002,17179869184.000004,25769803776.000004,34359738368.00001,51539607552.00001,68719476736.00002,103079215104.00002,137438953472.00003,206158430208.00003,274877906944.00006,412316860416.00006,549755813888.0001,824633720832.0001,1099511627776.0002,1649267441664.0002,2199023255552.0005,3298534883328.0005,4398046511104.001,6597069766656.001,8796093022208.002,13194139533312.002,17592186044416.004,26388279066624.004,35184372088832.01,52776558133248.01,70368744177664.02,105553116266496.02,140737488355328.03,211106232532992.03,281474976710656.06,422212465065984.06,562949953421312.1,844424930131968.1,1125899906842624.2,1688849860263936.2,2251799813685248.5,3377699720527872.5,4503599627370497.0,6755399441055745.0,9007199120523264.0,1.3510798680784896e+16,1.8014398241046528e+16,2.702159736156979e+16,3.6028796482093056e+16,5.404319472313958e+16,7.205759296418611e+16,1.0808638944627917e+17,1.4411518592837222e+17,2.1617277889255834e+17,2.8823037185674445e+17,4.323455577851167e+17,5.764607437134889e+17,8.646911155702333e+17,1.1529214874269778e+18,1.7293822311404667e+18,2.3058429748539556e+18,3.4587644622809334e+18,4.611685949707911e+18}'::double precision[]) AS b0, trunc(v0::double precision / NULLIF(q0, 0) * 3221225424.0)::bigint AS t0 FROM (SELECT *, abs(v0)::double precision AS q0, 1 AS place FROM (SELECT unit, LEAST(n, 3037000499) AS n, LEAST(GREATEST(round(coalesce(s0, 0)::numeric), -4611686018427387904), 4611686018427387904)::bigint AS v0 FROM (SELECT x0 AS unit, count(*) AS n, sum(x1) AS s0 FROM (SELECT t0."patient_id" AS x0, ((CASE WHEN (left((CASE WHEN octet_length(t0."note") > 4000 THEN CASE WHEN pg_column_size(t0."note") <= 1000000 THEN left(t0."note", 2000) ELSE '' END ELSE t0."note" END), 250) COLLATE pg_catalog."default") ~ E'^[ \\t\\n\\r\\f\\v]*([+-]?0{0,20}([0-9]{1,9}|[1-1][0-9]{9}|2[0-0][0-9]{8}|21[0-3][0-9]{7}|214[0-6][0-9]{6}|2147[0-3][0-9]{5}|21474[0-7][0-9]{4}|214748[0-2][0-9]{3}|2147483[0-5][0-9]{2}|21474836[0-3][0-9]{1}|214748364[0-6]|2147483647)|-0{0,20}2147483648)[ \\t\\n\\r\\f\\v]*$' THEN (left((CASE WHEN octet_length(t0."note") > 4000 THEN CASE WHEN pg_column_size(t0."note") <= 1000000 THEN left(t0."note", 2000) ELSE '' END ELSE t0."note" END), 250) COLLATE pg_catalog."default") END)::integer)::integer AS x1 FROM "public"."samples" AS t0) AS r GROUP BY 1) AS counted) AS per_unit) AS sized) AS rows) AS numbered) AS r GROUP BY i, b

SELECT sum(factorial(minutes)) FROM samples;
--> refused 0A000 function: the function factorial() is not supported over private rows

SELECT sum(minutes << 2) FROM samples;
--> refused 0A000 not-allowed: minutes << 2 is not supported over private rows

SELECT sum(random() * cost) FROM samples;
--> refused 0A000 function: the function random() is not supported over private rows

SELECT sum(cost * cost * cost * cost) FROM samples;
--> path: unique
--> Differentially private aggregate of public.samples
-->   Privacy unit: patient, by public.samples.patient_id
-->   Contribution: one row per unit, proven by a unique key of the source; no unit is scaled down
-->   Group keys: none, one row
-->   Noisy number 1: sum of values clamped to [0, 1e+12] in steps of 1000; standard deviation 1e+13, 95 % of the noise within ±1.95996e+13
-->   sum(cost * cost * cost * cost): from noisy number 1; values outside [0, 1e+12] count as the nearest bound
-->   95 % of the noise: sum(cost * cost * cost * cost) within ±1.95996e+13
-->   Noise intervals (dp.low, dp.high): cover the noise only, not values moved to a bound
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.samples.cost, public.samples.patient_id
--> rests on: public.samples (patient_id)
--> work of a row: 2270 ns
--> source: SELECT sum(round(((CASE WHEN x0 < 0 THEN 0 WHEN x0 <= 1000000000000 THEN x0 WHEN x0 <> 'NaN' THEN 1000000000000 END)::numeric * 0.001))::integer) AS s0 FROM (WITH once AS (SELECT) SELECT (((t0."cost" * t0."cost") * t0."cost") * t0."cost") AS x0 FROM "public"."samples" AS t0) AS r

SELECT count(*) FROM samples WHERE power(cost, minutes) > 3 AND power(score, 2) > 1 AND cost ^ 3 < 100;
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
--> reads: public.samples.cost, public.samples.minutes, public.samples.patient_id, public.samples.score
--> rests on: public.samples (patient_id)
--> work of a row: 46090 ns
--> source: SELECT count(*) AS s0 FROM (SELECT  FROM "public"."samples" AS t0 WHERE (((CASE WHEN (t0."cost"::double precision) = 0 THEN CASE WHEN (t0."minutes"::double precision) > 0 THEN 0 WHEN (t0."minutes"::double precision) = 0 THEN 1 END WHEN abs(t0."minutes"::numeric) <= 1000000 AND ((t0."cost"::double precision) > 0 OR t0."minutes"::numeric = floor(t0."minutes"::numeric)) THEN CASE WHEN abs((t0."minutes"::double precision) * ln(abs((t0."cost"::double precision)))) <= 345 THEN power(t0."cost"::numeric, t0."minutes"::numeric) WHEN (t0."minutes"::double precision) * ln(abs((t0."cost"::double precision))) < 0 THEN 0 END END) > 3) AND ((CASE WHEN abs(((CASE WHEN abs(t0."score") BETWEEN 1e-150 AND 1e150 THEN t0."score" WHEN abs(t0."score") < 1e-150 THEN 0 END)::double precision)) BETWEEN 1e-75 AND 1e75 THEN power(((CASE WHEN abs(t0."score") BETWEEN 1e-150 AND 1e150 THEN t0."score" WHEN abs(t0."score") < 1e-150 THEN 0 END)::double precision), 2) WHEN abs(((CASE WHEN abs(t0."score") BETWEEN 1e-150 AND 1e150 THEN t0."score" WHEN abs(t0."score") < 1e-150 THEN 0 END)::double precision)) < 1e-75 THEN 0 END) > (1::double precision)) AND (power(t0."cost"::numeric, 3::numeric) < 100))) AS r

SELECT count(*) FROM samples WHERE score::real > 0.5 AND cost::real < 3 AND minutes::smallint > 2;
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
--> reads: public.samples.cost, public.samples.minutes, public.samples.patient_id, public.samples.score
--> rests on: public.samples (patient_id)
--> work of a row: 5405 ns
--> source: SELECT count(*) AS s0 FROM (SELECT  FROM "public"."samples" AS t0 WHERE ((((CASE WHEN abs((t0."cost"::double precision)) BETWEEN 1e-35 AND 1e35 THEN (t0."cost"::double precision) WHEN abs((t0."cost"::double precision)) < 1e-35 THEN 0 END)::real) < (3::double precision)) AND (((CASE WHEN abs(t0."score") BETWEEN 1e-35 AND 1e35 THEN t0."score" WHEN abs(t0."score") < 1e-35 THEN 0 END)::real) > (0.5::double precision)) AND ((CASE WHEN t0."minutes" > -32767.5 AND t0."minutes" < 32767.5 THEN t0."minutes" END)::smallint > 2))) AS r

SELECT sum(power(minutes, 2)), sum(exp(score)), sum(ln(minutes + 1)) FROM samples;
--> path: unique
--> Differentially private aggregate of public.samples
-->   Privacy unit: patient, by public.samples.patient_id
-->   Contribution: one row per unit, proven by a unique key of the source; no unit is scaled down
-->   Group keys: none, one row
-->   Not a number: NaN counts as NULL in sum(exp(score))
-->   Noisy number 1: sum of values clamped to [0, 57600] in steps of 1; standard deviation 997661, 95 % of the noise within ±1.95538e+06
-->   Noisy number 2: sum of values clamped to [0.367879, 2.71828] in steps of 0.000000001; standard deviation 47.082, 95 % of the noise within ±92.2791
-->   Noisy number 3: sum of values clamped to [0, 5.4848] in steps of 0.00000001; standard deviation 94.9995, 95 % of the noise within ±186.196
-->   sum(power(minutes, 2)): from noisy number 1; values outside [0, 57600] count as the nearest bound
-->   sum(exp(score)): from noisy number 2; values outside [0.367879, 2.71828] count as the nearest bound
-->   sum(ln(minutes + 1)): from noisy number 3; values outside [0, 5.4848] count as the nearest bound
-->   95 % of the noise: sum(power(minutes, 2)) within ±1.95538e+06, sum(exp(score)) within ±92.2791, sum(ln(minutes + 1)) within ±186.196
-->   Noise intervals (dp.low, dp.high): cover the noise only, not values moved to a bound
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.samples.minutes, public.samples.patient_id, public.samples.score
--> rests on: public.samples (patient_id)
--> work of a row: 8260 ns
--> source: SELECT sum((CASE WHEN x0 < 0 THEN 0::double precision WHEN x0 <= 57600 THEN round(x0::double precision / 1::double precision) WHEN x0 <> 'NaN' THEN 57600::double precision END)::integer) AS s0, sum((CASE WHEN x1 < 0.367879441 THEN 367879441::double precision WHEN x1 <= 2.718281828 THEN round(x1::double precision / 0.000000001::double precision) WHEN x1 <> 'NaN' THEN 2718281828::double precision END)::bigint) AS s1, sum((CASE WHEN x2 < 0 THEN 0::double precision WHEN x2 <= 5.48479693 THEN round(x2::double precision / 0.00000001::double precision) WHEN x2 <> 'NaN' THEN 548479693::double precision END)::integer) AS s2 FROM (WITH once AS (SELECT) SELECT power((t0."minutes"::double precision), 2) AS x0, (CASE WHEN ((CASE WHEN abs(t0."score") BETWEEN 1e-150 AND 1e150 THEN t0."score" WHEN abs(t0."score") < 1e-150 THEN 0 END)::double precision) BETWEEN -345 AND 345 THEN exp(((CASE WHEN abs(t0."score") BETWEEN 1e-150 AND 1e150 THEN t0."score" WHEN abs(t0."score") < 1e-150 THEN 0 END)::double precision)) WHEN ((CASE WHEN abs(t0."score") BETWEEN 1e-150 AND 1e150 THEN t0."score" WHEN abs(t0."score") < 1e-150 THEN 0 END)::double precision) < -345 THEN 0 END) AS x1, (CASE WHEN ((t0."minutes"::bigint + 1)::double precision) BETWEEN 1e-150 AND 1e150 THEN ln(((t0."minutes"::bigint + 1)::double precision)) END) AS x2 FROM "public"."samples" AS t0) AS r

SELECT count(*) FROM readings WHERE round(level, 2) > 3 AND level % 7 = 1;
--> path: unique
--> Differentially private aggregate of public.readings
-->   Privacy unit: patient, by public.readings.patient_id
-->   Contribution: one row per unit, proven by a unique key of the source; no unit is scaled down
-->   Group keys: none, one row
-->   Noisy number 1: rows; standard deviation 10, 95 % of the noise within ±20
-->   count(*): from noisy number 1
-->   95 % of the noise: count(*) within ±20 rows
-->   Noise intervals (dp.low, dp.high): cover everything, nothing is clipped
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.readings.level, public.readings.patient_id
--> rests on: public.readings (patient_id)
--> work of a row: 22640 ns
--> source: SELECT count(*) AS s0 FROM (SELECT  FROM "public"."readings" AS t0 WHERE ((((CASE WHEN abs((CASE WHEN pg_column_size(t0."level") > 64 OR scale(t0."level") > 100 THEN NULL ELSE t0."level" END)) <= 1e300 THEN (CASE WHEN pg_column_size(t0."level") > 64 OR scale(t0."level") > 100 THEN NULL ELSE t0."level" END) END) % NULLIF(7, 0)) = 1) AND (round((CASE WHEN abs((CASE WHEN pg_column_size(t0."level") > 64 OR scale(t0."level") > 100 THEN NULL ELSE t0."level" END)) <= 1e300 THEN (CASE WHEN pg_column_size(t0."level") > 64 OR scale(t0."level") > 100 THEN NULL ELSE t0."level" END) END)::numeric, 2) > 3))) AS r

SELECT count(*) FROM readings WHERE sqrt(level) < 9 AND ratio / level > 2;
--> path: unique
--> Differentially private aggregate of public.readings
-->   Privacy unit: patient, by public.readings.patient_id
-->   Contribution: one row per unit, proven by a unique key of the source; no unit is scaled down
-->   Group keys: none, one row
-->   Noisy number 1: rows; standard deviation 10, 95 % of the noise within ±20
-->   count(*): from noisy number 1
-->   95 % of the noise: count(*) within ±20 rows
-->   Noise intervals (dp.low, dp.high): cover everything, nothing is clipped
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.readings.level, public.readings.patient_id, public.readings.ratio
--> rests on: public.readings (patient_id)
--> work of a row: 211640 ns
--> source: SELECT count(*) AS s0 FROM (SELECT  FROM "public"."readings" AS t0 WHERE (((((CASE WHEN abs(t0."ratio") BETWEEN 1e-150 AND 1e150 THEN t0."ratio" WHEN abs(t0."ratio") < 1e-150 THEN 0 END)::double precision) / NULLIF(((CASE WHEN abs((CASE WHEN pg_column_size(t0."level") > 64 OR scale(t0."level") > 100 THEN NULL ELSE t0."level" END)) BETWEEN 1e-150 AND 1e150 THEN (CASE WHEN pg_column_size(t0."level") > 64 OR scale(t0."level") > 100 THEN NULL ELSE t0."level" END) WHEN abs((CASE WHEN pg_column_size(t0."level") > 64 OR scale(t0."level") > 100 THEN NULL ELSE t0."level" END)) < 1e-150 THEN 0 END)::double precision), 0)) > (2::double precision)) AND ((CASE WHEN (CASE WHEN abs((CASE WHEN pg_column_size(t0."level") > 64 OR scale(t0."level") > 100 THEN NULL ELSE t0."level" END)) <= 1e300 THEN (CASE WHEN pg_column_size(t0."level") > 64 OR scale(t0."level") > 100 THEN NULL ELSE t0."level" END) END) BETWEEN 0 AND 1e300 THEN sqrt((CASE WHEN abs((CASE WHEN pg_column_size(t0."level") > 64 OR scale(t0."level") > 100 THEN NULL ELSE t0."level" END)) <= 1e300 THEN (CASE WHEN pg_column_size(t0."level") > 64 OR scale(t0."level") > 100 THEN NULL ELSE t0."level" END) END)) END) < 9))) AS r

SELECT sum(least(greatest(visit_id, -5000000000), 0)) FROM visits;
--> path: single group
--> Differentially private aggregate of public.visits
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows per group, squared and summed <= 500)
-->   Group keys: none, one row
-->   Noisy number 1: sum of values clamped to [-5e+09, 0] in steps of 1; standard deviation 1.11803e+12, 95 % of the noise within ±2.19131e+12
-->   sum(least(greatest(visit_id, -5000000000), 0)): from noisy number 1; values outside [-5e+09, 0] count as the nearest bound
-->   95 % of the noise: sum(least(greatest(visit_id, -5000000000), 0)) within ±2.19131e+12
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down, not values moved to a bound
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.visits.patient_id, public.visits.visit_id
--> rests on: public.visits (visit_id)
--> work of a row: 1290 ns
--> source: SELECT sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, n * n AS q FROM (SELECT unit, LEAST(n, 3037000499) AS n, LEAST(GREATEST(round(coalesce(s0, 0)::numeric), -4611686018427387904), 4611686018427387904)::bigint AS v0 FROM (SELECT x0 AS unit, count(*) AS n, sum((CASE WHEN x1 < (-5000000000) THEN (-5000000000) WHEN x1 > 0 THEN 0 ELSE x1 END)) AS s0 FROM (SELECT t0."patient_id" AS x0, least(greatest(t0."visit_id", (- 5000000000)), 0) AS x1 FROM "public"."visits" AS t0) AS r GROUP BY 1) AS counted) AS per_unit) AS sized) AS scaled

SELECT sum(0 * score), sum(0 * cost), sum(0) FROM samples;
--> path: unique
--> Differentially private aggregate of public.samples
-->   Privacy unit: patient, by public.samples.patient_id
-->   Contribution: one row per unit, proven by a unique key of the source; no unit is scaled down
-->   Group keys: none, one row
-->   Not a number: NaN counts as NULL in sum(0 * score)
-->   Noisy number 1: sum of values clamped to [0, 0] in steps of 1e-39; standard deviation 1.73205e-38, 95 % of the noise within ±3.4e-38
-->   Noisy number 2: sum of values clamped to [0, 0] in steps of 0.01; standard deviation 0.173205, 95 % of the noise within ±0.34
-->   Noisy number 3: sum of values clamped to [0, 0] in steps of 1; standard deviation 17.3205, 95 % of the noise within ±34
-->   sum(0 * score): from noisy number 1; values outside [0, 0] count as the nearest bound
-->   sum(0 * cost): from noisy number 2; values outside [0, 0] count as the nearest bound
-->   sum(0): from noisy number 3
-->   95 % of the noise: sum(0 * score) within ±3.4e-38, sum(0 * cost) within ±0.34, sum(0) within ±34
-->   Noise intervals (dp.low, dp.high): cover the noise only, not values moved to a bound
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.samples.cost, public.samples.patient_id, public.samples.score
--> rests on: public.samples (patient_id)
--> work of a row: 2358 ns
--> source: SELECT sum((CASE WHEN x0 < 0 THEN 0::double precision WHEN x0 <= 0 THEN round(x0::double precision / 0.000000000000000000000000000000000000001::double precision) WHEN x0 <> 'NaN' THEN 0::double precision END)::integer) AS s0, sum((CASE WHEN x1 < 0 THEN 0 WHEN x1 <= 0 THEN x1 WHEN x1 <> 'NaN' THEN 0 END)) AS s1, sum(x2) AS s2 FROM (WITH once AS (SELECT) SELECT ((0::double precision) * ((CASE WHEN abs(t0."score") BETWEEN 1e-150 AND 1e150 THEN t0."score" WHEN abs(t0."score") < 1e-150 THEN 0 END)::double precision)) AS x0, (0 * t0."cost") AS x1, 0 AS x2 FROM "public"."samples" AS t0) AS r

SELECT sum(log(1, cost)) FROM samples;
--> path: unique
--> Differentially private aggregate of public.samples
-->   Privacy unit: patient, by public.samples.patient_id
-->   Contribution: one row per unit, proven by a unique key of the source; units are scaled down to a limit that the query chooses from the data for 1/10 of the price, by their own sum(log(1, cost))
-->   Group keys: none, one row
-->   Noisy number 1: sum of values in steps of 0.000001, cut at ±1.15292e+12; standard deviation 10.5409 times the limit of their own sum(log(1, cost))
-->   sum(log(1, cost)): from noisy number 1
-->   95 % of the noise: as wide as the limit that the query chooses makes it; the answer's notice says it
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.samples.cost, public.samples.patient_id
--> rests on: public.samples (patient_id)
--> work of a row: 22680 ns
--> source: SELECT i, b, sum(a0) AS a0, sum(z0) AS z0, count(*) FILTER (WHERE place = 1 AND adds) AS units FROM (SELECT *, b0 AS b, q0 > 0 AS adds, v0 AS a0, t0 AS z0 FROM (SELECT *, 0 AS i FROM (SELECT *, width_bucket(q0, '{1.0000000000000002,1.5000000000000002,2.0000000000000004,3.0000000000000004,4.000000000000001,6.000000000000001,8.000000000000002,12.000000000000002,16.000000000000004,24.000000000000004,32.00000000000001,48.00000000000001,64.00000000000001,96.00000000000001,128.00000000000003,192.00000000000003,256.00000000000006,384.00000000000006,512.0000000000001,768.0000000000001,1024.0000000000002,1536.0000000000002,2048.0000000000005,3072.0000000000005,4096.000000000001,6144.000000000001,8192.000000000002,12288.000000000002,16384.000000000004,24576.000000000004,32768.00000000001,49152.00000000001,65536.00000000001,98304.00000000001,131072.00000000003,196608.00000000003,262144.00000000006,393216.00000000006,524288.0000000001,786432.0000000001,1048576.0000000002,1572864.0000000002,2097152.0000000005,3145728.0000000005,4194304.000000001,6291456.000000001,8388608.000000002,12582912.000000002,16777216.000000004,25165824.000000004,33554432.00000001,50331648.00000001,67108864.00000001,100663296.00000001,134217728.00000003,201326592.00000003,268435456.00000006,402653184.00000006,536870912.0000001,805306368.0000001,1073741824.0000002,1610612736.0000002,2147483648.0000005,3221225472.0000005,4294967296.000001,6442450944.000001,8589934592.000002,12884901888.000002,17179869184.000004,25769803776.000004,34359738368.00001,51539607552.00001,68719476736.00002,103079215104.00002,137438953472.00003,206158430208.00003,274877906944.00006,412316860416.00006,549755813888.0001,824633720832.0001,1099511627776.0002,1649267441664.0002,2199023255552.0005,3298534883328.0005,4398046511104.001,6597069766656.001,8796093022208.002,13194139533312.002,17592186044416.004,26388279066624.004,35184372088832.01,52776558133248.01,70368744177664.02,105553116266496.02,140737488355328.03,211106232532992.03,281474976710656.06,422212465065984.06,562949953421312.1,844424930131968.1,1125899906842624.2,1688849860263936.2,2251799813685248.5,3377699720527872.5,4503599627370497.0,6755399441055745.0,9007199120523264.0,1.3510798680784896e+16,1.8014398241046528e+16,2.702159736156979e+16,3.6028796482093056e+16,5.404319472313958e+16,7.205759296418611e+16,1.0808638944627917e+17,1.4411518592837222e+17,2.1617277889255834e+17,2.8823037185674445e+17,4.323455577851167e+17,5.764607437134889e+17,8.646911155702333e+17,1.1529214874269778e+18,1.7293822311404667e+18,2.3058429748539556e+18,3.4587644622809334e+18,4.611685949707911e+18}'::double precision[]) AS b0, trunc(v0::double precision / NULLIF(q0, 0) * 3221225424.0)::bigint AS t0 FROM (SELECT *, abs(v0)::double precision AS q0, 1 AS place FROM (SELECT unit, LEAST(n, 3037000499) AS n, LEAST(GREATEST(coalesce(s0, 0)::numeric, -4611686018427387904), 4611686018427387904)::bigint AS v0 FROM (SELECT x0 AS unit, count(*) AS n, sum(round(((CASE WHEN x1 < (-1152921504606.846976) THEN (-1152921504606.846976) WHEN x1 <= 1152921504606.846976 THEN x1 WHEN x1 <> 'NaN' THEN 1152921504606.846976 END)::numeric * 1000000))::bigint) AS s0 FROM (WITH once AS (SELECT) SELECT t0."patient_id" AS x0, (CASE WHEN 1::numeric BETWEEN 1e-150 AND 1e150 AND abs(1::numeric - 1) > 1e-10 AND t0."cost"::numeric BETWEEN 1e-150 AND 1e150 THEN log(1::numeric, t0."cost"::numeric) END) AS x1 FROM "public"."samples" AS t0) AS r GROUP BY 1) AS counted) AS per_unit) AS sized) AS rows) AS numbered) AS r GROUP BY i, b

SELECT count(*) FROM readings WHERE small + 2147450880 > 5;
--> path: unique
--> Differentially private aggregate of public.readings
-->   Privacy unit: patient, by public.readings.patient_id
-->   Contribution: one row per unit, proven by a unique key of the source; no unit is scaled down
-->   Group keys: none, one row
-->   Noisy number 1: rows; standard deviation 10, 95 % of the noise within ±20
-->   count(*): from noisy number 1
-->   95 % of the noise: count(*) within ±20 rows
-->   Noise intervals (dp.low, dp.high): cover everything, nothing is clipped
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.readings.patient_id, public.readings.small
--> rests on: public.readings (patient_id)
--> work of a row: 430 ns
--> source: SELECT count(*) AS s0 FROM (SELECT  FROM "public"."readings" AS t0 WHERE ((t0."small"::bigint + 2147450880) > 5)) AS r

SELECT count(*) FROM readings WHERE small + 9223372036854743040 > 5;
--> path: unique
--> Differentially private aggregate of public.readings
-->   Privacy unit: patient, by public.readings.patient_id
-->   Contribution: one row per unit, proven by a unique key of the source; no unit is scaled down
-->   Group keys: none, one row
-->   Noisy number 1: rows; standard deviation 10, 95 % of the noise within ±20
-->   count(*): from noisy number 1
-->   95 % of the noise: count(*) within ±20 rows
-->   Noise intervals (dp.low, dp.high): cover everything, nothing is clipped
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.readings.patient_id, public.readings.small
--> rests on: public.readings (patient_id)
--> work of a row: 430 ns
--> source: SELECT count(*) AS s0 FROM (SELECT  FROM "public"."readings" AS t0 WHERE ((t0."small"::numeric + 9223372036854743040) > 5)) AS r
