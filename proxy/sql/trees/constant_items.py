"""Rewrites rows that a query writes out itself beside private ones (VALUES, unnest(ARRAY[…]) and generate_series(…)) as
subqueries in FROM.

No private row contributes to them, so they are public: the stage computes them before anything is measured, like every
other query among private rows that needs nothing of them (`blocks`), and they enter the source query as a literal
relation. A function that reads the items beside it gives other rows for each of theirs; it stays as it is and is
refused.
"""

from __future__ import annotations

from sqlglot import exp

from proxy.sql.schema import Schema
from proxy.sql.trees.scopes import Scopes
from proxy.sql.trees.walking import is_function_item, items_of, nested_queries, own_nodes


def write_constant_rows_as_subqueries(query: exp.Query, schema: Schema, _search_path: tuple[str, ...]) -> exp.Query:
    """Write `VALUES … AS w(code, weight)` beside private rows as `(SELECT * FROM VALUES … AS w(code, weight)) AS w`,
    in place.

    Args:
        query: a tree in which every table of the policy has its schema and every row-level CTE is written out.
        schema: policy and catalog.
    """
    _visit(query, Scopes(schema))
    return query


def _is_constant(item: exp.Expr) -> bool:
    """Are its rows written out, or computed from constants and its own queries? Joins in parentheses with it are
    arguments of the first item in the tree."""
    if not is_function_item(item):
        return False
    own = [value for name, value in item.args.items() if name != "joins"]
    parts = [part for value in own for part in (value if isinstance(value, list) else [value])]
    nodes = [node for part in parts if isinstance(part, exp.Expr) for node in own_nodes(part)]
    return not any(isinstance(node, exp.Column) for node in nodes)


def _visit(query: exp.Expr, scopes: Scopes) -> None:
    for child in nested_queries(query):
        _visit(child, scopes)
    if not isinstance(query, exp.Select) or not scopes.has_rows(query):
        return
    for holder in items_of(query):
        item = holder.this
        if _is_constant(item):
            joins = item.args.get("joins")
            item.set("joins", None)
            subquery = rows_as_subquery(item)
            subquery.set("joins", joins)
            holder.set("this", subquery)


def rows_as_subquery(item: exp.Expr) -> exp.Subquery:
    """An item of constant rows as a subquery in FROM."""
    everything = exp.Select(expressions=[exp.Star()], from_=exp.From(this=item.copy()))
    return exp.Subquery(this=everything, alias=_name(item))


def _name(item: exp.Expr) -> exp.TableAlias | None:
    """The name that can qualify the item's columns: its alias, or that of its function."""
    alias = item.args.get("alias")
    if alias is not None and alias.this:
        return exp.TableAlias(this=alias.this.copy())
    if isinstance(item, exp.Unnest):
        return exp.TableAlias(this=exp.to_identifier("unnest"))
    call = item.this
    named = isinstance(item, (exp.Table, exp.Lateral)) and isinstance(call, exp.Anonymous)
    return exp.TableAlias(this=exp.to_identifier(call.name)) if named else None
