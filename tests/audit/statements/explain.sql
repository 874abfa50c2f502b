-- What is free: EXPLAIN, the accounts, the noise intervals' constants, the catalog.
-- $query: SELECT count(*), sum(cost) FROM visits
-- $query: SELECT ward, count(*) FROM visits GROUP BY ward
-- $query: SELECT region, median FROM (SELECT region, percentile_cont(0.5) WITHIN GROUP (ORDER BY cost) AS median FROM visits GROUP BY region) AS t
-- $query: SELECT count(*) FROM visits WHERE cost > (SELECT avg(cost) FROM visits)
-- $query: SELECT region, urgent, count(*) FROM visits GROUP BY CUBE (region, urgent)
-- $query: SELECT count(DISTINCT ward) FROM visits
-- $query: SELECT count(*) FROM people p JOIN insurances i USING (person)
-- $interval: dp.low
-- $interval: dp.high
-- $interval: dp.stddev
-- $number: count(*)
-- $number: sum(cost)
-- $number: avg(minutes)
-- $number: sum(cost) / count(*)

EXPLAIN $query;

EXPLAIN (COSTS off) $query;

$query;
$query;
EXPLAIN $query;

SELECT $number, $interval($number) FROM visits;

SELECT region, $number, $interval($number) FROM visits GROUP BY region;

SELECT account, epsilon_limit, rho_spent, delta_spent FROM dp.budget ORDER BY 1;

SELECT * FROM dp.tables;

SELECT * FROM dp.columns;

SELECT relname, relkind, reltuples, relpages FROM pg_class WHERE relname IN ('visits', 'people', 'papers');

SELECT attname, format_type(atttypid, atttypmod), attstattarget FROM pg_attribute WHERE attrelid = 'visits'::regclass AND attnum > 0;

SELECT n_live_tup, seq_scan FROM pg_stat_user_tables WHERE relname = 'visits';

SELECT name, zone, population FROM regions ORDER BY 1;
