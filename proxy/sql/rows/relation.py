"""The rows that a block aggregates: FROM as source SQL, what its columns mean, and who owns a row (DESIGN 3)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

from sqlglot import exp

from proxy.policy import model
from proxy.sql.names import folded
from proxy.sql.refusal import subquery_refusal
from proxy.sql.rows.multiplicity import MOST_ROWS, Multiplicity
from proxy.sql.schema import Identity, NamedTable, unknown_column
from proxy.sql.terms.term import Subquery, Term

UNIT = ""
"""Name of the hidden column of a derived relation that holds the unit, in keys. No SQL identifier is empty."""

UNIT_SQL = "unit"
"""Its name in generated SQL."""

UniqueKey = tuple[str, tuple[str, ...]]
"""A table of the source and the columns that a proof takes for unique."""


@dataclass(frozen=True)
class DerivedColumn:
    """An output of a derived relation.

    Attributes:
        sql: its name in generated SQL.
        value: its value inside the derived relation, as a term.
        compared_as: what `=` compares it by: type name and collation.
        identities: what a value identifies (`schema.Identity`).
        definitions: the expression and the relation that it is computed from, row by row, for each side of a set
            operation; empty for aggregates and window functions.
        missing: it can be NULL in a row that has a unit, because an outer join found nothing.
        counted: for a count of one unit's rows, the most rows that the policy allows a unit. As a group key, greater
            counts are answered nowhere.
    """

    sql: str
    value: Term
    compared_as: tuple[str, int]
    identities: frozenset[Identity] = frozenset()
    definitions: tuple[tuple[exp.Expr, Relation], ...] = ()
    missing: bool = False
    counted: int | None = None


@dataclass(frozen=True)
class Derived:
    """What a subquery in FROM means: rows of one unit each, or public rows.

    Attributes:
        name: for messages.
        from_sql: what stands in FROM, before the alias. Its columns are the `sql` of `columns`, and, if it is private,
            UNIT_SQL.
        private: do its rows belong to units?
        columns: by the names that clients use.
        relations: what it is computed from.
        unit: name of the unit, None if public.
        unit_nullable: rows can have no unit.
        unit_outputs: columns that hold the unit's identity in every row.
        unique_keys: sets of columns (UNIT for the hidden one) of which no two rows share the values.
        source_keys: the keys of the source that these rest on.
        row_count: most rows of a public one; None if unknown.
        multiplicity: how far it multiplies rows itself.
        filters: conditions that all its rows meet, each with the relation that its columns belong to.
        work: nanoseconds that one of its rows takes at most, without what `multiplicity` says.
        uncounted: `row_count` stands for rows that are counted when they are evaluated.
    """

    name: str
    from_sql: str
    private: bool
    columns: dict[str, DerivedColumn]
    relations: tuple[Relation, ...] = ()
    unit: str | None = None
    unit_nullable: bool = False
    unit_outputs: frozenset[str] = frozenset()
    unique_keys: frozenset[frozenset[str]] = frozenset()
    source_keys: tuple[UniqueKey, ...] = ()
    row_count: int | None = None
    multiplicity: Multiplicity = field(default_factory=Multiplicity)
    filters: tuple[tuple[exp.Expr, Relation], ...] = ()
    work: int = 0
    uncounted: bool = False

    def visible(self, column: str) -> bool:
        return column in self.columns

    def visible_columns(self) -> list[str]:
        return list(self.columns)

    def reference(self, column: str, alias: str) -> str:
        """How generated SQL reads the column of the relation that it calls `alias`."""
        return f"{alias}.{self.column_sql(column)}"

    def column_sql(self, column: str) -> str:
        return UNIT_SQL if column == UNIT else self.columns[column].sql

    def comparison(self, column: str) -> tuple[str, int]:
        return self.columns[column].compared_as

    def nullable(self, column: str) -> bool:
        return self.columns[column].value.nullable

    def term(self, column: str, alias: str) -> Term:
        """The column as a term, of the relation that generated SQL calls `alias`."""
        return replace(self.columns[column].value, sql=self.reference(column, alias), literal=None, constant=False)

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
    """

    exposed: str
    alias: str
    table: NamedTable | Derived
    optional: bool = False

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
    def policy(self) -> model.Column:
        """What the policy says of the column, for columns of the policy's tables."""
        table = self.member.table
        return table.column_policy(self.column) if isinstance(table, NamedTable) else model.Column()

    @property
    def identities(self) -> frozenset[Identity]:
        return self.member.table.identities(self.column)

    @property
    def tells_the_unit(self) -> bool:
        """Does its value, in every row that has a unit, identify it?"""
        table = self.member.table
        missing = isinstance(table, Derived) and table.columns[self.column].missing
        return bool(self.identities) and not self.member.optional and not missing

    def term(self) -> Term:
        """The column as a term."""
        return replace(self.member.table.term(self.column, self.member.alias), nullable=self.nullable)


@dataclass(frozen=True)
class Cut:
    """A member of which no unit has more than so many rows (`cuts`).

    Attributes:
        member: which one.
        from_sql: what stands in FROM instead of it, before the alias.
        most: the rows that are left of a unit.
        meets: rows meet others; else each of them may take long by itself.
        units_name: name of the relation that `from_sql` reads: the units with more rows.
        units_sql: the query for them, for a WITH around the whole measurement.
    """

    member: Member
    from_sql: str
    most: int
    meets: bool
    units_name: str
    units_sql: str


FromText = tuple["str | Member", ...]
"""Text of a FROM clause whose items are written down only when it is known whether they are cut."""


def from_sql(text: FromText, cuts: Mapping[str, Cut]) -> str:
    """The SQL of a FROM clause, with the members that are cut by their aliases."""
    return "".join(part if isinstance(part, str) else _item_sql(part, cuts.get(part.alias)) for part in text)


def _item_sql(member: Member, cut: Cut | None) -> str:
    return f"{cut.from_sql if cut is not None else member.table.from_sql} AS {member.alias}"


@dataclass(frozen=True)
class Kept:
    """Public rows that an outer join keeps, whether a private row meets them or not: groups of zero without one.

    Attributes:
        aliases: their members.
        sql: the part of FROM that they come from.
    """

    aliases: frozenset[str]
    sql: str


@dataclass
class Reads:
    """What subqueries among the rows read besides the relation's own tables; noted while terms are compiled.

    Attributes:
        members: their tables.
        joined: how far the relation's own joins multiply the rows that the source looks at for one private row.
        here: the same without what is joined inside its members.
        inside: how far the worst of its subqueries does.
        unique_keys: keys that the proofs about them rest on.
        around: aliases of the relation's own members whose columns they look at.
        cuts: the members, of the relation and of its subqueries, of which a unit has a limited number of rows, by
            alias.
        path_tables: tables on hidden joins on the way to the unit by which their rows are counted.
        work: nanoseconds of each condition and value that is computed for one private row, by its text.
        seen: the characters that regular expressions among them get to see of longer texts.
        most_uncounted: the most rows that an uncounted member may turn out to have.
    """

    members: list[Member] = field(default_factory=list)
    joined: Multiplicity = field(default_factory=Multiplicity)
    here: Multiplicity = field(default_factory=Multiplicity)
    inside: Multiplicity = field(default_factory=Multiplicity)
    unique_keys: list[UniqueKey] = field(default_factory=list)
    around: set[str] = field(default_factory=set)
    cuts: dict[str, Cut] = field(default_factory=dict)
    path_tables: list[NamedTable] = field(default_factory=list)
    work: dict[str, int] = field(default_factory=dict)
    seen: set[int] = field(default_factory=set)
    most_uncounted: int = MOST_ROWS

    def note(self, term: Term, times: int = 1) -> Term:
        """The term, whose work counts from now on; a measurement computes it up to so many times for a row."""
        self.work[term.sql] = max(self.work.get(term.sql, 0), term.work * times)
        self.seen |= {term.seen} if term.seen is not None else set()
        return term

    @property
    def multiplicity(self) -> Multiplicity:
        """Of joins and subqueries together."""
        return self.joined * self.inside


class SubqueryCompiler(Protocol):
    """Compiles a subquery within a relation; see `proxy.sql.subqueries`."""

    def __call__(self, query: exp.Expr, value: exp.Expr | None, outer: Relation) -> Subquery: ...


@dataclass(frozen=True)
class Relation:
    """A row-level relation over private tables of one unit, optionally joined with public ones: the block's `Scope`.

    A relation over public tables alone is one too; it has no unit.

    Attributes:
        members: the items of FROM in order.
        text: the FROM clause for the source, without the keyword.
        path_tables: the private tables on hidden joins on the way to the unit.
        unit: name of the unit; None if all members are public.
        unit_sql: expression of the unit.
        unit_columns: texts of the columns that hold the unit's identity in every row.
        unit_nullable: rows can have no unit, which are not counted.
        keys: sets of columns, by their texts (UNIT for the unit), of which no two rows share the values.
        unique_keys: (table, columns) keys of the source that the proofs rest on.
        merged: columns that USING merged, by name.
        star: what * shows: columns by name, in the order of Postgres.
        row_count: most rows, if they are public and counted.
        outer: the relation around it, for a subquery: names that are not its own are looked up there.
        compile_subquery: how subqueries are compiled; None where they are not understood (in ON).
        reads: what they read.
        kept: the public side that an outer join keeps; None without such a join.
        sources: aliases of the private members that no unique key leads to: how many rows of a unit there are follows
            from these.
    """

    members: tuple[Member, ...]
    text: FromText = ()
    path_tables: tuple[NamedTable, ...] = ()
    unit: str | None = None
    unit_sql: str = ""
    unit_columns: frozenset[str] = frozenset()
    unit_nullable: bool = True
    keys: frozenset[frozenset[str]] = frozenset()
    unique_keys: tuple[UniqueKey, ...] = ()
    merged: tuple[tuple[str, ColumnOrigin], ...] = ()
    star: tuple[tuple[str, ColumnOrigin], ...] = ()
    row_count: int | None = None
    outer: Relation | None = None
    compile_subquery: SubqueryCompiler | None = None
    reads: Reads = field(default_factory=Reads, compare=False)
    kept: Kept | None = None
    sources: frozenset[str] = frozenset()

    @property
    def sql(self) -> str:
        """The FROM clause. Final only when all terms are compiled: subqueries among them can cut its members."""
        return from_sql(self.text, self.reads.cuts)

    @property
    def cuts(self) -> list[Cut]:
        """All members that are cut, those inside derived relations first, since others can read them."""
        return list(_cuts(self))

    @property
    def unit_unique(self) -> bool:
        """Has no unit two rows here?"""
        return frozenset({UNIT}) in self.keys

    @property
    def base_members(self) -> list[Member]:
        """Every table of the policy that it reads, those inside derived relations and subqueries included."""
        return list(_base_members([*self.members, *self.reads.members]))

    @property
    def private_tables(self) -> tuple[NamedTable, ...]:
        """The private tables that it reads, those on the way to the unit included, each once. Complete only when all
        terms are compiled."""
        return tuple({table.name: table for table in self.all_tables if table.private}.values())

    @property
    def tables(self) -> tuple[str, ...]:
        """Names of all tables that it reads."""
        return tuple(dict.fromkeys(table.name for table in self.all_tables))

    @property
    def all_tables(self) -> list[NamedTable]:
        """Every table that it reads, hidden ones on the way to the unit included."""
        found = [member.table for member in self.base_members if isinstance(member.table, NamedTable)]
        hidden = [*self.path_tables, *self.reads.path_tables]
        return [*found, *hidden, *_path_tables([*self.members, *self.reads.members])]

    @property
    def seen(self) -> set[int]:
        """The characters that regular expressions get to see of longer texts, those in subqueries too."""
        inner = [one for member in self.members if isinstance(member.table, Derived) for one in member.table.relations]
        return self.reads.seen.union(*(relation.seen for relation in inner))

    @property
    def most_uncounted(self) -> int:
        """The most rows that an uncounted relation may turn out to have, here and in the subqueries in FROM."""
        inner = [one for member in self.members if isinstance(member.table, Derived) for one in member.table.relations]
        return min([self.reads.most_uncounted, *(relation.most_uncounted for relation in inner)])

    @property
    def has_equal_spellings(self) -> bool:
        """Is there a column of which different texts are equal (a nondeterministic collation)? What is computed from it
        has its collation."""
        return any(column.collation for table in self.all_tables for column in table.catalog.columns.values())

    def with_reads(self) -> Relation:
        """The relation with the keys that its subqueries' proofs rest on, once all terms are compiled."""
        return replace(self, unique_keys=tuple(dict.fromkeys([*self.unique_keys, *self.reads.unique_keys])))

    def origin(self, node: exp.Column) -> ColumnOrigin:
        """What a column reference means. Raises RefusedError for unknown, hidden or ambiguous names."""
        if not isinstance(node.this, exp.Identifier) or node.args.get("db") or node.args.get("catalog"):
            raise unknown_column(node)
        name = folded(node.this)
        qualifier = node.args.get("table")
        merged = dict(self.merged)
        if qualifier is None and name in merged:
            return merged[name]
        wanted = folded(qualifier) if qualifier is not None else None
        found = [
            member
            for member in self.members
            if (wanted is None or member.exposed == wanted) and member.table.visible(name)
        ]
        if not found and self.outer is not None:
            origin = self.outer.origin(node)
            self.outer.reads.around.add(origin.member.alias)
            return origin
        if len(found) != 1:
            raise unknown_column(node)
        return ColumnOrigin(found[0], name)

    def whole(self, node: exp.Expr) -> Term | None:  # noqa: ARG002
        """No expression of plain rows is known before it is compiled."""
        return None

    def column(self, node: exp.Column) -> Term:
        return self.origin(node).term()

    def subquery(self, query: exp.Expr, value: exp.Expr | None) -> Subquery:
        if self.compile_subquery is None:
            raise subquery_refusal(query)
        return self.compile_subquery(query, value, self)


def _base_members(members: list[Member]) -> Iterator[Member]:
    for member in members:
        if isinstance(member.table, NamedTable):
            yield member
        else:
            for relation in member.table.relations:
                yield from relation.base_members


def _cuts(relation: Relation) -> Iterator[Cut]:
    for member in [*relation.members, *relation.reads.members]:
        if isinstance(member.table, Derived):
            for inner in member.table.relations:
                yield from _cuts(inner)
    yield from relation.reads.cuts.values()


def _path_tables(members: Sequence[Member]) -> Iterator[NamedTable]:
    for member in members:
        if isinstance(member.table, Derived):
            for relation in member.table.relations:
                yield from relation.path_tables
                yield from relation.reads.path_tables
                yield from _path_tables([*relation.members, *relation.reads.members])
