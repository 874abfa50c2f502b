"""Fixtures: the library on a source, and a proxy in front of it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from proxy.postgres.transaction import SourceRequest
from tests.conftest import PostgresCluster
from tests.corpus import library
from tests.corpus.comparison import Comparison
from tests.end_to_end.conftest import StartProxy, clinic_template, copy_lasting_clinic, lasting_proxies, stage_cluster
from tests.end_to_end.recording import recording

__all__ = ["clinic_template", "copy_lasting_clinic", "lasting_proxies", "stage_cluster"]


@pytest.fixture(scope="session")
def library_dsn(postgres_cluster: PostgresCluster) -> str:
    """The library as a source."""
    dsn = postgres_cluster.create_database("library")
    library.create(dsn)
    return dsn


@pytest.fixture(scope="session")
def requests() -> list[SourceRequest]:
    """All that the proxy has asked the source."""
    return []


@pytest.fixture(scope="session")
def comparison(library_dsn: str, requests: list[SourceRequest], lasting_proxies: StartProxy) -> Iterator[Comparison]:
    """Asks a proxy and its source the same."""

    rules: list[str | None] = []
    with recording(rules, requests):
        proxy = lasting_proxies(library.exact_policy(), source=library_dsn)
    with Comparison(proxy, rules) as opened:
        yield opened
