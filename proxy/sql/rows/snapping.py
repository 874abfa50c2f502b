"""Constants that WHERE compares timestamps with, moved outward to the ticks of a table's clock (`TablePolicy.snap`).

Tools send the moment of each refresh, to the millisecond. On the grid of the clock the question stays the same until
the next tick, and is recalled. The range becomes wider by less than two ticks; nothing private rests on it.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from fractions import Fraction
from typing import Final

from sqlglot import exp

from proxy.policy.durations import seconds_of
from proxy.sql.named_tables import NamedTable
from proxy.sql.nodes import copied
from proxy.sql.rows.relation import Relation
from proxy.sql.terms import clocks
from proxy.sql.terms.types import Kind, type_of_column
from proxy.sql.trees.conjuncts import conjuncts

_DOWN, _UP = (exp.GT, exp.GTE), (exp.LT, exp.LTE)
_TYPES: Final = {Kind.TIMESTAMP: exp.DType.TIMESTAMP, Kind.TIMESTAMPTZ: exp.DType.TIMESTAMPTZ}
_ZERO: Final = dt.datetime(1970, 1, 1)


def snapped(select: exp.Select, relation: Relation) -> tuple[exp.Select, dt.timedelta]:
    """The block with the constants of its WHERE moved, and the longest of the steps by which some are; 0 if none is.

    Args:
        select: the block.
        relation: its rows.
    """
    tables = [member.table for member in relation.members if isinstance(member.table, NamedTable)]
    if not select.args.get("where") or not any(table.policy.snap for table in tables):
        return select, dt.timedelta()
    moved = copied(select)
    steps = [_move(operand, up, step) for operand, up, step in _compared(moved.args["where"].this, relation)]
    return moved, max(steps, default=dt.timedelta())


def _compared(where: exp.Expr, relation: Relation) -> Iterator[tuple[exp.Expr, bool, tuple[Kind, dt.timedelta]]]:
    """The operands that timestamps of snapped tables are compared with, whether a later one widens the range, and the
    column's type and step."""
    for node in conjuncts(where):
        if isinstance(node, exp.Between) and not node.args.get("symmetric"):
            sides = [(node.this, node.args["low"], False), (node.this, node.args["high"], True)]
        elif isinstance(node, (*_DOWN, *_UP)):
            up = isinstance(node, _UP)
            sides = [(node.this, node.expression, up), (node.expression, node.this, not up)]
        else:
            continue
        for column, operand, up in sides:
            step = _step(column.unnest(), relation)
            if step is not None:
                yield operand, up, step


def _step(node: exp.Expr, relation: Relation) -> tuple[Kind, dt.timedelta] | None:
    """The type of a timestamp column and its table's step; None where nothing is moved."""
    origin = relation.origin(node) if isinstance(node, exp.Column) else None
    if origin is None or not isinstance(origin.member.table, NamedTable):
        return None
    policy, kind = origin.member.table.policy, type_of_column(origin.member.table.catalog.columns[origin.column]).kind
    return (kind, policy.clock) if policy.snap and policy.clock and kind in _TYPES else None


def _move(operand: exp.Expr, up: bool, to: tuple[Kind, dt.timedelta]) -> dt.timedelta:
    """Move a constant of the column's type, in place; how far apart the places are, or 0 where it stays."""
    kind, step = to
    literal = operand.unnest()
    if isinstance(literal, exp.Cast) and literal.to.this is _TYPES[kind]:
        literal = literal.this
    if not isinstance(literal, exp.Literal) or not literal.is_string:
        return dt.timedelta()
    moment = clocks.constant(literal.name, kind)
    if moment is None or moment.width:  # without its offset the session's zone decides when it is
        return dt.timedelta()
    length = seconds_of(step)
    place = (-(-moment.low // length) if up else moment.low // length) * length
    if place == moment.low:
        return dt.timedelta()
    literal.set("this", _text(place, kind))
    return step


def _text(seconds: Fraction, kind: Kind) -> str:
    """As `plain_constants` writes it."""
    moment = str(_ZERO + dt.timedelta(seconds=int(seconds)))
    return f"{moment}+00" if kind is Kind.TIMESTAMPTZ else moment.removesuffix(" 00:00:00")
