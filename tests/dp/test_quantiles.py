"""Quantiles: scores by definition, sensitivities by exhaustion, rank errors, ties, extremes, prices (theorem 11)."""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable, Iterator
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from proxy.dp.accounting import Price
from proxy.dp.exponential import ExponentialMechanism
from proxy.dp.histogram import Axis, Histogram, Located, SoughtRank, Spread
from proxy.dp.interpolated_quantiles import InterpolatedQuantiles
from proxy.dp.noise import IntegerArray
from proxy.dp.quantiles import End, QuantileMechanism
from proxy.dp.weighted_choice import Runs
from tests.dp.goodness import accepts

pytestmark = pytest.mark.statistical


def of_counts(counts: IntegerArray) -> Histogram:
    """A histogram from one weight for each bucket of the domain."""
    occupied = np.flatnonzero(counts)
    return Histogram(len(counts), occupied, counts[occupied])


MEDIAN = (Fraction(1, 2),)
QUARTILES = (Fraction(1, 4), Fraction(1, 2), Fraction(3, 4))
ROW = 1024
COUNTS = st.lists(st.integers(0, 5), min_size=1, max_size=8)
EXACT = Fraction(10**6)


def rank_error(counts: IntegerArray, bucket: int, fraction: Fraction) -> float:
    """Distance in rows from the rank that is sought to the ranks that the bucket covers."""
    below, target = int(counts[:bucket].sum()), fraction * int(counts.sum())
    return max(float(below - target), float(target - below - int(counts[bucket])), 0.0)


def losses_by_definition(counts: list[int], target: SoughtRank, fineness: int, low: int, high: int) -> dict[int, int]:
    positions = [counts[y // fineness] for y in range(len(counts) * fineness)]
    below, found = 0, {}
    for y in range(low, high):
        excess = target.scale * below - target.rank
        found[y] = max(excess, -excess - target.scale * positions[y], 0)
        below += positions[y]
    return found


def located_losses(part: Spread, target: SoughtRank) -> dict[int, int]:
    located = part.losses(target)
    runs = located.runs
    found: dict[int, int] = {}
    for run in range(len(runs.first)):
        for offset in range(int(runs.count[run])):
            position = located.position(run, offset)
            assert position not in found
            found[position] = int(runs.first[run] + offset * runs.step[run])
    return found


@given(COUNTS, st.sampled_from([1, 2, 4]), st.integers(1, 7), st.integers(-20, 100), st.data())
def test_runs_hold_every_position_once_with_its_loss(
    counts: list[int], fineness: int, scale: int, rank: int, data: st.DataObject
) -> None:
    high = data.draw(st.integers(1, len(counts) * fineness))
    low = data.draw(st.integers(0, high - 1))
    whole = Spread.of(of_counts(np.array(counts)), Axis(len(counts), fineness))
    target = SoughtRank(scale, rank)
    assert located_losses(whole, target) == losses_by_definition(counts, target, fineness, 0, len(counts) * fineness)
    assert located_losses(whole.between(low, high), target) == losses_by_definition(counts, target, fineness, low, high)


@given(COUNTS, st.sampled_from([Fraction(0), Fraction(1, 3), Fraction(1, 2), Fraction(9, 10), Fraction(1)]), st.data())
def test_one_unit_moves_no_score_by_more_than_the_sensitivity(
    counts: list[int], fraction: Fraction, data: st.DataObject
) -> None:
    contribution = 3
    lean, row = data.draw(st.integers(-5, 5)), data.draw(st.integers(1, 9))
    mechanism = QuantileMechanism((fraction,), contribution, len(counts), Fraction(2), lean, row)
    added = data.draw(st.lists(st.integers(0, len(counts) - 1), max_size=contribution))
    more = np.array(counts) + np.bincount(added, minlength=len(counts))
    scores = []
    for version in (np.array(counts), more):
        part = Spread.of(of_counts(version), Axis(len(counts), 1))
        target, sensitivity = mechanism._target(fraction, part.total)
        scores.append(located_losses(part, target))
    assert scores[0].keys() == scores[1].keys()
    assert max(abs(scores[0][y] - scores[1][y]) for y in scores[0]) <= sensitivity


def test_the_sensitivity_is_reached() -> None:
    mechanism = QuantileMechanism((Fraction(9, 10),), 1, 2, Fraction(1))
    losses = []
    for counts in ([10, 0], [11, 0]):
        part = Spread.of(of_counts(np.array(counts)), Axis(2, 1))
        target, sensitivity = mechanism._target(Fraction(9, 10), part.total)
        losses.append(located_losses(part, target)[1])
    assert losses[1] - losses[0] == 1
    assert sensitivity == 9  # of scores that are ten times the ranks: bounded by what a row above would do


@given(COUNTS, st.lists(st.sampled_from([Fraction(k, 6) for k in range(7)]), min_size=1, max_size=6))
def test_huge_epsilons_answer_quantiles_in_order_and_inside_the_rows(
    counts: list[int], fractions: list[Fraction]
) -> None:
    histogram = of_counts(np.array(counts))
    found = QuantileMechanism(tuple(fractions), 1, len(counts), EXACT).release(histogram)
    assert [bucket for _, bucket in sorted(zip(fractions, found, strict=True))] == sorted(found)
    assert all(0 <= bucket < len(counts) for bucket in found)
    if sum(counts):
        assert all(rank_error(np.array(counts), bucket, q) <= 1 for bucket, q in zip(found, fractions, strict=True))


@pytest.mark.parametrize(("lean", "expected"), [(1, [2, 5, 7]), (-1, [3, 6, 8])], ids=["lower", "upper"])
@pytest.mark.parametrize("together", [True, False], ids=["together", "alone"])
def test_where_a_fraction_falls_between_two_rows_the_lean_says_which_one(
    lean: int, expected: list[int], together: bool
) -> None:
    fractions = (Fraction(3, 10), Fraction(6, 10), Fraction(8, 10))
    histogram = of_counts(np.full(10, ROW))
    parts = [fractions] if together else [(fraction,) for fraction in fractions]
    found = [b for part in parts for b in QuantileMechanism(part, 1, 10, EXACT, lean).release(histogram)]
    assert found == expected


def skewed(rows: int, buckets: int) -> IntegerArray:
    generator = np.random.default_rng(7)
    values = np.minimum(generator.lognormal(6, 1.2, rows) * 10, buckets - 1).astype(np.int64)
    return np.bincount(values, minlength=buckets)


def test_a_median_of_100_000_skewed_rows_is_within_ten_rows_at_a_rho_of_five_thousandths() -> None:
    counts = skewed(100_000, 2**16)
    mechanism = QuantileMechanism.for_rho(MEDIAN, ROW, 2**16, Fraction(5, 1000))
    errors = np.array([rank_error(counts, int(bucket), MEDIAN[0]) for bucket in np.flatnonzero(counts)])
    law = np.exp(-errors * float(mechanism.epsilon))
    # The median of 21 is beyond ten rows if 11 of them are: the false-alarm rate is below 1e-6. (Empty buckets have the
    # errors of their neighbours; they are counted as often as these.)
    beyond = law[errors > 10].sum() / law.sum()
    assert stats.binom.sf(10, 21, 2 * beyond) < 1e-6
    histogram = of_counts(counts * ROW)
    found = [rank_error(counts, mechanism.release(histogram)[0], MEDIAN[0]) for _ in range(21)]
    assert statistics.median(found) <= 10


@pytest.mark.parametrize("factor", [Fraction(1), Fraction(7, 10), Fraction(13, 10)], ids=float)
def test_releases_have_the_law_of_their_epsilon_and_one_30_percent_off_is_rejected(factor: Fraction) -> None:
    counts, fraction, epsilon = [3, 0, 9, 1, 4, 0, 2], Fraction(2, 3), Fraction(3, 4)
    histogram = of_counts(np.array(counts))
    released = QuantileMechanism((fraction,), 1, len(counts), epsilon * factor)
    found = np.array([released.release(histogram)[0] for _ in range(10_000)])
    errors = np.array([rank_error(np.array(counts), bucket, fraction) for bucket in range(len(counts))])
    law = np.exp(-errors * float(epsilon) / (2 * float(fraction)))  # the rank's sensitivity is max(q, 1 - q) = q
    sums = np.cumsum(law / law.sum())
    assert accepts(found, lambda bucket: float(sums[bucket]), list(range(len(counts) - 1))) == (factor == 1)


def test_a_bucket_with_half_of_the_rows_is_found_for_every_fraction_inside_it() -> None:
    counts = np.bincount([10] * 300 + [50] * 600 + [90] * 300, minlength=200) * ROW
    fractions = tuple(Fraction(k, 20) for k in (1, 4, 6, 10, 14, 16, 19))
    mechanism = QuantileMechanism(fractions, ROW, 200, Fraction(20))
    for _ in range(5):
        assert mechanism.release(of_counts(counts)) == [10, 10, 50, 50, 50, 90, 90]
    # An empty bucket beside it, nearer to the sought rank by its middle, is not taken for it.
    lopsided = np.bincount([20] * 450 + [40] * 500 + [80] * 50, minlength=100) * ROW
    single = QuantileMechanism(MEDIAN, ROW, 100, Fraction(1))
    assert {single.release(of_counts(lopsided))[0] for _ in range(50)} == {40}


def share_beyond(mechanism: QuantileMechanism, counts: IntegerArray) -> float:
    """The exact probability that a single quantile is below or above all rows."""
    part = Spread.of(of_counts(counts), Axis(len(counts), 1))
    (fraction,) = mechanism.fractions
    target, sensitivity = mechanism._target(fraction, part.total)
    losses = losses_by_definition(counts.tolist(), target, 1, 0, len(counts))
    masses = np.exp(-float(mechanism._mechanism(sensitivity).rate) * np.array([losses[y] for y in range(len(counts))]))
    occupied = np.flatnonzero(counts)
    return float((masses[: occupied[0]].sum() + masses[occupied[-1] + 1 :].sum()) / masses.sum())


@pytest.mark.parametrize("fraction", [Fraction(0), Fraction(1)])
def test_many_equal_values_are_left_in_one_case_of_fifty_at_most(fraction: Fraction) -> None:
    counts = np.bincount([500] * 30 + [501] * 30, minlength=1000) * ROW
    assert 1 / 200 < share_beyond(QuantileMechanism((fraction,), ROW, 1000, Fraction(4), row=ROW), counts) < 1 / 50


@pytest.mark.parametrize("fraction", [Fraction(0), Fraction(1)])
@pytest.mark.parametrize("epsilon", [120, 1000, 100_000])
def test_where_half_a_row_is_enough_no_value_is_beyond_the_last_one(fraction: Fraction, epsilon: int) -> None:
    counts = np.bincount([400] + [500] * 60 + [600], minlength=1000) * ROW
    assert share_beyond(QuantileMechanism((fraction,), ROW, 1000, Fraction(epsilon), row=ROW), counts) < 1e-8


def test_ends_are_sought_half_a_row_deep_where_less_may_leave_the_rows() -> None:
    mechanism = QuantileMechanism((Fraction(0),), ROW, 1000, Fraction(60), row=ROW)
    assert mechanism._target(Fraction(0), 100 * ROW)[0] == SoughtRank(2, ROW)
    deeper = QuantileMechanism((Fraction(0),), ROW, 1000, Fraction(30), row=ROW)
    assert deeper._target(Fraction(0), 100 * ROW)[0].rank > ROW


@pytest.mark.parametrize("fraction", [Fraction(q, 10) for q in (0, 1, 3, 5, 9, 10)])
def test_values_are_beyond_rows_of_less_than_the_least_weight_but_hardly_beyond_more(fraction: Fraction) -> None:
    mechanism = QuantileMechanism((fraction,), ROW, 1000, Fraction(1, 4), row=ROW)
    least = mechanism.least_weight(0.95, fraction)
    enough, half = (np.bincount([500], minlength=1000) * math.ceil(least * share) for share in (1, Fraction(1, 2)))
    assert share_beyond(mechanism, enough) < 0.05
    assert share_beyond(mechanism, half) > 0.5


def test_ends_beside_other_fractions_are_half_as_deep_as_the_nearest_of_these_at_most() -> None:
    mechanism = QuantileMechanism((Fraction(0), Fraction(1, 4), Fraction(9, 10), Fraction(1)), ROW, 1000, Fraction(1))
    error = mechanism.rank_error(0.95)
    found = [mechanism.least_weight(0.95, fraction) / error for fraction in mechanism.fractions]
    assert found == pytest.approx([8, 4, 10, 20])
    ends = QuantileMechanism((Fraction(0), Fraction(1)), ROW, 1000, Fraction(1))
    assert ends.least_weight(0.95, Fraction(1)) == 2 * ends.rank_error(0.95)


def test_minimum_and_maximum_leave_the_rows_in_one_case_of_twenty_at_most() -> None:
    ends = of_counts(np.bincount([400] * 30 + [500] * 5 + [600] * 30, minlength=1000) * ROW)
    minimum = QuantileMechanism((Fraction(0),), ROW, 1000, Fraction(4))
    maximum = QuantileMechanism((Fraction(1),), ROW, 1000, Fraction(4))
    allowed = stats.binom.isf(1e-7, 200, 1 / 20)
    assert sum(minimum.release(ends)[0] != 400 for _ in range(200)) <= allowed
    assert sum(maximum.release(ends)[0] != 600 for _ in range(200)) <= allowed


def test_with_much_epsilon_minimum_and_maximum_are_those_of_the_rows() -> None:
    ends = of_counts(np.bincount([400] + [500] * 60 + [600], minlength=1000) * ROW)
    for fraction, expected in ((Fraction(0), 400), (Fraction(1), 600)):
        mechanism = QuantileMechanism((fraction,), ROW, 1000, Fraction(4000), row=ROW)
        assert {mechanism.release(ends)[0] for _ in range(1500)} == {expected}


def test_the_ends_of_a_small_group_are_sought_no_deeper_than_its_middle() -> None:
    for fraction in (Fraction(0), Fraction(1)):
        mechanism = QuantileMechanism((fraction,), ROW, 1000, Fraction(4))
        assert mechanism._target(fraction, 3 * ROW) == (SoughtRank(2, 3 * ROW), 2 * ROW)
    depth = math.ceil(1.1 * ROW / 2 * math.log(20 * 1000))
    assert mechanism._target(Fraction(0), 10**9)[0].rank == 2 * depth


def test_minimum_and_maximum_are_near_the_ends_of_many_rows() -> None:
    counts = np.zeros(2**16, dtype=np.int64)
    counts[20_000:40_000] = 5
    mechanism = QuantileMechanism((Fraction(0), Fraction(1)), ROW, 2**16, Fraction(2))
    low, high = mechanism.release(of_counts(counts * ROW))
    assert 20_000 <= low <= 20_050
    assert 39_950 <= high <= 39_999


def test_a_quantile_above_the_last_position_is_still_a_bucket() -> None:
    """The lower fraction takes the last position of all, so that no position is left for the maximum."""
    below = 1 - Fraction(1, 10**9)
    mechanism = QuantileMechanism((below, Fraction(1)), 1, 1, Fraction(10**9))
    assert mechanism.release(of_counts(np.array([10**12]))) == [0, 0]


def test_an_empty_group_gives_any_bucket() -> None:
    histogram = of_counts(np.zeros(4, dtype=np.int64))
    for fractions in (MEDIAN, (Fraction(0),), (Fraction(1),)):
        found = np.array([QuantileMechanism(fractions, 1, 4, Fraction(1)).release(histogram)[0] for _ in range(1_000)])
        assert accepts(found, lambda bucket: (bucket + 1) / 4, [0, 1, 2])


class Fork(Exception):  # noqa: N818
    """A choice that the script does not foresee, among so many runs and offsets."""

    def __init__(self, chances: list[tuple[tuple[int, int], float]]) -> None:
        self.chances = chances


def law_of_all_transcripts(
    mechanism: QuantileMechanism, histogram: Histogram, patch: pytest.MonkeyPatch
) -> dict[tuple[int, ...], float]:
    """The exact probability of every sequence of positions, from the runs and rates that the mechanism asks for."""
    law: dict[tuple[int, ...], float] = {}
    scripts: list[tuple[list[tuple[int, int]], float]] = [([], 1.0)]
    while scripts:
        script, chance = scripts.pop()
        following = iter(script)

        def scripted(
            choosing: ExponentialMechanism, runs: Runs, following: Iterator[tuple[int, int]] = following
        ) -> tuple[int, int]:
            for choice in following:
                return choice
            items = [(run, j) for run in range(len(runs.first)) for j in range(int(runs.count[run]))]
            losses = np.array([int(runs.first[run] + j * runs.step[run]) for run, j in items])
            masses = np.exp(-losses * float(choosing.rate)) * np.array([int(runs.weight[run]) for run, _ in items])
            raise Fork(list(zip(items, (masses / masses.sum()).tolist(), strict=True)))

        patch.setattr(ExponentialMechanism, "choose_in_runs", scripted)
        seen: list[int] = []
        patch.setattr(Located, "position", recording(seen))
        try:
            mechanism.release(histogram)
        except Fork as fork:
            scripts += [([*script, choice], chance * share) for choice, share in fork.chances]
        else:
            law[tuple(seen)] = chance
    return law


def recording(seen: list[int]) -> Callable[[Located, int, int], int]:
    def position(located: Located, run: int, offset: int) -> int:
        found = int(located.origin[run]) + (-offset if run < located.falling else offset)
        seen.append(found)
        return found

    return position


@pytest.mark.parametrize("fractions", [QUARTILES, (Fraction(0), Fraction(1, 2), Fraction(1))], ids=["inner", "ends"])
@pytest.mark.parametrize("added", [[0, 0], [0, 3], [1, 2], [3]], ids=str)
@pytest.mark.parametrize("lean", [0, 1, -2])
@pytest.mark.parametrize("odds", [0, 7])
def test_all_quantiles_together_cost_no_more_than_their_price(
    fractions: tuple[Fraction, ...], added: list[int], lean: int, odds: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("proxy.dp.quantiles._FINENESS", 2)
    mechanism = QuantileMechanism(fractions, 2, 4, Fraction(2), lean, odds_of_nothing=odds)
    counts = np.array([2, 0, 3, 1])
    p, q = (
        law_of_all_transcripts(mechanism, of_counts(totals), monkeypatch)
        for totals in (counts, counts + np.bincount(added, minlength=4))
    )
    assert p.keys() == q.keys()
    assert math.fsum(p.values()) == pytest.approx(1)
    losses = [math.log(p[key] / q[key]) for key in p]
    assert max(map(abs, losses)) <= 2
    for order in (1.5, 2, 10):
        moment = math.fsum(q[key] * math.exp(order * loss) for key, loss in zip(p, losses, strict=True))
        assert math.log(moment) / (order - 1) <= order * float(mechanism.price.rho)
    if added == [0, 0] and lean == 0:
        assert max(map(abs, losses)) > 0.5  # a check with a fourth of the epsilon would fail
    assert (() in p) is (odds > 0)


@pytest.mark.parametrize("fraction", [Fraction(0), Fraction(1, 3), Fraction(1, 2), Fraction(9, 10), Fraction(1)])
@pytest.mark.parametrize("total", [0, 5, 6, 40])
def test_that_there_is_nothing_is_as_likely_as_its_odds_and_the_weight_of_all_rows_say(
    fraction: Fraction, total: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    mechanism = QuantileMechanism((fraction,), 3, 4, Fraction(2), odds_of_nothing=5)
    counts = np.array([0, total, 0, 0])
    law = law_of_all_transcripts(mechanism, of_counts(counts), monkeypatch)
    target, sensitivity = mechanism._target(fraction, total)
    rate = float(mechanism._mechanism(sensitivity).rate)
    masses = [math.exp(-rate * loss) for loss in losses_by_definition(counts.tolist(), target, 1, 0, 4).values()]
    nothing = 5 * 4 * math.exp(-total * 2 / (2 * 3))
    assert law[()] == pytest.approx(nothing / (nothing + math.fsum(masses)))
    if total == 0:
        assert law[()] == pytest.approx(5 / 6)


def test_of_no_rows_hardly_any_answer_is_a_value_and_of_many_rows_each_is() -> None:
    for fractions in (MEDIAN, QUARTILES, (Fraction(1),)):
        for kind in (QuantileMechanism, InterpolatedQuantiles):
            mechanism = kind(fractions, ROW, 50, Fraction(2), row=ROW, odds_of_nothing=10**6)
            assert [mechanism.release(of_counts(np.zeros(50, dtype=int))) for _ in range(20)] == [[]] * 20
            found = [mechanism.release(of_counts(np.full(50, 10 * ROW))) for _ in range(20)]
            assert {len(values) for values in found} == {len(fractions)}


def test_prices_follow_from_the_number_of_levels() -> None:
    tenth = Fraction(1, 10)
    assert QuantileMechanism(MEDIAN, 5, 10, tenth).price == Price.exponential(tenth)
    assert QuantileMechanism(MEDIAN * 2, 5, 10, tenth).levels == 1
    three = QuantileMechanism(QUARTILES, 5, 10, tenth)
    assert three.levels == 2
    assert three.price == Price(tenth, tenth**2 / 16, Fraction(0))
    nine = QuantileMechanism.for_rho([Fraction(k, 10) for k in range(1, 10)], 5, 10, Fraction(1, 200))
    assert nine.levels == 4
    assert nine.price.rho <= Fraction(1, 200)
    assert float(nine.price.rho) == pytest.approx(1 / 200, rel=1e-6)


def test_rank_errors_are_within_their_bound_as_often_as_promised() -> None:
    counts = skewed(2_000, 2**16)
    mechanism = QuantileMechanism(MEDIAN, ROW, 2**16, Fraction(1, 50))
    bound = mechanism.rank_error(0.95)
    histogram = of_counts(counts * ROW)
    errors = [ROW * rank_error(counts, mechanism.release(histogram)[0], MEDIAN[0]) for _ in range(100)]
    assert sum(error > bound for error in errors) <= stats.binom.isf(1e-7, 100, 0.05)
    assert max(errors) > bound / 50


def test_weights_beyond_int64_are_exact() -> None:
    counts = np.array([10**30, 0, 3 * 10**30, 10**30], dtype=object)
    mechanism = QuantileMechanism((Fraction(1, 10), Fraction(1, 2), Fraction(9, 10)), 10**20, 4, Fraction(1))
    assert mechanism.release(of_counts(counts)) == [0, 2, 3]


@pytest.mark.parametrize("bad", [Fraction(-1, 10), Fraction(11, 10), float("nan")])
def test_fractions_outside_zero_to_one_are_refused(bad: Fraction) -> None:
    with pytest.raises(ValueError, match="a quantile's fraction must"):
        QuantileMechanism((bad,), 1, 4, Fraction(1))


def test_no_fraction_and_another_domain_are_refused() -> None:
    with pytest.raises(ValueError, match="no quantile"):
        QuantileMechanism((), 1, 4, Fraction(1))
    with pytest.raises(ValueError, match="a histogram of 4 buckets, got 3"):
        QuantileMechanism(MEDIAN, 1, 4, Fraction(1)).release(of_counts(np.array([1, 2, 3])))


@pytest.mark.parametrize(
    ("occupied", "weights", "message"),
    [([0, 4], [1, 1], "inside the domain"), ([-1, 2], [1, 1], "inside"), ([1, 1], [1, 1], "increasing order"),
     ([2, 1], [1, 1], "increasing order"), ([1], [-1], "must not be negative"), ([1, 2], [1], "one weight for each")],
)  # fmt: skip
def test_histograms_that_are_none_are_refused(occupied: list[int], weights: list[int], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Histogram(4, np.array(occupied), np.array(weights))


def test_rows_of_weight_zero_change_nothing() -> None:
    with_them, without = Histogram(4, np.array([0, 1, 3]), np.array([0, 2, 0])), of_counts(np.array([0, 2, 0, 0]))
    for fineness in (1, 4):
        found, expected = (
            located_losses(Spread.of(rows, Axis(4, fineness)), SoughtRank(2, 2)) for rows in (with_them, without)
        )
        assert found == expected


def test_a_part_without_positions_answers_with_its_place() -> None:
    mechanism = QuantileMechanism((Fraction(1, 4), Fraction(1, 2)), 1, 8, Fraction(1))
    part = Spread.of(of_counts(np.ones(8, dtype=np.int64)), Axis(8, 1)).between(3, 3)
    assert mechanism._choose(part, mechanism.fractions, End(Fraction(0), 0), End(Fraction(1), 0)) == [3, 3]


@pytest.mark.parametrize("rho", [Fraction(1, 1000), Fraction(1), Fraction(1000)], ids=float)
def test_what_a_rho_buys_costs_no_more_than_that_rho(rho: Fraction) -> None:
    for fractions in (MEDIAN, (Fraction(1, 4), Fraction(1, 2), Fraction(3, 4))):
        mechanism = QuantileMechanism.for_rho(fractions, 1, 8, rho)
        assert rho * Fraction(99, 100) < mechanism.price.rho <= rho
        assert mechanism.price.epsilon is not None
        assert mechanism.lean == 0
