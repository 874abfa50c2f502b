"""Made-up values of one column, as texts that Postgres reads: within what policy and type allow, and skewed.

Nothing here is noise for privacy. `RandomState` is used because NumPy froze its streams (NEP 19).
"""

from __future__ import annotations

import datetime as dt
import uuid
from collections.abc import Sequence
from decimal import Decimal
from typing import Final

import numpy as np

from proxy.policy.catalog import Column
from proxy.policy.column_types import family_of
from proxy.policy.durations import duration_text
from proxy.policy.model import Bound, ColumnPolicy, Value

Random = np.random.RandomState

_WORDS: Final = 20
"""Different texts in a column of which nothing is known."""
_FIRST_DAY: Final = dt.date(2024, 1, 1)
_DAYS: Final = 731
_HEADER: Final = 4
"""atttypmod of varchar(n) and char(n) is n + 4."""
_OTHER_TYPES: Final = {
    "json": "{}",
    "jsonb": "{}",
    "bytea": "\\x",
    "inet": "192.0.2.1",
    "cidr": "192.0.2.0/24",
    "macaddr": "00:00:5e:00:53:01",
    "time without time zone": "12:00",
    "time with time zone": "12:00+00",
    "money": "1.00",
    "xml": "<a/>",
    "tsvector": "",
    "point": "(0,0)",
    "oid": "1",
}


def distinct_values(column: Column, policy: ColumnPolicy, name: str, count: int) -> list[str]:
    """At most `count` different values, in an order that is always the same; none for types that identify nothing.

    Args:
        column: its type.
        policy: its bounds.
        name: what texts begin with.
        count: how many are wanted.
    """
    if policy.listed or column.labels:
        return [value_text(value) for value in (policy.listed or column.labels)][:count]
    low, high = policy.range or policy.bounds or (None, None)
    match family_of(column):
        case "integer" | "decimal" | "float":
            first = int(low) if isinstance(low, Decimal) else 1
            last = int(high) if isinstance(high, Decimal) else 32_767 if column.type_name == "smallint" else 2**31 - 1
            return [str(number) for number in range(first, min(first + count, last + 1))]
        case "text":
            return [_fitting(f"{name} {number}", str(number), column) for number in range(1, count + 1)]
        case "uuid":
            return [str(uuid.uuid5(uuid.NAMESPACE_OID, f"{name} {number}")) for number in range(count)]
        case "date":
            return [str(_FIRST_DAY + dt.timedelta(days=number)) for number in range(count)]
        case "timestamp" | "timestamp with time zone":
            start = dt.datetime.combine(_FIRST_DAY, dt.time())
            return [str(start + dt.timedelta(minutes=number)) for number in range(count)]
    return []


def random_values(column: Column, policy: ColumnPolicy, pool: Sequence[str], count: int, random: Random) -> list[str]:
    """`count` values; none if nobody can make up values of this type.

    Args:
        column: its type.
        policy: declared values and bounds.
        pool: the values that a public table declares, if the policy takes them from one.
        count: how many.
        random: where they are drawn from.
    """
    known = pool or [value_text(value) for value in (policy.listed or column.labels)]
    if known:
        return [known[place] for place in skewed(len(known), count, random)]
    low, high = policy.range or policy.bounds or (None, None)
    match family_of(column):
        case "integer" | "decimal" | "float":
            return _numbers(column, policy, low, high, count, random)
        case "text":
            return [
                _fitting(f"{column.name} {place + 1}", str(place + 1), column)
                for place in skewed(_WORDS, count, random)
            ]
        case "uuid":
            return [str(uuid.uuid5(uuid.NAMESPACE_OID, str(place))) for place in skewed(_WORDS, count, random)]
        case "boolean":
            return ["true" if drawn < 0.5 else "false" for drawn in random.random_sample(count)]
        case "date" | "timestamp" | "timestamp with time zone" as family:
            return _moments(low, high, count, random, whole_days=family == "date")
        case "interval":
            first = low if isinstance(low, dt.timedelta) else dt.timedelta()
            last = high if isinstance(high, dt.timedelta) else dt.timedelta(hours=8)
            seconds = int((last - first).total_seconds())
            drawn = random.randint(0, seconds + 1, count)
            return [duration_text(first + dt.timedelta(seconds=int(part))) for part in drawn]
    other = "{}" if column.type_name.endswith("[]") else _OTHER_TYPES.get(column.type_name)
    return [] if other is None else [other] * count


def _numbers(
    column: Column, policy: ColumnPolicy, low: Bound | None, high: Bound | None, count: int, random: Random
) -> list[str]:
    """Numbers on the column's grid, most of them in the lower half of their bounds."""
    first = low if isinstance(low, Decimal) else Decimal(0)
    last = high if isinstance(high, Decimal) else Decimal(100)
    is_integer = family_of(column) == "integer"
    scale = 0 if is_integer else column.scale if column.scale is not None else 2
    step = policy.step or (Decimal(1).scaleb(-scale))
    steps = min(int((last - first) / step), 2**31 - 2)
    drawn = random.beta(1.5, 3, count)
    return [f"{first + step * round(float(part) * steps):f}" for part in drawn]


def _moments(low: Bound | None, high: Bound | None, count: int, random: Random, *, whole_days: bool) -> list[str]:
    first, last = (_moment(bound) for bound in (low, high))
    start = first or dt.datetime.combine(_FIRST_DAY, dt.time())
    end = last or start + dt.timedelta(days=_DAYS)
    minutes = max(int((end - start).total_seconds()) // 60, 0)
    drawn = [start + dt.timedelta(minutes=int(minutes * part)) for part in random.random_sample(count)]
    return [str(moment.date() if whole_days else moment) for moment in drawn]


def _moment(bound: Bound | None) -> dt.datetime | None:
    if isinstance(bound, dt.datetime):
        return bound.replace(tzinfo=None)
    return dt.datetime.combine(bound, dt.time()) if isinstance(bound, dt.date) else None


def skewed(choices: int, count: int, random: Random) -> list[int]:
    """Places below `choices`, the first ones more often: the first of n about √n times as often as the others."""
    return [int(choices * part) for part in random.random_sample(count) ** 2]


def _fitting(text: str, short: str, column: Column) -> str:
    """The text, or what is left of a shorter one where the type has a limit."""
    longest = column.type_modifier - _HEADER if column.type_modifier >= 0 else len(text)
    return text if len(text) <= longest else short[-longest:]


def value_text(value: Value) -> str:
    """A declared value as Postgres reads it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return f"{value:f}" if isinstance(value, Decimal) else str(value)
