"""Does a parsed tree nest its operators as Postgres's grammar nests them? (ATTACKS 23)

sqlglot climbs through a ladder of its own: it reads `a ~ b || c` as `a ~ (b || c)`, Postgres as `(a ~ b) || c`. A tree
whose every operand binds at least as tightly as its place demands is the one that Postgres builds from the same text.
"""

from __future__ import annotations

from sqlglot import exp

_OTHER, _ATOM = 8, 99
_LEVELS: dict[type[exp.Expr], int] = {
    exp.Or: 1,
    exp.And: 2,
    exp.Not: 3,
    exp.Is: 4,
    exp.NullSafeEQ: 4,
    exp.NullSafeNEQ: 4,
    **dict.fromkeys((exp.EQ, exp.NEQ, exp.LT, exp.LTE, exp.GT, exp.GTE), 5),
    **dict.fromkeys((exp.Like, exp.ILike, exp.SimilarTo, exp.Escape, exp.Between, exp.In), 6),
    **dict.fromkeys((exp.BitwiseNot, exp.Sqrt, exp.Cbrt, exp.StartsWith), _OTHER),
    exp.Add: 9,
    exp.Sub: 9,
    exp.Mul: 10,
    exp.Div: 10,
    exp.Mod: 10,
    exp.Pow: 11,
    exp.AtTimeZone: 12,
    exp.Collate: 13,
    exp.Neg: 14,
}
"""Postgres's operators from loose to tight; every other binary operator stands on one level, `_OTHER`."""

_PUNCTUATION = (exp.Dot, exp.Slice, exp.Kwarg, exp.PropertyEQ)
_QUANTIFIED = (exp.Any, exp.All)
_OPERANDS = ("this", "expression", "low", "high", "zone")
_OPEN_OPERANDS: dict[type[exp.Expr], tuple[str, ...]] = {exp.In: ("this",), exp.Is: ("this",)}
_NOT_ASSOCIATIVE = (5, 6)
_COLLATIONS = (exp.Identifier, exp.Column, exp.Dot, exp.Var)
_TESTS = (exp.Null, exp.Boolean, exp.JSON, exp.Var)


def misread(tree: exp.Expr, *, tilde_is_like: bool = False) -> exp.Expr | None:
    """The first operator whose operands Postgres would group in another way; None if there is none.

    Args:
        tree: what sqlglot made of a text.
        tilde_is_like: the text has ~~ or its like. Its node is that of LIKE, its place in the grammar is not.
    """
    for node in tree.walk():
        operands_level = _OTHER if tilde_is_like and isinstance(node, (exp.Like, exp.ILike)) else None
        if not _binds_like_postgres(node, operands_level):
            return node
    return None


def _level(node: exp.Expr) -> int:
    if isinstance(node, exp.Binary) and isinstance(node.expression, _QUANTIFIED):
        return _OTHER
    default = _OTHER if isinstance(node, exp.Binary) and not isinstance(node, _PUNCTUATION) else _ATOM
    return _LEVELS.get(type(node), default)


def _binds_like_postgres(node: exp.Expr, operands_level: int | None) -> bool:
    if isinstance(node, (exp.Bracket, exp.Dot)):
        # In a::int[3] the brackets belong to the type.
        return _level(node.this) == _ATOM and not isinstance(node.this, (exp.Cast, exp.Case))
    if isinstance(node, exp.Cast):
        return not (node.to.this == exp.DType.INTERVAL and node.to.expressions)
    if isinstance(node, _QUANTIFIED):
        return isinstance(node.parent, exp.Binary) and node.arg_key == "expression" and _level(node.parent) == _OTHER
    level = operands_level or _LEVELS.get(type(node), _level(node))
    if level == _ATOM:
        return True
    operands = [node.args.get(name) for name in _OPEN_OPERANDS.get(type(node), _OPERANDS)]
    present = [operand for operand in operands if isinstance(operand, exp.Expr)]
    if isinstance(node, exp.Escape):
        return all(_level(operand) > level for operand in present[1:])
    if isinstance(node, exp.Is):
        # What follows IS NULL or IS NOT TRUE is no part of it.
        test = node.expression.this if isinstance(node.expression, exp.Not) else node.expression
        if not isinstance(test, _TESTS):
            return False
    if isinstance(node, exp.Collate) and not isinstance(node.expression, _COLLATIONS):
        return False
    leftmost, *others = present
    least = level + 1 if level in _NOT_ASSOCIATIVE else level
    return _level(leftmost) >= least and all(_level(other) > level for other in others)
