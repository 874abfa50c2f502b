"""Places that many want: who has the fewest gets the next one, and nobody gets all of them."""

from __future__ import annotations

import asyncio
from collections import Counter


class Turns:
    """A number of places, shared fairly.

    Args:
        places: how many there are.
        share: the most that one may have at a time.
    """

    def __init__(self, places: int, share: int) -> None:
        self._free = places
        self._share = share
        self._held: Counter[str] = Counter()
        self._waiting: dict[asyncio.Future[None], str] = {}

    @property
    def held(self) -> int:
        """How many are taken."""
        return self._held.total()

    @property
    def waiting(self) -> int:
        """How many want one."""
        return len(self._waiting)

    async def take(self, who: str) -> None:
        """Wait for a place, and take it."""
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting[turn] = who
        self._grant()
        try:
            await turn
        except BaseException:
            if self._waiting.pop(turn, None) is None:
                self.give_back(who)
            raise

    def give_back(self, who: str) -> None:
        """Leave a place to the next."""
        self._held[who] -= 1
        if not self._held[who]:
            del self._held[who]
        self._free += 1
        self._grant()

    def _grant(self) -> None:
        while self._free:
            # Whoever was cancelled stays here until its task runs again.
            entitled = [
                turn for turn, who in self._waiting.items() if not turn.done() and self._held[who] < self._share
            ]
            if not entitled:
                return
            # The first of those with the fewest: they wait in the order in which they came.
            turn = min(entitled, key=lambda turn: self._held[self._waiting[turn]])
            who = self._waiting.pop(turn)
            self._free -= 1
            self._held[who] += 1
            turn.set_result(None)
