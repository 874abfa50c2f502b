"""A tree of sqlglot as a text that can be read in one way only."""

from __future__ import annotations

from sqlglot import exp

from proxy.sql.names import folded
from proxy.sql.plain_postgres import Plus, render

_OPERATIONS = (
    exp.Binary, exp.Not, exp.Neg, Plus, exp.BitwiseNot, exp.Sqrt, exp.Cbrt, exp.Between, exp.In, exp.Cast,
    exp.AtTimeZone, exp.Interval,
)  # fmt: skip
_PUNCTUATION = (exp.Dot, exp.Kwarg, exp.PropertyEQ, exp.Slice, exp.Corr)
_CHAINS = (exp.And, exp.Or, exp.Add, exp.Mul, exp.DPipe)
"""What every grammar reads from the left, so that long chains need no parentheses."""


def explicit(tree: exp.Expr) -> str:
    """The text of a tree with each operand in parentheses and each name in quotes, as the planner sees it: folded."""
    copy = tree.copy()
    for node in list(copy.walk()):
        if isinstance(node, exp.Identifier):
            node.set("this", folded(node))
            node.set("quoted", True)
        elif isinstance(node, exp.Anonymous):
            # Calls are compiled by their names in lower case.
            node.set("this", node.name.lower())
    for node in reversed(list(copy.walk(bfs=False))):
        if _needs_parentheses(node):
            node.replace(exp.Paren(this=node.copy()))
    return render(copy)


def _needs_parentheses(node: exp.Expr) -> bool:
    parent = node.parent
    if not isinstance(node, _OPERATIONS) or isinstance(node, _PUNCTUATION):
        return False
    if isinstance(parent, (exp.Bracket, exp.Dot)):
        return node.arg_key == "this"
    if not isinstance(parent, _OPERATIONS) or isinstance(parent, (exp.Escape, *_PUNCTUATION)):
        return False
    return not (isinstance(node, _CHAINS) and type(node) is type(parent) and node.arg_key == "this")
