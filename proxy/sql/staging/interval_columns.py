"""dp.low, dp.high, dp.stddev, dp.reliable and dp.clipped as columns of a block's literal relation (post-processing)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from proxy.settings import USUAL_ERROR, MaxError
from proxy.sql.planning.aggregates.aggregate import (
    Aggregate,
    End,
    Estimate,
    ReleasedColumn,
    Shown,
    ShownInterval,
)
from proxy.sql.planning.capped import capped
from proxy.sql.planning.noise_intervals import NoiseInterval
from proxy.sql.planning.plan import BlockPlan
from proxy.sql.planning.simulated import SimulatedExpression, alone
from proxy.sql.replacing import replace
from proxy.sql.staging.simulation import Simulation, by_level
from proxy.sql.terms.term import number_sql
from proxy.sql.trees.interval_calls import CONFIDENCE


@dataclass
class IntervalColumns:
    """The columns of a block's literal relation `r` that tell about its noise, and the numbers that they are made of.

    Attributes:
        plan: of the block.
        key_types, aggregate_types: the types that the stage gives the plan's keys and aggregates.
        columns: the released statistics.
        groupings: with several grouping sets, each row's `GroupingLevel.grouping`. Every level has its own noise;
            numbers that were made consistent have less of it, so their intervals are a little too wide.
        lost: for each norm of the plan's clipping, the share that it left out.
        max_error: what the session takes for too much noise, if it says so.
        question: the hash of what was asked.
        digits: does the session round numbers to the digits that their noise leaves?
        simulation: how expressions of several aggregates are drawn.
        numbers: by name the columns of `r` that the expressions use, in decimal notation.
    """

    plan: BlockPlan
    key_types: Sequence[str]
    aggregate_types: Sequence[str]
    columns: Sequence[ReleasedColumn]
    groupings: Sequence[str] = ()
    lost: Sequence[float | None] = ()
    max_error: MaxError | None = None
    question: str = ""
    digits: bool = False
    simulation: Simulation = field(init=False)
    numbers: dict[str, tuple[str, ...]] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        self.simulation = Simulation(
            self.plan,
            self.key_types,
            self.aggregate_types,
            len(self.columns[0]) if self.columns else 0,
            self.question,
        )

    def interval(self, interval: NoiseInterval) -> str:
        """The expression of the column for an interval of the plan."""
        function, of = interval.function, interval.of
        if function == "clipped":
            share = share_left_out(self.plan, self._aggregate(of), self.lost)
            return f"{'NULL' if share is None else repr(share)}::double precision"
        if function == "draws":
            return self.simulation.draws(of if isinstance(of, SimulatedExpression) else alone(of))
        if function != "reliable":
            return self._end(of, function, interval.confidence)
        if interval.share is not None:
            return self._is_reliable(of, MaxError(interval.share, is_share=True))
        return self._is_reliable(of, self.max_error or USUAL_ERROR)

    def aggregate(self, position: int) -> str:
        """The expression of the column for an aggregate: NULL where it has more noise than the session takes."""
        number = self._number(position)
        if not isinstance(self.plan.aggregates[position], Estimate):
            return number
        shown = self._rounded(position) if self.digits else number
        if self.max_error is None:
            return shown
        return f"(CASE WHEN {self._is_reliable(position, self.max_error)} THEN {shown} END)"

    def _rounded(self, position: int) -> str:
        """The number with the first digit of its noise's standard deviation as the last one."""
        ends = f"SELECT {self._number(position)} AS n, {self._end(position, 'stddev', CONFIDENCE)} AS d"
        rounded = f"round(x.n::numeric, {_LAST_DIGIT})::{self.aggregate_types[position]}"
        rounds = "x.d > 0 AND x.d < 1e15 AND x.n::text <> 'NaN'"
        return f"(SELECT CASE WHEN {rounds} THEN {rounded} ELSE x.n END FROM ({ends}) AS x)"

    def _aggregate(self, of: int | SimulatedExpression) -> Estimate:
        aggregate = self.plan.aggregates[of] if isinstance(of, int) else None
        if not isinstance(aggregate, Estimate):
            raise AssertionError("an interval is around an estimate")
        return aggregate

    def _number(self, position: int) -> str:
        return self.plan.aggregates[position].sql(Shown(self.plan, self.aggregate_types[position]))

    def _is_reliable(self, of: int | SimulatedExpression, limit: MaxError) -> str:
        """Does 95 % of the noise go no further than the limit? NULL where the number is."""
        number = self._number(of) if isinstance(of, int) else self.simulation.number(of)
        low, high = (self._end(of, end, CONFIDENCE) for end in ("low", "high"))
        most = f"{number_sql(limit.amount)}{' * abs(x.n)' if limit.is_share else ''}"
        ends = f"SELECT {number} AS n, {low} AS l, {high} AS h"
        return f"(SELECT greatest(x.h - x.n, x.n - x.l) <= {most} FROM ({ends}) AS x)"

    def _end(self, of: int | SimulatedExpression, end: End, confidence: Fraction) -> str:
        if isinstance(of, SimulatedExpression):
            return self.simulation.end(of, end, confidence)
        # With the digits of the confidence, so that each interval has columns of its own.
        name = f"{end}{of}_{str(confidence).replace('/', '_')}"
        type_name = self.aggregate_types[of]
        shown = "double precision" if end == "stddev" or type_name == "real" else type_name
        expressions, numbers = {}, [_NULL] * len(self.columns[0] if self.columns else ())
        for grouping, plan, rows in self._levels(len(numbers)):
            columns = [[column[row] for row in rows] for column in self.columns]
            ends = self._aggregate(of).interval(ShownInterval(plan, type_name, end, confidence, columns))
            if isinstance(ends, str):
                expressions[grouping] = f"{ends}::{shown}"
                continue
            expressions[grouping] = f"r.{name}::{shown}"
            self.numbers[name] = ()
            for row, number in zip(rows, ends, strict=True):
                numbers[row] = number
        if name in self.numbers:
            self.numbers[name] = tuple(numbers)
        return by_level(expressions)

    def _levels(self, count: int) -> list[tuple[str, BlockPlan, Sequence[int]]]:
        """Of each level the grouping, the plan with its noise, and the places of its rows."""
        if self.plan.levels is None:
            return [("", self.plan, range(count))]
        return [
            (
                level.grouping,
                replace(self.plan, mechanisms=level.mechanisms, levels=None),
                [row for row, grouping in enumerate(self.groupings) if grouping == level.grouping],
            )
            for level in self.plan.levels.measured
        ]


_NULL = "NULL"
_LAST_DIGIT = "least(-floor(log(x.d)), 15)::integer"


def share_left_out(plan: BlockPlan, aggregate: Aggregate, lost: Sequence[float | None]) -> float | None:
    """About which share of what an aggregate counts or adds up is left out because units were scaled down, in the whole
    block: the greatest one of its numbers. 0 where no unit can be; None where it cannot be told, as where the policy or
    the session states how much counts, or the most rows of a unit, which nobody measures, or rows beyond a limit take
    no part.

    Args:
        plan: of the block.
        aggregate: of the plan.
        lost: for each norm of the plan's clipping, the share that it left out; None where that cannot be told.
    """
    if capped(plan, aggregate):
        return None
    if plan.clipping is None:
        return 0.0 if plan.path == "unique" and not plan.footprint.cuts else None
    # The rows beside a sum only say whether it is NULL; those of a quotient are a part of it.
    counted = aggregate.statistics if aggregate.is_ratio or not aggregate.sums else aggregate.sums
    norms = {plan.clipping.norm_of[statistic] for statistic in counted}
    shares = [lost[norm] for norm in norms] if lost else [None]
    known = [share for share in shares if share is not None]
    is_whole = not plan.footprint.cuts or any(plan.clipping.norms[norm].choice is not None for norm in norms)
    return max(known, default=0.0) if len(known) == len(shares) and is_whole else None
