"""What of a block's tree decides its plan, as a value by which an equal block is found again.

Dashboards and people ask for the same groups in other words around them: another name of an output, another LIMIT,
another order. A plan is a pure function of the tree, so two blocks of which `made_of` says the same have the same plan;
what `block_made_of` leaves out is what planning never reads. What is in doubt stays: the block is planned once more.
"""

from __future__ import annotations

from typing import Final

from sqlglot import exp

from proxy.sql.names import folded
from proxy.sql.nodes import Nodes, Shape, noted_shape, walk
from proxy.sql.trees.marks import BLOCK

_PLACES: Final = frozenset({"start", BLOCK.name})
"""Notes that say where a node stands in a text, and a block in its statement."""


def made_of(tree: exp.Expr) -> Shape:
    """A tree with all names and all notes but those of places, node by node and text by text."""
    return noted_shape(tree, _PLACES)


def block_made_of(select: exp.Select) -> Shape:
    """A block without what its plan has nothing of: names of outputs that nothing else in it could read, LIMIT and
    OFFSET by numbers, and ORDER BY positions and outputs. Beside set operations, all names in a block matter."""
    nodes = walk(select)
    if any(isinstance(node, exp.SetOperation) for node in nodes):
        return made_of(select)
    clauses = [select.args[name] for name in ("limit", "offset", "order") if _is_apart(select.args.get(name), select)]
    apart = {id(node) for clause in clauses for node in walk(clause)}
    unread = _unread_names(select, [node for node in nodes if id(node) not in apart])
    return noted_shape(select, _PLACES, {*map(id, clauses), *unread})


def _unread_names(select: exp.Select, nodes: Nodes) -> set[int]:
    """The identifiers that name outputs, and of which no other text among the nodes could be a spelling."""
    names = [output.args["alias"] for output in select.expressions if isinstance(output, exp.Alias)]
    names = [name for name in names if isinstance(name, exp.Identifier)]
    if not names:
        return set()
    texts = [value.lower() for node in nodes for value in node.args.values() if value.__class__ is str]
    return {id(name) for name in names if texts.count(name.args["this"].lower()) == 1}


def _is_apart(clause: exp.Expr | None, select: exp.Select) -> bool:
    """Is it a LIMIT or OFFSET by a number, or an ORDER BY of outputs? That is about the groups, not about the rows."""
    match clause:
        case exp.Limit() | exp.Offset():
            return isinstance(clause.expression, exp.Literal)
        case exp.Order():
            named = {name for output in select.expressions if (name := _name(output)) is not None}
            return all(isinstance(item.this, exp.Literal) or _name(item.this) in named for item in clause.expressions)
    return False


def _name(output: exp.Expr) -> str | None:
    """The name that an output has, or a bare column; None for those that PostgreSQL names, and for qualified ones."""
    name = output.args["alias"] if isinstance(output, exp.Alias) else output.this
    is_named = isinstance(output, (exp.Alias, exp.Column)) and isinstance(name, exp.Identifier)
    return folded(name) if is_named and not output.args.get("table") else None
