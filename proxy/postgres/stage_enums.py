"""The enums of clients on the stage, so that Postgres itself checks what is compared with them, and knows their order.

An enum of a public table's column, or all of whose labels the policy declares, is one there, too, with its labels in
their order. The labels of another one can hold data and stay on the source (decision 1): on the stage it is a type of
its own, whose values are texts that can be equal, but have no order. What needs one is then refused by Postgres,
wherever it stands.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import LiteralString

from psycopg import sql

_INPUT: tuple[tuple[LiteralString, LiteralString, LiteralString], ...] = (
    ("in", "(cstring) RETURNS {}", "textin"),
    ("out", "({}) RETURNS cstring", "textout"),
    ("receive", "(internal) RETURNS {}", "textrecv"),
    ("send", "({}) RETURNS bytea", "textsend"),
)
_OPERATIONS: tuple[tuple[LiteralString, LiteralString, LiteralString], ...] = (
    ("equal", "({0}, {0}) RETURNS boolean", "texteq"),
    ("differ", "({0}, {0}) RETURNS boolean", "textne"),
    ("hash", "({}) RETURNS integer", "hashtext"),
    ("hash_extended", "({}, bigint) RETURNS bigint", "hashtextextended"),
)


def enum_identifier(name: str) -> sql.Composed:
    """Quoted "schema"."name" of "schema.name"."""
    return sql.SQL("{}").format(sql.Identifier(*name.split(".", 1)))


def enum_statements(enums: Mapping[str, tuple[str, ...] | None]) -> Iterator[sql.Composed]:
    """Create the types in their schemas, and in the schema dp what those without an order are made of.

    Args:
        enums: their labels by "schema.name", as `named_enums` gives them.
    """
    for number, (name, labels) in enumerate(sorted(enums.items()), start=1):
        if labels is None:
            yield from _unordered(enum_identifier(name), number)
        else:
            listed = sql.SQL(", ").join(map(sql.Literal, labels))
            yield sql.SQL("CREATE TYPE {} AS ENUM ({})").format(enum_identifier(name), listed)


def _unordered(enum: sql.Composed, number: int) -> Iterator[sql.Composed]:
    yield sql.SQL("CREATE TYPE {}").format(enum)
    for functions in (_INPUT, _OPERATIONS):
        for part, signature, internal in functions:
            yield sql.SQL("CREATE FUNCTION {}{} LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE AS {}").format(
                _function(number, part), sql.SQL(signature).format(enum), sql.Literal(internal)
            )
        if functions is _INPUT:
            yield sql.SQL(
                "CREATE TYPE {} (INPUT = {}, OUTPUT = {}, RECEIVE = {}, SEND = {}, LIKE = pg_catalog.text,"
                " COLLATABLE = true)"
            ).format(enum, *(_function(number, part) for part, *_ in functions))
    # In pg_catalog, where Postgres finds operators whatever search_path is.
    yield sql.SQL(
        "CREATE OPERATOR pg_catalog.= (FUNCTION = {0}, LEFTARG = {1}, RIGHTARG = {1},"
        " COMMUTATOR = OPERATOR(pg_catalog.=), NEGATOR = OPERATOR(pg_catalog.<>), RESTRICT = eqsel,"
        " JOIN = eqjoinsel, HASHES)"
    ).format(_function(number, "equal"), enum)
    yield sql.SQL(
        "CREATE OPERATOR pg_catalog.<> (FUNCTION = {0}, LEFTARG = {1}, RIGHTARG = {1},"
        " COMMUTATOR = OPERATOR(pg_catalog.<>), NEGATOR = OPERATOR(pg_catalog.=), RESTRICT = neqsel, JOIN = neqjoinsel)"
    ).format(_function(number, "differ"), enum)
    yield sql.SQL(
        "CREATE OPERATOR CLASS {0} DEFAULT FOR TYPE {1} USING hash AS OPERATOR 1 pg_catalog.=, FUNCTION 1 {2}({1}),"
        " FUNCTION 2 {3}({1}, bigint)"
    ).format(_function(number, "values"), enum, _function(number, "hash"), _function(number, "hash_extended"))


def _function(number: int, part: str) -> sql.Identifier:
    return sql.Identifier("dp", f"enum_{number}_{part}")
