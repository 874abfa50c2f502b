"""SQL types as the compiler sees them: a kind, the name Postgres gives it, and the range its values cannot leave."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import Enum
from fractions import Fraction
from functools import lru_cache

from proxy.policy.catalog import Column
from proxy.sql.replacing import replace


class Kind(Enum):
    """Families of types with the same rules."""

    BOOLEAN = "boolean"
    INTEGER = "integer"
    NUMERIC = "numeric"
    FLOAT = "float"
    TEXT = "text"
    DATE = "date"
    TIMESTAMP = "timestamp"
    TIMESTAMPTZ = "timestamptz"
    TIME = "time"
    INTERVAL = "interval"
    UUID = "uuid"
    UNKNOWN = "unknown"
    """A string literal or NULL whose type Postgres takes from the context."""
    OTHER = "other"


@dataclass(frozen=True)
class SqlType:
    """A type by its `format_type` name, its kind, and for numbers the largest magnitude of a value.

    `magnitude` is None where the type itself sets no useful limit (numeric without precision, floats). `length`, of
    character(n), only affects how values look and is not part of the type's identity. Nor is `foreign`: where the texts
    stand for values of a type from outside pg_catalog, such as an enum, which are not ordered like texts, its name.
    """

    kind: Kind
    name: str
    magnitude: Fraction | None = None
    scale: int | None = None
    length: int | None = field(default=None, compare=False)
    foreign: str = field(default="", compare=False)

    @property
    def is_number(self) -> bool:
        return self.kind in (Kind.INTEGER, Kind.NUMERIC, Kind.FLOAT)

    @property
    def is_datetime(self) -> bool:
        return self.kind in (Kind.DATE, Kind.TIMESTAMP, Kind.TIMESTAMPTZ)


BOOLEAN = SqlType(Kind.BOOLEAN, "boolean")
SMALLINT = SqlType(Kind.INTEGER, "smallint", Fraction(2**15), 0)
INTEGER = SqlType(Kind.INTEGER, "integer", Fraction(2**31), 0)
BIGINT = SqlType(Kind.INTEGER, "bigint", Fraction(2**63), 0)
NUMERIC = SqlType(Kind.NUMERIC, "numeric")
DOUBLE = SqlType(Kind.FLOAT, "double precision")
REAL = SqlType(Kind.FLOAT, "real")
TEXT = SqlType(Kind.TEXT, "text")
BPCHAR = SqlType(Kind.TEXT, "bpchar")
DATE = SqlType(Kind.DATE, "date")
TIME = SqlType(Kind.TIME, "time without time zone")
TIMESTAMP = SqlType(Kind.TIMESTAMP, "timestamp without time zone")
TIMESTAMPTZ = SqlType(Kind.TIMESTAMPTZ, "timestamp with time zone")
INTERVAL = SqlType(Kind.INTERVAL, "interval")
JSONB = SqlType(Kind.OTHER, "jsonb")
UNKNOWN = SqlType(Kind.UNKNOWN, "unknown")
STORED_AS_NUMERIC = "A money column must be stored as numeric on the source."

_BY_NAME = {
    type_.name: type_
    for type_ in (
        BOOLEAN,
        SMALLINT,
        INTEGER,
        BIGINT,
        NUMERIC,
        DOUBLE,
        REAL,
        TEXT,
        BPCHAR,
        DATE,
        TIME,
        TIMESTAMP,
        TIMESTAMPTZ,
        INTERVAL,
    )
} | {
    "character varying": SqlType(Kind.TEXT, "character varying"),
    "name": SqlType(Kind.TEXT, "name"),
    "uuid": SqlType(Kind.UUID, "uuid"),
}


def type_named(name: str) -> SqlType:
    """The type with this `format_type` name; `Kind.OTHER` for one that the compiler has no rules for."""
    return _BY_NAME.get(name, SqlType(Kind.OTHER, name))


@lru_cache
def numeric(precision: int, scale: int) -> SqlType:
    """numeric(precision, scale): values stay below 10^(precision - scale)."""
    return SqlType(Kind.NUMERIC, "numeric", Fraction(10) ** (precision - scale), scale)


def type_of_column(column: Column) -> SqlType:
    """The type of a catalog column, with the limits of its type modifier."""
    if column.type_name == "numeric" and column.type_modifier >= 4:
        packed = column.type_modifier - 4
        scale = packed & 0x7FF
        return numeric(packed >> 16, scale - 2048 if scale > 1023 else scale)
    if column.type_name == "bpchar" and column.type_modifier > 4:
        return replace(BPCHAR, length=column.type_modifier - 4)
    if column.cast_to_text:
        return replace(TEXT, foreign=column.enum or column.own_equality or column.type_name)
    return type_named(column.type_name)


def element_type(type_: SqlType) -> SqlType | None:
    """The type of an array's elements where the compiler has rules for them; None for everything else."""
    element = type_named(type_.name.removesuffix("[]")) if type_.name.endswith("[]") else None
    return None if element is None or element.kind is Kind.OTHER else element


def hint_of(types: Iterable[SqlType], other: str | None) -> str | None:
    """What helps where one of the types has no rules: of money, with which nothing is computed; else another hint."""
    return STORED_AS_NUMERIC if any(type_.name == "money" for type_ in types) else other


def is_document(type_: SqlType) -> bool:
    """Is it json or jsonb?"""
    return type_.name in ("json", "jsonb")
