"""The list of functions in the analysts' page: `python -m tests.docs.functions` writes it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from types import ModuleType
from typing import Final

from sqlglot import exp

from proxy.sql.terms import (
    array_columns,
    conditionals,
    datetimes,
    documents,
    formats,
    intervals,
    mathematics,
    patterns,
    texts,
    whole_numbers,
)
from proxy.sql.terms.operation import StageFunction
from proxy.sql.terms.operations import TABLE, Key, joined
from tests.docs.markdown import CHECKOUT, LANGUAGE

BEGINNING, END = "<!-- functions -->\n\n", "\n\n<!-- end of functions -->"
THEMES: Final[dict[str, tuple[ModuleType, ...]]] = {
    "Numbers": (mathematics, whole_numbers),
    "Texts": (texts,),
    "Patterns": (patterns,),
    "Dates and intervals": (datetimes, intervals, formats),
    "Documents": (documents,),
    "Arrays": (array_columns,),
    "Choices": (conditionals,),
}
OF_CONSTANTS: Final = "Of constants alone"
SPELLED: Final[dict[Key, str]] = {
    exp.Extract: "extract",
    exp.Overlay: "overlay",
    exp.StrPosition: "position",
    exp.Substring: "substring",
    exp.Trim: "trim",
    exp.CurrentDate: "current_date",
}
"""Functions with a syntax of their own, unless they are listed by their names too."""


def listed() -> str:
    """The functions of every theme in Markdown, and those that no row may be computed with."""
    rows = {
        theme: _names(key for module in modules for key in joined(module.OPERATIONS) if not _is_of_constants(key))
        for theme, modules in THEMES.items()
    }
    known = {name for names in rows.values() for name in names}
    rows[OF_CONSTANTS] = [name for name in _names(filter(_is_of_constants, TABLE)) if name not in known]
    return "\n".join(f"- **{theme}**: {', '.join(f'`{name}`' for name in names)}" for theme, names in rows.items())


def _is_of_constants(key: Key) -> bool:
    return isinstance(TABLE[key], StageFunction)


def _names(keys: Iterable[Key]) -> list[str]:
    return sorted(set(_spelled(keys)))


def _spelled(keys: Iterable[Key]) -> Iterator[str]:
    for key in keys:
        name = key if isinstance(key, str) else SPELLED.get(key)
        if name is not None:
            yield name


def main() -> None:
    path = CHECKOUT / LANGUAGE.path
    text = path.read_text(encoding="utf-8")
    before, _, rest = text.partition(BEGINNING)
    path.write_text(before + BEGINNING + listed() + END + rest.partition(END)[2], encoding="utf-8")


if __name__ == "__main__":
    main()
