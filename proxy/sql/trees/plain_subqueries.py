"""Rewrites a subquery that only picks rows and columns of a table with budgets for windows of time as the table itself:

    SELECT count(*) FROM (SELECT * FROM events WHERE kind = 'buy') AS v WHERE v.happened_at > …

is `SELECT count(*) FROM events AS v WHERE v.happened_at > … AND v.kind = 'buy'`. So the conditions of both say which
windows are read (`rows.time_windows`). BI tools write their data sets this way, and so do CTEs and views.
"""

from __future__ import annotations

from sqlglot import exp

from proxy.sql.names import folded
from proxy.sql.nodes import find_all
from proxy.sql.schema import Schema
from proxy.sql.trees.walking import alias_of, items_of, nested_queries, own_nodes, unaliased

_PLAIN = frozenset({"expressions", "from_", "where"})
_NAMED = frozenset({"this", "db", "alias"})


def lift_plain_subqueries(query: exp.Query, schema: Schema, _search_path: tuple[str, ...]) -> exp.Query:
    """Write plain subqueries over tables with windows as these tables, in place.

    Args:
        query: a tree in which every table of the policy has its schema and every row-level CTE is written out.
        schema: policy and catalog.
    """
    if not any(table.budget is not None and table.budget.per is not None for table in schema.policy.tables.values()):
        return query
    for select in reversed(find_all(query, exp.Select)):
        for holder in items_of(select):
            if _keeps_rows(select, holder):
                _lift(select, holder, schema)
    return query


def _keeps_rows(select: exp.Select, holder: exp.Expr) -> bool:
    """Is a row of the item in each row of the join, so that its conditions may stand in WHERE?"""
    joins = select.args.get("joins") or []
    sides = [str(join.args.get("side") or "").upper() for join in joins]
    own = str(holder.args.get("side") or "").upper() if isinstance(holder, exp.Join) else ""
    return not own and not {"RIGHT", "FULL"} & {*sides} and (holder is select.args.get("from_") or holder in joins)


def _lift(select: exp.Select, holder: exp.Expr, schema: Schema) -> None:
    item = holder.this
    if not isinstance(item, exp.Subquery) or not isinstance(item.this, exp.Select):
        return
    body, alias = item.this, item.args.get("alias")
    from_, where = body.args.get("from_"), body.args.get("where")
    if alias is None or not alias.this or alias.args.get("columns") or from_ is None:
        return
    if any(value for name, value in item.args.items() if name not in ("this", "alias")):
        return
    table = from_.this
    if any(value for name, value in body.args.items() if name not in _PLAIN) or not _has_windows(table, schema):
        return
    merges = any(join.args.get("using") or join.args.get("method") for join in select.args.get("joins") or [])
    if not _shows_columns(body, table, all_of_them=merges) or (where is not None and any(nested_queries(where))):
        return
    if where is not None:
        for column in [node for node in own_nodes(where) if isinstance(node, exp.Column)]:
            column.set("table", alias.this.copy())
        outer = select.args.get("where")
        own = [exp.Paren(this=outer.this)] if outer is not None else []
        both = exp.and_(*own, exp.Paren(this=where.this), copy=False, wrap=False)
        select.set("where", exp.Where(this=both))
    table.set("alias", exp.TableAlias(this=alias.this.copy()))
    holder.set("this", table)


def _has_windows(table: exp.Expr, schema: Schema) -> bool:
    if not isinstance(table, exp.Table) or any(value for name, value in table.args.items() if name not in _NAMED):
        return False
    found = schema.find(table, ())
    if found is None or found.policy.budget is None or found.policy.budget.per is None:
        return False
    alias = table.args.get("alias")
    return alias is None or not alias.args.get("columns")


def _shows_columns(body: exp.Select, table: exp.Table, *, all_of_them: bool) -> bool:
    """Does it show columns of the table under their own names?"""
    name = alias_of(table)
    for output in body.expressions:
        column = unaliased(output)
        if isinstance(column, exp.Star) and not any(column.args.values()):
            continue
        if all_of_them or not isinstance(column, exp.Column) or column.args.get("db"):
            return False
        qualifier = column.args.get("table")
        if qualifier is not None and folded(qualifier) != name:
            return False
        if isinstance(column.this, exp.Star):
            if any(column.this.args.values()):
                return False
        elif isinstance(output, exp.Alias) and folded(output.args["alias"]) != folded(column.this):
            return False
    return True
