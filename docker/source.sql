-- The source of compose.yaml: the tables of policies/example.yaml with made-up rows, and a role that may read them.

CREATE TABLE public.regions (name text PRIMARY KEY);
INSERT INTO public.regions VALUES ('east'), ('north'), ('south'), ('west');

CREATE TABLE public.patients (
    patient_id int PRIMARY KEY,
    region text NOT NULL REFERENCES public.regions,
    birth_year int NOT NULL
);
INSERT INTO public.patients
SELECT id, (ARRAY['east', 'north', 'south', 'west'])[1 + id % 4], 1930 + id * 7 % 90
FROM generate_series(1, 5000) AS id;

CREATE TABLE public.visits (
    visit_id int PRIMARY KEY,
    patient_id int NOT NULL REFERENCES public.patients,
    cost numeric(10, 2) NOT NULL,
    specialty text NOT NULL CHECK (specialty IN ('cardiology', 'dermatology', 'radiology')),
    visited_at timestamp NOT NULL,
    diagnosis text
);
INSERT INTO public.visits
SELECT id, 1 + id * 31 % 5000, 40 + id * 137 % 20000 / 100.0,
    (ARRAY['cardiology', 'dermatology', 'radiology'])[1 + id % 3],
    timestamp '2024-01-01' + id % 730 * interval '1 day',
    'diagnosis ' || id * 13 % 8
FROM generate_series(1, 40000) AS id;
CREATE INDEX ON public.visits (patient_id);

CREATE TABLE public.prescriptions (
    visit_id int NOT NULL REFERENCES public.visits,
    substance text NOT NULL,
    packages int NOT NULL
);
INSERT INTO public.prescriptions
SELECT id, 'substance ' || id % 5, 1 + id % 3 FROM generate_series(1, 40000, 2) AS id;

ANALYZE;

CREATE ROLE reader LOGIN PASSWORD 'reader';
GRANT SELECT ON public.regions, public.patients, public.visits, public.prescriptions TO reader;
