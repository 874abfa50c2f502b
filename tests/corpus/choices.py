"""Aggregates that choose a value or decide on one: min, max, percentiles, bool_and, bool_or.

mode() is left out: Postgres shows the first of equally frequent values, and the exponential mechanism any of them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from tests.corpus.expressions import condition
from tests.corpus.statement import Pen, Value

_MOST_DIGITS = 5
"""Numbers of so many digits have a bucket each."""
_OFFSETS = {"integer": ["{}", "- {}", "{} + 1", "{} * 2", "abs({})"], "numeric": ["{}", "- {}", "{} + 1", "abs({})"]}
_FRACTIONS = ["0", "0.25", "0.5", "0.9", "1", "1 / 4.0"]


def choices(pen: Pen, columns: Sequence[Value], filtered: str) -> dict[str, Callable[[], list[Value]]]:
    """Rules for choices from a group that has rows. From values that can be missing there could be nothing to choose
    from, which Postgres shows as NULL, and the proxy as any value."""
    rules: dict[str, Callable[[], list[Value]]] = {
        "bool_or": lambda: [_decided("bool_or", "false", pen, columns, filtered)],
        "bool_and": lambda: [_decided("bool_and", "true", pen, columns, filtered)],
    }
    numbers = [column for column in columns if column.type in _OFFSETS and column.bounded and column.exact]
    small = [column for column in numbers if column.reach + column.places < _MOST_DIGITS]
    moments = [column for column in columns if column.type in ("date", "timestamp") and not column.nullable]
    if small and not filtered:
        rules["min or max"] = lambda: [_extreme(pen, _whole(pen, pen.choose(small)))]
        rules["percentile_disc"] = lambda: [_percentile(pen, _whole(pen, pen.choose(small)))]
    texts = [column for column in columns if column.type == "text" and column.declared and column.name]
    if texts and not filtered:
        rules["first or last text"] = lambda: [_text(pen, pen.choose(texts))]
    if moments and not filtered:
        rules["first or last day"] = lambda: [_extreme(pen, _day(pen.choose(moments)))]
        rules["percentile_disc of days"] = lambda: [_percentile(pen, _day(pen.choose(moments)))]
        rules["days of intervals"] = lambda: [_days(pen, pen.choose(moments))]
    return rules


def _decided(function: str, nothing: str, pen: Pen, columns: Sequence[Value], filtered: str) -> Value:
    return Value(f"coalesce({function}({condition(pen, columns, 0)}){filtered}, {nothing})", "boolean", nullable=False)


def _whole(pen: Pen, column: Value) -> Value:
    """Something made of a column that is never NULL."""
    # With the column's digits, which Postgres shows of whichever is chosen.
    present = f"coalesce({column.sql}, {3:.{column.places}f})" if column.nullable else column.sql
    return replace(column, sql=pen.choose(_OFFSETS[column.type]).format(present), name="")


def _day(column: Value) -> Value:
    return Value(f"{column.sql}::date", "date", nullable=False)


def _days(pen: Pen, column: Value) -> Value:
    """The whole days of an interval that is chosen."""
    since = Value(f"({column.sql}::date::timestamp - timestamp '2023-12-01')", "interval", nullable=False)
    chosen = pen.choose([_extreme, _percentile])(pen, since)
    return Value(f"(extract(epoch FROM {chosen.sql}) / 86400)::integer", "integer", nullable=False)


def _extreme(pen: Pen, value: Value) -> Value:
    return replace(value, sql=f"{pen.choose(['min', 'max'])}({value.sql})", declared=False, role=None)


def _text(pen: Pen, column: Value) -> Value:
    """A text that is chosen, where there is one: of none, a hundredth of the choices is not NULL."""
    ordered = f'{column.sql} COLLATE "C"'
    chosen = pen.choose([_extreme, _percentile])(pen, replace(column, sql=ordered, name=""))
    return replace(chosen, sql=f"CASE WHEN count({column.sql}) > 0 THEN {chosen.sql} END", nullable=True)


def _percentile(pen: Pen, value: Value) -> Value:
    order = pen.choose(["", " DESC"])
    call = f"percentile_disc({pen.choose(_FRACTIONS)}) WITHIN GROUP (ORDER BY {value.sql}{order})"
    return replace(value, sql=call, declared=False, role=None)
