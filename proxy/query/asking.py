"""Step 4, ask: from a planned block to a `Question`, which has everything public that the answer depends on."""

from __future__ import annotations

import datetime as dt
import hashlib
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from proxy.budget.cache import ImmutableCache
from proxy.errors import UnsupportedError
from proxy.postgres.stage import Stage, StageQueryError
from proxy.query.adding_up import Part, own_rho
from proxy.query.planned import PlannedBlock
from proxy.query.same_question import Hashes
from proxy.query.session_state import SessionState
from proxy.release.answer_size import check_answer_size
from proxy.release.totals import check_size
from proxy.sql.planning.choices import Choice, ModeChoice
from proxy.sql.planning.domains import MOST_DECLARED, Domain
from proxy.sql.planning.group_keys import KeyRow
from proxy.sql.planning.plan import BlockPlan
from proxy.sql.staging import staged

logger = logging.getLogger(__name__)

_STAGE_LIMITS = ("53400", "57014")
"""SQLSTATEs of an enumeration that is too much work: temp_file_limit, statement_timeout."""
_KEYS_KEPT = 1_000_000
_TOO_MANY = None
"""What is kept of more keys than may be declared."""


@dataclass(frozen=True, eq=False)
class Rest:
    """What is missing of a question beside its parts, of some numbers more than of others (theorem 25).

    Attributes:
        question: measures that.
        places: of its numbers among the statistics of the whole.
    """

    question: Question
    places: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Question:
    """A block with everything public that it depends on.

    Attributes:
        block: the block.
        literals: the released results that it reads, as literal relations in its feedback's order.
        domain: the declared keys, all of which are answered; empty where keys are selected or there are none.
        candidates: for each choice, the declared values that it is about; empty for buckets.
        hash: the key of its stored answer (`same_question.question_hash`).
        family: the same at any ρ; None if there is no such question.
        at: when that was answered, if it was; else None.
        versions: of its data, as the source told them.
        undeclared: sentences about constants that are no declared values.
        parts: numbers of other questions that are a part of its answer (theorem 25).
        kept: makes what the ledger is to keep of the statement's text; None for nothing.
        rest: what is asked instead if less is missing of some numbers than of others; else None.
        whole: the plan of the question of which it is the rest; None for a block's own.
        hides_empty: does its session hide groups that look empty?
    """

    block: PlannedBlock
    literals: tuple[str, ...]
    domain: Sequence[KeyRow]
    candidates: Sequence[Sequence[KeyRow]]
    hash: str
    family: str | None
    at: dt.datetime | None
    versions: tuple[str, ...] = ()
    undeclared: Sequence[str] = ()
    parts: tuple[Part, ...] = ()
    kept: Callable[[], str | None] = lambda: None
    rest: Rest | None = None
    whole: BlockPlan | None = None
    hides_empty: bool = False

    @property
    def plan(self) -> BlockPlan:
        return self.block.plan

    @property
    def has_no_group(self) -> bool:
        """Does the policy declare all groups, and do the conditions leave none?"""
        return may_have_no_group(self.plan) and not self.domain

    @property
    def asked_for(self) -> BlockPlan:
        """The plan of what its analyst asks for, by which people are told of it."""
        return self.whole or self.plan

    @property
    def rho(self) -> Fraction:
        """What its own measurements have to be worth, beside its parts; 0 if these are enough."""
        return own_rho(self.plan, self.parts) if self.parts else self.plan.rho

    @property
    def charged_as(self) -> str:
        """The hash under which it is charged: what is measured beside parts is less than the question by itself."""
        return self.hash if not self.parts else hashlib.sha256(f"{self.hash} and parts".encode()).hexdigest()

    def with_feedback(self, sql: str) -> str:
        """`sql`, a source query or a query for keys, with the released results that it reads."""
        return staged.with_feedback(sql, self.literals)


def may_have_no_group(plan: BlockPlan) -> bool:
    """Does the policy declare all groups of a block, so that there may be none? Grouping sets have a grand total."""
    return plan.domain is not None and plan.levels is None


class Asker:
    """Makes questions.

    Args:
        stage: enumerates declared keys.
    """

    def __init__(self, stage: Stage) -> None:
        self._stage = stage
        self._domains: ImmutableCache[object, tuple[list[KeyRow] | None]] = ImmutableCache(_KEYS_KEPT)

    async def question(
        self, block: PlannedBlock, literals: Sequence[str], hashes: Hashes, state: SessionState
    ) -> Question:
        """The question of a block.

        Args:
            block: the block.
            literals: the released results that it reads, in its feedback's order.
            hashes: of the block and the literals.
            state: the session's.

        Raises:
            UnsupportedError: keys that cannot be enumerated, or an answer that would be too large.
        """
        plan = block.plan
        domain = await self._domain(plan, plan.domain, literals, state)
        candidates = await self._all_candidates(plan, literals, state)
        check_answer_size(plan, len(domain), candidates)
        return Question(
            block,
            tuple(literals),
            domain,
            candidates,
            hashes.question,
            hashes.family,
            hashes.at,
            hashes.versions,
            await self.undeclared(plan, state),
            hides_empty=state.settings.empty_groups == "hide",
        )

    async def domain(self, block: PlannedBlock, state: SessionState) -> Sequence[KeyRow]:
        """The declared keys of a block that reads no released results; none where keys are selected, or there are none.

        Raises:
            UnsupportedError: keys that cannot be enumerated, or an answer that would be too large.
        """
        return await self._domain(block.plan, block.plan.domain, (), state)

    async def has_no_group(self, block: PlannedBlock, state: SessionState) -> bool:
        """Is it known that a block has no group, whatever the rows are? It may read released results, and then it is
        not known before these are."""
        if block.feedback or not may_have_no_group(block.plan):
            return False
        try:
            return not await self.domain(block, state)
        except UnsupportedError:
            return False

    async def candidates(self, block: PlannedBlock, state: SessionState) -> Sequence[Sequence[KeyRow]]:
        """For each choice of a block that reads no released results, the declared values that it is about; empty for
        buckets.

        Raises:
            UnsupportedError: values that cannot be enumerated, or none.
        """
        return await self._all_candidates(block.plan, (), state)

    async def undeclared(self, plan: BlockPlan, state: SessionState) -> list[str]:
        """Sentences about constants that may be a slip: what declared columns are compared with though they are none
        of their values, and what is beyond the bounds of a column that is summed."""
        found = list(plan.beyond)
        for compared in plan.compared:
            try:
                declared = await self._enumerated(compared.sql, state)
            except UnsupportedError:
                continue  # Too many to look at, which is no reason to refuse the question.
            found += compared.undeclared(frozenset(value for (value,) in declared if value is not None))
        return found

    async def check_keys(self, block: PlannedBlock, state: SessionState) -> None:
        """Refuse a block with too many declared keys, as far as that is known before other blocks are released.

        Raises:
            UnsupportedError: keys that cannot be enumerated, or too many.
        """
        plan = block.plan
        if plan.domain is not None and plan.domain.unlisted is not None:
            await self._enumerated(plan.domain.unlisted.sql, state, plan.domain.unlisted.some)

    async def _domain(
        self, plan: BlockPlan, domain: Domain | None, literals: Sequence[str], state: SessionState
    ) -> list[KeyRow]:
        """Declared keys, or candidates of a choice, enumerated by the stage over public data."""
        if domain is None:
            return []
        known = await self._enumerated(staged.with_feedback(domain.sql, literals), state)
        check_size(plan, len(known))
        return known

    async def _enumerated(self, sql: str, state: SessionState, some: str | None = None) -> list[KeyRow]:
        """The rows of a query for keys; `some` finds some of them more quickly."""
        key = (sql, state.shared)
        known = self._domains.get(key)
        if known is None:
            rows = await self._listed(sql, state, some)
            known = (rows if len(rows) <= MOST_DECLARED else _TOO_MANY,)
            self._domains.put(key, known, weight=len(known[0] or ()) + 1)
        if known[0] is _TOO_MANY:
            raise _too_many_keys()
        return known[0]

    async def _listed(self, sql: str, state: SessionState, some: str | None) -> list[KeyRow]:
        """The rows of a query for keys, of which `some` are enough if they are too many already."""
        try:
            for query in (some, sql) if some is not None else (sql,):
                rows = [tuple(row) for row in await self._stage.rows_as(state.analyst, query, dict(state.shared))]
                if len(rows) > MOST_DECLARED:
                    break
        except StageQueryError as error:
            if error.sqlstate in _STAGE_LIMITS:
                raise slow_keys("the session's database") from None
            logger.error("declared keys cannot be enumerated: %s", error)
            raise UnsupportedError(
                "the declared keys of this query cannot be enumerated",
                detail="A value that the policy or a public table declares does not fit the key's type.",
                hint="Group by the column itself, and ask the data steward to check its declared values.",
                rule="declared-keys",
            ) from None
        return rows

    async def _all_candidates(
        self, plan: BlockPlan, literals: Sequence[str], state: SessionState
    ) -> list[list[KeyRow]]:
        return [await self._candidates(plan, choice, literals, state) for choice in plan.choices]

    async def _candidates(
        self, plan: BlockPlan, choice: Choice, literals: Sequence[str], state: SessionState
    ) -> list[KeyRow]:
        """The declared values that a choice is about; none for buckets."""
        values = [row for row in await self._domain(plan, choice.candidates, literals, state) if row != (None,)]
        if isinstance(choice, ModeChoice) and not values:
            raise UnsupportedError(
                "mode() has no declared value to choose from",
                hint="No declared value satisfies WHERE; relax its conditions.",
                rule="undeclared-mode",
            )
        return values


def slow_keys(where: str) -> UnsupportedError:
    """The refusal of keys of which a database cannot make a list in the time and space that it has for that."""
    return UnsupportedError(
        f"listing the declared group keys takes {where} too long",
        detail="Nothing was charged. All that the columns in a key can hold is combined before any row is read, "
        "however few different keys that gives.",
        hint="Cut dates to months as in date_trunc('month', x) before they are compared or computed with, use fewer "
        "columns in a key, or narrow them in WHERE.",
        rule="slow-keys",
    )


def _too_many_keys() -> UnsupportedError:
    return UnsupportedError(
        f"the group keys have more than {MOST_DECLARED} declared combinations",
        detail="Every one of them is answered, also where there is no row, so that a missing group says nothing.",
        hint="Group by fewer columns, cut dates to months as in date_trunc('month', x) and numbers to steps as in "
        "floor(x / 50) * 50, or narrow the columns in WHERE.",
        rule="too-many-keys",
    )
