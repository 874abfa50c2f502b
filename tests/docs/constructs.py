"""The table of constructs in the analysts' page: `python -m tests.docs.constructs` prints it."""

from __future__ import annotations

from collections.abc import Iterator

from tests.docs.construct import Answered, Refused
from tests.docs.construct_examples import CONSTRUCTS

_HEADER = "| construct | example | answered, or refused because |\n|---|---|---|"


def table() -> str:
    """All groups of constructs in Markdown, one table for each."""
    return "\n\n".join(f"**{group}**\n\n{_rows(constructs)}" for group, constructs in CONSTRUCTS.items())


def _rows(constructs: dict[str, Answered | Refused]) -> str:
    return "\n".join((_HEADER, *_lines(constructs)))


def _lines(constructs: dict[str, Answered | Refused]) -> Iterator[str]:
    for name, construct in constructs.items():
        yield f"| {name} | `{construct.query}` | {_outcome(construct)} |"


def _outcome(construct: Answered | Refused) -> str:
    if isinstance(construct, Refused):
        return f"{construct.sqlstate}: {construct.message}"
    return {0: "answered, free", 1: "answered"}.get(construct.blocks, f"answered, {construct.blocks} blocks")


if __name__ == "__main__":
    print(table())
