"""Who uses a stage: while a proxy does, no other builds it anew."""

from __future__ import annotations

import time
from typing import LiteralString

import psycopg
from psycopg.rows import TupleRow

from proxy.postgres.stage_schema import StageBuildError

IN_USE_LOCK = 0x6470_7573
"""The first half of an advisory lock that proxies hold on the stages that they use; the second is the database."""

_ENDING_SECONDS = 3.0
"""How long the connections of a proxy that was killed may take to end."""

Connection = psycopg.Connection[TupleRow]


def mark_used(connection: Connection, database: str) -> None:
    """Keep other proxies from building a stage anew while a connection of its server lives.

    Raises:
        StageBuildError: one is doing so.
    """
    if not _locked(connection, "SELECT pg_try_advisory_lock_shared(%s, hashtext(%s))", database):
        raise _in_use(database)


def require_unused(admin: Connection, database: str) -> None:
    """Refuse to build a stage anew under the sessions of a running proxy. Nobody begins to use it meanwhile.

    Raises:
        StageBuildError: a proxy uses it.
    """
    if not _locked(admin, "SELECT pg_try_advisory_lock(%s, hashtext(%s))", database):
        raise _in_use(database)


def _locked(connection: Connection, query: LiteralString, database: str) -> bool:
    """Take a lock on a stage unless others keep it. The server takes its time to notice that a connection has ended."""
    patience = time.monotonic() + _ENDING_SECONDS
    while connection.execute(query, [IN_USE_LOCK, database]).fetchone() != (True,):
        if time.monotonic() > patience:
            return False
        time.sleep(0.05)
    return True


def _in_use(database: str) -> StageBuildError:
    return StageBuildError(
        f"the stage {database} is in use with other tables, columns or public rows, and would have to be built anew: "
        "stop every dpproxy that uses it first, or give this one a stage of its own"
    )
