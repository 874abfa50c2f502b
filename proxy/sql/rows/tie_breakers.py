"""An order of one unit's rows that they decide themselves.

Sorting leaves rows with equal keys in an order that other units' rows can change. So where a row's position among
others counts, everything that the rows hold decides between those that are equal so far.

Equal is not identical: 1.0 = 1.00, {0} = {-0}, and of some types no equality is known here. So rows are compared as
they are stored, octet by octet, with Postgres's operator *< of records. It takes every type, cannot fail, calls no
function of a type, and depends on no setting, as texts of floats do.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from proxy.sql.named_tables import NamedTable
from proxy.sql.rows.members import UNIT, ColumnOrigin, Member
from proxy.sql.rows.relation import Relation
from proxy.sql.terms.term import Read, Term
from proxy.sql.terms.types import Kind
from proxy.sql.terms.work import MOST_COMPARED, size_of

_COMPARISONS = 11
"""Of each row in the sort of the most rows of a unit that may take long (`terms.work.MOST_LONG_ROWS`)."""
_UNPACKED = 4
"""Octets that are unpacked and compared in a nanosecond."""
_MOST_FIELDS = 1600
"""Postgres makes no row of more."""


@dataclass(frozen=True)
class TieBreakers:
    """Items of ORDER BY under which two rows of a unit are equal only if no expression distinguishes them.

    Attributes:
        items: the items.
        columns: the columns in them.
        compared: those that are compared as they are stored, where nothing else decides.
    """

    items: tuple[str, ...] = ()
    columns: tuple[Term, ...] = ()
    compared: tuple[Term, ...] = ()

    @property
    def work(self) -> int:
        """Nanoseconds of reading and comparing them, per row. Each comparison unpacks both values that are compressed:
        records keep them so."""
        read = sum(column.work + min(size_of(column), MOST_COMPARED) for column in self.columns)
        octets = sum(size_of(column) for column in self.compared if column.kind in (Kind.TEXT, Kind.OTHER))
        return read + 2 * _COMPARISONS * octets // _UNPACKED

    @property
    def reads(self) -> frozenset[Read]:
        """The columns in them."""
        return frozenset[Read]().union(*(column.reads for column in self.columns))


def tie_breakers(relation: Relation) -> TieBreakers:
    """The tie breakers of a relation's rows: a key of theirs, or all columns.

    Columns that no client can name do not matter, and only the beginning of a long value is ever seen (`terms.stored`).
    A unique key does not distinguish rows with a NULL in it; these are ordered by all columns too.
    """
    keys = [key - {UNIT} for key in relation.keys]
    if keys and not min(keys, key=sorted):
        return TieBreakers()
    if keys:
        terms = _never_null(relation, min(keys, key=sorted))
        if terms is not None:
            return TieBreakers(tuple(sorted(min(keys, key=sorted))), terms)
    if any(member.optional for member in relation.members):
        each = [_own_key(member) for member in relation.members]
        if None not in each:
            origins = [origin for key in each for origin in key or ()]
            shown = tuple(origin.term() for origin in origins if origin.member.table.visible(origin.column))
            return TieBreakers(tuple(origin.sql for origin in origins), shown)
    columns = [ColumnOrigin(member, name) for member in relation.members for name in member.table.visible_columns()]
    terms = tuple(column.term() for column in columns)
    rows = [f"ROW({', '.join(term.sql for term in fields)})" for fields in _batches(terms)]
    if not keys:
        return TieBreakers(tuple(map(_by_octets, rows)), terms, terms)
    key = sorted(min(keys, key=sorted))
    missing = " OR ".join(f"{column} IS NULL" for column in key)
    others = (_by_octets(f"(CASE WHEN {missing} THEN {row} END)") for row in rows)
    return TieBreakers((*key, *others), terms, terms)


def _never_null(relation: Relation, key: frozenset[str]) -> tuple[Term, ...] | None:
    """The columns of a key that clients know, if none of its columns can be NULL; None if one of them can. Of columns
    that clients do not know only those of a primary key surely cannot."""
    found, shown = set(), []
    for member in relation.members:
        visible = member.table.visible_columns()
        hidden = member.table.catalog.primary_key if isinstance(member.table, NamedTable) else ()
        for name in dict.fromkeys((*visible, *hidden)):
            origin = ColumnOrigin(member, name)
            if origin.sql in key and not origin.nullable:
                found.add(origin.sql)
                shown += [origin.term()] if name in visible else []
    return tuple(shown) if found == key else None


def _own_key(member: Member) -> list[ColumnOrigin] | None:
    """The columns of a member's key none of which can be NULL in its own rows; None if it has no such key.

    Together such keys of all members tell the rows of a join, also of an outer one: where it finds nothing of a member,
    all of that one's columns are NULL, once for each row of the others.
    """
    table = member.table
    hidden = table.catalog.primary_key if isinstance(table, NamedTable) else ()
    present = {name for name in table.visible_columns() if not table.nullable(name)} | set(hidden)
    keys = [key - {UNIT} for key in table.unique_keys if key - {UNIT} <= present]
    return [ColumnOrigin(member, name) for name in sorted(min(keys, key=sorted))] if keys else None


def _by_octets(row: str) -> str:
    return f"{row} USING *<"


def _batches(terms: Sequence[Term]) -> Iterator[Sequence[Term]]:
    return (terms[start : start + _MOST_FIELDS] for start in range(0, len(terms), _MOST_FIELDS))
