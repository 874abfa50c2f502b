"""The rows that a block aggregates: FROM as SQL, what is computed of its rows, and each row's unit (decision 3)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import Final, Protocol

from sqlglot import exp

from proxy.sql.named_tables import NamedTable
from proxy.sql.names import folded
from proxy.sql.nodes import Shape
from proxy.sql.refusal import subquery_refusal
from proxy.sql.replacing import replace
from proxy.sql.rows.footprint import NOTHING, Cut, Footprint, of_terms, union
from proxy.sql.rows.members import UNIT, ColumnOrigin, Derived, Extension, FromText, Member, from_sql
from proxy.sql.rows.multiplicity import ONCE, Multiplicity
from proxy.sql.schema import unknown_column
from proxy.sql.terms.term import Limits, Subquery, Term
from proxy.sql.terms.types import Kind
from proxy.sql.terms.work import distinct_subqueries, shared_work


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
    """EXISTS or IN among rows (see `meeting`).

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


class SubqueryCompiler(Protocol):
    """Compiles a subquery within a relation; see `compiler`."""

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
        unit_kind: what the unit is (`unit_spelling.unit_kind`).
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
    unit_kind: Kind | None = None
    unit_home: str | None = None
    keys: frozenset[frozenset[str]] = frozenset()
    proofs: Footprint = NOTHING
    merged: tuple[tuple[str, ColumnOrigin], ...] = ()
    star: tuple[tuple[str, ColumnOrigin], ...] = ()
    row_count: int | None = None
    outer: Relation | None = None
    compile_subquery: SubqueryCompiler | None = None
    kept: Kept | None = None
    sources: frozenset[str] = frozenset()
    joined: Multiplicity = ONCE
    here: Multiplicity = ONCE
    conditions: tuple[Term, ...] = ()
    terms: tuple[Term, ...] = ()
    own_cuts: tuple[Cut, ...] = ()
    limits: Limits = field(default_factory=dict)
    equal: tuple[tuple[ColumnOrigin, ColumnOrigin], ...] = ()
    alike: tuple[tuple[ColumnOrigin, ColumnOrigin], ...] = ()
    extensions: tuple[Extension, ...] = ()

    def __getstate__(self) -> dict[str, object]:
        """What is pickled: without the compiler and what it alone reads, which a plan does not need, and without what
        follows from the rest."""
        known = self.__dict__
        return {name: known[name] for name in _PICKLED} | _FOR_COMPILING

    def computing(self, terms: Sequence[Term]) -> Relation:
        """The relation with more of what is computed for each of its rows."""
        found = replace(self, terms=(*self.terms, *terms))
        # Its columns are the same.
        found.__dict__.update(texts=self.texts, origins=self.origins)
        return found

    @property
    def sql(self) -> str:
        """The FROM clause, final where `terms` are all that is computed: subqueries in them can cut members."""
        return from_sql(self.text, self.cuts)

    @cached_property
    def texts(self) -> dict[Shape, str]:
        """The `canonical` texts of expressions, by what these are made of."""
        return {}

    @cached_property
    def origins(self) -> dict[tuple[str | None, str], ColumnOrigin]:
        """What references were found to mean, by qualifier and name."""
        return {}

    @cached_property
    def subqueries(self) -> tuple[RowSubquery, ...]:
        """The subqueries in what is computed for a row, but not those inside them."""
        found = distinct_subqueries([*self.conditions, *self.terms])
        return tuple(subquery for subquery in found if isinstance(subquery, RowSubquery))

    @cached_property
    def multiplicity(self) -> Multiplicity:
        """The factor by which its joins and subqueries together multiply the rows that the source looks at for a
        private row."""
        inside = ONCE
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
        return union([*self._read(), of_terms([*self.conditions, *self.terms])])

    def _read(self) -> list[Footprint]:
        """The footprints of everything of which it reads rows."""
        cuts = {cut.alias: cut for cut in self.cuts}
        members = [member.footprint(cuts.get(member.alias)) for member in self.members]
        return [*members, *(subquery.footprint for subquery in self.subqueries), self.proofs]

    @cached_property
    def work(self) -> int:
        """Nanoseconds that one of its rows takes at most, not counting `multiplicity`."""
        computed: dict[str, int] = {}
        for term in (*self.conditions, *self.terms):
            computed[term.sql] = max(computed.get(term.sql, 0), term.work)
        computed |= shared_work((*self.conditions, *self.terms))
        derived = sum(member.table.work for member in self.members if isinstance(member.table, Derived))
        return sum(computed.values()) + derived + sum(subquery.relation.work for subquery in self.subqueries)

    @property
    def unit_unique(self) -> bool:
        """Does every unit have at most one row here?"""
        return any(key <= {UNIT} for key in self.keys)  # without columns: it has one row at most

    @cached_property
    def private_tables(self) -> tuple[NamedTable, ...]:
        """The private tables that it reads, each once, including those on the way to the unit. They decide who pays."""
        tables = {table.name: table for part in self._read() for table in part.tables}
        return tuple(table for table in tables.values() if table.private)

    def filters_of_subqueries(self) -> list[tuple[exp.Expr, Relation]]:
        """Conditions that every row meets because the subqueries in FROM say so."""
        return [
            condition
            for member in self.members
            if isinstance(member.table, Derived) and not member.optional
            for condition in member.table.filters
        ]

    def origin(self, node: exp.Column) -> ColumnOrigin:
        """The member and column that a reference means. Raises RefusedError for unknown, hidden or ambiguous names."""
        if not isinstance(node.this, exp.Identifier) or node.args.get("db") or node.args.get("catalog"):
            raise unknown_column(node)
        qualifier = node.args.get("table")
        named = folded(qualifier) if qualifier is not None else None, folded(node.this)
        known = self.origins.get(named)
        if known is None:
            known = self.origins[named] = self._origin(node, *named)
        return known

    def _origin(self, node: exp.Column, wanted: str | None, name: str) -> ColumnOrigin:
        if wanted is None and self.merged:
            merged = dict(self.merged)
            if name in merged:
                return merged[name]
        found = [
            member
            for member in self.members
            if (wanted is None or member.exposed == wanted) and member.table.visible(name)
        ]
        if not found and self.outer is not None:
            return self.outer.origin(node)
        if len(found) != 1:
            is_row = not found and wanted is None and any(member.exposed == name for member in self.members)
            raise unknown_column(node, is_row=is_row)
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


_FOR_COMPILING: Final[dict[str, object]] = {
    "compile_subquery": None,
    "outer": None,
    "limits": {},
    **dict.fromkeys(("merged", "star", "equal", "alike", "extensions"), ()),
}
"""What names mean, and what is known of rows, while expressions are compiled."""
_PICKLED: Final = tuple(each.name for each in fields(Relation) if each.name not in _FOR_COMPILING)
