"""Which released groups are shown, which of their sums are NULL, and how large an answer may be (decision 2, attack 8)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

import pytest

from proxy.budget.stored_answer import StoredAnswer
from proxy.dp.mechanisms import LaplaceMechanism
from proxy.errors import UnsupportedError
from proxy.release.answer_size import MOST_CHOSEN, MOST_NUMBERS, check_answer_size
from proxy.release.noisy_answers import empty_groups, rows_to_show
from proxy.release.totals import MOST_WORK, check_size
from proxy.settings import QuerySettings
from proxy.sql.planning.plan import BlockPlan
from proxy.sql.planning.pricing import REFINEMENT
from tests.planned import plan_of
from tests.plans.schema import SCHEMA

COUNTS = "SELECT region, count(*) FROM visits GROUP BY region"


def _plan(text: str, settings: QuerySettings | None = None) -> BlockPlan:
    return plan_of(text, SCHEMA, settings)


def _shown(plan: BlockPlan, key: tuple[str | None, ...], *cells: int) -> list[tuple[object, ...]]:
    """What is shown of an answer with one group, where what looks empty is hidden."""
    answer = StoredAnswer((key,), (cells,), ((),) if plan.choices else ())
    return list(map(tuple, rows_to_show(plan, answer, hide_empty=True).statistics))


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("SELECT count(*) FROM visits", ()),
        ("SELECT note, count(*) FROM visits GROUP BY note", ("a",)),
        (
            "SELECT r.name, count(v.visit_id) FROM regions r LEFT JOIN visits v ON v.region = r.name GROUP BY r.name",
            ("n",),
        ),
    ],
)
def test_one_row_without_keys_selected_groups_and_those_of_an_outer_join_are_never_hidden(
    text: str, key: tuple[str, ...]
) -> None:
    assert _shown(_plan(text), key, 0) == [(0,)]


def test_a_declared_group_is_hidden_within_two_deviations_of_nothing() -> None:
    plan = _plan(COUNTS)
    limit = int(2 * plan.mechanisms[0].standard_deviation)
    assert limit > REFINEMENT
    assert _shown(plan, ("north",), limit) == []
    assert len(_shown(plan, ("north",), limit + 1)) == 1


def test_a_count_below_zero_looks_like_nothing_however_far_below_and_a_sum_does_not() -> None:
    for text, is_shown in ((COUNTS, False), ("SELECT region, sum(cost) FROM visits GROUP BY region", True)):
        plan = _plan(text)
        limit = int(2 * plan.mechanisms[0].standard_deviation)
        for cells in (-limit - 1, -9 * limit):
            assert bool(_shown(plan, ("north",), *[cells] * len(plan.statistics))) == is_shown
            assert empty_groups(plan, StoredAnswer((("north",),), ((cells,) * len(plan.statistics),))) != is_shown


def test_a_declared_group_is_hidden_where_hardly_any_noise_is_rounded_away() -> None:
    plan = replace(_plan(COUNTS), mechanisms=(LaplaceMechanism(1, Fraction(1)),))
    assert _shown(plan, ("north",), REFINEMENT // 2) == []
    assert _shown(plan, ("north",), REFINEMENT // 2 + 1) == [(1,)]


def test_groups_of_which_nothing_is_counted_are_shown() -> None:
    assert _shown(_plan("SELECT region FROM visits GROUP BY region"), ("north",)) == [()]
    assert _shown(_plan("SELECT region, bool_or(urgent) FROM visits GROUP BY region"), ("north",), 0) == [(0,)]


def test_a_sum_is_null_only_where_the_count_of_its_rows_looks_like_zero() -> None:
    plan = _plan("SELECT count(*), count(minutes), sum(minutes) FROM visits")
    many, five = 10**6 * REFINEMENT, 5 * REFINEMENT
    assert _shown(plan, (), many, many, five) == [(10**6, 10**6, 5)]
    assert _shown(plan, (), many, 0, five) == [(10**6, 0, None)]


def _levels(text: str, *cells: tuple[int, ...], finest: Sequence[str] = ("a", "b")) -> list[tuple[object, ...]]:
    """What is shown of the finest groups and of their grand total."""
    plan = _plan(text)
    assert plan.levels is not None
    groupings = [level.grouping for level in plan.levels.measured]
    keys = [(groupings[0], key) for key in finest] + [(grouping, None) for grouping in groupings[1:]]
    return list(map(tuple, rows_to_show(plan, StoredAnswer(tuple(keys), cells), hide_empty=False).statistics))


@pytest.mark.parametrize(("value", "sign"), [("minutes", 1), ("- minutes", -1)])
def test_sums_become_positive_in_all_levels_where_values_cannot_be_negative(value: str, sign: int) -> None:
    text = f"SELECT region, sum({value}) FROM visits GROUP BY ROLLUP (region)"
    numbers = [(-(10**6) * REFINEMENT,), (-(10**6) * REFINEMENT,), (-2 * 10**6 * REFINEMENT,)]
    shown = _levels(text, *numbers)
    assert shown == ([(0,)] * 3 if sign > 0 else [(-(10**6),), (-(10**6),), (-2 * 10**6,)])


def test_numbers_that_need_not_add_up_are_left_as_they_are() -> None:
    text = "SELECT region, count(*) FROM visits GROUP BY GROUPING SETS ((region), (region))"
    assert _levels(text, (-5 * REFINEMENT,), (7 * REFINEMENT,)) == [(-5,), (7,), (-5,), (7,)]


def test_keys_alone_have_no_more_totals_than_one_number_of_each() -> None:
    plan = _plan("SELECT region FROM visits GROUP BY ROLLUP (region)")
    check_size(plan, MOST_WORK // 4)
    with pytest.raises(UnsupportedError) as refusal:
        check_size(plan, MOST_WORK // 4 + 1)
    assert (refusal.value.rule, refusal.value.sqlstate) == ("too-many-keys", "0A000")


@pytest.mark.parametrize(
    ("text", "candidates", "groups"),
    [
        ("SELECT region, count(*), sum(minutes) FROM visits GROUP BY region", 0, MOST_NUMBERS // 2),
        ("SELECT region, min(minutes) FROM visits GROUP BY region", 0, MOST_CHOSEN),
        ("SELECT region, median(minutes) FROM visits GROUP BY region", 0, MOST_CHOSEN // 5),
        ("SELECT region, mode() WITHIN GROUP (ORDER BY diagnosis) FROM visits GROUP BY region", 800, MOST_CHOSEN // 5),
    ],
)
def test_an_answer_has_so_many_numbers_and_so_many_chosen_values(text: str, candidates: int, groups: int) -> None:
    plan, values = _plan(text), [[("x",)] * candidates]
    found = values if plan.choices else []
    check_answer_size(plan, groups, found)
    with pytest.raises(UnsupportedError) as refusal:
        check_answer_size(plan, groups + 1, found)
    assert (refusal.value.rule, refusal.value.sqlstate) == ("answer-size", "0A000")


def test_one_group_is_limited_too_where_the_number_of_groups_is_private() -> None:
    plan = _plan("SELECT note, mode() WITHIN GROUP (ORDER BY diagnosis) FROM visits GROUP BY note")
    check_answer_size(plan, 0, [[("x",)] * 200 * (MOST_CHOSEN - 1)])
    with pytest.raises(UnsupportedError) as refusal:
        check_answer_size(plan, 0, [[("x",)] * 200 * MOST_CHOSEN])
    assert (refusal.value.rule, refusal.value.sqlstate) == ("answer-size", "0A000")


HIDE = QuerySettings(empty_groups="hide")


@pytest.mark.parametrize(
    ("text", "counted"),
    [
        ("SELECT region, sum(cost) FROM visits GROUP BY region", True),
        ("SELECT region, count(cost) FROM visits GROUP BY region", True),
        ("SELECT region, max(cost) FROM visits GROUP BY region", True),
        ("SELECT sum(cost) FROM visits", True),
        ("SELECT region, sum(cost), count(*) FROM visits GROUP BY region", False),
        ("SELECT region, sum(cost), count(DISTINCT patient_id) FROM visits GROUP BY region", False),
        ("SELECT count(cost) FROM visits", False),
        ("SELECT note, sum(cost) FROM visits GROUP BY note", False),
        (
            "SELECT r.name, sum(v.cost) FROM regions r LEFT JOIN visits v ON v.region = r.name GROUP BY r.name",
            False,
        ),
        ("SELECT DISTINCT region FROM visits", False),
    ],
)
def test_rows_are_counted_where_only_they_tell_empty_groups(text: str, counted: bool) -> None:
    shown, hidden = _plan(text), _plan(text, HIDE)
    assert shown.hides_by is None
    assert (hidden.hides_by is not None) is counted
    assert len(hidden.statistics) == len(shown.statistics) + counted
    assert hidden.price.rho == pytest.approx(float(shown.price.rho), rel=0.01)


def test_a_group_with_rows_keeps_its_zero_and_one_without_rows_goes() -> None:
    plan = _plan("SELECT region, sum(cost) FROM visits GROUP BY region", HIDE)
    rows = int(3 * plan.mechanisms[1].standard_deviation)
    assert [row[0] for row in _shown(plan, ("n",), 0, rows)] == [0]
    assert _shown(plan, ("n",), 10**9, 0) == []


def test_counts_of_selected_groups_are_not_negative() -> None:
    plan = _plan("SELECT note, count(*), sum(cost) FROM visits GROUP BY note")
    cells = plan.cells_per_step(0)
    answer = StoredAnswer((("a",), ("b",)), ((-3 * cells, -3 * cells), (3 * cells, 3 * cells)), ())
    rows = rows_to_show(plan, answer, hide_empty=False).statistics
    assert [row[0] for row in rows] == [0, 3]
    assert (rows[0][1] or 0) < 0
