"""What a file of SQL expects of its statements, in comments before each: read from the text, and written into it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from proxy.policy.findings import did_you_mean
from proxy.sql.lexemes import lexemes

KEYS: Final = ("expect", "max_epsilon", "max_error", "accounts")
_COMMENT: Final = re.compile(r"^[ \t]*--[ \t]*([A-Za-z_]+)[ \t]*:(.*)$", re.MULTILINE)
_OUTCOME: Final = re.compile(r"answered|public|refused(?:[ \t]+([A-Za-z0-9_-]+))?")
_LIMIT: Final = re.compile(r"(?:(.*[^\s±])[ \t]+)?±?[ \t]*([0-9]{1,30}(?:\.[0-9]{1,30})?(?:[eE][+-]?[0-9]{1,2})?)")


@dataclass(frozen=True)
class Expectation:
    """One comment.

    Attributes:
        start: its offset in the script.
        key: one of `KEYS`, or a misspelt one.
        value: the text after the colon.
        trails: it stands behind another statement on the same line.
    """

    start: int
    key: str
    value: str
    trails: bool = False

    @property
    def outcome(self) -> tuple[str, str | None] | None:
        """Of `expect`: the outcome, and the rule or SQLSTATE of a refusal; None if it cannot be read."""
        found = _OUTCOME.fullmatch(self.value)
        return (self.value.split()[0], found[1]) if found is not None else None

    @property
    def limit(self) -> tuple[str, Fraction] | None:
        """Of `max_epsilon` and `max_error`: the aggregate that it is about, or '', and the limit; None if it cannot be
        read."""
        found = _LIMIT.fullmatch(self.value)
        return (found[1] or "", Fraction(found[2])) if found is not None else None

    @property
    def names(self) -> frozenset[str]:
        """Of `accounts`: their names."""
        return frozenset(name.strip() for name in self.value.split(",") if name.strip())

    @property
    def complaint(self) -> tuple[str, str] | None:
        """What is wrong with the comment itself, and what would be right; None if nothing is."""
        if self.key not in KEYS:
            return f"{self.key!r} is no expectation", did_you_mean(self.key, KEYS, f"one of {', '.join(KEYS)}")
        if self.trails:
            return "an expectation behind a statement", "write it on a line of its own, before the statement"
        if self.key == "expect":
            wrong = self.outcome is None
        elif self.key == "accounts":
            wrong = not self.names
        else:
            wrong = self.limit is None or (self.key == "max_epsilon" and self.limit[0] != "")
        return (f"{self.value!r} cannot be read as {self.key}", _FORMS[self.key]) if wrong else None


_FORMS: Final = {
    "expect": "write answered, public, or refused with a rule or an SQLSTATE, as in `-- expect: refused rows`",
    "max_epsilon": "write a number, as in `-- max_epsilon: 0.2`",
    "max_error": "write a number, and before it the aggregate if there are several: `-- max_error: count(*) ±500`",
    "accounts": "write names separated by commas, as in `-- accounts: table:public.visits`",
}


def first_lexeme(statement: str) -> int:
    """Where a statement begins behind its comments; its length if there is nothing else."""
    try:
        return next((lexeme.start for lexeme in lexemes(statement)), len(statement))
    except ValueError:
        return 0


def expectations(statement: str, start: int) -> list[Expectation]:
    """The expectations before a statement. A word before a colon that is like none of them is an ordinary comment.

    Args:
        statement: with the comments before it.
        start: its offset in the script.
    """
    found = []
    for match in _COMMENT.finditer(statement, 0, first_lexeme(statement)):
        key = match[1].lower()
        if key in KEYS or did_you_mean(key, KEYS, ""):
            trails = start > 0 and "\n" not in statement[: match.start()] and match.start() == 0
            found.append(Expectation(start + match.start(), key, match[2].strip(), trails))
    return found


def with_expectations(script: str, recorded: Sequence[tuple[int, int, Sequence[str]]]) -> str:
    """A script with other expectations before its statements; all else stays.

    Args:
        script: the text.
        recorded: for each statement its offset, its length, and the comments to be written before it.
    """
    return "".join(_pieces(script, recorded))


def _pieces(script: str, recorded: Sequence[tuple[int, int, Sequence[str]]]) -> Iterator[str]:
    done = 0
    for start, length, comments in recorded:
        begins = start + first_lexeme(script[start : start + length])
        head = _RECORDED.sub("", script[done:begins])
        if done and "\n" not in head:
            head = head.rstrip(" \t") + "\n"
        last_line = head.rfind("\n") + 1
        indent = head[last_line : len(head) - len(head[last_line:].lstrip(" \t"))]
        yield head[:last_line] + "".join(f"{indent}-- {comment}\n" for comment in comments) + head[last_line:]
        done = start + length
        yield script[begins:done]
    yield script[done:]


_RECORDED: Final = re.compile(rf"^[ \t]*--[ \t]*(?:{'|'.join(KEYS)})[ \t]*:.*\n?", re.MULTILINE | re.IGNORECASE)
