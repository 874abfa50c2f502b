"""Arithmetic on draws of noise that cannot overflow: a draw that goes too far is NULL.

A released number may be far inside a bigint and a draw of its noise outside, so that an interval around it would fail
after the charge. Drawn whole numbers lie within ±2^59 (`FARTHEST`), and so do products and casts of them, so that a sum
of sixteen is a bigint; other numbers have room for all that is not written with extreme constants.

What may go too far is computed as numeric first. Operands stand once in the SQL, in a subquery that is not pulled up,
or nested operations would double it with each level.
"""

from __future__ import annotations

from sqlglot import exp

from proxy.sql.nodes import find_all
from proxy.sql.plain_postgres import PLAIN_POSTGRES, render

FARTHEST = 2**59
_MOST_ADDED = 16
_LARGEST, _LEAST = 1e150, 1e-150
"""Doubles farther from 0, or closer to it, are no number that anybody draws."""
_EXTREME = 1e20
_INTEGERS = "20, 21, 23"
"""Oids of bigint, smallint and integer."""
_SYMBOLS: dict[type[exp.Expr], str] = {exp.Add: "+", exp.Sub: "-", exp.Mul: "*", exp.Div: "/"}


def without_overflow(node: exp.Expr) -> exp.Expr:
    """An operation on draws, NULL where it would go too far.

    Args:
        node: an operation whose operands cannot fail, division by what is not 0.
    """
    if isinstance(node, exp.Cast) and node.to.this == exp.DType.BIGINT:
        return _guarded({"a": node.this}, "{a}::numeric", "true", "{a}::bigint")
    symbol = _SYMBOLS.get(type(node))
    if symbol is None or not _may_overflow(node):
        return node
    both = " AND ".join(f"pg_catalog.pg_typeof({{{name}}})::oid IN ({_INTEGERS})" for name in "ab")
    operands = {"a": node.this, "b": node.expression}
    return _guarded(operands, f"{{a}}::numeric {symbol} {{b}}::numeric", both, f"{{a}} {symbol} {{b}}")


def _may_overflow(node: exp.Expr) -> bool:
    if any(_is_extreme(literal) for literal in find_all(node, exp.Literal)):
        return True
    if isinstance(node, exp.Mul):
        return not any(_is_decimal(side.unnest()) for side in (node.this, node.expression))
    return not isinstance(node, exp.Div) and len(find_all(node, exp.Column)) > _MOST_ADDED


def _is_extreme(literal: exp.Literal) -> bool:
    try:
        size = abs(float(literal.name))
    except ValueError:
        return False
    return size != 0 and not 1 / _EXTREME < size < _EXTREME


def _is_decimal(node: exp.Expr) -> bool:
    """Is it a constant that makes every product a numeric or a double?"""
    return isinstance(node, exp.Literal) and not node.is_string and not node.name.isdigit()


def _guarded(operands: dict[str, exp.Expr], wide: str, is_whole: str, operation: str) -> exp.Expr:
    """A subquery for an operation.

    Args:
        operands: by name.
        wide: the operation as numeric, with the names of operands in braces.
        is_whole: a condition that its type is bigint.
        operation: itself.
    """
    # Constants stay where they are: in a column, a bare text would be one.
    constants = {name: node for name, node in operands.items() if isinstance(node.unnest(), (exp.Literal, exp.Null))}
    columns = {name: node for name, node in operands.items() if name not in constants}
    names = {name: f"({render(node)})" for name, node in constants.items()} | {name: f"x.{name}" for name in columns}
    inside = f"abs(x.wide) <= {FARTHEST}"
    if is_whole != "true":
        other = f"x.wide = 0 OR abs(x.wide) BETWEEN {_LEAST} AND {_LARGEST}"
        inside = f"CASE WHEN {is_whole} THEN {inside} ELSE {other} END"
    inside, wide, operation = (part.format(**names) for part in (inside, wide, operation))
    selected = ", ".join(f"({render(node)}) AS {name}" for name, node in columns.items()) or "1"
    text = (
        f"SELECT CASE WHEN {inside} THEN {operation} END FROM (SELECT *, {wide} AS wide FROM "
        f"(SELECT {selected} OFFSET 0) AS x OFFSET 0) AS x"
    )
    (parsed,) = PLAIN_POSTGRES.parse(text)
    return exp.Paren(this=parsed)
