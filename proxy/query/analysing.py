"""Step 2, resolve: from a statement to an `Analysis`, whose constant expressions the stage has computed."""

from __future__ import annotations

from collections.abc import Sequence

from proxy.postgres.stage import Stage
from proxy.query.desk import Desk
from proxy.query.session_state import SessionState, require_all_digits
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
        found, constants, patterns = await self._desk.do(
            analyst, _analysed, statement, bound, self._schema, state.search_path
        )
        if constants is not None:
            await require_all_digits(session)
            values = (await session.stage.rows(constants))[0]
            found, patterns = await self._desk.do(analyst, _folded, found, values)
        if patterns is not None:
            await session.stage.rows(patterns)
        return found


def _analysed(
    statement: Statement, bound: Sequence[BoundParameter], schema: Schema, search_path: tuple[str, ...]
) -> tuple[Analysis, str | None, str | None]:
    """The analysis, and its `probe_sql` or, without constants to fold, its `pattern_probe_sql`."""
    found = analysis.analyse(statement, bound, schema, search_path)
    return found, found.probe_sql, None if found.constants else found.pattern_probe_sql


def _folded(found: Analysis, values: Sequence[str | None]) -> tuple[Analysis, str | None]:
    folded = found.folded(values)
    return folded, folded.pattern_probe_sql
