"""The clinic in a database, and the packaged policy that belongs to it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import psycopg
import pytest

import proxy.demo
from proxy.commands.check import findings_of_file
from proxy.demo.clinic import Size, clinic_dsn, exact_rows, find_clinic, load_clinic
from proxy.demo.play import demo_policy
from proxy.policy.load import examine_policy
from proxy.postgres.catalog_reader import read_catalog
from tests.conftest import PostgresCluster
from tests.demo.conftest import ROWS

POLICY_FILE = Path(proxy.demo.__file__).with_name("demo.yaml")


def test_the_policy_has_no_findings_not_even_against_the_loaded_clinic(clinic: str) -> None:
    examination = examine_policy(POLICY_FILE)
    assert examination.findings == []
    policy = demo_policy()
    # Only the demo reads as a superuser: its server is its own.
    catalog = replace(read_catalog(clinic, list(policy.tables)), superuser=False)
    assert findings_of_file(POLICY_FILE.name, examination, catalog) == []


def test_the_loaded_clinic_is_found_with_its_size(clinic: str) -> None:
    assert find_clinic(clinic) == Size(ROWS // 10, ROWS)


def test_loading_reports_every_row(postgres_cluster: PostgresCluster, clinic: str) -> None:
    reported: list[int] = []
    with pytest.raises(psycopg.errors.DuplicateDatabase):
        load_clinic(postgres_cluster.dsn("postgres"), 1_000, reported.append)
    assert sum(reported) == 1_000 + 100
    assert find_clinic(clinic) == Size(ROWS // 10, ROWS)


def test_visits_have_an_index_on_the_unit_and_statistics(clinic: str) -> None:
    ((indexed, rows),) = exact_rows(
        clinic,
        "SELECT EXISTS (SELECT FROM pg_indexes WHERE tablename = 'visits' AND indexdef LIKE '%(patient_id)'),"
        " (SELECT reltuples::int FROM pg_class WHERE relname = 'visits')",
    )
    assert indexed
    assert rows == ROWS


def test_the_clinics_connection_string_names_its_database() -> None:
    assert "dbname=clinic" in clinic_dsn("host=/tmp dbname=postgres")
