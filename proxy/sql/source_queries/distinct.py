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
from proxy.sql.source_queries import bounding
from proxy.sql.source_queries.fragments import group_by, key_columns, rows_clause
from proxy.sql.source_queries.hashes import keyed_hash


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
    unit = plan.relation.unit_sql
    member = f"EXISTS (SELECT FROM heavy AS h WHERE h.unit = {unit})"
    # A unit has no more pairs than rows, so only those with many rows can have too many pairs.
    most = bounding.most_rows_inside(plan)
    heavy = f"SELECT {unit} AS unit {rows_clause(plan, *conditions)} GROUP BY 1 HAVING count(*) > {most}"
    pair = ", ".join([*key_columns(plan), f"{statistic.value.sql} AS x"])
    pairs = f"SELECT DISTINCT {unit} AS unit, {pair} {rows_clause(plan, *conditions, member)}"
    names = _pair_names(plan)
    keys = [f"k{index}" for index in range(len(plan.keys))]
    return (
        f"WITH heavy AS MATERIALIZED ({heavy}), pairs AS ({pairs}) "
        f"SELECT {', '.join([*keys, f'count(*) * {REFINEMENT} AS cells'])} FROM ("
        f"SELECT {pair} {rows_clause(plan, *conditions, f'NOT {member}')} UNION "
        f"SELECT {', '.join(names)} FROM {_kept(plan, seed)}"
        f") AS counted{group_by(len(keys))}"
    )


def _pair_names(plan: BlockPlan) -> list[str]:
    return [*(f"k{index}" for index in range(len(plan.keys))), "x"]


def _kept(plan: BlockPlan, seed: int) -> str:
    """The pairs that heavy units keep: those with the least hashes, first in each group, then in all groups.

    The hash differs between units, so that together they keep most values. Equal hashes are ordered by the pair itself:
    the server's own order could depend on other units.
    """
    names = _pair_names(plan)
    hashed = keyed_hash([f"p.{name}" for name in names], seed, unit="p.unit")
    columns = ", ".join(["unit", *names, "hash"])
    kept = f"(SELECT p.*, {hashed} AS hash FROM pairs AS p) AS hashed"

    def first(most: int, partition: list[str], order: list[str]) -> str:
        window = f"PARTITION BY {', '.join(partition)} ORDER BY {', '.join(order)}"
        numbered = f"SELECT {columns}, row_number() OVER ({window}) AS place FROM {kept}"
        return f"(SELECT {columns} FROM ({numbered}) AS numbered WHERE place <= {most}) AS kept"

    bounds = plan.contribution
    if plan.path == "general" and plan.noise_name == "gaussian" and bounds.max_rows_per_group < bounds.max_rows:
        kept = first(bounds.max_rows_per_group, ["unit", *names[:-1]], ["hash", "x"])
    # Without groups, one number's bound is that of the whole norm.
    most = bounds.max_rows if plan.path == "general" else bounding.most_rows_inside(plan)
    return first(most, ["unit"], ["hash", *names])
