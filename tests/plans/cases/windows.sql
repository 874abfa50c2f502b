SELECT count(*) FROM (SELECT patient_id, row_number() OVER (PARTITION BY patient_id ORDER BY patient_id) AS n FROM visits GROUP BY patient_id) AS t;
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
--> work of a row: 12103 ns
--> source: SELECT count(*) AS s0 FROM (SELECT  FROM (SELECT t0t0.unit AS unit, t0t0.c0 AS c0, (row_number() OVER (PARTITION BY t0t0.unit, t0t0.c0 ORDER BY t0t0.c0 ASC NULLS LAST)) AS c1 FROM (SELECT t0t0t0."patient_id" AS unit, t0t0t0."patient_id" AS c0 FROM "public"."visits" AS t0t0t0 GROUP BY t0t0t0."patient_id") AS t0t0) AS t0) AS r

SELECT count(x) FROM (SELECT patient_id, array_agg(note) AS x FROM visits GROUP BY patient_id) AS t;
--> refused 0A000 per-unit-aggregate: this array_agg() is not supported over the rows of one privacy unit

SELECT count(x) FROM (SELECT patient_id, sum(note) AS x FROM visits GROUP BY patient_id) AS t;
--> refused 0A000 per-unit-aggregate: this sum() is not supported over the rows of one privacy unit

SELECT count(x) FROM (SELECT patient_id, max(details) AS x FROM visits GROUP BY patient_id) AS t;
--> refused 0A000 per-unit-aggregate: this max() is not supported over the rows of one privacy unit

SELECT count(x) FROM (SELECT patient_id, max(urgent) AS x FROM visits GROUP BY patient_id) AS t;
--> refused 0A000 per-unit-aggregate: this max() is not supported over the rows of one privacy unit

SELECT count(x) FROM (SELECT patient_id, array_agg(urgent) AS x FROM visits GROUP BY patient_id) AS t;
--> refused 0A000 per-unit-aggregate: this array_agg() is not supported over the rows of one privacy unit

SELECT count(x) FROM (SELECT patient_id, bool_or(minutes) AS x FROM visits GROUP BY patient_id) AS t;
--> refused 0A000 per-unit-aggregate: this bool_or() is not supported over the rows of one privacy unit

SELECT count(x) FROM (SELECT patient_id, string_agg(note, note) AS x FROM visits GROUP BY patient_id) AS t;
--> refused 0A000 per-unit-aggregate: this string_agg() is not supported over the rows of one privacy unit

SELECT count(x) FROM (SELECT patient_id, count(DISTINCT details) AS x FROM visits GROUP BY patient_id) AS t;
--> refused 0A000 per-unit-aggregate: this count() is not supported over the rows of one privacy unit

SELECT count(x) FROM (SELECT patient_id, count(details) AS x FROM visits GROUP BY patient_id) AS t;
--> path: unique
--> Differentially private aggregate of public.visits
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: one row per unit, because a subquery groups by the unit; no unit is scaled down
-->   Group keys: none, one row
-->   Large values: values of details that take more than 2000 octets count as NULL
-->   Noisy number 1: rows; standard deviation 10, 95 % of the noise within ±20
-->   count(x): from noisy number 1
-->   95 % of the noise: count(x) within ±20 rows
-->   Noise intervals (dp.low, dp.high): cover everything, nothing is clipped
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.visits.details, public.visits.patient_id
--> rests on: public.visits (visit_id)
--> work of a row: 82606 ns
--> source: SELECT count(*) AS s0 FROM (SELECT  FROM (SELECT t0t0."patient_id" AS unit, t0t0."patient_id" AS c0, count((CASE WHEN pg_column_size(t0t0."details") <= 2000 THEN t0t0."details" END)) AS c1 FROM "public"."visits" AS t0t0 GROUP BY t0t0."patient_id") AS t0) AS r

SELECT count(x) FROM (SELECT sum(minutes) OVER (PARTITION BY patient_id ORDER BY day ROWS BETWEEN 2 PRECEDING AND CURRENT ROW) AS x FROM visits) AS t;
--> path: single group
--> Differentially private aggregate of public.visits
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows per group, squared and summed <= 500)
-->   Group keys: none, one row
-->   Noisy number 1: rows where the value is not NULL; standard deviation 223.607, 95 % of the noise within ±438.262
-->   count(x): from noisy number 1
-->   95 % of the noise: count(x) within ±438 rows
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.visits.day, public.visits.minutes, public.visits.patient_id, public.visits.visit_id
--> rests on: public.visits (visit_id)
--> work of a row: 11660 ns
--> source: SELECT sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, n * n AS q FROM (SELECT unit, LEAST(n, 3037000499) AS n, LEAST(s0, 3037000499) AS v0 FROM (SELECT x0 AS unit, count(*) AS n, count(x1) AS s0 FROM (SELECT t0.unit AS x0, t0.c0 AS x1 FROM (SELECT t0t0."patient_id" AS unit, (sum(t0t0."minutes"::numeric) OVER (PARTITION BY t0t0."patient_id", t0t0."patient_id" ORDER BY t0t0."day" ASC NULLS LAST, t0t0."visit_id" ROWS BETWEEN 2 PRECEDING AND CURRENT ROW)) AS c0 FROM "public"."visits" AS t0t0) AS t0) AS r GROUP BY 1) AS counted) AS per_unit) AS sized) AS scaled

SELECT count(x) FROM (SELECT sum(minutes) OVER (PARTITION BY patient_id ORDER BY day RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS x FROM visits) AS t;
--> path: single group
--> Differentially private aggregate of public.visits
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows per group, squared and summed <= 500)
-->   Group keys: none, one row
-->   Noisy number 1: rows where the value is not NULL; standard deviation 223.607, 95 % of the noise within ±438.262
-->   count(x): from noisy number 1
-->   95 % of the noise: count(x) within ±438 rows
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.visits.day, public.visits.minutes, public.visits.patient_id
--> rests on: public.visits (visit_id)
--> work of a row: 10830 ns
--> source: SELECT sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, n * n AS q FROM (SELECT unit, LEAST(n, 3037000499) AS n, LEAST(s0, 3037000499) AS v0 FROM (SELECT x0 AS unit, count(*) AS n, count(x1) AS s0 FROM (SELECT t0.unit AS x0, t0.c0 AS x1 FROM (SELECT t0t0."patient_id" AS unit, (sum(t0t0."minutes"::numeric) OVER (PARTITION BY t0t0."patient_id", t0t0."patient_id" ORDER BY t0t0."day" ASC NULLS LAST RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)) AS c0 FROM "public"."visits" AS t0t0) AS t0) AS r GROUP BY 1) AS counted) AS per_unit) AS sized) AS scaled

SELECT count(x) FROM (SELECT sum(minutes) OVER (PARTITION BY patient_id ORDER BY day) AS x FROM visits) AS t;
--> path: single group
--> Differentially private aggregate of public.visits
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows per group, squared and summed <= 500)
-->   Group keys: none, one row
-->   Noisy number 1: rows where the value is not NULL; standard deviation 223.607, 95 % of the noise within ±438.262
-->   count(x): from noisy number 1
-->   95 % of the noise: count(x) within ±438 rows
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.visits.day, public.visits.minutes, public.visits.patient_id
--> rests on: public.visits (visit_id)
--> work of a row: 10830 ns
--> source: SELECT sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, n * n AS q FROM (SELECT unit, LEAST(n, 3037000499) AS n, LEAST(s0, 3037000499) AS v0 FROM (SELECT x0 AS unit, count(*) AS n, count(x1) AS s0 FROM (SELECT t0.unit AS x0, t0.c0 AS x1 FROM (SELECT t0t0."patient_id" AS unit, (sum(t0t0."minutes"::numeric) OVER (PARTITION BY t0t0."patient_id", t0t0."patient_id" ORDER BY t0t0."day" ASC NULLS LAST)) AS c0 FROM "public"."visits" AS t0t0) AS t0) AS r GROUP BY 1) AS counted) AS per_unit) AS sized) AS scaled

SELECT count(x) FROM (SELECT sum(minutes) OVER (PARTITION BY patient_id ORDER BY day ROWS BETWEEN 101 PRECEDING AND CURRENT ROW) AS x FROM visits) AS t;
--> refused 0A000 per-unit-window: this window function is not supported over the rows of one privacy unit

SELECT count(x) FROM (SELECT sum(minutes) OVER (PARTITION BY patient_id ORDER BY day GROUPS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS x FROM visits) AS t;
--> refused 0A000 per-unit-window: this window function is not supported over the rows of one privacy unit

SELECT count(x) FROM (SELECT sum(minutes) OVER (PARTITION BY patient_id ORDER BY day RANGE BETWEEN 1 PRECEDING AND CURRENT ROW) AS x FROM visits) AS t;
--> refused 0A000 per-unit-window: this window function is not supported over the rows of one privacy unit

SELECT count(x) FROM (SELECT sum(minutes) OVER (PARTITION BY patient_id ORDER BY day ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) AS x FROM visits) AS t;
--> path: single group
--> Differentially private aggregate of public.visits
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows per group, squared and summed <= 500)
-->   Group keys: none, one row
-->   Noisy number 1: rows where the value is not NULL; standard deviation 223.607, 95 % of the noise within ±438.262
-->   count(x): from noisy number 1
-->   95 % of the noise: count(x) within ±438 rows
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.visits.day, public.visits.minutes, public.visits.patient_id, public.visits.visit_id
--> rests on: public.visits (visit_id)
--> work of a row: 10880 ns
--> source: SELECT sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, n * n AS q FROM (SELECT unit, LEAST(n, 3037000499) AS n, LEAST(s0, 3037000499) AS v0 FROM (SELECT x0 AS unit, count(*) AS n, count(x1) AS s0 FROM (SELECT t0.unit AS x0, t0.c0 AS x1 FROM (SELECT t0t0."patient_id" AS unit, (sum(t0t0."minutes"::numeric) OVER (PARTITION BY t0t0."patient_id", t0t0."patient_id" ORDER BY t0t0."day" ASC NULLS LAST, t0t0."visit_id" ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING)) AS c0 FROM "public"."visits" AS t0t0) AS t0) AS r GROUP BY 1) AS counted) AS per_unit) AS sized) AS scaled

SELECT count(x) FROM (SELECT sum(minutes) OVER (PARTITION BY patient_id ORDER BY day ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING) AS x FROM visits) AS t;
--> refused 0A000 per-unit-window: this window function is not supported over the rows of one privacy unit

SELECT count(x) FROM (SELECT nth_value(minutes, 2) OVER (PARTITION BY patient_id ORDER BY day) AS x FROM visits) AS t;
--> refused 0A000 per-unit-window: this window function is not supported over the rows of one privacy unit

SELECT count(x) FROM (SELECT lag(minutes, 1, 0) OVER (PARTITION BY patient_id ORDER BY day) AS x FROM visits) AS t;
--> path: single group
--> Differentially private aggregate of public.visits
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows per group, squared and summed <= 500)
-->   Group keys: none, one row
-->   Noisy number 1: rows where the value is not NULL; standard deviation 223.607, 95 % of the noise within ±438.262
-->   count(x): from noisy number 1
-->   95 % of the noise: count(x) within ±438 rows
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.visits.day, public.visits.minutes, public.visits.patient_id, public.visits.visit_id
--> rests on: public.visits (visit_id)
--> work of a row: 22060 ns
--> source: SELECT sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, n * n AS q FROM (SELECT unit, LEAST(n, 3037000499) AS n, LEAST(s0, 3037000499) AS v0 FROM (SELECT x0 AS unit, count(*) AS n, count(x1) AS s0 FROM (SELECT t0.unit AS x0, t0.c0 AS x1 FROM (SELECT t0t0."patient_id" AS unit, (CASE WHEN ((lag(1, 1) OVER (PARTITION BY t0t0."patient_id", t0t0."patient_id" ORDER BY t0t0."day" ASC NULLS LAST, t0t0."visit_id")) IS NULL) THEN 0 ELSE (lag(t0t0."minutes", 1) OVER (PARTITION BY t0t0."patient_id", t0t0."patient_id" ORDER BY t0t0."day" ASC NULLS LAST, t0t0."visit_id")) END) AS c0 FROM "public"."visits" AS t0t0) AS t0) AS r GROUP BY 1) AS counted) AS per_unit) AS sized) AS scaled

SELECT count(x) FROM (SELECT lag(minutes, minutes) OVER (PARTITION BY patient_id ORDER BY day) AS x FROM visits) AS t;
--> refused 0A000 per-unit-window: this window function is not supported over the rows of one privacy unit

SELECT count(x) FROM (SELECT lag(minutes, 0) OVER (PARTITION BY patient_id ORDER BY day) AS x FROM visits) AS t;
--> path: single group
--> Differentially private aggregate of public.visits
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows per group, squared and summed <= 500)
-->   Group keys: none, one row
-->   Noisy number 1: rows where the value is not NULL; standard deviation 223.607, 95 % of the noise within ±438.262
-->   count(x): from noisy number 1
-->   95 % of the noise: count(x) within ±438 rows
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.visits.day, public.visits.minutes, public.visits.patient_id, public.visits.visit_id
--> rests on: public.visits (visit_id)
--> work of a row: 10880 ns
--> source: SELECT sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, n * n AS q FROM (SELECT unit, LEAST(n, 3037000499) AS n, LEAST(s0, 3037000499) AS v0 FROM (SELECT x0 AS unit, count(*) AS n, count(x1) AS s0 FROM (SELECT t0.unit AS x0, t0.c0 AS x1 FROM (SELECT t0t0."patient_id" AS unit, (lag(t0t0."minutes", 0) OVER (PARTITION BY t0t0."patient_id", t0t0."patient_id" ORDER BY t0t0."day" ASC NULLS LAST, t0t0."visit_id")) AS c0 FROM "public"."visits" AS t0t0) AS t0) AS r GROUP BY 1) AS counted) AS per_unit) AS sized) AS scaled

SELECT count(x) FROM (SELECT lag(minutes, '1') OVER (PARTITION BY patient_id ORDER BY day) AS x FROM visits) AS t;
--> refused 0A000 per-unit-window: this window function is not supported over the rows of one privacy unit

SELECT count(x) FROM (SELECT ntile(3) OVER (PARTITION BY patient_id ORDER BY day) AS x FROM visits) AS t;
--> path: single group
--> Differentially private aggregate of public.visits
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows per group, squared and summed <= 500)
-->   Group keys: none, one row
-->   Noisy number 1: rows; standard deviation 223.607, 95 % of the noise within ±438.262
-->   count(x): from noisy number 1
-->   95 % of the noise: count(x) within ±438 rows
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.visits.day, public.visits.patient_id, public.visits.visit_id
--> rests on: public.visits (visit_id)
--> work of a row: 10600 ns
--> source: SELECT sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, n * n AS q FROM (SELECT unit, LEAST(n, 3037000499) AS n, LEAST(n, 3037000499) AS v0 FROM (SELECT x0 AS unit, count(*) AS n FROM (SELECT t0.unit AS x0 FROM (SELECT t0t0."patient_id" AS unit, (ntile(3) OVER (PARTITION BY t0t0."patient_id", t0t0."patient_id" ORDER BY t0t0."day" ASC NULLS LAST, t0t0."visit_id")) AS c0 FROM "public"."visits" AS t0t0) AS t0 ORDER BY 1) AS r GROUP BY 1) AS counted) AS per_unit) AS sized) AS scaled

SELECT count(x) FROM (SELECT ntile(0) OVER (PARTITION BY patient_id ORDER BY day) AS x FROM visits) AS t;
--> refused 0A000 per-unit-window: this window function is not supported over the rows of one privacy unit

SELECT count(x) FROM (SELECT percent_rank() OVER (PARTITION BY patient_id ORDER BY day) AS x FROM visits) AS t;
--> path: single group
--> Differentially private aggregate of public.visits
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows per group, squared and summed <= 500)
-->   Group keys: none, one row
-->   Noisy number 1: rows; standard deviation 223.607, 95 % of the noise within ±438.262
-->   count(x): from noisy number 1
-->   95 % of the noise: count(x) within ±438 rows
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.visits.day, public.visits.patient_id
--> rests on: public.visits (visit_id)
--> work of a row: 10550 ns
--> source: SELECT sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, n * n AS q FROM (SELECT unit, LEAST(n, 3037000499) AS n, LEAST(n, 3037000499) AS v0 FROM (SELECT x0 AS unit, count(*) AS n FROM (SELECT t0.unit AS x0 FROM (SELECT t0t0."patient_id" AS unit, ((percent_rank() OVER (PARTITION BY t0t0."patient_id", t0t0."patient_id" ORDER BY t0t0."day" ASC NULLS LAST)))::double precision AS c0 FROM "public"."visits" AS t0t0) AS t0 ORDER BY 1) AS r GROUP BY 1) AS counted) AS per_unit) AS sized) AS scaled

SELECT count(x) FROM (SELECT cume_dist() OVER (PARTITION BY patient_id ORDER BY day) AS x FROM visits) AS t;
--> path: single group
--> Differentially private aggregate of public.visits
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows per group, squared and summed <= 500)
-->   Group keys: none, one row
-->   Noisy number 1: rows; standard deviation 223.607, 95 % of the noise within ±438.262
-->   count(x): from noisy number 1
-->   95 % of the noise: count(x) within ±438 rows
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.visits.day, public.visits.patient_id
--> rests on: public.visits (visit_id)
--> work of a row: 10550 ns
--> source: SELECT sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, n * n AS q FROM (SELECT unit, LEAST(n, 3037000499) AS n, LEAST(n, 3037000499) AS v0 FROM (SELECT x0 AS unit, count(*) AS n FROM (SELECT t0.unit AS x0 FROM (SELECT t0t0."patient_id" AS unit, ((cume_dist() OVER (PARTITION BY t0t0."patient_id", t0t0."patient_id" ORDER BY t0t0."day" ASC NULLS LAST)))::double precision AS c0 FROM "public"."visits" AS t0t0) AS t0 ORDER BY 1) AS r GROUP BY 1) AS counted) AS per_unit) AS sized) AS scaled

SELECT count(x) FROM (SELECT rank(minutes) OVER (PARTITION BY patient_id ORDER BY day) AS x FROM visits) AS t;
--> refused 0A000 per-unit-window: this window function is not supported over the rows of one privacy unit

SELECT count(x) FROM (SELECT first_value(minutes) OVER (PARTITION BY patient_id ORDER BY day) AS x FROM visits) AS t;
--> path: single group
--> Differentially private aggregate of public.visits
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows per group, squared and summed <= 500)
-->   Group keys: none, one row
-->   Noisy number 1: rows where the value is not NULL; standard deviation 223.607, 95 % of the noise within ±438.262
-->   count(x): from noisy number 1
-->   95 % of the noise: count(x) within ±438 rows
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.visits.day, public.visits.minutes, public.visits.patient_id, public.visits.visit_id
--> rests on: public.visits (visit_id)
--> work of a row: 10880 ns
--> source: SELECT sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, n * n AS q FROM (SELECT unit, LEAST(n, 3037000499) AS n, LEAST(s0, 3037000499) AS v0 FROM (SELECT x0 AS unit, count(*) AS n, count(x1) AS s0 FROM (SELECT t0.unit AS x0, t0.c0 AS x1 FROM (SELECT t0t0."patient_id" AS unit, (first_value(t0t0."minutes") OVER (PARTITION BY t0t0."patient_id", t0t0."patient_id" ORDER BY t0t0."day" ASC NULLS LAST, t0t0."visit_id")) AS c0 FROM "public"."visits" AS t0t0) AS t0) AS r GROUP BY 1) AS counted) AS per_unit) AS sized) AS scaled

SELECT count(x) FROM (SELECT first_value(minutes, 2) OVER (PARTITION BY patient_id ORDER BY day) AS x FROM visits) AS t;
--> refused 0A000 per-unit-window: this window function is not supported over the rows of one privacy unit

SELECT count(x) FROM (SELECT last_value(minutes) OVER (PARTITION BY patient_id ORDER BY day) AS x FROM visits) AS t;
--> refused 0A000 per-unit-window: this window function is not supported over the rows of one privacy unit

SELECT count(x) FROM (SELECT last_value(minutes) OVER (PARTITION BY patient_id ORDER BY day ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) AS x FROM visits) AS t;
--> path: single group
--> Differentially private aggregate of public.visits
-->   Privacy unit: patient, by public.visits.patient_id
-->   Contribution: max_rows 50, max_rows_per_group 10: units with more are scaled down (their rows per group, squared and summed <= 500)
-->   Group keys: none, one row
-->   Noisy number 1: rows where the value is not NULL; standard deviation 223.607, 95 % of the noise within ±438.262
-->   count(x): from noisy number 1
-->   95 % of the noise: count(x) within ±438 rows
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.visits.day, public.visits.minutes, public.visits.patient_id, public.visits.visit_id
--> rests on: public.visits (visit_id)
--> work of a row: 10880 ns
--> source: SELECT sum(CASE WHEN scale IS NOT NULL THEN trunc(v0::double precision * scale)::bigint ELSE v0::bigint * 1024 END) AS v0 FROM (SELECT *, CASE WHEN q > 500 THEN 1024 * (1 - 2.0 ^ -30)::double precision * sqrt((500::double precision / q::double precision)) END AS scale FROM (SELECT *, n * n AS q FROM (SELECT unit, LEAST(n, 3037000499) AS n, LEAST(s0, 3037000499) AS v0 FROM (SELECT x0 AS unit, count(*) AS n, count(x1) AS s0 FROM (SELECT t0.unit AS x0, t0.c0 AS x1 FROM (SELECT t0t0."patient_id" AS unit, (last_value(t0t0."minutes") OVER (PARTITION BY t0t0."patient_id", t0t0."patient_id" ORDER BY t0t0."day" ASC NULLS LAST, t0t0."visit_id" ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING)) AS c0 FROM "public"."visits" AS t0t0) AS t0) AS r GROUP BY 1) AS counted) AS per_unit) AS sized) AS scaled

SELECT count(*) FROM (SELECT row_number() OVER (PARTITION BY patient_id ORDER BY patient_id) AS n, document, code FROM (SELECT patient_id, document, code FROM readings UNION ALL SELECT patient_id, document, code FROM readings) AS r) AS t WHERE n = 1 AND code <> document ->> 'a';
--> refused 0A000 row-work: this query could take too long for one row

SELECT count(*) FROM (SELECT row_number() OVER (PARTITION BY patient_id ORDER BY patient_id) AS n FROM (SELECT patient_id, document, code FROM readings UNION ALL SELECT patient_id, document, code FROM readings) AS r) AS t WHERE n = 1;
--> path: single group
--> Differentially private aggregate of public.readings
-->   Privacy unit: patient, by public.readings.patient_id
-->   Contribution: units are scaled down to a limit that the query chooses from the data for 1/10 of the price, by their rows
-->   Group keys: none, one row
-->   Large values: values of document that take more than 2000 octets count as NULL
-->   Noisy number 1: rows; standard deviation 10.5409 times the limit of their rows
-->   count(*): from noisy number 1
-->   95 % of the noise: as wide as the limit that the query chooses makes it; the answer's notice says it
-->   Noise intervals (dp.low, dp.high): cover the noise only, not units that are scaled down
-->   Mechanism: gaussian; epsilon 0.1 for the block
-->   Price: rho 0.005
--> reads: public.readings.code, public.readings.document, public.readings.patient_id
--> rests on: public.readings (patient_id)
--> work of a row: 251978 ns
--> source: SELECT i, b, sum(a0) AS a0, sum(z0) AS z0, count(*) FILTER (WHERE place = 1 AND adds) AS units FROM (SELECT *, b0 AS b, true AS adds, v0 AS a0, t0 AS z0 FROM (SELECT *, 0 AS i FROM (SELECT *, width_bucket(q0, '{1.0000000000000002,1.5000000000000002,2.0000000000000004,3.0000000000000004,4.000000000000001,6.000000000000001,8.000000000000002,12.000000000000002,16.000000000000004,24.000000000000004,32.00000000000001,48.00000000000001,64.00000000000001,96.00000000000001,128.00000000000003,192.00000000000003,256.00000000000006,384.00000000000006,512.0000000000001,768.0000000000001,1024.0000000000002,1536.0000000000002,2048.0000000000005,3072.0000000000005,4096.000000000001,6144.000000000001,8192.000000000002,12288.000000000002,16384.000000000004,24576.000000000004,32768.00000000001,49152.00000000001,65536.00000000001,98304.00000000001,131072.00000000003,196608.00000000003,262144.00000000006,393216.00000000006,524288.0000000001,786432.0000000001,1048576.0000000002,1572864.0000000002,2097152.0000000005,3145728.0000000005,4194304.000000001,6291456.000000001,8388608.000000002,12582912.000000002,16777216.000000004}'::double precision[]) AS b0, trunc(v0::double precision / NULLIF(q0, 0) * 3221225424.0)::bigint AS t0 FROM (SELECT *, n::double precision AS q0, 1 AS place FROM (SELECT unit, LEAST(n, 3037000499) AS n, LEAST(n, 3037000499) AS v0 FROM (SELECT x0 AS unit, count(*) AS n FROM (SELECT t0.unit AS x0 FROM (SELECT t0t0.unit AS unit, (row_number() OVER (PARTITION BY t0t0.unit, t0t0.c0 ORDER BY t0t0.c0 ASC NULLS LAST, ROW(t0t0.c0) USING *<)) AS c0 FROM (SELECT s.unit AS unit, s.c0 AS c0, s.c1 AS c1, (s.c2 COLLATE pg_catalog."default") AS c2 FROM (SELECT t0t0lt0."patient_id" AS unit, t0t0lt0."patient_id" AS c0, (CASE WHEN pg_column_size(t0t0lt0."document") <= 2000 THEN t0t0lt0."document" END) AS c1, t0t0lt0."code" AS c2 FROM "public"."readings" AS t0t0lt0) AS s UNION ALL SELECT s.unit AS unit, s.c0 AS c0, s.c1 AS c1, (s.c2 COLLATE pg_catalog."default") AS c2 FROM (SELECT t0t0rt0."patient_id" AS unit, t0t0rt0."patient_id" AS c0, (CASE WHEN pg_column_size(t0t0rt0."document") <= 2000 THEN t0t0rt0."document" END) AS c1, t0t0rt0."code" AS c2 FROM "public"."readings" AS t0t0rt0) AS s) AS t0t0) AS t0 WHERE (t0.c0 = 1) ORDER BY 1) AS r GROUP BY 1) AS counted) AS per_unit) AS sized) AS rows) AS numbered) AS r GROUP BY i, b

SELECT count(*) FROM (SELECT rank() OVER (PARTITION BY region ORDER BY cost) AS r FROM visits) AS t;
--> refused 0A000 window-over-units: this window function would read rows of more than one privacy unit

SELECT count(x) FROM (SELECT lag(minutes, "1") OVER (PARTITION BY patient_id ORDER BY day) AS x FROM (SELECT patient_id, minutes, day, minutes AS "1" FROM visits) AS v) AS t;
--> refused 0A000 per-unit-window: this window function is not supported over the rows of one privacy unit

SELECT count(x) FROM (SELECT lag(minutes, 1.5) OVER (PARTITION BY patient_id ORDER BY day) AS x FROM visits) AS t;
--> refused 0A000 per-unit-window: this window function is not supported over the rows of one privacy unit
