"""What the demo prints: progress of its start, and the answers side by side. Plain lines where there is no terminal."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Final

from rich import box
from rich.console import Console
from rich.padding import Padding
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table
from rich.text import Text

from proxy.demo.side_by_side import Comparison, Group, Number

_ABSENT: Final = "-"
_NOT_SHOWN: Final = "not shown"


class Screen:
    """Prints to standard output, or wherever `console` does."""

    def __init__(self, console: Console | None = None) -> None:
        self._console = console if console is not None else Console(highlight=False)

    def say(self, text: str = "") -> None:
        """One line, never wrapped: it may be a command to copy."""
        self._console.print(Text(text), soft_wrap=True)

    def remark(self, text: str) -> None:
        """A paragraph, wrapped."""
        self._console.print(Text(text))

    @contextmanager
    def step(self, text: str) -> Iterator[None]:
        """A spinner while something is done, then a line with the seconds it took."""
        started = time.monotonic()
        with self._console.status(Text(text), spinner="line"):
            yield
        self._done(text, started)

    @contextmanager
    def loading(self, text: str, total: int) -> Iterator[Callable[[int], None]]:
        """A progress bar of `total` rows; yields the function that is told how many more there are."""
        started = time.monotonic()
        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
        shown = self._console.is_terminal
        with Progress(*columns, console=self._console, transient=True, disable=not shown) as progress:
            task = progress.add_task(text, total=total)
            yield lambda rows: progress.advance(task, rows)
        self._done(text, started)

    def comparison(self, number: int, comparison: Comparison) -> None:
        """A question, the table of exact and noisy answers, the price, and what to notice."""
        self._console.print()
        self._console.print(Text(f"{number}. {comparison.question.title}", style="bold"))
        self._indented(Text(comparison.question.sql, style="cyan"))
        self._indented(_table(comparison))
        for notice in comparison.notices:
            self._indented(Text(notice, style="green"))
        self._indented(Text(comparison.question.remark, style="dim"))

    def _indented(self, content: Text | Table) -> None:
        self._console.print(Padding(content, (0, 0, 0, 3), expand=False))

    def _done(self, text: str, started: float) -> None:
        self.say(f"{text}: {time.monotonic() - started:.1f} s")


def _table(comparison: Comparison) -> Table:
    """One row per number: its group's keys (once), its column if there are several, and both answers."""
    keys, labels = comparison.keys, comparison.question.aggregates
    several = len(labels) > 1
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0))
    for name in (*keys, "number") if several else keys:
        table.add_column(Text(name), no_wrap=True)
    for title in ("exact", "noisy", "95 % interval", "off by"):
        table.add_column(title, justify="right", no_wrap=True)
    decimals = [_decimals(comparison.groups, index) for index in range(len(labels))]
    for group in comparison.groups:
        for index, number in enumerate(group.numbers):
            shown = [_key(key) if index == 0 else "" for key in group.keys]
            if several:
                shown.append(labels[index])
            last = several and index == len(group.numbers) - 1
            table.add_row(*map(Text, [*shown, *_cells(number, decimals[index])]), end_section=last)
    return table


def _decimals(groups: Sequence[Group], index: int) -> int:
    """None for whole numbers and large ones, two for the others."""
    values = [value for group in groups for value in (group.numbers[index].exact, group.numbers[index].noisy)]
    return 0 if all(value is None or value.is_integer() or abs(value) >= 1000 for value in values) else 2


def _cells(number: Number, decimals: int) -> list[str]:
    exact, noisy = number.exact, number.noisy
    cells = [_ABSENT if exact is None else f"{exact:,.{decimals}f}"]
    cells.append(_NOT_SHOWN if noisy is None else f"{noisy:,.{decimals}f}")
    if number.low is None or number.high is None:
        cells.append(_ABSENT)
    else:
        cells.append(f"{number.low:,.{decimals}f} to {number.high:,.{decimals}f}")
    cells.append(f"{abs(noisy - exact) / abs(exact):.2%}" if exact and noisy is not None else _ABSENT)
    return cells


def _key(value: object) -> str:
    return "NULL" if value is None else str(value)
