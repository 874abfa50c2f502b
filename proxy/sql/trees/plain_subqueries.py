"""Rewrites a subquery that only picks rows and columns of a private table as the table itself:

    SELECT count(*) FROM (SELECT * FROM events WHERE kind = 'buy') AS v WHERE v.happened_at > …

is `SELECT count(*) FROM events AS v WHERE v.happened_at > … AND v.kind = 'buy'`. So both are one question, and the
conditions of both say which windows of time are read (`rows.time_windows`). BI tools write their data sets this way,
and so do CTEs and views.
"""

from __future__ import annotations

from sqlglot import exp

from proxy.sql.named_tables import NamedTable
from proxy.sql.names import folded
from proxy.sql.nodes import find_all, walk
from proxy.sql.schema import Schema
from proxy.sql.trees.walking import alias_of, column_aliases, is_star, items_of, nested_queries, own_nodes, unaliased

_PLAIN = frozenset({"expressions", "from_", "where"})
_NAMED = frozenset({"this", "db", "alias"})


def lift_plain_subqueries(query: exp.Query, schema: Schema, _search_path: tuple[str, ...]) -> exp.Query:
    """Write plain subqueries over private tables as these tables, in place.

    Args:
        query: a tree in which every table of the policy has its schema and every row-level CTE is written out.
        schema: policy and catalog.
    """
    for select in reversed(find_all(query, exp.Select)):
        for holder in items_of(select):
            _lift(select, holder, schema)
    return query


def _keeps_rows(select: exp.Select, holder: exp.Expr) -> bool:
    """Is a row of the item in each row of the join, so that its conditions may stand in WHERE?"""
    joins = select.args.get("joins") or []
    sides = [str(join.args.get("side") or "").upper() for join in joins]
    own = str(holder.args.get("side") or "").upper() if isinstance(holder, exp.Join) else ""
    return not own and not {"RIGHT", "FULL"} & {*sides}


def _lift(select: exp.Select, holder: exp.Expr, schema: Schema) -> None:
    item, joins = holder.this, select.args.get("joins") or []
    if not isinstance(item, exp.Subquery) or not isinstance(item.this, exp.Select):
        return
    body, alias = item.this, item.args.get("alias")
    from_, where = body.args.get("from_"), body.args.get("where")
    if alias is None or not alias.this or alias.args.get("columns") or from_ is None:
        return
    if any(value for name, value in item.args.items() if name not in ("this", "alias")):
        return
    table = from_.this
    named = _private_table(table, schema)
    if named is None or any(value for name, value in body.args.items() if name not in _PLAIN):
        return
    shown = _shown_columns(body, table)
    if shown is None or not _stays_unseen(select, item, named, shown):
        return
    if shown and not any(map(named.identities, shown)) and not _stands_alone(select, holder, schema):
        return  # A refusal of the join says that its unit is missing here.
    if where is not None and not (_keeps_rows(select, holder) and _reads_alone(where, table, named)):
        return
    if holder is not select.args.get("from_") and holder not in joins:
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


def _stands_alone(select: exp.Select, holder: exp.Expr, schema: Schema) -> bool:
    """Are all other items of FROM public tables?"""
    others = [other.this for other in items_of(select) if other is not holder]
    tables = [schema.find(item, ()) if isinstance(item, exp.Table) else None for item in others]
    return all(found is not None and not found.private for found in tables)


def _private_table(table: exp.Expr, schema: Schema) -> NamedTable | None:
    """The private table that an item is as it stands, with all its rows and under the names of its columns."""
    if not isinstance(table, exp.Table) or any(value for name, value in table.args.items() if name not in _NAMED):
        return None
    found = schema.find(table, ())
    return found if found is not None and found.private and not column_aliases(table) else None


def _reads_alone(where: exp.Where, table: exp.Table, named: NamedTable) -> bool:
    """Is all that a condition reads of the table, and nothing of what stands around it?"""
    columns = [node for node in own_nodes(where) if isinstance(node, exp.Column)]
    own, visible = alias_of(table), frozenset(named.visible_columns())
    return not any(nested_queries(where)) and all(
        folded(column.this) in visible
        and not column.args.get("db")
        and (not column.args.get("table") or folded(column.args["table"]) == own)
        for column in columns
    )


def _stays_unseen(select: exp.Select, item: exp.Subquery, named: NamedTable, shown: frozenset[str]) -> bool:
    """Is a column that the subquery does not show named nowhere around it, by itself, by a star or by a join?

    Args:
        select: the SELECT around the subquery.
        item: the subquery.
        named: its table.
        shown: the columns that it shows; empty if these are all.
    """
    visible = frozenset(named.visible_columns())
    holders = items_of(select)
    if shown and any(holder.args.get("using") or holder.args.get("method") for holder in holders):
        return False
    inside = {id(node) for node in walk(item)}
    hidden = ({*named.catalog.columns, str(alias_of(item))} | visible) - (shown or visible)
    for node in walk(select):
        if id(node) in inside:
            continue
        if (
            shown
            and isinstance(node, exp.Star)
            and not (isinstance(node.parent, exp.Anonymous) and _counts(node.parent))
        ):
            return False
        # Names of its own FROM come before those of outputs in GROUP BY, and before those of a query around it.
        if isinstance(node, exp.Column) and isinstance(node.this, exp.Identifier):
            qualifier = node.args.get("table")
            means_it = qualifier is None or folded(qualifier) == alias_of(item)
            # A schema makes a name that no subquery has.
            if means_it and (folded(node.this) in hidden or node.args.get("db")):
                return False
    return True


def _counts(call: exp.Anonymous) -> bool:
    return call.name.lower() == "count"


def _shown_columns(body: exp.Select, table: exp.Table) -> frozenset[str] | None:
    """The columns of the table that a SELECT shows, under their own names; none if it shows all, and None if it shows
    others, or one under another name."""
    name, shown = alias_of(table), set[str]()
    for output in body.expressions:
        column = unaliased(output)
        if is_star(column) and column is not output:
            return None
        if isinstance(column, exp.Star) and not any(column.args.values()):
            return frozenset() if len(body.expressions) == 1 else None
        if not isinstance(column, exp.Column) or column.args.get("db"):
            return None
        qualifier = column.args.get("table")
        if qualifier is not None and folded(qualifier) != name:
            return None
        if isinstance(column.this, exp.Star):
            return frozenset() if len(body.expressions) == 1 and not any(column.this.args.values()) else None
        if isinstance(output, exp.Alias) and folded(output.args["alias"]) != folded(column.this):
            return None
        shown.add(folded(column.this))
    return frozenset(shown) or None
