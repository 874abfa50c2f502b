"""A noisy answer as it is stored: group keys and integers of any size, written and read back exactly."""

from __future__ import annotations

import json
from dataclasses import dataclass
from fractions import Fraction
from itertools import repeat
from typing import Final

_OBJECT_BYTES: Final = 64
"""More than a small int, an empty str or tuple, and the pointer to it take in CPython."""


@dataclass(frozen=True)
class StoredAnswer:
    """The released rows of one block. Immutable: everyone who recalls it gets the same ones.

    Attributes:
        keys: for each group, its keys in Postgres's text form, None for NULL.
        values: for each group, its noisy statistics, in grid cells.
        chosen: for each group, its chosen values, as text: numbers of buckets, or values, None for NULL; empty if
            nothing was chosen.
        thresholds: for each norm of a unit, the index of the threshold to which it is clipped; empty if none is chosen.
        told: for each choice of a threshold, what is told about it, in cells.
        worths: the ρ of the question at which each number would be as exact, where these differ; else empty.

    Raises:
        ValueError: the number of rows differs between keys, values and (if there are any) chosen values.
    """

    keys: tuple[tuple[str | None, ...], ...]
    values: tuple[tuple[int, ...], ...]
    chosen: tuple[tuple[str | None, ...], ...] = ()
    thresholds: tuple[int, ...] = ()
    told: tuple[tuple[int, ...], ...] = ()
    worths: tuple[Fraction, ...] = ()

    def __post_init__(self) -> None:
        if len(self.keys) != len(self.values):
            raise ValueError(f"{len(self.keys)} rows of keys, {len(self.values)} rows of values")
        if self.chosen and len(self.chosen) != len(self.keys):
            raise ValueError(f"{len(self.keys)} rows of keys, {len(self.chosen)} rows of choices")

    def encode(self) -> str:
        """As JSON in ASCII. Integers are hexadecimal: exact at any size, in linear time (decimal is quadratic)."""
        values = [list(map(hex, row)) for row in self.values]
        content: dict[str, object] = {"keys": self.keys, "values": values}
        if self.chosen:
            content["chosen"] = self.chosen
        if self.thresholds:
            content |= {"thresholds": self.thresholds, "told": self.told}
        if self.worths:
            content["worths"] = list(map(str, self.worths))
        return json.dumps(content, separators=(",", ":"))

    @classmethod
    def decode(cls, content: str) -> StoredAnswer:
        """The inverse of `encode`."""
        stored = json.loads(content)
        return cls(
            tuple(map(tuple, stored["keys"])),
            tuple(tuple(map(int, row, repeat(16))) for row in stored["values"]),
            tuple(map(tuple, stored.get("chosen", ()))),
            tuple(stored.get("thresholds", ())),
            tuple(map(tuple, stored.get("told", ()))),
            tuple(map(Fraction, stored.get("worths", ()))),
        )

    def memory(self, encoded: str) -> int:
        """An upper bound of the bytes that this object takes, from its shape and the length of its encoding."""
        rows = (*self.keys, *self.values, *self.chosen, self.thresholds, *self.told, self.worths)
        return _OBJECT_BYTES * (sum(map(len, rows)) + len(rows) + 1) + len(encoded)
