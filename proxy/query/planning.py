"""Step 3, own and plan: from a text to a `Plan`, through steps 1 and 2."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence

from proxy.query.analysing import Analyser, TypeNames
from proxy.query.known_blocks import BlockKey, KnownBlocks
from proxy.query.planned import Plan, PlannedBlock, PlannedFeedback, all_blocks
from proxy.query.reading import Reader
from proxy.query.same_question import block_hashes
from proxy.query.session_state import SessionState
from proxy.query.temporary_rows import with_temporary_rows
from proxy.query.unordered_enums import explained
from proxy.sql import analysis
from proxy.sql.repeats import Repeats, UncountedError, counting
from proxy.sql.replacing import replace
from proxy.sql.rows.feedback import Query, calls_any, check_functions, promises_of
from proxy.sql.rows.probes import source_probes
from proxy.sql.rows.stage_columns import StageColumn
from proxy.sql.rows.time_windows import Asked
from proxy.sql.schema import Schema
from proxy.sql.staging import staged
from proxy.sql.staging.block_types import UntypedBlock
from proxy.sql.staging.outer_aggregates import (
    aggregates_groups,
    counts_groups,
    grouped_blocks,
    taken_for_all,
    takes_greatest,
)
from proxy.sql.trees.blocks import Block, FeedbackQuery
from proxy.wire.router import Parameter, ResultColumn, SessionContext, StageError


class Planner:
    """Plans and types statements.

    Args:
        schema: policy and catalog.
        names: of types and functions.
        reader: parses.
    """

    def __init__(self, schema: Schema, names: TypeNames, reader: Reader) -> None:
        self._repeats = Repeats()
        self._schema = replace(schema, repeats=self._repeats)
        self._names = names
        self._reader = reader
        self._analyser = Analyser(schema, names)
        self._known = KnownBlocks()

    async def plan(
        self, text: str, parameters: Sequence[Parameter], session: SessionContext, state: SessionState
    ) -> Plan | None:
        """Plan and type a statement; None if the stage answers it alone.

        Raises:
            DpproxyError: a refusal.
            StageError: the stage's own error: syntax, types, a constant that cannot be computed.
            RecursionError: it is nested too deeply.
        """
        self._repeats.begin()
        try:
            return await self._plan(text, parameters, session, state)
        except StageError as error:
            raise explained(error, self._schema.enums) from None

    async def _plan(
        self, text: str, parameters: Sequence[Parameter], session: SessionContext, state: SessionState
    ) -> Plan | None:
        parsed = await self._reader.parse_and_describe(text, parameters, session)
        if parsed is None:
            return None
        written, described = parsed
        statement = await with_temporary_rows(written, self._schema, state, session)
        found = await self._analyser.analyse(statement, parameters, session, state)
        if not found.blocks and not found.virtual and not found.answered and statement.kept is None:
            return None
        origins = tuple(column.origin for column in described.columns or ())
        if statement.carrier != "query":
            # DECLARE and COPY return no rows themselves, and EXPLAIN other ones; their query does.
            types = [parameter.type_oid for parameter in parameters]
            described = await session.stage.describe(statement.query_text, types, written=False)
            origins = ()
        columns = await self._columns(described.columns or ())
        known = {id(found.query): columns} if found.is_of(written) else {}
        blocks = await self._blocks(found.blocks, session, state, known)
        is_read = statement.carrier == "query" and statement.kept is None
        grouped = grouped_blocks(found.nodes)
        quiet = is_read and not calls_any(found.nodes, await self._names.volatile_functions())
        misses_groups = any(
            blocks[number].plan.selection is not None for number in taken_for_all(found.query, grouped)
        ) or any(feedback.misses_groups for block in all_blocks(blocks) for feedback in block.feedback)
        return Plan(
            statement.wrapping,
            blocks,
            self._template(found.query, blocks),
            found.virtual,
            columns,
            origins,
            quiet,
            once=statement is not written,
            computed=found.computed,
            counts_groups=counts_groups(grouped),
            aggregates_groups=aggregates_groups(grouped),
            misses_groups=misses_groups,
        )

    async def _blocks(
        self,
        blocks: Sequence[Block],
        session: SessionContext,
        state: SessionState,
        known: Mapping[int, tuple[StageColumn, ...]],
    ) -> tuple[PlannedBlock, ...]:
        """Plan blocks; the queries that they read are planned first. Of some, by id, the outputs are `known`."""
        return tuple([await self._block(block, session, state, known.get(id(block.select))) for block in blocks])

    async def _block(
        self, block: Block, session: SessionContext, state: SessionState, outputs: tuple[StageColumn, ...] | None
    ) -> PlannedBlock:
        feedback = tuple([await self._feedback(reading, session, state) for reading in block.feedback])
        read = [planned.columns for planned in feedback]
        key = BlockKey(analysis.decisive(block, read, names=outputs is None), state, today())
        known = self._known.find(key)
        if known is None:
            known = await self._new_block(block, session, state, read, outputs)
            if self._repeats.may_count:  # or else it might be planned for fewer rows another time
                self._known.keep(key, known)
        types = known.types if outputs is None else replace(known.types, outputs=outputs)
        return replace(known, types=types, feedback=feedback)

    async def _new_block(
        self,
        block: Block,
        session: SessionContext,
        state: SessionState,
        read: Sequence[Sequence[StageColumn]],
        outputs: tuple[StageColumn, ...] | None,
    ) -> PlannedBlock:
        while True:
            try:
                untyped, (hash_, family, settings), probes = _planned(block, self._schema, state, read)
                break
            except UncountedError as error:
                ((most,),) = await session.stage.rows(counting(error.table, error.columns))
                self._repeats.note(error.table, error.columns, None if most is None else int(most))
        types = untyped.among_outputs(outputs) if outputs is not None else None
        if types is None:
            described = await session.stage.describe(untyped.description_sql(), written=False)
            types = untyped.described(await self._columns(described.columns or ()))
        database = self._schema.catalog.database
        return PlannedBlock(untyped.plan, types, hash_, family, (), probes, database, settings)

    async def _feedback(self, reading: FeedbackQuery, session: SessionContext, state: SessionState) -> PlannedFeedback:
        query, blocks = reading.query, await self._blocks(reading.blocks, session, state, {})
        check_functions(query, await self._names.volatile_functions())
        template = self._template(query, blocks)
        described = await session.stage.describe(analysis.query_text(query), written=False)
        columns = await self._columns(described.columns or ())
        promises = promises_of(query, columns, self._schema, reading.counted)
        selected = any(block.plan.selection is not None for block in blocks)
        return PlannedFeedback(promises, blocks, template, columns, selected and not takes_greatest(query))

    def _template(self, query: Query, blocks: Sequence[PlannedBlock]) -> str:
        plans, types = [block.plan for block in blocks], [block.types for block in blocks]
        return staged.template(query, plans, types, self._schema)

    async def _columns(self, columns: Sequence[ResultColumn]) -> tuple[StageColumn, ...]:
        return tuple(
            [
                StageColumn(column.name, await self._names.format_type(column.type_oid, column.type_modifier))
                for column in columns
            ]
        )


_OF_UTC = ("UTC", "Etc/UTC", "GMT", "Etc/GMT")


def _asked(state: SessionState) -> Asked:
    return Asked(today(), by_utc=dict(state.shared).get("TimeZone") in _OF_UTC)


def today() -> dt.date:
    """The date that decides which windows of time are present, by UTC."""
    return dt.datetime.now(dt.UTC).date()


def _planned(
    block: Block, schema: Schema, state: SessionState, read: Sequence[Sequence[StageColumn]]
) -> tuple[UntypedBlock, tuple[str, str | None, dict[str, str]], tuple[str, ...]]:
    """A block's plan, its `block_hashes` and its `source_probes`."""
    untyped = analysis.plan_block(block, schema, state.search_path, state.settings, state.analyst, read, _asked(state))
    return untyped, block_hashes(untyped.plan, state.shared, schema), source_probes(block.patterns)
