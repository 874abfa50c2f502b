"""Which windows of time a block reads, where the policy gives each window of a table's rows budgets of its own.

A table's rows are confined to the windows that WHERE allows, by a condition that is added to it: so a block never reads
another window, however its own conditions are understood, and is charged to these windows alone (theorem 24). What has
to be proved is that a row of the block stems from one row of the table, so that it belongs to one window.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from sqlglot import exp

from proxy.policy.window_rules import windows_within
from proxy.policy.windows import Per, Windows, date_of, window_of
from proxy.sql.named_tables import NamedTable
from proxy.sql.nodes import copied, find_all
from proxy.sql.refusal import unsupported
from proxy.sql.replacing import replace
from proxy.sql.rows.members import ColumnOrigin, Derived, Member
from proxy.sql.rows.narrowing import meeting
from proxy.sql.rows.relation import Relation
from proxy.sql.terms import clocks
from proxy.sql.terms.expressions import compile_term
from proxy.sql.terms.moment_limits import reads_clock
from proxy.sql.terms.term import Term
from proxy.sql.terms.types import Kind, type_of_column
from proxy.sql.trees.conjuncts import conjuncts
from proxy.sql.trees.walking import own_nodes

_TYPES: Final = {
    Kind.DATE: exp.DType.DATE,
    Kind.TIMESTAMP: exp.DType.TIMESTAMP,
    Kind.TIMESTAMPTZ: exp.DType.TIMESTAMPTZ,
}


@dataclass(frozen=True)
class Asked:
    """When a block is asked.

    Attributes:
        today: the date in UTC: no later window is read unless WHERE says until when.
        by_utc: the session's clock is that of UTC, by which constants without an offset are read.
    """

    today: dt.date
    by_utc: bool = False


@dataclass(frozen=True)
class TimeWindows:
    """The windows that a block reads.

    Attributes:
        of: by the names of the tables that have windows.
        wide: the name of the one of which it reads several windows; None if it reads one of each.
        by_utc: the session's clock is that of UTC, by which windows of moments go.
    """

    of: Mapping[str, Windows] = field(default_factory=dict)
    wide: str | None = None
    by_utc: bool = False

    @property
    def of_unit(self) -> int:
        """In how many windows one unit may have rows of the block."""
        return len(self.of[self.wide]) if self.wide is not None else 1

    def group_of(self, table: str) -> int:
        """How many entities of the block stem from one entity of a table's accounts: from a unit's rows of one window
        where the table has windows, else from a unit."""
        return 1 if table == self.wide else self.of_unit


NO_WINDOWS: Final = TimeWindows()


def windows_read(select: exp.Select, relation: Relation, asked: Asked | None) -> tuple[exp.Select, TimeWindows]:
    """The block confined to the windows that its WHERE allows, and these.

    Args:
        select: the block.
        relation: its rows.
        asked: when; None reads windows to the end of the time's bounds.

    Raises:
        UnsupportedError: rows need not stem from one row of a table with windows.
    """
    members = [member for member in relation.members if _is_windowed(member.table)]
    if not members:
        return select, NO_WINDOWS
    confined = copied(select)
    where = confined.args["where"].this if confined.args.get("where") is not None else None
    if asked is not None and asked.by_utc and where is not None:
        _write_offsets(where, members, relation)
        where = _by_clock_of_utc(where, members, relation)
    limited = meeting(relation, where)
    of = {member.table.name: _allowed(member, limited, asked.today if asked else None) for member in members}
    wide = [name for name, windows in of.items() if len(windows) > 1]
    if len(wide) > 1 or len(members) > len(of):
        raise unsupported(
            select,
            f"rows of {' and '.join(dict.fromkeys(member.table.name for member in members))} from several windows of "
            "time cannot be joined",
            rule="windows-join",
            detail="A joined row would belong to two windows, each of which has a budget of its own.",
            hint=f"Confine all but one of them to one window each, with a condition on {_time_of(members[0].table)}.",
        )
    for member in members:
        _confine(confined, member, of[member.table.name])
    return confined, TimeWindows(of, wide[0] if wide else None, asked is not None and asked.by_utc)


def check_one_row(select: exp.Select, relation: Relation, windows: TimeWindows) -> None:
    """Each row of the block stems from one row of each table with windows, and none of them decides on others.

    Args:
        select: the block, for the position of a refusal.
        relation: its rows, with all that is computed of them.
        windows: what `windows_read` found.

    Raises:
        UnsupportedError: that is not so.
    """
    if not any(map(_is_windowed, relation.footprint.private_tables)):
        return
    direct = [member for member in relation.members if _is_windowed(member.table) and not member.optional]
    inside = [member.table.footprint for member in relation.members if isinstance(member.table, Derived)]
    inside += [subquery.footprint for subquery in relation.subqueries]
    hidden = {table.name for footprint in inside for table in footprint.private_tables if _is_windowed(table)}
    known = {member.table.name for member in direct}
    for table in relation.footprint.private_tables:
        if _is_windowed(table) and (table.name in hidden or table.name not in known):
            raise unsupported(
                select,
                f"{table.name} must stand in the aggregate's own FROM, and not on the optional side of an outer join",
                rule="windows-nested",
                detail="It has budgets for windows of time. A subquery could make one row of rows of several windows.",
                hint=f"Write SELECT … FROM {table.name} WHERE {_time_of(table)} >= …, with all conditions in WHERE.",
            )
    if windows.of and (relation.footprint.cuts or relation.kept is not None):
        raise unsupported(
            select,
            f"rows of {' and '.join(windows.of)} cannot be limited here to a number of each unit's rows",
            rule="windows-limit",
            detail="Which of a unit's rows then take part would depend on its rows in other windows of time.",
            hint="Leave out joins that multiply rows, regular expressions and other work on long texts.",
        )


def by_window(select: exp.Select, relation: Relation, windows: TimeWindows, keys: Sequence[str]) -> Relation:
    """The relation with a unit's rows of each window in the place of the unit: they are what is bounded and grouped by.

    Args:
        select: the block, for the position of a refusal.
        relation: its rows.
        windows: what `windows_read` found.
        keys: the canonical SQL of its group keys. Where one of them tells the window, units of a group are counted as
            their windows are; elsewhere they are distinct values.

    Raises:
        UnsupportedError: the units' column has equal texts that differ.
    """
    if windows.wide is None:
        return relation
    member = next(member for member in relation.members if member.table.name == windows.wide)
    if any(_is_collated(table) for table in relation.footprint.private_tables):
        raise unsupported(
            select,
            f"these rows of {windows.wide} must be of one window of time",
            rule="windows-collation",
            detail="The column that identifies their unit takes different texts for equal.",
            hint="Add a condition that confines them to one window; EXPLAIN names the windows.",
        )
    per = windows.of[windows.wide].per
    window = _truncated(_clock(member), relation, per)
    group = select.args.get("group")
    totals = group is not None and any(group.args.get(name) for name in ("rollup", "cube", "grouping_sets"))
    telling = _telling(member, relation, per, by_utc=windows.by_utc)
    told = not totals and any(term.sql in keys for term in telling)
    return replace(
        relation.computing([window]),
        unit_sql=f"(({window.sql})::text || ' ' || ({relation.unit_sql})::text)",
        unit_nullable=True,
        unit_home=None,
        unit_columns=relation.unit_columns if told else frozenset(),
    )


_FINER: Final[Mapping[Per, str]] = {
    "year": "year quarter month day hour minute second",
    "quarter": "quarter month day hour minute second",
    "month": "month day hour minute second",
    "week": "week day hour minute second",
    "day": "day hour minute second",
}


def _telling(member: Member, relation: Relation, per: Per, *, by_utc: bool) -> Iterator[Term]:
    """Expressions that tell a row's window."""
    clocks_of_windows = [_clock(member)]
    if by_utc or _kind(member.table) is Kind.DATE:
        clocks_of_windows.append(_column(member))
    for clock in clocks_of_windows:
        yield compile_term(clock, relation)
        yield compile_term(exp.Cast(this=clock.copy(), to=exp.DataType(this=exp.DType.DATE)), relation)
        for finer in _FINER[per].split():
            yield _truncated(clock, relation, finer)


def _truncated(clock: exp.Expr, relation: Relation, to: str) -> Term:
    """The beginning of the window that a time lies in, in a form that cannot fail."""
    return compile_term(exp.Anonymous(this="date_trunc", expressions=[exp.Literal.string(to), clock.copy()]), relation)


def _clock(member: Member) -> exp.Expr:
    """A row's time by the clock that windows go by: of moments, that of UTC."""
    column, kind = _column(member), _kind(member.table)
    if kind is Kind.DATE:
        return exp.Cast(this=column, to=exp.DataType(this=exp.DType.TIMESTAMP))
    return exp.AtTimeZone(this=column, zone=exp.Literal.string("UTC")) if kind is Kind.TIMESTAMPTZ else column


def _is_windowed(table: NamedTable | Derived) -> bool:
    return isinstance(table, NamedTable) and table.policy.budget is not None and table.policy.budget.per is not None


def _is_collated(table: NamedTable) -> bool:
    unit = table.policy.unit
    columns = [table.identity_column, unit.column if unit is not None else None]
    return any(column is not None and table.collated(column) for column in columns)


def _time_of(table: NamedTable | Derived) -> str:
    budget = table.policy.budget if isinstance(table, NamedTable) else None
    if budget is None or budget.of is None:
        raise AssertionError("a loaded policy names the time of windows")
    return budget.of


def _kind(table: NamedTable | Derived) -> Kind:
    if not isinstance(table, NamedTable):
        raise AssertionError("only tables of the policy have windows")
    return type_of_column(table.catalog.columns[_time_of(table)]).kind


def _column(member: Member) -> exp.Column:
    name = exp.to_identifier(_time_of(member.table), quoted=True)
    return exp.Column(this=name, table=exp.to_identifier(member.exposed, quoted=True))


def _allowed(member: Member, limited: Relation, today: dt.date | None) -> Windows:
    """The windows in which conditions allow rows of a table, of those that it has."""
    table = member.table
    every = windows_within(table.policy) if isinstance(table, NamedTable) else None
    if every is None:
        raise AssertionError("only tables of the policy have windows")
    low, high = limited.limits.get(ColumnOrigin(member, _time_of(table)).term().sql, (None, None))

    def number(date: dt.date) -> int:
        return min(max(window_of(date, every.per), every.first), every.last)

    until = date_of(high) if high is not None else today
    first = number(date_of(low)) if low is not None else every.first
    return Windows(every.per, first, max(first, number(until) if until is not None else every.last))


def _write_offsets(where: exp.Expr, members: Sequence[Member], relation: Relation) -> None:
    """Write +00 after constants that the times of windows are compared with and that have no offset, in place."""
    of_moments = [member for member in members if _kind(member.table) is Kind.TIMESTAMPTZ]
    times = [ColumnOrigin(member, _time_of(member.table)).sql for member in of_moments]
    for node in conjuncts(where):
        sides = [node.args.get(name) for name in ("this", "expression", "low", "high")]
        operands = [side.unnest() for side in sides if isinstance(side, exp.Expr)]
        if not any(isinstance(operand, exp.Column) and relation.origin(operand).sql in times for operand in operands):
            continue
        for operand in operands:
            literal = operand.this if isinstance(operand, exp.Cast) else operand
            if not isinstance(literal, exp.Literal) or not literal.is_string:
                continue
            if isinstance(operand, exp.Cast) and operand.to.this is not exp.DType.TIMESTAMPTZ:
                if not _is_of_clock(operand, literal.name):
                    continue
                operand.set("to", exp.DataType(this=exp.DType.TIMESTAMPTZ))
            literal.set("this", clocks.with_offset(literal.name))


def _by_clock_of_utc(where: exp.Expr, members: Sequence[Member], relation: Relation) -> exp.Expr:
    """The condition with what the session's clock, that of UTC, shows of the times of windows said so: so it is known
    to the microsecond what date_trunc('month', at) = '2024-03-01' says of them. It is read for its limits alone."""
    of_moments = [member for member in members if _kind(member.table) is Kind.TIMESTAMPTZ]
    times = [ColumnOrigin(member, _time_of(member.table)).sql for member in of_moments]
    copy = exp.Paren(this=where.copy())
    for node in conjuncts(copy):
        if any(clocks.has_offset(literal.name) for literal in find_all(node, exp.Literal)):
            continue
        for column in [found for found in own_nodes(node) if isinstance(found, exp.Column)]:
            if reads_clock(column) and relation.origin(column).sql in times:
                column.replace(exp.AtTimeZone(this=column.copy(), zone=exp.Literal.string("UTC")))
    return copy


def _is_of_clock(cast: exp.Cast, text: str) -> bool:
    """Is a constant of a type without time zone the moment at which the clock of UTC shows its text?

    Such types ignore an offset, dates the time of day, and timestamps of few digits round it.
    """
    if cast.to.this is exp.DType.DATE and len(text.strip()) > len("2024-03-01"):
        return False
    known = cast.to.this in (exp.DType.DATE, exp.DType.TIMESTAMP) and not cast.to.expressions
    return known and clocks.with_offset(text) != text


def _confine(select: exp.Select, member: Member, windows: Windows) -> None:
    """Add the condition that rows of a table lie in the windows."""
    kind = _kind(member.table)
    suffix = {Kind.DATE: "", Kind.TIMESTAMP: " 00:00:00", Kind.TIMESTAMPTZ: " 00:00:00+00"}[kind]

    def moment(date: dt.date) -> exp.Expr:
        return exp.Cast(this=exp.Literal.string(f"{date}{suffix}"), to=exp.DataType(this=_TYPES[kind]))

    begin, end = (
        exp.GTE(this=_column(member), expression=moment(windows.start)),
        exp.LT(this=_column(member), expression=moment(windows.end)),
    )
    where = select.args.get("where")
    own = [exp.Paren(this=where.this)] if where is not None else []
    select.set("where", exp.Where(this=exp.and_(*own, begin, end, copy=False, wrap=False)))
