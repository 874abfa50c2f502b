SELECT * FROM stays LIMIT 0;
--> query: SELECT * FROM (SELECT CAST(NULL AS INT) AS "patient_id", CAST(NULL AS TEXT) AS "ward", CAST(NULL AS INT) AS "nights" WHERE FALSE) AS "stays" LIMIT 0

SELECT * FROM regions r LEFT JOIN stays v ON v.ward = r.name WHERE 1 = 0;
--> query: SELECT * FROM "public".regions AS r LEFT JOIN (SELECT CAST(NULL AS INT) AS "patient_id", CAST(NULL AS TEXT) AS "ward", CAST(NULL AS INT) AS "nights" WHERE FALSE) AS v ON v.ward = r.name WHERE 1 = 0

SELECT * FROM (SELECT ward, count(*) FROM stays GROUP BY ward) AS q WHERE false;
--> query: SELECT * FROM (SELECT ward, count(*) FROM (SELECT CAST(NULL AS INT) AS "patient_id", CAST(NULL AS TEXT) AS "ward", CAST(NULL AS INT) AS "nights" WHERE FALSE) AS "stays" GROUP BY ward) AS q WHERE FALSE

WITH q AS (SELECT ward, count(*) FROM stays GROUP BY ward) SELECT * FROM q FETCH FIRST 0 ROWS ONLY;
--> query: WITH q AS (SELECT ward, count(*) FROM (SELECT CAST(NULL AS INT) AS "patient_id", CAST(NULL AS TEXT) AS "ward", CAST(NULL AS INT) AS "nights" WHERE FALSE) AS "stays" GROUP BY ward) SELECT * FROM q LIMIT 0

SELECT count(*), (SELECT count(*) FROM patients) FROM stays WHERE NULL;
--> query: SELECT count(*), (SELECT count(*) FROM "public".patients) FROM (SELECT CAST(NULL AS INT) AS "patient_id", CAST(NULL AS TEXT) AS "ward", CAST(NULL AS INT) AS "nights" WHERE FALSE) AS "stays" WHERE NULL
--> block 0: SELECT count(*) FROM "public".patients

SELECT ward, count(*) FROM stays WHERE 1 <> 1 GROUP BY ward;
--> query: SELECT ward, count(*) FROM (SELECT CAST(NULL AS INT) AS "patient_id", CAST(NULL AS TEXT) AS "ward", CAST(NULL AS INT) AS "nights" WHERE FALSE) AS "stays" WHERE 1 <> 1 GROUP BY ward

SELECT ward, count(*) FROM stays WHERE 1 <> 1 GROUP BY ROLLUP (ward);
--> query: SELECT ward, count(*) FROM (SELECT CAST(NULL AS INT) AS "patient_id", CAST(NULL AS TEXT) AS "ward", CAST(NULL AS INT) AS "nights" WHERE FALSE) AS "stays" WHERE 1 <> 1 GROUP BY ROLLUP (ward)

SELECT * FROM (SELECT * FROM stays WHERE 1 = 0) AS q WHERE nights > 5;
--> query: SELECT * FROM (SELECT CAST(NULL AS INT) AS "patient_id", CAST(NULL AS TEXT) AS "ward", CAST(NULL AS INT) AS "nights" WHERE FALSE) AS q WHERE (nights > 5) AND (1 = 0)

SELECT * FROM (SELECT * FROM stays WHERE 1 = 0) AS q RIGHT JOIN stays v USING (patient_id);
--> query: SELECT * FROM (SELECT * FROM "public".stays WHERE 1 = 0) AS q RIGHT JOIN "public".stays AS v USING (patient_id)
--> block 0: SELECT * FROM (SELECT * FROM "public".stays WHERE 1 = 0) AS q RIGHT JOIN "public".stays AS v USING (patient_id)

SELECT * FROM stays v LEFT JOIN (SELECT * FROM stays WHERE 1 = 0) AS q USING (patient_id);
--> query: SELECT * FROM "public".stays AS v LEFT JOIN (SELECT * FROM "public".stays WHERE 1 = 0) AS q USING (patient_id)
--> block 0: SELECT * FROM "public".stays AS v LEFT JOIN (SELECT * FROM "public".stays WHERE 1 = 0) AS q USING (patient_id)

SELECT * FROM stays WHERE false UNION ALL SELECT * FROM stays;
--> query: SELECT * FROM (SELECT CAST(NULL AS INT) AS "patient_id", CAST(NULL AS TEXT) AS "ward", CAST(NULL AS INT) AS "nights" WHERE FALSE) AS "stays" WHERE FALSE UNION ALL SELECT * FROM "public".stays
--> block 0: SELECT * FROM "public".stays

SELECT * FROM stays WHERE false INTERSECT SELECT * FROM stays;
--> query: SELECT * FROM (SELECT CAST(NULL AS INT) AS "patient_id", CAST(NULL AS TEXT) AS "ward", CAST(NULL AS INT) AS "nights" WHERE FALSE) AS "stays" WHERE FALSE INTERSECT SELECT * FROM (SELECT CAST(NULL AS INT) AS "patient_id", CAST(NULL AS TEXT) AS "ward", CAST(NULL AS INT) AS "nights" WHERE FALSE) AS "stays"

SELECT * FROM stays EXCEPT SELECT * FROM stays WHERE false;
--> query: SELECT * FROM "public".stays EXCEPT SELECT * FROM (SELECT CAST(NULL AS INT) AS "patient_id", CAST(NULL AS TEXT) AS "ward", CAST(NULL AS INT) AS "nights" WHERE FALSE) AS "stays" WHERE FALSE
--> block 0: SELECT * FROM "public".stays

SELECT nights FROM stays WHERE 1 = 0 OR nights > 5;
--> query: SELECT nights FROM "public".stays WHERE nights > 5
--> block 0: SELECT nights FROM "public".stays WHERE nights > 5

SELECT count(*) FROM stays v WHERE EXISTS (SELECT FROM patients s WHERE s.patient_id = v.patient_id AND false);
--> query: SELECT count(*) FROM "public".stays AS v WHERE EXISTS(SELECT FROM "public".patients AS s WHERE s.patient_id = v.patient_id AND FALSE)
--> block 0: SELECT count(*) FROM "public".stays AS v WHERE EXISTS(SELECT FROM "public".patients AS s WHERE s.patient_id = v.patient_id AND FALSE)

SELECT count(*) FROM (SELECT * FROM stays LIMIT 0) AS q;
--> query: SELECT count(*) FROM (SELECT * FROM (SELECT CAST(NULL AS INT) AS "patient_id", CAST(NULL AS TEXT) AS "ward", CAST(NULL AS INT) AS "nights" WHERE FALSE) AS "stays" LIMIT 0) AS q

SELECT nights FROM stays TABLESAMPLE SYSTEM (5) WHERE false;
--> query: SELECT nights FROM "public".stays TABLESAMPLE SYSTEM (5) WHERE FALSE
--> block 0: SELECT nights FROM "public".stays TABLESAMPLE SYSTEM (5) WHERE FALSE
