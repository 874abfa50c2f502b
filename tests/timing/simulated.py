"""A clock that nobody waits for, a source query on it, and what an observer can prove of a claimed epsilon."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from proxy.query.pacing import Pacer

Result = TypeVar("Result")
FALSE_ALARM = 1e-3
"""Of one `proven_epsilon`: the chance that it proves more than is true."""


class Clock:
    """Simulated seconds."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        """Returns at once, later."""
        self.now += seconds

    def pacer(self) -> Pacer:
        return Pacer(self, self.sleep)

    def work(self, seconds: float, result: Result) -> Callable[[], Awaitable[Result]]:
        """Work that takes so long."""

        async def do() -> Result:
            self.now += seconds
            return result

        return do


@dataclass(frozen=True)
class Seen:
    """What an observer has of many questions: answers and times."""

    answers: NDArray[np.float64]
    times: NDArray[np.float64]


def observe(ask: Callable[[Clock, bool], Awaitable[float]], present: bool, questions: int) -> Seen:
    """Ask so many times, one after the other.

    Args:
        ask: one question, of a database with or without one unit; returns its answer.
        present: is the unit there?
        questions: how many.
    """

    async def run() -> Seen:
        clock = Clock()
        answers, times = [], []
        for _ in range(questions):
            # Whole seconds, so that no sum of floats grows over a long run.
            clock.now = 0.0
            answers.append(await ask(clock, present))
            times.append(clock.now)
        return Seen(np.array(answers), np.array(times))

    return asyncio.run(run())


def proven_epsilon(without: Seen, with_unit: Seen, delta: float) -> float:
    """The largest epsilon that these observations rule out for (epsilon, delta)-DP; false with `FALSE_ALARM` at most.

    The first half of each chooses an event: an answer in one of three classes and a time on one side of a threshold.
    The other half estimates its two probabilities, by Clopper and Pearson's limits.
    """
    halves = [_halves(seen) for seen in (without, with_unit)]
    best, chosen = -math.inf, None
    for event in _events(halves[0][0], halves[1][0]):
        for first, second in ((0, 1), (1, 0)):
            low, high = (
                _limits(event(halves[side][0]), FALSE_ALARM / 2)[index] for index, side in enumerate((first, second))
            )
            if low > delta and math.log((low - delta) / high) > best:
                best, chosen = math.log((low - delta) / high), (event, first, second)
    if chosen is None:
        return 0.0
    event, first, second = chosen
    low = _limits(event(halves[first][1]), FALSE_ALARM / 2)[0]
    high = _limits(event(halves[second][1]), FALSE_ALARM / 2)[1]
    return max(0.0, math.log((low - delta) / high)) if low > delta else 0.0


Event = Callable[[Seen], NDArray[np.bool_]]


def _events(first: Seen, second: Seen) -> Sequence[Event]:
    times = np.quantile(np.concatenate([first.times, second.times]), np.linspace(0.02, 0.98, 25))
    answers = np.unique(np.concatenate([[-np.inf, np.inf], np.quantile(first.answers, [0.2, 0.5, 0.8])]))
    events: list[Event] = []
    for threshold in times:
        for low in answers:
            for high in answers[answers > low]:
                events.append(_event(low, high, threshold, early=True))
                events.append(_event(low, high, threshold, early=False))
    return events


def _event(low: float, high: float, threshold: float, *, early: bool) -> Event:
    def happens(seen: Seen) -> NDArray[np.bool_]:
        inside: NDArray[np.bool_] = (seen.answers >= low) & (seen.answers < high)
        happened: NDArray[np.bool_] = inside & ((seen.times <= threshold) == early)
        return happened

    return happens


def _halves(seen: Seen) -> tuple[Seen, Seen]:
    middle = len(seen.times) // 2
    return Seen(seen.answers[:middle], seen.times[:middle]), Seen(seen.answers[middle:], seen.times[middle:])


def _limits(happened: NDArray[np.bool_], level: float) -> tuple[float, float]:
    """One-sided confidence limits of a probability, each wrong with `level` at most."""
    count, number = int(np.count_nonzero(happened)), len(happened)
    low = 0.0 if count == 0 else float(stats.beta.ppf(level, count, number - count + 1))
    high = 1.0 if count == number else float(stats.beta.ppf(1 - level, count + 1, number - count))
    return low, high
