"""From exact sums to what may be shown: noise, key selection, rounding (DESIGN section 2, step 8)."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from proxy.budget.stored import StoredAnswer
from proxy.choosing import choose
from proxy.group_keys import KeyRow, canonical_key
from proxy.sql.measuring.measure import Measured
from proxy.sql.planning.plan import BlockPlan
from proxy.sql.staging.staged import ReleasedRows


def release(
    plan: BlockPlan, measured: Measured, domain: Sequence[KeyRow], candidates: Sequence[Sequence[KeyRow]] = ()
) -> StoredAnswer:
    """Add noise to a measurement, and choose. This is the only way from the source to an answer.

    Args:
        plan: the block's plan, whose mechanisms add the noise.
        measured: the exact sums.
        domain: the declared keys, all of which are answered; empty where keys are selected or there are none.
        candidates: for each choice the values of a mode; empty for the others.

    Returns:
        Keys, noisy sums in cells, and what was chosen. Groups outside the domain, or below the threshold, are absent.
    """
    keys, exact = _groups(plan, measured, domain)
    columns = [mechanism.release([row[index] for row in exact]) for index, mechanism in enumerate(plan.mechanisms)]
    values = tuple(zip(*columns, strict=True)) if columns else tuple(() for _ in keys)
    return StoredAnswer(tuple(keys), values, choose(plan, measured.histograms, keys, candidates))


def _groups(
    plan: BlockPlan, measured: Measured, domain: Sequence[KeyRow]
) -> tuple[list[KeyRow], list[tuple[int, ...]]]:
    """The groups to answer with their exact sums, in an order that does not come from the source."""
    nothing = (0,) * len(plan.statistics)
    if plan.domain is not None:
        types = [key.term.type for key in plan.keys]
        found = {canonical_key(key, types): cells for key, cells in zip(measured.keys, measured.cells, strict=True)}
        return list(domain), [found.get(canonical_key(key, types), nothing) for key in domain]
    if plan.selection is not None:
        chosen = plan.selection.select(measured.weights)
        groups = [(key, cells) for key, cells, kept in zip(measured.keys, measured.cells, chosen, strict=True) if kept]
        groups.sort(key=lambda group: tuple((part is None, part or "") for part in group[0]))
        return [key for key, _ in groups], [cells for _, cells in groups]
    return [()], [measured.cells[0] if measured.cells else nothing]


def rows_to_show(plan: BlockPlan, answer: StoredAnswer, *, hide_empty: bool) -> ReleasedRows:
    """Round to the grid; if the session hides what looks empty, drop such groups, and let sums over nothing be NULL as
    Postgres has them (post-processing).

    A group looks empty if its number of rows is within two standard deviations of zero, or is rounded to zero; where
    the block does not count rows, if that is so of each of its numbers. A sum is one over nothing if its group looks
    empty, or if its own rows are counted and look like none.
    """
    keys, rows = list(answer.keys), [_rounded(plan, row) for row in answer.values]
    chosen: Sequence[Sequence[str | None]] = answer.chosen or [()] * len(keys)
    if not hide_empty or not plan.statistics:
        return ReleasedRows(keys, rows, chosen)
    nothing = [_looks_like_nothing(plan, row) for row in answer.values]
    counts = [
        index
        for index, statistic in enumerate(plan.statistics)
        if statistic.kind == "rows" and statistic.value is None and statistic.filter_sql is None
    ]
    deciding = counts or range(len(plan.statistics))
    empty = [all(flags[index] for index in deciding) for flags in nothing]
    shown = [_with_nulls(plan, *row) for row in zip(rows, nothing, empty, strict=True)]
    chosen = [[None] * len(row) if is_empty else row for row, is_empty in zip(chosen, empty, strict=True)]
    if plan.domain is None or plan.keeps_empty:
        return ReleasedRows(keys, shown, chosen)
    kept = [index for index, is_empty in enumerate(empty) if not is_empty]
    return ReleasedRows(
        [keys[index] for index in kept], [shown[index] for index in kept], [chosen[index] for index in kept]
    )


def _looks_like_nothing(plan: BlockPlan, row: Sequence[int]) -> list[bool]:
    half = plan.cells_per_contribution / 2
    limits = (max(2 * mechanism.standard_deviation, half) for mechanism in plan.mechanisms)
    return [abs(cell) <= limit for cell, limit in zip(row, limits, strict=True)]


def _with_nulls(
    plan: BlockPlan, row: Sequence[Fraction | None], nothing: Sequence[bool], empty: bool
) -> tuple[Fraction | None, ...]:
    """The row with NULL for sums over nothing."""
    sums = {index for index, statistic in enumerate(plan.statistics) if statistic.kind == "sum"} if empty else set()
    for aggregate in plan.aggregates:
        rows = aggregate.moments.rows if aggregate.moments is not None else aggregate.count
        if rows is not None and nothing[rows]:
            sums.update(set(aggregate.statistics) - {rows})
    return tuple(None if index in sums else value for index, value in enumerate(row))


def _rounded(plan: BlockPlan, row: Sequence[int]) -> tuple[Fraction | None, ...]:
    values = []
    for cell, statistic in zip(row, plan.statistics, strict=True):
        whole = round(Fraction(cell, plan.cells_per_contribution))
        values.append(whole * statistic.grid.step if statistic.grid is not None else Fraction(whole))
    return tuple(values)
