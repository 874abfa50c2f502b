"""Fixtures: the clinic's catalog as a file, and an odd policy over it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import psycopg
import pytest

from proxy.policy.catalog_file import catalog_text
from proxy.postgres.survey import read_whole_catalog
from tests.conftest import PostgresCluster
from tests.end_to_end.conftest import clinic_template, copy_lasting_clinic
from tests.end_to_end.odd_clinic import MORE_TABLES, odd_policy

__all__ = ["clinic_template", "copy_lasting_clinic"]


@pytest.fixture(scope="session")
def clinic_source(copy_lasting_clinic: Callable[[], str], postgres_cluster: PostgresCluster) -> str:  # noqa: ARG001
    """Connection string of a clinic with more tables."""
    source = copy_lasting_clinic()
    with psycopg.connect(source, autocommit=True) as connection:
        connection.execute(MORE_TABLES)
    return source


@pytest.fixture(scope="session")
def catalog_file(clinic_source: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What `dpproxy catalog` writes about that clinic."""
    path = tmp_path_factory.mktemp("catalog") / "catalog.json"
    path.write_text(catalog_text(read_whole_catalog(clinic_source, odd_policy())), encoding="utf-8")
    return path
