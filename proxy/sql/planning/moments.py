"""Variances, covariances and regressions from noisy sums of powers (theorem 2).

Values are shifted by the middle of their bounds before they are multiplied, which keeps the noise small and changes no
variance. All of them share their sums: stddev(x), avg(x) and count(x) are three noisy numbers.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction

from sqlglot import exp

from proxy.sql.planning.cells import present_sql
from proxy.sql.planning.grids import Grid, grid_of
from proxy.sql.planning.statistic import Statistic
from proxy.sql.terms.arithmetic import add_or_subtract, multiply
from proxy.sql.terms.interval import Interval
from proxy.sql.terms.term import Term, number_sql
from proxy.sql.terms.types import NUMERIC

ONE_VALUE = frozenset(["var_pop", "var_samp", "variance", "stddev_pop", "stddev_samp", "stddev"])
"""Functions of one argument."""

TWO_VALUES = frozenset(
    """covar_pop covar_samp corr regr_slope regr_intercept regr_r2 regr_count regr_avgx regr_avgy regr_sxx regr_syy
    regr_sxy""".split()
)
"""Functions of Y and X, over the rows in which both are present."""

_SQUARES = {
    "covar_pop": "xy",
    "covar_samp": "xy",
    "corr": "xx yy xy",
    "regr_slope": "xx xy",
    "regr_intercept": "xx xy",
    "regr_r2": "xx yy xy",
    "regr_count": "",
    "regr_avgx": "",
    "regr_avgy": "",
    "regr_sxx": "xx",
    "regr_syy": "yy",
    "regr_sxy": "xy",
}


@dataclass(frozen=True)
class Moments:
    """Which statistics a function is made of, by index; those that it does not need are None.

    Attributes:
        rows: the number of rows.
        x: sum of x - x_centre, and x_centre.
        y: sum of y - y_centre, and y_centre.
        xx: sum of (x - x_centre)².
        yy: sum of (y - y_centre)².
        xy: sum of (x - x_centre)(y - y_centre).
        widest: the width of x's bounds.
    """

    rows: int
    x: int | None = None
    y: int | None = None
    xx: int | None = None
    yy: int | None = None
    xy: int | None = None
    x_centre: Fraction = Fraction(0)
    y_centre: Fraction = Fraction(0)
    widest: Fraction = Fraction(0)

    @property
    def statistics(self) -> tuple[int, ...]:
        """All of them."""
        return tuple(one for one in (self.rows, self.x, self.y, self.xx, self.yy, self.xy) if one is not None)

    def largest_variance(self, *, population: bool) -> Fraction:
        """Of values in an interval of width w, the variance is at most w²/4; of a sample of two, w²/2."""
        return self.widest**2 / (4 if population else 2)


def compile_moments(
    node: exp.Expr, name: str, values: list[Term], filter_sql: str | None, index: Callable[[Statistic], int]
) -> Moments:
    """The statistics of one function.

    Args:
        node: the call, for the position of a refusal.
        name: one of ONE_VALUE or TWO_VALUES.
        values: x, or y and x, as Postgres has them; all with bounds.
        filter_sql: condition of FILTER, if any.
        index: registers a statistic.
    """
    if name in ONE_VALUE:
        (x,) = values
        return _one(node, x, filter_sql, index)
    y, x = (_paired(one, other) for one, other in (values, reversed(values)))
    wanted = _SQUARES[name].split()
    rows = index(Statistic("rows", x, filter_sql))
    if name == "regr_count":
        return Moments(rows)
    x_grid, y_grid = grid_of(x, centred=True), grid_of(y, centred=True)
    needs_x = name not in ("regr_avgy", "regr_syy")
    needs_y = name not in ("regr_avgx", "regr_sxx")

    def product(one: tuple[Term, Grid], other: tuple[Term, Grid]) -> int:
        return index(_sum_of_products(node, one, other, filter_sql))

    return Moments(
        rows,
        index(Statistic("sum", x, filter_sql, x_grid)) if needs_x else None,
        index(Statistic("sum", y, filter_sql, y_grid)) if needs_y else None,
        product((x, x_grid), (x, x_grid)) if "xx" in wanted else None,
        product((y, y_grid), (y, y_grid)) if "yy" in wanted else None,
        product((x, x_grid), (y, y_grid)) if "xy" in wanted else None,
        x_grid.centre * x_grid.step,
        y_grid.centre * y_grid.step,
    )


def _one(node: exp.Expr, x: Term, filter_sql: str | None, index: Callable[[Statistic], int]) -> Moments:
    grid = grid_of(x, centred=True)
    counted = x if x.nullable else None
    return Moments(
        index(Statistic("rows", counted, filter_sql)),
        index(Statistic("sum", x, filter_sql, grid)),
        xx=index(_sum_of_products(node, (x, grid), (x, grid), filter_sql)),
        widest=(grid.high - grid.low) * grid.step,
    )


def _paired(value: Term, other: Term) -> Term:
    """The value in the rows in which the other one is present too."""
    if not other.nullable:
        return value
    sql = f"(CASE WHEN {present_sql(other)} IS NOT NULL THEN {value.sql} END)"
    return replace(value, sql=sql, nullable=True, literal=None)


def _sum_of_products(
    node: exp.Expr, one: tuple[Term, Grid], other: tuple[Term, Grid], filter_sql: str | None
) -> Statistic:
    left, right = _shifted(node, *one), _shifted(node, *other)
    value = multiply(node, left, right)
    if left.sql == right.sql and value.bounds is not None:
        value = replace(value, bounds=Interval(Fraction(0), value.bounds.magnitude))
    return Statistic("sum", value, filter_sql, grid_of(value, centred=False))


def _shifted(node: exp.Expr, value: Term, grid: Grid) -> Term:
    """The value minus the centre of its grid."""
    centre = grid.centre * grid.step
    if not centre:
        return value
    literal = Term(
        f"{number_sql(abs(centre))}::numeric",
        NUMERIC,
        False,
        Interval.point(abs(centre)),
        grid.step,
        grid.step,
        abs(centre),
        constant=True,
    )
    operation = exp.Sub if centre > 0 else exp.Add
    return add_or_subtract(operation(this=node, expression=node), value, literal)


def moments_sql(name: str, moments: Moments, number: Callable[[int], str], *, bounded: bool = True) -> str:
    """The function as an expression over released numbers, without its type.

    NULL where the noisy number of rows is too small for the function. If `bounded`, what noise makes impossible (a
    variance below 0, a correlation above 1) is moved to the nearest possible value. Not bounded, a deviation could be
    the root of a negative number, which fails: ask for the variance.
    """
    rows = number(moments.rows)
    if name in ONE_VALUE:
        return _variance(name, moments, number, bounded=bounded)
    if name == "regr_count":
        return f"greatest({rows}, 0)"
    x, y, xx, yy, xy = (
        number(one) if one is not None else "0" for one in (moments.x, moments.y, moments.xx, moments.yy, moments.xy)
    )
    spread = {
        "xx": f"greatest({rows} * {xx} - {x} * {x}, 0)",
        "yy": f"greatest({rows} * {yy} - {y} * {y}, 0)",
        "xy": f"({rows} * {xy} - {x} * {y})::double precision",
    }
    mean_x = f"({number_sql(moments.x_centre)} + {x} / {rows})"
    mean_y = f"({number_sql(moments.y_centre)} + {y} / {rows})"
    slope = f"{spread['xy']} / NULLIF({spread['xx']}, 0)"
    roots = " * ".join(f"sqrt({spread[one]}::double precision)" for one in ("xx", "yy"))
    quotient = f"{spread['xy']} / NULLIF({roots}, 0)"
    correlation = f"least(greatest({quotient}, -1), 1)" if bounded else quotient
    determination = f"CASE WHEN {spread['yy']} = 0 THEN 1 ELSE ({correlation}) ^ 2 END"
    formulas = {
        "covar_pop": f"{spread['xy']} / ({rows} * {rows})",
        "covar_samp": f"{spread['xy']} / ({rows} * ({rows} - 1))",
        "corr": f"CASE WHEN {quotient} IS NOT NULL THEN {correlation} END",
        "regr_slope": slope,
        "regr_intercept": f"{mean_y} - {slope} * {mean_x}",
        "regr_r2": f"CASE WHEN {spread['xx']} > 0 THEN {determination} END",
        "regr_avgx": mean_x,
        "regr_avgy": mean_y,
        "regr_sxx": f"{spread['xx']} / {rows}",
        "regr_syy": f"{spread['yy']} / {rows}",
        "regr_sxy": f"{spread['xy']} / {rows}",
    }
    least = 2 if name == "covar_samp" else 1
    return f"CASE WHEN {rows} >= {least} THEN {formulas[name]} END"


def _variance(name: str, moments: Moments, number: Callable[[int], str], *, bounded: bool) -> str:
    rows, x, xx = (number(one) for one in moments.statistics)
    population = name.endswith("pop")
    divisor = f"({rows} * {rows})" if population else f"({rows} * ({rows} - 1))"
    most = number_sql(moments.largest_variance(population=population))
    squares = f"{rows} * {xx} - {x} * {x}"
    variance = f"least(greatest({squares}, 0) / {divisor}, {most})" if bounded else f"({squares}) / {divisor}"
    value = f"sqrt({variance})" if name.startswith("stddev") else variance
    return f"CASE WHEN {rows} >= {1 if population else 2} AND {x} IS NOT NULL THEN {value} END"
