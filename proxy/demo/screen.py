"""The demo's output: the progress of its start, and the answers side by side. Plain lines without a terminal."""

from __future__ import annotations

import os
import shutil
import sys
import textwrap
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Final

from proxy.demo.side_by_side import Comparison, Group, Number
from proxy.terminal import is_terminal, progress, table_lines

_ABSENT: Final = "-"
_NOT_SHOWN: Final = "not shown"
_INDENT: Final = " " * 3
_STYLES: Final = {"bold": "1", "cyan": "36", "green": "32", "dim": "2"}


class Screen:
    """Prints to standard output."""

    def __init__(self) -> None:
        self._coloured = is_terminal(sys.stdout) and not os.environ.get("NO_COLOR")

    def say(self, text: str = "") -> None:
        """Print one line, never wrapped, since it may be a command to copy."""
        print(text, flush=True)

    def remark(self, text: str) -> None:
        """Print a paragraph, wrapped."""
        self.say(_wrapped(text, ""))

    @contextmanager
    def step(self, text: str, total: int | None = None) -> Iterator[Callable[[int], None]]:
        """Announce something that takes a while, then print a line with the seconds it took.

        Args:
            text: what is being done.
            total: number of rows, if they are counted.

        Yields:
            A function to be called with the number of rows just done.
        """
        started, done = time.monotonic(), 0
        with progress(sys.stdout) as show:

            def advance(rows: int) -> None:
                nonlocal done
                done += rows
                show(f"{text}: {done:,} of {total:,}")

            show(f"{text} …")
            yield advance
        self.say(f"{text}: {time.monotonic() - started:.1f} s")

    def comparison(self, number: int, comparison: Comparison) -> None:
        """Print a question, the table of exact and noisy answers, the price, and what to notice."""
        self.say()
        self._styled(_wrapped(f"{number}. {comparison.question.title}", ""), "bold")
        self._styled(_wrapped(comparison.question.sql), "cyan")
        self.say(textwrap.indent("\n".join(["", *_table(comparison), ""]), _INDENT))
        for notice in comparison.notices:
            self._styled(_wrapped(notice), "green")
        self._styled(_wrapped(comparison.question.remark), "dim")

    def _styled(self, text: str, style: str) -> None:
        self.say(f"\033[{_STYLES[style]}m{text}\033[0m" if self._coloured else text)


def _wrapped(text: str, indent: str = _INDENT) -> str:
    """The text wrapped between words to the terminal's width; existing line breaks stay."""
    width = shutil.get_terminal_size().columns
    return "\n".join(
        textwrap.fill(
            line,
            width,
            initial_indent=indent,
            subsequent_indent=indent,
            break_long_words=False,
            break_on_hyphens=False,
        )
        for line in text.splitlines()
    )


def _table(comparison: Comparison) -> list[str]:
    """One row per number: its group's keys (once), its column if there are several, and both answers."""
    keys, labels = comparison.keys, comparison.question.aggregates
    several = len(labels) > 1
    names = [*keys, "number"] if several else list(keys)
    decimals = [_decimals(comparison.groups, index) for index in range(len(labels))]
    rows = []
    for group in comparison.groups:
        for index, number in enumerate(group.numbers):
            shown = [_key(key) if index == 0 else "" for key in group.keys]
            if several:
                shown.append(labels[index])
            rows.append([*shown, *_entries(number, decimals[index])])
    return table_lines([*names, "exact", "noisy", "95 % interval", "off by"], rows, texts=len(names))


def _decimals(groups: Sequence[Group], index: int) -> int:
    """No decimals for whole numbers and large ones, two for others."""
    values = [value for group in groups for value in (group.numbers[index].exact, group.numbers[index].noisy)]
    return 0 if all(value is None or value.is_integer() or abs(value) >= 1000 for value in values) else 2


def _entries(number: Number, decimals: int) -> list[str]:
    exact, noisy = number.exact, number.noisy
    entries = [_ABSENT if exact is None else f"{exact:,.{decimals}f}"]
    entries.append(_NOT_SHOWN if noisy is None else f"{noisy:,.{decimals}f}")
    if number.low is None or number.high is None:
        entries.append(_ABSENT)
    else:
        entries.append(f"{number.low:,.{decimals}f} to {number.high:,.{decimals}f}")
    entries.append(f"{abs(noisy - exact) / abs(exact):.2%}" if exact and noisy is not None else _ABSENT)
    return entries


def _key(value: object) -> str:
    return "NULL" if value is None else str(value)
