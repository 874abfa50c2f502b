"""The noise of a block, drawn before the source is asked (`proxy.dp.stock` says why).

Where keys are declared, the amount needed is public. Where they are selected, the number of groups is private, so a
stock is drawn. The draws of exponential mechanisms depend on the data and are not made here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from proxy.dp.noise import IntegerArray
from proxy.dp.stock import Stock
from proxy.release.totals import groups_of_levels
from proxy.sql.planning.group_keys import KeyRow, canonical_keys
from proxy.sql.planning.plan import BlockPlan

SELECTED_GROUPS = 1024
"""The number of groups that a stock is drawn for where keys are selected."""


@dataclass(frozen=True, eq=False)
class Drawn:
    """Noise for one release of a block.

    Attributes:
        numbers: for each level (one without grouping sets), the noise of each statistic.
        selection: the noise of key selection; None if no keys are selected.
        told: for each choice of a threshold, the noise of what is told about it.
    """

    numbers: tuple[tuple[Stock, ...], ...]
    selection: Stock | None
    told: tuple[IntegerArray, ...] = ()


def draw(plan: BlockPlan, domain: Sequence[KeyRow]) -> Drawn:
    """Draw a block's noise.

    Args:
        plan: the block's plan.
        domain: the declared keys; empty where keys are selected or there are none.
    """
    selection = Stock(plan.selection.draw, SELECTED_GROUPS) if plan.selection is not None else None
    told = tuple(choice.draw() for choice in plan.threshold_choices)
    groups = len(domain) if plan.domain is not None else 1 if selection is None else SELECTED_GROUPS
    if plan.levels is None:
        return Drawn((tuple(Stock(mechanism.draw, groups) for mechanism in plan.mechanisms),), selection, told)
    keys = canonical_keys([key.term.type for key in plan.keys], domain)
    sizes = [len(level.keys) for level in groups_of_levels(plan.levels, domain, keys)]
    numbers = tuple(
        tuple(Stock(mechanism.draw, size) for mechanism in level.mechanisms)
        for level, size in zip(plan.levels.measured, sizes, strict=True)
    )
    return Drawn(numbers, selection, told)
