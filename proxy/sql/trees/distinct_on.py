"""Rewrites DISTINCT ON among private rows as the first row of a window: the latest visit of each patient is

    SELECT DISTINCT ON (patient_id) * FROM visits ORDER BY patient_id, visited_at DESC

and so are the rows with number 1 of `row_number() OVER (PARTITION BY patient_id ORDER BY patient_id, visited_at DESC)`.
Where the window is within one unit, so is the choice of the row (`derived`). Groups are the rows of a subquery of their
own, which also computes what DISTINCT ON and ORDER BY compare.
"""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from proxy.sql.names import folded
from proxy.sql.nodes import find_all
from proxy.sql.schema import Schema
from proxy.sql.trees.scopes import Scopes
from proxy.sql.trees.walking import output_name, unaliased

_ROWS, _GROUPS, _NUMBER, _COMPARED = "dpdistinct", "dpgroups", "dpnumber", "dpcompared"
_KNOWN = frozenset({"expressions", "from_", "joins", "where", "order", "distinct", "windows"})
_OF_GROUPS = frozenset({"group", "having"})


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
    known = _KNOWN | _OF_GROUPS if select.args.get("group") is not None else _KNOWN
    # Those of an aggregate without GROUP BY are no rows (`Scopes.is_rows`).
    return not any(value and name not in known for name, value in select.args.items())


def _write(select: exp.Select, scopes: Scopes) -> None:
    keys = [_meant(key, select) for key in select.args["distinct"].args["on"].expressions]
    order = select.args["order"].copy() if select.args.get("order") is not None else None
    for item in order.expressions if order is not None else ():
        item.set("this", _meant(item.this, select))
    names = [name for name in scopes.columns(exp.Subquery(this=select.copy())) if not name.startswith("\0")]
    inner = select.copy()
    inner.set("distinct", None)
    inner.set("order", None)
    if select.args.get("group") is not None:
        compared = [*keys, *(item.this for item in order.expressions)] if order is not None else keys
        columns: list[exp.Expr] = [exp.column(f"{_COMPARED}{place}", table=_GROUPS) for place in range(len(compared))]
        for column, node in zip(columns, compared, strict=True):
            inner.append("expressions", exp.alias_(node, column.name))
        keys = columns[: len(keys)]
        for item, column in zip(order.expressions if order is not None else (), columns[len(keys) :], strict=True):
            item.set("this", column)
        inner = _select(names, _GROUPS, inner)
    window = exp.Window(this=exp.Anonymous(this="row_number"), partition_by=keys, over="OVER", order=order)
    inner.append("expressions", exp.alias_(window, _NUMBER))
    first = exp.EQ(this=exp.column(_NUMBER, table=_ROWS), expression=exp.Literal.number(1))
    found = _select(names, _ROWS, inner)
    for clause in list(select.args):
        select.set(clause, found.args.get(clause))
    select.set("from_", found.args["from_"])
    select.set("where", exp.Where(this=first))


def _select(names: Sequence[str], alias: str, query: exp.Select) -> exp.Select:
    """Columns of a subquery."""
    source = exp.Subquery(this=query, alias=exp.TableAlias(this=exp.to_identifier(alias)))
    outputs = [exp.column(exp.to_identifier(name, quoted=True), table=alias) for name in names]
    return exp.Select(expressions=outputs, from_=exp.From(this=source))


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
