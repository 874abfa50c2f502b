"""Places are shared fairly, whoever comes first, and however many leave while they wait."""

from __future__ import annotations

import asyncio

import pytest

from proxy.turns import Turns


async def _take(turns: Turns, who: str, order: list[str]) -> None:
    await turns.take(who)
    order.append(who)


def test_who_holds_fewer_places_gets_the_next_one() -> None:
    async def run() -> list[str]:
        turns, order = Turns(3, 2), list[str]()
        await turns.take("eve")
        await turns.take("eve")
        eves = [asyncio.create_task(_take(turns, "eve", order)) for _ in range(5)]
        await asyncio.sleep(0)
        assert order == []
        await _take(turns, "ana", order)
        bob = asyncio.create_task(_take(turns, "bob", order))
        await asyncio.sleep(0)
        turns.give_back("eve")
        await bob
        turns.give_back("eve")
        turns.give_back("ana")
        await asyncio.sleep(0)
        for waiting in eves:
            waiting.cancel()
        await asyncio.gather(*eves, return_exceptions=True)
        return order

    assert asyncio.run(run()) == ["ana", "bob", "eve", "eve"]


def test_who_leaves_while_waiting_takes_no_place_along() -> None:
    async def run() -> None:
        turns = Turns(2, 2)
        for _ in range(50):
            await turns.take("ana")
            await turns.take("ana")
            waiting = [asyncio.create_task(turns.take("bob")) for _ in range(3)]
            await asyncio.sleep(0)
            turns.give_back("ana")
            for task in waiting:
                task.cancel()
            await asyncio.gather(*waiting, return_exceptions=True)
            turns.give_back("ana")
        async with asyncio.timeout(5):
            await turns.take("carol")
            await turns.take("carol")

    asyncio.run(run())


def test_who_has_just_left_fails_nobody_who_gives_a_place_back() -> None:
    async def run() -> None:
        turns = Turns(1, 1)
        await turns.take("ana")
        leaving = asyncio.create_task(turns.take("eve"))
        staying = asyncio.create_task(turns.take("bob"))
        await asyncio.sleep(0)
        leaving.cancel()
        # Nobody but ana has run since.
        turns.give_back("ana")
        async with asyncio.timeout(5):
            await staying
        assert leaving.cancelled()
        assert (turns.held, turns.waiting) == (1, 0)

    asyncio.run(run())


def test_nobody_gets_more_than_a_share() -> None:
    async def run() -> None:
        turns = Turns(3, 2)
        await turns.take("eve")
        await turns.take("eve")
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.05):
                await turns.take("eve")
        async with asyncio.timeout(5):
            await turns.take("ana")

    asyncio.run(run())
