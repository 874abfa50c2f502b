"""A crowd of clients that do not log in is thinned where it is thickest."""

from __future__ import annotations

from ipaddress import ip_address

from proxy.wire.connection import Connection
from proxy.wire.lobby import Lobby


class _From(Connection):
    """A connection from an address."""

    peer = None

    def __init__(self, address: str) -> None:
        super().__init__()
        self.peer = ip_address(address)


def test_the_address_with_the_most_gives_way_and_of_it_who_came_first() -> None:
    lobby = Lobby(5)
    friend = _From("192.0.2.1")
    crowd = [_From("198.51.100.7") for _ in range(6)]
    assert [lobby.enter(client) for client in (friend, *crowd[:4])] == [None] * 5
    assert lobby.enter(crowd[4]) is crowd[0]
    assert lobby.enter(_From("192.0.2.2")) is crowd[1]
    lobby.leave(crowd[2])
    lobby.leave(crowd[2])
    assert lobby.enter(crowd[5]) is None
    assert lobby.enter(_From("192.0.2.3")) is crowd[3]


def test_a_network_of_ipv6_is_one_address() -> None:
    lobby = Lobby(3)
    crowd = [_From(f"2001:db8::{number}") for number in range(1, 4)]
    for client in (_From("192.0.2.1"), *crowd[:2]):
        lobby.enter(client)
    assert lobby.enter(crowd[2]) is crowd[0]
