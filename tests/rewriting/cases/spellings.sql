SELECT count(*) FROM postgres.public.visits;
--> query: SELECT count(*) FROM public.visits
--> block 0: SELECT count(*) FROM public.visits

SELECT postgres.public.visits.region, sum(postgres.public.visits.cost) FROM postgres.public.visits GROUP BY 1;
--> query: SELECT visits.region, sum(visits.cost) FROM public.visits GROUP BY 1
--> block 0: SELECT visits.region, sum(visits.cost) FROM public.visits GROUP BY 1

SELECT count(*) FROM elsewhere.public.visits;
--> query: SELECT count(*) FROM elsewhere.public.visits
--> block 0: SELECT count(*) FROM elsewhere.public.visits

SELECT j.zone, count(*) FROM (visits v JOIN regions r ON r.name = v.region) AS j GROUP BY 1;
--> query: SELECT j.zone, count(*) FROM (SELECT * FROM "public".visits AS v JOIN "public".regions AS r ON r.name = v.region) AS j GROUP BY 1
--> block 0: SELECT j.zone, count(*) FROM (SELECT * FROM "public".visits AS v JOIN "public".regions AS r ON r.name = v.region) AS j GROUP BY 1

SELECT count(*) FROM patients p JOIN ((visits v JOIN regions r ON r.name = v.region) JOIN stays s USING (patient_id)) AS j (a, b) ON j.b = p.patient_id;
--> query: SELECT count(*) FROM "public".patients AS p JOIN (SELECT * FROM ("public".visits AS v JOIN "public".regions AS r ON r.name = v.region) JOIN "public".stays AS s USING (patient_id)) AS j(a, b) ON j.b = p.patient_id
--> block 0: SELECT count(*) FROM "public".patients AS p JOIN (SELECT * FROM ("public".visits AS v JOIN "public".regions AS r ON r.name = v.region) JOIN "public".stays AS s USING (patient_id)) AS j(a, b) ON j.b = p.patient_id

SELECT count(*) FROM (SELECT rank() OVER w AS n, sum(cost) OVER (u ROWS 1 PRECEDING) AS s FROM visits WINDOW w AS (PARTITION BY patient_id), u AS (w ORDER BY day)) AS q;
--> query: SELECT count(*) FROM (SELECT rank() OVER (PARTITION BY patient_id) AS n, sum(cost) OVER (PARTITION BY patient_id ORDER BY day ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) AS s FROM "public".visits) AS q
--> block 0: SELECT count(*) FROM (SELECT rank() OVER (PARTITION BY patient_id) AS n, sum(cost) OVER (PARTITION BY patient_id ORDER BY day ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) AS s FROM "public".visits) AS q

SELECT region, rank() OVER w FROM visits GROUP BY region WINDOW w AS (ORDER BY count(*));
--> query: SELECT region, rank() OVER w FROM "public".visits GROUP BY region WINDOW w AS (ORDER BY count(*))
--> block 0: SELECT region, rank() OVER w FROM "public".visits GROUP BY region WINDOW w AS (ORDER BY count(*))

SELECT region COLLATE "C", count(*) FROM visits WHERE diagnosis COLLATE pg_catalog."POSIX" > 'a' GROUP BY 1;
--> query: SELECT region, count(*) FROM "public".visits WHERE diagnosis > 'a' GROUP BY 1
--> block 0: SELECT region, count(*) FROM "public".visits WHERE diagnosis > 'a' GROUP BY 1

SELECT name COLLATE "C" FROM regions WHERE EXISTS (SELECT FROM visits WHERE diagnosis COLLATE "de_DE" > 'a');
--> query: SELECT name COLLATE "C" FROM "public".regions WHERE coalesce((SELECT bool_or(TRUE) FROM "public".visits WHERE diagnosis COLLATE "de_DE" > 'a'), FALSE)
--> block 0: SELECT bool_or(TRUE) FROM "public".visits WHERE diagnosis COLLATE "de_DE" > 'a'

WITH latest AS (SELECT DISTINCT ON (patient_id) * FROM stays ORDER BY patient_id, nights DESC NULLS LAST) SELECT avg(nights) FROM latest;
--> query: SELECT avg(nights) FROM (SELECT dpdistinct."patient_id", dpdistinct."ward", dpdistinct."nights" FROM (SELECT *, row_number() OVER (PARTITION BY patient_id ORDER BY patient_id, nights DESC NULLS LAST) AS dpnumber FROM "public".stays) AS dpdistinct WHERE dpdistinct.dpnumber = 1) AS "latest"
--> block 0: SELECT avg(nights) FROM (SELECT dpdistinct."patient_id", dpdistinct."ward", dpdistinct."nights" FROM (SELECT *, row_number() OVER (PARTITION BY patient_id ORDER BY patient_id, nights DESC NULLS LAST) AS dpnumber FROM "public".stays) AS dpdistinct WHERE dpdistinct.dpnumber = 1) AS "latest"

SELECT avg(n) FROM (SELECT DISTINCT ON (1, half) patient_id, nights / 2 AS half, nights AS n FROM stays ORDER BY 1, half, n) AS q;
--> query: SELECT avg(n) FROM (SELECT dpdistinct."patient_id", dpdistinct."half", dpdistinct."n" FROM (SELECT patient_id, nights / 2 AS half, nights AS n, row_number() OVER (PARTITION BY patient_id, nights / 2 ORDER BY patient_id, nights / 2, nights) AS dpnumber FROM "public".stays) AS dpdistinct WHERE dpdistinct.dpnumber = 1) AS q
--> block 0: SELECT avg(n) FROM (SELECT dpdistinct."patient_id", dpdistinct."half", dpdistinct."n" FROM (SELECT patient_id, nights / 2 AS half, nights AS n, row_number() OVER (PARTITION BY patient_id, nights / 2 ORDER BY patient_id, nights / 2, nights) AS dpnumber FROM "public".stays) AS dpdistinct WHERE dpdistinct.dpnumber = 1) AS q

SELECT avg(nights) FROM (SELECT DISTINCT ON (ward) * FROM stays) AS q;
--> query: SELECT avg(nights) FROM (SELECT DISTINCT ON (ward) * FROM "public".stays) AS q
--> block 0: SELECT DISTINCT ON (ward) * FROM "public".stays

SELECT DISTINCT ON (patient_id) patient_id FROM stays;
--> query: SELECT DISTINCT ON (patient_id) patient_id FROM "public".stays
--> block 0: SELECT DISTINCT ON (patient_id) patient_id FROM "public".stays

SELECT DISTINCT ON (region) region, urgent, count(*) FROM visits GROUP BY region, urgent ORDER BY region, count(*) DESC;
--> query: SELECT DISTINCT ON (region) region, urgent, count(*) FROM "public".visits GROUP BY region, urgent ORDER BY region, count(*) DESC
--> block 0: SELECT DISTINCT ON (region) region, urgent, count(*) FROM "public".visits GROUP BY region, urgent ORDER BY region, count(*) DESC

SELECT sum("?column?") FROM (SELECT cost * 2 FROM visits) AS q;
--> query: SELECT sum("?column?") FROM (SELECT cost * 2 FROM "public".visits) AS q
--> block 0: SELECT sum("?column?") FROM (SELECT cost * 2 FROM "public".visits) AS q

SELECT median(n), median(n) OVER (), median(cost) FROM (SELECT median(cost) AS cost, count(*) AS n FROM visits) AS q;
--> query: SELECT public.median(n), public.median(n) OVER (), public.median(cost) FROM (SELECT median(cost) AS cost, count(*) AS n FROM "public".visits) AS q
--> block 0: SELECT median(cost) AS cost, count(*) AS n FROM "public".visits

SELECT count(*) FROM visits, (SELECT approx_count_distinct(name), public.median(1) FROM regions) AS r;
--> query: SELECT count(*) FROM "public".visits, (SELECT public.approx_count_distinct(name), public.median(1) FROM "public".regions) AS r
--> block 0: SELECT count(*) FROM "public".visits, (SELECT public.approx_count_distinct(name), public.median(1) FROM "public".regions) AS r
-->   before it: SELECT public.approx_count_distinct(name), public.median(1) FROM "public".regions

SELECT coalesce(cast((SUM(DISTINCT (cast(floor(coalesce(v.cost, 0)*(1000000*1.0)) AS decimal(65,0))) + ('x' || MD5(v.visit_id ::varchar))::bit(64)::bigint::DECIMAL(65) *18446744073709551616 + ('x' || SUBSTR(MD5(v.visit_id ::varchar),17))::bit(64)::bigint::DECIMAL(65)) - SUM(DISTINCT ('x' || MD5(v.visit_id ::varchar))::bit(64)::bigint::DECIMAL(65) *18446744073709551616 + ('x' || SUBSTR(MD5(v.visit_id ::varchar),17))::bit(64)::bigint::DECIMAL(65))) AS double precision) / cast((1000000*1.0) AS double precision), 0) FROM visits v JOIN stays s USING (patient_id);
--> query: SELECT coalesce(CAST((sum(DISTINCT (CAST(floor(coalesce(v.cost, 0) * (1000000 * 1.0)) AS DECIMAL(65, 0))) ON (v.visit_id))) AS DOUBLE PRECISION) / CAST((1000000 * 1.0) AS DOUBLE PRECISION), 0) FROM "public".visits AS v JOIN "public".stays AS s USING (patient_id)
--> block 0: SELECT coalesce(CAST((sum(DISTINCT (CAST(floor(coalesce(v.cost, 0) * (1000000 * 1.0)) AS DECIMAL(65, 0))) ON (v.visit_id))) AS DOUBLE PRECISION) / CAST((1000000 * 1.0) AS DOUBLE PRECISION), 0) FROM "public".visits AS v JOIN "public".stays AS s USING (patient_id)
--> constant: 1000000 * 1.0
--> constant: CAST((1000000 * 1.0) AS DOUBLE PRECISION)

SELECT SUM(DISTINCT v.cost + ('x' || MD5(v.visit_id ::varchar))::bit(64)::bigint::DECIMAL(65) *18446744073709551616 + ('x' || SUBSTR(MD5(v.visit_id ::varchar),17))::bit(64)::bigint::DECIMAL(65)) - SUM(DISTINCT ('x' || MD5(v.patient_id ::varchar))::bit(64)::bigint::DECIMAL(65) *18446744073709551616 + ('x' || SUBSTR(MD5(v.patient_id ::varchar),17))::bit(64)::bigint::DECIMAL(65)) FROM visits v;
--> query: SELECT SUM(DISTINCT v.cost + CAST(CAST(CAST(('x' || MD5(CAST(v.visit_id AS VARCHAR))) AS BIT(64)) AS BIGINT) AS DECIMAL(65)) * 18446744073709551616 + CAST(CAST(CAST(('x' || SUBSTR(MD5(CAST(v.visit_id AS VARCHAR)), 17)) AS BIT(64)) AS BIGINT) AS DECIMAL(65))) - SUM(DISTINCT CAST(CAST(CAST(('x' || MD5(CAST(v.patient_id AS VARCHAR))) AS BIT(64)) AS BIGINT) AS DECIMAL(65)) * 18446744073709551616 + CAST(CAST(CAST(('x' || SUBSTR(MD5(CAST(v.patient_id AS VARCHAR)), 17)) AS BIT(64)) AS BIGINT) AS DECIMAL(65))) FROM "public".visits AS v
--> block 0: SELECT SUM(DISTINCT v.cost + CAST(CAST(CAST(('x' || MD5(CAST(v.visit_id AS VARCHAR))) AS BIT(64)) AS BIGINT) AS DECIMAL(65)) * 18446744073709551616 + CAST(CAST(CAST(('x' || SUBSTR(MD5(CAST(v.visit_id AS VARCHAR)), 17)) AS BIT(64)) AS BIGINT) AS DECIMAL(65))) - SUM(DISTINCT CAST(CAST(CAST(('x' || MD5(CAST(v.patient_id AS VARCHAR))) AS BIT(64)) AS BIGINT) AS DECIMAL(65)) * 18446744073709551616 + CAST(CAST(CAST(('x' || SUBSTR(MD5(CAST(v.patient_id AS VARCHAR)), 17)) AS BIT(64)) AS BIGINT) AS DECIMAL(65))) FROM "public".visits AS v

SELECT count(v.*), count(r.*) FROM regions r LEFT JOIN visits v ON v.region = r.name;
--> query: SELECT count(v."visit_id"), count(r."name") FROM "public".regions AS r LEFT JOIN "public".visits AS v ON v.region = r.name
--> block 0: SELECT count(v."visit_id"), count(r."name") FROM "public".regions AS r LEFT JOIN "public".visits AS v ON v.region = r.name

SELECT count(q.*) FROM patients p LEFT JOIN (SELECT patient_id, cost FROM visits) q USING (patient_id);
--> refused 0A000 counted-rows: count(q.*) is not supported here

SELECT region, count(*) AS n FROM visits v FULL JOIN stays s USING (patient_id) WHERE patient_id > 3 GROUP BY region, patient_id ORDER BY patient_id;
--> query: SELECT region, count(*) AS n FROM "public".visits AS v FULL JOIN "public".stays AS s ON "v"."patient_id" = "s"."patient_id" WHERE coalesce("v"."patient_id", "s"."patient_id") > 3 GROUP BY region, coalesce("v"."patient_id", "s"."patient_id") ORDER BY coalesce("v"."patient_id", "s"."patient_id")
--> block 0: SELECT region, count(*) AS n FROM "public".visits AS v FULL JOIN "public".stays AS s ON "v"."patient_id" = "s"."patient_id" WHERE coalesce("v"."patient_id", "s"."patient_id") > 3 GROUP BY region, coalesce("v"."patient_id", "s"."patient_id") ORDER BY coalesce("v"."patient_id", "s"."patient_id")

SELECT patient_id, (SELECT max(region) FROM visits WHERE patient_id = 3) FROM visits v FULL JOIN stays s USING (patient_id);
--> query: SELECT patient_id, (SELECT max(region) FROM "public".visits WHERE patient_id = 3) FROM "public".visits AS v FULL JOIN "public".stays AS s USING (patient_id)
--> block 0: SELECT patient_id, (SELECT max(region) FROM "public".visits WHERE patient_id = 3) FROM "public".visits AS v FULL JOIN "public".stays AS s USING (patient_id)
--> block 1: SELECT max(region) FROM "public".visits WHERE patient_id = 3

SELECT * FROM visits v FULL JOIN stays s USING (patient_id);
--> query: SELECT * FROM "public".visits AS v FULL JOIN "public".stays AS s USING (patient_id)
--> block 0: SELECT * FROM "public".visits AS v FULL JOIN "public".stays AS s USING (patient_id)

SELECT count(*) FROM patients p JOIN visits v JOIN regions r ON r.name = v.region ON v.patient_id = p.patient_id;
--> query: SELECT count(*) FROM "public".patients AS p JOIN ("public".visits AS v JOIN "public".regions AS r ON r.name = v.region) ON v.patient_id = p.patient_id
--> block 0: SELECT count(*) FROM "public".patients AS p JOIN ("public".visits AS v JOIN "public".regions AS r ON r.name = v.region) ON v.patient_id = p.patient_id

SELECT count(*) FROM patients p LEFT JOIN visits v LEFT JOIN (stays s JOIN regions r ON r.name = s.region) ON s.patient_id = v.patient_id ON v.patient_id = p.patient_id;
--> query: SELECT count(*) FROM "public".patients AS p LEFT JOIN ("public".visits AS v LEFT JOIN ("public".stays AS s JOIN "public".regions AS r ON r.name = s.region) ON s.patient_id = v.patient_id) ON v.patient_id = p.patient_id
--> block 0: SELECT count(*) FROM "public".patients AS p LEFT JOIN ("public".visits AS v LEFT JOIN ("public".stays AS s JOIN "public".regions AS r ON r.name = s.region) ON s.patient_id = v.patient_id) ON v.patient_id = p.patient_id

SELECT CASE WHEN 0 < 1 THEN 'a' WHEN (1 + 2) * 2 <> 6 THEN 'b' WHEN NULL THEN 'c' END, CASE 1 WHEN 1 THEN 2 END, count(*) FROM visits GROUP BY 1;
--> query: SELECT CASE WHEN TRUE THEN 'a' WHEN FALSE THEN 'b' WHEN FALSE THEN 'c' END, CASE 1 WHEN 1 THEN 2 END, count(*) FROM "public".visits GROUP BY 1
--> block 0: SELECT CASE WHEN TRUE THEN 'a' WHEN FALSE THEN 'b' WHEN FALSE THEN 'c' END, CASE 1 WHEN 1 THEN 2 END, count(*) FROM "public".visits GROUP BY 1
--> constant: CASE WHEN TRUE THEN 'a' WHEN FALSE THEN 'b' WHEN FALSE THEN 'c' END
--> constant: CASE 1 WHEN 1 THEN 2 END

SELECT CASE WHEN 2147483647 + 1 > 0 THEN 'a' WHEN 1.5 + 1 > 2 THEN 'b' WHEN '1' < '2' THEN 'c' END, count(*) FROM visits GROUP BY 1;
--> query: SELECT CASE WHEN 2147483647 + 1 > 0 THEN 'a' WHEN 1.5 + 1 > 2 THEN 'b' WHEN '1' < '2' THEN 'c' END, count(*) FROM "public".visits GROUP BY 1
--> block 0: SELECT CASE WHEN 2147483647 + 1 > 0 THEN 'a' WHEN 1.5 + 1 > 2 THEN 'b' WHEN '1' < '2' THEN 'c' END, count(*) FROM "public".visits GROUP BY 1
--> constant: 2147483647 + 1
--> constant: 1.5 + 1

SELECT count(*) FROM visits WHERE tags && ARRAY['a', 'b'] OR NOT (ARRAY['c']::text[] && tags) OR tags @> (ARRAY['d', 'e'])::varchar[];
--> query: SELECT count(*) FROM "public".visits WHERE CASE WHEN tags IS NOT NULL THEN ('a' = ANY(tags) OR 'b' = ANY(tags)) IS TRUE END OR NOT (CASE WHEN tags IS NOT NULL THEN (CAST('c' AS TEXT) = ANY(tags)) IS TRUE END) OR CASE WHEN tags IS NOT NULL THEN (CAST('d' AS VARCHAR) = ANY(tags) AND CAST('e' AS VARCHAR) = ANY(tags)) IS TRUE END
--> block 0: SELECT count(*) FROM "public".visits WHERE CASE WHEN tags IS NOT NULL THEN ('a' = ANY(tags) OR 'b' = ANY(tags)) IS TRUE END OR NOT (CASE WHEN tags IS NOT NULL THEN (CAST('c' AS TEXT) = ANY(tags)) IS TRUE END) OR CASE WHEN tags IS NOT NULL THEN (CAST('d' AS VARCHAR) = ANY(tags) AND CAST('e' AS VARCHAR) = ANY(tags)) IS TRUE END

SELECT count(*) FROM visits WHERE tags @> '{a}' OR tags <@ ARRAY['a'] OR tags && ARRAY[NULL, 'a'] OR ARRAY['a'] <@ tags OR tags && '{}'::text[] OR details @> '{"a": 1}';
--> query: SELECT count(*) FROM "public".visits WHERE CASE WHEN tags IS NOT NULL THEN ('a' = ANY(tags)) IS TRUE END OR tags <@ ARRAY['a'] OR tags && ARRAY[NULL, 'a'] OR CASE WHEN tags IS NOT NULL THEN ('a' = ANY(tags)) IS TRUE END OR tags && CAST('{}' AS TEXT[]) OR details @> '{"a": 1}'
--> block 0: SELECT count(*) FROM "public".visits WHERE CASE WHEN tags IS NOT NULL THEN ('a' = ANY(tags)) IS TRUE END OR tags <@ ARRAY['a'] OR tags && ARRAY[NULL, 'a'] OR CASE WHEN tags IS NOT NULL THEN ('a' = ANY(tags)) IS TRUE END OR tags && CAST('{}' AS TEXT[]) OR details @> '{"a": 1}'
--> constant: CAST('{}' AS TEXT[])

SELECT count(*) FROM (SELECT patient_id, count(*) AS n FROM visits GROUP BY 1) v FULL JOIN (SELECT patient_id, sum(nights) AS m FROM stays GROUP BY patient_id) s USING (patient_id) WHERE patient_id > 3;
--> query: SELECT count(*) FROM (SELECT patient_id, count(*) AS n FROM "public".visits GROUP BY 1) AS v FULL JOIN (SELECT patient_id, sum(nights) AS m FROM "public".stays GROUP BY patient_id) AS s ON "v"."patient_id" = "s"."patient_id" WHERE coalesce("v"."patient_id", "s"."patient_id") > 3
--> block 0: SELECT count(*) FROM (SELECT patient_id, count(*) AS n FROM "public".visits GROUP BY 1) AS v FULL JOIN (SELECT patient_id, sum(nights) AS m FROM "public".stays GROUP BY patient_id) AS s ON "v"."patient_id" = "s"."patient_id" WHERE coalesce("v"."patient_id", "s"."patient_id") > 3

SELECT region, count(*) FROM (SELECT DISTINCT ON (v.patient_id) v.patient_id, region FROM visits v GROUP BY v.patient_id, region HAVING count(*) > 1 ORDER BY v.patient_id, count(*) DESC) AS q GROUP BY region;
--> query: SELECT region, count(*) FROM (SELECT dpdistinct."patient_id", dpdistinct."region" FROM (SELECT dpgroups."patient_id", dpgroups."region", row_number() OVER (PARTITION BY dpgroups.dpcompared0 ORDER BY dpgroups.dpcompared1, dpgroups.dpcompared2 DESC) AS dpnumber FROM (SELECT v.patient_id, region, v.patient_id AS dpcompared0, v.patient_id AS dpcompared1, count(*) AS dpcompared2 FROM "public".visits AS v GROUP BY v.patient_id, region HAVING count(*) > 1) AS dpgroups) AS dpdistinct WHERE dpdistinct.dpnumber = 1) AS q GROUP BY region
--> block 0: SELECT region, count(*) FROM (SELECT dpdistinct."patient_id", dpdistinct."region" FROM (SELECT dpgroups."patient_id", dpgroups."region", row_number() OVER (PARTITION BY dpgroups.dpcompared0 ORDER BY dpgroups.dpcompared1, dpgroups.dpcompared2 DESC) AS dpnumber FROM (SELECT v.patient_id, region, v.patient_id AS dpcompared0, v.patient_id AS dpcompared1, count(*) AS dpcompared2 FROM "public".visits AS v GROUP BY v.patient_id, region HAVING count(*) > 1) AS dpgroups) AS dpdistinct WHERE dpdistinct.dpnumber = 1) AS q GROUP BY region

SELECT count(*) FROM (SELECT DISTINCT ON (1) patient_id, region, count(*) FROM visits GROUP BY 1, 2) AS q;
--> query: SELECT count(*) FROM (SELECT dpdistinct."patient_id", dpdistinct."region", dpdistinct."count" FROM (SELECT dpgroups."patient_id", dpgroups."region", dpgroups."count", row_number() OVER (PARTITION BY dpgroups.dpcompared0) AS dpnumber FROM (SELECT patient_id, region, count(*), patient_id AS dpcompared0 FROM "public".visits GROUP BY 1, 2) AS dpgroups) AS dpdistinct WHERE dpdistinct.dpnumber = 1) AS q
--> block 0: SELECT count(*) FROM (SELECT dpdistinct."patient_id", dpdistinct."region", dpdistinct."count" FROM (SELECT dpgroups."patient_id", dpgroups."region", dpgroups."count", row_number() OVER (PARTITION BY dpgroups.dpcompared0) AS dpnumber FROM (SELECT patient_id, region, count(*), patient_id AS dpcompared0 FROM "public".visits GROUP BY 1, 2) AS dpgroups) AS dpdistinct WHERE dpdistinct.dpnumber = 1) AS q

SELECT region, urgent, count(*) FROM visits GROUP BY GROUPING SETS ((region::text, urgent), (region), ());
--> query: SELECT region, urgent, count(*) FROM "public".visits GROUP BY GROUPING SETS ((region, urgent), region, ())
--> block 0: SELECT region, urgent, count(*) FROM "public".visits GROUP BY GROUPING SETS ((region, urgent), region, ())

SELECT count(minutes::int::int4), count(minutes::bigint), sum(cost::numeric(8, 2)), sum(cost::numeric) FROM visits WHERE (tags::text[])[1] = ANY (tags::text[]) AND took::interval > '1 day';
--> query: SELECT count(minutes), count(CAST(minutes AS BIGINT)), sum(cost), sum(CAST(cost AS DECIMAL)) FROM "public".visits WHERE (tags)[1] = ANY(tags) AND took > '1 day'
--> block 0: SELECT count(minutes), count(CAST(minutes AS BIGINT)), sum(cost), sum(CAST(cost AS DECIMAL)) FROM "public".visits WHERE (tags)[1] = ANY(tags) AND took > '1 day'

SELECT code::char(4), code::char, code::bpchar, short::varchar(10), short::varchar, short::text, at::time, at::time(3), document::json, count(*) FROM readings GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9;
--> query: SELECT code, CAST(code AS CHAR), CAST(code AS BPCHAR), short, CAST(short AS VARCHAR), CAST(short AS TEXT), at, CAST(at AS TIME(3)), document, count(*) FROM "public".readings GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9
--> block 0: SELECT code, CAST(code AS CHAR), CAST(code AS BPCHAR), short, CAST(short AS VARCHAR), CAST(short AS TEXT), at, CAST(at AS TIME(3)), document, count(*) FROM "public".readings GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9

SELECT urgent AS region, count(*) FROM visits GROUP BY urgent, region::text ORDER BY (region::text), count(*);
--> query: SELECT urgent AS region, count(*) FROM "public".visits GROUP BY urgent, "visits".region ORDER BY "visits".region, count(*)
--> block 0: SELECT urgent AS region, count(*) FROM "public".visits GROUP BY urgent, "visits".region ORDER BY "visits".region, count(*)

SELECT y, n, count(*) FROM (SELECT note::varchar AS y, minutes::text AS n FROM visits) AS q GROUP BY y::varchar, n::varchar;
--> query: SELECT y, n, count(*) FROM (SELECT CAST(note AS VARCHAR) AS y, CAST(minutes AS TEXT) AS n FROM "public".visits) AS q GROUP BY y, CAST(n AS VARCHAR)
--> block 0: SELECT y, n, count(*) FROM (SELECT CAST(note AS VARCHAR) AS y, CAST(minutes AS TEXT) AS n FROM "public".visits) AS q GROUP BY y, CAST(n AS VARCHAR)

SELECT count(*) FROM patients p WHERE EXISTS (SELECT FROM visits v WHERE v.patient_id = p.patient_id::int AND v.region::text = 'north');
--> query: SELECT count(*) FROM "public".patients AS p WHERE EXISTS(SELECT FROM "public".visits AS v WHERE v.patient_id = p.patient_id AND v.region = 'north')
--> block 0: SELECT count(*) FROM "public".patients AS p WHERE EXISTS(SELECT FROM "public".visits AS v WHERE v.patient_id = p.patient_id AND v.region = 'north')

SELECT patient_id::int, count(*) FROM (SELECT patient_id::int FROM visits v JOIN patients p USING (patient_id) WHERE v.patient_id::int > 2) AS q GROUP BY 1;
--> query: SELECT patient_id, count(*) FROM (SELECT CAST(patient_id AS INT) FROM "public".visits AS v JOIN "public".patients AS p USING (patient_id) WHERE v.patient_id > 2) AS q GROUP BY 1
--> block 0: SELECT patient_id, count(*) FROM (SELECT CAST(patient_id AS INT) FROM "public".visits AS v JOIN "public".patients AS p USING (patient_id) WHERE v.patient_id > 2) AS q GROUP BY 1
