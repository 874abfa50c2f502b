"""SQL is built beside the event loop, in threads that are fair between analysts."""

from __future__ import annotations

import asyncio
import threading
from functools import partial

import pytest

from proxy.query.desk import Desk


def test_one_analyst_has_one_turn_at_a_time() -> None:
    async def run() -> list[str]:
        desk, begun, let_go = Desk(), threading.Event(), threading.Event()
        order: list[str] = []

        def long() -> None:
            begun.set()
            let_go.wait(30)

        first = asyncio.create_task(desk.do("eve", long))
        await asyncio.to_thread(begun.wait, 30)
        waiting = [asyncio.create_task(desk.do("eve", partial(order.append, "eve"))) for _ in range(20)]
        await asyncio.sleep(0)
        await desk.do("ana", partial(order.append, "ana"))
        let_go.set()
        await asyncio.gather(first, *waiting)
        return order

    assert asyncio.run(run()) == ["ana"] + ["eve"] * 20


def test_who_leaves_keeps_the_turn_until_the_work_ends() -> None:
    async def run() -> list[str]:
        desk, begun, let_go = Desk(), threading.Event(), threading.Event()
        order: list[str] = []

        def long() -> None:
            begun.set()
            let_go.wait(30)
            order.append("long")

        first = asyncio.create_task(desk.do("eve", long))
        await asyncio.to_thread(begun.wait, 30)
        first.cancel()
        with pytest.raises(asyncio.CancelledError):
            await first
        second = asyncio.create_task(desk.do("eve", partial(order.append, "second")))
        left = asyncio.create_task(desk.do("eve", partial(order.append, "left")))
        await asyncio.sleep(0.05)
        left.cancel()
        assert order == []
        let_go.set()
        await second
        return order

    assert asyncio.run(run()) == ["long", "second"]


def test_errors_are_the_callers() -> None:
    def fails() -> None:
        raise RecursionError("deep")

    async def run() -> str:
        desk = Desk()
        with pytest.raises(RecursionError):
            await desk.do("ana", fails)
        return await desk.do("ana", lambda: "next")

    assert asyncio.run(run()) == "next"
