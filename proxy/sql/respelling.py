"""Rewrites constants and names into spellings that sqlglot reads: 1000 for 1_000, 31 for 0x1F, 'dä' for U&'d\\00e4'.

These rules decide only what can be asked, not what is sound: the plan's tree is compared with what Postgres reads in
the client's own text. PostgreSQL 15 has no 1_000 and no 0x1F, later versions read them alike; a stage of version 15
reports them when it describes the client's text, before anything is planned.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass

from proxy.sql.lexemes import NEXT_LINE, Lexeme, lexemes

_PART = re.compile(rf"'((?:[^']|'')*+)'(?:{NEXT_LINE})?")
_ESCAPED_PART = re.compile(rf"'((?:[^'\\]|''|\\.)*+)'(?:{NEXT_LINE})?", re.DOTALL)
_UNICODE = re.compile(r"\A[uU]&")
_OTHERWISE = re.compile(r"\$|[uU]&|[0-9]_|0[xXoObB]")
"""What stands in parameters, escapes and numbers that are spelled otherwise; most texts have none of it."""


@dataclass(frozen=True)
class Respelled:
    """A text with other spellings.

    Attributes:
        text: the text.
        pieces: for each of its pieces, where it begins here, and where it begins and ends in the client's text.
    """

    text: str
    pieces: tuple[tuple[int, int, int], ...]

    def first(self, place: int) -> int:
        """The first character of the client's text that the character at `place` comes from."""
        start, began, ended = self._piece(place)
        return began if self._is_changed(place) else min(began + place - start, ended)

    def last(self, place: int) -> int:
        """The last character of the client's text that the character at `place` comes from."""
        start, began, ended = self._piece(place)
        return ended - 1 if self._is_changed(place) else began + place - start

    def _index(self, place: int) -> int:
        return bisect_right(self.pieces, (place, 1 << 60, 0)) - 1

    def _piece(self, place: int) -> tuple[int, int, int]:
        return self.pieces[self._index(place)]

    def _is_changed(self, place: int) -> bool:
        # Unchanged and respelled pieces alternate.
        return self._index(place) % 2 == 1


def respelled(text: str) -> Respelled:
    """A text that sqlglot reads as Postgres reads `text`, as far as spellings go. Uncuttable text stays as it is."""
    is_on_lines = "'" in text and ("\n" in text or "\r" in text)  # A string's parts may stand on several.
    found = _lexemes_of(text) if is_on_lines or _OTHERWISE.search(text) is not None else []
    parts: list[str] = []
    pieces: list[tuple[int, int, int]] = []
    index = length = done = 0
    while index < len(found):
        change = _change(text, found, index)
        if change is None:
            index += 1
            continue
        begin, end, spelled, index = change
        for began, ended, part in ((done, begin, text[done:begin]), (begin, end, spelled)):
            pieces.append((length, began, ended))
            parts.append(part)
            length += len(part)
        done = end
    pieces.append((length, done, len(text)))
    return Respelled("".join([*parts, text[done:]]), tuple(pieces))


def _lexemes_of(text: str) -> list[Lexeme]:
    """Its lexemes; none of a text that cannot be cut."""
    try:
        return list(lexemes(text))
    except ValueError:
        return []


def without_comments(text: str) -> str:
    """The text with a blank for each comment that stands between two lexemes, and without those at its ends. Postgres
    reads it as it reads `text`; two texts with one result differ in comments alone."""
    if "--" not in text and "/*" not in text:
        return text
    found = _lexemes_of(text)
    parts, done = [], 0
    for lexeme in found:
        between = text[done : lexeme.start]
        blank = between if not between or between.isspace() else " "
        parts += [blank if done else blank.strip(), text[lexeme.start : lexeme.end]]
        done = lexeme.end
    return "".join(parts) if found else text


def without_comments_in_strings(text: str) -> str:
    """The text with blanks for comments between the parts of a string constant, which libpg_query does not read and
    every Postgres does; positions stay the same. Comments beyond ASCII stay."""
    if "--" not in text:
        return text
    found = _lexemes_of(text)
    parts, done = [], 0
    for lexeme in found:
        spelled = text[lexeme.start : lexeme.end]
        if lexeme.kind == "string" and "--" in spelled and not spelled.startswith("$"):
            parts += [text[done : lexeme.start], _BETWEEN_PARTS.sub(_blank, spelled)]
            done = lexeme.end
    return "".join([*parts, text[done:]])


_BETWEEN_PARTS = re.compile(rf"(?<=')(?:{NEXT_LINE})(?=')")
_COMMENT = re.compile(r"--[^\n\r]*")


def _blank(between: re.Match[str]) -> str:
    return _COMMENT.sub(lambda comment: " " * len(comment[0]), between[0]) if between[0].isascii() else between[0]


def _change(text: str, found: list[Lexeme], index: int) -> tuple[int, int, str, int] | None:
    """The begin, end and replacement of a piece of text, and the index of the next lexeme; None to change nothing."""
    lexeme = found[index]
    spelled = text[lexeme.start : lexeme.end]
    if lexeme.kind == "parameter" and not text[lexeme.end : lexeme.end + 1].isspace():
        # sqlglot takes `$1,$` for the tag of a string.
        return lexeme.end, lexeme.end, " ", index + 1
    if lexeme.kind == "number":
        digits = _decimal(spelled)
        return (lexeme.start, lexeme.end, digits, index + 1) if digits is not None and digits != spelled else None
    if lexeme.kind not in ("string", "identifier"):
        return None
    joined = _in_one_piece(spelled) if lexeme.kind == "string" and not spelled.startswith("$") else spelled
    if not _UNICODE.match(spelled):
        return (lexeme.start, lexeme.end, joined, index + 1) if joined != spelled else None
    escape, end, following = "\\", lexeme.end, index + 1
    words = [text[word.start : word.end] for word in found[index + 1 : index + 3]]
    if len(words) == 2 and words[0].lower() == "uescape" and len(words[1]) == 3:
        escape, end, following = words[1][1], found[index + 2].end, index + 3
    decoded = _without_escapes(joined[2:], escape)
    return (lexeme.start, end, decoded, following) if decoded is not None else None


def _in_one_piece(spelled: str) -> str:
    """A string constant whose parts stand on several lines, in one part."""
    prefix = spelled[: spelled.index("'")]
    parts = (_ESCAPED_PART if prefix in ("e", "E") else _PART).findall(spelled)
    return f"{prefix}'{''.join(parts)}'"


def _decimal(spelled: str) -> str | None:
    """A number in decimal digits; None if it has too many to be written out here."""
    digits = spelled.replace("_", "")
    if digits[1:2] in ("x", "X", "o", "O", "b", "B"):
        return str(int(digits, 0)) if len(digits) < 200 else None
    return digits


def _without_escapes(quoted: str, escape: str) -> str | None:
    """The string with its Unicode escapes replaced; None if one of them is invalid."""
    pattern = re.escape(escape)
    valid = re.compile(rf"{pattern}(?:({pattern})|([0-9a-fA-F]{{4}})|\+([0-9a-fA-F]{{6}}))")
    if escape in valid.sub("", quoted):
        return None

    def character(found: re.Match[str]) -> str:
        digits = found[2] or found[3]
        meant = chr(int(digits, 16)) if digits else escape
        return meant * 2 if meant == quoted[0] else meant

    try:
        # Two halves of a surrogate pair are one character.
        return valid.sub(character, quoted).encode("utf-16", "surrogatepass").decode("utf-16")
    except (UnicodeDecodeError, ValueError):
        return None
