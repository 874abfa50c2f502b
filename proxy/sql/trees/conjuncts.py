"""What a condition implies for every row that meets it."""

from __future__ import annotations

from collections.abc import Callable

from sqlglot import exp

from proxy.sql.terms.operations import is_strict


def conjuncts(node: exp.Expr) -> list[exp.Expr]:
    """The operands of a conjunction, and what all branches of a disjunction among them have in common; the node itself
    if it is no conjunction."""
    bare = node.unnest()
    if isinstance(bare, exp.And):
        return [conjunct for operand in bare.flatten() for conjunct in conjuncts(operand)]
    if isinstance(bare, exp.Or):
        first, *others = [conjuncts(branch) for branch in bare.flatten()]
        return [bare, *(conjunct for conjunct in first if all(conjunct in branch for branch in others))]
    return [bare]


def is_conjunct(node: exp.Expr) -> bool:
    """Must a row meet it, or its negation, to pass WHERE? NOT (a AND b) is an OR, in which it need not."""
    while isinstance(node.parent, (exp.Not, exp.Paren)):
        node = node.parent
    while isinstance(node.parent, (exp.And, exp.Paren)):
        node = node.parent
    return isinstance(node.parent, exp.Where) and not isinstance(node.parent.parent, exp.Filter)


def is_null_without(node: exp.Expr, needed: Callable[[exp.Column], bool]) -> bool:
    """Is the expression NULL in every row in which all `needed` columns are NULL?"""
    if isinstance(node, exp.Column):
        return needed(node)
    # Compared with ALL of nothing even NULL is true.
    operands = list(node.iter_expressions()) if is_strict(node) else []
    return not any(map(is_quantified, operands)) and any(is_null_without(operand, needed) for operand in operands)


def fails_without(condition: exp.Expr, needed: Callable[[exp.Column], bool]) -> bool:
    """Is the condition not true in any row in which all `needed` columns are NULL?"""
    if isinstance(condition, exp.Paren):
        return fails_without(condition.this, needed)
    if isinstance(condition, exp.And):
        return any(fails_without(side, needed) for side in (condition.this, condition.expression))
    if isinstance(condition, exp.Or):
        return all(fails_without(side, needed) for side in (condition.this, condition.expression))
    if isinstance(condition, exp.Between):
        return any(is_null_without(condition.args[name], needed) for name in ("this", "low", "high"))
    if isinstance(condition, exp.In):
        return is_null_without(condition.this, needed)
    return is_null_without(condition, needed)


def is_quantified(node: exp.Expr) -> bool:
    """Is it ANY, SOME or ALL of something?"""
    named = isinstance(node, exp.Anonymous) and node.name.upper() in ("ALL", "ANY", "SOME")
    return named or isinstance(node, (exp.Any, exp.All))
