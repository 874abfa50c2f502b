"""The two source queries behind suggested bounds: how many units exceed which candidate, as SQL and as counts.

Both first make one row for each unit, from the unit's own rows alone: their number, and each column's least and
greatest value. Then each question puts each unit into one bucket and counts. So a unit that comes adds one to one
bucket of each question and changes nothing else, which `proxy.dp.search` requires, however many rows it has.

Nothing here can fail because of what a row holds: minima and maxima are compared with constants of their own type,
whole numbers as numeric. NaN counts as NULL, infinities lie outside every candidate (attacks 5, 6 and 20).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from proxy.dp.noise import IntegerArray
from proxy.sql.planning.cells import without_nan_sql
from proxy.sql.rows.cuts import with_units
from proxy.sql.suggesting.questions import ROW_CAPS, AskedColumn, Questions

TextRow = tuple[str | None, ...]


@dataclass(frozen=True)
class CapCounts:
    """Exact answers to the first source query, never shown to anyone: for each cap, the number of units that exceed it.

    Attributes:
        max_rows: caps on a unit's rows; empty if not asked.
        max_rows_per_group: caps on a unit's rows in its largest group; empty if not asked.
        columns: caps on each column's distance from 0.
    """

    max_rows: IntegerArray
    max_rows_per_group: IntegerArray
    columns: tuple[IntegerArray, ...]


def caps_sql(questions: Questions) -> str:
    """The first source query: rows (question, bucket, units), where a bucket is the number of caps that are
    exceeded."""
    buckets = {}
    if questions.max_rows:
        buckets["rows"] = [_above("n", ROW_CAPS)]
    if questions.group_keys:
        buckets["group"] = [_above("most", ROW_CAPS)]
    for index, column in enumerate(questions.columns):
        caps = column.scale.caps()
        high = _exceeded(column, f"high{index}", caps)
        # A value is below -c exactly if it is not at or above -c, and the multiples of -1 are in reverse order.
        low = f"{len(caps)} - {_reached(column, f'low{index}', [-cap for cap in reversed(caps)])}"
        buckets[str(index)] = [f"greatest({high}, {low})"]
    return _counted(questions, buckets)


def read_caps(questions: Questions, rows: Sequence[TextRow]) -> CapCounts:
    """Read the rows of `caps_sql` as numbers of units above each cap."""

    def above(question: str, caps: int) -> IntegerArray:
        buckets = np.zeros(caps + 1, dtype=np.int64)
        for name, bucket, units in rows:
            if name == question:
                buckets[int(bucket or 0)] += int(units or 0)
        return np.cumsum(buckets[::-1])[::-1][1:]

    return CapCounts(
        above("rows", len(ROW_CAPS)),
        above("group", len(ROW_CAPS)),
        tuple(above(str(index), len(column.scale.caps())) for index, column in enumerate(questions.columns)),
    )


def ends_sql(questions: Questions, ends: Sequence[Sequence[Fraction]]) -> str:
    """The second source query: rows (question, bucket of the least value, bucket of the greatest, units).

    Args:
        questions: the questions.
        ends: for each column the candidates of its bounds, increasing.

    The buckets are the number of candidates at or below the least value, and below the greatest.
    """
    buckets = {}
    for index, (column, candidates) in enumerate(zip(questions.columns, ends, strict=True)):
        low = _reached(column, f"low{index}", candidates)
        buckets[str(index)] = [low, _exceeded(column, f"high{index}", candidates)]
    return _counted(questions, buckets)


def read_ends(ends: Sequence[Sequence[Fraction]], rows: Sequence[TextRow]) -> list[IntegerArray]:
    """Read the rows of `ends_sql` as numbers of units: for each column, a matrix over low and high candidates with the
    number of units that have a value outside them."""
    counts = [np.zeros((len(candidates) + 1, len(candidates) + 1), dtype=np.int64) for candidates in ends]
    for question, low, high, units in rows:
        counts[int(question or 0)][int(low or 0), int(high or 0)] += int(units or 0)
    outside = []
    for buckets in counts:
        # Inside (low i, high j) are the units with more than i candidates at or below, and at most j below.
        reaching = np.cumsum(np.cumsum(buckets[::-1], axis=0)[::-1], axis=1)
        outside.append(buckets.sum() - reaching[1:, :-1])
    return outside


def _counted(questions: Questions, buckets: Mapping[str, Sequence[str]]) -> str:
    """Query: the number of units in each bucket of each question, of a unit's rows that are read once.

    A series stands for the questions, as in `source_queries.by_norm`: so a cluster counts its units where they are.
    """
    choices = {"question": [f"'{name}'" for name in buckets]}
    for place, found in enumerate(zip(*buckets.values(), strict=True)):
        choices[f"b{place}"] = list(found)
    columns = [
        f"CASE i {' '.join(f'WHEN {number} THEN {value}' for number, value in enumerate(values))} END AS {name}"
        for name, values in choices.items()
    ]
    numbered = f"SELECT *, generate_series(0, {len(buckets) - 1}) AS i FROM ({_per_unit(questions)}) AS per_unit"
    asked = f"SELECT {', '.join(columns)} FROM ({numbered}) AS numbered"
    names = ", ".join(choices)
    counts = f"SELECT {names}, count(*) FROM ({asked}) AS asked WHERE b0 IS NOT NULL GROUP BY {names}"
    return with_units(questions.relation.footprint, counts)


def _per_unit(questions: Questions) -> str:
    """One row for each unit: the number of its rows, in the group with the most of them too, and the least and greatest
    value of each column."""
    relation, keys = questions.relation, [term.sql for term in questions.group_keys]
    homes = [relation.unit_home] if relation.unit_home is not None else []
    columns = [f"{relation.unit_sql} AS unit", *(f"{home} AS home" for home in homes), "count(*) AS n"]
    for index, column in enumerate(questions.columns):
        value = without_nan_sql(column.term)
        columns.append(f"{column.scale.value_sql(f'min({value})')} AS low{index}")
        columns.append(f"{column.scale.value_sql(f'max({value})')} AS high{index}")
    where = f" WHERE {relation.unit_sql} IS NOT NULL" if relation.unit_nullable else ""
    together = ", ".join([relation.unit_sql, *homes, *keys])
    rows = f"SELECT {', '.join(columns)} FROM {relation.sql}{where} GROUP BY {together}"
    if not keys:
        return rows
    columns = ["sum(n)::bigint AS n", "max(n) AS most"]
    for index in range(len(questions.columns)):
        columns += [f"min(low{index}) AS low{index}", f"max(high{index}) AS high{index}"]
    unit = ", ".join(["unit", *("home" for _ in homes)])
    return f"SELECT {', '.join(columns)} FROM ({rows}) AS in_group GROUP BY {unit}"


def _above(number: str, caps: Sequence[Fraction]) -> str:
    """How many of the whole `caps` a count exceeds."""
    array = f"ARRAY[{', '.join(str(cap) for cap in caps)}]::bigint[]"
    return f"width_bucket({number}, {array}) - ({number} = ANY ({array}))::integer"


def _reached(column: AskedColumn, value: str, candidates: Sequence[Fraction]) -> str:
    """How many of the increasing candidates are at or below a value."""
    return f"width_bucket({value}, {column.scale.array_sql(candidates)})"


def _exceeded(column: AskedColumn, value: str, candidates: Sequence[Fraction]) -> str:
    """How many of the increasing candidates are below a value."""
    array = column.scale.array_sql(candidates)
    return f"width_bucket({value}, {array}) - ({value} = ANY ({array}))::integer"
