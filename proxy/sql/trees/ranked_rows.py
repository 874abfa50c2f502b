"""The rows of a correlated subquery for all keys at once: those of each key in order, and the first of them."""

from __future__ import annotations

from sqlglot import exp

from proxy.sql.names import folded
from proxy.sql.refusal import correlation_refusal
from proxy.sql.trees.correlation import CorrelationKey, conjunction
from proxy.sql.trees.walking import unaliased

_PREFIX = "dplateral_"
_RANK = "dprank"


def key_name(position: int) -> str:
    """The output that holds a key, counted from 0."""
    return f"{_PREFIX}{position}"


def with_keys(body: exp.Select, keys: list[CorrelationKey], rest: list[exp.Expr], *, group: bool) -> exp.Select:
    """The subquery over the rows of all keys, with the keys among its outputs."""
    inner = body.copy()
    inner.set("where", conjunction(rest))
    outputs = [exp.alias_(key.inner.copy(), key_name(position)) for position, key in enumerate(keys)]
    inner.set("expressions", [*inner.expressions, *outputs])
    if group:
        old = inner.args.get("group")
        expressions = [*(old.expressions if old is not None else []), *(key.inner.copy() for key in keys)]
        inner.set("group", exp.Group(expressions=expressions))
    inner.set("limit", None)
    return inner


def limited(inner: exp.Select, body: exp.Select, keys: list[CorrelationKey], *, released: bool) -> exp.Select:
    """ORDER BY … LIMIT n within each key: of rows, or of groups that are released."""
    limit, order = body.args.get("limit"), inner.args.get("order")
    inner.set("order", None)
    if limit is None:
        return inner
    count = limit.expression
    if not isinstance(limit, exp.Limit) or not isinstance(count, exp.Literal) or not count.name.isdigit():
        raise correlation_refusal(body)
    if inner.args.get("group") is not None and not released:
        raise correlation_refusal(body)
    rank = exp.Window(
        this=exp.Anonymous(this="row_number"),
        partition_by=[key.inner.copy() for key in keys],
        order=_order_of_rows(order, body),
        over="OVER",
    )
    inner.set("expressions", [*inner.expressions, exp.alias_(rank, _RANK)])
    ranked = exp.Subquery(this=inner, alias=exp.TableAlias(this=exp.to_identifier("dpranked")))
    kept = exp.LTE(this=exp.column(_RANK, table="dpranked"), expression=count.copy())
    return exp.Select(expressions=[exp.Star()], from_=exp.From(this=ranked), where=exp.Where(this=kept))


def _order_of_rows(order: exp.Expr | None, body: exp.Select) -> exp.Order | None:
    """ORDER BY with ordinals and output aliases resolved, as OVER needs it."""
    if not isinstance(order, exp.Order):
        return None
    aliased = {folded(o.args["alias"]): o.this for o in body.expressions if isinstance(o, exp.Alias)}
    copy = order.copy()
    for item in copy.expressions:
        value = item.this
        if isinstance(value, exp.Literal) and value.name.isdigit() and 1 <= int(value.name) <= len(body.expressions):
            item.set("this", unaliased(body.expressions[int(value.name) - 1]).copy())
        elif isinstance(value, exp.Column) and not value.args.get("table") and folded(value.this) in aliased:
            item.set("this", aliased[folded(value.this)].copy())
    return copy
