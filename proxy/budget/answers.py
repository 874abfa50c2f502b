"""Recall: the same question gets the same noisy answer, and nobody pays for it twice (decision 6).

A block's hash covers its canonical form, the privacy-relevant part of the policy and the data version, so what is
stored under it never changes. Showing a released answer again is post-processing, free for the tables it came from. The
account of an analyst or a group pays for it the first time (`Answers.paid` tells whether it has).

`Ledger.charge` records who has paid, in the transaction of the charge; the database refuses an answer whose analyst has
not paid for it. A proxy that dies between charge and `store` loses the answer; the charge stays.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Final

from proxy.budget.cache import ImmutableCache
from proxy.budget.coding import decoded, encoded
from proxy.budget.database import Asking, Cursor, LedgerDatabase, Reply, unavailable
from proxy.budget.stored_answer import StoredAnswer
from proxy.lending import Connection

PAYMENTS_KEPT: Final = 100_000
"""The number of (block, account) pairs that are remembered in memory."""

_FIND: Final = "SELECT content FROM dpproxy.answer WHERE block = %s"

_STORE: Final = """
WITH stored AS (
    INSERT INTO dpproxy.answer (block, analyst, content) VALUES (%(block)s, %(analyst)s, %(content)s)
    ON CONFLICT (block) DO NOTHING RETURNING block
), told AS (
    INSERT INTO dpproxy.clipping (block, share, report) SELECT block, %(share)s, %(report)s FROM stored
    WHERE %(report)s::text IS NOT NULL
)
SELECT FROM stored
"""

# An account that begins anew has its beginning behind its name.
_PAID: Final = """
SELECT FROM dpproxy.charge
WHERE block = %(block)s AND (account = %(account)s OR pg_catalog.starts_with(account, %(account)s || '@')) LIMIT 1
"""


@dataclass(frozen=True)
class ClippingReport:
    """What an answer tells of the units that were scaled down in it (theorem 22).

    Attributes:
        text: sentences.
        share: about how much does not count, from 0 to 1; None where that cannot be told.
    """

    text: str
    share: float | None


class Answers:
    """The released noisy answers in the ledger's database, with the recent ones in memory.

    Args:
        database: of an open `Ledger`.
        memory: bytes that answers may take in this process.
    """

    def __init__(self, database: LedgerDatabase, memory: int = 64 * 2**20) -> None:
        self._database = database
        self._recent: ImmutableCache[str, StoredAnswer] = ImmutableCache(memory)
        self._payments: ImmutableCache[tuple[str, str], bool] = ImmutableCache(PAYMENTS_KEPT)

    async def find(self, block: str) -> StoredAnswer | None:
        """The released answer for `block`, if there is one. `paid` tells whether an account has paid for it.

        Raises:
            LedgerUnavailableError: the database failed.
        """
        recent = self._recent.get(block)
        return recent if recent is not None else await self._database.ask(self.question(block))

    def question(self, block: str) -> Asking[StoredAnswer | None]:
        """`find`, to be asked together with others."""

        async def ask(connection: Connection) -> Reply[StoredAnswer | None]:
            return partial(told, await connection.execute(_FIND, (block,)))

        async def told(found: Cursor) -> StoredAnswer | None:
            row = await found.fetchone()
            return None if row is None else self._remember(block, await decoded(row[0]), row[0])

        return ask

    async def store(
        self, block: str, analyst: str, answer: StoredAnswer, clipping: ClippingReport | None = None
    ) -> StoredAnswer:
        """Keep `answer`, for which `analyst` has paid, with what it tells of clipping, if anything; return the one to
        show.

        Whoever asks second waits for the first (`query.one_at_a_time`, `in_flight`). If two proxies measured the same
        block at the same time all the same, both have charged, and both show the answer that was stored first: the
        other one is never seen by anybody, so it is charged but reveals nothing.

        Raises:
            LedgerUnavailableError: the database failed, or no charge of `analyst` for `block` is recorded.
        """
        content = await encoded(answer)
        report, share = (clipping.text, clipping.share) if clipping is not None else (None, None)
        row = {"block": block, "analyst": analyst, "content": content, "share": share, "report": report}

        async def write(connection: Connection) -> bool:
            stored = await connection.execute(_STORE, row)
            return stored.rowcount == 1

        if await self._database.run(write):
            return self._remember(block, answer, content)
        first = await self.find(block)
        if first is None:
            raise unavailable(None, rule="answer_not_stored")
        return first

    async def paid(self, block: str, account: str) -> bool:
        """Has an account been charged for `block`, in whichever of its windows?

        Raises:
            LedgerUnavailableError: the database failed.
        """
        if self._payments.get((block, account)):
            return True

        async def read(connection: Connection) -> bool:
            found = await connection.execute(_PAID, {"block": block, "account": account})
            return await found.fetchone() is not None

        paid = await self._database.run(read)
        if paid:
            self._payments.put((block, account), True, weight=1)
        return paid

    def _remember(self, block: str, answer: StoredAnswer, content: str) -> StoredAnswer:
        """Keep the answer that the database holds as `content` in memory, and return it."""
        self._recent.put(block, answer, answer.memory(content))
        return answer
