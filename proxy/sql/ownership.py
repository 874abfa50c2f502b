"""Whose row is it: the proof that every row of a join belongs to one unit, and the expression of that unit (DESIGN 3).

A private row reaches its unit by a column of its own, or by foreign keys that the policy declares. Two private rows of
a join belong to the same unit if an equality of the join says so: their unit columns are equal, both refer to the same
parent row, or one refers to the other by the first key of its path. A join is accepted only if such equalities tie all
of its private tables together.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from sqlglot import exp

from proxy.policy.ownership import Hop, UnitPath, unit_path
from proxy.sql.refusal import unsupported
from proxy.sql.relation import ColumnOrigin, Member, column_term
from proxy.sql.schema import NamedTable, Schema
from proxy.sql.term import quote_identifier, quote_table

UniqueKey = tuple[str, tuple[str, ...]]
"""A table and the columns that a proof takes for unique."""


@dataclass(frozen=True)
class Equality:
    """Two columns of the same type that are equal.

    Attributes:
        left: one of them.
        right: the other.
        only: the right table of the LEFT JOIN whose condition says so: the equality holds in the rows that have a row
            of this table. None if it holds in every row.
    """

    left: ColumnOrigin
    right: ColumnOrigin
    only: Member | None = None


@dataclass
class Ownership:
    """What is known of the unit of a join's rows.

    Attributes:
        unit_sql: expression of the unit.
        unit_nullable: it can be NULL.
        unit_columns: texts of all columns that hold it.
        hidden_joins: SQL of the joins that lead from a row to its unit, to be added to FROM.
        path_tables: the tables that they read.
        unique_keys: keys that the proof rests on.
    """

    unit_sql: str
    unit_nullable: bool
    unit_columns: frozenset[str]
    hidden_joins: str = ""
    path_tables: list[NamedTable] = field(default_factory=list)
    unique_keys: list[UniqueKey] = field(default_factory=list)


def prove_ownership(
    members: Sequence[Member], equalities: Sequence[Equality], schema: Schema, from_: exp.Expr
) -> Ownership:
    """Find the unit of a join's rows.

    Args:
        members: all tables of the join; at least one private one that is not NULL-extended.
        equalities: what the join and WHERE imply.
        schema: policy and catalog.
        from_: for the position of a refusal.

    Raises:
        UnsupportedError: two private tables whose rows need not belong to the same unit.
    """
    private = [member for member in members if member.table.private]
    paths = {member.alias: unit_path(schema.policy, member.table.name) for member in private}
    keys = tie_together(private, (), equalities, schema, from_)
    sure = [member for member in private if not member.optional]
    columns = {member.alias: _identity_column(paths[member.alias]) for member in private}
    representative = min(sure, key=lambda member: len(_hidden_hops(paths[member.alias])))
    ownership = _follow(representative, paths[representative.alias], schema)
    ownership.unique_keys.extend(keys)
    ownership.unit_columns = frozenset(
        ColumnOrigin(member, column).sql for member in sure if (column := columns[member.alias]) is not None
    )
    return ownership


def _identity_column(path: UnitPath) -> str | None:
    """The column of the row's own table that holds the unit's identity, if there is one.

    A foreign key to the very column that identifies the unit is such a column.
    """
    if not path.hops:
        return path.column
    if len(path.hops) == 1 and path.hops[0].target_column == path.column:
        return path.hops[0].column
    return None


def _hidden_hops(path: UnitPath) -> tuple[Hop, ...]:
    """The hops that a join must follow: the last one need not be if its key is the unit's identity."""
    if path.hops and path.hops[-1].target_column == path.column:
        return path.hops[:-1]
    return path.hops


def _follow(member: Member, path: UnitPath, schema: Schema) -> Ownership:
    """The unit of `member`'s rows, through joins along its path."""
    hops = _hidden_hops(path)
    if not hops:
        column = _identity_column(path) or path.column
        origin = ColumnOrigin(member, column)
        return Ownership(column_term(origin).sql, origin.nullable, frozenset())
    joins, alias = "", member.alias
    tables: list[NamedTable] = []
    keys: list[UniqueKey] = []
    for number, hop in enumerate(hops):
        target = f"u{number}"
        joins += (
            f" INNER JOIN {quote_table(hop.target)} AS {target} "
            f"ON {target}.{quote_identifier(hop.target_column)} = {alias}.{quote_identifier(hop.column)}"
        )
        tables.append(schema.table(hop.target))
        keys.append((hop.target, (hop.target_column,)))
        alias = target
    last = path.hops[-1].column if len(hops) < len(path.hops) else path.column
    unit = column_term(ColumnOrigin(Member(alias, alias, tables[-1]), last))
    return Ownership(unit.sql, unit.nullable, frozenset(), joins, tables, keys)


def tie_together(
    private: Sequence[Member],
    tied: Sequence[Member],
    equalities: Sequence[Equality],
    schema: Schema,
    from_: exp.Expr,
) -> list[UniqueKey]:
    """Prove that the rows of all `private` members belong to one unit, that of the members already `tied`, if any.

    The condition of a LEFT JOIN ties its right table to one table before it and to no second one: in a row without a
    match it says nothing, so it cannot tie those two to each other.

    Returns:
        The keys that this rests on.

    Raises:
        UnsupportedError: a member that no chain of equalities ties to the others.
    """
    private = [*tied, *private]
    paths = {member.alias: unit_path(schema.policy, member.table.name) for member in private}
    first = private[0].alias if private else ""
    group = {member.alias: first if member in tied else member.alias for member in private}

    def root(alias: str) -> str:
        while group[alias] != alias:
            alias = group[alias]
        return alias

    keys: list[UniqueKey] = []
    attached: set[str] = set()
    for equality in sorted(equalities, key=lambda equality: equality.only is not None):
        if equality.only is not None and equality.only.alias in attached:
            continue
        for one, other in ((equality.left, equality.right), (equality.right, equality.left)):
            if one.member.alias in group and other.member.alias in group:
                same, key = _same_unit(one, other, paths)
                if same and root(one.member.alias) != root(other.member.alias):
                    group[root(one.member.alias)] = root(other.member.alias)
                    keys.extend(key)
                    attached.update([equality.only.alias] if equality.only is not None else [])
    loose = [member for member in private if root(member.alias) != root(private[0].alias)]
    if loose:
        raise _two_people(private[0], loose[0], paths, from_)
    return keys


def _two_people(one: Member, other: Member, paths: dict[str, UnitPath], from_: exp.Expr) -> Exception:
    units = sorted({paths[member.alias].unit for member in (one, other)})
    return unsupported(
        from_,
        f"a row of this join could belong to two people: one from {one.table.name}, one from {other.table.name}",
        rule="private-join",
        detail="Nothing in the join says that both rows belong to the same person."
        if len(units) == 1
        else f"Their units differ: {', '.join(units)}.",
        hint=_join_hint(one, other, paths),
    )


def _join_hint(first: Member, second: Member, paths: dict[str, UnitPath]) -> str | None:
    columns = [_identity_column(paths[member.alias]) for member in (first, second)]
    if paths[first.alias].unit != paths[second.alias].unit:
        return "Ask about each table in a query of its own."
    if None in columns:
        return "Join along the foreign keys that lead to the person."
    return f"Join them on the person: {first.exposed}.{columns[0]} = {second.exposed}.{columns[1]}."


def _same_unit(one: ColumnOrigin, other: ColumnOrigin, paths: dict[str, UnitPath]) -> tuple[bool, list[UniqueKey]]:
    """Does `one = other` mean that both rows belong to the same unit, and resting on which keys?"""
    path, other_path = paths[one.member.alias], paths[other.member.alias]
    if path.unit != other_path.unit:
        return False, []
    if one.column == _identity_column(path) and other.column == _identity_column(other_path):
        return True, []
    if path.hops and one.column == path.hops[0].column:
        hop = path.hops[0]
        key: list[UniqueKey] = [(hop.target, (hop.target_column,))]
        if hop.target == other.member.table.name and hop.target_column == other.column:
            return True, key
        if other_path.hops and other_path.hops[0] == hop and other.column == hop.column:
            return True, key
    return False, []
