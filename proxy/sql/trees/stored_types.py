"""The types of columns as the source stores them, where a tree tells for sure which column a name means."""

from __future__ import annotations

from sqlglot import exp

from proxy.policy.catalog import Column
from proxy.sql.names import folded
from proxy.sql.schema import Schema
from proxy.sql.trees.column_types import outputs_of
from proxy.sql.trees.scopes import Columns, Scopes
from proxy.sql.trees.walking import alias_of, ancestors, body_of, column_aliases, items_of


class StoredTypes:
    """Finds the types of columns in a tree in which every table of the policy has its schema.

    Args:
        schema: policy and catalog.
    """

    def __init__(self, schema: Schema) -> None:
        self._scopes = Scopes(schema)
        self._items: dict[int, list[tuple[str | None, exp.Expr, Columns]]] = {}

    def of(self, node: exp.Expr, select: exp.Expr | None) -> str | None:
        """The name of the type of a reference to a column of `select`, as `column`."""
        column = self.column(node, select)
        return column.type_name if column is not None else None

    def column(self, node: exp.Expr, select: exp.Expr | None) -> Column | None:
        """The table's column, as it is stored, that a reference to a column of `select` is; None for all else, and
        where two items of FROM have a column of that name: USING may merge them to one of another type."""
        found = self._place(node, select)
        return self._of_item(found[1], folded(node.unnest().this)) if found is not None else None

    def alias(self, node: exp.Expr, select: exp.Expr | None) -> str | None:
        """The name of the item of FROM that a reference to a column of `select` certainly is of."""
        found = self._place(node, select)
        return found[0] if found is not None else None

    def is_outside(self, node: exp.Expr, select: exp.Select) -> bool:
        """Is a reference to a column certainly to none of the items of FROM?"""
        column = node.unnest()
        if not isinstance(column, exp.Column) or column.args.get("db") or not isinstance(column.this, exp.Identifier):
            return False
        qualifier, name = column.args.get("table"), folded(column.this)
        if qualifier is not None:
            return all(alias != folded(qualifier) for alias, _, _ in self._of_from(select))
        return all(names and name not in names for _, _, names in self._of_from(select))

    def computed(self, node: exp.Expr, select: exp.Expr | None) -> exp.Expr | None:
        """The output of a subquery in FROM that a reference to a column of `select` certainly is; None for all else."""
        found = self._place(node, select)
        if found is None or column_aliases(found[1]):
            return None
        return outputs_of(found[1], self._scopes).get(folded(node.unnest().this))

    def _place(self, node: exp.Expr, select: exp.Expr | None) -> tuple[str | None, exp.Expr] | None:
        column = node.unnest()
        if not isinstance(select, exp.Select) or not isinstance(column, exp.Column) or column.args.get("db"):
            return None
        if not isinstance(column.this, exp.Identifier):
            return None
        qualifier, name = column.args.get("table"), folded(column.this)
        found = [
            (alias, item)
            for alias, item, names in self._of_from(select)
            if (alias == folded(qualifier) if qualifier is not None else name in names)
        ]
        return found[0] if len(found) == 1 else None

    def _of_from(self, select: exp.Select) -> list[tuple[str | None, exp.Expr, Columns]]:
        if id(select) not in self._items:
            items = [holder.this for holder in items_of(select)]
            self._items[id(select)] = [(alias_of(item), item, self._scopes.columns(item)) for item in items]
        return self._items[id(select)]

    def _of_item(self, item: exp.Expr, name: str) -> Column | None:
        if column_aliases(item):
            return None
        named = self._scopes.table(item)
        if named is not None:
            return named.catalog.columns.get(name)
        output = outputs_of(item, self._scopes).get(name)
        return self.column(output, body_of(item)) if output is not None else None


def select_around(node: exp.Expr) -> exp.Select | None:
    """The SELECT whose FROM the columns of a clause or an expression are of; None where that is no SELECT."""
    query = next((found for found in ancestors(node) if isinstance(found, (exp.Select, exp.SetOperation))), None)
    return query if isinstance(query, exp.Select) else None
