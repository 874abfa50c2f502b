"""An order of one unit's rows that they decide themselves.

Sorting leaves rows with equal keys in an order that other units' rows can change. So where a row's position among
others counts, everything that the rows hold decides between those that are equal so far.
"""

from __future__ import annotations

from dataclasses import dataclass

from proxy.sql.rows.members import UNIT, ColumnOrigin
from proxy.sql.rows.relation import Relation
from proxy.sql.terms.term import Read, Term
from proxy.sql.terms.types import BPCHAR, Kind, element_type
from proxy.sql.terms.work import MOST_COMPARED, size_of


@dataclass(frozen=True)
class TieBreakers:
    """Expressions that are equal for two rows of a unit only if no expression distinguishes the rows.

    Attributes:
        values: the expressions.
        columns: the columns in them.
    """

    values: tuple[str, ...] = ()
    columns: tuple[Term, ...] = ()

    @property
    def work(self) -> int:
        """Nanoseconds of reading and comparing them, per row."""
        return sum(column.work + min(size_of(column), MOST_COMPARED) for column in self.columns)

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
    columns = [ColumnOrigin(member, name) for member in relation.members for name in member.table.visible_columns()]
    terms = tuple(column.term() for column in columns)
    values = [sql for term in terms for sql in _told_apart_by(term)]
    if not keys:
        return TieBreakers(tuple(values), terms)
    key = sorted(min(keys, key=sorted))
    missing = " OR ".join(f"{column} IS NULL" for column in key)
    return TieBreakers((*key, *(f"(CASE WHEN {missing} THEN {value} END)" for value in values)), terms)


def _told_apart_by(term: Term) -> list[str]:
    """What is equal for two values only if no expression distinguishes them. For types that no function takes, it is
    whether there is a value at all."""
    sql = term.sql
    if term.kind is Kind.NUMERIC:
        return [sql, f"scale({sql})"]
    if term.type == BPCHAR:
        return [f'({sql}::text COLLATE "C")', f"octet_length({sql})"]
    if term.kind in (Kind.TEXT, Kind.FLOAT, Kind.INTERVAL) or term.type.name == "json":
        return [f'({sql}::text COLLATE "C")']
    if term.kind is Kind.OTHER and term.type.name != "jsonb" and element_type(term.type) is None:
        return [f"({sql} IS NULL)"]
    return [sql]
