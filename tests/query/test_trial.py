"""Statements are tried out on the stage before anything is charged."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import pytest

from proxy.query.planned import Plan
from proxy.query.session_state import SessionState
from proxy.query.trial import Trials, try_out
from proxy.settings import QuerySettings
from proxy.sql.statement import Wrapping
from proxy.wire.router import Description, SessionContext


@dataclass
class _Requests:
    """A link to a stage that finds nothing and keeps what it was asked, and whether that was said to be quiet."""

    asked: list[tuple[str, bool]] = field(default_factory=list)
    changes: int = 0

    async def describe(self, sql: str, parameter_types: Sequence[int] = (), *, written: bool = True) -> Description:
        raise AssertionError(f"nobody asks for {sql!r}, {parameter_types} and {written}")

    async def rows(self, sql: str, *, quiet: bool = False) -> list[tuple[str | None, ...]]:
        self.asked.append((sql, quiet))
        return []


_STATE = SessionState(QuerySettings(), ("public",), (), "ana")


class _Described(_Requests):
    """One that also describes statements."""

    async def describe(self, sql: str, parameter_types: Sequence[int] = (), *, written: bool = True) -> Description:
        self.asked.append((f"{sql} {parameter_types}", written))
        return Description((), ())


@pytest.mark.parametrize("quiet", [True, False])
def test_a_trial_changes_settings_where_the_statement_could(*, quiet: bool) -> None:
    """So whoever asks one new question after another does not make the proxy read the settings before each."""
    stage = _Requests()
    plan = Plan(Wrapping("query", "", ""), (), "SELECT 1", frozenset(), (), quiet=quiet)
    asyncio.run(try_out(plan, SessionContext("ana", stage)))
    assert [("EXPLAIN" in sql, said) for sql, said in stage.asked] == [(True, quiet)]


def test_each_wrapping_is_tried_out_even_where_the_query_is_known() -> None:
    """Options of COPY are the stage's to judge, however often the same rows were copied with others."""
    first = Wrapping("copy", "COPY (", ") TO STDOUT")
    others = [
        replace(first, suffix=") TO STDOUT (FORMAT nope)"),
        replace(first, prefix="EXPLAIN"),
        replace(first, carrier="explain"),
    ]

    async def asked_for(trials: Trials, wrapping: Wrapping) -> int:
        stage = _Described()
        plan = Plan(wrapping, (), "SELECT 1", frozenset(), ())
        await trials.try_out(plan, SessionContext("ana", stage), _STATE)
        return len(stage.asked)

    async def tried_out() -> list[int]:
        trials = Trials()
        return [await asked_for(trials, wrapping) for wrapping in (first, first, *others)]

    assert [bool(count) for count in asyncio.run(tried_out())] == [True, False, True, True, True]
