"""Rewrites min(x), max(x) and any_value(x) of a value that is the same in all rows of its group as the value itself.

Tableau writes `min(carrier)` of a group key, and of columns that are joined by it: the name of a public table's row, or
a number that was released for the group before. Such a column becomes a group key beside the others, which makes no
group smaller. The keys are then planned, and refused, like any others.
"""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from proxy.sql.names import folded
from proxy.sql.nodes import find, find_all, identical
from proxy.sql.schema import Schema
from proxy.sql.trees.aggregate_calls import is_aggregate, released_clauses
from proxy.sql.trees.conjuncts import conjuncts
from proxy.sql.trees.public_keys import public_keys
from proxy.sql.trees.scopes import Scopes
from proxy.sql.trees.walking import (
    body_of,
    is_joined_item,
    is_star,
    items_of,
    nested_queries,
    output_name,
    own_nodes,
    unaliased,
)

_ALIKE = frozenset({"min", "max", "any_value"})
"""Aggregates that of equal values are that value, and of NULLs NULL."""

Named = tuple[int, str]
"""A column: the id of its FROM item, and its name there."""


def write_determined_values(query: exp.Query, schema: Schema, _search_path: tuple[str, ...]) -> exp.Query:
    """Rewrite such calls in blocks with plain group keys, in place.

    Args:
        query: a tree in which every table of the policy has its schema and every row-level CTE is written out.
        schema: policy and catalog.
    """
    if not any(call.name.lower() in _ALIKE for call in find_all(query, exp.Anonymous)):
        return query
    scopes = Scopes(schema)
    for select in [query, *_below(query)]:
        if isinstance(select, exp.Select) and _has_plain_keys(select) and scopes.has_rows(select):
            _Block(select, scopes).rewrite()
    return query


def _below(query: exp.Expr) -> Iterator[exp.Expr]:
    for child in nested_queries(query):
        yield child
        yield from _below(child)


def _has_plain_keys(select: exp.Select) -> bool:
    group = select.args.get("group")
    if group is None or not group.expressions or select.args.get("distinct"):
        return False
    if any(value for name, value in group.args.items() if name != "expressions"):
        return False
    return not any(
        isinstance(item.unnest(), (exp.Tuple, exp.Rollup, exp.Cube, exp.GroupingSets)) for item in group.expressions
    )


class _Block:
    def __init__(self, select: exp.Select, scopes: Scopes) -> None:
        self.select = select
        self.scopes = scopes
        self.keys = [self._key(item.unnest()) for item in select.args["group"].expressions]

    def rewrite(self) -> None:
        calls = [
            node
            for clause in released_clauses(self.select)
            for node in own_nodes(clause)
            if isinstance(node, exp.Anonymous) and node.name.lower() in _ALIKE and is_aggregate(node)
        ]
        if not calls:
            return
        known = self._determined()
        for call in calls:
            if len(call.expressions) != 1 or isinstance(call.parent, exp.Filter):
                continue
            value = call.expressions[0].unnest()
            columns = self._columns(value)
            if not any(identical(value, key) for key in self.keys) and (columns is None or not columns <= known):
                continue
            self._write(call, value)

    def _key(self, item: exp.Expr) -> exp.Expr:
        """The expression that a group key is: an output by its number or name, or itself."""
        outputs = self.select.expressions
        if isinstance(item, exp.Literal) and not item.is_string and 1 <= int(item.name) <= len(outputs):
            return unaliased(outputs[int(item.name) - 1]).unnest()
        if isinstance(item, exp.Column) and not item.args.get("table") and self.scopes.owner(item, self.select) is None:
            named = [output for output in outputs if output_name(output) == folded(item.this)]
            return unaliased(named[0]).unnest() if len(named) == 1 else item
        return item

    def _named(self, node: exp.Expr) -> Named | None:
        if not isinstance(node, exp.Column) or not isinstance(node.this, exp.Identifier):
            return None
        owner = self.scopes.owner(node, self.select)
        return (id(owner), folded(node.this)) if owner is not None else None

    def _columns(self, value: exp.Expr) -> set[Named] | None:
        """The columns of an expression; None if it has none, or one that is not known, or a query."""
        if find(value, exp.Query) is not None or isinstance(value, (exp.Distinct, exp.Order)):
            return None
        found = [self._named(node) for node in own_nodes(value) if isinstance(node, exp.Column)]
        return {named for named in found if named is not None} if found and None not in found else None

    def _determined(self) -> set[Named]:
        """The columns that are the same in all rows of a group: those that are keys, and those of rows of nobody that
        are joined by a unique key of theirs with such columns."""
        known = {named for key in self.keys if (named := self._named(key)) is not None}
        joins = self.select.args.get("joins") or []
        sides = {str(join.args.get("side") or "").upper() for join in joins}
        if sides - {"", "LEFT"} or any(is_joined_item(holder.this) for holder in [self.select.args["from_"], *joins]):
            return known
        where = self.select.args.get("where")
        met = conjuncts(where.this) if where is not None else []
        grew = True
        while grew:
            before = len(known)
            for holder in items_of(self.select):
                known |= self._of_item(holder, met, known)
            grew = len(known) > before
        return known

    def _of_item(self, holder: exp.Expr, met: list[exp.Expr], known: set[Named]) -> set[Named]:
        """The columns of a FROM item if it is joined so: none otherwise."""
        item = holder.this
        keys = self._unique_keys(item)
        if not keys:
            return set()
        on = holder.args.get("on") if isinstance(holder, exp.Join) else None
        joined = conjuncts(on) if on is not None else []
        is_left = str(holder.args.get("side") or "").upper() == "LEFT"
        if is_left and any(
            (columns := self._columns(part)) is None or not self._are_of(columns, item, known) for part in joined
        ):
            return set()
        equal = {name for owner, name in known if owner == id(item)}
        equal |= {mine for part in [*joined, *([] if is_left else met)] for mine in self._equated(part, item, known)}
        for name in holder.args.get("using") or []:
            mine, other = folded(name), self.scopes.owner(exp.column(name.copy()), self.select)
            if other is not None and other is not item and (id(other), mine) in known:
                equal.add(mine)
        if not any(key <= equal for key in keys):
            return set()
        return {(id(item), name) for name in self.scopes.columns(item)}

    def _are_of(self, columns: set[Named], item: exp.Expr, known: set[Named]) -> bool:
        return all(owner == id(item) or (owner, name) in known for owner, name in columns)

    def _equated(self, part: exp.Expr, item: exp.Expr, known: set[Named]) -> Iterator[str]:
        """The item's column that a condition says to equal one that is known."""
        if isinstance(part, (exp.EQ, exp.NullSafeEQ)):
            left, right = (self._named(side.unnest()) for side in (part.this, part.expression))
            for mine, other in ((left, right), (right, left)):
                if mine is not None and mine[0] == id(item) and other in known:
                    yield mine[1]

    def _unique_keys(self, item: exp.Expr) -> list[frozenset[str]]:
        """Those of rows of nobody: of a public table, or of released groups."""
        named = self.scopes.table(item)
        if named is not None:
            keys = () if named.private else named.unique_keys
            return [key for key in keys if not any(map(named.nullable, key))]
        body = body_of(item) if isinstance(item, exp.Subquery) else None
        if not isinstance(body, exp.Select) or self.scopes.item_is_rows(item) or item.args["alias"].args.get("columns"):
            return []
        if not _has_plain_keys(body):
            return list(public_keys(body, self.scopes.schema))
        if any(is_star(output) for output in body.expressions):
            return []
        inner = _Block(body, self.scopes)
        shown = [
            next(
                (output_name(output) for output in body.expressions if identical(unaliased(output).unnest(), key)), None
            )
            for key in inner.keys
        ]
        return [frozenset(name for name in shown if name is not None)] if None not in shown else []

    def _write(self, call: exp.Expr, value: exp.Expr) -> None:
        """Put the value in the place of the call. An output keeps its name; where that is not known, it stays."""
        top = call
        while top.parent is not self.select and top.parent is not None:
            top = top.parent
        named = top.arg_key != "expressions" or isinstance(top, exp.Alias)
        name = None if named else output_name(top)
        if not named and name is None:
            return
        self._add_keys(value)
        written = exp.Paren(this=value.copy())
        call.replace(written)
        if name is not None:
            output = written if top is call else top
            alias = exp.Alias(alias=exp.to_identifier(name, quoted=True))
            output.replace(alias)
            alias.set("this", output)

    def _add_keys(self, value: exp.Expr) -> None:
        """Make the columns of a value keys, unless they, or the value, are some."""
        if any(identical(value, key) for key in self.keys):
            return
        group = self.select.args["group"]
        for column in [node for node in own_nodes(value) if isinstance(node, exp.Column)]:
            if self._named(column) not in [self._named(key) for key in self.keys]:
                group.append("expressions", column.copy())
                self.keys.append(column)
