"""One question asked twice: of the proxy, as an analyst, and of the source, which only a demo may do."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from proxy.demo.client import ANALYST, Client
from proxy.demo.data import Row
from proxy.demo.intervals import Interval, intervals
from proxy.demo.questions import Question
from proxy.demo.source import exact_rows
from proxy.settings import QuerySettings
from proxy.sql.analysis import analyse, plan_blocks
from proxy.sql.planning.plan import BlockPlan
from proxy.sql.schema import Schema
from proxy.sql.statement import parse_statement

_SEARCH_PATH = ("public",)


@dataclass(frozen=True)
class Number:
    """One number of the answer. `exact` and `noisy` are None where that side does not have the group.

    Attributes:
        exact: of the source.
        noisy: over the wire.
        interval: 95 %, of the noisy number.
    """

    exact: float | None
    noisy: float | None
    interval: Interval | None


@dataclass(frozen=True)
class Group:
    """A group's keys, and its numbers in the order of the columns."""

    keys: Row
    numbers: tuple[Number, ...]


@dataclass(frozen=True)
class Comparison:
    """A question with both answers.

    Attributes:
        question: what was asked.
        columns: names of the answer's columns, keys first.
        labels: the aggregates as they were written.
        groups: in the order of the answer, groups that the answer does not have at the end.
        notices: what the proxy said of the price.
    """

    question: Question
    columns: tuple[str, ...]
    labels: tuple[str, ...]
    groups: tuple[Group, ...]
    notices: tuple[str, ...]


async def compare(question: Question, client: Client, source_dsn: str, schema: Schema) -> Comparison:
    """Ask `question` through the wire, then of the source, and compute the intervals from the plan.

    Raises:
        psycopg.Error: either side refuses.
    """
    plan = plan_question(question, schema)
    reply = await client.ask(question.sql)
    exact = {_keys(row, plan): row for row in await asyncio.to_thread(exact_rows, source_dsn, question.sql)}
    groups = []
    for row in reply.rows:
        groups.append(_group(plan, _keys(row, plan), row, exact.pop(_keys(row, plan), None)))
    groups += [_group(plan, keys, None, row) for keys, row in exact.items()]
    labels = tuple(aggregate.label for aggregate in plan.aggregates)
    return Comparison(question, reply.columns, labels, tuple(groups), reply.notices)


def plan_question(question: Question, schema: Schema) -> BlockPlan:
    """The plan that the proxy makes, too: it is a pure function of the text, the policy and the settings."""
    statement = parse_statement(question.sql)
    if statement is None:
        raise ValueError(f"not a query: {question.sql}")
    analysis = analyse(statement, [], schema, _SEARCH_PATH)
    (block,) = plan_blocks(analysis, schema, _SEARCH_PATH, QuerySettings(), ANALYST)
    return block.plan


def _keys(row: Row, plan: BlockPlan) -> Row:
    return row[: len(plan.keys)]


def _group(plan: BlockPlan, keys: Row, noisy: Row | None, exact: Row | None) -> Group:
    released = None if noisy is None else [_number(value) for value in noisy[len(plan.keys) :]]
    known = None if exact is None else [_number(value) for value in exact[len(plan.keys) :]]
    bounds = intervals(plan, released) if released is not None else (None,) * len(plan.aggregates)
    return Group(
        keys,
        tuple(
            Number(None if known is None else known[index], None if released is None else released[index], bound)
            for index, bound in enumerate(bounds)
        ),
    )


def _number(value: object) -> float:
    return float(str(value))
