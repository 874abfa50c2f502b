"""The declared limits of a date or timestamp, through what keeps the order of values: casts and date_trunc."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass, replace

from sqlglot import exp

from proxy.sql.rows.relation import ColumnOrigin, Derived, Relation
from proxy.sql.terms.datetimes import TRUNCATION_FIELDS
from proxy.sql.terms.expressions import compile_term
from proxy.sql.terms.types import Kind


@dataclass(frozen=True)
class DateLimits:
    """Where the values of a date or timestamp lie, by the policy.

    Attributes:
        origin: the column that it is made of.
        low, high: the limits as SQL constants of the expression's type.
        longest: more than the distance between them.
    """

    origin: ColumnOrigin
    low: str
    high: str
    longest: dt.timedelta


def date_limits(node: exp.Expr, relation: Relation) -> DateLimits | None:
    """The limits of a date or timestamp expression over `relation`, None where the policy gives none."""
    node = node.unnest()
    if isinstance(node, exp.Column):
        return _of_column(node, relation)
    if isinstance(node, exp.Cast):
        return _through(node, node.this, relation, "{}")
    if isinstance(node, exp.Anonymous) and node.name.lower() == "date_trunc" and len(node.expressions) == 2:
        field, value = node.expressions
        if field.name.lower() in TRUNCATION_FIELDS:
            return _through(node, value, relation, f"date_trunc('{field.name.lower()}', {{}})")
    return None


def _through(node: exp.Expr, value: exp.Expr, relation: Relation, function: str) -> DateLimits | None:
    """The limits of a function of `value` that never changes the order of two values."""
    type_ = compile_term(node, relation).type
    limits = date_limits(value, relation) if type_.is_datetime else None
    if limits is None:
        return None
    low, high = (f"{function.format(limit)}::{type_.name}" for limit in (limits.low, limits.high))
    # Truncation moves the lower limit by at most a century.
    return replace(limits, low=low, high=high, longest=limits.longest + dt.timedelta(days=36_526))


def _of_column(node: exp.Column, relation: Relation) -> DateLimits | None:
    origin = relation.origin(node)
    definition = definition_of(origin)
    if definition is not None:
        return date_limits(*definition)
    declared = origin.policy.range or origin.policy.bounds
    if declared is None or not isinstance(declared[0], dt.date) or not isinstance(declared[1], dt.date):
        return None
    type_ = origin.term().type
    if type_.kind not in (Kind.DATE, Kind.TIMESTAMP, Kind.TIMESTAMPTZ):
        return None
    low, high = (
        f"'{limit.isoformat(' ') if isinstance(limit, dt.datetime) else limit}'::{type_.name}" for limit in declared
    )
    # Two days more than the dates are apart: hours, time zones and leap seconds are not counted.
    longest = dt.timedelta(days=declared[1].toordinal() - declared[0].toordinal() + 2)
    return DateLimits(origin, low, high, longest)


def definition_of(origin: ColumnOrigin) -> tuple[exp.Expr, Relation] | None:
    """What a column of a private subquery is computed from, row by row, in every row."""
    table = origin.member.table
    if not isinstance(table, Derived) or not table.private or origin.member.optional:
        return None
    definitions = table.columns[origin.column].definitions
    return definitions[0] if len(definitions) == 1 else None
