"""The database that is audited: people with rows in tables of every shape, and a policy that bounds what each may add."""

from __future__ import annotations

import datetime as dt
from typing import Any

from proxy.policy.model import Policy
from tests.end_to_end.clinic import VERIFIER

ONE = 77
"""The unit that one of two neighbouring databases has, and the other has not."""

PRIVATE = ("people", "visits", "prescriptions", "insurances", "claims", "papers")
PUBLIC = ("regions", "drugs")

TABLES = """
CREATE TABLE regions (name text PRIMARY KEY, zone text, population bigint NOT NULL);
INSERT INTO regions VALUES ('north', 'cold', 1200), ('south', 'warm', 3400), ('east', 'cold', 560), ('west', NULL, 780),
    ('nowhere', 'void', 0);
CREATE TABLE drugs (name text PRIMARY KEY, strength integer NOT NULL);
INSERT INTO drugs SELECT 'drug ' || i, i * i FROM generate_series(0, 4) AS i;
CREATE TABLE people (
    person integer PRIMARY KEY, region text, grade smallint, sex char(1), born date, height numeric(5, 1), smoker boolean,
    town text, badge bpchar
);
CREATE TABLE visits (
    visit integer PRIMARY KEY, person integer NOT NULL, region text, ward text, code char(6), at timestamp, seen timestamptz,
    cost numeric(10, 2), discount numeric, minutes integer, score double precision, ratio real, wait interval, clock timetz,
    urgent boolean
);
CREATE TABLE prescriptions (prescription integer PRIMARY KEY, visit integer, drug text, dose integer);
CREATE TABLE insurances (person integer, company text, premium integer);
CREATE TABLE claims (person numeric NOT NULL, kind text, amount numeric);
CREATE TABLE papers (
    person integer NOT NULL, body text, blank bpchar, doc jsonb, raw json, list json[], spots point[], scan bytea
);
CREATE TABLE calls (person integer NOT NULL, at timestamp, kind text, region text, seconds integer);
"""

EVERYBODY = f"""
INSERT INTO people
SELECT i, (ARRAY['north', 'south', 'east', 'west', NULL])[1 + i % 5], 1 + (i * 7) % 10, (ARRAY['F', 'M', NULL])[1 + (i / 3) % 3],
       date '1950-01-01' + (i * 131) % 20000, 150 + ((i * 271) % 500) / 10.0, CASE WHEN i % 7 < 3 THEN true WHEN i % 7 < 6 THEN false END,
       'town ' || i % 3, 'b' || i % 2
FROM generate_series(1, 300) AS i WHERE i <> {ONE};
INSERT INTO visits
SELECT i, person, (ARRAY['north', 'south', 'east', 'west', NULL])[1 + (i / 5) % 5], 'ward ' || i % 3, 'c' || i % 2,
       timestamp '2024-01-01' + (i * 17 % 730) * interval '1 day' + (i % 24) * interval '1 hour',
       timestamptz '2024-01-01 00:00+00' + (i * 31 % 17000) * interval '1 hour', ((i * 37) % 100000) / 100.0,
       CASE WHEN i % 3 = 0 THEN ((i * 7) % 300) / 1000.0 END, CASE WHEN i % 11 > 0 THEN i % 120 END, (i % 1000) / 7.0,
       (i % 100) / 8.0, (i % 3) * interval '1 day', timetz '10:00+00', i % 4 = 0
FROM generate_series(1, 1500) AS i, LATERAL (SELECT 1 + (i * 7919) % 300 AS person) AS p WHERE person <> {ONE};
INSERT INTO prescriptions
SELECT i, visit, 'drug ' || i % 5, i % 90 FROM generate_series(1, 900) AS i JOIN visits ON visit = 1 + (i * 7) % 1500;
INSERT INTO insurances
SELECT person, 'company ' || i % 3, i % 500 FROM generate_series(1, 400) AS i, LATERAL (SELECT 1 + (i * 31) % 300 AS person) AS p
WHERE person <> {ONE};
INSERT INTO claims
SELECT person::numeric(20, 0) + (ARRAY[0, 0.0, 0.00])[1 + i % 3], 'kind ' || i % 3, (i % 50) / 2.0
FROM generate_series(1, 600) AS i, LATERAL (SELECT 1 + (i * 17) % 300 AS person) AS p
WHERE person <> {ONE};
INSERT INTO claims
SELECT person + zero, 'kind ' || i % 2, 100 + i / 2.0
FROM generate_series(0, 59) AS i, generate_series(1, 20) AS person, unnest(ARRAY[0, 0.0, 0.00]) AS zero;
INSERT INTO papers
SELECT i, 'body ' || i % 4, 'b' || i % 3, jsonb_build_object('n', i % 5), '{{}}', NULL, NULL, 'scan'
FROM generate_series(1, 300) AS i WHERE i <> {ONE};
INSERT INTO calls
SELECT person, timestamp '2024-01-01' + i * interval '7 hours', 'kind ' || i % 4, (ARRAY['north', 'south', NULL])[1 + i % 3], i % 200
FROM generate_series(1, 900) AS i, LATERAL (SELECT 1 + (i * 13) % 300 AS person) AS p WHERE person <> {ONE};
"""

_NUMBER = {"bounds": ["0", "100"]}
_DAYS = {"bounds": [dt.date(2024, 1, 1), dt.date(2026, 1, 1)]}
_REGION = {"values_from": "public.regions.name"}
_COLUMNS: dict[str, dict[str, Any]] = {
    "people": {
        "person": {},
        "region": _REGION,
        "grade": {"range": ["1", "10"]},
        "sex": {"values": ["F", "M"]},
        "born": {"bounds": [dt.date(1940, 1, 1), dt.date(2020, 12, 31)]},
        "height": {"bounds": ["100", "230"]},
        "smoker": {},
        "town": {},
        "badge": {},
    },
    "visits": {
        "visit": {},
        "person": {},
        "region": _REGION,
        "ward": {},
        "code": {},
        "at": _DAYS,
        "seen": _DAYS,
        "cost": {"bounds": ["0", "1000"]},
        "discount": {"bounds": ["-1", "1"], "step": "0.001"},
        "minutes": {"bounds": ["0", "240"]},
        "score": {"bounds": ["-200", "200"]},
        "ratio": {"bounds": ["0", "20"]},
        "wait": {},
        "clock": {},
        "urgent": {},
    },
    "prescriptions": {
        "prescription": {},
        "visit": {},
        "drug": {"values_from": "public.drugs.name"},
        "dose": _NUMBER,
    },
    "insurances": {"person": {}, "company": {}, "premium": {"bounds": ["0", "500"]}},
    "claims": {"person": {}, "kind": {}, "amount": {"bounds": ["-10", "50"], "step": "0.5"}},
    "papers": {name: {} for name in ("person", "body", "blank", "doc", "raw", "list", "spots")},
}


_CHOSEN = ("insurances",)
"""Tables of which queries choose how much of a unit counts."""


def policy(*, timing: dict[str, str] | None = None, failures: int = 3, **query: str) -> Policy:
    """Bounds that busy units exceed, or none, and budgets that no audit exhausts.

    Args:
        timing: how response times are protected.
        failures: after which an analyst is suspended.
        query: changes to the price of a query.
    """
    tables: dict[str, Any] = {f"public.{name}": {"public": True} for name in PUBLIC}
    tables["public.drugs"]["columns"] = {"name": {}, "strength": _NUMBER}
    for name in PRIVATE:
        via = {"via": "visit -> public.visits.visit"} if name == "prescriptions" else {"column": "person"}
        tables[f"public.{name}"] = {
            "unit": {"name": "patient", **via},
            "budget": {"epsilon": "1e9", "delta": "0.4"},
            "query": {"epsilon": "1", "max_epsilon": "100", "delta": "1e-6"} | query,
            "columns": _COLUMNS[name],
        }
        if name in _CHOSEN:
            tables[f"public.{name}"]["contribution"] = {"max_groups": 3}
        elif name != "people":
            tables[f"public.{name}"]["contribution"] = {"max_rows": 6, "max_rows_per_group": 3, "max_groups": 3}
    calls = {"person": {}, "at": _DAYS, "kind": {}, "region": _REGION, "seconds": {"bounds": ["0", "60"]}}
    tables["public.calls"] = {
        "unit": {"name": "patient", "column": "person"},
        "budget": {"epsilon": "1e9", "delta": "0.4"} | ({} if timing is not None else {"per": "month", "of": "at"}),
        "query": {"epsilon": "1", "max_epsilon": "100", "delta": "1e-6"} | query,
        "contribution": {"max_groups": 3},
        "columns": calls,
    }
    tables["public.visits"]["per_analyst"] = {"epsilon": "1e8", "delta": "0.3"}
    analysts = {name: {"password": VERIFIER} for name in ("ana", "bob")}
    whole = {"version": 1, "analysts": analysts, "units": {"patient": {}}, "tables": tables}
    return Policy.model_validate(whole | {"timing": timing, "failures": failures})
