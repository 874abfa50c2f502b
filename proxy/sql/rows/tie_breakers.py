"""What puts the rows of one unit into an order that they decide themselves.

A sort leaves rows that its keys do not tell apart as other people's rows happen to push them. So where the place of a
row among others counts, all that the rows hold decides between those that are equal so far.
"""

from __future__ import annotations

from dataclasses import dataclass

from proxy.sql.rows.relation import UNIT, ColumnOrigin, Relation
from proxy.sql.terms.term import Read, Term
from proxy.sql.terms.types import BPCHAR, Kind, element_type
from proxy.sql.terms.work import MOST_COMPARED, size_of


@dataclass(frozen=True)
class TieBreakers:
    """Expressions that two rows of one unit share only if no expression tells the rows apart.

    Attributes:
        values: the expressions.
        columns: what they are made of.
    """

    values: tuple[str, ...] = ()
    columns: tuple[Term, ...] = ()

    @property
    def work(self) -> int:
        """Nanoseconds of reading and comparing them, for one row."""
        return sum(column.work + min(size_of(column), MOST_COMPARED) for column in self.columns)

    @property
    def reads(self) -> frozenset[Read]:
        """The columns in them."""
        return frozenset[Read]().union(*(column.reads for column in self.columns))


def tie_breakers(relation: Relation) -> TieBreakers:
    """The tie breakers of a relation's rows: a key of theirs, or all columns.

    Columns that no client can name cannot matter, and of long values everything sees the beginning alone
    (`terms.stored`). A unique key leaves rows with a NULL in it apart from nothing, so that these are told apart by all
    columns too.
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
    """What two values share only if no expression tells them apart. Of types that no function takes, it is whether
    there is a value at all."""
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
