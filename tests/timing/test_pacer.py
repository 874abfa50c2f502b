"""The pacer: everything that asks the data leaves at the time of release, and a cancel at once."""

from __future__ import annotations

import asyncio
from fractions import Fraction

import pytest

from proxy.dp.timing import TICK, ResponseDelay
from proxy.errors import SourceFailedError, SourceQueryFailedError
from proxy.query.pacing import DRAWING_SECONDS, Pacer
from tests.timing.simulated import Clock

DELAY = ResponseDelay(Fraction(1, 10), Fraction(1, 10**7), Fraction(1, 1000))
LONG = ResponseDelay(Fraction(1, 1000), Fraction(1, 10**9), Fraction(1, 100))
"""Two minutes on average; shorter than 50 ms about once in a hundred million draws."""


class Fixed(ResponseDelay):
    """Not random, so that a test can tell when an answer is due."""

    def draw(self) -> int:
        return 500


FIXED = Fixed(DELAY.epsilon, DELAY.delta, DELAY.work)


def test_an_answer_leaves_at_start_and_measured_time_and_delay() -> None:
    async def run() -> None:
        clock = Clock()
        clock.now = 3.0
        assert await clock.pacer().paced(FIXED, clock.work(0.012_34, "answer")) == "answer"
        assert clock.now == pytest.approx(3.0 + 0.0124 + 500 * float(TICK))

    asyncio.run(run())


@pytest.mark.parametrize("error", [SourceFailedError(), SourceQueryFailedError("22"), TimeoutError()])
def test_a_failure_leaves_at_the_time_of_an_answer(error: Exception) -> None:
    async def run() -> None:
        clock = Clock()

        async def fail() -> None:
            clock.now += 0.012_34
            raise error

        with pytest.raises(type(error)):
            await clock.pacer().paced(FIXED, fail)
        assert clock.now == pytest.approx(0.0124 + 500 * float(TICK))

    asyncio.run(run())


def test_without_a_delay_nothing_waits() -> None:
    async def run() -> None:
        clock = Clock()
        assert await clock.pacer().paced(None, clock.work(0.012_34, 1)) == 1
        assert await clock.pacer().drawn(None, lambda: 2) == 2
        assert clock.now == 0.012_34

    asyncio.run(run())


def test_the_delay_is_drawn_before_the_work_begins_and_once() -> None:
    order: list[str] = []

    class Noted(ResponseDelay):
        def draw(self) -> int:
            order.append("drawn")
            return super().draw()

    async def work() -> None:
        order.append("worked")

    async def run() -> None:
        clock = Clock()
        for _ in range(2):
            await clock.pacer().paced(Noted(DELAY.epsilon, DELAY.delta, DELAY.work), work)

    asyncio.run(run())
    assert order == ["drawn", "worked"] * 2


@pytest.mark.parametrize("seconds", [0.0004, 0.003, 0.0099])
def test_drawing_ends_on_a_grid_whatever_time_it_takes(seconds: float) -> None:
    async def run() -> None:
        clock = Clock()

        def draw() -> str:
            clock.now += seconds
            return "noise"

        assert await clock.pacer().drawn(DELAY, draw) == "noise"
        assert clock.now == pytest.approx(DRAWING_SECONDS)

    asyncio.run(run())


@pytest.mark.parametrize("worked", [True, False])
def test_a_cancel_ends_the_call_at_once_and_the_work_with_it(worked: bool) -> None:
    """While the work is being done, though it is slow to end, and while its answer waits alike."""

    async def run() -> None:
        begun, may_end, ended = asyncio.Event(), asyncio.Event(), asyncio.Event()

        async def work() -> str:
            begun.set()
            try:
                if not worked:
                    await asyncio.sleep(60)
            finally:
                if not worked:
                    await may_end.wait()
                ended.set()
            return "answer"

        question = asyncio.ensure_future(Pacer().paced(LONG, work))
        await begun.wait()
        await asyncio.sleep(0.05)
        question.cancel()
        # Far less than the delay, and than the work, which ends only below.
        done, _ = await asyncio.wait([question], timeout=5)
        over = ended.is_set()
        may_end.set()
        assert done
        assert question.cancelled()
        assert over == worked
        await asyncio.wait_for(ended.wait(), 5)

    asyncio.run(run())
