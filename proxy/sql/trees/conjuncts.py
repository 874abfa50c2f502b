"""What a condition implies for every row that meets it."""

from __future__ import annotations

from sqlglot import exp


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
