"""Types whose values can be compared at all, whatever they are.

An array or a row has operators for comparison even if its elements have none: `json[] = json[]` is accepted by the
parser and fails at the first pair of values that gets there, which tells that there is one. So a type is compared only
if it stands here: each has a default operator class for B-trees, of functions that are part of Postgres and return a
value for every pair of values; and arrays of these, of which array comparisons use those functions.

The list is written down and not read from the source's catalog. All types that reach the compiler are from pg_catalog
(the others are read as texts), and what pg_catalog compares changes with Postgres's major versions only. An operator
class that an owner adds for such a type, to json say, calls functions of the owner's, which may fail for a row. Plans
stay functions of text and policy. A type of a later version is refused until somebody adds it here; a test holds the
list against the catalog of a server.
"""

from __future__ import annotations

from sqlglot import exp

from proxy.sql.refusal import unsupported
from proxy.sql.terms.types import Kind, SqlType

_TEXTS = frozenset(["bpchar", "character varying", "name", "text"])
"""As elements of arrays; what compares them is a collation."""

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
    """Does every comparison of two values of this type have a result? That of constants is the stage's to tell."""
    return type_.kind is Kind.UNKNOWN or type_.name.removesuffix("[]") in _COMPARABLE


def is_collated(type_: SqlType) -> bool:
    """Do comparisons of this type need a collation, which has to be the same on both sides?"""
    return type_.kind is Kind.TEXT or type_.name.removesuffix("[]") in _TEXTS


def not_comparable(node: exp.Expr, type_: SqlType) -> Exception:
    """The refusal of a comparison, PARTITION BY and the like of a type that is not listed."""
    return unsupported(
        node,
        f"comparing values of type {type_.name} is not supported over private rows",
        rule="comparison",
        detail="PostgreSQL has no comparison operator for them and would fail on the first pair, which would reveal "
        "that there is one.",
        hint="Compare values derived from them: elements, members or text.",
    )
