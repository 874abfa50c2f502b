"""What is wrong with a text that is no YAML, where, and what was probably meant."""

from __future__ import annotations

import re
from typing import Final

from ruamel.yaml.error import MarkedYAMLError, YAMLError
from ruamel.yaml.reader import ReaderError

from proxy.policy.findings import Finding, Position

_OTHERWISE: Final = (
    "fix the YAML syntax here (often an indentation, a missing quote or bracket); the rest was not checked"
)
_CURLY: Final = "write straight quotes: \" or '"
_OF_PROBLEMS: Final = (
    ("another document", "a policy is one document: remove what follows `---` or `...`"),
    ("'\\t' that cannot", "YAML's syntax has no tabs here: indent with blanks"),
    ("cannot start any token", "quote the text that begins with this character"),
    ("undefined alias", "* refers to an &anchor above; quote the text if it is none"),
)
_IN_BRACKETS: Final = re.compile(r"[{\[][^}\]]*\$\{")
_HALF_OPEN: Final = re.compile(r"bounds\s*:\s*(\[[^\]\"']*\))")
_NO_BLANK: Final = re.compile(r"\s*[A-Za-z_][\w.]*:[^\s:/]")
_WIDE_COLON: Final = "："
_NO_BREAK: Final = re.compile("[\u00a0\u2007\u202f]")


def syntax_finding(error: YAMLError, text: str, file: str) -> Finding:
    """The finding of what the parser says of a text."""
    place, message = Position(1, 1), " ".join(str(error).split("\n")[0].split())
    if isinstance(error, ReaderError):
        place, message = (
            place_at(text, error.position),
            f"the character U+{ord(text[error.position]):04X} is not allowed",
        )
    elif isinstance(error, MarkedYAMLError):
        mark = error.problem_mark or error.context_mark
        if mark is not None:
            place = Position(mark.line + 1, mark.column + 1)
        message = ", ".join(part for part in (error.context, error.problem) if part)
    return Finding(file, *place, "", "error", f"not valid YAML: {message}", _hint(message, text, place.line), "DP101")


def place_at(text: str, index: int) -> Position:
    """The place of a character of a text."""
    return Position(text.count("\n", 0, index) + 1, index - text.rfind("\n", 0, index))


def _hint(message: str, text: str, line: int) -> str:
    lines = text.split("\n")
    here = lines[line - 1]
    for part, hint in _OF_PROBLEMS:
        if part in message:
            return hint
    if "U+" in message:
        return "remove the character"
    if any(quote in here for quote in "“”„‘’"):
        return _CURLY
    if _NO_BREAK.search(here):
        return f"line {line} has a no-break blank: write an ordinary one"
    if half_open := _HALF_OPEN.search(here):
        return f'half-open bounds are a text: write "{half_open[1]}"'
    if _IN_BRACKETS.search(here):
        return "inside { } and [ ], YAML needs quotes around ${…}; put numbers from variables on a line of their own"
    if "mapping values" in message or "could not find expected ':'" in message:
        above = [(number, lines[number - 1]) for number in range(line, 0, -1) if lines[number - 1].strip()][:2]
        for number, written in above:
            if _WIDE_COLON in written:
                return f"line {number} has a wide colon: write `:` and a blank"
            if _NO_BLANK.match(written):
                return f"write a blank after the colon in line {number}"
    return _OTHERWISE
