"""A small clinic, loaded once."""

from __future__ import annotations

import pytest

from proxy.demo.clinic import clinic_dsn, load_clinic
from tests.conftest import PostgresCluster

ROWS = 5_000


@pytest.fixture(scope="session")
def clinic(postgres_cluster: PostgresCluster) -> str:
    """Connection string of a clinic with `ROWS` visits."""
    server = postgres_cluster.dsn("postgres")
    load_clinic(server, ROWS)
    return clinic_dsn(server)
