SELECT count(*) FROM samples WHERE note LIKE 'a%b_';
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
--> reads: public.samples.note, public.samples.patient_id
--> rests on: public.samples (patient_id)
--> work of a row: 57000 ns
--> source: SELECT count(*) AS s0 FROM (SELECT  FROM "public"."samples" AS t0 WHERE (((CASE WHEN octet_length(t0."note") > 4000 THEN CASE WHEN pg_column_size(t0."note") <= 1000000 THEN left(t0."note", 2000) ELSE '' END ELSE t0."note" END) COLLATE pg_catalog."default") LIKE 'a%b_')) AS r

SELECT count(*) FROM samples WHERE note ILIKE '%x%';
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
--> reads: public.samples.note, public.samples.patient_id
--> rests on: public.samples (patient_id)
--> work of a row: 161000 ns
--> source: SELECT count(*) AS s0 FROM (SELECT  FROM "public"."samples" AS t0 WHERE (((CASE WHEN octet_length(t0."note") > 4000 THEN CASE WHEN pg_column_size(t0."note") <= 1000000 THEN left(t0."note", 2000) ELSE '' END ELSE t0."note" END) COLLATE pg_catalog."default") ILIKE '%x%')) AS r

SELECT count(*) FROM samples WHERE note NOT LIKE '!_a' ESCAPE '!';
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
--> reads: public.samples.note, public.samples.patient_id
--> rests on: public.samples (patient_id)
--> work of a row: 85000 ns
--> source: SELECT count(*) AS s0 FROM (SELECT  FROM "public"."samples" AS t0 WHERE (((CASE WHEN octet_length(t0."note") > 4000 THEN CASE WHEN pg_column_size(t0."note") <= 1000000 THEN left(t0."note", 2000) ELSE '' END ELSE t0."note" END) COLLATE pg_catalog."default") NOT LIKE '!_a' ESCAPE '!')) AS r

SELECT count(*) FROM samples WHERE note SIMILAR TO '(a|b)c';
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
--> reads: public.samples.note, public.samples.patient_id
--> rests on: public.samples (patient_id)
--> work of a row: 78000 ns
--> source: SELECT count(*) AS s0 FROM (SELECT  FROM "public"."samples" AS t0 WHERE (((CASE WHEN octet_length(t0."note") > 4000 THEN CASE WHEN pg_column_size(t0."note") <= 1000000 THEN left(t0."note", 2000) ELSE '' END ELSE t0."note" END) COLLATE pg_catalog."default") SIMILAR TO '(a|b)c')) AS r

SELECT count(*) FROM samples WHERE note ~ '^a.*b$';
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
--> reads: public.samples.note, public.samples.patient_id
--> rests on: public.samples (patient_id)
--> work of a row: 78000 ns
--> source: SELECT count(*) AS s0 FROM (SELECT  FROM "public"."samples" AS t0 WHERE (((CASE WHEN octet_length(t0."note") > 4000 THEN CASE WHEN pg_column_size(t0."note") <= 1000000 THEN left(t0."note", 2000) ELSE '' END ELSE t0."note" END) COLLATE pg_catalog."default") ~ '^a.*b$')) AS r

SELECT count(*) FROM samples WHERE note !~* 'abc';
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
--> reads: public.samples.note, public.samples.patient_id
--> rests on: public.samples (patient_id)
--> work of a row: 78020 ns
--> source: SELECT count(*) AS s0 FROM (SELECT  FROM "public"."samples" AS t0 WHERE (NOT (((CASE WHEN octet_length(t0."note") > 4000 THEN CASE WHEN pg_column_size(t0."note") <= 1000000 THEN left(t0."note", 2000) ELSE '' END ELSE t0."note" END) COLLATE pg_catalog."default") ~* 'abc'))) AS r

SELECT count(*) FROM samples WHERE regexp_like(note, 'a|b');
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
--> reads: public.samples.note, public.samples.patient_id
--> rests on: public.samples (patient_id)
--> work of a row: 78000 ns
--> source: SELECT count(*) AS s0 FROM (SELECT  FROM "public"."samples" AS t0 WHERE regexp_like(((CASE WHEN octet_length(t0."note") > 4000 THEN CASE WHEN pg_column_size(t0."note") <= 1000000 THEN left(t0."note", 2000) ELSE '' END ELSE t0."note" END) COLLATE pg_catalog."default"), 'a|b')) AS r

SELECT count(*) FROM samples WHERE starts_with(note, 'ab');
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
--> reads: public.samples.note, public.samples.patient_id
--> rests on: public.samples (patient_id)
--> work of a row: 29000 ns
--> source: SELECT count(*) AS s0 FROM (SELECT  FROM "public"."samples" AS t0 WHERE starts_with(((CASE WHEN octet_length(t0."note") > 4000 THEN CASE WHEN pg_column_size(t0."note") <= 1000000 THEN left(t0."note", 2000) ELSE '' END ELSE t0."note" END) COLLATE pg_catalog."default"), 'ab')) AS r

SELECT count(*) FROM samples WHERE note ^@ 'ab';
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
--> reads: public.samples.note, public.samples.patient_id
--> rests on: public.samples (patient_id)
--> work of a row: 29000 ns
--> source: SELECT count(*) AS s0 FROM (SELECT  FROM "public"."samples" AS t0 WHERE starts_with(((CASE WHEN octet_length(t0."note") > 4000 THEN CASE WHEN pg_column_size(t0."note") <= 1000000 THEN left(t0."note", 2000) ELSE '' END ELSE t0."note" END) COLLATE pg_catalog."default"), 'ab')) AS r

SELECT count(*) FROM samples WHERE note = 'a';
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
--> reads: public.samples.note, public.samples.patient_id
--> rests on: public.samples (patient_id)
--> work of a row: 28101 ns
--> source: SELECT count(*) AS s0 FROM (SELECT  FROM "public"."samples" AS t0 WHERE ((CASE WHEN octet_length(t0."note") > 4000 THEN CASE WHEN pg_column_size(t0."note") <= 1000000 THEN left(t0."note", 2000) ELSE '' END ELSE t0."note" END) = 'a')) AS r

SELECT count(*) FROM samples WHERE note <> diagnosis;
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
--> reads: public.samples.diagnosis, public.samples.note, public.samples.patient_id
--> rests on: public.samples (patient_id)
--> work of a row: 60100 ns
--> source: SELECT count(*) AS s0 FROM (SELECT  FROM "public"."samples" AS t0 WHERE (((CASE WHEN octet_length(t0."diagnosis") > 4000 THEN CASE WHEN pg_column_size(t0."diagnosis") <= 1000000 THEN left(t0."diagnosis", 2000) ELSE '' END ELSE t0."diagnosis" END) COLLATE pg_catalog."default") <> (CASE WHEN octet_length(t0."note") > 4000 THEN CASE WHEN pg_column_size(t0."note") <= 1000000 THEN left(t0."note", 2000) ELSE '' END ELSE t0."note" END))) AS r

SELECT count(*) FROM samples WHERE note < 'm';
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
--> reads: public.samples.note, public.samples.patient_id
--> rests on: public.samples (patient_id)
--> work of a row: 28105 ns
--> source: SELECT count(*) AS s0 FROM (SELECT  FROM "public"."samples" AS t0 WHERE (((CASE WHEN octet_length(t0."note") > 4000 THEN CASE WHEN pg_column_size(t0."note") <= 1000000 THEN left(t0."note", 2000) ELSE '' END ELSE t0."note" END) COLLATE pg_catalog."C") < 'm')) AS r

SELECT count(*) FROM samples WHERE note BETWEEN 'a' AND 'b';
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
--> reads: public.samples.note, public.samples.patient_id
--> rests on: public.samples (patient_id)
--> work of a row: 56390 ns
--> source: SELECT count(*) AS s0 FROM (SELECT  FROM "public"."samples" AS t0 WHERE ((((CASE WHEN octet_length(t0."note") > 4000 THEN CASE WHEN pg_column_size(t0."note") <= 1000000 THEN left(t0."note", 2000) ELSE '' END ELSE t0."note" END) COLLATE pg_catalog."C") <= 'b') AND (((CASE WHEN octet_length(t0."note") > 4000 THEN CASE WHEN pg_column_size(t0."note") <= 1000000 THEN left(t0."note", 2000) ELSE '' END ELSE t0."note" END) COLLATE pg_catalog."C") >= 'a'))) AS r

SELECT count(*) FROM samples WHERE note IN ('a', 'b', NULL);
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
--> reads: public.samples.note, public.samples.patient_id
--> rests on: public.samples (patient_id)
--> work of a row: 32500 ns
--> source: SELECT count(*) AS s0 FROM (SELECT  FROM "public"."samples" AS t0 WHERE ((CASE WHEN octet_length(t0."note") > 4000 THEN CASE WHEN pg_column_size(t0."note") <= 1000000 THEN left(t0."note", 2000) ELSE '' END ELSE t0."note" END) IN ('a', 'b', NULL))) AS r

SELECT count(*) FROM samples WHERE note IS NULL;
--> path: unique
--> Differentially private aggregate of public.samples
-->   Privacy unit: patient, by public.samples.patient_id
-->   Contribution: one row per unit, proven by a unique key of the source; no unit is scaled down
-->   Group keys: none, one row
-->   Noisy number 1: rows; standard deviation 40, 95 % of the noise within ±78
-->   count(*): from noisy number 1
-->   95 % of the noise: count(*) within ±78 rows
-->   Noise intervals (dp.low, dp.high): cover everything, nothing is clipped
-->   Mechanism: gaussian; epsilon 0.025 for the block
-->   Profile: what only describes columns has a price of its own, and SET dp.epsilon = 0.1 asks as usual
-->   Price: rho 0.0003125
--> reads: public.samples.note, public.samples.patient_id
--> rests on: public.samples (patient_id)
--> work of a row: 28020 ns
--> source: SELECT count(*) AS s0 FROM (SELECT  FROM "public"."samples" AS t0 WHERE ((CASE WHEN octet_length(t0."note") > 4000 THEN CASE WHEN pg_column_size(t0."note") <= 1000000 THEN left(t0."note", 2000) ELSE '' END ELSE t0."note" END) IS NULL)) AS r

SELECT count(*) FROM samples WHERE note IS DISTINCT FROM diagnosis;
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
--> reads: public.samples.diagnosis, public.samples.note, public.samples.patient_id
--> rests on: public.samples (patient_id)
--> work of a row: 60100 ns
--> source: SELECT count(*) AS s0 FROM (SELECT  FROM "public"."samples" AS t0 WHERE (((CASE WHEN octet_length(t0."diagnosis") > 4000 THEN CASE WHEN pg_column_size(t0."diagnosis") <= 1000000 THEN left(t0."diagnosis", 2000) ELSE '' END ELSE t0."diagnosis" END) COLLATE pg_catalog."default") IS DISTINCT FROM (CASE WHEN octet_length(t0."note") > 4000 THEN CASE WHEN pg_column_size(t0."note") <= 1000000 THEN left(t0."note", 2000) ELSE '' END ELSE t0."note" END))) AS r

SELECT count(*) FROM samples WHERE cost = 1.5;
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
--> reads: public.samples.cost, public.samples.patient_id
--> rests on: public.samples (patient_id)
--> work of a row: 169 ns
--> source: SELECT count(*) AS s0 FROM (SELECT  FROM "public"."samples" AS t0 WHERE (t0."cost" = 1.5)) AS r

SELECT count(*) FROM samples WHERE cost IN (1, 2, 3);
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
--> reads: public.samples.cost, public.samples.patient_id
--> rests on: public.samples (patient_id)
--> work of a row: 569 ns
--> source: SELECT count(*) AS s0 FROM (SELECT  FROM "public"."samples" AS t0 WHERE (t0."cost" IN (1, 2, 3))) AS r

SELECT count(*) FROM samples WHERE cost BETWEEN 10 AND 20;
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
--> reads: public.samples.cost, public.samples.patient_id
--> rests on: public.samples (patient_id)
--> work of a row: 590 ns
--> source: SELECT count(*) AS s0 FROM (SELECT  FROM "public"."samples" AS t0 WHERE ((t0."cost" <= 20) AND (t0."cost" >= 10))) AS r

SELECT count(*) FROM samples WHERE cost BETWEEN SYMMETRIC 20 AND 10;
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
--> reads: public.samples.cost, public.samples.patient_id
--> rests on: public.samples (patient_id)
--> work of a row: 280 ns
--> source: SELECT count(*) AS s0 FROM (SELECT  FROM "public"."samples" AS t0 WHERE (t0."cost" BETWEEN SYMMETRIC 20 AND 10)) AS r

SELECT count(*) FROM samples WHERE minutes > cost;
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
--> reads: public.samples.cost, public.samples.minutes, public.samples.patient_id
--> rests on: public.samples (patient_id)
--> work of a row: 235 ns
--> source: SELECT count(*) AS s0 FROM (SELECT  FROM "public"."samples" AS t0 WHERE (t0."cost" < t0."minutes")) AS r

SELECT count(*) FROM samples WHERE urgent;
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
--> reads: public.samples.patient_id, public.samples.urgent
--> rests on: public.samples (patient_id)
--> work of a row: 30 ns
--> source: SELECT count(*) AS s0 FROM (SELECT  FROM "public"."samples" AS t0 WHERE t0."urgent") AS r

SELECT count(*) FROM samples WHERE NOT urgent;
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
--> reads: public.samples.patient_id, public.samples.urgent
--> rests on: public.samples (patient_id)
--> work of a row: 50 ns
--> source: SELECT count(*) AS s0 FROM (SELECT  FROM "public"."samples" AS t0 WHERE (NOT t0."urgent")) AS r

SELECT count(*) FROM samples WHERE urgent IS NOT FALSE;
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
--> reads: public.samples.patient_id, public.samples.urgent
--> rests on: public.samples (patient_id)
--> work of a row: 70 ns
--> source: SELECT count(*) AS s0 FROM (SELECT  FROM "public"."samples" AS t0 WHERE (NOT (t0."urgent" IS FALSE))) AS r

SELECT count(*) FROM samples WHERE urgent = (cost > 10);
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
--> reads: public.samples.cost, public.samples.patient_id, public.samples.urgent
--> rests on: public.samples (patient_id)
--> work of a row: 351 ns
--> source: SELECT count(*) AS s0 FROM (SELECT  FROM "public"."samples" AS t0 WHERE ((t0."cost" > 10) = t0."urgent")) AS r

SELECT count(*) FROM samples WHERE urgent IS UNKNOWN;
--> path: unique
--> Differentially private aggregate of public.samples
-->   Privacy unit: patient, by public.samples.patient_id
-->   Contribution: one row per unit, proven by a unique key of the source; no unit is scaled down
-->   Group keys: none, one row
-->   Noisy number 1: rows; standard deviation 40, 95 % of the noise within ±78
-->   count(*): from noisy number 1
-->   95 % of the noise: count(*) within ±78 rows
-->   Noise intervals (dp.low, dp.high): cover everything, nothing is clipped
-->   Mechanism: gaussian; epsilon 0.025 for the block
-->   Profile: what only describes columns has a price of its own, and SET dp.epsilon = 0.1 asks as usual
-->   Price: rho 0.0003125
--> reads: public.samples.patient_id, public.samples.urgent
--> rests on: public.samples (patient_id)
--> work of a row: 50 ns
--> source: SELECT count(*) AS s0 FROM (SELECT  FROM "public"."samples" AS t0 WHERE (t0."urgent" IS NULL)) AS r

SELECT count(*) FROM samples WHERE day = date '2024-02-29';
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
--> reads: public.samples.day, public.samples.patient_id
--> rests on: public.samples (patient_id)
--> work of a row: 146 ns
--> source: SELECT count(*) AS s0 FROM (SELECT  FROM "public"."samples" AS t0 WHERE (t0."day" = '2024-02-29'::date)) AS r

SELECT count(*) FROM samples WHERE visited_at > timestamp '2024-06-01 12:00';
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
--> reads: public.samples.patient_id, public.samples.visited_at
--> rests on: public.samples (patient_id)
--> work of a row: 210 ns
--> source: SELECT count(*) AS s0 FROM (SELECT  FROM "public"."samples" AS t0 WHERE (t0."visited_at" > '2024-06-01 12:00:00')) AS r

SELECT count(*) FROM samples WHERE paid_at < timestamptz '2024-06-01 12:00+02';
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
--> reads: public.samples.paid_at, public.samples.patient_id
--> rests on: public.samples (patient_id)
--> work of a row: 210 ns
--> source: SELECT count(*) AS s0 FROM (SELECT  FROM "public"."samples" AS t0 WHERE (t0."paid_at" < '2024-06-01 10:00:00+00')) AS r

SELECT count(*) FROM samples WHERE visited_at < paid_at;
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
--> reads: public.samples.paid_at, public.samples.patient_id, public.samples.visited_at
--> rests on: public.samples (patient_id)
--> work of a row: 240 ns
--> source: SELECT count(*) AS s0 FROM (SELECT  FROM "public"."samples" AS t0 WHERE (t0."visited_at" < t0."paid_at")) AS r

SELECT count(*) FROM samples WHERE day < visited_at;
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
--> reads: public.samples.day, public.samples.patient_id, public.samples.visited_at
--> rests on: public.samples (patient_id)
--> work of a row: 240 ns
--> source: SELECT count(*) AS s0 FROM (SELECT  FROM "public"."samples" AS t0 WHERE (t0."day" < t0."visited_at")) AS r

SELECT count(*) FROM samples WHERE took > interval '1 hour';
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
--> reads: public.samples.patient_id, public.samples.took
--> rests on: public.samples (patient_id)
--> work of a row: 210 ns
--> source: SELECT count(*) AS s0 FROM (SELECT  FROM "public"."samples" AS t0 WHERE (t0."took" > '1 hour'::interval)) AS r

SELECT count(*) FROM samples WHERE (visited_at, took) OVERLAPS (timestamp '2024-01-01', interval '1 day');
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
--> reads: public.samples.patient_id, public.samples.took, public.samples.visited_at
--> rests on: public.samples (patient_id)
--> work of a row: 2180 ns
--> source: SELECT count(*) AS s0 FROM (SELECT  FROM "public"."samples" AS t0 WHERE (((CASE WHEN t0."visited_at" BETWEEN '0001-01-01' AND '9999-12-31' THEN t0."visited_at" END), (CASE WHEN abs(extract(year from t0."took")) <= 900 AND abs(extract(day from t0."took")) <= 330000 AND abs(extract(hour from t0."took")) <= 7900000 THEN t0."took" END)) OVERLAPS ('2024-01-01'::timestamp without time zone, '1 day'::interval))) AS r

SELECT count(*) FROM samples WHERE extract(dow FROM day) IN (0, 6);
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
--> reads: public.samples.day, public.samples.patient_id
--> rests on: public.samples (patient_id)
--> work of a row: 2600 ns
--> source: SELECT count(*) AS s0 FROM (SELECT  FROM "public"."samples" AS t0 WHERE (extract(dow from (CASE WHEN t0."day" BETWEEN '0001-01-01' AND '9999-12-31' THEN t0."day" END)) IN (0, 6))) AS r

SELECT count(*) FROM samples WHERE details ? 'a';
--> path: unique
--> Differentially private aggregate of public.samples
-->   Privacy unit: patient, by public.samples.patient_id
-->   Contribution: one row per unit, proven by a unique key of the source; no unit is scaled down
-->   Group keys: none, one row
-->   Large values: values of details that take more than 2000 octets count as NULL
-->   Noisy number 1: rows; standard deviation 10, 95 % of the noise within ±20
-->   count(*): from noisy number 1
-->   95 % of the noise: count(*) within ±20 rows
-->   Noise intervals (dp.low, dp.high): cover everything, nothing is clipped
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.samples.details, public.samples.patient_id
--> rests on: public.samples (patient_id)
--> work of a row: 184000 ns
--> source: SELECT count(*) AS s0 FROM (SELECT  FROM "public"."samples" AS t0 WHERE (CASE WHEN ((CASE WHEN pg_column_size(t0."details") <= 2000 THEN t0."details" END) -> 2000) IS NULL THEN (CASE WHEN pg_column_size(t0."details") <= 2000 THEN t0."details" END) ? 'a' END)) AS r

SELECT count(*) FROM samples WHERE details ?| ARRAY['a', 'b'];
--> path: unique
--> Differentially private aggregate of public.samples
-->   Privacy unit: patient, by public.samples.patient_id
-->   Contribution: one row per unit, proven by a unique key of the source; no unit is scaled down
-->   Group keys: none, one row
-->   Large values: values of details that take more than 2000 octets count as NULL
-->   Noisy number 1: rows; standard deviation 10, 95 % of the noise within ±20
-->   count(*): from noisy number 1
-->   95 % of the noise: count(*) within ±20 rows
-->   Noise intervals (dp.low, dp.high): cover everything, nothing is clipped
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.samples.details, public.samples.patient_id
--> rests on: public.samples (patient_id)
--> work of a row: 224000 ns
--> source: SELECT count(*) AS s0 FROM (SELECT  FROM "public"."samples" AS t0 WHERE (CASE WHEN ((CASE WHEN pg_column_size(t0."details") <= 2000 THEN t0."details" END) -> 2000) IS NULL THEN (CASE WHEN pg_column_size(t0."details") <= 2000 THEN t0."details" END) ?| ARRAY['a', 'b']::text[] END)) AS r

SELECT count(*) FROM samples WHERE details @> '{}';
--> path: unique
--> Differentially private aggregate of public.samples
-->   Privacy unit: patient, by public.samples.patient_id
-->   Contribution: one row per unit, proven by a unique key of the source; no unit is scaled down
-->   Group keys: none, one row
-->   Large values: values of details that take more than 2000 octets count as NULL
-->   Noisy number 1: rows; standard deviation 10, 95 % of the noise within ±20
-->   count(*): from noisy number 1
-->   95 % of the noise: count(*) within ±20 rows
-->   Noise intervals (dp.low, dp.high): cover everything, nothing is clipped
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.samples.details, public.samples.patient_id
--> rests on: public.samples (patient_id)
--> work of a row: 83000 ns
--> source: SELECT count(*) AS s0 FROM (SELECT  FROM "public"."samples" AS t0 WHERE ((CASE WHEN pg_column_size(t0."details") <= 2000 THEN t0."details" END) @> '{}'::jsonb)) AS r

SELECT count(*) FROM samples WHERE (details ->> 'n')::int > 3;
--> path: unique
--> Differentially private aggregate of public.samples
-->   Privacy unit: patient, by public.samples.patient_id
-->   Contribution: one row per unit, proven by a unique key of the source; no unit is scaled down
-->   Group keys: none, one row
-->   Large values: values of details that take more than 2000 octets count as NULL
-->   Noisy number 1: rows; standard deviation 10, 95 % of the noise within ±20
-->   count(*): from noisy number 1
-->   95 % of the noise: count(*) within ±20 rows
-->   Noise intervals (dp.low, dp.high): cover everything, nothing is clipped
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.samples.details, public.samples.patient_id
--> rests on: public.samples (patient_id)
--> work of a row: 187700 ns
--> source: SELECT count(*) AS s0 FROM (SELECT  FROM "public"."samples" AS t0 WHERE (((CASE WHEN (left(((SELECT CASE WHEN pg_column_size(d.v) <= 300 THEN jsonb_path_query_first(d.v, 'strict $ ? (!exists($.** ? (@ > 1e100 || @ < -1e100)))') END FROM (SELECT ((CASE WHEN pg_column_size(t0."details") <= 2000 THEN t0."details" END) -> 'n'::text) AS v OFFSET 0) AS d) #>> '{}'), 250) COLLATE pg_catalog."default") ~ E'^[ \\t\\n\\r\\f\\v]*([+-]?0{0,20}([0-9]{1,9}|[1-1][0-9]{9}|2[0-0][0-9]{8}|21[0-3][0-9]{7}|214[0-6][0-9]{6}|2147[0-3][0-9]{5}|21474[0-7][0-9]{4}|214748[0-2][0-9]{3}|2147483[0-5][0-9]{2}|21474836[0-3][0-9]{1}|214748364[0-6]|2147483647)|-0{0,20}2147483648)[ \\t\\n\\r\\f\\v]*$' THEN (left(((SELECT CASE WHEN pg_column_size(d.v) <= 300 THEN jsonb_path_query_first(d.v, 'strict $ ? (!exists($.** ? (@ > 1e100 || @ < -1e100)))') END FROM (SELECT ((CASE WHEN pg_column_size(t0."details") <= 2000 THEN t0."details" END) -> 'n'::text) AS v OFFSET 0) AS d) #>> '{}'), 250) COLLATE pg_catalog."default") END)::integer)::integer > 3)) AS r

SELECT count(*) FROM samples WHERE tags @> ARRAY['a'];
--> path: unique
--> Differentially private aggregate of public.samples
-->   Privacy unit: patient, by public.samples.patient_id
-->   Contribution: one row per unit, proven by a unique key of the source; no unit is scaled down
-->   Group keys: none, one row
-->   Large values: values of tags that take more than 1000 octets count as NULL
-->   Noisy number 1: rows; standard deviation 10, 95 % of the noise within ±20
-->   count(*): from noisy number 1
-->   95 % of the noise: count(*) within ±20 rows
-->   Noise intervals (dp.low, dp.high): cover everything, nothing is clipped
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.samples.patient_id, public.samples.tags
--> rests on: public.samples (patient_id)
--> work of a row: 63366 ns
--> source: SELECT count(*) AS s0 FROM (SELECT  FROM "public"."samples" AS t0 WHERE (CASE WHEN ((CASE WHEN pg_column_size(t0."tags") <= 1000 THEN t0."tags" END) IS NOT NULL) THEN (('a' = ANY ((CASE WHEN pg_column_size(t0."tags") <= 1000 THEN t0."tags" END))) IS TRUE) ELSE NULL END)) AS r

SELECT count(*) FROM samples WHERE tags && ARRAY['a', 'b']|'a' = ANY (tags);
--> refused 0A000 parse: dpproxy could not parse this query

SELECT count(*) FROM samples WHERE minutes = ANY (ARRAY[1, 2]);
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
--> reads: public.samples.minutes, public.samples.patient_id
--> rests on: public.samples (patient_id)
--> work of a row: 250 ns
--> source: SELECT count(*) AS s0 FROM (SELECT  FROM "public"."samples" AS t0 WHERE (t0."minutes" IN (1, 2))) AS r

SELECT count(*) FROM samples WHERE minutes > ALL (ARRAY[1, 2]);
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
--> reads: public.samples.minutes, public.samples.patient_id
--> rests on: public.samples (patient_id)
--> work of a row: 490 ns
--> source: SELECT count(*) AS s0 FROM (SELECT  FROM "public"."samples" AS t0 WHERE (t0."minutes"::numeric > ALL (ARRAY[1::numeric, 2::numeric]))) AS r

SELECT count(*) FROM samples WHERE length(note) > 3;
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
--> reads: public.samples.note, public.samples.patient_id
--> rests on: public.samples (patient_id)
--> work of a row: 52700 ns
--> source: SELECT count(*) AS s0 FROM (SELECT  FROM "public"."samples" AS t0 WHERE (length(((CASE WHEN octet_length(t0."note") > 4000 THEN CASE WHEN pg_column_size(t0."note") <= 1000000 THEN left(t0."note", 2000) ELSE '' END ELSE t0."note" END) COLLATE pg_catalog."default")) > 3)) AS r

SELECT count(*) FROM samples WHERE position('a' in note) > 0;
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
--> reads: public.samples.note, public.samples.patient_id
--> rests on: public.samples (patient_id)
--> work of a row: 80700 ns
--> source: SELECT count(*) AS s0 FROM (SELECT  FROM "public"."samples" AS t0 WHERE (strpos(((CASE WHEN octet_length(t0."note") > 4000 THEN CASE WHEN pg_column_size(t0."note") <= 1000000 THEN left(t0."note", 2000) ELSE '' END ELSE t0."note" END) COLLATE pg_catalog."default"), 'a') > 0)) AS r

SELECT count(*) FROM samples WHERE strpos(note, 'b') = 1;
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
--> reads: public.samples.note, public.samples.patient_id
--> rests on: public.samples (patient_id)
--> work of a row: 80620 ns
--> source: SELECT count(*) AS s0 FROM (SELECT  FROM "public"."samples" AS t0 WHERE (strpos(((CASE WHEN octet_length(t0."note") > 4000 THEN CASE WHEN pg_column_size(t0."note") <= 1000000 THEN left(t0."note", 2000) ELSE '' END ELSE t0."note" END) COLLATE pg_catalog."default"), 'b') = 1)) AS r

SELECT count(*) FROM samples WHERE (cost, minutes) = (1, 2);
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
--> reads: public.samples.cost, public.samples.minutes, public.samples.patient_id
--> rests on: public.samples (patient_id)
--> work of a row: 339 ns
--> source: SELECT count(*) AS s0 FROM (SELECT  FROM "public"."samples" AS t0 WHERE ((t0."cost" = 1) AND (t0."minutes" = 2))) AS r

SELECT count(*) FROM samples WHERE (cost, minutes) < (1, 2);
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
--> reads: public.samples.cost, public.samples.minutes, public.samples.patient_id
--> rests on: public.samples (patient_id)
--> work of a row: 385 ns
--> source: SELECT count(*) AS s0 FROM (SELECT  FROM "public"."samples" AS t0 WHERE (ROW(t0."cost", t0."minutes") < ROW(1, 2))) AS r

SELECT count(*) FROM samples WHERE cost IS NOT DISTINCT FROM 5;
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
--> reads: public.samples.cost, public.samples.patient_id
--> rests on: public.samples (patient_id)
--> work of a row: 169 ns
--> source: SELECT count(*) AS s0 FROM (SELECT  FROM "public"."samples" AS t0 WHERE (t0."cost" = 5)) AS r

SELECT count(*) FROM samples WHERE isfinite(day);
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
--> reads: public.samples.day, public.samples.patient_id
--> rests on: public.samples (patient_id)
--> work of a row: 2030 ns
--> source: SELECT count(*) AS s0 FROM (SELECT  FROM "public"."samples" AS t0 WHERE isfinite(t0."day")) AS r

SELECT count(*) FROM samples WHERE minutes & 1 = 1;
--> refused 0A000 not-allowed: minutes & 1 is not supported over private rows

SELECT count(*) FROM samples WHERE random() < 0.5;
--> refused 0A000 function: the function random() is not supported over private rows

SELECT count(*) FROM samples WHERE pg_sleep(1) IS NULL;
--> refused 0A000 function: the function pg_sleep() is not supported over private rows

SELECT count(*) FROM samples WHERE note ~ '(a+)+$';
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
--> reads: public.samples.note, public.samples.patient_id
--> rests on: public.samples (patient_id)
--> work of a row: 78000 ns
--> source: SELECT count(*) AS s0 FROM (SELECT  FROM "public"."samples" AS t0 WHERE (((CASE WHEN octet_length(t0."note") > 4000 THEN CASE WHEN pg_column_size(t0."note") <= 1000000 THEN left(t0."note", 2000) ELSE '' END ELSE t0."note" END) COLLATE pg_catalog."default") ~ '(a+)+$')) AS r

SELECT count(*) FROM samples WHERE note ~ '(a)\1';
--> refused 0A000 constant-pattern: this regular expression is not supported over private rows

SELECT count(*) FROM samples WHERE details = '{}'::jsonb;
--> path: unique
--> Differentially private aggregate of public.samples
-->   Privacy unit: patient, by public.samples.patient_id
-->   Contribution: one row per unit, proven by a unique key of the source; no unit is scaled down
-->   Group keys: none, one row
-->   Large values: values of details that take more than 2000 octets count as NULL
-->   Noisy number 1: rows; standard deviation 10, 95 % of the noise within ±20
-->   count(*): from noisy number 1
-->   95 % of the noise: count(*) within ±20 rows
-->   Noise intervals (dp.low, dp.high): cover everything, nothing is clipped
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.samples.details, public.samples.patient_id
--> rests on: public.samples (patient_id)
--> work of a row: 62320 ns
--> source: SELECT count(*) AS s0 FROM (SELECT  FROM "public"."samples" AS t0 WHERE ((CASE WHEN pg_column_size(t0."details") <= 2000 THEN t0."details" END) = '{}'::jsonb)) AS r

SELECT count(*) FROM samples WHERE xmlexists('//a' PASSING note::xml);
--> refused 0A000 parse: dpproxy could not parse this query

SELECT count(*) FROM readings WHERE level > 3 AND small = 2 AND at > '12:00' AND ratio < 0.5;
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
--> reads: public.readings.at, public.readings.level, public.readings.patient_id, public.readings.ratio, public.readings.small
--> rests on: public.readings (patient_id)
--> work of a row: 3735 ns
--> source: SELECT count(*) AS s0 FROM (SELECT  FROM "public"."readings" AS t0 WHERE (((CASE WHEN pg_column_size(t0."level") > 64 OR scale(t0."level") > 100 THEN NULL ELSE t0."level" END) > 3) AND (t0."at" > '12:00') AND (t0."ratio" < (0.5::double precision)) AND (t0."small" = 2))) AS r

SELECT count(*) FROM readings WHERE code = 'a' AND short < 'b';
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
--> reads: public.readings.code, public.readings.patient_id, public.readings.short
--> rests on: public.readings (patient_id)
--> work of a row: 382 ns
--> source: SELECT count(*) AS s0 FROM (SELECT  FROM "public"."readings" AS t0 WHERE (((t0."short" COLLATE pg_catalog."C") < 'b') AND (t0."code" = 'a'))) AS r

SELECT count(*) FROM readings WHERE (document ->> 'size')::numeric > 5;
--> refused 0A000 row-work: this query could take too long for one row

SELECT count(*) FROM readings WHERE (document -> 'kind') IS NOT NULL;
--> path: unique
--> Differentially private aggregate of public.readings
-->   Privacy unit: patient, by public.readings.patient_id
-->   Contribution: one row per unit, proven by a unique key of the source; no unit is scaled down
-->   Group keys: none, one row
-->   Large values: values of document that take more than 2000 octets count as NULL
-->   Noisy number 1: rows; standard deviation 10, 95 % of the noise within ±20
-->   count(*): from noisy number 1
-->   95 % of the noise: count(*) within ±20 rows
-->   Noise intervals (dp.low, dp.high): cover everything, nothing is clipped
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.readings.document, public.readings.patient_id
--> rests on: public.readings (patient_id)
--> work of a row: 396020 ns
--> source: SELECT count(*) AS s0 FROM (SELECT  FROM "public"."readings" AS t0 WHERE (((CASE WHEN octet_length((CASE WHEN pg_column_size(t0."document") <= 2000 THEN t0."document" END)::text) <= LEAST(5000, pg_size_bytes(current_setting('max_stack_depth')) / 200) AND (CASE WHEN pg_column_size(t0."document") <= 2000 THEN t0."document" END)::text !~* E'\\\\u(0000|d[89a-f])' AND (getdatabaseencoding() = 'UTF8' OR strpos((CASE WHEN pg_column_size(t0."document") <= 2000 THEN t0."document" END)::text, E'\\u') = 0) THEN (CASE WHEN pg_column_size(t0."document") <= 2000 THEN t0."document" END) END) -> 'kind'::text) IS NOT NULL)) AS r

SELECT count(*) FROM samples WHERE (details ->> 'size')::numeric > 5 OR (details ->> 'size')::integer < 3;
--> path: unique
--> Differentially private aggregate of public.samples
-->   Privacy unit: patient, by public.samples.patient_id
-->   Contribution: one row per unit, proven by a unique key of the source; no unit is scaled down
-->   Group keys: none, one row
-->   Large values: values of details that take more than 2000 octets count as NULL
-->   Noisy number 1: rows; standard deviation 10, 95 % of the noise within ±20
-->   count(*): from noisy number 1
-->   95 % of the noise: count(*) within ±20 rows
-->   Noise intervals (dp.low, dp.high): cover everything, nothing is clipped
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.samples.details, public.samples.patient_id
--> rests on: public.samples (patient_id)
--> work of a row: 375420 ns
--> source: SELECT count(*) AS s0 FROM (SELECT  FROM "public"."samples" AS t0 WHERE ((((CASE WHEN (left(((SELECT CASE WHEN pg_column_size(d.v) <= 300 THEN jsonb_path_query_first(d.v, 'strict $ ? (!exists($.** ? (@ > 1e100 || @ < -1e100)))') END FROM (SELECT ((CASE WHEN pg_column_size(t0."details") <= 2000 THEN t0."details" END) -> 'size'::text) AS v OFFSET 0) AS d) #>> '{}'), 250) COLLATE pg_catalog."default") ~ E'^[ \\t\\n\\r\\f\\v]*([+-]?([0-9]{1,40}(\\.[0-9]{0,40})?|\\.[0-9]{1,40})([eE][+-]?[0-9]{1,2})?)[ \\t\\n\\r\\f\\v]*$' THEN (left(((SELECT CASE WHEN pg_column_size(d.v) <= 300 THEN jsonb_path_query_first(d.v, 'strict $ ? (!exists($.** ? (@ > 1e100 || @ < -1e100)))') END FROM (SELECT ((CASE WHEN pg_column_size(t0."details") <= 2000 THEN t0."details" END) -> 'size'::text) AS v OFFSET 0) AS d) #>> '{}'), 250) COLLATE pg_catalog."default") END)::numeric)::numeric > 5) OR (((CASE WHEN (left(((SELECT CASE WHEN pg_column_size(d.v) <= 300 THEN jsonb_path_query_first(d.v, 'strict $ ? (!exists($.** ? (@ > 1e100 || @ < -1e100)))') END FROM (SELECT ((CASE WHEN pg_column_size(t0."details") <= 2000 THEN t0."details" END) -> 'size'::text) AS v OFFSET 0) AS d) #>> '{}'), 250) COLLATE pg_catalog."default") ~ E'^[ \\t\\n\\r\\f\\v]*([+-]?0{0,20}([0-9]{1,9}|[1-1][0-9]{9}|2[0-0][0-9]{8}|21[0-3][0-9]{7}|214[0-6][0-9]{6}|2147[0-3][0-9]{5}|21474[0-7][0-9]{4}|214748[0-2][0-9]{3}|2147483[0-5][0-9]{2}|21474836[0-3][0-9]{1}|214748364[0-6]|2147483647)|-0{0,20}2147483648)[ \\t\\n\\r\\f\\v]*$' THEN (left(((SELECT CASE WHEN pg_column_size(d.v) <= 300 THEN jsonb_path_query_first(d.v, 'strict $ ? (!exists($.** ? (@ > 1e100 || @ < -1e100)))') END FROM (SELECT ((CASE WHEN pg_column_size(t0."details") <= 2000 THEN t0."details" END) -> 'size'::text) AS v OFFSET 0) AS d) #>> '{}'), 250) COLLATE pg_catalog."default") END)::integer)::integer < 3))) AS r

SELECT count(*) FROM readings WHERE took * 3 > interval '1 day' AND took / ratio > interval '2 days';
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
--> reads: public.readings.patient_id, public.readings.ratio, public.readings.took
--> rests on: public.readings (patient_id)
--> work of a row: 1200 ns
--> source: SELECT count(*) AS s0 FROM (SELECT  FROM "public"."readings" AS t0 WHERE ((((3::double precision) * (CASE WHEN abs(extract(year from t0."took")) <= 900 AND abs(extract(day from t0."took")) <= 330000 AND abs(extract(hour from t0."took")) <= 7900000 THEN t0."took" END)) > '1 day'::interval) AND ((CASE WHEN abs(NULLIF(((CASE WHEN abs(t0."ratio") BETWEEN 1e-150 AND 1e150 THEN t0."ratio" WHEN abs(t0."ratio") < 1e-150 THEN 0 END)::double precision), 'NaN')) >= 0.02 THEN (CASE WHEN abs(extract(year from t0."took")) <= 900 AND abs(extract(day from t0."took")) <= 330000 AND abs(extract(hour from t0."took")) <= 7900000 THEN t0."took" END) / NULLIF(((CASE WHEN abs(t0."ratio") BETWEEN 1e-150 AND 1e150 THEN t0."ratio" WHEN abs(t0."ratio") < 1e-150 THEN 0 END)::double precision), 'NaN') END) > '2 days'::interval))) AS r
