"""Aggregates whose answer is one of a column's possible values: min, max, percentiles and mode (theorem 11).

They have no sum to add noise to. What is measured is a histogram per group, and the exponential mechanism chooses from
all buckets of the bounds, or from all declared values, whether rows are there or not. Percentiles over the same values
share a histogram and a choice. The least of all rows is the least of all units' least ones, so minimum and maximum
count units instead of rows, of which each counts once in a group.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from sqlglot import exp

from proxy.sql.dialect import render
from proxy.sql.planning.buckets import Buckets, date_buckets, number_buckets
from proxy.sql.planning.date_limits import Conditions, date_limits
from proxy.sql.planning.domains import Domain, declared_domain
from proxy.sql.refusal import BOUNDS_HINT, refused, unsupported
from proxy.sql.rows.grouping import grouping_term
from proxy.sql.rows.relation import Relation
from proxy.sql.terms.arrays import constant_elements
from proxy.sql.terms.expressions import compile_term
from proxy.sql.terms.term import Term
from proxy.sql.terms.types import Kind

EXTREMES = frozenset(["min", "max"])
WITHIN_GROUP = frozenset(["percentile_cont", "percentile_disc", "mode"])

CLAMPED = {Kind.INTEGER: 3, Kind.NUMERIC: 4}
"""How often a value is computed for its cell at most, by its kind, for its comparisons with the bounds."""
MOST_CLAMPED = 6

CELLS = 2**20
"""Cells of a row's weight 1 in a histogram."""

_MOST_FRACTIONS = 100
_FINEST_FRACTION = 10**15
_FRACTION = re.compile(r"([0-9]{1,5}(\.[0-9]{0,40})?|\.[0-9]{1,40})([eE]-?[0-9]{1,2})?", re.ASCII)


@dataclass(frozen=True)
class Choice:
    """What is chosen in each group, and from what.

    Attributes:
        value: the value, in the form that GROUP BY uses for a mode.
        filter_sql: condition of FILTER, if any.
        buckets: the candidates of minimum, maximum and percentiles.
        candidates: the candidates of a mode.
        fractions: which quantiles of the buckets; empty for a mode.
        descending: do fractions count from the greatest value? Where a fraction falls between two rows, that decides.
    """

    value: Term
    filter_sql: str | None
    buckets: Buckets | None = None
    candidates: Domain | None = None
    fractions: tuple[Fraction, ...] = ()
    descending: bool = False

    @property
    def counts_units(self) -> bool:
        """Is it the minimum or maximum alone, so that each unit's own one is enough?"""
        return len(self.fractions) == 1 and self.fractions[0] in (0, 1)

    @property
    def size(self) -> int:
        """How many values are chosen in each group."""
        return max(len(self.fractions), 1)


@dataclass(frozen=True)
class Chosen:
    """Which chosen values an aggregate shows.

    Attributes:
        choice: index of the choice.
        positions: indexes of its fractions; one for a mode.
        is_array: were the fractions an array?
    """

    choice: int
    positions: tuple[int, ...]
    is_array: bool = False


@dataclass(frozen=True)
class ChoiceRequest:
    """One aggregate's part of a choice: `choice` with its own fractions alone."""

    choice: Choice
    is_array: bool = False


def compile_choice(
    call: exp.Expr, function: exp.Expr, filter_sql: str | None, relation: Relation, where: Conditions
) -> ChoiceRequest:
    """What one call asks for.

    Args:
        call: the call with its FILTER, for the position of refusals.
        function: the call without FILTER.
        filter_sql: the condition of FILTER.
        relation: what columns mean.
        where: what all rows meet; it narrows the candidates of a mode.

    Raises:
        RefusedError: no bounds, or no declared values for a mode.
        UnsupportedError: types and fractions without a mechanism.
    """
    if isinstance(function, exp.WithinGroup):
        inner, ordered = function.this, function.expression.expressions
        if len(ordered) != 1:
            raise unsupported(call, f"{inner.name}() takes one expression in ORDER BY", rule="aggregate")
        node, descending = ordered[0].this, bool(ordered[0].args.get("desc"))
        if inner.name.lower() == "mode":
            return ChoiceRequest(_mode(call, node, filter_sql, relation, where))
        fractions, is_array = _fractions(call, inner, relation)
    else:
        name = function.name.lower()
        node = function.expressions[0]
        if isinstance(node, exp.Distinct) and len(node.expressions) == 1:
            node = node.expressions[0]  # the least of distinct values is the least
        fractions, is_array, descending = [Fraction(name == "max")], False, False
    if descending:
        fractions = [1 - fraction for fraction in fractions]
    value = compile_term(node, relation)
    buckets = _buckets(call, node, value, relation, where)
    return ChoiceRequest(Choice(value, filter_sql, buckets, None, tuple(fractions), descending), is_array)


def in_cell(value: Term) -> Term:
    """The value as often as it is computed to be put into a cell."""
    return value.computed(CLAMPED.get(value.kind, MOST_CLAMPED))


def merge(requests: Sequence[ChoiceRequest]) -> tuple[list[Chosen], list[Choice]]:
    """The choices of a block, those over the same values as one, and what each request takes from them."""
    choices: dict[object, Choice] = {}
    for request in requests:
        known = choices.get(_identity(request.choice), request.choice)
        fractions = tuple(sorted({*known.fractions, *request.choice.fractions}))
        choices[_identity(known)] = Choice(
            known.value, known.filter_sql, known.buckets, known.candidates, fractions, known.descending
        )
    order = list(choices)
    chosen = []
    for request in requests:
        identity = _identity(request.choice)
        fractions = choices[identity].fractions
        positions = tuple(fractions.index(fraction) for fraction in request.choice.fractions) or (0,)
        chosen.append(Chosen(order.index(identity), positions, request.is_array))
    return chosen, list(choices.values())


def _identity(choice: Choice) -> object:
    extreme = choice.fractions if choice.counts_units else None
    return choice.value.sql, choice.filter_sql, choice.buckets, choice.candidates, choice.descending, extreme


def _buckets(call: exp.Expr, node: exp.Expr, value: Term, relation: Relation, where: Conditions) -> Buckets:
    if value.type.is_number and value.bounds is not None:
        return number_buckets(value)
    if value.type.is_datetime:
        limits = date_limits(node, relation, where)
        if limits is not None:
            return date_buckets(value, limits)
    elif not value.type.is_number:
        raise unsupported(
            call,
            f"{render(call)[:60]} of {value.type.name} is not supported",
            rule="aggregate-type",
            detail="The answer would be one person's value.",
            hint="Numbers, dates and timestamps with bounds have minimum, maximum and percentiles; a column with "
            "declared values has mode() WITHIN GROUP (ORDER BY …).",
        )
    raise refused(
        call,
        f"{render(call)[:60]} needs bounds, and this expression has none",
        rule="bounds",
        detail="The answer is chosen from all values inside the bounds, so that it is not simply one person's value.",
        hint=BOUNDS_HINT.format(call="least(greatest(…, 0), 100) in its place"),
    )


def _mode(call: exp.Expr, node: exp.Expr, filter_sql: str | None, relation: Relation, where: Conditions) -> Choice:
    value = grouping_term(node, compile_term(node, relation))
    candidates = declared_domain([node], where, relation) if value.kind is not Kind.UNKNOWN else None
    if candidates is None:
        raise refused(
            call,
            "mode() needs declared values, and this expression has none",
            rule="undeclared-mode",
            detail="The answer is chosen from all declared values, so that it is not simply one person's value.",
            hint="SELECT x, count(*) … GROUP BY x ORDER BY 2 DESC LIMIT 1 shows the most frequent of the values that "
            "many people have; dp.columns lists the columns with declared values.",
        )
    return Choice(value, filter_sql, candidates=candidates)


def _fractions(call: exp.Expr, function: exp.Expr, relation: Relation) -> tuple[list[Fraction], bool]:
    if len(function.expressions) != 1:
        raise unsupported(call, f"{function.name}() takes one argument", rule="aggregate")
    argument = function.expressions[0].unnest()
    elements = constant_elements(argument) if not isinstance(argument, exp.Literal) else None
    nodes = [argument] if elements is None else elements
    fractions = [_fraction(call, compile_term(_uncast(node), relation)) for node in nodes]
    if not 1 <= len(fractions) <= _MOST_FRACTIONS:
        raise unsupported(call, f"{function.name}() takes 1 to {_MOST_FRACTIONS} fractions", rule="percentile-fraction")
    return fractions, elements is not None


def _uncast(node: exp.Expr) -> exp.Expr:
    """A constant without casts to the type that fractions have anyway."""
    node = node.unnest()
    while isinstance(node, exp.Cast) and node.args["to"].this == exp.DataType.Type.DOUBLE:
        node = node.this.unnest()
    return node


def _fraction(call: exp.Expr, term: Term) -> Fraction:
    text = term.literal or ""
    fraction = Fraction(text) if _FRACTION.fullmatch(text) else None
    if fraction is None or fraction > 1 or fraction.denominator > _FINEST_FRACTION:
        raise unsupported(
            call,
            "percentiles need constant fractions between 0 and 1, with at most 15 digits",
            rule="percentile-fraction",
            hint="percentile_cont(0.5) WITHIN GROUP (ORDER BY x) is the median.",
        )
    return fraction
