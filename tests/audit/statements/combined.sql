-- Questions whose numbers are sums of released ones, whole or in part.
-- $parts: SELECT region, urgent, count(*), sum(cost) FROM visits GROUP BY 1, 2
-- $parts: SELECT urgent, count(*), sum(cost) FROM visits GROUP BY ROLLUP (urgent)
-- $sum: SELECT urgent, count(*) FROM visits GROUP BY 1
-- $sum: SELECT region, sum(cost), count(*) FROM visits GROUP BY 1
-- $sum: SELECT count(*) FROM visits
-- $sum: SELECT count(*) FILTER (WHERE region = 'north'), sum(cost) FILTER (WHERE region = 'north') FROM visits

$parts;
$sum;

SET dp.epsilon = 0.5;
$parts;
SET dp.epsilon = 0.7;
EXPLAIN $sum;
$sum;
$sum;

SELECT sex, smoker, count(*), sum(height) FROM people GROUP BY 1, 2;
SELECT count(*) FROM people WHERE sex = 'F' AND smoker;
SELECT count(*), avg(height) FROM people WHERE sex = 'F';

-- What is missing of some numbers more than of others is measured alone.
SELECT region, count(*) FROM visits WHERE urgent GROUP BY 1;
SET dp.epsilon = 0.9;
SELECT region, count(*), sum(cost) FROM visits WHERE urgent GROUP BY 1;
SELECT region, count(*), sum(cost), avg(minutes) FROM visits WHERE urgent GROUP BY 1;
SELECT region, sum(cost), avg(minutes) FROM visits WHERE urgent GROUP BY 1;
