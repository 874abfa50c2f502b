"""How plans and refusals print numbers and lists."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction


def short(value: Fraction | float) -> str:
    """A number with at most six significant digits."""
    return f"{float(value):.6g}"


def plural(word: str) -> str:
    """More than one of what a policy calls a unit."""
    if word.endswith("s"):
        return word
    if word.endswith("y") and word[-2:-1] not in set("aeiou"):
        return f"{word[:-1]}ies"
    return f"{word}es" if word.endswith(("x", "z", "ch", "sh")) else f"{word}s"


def listed(words: Sequence[str]) -> str:
    """At least one word, as 'a', 'a and b' or 'a, b and c'."""
    *others, last = words
    return f"{', '.join(others)} and {last}" if others else last
