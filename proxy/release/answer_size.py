"""Limits how much a block may release, before anything is charged and by public facts alone (attack 8).

Otherwise one cheap question could fill the proxy's memory, or keep a processor busy for an hour: its price does not
grow with the number of groups.
"""

from __future__ import annotations

from collections.abc import Sequence

from proxy.dp.interpolated_quantiles import InterpolatedQuantiles
from proxy.errors import UnsupportedError
from proxy.sql.planning.group_keys import KeyRow
from proxy.sql.planning.plan import BlockPlan

MOST_NUMBERS = 2_000_000
"""Noisy numbers of all groups of a block together. So many take a quarter of a minute and a few hundred megabytes."""

MOST_CHOSEN = 50_000
"""Values chosen in all groups of a block together. So many take half a minute: each is a draw of its own."""

_INTERPOLATED = 5
"""A percentile between two rows takes as long as so many that are rows."""

_CANDIDATES_OF_ONE = 200
"""The number of declared values that take about as long as choosing one value."""


def check_answer_size(plan: BlockPlan, groups: int, candidates: Sequence[Sequence[KeyRow]]) -> None:
    """Refuse more than MOST_NUMBERS noisy numbers or MOST_CHOSEN choices.

    Where keys are selected, the number of groups is private, and only the size of one group is limited.

    Args:
        plan: the block's plan.
        groups: the number of its declared groups; 0 where keys are selected or there are none.
        candidates: for each choice, the declared values that it is about; empty for buckets.

    Raises:
        UnsupportedError: too many.
    """
    groups = max(groups, 1)
    _check("noisy numbers", groups, len(plan.statistics), MOST_NUMBERS)
    interpolated = [isinstance(mechanism, InterpolatedQuantiles) for mechanism in plan.choosing]
    chosen = [
        choice.size * (_INTERPOLATED if is_between else 1) + len(values) // _CANDIDATES_OF_ONE
        for choice, is_between, values in zip(plan.choices, interpolated, candidates, strict=True)
    ]
    note = (
        f" One of percentile_cont counts as {_INTERPOLATED}; percentile_disc takes less." if any(interpolated) else ""
    )
    _check("minima, maxima, percentiles and modes", groups, sum(chosen), MOST_CHOSEN, note)


def _check(what: str, groups: int, of_each: int, most: int, note: str = "") -> None:
    if groups * of_each > most:
        raise UnsupportedError(
            f"this answer would have too many {what}",
            detail=f"{groups} groups times {of_each} exceeds the limit of {most}.{note}",
            hint="Group by fewer columns, narrow them in WHERE, or split the aggregates over several queries.",
            rule="answer-size",
        )
