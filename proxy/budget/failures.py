"""Source queries that failed at the source, counted for each analyst in the ledger's database.

A source query is built so that no row can make it fail. Should one do so all the same, the error tells the analyst that
there is such a row: an answer without noise. So failures are counted, durably and for all proxies on a ledger together,
and after `allowed` of them the analyst's questions are suspended until a steward lifts the suspension.

**What failures can tell.** Between two lifts let an analyst ask n paid questions. Besides its answer, each shows one of
three outcomes: answered, failed, suspended. By `record` at most `allowed` of them show as failed, however many sessions
and proxies ask at once. By `require_active` after a source query, every one that ends after the last of these failures
shows as suspended, whether it failed or not. Both come after the time of release (`proxy.dp.timing`); a question that
is cancelled before it shows neither, and is not counted. So everything that shows follows from the places of at most
`allowed` failures among n questions: with the usual 3, three outcomes that can depend on a row, and at most log2(Σ_{k
<= allowed} C(n, k)) bits with their places. The budget and the least price of a question bound n. The refusal of a
suspended analyst depends on the rows through these failures alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from proxy.budget.database import LedgerDatabase
from proxy.errors import RefusedError
from proxy.lending import Connection

LABEL_CHARACTERS: Final = 1000
"""The most characters that are kept of a label, as of a charge's."""

_LOCKS: Final = 0x6470_6661
"""Advisory locks of this class, one for each analyst, order failures and lifts."""

_LOCK: Final = "SELECT pg_catalog.pg_advisory_xact_lock(%s, pg_catalog.hashtext(%s))"

_COUNT: Final = """
SELECT count(*) FROM dpproxy.failure
WHERE analyst = %(analyst)s
  AND sequence > coalesce((SELECT max(through) FROM dpproxy.lift WHERE analyst = %(analyst)s), 0)
"""

_RECORD: Final = """
INSERT INTO dpproxy.failure (analyst, block, sqlstate_class, label, allowed)
VALUES (%(analyst)s, %(block)s, %(sqlstate_class)s, %(label)s, %(allowed)s)
"""

_LIFT: Final = """
INSERT INTO dpproxy.lift (analyst, through)
SELECT analyst, max(sequence) FROM dpproxy.failure WHERE analyst = %s GROUP BY analyst
ON CONFLICT (through) DO NOTHING
"""

_UNLIFTED: Final = """
SELECT analyst, recorded_at, sqlstate_class, label, block, allowed FROM dpproxy.failure AS failed
WHERE sequence > coalesce((SELECT max(through) FROM dpproxy.lift WHERE lift.analyst = failed.analyst), 0)
ORDER BY analyst, sequence
"""


@dataclass(frozen=True)
class Failure:
    """A source query that failed.

    Attributes:
        analyst: who asked.
        block: hash of the measured block.
        sqlstate_class: the first two characters of its SQLSTATE.
        label: what was asked, without rows.
    """

    analyst: str
    block: str
    sqlstate_class: str
    label: str


@dataclass(frozen=True)
class FailureRecord:
    """A failure in the ledger; `allowed` is how many the policy allowed then."""

    failure: Failure
    recorded_at: datetime
    allowed: int


class Failures:
    """The record of analysts' failures.

    Args:
        database: of an open `Ledger`.
        allowed: how many an analyst may have; at least 1.
    """

    def __init__(self, database: LedgerDatabase, allowed: int) -> None:
        self._database = database
        self.allowed = allowed

    async def require_active(self, analyst: str) -> None:
        """Refuse an analyst with as many failures as are allowed.

        It is called before a charge, so that nobody pays for a refusal, and again when a source query has ended well:
        questions in flight at the last failure must not show that they did not fail.

        Raises:
            RefusedError: the analyst is suspended.
            LedgerUnavailableError: the database failed.
        """

        async def read(connection: Connection) -> int:
            return await _count(connection, analyst)

        if await self._database.run(read) >= self.allowed:
            raise suspended(analyst)

    async def record(self, failure: Failure) -> int:
        """Record a failure durably, and return its number among those that count.

        Raises:
            RefusedError: more failures than allowed, because several came at once: the analyst sees a suspension.
            LedgerUnavailableError: the database failed.
        """

        async def write(connection: Connection) -> int:
            async with connection.transaction():
                await connection.execute(_LOCK, (_LOCKS, failure.analyst))
                before = await _count(connection, failure.analyst)
                values = {
                    "analyst": failure.analyst,
                    "block": failure.block,
                    "sqlstate_class": failure.sqlstate_class,
                    "label": failure.label[:LABEL_CHARACTERS],
                    "allowed": self.allowed,
                }
                await connection.execute(_RECORD, values)
            return before + 1

        number = await self._database.run(write)
        if number > self.allowed:
            raise suspended(failure.analyst)
        return number


async def unlifted(database: LedgerDatabase) -> list[FailureRecord]:
    """The failures that count, by analyst, the oldest first.

    Raises:
        LedgerUnavailableError: the database failed.
    """

    async def read(connection: Connection) -> Sequence[tuple[str, datetime, str, str, str, int]]:
        return await (await connection.execute(_UNLIFTED)).fetchall()

    return [
        FailureRecord(Failure(analyst, block, sqlstate_class, label), recorded_at, allowed)
        for analyst, recorded_at, sqlstate_class, label, block, allowed in await database.run(read)
    ]


async def lift(database: LedgerDatabase, analyst: str) -> bool:
    """Let the failures of `analyst` count no longer; False if there are none.

    Raises:
        LedgerUnavailableError: the database failed.
    """

    async def write(connection: Connection) -> bool:
        async with connection.transaction():
            await connection.execute(_LOCK, (_LOCKS, analyst))
            return (await connection.execute(_LIFT, (analyst,))).rowcount == 1

    return await database.run(write)


async def _count(connection: Connection, analyst: str) -> int:
    row = await (await connection.execute(_COUNT, {"analyst": analyst})).fetchone()
    return int(row[0]) if row is not None else 0


def suspended(analyst: str) -> RefusedError:
    """The refusal of a suspended analyst's question."""
    return RefusedError(
        "your queries over private tables are suspended",
        detail="Too many of them failed on the private database, and a failure may depend on a single row. Answers "
        "that you have paid for can still be recalled.",
        hint=f"Ask the data steward to investigate and to lift the suspension: dpproxy suspensions --lift {analyst}",
        rule="suspended",
    )
