-- What is refused: the refusal is the same whatever the rows hold.
-- $private: visits
-- $private: people
-- $private: papers

SELECT * FROM $private;

SELECT person FROM $private;

SELECT person, count(*) FROM $private GROUP BY person;

SELECT count(*) FROM $private TABLESAMPLE SYSTEM (10);

SELECT count(*) FROM $private FOR UPDATE;

SELECT count(*) FROM (SELECT * FROM $private LIMIT 10) AS t;

SELECT count(*) FROM (SELECT * FROM $private ORDER BY person LIMIT 1) AS t;

SELECT array_agg(person) FROM $private;

SELECT count(*) FROM $private, people o;

SELECT count(unknown) FROM $private;

SELECT count(*) FROM $private WHERE nothing(person) = 1;

SELECT count(*) FROM $private GROUP;

DELETE FROM $private;

INSERT INTO $private SELECT * FROM $private;

COPY $private TO STDOUT;

TRUNCATE $private;

EXPLAIN ANALYZE SELECT count(*) FROM $private;

SELECT count(*) FROM pg_stats WHERE tablename = '$private';

SELECT reltuples FROM pg_class WHERE relname = '$private';

SELECT pg_relation_size('$private'), pg_table_size('$private');

SELECT max(ctid::text), count(xmin) FROM $private;

SELECT has_table_privilege('$private', 'SELECT');

SELECT sum(ward) FROM visits;

SELECT min(ward) FROM visits;

SELECT count(*) OVER () FROM visits;

SELECT ward, rank() OVER (ORDER BY cost) FROM visits;

SELECT DISTINCT ON (region) region, cost FROM visits ORDER BY region, cost;

SELECT count(*) FROM visits v JOIN people p ON p.region = v.region;

SELECT count(*) FROM visits v WHERE EXISTS (SELECT FROM people p WHERE p.region = v.region);

SELECT count(scan) FROM papers;

CREATE TEMP TABLE t AS SELECT person FROM visits;

DECLARE c CURSOR FOR SELECT person FROM visits;

SELECT person::text::numeric / 0, count(*) FROM claims GROUP BY 1;

SELECT string_agg(ward, ',') FROM visits;

SELECT json_agg(v) FROM visits v;

SELECT count(*) FROM visits v, LATERAL (SELECT v.cost / 0) AS t(x) WHERE x > 0;

SELECT count(DISTINCT v) FROM visits v;

SELECT v::text, count(*) FROM visits v GROUP BY 1;
