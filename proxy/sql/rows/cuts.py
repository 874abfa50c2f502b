"""Limits the rows of a unit that take part, where a join or a subquery multiplies them (`multiplicity`) or each of them
may take long by itself (`limits`).

Which rows of a unit remain is decided by its own rows alone: the first ones in the order of one of their keys, or of
all their columns. So a unit that comes or goes changes what remains of no other unit. Units within the limit, which are
nearly all, are read as they are: the units with more rows are found once for the whole source query, and only their
rows are sorted.
"""

from __future__ import annotations

import hashlib

from proxy.sql.rows.footprint import Cut, Footprint, union
from proxy.sql.rows.ownership import Ownership, own_unit
from proxy.sql.rows.relation import UNIT, UNIT_SQL, ColumnOrigin, Derived, Member, Relation
from proxy.sql.rows.tie_breakers import tie_breakers
from proxy.sql.schema import NamedTable, Schema

_ALIAS = "m"


def cut(member: Member, schema: Schema, most: int, *, meets: bool, long: bool) -> Cut | None:
    """The cut that lets at most `most` rows of each unit take part; None if no unit has two rows.

    Args:
        member: of a relation.
        schema: policy and catalog.
        most: K for a table; for a derived relation, what K rows of a unit in its tables may become in it.
        meets: rows meet others; else each of them may take long by itself.
        long: as in `_item`.
    """
    if _has_one_row(member):
        return None
    inner = Member(member.exposed, _ALIAS, member.table)
    owner = own_unit(inner, schema)
    of_unit = f"{member.table.from_sql} AS {_ALIAS}{owner.hidden_joins}"
    unit = owner.unit_sql
    units = f"SELECT {unit} AS unit FROM {of_unit} WHERE {unit} IS NOT NULL GROUP BY 1 HAVING count(*) > {most}"
    units_name = f"many_{hashlib.sha256(units.encode()).hexdigest()[:16]}"
    name = member.exposed if isinstance(member.table, Derived) else member.table.name
    columns = frozenset((member.table.name, column) for column in _read_names(member.table))
    reads = union([owner.proofs, Footprint(columns=columns)])
    item = _item(inner, owner, units_name, most, long=long)
    return Cut(member.alias, name, item, most, meets, units_name, units, reads)


def is_limited(relation: Relation) -> bool:
    """Is the number of rows of a unit in a relation limited already, here or in the subqueries in its FROM?"""
    cut_here = {cut.alias for cut in relation.cuts}
    return all(
        member.alias in cut_here or _has_one_row(member) or (isinstance(member.table, Derived) and member.table.limited)
        for member in relation.members
        if member.alias in relation.sources
    )


def _item(member: Member, owner: Ownership, units: str, most: int, *, long: bool) -> str:
    """The SQL in FROM: all rows of the units that are not in `units`, and the first rows of those that are.

    Args:
        member: the member.
        owner: the unit of its rows.
        units: the relation of units with more than `most` rows.
        most: the rows that remain of them.
        long: the conditions around it may take long for one row. OFFSET keeps the planner from computing them early,
            for rows that are then left out; it also keeps it from using indexes.
    """
    last = " OFFSET 0" if long else ""
    table = member.table
    names = _column_names(table)
    place = next(name for name in (f"place{number}" for number in range(len(names) + 1)) if name not in names)
    columns, inside = ", ".join(f"{_ALIAS}.{name}" for name in names), ", ".join(names)
    rows = f"FROM {table.from_sql} AS {_ALIAS}"
    items = ", ".join([f"{units} AS h", *(item for item, _ in owner.hops)])
    # The second equality is one that no constant in the query takes away (`terms.ties`).
    heavy = f"h.unit = {owner.unit_sql} AND ARRAY[h.unit] = ARRAY[{owner.unit_sql}]"
    conditions = " AND ".join([*(condition for _, condition in owner.hops), heavy])
    order = ", ".join(tie_breakers(_alone(member)).values)
    number = f"row_number() OVER (PARTITION BY {owner.unit_sql} ORDER BY {order}) AS {place}"
    first = (
        f"SELECT {columns}, {number} {rows}{owner.hidden_joins} WHERE EXISTS (SELECT FROM {units} AS h WHERE {heavy})"
    )
    return (
        f"((SELECT {columns} {rows} WHERE NOT EXISTS (SELECT FROM {items} WHERE {conditions}){last}) "
        f"UNION ALL (SELECT {inside} FROM ({first}) AS r WHERE r.{place} <= {most}{last}))"
    )


def _alone(member: Member) -> Relation:
    """The member as a relation of its own, with its keys."""
    keys = member.table.unique_keys
    texts = (frozenset(UNIT if name == UNIT else ColumnOrigin(member, name).sql for name in key) for key in keys)
    return Relation((member,), keys=frozenset(texts))


def _column_names(table: NamedTable | Derived) -> list[str]:
    """The columns that may be read, as SQL: visible ones, and those that lead to the unit."""
    if isinstance(table, Derived):
        return [UNIT_SQL, *(column.sql for column in table.columns.values())]
    return [table.column_sql(name) for name in _read_names(table)]


def _read_names(table: NamedTable | Derived) -> list[str]:
    """Names of a table's columns that may be read."""
    if isinstance(table, Derived):
        return []
    hidden: set[str] = set()
    if table.path is not None:
        hidden = {table.path.column, *(hop.column for hop in table.path.hops[:1]), *table.lone_key}
    return [name for name in table.catalog.columns if table.visible(name) or name in hidden]


def _has_one_row(member: Member) -> bool:
    """Does every unit have at most one row in it?"""
    table = member.table
    if isinstance(table, Derived):
        of_unit = {UNIT, *table.unit_outputs}
    else:
        of_unit = {table.identity_column} if table.identity_column is not None else set[str]()
    return any(key and key <= of_unit for key in table.unique_keys)
