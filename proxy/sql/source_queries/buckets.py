"""In which bucket of thresholds a norm is, as SQL (theorem 22)."""

from __future__ import annotations

import math
from functools import cache

from proxy.dp.clipping import threshold
from proxy.sql.planning.clipping import DistinctValues, Norm

SLACK = 1 - 2.0**-26
"""Keeps a scaled contribution below its bound, whatever the rounding: a sum of up to 2^26 doubles is off by 2^-27."""


def bucket_sql(norm: Norm, powered: str, power: int) -> str:
    """The number of thresholds below a norm, given to the power that its thresholds get. Whole numbers are compared
    exactly as long as doubles hold them, and a little below their thresholds beyond that."""
    # The source can hold more distinct values than are listed, which a unit counts with no more than.
    if norm.thresholds == 1 and not isinstance(norm.of, DistinctValues):
        return "0"
    return f"width_bucket({powered}, '{{{_limits(norm.thresholds, power)}}}'::double precision[])"


@cache
def _limits(count: int, power: int) -> str:
    limits = []
    for index in range(count):
        limit = threshold(index) ** power
        limits.append(math.nextafter(float(limit), math.inf) if limit < 2**53 else float(limit) * SLACK)
    return ",".join(map(repr, limits))
