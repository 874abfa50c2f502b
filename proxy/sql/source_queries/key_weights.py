"""How much a unit helps to select the groups that it is in, as SQL over its rows of `per_unit` (theorem 12)."""

from __future__ import annotations

from collections.abc import Sequence

from proxy.sql.planning.plan import BlockPlan
from proxy.sql.source_queries.fragments import unit_columns
from proxy.sql.source_queries.per_unit import names

SLACK = "(1 - 2.0 ^ -30)::double precision"
"""Keeps a scaled contribution below its bound whatever the rounding: sums of up to 2^22 doubles are off by 2^-31."""


def with_places(plan: BlockPlan, rows: str, seed: int) -> str:
    """Query: the rows, which have the number of the unit's groups as `groups`, with the place of each group among those
    of a unit that is in more than max_groups.

    A group's place is the number of the unit's hashes up to its own, so that equal hashes can only reduce the number of
    groups in the first max_groups places.
    """
    hashed = keyed_hash(names("k", plan.keys), seed)
    order = f"CASE WHEN groups > {plan.contribution.max_groups} THEN {hashed} END"
    window = f"PARTITION BY {', '.join(unit_columns(plan))} ORDER BY {order}"
    return f"SELECT *, count(*) OVER ({window}) AS place FROM ({rows}) AS counted"


def weight_sql(plan: BlockPlan) -> str:
    """A group's selection weight, in cells: of each unit 1/√K (Gaussian) or 1/K (Laplace) for K groups, which is
    max_groups at most."""
    selection = plan.selection
    if selection is None:
        raise AssertionError("only selected keys have weights")
    most, cells = plan.contribution.max_groups, selection.resolution
    groups = f"LEAST(groups, {most})::double precision"
    share = f"sqrt({groups})" if selection.weight_is_inverse_square_root else groups
    scaled = f"trunc({cells} * {SLACK} / {share})::bigint"
    return (
        f"sum(CASE WHEN groups = 1 THEN {cells} WHEN groups <= {most} OR place <= {most} THEN {scaled} ELSE 0 END) "
        "AS weight"
    )


def keyed_hash(columns: Sequence[str], seed: int, *, unit: str | None = None) -> str:
    """A keyed 64-bit hash of the columns' texts, and of the unit that they belong to.

    Equal values have equal hashes: columns are in a canonical form (`terms.canonical_values`), and so is the unit,
    except under a nondeterministic collation. Then its text is hashed whole and under its own collation, with which
    Postgres gives equal texts equal hashes; cut texts would no longer be equal.
    """
    sql = str(seed)
    if unit is not None:
        sql = f"hashtextextended({unit}::text, {sql})"
    for column in columns:
        sql = f"hashtextextended(coalesce(left({column}::text, 1000000), ''), {sql})"
    return sql
