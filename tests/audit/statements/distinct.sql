-- Distinct units and distinct values.
-- $value: ward
-- $value: code
-- $value: cost
-- $value: minutes
-- $value: at
-- $value: discount
-- $value: score
-- $value: wait
-- $value: region
-- $value: date_trunc('day', at)
-- $key: region
-- $key: urgent
-- $key: ward

SELECT count(DISTINCT $value) FROM visits;

SELECT urgent, count(DISTINCT $value), count(*) FROM visits GROUP BY urgent;

SELECT $key, count(DISTINCT person) FROM visits GROUP BY $key;

SELECT $key, count(DISTINCT cost), sum(cost) FROM visits GROUP BY $key;

SELECT count(DISTINCT person), count(DISTINCT cost) FILTER (WHERE urgent) FROM visits;

SELECT count(DISTINCT amount), count(DISTINCT kind), count(DISTINCT person) FROM claims;

SELECT kind, count(DISTINCT amount) FROM claims GROUP BY kind;

SELECT count(DISTINCT company) FROM insurances;

SELECT count(DISTINCT body), count(DISTINCT blank) FROM papers;

SELECT count(DISTINCT p.grade), count(DISTINCT v.ward) FROM people p JOIN visits v USING (person);

SELECT sum(DISTINCT minutes) FROM visits;

SELECT avg(DISTINCT grade) FROM people;

SELECT urgent, sum(DISTINCT minutes), avg(DISTINCT cost), stddev(DISTINCT minutes) FROM visits GROUP BY urgent;

SELECT $key, sum(DISTINCT cost) FILTER (WHERE urgent), count(*) FROM visits GROUP BY $key;
