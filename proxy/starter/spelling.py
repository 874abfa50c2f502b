"""Names and values as a policy spells them, and comments that stay on their line whatever a name contains."""

from __future__ import annotations

import datetime as dt
import json
import re
from collections.abc import Iterable
from decimal import Decimal
from typing import Final

from proxy.policy.model import Value
from proxy.policy.scalars import UnreadableScalarError, read_scalar

_BARE: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_.]*")
_UNUSUAL: Final = re.compile(r"[^ -~\u00a1-\u024f]")
_AMBIGUOUS: Final = frozenset({"y", "n", "yes", "no", "on", "off"})
"""Words that other readers of YAML take for true or false."""


def key(name: str) -> str:
    """A name as a key: plain where all readers of YAML agree on it, else in quotes."""
    return name if _BARE.fullmatch(name) and _is_text(name) else _quoted(name)


def text(value: str) -> str:
    """A value of a text column, such that no variable is seen in it."""
    return key(value.replace("$", "$$"))


def values(listed: Iterable[Value]) -> str:
    """A list on one line."""
    return f"[{', '.join(text(value) if isinstance(value, str) else _plain(value) for value in listed)}]"


def _plain(value: bool | Decimal | dt.date | int) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return limit(value) if isinstance(value, (Decimal, dt.date)) else str(value)


def limit(value: Decimal | dt.date) -> str:
    """A bound."""
    return value.isoformat() if isinstance(value, dt.date) else f"{value:f}"


def comment(words: str) -> str:
    """Words as they may stand in a comment: on one line, and without what a terminal would obey."""
    return "".join(letter if letter.isprintable() else ascii(letter)[1:-1] for letter in words)


def decide(line: str, *questions: str) -> str:
    """A line with a mark that says what is left to decide; the line alone if nothing is."""
    return f"{line}  # decide: {comment('; '.join(questions))}" if questions else line


def _is_text(name: str) -> bool:
    try:
        return name.lower() not in _AMBIGUOUS and isinstance(read_scalar(name), str)
    except UnreadableScalarError:
        return False


def _quoted(name: str) -> str:
    def escaped(match: re.Match[str]) -> str:
        code = ord(match[0])
        return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"

    return _UNUSUAL.sub(escaped, json.dumps(name, ensure_ascii=False))
