"""Fixtures: the library on a source, and a proxy in front of it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager

import pytest

from proxy.postgres.source import Source
from proxy.postgres.transaction import SourceRequest, Transaction
from tests.conftest import PostgresCluster
from tests.corpus import library
from tests.corpus.comparison import Comparison
from tests.end_to_end.conftest import StartProxy, clinic_template, copy_clinic, lasting_proxies, stage_cluster
from tests.end_to_end.test_refusals import RuleRecorder

__all__ = ["clinic_template", "copy_clinic", "lasting_proxies", "stage_cluster"]


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

    class NotingSource(Source):
        @asynccontextmanager
        async def transaction(self, request: SourceRequest) -> AsyncIterator[Transaction]:
            requests.append(request)
            async with super().transaction(request) as transaction:
                yield transaction

    rules: list[str | None] = []
    recorder = type("Recorder", (RuleRecorder,), {"rules": rules})
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("proxy.serving.service.PrivateRouter", recorder)
        patch.setattr("proxy.serving.service.Source", NotingSource)
        proxy = lasting_proxies(library.exact_policy(), source=library_dsn)
    with Comparison(proxy, rules) as opened:
        yield opened
