"""Accounts of neighbouring windows of time of which the same is to be said, as one line (theorem 24)."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from typing import TypeVar

Said = TypeVar("Said")


def ranges(said: Iterable[tuple[str, Said]]) -> list[tuple[str, Said]]:
    """Account names and what is said of each, with one name for each run of windows of one table that agree.

    Args:
        said: names such as `table:public.visits@2024-03`, the windows of a table one after the other.
    """
    found: list[tuple[str, Said]] = []
    for (owner, of_window, what), run in groupby(said, key=lambda item: (*_parts(item[0]), item[1])):
        first, *others = [name for name, _ in run]
        if of_window and others:
            first += f" to {others[-1].removeprefix(f'{owner}@')}"
            found.append((first, what))
        else:
            found.extend((name, what) for name in (first, *others))
    return found


def _parts(account: str) -> tuple[str, bool]:
    owner, at, _ = account.rpartition("@")
    return (owner, True) if at else (account, False)
