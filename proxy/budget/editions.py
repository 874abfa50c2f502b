"""Editions of a question: each time that it is paid and answered anew is one, since answers may become too old.

A family's question (`precisions`) is answered anew once all of it is measured anew: its editions are those of the
family, each as old as its first measurement.

The first has the question's own hash, so that the ledgers that hold it go on doing so; the others have hashes of the
question and their numbers. They are numbered without gaps: one is begun only after the one before was stored, so that
all are found without a list of them. What was charged and answered under each is kept for ever, as ever.
"""

from __future__ import annotations

import datetime as dt
import hashlib
from dataclasses import dataclass
from typing import Final

from proxy.budget.cache import ImmutableCache
from proxy.budget.database import LedgerDatabase
from proxy.lending import Connection

EDITIONS_KEPT: Final = 100_000
"""The number of editions that are remembered in memory."""
_READ_AT_ONCE: Final = 16

_MADE: Final = """
SELECT answer.block, min(charge.recorded_at)
FROM dpproxy.answer JOIN dpproxy.payment USING (block, analyst) JOIN dpproxy.charge USING (charge_id)
WHERE answer.block = ANY (%(keys)s) GROUP BY 1
UNION ALL
SELECT measurement.family, min(charge.recorded_at)
FROM dpproxy.measurement JOIN dpproxy.charge USING (charge_id)
WHERE measurement.family = ANY (%(keys)s) AND measurement.number = 1 GROUP BY 1
"""


@dataclass(frozen=True)
class Edition:
    """One time that a question is answered.

    Attributes:
        number: from 0.
        key: the hash under which it is charged and stored.
        at: when it was charged, by the ledger's clock; None if it is still to be made.
    """

    number: int
    key: str
    at: dt.datetime | None


def edition_key(question: str, number: int) -> str:
    """The hash of an edition.

    Args:
        question: the hash of the question, or of its family.
        number: from 0.
    """
    return question if number == 0 else hashlib.sha256(f"{question}:{number}".encode()).hexdigest()


class Editions:
    """The editions in the ledger's database, with the recent ones in memory.

    Args:
        database: of an open `Ledger`.
    """

    def __init__(self, database: LedgerDatabase) -> None:
        self._database = database
        self._made: ImmutableCache[str, dt.datetime] = ImmutableCache(EDITIONS_KEPT)

    async def made(self, question: str, oldest: dt.datetime | None) -> list[Edition]:
        """The editions that have answers, oldest first. Those of other proxies may be missing after one that is not
        older than `oldest`.

        Args:
            question: the hash of the question, or of its family.
            oldest: when the oldest edition was made that is recent enough; None if all are.

        Raises:
            LedgerUnavailableError: the database failed.
        """
        made = list[Edition]()
        while (at := self._made.get(edition_key(question, len(made)))) is not None:
            made.append(Edition(len(made), edition_key(question, len(made)), at))
        if made and (oldest is None or at_least(made[-1], oldest)):
            return made
        # Most questions have none or one.
        at_once = 1
        while len(found := await self._read(question, len(made), at_once)) == at_once:
            made, at_once = made + found, _READ_AT_ONCE
        return made + found

    def remember(self, key: str) -> None:
        """Know an edition that was stored just now."""
        self._made.put(key, dt.datetime.now(dt.UTC), weight=1)

    async def _read(self, question: str, first: int, at_once: int) -> list[Edition]:
        """The next few editions, as far as they exist."""
        keys = {edition_key(question, number): number for number in range(first, first + at_once)}

        async def read(connection: Connection) -> dict[str, dt.datetime]:
            return {key: at async for key, at in await connection.execute(_MADE, {"keys": list(keys)})}

        times = await self._database.run(read)
        found = [Edition(number, key, times[key]) for key, number in keys.items() if key in times]
        for edition in found:
            self._made.put(edition.key, times[edition.key], weight=1)
        return found


def at_least(edition: Edition, oldest: dt.datetime) -> bool:
    """Was an edition made at this time or later?"""
    return edition.at is not None and edition.at >= oldest
