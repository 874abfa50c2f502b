"""Statements are tried out on the stage before anything is charged."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field

import pytest

from proxy.query.planned import Plan
from proxy.query.trial import try_out
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


@pytest.mark.parametrize("quiet", [True, False])
def test_a_trial_changes_settings_where_the_statement_could(*, quiet: bool) -> None:
    """So whoever asks one new question after another does not make the proxy read the settings before each."""
    stage = _Requests()
    plan = Plan(Wrapping("query", "", ""), (), "SELECT 1", frozenset(), (), quiet=quiet)
    asyncio.run(try_out(plan, SessionContext("ana", stage)))
    assert [("EXPLAIN" in sql, said) for sql, said in stage.asked] == [(True, quiet)]
