"""The functions dp.low, dp.high, dp.stddev, dp.reliable, dp.clipped and dp.draws of a stage, which give a statement its
types and always fail. So do dp.cancel and dp.kill, which the proxy executes itself.

The proxy replaces every call of them over a released aggregate by a number before the stage executes anything. A
remaining call is over something without noise, a public table for example. There, returning the argument would be
right, but it would be wrong wherever a call had been forgotten, so the functions fail.

Each end of an interval has the aggregate's type, so that it is printed and rounded alike; a standard deviation and
a share are always double precision.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import LiteralString

from psycopg import sql

_TYPES: tuple[LiteralString, ...] = ("integer", "bigint", "numeric", "double precision")
"""The types of counts, sums, averages, moments, and of what is computed of them; real counts as double precision."""


def function_statements() -> Iterator[sql.Composed]:
    """Create the functions in the schema dp, which exists; everybody may execute them."""
    for name in ("cancel", "kill"):
        yield _create_order(name)
    for type_name in _TYPES:
        for name in ("low", "high"):
            yield _create(name, type_name, type_name, ", confidence double precision DEFAULT 0.95")
        for name in ("stddev", "clipped"):
            yield _create(name, type_name, "double precision", "")
        yield _create("reliable", type_name, "boolean", ", share double precision DEFAULT NULL")
        yield _create("draws", type_name, f"{type_name}[]", "")


def _create_order(name: LiteralString) -> sql.Composed:
    return sql.SQL(
        "CREATE FUNCTION {}(pid integer) RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN "
        "RAISE EXCEPTION USING ERRCODE = 'feature_not_supported', MESSAGE = {}, HINT = {}; END $$"
    ).format(
        sql.Identifier("dp", name),
        sql.Literal(f"dp.{name}() is a statement of its own, with one number"),
        sql.Literal(f"Write SELECT dp.{name}(4711); dp.sessions has the numbers."),
    )


def _create(name: LiteralString, argument: LiteralString, returned: LiteralString, rest: LiteralString) -> sql.Composed:
    return sql.SQL(
        "CREATE FUNCTION {}(aggregate {}{}) RETURNS {} LANGUAGE plpgsql AS $$ BEGIN "
        "RAISE EXCEPTION USING ERRCODE = 'feature_not_supported', MESSAGE = {}, DETAIL = {}, HINT = {}; END $$"
    ).format(
        sql.Identifier("dp", name),
        sql.SQL(argument),
        sql.SQL(rest),
        sql.SQL(returned),
        sql.Literal(f"dp.{name}() takes an aggregate of private rows"),
        sql.Literal("What is computed from public tables alone has no noise."),
        sql.Literal(f"Leave dp.{name}() out here."),
    )
