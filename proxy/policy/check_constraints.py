"""What CHECK constraints say of single columns: least and greatest values, and lists of values.

Read from the text that PostgreSQL prints of a constraint. A part that says something else is passed over.
"""

from __future__ import annotations

import datetime as dt
import math
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from decimal import Decimal, InvalidOperation
from typing import Final

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from proxy.policy.catalog import Column, Table
from proxy.policy.column_types import NUMBERS, TIMES, Family, family_of
from proxy.policy.type_values import possible_labels

Limit = Decimal | dt.date

_LONGEST_TEXT: Final = 20_000
_LOW: Final = (exp.GT, exp.GTE)
_HIGH: Final = (exp.LT, exp.LTE)
_OPEN: Final = (exp.GT, exp.LT)
_ELEMENT: Final = re.compile(r'"([^"\\]*)"|([^\s{},"\\]+)')
_ARRAY: Final = re.compile(r'\{(?:"[^"\\]*"|[^\s{},"\\]+)(?:,(?:"[^"\\]*"|[^\s{},"\\]+))*\}')
"""A constant array as PostgreSQL prints it, without nesting and escapes."""
_WHOLE: Final = frozenset({exp.DType.SMALLINT, exp.DType.INT, exp.DType.BIGINT})
_TEXTS: Final = frozenset({exp.DType.TEXT, exp.DType.VARCHAR})
_DIGITS: Final[Mapping[exp.DType, int]] = {exp.DType.FLOAT: 6, exp.DType.DOUBLE: 15}
"""The most digits of a number of which a floating-point type keeps all."""
_KEEPING: Final[Mapping[Family | None, frozenset[exp.DType]]] = {
    "integer": _WHOLE | {exp.DType.DECIMAL},
    "decimal": frozenset({exp.DType.DECIMAL}),
    "float": frozenset({exp.DType.DOUBLE}),
    "date": frozenset({exp.DType.DATE, exp.DType.TIMESTAMP}),
    "timestamp": frozenset({exp.DType.TIMESTAMP}),
    "timestamp with time zone": frozenset({exp.DType.TIMESTAMPTZ}),
    "interval": frozenset({exp.DType.INTERVAL}),
    "boolean": frozenset({exp.DType.BOOLEAN}),
    "text": _TEXTS,
    "uuid": frozenset({exp.DType.UUID}),
    None: _TEXTS,
}
"""Types to which PostgreSQL casts a column to compare it, by its family, without making two of its values one. What an
owner casts to another type may round or cut it: k::char(1) IN ('a') allows 'abc'."""
_KEEPING_OF: Final[Mapping[str, frozenset[exp.DType]]] = {
    "character": frozenset({exp.DType.BPCHAR}),
    "bpchar": frozenset({exp.DType.BPCHAR}),
    "name": frozenset({exp.DType.NAME}),
    "real": frozenset({exp.DType.FLOAT}),
    "smallint": frozenset({exp.DType.DOUBLE}),
    "integer": frozenset({exp.DType.DOUBLE}),
}
"""Further ones, by the name of the column's type."""


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
    found = allowed_values(table.checks, columns=table.columns)
    for name, expressions in table.domain_checks.items():
        of_domain = allowed_values(expressions, name, table.columns).get(name, Allowed())
        found[name] = _both(found.get(name, Allowed()), of_domain)
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


def allowed_values(
    expressions: Iterable[str], value_name: str | None = None, columns: Mapping[str, Column] | None = None
) -> dict[str, Allowed]:
    """What constraints that all hold say of columns, by the column's name.

    Args:
        expressions: what `pg_get_expr` prints of them.
        value_name: the column for which `VALUE` stands, in constraints of its domain.
        columns: the table's, whose types say which casts keep values apart; None where all but those of a length do.
    """
    found: dict[str, Allowed] = {}
    reading = _Reading(value_name, columns)
    for text in expressions:
        for name, allowed in _said(text, reading):
            found[name] = _both(found.get(name, Allowed()), allowed)
    return found


@dataclass(frozen=True)
class _Reading:
    """How columns of a constraint are read, as of `allowed_values`."""

    value_name: str | None
    columns: Mapping[str, Column] | None

    def column(self, node: exp.Expr) -> str | None:
        """The name of a column, bare or in casts that leave all its values apart; None of all else."""
        bare, casts = _without_casts(node)
        if not isinstance(bare, exp.Column) or bare.table:
            return None
        is_value = self.value_name is not None and bare.name.upper() == "VALUE"
        name = self.value_name if is_value else str(bare.name)
        return name if name is not None and all(self._keeps(name, to) for to in casts) else None

    def _keeps(self, name: str, to: exp.DataType) -> bool:
        if to.expressions:
            return False
        column = self.columns.get(name) if self.columns is not None else None
        if column is None:
            return self.columns is None
        return to.this in _KEEPING[family_of(column)] | _KEEPING_OF.get(column.type_name, frozenset())


def _said(text: str, reading: _Reading) -> Iterator[tuple[str, Allowed]]:
    if len(text) > _LONGEST_TEXT:
        return
    try:
        tree = sqlglot.parse_one(text, dialect="postgres")
    except (SqlglotError, RecursionError):
        return
    yield from _parts(tree, reading)


def _parts(tree: exp.Expr, reading: _Reading) -> Iterator[tuple[str, Allowed]]:
    pending = [tree]
    while pending:
        part = pending.pop().unnest()
        if isinstance(part, exp.And):
            pending += [part.expression, part.this]
        elif (present := _unless_null(part, reading)) is not None:
            name, condition = present
            yield from ((found, allowed) for found, allowed in _parts(condition, reading) if found == name)
        else:
            yield from _one(part, reading)


def _unless_null(part: exp.Expr, reading: _Reading) -> tuple[str, exp.Expr] | None:
    """A column and what holds wherever it has a value, where that is said by `column IS NULL OR …`."""
    if isinstance(part, exp.Or):
        sides = (part.this.unnest(), part.expression.unnest())
        for side, other in (sides, sides[::-1]):
            name = reading.column(side.this) if isinstance(side, exp.Is) else None
            if name is not None and isinstance(side.expression, exp.Null) and not side.args.get("negate"):
                return name, other
    return None


def _one(part: exp.Expr, reading: _Reading) -> Iterator[tuple[str, Allowed]]:
    if isinstance(part, (*_LOW, *_HIGH)):
        for column, literal, lows in ((part.this, part.expression, _LOW), (part.expression, part.this, _HIGH)):
            name, limit = reading.column(column), _limit(literal)
            if name is not None and limit is not None:
                is_open = isinstance(part, _OPEN)
                low, high = Allowed(low=limit, above_low=is_open), Allowed(high=limit, below_high=is_open)
                yield name, low if isinstance(part, lows) else high
        return
    listed = _listed(part, reading)
    if listed is not None:
        yield listed[0], Allowed(values=listed[1])


def _listed(part: exp.Expr, reading: _Reading) -> tuple[str, tuple[str, ...]] | None:
    """A column and all texts that a part allows, where it is `= ANY (ARRAY[…])`, `=`, or such parts joined by OR."""
    if isinstance(part, exp.Or):
        both = [_listed(side.unnest(), reading) for side in (part.this, part.expression)]
        if both[0] is None or both[1] is None or both[0][0] != both[1][0]:
            return None
        return both[0][0], both[0][1] + both[1][1]
    if not isinstance(part, exp.EQ):
        return None
    name, right = reading.column(part.this), part.expression
    texts = _elements(right.this) if isinstance(right, exp.Any) else [_constant(right)]
    known = tuple(text for text in texts if text is not None)
    return None if name is None or len(known) < len(texts) or not known else (name, known)


def _elements(node: exp.Expr) -> list[str | None]:
    """The texts of an array's elements; None for each that is no constant."""
    array, casts = _without_casts(node)
    if isinstance(array, exp.Array):
        texts = [_constant(element) for element in array.expressions]
    else:
        written = str(array.this) if isinstance(array, exp.Literal) and array.is_string else ""
        if not _ARRAY.fullmatch(written):
            return [None]
        texts = [None if bare == "NULL" else bare or quoted for quoted, bare in _ELEMENT.findall(written)]
    of_elements = [to.expressions[0] if to.this is exp.DType.ARRAY and to.expressions else to for to in casts]
    return [text if text is not None and all(_shows(text, to) for to in of_elements) else None for text in texts]


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


def _without_casts(node: exp.Expr) -> tuple[exp.Expr, list[exp.DataType]]:
    """What is in parentheses and casts, which PostgreSQL adds to what the owner wrote, and the types of these."""
    casts = list[exp.DataType]()
    while isinstance(node, (exp.Paren, exp.Cast)):
        if isinstance(node, exp.Cast):
            casts.append(node.to)
        node = node.this
    return node, casts


def _constant(node: exp.Expr) -> str | None:
    """The text of a constant, perhaps negative, in casts that neither round nor cut it; None of all else."""
    bare, casts = _without_casts(node)
    sign = ""
    if isinstance(bare, exp.Neg):
        bare, inner = _without_casts(bare.this)
        casts, sign = casts + inner, "-"
        if isinstance(bare, exp.Literal) and bare.is_string:
            return None
    if not isinstance(bare, exp.Literal):
        return None
    text = f"{sign}{bare.this}"
    return text if all(_shows(text, to) for to in casts) else None


def _shows(text: str, to: exp.DataType) -> bool:
    """Does a constant keep its text in a type?"""
    if to.expressions and to.this is not exp.DType.ARRAY:
        return False
    if to.this in _WHOLE:
        number = _number(text)
        return number is not None and number == number.to_integral_value()
    if to.this in _DIGITS:
        number = _number(text)
        return number is None or len(number.normalize().as_tuple().digits) <= _DIGITS[to.this]
    return to.this is not exp.DType.DATE or _is_day(text)


def _is_day(text: str) -> bool:
    try:
        return dt.datetime.fromisoformat(text).time() == dt.time()
    except ValueError:
        return False


def _limit(node: exp.Expr) -> Limit | None:
    text = _constant(node)
    if text is None:
        return None
    number = _number(text)
    if number is not None:
        return number
    try:
        moment = dt.datetime.fromisoformat(text)
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
