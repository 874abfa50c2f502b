"""What queries over row-level relations are drawn of: tables, constants, and conditions that tie relations together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeVar

from hypothesis import strategies as st

Kind = Literal["unit", "row", "number", "word"]
"""What a column holds: the unit, the key of another row, a number, or a text."""

Choice = TypeVar("Choice")


@dataclass(frozen=True)
class Source:
    """Something that can stand in FROM: its text and its columns."""

    sql: str
    columns: dict[str, Kind]


@dataclass(frozen=True)
class Scope:
    """A FROM clause and the columns that it shows, with their qualifiers."""

    sql: str
    columns: dict[str, Kind]

    def of(self, *kinds: Kind) -> list[str]:
        return [name for name, kind in self.columns.items() if kind in kinds]


@dataclass(frozen=True)
class Query:
    """A query and the names of the constructs in it."""

    text: str
    constructs: frozenset[str]


TABLES = [
    Source("people", {"unit": "unit", "grade": "number", "region": "word"}),
    Source("badges", {"unit": "unit", "amount": "number", "region": "word"}),
    Source("cards", {"unit": "unit", "amount": "number", "cost": "number", "score": "number", "region": "word"}),
    Source("events", {"event": "row", "unit": "unit", "amount": "number", "region": "word"}),
    Source("notes", {"event": "row", "amount": "number", "region": "word"}),
]
PUBLIC = [
    Source("regions", {"name": "word", "zone": "word", "code": "number"}),
    Source("factors", {"code": "number", "factor": "number"}),
]
PEOPLE, EVENTS, REGIONS = TABLES[0], TABLES[3], PUBLIC[0]

_WORDS: dict[str, Kind] = {"name": "word", "code": "number"}
CONSTANTS = [
    Source("(VALUES ('north', 7), ('south', -3), ('east', 7)) {alias}(name, code)", _WORDS),
    Source("(VALUES ('north', 7), ('north', 1), ('south', NULL)) {alias}(name, code)", _WORDS),
    Source("(SELECT 'north' AS name, 1 AS code UNION ALL SELECT 'north', 2) {alias}", _WORDS),
    Source("(SELECT DISTINCT n AS code, 'north' AS code FROM generate_series(1, 9) n) {alias}(code, name)", _WORDS),
    Source("generate_series(1, 9) {alias}(code)", {"code": "number"}),
    Source("unnest(ARRAY['north', 'south', 'north']) WITH ORDINALITY {alias}(name, code)", _WORDS),
    Source("ROWS FROM (unnest(ARRAY[7, 7]), unnest(ARRAY['north', 'south'])) {alias}(code, name)", _WORDS),
]
"""Rows that a query writes out itself."""


@dataclass
class Drawing:
    """A query while it is drawn: its CTEs, and the constructs that it has so far."""

    draw: st.DrawFn
    ctes: list[tuple[Source, str]] = field(default_factory=list)
    constructs: set[str] = field(default_factory=set)

    def one_of(self, choices: Sequence[Choice]) -> Choice:
        return self.draw(st.sampled_from(choices))

    def some(self, choices: Sequence[Choice], least: int, most: int) -> list[Choice]:
        """Distinct choices in any order, fewer than `least` where there are not as many."""
        if not choices:
            return []
        least = min(least, len(choices))
        return self.draw(st.lists(st.sampled_from(choices), min_size=least, max_size=most, unique=True))

    def once_in(self, times: int) -> bool:
        return self.draw(st.integers(1, times)) == times

    def uses(self, construct: str) -> None:
        self.constructs.add(construct)


def condition(drawing: Drawing, columns: dict[str, Kind]) -> str:
    """A condition on the columns of one row."""
    name = drawing.one_of([name for name, kind in columns.items() if kind != "row"] or list(columns))
    if columns[name] == "word":
        return drawing.one_of([f"{name} = 'north'", f"{name} <> 'south'", f"{name} IS NULL", f"{name} IS NOT NULL"])
    others = [other for other, kind in columns.items() if kind == "number"]
    right = drawing.one_of(["0", "1", "3", *others])
    return f"{name} {drawing.one_of(['=', '<>', '<', '>='])} {right}"


def equal(earlier: Scope, new: Scope, *kinds: Kind) -> list[str]:
    return [f"{left} = {right}" for kind in kinds for left in earlier.of(kind) for right in new.of(kind)]


def tie(drawing: Drawing, earlier: Scope, new: Scope) -> str:
    """What usually ties two private relations, rarely something else; often with further equalities, true or false."""
    pairs, words, anything = (equal(earlier, new, *kinds) for kinds in (("unit", "row"), ("word",), ("number", "word")))
    parts = [drawing.one_of(pairs)] if pairs and not drawing.once_in(15) else drawing.some(anything, 1, 1) or ["true"]
    if words and drawing.once_in(3):
        parts.append(drawing.one_of(words))
    if drawing.once_in(4):
        parts.append(condition(drawing, earlier.columns | new.columns))
    if pairs and drawing.once_in(6):
        parts.append(drawing.one_of(pairs))
    return conjunction(drawing, list(dict.fromkeys(parts)))


def conjunction(drawing: Drawing, parts: list[str]) -> str:
    """The parts with AND; equalities of columns among them perhaps as one of rows."""
    equal = [sides for part in parts if len(sides := part.split(" = ")) == 2 and " " not in part.replace(" = ", "")]
    if len(equal) < 2 or drawing.once_in(2):
        return " AND ".join(parts)
    drawing.uses("row comparison")
    left, right = (", ".join(side) for side in zip(*equal, strict=True))
    return " AND ".join([f"({left}) = ({right})", *(part for part in parts if part.split(" = ") not in equal)])


def named_alike(drawing: Drawing, earlier: Scope, new: Scope) -> str:
    """USING with columns that are on both sides; nothing if there are none."""
    names = [[name.split(".")[1] for name in scope.columns] for scope in (earlier, new)]
    both = [name for name in names[1] if names[0].count(name) == 1]
    if not both:
        return ""
    return f" USING ({', '.join(drawing.some(both, 1, 2))})"
