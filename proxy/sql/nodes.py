"""Searching, comparing and copying parsed trees. Nodes are found breadth first, in the order of sqlglot's own methods.

Those are generators within generators, and every step of planning searches. These make a list at once, in less than
half of the time. So a tree may be changed while what was found is gone through, which has nothing of what is new.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final, TypeVar

from sqlglot import exp
from sqlglot.expressions.core import Expr

Node = TypeVar("Node", bound=exp.Expr)

Shape = tuple[object, ...]

Nodes = Sequence[exp.Expr]
"""All nodes of a tree, as `walk` gives them: its root first."""

LEAVES: Final = frozenset({exp.Identifier, exp.Literal})
"""Nodes that only hold a text; half of a tree are these."""


def walk(tree: exp.Expr) -> list[exp.Expr]:
    """A tree and all nodes in it."""
    found = [tree]
    for node in found:
        if node.__class__ in LEAVES:
            continue
        for value in node.args.values():
            # Most are None, and the fewest a list.
            if value is None or value is False:
                continue
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


def shape(tree: exp.Expr, most: int) -> Shape | None:
    """What a tree is made of, to find another one by it: trees of equal shapes are `identical`.

    Args:
        tree: the tree.
        most: nodes, about; None for a tree with more, of whose parts all shapes together would grow with its square.
    """
    return _shape(tree, most, None, ())


def noted_shape(tree: exp.Expr, unnoted: Collection[str], left_out: Collection[int] = ()) -> Shape:
    """As `shape`, of a tree of any size with what is noted on its nodes.

    Args:
        tree: the tree.
        unnoted: names of notes that do not count.
        left_out: the ids of nodes that do not count, none of them in a list.
    """
    found = _shape(tree, None, unnoted, left_out)
    assert found is not None
    return found


def _shape(
    tree: exp.Expr, most: int | None, unnoted: Collection[str] | None, left_out: Collection[int]
) -> Shape | None:
    """As `shape` and `noted_shape`; without notes where `unnoted` is None."""
    found: list[object] = [tree.__class__]
    todo = [tree]
    for node in todo:
        if most is not None and len(todo) > most:
            return None
        if node._meta and unnoted is not None:
            found += [("noted", name, value) for name, value in node._meta.items() if name not in unnoted]
        for name, value in node.args.items():
            if value is None or id(value) in left_out:
                continue
            found.append(name)
            if isinstance(value, list):
                found.append(len(value))
            for item in value if isinstance(value, list) else (value,):
                if isinstance(item, Expr):
                    todo.append(item)
                    found.append(item.__class__)
                else:
                    # With its class, since True is equal to 1, and no other number is bare.
                    found.append(item if item.__class__ is str else (item.__class__, item))
        found.append(None)
    return tuple(found)


def identical(left: exp.Expr, right: exp.Expr, added: Collection[tuple[type[exp.Expr], str]] = ()) -> bool:
    """Are two trees the same, node by node and text by text? sqlglot's own == takes `Zone` and `zone` for equal.

    What is noted on their nodes does not count.

    Args:
        left: one tree.
        right: the other one.
        added: kinds of nodes and their arguments that only the left one may have.
    """
    todo: list[tuple[object, object]] = [(left, right)]
    for ours, theirs in todo:
        if ours.__class__ is not theirs.__class__:
            return False
        if isinstance(ours, Expr) and isinstance(theirs, Expr):
            if ours.__class__ in LEAVES and ours.args == theirs.args:
                continue
            for name, mine in ours.args.items():
                other = theirs.args.get(name)
                # Most are texts, True or None, and one object.
                if mine is not other and (other is not None or (ours.__class__, name) not in added):
                    todo.append((mine, other))
            if ours.args.keys() != theirs.args.keys() and any(
                other is not None and ours.args.get(name) is None for name, other in theirs.args.items()
            ):
                return False
        elif isinstance(ours, list) and isinstance(theirs, list):
            if len(ours) != len(theirs):
                return False
            todo += zip(ours, theirs, strict=True)
        elif ours != theirs:
            return False
    return True


def copied(tree: Node) -> Node:
    """A copy of a tree with its marks, in half of the time of its own `copy`, which copies each mark deeply."""
    root = _alone(tree)
    todo: list[exp.Expr] = [root]
    for node in todo:
        if node.__class__ in LEAVES:
            continue
        args = node.args
        for key, value in args.items():
            # Most are None, and the fewest a list.
            if value is None or value is False:
                continue
            if isinstance(value, Expr):
                args[key] = child = _alone(value)
                # As `set` does it; that also looks for hashes, which a new tree has none of.
                child.parent, child.arg_key = node, key
                todo.append(child)
            elif isinstance(value, list):
                args[key] = children = [_alone(item) if isinstance(item, Expr) else item for item in value]
                for index, child in enumerate(children):
                    if isinstance(child, Expr):
                        child.parent, child.arg_key, child.index = node, key, index
                        todo.append(child)
    return root


def _alone(node: Node) -> Node:
    """A copy of a node, with the node's own children in it. The constructor would look for them, to become their
    parent, and the property `meta` would give every node a dictionary."""
    new = node.__class__.__new__(node.__class__)
    new.args = node.args.copy()
    new.parent = new.arg_key = new.index = new.comments = new._hash = None
    new._meta = dict(node._meta) if node._meta else None
    new._type = node._type
    return new
