"""Writes out name.* of a public table beside groups: SELECT r.*, count(*) FROM regions r JOIN … GROUP BY r.name.

Positions in GROUP BY count its columns, and each of them is a group key or follows from one.
"""

from __future__ import annotations

from sqlglot import exp

from proxy.sql.names import folded
from proxy.sql.nodes import find_all
from proxy.sql.schema import Schema
from proxy.sql.trees.column_types import qualified
from proxy.sql.trees.scopes import Scopes
from proxy.sql.trees.walking import alias_of, column_aliases, is_star, items_of


def write_out_stars_beside_groups(query: exp.Query, schema: Schema, _search_path: tuple[str, ...]) -> exp.Query:
    """Write them out in place.

    Args:
        query: a tree in which every table of the policy has its schema.
        schema: policy and catalog.
    """
    scopes = Scopes(schema)
    for select in find_all(query, exp.Select):
        if select.args.get("group") is not None and any(map(_is_qualified_star, select.expressions)):
            outputs = [_written_out(output, select, scopes) for output in select.expressions]
            if all(outputs):
                select.set("expressions", [column for columns in outputs for column in columns])
    return query


def _is_qualified_star(output: exp.Expr) -> bool:
    return isinstance(output, exp.Column) and is_star(output)


def _written_out(output: exp.Expr, select: exp.Select, scopes: Scopes) -> list[exp.Expr]:
    """The output, or the columns that it stands for; nothing where they are not known."""
    if not is_star(output):
        return [output]
    name: exp.Expr | None = output.args.get("table")
    if name is None:
        return []
    items = [holder.this for holder in items_of(select) if alias_of(holder.this) == folded(name)]
    table = scopes.table(items[0]) if len(items) == 1 else None
    if table is None or table.private or column_aliases(items[0]):
        return []
    return [qualified(column, folded(name)) for column in table.visible_columns()]
