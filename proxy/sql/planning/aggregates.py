"""The aggregates of a block and the noisy numbers they are made of (theorem 1).

An aggregate of the client is a formula over *statistics*; statistics are what is measured and gets noise. Aggregates
that need the same statistic share it: AVG(x), SUM(x) and COUNT(x) are two noisy numbers, not four.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from sqlglot import exp

from proxy.sql.dialect import render
from proxy.sql.planning.choices import (
    EXTREMES,
    WITHIN_GROUP,
    Choice,
    ChoiceRequest,
    Chosen,
    compile_choice,
    in_cell,
    merge,
)
from proxy.sql.planning.date_limits import Conditions
from proxy.sql.planning.grids import grid_of
from proxy.sql.planning.moments import ONE_VALUE, TWO_VALUES, Moments, compile_moments
from proxy.sql.planning.statistic import Statistic
from proxy.sql.refusal import BOUNDS_HINT, refused, unsupported
from proxy.sql.rows.grouping import grouping_term
from proxy.sql.rows.relation import Relation
from proxy.sql.terms.canonical_values import canonical_value
from proxy.sql.terms.expressions import compile_term, condition, not_allowed
from proxy.sql.terms.term import Term
from proxy.sql.terms.types import TEXT, Kind
from proxy.sql.terms.work import size_of
from proxy.sql.trees.aggregate_calls import aggregate_name

_WIDEST = 10**100
"""Largest bounds of what is summed. Squares, and the noise of their sums, are told as floats."""

QUANTIFIERS = frozenset(["bool_and", "every", "bool_or"])
"""Answered by the noisy number of rows that decide: does it reach what noise alone hardly ever does?"""

COUNTED = QUANTIFIERS | {"count"}
"""Aggregates that are a number of rows."""


@dataclass(frozen=True)
class Aggregate:
    """One aggregate of the client.

    Attributes:
        text: canonical text, equal for equal aggregates.
        function: its name.
        label: for EXPLAIN.
        count: of count, sum and avg: index of the `rows`, `units` or `distinct` statistic it uses, if any.
        sum: of sum and avg: index of the `sum` statistic it uses.
        moments: of variances and regressions: what they use.
        chosen: of min, max, percentiles and mode: the chosen values that they show.
    """

    text: str
    function: str
    label: str
    count: int | None = None
    sum: int | None = None
    moments: Moments | None = None
    chosen: Chosen | None = None

    @property
    def statistics(self) -> tuple[int, ...]:
        """Indexes of all statistics it uses."""
        if self.moments is not None:
            return self.moments.statistics
        return tuple(one for one in (self.sum, self.count) if one is not None)


@dataclass(frozen=True)
class _Request:
    function: str
    label: str
    values: tuple[Term, ...]
    filter_sql: str | None
    counts: Literal["rows", "units", "distinct"] = "rows"
    choice: ChoiceRequest | None = None
    conditions: tuple[Term, ...] = ()

    @property
    def value(self) -> Term | None:
        """Its only argument; None for count(*)."""
        return self.values[0] if self.values else None

    @property
    def computed(self) -> list[Term]:
        """What is computed for each row, as often as it is."""
        if self.choice is not None:
            chosen = self.choice.choice
            values = [in_cell(chosen.value) if chosen.buckets is not None else chosen.value]
        else:
            values = [in_cell(value) if self.counts == "rows" else value for value in self.values]
        return [*self.conditions, *values]

    @property
    def is_moment(self) -> bool:
        return self.function in ONE_VALUE | TWO_VALUES


@dataclass(frozen=True)
class Compiled:
    """The aggregates of a block, the statistics and choices that they share, and what is computed for each row."""

    aggregates: tuple[Aggregate, ...]
    statistics: tuple[Statistic, ...]
    choices: tuple[Choice, ...]
    terms: tuple[Term, ...]


def compile_aggregates(calls: list[exp.Expr], texts: list[str], relation: Relation, where: Conditions) -> Compiled:
    """Compile aggregate calls into formulas over shared statistics and choices.

    Args:
        calls: the calls, as `collect` gives them.
        texts: their canonical texts.
        relation: what columns mean.
        where: what all rows meet.

    Raises:
        UnsupportedError: an aggregate without a mechanism.
        RefusedError: a sum or average without bounds.
    """
    nodes = dict(zip(texts, calls, strict=True))
    requests = {text: _request(call, relation, where) for call, text in zip(calls, texts, strict=True)}
    choosing = {text: request.choice for text, request in requests.items() if request.choice is not None}
    shown, choices = merge(list(choosing.values()))
    chosen = dict(zip(choosing, shown, strict=True))
    centring = {"avg", *ONE_VALUE}
    centred = {(r.value.sql, r.filter_sql) for r in requests.values() if r.function in centring and r.value is not None}
    statistics: list[Statistic] = []

    def index(statistic: Statistic) -> int:
        if statistic not in statistics:
            statistics.append(statistic)
        return statistics.index(statistic)

    aggregates = []
    for text, request in requests.items():
        if text in chosen:
            aggregates.append(Aggregate(text, request.function, request.label, chosen=chosen[text]))
            continue
        if request.is_moment:
            moments = compile_moments(nodes[text], request.function, list(request.values), request.filter_sql, index)
            aggregates.append(Aggregate(text, request.function, request.label, moments=moments))
            continue
        count = total = None
        value = request.value
        is_centred = value is not None and (value.sql, request.filter_sql) in centred
        if request.counts != "rows":
            count = index(Statistic(request.counts, value, request.filter_sql))
        elif request.function in COUNTED or is_centred:
            counted = value if value is not None and value.nullable else None
            count = index(Statistic("rows", counted, request.filter_sql))
        if request.function not in COUNTED and value is not None:
            grid = grid_of(value, centred=is_centred)
            total = index(Statistic("sum", value, request.filter_sql, grid))
        aggregates.append(Aggregate(text, request.function, request.label, count, total))
    together = tuple(_with_rows(aggregate, statistics) for aggregate in aggregates)
    terms = tuple(term for request in requests.values() for term in request.computed)
    return Compiled(together, tuple(statistics), tuple(choices), terms)


def _with_rows(aggregate: Aggregate, statistics: list[Statistic]) -> Aggregate:
    """A sum with the number of its rows, if that is known anyway: it says where the sum is one over nothing."""
    if aggregate.function != "sum" or aggregate.sum is None or aggregate.count is not None:
        return aggregate
    summed = statistics[aggregate.sum]
    value = summed.value if summed.value is not None and summed.value.nullable else None
    rows = Statistic("rows", value, summed.filter_sql)
    return replace(aggregate, count=statistics.index(rows)) if rows in statistics else aggregate


def _request(call: exp.Expr, relation: Relation, where: Conditions) -> _Request:
    function, met = call, None
    if isinstance(call, exp.Filter):
        function = call.this
        met = condition(call.expression.this, lambda node: compile_term(node, relation))
    request = _unfiltered(call, function, met.sql if met is not None else None, relation, where)
    return replace(request, conditions=(*request.conditions, met)) if met is not None else request


def _unfiltered(
    call: exp.Expr, function: exp.Expr, filter_sql: str | None, relation: Relation, where: Conditions
) -> _Request:
    """The request of a call whose FILTER, if it has one, is compiled."""
    label = render(call)[:80]
    if isinstance(function, exp.WithinGroup) and function.this.name.lower() in WITHIN_GROUP:
        name = function.this.name.lower()
        return _Request(name, label, (), filter_sql, choice=compile_choice(call, function, filter_sql, relation, where))
    name = function.name.lower() if isinstance(function, exp.Anonymous) else ""
    if name not in ("sum", "avg", *COUNTED, *EXTREMES, *ONE_VALUE, *TWO_VALUES):
        raise unsupported(
            call,
            f"{aggregate_name(call)}() is not supported over private rows",
            rule="aggregate",
            hint="count, sum, avg, variance, stddev, covar_…, corr, regr_…, min, max, percentile_…, mode, bool_and and "
            "bool_or are, each with FILTER (WHERE …).",
        )
    wanted = 2 if name in TWO_VALUES else 1
    if len(function.expressions) != wanted:
        raise unsupported(call, f"{name}() takes {wanted} argument{'s' * (wanted - 1)}", rule="aggregate")
    if name in EXTREMES:
        return _Request(name, label, (), filter_sql, choice=compile_choice(call, function, filter_sql, relation, where))
    argument = function.expressions[0]
    if name in QUANTIFIERS:
        met = _deciding(name, argument, relation)
        both = met.sql if filter_sql is None else f"({met.sql} AND {filter_sql})"
        return _Request(name, label, (), both, conditions=(met,))
    if isinstance(argument, exp.Star):
        if name != "count" or any(argument.args.values()):
            raise not_allowed(call)
        return _Request(name, label, (), filter_sql)
    if isinstance(argument, exp.Distinct):
        value, counts = _distinct(call, name, argument, relation)
        return _Request(name, label, (value,) if value is not None else (), filter_sql, counts)
    values = tuple(compile_term(one, relation) for one in function.expressions)
    if name != "count":
        for value in values:
            _require_bounds(call, name, value)
    return _Request(name, label, values, filter_sql)


def _deciding(name: str, argument: exp.Expr, relation: Relation) -> Term:
    """The rows that make bool_or true, or bool_and false."""
    node = argument.expressions[0] if isinstance(argument, exp.Distinct) else argument
    met = condition(node, lambda one: compile_term(one, relation))
    return met if name == "bool_or" else met.with_sql(f"(NOT {met.sql})")


def _distinct(
    call: exp.Expr, name: str, argument: exp.Distinct, relation: Relation
) -> tuple[Term | None, Literal["rows", "units", "distinct"]]:
    """What count(DISTINCT …) counts: rows where each unit has one, units, or values in the form that GROUP BY uses."""
    if name != "count":
        raise unsupported(
            call,
            f"{name}(DISTINCT …) is not supported",
            rule="distinct",
            detail="Whether a value is there at all can be one person's doing, however many have the other values.",
            hint=f"SELECT {name}(x) FROM (SELECT x, count(*) FROM … GROUP BY x) AS g takes the values that many have; "
            "count(DISTINCT x) is supported.",
        )
    if len(argument.expressions) != 1:
        raise unsupported(call, "count(DISTINCT …) takes one argument", rule="aggregate")
    node = argument.expressions[0].unnest()
    if isinstance(node, exp.Column) and relation.origin(node).sql in relation.unit_columns:
        return None, "rows" if relation.unit_unique else "units"
    value = compile_term(node, relation)
    if canonical_value(value) is None:
        raise unsupported(
            call,
            f"count(DISTINCT {value.type.name}) is not supported",
            rule="aggregate-type",
            hint="Count distinct numbers, texts, dates or timestamps made of it.",
        )
    if value.kind is Kind.UNKNOWN:
        value = replace(value, sql=f"{value.sql}::text", type=TEXT, literal=None, size=size_of(value))
    return grouping_term(node, value), "distinct"


def _require_bounds(call: exp.Expr, name: str, value: Term) -> None:
    if not value.type.is_number:
        raise unsupported(
            call,
            f"{name}({value.type.name}) is not supported",
            rule="aggregate-type",
            detail="Noise is added to numbers.",
            hint="Make a number of it: extract(epoch FROM …) of an interval, or one date minus another. "
            "What the source stores as money has to be numeric there.",
        )
    if value.bounds is None:
        raise refused(
            call,
            f"{name}() needs bounds, and this expression has none",
            rule="bounds",
            detail="One person's value could be arbitrarily large, and no finite noise would hide it.",
            hint=BOUNDS_HINT.format(call=f"{name}(least(greatest(…, 0), 100))"),
        )
    if value.bounds.magnitude > _WIDEST:
        raise unsupported(
            call, f"the bounds of this {name}() are too wide", rule="magnitude", hint="Multiply fewer columns."
        )
