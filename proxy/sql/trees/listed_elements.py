"""Writes functions that list the elements of a value of a row as items of FROM, where each element is a row of its own:

    SELECT unnest(tags) AS tag, count(*) FROM visits GROUP BY tag
    SELECT x.tag, count(*) FROM visits v, LATERAL (SELECT unnest(v.tags) AS tag) AS x GROUP BY x.tag

both read `visits CROSS JOIN LATERAL unnest(tags) AS x(tag)`. Postgres lists the elements before it groups by them, and
after window functions, so that beside these nothing is rewritten.
"""

from __future__ import annotations

from typing import Final

from sqlglot import exp

from proxy.sql.names import folded
from proxy.sql.nodes import find, find_all
from proxy.sql.schema import Schema
from proxy.sql.trees.aggregate_calls import is_aggregate
from proxy.sql.trees.key_expressions import key_expressions
from proxy.sql.trees.output_names import with_name
from proxy.sql.trees.scopes import Scopes
from proxy.sql.trees.walking import (
    alias_of,
    body_of,
    column_aliases,
    items_of,
    own_nodes,
    unaliased,
    write_stars_out,
)

ARRAYS_OF: Final = {"string_to_table": "string_to_array", "regexp_split_to_table": "regexp_split_to_array"}
"""The functions that split a text into rows, with those that make an array of it."""

OF_DOCUMENTS: Final = {"json_array_elements_text": "json", "jsonb_array_elements_text": "jsonb"}
"""Those of documents, with their types."""

LISTING_ELEMENTS: Final = frozenset({"unnest", *ARRAYS_OF, *OF_DOCUMENTS})
"""The functions whose elements can be rows of FROM (`rows.elements`)."""

_ITEM, _COLUMN = "dplisted", "element"


def write_listed_elements_as_items(query: exp.Query, schema: Schema, _search_path: tuple[str, ...]) -> exp.Query:
    """Rewrite calls in SELECT lists over private rows and in LATERAL, in place.

    Args:
        query: a tree in which every table of the policy has its schema and every row-level CTE is written out.
        schema: policy and catalog.
    """
    scopes = Scopes(schema)
    for select in find_all(query, exp.Select):
        for holder in items_of(select):
            _write_lateral(holder.this)
            _write_filtered(holder, select)
        if select.args.get("from_") is not None and (scopes.has_rows(select) or scopes.is_rows(select)):
            _write_output(select, scopes)
    return query


def _write_lateral(item: exp.Expr) -> None:
    """LATERAL (SELECT unnest(x) AS y) AS z, as LATERAL unnest(x) AS z(y)."""
    body = body_of(item)
    if not isinstance(item, exp.Lateral) or not isinstance(body, exp.Select) or item.args.get("alias") is None:
        return
    if len(body.expressions) != 1 or any(value and name != "expressions" for name, value in body.args.items()):
        return
    call = unaliased(body.expressions[0])
    if not _lists(call) or find(call, exp.Column) is None:
        return
    alias = item.args["alias"]
    if not alias.args.get("columns"):
        alias.set("columns", [with_name(body.expressions[0]).args["alias"].copy()])
    item.set("this", _item_of(call))


def _write_filtered(holder: exp.Expr, select: exp.Select) -> None:
    """JOIN LATERAL (SELECT x FROM unnest(t.a) AS x WHERE x > 1) AS z ON …, as JOIN LATERAL unnest(t.a) AS z(x) ON … AND
    z.x > 1; where rows without elements are not kept, the condition stands in WHERE."""
    item = holder.this
    body = body_of(item)
    if not isinstance(item, exp.Lateral) or not isinstance(body, exp.Select) or item.args.get("alias") is None:
        return
    if len(body.expressions) != 1 or any(v and name not in _FILTERED for name, v in body.args.items()):
        return
    if body.args.get("from_") is None:
        return
    inner, where = items_of(body)[0].this, body.args.get("where")
    call: exp.Expr = inner.this if isinstance(inner, (exp.Lateral, exp.Table)) else inner
    if not (isinstance(call, exp.Unnest) or _lists(call)) or find(call, exp.Column) is None:
        return
    if isinstance(call, exp.Unnest) and call.args.get("offset"):
        return
    name, names = alias_of(inner), column_aliases(inner)
    element = (names[0] if names else name) if len(names) < 2 else None
    columns = [*find_all(where, exp.Column)] if where is not None else []
    own = [column for column in columns if _is_element(column, element, name)]
    others = [column for column in columns if not _is_element(column, element, name)]
    if not _is_element(unaliased(body.expressions[0]), element, name) or any(not c.args.get("table") for c in others):
        return
    side = str(holder.args.get("side") or "").upper() if isinstance(holder, exp.Join) else ""
    if side not in ("", "LEFT") or (where is not None and find(where, exp.Query) is not None):
        return
    joins = select.args.get("joins") or []
    if not any(join is holder for join in joins) or any(_keeps_others(join) for join in joins):
        return
    alias = item.args["alias"]
    if not alias.args.get("columns"):
        alias.set("columns", [with_name(body.expressions[0]).args["alias"].copy()])
    for column in own:
        column.replace(exp.column(alias.args["columns"][0].copy(), table=alias.this.copy()))
    if where is not None and side == "LEFT":
        on = holder.args.get("on")
        holder.set("on", exp.and_(on, where.this, copy=False) if on is not None else where.this)
    elif where is not None:
        select.where(where.this, copy=False)
    bare = exp.Unnest(expressions=call.expressions, offset=False) if isinstance(call, exp.Unnest) else call
    item.set("this", bare)


def _keeps_others(join: exp.Join) -> bool:
    """Does a join keep rows without what is joined before it, of which WHERE would keep none?"""
    return str(join.args.get("side") or "").upper() in ("RIGHT", "FULL")


_FILTERED = frozenset({"expressions", "from_", "where"})


def _is_element(node: exp.Expr, element: str | None, item: str | None) -> bool:
    """Is it the column of an item of FROM that lists elements?"""
    if not isinstance(node, exp.Column) or not isinstance(node.this, exp.Identifier) or element is None:
        return False
    table = node.args.get("table")
    return folded(node.this) == element and (table is None or folded(table) == item)


def _write_output(select: exp.Select, scopes: Scopes) -> None:
    calls = [node for output in select.expressions for node in own_nodes(output) if _lists(node)]
    if not calls or any(call != calls[0] for call in calls) or find(calls[0], exp.Column) is None:
        return
    outputs = [output for output in select.expressions if any(node in calls for node in own_nodes(output))]
    own = list(own_nodes(select))
    if any(isinstance(node, exp.Window) for node in own) or not _are_rows(select, outputs, scopes):
        return
    if not write_stars_out(select):
        return
    select.set("expressions", [with_name(output) for output in select.expressions])
    call, item = calls[0].copy(), f"{_ITEM}{len(items_of(select))}"
    for node in [node for node in own_nodes(select) if node == call]:
        node.replace(exp.column(_COLUMN, table=item))
    alias = exp.TableAlias(this=exp.to_identifier(item), columns=[exp.to_identifier(_COLUMN)])
    select.append("joins", exp.Join(this=exp.Lateral(this=_item_of(call), alias=alias), kind="CROSS"))


def _are_rows(select: exp.Select, outputs: list[exp.Expr], scopes: Scopes) -> bool:
    """Are elements listed for each row, before groups are made of them?"""
    nodes = [node for output in select.expressions for node in own_nodes(output)]
    if not select.args.get("group") and not select.args.get("having") and not any(map(is_aggregate, nodes)):
        return True
    keys = key_expressions(select, scopes)
    return all(any(unaliased(output) is key or unaliased(output) == key for key in keys) for output in outputs)


def _lists(node: exp.Expr) -> bool:
    return isinstance(node, exp.Anonymous) and node.name.lower() in LISTING_ELEMENTS and bool(node.expressions)


def _item_of(call: exp.Expr) -> exp.Expr:
    """A call as FROM has it."""
    if call.name.lower() == "unnest":
        return exp.Unnest(expressions=[argument.copy() for argument in call.expressions], offset=False)
    return call.copy()
