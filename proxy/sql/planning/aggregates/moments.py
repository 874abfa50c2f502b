"""Functions of several noisy sums of powers, which the stage computes, and how far their noise goes (theorem 2).

Values are shifted by the middle of their bounds before they are multiplied, which keeps the noise small and changes no
variance. They share sums: stddev(x), avg(x) and count(x) together are three noisy numbers.

Values without bounds, as the number of a unit's rows is one, have no middle. Their sums, and those of their products,
are around 0, and of each of these sums a unit's own says how much of it counts (theorem 22). That is as good as values
vary about as much as they are far from 0.

Intervals: let f be a function of noisy numbers s_i with half widths h_i. The share of a number is how far f moves when
it moves by its h_i and the others stay. Shares are added as the root of their squares, upward and downward ones
separately (as in the MOVER method of Zou and Donner 2008). That is exact for Gaussian noise where f is linear over the
noise's width, and a little too wide for Laplace noise. f is taken without the limits that noise can push it beyond (a
variance below 0); the ends are moved inside them. `python -m tests.benchmarks intervals` measures the coverage.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from sqlglot import exp

from proxy.dp.noise_widths import Numbers, part_width
from proxy.sql.planning.aggregates import statistic_noise
from proxy.sql.planning.aggregates.aggregate import End, Ends, Estimate, Planned, Shown, ShownInterval, decimal
from proxy.sql.planning.aggregates.calls import Call
from proxy.sql.planning.cells import present_sql
from proxy.sql.planning.grids import Grid, factor_grids, grid_of, grid_of_own_sums
from proxy.sql.planning.statistic import GridSum, ProductSum
from proxy.sql.replacing import replace
from proxy.sql.terms.arithmetic import add_or_subtract, multiply
from proxy.sql.terms.bounds import Bounds
from proxy.sql.terms.term import Term, decimal_text, number_sql
from proxy.sql.terms.types import NUMERIC
from proxy.sql.trees.interval_calls import CONFIDENCE

Number = Callable[[int], str]
"""SQL of the released number of a statistic, by its index."""

LEAST, MOST = "'-Infinity'::double precision", "'Infinity'::double precision"


class OfMoments(Estimate):
    """A function of several noisy numbers."""

    is_ratio = True
    keeps_weights = True

    @property
    def base(self) -> str:
        """The function whose interval determines its own."""
        return self.function

    @abstractmethod
    def formula(self, function: str, number: Number, *, bounded: bool) -> str:
        """A function of these moments as an expression over released numbers, without its type.

        NULL where the noisy number of rows is too small for the function. If `bounded`, what noise makes impossible (a
        variance below 0, a correlation above 1) is moved to the nearest possible value. Not bounded, a deviation could
        be the root of a negative number, which fails: ask for the variance.
        """

    @property
    @abstractmethod
    def possible(self) -> tuple[str, str]:
        """The least and the greatest value that the base can have."""

    def end_from_base(self, end: End, low: str, high: str) -> str:
        """The end of the interval, from the ends of the base's interval."""
        return low if end == "low" else high

    def sql(self, shown: Shown) -> str:
        """NULL where an average is: it would be 0, or the least or greatest possible value, whatever the rows hold."""
        counted = self.statistics[0]
        few = decimal_text(decimal(statistic_noise.few(shown.plan, counted)))
        number = f"({self.formula(self.function, _released, bounded=True)})::{shown.type_name}"
        return f"(CASE WHEN r.s{counted} > {few} THEN {number} END)"

    def interval(self, shown: ShownInterval) -> Ends:
        """NULL where the formula itself is NULL. An end is the least or greatest possible value, or infinite, where a
        denominator may be zero without its noise."""
        value = self.formula(self.function, _released, bounded=True)
        if shown.end == "stddev":
            number = self._deviation(shown.plan)
        else:
            low, high = (self._end_of_base(end, shown.confidence, shown.plan) for end in ("low", "high"))
            number = self.end_from_base(shown.end, low, high)
        return f"(CASE WHEN ({value}) IS NOT NULL THEN {number} END)"

    def _moved(self, function: str, index: int, by: Fraction, *, bounded: bool) -> str:
        """The function with one of its numbers moved by a distance."""
        return self.formula(
            function,
            lambda place: f"(r.s{place} + {number_sql(by)})" if place == index else f"r.s{place}",
            bounded=bounded,
        )

    def _deviation(self, plan: Planned) -> str:
        """The root of the sum of squares of what a standard deviation of each number does to the function."""
        shares = []
        for index in self.statistics:
            by = decimal(plan.mechanisms[index].standard_deviation * _unit(plan, index))
            more, less = (self._moved(self.function, index, distance, bounded=True) for distance in (by, -by))
            shares.append(f"((({more}) - ({less}))::double precision / 2) ^ 2")
        return f"sqrt({' + '.join(shares)})"

    def _end_of_base(self, end: str, confidence: Fraction, plan: Planned) -> str:
        columns = [f"({self.formula(self.base, _released, bounded=False)})::double precision AS f"]
        names = ["x.f"]
        chosen, sign = ("least", "-") if end == "low" else ("greatest", "+")
        shares = []
        for index in self.statistics:
            by = decimal(part_width(plan.mechanisms[index], float(confidence)) * _unit(plan, index))
            for name, distance in (("more", by), ("less", -by)):
                moved = self._moved(self.base, index, distance, bounded=False)
                columns.append(f"({moved})::double precision AS {name}{index}")
                names.append(f"x.{name}{index}")
            shares.append(f"({chosen}(x.f, x.more{index}, x.less{index}) - x.f) ^ 2")
        least, most = self.possible
        unknown = least if end == "low" else most
        # A sum is NULL if one of its parts is.
        known = f"{' + '.join(names)} IS NOT NULL"
        end_sql = f"CASE WHEN {known} THEN x.f {sign} sqrt({' + '.join(shares)}) ELSE {unknown} END"
        return f"(SELECT least(greatest({end_sql}, {least}), {most}) FROM (SELECT {', '.join(columns)}) AS x)"


@dataclass(frozen=True)
class NoisyProducts:
    """n·Σab - Σa·Σb of every group, with the half width of its noise."""

    released: Numbers
    width: Numbers


def noisy_product(plan: Planned, columns: Sequence[Numbers], indexes: tuple[int, int, int, int]) -> NoisyProducts:
    """What variances and covariances are made of, and how far 95 % of its noise goes: as in intervals.

    Args:
        plan: of the block.
        columns: each of its statistics in every group.
        indexes: of the statistics n, Σa, Σb and Σab.
    """

    def product(moved: int | None = None, by: float = 0.0) -> Numbers:
        n, a, b, ab = (columns[index] + (by if index == moved else 0.0) for index in indexes)
        return np.asarray(n * ab - a * b)

    released = product()
    widths = {index: width_of(plan, index) for index in indexes}
    farthest = [
        np.maximum(*(np.abs(product(index, by) - released) for by in (width, -width)))
        for index, width in widths.items()
    ]
    return NoisyProducts(released, np.sqrt(sum(np.square(moved) for moved in farthest)))


def width_of(plan: Planned, index: int) -> float:
    """Half width of one of several noises, in the statistic's own unit."""
    return part_width(plan.mechanisms[index], float(CONFIDENCE)) * _unit(plan, index)


def _released(index: int) -> str:
    return f"r.s{index}"


def _unit(plan: Planned, index: int) -> float:
    return float(plan.statistics[index].step) / plan.cells_per_step(index)


class Moments:
    """The sums of values less their centres, and of products of these.

    All are of the same cells: if x were rounded in Σ x² and not in Σ x, what rounding does to its mean would be taken
    for variance, as often as x is away from its centre.

    Args:
        call: of what they are for.
        values: with bounds, by the letters that name them.
        needs: the sums that are wanted: x of a value, xy of a product.
    """

    def __init__(self, call: Call, values: Mapping[str, Term], needs: Sequence[str]) -> None:
        self._call = call
        letters = list(values)
        self._centred = {
            letter: GridSum(value, grid_of(value, centred=True), call.filter_sql) for letter, value in values.items()
        }
        shifted = [_shifted(call.node, of.value, of.grid) for of in self._centred.values()]
        products = [(letters.index(name[0]), letters.index(name[1])) for name in needs if len(name) > 1]
        grids = factor_grids(shifted, products)
        self._factors = {letter: (shifted[place], grids[place]) for place, letter in enumerate(letters)}

    def is_rounded(self, letter: str) -> bool:
        """Are the cells of a value larger than in a sum by itself?"""
        return self._factors[letter][1].step > self._centred[letter].grid.step

    def centre(self, letter: str) -> Fraction:
        """What is subtracted from a value."""
        grid = self._centred[letter].grid
        return grid.centre * grid.step

    def statistic(self, name: str) -> GridSum:
        """One of the sums."""
        if len(name) > 1:
            return self._product(*name)
        if not self.is_rounded(name):
            return self._centred[name]
        value, grid = self._factors[name]
        return GridSum(value, replace(grid, shift=self.centre(name)), self._call.filter_sql)

    def _product(self, first: str, second: str) -> ProductSum:
        (left, one), (right, other) = self._factors[first], self._factors[second]
        most = one.reach * other.reach
        least = 0 if left.sql == right.sql else -most
        grid = Grid(one.step * other.step, least, most, exact=one.exact and other.exact)
        return ProductSum(
            multiply(self._call.node, left, right),
            grid,
            self._call.filter_sql,
            ((left, one), (right, other)),
            (self._centred[first], self._centred[second]),
        )


@dataclass(frozen=True)
class OwnMoments:
    """The sums of values some of which have no bounds, and of their products, as a unit's own sums limit each of them.

    Attributes:
        centres: what is subtracted from a value, by its letter: 0 where it has no bounds.
        sums: as wanted.
    """

    centres: Mapping[str, Fraction]
    sums: list[GridSum]

    @classmethod
    def of(cls, call: Call, letters: str, values: Sequence[Term], needs: Sequence[str]) -> OwnMoments:
        """The sums of a call, over the rows in which all values are present.

        Args:
            call: of what they are for.
            letters: that name its arguments, in their order.
            values: the arguments.
            needs: the sums that are wanted: x of a value, xy of a product.
        """
        by_letter = dict(zip(letters, values, strict=True))
        centres = {letter: _middle(value) for letter, value in by_letter.items()}
        sums = []
        for name in needs:
            term = call.product([(letters.index(letter), centres[letter]) for letter in name])
            for letter in letters:
                term = term if letter in name else paired(term, by_letter[letter])
            sums.append(GridSum(term, grid_of_own_sums(term), call.filter_sql))
        return cls({letter: Fraction(centre) for letter, centre in centres.items()}, sums)

    @property
    def terms(self) -> list[Term]:
        """What is computed for each row."""
        return [found.value for found in self.sums]


def _middle(value: Term) -> int:
    return round((value.bounds.low + value.bounds.high) / 2) if value.bounds is not None else 0


def paired(value: Term, other: Term) -> Term:
    """The value in the rows in which another one is present too."""
    if not other.nullable:
        return value
    sql = f"(CASE WHEN {present_sql(other)} IS NOT NULL THEN {value.sql} END)"
    return replace(value, sql=sql, nullable=True, literal=None)


def _shifted(node: exp.Expr, value: Term, grid: Grid) -> Term:
    """The value minus the centre of its grid."""
    centre = grid.centre * grid.step
    if not centre:
        return value
    literal = Term(
        f"{number_sql(abs(centre))}::numeric",
        NUMERIC,
        False,
        Bounds.point(abs(centre)),
        grid.step,
        grid.step,
        abs(centre),
        constant=True,
    )
    operation = exp.Sub if centre > 0 else exp.Add
    shifted = add_or_subtract(operation(this=node, expression=node), value, literal)
    return replace(shifted, work=value.work * shifted.sql.count(value.sql))
