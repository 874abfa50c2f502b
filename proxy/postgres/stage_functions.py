"""The functions dp.low, dp.high and dp.stddev of a stage: they give a statement its types and always fail.

The proxy replaces every call of them over a released aggregate by a number before the stage executes anything. A call
that is left is over something without noise, a public table for example. Its argument itself would be a right answer
there, but a wrong one wherever a call had been forgotten, so they fail.

Each end of an interval has the type of the aggregate, so that it is printed and rounded like it; a standard deviation
is a double precision number whatever it belongs to.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import LiteralString

from psycopg import sql

_TYPES: tuple[LiteralString, ...] = ("bigint", "numeric", "double precision")
"""What counts, sums, averages and moments return; real is taken as double precision."""


def function_statements() -> Iterator[sql.Composed]:
    """Create the functions in the schema dp, which exists; everybody may execute them."""
    for type_name in _TYPES:
        for name in ("low", "high"):
            yield _create(name, type_name, type_name, ", confidence numeric DEFAULT 0.95")
        yield _create("stddev", type_name, "double precision", "")


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
