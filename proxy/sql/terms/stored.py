"""Columns as a source query reads them: nothing large is unpacked unless it is known to be small enough.

Texts of hundreds of megabytes, and documents or numbers that are as large once unpacked, would take seconds and memory
for one row, and so tell of it. Their stored size is known without reading them: octet_length() of a text looks at its
header alone, and so does pg_column_size(), which gives the size after compression. The built-in compression makes
values at most 90 times smaller.

Where a column's type bounds its values nothing is guarded, nor is a key that identifies the unit: an index entry has at
most a third of a page.

Texts under a nondeterministic collation, which takes some different texts for equal, are read under the database's own
collation, by which only identical texts are equal. So none of them stands for others in a group, a comparison or a
hash, on the source as on the stage (attack 39). Units alone keep their collation (`stored_as_is`).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from proxy.policy.catalog import Column
from proxy.sql.terms.types import Kind, SqlType, type_of_column

MOST_STORED = 2000
"""The most octets of a stored document that is read; unpacked it can have 90 times as many."""

MOST_ARRAY = 1000
"""The most octets of a stored array that is read, which comparisons scan element by element."""

MOST_INDEXED = 61_000
"""The most characters of four octets in a B-tree index: 2704 octets after compression."""

MOST_OCTETS = 4000
"""The most octets of a text that is read whole, unless its type bounds it."""

CUT = 2000
"""The characters that are read of a longer text."""

MOST_SCALE = 100
"""The most decimal places of a numeric without declared precision."""

_MOST_FOREIGN_ARRAY = 100
_MOST_NUMERIC_STORED = 64
_STORED_DIGITS = 120
_NUMERIC_DIGITS = 400
_MOST_STORED_TEXT = 1_000_000


@dataclass(frozen=True)
class Stored:
    """How a column is read.

    Attributes:
        sql: its expression.
        size: of its values, see `Term.size`.
        missing: values can become NULL because they are too large.
        work: nanoseconds of reading it.
    """

    sql: str
    size: int | None = None
    missing: bool = False
    work: int = 30


def stored(sql: str, column: Column, *, indexed: bool = False, distinct: bool = False, public: bool = False) -> Stored:
    """How a column of a table is read.

    Args:
        sql: its name in the source query.
        column: what the source knows of it.
        indexed: it is part of a unique key, or references one.
        distinct: proofs rest on its values being different, so that two must never become one: a long one is NULL
            instead of cut, if no index bounds it.
        public: of a public table, whose keys are assumed to have at most MOST_OCTETS octets: they tell of no unit.
    """
    found = stored_as_is(sql, column, indexed=indexed, distinct=distinct, public=public)
    return replace(found, sql=f'({found.sql} COLLATE pg_catalog."default")') if column.collation else found


def stored_as_is(
    sql: str, column: Column, *, indexed: bool = False, distinct: bool = False, public: bool = False
) -> Stored:
    """As `stored`, under the column's own collation, by which units can be equal that are spelled differently."""
    type_ = type_of_column(column)
    if column.is_enum:
        return Stored(f"{sql}::text", _LABEL, work=100)
    if column.cast_to_text and distinct:
        text = f"(CASE WHEN octet_length({sql}::text) <= {MOST_OCTETS} THEN {sql}::text END)"
        return _foreign(sql, text, column.own_equality)
    if column.cast_to_text:
        return _foreign(sql, f"left({sql}::text, {MOST_OCTETS})", column.own_equality)
    if type_.kind is Kind.TEXT:
        return _text(sql, type_, column.type_modifier, indexed=indexed, distinct=distinct, public=public)
    if type_.kind is Kind.NUMERIC:
        return _numeric(sql, type_)
    if type_.kind is not Kind.OTHER or column.type_name in _FIXED:
        return Stored(sql, 64 if type_.kind is Kind.OTHER else None)
    most = MOST_ARRAY if column.type_name.endswith("[]") else MOST_STORED
    return _small(sql, sql, 90 * most, most)


_LABEL = 64
"""More octets than a label of an enum has."""

_FIXED = frozenset(
    ["time with time zone", "oid", "money", "inet", "cidr", "macaddr", "macaddr8", "point", "box", "line"]
)
"""Types of few octets."""


def _text(sql: str, type_: SqlType, modifier: int, *, indexed: bool, distinct: bool, public: bool) -> Stored:
    length = modifier - 4
    if type_.name == "name":
        return Stored(sql, 64)
    if 0 < length <= MOST_OCTETS and type_.name in ("bpchar", "character", "character varying"):
        return Stored(sql, length, work=50 + 4 * length)
    if indexed and distinct and public:
        return Stored(sql, MOST_OCTETS, work=10_000)
    if indexed and distinct:
        return Stored(sql, MOST_INDEXED, work=100_000)
    if distinct or type_.name in ("bpchar", "character"):
        guarded = f"(CASE WHEN octet_length({sql}) <= {MOST_OCTETS} THEN {sql} END)"
        return Stored(guarded, MOST_OCTETS, missing=True, work=10_000)
    # The beginning of a text is read without the rest, unless it was compressed with lz4.
    long = f"CASE WHEN pg_column_size({sql}) <= {_MOST_STORED_TEXT} THEN left({sql}, {CUT}) ELSE '' END"
    guarded = f"(CASE WHEN octet_length({sql}) > {MOST_OCTETS} THEN {long} ELSE {sql} END)"
    return Stored(guarded, MOST_OCTETS, work=28_000)


def _numeric(sql: str, type_: SqlType) -> Stored:
    if type_.magnitude is not None:
        digits = len(str(int(type_.magnitude))) + max(type_.scale or 0, 0)
        if digits <= _NUMERIC_DIGITS:
            return Stored(sql, digits, work=60)
    # NaN and the infinities have no scale.
    large = f"pg_column_size({sql}) > {_MOST_NUMERIC_STORED} OR scale({sql}) > {MOST_SCALE}"
    return Stored(f"(CASE WHEN {large} THEN NULL ELSE {sql} END)", _STORED_DIGITS + MOST_SCALE, missing=True, work=3000)


def _foreign(sql: str, text: str, name: str) -> Stored:
    """A value of a type that the source defines itself, as text. Postgres makes the whole text, element by element or
    field by field, before any of it is cut off: of an enum's array, for each four octets that were unpacked."""
    if name.endswith("[]"):
        found = _small(sql, text, MOST_OCTETS, _MOST_FOREIGN_ARRAY)
        return replace(found, work=1000 + 40 * 90 * _MOST_FOREIGN_ARRAY)
    found = _small(sql, text, MOST_OCTETS, MOST_STORED)
    # citext is stored as text is.
    return found if name.rpartition(".")[2] == "citext" else replace(found, work=1000 + 350 * MOST_STORED)


def _small(sql: str, value: str, size: int, most: int) -> Stored:
    guarded = f"(CASE WHEN pg_column_size({sql}) <= {most} THEN {value} END)"
    return Stored(guarded, size, missing=True, work=1000 + 30 * most)
