"""The life of a query, steps 1 to 9 of decision 2: what the wire's `Router` is behind a real policy."""

from __future__ import annotations

import asyncio
import hashlib
import logging
from collections.abc import Callable, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from functools import partial
from typing import TypeVar

from proxy.budget.answers import Answers
from proxy.budget.cache import ImmutableCache
from proxy.budget.failures import Failure, Failures
from proxy.budget.ledger import AccountCharge, Ledger, Receipt
from proxy.budget.stored_answer import StoredAnswer
from proxy.dp.randomness import uniform_bits
from proxy.errors import DpproxyError, MeasurementFailedError, RefusedError, UnsupportedError
from proxy.postgres.source import BrokenPromiseError, MeasurementRequest, Source, Transaction
from proxy.postgres.stage import Stage, StageQueryError
from proxy.query import notices
from proxy.query.desk import Desk
from proxy.query.failing import report_failure
from proxy.query.pacing import Pacer
from proxy.query.planning import Block, Evaluated, Prepared, Preparer, SessionState, all_blocks
from proxy.query.source_checks import SourceChecks
from proxy.query.source_request import measurement_request
from proxy.query.virtual import virtual_relation
from proxy.release.answer_size import check_answer_size
from proxy.release.drawn import Drawn, draw
from proxy.release.group_keys import KeyRow
from proxy.release.noisy_answers import listed, release, rows_to_show
from proxy.release.totals import check_size
from proxy.settings import QuerySettings, check_setting, check_startup, wants_notices
from proxy.sql import explain
from proxy.sql.measuring import measure
from proxy.sql.measuring.sending import only_declared
from proxy.sql.planning.choices import Choice
from proxy.sql.planning.domains import MOST_DECLARED, Domain
from proxy.sql.planning.plan import BlockPlan
from proxy.sql.planning.pricing import AccountPrice
from proxy.sql.rows.feedback import broken_promise, check_released_size, evaluation_sql, promise_sql
from proxy.sql.schema import Schema
from proxy.sql.scripts import cut, first_words, names_outside_strings, set_statement
from proxy.sql.staging import staged
from proxy.sql.statement import with_query
from proxy.sql.terms.term import quote_literal
from proxy.sql.text_limits import check_length, check_operators, starves_a_scanner
from proxy.sql.trees.blocks import VIRTUAL_RELATIONS
from proxy.wire.router import Answer, Notice, Parameter, SessionContext, StatementText

Found = TypeVar("Found")

logger = logging.getLogger(__name__)

_STAGE_LIMITS = ("53400", "57014")
"""What an enumeration of far too many keys ends with: temp_file_limit or statement_timeout."""
_SHORT = 4000
"""Characters of a text that is cut within some milliseconds."""
_MESSAGES = ("notify", "listen")
_KEYS_KEPT = 1_000_000
_RELATIONS_KEPT = 32 << 20


@dataclass
class Run:
    """One statement on its way to an answer.

    Attributes:
        state: the session's settings.
        session: the session.
        virtual: the rows of dp.budget and dp.ledger.
        answers: what was released for it so far, by hash: a CTE that is read twice is one question.
        notices: what its blocks cost.
    """

    state: SessionState
    session: SessionContext
    virtual: dict[str, str]
    answers: dict[str, StoredAnswer] = field(default_factory=dict)
    notices: list[Notice] = field(default_factory=list)


class Asked:
    """A block with the released results that it reads: together they are the question.

    Args:
        block: the block.
        literals: the literal relations in its feedback's order.
    """

    def __init__(self, block: Block, literals: Sequence[str]) -> None:
        self.block = block
        self.literals = literals
        read = "".join(f"{len(literal)}:{literal}" for literal in literals)
        self.hash = hashlib.sha256(f"{block.hash}{read}".encode()).hexdigest() if literals else block.hash


@dataclass(frozen=True)
class Measuring:
    """A measurement that is paid for and not run yet.

    Attributes:
        transaction: in which it runs.
        held: ends the transaction.
    """

    transaction: Transaction
    held: AsyncExitStack


class PrivateRouter:
    """Answers claimed statements: plan, recall, charge, measure, release, stage.

    Args:
        schema: policy and catalog.
        source: where measurements run.
        stage: the stage's administrative side.
        ledger: the accounts.
        answers: the released answers.
        failures: of measurements, by analyst.
        pacer: lets fresh answers leave in time.
    """

    def __init__(
        self,
        schema: Schema,
        source: Source,
        stage: Stage,
        ledger: Ledger,
        answers: Answers,
        failures: Failures,
        pacer: Pacer,
    ) -> None:
        self._schema = schema
        self._source = source
        self._stage = stage
        self._ledger = ledger
        self._answers = answers
        self._failures = failures
        self._pacer = pacer
        self._desk = Desk()
        self._preparer = Preparer(schema, stage, self._desk)
        self._answered: ImmutableCache[object, str] = ImmutableCache(_RELATIONS_KEPT)
        self._domains: ImmutableCache[object, list[KeyRow]] = ImmutableCache(_KEYS_KEPT)

    def check_startup(self, parameters: Mapping[str, str]) -> tuple[Notice, ...]:
        check_startup(parameters)
        ordered = notices.order_of_texts(self._schema.catalog) if wants_notices(parameters) else None
        return (ordered,) if ordered is not None else ()

    def claims(self, text: str) -> bool:
        return self._schema.mentions(text) or _may_be_message(text) or starves_a_scanner(text)

    async def split(self, text: str, analyst: str) -> tuple[StatementText, ...]:
        return await self._read(text, analyst, self._split)

    def _split(self, text: str) -> tuple[StatementText, ...]:
        return tuple(StatementText(one, self._must_be_read(one)) for one in cut(text))

    def _must_be_read(self, statement: str) -> bool:
        return self._schema.mentions(statement) or _is_message(statement) or starves_a_scanner(statement)

    async def _read(self, text: str, analyst: str, reader: Callable[[str], Found]) -> Found:
        """What `reader` finds in a text, in time that is linear in its length: a short one is not worth a thread."""
        return reader(text) if len(text) <= _SHORT else await self._desk.do(analyst, partial(reader, text))

    async def check(self, text: str, analyst: str) -> None:
        _refuse_message(text)
        check_operators(text)
        check_length(len(text))
        if await self._read(text, analyst, set_statement) is not None:
            return
        try:
            await self._preparer.parse(text, analyst)
        except UnsupportedError as error:
            # The stage parses it next and tells a syntax error natively; `answer` refuses what only we cannot parse.
            if error.rule != "parse":
                raise

    async def answer(self, text: str, parameters: Sequence[Parameter], session: SessionContext) -> Answer:
        _refuse_message(text)
        check_operators(text)
        check_length(len(text))
        setting = await self._read(text, session.analyst, set_statement)
        if setting is not None:
            check_setting(*setting)
            return Answer(None)
        try:
            state = await self._preparer.session_state(session)
        except DpproxyError:
            # RESET, SHOW and the catalog's queries must work with settings that private queries refuse.
            names = self._schema.private_names | VIRTUAL_RELATIONS
            if await self._desk.do(session.analyst, partial(names_outside_strings, text, names)):
                raise
            return Answer(None)
        prepared = await self._preparer.prepare(text, parameters, session, state)
        if prepared is None:
            return Answer(None)
        if prepared.statement.carrier == "explain":
            return await self._explain(prepared, session.analyst)
        virtual = {
            name: await virtual_relation(name, self._schema.policy, self._ledger, state.analyst)
            for name in prepared.virtual
        }
        run = Run(state, session, virtual)
        relations = await self._relations(prepared.blocks, run)
        sql = await self._desk.do(session.analyst, partial(_result_sql, prepared, relations, virtual))
        return Answer(with_query(prepared.statement, sql), tuple(run.notices) if state.query.notices else ())

    async def _relations(self, blocks: Sequence[Block], run: Run) -> list[str]:
        """The literal relation of each block; what a block reads of others is released before it."""
        relations = []
        for block in blocks:
            most = block.plan.footprint.most_uncounted
            literals = [await self._evaluated(one, run, most) for one in block.evaluated]
            asked = Asked(block, literals)
            answer = run.answers.get(asked.hash)
            if answer is None:
                answer, notice = await self._released(asked, run.state)
                run.answers[asked.hash] = answer
                run.notices.append(notice)
            relations.append(await self._relation(asked, answer, run.state.query))
        return relations

    async def _evaluated(self, one: Evaluated, run: Run, most_uncounted: int) -> str:
        """The rows of a released query as a literal relation for the source."""
        relations = await self._relations(one.blocks, run)
        sql = evaluation_sql(staged.fill(one.template, relations, run.virtual), one.columns)
        try:
            rows = await self._stage.rows_as(run.state.analyst, sql, dict(run.state.shared))
        except StageQueryError as error:
            raise _not_evaluated(error) from None
        check_released_size(one.columns, one.query, rows, most_uncounted)
        return staged.feedback_literal(one.columns, rows)

    async def _relation(self, asked: Asked, answer: StoredAnswer, settings: QuerySettings) -> str:
        """The answer as a literal relation; kept, since printing many groups takes longer than everything else."""
        block = asked.block
        hide_empty, consistent = settings.empty_groups == "hide", settings.consistency
        plan = block.plan
        key = (asked.hash, block.types, plan.aggregates, plan.intervals, plan.levels, hide_empty, consistent)
        known = self._answered.get(key)
        if known is not None:
            return known
        # In a thread, since the fit of many totals takes seconds.
        rows = await asyncio.to_thread(rows_to_show, block.plan, answer, hide_empty=hide_empty, consistent=consistent)
        relation = await asyncio.to_thread(staged.literal_relation, block.plan, block.types, rows)
        self._answered.put(key, relation, weight=len(relation))
        return relation

    async def _released(self, asked: Asked, state: SessionState) -> tuple[StoredAnswer, Notice]:
        """Recall the block's answer, or charge, measure and release it."""
        plan, block = asked.block.plan, asked.hash
        domain = await self._domain(asked, plan.domain, state)
        candidates = [await self._candidates(asked, choice, state) for choice in plan.choices]
        check_answer_size(plan, len(domain), candidates)
        if not plan.measured:
            return listed(plan, domain), notices.free(plan)
        own = [account for account in plan.accounts if account.name.startswith("analyst:")]
        recalled = await self._answers.find(block)
        if recalled is not None:
            if not own or await self._answers.paid(block, state.analyst):
                return recalled, notices.recalled(plan, None)
            receipt = await self._charge(plan, own, block, state)
            return recalled, notices.recalled(plan, receipt)
        await self._failures.require_active(state.analyst)
        # The source need not be there for a refusal; the charge below decides.
        await self._ledger.check(_charges(plan, plan.accounts))
        checks = _checks(asked, domain, candidates)
        request = await self._desk.do(state.analyst, partial(_request, asked, checks, domain, candidates, state))
        try:
            async with self._source.place(state.analyst):
                async with AsyncExitStack() as stack:
                    try:
                        transaction = await stack.enter_async_context(self._source.transaction(request))
                    except BrokenPromiseError as broken:
                        raise broken_promise(asked.block.evaluated[broken.number].query) from None
                    checks.compare(transaction.found)
                    receipt = await self._charge(plan, plan.accounts, block, state)
                    drawn = await self._pacer.drawn(plan.delay, partial(draw, plan, domain))
                    # What is paced ends behind a client that does not wait for it, and the transaction with it.
                    measuring = Measuring(transaction, stack.pop_all())
                released = await self._pacer.paced(
                    plan.delay, partial(_measured_and_released, asked, measuring, domain, candidates, drawn)
                )
        except MeasurementFailedError as error:
            failure = Failure(state.analyst, block, error.sqlstate_class, notices.charge_label(plan))
            await report_failure(self._failures, failure, request.statements, error)
        # The ledger is asked nothing from the charge to here: its server's counters may be seen on the stage.
        await self._failures.require_active(state.analyst)
        # Only now, or who asks again could tell by a recall that the measurement was over.
        answer = await self._answers.store(block, state.analyst, released)
        return answer, notices.charged(plan, receipt)

    async def _charge(
        self, plan: BlockPlan, accounts: Sequence[AccountPrice], block: str, state: SessionState
    ) -> Receipt:
        return await self._ledger.charge(state.analyst, _charges(plan, accounts), block, notices.charge_label(plan))

    async def _domain(self, asked: Asked, domain: Domain | None, state: SessionState) -> list[KeyRow]:
        """Declared keys, or candidates of a mode, enumerated by the stage over public data."""
        if domain is None:
            return []
        sql = staged.with_feedback(domain.sql, asked.literals)
        key = (sql, state.shared)
        known = self._domains.get(key)
        if known is None:
            try:
                known = [tuple(row) for row in await self._stage.rows_as(state.analyst, sql, dict(state.shared))]
            except StageQueryError as error:
                if error.sqlstate in _STAGE_LIMITS:
                    raise _too_many_keys() from None
                logger.error("declared keys cannot be enumerated: %s", error)
                raise UnsupportedError(
                    "the declared keys of this query cannot be enumerated",
                    detail="A value that the policy or a public table declares does not fit the key's type.",
                    hint="Group by the column itself, and ask the steward to check its declared values.",
                    rule="declared-keys",
                ) from None
            self._domains.put(key, known, weight=len(known) + 1)
        if len(known) > MOST_DECLARED:
            raise _too_many_keys()
        check_size(asked.block.plan, len(known))
        return known

    async def _candidates(self, asked: Asked, choice: Choice, state: SessionState) -> list[KeyRow]:
        """What a mode is chosen from; nothing for other choices."""
        values = [row for row in await self._domain(asked, choice.candidates, state) if row != (None,)]
        if choice.candidates is not None and not values:
            raise UnsupportedError(
                "mode() has no declared value to choose from",
                hint="No declared value meets the conditions of WHERE; change them.",
                rule="undeclared-mode",
            )
        return values

    async def _explain(self, prepared: Prepared, analyst: str) -> Answer:
        lines: list[str] = []
        numbers = {id(block): number for number, block in enumerate(all_blocks(prepared.blocks), start=1)}
        for block in all_blocks(prepared.blocks):
            reads = [numbers[id(read)] for one in block.evaluated for read in one.blocks]
            number = numbers[id(block)] if len(numbers) > 1 else None
            lines.extend(await self._desk.do(analyst, partial(explain.explain_block, block.plan, number, reads)))
            lines.extend(await self._explain_budget(block))
        if not lines:
            lines.append("Reads what dpproxy itself knows; free")
        rows = ", ".join(f"({quote_literal(line)})" for line in lines)
        return Answer(f'SELECT line AS "QUERY PLAN" FROM (VALUES {rows}) AS plan(line)')

    async def _explain_budget(self, block: Block) -> list[str]:
        plan = block.plan
        if not plan.measured:
            return []
        if not block.evaluated and await self._answers.find(block.hash) is not None:
            return ["  Already answered: asking again recalls the same numbers"]
        lines = []
        for account in plan.accounts:
            limit, spent = notices.account_limit(account), await self._ledger.spent(account.name)
            left = limit.queries_left(spent, plan.price)
            lines.append(f"  Account {account.name}: enough for {left} such queries")
        return lines


async def _measured_and_released(
    asked: Asked,
    measuring: Measuring,
    domain: Sequence[KeyRow],
    candidates: Sequence[Sequence[KeyRow]],
    drawn: Drawn,
) -> StoredAnswer:
    """Everything whose time can depend on rows. It is not given the ledger, nor anything else that others can see."""
    async with measuring.held:
        result = await measuring.transaction.measure()
    # In threads, or many groups would keep everybody waiting.
    measured = await asyncio.to_thread(measure.read_results, asked.block.plan, result.results)
    return await asyncio.to_thread(release, asked.block.plan, measured, domain, drawn, candidates)


def _charges(plan: BlockPlan, accounts: Sequence[AccountPrice]) -> list[AccountCharge]:
    return [AccountCharge(account.name, notices.account_limit(account), plan.price) for account in accounts]


def _result_sql(prepared: Prepared, relations: Sequence[str], virtual: dict[str, str]) -> str:
    return staged.typed_result(staged.fill(prepared.template, relations, virtual), prepared.columns)


def _checks(asked: Asked, domain: list[KeyRow], candidates: Sequence[list[KeyRow]]) -> SourceChecks:
    """What the source has to agree with, whatever its rows hold."""
    plan = asked.block.plan
    keys = [(plan.domain, domain), *zip((choice.candidates for choice in plan.choices), candidates, strict=True)]
    return SourceChecks(
        asked.block.probes,
        tuple(
            (staged.with_feedback(one.sql, asked.literals), rows)
            for one, rows in keys
            if one is not None and one.depends_on_server
        ),
    )


def _request(
    asked: Asked,
    checks: SourceChecks,
    domain: Sequence[KeyRow],
    candidates: Sequence[Sequence[KeyRow]],
    state: SessionState,
) -> MeasurementRequest:
    """What the source is asked, and what it has to verify about the released rows that the question reads."""
    plan = asked.block.plan
    measured = only_declared(plan, measure.measurement_statements(plan, uniform_bits(62)), domain, candidates)
    statements = [staged.with_feedback(statement, asked.literals) for statement in measured]
    promises = [
        promise_sql(one.columns, one.query, literal)
        for one, literal in zip(asked.block.evaluated, asked.literals, strict=True)
    ]
    return measurement_request(statements, plan.footprint, dict(state.shared), promises, checks.queries)


def _may_be_message(text: str) -> bool:
    lowered = text.lower()
    return any(word in lowered for word in _MESSAGES)


def _is_message(text: str) -> bool:
    return _may_be_message(text) and first_words(text, 1) in [(word,) for word in _MESSAGES]


def _refuse_message(text: str) -> None:
    """Postgres has no privilege for these statements."""
    if _is_message(text):
        raise RefusedError(
            "NOTIFY and LISTEN are not allowed",
            detail="Messages would go from one analyst to another, and fill a queue that all sessions share.",
            rule="messages",
        )


def _not_evaluated(error: StageQueryError) -> UnsupportedError:
    return UnsupportedError(
        "a subquery among private rows could not be evaluated",
        detail=f"It is evaluated first, on its own: {error.message} (SQLSTATE {error.sqlstate}).",
        hint="Guard what can fail, as in x / NULLIF(y, 0), or ask for less at a time.",
        rule="feedback-failed",
    )


def _too_many_keys() -> UnsupportedError:
    return UnsupportedError(
        f"these group keys have more than {MOST_DECLARED} declared combinations",
        hint="Group by fewer columns, or narrow them in WHERE.",
        rule="too-many-keys",
    )
