"""Recognises an older copy of a ledger, which does not know what was charged since: what was last seen of a ledger is
kept on the stage's server, outside of it.

A ledger has an identity. Its witness is the last charge that was seen of it: a ledger of that identity without this
charge is a backup that was restored, or a copy that went its own way. That is found at the start, and while a proxy
runs: by each charge, which looks for the last one of its process (`settling`), and before the mark is moved. A copy of
both, ledger and witness, is not recognised, nor are the charges of the last minute before a crash.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import uuid
from collections.abc import Callable
from typing import Final

import psycopg

from proxy.budget.database import LedgerDatabase
from proxy.budget.identity import Last, has_charge, read_last
from proxy.errors import LedgerUnavailableError

_log = logging.getLogger("dpproxy.ledger")

_NOTED_EVERY: Final = 60.0
"""Seconds between two looks at the last charge."""
_CONNECT_SECONDS: Final = 10

_CREATE: Final = """
SELECT pg_catalog.pg_advisory_xact_lock(7234307576302018677);
CREATE SCHEMA IF NOT EXISTS dpproxy_witness;
CREATE TABLE IF NOT EXISTS dpproxy_witness.seen (
    ledger uuid PRIMARY KEY,
    sequence bigint NOT NULL,
    charge_id uuid NOT NULL,
    seen_at timestamptz NOT NULL
)
"""

_SEEN: Final = "SELECT charge_id, seen_at FROM dpproxy_witness.seen WHERE ledger = %s"

# Only the mark is moved that was looked for: another proxy may have moved it since, or found that a charge is missing.
_NOTE: Final = """
INSERT INTO dpproxy_witness.seen VALUES (%(ledger)s, %(sequence)s, %(last)s, pg_catalog.clock_timestamp())
ON CONFLICT (ledger) DO UPDATE SET sequence = excluded.sequence, charge_id = excluded.charge_id,
                                   seen_at = excluded.seen_at
WHERE seen.sequence < excluded.sequence AND seen.charge_id = %(found)s
"""

_NOTE_MISSING: Final = """
INSERT INTO dpproxy_witness.seen VALUES (%s, 0, %s, pg_catalog.clock_timestamp())
ON CONFLICT (ledger) DO UPDATE SET charge_id = excluded.charge_id, seen_at = excluded.seen_at
"""

_OTHERS: Final = "SELECT max(seen_at) FROM dpproxy_witness.seen WHERE ledger <> %s"


class Witness:
    """Watches a ledger from outside.

    Args:
        ledger: the ledger's database, open.
        dsn: of a database on the stage's server, as a role that may create a schema in it.
        remember: notes the last charge elsewhere, too.
    """

    def __init__(self, ledger: LedgerDatabase, dsn: str, remember: Callable[[Last], None] | None = None) -> None:
        self._ledger = ledger
        self._dsn = dsn
        self._remember = remember
        self._identity: uuid.UUID | None = None
        self._noting: asyncio.Task[None] | None = None
        self._at_work = asyncio.Lock()

    async def start(self, *, may_begin: bool = True) -> None:
        """Refuse an older copy, then note the last charge now and every minute.

        Args:
            may_begin: is a ledger without a charge taken where others have been seen?

        Raises:
            LedgerUnavailableError: the ledger lacks a charge that was seen, or cannot be asked.
            psycopg.Error: the stage's server cannot be used.
        """
        last = await read_last(self._ledger)
        self._identity = last.ledger
        async with await psycopg.AsyncConnection.connect(self._dsn, connect_timeout=_CONNECT_SECONDS) as connection:
            await connection.execute(_CREATE)
            noted = await (await connection.execute(_SEEN, (last.ledger,))).fetchone()
            (others,) = await (await connection.execute(_OTHERS, (last.ledger,))).fetchone() or (None,)
        if noted is not None and not await has_charge(self._ledger, noted[0]):
            raise LedgerUnavailableError(
                f"the ledger is an older copy: charge {noted[0]}, seen on {noted[1]:%Y-%m-%d %H:%M}, is missing",
                detail=f"It ends with charge {last.sequence or 0}. What was charged since is forgotten in it.",
                hint="Restore a newer copy. If there is none, docker/README.md says what to do.",
                rule="ledger-copy",
            )
        if noted is None and others is not None and last.charge_id is None and not may_begin:
            raise LedgerUnavailableError(
                f"the ledger is empty, and another one was used with this stage, last seen on {others:%Y-%m-%d %H:%M}",
                detail="A new ledger forgets everything that was spent.",
                hint="Name the old one with --ledger, or say --new-ledger if it may.",
                rule="ledger-lost",
            )
        self._ledger.seen = last.charge_id
        await self._note()
        self._noting = asyncio.create_task(self._keep_noting())

    async def stop(self) -> None:
        """Note the last charge. The ledger is still open."""
        if self._noting is None:
            return
        async with self._at_work:  # a connection that is cancelled while it is made or closed stays behind
            self._noting.cancel()
        self._noting = None
        await self._try_to_note()

    async def _keep_noting(self) -> None:
        while not self._ledger.lost.is_set():
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._ledger.lost.wait(), _NOTED_EVERY)
            await self._try_to_note()

    async def _try_to_note(self) -> None:
        """An older mark is still right, so that a failure is no reason to stop."""
        try:
            async with self._at_work:
                await (self._note() if self._ledger.missing is None else self._note_missing())
        except (psycopg.Error, OSError, LedgerUnavailableError) as failure:
            _log.warning("the ledger's last charge cannot be noted: %s", type(failure).__name__)

    async def _note(self) -> None:
        """Move the mark to the last charge, if the charge is still there that it was set to."""
        last = await read_last(self._ledger)
        async with await psycopg.AsyncConnection.connect(self._dsn, connect_timeout=_CONNECT_SECONDS) as connection:
            noted = await (await connection.execute(_SEEN, (self._identity,))).fetchone()
            found = None if noted is None else noted[0]
            if found is not None and not await has_charge(self._ledger, found):
                raise self._ledger.lose(found)
            if last.ledger != self._identity:
                return
            if last.sequence is not None:
                values = {"ledger": self._identity, "sequence": last.sequence, "last": last.charge_id, "found": found}
                await connection.execute(_NOTE, values)
            if self._remember is not None:
                self._remember(last)

    async def _note_missing(self) -> None:
        """Set the mark to the charge that is missing, so that the next start does not take the older copy either."""
        async with await psycopg.AsyncConnection.connect(self._dsn, connect_timeout=_CONNECT_SECONDS) as connection:
            await connection.execute(_NOTE_MISSING, (self._identity, self._ledger.missing))
