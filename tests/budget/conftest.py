"""A fresh database for every test of the ledger."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.conftest import PostgresCluster


@pytest.fixture
def dsn(postgres_cluster: PostgresCluster) -> Iterator[str]:
    """Connection string of an empty database."""
    with postgres_cluster.database("ledger") as database:
        yield database
