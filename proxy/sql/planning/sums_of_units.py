"""Bounds of what is made of counts and sums over a unit's rows that nobody states, where an extreme or a percentile is
chosen of them (`rows.room`)."""

from __future__ import annotations

from dataclasses import dataclass, field

from sqlglot import exp

from proxy.errors import DpproxyError
from proxy.sql.rows.members import ColumnOrigin, Derived
from proxy.sql.rows.relation import Relation
from proxy.sql.rows.room import is_open, left_for, roomy
from proxy.sql.terms.bounds import Bounds
from proxy.sql.terms.expressions import compile_term
from proxy.sql.terms.term import Limits, Subquery, Term


def bounds_of_sum(node: exp.Expr, relation: Relation) -> Bounds | None:
    """Where to clamp an expression of counts or sums over a unit's rows; None where it has no room.

    Args:
        node: the expression, a number without bounds.
        relation: the rows of units, or what is computed of them.
    """
    try:
        scope = _Roomy(relation)
        return left_for(compile_term(node, scope), scope.rooms)
    except DpproxyError:
        return None


@dataclass(frozen=True)
class _Roomy:
    """The columns of a relation, with the room of those that have it: a `Scope`."""

    relation: Relation
    rooms: list[Bounds] = field(default_factory=list)

    @property
    def limits(self) -> Limits:
        return self.relation.limits

    def whole(self, node: exp.Expr) -> Term | None:
        return self.relation.whole(node)

    def column(self, node: exp.Column) -> Term:
        term = self.relation.column(node)
        room = _room(self.relation.origin(node)) if is_open(term) else None
        if room is None:
            return term
        self.rooms.append(room)
        return roomy(term, room)

    def subquery(self, query: exp.Expr, value: exp.Expr | None) -> Subquery:
        return self.relation.subquery(query, value)


def _room(origin: ColumnOrigin) -> Bounds | None:
    table = origin.member.table
    if not isinstance(table, Derived):
        return None
    column = table.columns[origin.column]
    if column.room is not None or len(column.definitions) != 1:
        return column.room
    return bounds_of_sum(*column.definitions[0])
