"""The output of commands: tables in plain text, progress, and what becomes of output that cannot be written."""

from __future__ import annotations

import errno
import io
import os
import sys
import unicodedata
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final, Protocol, TextIO, cast

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

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


class OutputError(Exception):
    """Standard output cannot be written; the text is for the user. No OSError, since argparse passes over those.

    Args:
        error: what the system says.
    """

    def __init__(self, error: OSError) -> None:
        super().__init__(f"standard output cannot be written: {error.strerror}")
        self.reader_has_gone = isinstance(error, BrokenPipeError)


class _CheckedFile(io.FileIO):
    """After its first failure it takes everything, so that nothing fails again while the command ends."""

    failure: OutputError | None = None

    def write(self, data: ReadableBuffer, /) -> int:
        if self.failure is not None:
            return len(memoryview(data))
        try:
            return cast("int", super().write(data))
        except OSError as error:
            self.failure = OutputError(error)
            raise self.failure from error


@contextmanager
def checked_output() -> Iterator[None]:
    """For the `with` block `print` writes to standard output, or raises; nothing is left to be written after it.

    Characters that the output's encoding lacks are escaped. What a caller has put in place of standard output stays.

    Raises:
        OutputError: something cannot be written.
    """
    before: TextIO | None = sys.stdout
    if before is None:  # its number would be that of whatever is opened first, which would be written to
        raise OutputError(OSError(errno.EBADF, os.strerror(errno.EBADF)))
    if before is not sys.__stdout__ or not isinstance(before, io.TextIOWrapper):
        yield
        return
    file = _CheckedFile(before.fileno(), "wb", closefd=False)
    checked = io.TextIOWrapper(
        io.BufferedWriter(file),
        encoding=before.encoding,
        errors="backslashreplace" if before.errors == "strict" else before.errors,
        line_buffering=before.line_buffering or before.write_through,
    )
    sys.stdout = checked
    try:
        yield
    finally:
        checked.flush()
        sys.stdout = before
        if file.failure is not None:
            raise file.failure
