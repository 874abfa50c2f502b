"""What the grammar's rules pass to each other: typed values, FROM items, rows, queries, and the pen that draws choices."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import count
from typing import TypeVar

from hypothesis import strategies as st

T = TypeVar("T")

NUMBERS = ("integer", "numeric", "float")
MOMENTS = ("date", "timestamp", "timestamptz")


@dataclass(frozen=True)
class Value:
    """An expression, or a reference to a column.

    Attributes:
        sql: its text.
        type: integer, numeric, float, text, boolean, date, timestamp or timestamptz.
        name: of the column that it is; empty for other expressions.
        nullable: can it be NULL?
        bounded: does the policy bound it, so that it can be summed?
        declared: are its values declared group keys?
        exact: does a sum of it have the digits of Postgres's? Floats and quotients are rounded to a grid.
        role: what its values identify (reader, loan, genre, branch), for joins.
        reach: of a bounded number, the decimal digits before the point that its bounds have.
        places: those after the point, if it is exact.
    """

    sql: str
    type: str
    name: str = ""
    nullable: bool = True
    bounded: bool = False
    declared: bool = False
    exact: bool = True
    role: str | None = None
    reach: int = 0
    places: int = 0


@dataclass(frozen=True)
class Item:
    """One relation of a FROM clause; `private` if its rows belong to readers."""

    sql: str
    columns: tuple[Value, ...]
    private: bool

    def of_role(self, *roles: str) -> list[Value]:
        return [column for column in self.columns if column.role in roles]

    def as_nullable(self) -> Item:
        """The item on the side of an outer join that may have no row."""
        return replace(self, columns=tuple(replace(column, nullable=True) for column in self.columns))


@dataclass(frozen=True)
class Rows:
    """A FROM clause: what it shows, the conditions that join it in WHERE, and if it keeps public rows without private
    ones (then only columns of the private table can be counted)."""

    items: tuple[Item, ...]
    sql: str
    conditions: tuple[str, ...] = ()
    keeps_public: bool = False

    @property
    def columns(self) -> tuple[Value, ...]:
        return tuple(column for item in self.items for column in item.columns)

    def of_type(self, *types: str) -> list[Value]:
        return [column for column in self.columns if column.type in types]

    def of_role(self, *roles: str) -> list[Value]:
        return [column for item in self.items if item.private for column in item.of_role(*roles)]


@dataclass(frozen=True)
class Query:
    """A SELECT over private rows, or over results of such: its text without ORDER BY, its named outputs,
    and the query of the temporary table that it reads, if it does."""

    sql: str
    columns: tuple[Value, ...]
    kept: str = ""

    @property
    def rounded(self) -> int | None:
        """The reach of the widest output that is rounded to a grid; None if all are exact."""
        return max((column.reach for column in self.columns if not column.exact), default=None)


@dataclass(frozen=True)
class Statement:
    """A whole statement.

    Attributes:
        sql: its text.
        ordered: does its ORDER BY fix the order of all rows that differ?
        tolerance: how far its numbers may be from Postgres's; 0 if they must have the same digits.
        constructs: what of the grammar it uses.
        kept: a query whose rows are in the temporary table `kept` before.
    """

    sql: str
    ordered: bool
    tolerance: float
    constructs: frozenset[str] = field(repr=False)
    kept: str = ""


@dataclass
class Pen:
    """Draws the choices of one statement and notes the constructs that it uses.

    Attributes:
        draw: of the composite strategy.
        constructs: noted so far.
    """

    draw: st.DrawFn
    constructs: set[str] = field(default_factory=set)
    _numbers: Iterator[int] = field(default_factory=count)

    def choose(self, options: Sequence[T]) -> T:
        """One of the options; shrinking prefers the first."""
        return self.draw(st.sampled_from(options))

    def rule(self, rules: dict[str, Callable[[], T]], rare: dict[str, Callable[[], T]] | None = None) -> T:
        """Follow one of the named rules of the grammar and note it; once in twenty times one of the rare ones."""
        if rare and self.sometimes(20):
            rules = rare
        name = self.choose(list(rules))
        self.constructs.add(name)
        return rules[name]()

    def attempt(self, make: Callable[[], T], suits: Callable[[T], object], otherwise: Callable[[], T]) -> T:
        """What `make` gives if it suits, else another; what was not used leaves no notes."""
        before = set(self.constructs)
        found = make()
        if suits(found):
            return found
        self.constructs = before
        return otherwise()

    def sometimes(self, one_in: int = 2) -> bool:
        """True once in so many draws; shrinks to False."""
        return self.draw(st.integers(1, one_in)) == one_in

    def some(self, options: Sequence[T], least: int, most: int) -> list[T]:
        """Different options, in any order."""
        most = min(most, len(options))
        return self.draw(st.lists(st.sampled_from(options), min_size=min(least, most), max_size=most, unique=True))

    def alias(self) -> str:
        """A fresh name: a, b, …, z, a1, …"""
        number = next(self._numbers)
        return chr(ord("a") + number % 26) + (str(number // 26) if number >= 26 else "")
