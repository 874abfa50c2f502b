"""A small clinic: private patients and visits, public regions, and columns that clients may not see."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import psycopg
import pytest
from psycopg import sql

from proxy.policy.catalog import Catalog
from proxy.policy.model import Policy
from proxy.postgres.binaries import EmbeddedPostgresError, major_version, system_directories, wheel_directory
from proxy.postgres.catalog_reader import read_catalog
from proxy.postgres.embedded import EmbeddedPostgres
from proxy.postgres.stage import Stage
from proxy.postgres.stage_building import build_stage
from tests.conftest import SERVER_SETTINGS, PostgresCluster

CLINIC = """
CREATE TYPE mood AS ENUM ('calm', 'secretly angry');
CREATE TABLE regions (
    region_id integer PRIMARY KEY, name character(8) NOT NULL UNIQUE, area numeric(8, 2), founded date, note text
);
CREATE TABLE patients (
    patient_id bigint PRIMARY KEY, region_id integer REFERENCES regions, birth_year smallint NOT NULL,
    diagnosis text DEFAULT 'a secret default' CHECK (diagnosis <> 'a secret check'), mood mood
);
CREATE SCHEMA "Ward 1";
CREATE TABLE "Ward 1"."Visits" (
    visit_id bigint PRIMARY KEY, patient_id bigint NOT NULL REFERENCES patients, cost numeric(10, 2),
    visited_at timestamptz, "Kind of" varchar(20)
);
COMMENT ON TABLE patients IS 'a secret comment';
INSERT INTO regions VALUES
    (1, 'north', 10.50, '2001-02-03', 'hidden'), (2, 'tab\t\\.', NULL, NULL, NULL), (3, '', 0, '-infinity', '');
INSERT INTO patients SELECT i, 1 + i % 3, 1950 + i % 50, 'x', 'calm' FROM generate_series(1, 300) AS i;
INSERT INTO "Ward 1"."Visits" SELECT i, 1 + i % 300, i, now(), 'a' FROM generate_series(1, 900) AS i;
ANALYZE;
"""

TABLES = ("public.regions", "public.patients", "Ward 1.Visits")


@pytest.fixture(scope="session")
def clinic(postgres_cluster: PostgresCluster) -> str:
    """DSN of a source that no test changes."""
    return make_clinic(postgres_cluster)


@pytest.fixture(scope="session")
def clinic_catalog(clinic: str) -> Catalog:
    return read_catalog(clinic, TABLES)


@dataclass(frozen=True)
class Guarded:
    """A stage of the clinic, and its server."""

    server: EmbeddedPostgres
    stage: Stage


def servers() -> dict[int, Path]:
    """The programs of every major version that this machine has."""
    found: dict[int, Path] = {}
    for directory in filter(None, [*system_directories(), wheel_directory()]):
        try:
            found.setdefault(major_version(directory), directory)
        except EmbeddedPostgresError:
            continue
    return found


@pytest.fixture(scope="session", params=servers().items(), ids=lambda server: f"PostgreSQL {server[0]}")
def guarded(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, clinic: str, clinic_catalog: Catalog
) -> Iterator[Guarded]:
    """A stage of the clinic on each server that this machine has."""
    _, binaries = request.param
    directory = tmp_path_factory.mktemp("guarded")
    with EmbeddedPostgres(directory, durable=False, binaries=binaries, settings=SERVER_SETTINGS) as server:
        yield Guarded(server, build_stage(server.dsn(), clinic_policy(), clinic_catalog, clinic, "guarded"))


def make_clinic(cluster: PostgresCluster) -> str:
    """DSN of a clinic of one's own."""
    dsn = cluster.create_database("clinic")
    with psycopg.connect(dsn, autocommit=True) as connection:
        connection.execute(CLINIC)
        # As an owner's server has it, unlike the tests'.
        database = sql.Identifier(connection.info.dbname)
        connection.execute(sql.SQL("ALTER DATABASE {} SET jit = on").format(database))
    return dsn


def clinic_policy(analysts: tuple[str, ...] = ("ana", "Bo B")) -> Policy:
    """Hides `diagnosis` and `note`; `mood` is visible."""
    budget = {"epsilon": 4, "delta": "1e-6"}
    return Policy.model_validate(
        {
            "version": 1,
            "analysts": {name: {"password": "SCRAM-SHA-256$4096:…"} for name in analysts},
            "tables": {
                "public.regions": {"public": True, "columns": {"region_id": {}, "name": {}, "area": {}, "founded": {}}},
                "public.patients": {
                    "unit": {"name": "patient", "column": "patient_id"},
                    "budget": budget,
                    "columns": {
                        "patient_id": {},
                        "region_id": {"values_from": "public.regions.region_id"},
                        "birth_year": {"range": [1900, 2026]},
                        "mood": {"values": ["calm"]},
                    },
                },
                "Ward 1.Visits": {
                    "unit": {"name": "patient", "column": "patient_id"},
                    "budget": budget,
                    "columns": {"patient_id": {}, "cost": {"bounds": [0, 5000], "step": "0.01"}, "Kind of": {}},
                },
            },
        }
    )
