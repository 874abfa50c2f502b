"""How plans and refusals print numbers and lists."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction


def short(value: Fraction | float) -> str:
    """A number with at most six significant digits."""
    return f"{float(value):.6g}"


def listed(words: Sequence[str]) -> str:
    """At least one word, as 'a', 'a and b' or 'a, b and c'."""
    *others, last = words
    return f"{', '.join(others)} and {last}" if others else last
