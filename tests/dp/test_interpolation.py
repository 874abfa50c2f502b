"""Interpolated quantiles: losses by definition, sensitivities by exhaustion, numpy's own percentiles (theorem 26)."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from proxy.dp.exponential import ExponentialMechanism
from proxy.dp.histogram import Axis, Histogram, SoughtRank, Spread
from proxy.dp.interpolated_quantiles import InterpolatedQuantiles, parts_between
from proxy.dp.interpolation import LocatedValues, interpolated, slack
from proxy.dp.noise import IntegerArray
from proxy.dp.quantiles import End, QuantileMechanism
from proxy.dp.weighted_choice import Runs, integers
from tests.dp.goodness import accepts

pytestmark = pytest.mark.statistical

ROW = 4
COUNTS = st.lists(st.integers(0, 9), min_size=1, max_size=5)
FRACTIONS = st.sampled_from([Fraction(1, 2), Fraction(1, 3), Fraction(3, 4), Fraction(1, 10)])
QUARTILES = (Fraction(1, 4), Fraction(1, 2), Fraction(3, 4))
EXACT = Fraction(10**9)


def of_counts(counts: IntegerArray) -> Histogram:
    occupied = np.flatnonzero(counts)
    return Histogram(len(counts), occupied, counts[occupied])


def ranks_by_definition(weights: list[int], levels: list[int], row: int, value: int) -> tuple[Fraction, Fraction]:
    """The least and greatest p whose mean over [p, p + row) is `value`, found on a fine grid; `levels` has one more value
    than weights at either end."""
    ranks = np.concatenate([[0], np.cumsum(weights)])

    def mean(start: Fraction) -> Fraction:
        ends = [Fraction(-(10**6)), *map(Fraction, ranks.tolist()), Fraction(10**6)]
        pieces = zip(ends[:-1], ends[1:], levels, strict=True)
        whole = sum(level * max(Fraction(0), min(b, start + row) - max(a, start)) for a, b, level in pieces)
        return Fraction(whole) / row

    bends = sorted({*(int(rank) for rank in ranks), *(int(rank) - row for rank in ranks)})
    found: list[Fraction] = []
    for a, b in itertools.pairwise(bends):
        low, high = mean(Fraction(a)), mean(Fraction(b))
        if low <= value <= high:
            found += [Fraction(a), Fraction(b)] if low == high else [a + (value - low) * (b - a) / (high - low)]
    if value == levels[0]:
        found.append(Fraction(-(10**5)))
    if value == levels[-1]:
        found.append(Fraction(10**5))
    return min(found), max(found)


def losses_by_definition(part: Spread, axis: Axis, middle: SoughtRank, row: int, *, cut: bool) -> dict[int, Fraction]:
    held = list(zip(part.start.tolist(), part.length.tolist(), part.weight.tolist(), strict=True))
    values = [axis.value(start) for start, _, _ in held]
    levels = [axis.value(part.low), *values, axis.value(min(part.high, axis.size - 1))]
    sought = Fraction(middle.rank, middle.scale) - Fraction(row, 2)
    found = {}
    for position in range(part.low, part.high):
        value = axis.value(position)
        low, high = ranks_by_definition([length * weight for _, length, weight in held], levels, row, value)
        loss = max(low - sought, sought - high, Fraction(0))
        if cut and value in values:
            start, length, weight = held[values.index(value)]
            begin = sum(n * w for s, n, w in held if s < start) + (position - start) * weight
            centre = sought + Fraction(row, 2)
            reach = Fraction(weight) if position + 1 == part.high else Fraction(weight, 2)
            away = max(begin - Fraction(weight, 2) - centre, centre - begin - reach, Fraction(0))
            loss = max(loss, min(away, Fraction(length * weight, 2)))
        found[position] = loss * middle.scale
    return found


def located_losses(located: LocatedValues) -> dict[int, Fraction]:
    """The loss of each position; those of one value are found by the number that its items count."""
    found: dict[int, Fraction] = {}
    weights: dict[int, int] = {}
    runs, axis = located.runs, located.axis
    for run in range(len(runs.first)):
        for offset in range(int(runs.count[run])):
            loss = int(runs.first[run]) + offset * runs.step_of(run)
            place = int(located.origin[run]) + int(located.step[run]) * offset
            if run < located.positions:
                assert place not in found
                found[place], weights[axis.value(place)] = loss, -1
                continue
            weights[place] = weights.get(place, 0) + int(runs.weight[run])
            for position in range(located.low, located.high):
                if axis.value(position) == place and runs.weight[run]:
                    found[position] = max(found.get(position, Fraction(0)), loss)
    for value, weight in weights.items():
        assert weight in (-1, sum(axis.value(y) == value for y in range(located.low, located.high)))
    return found


def parts_of(counts: list[int], axis: Axis, data: st.DataObject) -> Spread:
    whole = Spread.of(of_counts(np.array(counts)), axis)
    if data.draw(st.booleans()):
        return whole
    high = data.draw(st.integers(1, axis.size))
    return whole.between(data.draw(st.integers(0, high - 1)), high)


@given(
    COUNTS, st.sampled_from([2, 3]), st.sampled_from([2, 4]), FRACTIONS, st.booleans(), st.integers(-9, 50), st.data()
)
@settings(max_examples=150)
def test_every_position_has_its_loss_and_counts_once(
    counts: list[int], parts: int, ties: int, fraction: Fraction, cut: bool, rank: int, data: st.DataObject
) -> None:
    axis = Axis(len(counts), ties, parts)
    part, middle = parts_of(counts, axis, data), SoughtRank(fraction.denominator, rank * ties)
    expected = losses_by_definition(part, axis, middle, ROW * ties, cut=cut)
    found = located_losses(interpolated(part, axis, middle, ROW * ties, cut=cut))
    assert found.keys() == expected.keys()
    assert all(abs(found[y] - expected[y]) < slack(fraction.denominator, 0) for y in found)


@given(COUNTS, FRACTIONS, st.booleans(), st.integers(1, 6), st.data())
@settings(max_examples=150)
def test_one_unit_moves_no_loss_by_more_than_the_sensitivity(
    counts: list[int], fraction: Fraction, together: bool, contribution: int, data: st.DataObject
) -> None:
    fractions = (fraction, Fraction(9, 10)) if together else (fraction,)
    mechanism = InterpolatedQuantiles(fractions, contribution, len(counts), Fraction(2), row=ROW)
    added = data.draw(st.lists(st.integers(0, len(counts) - 1), max_size=contribution))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("proxy.dp.interpolated_quantiles._TIES", 4)
        low = data.draw(st.integers(0, mechanism._axis.size - 1))
        losses = []
        for version in (np.array(counts), np.array(counts) + np.bincount(added, minlength=len(counts))):
            whole = Spread.of(of_counts(version), mechanism._axis)
            part = whole.between(low, whole.high)
            ends = End(Fraction(1, 20) * bool(low), 3), End(Fraction(1), mechanism._inside)
            located, sensitivity = mechanism._located(part, fraction, *ends)
            assert isinstance(located, LocatedValues)
            losses.append(located_losses(located))
    assert losses[0].keys() == losses[1].keys()
    assert max(abs(losses[0][y] - losses[1][y]) for y in losses[0]) <= sensitivity


def law_of_quartiles(mechanism: InterpolatedQuantiles, counts: IntegerArray) -> dict[tuple[int, ...], float]:
    """The probability of each median with its quartiles, from the losses that the mechanism draws by."""
    axis, (lower, median, upper) = mechanism._axis, mechanism.fractions
    whole = Spread.of(of_counts(counts), axis)

    def chances(part: Spread, fraction: Fraction, low: End, high: End) -> dict[int, float]:
        if part.low == part.high:
            return {-1: 1.0}
        located, sensitivity = mechanism._located(part, fraction, low, high)
        assert isinstance(located, LocatedValues)
        rate = float(mechanism._mechanism(sensitivity).rate)
        masses = {y: math.exp(-rate * loss) for y, loss in located_losses(located).items()}
        return {y: mass / math.fsum(masses.values()) for y, mass in masses.items()}

    def cuts(position: int) -> dict[int, float]:
        """The law of `_cut`, from the scores that it chooses by."""
        found: dict[int, float] = {}

        def choose(choice: ExponentialMechanism, runs: Runs) -> tuple[int, int]:
            assert choice.epsilon + mechanism._mechanism(1).epsilon == mechanism.epsilon / mechanism.levels
            items = [(run, offset) for run in range(2) for offset in range(int(runs.count[run]))]
            losses = [int(runs.first[run]) + offset * runs.step_of(run) for run, offset in items]
            wanted = len(found)
            found[-(10**9) - wanted] = math.exp(-float(choice.rate) * losses[wanted])
            return items[wanted]

        laws: dict[int, float] = {}
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(ExponentialMechanism, "choose_in_runs", choose)
            while len(laws) == len(found) < 2 * mechanism._inside + 1:
                cut = mechanism._cut(whole, position, median, *ends)
                laws[cut] = list(found.values())[-1]
        return {cut: mass / math.fsum(laws.values()) for cut, mass in laws.items()}

    ends = End(Fraction(0), mechanism._inside), End(Fraction(1), mechanism._inside)
    law: dict[tuple[int, ...], float] = {}
    for middle, chance in chances(whole, median, *ends).items():
        for cut, share in cuts(middle).items():
            below = chances(whole.between(0, middle), lower, ends[0], End(median, -cut))
            above = chances(whole.between(middle, whole.high), upper, End(median, cut), ends[1])
            law |= {(a, middle, cut, b): chance * share * p * q for a, p in below.items() for b, q in above.items()}
    return law


@pytest.mark.parametrize("added", [[0] * 6, [0, 0, 0, 2, 2, 2], [1] * 4, [2] * 3], ids=str)
def test_all_interpolated_quantiles_together_cost_no_more_than_their_price(
    added: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("proxy.dp.interpolated_quantiles._TIES", 4)
    mechanism = InterpolatedQuantiles(QUARTILES, 6, 3, Fraction(2), row=ROW)
    counts = np.array([2 * ROW, 0, ROW + 1])
    p, q = (law_of_quartiles(mechanism, totals) for totals in (counts, counts + np.bincount(added, minlength=3)))
    assert p.keys() == q.keys()
    losses = [math.log(p[key] / q[key]) for key in p]
    assert max(map(abs, losses)) <= 2
    for order in (1.5, 2, 10):
        moment = math.fsum(q[key] * math.exp(order * loss) for key, loss in zip(p, losses, strict=True))
        assert math.log(moment) / (order - 1) <= order * float(mechanism.price.rho)
    if added == [0] * 6:
        assert max(map(abs, losses)) > 0.5  # a check with a fourth of the epsilon would fail


def test_releases_have_the_law_of_their_losses() -> None:
    counts = np.array([4, 0, 0, 3, 9, 2])
    mechanism = InterpolatedQuantiles((Fraction(1, 3),), 2, 6, Fraction(3), row=2)
    whole = Spread.of(of_counts(counts), mechanism._axis)
    located, sensitivity = mechanism._located(whole, Fraction(1, 3), End(Fraction(0), 3), End(Fraction(1), 3))
    assert isinstance(located, LocatedValues)
    rate = float(mechanism._mechanism(sensitivity).rate)
    masses: dict[int, float] = {}
    for position, loss in located_losses(located).items():
        value = mechanism._axis.value(position)
        masses[value] = masses.get(value, 0) + math.exp(-rate * loss)
    found = np.array([mechanism.release(of_counts(counts))[0] for _ in range(5_000)])
    values = sorted(masses)
    sums = np.cumsum([masses[value] for value in values]) / math.fsum(masses.values())
    assert accepts(found, lambda value: float(sums[value]), values[:-1])


@pytest.mark.parametrize(
    "rows", [[3], [3, 7], [3, 7, 8], [2, 2, 2], [0, 5, 5, 9], [1, 1, 4, 6, 6, 6, 11, 19], list(range(20))], ids=str
)
def test_a_huge_epsilon_gives_numpys_percentiles(rows: list[int]) -> None:
    histogram = of_counts(np.bincount(rows, minlength=20) * 2**20)
    for fraction in (Fraction(1, 2), Fraction(1, 4), Fraction(9, 10), Fraction(1, 100)):
        mechanism = InterpolatedQuantiles((fraction,), 2**20, 20, EXACT, row=2**20)
        (found,) = mechanism.release(histogram)
        assert Fraction(found, parts_between(mechanism.fractions)) == pytest.approx(
            np.percentile(rows, float(100 * fraction))
        )


@pytest.mark.parametrize(
    "rows", [[3], [3, 7, 8, 10, 15], [2] * 9, [0, 5, 5, 9, 9, 9, 12], [7] * 3000 + [9] * 3001 + [11] * 50], ids=len
)
@pytest.mark.parametrize("percents", [[25, 50, 75], [30, 60], [5, 37, 62, 95], [0, 30, 50, 70, 100]], ids=str)
def test_a_huge_epsilon_gives_numpys_percentiles_together(rows: list[int], percents: list[int]) -> None:
    fractions = tuple(Fraction(percent, 100) for percent in percents)
    histogram = of_counts(np.bincount(np.array(rows) * 1000, minlength=19001) * 2**20)
    mechanism = InterpolatedQuantiles(fractions, 2**20, 19001, EXACT, row=2**20)
    found = [value / 1000 / parts_between(mechanism.fractions) for value in mechanism.release(histogram)]
    assert found == pytest.approx(np.percentile(rows, percents).tolist(), rel=1e-5)


def test_interpolation_takes_no_more_noise() -> None:
    """The same choice with and without it: the sensitivity per row is the same within a thousandth, or what cutting takes."""
    for fractions, most in (((Fraction(1, 2),), 1.001), (QUARTILES, 1.012)):
        plain = QuantileMechanism.for_rho(fractions, 2**20, 1000, Fraction(1, 200))
        other = InterpolatedQuantiles.for_rho(fractions, 2**20, 1000, Fraction(1, 200), row=2**20)
        whole = Spread.of(of_counts(np.full(1000, 2**20)), other._axis)
        _, sensitivity = other._located(whole, Fraction(1, 2), End(Fraction(0), 0), End(Fraction(1), 0))
        a_row = float(other._mechanism(sensitivity).rate) * 2 * 2**20 * other._axis.ties
        expected = float(plain._mechanism(2**20).rate) * 2 * 2**20
        assert other.price == plain.price
        assert expected / most <= a_row <= expected


@pytest.mark.parametrize("rows", [0, 1, 20, 10**6, 10**12], ids=str)
@pytest.mark.parametrize(
    "fractions",
    [
        ("0.1234567", "0.9876543"),
        ("0.25", "0.5", "0.75"),
        ("0.001", "0.999"),
        ("0.000000000000001", "0.5", "0.999999999999"),
        ("0", "0.123456789012345", "1"),
        ("0.33333333333",),
    ],
    ids=str,
)
@pytest.mark.parametrize("buckets", [1, 2, 2**20, 10**30], ids=str)
@pytest.mark.parametrize("kind", [QuantileMechanism, InterpolatedQuantiles])
def test_no_number_of_rows_fails_whatever_the_fractions(
    rows: int, fractions: tuple[str, ...], buckets: int, kind: type[QuantileMechanism]
) -> None:
    """With large denominators losses are Python integers as soon as there is a row: what fails then tells of it."""
    for place in {0, buckets // 2, buckets - 1}:
        weights = [rows * 2**20] if rows else []
        histogram = Histogram(buckets, integers([place] * len(weights)), integers(weights))
        for odds in (0, 100):
            mechanism = kind(
                tuple(map(Fraction, fractions)), 2**20, buckets, Fraction(1), row=2**20, odds_of_nothing=odds
            )
            assert len(mechanism.release(histogram)) in ({len(fractions)} if not odds else {0, len(fractions)})


@pytest.mark.parametrize("fractions", [(Fraction(1, 3),), QUARTILES], ids=str)
@pytest.mark.parametrize("groups", [1, 7, 10_000])
def test_the_rounding_of_losses_is_allowed_for_in_each_group_of_a_unit(
    fractions: tuple[Fraction, ...], groups: int
) -> None:
    """A unit of two cells in each of many groups moves the losses of each by as much as one group's allow."""
    whole = Spread.of(of_counts(np.array([9, 0, 4])), Axis(3, 1))

    def sensitivity(cells: int, of: int) -> int:
        mechanism = InterpolatedQuantiles(fractions, cells, 3, Fraction(1), row=2, groups=of)
        return mechanism._located(whole, fractions[len(fractions) // 2], End(Fraction(0), 0), End(Fraction(1), 0))[1]

    assert sensitivity(2 * groups, groups) >= groups * sensitivity(2, 1)
