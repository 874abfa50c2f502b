"""The types of a block, read off the outputs of its statement where all of them stand there, are what the stage says."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

import pytest

from proxy.policy.catalog_file import catalog_of_policy, read_catalog_file
from proxy.query.planned import all_blocks
from proxy.rehearsal.opened import opened
from proxy.rehearsal.rehearsing import rehearse
from proxy.rehearsal.servers import starting_server
from proxy.rehearsal.stages import built_stage
from proxy.sql.rows.stage_columns import StageColumn
from proxy.sql.staging.block_types import BlockTypes, UntypedBlock
from tests.end_to_end import clinic
from tests.end_to_end.aggregates import CASES
from tests.end_to_end.test_equals_postgres import QUERIES

pytestmark = pytest.mark.postgres

ODD = [
    "SELECT v.region, count(*) FROM visits v JOIN patients p USING (patient_id, region) GROUP BY region",
    "SELECT 'a', NULL, count(*), 1.0 FROM visits GROUP BY 1, 2",
    "SELECT region::varchar(3), region::text, count(*) FROM visits GROUP BY 1, 2",
    "SELECT region::varchar(3) AS region, count(*) FROM visits GROUP BY visits.region",
    "SELECT (minutes) AS m, sum(cost)::int, sum(cost) FROM visits GROUP BY minutes HAVING count(*) > 3",
    'SELECT count(*) AS "Count(*)", COUNT(*), pg_catalog.count(*) FROM visits ORDER BY sum(minutes)',
    "SELECT DISTINCT ON (region) region, count(*) FROM visits GROUP BY region ORDER BY region",
    "EXPLAIN SELECT region, count(*) FROM visits GROUP BY ROLLUP (region)",
    "WITH v AS (SELECT region AS r, minutes FROM visits) SELECT r, count(*), avg(minutes) FROM v GROUP BY r",
]
UNTOUCHED = [
    "SELECT count(*) FROM visits",
    "SELECT region, count(*) AS n FROM visits GROUP BY 1 ORDER BY 2 DESC LIMIT 3",
    "SELECT region AS r, smoker, avg(height), stddev(height) FROM patients GROUP BY smoker, region HAVING avg(height) > 1",
    "EXPLAIN SELECT sum(cost), urgent FROM visits GROUP BY urgent",
]
"""Their types need no description of their own."""


def test_types_among_the_outputs_are_those_that_the_stage_describes(
    catalog_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    among: dict[int, BlockTypes | None] = {}
    read_off = UntypedBlock.among_outputs

    def noted(block: UntypedBlock, outputs: Sequence[StageColumn]) -> None:
        among[id(block.plan)] = read_off(block, outputs)

    monkeypatch.setattr(UntypedBlock, "among_outputs", noted)
    calls = [f"SELECT urgent, {case.call} FROM visits GROUP BY urgent" for case in CASES.values()]
    policy = clinic.exact_policy()
    found = 0
    with starting_server() as server, asyncio.Runner() as runner:
        place = opened(built_stage(policy, catalog_of_policy(read_catalog_file(catalog_file), policy), server))
        for script in [*UNTOUCHED, *QUERIES.values(), *calls, *ODD]:
            ((outcome,),) = runner.run(rehearse(place, "ana", [script]))
            blocks = all_blocks(outcome.plan.blocks) if outcome.plan is not None else ()
            told = {id(block.plan): block.types for block in blocks}
            known = {place: types for place, types in among.items() if types is not None}
            assert not outcome.plan or known.items() <= told.items(), script
            found += len(known)
            assert script not in UNTOUCHED or known, script
            among.clear()
        runner.run(place.stage.close())
    assert found > 80
