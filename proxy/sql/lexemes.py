"""Where Postgres cuts a text into lexemes, and where sqlglot's tokens are something else (ATTACKS 23).

The rules are those of Postgres's scanner with `standard_conforming_strings` on. A text that the two cut differently is
not parsed: `1_000` would be the number 1 under another name, `U&"cost"` an operator between two columns.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sqlglot import Token
from sqlglot.tokenizer_core import TokenType

_START, _CONTINUE = r"A-Za-z_\x80-\U0010ffff", r"A-Za-z_0-9$\x80-\U0010ffff"
_NEXT_LINE = r"(?:[ \t\f\v]|--[^\n\r]*+)*+[\n\r](?:[ \t\n\r\f\v]|--[^\n\r]*+[\n\r])*+"
"""What may stand between two parts of one string constant."""
_LEXEME = re.compile(
    rf"""
    (?P<blank>[ \t\n\r\f\v]+|--[^\n\r]*)
    |(?P<comment>/\*)
    |(?P<string>[eE]'(?:[^'\\]|''|\\.)*+'(?:{_NEXT_LINE}'(?:[^'\\]|''|\\.)*+')*
        |(?:[nN]|[uU]&)?'(?:[^']|'')*+'(?:{_NEXT_LINE}'(?:[^']|'')*+')*
        |[bBxX]'[^']*'(?:{_NEXT_LINE}'[^']*')*
        |\$(?P<tag>(?:[{_START}][A-Za-z_0-9\x80-\U0010ffff]*)?)\$.*?\$(?P=tag)\$)
    |(?P<identifier>(?:[uU]&)?"(?:[^"]|"")*")
    |(?P<parameter>\$[0-9]+)
    |(?P<word>(?![eEnNbBxX]'|[uU]&['"])[{_START}][{_CONTINUE}]*)
    |(?P<number>0[xX](?:_?[0-9a-fA-F])+|0[oO](?:_?[0-7])+|0[bB](?:_?[01])+
        |(?:[0-9](?:_?[0-9])*(?:\.(?!\.)(?:[0-9](?:_?[0-9])*)?)?|\.[0-9](?:_?[0-9])*)(?:[eE][+-]?[0-9](?:_?[0-9])*)?)
    |(?P<operator>::|:=|\.\.|[-~!@#^&|`?+*/%<>=]{{1,64}})
    |(?P<punctuation>[][,();:.])
    """,
    re.VERBOSE | re.DOTALL,
)
_COMMENT_EDGE = re.compile(r"/\*|\*/")
_KEEPS_SIGN = frozenset("~!@#^&|`?%")

_OPERATORS = frozenset(
    """+ - * / % ^ < > = <= >= <> != || ~ ~* !~ !~* ~~ ~~* !~~ !~~* -> ->> #> #>> @> <@ && & | # << >> ? ?| ?&
    #- ^@ |/ ||/ :: := =>""".split()
)
"""Operators that sqlglot reads as Postgres does."""

_STRINGS = frozenset(
    {
        TokenType.STRING,
        TokenType.BYTE_STRING,
        TokenType.HEREDOC_STRING,
        TokenType.NATIONAL_STRING,
        TokenType.UNICODE_STRING,
        TokenType.BIT_STRING,
        TokenType.HEX_STRING,
    }
)
_UNSIZED = frozenset({"char", "character", "nchar", "bit"})
"""Types that mean any length before a literal, and length 1 in a cast."""


@dataclass(frozen=True)
class Lexeme:
    """One lexeme: text[start:end] and its kind, a group of the scanner's pattern."""

    kind: str
    start: int
    end: int


@dataclass(frozen=True)
class Difference:
    """A part of a text that Postgres reads in another way than sqlglot."""

    start: int
    end: int


def lexemes(text: str) -> Iterator[Lexeme]:
    """The lexemes of a script, blanks and comments left out.

    Raises:
        ValueError: Postgres's scanner would fail (an unterminated string or comment, a stray character).
    """
    position = 0
    while position < len(text):
        found = _LEXEME.match(text, position)
        if found is None:
            raise ValueError(f"no lexeme begins at {position}")
        kind, end = found.lastgroup or "", found.end()
        if kind == "tag":
            kind = "string"
        if kind == "comment":
            end = _end_of_comment(text, position)
        elif kind == "operator":
            end = position + _operator_length(found[0])
        if kind not in ("blank", "comment"):
            yield Lexeme(kind, position, end)
        position = end


def _end_of_comment(text: str, start: int) -> int:
    """Comments nest."""
    depth = 0
    for edge in _COMMENT_EDGE.finditer(text, start):
        depth += 1 if edge[0] == "/*" else -1
        if depth == 0:
            return edge.end()
    raise ValueError("unterminated comment")


def _operator_length(run: str) -> int:
    """How much of a run of operator characters is one operator: it ends where a comment begins, and in + or - only if
    it has a character that none of the standard's operators has. Postgres accepts no operator of 64 characters."""
    comments = [place for place in (run.find("--"), run.find("/*")) if place > 0]
    run = run[: min(comments)] if comments else run
    return len(run) if _KEEPS_SIGN & set(run) else max(len(run.rstrip("+-")), 1)


def difference(text: str, tokens: Sequence[Token]) -> Difference | None:
    """The first place where sqlglot's tokens are not Postgres's lexemes; None if they are the same throughout."""
    try:
        found = list(lexemes(text))
    except ValueError:
        return Difference(0, len(text))
    at = 0
    for index, lexeme in enumerate(found):
        if at >= len(tokens) or tokens[at].start > lexeme.start:
            if at and tokens[at - 1].end + 1 >= lexeme.end and lexeme.kind == "word":
                continue  # GROUP BY is one token
            return Difference(lexeme.start, lexeme.end)
        covering = [tokens[at]]
        while covering[-1].end + 1 < lexeme.end and at + 1 < len(tokens):
            at += 1
            covering.append(tokens[at])
        at += 1
        if not _is_same(text, lexeme, covering) or _is_ambiguous(text, found, index):
            return Difference(lexeme.start, max(lexeme.end, covering[-1].end + 1))
    return None if at >= len(tokens) else Difference(tokens[at].start, tokens[at].end + 1)


def _is_same(text: str, lexeme: Lexeme, tokens: list[Token]) -> bool:
    first, spelled = tokens[0], text[lexeme.start : lexeme.end]
    if first.start != lexeme.start:
        return False
    match lexeme.kind:
        case "word":
            named = first.token_type not in _STRINGS | {TokenType.IDENTIFIER, TokenType.NUMBER}
            return named and len(tokens) == 1 and first.end + 1 >= lexeme.end
        case "operator":
            return spelled in _OPERATORS and tokens[-1].end + 1 == lexeme.end
        case "parameter":
            return [token.token_type for token in tokens] == [TokenType.PARAMETER, TokenType.NUMBER]
        case "number" if spelled.startswith("."):
            return [token.token_type for token in tokens] == [TokenType.DOT, TokenType.NUMBER]
    if len(tokens) != 1 or first.end + 1 != lexeme.end:
        return False
    match lexeme.kind:
        case "string":
            return first.token_type in _STRINGS
        case "identifier":
            return first.token_type == TokenType.IDENTIFIER and "\0" not in spelled
        case "number":
            return first.token_type == TokenType.NUMBER
    return True


def _is_ambiguous(text: str, found: list[Lexeme], index: int) -> bool:
    """Lexemes that mean something else together: CHAR 'ab' has both letters."""
    if not index:
        return False
    before, lexeme = found[index - 1], found[index]
    previous = text[before.start : before.end].lower()
    if lexeme.kind == "string":
        return before.kind == "word" and previous in _UNSIZED
    return previous == "bit" and text[lexeme.start : lexeme.end].lower() == "varying"
