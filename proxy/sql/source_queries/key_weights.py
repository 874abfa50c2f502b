"""How much a unit helps to select the groups that it is in, as SQL over its rows of `per_unit` (theorem 12)."""

from __future__ import annotations

from proxy.sql.planning.plan import BlockPlan

SLACK = "(1 - 2.0 ^ -30)::double precision"
"""Keeps a scaled contribution below its bound whatever the rounding: sums of up to 2^22 doubles are off by 2^-31."""


def weight_sql(plan: BlockPlan) -> str:
    """A group's selection weight, in cells: of each unit 1/√K (Gaussian) or 1/K (Laplace) for K groups, which is
    max_groups at most: of a unit with more, those in the first places."""
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
