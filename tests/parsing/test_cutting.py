"""Scripts are cut where Postgres ends a statement, and words are found where it finds them."""

from __future__ import annotations

import pytest
from hypothesis import given
from pglast.parser import ParseError, parse_sql, scan, split

from proxy.sql.lexemes import lexemes
from proxy.sql.scripts import cut, first_words
from tests.parsing import generated

SCRIPTS = [
    "SELECT 1; SELECT 2",
    "SELECT ';' ; SELECT E'\\';' ; SELECT 2",
    "SELECT $$;$$; SELECT $a$;$$;$a$; SELECT 3",
    "SELECT 1 /* ; /* ; */ ; */; SELECT 2",
    "SELECT 1 -- ;\n; SELECT 2",
    "SELECT 1 -- ;\r; SELECT 2",
    'SELECT 1 AS "a;b""c;"; SELECT 2',
    "SELECT U&'\\0041;'; SELECT U&\"a;\" FROM b",
    "SELECT 1 +-- ;\n 2; SELECT 3",
    "SELECT 1 +/*-- ; */ 2; SELECT 3",
    "SELECT a$$;SELECT $$ FROM b; SELECT 1$$",
    "SELECT '\\'; SELECT count(*) FROM visits --'",
    "SELECT E'a' -- x\n '\\'; SELECT 2 --'; SELECT 3",
    ";;SELECT 1;;",
    "SELECT \xa0",
    "SELECT \xa0 ; SELECT 1",
    "",
]


def _whole(script: str, found: slice) -> str:
    """A statement with the blanks at its end that are none to Postgres, such as no-break spaces, which pglast drops."""
    end = found.stop
    while script[end : end + 1].isspace():
        end += 1
    return script[found.start : end].rstrip(" \t\n\r\f\v")


def assert_cut_alike(script: str) -> None:
    statements = [_whole(script, found) for found in split(script, only_slices=True)]
    bare = [piece for piece in cut(script) if any(piece[x.start : x.end] != ";" for x in lexemes(piece))]
    assert len(bare) == len(statements), script
    for piece, statement in zip(bare, statements, strict=True):
        assert parse_sql(piece)[0].stmt == parse_sql(statement)[0].stmt, script


@pytest.mark.parametrize("script", SCRIPTS)
def test_script_is_cut_where_postgres_cuts_it(script: str) -> None:
    assert_cut_alike(script)


@generated.BOUNDED
@given(generated.SCRIPTS)
def test_generated_script_is_cut_where_postgres_cuts_it(script: str) -> None:
    try:
        parse_sql(script)
    except ParseError:
        return
    assert_cut_alike(script)


@pytest.mark.parametrize("length", [62, 63])
@pytest.mark.parametrize("comment", ["--';\n", "/*';*/"])
def test_a_comment_begins_behind_the_longest_operator(length: int, comment: str) -> None:
    assert_cut_alike(f"SELECT 1 {'@' * length}{comment} 2; SELECT 3")


@generated.BOUNDED
@given(generated.SCRIPTS)
def test_lexemes_are_those_of_postgres(text: str) -> None:
    try:
        tokens = [token for token in scan(text) if "COMMENT" not in token.name]
    except ParseError:
        return
    if any(text[token.start : token.end + 1] in ("\\", "$", "{", "}") for token in tokens):
        return  # characters of no statement
    # N'…' is two tokens there.
    national = {token.start for token in tokens if text[token.start : token.end + 1] in ("n", "N")}
    expected = [
        text[token.start - (token.start - 1 in national and text[token.start] == "'") : token.end + 1]
        for token in tokens
        if not (token.start in national and text[token.end + 1 : token.end + 2] == "'")
    ]
    assert [text[lexeme.start : lexeme.end] for lexeme in lexemes(text)] == expected


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("/* /* set */ insert */ SELECT count", ("select", "count")),
        ("-- x\rSELECT 1", ("select",)),
        ("((SELECT 1))", ("select",)),
        ("\f/**/explain/**/analyze x", ("explain", "analyze")),
        ("SELECT 'unterminated", ("select",)),
        ('"select" copy', ("copy",)),
    ],
)
def test_first_words_are_postgres_own(text: str, words: tuple[str, ...]) -> None:
    assert first_words(text) == words
