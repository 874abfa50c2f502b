"""From a client's text to plans with types: the first half of decision 2, with the stage's help, kept by text."""

from __future__ import annotations

import hashlib
import json
import logging
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import ParamSpec, TypeVar

from proxy.budget.cache import ImmutableCache
from proxy.errors import TooComplexError, UnsupportedError
from proxy.postgres.stage import Stage
from proxy.postgres.stage_description import VIRTUAL_COLUMNS
from proxy.query.desk import Desk
from proxy.settings import SETTINGS, QuerySettings, read_settings
from proxy.sql import analysis
from proxy.sql.measuring import measure
from proxy.sql.planning.plan import BlockPlan
from proxy.sql.rows.feedback import Query, StageColumn, check_functions, evaluation_sql
from proxy.sql.rows.probes import source_probes
from proxy.sql.schema import Schema
from proxy.sql.scripts import names_outside_strings
from proxy.sql.staging import staged
from proxy.sql.staging.values import values_relation
from proxy.sql.statement import Statement, parse_statement, too_deep
from proxy.sql.text_limits import check_length
from proxy.sql.trees.blocks import Block as FoundBlock
from proxy.sql.trees.blocks import FeedbackQuery as FoundQuery
from proxy.wire.router import Description, Parameter, ResultColumn, SessionContext, StageError

_SESSION_SQL = (
    "SELECT "
    + ", ".join(f"pg_catalog.current_setting('{name}', true)" for name in SETTINGS)
    + ", pg_catalog.array_to_json(pg_catalog.current_schemas(false))"
)
_SHARED_SETTINGS = ("TimeZone", "DateStyle", "IntervalStyle")
_WRONG_STATEMENT = ("0A", "42")
"""How the SQLSTATEs begin of what is wrong with a statement, whatever the data."""
logger = logging.getLogger(__name__)
Given = ParamSpec("Given")
Result = TypeVar("Result")

_PLANS_KEPT = 500
_TEXTS_KEPT = 100_000
"""Characters of parsed statements; their trees are some hundred times as large."""


@dataclass(frozen=True)
class SessionState:
    """What a session's settings mean for planning."""

    query: QuerySettings
    search_path: tuple[str, ...]
    shared: tuple[tuple[str, str], ...]
    analyst: str


@dataclass(frozen=True)
class Block:
    """A block's plan, the types of its columns on the stage, and the hash under which its answer is kept.

    Attributes:
        evaluated: the queries whose results it reads; their rows are part of what is asked (`answer`).
        probes: expressions of constants that the source has to be able to compute.
    """

    plan: BlockPlan
    types: staged.BlockTypes
    hash: str
    evaluated: tuple[Evaluated, ...] = ()
    probes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Evaluated:
    """A query that the stage evaluates before the block that reads it: blocks, SQL with markers, columns."""

    query: Query
    blocks: tuple[Block, ...]
    template: str
    columns: tuple[StageColumn, ...]


def all_blocks(blocks: Sequence[Block]) -> Iterator[Block]:
    """The blocks and those that they read, in the order in which they are released."""
    for block in blocks:
        for one in block.evaluated:
            yield from all_blocks(one.blocks)
        yield block


@dataclass(frozen=True)
class Prepared:
    """A statement that is planned and typed; pure, so that it is kept by text."""

    statement: Statement
    blocks: tuple[Block, ...]
    template: str
    virtual: frozenset[str]
    columns: tuple[StageColumn, ...]


class Preparer:
    """Plans and types statements.

    Its caches belong to the event loop; what the desk's threads share does not change.

    Args:
        schema: policy and catalog.
        stage: names the types.
        desk: where everything is computed that takes longer for longer texts.
    """

    def __init__(self, schema: Schema, stage: Stage, desk: Desk) -> None:
        self._schema = schema
        self._stage = stage
        self._desk = desk
        self._prepared: ImmutableCache[object, Prepared] = ImmutableCache(_PLANS_KEPT)
        self._parsed: ImmutableCache[str, Statement] = ImmutableCache(_TEXTS_KEPT)

    async def parse(self, text: str, analyst: str) -> Statement | None:
        """The statement, or None for one that the stage answers alone.

        Text that sqlglot cannot parse goes to the stage too if it names private tables in strings only, as psql's own
        catalog queries do.
        """
        known = self._parsed.get(text)
        if known is not None:
            return known
        parsed = await self._desk.do(analyst, partial(_parsed, text, self._schema))
        if parsed is not None:
            # Each statement is parsed when it comes and again when it is answered.
            self._parsed.put(text, parsed, weight=len(text))
        return parsed

    async def session_state(self, session: SessionContext) -> SessionState:
        """The settings that planning depends on, as they are now.

        Raises:
            StageError: the transaction has failed.
            DpproxyError: a setting that private queries refuse.
        """
        row = (await session.stage.rows(_SESSION_SQL))[0]
        reported = session.stage.settings
        if reported.get("standard_conforming_strings", "on") != "on":
            raise UnsupportedError(
                "standard_conforming_strings must be on for queries over private tables",
                hint="SET standard_conforming_strings = on;",
                rule="standard-conforming-strings",
            )
        if not reported.get("DateStyle", "ISO").startswith("ISO"):
            # The other styles name zones instead of offsets, so that two moments can have one text: when clocks go
            # back, and for weeks where a POSIX TimeZone says so. A group's text has to tell it from all others.
            raise UnsupportedError(
                "the output style of DateStyle must be ISO for queries over private tables",
                hint="SET DateStyle = ISO; to_char() writes dates in every other form.",
                rule="date-style",
            )
        texts = {name: row[index] or "" for index, name in enumerate(SETTINGS)}
        shared = tuple((name, reported[name]) for name in _SHARED_SETTINGS if name in reported)
        return SessionState(read_settings(texts), tuple(json.loads(row[-1] or "[]")), shared, session.analyst)

    async def prepare(
        self, text: str, parameters: Sequence[Parameter], session: SessionContext, state: SessionState
    ) -> Prepared | None:
        """Plan and type a statement, or find it among those planned before; None if the stage answers it alone.

        Raises:
            DpproxyError: a refusal.
            StageError: the stage's own error: syntax, types, a constant that cannot be computed.
        """
        try:
            return await self._prepare(text, parameters, session, state)
        except RecursionError:
            raise too_deep() from None

    async def _prepare(
        self, text: str, parameters: Sequence[Parameter], session: SessionContext, state: SessionState
    ) -> Prepared | None:
        check_length(len(text) + sum(len(parameter.text or "") for parameter in parameters))
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
        analysed = await self._do(session, analysis.analyse, statement, bound, self._schema, state.search_path)
        if not analysed.blocks and not analysed.virtual:
            return None
        probe = await self._do(session, _probe_sql, analysed)
        if probe is not None:
            analysed = await self._do(session, analysed.folded, (await session.stage.rows(probe))[0])
        patterns = await self._do(session, _pattern_probe_sql, analysed)
        if patterns is not None:
            await session.stage.rows(patterns)
        blocks = await self._plan(analysed.blocks, session, state)
        template = await self._template(analysed.query, blocks, session)
        if described.columns is None:
            # DECLARE and COPY return no rows themselves; their query does.
            described = await session.stage.describe(
                statement.query_text, [p.type_oid for p in parameters], written=False
            )
        columns = await self._columns(described.columns or ())
        prepared = Prepared(statement, blocks, template, analysed.virtual, columns)
        await self._try_out(prepared, session)
        if probe is None:
            # Constants may read the clock, so a plan that folded some is good for this once only.
            self._prepared.put(key, prepared, weight=1)
        return prepared

    async def _plan(
        self, blocks: Sequence[FoundBlock], session: SessionContext, state: SessionState
    ) -> tuple[Block, ...]:
        """Plan blocks, the queries that they read before them."""
        planned = []
        for block in blocks:
            evaluated = tuple([await self._evaluated(one, session, state) for one in block.feedback])
            columns = [one.columns for one in evaluated]
            one = await self._do(
                session,
                analysis.plan_block,
                block,
                self._schema,
                state.search_path,
                state.query,
                state.analyst,
                columns,
            )
            types = await self._block_types(one, session)
            known = await self._do(session, block_hash, one.plan, state.shared, self._schema)
            probes = await self._do(session, source_probes, block.select)
            planned.append(Block(one.plan, types, known, evaluated, probes))
        return tuple(planned)

    async def _evaluated(self, one: FoundQuery, session: SessionContext, state: SessionState) -> Evaluated:
        blocks = await self._plan(one.blocks, session, state)
        await self._do(session, check_functions, one.query, await self._stage.volatile_functions())
        template = await self._template(one.query, blocks, session)
        described = await session.stage.describe(await self._do(session, analysis.query_text, one.query), written=False)
        return Evaluated(one.query, blocks, template, await self._columns(described.columns or ()))

    async def _do(
        self, session: SessionContext, work: Callable[Given, Result], *args: Given.args, **named: Given.kwargs
    ) -> Result:
        """What `work` returns, computed at the desk."""
        return await self._desk.do(session.analyst, partial(work, *args, **named))

    async def _template(self, query: Query, blocks: Sequence[Block], session: SessionContext) -> str:
        plans, types = [block.plan for block in blocks], [block.types for block in blocks]
        return await self._do(session, staged.template, query, plans, types, self._schema)

    async def _try_out(self, prepared: Prepared, session: SessionContext) -> None:
        """Let the stage parse what it will execute, over empty relations of the right types: what it would refuse then
        is refused now, before anything is charged.

        Raises:
            UnsupportedError: the stage takes the client's statement, and not the one that stands for it. Its own
                message names what the client has never seen.
            StageError: something else is wrong with the stage.
        """
        try:
            await self._describe_spliced(prepared, session)
        except StageError as error:
            if not error.sqlstate.startswith(_WRONG_STATEMENT):
                raise
            logger.warning("the stage does not take a statement over released groups: SQLSTATE %s", error.sqlstate)
            raise UnsupportedError(
                "this cannot be computed from released groups",
                detail="The groups are released first, and everything around them is computed from their keys and "
                "numbers. PostgreSQL takes this over the tables, but not over released groups.",
                hint="Write keys with their table in a subquery, as v.key, or release the groups first and do the rest "
                "around them: SELECT … FROM (SELECT key, count(*) AS n FROM … GROUP BY key) AS released.",
                rule="released-groups",
            ) from None

    async def _describe_spliced(self, prepared: Prepared, session: SessionContext) -> None:
        for sql in await self._do(session, _tried_out, prepared):
            await session.stage.describe(sql, written=False)

    async def _parse_and_describe(
        self, text: str, parameters: Sequence[Parameter], session: SessionContext
    ) -> tuple[Statement, Description] | None:
        """Our tree and the stage's description. A text that neither can parse gets Postgres's own syntax error."""
        types = [parameter.type_oid for parameter in parameters]
        try:
            statement = await self.parse(text, session.analyst)
        except UnsupportedError as error:
            if error.rule == "parse":
                await session.stage.describe(text, types)
            raise
        if statement is None:
            return None
        return statement, await session.stage.describe(text, types)

    async def _block_types(self, block: analysis.UntypedBlock, session: SessionContext) -> staged.BlockTypes:
        described = await session.stage.describe(block.description_sql, written=False)
        columns = await self._columns(described.columns or ())
        keys = block.output_count + len(block.plan.keys)
        return staged.BlockTypes(
            columns[: block.output_count],
            tuple(column.type_name for column in columns[block.output_count : keys]),
            tuple(column.type_name for column in columns[keys:]),
        )

    async def _columns(self, columns: Sequence[ResultColumn]) -> tuple[StageColumn, ...]:
        return tuple(
            [
                StageColumn(column.name, await self._stage.format_type(column.type_oid, column.type_modifier))
                for column in columns
            ]
        )


def _parsed(text: str, schema: Schema) -> Statement | None:
    try:
        return parse_statement(text)
    except (UnsupportedError, TooComplexError) as error:
        if error.rule in ("parse", "operators") and not names_outside_strings(text, schema.private_names):
            return None
        raise


def _probe_sql(analysed: analysis.Analysis) -> str | None:
    return analysed.probe_sql


def _pattern_probe_sql(analysed: analysis.Analysis) -> str | None:
    return analysed.pattern_probe_sql


def _tried_out(prepared: Prepared) -> list[str]:
    """The texts that the stage has to understand."""
    virtual = {name: values_relation(VIRTUAL_COLUMNS[name], ()) for name in prepared.virtual}
    texts = [
        evaluation_sql(staged.fill(one.template, _empty(one.blocks), virtual), one.columns)
        for block in all_blocks(prepared.blocks)
        for one in block.evaluated
    ]
    sql = staged.fill(prepared.template, _empty(prepared.blocks), virtual)
    return [*texts, staged.typed_result(sql, prepared.columns)]


def _empty(blocks: Sequence[Block]) -> list[str]:
    """The literal relation of each block, without rows."""
    return [staged.literal_relation(block.plan, block.types, staged.ReleasedRows([], [], [])) for block in blocks]


def block_hash(plan: BlockPlan, shared: Sequence[tuple[str, str]], schema: Schema) -> str:
    """What makes two blocks the same question: measurement, noise, keys, the version of the data (decision 6)."""
    versions = {table.name: schema.table(table.name).policy.data_version for table in plan.footprint.tables}
    content = {
        "database": schema.catalog.database,
        "measurement": measure.measurement_statements(plan),
        "domain": plan.domain.sql if plan.domain is not None else None,
        "noise": [repr(mechanism) for mechanism in (*plan.mechanisms, *plan.choosing)],
        "candidates": [choice.candidates.sql if choice.candidates else None for choice in plan.choices],
        "selection": repr(plan.selection),
        "grids": [repr(statistic.grid) for statistic in plan.statistics],
        "versions": versions,
        "settings": dict(shared),
    }
    if plan.levels is not None:
        content["levels"] = repr(plan.levels.measured)
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()
