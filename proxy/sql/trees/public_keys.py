"""The unique keys of a plain SELECT from one public table, which computes columns beside them, or numbers its rows."""

from __future__ import annotations

from sqlglot import exp

from proxy.sql.names import folded
from proxy.sql.schema import Schema
from proxy.sql.trees.aggregate_calls import is_aggregate
from proxy.sql.trees.walking import alias_of, ancestors, body_of, is_star, items_of, output_name, own_nodes, unaliased

_KEEPING = frozenset({"expressions", "from_", "where", "distinct", "order", "limit", "offset", "windows"})
"""Clauses that leave rows out, and never make two of one."""

Keys = frozenset[frozenset[str]]


def public_keys(query: exp.Expr, schema: Schema) -> Keys:
    """Sets of outputs, by their names, of which no two rows share the values; none where the query does more than to
    select rows of one public table.

    Args:
        query: a tree in which every table of the policy has its schema.
        schema: policy and catalog.
    """
    if not isinstance(query, exp.Select) or any(v for name, v in query.args.items() if name not in _KEEPING):
        return frozenset()
    items = items_of(query)
    if len(items) != 1 or any(is_aggregate(node) for output in query.expressions for node in own_nodes(output)):
        return frozenset()
    item = items[0].this
    body = body_of(item) if isinstance(item, exp.Subquery) else body_of_cte(item)
    if body is not None:
        keys = public_keys(body, schema)
    else:
        named = schema.find(item, ()) if isinstance(item, exp.Table) and item.args.get("db") else None
        if named is None or named.private:
            return frozenset()
        # Rows without a value can be many.
        keys = frozenset(key for key in named.unique_keys if not any(map(named.nullable, key)))
    shown: dict[str, str] = {}
    for output in query.expressions:
        bare, alias = unaliased(output).unnest(), output_name(output)
        if is_star(output):
            shown |= {name: name for key in keys for name in key}
        elif isinstance(bare, exp.Column) and alias is not None and _is_of(bare, item):
            shown[folded(bare.this)] = alias
    return frozenset(frozenset(shown[name] for name in key) for key in keys if key <= shown.keys())


def body_of_cte(item: exp.Expr) -> exp.Query | None:
    """The query of the CTE that a FROM item names, if it gives its columns no other names and does not read itself."""
    cte = cte_of(item)
    return None if cte is None or cte.args["alias"].args.get("columns") else cte.this


def cte_of(item: exp.Expr) -> exp.CTE | None:
    """The CTE that a FROM item names, if it does not read itself."""
    if not isinstance(item, exp.Table) or not isinstance(item.this, exp.Identifier) or item.args.get("db"):
        return None
    around = list(ancestors(item))
    for holder in around:
        with_ = holder if isinstance(holder, exp.With) else holder.args.get("with_")
        for cte in with_.expressions if with_ is not None else ():
            if folded(cte.args["alias"].this) == folded(item.this):
                return None if any(cte is node for node in around) else cte
    return None


def _is_of(column: exp.Column, item: exp.Expr) -> bool:
    qualifier = column.args.get("table")
    return qualifier is None or folded(qualifier) == alias_of(item)
