"""Names in trees that are not compiled yet: the columns of FROM items, and the unit of their rows (decision 3).

It decides which subqueries belong to a block and which are released before it. A wrong answer here costs a refusal or a
needless release; everything that enters a source query is proven when it is compiled.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import takewhile

from sqlglot import exp

from proxy.sql.named_tables import Identity, NamedTable
from proxy.sql.names import folded
from proxy.sql.nodes import find_all
from proxy.sql.schema import Schema
from proxy.sql.terms.calling import gives_several_rows
from proxy.sql.trees.aggregate_calls import is_aggregate
from proxy.sql.trees.spellings_of_columns import told
from proxy.sql.trees.walking import (
    alias_of,
    ancestors,
    body_of,
    column_aliases,
    is_apart,
    is_function_item,
    is_star,
    items_of,
    nested_queries,
    output_name,
    own_nodes,
    unaliased,
)

Columns = Mapping[str, frozenset[Identity]]
"""The columns of a FROM item by name, with what their values identify."""


class Scopes:
    """Inspects trees in which every table of the policy has its schema and every row-level CTE is written out.

    Args:
        schema: policy and catalog.
    """

    def __init__(self, schema: Schema) -> None:
        self.schema = schema

    def table(self, item: exp.Expr) -> NamedTable | None:
        """The policy's table that a FROM item is."""
        return self.schema.find(item, ()) if isinstance(item, exp.Table) and item.args.get("db") else None

    def reads_private(self, query: exp.Expr) -> bool:
        """Does it name a private table anywhere?"""
        return any(named.private for table in find_all(query, exp.Table) if (named := self.table(table)) is not None)

    def item_is_rows(self, item: exp.Expr) -> bool:
        """Does a FROM item have rows that belong to one unit each?"""
        named = self.table(item)
        if named is not None:
            return named.private
        return isinstance(item, (exp.Subquery, exp.Lateral)) and self.is_rows(body_of(item))

    def has_rows(self, select: exp.Expr) -> bool:
        """Does its FROM clause read rows that belong to units?"""
        return any(self.item_is_rows(item.this) for item in items_of(select))

    def is_rows(self, query: exp.Expr) -> bool:
        """Does each row of the query belong to one unit, so that it can be aggregated further?"""
        if isinstance(query, exp.SetOperation):
            return all(self.is_rows(body_of(side)) for side in (query.this, query.expression))
        if not isinstance(query, exp.Select) or query.args.get("with_") or not self.has_rows(query):
            return False
        group = query.args.get("group")
        if group is not None:
            return any(self._identifies(item.unnest(), query) for item in group.expressions)
        if query.args.get("having") or any(is_aggregate(node) for o in query.expressions for node in own_nodes(o)):
            return False
        distinct = query.args.get("distinct")
        if distinct is not None and distinct.args.get("on"):
            return any(self._identifies(key.unnest(), query) for key in distinct.args["on"].expressions)
        if distinct is not None:
            return any(is_star(output) or self._identifies(unaliased(output), query) for output in query.expressions)
        return True

    def _identifies(self, node: exp.Expr, select: exp.Select) -> bool:
        if isinstance(node, exp.Literal) and node.name.isdigit() and 1 <= int(node.name) <= len(select.expressions):
            node = unaliased(select.expressions[int(node.name) - 1])
        items = [(alias_of(item.this), self.columns(item.this)) for item in items_of(select)]
        if told(node, lambda column: _identities(column, items)):
            return True
        if not isinstance(node, exp.Column) or not _is_reference(node) or self.owner(node, select) is not None:
            return False
        aliased = {output_name(output): unaliased(output) for output in select.expressions}
        target = aliased.get(folded(node.this))
        return target is not None and target is not node and self._identifies(target, select)

    def owner(self, column: exp.Column, select: exp.Expr) -> exp.Expr | None:
        """The FROM item of `select` that a column reference means; None if it is none of its own."""
        qualifier = column.args.get("table")
        name = folded(column.this)
        for item in items_of(select):
            if alias_of(item.this) == folded(qualifier) if qualifier is not None else name in self.columns(item.this):
                return item.this  # type: ignore[no-any-return]
        return None

    def is_around(self, column: exp.Column, select: exp.Expr) -> bool:
        """Does a column, which is of none of the queries in `select` that it stands in, mean one of `select`? Without a
        table it can be of an item whose columns are not known, such as a function or a CTE, if those queries have no
        columns of unknown names, one of which it could mean."""
        if self.owner(column, select) is not None:
            return True
        if column.args.get("table") is not None or all(self.columns(item.this) for item in items_of(select)):
            return False
        inside = takewhile(lambda node: node is not select, ancestors(column))
        items = [item.this for query in inside if isinstance(query, exp.Select) for item in items_of(query)]
        return not any(name.startswith("\0") for item in items for name in self.columns(item))

    def columns(self, item: exp.Expr) -> Columns:
        """The columns of a FROM item, as far as they are known."""
        named = self.table(item)
        if named is not None:
            return named.identified
        if isinstance(item, exp.Values):
            aliases = column_aliases(item)
            return dict.fromkeys(aliases, frozenset()) if len(aliases) == len(item.expressions[0].expressions) else {}
        if not isinstance(item, (exp.Subquery, exp.Lateral)):
            return {}
        columns = self._outputs(body_of(item))
        aliases = column_aliases(item)
        return dict(zip([*aliases, *list(columns)[len(aliases) :]], columns.values(), strict=False))

    def _outputs(self, query: exp.Expr) -> Columns:
        while isinstance(query, exp.SetOperation):
            query = body_of(query.this)
        if not isinstance(query, exp.Select):
            return {}
        # Once for all outputs: subqueries are nested, and each asks for those of the one inside.
        items = [(alias_of(item.this), self.columns(item.this)) for item in items_of(query)]
        found: dict[str, frozenset[Identity]] = {}
        for position, output in enumerate(query.expressions):
            if is_star(output):
                wanted = folded(output.args["table"]) if isinstance(output, exp.Column) else None
                for alias, columns in items:
                    if wanted in (None, alias):
                        found |= columns
                continue
            bare, name = unaliased(output).unnest(), output_name(output)
            if name is None or name in found:
                # Nobody can name it.
                name = f"\0{position}"
            found[name] = told(bare, lambda column: _identities(column, items))
        return found

    def outer_columns(self, query: exp.Expr) -> list[exp.Column]:
        """The columns in a query that certainly do not come from its own FROM clauses."""
        found = [node for node in own_nodes(query) if _is_reference(node)] if _has_expressions(query) else []
        apart: list[exp.Column] = []
        for child in nested_queries(query):
            (apart if is_apart(child, query) else found).extend(self.outer_columns(child))
        if not isinstance(query, exp.Select):
            return [*apart, *(column for column in found if isinstance(column, exp.Column))]
        outputs = {output_name(output) for output in query.expressions}
        outside = set(map(id, read_before(query)))
        known = all(self.columns(item.this) for item in items_of(query))
        return apart + [
            column
            for column in found
            if isinstance(column, exp.Column)
            and (known or column.args.get("table") is not None or id(column) in outside)
            and self.owner(column, query) is None
            and not (column.args.get("table") is None and folded(column.this) in outputs and _names_output(column))
        ]

    def is_plain_public(self, query: exp.Expr) -> bool:
        """Is it a SELECT over public tables that only chooses, joins and computes rows?"""
        if not self.is_plain(query) or any(map(gives_several_rows, own_nodes(query))):
            return False
        for item in items_of(query):
            named = self.table(item.this)
            if not isinstance(item.this, exp.Subquery) and (named is None or named.private):
                return False
        return all(self.is_plain_public(child) for child in nested_queries(query))

    @staticmethod
    def is_plain(query: exp.Expr) -> bool:
        """Is it a SELECT that only chooses, joins and computes rows, as far as queries in it do?"""
        if not isinstance(query, exp.Select) or query.args.get("from_") is None:
            return False
        known = {"expressions", "from_", "joins", "where", "distinct"}
        if any(value for name, value in query.args.items() if name not in known):
            return False
        return not any(
            is_aggregate(node) or isinstance(node, exp.Window) or _is_value(node) for node in own_nodes(query)
        )


def _identities(column: exp.Column, items: Sequence[tuple[str | None, Columns]]) -> frozenset[Identity]:
    """What the values of a column reference identify, among FROM items with their aliases and columns."""
    if not _is_reference(column):
        return frozenset()
    qualifier, name = column.args.get("table"), folded(column.this)
    for alias, columns in items:
        if alias == folded(qualifier) if qualifier is not None else name in columns:
            return columns.get(name, frozenset())
    return frozenset()


def read_before(select: exp.Expr) -> list[exp.Column]:
    """The columns that the first item of FROM reads: nothing of the SELECT itself stands before it."""
    first = items_of(select)[0].this if items_of(select) else None
    if first is None or not is_function_item(first):
        return []
    joined = {id(node) for join in first.args.get("joins") or [] for node in own_nodes(join)}
    return [node for node in own_nodes(first) if isinstance(node, exp.Column) and id(node) not in joined]


def _is_value(node: exp.Expr) -> bool:
    """Is it a subquery that stands for its only value?"""
    in_from = isinstance(node.parent, (exp.From, exp.Join, exp.Lateral))
    return isinstance(node, exp.Subquery) and not in_from and node.arg_key != "query"


def _has_expressions(query: exp.Expr) -> bool:
    """Is it a query with expressions of its own? A set operation has those of its sides."""
    return not isinstance(query, exp.SetOperation)


def _is_reference(node: exp.Expr) -> bool:
    return isinstance(node, exp.Column) and isinstance(node.this, exp.Identifier)


def _names_output(column: exp.Column) -> bool:
    """Does it stand where an output's alias may stand: in GROUP BY or ORDER BY?"""
    return isinstance(column.parent, (exp.Group, exp.Ordered))
