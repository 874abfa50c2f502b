"""The law of response delays: the theorem against a direct sum, and the sampler against the law."""

from __future__ import annotations

import math
import random
from fractions import Fraction
from functools import lru_cache

import mpmath
import numpy as np
import pytest

from proxy.dp.accounting import Price
from proxy.dp.noise import discrete_laplace
from proxy.dp.timing import TICK, ResponseDelay
from tests.dp.goodness import Distribution, accepts

pytestmark = pytest.mark.statistical

Law = dict[int, mpmath.mpf]

DELAYS = [
    ResponseDelay(Fraction(1, 10), Fraction(1, 10**7), Fraction(1, 1000)),
    ResponseDelay(Fraction(1, 2), Fraction(1, 10**5), Fraction(3, 10_000)),
    ResponseDelay(Fraction(1), Fraction(1, 10**9), Fraction(1, 2000)),
    ResponseDelay(Fraction(3), Fraction(1, 100), Fraction(1, 5000)),
    ResponseDelay(Fraction(1, 5), Fraction(1, 4), Fraction(1, 1000)),
    ResponseDelay(Fraction(2), Fraction(1, 1000), Fraction(1, 10**6)),
]
NAMES = [f"{float(delay.epsilon)}, {float(delay.delta)}, {float(delay.work)} s" for delay in DELAYS]


def conditioned(delay: ResponseDelay, reach: int) -> Law:
    """P[L = x], by the definition: the masses of a discrete Laplace inside [-reach, reach], divided by their sum."""
    masses = {x: mpmath.exp(-abs(x) / _exact(delay.scale)) for x in range(-reach, reach + 1)}
    whole = mpmath.fsum(masses.values())
    return {x: mass / whole for x, mass in masses.items()}


def clamped(delay: ResponseDelay, reach: int) -> Law:
    """What it must not be: what lies outside is put on the ends."""
    ratio = mpmath.exp(-1 / _exact(delay.scale))
    law = {x: (1 - ratio) / (1 + ratio) * ratio ** abs(x) for x in range(-reach, reach + 1)}
    law[reach] /= 1 - ratio
    law[-reach] /= 1 - ratio
    return law


def _exact(number: Fraction) -> mpmath.mpf:
    return mpmath.mpf(number.numerator) / number.denominator


def delta_of(law: Law, delay: ResponseDelay) -> mpmath.mpf:
    """The least δ with which shifts of up to `delay.shift` ticks are (ε, δ)-close, by the hockey-stick divergence."""
    growth, nothing = mpmath.exp(_exact(delay.epsilon)), mpmath.mpf(0)
    worst = nothing
    for shift in {*range(1, min(delay.shift, 5) + 1), delay.shift}:
        for sign in (1, -1):
            excess = (mass - growth * law.get(x + sign * shift, nothing) for x, mass in law.items())
            worst = max(worst, mpmath.fsum(mass for mass in excess if mass > 0))
    return worst


@pytest.mark.parametrize("delay", DELAYS, ids=NAMES)
def test_times_of_release_are_as_close_as_promised_and_no_shorter_delay_is(delay: ResponseDelay) -> None:
    with mpmath.workdps(50):
        assert delta_of(conditioned(delay, delay.reach), delay) <= _exact(delay.delta)
        if delay.reach > delay.shift:
            assert delta_of(conditioned(delay, delay.reach - 1), delay) > _exact(delay.delta)


@pytest.mark.parametrize("delay", DELAYS[:3], ids=NAMES[:3])
def test_a_clamped_delay_would_break_the_promise(delay: ResponseDelay) -> None:
    with mpmath.workdps(50):
        assert delta_of(clamped(delay, delay.reach), delay) > _exact(delay.delta)


@pytest.mark.parametrize("delay", DELAYS, ids=NAMES)
def test_half_a_delay_would_break_the_promise(delay: ResponseDelay) -> None:
    with mpmath.workdps(50):
        law = conditioned(delay, delay.reach)
        halved: Law = {}
        for x, mass in law.items():
            halved[x // 2] = halved.get(x // 2, mpmath.mpf(0)) + mass
        assert delta_of(halved, delay) > _exact(delay.delta)


def test_the_usual_delay_is_an_eighth_of_a_second_on_average() -> None:
    usual = DELAYS[0]
    assert (Fraction(usual.shift), usual.scale) == (Fraction(10), Fraction(100))
    assert usual.longest == 2 * usual.reach * TICK
    assert 0.26 < usual.longest < 0.27


def test_the_price_is_that_of_a_laplace_release_and_delta() -> None:
    delay = DELAYS[0]
    assert delay.price == Price.laplace(Fraction(1, 10)) + Price.key_selection(Fraction(1, 10**7))


def law_of_draws(delay: ResponseDelay) -> Distribution:
    return distribution(delay.scale, delay.reach)


@lru_cache
def distribution(scale: Fraction, reach: int) -> Distribution:
    masses = np.exp(-np.abs(np.arange(-reach, reach + 1)) / float(scale))
    sums = np.cumsum(masses / masses.sum())
    return lambda x: 0.0 if x < 0 else float(sums[min(x, 2 * reach)])


@pytest.mark.parametrize("delay", DELAYS, ids=NAMES)
def test_delays_have_exactly_the_law_of_the_theorem(delay: ResponseDelay) -> None:
    draws = np.array([delay.draw() for _ in range(20_000)])
    assert draws.min() >= 0
    assert draws.max() <= 2 * delay.reach
    assert accepts(draws, law_of_draws(delay), boundaries(delay))


@pytest.mark.parametrize("delay", DELAYS[:5], ids=NAMES[:5])
@pytest.mark.parametrize("factor", [Fraction(1, 2), Fraction(7, 10), Fraction(13, 10)], ids=float)
def test_delays_of_another_width_are_noticed(delay: ResponseDelay, factor: Fraction) -> None:
    draws = np.clip(discrete_laplace(delay.scale * factor, 20_000), -delay.reach, delay.reach) + delay.reach
    assert not accepts(draws, law_of_draws(delay), boundaries(delay))


def test_clamped_delays_are_noticed_where_the_ends_are_likely() -> None:
    delay = DELAYS[4]
    draws = np.clip(discrete_laplace(delay.scale, 20_000), -delay.reach, delay.reach) + delay.reach
    assert not accepts(draws, law_of_draws(delay), boundaries(delay))


def boundaries(delay: ResponseDelay) -> list[int]:
    spread = min(3 * math.ceil(delay.scale), delay.reach)
    return sorted({delay.reach + spread * k // 10 for k in range(-10, 11)})


@pytest.mark.parametrize("work", [Fraction(1, 1000), Fraction(1, 3000), Fraction(123, 10**6)], ids=float)
def test_a_time_that_grows_by_the_work_of_one_unit_grows_by_no_more_ticks_than_the_proof_allows(work: Fraction) -> None:
    delay = ResponseDelay(Fraction(1), Fraction(1, 10), work)
    generator = random.Random(1)
    for _ in range(1000):
        elapsed = Fraction(generator.uniform(0, 5))
        more = elapsed + work * Fraction(generator.random())
        first, second = (math.ceil(time / TICK) for time in (elapsed, more))
        assert 0 <= second - first <= delay.shift
        assert delay.release_after(float(elapsed), 7) == float((first + 7) * TICK)


def test_an_answer_never_leaves_before_it_is_ready() -> None:
    delay = DELAYS[2]
    assert all(delay.release_after(elapsed, 0) >= elapsed for elapsed in (0.0, 1e-9, 0.123_45, 60.0))


@pytest.mark.parametrize("wrong", [Fraction(0), Fraction(-1)])
def test_arguments_must_be_positive(wrong: Fraction) -> None:
    for arguments in ((wrong, Fraction(1, 2), Fraction(1)), (Fraction(1), wrong, Fraction(1)), (Fraction(1),) * 3):
        with pytest.raises(ValueError, match="must be"):
            ResponseDelay(*arguments)
    with pytest.raises(ValueError, match="must be"):
        ResponseDelay(Fraction(1), Fraction(1, 2), wrong)
