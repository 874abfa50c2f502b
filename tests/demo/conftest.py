"""A small clinic, loaded once."""

from __future__ import annotations

import pytest

from proxy.demo.play import demo_policy
from proxy.demo.source import clinic_dsn, load_clinic
from proxy.postgres.catalog import read_catalog
from proxy.sql.schema import Schema
from tests.conftest import PostgresCluster

ROWS = 5_000


@pytest.fixture(scope="session")
def clinic(postgres_cluster: PostgresCluster) -> str:
    """Connection string of a clinic with `ROWS` visits."""
    server = postgres_cluster.dsn("postgres")
    load_clinic(server, ROWS)
    return clinic_dsn(server)


@pytest.fixture(scope="session")
def schema(clinic: str) -> Schema:
    policy = demo_policy()
    return Schema(policy, read_catalog(clinic, list(policy.tables)))
