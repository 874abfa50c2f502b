"""Limits the rows of a unit that take part, where a join or a subquery multiplies them (`multiplicity`) or each of them
may take long by itself (`limits`).

Which rows of a unit remain is decided by its own rows alone: the first ones in the order of one of their keys, or of
all their columns. So a unit that comes or goes changes what remains of no other unit. Units within the limit, which are
nearly all, are read as they are: the units with more rows are found once for the whole source query, and only their
rows are sorted.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from sqlglot import exp

from proxy.sql.named_tables import NamedTable
from proxy.sql.refusal import unsupported
from proxy.sql.rows.footprint import Cut, Footprint, of_table, union
from proxy.sql.rows.members import UNIT, UNIT_SQL, ColumnOrigin, Derived, Member, told
from proxy.sql.rows.ownership import Ownership, own_unit
from proxy.sql.rows.relation import Relation
from proxy.sql.rows.tie_breakers import tie_breakers
from proxy.sql.schema import Schema
from proxy.sql.terms.work import MOST_ROW_WORK

_ALIAS = "m"


def cut(member: Member, schema: Schema, most: int, *, meets: bool, long: bool) -> Cut | None:
    """The cut that lets at most `most` rows of each unit take part; None if no unit has two rows.

    Args:
        member: of a relation.
        schema: policy and catalog.
        most: K for a table; for a derived relation, what K rows of a unit in its tables may become in it.
        meets: rows meet others; else each of them may take long by itself.
        long: as in `_item`.

    Raises:
        UnsupportedError: to find the first rows of a unit would take too long.
    """
    if _has_one_row(member):
        return None
    inner = Member(member.exposed, _ALIAS, member.table)
    if meets:
        _check_sort(inner)
    owner = own_unit(inner, schema)
    of_unit = f"{member.table.from_sql} AS {_ALIAS}{owner.hidden_joins}"
    unit = owner.unit_sql
    grouped = f"GROUP BY {', '.join(['1', *_homes(owner)])} HAVING count(*) > {most}"
    units = f"SELECT {unit} AS unit FROM {of_unit} WHERE {unit} IS NOT NULL {grouped}"
    units_name = f"many_{hashlib.sha256(units.encode()).hexdigest()[:16]}"
    name = told(member)
    columns = frozenset((member.table.name, column) for column in _read_names(member.table))
    reads = union([owner.proofs, Footprint(columns=columns)])
    own = member.table.footprint if isinstance(member.table, Derived) else of_table(member.table)
    item = _item(inner, owner, units_name, most, long=long, spread=own.spread)
    return Cut(member.alias, name, item, most, meets, units_name, units, reads)


def is_limited(relation: Relation) -> bool:
    """Is the number of rows of a unit in a relation limited already, here or in the subqueries in its FROM?"""
    cut_here = {cut.alias for cut in relation.cuts}
    return all(
        member.alias in cut_here or _has_one_row(member) or (isinstance(member.table, Derived) and member.table.limited)
        for member in relation.members
        if member.alias in relation.sources
    )


def with_units(read: Footprint, sql: str) -> str:
    """A source query with the units whose rows it cuts, found once however often it reads them."""
    units = {cut.units_name: cut.units_sql for cut in read.cuts}
    if not units:
        return sql
    queries = ", ".join(f"{name} AS MATERIALIZED ({query})" for name, query in units.items())
    return f"WITH {queries} SELECT * FROM ({sql}) AS measured"


def _item(member: Member, owner: Ownership, units: str, most: int, *, long: bool, spread: bool) -> str:
    """The SQL in FROM: all rows of the units that are not in `units`, and the first rows of those that are.

    Args:
        member: the member.
        owner: the unit of its rows.
        units: the relation of units with more than `most` rows.
        most: the rows that remain of them.
        long: the conditions around it may take long for one row. The planner is kept from computing them early, for
            rows that are then left out, and thereby also from using indexes.
        spread: its rows are spread over a cluster.
    """
    table = member.table
    names = _column_names(table)
    place, home = _free("place", names), _free("home", names)
    columns, inside = ", ".join(f"{_ALIAS}.{name}" for name in names), ", ".join(names)
    rows = f"FROM {table.from_sql} AS {_ALIAS}"
    items = ", ".join([f"{units} AS h", *(item for item, _ in owner.hops)])
    # The second equality is one that no constant in the query takes away (`terms.ties`).
    heavy = f"h.unit = {owner.unit_sql} AND ARRAY[h.unit] = ARRAY[{owner.unit_sql}]"
    conditions = " AND ".join([*(condition for _, condition in owner.hops), heavy])
    order = ", ".join(tie_breakers(_alone(member)).items)
    unit = ", ".join([owner.unit_sql, *_homes(owner)])
    number = f"row_number() OVER (PARTITION BY {unit} ORDER BY {order}) AS {place}"
    light_column, heavy_column, last = "", "", " OFFSET 0" if long else ""
    if long and spread:
        # A cluster brings all rows to one place for an OFFSET. Nor is a condition computed below a UNION ALL one side
        # of which has a window that is not partitioned by what the condition reads: by none of these columns, but
        # by the unit once more. The sides stay together because their types differ.
        number += f", {owner.unit_home or owner.unit_sql} AS {home}"
        light_column, heavy_column, last = f", 0 AS {place}", f", count(*) OVER (PARTITION BY r.{home}) AS {place}", ""
    light = f"SELECT {columns}{light_column} {rows} WHERE NOT EXISTS (SELECT FROM {items} WHERE {conditions}){last}"
    numbered = (
        f"SELECT {columns}, {number} {rows}{owner.hidden_joins} WHERE EXISTS (SELECT FROM {units} AS h WHERE {heavy})"
    )
    first = f"SELECT {inside}{heavy_column} FROM ({numbered}) AS r WHERE r.{place} <= {most}{last}"
    return f"(({light}) UNION ALL ({first}))"


def _check_sort(member: Member) -> None:
    """Refuse rows that take long to sort, of which a unit may have any number before they are cut.

    Raises:
        UnsupportedError: they do.
    """
    if tie_breakers(_alone(member)).work > MOST_ROW_WORK:
        name, is_made = told(member), isinstance(member.table, Derived)
        raise unsupported(
            exp.Null(),
            f"the rows of {name} take too long to sort",
            rule="row-work",
            detail="Only the first ones of a unit take part here, and to find these compares all columns: "
            + ("a result of several queries has no key." if is_made else "there is no key whose columns are NOT NULL."),
            hint="In these queries, name the columns that are needed instead of *, and in the place of documents and "
            "arrays what is read of them, as in document ->> 'kind' AS kind."
            if is_made
            else "Select the columns that the query needs in a subquery, without documents and arrays; a primary key "
            "on the source would help.",
        )


def _homes(owner: Ownership) -> list[str]:
    """What tells a unit besides its spelling, for the servers of a cluster."""
    return [owner.unit_home] if owner.unit_home is not None else []


def _free(letters: str, names: Sequence[str]) -> str:
    """A name that none of the columns has."""
    taken = {name.strip('"') for name in names}
    return next(name for name in (f"{letters}{number}" for number in range(len(names) + 1)) if name not in taken)


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
