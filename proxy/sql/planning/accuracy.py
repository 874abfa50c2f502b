"""How good the numbers of a block are, in one sentence: how far 95 % of their noise goes (post-processing, free)."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from proxy.sql.planning.aggregates.aggregate import Estimate, OfKnownWidth
from proxy.sql.planning.plan import BlockPlan
from proxy.sql.planning.wording import listed
from proxy.sql.trees.interval_calls import CONFIDENCE

_MOST_LISTED = 6
"""Widths in one sentence."""


def accuracy_text(plan: BlockPlan) -> str:
    """How far 95 % of the noise of each aggregate goes; empty where no aggregate gets noise.

    An average is told as a number over its rows, of which groups have different numbers. What depends on several
    released numbers is told by dp.low and dp.high alone.
    """
    estimates = [aggregate for aggregate in plan.aggregates if isinstance(aggregate, Estimate)]
    if not estimates:
        return ""
    share = f"{float(100 * CONFIDENCE):g} % of the noise"
    if plan.clipping is not None and plan.clipping.chosen is None:
        return f"{share}: as wide as the limit that the query chooses makes it; the answer's notice says it"
    said = _widths(plan)
    if plan.levels is not None and plan.levels.has_totals:
        totals = _widths(replace(plan, mechanisms=plan.levels.measured[-1].mechanisms, levels=None))
        said += [f"in totals {width}" for width in totals if width not in said]
    if not said:
        return f"{share}: dp.low and dp.high tell it of each group"
    more = f"; and {len(said) - _MOST_LISTED} more" if len(said) > _MOST_LISTED else ""
    return f"{share}: {', '.join(said[:_MOST_LISTED])}{more}"


def numeric_widths(plan: BlockPlan) -> dict[str, Fraction | None]:
    """How far 95 % of the noise of each estimate goes at most, by its label; None where that is not known before the
    answer, or differs from group to group."""
    known = plan.clipping is None or plan.clipping.chosen is not None
    levels = [plan]
    if plan.levels is not None and plan.levels.has_totals:
        levels.append(replace(plan, mechanisms=plan.levels.measured[-1].mechanisms, levels=None))
    found: dict[str, Fraction | None] = {}
    for aggregate in plan.aggregates:
        if isinstance(aggregate, OfKnownWidth) and known:
            widths = [aggregate.reach(level) for level in levels]
            found[aggregate.label] = max((width for width in widths if width is not None), default=None)
        elif isinstance(aggregate, Estimate):
            found[aggregate.label] = None
    return found


def _widths(plan: BlockPlan) -> list[str]:
    """Each width with the aggregates that have it."""
    found: dict[str, list[str]] = {}
    for aggregate in plan.aggregates:
        within = aggregate.within(plan) if isinstance(aggregate, OfKnownWidth) else ""
        if within:
            found.setdefault(within, []).append(aggregate.label)
    return [f"{listed(labels)} within {within}" for within, labels in found.items()]
