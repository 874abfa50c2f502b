"""Step 7, release: from a question to its `Released` answer, through steps 5 and 6."""

from __future__ import annotations

import asyncio
import logging
import traceback
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from typing import Final, Literal

from proxy.budget.failures import Failure, Failures
from proxy.budget.order import Receipt
from proxy.budget.settling import OutpacedError
from proxy.budget.stored_answer import StoredAnswer
from proxy.dp.accounting import Price
from proxy.errors import DpproxyError, LedgerUnavailableError, SourceQueryFailedError
from proxy.postgres.source import Source
from proxy.postgres.transaction import SourceRequest, Transaction
from proxy.query import notices
from proxy.query.asking import Question, Rest
from proxy.query.desk import Desk
from proxy.query.failing import report_failure
from proxy.query.pacing import Pacer
from proxy.query.paid_work import Charging, PaidWork
from proxy.query.paying import Due, Payments, Recalled
from proxy.query.precise import as_answered
from proxy.query.querying import agreed_transaction, checks_of, exact_results, request_of
from proxy.query.recalling import age_text
from proxy.query.session_state import SessionState
from proxy.query.source_checks import SourceChecks
from proxy.release.drawn import Drawn, draw
from proxy.release.noisy_answers import listed, release, without_groups
from proxy.sql.planning.accounts import Prices
from proxy.sql.planning.plan import BlockPlan
from proxy.wire.router import Notice

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Released:
    """A question's answer, in the form that anybody may see.

    Attributes:
        answer: keys, noisy sums, and what was chosen.
        notice: what it cost.
        hash: under which it is kept and charged.
        how: was it measured now, recalled, or listed from the policy?
        price: the most that one of its asker's accounts was charged now.
        rho: what it is worth, where that may be more than was asked for (theorem 23); else None.
        reader: who is shown the same numbers, where each reader may be shown others; else empty.
        prices: who paid what for it now.
        receipt: of that; None if nobody did.
        settled: will the asker be told the same for nothing, in the same words but for its age, whenever this edition
            of the question is asked again?
    """

    answer: StoredAnswer
    notice: Notice
    hash: str
    how: Literal["new", "recalled", "listed"]
    price: Price
    rho: Fraction | None = None
    reader: str = ""
    prices: Prices = ()
    receipt: Receipt | None = None
    settled: bool = False


class Once:
    """Does something the first time that it is called."""

    def __init__(self, work: Callable[[], Awaitable[None]]) -> None:
        self._work: Callable[[], Awaitable[None]] | None = work

    async def __call__(self) -> None:
        work, self._work = self._work, None
        if work is not None:
            await work()


class Releaser:
    """Recalls answers, or charges, queries the source, and releases them.

    Args:
        source: where source queries run.
        payments: what analysts pay; others may ask it for prices.
        failures: failed source queries, by analyst.
        pacer: times fresh answers.
        desk: the threads that build SQL.
        work: on questions that are charged.
    """

    def __init__(
        self,
        source: Source,
        payments: Payments,
        failures: Failures,
        pacer: Pacer,
        desk: Desk,
        work: PaidWork,
    ) -> None:
        self._source = source
        self.payments = payments
        self._failures = failures
        self._pacer = pacer
        self._desk = desk
        self._work = work

    async def release(
        self, question: Question, state: SessionState, before_charge: Callable[[], Awaitable[None]]
    ) -> Released:
        """The recalled or fresh answer to a question, as it is current (`Recalls.edition`).

        Args:
            question: what is asked.
            state: the session's settings.
            before_charge: called once the question is not to be recalled; what it raises ends the statement uncharged.

        Raises:
            DpproxyError: it cannot be paid for, the source cannot be asked, or the source query failed, which is
                charged all the same.
        """
        plan = question.plan
        if not plan.asks_source:
            free = notices.free(plan)
            return Released(listed(plan, question.domain), free, question.hash, "listed", Price.zero())
        if question.has_no_group:
            return Released(without_groups(plan), notices.no_group(plan), question.hash, "listed", Price.zero())
        found = await self._recalled(question, state)
        if isinstance(found, Released):
            return found
        await before_charge()
        if found.question.rest is not None:
            completed = await self._completed(found.question, found.question.rest, state, before_charge)
            if completed is not None:
                return completed
            found = await self._recalled(question, state, whole=True)
            if isinstance(found, Released):
                return found
        await self._failures.require_active(state.analyst)
        # An unaffordable question is refused without the source; the charge decides.
        await self.payments.check(found)
        checks = checks_of(question)
        request = await self._desk.do(state.analyst, request_of, question, checks, state)
        return await self._work.finished(partial(self._in_place, question, request, checks, state))

    async def _in_place(
        self, question: Question, request: SourceRequest, checks: SourceChecks, state: SessionState, charging: Charging
    ) -> Released:
        # The place first: whoever waits for one must not keep others from the same question.
        async with self._source.place(state.analyst), self._work.turns.turn(question.family or question.hash):
            return await self._again(question, request, checks, state, charging)

    async def _recalled(self, question: Question, state: SessionState, *, whole: bool = False) -> Released | Due:
        recalled = await self.payments.recall(question, state, whole=whole)
        if isinstance(recalled, Due):
            return recalled
        return _released(question, recalled, _notice_of_recall(question, recalled), "recalled")

    async def _completed(
        self, question: Question, rest: Rest, state: SessionState, before_charge: Callable[[], Awaitable[None]]
    ) -> Released | None:
        """The answer of which some numbers are those of others, once the rest is released; None if the two have
        different groups, as a public table that lists them has changed."""
        found = await self.release(await self.payments.current(rest.question, state), state, before_charge)
        made = await self.payments.completed(question, rest, found.answer, found.rho)
        if made is None:
            return None
        made = replace(made, prices=found.prices, receipt=found.receipt)
        if found.how == "recalled" or made.receipt is None:
            notice = _notice_of_recall(question, made)
        else:
            notice = notices.charged(
                question.plan,
                made.prices,
                made.receipt,
                made.answer,
                as_answered(question.plan, made.answer, made.rho),
                question.undeclared,
                question.hides_empty,
                some=made.told,
            )
        return replace(_released(question, made, notice, "recalled"), hash=found.hash, how=found.how)

    async def _paid(
        self, due: Due, request: SourceRequest, checks: SourceChecks, state: SessionState, charging: Charging
    ) -> Released:
        """Charge, query, release and store."""
        question, order = due.question, due.order
        plan = question.plan
        try:
            fresh, receipt = await self._fresh(due, request, checks, state, charging)
        except OutpacedError:
            return await self._again(question, request, checks, state, charging)
        except SourceQueryFailedError as error:
            label = notices.ledger_label(question.asked_for)
            failure = Failure(state.analyst, question.hash, error.sqlstate_class, label)
            await report_failure(self._failures, failure, request.statements, error)
        # From the charge to here the ledger is not used: counters of its server may be visible on the stage.
        keep = partial(self._keep, due, state.analyst, receipt, fresh)
        try:
            stored = await keep()
        except LedgerUnavailableError:
            self._work.unkept.append(keep)
            raise _not_kept() from None
        if stored is None:
            return await self._again(question, request, checks, state, charging)
        known = as_answered(plan, stored.answer, stored.rho)
        told = (question.undeclared, question.hides_empty, stored.told)
        notice = notices.charged(plan, order.prices, receipt, stored.answer, known, *told)
        for account, price in order.prices:
            logger.info("charged %s: rho %.6g, delta %.3g", account.name, float(price.rho), float(price.delta))
        return _released(question, stored, notice, "new")

    async def _again(
        self, question: Question, request: SourceRequest, checks: SourceChecks, state: SessionState, charging: Charging
    ) -> Released:
        """Recalled, if another session or process was quicker with it or with a question of the same family."""
        await self._keep_rest()
        # The place and the turn are those of the whole.
        found = await self._recalled(replace(question, parts=()), state, whole=True)
        return found if isinstance(found, Released) else await self._paid(found, request, checks, state, charging)

    async def _keep(self, due: Due, analyst: str, receipt: Receipt, fresh: StoredAnswer) -> Recalled | None:
        """Store what was measured. A recall before would show that the source query was over."""
        await self._failures.require_active(analyst)
        return await self.payments.store(due, analyst, receipt, fresh)

    async def _keep_rest(self) -> None:
        """Store what could not be stored before, so that a full disk costs no more than the questions that it met.

        Raises:
            LedgerUnavailableError: it still cannot be stored.
        """
        while self._work.unkept:
            keep = self._work.unkept.pop()
            try:
                await keep()
            except (LedgerUnavailableError, asyncio.CancelledError):
                self._work.unkept.append(keep)
                raise
            except DpproxyError:
                continue  # Its analyst is suspended, and must not see it.

    async def _fresh(
        self, due: Due, request: SourceRequest, checks: SourceChecks, state: SessionState, charging: Charging
    ) -> tuple[StoredAnswer, Receipt]:
        """Charge, draw the noise of what is to be measured and query, inside one transaction of the source."""
        question, plan = due.question, due.order.measuring
        if plan is None:
            raise AssertionError("what is due is to be measured")
        async with AsyncExitStack() as stack:
            transaction = await agreed_transaction(self._source, question, request, checks, stack)
            charging()
            receipt = await self.payments.charge(due, state.analyst)
            drawn = await self._pacer.drawn(plan.delay, partial(draw, plan, question.domain))
            # Paced work outlives a client that does not wait for it, and ends the transaction itself.
            held = stack.pop_all()
        work = partial(_queried_and_released, question, plan, transaction, held, drawn)
        return await self._pacer.paced(plan.delay, work), receipt


async def _queried_and_released(
    question: Question, plan: BlockPlan, transaction: Transaction, held: AsyncExitStack, drawn: Drawn
) -> StoredAnswer:
    """Everything whose duration can depend on rows. It gets neither the ledger nor anything else that others see.

    Raises:
        SourceQueryFailedError: also for an error that nobody expected, since rows may decide whether it comes.
    """
    try:
        exact = await exact_results(plan, transaction, held)
        return await asyncio.to_thread(release, plan, exact, question.domain, drawn, question.candidates)
    except DpproxyError:
        raise
    except Exception as error:
        frames = "".join(traceback.format_tb(error.__traceback__))
        logger.error("unexpected %s while exact numbers became an answer\n%s", type(error).__name__, frames)
        raise SourceQueryFailedError(_OF_A_DEFECT) from None


_OF_A_DEFECT: Final = "XX"
"""The class of an internal error's SQLSTATE."""


def _not_kept() -> LedgerUnavailableError:
    return LedgerUnavailableError(
        "the answer could not be kept, so it is not shown",
        detail="Its price stays charged.",
        hint="Ask again later: dpproxy keeps the answer once the ledger can be written again, and recalls it free of "
        "charge unless it was restarted before.",
        rule="answer-not-kept",
    )


def _released(question: Question, recalled: Recalled, notice: Notice, how: Literal["new", "recalled"]) -> Released:
    price = max((price for _, price in recalled.prices), key=lambda price: price.rho, default=Price.zero())
    return Released(
        recalled.answer,
        notice,
        question.charged_as,
        how,
        price,
        recalled.rho,
        recalled.reader,
        recalled.prices,
        recalled.receipt,
        recalled.settled,
    )


def _notice_of_recall(question: Question, recalled: Recalled) -> Notice:
    plan, prices, receipt = question.plan, recalled.prices, recalled.receipt
    known = as_answered(plan, recalled.answer, recalled.rho)
    answered = (recalled.answer, known, question.undeclared, question.hides_empty)
    if recalled.told and recalled.rho is not None:
        return notices.derived(plan, recalled.told, prices, receipt, *answered)
    age = age_text(recalled.at or question.at)
    return notices.recalled(plan, recalled.rho, prices, receipt, age, *answered)
