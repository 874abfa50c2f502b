"""Searching parsed trees: the nodes of one, breadth first, in the order of sqlglot's own methods.

Those are generators within generators, and every step of planning searches. These make a list at once, in less than
half of the time. So a tree may be changed while what was found is gone through, which has nothing of what is new.
"""

from __future__ import annotations

from typing import Final, TypeVar

from sqlglot import exp
from sqlglot.expressions.core import Expr

Node = TypeVar("Node", bound=exp.Expr)

LEAVES: Final = frozenset({exp.Identifier, exp.Literal})
"""Nodes that only hold a text; half of a tree are these."""


def walk(tree: exp.Expr) -> list[exp.Expr]:
    """A tree and all nodes in it."""
    found = [tree]
    for node in found:
        if node.__class__ in LEAVES:
            continue
        for value in node.args.values():
            if isinstance(value, Expr):
                found.append(value)
            elif isinstance(value, list):
                found += [item for item in value if isinstance(item, Expr)]
    return found


def find_all(tree: exp.Expr, *kinds: type[Node]) -> list[Node]:
    """The nodes of some kinds."""
    return [node for node in walk(tree) if isinstance(node, kinds)]


def find(tree: exp.Expr, *kinds: type[Node]) -> Node | None:
    """The first node of some kinds; None if there is none."""
    return next((node for node in walk(tree) if isinstance(node, kinds)), None)
