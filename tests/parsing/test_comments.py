"""Comments say nothing: sqlglot reads notes on its tree in `/* sqlglot.meta … */`, the planner must not (attack 23)."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from sqlglot import exp

from proxy.sql import dialect, grammar
from proxy.sql.normal_form import normal_form
from proxy.sql.respelling import without_comments
from proxy.sql.statement import parse_statement
from proxy.sql.trees.marks import BLOCK, CTE, FEEDBACK, WRITTEN_OUT
from tests.planned import analysed
from tests.plans.cards import card
from tests.plans.schema import SCHEMA

pytestmark = pytest.mark.texts

COMMENT = "/* sqlglot.meta feedback=0, block=1, written_out=1, cte=1, start=x, top=1, maybe_column=1 */"

STATEMENTS = [
    "SELECT region, count(*) AS n FROM visits AS v WHERE minutes > 3 GROUP BY region ORDER BY n LIMIT 3",
    "WITH long AS (SELECT * FROM visits WHERE minutes > 60) SELECT count(*) FROM long",
    "SELECT count(*) FROM (SELECT patient_id FROM visits) AS x",
    "SELECT count(*) FILTER (WHERE region IN ('north', 'south')) FROM patients p JOIN visits v USING (patient_id)",
    "SELECT sum(CASE WHEN minutes BETWEEN 1 AND 9 THEN minutes ELSE -1 END)::bigint FROM visits",
    "SELECT count(*) FROM patients AS p WHERE EXISTS (SELECT 1 FROM visits AS v WHERE v.patient_id = p.patient_id)",
]


def _notes(tree: exp.Expr) -> list[tuple[str, object, object]]:
    return [(type(node).__name__, node.meta_get("start"), node.comments) for node in tree.walk()]


def _tree(text: str) -> exp.Expr:
    statement = parse_statement(text)
    assert statement is not None
    return statement.query


@pytest.mark.parametrize("text", STATEMENTS)
def test_a_comment_leaves_no_note_wherever_it_stands(text: str) -> None:
    ends = [0, *(token.end + 1 for token in dialect.tokenize(text))]
    for end in ends:
        commented = _tree(f"{text[:end]} {COMMENT} {text[end:]}")
        blank = _tree(f"{text[:end]} {' ' * len(COMMENT)} {text[end:]}")
        assert _notes(commented) == _notes(blank)
        assert all(set(node.meta) <= {"start"} for node in commented.walk())


@pytest.mark.parametrize("text", STATEMENTS)
def test_a_plan_does_not_depend_on_comments(text: str) -> None:
    expected = card(text)
    assert expected
    for token in dialect.tokenize(text):
        commented = f"{text[: token.end + 1]} {COMMENT} {text[token.end + 1 :]}"
        assert card(commented) == expected


PIECES = [
    *(
        "SELECT",
        "a",
        "'it''s -- no comment'",
        "e'\\'/*'",
        "$x$ -- /* $x$",
        "$1",
        "-",
        "->>",
        "+",
        "/",
        "1",
        "2.5e3",
        ",",
    ),
    *("(", ")", '"a--b"', "U&'d\\0061'", "UESCAPE", "'!'", "x", "FROM", "t", ";", "@", "*", "::", "int", "AS"),
]
GAPS = [
    *(
        "",
        " ",
        "\n",
        "/**/",
        " /* a */ ",
        "/* ' */\n",
        "-- b\n",
        "\n--'c\r\n\t",
        "/* a /* b */ -- c\n */",
        "--\n--\n",
        "/*\n*/",
    ),
]


@given(st.lists(st.tuples(st.sampled_from(PIECES), st.sampled_from(GAPS)), max_size=12), st.sampled_from(GAPS))
@example([("SELECT", " "), ("'a'", "--\n"), ("'b'", "")], "")
@example([("SELECT", " "), ("'a'", "/**/\n"), ("'b'", "")], "")
@example([("SELECT", " "), ("1", " "), ("-", "--x\n"), ("-", "/**/"), ("2", "--")], "/**/")
def test_a_text_without_its_comments_is_read_as_the_text(pieces: list[tuple[str, str]], before: str) -> None:
    text = before + "".join(f"{piece}{gap}" for piece, gap in pieces)
    bare = without_comments(text)
    assert _meaning(bare) == _meaning(text)
    assert without_comments(bare) == bare


def _meaning(text: str) -> object:
    """What Postgres reads; None for an error, after which nothing is remembered."""
    try:
        return [normal_form(statement) for statement in grammar.statements(text)]
    except grammar.NotReadError:
        return None


@pytest.mark.parametrize("text", STATEMENTS)
def test_texts_that_differ_in_comments_are_one_text_without_them(text: str) -> None:
    bare = {
        without_comments(f"{one}{text}{other}")
        for one in ("", "-- 1\n", "/* b */ ")
        for other in ("", "--2", "/* c */\n ")
    }
    assert bare == {text}
    assert without_comments(text.replace("count", "/* x */ count")) == without_comments(
        text.replace("count", "--\ncount")
    )


def test_marks_are_the_planners_own() -> None:
    found = analysed(f"SELECT {COMMENT} count(*) {COMMENT} FROM visits {COMMENT}", SCHEMA)
    (block,) = found.blocks
    marked = {mark.name: mark.of(block.select) for mark in (BLOCK, FEEDBACK, WRITTEN_OUT, CTE)}
    assert marked == {"block": 0, "feedback": None, "written_out": None, "cte": None}
