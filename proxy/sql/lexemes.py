"""Where Postgres's scanner cuts a text into lexemes, with `standard_conforming_strings` on.

Scripts are cut into statements here, including scripts with errors in them, which only the stage can report. What a
statement *means* rests on Postgres's own grammar (`proxy.sql.grammar`), never on these rules.

The texts are the clients', so the time must be linear in their length: no repetition in the pattern can match one text
in two ways and fail after it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

_START, _CONTINUE = r"A-Za-z_\x80-\U0010ffff", r"A-Za-z_0-9$\x80-\U0010ffff"
NEXT_LINE = r"(?:[ \t\f\v]|--[^\n\r]*+)*+[\n\r](?:[ \t\n\r\f\v]|--[^\n\r]*+[\n\r])*+"
"""What may stand between two parts of one string constant."""
_LEXEME = re.compile(
    rf"""
    (?P<blank>[ \t\n\r\f\v]+|--[^\n\r]*)
    |(?P<comment>/\*)
    |(?P<string>[eE]'(?:[^'\\]|''|\\.)*+'(?:{NEXT_LINE}'(?:[^'\\]|''|\\.)*+')*
        |(?:[nN]|[uU]&)?'(?:[^']|'')*+'(?:{NEXT_LINE}'(?:[^']|'')*+')*
        |[bBxX]'[^']*+'(?:{NEXT_LINE}'[^']*+')*
        |\$(?P<tag>(?:[{_START}][A-Za-z_0-9\x80-\U0010ffff]*+)?)\$.*?\$(?P=tag)\$)
    |(?P<identifier>(?:[uU]&)?"(?:[^"]|"")*+")
    |(?P<parameter>\$[0-9]+)
    |(?P<word>(?![eEnNbBxX]'|[uU]&['"])[{_START}][{_CONTINUE}]*)
    |(?P<number>0[xX](?:_?[0-9a-fA-F])+|0[oO](?:_?[0-7])+|0[bB](?:_?[01])+
        |(?:[0-9](?:_?[0-9])*(?:\.(?!\.)(?:[0-9](?:_?[0-9])*)?)?|\.[0-9](?:_?[0-9])*)(?:[eE][+-]?[0-9](?:_?[0-9])*)?)
    |(?P<operator>::|:=|\.\.|[-~!@#^&|`?+*/%<>=]{{1,65}})
    |(?P<punctuation>[][,();:.])
    """,
    re.VERBOSE | re.DOTALL,
)
_COMMENT_EDGE = re.compile(r"/\*|\*/")
_KEEPS_SIGN = frozenset("~!@#^&|`?%")


class Lexeme(NamedTuple):
    """One lexeme: text[start:end] and its kind, a group of the scanner's pattern."""

    kind: str
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
    """The end of a comment, with those nested in it."""
    depth = 0
    for edge in _COMMENT_EDGE.finditer(text, start):
        depth += 1 if edge[0] == "/*" else -1
        if depth == 0:
            return edge.end()
    raise ValueError("unterminated comment")


def _operator_length(run: str) -> int:
    """The length of the operator at the beginning of a run of operator characters. It ends where a comment begins, and
    in + or - only if it has a character that no standard operator has. Postgres has no operator of 64 characters."""
    comments = [place for place in (run.find("--"), run.find("/*")) if place > 0]
    run = run[: min(comments)] if comments else run
    return len(run) if _KEEPS_SIGN & set(run) else max(len(run.rstrip("+-")), 1)
