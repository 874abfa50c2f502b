"""Answers made of other answers: sums of groups that were released, for which the source is not asked (theorem 25).

What a reader is shown is made of what the same reader was shown, or of what was measured and the reader pays for now,
from its own accounts, as for the other question itself. Accounts of tables and units pay nothing.
"""

from __future__ import annotations

import asyncio
import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from proxy.budget.cache import ImmutableCache
from proxy.budget.holdings import HeldFamily, Holdings
from proxy.budget.precisions import Precisions, Seen, Step
from proxy.budget.stored_answer import StoredAnswer
from proxy.dp.accounting import Price
from proxy.dp.precision import coarse_price
from proxy.query.adding_up import Sums, sums, ways
from proxy.query.holding import Held, Holding
from proxy.query.planned import PlannedBlock
from proxy.query.precise import payers_of, reader_of
from proxy.query.recalling import Recalls, age_text, oldest_recalled
from proxy.query.same_question import question_hash
from proxy.query.session_state import SessionState
from proxy.release.precision import mean_answer
from proxy.sql.planning.accounts import Prices
from proxy.sql.planning.group_keys import KeyRow
from proxy.sql.planning.narrowed import OneOf
from proxy.sql.planning.plan import BlockPlan

_GROUPS_KEPT = 200_000


@dataclass(frozen=True)
class Source:
    """The question of which an answer is made.

    Attributes:
        label: what it asked for.
        groups: how many of its groups make up one number, at most.
        at: when it was asked.
    """

    label: str
    groups: int
    at: dt.datetime


@dataclass(frozen=True)
class Derivation:
    """How an answer can be made of another one.

    Attributes:
        family: the other question at any ρ, of one edition.
        sums: which of its numbers are added up.
        rho: what is seen of it.
        whole: of how many measurements that is the mean; None if the reader has it already.
        worth: what the answer is worth.
        prices: what the reader's accounts pay.
        steps: what they have paid then.
        source: for people.
    """

    family: str
    sums: Sums
    rho: Fraction
    whole: int | None
    worth: Fraction
    prices: Prices
    steps: tuple[Step, ...]
    source: Source


class Derivations:
    """Finds other answers of which a question's can be made.

    Args:
        holdings: what was measured holds.
        precisions: what was measured.
        recalls: which answers count.
    """

    def __init__(self, holdings: Holdings, precisions: Precisions, recalls: Recalls) -> None:
        self._holdings = holdings
        self._precisions = precisions
        self._recalls = recalls
        self._first: ImmutableCache[str, StoredAnswer] = ImmutableCache(_GROUPS_KEPT)

    async def register(self, block: PlannedBlock, family: str) -> None:
        """Let others find what was measured of a family for the first time.

        Raises:
            LedgerUnavailableError: the ledger cannot be asked.
            SourceUnavailableError: the version of the data cannot be read.
        """
        if block.holding is not None:
            versions = await self._recalls.versions(block.plan)
            scope = question_hash(block.holding.scope, (), versions)
            await self._holdings.add(family, scope, block.holding.held.encode())

    async def find(
        self, block: PlannedBlock, domain: Sequence[KeyRow], state: SessionState
    ) -> tuple[Derivation | None, Derivation | None]:
        """The oldest one that costs the reader nothing, and the cheapest of the others that costs no account more than
        the question itself; each at least as exact as asking now.

        Args:
            block: what is asked.
            domain: its declared keys.
            state: the session's.

        Raises:
            LedgerUnavailableError: the ledger cannot be asked.
            SourceUnavailableError: the version of the data cannot be read.
        """
        plan, holding = block.plan, block.holding
        if holding is None or block.feedback or plan.levels is not None:
            return None, None
        versions = await self._recalls.versions(plan)
        wider = {question_hash(scope, (), versions): left for scope, left in holding.wider}
        found = await self._holdings.find(list(wider), reader_of(plan), payers_of(plan))
        oldest = oldest_recalled(plan, state)
        dearer = list[Derivation]()
        for held in found:
            if oldest is not None and held.at < oldest:
                continue
            for derivation in await self._of(plan, holding, domain, held, wider[held.scope], dict(state.shared)):
                if not derivation.prices:
                    return derivation, None
                dearer.append(derivation)
        return None, min(dearer, key=_cost, default=None)

    async def _of(
        self,
        plan: BlockPlan,
        holding: Holding,
        domain: Sequence[KeyRow],
        family: HeldFamily,
        left: tuple[OneOf, ...],
        shared: Mapping[str, str],
    ) -> list[Derivation]:
        """The derivations from one family, the cheapest first: at most one."""
        held = Held.decode(family.content)
        most = family.measured[-1]
        possible = [way for way in ways(plan, holding, held, left, shared) if way.worth * most >= plan.rho]
        if not possible:
            return []
        released = await self._groups(family.family)
        made = [await asyncio.to_thread(sums, plan, domain, held, way, released) for way in possible]
        known = [each for each in made if each is not None]
        if not known:
            return []
        best = max(known, key=lambda each: each.worth)
        options = [
            derivation
            for rho, whole in _seen(family)
            if best.worth * rho >= plan.rho
            and (derivation := _derivation(plan, family, held, best, rho, whole)) is not None
        ]
        return sorted(options, key=_cost)[:1]

    async def _groups(self, family: str) -> StoredAnswer:
        """An answer with the groups of a family."""
        known = self._first.get(family)
        if known is None:
            ((_, known),) = await self._precisions.measurements(family, 1)
            self._first.put(family, known, weight=len(known.keys) + 1)
        return known

    async def answer(self, derivation: Derivation, plan: BlockPlan) -> StoredAnswer:
        """The answer, once its prices are paid.

        Raises:
            LedgerUnavailableError: the ledger cannot be asked.
        """
        family, rho, reader = derivation.family, derivation.rho, reader_of(plan)
        if derivation.whole is None:
            standing = await self._precisions.standing(family, reader, payers_of(plan), rho)
            if standing.shown is None:
                raise AssertionError("what a reader was shown is there")
            return derivation.sums.answer(standing.shown.answer)
        parts = await self._precisions.measurements(family, derivation.whole)
        mean = await asyncio.to_thread(mean_answer, parts)
        reading = await self._precisions.keep(family, reader, Seen(rho, derivation.whole, None), mean)
        return derivation.sums.answer(reading.answer)


def _seen(family: HeldFamily) -> list[tuple[Fraction, int | None]]:
    """What a reader may see of a family: what it was shown, and means of the first measurements."""
    shown = [(rho, None) for rho in family.shown]
    return [*shown, *((rho, count) for count, rho in enumerate(family.measured, start=1) if rho not in family.shown)]


def _derivation(
    plan: BlockPlan, family: HeldFamily, held: Held, found: Sums, rho: Fraction, whole: int | None
) -> Derivation | None:
    """None if an account would pay more than for the question itself."""
    coarse = family.coarse or rho not in family.measured
    prices = []
    for account in plan.accounts:
        paid = family.paid[account.payer].rho if account.payer is not None else rho
        if paid < rho:
            price = account.price(Price.gaussian(coarse_price(rho - paid) if coarse else rho - paid))
            if price.rho > account.price(plan.price).rho:
                return None
            prices.append((account, price))
    steps = tuple(
        Step(family.family, payer, paid.steps + 1, rho) for payer, paid in family.paid.items() if paid.rho < rho
    )
    source = Source(held.label, found.most, family.at)
    return Derivation(family.family, found, rho, whole, found.worth * rho, tuple(prices), steps, source)


def _cost(derivation: Derivation) -> tuple[Fraction, Fraction]:
    return max((price.rho for _, price in derivation.prices), default=Fraction(0)), derivation.rho


def source_text(source: Source) -> str:
    """Of which question an answer is made, in words."""
    of = "one group" if source.groups == 1 else f"the sum of {source.groups} groups"
    age = age_text(source.at)
    return f"{of} of {source.label}, asked at {source.at:%Y-%m-%d %H:%M} UTC" + (f" ({age})" if age else "")
