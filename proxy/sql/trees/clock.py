"""The clock of private questions moves in steps: now() and its like are its last tick (`TablePolicy.clock`).

So a dashboard that asks for the last 30 days every few seconds asks the same question until the clock ticks, and its
answer is recalled (decision 6). Ticks are whole multiples of the step since 1970 in UTC, whatever the session's zone.
This says what is asked, and has no part in what is private. Queries over public rows alone have Postgres's own clock.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from functools import cache
from typing import Final

from sqlglot import exp

from proxy.sql.dialect import parse
from proxy.sql.nodes import find_all, walk
from proxy.sql.schema import Schema
from proxy.sql.terms.clock_words import reads_clock
from proxy.sql.trees.blocks import Block
from proxy.sql.trees.marks import CLOCK
from proxy.sql.trees.walking import replace_all

CLOCKS: Final[dict[type[exp.Expr] | str, exp.DType | None]] = {
    "now": None,
    "transaction_timestamp": None,
    "statement_timestamp": None,
    "current_timestamp": None,
    exp.CurrentTimestamp: None,
    exp.CurrentDate: exp.DType.DATE,
    "current_time": exp.DType.TIMETZ,
    exp.CurrentTime: exp.DType.TIMETZ,
    "localtime": exp.DType.TIME,
    exp.Localtime: exp.DType.TIME,
    "localtimestamp": exp.DType.TIMESTAMP,
    exp.Localtimestamp: exp.DType.TIMESTAMP,
}
"""What tells the time, and the type to which the tick is cast for it; None for timestamp with time zone."""


def stand_still(blocks: Sequence[Block], schema: Schema) -> None:
    """Write the time of the last tick in the place of now() and its like in blocks and in what they read, in place.

    One statement has one clock: the slowest of the private tables that it reads.

    Args:
        blocks: of the statement, in whose trees every table of the policy has its schema.
        schema: policy and catalog.
    """
    read = [schema.find(table, ()) for block in blocks for table in find_all(block.select, exp.Table)]
    step = max((table.policy.clock for table in read if table is not None and table.private), default=dt.timedelta())
    if not step:
        return
    told: dict[int, exp.Expr] = {}
    for block in blocks:
        found = {id(node): node for node in walk(block.select) if _key(node) in CLOCKS}
        if found:
            CLOCK.put(block.select, step // dt.timedelta(seconds=1))
        told |= found
    replace_all([(node, _tick(node, step)) for node in told.values()])


def tells_time(node: exp.Expr) -> bool:
    """Does an expression read the clock?"""
    return any(
        _key(part) in CLOCKS or (isinstance(part, exp.Literal) and part.is_string and reads_clock(part.name))
        for part in walk(node)
    )


def _key(node: exp.Expr) -> type[exp.Expr] | str:
    return node.name.lower() if isinstance(node, exp.Anonymous) else type(node)


def _tick(node: exp.Expr, step: dt.timedelta) -> exp.Expr:
    """The time of the last tick, as the type of `node`."""
    to = CLOCKS[_key(node)]
    tick = _tick_of(step // dt.timedelta(seconds=1)).copy()
    return tick if to is None else exp.Cast(this=tick, to=exp.DataType(this=to))


@cache
def _tick_of(seconds: int) -> exp.Expr:
    select = parse(f"SELECT to_timestamp(floor(extract(epoch FROM now()) / {seconds}) * {seconds})")
    assert isinstance(select, exp.Select)
    tick: exp.Expr = select.expressions[0]
    return tick
