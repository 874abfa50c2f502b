"""Which answer of a question counts: the newest that is recent enough for the policy and the session, or a new one."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence

from proxy.budget.answers import Answers
from proxy.budget.editions import Edition, Editions, at_least, edition_key
from proxy.policy.durations import spoken
from proxy.query.live_versions import LiveVersions
from proxy.query.planned import PlannedBlock
from proxy.query.same_question import question_hash
from proxy.query.session_state import SessionState
from proxy.sql.planning.plan import BlockPlan

_NEVER = dt.datetime.max.replace(tzinfo=dt.UTC)
_TOLD_FROM = dt.timedelta(minutes=1)


class Recalls:
    """Finds the edition of a question.

    Args:
        answers: the released answers.
        editions: of the same ledger.
        versions: of the data.
    """

    def __init__(self, answers: Answers, editions: Editions, versions: LiveVersions) -> None:
        self._answers = answers
        self._editions = editions
        self._versions = versions

    async def hash(self, block: PlannedBlock, literals: Sequence[str] = ()) -> str:
        """The hash of a block's question, about the data as they are now.

        Args:
            block: the block.
            literals: the released results that it reads, in its feedback's order.

        Raises:
            SourceUnavailableError: the version of the data cannot be read.
        """
        return question_hash(block.hash, literals, await self._versions.of(block.plan.footprint.tables))

    async def edition(self, hash_: str, plan: BlockPlan, state: SessionState) -> Edition:
        """The newest edition that is recent enough, of those that the asker has paid for if there are any; else the one
        to be made.

        Raises:
            LedgerUnavailableError: the ledger cannot be asked.
        """
        oldest = _oldest(plan, state)
        made = await self._editions.made(hash_, oldest)
        recent = [edition for edition in reversed(made) if oldest is None or at_least(edition, oldest)]
        if len(recent) > 1 and any(account.name.startswith("analyst:") for account in plan.accounts):
            for edition in recent:
                if await self._answers.paid(edition.key, state.analyst):
                    return edition
        return recent[0] if recent else Edition(edition_key(hash_, len(made)), None)

    def remember(self, edition: str) -> None:
        """Know an edition that was stored just now, under this hash."""
        self._editions.remember(edition)


def longest_recall(plan: BlockPlan) -> dt.timedelta | None:
    """For how long the policy lets a block's answer be recalled; None if for ever."""
    limits = [table.policy.recall.for_ for table in plan.footprint.private_tables if table.policy.recall is not None]
    return min(limits, default=None)


def _oldest(plan: BlockPlan, state: SessionState) -> dt.datetime | None:
    """When the oldest answer was made that is recent enough; None if all are."""
    limits = [limit for limit in (longest_recall(plan), state.settings.recall) if limit is not None]
    if not limits:
        return None
    return dt.datetime.now(dt.UTC) - min(limits) if min(limits) else _NEVER


def age_text(edition: Edition) -> str:
    """How old an answer is, in words; nothing for one that is younger than a minute."""
    age = dt.datetime.now(dt.UTC) - edition.at if edition.at is not None else dt.timedelta()
    if age < _TOLD_FROM:
        return ""
    steps = [dt.timedelta(days=1), dt.timedelta(hours=1), _TOLD_FROM]
    step = next(step for step in steps if age >= 2 * step or step == _TOLD_FROM)
    return f"{spoken(age // step * step)} old"
