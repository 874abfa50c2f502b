"""Which share of an aggregate dp.clipped shows, by what was told of the choice of thresholds (theorem 22)."""

from __future__ import annotations

import pytest

from proxy.budget.stored_answer import StoredAnswer
from proxy.query.clipping_report import clipping_report
from proxy.query.same_question import block_hash
from proxy.release.clipping import lost_shares
from proxy.release.noisy_answers import rows_to_show
from proxy.settings import QuerySettings
from proxy.sql.planning.plan import BlockPlan
from proxy.sql.staging.interval_columns import IntervalColumns
from tests.plans.schema import SCHEMA
from tests.sql.test_chosen_thresholds import planned

SOME, LITTLE, UNKNOWN = (9 * 10**11, 10**11, 7 * 10**11, 3 * 10**10), (10**12, 0, 9 * 10**11, 0), (0, 0, 0, 0)
FAR = (9 * 10**11, 10**11, 7 * 10**11, 9 * 10**10)
"""What is told in cells, where noise is far less: of many units above the threshold, of none, and of nobody; and
of many that are far above it."""

LOST = 9 / 89
"""Of SOME: three thresholds for each cell of the last number, of all that counts or does not."""

EACH = "SELECT count(*), sum(patient_id), dp.clipped(count(*)), dp.clipped(sum(patient_id)) FROM stays"
OF_UNITS = "SELECT count(DISTINCT patient_id), dp.clipped(count(DISTINCT patient_id)) FROM stays"


def answer_of(plan: BlockPlan, *told: tuple[int, ...]) -> StoredAnswer:
    norms = plan.clipping.norms if plan.clipping is not None else ()
    return StoredAnswer(((),), ((1,) * len(plan.statistics),), (), (0,) * len(norms), told)


def shown(plan: BlockPlan, *told: tuple[int, ...]) -> list[str]:
    """The SQL of each share, without its type."""
    answer = answer_of(plan, *told)
    known = plan.clipped_at(answer.thresholds)
    lost = rows_to_show(known, answer, hide_empty=False).lost
    types = ["numeric"] * len(plan.aggregates)
    columns = IntervalColumns(known, [], types, [], lost=lost)
    shares = [columns.interval(interval) for interval in plan.intervals]
    assert all(share.endswith("::double precision") for share in shares)
    assert not columns.numbers
    return [share.removesuffix("::double precision") for share in shares]


def test_each_aggregate_has_the_share_of_its_own_norm() -> None:
    assert shown(planned(EACH), SOME, LITTLE) == [repr(LOST), "0.0"]
    assert shown(planned(EACH), LITTLE, SOME) == ["0.0", repr(LOST)]


def test_a_share_that_cannot_be_told_is_null() -> None:
    assert shown(planned(EACH), UNKNOWN, SOME) == ["NULL", repr(LOST)]
    assert shown(planned(EACH), SOME, FAR) == [repr(LOST), "NULL"]


def test_a_norm_that_no_unit_exceeds_leaves_nothing_out() -> None:
    """In one group a unit is at most once, and has one row in a table of units."""
    assert shown(planned(OF_UNITS)) == ["0.0"]
    of_patients = "SELECT dp.clipped(count(*)), dp.clipped(sum(patient_id)) FROM patients"
    assert shown(planned(of_patients), SOME) == ["0.0", repr(LOST)]


def test_the_greatest_share_is_that_of_an_aggregate_with_several_norms() -> None:
    query = "SELECT sum(patient_id), avg(patient_id), dp.clipped(avg(patient_id)) FROM stays"
    plan = planned(query)
    assert plan.clipping is not None
    norms = {plan.clipping.norm_of[index] for index in plan.aggregates[1].statistics}
    assert len(norms) == 2
    assert shown(plan, SOME, LITTLE) == shown(plan, LITTLE, SOME) == [repr(LOST)]
    assert shown(plan, SOME, UNKNOWN) == shown(plan, UNKNOWN, SOME) == ["NULL"]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("SELECT dp.clipped(count(*)) FROM patients", "0.0"),
        ("SELECT dp.clipped(count(DISTINCT region)) FROM patients", "0.0"),
        ("SELECT dp.clipped(count(*)) FROM visits", "NULL"),
        ("SELECT dp.clipped(count(DISTINCT minutes)) FROM visits", "NULL"),
    ],
)
def test_where_nothing_is_chosen_it_is_zero_only_if_nothing_can_be_left_out(query: str, expected: str) -> None:
    plan = planned(query)
    assert plan.clipping is None
    assert shown(plan) == [expected]


def test_rows_that_take_no_part_are_not_told_of() -> None:
    columns = "s.patient_id, count(*) AS n, max(s.patient_id) AS unbounded"
    joined = f"SELECT {columns} FROM stays s JOIN stays t USING (patient_id) GROUP BY s.patient_id"
    fixed = planned(f"SELECT dp.clipped(count(*)) FROM ({joined}) AS each")
    assert fixed.footprint.cuts
    assert fixed.clipping is None
    assert shown(fixed) == ["NULL"]
    chosen = planned(f"SELECT dp.clipped(count(*)), dp.clipped(sum(unbounded)) FROM ({joined}) AS each")
    assert shown(chosen, SOME) == ["NULL", repr(LOST)]


def test_the_share_changes_neither_the_question_nor_its_price() -> None:
    with_share, bare = planned(EACH), planned("SELECT count(*), sum(patient_id) FROM stays")
    assert with_share.price == bare.price
    assert block_hash(with_share, (), SCHEMA) == block_hash(bare, (), SCHEMA)


@pytest.mark.parametrize(("told", "share"), [((SOME, LITTLE), LOST), ((LITTLE, LITTLE), 0.0), ((SOME, UNKNOWN), None)])
def test_the_ledger_keeps_the_greatest_share_and_the_sentences(
    told: tuple[tuple[int, ...], ...], share: float | None
) -> None:
    plan = planned(EACH)
    report = clipping_report(plan, answer_of(plan, *told))
    assert report is not None
    assert report.share == share
    assert report.text


@pytest.mark.parametrize("other", [SOME, LITTLE, FAR, UNKNOWN])
def test_where_few_units_may_have_much_more_it_is_said_whatever_is_told_of_others(other: tuple[int, ...]) -> None:
    """Hardly any unit is above the threshold, but all have so little that noise could hide as much of those few."""
    plan = planned(EACH)
    report = clipping_report(plan, answer_of(plan, other, (10**12, 0, 0, 0)))
    assert report is not None
    assert report.share is None
    assert report.text.count("ardly any unit was scaled down") == 1
    assert "; what those few have more can be more than the noise." in report.text


def test_the_least_that_is_lost_is_said_where_units_are_far_above_the_threshold() -> None:
    plan = planned(EACH)
    report = clipping_report(plan, answer_of(plan, FAR, FAR))
    assert report is not None
    assert "at least 25%, maybe far more, of rows is not counted" in report.text
    assert "at least 25%, maybe far more, of what is summed is not counted" in report.text


def test_the_ledger_keeps_nothing_where_nothing_was_chosen() -> None:
    plan = planned("SELECT count(*) FROM stays", QuerySettings(max_rows=3))
    assert lost_shares(plan, answer_of(plan)) == []
    assert clipping_report(plan, answer_of(plan)) is None
