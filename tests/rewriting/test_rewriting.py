"""Every statement of the cases is rewritten as is written below it; see the package's docstring."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.plans.cases import Case, read
from tests.rewriting.structure import structure

pytestmark = pytest.mark.texts

FILES = sorted((Path(__file__).parent / "cases").glob("*.sql"))
CASES = [case for file in FILES for case in read(file)]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_statement_is_rewritten_as_is_written_below_it(case: Case) -> None:
    assert structure(case.statement) == list(case.card), "if the change is meant: python -m tests.rewriting"


def test_a_statement_stands_once_and_something_is_written_below_it() -> None:
    assert len({case.statement for case in CASES}) == len(CASES)
    assert all(case.card for case in CASES)
