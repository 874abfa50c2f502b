"""Generated texts: whatever sqlglot makes of one, it is refused or it means what Postgres reads (attack 23)."""

from __future__ import annotations

from typing import ClassVar

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from pglast.parser import ParseError
from sqlglot import exp

from proxy.errors import DpproxyError
from proxy.sql.dialect import render
from proxy.sql.statement import parse_statement
from proxy.sql.terms.expressions import compile_term
from proxy.sql.terms.term import Limits, Subquery, Term
from tests.parsing import generated
from tests.parsing.meaning import Tree, meaning, parenthesised


def postgres_reads(text: str) -> list[Tree] | None:
    """Postgres's trees; None where it refuses, as the stage then does before anything else happens."""
    try:
        return meaning(text)
    except ParseError:
        return None


def assert_refused_or_alike(text: str) -> None:
    expected = postgres_reads(text)
    if expected is None:
        return
    try:
        statement = parse_statement(text)
    except DpproxyError:
        return
    assert statement is not None, text
    assert len(expected) == 1, text
    assert meaning(render(statement.query)) == expected, text
    assert meaning(parenthesised(statement.query)) == expected, text


@generated.BOUNDED
@given(generated.EXPRESSIONS)
def test_expression_is_refused_or_read_as_postgres_reads_it(expression: str) -> None:
    assert_refused_or_alike(f"SELECT {expression} FROM visits")


@generated.BOUNDED
@given(generated.PLAIN)
def test_operators_are_refused_or_nest_as_in_postgres(expression: str) -> None:
    assert_refused_or_alike(f"SELECT count(*) FROM visits WHERE {expression}")


@generated.BOUNDED
@given(generated.IDENTIFIERS, generated.IDENTIFIERS, generated.IDENTIFIERS, st.sampled_from(["", " AS"]))
def test_names_and_aliases_are_refused_or_read_as_postgres_reads_them(a: str, b: str, c: str, as_: str) -> None:
    assert_refused_or_alike(f"SELECT {a}{as_} {b} FROM {c}{as_} {b} WHERE {a} = 1")


class NoColumns:
    """A scope for constants."""

    limits: ClassVar[Limits] = {}

    def whole(self, _: exp.Expr) -> Term | None:
        return None

    def column(self, node: exp.Column) -> Term:
        raise AssertionError(f"{node} is no constant")

    def subquery(self, query: exp.Expr, _: exp.Expr | None) -> Subquery:
        raise AssertionError(f"{query} is no constant")


@generated.BOUNDED
@given(generated.STRINGS)
@example("$$$$%a$$")
def test_a_string_has_the_same_text_on_the_source_as_in_postgres(literal: str) -> None:
    """What the source query says instead of a client's literal is read by Postgres as the same constant."""
    text = f"SELECT {literal}\nFROM visits"
    expected = postgres_reads(text)
    if expected is None:
        return
    try:
        statement = parse_statement(text)
        assert statement is not None
        if statement.query.find(exp.Column) is not None:
            return  # As in $$$$%a$$, where a$$ is a name.
        term = compile_term(statement.query.expressions[0], NoColumns())
    except DpproxyError:
        return
    assert meaning(f"SELECT {term.sql} FROM visits") == expected


@pytest.mark.parametrize("literal", [r"E'\x27 OR true --'", "$x$' OR true --$x$", r"'\'", "'a''b'", r"E'\\'"])
def test_a_string_stays_one_string(literal: str) -> None:
    statement = parse_statement(f"SELECT {literal} FROM visits")
    assert statement is not None
    term = compile_term(statement.query.expressions[0], NoColumns())
    assert meaning(f"SELECT {term.sql}") == meaning(f"SELECT {literal}")
