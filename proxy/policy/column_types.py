"""The bounds and values that a PostgreSQL column can hold, by its type's name (`format_type`)."""

from __future__ import annotations

import datetime as dt
import uuid
from collections.abc import Mapping
from decimal import Decimal
from typing import Final, Literal

from proxy.policy.catalog import Column
from proxy.policy.model import Value

Family = Literal[
    "integer",
    "decimal",
    "float",
    "date",
    "timestamp",
    "timestamp with time zone",
    "interval",
    "boolean",
    "text",
    "uuid",
]

_FAMILIES: Final[Mapping[str, Family]] = {
    **dict.fromkeys(("smallint", "integer", "bigint"), "integer"),
    "numeric": "decimal",
    **dict.fromkeys(("real", "double precision"), "float"),
    "date": "date",
    "timestamp without time zone": "timestamp",
    "timestamp with time zone": "timestamp with time zone",
    "interval": "interval",
    "boolean": "boolean",
    **dict.fromkeys(("text", "character varying", "character", "bpchar", "name"), "text"),
    "uuid": "uuid",
}
_INTEGER_BITS: Final = {"smallint": 16, "integer": 32, "bigint": 64}
_TEXT_LENGTH_HEADER: Final = 4  # atttypmod of varchar(n) and char(n) is n + 4

NUMBERS: Final = frozenset[Family | None]({"integer", "decimal", "float"})
TIMES: Final = frozenset[Family | None]({"date", "timestamp", "timestamp with time zone"})
IDENTITIES: Final = frozenset[Family | None]({"integer", "decimal", "text", "uuid"})
"""Families whose values are equal only if they identify the same unit. Not floats: 0 equals -0, and rounding merges."""


def family_of(column: Column) -> Family | None:
    """The family of a column's type; None for types that a policy cannot describe (arrays, json, extensions)."""
    return _FAMILIES.get(column.type_name)


def equality_of(column: Column) -> tuple[Family | None, bool, int, str]:
    """What decides which values of a column are equal. A foreign key between columns of two equalities goes by one of
    them, and takes values for equal that the other one tells apart: trailing blanks do not count in character(n)."""
    ignores_blanks = column.type_name in ("character", "bpchar")
    return family_of(column), ignores_blanks, column.collation, column.own_equality


def can_hold(column: Column, value: Value) -> bool:
    """Can a row have `value` in `column`? A declared key that no row can have is a mistake in the policy."""
    match family_of(column), value:
        case "boolean", bool():
            return True
        case _, bool():
            return False
        case "integer", int() | Decimal():
            limit = 1 << (_INTEGER_BITS[column.type_name] - 1)
            return value == int(value) and -limit <= value < limit
        case "decimal", int() | Decimal():
            return column.scale is None or _scale_of(value) <= column.scale
        case "float", int() | Decimal():
            return True
        case "date", dt.date():
            return True
        case "text", str():
            longest = column.type_modifier - _TEXT_LENGTH_HEADER
            return column.type_modifier < 0 or len(value) <= longest
        case "uuid", str():
            return _is_uuid(value)
    return family_of(column) in (None, "interval") and isinstance(value, str)


def _scale_of(value: int | Decimal) -> int:
    exponent = Decimal(value).normalize().as_tuple().exponent
    return max(0, -exponent) if isinstance(exponent, int) else 0


def _is_uuid(text: str) -> bool:
    try:
        uuid.UUID(text)
    except ValueError:
        return False
    return True
