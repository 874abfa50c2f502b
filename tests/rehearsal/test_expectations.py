"""Expectations in comments: how they are read from a script and written into it, without a server."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proxy.rehearsal.expectations import expectations, first_lexeme, with_expectations
from proxy.sql.scripts import cut


@pytest.mark.parametrize(
    ("comment", "key", "read"),
    [
        ("-- expect: answered", "outcome", ("answered", None)),
        ("--expect:public", "outcome", ("public", None)),
        ("  -- EXPECT: refused", "outcome", ("refused", None)),
        ("-- expect: refused row-set-operation", "outcome", ("refused", "row-set-operation")),
        ("-- expect: refused 42501", "outcome", ("refused", "42501")),
        ("-- max_epsilon: 0.2", "limit", ("", Fraction(1, 5))),
        ("-- max_error: ±500", "limit", ("", Fraction(500))),
        ("-- max_error: 1e3", "limit", ("", Fraction(1000))),
        ("-- max_error: sum(a * 2) ± 7.5", "limit", ("sum(a * 2)", Fraction(15, 2))),
        ("-- accounts: table:a.b, analyst:ana:a.b", "names", frozenset({"table:a.b", "analyst:ana:a.b"})),
    ],
)
def test_a_comment_is_read(comment: str, key: str, read: object) -> None:
    (found,) = expectations(f"{comment}\nSELECT 1;", 0)
    assert found.complaint is None
    assert getattr(found, key) == read


@pytest.mark.parametrize(
    ("comment", "complaint"),
    [
        ("-- expects: answered", "'expects' is no expectation"),
        ("-- max_epsilom: 1", "'max_epsilom' is no expectation"),
        ("-- expect: answerd", "'answerd' cannot be read as expect"),
        ("-- expect: refused two rules", "'refused two rules' cannot be read as expect"),
        ("-- max_epsilon: little", "'little' cannot be read as max_epsilon"),
        ("-- max_epsilon: count(*) 1", "'count(*) 1' cannot be read as max_epsilon"),
        ("-- max_error:", "'' cannot be read as max_error"),
        ("-- accounts: ,", "',' cannot be read as accounts"),
    ],
)
def test_what_cannot_be_read_is_said(comment: str, complaint: str) -> None:
    (found,) = expectations(f"{comment}\nSELECT 1;", 0)
    assert found.complaint is not None
    assert found.complaint[0] == complaint


@pytest.mark.parametrize(
    "text", ["-- note: this counts\n", "-- a plain comment\n", "/* expect: public */ ", "-- expect\n"]
)
def test_other_comments_are_none(text: str) -> None:
    assert expectations(f"{text}SELECT '-- expect: public';\n", 0) == []


def test_an_expectation_behind_a_statement_is_a_mistake() -> None:
    first, second = cut("SELECT 1; -- expect: public\nSELECT 2;")
    (found,) = expectations(second, len(first))
    assert found.trails


def lengths(script: str) -> list[tuple[int, int]]:
    found, start = [], 0
    for piece in cut(script):
        if first_lexeme(piece) < len(piece):
            found.append((start, len(piece)))
        start += len(piece)
    return found


@pytest.mark.parametrize(
    ("script", "written"),
    [
        ("SELECT 1", "-- expect: public\nSELECT 1"),
        ("-- why\nSELECT 1;\n", "-- why\n-- expect: public\nSELECT 1;\n"),
        ("-- expect: answered\n-- max_epsilon: 1\nSELECT 1;", "-- expect: public\nSELECT 1;"),
        ("SELECT 1; SELECT 2", "-- expect: public\nSELECT 1;\n-- expect: public\nSELECT 2"),
        ("SELECT 1; -- expect: x\nSELECT 2", "-- expect: public\nSELECT 1;\n-- expect: public\nSELECT 2"),
        ("\n  /* a */ SELECT 1;\n-- end", "\n  -- expect: public\n  /* a */ SELECT 1;\n-- end"),
    ],
)
def test_expectations_are_written_before_statements(script: str, written: str) -> None:
    def recorded(text: str) -> str:
        return with_expectations(text, [(*place, ["expect: public"]) for place in lengths(text)])

    assert recorded(script) == written
    assert recorded(written) == written


@given(
    st.lists(st.sampled_from(["SELECT 1", ";", "\n", "-- expect: answered\n", "  ", "-- note\n", "/* c */", "'a;b'"]))
)
def test_writing_changes_no_statement(parts: list[str]) -> None:
    script = "".join(parts)
    written = with_expectations(script, [(*place, ["expect: public"]) for place in lengths(script)])
    before, after = (
        [text[start + first_lexeme(text[start : start + length]) : start + length] for start, length in lengths(text)]
        for text in (script, written)
    )
    assert [text.rstrip() for text in before] == [text.rstrip() for text in after]
    for start, length in lengths(written):
        (found,) = expectations(written[start : start + length], start)
        assert (found.complaint, found.outcome) == (None, ("public", None))
