"""Columns as a source query reads them: nothing large is unpacked unless it is known to be small enough.

Texts of hundreds of megabytes, and documents or numbers that are as large once unpacked, would take seconds and memory
for one row, and so tell of it. Their stored size is known without reading them: octet_length() of a text looks at its
header alone, and so does pg_column_size(), which gives the size after compression. The built-in compression makes
values at most 90 times smaller.

Where a column's type bounds its values nothing is guarded, nor is a key that identifies the unit: an index entry has at
most a third of a page.

Texts of a public table are read as far as twice the longest one that it had when the catalog was read: noise and price
may depend on public rows, and whatever is added to them later takes no longer than was reckoned with. So are texts that
the source limits to a list, as CHECK (kind IN ('a', 'b')) does: should it have dropped the list since, whatever a row
holds takes no longer either, and a text that is cut is longer than all that were listed.

Texts under a nondeterministic collation, which takes some different texts for equal, are read under the database's own
collation, by which only identical texts are equal. So none of them stands for others in a group, a comparison or a
hash, on the source as on the stage (attack 39). Units alone keep their collation (`stored_as_is`).
"""

from __future__ import annotations

from dataclasses import dataclass

from proxy.policy.catalog import Column
from proxy.sql.replacing import replace
from proxy.sql.terms.types import Kind, SqlType, type_of_column

MOST_STORED = 2000
"""The most octets of a stored document that is read; unpacked it can have 90 times as many."""

MOST_ARRAY = 1000
"""The most octets of a stored array that is read, which comparisons scan element by element."""

MOST_INDEXED = 61_000
"""The most characters of four octets in a B-tree index: 2704 octets after compression."""

MOST_OCTETS = 4000
"""The most octets of a text that is read whole, unless its type bounds it."""

LEAST_ROOM = 64
"""The octets that a text of a public table may always have."""

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
        most: the octets in which a larger document or array is stored, which is NULL; None for other values.
    """

    sql: str
    size: int | None = None
    missing: bool = False
    work: int = 30
    most: int | None = None


def stored(
    sql: str,
    column: Column,
    *,
    indexed: bool = False,
    distinct: bool = False,
    public: bool = False,
    longest: int | None = None,
) -> Stored:
    """How a column of a table is read.

    Args:
        sql: its name in the source query.
        column: what the source knows of it.
        indexed: it is part of a unique key, or references one.
        distinct: proofs rest on its values being different, so that two must never become one: a long one is NULL
            instead of cut, if no index bounds it.
        public: of a public table, whose keys are assumed to have at most MOST_OCTETS octets: they tell of no unit.
        longest: the octets of the longest text that a public table had in the column, or that the source allows in it;
            None where nobody knows.
    """
    found = stored_as_is(sql, column, indexed=indexed, distinct=distinct, public=public, longest=longest)
    return replace(found, sql=f'({found.sql} COLLATE pg_catalog."default")') if column.collation else found


def stored_as_is(
    sql: str,
    column: Column,
    *,
    indexed: bool = False,
    distinct: bool = False,
    public: bool = False,
    longest: int | None = None,
) -> Stored:
    """As `stored`, under the column's own collation, by which units can be equal that are spelled differently."""
    type_, most = type_of_column(column), _room(longest)
    if column.is_enum:
        return Stored(f"{sql}::text", _LABEL, work=100)
    if column.cast_to_text and distinct:
        text = f"(CASE WHEN octet_length({sql}::text) <= {most} THEN {sql}::text END)"
        return _foreign(sql, text, column.own_equality, most)
    if column.cast_to_text:
        return _foreign(sql, f"left({sql}::text, {most})", column.own_equality, most)
    if type_.kind is Kind.TEXT:
        return _text(sql, type_, column.type_modifier, most, indexed=indexed, distinct=distinct, public=public)
    if type_.kind is Kind.NUMERIC:
        return _numeric(sql, type_)
    if type_.kind is not Kind.OTHER or column.type_name in _FIXED:
        return Stored(sql, 64 if type_.kind is Kind.OTHER else None)
    unpacked = MOST_ARRAY if column.type_name.endswith("[]") else MOST_STORED
    return _small(sql, sql, 90 * unpacked, unpacked)


def _room(longest: int | None) -> int:
    """The most octets of a text that is read whole: for public texts a power of two, so that few new rows change it."""
    if longest is None:
        return MOST_OCTETS
    return min(MOST_OCTETS, max(LEAST_ROOM, 1 << (2 * longest - 1).bit_length()))


_LABEL = 64
"""More octets than a label of an enum has."""

_FIXED = frozenset(
    ["time with time zone", "oid", "money", "inet", "cidr", "macaddr", "macaddr8", "point", "box", "line"]
)
"""Types of few octets."""


def _text(sql: str, type_: SqlType, modifier: int, most: int, *, indexed: bool, distinct: bool, public: bool) -> Stored:
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
        guarded = f"(CASE WHEN octet_length({sql}) <= {most} THEN {sql} END)"
        return Stored(guarded, most, missing=True, work=2000 + 2 * most)
    # The beginning of a text is read without the rest, unless it was compressed with lz4.
    whole, kept, work = (
        (_MOST_STORED_TEXT, CUT, 28_000) if most == MOST_OCTETS else (MOST_STORED, most, 4000 + 6 * most)
    )
    long = f"CASE WHEN pg_column_size({sql}) <= {whole} THEN left({sql}, {kept}) ELSE '' END"
    guarded = f"(CASE WHEN octet_length({sql}) > {most} THEN {long} ELSE {sql} END)"
    return Stored(guarded, most, work=work)


def _numeric(sql: str, type_: SqlType) -> Stored:
    if type_.magnitude is not None:
        digits = len(str(int(type_.magnitude))) + max(type_.scale or 0, 0)
        if digits <= _NUMERIC_DIGITS:
            return Stored(sql, digits, work=60)
    # NaN and the infinities have no scale.
    large = f"pg_column_size({sql}) > {_MOST_NUMERIC_STORED} OR scale({sql}) > {MOST_SCALE}"
    return Stored(f"(CASE WHEN {large} THEN NULL ELSE {sql} END)", _STORED_DIGITS + MOST_SCALE, missing=True, work=3000)


def _foreign(sql: str, text: str, name: str, most: int) -> Stored:
    """A value of a type that the source defines itself, as text. Postgres makes the whole text, element by element or
    field by field, before any of it is cut off: of an enum's array, for each four octets that were unpacked."""
    if name.endswith("[]"):
        found = _small(sql, text, most, _MOST_FOREIGN_ARRAY)
        return replace(found, work=1000 + 40 * 90 * _MOST_FOREIGN_ARRAY)
    if name.rpartition(".")[2] == "citext":
        # It is stored as text is.
        return _small(sql, text, most, min(most, MOST_STORED))
    return replace(_small(sql, text, most, MOST_STORED), work=1000 + 350 * MOST_STORED)


def _small(sql: str, value: str, size: int, most: int) -> Stored:
    guarded = f"(CASE WHEN pg_column_size({sql}) <= {most} THEN {value} END)"
    return Stored(guarded, size, missing=True, work=1000 + 30 * most, most=most)


def holds_small(sql: str, column: str, most: int) -> bool:
    """Is a column, by its name in SQL, read in `sql` unless more than `most` octets are stored?"""
    return f".{column}) <= {most} THEN" in sql
