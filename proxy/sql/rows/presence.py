"""Columns that a condition leaves no NULL in, so that every row that meets it has the unit that they identify."""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from proxy.sql.rows.members import ColumnOrigin, Derived, Member
from proxy.sql.rows.relation import Relation
from proxy.sql.trees.conjuncts import conjuncts
from proxy.sql.trees.null_columns import fails_without
from proxy.sql.trees.walking import own_nodes


def present_columns(condition: exp.Expr, scope: Relation) -> list[ColumnOrigin]:
    """The columns of units that are NULL in no row that meets the condition, among those that could be NULL."""
    found: list[ColumnOrigin] = []
    if not any(map(_lacks_units, scope.members)):
        return found
    for conjunct in conjuncts(condition):
        columns = [node for node in own_nodes(conjunct) if isinstance(node, exp.Column)]
        origins = {_place(origin): origin for origin in map(scope.origin, columns)}
        found += [
            origin for origin in origins.values() if origin.lacks_unit and leaves_no_null(conjunct, origin, scope)
        ]
    return found


def without_null(nodes: Sequence[exp.Expr], relation: Relation) -> str | None:
    """What to write where one of these columns identifies the unit except in rows in which it is NULL; else None."""
    columns = [bare for bare in (node.unnest() for node in nodes) if isinstance(bare, exp.Column)]
    for column in columns:
        origin = relation.origin(column)
        if origin.identities and origin.lacks_unit:
            name = f"{origin.member.exposed}.{origin.column}"
            return f"Add WHERE {name} IS NOT NULL: rows in which it is NULL are not one privacy unit."
    return None


def _place(origin: ColumnOrigin) -> tuple[str, str]:
    return origin.member.alias, origin.column


def _lacks_units(member: Member) -> bool:
    """Has it columns of units that can be NULL?"""
    table = member.table
    if isinstance(table, Derived):
        return any(column.missing for column in table.columns.values())
    return bool(table.lone_key or table.partial_identities)


def leaves_no_null(conjunct: exp.Expr, origin: ColumnOrigin, scope: Relation) -> bool:
    """Is the condition not true in any row in which the column is NULL?"""
    return fails_without(conjunct, lambda column: _place(scope.origin(column)) == _place(origin))
