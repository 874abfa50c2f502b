"""The rows that a block aggregates: FROM as SQL, what its columns mean, and each row's unit (decision 3)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Protocol

from sqlglot import exp

from proxy.policy import model
from proxy.sql.names import folded
from proxy.sql.refusal import subquery_refusal
from proxy.sql.rows.footprint import Cut, Footprint, of_table, of_terms, union
from proxy.sql.rows.multiplicity import Multiplicity
from proxy.sql.schema import Identity, NamedTable, unknown_column
from proxy.sql.terms.term import Limits, Read, Subquery, Term
from proxy.sql.terms.work import distinct_subqueries

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
    """

    sql: str
    value: Term
    compared_as: tuple[str, int]
    identities: frozenset[Identity] = frozenset()
    definitions: tuple[tuple[exp.Expr, Relation], ...] = ()
    missing: bool = False
    counted: int | None = None
    extreme: Extreme | None = None
    once: bool = False

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
        unit_outputs: columns that hold the unit's identity in every row.
        unique_keys: sets of columns (UNIT for the hidden one) in which no two rows are equal.
        row_count: most rows of a public one; None if unknown.
        multiplicity: how far it multiplies rows itself.
        filters: conditions that all its rows meet, each with the relation of its columns.
        work: nanoseconds that one of its rows takes at most, without what `multiplicity` says.
        merges_unit: somewhere in it several rows of a unit become one.
        limited: the number of a unit's rows is limited in what it is made of.
        whole: the public table of which it has each row, if it is made of one alone.
    """

    name: str
    from_sql: str
    private: bool
    columns: dict[str, DerivedColumn]
    footprint: Footprint = field(default_factory=Footprint)
    unit: str | None = None
    unit_nullable: bool = False
    unit_outputs: frozenset[str] = frozenset()
    unique_keys: frozenset[frozenset[str]] = frozenset()
    row_count: int | None = None
    multiplicity: Multiplicity = field(default_factory=Multiplicity)
    filters: tuple[tuple[exp.Expr, Relation], ...] = ()
    work: int = 0
    merges_unit: bool = False
    limited: bool = False
    whole: NamedTable | None = None

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
    """

    exposed: str
    alias: str
    table: NamedTable | Derived
    optional: bool = False
    present: frozenset[str] = frozenset()

    @property
    def unit(self) -> str | None:
        """Name of the unit that its rows belong to; None if they are public."""
        if isinstance(self.table, Derived):
            return self.table.unit
        return self.table.path.unit if self.table.path is not None else None


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
        return table.column_policy(self.column) if isinstance(table, NamedTable) else model.ColumnPolicy()

    @property
    def identities(self) -> frozenset[Identity]:
        return self.member.table.identities(self.column)

    @property
    def tells_the_unit(self) -> bool:
        """Does its value identify the unit, in every row that has one?"""
        return bool(self.identities) and not self.member.optional and not self.lacks_unit

    @property
    def lacks_unit(self) -> bool:
        """Can it be NULL in a row that has a unit, apart from outer joins of the relation itself?"""
        table = self.member.table
        missing = table.columns[self.column].missing if isinstance(table, Derived) else table.lacks_unit(self.column)
        return missing and self.column not in self.member.present

    def term(self) -> Term:
        """The column as a term."""
        term, nullable = self.member.table.term(self.column, self.member.alias), self.nullable
        return term if term.nullable is nullable else replace(term, nullable=nullable)


FromText = tuple["str | Member", ...]
"""A FROM clause whose items are written out only when it is known which of them are cut."""


def from_sql(text: FromText, cuts: Sequence[Cut]) -> str:
    """The SQL of a FROM clause, with the cuts in place of their members."""
    instead = {cut.alias: cut.from_sql for cut in cuts}
    return "".join(
        part if isinstance(part, str) else f"{instead.get(part.alias, part.table.from_sql)} AS {part.alias}"
        for part in text
    )


@dataclass(frozen=True)
class Kept:
    """Public rows that an outer join keeps; those that meet no private row are groups of zero.

    Attributes:
        aliases: their members.
        sql: the part of FROM that has them.
    """

    aliases: frozenset[str]
    sql: str


@dataclass(frozen=True, eq=False)
class RowSubquery(Subquery):
    """EXISTS or IN among rows (see `subqueries`).

    Attributes:
        relation: its rows, with what is computed of them.
        multiplicity: how many rows the source may go through for one row around it, including subqueries inside.
        proofs: what ties its rows to the ones around it.
        cuts_around: the items around it whose number of rows per unit it limits.
    """

    relation: Relation
    multiplicity: Multiplicity
    proofs: Footprint
    cuts_around: tuple[Cut, ...]

    @property
    def footprint(self) -> Footprint:
        return union([self.relation.footprint, self.proofs, of_terms(self.outputs)])


@dataclass(frozen=True)
class Extension:
    """A public member that a LEFT JOIN adds to rows along equal columns, or fills with NULLs.

    Attributes:
        member: it.
        pairs: the columns whose equality is the whole condition, those of earlier members first.
    """

    member: Member
    pairs: tuple[tuple[ColumnOrigin, ColumnOrigin], ...]


class SubqueryCompiler(Protocol):
    """Compiles a subquery within a relation; see `subqueries`."""

    def __call__(self, query: exp.Expr, value: exp.Expr | None, outer: Relation) -> RowSubquery: ...


@dataclass(frozen=True, eq=False)
class Relation:
    """A row-level relation over private tables of one unit, optionally joined with public ones: the block's `Scope`.

    A relation over public tables alone is one too; it has no unit.

    Attributes:
        members: the items of FROM in order.
        text: the FROM clause for the source, without the keyword.
        unit: name of the unit; None if all members are public.
        unit_sql: expression of the unit.
        unit_columns: the SQL of the columns that hold the unit's identity in every row.
        unit_nullable: rows can have no unit, which are not counted.
        unit_home: the column that spreads the rows over a cluster, where `unit_sql` hides it: to group by both is to
            group by the unit.
        keys: sets of columns, as SQL (UNIT for the unit), in which no two rows are equal.
        proofs: what the way to the unit, the keys and the joins read and rest on.
        merged: columns that USING merged, by name.
        star: what * shows: columns by name, in the order of Postgres.
        row_count: most rows, if they are public and counted.
        outer: the relation around it, for a subquery: names that are not its own are looked up there.
        compile_subquery: compiles subqueries; None where they are not supported (in ON).
        kept: the public side that an outer join keeps; None without such a join.
        sources: aliases of the private members that no unique key leads to: they decide how many rows a unit has.
        joined: how far its own joins multiply the rows that the source looks at for one private row.
        here: the same without what is joined inside its members.
        conditions: the conditions of its joins.
        terms: everything else that is computed for each of its rows, as far as known (`computing`).
        own_cuts: its members whose number of rows per unit is limited, apart from what subqueries ask for.
        limits: what conditions that all its rows meet say of numbers (`narrowing`).
        equal: pairs of columns of its members that are equal in every row, by its inner joins and WHERE.
        alike: pairs that are equal or both NULL.
        extensions: its LEFT JOINs of public members along columns.
    """

    members: tuple[Member, ...]
    text: FromText = ()
    unit: str | None = None
    unit_sql: str = ""
    unit_columns: frozenset[str] = frozenset()
    unit_nullable: bool = True
    unit_home: str | None = None
    keys: frozenset[frozenset[str]] = frozenset()
    proofs: Footprint = field(default_factory=Footprint)
    merged: tuple[tuple[str, ColumnOrigin], ...] = ()
    star: tuple[tuple[str, ColumnOrigin], ...] = ()
    row_count: int | None = None
    outer: Relation | None = None
    compile_subquery: SubqueryCompiler | None = None
    kept: Kept | None = None
    sources: frozenset[str] = frozenset()
    joined: Multiplicity = field(default_factory=Multiplicity)
    here: Multiplicity = field(default_factory=Multiplicity)
    conditions: tuple[Term, ...] = ()
    terms: tuple[Term, ...] = ()
    own_cuts: tuple[Cut, ...] = ()
    limits: Limits = field(default_factory=dict)
    equal: tuple[tuple[ColumnOrigin, ColumnOrigin], ...] = ()
    alike: tuple[tuple[ColumnOrigin, ColumnOrigin], ...] = ()
    extensions: tuple[Extension, ...] = ()

    def __getstate__(self) -> dict[str, object]:
        """What is pickled: without the compiler, which a plan does not need."""
        return self.__dict__ | {"compile_subquery": None}

    def computing(self, terms: Sequence[Term]) -> Relation:
        """The relation with more of what is computed for each of its rows."""
        return replace(self, terms=(*self.terms, *terms))

    @property
    def sql(self) -> str:
        """The FROM clause, final where `terms` are all that is computed: subqueries in them can cut members."""
        return from_sql(self.text, self.cuts)

    @cached_property
    def subqueries(self) -> tuple[RowSubquery, ...]:
        """The subqueries in what is computed for a row, but not those inside them."""
        found = distinct_subqueries([*self.conditions, *self.terms])
        return tuple(subquery for subquery in found if isinstance(subquery, RowSubquery))

    @cached_property
    def multiplicity(self) -> Multiplicity:
        """The factor by which its joins and subqueries together multiply the rows that the source looks at for a
        private row."""
        inside = Multiplicity()
        for subquery in self.subqueries:
            inside = inside.or_(subquery.multiplicity)
        return self.joined * inside

    @cached_property
    def cuts(self) -> tuple[Cut, ...]:
        """Its own members of which a unit has a limited number of rows."""
        own = {member.alias for member in self.members}
        asked = [cut for subquery in self.subqueries for cut in subquery.cuts_around if cut.alias in own]
        # The strictest cut of each.
        every = sorted((*asked, *self.own_cuts), key=lambda cut: -cut.most)
        return tuple({cut.alias: cut for cut in every}.values())

    @cached_property
    def footprint(self) -> Footprint:
        """What it reads and rests on, with all that is computed of its rows."""
        cuts = {cut.alias: cut for cut in self.cuts}
        members = [_member_footprint(member, cuts.get(member.alias)) for member in self.members]
        subqueries = [subquery.footprint for subquery in self.subqueries]
        return union([*members, *subqueries, self.proofs, of_terms([*self.conditions, *self.terms])])

    @cached_property
    def work(self) -> int:
        """Nanoseconds that one of its rows takes at most, not counting `multiplicity`."""
        computed: dict[str, int] = {}
        for term in (*self.conditions, *self.terms):
            computed[term.sql] = max(computed.get(term.sql, 0), term.work)
        derived = sum(member.table.work for member in self.members if isinstance(member.table, Derived))
        return sum(computed.values()) + derived + sum(subquery.relation.work for subquery in self.subqueries)

    @property
    def unit_unique(self) -> bool:
        """Does every unit have at most one row here?"""
        return frozenset({UNIT}) in self.keys

    @property
    def private_tables(self) -> tuple[NamedTable, ...]:
        """The private tables that it reads, each once, including those on the way to the unit. They decide who pays."""
        return self.footprint.private_tables

    def origin(self, node: exp.Column) -> ColumnOrigin:
        """The member and column that a reference means. Raises RefusedError for unknown, hidden or ambiguous names."""
        if not isinstance(node.this, exp.Identifier) or node.args.get("db") or node.args.get("catalog"):
            raise unknown_column(node)
        name = folded(node.this)
        qualifier = node.args.get("table")
        if qualifier is None and self.merged:
            merged = dict(self.merged)
            if name in merged:
                return merged[name]
        wanted = folded(qualifier) if qualifier is not None else None
        found = [
            member
            for member in self.members
            if (wanted is None or member.exposed == wanted) and member.table.visible(name)
        ]
        if not found and self.outer is not None:
            return self.outer.origin(node)
        if len(found) != 1:
            raise unknown_column(node)
        return ColumnOrigin(found[0], name)

    def whole(self, node: exp.Expr) -> Term | None:  # noqa: ARG002
        """None: no expression of plain rows is known before it is compiled."""
        return None

    def column(self, node: exp.Column) -> Term:
        return self.origin(node).term()

    def subquery(self, query: exp.Expr, value: exp.Expr | None) -> Subquery:
        if self.compile_subquery is None:
            raise subquery_refusal(query)
        return self.compile_subquery(query, value, self)


def _member_footprint(member: Member, cut: Cut | None) -> Footprint:
    """What an item of FROM reads; three times if the number of a unit's rows in it is limited."""
    table = member.table
    own = table.footprint if isinstance(table, Derived) else of_table(table)
    if cut is None:
        return own
    return union([replace(own, scans=own.scans * _SCANS_OF_CUT), cut.footprint, Footprint(cuts=(cut,))])
