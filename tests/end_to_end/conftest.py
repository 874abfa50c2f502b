"""Fixtures: a clinic on a source, a stage of its own, and proxies in front of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from itertools import count
from pathlib import Path

import pytest
from psycopg.conninfo import conninfo_to_dict

from proxy.policy.model import Policy
from proxy.postgres.databases import LEDGER_DATABASE
from proxy.postgres.embedded import EmbeddedPostgres
from proxy.serving.options import ServiceOptions
from proxy.wire.tls import TlsFiles
from tests.conftest import SERVER_SETTINGS, PostgresCluster, copy_database, drop_databases
from tests.end_to_end import clinic
from tests.end_to_end.cluster import Cluster, running_cluster
from tests.end_to_end.comparing import Connections, client_and_source
from tests.end_to_end.running import RunningProxy
from tests.end_to_end.serve_command import Setup, write_policy
from tests.wire.certificates import Authority, server_files

StartProxy = Callable[..., RunningProxy]
_numbers = count(1)


@pytest.fixture(scope="session")
def clinic_template(postgres_cluster: PostgresCluster) -> str:
    """Name of a database that holds the clinic, to be copied."""
    dsn = postgres_cluster.create_database("clinic_template")
    clinic.create(dsn)
    return str(conninfo_to_dict(dsn)["dbname"])


@pytest.fixture(scope="session")
def stage_cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EmbeddedPostgres]:
    """The server of stages and ledgers."""
    with EmbeddedPostgres(tmp_path_factory.mktemp("stage"), durable=False, settings=SERVER_SETTINGS) as postgres:
        yield postgres


@contextmanager
def copying(server: str, template: str) -> Iterator[Callable[[], str]]:
    """Makes fresh copies of a database, which live as long as the context, and returns their connection strings."""
    copies: list[str] = []

    def copy() -> str:
        copies.append(copy_database(server, template, f"copied_clinic_{next(_numbers)}"))
        return copies[-1]

    try:
        yield copy
    finally:
        drop_databases(copies)


@pytest.fixture(scope="session")
def copy_lasting_clinic(postgres_cluster: PostgresCluster, clinic_template: str) -> Iterator[Callable[[], str]]:
    """Makes copies of the clinic that live until the end of the run."""
    with copying(postgres_cluster.dsn("postgres"), clinic_template) as copy:
        yield copy


@pytest.fixture(scope="module")
def copy_clinic(postgres_cluster: PostgresCluster, clinic_template: str) -> Iterator[Callable[[], str]]:
    """Makes copies of the clinic that live until the module's last test."""
    with copying(postgres_cluster.dsn("postgres"), clinic_template) as copy:
        yield copy


@contextmanager
def starting(stage_cluster: EmbeddedPostgres, copy_clinic: Callable[[], str]) -> Iterator[StartProxy]:
    """Starts proxies that live as long as the context; each has its own copy of the clinic and its own ledger.

    What it makes on the stage's server goes with the context.
    """
    made: list[str] = []
    with ExitStack() as stack:
        stack.callback(drop_databases, made)

        def start(
            policy: Policy | None = None, *, source: str | None = None, ledger: str | None = None, **changes: object
        ) -> RunningProxy:
            source_dsn = source or copy_clinic()
            database = str(conninfo_to_dict(source_dsn)["dbname"])
            ledger_dsn = ledger or copy_database(
                stage_cluster.dsn(), "template1", f"{LEDGER_DATABASE}_{next(_numbers)}"
            )
            made.extend([stage_cluster.dsn(database), *([] if ledger else [ledger_dsn])])
            options = ServiceOptions(
                policy or clinic.policy(), source_dsn, stage_cluster.dsn(), ledger_dsn, owns_stage_cluster=True, port=0
            )
            return stack.enter_context(RunningProxy(replace(options, **changes), database))  # type: ignore[arg-type]

        yield start


@pytest.fixture(scope="module")
def proxies(stage_cluster: EmbeddedPostgres, copy_clinic: Callable[[], str]) -> Iterator[StartProxy]:
    """Starts proxies that live until the module's last test."""
    with starting(stage_cluster, copy_clinic) as start:
        yield start


@pytest.fixture(scope="session")
def lasting_proxies(stage_cluster: EmbeddedPostgres, copy_lasting_clinic: Callable[[], str]) -> Iterator[StartProxy]:
    """Starts proxies that live until the end of the run."""
    with starting(stage_cluster, copy_lasting_clinic) as start:
        yield start


@pytest.fixture(scope="session")
def exact_proxy(lasting_proxies: StartProxy) -> RunningProxy:
    """Answers exactly: huge epsilon, loose bounds."""
    return lasting_proxies(clinic.exact_policy())


@pytest.fixture(scope="session")
def choosing_proxy(lasting_proxies: StartProxy) -> RunningProxy:
    """Answers exactly, with thresholds that its queries choose."""
    return lasting_proxies(clinic.exact_policy(chooses=True))


@pytest.fixture(scope="module")
def connections(exact_proxy: RunningProxy) -> Iterator[Connections]:
    """A client of the exact proxy, and one of the source itself."""
    with client_and_source(exact_proxy) as both:
        yield both


@pytest.fixture(scope="module")
def rich_proxy(proxies: StartProxy) -> RunningProxy:
    """Ordinary noise, and a budget for all that a module asks."""
    return proxies(clinic.policy(visits=clinic.PLENTY, patients=clinic.PLENTY))


@pytest.fixture(scope="session")
def proxy(lasting_proxies: StartProxy) -> RunningProxy:
    """An ordinary proxy that tests share for what costs nothing; its budget must not matter."""
    return lasting_proxies()


@pytest.fixture(scope="module")
def setup(tmp_path_factory: pytest.TempPathFactory, copy_clinic: Callable[[], str]) -> Setup:
    """What `dpproxy serve` needs, with one state directory for the whole module: its server's files are made once."""
    directory = tmp_path_factory.mktemp("serve")
    return Setup(write_policy(directory / "policy.yaml"), directory / "state", copy_clinic())


@pytest.fixture
def certified(tmp_path: Path) -> tuple[Authority, TlsFiles]:
    """A certificate of the server, and who signed it and may sign those of clients."""
    authority = Authority(tmp_path)
    return authority, server_files(authority, client_ca=authority.file)


@pytest.fixture(scope="session")
def cluster() -> Iterator[Cluster]:
    """A Citus cluster with the clinic, where the environment names a PostgreSQL with Citus."""
    with running_cluster() as running:
        yield running
