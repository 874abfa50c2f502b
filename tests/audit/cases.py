"""The battery: statements by theme, in `statements/*.sql`.

A file is paragraphs apart by blank lines, each a case: one or more statements of one session, each ending with `;` at
the end of a line. Lines `-- $name: text` give one of the texts that stand for `$name`; a case is tried with every
combination of those of the names in it. Other comments are for people.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product
from pathlib import Path
from random import Random
from typing import Final

DIRECTORY: Final = Path(__file__).parent / "statements"
_NAME = re.compile(r"\$([a-z]+)\b")
_CHOICE = re.compile(r"-- \$([a-z]+): (.*)")


@dataclass(frozen=True)
class Case:
    """Statements of one session.

    Attributes:
        theme: what they try.
        statements: in order.
    """

    theme: str
    statements: tuple[str, ...]

    def __str__(self) -> str:
        return " ".join(self.statements)


def read_cases(path: Path) -> list[Case]:
    """The cases of a file, each once.

    Raises:
        KeyError: a name without any text.
    """
    choices: dict[str, list[str]] = {}
    paragraphs: list[list[str]] = [[]]
    for line in path.read_text().splitlines():
        choice = _CHOICE.fullmatch(line)
        if choice is not None:
            choices.setdefault(choice[1], []).append(choice[2])
        elif not line:
            paragraphs.append([])
        elif not line.startswith("--"):
            paragraphs[-1].append(line)
    cases = {Case(path.stem, tuple(_split(text))) for lines in paragraphs for text in _filled(lines, choices)}
    return sorted(cases, key=str)


def _filled(lines: Sequence[str], choices: dict[str, list[str]]) -> Iterator[str]:
    text = "\n".join(lines)
    names = list(dict.fromkeys(_NAME.findall(text)))
    if not text:
        return
    for values in product(*(choices[name] for name in names)):
        texts = dict(zip(names, values, strict=True))
        yield _NAME.sub(lambda found, texts=texts: texts[found[1]], text)  # type: ignore[misc]


def _split(text: str) -> list[str]:
    """The statements, each on one line."""
    return [" ".join(found.strip().split("\n")) for found in re.findall(r".+?;(?=\n|$)", text, re.DOTALL)]


@cache
def themes() -> tuple[str, ...]:
    """The names of all themes."""
    return tuple(sorted(path.stem for path in DIRECTORY.glob("*.sql")))


def battery(only: Sequence[str] = ()) -> list[Case]:
    """All cases of these themes, or of all."""
    return [case for theme in only or themes() for case in read_cases(DIRECTORY / f"{theme}.sql")]


def sample(cases: Sequence[Case], most: int, seed: int) -> list[Case]:
    """At most so many of the cases, of every theme in proportion, in their order."""
    if most >= len(cases):
        return list(cases)
    by_theme: dict[str, list[int]] = {}
    for index, case in enumerate(cases):
        by_theme.setdefault(case.theme, []).append(index)
    random, chosen = Random(seed), set()
    for indexes in by_theme.values():
        chosen.update(random.sample(indexes, min(len(indexes), max(1, most * len(indexes) // len(cases)))))
    return [cases[index] for index in sorted(chosen)]
