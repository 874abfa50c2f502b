"""Writes width_bucket between bounds that are no constants as a CASE: its results are, so that buckets are declared.

`width_bucket(cost, (SELECT min(cost) FROM visits), (SELECT max(cost) FROM visits), 3)`, or columns of a subquery that
releases them, compares distances from the first bound: bucket k is the first one with distance * 3 < width * k. Equal
bounds, for which Postgres fails, give NULL.
"""

from __future__ import annotations

from sqlglot import exp

from proxy.sql.nodes import find_all
from proxy.sql.schema import Schema
from proxy.sql.trees.aggregate_calls import is_aggregate, released_clauses
from proxy.sql.trees.marks import BUCKETS
from proxy.sql.trees.scopes import Scopes
from proxy.sql.trees.walking import own_nodes

_MOST_BUCKETS = 100


def write_released_buckets_as_cases(query: exp.Query, schema: Schema, _search_path: tuple[str, ...]) -> exp.Query:
    """Rewrite the calls whose bounds are subqueries or columns, in SELECTs over private rows, in place.

    Args:
        query: a tree in which every table of the policy has its schema and every row-level CTE is written out.
        schema: policy and catalog.
    """
    scopes = Scopes(schema)
    # The innermost first: where it is copied, the copy is rewritten too.
    for select in reversed(find_all(query, exp.Select)):
        if not scopes.has_rows(select):
            continue
        clauses = [*released_clauses(select), *([select.args["group"]] if select.args.get("group") else [])]
        for node in [node for clause in clauses for node in own_nodes(clause)]:
            if isinstance(node, exp.Anonymous) and node.name.lower() == "width_bucket":
                case = _case(node)
                if case is not None:
                    BUCKETS.put(case, 0)
                    node.replace(case)
    return query


def value_and_width(case: exp.Expr) -> tuple[exp.Expr, exp.Expr]:
    """The value of such a CASE and the distance between its bounds: it is NULL if one of them is NULL, or the distance
    zero."""
    ends: exp.Expr = case.args["ifs"][0].this
    return ends.this.this.this, ends.expression.this


def _case(call: exp.Anonymous) -> exp.Expr | None:
    """The CASE; None for constant bounds, or too many buckets, as the call takes them, and for what is computed of
    released numbers, which is not counted by its result."""
    if len(call.expressions) != 4 or any(map(is_aggregate, own_nodes(call))):
        return None
    value, low, high, count = call.expressions
    between = any(isinstance(node, (exp.Subquery, exp.Column)) for bound in (low, high) for node in own_nodes(bound))
    if not between or not isinstance(count, exp.Literal) or not count.name.isdigit():
        return None
    buckets = int(count.name)
    if not 1 <= buckets <= _MOST_BUCKETS:
        return None
    width = exp.Paren(this=exp.Sub(this=_paren(high), expression=_paren(low)))
    sign = exp.Anonymous(this="sign", expressions=[width])
    distance = exp.Mul(this=exp.Paren(this=exp.Sub(this=_paren(value), expression=_paren(low))), expression=sign)
    scaled = exp.Mul(this=distance, expression=exp.Literal.number(buckets))
    size = exp.Anonymous(this="abs", expressions=[width])
    null, zero = exp.Null(), exp.Literal.number(0)
    either_is_null = exp.Or(this=_is_null(value), expression=exp.Is(this=width, expression=exp.Null()))
    branches: list[tuple[exp.Expr, exp.Expr]] = [
        (exp.Or(this=either_is_null, expression=exp.EQ(this=width, expression=zero)), null),
        (exp.LT(this=scaled, expression=zero), zero),
    ]
    for bucket in range(1, buckets + 1):
        edge = exp.Mul(this=size, expression=exp.Literal.number(bucket))
        branches.append((exp.LT(this=scaled, expression=edge), exp.Literal.number(bucket)))
    ifs = [exp.If(this=condition.copy(), true=result.copy()) for condition, result in branches]
    return exp.Case(ifs=ifs, default=exp.Literal.number(buckets + 1))


def _paren(node: exp.Expr) -> exp.Expr:
    return exp.Paren(this=node.copy())


def _is_null(node: exp.Expr) -> exp.Expr:
    return exp.Is(this=_paren(node), expression=exp.Null())
