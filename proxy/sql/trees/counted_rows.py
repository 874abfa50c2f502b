"""Rewrites count(v.*), as count(v.id) with a column of the table that is NOT NULL.

It counts the rows in which an outer join has found a row of the table, which is NULL as a whole where it has not.
"""

from __future__ import annotations

from sqlglot import exp

from proxy.sql.names import folded
from proxy.sql.nodes import find_all
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
        star = call.expressions[0] if call.name.lower() == "count" and len(call.expressions) == 1 else None
        select = call.find_ancestor(exp.Select)
        if not isinstance(star, exp.Column) or not is_star(star) or not isinstance(select, exp.Select):
            continue
        if scopes.has_rows(select):
            star.this.replace(exp.to_identifier(_present_column(star, select, schema, search_path), quoted=True))
    return query


def _present_column(star: exp.Column, select: exp.Select, schema: Schema, search_path: tuple[str, ...]) -> str:
    wanted = folded(star.args["table"])
    items = [holder.this for holder in items_of(select) if alias_of(holder.this) == wanted]
    named = schema.find(items[0], search_path) if len(items) == 1 and isinstance(items[0], exp.Table) else None
    if named is not None:
        for column in named.visible_columns():
            if not named.nullable(column):
                return column
    raise unsupported(
        star,
        f"count({wanted}.*) is not supported here",
        rule="counted-rows",
        detail="No column of it is known to be NOT NULL.",
        hint="Write count(column), with a column that is NULL only where the join finds nothing.",
    )
