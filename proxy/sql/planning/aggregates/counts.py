"""count: of rows, of rows whose value is present, of units, of distinct values."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from sqlglot import exp

from proxy.dp.noise_widths import Numbers
from proxy.sql.named_tables import NamedTable
from proxy.sql.planning.aggregates import statistic_noise
from proxy.sql.planning.aggregates.aggregate import Ends, OfKnownWidth, Planned, Shown, ShownInterval
from proxy.sql.planning.aggregates.calls import Asked, AskedChoice, Call
from proxy.sql.planning.aggregates.chosen_value import ChosenValue
from proxy.sql.planning.aggregates.distinct_values import is_key, listed_of
from proxy.sql.planning.choices import ValueCountChoice, in_cell, in_cell_once
from proxy.sql.planning.domains import declared_domain
from proxy.sql.planning.statistic import DistinctCount, RowCount, Statistic, UnitCount
from proxy.sql.planning.wording import short
from proxy.sql.refusal import unsupported
from proxy.sql.replacing import replace
from proxy.sql.rows.grouping import grouping_term
from proxy.sql.terms import costs
from proxy.sql.terms.canonical_values import canonical_value, require_canonical
from proxy.sql.terms.expressions import not_allowed
from proxy.sql.terms.term import Term
from proxy.sql.terms.types import BOOLEAN, TEXT, Kind, hint_of
from proxy.sql.terms.work import accounted, size_of
from proxy.sql.trees.interval_calls import CONFIDENCE

_IS_NULL = 20
"""Nanoseconds."""


class Count(OfKnownWidth):
    """A number of rows, units or distinct values; of these also under the name that tools give to an estimate, as every
    count here is one."""

    names = ("count", "approx_count_distinct")
    spelled = ("count",)

    @classmethod
    def ask(cls, call: Call) -> Asked:
        (argument,) = call.arguments()
        if call.name == "approx_count_distinct":
            argument = exp.Distinct(expressions=[argument.copy()])
        if isinstance(argument, exp.Star):
            if any(argument.args.values()):
                raise not_allowed(call.node)
            return call.asking(cls, (), RowCount(None, call.filter_sql))
        if isinstance(argument, exp.Distinct):
            computed, counted = _distinct(call, argument)
            chosen = _chosen(call, argument, counted, call.chooses_at) if call.chooses_at is not None else None
            return chosen or call.asking(cls, computed, counted)
        value = call.compiled(argument)
        present = _stored_is_present(argument.unnest(), value, call)
        if present is not None:
            both = present.sql if call.filter_sql is None else f"({call.filter_sql}) AND {present.sql}"
            return call.asking(cls, [present], RowCount(None, both))
        return call.asking(cls, [in_cell_once(value)], call.rows_with(value))

    def sql(self, shown: Shown) -> str:
        return statistic_noise.in_type(f"r.s{self.rows}", shown)

    def interval(self, shown: ShownInterval) -> Ends:
        return statistic_noise.ends_of_sum(self.statistics, shown)

    def drowned(self, plan: Planned, columns: Sequence[Numbers]) -> list[bool | None]:
        return statistic_noise.are_within(plan, columns, self.statistics)

    def within(self, plan: Planned) -> str:
        names = {UnitCount: "units", DistinctCount: "values"}
        (index,) = self.statistics
        return f"±{short(self.reach(plan))} {names.get(type(plan.statistics[index]), 'rows')}"

    def reach(self, plan: Planned) -> Fraction:
        return statistic_noise.width_of_sum(plan, self.statistics, CONFIDENCE)

    def number(self, released: Sequence[Fraction]) -> Fraction:
        (index,) = self.statistics
        return released[index]


def _stored_is_present(node: exp.Expr, value: Term, call: Call) -> Term | None:
    """That a stored text or document is not NULL, which is known without reading it, however long it is."""
    if not value.nullable or value.kind not in (Kind.TEXT, Kind.OTHER) or not isinstance(node, exp.Column):
        return None
    origin = call.relation.origin(node)
    table = origin.member.table
    if not isinstance(table, NamedTable):
        return None
    sql = f"({origin.member.alias}.{table.column_sql(origin.column)} IS NOT NULL)"
    return Term(sql, BOOLEAN, work=_IS_NULL, reads=value.reads)


def _distinct(call: Call, argument: exp.Distinct) -> tuple[list[Term], Statistic]:
    """The computed terms, and the statistic: rows where each unit has one, units, rows whose value no other row has, or
    values as GROUP BY has them."""
    if len(argument.expressions) != 1:
        raise unsupported(call.node, "count(DISTINCT …) takes one argument", rule="aggregate")
    relation = call.relation
    node = argument.expressions[0].unnest()
    origin = relation.origin(node) if isinstance(node, exp.Column) else None
    # As Postgres counts them: texts of a unit that its collation takes for equal are one.
    if origin is not None and (origin.sql in relation.unit_columns or origin.is_text_of_unit):
        counted = call.filter_sql
        if origin.lacks_unit:
            # Rows that are units of their own have no value that count(DISTINCT …) counts.
            counted = " AND ".join([*([f"({counted})"] if counted is not None else []), f"{origin.sql} IS NOT NULL"])
        return [], RowCount(None, counted) if relation.unit_unique else UnitCount(counted)
    value = _row(call, node) if isinstance(node, exp.Tuple) else call.compiled(node)
    if is_key(node, relation):
        return [in_cell(value)], call.rows_with(value)
    if canonical_value(value) is None:
        raise unsupported(
            call.node,
            f"count(DISTINCT {value.type.name}) is not supported",
            rule="aggregate-type",
            hint=hint_of([value.type], "Count a number, text, date or timestamp derived from it."),
        )
    if value.kind is Kind.UNKNOWN:
        value = replace(value, sql=f"{value.sql}::text", type=TEXT, literal=None, size=size_of(value))
    value = grouping_term(node, value)
    return [value], DistinctCount(value, call.filter_sql, listed_of(node, relation))


class ValueCount(ChosenValue):
    """A number of a few declared values."""

    names = spelled = ()

    @classmethod
    def ask(cls, call: Call) -> Asked:
        """Which of the two it is, follows from the values."""
        return Count.ask(call)


_MOST_CHOSEN = 20
"""Declared values. At usual prices the noise of a number of values is about as wide even if each unit has one."""


def _chosen(call: Call, argument: exp.Distinct, counted: Statistic, epsilon: Fraction) -> AskedChoice | None:
    """The choice of a number of values; None where noise on the number tells more.

    That noise goes as far as about 2/ε if each unit has one value, which is no use for fewer values than that. Where
    rows may have other values, too, it is no use otherwise, since only declared ones are chosen from.
    """
    if not isinstance(counted, DistinctCount):
        return None
    node, listed = argument.expressions[0].unnest(), counted.listed
    if listed is None or listed.number > _MOST_CHOSEN or not (listed.complete or listed.number * epsilon < 2):
        return None
    candidates = (
        declared_domain([node], call.where, call.relation) if call.compiled(node).kind is not Kind.UNKNOWN else None
    )
    if candidates is None:
        return None
    choice = ValueCountChoice(counted.value, call.filter_sql, candidates, listed.number)
    return ValueCount.asking(call, choice, counted.value)


def _row(call: Call, node: exp.Tuple) -> Term:
    """The members of a row as one text, in which different rows differ. It is there even if all members are NULL."""
    members = [require_canonical(member, call.compiled(member)) for member in node.expressions]
    # Quotes and backslashes are doubled.
    size = sum(2 * size_of(member) + _AROUND_MEMBER for member in members)
    text = Term(f"ROW({', '.join(member.sql for member in members)})::text", TEXT, False, size=size)
    return accounted(node, text.with_sql(f"({text.sql})"), members, costs.copied)


_AROUND_MEMBER = 5
"""A sign, a point, quotes and a comma."""
