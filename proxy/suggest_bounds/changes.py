"""Prints suggested bounds for the steward, and turns them into changes of the policy."""

from __future__ import annotations

import datetime as dt

from proxy.dp.search import PER_DECADE
from proxy.policy.model import ContributionPolicy, Place
from proxy.policy.rewriting import NewValue
from proxy.sql.suggesting.questions import ROW_CAPS, Questions
from proxy.suggest_bounds.choosing import SuggestedBounds, Suggestions


def suggestion_lines(questions: Questions, suggestions: Suggestions) -> list[str]:
    """The chosen bounds in words, with a warning where a choice says little."""
    lines = []
    if suggestions.max_rows is not None:
        lines.append(f"  max_rows: {suggestions.max_rows}")
    if suggestions.max_rows_per_group is not None:
        lines.append(f"  max_rows_per_group: {suggestions.max_rows_per_group}")
    for suggested in suggestions.columns:
        lines.append(f"  bounds of {suggested.column}: [{_text(suggested.low)}, {_text(suggested.high)}]")
        if suggested.at_low_end:
            needed = questions.search.units_needed(4 * PER_DECADE)
            lines.append(
                "    near the smallest bounds there are, and not for the policy: values are so small, or units too "
                f"few for this epsilon (bounds 10 000 times as wide take about {needed} units)"
            )
    return lines


def _text(bound: Place) -> str:
    return bound.isoformat() if isinstance(bound, dt.date) else f"{bound:f}"


def policy_changes(
    table: str, contribution: ContributionPolicy, suggestions: Suggestions
) -> dict[tuple[str, ...], NewValue]:
    """The changes of the policy for the chosen bounds, except those that may come from a search with too few units:
    they would clip nearly everything.

    Args:
        table: "schema.table".
        contribution: the policy's for the table; its max_rows_per_group goes down with a lower max_rows.
        suggestions: what was chosen for it.
    """
    changes: dict[tuple[str, ...], NewValue] = {}
    max_rows, per_group = suggestions.max_rows, suggestions.max_rows_per_group
    if max_rows is not None:
        changes["tables", table, "contribution", "max_rows"] = max_rows
        known = contribution.max_rows_per_group
        if per_group is None and known is not None and known > max_rows:
            per_group = max_rows
    if per_group is not None:
        changes["tables", table, "contribution", "max_rows_per_group"] = per_group
    for suggested in suggestions.columns:
        if not suggested.at_low_end:
            changes["tables", table, "columns", suggested.column, "bounds"] = (suggested.low, suggested.high)
    return changes


def placeholders(questions: Questions) -> Suggestions:
    """Suggestions of the same shape, to check before anything is paid that the file can take them."""
    bounds = []
    for column in questions.columns:
        most = column.scale.caps()[-1]
        bounds.append(SuggestedBounds(column.name, column.scale.bound(-most), column.scale.bound(most), False))
    max_rows = int(ROW_CAPS[-1]) if questions.max_rows else None
    return Suggestions(max_rows, 1 if questions.group_keys else None, tuple(bounds))
