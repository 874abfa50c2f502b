"""Statements that are planned in several processes: each by one of them, and as if one had planned them all."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import subprocess
import sys
import time
from itertools import chain
from pathlib import Path

import pytest

from proxy.policy.catalog_file import catalog_of_policy, read_catalog_file
from proxy.policy.load import load_policy
from proxy.rehearsal.opened import opened
from proxy.rehearsal.planners import Question, starting_rehearsals
from proxy.rehearsal.rehearsing import rehearse
from proxy.rehearsal.report import text_report
from proxy.rehearsal.servers import starting_server
from proxy.rehearsal.shares import shares
from proxy.rehearsal.stages import built_stage
from proxy.sql.scripts import cut
from tests.end_to_end import clinic
from tests.rehearsal.test_commands import directory

__all__ = ["directory"]

SCRIPTS = (
    """SET dp.epsilon = 0.25;
    SELECT count(*) FROM visits;
    SELECT absent FROM visits;
    SET dp.epsilon = 0.5;
    SELECT region, count(*) FROM visits GROUP BY region; -- by region
    SELECT 1;
    RESET dp.epsilon;
    WITH v AS (SELECT * FROM visits) SELECT sum(cost) FROM v;
    SHOW dp.epsilon""",
    "SELECT 'never ended",
    "",
    "PREPARE q AS SELECT count(*) FROM visits; EXECUTE q; EXPLAIN SELECT sum(cost) FROM visits; DEALLOCATE q",
    "SELECT max(cost) FROM visits; SELECT min(cost) FROM visits;",
)


def test_each_statement_is_in_one_share() -> None:
    for count in (1, 2, 3):
        found = shares(SCRIPTS, count)
        assert len(found) == count
        for number, script in enumerate(SCRIPTS):
            given = [place for share in found for place in share.get(number, ())]
            assert sorted(given) == list(range(len(cut(script))))


def test_queries_and_settings_are_shared_out() -> None:
    first, second = shares(SCRIPTS[:1], 2)
    assert min(len(first[0]), len(second[0])) >= 2


@pytest.mark.parametrize(
    "statement",
    [
        "BEGIN",
        "CREATE TEMP TABLE t AS SELECT count(*) FROM visits",
        "SELECT count(*) INTO TEMP t FROM visits",
        "PREPARE q AS SELECT count(*) FROM visits",
        "SELECT set_config('dp.epsilon', '1', false)",
        "DECLARE c CURSOR FOR SELECT count(*) FROM visits",
        "WITH w AS (INSERT INTO t VALUES (1) RETURNING 1) SELECT * FROM w",
        "SELECT currval('numbers')",
    ],
)
def test_a_script_whose_statements_may_depend_on_each_other_stays_whole(statement: str) -> None:
    script = f"SELECT count(*) FROM visits; {statement}; SELECT sum(cost) FROM visits"
    assert [dict(share) for share in shares([script], 2)] == [{0: {0, 1, 2}}, {}]


@pytest.mark.postgres
def test_what_is_planned_in_shares_is_what_is_planned_at_once(catalog_file: Path) -> None:
    policy = clinic.policy()
    catalog = catalog_of_policy(read_catalog_file(catalog_file), policy)
    with starting_server() as server:
        built = built_stage(policy, catalog, server)

        async def at_once() -> list[str]:
            place = opened(built)
            found = await rehearse(place, "ana", SCRIPTS)
            await place.stage.close()
            assert all(outcome.plan is not None for outcome in found[-1])
            return [text_report(outcomes) for outcomes in found]

        async def in_shares() -> list[str]:
            place = opened(built)
            parts = [await rehearse(place, "ana", SCRIPTS, share) for share in shares(SCRIPTS, 3)]
            await place.stage.close()
            found = [sorted(chain(*each), key=lambda outcome: outcome.start) for each in zip(*parts, strict=True)]
            return [text_report(outcomes) for outcomes in found]

        reports = asyncio.run(in_shares())
        assert reports == asyncio.run(at_once())
    assert "epsilon 0.25" in reports[0]
    assert "epsilon 0.5" in reports[0]


@pytest.mark.postgres
@pytest.mark.parametrize("seconds", [0.2, 0.6])
def test_an_interrupt_ends_the_command_and_its_processes_without_a_traceback(directory: Path, seconds: float) -> None:
    (directory / "q.sql").write_text("SELECT count(*) FROM visits")
    arguments = ("check", "policy.yaml", "--catalog", "catalog.json", "--queries", "q.sql")
    with running(directory, *arguments) as process:
        time.sleep(seconds)
        os.killpg(process.pid, signal.SIGINT)
        # To the end of all that inherited the stream.
        _, errors = process.communicate(timeout=60)
    # Where it meets `exec`, as of a dataclass, CPython ends itself by the signal: a shell says 130 of both.
    assert process.returncode in (130, -signal.SIGINT)
    assert b"Traceback" not in errors


@pytest.mark.postgres
def test_nobody_waits_for_queries_that_are_planned_for_nobody(directory: Path) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    policy = load_policy(directory / "policy.yaml", needs_source=False)
    catalog = catalog_of_policy(read_catalog_file(directory / "catalog.json"), policy)
    kept = signal.signal(signal.SIGALRM, interrupted)
    try:
        with contextlib.suppress(KeyboardInterrupt), starting_rehearsals() as rehearsals:
            built = built_stage(policy, catalog, rehearsals.server)
            rehearsals.planner.read(Question("check", built, "analyst", {"": "SELECT 1"}))
            began = time.monotonic()
            signal.setitimer(signal.ITIMER_REAL, 2)
            rehearsals.planner.read(Question("check", built, "analyst", many_queries()))
            pytest.fail("planned to the end")
    finally:
        signal.signal(signal.SIGALRM, kept)
    assert time.monotonic() - began < 20


@pytest.mark.postgres
def test_what_plans_ends_with_a_command_that_is_killed(directory: Path) -> None:
    for name, script in many_queries().items():
        (directory / f"{name}.sql").write_text(script)
    with running(directory, "check", "policy.yaml", "--catalog", "catalog.json", "--queries", ".") as process:
        time.sleep(5)
        assert process.poll() is None
        process.kill()
        process.communicate(timeout=20)  # until nothing that inherited the stream is left


@pytest.mark.postgres
def test_nothing_is_imported_from_the_directory_that_a_command_is_run_in(directory: Path) -> None:
    for name in ("proxy/__init__.py", "threading.py", "sqlglot.py"):
        (directory / name).parent.mkdir(exist_ok=True)
        (directory / name).write_text("open('imported', 'w')")
    with running(directory, "explain", "SELECT 1", "--policy", "policy.yaml", "--catalog", "catalog.json") as process:
        _, errors = process.communicate(timeout=60)
    assert (process.returncode, errors) == (0, b"")
    assert not (directory / "imported").exists()


def running(directory: Path, *arguments: str) -> subprocess.Popen[bytes]:
    """A command in a session of its own."""
    command = [sys.executable, "-P", "-m", "proxy.cli", *arguments]
    return subprocess.Popen(
        command, cwd=directory, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, start_new_session=True
    )


def many_queries() -> dict[str, str]:
    """What takes a minute to plan."""
    query = "SELECT region, count(*), sum(cost), avg(cost), stddev(cost) FROM visits WHERE cost > {} GROUP BY region;"
    return {str(first): "".join(map(query.format, range(first, first + 900))) for first in range(0, 3600, 900)}
