"""One question asked twice: of the proxy, as an analyst, and of the source, which only the demo may do."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from proxy.demo.client import Client
from proxy.demo.clinic import exact_rows
from proxy.demo.data import Row
from proxy.demo.first_questions import FirstQuestion


@dataclass(frozen=True)
class Number:
    """One number of the answer. `exact` and `noisy` are None where that side lacks the group, or has NULL.

    Attributes:
        exact: the source's.
        noisy: the proxy's.
        low: the beginning of the 95 % interval around the noisy number.
        high: its end.
    """

    exact: float | None
    noisy: float | None
    low: float | None
    high: float | None


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
        keys: names of the group keys' columns.
        groups: in the order of the noisy answer, followed by the groups that it lacks.
        notices: the proxy's, about the price.
    """

    question: FirstQuestion
    keys: tuple[str, ...]
    groups: tuple[Group, ...]
    notices: tuple[str, ...]


async def compare(question: FirstQuestion, client: Client, source_dsn: str) -> Comparison:
    """Ask `question` through the wire, with the intervals, then of the source.

    Raises:
        psycopg.Error: either side refuses.
    """
    width = len(question.keys)
    reply = await client.ask(question.sql_with_intervals)
    exact = {row[:width]: row[width:] for row in await asyncio.to_thread(exact_rows, source_dsn, question.sql)}
    groups = [_group(question, row[:width], row[width:], exact.pop(row[:width], None)) for row in reply.rows]
    groups += [_group(question, keys, None, row) for keys, row in exact.items()]
    return Comparison(question, reply.columns[:width], tuple(groups), reply.notices)


def _group(question: FirstQuestion, keys: Row, noisy: Row | None, exact: Row | None) -> Group:
    """A group from both answers without their keys; the noisy one has the ends of the intervals at its end."""
    count = len(question.aggregates)
    numbers = []
    for index in range(count):
        places = (index, count + 2 * index, count + 2 * index + 1)
        released = [_number(noisy[place]) for place in places] if noisy is not None else (None, None, None)
        numbers.append(Number(None if exact is None else _number(exact[index]), *released))
    return Group(keys, tuple(numbers))


def _number(value: object) -> float | None:
    return None if value is None else float(str(value))
