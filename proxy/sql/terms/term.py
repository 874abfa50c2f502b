"""A compiled scalar expression: SQL that cannot fail, with what is known of its values."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Protocol

from sqlglot import exp

from proxy.sql.replacing import replace
from proxy.sql.terms.bounds import Bounds
from proxy.sql.terms.spans import Span
from proxy.sql.terms.types import Kind, SqlType


@dataclass(frozen=True)
class Read:
    """A column that a term reads.

    Attributes:
        alias: of the FROM item that has it, in generated SQL.
        table: "schema.table"; None for a column of a subquery in FROM.
        column: its name there.
    """

    alias: str
    table: str | None
    column: str


@dataclass(frozen=True)
class Term:
    """A total SQL expression (decision 4) and its static properties.

    Attributes:
        sql: SQL for the source, safe as an operand of any operator (a name, a literal, a call, or in parentheses).
        type: the type Postgres gives the client's expression. A wider SQL type may carry an INTEGER, see `wide`.
        nullable: False only where NULL is impossible.
        bounds: interval that the policy's bounds give this expression. It says where to clamp, not what the data does.
            Of a number in its unit, of a date or timestamp in seconds since 1970 (`clocks`).
        span: likewise of an interval's parts.
        low: where `bounds` is None, a lower limit that the expression itself keeps, as greatest(x, 0) does.
        high: likewise an upper limit.
        step: grid that the policy declares for the values; None if it declares none.
        grid: grid that the types guarantee for every value; None if they guarantee none.
        magnitude: largest absolute value that the type and the guards allow, None if unknown; in days for an interval.
        wide: an INTEGER whose SQL value is numeric, because bigint might overflow.
        literal: the value of a constant: its text without quotes, None if this is not a literal (or is NULL).
        constant: no column in it.
        size: the largest size of a value: characters of a text, digits of a numeric, octets of everything else. None
            where the type alone bounds it (`terms.work.size_of`), which it never does for text.
        work: nanoseconds that one evaluation takes at most, whatever the row holds (`terms.work`).
        shared: the aggregates and window functions in it, by their SQL, with the work of each: the source computes them
            once, wherever they stand.
        seen: the characters of a longer text that a regular expression in it sees; None if it sees all.
        guarded: the SQL of a double precision that is NULL, NaN, 0 or from 1e-150 to 1e150 in size, so that no product
            or quotient of two can fail; other SQL, or none, where that is not known of this term.
        plain: the SQL of a value of which no equal one differs: a text under the database's own collation, or a numeric
            without digits after the point; other SQL, or none, where that is not known of this term.
        capped: bounds that follow from the stated most rows of a unit, as those of a count of them do, and that number.
            A unit with more rows has values beyond them, which count as the nearest where `bounds` are the same.
        reads: the columns in it, with those of rows around a subquery; not those inside its subqueries.
        subqueries: the subqueries in it, each once.
    """

    sql: str
    type: SqlType
    nullable: bool = True
    bounds: Bounds | None = None
    step: Fraction | None = None
    grid: Fraction | None = None
    magnitude: Fraction | None = None
    wide: bool = False
    literal: str | None = None
    constant: bool = False
    low: Fraction | None = None
    high: Fraction | None = None
    size: int | None = None
    work: int = 0
    shared: tuple[tuple[str, int], ...] = ()
    seen: int | None = None
    guarded: str | None = None
    plain: str | None = None
    capped: tuple[Bounds, int] | None = None
    reads: frozenset[Read] = frozenset()
    subqueries: tuple[Subquery, ...] = field(default=(), compare=False, repr=False)
    span: Span | None = None

    @property
    def lowest(self) -> Fraction | None:
        """The lower limit of the values that count, None if there is no limit."""
        return self.bounds.low if self.bounds is not None else self.low

    @property
    def highest(self) -> Fraction | None:
        """The upper limit of the values that count, None if there is no limit."""
        return self.bounds.high if self.bounds is not None else self.high

    def limited_to(self, low: Fraction | None, high: Fraction | None) -> Term:
        """The term with these limits instead of its own; together they are bounds."""
        if low is not None and high is not None:
            return replace(self, bounds=Bounds(min(low, high), high), low=None, high=None)
        return replace(self, bounds=None, low=low, high=high)

    @property
    def kind(self) -> Kind:
        return self.type.kind

    @property
    def is_integer(self) -> bool:
        """Is its SQL value of an integer type, too? Whatever is known of its magnitude, it fits a double precision."""
        return self.type.kind is Kind.INTEGER and not self.wide

    @property
    def is_guarded(self) -> bool:
        """See `guarded`: it does not outlast a change of the SQL."""
        return self.guarded == self.sql

    @property
    def is_plain(self) -> bool:
        """See `plain`: it does not outlast a change of the SQL."""
        return self.plain == self.sql

    def computed(self, times: int) -> Term:
        """The term where it is computed up to so many times for a row."""
        return replace(self, work=self.work * times)

    def with_sql(self, sql: str) -> Term:
        """A term with other SQL and the same properties; it is no longer a literal."""
        return replace(self, sql=sql, literal=None)


@dataclass(frozen=True, eq=False)
class Subquery:
    """A compiled subquery among rows.

    Attributes:
        name: of its own among the subqueries of a relation.
        body: FROM and WHERE for the source.
        outputs: the values that IN compares with.
        filtered: is there a WHERE?
        tied: does each equality with a row around it need a tie (`ties`)?
        reads: the columns in it that belong to the rows around it.
    """

    name: str
    body: str
    outputs: tuple[Term, ...]
    filtered: bool
    tied: bool
    reads: frozenset[Read]


Limits = Mapping[str, tuple[Fraction | None, Fraction | None]]
"""What is known of expressions, by their SQL: lower and upper limit, None where nothing is."""


class Scope(Protocol):
    """What column references mean."""

    @property
    def limits(self) -> Limits:
        """What the conditions that all its rows meet say of expressions (`limits`)."""

    def whole(self, node: exp.Expr) -> Term | None:
        """The term of an expression that is known as a whole: a group key, an aggregate; else None."""

    def column(self, node: exp.Column) -> Term:
        """The term of a column reference. Raises DpproxyError if it names nothing that may be read."""

    def subquery(self, query: exp.Expr, value: exp.Expr | None) -> Subquery:
        """A subquery among the rows; `value` is what IN compares its outputs with, a row or one value. Raises
        DpproxyError if it could read another unit's rows."""


def quote_identifier(name: str) -> str:
    """An identifier for Postgres, always quoted."""
    return '"' + name.replace('"', '""') + '"'


def quote_table(name: str) -> str:
    """A "schema.table" name for Postgres, both parts quoted."""
    schema, relation = name.split(".", 1)
    return f"{quote_identifier(schema)}.{quote_identifier(relation)}"


def quote_literal(text: str) -> str:
    """A string literal that means the same with standard_conforming_strings on and off.

    Raises:
        ValueError: a NUL character, which Postgres strings cannot hold.
    """
    if "\0" in text:
        raise ValueError("a string literal cannot hold a NUL character")
    doubled = text.replace("'", "''")
    if "\\" in doubled:
        return "E'" + doubled.replace("\\", "\\\\") + "'"
    return f"'{doubled}'"


def array_literal(values: Iterable[str | None]) -> str:
    """A string literal that Postgres reads as an array of these texts. Raises ValueError for a NUL character."""
    elements = []
    for value in values:
        if value is None:
            elements.append("NULL")
        else:
            escaped = value.replace("\\", "\\\\").replace('"', '\\"')
            elements.append(f'"{escaped}"')
    return quote_literal("{" + ",".join(elements) + "}")


def decimal_text(value: Fraction, least_places: int = 0) -> str:
    """Exact decimal notation of a rational whose denominator divides a power of ten, with `least_places` decimal
    places or more.

    Raises:
        ValueError: the value has no finite decimal expansion.
    """
    digits = max(decimal_places(value), least_places)
    scaled = abs(value.numerator) * 10**digits // value.denominator
    text = str(scaled).rjust(digits + 1, "0")
    sign = "-" if value < 0 else ""
    return f"{sign}{text[:-digits]}.{text[-digits:]}" if digits else f"{sign}{text}"


def decimal_places(value: Fraction) -> int:
    """The number of decimal places that `value` needs. Raises ValueError if there is no exact decimal notation."""
    denominator = value.denominator
    if denominator == 1:
        return 0
    twos = fives = 0
    while denominator % 2 == 0:
        denominator //= 2
        twos += 1
    while denominator % 5 == 0:
        denominator //= 5
        fives += 1
    if denominator != 1:
        raise ValueError(f"{value} has no finite decimal expansion")
    return max(twos, fives)


def number_sql(value: Fraction) -> str:
    """A number for the source, in exact decimal notation, in parentheses if negative."""
    text = decimal_text(value)
    return f"({text})" if value < 0 else text
