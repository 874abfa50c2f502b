"""Texts that a policy does not declare are read by one name, so that every row is in a declared group (decision 5).

The column is mapped wherever it is read, so groups, comparisons, joins and DISTINCT agree on its values. The mapping
and the enumeration of declared keys contain the same list: what a public table gains after the start is another value
for both. NULL stays NULL. The list is an array constant, which Postgres hashes once for a query; PostgreSQL 13 searches
it for each row.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from proxy.policy.catalog import Column
from proxy.sql.replacing import replace
from proxy.sql.terms.stored import MOST_OCTETS, Stored
from proxy.sql.terms.term import quote_literal

_HASHED = 300
_SEARCHED = 30
"""Nanoseconds for each value."""


@dataclass(frozen=True)
class OtherValues:
    """The declared values of a column of texts, and the name of all others.

    Attributes:
        name: by which other values are read; none of the values.
        values: the declared ones.
        type_name: the column's type in SQL, with the length of character(n).
        hashed: does the source hash lists of constants?
    """

    name: str
    values: tuple[str, ...]
    type_name: str
    hashed: bool = True

    def read(self, stored: Stored, sql: str, column: Column) -> Stored:
        """How the column is read.

        Args:
            stored: how it would be read without other values; too large values can be NULL there.
            sql: the column itself.
            column: what the source knows of it.
        """
        octets = max(len(text.encode()) for text in (self.name, *self.values))
        size = max(octets, stored.size or 0) if column.type_name == "bpchar" else octets
        name = f"{quote_literal(self.name)}::{self.type_name}"
        value, work, longer = stored.sql, stored.work, ""
        if column.type_name in ("text", "character varying") and not column.cast_to_text and octets <= MOST_OCTETS:
            # What is longer than all declared values is not read.
            value = f'({sql} COLLATE pg_catalog."default")' if column.collation else sql
            work = 50 + 4 * octets
            longer = f"WHEN octet_length({sql}) > {octets} THEN {name} "
        list_work = _HASHED if self.hashed else _SEARCHED * len(self.values)
        found = f"WHEN {value} = ANY ({self._declared}) THEN {value}"
        mapped = f"(CASE {longer}{found} WHEN {sql} IS NOT NULL THEN {name} END)"
        return replace(stored, sql=mapped, size=size, missing=False, work=2 * work + list_work)

    @property
    def enumerated(self) -> str:
        """A query of one column c0 for all values but NULL."""
        array = _array((*self.values, self.name), self.type_name)
        return f"SELECT v.c0 FROM unnest({array}) AS v(c0)"

    @cached_property
    def _declared(self) -> str:
        return _array(self.values, self.type_name)


def _array(texts: tuple[str, ...], type_name: str) -> str:
    """An array of texts as one constant."""
    quoted = ('"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"' for text in texts)
    return f"{quote_literal('{' + ','.join(quoted) + '}')}::{type_name}[]"


def stored_type(column: Column) -> str:
    """The column's type with its length or scale: declared values look like stored ones, padded, cut, with zeros."""
    if column.type_modifier < 4 or column.type_name not in ("bpchar", "numeric", "character varying"):
        return column.type_name
    packed = column.type_modifier - 4
    return (
        f"numeric({packed >> 16}, {column.scale})" if column.type_name == "numeric" else f"{column.type_name}({packed})"
    )
