"""Step 2, resolve: from a statement to an `Analysis`, whose constant expressions the stage has computed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from proxy.query.session_state import SessionState, require_all_digits
from proxy.sql import analysis
from proxy.sql.analysis import Analysis, BoundParameter
from proxy.sql.schema import Schema
from proxy.sql.statement import Statement
from proxy.wire.router import Parameter, SessionContext


class TypeNames(Protocol):
    """What the stage's server says of its types and functions, whatever the session."""

    async def format_type(self, type_oid: int, type_modifier: int = -1) -> str:
        """As `Stage.format_type`."""

    async def volatile_functions(self) -> frozenset[str]:
        """As `Stage.volatile_functions`."""


class Analyser:
    """Analyses statements.

    Args:
        schema: policy and catalog.
        names: of the types of parameters.
    """

    def __init__(self, schema: Schema, names: TypeNames) -> None:
        self._schema = schema
        self._names = names

    async def analyse(
        self, statement: Statement, parameters: Sequence[Parameter], session: SessionContext, state: SessionState
    ) -> Analysis:
        """Find the blocks, fold constants, count the rows that are no private ones, and let the stage try patterns and
        time zones.

        Raises:
            DpproxyError: a refusal.
            StageError: a constant that cannot be computed, an invalid pattern or time zone.
        """
        bound = [
            BoundParameter(parameter.text, await self._names.format_type(parameter.type_oid, -1))
            for parameter in parameters
        ]
        found = analysis.analyse(statement, bound, self._schema, state.search_path)
        if found.countable:
            found = found.calling_none_of(await self._names.volatile_functions())
        if found.probe_sql is not None:
            if found.constants:
                require_all_digits(state)
            found = found.folded((await session.stage.rows(found.probe_sql))[0])
        patterns = found.pattern_probe_sql
        if patterns is not None:
            await session.stage.rows(patterns)
        return found
