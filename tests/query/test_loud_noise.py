"""Which numbers of an answer noise alone may have made, and which chosen values may be of quite another rank."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import pytest

from proxy.budget.stored_answer import StoredAnswer
from proxy.dp.clipping import CELLS
from proxy.query.crossed_choices import crossed_text
from proxy.query.far_choices import far_choices, far_text
from proxy.query.goodness import goodness
from proxy.query.loud_noise import loud_aggregates, loud_text
from proxy.settings import QuerySettings
from proxy.sql.planning.plan import BlockPlan
from tests.planned import plan_of
from tests.plans.schema import SCHEMA

N = 10**5


def answer(plan: BlockPlan, *groups: Sequence[float]) -> StoredAnswer:
    """An answer with these statistics, in their own units."""
    cells = [
        tuple(
            round(Fraction(number) / statistic.step) * plan.cells_per_step(index)
            for index, (number, statistic) in enumerate(zip(row, plan.statistics, strict=True))
        )
        for row in groups
    ]
    return StoredAnswer(tuple((str(place),) for place in range(len(groups))), tuple(cells))


@pytest.mark.parametrize(
    ("call", "released", "is_loud"),
    [
        # Sums are around the centre of [0, 1000], with ±309898; the number of rows has ±620.
        ("avg(cost)", (N, -100 * N), False),
        ("avg(cost)", (1000, -100 * 1000), True),  # ±311 reach a quarter of the bounds
        ("avg(cost)", (N, -498 * N), True),  # 2 ± 4
        ("avg(cost)", (N, 600 * N), False),  # 1000, from ±4 away
        ("avg(cost)", (5000, 501 * 5000), True),  # 1000, from ±88 away
        # Σx² has ±1.9e8.
        ("variance(cost)", (N, 0, 10000 * N), False),
        ("variance(cost)", (N, 0, 1000 * N), True),
        ("stddev(cost)", (N, 0, 1000 * N), True),
        ("stddev(cost)", (N, 100 * N, 5000 * N), True),  # a variance below 0
        ("stddev(cost)", (N, 100 * N, 20000 * N), False),
        ("regr_sxx(minutes, cost)", (N, 0, 1000 * N), True),
        ("regr_syy(cost, minutes)", (N, 0, 10000 * N), False),
        # x are minutes, Σx² ±1.5e7; y costs, Σy² ±2.7e8; Σxy ±6.4e7.
        ("corr(cost, minutes)", (N, 0, 0, 400 * N, 10000 * N, 1000 * N), False),
        ("corr(cost, minutes)", (N, 0, 0, 400 * N, 10000 * N, 0), False),
        ("corr(cost, minutes)", (N, 0, 0, 100 * N, 10000 * N, 1000 * N), True),
        ("corr(cost, minutes)", (N, 0, 0, 400 * N, 2000 * N, 1000 * N), True),
        ("corr(cost, minutes)", (N // 2, 0, 0, 200 * N, 5000 * N, 0), True),  # 0 ± 0.6
        ("corr(cost, minutes)", (N, 0, 0, 400 * N, 10000 * N, 2001 * N), True),  # 1, from ±0.3 away
        ("regr_r2(cost, minutes)", (N, 0, 0, 100 * N, 10000 * N, 1000 * N), True),
        ("regr_slope(cost, minutes)", (N, 0, 0, 400 * N, 2000 * N), False),
        ("regr_slope(cost, minutes)", (N, 0, 0, 400 * N, 100 * N), True),
        ("regr_slope(cost, minutes)", (N, 0, 0, 100 * N, 2000 * N), True),
        ("regr_slope(cost, minutes)", (N, 0, 0, 135 * N, 700 * N), True),  # either may pass, but not both
        ("regr_intercept(cost, minutes)", (N, 0, 0, 400 * N, 100 * N), False),  # about the mean, whatever the slope
        ("regr_intercept(cost, minutes)", (N, 0, -470 * N, 400 * N, 100 * N), True),  # 0 ± 160
        ("covar_pop(cost, minutes)", (N, 0, 0, 1000 * N), False),
        ("covar_pop(cost, minutes)", (N, 0, 0, 100 * N), True),
        ("regr_avgx(cost, minutes)", (N, 0), False),
        ("regr_avgx(cost, minutes)", (N, -120 * N), True),
        ("regr_count(cost, minutes)", (N,), False),
        ("regr_count(cost, minutes)", (100,), True),
        ("count(*)", (N,), False),
        ("count(*)", (100,), True),
        ("sum(cost)", (100,), True),
        # NULL is no number.
        ("avg(cost)", (600, 0), False),
        ("corr(cost, minutes)", (0, 0, 0, 0, 0, 0), False),
        ("stddev(cost)", (1, 0, 0), False),
    ],
)
def test_a_number_is_loud_where_noise_may_have_made_most_of_it(
    call: str, released: Sequence[float], is_loud: bool
) -> None:
    plan = plan_of(f"SELECT {call} FROM visits", SCHEMA)
    assert bool(loud_aggregates(plan, answer(plan, released))) == is_loud


def test_averages_of_a_quarter_of_the_groups_are_enough_and_it_is_told_in_how_many() -> None:
    plan = plan_of("SELECT region, avg(cost) FROM visits GROUP BY region", SCHEMA)
    good, loud, null = (N, 0), (1000, 0), (0, 0)
    found = loud_aggregates(plan, answer(plan, good, good, good, loud, null, null))
    said = "Noise goes farther than the numbers themselves, or over much of what they could be, which say little: "
    assert loud_text(plan, found) == f"{said}avg(cost) (in 1 of 4 groups)."
    assert not loud_aggregates(plan, answer(plan, good, good, good, good, loud))


def test_counts_of_most_groups_are_loud_or_none() -> None:
    plan = plan_of("SELECT region, count(*) FROM visits GROUP BY region", SCHEMA)
    found = loud_aggregates(plan, answer(plan, (N,), (0,), (0,)))
    assert loud_text(plan, found) == (
        "Noise goes farther than the numbers themselves, which say little: count(*) (±438, in 2 of 3 groups)."
    )
    assert not loud_aggregates(plan, answer(plan, (N,), (0,)))


@pytest.mark.parametrize("numbers", ["count(*)", "sum(cost)"])
def test_groups_that_the_session_hides_do_not_count(numbers: str) -> None:
    text = f"SELECT region, {numbers} FROM visits GROUP BY region"
    plan = plan_of(text, SCHEMA, QuerySettings(empty_groups="hide"))
    row = tuple(1000 * N for _ in plan.statistics)
    found = answer(plan, row, *[(0,) * len(row)] * 3)
    assert goodness(plan, plan, found, ()).warning
    hidden = goodness(plan, plan, found, (), hide_empty=True)
    assert (hidden.loud, hidden.warning) == ("", False)
    assert goodness(plan, plan, answer(plan, *[(1,) * len(row)] * 3), (), hide_empty=True).loud == ""


def test_loud_numbers_of_groups_that_show_are_told_of_these_alone() -> None:
    text = "SELECT region, count(*), count(note) FROM visits GROUP BY region"
    plan = plan_of(text, SCHEMA, QuerySettings(empty_groups="hide"))
    found = answer(plan, (0, 0), (N, 0), (N, 0), (0, 0), (N, N))
    assert "count(note) (±620, in 2 of 3 groups)" in goodness(plan, plan, found, (), hide_empty=True).loud


def test_ranks_far_off_are_told_where_rows_are_counted() -> None:
    plan = plan_of("SELECT region, max(cost), count(*) FROM visits GROUP BY region", SCHEMA)
    few, many, none = (4000,), (N,), (100,)
    found = far_choices(plan, answer(plan, few, many, many, many, none))
    assert far_text(plan, found) == (
        "These may be farther from the rank that is sought than a quarter of all rows, and say little: "
        "max(cost) (in 1 of 4 groups)."
    )
    assert not far_choices(plan, answer(plan, few, many, many, many, many))


@pytest.mark.parametrize(
    ("call", "place"), [("max(nights)", 0), ("percentile_disc(0.5) WITHIN GROUP (ORDER BY nights)", 2)]
)
def test_ranks_far_off_are_told_where_the_choice_of_the_limit_counts(call: str, place: int) -> None:
    plan = plan_of(f"SELECT nights > 3, {call} FROM stays GROUP BY 1", SCHEMA)
    assert plan.limits[0] is not None
    for number, is_far in ((10, True), (10**6, False)):
        told = [0, 0, 0, 0]
        told[place] = number * CELLS
        found = StoredAnswer((("a",), ("b",)), ((), ()), (("1",), ("2",)), (0,), (tuple(told),))
        assert bool(far_choices(plan.clipped_at((0,)), found)) == is_far


def test_nothing_is_said_of_ranks_where_nobody_counts() -> None:
    plan = plan_of("SELECT max(cost) FROM visits", SCHEMA)
    assert not far_choices(plan, StoredAnswer(((),), ((),), (("1",),)))


def test_ranks_far_off_of_units_are_told_where_units_are_counted() -> None:
    plan = plan_of("SELECT max(cost), count(DISTINCT patient_id) FROM visits", SCHEMA)
    assert far_choices(plan, answer(plan, (800,)))
    assert far_choices(plan, answer(plan, (-5,)))
    assert not far_choices(plan, answer(plan, (N,)))
    others = "SELECT max(cost), count(DISTINCT patient_id) FILTER (WHERE urgent) FROM visits"
    assert not far_choices(plan_of(others, SCHEMA), answer(plan_of(others, SCHEMA), (800,)))


@pytest.mark.parametrize(
    ("calls", "numbers", "few"), [("max(cost)", (), 1161), ("max(cost), count(DISTINCT patient_id)", (N,), 411)]
)
def test_of_how_few_units_an_extreme_may_be_any_value_is_told_whatever_is_counted(
    calls: str, numbers: Sequence[float], few: int
) -> None:
    plan = plan_of(f"SELECT {calls} FROM visits", SCHEMA)
    good = goodness(plan, plan, answer(plan, numbers), ())
    assert f"Of fewer than about {few} patients, as they count, max(cost) may be any value from 0 to 1000." in good.rest
    assert not good.warning


def test_an_answer_without_any_group_warns() -> None:
    plan = plan_of("SELECT diagnosis, note, count(*) FROM visits GROUP BY 1, 2", SCHEMA)
    assert plan.selection is not None
    none, one = (goodness(plan, plan, answer(plan, *groups), ()) for groups in ((), ((N,),)))
    assert none.warning
    assert none.hint is not None
    assert none.hint.startswith("Ask for larger groups")
    assert "Groups of fewer than about" in none.rest
    assert not one.warning


@pytest.mark.parametrize(
    ("calls", "chosen", "told"),
    [
        ("min(cost), max(cost)", ("7", "3"), "min(cost) is above max(cost)"),
        ("max(cost), min(cost)", ("3", "7"), "min(cost) is above max(cost)"),
        ("min(cost), max(cost)", ("3", "7"), ""),
        ("min(cost), max(cost)", ("3", "3"), ""),
        ("min(cost), max(cost)", (None, "3"), ""),
        ("min(cost), max(minutes)", ("7", "3"), ""),
        ("min(cost) FILTER (WHERE minutes > 5), max(cost)", ("7", "3"), ""),
        ("min(visited_at), max(visited_at)", ("7", "3"), "min(visited_at) is above max(visited_at)"),
        ("percentile_disc(0.9) WITHIN GROUP (ORDER BY cost), max(cost)", ("7", "3"), " is above max(cost)"),
        ("percentile_disc(0.1) WITHIN GROUP (ORDER BY cost DESC), max(cost)", ("7", "3"), " is above max(cost)"),
    ],
)
def test_what_noise_chose_in_the_wrong_order_is_told(calls: str, chosen: tuple[str | None, str], told: str) -> None:
    plan = plan_of(f"SELECT {calls} FROM visits", SCHEMA)
    text = crossed_text(plan, StoredAnswer(((),), ((),), (chosen,)))
    assert (told in text) if told else not text
    assert not text or text.startswith("Noise chose these, since ")


def test_it_is_told_in_how_many_groups_values_are_in_the_wrong_order() -> None:
    plan = plan_of("SELECT region, min(cost), max(cost) FROM visits GROUP BY region", SCHEMA)
    keys = tuple((str(number),) for number in range(3))
    found = StoredAnswer(keys, ((),) * 3, (("7", "3"), ("1", "3"), ("8", "2")))
    assert crossed_text(plan, found) == "Noise chose these, since min(cost) is above max(cost) in 2 of 3 groups."
