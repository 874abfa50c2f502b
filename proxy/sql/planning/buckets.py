"""The buckets of a value whose order is asked for: minimum, maximum, percentiles (MATH section 6).

Values are clamped to their bounds and put on the value's own grid where that has at most MOST_BUCKETS cells, else on
the finest of a few round steps.
"""

from __future__ import annotations

import datetime as dt
import math
from dataclasses import dataclass
from fractions import Fraction

from proxy.sql.planning.cells import cell_sql
from proxy.sql.planning.date_limits import DateLimits
from proxy.sql.planning.grids import Grid
from proxy.sql.terms.term import Term, decimal_text, number_sql
from proxy.sql.terms.types import Kind

MOST_BUCKETS = 2**20

_MICROSECOND = dt.timedelta(microseconds=1)
_SECONDS = (1, 5, 15, 60, 300, 900, 3600, 4 * 3600, 86400, 7 * 86400, 30 * 86400)
_TIME_STEPS = [_MICROSECOND * 10**places for places in range(6)] + [dt.timedelta(seconds=one) for one in _SECONDS]
"""Steps of timestamps, the finest first; the last one has fewer than MOST_BUCKETS in the years 1 to 9999."""


@dataclass(frozen=True)
class Buckets:
    """An ordered, bounded domain of equal steps.

    Attributes:
        sql: the number of a row's bucket, 0 <= number < count, NULL for a row without a value.
        count: how many there are.
        origin: the first bucket's value, as SQL.
        carrier: the SQL type in which a bucket's number is multiplied with the step.
        step: as SQL.
        label: the step, for people.
    """

    sql: str
    count: int
    origin: str
    carrier: str
    step: str
    label: str

    def value_sql(self, number: str) -> str:
        """The value of the bucket with this number, as SQL."""
        return f"({self.origin} + {number}::{self.carrier} * {self.step})"


def number_buckets(value: Term) -> Buckets:
    """The buckets of a number with bounds."""
    bounds = value.bounds
    if bounds is None:
        raise AssertionError("bounds were required before")
    width = bounds.high - bounds.low
    step = value.step or value.grid or Fraction(1, 10**30)
    if width / step >= MOST_BUCKETS - 2:
        step = _round_step(width / (MOST_BUCKETS - 4))
    low, high = math.trunc(bounds.low / step), math.trunc(bounds.high / step)
    exact = value.grid is not None and (value.grid / step).denominator == 1 and value.kind is not Kind.FLOAT
    cell = cell_sql(value, Grid(step, low, high, exact))
    origin = f"{number_sql(low * step)}::numeric"
    return Buckets(
        f"({cell} - {number_sql(Fraction(low))})",
        high - low + 1,
        origin,
        "numeric",
        number_sql(step),
        decimal_text(step),
    )


def date_buckets(value: Term, limits: DateLimits) -> Buckets:
    """The buckets of a date or timestamp with limits."""
    clamped = (
        f"(CASE WHEN {value.sql} < {limits.low} THEN {limits.low} WHEN {value.sql} > {limits.high} THEN {limits.high} "
        f"ELSE {value.sql} END)"
    )
    if value.kind is Kind.DATE:
        days = -(-limits.longest.days // (MOST_BUCKETS - 2))
        label = "1 day" if days == 1 else f"{days} days"
        return Buckets(
            f"(({clamped} - {limits.low}) / {days})",
            limits.longest.days // days + 1,
            limits.low,
            "integer",
            str(days),
            label,
        )
    step = next(one for one in _TIME_STEPS if limits.longest / one < MOST_BUCKETS - 2)
    microseconds = step // _MICROSECOND
    distance = f"(extract(epoch FROM {clamped} - {limits.low}) * 1000000)::bigint"
    interval = f"interval '{microseconds} microseconds'"
    count = limits.longest // step + 1
    return Buckets(f"({distance} / {microseconds})", count, limits.low, "double precision", interval, str(step))


def _round_step(least: Fraction) -> Fraction:
    """The least of 1, 2 and 5 times a power of ten that is not below `least`."""
    power = Fraction(10) ** (math.floor(math.log10(least)) - 1)
    while power * 10 < least:
        power *= 10
    return next(power * factor for factor in (1, 2, 5, 10) if power * factor >= least)
