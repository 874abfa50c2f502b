"""The allow-list of scalar expressions and the dispatch over it (decision 4, attacks 4-7).

The walk refuses by default: a node class without a handler, or with an argument that its handler does not know, is
refused with its position. What is printed here is the only SQL text that ever reaches the source.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType

from sqlglot import exp

from proxy.sql.refusal import unsupported
from proxy.sql.replacing import replace
from proxy.sql.terms import costs
from proxy.sql.terms.calling import not_allowed, refusal_of_call
from proxy.sql.terms.comparisons import comparable, condition, equality, members_of_row
from proxy.sql.terms.limits import narrowed, together
from proxy.sql.terms.operation import Operation
from proxy.sql.terms.operations import operation_of
from proxy.sql.terms.term import Limits, Scope, Subquery, Term
from proxy.sql.terms.ties import hash_tie, is_tied
from proxy.sql.terms.types import BOOLEAN
from proxy.sql.terms.work import accounted, distinct_subqueries

__all__ = ["comparable", "compile_term", "condition", "equality", "members_of_row", "not_allowed"]

_LONGEST_SQL = 100_000
"""Guards repeat their operand, so that SQL for the source can double with each level of nesting."""


_WHOLE = re.compile(r"[0-9]{1,18}")
_NUMBERS_KEPT = 10_000
"""Lists have thousands of numbers, each of which is compiled several times."""

_NO_LIMITS: Limits = MappingProxyType({})


@dataclass(frozen=True)
class _Branch:
    """What columns mean where the conditions of CASE lead."""

    scope: Scope
    limits: Limits

    def whole(self, node: exp.Expr) -> Term | None:
        return self.scope.whole(node)

    def column(self, node: exp.Column) -> Term:
        return self.scope.column(node)

    def subquery(self, query: exp.Expr, value: exp.Expr | None) -> Subquery:
        return self.scope.subquery(query, value)


def compile_term(node: exp.Expr, scope: Scope) -> Term:
    """Compile a scalar expression.

    Args:
        node: an expression of the client's checked tree.
        scope: what its columns mean.

    Raises:
        UnsupportedError: a node, argument or type that is not on the allow-list.
        RefusedError: a column that clients cannot see.
    """
    known_whole = scope.whole(node)
    if known_whole is not None:
        return known_whole
    if isinstance(node, exp.Column):
        return narrowed(scope.column(node), scope.limits)
    if isinstance(node, exp.Exists) or (isinstance(node, exp.In) and node.args.get("query") is not None):
        return _subquery_predicate(node, scope)
    number = _written_number(node) if isinstance(node, exp.Literal) else None
    if number is not None:
        return narrowed(number, scope.limits)
    operation = _operation(node)
    if any(value and not operation.knows(name) for name, value in node.args.items()):
        raise not_allowed(node)
    operands: list[Term] = []

    def compile_(child: exp.Expr, /, limits: Limits = _NO_LIMITS) -> Term:
        operands.append(compile_term(child, _Branch(scope, together(scope.limits, limits)) if limits else scope))
        return operands[-1]

    term = operation.compile(node, compile_)
    if len(term.sql) > _LONGEST_SQL:
        raise unsupported(
            node,
            "this expression is too large",
            rule="expression-size",
            detail="Each step that could fail is wrapped in a guard, which repeats its operand.",
            hint="Nest fewer divisions, functions and products of floats.",
        )
    return narrowed(accounted(node, term, operands, operation.cost), scope.limits)


def _written_number(node: exp.Literal) -> Term | None:
    """The term of a whole number as it is written; None for other literals."""
    text = node.name
    return None if node.is_string or _WHOLE.fullmatch(text) is None else _whole_number(text)


@lru_cache(maxsize=_NUMBERS_KEPT)
def _whole_number(text: str) -> Term:
    node = exp.Literal.number(text)
    operation = _operation(node)

    def compile_(_: exp.Expr, /, limits: Limits = _NO_LIMITS) -> Term:  # noqa: ARG001
        raise AssertionError("a number has no operands")

    return accounted(node, operation.compile(node, compile_), [], operation.cost)


def _operation(node: exp.Expr) -> Operation:
    operation = operation_of(node)
    if operation is not None:
        return operation
    raise refusal_of_call(node) if isinstance(node, exp.Anonymous) else not_allowed(node)


def is_required(node: exp.Expr) -> bool:
    """Is it a conjunct of WHERE, where NULL counts as false?"""
    parent = node.parent
    while isinstance(parent, (exp.Paren, exp.And)):
        parent = parent.parent
    return isinstance(parent, exp.Where) and not isinstance(parent.parent, exp.Filter)


def _subquery_predicate(node: exp.Expr, scope: Scope) -> Term:
    """EXISTS (SELECT …) and x IN (SELECT …)."""
    if isinstance(node, exp.Exists):
        subquery = scope.subquery(node.this, None)
        values, cost = list[Term](), costs.flat(500)
        term = Term(f"EXISTS (SELECT {subquery.body})", BOOLEAN, False)
    else:
        known = {"this", "query"}
        if any(value for name, value in node.args.items() if name not in known):
            raise not_allowed(node)
        values = [compile_term(member, scope) for member in members_of_row(node.this) or [node.this]]
        subquery = scope.subquery(node.args["query"], node.this)
        term, cost = is_in(node, values, subquery), costs.membership
    reads = subquery.reads.union(*(value.reads for value in values))
    compared = accounted(node, term, [*values, *subquery.outputs], cost)
    return replace(compared, reads=reads, subqueries=(*distinct_subqueries(values), subquery))


def is_in(node: exp.Expr, values: list[Term], subquery: Subquery) -> Term:
    """x IN (SELECT …), or of a row of values.

    Raises:
        UnsupportedError: another number of values, or types that are not compared.
    """
    if len(subquery.outputs) != len(values):
        raise not_allowed(node)
    pairs = [comparable(node, value, output) for value, output in zip(values, subquery.outputs, strict=True)]
    if is_required(node) or not any(term.nullable for term in (*values, *subquery.outputs)):
        # Where NULL counts as false, or cannot occur, IN means this, and Postgres plans it as a join.
        word = "AND" if subquery.filtered else "WHERE"
        equal = " AND ".join(f"{right.sql} = {left.sql}" for left, right in pairs)
        if subquery.tied:
            equal += "".join(f" AND {hash_tie(right, left)}" for left, right in pairs if is_tied(left, right))
        return Term(f"EXISTS (SELECT {subquery.body} {word} {equal})", BOOLEAN, False)
    left = ", ".join(value.sql for value, _ in pairs)
    right = ", ".join(output.sql for _, output in pairs)
    row = f"ROW({left})" if len(pairs) > 1 else left
    return Term(f"({row} IN (SELECT {right} {subquery.body}))", BOOLEAN, True)
