"""Writes Looker's symmetric aggregates as what they mean: sums in which each key counts once.

Where a join repeats rows, Looker adds up a value once for each key of its table, as SUM(DISTINCT value + hash(key)) -
SUM(DISTINCT hash(key)) with two halves of an MD5 hash as one large number. That is sum(DISTINCT ON (key) value), which
only this project's trees can say; whether the value follows from the key is for the planner to prove.
"""

from __future__ import annotations

from functools import cache

from sqlglot import exp

from proxy.sql.nodes import copied, find_all
from proxy.sql.plain_postgres import PLAIN_POSTGRES, render
from proxy.sql.schema import Schema
from proxy.sql.trees.scopes import Scopes
from proxy.sql.trees.walking import own_nodes

_HASH = (
    "('x' || md5(k))::bit(64)::bigint::numeric * 18446744073709551616 + "
    "('x' || substr(md5(k), 17))::bit(64)::bigint::numeric"
)
_TEXTS = {exp.DType.VARCHAR, exp.DType.TEXT}


def write_hashed_sums_as_sums_by_key(query: exp.Query, schema: Schema, _search_path: tuple[str, ...]) -> exp.Query:
    """Write the differences of hashed sums in blocks as sums by key, in place.

    Args:
        query: a tree in which every table of the policy has its schema and every row-level CTE is written out.
        schema: policy and catalog.
    """
    scopes = Scopes(schema)
    # The innermost first: where it is copied, the copy is rewritten too.
    for select in reversed(find_all(query, exp.Select)):
        differences = [node for node in own_nodes(select) if isinstance(node, exp.Sub)]
        if not differences or not scopes.has_rows(select):
            continue
        for node in differences:
            summed = _sum_by_key(node)
            if summed is not None:
                node.replace(summed)
    return query


def without_keys(tree: exp.Expr) -> exp.Expr:
    """The tree with plain sums of distinct values in the place of sums by key, in place: it has the same types, and a
    Postgres can read it."""
    for node in find_all(tree, exp.Distinct):
        if isinstance(node.parent, exp.Anonymous):
            node.set("on", None)
    return tree


def _sum_by_key(difference: exp.Sub) -> exp.Expr | None:
    """sum(DISTINCT ON (key) value) for SUM(DISTINCT value + hash(key)) - SUM(DISTINCT hash(key)), else None."""
    both, hashed = _distinct_of(difference.this), _distinct_of(difference.expression)
    if not isinstance(both, exp.Add) or not isinstance(hashed, exp.Add):
        return None
    first = both.this.unnest()
    # value + high * 2^64 + low, beside high * 2^64 + low.
    if not isinstance(first, exp.Add) or first.expression != hashed.this or both.expression != hashed.expression:
        return None
    key = _key_of(hashed)
    if key is None:
        return None
    kept = exp.Distinct(expressions=[copied(first.this)], on=exp.Tuple(expressions=[copied(key)]))
    return exp.Anonymous(this="sum", expressions=[kept])


def _distinct_of(node: exp.Expr) -> exp.Expr | None:
    """What a sum of distinct values is of."""
    call = node.unnest()
    if not isinstance(call, exp.Anonymous) or call.name.lower() != "sum" or len(call.expressions) != 1:
        return None
    distinct = call.expressions[0]
    if not isinstance(distinct, exp.Distinct) or len(distinct.expressions) != 1:
        return None
    found: exp.Expr = distinct.expressions[0].unnest()
    return found


def _key_of(hashed: exp.Expr) -> exp.Expr | None:
    """The key of which this is Looker's hash; None for any other expression."""
    tree = copied(hashed)
    calls = [node for node in find_all(tree, exp.Anonymous) if node.name.lower() == "md5"]
    if not calls or any(call.expressions != calls[0].expressions for call in calls):
        return None
    text: exp.Expr | None = calls[0].expressions[0] if calls[0].expressions else None
    for call in calls:
        call.set("expressions", [exp.column("k")])
    if text is None or _normal(tree) != _looker_hash():
        return None
    while isinstance(text, (exp.Cast, exp.Paren)) and (isinstance(text, exp.Paren) or text.to.this in _TEXTS):
        text = text.this
    return text


@cache
def _looker_hash() -> str:
    return _normal(PLAIN_POSTGRES.parse(_HASH)[0])


def _normal(tree: exp.Expr | None) -> str:
    """The text of an expression without the lengths of its numbers, in lower case."""
    if tree is None:
        return ""
    for type_ in find_all(tree, exp.DataType):
        if type_.this == exp.DType.DECIMAL:
            type_.set("expressions", None)
    return render(tree).lower()
