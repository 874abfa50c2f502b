"""Bounds of counts and sums over a unit's rows that nobody states, where an extreme or a percentile is chosen of them.

`SELECT median(n) FROM (SELECT patient_id, count(*) AS n FROM visits GROUP BY 1) AS v` needs an end up to which values
are looked for. A count of rows has no end of its own, but a number that no unit's rows reach in practice costs hardly
more: the error of a choice grows with the logarithm of how many values there are (theorem 11).
"""

from __future__ import annotations

from typing import Final

from sqlglot import exp

from proxy.sql.rows.members import Derived, DerivedColumn
from proxy.sql.rows.relation import Relation
from proxy.sql.terms.bounds import Bounds
from proxy.sql.terms.expressions import compile_term
from proxy.sql.terms.term import Term

_MOST_VALUES: Final = 1_000_000
"""Values that are told apart."""

_FEWEST_ROWS: Final = 1_000
"""Rows of a unit for which there is room in any case, with wider steps if need be."""


def bounds_of_sum(node: exp.Expr, relation: Relation) -> Bounds | None:
    """Where to clamp an expression that is a count or sum over a unit's rows; None if it is none.

    Args:
        node: the expression: such a column of a subquery, possibly cast, or with a number for a missing one.
        relation: the rows of units, or what is computed of them.
    """
    bare = node.unnest()
    if isinstance(bare, exp.Cast):
        return bounds_of_sum(bare.this, relation)
    if isinstance(bare, exp.Anonymous) and bare.name.lower() == "coalesce" and bare.expressions:
        return _with_constants(bare, relation)
    if not isinstance(bare, exp.Column):
        return None
    origin = relation.origin(bare)
    table = origin.member.table
    if not isinstance(table, Derived):
        return None
    column = table.columns[origin.column]
    if column.added is not None:
        return _added_up(column.added, column)
    if len(column.definitions) != 1:
        return None
    return bounds_of_sum(*column.definitions[0])


def _added_up(added: Bounds, column: DerivedColumn) -> Bounds:
    step = column.value.step or column.value.grid
    rows = _FEWEST_ROWS
    if step is not None and added.magnitude:
        rows = max(rows, int(_MOST_VALUES * step / max(added.magnitude, added.width)))
    return Bounds(min(added.low, rows * added.low), max(added.high, rows * added.high))


def _with_constants(node: exp.Anonymous, relation: Relation) -> Bounds | None:
    first, *others = node.expressions
    found, terms = bounds_of_sum(first, relation), [compile_term(other, relation) for other in others]
    limits = [limit for term in terms if (limit := _limit(term)) is not None]
    if found is None or len(limits) < len(terms):
        return None
    return Bounds(min(found.low, *(b.low for b in limits)), max(found.high, *(b.high for b in limits)))


def _limit(term: Term) -> Bounds | None:
    return term.bounds if term.constant else None
