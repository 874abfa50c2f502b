"""COUNT(DISTINCT x) as SQL: each unit keeps a limited number of (group, value) pairs; those that any unit keeps count.

A pair counts once however many units keep it, and which pairs a unit keeps follows from its own rows and the secret
seed alone. So without a unit, the answer of group g falls by at most a_g, the number of pairs that the unit keeps
there. Laplace noise needs Σ a_g <= M = max_rows. Gaussian noise needs Σ a_g² <= M·m with m = max_rows_per_group, which
holds if a_g <= m in every group and Σ a_g <= M, since a_g² <= m·a_g (theorem 4).
"""

from __future__ import annotations

from proxy.sql.planning.cells import without_nan_sql
from proxy.sql.planning.plan import BlockPlan
from proxy.sql.planning.pricing import REFINEMENT
from proxy.sql.planning.statistic import DistinctCount
from proxy.sql.source_queries.bounding import most_rows_inside
from proxy.sql.source_queries.fragments import group_by, heavy_units, key_columns, rows_clause, unit_columns
from proxy.sql.source_queries.hashes import keyed_hash
from proxy.sql.source_queries.per_unit import names, with_windows


def distinct_sql(plan: BlockPlan, statistic: DistinctCount, seed: int) -> str:
    """Query: each group's keys and its number of distinct values, in cells. Groups without a value may be absent.

    Args:
        plan: the block's plan; its path is not `unique`, where a plain count(DISTINCT x) is bounded as it stands.
        statistic: one of its statistics.
        seed: secret seed of the hash that chooses which pairs a unit with too many of them keeps.
    """
    conditions = [f"{without_nan_sql(statistic.value)} IS NOT NULL"]
    if statistic.filter_sql is not None:
        conditions.append(statistic.filter_sql)
    # A cluster would bring the rows of the few to the coordinator.
    return (_read_once if plan.relation.footprint.spread else _split)(plan, statistic, seed, conditions)


def _split(plan: BlockPlan, statistic: DistinctCount, seed: int, conditions: list[str]) -> str:
    """The pairs of units with few rows, all of which they keep, together with those that the few others keep: half of
    the time of numbering all rows."""
    unit, most = plan.relation.unit_sql, most_rows_inside(plan)
    member = f"EXISTS (SELECT FROM heavy AS h WHERE h.unit = {unit})"
    heavy = heavy_units(plan, most, *conditions)
    pair = ", ".join([*key_columns(plan), f"{statistic.value.sql} AS x"])
    keys = names("k", plan.keys)
    pairs = f"SELECT DISTINCT {unit} AS unit, {pair} {rows_clause(plan, *conditions, member)}"
    hashed = f"SELECT *, {keyed_hash([*keys, 'x'], seed, unit='unit')} AS hash FROM ({pairs}) AS pairs"
    outputs = [*keys, f"count(*) * {REFINEMENT} AS cells"]
    return (
        f"WITH heavy AS MATERIALIZED ({heavy}) SELECT {', '.join(outputs)} FROM ("
        f"SELECT {pair} {rows_clause(plan, *conditions, f'NOT {member}')} UNION "
        f"SELECT {', '.join([*keys, 'x'])} FROM ({_kept(plan, hashed)}) AS kept"
        f") AS counted{group_by(len(keys))}"
    )


def _read_once(plan: BlockPlan, statistic: DistinctCount, seed: int, conditions: list[str]) -> str:
    """The same in one reading, which workers do where the rows are: each of them sends each value once."""
    unit, keys = unit_columns(plan), names("k", plan.keys)
    columns = [*(f"{sql} AS {name}" for name, sql in unit.items()), *key_columns(plan), f"{statistic.value.sql} AS x"]
    rows = f"SELECT {', '.join(columns)} {rows_clause(plan, *conditions)}"
    rows = with_windows(rows, ["count(*) OVER w AS n"], unit=unit)
    hashed = f"CASE WHEN n > {most_rows_inside(plan)} THEN {keyed_hash([*keys, 'x'], seed, unit='unit')} END AS hash"
    kept = _kept(plan, f"SELECT *, {hashed} FROM ({rows}) AS counted")
    outputs = [*keys, f"count(DISTINCT x) * {REFINEMENT} AS cells"]
    return f"SELECT {', '.join(outputs)} FROM ({kept}) AS kept{group_by(len(keys))}"


def _kept(plan: BlockPlan, hashed: str) -> str:
    """Query: the rows of pairs that units keep. A unit has no more pairs than rows, so those with few rows keep all
    and have no hash; of others, the pairs with the least hashes are kept, first in each group, then in all groups.

    The hash differs between units, so that together they keep most values. Equal hashes are ordered by the pair itself:
    the server's own order could depend on other units.
    """
    keys, bounds, unit = names("k", plan.keys), plan.contribution, list(unit_columns(plan))
    kept = hashed
    if plan.path == "general" and plan.noise_name == "gaussian" and bounds.max_rows_per_group < bounds.max_rows:
        kept = _first(kept, bounds.max_rows_per_group, [*unit, *keys], ["x"])
    # Without groups, one number's bound is that of the whole norm.
    most = bounds.max_rows if plan.path == "general" else most_rows_inside(plan)
    return _first(kept, most, unit, [*keys, "x"])


def _first(rows: str, most: int, partition: list[str], pair: list[str]) -> str:
    """Query: the rows that have no hash, and those of the first `most` pairs of each part."""
    order = ["hash", *(f"CASE WHEN hash IS NOT NULL THEN {name} END" for name in pair)]
    place = f"dense_rank() OVER (PARTITION BY {', '.join(partition)} ORDER BY {', '.join(order)}) AS place"
    columns = ", ".join(dict.fromkeys([*partition, *pair, "hash"]))
    return (
        f"SELECT {columns} FROM (SELECT {columns}, {place} FROM ({rows}) AS hashed) AS placed "
        f"WHERE hash IS NULL OR place <= {most}"
    )
