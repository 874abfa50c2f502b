"""Which columns tell rows apart: of those whose unit is NULL, each of which can be a unit of its own (`when_null:
each_row`), and of all others, where numbers and texts in a key may say something, too."""

from __future__ import annotations

from typing import Final

from proxy.policy.catalog import Column, Table
from proxy.policy.column_types import Family, family_of
from proxy.policy.model import TablePolicy

_FAMILIES: Final = frozenset[Family | None](
    {"integer", "decimal", "text", "uuid", "date", "timestamp", "timestamp with time zone"}
)
_NAMED_AS_IDENTITY: Final = ("id", "key")
"""How the names of columns end that tell rows apart."""
_MOST_DIGITS: Final = 300
"""Of a numeric key: numbers of more digits are not read whole."""


def row_key(found: Table) -> tuple[str, ...]:
    """The key by which rows of a table are told apart: the primary key, or else the shortest unique key, if its columns
    are NOT NULL and of types that are read whole and have different texts for different values. Empty if there is none.
    """
    if found.primary_key and _tells_rows_apart(found, frozenset(found.primary_key)):
        return tuple(sorted(found.primary_key))
    keys = [(len(key), sorted(key)) for key in found.unique_keys if _tells_rows_apart(found, key)]
    return tuple(min(keys)[1]) if keys else ()


def lone_row_key(table: TablePolicy, found: Table) -> tuple[str, ...]:
    """The key of rows that are units of their own as their unit is NULL. Empty if there are no such rows, and also if
    they cannot be told apart, or their units from others: then they are left out."""
    unit = table.unit
    if unit is None or unit.column is None or unit.when_null != "each_row":
        return ()
    return row_key(found) if found.has_null(unit.column) and not found.columns[unit.column].collation else ()


def _tells_rows_apart(found: Table, key: frozenset[str]) -> bool:
    return key in found.unique_keys and all(_is_read_whole(found.columns[name]) for name in key)


def _is_read_whole(column: Column) -> bool:
    if column.nullable or column.cast_to_text or family_of(column) not in _FAMILIES:
        return False
    return family_of(column) != "decimal" or (column.scale is not None and _digits(column) <= _MOST_DIGITS)


def _digits(column: Column) -> int:
    """The digits that numeric(p, s) may have, from its type modifier."""
    return ((column.type_modifier - 4) >> 16) & 0xFFFF


def keys_of_rows(found: Table) -> frozenset[str]:
    """The columns of the primary key that only tell rows apart: a single one, or those of several that are named as an
    identity. Others, as the year in (player_id, year), also say something of the row, and are summed and grouped by."""
    if len(found.primary_key) == 1:
        return frozenset(found.primary_key)
    return frozenset(column for column in found.primary_key if column.lower().endswith(_NAMED_AS_IDENTITY))
