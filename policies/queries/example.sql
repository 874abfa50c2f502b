-- What policies/example.yaml answers, and what not.

-- Visits by specialty: declared values.
-- expect: answered
-- max_epsilon: 0.1
-- accounts: analyst:ana:public.visits, table:public.visits, unit:patient
SELECT specialty, count(*), avg(cost) FROM visits GROUP BY specialty;

-- Visits by month.
-- expect: answered
-- max_epsilon: 0.1
-- accounts: analyst:ana:public.visits, table:public.visits, unit:patient
SELECT date_trunc('month', visited_at) AS month, count(*) FROM visits GROUP BY month;

-- Patients by region, whose list is public.
-- expect: answered
-- max_epsilon: 0.1
-- max_error: count(*) ±28
-- accounts: table:public.patients, unit:patient
SELECT region, count(*), avg(birth_year) FROM patients GROUP BY region;

-- Diagnoses are not declared: those of enough patients are shown.
-- expect: answered
-- max_epsilon: 0.1
-- accounts: analyst:ana:public.visits, table:public.visits, unit:patient
SELECT diagnosis, count(*) FROM visits GROUP BY diagnosis;

-- Packages of a prescription: it belongs to the patient of its visit.
-- expect: answered
-- max_epsilon: 0.1
-- accounts: analyst:ana:public.visits, table:public.prescriptions, table:public.visits, unit:patient
SELECT packages, count(*) FROM prescriptions GROUP BY packages;

-- Prescriptions of dear visits.
-- expect: answered
-- max_epsilon: 0.1
-- accounts: analyst:ana:public.visits, table:public.prescriptions, table:public.visits, unit:patient
SELECT substance, count(*) FROM prescriptions JOIN visits USING (visit_id) WHERE cost > 1000 GROUP BY substance;

-- No row, not even of one column.
-- expect: refused rows
SELECT diagnosis FROM visits LIMIT 1;

-- No patient by itself.
-- expect: refused group-by-unit
SELECT patient_id, count(*) FROM visits GROUP BY patient_id;
