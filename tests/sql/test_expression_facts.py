"""Bounds, NULLs and steps follow from an expression's form and the policy, and what has no proof is refused by its rule
(decision 4, theorem 2): as the comments of `tests/fixtures/expressions` say, and without a server.

Postgres itself refuses some of these expressions. That is no reason to let them through: what the stage takes for granted
is not what the source's rows are safe from.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.expressions.cases import CASES, CONSTANTS, Case, MalformedCaseError, is_derived, name, read
from tests.expressions.compiling import Refusal
from tests.expressions.compiling import read as read_expressions
from tests.expressions.facts import derived
from tests.expressions.table import relation

pytestmark = pytest.mark.texts

RELATION = relation()


@pytest.mark.parametrize("case", [case for case in CASES if case.theme != CONSTANTS], ids=name)
def test_the_compiler_derives_what_the_comment_says(case: Case) -> None:
    found = tuple(derived(read_expressions(case.members), RELATION))
    assert found == tuple(filter(is_derived, case.facts)), (
        f"{case.place}; if the change is meant: python -m tests.expressions"
    )


@pytest.mark.parametrize("case", [case for case in CASES if case.said("says")], ids=name)
def test_a_refusal_says_what_the_comment_says(case: Case) -> None:
    (expression,) = read_expressions(case.members)
    refusal = expression.compiled(RELATION)
    assert isinstance(refusal, Refusal)
    assert refusal.message.startswith(case.said("says")), case.place


def test_an_expression_stands_once() -> None:
    seen = [(case.template, case.ranges) for case in CASES]
    assert [found for found in set(seen) if seen.count(found) > 1] == []


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("-- for a in numbers\n", "1: there is no expression"),
        ("1\n\n-- for a of numbers\n{a}\n", "3: write `for a, b in x | y; c in SET`, not 'a of numbers'"),
        ("-- for a in nombers\n{a}\n", "1: 'nombers' is none of numbers"),
        ("-- for a, b in numbers\n{a}\n", "1: the expression does not have all of ['a', 'b']"),
        ("-- a remark\n-- bounds: [0, 1]; nut null\n1\n", "2: 'nut null' is no fact"),
    ],
)
def test_a_malformed_case_is_named_with_its_line(text: str, said: str, tmp_path: Path) -> None:
    path = tmp_path / "wrong.sql"
    path.write_text(text)
    with pytest.raises(MalformedCaseError) as error:
        list(read(path))
    assert str(error.value).startswith(f"{path}:{said}")
