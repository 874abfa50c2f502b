"""What an analyst may know of a block before asking it: its answer where that is free, and else what it would cost."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from proxy.budget.answers import Answers
from proxy.budget.precisions import Precisions, Standing
from proxy.dp.conversion import QUANTUM
from proxy.dp.exact import floor_to
from proxy.errors import UnsupportedError
from proxy.query.adding_up import own_rho, worths
from proxy.query.asking import Asker
from proxy.query.deriving import NOTHING, Derivations, source_text
from proxy.query.paying import Recalled, kept_for, unpaid
from proxy.query.planned import PlannedBlock
from proxy.query.precise import alone, known_prices, known_rho, payers_of, reader_of
from proxy.query.recalling import Recalls
from proxy.query.same_question import Hashes
from proxy.query.session_state import SessionState
from proxy.query.splitting import split
from proxy.sql.planning.accounts import Prices
from proxy.sql.planning.plan import BlockPlan


@dataclass(frozen=True)
class Outlook:
    """What an analyst may know of what a block would cost (attack 53).

    Attributes:
        prices: what would be paid at most.
        held: the ρ of what was measured of the question itself.
        told: the other questions whose numbers are a part of the answer, in words; empty if there are none.
        worths: the ρ that these are worth for each of the block's numbers.
    """

    prices: Prices
    held: Fraction = Fraction(0)
    told: str = ""
    worths: tuple[Fraction, ...] = ()

    @property
    def worth(self) -> Fraction:
        """The ρ that the other questions' numbers are worth for all of the block's."""
        return min(self.worths, default=Fraction(0))


class Outlooks:
    """Tells what is known of blocks, and charges nothing.

    Args:
        answers: the released answers of questions without a family.
        precisions: those of questions with one.
        recalls: which of them count.
        derivations: answers that are made of others.
        asker: lists declared keys.
    """

    def __init__(
        self, answers: Answers, precisions: Precisions, recalls: Recalls, derivations: Derivations, asker: Asker
    ) -> None:
        self._answers = answers
        self._precisions = precisions
        self._recalls = recalls
        self._derivations = derivations
        self._asker = asker

    async def owed(self, block: PlannedBlock, state: SessionState) -> Prices:
        """What the block costs at most if it is asked now; nothing if its asker is told its answer for free.

        What reads released rows is a question that is not known before they are, and taken for a new one. So is what
        only others have paid for: that they did is told to who pays (attack 53).
        """
        return () if await self.answer(block, state) is not None else (await self.outlook(block, state)).prices

    async def outlook(self, block: PlannedBlock, state: SessionState) -> Outlook:
        """What is known of a block without an answer of its own that is free."""
        plan = block.plan
        full = alone(plan).prices if plan.asks_source else ()
        if block.feedback or block.family is None or not full:
            return Outlook(full)
        edition = await self._edition(block, state)
        kept = await kept_for(self._derivations, plan, edition.family, state)
        if kept is not None:
            known = kept.answer.worths or (kept.rho,) * len(plan.statistics)
            return Outlook((), told=kept.told, worths=known)
        try:
            domain = await self._asker.domain(block, state)
            found = await self._derivations.find(block, edition.family or "", edition.versions, domain, state)
        except UnsupportedError:
            found = NOTHING  # Too many keys, which the answer's refusal tells.
        apart = split(block, edition.family or "", found)
        if apart is not None:
            owed = await self.owed(apart.block, state)
            return Outlook(owed, told=source_text(apart.parts), worths=() if owed else apart.worths(plan))
        parts = found.of_all
        told, known = source_text(parts), worths(parts)
        asked = own_rho(plan, parts)
        if not asked:
            return Outlook((), told=told, worths=known)
        standing = await self._standing(plan, edition, asked)
        if standing is None:
            return Outlook(full)
        return Outlook(known_prices(plan, standing, asked), known_rho(plan, standing), told, known)

    async def answer(self, block: PlannedBlock, state: SessionState, rho: Fraction | None = None) -> Recalled | None:
        """The block's answer, if its asker would be told it without a charge (attack 53); None if there is none.

        What reads released rows is a question of its own each time.

        Args:
            block: the block.
            state: of the asker's session.
            rho: what the answer has to be worth; None for what is asked for.
        """
        if block.feedback or not block.plan.asks_source:
            return None
        edition = await self._edition(block, state)
        plan = block.plan
        if edition.family is not None:  # Else it has no ρ of its own, or none that it can be calibrated to.
            worth = plan.rho if rho is None else rho
            standing = await self._standing(plan, edition, worth)
            if standing is not None and standing.shown is not None and not known_prices(plan, standing, worth):
                return Recalled(standing.shown.answer, standing.shown.rho, None, at=edition.at)
        stored = await self._answers.find(edition.question)
        if stored is None or await unpaid(self._answers, plan, edition.question):
            return None
        return Recalled(stored, None, None, at=edition.at)

    async def shown(self, block: PlannedBlock, state: SessionState) -> Recalled | None:
        """An answer of the block, at any price, that its asker would be told without a charge: the one that the block
        asks for, which stays the same however often it is asked, or else the most precise one. None if there is
        none."""
        found = await self.answer(block, state)
        if found is None and block.family is not None and not block.feedback:
            standing = await self._standing(block.plan, await self._edition(block, state), block.plan.rho)
            if standing is not None and standing.seen is not None:
                found = await self.answer(block, state, standing.seen.rho)
        return found if found is not None else await self._made(block, state)

    async def _made(self, block: PlannedBlock, state: SessionState) -> Recalled | None:
        """What other questions' numbers make of a block for nothing, however exact; None if not all of its numbers."""
        if block.family is None or block.feedback:
            return None
        edition, domain = await self._edition(block, state), await self._asker.domain(block, state)
        made = await self._derivations.made(block, edition.family or "", edition.versions, domain, state)
        return None if made is None else Recalled(made[1], floor_to(made[0], QUANTUM), None)

    async def _edition(self, block: PlannedBlock, state: SessionState) -> Hashes:
        return await self._recalls.edition(await self._recalls.hashes(block), block.plan, state)

    async def _standing(self, plan: BlockPlan, edition: Hashes, asked: Fraction) -> Standing | None:
        if edition.family is None:
            return None
        return await self._precisions.standing(edition.family, reader_of(plan), payers_of(plan), asked)
