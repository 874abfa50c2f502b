"""The columns that have one value in all rows of a group, since the group keys determine them.

Keys determine themselves. They determine the row of a public table, or of a released result, whose unique columns are
keys, or equal some by the condition of a join or by WHERE: `JOIN regions r ON r.name = v.region … GROUP BY v.region`
leaves each group one row of regions, or none where LEFT JOIN finds none. From there it goes on to what that row is
joined with.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sqlglot import exp

from proxy.sql.names import folded
from proxy.sql.terms.operations import operation_of
from proxy.sql.trees.column_types import qualified, resolved, stay_apart, type_of_column
from proxy.sql.trees.conjuncts import conjuncts
from proxy.sql.trees.key_expressions import key_expressions
from proxy.sql.trees.scopes import Scopes
from proxy.sql.trees.unique_columns import Place, UniqueColumns, place_of, unique_columns
from proxy.sql.trees.walking import alias_of, ancestors, column_aliases, is_joined_item, items_of, own_nodes

_PARTS = (exp.Paren, exp.If, exp.DataType, exp.DataTypeParam, exp.Var, exp.Identifier)
"""Nodes that only hold an expression together."""


@dataclass(frozen=True)
class _Equality:
    """A column that equals an expression wherever there is a row of the column's item.

    Attributes:
        column: the column's name.
        other: the expression.
        of_null: is NULL as good as another value?
    """

    column: str
    other: exp.Expr
    of_null: bool


class DeterminedColumns:
    """What the keys of a SELECT with a GROUP BY of single expressions determine.

    Args:
        select: the SELECT.
        scopes: of its tree.
    """

    def __init__(self, select: exp.Select, scopes: Scopes) -> None:
        self._select = select
        self._scopes = scopes
        self._holders = {alias: holder for holder in items_of(select) if (alias := alias_of(holder.this)) is not None}
        self._items = {alias: _read(holder.this) for alias, holder in self._holders.items()}
        joins = select.args.get("joins") or []
        sides = {str(join.args.get("side") or "").upper() for join in joins}
        nests = any(is_joined_item(holder.this) for holder in [select.args["from_"], *joins])
        self._loses_rows = nests or bool({"RIGHT", "FULL"} & sides)
        """Might a join leave rows without what stands before it?"""
        merges = any(holder.args.get("using") or holder.args.get("method") for holder in self._holders.values())
        is_known = all(scopes.columns(holder.this) for holder in self._holders.values())
        self._is_vague = merges and (self._loses_rows or not is_known)
        """Is it unknown of which item a column without a table is?"""
        self._keys = {text for key in key_expressions(select, scopes) if (text := self._text(key)) is not None}
        self._of_all_rows = self._conditions_of_all_rows()
        self._rows: set[str] = set()
        candidates = {alias: list(unique_columns(item, scopes)) for alias, item in self._items.items()}
        while found := {
            a for a in candidates if a not in self._rows and any(self._is_fixed(a, k) for k in candidates[a])
        }:
            self._rows |= found

    def missing(self, node: exp.Expr) -> list[Place] | None:
        """The columns besides the keys of which an expression is made, if it has one value in each group; None if the
        keys do not determine it, and for constants."""
        columns: list[Place] = []
        has_column = any(isinstance(found, exp.Column) for found in own_nodes(node))
        return columns if has_column and self._is_made(node, columns) else None

    def place(self, column: exp.Column) -> Place | None:
        """As `place_of`; what RIGHT and FULL JOIN may merge by USING is of no item."""
        if self._is_vague and not column.args.get("table"):
            return ("", folded(column.this))
        return place_of(column, self._select, self._scopes)

    def type_of(self, node: exp.Expr) -> str | None:
        """The type of a column that is stored so; None for all else."""
        bare = node.unnest()
        place = self.place(bare) if isinstance(bare, exp.Column) else None
        item = self._items.get(place[0]) if place is not None else None
        return type_of_column(item, place[1], self._scopes) if place is not None and item is not None else None

    def _text(self, node: exp.Expr) -> str | None:
        return resolved(node, self.place)

    def _is_made(self, node: exp.Expr, missing: list[Place]) -> bool:
        """Is it made of keys, constants and columns of determined rows, which are put into the list?"""
        if self._text(node) in self._keys:
            return True
        if isinstance(node, exp.Column):
            place = self.place(node)
            if place is None or place[0] not in self._rows:
                return False
            missing.append(place)
            return True
        # What is on no list may give another value each time.
        if operation_of(node) is None and not isinstance(node, _PARTS):
            return False
        return all(self._is_made(child, missing) for child in node.iter_expressions())

    def _is_fixed(self, alias: str, unique: UniqueColumns) -> bool:
        if not unique.names:
            return self._is_always_joined(alias)
        equalities = list(self._equalities(alias))
        return all(self._is_fixed_column(alias, name, unique, equalities) for name in unique.names)

    def _is_fixed_column(self, alias: str, name: str, unique: UniqueColumns, equalities: list[_Equality]) -> bool:
        # A key that is NULL means no row or, where there are such, a row with NULL, but not both.
        if self._text(qualified(name, alias)) in self._keys and (
            not unique.has_null or (not unique.repeats_null and self._is_present(alias))
        ):
            return True
        type_ = type_of_column(self._items[alias], name, self._scopes)
        # Which keys go together is known of stored columns alone.
        return any(
            equality.column == name
            and self._is_made(equality.other, [])
            and stay_apart(type_, self.type_of(equality.other))
            and not (equality.of_null and unique.repeats_null)
            for equality in equalities
        )

    def _is_present(self, alias: str) -> bool:
        """Has every row of the join a row of the item?"""
        return not self._loses_rows and not self._holders[alias].args.get("side")

    def _is_always_joined(self, alias: str) -> bool:
        """Is an item of one row joined with all rows or with none?"""
        conditions = self._conditions(self._holders[alias])
        is_bare = all(isinstance(condition, exp.Boolean) and condition.this for condition in conditions)
        return self._is_present(alias) or (is_bare and not self._loses_rows)

    def _equalities(self, alias: str) -> Iterator[_Equality]:
        """The equalities that decide which row of an item is met."""
        for condition in self._of_all_rows:
            yield from self._of_condition(condition, alias, self._is_present(alias))
        own = self._holders[alias]
        if str(own.args.get("side") or "").upper() == "LEFT":
            found = [(*self._of_condition(part, alias, not self._loses_rows),) for part in self._conditions(own)]
            # Any other condition may find the row for some rows of a group and not for others.
            if all(sides and all(self._is_made(side.other, []) for side in sides) for sides in found):
                yield from (side for sides in found for side in sides)

    def _conditions_of_all_rows(self) -> list[exp.Expr]:
        """The conjuncts of WHERE and those of inner joins. A later RIGHT or FULL JOIN leaves out both sides at once."""
        where = self._select.args.get("where")
        found = conjuncts(where.this) if where is not None else []
        for holder in self._holders.values():
            found += [] if holder.args.get("side") else self._conditions(holder)
        return found

    def _conditions(self, holder: exp.Expr) -> list[exp.Expr]:
        """What a join asks of its rows: the conjuncts of ON, or the equalities of USING. What is unknown is NULL."""
        if holder.args.get("on") is not None:
            return conjuncts(holder.args["on"])
        if holder.args.get("method"):
            return [exp.Null()]
        return [self._merged(holder, folded(column)) for column in holder.args.get("using") or []]

    def _merged(self, holder: exp.Expr, name: str) -> exp.Expr:
        """The equality that USING means, with the first column of this name."""
        alias = alias_of(holder.this)
        for before, other in self._holders.items():
            if alias is None or other is holder or self._is_vague:
                break
            if name in self._scopes.columns(other.this):
                return exp.EQ(this=qualified(name, alias), expression=qualified(name, before))
        return exp.Null()

    def _of_condition(self, condition: exp.Expr, alias: str, of_null: bool) -> Iterator[_Equality]:
        """The equality that a condition is, of a column of the item with something else.

        Args:
            condition: what holds for all rows.
            alias: the item's name.
            of_null: does IS NOT DISTINCT FROM tell which row is met?
        """
        is_safe = isinstance(condition, exp.NullSafeEQ)
        if not (isinstance(condition, exp.EQ) or (is_safe and of_null)):
            return
        for column, other in ((condition.this, condition.expression), (condition.expression, condition.this)):
            bare = column.unnest()
            place = self.place(bare) if isinstance(bare, exp.Column) else None
            if place is not None and place[0] == alias:
                yield _Equality(place[1], other, is_safe)


def _read(item: exp.Expr) -> exp.Expr:
    """The item, or the query of the CTE that it names as a subquery."""
    is_name = isinstance(item, exp.Table) and isinstance(item.this, exp.Identifier) and not item.args.get("db")
    if not is_name or column_aliases(item):
        return item
    around = list(ancestors(item))
    for with_ in [node.args["with_"] for node in around if isinstance(node.args.get("with_"), exp.With)]:
        # A CTE sees those before it, and not itself.
        inside = next(
            (place for place, cte in enumerate(with_.expressions) if any(cte is node for node in around)), None
        )
        for cte in with_.expressions[:inside]:
            if folded(cte.args["alias"].this) == folded(item.this):
                return exp.Subquery(this=cte.this.copy(), alias=cte.args["alias"].copy())
        if with_.args.get("recursive"):
            break
    return item
