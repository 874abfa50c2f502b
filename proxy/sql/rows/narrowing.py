"""Rows that all meet a condition: it narrows the bounds of numbers there (`terms.limits`)."""

from __future__ import annotations

from sqlglot import exp

from proxy.sql.replacing import replace
from proxy.sql.rows.relation import Relation
from proxy.sql.terms.expressions import compile_term
from proxy.sql.terms.limits import limits_of, together
from proxy.sql.terms.moment_limits import of_months
from proxy.sql.terms.term import Limits, Term
from proxy.sql.trees.conjuncts import conjuncts


def met_by(condition: exp.Expr, relation: Relation) -> Limits:
    """What a condition that is true for all rows of a relation says of numbers and dates."""

    def compiled(node: exp.Expr) -> Term:
        return compile_term(node, relation)

    operands = conjuncts(condition)
    said = together(*(limits_of(operand, compiled) for operand in operands))
    compared = [side for operand in operands for side in (operand.args.get("this"), operand.args.get("expression"))]
    months = (of_months(side, said, compiled) for side in compared if isinstance(side, exp.Expr))
    return together(said, *months)


def meeting(relation: Relation, condition: exp.Expr | None) -> Relation:
    """The rows of a relation for which a condition of WHERE or FILTER is true."""
    if condition is None:
        return relation
    return replace(relation, limits=together(relation.limits, met_by(condition, relation)))
