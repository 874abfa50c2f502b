"""The life of a query, steps 1 to 9 of DESIGN section 2: what the wire's `Router` is behind a real policy."""

from __future__ import annotations

import hashlib
import json
import logging
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from proxy.budget.answers import Answers
from proxy.budget.cache import ImmutableCache
from proxy.budget.ledger import AccountCharge, Ledger, Receipt
from proxy.budget.stored import StoredAnswer
from proxy.dp.accounting import Account
from proxy.dp.randomness import uniform_bits
from proxy.errors import DpproxyError, SourceFailedError, UnsupportedError
from proxy.postgres.source import MeasurementRequest, Source, StaleProofError
from proxy.postgres.stage import Stage, StageQueryError
from proxy.release import KeyRow, release, rows_to_show
from proxy.settings import SETTINGS, QuerySettings, check_setting, read_settings
from proxy.sql import analysis, explain, measure, staged
from proxy.sql.blocks import VIRTUAL_RELATIONS
from proxy.sql.domains import MOST_DECLARED
from proxy.sql.plan import BlockPlan
from proxy.sql.pricing import AccountPrice
from proxy.sql.schema import Schema
from proxy.sql.statement import (
    Statement,
    cut,
    names_outside_strings,
    parse_statement,
    set_statement,
    too_deep,
    with_query,
)
from proxy.sql.term import quote_identifier, quote_literal
from proxy.virtual import virtual_relation
from proxy.wire.router import Answer, Description, Notice, Parameter, ResultColumn, SessionContext, StatementText

logger = logging.getLogger(__name__)

_SESSION_SQL = (
    "SELECT "
    + ", ".join(f"pg_catalog.current_setting('{name}', true)" for name in SETTINGS)
    + ", pg_catalog.array_to_json(pg_catalog.current_schemas(false))"
)
_SHARED_SETTINGS = ("TimeZone", "DateStyle", "IntervalStyle")
_STAGE_LIMITS = ("53400", "57014")
"""What an enumeration of far too many keys ends with: temp_file_limit or statement_timeout."""
_PLANS_KEPT = 500
_KEYS_KEPT = 1_000_000
_RELATIONS_KEPT = 32 << 20


@dataclass(frozen=True)
class _Session:
    """What a session's settings mean for planning."""

    query: QuerySettings
    search_path: tuple[str, ...]
    shared: tuple[tuple[str, str], ...]
    analyst: str


@dataclass(frozen=True)
class _Block:
    """A block's plan, the types of its columns on the stage, and the hash under which its answer is kept."""

    plan: BlockPlan
    types: staged.BlockTypes
    hash: str


@dataclass(frozen=True)
class _Prepared:
    """A statement that is planned and typed; pure, so that it is kept by text."""

    statement: Statement
    blocks: tuple[_Block, ...]
    template: str
    virtual: frozenset[str]
    columns: tuple[staged.StageColumn, ...]


class PrivateRouter:
    """Answers claimed statements: plan, recall, charge, measure, release, stage.

    Args:
        schema: policy and catalog.
        source: where measurements run.
        stage: the stage's administrative side.
        ledger: the accounts.
        answers: the released answers.
    """

    def __init__(self, schema: Schema, source: Source, stage: Stage, ledger: Ledger, answers: Answers) -> None:
        self._schema = schema
        self._source = source
        self._stage = stage
        self._ledger = ledger
        self._answers = answers
        self._prepared: ImmutableCache[object, _Prepared] = ImmutableCache(_PLANS_KEPT)
        self._relations: ImmutableCache[object, str] = ImmutableCache(_RELATIONS_KEPT)
        self._domains: ImmutableCache[object, list[KeyRow]] = ImmutableCache(_KEYS_KEPT)

    def split(self, text: str) -> tuple[StatementText, ...]:
        if not self.claims(text):
            return (StatementText(text, False),)
        return tuple(StatementText(piece, self.claims(piece)) for piece in cut(text))

    def claims(self, text: str) -> bool:
        return self._schema.mentions(text)

    def check(self, text: str) -> None:
        if set_statement(text) is not None:
            return
        try:
            self._parse(text)
        except UnsupportedError as error:
            # The stage parses it next and tells a syntax error natively; `answer` refuses what only we cannot parse.
            if error.rule != "parse":
                raise

    async def answer(self, text: str, parameters: Sequence[Parameter], session: SessionContext) -> Answer:
        setting = set_statement(text)
        if setting is not None:
            check_setting(*setting)
            return Answer(None)
        try:
            state = await self._session(session)
        except DpproxyError:
            # RESET, SHOW and the catalog's queries must work with settings that private queries refuse.
            if names_outside_strings(text, self._schema.private_names | VIRTUAL_RELATIONS):
                raise
            return Answer(None)
        try:
            prepared = await self._prepare(text, parameters, session, state)
        except RecursionError:
            raise too_deep() from None
        if prepared is None:
            return Answer(None)
        if prepared.statement.carrier == "explain":
            return await self._explain(prepared)
        relations, notices = [], []
        for block in prepared.blocks:
            answer, notice = await self._released(block, state)
            relations.append(self._relation(block, answer, hide_empty=state.query.empty_groups == "hide"))
            notices.append(notice)
        virtual = {
            name: await virtual_relation(name, self._schema.policy, self._ledger, state.analyst)
            for name in prepared.virtual
        }
        sql = staged.typed_result(staged.fill(prepared.template, relations, virtual), prepared.columns)
        return Answer(with_query(prepared.statement, sql), tuple(notices) if state.query.notices else ())

    def _parse(self, text: str) -> Statement | None:
        """The statement, or None for one that the stage answers alone.

        Text that sqlglot cannot parse goes to the stage too if it names private tables in strings only, as psql's own
        catalog queries do.
        """
        try:
            return parse_statement(text)
        except UnsupportedError as error:
            if error.rule == "parse" and not names_outside_strings(text, self._schema.private_names):
                return None
            raise

    def _relation(self, block: _Block, answer: StoredAnswer, *, hide_empty: bool) -> str:
        """The answer as a literal relation; kept, since printing many groups takes longer than everything else."""
        key = (block.hash, block.types, block.plan.aggregates, hide_empty)
        known = self._relations.get(key)
        if known is not None:
            return known
        rows = rows_to_show(block.plan, answer, hide_empty=hide_empty)
        relation = staged.literal_relation(block.plan, block.types, rows)
        self._relations.put(key, relation, weight=len(relation))
        return relation

    async def _session(self, session: SessionContext) -> _Session:
        row = (await session.stage.rows(_SESSION_SQL))[0]
        reported = session.stage.settings
        if reported.get("standard_conforming_strings", "on") != "on":
            raise UnsupportedError(
                "standard_conforming_strings must be on for queries over private tables",
                hint="SET standard_conforming_strings = on;",
                rule="standard-conforming-strings",
            )
        texts = {name: row[index] or "" for index, name in enumerate(SETTINGS)}
        shared = tuple((name, reported[name]) for name in _SHARED_SETTINGS if name in reported)
        return _Session(read_settings(texts), tuple(json.loads(row[-1] or "[]")), shared, session.analyst)

    async def _prepare(
        self, text: str, parameters: Sequence[Parameter], session: SessionContext, state: _Session
    ) -> _Prepared | None:
        """Plan and type a statement, or find it among those planned before; None if the stage answers it alone."""
        key = (text, tuple(parameters), state)
        known = self._prepared.get(key)
        if known is not None:
            return known
        parsed = await self._parse_and_describe(text, parameters, session)
        if parsed is None:
            return None
        statement, described = parsed
        bound = [
            analysis.BoundParameter(parameter.text, await self._stage.format_type(parameter.type_oid, -1))
            for parameter in parameters
        ]
        analysed = analysis.analyse(statement, bound, self._schema, state.search_path)
        if not analysed.blocks and not analysed.virtual:
            return None
        probe = analysed.probe_sql
        if probe is not None:
            analysed.fold((await session.stage.rows(probe))[0])
        patterns = analysed.pattern_probe_sql
        if patterns is not None:
            await session.stage.rows(patterns)
        planned = analysis.plan_blocks(analysed, self._schema, state.search_path, state.query, state.analyst)
        types = [await self._block_types(block, session) for block in planned]
        template = analysis.stage_template(analysed, self._schema, state.search_path, planned, types)
        if described.columns is None:
            # DECLARE and COPY return no rows themselves; their query does.
            described = await session.stage.describe(statement.query_text, [p.type_oid for p in parameters])
        columns = await self._columns(described.columns or ())
        blocks = tuple(
            _Block(block.plan, block_types, block_hash(block.plan, state.shared, self._schema))
            for block, block_types in zip(planned, types, strict=True)
        )
        prepared = _Prepared(statement, blocks, template, analysed.virtual, columns)
        if probe is None:
            # Constants may read the clock, so a plan that folded some is good for this once only.
            self._prepared.put(key, prepared, weight=1)
        return prepared

    async def _parse_and_describe(
        self, text: str, parameters: Sequence[Parameter], session: SessionContext
    ) -> tuple[Statement, Description] | None:
        """Our tree and the stage's description. A text that neither can parse gets Postgres's own syntax error."""
        types = [parameter.type_oid for parameter in parameters]
        try:
            statement = self._parse(text)
        except UnsupportedError as error:
            if error.rule == "parse":
                await session.stage.describe(text, types)
            raise
        if statement is None:
            return None
        return statement, await session.stage.describe(text, types)

    async def _block_types(self, block: analysis.PlannedBlock, session: SessionContext) -> staged.BlockTypes:
        described = await session.stage.describe(block.description_sql)
        columns = await self._columns(described.columns or ())
        keys = block.output_count + len(block.plan.keys)
        return staged.BlockTypes(
            columns[: block.output_count],
            tuple(column.type_name for column in columns[block.output_count : keys]),
            tuple(column.type_name for column in columns[keys:]),
        )

    async def _columns(self, columns: Sequence[ResultColumn]) -> tuple[staged.StageColumn, ...]:
        return tuple(
            [
                staged.StageColumn(column.name, await self._stage.format_type(column.type_oid, column.type_modifier))
                for column in columns
            ]
        )

    async def _released(self, wanted: _Block, state: _Session) -> tuple[StoredAnswer, Notice]:
        """Recall the block's answer, or charge, measure and release it."""
        plan, block = wanted.plan, wanted.hash
        domain = await self._domain(plan, state)
        if not plan.measured:
            return StoredAnswer(tuple(domain), tuple(() for _ in domain)), _notice_free(plan)
        own = [account for account in plan.accounts if account.name.startswith("analyst:")]
        recalled = await self._answers.find(block)
        if recalled is not None:
            if not own or await self._answers.paid(block, state.analyst):
                return recalled, _notice_recalled(plan, None)
            receipt = await self._charge(plan, own, block, state)
            return recalled, _notice_recalled(plan, receipt)
        receipt = await self._charge(plan, plan.accounts, block, state)
        measured = await self._measure(plan, state)
        answer = await self._answers.store(block, state.analyst, release(plan, measured, domain))
        return answer, _notice_charged(plan, receipt)

    async def _charge(self, plan: BlockPlan, accounts: Sequence[AccountPrice], block: str, state: _Session) -> Receipt:
        charges = [AccountCharge(account.name, _limit(account), plan.price) for account in accounts]
        label = f"{', '.join(a.label for a in plan.aggregates) or 'keys'} over {_private_names(plan)}"
        return await self._ledger.charge(state.analyst, charges, block, label)

    async def _domain(self, plan: BlockPlan, state: _Session) -> list[KeyRow]:
        """The declared keys, enumerated by the stage over public data."""
        if plan.domain is None:
            return []
        key = (plan.domain.sql, state.shared)
        known = self._domains.get(key)
        if known is None:
            try:
                known = [tuple(row) for row in await self._stage.rows(plan.domain.sql, dict(state.shared))]
            except StageQueryError as error:
                if error.sqlstate not in _STAGE_LIMITS:
                    raise
                raise _too_many_keys() from None
            self._domains.put(key, known, weight=len(known) + 1)
        if len(known) > MOST_DECLARED:
            raise _too_many_keys()
        return known

    async def _measure(self, plan: BlockPlan, state: _Session) -> measure.Measured:
        """Ask the source. Whatever goes wrong there has one public text (ATTACKS 5, 6, 8)."""
        sql = measure.measurement_sql(plan, uniform_bits(62))
        columns = [
            (member.table.name, column, member.table.catalog.columns[column])
            for member in plan.relation.members
            for column in member.table.catalog.columns
            if (qualified := f"{member.alias}.{quote_identifier(column)}") in sql or qualified == plan.relation.unit_sql
        ]
        request = MeasurementRequest(
            sql,
            dict(state.shared),
            plan.relation.tables,
            plan.relation.unique_keys,
            tuple((table, name) for table, name, column in columns if not column.nullable),
            tuple((table, name, column.type_oid) for table, name, column in columns),
        )
        try:
            result = await self._source.measure(request)
        except StaleProofError:
            logger.error("the source's schema changed since dpproxy read it; restart dpproxy to read it again")
            raise SourceFailedError from None
        return measure.read_measurement(plan, result.rows)

    async def _explain(self, prepared: _Prepared) -> Answer:
        lines: list[str] = []
        for block in prepared.blocks:
            lines.extend(explain.explain_block(block.plan))
            lines.extend(await self._explain_budget(block))
        if not lines:
            lines.append("Reads what dpproxy itself knows; free")
        rows = ", ".join(f"({quote_literal(line)})" for line in lines)
        return Answer(f'SELECT line AS "QUERY PLAN" FROM (VALUES {rows}) AS plan(line)')

    async def _explain_budget(self, block: _Block) -> list[str]:
        plan = block.plan
        if not plan.measured:
            return []
        if await self._answers.find(block.hash) is not None:
            return ["  Already answered: asking again recalls the same numbers"]
        lines = []
        for account in plan.accounts:
            limit, spent = _limit(account), await self._ledger.spent(account.name)
            left = limit.queries_left(spent, plan.price)
            lines.append(f"  Account {account.name}: enough for {left} such queries")
        return lines


def _too_many_keys() -> UnsupportedError:
    return UnsupportedError(
        f"these group keys have more than {MOST_DECLARED} declared combinations",
        hint="Group by fewer columns, or narrow them in WHERE.",
        rule="too-many-keys",
    )


def _limit(account: AccountPrice) -> Account:
    return Account(Fraction(account.budget.epsilon), Fraction(account.budget.delta))


def block_hash(plan: BlockPlan, shared: Sequence[tuple[str, str]], schema: Schema) -> str:
    """What makes two blocks the same question: the measurement, the noise, the keys, the data's version (DESIGN 6)."""
    versions = {name: schema.table(name).policy.data_version for name in plan.relation.tables}
    content = {
        "database": schema.catalog.database,
        "measurement": measure.measurement_sql(plan),
        "domain": plan.domain.sql if plan.domain is not None else None,
        "noise": [repr(mechanism) for mechanism in plan.mechanisms],
        "selection": repr(plan.selection),
        "versions": versions,
        "settings": dict(shared),
    }
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()


def _private_names(plan: BlockPlan) -> str:
    return ", ".join(table.name for table in plan.relation.private_tables)


def _charged_text(plan: BlockPlan) -> str:
    return f"epsilon {explain.short(plan.epsilon)} ({explain.price_text(plan.price)})"


def _left_text(plan: BlockPlan, receipt: Receipt) -> str:
    """What each account has left, in queries like this one and as a share of its limit."""
    limits = {account.name: _limit(account) for account in plan.accounts}
    parts = []
    for name, left in receipt.remaining.items():
        limit = limits[name]
        shares = [left.rho / limit.rho_max] if limit.rho_max else []
        if left.epsilon is not None:
            shares.append(left.epsilon / limit.epsilon)
        parts.append(f"{name} {float(max(shares, default=Fraction(0))):.1%}")
    return f"Left: {', '.join(parts)}."


def _notice_charged(plan: BlockPlan, receipt: Receipt) -> Notice:
    return Notice(f"dpproxy charged {_charged_text(plan)}", _left_text(plan, receipt))


def _notice_recalled(plan: BlockPlan, receipt: Receipt | None) -> Notice:
    if receipt is None:
        return Notice("dpproxy recalled an earlier answer, free of charge")
    return Notice(
        f"dpproxy recalled another analyst's answer and charged {_charged_text(plan)} to your own account",
        _left_text(plan, receipt),
    )


def _notice_free(plan: BlockPlan) -> Notice:
    return Notice(f"dpproxy listed declared keys of {_private_names(plan)}, free of charge")
