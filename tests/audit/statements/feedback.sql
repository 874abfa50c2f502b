-- Released numbers that are used again: above a block, and in the rows of another one.
-- $inner: SELECT avg(cost) FROM visits
-- $inner: SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY cost) FROM visits
-- $inner: SELECT sum(minutes) / NULLIF(count(*), 0) FROM visits WHERE urgent
-- $list: SELECT ward FROM visits GROUP BY ward HAVING count(*) > 100
-- $list: SELECT region FROM visits GROUP BY region ORDER BY count(*) DESC LIMIT 2
-- $relation: SELECT region, avg(cost) AS x FROM visits GROUP BY region
-- $relation: SELECT region, count(*) AS x FROM people GROUP BY region
-- $relation: SELECT r.name AS region, max(r.population) AS x FROM regions r GROUP BY r.name

SELECT count(*), sum(cost) FROM visits WHERE cost > ($inner);

SELECT region, count(*) FILTER (WHERE cost > ($inner)) FROM visits GROUP BY region;

SELECT count(*) FROM visits WHERE ward IN ($list);

SELECT count(*) FROM visits WHERE region IN ($list) AND NOT urgent;

SELECT count(*), sum(v.cost) FROM visits v JOIN ($relation) AS t ON t.region = v.region WHERE v.cost < t.x;

SELECT v.urgent, count(*) FROM visits v LEFT JOIN ($relation) AS t ON t.region = v.region GROUP BY v.urgent;

WITH t AS ($relation) SELECT a.region, a.x - b.x FROM t a JOIN t b ON a.x > b.x ORDER BY 1, 2;

WITH t AS ($relation) SELECT region, rank() OVER (ORDER BY x DESC), x / sum(x) OVER () FROM t ORDER BY 2, 1;

SELECT ($inner), (SELECT count(*) FROM people) AS n;

SELECT region, x FROM ($relation) AS t WHERE x > ($inner);

SELECT count(*) FROM (SELECT region, count(*) FROM visits GROUP BY region HAVING count(*) > 50) AS t;

SELECT count(*) FROM people WHERE grade > (SELECT avg(grade) FROM people WHERE height > (SELECT avg(height) FROM people));

SELECT urgent, count(*) FROM visits GROUP BY urgent UNION ALL SELECT NULL, count(*) FROM people;

SELECT region FROM visits GROUP BY region EXCEPT SELECT name FROM regions WHERE zone = 'cold';

SELECT array_agg(n ORDER BY n), string_agg(region, ',') FROM (SELECT region, count(*) AS n FROM people GROUP BY region) AS t;
