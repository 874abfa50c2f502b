-- Counts by declared and undeclared keys, filtered, with conditions on everything.
-- $key: region
-- $key: urgent
-- $key: ward
-- $key: ward, urgent
-- $key: date_trunc('month', at)
-- $where: cost > 100
-- $where: score IS NOT NULL AND NOT urgent
-- $where: ward LIKE 'ward%' OR code = 'c1'
-- $where: at < '2024-07-01' AND discount BETWEEN 0 AND 0.3

SELECT count(*) FROM visits;

SELECT $key, count(*) FROM visits GROUP BY $key;

SELECT count(*), count(cost), count(*) FILTER (WHERE $where) FROM visits;

SELECT $key, count(*) FILTER (WHERE $where) FROM visits GROUP BY $key ORDER BY $key;

SELECT count(*) FROM visits WHERE $where;

SELECT count(*), count(DISTINCT person) FROM visits WHERE $where HAVING count(*) > 10;

SELECT DISTINCT region, urgent FROM visits;

SELECT DISTINCT ward FROM visits;

SELECT region, sex, smoker, count(*) FROM people GROUP BY region, sex, smoker;

SELECT grade, count(*) FROM people GROUP BY grade ORDER BY count(*) DESC, grade LIMIT 3;

SELECT drug, count(*) FROM prescriptions GROUP BY drug;

SELECT company, count(*) FROM insurances GROUP BY company;

SELECT count(*) FROM people WHERE person = 77;

SELECT count(*), 7, 'x', NULL, count(*) * 2 + 1 FROM claims;

SELECT extract(year FROM at), count(*) FROM visits GROUP BY 1 ORDER BY 1;

SELECT width_bucket(cost, 0, 1000, 10), count(*) FROM visits GROUP BY 1;

SELECT CASE WHEN cost > 500 THEN 'much' WHEN cost > 100 THEN 'some' ELSE 'little' END, count(*) FROM visits GROUP BY 1;

SELECT bool_or(urgent), bool_and(urgent), every(cost > 0) FROM visits;
