"""Step 8, stage: from a plan, through steps 4 to 7, to an `Answer`: the SQL that the stage runs instead."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from typing import cast

from proxy.budget.cache import ImmutableCache
from proxy.budget.ledger import Ledger
from proxy.errors import DpproxyError, UnsupportedError
from proxy.policy.model import Policy
from proxy.postgres.stage import Stage, StageQueryError
from proxy.query.affording import check_together
from proxy.query.asking import Asker
from proxy.query.audit_log import AuditLog
from proxy.query.desk import Desk
from proxy.query.empty_groups import (
    counted,
    counted_declared,
    hiding,
    left_out,
    made_null,
    misses_small_groups,
)
from proxy.query.last_statement import ReleasedBlock
from proxy.query.made_up_answers import GUARDS, fails, failure_remark, may_fail, remarked, try_made_up
from proxy.query.notices import charge_label
from proxy.query.outlooks import Outlooks
from proxy.query.planned import Plan, PlannedBlock, PlannedFeedback, all_blocks
from proxy.query.precise import as_answered
from proxy.query.price_limit import check_price
from proxy.query.recalling import age_text
from proxy.query.releasing import Once, Released, Releaser
from proxy.query.session_state import SessionState
from proxy.query.virtual import virtual_relation
from proxy.release.noisy_answers import hides_groups, rows_to_show
from proxy.settings import QuerySettings
from proxy.sql.planning.plan import BlockPlan
from proxy.sql.redaction import kept_text
from proxy.sql.rows.feedback import check_released_size, evaluation_sql
from proxy.sql.staging import staged
from proxy.sql.staging.undefined_values import defined, may_be_undefined
from proxy.wire.roster import Roster
from proxy.wire.router import Answer, Notice, SessionContext, StageError

_Rows = list[tuple[str | None, ...]]
_LAST = "last"
_FILLED_AT_ONCE = 50_000
"""Characters of an answer's SQL that is put together in less time than a thread takes to begin."""
_PRINTED_AT_ONCE = 20
"""Numbers of an answer that are printed in less time than a thread takes to begin."""
_COUNTED_AT_ONCE = 2_000
"""Groups of which those that look empty are counted in less time than a thread takes to begin."""
_RELATIONS_KEPT = 32 << 20
"""Size of the cache of literal relations, in characters."""
_SETTLED_KEPT = 32 << 20
"""Likewise, of answers that are settled; what comes with a relation grows with it."""
_LEAST_WEIGHT = 4_000
"""Of an answer of few characters."""


@dataclass(frozen=True, eq=False)
class _Shown:
    """A block's answer, and everything that is made of it.

    Attributes:
        label: what people call the block.
        last: for dp.last.
        relation: the answer as a literal relation.
    """

    label: str
    last: ReleasedBlock
    relation: str


@dataclass(frozen=True)
class Run:
    """One statement on its way to an answer.

    Attributes:
        text: the statement's.
        state: the session's settings.
        virtual: the rows of dp.budget, dp.ledger and dp.sessions.
        before_charge: what is tried before the first of its blocks is charged.
        released: its answers so far, by hash: a CTE that is read twice is one question.
        plans: of these answers (`as_answered`), by the same hashes.
        last: the same for dp.last.
        told: what else the client is told.
    """

    text: str
    state: SessionState
    virtual: dict[str, str]
    before_charge: Once
    released: dict[str, Released] = field(default_factory=dict)
    plans: dict[str, BlockPlan] = field(default_factory=dict)
    last: list[ReleasedBlock] = field(default_factory=list)
    told: list[Notice] = field(default_factory=list)

    def tell(self, notice: Notice) -> None:
        """Tell the client something, once."""
        if notice not in self.told:
            self.told.append(notice)

    @property
    def paid(self) -> list[str]:
        """The labels of what was charged for it."""
        return [charge_label(block.plan) for block in self.last if block.released.prices]


class Answerer:
    """Answers planned statements.

    Args:
        policy: whose accounts dp.budget shows.
        stage: evaluates what blocks read of released results, and enumerates keys.
        ledger: the accounts.
        releaser: releases what is asked.
        outlooks: what that would cost.
        desk: the threads that build SQL.
        audit: told of each block that is released.
        roster: the sessions that dp.sessions shows.
    """

    def __init__(
        self,
        policy: Policy,
        stage: Stage,
        ledger: Ledger,
        releaser: Releaser,
        outlooks: Outlooks,
        desk: Desk,
        audit: AuditLog,
        roster: Roster,
    ) -> None:
        self._roster = roster
        self._audit = audit
        self._policy = policy
        self._stage = stage
        self._ledger = ledger
        self._releaser = releaser
        self._outlooks = outlooks
        self._desk = desk
        self._asker = Asker(stage)
        self._literals: ImmutableCache[object, str] = ImmutableCache(_RELATIONS_KEPT)
        self._settled: ImmutableCache[object, _Shown] = ImmutableCache(_SETTLED_KEPT)

    async def answer(self, plan: Plan, text: str, state: SessionState, session: SessionContext) -> Answer:
        """Release a statement's blocks, and put the results in their places.

        Args:
            plan: of the statement.
            text: the statement, for the audit log.
            state: the session's settings.
            session: its stage connection tries what could fail; its memory has what the last statement released.

        Raises:
            DpproxyError: a refusal, exhausted budget or failed source.
            StageError: what the client computes from released numbers fails, whatever they are.
        """
        await check_price(plan, state, state.settings.max_price, self._outlooks)
        for block in all_blocks(plan.blocks):
            await self._asker.check_keys(block, state)
        last = cast("list[ReleasedBlock]", session.memory.get(_LAST, []))
        virtual = {
            name: await virtual_relation(name, self._policy, self._ledger, self._roster, state, last)
            for name in plan.virtual
        }
        before = Once(partial(try_made_up, plan, self._asker, state, session, virtual))
        run = Run(text, state, virtual, before)
        try:
            await check_together(
                plan.blocks, self._asker, self._releaser.payments, state, partial(self._literals_of, run)
            )
            relations = await self._relations(plan.blocks, run)
            sql = await self._computable(plan, relations, run, session)
        except DpproxyError as error:
            if run.paid:
                error.name_paid(run.paid)
            raise
        except StageError as error:
            # What was charged is computed once more where groups look empty: cancelled, or too slow.
            raise remarked(error, failure_remark(run.paid)) from None
        finally:
            if run.last:
                session.memory[_LAST] = run.last
        notices = (*(released.notice for released in run.released.values()), *run.told)
        shown = notices if state.settings.notices else ()
        return Answer(plan.wrapping.around(sql), shown, plan.origins, plan.quiet, remark=failure_remark(run.paid))

    async def _computable(self, plan: Plan, relations: Sequence[str], run: Run, session: SessionContext) -> str:
        """The SQL of the result. What fails only for groups that look empty is computed without them, and what is not
        defined for released numbers is NULL."""
        sql = await self._filled(plan, relations, run)
        if plan.aggregates_groups and not all(block.plan.asks_source for block in plan.blocks):
            run.tell(counted_declared())
        if plan.misses_groups:
            run.tell(misses_small_groups())
        tried = may_fail(plan.template)
        shows_empty = run.state.settings.empty_groups != "hide" and (tried or plan.counts_groups)
        empty, groups = await self._looking_empty(run) if shows_empty else (0, 0)
        if tried and (empty or may_be_undefined(plan.template)) and await fails(sql, session, quiet=plan.quiet):
            return await self._succeeding(plan, relations, run, session, empty, groups) or sql
        if plan.counts_groups and 0 < empty < groups and not run.told:
            run.tell(counted(empty, groups))
        return sql

    async def _succeeding(
        self, plan: Plan, relations: Sequence[str], run: Run, session: SessionContext, empty: int, groups: int
    ) -> str | None:
        """The SQL of a result that fails as the client wrote it; None if it fails in each form."""
        if empty:
            without = await self._relations(plan.blocks, replace(run, state=hiding(run.state)))
            hidden = await self._filled(plan, without, run)
            if not await fails(hidden, session, quiet=plan.quiet):
                run.tell(left_out(empty, groups))
                return hidden
        for template in await self._desk.do(run.state.analyst, list, defined(plan.template)):
            found = await self._filled(replace(plan, template=template), relations, run)
            if not await fails(found, session, quiet=plan.quiet):
                run.tell(made_null())
                return found
        return None

    async def _looking_empty(self, run: Run) -> tuple[int, int]:
        """How many groups look empty, and how many there are. Nobody else waits until many are counted."""
        if sum(len(block.released.answer.keys) for block in run.last) <= _COUNTED_AT_ONCE:
            return _looking_empty(run.last)
        return await self._desk.do(run.state.analyst, _looking_empty, run.last)

    async def _filled(self, plan: Plan, relations: Sequence[str], run: Run) -> str:
        if len(plan.template) + sum(map(len, (*relations, *run.virtual.values()))) <= _FILLED_AT_ONCE:
            return plan.result_sql(relations, run.virtual)
        return await self._desk.do(run.state.analyst, plan.result_sql, relations, run.virtual)

    async def _relations(self, blocks: Sequence[PlannedBlock], run: Run) -> list[str]:
        """The literal relation of each block; the queries that a block reads are released before it."""
        return [await self._relation(block, run) for block in blocks]

    async def _relation(self, block: PlannedBlock, run: Run) -> str:
        literals = await self._literals_of(run, block)
        recalls, state = self._releaser.payments.recalls, run.state
        hashes = await recalls.hashes(block, literals)
        known = run.released.get(hashes.question)
        if known is not None:
            return await self._literal(block, run.plans[hashes.question], known, hashes.question, state.settings)
        edition = await recalls.edition(hashes, block.plan, state) if block.plan.asks_source else hashes
        # What was shown of an edition for nothing never changes; which edition counts, and how old it is, does. Other
        # texts and sessions have blocks of the same plan.
        types = (block.types.keys, block.types.aggregates)
        key = (block.plan, types, state, edition.question, edition.family, age_text(edition.at))
        shown = self._settled.get(key)
        if shown is not None:
            self._told(shown.label, shown.last, hashes.question, run)
            return shown.relation
        question = await self._asker.question(block, literals, edition, state)
        # Once it is charged: most answers are recalled.
        question = replace(question, kept=partial(kept_text, run.text, self._policy.statement_texts))
        released = await self._releaser.release(question, state, run.before_charge)
        plan = as_answered(block.plan, released.answer, released.rho)
        label, last = charge_label(block.plan), ReleasedBlock(released.hash, plan, released)
        self._told(label, last, hashes.question, run)
        relation = await self._literal(block, plan, released, hashes.question, state.settings)
        if released.settled:
            self._settled.put(key, _Shown(label, last, relation), weight=len(relation) + _LEAST_WEIGHT)
        return relation

    def _told(self, label: str, last: ReleasedBlock, question: str, run: Run) -> None:
        """Note that a block was answered; `question` is the hash of its question."""
        run.released[question], run.plans[question] = last.released, last.plan
        run.last.append(last)
        self._audit.answered(run.state.analyst, run.text, last.hash, label, last.released.prices)

    async def _literals_of(self, run: Run, block: PlannedBlock) -> list[str]:
        """The released results that a block reads, as literal relations."""
        most = block.plan.footprint.most_uncounted
        return [await self._feedback(feedback, run, most) for feedback in block.feedback]

    async def _feedback(self, feedback: PlannedFeedback, run: Run, most_uncounted: int) -> str:
        """The rows of a released query as a literal relation for the source."""
        relations = await self._relations(feedback.blocks, run)
        try:
            rows = await self._evaluated(feedback, feedback.template, relations, run)
        except StageQueryError as error:
            found = await self._evaluated_otherwise(feedback, relations, run)
            if found is None:
                raise _not_evaluated(error) from None
            rows = found
        check_released_size(feedback.columns, feedback.promises, rows, most_uncounted)
        return staged.feedback_literal(feedback.columns, rows)

    async def _evaluated_otherwise(self, feedback: PlannedFeedback, relations: Sequence[str], run: Run) -> _Rows | None:
        """The rows of a query that fails as the client wrote it; None if it fails in each form, or has no noise."""
        if not feedback.blocks:
            return None
        if run.state.settings.empty_groups != "hide":
            empty, groups = await self._looking_empty(run)
            if empty:
                without = await self._relations(feedback.blocks, replace(run, state=hiding(run.state)))
                with suppress(StageQueryError):
                    rows = await self._evaluated(feedback, feedback.template, without, run)
                    run.tell(left_out(empty, groups))
                    return rows
        for template in await self._desk.do(run.state.analyst, list, defined(feedback.template)):
            with suppress(StageQueryError):
                rows = await self._evaluated(feedback, template, relations, run)
                run.tell(made_null())
                return rows
        return None

    async def _evaluated(self, feedback: PlannedFeedback, template: str, relations: Sequence[str], run: Run) -> _Rows:
        sql = evaluation_sql(staged.fill(template, relations, run.virtual), feedback.columns)
        return await self._stage.rows_as(run.state.analyst, sql, dict(run.state.shared))

    async def _literal(
        self, block: PlannedBlock, plan: BlockPlan, released: Released, question: str, settings: QuerySettings
    ) -> str:
        """The answer as a literal relation. Cached, since printing many groups takes longer than everything else. Draws
        follow from the hash of the question and the numbers, however these were come by."""
        hide_empty, consistent = settings.empty_groups == "hide", settings.consistency
        answer = released.answer
        shown = (hide_empty, consistent, settings.max_error, settings.digits, released.rho, answer.worths)
        types = (block.types.keys, block.types.aggregates)
        key = (released.hash, released.reader, types, plan.aggregates, plan.intervals, plan.levels, shown)
        known = self._literals.get(key)
        if known is not None:
            return known

        def printed() -> str:
            rows = rows_to_show(plan, answer, hide_empty=hide_empty, consistent=consistent)
            return staged.literal_relation(
                plan,
                block.types,
                rows,
                settings.max_error,
                question,
                digits=settings.digits,
            )

        if plan.levels is None and len(answer.keys) * (len(plan.statistics) + len(plan.intervals)) <= _PRINTED_AT_ONCE:
            relation = printed()
        else:
            # In a thread, since fitting many totals takes seconds.
            relation = await asyncio.to_thread(printed)
        self._literals.put(key, relation, weight=len(relation))
        return relation


def _looking_empty(blocks: Sequence[ReleasedBlock]) -> tuple[int, int]:
    """How many groups look empty, and of how many that may."""
    groups = sum(len(block.released.answer.keys) for block in blocks if hides_groups(block.plan))
    return sum(block.empty_groups for block in blocks), groups


def _not_evaluated(error: StageQueryError) -> UnsupportedError:
    return UnsupportedError(
        "could not evaluate a subquery inside a private query",
        detail=f"The subquery is evaluated first, on its own: {error.message} (SQLSTATE {error.sqlstate}).",
        hint=GUARDS.get(error.sqlstate, "Run the subquery by itself to see its answer, which is free now."),
        rule="feedback-failed",
    )
