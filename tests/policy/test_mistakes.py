"""One test per mistake: the policy below is valid but for one edit, and gets exactly one finding, at the mark."""

from __future__ import annotations

import pytest

from tests.policy.mistake import QUERY, Mistake
from tests.policy.mistakes_of_meaning import DOMAINS, NAMES_AND_OWNERS, PRICES
from tests.policy.mistakes_of_writing import KEYS_AND_TYPES, MEANT, SYNTAX
from tests.policy.policies import MARK, VALID, edited, examine, marked_place

MISTAKES = [*SYNTAX, *KEYS_AND_TYPES, *MEANT, *NAMES_AND_OWNERS, *PRICES, *DOMAINS]


def test_the_policy_that_the_mistakes_are_made_in_has_no_findings() -> None:
    assert examine(VALID).findings == []


@pytest.mark.parametrize("mistake", MISTAKES, ids=lambda mistake: mistake.name)
def test_a_mistake_is_found_at_its_place_and_nothing_else_is(mistake: Mistake) -> None:
    text, line, column = marked_place(edited(mistake.old, mistake.new))
    examination = examine(text)
    (finding,) = examination.findings
    assert mistake.message in finding.message
    assert mistake.hint in finding.hint
    assert finding.severity == mistake.severity
    assert (examination.policy is None) == (mistake.severity == "error")
    if MARK in mistake.new:
        assert (finding.line, finding.column) == (line, column)


def test_a_calibration_that_the_units_cap_cannot_pay_is_found() -> None:
    capped = edited("patient: {}", "patient: {budget: {epsilon: 9, delta: 1e-8}}")
    text, line, column = marked_place(capped.replace(QUERY, f"{{calibration: zcdp, delta: {MARK}5e-8}}"))
    (finding,) = [found for found in examine(text).findings if found.rule != "DP301"]
    assert (finding.line, finding.column, finding.severity) == (line, column, "error")
    assert "a budget that pays for it has 1E-8 in all" in finding.message


def test_a_classic_calibration_below_one_has_no_finding() -> None:
    assert examine(edited(QUERY, "{epsilon: 0.99, delta: 1e-8, calibration: classic}")).findings == []
