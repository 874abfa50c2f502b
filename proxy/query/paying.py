"""Step 5, pay: an earlier answer is recalled for free, a new one is charged before it is computed (decision 6)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from proxy.budget.answers import Answers
from proxy.budget.editions import Edition
from proxy.budget.ledger import AccountCharge, Ledger, Receipt
from proxy.budget.stored_answer import StoredAnswer
from proxy.query import notices
from proxy.query.asking import Question
from proxy.query.clipping_report import clipping_report
from proxy.query.planned import PlannedBlock
from proxy.query.recalling import Recalls
from proxy.query.session_state import SessionState
from proxy.sql.planning.plan import BlockPlan
from proxy.sql.planning.pricing import AccountPrice, least_epsilon


class Payments:
    """Recalls answers and charges for new ones.

    Args:
        ledger: the accounts.
        answers: the released answers.
        recalls: which of them count.
    """

    def __init__(self, ledger: Ledger, answers: Answers, recalls: Recalls) -> None:
        self._ledger = ledger
        self._answers = answers
        self.recalls = recalls

    async def recall(self, question: Question, analyst: str) -> tuple[StoredAnswer, Receipt | None] | None:
        """The question's earlier answer, and what the asker's own account paid for it now; None if there is none.

        Raises:
            BudgetExhaustedError: another analyst paid for it, and the asker's own account cannot.
            LedgerUnavailableError: the ledger cannot be asked.
        """
        own = [account for account in question.plan.accounts if account.name.startswith("analyst:")]
        stored = await self._answers.find(question.hash)
        if stored is None:
            return None
        if not own or await self._answers.paid(question.hash, analyst):
            return stored, None
        return stored, await self._charge(question, own, analyst)

    async def current(self, question: Question, state: SessionState) -> tuple[Question, Edition]:
        """The question under the hash of the edition that is recalled, or to be made."""
        edition = await self.recalls.edition(question.hash, question.plan, state)
        return replace(question, hash=edition.key), edition

    async def owed(self, block: PlannedBlock, state: SessionState) -> Sequence[AccountPrice]:
        """The accounts that pay for the block if it is asked now; none if the analyst is told its answer for free.

        What reads released rows is a question that is not known before they are, and taken for a new one. So is what
        only others have paid for: that they did is told to who pays (attack 53).
        """
        accounts = block.plan.accounts if block.plan.asks_source else ()
        if block.feedback or not accounts:
            return accounts
        edition = await self.recalls.edition(await self.recalls.hash(block), block.plan, state)
        if any(account.name.startswith("analyst:") for account in accounts):
            return () if await self._answers.paid(edition.key, state.analyst) else accounts
        return () if await self._answers.find(edition.key) is not None else accounts

    async def check(self, question: Question) -> None:
        """Could all accounts pay for the question now? Only `charge` decides.

        Raises:
            BudgetExhaustedError: one of them cannot.
            LedgerUnavailableError: the ledger cannot be asked.
        """
        await self._ledger.check(_charges(question.plan, question.plan.accounts))

    async def charge(self, question: Question, analyst: str) -> Receipt:
        """Charge all accounts, durably and for good.

        Raises:
            BudgetExhaustedError: one of them cannot pay; nothing is charged.
            LedgerUnavailableError: the ledger could not record it.
        """
        return await self._charge(question, question.plan.accounts, analyst)

    async def store(self, question: Question, analyst: str, answer: StoredAnswer) -> StoredAnswer:
        """Store an answer for recalls. Returns the stored one, which is another's if somebody was quicker."""
        stored = await self._answers.store(question.hash, analyst, answer, clipping_report(question.plan, answer))
        self.recalls.remember(question.hash)
        return stored

    async def _charge(self, question: Question, accounts: Sequence[AccountPrice], analyst: str) -> Receipt:
        charges = _charges(question.plan, accounts)
        return await self._ledger.charge(analyst, charges, question.hash, notices.charge_label(question.plan))


def _charges(plan: BlockPlan, accounts: Sequence[AccountPrice]) -> list[AccountCharge]:
    stated = None
    if plan.guarantee.delta is None and plan.delay is None:
        stated = (plan.guarantee.epsilon, least_epsilon(plan.footprint.private_tables))
    return [
        AccountCharge(account.name, notices.account_limit(account), account.price(plan.price), stated)
        for account in accounts
    ]
