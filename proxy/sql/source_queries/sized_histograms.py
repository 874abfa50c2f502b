"""Histograms by group and by the size of the unit: from them follow the weighted ones at every limit (theorem 22).

The size of a unit is the number of its rows that have a value or, for an extreme, the number of its groups. A unit of
size n is in bucket b, the number of thresholds below n. For each group, candidate and bucket the source counts rows,
a, and adds up 1/n in cells, z. At the limit τ the weight of a candidate is the sum of a over the buckets up to that of
τ, plus τ times the sum of z over those beyond. The units of each bucket are counted by a query of their own: what is
sent of a histogram may lack groups and values, but no unit may be missing where a limit is chosen.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from proxy.dp.clipping import threshold
from proxy.sql.planning.choices import CELLS, Choice, QuantileChoice
from proxy.sql.planning.clipping import Norm
from proxy.sql.planning.plan import BlockPlan
from proxy.sql.rows.cuts import with_units
from proxy.sql.source_queries.buckets import bucket_sql
from proxy.sql.source_queries.fragments import by_unit, group_by, key_columns, rows_clause, unit_columns, unit_order
from proxy.sql.source_queries.histograms import ExactHistogram, conditions_of, shown_candidate, value_of
from proxy.sql.source_queries.key_weights import SLACK
from proxy.sql.source_queries.per_unit import names, with_windows

_SCALED: Final = f"2 * trunc({CELLS // 2} * {SLACK} / n)::bigint"
"""1/n in cells, truncated to an even number, so that half of a threshold is whole: n times that is less than a row."""

_ARRAYS: Final = {"candidates": "x", "sizes": "b", "whole": "a", "scaled": "z"}


@dataclass(frozen=True)
class SizedHistogram:
    """The exact rows of one group by candidate and size of their unit, which are never shown to anyone.

    Attributes:
        key: the group's keys in Postgres's text form.
        parts: for each candidate, the number of a bucket or a value in text form, a and z by bucket of sizes.
    """

    key: tuple[str | None, ...]
    parts: dict[int | str, dict[int, tuple[int, int]]]

    def at(self, index: int) -> ExactHistogram:
        """The weights under the threshold of this index."""
        limit = threshold(index)
        weights = [
            sum(CELLS * a if bucket <= index else int(limit * z) for bucket, (a, z) in sizes.items())
            for sizes in self.parts.values()
        ]
        buckets = [candidate for candidate in self.parts if isinstance(candidate, int)]
        return ExactHistogram(self.key, buckets, [text for text in self.parts if isinstance(text, str)], weights)


def sized_histogram_sql(plan: BlockPlan, choice: Choice, limit: Norm) -> str:
    """Query: each group's keys, its candidates with the buckets of sizes, and a and z of both. All are JSON arrays; but
    for a mode there is a row for each value and bucket."""
    width = len(plan.keys)
    keys = names("k", plan.keys)
    bucket = bucket_sql(limit, "n::double precision", 1)
    sized = f"SELECT *, {bucket} AS b, {_SCALED} AS z FROM ({_rows(plan, choice)}) AS r"
    found = (
        f"SELECT {', '.join([*keys, 'x', 'b', 'count(*) AS a', 'sum(z) AS z'])} FROM ({sized}) AS sized"
        f"{group_by(width + 2)}"
    )
    if not isinstance(choice, QuantileChoice):
        outputs = [*keys, f"{shown_candidate(choice)} AS candidate", "b", "a", "z"]
        return with_units(plan.footprint, f"SELECT {', '.join(outputs)} FROM ({found}) AS histogram")
    arrays = [f"json_agg({name} ORDER BY x, b) AS {shown}" for shown, name in _ARRAYS.items()]
    sql = f"SELECT {', '.join([*keys, *arrays])} FROM ({found}) AS histogram{group_by(width)}"
    return with_units(plan.footprint, sql)


def sized_payload(choice: Choice) -> list[str]:
    """The columns of `sized_histogram_sql` after the keys."""
    return list(_ARRAYS) if isinstance(choice, QuantileChoice) else ["candidate", "b", "a", "z"]


def units_by_size_sql(plan: BlockPlan, choice: Choice, limit: Norm) -> str:
    """Query: the buckets of sizes, and the number of units in each."""
    unit = unit_columns(plan)
    if choice.counts_units:
        rows = _extremes(plan, choice)
    else:
        named = ", ".join(f"{sql} AS {name}" for name, sql in unit.items())
        rows = f"SELECT {named} {rows_clause(plan, *conditions_of(choice))}{unit_order(plan)}"
    bucket = bucket_sql(limit, "count(*)::double precision", 1)
    sizes = f"SELECT {bucket} AS b FROM ({rows}) AS r GROUP BY {', '.join(unit)}"
    return with_units(plan.footprint, f"SELECT b, count(*) AS units FROM ({sizes}) AS sizes GROUP BY b")


def read_sized_histograms(
    plan: BlockPlan, choice: Choice, rows: Sequence[tuple[str | None, ...]]
) -> list[SizedHistogram]:
    """Read the rows of `sized_histogram_sql`; without keys and without rows there is one row of NULLs."""
    width = len(plan.keys)
    found: dict[tuple[str | None, ...], dict[int | str, dict[int, tuple[int, int]]]] = {}
    for row in rows:
        parts = found.setdefault(tuple(row[:width]), {})
        for candidate, bucket, a, z in _cells(choice, row[width:]):
            parts.setdefault(candidate, {})[bucket] = (a, z)
    return [SizedHistogram(key, parts) for key, parts in found.items()]


def _cells(choice: Choice, values: Sequence[str | None]) -> Iterable[tuple[int | str, int, int, int]]:
    if any(value is None for value in values):
        return []
    if not isinstance(choice, QuantileChoice):
        candidate, *numbers = (value or "" for value in values)
        bucket, a, z = map(int, numbers)
        return [(candidate, bucket, a, z)]
    return zip(*(json.loads(value or "") for value in values), strict=True)


def read_units_by_size(limit: Norm, rows: Sequence[tuple[str | None, ...]]) -> list[int]:
    """For each bucket of sizes the number of units, from the rows of `units_by_size_sql`."""
    units = [0] * (limit.thresholds + 1)
    for bucket, count in rows:
        units[int(bucket or 0)] = int(count or 0)
    return units


def _rows(plan: BlockPlan, choice: Choice) -> str:
    """Query: keys, a value (x), and the size of its unit (n), for each row or, for an extreme, each unit and group."""
    unit = unit_columns(plan)
    if choice.counts_units:
        rows = _extremes(plan, choice)
    else:
        columns = [*key_columns(plan), *(f"{sql} AS {name}" for name, sql in unit.items()), f"{value_of(choice)} AS x"]
        rows = f"SELECT {', '.join(columns)} {rows_clause(plan, *conditions_of(choice))}"
    return with_windows(rows, ["count(*) OVER w AS n"], unit=unit)


def _extremes(plan: BlockPlan, choice: Choice) -> str:
    """Query: keys, the unit, and its own least or greatest value (x), for each unit and group."""
    extreme = "min" if isinstance(choice, QuantileChoice) and choice.fractions[0] == 0 else "max"
    unit = [f"{sql} AS {name}" for name, sql in unit_columns(plan).items()]
    columns = [*key_columns(plan), *unit, f"{extreme}({value_of(choice)}) AS x"]
    return f"SELECT {', '.join(columns)} {rows_clause(plan, *conditions_of(choice))}{by_unit(plan, len(plan.keys))}"
