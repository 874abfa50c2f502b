"""A call of an aggregate as the client wrote it, and what it asks for."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from sqlglot import exp

from proxy.sql.nodes import find
from proxy.sql.plain_postgres import excerpt
from proxy.sql.planning.aggregates.aggregate import Aggregate, Decision
from proxy.sql.planning.aggregates.distinct_values import Distinct, distinct_values
from proxy.sql.planning.aggregates.missing_bounds import without_bounds
from proxy.sql.planning.choices import Choice, in_cell, in_cell_once
from proxy.sql.planning.date_limits import Conditions
from proxy.sql.planning.grids import rounding_of
from proxy.sql.planning.statistic import DistinctCount, DistinctSum, GridSum, RowCount, Statistic
from proxy.sql.planning.wording import short
from proxy.sql.refusal import unsupported
from proxy.sql.rows.relation import Relation
from proxy.sql.terms.bounds import Bounds
from proxy.sql.terms.expressions import compile_term, condition, not_allowed
from proxy.sql.terms.term import Term, decimal_text
from proxy.sql.terms.types import hint_of
from proxy.sql.trees.marks import EXISTENCE

_WIDEST = 10**100
"""Largest bounds of summed values. Squares, and the noise of their sums, are computed as floats."""

_NARROWEST = Fraction(1, 10**90)
"""Bounds closer to 0 have steps, or squares of steps, that no float is close to."""


Centred = tuple[str, str | None, str | None]
"""A value whose sum is taken around its centre: its SQL, the condition of FILTER, and what DISTINCT compares."""


class Shared:
    """The statistics of a block while its aggregates are built.

    Attributes:
        statistics: those that are known so far.
        searched: has anything been looked for that aggregates built later may need?
    """

    def __init__(self, centred: Mapping[Centred, GridSum | None]) -> None:
        self._centred = centred
        self.statistics: list[Statistic] = []
        self.searched = False

    def index(self, statistic: Statistic) -> int:
        """The statistic's index; a new one is added."""
        try:
            return self.statistics.index(statistic)
        except ValueError:
            self.statistics.append(statistic)
            return len(self.statistics) - 1

    def find(self, *statistics: Statistic) -> int | None:
        """The index of the first of these statistics that the block measures anyway."""
        self.searched = True
        return next((self.statistics.index(found) for found in statistics if found in self.statistics), None)

    def sums_centred(self, centred: Centred) -> bool:
        """Does an aggregate of the block need the sum of this value around its centre?"""
        return centred in self._centred

    def centred_sum(self, centred: Centred, usual: GridSum) -> GridSum:
        """The sum of a value around its centre: the usual one, or one of larger cells that the block needs anyway."""
        return self._centred.get(centred) or usual


@dataclass(frozen=True)
class AskedNumbers:
    """An aggregate made of statistics.

    Attributes:
        computed: what is computed for each row, once for each time that it is, besides FILTER.
        build: makes the aggregate. Called again at the end where it looks for statistics of the aggregates after it.
        centred: the value whose sum has to be taken around its centre, if any.
        centred_sum: that sum, if it is not the usual one.
    """

    computed: Sequence[Term]
    build: Callable[[Shared], Aggregate]
    centred: Centred | None = None
    centred_sum: GridSum | None = None


@dataclass(frozen=True)
class AskedChoice:
    """An aggregate that shows chosen values.

    Attributes:
        computed: as in `AskedNumbers`.
        choice: what is chosen for it.
        build: makes the aggregate, from the index of the block's choice and which of its values it shows.
    """

    computed: Sequence[Term]
    choice: Choice
    build: Callable[[int, tuple[int, ...]], Decision]


Asked = AskedNumbers | AskedChoice


@dataclass(frozen=True)
class Call:
    """A call of an aggregate.

    Attributes:
        node: with FILTER; for the position of refusals.
        function: without FILTER.
        text: canonical SQL.
        name: of the function.
        relation: what columns mean.
        where: what all rows meet that it counts, WHERE and FILTER.
        bounds_needed: must summed values have bounds? Not where a unit's own sums say how much of it counts.
        own_sums: do a unit's own sums say how much of it counts, of values with bounds, too?
        chooses_at: the block's epsilon, if the number of a few values may be chosen instead of counted with noise.
    """

    node: exp.Expr
    function: exp.Expr
    text: str
    name: str
    relation: Relation
    where: Conditions
    bounds_needed: bool
    own_sums: bool
    chooses_at: Fraction | None

    @functools.cached_property
    def names(self) -> tuple[str, str, str]:
        """The text, function and label of its aggregate."""
        return self.text, self.name, "EXISTS" if EXISTENCE.on(self.function) else excerpt(self.node)

    @functools.cached_property
    def filter(self) -> Term | None:
        """The condition of FILTER, if any."""
        return self.condition(self.node.expression.this) if isinstance(self.node, exp.Filter) else None

    @property
    def filter_sql(self) -> str | None:
        return self.filter.sql if self.filter is not None else None

    @functools.cached_property
    def distinct(self) -> Distinct | None:
        """What DISTINCT compares; None without it, and where no two rows have one value."""
        argument = self.arguments()[0]
        return distinct_values(argument, self.relation) if isinstance(argument, exp.Distinct) else None

    def rows_with(self, value: Term) -> RowCount | DistinctCount:
        """The number of rows in which a value is present, or of its distinct values."""
        if self.distinct is not None:
            return DistinctCount(self.distinct.value, self.filter_sql, self.distinct.listed)
        return self.present(value)

    def present(self, value: Term) -> RowCount:
        """The number of rows in which a value is present, whatever DISTINCT makes of them."""
        return RowCount(value if value.nullable else None, self.filter_sql)

    def summed(self, of: GridSum) -> GridSum:
        """A sum, over distinct values if the call says so."""
        if self.distinct is None:
            return of
        found = self.distinct
        return DistinctSum(
            of.value,
            of.grid,
            of.filter_sql,
            distinct=found.value,
            summed=of,
            of_units=found.of_units,
            listed=found.listed,
        )

    def centred(self, value: Term) -> Centred:
        """A value of which the sum around its centre can be shared."""
        return value.sql, self.filter_sql, self.distinct.value.sql if self.distinct is not None else None

    def computed(self, *values: Term) -> list[Term]:
        """What is computed for each row: cells of these values, and what DISTINCT compares."""
        if self.distinct is None:
            return list(map(in_cell_once, values))
        return [*map(in_cell, values), self.distinct.value]

    def asking(
        self,
        aggregate: Callable[[str, str, str, int, tuple[int, ...]], Aggregate],
        computed: Sequence[Term],
        rows: Statistic,
        sums: Sequence[GridSum] = (),
        centred: Term | None = None,
    ) -> AskedNumbers:
        """What it asks for, to become an aggregate with these statistics.

        Args:
            aggregate: made from its names and the indexes of `rows` and `sums`.
            computed: what is computed for each row.
            rows: the count of its rows.
            sums: the other statistics.
            centred: the value of which the first of `sums` is, around its centre; other aggregates then share it.
        """

        def build(shared: Shared) -> Aggregate:
            return aggregate(*self.names, shared.index(rows), tuple(map(shared.index, sums)))

        if centred is None:
            return AskedNumbers(computed, build)
        return AskedNumbers(computed, build, self.centred(centred), sums[0])

    def compiled(self, node: exp.Expr) -> Term:
        """The term of an expression over the rows."""
        return compile_term(node, self.relation)

    def measured(self, node: exp.Expr) -> exp.Expr:
        """An expression, or the seconds of one that is an interval: the stage makes an interval of the answer. Not
        where it can have months, which have no length of their own."""
        span = self.compiled(node).span
        if span is None or span.months != Bounds.point(0):
            return node
        return exp.Extract(this=exp.var("EPOCH"), expression=node.copy())

    def condition(self, node: exp.Expr) -> Term:
        """The term of a condition over the rows."""
        return condition(node, self.compiled)

    def arguments(self, count: int = 1) -> Sequence[exp.Expr]:
        """Its arguments. Raises UnsupportedError for another number of them."""
        if len(self.function.expressions) != count:
            raise unsupported(self.node, f"{self.name}() takes {count} argument{'s' * (count - 1)}", rule="aggregate")
        return self.function.expressions

    def amount(self) -> Term:
        """As `amounts`, of one argument."""
        return self.amounts()[0]

    def amounts(self, count: int = 1) -> tuple[Term, ...]:
        """Its arguments, if they are numbers; with bounds, where they are needed.

        Raises:
            UnsupportedError: another number of arguments, or another type.
            RefusedError: there are no bounds, but they are needed, as they are for distinct values.
        """
        values = self.numbers(count)
        if self.bounds_needed or (count == 1 and self.distinct is not None):
            self._require_bounds(values)
        for value in values:
            if value.bounds is not None:
                _require_computable_bounds(self.node, self.name, value, value.bounds)
        return values

    def product(self, factors: Sequence[tuple[int, int]]) -> Term:
        """The product of some of its arguments less whole numbers.

        Args:
            factors: the place of each argument, and what is subtracted from it.
        """
        nodes = [_less(self._written()[place], by) for place, by in factors]
        return self.compiled(functools.reduce(lambda left, right: exp.Mul(this=left, expression=right), nodes))

    def _require_bounds(self, values: Sequence[Term]) -> None:
        """Refuse values without bounds."""
        written = self._written()
        unbounded = [
            (node, self.compiled(node)) for node, value in zip(written, values, strict=True) if value.bounds is None
        ]
        if unbounded:
            raise without_bounds(
                self.node,
                unbounded,
                self.relation,
                "The value of one privacy unit could be arbitrarily large, and no finite noise would hide it.",
            )

    def _written(self) -> Sequence[exp.Expr]:
        """Its arguments as the client wrote them, without DISTINCT."""
        first = self.function.expressions[0]
        return first.expressions if isinstance(first, exp.Distinct) else self.function.expressions

    def numbers(self, count: int) -> tuple[Term, ...]:
        """Its arguments, if they are numbers.

        Raises:
            UnsupportedError: another number of arguments, other types, or DISTINCT of pairs.
        """
        distinct = find(self.function, exp.Distinct) if count > 1 else None
        if distinct is not None and distinct.parent is self.function:
            raise _of_distinct_pairs(self.node, self.name)
        arguments = self.arguments(count)
        if isinstance(arguments[0], exp.Star):
            raise not_allowed(self.node)
        if isinstance(arguments[0], exp.Distinct):
            arguments = _distinct_argument(self.node, arguments[0])
        else:
            arguments = list(map(self.measured, arguments))
        values = tuple(map(self.compiled, arguments))
        for value in values:
            _require_number(self.node, self.name, value)
        return values


def _less(value: exp.Expr, by: int) -> exp.Expr:
    value = exp.Paren(this=value.copy())
    if not by:
        return value
    operation = exp.Sub if by > 0 else exp.Add
    return exp.Paren(this=operation(this=value, expression=exp.Literal.number(abs(by))))


def _distinct_argument(node: exp.Expr, argument: exp.Distinct) -> list[exp.Expr]:
    """What DISTINCT is of."""
    if len(argument.expressions) != 1:
        raise unsupported(node, "DISTINCT takes one argument here", rule="aggregate")
    return argument.expressions


def _of_distinct_pairs(node: exp.Expr, name: str) -> Exception:
    return unsupported(
        node,
        f"{name}(DISTINCT …) of two values is not supported",
        rule="distinct",
        detail="Whether a pair of values occurs at all can depend on one privacy unit, however many have the others.",
        hint=f"Write SELECT {name}(y, x) FROM (SELECT y, x, count(*) FROM … GROUP BY y, x) AS g to aggregate the pairs "
        "that many share; sum, avg, variance and stddev take DISTINCT.",
    )


def _require_number(node: exp.Expr, name: str, value: Term) -> None:
    if not value.type.is_number:
        raise unsupported(
            node,
            f"{name}({value.type.name}) is not supported",
            rule="aggregate-type",
            detail="Noise can only be added to numbers.",
            hint=hint_of(
                [value.type],
                f"Convert it to a number: make_interval(secs => {name}(extract(epoch FROM …))) of an interval with "
                "months, or the difference of two dates.",
            ),
        )


def _require_computable_bounds(node: exp.Expr, name: str, value: Term, bounds: Bounds) -> None:
    """Refuse a value with bounds of which no noise can be computed."""
    if bounds.magnitude > _WIDEST:
        raise unsupported(
            node,
            f"the bounds of this {name}() are too wide",
            rule="magnitude",
            hint="Bound what is aggregated, as in least(greatest(…, 0), 100), or multiply fewer columns.",
        )
    if 0 < bounds.magnitude < _NARROWEST:
        raise unsupported(
            node,
            f"the bounds of this {name}() are too close to 0",
            rule="magnitude",
            hint=f"Multiply what is aggregated by a constant, as in {name}(x * 1e30).",
        )
    step = rounding_of(value)
    if step is not None:
        constant = step * (bounds.low // step)
        moved = f"{'-' if constant >= 0 else '+'} {decimal_text(abs(constant))}"
        raise unsupported(
            node,
            f"the values of this {name}() are too far from 0 for their differences",
            rule="rounding",
            detail=f"Their bounds are {short(bounds.width)} apart, but a sum has about 13 digits: it would round "
            f"them to multiples of {decimal_text(step)}.",
            hint=f"Aggregate their distance from a constant, as in {name}(x {moved}).",
        )
