"""The file of a local release: written once, read by anybody.

UTF-8 text with lines that end in LF. The first line is a JSON object, the `Header`. Each further line is one record, a
JSON array with one string of lower-case hexadecimal digits for each column, without blanks, so that all lines have the
same length. Records are in random order, which carries no information.

- `rappor`: the bits of the randomised one-hot vector, the first position in the highest bit of the first octet, and
  zeros after the last position. Positions are the column's `values` in order, then missing (NULL), then all other
  values.
- `sketch`: four digits for the row j, then the bits of the randomised vector of `buckets` bits likewise. What is hashed
  is "=" and the value's UTF-8 text, or "?" for missing; `sketch.HashFunctions` says how.

Every bit of a report was flipped with probability 1 / (1 + e^(`report_epsilon` / 2)), independently.

The reader trusts nothing: sizes are checked before anything of that size is read, and errors name the line.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Annotated, Final, Literal, Self

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from proxy.dp.local.sketch import HashFunctions
from proxy.dp.local.unary import Octets, octets_for

MOST_VALUES: Final = 1000
"""The most declared values of a column under RAPPOR; a report has a bit for each."""

MOST_COLUMNS: Final = 100

MOST_OCTETS: Final = 1 << 26
"""The most octets of all reports together."""

MOST_HEADER: Final = 1 << 24
"""The most octets of the first line."""

_MOST_CELLS: Final = 1 << 22
_ROW_OCTETS: Final = 2
_EPSILONS: Final = (Fraction(1, 10**6), Fraction(10**12))
_BEGIN, _BETWEEN, _END = b'["', b'","', b'"]\n'
_DIGITS: Final = np.frombuffer(b"0123456789abcdef", dtype=np.uint8)

Rational = Annotated[str, Field(pattern=r"^[0-9]{1,60}(/[1-9][0-9]{0,60})?$")]
"""An exact number such as "19/20"."""

Name = Annotated[str, Field(max_length=1000)]
Mechanism = Literal["rappor", "sketch"]


class LocalFileError(ValueError):
    """A file that is no local release; the text says where and what is wrong."""


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class ReleasedColumn(_Strict):
    """One column of the records.

    Attributes:
        name: of the table's column.
        type: of the table's column.
        values: the declared values as text; under RAPPOR they are the positions.
        seed: of the hash functions, in hexadecimal; of a sketch only.
        rows: k, for a sketch.
        buckets: m, for a sketch.
    """

    name: Name
    type: Name
    values: tuple[str, ...] = ()
    seed: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")] | None = None
    rows: int | None = None
    buckets: int | None = None

    @model_validator(mode="after")
    def _check(self) -> Self:
        sketch = (self.seed, self.rows, self.buckets)
        if any(part is None for part in sketch) != all(part is None for part in sketch):
            raise ValueError("a sketch has a seed, rows and buckets")
        if self.seed is None and len(self.values) > MOST_VALUES:
            raise ValueError(f"more than {MOST_VALUES} values")
        if len(set(self.values)) < len(self.values):
            raise ValueError("a value occurs twice")
        if self.seed is not None and self.functions.rows * self.functions.buckets > _MOST_CELLS:
            raise ValueError("too many rows and buckets")
        return self

    @property
    def functions(self) -> HashFunctions:
        """The hash functions of a sketch."""
        if self.seed is None or self.rows is None or self.buckets is None:
            raise ValueError("not a sketch")
        return HashFunctions(bytes.fromhex(self.seed), self.rows, self.buckets)

    @property
    def positions(self) -> int:
        """The number of bits of a report."""
        return self.buckets if self.buckets is not None else len(self.values) + 2

    @property
    def octets(self) -> int:
        """The number of octets of a report, with the row of a sketch."""
        return octets_for(self.positions) + (0 if self.seed is None else _ROW_OCTETS)


class Header(_Strict):
    """What a file says about itself. All of it is public.

    Attributes:
        table: "schema.table".
        unit: whose privacy is protected.
        epsilon: of the whole file, under adding or removing one unit.
        count_epsilon: the part that hides the number of records.
        report_epsilon: local differential privacy of each report.
        values_per_unit: most records of a unit.
        total: noisy number of rows.
        records: the number in this file; less than `total` only if that was above the limit.
        guarantee: the guarantee in words.
    """

    format: Literal["dpproxy local release"]
    version: Literal[1]
    table: Name
    unit: Name
    mechanism: Mechanism
    epsilon: Rational
    count_epsilon: Rational
    report_epsilon: Rational
    values_per_unit: Annotated[int, Field(ge=1, le=10**6)]
    total: Annotated[int, Field(ge=0, le=2**53)]
    records: Annotated[int, Field(ge=0)]
    columns: Annotated[tuple[ReleasedColumn, ...], Field(min_length=1, max_length=MOST_COLUMNS)]
    guarantee: str

    @model_validator(mode="after")
    def _check(self) -> Self:
        parts = [Fraction(part) for part in (self.epsilon, self.count_epsilon, self.report_epsilon)]
        whole, count, report = parts
        if min(parts) < _EPSILONS[0] or max(parts) > _EPSILONS[1]:
            raise ValueError("an epsilon that no release has")
        if count + self.values_per_unit * len(self.columns) * report != whole:
            raise ValueError("the parts of epsilon do not add up")
        if self.records > self.total:
            raise ValueError("more records than the total")
        if len({column.name for column in self.columns}) < len(self.columns):
            raise ValueError("a column occurs twice")
        if any((column.seed is not None) != (self.mechanism == "sketch") for column in self.columns):
            raise ValueError("the columns do not fit the mechanism")
        if self.records * self.octets > MOST_OCTETS:
            raise ValueError("too many records")
        return self

    @property
    def octets(self) -> int:
        """The number of octets of a record."""
        return sum(column.octets for column in self.columns)

    @property
    def noise_scale(self) -> float:
        """The scale of the discrete Laplace noise in `total`."""
        return float(self.values_per_unit / Fraction(self.count_epsilon))


@dataclass(frozen=True, eq=False)
class LocalRelease:
    """A file's content.

    Attributes:
        header: what it says of itself.
        records: `header.records` rows of `header.octets` octets, the columns' reports side by side.
    """

    header: Header
    records: Octets

    def reports(self, index: int) -> tuple[Octets, Octets]:
        """The reports of one column: two octets for the row of a sketch (none under RAPPOR), and the packed bits."""
        start = sum(column.octets for column in self.header.columns[:index])
        column = self.header.columns[index]
        own = self.records[:, start : start + column.octets]
        row = column.octets - octets_for(column.positions)
        return own[:, :row], own[:, row:]


def with_rows(rows: Sequence[int] | np.ndarray[tuple[int, ...], np.dtype[np.int64]], vectors: Octets) -> Octets:
    """Reports of a sketch as octets: the row, then the bits."""
    row_octets = np.asarray(rows, dtype=">u2").view(np.uint8).reshape(-1, _ROW_OCTETS)
    return np.concatenate([row_octets, vectors], axis=1)


def row_numbers(octets: Octets) -> np.ndarray[tuple[int, ...], np.dtype[np.int64]]:
    """The inverse of the first half of `with_rows`."""
    return octets[:, 0].astype(np.int64) << 8 | octets[:, 1]


def header_line(header: Header) -> str:
    """The first line, without its LF."""
    return header.model_dump_json(exclude_none=True)


def write_release(path: Path, line: str, records: Octets, widths: Sequence[int]) -> None:
    """Write a file atomically: readers see the old content or the new one.

    Args:
        path: the file; its directory exists.
        line: the header's.
        records: the packed records.
        widths: octets of each column's reports.

    Raises:
        OSError: it cannot be written.
    """
    descriptor, unfinished = tempfile.mkstemp(prefix=f".{path.name}-", dir=path.parent)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(line.encode() + b"\n")
            file.write(_lines(records, widths).tobytes())
            os.fchmod(file.fileno(), 0o644)  # nothing in it is secret
            file.flush()
            os.fsync(file.fileno())
        Path(unfinished).replace(path)
    except BaseException:
        Path(unfinished).unlink(missing_ok=True)
        raise


def read_release(path: Path) -> LocalRelease:
    """Read and check a file.

    Raises:
        LocalFileError: it is no local release of this version.
        OSError: it cannot be read.
    """
    with path.open("rb") as file:
        line = file.readline(MOST_HEADER)
        header = _header(path, line)
        widths = [column.octets for column in header.columns]
        length = len(_template(widths))
        content = file.read(header.records * length + 1)
    whole = len(content) // length
    lines = np.frombuffer(content, dtype=np.uint8, count=min(whole, header.records) * length).reshape(-1, length)
    records, wrong = _records(lines, header)
    if wrong is not None:
        raise LocalFileError(f"{path}:{wrong + 2}: not a record of this file's columns")
    if len(lines) < header.records:
        raise LocalFileError(f"{path}:{len(lines) + 2}: {header.records} records are announced, the file ends before")
    if len(content) > header.records * length:
        raise LocalFileError(f"{path}:{header.records + 2}: more than the {header.records} records that are announced")
    return LocalRelease(header, records)


def _header(path: Path, line: bytes) -> Header:
    if not line.endswith(b"\n"):
        raise LocalFileError(f"{path}:1: not a local release of dpproxy: its first line does not end")
    try:
        return Header.model_validate_json(line)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False, include_input=False)[0]
        place, reason = ".".join(map(str, first["loc"])), first["msg"].removeprefix("Value error, ")
        reason = f"{place}: {reason}" if place else reason
        raise LocalFileError(f"{path}:1: not a local release of dpproxy: {reason}") from None


def _template(widths: Sequence[int]) -> bytes:
    """A record whose reports are all zeros."""
    return _BEGIN + _BETWEEN.join(b"00" * width for width in widths) + _END


def _digit_places(widths: Sequence[int]) -> np.ndarray[tuple[int, ...], np.dtype[np.int64]]:
    """The positions of the digits in a line."""
    places, position = [], len(_BEGIN)
    for width in widths:
        places.append(np.arange(position, position + 2 * width))
        position += 2 * width + len(_BETWEEN)
    return np.concatenate(places)


def _lines(records: Octets, widths: Sequence[int]) -> Octets:
    lines = np.tile(np.frombuffer(_template(widths), dtype=np.uint8), (len(records), 1))
    places = _digit_places(widths)
    lines[:, places[0::2]] = _DIGITS[records >> 4]
    lines[:, places[1::2]] = _DIGITS[records & 15]
    return lines


def _records(lines: Octets, header: Header) -> tuple[Octets, int | None]:
    """The packed records, and the number of the first invalid line, if any."""
    widths = [column.octets for column in header.columns]
    digit_of = np.full(256, 255, dtype=np.uint8)
    digit_of[_DIGITS] = np.arange(16)
    places = _digit_places(widths)
    digits = digit_of[lines[:, places]]
    fixed = np.ones(lines.shape[1], dtype=np.bool_)
    fixed[places] = False
    template = np.frombuffer(_template(widths), dtype=np.uint8)
    wrong = (digits > 15).any(axis=1) | (lines[:, fixed] != template[fixed]).any(axis=1)
    records: Octets = (digits[:, 0::2] * np.uint8(16)) | digits[:, 1::2]
    end = 0
    for column in header.columns:
        start, end = end, end + column.octets
        wrong |= (records[:, end - 1] & ((1 << (-column.positions % 8)) - 1)) != 0
        if column.rows is not None:
            wrong |= row_numbers(records[:, start : start + _ROW_OCTETS]) >= column.rows
    first = np.flatnonzero(wrong)
    return records, int(first[0]) if len(first) else None
