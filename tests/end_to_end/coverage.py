"""How often the intervals of dp.low and dp.high hold what is true, measured through a proxy.

A source whose rows are far inside every bound, so that nothing is clipped and the noise is all there is between an
answer and Postgres's own. One query over many declared groups has many independent cells; a condition that is true of
every row, with another constant each time, makes it a new question.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from decimal import Decimal

import psycopg
from psycopg import sql

from proxy.policy.model import Policy
from tests.end_to_end import clinic

ROWS_OF_ONE_PERSON = 2

SCHEMA = """
CREATE TABLE events (
    event_id bigint PRIMARY KEY, person_id bigint NOT NULL, cell integer NOT NULL, x numeric(5, 2) NOT NULL,
    y numeric(5, 2) NOT NULL
);
INSERT INTO events
SELECT i, i / 2, 1 + i % {groups}, 30 + ((i * 7919) % 5000) / 100.0,
       20 + ((i * 7919) % 5000) / 200.0 + ((i * 104729) % 3000) / 100.0
FROM generate_series(0, {groups}::bigint * {rows} - 1) AS i
"""


def create(dsn: str, groups: int, rows: int) -> None:
    """Fill an empty database with `groups` groups of `rows` rows each."""
    with psycopg.connect(dsn, autocommit=True) as connection:
        connection.execute(sql.SQL(SCHEMA).format(groups=sql.Literal(groups), rows=sql.Literal(rows)))


def policy(groups: int) -> Policy:
    """Bounds that clip nothing, and budget for any number of questions."""
    plenty = {"epsilon": "1e9", "delta": "1e-6"}
    return Policy.model_validate(
        {
            "version": 1,
            "analysts": {"ana": {"password": clinic.VERIFIER}},
            "units": {"person": {}},
            "tables": {
                "public.events": {
                    "unit": {"name": "person", "column": "person_id"},
                    "budget": plenty,
                    "query": {"epsilon": "0.1", "max_epsilon": "1e6"},
                    "contribution": {"max_rows": 2 * ROWS_OF_ONE_PERSON},
                    "columns": {
                        "event_id": {"bounds": ["0", "1e12"]},
                        "person_id": {},
                        "cell": {"range": ["1", str(groups)]},
                        "x": {"bounds": ["0", "100"], "step": "0.01"},
                        "y": {"bounds": ["0", "100"], "step": "0.01"},
                    },
                }
            },
        }
    )


_NEW_QUESTION = itertools.count(1)
"""A bound below all rows, so that no answer is recalled or made more precise, at whatever epsilon it is asked."""


def coverage(
    client: psycopg.Connection, source: psycopg.Connection, aggregates: Sequence[str], repetitions: int, confidence: str
) -> Mapping[str, float]:
    """The share of cells in which each aggregate's interval holds Postgres's own answer; cells without one, whose noisy
    denominator is nothing, do not count.

    Args:
        client: a connection to the proxy, settings made.
        source: a connection to the source itself.
        aggregates: what to ask for, in one block.
        repetitions: how often; each time every group is a cell.
        confidence: of the intervals.
    """
    rest = "FROM events WHERE event_id > {} GROUP BY cell ORDER BY cell"
    exact = source.execute(f"SELECT {', '.join(aggregates)} {rest.format(-1)}".encode()).fetchall()
    ends = [f"dp.low({aggregate}, {confidence}), dp.high({aggregate}, {confidence})" for aggregate in aggregates]
    held, shown = [0] * len(aggregates), [0] * len(aggregates)
    for _ in range(repetitions):
        rows = client.execute(f"SELECT {', '.join(ends)} {rest.format(-next(_NEW_QUESTION))}".encode()).fetchall()
        for row, truths in zip(rows, exact, strict=True):
            for index, truth in enumerate(truths):
                low, high = row[2 * index : 2 * index + 2]
                if low is not None:
                    shown[index] += 1
                    held[index] += Decimal(low) <= Decimal(truth) <= Decimal(high)
    return {aggregate: count / cells for aggregate, count, cells in zip(aggregates, held, shown, strict=True)}


def outer_coverage(
    client: psycopg.Connection, source: psycopg.Connection, expressions: Sequence[str], repetitions: int
) -> Mapping[str, float]:
    """As `coverage`, of expressions over released columns: t.n rows and t.s, the sum of x, of one block, and w.u, the
    sum of y, of another one."""
    rest = (
        "FROM (SELECT cell, count(*) AS n, sum(x) AS s FROM events WHERE event_id > {0} GROUP BY cell) t "
        "JOIN (SELECT cell, sum(y) AS u FROM events WHERE event_id > {0} GROUP BY cell) w USING (cell) ORDER BY cell"
    )
    exact = source.execute(f"SELECT {', '.join(expressions)} {rest.format(-1)}".encode()).fetchall()
    ends = [f"dp.low({expression}), dp.high({expression})" for expression in expressions]
    held, shown = [0] * len(expressions), [0] * len(expressions)
    for repetition in range(1, repetitions + 1):
        rows = client.execute(f"SELECT {', '.join(ends)} {rest.format(-repetition)}".encode()).fetchall()
        for row, truths in zip(rows, exact, strict=True):
            for index, truth in enumerate(truths):
                low, high = row[2 * index : 2 * index + 2]
                if low is not None and truth is not None:
                    shown[index] += 1
                    held[index] += Decimal(low) <= Decimal(truth) <= Decimal(high)
    return {expression: count / cells for expression, count, cells in zip(expressions, held, shown, strict=True)}
