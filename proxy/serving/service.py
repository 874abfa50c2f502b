"""A whole proxy: catalog, stage, ledger, router and listener assembled (decisions 1 and 2)."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass, field

from proxy.budget.answers import Answers
from proxy.budget.failures import Failures
from proxy.budget.ledger import Ledger
from proxy.dp.accounting import Price
from proxy.policy.catalog import Catalog
from proxy.policy.findings import PolicyError, SourceMap, has_errors
from proxy.policy.lint import check_against_catalog
from proxy.policy.model import Policy
from proxy.policy.traps import Watch
from proxy.policy.type_values import with_values_of_types
from proxy.policy.window_rules import check_earlier_accounts
from proxy.postgres.catalog_reader import catalog_for
from proxy.postgres.databases import LEDGER_DATABASE, host_and_port
from proxy.postgres.source import Source
from proxy.postgres.stage import Stage, build_stage
from proxy.query.pacing import Pacer
from proxy.query.private_router import PrivateRouter
from proxy.serving.logins import accounts_of, read_credentials
from proxy.sql.schema import Schema
from proxy.wire.server import Server
from proxy.wire.session import Limits
from proxy.wire.stage_connection import StageAddress
from proxy.wire.tls import CertificateError, TlsFiles

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class ServiceOptions:
    """Everything that a proxy needs to run.

    Attributes:
        policy: the checked policy.
        source_dsn: the owner's database, as a role that may SELECT the policy's tables.
        stage_dsn: a database of the stage's server, as a superuser.
        ledger_dsn: the ledger's database, as a role that may create a schema in it.
        owns_stage_cluster: is the stage's server ours alone, so that its other databases can be closed to analysts?
        host: address to listen on.
        port: port to listen on; 0 picks a free one.
        tls: the files of the server's certificate; None if there is no TLS.
        require_tls: are clients without TLS refused?
        source_timeout: seconds a source query may take.
        limits: of the wire.
    """

    policy: Policy
    source_dsn: str = field(repr=False)
    stage_dsn: str = field(repr=False)
    ledger_dsn: str = field(repr=False)
    owns_stage_cluster: bool = False
    host: str = "127.0.0.1"
    port: int = 5433
    tls: TlsFiles | None = None
    require_tls: bool = False
    source_timeout: float = 60.0
    limits: Limits = field(default_factory=Limits)


class Service:
    """Starts and stops one proxy. It cannot be restarted."""

    def __init__(self, options: ServiceOptions) -> None:
        self._options = options
        self._source: Source | None = None
        self._ledger = Ledger(options.ledger_dsn)
        self._stage: Stage | None = None
        self._server: Server | None = None

    async def start(self) -> tuple[str, int]:
        """Read the catalog, build the stage, open the ledger, listen; returns the address.

        Raises:
            PolicyError: the policy does not fit the source.
            psycopg.Error: the source or the stage cannot be reached or used.
            LedgerUnavailableError: the ledger cannot be used.
            CertificateError: the files of the certificate cannot be used.
            OSError: the address is taken.
        """
        options = self._options
        credentials = None if options.tls is None else read_credentials(options.tls)
        catalog = await asyncio.to_thread(catalog_for, options.source_dsn, options.policy)
        _require_fitting(options.policy, catalog)
        policy = with_values_of_types(options.policy, catalog)
        database = client_database(catalog.database)
        self._stage = await asyncio.to_thread(
            build_stage,
            options.stage_dsn,
            policy,
            catalog,
            options.source_dsn,
            database,
            owns_cluster=options.owns_stage_cluster,
        )
        await self._ledger.open()
        charged = [name for name, spent in (await self._ledger.accounts()).items() if spent != Price.zero()]
        findings = list(check_earlier_accounts(options.policy, charged, SourceMap("policy")))
        if findings:
            await self.stop()
            raise PolicyError(findings)
        schema = Schema(policy, catalog)
        watch = Watch(options.policy, catalog)
        self._source = Source(options.source_dsn, watch, statement_timeout_seconds=options.source_timeout)
        database_of_ledger = self._ledger.database
        failures = Failures(database_of_ledger, options.policy.failures)
        answers = Answers(database_of_ledger)
        router = PrivateRouter(schema, self._source, self._stage, self._ledger, answers, failures, Pacer())
        host, port = host_and_port(options.stage_dsn)
        self._server = Server(
            router,
            accounts_of(options.policy),
            StageAddress(host, port, database, self._stage.password),
            database,
            options.limits,
            credentials=credentials,
            require_tls=options.require_tls,
        )
        return await self._server.start(options.host, options.port)

    def reload_certificate(self) -> None:
        """Read the certificate's files again, for the clients to come; if they cannot be used the old one stays."""
        if self._options.tls is None or self._server is None:
            logger.info("there is no certificate to read again")
            return
        try:
            self._server.use_credentials(read_credentials(self._options.tls))
        except CertificateError as error:
            logger.error("the certificate cannot be read again, the old one stays: %s", error)

    async def stop(self) -> None:
        """Stop listening, give running statements some time to finish, and close every connection."""
        if self._server is not None:
            await self._server.stop()
        if self._source is not None:
            await self._source.close()
        if self._stage is not None:
            await self._stage.close()
        await self._ledger.close()


def _require_fitting(policy: Policy, catalog: Catalog) -> None:
    """Refuse to start with an error of `dpproxy check --source`: proofs rest on what the policy says of the source."""
    findings = check_against_catalog(policy, catalog)
    if has_errors(findings):
        raise PolicyError([finding for finding in findings if finding.severity == "error"])


def client_database(source_name: str) -> str:
    """The database name that clients use: the source's, unless the stage's server has such a database of its own."""
    reserved = ("postgres", "template0", "template1", LEDGER_DATABASE)
    return "source" if source_name in reserved else source_name
