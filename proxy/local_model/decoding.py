"""Estimates frequencies, with intervals, from the file of a local release alone (`proxy.dp.local.estimates`)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

import numpy as np

from proxy.dp.local import rappor
from proxy.dp.local.estimates import Estimate, RecordNumbers, non_negative
from proxy.dp.local.sketch import CountMeanSketch, SketchReports
from proxy.local_model.file_format import LocalRelease, row_numbers
from proxy.local_model.release import sketched

Kind = Literal["value", "missing", "other"]


class NoCandidatesError(ValueError):
    """A sketch needs candidate values, and there are none; the text names the column."""


@dataclass(frozen=True)
class Frequency:
    """The estimated number of released rows with a value.

    Attributes:
        column: of the table.
        kind: a value, missing (NULL), or any undeclared value.
        value: the value as text; None for the other kinds.
        count: estimated number of rows.
        low: lower end of the interval around the estimate.
        high: its upper end.
        share: `count` as a share of all rows.
    """

    column: str
    kind: Kind
    value: str | None
    count: float
    low: float
    high: float
    share: float


def frequencies(
    release: LocalRelease,
    index: int,
    confidence: float,
    candidates: Sequence[str] | None = None,
    *,
    consistent: bool = False,
) -> list[Frequency]:
    """Estimate one column.

    Args:
        release: a file's content.
        index: of the column.
        confidence: of the intervals, in (0, 1).
        candidates: for a sketch, the values to estimate; the declared ones by default.
        consistent: no estimate is negative, and under RAPPOR they add up to the number of rows. Such estimates are
            closer to the truth, but biased; intervals do not move, but are cut at 0.

    Raises:
        NoCandidatesError: a sketch without candidates.
    """
    column = release.header.columns[index]
    if release.header.mechanism == "rappor":
        labels, estimates = _rappor(release, index)
    else:
        labels, estimates = _sketch(release, index, candidates if candidates is not None else column.values)
    counts = np.array([estimate.count for estimate in estimates])
    total = float(release.header.total)
    if consistent:
        counts = non_negative(counts, total) if release.header.mechanism == "rappor" else np.maximum(counts, 0.0)
    found = []
    for (kind, value), count, estimate in zip(labels, counts, estimates, strict=True):
        low, high = (max(end, 0.0) if consistent else end for end in estimate.interval(confidence))
        found.append(Frequency(column.name, kind, value, float(count), low, high, float(count) / max(total, 1.0)))
    return found


Label = tuple[Kind, str | None]


def _numbers(release: LocalRelease) -> RecordNumbers:
    return RecordNumbers(release.header.records, release.header.total, release.header.noise_scale)


def _rappor(release: LocalRelease, index: int) -> tuple[list[Label], list[Estimate]]:
    column = release.header.columns[index]
    _, vectors = release.reports(index)
    labels: list[Label] = [*(("value", value) for value in column.values), ("missing", None), ("other", None)]
    counts, variances = rappor.estimate(vectors, column.positions, Fraction(release.header.report_epsilon))
    numbers = _numbers(release)
    return labels, [
        numbers.about_rows(float(count), float(variance), filler=kind == "missing")
        for (kind, _), count, variance in zip(labels, counts, variances, strict=True)
    ]


def _sketch(release: LocalRelease, index: int, candidates: Sequence[str]) -> tuple[list[Label], list[Estimate]]:
    column = release.header.columns[index]
    if not candidates:
        raise NoCandidatesError(f"column {column.name} has no declared values: name candidates")
    labels: list[Label] = [*(("value", value) for value in dict.fromkeys(candidates)), ("missing", None)]
    rows, vectors = release.reports(index)
    reports = SketchReports(row_numbers(rows), vectors)
    sketch = CountMeanSketch(reports, column.functions, Fraction(release.header.report_epsilon))
    numbers = _numbers(release)
    return labels, [
        numbers.about_rows(*sketch.estimate(sketched(value)), filler=kind == "missing") for kind, value in labels
    ]
