"""Variances and standard deviations."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from proxy.sql.planning.aggregates.aggregate import End
from proxy.sql.planning.aggregates.calls import AskedNumbers, Call, Shared
from proxy.sql.planning.aggregates.moments import Number, OfMoments, sum_of_products
from proxy.sql.planning.choices import in_cell
from proxy.sql.planning.grids import grid_of
from proxy.sql.planning.statistic import Statistic
from proxy.sql.terms.term import number_sql


@dataclass(frozen=True)
class Variance(OfMoments):
    """The variance of x, of which the stage takes the root for a standard deviation.

    Attributes:
        count: index of the number of rows.
        x: of the sum of x - centre.
        xx: of the sum of (x - centre)².
        width: of x's bounds.
    """

    names = ("var_pop", "var_samp", "variance", "stddev_pop", "stddev_samp", "stddev")
    spelled = ("variance", "stddev")

    count: int
    x: int
    xx: int
    width: Fraction

    @classmethod
    def ask(cls, call: Call) -> AskedNumbers:
        (x,) = call.numbers()
        grid = grid_of(x, centred=True)
        wanted = (
            Statistic("rows", x if x.nullable else None, call.filter_sql),
            Statistic("sum", x, call.filter_sql, grid),
            sum_of_products(call.node, x, x, call.filter_sql),
        )

        def build(shared: Shared) -> Variance:
            count, total, squares = map(shared.index, wanted)
            return cls(*call.names, count, total, squares, (grid.high - grid.low) * grid.step)

        return AskedNumbers((in_cell(x),), build, (x.sql, call.filter_sql))

    @property
    def statistics(self) -> tuple[int, ...]:
        return self.count, self.x, self.xx

    @property
    def rows(self) -> int:
        return self.count

    @property
    def clipped(self) -> tuple[int, ...]:
        return (self.x,)

    @property
    def base(self) -> str:
        return {"stddev_pop": "var_pop", "stddev_samp": "var_samp", "stddev": "var_samp"}.get(
            self.function, self.function
        )

    @property
    def _of_population(self) -> bool:
        return self.function.endswith("pop")

    @property
    def _largest(self) -> str:
        """Of values in an interval of width w, the variance is at most w²/4; of a sample of two, w²/2."""
        return number_sql(self.width**2 / (4 if self._of_population else 2))

    def formula(self, function: str, number: Number, *, bounded: bool) -> str:
        rows, x, xx = map(number, self.statistics)
        divisor = f"({rows} * {rows})" if self._of_population else f"({rows} * ({rows} - 1))"
        squares = f"{rows} * {xx} - {x} * {x}"
        bounded_variance = f"least(greatest({squares}, 0) / {divisor}, {self._largest})"
        variance = bounded_variance if bounded else f"({squares}) / {divisor}"
        value = f"sqrt({variance})" if function.startswith("stddev") else variance
        return f"CASE WHEN {rows} >= {1 if self._of_population else 2} AND {x} IS NOT NULL THEN {value} END"

    def possible(self) -> tuple[str, str]:
        return "0::double precision", f"{self._largest}::double precision"

    def end_from_base(self, end: End, low: str, high: str) -> str:
        own = super().end_from_base(end, low, high)
        return own if self.base == self.function else f"sqrt({own})"
