"""Queries that have no row, whatever the tables hold: clients ask them for the names and types of columns.

`SELECT * FROM visits WHERE 1 = 0` and `SELECT * FROM (…) AS q LIMIT 0` are what BI tools and drivers send before
anything else; profilers count the rows where a column is NULL, also of columns that are NOT NULL. In such a query
each private table is replaced by a relation that has its columns and no row, so that the stage answers it: no private
row is read, and there is nothing to pay for. So it is where a test looks for values of a unique key that come twice, or
for foreign keys that lead nowhere.
"""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from proxy.sql.named_tables import NamedTable
from proxy.sql.nodes import find_all
from proxy.sql.schema import Schema
from proxy.sql.trees.aggregate_calls import is_aggregate, released_nodes
from proxy.sql.trees.constant_conditions import NotConstantError, is_never_true, value_of
from proxy.sql.trees.constants import literal
from proxy.sql.trees.marks import ANSWERED
from proxy.sql.trees.present_columns import is_present, kept_items
from proxy.sql.trees.repeated_values import repeats_a_key
from proxy.sql.trees.scopes import Scopes
from proxy.sql.trees.walking import alias_of, body_of, is_joined_item, nested_queries

_REPLACED = frozenset({"this", "db", "alias", "joins"})
"""The arguments of a table that its empty relation takes over; a table with others stays."""


def empty_queries_without_rows(query: exp.Query, schema: Schema, _search_path: tuple[str, ...]) -> exp.Query:
    """Replace the private tables of queries that certainly have no row, in place.

    Among the rows of a block nothing is replaced: there a query without rows is a condition like any other.

    Args:
        query: a tree in which every table of the policy has its schema and every row-level CTE is written out.
        schema: policy and catalog.
    """
    _visit(query, Scopes(schema))
    return query


def _visit(query: exp.Expr, scopes: Scopes) -> None:
    if _has_no_row(query, scopes):
        _empty([query], scopes)
        return
    if isinstance(query, exp.Select):
        if _reads_no_row(query, scopes):
            # Its aggregates have one row all the same.
            clauses = [query.args.get("from_"), query.args.get("where"), *(query.args.get("joins") or [])]
            _empty([clause for clause in clauses if clause is not None], scopes)
        elif scopes.has_rows(query):
            return
    for child in nested_queries(query):
        _visit(child, scopes)


def _has_no_row(query: exp.Expr, scopes: Scopes) -> bool:
    """Has the query certainly no row?"""
    limit = query.args.get("limit")
    if limit is not None and _is_zero(limit):
        return True
    match query:
        case exp.Select():
            if _keeps_no_group(query) or repeats_a_key(query, scopes):
                return True
            return _reads_no_row(query, scopes) and not _is_one_row_at_least(query)
        case exp.Union():
            return all(_has_no_row(body_of(side), scopes) for side in (query.this, query.expression))
        case exp.Intersect():
            return any(_has_no_row(body_of(side), scopes) for side in (query.this, query.expression))
        case exp.Except():
            return _has_no_row(body_of(query.this), scopes)
    return False


def _keeps_no_group(select: exp.Select) -> bool:
    """Does no group pass HAVING, certainly?"""
    having = select.args.get("having")
    return having is not None and is_never_true(having.this)


def _is_zero(limit: exp.Expr) -> bool:
    if not isinstance(limit, exp.Limit):
        return False
    try:
        return value_of(limit.expression) == 0 and value_of(limit.expression) is not False
    except NotConstantError:
        return False


def _reads_no_row(select: exp.Select, scopes: Scopes) -> bool:
    """Does no row of FROM pass WHERE, certainly?"""
    where, source = select.args.get("where"), select.args.get("from_")
    if where is not None and is_never_true(where.this, lambda column: is_present(column, select, scopes)):
        return True
    return source is not None and any(_item_has_no_row(item, scopes) for item in kept_items(select))


def _item_has_no_row(item: exp.Expr, scopes: Scopes) -> bool:
    return isinstance(item, exp.Subquery) and not is_joined_item(item) and _has_no_row(body_of(item), scopes)


def _is_one_row_at_least(select: exp.Select) -> bool:
    """Do aggregates make a row of no rows? Grouping sets may have an empty one."""
    group = select.args.get("group")
    if group is not None:
        return not group.expressions or any(value for name, value in group.args.items() if name != "expressions")
    return select.args.get("having") is not None or any(map(is_aggregate, released_nodes(select)))


def _empty(parts: Sequence[exp.Expr], scopes: Scopes) -> None:
    for part in parts:
        for item in find_all(part, exp.Table):
            named = scopes.table(item)
            if named is not None and named.private and not any(v for k, v in item.args.items() if k not in _REPLACED):
                item.replace(_nothing_of(named, item))


def _nothing_of(named: NamedTable, item: exp.Table) -> exp.Subquery:
    """A relation with the columns of a table that clients can see, and no row."""
    outputs = [
        exp.alias_(literal(None, named.catalog.columns[name].type_name), exp.to_identifier(name, quoted=True))
        for name in named.visible_columns()
    ]
    nothing = exp.Select(expressions=outputs, where=exp.Where(this=exp.Boolean(this=False)))
    alias = item.args.get("alias") or exp.TableAlias(this=exp.to_identifier(alias_of(item), quoted=True))
    relation = exp.Subquery(this=nothing, alias=alias, joins=item.args.get("joins"))
    ANSWERED.put(relation, 1)
    return relation
