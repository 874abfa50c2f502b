"""The rows that a block aggregates: FROM as source SQL, what its columns mean, and who owns a row (DESIGN 3)."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Protocol

from sqlglot import exp

from proxy.policy import model
from proxy.sql.interval import Interval
from proxy.sql.refusal import subquery_refusal
from proxy.sql.schema import NamedTable, bounds_of, folded, unknown_column
from proxy.sql.term import Subquery, Term, quote_identifier
from proxy.sql.types import Kind, type_of_column


@dataclass(frozen=True)
class Member:
    """One table in FROM.

    Attributes:
        exposed: the name that qualifies its columns in the client's text.
        alias: its name in generated SQL ("t0", "t1", …).
        table: what it is.
        optional: on the NULL-extended side of an outer join.
    """

    exposed: str
    alias: str
    table: NamedTable
    optional: bool = False


@dataclass(frozen=True)
class ColumnOrigin:
    """The member and the column that a reference means."""

    member: Member
    column: str

    @property
    def sql(self) -> str:
        return f"{self.member.alias}.{quote_identifier(self.column)}"

    @property
    def policy(self) -> model.Column:
        columns = self.member.table.policy.columns or {}
        return columns.get(self.column, model.Column())

    @property
    def nullable(self) -> bool:
        return self.member.optional or self.member.table.catalog.columns[self.column].nullable


@dataclass
class Reads:
    """What subqueries among the rows read besides the relation's own tables; noted while terms are compiled.

    Attributes:
        members: their tables.
        multiplicity: most rows that joins and subqueries make the source look at for one private row (`multiplicity`).
        unique_keys: keys that the proofs about them rest on.
    """

    members: list[Member] = field(default_factory=list)
    multiplicity: int = 1
    unique_keys: list[tuple[str, tuple[str, ...]]] = field(default_factory=list)


class SubqueryCompiler(Protocol):
    """Compiles a subquery within a relation; see `proxy.sql.subqueries`."""

    def __call__(self, query: exp.Expr, value: exp.Expr | None, outer: Relation) -> Subquery: ...


@dataclass(frozen=True)
class Relation:
    """A row-level relation over private tables of one unit, optionally joined with public ones: the block's `Scope`.

    Attributes:
        members: the tables of FROM in order.
        sql: text of the FROM clause for the source, without the keyword.
        private_tables: the private tables it reads, those on the way to the unit included, each once.
        unit_sql: expression of the unit.
        unit_columns: texts of the columns that hold the unit's identity in every row.
        unit_nullable: rows can have no unit, which are not counted.
        unit_unique: no unit has two rows here, proven from `unique_keys`.
        unique_keys: (table, columns) keys of the source that the proof rests on.
        merged: columns that USING merged, by name.
        outer: the relation around it, for a subquery: names that are not its own are looked up there.
        compile_subquery: how subqueries are compiled; None where they are not understood (in ON).
        reads: what they read.
    """

    members: tuple[Member, ...]
    sql: str
    private_tables: tuple[NamedTable, ...]
    unit_sql: str
    unit_columns: frozenset[str]
    unit_nullable: bool
    unit_unique: bool
    unique_keys: tuple[tuple[str, tuple[str, ...]], ...]
    merged: tuple[tuple[str, ColumnOrigin], ...]
    outer: Relation | None = None
    compile_subquery: SubqueryCompiler | None = None
    reads: Reads = field(default_factory=Reads, compare=False)

    @property
    def all_members(self) -> tuple[Member, ...]:
        """The tables of FROM and of every subquery compiled so far."""
        return (*self.members, *self.reads.members)

    @property
    def tables(self) -> tuple[str, ...]:
        """Names of all tables that it reads."""
        named = [member.table.name for member in self.all_members] + [table.name for table in self.private_tables]
        return tuple(dict.fromkeys(named))

    def with_reads(self) -> Relation:
        """The relation with what its subqueries read among its private tables and keys, once all terms are compiled."""
        private = [*self.private_tables, *(member.table for member in self.reads.members if member.table.private)]
        return replace(
            self,
            private_tables=tuple({table.name: table for table in private}.values()),
            unique_keys=tuple(dict.fromkeys([*self.unique_keys, *self.reads.unique_keys])),
        )

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
            return self.outer.origin(node)
        if len(found) != 1:
            raise unknown_column(node)
        return ColumnOrigin(found[0], name)

    def column(self, node: exp.Column) -> Term:
        return column_term(self.origin(node))

    def subquery(self, query: exp.Expr, value: exp.Expr | None) -> Subquery:
        if self.compile_subquery is None:
            raise subquery_refusal(query)
        return self.compile_subquery(query, value, self)


def column_term(origin: ColumnOrigin) -> Term:
    """A column as a term, with the policy's bounds and step."""
    column = origin.member.table.catalog.columns[origin.column]
    type_ = type_of_column(column)
    bounds = step = grid = None
    if type_.is_number:
        if type_.kind is Kind.INTEGER:
            grid = Fraction(1)
        elif type_.scale is not None:
            grid = Fraction(1, 10**type_.scale) if type_.scale >= 0 else Fraction(10**-type_.scale)
        declared = origin.policy.step
        step = Fraction(declared) if declared is not None else grid
        limits = bounds_of(origin.policy)
        bounds = Interval(*limits) if limits is not None else None
    bare = replace(type_, magnitude=None, scale=None) if type_.kind is Kind.NUMERIC else type_
    # Of a type from outside pg_catalog the compiler knows no operator, only that it has a text.
    sql = f"{origin.sql}::text" if column.cast_to_text else origin.sql
    return Term(sql, bare, origin.nullable, bounds, step, grid, type_.magnitude)
