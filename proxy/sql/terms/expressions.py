"""The allow-list of scalar expressions and the dispatch over it (decision 4, attacks 4-7).

The walk refuses by default: a node class without a handler, or with an argument that its handler does not know, is
refused with its position. What is printed here is the only SQL text that ever reaches the source.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

from sqlglot import exp

from proxy.sql.names import folded
from proxy.sql.plain_postgres import Plus
from proxy.sql.refusal import unsupported
from proxy.sql.terms import (
    arithmetic,
    array_columns,
    calls,
    casts,
    choices,
    comparisons,
    datetimes,
    documents,
    intervals,
    mathematics,
    patterns,
    texts,
)
from proxy.sql.terms.calling import not_allowed
from proxy.sql.terms.comparisons import comparable, condition, equality, members_of_row
from proxy.sql.terms.interval import Interval
from proxy.sql.terms.term import Scope, Subquery, Term, quote_literal
from proxy.sql.terms.ties import hash_tie
from proxy.sql.terms.types import BIGINT, BOOLEAN, INTEGER, NUMERIC, UNKNOWN, Kind
from proxy.sql.terms.work import accounted, distinct_subqueries

__all__ = ["comparable", "compile_term", "condition", "equality", "members_of_row", "not_allowed"]

_LONGEST_SQL = 100_000
"""Guards repeat their operand, so that text for the source can double with each level of nesting."""


def compile_term(node: exp.Expr, scope: Scope) -> Term:
    """Compile a scalar expression.

    Args:
        node: an expression of the client's checked tree.
        scope: what its columns mean.

    Raises:
        UnsupportedError: a node, argument or type that is not on the allow-list.
        RefusedError: a column that clients cannot see.
    """

    operands: list[Term] = []

    def compile_(child: exp.Expr) -> Term:
        operands.append(compile_term(child, scope))
        return operands[-1]

    known_whole = scope.whole(node)
    if known_whole is not None:
        return known_whole
    if isinstance(node, exp.Column):
        return scope.column(node)
    if isinstance(node, exp.Exists) or (isinstance(node, exp.In) and node.args.get("query") is not None):
        return _subquery_predicate(node, scope)
    known = _OTHER_ARGUMENTS.get(type(node), frozenset()) | {"this", "expression"}
    if any(value for name, value in node.args.items() if name not in known):
        raise not_allowed(node)
    term = _handled(node, compile_)
    if len(term.sql) > _LONGEST_SQL:
        raise unsupported(
            node,
            "this expression is too large",
            rule="expression-size",
            detail="Each step that could fail carries a guard, which repeats what it guards.",
            hint="Nest fewer divisions and functions.",
        )
    return accounted(node, term, operands)


def _handled(node: exp.Expr, compile_: arithmetic.Compile) -> Term:
    for registry in REGISTRIES:
        handler = registry.get(type(node))
        if handler is not None:
            return handler(node, compile_)
    if isinstance(node, exp.Anonymous):
        return calls.compile_call(node, compile_)
    raise not_allowed(node)


def _literal(node: exp.Expr, _: arithmetic.Compile) -> Term:
    text = node.name
    if node.args.get("is_string"):
        return Term(_string(node, text), UNKNOWN, False, literal=text, constant=True)
    try:
        value = Fraction(text)
    except ValueError:
        raise not_allowed(node) from None
    if len(text) > 200 or abs(value) > arithmetic.LARGEST_CONSTANT:
        raise unsupported(node, "this number is too large", rule="literal")
    bounds, sql = Interval.point(value), text
    if text.isdigit():
        type_ = INTEGER if value < 2**31 else BIGINT if value < 2**63 else NUMERIC
        step = Fraction(1)
        if type_ is NUMERIC:
            # Postgres takes -9223372036854775808 for a bigint, in which sums with it would overflow.
            sql = f"{text}::numeric"
    else:
        places = max(0, len(text.partition(".")[2])) if "e" not in text.lower() else 0
        type_ = NUMERIC
        step = Fraction(1, 10**places) if "e" not in text.lower() else abs(value) or Fraction(1)
    return Term(sql, type_, False, bounds, step, step, abs(value), literal=text, constant=True)


def _string(node: exp.Expr, text: str) -> str:
    try:
        return quote_literal(text)
    except ValueError as error:
        raise unsupported(node, str(error), rule="literal") from None


def _string_literal(node: exp.Expr, _: arithmetic.Compile) -> Term:
    """E'…' and $$…$$, whose text the parser has already decoded."""
    return Term(_string(node, node.name), UNKNOWN, False, literal=node.name, constant=True)


def _null(_: exp.Expr, __: arithmetic.Compile) -> Term:
    return Term("NULL", UNKNOWN, True, constant=True)


def _boolean(node: exp.Expr, _: arithmetic.Compile) -> Term:
    text = "true" if node.this else "false"
    return Term(text, BOOLEAN, False, literal=text, constant=True)


def _paren(node: exp.Expr, compile_: arithmetic.Compile) -> Term:
    return compile_(node.this)


def _negate(node: exp.Expr, compile_: arithmetic.Compile) -> Term:
    term = compile_(node.this)
    if term.kind is Kind.INTERVAL:
        return intervals.negate(term)
    return arithmetic.negate(arithmetic.require_number(node, term))


def _plus(node: exp.Expr, compile_: arithmetic.Compile) -> Term:
    """+x is x, where x is a number."""
    return arithmetic.require_number(node, compile_(node.this))


def _qualified_call(node: exp.Expr, compile_: arithmetic.Compile) -> Term:
    """pg_catalog.lower(x), which is what lower(x) means on the source anyway."""
    schema, call = node.this, node.expression
    if isinstance(schema, exp.Identifier) and folded(schema) == "pg_catalog" and isinstance(call, exp.Anonymous):
        return compile_(call)
    raise not_allowed(node)


def _arithmetic(node: exp.Expr, compile_: arithmetic.Compile) -> Term:
    left, right = compile_(node.this), compile_(node.expression)
    if left.type.is_datetime or right.type.is_datetime or {left.kind, right.kind} & {Kind.INTERVAL, Kind.TIME}:
        return datetimes.arithmetic_on_dates(node, left, right)
    return arithmetic.binary(node, left, right)


def is_required(node: exp.Expr) -> bool:
    """Is it a conjunct of WHERE, where NULL is as good as false?"""
    parent = node.parent
    while isinstance(parent, (exp.Paren, exp.And)):
        parent = parent.parent
    return isinstance(parent, exp.Where) and not isinstance(parent.parent, exp.Filter)


def _subquery_predicate(node: exp.Expr, scope: Scope) -> Term:
    """EXISTS (SELECT …) and x IN (SELECT …)."""
    if isinstance(node, exp.Exists):
        subquery = scope.subquery(node.this, None)
        values, term = list[Term](), Term(f"EXISTS (SELECT {subquery.body})", BOOLEAN, False)
    else:
        known = {"this", "query"}
        if any(value for name, value in node.args.items() if name not in known):
            raise not_allowed(node)
        values = [compile_term(one, scope) for one in members_of_row(node.this) or [node.this]]
        subquery = scope.subquery(node.args["query"], node.this)
        term = _is_in(node, values, subquery)
    reads = subquery.reads.union(*(one.reads for one in values))
    compared = accounted(node, term, [*values, *subquery.outputs])
    return replace(compared, reads=reads, subqueries=(*distinct_subqueries(values), subquery))


def _is_in(node: exp.Expr, values: list[Term], subquery: Subquery) -> Term:
    if len(subquery.outputs) != len(values):
        raise not_allowed(node)
    pairs = [comparable(node, value, output) for value, output in zip(values, subquery.outputs, strict=True)]
    if is_required(node) or not any(term.nullable for term in (*values, *subquery.outputs)):
        # Where NULL counts as false, or cannot be, that is what IN means, and Postgres plans it as a join.
        word = "AND" if subquery.filtered else "WHERE"
        equal = " AND ".join(f"{right.sql} = {left.sql}" for left, right in pairs)
        if subquery.tied:
            equal += "".join(f" AND {hash_tie(right, left)}" for left, right in pairs)
        return Term(f"EXISTS (SELECT {subquery.body} {word} {equal})", BOOLEAN, False)
    left = ", ".join(one.sql for one, _ in pairs)
    right = ", ".join(other.sql for _, other in pairs)
    row = f"ROW({left})" if len(pairs) > 1 else left
    return Term(f"({row} IN (SELECT {right} {subquery.body}))", BOOLEAN, True)


_OTHER_ARGUMENTS: dict[type[exp.Expr], frozenset[str]] = {
    exp.Literal: frozenset({"is_string"}),
    exp.Anonymous: frozenset({"expressions"}),
    exp.Div: frozenset({"typed", "safe"}),
    exp.DPipe: frozenset({"safe"}),
    exp.Between: frozenset({"low", "high", "symmetric"}),
    exp.In: frozenset({"expressions"}),
    exp.Is: frozenset({"negate"}),
    exp.Like: frozenset({"negate"}),
    exp.ILike: frozenset({"negate"}),
    exp.Case: frozenset({"ifs", "default"}),
    exp.Cast: frozenset({"to"}),
    exp.Interval: frozenset({"unit", "fraction_in_string"}),
    exp.Substring: frozenset({"start", "length"}),
    exp.Trim: frozenset({"position"}),
    exp.StrPosition: frozenset({"substr"}),
    exp.Overlay: frozenset({"from_", "for_"}),
    exp.AtTimeZone: frozenset({"zone"}),
    exp.Bracket: frozenset({"expressions"}),
    exp.JSONExtract: frozenset({"only_json_types"}),
    exp.JSONExtractScalar: frozenset({"only_json_types"}),
}

_HANDLERS: dict[type[exp.Expr], Callable[[exp.Expr, arithmetic.Compile], Term]] = {
    exp.Literal: _literal,
    exp.ByteString: _string_literal,
    exp.RawString: _string_literal,
    exp.Null: _null,
    exp.Boolean: _boolean,
    exp.Paren: _paren,
    exp.Neg: _negate,
    Plus: _plus,
    exp.Add: _arithmetic,
    exp.Sub: _arithmetic,
    exp.Mul: _arithmetic,
    exp.Div: _arithmetic,
    exp.Mod: _arithmetic,
    exp.Dot: _qualified_call,
}

REGISTRIES = (
    _HANDLERS,
    comparisons.HANDLERS,
    choices.HANDLERS,
    mathematics.HANDLERS,
    texts.HANDLERS,
    patterns.HANDLERS,
    datetimes.HANDLERS,
    intervals.HANDLERS,
    documents.HANDLERS,
    array_columns.HANDLERS,
    casts.HANDLERS,
)
