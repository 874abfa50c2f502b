"""All that the ledger knows of a question when somebody asks it, in one round trip."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from proxy.budget.answers import Answers
from proxy.budget.database import LedgerDatabase, Reply
from proxy.budget.holdings import Combination, HeldFamily, Holdings
from proxy.budget.precisions import Precisions, Standing
from proxy.budget.stored_answer import StoredAnswer
from proxy.lending import Connection


@dataclass(frozen=True)
class Look:
    """What is known of a question with a family.

    Attributes:
        standing: `Precisions.standing`.
        kept: `Holdings.kept`.
        families: `Holdings.find`.
        answer: `Answers.find`.
    """

    standing: Standing
    kept: Combination | None
    families: Sequence[HeldFamily]
    answer: StoredAnswer | None


class Looks:
    """Looks questions up.

    Args:
        database: of an open `Ledger`, as of the others.
        precisions: what was measured.
        holdings: what that holds for others.
        answers: of questions that stand alone.
    """

    def __init__(self, database: LedgerDatabase, precisions: Precisions, holdings: Holdings, answers: Answers) -> None:
        self._database = database
        self._precisions = precisions
        self._holdings = holdings
        self._answers = answers

    async def look(
        self,
        question: str,
        family: str,
        reader: str,
        payers: Sequence[str],
        rho: Fraction,
        oldest: dt.datetime | None,
        scopes: Sequence[str],
    ) -> Look:
        """Look a question up.

        Args:
            question: its hash, and `family` that of the same at any ρ, both of one edition.
            family: see there.
            reader: who asks, as of `Precisions`.
            payers: who pays for what the reader sees.
            rho: what its answer has to be worth.
            oldest: when its oldest part may have been asked; None for ever.
            scopes: of its rows, bounds and data.

        Raises:
            LedgerUnavailableError: the database failed.
        """
        standing = self._precisions.standing_question(family, reader, payers, rho)
        kept = self._holdings.kept_question(family, reader, rho, oldest)
        families = self._holdings.question(scopes, reader, payers)
        answer = self._answers.question(question)

        async def ask(connection: Connection) -> Reply[Look]:
            replies = await standing(connection), await kept(connection), await families(connection)
            last = await answer(connection)

            async def told() -> Look:
                return Look(await replies[0](), await replies[1](), await replies[2](), await last())

            return told

        return await self._database.ask(ask)
