"""Conditions that ask for values beyond the bounds of a column that is summed: these count as the nearest bound there,
so that an average of values above 60 000 can be 50 000."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal
from fractions import Fraction

from sqlglot import exp

from proxy.sql.named_tables import NamedTable
from proxy.sql.planning.compared_constants import MIRRORED
from proxy.sql.planning.date_limits import Conditions
from proxy.sql.planning.statistic import GridSum, Statistic
from proxy.sql.rows.members import ColumnOrigin
from proxy.sql.terms.bounds import Bounds
from proxy.sql.terms.term import decimal_text
from proxy.sql.trees.walking import own_nodes


def values_beyond_bounds(conditions: Conditions, statistics: Sequence[Statistic]) -> tuple[str, ...]:
    """A sentence for each column of a private table of which a condition asks for nothing but values beyond its bounds.

    Args:
        conditions: and other expressions, such as aggregates, each with the relation of its columns.
        statistics: what is measured; only columns that sums read are told.
    """
    summed = {read for found in statistics if isinstance(found, GridSum) for read in found.value.reads}
    sentences = dict[str, None]()
    for node, relation in conditions if summed else ():
        for column, kind, constant in _comparisons(own_nodes(node)):
            origin = relation.origin(column)
            bounds = _bounds_of(origin)
            if bounds is not None and origin.term().reads <= summed and _is_beyond(kind, constant, bounds):
                ends = f"{decimal_text(bounds.low)} to {decimal_text(bounds.high)}"
                values = "the values beyond that a condition asks for count as the nearest"
                sentences[f"{column.name} has the bounds {ends}: {values}"] = None
    return tuple(sentences)


def _comparisons(nodes: Iterable[exp.Expr]) -> Iterator[tuple[exp.Column, type[exp.Expr], Fraction]]:
    """The comparisons of a column with a number, the column on the left."""
    for node in nodes:
        if isinstance(node, exp.Between):
            yield from _compared(node.this, exp.GTE, node.args["low"])
            yield from _compared(node.this, exp.LTE, node.args["high"])
        elif isinstance(node, (exp.EQ, exp.GT, exp.GTE, exp.LT, exp.LTE)):
            kind = type(node)
            yield from _compared(node.this, kind, node.expression)
            yield from _compared(node.expression, MIRRORED.get(kind, kind), node.this)


def _compared(
    column: exp.Expr, kind: type[exp.Expr], other: exp.Expr
) -> Iterator[tuple[exp.Column, type[exp.Expr], Fraction]]:
    column, other = column.unnest(), other.unnest()
    sign = -1 if isinstance(other, exp.Neg) else 1
    number = other.this.unnest() if isinstance(other, exp.Neg) else other
    if isinstance(column, exp.Column) and isinstance(number, exp.Literal) and not number.is_string:
        yield column, kind, sign * Fraction(Decimal(number.name))


def _bounds_of(origin: ColumnOrigin) -> Bounds | None:
    table = origin.member.table
    if not isinstance(table, NamedTable) or not table.private or table.column_policy(origin.column).bounds is None:
        return None
    return origin.term().bounds


def _is_beyond(kind: type[exp.Expr], constant: Fraction, bounds: Bounds) -> bool:
    """Are all values that meet the condition beyond the bounds?"""
    above = constant > bounds.high or (kind is exp.GT and constant == bounds.high)
    below = constant < bounds.low or (kind is exp.LT and constant == bounds.low)
    if kind in (exp.GT, exp.GTE):
        return above
    if kind in (exp.LT, exp.LTE):
        return below
    return above or below
