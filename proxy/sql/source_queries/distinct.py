"""Numbers of distinct values and their sums as SQL: each unit keeps a limited number of (group, value) pairs; those
that any unit keeps count.

A pair counts once however many units keep it, and which pairs a unit keeps follows from its own rows and the secret
seed alone. So without a unit, a number of group g falls by at most a_g, the number of pairs that the unit keeps there,
and a sum moves by at most R·a_g. Laplace noise needs Σ a_g <= M = max_rows. Gaussian noise needs Σ a_g² <= M·m with m =
max_rows_per_group, which holds if a_g <= m in every group and Σ a_g <= M, since a_g² <= m·a_g (theorem 4).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

from proxy.sql.planning.cells import cell_sql, without_nan_sql
from proxy.sql.planning.plan import BlockPlan
from proxy.sql.planning.pricing import REFINEMENT
from proxy.sql.planning.statistic import Distinct, DistinctSum, GridSum, ProductSum
from proxy.sql.source_queries.bounding import most_rows_inside
from proxy.sql.source_queries.fragments import group_by, heavy_units, key_columns, rows_clause, unit_columns
from proxy.sql.source_queries.hashes import keyed_hash
from proxy.sql.source_queries.per_unit import names, with_windows
from proxy.sql.source_queries.plain_sums import product_sql
from proxy.sql.terms.term import number_sql


def distinct_sql(plan: BlockPlan, statistics: Sequence[Distinct], seed: int) -> str:
    """Query: each group's keys, and of each statistic the number of distinct values or their sum, in cells. Groups
    without a value may be absent.

    Args:
        plan: the block's plan; where its path is `unique`, a plain count(DISTINCT x) is bounded as it stands.
        statistics: some of its statistics, over the same values under the same condition.
        seed: secret seed of the hash that chooses which pairs a unit with too many of them keeps.
    """
    # A cluster would bring the rows of the few to the coordinator.
    return (_read_once if plan.relation.footprint.spread else _split)(DistinctPairs(plan, statistics), seed)


def cells_name(place: int) -> str:
    """The name of a statistic's cells in the query, by its place."""
    return f"cells{place or ''}"


class DistinctPairs:
    """The distinct pairs of a group and a value, with what is summed of the value.

    Attributes:
        plan: the block's plan.
        keys: the names of the group's keys.
        names: those of the value, and of what is summed.
        columns: the SQL of all of them, named.
        conditions: what a row with a value meets.
        numbers: what is counted or added up of the pairs of a group.
        outputs: the keys, and these numbers in cells.
        of_units: has a unit one value?
        listed: what the policy says of the values.
    """

    def __init__(self, plan: BlockPlan, statistics: Sequence[Distinct]) -> None:
        first, sums = statistics[0], [found for found in statistics if isinstance(found, DistinctSum)]
        cells = list(dict.fromkeys(_cells(found.summed) for found in sums))
        self.plan = plan
        self.keys = names("k", plan.keys)
        self.names = ["x", *names("y", cells)]
        summed = [f"{sql} AS {name}" for sql, name in zip(cells, self.names[1:], strict=True)]
        self.columns = [*key_columns(plan), f"{first.distinct.sql} AS x", *summed]
        self.conditions = [f"{without_nan_sql(first.distinct)} IS NOT NULL"]
        if first.filter_sql is not None:
            self.conditions.append(first.filter_sql)
        self.numbers = [
            f"sum(y{cells.index(_cells(found.summed))})" if isinstance(found, DistinctSum) else "count(*)"
            for found in statistics
        ]
        measured = (f"{number} * {REFINEMENT} AS {cells_name(place)}" for place, number in enumerate(self.numbers))
        self.outputs = [*self.keys, *measured]
        self.listed = first.listed
        self.of_units = any(found.of_units for found in sums)

    @property
    def most_of_unit(self) -> tuple[int, int]:
        """How many of them a unit keeps, and how many in each group."""
        bounds = self.plan.contribution
        if self.of_units:
            return math.floor(bounds.groups), 1
        if self.plan.path != "general":
            # Without groups, one number's bound is that of the whole norm.
            most = self._listed(most_rows_inside(self.plan))
            return most, most
        most = bounds.max_rows
        return most, self._listed(bounds.max_rows_per_group) if self.plan.noise_name == "gaussian" else most

    @property
    def few(self) -> int:
        """A unit with at most this many rows keeps all of its pairs."""
        return 1 if self.of_units else self._listed(most_rows_inside(self.plan))

    def _listed(self, most: int) -> int:
        """At most as many values of a group as are listed, whatever else the source holds."""
        return most if self.listed is None else min(most, self.listed.number)


def _cells(statistic: GridSum) -> str:
    """What a value adds to a sum: its cell around the centre, or a product of two."""
    if isinstance(statistic, ProductSum):
        return product_sql(statistic)
    return f"({cell_sql(statistic.value, statistic.grid)}::bigint - {number_sql(Fraction(statistic.grid.centre))})"


def _split(pairs: DistinctPairs, seed: int) -> str:
    """The pairs of units with few rows, all of which they keep, together with those that the few others keep: half of
    the time of numbering all rows."""
    plan, conditions = pairs.plan, pairs.conditions
    unit = plan.relation.unit_sql
    member = f"EXISTS (SELECT FROM heavy AS h WHERE h.unit = {unit})"
    heavy = heavy_units(plan, pairs.few, *conditions)
    pair = ", ".join(pairs.columns)
    distinct = f"SELECT DISTINCT {unit} AS unit, {pair} {rows_clause(plan, *conditions, member)}"
    hashed = f"SELECT *, {keyed_hash([*pairs.keys, 'x'], seed, unit='unit')} AS hash FROM ({distinct}) AS pairs"
    return (
        f"WITH heavy AS MATERIALIZED ({heavy}) SELECT {', '.join(pairs.outputs)} FROM ("
        f"SELECT {pair} {rows_clause(plan, *conditions, f'NOT {member}')} UNION "
        f"SELECT {', '.join([*pairs.keys, *pairs.names])} FROM ({_kept(pairs, hashed)}) AS kept"
        f") AS counted{group_by(len(pairs.keys))}"
    )


def _read_once(pairs: DistinctPairs, seed: int) -> str:
    """The same in one reading, which workers do where the rows are: each of them sends each value once."""
    plan, unit = pairs.plan, unit_columns(pairs.plan)
    columns = [*(f"{sql} AS {name}" for name, sql in unit.items()), *pairs.columns]
    rows = f"SELECT {', '.join(columns)} {rows_clause(plan, *pairs.conditions)}"
    rows = with_windows(rows, ["count(*) OVER w AS n"], unit=unit)
    hashed = f"CASE WHEN n > {pairs.few} THEN {keyed_hash([*pairs.keys, 'x'], seed, unit='unit')} END AS hash"
    kept = f"({_kept(pairs, f'SELECT *, {hashed} FROM ({rows}) AS counted')}) AS kept"
    grouped = group_by(len(pairs.keys))
    if pairs.names == ["x"]:
        outputs = ", ".join(pairs.outputs).replace("count(*)", "count(DISTINCT x)")
        return f"SELECT {outputs} FROM {kept}{grouped}"
    distinct = f"SELECT DISTINCT {', '.join([*pairs.keys, *pairs.names])} FROM {kept}"
    return f"SELECT {', '.join(pairs.outputs)} FROM ({distinct}) AS counted{grouped}"


def _kept(pairs: DistinctPairs, hashed: str) -> str:
    """Query: the rows of pairs that units keep. A unit has no more pairs than rows, so those with few rows keep all
    and have no hash; of others, the pairs with the least hashes are kept, first in each group, then in all groups.

    The hash differs between units, so that together they keep most values. Equal hashes are ordered by the pair itself:
    the server's own order could depend on other units.
    """
    keys, unit, kept = pairs.keys, list(unit_columns(pairs.plan)), hashed
    most, per_group = pairs.most_of_unit
    if pairs.plan.path == "general" and per_group < most:
        kept = _first(kept, per_group, [*unit, *keys], pairs.names)
    return _first(kept, most, unit, [*keys, *pairs.names])


def _first(rows: str, most: int, partition: list[str], pair: list[str]) -> str:
    """Query: the rows that have no hash, and those of the first `most` pairs of each part."""
    order = ["hash", *(f"CASE WHEN hash IS NOT NULL THEN {name} END" for name in pair)]
    place = f"dense_rank() OVER (PARTITION BY {', '.join(partition)} ORDER BY {', '.join(order)}) AS place"
    columns = ", ".join(dict.fromkeys([*partition, *pair, "hash"]))
    return (
        f"SELECT {columns} FROM (SELECT {columns}, {place} FROM ({rows}) AS hashed) AS placed "
        f"WHERE hash IS NULL OR place <= {most}"
    )
