"""What is planned from a file is what the server plans: EXPLAIN's lines are the same, but for what accounts have left."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from proxy.policy.catalog_file import catalog_of_policy, read_catalog_file
from proxy.query.planning import Planner
from proxy.rehearsal.opened import opened
from proxy.rehearsal.rehearsing import rehearse
from proxy.rehearsal.report import text_report
from proxy.rehearsal.servers import starting_server
from proxy.rehearsal.stages import built_stage
from proxy.sql.unread_texts import too_deep
from tests.end_to_end.conftest import StartProxy, lasting_proxies, stage_cluster
from tests.end_to_end.odd_clinic import odd_policy

pytestmark = pytest.mark.postgres
__all__ = ["lasting_proxies", "stage_cluster"]

QUERIES = (
    "SELECT count(*) FROM visits",
    "SELECT region, count(*), sum(cost), avg(minutes) FROM visits GROUP BY region",
    "SELECT diagnosis, count(*) FROM visits GROUP BY diagnosis HAVING count(*) > 10",
    "SELECT zone, count(*), sum(population) FROM visits JOIN regions ON name = region GROUP BY zone",
    "SELECT count(DISTINCT patient_id), max(cost) FROM visits WHERE visited_at > timestamp '2024-05-01' + interval '1 day'",
    "SELECT sex, count(*) FROM patients JOIN visits USING (patient_id) GROUP BY ROLLUP (sex)",
    "SELECT n, count(*) FROM (SELECT patient_id, count(*) AS n FROM visits GROUP BY 1) AS each GROUP BY n",
    "SELECT count(*) FROM visits WHERE cost > (SELECT avg(cost) FROM visits)",
    "SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY minutes) FROM visits WHERE region IN ('north', 'south')",
    "SET dp.epsilon = 1; SELECT birth_year / 10, count(*), stddev(height) FROM patients GROUP BY 1",
)


def test_the_plan_is_the_servers_own(clinic_source: str, catalog_file: Path, lasting_proxies: StartProxy) -> None:
    policy = odd_policy()
    with (
        starting_server() as server,
        asyncio.Runner() as runner,
    ):
        place = opened(built_stage(policy, catalog_of_policy(read_catalog_file(catalog_file), policy), server))
        rehearsed = runner.run(rehearse(place, "ana", QUERIES))
        runner.run(place.stage.close())
    proxy = lasting_proxies(policy, source=clinic_source)
    for script, outcomes in zip(QUERIES, rehearsed, strict=True):
        *settings, query = script.split("; ")
        with proxy.connect() as client:
            for setting in settings:
                client.execute(setting.encode())
            served = [str(line) for (line,) in client.execute(f"EXPLAIN {query}".encode()).fetchall()]
        assert outcomes[-1].plan is not None, outcomes[-1].refusal
        planned = text_report(outcomes[-1:]).splitlines()
        assert [line for line in planned if not line.startswith(("  Account", "  Column", "  Source query"))] == [
            line for line in served if not line.startswith("  Account")
        ]


def test_a_defect_ends_one_statement_and_not_those_after_it(
    catalog_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    planned = Planner.plan

    async def plan(self: Planner, text: str, *arguments: Any) -> Any:
        if "sum" in text:
            raise IndexError
        if "avg" in text:
            raise RecursionError
        return await planned(self, text, *arguments)

    monkeypatch.setattr(Planner, "plan", plan)
    script = "SELECT sum(cost) FROM visits; SELECT avg(cost) FROM visits; SELECT count(*) FROM visits"
    policy = odd_policy()
    with starting_server() as server, asyncio.Runner() as runner:
        place = opened(built_stage(policy, catalog_of_policy(read_catalog_file(catalog_file), policy), server))
        ((defect, deep, after),) = runner.run(rehearse(place, "ana", [script]))
        runner.run(place.stage.close())
    assert defect.refusal is not None
    assert (defect.refusal.sqlstate, defect.refusal.message) == ("XX000", "internal error")
    assert (defect.refusal.detail or "").startswith("This is a defect of dpproxy: IndexError in test_plans.py, line ")
    assert deep.refusal is not None
    assert (deep.refusal.rule, deep.refusal.sqlstate) == (too_deep().rule, "0A000")
    assert after.plan is not None
