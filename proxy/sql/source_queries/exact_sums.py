"""From a plan to the source query, the only SQL that is sent to the source, and how its rows are read (decision 5).

Every sum is a sum of integers or of exact decimals on the statistic's grid. The SQL is generated from terms alone, so
equal blocks with different spellings give the same SQL.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from proxy.sql.planning.choices import Choice
from proxy.sql.planning.clipping import Norm
from proxy.sql.planning.plan import BlockPlan
from proxy.sql.planning.statistic import Distinct, DistinctSum, GridSum
from proxy.sql.replacing import replace
from proxy.sql.rows.cuts import with_units
from proxy.sql.source_queries.bounding import bounded_sql
from proxy.sql.source_queries.by_norm import SumsByNorm, read_sums_by_norm, sums_by_norm_sql
from proxy.sql.source_queries.distinct import cells_name, distinct_sql
from proxy.sql.source_queries.fragments import group_by, rows_clause
from proxy.sql.source_queries.histograms import ExactHistogram, histogram_sql, payload, read_histogram
from proxy.sql.source_queries.plain_sums import plain_aggregates, sums_values
from proxy.sql.source_queries.row_columns import RowColumns
from proxy.sql.source_queries.sending import with_weight
from proxy.sql.source_queries.shared_cells import with_shared_cells
from proxy.sql.source_queries.sized_histograms import (
    SizedHistogram,
    read_sized_histograms,
    read_units_by_size,
    sized_histogram_sql,
    sized_payload,
    units_by_size_sql,
)


@dataclass(frozen=True)
class ExactResults:
    """Exact results of a source query, which are never shown to anyone.

    Attributes:
        keys: each group's keys in Postgres's text form.
        sums: for each group, each statistic's exact sum in cells.
        weights: for each group, its total selection weight in cells (empty where no keys are selected).
        histograms: for each choice, the histograms of the groups that have rows for it.
        sizes: for each choice with a limit that the data choose, the number of units in each bucket of sizes.
        by_norm: the sums by the norm of the unit, from which `sums` follow once the thresholds are chosen; None if the
            bounds are fixed.
    """

    keys: list[tuple[str | None, ...]]
    sums: list[tuple[int, ...]]
    weights: list[int]
    histograms: list[list[ExactHistogram] | list[SizedHistogram]] = field(default_factory=list)
    sizes: list[list[int]] = field(default_factory=list)
    by_norm: SumsByNorm | None = None

    @property
    def units(self) -> list[list[int]]:
        """For each of `plan.norms`, the number of units in each of its buckets; empty if the bounds are fixed."""
        return [*(self.by_norm.units if self.by_norm is not None else []), *self.sizes]

    def weighted(self, plan: BlockPlan) -> list[list[ExactHistogram]]:
        """For each choice, the histograms under the plan's limits, fixed or chosen (`BlockPlan.clipped_at`)."""
        indexes = iter(plan.limited or ())
        found = []
        for histograms, limit in zip(self.histograms, plan.limits, strict=True):
            index = next(indexes) if limit is not None else 0
            found.append(
                [
                    histogram.at(index) if isinstance(histogram, SizedHistogram) else histogram
                    for histogram in histograms
                ]
            )
        return found

    def clipped(self, plan: BlockPlan) -> list[tuple[int, ...]]:
        """For each group, the sums under the plan's bounds, fixed or chosen (`BlockPlan.clipped_at`)."""
        return self.sums if self.by_norm is None else self.by_norm.clipped(plan)


def source_statements(plan: BlockPlan, hash_seed: int = 0) -> list[str]:
    """A block's statements: sums and weights of keys, if it has any; a histogram for each choice; and the sizes of
    units for each choice whose limit the data choose."""
    sums = [sums_sql(plan, hash_seed)] if plan.adds_noise else []
    limited = zip(plan.choices, plan.limits, strict=True)
    histograms = [_choice_sql(plan, choice, limit, hash_seed) for choice, limit in limited]
    return sums + histograms + [units_by_size_sql(plan, choice, limit) for choice, limit in _limited(plan)]


def _limited(plan: BlockPlan) -> list[tuple[Choice, Norm]]:
    """The choices whose limits the data choose."""
    pairs = zip(plan.choices, plan.limits, strict=True)
    return [(choice, limit) for choice, limit in pairs if limit is not None]


def _choice_sql(plan: BlockPlan, choice: Choice, limit: Norm | None, hash_seed: int) -> str:
    """The histogram of a choice, for groups that can be shown."""
    sql = histogram_sql(plan, choice) if limit is None else sized_histogram_sql(plan, choice, limit)
    if plan.selection is None or plan.path == "unique":
        return sql
    weights = bounded_sql(replace(plan, statistics=(), mechanisms=()), hash_seed)
    columns = payload(choice) if limit is None else sized_payload(choice)
    return with_units(plan.footprint, with_weight(plan, sql, columns, weights))


def sums_sql(plan: BlockPlan, hash_seed: int = 0) -> str:
    """The source query of a block's sums and weights of keys.

    Args:
        plan: the block's plan.
        hash_seed: secret seed of the hash that chooses which groups a unit with too many of them helps to select, and
            which of its values are counted.
    """
    plan = with_shared_cells(plan)
    if plan.clipping is not None:
        sql = sums_by_norm_sql(plan, hash_seed)
    elif plan.path == "unique":
        sql = _unique(plan)
    elif any(isinstance(statistic, Distinct) for statistic in plan.statistics):
        sql = _with_distinct(plan, hash_seed)
    else:
        sql = bounded_sql(plan, hash_seed)
    return with_units(plan.footprint, sql)


Rows = Sequence[tuple[str | None, ...]]


def read_results(plan: BlockPlan, results: Sequence[Rows]) -> ExactResults:
    """Read the rows of each of the `source_statements`."""
    measured = read_sums(plan, results[0] if plan.adds_noise else [])
    rest = list(results[1:] if plan.adds_noise else results)
    chosen, limited = rest[: len(plan.choices)], rest[len(plan.choices) :]
    found: list[list[ExactHistogram] | list[SizedHistogram]] = []
    for choice, limit, rows in zip(plan.choices, plan.limits, chosen, strict=True):
        sized = limit is not None
        found.append(read_sized_histograms(plan, choice, rows) if sized else list(read_histogram(plan, choice, rows)))
    sizes = [read_units_by_size(limit, rows) for (_, limit), rows in zip(_limited(plan), limited, strict=True)]
    return replace(measured, histograms=found, sizes=sizes)


def read_sums(plan: BlockPlan, rows: Rows) -> ExactResults:
    """Read the rows of `sums_sql` as exact integers, in cells."""
    if plan.clipping is not None:
        by_norm = read_sums_by_norm(plan, rows)
        return ExactResults(by_norm.keys, [], by_norm.weights, by_norm=by_norm)
    plan = with_shared_cells(plan)
    width, count = len(plan.keys), len(plan.statistics)
    keys, sums, weights = [], [], []
    for row in rows:
        keys.append(tuple(row[:width]))
        values = row[width:]
        if plan.path == "unique":
            sums.append(_unique_sums(plan, values))
            if plan.selection is not None:
                weights.append(int(values[-1] or 0) * plan.selection.resolution)
        else:
            sums.append(tuple(int(Fraction(value or 0)) for value in values[:count]))
            if plan.selection is not None:
                weights.append(int(Fraction(values[count] or 0)))
    return ExactResults(keys, sums, weights)


def _unique(plan: BlockPlan) -> str:
    """Every unit has at most one row, so a plain aggregation is already bounded."""
    row = RowColumns(plan.relation)
    columns = [f"{row.column(key.term.sql)} AS k{index}" for index, key in enumerate(plan.keys)]
    for index, statistic in enumerate(plan.statistics):
        total, present = plain_aggregates(row.statistic(statistic))
        columns.append(f"{total} AS s{index}")
        if present is not None:
            columns.append(f"{present} AS c{index}")
    if plan.selection is not None:
        columns.append("count(*) AS weight")
    selected = ", ".join(columns)
    return f"SELECT {selected} {row.from_clause(rows_clause(plan), selected)}{group_by(len(plan.keys))}"


def _unique_sums(plan: BlockPlan, values: Sequence[str | None]) -> tuple[int, ...]:
    sums, position = [], 0
    for index, statistic in enumerate(plan.statistics):
        total = Fraction(values[position] or 0)
        position += 1
        steps = int(total)
        if isinstance(statistic, GridSum):
            grid, count = statistic.grid, 0
            if grid.centre:
                count = int(values[position] or 0)
                position += 1
            steps = int(total / grid.step if sums_values(statistic) else total) - grid.centre * count
        sums.append(steps * plan.cells_per_step(index))
    return tuple(sums)


def _with_distinct(plan: BlockPlan, hash_seed: int) -> str:
    """Distinct values are counted and added up over rows of their own; all numbers of a group meet in the end."""
    numbered = enumerate(plan.statistics)
    apart = {f"v{index}": statistic for index, statistic in numbered if isinstance(statistic, Distinct)}
    together = [index for index in range(len(plan.statistics)) if f"v{index}" not in apart]
    sums = [f"v{index}" for index in together] + (["weight"] if plan.selection is not None else [])
    keys = [f"k{index}" for index in range(len(plan.keys))]
    parts = []
    if sums:
        rest = replace(
            plan,
            statistics=tuple(plan.statistics[index] for index in together),
            mechanisms=tuple(plan.mechanisms[index] for index in together),
        )
        parts.append(f"SELECT *{', 0::bigint' * len(apart)} FROM ({bounded_sql(rest, hash_seed)}) AS sums")
    for together_names in _over_same_values(apart):
        cells = {name: cells_name(place) for place, name in enumerate(together_names)}
        columns = keys + [cells.get(column, "0::bigint") for column in [*sums, *apart]]
        measured = distinct_sql(plan, [apart[name] for name in together_names], hash_seed)
        parts.append(f"SELECT {', '.join(columns)} FROM ({measured}) AS counted")
    totals = [f"v{index}" for index in range(len(plan.statistics))] + sums[len(together) :]
    outputs = keys + [f"sum({column}) AS {column}" for column in totals]
    names = ", ".join([*keys, *sums, *apart])
    return f"SELECT {', '.join(outputs)} FROM ({' UNION ALL '.join(parts)}) AS parts({names}){group_by(len(keys))}"


def _over_same_values(apart: Mapping[str, Distinct]) -> list[list[str]]:
    """The names of statistics that are measured in one reading: over the same distinct values, under one condition."""
    found: dict[tuple[str, str | None, bool], list[str]] = {}
    for name, statistic in apart.items():
        of_units = isinstance(statistic, DistinctSum) and statistic.of_units
        found.setdefault((statistic.distinct.sql, statistic.filter_sql, of_units), []).append(name)
    return list(found.values())
