"""Ties a correlated subquery to the row of a private table around it by that table's key, where the client compares
with the row in other ways than by equalities:

    SELECT avg((SELECT sum(cost) FROM visits v WHERE v.patient_id = p.patient_id AND v.visited_at < p.born + 7300))
    FROM patients p

adds up the visits that meet the condition for each row of patients. So it is a join of the visits with the patients,
grouped by the key of these: the subquery reads the table around it once more, beside its own rows, and equalities alone
tie both to the row around it. That the join stays within one unit is for the compiler to prove.
"""

from __future__ import annotations

from collections.abc import Set

from sqlglot import exp

from proxy.sql.names import folded
from proxy.sql.nodes import find_all
from proxy.sql.trees.aggregate_calls import is_aggregate
from proxy.sql.trees.conjuncts import conjuncts
from proxy.sql.trees.correlation import CorrelationKey, conjunction, correlation_key
from proxy.sql.trees.scopes import Scopes
from proxy.sql.trees.walking import alias_of, ancestors, append_join

_NAME = "dpown"


def tied_to_own_rows(body: exp.Select, select: exp.Select, scopes: Scopes) -> exp.Select | None:
    """A copy of a subquery that equalities alone tie to the row around it; None if they do already, or if that cannot
    be.

    Args:
        body: the subquery, which stands in `select`.
        select: the query around it.
        scopes: of the statement.
    """
    where = body.args.get("where")
    outer = scopes.outer_columns(body)
    ids = set(map(id, outer))
    equal = [correlation_key(conjunct, ids) for conjunct in conjuncts(where.this)] if where is not None else []
    keys = [key for key in equal if key is not None]
    tied = {id(key.outer) for key in keys}
    items = {id(item): item for item in (scopes.owner(column, select) for column in outer)}
    if where is None or not keys or len(items) != 1 or all(id(column) in tied for column in outer):
        return None
    (item,) = items.values()
    named = scopes.table(item) if item is not None else None
    alias = alias_of(item) if item is not None else None
    if item is None or named is None or not named.private or alias is None or item.args.get("joins"):
        return None
    if not all(_is_in_where_or_call(column, body, ids) for column in outer):
        return None
    if not any(_tells_the_same(key, item, body, scopes) for key in keys):
        return None
    primary = frozenset(named.catalog.primary_key)
    if primary not in named.unique_keys or not all(map(named.visible, primary)):
        return None
    copy = body.copy()
    pairs = zip(find_all(body, exp.Column), find_all(copy, exp.Column), strict=True)
    for column in [new for old, new in pairs if id(old) in ids]:
        column.replace(_own(folded(column.this)))
    read = sorted(primary | {folded(column.this) for column in outer})
    # Under names of their own: the subquery may name a column of its rows like one of theirs, without qualifying it.
    rows = exp.Select(
        expressions=[exp.alias_(_column(name, alias), f"{_NAME}_{name}", quoted=True) for name in read],
        from_=exp.From(this=item.copy()),
    )
    own = exp.Subquery(this=rows, alias=exp.TableAlias(this=exp.to_identifier(_NAME)))
    if not append_join(copy, exp.Join(this=own, kind="CROSS")):
        return None
    ties = [exp.EQ(this=key.inner.copy(), expression=key.outer.copy()) for key in keys]
    ties += [exp.EQ(this=_own(name), expression=_column(name, alias)) for name in sorted(primary)]
    copy.set("where", conjunction([copy.args["where"].this, *ties]))
    return copy


def _tells_the_same(key: CorrelationKey, item: exp.Expr, body: exp.Select, scopes: Scopes) -> bool:
    """Does a key equate what identifies units, on both sides?"""
    inner = key.inner.unnest()
    owner = scopes.owner(inner, body) if isinstance(inner, exp.Column) else None
    if owner is None or not isinstance(inner, exp.Column):
        return False
    around, within = scopes.columns(item), scopes.columns(owner)
    return bool(within.get(folded(inner.this), frozenset()) & around.get(folded(key.outer.this), frozenset()))


def _is_in_where_or_call(column: exp.Column, body: exp.Select, outer: Set[int]) -> bool:
    """Does a column of the row around a subquery stand in its WHERE, or in an aggregate of its own rows? An aggregate
    of outer columns alone is one of the query around it."""
    for node in ancestors(column):
        if is_aggregate(node):
            return any(id(other) not in outer for other in find_all(node, exp.Column))
        if node.parent is body:
            return node.arg_key == "where"
    return False


def _own(name: str) -> exp.Column:
    return _column(f"{_NAME}_{name}", _NAME)


def _column(name: str, table: str) -> exp.Column:
    return exp.column(exp.to_identifier(name, quoted=True), table=exp.to_identifier(table, quoted=True))
