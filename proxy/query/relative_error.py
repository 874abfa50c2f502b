"""dp.error as a share: the least epsilon whose noise stays within that share of numbers that were released before.

The numbers are those that the asker has been shown of the same blocks, at any precision, so that the price follows from
released results alone (post-processing). With several groups they are the groups' medians.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from statistics import median

from proxy.errors import InvalidSettingError, UnsupportedError
from proxy.query.loud_noise import released_numbers
from proxy.query.notices import charge_label
from proxy.query.outlooks import Outlooks
from proxy.query.paying import Recalled
from proxy.query.planned import Plan, all_blocks
from proxy.query.precise import as_answered
from proxy.query.session_state import SessionState
from proxy.sql.planning.aggregates.aggregate import Estimate, OfKnownWidth
from proxy.sql.planning.by_error import EpsilonSearch, rounded_up
from proxy.sql.planning.plan import BlockPlan
from proxy.sql.planning.pricing import least_epsilon, most_epsilon
from proxy.sql.planning.wording import short

PlanAt = Callable[[SessionState], Awaitable[Plan | None]]

_NEARLY = Fraction(11, 10)


@dataclass(frozen=True)
class AtShare:
    """A statement's plan at the least epsilon.

    Attributes:
        plan: the plan; None if the stage answers the statement alone.
        state: the session's, with that epsilon.
        told: for EXPLAIN: what the share was taken of.
    """

    plan: Plan | None
    state: SessionState
    told: tuple[str, ...] = ()


async def planned_at_share(plan_at: PlanAt, outlooks: Outlooks, state: SessionState, share: Fraction) -> AtShare:
    """Plan a statement so that 95 % of the noise of each count and sum is within `share` of what was released of it.

    Args:
        plan_at: plans the statement under other settings.
        outlooks: what was answered.
        state: the session's settings.
        share: of the released numbers.

    Raises:
        UnsupportedError: nothing was released of a block, or the noise of one of its numbers depends on the data.
        InvalidSettingError: the policy's largest epsilon is not enough.
    """
    plain = replace(state, settings=replace(state.settings, error_share=None))
    try:
        plan = await plan_at(plain)
    except InvalidSettingError as refusal:
        if plain.settings.epsilon is None:
            raise
        # The session's epsilon has no say in it, and may be one that the policy refuses.
        plain = replace(plain, settings=replace(plain.settings, epsilon=None))
        plan = await plan_at(plain)
        if plan is None or not any(has_noise(block.plan) for block in all_blocks(plan.blocks)):
            raise refusal from None
    blocks = [] if plan is None else [block for block in all_blocks(plan.blocks) if has_noise(block.plan)]
    if plan is None or not blocks:
        return AtShare(plan, plain)
    allowed: list[dict[int, Fraction]] = []
    for block in blocks:
        allowed.append(_allowed(block.plan, await outlooks.shown(block, plain), share))
    told = tuple(_told(block.plan, limits, share) for block, limits in zip(blocks, allowed, strict=True))
    search = EpsilonSearch(
        max(least_epsilon(block.plan.footprint.private_tables) for block in blocks),
        min(most_epsilon(block.plan.footprint.private_tables) for block in blocks),
    )
    start = max(block.plan.guarantee.epsilon for block in blocks)
    epsilon: Fraction | None = search.first(start, _excess(plan, allowed))
    best: AtShare | None = None
    while epsilon is not None:
        at_epsilon = replace(plain, settings=replace(plain.settings, epsilon=epsilon))
        plan, last = await plan_at(at_epsilon), epsilon
        excess = _excess(plan, allowed)
        best = AtShare(plan, at_epsilon, told) if excess <= 1 else best
        epsilon = search.after(last, excess)
    if best is None:
        raise _too_small(share, last, excess)
    return best


def has_noise(plan: BlockPlan) -> bool:
    """Is a number with noise released of the block?"""
    return plan.asks_source and any(isinstance(aggregate, Estimate) for aggregate in plan.aggregates)


def _allowed(plan: BlockPlan, known: Recalled | None, share: Fraction) -> dict[int, Fraction]:
    """How far the noise of each count and sum may go, by the place of the aggregate: a share of its released number,
    which is the median of its groups. What is held already is enough if it is nearly so: each answer changes the
    number a little, and asking again has to be free.

    Raises:
        UnsupportedError: there is none.
    """
    label = charge_label(plan)
    if plan.levels is not None or (plan.clipping is not None and plan.clipping.chosen is None):
        raise _unknown(label)
    counted: dict[int, OfKnownWidth] = {}
    for place, aggregate in enumerate(plan.aggregates):
        if isinstance(aggregate, OfKnownWidth) and aggregate.reach(plan) is not None:
            counted[place] = aggregate
        elif isinstance(aggregate, Estimate):
            raise _unknown(aggregate.label)
    if known is None or not known.answer.values:
        raise UnsupportedError(
            f"dp.error is {short(100 * share)} %, but nothing was released of {label} before",
            detail="A share is taken of the numbers that the same query had before, however exact they were.",
            hint="RESET dp.error; and ask once, EXPLAIN shows the price; or SET dp.error to a number, as in 100.",
            rule="error-share",
        )
    found = {}
    held = as_answered(plan, known.answer, known.rho)
    for place, aggregate in counted.items():
        reach = aggregate.reach(held) or Fraction(0)
        number = median(abs(number) for number in released_numbers(plan, aggregate, known.answer))
        if not number:
            raise UnsupportedError(
                f"dp.error is {short(100 * share)} %, but {aggregate.label} was 0 before",
                hint="SET dp.error to a number, as in 100.",
                rule="error-share",
            )
        limit = share * number
        found[place] = reach if limit < reach <= limit * _NEARLY else limit
    return found


def _excess(plan: Plan | None, allowed: list[dict[int, Fraction]]) -> Fraction:
    """How many times farther than allowed the noise goes, of the number for which that is most."""
    blocks = [] if plan is None else [block.plan for block in all_blocks(plan.blocks) if has_noise(block.plan)]
    found = []
    for block, limits in zip(blocks, allowed, strict=True):
        for place, limit in limits.items():
            aggregate = block.aggregates[place]
            reach = aggregate.reach(block) if isinstance(aggregate, OfKnownWidth) else None
            if reach is None:
                raise _unknown(aggregate.label)
            found.append(reach / limit)
    return max(found)


def _told(plan: BlockPlan, limits: dict[int, Fraction], share: Fraction) -> str:
    of = "of the median group before" if plan.keys else "of the number before"
    widths = ", ".join(f"{plan.aggregates[place].label} ±{short(limit)}" for place, limit in limits.items())
    return f"dp.error: {short(100 * share)} % {of}: {widths}"


def _unknown(label: str) -> UnsupportedError:
    return UnsupportedError(
        f"dp.error cannot be a share for {label}",
        detail="Only the noise of counts, and of sums between bounds, is known before the data are read; of totals it "
        "differs from level to level.",
        hint="RESET dp.error; and SET dp.epsilon instead.",
        rule="error-unknown",
    )


def _too_small(share: Fraction, epsilon: Fraction, excess: Fraction) -> InvalidSettingError:
    best = rounded_up(100 * share * excess)
    return InvalidSettingError(
        f"dp.error is {short(100 * share)} %, but the noise of this query is {short(best)} % at best",
        detail=f"The policy allows at most epsilon {short(epsilon)} here.",
        hint=f"SET dp.error = '{short(best)} %';",
        rule="error-limit",
    )
