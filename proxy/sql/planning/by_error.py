"""dp.error: a block at the least epsilon whose noise stays within a number, from text, policy and settings alone.

The noise of counts and of sums between bounds is known before any data are read. That of an average depends on its
rows, and that of a block that chooses from the data how much of a unit counts on the choice: both are refused.
"""

from __future__ import annotations

import decimal
from collections.abc import Callable
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
from proxy.sql.replacing import replace

_UP = decimal.Context(prec=3, rounding=decimal.ROUND_UP)


class EpsilonSearch:
    """Looks for the least epsilon of three digits with which noise goes no farther than it may.

    Noise is nearly in proportion to 1 / epsilon, but shown in whole rows: the first guesses are close, and what is left
    is halved.

    Args:
        least, most: what the policy allows.
    """

    def __init__(self, least: Fraction, most: Fraction) -> None:
        self.best: Fraction | None = None
        self._least, self._most = least, most
        self._failed = Fraction(0)

    def first(self, epsilon: Fraction, excess: Fraction) -> Fraction:
        """The first guess, from how many times too far noise goes at another epsilon."""
        return self._allowed(epsilon * (excess or Fraction(1, 2)))

    def after(self, epsilon: Fraction, excess: Fraction) -> Fraction | None:
        """The next guess, from how many times too far noise goes at the last one; None at the end."""
        if excess <= 1:
            self.best = epsilon
        else:
            self._failed = epsilon
        guess = epsilon * (max(excess, _LEAST_STEP) if excess > 1 else excess)
        if self.best is not None and not self._failed < guess < self.best:
            guess = (self._failed + self.best) / 2
        found = self._allowed(guess)
        return None if found == epsilon or (self.best is not None and found >= self.best) else found

    def _allowed(self, epsilon: Fraction) -> Fraction:
        return min(max(rounded_up(epsilon), self._least), self._most)


_LEAST_STEP = Fraction(21, 20)


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
    search = EpsilonSearch(pricing.least_epsilon(tables), pricing.most_epsilon(tables))
    epsilon: Fraction | None = search.first(plan.guarantee.epsilon, widest(plan, select) / error)
    best: BlockPlan | None = None
    while epsilon is not None:
        plan = plan_at(replace(settings, epsilon=epsilon))
        width = widest(plan, select)
        best = plan if width <= error else best
        epsilon = search.after(epsilon, width / error)
    if best is None:
        raise _too_small(error, plan.guarantee.epsilon, width)
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


def rounded_up(epsilon: Fraction) -> Fraction:
    """To three digits."""
    return Fraction(_UP.divide(Decimal(epsilon.numerator), Decimal(epsilon.denominator)))


def _too_small(error: Fraction, epsilon: Fraction, width: Fraction) -> InvalidSettingError:
    return InvalidSettingError(
        f"dp.error is {short(error)}, but the noise of this query is ±{short(width)} at best",
        detail=f"The policy allows at most epsilon {short(epsilon)} here.",
        hint=f"SET dp.error = {float(_UP.divide(Decimal(width.numerator), Decimal(width.denominator))):g};",
        rule="error-limit",
    )
