"""A whole proxy: catalog, stage, ledger, router and listener put together (DESIGN sections 1 and 2)."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field

from psycopg import conninfo

from proxy.answer import PrivateRouter
from proxy.budget.answers import Answers
from proxy.budget.ledger import Ledger
from proxy.policy.model import Policy
from proxy.postgres.catalog import read_catalog
from proxy.postgres.source import Source
from proxy.postgres.stage import Stage, build_stage
from proxy.sql.schema import Schema
from proxy.wire.server import Server
from proxy.wire.session import Limits
from proxy.wire.stage_connection import StageAddress


@dataclass(frozen=True)
class ServiceOptions:
    """What a proxy needs to run.

    Attributes:
        policy: the checked policy.
        source_dsn: the owner's database, as a role that may SELECT the policy's tables.
        stage_dsn: a database of the stage's cluster, as a role that may create databases and roles.
        ledger_dsn: the ledger's database, as a role that may create a schema in it.
        host: address to listen on.
        port: port to listen on; 0 picks a free one.
        source_timeout: seconds a measurement may take.
        limits: of the wire.
    """

    policy: Policy
    source_dsn: str = field(repr=False)
    stage_dsn: str = field(repr=False)
    ledger_dsn: str = field(repr=False)
    host: str = "127.0.0.1"
    port: int = 5433
    source_timeout: float = 60.0
    limits: Limits = field(default_factory=Limits)


class Service:
    """Starts and stops one proxy. Not restartable: make a new one."""

    def __init__(self, options: ServiceOptions) -> None:
        self._options = options
        self._source = Source(options.source_dsn, statement_timeout_seconds=options.source_timeout)
        self._ledger = Ledger(options.ledger_dsn)
        self._stage: Stage | None = None
        self._server: Server | None = None

    async def start(self) -> tuple[str, int]:
        """Read the catalog, build the stage, open the ledger, listen; returns the address.

        Raises:
            psycopg.Error: the source or the stage cannot be reached or used.
            LedgerUnavailableError: the ledger cannot be used.
            OSError: the address is taken.
        """
        options = self._options
        catalog = await asyncio.to_thread(read_catalog, options.source_dsn, list(options.policy.tables))
        self._stage = await asyncio.to_thread(
            build_stage, options.stage_dsn, options.policy, catalog, options.source_dsn, catalog.database
        )
        await self._ledger.open()
        schema = Schema(options.policy, catalog)
        router = PrivateRouter(schema, self._source, self._stage, self._ledger, Answers(self._ledger.database))
        verifiers = {name: analyst.password for name, analyst in options.policy.analysts.items()}
        self._server = Server(
            router,
            verifiers,
            stage_address(options.stage_dsn, catalog.database, self._stage),
            catalog.database,
            options.limits,
        )
        return await self._server.start(options.host, options.port)

    async def stop(self) -> None:
        """Stop listening, let running statements finish for a while, close every connection."""
        if self._server is not None:
            await self._server.stop()
        await self._source.close()
        if self._stage is not None:
            await self._stage.close()
        await self._ledger.close()


def stage_address(dsn: str, database: str, stage: Stage) -> StageAddress:
    """Where sessions connect: the host and port of the stage's DSN, as each analyst's own role."""
    parameters = conninfo.conninfo_to_dict(dsn)
    host = str(parameters.get("host") or "127.0.0.1")
    return StageAddress(host, int(str(parameters.get("port") or 5432)), database, stage.password)
