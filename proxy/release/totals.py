"""The levels of a block with several grouping sets: from the finest groups to totals, and back to numbers that add up.

A stored answer has the noisy numbers of every level as they were released; everything that is done to show them
(`consistent_values`) is post-processing, so `dp.consistency` switches between two views of one paid answer.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from proxy.budget.stored_answer import StoredAnswer
from proxy.dp.consistency import Level, consistent
from proxy.dp.mechanisms import Mechanism
from proxy.dp.stock import Stock
from proxy.errors import UnsupportedError
from proxy.sql.planning.group_keys import KeyRow
from proxy.sql.planning.levels import Levels
from proxy.sql.planning.plan import BlockPlan
from proxy.sql.planning.statistic import GridSum, Statistic

Values = list[tuple[int, ...]]

_LEAST_VARIANCE = 1e-9
"""The variance used for noise so small that it is never drawn: in floating point it would be 0."""

MOST_WORK = 5_000_000
"""Groups times statistics times the square of the grouping sets. The time of the fit is about proportional to it (more
levels overlap more, and the solver needs more steps): a second or two."""


@dataclass(frozen=True, eq=False)
class Groups:
    """The groups of one level.

    Attributes:
        keys: of each group; None where rolled up.
        group_of_finest: for each finest group, the index of the group of this level that it belongs to.
    """

    keys: list[KeyRow]
    group_of_finest: NDArray[np.intp]


def check_size(plan: BlockPlan, finest: int) -> None:
    """Refuse totals that would take too long to make consistent; called before anything is charged.

    Args:
        plan: the block's plan.
        finest: the number of its finest groups.

    Raises:
        UnsupportedError: more than MOST_WORK.
    """
    if plan.levels is None:
        return
    sets, numbers = len(plan.levels.shown), max(len(plan.statistics), 1)
    if finest * numbers * sets**2 > MOST_WORK:
        raise UnsupportedError(
            "these grouping sets have too many groups to be made consistent",
            detail=f"{finest} declared groups times {numbers} noisy numbers of each times the square of {sets} "
            f"grouping sets may be at most {MOST_WORK}.",
            hint="Request fewer grouping sets, keys or aggregates, or narrow the keys in WHERE.",
            rule="too-many-keys",
        )


def groups_of_levels(
    levels: Levels, finest: Sequence[KeyRow], canonical: Sequence[tuple[Hashable, ...]]
) -> list[Groups]:
    """The groups of each level, in an order that follows from that of the finest groups alone.

    The grand total is a group even where no keys are declared, as in Postgres.

    Args:
        levels: the finest first.
        finest: keys of the finest groups.
        canonical: the same keys in a form that is equal for equal values.
    """
    found = [Groups(list(finest), np.arange(len(finest), dtype=np.intp))]
    for level in levels.measured[1:]:
        kept = [position for position, digit in enumerate(level.grouping) if digit == "0"]
        numbers: dict[tuple[Hashable, ...], int] = {} if kept else {(): 0}
        members = [numbers.setdefault(tuple(key[position] for position in kept), len(numbers)) for key in canonical]
        keys: list[KeyRow] = [(None,) * len(level.grouping)] * len(numbers)
        for key, member in zip(finest, members, strict=True):
            keys[member] = tuple(
                part if digit == "0" else None for part, digit in zip(key, level.grouping, strict=True)
            )
        found.append(Groups(keys, np.array(members, dtype=np.intp)))
    return found


def release_levels(
    levels: Levels,
    finest: Sequence[KeyRow],
    canonical: Sequence[tuple[Hashable, ...]],
    exact: Values,
    noise: Sequence[Sequence[Stock]],
) -> StoredAnswer:
    """Add noise to the finest groups' exact sums and, independently, to each level's totals of the exact sums.

    Args:
        levels: the finest first.
        finest: keys of the finest groups.
        canonical: the same keys in a form that is equal for equal values.
        exact: sums of the finest groups.
        noise: for each level, that of each statistic.

    Returns:
        The levels one after the other; each group's keys are preceded by the level's `grouping`.
    """
    keys: list[KeyRow] = []
    values: Values = []
    found = groups_of_levels(levels, finest, canonical)
    for level, groups, stocks in zip(levels.measured, found, noise, strict=True):
        columns = []
        for index, (mechanism, stock) in enumerate(zip(level.mechanisms, stocks, strict=True)):
            totals = [0] * len(groups.keys)
            for member, sums in zip(groups.group_of_finest.tolist(), exact, strict=True):
                totals[member] += sums[index]
            columns.append(mechanism.release(totals, stock.take(len(totals))))
        keys.extend((level.grouping, *key) for key in groups.keys)
        values.extend(zip(*columns, strict=True) if columns else [() for _ in groups.keys])
    return StoredAnswer(tuple(keys), tuple(values))


def finest_groups(levels: Levels, answer: StoredAnswer) -> list[KeyRow]:
    """The keys of the finest groups of an answer made by `release_levels`."""
    finest = levels.measured[0].grouping
    return [key[1:] for key in answer.keys if key[0] == finest]


def values_by_level(groups: Sequence[Groups], answer: StoredAnswer) -> list[Values]:
    """The noisy numbers of each level's groups, as they were released."""
    values, position = [], 0
    for level in groups:
        values.append(list(answer.values[position : position + len(level.keys)]))
        position += len(level.keys)
    return values


def consistent_values(
    plan: BlockPlan, levels: Levels, groups: Sequence[Groups], released: Sequence[Values]
) -> list[Values]:
    """Numbers near the released ones that add up over the levels, for each statistic separately (`dp.consistency`).

    Counts, and sums of values that are never negative, become 0 or more. All are multiples of a whole contribution, to
    which numbers are rounded when they are shown.
    """
    if not levels.has_totals or not groups[0].keys:
        return list(released)
    columns = []
    for index, statistic in enumerate(plan.statistics):
        fitted = [
            Level(
                np.array([row[index] for row in rows], dtype=object),
                _variance(level.mechanisms[index]),
                group.group_of_finest,
            )
            for level, group, rows in zip(levels.measured, groups, released, strict=True)
        ]
        numbers = consistent(
            [*fitted[1:], fitted[0]], plan.cells_per_step(index), non_negative=_is_non_negative(statistic)
        )
        columns.append([numbers[-1].tolist(), *(totals.tolist() for totals in numbers[:-1])])
    if not columns:
        return list(released)
    return [list(zip(*level, strict=True)) for level in zip(*columns, strict=True)]


def _variance(mechanism: Mechanism) -> float:
    return max(mechanism.standard_deviation**2, _LEAST_VARIANCE)


def _is_non_negative(statistic: Statistic) -> bool:
    return not isinstance(statistic, GridSum) or (statistic.grid.low >= 0 and not statistic.grid.centre)


def groups_to_hide(levels: Levels, groups: Sequence[Groups], empty: Sequence[Sequence[bool]]) -> list[list[bool]]:
    """Which groups of each level may be hidden: those that look empty, unless a part of them is requested and shown."""
    hidden = [list(flags) for flags in empty]
    for finer in sorted(set(levels.shown)):
        for coarser in set(levels.shown) - {finer}:
            if not _is_part(levels.measured[finer].grouping, levels.measured[coarser].grouping):
                continue
            pairs = zip(groups[finer].group_of_finest.tolist(), groups[coarser].group_of_finest.tolist(), strict=True)
            for part, total in set(pairs):
                if not empty[finer][part]:
                    hidden[coarser][total] = False
    return hidden


def _is_part(finer: str, coarser: str) -> bool:
    return all(fine <= coarse for fine, coarse in zip(finer, coarser, strict=True))
