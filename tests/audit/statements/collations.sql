-- Texts in order, and texts that some collations take for equal: everywhere by code point.
-- $test: ward < 'ward 2'
-- $test: ward >= 'WARD 1'
-- $test: ward BETWEEN 'Ward' AND 'ward 1'
-- $test: ward = 'WARD 1'
-- $test: ward <> 'ward 1'
-- $test: ward IN ('WARD 1', 'wárd 1')
-- $test: ward > region
-- $test: ward = region
-- $test: greatest(ward, region) = ward
-- $test: nullif(ward, 'WARD 1') IS NULL
-- $test: (ward, code) < ('ward 1', 'c1')
-- $test: ward LIKE 'WARD%'
-- $test: ward ILIKE 'WARD%'
-- $test: ward ~ '^[a-w]ard'
-- $test: ward COLLATE "C" < 'a'
-- $test: ward COLLATE "en-x-icu" < 'a'
-- $test: lower(ward) = 'ward 1'
-- $test: strpos(ward, 'ard') = 2
-- $test: replace(ward, 'WARD', 'x') = 'x 1'
-- $test: starts_with(ward, 'WARD')
-- $test: ward = ANY (ARRAY['WARD 1'])
-- $test: split_part(ward, 'A', 1) = 'W'
-- $key: ward
-- $key: upper(ward)
-- $key: ward > 'b'
-- $key: ward COLLATE "C"
-- $order: ward
-- $order: ward DESC NULLS FIRST
-- $order: lower(ward), ward

SELECT count(*) FROM visits WHERE $test;

SELECT $key, count(*) FROM visits GROUP BY 1 ORDER BY 1;

SELECT count(DISTINCT $key), count(DISTINCT person) FROM visits;

SELECT count(*) FROM (SELECT DISTINCT person, $key AS k FROM visits) AS t;

SELECT count(*) FROM (SELECT person, rank() OVER (PARTITION BY person ORDER BY $order) AS n FROM visits) AS t WHERE n = 1;

SELECT count(*) FROM (SELECT person, min(ward) AS x, max(ward) AS y FROM visits GROUP BY person) AS t WHERE x < y;

SELECT count(*) FROM visits v JOIN visits o ON o.person = v.person AND o.ward = v.ward;

SELECT count(*) FROM visits v JOIN insurances i ON i.person = v.person AND i.company < v.ward;

SELECT count(*) FROM claims WHERE kind < 'kind 1' OR kind > 'z';

SELECT kind, count(*), sum(amount) FROM claims GROUP BY kind ORDER BY kind DESC;

SELECT count(*) FROM people WHERE town = 'TOWN 1' OR town < 'town 0';

SELECT town, mode() WITHIN GROUP (ORDER BY region) FROM people GROUP BY town;

SELECT count(*) FROM (SELECT person, ward FROM visits INTERSECT SELECT person, company FROM insurances) AS t;

SELECT count(*) FROM visits WHERE ward IN (SELECT ward FROM visits GROUP BY ward HAVING count(*) > 100);
