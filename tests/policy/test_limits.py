"""Files that no policy is: judged before they are built, without a traceback."""

from __future__ import annotations

import io
import os
import time
from pathlib import Path

import pytest

from proxy.policy.document import MOST_CHARACTERS, MOST_NODES
from proxy.policy.load import examine_policy, examine_stream
from proxy.policy.unit_paths import MOST_HOPS
from tests.policy.policies import VALID, edited, examine


def laughs(levels: int) -> str:
    """Lists of nine aliases of the list before: nine values, 81, 729, and so on."""
    lines = ["a: &a [x, x, x, x, x, x, x, x, x]\n"]
    for before, name in zip("abcdefghi", "bcdefghij"[:levels], strict=False):
        lines.append(f"{name}: &{name} [{', '.join([f'*{before}'] * 9)}]\n")
    return "".join(lines)


VALUES = ", ".join(f"v{number}" for number in range(100_000))

TOO_LARGE = {
    "brackets": "[" * 100_000,
    "braces": "{a: " * 100_000,
    "blocks": "".join(f"{' ' * depth}a:\n" for depth in range(1000)),
    "dashes": "- " * 10_000,
    "aliases": laughs(9),
    "a few aliases": laughs(4),
    "values": edited("[cardiology, radiology]", f"[{VALUES}]"),
    "lines": VALID + "x\n" * MOST_CHARACTERS,
    "comment": f"{VALID}# {'x' * 30_000_000}\n",
    "tag": "!" * 900_000,
    "anchor": "a: &" + "b" * 900_000,
    "tables": VALID + "".join(f"  public.t{number}: {{public: true}}\n" for number in range(30_000)),
}


@pytest.mark.parametrize("text", TOO_LARGE.values(), ids=TOO_LARGE.keys())
def test_a_file_that_is_too_large_is_refused_early(text: str) -> None:
    began = time.process_time()
    (finding,) = examine_stream(io.BytesIO(text.encode()), "policy.yaml").findings
    assert finding.rule == "DP105"
    # Alone it takes less than a second; unlimited, each of them took minutes or ended in a RecursionError.
    assert time.process_time() - began < 10


def test_a_long_chain_of_tables_is_refused_early() -> None:
    tables = "".join(
        f"  public.t{number}:\n    unit: {{name: patient, via: a -> public.t{number + 1}.a}}\n"
        "    budget: {epsilon: 1}\n    columns: {}\n"
        for number in range(1500)
    )
    last = "  public.t1500: {unit: {name: patient, column: a}, budget: {epsilon: 1}, columns: {a: {}}}\n"
    began = time.process_time()
    findings = examine(VALID + tables + last).findings
    assert {(finding.rule, finding.message) for finding in findings} == {
        ("DP213", f"the path has more than {MOST_HOPS} steps")
    }
    assert len(findings) == 1500 - MOST_HOPS
    assert time.process_time() - began < 10


ODD = {
    "an escape of no character": 'a: "\\UFFFFFFFF"',
    "an unknown directive": "%YAML 9.9\n---\na: 1",
    "two documents": "a: 1\n---\nb: 2",
    "an anchor twice": "a: &x 1\nb: &x 2",
    "an alias of nothing": "a: *x",
    "an alias of itself": "&x [*x]",
    "a null byte": "a: \0",
    "a tab": "\ta: 1",
    "nothing": "",
    "a byte order mark": "\ufeff",
    "half a tag": "!<",
    "a list as a key": "? [a]\n: b",
    "a surrogate": 'a: "\\ud800"',
}


@pytest.mark.parametrize("text", ODD.values(), ids=ODD.keys())
def test_odd_files_have_findings_and_no_traceback(text: str) -> None:
    examination = examine(text)
    assert examination.policy is None
    assert examination.findings


def test_a_file_of_many_bytes_is_not_read_to_its_end() -> None:
    class Endless(io.RawIOBase):
        def read(self, size: int = -1) -> bytes:
            assert 0 < size < 100 * MOST_CHARACTERS
            return b"#" * size

    (finding,) = examine_stream(Endless(), "policy.yaml").findings  # type: ignore[arg-type]
    assert finding.rule == "DP105"


def test_what_is_no_file_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.yaml")
    for path, reason in (
        (tmp_path / "pipe.yaml", "a pipe"),
        (tmp_path, "Is a directory"),
        (tmp_path / "absent.yaml", "No such file"),
        (Path("/dev/zero"), "more than"),
    ):
        (finding,) = examine_policy(path).findings
        assert reason in finding.message


def test_a_large_policy_is_no_mistake() -> None:
    tables = "".join(f"  public.t{number}: {{public: true}}\n" for number in range(MOST_NODES // 8))
    assert examine(VALID + tables).policy is not None
