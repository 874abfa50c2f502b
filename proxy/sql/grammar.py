"""What a text means to Postgres 17: its own grammar, through libpg_query.

The C code behind it walks its trees by unlimited recursion, and rescans runs of operator characters. So a text is
measured first; the argument that no text can crash or stall the process is this. Every level of a parse tree takes a
lexeme of its own, except that commas, and the WHEN of a CASE, only make lists longer. So a tree is at most as deep as
the brackets around an element of a list and the lexemes in these elements together (`_nesting`). At `MOST_LEVELS` and
at most 134 bytes of C stack per lexeme, 0.7 MB of stack are enough, less than any thread has here. Reading takes linear
time, except for runs of operator characters (and of openings of comments among them), where it is quadratic.
"""

from __future__ import annotations

import re
from typing import Any

import pgparse

from proxy.sql.lexemes import Lexeme, lexemes

Tree = Any
"""A parse tree of Postgres in its JSON form: mappings, lists, strings, numbers and booleans."""

MOST_CHARACTERS = 1_000_000
MOST_LEVELS = 5_000
LONGEST_RUN = re.compile(r"[-~!@#^&|`?+*/%<>=]{250}")
_BRACKETS = {"(": ")", "[": "]"}
_CONNECTIVES = frozenset({"union", "intersect", "except"})
"""Words that make a tree deeper although commas stand between: SELECT 1, 2 UNION SELECT 3, 4 UNION …"""


class NotReadError(Exception):
    """Postgres's grammar does not accept a text.

    Args:
        message: Postgres's own message.
        start: the position in characters from 0; None if unknown.
    """

    def __init__(self, message: str, start: int | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.start = start


class TooLargeError(Exception):
    """A text that the grammar is not given: too long, or nested too deeply."""


def statements(text: str) -> list[Tree]:
    """The parse trees of a script's statements, with locations in octets.

    Raises:
        NotReadError: a syntax error.
        TooLargeError: the text is too long or nested too deeply.
        RecursionError: nested too deeply.
    """
    _check_size(text)
    try:
        return [found["stmt"] for found in pgparse.parse(text)]
    except pgparse.PGQueryError as error:
        if error.message.startswith("memory exhausted"):
            raise TooLargeError("nested too deeply") from None
        # Counted in characters from 1; 0 where there is none.
        raise NotReadError(error.message, error.position - 1 if error.position > 0 else None) from None


def _check_size(text: str) -> None:
    if len(text) > MOST_CHARACTERS:
        raise TooLargeError(f"longer than {MOST_CHARACTERS} characters")
    run = LONGEST_RUN.search(text)
    if run is not None:
        raise NotReadError("too many operator characters in a row", run.start())
    if "\0" in text or not _is_encodable(text):
        raise NotReadError("a character that no statement has")
    if len(text) <= MOST_LEVELS:
        return  # A text has no more lexemes than characters.
    try:
        found = list(lexemes(text))
    except ValueError:
        raise NotReadError("no lexeme of SQL") from None
    if _nesting(text, found) > MOST_LEVELS:
        raise TooLargeError("nested too deeply")


def _is_encodable(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _nesting(text: str, found: list[Lexeme]) -> int:
    """A bound on the depth of the tree: the most lexemes in one element of a list, plus those of everything nested in
    it, plus one for each set operation beside it. Unbalanced brackets count like those that are never closed.

    CASE and END are brackets too, between which WHEN and ELSE begin elements. As names they follow a point or AS; as
    bare labels they end an element of a list, so that no expression goes on behind them.
    """
    # For each open bracket: what closes it, the largest element so far, the current one, and the set operations.
    closing, largest, current, connectives = "", 0, 0, 0
    outer: list[tuple[str, int, int, int]] = []
    before = ""
    for lexeme in found:
        spelled = text[lexeme.start : lexeme.end].lower() if lexeme.kind in ("punctuation", "word") else ""
        word = spelled if before not in (".", "as") else ""
        before = spelled
        if spelled in _BRACKETS or word == "case":
            outer.append((closing, largest, current, connectives))
            closing, largest, current, connectives = _BRACKETS.get(spelled, "end"), 0, 1, 0
        elif closing and closing == (word if closing == "end" else spelled):
            inside = max(largest, current) + connectives
            closing, largest, current, connectives = outer.pop()
            current += inside
        elif spelled == "," or (closing == "end" and word in ("when", "else")):
            largest, current = max(largest, current), 1 if word in ("when", "else") else 0
        else:
            current += 1
            connectives += spelled in _CONNECTIVES
    inside = max(largest, current) + connectives
    return inside + sum(max(largest, current) + connectives for _, largest, current, connectives in outer)
