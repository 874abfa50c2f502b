"""The databases of the audit, and proxies before them."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Final

import psycopg
from psycopg import sql
from psycopg.conninfo import make_conninfo

from proxy.policy.model import Policy
from proxy.postgres.embedded import EmbeddedPostgres
from proxy.serving.options import ServiceOptions
from tests.audit.clinic import EVERYBODY, TABLES
from tests.audit.neighbours import Neighbour
from tests.conftest import SERVER_SETTINGS, copy_database
from tests.end_to_end.running import RunningProxy

SOURCE_TIMEOUT: Final = 8.0
"""Seconds. The shorter, the less work an answer needs to betray a row by failing."""

READER_PASSWORD: Final = "reads only"
_numbers = count(1)


class Databases:
    """Makes sources and starts proxies before them.

    Args:
        source: connection string of a superuser for a database of the source's server.
        stage: the server of stages and ledgers.
    """

    def __init__(self, source: Callable[[str], str], stage: EmbeddedPostgres) -> None:
        self._source = source
        self._stage = stage
        self._sources: dict[tuple[Neighbour, str], str] = {}

    def source(self, neighbour: Neighbour, *, encoding: str = "UTF8") -> str:
        """A source with the neighbour's rows. Nobody writes to it, so one is enough."""
        known = self._sources.get((neighbour, encoding))
        if known is not None:
            return known
        parts = ["" if neighbour.alone else EVERYBODY, neighbour.rows]
        name = f"audited_{next(_numbers)}"
        create = sql.SQL("CREATE DATABASE {} TEMPLATE template0 ENCODING {} LC_COLLATE 'C' LC_CTYPE 'C'")
        with psycopg.connect(self._source("postgres"), autocommit=True) as connection:
            connection.execute(create.format(sql.Identifier(name), sql.Literal(encoding)))
        dsn = make_conninfo(self._source("postgres"), dbname=name)
        with psycopg.connect(dsn, autocommit=True) as connection:
            script = [TABLES, neighbour.owner, *(parts[::-1] if neighbour.first else parts), "ANALYZE;"]
            connection.execute("\n".join(script).encode())
        self._sources[neighbour, encoding] = dsn
        return dsn

    def reader(self, source: str) -> str:
        """The same source as a role that may only read sees it: unlike its owner, subject to row-level security."""
        name = f"audit_reader_{next(_numbers)}"
        password = sql.Literal(READER_PASSWORD)
        with psycopg.connect(source, autocommit=True) as connection:
            connection.execute(sql.SQL("CREATE ROLE {} LOGIN PASSWORD {}").format(sql.Identifier(name), password))
            connection.execute(
                sql.SQL("GRANT SELECT ON ALL TABLES IN SCHEMA public TO {}").format(sql.Identifier(name))
            )
        return make_conninfo(source, user=name, password=READER_PASSWORD)

    def ledger(self) -> str:
        """A fresh database for a ledger."""
        return copy_database(self._stage.dsn(), "template1", f"audit_ledger_{next(_numbers)}")

    def proxy(self, source: str, ledger: str, policy: Policy, source_timeout: float) -> RunningProxy:
        """A proxy before a source, to be entered."""
        options = ServiceOptions(
            policy, source, self._stage.dsn(), ledger, owns_stage_cluster=True, port=0, source_timeout=source_timeout
        )
        return RunningProxy(options, str(psycopg.conninfo.conninfo_to_dict(source)["dbname"]))


@contextmanager
def servers() -> Iterator[Databases]:
    """Two servers of our own, for the time of the audit."""
    with (
        tempfile.TemporaryDirectory(prefix="dpproxy-audit-") as directory,
        EmbeddedPostgres(Path(directory) / "source", durable=False, settings=SERVER_SETTINGS) as source,
        EmbeddedPostgres(Path(directory) / "stage", durable=False, settings=SERVER_SETTINGS) as stage,
    ):
        yield Databases(source.dsn, stage)
