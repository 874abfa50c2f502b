"""What a tree tells of columns: which table's column one is, through the subqueries between, and of which type."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from sqlglot import exp

from proxy.sql.names import folded
from proxy.sql.nodes import copied
from proxy.sql.plain_postgres import render
from proxy.sql.trees.scopes import Scopes
from proxy.sql.trees.walking import (
    alias_of,
    body_of,
    column_aliases,
    is_star,
    items_of,
    output_name,
    own_nodes,
    unaliased,
)

_EXACT_TOGETHER: Final = (
    frozenset({"smallint", "integer", "bigint", "numeric"}),
    frozenset({"real", "double precision"}),
    frozenset({"text", "character varying", "bpchar"}),
)
"""Types whose values stay apart where `=` compares one of them with another."""


def resolved(node: exp.Expr, place: Callable[[exp.Column], tuple[str, str] | None]) -> str | None:
    """The text of an expression with other names for its columns; None if one has none, and for a subquery.

    Args:
        node: the expression.
        place: the two names of a column.
    """
    bare = node.unnest()
    if isinstance(bare, exp.Query):
        return None
    copy = exp.Paren(this=copied(bare))
    columns = [[found for found in own_nodes(tree) if isinstance(found, exp.Column)] for tree in (bare, copy)]
    for column, twin in zip(*columns, strict=True):
        names = place(column)
        if names is None:
            return None
        first, second = (exp.to_identifier(name, quoted=True) for name in names)
        twin.replace(exp.Column(this=second, table=first))
    return render(copy, copy=False)


def stored_type(column: exp.Expr, select: exp.Expr, scopes: Scopes) -> str | None:
    """The type of a reference to a column of `select` that is a table's column as it is stored; None for all else."""
    bare = column.unnest()
    if not isinstance(bare, exp.Column):
        return None
    owner = scopes.owner(bare, select)
    return type_of_column(owner, folded(bare.this), scopes) if owner is not None else None


def type_of_column(item: exp.Expr, name: str, scopes: Scopes) -> str | None:
    """As `stored_type`, for a column of a FROM item."""
    named = scopes.table(item)
    if named is not None:
        column = named.catalog.columns.get(name)
        return column.type_name if column is not None else None
    output = outputs_of(item, scopes).get(name)
    return stored_type(output, body_of(item), scopes) if output is not None else None


def stay_apart(first: str | None, second: str | None) -> bool:
    """Are values of one type that equal the same value of another one equal themselves? Two bigints may equal one
    double precision."""
    if first is None or second is None:
        return False
    return first == second or any({first, second} <= family for family in _EXACT_TOGETHER)


def outputs_of(item: exp.Expr, scopes: Scopes) -> dict[str, exp.Expr]:
    """What the columns of a subquery in FROM are computed from, by name; empty where the tree does not tell."""
    body = body_of(item) if isinstance(item, exp.Subquery) else None
    if not isinstance(body, exp.Select):
        return {}
    found: list[exp.Expr] = []
    shown: set[str | None] = set()
    for output in body.expressions:
        if not is_star(output):
            found.append(unaliased(output))
            shown.add(output_name(output))
            continue
        if column_aliases(item):
            return {}
        wanted = folded(output.args["table"]) if isinstance(output, exp.Column) else None
        for holder in items_of(body):
            alias = alias_of(holder.this)
            if alias is not None and wanted in (None, alias):
                new = [name for name in scopes.columns(holder.this) if name not in shown]
                found += [qualified(name, alias) for name in new]
                shown |= set(new)
    names = list(scopes.columns(item))
    return dict(zip(names, found, strict=True)) if len(names) == len(found) else {}


def qualified(name: str, table: str) -> exp.Column:
    """A column of a FROM item, by the names of both."""
    return exp.Column(this=exp.to_identifier(name, quoted=True), table=exp.to_identifier(table, quoted=True))
