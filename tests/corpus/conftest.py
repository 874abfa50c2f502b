"""Fixtures: the library on a source, and a proxy in front of it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.conftest import PostgresCluster
from tests.corpus import library
from tests.corpus.comparison import Comparison
from tests.end_to_end.conftest import StartProxy, clinic_template, copy_clinic, lasting_proxies, stage_cluster
from tests.end_to_end.test_refusals import RuleRecorder

__all__ = ["clinic_template", "copy_clinic", "lasting_proxies", "stage_cluster"]


@pytest.fixture(scope="session")
def comparison(postgres_cluster: PostgresCluster, lasting_proxies: StartProxy) -> Iterator[Comparison]:
    """Asks a proxy and its source the same."""
    dsn = postgres_cluster.create_database("library")
    library.create(dsn)
    rules: list[str | None] = []
    recorder = type("Recorder", (RuleRecorder,), {"rules": rules})
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("proxy.service.PrivateRouter", recorder)
        proxy = lasting_proxies(library.exact_policy(), source=dsn)
    with Comparison(proxy, rules) as opened:
        yield opened
