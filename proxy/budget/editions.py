"""Editions of a question: each time that it is paid and answered anew is one, since answers may become too old.

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
WHERE answer.block = ANY (%s) GROUP BY 1
"""


@dataclass(frozen=True)
class Edition:
    """One time that a question is answered.

    Attributes:
        key: the hash under which it is charged and stored.
        at: when it was charged, by the ledger's clock; None if it is still to be made.
    """

    key: str
    at: dt.datetime | None


def edition_key(question: str, number: int) -> str:
    """The hash of an edition.

    Args:
        question: the question's hash.
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
            question: the question's hash.
            oldest: when the oldest edition was made that is recent enough; None if all are.

        Raises:
            LedgerUnavailableError: the database failed.
        """
        made = list[Edition]()
        while (at := self._made.get(edition_key(question, len(made)))) is not None:
            made.append(Edition(edition_key(question, len(made)), at))
        if made and (oldest is None or at_least(made[-1], oldest)):
            return made
        while len(found := await self._read(question, len(made))) == _READ_AT_ONCE:
            made += found
        return made + found

    def remember(self, key: str) -> None:
        """Know an edition that was stored just now."""
        self._made.put(key, dt.datetime.now(dt.UTC), weight=1)

    async def _read(self, question: str, first: int) -> list[Edition]:
        """The next few editions, as far as they exist."""
        keys = [edition_key(question, number) for number in range(first, first + _READ_AT_ONCE)]

        async def read(connection: Connection) -> dict[str, dt.datetime]:
            return {key: at async for key, at in await connection.execute(_MADE, (keys,))}

        times = await self._database.run(read)
        found = [Edition(key, times[key]) for key in keys if key in times]
        for edition in found:
            self._made.put(edition.key, times[edition.key], weight=1)
        return found


def at_least(edition: Edition, oldest: dt.datetime) -> bool:
    """Was an edition made at this time or later?"""
    return edition.at is not None and edition.at >= oldest
