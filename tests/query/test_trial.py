"""Statements are tried out on the stage before anything is charged."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import pytest

from proxy.query.planned import Plan, PlannedBlock
from proxy.query.session_state import SessionState
from proxy.query.trial import Trials, try_out
from proxy.settings import QuerySettings
from proxy.sql.rows.stage_columns import StageColumn
from proxy.sql.staging.block_types import BlockTypes
from proxy.sql.statement import Carrier, Wrapping
from proxy.sql.terms.term import quote_identifier
from proxy.wire.router import Description, SessionContext
from tests.planned import plan_of
from tests.sql.events import SCHEMA


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


def _tried(*plans: Plan) -> list[bool]:
    """Whether the stage is asked about each of some plans in turn."""

    async def asked_for(trials: Trials, plan: Plan) -> bool:
        stage = _Described()
        await trials.try_out(plan, SessionContext("ana", stage), _STATE)
        return bool(stage.asked)

    async def tried_out() -> list[bool]:
        trials = Trials()
        return [await asked_for(trials, plan) for plan in plans]

    return asyncio.run(tried_out())


_BLOCK = PlannedBlock(
    plan_of("SELECT amount > 1, count(*) FROM events GROUP BY 1", SCHEMA),
    BlockTypes((), ("boolean",), ("bigint",)),
    "hash",
)


def _named(first: str, second: str, rest: str = "", *, second_type: str = "bigint", carrier: Carrier = "query") -> Plan:
    template = (
        f"SELECT dpproxy_rows_0.k0 AS {quote_identifier(first)}, dpproxy_rows_0.a0 AS {quote_identifier(second)} "
        f"FROM dpproxy_relation_0 AS dpproxy_rows_0{rest}"
    )
    columns = (StageColumn(first, "text"), StageColumn(second, second_type))
    return Plan(Wrapping(carrier, "", ""), (_BLOCK,), template, frozenset(), columns)


@pytest.mark.parametrize("rest", ["", " ORDER BY 2 DESC LIMIT 10", " WHERE (dpproxy_rows_0.a0 > 1.5)"])
def test_what_outputs_are_called_is_not_tried_out_again(rest: str) -> None:
    names = (("region", "count"), ("r", 'a "b", c'), ("r) FROM x", "ORDER BY"))
    assert _tried(*(_named(*pair, rest) for pair in names)) == [True, False, False]


@pytest.mark.parametrize(
    "rest",
    [
        ' ORDER BY "r"',
        " ORDER BY r",
        " GROUP BY 1",
        ", (SELECT 1) AS x",
        " WHERE (f(dpproxy_rows_0.a0) > 1)",
        " LIMIT ALL",
    ],
)
def test_names_are_tried_out_where_something_could_refer_to_them(rest: str) -> None:
    assert _tried(_named("r", "n", rest), _named("s", "n", rest)) == [True, True]


def test_whatever_else_differs_is_tried_out() -> None:
    plan = _named("r", "n")
    others = [
        _named("s", "n", second_type="text"),
        _named("s", "n", " ORDER BY 1"),
        _named("s", "n", carrier="explain"),
        replace(plan, blocks=(replace(_BLOCK, types=BlockTypes((), ("uuid",), ("bigint",))),)),
    ]
    assert _tried(plan, *others) == [True] * 5


def test_names_are_tried_out_where_they_become_those_of_columns() -> None:
    assert _tried(_named("r", "n", carrier="keep"), _named("s", "n", carrier="keep")) == [True, True]
