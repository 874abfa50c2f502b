"""Rewrites DISTINCT ON among private rows as the first row of a window: the latest visit of each patient is

    SELECT DISTINCT ON (patient_id) * FROM visits ORDER BY patient_id, visited_at DESC

and so are the rows with number 1 of `row_number() OVER (PARTITION BY patient_id ORDER BY patient_id, visited_at DESC)`.
Where the window is within one unit, so is the choice of the row (`derived`).
"""

from __future__ import annotations

from sqlglot import exp

from proxy.sql.names import folded
from proxy.sql.nodes import find_all
from proxy.sql.schema import Schema
from proxy.sql.trees.aggregate_calls import is_aggregate
from proxy.sql.trees.scopes import Scopes
from proxy.sql.trees.walking import output_name, own_nodes, unaliased

_NUMBER = "dpnumber"
_KNOWN = frozenset({"expressions", "from_", "joins", "where", "order", "distinct", "windows"})


def write_distinct_on_as_first_rows(query: exp.Query, schema: Schema, _search_path: tuple[str, ...]) -> exp.Query:
    """Rewrite DISTINCT ON of rows that belong to units, in place.

    Args:
        query: a tree in which every table of the policy has its schema and every row-level CTE is written out.
        schema: policy and catalog.
    """
    scopes = Scopes(schema)
    for select in find_all(query, exp.Select):
        if select is not query and _is_on_rows(select, scopes):
            _write(select, scopes)
    return query


def _is_on_rows(select: exp.Select, scopes: Scopes) -> bool:
    distinct = select.args.get("distinct")
    if distinct is None or not distinct.args.get("on") or not scopes.is_rows(select):
        return False
    nodes = [node for output in select.expressions for node in own_nodes(output)]
    return not any(value and name not in _KNOWN for name, value in select.args.items()) and not any(
        is_aggregate(node) for node in nodes
    )


def _write(select: exp.Select, scopes: Scopes) -> None:
    keys = [_meant(key, select) for key in select.args["distinct"].args["on"].expressions]
    order = select.args.get("order")
    window = exp.Window(this=exp.Anonymous(this="row_number"), partition_by=keys, over="OVER")
    if order is not None:
        ordered = order.copy()
        for item, meant in zip(ordered.expressions, order.expressions, strict=True):
            item.set("this", _meant(meant.this, select))
        window.set("order", ordered)
    inner = select.copy()
    inner.set("distinct", None)
    inner.set("order", None)
    inner.append("expressions", exp.alias_(window, _NUMBER))
    names = [name for name in scopes.columns(exp.Subquery(this=select.copy())) if not name.startswith("\0")]
    source = exp.Subquery(this=inner, alias=exp.TableAlias(this=exp.to_identifier("dpdistinct")))
    first = exp.EQ(this=exp.column(_NUMBER, table="dpdistinct"), expression=exp.Literal.number(1))
    for clause in list(select.args):
        select.set(clause, None)
    outputs = [exp.column(exp.to_identifier(name, quoted=True), table="dpdistinct") for name in names]
    select.set("expressions", outputs)
    select.set("from_", exp.From(this=source))
    select.set("where", exp.Where(this=first))


def _meant(key: exp.Expr, select: exp.Select) -> exp.Expr:
    """The expression of the rows that an item of DISTINCT ON or ORDER BY means: an output by its place or name."""
    bare = key.unnest()
    if isinstance(bare, exp.Literal) and not bare.is_string and 1 <= int(bare.name) <= len(select.expressions):
        return unaliased(select.expressions[int(bare.name) - 1]).copy()
    if isinstance(key, exp.Column) and not key.args.get("table"):
        for output in select.expressions:
            if isinstance(output, exp.Alias) and output_name(output) == folded(key.this):
                return unaliased(output).copy()
    return key.copy()
