"""The audit finds what is wrong: bugs are planted one by one, and each is reported; without them nothing is."""

from __future__ import annotations

import pytest

from tests.audit.databases import Databases
from tests.audit.neighbours import NEIGHBOURS
from tests.audit.planted import PLANTED, PLANTED_IN_NOISE
from tests.audit.planted_leaks import PLANTED_LEAKS
from tests.audit.power import EXERCISES, Exercise, exercise
from tests.audit.running import audit

_QUICK = [exercise for exercise in EXERCISES if not exercise.slow]


@pytest.mark.parametrize("bug", _QUICK, ids=lambda bug: bug.name)
def test_the_audit_finds_a_planted_bug(bug: Exercise, databases: Databases) -> None:
    """That it finds nothing without the bug is what the other tests here say; the program looks for both."""
    verdict = exercise(bug, databases, without=False)
    assert verdict.caught, str(verdict)


def test_without_a_bug_the_same_statements_show_nothing(databases: Databases) -> None:
    neighbours = [neighbour for neighbour in NEIGHBOURS if neighbour.name in {bug.neighbour for bug in PLANTED}]
    report = audit(databases, [bug.case for bug in PLANTED], neighbours)
    assert not report.violations, "\n".join(map(str, report.violations))
    assert report.pairs.total() == len(PLANTED) * len(neighbours)


def test_every_planted_bug_is_exercised_and_every_kind_of_leak_is_planted() -> None:
    names = [exercise.name for exercise in EXERCISES]
    assert len(set(names)) == len(names) == len(PLANTED) + len(PLANTED_IN_NOISE) + len(PLANTED_LEAKS)
    assert {leak.name.split()[0] for leak in PLANTED_LEAKS} >= set("123456789")
