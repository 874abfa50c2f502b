"""What a condition of constants alone is: true, false or NULL, without asking anybody.

Clients ask for column names and types with conditions such as `1 = 0`. Only what Postgres computes from literals in one
way is known here: comparisons of numbers, equality of texts, AND, OR, NOT and IS [NOT] NULL; and sums, differences and
products of small whole numbers. A column that is compared with NULL, as drivers write what has no value, is NULL too.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from decimal import Decimal
from typing import Final

from sqlglot import exp

Value = Decimal | str | bool | None
"""A number, text or boolean; None for NULL."""

_NUMBER = re.compile(r"[0-9]{1,50}(?:\.[0-9]{1,50})?")
_BOOLEANS: Final = {"true": True, "t": True, "false": False, "f": False}
_WHOLE: Final = {exp.DType.SMALLINT: 2**15, exp.DType.INT: 2**31, exp.DType.BIGINT: 2**63}

_BY_NUMBERS: Final[dict[type[exp.Expr], Callable[[Decimal, Decimal], Decimal]]] = {
    exp.Add: lambda left, right: left + right,
    exp.Sub: lambda left, right: left - right,
    exp.Mul: lambda left, right: left * right,
}
_SMALL = 100
"""Of whole numbers below it, sums and products are in any type."""

_BY_ORDER: Final[dict[type[exp.Expr], Callable[[Decimal, Decimal], bool]]] = {
    exp.LT: lambda left, right: left < right,
    exp.LTE: lambda left, right: left <= right,
    exp.GT: lambda left, right: left > right,
    exp.GTE: lambda left, right: left >= right,
}


class NotConstantError(Exception):
    """An expression whose value is not known from literals alone."""


def is_never_true(condition: exp.Expr, never_null: Callable[[exp.Column], bool] = lambda _: False) -> bool:
    """Is a condition false or NULL, whatever the rows?

    Args:
        condition: of WHERE, with parameters as literals.
        never_null: whether a column has a value in every row.
    """
    condition = condition.unnest()
    if isinstance(condition, exp.And):
        return any(is_never_true(part, never_null) for part in condition.flatten())
    if isinstance(condition, exp.Or):
        return all(is_never_true(part, never_null) for part in condition.flatten())
    if isinstance(condition, exp.Is) and isinstance(condition.expression, exp.Null):
        tested = condition.this.unnest()
        if isinstance(tested, exp.Column):
            return not condition.args.get("negate") and never_null(tested)
    if _compares_with_null(condition):
        return True
    try:
        return value_of(condition) in (False, None)
    except NotConstantError:
        return False


def _compares_with_null(condition: exp.Expr) -> bool:
    """Is it x = NULL of a column, or a comparison like that, which is NULL for every x?"""
    match condition:
        case exp.EQ() | exp.NEQ() | exp.LT() | exp.LTE() | exp.GT() | exp.GTE() if not condition.args.get("operator"):
            sides = condition.this, condition.expression
            return any(_is_column(one) and _is_null(other) for one, other in (sides, sides[::-1]))
        case exp.In() if condition.expressions:
            return _is_column(condition.this) and all(map(_is_null, condition.expressions))
    return False


def _is_column(node: exp.Expr) -> bool:
    return isinstance(node.unnest(), exp.Column)


def _is_null(node: exp.Expr) -> bool:
    try:
        return value_of(node) is None
    except NotConstantError:
        return False


def value_of(node: exp.Expr) -> Value:
    """The value of an expression of literals.

    Raises:
        NotConstantError: it is none, or its value depends on more than its text.
    """
    match node:
        case exp.Paren():
            return value_of(node.this)
        case exp.Null():
            return None
        case exp.Boolean():
            return bool(node.this)
        case exp.Literal() | exp.Neg() | exp.Cast():
            return _literal(node)
        case exp.Not():
            operand = _boolean(node.this)
            return None if operand is None else not operand
        case exp.And() | exp.Or():
            return _connected(node)
        case exp.Is(expression=exp.Null()):
            return (value_of(node.this) is None) != bool(node.args.get("negate"))
        case exp.EQ() | exp.NEQ() | exp.LT() | exp.LTE() | exp.GT() | exp.GTE():
            return _compared(node)
        case exp.Add() | exp.Sub() | exp.Mul():
            return _computed(node)
    raise NotConstantError


def _boolean(node: exp.Expr) -> bool | None:
    value = value_of(node)
    if value is None or isinstance(value, bool):
        return value
    raise NotConstantError


def _connected(node: exp.And | exp.Or) -> bool | None:
    """AND and OR of three truth values: one operand that decides is enough, else NULL spreads."""
    deciding = isinstance(node, exp.Or)
    operands = [_boolean(operand) for operand in node.flatten()]
    if deciding in operands:
        return deciding
    return None if None in operands else not deciding


def _compared(node: exp.Binary) -> bool | None:
    left, right = value_of(node.this), value_of(node.expression)
    if left is None or right is None:
        return None
    # A text beside a number is read as a number, and the order of texts is the collation's.
    if type(left) is not type(right):
        raise NotConstantError
    if isinstance(node, (exp.EQ, exp.NEQ)):
        return (left == right) == isinstance(node, exp.EQ)
    if isinstance(left, Decimal) and isinstance(right, Decimal):
        return _BY_ORDER[type(node)](left, right)
    raise NotConstantError


def _computed(node: exp.Binary) -> Decimal | None:
    left, right = value_of(node.this), value_of(node.expression)
    if left is None or right is None:
        return None
    for value in (left, right):
        if not isinstance(value, Decimal) or value != value.to_integral_value() or abs(value) >= _SMALL:
            raise NotConstantError
    return _BY_NUMBERS[type(node)](Decimal(left), Decimal(right))


def _literal(node: exp.Expr) -> Value:
    if isinstance(node, exp.Neg):
        value = value_of(node.this)
        if isinstance(value, Decimal):
            return value.copy_negate()  # A minus would round to 28 digits.
    elif isinstance(node, exp.Cast):
        return _cast(node)
    elif node.args.get("is_string"):
        return str(node.this)
    elif _NUMBER.fullmatch(node.name):
        return Decimal(node.name)
    raise NotConstantError


def _cast(node: exp.Cast) -> Value:
    """A typed literal, which parameters are too."""
    value, type_ = value_of(node.this), node.args["to"]
    if value is None:
        return None
    if type_.this is exp.DType.BOOLEAN and isinstance(value, (str, bool)):
        known = value if isinstance(value, bool) else _BOOLEANS.get(value)
        if known is not None:
            return known
    limit = _WHOLE.get(type_.this)
    if limit is not None:
        if isinstance(value, str) and re.fullmatch(r"-?[0-9]{1,18}", value):
            value = Decimal(value)
        if isinstance(value, Decimal) and value == value.to_integral_value() and abs(value) < limit:
            return value
    raise NotConstantError
