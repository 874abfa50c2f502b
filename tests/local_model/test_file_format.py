"""The file: what is written is read, and nothing else is."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from proxy.local_model.file_format import (
    Header,
    LocalFileError,
    LocalRelease,
    ReleasedColumn,
    header_line,
    read_release,
    with_rows,
    write_release,
)

pytestmark = pytest.mark.statistical

TEXTS = st.text(st.characters(codec="utf-8"), max_size=12)


def header(columns: tuple[ReleasedColumn, ...], records: int, mechanism: str) -> Header:
    return Header.model_validate(
        {
            "format": "dpproxy local release",
            "version": 1,
            "table": "public.visits",
            "unit": "patient",
            "mechanism": mechanism,
            "epsilon": f"{len(columns) + 1}",
            "count_epsilon": "1",
            "report_epsilon": "1",
            "values_per_unit": 1,
            "total": records,
            "records": records,
            "columns": columns,
            "guarantee": "…",
        }
    )


@st.composite
def releases(draw: st.DrawFn) -> LocalRelease:
    mechanism = draw(st.sampled_from(["rappor", "sketch"]))
    names = draw(st.lists(TEXTS, min_size=1, max_size=3, unique=True))
    records = draw(st.integers(0, 5))
    columns, reports = [], []
    for name in names:
        values = tuple(draw(st.lists(TEXTS, max_size=12, unique=True)))
        column = ReleasedColumn(name=name, type="text", values=values)
        if mechanism == "sketch":
            rows, buckets = 2 ** draw(st.integers(0, 16)), 2 ** draw(st.integers(1, 6))
            column = ReleasedColumn(name=name, type="text", values=values, seed="0f" * 32, rows=rows, buckets=buckets)
        bits = draw(st.binary(min_size=records * column.positions, max_size=records * column.positions))
        vectors = np.packbits(np.frombuffer(bits, np.uint8).reshape(records, column.positions) & 1, axis=1)
        if column.rows is not None:
            row_numbers = [draw(st.integers(0, column.rows - 1)) for _ in range(records)]
            vectors = with_rows(row_numbers, vectors)
        columns.append(column)
        reports.append(vectors)
    return LocalRelease(header(tuple(columns), records, mechanism), np.concatenate(reports, axis=1))


def write(path: Path, release: LocalRelease) -> None:
    write_release(path, header_line(release.header), release.records, [c.octets for c in release.header.columns])


@settings(max_examples=80, deadline=None)
@given(release=releases())
def test_what_is_written_is_read(release: LocalRelease, tmp_path_factory: pytest.TempPathFactory) -> None:
    path = tmp_path_factory.mktemp("file") / "release"
    write(path, release)
    read = read_release(path)
    assert read.header == release.header
    assert (read.records == release.records).all()
    lines = path.read_text(encoding="utf-8").split("\n")
    assert [len(json.loads(line)) for line in lines[1:-1]] == [len(release.header.columns)] * release.header.records


@settings(max_examples=150, deadline=None)
@given(release=releases(), data=st.data())
def test_a_damaged_file_is_read_as_another_release_or_refused_with_a_line(
    release: LocalRelease, data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Never another exception, whatever single octet changes, is added or missing."""
    path = tmp_path_factory.mktemp("file") / "release"
    write(path, release)
    content = bytearray(path.read_bytes())
    place = data.draw(st.integers(0, len(content) - 1))
    content[place : place + data.draw(st.integers(0, 1))] = data.draw(st.binary(max_size=2))
    path.write_bytes(bytes(content))
    message = refusal(path)
    assert message is None or message.removeprefix(f"{path}:").partition(":")[0].isdigit()


def refusal(path: Path) -> str | None:
    """Why the file is no release; None if it is one."""
    try:
        read_release(path)
    except LocalFileError as error:
        return str(error)
    return None


GOOD = ReleasedColumn(name="a", type="text", values=("x", "y", "z"))
COLUMN = {"name": "a", "type": "text"}
SKETCH = ReleasedColumn(name="a", type="text", seed="00" * 32, rows=4, buckets=16)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "release"
    write(path, LocalRelease(header((GOOD,), 3, "rappor"), np.array([[0x80], [0x48], [0xF8]], dtype=np.uint8)))
    return path


MISTAKES: dict[str, tuple[Callable[[str], str], str]] = {
    "no header": (lambda _: "", ":1: not a local release of dpproxy: its first line does not end"),
    "another file": (lambda _: "hello\nworld\n", ":1: not a local release of dpproxy: Invalid JSON"),
    "a bad digit": (lambda text: text.replace("48", "4G"), ":3: not a record of this file's columns"),
    "a capital digit": (lambda text: text.replace("f8", "F8"), ":4: not a record"),
    "a blank": (lambda text: text.replace('["48"]', '[ "48]'), ":3: not a record"),
    "a bit beyond the last position": (lambda text: text.replace("48", "4c"), ":3: not a record"),
    "a missing record": (lambda text: text[:-7], ":4: 3 records are announced, the file ends before"),
    "an empty file of records": (lambda text: text.partition("\n")[0] + "\n", ":2: 3 records are announced"),
    "one more record": (lambda text: text + '["00"]\n', ":5: more than the 3 records"),
    "windows line ends": (lambda text: text.replace("\n", "\r\n"), ":2: not a record"),
}


@pytest.mark.parametrize(("change", "message"), MISTAKES.values(), ids=MISTAKES)
def test_mistakes_are_named_with_their_line(file: Path, change: Callable[[str], str], message: str) -> None:
    file.write_bytes(change(file.read_text()).encode())
    with pytest.raises(LocalFileError) as error:
        read_release(file)
    assert str(error.value).startswith(f"{file}{message}")


def test_a_row_that_the_sketch_does_not_have_is_refused(tmp_path: Path) -> None:
    records = with_rows([3, 4], np.zeros((2, 2), dtype=np.uint8))
    write(tmp_path / "release", LocalRelease(header((SKETCH,), 2, "sketch"), records))
    with pytest.raises(LocalFileError, match=r":3: not a record"):
        read_release(tmp_path / "release")


CHANGES: dict[str, tuple[dict[str, Any], str]] = {
    "another version": ({"version": 2}, "version: Input should be 1"),
    "an unknown key": ({"x": 1}, "x: Extra inputs are not permitted"),
    "parts that do not add up": ({"report_epsilon": "1/2"}, "the parts of epsilon do not add up"),
    "a zero epsilon": ({"count_epsilon": "0", "epsilon": "1"}, "an epsilon that no release has"),
    "an epsilon too small for floats": (
        {"count_epsilon": f"1/{10**40}", "epsilon": f"{10**40 + 1}/{10**40}"},
        "an epsilon that no release has",
    ),
    "an epsilon that is no number": ({"epsilon": "inf"}, "epsilon: String should match pattern"),
    "more records than rows": ({"total": 2}, "more records than the total"),
    "too many records": ({"records": 1 << 40, "total": 1 << 40}, "too many records"),
    "a number in quotes": ({"records": "3"}, "records: Input should be a valid integer"),
    "no columns": ({"columns": []}, "columns: Tuple should have at least 1 item"),
    "columns of another mechanism": ({"mechanism": "sketch"}, "the columns do not fit the mechanism"),
    "a column twice": ({"columns": [{"name": "a", "type": "text"}] * 2, "epsilon": "3"}, "a column occurs twice"),
    "a value twice": ({"columns": [COLUMN | {"values": ["x", "x"]}]}, "columns.0: a value occurs twice"),
    "too many values": (
        {"columns": [COLUMN | {"values": [str(number) for number in range(1001)]}]},
        "columns.0: more than 1000 values",
    ),
    "half a sketch": ({"columns": [COLUMN | {"rows": 4}]}, "columns.0: a sketch has a seed, rows and"),
    "a sketch too large for memory": (
        {"columns": [COLUMN | {"seed": "00" * 32, "rows": 65536, "buckets": 65536}]},
        "columns.0: too many rows and buckets",
    ),
}


@pytest.mark.parametrize(("change", "reason"), CHANGES.values(), ids=CHANGES)
def test_headers_that_contradict_themselves_are_refused(file: Path, change: dict[str, Any], reason: str) -> None:
    line, _, rest = file.read_text().partition("\n")
    assert read_release(file).header.records == 3
    file.write_text(json.dumps(json.loads(line) | change) + "\n" + rest)
    beginning = f"{file}:1: not a local release of dpproxy: "
    assert (refusal(file) or "").removeprefix(beginning).startswith(reason)


def test_a_file_is_replaced_in_one_step_and_readable_for_everybody(file: Path) -> None:
    before = read_release(file)
    with pytest.raises(OSError, match="too long"):
        write(file.with_name("x" * 300), before)
    assert [path.name for path in file.parent.iterdir()] == ["release"]
    os.chmod(file, 0o600)
    write(file, before)
    assert file.stat().st_mode & 0o777 == 0o644
    assert [path.name for path in file.parent.iterdir()] == ["release"]
