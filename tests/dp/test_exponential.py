"""The exponential mechanism: its law on every path, its guarantees computed exactly, its price (theorem 10)."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from proxy.dp import weighted_choice
from proxy.dp.accounting import Price
from proxy.dp.exponential import ExponentialMechanism, ModeMechanism, exponential_epsilon, rank_slack
from proxy.dp.noise import IntegerArray
from proxy.dp.weighted_choice import Runs, draw_offset, draw_run, integers
from tests.dp.goodness import Distribution, accepts

pytestmark = pytest.mark.statistical

DRAWS = 10_000
SCORES = [0, -1, -3, -3, -7, -20, 2]
WEIGHTS = [5, 0, 1, 2, 30, 1000, 1]


def masses(scores: Sequence[int], rate: Fraction, weights: Sequence[int] | None = None) -> list[mpmath.mpf]:
    """The law of the mechanism, from its definition."""
    best = max(scores)
    exponents = [mpmath.mpf(rate.numerator) * (score - best) / rate.denominator for score in scores]
    raw = [mpmath.exp(x) * weight for x, weight in zip(exponents, weights or [1] * len(scores), strict=True)]
    return [mass / mpmath.fsum(raw) for mass in raw]


def distribution(chances: Sequence[object]) -> Distribution:
    sums = np.cumsum([float(chance) for chance in chances])  # type: ignore[arg-type]
    return lambda index: float(sums[index])


def draws(choose: Callable[[], int], count: int = DRAWS) -> IntegerArray:
    return np.array([choose() for _ in range(count)])


@pytest.mark.parametrize("weights", [None, WEIGHTS], ids=["equal", "weighted"])
@pytest.mark.parametrize("monotone", [False, True])
def test_choices_have_their_law_and_other_laws_are_rejected(weights: list[int] | None, monotone: bool) -> None:
    mechanism = ExponentialMechanism(3, Fraction(3, 2), monotone)
    found = draws(lambda: mechanism.choose(SCORES, weights))
    inner = list(range(len(SCORES) - 1))
    rate = Fraction(1, 2) if monotone else Fraction(1, 4)
    assert accepts(found, distribution(masses(SCORES, rate, weights)), inner)
    for factor in (Fraction(7, 10), Fraction(13, 10)):
        assert not accepts(found, distribution(masses(SCORES, rate * factor, weights)), inner)
    shifted = [*SCORES[1:], SCORES[0]]
    assert not accepts(found, distribution(masses(shifted, rate, weights)), inner)


def test_choices_that_are_decided_exactly_leave_the_law() -> None:
    step = np.array([0, 3, 1, 0, 0, 0, 2])
    runs = Runs(-np.array(SCORES), step, np.array(WEIGHTS))
    rate = Fraction(1, 4)
    law = [
        mass * mpmath.fsum(mpmath.exp(-slope * j / mpmath.mpf(4)) for j in range(count))
        for mass, slope, count in zip(masses(SCORES, rate), step.tolist(), WEIGHTS, strict=True)
    ]
    chances = distribution([mass / mpmath.fsum(law) for mass in law])
    inner = list(range(len(SCORES) - 1))
    assert accepts(draws(lambda: draw_run(runs, rate)), chances, inner)
    assert accepts(draws(lambda: draw_run(runs, rate, margin=1.0), 2_000), chances, inner)


def test_forced_exact_decisions_are_really_exact(monkeypatch: pytest.MonkeyPatch) -> None:
    decided = []
    exactly = weighted_choice._draw_exactly

    def counting(runs: Sequence[tuple[int, int, int]], rate: Fraction, word: int) -> int:
        decided.append(word)
        return exactly(runs, rate, word)

    monkeypatch.setattr(weighted_choice, "_draw_exactly", counting)
    runs = Runs(np.arange(50), np.zeros(50, dtype=np.int64), np.ones(50, dtype=np.int64))
    for _ in range(200):
        draw_run(runs, Fraction(1, 9))
    assert not decided
    for _ in range(20):
        draw_run(runs, Fraction(1, 9), margin=1.0)
    assert len(decided) == 20


@pytest.mark.parametrize(("boundary", "index"), [(0, 0), (2**64 - 1, 1)])
def test_a_word_on_a_boundary_is_decided_by_the_bits_that_follow(
    monkeypatch: pytest.MonkeyPatch, boundary: int, index: int
) -> None:
    # Two equal masses: the uniform number 1/2 and the one just below it are told apart exactly.
    words = iter([2**63 if index else 2**63 - 1, boundary])
    monkeypatch.setattr(weighted_choice, "uniform_bits", lambda _count: next(words))
    runs = Runs(np.array([4, 4]), np.array([0, 0]), np.array([1, 1]))
    assert draw_run(runs, Fraction(1), margin=2.0**-38) == index


@given(
    st.integers(0, 10**6),
    st.integers(0, 1000),
    st.integers(1, 10**9),
    st.fractions(Fraction(1, 10**12), 100),
    st.sampled_from([40, 128, 500]),
)
def test_exact_masses_enclose_the_true_ones(loss: int, step: int, count: int, rate: Fraction, precision: int) -> None:
    low, high = weighted_choice._mass_bounds((loss, step, count, 1, 1), rate, precision)
    with mpmath.workdps(250):
        factor = mpmath.mpf(rate.numerator) / rate.denominator
        ratio = mpmath.exp(-factor * step)
        total = (1 - ratio**count) / (1 - ratio) if step else mpmath.mpf(count)
        mass = mpmath.exp(-factor * loss) * total * mpmath.mpf(2) ** precision
        assert low <= mass <= high
        if precision == 500:
            assert high - low <= mass * mpmath.mpf(2) ** -60 + 2 * count + 2


@pytest.mark.parametrize(("step", "count"), [(0, 7), (0, 8), (1, 5), (3, 16), (2, 1000)])
def test_offsets_in_a_run_have_their_law(step: int, count: int) -> None:
    rate = Fraction(1, 20)
    found = draws(lambda: draw_offset(step, count, rate), 5_000)
    law = distribution(masses([-step * j for j in range(count)], rate))
    inner = list(range(min(count, 12) - 1))
    assert accepts(found, law, inner)
    assert not accepts(found, distribution(masses([-(step + 8) * j for j in range(count)], rate)), inner)


def test_scores_beyond_int64_and_rates_beyond_floats_are_chosen_exactly() -> None:
    shift = 10**40
    found = draws(lambda: ExponentialMechanism(3, Fraction(3, 2)).choose([score - shift for score in SCORES]), 5_000)
    assert accepts(found, distribution(masses(SCORES, Fraction(1, 4))), list(range(len(SCORES) - 1)))
    huge = ExponentialMechanism(10**80, Fraction(1, 2))
    found = draws(lambda: huge.choose([score * 10**80 for score in SCORES]), 2_000)
    assert accepts(found, distribution(masses(SCORES, Fraction(1, 4))), list(range(len(SCORES) - 1)))
    assert {ExponentialMechanism(1, Fraction(10**12)).choose(SCORES) for _ in range(20)} == {6}


@given(
    st.lists(st.tuples(st.integers(-30, 30), st.integers(-4, 4)), min_size=2, max_size=8),
    st.fractions(Fraction(1, 100), 5),
    st.booleans(),
)
def test_neighbours_stay_within_epsilon_and_within_its_rho(
    changes: list[tuple[int, int]], epsilon: Fraction, monotone: bool
) -> None:
    before = [score for score, _ in changes]
    after = [score + (abs(change) if monotone else change) for score, change in changes]
    mechanism = ExponentialMechanism(4, epsilon, monotone)
    with mpmath.workdps(50):
        p, q = masses(before, mechanism.rate), masses(after, mechanism.rate)
        losses = [mpmath.log(x / y) for x, y in zip(p, q, strict=True)]
        bound = mpmath.mpf(epsilon.numerator) / epsilon.denominator + mpmath.mpf(10) ** -40
        assert max(losses) <= bound
        assert min(losses) >= -bound
        assert max(losses) - min(losses) <= bound
        for order in (1.5, 2, 5, 40):
            moment = mpmath.fsum(y * mpmath.exp(order * loss) for y, loss in zip(q, losses, strict=True))
            assert mpmath.log(moment) / (order - 1) <= order * bound**2 / 8


def test_a_rate_that_spends_more_is_seen_by_the_exact_check() -> None:
    # The check above must fail for utilities that move in opposite directions under the monotone rate.
    rate = ExponentialMechanism(1, Fraction(1), monotone=True).rate
    p, q = masses([0, 0], rate), masses([1, -1], rate)
    losses = [math.log(x / y) for x, y in zip(p, q, strict=True)]
    assert max(losses) - min(losses) > 1


def test_the_price_is_epsilon_and_an_eighth_of_its_square() -> None:
    assert ExponentialMechanism(7, Fraction(1, 10)).price == Price(Fraction(1, 10), Fraction(1, 800), Fraction(0))
    assert Price.exponential(Fraction(10**6)) == Price.laplace(Fraction(10**6))


@given(st.fractions(Fraction(1, 10**9), 10**9), st.integers(1, 5))
def test_the_epsilon_that_a_rho_buys_costs_no_more_and_hardly_less(rho: Fraction, choices: int) -> None:
    epsilon = exponential_epsilon(rho, choices)
    price = min(epsilon**2 / (8 * choices), Price.exponential(epsilon).rho)
    assert price <= rho + Fraction(1, 10**29)
    more = epsilon * Fraction(3, 2) + 2
    assert min(more**2 / (8 * choices), Price.exponential(more).rho) > rho
    assert exponential_epsilon(rho) == exponential_epsilon(rho, 1)


def test_the_mode_is_the_most_frequent_value_or_nearly_so() -> None:
    counts = np.array([0, 10_000, 9_000, 3])
    assert {ModeMechanism(1, Fraction(1)).release(counts) for _ in range(200)} == {1}
    close = draws(lambda: ModeMechanism(4, Fraction(2)).release(np.array([12, 10])) or 0)
    assert accepts(close, distribution(masses([12, 10], Fraction(1, 2))), [0])


def test_that_no_row_has_a_value_has_its_odds_whatever_the_counts() -> None:
    mechanism = ModeMechanism(4, Fraction(2), odds_of_nothing=3)
    found = draws(lambda: 2 if (value := mechanism.release(np.array([5, 1]))) is None else value)
    law = [math.exp(5 / 2), math.exp(1 / 2), 3 * 2]
    assert accepts(found, distribution([mpmath.mpf(mass / math.fsum(law)) for mass in law]), [0])
    assert {ModeMechanism(1, Fraction(1), 10**6).release(np.array([0, 0, 0])) for _ in range(50)} == {None}
    assert {ModeMechanism(1, Fraction(1), 10**6).release(np.array([0, 9_000, 0])) for _ in range(50)} == {1}


def test_a_choice_is_worse_than_its_slack_as_rarely_as_promised() -> None:
    rate = Fraction(1, 10)
    slack = rank_slack(1000, 0.05, rate)
    law = masses([0] + [-math.ceil(slack)] * 999, rate)
    assert 0.02 < float(mpmath.fsum(law[1:])) <= 0.05


@pytest.mark.parametrize("bad", [[1.0], [True], np.array([1.5]), np.array([True]), [None]])
def test_scores_that_are_not_integers_are_refused(bad: object) -> None:
    with pytest.raises(TypeError, match=r"integer"):
        ExponentialMechanism(1, Fraction(1)).choose(bad)  # type: ignore[arg-type]


def test_nothing_to_choose_from_and_negative_weights_are_refused() -> None:
    mechanism = ExponentialMechanism(1, Fraction(1))
    with pytest.raises(ValueError, match="nothing to choose from"):
        mechanism.choose([])
    with pytest.raises(ValueError, match="nothing to choose from"):
        mechanism.choose([1], [0])
    with pytest.raises(ValueError, match="must not be negative"):
        mechanism.choose([1, 2], [1, -1])
    with pytest.raises(ValueError, match="as many first losses"):
        mechanism.choose([1, 2], [1])
    with pytest.raises(ValueError, match="one-dimensional"):
        integers(np.zeros((2, 2), dtype=np.int64))


@pytest.mark.parametrize("bad", [0, -1, float("nan"), float("inf")])
def test_prices_that_are_not_positive_and_finite_are_refused(bad: object) -> None:
    with pytest.raises(ValueError, match="epsilon must be"):
        ExponentialMechanism(1, bad)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="epsilon must be"):
        Price.exponential(bad)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="rho must be"):
        exponential_epsilon(bad)  # type: ignore[arg-type]
