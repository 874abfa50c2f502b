"""Rewrites `a FULL JOIN b USING (x)` as `a FULL JOIN b ON a.x = b.x`, and the merged column x as coalesce(a.x, b.x)."""

from __future__ import annotations

from sqlglot import exp

from proxy.sql.names import folded
from proxy.sql.nodes import find_all
from proxy.sql.schema import Schema
from proxy.sql.trees.walking import alias_of, is_apart, is_joined_item, is_star, nested_queries, output_name, own_nodes


def write_full_joins_using_with_on(query: exp.Query, _schema: Schema, _search_path: tuple[str, ...]) -> exp.Query:
    """Rewrite them in place, where the two sides are all of FROM and each mention of a merged column is found."""
    for select in find_all(query, exp.Select):
        joins = select.args.get("joins") or []
        if len(joins) == 1 and joins[0].side.upper() == "FULL" and joins[0].args.get("using"):
            _rewrite(select, joins[0])
    return query


def _rewrite(select: exp.Select, join: exp.Join) -> None:
    first = select.args["from_"].this
    sides = [alias_of(item) for item in (first, join.this) if not is_joined_item(item)]
    names = [folded(identifier) for identifier in join.args["using"]]
    left, right = sides if len(sides) == 2 else (None, None)
    seeing = [child for child in nested_queries(select) if not is_apart(child, select)]
    inside = [node for child in seeing for node in find_all(child, exp.Column)]
    if left is None or right is None or first.args.get("joins") or any(map(is_star, select.expressions)):
        return
    if any(_is_bare(column, names) for column in inside):
        return
    outputs = {output_name(output) for output in select.expressions}
    for output in list(select.expressions):
        if isinstance(output, exp.Column) and _is_bare(output, names):
            output.replace(exp.alias_(output.copy(), folded(output.this), quoted=True))
    for column in [node for node in own_nodes(select) if isinstance(node, exp.Column) and _is_bare(node, names)]:
        # A name in ORDER BY is that of an output, if one is called so.
        if not isinstance(column.parent, exp.Ordered) or folded(column.this) not in outputs:
            name = folded(column.this)
            column.replace(exp.Anonymous(this="coalesce", expressions=[_column(name, left), _column(name, right)]))
    join.set("using", None)
    join.set("on", exp.and_(*(exp.EQ(this=_column(name, left), expression=_column(name, right)) for name in names)))


def _is_bare(column: exp.Column, names: list[str]) -> bool:
    is_named = isinstance(column.this, exp.Identifier) and column.args.get("table") is None
    return is_named and folded(column.this) in names


def _column(name: str, table: str) -> exp.Column:
    return exp.column(exp.to_identifier(name, quoted=True), table=exp.to_identifier(table, quoted=True))
