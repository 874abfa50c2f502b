"""The table of everything that may be computed of rows, and of what the stage computes of constants."""

from __future__ import annotations

from collections.abc import Iterable

from sqlglot import exp

from proxy.sql.nodes import walk
from proxy.sql.terms import (
    array_columns,
    casts,
    comparisons,
    conditionals,
    datetimes,
    documents,
    formats,
    intervals,
    literals,
    mathematics,
    operators,
    patterns,
    texts,
    whole_numbers,
)
from proxy.sql.terms.operation import Nodes, Operation, StageFunction

Key = type[exp.Expr] | str
"""A node's class, or the name of the function that it calls."""

Row = Operation | StageFunction


def joined(rows: Iterable[Row]) -> dict[Key, Row]:
    """The table's rows by each of their keys.

    Raises:
        ValueError: two rows have the same key.
    """
    table: dict[Key, Row] = {}
    for row in rows:
        for key in _keys(row.nodes):
            if key in table:
                raise ValueError(f"{key} is listed twice")
            table[key] = row
    return table


def _keys(nodes: Nodes) -> Iterable[Key]:
    if isinstance(nodes, str):
        return nodes.split()
    return nodes if isinstance(nodes, tuple) else (nodes,)


TABLE = joined(
    row
    for module in (
        literals, operators, comparisons, conditionals, mathematics, whole_numbers, texts, patterns, datetimes, formats,
        intervals, documents, array_columns, casts,
    )
    for row in module.OPERATIONS
)  # fmt: skip


def key_of(node: exp.Expr) -> Key:
    """The key under which a node is listed."""
    return node.name.lower() if node.__class__ is exp.Anonymous else node.__class__


def operation_of(node: exp.Expr) -> Operation | None:
    """The row of a node that may be computed of rows."""
    row = TABLE.get(key_of(node))
    return row if isinstance(row, Operation) else None


def is_strict(node: exp.Expr) -> bool:
    """Is it NULL wherever one of its operands is?"""
    row = operation_of(node)
    return row is not None and row.strict


def is_folded(node: exp.Expr) -> bool:
    """Does the stage compute it where its operands are constant?"""
    row = TABLE.get(key_of(node))
    return isinstance(row, StageFunction) or (row is not None and row.folded)


_TRIED = {key: row.tried for key, row in TABLE.items() if isinstance(row, Operation) and row.tried is not None}


def may_be_tried(tree: exp.Expr) -> bool:
    """Are there nodes in a tree that may have a pattern or a time zone?"""
    # As `key_of`, which would take as long again to call for each node.
    return not _TRIED.keys().isdisjoint(
        [node.name.lower() if node.__class__ is exp.Anonymous else node.__class__ for node in walk(tree)]
    )


def trial_of(node: exp.Expr) -> exp.Expr | None:
    """What the stage computes of a node's pattern or time zone before anything is charged; None if nothing."""
    tried = _TRIED.get(key_of(node))
    return tried(node) if tried is not None else None
