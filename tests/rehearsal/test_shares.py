"""Statements that are planned in several processes: each by one of them, and as if one had planned them all."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
from multiprocessing import active_children
from pathlib import Path

import pytest

from proxy.policy.catalog_file import catalog_of_policy, read_catalog_file
from proxy.policy.load import load_policy
from proxy.rehearsal import planners
from proxy.rehearsal.opened import opened
from proxy.rehearsal.readings import plan, read
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

        planned = [plan(built, "ana", SCRIPTS, share, 3) for share in range(3)]
        scripts = {str(number): script for number, script in enumerate(SCRIPTS)}
        reports = [explained[0] if explained is not None else "" for explained in read("text", scripts, planned)]
        assert reports == asyncio.run(at_once())
    assert "epsilon 0.25" in reports[0]
    assert "epsilon 0.5" in reports[0]


@pytest.mark.postgres
@pytest.mark.parametrize("seconds", [0.2, 0.6])
def test_an_interrupt_ends_the_command_and_its_processes_without_a_traceback(directory: Path, seconds: float) -> None:
    (directory / "q.sql").write_text("SELECT count(*) FROM visits")
    command = "import sys; from proxy.cli import main; sys.exit(main())"
    arguments = ("check", "policy.yaml", "--catalog", "catalog.json", "--queries", "q.sql")
    with subprocess.Popen(
        [sys.executable, "-c", command, *arguments], cwd=directory, stderr=subprocess.PIPE, start_new_session=True
    ) as process:
        time.sleep(seconds)
        os.killpg(process.pid, signal.SIGINT)
        # To the end of all that inherited the stream.
        _, errors = process.communicate(timeout=60)
    assert process.returncode == 130
    assert b"Traceback" not in errors


@pytest.mark.postgres
def test_nobody_waits_for_queries_that_are_planned_for_nobody(directory: Path) -> None:
    policy = load_policy(directory / "policy.yaml", needs_source=False)
    query = "SELECT region, count(*), sum(cost), avg(cost), stddev(cost) FROM visits WHERE cost > {} GROUP BY region;"
    scripts = {str(first): "".join(map(query.format, range(first, first + 900))) for first in range(0, 3600, 900)}

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    with starting_server() as server:
        built = built_stage(policy, catalog_of_policy(read_catalog_file(directory / "catalog.json"), policy), server)
        planners.begin()
        planners.read("check", built, "analyst", {"": "SELECT 1"})
        kept, began = signal.signal(signal.SIGALRM, interrupted), time.monotonic()
        signal.setitimer(signal.ITIMER_REAL, 2)
        try:
            with pytest.raises(KeyboardInterrupt):
                planners.read("check", built, "analyst", scripts)
        finally:
            signal.signal(signal.SIGALRM, kept)
        assert time.monotonic() - began < 20, "planned to the end"
    assert active_children() == []
