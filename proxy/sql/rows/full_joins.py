"""FULL JOIN along a foreign key: every row of one side has its row on the other, so that LEFT or RIGHT JOIN keep the
same rows, and prove their unit."""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from proxy.sql.named_tables import NamedTable
from proxy.sql.rows.members import ColumnOrigin, Member
from proxy.sql.rows.relation import Relation


def side_along_key(join: exp.Join, earlier: Sequence[Member], joined: Sequence[Member], scope: Relation) -> str:
    """LEFT or RIGHT for a FULL JOIN that keeps no more rows than that; else FULL.

    Where both sides have the unit FULL JOIN proves it by itself. If a foreign key did not hold after all, the answer
    would lack rows, but not privacy: the proof is that of the LEFT or RIGHT JOIN.

    Args:
        join: a FULL JOIN.
        earlier: the members before it.
        joined: its own.
        scope: both.
    """
    on = join.args.get("on")
    sides = [side.unnest() for side in (on.this, on.expression)] if isinstance(on, exp.EQ) else []
    columns = [side for side in sides if isinstance(side, exp.Column)]
    if len(earlier) != 1 or len(joined) != 1 or len(columns) != 2 or all(map(_has_unit, (*earlier, *joined))):
        return "FULL"
    left, right = (scope.origin(column) for column in columns)
    if left.member.alias == joined[0].alias:
        left, right = right, left
    if _refers_always(right, left):
        return "LEFT"
    return "RIGHT" if _refers_always(left, right) else "FULL"


def _has_unit(member: Member) -> bool:
    """Has it a column of its own that holds the unit?"""
    table = member.table
    return table.private and (not isinstance(table, NamedTable) or table.identity_column is not None)


def _refers_always(referring: ColumnOrigin, target: ColumnOrigin) -> bool:
    """Does every row that counts refer to one of the target's?"""
    table, named = referring.member.table, target.member.table
    if not isinstance(table, NamedTable) or not isinstance(named, NamedTable) or referring.column in table.others:
        return False
    # Rows that do not lead to a unit do not count.
    leads = table.path is not None and bool(table.path.hops) and table.path.hops[0].column == referring.column
    if table.catalog.columns[referring.column].nullable and (not leads or table.lone_key):
        return False
    wanted = ((referring.column,), named.name, (target.column,))
    return any((key.columns, key.target, key.target_columns) == wanted for key in table.catalog.foreign_keys)
