-- One statement in several spellings, and texts that two parsers could read as two statements.
-- $test: minutes > 0x1F
-- $test: minutes > 3_1
-- $test: minutes > +31
-- $test: minutes > - -31
-- $test: minutes>-31
-- $test: minutes != 33
-- $test: NOT minutes = 33 IS NULL
-- $test: minutes = 33 OR urgent AND cost > 5
-- $test: - minutes ^ 2 < 5
-- $test: 2 ^ 3 ^ 2 > minutes
-- $test: minutes % 7 * 2 - 1 > 3
-- $test: ward||-1 = 'ward 1-1'
-- $test: ward = U&'ward \0031'
-- $test: ward = E'ward\x201'
-- $test: ward = 'ward'' 1'
-- $test: ward = 'war' 'd 1'
-- $test: ward = $$ward 1$$
-- $test: ward = 'ward \1'
-- $test: "ward" = 'ward 1'
-- $test: "Ward" = 'ward 1'
-- $test: U&"w\0061rd" = 'ward 1'
-- $test: visits.ward = 'ward 1'
-- $test: public.visits.ward = 'ward 1'
-- $test: WARD = 'ward 1' -- AND false
-- $test: ward = 'ward 1' /* OR /* true */ true */
-- $test: cost > 1e2
-- $test: cost > .5
-- $test: cost > 5.
-- $test: cost BETWEEN SYMMETRIC 500 AND 100
-- $test: cost BETWEEN 1 AND 2 AND urgent
-- $test: urgent IS NOT TRUE
-- $test: urgent ISNULL
-- $test: minutes NOTNULL
-- $test: CAST(minutes AS text) = '33'
-- $test: minutes::text::integer::text = '33'
-- $test: text '33' = minutes::text
-- $test: interval '1' day < wait
-- $test: interval '1-2' year to month > wait
-- $test: at > date '2024-01-01' + time '12:00'
-- $test: ward NOT LIKE 'ward\%' ESCAPE ''
-- $test: ward !~~ 'ward%'
-- $test: ward OPERATOR(pg_catalog.=) 'ward 1'
-- $test: minutes IN (1, 33) IS TRUE
-- $test: ROW(minutes) = ROW(33)
-- $test: (minutes, cost) IS NULL
-- $test: CASE minutes WHEN 33 THEN urgent END
-- $test: EXTRACT(DOW FROM at) = 1
-- $test: POSITION('1' IN ward) > 0
-- $test: SUBSTRING(ward FROM 6 FOR 1) = '1'
-- $test: TRIM(LEADING 'w' FROM ward) > 'a'
-- $test: ward SIMILAR TO 'ward (1|2)'
-- $test: at AT TIME ZONE 'UTC' > '2024-06-01'
-- $test: cost > ALL (VALUES (1), (2))
-- $test: ward COLLATE pg_catalog."C" > 'w'
-- $from: visits
-- $from: ONLY visits
-- $from: visits *
-- $from: public.visits AS visits
-- $from: (visits)
-- $from: (TABLE visits) AS visits
-- $from: (SELECT * FROM visits) visits

SELECT count(*) FROM visits WHERE $test;

SELECT count(*) FILTER (WHERE cost > 5) FROM $from;

SELECT ALL count(ALL cost), COUNT (*), "count"(cost), pg_catalog.count(cost) FROM visits;

SELECT count(*) AS "a""b", sum(cost) c, avg(cost) AS select FROM visits;

TABLE visits;

VALUES ((SELECT count(*) FROM visits));

SELECT count(*) FROM visits FETCH FIRST ROW ONLY;

SELECT count(*) FROM visits; SELECT count(*) FROM people;

(SELECT count(*) FROM visits) UNION ALL (SELECT count(*) FROM people);
