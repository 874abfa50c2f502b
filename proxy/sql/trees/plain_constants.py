"""One spelling for constants beside columns of a known type, compared with or subtracted, as Postgres reads them there.

`year = '1986'` is `year = 1986`, and `day = '2024-03-05'` is `day = date '2024-03-05'`. A timestamp is written without
a type and without what it need not have: `'2024-03-05'` for `timestamp '2024-03-05T00:00:00.000'`. What no column of
its type reads in this very way stays, to be refused by Postgres, or to be another question. And `day - '2024-03-05'` is
`day - date '2024-03-05'`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

from sqlglot import exp

from proxy.sql.nodes import find_all
from proxy.sql.schema import Schema
from proxy.sql.terms import clocks
from proxy.sql.terms.arrays import constant_elements
from proxy.sql.terms.types import Kind
from proxy.sql.trees.stored_types import StoredTypes, select_around

COMPARISONS: Final = (
    exp.EQ,
    exp.NEQ,
    exp.LT,
    exp.LTE,
    exp.GT,
    exp.GTE,
    exp.NullSafeEQ,
    exp.NullSafeNEQ,
)
"""What compares two values."""

_WHOLE: Final = re.compile(r"[+-]?[0-9]{1,18}", re.ASCII)
_DECIMAL: Final = re.compile(r"[+-]?[0-9]{1,18}(\.[0-9]{1,18})?", re.ASCII)
_BLANKS: Final = " \t\n\r\f\v"
_INTEGERS: Final = {"smallint": 2**15, "integer": 2**31, "bigint": 2**63}
_FRACTIONS: Final = frozenset({"numeric", "double precision"})
"""A real is left out: the text '0.1' is read as a real beside it, and the number 0.1 as a double precision."""
_MOMENTS: Final = {
    "date": Kind.DATE,
    "timestamp without time zone": Kind.TIMESTAMP,
    "timestamp with time zone": Kind.TIMESTAMPTZ,
}
_CASTS: Final = {
    exp.DType.DATE: Kind.DATE,
    exp.DType.TIMESTAMP: Kind.TIMESTAMP,
    exp.DType.TIMESTAMPTZ: Kind.TIMESTAMPTZ,
}
_TYPES: Final = {kind: type_ for type_, kind in _CASTS.items()}
_READ_ALIKE: Final = re.compile(
    r"\d{4}-\d{2}-\d{2}([ T]\d{2}:\d{2}(:\d{2}(\.\d{1,6})?)?(Z|[+-](0\d|1[0-4])(:?[0-5]\d)?)?)?", re.ASCII
)
"""Texts that every Postgres reads in one way, where there is such a day and time of day."""

_Written = Callable[[exp.Expr], exp.Expr | None]
"""A constant in its spelling; None where it stays."""


def write_constants_plainly(query: exp.Query, schema: Schema, _search_path: tuple[str, ...]) -> exp.Query:
    """Write constants beside stored columns plainly, in place, in every query.

    Args:
        query: a tree with parameters as literals, in which every table of the policy has its schema.
        schema: policy and catalog.
    """
    types = StoredTypes(schema)
    for node in find_all(query, exp.Between, exp.In, exp.Sub, *COMPARISONS):
        select = select_around(node)
        if isinstance(node, exp.Sub):
            _write_subtracted(node, types, select)
            continue
        for value in (node.this, node.expression) if isinstance(node, COMPARISONS) else (node.this,):
            written = _writing(types.of(value, select))
            if written is not None:
                _write(node, value, written)
                break
    return query


def _write_subtracted(node: exp.Sub, types: StoredTypes, select: exp.Expr | None) -> None:
    """A text before or after the minus of a date or time is of that column's type."""
    for column, constant in ((node.this, node.expression), (node.expression, node.this)):
        kind, literal = _MOMENTS.get(types.of(column, select) or ""), constant.unnest()
        if kind is not None and isinstance(literal, exp.Literal) and literal.is_string:
            cast = exp.Cast(this=literal.copy(), to=exp.DataType(this=_TYPES[kind]))
            cast.meta.update(constant.meta)
            constant.replace(cast)


def _writing(type_name: str | None) -> _Written | None:
    """How a constant is written beside a column of a type."""
    if type_name in _INTEGERS or type_name in _FRACTIONS:
        return partial(_number, type_name=type_name)
    kind = _MOMENTS.get(type_name or "")
    return partial(_moment, kind=kind) if kind is not None else None


def _write(node: exp.Expr, value: exp.Expr, written: _Written) -> None:
    if isinstance(node, exp.Between):
        _replace([node.args["low"]], written)
        _replace([node.args["high"]], written)
    elif isinstance(node, exp.In):
        _replace(node.expressions, written, together=True)
    elif isinstance(node, exp.EQ) and value is node.this and isinstance(node.expression, exp.Any):
        _write_elements(node, written)
    else:
        _replace([node.expression if value is node.this else node.this], written)


def _replace(constants: Sequence[exp.Expr], written: _Written, *, together: bool = False) -> None:
    """Write constants in their places.

    Args:
        constants: the constants.
        written: how.
        together: have all of them one type, so that a typed one says how those without a type are read?
    """
    found = [(constant, written(constant.unnest())) for constant in constants]
    typed = {isinstance(constant.unnest(), exp.Cast) for constant in constants}
    if together and len(found) > 1 and (len(typed) > 1 or any(plain is None for _, plain in found)):
        return
    for constant, plain in found:
        if plain is not None and plain is not constant.unnest():
            plain.meta.update(constant.meta)
            constant.replace(plain)


def _write_elements(node: exp.EQ, written: _Written) -> None:
    """x = ANY ('{1,2}') as x IN (1, 2)."""
    array = node.expression.this.unnest()
    if not isinstance(array, exp.Literal):
        return
    found = [written(element) for element in constant_elements(array) or []]
    members = [element for element in found if element is not None]
    if members and len(members) == len(found):
        membership = exp.In(this=node.this, expressions=members)
        membership.meta.update(node.meta)
        node.replace(membership)


def _number(node: exp.Expr, type_name: str) -> exp.Expr | None:
    """A number; one that is written as such stays."""
    bare = node.this if isinstance(node, exp.Neg) else node
    if not isinstance(bare, exp.Literal):
        return None
    if not bare.is_string:
        return node
    text = node.name.strip(_BLANKS) if isinstance(node, exp.Literal) else ""
    limit = _INTEGERS.get(type_name)
    if (_WHOLE if limit is not None else _DECIMAL).fullmatch(text) is None:
        return None
    if limit is not None and not -limit <= int(text) < limit:
        return None
    number = exp.Literal.number(text.lstrip("+-").lstrip("0") or "0")
    if number.name.startswith("."):
        number = exp.Literal.number(f"0{number.name}")
    return exp.Neg(this=number) if text.startswith("-") else number


def _moment(node: exp.Expr, kind: Kind) -> exp.Expr | None:
    """A date, or a timestamp, without a type or of one that says the same of it beside a column of this kind."""
    literal = node.this if isinstance(node, exp.Cast) else node
    if not isinstance(literal, exp.Literal) or not literal.is_string:
        return None
    own: Kind | None = kind
    if isinstance(node, exp.Cast):
        own = _CASTS.get(node.to.this) if not node.to.expressions else None
    # The clock of the session makes a timestamp of a moment.
    if own is None or (own is Kind.TIMESTAMPTZ and kind is not own):
        return None
    text = _plain_text(literal.name, own)
    if text is None:
        return None
    if kind is Kind.DATE:
        if len(text) > len("2024-03-05"):
            return None
        return exp.Cast(this=exp.Literal.string(text), to=exp.DataType(this=exp.DType.DATE))
    return exp.Literal.string(text)


def _plain_text(text: str, kind: Kind) -> str | None:
    """A text as which a date or timestamp is read, whatever the DateStyle; None for what is not written like that."""
    text = text.strip(_BLANKS)
    if _READ_ALIKE.fullmatch(text) is None or clocks.constant(text, Kind.TIMESTAMP) is None:
        return None
    # What has no offset is a moment of the session's clock, which it stays.
    if kind is Kind.TIMESTAMPTZ and not clocks.has_offset(text):
        kind = Kind.TIMESTAMP
    bounds = clocks.constant(text, kind)
    written = clocks.written(bounds.low, kind) if bounds is not None else None
    return written.removesuffix(" 00:00:00") if written is not None else None
