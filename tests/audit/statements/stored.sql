-- Values that can be too large to be read: every way to read one, of every type.
-- $papers: body = 'body 1'
-- $papers: body < 'body 2'
-- $papers: body BETWEEN 'a' AND 'c'
-- $papers: body IN ('body 1', 'body 2')
-- $papers: left(body, 3) = 'bod'
-- $papers: right(body, 1) = '1'
-- $papers: substr(body, 2000, 10) = ''
-- $papers: length(body) > 6
-- $papers: octet_length(blank) > 2
-- $papers: lower(blank) = 'b1'
-- $papers: blank || 'x' = 'b1x'
-- $papers: concat(body, blank) > 'body'
-- $papers: body ~ 'o.*y'
-- $papers: blank ~ '(b|1)+$'
-- $papers: body LIKE '%o%y%1%'
-- $papers: replace(body, 'v', 'ww') > 'w'
-- $papers: split_part(body, ' ', 2) = '1'
-- $papers: string_to_array(body, ' ') = ARRAY['body', '1']
-- $papers: regexp_replace(body, 'v+', 'w') = 'w'
-- $papers: md5(body) > 'a'
-- $papers: reverse(blank) > 'a'
-- $papers: body::integer = 1
-- $papers: body::date > '2020-01-01'
-- $papers: body::jsonb ->> 'n' = '1'
-- $papers: doc ->> 'n' = '1'
-- $papers: doc::text > '{'
-- $papers: doc -> 'm' -> 7 = '8'
-- $papers: jsonb_array_length(doc -> 'm') > 2
-- $papers: jsonb_typeof(doc) = 'object'
-- $papers: doc ? 'm'
-- $papers: doc = '{"n": 1}'
-- $papers: doc @> '{"n": 1}'
-- $papers: raw ->> 'n' = '1'
-- $papers: json_typeof(raw -> 'n') = 'string'
-- $papers: raw::text > '{'
-- $papers: cardinality(list) > 1
-- $papers: array_length(spots, 1) > 1
-- $papers: scan IS NOT NULL
-- $amount: amount > 1
-- $amount: amount = 1
-- $amount: amount * amount > 2
-- $amount: amount::text > '1'
-- $amount: amount::double precision > 1
-- $amount: amount::bigint > 1
-- $amount: sqrt(amount) > 1
-- $amount: exp(amount) > 1
-- $amount: power(amount, 3) > 1
-- $amount: amount % 7 = 1
-- $amount: round(amount, 2) = 1
-- $amount: width_bucket(amount, 0, 10, 5) = 1
-- $key: body
-- $key: blank
-- $key: left(body, 5)
-- $key: doc ->> 'n'
-- $key: length(body)
-- $rows: ORDER BY body
-- $rows: ORDER BY blank
-- $rows: ORDER BY length(body)
-- $rows: ORDER BY doc ->> 'n'

SELECT count(*) FROM papers WHERE $papers;

SELECT count(*), sum(amount) FROM claims WHERE $amount;

SELECT count(*) FROM (SELECT DISTINCT person, $key AS k FROM papers) AS t;

SELECT count(DISTINCT $key) FROM papers;

SELECT mode() WITHIN GROUP (ORDER BY left(region, 5)) FROM people;

SELECT count(*) FROM (SELECT person, row_number() OVER (PARTITION BY person $rows) AS n FROM papers) AS t WHERE n = 1;

SELECT count(*) FROM (SELECT person, max($key) AS x FROM papers GROUP BY person) AS t WHERE x IS NOT NULL;

SELECT count(*) FROM papers a JOIN papers b ON b.person = a.person AND b.body = a.body;

SELECT count(*) FROM people p JOIN regions r ON r.name = p.region AND r.zone < p.town;
