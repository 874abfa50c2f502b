"""The output of commands: tables in plain text, and progress."""

from __future__ import annotations

import os
import sys
import unicodedata
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Final, Protocol, TextIO

_ERASED_LINE: Final = "\r\033[K"


class Show(Protocol):
    """Replace the text that was shown before."""

    def __call__(self, text: str) -> None: ...


def table_lines(titles: Sequence[str], rows: Sequence[Sequence[str]], texts: int) -> list[str]:
    """A table with a rule under its titles.

    Args:
        titles: of the columns.
        rows: a text for each column, without newlines.
        texts: how many columns, from the first, are aligned to the left; the others hold numbers.
    """
    widths = [max(map(_width, column)) for column in zip(titles, *rows, strict=True)]

    def line(entries: Sequence[str]) -> str:
        blanks = [" " * (width - _width(entry)) for entry, width in zip(entries, widths, strict=True)]
        left = [entry + blank for entry, blank in zip(entries[:texts], blanks[:texts], strict=True)]
        right = [blank + entry for entry, blank in zip(entries[texts:], blanks[texts:], strict=True)]
        return "   ".join(left + right).rstrip()

    return [line(titles), "─" * (sum(widths) + 3 * (len(widths) - 1)), *map(line, rows)]


def _width(text: str) -> int:
    """The number of columns that a text takes on a terminal."""
    return sum(
        0 if unicodedata.combining(letter) else 1 + (unicodedata.east_asian_width(letter) in "WF") for letter in text
    )


def is_terminal(stream: TextIO) -> bool:
    """Is it a terminal that can erase a line?"""
    return stream.isatty() and os.environ.get("TERM") != "dumb"


@contextmanager
def progress(stream: TextIO | None = None) -> Iterator[Show]:
    """One line of progress, which is removed after the `with` block. Nothing without a terminal.

    Args:
        stream: where it is shown; standard error if None.
    """
    to = sys.stderr if stream is None else stream

    def show(text: str) -> None:
        if is_terminal(to):
            print(f"{_ERASED_LINE}{text}", end="", file=to, flush=True)

    try:
        yield show
    finally:
        show("")
