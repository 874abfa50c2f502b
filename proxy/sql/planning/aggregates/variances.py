"""Variances and standard deviations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial

from proxy.dp.noise_widths import Numbers
from proxy.sql.planning.aggregates import statistic_noise
from proxy.sql.planning.aggregates.aggregate import End, Planned, known_where
from proxy.sql.planning.aggregates.calls import AskedNumbers, Call
from proxy.sql.planning.aggregates.moments import MOST, Moments, Number, OfMoments, OwnMoments, noisy_product
from proxy.sql.planning.grids import grid_of, has_own_cells
from proxy.sql.terms.term import number_sql

_ROOT_OF = {"stddev_pop": "var_pop", "stddev_samp": "var_samp", "stddev": "var_samp"}


@dataclass(frozen=True)
class Variance(OfMoments):
    """The variance of x, or its root, from the sums of x - centre and of its square.

    Attributes:
        width: of the bounds of x; None without.
    """

    names = ("var_pop", "var_samp", "variance", *_ROOT_OF)
    spelled = ("variance", "stddev")

    width: Fraction | None

    @classmethod
    def ask(cls, call: Call) -> AskedNumbers:
        x = call.amount()
        if x.bounds is None:
            own = OwnMoments.of(call, "x", [x], ["x", "xx"])
            return call.asking(partial(_OfOwnSums, width=None), call.computed(*own.terms), call.rows_with(x), own.sums)
        grid = grid_of(x, centred=True)
        moments = Moments(call, {"x": x}, ("x", "xx"))
        sums = [call.summed(moments.statistic(name)) for name in ("x", "xx")]
        variance = partial(cls, width=(grid.high - grid.low) * grid.step)
        # A sum of large cells is not shared by an average in the value's own.
        shared = not moments.is_rounded("x") or not has_own_cells(x)
        return call.asking(variance, call.computed(x), call.rows_with(x), sums, centred=x if shared else None)

    @property
    def clipped(self) -> tuple[int, ...]:
        return self.sums[:1]

    @property
    def base(self) -> str:
        return _ROOT_OF.get(self.function, self.function)

    @property
    def _of_population(self) -> bool:
        return self.function.endswith("pop")

    @property
    def _largest(self) -> str:
        """For values in an interval of width w the variance is at most w²/4; that of a sample of two, w²/2."""
        if self.width is None:
            return MOST
        return number_sql(self.width**2 / (4 if self._of_population else 2))

    def formula(self, function: str, number: Number, *, bounded: bool) -> str:
        rows, x, xx = map(number, self.statistics)
        divisor = f"({rows} * {rows})" if self._of_population else f"({rows} * ({rows} - 1))"
        squares = f"{rows} * {xx} - {x} * {x}"
        possible = f"greatest({squares}, 0) / {divisor}"
        if self.width is not None:
            possible = f"least({possible}, {self._largest})"
        variance = possible if bounded else f"({squares}) / {divisor}"
        value = f"sqrt({variance})" if function in _ROOT_OF else variance
        return f"CASE WHEN {rows} >= {1 if self._of_population else 2} AND {x} IS NOT NULL THEN {value} END"

    def drowned(self, plan: Planned, columns: Sequence[Numbers]) -> list[bool | None]:
        rows, x, xx = self.statistics
        squares = noisy_product(plan, columns, (rows, x, x, xx))
        known = (columns[rows] >= (1 if self._of_population else 2)) & (columns[rows] > statistic_noise.few(plan, rows))
        return known_where(known, squares.released < squares.width)

    @property
    def possible(self) -> tuple[str, str]:
        return "0::double precision", f"{self._largest}::double precision"

    def end_from_base(self, end: End, low: str, high: str) -> str:
        own = super().end_from_base(end, low, high)
        return f"sqrt({own})" if self.function in _ROOT_OF else own


class _OfOwnSums(Variance):
    """That of values without bounds."""

    names = ()
    keeps_weights = False
    rests_on_few = True

    def label_of(self, statistic: int) -> str:
        return f"squares in {self.label}" if statistic == self.sums[-1] else self.label
