"""What is read from a client's text before it is parsed: its statements, its first words, the names in it.

Everything here takes time that is linear in the text's length.
"""

from __future__ import annotations

import re
from contextlib import suppress
from itertools import islice, pairwise

from proxy.sql.lexemes import Lexeme, lexemes
from proxy.sql.text_limits import check_length, check_statements


def cut(text: str) -> list[str]:
    """Cut a script at its top-level semicolons; joining the pieces gives `text`. Uncuttable text is one piece.

    Raises:
        ProgramLimitError: it is too long or has too many statements.
    """
    check_length(len(text))
    ends = (lexeme.end for lexeme in lexemes(text) if lexeme.kind == "punctuation" and text[lexeme.start] == ";")
    pieces: list[str] = []
    start = 0
    try:
        for end in ends:
            check_statements(len(pieces) + 1)
            pieces.append(text[start:end])
            start = end
    except ValueError:
        return [text]
    if text[start:].strip() or not pieces:
        pieces.append(text[start:])
    else:
        pieces[-1] += text[start:]
    return pieces


def first_words(text: str, count: int = 2) -> tuple[str, ...]:
    """The first words of a statement in lower case, skipping everything else; fewer if the text cannot be cut."""
    words: list[str] = []
    with suppress(ValueError):
        for lexeme in lexemes(text):
            if lexeme.kind == "word":
                words.append(text[lexeme.start : lexeme.end].lower())
            if len(words) == count:
                break
    return tuple(words)


_MOST_OF_SET = 16
"""Lexemes that are read of a SET: a longer one has no valid value."""


def set_statement(text: str) -> tuple[str, str] | None:
    """The name and value of `SET dp.name = value`; None for every other statement. DEFAULT is ''."""
    try:
        found = list(islice(lexemes(text), _MOST_OF_SET))
    except ValueError:
        return None
    words = [text[lexeme.start : lexeme.end].lower() for lexeme in found]
    if words[-1:] == [";"]:
        found, words = found[:-1], words[:-1]
    place = 2 if words[1:2] in (["session"], ["local"]) else 1
    if words[:1] != ["set"] or words[place : place + 2] != ["dp", "."] or len(words) < place + 5:
        return None
    if found[place + 2].kind != "word" or words[place + 3] not in ("=", "to"):
        return None
    value = _value_of_setting(text, found[place + 4 :])
    return None if value is None else (f"dp.{words[place + 2]}", value)


def _value_of_setting(text: str, found: list[Lexeme]) -> str | None:
    """A string in one part, or anything else without blanks and quotes."""
    spelled = text[found[0].start : found[-1].end]
    if len(found) == 1 and _PLAIN_STRING.fullmatch(spelled):
        return spelled[1:-1].replace("''", "'")
    if "'" in spelled or ";" in spelled or any(left.end != right.start for left, right in pairwise(found)):
        return None
    return "" if spelled.lower() == "default" else spelled


_PLAIN_STRING = re.compile(r"'(?:[^']|'')*+'")


def names_outside_strings(text: str, names: frozenset[str]) -> bool:
    """Does one of `names` (lower case) stand in `text` as an identifier? True if the text cannot be cut."""
    try:
        return any(_may_be(text[lexeme.start : lexeme.end], lexeme.kind, names) for lexeme in lexemes(text))
    except ValueError:
        return True


def _may_be(spelled: str, kind: str, names: frozenset[str]) -> bool:
    if kind == "identifier":
        escaped = not spelled.startswith('"')
        return escaped or spelled[1:-1].replace('""', '"').lower() in names
    return kind == "word" and spelled.lower() in names
