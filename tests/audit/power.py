"""Does the audit find what is wrong? Every planted bug, with what the audit finds of it, and without it.

A bug is caught if what looks for it finds something with the bug, and nothing without.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

import pytest

from tests.audit.databases import Databases
from tests.audit.lower_bounds import Bound, Check, bounds, recorded
from tests.audit.neighbours import NEIGHBOURS
from tests.audit.planted import PLANTED, PLANTED_IN_NOISE, Plant, Planted
from tests.audit.planted_leaks import PLANTED_LEAKS
from tests.audit.running import FAILS, audit

RELEASES: Final = 2000
"""Of each neighbour, where only many of them betray a bug."""

_NAMED: Final = {neighbour.name: neighbour for neighbour in NEIGHBOURS}


@dataclass(frozen=True)
class Exercise:
    """A bug, and what looks for it.

    Attributes:
        name: what is wrong.
        plant: puts it into the product.
        look: what the audit finds, sentence by sentence.
        slow: only the program looks for it.
    """

    name: str
    plant: Plant
    look: Callable[[Databases], Sequence[str]]
    slow: bool = False


@dataclass(frozen=True)
class Verdict:
    """What was found of a bug.

    Attributes:
        name: what is wrong.
        without: what was found without the bug.
        with_: what was found with it.
    """

    name: str
    without: Sequence[str]
    with_: Sequence[str]

    @property
    def caught(self) -> bool:
        return bool(self.with_) and not self.without

    def __str__(self) -> str:
        if self.without:
            return f"not told apart, without it there is: {self.without[0]}"
        return f"caught: {self.with_[0]}" if self.with_ else "NOT CAUGHT"


def _in_numbers(bug: Planted, databases: Databases) -> list[str]:
    found = audit(databases, [bug.case], [_NAMED[bug.neighbour]]).violations
    return [violation.what for violation in found if violation.what != FAILS]


def _in_noise(bug: Planted, databases: Databases) -> list[str]:
    return [str(bound) for bound in _bounds(databases, bug.check) if not bound.holds]


def _bounds(databases: Databases, check: Check) -> Iterator[Bound]:
    for checked, smaller, whole in recorded(databases, [check]):
        yield from bounds(checked, smaller, whole, RELEASES)


EXERCISES: Final = [
    *(Exercise(bug.name, bug.plant, partial(_in_numbers, bug)) for bug in PLANTED),
    *(Exercise(bug.name, bug.plant, partial(_in_noise, bug)) for bug in PLANTED_IN_NOISE),
    *(Exercise(f"leak {leak.name}", leak.plant, leak.look, leak.slow) for leak in PLANTED_LEAKS),
]
"""Every planted bug."""


def exercise(planted: Exercise, databases: Databases, *, without: bool = True) -> Verdict:
    """Look for a bug.

    Args:
        planted: the bug.
        databases: makes sources and proxies.
        without: look for it without the bug too.
    """
    found = planted.look(databases) if without else ()
    with pytest.MonkeyPatch.context() as patch:
        planted.plant(patch)
        return Verdict(planted.name, found, planted.look(databases))


def power(databases: Databases, progress: Callable[[str], None]) -> Iterator[Verdict]:
    """Look for every bug, slow ones too.

    Args:
        databases: makes sources and proxies.
        progress: is told of each before.
    """
    for planted in EXERCISES:
        progress(planted.name)
        # What is slow is looked for without the bug by `known_leaks` or the battery.
        yield exercise(planted, databases, without=not planted.slow)
