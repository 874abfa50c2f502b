"""The audit finds what is wrong: bugs are planted one by one, and each is reported; without them nothing is."""

from __future__ import annotations

import pytest

from tests.audit.databases import Databases
from tests.audit.lower_bounds import Check, bounds, recorded
from tests.audit.neighbours import NEIGHBOURS
from tests.audit.planted import PLANTED, PLANTED_IN_NOISE, Planted
from tests.audit.recorder import Released
from tests.audit.running import audit

_RELEASES = 2000
_NAMED = {neighbour.name: neighbour for neighbour in NEIGHBOURS}


@pytest.mark.parametrize("bug", PLANTED, ids=lambda bug: bug.name)
def test_the_audit_finds_a_planted_bug(bug: Planted, databases: Databases, monkeypatch: pytest.MonkeyPatch) -> None:
    bug.plant(monkeypatch)
    report = audit(databases, [bug.case], [_NAMED[bug.neighbour]])
    assert report.violations


@pytest.fixture(scope="module")
def neighbours(databases: Databases) -> dict[Check, tuple[Released, Released]]:
    """What each check's block measured without the unit, and with it."""
    found = recorded(databases, list({bug.check: None for bug in PLANTED_IN_NOISE}))
    return {check: (smaller, whole) for check, smaller, whole in found}


@pytest.mark.parametrize("bug", PLANTED_IN_NOISE, ids=lambda bug: bug.name)
def test_lower_bounds_find_a_planted_bug(
    bug: Planted, neighbours: dict[Check, tuple[Released, Released]], monkeypatch: pytest.MonkeyPatch
) -> None:
    measured = neighbours[bug.check]
    assert all(bound.holds for bound in bounds(bug.check, *measured, _RELEASES))
    bug.plant(monkeypatch)
    assert not all(bound.holds for bound in bounds(bug.check, *measured, _RELEASES))


def test_without_a_bug_the_same_statements_show_nothing(databases: Databases) -> None:
    neighbours = [neighbour for neighbour in NEIGHBOURS if neighbour.name in {bug.neighbour for bug in PLANTED}]
    report = audit(databases, [bug.case for bug in PLANTED], neighbours)
    assert not report.violations, "\n".join(map(str, report.violations))
    assert report.pairs.total() == len(PLANTED) * len(neighbours)
