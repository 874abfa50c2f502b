"""Reading and writing of `cases/*.sql`: paragraphs of a statement and its card, apart by empty lines."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

FILES = sorted((Path(__file__).parent / "cases").glob("*.sql"))
_CARD = "--> "


@dataclass(frozen=True)
class Case:
    """One paragraph of a file.

    Attributes:
        name: of the file, and its place there.
        statement: its statement, with its comments.
        card: the lines of the card, without what marks them.
    """

    name: str
    statement: str
    card: tuple[str, ...]

    @property
    def text(self) -> str:
        """The paragraph."""
        return "\n".join([self.statement, *(f"{_CARD}{line}" for line in self.card)])


def read(file: Path) -> Iterator[Case]:
    """The cases of a file, in order."""
    for number, paragraph in enumerate(file.read_text().strip().split("\n\n"), 1):
        lines = paragraph.splitlines()
        statement = "\n".join(line for line in lines if not line.startswith(_CARD))
        card = tuple(line.removeprefix(_CARD) for line in lines if line.startswith(_CARD))
        yield Case(f"{file.stem} {number}", statement, card)


def write(file: Path, cases: list[Case]) -> None:
    """Write a file anew."""
    file.write_text("\n\n".join(case.text for case in cases) + "\n")
