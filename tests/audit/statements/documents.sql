-- Texts without a limit, blank padded ones, documents and arrays.
-- $condition: doc ->> 'n' = '1'
-- $condition: doc @> '{"n": 1}'
-- $condition: doc ? 'n'
-- $condition: (doc -> 'n')::integer = 1
-- $condition: doc = '{"n": 1}'
-- $condition: doc::text LIKE '%1%'
-- $condition: raw::text = '{}'
-- $condition: raw ->> 'n' = '1'
-- $condition: list[1]::text = '{}'
-- $condition: list IS NULL
-- $condition: array_length(list, 1) = 1
-- $condition: spots IS NOT NULL
-- $condition: cardinality(spots) = 1
-- $condition: spots[1][0] > 0
-- $condition: blank = 'b1'
-- $condition: blank || 'x' = 'b1x'
-- $condition: length(blank) = 2
-- $condition: octet_length(blank) > 2
-- $condition: blank LIKE 'b%'
-- $condition: body LIKE '%1'
-- $condition: upper(body) > 'B'
-- $condition: length(body || body) > 12
-- $condition: body = blank
-- $condition: scan IS NULL

SELECT count(*) FROM papers WHERE $condition;

SELECT person, $condition AS x FROM papers;

SELECT count(x) FROM (SELECT person, $condition AS x FROM papers GROUP BY 1, 2) AS t;
