"""How many logins may fail: limits for each address and each account, in bounded memory.

A guess costs its address and its account a failure each, and both get failures back over time. Where an account has
logged in from an address before, the two have a limit of their own instead. So an attacker elsewhere, or beside them
behind the same address, delays nobody who has been here since the start. Of everybody else one login a second is looked
at all the same: who guesses now and then keeps nobody out, and learns little by one guess a second.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable, Hashable
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address

Address = IPv4Address | IPv6Address

_LONGEST_NAME = 63
"""Bytes of a role's name: more characters are nobody's."""

_LOOK_SECONDS = 1.0
"""After a failure so many seconds later one more login is looked at, however many have failed."""

_REMEMBERED = 16_384
"""Addresses, accounts and pairs of them that are remembered, of each kind: a few megabytes."""


def address_of(text: str) -> Address | None:
    """A peer's address as the socket gives it, without a zone; IPv4 inside IPv6 is IPv4. None for a Unix socket."""
    try:
        address = ip_address(text.partition("%")[0])
    except ValueError:
        return None
    return (address.ipv4_mapped if isinstance(address, IPv6Address) else None) or address


def network_of(address: Address | None) -> Hashable:
    """What one client has at its disposal."""
    return IPv6Network((address, 64), strict=False) if isinstance(address, IPv6Address) else address


class LoginThrottledError(Exception):
    """Too many logins have failed; the password is not looked at."""


class Buckets:
    """Counters that fall with time, one for each key; those that are not used are forgotten.

    Args:
        size: how much a key may use at once.
        seconds: after which one of them is given back.
        keys: how many are remembered; the one that was used longest ago goes first.
        clock: seconds.
    """

    def __init__(
        self, size: int, seconds: float, keys: int = _REMEMBERED, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._size = size
        self._seconds = seconds
        self._keys = keys
        self._clock = clock
        self._used: OrderedDict[Hashable, tuple[float, float]] = OrderedDict()
        """When all that a key has used will be given back, and when it last used one."""

    def wait(self, key: Hashable) -> float:
        """Seconds until the key may use one; 0 if it may now."""
        given_back, last = self._used.get(key, (0.0, 0.0))
        now = self._clock()
        return max(0.0, min(given_back - (self._size - 1) * self._seconds, last + _LOOK_SECONDS) - now)

    def use(self, key: Hashable) -> None:
        """Use one."""
        now = self._clock()
        # No more than all of it: what is used beyond that, one a second, would keep the key waiting for ever.
        given_back = min(max(self._used.get(key, (0.0, 0.0))[0], now) + self._seconds, now + self._size * self._seconds)
        self._used[key] = given_back, now
        self._used.move_to_end(key)
        if len(self._used) > self._keys:
            self._used.popitem(last=False)


class Throttle:
    """Refuses guesses before the password is looked at.

    Args:
        clock: seconds.
        pair: failures at once of an account at an address from which it has logged in before.
        address: failures at once of an address (IPv6: of its /64).
        account: failures at once of an account at all other addresses.
        seconds: after which one of them is forgotten.
    """

    def __init__(
        self,
        clock: Callable[[], float] = time.monotonic,
        *,
        pair: int = 10,
        address: int = 20,
        account: int = 100,
        seconds: float = 10.0,
    ) -> None:
        self._pairs = Buckets(pair, seconds, clock=clock)
        self._addresses = Buckets(address, seconds, clock=clock)
        self._accounts = Buckets(account, seconds, clock=clock)
        self._known: OrderedDict[Hashable, None] = OrderedDict()

    def check(self, user: str, address: Address | None) -> None:
        """Raise LoginThrottledError if too many logins have failed, whether or not there is such a user."""
        if any(bucket.wait(key) > 0 for bucket, key in self._counters(user, address)):
            raise LoginThrottledError

    def failed(self, user: str, address: Address | None) -> None:
        """Count a failure."""
        for bucket, key in self._counters(user, address):
            bucket.use(key)

    def succeeded(self, user: str, address: Address | None) -> None:
        """Remember who logs in from where."""
        pair = (user, network_of(address))
        self._known[pair] = None
        self._known.move_to_end(pair)
        if len(self._known) > _REMEMBERED:
            self._known.popitem(last=False)

    def _counters(self, user: str, address: Address | None) -> tuple[tuple[Buckets, Hashable], ...]:
        network = network_of(address)
        if (user, network) in self._known:
            return ((self._pairs, (user, network)),)
        # A name that no role can have takes no more memory than others.
        return ((self._addresses, network), (self._accounts, user[:_LONGEST_NAME]))
