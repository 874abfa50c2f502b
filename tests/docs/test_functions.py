"""The list of functions in the analysts' page is that of the operations table; expressions on pages have their facts."""

from __future__ import annotations

from pathlib import Path

from sqlglot import exp

from proxy.sql.terms.operations import TABLE
from tests.docs.functions import BEGINNING, END, SPELLED, listed
from tests.docs.markdown import LANGUAGE, TESTS
from tests.expressions.cases import read
from tests.expressions.compiling import read as read_expressions
from tests.expressions.facts import derived
from tests.expressions.table import relation


def test_list_is_what_the_program_writes() -> None:
    assert LANGUAGE.between(BEGINNING, END) == listed(), "`python -m tests.docs.functions` writes it"


def test_every_function_is_listed() -> None:
    named = [key for key in TABLE if isinstance(key, str)] + list(SPELLED.values())
    assert [name for name in named if f"`{name}`" not in listed()] == []


def test_functions_with_a_syntax_of_their_own_are_rows_of_the_table() -> None:
    """current_timestamp and its like are written with and without parentheses, and have both rows."""
    twice = {exp.CurrentTimestamp, exp.CurrentTime, exp.Localtime, exp.Localtimestamp, exp.StartsWith}
    assert SPELLED.keys() | twice <= TABLE.keys()


def test_facts_of_the_expressions_on_the_page_are_true(tmp_path: Path) -> None:
    path = tmp_path / "page.sql"
    path.write_text(TESTS.block("sql", "expressions"), encoding="utf-8")
    cases = list(read(path))
    assert [len(case.members) for case in cases] == [1, 1, 128]
    for case in cases:
        assert tuple(derived(read_expressions(case.members), relation())) == case.facts
