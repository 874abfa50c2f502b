"""sum and avg."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from proxy.dp.noise_intervals import NoisyNumbers, quotient_limits
from proxy.sql.planning.aggregates import noise
from proxy.sql.planning.aggregates.aggregate import Ends, Estimate, Shown, ShownInterval
from proxy.sql.planning.aggregates.calls import AskedNumbers, Call, Shared
from proxy.sql.planning.choices import in_cell
from proxy.sql.planning.grids import Grid, grid_of
from proxy.sql.planning.statistic import Statistic
from proxy.sql.terms.term import decimal_text, number_sql
from proxy.sql.terms.types import Kind


@dataclass(frozen=True)
class Sum(Estimate):
    """A sum, of which its own statistic may be one around a centre.

    Attributes:
        total: index of the `sum` statistic.
        counted: index of the `rows` statistic that counts its rows, if it is there: a sum around a centre needs it, and
            it tells where the sum is one over nothing.
        centre: of its grid.
    """

    names = ("sum",)
    spelled = ("sum",)

    total: int
    counted: int | None
    centre: Fraction

    @classmethod
    def ask(cls, call: Call) -> AskedNumbers:
        (value,) = call.numbers()
        rows = Statistic("rows", value if value.nullable else None, call.filter_sql)

        def build(shared: Shared) -> Sum:
            centred = shared.sums_centred(value, call.filter_sql)
            counted = shared.index(rows) if centred else shared.find(rows)
            grid = grid_of(value, centred=centred)
            total = shared.index(Statistic("sum", value, call.filter_sql, grid))
            return cls(*call.names, total, counted, grid.centre * grid.step)

        return AskedNumbers((in_cell(value),), build)

    @property
    def statistics(self) -> tuple[int, ...]:
        return (self.total,) if self.counted is None else (self.total, self.counted)

    @property
    def rows(self) -> int | None:
        return self.counted

    @property
    def clipped(self) -> tuple[int, ...]:
        return (self.total,)

    def sql(self, shown: Shown) -> str:
        around = f" + {number_sql(self.centre)} * r.s{self.counted}" if self.centre else ""
        total = f"(r.s{self.total}{around})" if around else f"r.s{self.total}"
        return f"{total}::{shown.type_name}"

    def interval(self, shown: ShownInterval) -> Ends:
        """That of one noisy number, or of two: S + c·n around a centre c."""
        parts = [(self.total, Fraction(1))]
        if self.centre and self.counted is not None:
            parts.append((self.counted, self.centre))
        return noise.ends_of_sum(parts, shown)


@dataclass(frozen=True)
class Average(Estimate):
    """A noisy sum around the centre of the bounds, divided by a noisy count of at least 1 (theorem 2).

    Attributes:
        total: index of the `sum` statistic.
        counted: index of the `rows` statistic.
        grid: of the sum.
        is_float: are the values floats?
    """

    names = ("avg",)
    spelled = ("avg",)

    total: int
    counted: int
    grid: Grid
    is_float: bool

    @classmethod
    def ask(cls, call: Call) -> AskedNumbers:
        (value,) = call.numbers()
        rows = Statistic("rows", value if value.nullable else None, call.filter_sql)
        grid = grid_of(value, centred=True)
        total = Statistic("sum", value, call.filter_sql, grid)

        def build(shared: Shared) -> Average:
            counted = shared.index(rows)
            return cls(*call.names, shared.index(total), counted, grid, value.kind is Kind.FLOAT)

        return AskedNumbers((in_cell(value),), build, (value.sql, call.filter_sql))

    @property
    def statistics(self) -> tuple[int, ...]:
        return self.total, self.counted

    @property
    def rows(self) -> int:
        return self.counted

    @property
    def clipped(self) -> tuple[int, ...]:
        return (self.total,)

    def sql(self, shown: Shown) -> str:
        """Inside the declared bounds."""
        grid, total = self.grid, f"r.s{self.total}"
        count = f"greatest(r.s{self.counted}, 1)"
        sum_ = f"({total} + {number_sql(grid.centre * grid.step)} * {count})"
        if self.is_float:
            sum_ = f"{sum_}::double precision"
        low, high = (decimal_text(limit * grid.step) for limit in (grid.low, grid.high))
        # greatest() would turn NULL into a bound.
        average = f"least(greatest({sum_} / {count}, {low}), {high})"
        return f"(CASE WHEN {total} IS NOT NULL THEN {average} END)::{shown.type_name}"

    def interval(self, shown: ShownInterval) -> Ends:
        """Fieller's interval of a quotient (`proxy.dp.noise_intervals`)."""
        known = [value is not None for value in shown.columns[self.total]]
        total, rows = (
            np.array([float(value) if value is not None else 0.0 for value in shown.columns[index]])
            for index in self.statistics
        )
        plan, confidence = shown.plan, shown.confidence
        centre, step = self.grid.centre * self.grid.step, self.grid.step
        low, high = float(self.grid.low * step - centre), float(self.grid.high * step - centre)
        if shown.end == "stddev":
            # To first order in the noise; what is inside [low, high] deviates by at most half of its width.
            count = np.maximum(rows, 1)
            average = np.clip(total / count, low, high)
            deviations = np.hypot(noise.deviation(plan, self.total), average * noise.deviation(plan, self.counted))
            numbers = np.minimum(deviations / count, (high - low) / 2)
        else:
            lows, highs = quotient_limits(
                noise.law(plan),
                float(confidence),
                NoisyNumbers(total, noise.part_width(plan, self.total, confidence)),
                NoisyNumbers(rows, noise.part_width(plan, self.counted, confidence)),
                low,
                high,
            )
            numbers = float(centre) + (lows if shown.end == "low" else highs)
        pairs = zip(numbers.tolist(), known, strict=True)
        return tuple(noise.float_text(number) if is_known else "NULL" for number, is_known in pairs)
