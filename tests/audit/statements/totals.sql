-- ROLLUP, CUBE and GROUPING SETS.
-- $sets: ROLLUP (region, urgent)
-- $sets: CUBE (region, urgent)
-- $sets: GROUPING SETS ((region), (urgent), ())
-- $sets: region, ROLLUP (urgent)
-- $numbers: count(*)
-- $numbers: sum(cost), avg(minutes)
-- $numbers: count(*) FILTER (WHERE cost > 500), sum(score)
-- $numbers: stddev(cost)

SELECT region, urgent, $numbers FROM visits GROUP BY $sets;

SELECT grouping(region, urgent), region, urgent, count(*) FROM visits GROUP BY $sets ORDER BY 1, 2, 3;

SELECT sex, smoker, count(*), avg(height) FROM people GROUP BY CUBE (sex, smoker);

SELECT drug, sum(dose) FROM prescriptions GROUP BY ROLLUP (drug);

SELECT v.urgent, p.sex, count(*), sum(v.cost) FROM visits v JOIN people p USING (person) GROUP BY CUBE (v.urgent, p.sex);

SELECT ward, count(*) FROM visits GROUP BY ROLLUP (ward);

SET dp.consistency = off;
SELECT region, urgent, count(*), sum(cost) FROM visits GROUP BY $sets;

SET dp.empty_groups = hide;
SELECT region, urgent, count(*) FROM visits GROUP BY $sets;
