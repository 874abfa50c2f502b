"""Every statement of the cases is planned as its card says (decision 2); see the package's docstring."""

from __future__ import annotations

import pytest

from tests.plans.cards import card
from tests.plans.cases import FILES, Case, read

pytestmark = pytest.mark.texts

CASES = [case for file in FILES for case in read(file)]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_statement_is_planned_as_its_card_says(case: Case) -> None:
    assert card(case.statement) == list(case.card), "if the change is meant: python -m tests.plans"


def test_a_statement_stands_once_and_has_a_card() -> None:
    assert len({case.statement for case in CASES}) == len(CASES)
    assert all(case.card for case in CASES)
