"""Rows that all meet a condition: it narrows the bounds of numbers there (`terms.limits`)."""

from __future__ import annotations

from dataclasses import replace

from sqlglot import exp

from proxy.sql.rows.relation import Relation
from proxy.sql.terms.expressions import compile_term
from proxy.sql.terms.limits import limits_of, together
from proxy.sql.terms.term import Limits
from proxy.sql.trees.conjuncts import conjuncts


def met_by(condition: exp.Expr, relation: Relation) -> Limits:
    """What a condition that is true for all rows of a relation says of numbers."""
    said = (limits_of(conjunct, lambda node: compile_term(node, relation)) for conjunct in conjuncts(condition))
    return together(*said)


def meeting(relation: Relation, condition: exp.Expr | None) -> Relation:
    """The rows of a relation for which a condition of WHERE or FILTER is true."""
    if condition is None:
        return relation
    return replace(relation, limits=together(relation.limits, met_by(condition, relation)))
