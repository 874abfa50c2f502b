"""The types whose values can always be compared.

An array or a row has comparison operators even if its elements have none: the parser accepts `json[] = json[]`, which
then fails at the first pair of values, and so tells that there is one. So a type is compared only if it is listed here:
each has a default B-tree operator class, whose functions are part of Postgres and return a value for every pair of
values. Arrays of these are too, since array comparisons use those functions.

The list is fixed and not read from the source's catalog. All types that reach the compiler are from pg_catalog (others
are read as texts), and what pg_catalog compares changes only with Postgres's major versions. An operator class that an
owner adds for such a type, say json, calls the owner's functions, which may fail for a row. Plans stay functions of
text and policy. A type of a later version is refused until it is added here; a test checks the list against a server's
catalog.
"""

from __future__ import annotations

from sqlglot import exp

from proxy.sql.refusal import unsupported
from proxy.sql.terms.types import Kind, SqlType

_TEXTS = frozenset(["bpchar", "character varying", "name", "text"])
"""As elements of arrays they are compared under a collation."""

_RANGES = frozenset(["int4", "int8", "num", "date", "ts", "tstz"])
_COMPARABLE = frozenset(
    [
        *_TEXTS,
        *(f"{name}range" for name in _RANGES),
        *(f"{name}multirange" for name in _RANGES),
        '"bit"',
        '"char"',
        "bigint",
        "bit varying",
        "boolean",
        "bytea",
        "cidr",
        "date",
        "double precision",
        "inet",
        "integer",
        "interval",
        "jsonb",
        "macaddr",
        "macaddr8",
        "money",
        "numeric",
        "oid",
        "pg_lsn",
        "real",
        "smallint",
        "tid",
        "time with time zone",
        "time without time zone",
        "timestamp with time zone",
        "timestamp without time zone",
        "tsvector",
        "uuid",
        "xid8",
    ]
)


def is_comparable(type_: SqlType) -> bool:
    """Does every comparison of two values of this type have a result? Constants are left to the stage."""
    return type_.kind is Kind.UNKNOWN or type_.name.removesuffix("[]") in _COMPARABLE


def is_collated(type_: SqlType) -> bool:
    """Do comparisons of this type need a collation, the same on both sides?"""
    return type_.kind is Kind.TEXT or type_.name.removesuffix("[]") in _TEXTS


def not_comparable(node: exp.Expr, type_: SqlType) -> Exception:
    """The refusal of a comparison, PARTITION BY or the like for a type that is not listed."""
    return unsupported(
        node,
        f"comparing values of type {type_.name} is not supported over private rows",
        rule="comparison",
        detail="PostgreSQL has no comparison operator for them and would fail on the first pair, which would reveal "
        "that there is one.",
        hint="Compare values derived from them: elements, members or text.",
    )
