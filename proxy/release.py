"""From exact sums to what may be shown: noise, key selection, rounding (DESIGN section 2, step 8)."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction

from proxy.budget.stored import StoredAnswer
from proxy.sql.measure import Measured
from proxy.sql.plan import BlockPlan
from proxy.sql.staged import ReleasedRows
from proxy.sql.types import Kind, SqlType

KeyRow = tuple[str | None, ...]


def release(plan: BlockPlan, measured: Measured, domain: Sequence[KeyRow]) -> StoredAnswer:
    """Add noise to a measurement. This is the only way from the source to an answer.

    Args:
        plan: the block's plan, whose mechanisms add the noise.
        measured: the exact sums.
        domain: the declared keys, all of which are answered; empty where keys are selected or there are none.

    Returns:
        Keys and noisy sums in cells. Groups outside the domain, or below the threshold, are absent.
    """
    keys, exact = _groups(plan, measured, domain)
    columns = [mechanism.release([row[index] for row in exact]) for index, mechanism in enumerate(plan.mechanisms)]
    return StoredAnswer(tuple(keys), tuple(zip(*columns, strict=True)) if columns else tuple(() for _ in keys))


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


def canonical_key(key: KeyRow, types: Sequence[SqlType]) -> tuple[object, ...]:
    """A key in a form that is equal where Postgres takes the values as equal: 1.0 and 1.00 are one group, and so are
    the texts 'a' and 'a ' of type char(n)."""
    return tuple(_canonical(text, type_) for text, type_ in zip(key, types, strict=True))


def _canonical(text: str | None, type_: SqlType) -> object:
    kind = type_.kind
    if text is None:
        return None
    if type_.name == "bpchar":
        return text.rstrip(" ")
    if kind in (Kind.INTEGER, Kind.NUMERIC):
        number = Decimal(text)
        return number if number.is_finite() else text
    if kind is Kind.FLOAT:
        return float(text) if text != "NaN" else text
    return text


def rows_to_show(plan: BlockPlan, answer: StoredAnswer, *, hide_empty: bool) -> ReleasedRows:
    """Round to the grid, and drop declared groups that look empty if the session asked for that (post-processing).

    A group looks empty if its number of rows is within two standard deviations of zero, or is rounded to zero; where
    the block does not count rows, if that is so of each of its numbers.
    """
    keys, rows = list(answer.keys), list(answer.values)
    if hide_empty and plan.domain is not None and plan.statistics:
        half = plan.cells_per_contribution / 2
        limits = [max(2 * mechanism.standard_deviation, half) for mechanism in plan.mechanisms]
        counts = [
            index
            for index, statistic in enumerate(plan.statistics)
            if statistic.kind == "rows" and statistic.value is None and statistic.filter_sql is None
        ]
        deciding = counts or range(len(limits))
        kept = [index for index, row in enumerate(rows) if any(abs(row[i]) > limits[i] for i in deciding)]
        keys, rows = [keys[index] for index in kept], [rows[index] for index in kept]
    return ReleasedRows(keys, [_rounded(plan, row) for row in rows])


def _rounded(plan: BlockPlan, row: Sequence[int]) -> tuple[Fraction, ...]:
    values = []
    for cell, statistic in zip(row, plan.statistics, strict=True):
        whole = round(Fraction(cell, plan.cells_per_contribution))
        values.append(whole * statistic.grid.step if statistic.grid is not None else Fraction(whole))
    return tuple(values)
