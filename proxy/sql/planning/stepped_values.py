"""The values of expressions that grow in steps with one column: floor(x / 50) * 50, extract(epoch FROM t)::bigint / 60.

Such an expression never falls while its column grows: each part of it does not, and rounding keeps order. So what it
makes of the least and the greatest value of the column enclose all its values, and between them are only multiples of
its step. Both ends are computed by the stage, in the arithmetic of the source, so that no rounding can leave one out.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

from sqlglot import exp

from proxy.sql.named_tables import NamedTable
from proxy.sql.nodes import find, find_all
from proxy.sql.plain_postgres import excerpt
from proxy.sql.planning.date_limits import Conditions, date_limits, is_nullable, same_rows
from proxy.sql.planning.value_sets import Values
from proxy.sql.refusal import subquery_refusal
from proxy.sql.replacing import replace
from proxy.sql.rows.narrowing import met_by
from proxy.sql.rows.relation import Relation
from proxy.sql.terms.bounds import Bounds
from proxy.sql.terms.expressions import compile_term
from proxy.sql.terms.limits import together
from proxy.sql.terms.term import Limits, Subquery, Term, number_sql
from proxy.sql.terms.types import Kind

MOST_MOMENTS = 100_000
"""The most steps of a moment; of more, those that occur are selected."""
_MOST_NUMBERS = 10_000
"""The most steps of a number, as many as bounds declare of whole numbers."""

_MOST_LEVELS = 16

_ROUNDING = ("floor", "ceil", "ceiling", "trunc", "round")


@dataclass(frozen=True)
class _Ends:
    """The column, CASE or moment that an expression grows with, and its least and greatest value as SQL."""

    node: exp.Expr
    term: Term
    low: str
    high: str
    nullable: bool


@dataclass(frozen=True)
class _EndScope:
    """The expression's scope where its column has a known value."""

    node: exp.Expr
    term: Term

    @property
    def limits(self) -> Limits:
        return {}

    def whole(self, node: exp.Expr) -> Term | None:
        return self.term if node is self.node else None

    def column(self, node: exp.Column) -> Term:
        raise AssertionError(f"{node} is not the column that the expression grows with")

    def subquery(self, query: exp.Expr, value: exp.Expr | None) -> Subquery:
        raise subquery_refusal(value or query)


def stepped_values(node: exp.Expr, relation: Relation, where: Conditions) -> Values | None:
    """The values of a number that grows in steps with one bounded column.

    Args:
        node: the expression.
        relation: what its columns mean.
        where: conditions that all rows meet; those about the column narrow its values.

    Returns:
        The values; None where the expression has no steps, falls somewhere, or has more than too many values.

    Raises:
        DpproxyError: a part of it cannot be computed of rows.
    """
    if not _has_steps(node, relation):
        return None
    narrowed = narrowed_by(relation, where)
    term = compile_term(node, narrowed)
    leaf = _grows_with(node, narrowed)
    ends = _ends(leaf, narrowed, where) if leaf is not None else None
    if ends is None or term.bounds is None or not term.step:
        return None
    most = MOST_MOMENTS if ends.term.type.is_datetime else _MOST_NUMBERS
    if term.bounds.width / term.step >= most:
        return None
    first, last = (
        compile_term(node, _EndScope(ends.node, replace(ends.term, sql=name, nullable=False))).sql
        for name in ("e.low", "e.high")
    )
    carried = "numeric" if term.wide else term.type.name
    series = f"generate_series({first}::numeric, {last}::numeric, {number_sql(term.step)}::numeric)"
    sql = f"SELECT g.s::{carried} AS c0 FROM (SELECT {ends.low} AS low, {ends.high} AS high) AS e, {series} AS g(s)"
    return Values(sql, f"steps of {_named(ends.node)}", nullable=ends.nullable, complete=_is_held(ends.node, narrowed))


def _named(node: exp.Expr) -> str:
    """What messages call that: a column by its name alone, also within a moment."""
    return excerpt(node) if isinstance(node, exp.Case) else find_all(node, exp.Column)[0].name


def _is_held(node: exp.Expr, relation: Relation) -> bool:
    """Does the source let no row of a column be outside its bounds?"""
    if not isinstance(node, exp.Column):
        return False
    origin = relation.origin(node)
    return isinstance(origin.member.table, NamedTable) and origin.column in origin.member.table.held_inside


def narrowed_whole_numbers(node: exp.Column, relation: Relation, where: Conditions) -> Values | None:
    """The values of a column of whole numbers between bounds of the policy that conditions narrow.

    Args:
        node: the column.
        relation: what it means.
        where: conditions that all rows meet.

    Returns:
        The values; None where they are still too many.
    """
    if relation.origin(node).term().kind is not Kind.INTEGER:
        return None
    narrowed = narrowed_by(relation, where)
    bounds = compile_term(node, narrowed).bounds
    if bounds is None or bounds.width >= _MOST_NUMBERS:
        return None
    ends = _ends(node, narrowed, where)
    if ends is None:
        return None
    series = f"SELECT g.s AS c0 FROM generate_series({ends.low}, {ends.high}) AS g(s)"
    return Values(series, f"numbers that WHERE leaves of {node.name}", nullable=ends.nullable)


def narrowed_by(relation: Relation, where: Conditions) -> Relation:
    """The relation whose terms are narrowed by conditions that all its rows meet."""
    said = (met_by(conjunct, scope) for conjunct, scope in where if same_rows(scope, relation))
    return replace(relation, limits=together(relation.limits, *said))


def _has_steps(node: exp.Expr, relation: Relation) -> bool:
    """Does the expression itself leave only whole steps of a number that need not have them?"""
    if isinstance(node, exp.Anonymous):
        return node.name.lower() in (*_ROUNDING, "div")
    if not isinstance(node, (exp.Cast, exp.Div)):
        return False
    kind = compile_term(node, relation).kind
    operand = compile_term(node.this, relation)
    if isinstance(node, exp.Cast):
        return kind is Kind.INTEGER and operand.kind in (Kind.NUMERIC, Kind.FLOAT)
    return kind is Kind.INTEGER


def _grows_with(node: exp.Expr, relation: Relation, levels: int = _MOST_LEVELS) -> exp.Expr | None:
    """The only column or CASE, or the moment behind extract(epoch …), that the expression reads, if it never falls
    while that grows. None beyond so many levels: each is compiled by itself."""
    if levels == 0:
        return None
    levels -= 1
    node = node.unnest()
    if isinstance(node, (exp.Column, exp.Case)):
        return node
    if isinstance(node, exp.Extract):
        return node.expression if node.this.name.lower() == "epoch" else None
    if isinstance(node, exp.Anonymous):
        return _argument_of(node, relation, levels)
    if isinstance(node, exp.Cast):
        return _grows_with(node.this, relation, levels) if _fits(compile_term(node, relation)) else None
    if isinstance(node, (exp.Add, exp.Mul)) and _is_factor(node.this, node, relation):
        return _grows_with(node.expression, relation, levels)
    if isinstance(node, (exp.Add, exp.Sub, exp.Mul, exp.Div)) and _is_factor(node.expression, node, relation):
        return _grows_with(node.this, relation, levels)
    return None


def _argument_of(node: exp.Anonymous, relation: Relation, levels: int) -> exp.Expr | None:
    name, arguments = node.name.lower(), node.expressions
    if name == "date_part" and len(arguments) == 2:
        return arguments[1] if arguments[0].name.lower() == "epoch" else None
    if name == "div" and len(arguments) == 2 and not _is_positive(arguments[1], relation):
        return None
    return _grows_with(arguments[0], relation, levels) if name in (*_ROUNDING, "div") and arguments else None


def _is_factor(node: exp.Expr, operation: exp.Expr, relation: Relation) -> bool:
    """Does the operation with this constant keep the order of numbers?"""
    if find(node, exp.Column, exp.Query) is not None:
        return False
    if isinstance(operation, (exp.Mul, exp.Div)):
        return _is_positive(node, relation)
    term = compile_term(node, relation)
    return term.constant and term.type.is_number and term.bounds is not None


def _is_positive(node: exp.Expr, relation: Relation) -> bool:
    term = compile_term(node, relation)
    return term.constant and term.type.is_number and term.bounds is not None and term.bounds.low > 0


def _fits(cast: Term) -> bool:
    """Is no value within the bounds too large for the type that it is cast to?"""
    limit = cast.type.magnitude
    return cast.type.is_number and (limit is None or (cast.bounds is not None and cast.bounds.magnitude < limit))


def _ends(node: exp.Expr, relation: Relation, where: Conditions) -> _Ends | None:
    term = compile_term(node, relation)
    if term.type.is_datetime:
        limits = date_limits(node, relation, where)
        return _Ends(node, term, limits.low, limits.high, limits.nullable) if limits is not None else None
    bare = node.unnest()
    if term.bounds is None or not term.type.is_number or not isinstance(bare, (exp.Column, exp.Case)):
        return None
    bounds = term.bounds
    if term.kind is Kind.INTEGER:
        bounds = Bounds(Fraction(math.ceil(bounds.low)), Fraction(max(math.ceil(bounds.low), math.floor(bounds.high))))
    carried = "numeric" if term.wide else term.type.name
    try:
        low, high = (f"{number_sql(bound)}::{carried}" for bound in (bounds.low, bounds.high))
    except ValueError:
        return None
    nullable = is_nullable(bare, relation, where) if isinstance(bare, exp.Column) else term.nullable
    return _Ends(node, term, low, high, nullable)
