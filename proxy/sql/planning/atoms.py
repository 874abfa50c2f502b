"""The independent parts that a block's declared keys are enumerated from."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

from sqlglot import exp

from proxy.sql.nodes import copied, find, find_all
from proxy.sql.planning.date_limits import Conditions, definition_of
from proxy.sql.planning.effort import Effort
from proxy.sql.refusal import subquery_refusal
from proxy.sql.replacing import replace
from proxy.sql.rows.members import ColumnOrigin, Derived
from proxy.sql.rows.narrowing import met_by
from proxy.sql.rows.relation import Relation
from proxy.sql.terms.limits import narrowed, together
from proxy.sql.terms.spans import DAY
from proxy.sql.terms.term import Limits, Read, Subquery, Term
from proxy.sql.terms.types import Kind

MOST_COMBINATIONS = 2_000_000
"""The most combinations of values that are listed for the different keys that they give, which takes about a second."""


@dataclass
class Source:
    """One independent part of the enumeration.

    Attributes:
        sql: a query for a set of tuples.
        columns: the terms of their named columns.
        size: at most how many there are; None where nobody knows.
    """

    sql: str
    columns: dict[str, Term] = field(default_factory=dict)
    size: int | None = None


@dataclass(frozen=True)
class StandIns:
    """Values that stand for all values of a column.

    Attributes:
        sql: a query of one column c0 for them.
        label: for EXPLAIN.
        most: how many there are at most.
    """

    sql: str
    label: str
    most: int


class Atoms:
    """The independent parts that a block's keys are enumerated from; also the scope of rewritten keys."""

    def __init__(self, effort: Effort | None = None) -> None:
        self.effort = effort or Effort()
        self.sources: list[Source] = []
        self.by_key: dict[str, exp.Column] = {}
        self.public: dict[str, tuple[Source, list[str], bool]] = {}
        self.reads: set[Read] = set()
        """What the expressions of `by_key` read."""
        self.labels: list[str] = []
        self.complete = True
        self.every: list[bool] = []
        """For each key, whether every row has one of its values."""
        self.moments: Mapping[str, str] = {}
        """Moments of which several keys show a part, and to what they are cut (`shared_moments`)."""
        self.stand_ins: Mapping[str, StandIns] = {}
        """For columns, by their SQL, of which keys only ask how they compare with constants (`representatives`)."""
        self.keys: set[str | None] = set()
        """Columns that are keys themselves: a row with an undeclared value there is in no group anyway."""

    def copy(self) -> Atoms:
        """The same parts, to which others may be added on trial; none of public rows."""
        other = Atoms(self.effort)
        other.sources, other.by_key, other.public = [*self.sources], {**self.by_key}, {**self.public}
        other.moments, other.stand_ins, other.keys = self.moments, self.stand_ins, self.keys
        return other

    def whole(self, node: exp.Expr) -> Term | None:  # noqa: ARG002
        """None: enumerated parts are columns, and everything over them is compiled."""
        return None

    @property
    def limits(self) -> Limits:
        """None: what conditions leave of the values is enumerated."""
        return {}

    def column(self, node: exp.Column) -> Term:
        qualifier = node.args["table"].name
        return self.sources[int(qualifier[1:])].columns[node.this.name]

    def subquery(self, query: exp.Expr, value: exp.Expr | None) -> Subquery:
        """Raises: keys hold no subqueries, and conditions with them narrow no domain."""
        raise subquery_refusal(value or query)

    def add(self, key: str, sql: str, term: Term, label: str, most: int | None = None) -> exp.Column:
        """Add a source with one column "c0" for the values of the expression whose text is `key`, which are at most so
        many; None where nobody knows."""
        if key not in self.by_key:
            alias = f"d{len(self.sources)}"
            self.sources.append(Source(sql, {"c0": _enumerated(term, f"{alias}.c0")}, most))
            self.by_key[key] = exp.column("c0", table=alias)
            self.labels.append(label)
            self.reads |= term.reads
        return copied(self.by_key[key])

    def public_column(self, origin: ColumnOrigin, *, is_key: bool = True) -> exp.Column:
        """A column of a joined public relation; the columns of one relation are enumerated together. EXPLAIN names
        those that keys are made of."""
        member = origin.member
        if member.alias not in self.public:
            self.public[member.alias] = (Source(""), [], member.optional)
            self.sources.append(self.public[member.alias][0])
            self.sources[-1].size = member.table.row_count
            if is_key:
                self.labels.append(f"rows of {member.table.name}")
        source, columns, optional = self.public[member.alias]
        if origin.column not in columns:
            columns.append(origin.column)
        index = next(position for position, known in enumerate(self.sources) if known is source)
        name = f"c{columns.index(origin.column)}"
        source.columns[name] = _enumerated(origin.term(), f"d{index}.{name}")
        names = ", ".join(f"{member.table.enumerated_sql(column, 'p')} AS c{i}" for i, column in enumerate(columns))
        source.sql = f"SELECT DISTINCT {names} FROM {member.table.from_sql} AS p"
        if optional:
            source.sql += f" UNION SELECT {', '.join('NULL' for _ in columns)}"
            if member.unconditional:
                source.sql += f" WHERE NOT EXISTS (SELECT FROM {member.table.from_sql} AS p)"
        return exp.column(name, table=f"d{index}")

    def narrow(self, where: Conditions) -> None:
        """Count the values that conditions leave of columns, where there are many combinations.

        Args:
            where: conditions that all rows meet.
        """
        if math.prod(source.size or 1 for source in self.sources) <= MOST_COMBINATIONS:
            return
        limits = together(*(met_by(node, scope) for node, scope in where if find(node, exp.Query) is None))
        for key, column in self.by_key.items():
            source = self.sources[int(column.args["table"].name[1:])]
            most = most_values(narrowed(replace(source.columns["c0"], sql=key), limits))
            if key in limits and most is not None:
                source.size = min(most, source.size or most)

    def shows(self, origin: ColumnOrigin) -> bool:
        """Is a column enumerated, or can it be beside others of its public relation?"""
        origin = _selected(origin)
        return origin.sql in self.by_key or origin.member.alias in self.public

    def enumerated(self, origin: ColumnOrigin) -> str:
        """The SQL of an enumerated column, or of one of a public relation."""
        origin = _selected(origin)
        known = self.by_key.get(origin.sql)
        return self.column(known if known is not None else self.public_column(origin, is_key=False)).sql

    def knows_all_columns(self, node: exp.Expr, relation: Relation) -> bool:
        """Is every column of `node` (at least one) enumerated already?"""
        columns = find_all(node, exp.Column)
        return bool(columns) and all(self._knows(column, relation) for column in columns)

    def may_know(self, node: exp.Expr, relation: Relation) -> bool:
        """Can `node` be over what is enumerated, as far as that reads each table's column of it?"""
        origins = [relation.origin(column) for column in find_all(node, exp.Column)]
        return all(isinstance(origin.member.table, Derived) or origin.term().reads <= self.reads for origin in origins)

    def _knows(self, column: exp.Column, relation: Relation) -> bool:
        origin = relation.origin(column)
        table = origin.member.table
        if isinstance(table, Derived) and table.private:
            definition = definition_of(origin)
            if origin.sql in self.by_key or definition is None:
                return origin.sql in self.by_key
            self.effort.write_out(definition[0])
            return self.knows_all_columns(*definition)
        return self.shows(origin)


def _selected(origin: ColumnOrigin) -> ColumnOrigin:
    """The column that a column of private subqueries is."""
    definition = definition_of(origin)
    node = definition[0].unnest() if definition is not None else None
    if definition is None or not isinstance(node, exp.Column):
        return origin
    return _selected(definition[1].origin(node))


def most_values(term: Term) -> int | None:
    """At most how many values an expression has, by its type and bounds; None where these do not tell."""
    if term.kind is Kind.BOOLEAN:
        return 2
    step = DAY if term.kind is Kind.DATE else term.step or term.grid if term.type.is_number else None
    return int(term.bounds.width / step) + 1 if term.bounds is not None and step else None


def _enumerated(term: Term, sql: str) -> Term:
    return Term(sql, term.type, True, term.bounds, term.step, term.grid, term.magnitude, size=term.size, span=term.span)
