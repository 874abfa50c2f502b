"""Sums by group and by the norm of the unit: from them follow the sums clipped at every threshold (theorem 22).

For each norm, a unit with norm N is in bucket b, the number of thresholds below N. For each group and bucket the source
adds up, over the bucket's units, the contributions v as they are (a), and scaled to threshold 1 (z). The sum clipped at
threshold τ is the sum of a over the buckets up to that of τ, plus τ times the sum of z over those beyond. The bucket of
a unit follows from its own rows alone: norms are exact sums, or sums of doubles in an order that no other unit changes.

The source counts the units by bucket as well, for the private choice of τ. Distinct values have norms and buckets of
their own kind (`distinct_by_norm`).
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from proxy.dp.clipping import threshold
from proxy.sql.planning.clipping import Clipping, DistinctValues, Norm
from proxy.sql.planning.group_keys import canonical_key
from proxy.sql.planning.plan import BlockPlan
from proxy.sql.planning.statistic import Distinct, Statistic
from proxy.sql.replacing import replace
from proxy.sql.source_queries.bounding import bounded_sql
from proxy.sql.source_queries.buckets import SLACK, bucket_sql
from proxy.sql.source_queries.distinct_by_norm import DistinctByNorm
from proxy.sql.source_queries.fragments import unit_columns
from proxy.sql.source_queries.key_weights import weight_sql
from proxy.sql.source_queries.per_unit import names, order_of_places, per_unit_sql, with_windows

_SCALED_BITS = 30
"""A scaled contribution has about so many bits: far more than noise lets anybody see, and far fewer than bigint has."""


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

    def lost(self, plan: BlockPlan, statistic: int, places: Sequence[int], index: int) -> list[Fraction]:
        """For each bucket, how much less its units count of a statistic at a threshold, in its steps.

        Args:
            plan: the block's.
            statistic: its index; its norm is in its steps.
            places: of the groups that are released.
            index: of the threshold.
        """
        clipping = _clipping(plan)
        number = clipping.norm_of[statistic]
        per_step = 3 << _scaled_bits(clipping.norms[number], plan.statistics[statistic])
        found = [Fraction(0)] * len(self.units[number])
        for place in places:
            for bucket, (a, z) in self.parts[place][statistic].items():
                if bucket > index:
                    found[bucket] += a - threshold(index) * Fraction(z, per_step)
        return found


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
    """Query: keys; the number of a norm (i) and of a bucket (b); for each statistic of this norm, in order, a and z
    (a0, z0, a1, …); the weight of the group, if keys are selected; and in rows without all these the number of the
    bucket's units. Where distinct values alone are measured, weights have rows without a norm.

    Args:
        plan: the block's plan, with `clipping`.
        seed: secret seed of the hash that chooses which groups a unit with too many of them helps to select.
    """
    clipping = _clipping(plan)
    keys, sums = names("k", plan.keys), _sum_names(clipping)
    weights = ["weight"] if plan.selection is not None else []
    distinct = [
        DistinctByNorm(plan, number, _distinct(plan, members), len(sums) // 2, seed)
        for number, members in enumerate(_members(clipping))
        if isinstance(clipping.norms[number].of, DistinctValues)
    ]
    found = [_sums(plan, clipping, sums, seed)] if clipping.of_sums else []
    if weights and not found:
        found.append(_weights_alone(plan, sums, seed))
    found += [values.numbers_sql for values in distinct]
    units = [values.units_sql for values in distinct if clipping.norms[values.number].choice is not None]
    pairs = [values.pairs_sql for values in distinct]
    if not keys:
        return _with(pairs, " UNION ALL ".join([*found, *units]))
    grouped = ", ".join([*keys, "i", "b"])
    # Over all buckets: whether the group is sent at all must not depend on the bucket.
    first = 0 if clipping.of_sums else len(clipping.norms)
    whole = [
        f"sum(CASE WHEN i = {first} THEN weight END) OVER (PARTITION BY {', '.join(keys)}) AS weight" for _ in weights
    ]
    nothing = ["NULL" for _ in [*sums, *weights]]
    if clipping.of_sums:
        counted = [*("NULL" for _ in keys), "i", "b", *nothing, "sum(units)::bigint"]
        units.insert(0, f"SELECT {', '.join(counted)} FROM found WHERE units IS NOT NULL GROUP BY i, b")
    groups = f"SELECT {', '.join([grouped, *sums, *whole, 'NULL::bigint AS units'])} FROM found"
    return _with([*pairs, f"found AS ({' UNION ALL '.join(found)})"], " UNION ALL ".join([groups, *units]))


def _with(ctes: Sequence[str], query: str) -> str:
    return f"WITH {', '.join(ctes)} {query}" if ctes else query


def _sums(plan: BlockPlan, clipping: Clipping, sums: Sequence[str], seed: int) -> str:
    """Query: keys, i, b, a and z of the statistics but those of distinct values, the weight and the units."""
    order = order_of_places(plan) or [f"v{norm.of}" for norm in clipping.norms if isinstance(norm.of, int)]
    rows = with_windows(per_unit_sql(plan, seed), _unit_numbers(plan, clipping), order, unit_columns(plan))
    rows = _with_buckets(plan, clipping, rows)
    grouped = ", ".join([*names("k", plan.keys), "i", "b"])
    totals = [f"sum({name}) AS {name}" for name in sums]
    weights = [weight_sql(plan)] if plan.selection is not None else []
    units = "count(*) FILTER (WHERE place = 1 AND adds) AS units"
    return (
        f"SELECT {', '.join([grouped, *totals, *weights, units])} "
        f"FROM ({_by_norm(clipping, rows, len(sums) // 2)}) AS r GROUP BY {grouped}"
    )


def _distinct(plan: BlockPlan, members: Sequence[int]) -> list[Distinct]:
    statistics = (plan.statistics[index] for index in members)
    return [statistic for statistic in statistics if isinstance(statistic, Distinct)]


def _weights_alone(plan: BlockPlan, sums: Sequence[str], seed: int) -> str:
    """The rows of `_sums` where none of its statistics is measured: keys and weights, of no norm."""
    number = len(_clipping(plan).norms)
    weights = bounded_sql(replace(plan, statistics=(), mechanisms=(), clipping=None), seed)
    columns = [
        f"{number} AS i",
        "0 AS b",
        *(f"NULL::numeric AS {name}" for name in sums),
        "weight",
        "NULL::bigint AS units",
    ]
    return f"SELECT {', '.join([*names('k', plan.keys), *columns])} FROM ({weights}) AS weights"


def _clipping(plan: BlockPlan) -> Clipping:
    if plan.clipping is None:
        raise AssertionError("sums by norm are for plans that choose thresholds")
    return plan.clipping


def _unit_numbers(plan: BlockPlan, clipping: Clipping) -> list[str]:
    """Of all rows of a unit: each norm, to the power that its thresholds have (q0, q1, …), the place of this row among
    them, and the number of its groups."""
    general = plan.path == "general"
    norms = [
        f"{_powered(norm, clipping.power) if general else f'{_size(norm)}::double precision'} AS q{index}"
        for index, norm in enumerate(clipping.of_sums)
    ]
    place = "row_number() OVER w AS place" if general else "1 AS place"
    groups = "count(*) OVER w AS groups" if general else "1 AS groups"
    return [*norms, place, *([groups] if plan.selection is not None else [])]


def _size(norm: Norm) -> str:
    """The norm of a unit that has one row."""
    return {"rows": "n", "groups": "1"}.get(str(norm.of), f"abs(v{norm.of})")


def _powered(norm: Norm, power: int) -> str:
    """The sum of a unit's sizes in all its groups, or of their squares; those of its own sums in doubles, which
    are several times as fast as numeric."""
    if norm.of == "groups":
        return "(count(*) OVER w)::double precision"
    if norm.of == "rows":
        rows = f"(sum({'n' if power == 1 else 'n * n'}) OVER w)"
        # Postgres goes from numeric to a double through a text, but not by way of bigint.
        return f"CASE WHEN {rows} < {2**62} THEN {rows}::bigint::double precision ELSE {rows}::double precision END"
    size = f"v{norm.of}::double precision"
    return f"(sum({f'abs({size})' if power == 1 else f'{size} * {size}'}) OVER w)"


def _with_buckets(plan: BlockPlan, clipping: Clipping, rows: str) -> str:
    """Query: the rows with the bucket of each norm (b0, b1, …) and each scaled contribution (t0, t1, …)."""
    power = clipping.power if plan.path == "general" else 1
    columns = [f"{bucket_sql(norm, f'q{index}', power)} AS b{index}" for index, norm in enumerate(clipping.of_sums)]
    for index, statistic in enumerate(plan.statistics):
        if isinstance(statistic, Distinct):
            continue
        number = clipping.norm_of[index]
        norm = clipping.norms[number]
        if norm.thresholds == 1:
            columns.append(f"0 AS t{index}")
            continue
        size = f"sqrt(q{number})" if power == 2 else f"q{number}"
        factor = 3 * 2.0 ** _scaled_bits(norm, statistic) * SLACK
        columns.append(f"trunc(v{index}::double precision / NULLIF({size}, 0) * {factor!r})::bigint AS t{index}")
    return f"SELECT *, {', '.join(columns)} FROM ({rows}) AS sized"


def _scaled_bits(norm: Norm, statistic: Statistic) -> int:
    """A contribution at threshold 1 is z / (3·2^bits) steps; each is below 3·2^30, whatever a row can reach."""
    reach = 1 if isinstance(norm.of, int) else statistic.reach
    return _SCALED_BITS - (reach - 1).bit_length()


def _members(clipping: Clipping) -> list[list[int]]:
    """For each norm, the indexes of its statistics."""
    return [[index for index, of in enumerate(clipping.norm_of) if of == norm] for norm in range(len(clipping.norms))]


def _sum_names(clipping: Clipping) -> list[str]:
    places = range(max(map(len, _members(clipping))))
    return [f"{letter}{place}" for place in places for letter in "az"]


def _by_norm(clipping: Clipping, rows: str, width: int) -> str:
    """Query: each row once for each norm i of sums, with its bucket there, and the contributions of the norm's
    statistics, of which there are so many at most."""
    members = _members(clipping)[: len(clipping.of_sums)]
    several = len(members) > 1

    def chosen(columns: Sequence[str]) -> str:
        if not several:
            return columns[0]
        return f"CASE i {' '.join(f'WHEN {number} THEN {column}' for number, column in enumerate(columns))} END"

    # A unit of which nothing is added says nothing about how much of one should count.
    adds = [f"q{number} > 0" if isinstance(norm.of, int) else "true" for number, norm in enumerate(clipping.of_sums)]
    columns = [f"{chosen(names('b', members))} AS b", f"{chosen(adds)} AS adds"]
    for place in range(width):
        for letter, shown in (("v", "a"), ("t", "z")):
            values = [f"{letter}{of[place]}" if place < len(of) else "NULL::bigint" for of in members]
            columns.append(f"{chosen(values)} AS {shown}{place}")
    # A series, since a source of several servers computes no grouping sets.
    numbered = f"SELECT *, {f'generate_series(0, {len(members) - 1})' if several else '0'} AS i FROM ({rows}) AS rows"
    return f"SELECT *, {', '.join(columns)} FROM ({numbered}) AS numbered"


def read_sums_by_norm(plan: BlockPlan, rows: Sequence[tuple[str | None, ...]]) -> SumsByNorm:
    """Read the rows of `sums_by_norm_sql`."""
    clipping = _clipping(plan)
    types = [key.term.type for key in plan.keys]
    width, members = len(plan.keys), _members(clipping)
    units = [[0] * (norm.thresholds + 1) for norm in clipping.norms]
    found: dict[tuple[Hashable, ...], int] = {}
    keys: list[tuple[str | None, ...]] = []
    weights: list[int] = []
    parts: list[list[dict[int, tuple[int, int]]]] = []
    for row in rows:
        number, bucket, sums = int(row[width] or 0), int(row[width + 1] or 0), row[width + 2 :]
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
                weights.append(int(Fraction(row[-2] or 0)))
        if number < len(members):
            for index, a, z in zip(members[number], sums[::2], sums[1::2], strict=False):
                if a is not None:
                    parts[place][index][bucket] = (int(a), int(z or 0))
    return SumsByNorm(keys, weights, units, parts)
