"""`dpproxy demo` as a new user starts it: answers, order, and nothing left behind."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest

from proxy.demo.first_questions import QUESTIONS
from tests.dashboard.visitor import Visitor

pytestmark = pytest.mark.postgres

COMMAND = (sys.executable, "-m", "proxy.cli", "demo")
PATIENCE_SECONDS = 60.0


def environment(directory: Path) -> dict[str, str]:
    return {**os.environ, "TMPDIR": str(directory), "COLUMNS": "80"}


def run_demo(directory: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*COMMAND, *arguments],
        env=environment(directory),
        capture_output=True,
        text=True,
        timeout=PATIENCE_SECONDS,
        check=False,
    )


@contextmanager
def serving_demo(directory: Path, *arguments: str) -> Iterator[subprocess.Popen[str]]:
    process = subprocess.Popen([*COMMAND, *arguments], env=environment(directory), stdout=subprocess.PIPE, text=True)
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def read_until(process: subprocess.Popen[str], text: str) -> str:
    """The demo's output up to the line that has `text`."""
    assert process.stdout is not None
    lines = []
    for line in process.stdout:
        lines.append(line)
        if text in line:
            return "".join(lines)
    raise AssertionError(f"the demo ended without {text!r}:\n{''.join(lines)}")


def processes_in(directory: Path) -> list[str]:
    """Processes that work in `directory`, also if it is deleted already: a server works in its data directory."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                working_directory = os.readlink(entry / "cwd")
            except OSError:
                continue
            if working_directory.startswith(str(directory)):
                found.append(entry.name)
    return found


def assert_nothing_is_left(directory: Path) -> None:
    assert list(directory.iterdir()) == []
    assert processes_in(directory) == []


def test_once_answers_every_question_and_leaves_nothing_behind(tmp_path: Path) -> None:
    demo = run_demo(tmp_path, "--once", "--rows", "20000", "--listen", "127.0.0.1:0")
    assert demo.returncode == 0, demo.stderr
    assert demo.stderr == ""
    for question in QUESTIONS:
        assert question.title in demo.stdout
    assert re.search(r"listening on 127\.0\.0\.1:\d+", demo.stdout)
    assert re.search(r"psql postgresql://ana:demo@127\.0\.0\.1:\d+/clinic\n", demo.stdout)
    assert re.search(r"region +number +exact +noisy +95 % interval +off by", demo.stdout)
    assert re.search(r"centre +count\(\*\) +5,\d\d\d +\d,\d\d\d +[\d,]+ to [\d,]+ +[\d.]+%", demo.stdout)
    assert re.search(r"avg\(cost\) +1\d\d\.\d\d +[\d.]+ +[\d.]+ to [\d.]+ +[\d.]+%", demo.stdout)
    assert re.search(r"lassa fever +\d+ +not shown +- +-", demo.stdout)
    assert demo.stdout.count("dpproxy charged") == len(QUESTIONS) - 1
    assert demo.stdout.count("dpproxy recalled an earlier answer") == 1
    assert_nothing_is_left(tmp_path)


@pytest.mark.parametrize("stop", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_serving_in_order_and_leaves_nothing_behind(tmp_path: Path, stop: signal.Signals) -> None:
    with serving_demo(tmp_path, "--rows", "1000", "--listen", "127.0.0.1:0") as demo:
        output = read_until(demo, "dp.budget")
        match = re.search(r"(postgresql://\S+)", output)
        assert match is not None
        with psycopg.connect(match[1]) as connection:
            assert connection.execute("SELECT count(*) FROM patients").fetchone() is not None
        assert processes_in(tmp_path) != []
        demo.send_signal(stop)
        assert demo.wait(PATIENCE_SECONDS) == 0
    assert_nothing_is_left(tmp_path)


@pytest.mark.parametrize("stop", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_during_the_start_leaves_nothing_behind(tmp_path: Path, stop: signal.Signals) -> None:
    with serving_demo(tmp_path, "--rows", "1000", "--listen", "127.0.0.1:0") as demo:
        read_until(demo, "Starting the clinic's own PostgreSQL")
        demo.send_signal(stop)
        assert demo.wait(PATIENCE_SECONDS) == 130
    assert_nothing_is_left(tmp_path)


def test_the_dashboard_is_shown_to_its_steward_and_ends_with_the_demo(tmp_path: Path) -> None:
    arguments = ("--rows", "1000", "--listen", "127.0.0.1:0", "--http", "127.0.0.1:0")
    with serving_demo(tmp_path, *arguments) as demo:
        found = re.search(r"http://(127\.0\.0\.1):(\d+), log in as sam", read_until(demo, "dp.budget"))
        assert found is not None
        visitor = Visitor("http", found[1], int(found[2]))
        assert visitor.log_in("sam", "demo").status == 303
        assert "table:public.visits" in visitor.get("/").text
        demo.send_signal(signal.SIGINT)
        assert demo.wait(PATIENCE_SECONDS) == 0
    assert_nothing_is_left(tmp_path)


def test_a_kept_state_answers_the_same_questions_for_free(tmp_path: Path) -> None:
    arguments = ("--once", "--rows", "1000", "--listen", "127.0.0.1:0", "--state", str(tmp_path / "state"))
    first, second = run_demo(tmp_path, *arguments), run_demo(tmp_path, *arguments)
    assert (first.returncode, second.returncode) == (0, 0), second.stderr
    assert "kept from an earlier run" in second.stdout
    assert "dpproxy charged" not in second.stdout
    assert second.stdout.count("dpproxy recalled an earlier answer") == len(QUESTIONS)
    assert tables(first.stdout) == tables(second.stdout)


def tables(output: str) -> list[str]:
    return [line for line in output.splitlines() if line.endswith("%")]


@pytest.mark.parametrize(
    "arguments", [("--rows", "999"), ("--rows", "5000001"), ("--listen", "nowhere"), ("--http", "nowhere")]
)
def test_wrong_arguments_are_named_and_start_nothing(tmp_path: Path, arguments: tuple[str, str]) -> None:
    demo = run_demo(tmp_path, *arguments)
    assert demo.returncode == 2
    assert demo.stderr.startswith(f"dpproxy demo: {arguments[0]}: ")
    assert_nothing_is_left(tmp_path)


def test_an_address_in_use_is_named(tmp_path: Path) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        address = f"127.0.0.1:{other.getsockname()[1]}"
        demo = run_demo(tmp_path, "--rows", "1000", "--listen", address)
    assert demo.returncode == 1
    assert f"cannot listen on {address}" in demo.stderr
    assert_nothing_is_left(tmp_path)
