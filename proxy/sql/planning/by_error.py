"""dp.error: a block at the least epsilon whose noise stays within a number, from text, policy and settings alone.

The noise of counts and of sums between bounds is known before any data are read. That of an average depends on its
rows, and that of a block that chooses from the data how much of a unit counts on the choice: both are refused.
"""

from __future__ import annotations

import decimal
from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction

from sqlglot import exp

from proxy.errors import InvalidSettingError
from proxy.settings import QuerySettings
from proxy.sql.planning import pricing
from proxy.sql.planning.aggregates.aggregate import Estimate, OfKnownWidth
from proxy.sql.planning.plan import BlockPlan
from proxy.sql.planning.wording import short
from proxy.sql.refusal import unsupported

_UP = decimal.Context(prec=3, rounding=decimal.ROUND_UP)
_MOST_PLANS = 8
"""Noise is nearly in proportion to 1 / epsilon, but shown in whole rows: two or three plans find the least epsilon."""


def planned_within(
    plan_at: Callable[[QuerySettings], BlockPlan], settings: QuerySettings, select: exp.Select
) -> BlockPlan:
    """The plan at an epsilon of three digits with 95 % of the noise of each count and sum within `settings.error`.

    A block that has no such number is planned as if there were no `dp.error`.

    Args:
        plan_at: plans the block under other settings.
        settings: the session's.
        select: the block, for the position of a refusal.

    Raises:
        UnsupportedError: the noise of one of its numbers depends on the data.
        InvalidSettingError: the policy's largest epsilon is not enough.
    """
    error = settings.error
    if error is None:
        return plan_at(settings)
    # The session's epsilon has no say in it, and may be one that the policy refuses.
    plan = plan_at(replace(settings, epsilon=None))
    if not any(isinstance(aggregate, Estimate) for aggregate in plan.aggregates):
        return plan_at(settings)
    tables = plan.footprint.private_tables
    least, most = pricing.least_epsilon(tables), pricing.most_epsilon(tables)
    epsilon, width = plan.guarantee.epsilon, widest(plan, select)
    best: BlockPlan | None = None
    for _ in range(_MOST_PLANS):
        epsilon = min(max(_rounded_up(epsilon * (width or error / 2) / error), least), most)
        if best is not None and epsilon >= best.guarantee.epsilon:
            break
        plan = plan_at(replace(settings, epsilon=epsilon))
        width = widest(plan, select)
        if width <= error:
            best = plan
        elif epsilon == most:
            raise _too_small(error, epsilon, width)
    if best is None:
        raise AssertionError("noise shrinks as epsilon grows")
    return best


def widest(plan: BlockPlan, select: exp.Select) -> Fraction:
    """How far 95 % of the noise goes, of the number of a block for which that is most.

    Raises:
        UnsupportedError: it depends on the data.
    """
    if plan.clipping is not None and plan.clipping.chosen is None:
        raise unsupported(
            select,
            "dp.error cannot be used here: the query chooses from the data how much of a unit counts",
            rule="error-unknown",
            detail="The noise is as wide as the limit that is chosen.",
            hint="SET dp.max_rows and dp.max_rows_per_group; or RESET dp.error; and SET dp.epsilon instead.",
        )
    plans = [plan]
    if plan.levels is not None:
        plans = [replace(plan, mechanisms=level.mechanisms, levels=None) for level in plan.levels.measured]
    found = []
    for aggregate in plan.aggregates:
        if not isinstance(aggregate, Estimate):
            continue
        reaches = [aggregate.reach(at_level) if isinstance(aggregate, OfKnownWidth) else None for at_level in plans]
        known = [reach for reach in reaches if reach is not None]
        if len(known) < len(reaches):
            raise unsupported(
                select,
                f"dp.error cannot be used for {aggregate.label}, whose noise depends on the data",
                rule="error-unknown",
                detail="Only the noise of counts, and of sums between bounds, is known before the data are read.",
                hint="Ask for sums and counts, or RESET dp.error; and SET dp.epsilon instead.",
            )
        found += known
    return max(found)


def _rounded_up(epsilon: Fraction) -> Fraction:
    return Fraction(_UP.divide(Decimal(epsilon.numerator), Decimal(epsilon.denominator)))


def _too_small(error: Fraction, epsilon: Fraction, width: Fraction) -> InvalidSettingError:
    return InvalidSettingError(
        f"dp.error is {short(error)}, but the noise of this query is ±{short(width)} at best",
        detail=f"The policy allows at most epsilon {short(epsilon)} here.",
        hint=f"SET dp.error = {float(_UP.divide(Decimal(width.numerator), Decimal(width.denominator))):g};",
        rule="error-limit",
    )
