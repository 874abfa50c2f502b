"""Sums by group and by the norm of the unit: from them follow the sums clipped at every threshold (theorem 22).

For each norm, a unit with norm N is in bucket b, the number of thresholds below N. For each group and bucket the source
adds up, over the bucket's units, the contributions v as they are (a), and scaled to threshold 1 (z). The sum clipped at
threshold τ is the sum of a over the buckets up to that of τ, plus τ times the sum of z over those beyond. The bucket of
a unit follows from its own rows alone: norms are computed from exact sums, in no order that other units could change.

The source counts the units by bucket as well, for the private choice of τ.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from proxy.dp.clipping import threshold
from proxy.sql.planning.cells import divided_by_step, without_nan_sql
from proxy.sql.planning.clipping import Clipping, Norm
from proxy.sql.planning.group_keys import canonical_key
from proxy.sql.planning.plan import BlockPlan
from proxy.sql.planning.statistic import GridSum, RowCount, Statistic, UnitCount
from proxy.sql.source_queries import bounding
from proxy.sql.source_queries.fragments import filtered, group_by, key_columns, rows_clause
from proxy.sql.source_queries.plain_sums import plain_aggregates, sums_values
from proxy.sql.terms.term import number_sql

_SCALED_BITS = 30
"""A scaled contribution has about so many bits: far more than noise lets anybody see, and far fewer than bigint has."""

_SLACK = 1 - 2.0**-30
"""Keeps a scaled contribution below its bound, whatever the rounding of a division and a multiplication."""

_MOST_ADDED = 10**1000
"""Numbers up to this can be added as often as Postgres can count, without exceeding numeric."""

_MOST_SQUARED = 3_037_000_499
"""The largest bigint whose square is one."""


@dataclass(frozen=True)
class SumsByNorm:
    """Exact results of `sums_by_norm_sql`, which are never shown to anyone.

    Attributes:
        keys: each group's keys in Postgres's text form.
        weights: for each group, its total selection weight in cells (empty where no keys are selected).
        units: for each norm, the number of units in each of its buckets.
        parts: for each group and statistic, a and z by bucket.
    """

    keys: list[tuple[str | None, ...]]
    weights: list[int]
    units: list[list[int]]
    parts: list[list[dict[int, tuple[int, int]]]]

    def clipped(self, plan: BlockPlan) -> list[tuple[int, ...]]:
        """For each group, each statistic's sum in cells, clipped at the plan's thresholds."""
        if plan.clipping is None or plan.clipping.chosen is None:
            raise AssertionError("thresholds are chosen before anything is clipped")
        columns = [
            _clipped(plan.clipping, index, statistic, [group[index] for group in self.parts])
            for index, statistic in enumerate(plan.statistics)
        ]
        return list(zip(*columns, strict=True))


def _clipped(
    clipping: Clipping, index: int, statistic: Statistic, groups: Sequence[dict[int, tuple[int, int]]]
) -> list[int]:
    norm = clipping.norms[clipping.norm_of[index]]
    last, per_step = clipping.chosen_for(index), clipping.cells_per_step(index)
    per_scaled = 2 ** (norm.bits - _scaled_bits(norm, statistic))
    return [
        sum(per_step * a if bucket <= last else per_scaled * z for bucket, (a, z) in parts.items()) for parts in groups
    ]


def sums_by_norm_sql(plan: BlockPlan, seed: int) -> str:
    """Query: keys; for each norm the bucket, NULL in rows of another norm; a and z of each statistic; the weight of the
    group, if keys are selected; and the number of the bucket's units, with NULL for everything about groups.

    Args:
        plan: the block's plan, with `clipping`.
        seed: secret seed of the hash that chooses which groups a unit with too many of them helps to select.
    """
    clipping = _clipping(plan)
    keys, buckets = _names("k", plan.keys), _names("b", clipping.norms)
    if plan.path == "general":
        ctes = [f"per_unit AS ({_contributions(plan)})", f"norms AS ({_norms(plan, clipping)})"]
        source, counted = "per_unit AS p JOIN norms AS m USING (unit)", "norms"
    else:
        ctes = [f"per_unit AS ({_sized(plan, clipping)})"]
        source = counted = "per_unit"
    sums = _sums(plan, clipping)
    if not keys:
        outputs = [*buckets, *sums, "count(*) AS units"]
        return f"WITH {', '.join(ctes)} SELECT {', '.join(outputs)} FROM {source} {_grouped([], buckets)}"
    if plan.selection is not None and plan.path == "general":
        ctes.append(f"cutoffs AS ({bounding.cutoffs_sql(plan, seed)})")
        source += " LEFT JOIN cutoffs AS c USING (unit)"
        weights = [bounding.selection_weight(plan, seed)]
    else:
        weights = [f"count(*) * {plan.selection.resolution} AS weight"] if plan.selection is not None else []
    found = f"SELECT {', '.join([*keys, *buckets, *sums, *weights])} FROM {source} {_grouped(keys, buckets)}"
    names = [f"{name}{index}" for index in range(len(plan.statistics)) for name in "az"]
    shown = [*keys, *buckets, *names, *(_whole_weight(keys, buckets) for _ in weights), "NULL::bigint AS units"]
    nothing = [*("NULL" for _ in keys), *buckets, *("NULL" for _ in [*names, *weights]), "count(*)"]
    return (
        f"WITH {', '.join(ctes)} SELECT {', '.join(shown)} FROM ({found}) AS found "
        f"UNION ALL SELECT {', '.join(nothing)} FROM {counted} {_grouped([], buckets)}"
    )


def _whole_weight(keys: Sequence[str], buckets: Sequence[str]) -> str:
    """A group's weight over all buckets of a norm: whether the group is sent at all must not depend on the bucket."""
    of_norm = ", ".join([*keys, *(f"{bucket} IS NULL" for bucket in buckets)])
    return f"sum(weight) OVER (PARTITION BY {of_norm}) AS weight"


def _sized(plan: BlockPlan, clipping: Clipping) -> str:
    """Query: as `_contributions`, where a unit has one row, so that its norms are the sizes of its numbers."""
    columns = [*_names("k", plan.keys), *_names("v", plan.statistics)]
    for index, norm in enumerate(clipping.norms):
        size = f"{ {'rows': 'n', 'groups': '1'}.get(str(norm.of), f'abs(v{norm.of})') }::double precision"
        columns += [f"{_bucket(norm, size, 1)} AS b{index}", f"{size} AS d{index}"]
    return f"SELECT {', '.join(columns)} FROM ({_contributions(plan)}) AS per_unit"


def _clipping(plan: BlockPlan) -> Clipping:
    if plan.clipping is None:
        raise AssertionError("sums by norm are for plans that choose thresholds")
    return plan.clipping


def _names(letter: str, items: Sequence[object]) -> list[str]:
    return [f"{letter}{index}" for index in range(len(items))]


def _contributions(plan: BlockPlan) -> str:
    """Query: one row for each unit and group, with its rows (n) and its contribution to each statistic (v0, v1, …)."""
    unit = ["unit"] if plan.path == "general" else []
    values = [f"{_contribution(statistic, index)} AS v{index}" for index, statistic in enumerate(plan.statistics)]
    columns = ", ".join([*unit, *_names("k", plan.keys), "n", *values])
    return f"SELECT {columns} FROM ({_totals(plan)}) AS counted"


def _totals(plan: BlockPlan) -> str:
    """Query: one row for each unit and group, with its rows (n), and of each statistic the total (s0, s1, …) and what a
    centred sum needs to subtract (c0, c1, …)."""
    columns = [f"{plan.relation.unit_sql} AS unit", *key_columns(plan), "count(*) AS n"]
    for index, statistic in enumerate(plan.statistics):
        if statistic in (RowCount(), UnitCount()):
            continue
        total, present = plain_aggregates(statistic)
        columns.append(f"{_unclamped(statistic) or total} AS s{index}")
        columns += [f"{present} AS c{index}"] if present is not None else []
    return f"SELECT {', '.join(columns)} {rows_clause(plan)}{group_by(1 + len(plan.keys))}"


def _unclamped(statistic: Statistic) -> str | None:
    """The sum of values without bounds as they are, where no sum of them can exceed its type: what is outside the grid
    is cut once for each unit and group instead of in each row."""
    if not isinstance(statistic, GridSum) or not statistic.unbounded or not sums_values(statistic):
        return None
    magnitude = statistic.value.magnitude
    if magnitude is None or magnitude > _MOST_ADDED:
        return None
    return filtered(f"sum({without_nan_sql(statistic.value)})", statistic.filter_sql)


def _contribution(statistic: Statistic, index: int) -> str:
    """A unit's contribution in one group, a bigint that is never NULL. Sums that do not fit are cut: that is the
    unit's own number."""
    match statistic:
        case UnitCount():
            return f"CASE WHEN s{index} > 0 THEN 1 ELSE 0 END" if statistic.filter_sql is not None else "1"
        case RowCount():
            return "n" if statistic == RowCount() else f"s{index}"
        case GridSum():
            centre = statistic.grid.centre
            total = f"coalesce(s{index}, 0)::numeric"
            if sums_values(statistic):
                total = f"trunc({divided_by_step(total, statistic.grid)})"
            if centre:
                total = f"({total} - {number_sql(Fraction(centre))}::numeric * c{index})"
            return f"LEAST(GREATEST({total}, {-(2**62)}), {2**62})::bigint"
        case _:
            raise AssertionError("distinct values have no norm")


def _norms(plan: BlockPlan, clipping: Clipping) -> str:
    """Query over per_unit: for each unit and norm its bucket (b0, b1, …) and the norm itself (d0, d1, …)."""
    inner = ["unit", *(f"{_powered(norm, clipping.power)} AS q{index}" for index, norm in enumerate(clipping.norms))]
    outer = ["unit"]
    for index, norm in enumerate(clipping.norms):
        size = f"sqrt(q{index})" if clipping.power == 2 else f"q{index}"
        outer += [f"{_bucket(norm, f'q{index}', clipping.power)} AS b{index}", f"{size} AS d{index}"]
    if plan.selection is not None:
        inner += bounding.selection_columns(plan)
        outer += ["groups", "selection_share"]
    return f"SELECT {', '.join(outer)} FROM (SELECT {', '.join(inner)} FROM per_unit GROUP BY unit) AS powered"


def _powered(norm: Norm, power: int) -> str:
    """The sum of a unit's sizes in all its groups, or of their squares: exact, then rounded once."""
    if norm.of == "groups":
        return "count(*)::double precision"
    size = "n" if norm.of == "rows" else f"v{norm.of}"
    if power == 1:
        return f"sum(abs({size}))::double precision"
    small = f"{size} BETWEEN {-_MOST_SQUARED} AND {_MOST_SQUARED}"
    squares = f"coalesce(sum({size} * {size}) FILTER (WHERE {small}), 0)"
    return f"({squares} + coalesce(sum({size}::numeric * {size}) FILTER (WHERE NOT {small}), 0))::double precision"


def _bucket(norm: Norm, powered: str, power: int) -> str:
    """The number of thresholds below a norm. Whole numbers are compared exactly as long as doubles hold them, and a
    little below their thresholds beyond that."""
    if norm.thresholds == 1:
        return "0"
    limits = []
    for index in range(norm.thresholds):
        limit = threshold(index) ** power
        limits.append(math.nextafter(float(limit), math.inf) if limit < 2**53 else float(limit) * (1 - 2.0**-40))
    return f"width_bucket({powered}, '{{{','.join(map(repr, limits))}}}'::double precision[])"


def _sums(plan: BlockPlan, clipping: Clipping) -> list[str]:
    columns = []
    for index, statistic in enumerate(plan.statistics):
        number = clipping.norm_of[index]
        factor = 3 * 2.0 ** _scaled_bits(clipping.norms[number], statistic) * _SLACK
        scaled = f"trunc(v{index}::double precision / NULLIF(d{number}, 0) * {factor!r})::bigint"
        columns += [f"sum(v{index}) AS a{index}", f"sum({scaled}) AS z{index}"]
    return columns


def _scaled_bits(norm: Norm, statistic: Statistic) -> int:
    """A contribution at threshold 1 is z / (3·2^bits) steps; each is below 3·2^30, whatever a row can reach."""
    reach = 1 if isinstance(norm.of, int) else statistic.reach
    return _SCALED_BITS - (reach - 1).bit_length()


def _grouped(keys: Sequence[str], buckets: Sequence[str]) -> str:
    """GROUP BY the keys and each norm's buckets apart."""
    sets = [", ".join([*keys, bucket]) for bucket in buckets]
    return f"GROUP BY {sets[0]}" if len(sets) == 1 else f"GROUP BY GROUPING SETS ({', '.join(f'({s})' for s in sets)})"


def read_sums_by_norm(plan: BlockPlan, rows: Sequence[tuple[str | None, ...]]) -> SumsByNorm:
    """Read the rows of `sums_by_norm_sql`."""
    clipping = _clipping(plan)
    types = [key.term.type for key in plan.keys]
    width, first = len(plan.keys), len(plan.keys) + len(clipping.norms)
    units = [[0] * (norm.thresholds + 1) for norm in clipping.norms]
    found: dict[tuple[Hashable, ...], int] = {}
    keys: list[tuple[str | None, ...]] = []
    weights: list[int] = []
    parts: list[list[dict[int, tuple[int, int]]]] = []
    for row in rows:
        number, bucket = next((i, int(text)) for i, text in enumerate(row[width:first]) if text is not None)
        if row[-1] is not None:
            units[number][bucket] += int(row[-1])
        if row[-1] is not None and plan.keys:
            continue
        key = row[:width]
        place = found.setdefault(canonical_key(key, types), len(keys))
        if place == len(keys):
            keys.append(key)
            parts.append([{} for _ in plan.statistics])
            if plan.selection is not None:
                weights.append(int(Fraction(row[first + 2 * len(plan.statistics)] or 0)))
        for index, norm in enumerate(clipping.norm_of):
            if norm == number:
                a, z = row[first + 2 * index : first + 2 * index + 2]
                parts[place][index][bucket] = (int(a or 0), int(z or 0))
    return SumsByNorm(keys, weights, units, parts)
