"""From exact sums to what may be shown: noise, key selection, rounding (decision 2)."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import islice

from proxy.budget.stored_answer import StoredAnswer
from proxy.dp.clipping import FURTHER, NUMBERS
from proxy.dp.mechanisms import Mechanism
from proxy.release import totals
from proxy.release.chosen_values import choose
from proxy.release.clipping import choose_thresholds, lost_shares, with_losses
from proxy.release.drawn import Drawn, draw
from proxy.sql.planning.aggregates.aggregate import Estimate
from proxy.sql.planning.choices import ValueCountChoice, counted_rows
from proxy.sql.planning.group_keys import KeyRow, canonical_key, canonical_keys
from proxy.sql.planning.levels import Levels
from proxy.sql.planning.plan import BlockPlan
from proxy.sql.planning.statistic import DistinctCount, GridSum, RowCount, UnitCount
from proxy.sql.source_queries.exact_sums import ExactResults
from proxy.sql.staging.staged import ReleasedRows
from proxy.sql.terms.types import SqlType


def release(
    plan: BlockPlan,
    results: ExactResults,
    domain: Sequence[KeyRow],
    drawn: Drawn,
    candidates: Sequence[Sequence[KeyRow]] = (),
) -> StoredAnswer:
    """Add noise to the results of a source query, and choose. This is the only way from the source to an answer.

    Args:
        plan: the block's plan, whose mechanisms add the noise.
        results: the exact sums.
        domain: the declared keys, all of which are answered; empty where keys are selected or there are none.
        drawn: the noise, drawn before the source query and for this release alone.
        candidates: for each choice, the declared values that it is about; empty for buckets.

    Returns:
        Keys, noisy sums in cells, chosen values, and how much of a unit counts. Groups outside the domain, or below the
            threshold of selection, are absent. With several grouping sets, every level with its own noise.
    """
    groups = _groups(plan, results, domain, drawn)
    keys = [key for key, _ in groups]
    choice = choose_thresholds(plan, results.units, drawn.told, len(keys))
    clipped = plan.clipped_at(choice.thresholds)
    sums, nothing = results.clipped(clipped), (0,) * len(plan.statistics)
    exact = [sums[place] if place is not None else nothing for _, place in groups]
    if plan.levels is not None:
        canonical = canonical_keys(_key_types(plan), keys)
        released = totals.release_levels(plan.levels, keys, canonical, exact, drawn.numbers)
        return replace(released, thresholds=choice.thresholds, told=choice.told)
    (stocks,) = drawn.numbers
    columns = [
        mechanism.release([row[index] for row in exact], stock.take(len(exact)))
        for index, (mechanism, stock) in enumerate(zip(plan.mechanisms, stocks, strict=True))
    ]
    values = tuple(zip(*columns, strict=True)) if columns else tuple(() for _ in keys)
    chosen = choose(clipped, results.weighted(clipped), keys, candidates)
    answer = StoredAnswer(tuple(keys), values, chosen, choice.thresholds, choice.told)
    return with_losses(plan, answer, results, drawn.told, [place for _, place in groups])


def answered_keys(plan: BlockPlan, domain: Sequence[KeyRow]) -> tuple[KeyRow, ...]:
    """The keys of the answer to a block whose keys are declared, as `release` orders them.

    Args:
        plan: the block's plan, without selected keys.
        domain: the declared keys.
    """
    keys = [key for key, _ in _groups(plan, ExactResults([], [], []), domain, Drawn((), None))]
    if plan.levels is None:
        return tuple(keys)
    found = totals.groups_of_levels(plan.levels, keys, canonical_keys(_key_types(plan), keys))
    return tuple(
        (level.grouping, *key) for level, groups in zip(plan.levels.measured, found, strict=True) for key in groups.keys
    )


def listed(plan: BlockPlan, domain: Sequence[KeyRow]) -> StoredAnswer:
    """The declared keys alone, for a block that asks the source nothing."""
    return release(plan, ExactResults([], [], []), domain, draw(plan, domain))


def without_groups(plan: BlockPlan) -> StoredAnswer:
    """The answer of a block none of whose declared keys meets its conditions: nothing is asked, and nothing told."""
    choices = [norm.choice for norm in plan.norms if norm.choice is not None]
    told = tuple((0,) * (NUMBERS + FURTHER * choice.over_groups) for choice in choices)
    return StoredAnswer((), (), (), (0,) * len(plan.norms), told)


def _groups(
    plan: BlockPlan, results: ExactResults, domain: Sequence[KeyRow], drawn: Drawn
) -> list[tuple[KeyRow, int | None]]:
    """The groups to answer, with their places in the results (None for those without rows), in an order that does not
    come from the source."""
    if plan.domain is not None:
        types = _key_types(plan)
        found = {canonical_key(key, types): place for place, key in enumerate(results.keys)}
        # Each group once: rows would count twice where the stage prints two keys that the source takes as equal.
        declared: dict[tuple[Hashable, ...], KeyRow] = {}
        for key in domain:
            declared.setdefault(canonical_key(key, types), key)
        return [(key, found.get(group)) for group, key in declared.items()]
    if plan.selection is not None and drawn.selection is not None:
        chosen = plan.selection.select(results.weights, drawn.selection.take(len(results.weights)))
        groups = [(key, place) for place, (key, kept) in enumerate(zip(results.keys, chosen, strict=True)) if kept]
        return sorted(groups, key=lambda group: tuple((part is None, part or "") for part in group[0]))
    return [((), 0 if results.keys else None)]


def _key_types(plan: BlockPlan) -> list[SqlType]:
    return [key.term.type for key in plan.keys]


def rows_to_show(plan: BlockPlan, answer: StoredAnswer, *, hide_empty: bool, consistent: bool = True) -> ReleasedRows:
    """Make totals and parts consistent, and round to the grid; what is chosen where a count of its rows looks like zero
    is NULL, as an average is. If the session hides what looks empty, drop such groups, and let sums over nothing be
    NULL, as in Postgres (post-processing).

    A group looks empty if its number of rows or units is within two standard deviations of zero, or is rounded to zero,
    or is less.
    Where the block counts neither, each of its numbers has to look so, except those that only decide bool_and and
    bool_or, which say nothing about it. A group of a selected key has rows, so it is never empty. A sum is over nothing
    if its group looks empty, or if its own rows are counted and that count looks like zero; unless rows that an outer
    join keeps add 0 to it. A hidden group still counts in its totals, and the grand total always shows, as in Postgres.
    """
    if plan.levels is not None:
        return _levels_to_show(plan, plan.levels, answer, hide_empty=hide_empty, consistent=consistent)
    rows, empty = _shown(plan, answer.values, plan.mechanisms, hide_empty=hide_empty)
    chosen: Sequence[Sequence[str | None]] = answer.chosen or [()] * len(rows)
    if plan.choices:
        chosen = [_of_something(plan, *row) for row in zip(chosen, answer.values, empty, strict=True)]
    kept = [index for index, is_empty in enumerate(empty) if not (is_empty and hides_groups(plan))]
    return ReleasedRows(
        [answer.keys[index] for index in kept],
        [rows[index] for index in kept],
        [chosen[index] for index in kept],
        lost_shares(plan, answer),
    )


def _of_something(
    plan: BlockPlan, chosen: Sequence[str | None], values: Sequence[int], empty: bool
) -> Sequence[str | None]:
    """What is chosen in a group, with NULL where it has nothing to choose from, as far as rows are counted."""
    limits, shown = _nothing(plan, plan.mechanisms), list(chosen)
    first = 0
    for choice in plan.choices:
        index = counted_rows(choice, plan.statistics)
        of_nothing = empty or (index is not None and values[index] <= limits[index])
        if of_nothing and not isinstance(choice, ValueCountChoice):
            shown[first : first + choice.size] = [None] * choice.size
        first += choice.size
    return shown


def empty_groups(plan: BlockPlan, answer: StoredAnswer) -> int:
    """How many groups look empty and could be left out, as `rows_to_show` tells them; 0 for grouping sets."""
    deciding = _telling(plan)
    if plan.levels is not None or not hides_groups(plan) or not deciding:
        return 0
    limits = _nothing(plan, plan.mechanisms)
    flags = [_like_nothing(plan, row, limits) for row in answer.values]
    return sum(all(row[index] for index in deciding) for row in flags)


def first_shown(plan: BlockPlan, answer: StoredAnswer, most: int) -> StoredAnswer:
    """An answer with no more than its first groups, without those that look empty, where a session hides them.

    Args:
        plan: as it was answered.
        answer: its answer; unchanged if it has grouping sets, or nothing is hidden.
        most: groups that are shown; at most five times as many are looked at.
    """
    deciding = _telling(plan)
    if plan.levels is not None or not hides_groups(plan) or not deciding:
        return answer
    limits, shown = _nothing(plan, plan.mechanisms), list[int]()
    for index, row in enumerate(islice(answer.values, 5 * most)):
        flags = _like_nothing(plan, row, limits)
        if not all(flags[place] for place in deciding) and len(shown) < most:
            shown.append(index)
    return replace(
        answer,
        keys=tuple(answer.keys[index] for index in shown),
        values=tuple(answer.values[index] for index in shown),
        chosen=tuple(answer.chosen[index] for index in shown) if answer.chosen else (),
    )


def hides_groups(plan: BlockPlan) -> bool:
    """May groups that look empty be left out? Selected groups are not empty, and those of an outer join are kept."""
    return plan.domain is not None and not plan.keeps_empty


def _levels_to_show(
    plan: BlockPlan, levels: Levels, answer: StoredAnswer, *, hide_empty: bool, consistent: bool
) -> ReleasedRows:
    """The rows of every grouping set in the client's order, each preceded by its level's `grouping`."""
    finest = totals.finest_groups(levels, answer)
    groups = totals.groups_of_levels(levels, finest, canonical_keys(_key_types(plan), finest))
    values = totals.values_by_level(groups, answer)
    if consistent:
        values = totals.consistent_values(plan, levels, groups, values)
    shown = [
        _shown(plan, rows, level.mechanisms, hide_empty=hide_empty)
        for level, rows in zip(levels.measured, values, strict=True)
    ]
    hidden = totals.groups_to_hide(levels, groups, [empty for _, empty in shown])
    keys, statistics = [], []
    for index in levels.shown:
        grouping, rows = levels.measured[index].grouping, shown[index][0]
        for key, row, is_hidden in zip(groups[index].keys, rows, hidden[index], strict=True):
            if not is_hidden or "0" not in grouping or not hides_groups(plan):
                keys.append((grouping, *key))
                statistics.append(row)
    return ReleasedRows(keys, statistics, [()] * len(keys), lost_shares(plan, answer))


def _shown(
    plan: BlockPlan, values: Sequence[Sequence[int]], mechanisms: Sequence[Mechanism], *, hide_empty: bool
) -> tuple[list[tuple[Fraction | None, ...]], list[bool]]:
    """The rows as they are shown, and which of them look empty."""
    rows = [_rounded(plan, row) for row in values]
    deciding = _telling(plan)
    if not hide_empty or not deciding:
        return rows, [False] * len(rows)
    limits = _nothing(plan, mechanisms)
    nothing = [_like_nothing(plan, row, limits) for row in values]
    empty = [plan.selection is None and all(flags[index] for index in deciding) for flags in nothing]
    shown = [_with_nulls(plan, *row) for row in zip(rows, nothing, empty, strict=True)]
    return shown, empty


def _telling(plan: BlockPlan) -> list[int]:
    """The indexes of the statistics that show whether a group has rows."""
    counts = [
        index
        for index, statistic in enumerate(plan.statistics)
        if isinstance(statistic, (RowCount, UnitCount)) and statistic.counts_all
    ]
    used = {index for aggregate in plan.aggregates if isinstance(aggregate, Estimate) for index in aggregate.statistics}
    return counts or sorted(used)


def _nothing(plan: BlockPlan, mechanisms: Sequence[Mechanism]) -> list[float]:
    """Up to where each number, in cells, looks like nothing."""
    return [
        max(2 * mechanism.standard_deviation, plan.cells_per_step(index) / 2)
        for index, mechanism in enumerate(mechanisms)
    ]


def _like_nothing(plan: BlockPlan, row: Sequence[int], limits: Sequence[float]) -> list[bool]:
    """Which numbers look like nothing; a count below zero does, however far below."""
    return [
        (abs(number) if isinstance(statistic, GridSum) else number) <= limit
        for number, statistic, limit in zip(row, plan.statistics, limits, strict=True)
    ]


def _with_nulls(
    plan: BlockPlan, row: Sequence[Fraction | None], nothing: Sequence[bool], empty: bool
) -> tuple[Fraction | None, ...]:
    """The row with NULL for sums over nothing."""
    sums = (
        {index for index, statistic in enumerate(plan.statistics) if isinstance(statistic, GridSum)} if empty else set()
    )
    for aggregate in plan.aggregates:
        if aggregate.rows is not None and nothing[aggregate.rows]:
            sums.update(set(aggregate.statistics) - {aggregate.rows})
    sums.difference_update(*(aggregate.zeros for aggregate in plan.aggregates))
    return tuple(None if index in sums else value for index, value in enumerate(row))


def _rounded(plan: BlockPlan, row: Sequence[int]) -> tuple[Fraction | None, ...]:
    values = []
    for index, (number, statistic) in enumerate(zip(row, plan.statistics, strict=True)):
        whole = round(Fraction(number, plan.cells_per_step(index)))
        if plan.selection is not None and not isinstance(statistic, GridSum):
            # A group that shows has units: noise alone makes a count of it negative.
            whole = max(whole, 0)
        if isinstance(statistic, DistinctCount) and statistic.listed is not None and statistic.listed.complete:
            # There are no other values: no interval around what is shown loses the true number by this.
            whole = min(max(whole, 0), statistic.listed.number)
        values.append(whole * statistic.step)
    return tuple(values)
