"""A Citus cluster as the source: the same answers, work where the rows are, and failures that cost nothing."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import psycopg
import pytest

from proxy.policy.lint import check_against_catalog
from proxy.postgres import cluster as settings
from proxy.postgres.catalog_reader import catalog_for
from proxy.postgres.source import Source
from proxy.postgres.source_connection import pinned_settings
from proxy.postgres.transaction import SourceRequest, Transaction
from tests.conftest import PostgresCluster
from tests.end_to_end import clinic
from tests.end_to_end.cluster import SHARDS, Cluster, running_cluster
from tests.end_to_end.conftest import StartProxy
from tests.end_to_end.running import RunningProxy
from tests.end_to_end.test_equals_postgres import QUERIES, assert_same


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """A cluster with the clinic."""
    with running_cluster(tmp_path_factory.mktemp("cluster")) as running:
        yield running


@dataclass
class Asked:
    """A proxy in front of the cluster, and all that it has asked there."""

    proxy: RunningProxy
    requests: list[SourceRequest] = field(default_factory=list)


@pytest.fixture(scope="module", params=[False, True], ids=["fixed", "chosen"])
def asked(request: pytest.FixtureRequest, cluster: Cluster, proxies: StartProxy) -> Asked:
    """Of a policy that states how much of a unit counts, or of one whose queries choose it."""
    requests: list[SourceRequest] = []

    class NotingSource(Source):
        @asynccontextmanager
        async def transaction(self, request: SourceRequest) -> AsyncIterator[Transaction]:
            requests.append(request)
            async with super().transaction(request) as transaction:
                yield transaction

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("proxy.serving.service.Source", NotingSource)
        return Asked(proxies(clinic.exact_policy(chooses=request.param), source=cluster.source), requests)


@pytest.fixture(scope="module")
def client(asked: Asked) -> Iterator[psycopg.Connection]:
    """Of the cluster's proxy."""
    with asked.proxy.connect() as connection:
        connection.execute("SET dp.empty_groups = 'hide'")
        connection.execute("SET dp.notices = off")
        connection.execute("SET TimeZone = 'Europe/Paris'")
        yield connection


@pytest.fixture(scope="module")
def postgres(postgres_cluster: PostgresCluster) -> Iterator[psycopg.Connection]:
    """Of the clinic on one ordinary server."""
    dsn = postgres_cluster.create_database("clinic_of_cluster")
    clinic.create(dsn)
    with psycopg.connect(dsn, autocommit=True) as connection:
        connection.execute("SET TimeZone = 'Europe/Paris'")
        yield connection


@pytest.mark.parametrize("query", QUERIES.values(), ids=QUERIES.keys())
def test_answers_are_those_of_one_server(query: str, client: psycopg.Connection, postgres: psycopg.Connection) -> None:
    rows, expected = (connection.execute(query.encode()).fetchall() for connection in (client, postgres))
    if "ORDER BY" not in query:
        rows, expected = sorted(rows, key=repr), sorted(expected, key=repr)
    assert len(rows) == len(expected)
    for row, expected_row in zip(rows, expected, strict=True):
        assert_same(row, expected_row)
