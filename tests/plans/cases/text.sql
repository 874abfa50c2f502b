SELECT count(*) FROM samples WHERE (lower(note)) = 'a';
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
--> work of a row: 141101 ns
--> source: SELECT count(*) AS s0 FROM (SELECT  FROM "public"."samples" AS t0 WHERE (lower(((CASE WHEN octet_length(t0."note") > 4000 THEN CASE WHEN pg_column_size(t0."note") <= 1000000 THEN left(t0."note", 2000) ELSE '' END ELSE t0."note" END) COLLATE pg_catalog."default")) = 'a')) AS r

SELECT count(*) FROM samples WHERE (upper(note)) = 'a';
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
--> work of a row: 141101 ns
--> source: SELECT count(*) AS s0 FROM (SELECT  FROM "public"."samples" AS t0 WHERE (upper(((CASE WHEN octet_length(t0."note") > 4000 THEN CASE WHEN pg_column_size(t0."note") <= 1000000 THEN left(t0."note", 2000) ELSE '' END ELSE t0."note" END) COLLATE pg_catalog."default")) = 'a')) AS r

SELECT count(*) FROM samples WHERE (initcap(note)) = 'a';
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
--> work of a row: 141101 ns
--> source: SELECT count(*) AS s0 FROM (SELECT  FROM "public"."samples" AS t0 WHERE (initcap(((CASE WHEN octet_length(t0."note") > 4000 THEN CASE WHEN pg_column_size(t0."note") <= 1000000 THEN left(t0."note", 2000) ELSE '' END ELSE t0."note" END) COLLATE pg_catalog."default")) = 'a')) AS r

SELECT count(*) FROM samples WHERE (reverse(note)) = 'a';
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
--> work of a row: 80601 ns
--> source: SELECT count(*) AS s0 FROM (SELECT  FROM "public"."samples" AS t0 WHERE (reverse(((CASE WHEN octet_length(t0."note") > 4000 THEN CASE WHEN pg_column_size(t0."note") <= 1000000 THEN left(t0."note", 2000) ELSE '' END ELSE t0."note" END) COLLATE pg_catalog."default")) = 'a')) AS r

SELECT count(*) FROM samples WHERE (md5(note)) = 'a';
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
--> work of a row: 76633 ns
--> source: SELECT count(*) AS s0 FROM (SELECT  FROM "public"."samples" AS t0 WHERE (md5(((CASE WHEN octet_length(t0."note") > 4000 THEN CASE WHEN pg_column_size(t0."note") <= 1000000 THEN left(t0."note", 2000) ELSE '' END ELSE t0."note" END) COLLATE pg_catalog."default")) = 'a')) AS r

SELECT count(*) FROM samples WHERE (btrim(note)) = 'a';
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
--> work of a row: 80601 ns
--> source: SELECT count(*) AS s0 FROM (SELECT  FROM "public"."samples" AS t0 WHERE (btrim(((CASE WHEN octet_length(t0."note") > 4000 THEN CASE WHEN pg_column_size(t0."note") <= 1000000 THEN left(t0."note", 2000) ELSE '' END ELSE t0."note" END) COLLATE pg_catalog."default")) = 'a')) AS r

SELECT count(*) FROM samples WHERE (ltrim(note, 'x')) = 'a';
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
--> work of a row: 100601 ns
--> source: SELECT count(*) AS s0 FROM (SELECT  FROM "public"."samples" AS t0 WHERE (ltrim(((CASE WHEN octet_length(t0."note") > 4000 THEN CASE WHEN pg_column_size(t0."note") <= 1000000 THEN left(t0."note", 2000) ELSE '' END ELSE t0."note" END) COLLATE pg_catalog."default"), 'x') = 'a')) AS r

SELECT count(*) FROM samples WHERE (rtrim(note)) = 'a';
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
--> work of a row: 80601 ns
--> source: SELECT count(*) AS s0 FROM (SELECT  FROM "public"."samples" AS t0 WHERE (rtrim(((CASE WHEN octet_length(t0."note") > 4000 THEN CASE WHEN pg_column_size(t0."note") <= 1000000 THEN left(t0."note", 2000) ELSE '' END ELSE t0."note" END) COLLATE pg_catalog."default")) = 'a')) AS r

SELECT count(*) FROM samples WHERE (trim(both 'x' from note)) = 'a';
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
--> work of a row: 100601 ns
--> source: SELECT count(*) AS s0 FROM (SELECT  FROM "public"."samples" AS t0 WHERE (btrim(((CASE WHEN octet_length(t0."note") > 4000 THEN CASE WHEN pg_column_size(t0."note") <= 1000000 THEN left(t0."note", 2000) ELSE '' END ELSE t0."note" END) COLLATE pg_catalog."default"), 'x') = 'a')) AS r

SELECT count(*) FROM samples WHERE (left(note, 5)) = 'a';
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
--> work of a row: 28641 ns
--> source: SELECT count(*) AS s0 FROM (SELECT  FROM "public"."samples" AS t0 WHERE (left(((CASE WHEN octet_length(t0."note") > 4000 THEN CASE WHEN pg_column_size(t0."note") <= 1000000 THEN left(t0."note", 2000) ELSE '' END ELSE t0."note" END) COLLATE pg_catalog."default"), 5) = 'a')) AS r

SELECT count(*) FROM samples WHERE (left(note, -2)) = 'a';
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
--> work of a row: 60601 ns
--> source: SELECT count(*) AS s0 FROM (SELECT  FROM "public"."samples" AS t0 WHERE (left(((CASE WHEN octet_length(t0."note") > 4000 THEN CASE WHEN pg_column_size(t0."note") <= 1000000 THEN left(t0."note", 2000) ELSE '' END ELSE t0."note" END) COLLATE pg_catalog."default"), -2) = 'a')) AS r

SELECT count(*) FROM samples WHERE (right(note, 3)) = 'a';
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
--> work of a row: 76604 ns
--> source: SELECT count(*) AS s0 FROM (SELECT  FROM "public"."samples" AS t0 WHERE (right(((CASE WHEN octet_length(t0."note") > 4000 THEN CASE WHEN pg_column_size(t0."note") <= 1000000 THEN left(t0."note", 2000) ELSE '' END ELSE t0."note" END) COLLATE pg_catalog."default"), 3) = 'a')) AS r

SELECT count(*) FROM samples WHERE (substr(note, 2, 4)) = 'a';
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
--> work of a row: 76605 ns
--> source: SELECT count(*) AS s0 FROM (SELECT  FROM "public"."samples" AS t0 WHERE (substr(((CASE WHEN octet_length(t0."note") > 4000 THEN CASE WHEN pg_column_size(t0."note") <= 1000000 THEN left(t0."note", 2000) ELSE '' END ELSE t0."note" END) COLLATE pg_catalog."default"), 2, 4) = 'a')) AS r

SELECT count(*) FROM samples WHERE (substring(note from 3)) = 'a';
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
--> work of a row: 80601 ns
--> source: SELECT count(*) AS s0 FROM (SELECT  FROM "public"."samples" AS t0 WHERE (substr(((CASE WHEN octet_length(t0."note") > 4000 THEN CASE WHEN pg_column_size(t0."note") <= 1000000 THEN left(t0."note", 2000) ELSE '' END ELSE t0."note" END) COLLATE pg_catalog."default"), 3) = 'a')) AS r

SELECT count(*) FROM samples WHERE (substring(note from 'a.c')) = 'a';
--> path: unique
--> Differentially private aggregate of public.samples
-->   Privacy unit: patient, by public.samples.patient_id
-->   Contribution: one row per unit, proven by a unique key of the source; no unit is scaled down
-->   Group keys: none, one row
-->   Regular expressions: of longer texts they see the first 250 characters
-->   Noisy number 1: rows; standard deviation 10, 95 % of the noise within ±20
-->   count(*): from noisy number 1
-->   95 % of the noise: count(*) within ±20 rows
-->   Noise intervals (dp.low, dp.high): cover everything, nothing is clipped
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.samples.note, public.samples.patient_id
--> rests on: public.samples (patient_id)
--> work of a row: 290351 ns
--> source: SELECT count(*) AS s0 FROM (SELECT  FROM "public"."samples" AS t0 WHERE (substring((left((CASE WHEN octet_length(t0."note") > 4000 THEN CASE WHEN pg_column_size(t0."note") <= 1000000 THEN left(t0."note", 2000) ELSE '' END ELSE t0."note" END), 250) COLLATE pg_catalog."default"), 'a.c') = 'a')) AS r

SELECT count(*) FROM samples WHERE (split_part(note, '-', 2)) = 'a';
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
--> work of a row: 80601 ns
--> source: SELECT count(*) AS s0 FROM (SELECT  FROM "public"."samples" AS t0 WHERE (split_part(((CASE WHEN octet_length(t0."note") > 4000 THEN CASE WHEN pg_column_size(t0."note") <= 1000000 THEN left(t0."note", 2000) ELSE '' END ELSE t0."note" END) COLLATE pg_catalog."default"), '-', 2) = 'a')) AS r

SELECT count(*) FROM samples WHERE (replace(note, 'a', 'bb')) = 'a';
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
--> work of a row: 144601 ns
--> source: SELECT count(*) AS s0 FROM (SELECT  FROM "public"."samples" AS t0 WHERE (replace(((CASE WHEN octet_length(t0."note") > 4000 THEN CASE WHEN pg_column_size(t0."note") <= 1000000 THEN left(t0."note", 2000) ELSE '' END ELSE t0."note" END) COLLATE pg_catalog."default"), 'a', 'bb') = 'a')) AS r

SELECT count(*) FROM samples WHERE (translate(note, 'abc', 'xyz')) = 'a';
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
--> work of a row: 248601 ns
--> source: SELECT count(*) AS s0 FROM (SELECT  FROM "public"."samples" AS t0 WHERE (translate(((CASE WHEN octet_length(t0."note") > 4000 THEN CASE WHEN pg_column_size(t0."note") <= 1000000 THEN left(t0."note", 2000) ELSE '' END ELSE t0."note" END) COLLATE pg_catalog."default"), 'abc', 'xyz') = 'a')) AS r

SELECT count(*) FROM samples WHERE (lpad(note, 10, '*')) = 'a';
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
--> work of a row: 76611 ns
--> source: SELECT count(*) AS s0 FROM (SELECT  FROM "public"."samples" AS t0 WHERE (lpad(((CASE WHEN octet_length(t0."note") > 4000 THEN CASE WHEN pg_column_size(t0."note") <= 1000000 THEN left(t0."note", 2000) ELSE '' END ELSE t0."note" END) COLLATE pg_catalog."default"), 10, '*') = 'a')) AS r

SELECT count(*) FROM samples WHERE (rpad(note, 4)) = 'a';
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
--> work of a row: 76605 ns
--> source: SELECT count(*) AS s0 FROM (SELECT  FROM "public"."samples" AS t0 WHERE (rpad(((CASE WHEN octet_length(t0."note") > 4000 THEN CASE WHEN pg_column_size(t0."note") <= 1000000 THEN left(t0."note", 2000) ELSE '' END ELSE t0."note" END) COLLATE pg_catalog."default"), 4) = 'a')) AS r

SELECT count(*) FROM samples WHERE (repeat(left(note, 3), 4)) = 'a';
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
--> work of a row: 29161 ns
--> source: SELECT count(*) AS s0 FROM (SELECT  FROM "public"."samples" AS t0 WHERE (repeat((left(((CASE WHEN octet_length(t0."note") > 4000 THEN CASE WHEN pg_column_size(t0."note") <= 1000000 THEN left(t0."note", 2000) ELSE '' END ELSE t0."note" END) COLLATE pg_catalog."default"), 3) COLLATE pg_catalog."default"), 4) = 'a')) AS r

SELECT count(*) FROM samples WHERE (note || diagnosis) = 'a';
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
--> work of a row: 80601 ns
--> source: SELECT count(*) AS s0 FROM (SELECT  FROM "public"."samples" AS t0 WHERE ((((CASE WHEN octet_length(t0."note") > 4000 THEN CASE WHEN pg_column_size(t0."note") <= 1000000 THEN left(t0."note", 2000) ELSE '' END ELSE t0."note" END) COLLATE pg_catalog."default") || ((CASE WHEN octet_length(t0."diagnosis") > 4000 THEN CASE WHEN pg_column_size(t0."diagnosis") <= 1000000 THEN left(t0."diagnosis", 2000) ELSE '' END ELSE t0."diagnosis" END) COLLATE pg_catalog."default")) = 'a')) AS r

SELECT count(*) FROM samples WHERE (concat(note, cost, urgent)) = 'a';
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
--> reads: public.samples.cost, public.samples.note, public.samples.patient_id, public.samples.urgent
--> rests on: public.samples (patient_id)
--> work of a row: 40799 ns
--> source: SELECT count(*) AS s0 FROM (SELECT  FROM "public"."samples" AS t0 WHERE (concat(((CASE WHEN octet_length(t0."note") > 4000 THEN CASE WHEN pg_column_size(t0."note") <= 1000000 THEN left(t0."note", 2000) ELSE '' END ELSE t0."note" END) COLLATE pg_catalog."default"), (t0."cost"::text COLLATE pg_catalog."default"), t0."urgent") = 'a')) AS r

SELECT count(*) FROM samples WHERE (concat_ws('-', note, minutes)) = 'a';
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
--> reads: public.samples.minutes, public.samples.note, public.samples.patient_id
--> rests on: public.samples (patient_id)
--> work of a row: 40739 ns
--> source: SELECT count(*) AS s0 FROM (SELECT  FROM "public"."samples" AS t0 WHERE (concat_ws('-', ((CASE WHEN octet_length(t0."note") > 4000 THEN CASE WHEN pg_column_size(t0."note") <= 1000000 THEN left(t0."note", 2000) ELSE '' END ELSE t0."note" END) COLLATE pg_catalog."default"), (t0."minutes"::text COLLATE pg_catalog."default")) = 'a')) AS r

SELECT count(*) FROM samples WHERE (overlay(note placing 'x' from 2 for 1)) = 'a';
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
--> work of a row: 80640 ns
--> source: SELECT count(*) AS s0 FROM (SELECT  FROM "public"."samples" AS t0 WHERE (overlay(((CASE WHEN octet_length(t0."note") > 4000 THEN CASE WHEN pg_column_size(t0."note") <= 1000000 THEN left(t0."note", 2000) ELSE '' END ELSE t0."note" END) COLLATE pg_catalog."default"), 'x', 2, 1) = 'a')) AS r

SELECT count(*) FROM samples WHERE (regexp_replace(note, 'a+', 'b', 'g')) = 'a';
--> path: unique
--> Differentially private aggregate of public.samples
-->   Privacy unit: patient, by public.samples.patient_id
-->   Contribution: one row per unit, proven by a unique key of the source; no unit is scaled down
-->   Group keys: none, one row
-->   Regular expressions: of longer texts they see the first 250 characters
-->   Noisy number 1: rows; standard deviation 10, 95 % of the noise within ±20
-->   count(*): from noisy number 1
-->   95 % of the noise: count(*) within ±20 rows
-->   Noise intervals (dp.low, dp.high): cover everything, nothing is clipped
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.samples.note, public.samples.patient_id
--> rests on: public.samples (patient_id)
--> work of a row: 293363 ns
--> source: SELECT count(*) AS s0 FROM (SELECT  FROM "public"."samples" AS t0 WHERE (regexp_replace((left((CASE WHEN octet_length(t0."note") > 4000 THEN CASE WHEN pg_column_size(t0."note") <= 1000000 THEN left(t0."note", 2000) ELSE '' END ELSE t0."note" END), 250) COLLATE pg_catalog."default"), 'a+', 'b', 'g') = 'a')) AS r

SELECT count(*) FROM samples WHERE (note::varchar(5)) = 'a';
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
--> work of a row: 49661 ns
--> source: SELECT count(*) AS s0 FROM (SELECT  FROM "public"."samples" AS t0 WHERE (((CASE WHEN octet_length(t0."note") > 4000 THEN CASE WHEN pg_column_size(t0."note") <= 1000000 THEN left(t0."note", 2000) ELSE '' END ELSE t0."note" END) COLLATE pg_catalog."default")::character varying(5) = 'a')) AS r

SELECT count(*) FROM samples WHERE (note::char(3)) = 'a';
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
--> work of a row: 49637 ns
--> source: SELECT count(*) AS s0 FROM (SELECT  FROM "public"."samples" AS t0 WHERE (((CASE WHEN octet_length(t0."note") > 4000 THEN CASE WHEN pg_column_size(t0."note") <= 1000000 THEN left(t0."note", 2000) ELSE '' END ELSE t0."note" END) COLLATE pg_catalog."default")::character(3) = 'a')) AS r

SELECT count(*) FROM samples WHERE (cost::text) = 'a';
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
--> work of a row: 1901 ns
--> source: SELECT count(*) AS s0 FROM (SELECT  FROM "public"."samples" AS t0 WHERE ((t0."cost"::text COLLATE pg_catalog."default")::text = 'a')) AS r

SELECT count(*) FROM samples WHERE (urgent::text) = 'a';
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
--> work of a row: 2591 ns
--> source: SELECT count(*) AS s0 FROM (SELECT  FROM "public"."samples" AS t0 WHERE ((t0."urgent"::text COLLATE pg_catalog."default")::text = 'a')) AS r

SELECT count(*) FROM samples WHERE (visited_at::text) = 'a';
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
--> work of a row: 2591 ns
--> source: SELECT count(*) AS s0 FROM (SELECT  FROM "public"."samples" AS t0 WHERE ((t0."visited_at"::text COLLATE pg_catalog."default")::text = 'a')) AS r

SELECT count(*) FROM samples WHERE (details ->> 'a') = 'a';
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
--> work of a row: 203101 ns
--> source: SELECT count(*) AS s0 FROM (SELECT  FROM "public"."samples" AS t0 WHERE (left((SELECT CASE WHEN jsonb_typeof(d.v) = 'string' THEN d.v WHEN pg_column_size(d.v) <= 300 THEN jsonb_path_query_first(d.v, 'strict $ ? (!exists($.** ? (@ > 1e100 || @ < -1e100)))') END FROM (SELECT ((CASE WHEN pg_column_size(t0."details") <= 2000 THEN t0."details" END) -> 'a'::text) AS v OFFSET 0) AS d) #>> '{}', 10000) = 'a')) AS r

SELECT count(*) FROM samples WHERE (details -> 'a' ->> 'b') = 'a';
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
--> work of a row: 225101 ns
--> source: SELECT count(*) AS s0 FROM (SELECT  FROM "public"."samples" AS t0 WHERE (left((SELECT CASE WHEN jsonb_typeof(d.v) = 'string' THEN d.v WHEN pg_column_size(d.v) <= 300 THEN jsonb_path_query_first(d.v, 'strict $ ? (!exists($.** ? (@ > 1e100 || @ < -1e100)))') END FROM (SELECT (((CASE WHEN pg_column_size(t0."details") <= 2000 THEN t0."details" END) -> 'a'::text) -> 'b'::text) AS v OFFSET 0) AS d) #>> '{}', 10000) = 'a')) AS r

SELECT count(*) FROM samples WHERE (details #>> '{a,b}') = 'a';
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
--> work of a row: 183102 ns
--> source: SELECT count(*) AS s0 FROM (SELECT  FROM "public"."samples" AS t0 WHERE (left((SELECT CASE WHEN jsonb_typeof(d.v) = 'string' THEN d.v WHEN pg_column_size(d.v) <= 300 THEN jsonb_path_query_first(d.v, 'strict $ ? (!exists($.** ? (@ > 1e100 || @ < -1e100)))') END FROM (SELECT ((CASE WHEN pg_column_size(t0."details") <= 2000 THEN t0."details" END) #> ARRAY['a', 'b']::text[]) AS v OFFSET 0) AS d) #>> '{}', 10000) = 'a')) AS r

SELECT count(*) FROM samples WHERE (coalesce(note, 'none')) = 'a';
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
--> work of a row: 32401 ns
--> source: SELECT count(*) AS s0 FROM (SELECT  FROM "public"."samples" AS t0 WHERE (coalesce((CASE WHEN octet_length(t0."note") > 4000 THEN CASE WHEN pg_column_size(t0."note") <= 1000000 THEN left(t0."note", 2000) ELSE '' END ELSE t0."note" END), 'none') = 'a')) AS r

SELECT count(*) FROM samples WHERE (nullif(note, '')) = 'a';
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
--> work of a row: 32401 ns
--> source: SELECT count(*) AS s0 FROM (SELECT  FROM "public"."samples" AS t0 WHERE (NULLIF((CASE WHEN octet_length(t0."note") > 4000 THEN CASE WHEN pg_column_size(t0."note") <= 1000000 THEN left(t0."note", 2000) ELSE '' END ELSE t0."note" END), '') = 'a')) AS r

SELECT count(*) FROM samples WHERE (greatest(note, 'a')) = 'a';
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
--> work of a row: 28206 ns
--> source: SELECT count(*) AS s0 FROM (SELECT  FROM "public"."samples" AS t0 WHERE ((greatest(((CASE WHEN octet_length(t0."note") > 4000 THEN CASE WHEN pg_column_size(t0."note") <= 1000000 THEN left(t0."note", 2000) ELSE '' END ELSE t0."note" END) COLLATE pg_catalog."C"), 'a') COLLATE pg_catalog."default") = 'a')) AS r

SELECT count(*) FROM samples WHERE (to_char(cost, '999')) = 'a';
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
--> work of a row: 1029 ns
--> source: SELECT count(*) AS s0 FROM (SELECT  FROM "public"."samples" AS t0 WHERE (to_char(t0."cost", '999') = 'a')) AS r

SELECT count(*) FROM samples WHERE (to_char(visited_at, 'Day')) = 'a';
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
--> work of a row: 3121 ns
--> source: SELECT count(*) AS s0 FROM (SELECT  FROM "public"."samples" AS t0 WHERE (to_char((CASE WHEN t0."visited_at" BETWEEN '0001-01-01' AND '9999-12-31' THEN t0."visited_at" END), 'Day') = 'a')) AS r

SELECT count(*) FROM samples WHERE (regexp_substr(note, 'a')) = 'a';
--> path: unique
--> Differentially private aggregate of public.samples
-->   Privacy unit: patient, by public.samples.patient_id
-->   Contribution: one row per unit, proven by a unique key of the source; no unit is scaled down
-->   Group keys: none, one row
-->   Regular expressions: of longer texts they see the first 250 characters
-->   Noisy number 1: rows; standard deviation 10, 95 % of the noise within ±20
-->   count(*): from noisy number 1
-->   95 % of the noise: count(*) within ±20 rows
-->   Noise intervals (dp.low, dp.high): cover everything, nothing is clipped
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.samples.note, public.samples.patient_id
--> rests on: public.samples (patient_id)
--> work of a row: 290351 ns
--> source: SELECT count(*) AS s0 FROM (SELECT  FROM "public"."samples" AS t0 WHERE (regexp_substr((left((CASE WHEN octet_length(t0."note") > 4000 THEN CASE WHEN pg_column_size(t0."note") <= 1000000 THEN left(t0."note", 2000) ELSE '' END ELSE t0."note" END), 250) COLLATE pg_catalog."default"), 'a') = 'a')) AS r

SELECT count(*) FROM samples WHERE (format('%s', note)) = 'a';
--> refused 0A000 function: the function format() is not supported over private rows

SELECT count(*) FROM samples WHERE (chr(minutes)) = 'a';
--> refused 0A000 function: the function chr() is not supported over private rows

SELECT count(*) FROM samples WHERE (encode(note::bytea, 'hex')) = 'a';
--> refused 0A000 function: the function encode() is not supported over private rows

SELECT count(*) FROM samples WHERE (note COLLATE "C") = 'a';
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

SELECT count(*) FROM samples WHERE ((tags)[1]) = 'a';
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
--> work of a row: 173101 ns
--> source: SELECT count(*) AS s0 FROM (SELECT  FROM "public"."samples" AS t0 WHERE (left(((CASE WHEN pg_column_size(t0."tags") <= 1000 THEN t0."tags" END))[1], 10000) = 'a')) AS r

SELECT count(*) FROM samples WHERE (array_to_string(tags, ',')) = 'a';
--> refused 0A000 function: the function array_to_string() is not supported over private rows

SELECT count(*) FROM samples WHERE (note::xml) = 'a';
--> refused 0A000 cast-type: a cast to xml is not supported over private rows

SELECT count(*) FROM samples WHERE (quote_literal(note)) = 'a';
--> refused 0A000 function: the function quote_literal() is not supported over private rows

SELECT count(*) FROM samples WHERE (ascii(note)) = 'a';
--> refused 0A000 function: the function ascii() is not supported over private rows

SELECT count(*) FROM samples WHERE (soundex(note)) = 'a';
--> refused 0A000 function: the function soundex() is not supported over private rows
