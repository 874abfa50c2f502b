"""A clinic that exists as a catalog and a policy alone: statements over it are planned without any server.

`samples` has the columns of `visits` and one row for each patient, which makes the SQL for its expressions short.
`insurances` has the patients under numbers of another type. No client sees the column `diet` of `stays`.
"""

from __future__ import annotations

import datetime as dt
from fractions import Fraction
from typing import Any

from proxy.policy.catalog import Catalog, Column, ForeignKey, Table
from proxy.policy.model import Policy
from proxy.sql.schema import Schema

_INTEGER, _BIGINT, _TEXT, _BOOLEAN, _DATE = (
    ("integer", 23),
    ("bigint", 20),
    ("text", 25),
    ("boolean", 16),
    ("date", 1082),
)
_TIMESTAMP, _TIMESTAMPTZ = ("timestamp without time zone", 1114), ("timestamp with time zone", 1184)
_NUMERIC, _FLOAT, _INTERVAL = ("numeric", 1700), ("double precision", 701), ("interval", 1186)
_JSONB, _TEXTS = ("jsonb", 3802), ("text[]", 1009)

_CENTS = (8 << 16 | 2) + 4
"""The type modifier of numeric(8, 2)."""

_LENGTHS = {("bpchar", 1042): 4 + 4, ("character varying", 1043): 10 + 4}
"""The type modifiers of character(4) and character varying(10)."""

_UNSCALED = frozenset({"level"})
"""Numeric columns without declared precision."""

_Columns = dict[str, tuple[str, int]]

PATIENTS: _Columns = {
    "patient_id": _INTEGER,
    "region": _TEXT,
    "born": _DATE,
    "height": _NUMERIC,
    "smoker": _BOOLEAN,
    "mother_id": _INTEGER,
}
VISITS: _Columns = {
    "visit_id": _BIGINT,
    "patient_id": _INTEGER,
    "region": _TEXT,
    "visited_at": _TIMESTAMP,
    "paid_at": _TIMESTAMPTZ,
    "day": _DATE,
    "minutes": _INTEGER,
    "cost": _NUMERIC,
    "score": _FLOAT,
    "urgent": _BOOLEAN,
    "diagnosis": _TEXT,
    "note": _TEXT,
    "took": _INTERVAL,
    "details": _JSONB,
    "tags": _TEXTS,
}
DRUGS: _Columns = {"drug_id": _INTEGER, "visit_id": _BIGINT, "name": _TEXT, "dose": _NUMERIC}
STAYS: _Columns = {"patient_id": _INTEGER, "ward": _TEXT, "nights": _INTEGER}
READINGS: _Columns = {
    "patient_id": _INTEGER,
    "level": _NUMERIC,
    "code": ("bpchar", 1042),
    "short": ("character varying", 1043),
    "document": ("json", 114),
    "token": ("uuid", 2950),
    "at": ("time without time zone", 1083),
    "ratio": ("real", 700),
    "small": ("smallint", 21),
    "took": _INTERVAL,
}
INSURANCES: _Columns = {"patient_id": _NUMERIC, "premium": _NUMERIC}
REGIONS: _Columns = {"name": _TEXT, "zone": _TEXT, "people": _INTEGER}
PRICES: _Columns = {"code": _TEXT, "amount": _NUMERIC, "since": _DATE}
HOLIDAYS: _Columns = {"day": _DATE, "name": _TEXT}
DOCTORS: _Columns = {"doctor_id": _INTEGER, "salary": _NUMERIC}


def _table(name: str, columns: _Columns, key: str | None, *, present: tuple[str, ...] = (), **more: Any) -> Table:
    found = {
        column: Column(
            column,
            *type_,
            type_modifier=_CENTS if type_ == _NUMERIC and column not in _UNSCALED else _LENGTHS.get(type_, -1),
            nullable=column != key and column not in present,
            scale=2 if type_ == _NUMERIC and column not in _UNSCALED else None,
        )
        for column, type_ in columns.items()
    }
    keys = (key,) if key is not None else ()
    unique = frozenset([frozenset(keys)]) if keys else frozenset[frozenset[str]]()
    return Table(f"public.{name}", found, keys, unique, **more)


CATALOG = Catalog(
    {
        "public.patients": _table("patients", PATIENTS, "patient_id", row_count=1000),
        "public.visits": _table(
            "visits",
            VISITS,
            "visit_id",
            present=("patient_id", "visited_at"),
            foreign_keys=(
                ForeignKey(("patient_id",), "public.patients", ("patient_id",)),
                ForeignKey(("region",), "public.regions", ("name",)),
            ),
        ),
        "public.samples": _table("samples", VISITS, "patient_id"),
        "public.drugs": _table(
            "drugs",
            DRUGS,
            "drug_id",
            present=("visit_id",),
            foreign_keys=(ForeignKey(("visit_id",), "public.visits", ("visit_id",)),),
        ),
        "public.stays": _table("stays", STAYS | {"diet": _TEXT}, None, present=("patient_id",)),
        "public.readings": _table("readings", READINGS, "patient_id"),
        "public.insurances": _table("insurances", INSURANCES, "patient_id"),
        "public.doctors": _table("doctors", DOCTORS, "doctor_id"),
        "public.regions": _table("regions", REGIONS, "name", row_count=5),
        "public.prices": _table(
            "prices", PRICES, "code", row_count=100, ranges={"amount": (Fraction(1, 2), Fraction(20))}
        ),
        "public.holidays": _table("holidays", HOLIDAYS, "day", row_count=30),
    }
)

_BUDGET = {"budget": {"epsilon": "10", "delta": "1e-6"}}
_PATIENT = {"unit": {"name": "patient", "column": "patient_id"}} | _BUDGET
_DAYS = {"bounds": [dt.date(2024, 1, 1), dt.date(2025, 12, 31)]}


_VISITED: dict[str, dict[str, Any]] = {
    "region": {"values_from": "public.regions.name"},
    "visited_at": _DAYS,
    "paid_at": _DAYS,
    "day": _DAYS,
    "minutes": {"range": ["0", "240"]},
    "cost": {"bounds": ["0", "1000"], "step": "0.01"},
    "score": {"bounds": ["-1", "1"]},
    "diagnosis": {"values": ["flu", "cold", "other"]},
}


def _columns(columns: _Columns, declared: dict[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
    return {name: declared.get(name, {}) for name in columns}


POLICY = Policy.model_validate(
    {
        "version": 1,
        "units": {"patient": {}, "doctor": {}},
        "tables": {
            "public.patients": _PATIENT
            | {
                "per_analyst": {"epsilon": "5", "delta": "1e-7"},
                "columns": _columns(
                    PATIENTS,
                    {
                        "region": {"values_from": "public.regions.name"},
                        "born": {"bounds": [dt.date(1920, 1, 1), dt.date(2025, 12, 31)]},
                        "height": {"bounds": ["40", "220"], "step": "0.1"},
                    },
                ),
            },
            "public.visits": _PATIENT
            | {
                "contribution": {"max_rows": 50, "max_rows_per_group": 10, "max_groups": 12},
                "columns": _columns(VISITS, _VISITED),
            },
            "public.samples": _PATIENT | {"columns": _columns(VISITS, _VISITED)},
            "public.drugs": {"unit": {"name": "patient", "via": "visit_id -> public.visits.visit_id"}}
            | _BUDGET
            | {"columns": _columns(DRUGS, {"dose": {"bounds": ["0", "50"]}})},
            "public.stays": _PATIENT | {"columns": _columns(STAYS, {"nights": {"bounds": ["0", "30"]}})},
            "public.readings": _PATIENT
            | {"columns": _columns(READINGS, {"level": {"bounds": ["0", "100"]}, "ratio": {"bounds": ["0", "1"]}})},
            "public.insurances": _PATIENT | {"columns": _columns(INSURANCES, {"premium": {"bounds": ["0", "1000"]}})},
            "public.doctors": {"unit": {"name": "doctor", "column": "doctor_id"}}
            | _BUDGET
            | {"columns": _columns(DOCTORS, {"salary": {"bounds": ["0", "500000"]}})},
            "public.regions": {"public": True},
            "public.prices": {"public": True},
            "public.holidays": {"public": True},
        },
    }
)

SCHEMA = Schema(POLICY, CATALOG)
