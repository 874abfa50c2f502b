"""Conditions that are never NULL: extract(dow FROM x) IN (0, 6) of a date x that is not, n % 2 = 0 of a number n.

Dates outside the years 1 to 9999 count as NULL to the functions of dates, since these could fail on them (so does the
infinite date to extract, in Postgres itself). Between limits of the policy are none, as there are no other months.

A remainder is NULL where the divisor is 0, and where an operand is NULL, as a number without limits counts to it: of an
integer and a constant that is not 0 it is NULL only where the integer is.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from sqlglot import exp

from proxy.errors import DpproxyError
from proxy.sql.planning.date_limits import Conditions, date_limits, declared_limits
from proxy.sql.replacing import replace
from proxy.sql.rows.relation import Relation
from proxy.sql.terms.arithmetic import modulo, require_number
from proxy.sql.terms.expressions import compile_term
from proxy.sql.terms.term import Limits, Subquery, Term

_YEARS = range(1000, 9001)
"""Limits that no arithmetic of a query moves to where dates count as NULL: each interval is limited (`date_limits`) and
doubles the expression, whose size is."""


def is_never_null(node: exp.Expr, relation: Relation, where: Conditions, *, surely: bool = False) -> bool:
    """Has a condition a truth value in every row whose dates are between the policy's limits; or `surely` in every row
    at all, as WHERE leaves no other dates, or it reads none?"""
    return not compile_term(node, _Present(relation, where, surely)).nullable


@dataclass(frozen=True)
class _Present:
    """The scope of a condition in such rows."""

    relation: Relation
    where: Conditions
    surely: bool

    @property
    def limits(self) -> Limits:
        return self.relation.limits

    def whole(self, node: exp.Expr) -> Term | None:
        """The term of a remainder, or of a function of a moment between limits, which is not NULL."""
        if isinstance(node, exp.Mod):
            return self._remainder(node, node.this, node.expression)
        if isinstance(node, exp.Anonymous) and node.name.lower() == "mod" and len(node.expressions) == 2:
            return self._remainder(node, *node.expressions)
        moment = _moment_of(node)
        if moment is None or not self._is_present(moment):
            return None
        return replace(compile_term(node, self.relation), nullable=False)

    def column(self, node: exp.Column) -> Term:
        return self.relation.column(node)

    def subquery(self, query: exp.Expr, value: exp.Expr | None) -> Subquery:
        return self.relation.subquery(query, value)

    def _remainder(self, node: exp.Expr, dividend: exp.Expr, divisor: exp.Expr) -> Term:
        """Never None: what is left would compile the operands again, at each level of a nested remainder."""
        left = require_number(node, compile_term(dividend, self))
        right = require_number(node, compile_term(divisor, self))
        whole = left.is_integer and right.is_integer
        known = right.bounds if right.constant and not right.nullable else None
        nonzero = known is not None and not known.width and known.low != 0
        return replace(modulo(node, left, right), nullable=left.nullable or not (whole and nonzero))

    def _is_present(self, moment: exp.Expr) -> bool:
        try:
            limits = date_limits(moment, self.relation, self.where)
        except DpproxyError:
            return False
        if limits is None or limits.nullable or (self.surely and not limits.confined):
            return False
        declared = declared_limits(limits.origin)
        return declared is not None and all(isinstance(end, dt.date) and end.year in _YEARS for end in declared)


def _moment_of(node: exp.Expr) -> exp.Expr | None:
    """The moment that a function of one is NULL without; None for other expressions."""
    if isinstance(node, exp.Extract):
        moment: exp.Expr = node.expression
    elif isinstance(node, exp.Cast):
        moment = node.this
    elif isinstance(node, exp.Anonymous):
        name, arguments = node.name.lower(), node.expressions
        if name == "date" and len(arguments) == 1:
            moment = arguments[0]
        elif name in ("date_trunc", "date_part") and len(arguments) == 2:
            moment = arguments[1]
        elif name == "to_char" and len(arguments) == 2 and arguments[1].name:
            moment = arguments[0]
        else:
            return None
    else:
        return None
    return moment
