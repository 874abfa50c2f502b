-- The source of compose.citus.yaml: made-up tables, spread by the patient, and a role that may read them.

SELECT to_regclass('public.visits') IS NOT NULL AS filled \gset
\if :filled
    \quit
\endif
SET client_min_messages = warning;

-- Nobody's data: a copy on each node.
CREATE TABLE public.regions (name text PRIMARY KEY);
SELECT create_reference_table('public.regions');
INSERT INTO public.regions VALUES ('east'), ('north'), ('south'), ('west');

-- All rows of a patient, of all tables, are in one shard. A key has to begin with the column that spreads the table.
CREATE TABLE public.patients (
    patient_id int PRIMARY KEY,
    region text NOT NULL REFERENCES public.regions,
    birth_year int NOT NULL
);
CREATE TABLE public.visits (
    visit_id int NOT NULL,
    patient_id int NOT NULL,
    cost numeric(10, 2) NOT NULL,
    specialty text NOT NULL CHECK (specialty IN ('cardiology', 'dermatology', 'radiology')),
    visited_at timestamp NOT NULL,
    PRIMARY KEY (patient_id, visit_id)
);
CREATE TABLE public.prescriptions (
    patient_id int NOT NULL,
    visit_id int NOT NULL,
    substance text NOT NULL,
    packages int NOT NULL
);
SELECT create_distributed_table('public.patients', 'patient_id', shard_count => 8);
SELECT create_distributed_table('public.visits', 'patient_id', colocate_with => 'public.patients');
SELECT create_distributed_table('public.prescriptions', 'patient_id', colocate_with => 'public.patients');
ALTER TABLE public.visits ADD FOREIGN KEY (patient_id) REFERENCES public.patients;
ALTER TABLE public.prescriptions ADD FOREIGN KEY (patient_id, visit_id) REFERENCES public.visits;

INSERT INTO public.patients
SELECT id, (ARRAY['east', 'north', 'south', 'west'])[1 + id % 4], 1930 + id * 7 % 90
FROM generate_series(1, 5000) AS id;
INSERT INTO public.visits
SELECT id, 1 + id * 31 % 5000, 40 + id * 137 % 20000 / 100.0,
    (ARRAY['cardiology', 'dermatology', 'radiology'])[1 + id % 3],
    timestamp '2024-01-01' + id % 730 * interval '1 day'
FROM generate_series(1, 40000) AS id;
INSERT INTO public.prescriptions
SELECT 1 + id * 31 % 5000, id, 'substance ' || id % 5, 1 + id % 3 FROM generate_series(1, 40000, 2) AS id;
ANALYZE;

CREATE ROLE reader LOGIN;
GRANT SELECT ON public.regions, public.patients, public.visits, public.prescriptions TO reader;
