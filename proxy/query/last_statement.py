"""dp.last: what the session's last statement released, how exact that is, and what it cost."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from decimal import Decimal
from fractions import Fraction

from proxy.query import notices
from proxy.query.clipping_report import clipping_text
from proxy.query.limits import account_limit
from proxy.query.releasing import Released
from proxy.release.clipping import lost_shares
from proxy.release.noisy_answers import empty_groups
from proxy.sql.planning.accuracy import choice_error, choice_scarcity
from proxy.sql.planning.aggregates.aggregate import Aggregate, OfKnownWidth
from proxy.sql.planning.aggregates.chosen_value import ChosenValue
from proxy.sql.planning.plan import BlockPlan
from proxy.sql.staging.interval_columns import share_left_out


@dataclass(frozen=True)
class ReleasedBlock:
    """A block of the last statement.

    Attributes:
        hash: of its question.
        plan: how it was measured, once it is known how much of a unit counts.
        released: its answer.
    """

    hash: str
    plan: BlockPlan
    released: Released
    _empty: list[int] = field(init=False, default_factory=list, repr=False, compare=False)

    @property
    def empty_groups(self) -> int:
        """How many of its groups look empty; counted once, since most answers are shown again."""
        if not self._empty:
            self._empty.append(empty_groups(self.plan, self.released.answer))
        return self._empty[0]


_HOW = {"new": "new", "recalled": "recalled", "listed": "free"}


def last_rows(blocks: Sequence[ReleasedBlock], paid_at: Mapping[str, datetime]) -> list[tuple[str | None, ...]]:
    """Rows of dp.last: one for each aggregate of each block, in the order in which they were released.

    Args:
        blocks: of the statement.
        paid_at: when the analyst was charged for a question, by its hash, for display.
    """
    rows = []
    for number, block in enumerate(blocks, start=1):
        for result in _results(block) or [(None,) * 5]:
            rows.append((str(number), *_of_block(block, paid_at.get(block.hash)), *result))
    return rows


def _of_block(block: ReleasedBlock, paid_at: datetime | None) -> tuple[str | None, ...]:
    plan, released = block.plan, block.released
    price = released.price
    shares = [account_limit(account).share_of(price) for account in plan.accounts]
    return (
        notices.charge_label(plan),
        _HOW[released.how],
        readable(plan.guarantee.epsilon) if plan.asks_source else None,
        readable(price.rho),
        readable(price.delta),
        f"{float(100 * max(shares, default=0)):.3g}",
        None if paid_at is None else paid_at.isoformat(),
        str(len(released.answer.keys)),
    )


def _results(block: ReleasedBlock) -> list[tuple[str | None, ...]]:
    answer = block.released.answer
    plan = block.plan.clipped_at(answer.thresholds)
    lost, clipping = lost_shares(plan, answer), clipping_text(plan, answer) or None
    found: list[tuple[str | None, ...]] = []
    for aggregate in plan.aggregates:
        share = share_left_out(plan, aggregate, lost)
        reach, noise = _noise(plan, aggregate)
        told = None if share is None else repr(share)
        found.append((aggregate.label, None if reach is None else f"{float(reach):.15g}", noise, told, clipping))
    return found


def _noise(plan: BlockPlan, aggregate: Aggregate) -> tuple[Fraction | None, str | None]:
    """How far 95 % of the noise of an aggregate goes at most, as a number if that is the same in all groups, and in
    words."""
    if isinstance(aggregate, ChosenValue):
        return None, choice_error(plan, aggregate.choice) + choice_scarcity(plan, aggregate.choice)
    if not isinstance(aggregate, OfKnownWidth):
        return None, None
    plans = [plan]
    if plan.levels is not None:
        plans = [replace(plan, mechanisms=level.mechanisms, levels=None) for level in plan.levels.measured]
    reaches = [reach for at_level in plans if (reach := aggregate.reach(at_level)) is not None]
    widths = dict.fromkeys(width for at_level in plans if (width := aggregate.within(at_level)))
    return max(reaches, default=None), ", in totals ".join(widths) or None


def readable(value: Fraction) -> str:
    """Twelve significant digits, for reading; decisions use the ledger's exact amounts."""
    return format(Decimal(f"{float(value):.12g}"), "f")
