"""The private choice of how much of a unit counts, and what it tells about the answer (theorem 22)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from proxy.budget.stored_answer import StoredAnswer
from proxy.dp.clipping import FURTHER, NUMBERS, GroupLosses, Told, far_bucket, largest_loss
from proxy.dp.noise import IntegerArray
from proxy.sql.planning.aggregates.aggregate import Aggregate
from proxy.sql.planning.clipping import Clipping
from proxy.sql.planning.limits import error_share
from proxy.sql.planning.plan import BlockPlan
from proxy.sql.planning.statistic import GridSum, RowCount, Statistic, UnitCount
from proxy.sql.source_queries.exact_sums import ExactResults

RATIO = 4
"""How much more noise counts, against clipping, where only ratios are made of the numbers: 0.96 to 0.97 times the
error of the best thresholds in hindsight where the values of all units are alike. Where they are not, less would be
better: 1.5 has four fifths of the error in six averages of flights by aircraft."""


@dataclass(frozen=True)
class Chosen:
    """What was chosen for the norms of a block.

    Attributes:
        thresholds: for each norm and limit the index of its threshold.
        told: for each choice, what is told about it, in cells.
    """

    thresholds: tuple[int, ...] = ()
    told: tuple[tuple[int, ...], ...] = ()


def choose_thresholds(
    plan: BlockPlan, units: Sequence[Sequence[int]], noise: Sequence[IntegerArray], groups: int
) -> Chosen:
    """Choose the threshold of each norm, and the limit of each choice.

    Args:
        plan: the block's plan.
        units: for each norm and limit, the exact number of units in each bucket.
        noise: `ThresholdChoice.draw` of each choice.
        groups: the number of groups that are released; public by now.
    """
    of_sums = len(plan.clipping.norms) if plan.clipping is not None else 0
    thresholds, told, drawn = [], [], iter(noise)
    for number, (norm, counts) in enumerate(zip(plan.norms, units, strict=True)):
        if norm.choice is None:
            thresholds.append(0)
            continue
        share = _limit_share(plan, number - of_sums) if number >= of_sums else noise_share(plan, number)
        index = norm.choice.choose(counts, share, groups)
        thresholds.append(index)
        told.append(norm.choice.tell(counts, index, next(drawn)[:NUMBERS]).numbers)
    return Chosen(tuple(thresholds), tuple(told))


def with_losses(
    plan: BlockPlan,
    answer: StoredAnswer,
    results: ExactResults,
    noise: Sequence[IntegerArray],
    places: Sequence[int | None],
) -> StoredAnswer:
    """The answer with what is lost in its groups, where norms are over several (theorem 22).

    Args:
        plan: the block's plan.
        answer: what is released so far.
        results: the exact results.
        noise: `ThresholdChoice.draw` of each choice.
        places: of the answer's groups in the results; None for those without rows.
    """
    chosen = [(number, norm.choice) for number, norm in enumerate(plan.norms) if norm.choice is not None]
    found = [place for place in places if place is not None]
    told = []
    for (number, choice), numbers, drawn in zip(chosen, answer.told, noise, strict=True):
        statistic = shown_by(plan, number) if choice.over_groups else None
        if statistic is None or results.by_norm is None:
            told.append(numbers)
            continue
        index, (far, losses) = answer.thresholds[number], _losses(plan, answer, number, statistic)
        lost = results.by_norm.lost(plan, statistic, found, index)
        shares = [each / losses.largest for each in lost]
        told.append((*numbers, *choice.tell_losses(results.units[number], index, far, shares, drawn[NUMBERS:])))
    return replace(answer, told=tuple(told))


def _limit_share(plan: BlockPlan, number: int) -> float:
    """How many rows a choice is usually off, as a share of its limit, of the limit with this number."""
    limited = [mechanism for mechanism, limit in zip(plan.choosing, plan.limits, strict=True) if limit is not None]
    return error_share(limited[number])


def shown_by(plan: BlockPlan, norm: int) -> int | None:
    """The statistic whose sums tell what units lose that exceed a norm, in the steps of the norm; None if none does."""
    clipping = plan.clipping
    if clipping is None or norm >= len(clipping.norms):
        return None
    of = clipping.norms[norm].of
    if isinstance(of, int):
        return of
    counts = [
        index
        for index, statistic in enumerate(plan.statistics)
        if clipping.norm_of[index] == norm and isinstance(statistic, (RowCount, UnitCount))
    ]
    return min(counts, key=lambda index: not _counts_all(plan.statistics[index]), default=None)


def _counts_all(statistic: Statistic) -> bool:
    return isinstance(statistic, (RowCount, UnitCount)) and statistic.counts_all


def _losses(plan: BlockPlan, answer: StoredAnswer, norm: int, statistic: int) -> tuple[int, GroupLosses]:
    """Up to which bucket the fifth number about a norm tells losses of a statistic, and what it is about."""
    choice = plan.norms[norm].choice
    assert choice is not None
    index, groups = answer.thresholds[norm], len(answer.keys)
    whole = not isinstance(plan.statistics[statistic], GridSum)
    per_step = plan.clipped_at(answer.thresholds).cells_per_step(statistic)
    kept = sum(values[statistic] for values in answer.values) / per_step
    last, deviation = plan.norms[norm].thresholds - 1, choice.told.standard_deviation
    far = far_bucket(index, last, groups, whole=whole, deviation=deviation, kept=kept)
    return far, GroupLosses(kept, largest_loss(index, far, groups, whole=whole))


def noise_share(plan: BlockPlan, norm: int) -> float:
    """The noise of a number under this norm as a share of the threshold; of the finest groups, if there are totals.

    It counts for more where only ratios are made of the numbers under this norm and under those of the ratios' other
    parts: what clipping takes from both parts of a quotient hardly changes it, but noise does.
    """
    clipping = plan.clipping
    if clipping is None:
        raise AssertionError("norms are of sums whose bounds the data choose")
    members = [index for index, of in enumerate(clipping.norm_of) if of == norm]
    share = min(
        plan.mechanisms[index].standard_deviation / clipping.sensitivity(index, plan.statistics[index].reach)
        for index in members
    )
    return share * RATIO if all(aggregate.is_ratio for aggregate in _linked(plan, clipping, norm)) else share


def _linked(plan: BlockPlan, clipping: Clipping, norm: int) -> list[Aggregate]:
    """The aggregates that use a norm, and those that use another norm of one of these."""
    norms_of = [{clipping.norm_of[index] for index in aggregate.statistics} for aggregate in plan.aggregates]
    linked = set().union(*(norms for norms in norms_of if norm in norms))
    return [aggregate for aggregate, norms in zip(plan.aggregates, norms_of, strict=True) if norms & linked]


def lost_shares(plan: BlockPlan, answer: StoredAnswer) -> list[float | None]:
    """For each of `plan.norms` which share of contributions does not count, about or at most (post-processing): 0 where
    hardly anything is lost, None where that cannot be told, from so few units at this price or so far above the
    threshold."""
    told = dict(told_of(plan, answer))
    return [_lost(told[place]) if place in told else 0.0 for place in range(len(plan.norms))]


def _lost(told: Told) -> float | None:
    if told.is_some:
        return None if told.is_unknown else told.share_lost
    return 0.0 if told.is_nothing else None


def told_of(plan: BlockPlan, answer: StoredAnswer) -> list[tuple[int, Told]]:
    """What an answer tells of each of `plan.norms` with a choice, by its place among them (post-processing)."""
    chosen = [(place, norm.choice) for place, norm in enumerate(plan.norms) if norm.choice is not None]
    return [
        (place, Told(numbers, choice.told.standard_deviation, _told_losses(plan, answer, place, numbers)))
        for (place, choice), numbers in zip(chosen, answer.told, strict=True)
    ]


def _told_losses(plan: BlockPlan, answer: StoredAnswer, norm: int, numbers: Sequence[int]) -> GroupLosses | None:
    """What the fifth number about a norm is about; None without it."""
    statistic = shown_by(plan, norm) if len(numbers) == NUMBERS + FURTHER else None
    return _losses(plan, answer, norm, statistic)[1] if statistic is not None else None
