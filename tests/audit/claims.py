"""What a plan claims of its exact numbers, and whether two source queries keep to it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from proxy.dp.accounting import Price
from proxy.sql.planning.group_keys import canonical_key
from proxy.sql.planning.plan import BlockPlan
from proxy.sql.source_queries.exact_sums import ExactResults
from tests.attacks.test_histogram_sensitivity import distance
from tests.attacks.test_sensitivity import assert_units_counted_once, assert_within, at_every_threshold, moved
from tests.attacks.test_totals_sensitivity import level_movements


def claims_broken(plan: BlockPlan, smaller: ExactResults, whole: ExactResults) -> Iterator[str]:
    """What moves by more than its noise is made for when a unit comes.

    Args:
        plan: of both source queries.
        smaller: without the unit.
        whole: with it.
    """
    for clipped in at_every_threshold(plan):
        yield from _sums_broken(clipped, _clipped(clipped, smaller), _clipped(clipped, whole))
    if not _holds(assert_units_counted_once, whole, smaller):
        yield "the unit is in several buckets of a norm, or moves others to another one"
    groups = moved(plan, _clipped(plan.clipped_least, whole), _clipped(plan.clipped_least, smaller))
    for index in range(len(plan.choices)):
        if not _holds(_assert_histograms_within, plan, index, smaller, whole):
            yield f"histogram {index} moves by more than a unit may weigh, or loses some when a unit comes"
    if plan.selection is not None:
        weights = [weight for _, weight in groups.values()]
        if not _holds(assert_within, plan.selection.mechanism, weights):
            yield f"weights of keys move by {_sizes(weights)} cells, claimed {plan.selection.mechanism}"
        if sum(weight != 0 for weight in weights) > plan.selection.max_groups:
            yield f"{sum(weight != 0 for weight in weights)} groups get weight, claimed {plan.selection.max_groups}"
        yield from _respelled(plan, smaller, whole)


def _clipped(plan: BlockPlan, measured: ExactResults) -> ExactResults:
    """The results with the sums under the plan's thresholds."""
    return replace(measured, sums=measured.clipped(plan))


def _sums_broken(plan: BlockPlan, smaller: ExactResults, whole: ExactResults) -> Iterator[str]:
    groups = moved(plan, whole, smaller)
    if plan.levels is None:
        for index, mechanism in enumerate(plan.mechanisms):
            distances = [cells[index] for cells, _ in groups.values()]
            if not _holds(assert_within, mechanism, distances):
                yield f"statistic {index} moves by {_sizes(distances)} cells, claimed {mechanism}"
    else:
        for level, totals in zip(plan.levels.measured, level_movements(plan, whole, smaller), strict=True):
            for index, (mechanism, distances) in enumerate(zip(level.mechanisms, totals, strict=True)):
                if not _holds(assert_within, mechanism, distances):
                    yield f"statistic {index} of level {level.grouping} moves by {_sizes(distances)} cells, claimed {mechanism}"


def _respelled(plan: BlockPlan, smaller: ExactResults, whole: ExactResults) -> Iterator[str]:
    """A selected group shows its key as the source spells it: the same one, whoever is there."""
    types = [key.term.type for key in plan.keys]
    texts = {canonical_key(key, types): key for key in smaller.keys}
    for key in whole.keys:
        known = texts.get(canonical_key(key, types), key)
        if known != key:
            yield f"a group's key is {known!r:.200} without the unit, {key!r:.200} with it"


def price_broken(plan: BlockPlan) -> Iterator[str]:
    """Is the block cheaper than its parts?"""
    levels = plan.levels.measured if plan.levels is not None else ()
    mechanisms = [mechanism for level in levels for mechanism in level.mechanisms] or list(plan.mechanisms)
    paid = (*mechanisms, *plan.choosing, *plan.threshold_choices)
    parts = sum((mechanism.price for mechanism in paid), Price.zero())
    if plan.selection is not None:
        parts += plan.selection.price
    if parts.rho > plan.price.rho or parts.delta > plan.price.delta:
        yield f"the parts of the block cost {parts}, it says {plan.price}"
    if plan.price.epsilon is not None and (parts.epsilon is None or parts.epsilon > plan.price.epsilon):
        yield f"the parts of the block cost {parts}, it says {plan.price}"


def _assert_histograms_within(plan: BlockPlan, index: int, smaller: ExactResults, whole: ExactResults) -> None:
    """At every limit, if the data choose one."""
    for known in at_every_threshold(plan):
        moved = distance(known, index, whole.weighted(known), smaller.weighted(known))
        assert moved <= known.choosing[index].sensitivity


def _holds(check: Callable[..., None], *arguments: object) -> bool:
    """Does an assertion of the tests of sensitivity hold?"""
    try:
        check(*arguments)
    except AssertionError:
        return False
    return True


def _sizes(distances: list[int]) -> str:
    total, squares = sum(map(abs, distances)), sum(distance**2 for distance in distances)
    return f"{total} (squares: {squares}) in {sum(distance != 0 for distance in distances)} groups"
