"""A part of the audit: a sample of the battery, with units that have rows of every kind, tells of nobody."""

from __future__ import annotations

import pytest

from tests.audit.cases import Case, battery, sample, themes
from tests.audit.databases import Databases
from tests.audit.neighbours import NEIGHBOURS, ONE_WINDOW
from tests.audit.offline import offline
from tests.audit.running import audit

CASES = 60
SEED = 20261122
_NAMED = {neighbour.name: neighbour for neighbour in NEIGHBOURS}
_PAIRS = ["100 rows in 100 groups of its own", "NaN, infinities, BC", "other spellings, where rows are sorted"]


def test_nothing_tells_of_one_unit(databases: Databases) -> None:
    cases = sample(battery(), CASES, SEED)
    report = audit(databases, cases, [_NAMED[name] for name in _PAIRS])
    assert not report.violations, "\n".join(map(str, report.violations))
    assert report.pairs.total() == len(_PAIRS) * len(cases)
    # What is refused is compared too, but proves less.
    assert report.blocks.total() > report.pairs.total() / 2


def test_nothing_tells_of_one_window_of_a_unit_with_others(databases: Databases) -> None:
    cases = sample([case for case in battery() if case.theme == "windows"], CASES // 2, SEED)
    report = audit(databases, cases, [ONE_WINDOW])
    assert not report.violations, "\n".join(map(str, report.violations))
    assert report.blocks.total() >= len(cases)


def test_nothing_tells_of_one_unit_in_answers_made_of_answers(databases: Databases) -> None:
    cases = [case for case in battery() if case.theme == "combined"]
    pairs = [_NAMED[name] for name in _PAIRS]
    report = audit(databases, cases, pairs)
    assert not report.violations, "\n".join(map(str, report.violations))
    assert 0 < report.blocks.total() < report.pairs.total(), (
        "what one case released is a part of the next one's answers"
    )


def test_stewards_and_operators_learn_nothing_of_one_unit(databases: Databases) -> None:
    found = offline(databases, [_NAMED["20 rows in one group"]])
    assert not found, "\n".join(map(str, found))


def test_the_battery_has_a_case_for_everything_that_it_promises() -> None:
    cases = battery()
    assert len(cases) >= 500
    assert len(set(cases)) == len(cases)
    assert set(themes()) == {case.theme for case in cases}


def test_an_answer_that_takes_longer_with_the_unit_is_asked_again(
    databases: Databases, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With no patience at all, everything is slow both times; with the usual one, nothing here is."""
    cases = [Case("counts", ("SELECT count(*) FROM visits;",))]
    pair = [_NAMED["10 000 rows in one group"]]
    assert not audit(databases, cases, pair).violations
    monkeypatch.setattr("tests.audit.comparing.SLOW", 0.0)
    monkeypatch.setattr("tests.audit.comparing.FACTOR", 0)
    (found,) = audit(databases, cases, pair).violations
    assert found.what.startswith("statement 1 took ")
    assert found.what.endswith(" with it, twice")
