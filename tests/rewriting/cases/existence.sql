SELECT EXISTS (SELECT 1 FROM visits WHERE cost > 400);
--> query: SELECT coalesce((SELECT bool_or(TRUE) FROM "public".visits WHERE cost > 400), FALSE)
--> block 0: SELECT bool_or(TRUE) FROM "public".visits WHERE cost > 400

SELECT 1 AS a FROM visits v JOIN patients p USING (patient_id) WHERE cost > 400 ORDER BY v.visit_id LIMIT 1;
--> query: SELECT 1 AS a WHERE coalesce((SELECT bool_or(TRUE) FROM "public".visits AS v JOIN "public".patients AS p USING (patient_id) WHERE cost > 400), FALSE)
--> block 0: SELECT bool_or(TRUE) FROM "public".visits AS v JOIN "public".patients AS p USING (patient_id) WHERE cost > 400

SELECT EXISTS (SELECT DISTINCT cost FROM visits), EXISTS (SELECT FROM visits LIMIT 1);
--> query: SELECT TRUE, TRUE

SELECT 1 FROM visits FETCH FIRST ROW ONLY;
--> query: SELECT 1 WHERE TRUE

SELECT 1 FROM visits LIMIT 2;
--> query: SELECT 1 FROM "public".visits LIMIT 2
--> block 0: SELECT 1 FROM "public".visits LIMIT 2

SELECT 1 FROM visits LIMIT 1 OFFSET 1;
--> query: SELECT 1 FROM "public".visits LIMIT 1 OFFSET 1
--> block 0: SELECT 1 FROM "public".visits LIMIT 1 OFFSET 1

SELECT region FROM visits LIMIT 1;
--> query: SELECT region FROM "public".visits LIMIT 1
--> block 0: SELECT region FROM "public".visits LIMIT 1

SELECT EXISTS (SELECT count(*) FROM visits);
--> query: SELECT EXISTS(SELECT count(*) FROM "public".visits)
--> block 0: SELECT count(*) FROM "public".visits

SELECT CASE WHEN NOT EXISTS (SELECT FROM visits WHERE urgent) THEN 'no' END;
--> query: SELECT CASE WHEN NOT coalesce((SELECT bool_or(TRUE) FROM "public".visits WHERE urgent), FALSE) THEN 'no' END
--> block 0: SELECT bool_or(TRUE) FROM "public".visits WHERE urgent

SELECT name FROM regions r WHERE EXISTS (SELECT FROM visits v WHERE v.region = r.name);
--> query: SELECT name FROM "public".regions AS r LEFT JOIN (SELECT dpkeys.dpscalar_key0 AS dpscalar_key0, bool_or(TRUE) AS dpscalar_value FROM "public".visits AS v CROSS JOIN (SELECT DISTINCT "r".name AS "dpscalar_key0" FROM "public".regions AS r WHERE (NOT "r".name IS NULL)) AS dpkeys WHERE (v.region = dpkeys.dpscalar_key0) GROUP BY dpkeys.dpscalar_key0) AS dpscalar_0 ON dpscalar_0.dpscalar_key0 = r.name WHERE coalesce((dpscalar_0.dpscalar_value), FALSE)
--> block 0: SELECT dpkeys.dpscalar_key0 AS dpscalar_key0, bool_or(TRUE) AS dpscalar_value FROM "public".visits AS v CROSS JOIN (SELECT DISTINCT "r".name AS "dpscalar_key0" FROM "public".regions AS r WHERE (NOT "r".name IS NULL)) AS dpkeys WHERE (v.region = dpkeys.dpscalar_key0) GROUP BY dpkeys.dpscalar_key0

SELECT region, count(*), EXISTS (SELECT FROM stays WHERE nights > 9) FROM visits GROUP BY region;
--> query: SELECT region, count(*), coalesce((SELECT bool_or(TRUE) FROM "public".stays WHERE nights > 9), FALSE) FROM "public".visits GROUP BY region
--> block 0: SELECT region, count(*), coalesce((SELECT bool_or(TRUE) FROM "public".stays WHERE nights > 9), FALSE) FROM "public".visits GROUP BY region
--> block 1: SELECT bool_or(TRUE) FROM "public".stays WHERE nights > 9

SELECT EXISTS (SELECT FROM visits v WHERE v.patient_id = p.patient_id), count(*) FROM patients p GROUP BY 1;
--> query: SELECT ((coalesce(dpscalar_0.dpscalar_value, 0)) > 0), count(*) FROM "public".patients AS p LEFT JOIN (SELECT v.patient_id AS dpscalar_key0, count(*) AS dpscalar_value FROM "public".visits AS v GROUP BY v.patient_id) AS dpscalar_0 ON dpscalar_0.dpscalar_key0 = p.patient_id GROUP BY 1
--> block 0: SELECT ((coalesce(dpscalar_0.dpscalar_value, 0)) > 0), count(*) FROM "public".patients AS p LEFT JOIN (SELECT v.patient_id AS dpscalar_key0, count(*) AS dpscalar_value FROM "public".visits AS v GROUP BY v.patient_id) AS dpscalar_0 ON dpscalar_0.dpscalar_key0 = p.patient_id GROUP BY 1

SELECT count(*) FILTER (WHERE NOT EXISTS (SELECT FROM visits w WHERE w.patient_id = v.patient_id AND w.cost > v.cost)) FROM visits v;
--> query: SELECT count(*) FILTER(WHERE NOT ((coalesce(dpscalar_0.dpscalar_value, 0)) > 0)) FROM "public".visits AS v LEFT JOIN (SELECT w.patient_id AS dpscalar_key0, "dpown"."dpown_visit_id" AS dpscalar_key1, count(*) AS dpscalar_value FROM "public".visits AS w CROSS JOIN (SELECT "v"."cost" AS "dpown_cost", "v"."patient_id" AS "dpown_patient_id", "v"."visit_id" AS "dpown_visit_id" FROM "public".visits AS v) AS dpown WHERE (w.patient_id = "dpown"."dpown_patient_id") AND (w.cost > "dpown"."dpown_cost") GROUP BY w.patient_id, "dpown"."dpown_visit_id") AS dpscalar_0 ON dpscalar_0.dpscalar_key0 = v.patient_id AND dpscalar_0.dpscalar_key1 = "v"."visit_id"
--> block 0: SELECT count(*) FILTER(WHERE NOT ((coalesce(dpscalar_0.dpscalar_value, 0)) > 0)) FROM "public".visits AS v LEFT JOIN (SELECT w.patient_id AS dpscalar_key0, "dpown"."dpown_visit_id" AS dpscalar_key1, count(*) AS dpscalar_value FROM "public".visits AS w CROSS JOIN (SELECT "v"."cost" AS "dpown_cost", "v"."patient_id" AS "dpown_patient_id", "v"."visit_id" AS "dpown_visit_id" FROM "public".visits AS v) AS dpown WHERE (w.patient_id = "dpown"."dpown_patient_id") AND (w.cost > "dpown"."dpown_cost") GROUP BY w.patient_id, "dpown"."dpown_visit_id") AS dpscalar_0 ON dpscalar_0.dpscalar_key0 = v.patient_id AND dpscalar_0.dpscalar_key1 = "v"."visit_id"

SELECT count(*) FILTER (WHERE EXISTS (SELECT FROM visits w WHERE w.cost > v.cost)) FROM visits v;
--> query: SELECT count(*) FILTER(WHERE EXISTS(SELECT FROM "public".visits AS w WHERE w.cost > v.cost)) FROM "public".visits AS v
--> block 0: SELECT count(*) FILTER(WHERE EXISTS(SELECT FROM "public".visits AS w WHERE w.cost > v.cost)) FROM "public".visits AS v

SELECT count(*) FROM visits v WHERE urgent OR v.cost IN (SELECT w.cost FROM visits w WHERE w.patient_id = v.patient_id AND w.visit_id < v.visit_id);
--> query: SELECT count(*) FROM "public".visits AS v LEFT JOIN (SELECT w.patient_id AS dpscalar_key0, w.cost AS dpscalar_key1, "dpown"."dpown_visit_id" AS dpscalar_key2, count(*) AS dpscalar_value FROM "public".visits AS w CROSS JOIN (SELECT "v"."cost" AS "dpown_cost", "v"."patient_id" AS "dpown_patient_id", "v"."visit_id" AS "dpown_visit_id" FROM "public".visits AS v) AS dpown WHERE (w.patient_id = "dpown"."dpown_patient_id") AND (w.visit_id < "dpown"."dpown_visit_id") AND (w.cost = "dpown"."dpown_cost") GROUP BY w.patient_id, w.cost, "dpown"."dpown_visit_id") AS dpscalar_0 ON dpscalar_0.dpscalar_key0 = v.patient_id AND dpscalar_0.dpscalar_key1 = "v".cost AND dpscalar_0.dpscalar_key2 = "v"."visit_id" WHERE urgent OR ((coalesce(dpscalar_0.dpscalar_value, 0)) > 0)
--> block 0: SELECT count(*) FROM "public".visits AS v LEFT JOIN (SELECT w.patient_id AS dpscalar_key0, w.cost AS dpscalar_key1, "dpown"."dpown_visit_id" AS dpscalar_key2, count(*) AS dpscalar_value FROM "public".visits AS w CROSS JOIN (SELECT "v"."cost" AS "dpown_cost", "v"."patient_id" AS "dpown_patient_id", "v"."visit_id" AS "dpown_visit_id" FROM "public".visits AS v) AS dpown WHERE (w.patient_id = "dpown"."dpown_patient_id") AND (w.visit_id < "dpown"."dpown_visit_id") AND (w.cost = "dpown"."dpown_cost") GROUP BY w.patient_id, w.cost, "dpown"."dpown_visit_id") AS dpscalar_0 ON dpscalar_0.dpscalar_key0 = v.patient_id AND dpscalar_0.dpscalar_key1 = "v".cost AND dpscalar_0.dpscalar_key2 = "v"."visit_id" WHERE urgent OR ((coalesce(dpscalar_0.dpscalar_value, 0)) > 0)
