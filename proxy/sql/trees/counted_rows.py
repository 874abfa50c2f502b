"""Rewrites count(v.*) and count(v) of a table v, as count(v.id) with a column of the table that is NOT NULL.

It counts the rows in which an outer join has found a row of the table, which is NULL as a whole where it has not.
"""

from __future__ import annotations

from sqlglot import exp

from proxy.sql.names import folded
from proxy.sql.nodes import find_all
from proxy.sql.plain_postgres import note_written, render
from proxy.sql.refusal import unsupported
from proxy.sql.schema import Schema
from proxy.sql.trees.scopes import Scopes
from proxy.sql.trees.walking import alias_of, is_star, items_of


def write_counted_rows_as_counted_columns(query: exp.Query, schema: Schema, search_path: tuple[str, ...]) -> exp.Query:
    """Write a column of the table in the place of table.*, in place.

    Args:
        query: a tree in which every table of the policy has its schema and every row-level CTE is written out.
        schema: policy and catalog.
        search_path: schemas for unqualified names, in order.

    Raises:
        UnsupportedError: no column of it is known to be NOT NULL.
    """
    scopes = Scopes(schema)
    for call in find_all(query, exp.Anonymous):
        counted = call.expressions[0] if call.name.lower() == "count" and len(call.expressions) == 1 else None
        select = call.find_ancestor(exp.Select)
        if not isinstance(counted, exp.Column) or not isinstance(select, exp.Select) or not scopes.has_rows(select):
            continue
        if is_star(counted) or _is_whole_row(counted, select, scopes):
            written = render(counted)
            wanted = folded(counted.args["table"] if is_star(counted) else counted.this)
            column = _present_column(counted, wanted, select, schema, search_path)
            counted.this.replace(exp.to_identifier(column, quoted=True))
            if not counted.args.get("table"):
                counted.set("table", exp.to_identifier(wanted, quoted=True))
            note_written(counted, written)
    return query


def _is_whole_row(counted: exp.Column, select: exp.Select, scopes: Scopes) -> bool:
    """Is it the name of a FROM item, and of no column? A column comes first."""
    if counted.args.get("table") or not isinstance(counted.this, exp.Identifier):
        return False
    items = [holder.this for holder in items_of(select)]
    named = any(alias_of(item) == folded(counted.this) for item in items)
    return named and all(map(scopes.columns, items)) and scopes.owner(counted, select) is None


def _present_column(
    counted: exp.Column, wanted: str, select: exp.Select, schema: Schema, search_path: tuple[str, ...]
) -> str:
    items = [holder.this for holder in items_of(select) if alias_of(holder.this) == wanted]
    named = schema.find(items[0], search_path) if len(items) == 1 and isinstance(items[0], exp.Table) else None
    if named is not None:
        for column in named.visible_columns():
            if not named.nullable(column):
                return column
    raise unsupported(
        counted,
        f"count({wanted}{'.*' if is_star(counted) else ''}) is not supported here",
        rule="counted-rows",
        detail="No column of it is known to be NOT NULL.",
        hint="Write count(column), with a column that is NULL only where the join finds nothing.",
    )
