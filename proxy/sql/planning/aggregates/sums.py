"""sum and avg."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from proxy.dp.noise_widths import NoisyNumbers, Numbers, combined_width, is_possible_quotient, quotient_limits
from proxy.sql.planning.aggregates import statistic_noise
from proxy.sql.planning.aggregates.aggregate import (
    Ends,
    OfKnownWidth,
    Planned,
    Shown,
    ShownInterval,
    decimal,
    known_where,
)
from proxy.sql.planning.aggregates.calls import AskedNumbers, Call, Shared
from proxy.sql.planning.grids import Grid, grid_near_zero, grid_of, grid_of_own_sums
from proxy.sql.planning.statistic import DistinctSum, GridSum
from proxy.sql.planning.wording import short
from proxy.sql.rows.outer_joins import counts_zeros
from proxy.sql.terms.term import decimal_text, number_sql
from proxy.sql.terms.types import Kind
from proxy.sql.trees.interval_calls import CONFIDENCE

_FAR, _FAR_FROM_END = 0.25, 0.05
"""The shares of its bounds by which noise may move an average."""


@dataclass(frozen=True)
class Sum(OfKnownWidth):
    """A sum, which is around a centre if that is measured for an average anyway. Its rows are counted for the centre,
    or if something else counts them: the count tells where the sum is over nothing.

    Attributes:
        centre: what it is around.
        is_zero: over nothing it is 0, since public rows add 0 to it that no private row meets (`rows.outer_joins`).
    """

    names = spelled = ("sum",)

    centre: Fraction
    is_zero: bool

    @classmethod
    def ask(cls, call: Call) -> AskedNumbers:
        value = call.amount()
        counted = call.rows_with(value)

        def build(shared: Shared) -> Sum:
            centred = shared.sums_centred(call.centred(value))
            rows = shared.index(counted) if centred else shared.find(counted, call.present(value))
            own = call.own_sums and call.distinct is None and not centred
            grid = grid_of_own_sums(value) if own or value.bounds is None else grid_of(value, centred=centred)
            usual = call.summed(GridSum(value, grid, call.filter_sql))
            total = shared.centred_sum(call.centred(value), usual) if centred else usual
            return cls(*call.names, rows, (shared.index(total),), grid.centre * grid.step, is_zero)

        is_zero = counts_zeros(call.node, call.relation)
        return AskedNumbers(call.computed(value), build)

    @property
    def zeros(self) -> tuple[int, ...]:
        return self.sums if self.is_zero else ()

    def sql(self, shown: Shown) -> str:
        (total,) = self.sums
        around = f"(r.s{total} + {number_sql(self.centre)} * r.s{self.rows})" if self.centre else f"r.s{total}"
        return statistic_noise.in_type(around, shown)

    def interval(self, shown: ShownInterval) -> Ends:
        indexes, factors = self._parts()
        return statistic_noise.ends_of_sum(indexes, shown, factors)

    def drowned(self, plan: Planned, columns: Sequence[Numbers]) -> list[bool | None]:
        return statistic_noise.are_within(plan, columns, *self._parts())

    def within(self, plan: Planned) -> str:
        return f"±{short(self.reach(plan))}"

    def reach(self, plan: Planned) -> Fraction:
        indexes, factors = self._parts()
        return statistic_noise.width_of_sum(plan, indexes, CONFIDENCE, factors)

    def number(self, released: Sequence[Fraction]) -> Fraction:
        indexes, factors = self._parts()
        return sum((released[i] * factor for i, factor in zip(indexes, factors, strict=True)), Fraction(0))

    def _parts(self) -> tuple[tuple[int, ...], tuple[Fraction, ...]]:
        """One noisy number, or two with their factors: S + c·n around a centre c."""
        if self.rows is None or not self.centre:
            return self.sums, (Fraction(1),)
        return (*self.sums, self.rows), (Fraction(1), self.centre)


@dataclass(frozen=True)
class Average(OfKnownWidth):
    """A noisy sum around the centre of the bounds, divided by a noisy count of at least 1 (theorem 2). Around 0, or the
    bound nearest to it, without bounds or where a unit's own sums say how much of it counts.

    Attributes:
        grid: of the sum.
        is_float: are the values floats?
        is_centred: is it around the middle of bounds?
    """

    names = spelled = ("avg",)
    is_ratio = True

    grid: Grid
    is_float: bool
    is_centred: bool

    @classmethod
    def ask(cls, call: Call) -> AskedNumbers:
        value = call.amount()
        own = call.own_sums and call.distinct is None

        def build(shared: Shared) -> Average:
            is_centred = value.bounds is not None and (not own or shared.sums_centred(call.centred(value)))
            grid = grid_of(value, centred=True) if is_centred else grid_near_zero(value)
            usual = call.summed(GridSum(value, grid, call.filter_sql))
            total = shared.centred_sum(call.centred(value), usual) if is_centred else usual
            rows = shared.index(call.rows_with(value))
            return cls(
                *call.names,
                rows,
                (shared.index(total),),
                grid=grid,
                is_float=value.kind is Kind.FLOAT,
                is_centred=is_centred,
            )

        # Where a unit's own sums say how much of it counts, it shares a sum around the centre, but needs none.
        needs_centred = value.bounds is not None and not own
        return AskedNumbers(call.computed(value), build, call.centred(value) if needs_centred else None)

    def sql(self, shown: Shown) -> str:
        """The average, clamped to the declared bounds. NULL where the number of rows is within two standard deviations
        of zero: it would be a bound or the centre, whatever the rows hold."""
        (counted, index), grid = self.statistics, self.grid
        total, count = f"r.s{index}", f"greatest(r.s{self.rows}, 1)"
        few = decimal_text(decimal(statistic_noise.few(shown.plan, counted)))
        sum_ = f"({total} + {number_sql(grid.centre * grid.step)} * {count})"
        if self.is_float:
            sum_ = f"{sum_}::double precision"
        low, high = (decimal_text(limit * grid.step) for limit in (grid.low, grid.high))
        # greatest() would turn NULL into a bound.
        average = f"least(greatest({sum_} / {count}, {low}), {high})"
        return f"(CASE WHEN {total} IS NOT NULL AND r.s{counted} > {few} THEN {average} END)::{shown.type_name}"

    def interval(self, shown: ShownInterval) -> Ends:
        """Fieller's interval of a quotient (`proxy.dp.noise_widths`)."""
        plan, confidence = shown.plan, shown.confidence
        counted, summed = self.statistics
        known = [value is not None for value in shown.columns[summed]]
        columns = [
            np.array([float(value) if value is not None else 0.0 for value in column]) for column in shown.columns
        ]
        of_sum, of_rows = self._noisy(plan, columns, confidence)
        centre, low, high = self._limits
        if shown.end == "stddev":
            # To first order in the noise; a value inside [low, high] deviates by at most half the width.
            count = np.maximum(of_rows.released, 1)
            average = np.clip(of_sum.released / count, low, high)
            deviations = (
                np.hypot(statistic_noise.deviation(plan, summed), average * statistic_noise.deviation(plan, counted))
                / count
            )
            numbers = np.minimum(deviations, (high - low) / 2)
        else:
            lows, highs = quotient_limits(statistic_noise.law(plan), float(confidence), of_sum, of_rows, low, high)
            numbers = centre + (lows if shown.end == "low" else highs)
        pairs = zip(numbers.tolist(), known, strict=True)
        return tuple(statistic_noise.float_text(number) if is_known else "NULL" for number, is_known in pairs)

    def drowned(self, plan: Planned, columns: Sequence[Numbers]) -> list[bool | None]:
        """Where noise moves it farther than it is from 0, or than a share of its bounds; less if it is an end of them,
        as it is wherever noise takes it beyond."""
        summed, rows = self._noisy(plan, columns, CONFIDENCE)
        centre, low, high = self._limits
        if low == high:
            return [False] * len(rows.released)  # no noise moves it
        shown = np.clip(summed.released / np.maximum(rows.released, 1), low, high)
        is_end = (shown <= low) | (shown >= high)
        far = np.minimum(np.abs(shown + centre), (high - low) * np.where(is_end, _FAR_FROM_END, _FAR))
        drowned = np.zeros(shown.shape, dtype=bool)
        for moved in (shown - far, shown + far):
            reached = is_possible_quotient(statistic_noise.law(plan), float(CONFIDENCE), summed, rows, moved)
            drowned |= reached & (low <= moved) & (moved <= high)
        return known_where(rows.released > statistic_noise.few(plan, self.statistics[0]), drowned)

    def within(self, plan: Planned) -> str:
        """For all groups at once: as of the average that the noise of its count moves farthest."""
        (summed,), (counted, _), grid = self.sums, self.statistics, self.grid
        if not self.is_centred:
            return ""
        of_sum, of_count = (statistic_noise.part_width(plan, index, CONFIDENCE) for index in (summed, counted))
        farthest = of_count * float(grid.reach * grid.step)
        width = combined_width(statistic_noise.law(plan), float(CONFIDENCE), of_sum, farthest)
        return (
            f"±{short(float(width))} / its {'values' if isinstance(plan.statistics[summed], DistinctSum) else 'rows'}"
        )

    @property
    def _limits(self) -> tuple[float, float, float]:
        """What the sum is around, and how far below and above it the bounds are."""
        centre, step = self.grid.centre * self.grid.step, self.grid.step
        return float(centre), float(self.grid.low * step - centre), float(self.grid.high * step - centre)

    def _noisy(
        self, plan: Planned, columns: Sequence[Numbers], confidence: Fraction
    ) -> tuple[NoisyNumbers, NoisyNumbers]:
        """The sum around the centre, and the number of rows."""
        counted, summed = self.statistics
        of_sum, of_rows = (
            NoisyNumbers(columns[index], statistic_noise.part_width(plan, index, confidence))
            for index in (summed, counted)
        )
        return of_sum, of_rows

    def reach(self, _plan: Planned) -> None:
        return None

    def number(self, _released: Sequence[Fraction]) -> None:
        return None
