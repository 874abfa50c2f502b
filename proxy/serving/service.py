"""A whole proxy: catalog, stage, ledger, router and listener assembled (decisions 1 and 2)."""

from __future__ import annotations

import asyncio
import datetime as dt
import logging
from collections.abc import Iterator
from contextlib import contextmanager

from proxy.budget.answers import Answers
from proxy.budget.failures import Failures
from proxy.budget.in_flight import InFlight
from proxy.budget.ledger import Ledger
from proxy.budget.precisions import Precisions
from proxy.budget.witness import Witness
from proxy.dashboard.told import Live, Start, in_force
from proxy.errors import LedgerUnavailableError, StageBusyError
from proxy.policy.findings import PolicyError
from proxy.policy.model import Policy
from proxy.policy.traps import Watch
from proxy.postgres.databases import DatabaseError, client_database, host_and_port
from proxy.postgres.source import Source
from proxy.postgres.stage import Stage
from proxy.postgres.stage_building import build_stage, synchronise_stage
from proxy.postgres.stage_schema import StageBuildError
from proxy.query.audit_log import AuditLog
from proxy.query.counts import Counts
from proxy.query.pacing import Pacer
from proxy.query.paid_work import PaidWork
from proxy.query.private_router import PrivateRouter
from proxy.query.workers import Workers
from proxy.serving.current_router import CurrentRouter
from proxy.serving.dashboard import Dashboard
from proxy.serving.earlier_tables import require_known_tables
from proxy.serving.health import Health
from proxy.serving.logins import accounts_of, read_credentials
from proxy.serving.metrics import LoopLag
from proxy.serving.options import ServiceOptions
from proxy.serving.pages import Pages
from proxy.serving.requirements import fitting_limits, open_ledger, policy_and_catalog, require_known_accounts
from proxy.serving.status_server import StatusServer
from proxy.serving.threads import in_thread
from proxy.serving.uncounted import warn_of_uncounted
from proxy.sql.plain_postgres import require_interpreted
from proxy.sql.schema import Schema
from proxy.wire.roster import Roster
from proxy.wire.server import Server
from proxy.wire.stage_connection import StageAddress
from proxy.wire.tls import CertificateError

logger = logging.getLogger(__name__)


class Service:
    """Starts and stops one proxy. It cannot be restarted.

    Attributes:
        http: where the dashboard listens, if it does.
    """

    def __init__(self, options: ServiceOptions) -> None:
        self._options = options
        self._ledger = Ledger(options.ledger_dsn)
        self._in_flight = InFlight(options.ledger_dsn)
        self._work = PaidWork(self._in_flight)
        self._answers = Answers(self._ledger.database)
        self._precisions = Precisions(self._ledger.database)
        self._pacer = Pacer()
        self._counts = Counts()
        self._roster = Roster()
        self._source: Source | None = None
        self._witness: Witness | None = None
        self._audit = AuditLog()
        self._stage: Stage | None = None
        self._planners: Workers | None = None
        self._server: Server | None = None
        self._router: CurrentRouter | None = None
        self._pages: Pages | None = None
        self._status: StatusServer | None = None
        self._dashboard: Dashboard | None = None
        self.http: tuple[str, int] | None = None
        self._since = dt.datetime.now(dt.UTC)
        self._limits = options.limits
        self._tasks: list[asyncio.Task[None]] = []
        self._reloading = asyncio.Lock()

    async def start(self) -> tuple[str, int]:
        """Read the catalog, build the stage, open the ledger, listen; returns the address.

        Raises:
            PolicyError: the policy does not fit the source.
            StageBuildError: an obstacle that the operator must remove.
            psycopg.Error: the source or the stage cannot be reached or used.
            LedgerUnavailableError: the ledger cannot be used.
            LedgerLostError: it is not the one that the policy remembers.
            LedgerDisagreesError: somebody has changed it.
            CompiledSqlglotError: statements cannot be parsed here.
            CertificateError: the files of the certificate cannot be used.
            LimitsError: the stage's server has no room for as many sessions.
            OSError: the address is taken, or the audit log cannot be written. This and errors of databases have a note
                that says what could not be done.
        """
        try:
            return await self._start()
        except BaseException:
            await self.stop()
            raise

    async def _start(self) -> tuple[str, int]:
        options = self._options
        require_interpreted()
        credentials = None if options.tls is None else read_credentials(options.tls)
        with _noted("the private database cannot be used"):
            policy, catalog = await in_thread(policy_and_catalog, options.policy, options.source_dsn)
        database = client_database(catalog.database)
        with _noted("the stage cannot be used"):
            self._limits = await in_thread(fitting_limits, options)
            self._stage = await in_thread(
                build_stage,
                options.stage_dsn,
                policy,
                catalog,
                options.source_dsn,
                database,
                owns_cluster=options.owns_stage_cluster,
                sessions=self._limits.connections_per_analyst,
            )
            await in_thread(self._stage.hold)
        memory = options.memory
        may_begin = memory is None or memory.may_begin
        with _noted("the ledger cannot be used"):
            await open_ledger(self._ledger, options.policy, memory)
        with _noted("the private database cannot be used"):
            await require_known_tables(options.policy, self._ledger, options.source_dsn)
        await warn_of_uncounted(options.policy, self._ledger)
        self._witness = Witness(self._ledger.database, options.stage_dsn, None if memory is None else memory.remember)
        await self._witness.start(may_begin=may_begin)
        with _noted(f"the audit log {options.audit_log} cannot be written"):
            self._audit = AuditLog(options.audit_log, statements=options.audit_statements)
        self._source = Source(
            options.source_dsn,
            Watch(options.policy, catalog),
            statement_timeout_seconds=options.source_timeout,
            pool_size=options.source_connections,
            each=-(-options.source_connections // 2),
        )
        self._planners = Workers(Schema(policy, catalog), options.start_planner, options.planners)
        self._router = CurrentRouter(
            self._private_router(Schema(policy, catalog), self._source, self._stage, self._planners)
        )
        host, port = host_and_port(options.stage_dsn)
        self._server = Server(
            self._router,
            accounts_of(options.policy),
            StageAddress(host, port, database, self._stage.password),
            database,
            self._limits,
            credentials=credentials,
            require_tls=options.require_tls,
            roster=self._roster,
        )
        await self._planners.warm_up()
        with _noted(f"cannot listen on {options.host}:{options.port}"):
            address = await self._server.start(options.host, options.port)
        if options.status is not None:
            with _noted("cannot listen on {}:{} for --metrics".format(*options.status)):
                await self._show_status(options.status, policy, self._server, self._planners, self._source)
        if options.http is not None:
            with _noted("cannot listen on {}:{} for --http".format(*options.http)):
                await self._show_dashboard(options.http, policy)
        return address

    def _private_router(self, schema: Schema, source: Source, stage: Stage, planners: Workers) -> PrivateRouter:
        failures = Failures(self._ledger.database, schema.policy.failures)
        return PrivateRouter(
            schema,
            source,
            stage,
            self._ledger,
            self._answers,
            self._precisions,
            failures,
            self._work,
            self._pacer,
            planners,
            self._counts,
            self._audit,
            self._roster,
        )

    async def _show_status(
        self, address: tuple[str, int], policy: Policy, server: Server, planners: Workers, source: Source
    ) -> None:
        """Listen for operators."""
        lag = LoopLag()
        self._tasks.append(asyncio.create_task(lag.measure()))
        probes = {"stage": self._ask_stage, "ledger": self._ledger.accounts, "source": self._ask_source}
        self._pages = Pages(Health(probes), self._counts, server, self._ledger, lag, policy, planners.turns, source)
        self._status = StatusServer(self._pages.by_path)
        host, port = await self._status.start(*address)
        logger.info("/live, /ready and /metrics on http://%s:%d", f"[{host}]" if ":" in host else host, port)

    async def _show_dashboard(self, address: tuple[str, int], policy: Policy) -> None:
        """Listen for stewards."""
        options = self._options
        self._dashboard = Dashboard(
            Start(options.ledger_dsn, options.tls),
            in_force(policy, accounts_of(policy)),
            self._live,
            as_json=options.log_format == "json",
            level=options.log_level,
        )
        host, port = self.http = await self._dashboard.start(*address)
        scheme = "http" if options.tls is None else "https"
        logger.info("the dashboard is on %s://%s:%d", scheme, f"[{host}]" if ":" in host else host, port)

    def _live(self) -> Live:
        return Live(self._since, self._roster.facts(), tuple(self._counts.recent), tuple(self._audit.recent))

    async def _ask_stage(self) -> None:
        assert self._stage is not None
        await self._stage.rows("SELECT 1")

    async def _ask_source(self) -> None:
        assert self._source is not None
        if not await self._source.answers():
            raise ConnectionError

    async def reload(self) -> None:
        """Read the certificate's files and the policy again, for the clients and statements to come, and open the audit
        log's file. What cannot be used changes nothing, and is logged. Sessions go on, but for those of analysts who
        are no longer in the policy.
        """
        async with self._reloading:
            self._reload_certificate()
            try:
                self._audit.reopen()
            except OSError as error:
                logger.error("the audit log cannot be opened again, the old file stays: %s", error)
            if self._options.read_policy is None:
                return
            try:
                await self._use_policy(await asyncio.to_thread(self._options.read_policy))
            except PolicyError as error:
                findings = "; ".join(finding.sentence for finding in error.findings)
                logger.error("the policy cannot be read again, the old one stays: %s", findings)
            except (StageBuildError, DatabaseError, StageBusyError, LedgerUnavailableError) as error:
                logger.error("the policy cannot be read again, the old one stays: %s", str(error).partition("\n")[0])

    async def _use_policy(self, read: Policy) -> None:
        """Answer by another policy from now on.

        Raises:
            PolicyError: it is wrong, or does not fit the source.
            StageBuildError: it needs another stage.
            psycopg.Error: the source or the stage cannot be reached or used.
        """
        options, stage, source, server = self._options, self._stage, self._source, self._server
        router = self._router
        assert stage is not None
        assert source is not None
        assert server is not None
        assert router is not None
        policy, catalog = await asyncio.to_thread(policy_and_catalog, read, options.source_dsn)
        await require_known_accounts(read, self._ledger)
        await require_known_tables(read, self._ledger, options.source_dsn)
        passwords = await asyncio.to_thread(
            synchronise_stage,
            options.stage_dsn,
            policy,
            catalog,
            options.source_dsn,
            stage.database,
            owns_cluster=options.owns_stage_cluster,
            sessions=self._limits.connections_per_analyst,
            keeps_public_rows=True,
        )
        stage.learn(passwords)
        source.watch(Watch(read, catalog))
        replaced, self._planners = (
            self._planners,
            Workers(Schema(policy, catalog), options.start_planner, options.planners),
        )
        router.router = self._private_router(Schema(policy, catalog), source, stage, self._planners)
        server.use_accounts(accounts_of(read))
        if self._pages is not None:
            self._pages.policy, self._pages.planners = policy, self._planners.turns
        if self._dashboard is not None:
            self._dashboard.use(in_force(policy, accounts_of(read)))
        logger.info("the policy was read again: %d analysts, %d tables", len(policy.analysts), len(policy.tables))
        await warn_of_uncounted(read, self._ledger)
        if replaced is not None:
            await replaced.close()

    def _reload_certificate(self) -> None:
        if self._options.tls is None or self._server is None:
            logger.info("there is no certificate to read again")
            return
        try:
            self._server.use_credentials(read_credentials(self._options.tls))
            if self._dashboard is not None:
                self._dashboard.renew()
        except CertificateError as error:
            logger.error("the certificate cannot be read again, the old one stays: %s", error)

    def hurry(self) -> None:
        """Let `stop` give running statements no more time."""
        if self._server is not None:
            self._server.hurry()

    async def stop(self) -> None:
        """Stop listening, give running statements some time to finish, and close every connection."""
        for task in self._tasks:
            task.cancel()
        if self._server is not None:
            await self._server.stop()
        if self._status is not None:
            await self._status.stop()
        if self._dashboard is not None:
            await self._dashboard.stop()
        if self._planners is not None:
            await self._planners.close()
        await self._work.close(self._limits.shutdown)
        if self._source is not None:
            await self._source.close()
        if self._stage is not None:
            await self._stage.close()
        await self._in_flight.close()
        self._audit.close()
        if self._witness is not None:
            await self._witness.stop()
        await self._ledger.close()


@contextmanager
def _noted(what: str) -> Iterator[None]:
    """Note on an error of the system or of a database what could not be done."""
    try:
        yield
    except (OSError, DatabaseError, LedgerUnavailableError) as error:
        error.add_note(what)
        raise
