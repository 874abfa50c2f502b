"""Covariances, correlations and regressions of Y and X, over the rows in which both are present."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction

from proxy.sql.planning.aggregates import noise
from proxy.sql.planning.aggregates.aggregate import End, Ends, Estimate, Shown, ShownInterval
from proxy.sql.planning.aggregates.calls import AskedNumbers, Call, Shared
from proxy.sql.planning.aggregates.moments import LEAST, MOST, Number, OfMoments, sum_of_products
from proxy.sql.planning.cells import present_sql
from proxy.sql.planning.choices import in_cell
from proxy.sql.planning.grids import grid_of
from proxy.sql.planning.statistic import Statistic
from proxy.sql.terms.term import Term, number_sql


@dataclass(frozen=True)
class _Sums:
    """Released numbers as SQL: the number of rows, the sums of x - x_centre and so on, 0 for those that a function does
    not need."""

    rows: str
    x: str
    y: str
    xx: str
    yy: str
    xy: str
    x_centre: Fraction
    y_centre: Fraction
    bounded: bool

    @property
    def spread_xx(self) -> str:
        return f"greatest({self.rows} * {self.xx} - {self.x} * {self.x}, 0)"

    @property
    def spread_yy(self) -> str:
        return f"greatest({self.rows} * {self.yy} - {self.y} * {self.y}, 0)"

    @property
    def spread_xy(self) -> str:
        return f"({self.rows} * {self.xy} - {self.x} * {self.y})::double precision"

    @property
    def mean_x(self) -> str:
        return f"({number_sql(self.x_centre)} + {self.x} / {self.rows})"

    @property
    def mean_y(self) -> str:
        return f"({number_sql(self.y_centre)} + {self.y} / {self.rows})"

    @property
    def slope(self) -> str:
        return f"{self.spread_xy} / NULLIF({self.spread_xx}, 0)"

    @property
    def quotient(self) -> str:
        roots = " * ".join(f"sqrt({spread}::double precision)" for spread in (self.spread_xx, self.spread_yy))
        return f"{self.spread_xy} / NULLIF({roots}, 0)"

    @property
    def correlation(self) -> str:
        return f"least(greatest({self.quotient}, -1), 1)" if self.bounded else self.quotient

    @property
    def determination(self) -> str:
        return f"CASE WHEN {self.spread_yy} = 0 THEN 1 ELSE ({self.correlation}) ^ 2 END"


@dataclass(frozen=True)
class _Function:
    """One of the functions: the sums that it needs besides the number of rows, and what it is of them.

    Attributes:
        needs: among x, y, xx, yy and xy.
        sql: the formula, where there are enough rows.
        least_rows: without so many it is NULL.
        possible: its least and greatest value.
        base: the function whose interval gives its own one; its own, if empty.
    """

    needs: str
    sql: Callable[[_Sums], str]
    least_rows: int = 1
    possible: tuple[str, str] = (LEAST, MOST)
    base: str = ""


_NOT_NEGATIVE = ("0::double precision", MOST)
_CORRELATIONS = ("-1::double precision", "1::double precision")

_FUNCTIONS = {
    "covar_pop": _Function("x y xy", lambda s: f"{s.spread_xy} / ({s.rows} * {s.rows})"),
    "covar_samp": _Function("x y xy", lambda s: f"{s.spread_xy} / ({s.rows} * ({s.rows} - 1))", least_rows=2),
    "corr": _Function(
        "x y xx yy xy",
        lambda s: f"CASE WHEN {s.quotient} IS NOT NULL THEN {s.correlation} END",
        possible=_CORRELATIONS,
    ),
    "regr_slope": _Function("x y xx xy", lambda s: s.slope),
    "regr_intercept": _Function("x y xx xy", lambda s: f"{s.mean_y} - {s.slope} * {s.mean_x}"),
    "regr_r2": _Function(
        "x y xx yy xy",
        lambda s: f"CASE WHEN {s.spread_xx} > 0 THEN {s.determination} END",
        base="corr",
    ),
    "regr_avgx": _Function("x", lambda s: s.mean_x),
    "regr_avgy": _Function("y", lambda s: s.mean_y),
    "regr_sxx": _Function("x xx", lambda s: f"{s.spread_xx} / {s.rows}", possible=_NOT_NEGATIVE),
    "regr_syy": _Function("y yy", lambda s: f"{s.spread_yy} / {s.rows}", possible=_NOT_NEGATIVE),
    "regr_sxy": _Function("x y xy", lambda s: f"{s.spread_xy} / {s.rows}"),
}


@dataclass(frozen=True)
class Regression(OfMoments):
    """One of `_FUNCTIONS`.

    Attributes:
        count: index of the number of rows.
        sums: of the sums that it needs, by name.
        x_centre, y_centre: what x and y are shifted by.
    """

    names = tuple(_FUNCTIONS)
    spelled = ("covar_…", "corr", "regr_…")

    count: int
    sums: tuple[tuple[str, int], ...]
    x_centre: Fraction
    y_centre: Fraction

    @classmethod
    def ask(cls, call: Call) -> AskedNumbers:
        y, x, rows, computed = _pairs(call)
        grids = {name: grid_of(value, centred=True) for name, value in (("x", x), ("y", y))}
        values = {"x": x, "y": y}

        def wanted(name: str) -> Statistic:
            if len(name) == 1:
                return Statistic("sum", values[name], call.filter_sql, grids[name])
            return sum_of_products(call.node, values[name[0]], values[name[1]], call.filter_sql)

        needed = [(name, wanted(name)) for name in _FUNCTIONS[call.name].needs.split()]
        centres = [grid.centre * grid.step for grid in grids.values()]

        def build(shared: Shared) -> Regression:
            count = shared.index(rows)
            return cls(*call.names, count, tuple((name, shared.index(one)) for name, one in needed), *centres)

        return AskedNumbers(computed, build)

    @property
    def statistics(self) -> tuple[int, ...]:
        return self.count, *(index for _, index in self.sums)

    @property
    def rows(self) -> int:
        return self.count

    @property
    def clipped(self) -> tuple[int, ...]:
        sums = dict(self.sums)
        return tuple(sums[name] for name in ("y", "x") if name in sums)

    @property
    def base(self) -> str:
        return _FUNCTIONS[self.function].base or self.function

    def formula(self, function: str, number: Number, *, bounded: bool) -> str:
        indexes = dict(self.sums)
        x, y, xx, yy, xy = (number(indexes[one]) if one in indexes else "0" for one in "x y xx yy xy".split())
        sums = _Sums(number(self.count), x, y, xx, yy, xy, self.x_centre, self.y_centre, bounded)
        return f"CASE WHEN {sums.rows} >= {_FUNCTIONS[function].least_rows} THEN {_FUNCTIONS[function].sql(sums)} END"

    def possible(self) -> tuple[str, str]:
        return _FUNCTIONS[self.base].possible

    def end_from_base(self, end: End, low: str, high: str) -> str:
        if self.base == self.function:
            return super().end_from_base(end, low, high)
        # A square, of anything between the ends.
        if end == "high":
            return f"greatest({low} ^ 2, {high} ^ 2)"
        return f"CASE WHEN {low} > 0 OR {high} < 0 THEN least({low} ^ 2, {high} ^ 2) ELSE 0 END"


@dataclass(frozen=True)
class PairCount(Estimate):
    """regr_count: the number of rows with both values."""

    names = ("regr_count",)
    spelled = ()

    counted: int

    @classmethod
    def ask(cls, call: Call) -> AskedNumbers:
        _, _, rows, computed = _pairs(call)
        return AskedNumbers(computed, lambda shared: cls(*call.names, shared.index(rows)))

    @property
    def statistics(self) -> tuple[int, ...]:
        return (self.counted,)

    @property
    def rows(self) -> int:
        return self.counted

    def sql(self, shown: Shown) -> str:
        return f"(greatest(r.s{self.counted}, 0))::{shown.type_name}"

    def interval(self, shown: ShownInterval) -> Ends:
        return noise.ends_of_sum([(self.counted, Fraction(1))], shown)


def _pairs(call: Call) -> tuple[Term, Term, Statistic, tuple[Term, ...]]:
    """Y and X where both are present, the number of such rows, and what is computed for each row."""
    values = call.numbers(2)
    y, x = (_paired(one, other) for one, other in (values, reversed(values)))
    return y, x, Statistic("rows", x, call.filter_sql), tuple(map(in_cell, values))


def _paired(value: Term, other: Term) -> Term:
    """The value in the rows in which the other one is present too."""
    if not other.nullable:
        return value
    sql = f"(CASE WHEN {present_sql(other)} IS NOT NULL THEN {value.sql} END)"
    return replace(value, sql=sql, nullable=True, literal=None)
