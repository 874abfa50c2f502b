"""What an expression is where certain columns are NULL, as they are in a row that an outer join keeps without another.

Each expression is one of a few known values there, or any other. So CASE and coalesce lead somewhere: of
`CASE WHEN v.minutes > 60 THEN 1 ELSE 0 END` nothing but 0 is left, and NULL of `CASE WHEN v.urgent THEN v.cost END`.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Sequence
from enum import Enum, auto
from functools import partial
from typing import Final

from sqlglot import exp

from proxy.sql.terms.operations import is_strict

Needed = Callable[[exp.Column], bool]
"""Is it one of the columns that are NULL?"""


class Sort(Enum):
    """Values that are no number."""

    NULL = auto()
    TRUE = auto()
    FALSE = auto()
    OTHER = auto()
    """Whatever is not NULL."""


Value = Sort | int
Values = frozenset[Value]

_NULL: Final[Values] = frozenset({Sort.NULL})
_TRUE: Final[Values] = frozenset({Sort.TRUE})
_FALSE: Final[Values] = frozenset({Sort.FALSE})
_TRUTH: Final[Values] = _NULL | _TRUE | _FALSE
_ANY: Final[Values] = frozenset({Sort.NULL, Sort.OTHER})
_ZERO: Final = 0
_MOST_VALUES: Final = 16
"""More are not told apart: products of them would take long."""
_NUMBER: Final = re.compile(r"([0-9]{1,4})(\.0{1,9})?", re.ASCII)
_MOST: Final = 10**6
"""Whole numbers up to here are the same in every type. As a real, 0.1 is another number than as a numeric."""
_COMPARED: Final[dict[type[exp.Expr], Callable[[int, int], bool]]] = {
    exp.EQ: operator.eq,
    exp.NEQ: operator.ne,
    exp.LT: operator.lt,
    exp.LTE: operator.le,
    exp.GT: operator.gt,
    exp.GTE: operator.ge,
}


def is_null_without(node: exp.Expr, needed: Needed) -> bool:
    """Is the expression NULL in every row in which all `needed` columns are NULL?"""
    return values_without(node, needed) == _NULL


def fails_without(condition: exp.Expr, needed: Needed) -> bool:
    """Is the condition not true in any row in which all `needed` columns are NULL?"""
    return values_without(condition, needed) <= _NULL | _FALSE


def adds_nothing_without(node: exp.Expr, needed: Needed) -> bool:
    """Is the number NULL or 0 in every row in which all `needed` columns are NULL?"""
    return values_without(node, needed) <= _NULL | {_ZERO}


def is_quantified(node: exp.Expr) -> bool:
    """Is it ANY, SOME or ALL of something?"""
    named = isinstance(node, exp.Anonymous) and node.name.upper() in ("ALL", "ANY", "SOME")
    return named or isinstance(node, (exp.Any, exp.All))


def values_without(node: exp.Expr, needed: Needed) -> Values:
    """What the expression can be in rows in which all `needed` columns are NULL."""
    if isinstance(node, exp.Column):
        return _NULL if needed(node) else _ANY
    of = partial(values_without, needed=needed)
    name = node.name.lower() if isinstance(node, exp.Anonymous) else ""
    found = _CALLS.get(name) or _NODES.get(type(node))
    if found is not None:
        values = found(node, of)
        return values if len(values) <= _MOST_VALUES else _ANY
    # Compared with ALL of nothing even NULL is true.
    operands = list(node.iter_expressions()) if is_strict(node) else []
    if not any(map(is_quantified, operands)) and any(of(operand) == _NULL for operand in operands):
        return _NULL
    return _ANY


_Of = Callable[[exp.Expr], Values]
"""The values of an operand."""


def _inner(node: exp.Expr, of: _Of) -> Values:
    return of(node.this)


def _literal(node: exp.Expr, _: _Of) -> Values:
    number = _NUMBER.fullmatch(node.name) if not node.args.get("is_string") else None
    return frozenset({int(number[1]) if number is not None else Sort.OTHER})


def _boolean(node: exp.Expr, _: _Of) -> Values:
    return _TRUE if node.this else _FALSE


def _negative(node: exp.Expr, of: _Of) -> Values:
    return frozenset(-value if isinstance(value, int) else value for value in of(node.this))


def _product(node: exp.Expr, of: _Of) -> Values:
    left, right = of(node.this), of(node.expression)
    if _NULL in (left, right):
        return _NULL
    factors = [(first, second) for first in left for second in right]
    return frozenset().union(*(_times(first, second) for first, second in factors))


def _times(first: Value, second: Value) -> Values:
    if Sort.NULL in (first, second):
        return _NULL
    # 0 times infinity is no number.
    if not isinstance(first, int) or not isinstance(second, int) or abs(first * second) > _MOST:
        return _ANY
    return frozenset({first * second})


def _cast(node: exp.Expr, of: _Of) -> Values:
    """A cast keeps NULL, zero and, as numbers, false. What it cannot cast is NULL."""
    to = node.args["to"].this if isinstance(node.args.get("to"), exp.DataType) else None
    kept: dict[Value, Values] = {Sort.NULL: _NULL}
    if to == exp.DType.BOOLEAN:
        kept |= {Sort.TRUE: _TRUE, Sort.FALSE: _FALSE}
    elif to in exp.DataType.NUMERIC_TYPES:
        kept |= {_ZERO: frozenset({_ZERO}), Sort.FALSE: frozenset({_ZERO})}
    return frozenset().union(*(kept.get(value, _ANY) for value in of(node.this)))


def _not(node: exp.Expr, of: _Of) -> Values:
    opposite: dict[Value, Value] = {Sort.TRUE: Sort.FALSE, Sort.FALSE: Sort.TRUE}
    return frozenset(opposite.get(value, value) for value in _truth(of(node.this)))


def _truth(values: Values) -> Values:
    """The values of a condition: one that is not known is true, false or NULL."""
    return values if values <= _TRUTH else (values & _TRUTH) | _TRUE | _FALSE


def _and(node: exp.Expr, of: _Of) -> Values:
    return _connected([_truth(of(operand)) for operand in node.flatten()], Sort.FALSE, Sort.TRUE)


def _or(node: exp.Expr, of: _Of) -> Values:
    return _connected([_truth(of(operand)) for operand in node.flatten()], Sort.TRUE, Sort.FALSE)


def _connected(operands: Sequence[Values], decides: Sort, neutral: Sort) -> Values:
    """AND, which a false operand decides, or OR, which a true one does; NULL comes before what is neutral."""

    def both(left: Value, right: Value) -> Value:
        for value in (decides, Sort.NULL):
            if value in (left, right):
                return value
        return neutral

    found, *others = operands
    for more in others:
        found = frozenset(both(left, right) for left in found for right in more)
    return found


def _is(node: exp.Expr, of: _Of) -> Values:
    target, negated = node.expression, bool(node.args.get("negate"))
    if isinstance(target, exp.Not):
        negated, target = not negated, target.this
    if not isinstance(target, (exp.Null, exp.Boolean)):
        return _TRUE | _FALSE
    wanted = of(target)
    values = of(node.this) if isinstance(target, exp.Null) else _truth(of(node.this))
    met = ({Sort.TRUE} if values & wanted else set()) | ({Sort.FALSE} if values - wanted else set())
    found: Values = frozenset(met)
    return frozenset({Sort.TRUE, Sort.FALSE} - found) if negated and len(found) == 1 else found


def _between(node: exp.Expr, of: _Of) -> Values:
    if of(node.this) == _NULL:
        return _NULL
    # The other end may be exceeded.
    return _NULL | _FALSE if _NULL in (of(node.args["low"]), of(node.args["high"])) else _TRUTH


def _in(node: exp.Expr, of: _Of) -> Values:
    if of(node.this) != _NULL:
        return _TRUTH
    # In an empty list there is nothing, not even NULL.
    return _NULL if node.expressions else _NULL | _FALSE


def _compared(node: exp.Expr, of: _Of) -> Values:
    if is_quantified(node.this) or is_quantified(node.expression):
        return _TRUTH
    return _comparison(of(node.this), of(node.expression), _COMPARED[type(node)])


def _comparison(left: Values, right: Values, holds: Callable[[int, int], bool]) -> Values:
    if _NULL in (left, right):
        return _NULL
    found: set[Value] = set()
    for first in left:
        for second in right:
            if Sort.NULL in (first, second):
                found.add(Sort.NULL)
            elif isinstance(first, int) and isinstance(second, int):
                found.add(Sort.TRUE if holds(first, second) else Sort.FALSE)
            else:
                found |= {Sort.TRUE, Sort.FALSE}
    return frozenset(found)


def _case(node: exp.Expr, of: _Of) -> Values:
    """The results of the branches that are reached."""
    subject = of(node.this) if node.args.get("this") is not None else None
    found: Values = frozenset()
    for branch in node.args["ifs"]:
        test = of(branch.this)
        met = _truth(test) if subject is None else _comparison(subject, test, _COMPARED[exp.EQ])
        if Sort.TRUE in met:
            found |= of(branch.args["true"])
        if met == _TRUE:
            return found
    default = node.args.get("default")
    return found | (of(default) if default is not None else _NULL)


def _coalesce(node: exp.Expr, of: _Of) -> Values:
    found: Values = frozenset()
    for operand in node.expressions:
        values = of(operand)
        found |= values - _NULL
        if Sort.NULL not in values:
            return found
    return found | _NULL


def _nullif(node: exp.Expr, of: _Of) -> Values:
    return of(node.expressions[0]) | _NULL


def _extreme(node: exp.Expr, of: _Of) -> Values:
    """greatest and least ignore NULL."""
    operands = [values for operand in node.expressions if (values := of(operand)) != _NULL]
    if not operands:
        return _NULL
    numbers = [value for values in operands if len(values) == 1 for value in values if isinstance(value, int)]
    if len(numbers) == len(operands):
        return frozenset({max(numbers) if node.name.lower() == "greatest" else min(numbers)})
    missing = _NULL if all(Sort.NULL in values for values in operands) else frozenset[Value]()
    return frozenset().union(*operands) - _NULL | missing


_CALLS: Final[dict[str, Callable[[exp.Expr, _Of], Values]]] = {
    "coalesce": _coalesce,
    "nullif": _nullif,
    "greatest": _extreme,
    "least": _extreme,
}
_NODES: Final[dict[type[exp.Expr], Callable[[exp.Expr, _Of], Values]]] = {
    exp.Paren: _inner,
    exp.Null: lambda _, __: _NULL,
    exp.Boolean: _boolean,
    exp.Literal: _literal,
    exp.Neg: _negative,
    exp.Mul: _product,
    exp.Cast: _cast,
    exp.Not: _not,
    exp.And: _and,
    exp.Or: _or,
    exp.Is: _is,
    exp.Between: _between,
    exp.In: _in,
    exp.Case: _case,
    **dict.fromkeys(_COMPARED, _compared),
}
