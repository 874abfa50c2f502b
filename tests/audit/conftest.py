"""The servers of the tests, for the audit's databases."""

from __future__ import annotations

import pytest

from proxy.postgres.embedded import EmbeddedPostgres
from tests.audit.databases import Databases
from tests.conftest import PostgresCluster
from tests.end_to_end.conftest import stage_cluster

__all__ = ["stage_cluster"]


@pytest.fixture(scope="session")
def databases(postgres_cluster: PostgresCluster, stage_cluster: EmbeddedPostgres) -> Databases:
    """Makes sources and starts proxies before them."""
    return Databases(postgres_cluster.dsn, stage_cluster)
