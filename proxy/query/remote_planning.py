"""Steps 1 to 3 as the proxy sees them: short texts are read here, the rest is done by planning processes."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from proxy.budget.cache import ImmutableCache
from proxy.postgres.stage import Stage
from proxy.query import planning
from proxy.query.dialog import Ask, Task
from proxy.query.planned import Plan
from proxy.query.reading import SHORT, Reader
from proxy.query.session_state import SessionState, require_all_digits
from proxy.query.trial import Trials
from proxy.query.workers import Workers, in_time
from proxy.sql.analysis import Computed
from proxy.sql.respelling import without_comments
from proxy.sql.schema import Schema
from proxy.sql.text_limits import check_length
from proxy.wire.router import Description, Parameter, SessionContext, StageError, StatementText

_PLANS_KEPT = 500
_TEXTS_KEPT = 1_000_000
"""Characters of the texts that are known to be queries."""


def _asked(text: str) -> str:
    """A text without comments, in which tools say who asks and when. Long texts stay as they are."""
    return _short_without_comments(text) if len(text) <= SHORT else text


_short_without_comments = functools.lru_cache(maxsize=_PLANS_KEPT)(without_comments)


class RemotePlanner:
    """Reads texts and plans statements. Plans are cached by text without comments, and by the values of its
    constants.

    Args:
        schema: policy and catalog.
        stage: names types and functions.
        workers: the planning processes.
    """

    def __init__(self, schema: Schema, stage: Stage, workers: Workers) -> None:
        self._reader = Reader(schema)
        self._stage = stage
        self._workers = workers
        self._trials = Trials()
        self._plans: ImmutableCache[object, Plan] = ImmutableCache(_PLANS_KEPT)
        self._constants: ImmutableCache[object, Computed] = ImmutableCache(_PLANS_KEPT)
        self._planned: ImmutableCache[str, bool] = ImmutableCache(_TEXTS_KEPT)

    def claims(self, text: str) -> bool:
        """As `Classifier.claims`."""
        return self._reader.claims(text)

    def split_short(self, text: str) -> tuple[StatementText, ...] | None:
        """As `Classifier.split_short`."""
        return self._reader.split(text) if len(text) <= SHORT else None

    async def split(self, text: str, analyst: str) -> tuple[StatementText, ...]:
        """As `Classifier.split`."""
        found: tuple[StatementText, ...] = await self._read("split", text, analyst)
        return found

    async def setting(self, text: str, analyst: str) -> tuple[str, str] | None:
        """As `Reader.setting`."""
        found: tuple[str, str] | None = await self._read("setting", text, analyst)
        return found

    async def names_private(self, text: str, analyst: str) -> bool:
        """As `Reader.names_private`."""
        found: bool = await self._read("names_private", text, analyst)
        return found

    async def check(self, text: str, analyst: str) -> bool:
        """As `Classifier.check`."""
        found: bool = await self._workers.do(analyst, Task("check", (text,)), _nothing)
        return found

    def was_planned(self, text: str) -> bool:
        """Is a text known to be one that has a plan, which says by itself that it is a query?"""
        return self._planned.get(_asked(text)) is not None

    async def plan(
        self, text: str, parameters: Sequence[Parameter], session: SessionContext, state: SessionState
    ) -> Plan | None:
        """Plan and type a statement, or take it from the cache; None if the stage answers it alone.

        Raises:
            DpproxyError: a refusal.
            StageError: the stage's own error: syntax, types, a constant that cannot be computed.
        """
        check_length(len(text) + sum(len(parameter.text or "") for parameter in parameters))
        asked = _asked(text)
        # Who pays for windows of time depends on the date.
        key = (asked, tuple(parameters), state, planning.today())
        constants = self._constants.get(key)
        values = None if constants is None else await _computed(constants, session, state)
        known = self._plans.get((key, values))
        if known is not None:
            return known

        async def answer(ask: Ask) -> Any:
            return await _METHODS[ask.what](self._stage, session, *ask.arguments)

        types = tuple(parameter.type_oid for parameter in parameters)
        # Each question that a process asks costs both sides as much as a tenth of a plan.
        described = await _described(text, types, session) if len(text) <= SHORT else None
        task = Task("plan", (text, tuple(parameters), state, described))
        plan: Plan | None = await self._workers.do(session.analyst, task, answer)
        if plan is None:
            return None
        await in_time(self._trials.try_out(plan, session, state))
        if not plan.once:
            if plan.computed is not None:
                self._constants.put(key, plan.computed, weight=1)
            self._plans.put((key, plan.computed and plan.computed.values), plan, weight=1)
            self._planned.put(asked, True, weight=len(asked))
        return plan

    async def _read(self, what: str, text: str, analyst: str) -> Any:
        """What a method of `Reader`, which takes linear time, finds in a text; a short text is not worth a process."""
        if len(text) <= SHORT:
            return getattr(self._reader, what)(text)
        return await self._workers.do(analyst, Task(what, (text,)), _nothing)


async def _described(text: str, types: Sequence[int], session: SessionContext) -> Description | StageError:
    """What the stage says of a text, which a process would ask first."""
    try:
        return await in_time(session.stage.describe(text, types))
    except StageError as error:
        return error


async def _computed(before: Computed, session: SessionContext, state: SessionState) -> tuple[str | None, ...]:
    """The constants of a statement that was planned before, as the stage computes them now: clocks tick."""
    if before.has_constants:
        require_all_digits(state)
    return tuple((await session.stage.rows(before.sql, quiet=True))[0])


async def _nothing(ask: Ask) -> Any:
    raise AssertionError(f"a text alone needs no {ask.what}")


_METHODS: Final[Mapping[str, Callable[..., Any]]] = {
    "describe": lambda _, session, sql, types, written: session.stage.describe(sql, types, written=written),
    "rows": lambda _, session, sql: session.stage.rows(sql),
    "format_type": lambda stage, _, *type_: stage.format_type(*type_),
    "volatile_functions": lambda stage, _: stage.volatile_functions(),
}
"""How the proxy finds out what a process asks for."""
