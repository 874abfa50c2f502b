"""Outer joins that extend no row with NULL: a NOT NULL foreign key leads each row to one of the joined table.

They are inner joins, and are planned as such, so that no group of NULL appears that nobody can be in.
"""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from proxy.sql.named_tables import NamedTable
from proxy.sql.rows.members import ColumnOrigin, Derived, Member
from proxy.sql.rows.relation import Relation
from proxy.sql.trees.conjuncts import conjuncts

Pair = tuple[ColumnOrigin, ColumnOrigin]


def finds_a_row(pairs: Sequence[Pair] | None, joined: Sequence[Member]) -> bool:
    """Does each row before the join meet one of the joined table?

    Args:
        pairs: the columns whose equality is the whole condition of the join; None if it is another one.
        joined: what is joined.
    """
    if not pairs or len(joined) != 1:
        return False
    (target,) = joined
    table = target.table.whole if isinstance(target.table, Derived) else target.table
    if table is None or table.catalog.row_security:
        return False
    ways = [pair if pair[1].member.alias == target.alias else (pair[1], pair[0]) for pair in pairs]
    if any(to.member.alias != target.alias for _, to in ways):
        return False
    source = ways[0][0].member
    ways = [(start, _in_table(to)) for start, to in ways]
    if any(start.member.alias != source.alias or not _is_stored(start) or not _is_stored(to) for start, to in ways):
        return False
    wanted = {(start.column, to.column) for start, to in ways}
    return isinstance(source.table, NamedTable) and any(
        key.target == table.name and set(zip(key.columns, key.target_columns, strict=True)) == wanted
        for key in source.table.catalog.foreign_keys
    )


def _in_table(origin: ColumnOrigin) -> ColumnOrigin:
    """The column of a table that a column of subqueries is."""
    table = origin.member.table
    if isinstance(table, Derived) and len(table.columns[origin.column].definitions) == 1:
        node, relation = table.columns[origin.column].definitions[0]
        bare = node.unnest()
        return _in_table(relation.origin(bare)) if isinstance(bare, exp.Column) else origin
    return origin


def _is_stored(origin: ColumnOrigin) -> bool:
    """Is it never NULL, and read as it is stored?"""
    table = origin.member.table
    return isinstance(table, NamedTable) and not origin.nullable and origin.column not in table.others


def equal_columns(condition: exp.Expr, scope: Relation) -> list[Pair] | None:
    """The columns whose equality is the whole condition; None if it is another one."""
    pairs: list[Pair] = []
    for conjunct in conjuncts(condition):
        sides = [side.unnest() for side in (conjunct.this, conjunct.expression)] if isinstance(conjunct, exp.EQ) else []
        columns = [side for side in sides if isinstance(side, exp.Column)]
        if len(columns) != 2:
            return None
        pairs.append((scope.origin(columns[0]), scope.origin(columns[1])))
    return pairs
