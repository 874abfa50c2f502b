"""What CHECK constraints say of single columns: least and greatest values, and lists of values.

Read from the text that PostgreSQL prints of a constraint. A part that says something else is passed over.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Final

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

Limit = Decimal | dt.date

_LONGEST_TEXT: Final = 20_000
_LOW: Final = (exp.GT, exp.GTE)
_HIGH: Final = (exp.LT, exp.LTE)


@dataclass(frozen=True)
class Allowed:
    """What a column may hold besides NULL, as far as constraints say.

    Attributes:
        low: no value is below.
        high: no value is above.
        values: there are no others; in the order of the constraint.
    """

    low: Limit | None = None
    high: Limit | None = None
    values: tuple[str, ...] = ()


def allowed_values(expressions: Iterable[str], value_name: str | None = None) -> dict[str, Allowed]:
    """What constraints that all hold say of columns, by the column's name.

    Args:
        expressions: what `pg_get_expr` prints of them.
        value_name: the column for which `VALUE` stands, in constraints of its domain.
    """
    found: dict[str, Allowed] = {}
    for text in expressions:
        for name, allowed in _said(text, value_name):
            found[name] = _both(found.get(name, Allowed()), allowed)
    return found


def _said(text: str, value_name: str | None) -> Iterator[tuple[str, Allowed]]:
    if len(text) > _LONGEST_TEXT:
        return
    try:
        tree = sqlglot.parse_one(text, dialect="postgres")
    except (SqlglotError, RecursionError):
        return
    pending = [tree]
    while pending:
        part = pending.pop().unnest()
        if isinstance(part, exp.And):
            pending += [part.expression, part.this]
        else:
            yield from _one(part, value_name)


def _one(part: exp.Expr, value_name: str | None) -> Iterator[tuple[str, Allowed]]:
    if isinstance(part, (*_LOW, *_HIGH)):
        for column, literal, lows in ((part.this, part.expression, _LOW), (part.expression, part.this, _HIGH)):
            name, limit = _column(column, value_name), _limit(literal)
            if name is not None and limit is not None:
                yield name, Allowed(low=limit) if isinstance(part, lows) else Allowed(high=limit)
        return
    listed = _listed(part, value_name)
    if listed is not None:
        yield listed[0], Allowed(values=listed[1])


def _listed(part: exp.Expr, value_name: str | None) -> tuple[str, tuple[str, ...]] | None:
    """A column and all texts that a part allows, where it is `= ANY (ARRAY[…])`, `=`, or such parts joined by OR."""
    if isinstance(part, exp.Or):
        both = [_listed(side.unnest(), value_name) for side in (part.this, part.expression)]
        if both[0] is None or both[1] is None or both[0][0] != both[1][0]:
            return None
        return both[0][0], both[0][1] + both[1][1]
    if not isinstance(part, exp.EQ):
        return None
    name, right = _column(part.this, value_name), part.expression
    literals = [right]
    if isinstance(right, exp.Any):
        array = _bare(right.this)
        if not isinstance(array, exp.Array):
            return None
        literals = array.expressions
    texts = [_text(literal) for literal in literals]
    known = tuple(text for text in texts if text is not None)
    return None if name is None or len(known) < len(texts) else (name, known)


def _both(first: Allowed, second: Allowed) -> Allowed:
    values = first.values or second.values
    if first.values and second.values:
        values = tuple(value for value in first.values if value in second.values)
    return Allowed(_stricter(first.low, second.low, max), _stricter(first.high, second.high, min), values)


def _stricter(one: Limit | None, other: Limit | None, choose: object) -> Limit | None:
    if one is None or other is None or type(one) is not type(other):
        return other if one is None else one
    assert callable(choose)
    chosen: Limit = choose(one, other)
    return chosen


def _bare(node: exp.Expr) -> exp.Expr:
    """Without parentheses and casts, which PostgreSQL adds to what the owner wrote."""
    while isinstance(node, (exp.Paren, exp.Cast)):
        node = node.this
    return node


def _column(node: exp.Expr, value_name: str | None) -> str | None:
    bare = _bare(node)
    if not isinstance(bare, exp.Column) or bare.table:
        return None
    return value_name if value_name is not None and bare.name.upper() == "VALUE" else str(bare.name)


def _text(node: exp.Expr) -> str | None:
    bare = _bare(node)
    return str(bare.this) if isinstance(bare, exp.Literal) and bare.is_string else None


def _limit(node: exp.Expr) -> Limit | None:
    bare = _bare(node)
    sign = -1 if isinstance(bare, exp.Neg) else 1
    literal = _bare(bare.this) if isinstance(bare, exp.Neg) else bare
    if not isinstance(literal, exp.Literal):
        return None
    try:
        return sign * Decimal(literal.this)
    except InvalidOperation:
        pass
    try:
        return dt.datetime.fromisoformat(literal.this).date()
    except ValueError:
        return None
