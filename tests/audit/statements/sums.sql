-- Sums, averages and moments, of columns at and beyond their bounds and of expressions.
-- $value: cost
-- $value: minutes
-- $value: score
-- $value: discount
-- $value: ratio * 2 - score
-- $value: CASE WHEN urgent THEN cost ELSE -minutes END
-- $value: cost / NULLIF(minutes, 0)
-- $value: abs(score) ^ 0.5
-- $value: round(cost * discount, 2)
-- $value: coalesce(minutes, 0) % 7
-- $value: extract(epoch FROM at - timestamp '2024-01-01') / 86400
-- $value: at::date - date '2024-06-01'
-- $value: extract(epoch FROM seen - at) / 3600
-- $value: extract(year FROM age(seen, timestamp '1990-02-28'))
-- $value: minutes / NULLIF(cost, 0)
-- $moment: stddev
-- $moment: var_pop
-- $moment: stddev_pop

SELECT sum($value), avg($value) FROM visits;

SELECT region, sum($value), count($value) FROM visits GROUP BY region;

SELECT ward, avg($value) FROM visits GROUP BY ward;

SELECT $moment(cost), $moment(score) FROM visits;

SELECT urgent, $moment(minutes) FROM visits GROUP BY urgent;

SELECT corr(cost, minutes), covar_pop(cost, score), regr_slope(cost, minutes), regr_count(cost, minutes) FROM visits;

SELECT region, regr_r2(score, ratio), regr_avgx(score, ratio), regr_intercept(cost, minutes) FROM visits GROUP BY region;

SELECT sex, avg(height), stddev(height) FROM people GROUP BY sex;

SELECT sum(amount), avg(amount), var_samp(amount) FROM claims;

SELECT kind, sum(amount) FROM claims GROUP BY kind;

SELECT drug, sum(dose), avg(dose) FROM prescriptions GROUP BY drug;

SELECT sum(premium) FILTER (WHERE company = 'company 1') FROM insurances;

SELECT sum(cost) + sum(minutes), sum(cost) / count(*) FROM visits;
