"""The functions of draws of a stage: what noise intervals outside of blocks are computed with (post-processing).

`sql/trees/drawn_expressions.py` writes their calls. Each takes arrays of draws, as long as each other; an array without
elements is one that is not known. None fails where the released numbers do not, but for overflow.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import LiteralString

from psycopg import sql

from proxy.dp.simulated import DRAWS

_OF_TWO = {
    "add": "x + y",
    "subtract": "x - y",
    "multiply": "x * y",
    "divide": "x / nullif(y, 0)",
    "coalesce": "coalesce(x, y)",
    "greatest": "greatest(x, y)",
    "least": "least(x, y)",
    "nullif": "nullif(x, y)",
}
_OF_ONE = ("abs", "ceil", "floor", "round", "sign", "trunc")
_SUMS = {
    "integer": "bigint",
    "bigint": "numeric",
    "numeric": "numeric",
    "double precision": "double precision",
}
"""The type of sum(x) by that of x."""


def draws_statements() -> Iterator[sql.Composed]:
    """Create the functions in the schema dp, which exists; everybody may execute them."""
    for name, answer in _OF_TWO.items():
        drawn = f"ARRAY(SELECT {answer} FROM unnest(a, b) AS u(x, y))"
        yield _function(name, "a anycompatiblearray, b anycompatiblearray", "anycompatiblearray", drawn)
    for name in _OF_ONE:
        yield _function(name, "a anyarray", "anyarray", f"ARRAY(SELECT {name}(x) FROM unnest(a) AS u(x))")
    for name in ("round", "trunc"):
        drawn = f"ARRAY(SELECT {name}(x, digits) FROM unnest(a) AS u(x))"
        yield _function(name, "a numeric[], digits integer", "numeric[]", drawn)
    for of_type, total in _SUMS.items():
        added = "ARRAY(SELECT coalesce(x + y, x, y) FROM unnest(a, b) AS u(x, y))"
        yield _function(
            "added", f"a {total}[], b {of_type}[]", f"{total}[]", f"CASE WHEN b IS NULL THEN a ELSE {added} END"
        )
        state = f"SFUNC = dp.draws_added, STYPE = {total}[], INITCOND = '{{}}', PARALLEL = SAFE"
        if total != "double precision":
            # So that a moving window takes a row out instead of adding all others up again. Without a state it does.
            removed = "ARRAY(SELECT x - y FROM unnest(a, b) AS u(x, y))"
            known = "b IS NOT NULL AND array_position(b, NULL) IS NULL"
            yield _function(
                "removed", f"a {total}[], b {of_type}[]", f"{total}[]", f"CASE WHEN {known} THEN {removed} END"
            )
            moving = f"MSFUNC = dp.draws_added, MINVFUNC = dp.draws_removed, MSTYPE = {total}[], MINITCOND = '{{}}'"
            state = f"{state}, {moving}"
        yield _statement(f"CREATE AGGREGATE dp.draws_sum({of_type}[]) ({state})")
    outside = f"greatest(1, floor((1 - confidence) / 2 * {DRAWS + 1}))"
    for end, place in (("low", outside), ("high", f"({DRAWS + 1} - {outside})")):
        # In the middle between two places, so that no rounding of the double chooses another one.
        shown = f"percentile_disc((({place} - 0.5) / {DRAWS})::double precision) WITHIN GROUP (ORDER BY x)"
        ends = f"(SELECT CASE WHEN count(x) >= ceil(confidence * {DRAWS}) THEN {shown} END FROM unnest(a) AS u(x))"
        yield _function(end, "a anyarray, confidence numeric", "anyelement", ends)
    yield _function(
        "stddev", "a anyarray", "double precision", "(SELECT stddev_pop(x::double precision) FROM unnest(a) AS u(x))"
    )
    # Two functions to the array's own type, so that the ends are computed as dp.low and dp.high are.
    farthest = "greatest(dp.draws_high(a, 0.95) - number, number - dp.draws_low(a, 0.95))"
    yield _function(
        "reliable",
        "number anycompatible, a anycompatiblearray, share double precision",
        "boolean",
        f"(SELECT {farthest}::double precision <= share * abs(number)::double precision)",
    )


def _function(
    name: LiteralString, arguments: LiteralString, returned: LiteralString, answer: LiteralString
) -> sql.Composed:
    return _statement(
        f"CREATE FUNCTION dp.draws_{name}({arguments}) RETURNS {returned} LANGUAGE sql IMMUTABLE PARALLEL SAFE "
        f"AS $$ SELECT {answer} $$"
    )


def _statement(text: LiteralString) -> sql.Composed:
    return sql.Composed([sql.SQL(text)])
