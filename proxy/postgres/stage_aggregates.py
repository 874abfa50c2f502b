"""The aggregates median(x) and approx_count_distinct(x) of a stage, under the names that tools and extensions use.

They stand in the schema public, where extensions put theirs: statements find them without a schema. A stage has no
others of these names, as clients cannot create any. Over private rows they give a statement its types only; over public
tables and released results the stage computes them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import LiteralString

from psycopg import sql

_MEDIANS: tuple[LiteralString, ...] = ("double precision", "interval")
"""The types that percentile_cont interpolates."""


def aggregate_statements() -> Iterator[sql.Composed]:
    """Create the aggregates, and in the schema dp, which exists, their final functions."""
    for of_type in map(sql.SQL, _MEDIANS):
        final, middle = sql.Identifier("dp", "median_of"), sql.SQL("percentile_cont(0.5) WITHIN GROUP (ORDER BY x)")
        yield _final(final, of_type + sql.SQL("[]"), of_type, middle)
        yield _aggregate("median", of_type, of_type + sql.SQL("[]"), final)
    final, array = sql.Identifier("dp", "distinct_of"), sql.SQL("anycompatiblearray")
    yield _final(final, array, sql.SQL("bigint"), sql.SQL("count(DISTINCT x)"))
    yield _aggregate("approx_count_distinct", sql.SQL("anycompatible"), array, final)


def _final(
    name: sql.Identifier, argument: sql.Composable, returned: sql.Composable, answer: sql.Composable
) -> sql.Composed:
    return sql.SQL(
        "CREATE FUNCTION {}(collected {}) RETURNS {} LANGUAGE sql IMMUTABLE PARALLEL SAFE "
        "AS $$ SELECT {} FROM unnest(collected) AS u(x) $$"
    ).format(name, argument, returned, answer)


def _aggregate(
    name: LiteralString, argument: sql.Composable, state: sql.Composable, final: sql.Identifier
) -> sql.Composed:
    return sql.SQL(
        "CREATE AGGREGATE {}({}) (SFUNC = array_append, STYPE = {}, FINALFUNC = {}, INITCOND = '{{}}')"
    ).format(sql.Identifier("public", name), argument, state, final)
