"""Fixtures: TPC-H at scale 0.01, and proxies before it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import psycopg
import pytest

from tests.conftest import PostgresCluster
from tests.end_to_end.conftest import StartProxy, clinic_template, copy_lasting_clinic, lasting_proxies, stage_cluster
from tests.end_to_end.running import RunningProxy
from tests.tpch.loading import generate, load
from tests.tpch.policies import exact_policy

__all__ = ["clinic_template", "copy_lasting_clinic", "lasting_proxies", "stage_cluster"]

SCALE = 0.01


@pytest.fixture(scope="session")
def load_tpch(postgres_cluster: PostgresCluster, tmp_path_factory: pytest.TempPathFactory) -> Callable[[], str]:
    """Loads the tables into a fresh database and returns its connection string."""
    directory: Path = tmp_path_factory.mktemp("tpch")
    generate(directory, SCALE)

    def loaded() -> str:
        dsn = postgres_cluster.create_database("tpch")
        load(dsn, directory)
        return dsn

    return loaded


@pytest.fixture(scope="session")
def exact_proxy(lasting_proxies: StartProxy, load_tpch: Callable[[], str]) -> RunningProxy:
    """Answers exactly: huge epsilon, loose bounds."""
    return lasting_proxies(exact_policy(), source=load_tpch())


@pytest.fixture(scope="session")
def client(exact_proxy: RunningProxy) -> Iterator[psycopg.Connection]:
    """An analyst's session in which empty groups are absent, as in Postgres."""
    with exact_proxy.connect(options="-c dp.empty_groups=hide") as connection:
        yield connection


@pytest.fixture(scope="session")
def source(exact_proxy: RunningProxy) -> Iterator[psycopg.Connection]:
    """The owner's session on the database itself."""
    with psycopg.connect(exact_proxy.options.source_dsn, autocommit=True) as connection:
        yield connection
