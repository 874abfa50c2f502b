SELECT region, dp.low(n) FROM (SELECT region, count(*) AS n FROM visits GROUP BY region) t;
--> query: SELECT region, dp.draws_low("t"."draws_0", 0.95) AS "low" FROM (SELECT region, count(*) AS n, dp.draws(count(*)) AS "draws_0" FROM "public".visits GROUP BY region) AS t
--> block 0: SELECT region, count(*) AS n, dp.draws(count(*)) AS "draws_0" FROM "public".visits GROUP BY region

WITH t AS (SELECT region, sum(cost) AS s, count(*) AS n FROM visits GROUP BY region) SELECT dp.high(a.s / b.n, 0.9) FROM t a, t b;
--> query: WITH t AS (SELECT region, sum(cost) AS s, count(*) AS n, dp.draws(sum(cost)) AS "draws_0", dp.draws(count(*)) AS "draws_1" FROM "public".visits GROUP BY region) SELECT dp.draws_high(dp.draws_divide("a"."draws_0", "b"."draws_1"), 0.9) AS "high" FROM t AS a, t AS b
--> block 0: SELECT region, sum(cost) AS s, count(*) AS n, dp.draws(sum(cost)) AS "draws_0", dp.draws(count(*)) AS "draws_1" FROM "public".visits GROUP BY region

SELECT *, dp.stddev(n) AS deviation FROM (SELECT * FROM (SELECT region, count(*) AS n FROM visits GROUP BY region) t) u;
--> query: SELECT "u"."region", "u"."n", dp.draws_stddev("u"."draws_1") AS deviation FROM (SELECT "t"."region", "t"."n", "t"."draws_0" AS "draws_1" FROM (SELECT region, count(*) AS n, dp.draws(count(*)) AS "draws_0" FROM "public".visits GROUP BY region) AS t) AS u
--> block 0: SELECT region, count(*) AS n, dp.draws(count(*)) AS "draws_0" FROM "public".visits GROUP BY region

SELECT region, dp.low(count(*) / sum(count(*)) OVER ()) FROM visits GROUP BY region;
--> query: SELECT region, dp.draws_low(dp.draws_divide(dp.draws(count(*)), dp.draws_sum(dp.draws(count(*))) OVER ()), 0.95) AS "low" FROM "public".visits GROUP BY region
--> block 0: SELECT region, dp.draws_low(dp.draws_divide(dp.draws(count(*)), dp.draws_sum(dp.draws(count(*))) OVER ()), 0.95) AS "low" FROM "public".visits GROUP BY region

SELECT region, dp.low(n - lag(n, 1, 0) OVER (ORDER BY region)), dp.high(avg(n) OVER w) FROM (SELECT region, count(*) AS n FROM visits GROUP BY region) t WINDOW w AS (ORDER BY region ROWS 2 PRECEDING);
--> query: SELECT region, dp.draws_low(dp.draws_subtract("t"."draws_0", lag("t"."draws_0", 1, pg_catalog.array_fill(0, ARRAY[499])) OVER (ORDER BY region)), 0.95) AS "low", dp.draws_high(dp.draws_divide(dp.draws_sum("t"."draws_0") OVER w, pg_catalog.array_fill(CAST((count(n) OVER w) AS DECIMAL), ARRAY[499])), 0.95) AS "high" FROM (SELECT region, count(*) AS n, dp.draws(count(*)) AS "draws_0" FROM "public".visits GROUP BY region) AS t WINDOW w AS (ORDER BY region ROWS BETWEEN 2 PRECEDING AND CURRENT ROW)
--> block 0: SELECT region, count(*) AS n, dp.draws(count(*)) AS "draws_0" FROM "public".visits GROUP BY region

SELECT urban, dp.low(sum(n) FILTER (WHERE n > 5)), dp.reliable(avg(n), 0.1) FROM (SELECT region, count(*) AS n FROM visits GROUP BY region) t JOIN regions r ON r.name = t.region GROUP BY urban;
--> query: SELECT urban, dp.draws_low(dp.draws_sum("t"."draws_0") FILTER(WHERE n > 5), 0.95) AS "low", dp.draws_reliable(avg(n), dp.draws_divide(dp.draws_sum("t"."draws_0"), pg_catalog.array_fill(CAST((count(n)) AS DECIMAL), ARRAY[499])), 0.1) AS "reliable" FROM (SELECT region, count(*) AS n, dp.draws(count(*)) AS "draws_0" FROM "public".visits GROUP BY region) AS t JOIN "public".regions AS r ON r.name = t.region GROUP BY urban
--> block 0: SELECT region, count(*) AS n, dp.draws(count(*)) AS "draws_0" FROM "public".visits GROUP BY region

SELECT low FROM (SELECT dp.low(round(CASE WHEN n > 0 THEN greatest(-n, 3) END::numeric, 1)) FROM (SELECT count(*) AS n FROM visits) t) u;
--> query: SELECT low FROM (SELECT dp.draws_low(dp.draws_round(CAST(CASE WHEN n > 0 THEN dp.draws_greatest(dp.draws_multiply("t"."draws_0", pg_catalog.array_fill(-1, ARRAY[499])), pg_catalog.array_fill(3, ARRAY[499])) END AS DECIMAL[]), 1), 0.95) AS "low" FROM (SELECT count(*) AS n, dp.draws(count(*)) AS "draws_0" FROM "public".visits) AS t) AS u
--> block 0: SELECT count(*) AS n, dp.draws(count(*)) AS "draws_0" FROM "public".visits

SELECT dp.low(n) FROM (SELECT count(*) AS n, 5 AS draws_0 FROM visits) t;
--> query: SELECT dp.draws_low("t"."draws_1", 0.95) AS "low" FROM (SELECT count(*) AS n, 5 AS draws_0, dp.draws(count(*)) AS "draws_1" FROM "public".visits) AS t
--> block 0: SELECT count(*) AS n, 5 AS draws_0, dp.draws(count(*)) AS "draws_1" FROM "public".visits

SELECT dp.low(region) FROM (SELECT region, count(*) AS n FROM visits GROUP BY region) t;
--> refused 0A000 noise-interval: dp.low() requires a number with noise

SELECT dp.low(nowhere.n) FROM (SELECT count(*) AS n FROM visits) t;
--> refused 0A000 noise-interval: the noise of nowhere.n cannot be followed

WITH RECURSIVE r AS (SELECT count(*) AS n FROM visits UNION ALL SELECT n - 1 FROM r WHERE n > 5) SELECT dp.low(n) FROM r;
--> refused 0A000 noise-interval: noise is not followed through WITH RECURSIVE
