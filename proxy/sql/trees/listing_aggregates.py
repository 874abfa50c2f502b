"""Aggregates whose result lists the values that they read: string_agg, array_agg, json_agg, xmlagg and the like.

Over private rows every element would be a single unit's value. Over a released result they are post-processing.
"""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from proxy.sql.postgres_aggregates import LISTING
from proxy.sql.refusal import refused
from proxy.sql.trees.aggregate_calls import aggregate_name


def refuse_listing_aggregates(calls: Sequence[exp.Expr]) -> None:
    """Refuse them among the aggregates of a block, as `collect` gives them.

    Raises:
        RefusedError: there is one.
    """
    for call in calls:
        name = aggregate_name(call)
        if name in LISTING:
            raise refused(
                call,
                f"{name}() would show individual values",
                rule="listing-aggregate",
                detail="Each value that it shows belongs to one privacy unit, and no noise can hide that.",
                hint=f"Release the values that many share first, SELECT x, count(*) FROM … GROUP BY x; {name}() of "
                "that released result is free.",
            )
