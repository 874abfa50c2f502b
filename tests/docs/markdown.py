"""Just enough Markdown to take the README apart: fenced blocks and tables."""

from __future__ import annotations

import re
import textwrap
from dataclasses import dataclass
from pathlib import Path

CHECKOUT = Path(__file__).parents[2]
README = (CHECKOUT / "README.md").read_text(encoding="utf-8")

_FENCE = re.compile(r"^(?P<indent> *)```(?P<language>\w*)\n(?P<body>.*?)^(?P=indent)```$", re.MULTILINE | re.DOTALL)
_MARKER = re.compile(r"<!-- command: (\w+) -->\n\Z")


@dataclass(frozen=True)
class Block:
    """A fenced block: its language, its text without the list's indentation, and the name in the comment above it."""

    language: str
    text: str
    marker: str | None


def blocks(language: str | None = None) -> list[Block]:
    """The README's fenced blocks in order; those of one language if it is given."""
    found = []
    for match in _FENCE.finditer(README):
        marker = _MARKER.search(README[: match.start()])
        found.append(Block(match["language"], textwrap.dedent(match["body"]), marker[1] if marker else None))
    return [block for block in found if language in (None, block.language)]


def block(language: str, beginning: str) -> str:
    """Text of the only block of `language` that begins with `beginning`."""
    (text,) = [found.text for found in blocks(language) if found.text.startswith(beginning)]
    return text


def table(*header: str) -> list[tuple[str, ...]]:
    """Rows of the only table whose header is `header`, with code marks removed."""
    lines = README.splitlines()
    (start,) = [number for number, line in enumerate(lines) if _cells(line) == header]
    rows = []
    for line in lines[start + 2 :]:
        if not line.startswith("|"):
            break
        rows.append(_cells(line.replace("`", "")))
    return rows


def between(beginning: str, end: str) -> str:
    """The only text of the README that stands between `beginning` and `end`."""
    (text,) = [rest.partition(end)[0] for rest in README.split(beginning)[1:]]
    return text


def _cells(line: str) -> tuple[str, ...]:
    return tuple(cell.strip() for cell in line.strip("|").split("|")) if line.startswith("|") else ()
