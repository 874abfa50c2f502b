"""The proof that each row of a join belongs to one unit, and the expression of that unit (decision 3).

A private row leads to its unit by a column of its own, or by foreign keys that the policy declares. Two private rows of
a join belong to the same unit if an equality of the join says so: two columns are equal that identify the same unit, or
the same private row. A join is accepted only if such equalities tie all of its private members together.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlglot import exp

from proxy.policy.unit_paths import Hop, UnitPath
from proxy.sql.named_tables import Identity, NamedTable
from proxy.sql.refusal import unsupported
from proxy.sql.replacing import replace
from proxy.sql.rows.footprint import NOTHING, Footprint, UniqueKey, of_keys, of_table, union
from proxy.sql.rows.members import UNIT, UNIT_SQL, ColumnOrigin, Derived, Member
from proxy.sql.rows.two_units import two_units
from proxy.sql.rows.unit_spelling import alike, lacks_unit, spreading_column, unit_kind, unit_read, unit_sql
from proxy.sql.schema import Schema
from proxy.sql.terms.arithmetic import plainly_collated
from proxy.sql.terms.term import quote_table
from proxy.sql.terms.types import Kind


@dataclass(frozen=True)
class Equality:
    """Two columns of the same type that are equal.

    Attributes:
        left: one of them.
        right: the other.
        only: the outer join whose condition says so, by the alias of the first member that it joins: the equality
            holds in the rows for which the join found a match. None if it holds in every row.
    """

    left: ColumnOrigin
    right: ColumnOrigin
    only: str | None = None


@dataclass(frozen=True)
class Ownership:
    """What is known of the unit of a join's rows.

    Attributes:
        unit: name of the unit.
        unit_sql: its expression.
        unit_nullable: it can be NULL.
        unit_kind: what it is (`unit_spelling.unit_kind`).
        unit_home: the column that spreads the rows over a cluster, where `unit_sql` hides it.
        unit_columns: the SQL of all columns that hold it in every row.
        hops: the joins that lead from a row to its unit: a FROM item and its condition each.
        proofs: what the hops read, and what the proof rests on.
    """

    unit: str
    unit_sql: str
    unit_nullable: bool
    unit_kind: Kind | None
    unit_home: str | None = None
    unit_columns: frozenset[str] = frozenset()
    hops: tuple[tuple[str, str], ...] = ()
    proofs: Footprint = NOTHING

    @property
    def hidden_joins(self) -> str:
        """The hops as SQL, to be added to FROM."""
        return "".join(f" INNER JOIN {item} ON {condition}" for item, condition in self.hops)


def prove_ownership(
    members: Sequence[Member], equalities: Sequence[Equality], schema: Schema, from_: exp.Expr
) -> Ownership:
    """Find the unit of a join's rows.

    Args:
        members: all members of the join, at least one of them private.
        equalities: what the join and WHERE imply.
        schema: policy and catalog.
        from_: for the position of a refusal.

    Raises:
        UnsupportedError: the rows of two private members need not belong to the same unit.
    """
    if len(members) == 1 and isinstance(members[0].table, NamedTable) and not members[0].optional:
        return _of_lone(members[0], schema)
    return _proved(members, equalities, schema, from_)


def _of_lone(member: Member, schema: Schema) -> Ownership:
    """Of a table alone, of which no equality tells more: found once for each alias and what is present."""
    key = ("ownership", member.table.name, member.alias, member.present)
    found: Ownership | None = schema.known.get(key)
    if found is None:
        found = _proved([member], (), schema, exp.From())
        schema.known.put(key, found, weight=1)
    return found


def _proved(members: Sequence[Member], equalities: Sequence[Equality], schema: Schema, from_: exp.Expr) -> Ownership:
    private = [member for member in members if member.has_unit]
    keys = tie_together(private, (), equalities, from_)
    sure = [member for member in private if not member.optional]
    ownership = own_unit(min(sure, key=_hidden_hops), schema) if sure else _full_join_unit(private, from_)
    columns = {column for member in sure for column in unit_columns(member)}
    return replace(
        ownership,
        unit_columns=frozenset(columns | {own[0] for own in map(_own_unit, sure) if own is not None}),
        proofs=union([ownership.proofs, of_keys(keys)]),
    )


def unit_columns(member: Member) -> list[str]:
    """The SQL of the member's columns that hold the unit's identity: two values are equal if and only if they are of
    one unit. Under a nondeterministic collation one unit has several texts, which are read as different ones."""
    if isinstance(member.table, Derived):
        return [ColumnOrigin(member, name).sql for name in (*sorted(member.table.unit_outputs), UNIT)]
    column = member.table.identity_column
    if column is None or member.table.collated(column):
        return []
    return [ColumnOrigin(member, column).sql]


def _hidden_hops(member: Member) -> int:
    table = member.table
    return len(_hops(table.path)) if isinstance(table, NamedTable) and table.path is not None else 0


def _hops(path: UnitPath) -> tuple[Hop, ...]:
    """The hops that a join must follow: all but the last if that one's key is the unit's identity itself."""
    if path.hops and path.hops[-1].target_column == path.column:
        return path.hops[:-1]
    return path.hops


def own_unit(member: Member, schema: Schema) -> Ownership:
    """The unit of `member`'s rows: a column of theirs, or of the table that hidden joins along their path lead to."""
    table = member.table
    if isinstance(table, Derived):
        return Ownership(table.unit or "", f"{member.alias}.{UNIT_SQL}", table.unit_nullable, table.unit_kind)
    if table.path is None:
        raise AssertionError("a private table has a path to its unit")
    path, hops = table.path, _hops(table.path)
    if not hops:
        column = table.identity_column or path.column
        origin = ColumnOrigin(member, column)
        home = spreading_column(origin)
        proofs = unit_read(table, column)
        return Ownership(path.unit, unit_sql(origin), lacks_unit(origin), unit_kind(origin), home, proofs=proofs)
    joins, alias, reached = list[tuple[str, str]](), member.alias, table
    read: list[Footprint] = []
    for number, hop in enumerate(hops):
        target = f"{member.alias}u{number}"
        named = schema.table(hop.target)
        condition = _same_key(named, target, reached, alias, hop)
        joins.append((f"{quote_table(hop.target)} AS {target}", condition))
        key = of_keys([(hop.target, (hop.target_column,))])
        read += [of_table(named), key, _read(named, hop.target_column), _read(reached, hop.column)]
        alias, reached = target, named
    last = path.hops[-1].column if len(hops) < len(path.hops) else path.column
    unit = ColumnOrigin(Member(alias, alias, reached), last)
    proofs = union([*read, unit_read(reached, last)])
    return Ownership(path.unit, unit_sql(unit), lacks_unit(unit), unit_kind(unit), hops=tuple(joins), proofs=proofs)


def _read(table: NamedTable, column: str) -> Footprint:
    """The footprint of reading a column on the way to the unit."""
    return Footprint(columns=frozenset([(table.name, column)]))


def _same_key(referred: NamedTable, target: str, referring: NamedTable, alias: str, hop: Hop) -> str:
    """The condition of a hop. A foreign key may join texts of two collations, which Postgres compares for the key but
    not in a query: that fails at the first row. A nondeterministic collation is the same on both sides (`policy.lint`),
    and a type from outside pg_catalog has an equality of its own."""
    sides = [(referred, hop.target_column, target), (referring, hop.column, alias)]
    found = referring.catalog.columns[hop.column]
    if found.cast_to_text or found.collation or referring.term(hop.column).kind is not Kind.TEXT:
        return " = ".join(table.compared(column, name) for table, column, name in sides)
    return " = ".join(plainly_collated(table.term(column, name)).sql for table, column, name in sides)


def _own_unit(member: Member) -> tuple[str, Kind | None] | None:
    """The unit's column among the member's own, in one spelling, and what it is; None if other tables lead to it."""
    if isinstance(member.table, Derived):
        return f"{member.alias}.{UNIT_SQL}", member.table.unit_kind
    column = member.table.identity_column
    origin = ColumnOrigin(member, column) if column is not None else None
    return (unit_sql(origin), unit_kind(origin)) if origin is not None else None


def _full_join_unit(private: Sequence[Member], from_: exp.Expr) -> Ownership:
    """The unit of a FULL JOIN: as either side can be missing, it is that of the first side that is there."""
    columns = [_own_unit(member) for member in private]
    if None in columns:
        raise unsupported(
            from_,
            "this FULL JOIN is not supported",
            rule="join-kind",
            detail="Each side must have a column that identifies the privacy unit.",
            hint="Use LEFT JOIN, or join the tables that have that column.",
        )
    spelled, kind = alike([column for column in columns if column is not None])
    sql = f"COALESCE({', '.join(spelled)})"
    named = [member.table for member in private if isinstance(member.table, NamedTable)]
    read = [unit_read(table, table.identity_column) for table in named if table.identity_column is not None]
    return Ownership(private[0].unit or "", sql, True, kind, proofs=union(read))


def tie_together(
    private: Sequence[Member], tied: Sequence[Member], equalities: Sequence[Equality], from_: exp.Expr
) -> list[UniqueKey]:
    """Prove that the rows of all `private` members belong to one unit, that of the members already `tied`, if any.

    The condition of an outer join ties what it joins to one earlier member and to no second one: in a row without a
    match it says nothing, so it cannot tie those two to each other.

    Returns:
        The keys that this rests on.

    Raises:
        UnsupportedError: a member that no chain of equalities ties to the others.
    """
    private = [*tied, *private]
    first = private[0].alias if private else ""
    group = {member.alias: first if member in tied else member.alias for member in private}

    def root(alias: str) -> str:
        while group[alias] != alias:
            alias = group[alias]
        return alias

    keys: list[UniqueKey] = []
    attached: set[str] = set()
    for equality in sorted(equalities, key=lambda equality: equality.only is not None):
        if equality.only is not None and equality.only in attached:
            continue
        left, right = equality.left.member.alias, equality.right.member.alias
        if left not in group or right not in group or root(left) == root(right):
            continue
        shared = equality.left.identities & equality.right.identities
        if shared:
            group[root(left)] = root(right)
            keys.extend(_keys_of(shared))
            attached.update([equality.only] if equality.only is not None else [])
    loose = [member for member in private if root(member.alias) != root(private[0].alias)]
    if loose:
        raise two_units(private[0], loose[0], from_)
    return keys


def _keys_of(shared: frozenset[Identity]) -> list[UniqueKey]:
    """The keys that one of the shared identities rests on: none if that is the unit itself."""
    if any(identity.table is None for identity in shared):
        return []
    table, column = min((identity.table or "", identity.column or "") for identity in shared)
    return [(table, (column,))]
