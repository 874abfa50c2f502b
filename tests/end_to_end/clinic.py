"""A small clinic with everything that makes SQL hard: NULLs, NaN, skew, ties, empty groups, odd texts, many types."""

from __future__ import annotations

import datetime as dt

import psycopg

from proxy.policy.model import Policy
from proxy.wire.scram import make_verifier

PASSWORD = "correct horse"
VERIFIER = make_verifier(PASSWORD, iterations=4096)

SCHEMA = """
CREATE TABLE regions (name text PRIMARY KEY, zone text, population bigint NOT NULL);
INSERT INTO regions VALUES
    ('north', 'cold', 1200), ('south', 'warm', 3400), ('east', 'cold', 560), ('west', NULL, 780), ('nowhere', 'void', 0);
CREATE TABLE specialties (specialty_id integer PRIMARY KEY, title varchar(40) NOT NULL, code char(4));
INSERT INTO specialties VALUES (1, 'cardiology', 'CAR'), (2, 'dermatology', 'D'), (3, 'radiology', NULL), (4, 'never', 'NEV');
CREATE TABLE patients (
    patient_id integer PRIMARY KEY, region text REFERENCES regions, birth_year smallint, sex char(1), smoker boolean,
    registered date, height numeric(4, 1)
);
INSERT INTO patients
SELECT i, (ARRAY['north', 'south', 'east', 'west', NULL])[1 + i % 5], 1930 + (i * 37) % 90,
       (ARRAY['F', 'M', NULL])[1 + (i / 3) % 3], CASE WHEN i % 7 < 3 THEN true WHEN i % 7 < 6 THEN false END,
       date '2020-01-01' + (i * 13) % 1500, 150 + ((i * 271) % 500) / 10.0
FROM generate_series(1, 2000) AS i;
CREATE TABLE visits (
    visit_id bigint PRIMARY KEY, patient_id integer NOT NULL REFERENCES patients, specialty_id integer REFERENCES specialties,
    region text, visited_at timestamp NOT NULL, seen_at timestamptz, cost numeric(10, 2), discount numeric, minutes integer,
    score double precision, ratio real, diagnosis text, urgent boolean NOT NULL
);
INSERT INTO visits
SELECT i, 1 + ((i::bigint * 7919) % 2000) * ((i::bigint * 104729) % 2000) / 2000, 1 + (i * i) % 3,
       (ARRAY['north', 'south', 'east', 'west'])[1 + (i / 5) % 4],
       timestamp '2024-01-01' + (i * 17 % 730) * interval '1 day' + (i % 24) * interval '1 hour' + (i % 60) * interval '1 minute',
       CASE WHEN i % 10 > 0 THEN timestamptz '2024-01-01 00:00+00' + (i * 31 % 17000) * interval '1 hour' END,
       CASE WHEN i % 23 > 0 THEN ((i * 37) % 100000) / 100.0 END,
       CASE WHEN i % 500 = 0 THEN 'NaN'::numeric WHEN i % 3 = 0 THEN ((i * 7) % 300) / 1000.0 END,
       CASE WHEN i % 11 > 0 THEN i % 120 END, (i % 1000) / 7.0, (i % 100) / 8.0,
       CASE WHEN i % 40 = 0 THEN NULL ELSE 'diagnosis ' || i % 6 END, i % 4 = 0
FROM generate_series(1, 12000) AS i;
CREATE INDEX ON visits (patient_id);
ANALYZE;
"""

POLICY = {
    "version": 1,
    "analysts": {"ana": {"password": VERIFIER}, "bob": {"password": VERIFIER}},
    "units": {"patient": {}},
    "tables": {
        "public.patients": {
            "unit": {"name": "patient", "column": "patient_id"},
            "budget": {"epsilon": "10", "delta": "1e-6"},
            "query": {"epsilon": "0.5", "max_epsilon": "2"},
            "columns": {
                "patient_id": {},
                "region": {"values_from": "public.regions.name"},
                "birth_year": {"range": ["1900", "2026"]},
                "sex": {"values": ["F", "M"]},
                "smoker": {},
                "registered": {"bounds": [dt.date(2020, 1, 1), dt.date(2024, 12, 31)]},
                "height": {"bounds": ["100", "230"]},
            },
        },
        "public.visits": {
            "unit": {"name": "patient", "column": "patient_id"},
            "budget": {"epsilon": "10", "delta": "1e-6"},
            "per_analyst": {"epsilon": "8", "delta": "8e-7"},
            "query": {"epsilon": "0.5", "max_epsilon": "2"},
            "contribution": {"max_rows": 20, "max_rows_per_group": 10},
            "columns": {
                "visit_id": {},
                "patient_id": {},
                "specialty_id": {"values_from": "public.specialties.specialty_id"},
                "region": {"values_from": "public.regions.name"},
                "visited_at": {"bounds": [dt.date(2024, 1, 1), dt.date(2026, 1, 1)]},
                "seen_at": {"bounds": [dt.date(2024, 1, 1), dt.date(2026, 1, 1)]},
                "cost": {"bounds": ["0", "2000"]},
                "discount": {"bounds": ["0", "1"], "step": "0.001"},
                "minutes": {"bounds": ["0", "240"]},
                "score": {"bounds": ["0", "200"]},
                "ratio": {"bounds": ["0", "20"]},
                "diagnosis": {},
                "urgent": {},
            },
        },
        "public.regions": {"public": True},
        "public.specialties": {"public": True},
    },
}


def create(dsn: str) -> None:
    """Fill an empty database with the clinic."""
    with psycopg.connect(dsn, autocommit=True) as connection:
        connection.execute(SCHEMA)


PLENTY = {"budget": {"epsilon": "1e6", "delta": "1e-6"}, "per_analyst": None}
"""Changes of a table's policy: it pays for all that a module of tests asks."""


def policy(**changes: object) -> Policy:
    """The clinic's policy; `visits` and `patients` take dictionaries that are merged into those tables."""
    content: dict[str, object] = dict(POLICY)
    tables = {name: dict(table) for name, table in POLICY["tables"].items()}  # type: ignore[attr-defined]
    for name, change in changes.items():
        if name in ("visits", "patients") and isinstance(change, dict):
            tables[f"public.{name}"] |= change
        else:
            content[name] = change
    content["tables"] = tables
    return Policy.model_validate(content)


def exact_policy(*, chooses: bool = False) -> Policy:
    """Epsilon so large and contribution bounds so loose that answers are Postgres's own (decision 8).

    Args:
        chooses: leave it to each query how much of a unit counts.
    """
    generous = {
        "budget": {"epsilon": "1e27", "delta": "0.9"},
        "per_analyst": None,
        "query": {"epsilon": "1e20", "max_epsilon": "1e22", "delta": "0.1"},
    }
    fixed = {"max_rows": 2000, "max_rows_per_group": 2000}
    loose = generous | {"contribution": {"max_groups": 64} | ({} if chooses else fixed)}
    return policy(visits=loose, patients=loose)
