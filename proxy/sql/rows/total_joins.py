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
    stored = [(_in_table(start), _in_table(to)) for start, to in ways]
    wanted = {(start.column, to.column) for start, to in stored if start is not None and to is not None}
    source = stored[0][0]
    if source is None or any(start is None or start.member != source.member or to is None for start, to in stored):
        return False
    return isinstance(source.member.table, NamedTable) and any(
        key.target == table.name
        and not key.two_equalities
        and set(zip(key.columns, key.target_columns, strict=True)) == wanted
        for key in source.member.table.catalog.foreign_keys
    )


def _in_table(origin: ColumnOrigin) -> ColumnOrigin | None:
    """The column of a table that a column of subqueries is, if it is never NULL and read as it is stored; else None."""
    table = origin.member.table
    if origin.nullable:
        return None
    if isinstance(table, NamedTable):
        return origin if origin.column not in table.others else None
    definitions = table.columns[origin.column].definitions
    if len(definitions) != 1:
        return None
    node, relation = definitions[0]
    bare = node.unnest()
    return _in_table(relation.origin(bare)) if isinstance(bare, exp.Column) else None


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
