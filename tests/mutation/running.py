"""A pytest plugin that, in place of running the tests once, runs for each mutant the tests that could notice it.

All tests are collected and the servers that they share are started once. Each mutant then lives in a child process of
its own, so that whatever it breaks is gone with it.
"""

from __future__ import annotations

import gc
import json
import os
import re
import select
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import count
from pathlib import Path

import psycopg
import pytest
from _pytest.runner import runtestprotocol
from psycopg import sql

from tests.mutation.choosing import NEW_MODULE, Recorded, within
from tests.mutation.replacing import NotReplaceableError, Replacer
from tests.mutation.session import Mutant, Outcome, Session

VARIABLE = "DPPROXY_MUTANT"
"""Tells `tests.mutation.importing` what to import in place of what."""

_LASTING = frozenset(["lasting_proxies", "exact_proxy", "proxy", "comparison", "demo_port", "analyst"])
"""Fixtures that start threads and last: they would not survive in a child."""


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("mutation")
    group.addoption("--mutants", metavar="FILE", required=True, help="session file")
    group.addoption("--recorded", metavar="FILE", action="append", required=True, help="of tests.mutation.recording")
    group.addoption("--most-tests", type=int, default=60, help="tests for one mutant")
    group.addoption("--most-seconds", type=float, default=30, help="seconds for one mutant")
    group.addoption("--until", type=float, default=float("inf"), help="stop at this time, in seconds since 1970")
    group.addoption("--operator", action="append", default=[], help="only these operators' mutants, in this order")
    group.addoption("--module", action="append", default=[], help="only mutants of paths that begin so, in this order")
    group.addoption("--again", action="store_true", help="try those that survived, not those that were not tried")


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop(session: pytest.Session) -> bool:
    config = session.config
    recorded = Recorded([Path(file) for file in config.getoption("--recorded")], Path.cwd())
    with Session(Path(config.getoption("--mutants"))) as mutants:
        worker = _Worker(session, recorded, config.getoption("--most-tests"), config.getoption("--most-seconds"))
        for mutant in _wanted(config, mutants):
            if time.time() > config.getoption("--until"):
                break
            outcome = worker.run(mutant)
            mutants.note(mutant, outcome)
            said = outcome.killer or "SURVIVED"
            print(f"{mutant.name}: {said} ({outcome.tests} tests, {outcome.seconds:.1f} s)", flush=True)
    return True


def _wanted(config: pytest.Config, session: Session) -> list[Mutant]:
    if config.getoption("--again"):
        results = session.results()
        found = [mutant for mutant in session.mutants() if not results.get(mutant.job, (True, ""))[0]]
    else:
        found = list(session.pending())
    if modules := config.getoption("--module"):
        found = [mutant for prefix in modules for mutant in found if mutant.path.startswith(prefix)]
    if operators := config.getoption("--operator"):
        found = [mutant for operator in operators for mutant in found if mutant.operator == operator]
    return list(dict.fromkeys(found))


class _Worker:
    def __init__(self, session: pytest.Session, recorded: Recorded, most_tests: int, most_seconds: float) -> None:
        self._session, self._recorded = session, recorded
        self._most_tests, self._most_seconds = most_tests, most_seconds
        self._items = {item.nodeid: item for item in session.items}
        self._numbers = count(1)
        self._start_servers()
        self._servers = _servers()
        self._lasting = {dsn: _databases(dsn) for dsn in self._servers}
        self._replacer = Replacer("proxy")
        gc.collect()
        gc.freeze()

    def _start_servers(self) -> None:
        """Run one test of each folder whose tests share servers; another folder's test comes after, so that they stay."""
        first: dict[str, pytest.Item] = {}
        for item in self._session.items:
            names = set(getattr(item, "fixturenames", ()))
            if names & {"postgres_cluster", "stage_cluster"} and not names & _LASTING:
                folder = item.nodeid.split("/")[1] + str("stage_cluster" in names)
                known = first.setdefault(folder, item)
                if self._seconds(item) < self._seconds(known):
                    first[folder] = item
        tried = list(first.values())
        if not tried:
            return
        elsewhere = next(item for item in self._session.items if item not in tried)
        for item, following in zip(tried, [*tried[1:], elsewhere], strict=True):
            for report in runtestprotocol(item, nextitem=following, log=False):
                if report.failed:
                    raise pytest.UsageError(f"{item.nodeid} fails without any mutant:\n{report.longreprtext}")

    def _seconds(self, item: pytest.Item) -> float:
        return self._recorded.seconds.get(item.nodeid, 1)

    def run(self, mutant: Mutant) -> Outcome:
        """What becomes of a mutant."""
        tests = [test for test in self._recorded.tests(mutant) if test in self._items]
        chosen = within(tests, self._recorded.seconds, self._most_tests, self._most_seconds)
        if not chosen:
            return Outcome(None, 0, 0)
        start, number = time.monotonic(), next(self._numbers)
        mutant.source()  # once for the child and for the session
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(reading)
            self._be_child(mutant, chosen, number, writing)
        os.close(writing)
        modules = {test.partition("::")[0] for test in chosen}
        usual = NEW_MODULE * len(modules) + sum(self._recorded.seconds.get(test, 1) for test in chosen)
        said = _read(reading, min(20 + 3 * usual, 120))
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        os.close(reading)
        if any("postgres_cluster" in getattr(self._items[test], "fixturenames", ()) for test in chosen):
            self._tidy()
        taken = time.monotonic() - start
        if said is None:
            return Outcome("(took too long)", len(chosen), taken)
        if not said:
            return Outcome("(the process ended)", len(chosen), taken)
        result = json.loads(said)
        return self._run_anew(mutant, chosen) if result is False else Outcome(result, len(chosen), taken)

    def _run_anew(self, mutant: Mutant, tests: Sequence[str]) -> Outcome:
        """What becomes of a mutant that has to be imported, in a process with servers of its own."""
        start = time.monotonic()
        with tempfile.NamedTemporaryFile("w", suffix=".py") as mutated:
            mutated.write(mutant.source())
            mutated.flush()
            done = subprocess.run(
                [
                    sys.executable,
                    "-m",
                    "pytest",
                    "-p",
                    "tests.mutation.importing",
                    "-xq",
                    "-p",
                    "no:cacheprovider",
                    *tests,
                ],
                env={**os.environ, VARIABLE: f"{mutant.module}={mutated.name}"},
                capture_output=True,
                text=True,
                check=False,
            )
        failed = re.search(r"^(?:FAILED|ERROR) (\S+)", done.stdout, re.MULTILINE)
        killer = None if done.returncode == 0 else failed[1] if failed else "(nothing can be imported)"
        return Outcome(killer, len(tests), time.monotonic() - start)

    def _be_child(self, mutant: Mutant, tests: Sequence[str], number: int, writing: int) -> None:
        try:
            nowhere = os.open(os.devnull, os.O_RDWR)
            for descriptor in (0, 1, 2):
                os.dup2(nowhere, descriptor)
            _number_databases(number)
            result: str | bool | None
            try:
                self._replacer.replace(mutant)
                result = self._first_failure([self._items[test] for test in tests])
            except NotReplaceableError:
                result = False
            os.write(writing, json.dumps(result).encode())
        finally:
            os._exit(0)

    def _first_failure(self, items: Sequence[pytest.Item]) -> str | None:
        state = self._session._setupstate
        state.teardown_exact(items[0])
        for item, following in zip(items, [*items[1:], items[-1]], strict=True):
            if any(report.failed for report in runtestprotocol(item, nextitem=following, log=False)):
                return item.nodeid
        return None

    def _tidy(self) -> None:
        for dsn, lasting in self._lasting.items():
            with psycopg.connect(dsn, autocommit=True) as connection:
                for name in _databases(dsn) - lasting:
                    connection.execute(sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(name)))


def _read(descriptor: int, seconds: float) -> str | None:
    """What a child says until it ends; None if it takes too long."""
    said, end = b"", time.monotonic() + seconds
    while (left := end - time.monotonic()) > 0:
        if select.select([descriptor], [], [], left)[0]:
            part = os.read(descriptor, 65536)
            if not part:
                return said.decode()
            said += part
    return None


def _servers() -> list[str]:
    """Connection strings of the running servers."""
    from proxy.postgres.binaries import EmbeddedPostgresError
    from proxy.postgres.embedded import EmbeddedPostgres

    found = []
    for server in gc.get_objects():
        if isinstance(server, EmbeddedPostgres):
            with suppress(EmbeddedPostgresError):
                found.append(server.dsn())
    return found


def _databases(dsn: str) -> set[str]:
    with psycopg.connect(dsn, autocommit=True) as connection:
        return {name for (name,) in connection.execute("SELECT datname FROM pg_database")}


def _number_databases(number: int) -> None:
    """Children number their databases from different numbers, since they share the servers."""
    from tests.conftest import PostgresCluster

    def fresh() -> Iterator[int]:
        return count(1000 * number)

    for cluster in gc.get_objects():
        if isinstance(cluster, PostgresCluster):
            cluster._numbers = fresh()
    for module in list(sys.modules.values()):
        if module.__name__.startswith("tests.") and isinstance(getattr(module, "_numbers", None), count):
            module._numbers = fresh()  # type: ignore[attr-defined]
