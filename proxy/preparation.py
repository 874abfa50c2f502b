"""From a client's text to plans with types: steps 1 to 4 of DESIGN section 2, with the stage's help, kept by text."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass

from proxy.budget.cache import ImmutableCache
from proxy.errors import UnsupportedError
from proxy.postgres.stage import Stage
from proxy.settings import SETTINGS, QuerySettings, read_settings
from proxy.sql import analysis, measure, staged
from proxy.sql.plan import BlockPlan
from proxy.sql.schema import Schema
from proxy.sql.statement import Statement, names_outside_strings, parse_statement, too_deep
from proxy.wire.router import Description, Parameter, ResultColumn, SessionContext

_SESSION_SQL = (
    "SELECT "
    + ", ".join(f"pg_catalog.current_setting('{name}', true)" for name in SETTINGS)
    + ", pg_catalog.array_to_json(pg_catalog.current_schemas(false))"
)
_SHARED_SETTINGS = ("TimeZone", "DateStyle", "IntervalStyle")
_PLANS_KEPT = 500


@dataclass(frozen=True)
class SessionState:
    """What a session's settings mean for planning."""

    query: QuerySettings
    search_path: tuple[str, ...]
    shared: tuple[tuple[str, str], ...]
    analyst: str


@dataclass(frozen=True)
class Block:
    """A block's plan, the types of its columns on the stage, and the hash under which its answer is kept."""

    plan: BlockPlan
    types: staged.BlockTypes
    hash: str


@dataclass(frozen=True)
class Prepared:
    """A statement that is planned and typed; pure, so that it is kept by text."""

    statement: Statement
    blocks: tuple[Block, ...]
    template: str
    virtual: frozenset[str]
    columns: tuple[staged.StageColumn, ...]


class Preparer:
    """Plans and types statements.

    Args:
        schema: policy and catalog.
        stage: names the types.
    """

    def __init__(self, schema: Schema, stage: Stage) -> None:
        self._schema = schema
        self._stage = stage
        self._prepared: ImmutableCache[object, Prepared] = ImmutableCache(_PLANS_KEPT)

    def parse(self, text: str) -> Statement | None:
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
            Block(block.plan, block_types, block_hash(block.plan, state.shared, self._schema))
            for block, block_types in zip(planned, types, strict=True)
        )
        prepared = Prepared(statement, blocks, template, analysed.virtual, columns)
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
            statement = self.parse(text)
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


def block_hash(plan: BlockPlan, shared: Sequence[tuple[str, str]], schema: Schema) -> str:
    """What makes two blocks the same question: the measurement, the noise, the keys, the data's version (DESIGN 6)."""
    versions = {name: schema.table(name).policy.data_version for name in plan.relation.tables}
    content = {
        "database": schema.catalog.database,
        "measurement": measure.measurement_sql(plan),
        "domain": plan.domain.sql if plan.domain is not None else None,
        "noise": [repr(mechanism) for mechanism in plan.mechanisms],
        "selection": repr(plan.selection),
        "grids": [repr(statistic.grid) for statistic in plan.statistics],
        "versions": versions,
        "settings": dict(shared),
    }
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()
