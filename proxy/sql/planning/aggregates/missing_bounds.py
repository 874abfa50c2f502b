"""The refusal of an aggregate of values without bounds: it names what has none, and shows the call with some."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from sqlglot import exp

from proxy.errors import DpproxyError
from proxy.sql.plain_postgres import excerpt, readable, render
from proxy.sql.refusal import refused
from proxy.sql.rows.narrowing import meeting
from proxy.sql.rows.relation import Relation
from proxy.sql.terms.expressions import compile_term
from proxy.sql.terms.term import Term
from proxy.sql.terms.types import Kind
from proxy.sql.trees.walking import own_nodes

_LONGEST_HINT = 200
"""Characters of a call that is shown with bounds; in a longer one `…` stands for the value."""

Unbounded = tuple[exp.Expr, Term]
"""A value that is aggregated, and its term, which has no bounds."""


def without_bounds(node: exp.Expr, values: Sequence[Unbounded], relation: Relation, detail: str) -> Exception:
    """The refusal.

    Args:
        node: the call.
        values: the values in it that have no bounds, of numbers, dates, timestamps or intervals.
        relation: what columns mean.
        detail: why they need bounds.
    """
    found = {render(cause): cause for value, _ in values for cause in _causes(value, relation)}
    names = [excerpt(cause) for cause in found.values()]
    none = f"{', '.join(names[:-1])} and {names[-1]} have none" if len(names) > 1 else f"{names[0]} has none"
    condition = _condition(list(found.values()), values, relation)
    return refused(
        node,
        f"{excerpt(node)} requires bounds, but {none}",
        rule="bounds",
        detail=detail,
        hint="Ask the policy's steward for bounds on each column in it (dp.columns shows which have them), or bound "
        f"the value here, by what you know of the world: {_bounded(node, values)}"
        + (f", or a condition such as WHERE {condition}." if condition else ".")
        + (_OF_NULL if any(term.nullable for _, term in values) else ""),
    )


_OF_NULL: Final = " GREATEST and LEAST make a number of NULL: leave such rows out with IS NOT NULL, or by a condition."


def _causes(value: exp.Expr, relation: Relation) -> list[exp.Expr]:
    """The smallest parts of a value that have no bounds, while all that they are computed from has."""
    value = value.unnest()
    lacking = [operand for operand in _operands(value) if _lacks(operand, relation)]
    return [cause for operand in lacking for cause in _causes(operand, relation)] or [value]


def _operands(node: exp.Expr) -> list[exp.Expr]:
    values = [part for value in node.args.values() for part in (value if isinstance(value, list) else [value])]
    return [part for part in values if isinstance(part, exp.Expr)] if not isinstance(node, exp.Column) else []


def _lacks(node: exp.Expr, relation: Relation) -> bool:
    try:
        term = compile_term(node, relation)
    except DpproxyError:
        return False
    if term.constant:
        return False
    if term.kind is Kind.INTERVAL:
        return term.span is None or term.span.total is None
    return (term.type.is_number or term.type.is_datetime) and term.bounds is None


def _example(term: Term) -> tuple[str, str]:
    """Bounds of a value, as constants of its type."""
    if term.type.is_datetime:
        name = {Kind.DATE: "date", Kind.TIMESTAMP: "timestamp"}.get(term.kind, "timestamptz")
        return f"{name} '2020-01-01'", f"{name} '2030-01-01'"
    return "0", "86400" if term.kind is Kind.INTERVAL else "100"


def _bounded(node: exp.Expr, values: Sequence[Unbounded]) -> str:
    """The call with bounds around these values: around the seconds of an interval, of which it is made again."""
    text = _with_bounds(node, values, readable)
    return text if len(text) <= _LONGEST_HINT else _with_bounds(node, values, lambda _: "…")


def _with_bounds(node: exp.Expr, values: Sequence[Unbounded], written: Callable[[exp.Expr], str]) -> str:
    copy = node.copy()
    copies = dict(zip(map(id, own_nodes(node)), own_nodes(copy), strict=True))
    for value, term in values:
        low, high = _example(term)
        text = written(value)
        text = f"extract(epoch FROM {text})" if term.kind is Kind.INTERVAL else text
        copies[id(value)].replace(exp.Var(this=f"least(greatest({text}, {low}), {high})"))
    text = readable(copy)
    return f"make_interval(secs => {text})" if any(term.kind is Kind.INTERVAL for _, term in values) else text


def _condition(causes: Sequence[exp.Expr], values: Sequence[Unbounded], relation: Relation) -> str | None:
    """A condition that gives the values bounds; None where no condition on a single part of them does."""
    if len(causes) != 1:
        return None
    cause = causes[0]
    low, high = _example(compile_term(cause, relation))
    try:
        limited = meeting(relation, exp.Between(this=cause.copy(), low=_constant(low), high=_constant(high)))
        if any(compile_term(value, limited).bounds is None for value, _ in values):
            return None
    except DpproxyError:
        return None
    return f"{excerpt(cause)} BETWEEN {low} AND {high}"


def _constant(text: str) -> exp.Expr:
    name, _, literal = text.partition(" ")
    if not literal:
        return exp.Literal.number(text)
    return exp.Cast(this=exp.Literal.string(literal.strip("'")), to=exp.DataType.build(name))
