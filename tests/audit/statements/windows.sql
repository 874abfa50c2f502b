-- Budgets for windows of time: all of them, some, the one that differs, others.
-- $when: true
-- $when: at >= '2024-03-01' AND at < '2024-04-01'
-- $when: at BETWEEN '2024-02-20' AND '2024-05-10'
-- $when: at < '2024-03-15 12:30'
-- $when: at::date = '2024-03-15'
-- $numbers: count(*)
-- $numbers: count(*), sum(seconds), avg(seconds)
-- $numbers: count(DISTINCT person)
-- $numbers: count(DISTINCT kind)
-- $numbers: min(seconds), max(seconds), percentile_disc(0.5) WITHIN GROUP (ORDER BY seconds)

SELECT $numbers FROM calls WHERE $when;

SELECT region, $numbers FROM calls WHERE $when GROUP BY region;

SELECT kind, count(*), count(DISTINCT person) FROM calls WHERE $when GROUP BY kind;

SELECT date_trunc('month', at), count(*), count(DISTINCT person) FROM calls WHERE $when GROUP BY 1;

SELECT count(*) FROM (SELECT * FROM calls WHERE $when) AS c WHERE seconds < 100;

SELECT p.sex, count(*), sum(c.seconds) FROM calls c JOIN people p USING (person) WHERE c.at > '2024-03-10' GROUP BY p.sex;

SELECT region, kind = 'kind 1', count(*) FROM calls WHERE $when GROUP BY ROLLUP (region, kind = 'kind 1');

SET dp.max_rows = 2;
SELECT $numbers FROM calls WHERE $when;
