"""Rewrites `schema.table.column` as `table.column`, which all other passes read: some BI tools qualify every column.

Postgres looks for such a name in the innermost query whose FROM has that very table without an alias. Here the schema
is dropped only where the shorter name certainly means the same; elsewhere it stays, and the column is refused when it
is compiled. So this pass cannot make a name mean another table's column, which proofs of ownership would then rest on.
"""

from __future__ import annotations

from sqlglot import exp

from proxy.sql.names import folded
from proxy.sql.nodes import find_all
from proxy.sql.schema import Schema
from proxy.sql.trees.walking import alias_of, items_of


def drop_schemas_of_columns(query: exp.Query, schema: Schema, search_path: tuple[str, ...]) -> exp.Query:
    """Write the policy's columns without their schemas, in place. CTEs must still be where the client wrote them.

    Args:
        query: the query as the client wrote it.
        schema: policy and catalog.
        search_path: schemas for tables without one, in order.
    """
    ctes = {folded(cte.args["alias"].this) for cte in find_all(query, exp.CTE)}
    for column in find_all(query, exp.Column):
        if column.args.get("db") and not column.args.get("catalog") and _is_table(column, schema, search_path, ctes):
            column.set("db", None)
    return query


def _is_table(column: exp.Column, schema: Schema, search_path: tuple[str, ...], ctes: set[str]) -> bool:
    """Does the table's name alone mean the same table, in the innermost query where it means anything?"""
    name = folded(column.args["table"])
    select = column.find_ancestor(exp.Select)
    while select is not None:
        items = [holder.this for holder in items_of(select) if alias_of(holder.this) == name]
        if items:
            wanted = f"{folded(column.args['db'])}.{name}"
            return len(items) == 1 and _name(items[0], schema, search_path, ctes) == wanted
        select = select.find_ancestor(exp.Select)
    return False


def _name(item: exp.Expr, schema: Schema, search_path: tuple[str, ...], ctes: set[str]) -> str | None:
    """The policy's table that a FROM item is, if it has no alias and cannot be a CTE."""
    if not isinstance(item, exp.Table) or item.args.get("alias") is not None:
        return None
    if not item.args.get("db") and alias_of(item) in ctes:
        return None
    named = schema.find(item, search_path)
    return named.name if named is not None else None
