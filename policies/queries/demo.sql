-- What the demo's policy answers, and what not.

-- How many patients live in each region?
-- expect: answered
-- max_epsilon: 0.1
-- max_error: count(*) ±20
-- accounts: analyst:ana:public.patients, table:public.patients
SELECT region, count(*) FROM patients GROUP BY region ORDER BY region;

-- Visits, revenue and average cost by region.
-- expect: answered
-- max_epsilon: 0.1
-- max_error: count(*) ±992
-- max_error: sum(cost) ±351000
-- accounts: analyst:ana:public.visits, table:public.visits
SELECT region, count(*), sum(cost), avg(cost) FROM visits GROUP BY region ORDER BY region;

-- How busy is each quarter on the coast?
-- expect: answered
-- max_epsilon: 0.1
-- max_error: count(*) ±701
-- accounts: analyst:ana:public.visits, table:public.visits
SELECT date_trunc('quarter', visited_at)::date AS quarter, count(*)
FROM visits JOIN regions ON regions.name = visits.region WHERE zone = 'coast' GROUP BY 1 ORDER BY 1;

-- What brings people to cardiology and neurology? Diagnoses are not declared.
-- expect: answered
-- max_epsilon: 0.1
-- max_error: count(*) ±992
-- accounts: analyst:ana:public.visits, table:public.visits
SELECT diagnosis, count(*) FROM visits WHERE specialty IN ('cardiology', 'neurology') GROUP BY diagnosis;

-- Who comes how often?
-- expect: answered
-- max_epsilon: 0.1
-- max_error: count(*) ±20
-- accounts: analyst:ana:public.visits, table:public.visits
SELECT n, count(*) FROM (SELECT patient_id, count(*) AS n FROM visits GROUP BY patient_id) AS each GROUP BY n;

-- Patients of dear visits: both tables belong to the patient.
-- expect: answered
-- max_epsilon: 0.1
-- max_error: count(DISTINCT patient_id) ±22
-- accounts: analyst:ana:public.patients, analyst:ana:public.visits, table:public.patients, table:public.visits
SELECT sex, count(DISTINCT patient_id) FROM visits JOIN patients USING (patient_id) WHERE cost > 400 GROUP BY sex;

-- The list of regions is public.
-- expect: public
SELECT name, zone FROM regions;

-- No row.
-- expect: refused rows
SELECT * FROM visits;

-- No patient by itself.
-- expect: refused group-by-unit
SELECT patient_id, sum(cost) FROM visits GROUP BY patient_id;

-- A price that the policy does not allow.
SET dp.epsilon = 50;
-- expect: refused setting-limit
SELECT count(*) FROM patients;
