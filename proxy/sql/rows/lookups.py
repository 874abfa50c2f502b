"""Equalities of a public table's column with an expression. Where the column is a key, they lead to one row, as the
year of a visit leads to its row of a calendar.

Only estimates of a join's time rest on them (`multiplicity`), never a proof of a row's unit, or that there is one row.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sqlglot import exp

from proxy.errors import DpproxyError
from proxy.sql.nodes import find, find_all
from proxy.sql.rows.members import ColumnOrigin
from proxy.sql.rows.relation import Relation
from proxy.sql.terms.expressions import compile_term
from proxy.sql.terms.term import Term
from proxy.sql.terms.types import BPCHAR, Kind


@dataclass(frozen=True)
class Lookup:
    """A column of a public member that equals an expression over others.

    Attributes:
        alias: the member.
        column: its column.
        others: the members that the expression reads.
        only: as in `ownership.Equality`.
    """

    alias: str
    column: str
    others: frozenset[str]
    only: str | None = None


def lookups(conjunct: exp.EQ, scope: Relation, only: str | None) -> Iterator[Lookup]:
    """The lookups that an equality gives, in either direction.

    Args:
        conjunct: of ON or WHERE.
        scope: what its columns mean.
        only: the outer join whose condition it is.
    """
    sides = conjunct.this.unnest(), conjunct.expression.unnest()
    for column, other in (sides, sides[::-1]):
        if not isinstance(column, exp.Column) or isinstance(other, exp.Column) or find(other, exp.Query) is not None:
            continue
        try:
            origin, term = scope.origin(column), compile_term(other, scope)
            read = [scope.origin(operand) for operand in find_all(other, exp.Column)]
        except DpproxyError:
            continue  # It is refused where the condition is compiled.
        others = frozenset(operand.member.alias for operand in read)
        if origin.member.table.private or not others:
            continue
        if _is_hashed(origin, term):
            yield Lookup(origin.member.alias, origin.column, others, only)


def _is_hashed(origin: ColumnOrigin, term: Term) -> bool:
    """Can Postgres hash both sides, and does `=` distinguish all values that the column's key does? Postgres has no
    hash for a date and a timestamp, and would cast large integers to double precision, where some become equal."""
    column = origin.term()
    exact = (Kind.INTEGER, Kind.NUMERIC)
    if column.kind in exact:
        return term.kind in exact
    if column.kind is Kind.TEXT:
        return term.kind is Kind.TEXT and BPCHAR not in (column.type, term.type)
    return column.type == term.type and column.type.is_datetime
