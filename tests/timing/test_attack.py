"""An attacker with 10⁵ answers and their times proves no more than what was charged; of a wrong delay, more.

The clock is simulated: a question takes 7.3 ms, and one unit makes it a whole millisecond longer, which is what the
delay allows for. Every test draws anew; each lower bound is false with 0.001 at most.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from fractions import Fraction
from functools import cache, partial

import numpy as np
import pytest

from proxy.dp.mechanisms import LaplaceMechanism
from proxy.dp.noise import discrete_laplace
from proxy.dp.stock import Stock
from proxy.dp.timing import ResponseDelay
from tests.timing.simulated import Clock, Seen, observe, proven_epsilon

pytestmark = pytest.mark.statistical

QUESTIONS = 50_000
"""Of each of two neighbours."""
MORE = 4 * QUESTIONS
"""With fewer, chance may take a tenth of what is proven."""
FEWER = 20_000
"""Enough for effects of several tenths."""

DELAY = ResponseDelay(Fraction(1, 10), Fraction(1, 10**7), Fraction(1, 1000))
EPSILON, DELTA = float(DELAY.epsilon), float(DELAY.delta)
SECONDS, OF_ONE_UNIT = 0.0073, 0.001
COUNT = LaplaceMechanism(1, Fraction(1))
"""The answer's own mechanism, where the test has one."""
AT_ONCE = 20_000
"""Draws of the samplers made at a time, to be used one after the other: the same law in a tenth of the time."""


@pytest.fixture(autouse=True)
def stocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """The delay's sampler is asked for many draws at a time."""

    @cache
    def stock(scale: Fraction) -> Stock:
        return Stock(partial(discrete_laplace, scale), AT_ONCE)

    monkeypatch.setattr("proxy.dp.timing.discrete_laplace", lambda scale, size: stock(scale).take(size))


def both(ask: Callable[[Clock, bool], Awaitable[float]], questions: int = FEWER) -> float:
    """What is proven of the two neighbours."""
    return proven_epsilon(observe(ask, False, questions), observe(ask, True, questions), DELTA)


def proven_to_cost_more(ask: Callable[[Clock, bool], Awaitable[float]], questions: int, than: float) -> bool:
    """By one of three attackers. An attacker who chooses a bad event on the first half proves little: one in 250 of a
    halved delay (2 of 500), one in 100 of noise that is drawn late (2 of 200). Three in a row do in one run of a million.
    """
    return any(both(ask, questions) > than for _ in range(3))


async def paced(clock: Clock, present: bool, delay: ResponseDelay | None = DELAY) -> float:
    return await clock.pacer().paced(delay, clock.work(SECONDS + OF_ONE_UNIT * present, 0.0))


class Halved(ResponseDelay):
    """A planted bug: noise of half the width."""

    def draw(self) -> int:
        return self.reach + (super().draw() - self.reach) // 2


class Stale(ResponseDelay):
    """A planted bug: drawn once and used again."""

    def draw(self) -> int:
        return self.reach


def test_the_times_of_answers_prove_no_more_than_was_charged() -> None:
    assert both(paced, QUESTIONS) < EPSILON


def test_without_a_delay_the_times_prove_everything() -> None:
    async def at_once(clock: Clock, present: bool) -> float:
        return await paced(clock, present, None)

    assert both(at_once, 2000) > 10 * EPSILON


@pytest.mark.parametrize("kind", [Halved, Stale])
def test_a_planted_bug_of_the_delay_is_proven(kind: type[ResponseDelay]) -> None:
    delay = kind(DELAY.epsilon, DELAY.delta, DELAY.work)

    async def ask(clock: Clock, present: bool) -> float:
        return await paced(clock, present, delay)

    assert proven_to_cost_more(ask, QUESTIONS, EPSILON)


def test_a_unit_with_more_work_than_the_policy_says_is_proven() -> None:
    async def ask(clock: Clock, present: bool) -> float:
        return await clock.pacer().paced(DELAY, clock.work(SECONDS + 5 * OF_ONE_UNIT * present, 0.0))

    assert both(ask, 6000) > EPSILON


def test_the_ticks_hide_what_is_below_them() -> None:
    """The fraction of a tick is the same, whatever a source query took."""
    times = observe(paced, False, 200).times
    assert np.allclose(times * 10_000, np.round(times * 10_000), atol=1e-6)


def drawing_seconds(noise: int) -> float:
    """A slow sampler, whose time tells what it draws."""
    return 0.004 * min(abs(noise), 2)


async def drawn_before(clock: Clock, present: bool) -> float:
    """A count of 0 or 1; the noise is drawn before the data are asked, on the grid of the pacer."""

    def draw() -> int:
        noise = int(COUNT.draw(1)[0])
        clock.now += drawing_seconds(noise)
        return noise

    pacer = clock.pacer()
    noise = await _drawn(pacer, draw)
    return await pacer.paced(DELAY, clock.work(SECONDS + OF_ONE_UNIT * present, float(int(present) + noise)))


async def _drawn(pacer: object, draw: object) -> int:
    """`Pacer.drawn` without a thread, which would take most of the test's time."""
    with pytest.MonkeyPatch.context() as patch:

        async def here(function: object) -> object:
            return function()  # type: ignore[operator]

        patch.setattr("proxy.query.pacing.asyncio.to_thread", here)
        return await pacer.drawn(DELAY, draw)  # type: ignore[attr-defined, no-any-return]


async def drawn_after(clock: Clock, present: bool) -> float:
    """A planted bug: the noise is drawn when the data are known, as part of the work."""
    noise = int(COUNT.draw(1)[0])
    seconds = SECONDS + OF_ONE_UNIT * present + drawing_seconds(noise)
    return await clock.pacer().paced(DELAY, clock.work(seconds, float(int(present) + noise)))


def test_answers_with_their_times_prove_no_more_than_both_prices() -> None:
    assert both(drawn_before) < EPSILON + float(COUNT.epsilon)


def test_noise_drawn_after_the_data_are_known_is_proven() -> None:
    assert proven_to_cost_more(drawn_after, FEWER, EPSILON + float(COUNT.epsilon))


def test_the_attack_proves_what_is_true_of_a_known_mechanism() -> None:
    """Its power: of Laplace noise with an epsilon of 1 it proves most, and no more."""
    first, second = (
        Seen(np.zeros(MORE), discrete_laplace(Fraction(1), MORE).astype(np.float64) + shift) for shift in (0, 1)
    )
    assert 0.9 < proven_epsilon(first, second, DELTA) < 1
