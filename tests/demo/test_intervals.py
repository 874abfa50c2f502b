"""The intervals that the demo shows hold what they promise of the noise."""

from __future__ import annotations

import pytest

from proxy.demo.comparison import plan_question
from proxy.demo.intervals import intervals
from proxy.demo.questions import QUESTIONS, Question
from proxy.sql.planning.plan import BlockPlan
from proxy.sql.schema import Schema

REPETITIONS = 2_000
COVERAGE = (0.93, 0.97)
"""Four standard deviations around 0.95: a false alarm once in 15 000 runs. Noise 30 % wider or narrower than the plan's
covers 0.87 or 0.995."""

ROWS = 40_000
AVERAGE = 130.0


def three_columns(schema: Schema) -> BlockPlan:
    return plan_question(QUESTIONS[1], schema)


def coverage(plan: BlockPlan, exact: tuple[float, ...], width: float = 1.0) -> list[float]:
    """How often the interval of each of count, sum and average holds it, with the plan's noise times `width`."""
    grid = plan.statistics[1].grid
    assert grid is not None
    centre, cells = float(grid.centre * grid.step), plan.cells_per_contribution
    noise = [mechanism.release([0] * REPETITIONS) for mechanism in plan.mechanisms]
    hits = [0, 0, 0]
    for of_count, of_sum in zip(*noise, strict=True):
        rows = ROWS + width * of_count / cells
        total = ROWS * (AVERAGE - centre) + width * of_sum / cells * float(grid.step)
        released = (rows, total + centre * rows, centre + total / rows)
        for index, interval in enumerate(intervals(plan, released)):
            assert interval is not None
            hits[index] += interval.low <= exact[index] <= interval.high
    return [hit / REPETITIONS for hit in hits]


def test_intervals_hold_counts_sums_and_averages_in_95_of_100_cases(schema: Schema) -> None:
    exact = (ROWS, ROWS * AVERAGE, AVERAGE)
    assert all(COVERAGE[0] < held < COVERAGE[1] for held in coverage(three_columns(schema), exact))


@pytest.mark.parametrize("width", [0.7, 1.3])
def test_noise_of_another_width_would_be_noticed(schema: Schema, width: float) -> None:
    exact = (ROWS, ROWS * AVERAGE, AVERAGE)
    assert not any(COVERAGE[0] < held < COVERAGE[1] for held in coverage(three_columns(schema), exact, width))


def test_an_average_over_too_few_rows_for_its_noise_has_no_interval(schema: Schema) -> None:
    of_count, of_sum, of_average = intervals(three_columns(schema), (50.0, 6_500.0, 130.0))
    assert of_count is not None
    assert of_sum is not None
    assert of_average is None


def test_an_average_without_its_count_has_no_interval(schema: Schema) -> None:
    question = Question("alone", "SELECT region, avg(cost) FROM visits GROUP BY region", "")
    assert intervals(plan_question(question, schema), (130.0,)) == (None,)


def test_an_averages_interval_stays_inside_the_declared_bounds(schema: Schema) -> None:
    interval = intervals(three_columns(schema), (1_000.0, 499_000.0, 499.0))[2]
    assert interval is not None
    assert interval.high == 500


def test_every_question_gets_an_interval_for_every_number(schema: Schema) -> None:
    for question in QUESTIONS:
        plan = plan_question(question, schema)
        released = [100.0 if aggregate.function == "avg" else 40_000.0 for aggregate in plan.aggregates]
        assert all(interval is not None for interval in intervals(plan, released))
