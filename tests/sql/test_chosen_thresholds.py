"""What a plan decides where the data choose how much of a unit counts (theorem 22)."""

from __future__ import annotations

from fractions import Fraction

import pytest

from proxy.dp.accounting import Price
from proxy.dp.mechanisms import GaussianMechanism, LaplaceMechanism
from proxy.settings import QuerySettings
from proxy.sql.planning.clipping import SHARE, Clipping
from proxy.sql.planning.plan import BlockPlan
from proxy.sql.planning.statistic import GridSum
from proxy.sql.source_queries.by_norm import _scaled_bits
from tests.planned import plan_of
from tests.plans.schema import SCHEMA

LAPLACE, GAUSSIAN = QuerySettings(mechanism="laplace"), QuerySettings(mechanism="gaussian")


def planned(text: str, settings: QuerySettings = GAUSSIAN) -> BlockPlan:
    """The plan of a block; `drugs` and `stays` have no max_rows, `visits` does, `patients` have one row each."""
    return plan_of(text, SCHEMA, settings)


def clipping_of(text: str, settings: QuerySettings = GAUSSIAN) -> Clipping:
    found = planned(text, settings).clipping
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("text", "chooses"),
    [
        ("SELECT count(*) FROM stays", True),
        ("SELECT ward, count(*) FROM stays GROUP BY ward", True),
        ("SELECT count(*) FROM visits", False),
        ("SELECT count(*) FROM patients", False),
        ("SELECT sum(patient_id) FROM patients", True),
        ("SELECT count(*) FROM visits JOIN patients USING (patient_id)", False),
        ("SELECT count(*) FROM stays JOIN patients USING (patient_id)", True),
        ("SELECT count(DISTINCT ward) FROM stays", True),
        ("SELECT count(DISTINCT minutes) FROM visits", False),
        ("SELECT count(DISTINCT patient_id) FROM stays", True),
    ],
)
def test_the_data_choose_where_no_policy_states_how_many_rows_count(text: str, chooses: bool) -> None:
    assert (planned(text).clipping is not None) == chooses


def test_a_session_that_states_a_bound_chooses_nothing() -> None:
    assert planned("SELECT count(*) FROM stays", QuerySettings(max_rows=3)).clipping is None
    assert planned("SELECT count(*) FROM stays", QuerySettings(max_rows_per_group=3)).clipping is None


def test_rows_and_centred_sums_share_a_norm_and_each_other_sum_has_its_own() -> None:
    clipping = clipping_of(
        "SELECT ward, count(*), stddev(nights), sum(nights) FILTER (WHERE nights > 3), count(DISTINCT patient_id) "
        "FROM stays GROUP BY ward"
    )
    kinds = [clipping.norms[norm].of for norm in clipping.norm_of]
    assert kinds.count("rows") == 4
    assert kinds.count("groups") == 1
    assert [kind for kind in kinds if isinstance(kind, int)] == [kinds.index("groups") - 1]


def test_an_average_has_a_norm_of_its_own_sum_around_0_or_the_nearest_bound_unless_moments_need_its_middle() -> None:
    """With bounds far apart, noise for rows between them would be all that is left of an average of small values."""

    def grids(text: str) -> list[tuple[object, int]]:
        plan = planned(text)
        assert plan.clipping is not None
        return [
            (plan.clipping.norms[plan.clipping.norm_of[index]].of, statistic.grid.centre)
            for index, statistic in enumerate(plan.statistics)
            if isinstance(statistic, GridSum)
        ]

    ((own, centre),) = grids("SELECT avg(nights) FROM stays")
    assert isinstance(own, int)
    assert centre == 0
    assert [around for _, around in grids("SELECT avg(least(greatest(nights, 3), 9)) FROM stays")] == [3]
    assert [around for _, around in grids("SELECT avg(least(greatest(nights, -9), -2)) FROM stays")] == [-2]
    assert len(grids("SELECT avg(nights), sum(nights) FROM stays")) == 1
    assert {of for of, _ in grids("SELECT avg(nights), stddev(nights) FROM stays")} == {"rows"}


@pytest.mark.parametrize(
    ("text", "settings", "power"),
    [
        ("SELECT ward, count(*) FROM stays GROUP BY ward", GAUSSIAN, 2),
        ("SELECT ward, count(*) FROM stays GROUP BY ward", LAPLACE, 1),
        ("SELECT nights > 3, nights > 9, count(*) FROM stays GROUP BY ROLLUP (1, 2)", GAUSSIAN, 1),
    ],
)
def test_the_norm_is_the_one_of_the_noise_and_l1_where_totals_are_measured(
    text: str, settings: QuerySettings, power: int
) -> None:
    assert clipping_of(text, settings).power == power


@pytest.mark.parametrize("settings", [LAPLACE, GAUSSIAN], ids=["laplace", "gaussian"])
def test_the_noise_is_made_for_one_threshold_whichever_it_is(settings: QuerySettings) -> None:
    plan = planned("SELECT count(*), avg(nights), sum(nights) FROM stays WHERE nights > 1", settings)
    clipping = plan.clipping
    assert clipping is not None
    for index, (statistic, mechanism) in enumerate(zip(plan.statistics, plan.mechanisms, strict=True)):
        norm = clipping.norms[clipping.norm_of[index]]
        cells = norm.cells * (1 if isinstance(norm.of, int) else statistic.reach)
        if isinstance(mechanism, LaplaceMechanism):
            assert mechanism.sensitivity == cells
        else:
            assert mechanism.squared_sensitivity == cells**2
        for chosen in range(norm.thresholds):
            at = clipping.at([chosen] * len(clipping.norms))
            assert at.cells_per_step(index) >= 1


@pytest.mark.parametrize("settings", [LAPLACE, GAUSSIAN], ids=["laplace", "gaussian"])
def test_the_choice_takes_a_tenth_of_its_statistics_price_and_the_block_costs_no_more(settings: QuerySettings) -> None:
    plan = planned("SELECT count(*), sum(nights) FROM stays", settings)
    assert plan.clipping is not None
    choices = [choice.price for choice in plan.clipping.choices]
    noise = [mechanism.price for mechanism in plan.mechanisms]
    assert sum([*choices, *noise], Price.zero()) == plan.price
    whole = plan.guarantee.epsilon if settings is LAPLACE else plan.guarantee.rho
    for mechanism, price in zip(plan.mechanisms, choices, strict=True):
        if isinstance(mechanism, GaussianMechanism):
            assert mechanism.rho == whole / 2 * (1 - SHARE)
            assert price.rho <= whole / 2 * SHARE
        else:
            assert mechanism.epsilon == whole / 2 * (1 - SHARE)
            assert price.epsilon == whole / 2 * SHARE


def test_many_bounded_sums_share_the_norm_of_rows_so_that_the_source_groups_once() -> None:
    sums = [f"sum(nights) FILTER (WHERE nights <> {number})" for number in range(11)]
    few, many = (clipping_of(f"SELECT ward, {', '.join(sums[:count])} FROM stays GROUP BY ward") for count in (10, 11))
    assert [norm.of for norm in few.norms] == list(range(10))
    assert [norm.of for norm in many.norms] == ["rows"]


def test_all_parts_of_a_variance_share_the_weights_of_rows() -> None:
    """Otherwise it would be a variance of no weighted rows."""
    clipping = clipping_of("SELECT ward, stddev(nights), avg(nights) FROM stays GROUP BY ward")
    assert [norm.of for norm in clipping.norms] == ["rows"]


def test_units_without_groups_need_no_choice() -> None:
    (norm,) = clipping_of("SELECT count(DISTINCT patient_id) FROM stays").norms
    assert (norm.thresholds, norm.choice) == (1, None)


def test_a_calibration_proven_for_noise_alone_is_not_used_with_a_choice() -> None:
    settings = QuerySettings(mechanism="gaussian", delta=Fraction(1, 10**8), calibration="analytic")
    assert planned("SELECT count(*) FROM stays", settings).guarantee.calibration == "zcdp"
    assert planned("SELECT count(*) FROM visits", settings).guarantee.calibration == "analytic"


@pytest.mark.parametrize("text", ["SELECT avg(nights * 1000000000000) FROM stays", "SELECT stddev(nights) FROM stays"])
def test_scaled_contributions_fit_a_bigint_whatever_a_row_can_reach(text: str) -> None:
    plan = planned(text)
    assert plan.clipping is not None
    for index, statistic in enumerate(plan.statistics):
        norm = plan.clipping.norms[plan.clipping.norm_of[index]]
        # A unit's own sums are measured by themselves.
        reach = 1 if isinstance(norm.of, int) else statistic.reach
        assert reach * 3 * Fraction(2) ** _scaled_bits(norm, statistic) <= 3 * 2**30
