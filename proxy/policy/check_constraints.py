"""What CHECK constraints say of single columns: least and greatest values, and lists of values.

Read from the text that PostgreSQL prints of a constraint. A part that says something else is passed over.
"""

from __future__ import annotations

import datetime as dt
import math
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from decimal import Decimal, InvalidOperation
from typing import Final

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from proxy.policy.catalog import Column, Table
from proxy.policy.column_types import NUMBERS, TIMES, family_of
from proxy.policy.type_values import possible_labels

Limit = Decimal | dt.date

_LONGEST_TEXT: Final = 20_000
_LOW: Final = (exp.GT, exp.GTE)
_HIGH: Final = (exp.LT, exp.LTE)
_OPEN: Final = (exp.GT, exp.LT)
_ELEMENT: Final = re.compile(r'"([^"\\]*)"|([^\s{},"\\]+)')
_ARRAY: Final = re.compile(r'\{(?:"[^"\\]*"|[^\s{},"\\]+)(?:,(?:"[^"\\]*"|[^\s{},"\\]+))*\}')
"""A constant array as PostgreSQL prints it, without nesting and escapes."""


@dataclass(frozen=True)
class Allowed:
    """What a column may hold besides NULL, as far as constraints say.

    Attributes:
        low: no value is below.
        high: no value is above.
        values: there are no others: their texts, in the order of the constraint.
        above_low: no value is `low` itself.
        below_high: no value is `high` itself.
    """

    low: Limit | None = None
    high: Limit | None = None
    values: tuple[str, ...] = ()
    above_low: bool = False
    below_high: bool = False

    @property
    def numbers(self) -> tuple[Decimal | None, Decimal | None]:
        """The limits that are numbers."""
        low, high = (end if isinstance(end, Decimal) else None for end in (self.low, self.high))
        return low, high


def allowed_by_checks(table: Table) -> dict[str, Allowed]:
    """What a table's CHECK constraints, and those of domains, say of its columns.

    Whole numbers and days end with the last one that is allowed, and numbers with the last one that is listed. Columns
    are left out whose type or collation takes different texts for equal: a CHECK allows more than it lists there.
    """
    found = allowed_values(table.checks)
    for name, expressions in table.domain_checks.items():
        found[name] = _both(found.get(name, Allowed()), allowed_values(expressions, name).get(name, Allowed()))
    columns = ((table.columns.get(name), allowed) for name, allowed in found.items())
    return {
        column.name: _as_stored(allowed, column)
        for column, allowed in columns
        if column is not None and not column.own_equality and not column.collation
    }


def with_listed_values(table: Table) -> Table:
    """The table with what its CHECK constraints list as the labels of columns that are of no enum."""
    listed = {
        name: replace(column, labels=labels)
        for name, allowed in allowed_by_checks(table).items()
        if not (column := table.columns[name]).labels and (labels := possible_labels(allowed.values, column))
    }
    return replace(table, columns={**table.columns, **listed}) if listed else table


def _as_stored(allowed: Allowed, column: Column) -> Allowed:
    """With limits that a value of the column's type can be."""
    family, low, high = family_of(column), allowed.low, allowed.high
    listed = [number for text in allowed.values if family in NUMBERS and (number := _number(text)) is not None]
    if listed and len(listed) == len(allowed.values):
        return Allowed(_stricter(low, min(listed), max), _stricter(high, max(listed), min), allowed.values)
    if family == "integer" and not isinstance(low, dt.date) and not isinstance(high, dt.date):
        if low is not None:
            low = Decimal(math.floor(low) + 1 if allowed.above_low else math.ceil(low))
        if high is not None:
            high = Decimal(math.ceil(high) - 1 if allowed.below_high else math.floor(high))
    elif family in TIMES:
        low = _day(low, 1 if allowed.above_low and family == "date" else 0)
        high = _day(high, -1 if allowed.below_high else 0)
    return Allowed(low, high, allowed.values)


def _day(limit: Limit | None, days: int) -> Limit | None:
    """The day of a limit; or so many later, if the limit is a day's beginning."""
    if isinstance(limit, dt.datetime):
        return limit.date()
    try:
        return limit + dt.timedelta(days) if isinstance(limit, dt.date) else limit
    except OverflowError:
        return limit


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
    yield from _parts(tree, value_name)


def _parts(tree: exp.Expr, value_name: str | None) -> Iterator[tuple[str, Allowed]]:
    pending = [tree]
    while pending:
        part = pending.pop().unnest()
        if isinstance(part, exp.And):
            pending += [part.expression, part.this]
        elif (present := _unless_null(part, value_name)) is not None:
            name, condition = present
            yield from ((found, allowed) for found, allowed in _parts(condition, value_name) if found == name)
        else:
            yield from _one(part, value_name)


def _unless_null(part: exp.Expr, value_name: str | None) -> tuple[str, exp.Expr] | None:
    """A column and what holds wherever it has a value, where that is said by `column IS NULL OR …`."""
    if isinstance(part, exp.Or):
        sides = (part.this.unnest(), part.expression.unnest())
        for side, other in (sides, sides[::-1]):
            name = _column(side.this, value_name) if isinstance(side, exp.Is) else None
            if name is not None and isinstance(side.expression, exp.Null) and not side.args.get("negate"):
                return name, other
    return None


def _one(part: exp.Expr, value_name: str | None) -> Iterator[tuple[str, Allowed]]:
    if isinstance(part, (*_LOW, *_HIGH)):
        for column, literal, lows in ((part.this, part.expression, _LOW), (part.expression, part.this, _HIGH)):
            name, limit = _column(column, value_name), _limit(literal)
            if name is not None and limit is not None:
                is_open = isinstance(part, _OPEN)
                low, high = Allowed(low=limit, above_low=is_open), Allowed(high=limit, below_high=is_open)
                yield name, low if isinstance(part, lows) else high
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
    texts = _elements(_bare(right.this)) if isinstance(right, exp.Any) else [_text(right)]
    known = tuple(text for text in texts if text is not None)
    return None if name is None or len(known) < len(texts) or not known else (name, known)


def _elements(array: exp.Expr) -> list[str | None]:
    """The texts of an array's elements; None for each that is no constant."""
    if isinstance(array, exp.Array):
        return [_text(element) for element in array.expressions]
    written = _text(array) or ""
    if not _ARRAY.fullmatch(written):
        return [None]
    return [None if bare == "NULL" else bare or quoted for quoted, bare in _ELEMENT.findall(written)]


def _both(first: Allowed, second: Allowed) -> Allowed:
    values = first.values or second.values
    if first.values and second.values:
        values = tuple(value for value in first.values if value in second.values)
    low, high = _stricter(first.low, second.low, max), _stricter(first.high, second.high, min)
    above = any(one.above_low and one.low == low for one in (first, second))
    below = any(one.below_high and one.high == high for one in (first, second))
    return Allowed(low, high, values, above, below)


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
    if isinstance(bare, exp.Neg):
        literal = _bare(bare.this)
        return f"-{literal.this}" if isinstance(literal, exp.Literal) and not literal.is_string else None
    return str(bare.this) if isinstance(bare, exp.Literal) else None


def _limit(node: exp.Expr) -> Limit | None:
    bare = _bare(node)
    sign = -1 if isinstance(bare, exp.Neg) else 1
    literal = _bare(bare.this) if isinstance(bare, exp.Neg) else bare
    if not isinstance(literal, exp.Literal):
        return None
    number = _number(literal.this)
    if number is not None:
        return sign * number
    try:
        moment = dt.datetime.fromisoformat(literal.this)
    except ValueError:
        return None
    moment = moment if moment.tzinfo is None else moment.astimezone(dt.UTC).replace(tzinfo=None)
    return moment.date() if moment.time() == dt.time() else moment


def _number(text: str) -> Decimal | None:
    try:
        number = Decimal(text)
    except InvalidOperation:
        return None
    return number if number.is_finite() else None
