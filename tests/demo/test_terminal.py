"""Tables keep their columns whatever the letters; progress is for terminals, and leaves nothing behind."""

from __future__ import annotations

import io
import os
import pty
import subprocess
import sys

import pytest

from proxy.terminal import progress, table_lines

PROGRAM = """
from proxy.terminal import progress
with progress() as show:
    show("first of two")
    show("second")
print("done")
"""


def test_texts_are_aligned_left_and_numbers_right() -> None:
    assert table_lines(["name", "number"], [["a", "1"], ["longer", "1000000"]], texts=1) == [
        "name      number",
        "────────────────",
        "a              1",
        "longer   1000000",
    ]


@pytest.mark.parametrize("name", ["東京", "ne\u0301e\u0301\u0301x", "abcd"])
def test_letters_count_as_many_cells_as_a_terminal_gives_them(name: str) -> None:
    (*_, line, other) = table_lines(["name", "n"], [[name, "7"], ["four", "7"]], texts=1)
    assert line == f"{name}   {other[-1]}"


def test_a_table_without_rows_has_its_titles() -> None:
    assert table_lines(["name", "n"], [], texts=1) == ["name   n", "────────"]


def test_nothing_is_shown_where_there_is_no_terminal() -> None:
    stream = io.StringIO()
    with progress(stream) as show:
        show("reading")
    assert stream.getvalue() == ""


@pytest.mark.parametrize(("kind", "expected"), [("xterm", ["first of two", "second", ""]), ("dumb", [])])
def test_a_terminal_shows_one_text_at_a_time_and_none_in_the_end(kind: str, expected: list[str]) -> None:
    ours, theirs = pty.openpty()
    try:
        command, environment = [sys.executable, "-c", PROGRAM], {**os.environ, "TERM": kind}
        done = subprocess.run(command, check=True, stderr=theirs, stdout=subprocess.PIPE, env=environment)
        os.write(theirs, b"|")
        shown = ""
        while not shown.endswith("|"):
            shown += os.read(ours, 10_000).decode()
    finally:
        os.close(ours)
        os.close(theirs)
    assert done.stdout == b"done\n"
    assert shown == "".join(f"\r\033[K{text}" for text in expected) + "|"
