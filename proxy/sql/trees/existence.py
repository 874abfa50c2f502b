"""Rewrites EXISTS and IN over private rows as counts of rows, wherever they are no condition that rows must meet.

In a CASE, an OR or a FILTER the source may compute such a predicate anew for each row, and how long that takes depends
on how many rows a unit has. A count by key is computed once, in a join (`scalar_subqueries`): EXISTS (…) becomes
(SELECT count(*) …) > 0, and so does x IN (…) where NULL counts as false.

`x NOT IN (SELECT y … WHERE y IS NOT NULL)` is NOT EXISTS (SELECT … WHERE y IS NOT NULL AND y = x) first, where WHERE
leaves no NULL in x either: that of a column the catalog does not know.
"""

from __future__ import annotations

from sqlglot import exp

from proxy.errors import UnsupportedError
from proxy.sql.names import folded
from proxy.sql.schema import Schema
from proxy.sql.trees.aggregate_calls import is_aggregate
from proxy.sql.trees.conjuncts import conjuncts, is_conjunct
from proxy.sql.trees.correlation import correlation_keys
from proxy.sql.trees.null_columns import fails_without
from proxy.sql.trees.own_ties import tied_to_own_rows
from proxy.sql.trees.scopes import Scopes
from proxy.sql.trees.walking import alias_of, body_of, items_of, nested_queries, own_nodes, unaliased

_PLAIN = {"expressions", "from_", "joins", "where"}
_ASIDE = {"distinct", "order", "limit"}


def write_existence_as_counts(query: exp.Query, schema: Schema, _search_path: tuple[str, ...]) -> exp.Query:
    """Rewrite the predicates in place. Others stay, and are refused when they are compiled."""
    _write(query, Scopes(schema))
    return query


def _write(query: exp.Expr, scopes: Scopes) -> None:
    for child in nested_queries(query):
        _write(child, scopes)
    if not isinstance(query, exp.Select) or not scopes.has_rows(query):
        return
    for member in [node for node in own_nodes(query) if isinstance(node, exp.In)]:
        written = _as_existence(member, query, scopes)
        if written is not None:
            member.replace(written)
    for exists in [node for node in own_nodes(query) if isinstance(node, exp.Exists)]:
        if scopes.outer_columns(body_of(exists.this)):
            _drop_what_does_not_matter(exists)
    clauses = [*query.expressions, query.args.get("where"), query.args.get("group")]
    for clause in clauses:
        for node in own_nodes(clause) if clause is not None else []:
            if isinstance(node, (exp.Exists, exp.In)) and not is_conjunct(node):
                counted = _counted(node, query, scopes)
                if counted is not None:
                    node.replace(
                        exp.Paren(this=exp.GT(this=exp.Subquery(this=counted), expression=exp.Literal.number(0)))
                    )


def _as_existence(node: exp.In, select: exp.Select, scopes: Scopes) -> exp.Exists | None:
    """IN that is NULL in no row, since WHERE leaves it none to compare with; None for another one."""
    body = body_of(node.args["query"]) if node.args.get("query") is not None else None
    if not isinstance(body, exp.Select) or not scopes.has_rows(body) or counts_null_as_false(node):
        return None
    distinct = body.args.get("distinct")
    known = _PLAIN | {"distinct", "order"}
    if any(value and name not in known for name, value in body.args.items()) or (distinct and distinct.args.get("on")):
        return None
    value, outputs = node.this.unnest(), [unaliased(output) for output in body.expressions]
    qualified = _qualified(value, select, body, scopes)
    if qualified is None or len(outputs) != 1:
        return None
    sides: list[tuple[exp.Expr, exp.Select]] = [(outputs[0], body)]
    if not isinstance(value, exp.Literal):
        sides.append((value, select))
    unknown = [side for side in sides if not _is_present(*side, scopes)]
    if not unknown or not all(_is_left_present(*side, node, scopes) for side in unknown):
        return None
    where = body.args.get("where")
    equal = exp.EQ(this=outputs[0].copy(), expression=qualified)
    written = body.copy()
    written.set("where", exp.Where(this=exp.and_(*(conjuncts(where.this) if where is not None else []), equal)))
    written.set("distinct", None)
    written.set("order", None)
    return exp.Exists(this=written)


def _is_left_present(column: exp.Expr, query: exp.Expr, predicate: exp.Expr, scopes: Scopes) -> bool:
    """Does a condition of a query's WHERE, apart from a predicate in it, leave no row in which a column is NULL?"""
    bare, where = column.unnest(), query.args.get("where")
    owner = scopes.owner(bare, query) if isinstance(bare, exp.Column) else None
    if where is None or owner is None:
        return False

    def is_same(other: exp.Column) -> bool:
        return folded(other.this) == folded(bare.this) and scopes.owner(other, query) is owner

    return any(
        fails_without(conjunct, is_same)
        for conjunct in conjuncts(where.this)
        if all(node is not predicate for node in own_nodes(conjunct))
    )


def _drop_what_does_not_matter(exists: exp.Exists) -> None:
    """Drop what changes neither that there are rows nor that there are none: DISTINCT, ORDER BY, and LIMIT of one row
    or more."""
    body, limit = body_of(exists.this), body_of(exists.this).args.get("limit")
    if not isinstance(body, exp.Select) or any(v for name, v in body.args.items() if name not in _PLAIN | _ASIDE):
        return
    if limit is not None and not (isinstance(limit, exp.Limit) and _is_positive(limit.expression)):
        return
    if any(is_aggregate(node) for output in body.expressions for node in own_nodes(output)):
        return
    for clause in _ASIDE:
        body.set(clause, None)


def _is_positive(node: exp.Expr) -> bool:
    return isinstance(node, exp.Literal) and node.name.isdigit() and int(node.name) > 0


def _counted(node: exp.Expr, select: exp.Select, scopes: Scopes) -> exp.Select | None:
    """The count of the rows that make the predicate true."""
    inner = node.this if isinstance(node, exp.Exists) else node.args.get("query")
    body = body_of(inner) if inner is not None else None
    if not isinstance(body, exp.Select) or not scopes.has_rows(body):
        return None
    if any(value and name not in _PLAIN for name, value in body.args.items()):
        return None
    conditions: list[exp.Expr] = []
    if isinstance(node, exp.In):
        value, outputs = node.this.unnest(), [unaliased(output) for output in body.expressions]
        qualified = _qualified(value, select, body, scopes)
        if (
            qualified is None
            or len(outputs) != 1
            or not isinstance(outputs[0], exp.Column)
            or not (counts_null_as_false(node) or is_never_null(value, select, body, scopes))
        ):
            return None
        conditions.append(exp.EQ(this=outputs[0].copy(), expression=qualified))
    counted = body.copy()
    counted.set("expressions", [exp.Anonymous(this="count", expressions=[exp.Star()])])
    where = counted.args.get("where")
    conditions = [*(conjuncts(where.this) if where is not None else []), *conditions]
    if conditions:
        counted.set("where", exp.Where(this=exp.and_(*(condition.copy() for condition in conditions), copy=False)))
    if tied_to_own_rows(counted, select, scopes) is not None:
        return counted
    try:
        correlation_keys(counted, scopes)
    except UnsupportedError:
        return None
    return counted


def _qualified(value: exp.Expr, select: exp.Select, body: exp.Select, scopes: Scopes) -> exp.Expr | None:
    """A column of the rows around the subquery, qualified by its table, so that nothing inside has that name; or a
    constant."""
    if isinstance(value, exp.Literal):
        return value.copy()
    if not isinstance(value, exp.Column):
        return None
    owner = scopes.owner(value, select)
    name = alias_of(owner) if owner is not None else None
    if name is None or name in [alias_of(item.this) for item in items_of(body)]:
        return None
    return exp.Column(this=value.this.copy(), table=exp.to_identifier(name, quoted=True))


def counts_null_as_false(node: exp.Expr) -> bool:
    """Does it only matter whether the predicate is true: below AND and OR, in WHERE, FILTER or WHEN?"""
    child, parent = node, node.parent
    while isinstance(parent, (exp.And, exp.Or, exp.Paren)):
        child, parent = parent, parent.parent
    return isinstance(parent, exp.Where) or (isinstance(parent, exp.If) and child.arg_key == "this")


def is_never_null(value: exp.Expr, select: exp.Select, body: exp.Expr, scopes: Scopes) -> bool:
    """Are a value of `select` and the members of a list columns that are never NULL, so that IN is not?"""
    outputs = [unaliased(output) for output in body.expressions] if isinstance(body, exp.Select) else []
    return len(outputs) == 1 and _is_present(value, select, scopes) and _is_present(outputs[0], body, scopes)


def _is_present(column: exp.Expr, query: exp.Expr, scopes: Scopes) -> bool:
    bare = column.unnest()
    owner = scopes.owner(bare, query) if isinstance(bare, exp.Column) and not query.args.get("joins") else None
    named = scopes.table(owner) if owner is not None else None
    return named is not None and not named.nullable(folded(bare.this))
