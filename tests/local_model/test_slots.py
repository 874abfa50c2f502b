"""How many records are shown, and whose: the noisy number, the random choice, the price (proxy.dp.local.slots)."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from dp_accounting.pld import privacy_loss_distribution as pld
from scipy import stats

from proxy.dp.accounting import Price
from proxy.dp.local.slots import FILLER, LEAST_REPORT_EPSILON, LocalPrivacy, choose_slots
from tests.dp.conversion import conversion_delta
from tests.dp.goodness import accepts, edges, laplace_distribution

pytestmark = pytest.mark.statistical

FALSE_ALARM = 1e-7
MANY = 1 << 20


@pytest.mark.parametrize("values_per_unit", [1, 3])
def test_the_number_of_records_has_laplace_noise_of_what_one_unit_can_change(values_per_unit: int) -> None:
    privacy = LocalPrivacy(Fraction(4), 1, values_per_unit)
    assert privacy.count_scale == 5 * values_per_unit
    rows = 400
    totals = np.array([choose_slots(rows, privacy, MANY).total - rows for _ in range(6_000)])
    scale = privacy.count_scale
    assert accepts(totals, laplace_distribution(scale), edges(int(scale)))
    assert not accepts(totals, laplace_distribution(scale * Fraction(13, 10)), edges(int(scale)))
    assert not accepts(totals, laplace_distribution(scale * Fraction(7, 10)), edges(int(scale)))
    assert not accepts(totals + int(scale / 2), laplace_distribution(scale), edges(int(scale)))


def test_every_row_is_as_likely_to_be_left_out_and_to_stand_at_each_place() -> None:
    privacy, rows, runs = LocalPrivacy(Fraction(4), 1), 8, 20_000
    kept, first = np.zeros(rows), np.zeros(rows)
    for _ in range(runs):
        slots = choose_slots(rows, privacy, MANY)
        real = slots.rows[slots.rows != FILLER]
        assert len(slots.rows) == slots.total
        assert len(set(real.tolist())) == len(real) == min(rows, slots.total)
        kept[real] += 1
        if len(real):
            first[real[0]] += 1
    for counts in (kept, first):
        share = counts.sum() / rows
        spread = math.sqrt(share)
        # Tails of a binomial with thousands of hits: each of 16 counts at 1e-9.
        assert (np.abs(counts - share) < 6.2 * spread).all()


def test_of_a_file_that_is_too_long_a_random_part_is_kept() -> None:
    privacy, rows, most, runs = LocalPrivacy(Fraction(10**6), 1), 40, 10, 4_000
    kept = np.zeros(rows)
    for _ in range(runs):
        slots = choose_slots(rows, privacy, most)
        assert (len(slots.rows), slots.total) == (most, rows)
        kept[slots.rows] += 1
    low, high = stats.binom.ppf([FALSE_ALARM / rows, 1 - FALSE_ALARM / rows], runs, most / rows)
    assert (kept >= low).all()
    assert (kept <= high).all()


def file_law(values: list[int], privacy: LocalPrivacy, flipped: float) -> Counter[tuple[int, int]]:
    """Exact law of the file, as (records, ones among them), for rows of one bit that is flipped with `flipped`.

    Written from the theorem's statement: the noise on the number, then a subset or fillers (of value 0), then flips.
    """
    law: Counter[tuple[int, int]] = Counter()
    scale = float(privacy.count_scale)
    ratio, rows = math.exp(-1 / scale), len(values)
    # The noise at or below -rows is one case, since no file has fewer than no records.
    weights = {noise: (1 - ratio) / (1 + ratio) * ratio ** abs(noise) for noise in range(1 - rows, 25)}
    weights[-rows] = ratio**rows / (1 + ratio)
    for noise, weight in weights.items():
        total = rows + noise
        subsets = list(itertools.combinations(values, min(total, rows)))
        for subset in subsets:
            chosen = [*subset, *[0] * max(0, noise)]
            ones = sum(chosen)
            for kept in range(ones + 1):
                for turned in range(len(chosen) - ones + 1):
                    chance = stats.binom.pmf(kept, ones, 1 - flipped) * stats.binom.pmf(
                        turned, len(chosen) - ones, flipped
                    )
                    law[total, kept + turned] += weight * chance / len(subsets)
    return law


@pytest.mark.parametrize(("others", "own"), [([0, 0, 0], [1]), ([1, 0, 1], [1]), ([0], [1, 1]), ([], [1, 0])])
def test_adding_a_unit_changes_the_law_of_the_whole_file_by_at_most_the_price(
    others: list[int], own: list[int]
) -> None:
    """Every file of the exact law, but those longer than any that the sum holds."""
    privacy = LocalPrivacy(Fraction(1), 1, len(own))
    # One bit tells both values of this domain apart, so it is flipped with the whole of a report's epsilon.
    flipped = 1 / (1 + math.exp(float(privacy.report_epsilon)))
    without, with_unit = file_law(others, privacy, flipped), file_law(others + own, privacy, flipped)
    ratios = [with_unit[file] / without[file] for file in with_unit.keys() & without.keys() if file[0] < 20]
    assert max(ratios) <= math.exp(privacy.epsilon) * (1 + 1e-9)
    assert min(ratios) >= math.exp(-privacy.epsilon) * (1 - 1e-9)
    # Not because hardly anything changes: without the noise on the number no price would do, with half of it this fails.
    assert max(*ratios, 1 / min(ratios)) > math.exp(privacy.epsilon / 2)


@pytest.mark.parametrize(("columns", "values"), [(1, 1), (3, 1), (2, 5)])
def test_parts_of_epsilon_add_up_and_the_price_is_theirs(columns: int, values: int) -> None:
    privacy = LocalPrivacy(Fraction(7, 3), columns, values)
    assert privacy.count_epsilon + columns * values * privacy.report_epsilon == privacy.epsilon
    assert privacy.price.epsilon is not None
    assert 0 <= privacy.price.epsilon - privacy.epsilon < Fraction(1, 10**29)
    assert privacy.price.rho < Price.laplace(privacy.epsilon).rho
    assert privacy.price.delta == 0


def test_rho_covers_the_composed_loss_of_many_reports_as_dp_accounting_computes_it() -> None:
    privacy, target = LocalPrivacy(Fraction(20), 12, 4), 12.0
    bit = pld.from_randomized_response(2 * float(1 / (1 + math.exp(privacy.report_epsilon / 2))), 2)
    count = pld.from_discrete_laplace_mechanism(float(privacy.count_epsilon))
    exact = bit.self_compose(2 * privacy.reports).compose(count).get_delta_for_epsilon(target)
    charged = conversion_delta(privacy.price.rho, Fraction(target))
    assert exact <= charged
    # With half of the reports' price the bound would not hold.
    assert exact > conversion_delta(privacy.price.rho / 2, Fraction(target))


@pytest.mark.parametrize(
    ("epsilon", "columns", "values"),
    [(Fraction(0), 1, 1), (Fraction(-1), 1, 1), (Fraction(1, 100), 1, 1), (1, 0, 1), (1, 1, 0), (1, 40, 3)],
)
def test_impossible_and_useless_privacy_is_refused(epsilon: Fraction, columns: int, values: int) -> None:
    with pytest.raises(ValueError, match="must be"):
        LocalPrivacy(Fraction(epsilon), columns, values)


def test_the_least_epsilon_that_a_refusal_names_is_enough_and_less_is_not() -> None:
    with pytest.raises(ValueError, match=r"at least 1\.26 for 120 reports"):
        LocalPrivacy(Fraction(1), 40, 3)
    least = 120 * LEAST_REPORT_EPSILON * Fraction(20, 19)
    assert LocalPrivacy(least, 40, 3).report_epsilon == LEAST_REPORT_EPSILON
    with pytest.raises(ValueError, match="no usable estimate"):
        LocalPrivacy(least - Fraction(1, 10**9), 40, 3)


def test_no_more_records_are_shown_than_the_noisy_number_and_the_limit_allow() -> None:
    """Else the exact number of rows would show, whenever the noise is negative."""
    privacy, rows, most = LocalPrivacy(Fraction(1, 2), 1), 30, 40
    chosen = [choose_slots(rows, privacy, most) for _ in range(400)]
    totals = [slots.total for slots in chosen]
    assert min(totals) == 0
    assert any(0 < total < rows for total in totals)
    assert max(totals) > most
    for slots in chosen:
        assert len(slots.rows) == min(slots.total, most)
        assert set(slots.rows.tolist()) <= {*range(rows), FILLER}
