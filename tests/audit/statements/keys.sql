-- Keys of every type: equal is not identical.
-- $key: ward
-- $key: code
-- $key: code::text
-- $key: cost
-- $key: discount
-- $key: round(discount, 1)
-- $key: score
-- $key: ratio
-- $key: wait
-- $key: clock
-- $key: at
-- $key: seen
-- $key: seen::date
-- $key: at::time
-- $key: minutes
-- $key: upper(ward)
-- $key: left(ward, 3)
-- $key: trim(ward)
-- $key: md5(ward)
-- $key: ward || code
-- $key: nullif(ward, 'ward 1')
-- $key: score > 0
-- $key: to_char(at, 'YYYY-MM')
-- $key: discount * 2
-- $key: -score
-- $key: ward COLLATE "C"
-- $document: body
-- $document: blank
-- $document: blank::text
-- $document: doc
-- $document: doc -> 'n'
-- $document: doc ->> 'n'
-- $document: raw
-- $document: raw::text
-- $document: length(body)
-- $document: body = blank
-- $kind: kind
-- $kind: amount
-- $kind: amount::text
-- $kind: amount::integer
-- $kind: trunc(amount)
-- $kind: person
-- $kind: person::text
-- $person: town
-- $person: badge
-- $person: badge::text
-- $person: sex
-- $person: town::bpchar
-- $person: (left(town, 4) || CASE WHEN person = 77 THEN ' ' ELSE '' END)::bpchar
-- $person: height
-- $person: height + 0.00
-- $person: born
-- $person: town || badge

SELECT $person, count(*) FROM people GROUP BY 1;

SELECT $person, avg(height), count(DISTINCT grade) FROM people GROUP BY 1;

SELECT $key, count(*) FROM visits GROUP BY 1;

SELECT $key, count(DISTINCT person), sum(cost) FROM visits GROUP BY 1 ORDER BY 2 DESC LIMIT 5;

SELECT $document, count(*) FROM papers GROUP BY 1;

SELECT $kind, count(*), sum(amount) FROM claims GROUP BY 1;

SELECT sum(n) FROM (SELECT person, $key, count(*) AS n FROM visits GROUP BY 1, 2) AS t;

SELECT count(*) FROM (SELECT DISTINCT person, $document FROM papers) AS t;

SELECT count(*) FROM (SELECT person, $kind AS x FROM claims UNION SELECT person, $kind FROM claims) AS t;
