"""A fresh database for every test of the ledger."""

from __future__ import annotations

import pytest

from tests.conftest import PostgresCluster


@pytest.fixture
def dsn(postgres_cluster: PostgresCluster) -> str:
    """Connection string of an empty database."""
    return postgres_cluster.create_database("ledger")
