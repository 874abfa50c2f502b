"""Which tier a test belongs to, which files start first, and a guard: what needs no server starts no process.

A test's tier follows from where it stands and what it needs, so that none is without one. Only modules that start
servers or programs without a fixture, that draw at random, or that go through all stored texts say so themselves
(`pytestmark`). With `-m unit` files and folders of other tiers are not even imported.
"""

from __future__ import annotations

import gc
import os
import re
import sys
from collections.abc import Collection, Generator
from functools import cache
from pathlib import Path
from typing import Final

import pytest

TIERS: Final = {
    "unit": "needs neither a server nor another program",
    "texts": "takes each of thousands of stored texts through the parser or the planner, without a server",
    "postgres": "asks a server, or starts a program",
    "statistical": "draws at random, or tries generated examples, without a server",
    "attack": "plays an attacker; most ask a server too",
}
SERVERS: Final = frozenset({"postgres_cluster", "stage_cluster", "stage_postgres", "analyst", "replayed"})
"""Fixtures that start a server, or a program with servers of its own."""
FOLDERS: Final = {
    "attacks": "attack",
    **dict.fromkeys(
        (
            "audit",
            "budget",
            "clients",
            "corpus",
            "dashboard",
            "demo",
            "end_to_end",
            "postgres",
            "suggest_bounds",
            "tpch",
        ),
        "postgres",
    ),
}
"""Folders that are of one tier as a whole."""

_TESTS: Final = Path(__file__).parent
_STARTS: Final = frozenset({"subprocess.Popen", "os.fork", "os.forkpty", "os.posix_spawn", "os.system", "os.exec"})
_MARKED: Final = re.compile(rf"^pytestmark = pytest\.mark\.({'|'.join(TIERS)})$", re.MULTILINE)
_running: list[str] = []
_installed: list[bool] = []


class ProcessStartedError(AssertionError):
    """A test of a tier without servers has started a process."""


def further_tiers(path: Path, fixtures: Collection[str], marks: Collection[str], *, generated: bool) -> set[str]:
    """The tiers that a test has besides those of its marks.

    Args:
        path: its file.
        fixtures: names of all fixtures that it reaches.
        marks: names of its own and its module's markers.
        generated: Hypothesis makes its examples.
    """
    found = set(marks & TIERS.keys())
    if (folder := _folder(path)) in FOLDERS:
        found.add(FOLDERS[folder])
    if not SERVERS.isdisjoint(fixtures):
        found.add("postgres")
    if generated and not found:
        found.add("statistical")
    return (found or {"unit"}) - set(marks)


def pytest_configure(config: pytest.Config) -> None:
    """Name the tiers, and let xdist hand out files in our order."""
    for name, meaning in TIERS.items():
        config.addinivalue_line("markers", f"{name}: {meaning}")
    config.option.loadscopereorder = False
    if not _installed:
        sys.addaudithook(_refuse_processes)
        _installed.append(True)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """Processes of `-n auto`: three for two cores, since a process waits for its servers a fifth of the time."""
    return len(os.sched_getaffinity(0)) + 1


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Give every test its tiers, before `-m` selects by them; files that take long come first."""
    for item in items:
        marks = {mark.name for mark in item.iter_markers()}
        generated = hasattr(getattr(item, "obj", None), "hypothesis")
        for name in sorted(further_tiers(item.path, getattr(item, "fixturenames", ()), marks, generated=generated)):
            item.add_marker(name)
    items.sort(key=lambda item: _place(item.path))


def pytest_collection_finish() -> None:
    """Leave modules and collected tests, which all stay, out of the search for garbage: it takes a fifteenth of the time
    otherwise."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 50)


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave out what is of another tier as a whole, if only unit tests are wanted."""
    if config.option.markexpr != "unit":
        return None
    if _folder(collection_path / "_") in FOLDERS:
        return True
    if collection_path.suffix == ".py" and (mark := _MARKED.search(collection_path.read_text(encoding="utf-8"))):
        return mark[1] != "unit" or None
    return None


@cache
def _folder(path: Path) -> str:
    """The folder of `tests` in which `path` is; empty for what is outside."""
    return path.relative_to(_TESTS).parts[0] if path.is_relative_to(_TESTS) else ""


@cache
def _place(path: Path) -> int:
    name = path.relative_to(_TESTS).as_posix() if path.is_relative_to(_TESTS) else ""
    return LONGEST.index(name) if name in LONGEST else len(LONGEST)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Watch over tests that need no server, with the fixtures that they start."""
    if item.get_closest_marker("unit") is None and item.get_closest_marker("texts") is None:
        return (yield)
    _running.append(item.nodeid)
    try:
        return (yield)
    finally:
        _running.pop()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Reports of what has passed go without keywords to the process that prints: forty thousand long dictionaries."""
    report = yield
    if report.passed:
        report.keywords = {}
    return report


def _refuse_processes(event: str, _: tuple[object, ...]) -> None:
    if _running and event in _STARTS:
        raise ProcessStartedError(
            f"{_running[-1]} is of a tier without servers and starts a process ({event}): "
            "write `pytestmark = pytest.mark.postgres`"
        )


LONGEST: Final = (
    "demo/test_command.py",
    "end_to_end/test_released_subqueries.py",
    "attacks/test_one_person_does_not_fill_the_memory.py",
    "end_to_end/test_padded_texts.py",
    "audit/test_power.py",
    "end_to_end/test_interval_coverage.py",
    "parsing/test_effort.py",
    "end_to_end/test_serve_command.py",
    "end_to_end/test_serve_refusals.py",
    "audit/test_battery.py",
    "end_to_end/test_response_times.py",
    "timing/test_attack.py",
    "end_to_end/test_charging.py",
    "corpus/test_corpus.py",
    "audit/test_known_leaks.py",
    "docs/test_sessions.py",
    "attacks/test_join_sensitivity.py",
    "end_to_end/test_choices.py",
    "attacks/test_row_sensitivity.py",
    "docs/test_constructs.py",
    "audit/test_lower_bounds.py",
)
"""Files that take more than ten seconds of processors, their servers' included; the longest first, so that no process
is left alone with one at the end.

xdist's own order, by the number of tests, has those with few long ones last.
"""
