"""Covariances, correlations and regressions of Y and X, over the rows in which both are present."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial

import numpy as np
from numpy.typing import NDArray

from proxy.dp.noise_widths import Numbers
from proxy.sql.planning.aggregates import statistic_noise
from proxy.sql.planning.aggregates.aggregate import (
    End,
    Ends,
    Estimate,
    Planned,
    Shown,
    ShownInterval,
    known_where,
)
from proxy.sql.planning.aggregates.calls import AskedNumbers, Call
from proxy.sql.planning.aggregates.moments import (
    LEAST,
    MOST,
    Moments,
    NoisyProducts,
    Number,
    OfMoments,
    OwnMoments,
    noisy_product,
    paired,
    width_of,
)
from proxy.sql.planning.choices import in_cell
from proxy.sql.planning.statistic import RowCount
from proxy.sql.terms.term import number_sql

_NOT_NEGATIVE = ("0::double precision", MOST)
_CORRELATIONS = ("-1::double precision", "1::double precision")
_FAR, _FAR_FROM_END = 0.5, 0.1
"""How far noise may move a correlation."""


@dataclass(frozen=True)
class _Function:
    """One of the functions.

    Attributes:
        needs: the sums that it uses: of x and y, and of their squares and products.
        sql: the formula where there are enough rows, over the parts that `Regression.formula` names.
        over: the products, each less that of the sums, that it says nothing without, as it is made of one or divided by
            them.
        least_rows: with fewer rows it is NULL.
        possible: its least and greatest value.
        base: the function whose interval determines its own, if it is another one.
    """

    needs: str
    sql: str
    over: str = ""
    least_rows: int = 1
    possible: tuple[str, str] = (LEAST, MOST)
    base: str | None = None


_FUNCTIONS = {
    "covar_pop": _Function("x y xy", "{products} / ({n} * {n})", "xy"),
    "covar_samp": _Function("x y xy", "{products} / ({n} * ({n} - 1))", "xy", least_rows=2),
    "corr": _Function(
        "x y xx yy xy", "CASE WHEN {quotient} IS NOT NULL THEN {corr} END", "xx yy", possible=_CORRELATIONS
    ),
    "regr_slope": _Function("x y xx xy", "{slope}", "xx"),
    "regr_intercept": _Function("x y xx xy", "{mean_y} - {slope} * {mean_x}", "xx"),
    "regr_r2": _Function(
        "x y xx yy xy",
        "CASE WHEN {squares_x} > 0 THEN CASE WHEN {squares_y} = 0 THEN 1 ELSE ({corr}) ^ 2 END END",
        "xx yy",
        base="corr",
    ),
    "regr_avgx": _Function("x", "{mean_x}"),
    "regr_avgy": _Function("y", "{mean_y}"),
    "regr_sxx": _Function("x xx", "{squares_x} / {n}", "xx", possible=_NOT_NEGATIVE),
    "regr_syy": _Function("y yy", "{squares_y} / {n}", "yy", possible=_NOT_NEGATIVE),
    "regr_sxy": _Function("x y xy", "{products} / {n}", "xy"),
}


@dataclass(frozen=True)
class Regression(OfMoments):
    """One of `_FUNCTIONS`.

    Attributes:
        x_centre, y_centre: what x and y are shifted by.
    """

    names = tuple(_FUNCTIONS)
    spelled = ("covar_…", "corr", "regr_…")

    x_centre: Fraction
    y_centre: Fraction

    @classmethod
    def ask(cls, call: Call) -> AskedNumbers:
        y, x = call.amounts(2)
        values, needs = {"x": paired(x, y), "y": paired(y, x)}, _FUNCTIONS[call.name].needs.split()
        counted = RowCount(values["x"], call.filter_sql)
        if x.bounds is None or y.bounds is None:
            own = OwnMoments.of(call, "yx", [y, x], needs)
            of_own = partial(_OfOwnSums, x_centre=own.centres["x"], y_centre=own.centres["y"])
            return call.asking(of_own, list(map(in_cell, own.terms)), counted, own.sums)
        moments = Moments(call, values, needs)
        sums = [moments.statistic(name) for name in needs]
        regression = partial(cls, x_centre=moments.centre("x"), y_centre=moments.centre("y"))
        return call.asking(regression, [in_cell(y), in_cell(x)], counted, sums)

    @property
    def _indexes(self) -> dict[str, int]:
        return dict(zip(_FUNCTIONS[self.function].needs.split(), self.sums, strict=True))

    @property
    def clipped(self) -> tuple[int, ...]:
        indexes = self._indexes
        return tuple(indexes[name] for name in ("y", "x") if name in indexes)

    @property
    def base(self) -> str:
        return _FUNCTIONS[self.function].base or self.function

    def formula(self, function: str, number: Number, *, bounded: bool) -> str:
        indexes, n = self._indexes, number(self.statistics[0])
        x, y, xx, yy, xy = (number(indexes[name]) if name in indexes else "0" for name in "x y xx yy xy".split())
        squares_x, squares_y = f"greatest({n} * {xx} - {x} * {x}, 0)", f"greatest({n} * {yy} - {y} * {y}, 0)"
        products = f"({n} * {xy} - {x} * {y})::double precision"
        quotient = f"{products} / NULLIF(sqrt({squares_x}::double precision) * sqrt({squares_y}::double precision), 0)"
        value = _FUNCTIONS[function].sql.format(
            n=n,
            squares_x=squares_x,
            squares_y=squares_y,
            products=products,
            mean_x=f"({number_sql(self.x_centre)} + {x} / {n})",
            mean_y=f"({number_sql(self.y_centre)} + {y} / {n})",
            slope=f"{products} / NULLIF({squares_x}, 0)",
            quotient=quotient,
            corr=f"least(greatest({quotient}, -1), 1)" if bounded else quotient,
        )
        return f"CASE WHEN {n} >= {_FUNCTIONS[function].least_rows} THEN {value} END"

    def drowned(self, plan: Planned, columns: Sequence[Numbers]) -> list[bool | None]:
        """A correlation is so where noise moves it by half, too, or to an end from a tenth away; a mean, a slope and an
        intercept where it goes farther than they do."""
        function, indexes, rows = _FUNCTIONS[self.function], self._indexes, self.statistics[0]
        known = (columns[rows] >= function.least_rows) & (columns[rows] > statistic_noise.few(plan, rows))
        columns = [np.where(known, column, 1) for column in columns]
        products: dict[str, NoisyProducts] = {
            name: noisy_product(plan, columns, (rows, indexes[name[0]], indexes[name[1]], indexes[name]))
            for name in ("xx", "yy", "xy")
            if name in indexes
        }
        drowned = np.zeros(known.shape, dtype=bool)
        for name in function.over.split():
            released, width = products[name].released, products[name].width
            drowned |= (np.abs(released) if name == "xy" else released) < width
        if self.base == "corr":
            drowned |= _is_correlation_drowned(products)
        elif self.function in ("regr_slope", "regr_intercept"):
            squares = np.where(drowned, 1, products["xx"].released)
            number = slope = products["xy"].released / squares
            width = np.hypot(products["xy"].width, slope * products["xx"].width) / squares
            if self.function == "regr_intercept":
                x, y = (self._mean(letter, columns) for letter in "xy")
                number, width = y - slope * x, width * np.abs(x)
            drowned |= width > np.abs(number)
        elif self.function in ("regr_avgx", "regr_avgy"):
            letter = self.function[-1]
            drowned |= np.abs(self._mean(letter, columns)) < width_of(plan, indexes[letter]) / columns[rows]
        return known_where(known, drowned)

    def _mean(self, letter: str, columns: Sequence[Numbers]) -> Numbers:
        centre = float(self.x_centre if letter == "x" else self.y_centre)
        return np.asarray(centre + columns[self._indexes[letter]] / columns[self.statistics[0]])

    @property
    def possible(self) -> tuple[str, str]:
        return _FUNCTIONS[self.base].possible

    def end_from_base(self, end: End, low: str, high: str) -> str:
        if self.base == self.function:
            return super().end_from_base(end, low, high)
        # The square of anything between the ends.
        if end == "high":
            return f"greatest({low} ^ 2, {high} ^ 2)"
        return f"CASE WHEN {low} > 0 OR {high} < 0 THEN least({low} ^ 2, {high} ^ 2) ELSE 0 END"


class _OfOwnSums(Regression):
    """That of values some of which have no bounds."""

    names = ()
    keeps_weights = False
    rests_on_few = True

    def label_of(self, statistic: int) -> str:
        name = next(name for name, index in self._indexes.items() if index == statistic)
        of = "products" if name == "xy" else f"{'squares of ' * (len(name) - 1)}{name[0].upper()}"
        return f"{of} in {self.label}"


def _is_correlation_drowned(products: Mapping[str, NoisyProducts]) -> NDArray[np.bool_]:
    both = np.sqrt(np.maximum(products["xx"].released, 0)) * np.sqrt(np.maximum(products["yy"].released, 0))
    far = np.where(np.abs(products["xy"].released) < both, _FAR, _FAR_FROM_END)
    return np.asarray(products["xy"].width > far * both)


class PairCount(Estimate):
    """The number of rows with both values."""

    names = ("regr_count",)
    spelled = ()

    @classmethod
    def ask(cls, call: Call) -> AskedNumbers:
        y, x = call.numbers(2)
        return call.asking(cls, [y, x], RowCount(paired(x, y), call.filter_sql))

    def sql(self, shown: Shown) -> str:
        return statistic_noise.in_type(f"greatest(r.s{self.rows}, 0)", shown)

    def interval(self, shown: ShownInterval) -> Ends:
        return statistic_noise.ends_of_sum(self.statistics, shown)

    def drowned(self, plan: Planned, columns: Sequence[Numbers]) -> list[bool | None]:
        return statistic_noise.are_within(plan, columns, self.statistics)
