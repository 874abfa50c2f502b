"""Charts as SVG, made here: nothing in them is a script, or comes from elsewhere. Each stands beside a table."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final

from proxy.dashboard.drawing import Style, pygal
from proxy.dashboard.figures import seconds_text
from proxy.dashboard.forecast import Point

WIDE: Final = (880, 300)
NARROW: Final = (360, 300)
HALF: Final = 560
"""The width of what stands beside a table."""
_ROW: Final = 20
"""Of a legend."""
_FONT: Final = "system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif"
_NOT_DRAWN: Final = re.compile(rb"<!--.*?-->|<script.*?</script>", re.DOTALL)
"""Names of the library, and settings for its script, which is not there. Texts of ours have no such signs: they are
escaped."""

_COLOURS: Final = """
:root { --ink: #40464f; --rule: #d9dde3; --c0: #1f6feb; --c1: #b35900; --c2: #1a7f5a; --c3: #8a3ffc; --c4: #c2255c;
  --c5: #5c6470; }
@media (prefers-color-scheme: dark) { :root { --ink: #b9c1cc; --rule: #343b45; --c0: #6cb0ff; --c1: #f0a35e;
  --c2: #56c596; --c3: #c4a1ff; --c4: #ff8fb3; --c5: #9aa4b2; } }
.axis .guide.line, .axis .major.guide.line { stroke: var(--rule) !important; stroke-dasharray: none !important; }
.axis.x .guides:hover .guide.line, .axis.y .guides:hover .guide.line { stroke: var(--rule) !important; }
.series .line { stroke-width: 2.5 !important; }
.guide.line { stroke-width: 1 !important; }
.axis > path.line { stroke-width: 1 !important; stroke: var(--ink) !important; }
text { fill: var(--ink) !important; }
"""


@dataclass(frozen=True)
class Line:
    """A line of a chart over time."""

    name: str
    points: Sequence[Point]


def left_over_time(lines: Sequence[Line], size: tuple[int, int]) -> bytes:
    """What is left of budgets, in percent, over time."""
    hours = _hours(lines) <= 48
    chart = pygal.DateTimeLine(
        **_settings(size, lines=len(lines)),
        range=(0, 100),
        x_value_formatter=lambda at: f"{at:%H:%M}" if hours else f"{at.day} {at:%b}",
        y_labels=[0, 25, 50, 75, 100],
        value_formatter=lambda value: f"{value:.0f} %",
        show_dots=False,
        x_labels=_ticks(lines, 4 if size == NARROW else 7),
        stroke_style={"width": 2.5},
    )
    for line in lines:
        chart.add(
            line.name.removeprefix("table:"),
            [(point.at.replace(tzinfo=None), 100 * point.left) for point in _stepped(line.points)],
        )
    return _drawn(chart)


def by_name(shares: Mapping[str, float], width: int, *, by_end: bool = False) -> bytes:
    """Percentages of things with names, as bars; `by_end` if it is the ends of the names that tell them apart."""
    height = 70 + 34 * max(1, len(shares))
    most = max([0.01, *(100 * share for share in shares.values())])
    chart = pygal.HorizontalBar(
        **_settings((width, height), lines=1),
        range=(0, most),
        y_labels=[0, most / 2, most],
        value_formatter=lambda value: f"{value:.3g} %",
    )
    # Bars are drawn from below.
    names = list(shares)[::-1]
    chart.x_labels = [_short(name, width // 17, by_end=by_end) for name in names]
    chart.add("", [100 * shares[name] for name in names])
    return _drawn(chart)


def times(minutes: Sequence[tuple[dt.datetime, float, float]], size: tuple[int, int]) -> bytes:
    """The median and the 95th percentile of response times, in milliseconds, by minute."""
    labels = max(1, len(minutes) // (3 if size == NARROW else 7))
    chart = pygal.Line(
        **_settings(size, lines=2),
        value_formatter=lambda value: seconds_text(value / 1000),
        show_minor_x_labels=False,
        x_labels=[f"{at:%H:%M}" for at, _, _ in minutes],
        x_labels_major_every=labels,
        dots_size=2,
        max_scale=6,
    )
    chart.add("median", [1000 * median for _, median, _ in minutes])
    chart.add("95th percentile", [1000 * high for _, _, high in minutes])
    return _drawn(chart)


def _settings(size: tuple[int, int], *, lines: int) -> dict[str, Any]:
    width, height = size
    # The library makes room for as many rows as whole columns: with one it always does.
    columns = 2 if lines == 2 and width > NARROW[0] else 1
    return {
        "width": width,
        "height": height + _ROW * (lines // columns - 1),
        "explicit_size": True,
        "js": [],
        "css": ["file://style.css", "file://graph.css", f"inline:{_COLOURS}"],
        "show_legend": lines > 1,
        "legend_at_bottom": True,
        "legend_at_bottom_columns": columns,
        "truncate_legend": -1,
        "legend_box_size": 10,
        "margin": 8,
        "margin_right": 30,
        "show_x_guides": False,
        "print_values": False,
        "no_data_text": "nothing yet",
        "style": Style(
            background="transparent",
            plot_background="transparent",
            foreground="var(--ink)",
            foreground_strong="var(--ink)",
            foreground_subtle="var(--rule)",
            opacity="1",
            opacity_hover="1",
            colors=tuple(f"var(--c{number})" for number in range(6)),
            font_family=_FONT,
            label_font_size=13,
            major_label_font_size=13,
            legend_font_size=13,
            no_data_font_size=15,
            value_font_size=13,
            title_font_size=15,
            tooltip_font_size=13,
        ),
    }


def _drawn(chart: Any) -> bytes:
    drawn: bytes = chart.render()
    return _NOT_DRAWN.sub(b"", drawn)


def _stepped(points: Sequence[Point]) -> list[Point]:
    """A budget stays as it is until the next charge."""
    found = list(points[:1])
    for before, point in pairwise(points):
        if point.left != before.left:
            found.append(Point(point.at, before.left))
        found.append(point)
    return found


def _hours(lines: Sequence[Line]) -> float:
    times_ = [point.at for line in lines for point in line.points]
    return (max(times_) - min(times_)) / dt.timedelta(hours=1) if times_ else 0.0


def _ticks(lines: Sequence[Line], most: int) -> list[dt.datetime]:
    """Times to write at the axis: whole hours or days."""
    times_ = [point.at.replace(tzinfo=None) for line in lines for point in line.points]
    if not times_:
        return []
    begin, end = min(times_), max(times_)
    for hours in (1, 2, 3, 6, 12, 24, 48, 96, 168, 336):
        step = dt.timedelta(hours=hours)
        first = dt.datetime.min + -(-(begin - dt.datetime.min) // step) * step
        if (end - first) / step < most:
            return [first + number * step for number in range(int((end - first) / step) + 1)]
    return [begin, end]


def _short(name: str, most: int, *, by_end: bool) -> str:
    if len(name) <= most:
        return name
    return f"…{name[1 - most :]}" if by_end else f"{name[: most - 1]}…"
