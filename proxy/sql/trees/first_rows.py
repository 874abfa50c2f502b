"""Writes `(SELECT x … ORDER BY x LIMIT 1)` as `(SELECT min(x) …)`, which finds the same value."""

from __future__ import annotations

from sqlglot import exp

from proxy.sql.names import folded
from proxy.sql.terms.types import Kind
from proxy.sql.trees.conjuncts import conjuncts
from proxy.sql.trees.scopes import Scopes
from proxy.sql.trees.walking import output_name, unaliased

_CLAUSES = {"expressions", "from_", "joins", "where", "order", "limit"}


def as_extreme(body: exp.Expr, scopes: Scopes) -> exp.Expr:
    """The query with min or max in the place of ORDER BY and LIMIT 1, where its only output is what it is ordered by.
    The query itself where that is another value, or where NULL may come first.

    Args:
        body: a scalar subquery in a tree in which tables have their schemas.
        scopes: tells which columns can be NULL.
    """
    if not isinstance(body, exp.Select) or any(value for name, value in body.args.items() if name not in _CLAUSES):
        return body
    limit, order = body.args.get("limit"), body.args.get("order")
    if not isinstance(limit, exp.Limit) or limit.expression != exp.Literal.number(1) or order is None:
        return body
    if len(order.expressions) != 1 or len(body.expressions) != 1:
        return body
    ordered, output = order.expressions[0], body.expressions[0]
    value = unaliased(output)
    if not _is_of(ordered.this, output) or _is_boolean(value, body, scopes):
        return body
    # Postgres has NULL last, and first in descending order, unless it is said otherwise.
    if ordered.args.get("nulls_first") and not _is_never_null(value, body, scopes):
        return body
    found = body.copy()
    for clause in ("order", "limit"):
        found.set(clause, None)
    extreme = "max" if ordered.args.get("desc") else "min"
    call, name = exp.Anonymous(this=extreme, expressions=[value.copy()]), output_name(output)
    found.set("expressions", [exp.alias_(call, name) if name is not None else call])
    return found


def _is_of(key: exp.Expr, output: exp.Expr) -> bool:
    """Is a sort key the output itself, by its expression, name or position?"""
    if isinstance(key, exp.Literal):
        return key == exp.Literal.number(1)
    if isinstance(output, exp.Alias) and isinstance(key, exp.Column) and not key.args.get("table"):
        return folded(key.this) == output_name(output)
    return key == unaliased(output)


def _is_boolean(value: exp.Expr, body: exp.Select, scopes: Scopes) -> bool:
    """Is it a column of a type that has no min and max?"""
    owner = scopes.owner(value, body) if isinstance(value, exp.Column) else None
    named = scopes.table(owner) if owner is not None else None
    return named is not None and isinstance(value, exp.Column) and named.term(folded(value.this)).kind is Kind.BOOLEAN


def _is_never_null(value: exp.Expr, body: exp.Select, scopes: Scopes) -> bool:
    where = body.args.get("where")
    present = exp.Is(this=value.copy(), expression=exp.Null(), negate=True)
    if where is not None and present in conjuncts(where.this):
        return True
    owner = scopes.owner(value, body) if isinstance(value, exp.Column) and not body.args.get("joins") else None
    named = scopes.table(owner) if owner is not None else None
    return named is not None and isinstance(value, exp.Column) and not named.nullable(folded(value.this))
