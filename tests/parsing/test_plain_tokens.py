"""The tokens of plain texts are those of sqlglot's own tokenizer, with all that is noted on them."""

from __future__ import annotations

import random

import pytest
from sqlglot import Token

from proxy.sql.plain_postgres import PLAIN_POSTGRES
from proxy.sql.plain_tokens import plain_tokens
from tests.plans.cases import FILES, read

STATEMENTS = [case.statement for file in FILES for case in read(file)]
PARTS = (
    "GROUP BY|group by|ORDER|by|double precision|Grouping Sets|SELECT|a|é|ſ|_b1|E|N|date| |  |\n|\t|\r|\f|\u00a0|'x'|'|''|"
    "e'x'|U&'x'|x'1f'|\"a b\"|\"|$1|$|&|1|1.|1.5|.5|1e5|0x1|0b1|1_0|.|..|::|:|:=|<|>|<=|>=|<>|!=|=|==|=>|-|--|->|-|-|+|*|/|"
    "/*|*/||/|%|{|}|(|)|[|]|,|;|\\|@|#|?|~|!|^|`|\0"
).split("|")


def noted(tokens: list[Token]) -> list[tuple[object, ...]]:
    return [
        (token.token_type, token.text, token.line, token.col, token.start, token.end, token.comments)
        for token in tokens
    ]


def agree(text: str) -> bool:
    """Is the text plain? Its tokens are sqlglot's then."""
    tokens = plain_tokens(text)
    assert tokens is None or noted(tokens) == noted(PLAIN_POSTGRES.tokenize(text)), text
    return tokens is not None


def test_most_statements_are_plain() -> None:
    assert sum(agree(statement) for statement in STATEMENTS) > 0.8 * len(STATEMENTS)


def test_texts_of_any_parts_have_the_same_tokens() -> None:
    chance = random.Random(1)
    plain = 0
    for _ in range(20_000):
        plain += agree("".join(chance.choices(PARTS, k=chance.randint(1, 8))))
        statement = chance.choice(STATEMENTS)
        place = chance.randint(0, len(statement))
        agree(statement[:place] + chance.choice(PARTS) + statement[place + chance.randint(0, 3) :])
    assert plain > 2000


@pytest.mark.parametrize(
    "text",
    [
        "SELECT 'a''b'",
        "SELECT a -- a comment",
        "SELECT /* a comment */ a",
        "SELECT E'a'",
        "SELECT $1",
        "SELECT 1e5",
        "SELECT é",
        "SELECT a->b",
        "SELECT a GROUP  BY a",
        "SELECT a\r\nFROM b",
    ],
)
def test_what_the_pattern_does_not_know_is_left_to_sqlglot(text: str) -> None:
    assert plain_tokens(text) is None
