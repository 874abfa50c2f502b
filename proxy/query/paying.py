"""Step 5, pay: an earlier answer is recalled for free, a new one is charged before it is computed (decision 6).

A question of a family (`precise`) is recalled from what was measured at any precision; others are recalled as a whole.
"""

from __future__ import annotations

import asyncio
import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from proxy.budget.answers import Answers
from proxy.budget.cache import ImmutableCache
from proxy.budget.holdings import Combination
from proxy.budget.ledger import Ledger
from proxy.budget.looking import Look, Looks
from proxy.budget.order import AccountCharge, Receipt
from proxy.budget.precisions import Beginning, Precisions, Standing
from proxy.budget.settling import OutpacedError
from proxy.budget.stored_answer import StoredAnswer
from proxy.dp.conversion import QUANTUM
from proxy.dp.exact import floor_to
from proxy.query import notices
from proxy.query.adding_up import worths
from proxy.query.asking import Question, Rest
from proxy.query.clipping_report import clipping_report
from proxy.query.deriving import Dearer, Derivations, held_by, source_text, wider_scopes
from proxy.query.limits import account_charge
from proxy.query.precise import (
    Order,
    alone,
    compose,
    decide,
    has_same_groups,
    payers_of,
    reader_of,
)
from proxy.query.recalling import Recalls, oldest_recalled
from proxy.query.same_question import Hashes
from proxy.query.session_state import SessionState
from proxy.query.splitting import completed, with_rest
from proxy.release.precision import mean_by_number
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
        prices: what each of them paid.
        at: when it was made, if it was before.
        told: of which other questions' numbers it is made, in words; empty if of none.
        reader: whose numbers these are, where readers are shown others; else empty.
        settled: will the asker be told the same for nothing whenever this edition of the question is asked again?
    """

    answer: StoredAnswer
    rho: Fraction | None
    receipt: Receipt | None
    prices: Prices = ()
    at: dt.datetime | None = None
    told: str = ""
    reader: str = ""
    settled: bool = False


@dataclass(frozen=True)
class Due:
    """A question that has to be measured, with the numbers of others that are a part of its answer, and what that
    takes."""

    question: Question
    order: Order


class Payments:
    """Recalls answers and charges for new ones.

    Args:
        ledger: the accounts.
        answers: the released answers of questions without a family.
        precisions: those of questions with one.
        looks: all that is known of a question.
        recalls: which of them count.
        derivations: answers that are made of others.
    """

    def __init__(
        self,
        ledger: Ledger,
        answers: Answers,
        precisions: Precisions,
        looks: Looks,
        recalls: Recalls,
        derivations: Derivations,
    ) -> None:
        self._ledger = ledger
        self._answers = answers
        self._precisions = precisions
        self._looks = looks
        self.recalls = recalls
        self._derivations = derivations
        self._settled: ImmutableCache[tuple[object, ...], bool] = ImmutableCache(_SETTLED_KEPT)

    async def recall(self, question: Question, state: SessionState, *, whole: bool = False) -> Recalled | Due:
        """The question's earlier answer, or one made of others, and what the asker's own accounts paid for it now; or
        the question as it has to be measured.

        Args:
            question: as it is current.
            state: the session's.
            whole: all of its numbers are measured, if any is; else there may be a rest of some of them.

        Raises:
            BudgetExhaustedError: another analyst paid for it, and the asker's own account cannot.
            LedgerUnavailableError: the ledger cannot be asked.
        """
        plan = question.plan
        if question.family is None:
            due, stored = Due(question, alone(plan)), await self._answers.find(question.hash)
        else:
            key = (question.family, plan.rho, *payers_of(plan))
            shown = self._precisions.remembered(question.family, reader_of(plan), plan.rho)
            if shown is not None and self._settled.get(key):
                return Recalled(shown.answer, shown.rho, None, reader=reader_of(plan), settled=True)
            look = await self._look(question, state)
            recalled = await self._recall_of_family(question, state, look, whole=whole)
            if isinstance(recalled, Recalled):
                if recalled.at is None:
                    self._settled.put(key, True, weight=1)
                return recalled
            due, stored = recalled, look.answer
        if stored is None:
            return due
        owed = await unpaid(self._answers, plan, question.hash)
        if not owed:
            return Recalled(stored, None, None, settled=True)
        return Recalled(stored, None, await self.charge(Due(question, Order(owed, None)), state.analyst), owed)

    async def bill(self, question: Question, state: SessionState) -> Prices:
        """Who pays what for a question that is asked now; empty if it is free.

        Raises:
            LedgerUnavailableError: the ledger cannot be asked.
        """
        order = await self.order(question)
        if order.prices and question.family is not None:
            if await kept_for(self._derivations, question.plan, question.family, state) is not None:
                return ()
            found = await self._derivations.find(
                question.block, question.family, question.versions, question.domain, state
            )
            apart = with_rest(question, found)
            if apart is not None:
                return await self._bill_of_rest(apart, state)
            question = replace(question, parts=found.of_all)
            if not question.rho:
                return ()
            order = await self.order(question)
        if order.measuring is not None and await self._answers.find(question.hash) is not None:
            return await unpaid(self._answers, question.plan, question.hash)
        return order.prices

    async def _bill_of_rest(self, question: Question, state: SessionState) -> Prices:
        if question.rest is None:
            raise AssertionError("what is missing is a question")
        return await self.bill(await self.current(question.rest.question, state), state)

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

    async def _look(self, question: Question, state: SessionState) -> Look:
        plan = question.plan
        scopes = list(wider_scopes(question.block, question.versions))
        oldest = oldest_recalled(plan, state)
        family, reader, payers = question.family or "", reader_of(plan), payers_of(plan)
        return await self._looks.look(question.hash, family, reader, payers, question.rho, oldest, scopes)

    async def _recall_of_family(
        self, question: Question, state: SessionState, look: Look, *, whole: bool
    ) -> Recalled | Due:
        """What the reader has seen of the family; else what can be made for nothing of other questions' numbers; else
        what the reader's own accounts pay for.

        Args:
            question: without parts.
            state: the session's.
            look: of the question.
            whole: as of `recall`.
        """
        order = await self._decided(question, look.standing)
        if order.measuring is None and not order.prices:
            return await self._combined(question, order, None)
        kept = look.kept if _pays_alone(question.plan) else None
        if kept is not None:
            reader = f"{reader_of(question.plan)} {kept.rho} {kept.at}"
            return Recalled(kept.answer, kept.rho, None, at=kept.at, reader=reader)
        found = await self._derivations.among(
            look.families, question.block, question.family or "", question.versions, question.domain, state
        )
        apart = with_rest(question, found) if not whole else None
        try:
            if found.of_all:
                question = replace(question, parts=found.of_all)
                if not question.rho:
                    return await self._combined(question, None, None)
                order = await self._order(question)
            of_rest = await self._bill_of_rest(apart, state) if apart is not None else None
            if order.measuring is None and (of_rest is None or _costs_no_more(order.prices, of_rest)):
                receipt = await self.charge(Due(question, order), state.analyst) if order.prices else None
                return await self._combined(question, order, receipt)
            prices = order.prices if of_rest is None else of_rest
            if found.dearer is not None and _costs_no_more(found.dearer.prices, prices):
                return await self._bought(question, found.dearer, state.analyst)
        except OutpacedError:
            question = replace(question, parts=())
            return await self._recall_of_family(question, state, await self._look(question, state), whole=whole)
        if apart is not None:
            return Due(apart, order)
        return Due(question if order.rho is not None else replace(question, parts=()), order)

    async def _bought(self, question: Question, dearer: Dearer, analyst: str) -> Recalled:
        """Another question's numbers, which the reader's own accounts pay for as for that question."""
        charges, label = _charges(question.plan, dearer.prices), notices.ledger_label(question.asked_for)
        receipt = await self._ledger.charge(analyst, charges, dearer.part.family, label, dearer.steps)
        question = replace(question, parts=(dearer.part,))
        return replace(await self._combined(question, None, receipt), prices=dearer.prices)

    async def _combined(
        self, question: Question, order: Order | None, receipt: Receipt | None, fresh: StoredAnswer | None = None
    ) -> Recalled:
        """What the reader is shown once all is paid: the mean of the question's own measurements and of its parts.

        Args:
            question: with a family.
            order: of its own measurements; None if its parts are enough.
            receipt: of what was paid now.
            fresh: what was measured now, stored by now.
        """
        plan, prices = question.plan, order.prices if order is not None else ()
        own = Fraction(0)
        weighted = [(part.worths, await self._derivations.answer(part, plan)) for part in question.parts]
        if order is not None and order.rho is not None:
            own, answer = order.rho, await compose(question, order, self._precisions, fresh)
            if not question.parts:
                return Recalled(answer, own, receipt, prices, reader=reader_of(plan))
            weighted.append(((own,) * len(plan.statistics), answer))
        answer = await asyncio.to_thread(mean_by_number, weighted)
        return await self._kept_as(question, own + min(worths(question.parts)), answer, receipt, prices)

    async def completed(
        self, question: Question, rest: Rest, released: StoredAnswer, rho: Fraction | None
    ) -> Recalled | None:
        """What the reader is shown of a question once the rest of it is released; None if that has other groups.

        Args:
            question: with a family, and parts of some of its numbers.
            rest: the others.
            released: their answer.
            rho: what that is worth, if it may be another ρ than was asked for; else None.
        """
        if released.keys != question.parts[0].sums.keys:
            return None
        made = [await self._derivations.answer(part, question.plan) for part in question.parts]
        worth = rest.question.plan.rho if rho is None else rho
        together, answer = await asyncio.to_thread(completed, question, rest, made, released, worth)
        return await self._kept_as(question, together, answer, None, (), beside=", or measured when this was asked")

    async def _kept_as(
        self,
        question: Question,
        worth: Fraction,
        answer: StoredAnswer,
        receipt: Receipt | None,
        prices: Prices,
        beside: str = "",
    ) -> Recalled:
        """Keep what the reader is shown that is made of several questions' numbers; `beside` says what else it is."""
        plan, rho = question.plan, floor_to(worth, QUANTUM)
        at, told = min(part.at for part in question.parts), source_text(question.parts)
        await self._derivations.keep(
            question.family or "", reader_of(plan), Combination(rho, at, told + beside, answer)
        )
        return Recalled(answer, rho, receipt, prices, at, told, f"{reader_of(plan)} {rho} {at}")

    async def check(self, due: Due) -> None:
        """Could all accounts pay for a question now? Only `charge` decides.

        Raises:
            BudgetExhaustedError: one of them cannot.
            LedgerUnavailableError: the ledger cannot be asked.
        """
        if due.order.prices:
            await self._ledger.check(_charges(due.question.plan, due.order.prices))

    async def order(self, question: Question) -> Order:
        """What has to be measured for a question that cannot be recalled, and who pays."""
        return await self._order(question) if question.family is not None else alone(question.plan)

    async def charge(self, due: Due, analyst: str) -> Receipt:
        """Charge all accounts, durably and for good.

        Raises:
            BudgetExhaustedError: one of them cannot pay; nothing is charged.
            OutpacedError: another session has paid for a part of it; nothing is charged.
            LedgerUnavailableError: the ledger could not record it.
        """
        question, order = due.question, due.order
        charges = _charges(question.plan, order.prices)
        label = notices.ledger_label(question.asked_for)
        return await self._ledger.charge(analyst, charges, question.charged_as, label, order.steps, question.kept())

    async def store(self, due: Due, analyst: str, receipt: Receipt, fresh: StoredAnswer) -> Recalled | None:
        """Store what was measured for recalls. Returns what to show, which is another's answer if somebody was quicker
        with the same question; None if somebody was quicker with another measurement of the family."""
        question, order = due.question, due.order
        if question.family is None or order.rho is None or order.standing is None:
            report = clipping_report(question.plan, fresh)
            stored = await self._answers.store(question.hash, analyst, fresh, report)
            if question.family is None:
                self.recalls.remember(question.hash)
            return Recalled(stored, None, receipt, order.prices)
        family, number = question.family, len(order.standing.measured) + 1
        beginning = None
        if number == 1:
            beginning = Beginning(reader_of(question.plan), held_by(question.block, question.versions))
        if not await self._precisions.measure(family, number, receipt.charge_id, order.missing, fresh, beginning):
            return None
        if number == 1:
            self.recalls.remember(family)
        return await self._combined(question, order, receipt, fresh)

    async def _order(self, question: Question) -> Order:
        if question.family is None:
            raise AssertionError("only a question with a family has a standing")
        plan = question.plan
        standing = await self._precisions.standing(question.family, reader_of(plan), payers_of(plan), question.rho)
        return await self._decided(question, standing)

    async def _decided(self, question: Question, standing: Standing) -> Order:
        """What a question takes, as its family stands."""
        if question.parts and standing.shown is not None and standing.shown.answer.keys != question.parts[0].sums.keys:
            return alone(question.plan)  # A public table that lists the groups has changed.
        return decide(question, standing, same_groups=await has_same_groups(question, self._precisions, standing))


async def kept_for(
    derivations: Derivations, plan: BlockPlan, family: str | None, state: SessionState
) -> Combination | None:
    """What the reader was shown that is made of several questions' numbers, if it alone pays for what it sees."""
    if family is None or not _pays_alone(plan):
        return None
    return await derivations.kept(family, reader_of(plan), plan, state)


async def unpaid(answers: Answers, plan: BlockPlan, hash_: str) -> Prices:
    """The payers' accounts that have not paid for a question that stands alone, and what each pays. That their logins
    have paid from other accounts does not count: theirs is what one account's readers may see together."""
    found = []
    for account in plan.accounts:
        if account.payer is not None and not await answers.paid(hash_, account.shown_for):
            found.append((account, account.price(plan.price)))
    return tuple(found)


def _pays_alone(plan: BlockPlan) -> bool:
    """Does nobody but the reader pay for what it sees?"""
    return not {*payers_of(plan)} - {reader_of(plan)}


def _costs_no_more(prices: Prices, others: Prices) -> bool:
    """Does each account pay no more than at the other prices?"""
    most = {account.name: price.rho for account, price in others}
    return all(price.rho <= most.get(account.name, Fraction(0)) for account, price in prices)


def _charges(plan: BlockPlan, prices: Prices) -> Sequence[AccountCharge]:
    stated = None
    if plan.guarantee.delta is None and plan.delay is None:
        stated = (plan.guarantee.epsilon, least_epsilon(plan.footprint.private_tables))
    return [account_charge(account, price, stated) for account, price in prices]
