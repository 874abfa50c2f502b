"""Which answer of a question counts: the newest that is recent enough for the policy and the session, or a new one."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import replace

from proxy.budget.answers import Answers
from proxy.budget.editions import Editions, at_least, edition_key
from proxy.budget.precisions import Precisions
from proxy.policy.durations import spoken
from proxy.query.live_versions import LiveVersions
from proxy.query.planned import PlannedBlock
from proxy.query.precise import payers_of, reader_of
from proxy.query.same_question import Hashes, question_hash
from proxy.query.session_state import SessionState
from proxy.sql.planning.plan import BlockPlan

_NEVER = dt.datetime.max.replace(tzinfo=dt.UTC)
_TOLD_FROM = dt.timedelta(minutes=1)


class Recalls:
    """Finds the edition of a question.

    Args:
        answers: the released answers of questions without a family.
        precisions: those of questions with one.
        editions: of the same ledger.
        versions: of the data.
    """

    def __init__(self, answers: Answers, precisions: Precisions, editions: Editions, versions: LiveVersions) -> None:
        self._answers = answers
        self._precisions = precisions
        self._editions = editions
        self._versions = versions

    async def hashes(self, block: PlannedBlock, literals: Sequence[str] = ()) -> Hashes:
        """The hashes of a block's question, about the data as they are now.

        Args:
            block: the block.
            literals: the released results that it reads, in its feedback's order.

        Raises:
            SourceUnavailableError: the version of the data cannot be read.
        """
        versions = tuple(await self._versions.of(block.plan.footprint.tables))
        family = None if block.family is None else question_hash(block.family, literals, versions)
        return Hashes(question_hash(block.hash, literals, versions), family, versions=versions)

    async def edition(self, hashes: Hashes, plan: BlockPlan, state: SessionState) -> Hashes:
        """The newest edition that is recent enough, of those that the asker has paid for if there are any; else the one
        to be made.

        Raises:
            LedgerUnavailableError: the ledger cannot be asked.
        """
        oldest = oldest_recalled(plan, state)
        made = await self._editions.made(hashes.family or hashes.question, oldest)
        recent = [
            _numbered(hashes, edition.number, edition.at)
            for edition in reversed(made)
            if oldest is None or at_least(edition, oldest)
        ]
        if len(recent) > 1 and payers_of(plan):
            for edition in recent:
                if await self._has_paid(edition, plan):
                    return edition
        return recent[0] if recent else _numbered(hashes, len(made), None)

    async def _has_paid(self, edition: Hashes, plan: BlockPlan) -> bool:
        """Is the asker told it for nothing, since all of its own accounts and those of its group have paid?"""
        own = [account.shown_for for account in plan.accounts if account.payer is not None]
        if all([await self._answers.paid(edition.question, name) for name in own]):
            return True
        if edition.family is None:
            return False
        standing = await self._precisions.standing(edition.family, reader_of(plan), payers_of(plan), plan.rho)
        return standing.shown is not None

    def remember(self, stored: str) -> None:
        """Know an edition that was begun just now: under its question's hash, or under its family's if it has one."""
        self._editions.remember(stored)


def _numbered(hashes: Hashes, number: int, at: dt.datetime | None) -> Hashes:
    family = None if hashes.family is None else edition_key(hashes.family, number)
    return replace(hashes, question=edition_key(hashes.question, number), family=family, at=at)


def longest_recall(plan: BlockPlan) -> dt.timedelta | None:
    """For how long the policy lets a block's answer be recalled; None if for ever."""
    limits = [table.policy.recall.for_ for table in plan.footprint.private_tables if table.policy.recall is not None]
    return min(limits, default=None)


def oldest_recalled(plan: BlockPlan, state: SessionState) -> dt.datetime | None:
    """When the oldest answer was made that is recent enough; None if all are."""
    limits = [limit for limit in (longest_recall(plan), state.settings.recall) if limit is not None]
    if not limits:
        return None
    return dt.datetime.now(dt.UTC) - min(limits) if min(limits) else _NEVER


def age_text(at: dt.datetime | None) -> str:
    """How old an answer is, in words; nothing for one that is younger than a minute, or was not made before."""
    age = dt.datetime.now(dt.UTC) - at if at is not None else dt.timedelta()
    if age < _TOLD_FROM:
        return ""
    steps = [dt.timedelta(days=1), dt.timedelta(hours=1), _TOLD_FROM]
    step = next(step for step in steps if age >= 2 * step or step == _TOLD_FROM)
    return f"{spoken(age // step * step)} old"
