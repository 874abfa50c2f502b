"""A cache for facts that never change once they are true, bounded by weight; the least recently used go first."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable
from typing import Generic, TypeVar

Key = TypeVar("Key", bound=Hashable)
Item = TypeVar("Item")


class ImmutableCache(Generic[Key, Item]):
    """A least-recently-used cache whose items cannot be replaced: a cached fact must never change.

    Args:
        capacity: the largest total weight of its items, in the caller's unit.
    """

    def __init__(self, capacity: int) -> None:
        self._capacity = capacity
        self._weight = 0
        self._items: OrderedDict[Key, tuple[Item, int]] = OrderedDict()

    def get(self, key: Key) -> Item | None:
        """The item, which becomes the most recently used one; None if it is not there."""
        held = self._items.get(key)
        if held is None:
            return None
        self._items.move_to_end(key)
        return held[0]

    def put(self, key: Key, item: Item, weight: int) -> None:
        """Keep `item` unless there is one already, or it alone is heavier than the capacity."""
        if key in self._items or weight > self._capacity:
            return
        self._items[key] = (item, weight)
        self._weight += weight
        while self._weight > self._capacity:
            _, (_, dropped) = self._items.popitem(last=False)
            self._weight -= dropped
