"""Step 2, resolve: from a statement to an `Analysis`, whose constant expressions the stage has computed."""

from __future__ import annotations

from collections.abc import Sequence

from proxy.postgres.stage import Stage
from proxy.query.desk import Desk
from proxy.query.session_state import SessionState
from proxy.sql import analysis
from proxy.sql.analysis import Analysis, BoundParameter
from proxy.sql.schema import Schema
from proxy.sql.statement import Statement
from proxy.wire.router import Parameter, SessionContext


class Analyser:
    """Analyses statements.

    Args:
        schema: policy and catalog.
        stage: names the types of parameters.
        desk: the threads for parsing and planning.
    """

    def __init__(self, schema: Schema, stage: Stage, desk: Desk) -> None:
        self._schema = schema
        self._stage = stage
        self._desk = desk

    async def analyse(
        self, statement: Statement, parameters: Sequence[Parameter], session: SessionContext, state: SessionState
    ) -> Analysis:
        """Find the blocks, fold constants, and let the stage try patterns and time zones.

        Raises:
            DpproxyError: a refusal.
            StageError: a constant that cannot be computed, an invalid pattern or time zone.
        """
        analyst = session.analyst
        bound = [
            BoundParameter(parameter.text, await self._stage.format_type(parameter.type_oid, -1))
            for parameter in parameters
        ]
        found = await self._desk.do(analyst, analysis.analyse, statement, bound, self._schema, state.search_path)
        probe = await self._desk.do(analyst, _probe_sql, found)
        if probe is not None:
            found = await self._desk.do(analyst, found.folded, (await session.stage.rows(probe))[0])
        patterns = await self._desk.do(analyst, _pattern_probe_sql, found)
        if patterns is not None:
            await session.stage.rows(patterns)
        return found


def _probe_sql(found: Analysis) -> str | None:
    return found.probe_sql


def _pattern_probe_sql(found: Analysis) -> str | None:
    return found.pattern_probe_sql
