"""Columns in which no two rows of a FROM item are equal: unique keys of public tables, and keys of GROUP BY."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sqlglot import exp

from proxy.sql.names import folded
from proxy.sql.terms.operations import operation_of
from proxy.sql.trees.aggregate_calls import is_aggregate, is_aggregate_call
from proxy.sql.trees.column_types import outputs_of, resolved
from proxy.sql.trees.key_expressions import key_expressions
from proxy.sql.trees.scopes import Scopes
from proxy.sql.trees.walking import alias_of, body_of, items_of, own_nodes

Place = tuple[str, str]
"""The name of a FROM item, and that of its column."""

_LISTS = (exp.Rollup, exp.Cube, exp.GroupingSets, exp.Tuple)


@dataclass(frozen=True)
class UniqueColumns:
    """Columns in which no two rows are equal.

    Attributes:
        names: theirs; empty for an item of one row at most.
        has_null: can a row have NULL in one of them?
        repeats_null: can several rows, as NULL is unique in a key of a table?
    """

    names: frozenset[str]
    has_null: bool = False
    repeats_null: bool = False


def unique_columns(item: exp.Expr, scopes: Scopes) -> Iterator[UniqueColumns]:
    """Those of a public table, a plain subquery over one, or a query whose rows are groups.

    Args:
        item: of a FROM clause.
        scopes: of its tree.
    """
    named = scopes.table(item)
    if named is not None:
        for key in () if named.private else named.unique_keys:
            nullable = any(map(named.nullable, key))
            yield UniqueColumns(key, nullable, nullable)
        return
    body = body_of(item) if isinstance(item, exp.Subquery) else None
    if not isinstance(body, exp.Select) or _makes_rows(body):
        return
    if scopes.is_plain_public(body):
        yield from _of_selection(item, body, scopes)
    elif body.args.get("group") is not None:
        yield from _of_groups(item, body, scopes)
    elif any(is_aggregate(node) for output in body.expressions for node in own_nodes(output)):
        yield UniqueColumns(frozenset())


def is_plainly_grouped(select: exp.Select) -> bool:
    """Has it a GROUP BY of single expressions, and of nothing like ROLLUP?"""
    group = select.args.get("group")
    return group is not None and not any(isinstance(item.unnest(), _LISTS) for item in group.expressions)


def _makes_rows(body: exp.Select) -> bool:
    """Might a function among the outputs make several rows of one, as unnest() does?"""
    nodes = [node for output in body.expressions for node in own_nodes(output)]
    calls = [node for node in nodes if isinstance(node, exp.Anonymous)]
    return any(not is_aggregate_call(node) and operation_of(node) is None for node in calls)


def _of_selection(item: exp.Expr, body: exp.Select, scopes: Scopes) -> Iterator[UniqueColumns]:
    """Those of the only public item that a subquery selects from, under the names of its outputs."""
    items = items_of(body)
    if len(items) != 1:
        return
    shown = {
        folded(output.unnest().this): name
        for name, output in outputs_of(item, scopes).items()
        if isinstance(output.unnest(), exp.Column)
    }
    for found in unique_columns(items[0].this, scopes):
        if found.names <= shown.keys():
            names = frozenset(shown[name] for name in found.names)
            yield UniqueColumns(names, found.has_null, found.repeats_null)


def _of_groups(item: exp.Expr, body: exp.Select, scopes: Scopes) -> Iterator[UniqueColumns]:
    """The keys of GROUP BY, where all of them are outputs."""
    if not is_plainly_grouped(body):
        return

    def text(node: exp.Expr) -> str | None:
        return resolved(node, lambda column: place_of(column, body, scopes))

    shown = {text(output): name for name, output in outputs_of(item, scopes).items()} | {None: None}
    names = [shown.get(text(key)) for key in key_expressions(body, scopes)]
    if None not in names:
        yield UniqueColumns(frozenset(name for name in names if name), has_null=True)


def place_of(column: exp.Column, select: exp.Expr, scopes: Scopes) -> Place | None:
    """What a column reference of `select` means; None if that is no column of a FROM item with a name."""
    owner = scopes.owner(column, select) if isinstance(column.this, exp.Identifier) else None
    alias = alias_of(owner) if owner is not None else None
    return (alias, folded(column.this)) if alias is not None else None
