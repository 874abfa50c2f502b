"""Columns that a condition gives one value, as in `year = 1985`: with the unit's column they complete a unique key.

So they do, but for a few rows, where it gives them a list, as in `year IN (1985, 1986)` (`few_values`).
"""

from __future__ import annotations

from dataclasses import dataclass

from sqlglot import exp

from proxy.sql.named_tables import NamedTable
from proxy.sql.rows.members import ColumnOrigin
from proxy.sql.rows.relation import Relation
from proxy.sql.terms.types import Kind
from proxy.sql.trees.spellings_of_columns import is_exact_constant


@dataclass(frozen=True)
class Fixed:
    """A column with one value, or few.

    Attributes:
        origin: the column.
        only: the outer join whose condition says so, as of `Equality`.
        values: how many it can have.
    """

    origin: ColumnOrigin
    only: str | None = None
    values: int = 1


def fixed_columns(left: exp.Expr, right: exp.Expr, scope: Relation) -> list[ColumnOrigin]:
    """The side of an equality that is a column, if the other one is a constant; none for all else.

    Only what is compared as it is stored, and has no two values that are equal, counts: the key would hold several
    rows otherwise, as it does of texts in another spelling, or of values that the policy shows as one.
    """
    found = []
    for side, other in ((left, right), (right, left)):
        if isinstance(side, exp.Column) and is_exact_constant(other):
            origin = scope.origin(side)
            if _is_read_as_stored(origin):
                found.append(origin)
    return found


def listed_column(conjunct: exp.Expr, scope: Relation, only: str | None = None) -> Fixed | None:
    """The column that a condition compares with a list of constants, as of `fixed_columns`; None for all else."""
    if not isinstance(conjunct, exp.In) or not conjunct.expressions or not isinstance(conjunct.this, exp.Column):
        return None
    origin = scope.origin(conjunct.this)
    if not all(map(is_exact_constant, conjunct.expressions)) or not _is_read_as_stored(origin):
        return None
    return Fixed(origin, only, len(conjunct.expressions))


def _is_read_as_stored(origin: ColumnOrigin) -> bool:
    """Is the column compared as its key compares it?"""
    table, term = origin.member.table, origin.term()
    if isinstance(table, NamedTable) and table.reference(origin.column, "") != f".{table.column_sql(origin.column)}":
        return False
    return term.kind is Kind.INTEGER or (term.kind in (Kind.NUMERIC, Kind.TEXT) and term.is_plain)
