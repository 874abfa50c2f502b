"""A question at a precision: what of it is measured already, what is missing, and who pays how much (theorem 23).

Accounts of tables and units pay for what is measured: all questions of a family together cost them what the most
precise one costs. An account with a payer pays for what its payer sees.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate

from proxy.budget.precisions import EVERYBODY, Precisions, Seen, Standing, Step
from proxy.budget.stored_answer import StoredAnswer
from proxy.dp.accounting import Price
from proxy.dp.precision import coarse_price
from proxy.query.asking import Question
from proxy.release.noisy_answers import answered_keys
from proxy.release.precision import can_be_coarse, coarse_answer, mean_answer
from proxy.sql.planning.accounts import Prices
from proxy.sql.planning.plan import BlockPlan
from proxy.sql.planning.pricing import at_least


@dataclass(frozen=True)
class Order:
    """What an answer takes.

    Attributes:
        prices: who pays what; empty if nobody does.
        measuring: the plan whose noise is drawn for a measurement; None if enough is measured.
        rho: what the reader's answer is worth then; None if the question has no family, or stands alone.
        missing: the ρ of that measurement; 0 if there is none.
        steps: what the payers have paid then.
        standing: what is known of the family; None without one.
    """

    prices: Prices
    measuring: BlockPlan | None
    rho: Fraction | None = None
    missing: Fraction = Fraction(0)
    steps: tuple[Step, ...] = ()
    standing: Standing | None = None


def alone(plan: BlockPlan) -> Order:
    """The order of a question that has to do with no other."""
    return Order(tuple((account, account.price(plan.price)) for account in plan.accounts), plan)


def reader_of(plan: BlockPlan) -> str:
    """Who sees the same answers: the asker's group or the asker, if an account pays for what is seen."""
    return min(payers_of(plan), key=lambda payer: not payer.startswith("group:"), default=EVERYBODY)


def payers_of(plan: BlockPlan) -> list[str]:
    """Who pays for what is seen."""
    return list(dict.fromkeys(account.payer for account in plan.accounts if account.payer is not None))


def decide(question: Question, standing: Standing, *, same_groups: bool) -> Order:
    """What a question of a family takes now.

    Args:
        question: with a family.
        standing: of the family and the plan's reader.
        same_groups: does the question have the groups that were measured?
    """
    plan, asked = question.plan, question.rho
    if standing.shown is not None:
        return _order(question, standing, standing.shown.rho, Fraction(0))
    held = sum(standing.measured, Fraction(0))
    if not same_groups:
        return alone(plan)
    if asked > held:
        return _order(question, standing, asked, asked - held)
    if reader_of(plan) == EVERYBODY:
        enough = next(rho for rho in accumulate(standing.measured) if rho >= asked)
        return _order(question, standing, enough, Fraction(0))
    whole, before = _whole(standing.measured, asked)
    groups = len(answered_keys(plan, question.domain))
    if before < asked and not can_be_coarse(plan, standing.measured[whole], asked - before, groups):
        return alone(plan)
    return _order(question, standing, asked, Fraction(0))


def _order(question: Question, standing: Standing, rho: Fraction, missing: Fraction) -> Order:
    plan = question.plan
    steps = tuple(
        Step(question.family or "", payer, paid.steps + 1, rho)
        for payer, paid in standing.paid.items()
        if paid.rho < rho
    )
    coarse = standing.coarse or rho not in {*accumulate(standing.measured), *([rho] if missing else [])}
    measuring = plan.at_rho(missing) if missing else None
    return Order(_prices(plan, standing, rho, missing, coarse=coarse), measuring, rho, missing, steps, standing)


def _prices(plan: BlockPlan, standing: Standing, rho: Fraction, missing: Fraction, *, coarse: bool) -> Prices:
    """Who pays what for an answer that is worth `rho`, for which `missing` is measured."""
    found = []
    for account in plan.accounts:
        more = missing
        if account.payer is not None:
            more = max(rho - standing.paid[account.payer].rho, Fraction(0))
            more = coarse_price(more) if coarse and more else more
        if more:
            price = Price.gaussian(more)
            # What asks the source costs at least the least price: that bounds how often it is asked.
            price = at_least(price, plan.footprint.private_tables) if missing else price
            found.append((account, account.price(price)))
    return tuple(found)


def known_prices(plan: BlockPlan, standing: Standing, asked: Fraction) -> Prices:
    """What a question costs at most, as far as its asker may know: not what only others have asked (attack 53).

    Args:
        plan: the block's plan.
        standing: of its family.
        asked: what its own measurements have to be worth.
    """
    if standing.shown is not None:
        return _prices(plan, standing, standing.shown.rho, Fraction(0), coarse=standing.coarse)
    missing = max(asked - known_rho(plan, standing), Fraction(0))
    return _prices(plan, standing, asked, missing, coarse=standing.coarse)


def known_rho(plan: BlockPlan, standing: Standing) -> Fraction:
    """The ρ of the most precise answer that the asker has seen, or that everybody may see; 0 for none."""
    if reader_of(plan) == EVERYBODY:
        return sum(standing.measured, Fraction(0))
    return standing.seen.rho if standing.seen is not None else Fraction(0)


def as_answered(plan: BlockPlan, answer: StoredAnswer, rho: Fraction | None) -> BlockPlan:
    """The plan of an answer, now that it is known how much of a unit counts, and what it is worth.

    Args:
        plan: as it was asked.
        answer: what was released.
        rho: what that is worth, if it may be another ρ than was asked for; else None.
    """
    known = plan.clipped_at(answer.thresholds)
    if answer.worths:
        return known.at_rhos(answer.worths)
    return known if rho is None else known.at_rho(rho)


def _whole(measured: Sequence[Fraction], rho: Fraction) -> tuple[int, Fraction]:
    """How many measurements a reader who has paid for `rho` sees as they are, and their ρ together."""
    sums = [Fraction(0), *accumulate(measured)]
    whole = max(place for place, together in enumerate(sums) if together <= rho)
    return whole, sums[whole]


async def has_same_groups(question: Question, precisions: Precisions, standing: Standing) -> bool:
    """Does the question have the groups that were measured? A public table that lists them may have changed."""
    if question.family is None or not standing.measured or standing.shown is not None:
        return True
    ((_, first),) = await precisions.measurements(question.family, 1)
    return first.keys == answered_keys(question.plan, question.domain)


async def compose(
    question: Question, order: Order, precisions: Precisions, fresh: StoredAnswer | None = None
) -> StoredAnswer:
    """What the reader sees once an order is paid and measured: made of the measurements, kept, and returned.

    Args:
        question: with a family.
        order: its order, which is paid.
        precisions: of the ledger.
        fresh: what the order measured, stored by now; None if it measured nothing.

    Raises:
        LedgerUnavailableError: the ledger cannot be asked.
    """
    plan, standing = question.plan, order.standing
    if question.family is None or order.rho is None or standing is None:
        raise AssertionError("a question that stands alone is not composed")
    if standing.shown is not None:
        return standing.shown.answer
    held = len(standing.measured)
    if not held and fresh is not None:
        return fresh  # The first measurement is kept as it is, together with what its reader is shown.
    whole, before = _whole([*standing.measured, *([order.missing] if order.missing else [])], order.rho)
    parts = await precisions.measurements(question.family, min(whole + 1, held)) if held else []
    if fresh is not None:
        parts = [*parts, (order.missing, fresh)]
    part = None
    if before < order.rho:
        last, share = standing.seen, order.rho - before
        earlier = (last.rho - before, last.part) if last is not None and last.whole == whole and last.part else None
        part = await asyncio.to_thread(coarse_answer, plan, parts[whole], earlier, share)
        parts = [*parts[:whole], (share, part)]
    answer = await asyncio.to_thread(mean_answer, parts[: whole + (part is not None)])
    reading = await precisions.keep(question.family, reader_of(plan), Seen(order.rho, whole, part), answer)
    return reading.answer
