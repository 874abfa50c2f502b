"""Texts are read and planned beside the event loop: in threads that refuse deep texts too, and fair between analysts."""

from __future__ import annotations

import asyncio
import threading
from functools import partial

import pytest

from proxy.errors import DpproxyError
from proxy.query.desk import Desk
from proxy.sql.statement import parse_statement
from tests.parsing.test_grammar import DEEP


@pytest.mark.parametrize("name", DEEP)
@pytest.mark.parametrize("levels", [400])
def test_deep_texts_are_refused_at_the_desk_as_elsewhere(name: str, levels: int) -> None:
    text = eval(DEEP[name], {"n": levels})

    def outcome() -> str | None:
        try:
            parse_statement(text)
        except DpproxyError as error:
            return error.rule
        return "parsed"

    # How deep Python may go depends on where it began, so one of both may still parse.
    assert asyncio.run(Desk().do("ana", outcome)) in {outcome(), "depth", "parsed"}


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
