"""The items of FROM: tables, and subqueries with what their columns mean; and what a reference to a column means."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlglot import exp

from proxy.policy import model
from proxy.sql.named_tables import Identity, NamedTable
from proxy.sql.replacing import replace
from proxy.sql.rows.footprint import NOTHING, Cut, Footprint, of_table, union
from proxy.sql.rows.multiplicity import ONCE, Multiplicity
from proxy.sql.terms.bounds import Bounds
from proxy.sql.terms.term import Read, Term
from proxy.sql.terms.types import Kind

if TYPE_CHECKING:  # a subquery's columns keep the relation that they are computed from
    from proxy.sql.rows.relation import Relation

UNIT = ""
"""Name of a derived relation's hidden unit column, in keys. No SQL identifier is empty."""

UNIT_SQL = "unit"
"""Its name in generated SQL."""

_SCANS_OF_CUT = 3
"""How often an item is read if the number of a unit's rows in it is limited."""


@dataclass(frozen=True)
class DerivedColumn:
    """An output of a derived relation.

    Attributes:
        sql: its name in generated SQL.
        value: its value inside the derived relation, as a term.
        compared_as: what its values identify units by: type name and collation.
        identities: what a value identifies (`schema.Identity`).
        definitions: the expression and the relation that it is computed from, row by row, for each side of a set
            operation; empty for aggregates and window functions.
        missing: it can be NULL in a row that has a unit, because an outer join found nothing or the row is a unit of
            its own.
        extreme: for an expression of min or max over one unit's rows, what a row would have in its place.
        once: it is computed once for each row, however often it is read.
        counted: for a count of one unit's rows, the most rows that the policy allows a unit. As a group key, greater
            counts have no group.
        room: where to clamp what is made of counts and sums of one unit's rows that have no bounds (`rows.room`).
        results: the constants, NULL left out, of which a CASE about aggregates or window functions is one.
        near_identities: what hardly any two values identify alike, as lower(code) of a text that identifies the unit.
        numbers: for row_number(), the outputs (UNIT for the hidden one) that tell in which window, each by its name in
            generated SQL; None for others.
    """

    sql: str
    value: Term
    compared_as: tuple[str, int]
    identities: frozenset[Identity] = frozenset()
    definitions: tuple[tuple[exp.Expr, Relation], ...] = ()
    missing: bool = False
    counted: int | None = None
    room: Bounds | None = None
    extreme: Extreme | None = None
    once: bool = False
    results: tuple[str, ...] = ()
    numbers: frozenset[str] | None = None
    near_identities: frozenset[Identity] = frozenset()

    @property
    def tells_the_unit(self) -> bool:
        """Does its value identify the unit, in every row that has one?"""
        return bool(self.identities) and not self.missing

    def __getstate__(self) -> dict[str, object]:
        """What is pickled: without trees, which a finished plan does not need."""
        return self.__dict__ | {"definitions": (), "extreme": None}


@dataclass(frozen=True)
class Extreme:
    """What a row would have in the place of an expression of one min or max.

    Attributes:
        node: the expression with the argument in the place of the call.
        relation: the rows.
        filtered: the call can be NULL where no row's argument is, since FILTER leaves out all rows.
    """

    node: exp.Expr
    relation: Relation
    filtered: bool


@dataclass(frozen=True)
class Derived:
    """What a subquery in FROM means: rows of one unit each, or public rows.

    Attributes:
        name: for messages.
        from_sql: its SQL in FROM, before the alias. Its columns are the `sql` of `columns` and, if it is private,
            UNIT_SQL.
        private: do its rows belong to units?
        columns: by the names that clients use.
        footprint: what it reads and rests on.
        unit: name of the unit, None if public.
        unit_nullable: rows can have no unit.
        unit_kind: what the unit is (`unit_spelling.unit_kind`).
        unit_outputs: columns that hold the unit's identity in every row.
        unique_keys: sets of columns (UNIT for the hidden one) in which no two rows are equal.
        row_count: most rows of a public one; None if unknown.
        multiplicity: how far it multiplies rows itself.
        filters: conditions that all its rows meet, each with the relation of its columns.
        work: nanoseconds that one of its rows takes at most, without what `multiplicity` says.
        merges_unit: somewhere in it several rows of a unit become one.
        limited: the number of a unit's rows is limited in what it is made of.
        whole: the table of which it has each row, if it is made of one alone.
        beside: its rows are made of the row beside them, and have its unit (`elements`).
    """

    name: str
    from_sql: str
    private: bool
    columns: dict[str, DerivedColumn]
    footprint: Footprint = NOTHING
    unit: str | None = None
    unit_nullable: bool = False
    unit_kind: Kind | None = None
    unit_outputs: frozenset[str] = frozenset()
    unique_keys: frozenset[frozenset[str]] = frozenset()
    row_count: int | None = None
    multiplicity: Multiplicity = ONCE
    filters: tuple[tuple[exp.Expr, Relation], ...] = ()
    work: int = 0
    merges_unit: bool = False
    limited: bool = False
    whole: NamedTable | None = None
    beside: bool = False

    def __getstate__(self) -> dict[str, object]:
        """What is pickled: without trees, which a finished plan does not need."""
        return self.__dict__ | {"filters": ()}

    def visible(self, column: str) -> bool:
        return column in self.columns

    def visible_columns(self) -> list[str]:
        return list(self.columns)

    def reference(self, column: str, alias: str) -> str:
        """The column's SQL, of the relation that generated SQL calls `alias`."""
        return f"{alias}.{self.column_sql(column)}"

    def enumerated_sql(self, column: str, alias: str) -> str:
        """As `reference`: what was computed of an enum is a text already."""
        return self.reference(column, alias)

    def column_sql(self, column: str) -> str:
        return UNIT_SQL if column == UNIT else self.columns[column].sql

    def comparison(self, column: str) -> tuple[str, int]:
        return self.columns[column].compared_as

    def nullable(self, column: str) -> bool:
        return self.columns[column].value.nullable

    def term(self, column: str, alias: str) -> Term:
        """The column as a term, of the relation that generated SQL calls `alias`."""
        value, sql = self.columns[column].value, self.reference(column, alias)
        return replace(
            value,
            sql=sql,
            plain=sql if value.is_plain else None,
            literal=None,
            constant=False,
            reads=frozenset([Read(alias, None, column)]),
            subqueries=(),
        )

    def identities(self, column: str) -> frozenset[Identity]:
        return self.columns[column].identities


@dataclass(frozen=True)
class Member:
    """One item of FROM.

    Attributes:
        exposed: the name that qualifies its columns in the client's text.
        alias: its name in generated SQL ("t0", "t1", …).
        table: what it is.
        optional: on the NULL-extended side of an outer join.
        present: columns that are NULL in no row of the relation, as its conditions say.
        unconditional: joined by LEFT JOIN … ON true, so that it is NULL-extended only if it has no row at all.
    """

    exposed: str
    alias: str
    table: NamedTable | Derived
    optional: bool = False
    present: frozenset[str] = frozenset()
    unconditional: bool = False

    @property
    def has_unit(self) -> bool:
        """Do its rows belong to units by themselves?"""
        return self.table.private and not self.is_beside

    @property
    def is_beside(self) -> bool:
        """Are its rows made of those of another member?"""
        return isinstance(self.table, Derived) and self.table.beside

    @property
    def unit(self) -> str | None:
        """Name of the unit that its rows belong to; None if they are public."""
        if isinstance(self.table, Derived):
            return self.table.unit
        return self.table.path.unit if self.table.path is not None else None

    def footprint(self, cut: Cut | None) -> Footprint:
        """What it reads; three times if the number of a unit's rows in it is limited, by `cut`."""
        table = self.table
        own = table.footprint if isinstance(table, Derived) else of_table(table)
        if cut is None:
            return own
        return union([replace(own, scans=own.scans * _SCANS_OF_CUT), cut.footprint, Footprint(cuts=(cut,))])


@dataclass(frozen=True)
class ColumnOrigin:
    """The member and the column that a reference means."""

    member: Member
    column: str

    @property
    def sql(self) -> str:
        return self.member.table.reference(self.column, self.member.alias)

    @property
    def nullable(self) -> bool:
        return self.member.optional or self.member.table.nullable(self.column)

    @property
    def policy(self) -> model.ColumnPolicy:
        """What the policy says of the column, for columns of the policy's tables."""
        table = self.member.table
        return table.column_policy(self.column) if isinstance(table, NamedTable) else model.unlisted_column()

    @property
    def identities(self) -> frozenset[Identity]:
        return self.member.table.identities(self.column)

    @property
    def near_identities(self) -> frozenset[Identity]:
        """What a value identifies, or nearly so, as another spelling of an identifier does."""
        table = self.member.table
        return table.columns[self.column].near_identities if isinstance(table, Derived) else self.identities

    @property
    def tells_the_unit(self) -> bool:
        """Does its value identify the unit, in every row that has one?"""
        return bool(self.identities) and not self.member.optional and not self.lacks_unit

    @property
    def collated(self) -> bool:
        """Has it a collation of its own, under which values that differ may be equal?"""
        return self.member.table.comparison(self.column)[1] != 0

    @property
    def is_text_of_unit(self) -> bool:
        """Is it one of several texts of the row's unit, which are equal under the column's own collation?"""
        return self.collated and self.tells_the_unit and any(identity.table is None for identity in self.identities)

    @property
    def lacks_unit(self) -> bool:
        """Can it be NULL in a row that has a unit, apart from outer joins of the relation itself?"""
        table = self.member.table
        if isinstance(table, Derived):
            missing = table.columns[self.column].missing
        else:
            missing = table.lacks_unit(self.column) or self.column in table.partial_identities
        return missing and self.column not in self.member.present

    def term(self) -> Term:
        """The column as a term."""
        term, nullable = self.member.table.term(self.column, self.member.alias), self.nullable
        return term if term.nullable is nullable else replace(term, nullable=nullable)


@dataclass(frozen=True)
class Extension:
    """A public member that a LEFT JOIN adds to rows along equal columns, or fills with NULLs.

    Attributes:
        member: it.
        pairs: the columns whose equality is the whole condition, those of earlier members first.
    """

    member: Member
    pairs: tuple[tuple[ColumnOrigin, ColumnOrigin], ...]


FromText = tuple["str | Member", ...]
"""A FROM clause whose items are written out only when it is known which of them are cut."""


def from_sql(text: FromText, cuts: Sequence[Cut]) -> str:
    """The SQL of a FROM clause, with the cuts in place of their members."""
    instead = {cut.alias: cut.from_sql for cut in cuts}
    return "".join(
        part if isinstance(part, str) else f"{instead.get(part.alias, part.table.from_sql)} AS {part.alias}"
        for part in text
    )


def told(member: Member) -> str:
    """What messages call a member: a table, a subquery as the client calls it, or the tables of one that a rewriting
    has made."""
    table = member.table
    if not isinstance(table, Derived):
        return table.name
    return " and ".join(read.name for read in table.footprint.private_tables) if is_ours(member) else member.exposed


def is_ours(member: Member) -> bool:
    """Has a rewriting made this subquery, so that the statement has no name for it?"""
    return isinstance(member.table, Derived) and member.exposed.startswith("dp")
