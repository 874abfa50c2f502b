"""Clients that have connected and not yet logged in: they are few, and who waits longest in a crowd goes first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable

from proxy.wire.connection import Connection
from proxy.wire.throttle import network_of


class Lobby:
    """Clients on their way in. Anybody can fill it with connections that say nothing, so it makes room for newcomers:
    at the cost of the address that has the most in it, and of the one of them that came first.

    Args:
        places: how many clients it holds.
    """

    def __init__(self, places: int) -> None:
        self._places = places
        self._waiting: dict[Connection, Hashable] = {}
        self._crowds: Counter[Hashable] = Counter()

    def enter(self, client: Connection) -> Connection | None:
        """Take a client in. Returns who has to go for it, if anybody."""
        leaving = self._longest_waiting() if len(self._waiting) >= self._places else None
        if leaving is not None:
            self.leave(leaving)
        self._waiting[client] = address = network_of(client.peer)
        self._crowds[address] += 1
        return leaving

    def leave(self, client: Connection) -> None:
        """Note that a client has logged in, or has gone. Twice is harmless."""
        address = self._waiting.pop(client, self)
        if address is not self:
            self._crowds[address] -= 1
            if not self._crowds[address]:
                del self._crowds[address]

    def __len__(self) -> int:
        return len(self._waiting)

    def _longest_waiting(self) -> Connection:
        ((crowd, _),) = self._crowds.most_common(1)
        return next(client for client, address in self._waiting.items() if address == crowd)
