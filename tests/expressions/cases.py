"""Reading and writing of `tests/fixtures/expressions/*.sql`: paragraphs of comments and an expression.

A comment that begins with the name of a fact says what is expected (`facts`). `for a, b in numbers; op in + | -` makes
the expression a family with a member for each choice, named in it as {a} and {op}. All other comments are remarks.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from pathlib import Path
from typing import Final

from tests.expressions.table import SETS

DIRECTORY: Final = Path(__file__).parents[1] / "fixtures" / "expressions"
SYNTAX: Final = "syntax"
"""The theme whose expressions are only read: their names stand for nothing."""
CONSTANTS: Final = "constants"
"""The theme of constants, which a server computes before anything is planned."""
FACTS: Final = ("bounds", "not null", "step", "refused", "says", "null on extremes", "null on items", "differs")
"""What a fact's comment begins with; `facts` says what they mean."""

_FAMILY: Final = "for "
_FACT: Final = re.compile(
    r"(?P<bare>not null)|(?P<step>step) (?P<grid>\S+)"
    r"|(?P<name>bounds|refused|says|null on extremes|null on items|differs)(?: \((?P<count>\d+ of \d+)\))?(?:: (?P<value>.+))?"
)
_FACTS: Final = re.compile(
    r"not null(;|$)|step \S+(;|$)|(bounds|refused|says|null on extremes|null on items|differs)(:|;|$| \()"
)
_RANGE: Final = re.compile(r"(?P<different>different )?(?P<names>\w+(?:, \w+)*) in (?P<values>.+)")


class MalformedCaseError(ValueError):
    """A paragraph that says nothing, or what nobody understands."""

    def __init__(self, path: Path, line: int, what: str) -> None:
        super().__init__(f"{path}:{line}: {what}")


@dataclass(frozen=True)
class Range:
    """What some names of a family stand for: all choices from the values, or those that differ."""

    names: tuple[str, ...]
    values: tuple[str, ...]
    different: bool

    def choices(self) -> Iterator[dict[str, str]]:
        """A value for each name."""
        for chosen in product(self.values, repeat=len(self.names)):
            if not self.different or len(set(chosen)) == len(chosen):
                yield dict(zip(self.names, chosen, strict=True))


@dataclass(frozen=True)
class Case:
    """One paragraph of a file.

    Attributes:
        path: of the file.
        line: where its expression begins, from 1.
        template: the expression, with names of ranges in braces.
        ranges: what these names stand for; none for a single expression.
        comments: all lines above the expression, without their dashes.
    """

    path: Path
    line: int
    template: str
    ranges: tuple[Range, ...]
    comments: tuple[str, ...]

    @property
    def theme(self) -> str:
        """The name of its file."""
        return self.path.stem

    @property
    def place(self) -> str:
        """File and line, for people."""
        return f"{self.theme}.sql:{self.line}"

    @cached_property
    def members(self) -> tuple[str, ...]:
        """The expressions: one, or those of the family."""
        return tuple(self._members())

    @property
    def facts(self) -> tuple[str, ...]:
        """What is expected, each as it stands in a comment."""
        return tuple(fact for comment in self.comments if is_facts(comment) for fact in comment.split("; "))

    def said(self, name: str) -> str:
        """What a fact says after its colon; empty if there is none."""
        matches = [_FACT.fullmatch(fact) for fact in self.facts]
        return next((match["value"] or "" for match in matches if match is not None and match["name"] == name), "")

    @property
    def refused(self) -> str:
        """What refuses it, or some of the family."""
        return self.said("refused")

    @property
    def text(self) -> str:
        """The paragraph."""
        return "\n".join([*(f"-- {comment}" for comment in self.comments), self.template])

    def _members(self) -> Iterator[str]:
        for chosen in product(*(found.choices() for found in self.ranges)):
            text = self.template
            for name, value in ((name, value) for part in chosen for name, value in part.items()):
                text = text.replace(f"{{{name}}}", value)
            yield text


def read(path: Path, sets: Mapping[str, Sequence[str]] = SETS) -> Iterator[Case]:
    """The cases of a file, in order.

    Raises:
        MalformedCaseError: a paragraph without an expression, a fact or a range that is not understood, or a name that
            stands for nothing.
    """
    number = 1
    for paragraph in path.read_bytes().decode().removesuffix("\n").split("\n\n"):
        lines = paragraph.split("\n")
        above = next((index for index, line in enumerate(lines) if not line.startswith("-- ")), len(lines))
        comments = tuple(line.removeprefix("-- ") for line in lines[:above])
        template = "\n".join(lines[above:])
        if not template.strip():
            raise MalformedCaseError(path, number, "there is no expression: one empty line stands between two cases")
        ranges = tuple(_ranges(path, number, comments, template, sets))
        _check(path, number, comments)
        yield Case(path, number + above, template, ranges, comments)
        number += len(lines) + 1


def _ranges(
    path: Path, number: int, comments: Sequence[str], template: str, sets: Mapping[str, Sequence[str]]
) -> Iterator[Range]:
    for offset, comment in enumerate(comments):
        if not comment.startswith(_FAMILY):
            continue
        for part in comment.removeprefix(_FAMILY).split("; "):
            match = _RANGE.fullmatch(part)
            if match is None:
                raise MalformedCaseError(path, number + offset, f"write `for a, b in x | y; c in SET`, not {part!r}")
            names, values = match["names"].split(", "), match["values"].split(" | ")
            if len(values) == 1 and values[0] not in sets:
                raise MalformedCaseError(path, number + offset, f"{values[0]!r} is none of {', '.join(sets)}")
            if any(f"{{{name}}}" not in template for name in names):
                raise MalformedCaseError(path, number + offset, f"the expression does not have all of {names}")
            chosen = tuple(value for given in values for value in sets.get(given, [given]))
            yield Range(tuple(names), chosen, bool(match["different"]))


def is_derived(fact: str) -> bool:
    """Does the compiler know it without looking at rows?"""
    return fact.startswith(("bounds", "not null", "step", "refused"))


def is_facts(comment: str) -> bool:
    """Does a comment say facts? All others are remarks, and ranges."""
    return _FACTS.match(comment) is not None


def _check(path: Path, number: int, comments: Sequence[str]) -> None:
    for offset, comment in enumerate(comments):
        for fact in comment.split("; ") if is_facts(comment) else ():
            if not _FACT.fullmatch(fact):
                raise MalformedCaseError(path, number + offset, f"{fact!r} is no fact: these are {', '.join(FACTS)}")


FILES: Final = tuple(sorted(DIRECTORY.glob("*.sql")))
ALL: Final = tuple(case for path in FILES for case in read(path))
CASES: Final = tuple(case for case in ALL if case.theme != SYNTAX)
"""All that are computed."""


def name(case: Case) -> str:
    """The id of a test of this case."""
    return f"{case.theme}:{case.line}"
