"""Rewrites scalar subqueries as joins: those among private rows, and correlated ones over private rows.

`x > (SELECT avg(x) FROM t)` compares each row with one released number, `(SELECT avg(l.x) FROM lines l WHERE l.part =
p.part)` with one of many, by key. Either becomes a subquery in FROM, joined by its key with LEFT JOIN, which keeps
every row once. Then it is a block like any other or, where the key is the unit's, a per-unit GROUP BY.

`(SELECT zone FROM regions r WHERE r.name = v.region)` becomes a join along the key of the public table. In group keys
`region IN (SELECT …)` becomes a join, too: declared keys are made of columns.

A subquery whose key comes from a public table asks only for the keys of that table, under the conditions that the query
around it puts on them: they are its declared groups.
"""

from __future__ import annotations

from typing import TypeGuard

from sqlglot import exp

from proxy.sql.names import folded
from proxy.sql.nodes import identical
from proxy.sql.refusal import correlation_refusal, lone_groups_refusal, scalar_refusal
from proxy.sql.schema import Schema
from proxy.sql.trees.aggregate_calls import is_aggregate, is_among_rows, released_clauses, released_nodes
from proxy.sql.trees.conjuncts import conjuncts
from proxy.sql.trees.correlation import (
    CorrelationKey,
    Outside,
    conjunction,
    correlation_key,
    correlation_keys,
    outside,
    value_of_nothing,
)
from proxy.sql.trees.existence import counts_null_as_false, is_never_null
from proxy.sql.trees.first_rows import as_extreme
from proxy.sql.trees.key_expressions import key_expressions
from proxy.sql.trees.own_ties import tied_to_own_rows
from proxy.sql.trees.public_ties import distinct_keys, tied_to_public_rows
from proxy.sql.trees.ranked_rows import key_name, limited, with_keys
from proxy.sql.trees.scopes import Scopes
from proxy.sql.trees.spellings_of_columns import is_exact_constant
from proxy.sql.trees.unique_columns import is_plainly_grouped
from proxy.sql.trees.walking import (
    alias_of,
    append_join,
    body_of,
    items_of,
    nested_queries,
    output_name,
    own_nodes,
    unaliased,
)

_PREFIX = "dpscalar_"
_VALUE, _KEY = "dpscalar_value", "dpscalar_key"
"""Columns of the subqueries. A common name could be an output of the query, over which GROUP BY prefers columns."""


def join_scalar_subqueries(query: exp.Query, schema: Schema, _search_path: tuple[str, ...]) -> exp.Query:
    """Turn scalar subqueries into joins, in place, where private rows are concerned.

    Raises:
        UnsupportedError: a correlation that is no equality, or a subquery that is no aggregate.
    """
    _Joiner(Scopes(schema)).visit(query)
    return query


class _Joiner:
    def __init__(self, scopes: Scopes) -> None:
        self.scopes = scopes
        self.count = 0

    def visit(self, query: exp.Expr) -> None:
        """Inner queries first."""
        for child in nested_queries(query):
            self.visit(child)
        if not isinstance(query, exp.Select) or query.args.get("from_") is None:
            return
        has_rows = self.scopes.has_rows(query)
        if has_rows:
            self._join_lists(query)
        beside = self._beside_units(query) if self.scopes.is_rows(query) else []
        for subquery in self._scalars(query, has_rows=has_rows) + beside:
            body = body_of(subquery)
            keys = self.scopes.outer_columns(body)
            if subquery.parent is not None and (has_rows or (keys and self.scopes.reads_private(body))):
                per_group = any(subquery is one for one in beside)
                self._join(query, subquery, body, correlated=bool(keys), per_group=per_group)
        self._look_up_released(query)

    def _look_up_released(self, select: exp.Select) -> None:
        """Answer subqueries over private rows beside groups, which are correlated by keys, for all keys at once."""
        for subquery in released_nodes(select):
            body = body_of(subquery)
            if not isinstance(subquery, exp.Subquery) or not self.scopes.reads_private(body):
                continue
            if is_among_rows(subquery, select) or not self.scopes.outer_columns(body):
                continue
            alias = f"{_PREFIX}{self.count}"
            self.count += 1
            derived, on, value = self._correlated(select, body, alias)
            released = exp.Subquery(this=derived, alias=exp.TableAlias(this=exp.to_identifier(alias)))
            if isinstance(value, exp.Column):
                found = exp.Select(expressions=[value], from_=exp.From(this=released), where=exp.Where(this=on))
            else:
                one = exp.Subquery(
                    this=exp.Select(expressions=[exp.Literal.number(1)]),
                    alias=exp.TableAlias(this=exp.to_identifier("dpone")),
                )
                found = exp.Select(expressions=[value], from_=exp.From(this=one))
                append_join(found, exp.Join(this=released, side="LEFT", on=on))
            subquery.replace(exp.Subquery(this=found))

    def _join_lists(self, select: exp.Select) -> None:
        """Join the lists of `x IN (SELECT …)` in group keys, where declared keys are made of columns alone."""
        for key in key_expressions(select, self.scopes):
            for node in own_nodes(key):
                if isinstance(node, exp.In) and node.args.get("query") is not None:
                    self._join_list(select, node)

    def _join_list(self, select: exp.Select, node: exp.In) -> None:
        body, value = body_of(node.args["query"]), node.this
        if self.scopes.is_rows(body) or self.scopes.outer_columns(body) or isinstance(value.unnest(), exp.Tuple):
            return
        if not counts_null_as_false(node) and not is_never_null(value, select, body, self.scopes):
            return
        alias = f"{_PREFIX}{self.count}"
        self.count += 1
        names = exp.TableAlias(this=exp.to_identifier("dplist"), columns=[exp.to_identifier(_VALUE)])
        listed = exp.Select(
            expressions=[exp.alias_(exp.column(_VALUE, table="dplist"), f"{_KEY}0")],
            distinct=exp.Distinct(),
            from_=exp.From(this=exp.Subquery(this=body.copy(), alias=names)),
        )
        on = exp.EQ(this=exp.column(f"{_KEY}0", table=alias), expression=exp.Paren(this=value.copy()))
        found = exp.Not(this=exp.Is(this=exp.column(f"{_KEY}0", table=alias), expression=exp.Null()))
        for same in self._equal(select, node):
            same.replace(exp.Paren(this=found.copy()))
        self._append(select, body, listed, on, alias)

    def _equal(self, select: exp.Select, node: exp.Expr) -> list[exp.Expr]:
        """A node and those that equal it in the same group key, wherever that key stands: it has to stay one key."""
        keys = [_without_parentheses(key) for key in key_expressions(select, self.scopes)]
        key = next((key for key in keys if any(inside is node for inside in own_nodes(key))), None)
        if key is None:
            return [node]
        clauses = [*released_clauses(select), *([select.args["group"]] if select.args.get("group") else [])]
        keys = [same for clause in clauses for same in own_nodes(clause) if same == key]
        return [same for key in keys for same in own_nodes(key) if same == node]

    def _scalars(self, select: exp.Select, *, has_rows: bool) -> list[exp.Subquery]:
        """The scalar subqueries that are computed for each row of `select`."""
        clauses = [select.args["where"]] if select.args.get("where") is not None else []
        calls = [node for output in select.expressions for node in own_nodes(output) if is_aggregate(node)]
        aggregated = [call.parent if isinstance(call.parent, exp.Filter) else call for call in calls]
        if aggregated or select.args.get("group") is not None:
            clauses += aggregated
            if has_rows:
                clauses += key_expressions(select, self.scopes)
        elif not has_rows or select.parent is not None:  # rows that the client would get are refused as they are
            clauses += select.expressions
        return [node for clause in clauses for node in own_nodes(clause) if _is_scalar(node)]

    def _beside_units(self, select: exp.Select) -> list[exp.Subquery]:
        """What is computed once for each group of a unit's rows, where subqueries do not depend on the group."""
        if select.args.get("group") is None:
            return []
        having = select.args.get("having")
        keys = {id(node) for key in key_expressions(select, self.scopes) for node in own_nodes(key)}
        return [
            node
            for clause in [*select.expressions, *([having] if having is not None else [])]
            for node in own_nodes(clause)
            if _is_scalar(node)
            and id(node) not in keys
            and not is_among_rows(node, select)
            and not self.scopes.outer_columns(body_of(node))
        ]

    def _join(
        self, select: exp.Select, subquery: exp.Subquery, body: exp.Expr, *, correlated: bool, per_group: bool
    ) -> None:
        alias = f"{_PREFIX}{self.count}"
        self.count += 1
        value: exp.Expr = exp.column(_VALUE, table=alias)
        lookup = self._lookup(body, select) if correlated else None
        if lookup is not None:
            derived, on = lookup[0], _joined_by(lookup[1], alias)
        elif correlated and _is_first_row(body) and self.scopes.has_rows(select):
            derived, on = self._first_rows(select, body, alias)
        elif correlated:
            derived, on, value = self._correlated(select, body, alias)
        else:
            derived = exp.Select(expressions=[exp.alias_(exp.Subquery(this=body.copy()), _VALUE)])
            on = exp.Boolean(this=True)
        if per_group:
            value = exp.Anonymous(this="min", expressions=[value])  # it is the same in all rows of the group
        _keep_name(subquery, body)
        for same in self._equal(select, subquery):
            same.replace(exp.Paren(this=value.copy()))
        self._append(select, body, derived, on, alias)

    @staticmethod
    def _append(select: exp.Select, body: exp.Expr, derived: exp.Select, on: exp.Expr, alias: str) -> None:
        item = exp.Subquery(this=derived, alias=exp.TableAlias(this=exp.to_identifier(alias)))
        if not append_join(select, exp.Join(this=item, side="LEFT", on=on)):
            raise correlation_refusal(body)

    def _lookup(self, body: exp.Expr, select: exp.Select) -> tuple[exp.Select, list[CorrelationKey]] | None:
        """Of a row by a unique key, as in `(SELECT zone FROM regions r WHERE r.name = v.region)`, the table with the
        keys among its outputs, and the keys. None for another subquery. That a private row is of the unit around it the
        join has to prove."""
        if not isinstance(body, exp.Select) or not self.scopes.is_plain(body):
            return None
        if len(body.expressions) != 1 or body.args.get("distinct"):
            return None
        items = items_of(body)
        named = self.scopes.table(items[0].this)
        if named is None or len(items) > 1 or not all(map(self.scopes.is_plain_public, nested_queries(body))):
            return None
        if named.private and not self.scopes.has_rows(select):
            return None
        keys, rest = correlation_keys(body, self.scopes)
        fixed = [key.inner.unnest() for key in keys] + [side for part in rest for side in _equal_to_constants(part)]
        names = {folded(column.this) for column in fixed if isinstance(column, exp.Column)}
        if not any(key <= names for key in named.unique_keys):
            return None
        outputs = [exp.alias_(key.inner.copy(), f"{_KEY}{position}") for position, key in enumerate(keys)]
        found = body.copy()
        found.set("where", conjunction(rest))
        found.set("expressions", [*outputs, exp.alias_(unaliased(body.expressions[0]).copy(), _VALUE)])
        return found, keys

    def _first_rows(self, select: exp.Select, body: exp.Select, alias: str) -> tuple[exp.Select, exp.Expr]:
        """The value of `(SELECT x … ORDER BY y LIMIT 1)` in the first row of each key, and the join's condition."""
        within = tied_to_own_rows(body, select, self.scopes) or body
        keys, rest = correlation_keys(within, self.scopes)
        if not all(self.scopes.is_around(key.outer, select) for key in keys):
            raise correlation_refusal(body)
        if self.scopes.reads_private(body) and not any(self._is_identity(key, within) for key in keys):
            raise scalar_refusal(body)
        inner = with_keys(within, keys, rest, group=False)
        value = unaliased(inner.expressions[0])
        inner.set("expressions", [exp.alias_(value.copy(), _VALUE), *inner.expressions[1:]])
        named = [exp.EQ(this=exp.column(key_name(i), table=alias), expression=key.outer) for i, key in enumerate(keys)]
        return limited(inner, body, keys, released=False), exp.and_(*named)

    def _correlated(self, select: exp.Select, body: exp.Expr, alias: str) -> tuple[exp.Select, exp.Expr, exp.Expr]:
        """The subquery grouped by its keys, the join's condition, and the value, which is computed beside it."""
        body = as_extreme(body, self.scopes)
        one_group = self._without_its_only_group(body) if isinstance(body, exp.Select) else None
        body = one_group or body
        if not isinstance(body, exp.Select) or len(body.expressions) != 1 or not _is_one_aggregate(body):
            raise scalar_refusal(body)
        tied = tied_to_public_rows(body, select, self.scopes) or tied_to_own_rows(body, select, self.scopes)
        body = tied or body
        keys, rest = correlation_keys(body, self.scopes)
        if tied is None and not all(self.scopes.is_around(key.outer, select) for key in keys):
            raise correlation_refusal(body)
        if tied is None and self.scopes.reads_private(body) and self._compares_an_identity(keys, body, select):
            raise lone_groups_refusal(body)
        inner = body.copy()
        grouped = [key.inner.copy() for key in keys]
        public = self._public_keys(select, keys) if tied is None else None
        if public is not None and not any(self._is_identity(key, body) for key in keys):
            grouped = [exp.column(f"{_KEY}{position}", table="dpkeys") for position in range(len(keys))]
            rest += [exp.EQ(this=key.inner, expression=column) for key, column in zip(keys, grouped, strict=True)]
            if not append_join(inner, exp.Join(this=public, kind="CROSS")):
                raise correlation_refusal(body)
        inner.set("where", conjunction(rest))
        outputs = [exp.alias_(column.copy(), f"{_KEY}{position}") for position, column in enumerate(grouped)]
        output = unaliased(body.expressions[0])
        found = _whole(output, alias) if one_group is not None else outside(output, lambda place: _value(place, alias))
        found = found or _either(output, alias)
        values = [exp.alias_(value, _value(place).name) for place, value in enumerate(found.inner)]
        inner.set("expressions", [*outputs, *values])
        inner.set("group", exp.Group(expressions=[column.copy() for column in grouped]))
        return inner, _joined_by(keys, alias), found.value

    def _without_its_only_group(self, body: exp.Select) -> exp.Select | None:
        """A subquery that is grouped by what ties it to the row around it, without GROUP BY: there is one group, or
        none, for which the value is NULL. None for another subquery."""
        group, where = body.args.get("group"), body.args.get("where")
        if group is None or where is None or not is_plainly_grouped(body):
            return None
        outer = set(map(id, self.scopes.outer_columns(body)))
        keys = [correlation_key(conjunct, outer) for conjunct in conjuncts(where.this)]
        tied = [key.inner.unnest() for key in keys if key is not None]
        if not all(any(identical(item.unnest(), inner) for inner in tied) for item in group.expressions):
            return None
        copy = body.copy()
        copy.set("group", None)
        return copy

    def _compares_an_identity(self, keys: list[CorrelationKey], body: exp.Select, select: exp.Select) -> bool:
        """Does a column that identifies units equal only what identifies none? Each group would be of one unit."""
        owners = [(key, self.scopes.owner(key.outer, select)) for key in keys]
        around = any(
            owner is not None and self.scopes.columns(owner).get(folded(key.outer.this)) for key, owner in owners
        )
        return around and not any(self._is_identity(key, body) for key in keys)

    def _is_identity(self, key: CorrelationKey, body: exp.Select) -> bool:
        bare = key.inner.unnest()
        owner = self.scopes.owner(bare, body) if isinstance(bare, exp.Column) else None
        return owner is not None and bool(self.scopes.columns(owner).get(folded(bare.this)))

    def _public_keys(self, select: exp.Select, keys: list[CorrelationKey]) -> exp.Subquery | None:
        """The distinct keys that a single public table around the subquery gives it; None if there is no such table."""
        owners = [self.scopes.owner(key.outer, select) for key in keys]
        first = owners[0]
        named = self.scopes.table(first) if first is not None else None
        if first is None or any(owner is not first for owner in owners) or named is None or named.private:
            return None
        names = {f"{_KEY}{position}": _qualified(key.outer, alias_of(first)) for position, key in enumerate(keys)}
        return distinct_keys(first, names, select, self.scopes, "dpkeys")


def _equal_to_constants(conjunct: exp.Expr) -> list[exp.Expr]:
    """The side of an equality whose other side is a constant."""
    sides = [conjunct.this, conjunct.expression] if isinstance(conjunct, exp.EQ) else []
    return [side.unnest() for side, other in zip(sides, reversed(sides), strict=True) if is_exact_constant(other)]


def _is_first_row(body: exp.Expr) -> TypeGuard[exp.Select]:
    """Is it `SELECT x … ORDER BY y LIMIT 1` of rows, where y is not x alone?"""
    known = {"expressions", "from_", "joins", "where", "order", "limit"}
    if not isinstance(body, exp.Select) or any(value and name not in known for name, value in body.args.items()):
        return False
    limit = body.args.get("limit")
    is_one = isinstance(limit, exp.Limit) and limit.expression.name == "1"
    aggregated = any(is_aggregate(node) for output in body.expressions for node in own_nodes(output))
    return is_one and body.args.get("order") is not None and len(body.expressions) == 1 and not aggregated


def _is_scalar(node: exp.Expr) -> TypeGuard[exp.Subquery]:
    """Does a subquery stand for one value, and not for a list?"""
    if not isinstance(node, exp.Subquery) or isinstance(node.parent, (exp.Any, exp.All, exp.Exists, exp.Subquery)):
        return False
    return not (isinstance(node.parent, exp.In) and node.arg_key == "query")


def _value(place: int, alias: str | None = None) -> exp.Column:
    """One of the columns that a value is computed from; most have one."""
    return exp.column(f"{_VALUE}{place or ''}", table=alias)


def _whole(output: exp.Expr, alias: str) -> Outside:
    """An output that is NULL where there is no row."""
    return Outside((output.copy(),), _value(0, alias))


def _either(output: exp.Expr, alias: str) -> Outside:
    """An output whose value for a key without rows is computed by itself."""
    missing = exp.Is(this=exp.column(f"{_KEY}0", table=alias), expression=exp.Null())
    value = exp.Case(ifs=[exp.If(this=missing, true=value_of_nothing(output))], default=_value(0, alias))
    return Outside((output.copy(),), value)


def _keep_name(subquery: exp.Subquery, body: exp.Expr) -> None:
    """Give an output that is a subquery, possibly cast, the name that Postgres takes from the subquery's own output."""
    output: exp.Expr = subquery
    while isinstance(output.parent, (exp.Paren, exp.Cast)):
        output = output.parent
    name = output_name(body.expressions[0]) if isinstance(body, exp.Select) else None
    if output.arg_key == "expressions" and isinstance(output.parent, exp.Select) and name not in (None, "?column?"):
        named = exp.Alias(alias=exp.to_identifier(name, quoted=True))
        output.replace(named)
        named.set("this", output)


def _without_parentheses(node: exp.Expr) -> exp.Expr:
    """As `unnest`, which would also take a subquery's query out of its own."""
    while isinstance(node, exp.Paren):
        node = node.this
    return node


def _joined_by(keys: list[CorrelationKey], alias: str) -> exp.Expr:
    return exp.and_(
        *(
            exp.EQ(this=exp.column(f"{_KEY}{position}", table=alias), expression=key.outer.copy())
            for position, key in enumerate(keys)
        )
    )


def _qualified(column: exp.Column, table: str | None) -> exp.Column:
    return exp.column(column.this.copy(), table=exp.to_identifier(table, quoted=True))


def _is_one_aggregate(body: exp.Select) -> bool:
    """Does it have exactly one row, whatever FROM holds?"""
    known = {"expressions", "from_", "joins", "where"}
    return not any(value for name, value in body.args.items() if name not in known) and any(
        is_aggregate(node) for node in own_nodes(body.expressions[0])
    )
