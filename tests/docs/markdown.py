"""Just enough Markdown to take the project's pages apart: fenced blocks, tables, headings and links."""

from __future__ import annotations

import re
import textwrap
from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Final

CHECKOUT: Final = Path(__file__).parents[2]

_NAMES: Final = ("README.md", "THREATS.md")
_FENCE: Final = re.compile(
    r"^(?P<indent> *)```(?P<language>\w*)\n(?P<body>.*?)^(?P=indent)```$", re.MULTILINE | re.DOTALL
)
_MARKER: Final = re.compile(r"<!-- (?:command|block): (\w+) -->\n\Z")
_LINK: Final = re.compile(r"\[[^\]]+\]\(([^)\s]+)\)")
_HEADING: Final = re.compile(r"^#{1,6} (.+)$", re.MULTILINE)


@dataclass(frozen=True)
class Block:
    """A fenced block: its language, its text without the list's indentation, and the name in the comment above it."""

    language: str
    text: str
    marker: str | None


@dataclass(frozen=True)
class Page:
    """A page of the documentation; `path` is relative to the checkout."""

    path: str

    def __str__(self) -> str:
        return self.path

    @cached_property
    def text(self) -> str:
        return (CHECKOUT / self.path).read_text(encoding="utf-8")

    @property
    def directory(self) -> Path:
        return (CHECKOUT / self.path).parent

    def blocks(self, language: str | None = None) -> list[Block]:
        """The fenced blocks in order; those of one language if it is given."""
        found = []
        for match in _FENCE.finditer(self.text):
            marker = _MARKER.search(self.text[: match.start()].rstrip(" "))
            found.append(Block(match["language"], textwrap.dedent(match["body"]), marker[1] if marker else None))
        return [block for block in found if language in (None, block.language)]

    def block(self, language: str, marker: str) -> str:
        """Text of the only block of `language` that has this marker."""
        (text,) = [found.text for found in self.blocks(language) if found.marker == marker]
        return text

    def table(self, *header: str) -> list[tuple[str, ...]]:
        """Rows of the only table whose header is `header`, with code marks removed."""
        lines = self.text.splitlines()
        (start,) = [number for number, line in enumerate(lines) if _cells(line) == header]
        rows = []
        for line in lines[start + 2 :]:
            if not line.startswith("|"):
                break
            rows.append(_cells(line.replace("`", "")))
        return rows

    def between(self, beginning: str, end: str) -> str:
        """The only text that stands between `beginning` and `end`."""
        (text,) = [rest.partition(end)[0] for rest in self.text.split(beginning)[1:]]
        return text

    @property
    def links(self) -> list[str]:
        """Targets of links, in order, outside of fenced blocks."""
        return _LINK.findall(self._prose)

    @cached_property
    def anchors(self) -> frozenset[str]:
        """What a link may have after `#`: GitHub's names of the headings."""
        seen: Counter[str] = Counter()
        found = set()
        for heading in _HEADING.findall(self._prose):
            name = re.sub(r"[^\w\- ]", "", _LINK.sub("", heading).lower()).strip().replace(" ", "-")
            found.add(f"{name}-{seen[name]}" if seen[name] else name)
            seen[name] += 1
        return frozenset(found)

    @property
    def _prose(self) -> str:
        return _FENCE.sub("", self.text)


def _cells(line: str) -> tuple[str, ...]:
    return tuple(cell.strip() for cell in line.strip("|").split("|")) if line.startswith("|") else ()


def _is_ours(path: Path) -> bool:
    folders = path.relative_to(CHECKOUT).parts[:-1]
    return not any(folder.startswith(".") or folder in ("build", "dist") for folder in folders)


PAGES: Final = {
    found.path: found
    for name in _NAMES
    for path in sorted(CHECKOUT.rglob(name))
    if _is_ours(path)
    for found in [Page(path.relative_to(CHECKOUT).as_posix())]
}
"""Every page of the checkout by its path."""

README: Final = PAGES["README.md"]
LANGUAGE: Final = PAGES["proxy/sql/README.md"]
POLICIES: Final = PAGES["policies/README.md"]
OPERATIONS: Final = PAGES["docker/README.md"]
LOCAL_RELEASES: Final = PAGES["proxy/local_model/README.md"]
ARCHITECTURE: Final = PAGES["proxy/README.md"]
TESTS: Final = PAGES["tests/README.md"]
