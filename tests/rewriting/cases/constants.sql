SELECT count(*) FROM visits WHERE visited_at > now() - interval '30 days';
--> query: SELECT count(*) FROM "public".visits WHERE visited_at > to_timestamp(floor(EXTRACT(EPOCH FROM now()) / 3600) * 3600) - INTERVAL '30 days'
--> block 0: SELECT count(*) FROM "public".visits WHERE visited_at > to_timestamp(floor(EXTRACT(EPOCH FROM now()) / 3600) * 3600) - INTERVAL '30 days'
--> constant: to_timestamp(floor(EXTRACT(EPOCH FROM now()) / 3600) * 3600) - INTERVAL '30 days'

SELECT count(*) FROM visits WHERE cost > 1 + 2 AND minutes > -5 AND minutes < -(-5) AND minutes <> (7);
--> query: SELECT count(*) FROM "public".visits WHERE cost > 1 + 2 AND minutes > -5 AND minutes < -(-5) AND minutes <> (7)
--> block 0: SELECT count(*) FROM "public".visits WHERE cost > 1 + 2 AND minutes > -5 AND minutes < -(-5) AND minutes <> (7)
--> constant: 1 + 2

SELECT count(*) FROM visits WHERE cost > - (1 + 2) AND cost < (+5);
--> query: SELECT count(*) FROM "public".visits WHERE cost > -(1 + 2) AND cost < (+ 5)
--> block 0: SELECT count(*) FROM "public".visits WHERE cost > -(1 + 2) AND cost < (+ 5)
--> constant: -(1 + 2)
--> constant: + 5

SELECT count(*) FROM visits WHERE day > DATE '2024-01-01' AND cost > '5'::numeric(4, 1) AND note = 'abc'::varchar(2) AND cost < (2 + 3)::int;
--> query: SELECT count(*) FROM "public".visits WHERE day > CAST('2024-01-01' AS DATE) AND cost > CAST('5' AS DECIMAL(4, 1)) AND note = CAST('abc' AS VARCHAR(2)) AND cost < CAST((2 + 3) AS INT)
--> block 0: SELECT count(*) FROM "public".visits WHERE day > CAST('2024-01-01' AS DATE) AND cost > CAST('5' AS DECIMAL(4, 1)) AND note = CAST('abc' AS VARCHAR(2)) AND cost < CAST((2 + 3) AS INT)
--> constant: CAST('5' AS DECIMAL(4, 1))
--> constant: CAST('abc' AS VARCHAR(2))
--> constant: CAST((2 + 3) AS INT)

SELECT count(*) FROM visits WHERE took > interval '1 day' AND took < NULL::interval AND note = E'a' AND urgent = true;
--> query: SELECT count(*) FROM (SELECT CAST(NULL AS BIGINT) AS "visit_id", CAST(NULL AS INT) AS "patient_id", CAST(NULL AS TEXT) AS "region", CAST(NULL AS TIMESTAMP) AS "visited_at", CAST(NULL AS TIMESTAMPTZ) AS "paid_at", CAST(NULL AS DATE) AS "day", CAST(NULL AS INT) AS "minutes", CAST(NULL AS DECIMAL) AS "cost", CAST(NULL AS DOUBLE PRECISION) AS "score", CAST(NULL AS BOOLEAN) AS "urgent", CAST(NULL AS TEXT) AS "diagnosis", CAST(NULL AS TEXT) AS "note", CAST(NULL AS INTERVAL) AS "took", CAST(NULL AS JSONB) AS "details", CAST(NULL AS TEXT[]) AS "tags" WHERE FALSE) AS "visits" WHERE took > INTERVAL '1 day' AND took < CAST(NULL AS INTERVAL) AND note = e'a' AND urgent

SELECT count(*) FROM visits WHERE age(visited_at) > interval '1 year' AND age(now(), visited_at) > interval '1 year';
--> query: SELECT count(*) FROM "public".visits WHERE age(CAST(to_timestamp(floor(EXTRACT(EPOCH FROM now()) / 3600) * 3600) AS DATE), visited_at) > INTERVAL '1 year' AND age(to_timestamp(floor(EXTRACT(EPOCH FROM now()) / 3600) * 3600), visited_at) > INTERVAL '1 year'
--> block 0: SELECT count(*) FROM "public".visits WHERE age(CAST(to_timestamp(floor(EXTRACT(EPOCH FROM now()) / 3600) * 3600) AS DATE), visited_at) > INTERVAL '1 year' AND age(to_timestamp(floor(EXTRACT(EPOCH FROM now()) / 3600) * 3600), visited_at) > INTERVAL '1 year'
--> constant: CAST(to_timestamp(floor(EXTRACT(EPOCH FROM now()) / 3600) * 3600) AS DATE)
--> constant: to_timestamp(floor(EXTRACT(EPOCH FROM now()) / 3600) * 3600)

SELECT count(*) FROM visits WHERE age(visited_at) > interval '1 year' AND abs(minutes) > 1;
--> query: SELECT count(*) FROM "public".visits WHERE age(CAST(to_timestamp(floor(EXTRACT(EPOCH FROM now()) / 3600) * 3600) AS DATE), visited_at) > INTERVAL '1 year' AND abs(minutes) > 1
--> block 0: SELECT count(*) FROM "public".visits WHERE age(CAST(to_timestamp(floor(EXTRACT(EPOCH FROM now()) / 3600) * 3600) AS DATE), visited_at) > INTERVAL '1 year' AND abs(minutes) > 1
--> constant: CAST(to_timestamp(floor(EXTRACT(EPOCH FROM now()) / 3600) * 3600) AS DATE)

SELECT sum(cost * (2 + 3)) FROM visits WHERE minutes IN (SELECT patient_id + (1 + 1) FROM stays WHERE nights > 2 * 3);
--> query: SELECT sum(cost * (2 + 3)) FROM "public".visits WHERE minutes IN (SELECT patient_id + (1 + 1) FROM "public".stays WHERE nights > 2 * 3)
--> block 0: SELECT sum(cost * (2 + 3)) FROM "public".visits WHERE minutes IN (SELECT patient_id + (1 + 1) FROM "public".stays WHERE nights > 2 * 3)
--> constant: 2 + 3
--> constant: 1 + 1
--> constant: 2 * 3

SELECT count(*) FROM visits WHERE cost > (SELECT avg(nights) + (1 + 1) FROM stays);
--> query: SELECT count(*) FROM "public".visits LEFT JOIN (SELECT (SELECT avg(nights) + (1 + 1) FROM "public".stays) AS dpscalar_value) AS dpscalar_0 ON TRUE WHERE cost > (dpscalar_0.dpscalar_value)
--> block 0: SELECT count(*) FROM "public".visits LEFT JOIN (SELECT (SELECT avg(nights) + (1 + 1) FROM "public".stays) AS dpscalar_value) AS dpscalar_0 ON TRUE WHERE cost > (dpscalar_0.dpscalar_value)
-->   before it: SELECT (SELECT avg(nights) + (1 + 1) FROM "public".stays) AS dpscalar_value
-->     block 0: SELECT avg(nights) + (1 + 1) FROM "public".stays
--> constant: 1 + 1

SELECT count(*) FROM visits JOIN (SELECT zone, count(*) + (1 + 1) AS n FROM regions GROUP BY zone) AS z ON z.zone = region AND n > 3 + 4;
--> query: SELECT count(*) FROM "public".visits JOIN (SELECT zone, count(*) + (1 + 1) AS n FROM "public".regions GROUP BY zone) AS z ON z.zone = region AND n > 3 + 4
--> block 0: SELECT count(*) FROM "public".visits JOIN (SELECT zone, count(*) + (1 + 1) AS n FROM "public".regions GROUP BY zone) AS z ON z.zone = region AND n > 3 + 4
-->   before it: SELECT zone, count(*) + (1 + 1) AS n FROM "public".regions GROUP BY zone
--> constant: 3 + 4

SELECT count(*) FROM visits WHERE region IN (SELECT zone FROM regions WHERE people > 2 * 5 LIMIT 1);
--> query: SELECT count(*) FROM "public".visits WHERE region IN (SELECT zone FROM "public".regions WHERE people > 2 * 5 LIMIT 1)
--> block 0: SELECT count(*) FROM "public".visits WHERE region IN (SELECT zone FROM "public".regions WHERE people > 2 * 5 LIMIT 1)
-->   before it: SELECT zone FROM "public".regions WHERE people > 2 * 5 LIMIT 1

SELECT region, count(*) FROM visits GROUP BY region HAVING count(*) > 2 + 3 ORDER BY 1 + 1;
--> query: SELECT region, count(*) FROM "public".visits GROUP BY region HAVING count(*) > 2 + 3 ORDER BY 1 + 1
--> block 0: SELECT region, count(*) FROM "public".visits GROUP BY region HAVING count(*) > 2 + 3 ORDER BY 1 + 1
--> constant: 2 + 3
--> constant: 1 + 1

SELECT count(*) FROM visits WHERE CASE WHEN 1 = 1 THEN true ELSE false END;
--> query: SELECT count(*) FROM "public".visits WHERE CASE WHEN TRUE THEN TRUE ELSE FALSE END
--> block 0: SELECT count(*) FROM "public".visits WHERE CASE WHEN TRUE THEN TRUE ELSE FALSE END
--> constant: CASE WHEN TRUE THEN TRUE ELSE FALSE END

SELECT count(*) FROM visits WHERE extract(year FROM DATE '2024-01-01') = 2024 AND make_date(year => 2024, month => 1, day => 1) = day;
--> query: SELECT count(*) FROM "public".visits WHERE EXTRACT(YEAR FROM CAST('2024-01-01' AS DATE)) = 2024 AND make_date(year => 2024, month => 1, day => 1) = day
--> block 0: SELECT count(*) FROM "public".visits WHERE EXTRACT(YEAR FROM CAST('2024-01-01' AS DATE)) = 2024 AND make_date(year => 2024, month => 1, day => 1) = day
--> constant: EXTRACT(YEAR FROM CAST('2024-01-01' AS DATE))
--> constant: make_date(year => 2024, month => 1, day => 1)

SELECT extract(year FROM visited_at), count(*) FROM visits GROUP BY 1;
--> query: SELECT EXTRACT(YEAR FROM visited_at), count(*) FROM "public".visits GROUP BY 1
--> block 0: SELECT EXTRACT(YEAR FROM visited_at), count(*) FROM "public".visits GROUP BY 1

SELECT count(*) FROM visits WHERE cost > $1;
--> refused 0A000 parameter: there is no value for $1

SELECT @ 1 FROM visits;
--> refused 0A000 parse: dpproxy could not parse this query

SELECT count(*) FROM visits WHERE day > DATE 'yesterday' AND day < 'Tomorrow'::timestamp AND note <> 'today' AND day = ANY ('{now}'::date[]) AND day > 'epoch'::date;
--> query: SELECT count(*) FROM "public".visits WHERE day > CAST('yesterday' AS DATE) AND day < CAST('Tomorrow' AS TIMESTAMP) AND note <> 'today' AND day = ANY(CAST('{now}' AS DATE[])) AND day > CAST('epoch' AS DATE)
--> block 0: SELECT count(*) FROM "public".visits WHERE day > CAST('yesterday' AS DATE) AND day < CAST('Tomorrow' AS TIMESTAMP) AND note <> 'today' AND day = ANY(CAST('{now}' AS DATE[])) AND day > CAST('epoch' AS DATE)
--> constant: CAST('yesterday' AS DATE)
--> constant: CAST('Tomorrow' AS TIMESTAMP)
--> constant: CAST('{now}' AS DATE[])
--> constant: CAST('epoch' AS DATE)

SELECT day - '2024-01-01', count(*) FROM visits WHERE '2025-01-01' - visited_at > interval '1 day' AND minutes - '5' > 0 GROUP BY 1;
--> query: SELECT day - CAST('2024-01-01' AS DATE), count(*) FROM "public".visits WHERE CAST('2025-01-01' AS TIMESTAMP) - visited_at > INTERVAL '1 day' AND minutes - '5' > 0 GROUP BY 1
--> block 0: SELECT day - CAST('2024-01-01' AS DATE), count(*) FROM "public".visits WHERE CAST('2025-01-01' AS TIMESTAMP) - visited_at > INTERVAL '1 day' AND minutes - '5' > 0 GROUP BY 1
