"""Ties a subquery to public rows around it by an equality, where the client compares with them in other ways:

    SELECT day, (SELECT count(*) FROM visits v WHERE v.visited_at < day) FROM generate_series(…) AS d(day)

counts the visits before each day. So it is a join of the visits with the days, grouped by day: the subquery reads the
distinct days beside its own rows, and only their equality ties it to the row around it.
"""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from functools import partial

from sqlglot import exp

from proxy.sql.names import folded
from proxy.sql.nodes import find_all
from proxy.sql.trees.conjuncts import conjuncts
from proxy.sql.trees.correlation import conjunction, correlation_key
from proxy.sql.trees.null_columns import fails_without
from proxy.sql.trees.scopes import Scopes
from proxy.sql.trees.walking import alias_of, ancestors, append_join, items_of, nested_queries, own_nodes

_NAME = "dpouter"

_OF_VALUES = (
    *(exp.Paren, exp.And, exp.Or, exp.Not, exp.Is, exp.EQ, exp.NEQ, exp.LT, exp.LTE, exp.GT, exp.GTE, exp.Between),
    *(exp.In, exp.Add, exp.Sub, exp.Mul, exp.Div, exp.Neg, exp.Cast, exp.Interval),
)
"""What is the same for equal values of numbers, times and texts, so that one of them stands for all. A cast to text is
not: 1.0 and 1.00 are equal."""


def distinct_keys(
    item: exp.Expr, keys: Mapping[str, exp.Column], select: exp.Select, scopes: Scopes, alias: str
) -> exp.Subquery:
    """The distinct rows of some columns of an item of public rows, none of them NULL, as another item.

    Args:
        item: of the FROM clause of `select`.
        keys: the columns, by the names that they are to have.
        select: the query, whose conditions on the item alone apply.
        scopes: of the statement.
        alias: the name of the new item.
    """
    where = select.args.get("where")
    kept = [
        conjunct.copy()
        for conjunct in (conjuncts(where.this) if where is not None else [])
        if _concerns_only(conjunct, item, select, scopes)
    ]
    present = [exp.Not(this=exp.Is(this=key.copy(), expression=exp.Null())) for key in keys.values()]
    source = item.copy()
    source.set("joins", None)
    distinct = exp.Select(
        expressions=[exp.alias_(key.copy(), name, quoted=True) for name, key in keys.items()],
        distinct=exp.Distinct(),
        from_=exp.From(this=source),
        where=conjunction([*present, *kept]),
    )
    return exp.Subquery(this=distinct, alias=exp.TableAlias(this=exp.to_identifier(alias)))


def _concerns_only(conjunct: exp.Expr, item: exp.Expr, select: exp.Select, scopes: Scopes) -> bool:
    """Is it a condition on the rows of one public item of `select` alone?"""
    columns = [node for node in own_nodes(conjunct) if isinstance(node, exp.Column)]
    if not columns or any(scopes.owner(column, select) is not item for column in columns):
        return False
    inner = nested_queries(conjunct)
    if any(isinstance(node, exp.Subquery) and not isinstance(node.parent, exp.In) for node in own_nodes(conjunct)):
        return False
    return all(scopes.is_plain_public(query) and not scopes.outer_columns(query) for query in inner)


def tied_to_public_rows(body: exp.Select, select: exp.Select, scopes: Scopes) -> exp.Select | None:
    """A copy of a subquery that equalities alone tie to the row around it; None if no others do, or if it must not be.

    Args:
        body: the subquery, which stands in `select`.
        select: the query around it.
        scopes: of the statement.
    """
    compared = _compared(body, select, scopes)
    if compared is None:
        return None
    item, columns = compared
    names = list(dict.fromkeys(folded(column.this) for column in columns))
    # Under names of their own: the subquery may name a column of its rows like one of theirs, without qualifying it.
    around = {f"{_NAME}_{name}": _qualified(name, alias_of(item)) for name in names}
    copy = body.copy()
    outer = set(map(id, columns))
    pairs = zip(find_all(body, exp.Column), find_all(copy, exp.Column), strict=True)
    for column in [new for old, new in pairs if id(old) in outer]:
        column.replace(_qualified(f"{_NAME}_{folded(column.this)}", _NAME))
    if not append_join(copy, exp.Join(this=distinct_keys(item, around, select, scopes, _NAME), kind="CROSS")):
        return None
    ties = [exp.EQ(this=_qualified(name, _NAME), expression=column) for name, column in around.items()]
    copy.set("where", conjunction([copy.args["where"].this, *ties]))
    return copy


def _compared(body: exp.Select, select: exp.Select, scopes: Scopes) -> tuple[exp.Expr, list[exp.Column]] | None:
    """The item of public rows around a subquery, and the columns of it that the subquery's WHERE reads otherwise than
    in equalities that tie it already."""
    where = body.args.get("where")
    if where is None:
        return None
    outer = scopes.outer_columns(body)
    keys = [correlation_key(conjunct, set(map(id, outer))) for conjunct in conjuncts(where.this)]
    tied = {id(key.outer) for key in keys if key is not None}
    columns = [column for column in outer if id(column) not in tied]
    owners = [_owner(column, select, scopes) for column in columns]
    item = owners[0] if owners else None
    if item is None or any(owner is not item for owner in owners) or alias_of(item) is None:
        return None
    if scopes.item_is_rows(item):
        return None
    if not all(_stands_for_equals(column, where) for column in columns):
        return None
    # A row around it without a value ties to nothing, so that no row of the subquery may have passed with it.
    same: dict[str, set[int]] = {}
    for column in columns:
        same.setdefault(folded(column.this), set()).add(id(column))
    if not all(fails_without(where.this, partial(_is_among, ids)) for ids in same.values()):
        return None
    return item, columns


def _is_among(ids: AbstractSet[int], column: exp.Column) -> bool:
    return id(column) in ids


def _owner(column: exp.Column, select: exp.Select, scopes: Scopes) -> exp.Expr | None:
    """The item of `select` that a column means, where that is certain enough to try: if it is another one, Postgres
    refuses what is made of it."""
    found: exp.Expr | None = scopes.owner(column, select)
    items: list[exp.Expr] = [holder.this for holder in items_of(select)]
    if found is not None or len(items) != 1 or column.args.get("table") is not None or scopes.columns(items[0]):
        return found
    return items[0]


def _stands_for_equals(column: exp.Column, where: exp.Expr) -> bool:
    """Is all that is computed of a column the same for equal values?"""
    for node in ancestors(column):
        if node is where:
            return True
        if not isinstance(node, _OF_VALUES) or (isinstance(node, exp.Cast) and _is_text(node)):
            return False
    return False


def _is_text(cast: exp.Cast) -> bool:
    to = cast.args.get("to")
    return not isinstance(to, exp.DataType) or to.this in (*exp.DataType.TEXT_TYPES, exp.DType.USERDEFINED)


def _qualified(name: str, table: str | None) -> exp.Column:
    return exp.column(exp.to_identifier(name, quoted=True), table=exp.to_identifier(table, quoted=True))
