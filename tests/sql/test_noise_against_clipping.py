"""How much noise counts against clipping where a threshold is chosen (theorem 22)."""

from __future__ import annotations

import pytest

from proxy.release.clipping import RATIO, noise_share
from tests.sql.test_chosen_thresholds import planned


def shares(numbers: str) -> list[float]:
    """Of each norm, as a share of what it is if nothing is a ratio, where numbers are as many."""
    plan = planned(f"SELECT ward, {numbers} FROM stays GROUP BY ward")
    assert plan.clipping is not None
    found = []
    for norm in range(len(plan.clipping.norms)):
        members = [index for index, of in enumerate(plan.clipping.norm_of) if of == norm]
        plain = min(
            plan.mechanisms[index].standard_deviation / plan.clipping.sensitivity(index, plan.statistics[index].reach)
            for index in members
        )
        found.append(noise_share(plan, norm) / plain)
    return found


@pytest.mark.parametrize("numbers", ["avg(patient_id)", "avg(patient_id), avg(nights)", "stddev(nights)"])
def test_noise_counts_for_more_where_only_ratios_are_made_of_the_numbers(numbers: str) -> None:
    assert shares(numbers) == [pytest.approx(RATIO)] * len(shares(numbers))


@pytest.mark.parametrize("numbers", ["count(*)", "sum(patient_id)", "count(*), sum(patient_id)"])
def test_noise_counts_once_where_numbers_are_shown_as_they_are(numbers: str) -> None:
    assert shares(numbers) == [pytest.approx(1)] * len(shares(numbers))


@pytest.mark.parametrize("numbers", ["count(*), avg(patient_id)", "sum(patient_id), avg(patient_id)"])
def test_both_parts_of_a_ratio_are_clipped_alike_where_one_is_shown_as_it_is(numbers: str) -> None:
    """A sum that is scaled down to fit noisy ratios, over rows that count in full, would make averages too small."""
    assert len(shares(numbers)) == 2
    assert shares(numbers) == [pytest.approx(1)] * 2
