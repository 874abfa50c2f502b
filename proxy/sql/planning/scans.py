"""Limits how often a source query scans the rows of private tables.

A unit's rows are read, hashed or sorted in each pass, so that passes multiply the time that a unit with many rows
takes, as joins do. A query with hundreds of subqueries would run into the timeout because of a single unit's rows.
"""

from __future__ import annotations

from sqlglot import exp

from proxy.sql.nodes import find_all
from proxy.sql.refusal import unsupported
from proxy.sql.rows.relation import Relation

MOST_PASSES = 300
"""At about a microsecond per private row and pass: together a third of a millisecond."""

_PLAIN, _DISTINCT, _CHOICE = 2, 3, 3
"""How often a source query reads its rows: for sums, and additionally for each count(DISTINCT x) and each choice."""


def check_passes(select: exp.Select, relation: Relation, distinct: int, choices: int) -> None:
    """Refuse a block that scans private rows more than MOST_PASSES times.

    Args:
        select: the block.
        relation: its rows, with all that is computed of them.
        distinct: how many of its statistics count distinct values.
        choices: how many minima, maxima, percentiles and modes it has.

    Raises:
        UnsupportedError: too many.
    """
    windows = sum(len(find_all(part, exp.Window)) for part in _rows_of(select))
    passes = (relation.footprint.scans + windows) * (_PLAIN + _DISTINCT * distinct + _CHOICE * choices)
    if passes > MOST_PASSES:
        raise unsupported(
            select,
            "this query scans the private rows too many times",
            rule="passes",
            detail=f"Its private tables, window functions, distinct counts and percentiles take {passes} passes "
            f"over the rows; the limit is {MOST_PASSES}. More would take long enough to reveal how many rows "
            "one privacy unit has.",
            hint="Split the aggregates over several queries, or read each table once, with CASE or FILTER in the "
            "aggregates.",
        )


def _rows_of(select: exp.Select) -> list[exp.Expr]:
    parts = [select.args.get("from_"), select.args.get("where"), *(select.args.get("joins") or [])]
    return [part for part in parts if part is not None]
