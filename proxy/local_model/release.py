"""Turns rows into the records of a local release: the only way for a single unit's values into a file.

What is protected, and how (proofs in `proxy.dp.local`):

- Each *report* by itself is ε-locally private, with the header's `report_epsilon`: whoever sees the record, however it
  was found, learns of the value behind it at most a factor of e^ε. That holds under replacing a value by any other.
- The *file* is (its `epsilon`)-differentially private under adding or removing all rows of one unit, like any answer:
  `slots` hides whether there is a record of a unit at all.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Final

import numpy as np
from numpy.typing import NDArray

from proxy.dp.local.sketch import BUCKETS, ROWS, report
from proxy.dp.local.slots import FILLER, LocalPrivacy, choose_slots
from proxy.dp.local.unary import Octets, randomise
from proxy.dp.randomness import uniform_bits
from proxy.errors import UnsupportedError
from proxy.local_model.file_format import (
    MOST_HEADER,
    MOST_OCTETS,
    Header,
    LocalRelease,
    ReleasedColumn,
    header_line,
    with_rows,
)
from proxy.local_model.question import LocalQuestion
from proxy.sql.terms.types import type_of_column

Row = tuple[str | None, ...]

_MISSING: Final = b"?"
_ROOM_FOR_NUMBERS: Final = 100


def sketched(value: str | None) -> bytes:
    """The octets that a sketch hashes for a value (`file_format`)."""
    return _MISSING if value is None else b"=" + value.encode()


def draft_header(question: LocalQuestion, domains: Sequence[Sequence[str]]) -> Header:
    """The header of a release without records, from public facts alone. Whatever can be wrong with it is found before
    anything is charged.

    Args:
        question: the question.
        domains: the declared values of each column.

    Raises:
        UnsupportedError: the declared values are too long for a header.
    """
    privacy = question.privacy
    header = Header(
        format="dpproxy local release",
        version=1,
        table=question.table.name,
        unit=question.rows.relation.unit or "",
        mechanism=question.request.mechanism,
        epsilon=str(privacy.epsilon),
        count_epsilon=str(privacy.count_epsilon),
        report_epsilon=str(privacy.report_epsilon),
        values_per_unit=privacy.values_per_unit,
        total=0,
        records=0,
        columns=tuple(map(_column, [question] * len(domains), question.request.columns, domains)),
        guarantee="epsilon-differential privacy under adding or removing all rows of one unit; each report by itself "
        "is report_epsilon-locally differentially private; the part count_epsilon hides the number of rows",
    )
    if len(header_line(header).encode()) > MOST_HEADER - _ROOM_FOR_NUMBERS:
        raise UnsupportedError(
            "the declared values of these columns are too long for the file's header",
            hint="Release fewer columns at a time.",
            rule="local-header-size",
        )
    return header


def release_rows(draft: Header, privacy: LocalPrivacy, rows: Sequence[Row]) -> LocalRelease:
    """Randomise rows.

    Args:
        draft: the header that was charged for.
        privacy: the draft's.
        rows: at most `values_per_unit` of each unit; private, never shown.
    """
    slots = choose_slots(len(rows), privacy, MOST_OCTETS // draft.octets)
    reports = [
        _reports(column, [rows[slot][index] if slot != FILLER else None for slot in slots.rows], privacy.report_epsilon)
        for index, column in enumerate(draft.columns)
    ]
    header = draft.model_copy(update={"total": slots.total, "records": len(slots.rows)})
    return LocalRelease(header, np.concatenate(reports, axis=1))


def _column(question: LocalQuestion, name: str, domain: Sequence[str]) -> ReleasedColumn:
    type_name = type_of_column(question.table.catalog.columns[name]).name
    if question.request.mechanism == "rappor":
        return ReleasedColumn(name=name, type=type_name, values=tuple(domain))
    seed = f"{uniform_bits(256):064x}"
    return ReleasedColumn(name=name, type=type_name, values=tuple(domain), seed=seed, rows=ROWS, buckets=BUCKETS)


def _reports(column: ReleasedColumn, values: Sequence[str | None], epsilon: Fraction) -> Octets:
    if column.seed is None:
        return randomise(_positions(column, values), column.positions, epsilon)
    reports = report([sketched(value) for value in values], column.functions, epsilon)
    return with_rows(reports.rows, reports.vectors)


def _positions(column: ReleasedColumn, values: Sequence[str | None]) -> NDArray[np.int64]:
    """The declared values in order, then missing, then all others."""
    known: dict[str | None, int] = {value: index for index, value in enumerate(column.values)}
    known[None] = len(column.values)
    return np.array([known.get(value, len(column.values) + 1) for value in values], dtype=np.int64)
