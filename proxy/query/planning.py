"""Step 3, own and plan: from a text to a `Plan`, through steps 1 and 2; plans are cached by text."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence

from proxy.budget.cache import ImmutableCache
from proxy.postgres.stage import Stage
from proxy.query.analysing import Analyser
from proxy.query.desk import Desk
from proxy.query.planned import Plan, PlannedBlock, PlannedFeedback
from proxy.query.reading import Reader
from proxy.query.same_question import block_hash
from proxy.query.session_state import SessionState
from proxy.query.trial import try_out
from proxy.sql import analysis
from proxy.sql.rows.feedback import Query, StageColumn, check_functions
from proxy.sql.rows.probes import source_probes
from proxy.sql.rows.time_windows import Asked
from proxy.sql.schema import Schema
from proxy.sql.staging import staged
from proxy.sql.statement import too_deep
from proxy.sql.text_limits import check_length
from proxy.sql.trees.blocks import Block, FeedbackQuery
from proxy.wire.router import Parameter, ResultColumn, SessionContext

_PLANS_KEPT = 500


class Planner:
    """Plans and types statements.

    The cache belongs to the event loop; what the desk's threads share is immutable.

    Args:
        schema: policy and catalog.
        stage: names types.
        desk: the threads for parsing and planning.
        reader: parses.
    """

    def __init__(self, schema: Schema, stage: Stage, desk: Desk, reader: Reader) -> None:
        self._schema = schema
        self._stage = stage
        self._desk = desk
        self._reader = reader
        self._analyser = Analyser(schema, stage, desk)
        self._plans: ImmutableCache[object, Plan] = ImmutableCache(_PLANS_KEPT)

    async def plan(
        self, text: str, parameters: Sequence[Parameter], session: SessionContext, state: SessionState
    ) -> Plan | None:
        """Plan and type a statement, or take it from the cache; None if the stage answers it alone.

        Raises:
            DpproxyError: a refusal.
            StageError: the stage's own error: syntax, types, a constant that cannot be computed.
        """
        check_length(len(text) + sum(len(parameter.text or "") for parameter in parameters))
        key = (text, tuple(parameters), state, _today())
        known = self._plans.get(key)
        if known is not None:
            return known
        try:
            return await self._plan(text, parameters, session, state, key)
        except RecursionError:
            raise too_deep() from None

    async def _plan(
        self, text: str, parameters: Sequence[Parameter], session: SessionContext, state: SessionState, key: object
    ) -> Plan | None:
        parsed = await self._reader.parse_and_describe(text, parameters, session)
        if parsed is None:
            return None
        statement, described = parsed
        found = await self._analyser.analyse(statement, parameters, session, state)
        if not found.blocks and not found.virtual and not found.answered:
            return None
        blocks = await self._blocks(found.blocks, session, state)
        template = await self._template(found.query, blocks, session)
        if statement.carrier != "query":
            # DECLARE and COPY return no rows themselves, and EXPLAIN other ones; their query does.
            types = [parameter.type_oid for parameter in parameters]
            described = await session.stage.describe(statement.query_text, types, written=False)
        columns = await self._columns(described.columns or ())
        plan = Plan(statement, blocks, template, found.virtual, columns)
        await try_out(plan, session, self._desk)
        if not found.once:
            self._plans.put(key, plan, weight=1)
        return plan

    async def _blocks(
        self, blocks: Sequence[Block], session: SessionContext, state: SessionState
    ) -> tuple[PlannedBlock, ...]:
        """Plan blocks; the queries that they read are planned first."""
        return tuple([await self._block(block, session, state) for block in blocks])

    async def _block(self, block: Block, session: SessionContext, state: SessionState) -> PlannedBlock:
        feedback = tuple([await self._feedback(reading, session, state) for reading in block.feedback])
        read = [planned.columns for planned in feedback]
        untyped, hash_, probes = await self._desk.do(session.analyst, _planned, block, self._schema, state, read)
        types = await self._block_types(untyped, session)
        return PlannedBlock(untyped.plan, types, hash_, feedback, probes)

    async def _feedback(self, reading: FeedbackQuery, session: SessionContext, state: SessionState) -> PlannedFeedback:
        query, blocks = reading.query, await self._blocks(reading.blocks, session, state)
        await self._desk.do(session.analyst, check_functions, query, await self._stage.volatile_functions())
        template = await self._template(query, blocks, session)
        sql = await self._desk.do(session.analyst, analysis.query_text, query)
        described = await session.stage.describe(sql, written=False)
        return PlannedFeedback(query, blocks, template, await self._columns(described.columns or ()))

    async def _template(self, query: Query, blocks: Sequence[PlannedBlock], session: SessionContext) -> str:
        plans, types = [block.plan for block in blocks], [block.types for block in blocks]
        return await self._desk.do(session.analyst, staged.template, query, plans, types, self._schema)

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


_OF_UTC = ("UTC", "Etc/UTC", "GMT", "Etc/GMT")


def _asked(state: SessionState) -> Asked:
    return Asked(_today(), by_utc=dict(state.shared).get("TimeZone") in _OF_UTC)


def _today() -> dt.date:
    return dt.datetime.now(dt.UTC).date()


def _planned(
    block: Block, schema: Schema, state: SessionState, read: Sequence[Sequence[StageColumn]]
) -> tuple[analysis.UntypedBlock, str, tuple[str, ...]]:
    """A block's plan, its `block_hash` and its `source_probes`."""
    untyped = analysis.plan_block(block, schema, state.search_path, state.settings, state.analyst, read, _asked(state))
    return untyped, block_hash(untyped.plan, state.shared, schema), source_probes(block.select)
