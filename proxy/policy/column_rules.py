"""Rules on columns: bounds, grids and declared domains (decision 5, theorem 2)."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import Final

from proxy.policy.findings import Finding, PolicyPath, SourceMap, did_you_mean
from proxy.policy.model import Bound, ColumnPolicy, Policy, Value

_LARGEST_DOMAIN: Final = 100_000
_DOMAINS: Final = ("values", "values_from", "range")


def check_domains(policy: Policy, source_map: SourceMap) -> Iterator[Finding]:
    """Bounds are in order and of one kind, grids fit them, and declared domains are sets of values of one kind."""
    for table_name, table in policy.tables.items():
        for column_name, column in (table.columns or {}).items():
            path = ("tables", table_name, "columns", column_name)
            yield from _check_one_domain(column, path, source_map)
            for key, bounds in (("bounds", column.bounds), ("range", column.range)):
                if bounds is not None:
                    yield from _check_bounds(bounds, (*path, key), source_map)
            if column.range is not None:
                yield from _check_range(column.range, (*path, "range"), source_map)
            if column.step is not None:
                yield from _check_step(column.step, column.bounds or column.range, (*path, "step"), source_map)
            if column.values is not None and not column.from_type:
                yield from _check_values(column.values, (*path, "values"), source_map)
            if column.values_from is not None:
                yield from _check_values_from(column.values_from, policy, (*path, "values_from"), source_map)


def _check_one_domain(column: ColumnPolicy, path: PolicyPath, source_map: SourceMap) -> Iterator[Finding]:
    given = [key for key in _DOMAINS if getattr(column, key) is not None]
    for key in given[1:]:
        hint = "keep one of them: each declares all keys of the column"
        yield source_map.error("DP401", (*path, key), f"{key!r} contradicts {given[0]!r}", hint)
    if column.bounds is not None and column.range is not None:
        yield source_map.error(
            "DP401", (*path, "bounds"), "'bounds' contradicts 'range'", "keep one: a range is bounds too"
        )


def kind_of(value: Value | Bound) -> str:
    """The kind of a bound or value, as findings name it: "number", "date", "timestamp", "duration", "text" or "true or
    false"."""
    match value:
        case bool():
            return "true or false"
        case int() | Decimal():
            return "number"
        case dt.datetime():
            return "timestamp with time zone" if value.tzinfo is not None else "timestamp"
        case dt.date():
            return "date"
        case dt.timedelta():
            return "duration"
    return "text"


def _check_bounds(bounds: tuple[Bound, Bound], path: PolicyPath, source_map: SourceMap) -> Iterator[Finding]:
    low, high = bounds
    if kind_of(low) != kind_of(high):
        message = f"the low bound is a {kind_of(low)}, the high bound a {kind_of(high)}"
        yield source_map.error("DP402", path, message, "give two bounds of one kind")
    elif not _is_below(low, high):
        hint = f"for a single value, write `values: [{low}]`" if low == high else "write [low, high]"
        yield source_map.error("DP402", path, f"the low bound {low} is not below the high bound {high}", hint)


def _is_below(low: Bound, high: Bound) -> bool:
    match low, high:
        case (Decimal(), Decimal()):
            return low < high
        case (dt.datetime(), dt.datetime()):
            return low < high
        case (dt.date(), dt.date()):
            return low < high
        case (dt.timedelta(), dt.timedelta()):
            return low < high
    return False


def _check_range(bounds: tuple[Bound, Bound], path: PolicyPath, source_map: SourceMap) -> Iterator[Finding]:
    low, high = bounds
    for index, bound in enumerate(bounds):
        is_whole = isinstance(bound, Decimal) and bound == bound.to_integral_value()
        if not is_whole and kind_of(bound) != "date":
            hint = "use `bounds` for other values, which declares no keys"
            yield source_map.error("DP403", (*path, index), "a range has whole numbers or dates", hint)
            return
    size = range_size(low, high)
    if size is not None and size > _LARGEST_DOMAIN:
        hint = "use `bounds`, which declares no keys, unless every answer may list all of them"
        yield source_map.warning("DP404", path, f"the range declares {size} group keys", hint)


def range_size(low: Bound, high: Bound) -> int | None:
    """The number of keys that a range declares; None if its ends are not two whole numbers or two dates."""
    if isinstance(low, Decimal) and isinstance(high, Decimal):
        return int(high - low) + 1
    if kind_of(low) == kind_of(high) == "date" and isinstance(low, dt.date) and isinstance(high, dt.date):
        return (high - low).days + 1
    return None


def _check_step(
    step: Decimal, bounds: tuple[Bound, Bound] | None, path: PolicyPath, source_map: SourceMap
) -> Iterator[Finding]:
    if bounds is None:
        yield source_map.warning("DP408", path, "a step does nothing without bounds", "add `bounds: [low, high]`")
        return
    low, high = bounds
    if not isinstance(low, Decimal) or not isinstance(high, Decimal):
        yield source_map.error(
            "DP405", path, "only numbers have a step", "remove it: dates, timestamps and intervals have their own grid"
        )
    elif low < high and step > high - low:
        message = f"a step of {step} is larger than the width of the bounds, {high - low}"
        yield source_map.error("DP405", path, message, "give the grid of the data, such as 0.01 for amounts in cents")


def _check_values(values: Sequence[Value], path: PolicyPath, source_map: SourceMap) -> Iterator[Finding]:
    if not values:
        yield source_map.error("DP406", path, "the list of values is empty", "list the values, or remove the key")
        return
    first = kind_of(values[0])
    seen: set[Value] = set()
    for index, value in enumerate(values):
        if kind_of(value) != first:
            message = f"a {kind_of(value)} among values of the kind {first}"
            yield source_map.error("DP406", (*path, index), message, "quote all of them if they are text")
        elif value in seen:
            yield source_map.error("DP406", (*path, index), f"{value!s} appears twice", "list each value once")
        seen.add(value)


def _check_values_from(reference: str, policy: Policy, path: PolicyPath, source_map: SourceMap) -> Iterator[Finding]:
    target, _, column = reference.rpartition(".")
    if target.count(".") != 1 or not all(reference.split(".")):
        yield source_map.error(
            "DP407", path, "does not read as schema.table.column", "write `values_from: schema.table.column`"
        )
        return
    table = policy.tables.get(target)
    if table is None:
        if ("tables", target) not in source_map:
            public = [name for name, candidate in policy.tables.items() if candidate.public]
            otherwise = f"add `{target}: {{public: true}}` under tables"
            yield source_map.error(
                "DP407", path, f"the policy does not list {target}", did_you_mean(target, public, otherwise)
            )
    elif not table.public:
        hint = "take the values from a public table, or list them with `values`"
        yield source_map.error("DP407", path, f"{target} is private, so its values are too", hint)
    elif (
        table.columns is not None
        and column not in table.columns
        and ("tables", target, "columns", column) not in source_map
    ):
        otherwise = f"add {column!r} to the columns of {target}"
        hint = did_you_mean(column, table.columns, otherwise)
        yield source_map.error("DP407", path, f"the policy does not list the column {column!r} of {target}", hint)
