"""Rewrites `x > ALL (SELECT y …)` and `x > ANY (SELECT y …)` among private rows as NOT EXISTS and EXISTS.

The second is true where a row with `x > y` exists, the first where none exists for which that is false or NULL. Where
the predicates are NULL, these are false, so that they are rewritten only where NULL counts as false.
"""

from __future__ import annotations

from sqlglot import exp

from proxy.sql.schema import Schema
from proxy.sql.trees.aggregate_calls import is_aggregate, is_among_rows
from proxy.sql.trees.existence import counts_null_as_false
from proxy.sql.trees.scopes import Scopes
from proxy.sql.trees.walking import alias_of, body_of, is_star, items_of, nested_queries, own_nodes, unaliased

_NEGATED: dict[type[exp.Expr], type[exp.Binary]] = {
    exp.LT: exp.GTE,
    exp.LTE: exp.GT,
    exp.GT: exp.LTE,
    exp.GTE: exp.LT,
    exp.EQ: exp.NEQ,
    exp.NEQ: exp.EQ,
}
"""What a comparison is where it is false, and both sides are not NULL. NaN has its place in Postgres's order."""

_PLAIN = {"expressions", "from_", "joins", "where"}
_NAME, _VALUE = "dpcompared", "dpcompared_value"


def write_quantifiers_as_existence(query: exp.Query, schema: Schema, _search_path: tuple[str, ...]) -> exp.Query:
    """Rewrite the predicates in place. Others stay, and are refused when they are compiled.

    Args:
        query: a tree in which every table of the policy has its schema and every row-level CTE is written out.
        schema: policy and catalog.
    """
    _write(query, Scopes(schema))
    return query


def _write(query: exp.Expr, scopes: Scopes) -> None:
    for child in nested_queries(query):
        _write(child, scopes)
    if not isinstance(query, exp.Select) or not scopes.has_rows(query):
        return
    clauses = [*query.expressions, query.args.get("where")]
    for node in [node for clause in clauses if clause is not None for node in own_nodes(clause)]:
        quantifier = node.expression if type(node) in _NEGATED else None
        if not isinstance(node, exp.Binary) or not isinstance(quantifier, (exp.Any, exp.All)):
            continue
        body = body_of(quantifier.this)
        place, negated = _negations(node)
        if not isinstance(body, exp.Query) or not counts_null_as_false(place) or not is_among_rows(node, query):
            continue
        every = isinstance(quantifier, exp.All) is not negated
        comparison = (_NEGATED[type(node)] if negated else type(node))(this=node.this.copy())
        found = _compared(body, comparison, query, scopes, every=every)
        if found is not None:
            exists = exp.Exists(this=found)
            place.replace(exp.Not(this=exists) if every else exists)


def _negations(node: exp.Expr) -> tuple[exp.Expr, bool]:
    """The outermost of the NOTs and parentheses around a predicate, and whether they negate it."""
    negated = False
    while isinstance(node.parent, (exp.Not, exp.Paren)):
        negated ^= isinstance(node.parent, exp.Not)
        node = node.parent
    return node, negated


def _compared(
    body: exp.Query, comparison: exp.Binary, select: exp.Select, scopes: Scopes, *, every: bool
) -> exp.Select | None:
    """The rows of a subquery for which a comparison is true, or, of `every` row, for which it is not.

    Args:
        body: the subquery.
        comparison: with the value of the rows of `select`, and nothing on its right side.
        select: the query around it.
        scopes: tells columns apart.
        every: is it ALL?
    """
    if _is_plain(body):
        found = body.copy()
        compared = unaliased(body.expressions[0]).copy()
    elif not scopes.outer_columns(body) and not scopes.reads_private(body):
        names = exp.TableAlias(this=exp.to_identifier(_NAME), columns=[exp.to_identifier(_VALUE)])
        found = exp.Select(from_=exp.From(this=exp.Subquery(this=body.copy(), alias=names)))
        compared = exp.column(_VALUE, table=_NAME)
    else:
        return None
    value = _qualified(comparison.this, select, found, scopes)
    if value is None:
        return None
    comparison.set("this", value)
    comparison.set("expression", exp.Paren(this=compared))
    condition: exp.Expr = comparison
    if every:
        condition = exp.Not(this=exp.Paren(this=exp.Is(this=exp.Paren(this=condition), expression=exp.true())))
    where = found.args.get("where")
    kept = [exp.Paren(this=where.this)] if where is not None else []
    found.set("where", exp.Where(this=exp.and_(*kept, condition, copy=False)))
    found.set("expressions", [exp.Literal.number(1)])
    return found if isinstance(found, exp.Select) else None


def _is_plain(body: exp.Query) -> bool:
    """Does it only choose rows, and show one value of each?"""
    if not isinstance(body, exp.Select) or body.args.get("from_") is None or len(body.expressions) != 1:
        return False
    output = body.expressions[0]
    if is_star(output) or any(value for name, value in body.args.items() if name not in _PLAIN):
        return False
    return not any(is_aggregate(node) or isinstance(node, (exp.Window, exp.Unnest)) for node in own_nodes(output))


def _qualified(value: exp.Expr, select: exp.Select, body: exp.Query, scopes: Scopes) -> exp.Expr | None:
    """A value of the rows around a subquery with its columns qualified, so that nothing inside has their names; None
    where that cannot be told."""
    if nested_queries(value):
        return None
    inside = [alias_of(item.this) for item in items_of(body)] if isinstance(body, exp.Select) else []
    found = exp.Paren(this=value.copy())
    for column in [node for node in own_nodes(found) if isinstance(node, exp.Column)]:
        owner = scopes.owner(column, select) if isinstance(column.this, exp.Identifier) else None
        name = alias_of(owner) if owner is not None else None
        if name is None or name in inside:
            return None
        column.set("table", exp.to_identifier(name, quoted=True))
    return found
