-- Minimum, maximum, percentiles and modes.
-- $value: cost
-- $value: minutes
-- $value: score
-- $value: at
-- $value: discount
-- $fraction: 0.5
-- $fraction: 0.99
-- $fraction: ARRAY[0, 0.25, 1]
-- $key: region
-- $key: ward

SELECT min($value), max($value) FROM visits;

SELECT $key, max($value) FROM visits GROUP BY $key;

SELECT percentile_disc($fraction) WITHIN GROUP (ORDER BY $value) FROM visits;

SELECT $key, percentile_disc(0.5) WITHIN GROUP (ORDER BY $value DESC) FROM visits GROUP BY $key;

SELECT percentile_cont(0.9) WITHIN GROUP (ORDER BY cost), count(*) FROM visits WHERE urgent;

SELECT mode() WITHIN GROUP (ORDER BY region) FROM visits;

SELECT $key, mode() WITHIN GROUP (ORDER BY urgent) FROM visits GROUP BY $key;

SELECT mode() WITHIN GROUP (ORDER BY drug) FROM prescriptions;

SELECT sex, min(height), max(born), percentile_cont(0.5) WITHIN GROUP (ORDER BY height) FROM people GROUP BY sex;

SELECT max(premium) - min(premium) FROM insurances;

SELECT min(amount) FROM claims WHERE kind = 'kind 1';

SELECT region, percentile_disc(0.5) WITHIN GROUP (ORDER BY cost) FILTER (WHERE minutes > 10) FROM visits GROUP BY region;
