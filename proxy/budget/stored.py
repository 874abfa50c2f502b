"""A noisy answer as it is kept: group keys and integers of any size, written and read back exactly."""

from __future__ import annotations

import json
from dataclasses import dataclass
from itertools import repeat
from typing import Final

_OBJECT_BYTES: Final = 64
"""More than a small int, an empty str or tuple, and the pointer to it take in CPython."""


@dataclass(frozen=True)
class StoredAnswer:
    """The released rows of one block. Immutable: everyone who recalls it gets the same one.

    Attributes:
        keys: for each group its keys in Postgres's text form, None for NULL.
        values: for each group its noisy statistics, in grid cells.

    Raises:
        ValueError: not one row of values for each row of keys.
    """

    keys: tuple[tuple[str | None, ...], ...]
    values: tuple[tuple[int, ...], ...]

    def __post_init__(self) -> None:
        if len(self.keys) != len(self.values):
            raise ValueError(f"{len(self.keys)} rows of keys, {len(self.values)} rows of values")

    def encode(self) -> str:
        """As JSON in ASCII. Integers are hexadecimal text: exact at any size, in linear time (decimal is quadratic)."""
        values = [list(map(hex, row)) for row in self.values]
        return json.dumps({"keys": self.keys, "values": values}, separators=(",", ":"))

    @classmethod
    def decode(cls, content: str) -> StoredAnswer:
        """The inverse of `encode`."""
        stored = json.loads(content)
        return cls(
            tuple(map(tuple, stored["keys"])),
            tuple(tuple(map(int, row, repeat(16))) for row in stored["values"]),
        )

    def memory(self, encoded: str) -> int:
        """Bytes that this object takes at most: a bound from its shape and the length of its encoding."""
        cells = sum(map(len, self.keys)) + sum(map(len, self.values))
        return _OBJECT_BYTES * (cells + len(self.keys) + len(self.values) + 1) + len(encoded)
