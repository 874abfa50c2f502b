"""Step 5, pay: an earlier answer is recalled for free, a new one is charged before it is computed (decision 6).

A question of a family (`precise`) is recalled from what was measured at any precision; others are recalled as a whole.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from proxy.budget.answers import Answers
from proxy.budget.cache import ImmutableCache
from proxy.budget.ledger import Ledger
from proxy.budget.order import AccountCharge, Receipt
from proxy.budget.precisions import Precisions, Standing
from proxy.budget.settling import OutpacedError
from proxy.budget.stored_answer import StoredAnswer
from proxy.query import notices
from proxy.query.asking import Question
from proxy.query.clipping_report import clipping_report
from proxy.query.limits import account_charge
from proxy.query.planned import PlannedBlock
from proxy.query.precise import (
    Order,
    alone,
    compose,
    decide,
    has_same_groups,
    known_prices,
    payers_of,
    reader_of,
)
from proxy.query.recalling import Recalls
from proxy.query.same_question import Hashes
from proxy.query.session_state import SessionState
from proxy.sql.planning.accounts import Prices
from proxy.sql.planning.plan import BlockPlan
from proxy.sql.planning.pricing import least_epsilon

_SETTLED_KEPT = 100_000


@dataclass(frozen=True)
class Recalled:
    """An answer for which the source is not asked.

    Attributes:
        answer: the answer.
        rho: what it is worth, if it may be another ρ than was asked for; else None.
        receipt: what the asker's own accounts paid for it now; None if nothing.
        price: what each of them paid.
        at: when it was made, if it was before.
    """

    answer: StoredAnswer
    rho: Fraction | None
    receipt: Receipt | None
    prices: Prices = ()
    at: dt.datetime | None = None


class Payments:
    """Recalls answers and charges for new ones.

    Args:
        ledger: the accounts.
        answers: the released answers of questions without a family.
        precisions: those of questions with one.
        recalls: which of them count.
    """

    def __init__(self, ledger: Ledger, answers: Answers, precisions: Precisions, recalls: Recalls) -> None:
        self._ledger = ledger
        self._answers = answers
        self._precisions = precisions
        self.recalls = recalls
        self._settled: ImmutableCache[tuple[object, ...], bool] = ImmutableCache(_SETTLED_KEPT)

    async def recall(self, question: Question, analyst: str) -> Recalled | None:
        """The question's earlier answer, and what the asker's own accounts paid for it now; None if there is none.

        Raises:
            BudgetExhaustedError: another analyst paid for it, and the asker's own account cannot.
            LedgerUnavailableError: the ledger cannot be asked.
        """
        plan = question.plan
        if question.family is not None:
            key = (question.family, plan.rho, *payers_of(plan))
            shown = self._precisions.remembered(question.family, reader_of(plan), plan.rho)
            if shown is not None and self._settled.get(key):
                return Recalled(shown.answer, shown.rho, None)
            recalled = await self._recall_of_family(question, analyst)
            if recalled is not None:
                self._settled.put(key, True, weight=1)
                return recalled
        stored = await self._answers.find(question.hash)
        if stored is None:
            return None
        owed = await self._unpaid(plan, question.hash)
        if not owed:
            return Recalled(stored, None, None)
        return Recalled(stored, None, await self._charge(question, Order(owed, None), analyst), owed)

    async def bill(self, question: Question) -> Prices:
        """Who pays what for a question that is asked now; empty if it is free.

        Raises:
            LedgerUnavailableError: the ledger cannot be asked.
        """
        order = await self.order(question)
        if order.measuring is not None and await self._answers.find(question.hash) is not None:
            return await self._unpaid(question.plan, question.hash)
        return order.prices

    async def check_all(self, bills: Sequence[tuple[BlockPlan, Prices]]) -> None:
        """Could all accounts pay for several questions now, together? Only `charge` decides.

        Raises:
            BudgetExhaustedError: one of them cannot.
            LedgerUnavailableError: the ledger cannot be asked.
        """
        charges = [charge for plan, prices in bills for charge in _charges(plan, prices)]
        if charges:
            await self._ledger.check(charges)

    async def current(self, question: Question, state: SessionState) -> Question:
        """The question's edition that is recalled, or to be made."""
        hashes = Hashes(question.hash, question.family)
        edition = await self.recalls.edition(hashes, question.plan, state)
        return replace(question, hash=edition.question, family=edition.family, at=edition.at)

    async def _recall_of_family(self, question: Question, analyst: str) -> Recalled | None:
        order = await self._order(question)
        if order.measuring is not None:
            return None
        try:
            receipt = await self._charge(question, order, analyst) if order.prices else None
        except OutpacedError:
            return await self._recall_of_family(question, analyst)
        return Recalled(await compose(question, order, self._precisions), order.rho, receipt, order.prices)

    async def standing(self, block: PlannedBlock, state: SessionState) -> Standing | None:
        """What is known of the block's family; None if it has none, or reads released rows."""
        if block.family is None or block.feedback:
            return None
        return await self._standing(block.plan, await self._edition(block, state))

    async def _unpaid(self, plan: BlockPlan, hash_: str) -> Prices:
        """The accounts of payers none of whose logins has paid for a question that stands alone."""
        found = []
        for account in plan.accounts:
            if account.payer is not None:
                paid = [await self._answers.paid(hash_, login) for login in account.logins]
                found += [(account, account.price(plan.price))] if not any(paid) else []
        return tuple(found)

    async def owed(self, block: PlannedBlock, state: SessionState) -> Prices:
        """What the block costs at most if it is asked now; nothing if its asker is told its answer for free.

        What reads released rows is a question that is not known before they are, and taken for a new one. So is what
        only others have paid for: that they did is told to who pays (attack 53).
        """
        plan = block.plan
        full = alone(plan).prices if plan.asks_source else ()
        if block.feedback or not full:
            return full
        if await self.answer(block, state) is not None:
            return ()
        standing = await self.standing(block, state)
        return full if standing is None else known_prices(plan, standing)

    async def answer(self, block: PlannedBlock, state: SessionState) -> Recalled | None:
        """The block's answer, if its asker would be told it without a charge (attack 53); None if there is none.

        What reads released rows is a question of its own each time.
        """
        if block.feedback or not block.plan.asks_source:
            return None
        edition = await self._edition(block, state)
        standing = await self._standing(block.plan, edition)
        if standing is not None and standing.shown is not None and not known_prices(block.plan, standing):
            return Recalled(standing.shown.answer, standing.shown.rho, None, at=edition.at)
        stored = await self._answers.find(edition.question)
        if stored is None or await self._unpaid(block.plan, edition.question):
            return None
        return Recalled(stored, None, None, at=edition.at)

    async def shown(self, block: PlannedBlock, state: SessionState) -> Recalled | None:
        """The most precise answer of the block, at any price, that its asker would be told without a charge; None if
        there is none."""
        standing = await self.standing(block, state)
        if standing is not None and standing.seen is not None:
            block = replace(block, plan=block.plan.at_rho(standing.seen.rho))
        return await self.answer(block, state)

    async def _edition(self, block: PlannedBlock, state: SessionState) -> Hashes:
        return await self.recalls.edition(await self.recalls.hashes(block), block.plan, state)

    async def _standing(self, plan: BlockPlan, edition: Hashes) -> Standing | None:
        if edition.family is None:
            return None
        return await self._precisions.standing(edition.family, reader_of(plan), payers_of(plan), plan.rho)

    async def check(self, question: Question) -> None:
        """Could all accounts pay for the question now? Only `charge` decides.

        Raises:
            BudgetExhaustedError: one of them cannot.
            LedgerUnavailableError: the ledger cannot be asked.
        """
        order = await self.order(question)
        if order.prices:  # else somebody has measured it since it was looked for
            await self._ledger.check(_charges(question.plan, order.prices))

    async def order(self, question: Question) -> Order:
        """What has to be measured for a question that cannot be recalled, and who pays."""
        return await self._order(question) if question.family is not None else alone(question.plan)

    async def charge(self, question: Question, order: Order, analyst: str) -> Receipt:
        """Charge all accounts, durably and for good.

        Raises:
            BudgetExhaustedError: one of them cannot pay; nothing is charged.
            OutpacedError: another session has paid for a part of it; nothing is charged.
            LedgerUnavailableError: the ledger could not record it.
        """
        return await self._charge(question, order, analyst)

    async def store(
        self, question: Question, order: Order, analyst: str, receipt: Receipt, fresh: StoredAnswer
    ) -> Recalled | None:
        """Store what was measured for recalls. Returns what to show, which is another's answer if somebody was quicker
        with the same question; None if somebody was quicker with another measurement of the family."""
        if question.family is None or order.rho is None or order.standing is None:
            report = clipping_report(question.plan, fresh)
            stored = await self._answers.store(question.hash, analyst, fresh, report)
            if question.family is None:
                self.recalls.remember(question.hash)
            return Recalled(stored, None, receipt, order.prices)
        number = len(order.standing.measured) + 1
        if not await self._precisions.measure(question.family, number, receipt.charge_id, order.missing, fresh):
            return None
        if number == 1:
            self.recalls.remember(question.family)
        answer = await compose(question, order, self._precisions, fresh)
        return Recalled(answer, order.rho, receipt, order.prices)

    async def _order(self, question: Question) -> Order:
        if question.family is None:
            raise AssertionError("only a question with a family has a standing")
        plan, precisions = question.plan, self._precisions
        standing = await precisions.standing(question.family, reader_of(plan), payers_of(plan), plan.rho)
        return decide(question, standing, same_groups=await has_same_groups(question, precisions, standing))

    async def _charge(self, question: Question, order: Order, analyst: str) -> Receipt:
        charges = _charges(question.plan, order.prices)
        label = notices.charge_label(question.plan)
        return await self._ledger.charge(analyst, charges, question.hash, label, order.steps)


def _charges(plan: BlockPlan, prices: Prices) -> Sequence[AccountCharge]:
    stated = None
    if plan.guarantee.delta is None and plan.delay is None:
        stated = (plan.guarantee.epsilon, least_epsilon(plan.footprint.private_tables))
    return [account_charge(account, price, stated) for account, price in prices]
