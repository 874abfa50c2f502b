"""An answer at several precisions: the mean of what was measured, and a reader's own part of a measurement (theorem
23). Nothing here sees exact numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from proxy.budget.stored_answer import StoredAnswer
from proxy.dp.conversion import QUANTUM
from proxy.dp.exact import floor_to
from proxy.dp.mechanisms import GaussianMechanism
from proxy.dp.precision import MOST_NUMBERS, added_variance, can_coarsen, mean, weight_of_last
from proxy.sql.planning.plan import BlockPlan

Measured = tuple[Fraction, StoredAnswer]
"""The ρ of a measurement, and its numbers."""


def mean_answer(measured: Sequence[Measured]) -> StoredAnswer:
    """The mean of measurements of the same groups, each weighted by its ρ.

    Raises:
        ValueError: none, or they have different groups.
    """
    (_, first), *others = measured
    if any(other.keys != first.keys for _, other in others):
        raise ValueError("measurements of one question have the same groups")
    if not others:
        return first
    rows = zip(*(answer.values for _, answer in measured), strict=True)
    weights = [rho for rho, _ in measured]
    return replace(first, values=tuple(tuple(mean(list(zip(weights, row, strict=True)))) for row in rows))


def mean_by_number(weighted: Sequence[tuple[Sequence[Fraction], StoredAnswer]]) -> StoredAnswer:
    """The mean of answers for the same groups, of which each number of a group has a weight of its own (theorem 25).
    It tells what each of them is worth.

    Args:
        weighted: each answer with the ρ that each of its numbers is worth, its weight; 0 for those that it does not
            have. Each number has some.

    Raises:
        ValueError: they have different groups.
    """
    (_, first), *others = weighted
    if any(other.keys != first.keys for _, other in others):
        raise ValueError("parts of one question have the same groups")
    columns = []
    for index in range(len(weighted[0][0])):
        known = [(weights[index], answer) for weights, answer in weighted if weights[index]]
        columns.append(mean([(weight, [row[index] for row in answer.values]) for weight, answer in known]))
    worths = tuple(floor_to(sum(each, Fraction(0)), QUANTUM) for each in zip(*(w for w, _ in weighted), strict=True))
    told = worths if len(set(worths)) > 1 else ()
    return StoredAnswer(first.keys, tuple(zip(*columns, strict=True)), worths=told)


def can_be_coarse(plan: BlockPlan, measured: Fraction, rho: Fraction, groups: int) -> bool:
    """May a reader see a measurement as if it had been made for less, as far as the proof goes?

    Args:
        plan: the block's plan, refinable.
        measured: the ρ of the measurement.
        rho: the ρ that it shall be worth.
        groups: of the answer.
    """
    noise = [mechanism for level in _noise(plan.at_rho(measured)).values() for mechanism in level]
    few = groups * max(len(plan.statistics), 1) <= MOST_NUMBERS
    return few and all(can_coarsen(mechanism, rho / measured) for mechanism in noise)


def coarse_answer(plan: BlockPlan, measurement: Measured, seen: Measured | None, rho: Fraction) -> StoredAnswer:
    """What a reader sees of a measurement that is worth more than was paid.

    Args:
        plan: the block's plan, refinable.
        measurement: the measurement.
        seen: what the reader has seen of it so far, and the ρ that this is worth; None for nothing.
        rho: what the answer, together with it, is worth.
    """
    measured, answer = measurement
    before, earlier = (Fraction(0), answer) if seen is None else (seen[0] / measured, seen[1])
    share, noise = rho / measured, _noise(plan.at_rho(measured))
    rows = [list(row) for row in answer.values]
    for grouping, mechanisms in noise.items():
        places = [place for place, key in enumerate(answer.keys) if not grouping or key[0] == grouping]
        for index, mechanism in enumerate(mechanisms):
            own = GaussianMechanism(1, 1 / (2 * added_variance(mechanism, before, share)))
            fresh = own.release([answer.values[place][index] for place in places])
            weight = weight_of_last(mechanism, before, share)
            for place, number in zip(places, fresh, strict=True):
                rows[place][index] = round(weight * number + (1 - weight) * earlier.values[place][index])
    return replace(answer, values=tuple(map(tuple, rows)))


def _noise(plan: BlockPlan) -> dict[str, tuple[GaussianMechanism, ...]]:
    """The noise of each statistic by grouping set; "" for plain keys."""
    levels = {level.grouping: level.mechanisms for level in plan.levels.measured} if plan.levels is not None else {}
    found = levels or {"": plan.mechanisms}
    return {
        grouping: tuple(mechanism for mechanism in mechanisms if isinstance(mechanism, GaussianMechanism))
        for grouping, mechanisms in found.items()
    }
