"""When two questions are the same, so that one answer is recalled for both (decision 6)."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence

from proxy.sql.planning.plan import BlockPlan
from proxy.sql.planning.statistic import GridSum
from proxy.sql.schema import Schema
from proxy.sql.source_queries import exact_sums


def block_hash(plan: BlockPlan, shared: Sequence[tuple[str, str]], schema: Schema) -> str:
    """The hash of what makes two blocks the same question: source query, noise, keys, the version of the data.

    Args:
        plan: the block's plan.
        shared: the session's TimeZone, DateStyle and IntervalStyle.
        schema: policy and catalog.
    """
    versions = {table.name: schema.table(table.name).policy.data_version for table in plan.footprint.tables}
    # Ledgers hold answers under these hashes, which the names are part of: they must not change.
    content = {
        "database": schema.catalog.database,
        "measurement": exact_sums.source_statements(plan),
        "domain": plan.domain.sql if plan.domain is not None else None,
        "noise": [repr(mechanism) for mechanism in (*plan.mechanisms, *plan.choosing)],
        "candidates": [choice.candidates.sql if choice.candidates else None for choice in plan.choices],
        "selection": repr(plan.selection),
        "grids": [repr(number.grid if isinstance(number, GridSum) else None) for number in plan.statistics],
        "versions": versions,
        "settings": dict(shared),
    }
    if plan.clipping is not None:
        content["clipping"] = repr(plan.clipping)
    if plan.levels is not None:
        content["levels"] = repr(plan.levels.measured)
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()


def question_hash(block: str, literals: Sequence[str]) -> str:
    """The hash of a block together with the released results that it reads.

    Args:
        block: its `block_hash`.
        literals: the literal relations in its feedback's order.
    """
    if not literals:
        return block
    read = "".join(f"{len(literal)}:{literal}" for literal in literals)
    return hashlib.sha256(f"{block}{read}".encode()).hexdigest()
