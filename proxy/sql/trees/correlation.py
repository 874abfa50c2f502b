"""What ties a correlated subquery to the row around it: equalities between its rows and columns of that row."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from sqlglot import exp

from proxy.sql.names import folded
from proxy.sql.nodes import find_all, identical
from proxy.sql.postgres_aggregates import ZERO_OVER_NOTHING
from proxy.sql.refusal import correlation_refusal
from proxy.sql.trees.aggregate_calls import aggregate_name, collect
from proxy.sql.trees.conjuncts import conjuncts
from proxy.sql.trees.interval_calls import interval_call
from proxy.sql.trees.null_columns import is_null_without
from proxy.sql.trees.scopes import Scopes
from proxy.sql.trees.walking import nested_queries, own_nodes


@dataclass(frozen=True)
class CorrelationKey:
    """`inner` = `outer`: an expression over the subquery's rows and a column of the query around it."""

    inner: exp.Expr
    outer: exp.Column


def correlation_keys(body: exp.Select, scopes: Scopes) -> tuple[list[CorrelationKey], list[exp.Expr]]:
    """The conjuncts of a subquery's WHERE that tie it to the row around it, and the other conjuncts, with those that
    leave out rows which no equality ties.

    Raises:
        UnsupportedError: there is none, or the subquery also uses the row around it elsewhere.
    """
    where = body.args.get("where")
    outer = {id(column) for column in scopes.outer_columns(body)}
    keys: list[CorrelationKey] = []
    rest: list[exp.Expr] = []
    for conjunct in conjuncts(where.this) if where is not None else []:
        key = correlation_key(conjunct, outer)
        if key is not None:
            keys.append(key)
        else:
            rest.append(conjunct)
    inner = body.copy()
    inner.set("where", exp.Where(this=exp.and_(*(part.copy() for part in rest))) if rest else None)
    if not keys or scopes.outer_columns(inner):
        raise correlation_refusal(body)
    return keys, rest + [_is_not_null(key.inner) for key in keys if _lacks_unit(key.inner, body, scopes)]


def _lacks_unit(inner: exp.Expr, body: exp.Select, scopes: Scopes) -> bool:
    """Is it a unit's column that is NULL in rows that are units of their own? Such rows equal no row around them, and
    would be one group of several units."""
    bare = inner.unnest()
    owner = scopes.owner(bare, body) if isinstance(bare, exp.Column) else None
    named = scopes.table(owner) if owner is not None else None
    return named is not None and named.lacks_unit(folded(bare.this))


def _is_not_null(inner: exp.Expr) -> exp.Expr:
    return exp.Not(this=exp.Paren(this=exp.Is(this=inner.copy(), expression=exp.Null())))


def correlation_key(conjunct: exp.Expr, outer: AbstractSet[int]) -> CorrelationKey | None:
    """The key that a condition gives, if it is one.

    Args:
        conjunct: of a subquery's WHERE.
        outer: the ids of the column nodes that mean the row around it.
    """
    if not isinstance(conjunct, exp.EQ):
        return None
    for inner, outer_side in ((conjunct.this, conjunct.expression), (conjunct.expression, conjunct.this)):
        bare = outer_side.unnest()
        if isinstance(bare, exp.Column) and id(bare) in outer:
            columns = find_all(inner, exp.Column)
            # A constant would be a group key that Postgres takes for a position or refuses.
            is_inner = bool(columns) and not any(id(column) in outer for column in columns)
            return CorrelationKey(inner, bare) if is_inner else None
    return None


def conjunction(parts: Sequence[exp.Expr]) -> exp.Where | None:
    """WHERE with copies of the parts; None without parts."""
    return exp.Where(this=exp.and_(*(exp.Paren(this=part.copy()) for part in parts))) if parts else None


@dataclass(frozen=True)
class Outside:
    """An output as it is computed outside of a subquery that has no row where there is nothing to aggregate.

    Attributes:
        inner: the outputs of the subquery that it is made of.
        value: the output, given a column for each of these, NULL where there is no row.
    """

    inner: tuple[exp.Expr, ...]
    value: exp.Expr


def outside(output: exp.Expr, column: Callable[[int], exp.Expr]) -> Outside | None:
    """What is computed from aggregates over the rows of a key, so that it is right for a key without rows: counts are 0
    there, other aggregates and noise intervals NULL. What is NULL then stays one column. Else each aggregate is one:
    a column has its type where it is NULL, too.

    None for what has to be computed where the rows are, though it may be no NULL without them.

    Args:
        output: without an alias.
        column: that of one of the subquery's outputs.
    """
    if _is_null_over_nothing(output):
        return Outside((output.copy(),), column(0))
    apart = [node for node in own_nodes(output) if isinstance(node, exp.Window) or interval_call(node) is not None]
    if apart or nested_queries(output):
        return None
    copy = exp.Paren(this=output.copy())
    calls: list[exp.Expr] = []
    for call in collect([copy]):
        place = next((place for place, known in enumerate(calls) if identical(known, call)), len(calls))
        calls += [call.copy()] if place == len(calls) else []
        call.replace(_counted(call, column(place)))
    # A count alone needs no parentheses around its coalesce().
    return Outside(tuple(calls), copy.this if isinstance(copy.this, exp.Anonymous) else copy)


def _counted(call: exp.Expr, column: exp.Expr) -> exp.Expr:
    if aggregate_name(call) not in ZERO_OVER_NOTHING:
        return column
    return exp.Anonymous(this="coalesce", expressions=[column, exp.Literal.number(0)])


def value_of_nothing(output: exp.Expr) -> exp.Expr:
    """The value of an output that is computed from aggregates, for a key without rows."""
    copy = exp.Paren(this=output.copy())
    for call in collect([copy]):
        call.replace(_nothing(call))
    for node in own_nodes(copy):
        if interval_call(node) is not None:
            node.replace(exp.Null())
    return copy


def _nothing(call: exp.Expr) -> exp.Expr:
    name = aggregate_name(call)
    if name in ZERO_OVER_NOTHING:
        return exp.Literal.number(0)
    return exp.Cast(this=exp.Null(), to=exp.DataType.build("numeric")) if name in ("sum", "avg") else exp.Null()


def _is_null_over_nothing(output: exp.Expr) -> bool:
    return is_null_without(value_of_nothing(output), lambda _: False)
