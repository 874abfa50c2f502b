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
from proxy.budget.holdings import Combination, HeldFamily, Holdings
from proxy.budget.precisions import Precisions, Seen, Step
from proxy.budget.stored_answer import StoredAnswer
from proxy.dp.accounting import Price
from proxy.dp.precision import coarse_price
from proxy.query.adding_up import Part, Sums, sums, ways, worths
from proxy.query.holding import Held, Holding
from proxy.query.planned import PlannedBlock
from proxy.query.precise import payers_of, reader_of
from proxy.query.recalling import oldest_recalled
from proxy.query.same_question import question_hash
from proxy.query.session_state import SessionState
from proxy.release.precision import mean_answer, mean_by_number
from proxy.sql.planning.accounts import Prices
from proxy.sql.planning.group_keys import KeyRow
from proxy.sql.planning.narrowed import OneOf
from proxy.sql.planning.plan import BlockPlan

_GROUPS_KEPT = 200_000


@dataclass(frozen=True)
class Dearer:
    """Numbers that are worth as much as is asked for, and that the reader pays for.

    Attributes:
        part: the numbers.
        prices: what the reader's accounts pay, as for the other question itself.
        steps: what they have paid then.
    """

    part: Part
    prices: Prices
    steps: tuple[Step, ...]


@dataclass(frozen=True)
class Found:
    """Of what a block's answer can be made.

    Attributes:
        parts: numbers of different questions that cost the reader nothing: as many as it takes, or all that there are.
            Each has some of the block's numbers.
        dearer: if these are not enough, the cheapest that is enough by itself.
        own: what the reader was shown of the block's own question, as a part of itself; None if nothing.
    """

    parts: tuple[Part, ...]
    dearer: Dearer | None
    own: Part | None = None

    @property
    def of_all(self) -> tuple[Part, ...]:
        """The parts, if together they are worth something for each of the block's numbers."""
        return self.parts if min(worths(self.parts), default=Fraction(0)) else ()


NOTHING = Found((), None)


class Derivations:
    """Finds other answers of which a question's can be made.

    Args:
        holdings: what was measured holds.
        precisions: what was measured.
    """

    def __init__(self, holdings: Holdings, precisions: Precisions) -> None:
        self._holdings = holdings
        self._precisions = precisions
        self._first: ImmutableCache[str, StoredAnswer] = ImmutableCache(_GROUPS_KEPT)

    async def kept(self, family: str, reader: str, plan: BlockPlan, state: SessionState) -> Combination | None:
        """What a reader was shown of a family together with others', if that is exact and recent enough.

        Raises:
            LedgerUnavailableError: the ledger cannot be asked.
        """
        return await self._holdings.kept(family, reader, plan.rho, oldest_recalled(plan, state))

    async def keep(self, family: str, reader: str, shown: Combination) -> None:
        """Keep what a reader is shown of a family together with others'.

        Raises:
            LedgerUnavailableError: the ledger cannot be asked.
        """
        await self._holdings.keep(family, reader, shown)

    async def find(
        self, block: PlannedBlock, family: str, versions: Sequence[str], domain: Sequence[KeyRow], state: SessionState
    ) -> Found:
        """Of what a block's answer can be made, the oldest first: so that it stays the same while more is asked.

        Args:
            block: what is asked.
            family: its own, of the edition that counts: what was measured of it is no part, but `Found.own`.
            versions: of the data when it is asked.
            domain: its declared keys.
            state: the session's.

        Raises:
            LedgerUnavailableError: the ledger cannot be asked.
        """
        plan, scopes = block.plan, list(wider_scopes(block, versions))
        families = await self._holdings.find(scopes, reader_of(plan), payers_of(plan)) if scopes else []
        return await self.among(families, block, family, versions, domain, state)

    async def among(
        self,
        families: Sequence[HeldFamily],
        block: PlannedBlock,
        family: str,
        versions: Sequence[str],
        domain: Sequence[KeyRow],
        state: SessionState,
    ) -> Found:
        """`find` among the families of the block's `wider_scopes`."""
        plan, holding = block.plan, block.holding
        if not families or holding is None:
            return NOTHING
        wider = wider_scopes(block, versions)
        oldest, shared = oldest_recalled(plan, state), dict(state.shared)
        recent = [each for each in families if oldest is None or each.at >= oldest]
        parts, dearer, own = list[Part](), list[Dearer](), None
        for other, held in _newest_of_refreshed(recent):
            left = wider[other.scope]
            if other.family != family and held.is_same(holding.held) and not left:
                continue  # An older edition of the question itself.
            made = await self._sums(plan, holding, domain, other, held, left, shared)
            if made is None:
                continue
            options = _options(other, held, made)
            free = [part for part in options if _is_paid(other, part)]
            if other.family == family:
                own = free[-1] if free else None
                continue
            enough = [part for part in free if part.worth >= plan.rho]
            if enough:
                return Found((enough[0],), None)
            parts += free[-1:]
            dearer += [found for part in options if (found := _dearer(plan, other, part)) is not None]
        return Found(_enough(parts, plan.rho), min(dearer, key=_cost, default=None), own)

    async def _sums(
        self,
        plan: BlockPlan,
        holding: Holding,
        domain: Sequence[KeyRow],
        family: HeldFamily,
        held: Held,
        left: tuple[OneOf, ...],
        shared: Mapping[str, str],
    ) -> Sums | None:
        """The most exact sums that a family has of a block; None if it has none."""
        possible = ways(plan, holding, held, left, shared)
        if not possible:
            return None
        released = await self._groups(family.family)
        made = [await asyncio.to_thread(sums, plan, domain, held, way, released) for way in possible]
        return max((each for each in made if each is not None), key=lambda each: each.rank, default=None)

    async def _groups(self, family: str) -> StoredAnswer:
        """An answer with the groups of a family."""
        known = self._first.get(family)
        if known is None:
            ((_, known),) = await self._precisions.measurements(family, 1)
            self._first.put(family, known, weight=len(known.keys) + 1)
        return known

    async def made(
        self, block: PlannedBlock, family: str, versions: Sequence[str], domain: Sequence[KeyRow], state: SessionState
    ) -> tuple[Fraction, StoredAnswer] | None:
        """What a block's parts make of it for nothing, however exact, and the ρ that it is worth; None if they do not
        make all of its numbers. Arguments and errors are those of `find`."""
        parts = (await self.find(block, family, versions, domain, state)).of_all
        if not parts:
            return None
        weighted = [(part.worths, await self.answer(part, block.plan)) for part in parts]
        return min(worths(parts)), await asyncio.to_thread(mean_by_number, weighted)

    async def answer(self, part: Part, plan: BlockPlan) -> StoredAnswer:
        """The block's numbers as a part has them, once it is paid.

        Raises:
            LedgerUnavailableError: the ledger cannot be asked.
        """
        reader = reader_of(plan)
        if part.whole is None:
            standing = await self._precisions.standing(part.family, reader, payers_of(plan), part.rho)
            if standing.shown is None:
                raise AssertionError("what a reader was shown is there")
            return part.sums.answer(standing.shown.answer)
        measured = await self._precisions.measurements(part.family, part.whole)
        mean = await asyncio.to_thread(mean_answer, measured)
        reading = await self._precisions.keep(part.family, reader, Seen(part.rho, part.whole, None), mean)
        return part.sums.answer(reading.answer)


def wider_scopes(block: PlannedBlock, versions: Sequence[str]) -> dict[str, tuple[OneOf, ...]]:
    """The scopes of which a block's rows are a part, with the groups that are left of them; none if no answer of
    another question can be a part of its own.

    Args:
        block: what is asked.
        versions: of the data.
    """
    if block.holding is None or block.feedback or block.plan.levels is not None:
        return {}
    return {question_hash(scope, (), versions): left for scope, left in block.holding.wider}


def held_by(block: PlannedBlock, versions: Sequence[str]) -> tuple[str, str] | None:
    """Where others look for what is measured of a block, and what it holds for them; None if nothing."""
    if block.holding is None:
        return None
    return question_hash(block.holding.scope, (), versions), block.holding.held.encode()


def _newest_of_refreshed(families: Sequence[HeldFamily]) -> list[tuple[HeldFamily, Held]]:
    """Of the editions of one question the newest, if anything of it is paid for, else the newest of which something is:
    as for the question itself. Who has asked one anew wants no data of before, so nothing older counts."""
    found: dict[tuple[str, Held], tuple[HeldFamily, Held]] = {}
    refreshed = dt.datetime.min.replace(tzinfo=dt.UTC)
    for family in families:
        held = Held.decode(family.content)
        key = (family.scope, held.unlabelled)
        if key in found and family.shown:
            refreshed = max(refreshed, family.at)
        if key not in found or family.shown or not found[key][0].shown:
            found[key] = family, held
    return sorted((each for each in found.values() if each[0].at >= refreshed), key=lambda each: each[0].at)


def _options(family: HeldFamily, held: Held, found: Sums) -> list[Part]:
    """What a reader may see of a family, the least exact first: what it was shown, and means of the first
    measurements."""
    means = {rho: count for count, rho in enumerate(family.measured, start=1)}
    seen = sorted(means | dict.fromkeys(family.shown))
    return [
        Part(family.family, held.label, family.at, found, rho, None if rho in family.shown else means[rho])
        for rho in seen
    ]


def _is_paid(family: HeldFamily, part: Part) -> bool:
    """Has everybody paid for it who pays for what the reader sees?"""
    return all(paid.rho >= part.rho for paid in family.paid.values())


def _enough(parts: Sequence[Part], rho: Fraction) -> tuple[Part, ...]:
    """As many of the first parts as are worth `rho` together in all numbers, or all."""
    counts = range(1, len(parts))
    return tuple(parts[: next((count for count in counts if min(worths(parts[:count])) >= rho), len(parts))])


def _dearer(plan: BlockPlan, family: HeldFamily, part: Part) -> Dearer | None:
    """What a part costs the reader's accounts; None if it is not enough by itself."""
    if part.worth < plan.rho:
        return None
    coarse = family.coarse or part.rho not in family.measured
    prices = []
    for account in plan.accounts:
        missing = part.rho - family.paid[account.payer].rho if account.payer is not None else Fraction(0)
        if missing > 0:
            prices.append((account, account.price(Price.gaussian(coarse_price(missing) if coarse else missing))))
    steps = tuple(
        Step(family.family, payer, paid.steps + 1, part.rho)
        for payer, paid in family.paid.items()
        if paid.rho < part.rho
    )
    return Dearer(part, tuple(prices), steps)


def _cost(dearer: Dearer) -> tuple[Fraction, Fraction]:
    return max((price.rho for _, price in dearer.prices), default=Fraction(0)), dearer.part.rho


def source_text(parts: Sequence[Part]) -> str:
    """Of which questions an answer is made, in words."""
    return ", and ".join(map(_part_text, parts[:_MOST_TOLD])) + (
        f", and {len(parts) - _MOST_TOLD} more" if len(parts) > _MOST_TOLD else ""
    )


_MOST_TOLD = 3


def _part_text(part: Part) -> str:
    of = "one number" if part.sums.most == 1 else f"the sum of {part.sums.most} numbers"
    return f"{of} of {part.label}, asked at {part.at.astimezone(dt.UTC):%Y-%m-%d %H:%M} UTC"
