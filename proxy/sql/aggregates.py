"""The aggregates of a block and the noisy numbers they are made of (MATH section 1).

An aggregate of the client is a formula over *statistics*; statistics are what is measured and gets noise. Aggregates
that need the same statistic share it: AVG(x), SUM(x) and COUNT(x) are two noisy numbers, not four.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Literal

from sqlglot import exp

from proxy.sql.dialect import render
from proxy.sql.expressions import compile_term, condition, not_allowed
from proxy.sql.grouping import grouping_term
from proxy.sql.refusal import refused, unsupported
from proxy.sql.relation import Relation
from proxy.sql.term import Term
from proxy.sql.types import TEXT, Kind

_MOST_CELLS = 2**45
_DEFAULT_CELLS = 2**32


@dataclass(frozen=True)
class Grid:
    """The integer grid of a summed value: a value v is the cell trunc(v / step), clamped to [low, high].

    Attributes:
        step: size of a cell.
        low: lowest cell.
        high: highest cell.
        exact: every value inside the bounds lies on the grid, so nothing is truncated.
        centre: cell that is subtracted before summing (0 for a plain sum).
    """

    step: Fraction
    low: int
    high: int
    exact: bool
    centre: int = 0

    @property
    def reach(self) -> int:
        """R: largest |cell - centre|, at least 1."""
        return max(abs(self.low - self.centre), abs(self.high - self.centre), 1)


@dataclass(frozen=True)
class Statistic:
    """One measured number per group.

    Attributes:
        kind: `rows` (matching rows), `sum` (of grid cells of `value`), `units` (distinct units), `distinct` (distinct
            values of `value`).
        value: what is summed; for `rows` the value that must not be NULL, if any; for `distinct` a grouping term.
        filter_sql: condition of FILTER, if any.
        grid: for sums.
    """

    kind: Literal["rows", "sum", "units", "distinct"]
    value: Term | None = None
    filter_sql: str | None = None
    grid: Grid | None = None

    @property
    def adds_up(self) -> bool:
        """Is a total the sum over its groups? A unit, or a value, can be in several groups and counts once."""
        return self.kind in ("rows", "sum")


@dataclass(frozen=True)
class Aggregate:
    """One aggregate of the client.

    Attributes:
        text: canonical text, equal for equal aggregates.
        function: count, sum, avg.
        label: for EXPLAIN.
        count: index of the `rows`, `units` or `distinct` statistic it uses, if any.
        sum: index of the `sum` statistic it uses, if any.
    """

    text: str
    function: Literal["count", "sum", "avg"]
    label: str
    count: int | None
    sum: int | None


@dataclass(frozen=True)
class _Request:
    text: str
    function: str
    label: str
    value: Term | None
    filter_sql: str | None
    counts: Literal["rows", "units", "distinct"] = "rows"


def compile_aggregates(
    calls: list[exp.Expr], texts: list[str], relation: Relation
) -> tuple[list[Aggregate], list[Statistic]]:
    """Compile aggregate calls into formulas over shared statistics.

    Args:
        calls: the calls, as `collect` gives them.
        texts: their canonical texts.
        relation: what columns mean.

    Raises:
        UnsupportedError: an aggregate without a mechanism.
        RefusedError: a sum or average without bounds.
    """
    requests = {text: _request(call, text, relation) for call, text in zip(calls, texts, strict=True)}
    centred = {(r.value.sql, r.filter_sql) for r in requests.values() if r.function == "avg" and r.value is not None}
    statistics: list[Statistic] = []

    def index(statistic: Statistic) -> int:
        if statistic not in statistics:
            statistics.append(statistic)
        return statistics.index(statistic)

    aggregates = []
    for request in requests.values():
        count = total = None
        value = request.value
        is_centred = value is not None and (value.sql, request.filter_sql) in centred
        if request.counts != "rows":
            count = index(Statistic(request.counts, value, request.filter_sql))
        elif request.function == "count" or is_centred:
            counted = value if value is not None and value.nullable else None
            count = index(Statistic("rows", counted, request.filter_sql))
        if request.function != "count" and value is not None:
            grid = _grid(value, centred=is_centred)
            total = index(Statistic("sum", value, request.filter_sql, grid))
        function: Literal["count", "sum", "avg"] = (
            "count" if request.function == "count" else "sum" if request.function == "sum" else "avg"
        )
        aggregates.append(Aggregate(request.text, function, request.label, count, total))
    return aggregates, statistics


def _request(call: exp.Expr, text: str, relation: Relation) -> _Request:
    function, filter_sql = call, None
    if isinstance(call, exp.Filter):
        function = call.this
        filter_sql = condition(call.expression.this, lambda node: compile_term(node, relation)).sql
    name = function.name.lower() if isinstance(function, exp.Anonymous) else ""
    if name not in ("count", "sum", "avg"):
        raise unsupported(
            call,
            f"the aggregate {name or render(call)[:60]} is not supported yet",
            rule="aggregate",
            hint="count(*), count(x), count(DISTINCT x), sum(x) and avg(x) are, each with FILTER (WHERE …).",
        )
    if len(function.expressions) != 1:
        raise unsupported(call, f"{name}() takes one argument", rule="aggregate")
    argument = function.expressions[0]
    label = render(call)[:80]
    if isinstance(argument, exp.Star):
        if name != "count" or any(argument.args.values()):
            raise not_allowed(call)
        return _Request(text, name, label, None, filter_sql)
    if isinstance(argument, exp.Distinct):
        value, counts = _distinct(call, name, argument, relation)
        return _Request(text, name, label, value, filter_sql, counts)
    value = compile_term(argument, relation)
    if name != "count":
        _require_bounds(call, name, value)
    return _Request(text, name, label, value, filter_sql)


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
    if value.kind in (Kind.OTHER, Kind.INTERVAL):
        raise unsupported(
            call,
            f"count(DISTINCT {value.type.name}) is not supported",
            rule="aggregate-type",
            hint="Count distinct numbers, texts, dates or timestamps made of it.",
        )
    if value.kind is Kind.UNKNOWN:
        value = replace(value, sql=f"{value.sql}::text", type=TEXT, literal=None)
    return grouping_term(node, value), "distinct"


def _require_bounds(call: exp.Expr, name: str, value: Term) -> None:
    if not value.type.is_number:
        raise unsupported(call, f"{name}({value.type.name}) is not supported", rule="aggregate-type")
    if value.bounds is None:
        raise refused(
            call,
            f"{name}() needs bounds, and this expression has none",
            rule="bounds",
            detail="One person's value could be arbitrarily large, and no finite noise would hide it.",
            hint="Ask the policy's steward for bounds on each column in it; dp.columns shows which columns have them.",
        )


def _grid(value: Term, *, centred: bool) -> Grid:
    bounds = value.bounds
    if bounds is None:
        raise AssertionError("bounds were required before")
    step = value.step
    if step is None or bounds.magnitude / step > _MOST_CELLS:
        width = max(bounds.magnitude, Fraction(1, 10**30))
        step = Fraction(10) ** -math.floor(math.log10(_DEFAULT_CELLS / float(width)))
    low, high = math.trunc(bounds.low / step), math.trunc(bounds.high / step)
    exact = value.grid is not None and (value.grid / step).denominator == 1 and value.kind is not Kind.FLOAT
    if value.kind is Kind.FLOAT:
        # A product of floats may round across one cell border.
        low, high = low - 1, high + 1
    return Grid(step, low, high, exact, (low + high) // 2 if centred else 0)
