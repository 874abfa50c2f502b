"""The buckets of a value for choices by order: minimum, maximum, percentiles (theorem 11).

Values are clamped to their bounds and put on the value's own grid where that has at most MOST_BUCKETS cells, else on
the finest of a few round steps. Texts are their declared values, in the order of code points.
"""

from __future__ import annotations

import datetime as dt
import math
import re
from dataclasses import dataclass
from fractions import Fraction

from proxy.sql.planning.cells import cell_sql
from proxy.sql.planning.date_limits import DateLimits
from proxy.sql.planning.grids import Grid
from proxy.sql.planning.wording import short
from proxy.sql.replacing import replace
from proxy.sql.terms import clocks
from proxy.sql.terms.bounds import Bounds
from proxy.sql.terms.spans import DAY
from proxy.sql.terms.term import Term, decimal_text, number_sql, quote_literal
from proxy.sql.terms.types import Kind, type_named

MOST_BUCKETS = 2**20

_LARGEST_CELL = 2**45
"""Bucket numbers stay far inside bigint, and exact as floats, however narrow the bounds are for the values' size."""
_FINEST_STEP = Fraction(1, 10**30)

_MOST_SHOWN = 20
"""Characters of a number; longer ones are rounded."""

_CONSTANT = re.compile(r"((greatest|least)\()?'(?P<text>[^']+)'(?P<casts>(::[a-z ]+)*)\)?")
"""A constant date or moment, which may be the only one of several limits."""

_MICROSECOND = dt.timedelta(microseconds=1)
_SECONDS = (1, 5, 15, 60, 300, 900, 3600, 4 * 3600, 86400, 7 * 86400, 30 * 86400)
_TIME_STEPS = [
    *(_MICROSECOND * 10**places for places in range(6)),
    *(dt.timedelta(seconds=seconds) for seconds in _SECONDS),
]
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
        label: the step, for EXPLAIN; of texts what their order is.
        last: the greatest value that is shown, as SQL; None where the last bucket has it.
        texts: what the buckets stand for, where these are texts; the value of a bucket is then its number.
        rounds: may a value lie between two buckets?
        ends: the first and the last value, for people; None where they are not constants, and of texts.
    """

    sql: str
    count: int
    origin: str
    carrier: str
    step: str
    label: str
    last: str | None = None
    texts: tuple[str, ...] = ()
    rounds: bool = False
    ends: tuple[str, str] | None = None

    @property
    def described(self) -> str:
        """What the values are, for EXPLAIN."""
        return f"{self.count} values " + (
            f"in the order of {self.label}" if self.texts else f"in steps of {self.label}"
        )

    def value_sql(self, number: str, parts: int) -> str:
        """The value of the bucket with this number, as SQL; NULL for NULL. Interpolated numbers count `parts` for each
        bucket."""
        fraction = "" if parts == 1 else f" / {parts}"
        value = f"({self.origin} + {number}::{self.carrier} * {self.step}{fraction})"
        if self.texts:
            return f"(ARRAY[{', '.join(map(quote_literal, self.texts))}])[{value}::integer + 1]"
        return value if self.last is None else f"(CASE WHEN {value} > {self.last} THEN {self.last} ELSE {value} END)"


def number_buckets(value: Term) -> Buckets:
    """The buckets of a number with bounds."""
    bounds = value.bounds
    if bounds is None:
        raise AssertionError("bounds were required before")
    bounds = _within_type(bounds, value)
    finest = max((bounds.high - bounds.low) / (MOST_BUCKETS - 4), bounds.magnitude / _LARGEST_CELL, _FINEST_STEP)
    step = value.step or value.grid
    rounds = step is None or step < finest
    if step is None or step < finest:
        step = _round_step(finest)
    low, high = math.trunc(bounds.low / step), math.trunc(bounds.high / step)
    exact = value.grid is not None and (value.grid / step).denominator == 1 and value.kind is not Kind.FLOAT
    # Clamped in any case: - x can exceed the type of x by one.
    cell = cell_sql(replace(value, magnitude=None), Grid(step, low, high, exact))
    origin = f"{number_sql(low * step)}::numeric"
    return Buckets(
        f"({cell} - {number_sql(Fraction(low))})",
        high - low + 1,
        origin,
        "numeric",
        number_sql(step),
        decimal_text(step),
        rounds=rounds,
        ends=(_shown(low * step), _shown(high * step)),
    )


def _shown(number: Fraction) -> str:
    text = decimal_text(number)
    return text if len(text) <= _MOST_SHOWN else short(number)


def text_buckets(place: Term, texts: tuple[str, ...], enum: str) -> Buckets:
    """The buckets of a text.

    Args:
        place: the place of its value among the declared ones, from 0; NULL for another value.
        texts: the declared values.
        enum: the type whose labels they are; empty for others.
    """
    label = f"the labels of {enum}" if enum else "their code points"
    return replace(number_buckets(place), texts=texts, label=label, ends=None)


def _within_type(bounds: Bounds, value: Term) -> Bounds:
    """The bounds as far as the value's type reaches, so that every chosen value can be shown."""
    magnitude = type_named(value.type.name).magnitude
    if value.kind is not Kind.INTEGER or magnitude is None:
        return bounds
    low, high = (min(max(bound, -magnitude), magnitude - 1) for bound in (bounds.low, bounds.high))
    return Bounds(low, high)


def limited_buckets(value: Term, limits: DateLimits) -> Buckets:
    """The buckets of a date or timestamp with limits of the policy."""
    return _date_buckets(value, limits.low, limits.high, limits.longest)


def moment_buckets(value: Term, bounds: Bounds) -> Buckets | None:
    """The buckets of a date or timestamp with bounds of its own, as least(greatest(x, …), …) has; None outside the
    years 1 to 9999."""
    ends = [clocks.written(seconds, value.kind) for seconds in (bounds.low, bounds.high)]
    low, high = (f"{quote_literal(text)}::{value.type.name}" if text is not None else None for text in ends)
    if low is None or high is None:
        return None
    # A day more than they are apart, since a bucket's number is below the count.
    return _date_buckets(value, low, high, dt.timedelta(days=math.ceil(bounds.width / DAY) + 1))


def _date_buckets(value: Term, low: str, high: str, longest: dt.timedelta) -> Buckets:
    """The buckets of a date or timestamp.

    Args:
        value: the date or timestamp.
        low, high: its limits, as SQL constants.
        longest: more than the distance between them.
    """
    ends = _constants(low, high, value.kind)
    # A time zone whose clocks change by more than the limits' distance may put the upper one first.
    high = f"GREATEST({low}, {high})"
    clamped = f"(CASE WHEN {value.sql} < {low} THEN {low} WHEN {value.sql} > {high} THEN {high} ELSE {value.sql} END)"
    if value.kind is Kind.DATE:
        days = -(-longest.days // (MOST_BUCKETS - 2))
        label = "1 day" if days == 1 else f"{days} days"
        return Buckets(
            f"(({clamped} - {low}) / {days})",
            longest.days // days + 1,
            low,
            "integer",
            str(days),
            label,
            high,
            rounds=days > 1,
            ends=ends,
        )
    step = next(step for step in _TIME_STEPS if longest / step < MOST_BUCKETS - 2)
    microseconds = step // _MICROSECOND
    distance = f"(extract(epoch FROM {clamped} - {low}) * 1000000)::bigint"
    interval = f"interval '{microseconds} microseconds'"
    count = longest // step + 1
    rounds = step > _MICROSECOND
    carrier = "double precision"
    cell = f"({distance} / {microseconds})"
    return Buckets(cell, count, low, carrier, interval, str(step), high, rounds=rounds, ends=ends)


def _constants(low: str, high: str, kind: Kind) -> tuple[str, str] | None:
    """Limits as people write them; None where they are no constants."""
    first, last = _constant(low, kind), _constant(high, kind)
    return (first, last) if first is not None and last is not None else None


def _constant(limit: str, kind: Kind) -> str | None:
    match = _CONSTANT.fullmatch(limit)
    if match is None or ("with time zone::" in match["casts"]):  # what that is depends on TimeZone
        return None
    return match["text"].partition(" ")[0] if kind is Kind.DATE else match["text"]


def _round_step(least: Fraction) -> Fraction:
    """The least of 1, 2 and 5 times a power of ten that is at least `least`."""
    # By integers, since a fraction may be too large or too small for a float.
    power = Fraction(10) ** (math.floor(math.log10(least.numerator) - math.log10(least.denominator)) - 1)
    while power * 10 < least:
        power *= 10
    return next(power * factor for factor in (1, 2, 5, 10) if power * factor >= least)
