"""What is computed around released numbers, with NULL where PostgreSQL would fail: in division by zero, outside of what
a function is defined for, and beyond the range of a type. Over private rows that is always so (`terms`).

Noise makes such numbers of good ones, once they are paid for: a count may be 0, a sum negative, a share 1 200 %.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from decimal import Decimal
from functools import lru_cache
from typing import Final

from sqlglot import exp
from sqlglot.errors import SqlglotError

from proxy.sql.dialect import NotReadError, TooLargeError, parse, render
from proxy.sql.nodes import find_all, walk

_CALLS: Final[Mapping[str, str]] = {
    **dict.fromkeys(("ln", "log", "log10"), "x > 0"),
    "sqrt": "x >= 0",
    "exp": "x BETWEEN -700 AND 700",
    **dict.fromkeys(("acos", "asin"), "x BETWEEN -1 AND 1"),
    "acosh": "x >= 1",
    "atanh": "x BETWEEN -1 AND 1",
}
"""Functions of one number, and where they are defined."""
_POWER: Final = (
    "(x = 0 AND y >= 0) OR (x <> 0 AND (x > 0 OR y = floor(y)) AND abs(y * ln(greatest(abs(x), 1e-300))) < 700)"
)
_BASE: Final = "x > 0 AND x <> 1"
_DAY: Final = (
    "z BETWEEN 1 AND 200000 AND y BETWEEN 1 AND 12 AND x BETWEEN 1 AND CASE WHEN y IN (4, 6, 9, 11) THEN 30 "
    "WHEN y <> 2 THEN 31 WHEN z % 4 = 0 AND (z % 100 <> 0 OR z % 400 = 0) THEN 29 ELSE 28 END"
)
_HOUR: Final = "x BETWEEN 0 AND 23 OR (x = 24 AND y = 0 AND z = 0)"
_MOMENTS: Final[Mapping[str, int]] = {"make_timestamp": 6, "make_timestamptz": 6}
"""What is made of years, months, days, hours, minutes and seconds: declared keys have days that no month has."""
_WHOLE: Final[Mapping[exp.DType, int]] = {exp.DType.SMALLINT: 15, exp.DType.INT: 31, exp.DType.BIGINT: 63}
"""Numbers of these types are below this power of 2."""
_ARE_WHOLE: Final = "pg_typeof(x)::oid IN (20, 21, 23) AND pg_typeof(y)::oid IN (20, 21, 23)"
_FITS: Final = (
    "BETWEEN CASE WHEN 20 IN (pg_typeof(x)::oid, pg_typeof(y)::oid) THEN -9223372036854775808 "
    "WHEN 23 IN (pg_typeof(x)::oid, pg_typeof(y)::oid) THEN -2147483648 ELSE -32768 END "
    "AND CASE WHEN 20 IN (pg_typeof(x)::oid, pg_typeof(y)::oid) THEN 9223372036854775807 "
    "WHEN 23 IN (pg_typeof(x)::oid, pg_typeof(y)::oid) THEN 2147483647 ELSE 32767 END"
)
"""The types of whole numbers by their oids; the result is of the wider one."""
_OPERATORS: Final[Mapping[type[exp.Expr], str]] = {exp.Mul: "*", exp.Add: "+", exp.Sub: "-"}
_LONGEST: Final = 8_000
"""Characters of a template: longer ones would keep other sessions waiting while they are read."""
_MOST_COPIED: Final = 20_000
"""Nodes of operands that are written a second time: nested calls double what is in them."""
_NAMES: Final = "|".join([*_CALLS, *_MOMENTS, "make_date", "make_time", "power", "pow", "div", "mod", "width_bucket"])
_ANY: Final = re.compile(
    rf"[/%^]|(?<!SELECT)(?<!DISTINCT)(?<!,) \* |\b(?:{_NAMES})\(|\b(?:decimal|(?:small|big)?int)\b", re.IGNORECASE
)


def may_be_undefined(template: str) -> bool:
    """Does SQL around released rows hold something of which `defined` makes NULL?"""
    return _ANY.search(template) is not None


def defined(template: str) -> Iterator[str]:
    """SQL around released rows with NULL where it would fail; nothing if nothing in it is known to.

    Args:
        template: the SQL, which was parsed before and printed by `render`.

    Yields:
        The SQL, first with guards around products of whole numbers and around casts too: these assume that what is
        computed with, or cast, is of no type of its own, or a number. Nothing of a long template.
    """
    if len(template) > _LONGEST:
        return
    try:
        tree = parse(template)
    except (
        SqlglotError,
        NotReadError,
        TooLargeError,
        RecursionError,
    ):  # It has more parentheses than the client's text.
        return
    if tree is None:
        raise AssertionError("a template is a query")
    forms = (
        _guarded(tree.copy(), casts=True, products=True),
        _guarded(tree.copy(), casts=True),
        _guarded(tree, casts=False),
    )
    yield from dict.fromkeys(sql for sql in forms if sql is not None)


def _guarded(tree: exp.Expr, *, casts: bool, products: bool = False) -> str | None:
    """The query with guards, in place; None if there is nothing to guard."""
    guards = _Guards(casts, products)
    for node in reversed(walk(tree)):
        guards.put(node)
    return render(tree, copy=False) if guards.placed else None


class _Guards:
    """Puts NULL in the place of operands for which what is made of them fails."""

    def __init__(self, casts: bool, products: bool) -> None:
        self.casts = casts
        self.products = products
        self.placed = False
        self.copied = 0

    def put(self, node: exp.Expr) -> None:
        """Guard what one node is made of, in place."""
        if isinstance(node, (exp.Div, exp.Mod)):
            self._divisor(node.expression)
        elif isinstance(node, exp.Pow):
            self._where(_POWER, node.this, node.expression)
        elif isinstance(node, exp.Sqrt):
            self._where(_CALLS["sqrt"], node.this)
        elif isinstance(node, exp.Cast):
            self._cast(node)
        elif isinstance(node, (exp.Mul, exp.Add, exp.Sub)):
            self._whole(node)
        elif isinstance(node, exp.Anonymous):
            self._call(node.name.lower(), node.expressions)

    def _call(self, name: str, arguments: list[exp.Expr]) -> None:
        if len(arguments) == 1 and name in _CALLS:
            self._where(_CALLS[name], arguments[0])
        elif len(arguments) == 4 and name == "width_bucket":
            self._where("x <> y", arguments[1], arguments[2])
            self._where("x > 0", arguments[3])
        elif len(arguments) == 2 and name in ("div", "mod"):
            self._divisor(arguments[1])
        elif len(arguments) == 2 and name in ("power", "pow"):
            self._where(_POWER, *arguments)
        elif len(arguments) == 3 and name == "make_date":
            self._where(_DAY, *reversed(arguments))
        elif name == "make_time":
            self._time(arguments)
        elif name in _MOMENTS and len(arguments) >= _MOMENTS[name]:
            self._time(arguments[3:6])
            self._where(_DAY, *reversed(arguments[:3]))
        elif len(arguments) == 2 and name == "log":
            self._where(_BASE, arguments[0])
            self._where(_CALLS["log"], arguments[1])

    def _time(self, parts: list[exp.Expr]) -> None:
        """Hours, minutes and seconds."""
        if len(parts) == 3:
            hours, minutes, seconds = parts
            self._where(_HOUR, hours, minutes, seconds)
            self._where("x BETWEEN 0 AND 59", minutes)
            self._where("x BETWEEN 0 AND 60", seconds)

    def _cast(self, node: exp.Cast) -> None:
        """Numbers that are too large for a type."""
        if not self.casts or isinstance(node.this.unnest(), (exp.Literal, exp.Null)):
            return
        type_, limits = node.to.this, [limit.this.name for limit in node.to.expressions]
        if type_ is exp.DType.DECIMAL and limits and all(limit.isdigit() for limit in limits):
            digits, places = (*map(int, limits), 0)[:2]
            most = Decimal(10) ** (digits - places) - Decimal(10) ** -places / 2
            self._where(f"abs(x) < {most:f}", node.this)
        elif type_ in _WHOLE:
            values = 2 ** _WHOLE[type_]
            self._where(f"x > -{values}.5 AND x < {values - 1}.5", node.this)

    def _whole(self, node: exp.Binary) -> None:
        """Products of whole numbers that are too large for their type, and sums of such products or of casts."""
        operands = [node.this, node.expression]
        bare = [operand.unnest() for operand in operands]
        may_be_large = isinstance(node, exp.Mul) or any(
            isinstance(operand, exp.Mul) or (isinstance(operand, exp.Cast) and operand.to.this in _WHOLE)
            for operand in bare
        )
        if (
            self.products
            and may_be_large
            and not any(isinstance(each, exp.Literal) and each.is_string for each in bare)
        ):
            # As texts, since not everything else is cast to numbers; what is no number is not computed.
            computed = f"x::varchar::numeric {_OPERATORS[type(node)]} y::varchar::numeric"
            self._where(f"CASE WHEN {_ARE_WHOLE} THEN {computed} {_FITS} ELSE true END", *operands)

    def _divisor(self, node: exp.Expr) -> None:
        if not isinstance(node.unnest(), exp.Literal):  # Whoever divides by 0 does so whatever is released.
            node.replace(exp.Anonymous(this="NULLIF", expressions=[node.copy(), exp.Literal.number(0)]))
            self.placed = True

    def _where(self, condition: str, *operands: exp.Expr) -> None:
        """The first operand, which the condition calls x, where that holds."""
        self.copied += sum(len(walk(operand)) for operand in operands) * condition.count("x")
        if self.copied > _MOST_COPIED:
            return
        case = _case(condition).copy()
        named = dict(zip("xyz", operands, strict=False))
        for column in find_all(case, exp.Column):
            column.replace(exp.Paren(this=named[column.name].copy()))
        operands[0].replace(case)
        self.placed = True


@lru_cache
def _case(condition: str) -> exp.Expr:
    tree = parse(f"SELECT CASE WHEN {condition} THEN x END")
    if tree is None:
        raise AssertionError("that is a query")
    case: exp.Expr = tree.expressions[0]
    return case
